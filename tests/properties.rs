//! What holds for every program, every knob and every fault. Scenarios are drawn at random, from a file's text on, and so
//! is what the adversary does.
//!
//! `LOCKSTEP_PROPERTY_RUNS=20000 cargo test --test properties` looks longer. A failure names the seed of its run.

use std::collections::BTreeMap;
use std::sync::{Arc, LazyLock};

use lockstep::history::History;
use lockstep::scenario::{self, Role, Scenario};
use lockstep::verdicts::Judged;
use lockstep::vocabulary::{ClockChoice, FaultKind, HoldId, KeyId, NodeId, Nonce, ServiceIx, Span, Trigger};
use lockstep::world::{Digest, Effect, Ending, Observation, RedisValue, World};
use serde_json::{Value, json};

const RUNS: u64 = 300;
const LOCK: ServiceIx = ServiceIx(0);

fn runs() -> u64 {
    let wished = std::env::var("LOCKSTEP_PROPERTY_RUNS").ok().and_then(|runs| runs.parse().ok());
    wished.unwrap_or(RUNS)
}

/// A sequence of draws, fixed by its seed.
struct Draw {
    seed: u64,
    nth: u32,
}

impl Draw {
    fn below(&mut self, limit: usize) -> usize {
        self.nth += 1;
        (Digest::of(&(self.seed, self.nth)) % limit as u64) as usize
    }

    fn one<T: Clone>(&mut self, of: &[T]) -> T {
        of[self.below(of.len())].clone()
    }

    /// A length of time: often a special one.
    fn ms(&mut self) -> usize {
        match self.below(4) {
            0 => 1 + self.below(20),
            1 => 1 + self.below(400),
            2 => [1, 50, 500, 1000][self.below(4)],
            _ => 1 + self.below(3000),
        }
    }
}

/// Clients that measure by the monotonic clock, or not at all: that of the others can be set.
const PRESETS: [&str; 5] = ["node-redlock-5", "redsync", "redlock-net", "pottery", "rslock"];

/// The knobs of a driver. Some fit no other and are drawn together.
fn knobs(draw: &mut Draw, several_nodes: bool) -> Value {
    let mut knobs = json!({ "ttl_ms": draw.ms(), "retry_ms": draw.ms(), "jitter_ms": draw.below(50) });
    // Several nodes know no other way to take a lock than the first.
    match draw.below(8) {
        0..=4 if several_nodes => {}
        0 => knobs["acquire"] = "setnx".into(),
        1 => {
            knobs["acquire"] = "setnx".into();
            knobs["token"] = "separate-counter".into();
        }
        2 => knobs["token"] = "counter".into(),
        3 => knobs["acquire"] = "reentrant".into(),
        4 => knobs["acquire"] = "reentrant-by-id".into(),
        5 => knobs["renew"] = json!({ "every_ms": draw.ms(), "set_if_missing": draw.below(2) == 0 }),
        6 => knobs["ttl_ms"] = Value::Null,
        _ => {}
    }
    if draw.below(3) == 0 {
        knobs["attempts"] = (1 + draw.below(5)).into();
    }
    if several_nodes && draw.below(2) == 0 {
        knobs["preset"] = draw.one(&PRESETS).into();
    }
    knobs["timeout_ms"] = draw.ms().into();
    knobs["careful"] = (draw.below(2) == 0).into();
    knobs["await_release"] = (draw.below(2) == 0).into();
    knobs["check_clock"] = draw.one(&["monotonic", "wall", "none"]).into();
    knobs["release"] = draw.one(&["compare-and-delete", "compare-and-delete", "never"]).into();
    knobs
}

/// Lines that make sense in this order, each there or not.
fn program(draw: &mut Draw) -> Vec<String> {
    let mut lines = Vec::new();
    for _ in 0..=draw.below(2) {
        if draw.below(3) == 0 {
            lines.push(format!("wait {}", draw.ms()));
        }
        lines.push("acquire".into());
        for line in 0..draw.below(7) {
            lines.push(match draw.below(if line == 0 { 4 } else { 6 }) {
                0 => "check".into(),
                1 => "read".into(),
                2 => format!("work {}", draw.ms()),
                3 => format!("wait {}", draw.ms()),
                _ if lines.contains(&"read".to_owned()) => {
                    draw.one(&["write read+1", "write read+1 op 7 no-wait"]).into()
                }
                _ => draw.one(&["write blind 3", "write blind 4 no-wait"]).into(),
            });
        }
        lines.push("release".into());
    }
    if draw.below(2) == 0 {
        lines.push(format!("repeat {}", 1 + draw.below(5)));
    }
    lines
}

fn drawn(seed: u64) -> Arc<Scenario> {
    let mut draw = Draw { seed, nth: 0 };
    let several_nodes = draw.below(5) == 0;
    let mut clients = Vec::new();
    for ix in 1..=2 + draw.below(2) {
        let id = format!("client-{ix}");
        let drivers = json!({ "lock": knobs(&mut draw, several_nodes) });
        clients
            .push(json!({ "id": id, "start_ms": draw.below(300), "program": program(&mut draw), "drivers": drivers }));
    }
    let text = json!({ "en": "drawn", "ko": "무작위" });
    let file = json!({
        "format": 1, "id": "drawn", "title": text, "summary": text, "seed": seed, "horizon_ms": 10_000,
        "network": { "latency_ms": [1 + draw.below(10), 11 + draw.below(60)] },
        "services": {
            "lock": { "kind": if several_nodes { "redlock" } else { "redis" }, "persistence": draw.one(&["none", "always"]) },
        },
        "resources": {
            "counter": { "guard": draw.one(&["none", "fencing", "version", "random-id", "operation-id"]) },
        },
        "clients": clients,
    });
    match scenario::parse(&file.to_string()) {
        Ok((scenario, _)) => Arc::new(scenario),
        Err(error) => panic!("seed {seed}: {error}\n{file:#}"),
    }
}

/// Whether it leaves the clock alone by which the lock's node counts, and every rate.
fn spares_the_clocks(scenario: &Scenario, kind: FaultKind) -> bool {
    match kind {
        FaultKind::ClockRate { .. } => false,
        FaultKind::ClockJump { machine, .. } => {
            let setup = &scenario.setup;
            setup.nodes.iter().all(|node| node.machine != machine || matches!(node.role, Role::Client(_)))
        }
        _ => true,
    }
}

/// A run in which the adversary acts a few times.
fn disturbed(seed: u64) -> History {
    let scenario = drawn(seed);
    let mut history = History::new(Arc::clone(&scenario));
    let mut draw = Draw { seed, nth: 1000 };
    for _ in 0..draw.below(6) {
        let rest = (history.len() - history.position()).min(60);
        history.seek(history.position() + draw.below(rest as usize + 1) as u32);
        let mut possible = history.world().possible_faults();
        possible.retain(|kind| spares_the_clocks(&scenario, *kind));
        let kind = draw.one(&possible);
        let until = (draw.below(3) == 0 && kind.inverse().is_some())
            .then(|| Trigger::At(history.world().now() + Span::from_ms(draw.ms() as u64)));
        history.act(kind, until);
    }
    history
}

/// The first runs, which all properties share.
static FIRST: LazyLock<Vec<History>> = LazyLock::new(|| (0..runs().min(RUNS)).map(disturbed).collect());

/// Shows a property every run. Those beyond the first are made for it alone: thousands of histories fill the memory.
fn each(mut look: impl FnMut(u64, &History)) {
    (0..).zip(&*FIRST).for_each(|(seed, history)| look(seed, history));
    (RUNS..runs()).for_each(|seed| look(seed, &disturbed(seed)));
}

fn describe(history: &History) -> String {
    let faults: Vec<_> = history.faults().iter().map(|fault| format!("{:?} {:?}", fault.on, fault.kind)).collect();
    format!("{:#?}\n{}", history.scenario().setup.clients, faults.join("\n"))
}

fn noted(history: &History) -> impl Iterator<Item = (NodeId, &Observation)> {
    history.steps().flat_map(|step| &step.record.effects).filter_map(|effect| match effect {
        Effect::Noted { node, what } => Some((*node, what)),
        _ => None,
    })
}

#[test]
fn nothing_panics_and_every_run_is_judged() {
    let mut with_lock = 0;
    each(|seed, history| {
        assert!(!history.is_empty(), "seed {seed}");
        assert_eq!(Judged::new(history).final_verdicts().len(), 6, "seed {seed}");
        let acquired = noted(history).any(|(_, what)| matches!(what, Observation::Acquired { .. }));
        with_lock += u64::from(acquired);
    });
    assert!(with_lock * 3 > runs() * 2, "a lock was taken in {with_lock} of {} runs only", runs());
}

/// All drivers here delete by comparison, or not at all.
#[test]
fn compare_and_delete_never_takes_a_lock_from_another() {
    let mut released = 0_u64;
    each(|seed, history| {
        for (_, what) in noted(history) {
            if let Observation::Ended { why, .. } | Observation::VoteEnded { why, .. } = what {
                assert_ne!(*why, Ending::RemovedByOther, "seed {seed}\n{}", describe(history));
                released += u64::from(*why == Ending::Released);
            }
        }
    });
    assert!(released > runs() / 2, "only {released} releases");
}

/// The mark under which the nodes keep a client's lock.
fn mark(world: &World, client: NodeId) -> Option<Nonce> {
    let nodes = world.setup().service(LOCK).nodes.iter();
    let entries = nodes.filter_map(|node| world.process(*node).state().redis()?.entry(KeyId::lock(LOCK)));
    match entries.into_iter().find(|entry| entry.owner == client)?.value {
        RedisValue::Nonce(nonce) | RedisValue::Held { owner: nonce, .. } => Some(Nonce(nonce)),
        RedisValue::Int(_) => None,
    }
}

/// But for less than a millisecond: Redis drops what its clock shows beyond whole ones, and the adversary can deliver a
/// request in no time.
#[test]
fn no_clock_of_a_client_runs_out_later_than_the_lock() {
    let mut compared = 0_u64;
    each(|seed, history| {
        for position in 0..=history.len() {
            let world = history.world_at(position);
            let Some(holding) = world.holder(LOCK) else { continue };
            let at = || format!("seed {seed} at {position}\n{}", describe(history));
            assert!(holding.until.is_none_or(|until| until > world.now()), "held beyond its end: {}", at());
            let Some(client) = world.process(holding.client).state().client() else { continue };
            let machine = world.machine(world.setup().machine_of(holding.client));
            let own = client.holds().find(|hold| Some(hold.nonce) == mark(world, holding.client));
            if let (Some(until), Some(believed)) = (holding.until, own.and_then(|hold| hold.believed_until)) {
                let believed = machine.clock(ClockChoice::Monotonic).reaches(believed, world.now());
                assert!(
                    believed.is_none_or(|believed| believed < until + Span::from_ms(1)),
                    "{believed:?} > {until:?}: {}",
                    at()
                );
                compared += 1;
            }
        }
    });
    assert!(compared > runs(), "compared only {compared} times");
}

/// The judges know beliefs by what is noted, the drawings by what the client keeps: both must say the same.
#[test]
fn what_is_noted_of_beliefs_is_what_clients_keep() {
    each(|seed, history| {
        let mut open: BTreeMap<HoldId, NodeId> = BTreeMap::new();
        for (ix, step) in (0..).zip(history.steps()) {
            for effect in &step.record.effects {
                match effect {
                    Effect::Noted { node, what: Observation::Acquired { hold, .. } } => {
                        open.insert(*hold, *node);
                    }
                    Effect::Noted { what: Observation::HoldClosed { hold, .. }, .. } => {
                        open.remove(hold);
                    }
                    _ => {}
                }
            }
            let world = history.world_at(ix + 1);
            let clients = &history.scenario().setup.clients;
            let kept = clients.iter().filter_map(|client| {
                let process = world.process(client.node).state().client()?;
                Some(process.holds().map(|hold| (hold.hold, client.node)).collect::<Vec<_>>())
            });
            let kept: BTreeMap<_, _> = kept.flatten().collect();
            assert_eq!(open, kept, "seed {seed} after step {ix}\n{}", describe(history));
        }
    });
}

/// A mark that is random is nobody else's, and no former self's.
#[test]
fn no_two_grants_to_different_processes_share_a_mark() {
    each(|seed, history| {
        let mut marks: BTreeMap<Nonce, (NodeId, u32)> = BTreeMap::new();
        let mut starts: BTreeMap<NodeId, u32> = BTreeMap::new();
        for step in history.steps() {
            for effect in &step.record.effects {
                match *effect {
                    Effect::Crashed { node, .. } => *starts.entry(node).or_default() += 1,
                    Effect::Noted { node, what: Observation::Acquired { nonce, .. } } => {
                        let process = (node, starts.get(&node).copied().unwrap_or_default());
                        let other = marks.insert(nonce, process);
                        assert!(other.is_none_or(|other| other == process), "seed {seed}\n{}", describe(history));
                    }
                    _ => {}
                }
            }
        }
    });
}
