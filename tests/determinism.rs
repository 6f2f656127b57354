//! Determinism is sacred: the same scenario, seed and faults give the same history, however one gets there.

use std::fmt::Write as _;
use std::sync::Arc;

use lockstep::history::{History, simulate};
use lockstep::scenario::{self, Scenario};
use lockstep::vocabulary::{FaultKind, NodeId, PauseCause, Span, StepIx};
use lockstep::world::{Record, World};

/// Every built-in scenario and variant with its name.
fn all() -> impl Iterator<Item = (String, Arc<Scenario>)> {
    let load = |id: &str| Arc::new(scenario::load(id).unwrap_or_else(|error| panic!("{id}: {error}")));
    scenario::builtin().iter().flat_map(move |id| {
        let variants: Vec<_> = load(id).variants.iter().map(|variant| format!("{id}:{}", variant.id)).collect();
        std::iter::once((*id).to_owned()).chain(variants).map(move |name| (name.clone(), load(&name)))
    })
}

fn fresh(scenario: &Scenario) -> World {
    World::new(Arc::clone(&scenario.setup), scenario.faults.as_slice().into())
}

/// Fifty places of a run, spread by a fixed rule and including both ends.
fn places(len: u32) -> impl Iterator<Item = u32> {
    (0..50_u32).map(move |n| n.wrapping_mul(2_654_435_761) % (len + 1)).chain([0, len])
}

#[test]
fn a_state_equals_that_of_a_fresh_run_stopped_there() {
    for (name, scenario) in all() {
        let history = History::new(Arc::clone(&scenario));
        for place in places(history.len()) {
            let mut world = fresh(&scenario);
            let mut record = Record::default();
            for _ in 0..place {
                assert!(world.step(&mut record), "{name}: the fresh run is shorter");
            }
            assert!(world == *history.world_at(place), "{name}: states differ after {place} steps");
        }
    }
}

#[test]
fn a_clone_reproduces_the_rest() {
    for (name, scenario) in all() {
        let history = History::new(Arc::clone(&scenario));
        for place in places(history.len()) {
            let rest = simulate(history.world_at(place).clone());
            for (ix, (record, world)) in (place..).zip(rest) {
                let step = history.step(StepIx(ix));
                assert_eq!(record, step.record, "{name}: step {ix} differs when re-run from {place}");
                assert_eq!(world.digest(), step.world.digest(), "{name}: digest of step {ix}");
            }
        }
    }
}

#[test]
fn two_runs_are_equal_step_by_step() {
    for (name, scenario) in all() {
        let (one, another) = (History::new(Arc::clone(&scenario)), History::new(Arc::clone(&scenario)));
        for (a, b) in std::iter::zip(one.steps(), another.steps()) {
            assert_eq!(a, b, "{name}: the first difference");
        }
        assert_eq!((one.len(), one.digest()), (another.len(), another.digest()), "{name}");
    }
}

#[test]
fn another_seed_is_another_run() {
    let (_, scenario) = all().find(|(name, _)| name == "gc-pause-write").expect("it is built in");
    let mut other = (*scenario).clone();
    Arc::make_mut(&mut other.setup).seed += 1;
    assert_ne!(History::new(scenario).digest(), History::new(Arc::new(other)).digest());
}

/// The same file is compared by the wasm test in a real browser, so that native and browser runs are equal.
#[test]
fn digests_are_the_recorded_ones() {
    let mut table = String::new();
    for (name, scenario) in all() {
        let history = History::new(scenario);
        writeln!(table, "{:016x} {:>6} {name}", history.digest(), history.len()).expect("a string takes it");
    }
    expect_test::expect_file!["golden/digests.txt"].assert_eq(&table);
}

#[test]
fn an_action_forks_the_future_and_can_be_undone_exactly() {
    for (name, scenario) in all() {
        for place in places(History::new(Arc::clone(&scenario)).len()).take(8) {
            let mut history = History::new(Arc::clone(&scenario));
            history.seek(place);
            let before = history.clone();
            let pause =
                FaultKind::Pause { node: NodeId(0), length: Some(Span::from_ms(12_000)), cause: PauseCause::Gc };
            history.act(pause, None);
            let acted = history.clone();
            for ix in 0..place {
                assert_eq!(history.step(StepIx(ix)), before.step(StepIx(ix)), "{name}: the past changed at {ix}");
            }
            assert!(history.undo());
            assert!(history.digest() == before.digest() && history.position() == place, "{name}: undo at {place}");
            assert!(history.world() == before.world(), "{name}: undo at {place} restores the state");
            assert!(history.redo());
            assert!(history.digest() == acted.digest() && history.position() == acted.position(), "{name}: redo");

            // The same faults from the start give the same history.
            let mut again = (*scenario).clone();
            again.faults = acted.faults().to_vec();
            let rerun = History::new(Arc::new(again));
            assert_eq!((rerun.len(), rerun.digest()), (acted.len(), acted.digest()), "{name}: replay of {place}");
        }
    }
}
