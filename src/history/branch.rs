//! One future: the steps from where it parts from its parent.

use std::sync::Arc;

use crate::scenario::Scenario;
use crate::vocabulary::{Fault, Matcher};
use crate::world::{Event, Record, World};

/// A run that never ends by itself stops here.
const STEPS_MAX: u32 = 200_000;

/// A step and the state after it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Step {
    /// What happened.
    pub record: Record,
    /// The state after it.
    pub world: World,
}

/// What a list of branches shows of one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BranchInfo {
    /// Its number.
    pub id: u32,
    /// The branch it parted from.
    pub parent: Option<u32>,
    /// After how many steps it parted.
    pub forked_at: u32,
    /// Whether the cursor is on it.
    pub current: bool,
    /// The fault that made it.
    pub fault: Option<Fault>,
}

/// A branch. What it has in common with its parent, it shares.
#[derive(Clone, Debug)]
pub(super) struct Branch {
    parent: Option<(u32, Arc<Branch>)>,
    /// How many steps belong to the parent.
    forked_at: u32,
    /// The state from which the own steps start.
    start: World,
    steps: Vec<Step>,
}

impl Branch {
    pub(super) fn root(scenario: &Scenario) -> Self {
        let start = World::new(Arc::clone(&scenario.setup), scenario.faults.as_slice().into());
        let steps = run(start.clone());
        Self { parent: None, forked_at: 0, start, steps }
    }

    pub(super) fn fork(parent: &Arc<Self>, id: u32, at: u32, fault: Fault, seen: u32) -> Self {
        let mut start = parent.world_at(at).clone();
        start.add_fault(fault, seen);
        let steps = run(start.clone());
        Self { parent: Some((id, Arc::clone(parent))), forked_at: at, start, steps }
    }

    pub(super) fn len(&self) -> u32 {
        self.forked_at + self.steps.len() as u32
    }

    pub(super) fn step(&self, ix: u32) -> &Step {
        match &self.parent {
            Some((_, parent)) if ix < self.forked_at => parent.step(ix),
            _ => &self.steps[(ix - self.forked_at) as usize],
        }
    }

    /// The state after so many steps. At the fork it is the state that already knows the new fault.
    pub(super) fn world_at(&self, position: u32) -> &World {
        match &self.parent {
            Some((_, parent)) if position < self.forked_at => parent.world_at(position),
            _ if position == self.forked_at => &self.start,
            _ => &self.step(position - 1).world,
        }
    }

    pub(super) fn faults(&self) -> &[Fault] {
        self.start.faults()
    }

    pub(super) fn info(&self, id: u32, current: u32) -> BranchInfo {
        let fault = self.parent.as_ref().and_then(|_| self.faults().last().copied());
        let parent = self.parent.as_ref().map(|(parent, _)| *parent);
        BranchInfo { id, parent, forked_at: self.forked_at, current: id == current, fault }
    }
}

/// All steps from a state to the end of its run, each with the state after it.
fn run(world: World) -> Vec<Step> {
    simulate(world).map(|(record, world)| Step { record, world }).collect()
}

/// The steps from a state on, one by one, to the end of the run.
pub fn simulate(mut world: World) -> impl Iterator<Item = (Record, World)> {
    std::iter::from_fn(move || {
        let mut record = Record::default();
        (world.steps() < STEPS_MAX && world.step(&mut record)).then(|| {
            record.effects.shrink_to_fit();
            (record, world.clone())
        })
    })
}

/// A matcher that names a step, if one can.
pub(super) fn name_of(record: &Record) -> Option<Matcher> {
    match &record.event {
        Event::Line { node, line, part } => Some(Matcher::Line { client: *node, line: *line, part: *part }),
        Event::Delivered { packet } | Event::Buffered { packet } => {
            Some(Matcher::Deliver { from: packet.from, to: packet.to, kind: Some(packet.kind()) })
        }
        _ => None,
    }
}
