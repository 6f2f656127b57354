//! Whatever the adversary does, the World keeps its rules: nothing panics, packets of one connection stay in order, and
//! the same faults from the start give the same history.

use std::collections::BTreeMap;
use std::sync::{Arc, LazyLock};

use lockstep::history::History;
use lockstep::scenario::{self, Scenario};
use lockstep::vocabulary::{FaultKind, MachineId, NodeId, PacketId, Span, StepIx, Trigger};
use lockstep::world::{Digest, Effect, Event, Observation, Run};

/// A scenario with every kind of line, and clients that start again.
fn busy() -> Arc<Scenario> {
    let (scenario, _) = scenario::parse(include_str!("scenarios/adversary.json")).expect("the scenario is valid");
    Arc::new(scenario)
}

/// The n-th number below `limit` of a fixed sequence.
fn pick(seed: u64, nth: u32, limit: usize) -> usize {
    (Digest::of(&(seed, nth)) % limit as u64) as usize
}

/// A run in which the adversary acts a few times, each time somewhere after its last act.
fn disturbed(scenario: &Arc<Scenario>, seed: u64) -> History {
    let mut history = History::new(Arc::clone(scenario));
    for act in 0..5 {
        let rest = (history.len() - history.position()).min(80);
        history.seek(history.position() + pick(seed, act * 3, rest as usize + 1) as u32);
        let possible = history.world().possible_faults();
        let kind = possible[pick(seed, act * 3 + 1, possible.len())];
        let until = (pick(seed, act * 3 + 2, 3) == 0 && kind.inverse().is_some())
            .then(|| Trigger::At(history.world().now() + Span::from_ms(700)));
        history.act(kind, until);
    }
    history
}

/// The disturbed runs that all tests look at, with their seeds.
static RUNS: LazyLock<Vec<(u64, History)>> = LazyLock::new(|| {
    let scenario = busy();
    (0..SEEDS).map(|seed| (seed, disturbed(&scenario, seed))).collect()
});

const SEEDS: u64 = 120;

fn describe(history: &History) -> String {
    let lines: Vec<String> = history.faults().iter().map(|fault| format!("{:?} {:?}", fault.on, fault.kind)).collect();
    lines.join("\n")
}

#[test]
fn the_same_faults_from_the_start_give_the_same_history() {
    let scenario = busy();
    for (seed, history) in &*RUNS {
        let mut again = (*scenario).clone();
        again.faults = history.faults().to_vec();
        let rerun = History::new(Arc::new(again));
        for (one, another) in std::iter::zip(history.steps(), rerun.steps()) {
            assert_eq!(one.record, another.record, "seed {seed}: the first difference\n{}", describe(history));
        }
        assert_eq!((history.len(), history.digest()), (rerun.len(), rerun.digest()), "seed {seed}");
    }
}

#[test]
fn packets_of_one_connection_arrive_in_the_order_of_sending() {
    for (seed, history) in &*RUNS {
        let mut last: BTreeMap<(u32, NodeId), PacketId> = BTreeMap::new();
        for step in history.steps() {
            let (Event::Delivered { packet } | Event::Buffered { packet } | Event::Refused { packet }) =
                &step.record.event
            else {
                continue;
            };
            let before = last.insert((packet.conn.0, packet.from), packet.id);
            assert!(before < Some(packet.id), "seed {seed}: {packet:?} overtook\n{}", describe(history));
        }
    }
}

/// A packet ends once: it is handled, refused or dropped; it is never in two places.
#[test]
fn no_packet_arrives_twice() {
    for (seed, history) in &*RUNS {
        let mut arrived: BTreeMap<PacketId, u32> = BTreeMap::new();
        for step in history.steps() {
            let dropped = step.record.effects.iter().filter_map(|effect| match effect {
                Effect::Dropped { packet } => Some(packet.id),
                _ => None,
            });
            let ended = match &step.record.event {
                Event::Delivered { packet } | Event::Unbuffered { packet } => Some(packet.id),
                _ => None,
            };
            for packet in dropped.chain(ended) {
                *arrived.entry(packet).or_default() += 1;
            }
        }
        assert!(arrived.values().all(|times| *times == 1), "seed {seed}\n{}", describe(history));
    }
}

#[test]
fn a_process_that_does_not_run_does_nothing() {
    for (seed, history) in &*RUNS {
        for ix in 0..history.len() {
            let before = history.world_at(ix);
            let step = history.step(StepIx(ix));
            let actor = match &step.record.event {
                Event::Line { node, .. } | Event::Timer { node, .. } => *node,
                Event::Delivered { packet } | Event::Unbuffered { packet } => packet.to,
                _ => continue,
            };
            assert_eq!(before.process(actor).run(), Run::Up, "seed {seed} step {ix}\n{}", describe(history));
        }
    }
}

#[test]
fn what_is_offered_is_what_can_happen() {
    for (seed, history) in RUNS.iter().take(20) {
        let mut history = history.clone();
        history.seek(history.position() + 3);
        for kind in history.world().possible_faults() {
            let mut tried = history.clone();
            let before = tried.world().clone();
            tried.act(kind, None);
            let changed = tried.world().machine(MachineId(0)) != before.machine(MachineId(0))
                || tried.digest() != before.digest();
            assert!(changed, "seed {seed}: {kind:?} does nothing");
            if let FaultKind::Pause { node, .. } = kind {
                assert!(matches!(tried.world().process(node).run(), Run::Paused { .. }), "seed {seed}: {kind:?}");
            }
            if let FaultKind::Crash { node, .. } = kind {
                assert!(matches!(tried.world().process(node).run(), Run::Down { .. }), "seed {seed}: {kind:?}");
            }
        }
    }
}

/// Writes a number to storage over a cut link that heals after the writer has ended in the way that `end` says.
fn written_over_a_cut_link(end: &str) -> bool {
    let text = format!(
        r#"{{
          "format": 1, "id": "cut", "title": {{ "en": "Cut", "ko": "끊김" }},
          "summary": {{ "en": "A write over a cut link.", "ko": "끊긴 링크 너머로 쓰기." }},
          "horizon_ms": 2000,
          "resources": {{ "counter": {{}} }},
          "clients": [{{ "id": "client-1", "start_ms": 10, "program": ["write blind 3"] }}],
          "faults": [
            {{ "at_ms": 5, "cut": {{ "from": "client-1", "to": "storage", "both": true }}, "until": {{ "at_ms": 900 }} }},
            {{ "at_ms": 100, {end} }}
          ]
        }}"#
    );
    let (scenario, _) = scenario::parse(&text).expect("the scenario is valid");
    let history = History::new(Arc::new(scenario));
    let applied = |effect: &Effect| matches!(effect, Effect::Noted { what: Observation::Applied { .. }, .. });
    history.steps().any(|step| step.record.effects.iter().any(applied))
}

/// A kernel goes on sending what an ended process gave it; one without power does not.
#[test]
fn what_a_cut_link_kept_back_goes_with_the_senders_power() {
    assert!(written_over_a_cut_link(r#""crash": { "node": "client-1" }"#));
    assert!(!written_over_a_cut_link(r#""power_loss": { "machine": "client-1" }"#));
}
