//! What a search clones: a world and the judges that watched it.

use std::hash::{Hash, Hasher};

use crate::verdicts::Judges;
use crate::vocabulary::{Fault, FaultIx, FaultKind, NodeId, StepIx, Time, Trigger};
use crate::world::{Digest, Record, World};

/// A run at a decision point.
#[derive(Clone)]
pub(super) struct State {
    pub(super) world: World,
    pub(super) judges: Judges,
}

impl State {
    /// Lets the next event happen. False if the run is over; then time has passed to the horizon.
    pub(super) fn step(&mut self, record: &mut Record) -> bool {
        let goes_on = self.world.step(record);
        if goes_on {
            self.judges.observe(record);
        } else {
            self.judges.finish(Time::ZERO + self.world.setup().horizon);
        }
        goes_on
    }

    /// The same run after a fault that happens now.
    pub(super) fn after(&self, kind: FaultKind, record: &mut Record) -> Self {
        let mut state = self.clone();
        let on = Trigger::Step(self.now());
        state.world.add_fault(Fault { on, kind, until: None, twin: None }, 0);
        state.step(record);
        state
    }

    /// The number of the next step.
    pub(super) const fn now(&self) -> StepIx {
        StepIx(self.world.steps())
    }

    /// Equal for states with the same futures, of the run and of what its judges will say.
    pub(super) fn key(&self) -> u64 {
        let mut key = Digest::new();
        let world = &self.world;
        world.search_key().hash(&mut key);
        let nodes = world.setup().nodes.len() as u16;
        for (from, to) in (0..nodes).flat_map(|from| (0..nodes).map(move |to| (NodeId(from), NodeId(to)))) {
            world.is_cut(from, to).hash(&mut key);
        }
        // Of the faults, those of the scenario may still fire; those that the search added have fired.
        let waiting = (0..world.faults().len() as u16).map(|ix| world.fault_state(FaultIx(ix)));
        waiting.filter(|state| state.fired.is_none()).for_each(|state| state.hash(&mut key));
        self.judges.search_key(world.now()).hash(&mut key);
        key.finish()
    }
}
