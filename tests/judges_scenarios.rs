//! The judges on the built-in scenarios: each verdict is the expected one, at every cursor, and no judge could be left out.

use std::fmt::Write as _;
use std::sync::Arc;

use expect_test::expect;
use lockstep::history::History;
use lockstep::scenario::{Expect, Expected, Scenario, builtin, load};
use lockstep::verdicts::{Constant, Judged, Judges, Verdict};
use lockstep::vocabulary::{
    Fault, FaultKind, JudgeName, LineIx, Matcher, NodeId, PauseCause, Span, Time, TokenSource, Trigger,
};
use lockstep::world::{Effect, Record};

/// Every scenario and every variant.
fn all() -> Vec<Scenario> {
    let variants = |id: &str| {
        let scenario = load(id).expect("it is built in");
        let names: Vec<_> = scenario.variants.iter().map(|variant| format!("{id}:{}", variant.id)).collect();
        let variants = names.into_iter().map(|name| load(&name).expect("its variant"));
        [scenario].into_iter().chain(variants).collect::<Vec<_>>()
    };
    builtin().iter().flat_map(|id| variants(id)).chain([token_after_lock()]).collect()
}

/// A token that is asked for after the lock was taken, and a pause in between.
fn token_after_lock() -> Scenario {
    let mut scenario = load("gc-pause-write").expect("it is built in");
    for client in &mut Arc::make_mut(&mut scenario.setup).clients {
        client.drivers[0].token = TokenSource::SeparateCounter;
    }
    let matcher = Matcher::Line { client: NodeId(0), line: LineIx(0), part: 1 };
    scenario.faults = vec![Fault {
        on: Trigger::When { matcher, nth: 1, after: Span::ZERO },
        kind: FaultKind::Pause { node: NodeId(0), length: Some(Span::from_ms(10_500)), cause: PauseCause::Gc },
        until: None,
        twin: None,
    }];
    let violated = [JudgeName::MutualExclusion, JudgeName::StaleWrite, JudgeName::LostUpdate, JudgeName::TokenOrder];
    let expected = |judge| Expected { judge, instances: None, kind: None, lasts_min: None, some: false };
    scenario.expect = Expect { violated: violated.map(expected).to_vec(), ..Expect::default() };
    scenario.id = "token-after-lock".into();
    scenario
}

fn name(scenario: &Scenario) -> String {
    scenario.variant.as_ref().map_or(scenario.id.clone(), |variant| format!("{}:{variant}", scenario.id))
}

fn run(scenario: &Scenario) -> History {
    History::new(Arc::new(scenario.clone()))
}

#[test]
fn every_verdict_is_the_expected_one() {
    let mut wrong = String::new();
    for scenario in all() {
        for mismatch in Judged::new(&run(&scenario)).verify_all(&scenario) {
            writeln!(wrong, "{}: {mismatch}", name(&scenario)).expect("a string takes what is written");
        }
    }
    assert!(wrong.is_empty(), "\n{wrong}");
}

#[test]
fn every_judge_is_needed() {
    let runs: Vec<_> = all().into_iter().map(|scenario| (run(&scenario), scenario)).collect();
    let notices = |judge: JudgeName, constant: Constant| {
        runs.iter().any(|(history, scenario)| {
            let judges = Judges::new(&scenario.setup).replacing(judge, constant);
            !Judged::by(judges, history).verify(&scenario.expect).is_empty()
        })
    };
    for judge in JudgeName::ALL.iter().copied() {
        assert!(notices(judge, Constant::Violated), "{} could always say that it is violated", judge.name());
        // As long as there are no replicas, no scenario can demand that they diverge.
        let demanded = judge != JudgeName::Divergence;
        assert_eq!(notices(judge, Constant::Holds), demanded, "{} could always say that it holds", judge.name());
    }
}

#[test]
fn every_cursor_has_the_verdicts_of_a_run_that_stopped_there() {
    for scenario in all() {
        let history = run(&scenario);
        let judged = Judged::new(&history);
        let mut fresh = Judges::new(&scenario.setup);
        let mut now = Time::ZERO;
        for position in 0..history.len() {
            let at = format!("{} at {position}", name(&scenario));
            assert_eq!(judged.at(&history, position), fresh.verdicts(now), "{at}");
            assert_eq!(&judged.cost_at(&history, position), fresh.cost(), "{at}");
            let record = &history.steps().nth(position as usize).expect("a step").record;
            fresh.observe(record);
            now = record.at;
        }
        assert_eq!(judged.at(&history, history.len()), judged.final_verdicts(), "{}", name(&scenario));
    }
}

#[test]
fn evidence_is_in_order_and_known_when_it_is_reported() {
    for scenario in all() {
        let history = run(&scenario);
        for (judge, verdict) in Judged::new(&history).final_verdicts() {
            for one in verdict.instances() {
                let about = format!("{} {}: {one:?}", name(&scenario), judge.name());
                assert!(one.evidence.is_sorted() && !one.evidence.is_empty(), "{about}");
                assert!(one.evidence.iter().all(|step| *step <= one.known && step.0 < history.len()), "{about}");
                assert!(one.to.is_none_or(|to| to >= one.from), "{about}");
            }
        }
    }
}

/// Verdicts as a text: the violations with their times and, for each step of the evidence, what was noted in it.
fn told(scenario: &Scenario) -> String {
    let history = run(scenario);
    let mut text = String::new();
    for (judge, verdict) in Judged::new(&history).final_verdicts() {
        let said = match verdict {
            Verdict::Holds => "holds".to_owned(),
            Verdict::Pending { why } => format!("pending, {why:?}"),
            Verdict::Violated { .. } => "violated".to_owned(),
        };
        writeln!(text, "{}: {said}", judge.name()).expect("a string takes what is written");
        for one in verdict.instances() {
            let to = one.to.map_or_else(|| "…".to_owned(), |to| to.to_string());
            let kind = one.kind.map_or("", |kind| kind.name());
            writeln!(text, "  {} to {to} {kind}", one.from).expect("a string takes what is written");
            for step in &one.evidence {
                let record = &history.step(*step).record;
                writeln!(text, "    {} {}", record.at, gist(scenario, record)).expect("a string takes what is written");
            }
        }
    }
    text
}

fn gist(scenario: &Scenario, record: &Record) -> String {
    let effect = |effect: &Effect| match effect {
        Effect::Noted { node, what } => {
            Some(format!("{} {}", scenario.setup.node_name(*node), what.kind().map_or("token", |kind| kind.name())))
        }
        Effect::Paused { node, .. } => Some(format!("{} paused", scenario.setup.node_name(*node))),
        _ => None,
    };
    record.effects.iter().filter_map(effect).collect::<Vec<_>>().join(", ")
}

#[test]
fn a_pause_beyond_the_lease_is_told_with_its_reasons() {
    expect![[r"
        mutual_exclusion: violated
          10210 to 10730 
            5 redis-a granted
            10 client-1 acquired
            520 client-1 paused
            10005 redis-a ended
            10205 redis-a granted
            10210 client-2 acquired
        stale_write: violated
          12525 to 12525 after
            5 redis-a granted
            10 client-1 acquired
            520 client-1 paused
            10205 redis-a granted
            10215 storage contact
            12525 storage applied
        lost_update: violated
          12525 to 12525 overwrote
            15 storage contact
            10725 storage applied
            12525 storage applied
        token_order: pending, NoTokensHere
        progress: holds
        divergence: holds
    "]]
    .assert_eq(&told(&load("gc-pause-write").expect("it is built in")));
}
