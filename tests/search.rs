//! The search: it finds the pause that breaks everything, and nothing where nothing is to be found.

use std::sync::Arc;

use lockstep::history::History;
use lockstep::scenario::{Role, Scenario, load, with_changes};
use lockstep::search::{Goal, Limits, Report, Target, search};
use lockstep::verdicts::{InstanceKind, Judged};
use lockstep::vocabulary::{
    Contact, Fault, FaultKind, JudgeName, MachineId, Matcher, NodeId, PacketRef, Persistence, ProgressKind, Span,
    Trigger,
};
use serde_json::json;

const EVERYTHING_AT_ONCE: [JudgeName; 3] = [JudgeName::MutualExclusion, JudgeName::StaleWrite, JudgeName::LostUpdate];

const STALE_AFTER_CONTACT: Target =
    Target { judge: JudgeName::StaleWrite, kind: Some(InstanceKind::Stale(Contact::After)) };

fn in_turns() -> Scenario {
    load("taking-turns").expect("it is built in")
}

/// Two clients in turn, with fencing tokens that storage marks on read.
fn fenced() -> Scenario {
    let changes = [
        ("/services/lock/persistence", json!("always")),
        ("/services/lock/driver/token", json!("counter")),
        ("/resources/counter/guard", json!({ "fencing": { "mark_on_read": true } })),
    ];
    with_changes("taking-turns", &changes.map(|(path, value)| (path.to_owned(), value))).expect("valid changes")
}

#[test]
fn finds_the_pause_that_breaks_everything() {
    let scenario = in_turns();
    let goal = Goal::All(EVERYTHING_AT_ONCE.map(Target::from).to_vec());
    let report = search(&scenario, &goal, Limits::one_fault(1_000));
    println!("{report:?}");
    let found = report.found.as_ref().expect("a pause of the first client does it");
    let [fault] = &found.faults[..] else { panic!("one fault is enough") };
    let FaultKind::Pause { length: Some(length), .. } = fault.kind else { panic!("a pause is the first that does it") };
    assert!(length.ms() > 9_000, "longer than what is left of the lease");
    assert!(matches!(fault.on, Trigger::When { .. }), "a moment in words");

    let faults = scenario.faults.iter().chain(&found.faults).copied().collect();
    let judged = Judged::new(&History::new(Arc::new(Scenario { faults, ..scenario.clone() })));
    let violated = judged.final_verdicts().iter().filter(|(_, verdict)| verdict.is_violated());
    assert_eq!(violated.map(|(judge, _)| *judge).collect::<Vec<_>>(), EVERYTHING_AT_ONCE, "the find can be replayed");
    assert_eq!(search(&scenario, &goal, Limits::one_fault(1_000)), report, "and found again");
}

fn nothing_to_find(scenario: &Scenario) {
    let goal = Goal::Any(vec![STALE_AFTER_CONTACT, JudgeName::LostUpdate.into()]);
    let report = search(scenario, &goal, Limits::one_fault(100_000));
    assert_eq!((&report.found, report.exhausted), (&None, true), "{report:?}");
}

#[test]
fn finds_nothing_in_turns_fenced_by_tokens_that_are_marked_on_read() {
    nothing_to_find(&fenced());
}

#[test]
fn finds_nothing_beside_a_pause_where_tokens_are_marked_on_read() {
    nothing_to_find(&load("fencing-gap:marked-on-read").expect("it is built in"));
}

#[test]
fn finds_the_gap_where_tokens_are_marked_on_write_only() {
    let changes = [("/resources/counter/guard/fencing/mark_on_read".to_owned(), json!(false))];
    let mut scenario = with_changes("fencing-gap", &changes).expect("valid changes");
    scenario.faults.clear();
    let goal = Goal::All(vec![STALE_AFTER_CONTACT, JudgeName::LostUpdate.into()]);
    let report = search(&scenario, &goal, Limits::one_fault(10_000));
    let found = report.found.expect("a pause that ends between the other's read and write");
    assert!(matches!(found.faults[..], [Fault { kind: FaultKind::Pause { .. }, .. }]), "{found:?}");
}

#[test]
fn finds_that_a_node_which_forgets_its_counter_fences_nothing() {
    let mut scenario = fenced();
    for node in &mut Arc::make_mut(&mut scenario.setup).nodes {
        if let Role::Redis(_, config) = &mut node.role {
            config.persistence = Persistence::None;
        }
    }
    let report = search(&scenario, &Goal::All(vec![STALE_AFTER_CONTACT]), Limits::one_fault(10_000));
    let found = report.found.expect("the same token given twice");
    assert!(matches!(found.faults[..], [Fault { kind: FaultKind::Crash { .. }, .. }]), "{found:?}");
}

#[test]
fn finds_a_packet_and_names_it_by_its_sending() {
    let allowed = |kind: &FaultKind| matches!(kind, FaultKind::Hold { .. });
    let goal = Goal::All(EVERYTHING_AT_ONCE.map(Target::from).to_vec());
    let report = search(&in_turns(), &goal, Limits { allowed, ..Limits::one_fault(10_000) });
    let found = report.found.expect("a packet of the first client, held for longer than its lease");
    let [fault] = &found.faults[..] else { panic!("one fault is enough") };
    assert!(matches!(fault.kind, FaultKind::Delay { packet: PacketRef::Matched, .. }), "{fault:?}");
    assert!(matches!(fault.on, Trigger::When { matcher: Matcher::Send { .. }, .. }), "{fault:?}");
}

#[test]
fn finds_two_faults_where_one_is_not_enough() {
    // A holder that crashes costs its lease, a clock that jumps back costs nothing; together they leak the lock.
    let allowed = |kind: &FaultKind| match kind {
        FaultKind::Crash { node, .. } => *node == NodeId(0),
        FaultKind::ClockJump { machine, by_us } => *machine == MachineId(2) && *by_us < 0,
        _ => false,
    };
    let goal =
        Goal::All(vec![Target { judge: JudgeName::Progress, kind: Some(InstanceKind::Progress(ProgressKind::Leak)) }]);
    let limits = Limits { allowed, faults_max: 2, runs_max: 10_000 };
    let mut scenario = in_turns();
    Arc::make_mut(&mut scenario.setup).horizon = Span::from_ms(30_000);
    let report = search(&scenario, &goal, limits);
    let found = report.found.expect("both");
    assert_eq!(found.faults.len(), 2, "{found:?} after {} runs", report.runs);
    let alone = search(&scenario, &goal, Limits { faults_max: 1, ..limits });
    assert_eq!((alone.found, alone.exhausted), (None, true));
}

#[test]
fn stops_when_it_has_used_its_runs() {
    let goal = Goal::All(EVERYTHING_AT_ONCE.map(Target::from).to_vec());
    let Report { found, runs, exhausted, .. } = search(&in_turns(), &goal, Limits::one_fault(10));
    assert_eq!((found, runs, exhausted), (None, 10, false));
}
