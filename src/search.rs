//! A small search: which faults make a scenario break a promise?
//!
//! The search plays the adversary. It clones the [`World`] and the [`Judges`] at *decision points*, before each step of a
//! run, lets one of [`World::possible_faults`] happen there and runs on, to the horizon or until the [`Goal`] is reached.
//! It tries all sets of one fault before any of two, and common faults before rare ones.
//!
//! **Sizes are symbolic.** How long a fault lasts is not guessed in milliseconds. A pause ends just before or just after
//! what is known now (the end of each live lease, the deadline the client believes in), a clock jumps just short of or just
//! past the end of each live lease. A fault that lasts (a pause, a cut, a packet held, a crash) also ends after each step
//! at which somebody noted something that a judge listens to, and once never: that covers every order of its end and the
//! others' grants, reads and writes, without a grid of lengths.
//!
//! **States are not visited twice.** A second key leaves out sequence numbers, digests and step numbers and takes times
//! relative to now; a run that reaches a state which was run on from before, with as many faults left, stops there. Two
//! pauses of an idle process that begin at different steps fall together that way.
//!
//! **What is found is made small**: faults are dropped, lengths are shortened to the least whole millisecond that still does
//! it, and step numbers are replaced by moments in words (`When`), so that the find survives a changed parameter.
//!
//! Resending is something that the application does, not its environment: it is not in the alphabet. With two faults or
//! more, the second does not yet happen between the beginning of a lasting fault and its end, unless that never ends.

mod alphabet;
mod explore;
mod shrink;
mod state;

use std::sync::Arc;

use crate::scenario::Scenario;
use crate::verdicts::{InstanceKind, Judges};
use crate::vocabulary::{Fault, FaultKind, JudgeName};
use crate::world::World;
use explore::{Explorer, Stop};
use shrink::Shrinker;
use state::State;

/// Promises that are to be broken.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Goal {
    /// All of these, in one run.
    All(Vec<Target>),
    /// Any of these.
    Any(Vec<Target>),
}

/// A promise that is to be broken.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Target {
    /// The judge that must say so.
    pub judge: JudgeName,
    /// In which way, if that matters.
    pub kind: Option<InstanceKind>,
}

/// How far a search goes.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Which of the possible faults may be used; sizes are not yet chosen then.
    pub allowed: fn(&FaultKind) -> bool,
    /// At most so many faults beside those of the scenario.
    pub faults_max: u32,
    /// At most so many runs.
    pub runs_max: u32,
}

/// What a search has to say.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Report {
    /// Faults that reach the goal, if some were found.
    pub found: Option<Found>,
    /// Runs, each from a decision point on; those that led to a known state at once are not counted.
    pub runs: u32,
    /// Steps of all runs.
    pub steps: u64,
    /// Different states that were run on from.
    pub states: u32,
    /// Whether everything within `faults_max` was tried (or something was found).
    pub exhausted: bool,
}

/// Faults that reach the goal.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Found {
    /// To be added to the faults of the scenario, in this order.
    pub faults: Vec<Fault>,
    /// Runs from the start that it took to make them small.
    pub shrinking_runs: u32,
}

/// Looks for faults that, added to those of the scenario, reach the goal. The same arguments give the same report.
pub fn search(scenario: &Scenario, goal: &Goal, limits: Limits) -> Report {
    let world = World::new(Arc::clone(&scenario.setup), scenario.faults.as_slice().into());
    let start = State { world, judges: Judges::new(&scenario.setup) };
    let mut explorer = Explorer::new(goal, limits);
    let stop = explorer.deepen(&start);
    let exhausted = stop != Some(Stop::OutOfRuns);
    let found = match stop {
        Some(Stop::Found(moves)) => Some(Shrinker::new(scenario, goal).shrink(&moves)),
        _ => None,
    };
    let Explorer { runs, steps, .. } = explorer;
    Report { found, runs, steps, states: explorer.states(), exhausted }
}

impl Limits {
    /// One fault of any kind, and so many runs.
    pub fn one_fault(runs_max: u32) -> Self {
        Self { allowed: |_| true, faults_max: 1, runs_max }
    }
}

impl From<JudgeName> for Target {
    fn from(judge: JudgeName) -> Self {
        Self { judge, kind: None }
    }
}

impl Target {
    fn is_hit(self, judges: &Judges) -> bool {
        let alike = |kind: Option<InstanceKind>| self.kind.is_none() || self.kind == kind;
        judges.instances(self.judge).is_some_and(|mut list| list.any(|one| alike(one.kind)))
    }
}

impl Goal {
    fn is_reached(&self, judges: &Judges) -> bool {
        match self {
            Self::All(targets) => targets.iter().all(|target| target.is_hit(judges)),
            Self::Any(targets) => targets.iter().any(|target| target.is_hit(judges)),
        }
    }
}
