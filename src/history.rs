//! A run and everything that was tried with it: each step with the state after it, a cursor, branches, undo and redo.
//!
//! Moving the cursor is an index. An action at the cursor never changes the past: it forks the future. The old future
//! stays reachable as a branch. States share what a step did not change.

mod branch;

use std::sync::Arc;

pub use branch::{BranchInfo, Step, simulate};

use crate::scenario::Scenario;
use crate::vocabulary::{Fault, FaultKind, Matcher, Span, StepIx, Time, Trigger};
use crate::world::{World, count_matches};
use branch::Branch;

/// A run with its cursor, its branches and what can be undone. Cheap to clone.
#[derive(Clone, Debug)]
pub struct History {
    scenario: Arc<Scenario>,
    branches: Vec<Arc<Branch>>,
    now: Place,
    undo: Vec<Place>,
    redo: Vec<Place>,
}

/// Where somebody is: a branch and how many of its steps are done.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Place {
    branch: u32,
    position: u32,
}

impl History {
    /// Runs a scenario to its horizon; the cursor stands at the start.
    pub fn new(scenario: Arc<Scenario>) -> Self {
        let root = Branch::root(&scenario);
        let now = Place { branch: 0, position: 0 };
        Self { scenario, branches: vec![Arc::new(root)], now, undo: Vec::new(), redo: Vec::new() }
    }

    /// What this is a run of.
    pub const fn scenario(&self) -> &Arc<Scenario> {
        &self.scenario
    }

    /// How many steps the current branch has.
    pub fn len(&self) -> u32 {
        self.branch().len()
    }

    /// Whether nothing happens at all.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The cursor: how many steps are done.
    pub const fn position(&self) -> u32 {
        self.now.position
    }

    /// A step of the current branch. Panics if there are not so many.
    pub fn step(&self, ix: StepIx) -> &Step {
        self.branch().step(ix.0)
    }

    /// All steps of the current branch, in order.
    pub fn steps(&self) -> impl Iterator<Item = &Step> {
        let branch = self.branch();
        (0..branch.len()).map(|ix| branch.step(ix))
    }

    /// The state at the cursor.
    pub fn world(&self) -> &World {
        self.world_at(self.now.position)
    }

    /// The state of the current branch after so many steps.
    pub fn world_at(&self, position: u32) -> &World {
        self.branch().world_at(position.min(self.len()))
    }

    /// Moves the cursor; the start and the end are its limits.
    pub fn seek(&mut self, position: u32) {
        self.now.position = position.min(self.len());
    }

    /// How many steps of the current branch have happened until an instant, inclusive.
    pub fn position_at(&self, at: Time) -> u32 {
        let branch = self.branch();
        let (mut low, mut high) = (0, branch.len());
        while low < high {
            let middle = low + (high - low) / 2;
            if branch.step(middle).record.at <= at {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        low
    }

    /// Does something at the cursor: the future forks, and the cursor moves past the new step.
    ///
    /// The fault is recorded as the next step's; beside it stands its twin in words that survive a changed parameter.
    pub fn act(&mut self, kind: FaultKind, until: Option<Trigger>) {
        let on = Trigger::Step(StepIx(self.now.position));
        let twin = Some(self.twin());
        self.fork(Fault { on, kind, until, twin }, 0);
        self.now.position += 1;
    }

    /// Adds a fault to the future of the cursor. A matcher counts from here: `nth` 1 is its next occurrence.
    pub fn schedule(&mut self, mut fault: Fault) {
        let mut seen = 0;
        if let Trigger::When { matcher, nth, .. } = &mut fault.on {
            seen = self.occurrences(*matcher);
            *nth += seen;
        }
        self.fork(fault, seen);
    }

    /// Takes the last action back. False if there is none.
    pub fn undo(&mut self) -> bool {
        let Some(place) = self.undo.pop() else { return false };
        self.redo.push(self.now);
        self.now = place;
        true
    }

    /// Does again what was taken back. False if there is nothing.
    pub fn redo(&mut self) -> bool {
        let Some(place) = self.redo.pop() else { return false };
        self.undo.push(self.now);
        self.now = place;
        true
    }

    /// Whether there is something to take back.
    pub const fn can_undo(&self) -> bool {
        !self.undo.is_empty()
    }

    /// Whether there is something to do again.
    pub const fn can_redo(&self) -> bool {
        !self.redo.is_empty()
    }

    /// All branches, in the order they were made.
    pub fn branches(&self) -> impl Iterator<Item = BranchInfo> + '_ {
        self.branches.iter().enumerate().map(|(id, branch)| branch.info(id as u32, self.now.branch))
    }

    /// Goes to another branch; the cursor keeps its place or stops at the branch's end. This can be undone.
    pub fn switch(&mut self, branch: u32) {
        if branch != self.now.branch && (branch as usize) < self.branches.len() {
            self.remember();
            self.now.branch = branch;
            self.seek(self.now.position);
        }
    }

    /// A number that differs between branches whose steps differ: views keep what they drew by it.
    pub const fn branch_id(&self) -> u32 {
        self.now.branch
    }

    /// The faults of the current branch: the scenario's, then those that were added.
    pub fn faults(&self) -> &[Fault] {
        self.branch().faults()
    }

    /// The trace digest of the whole current branch.
    pub fn digest(&self) -> u64 {
        self.world_at(self.len()).digest()
    }

    /// For each paragraph of the story, the step of the current branch that it explains.
    pub fn story_steps(&self) -> Vec<Option<StepIx>> {
        let find = |matcher: Matcher, nth: u32| {
            let mut seen = 0;
            self.steps().find_map(|step| {
                seen += count_matches(matcher, &step.record);
                (seen >= nth).then_some(step.record.ix)
            })
        };
        self.scenario.story.iter().map(|paragraph| find(paragraph.on?, paragraph.nth)).collect()
    }

    fn branch(&self) -> &Branch {
        &self.branches[self.now.branch as usize]
    }

    fn remember(&mut self) {
        self.undo.push(self.now);
        self.redo.clear();
    }

    fn fork(&mut self, fault: Fault, seen: u32) {
        let parent = &self.branches[self.now.branch as usize];
        let child = Branch::fork(parent, self.now.branch, self.now.position, fault, seen);
        self.remember();
        self.now.branch = self.branches.len() as u32;
        self.branches.push(Arc::new(child));
    }

    /// How often a matcher has matched up to the cursor, as the faults of this run saw it.
    fn occurrences(&self, matcher: Matcher) -> u32 {
        let done = (0..self.now.position).map(|ix| count_matches(matcher, &self.step(StepIx(ix)).record)).sum::<u32>();
        done + self.world().examined(matcher)
    }

    /// The moment of the cursor in words: before the next thing, if that happens in the same instant and has a name;
    /// else so long after the last thing that has one.
    fn twin(&self) -> Trigger {
        let (now, position) = (self.world().now(), self.now.position);
        let named = |ix: u32, after: Span| {
            let matcher = branch::name_of(&self.step(StepIx(ix)).record)?;
            let nth = (0..=ix).map(|ix| count_matches(matcher, &self.step(StepIx(ix)).record)).sum();
            Some(Trigger::When { matcher, nth, after })
        };
        let same_instant = position < self.len() && self.step(StepIx(position)).record.at == now;
        if let Some(before) = same_instant.then(|| named(position, Span::ZERO)).flatten() {
            return before;
        }
        let since = |ix: u32| Span(now.since(self.step(StepIx(ix)).record.at).0.max(1));
        (0..position).rev().find_map(|ix| named(ix, since(ix))).unwrap_or(Trigger::At(now))
    }
}

/// Equal if they show the same: the same branch of the same run at the same place.
impl PartialEq for History {
    fn eq(&self, other: &Self) -> bool {
        self.now == other.now
            && self.undo.len() == other.undo.len()
            && self.redo.len() == other.redo.len()
            && Arc::ptr_eq(&self.scenario, &other.scenario)
            && self.branches.len() == other.branches.len()
            && std::iter::zip(&self.branches, &other.branches).all(|(one, another)| Arc::ptr_eq(one, another))
    }
}
