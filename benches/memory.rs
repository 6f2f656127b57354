//! How much memory recorded steps keep.
//!
//! `cargo bench --bench memory`: the column "max alloc" shows what a history of 100 000 steps holds.
//! Aim: 100 000 recorded steps stay under 100 MB.

use std::sync::Arc;

use divan::{AllocProfiler, Bencher};
use lockstep::history::simulate;
use lockstep::scenario;
use lockstep::world::World;

const STEPS: usize = 100_000;

#[global_allocator]
static ALLOC: AllocProfiler = AllocProfiler::system();

fn main() {
    divan::main();
}

/// 100 000 recorded steps of four clients that take turns at a lock.
#[divan::bench(sample_count = 3, sample_size = 1)]
fn record_100_000_steps(bencher: Bencher<'_, '_>) {
    record(bencher, include_str!("busy-lock.json"));
}

/// The same at the five servers of an ensemble, each with its log.
#[divan::bench(sample_count = 3, sample_size = 1)]
fn record_100_000_steps_of_five_servers(bencher: Bencher<'_, '_>) {
    record(bencher, include_str!("busy-ensemble.json"));
}

fn record(bencher: Bencher<'_, '_>, text: &str) {
    let (scenario, _) = scenario::parse(text).expect("the benchmark's scenario is valid");
    bencher.bench_local(|| {
        let world = World::new(Arc::clone(&scenario.setup), [].into());
        let steps: Vec<_> = simulate(world).take(STEPS).collect();
        assert_eq!(steps.len(), STEPS);
        steps
    });
}
