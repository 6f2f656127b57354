//! What tokens from ZooKeeper's zxids promise, over many seeds of pauses, delays and clock jumps: storage that marks the token
//! when it is read never loses an update, and never takes a stale write once the newer holder has been there. If it checks
//! the token on writes alone, the gap between the newer holder's read and its write is found; without a fence, plain stale
//! writes are. The shortest schedule of each is printed.
//!
//! `FENCING_SEEDS=100000 cargo test --profile native --test fencing_tokens -- --nocapture` looks longer.

use std::sync::Arc;

use lockstep::scenario::{Scenario, Setup, parse};
use lockstep::verdicts::{InstanceKind, Judges};
use lockstep::views::narration::{fault_sentence, trigger_text};
use lockstep::vocabulary::{
    ClockChoice, Contact, Fault, FaultKind, JudgeName, Lang, Latency, Line, Matcher, MessageKind, NodeId, PacketRef,
    PauseCause, ResourceIx, Span, Time, Trigger,
};
use lockstep::world::{Digest, Record, World};
use serde_json::{Value, json};

fn seeds() -> u64 {
    std::env::var("FENCING_SEEDS").ok().and_then(|seeds| seeds.parse().ok()).unwrap_or(500)
}

/// A number below `limit`, fixed by a seed and what it is for.
fn draw(seed: u64, what: &str, nth: u64, limit: u64) -> u64 {
    Digest::of(&(seed, what, nth)) % limit
}

/// Three clients that raise a counter under ZooKeeper's lock. They are naive: nothing but the token keeps them from storage.
fn scenario(guard: &Value) -> Scenario {
    let program = ["acquire", "read", "work 100", "write read+1", "release", "wait 50", "repeat 4"];
    let client = |n: u32| json!({ "id": format!("client-{n}"), "start_ms": 20 * n, "program": program });
    let text = json!({ "en": "Tokens", "ko": "토큰" });
    let file = json!({
        "format": 1, "id": "tokens", "title": text, "summary": text, "horizon_ms": 12_000,
        "services": { "lock": {
            "kind": "zookeeper", "ensemble": { "tick_ms": 200 },
            "driver": { "session_ms": 800, "token": "czxid" },
        } },
        "resources": { "counter": { "guard": guard } },
        "clients": [client(1), client(2), client(3)],
    });
    parse(&file.to_string()).expect("it is valid").0
}

fn setup(seed: u64, base: &Scenario) -> Setup {
    let mut setup = Setup::clone(&base.setup);
    setup.seed = seed;
    let min = 1 + draw(seed, "latency", 0, 10);
    setup.network.latency = Latency { min: Span::from_ms(min), max: Span::from_ms(min + draw(seed, "latency", 1, 30)) };
    for (ix, client) in (0..).zip(&mut setup.clients) {
        client.drivers[0].recipe.session = Span::from_ms(400 + draw(seed, "session", ix, 1_200));
        for line in &mut client.program {
            if let Line::Work(span) | Line::Wait(span) = line {
                *span = Span::from_ms(1 + draw(seed, "span", ix, 200));
            }
        }
    }
    setup
}

/// Pauses of clients and servers, packets to storage that are late, clocks that are set.
fn faults(seed: u64, setup: &Setup) -> Vec<Fault> {
    let storage = setup.resources[0].node;
    let fault = |nth: u64| {
        let pick = |what: &str, limit: u64| draw(seed, what, nth, limit);
        let client = setup.clients[pick("client", 3) as usize].node;
        let node = NodeId(pick("node", setup.nodes.len() as u64) as u16);
        let at = Trigger::At(Time::from_ms(pick("at", 4_000)));
        let length = Span::from_ms(1 + pick("length", 3_000));
        let nth = 1 + pick("nth", 4) as u32;
        let when = |matcher| Trigger::When { matcher, nth, after: Span::ZERO };
        let sent = |kind| when(Matcher::Send { from: client, to: storage, kind: Some(kind) });
        let pause = |node| FaultKind::Pause { node, length: Some(length), cause: PauseCause::Gc };
        let late = FaultKind::Delay { packet: PacketRef::Matched, by: length };
        let (on, kind) = match pick("kind", 8) {
            0 => (at, pause(node)),
            1 => (at, pause(client)),
            2 => (sent(MessageKind::Write), pause(client)),
            3 => (sent(MessageKind::Read), pause(client)),
            4 | 5 => (sent(MessageKind::Write), late),
            6 => (sent(MessageKind::Read), late),
            _ => {
                let by_us = pick("jump", 20_000_000) as i64 - 10_000_000;
                (at, FaultKind::ClockJump { machine: setup.machine_of(node), by_us })
            }
        };
        Fault { on, kind, until: None, twin: None }
    };
    (0..=draw(seed, "count", 0, 6)).map(fault).collect()
}

/// What a run broke, and how many writes were done and turned away.
#[derive(Default)]
struct Outcome {
    /// Updates that were lost.
    lost: usize,
    /// Stale writes, and those of them after the newer holder was at storage.
    stale: usize,
    stale_after: usize,
    /// Times in which two believed.
    overlaps: usize,
    writes: u32,
}

fn run(setup: &Arc<Setup>, faults: &[Fault]) -> Outcome {
    let mut world = World::new(Arc::clone(setup), faults.into());
    let mut judges = Judges::new(setup);
    let mut record = Record::default();
    while world.step(&mut record) {
        judges.observe(&record);
    }
    let kinds = |judge| judges.instances(judge).into_iter().flatten().map(|one| one.kind).collect::<Vec<_>>();
    let stale = kinds(JudgeName::StaleWrite);
    Outcome {
        lost: kinds(JudgeName::LostUpdate).len(),
        stale: stale.len(),
        stale_after: stale.iter().filter(|kind| **kind == Some(InstanceKind::Stale(Contact::After))).count(),
        overlaps: kinds(JudgeName::MutualExclusion).len(),
        writes: world
            .process(setup.resources[0].node)
            .state()
            .storage()
            .map_or(0, |storage| storage.resource(ResourceIx(0)).version),
    }
}

/// Drops and weakens faults as long as the same breaks.
fn shrink(setup: &Arc<Setup>, mut faults: Vec<Fault>, breaks: fn(&Outcome) -> bool) -> Vec<Fault> {
    for ix in (0..faults.len()).rev() {
        let fewer: Vec<_> = (0..faults.len()).filter(|other| *other != ix).map(|other| faults[other]).collect();
        if breaks(&run(setup, &fewer)) {
            faults = fewer;
        }
    }
    for ix in 0..faults.len() {
        loop {
            let mut weaker = faults.clone();
            match &mut weaker[ix].kind {
                FaultKind::Pause { length: Some(span), .. } | FaultKind::Delay { by: span, .. } if span.ms() > 100 => {
                    span.0 -= 100_000;
                }
                _ => break,
            }
            if !breaks(&run(setup, &weaker)) {
                break;
            }
            faults = weaker;
        }
    }
    faults
}

fn weight(faults: &[Fault]) -> (usize, u64) {
    let length = |fault: &Fault| match fault.kind {
        FaultKind::Pause { length, .. } => length.unwrap_or_default().0,
        FaultKind::Delay { by, .. } => by.0,
        _ => 0,
    };
    (faults.len(), faults.iter().map(length).sum())
}

/// So many finds are made small.
const SHRUNK: u64 = 100;

/// How many of the seeds break something, and the shortest schedule among the first of them, as text.
fn shortest(guard: &Value, breaks: fn(&Outcome) -> bool) -> (u64, String) {
    let base = scenario(guard);
    let mut best: Option<(u64, Arc<Setup>, Vec<Fault>)> = None;
    let mut found = 0;
    for seed in 0..seeds() {
        let setup = Arc::new(setup(seed, &base));
        let all = faults(seed, &setup);
        if !breaks(&run(&setup, &all)) {
            continue;
        }
        found += 1;
        if found <= SHRUNK {
            let small = shrink(&setup, all, breaks);
            if best.as_ref().is_none_or(|(_, _, best)| weight(&small) < weight(best)) {
                best = Some((seed, setup, small));
            }
        }
    }
    let (seed, setup, faults) = best.expect("something breaks");
    assert!(breaks(&run(&setup, &faults)), "a small schedule breaks it, too");
    let line = |fault: &Fault| {
        let on = trigger_text(&setup, &fault.on, Lang::En);
        format!("\n    {on}: {}", fault_sentence(&setup, &fault.kind, Lang::En))
    };
    (found, format!("seed {seed}{}", faults.iter().map(line).collect::<String>()))
}

#[test]
fn a_token_marked_on_read_keeps_every_update() {
    let base = scenario(&json!({ "fencing": { "mark_on_read": true } }));
    assert!(base.setup.clients.iter().all(|client| client.drivers[0].check_clock == ClockChoice::Monotonic));
    let (mut writes, mut outlived, mut early) = (0, 0, 0);
    for seed in 0..seeds() {
        let setup = Arc::new(setup(seed, &base));
        let outcome = run(&setup, &faults(seed, &setup));
        assert!(outcome.lost == 0, "seed {seed}: an update is lost");
        assert!(outcome.stale_after == 0, "seed {seed}: a stale write is taken after the newer holder was there");
        writes += u64::from(outcome.writes);
        outlived += u64::from(outcome.overlaps > 0);
        early += u64::from(outcome.stale > 0);
    }
    println!(
        "{} seeds, {writes} writes; two believed at once in {outlived} runs, a stale write came before the newer holder \
         in {early}; no update was lost",
        seeds()
    );
    assert!(writes > 5 * seeds() && outlived > seeds() / 20, "enough happens for this to mean something");
}

#[test]
fn a_token_checked_on_writes_alone_leaves_the_gap() {
    let (found, text) = shortest(&json!("fencing"), |outcome| outcome.lost > 0 && outcome.stale_after > 0);
    println!("checked on write only: {found} of {} seeds fall into the gap; the shortest: {text}", seeds());
}

#[test]
fn without_a_fence_stale_writes_are_taken() {
    let (found, text) = shortest(&json!("none"), |outcome| outcome.stale > 0);
    println!("unfenced: {found} of {} seeds take a stale write; the shortest: {text}", seeds());
}
