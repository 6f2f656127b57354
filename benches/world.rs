//! How fast a run moves on, with and without history, beside baselines in the same run.
//!
//! `cargo bench --bench world`. Compare ratios, not absolute figures: machines are noisy.
//! Aim: a step without history costs at most 15 pairs of heap operations, and a ping-pong is ahead of nexosim's.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::hint::black_box;
use std::sync::Arc;
use std::time::Duration;

use divan::Bencher;
use divan::counter::ItemsCount;
use lockstep::history::History;
use lockstep::scenario::{self, Scenario};
use lockstep::world::{Record, World};
use nexosim::model::{Context, Model, schedulable};
use nexosim::ports::{EventSource, Output};
use nexosim::simulation::{Mailbox, SimInit};
use nexosim::time::MonotonicTime;
use serde::{Deserialize, Serialize};

const EVENTS: u32 = 10_000;

fn main() {
    divan::main();
}

fn scenario(text: &str) -> Arc<Scenario> {
    let (scenario, warnings) = scenario::parse(text).expect("the benchmark's scenario is valid");
    assert!(warnings.is_empty(), "{warnings:?}");
    Arc::new(scenario)
}

/// Two processes and nothing else: a client reads, storage answers, for ever.
fn ping_pong() -> Arc<Scenario> {
    scenario(include_str!("ping-pong.json"))
}

/// Four clients that take turns at a lock for ever.
fn busy_lock() -> Arc<Scenario> {
    scenario(include_str!("busy-lock.json"))
}

fn start(scenario: &Scenario) -> World {
    World::new(Arc::clone(&scenario.setup), scenario.faults.as_slice().into())
}

fn run(mut world: World, steps: u32) -> World {
    let mut record = Record::default();
    for _ in 0..steps {
        assert!(world.step(&mut record), "the run goes on for ever");
    }
    world
}

/// Baseline: what an event costs at least, with 64 events pending.
#[divan::bench]
fn heap_pop_and_push(bencher: Bencher<'_, '_>) {
    bencher.counter(ItemsCount::new(EVENTS)).with_inputs(|| (0..64).map(Reverse).collect()).bench_values(
        |mut heap: BinaryHeap<Reverse<u64>>| {
            for n in 0..u64::from(EVENTS) {
                let Reverse(next) = heap.pop().expect("64 events are pending");
                heap.push(Reverse(next + 1 + black_box(n) % 61));
            }
            heap
        },
    );
}

/// A step without history, in the busiest scenario. One item is one step.
#[divan::bench]
fn step_without_history(bencher: Bencher<'_, '_>) {
    let world = run(start(&busy_lock()), 1_000);
    bencher.counter(ItemsCount::new(EVENTS)).with_inputs(|| world.clone()).bench_values(|world| run(world, EVENTS));
}

/// A step with history: its record and the state after it are kept. One item is one step.
#[divan::bench]
fn step_with_history(bencher: Bencher<'_, '_>) {
    let scenario = busy_lock();
    let steps = History::new(Arc::clone(&scenario)).len();
    bencher.counter(ItemsCount::new(steps)).bench(|| History::new(Arc::clone(&scenario)));
}

/// A copy of a whole state, as a search makes at each decision.
#[divan::bench]
fn clone_world(bencher: Bencher<'_, '_>) {
    let world = run(start(&busy_lock()), 1_000);
    bencher.counter(ItemsCount::new(1_u32)).bench(|| world.clone());
}

/// A ping-pong in the World. One item is one message.
#[divan::bench]
fn ping_pong_world(bencher: Bencher<'_, '_>) {
    // Of each four steps two are lines of the program: they count as part of what a message costs.
    let world = run(start(&ping_pong()), 100);
    bencher.counter(ItemsCount::new(EVENTS / 2)).with_inputs(|| world.clone()).bench_values(|world| run(world, EVENTS));
}

/// Baseline: nexosim's ping-pong, one message each millisecond. One item is one message.
#[divan::bench]
fn ping_pong_nexosim(bencher: Bencher<'_, '_>) {
    bencher.counter(ItemsCount::new(EVENTS)).with_inputs(players).bench_local_values(|mut simulation| {
        simulation.step_until(Duration::from_millis(u64::from(EVENTS))).expect("the simulation runs");
        simulation
    });
}

/// One of two players: sends the ball back a millisecond after it came.
#[derive(Default, Serialize, Deserialize)]
struct Player {
    back: Output<u64>,
}

#[Model]
impl Player {
    #[expect(clippy::unused_self, reason = "an input port is a method")]
    fn ball(&mut self, hits: u64, cx: &Context<Self>) {
        cx.schedule_event(Duration::from_millis(1), schedulable!(Self::hit), hits + 1).expect("the time is ahead");
    }

    #[nexosim(schedulable)]
    async fn hit(&mut self, hits: u64) {
        self.back.send(hits).await;
    }
}

fn players() -> nexosim::simulation::Simulation {
    let (mut left, mut right) = (Player::default(), Player::default());
    let (left_box, right_box) = (Mailbox::new(), Mailbox::new());
    left.back.connect(Player::ball, &right_box);
    right.back.connect(Player::ball, &left_box);
    let mut bench = SimInit::with_num_threads(1);
    let serve = EventSource::new().connect(Player::ball, &left_box).register(&mut bench);
    let mut simulation = bench
        .add_model(left, left_box, "left")
        .add_model(right, right_box, "right")
        .init(MonotonicTime::EPOCH)
        .expect("the simulation starts");
    simulation.process_event(&serve, 0).expect("the first ball");
    simulation
}
