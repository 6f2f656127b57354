//! What Redlock promises, over many seeds: with honest clocks, bounded delays, no pauses and no crashes two careful clients
//! never believe at once; without the elapsed-time check and with pauses they do.
//!
//! `REDLOCK_SEEDS=100000 cargo test --test redlock` looks longer. A failure names its seed.

use std::sync::Arc;

use lockstep::scenario::{Setup, load};
use lockstep::verdicts::{Judges, Verdict};
use lockstep::vocabulary::{ClockChoice, Fault, FaultKind, JudgeName, Latency, Line, PauseCause, Span, Time, Trigger};
use lockstep::world::{Digest, Record, World};

fn seeds() -> u64 {
    std::env::var("REDLOCK_SEEDS").ok().and_then(|seeds| seeds.parse().ok()).unwrap_or(500)
}

/// A number below `limit`, fixed by a seed and what it is for.
fn draw(seed: u64, what: u32, limit: u64) -> u64 {
    Digest::of(&(seed, what)) % limit
}

/// Two careful clients with a short lease, whose work is sometimes longer than it.
fn setup(seed: u64, check: bool) -> Setup {
    let scenario = load("redlock-takes-turns").expect("it is built in");
    let mut setup = Setup::clone(&scenario.setup);
    setup.seed = seed;
    setup.horizon = Span::from_ms(4_000);
    setup.network.latency = Latency { min: Span::from_ms(1), max: Span::from_ms(2 + draw(seed, 0, 60)) };
    for (ix, client) in (0..).zip(&mut setup.clients) {
        client.start = Span::from_ms(draw(seed, 1 + ix, 60));
        for line in &mut client.program {
            if let Line::Work(span) = line {
                *span = Span::from_ms(1 + draw(seed, 10 + ix, 400));
            }
        }
        client.program.push(Line::Repeat(Some(3)));
        let driver = &mut client.drivers[0];
        driver.careful = true;
        driver.ttl = Some(Span::from_ms(100 + draw(seed, 20, 200)));
        driver.retry = Span::from_ms(1 + draw(seed, 30 + ix, 50));
        if !check {
            driver.voting.elapsed_clock = ClockChoice::None;
        }
    }
    setup
}

/// Whether mutual exclusion breaks, and how often a client came to believe.
fn run(setup: Setup, faults: Vec<Fault>) -> (bool, u32) {
    let setup = Arc::new(setup);
    let mut world = World::new(Arc::clone(&setup), faults.into());
    let mut judges = Judges::new(&setup);
    let mut record = Record::default();
    let mut beliefs = 0;
    while world.step(&mut record) {
        judges.observe(&record);
        let acquired = |effect: &&lockstep::world::Effect| {
            matches!(effect, lockstep::world::Effect::Noted { what: lockstep::world::Observation::Acquired { .. }, .. })
        };
        beliefs += record.effects.iter().filter(acquired).count() as u32;
    }
    (matches!(judges.verdict(JudgeName::MutualExclusion, world.now()), Verdict::Violated { .. }), beliefs)
}

#[test]
fn two_careful_clients_never_believe_at_once() {
    let mut beliefs = 0;
    for seed in 0..seeds() {
        let (broken, more) = run(setup(seed, true), Vec::new());
        assert!(!broken, "seed {seed}");
        beliefs += more;
    }
    assert!(u64::from(beliefs) > seeds(), "they get the lock often enough for this to mean something");
    println!("{} seeds, {beliefs} beliefs, mutual exclusion always held", seeds());
}

#[test]
fn without_the_check_a_pause_breaks_it() {
    let broken = (0..seeds().min(500)).filter(|seed| {
        let setup = setup(*seed, false);
        let node = setup.clients[0].node;
        let start = Time::ZERO + setup.clients[0].start;
        let on = Trigger::At(start + Span::from_ms(1 + draw(*seed, 40, 20)));
        let kind = FaultKind::Pause { node, length: Some(Span::from_ms(400)), cause: PauseCause::Gc };
        run(setup, vec![Fault { on, kind, until: None, twin: None }]).0
    });
    let broken = broken.count();
    assert!(broken > 0);
    println!("mutual exclusion broke in {broken} runs");
}
