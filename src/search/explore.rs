//! The search itself: which state is run on from, and with which faults.

use std::collections::BTreeSet;
use std::hash::{Hash, Hasher};
use std::ops::ControlFlow;

use super::alphabet::{Choice, Class, choices};
use super::state::State;
use super::{Goal, Limits};
use crate::vocabulary::{FaultKind, StepIx};
use crate::world::{Digest, Effect, Observation, Record};

/// One fault of a run that a search made.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Move {
    /// It is this step.
    pub(super) at: StepIx,
    pub(super) kind: FaultKind,
    /// It is taken back as this step.
    pub(super) ends: Option<StepIx>,
}

/// Why a search stops early.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Stop {
    Found(Vec<Move>),
    OutOfRuns,
}

pub(super) struct Explorer<'a> {
    goal: &'a Goal,
    limits: Limits,
    pub(super) runs: u32,
    pub(super) steps: u64,
    /// Keys of states that were run on from, each with what was tried from there.
    seen: BTreeSet<u64>,
    moves: Vec<Move>,
    record: Record,
}

impl<'a> Explorer<'a> {
    pub(super) fn new(goal: &'a Goal, limits: Limits) -> Self {
        let (seen, moves, record) = (BTreeSet::new(), Vec::new(), Record::default());
        Self { goal, limits, runs: 0, steps: 0, seen, moves, record }
    }

    pub(super) fn states(&self) -> u32 {
        self.seen.len() as u32
    }

    /// Tries no fault, then every one, then every two, and so on.
    pub(super) fn deepen(&mut self, start: &State) -> Option<Stop> {
        (0..=self.limits.faults_max).find_map(|faults| self.go_on(start.clone(), faults).break_value())
    }

    /// Runs on from a state with exactly so many more faults.
    fn go_on(&mut self, state: State, faults: u32) -> ControlFlow<Stop> {
        if faults == 0 {
            return self.run(state);
        }
        if !self.is_new(&state, faults, None) {
            return ControlFlow::Continue(());
        }
        for class in Class::ALL {
            let mut state = state.clone();
            loop {
                for choice in choices(&state.world, class, self.limits.allowed) {
                    self.branch(&state, choice, faults - 1)?;
                }
                if !self.step(&mut state) {
                    break;
                }
            }
        }
        ControlFlow::Continue(())
    }

    /// Lets a fault happen, and goes on with so many more.
    fn branch(&mut self, before: &State, choice: Choice, faults: u32) -> ControlFlow<Stop> {
        let after = before.after(choice.kind, &mut self.record);
        self.moves.push(Move { at: before.now(), kind: choice.kind, ends: None });
        match choice.end {
            Some(end) => self.last(after, end, faults)?,
            None => self.go_on(after, faults)?,
        }
        self.moves.pop();
        ControlFlow::Continue(())
    }

    /// Runs on while a fault lasts, and lets it end wherever that may make a difference.
    fn last(&mut self, start: State, end: FaultKind, faults: u32) -> ControlFlow<Stop> {
        if faults > 0 {
            self.go_on(start.clone(), faults)?;
        }
        let mut state = start;
        let mut first = true;
        while self.is_new(&state, faults, Some(end)) {
            if std::mem::take(&mut first) {
                self.count_run()?;
            }
            let goes_on = self.step(&mut state);
            if faults == 0 && self.goal.is_reached(&state.judges) {
                return ControlFlow::Break(Stop::Found(self.moves.clone()));
            }
            if !goes_on {
                break;
            }
            if is_heard(&self.record) {
                let at = state.now();
                let ended = state.after(end, &mut self.record);
                self.set_end(Some(at));
                self.go_on(ended, faults)?;
                self.set_end(None);
            }
        }
        ControlFlow::Continue(())
    }

    /// Runs to the end without another fault.
    fn run(&mut self, mut state: State) -> ControlFlow<Stop> {
        let mut first = true;
        while self.is_new(&state, 0, None) {
            if std::mem::take(&mut first) {
                self.count_run()?;
            }
            let goes_on = self.step(&mut state);
            if self.goal.is_reached(&state.judges) {
                return ControlFlow::Break(Stop::Found(self.moves.clone()));
            }
            if !goes_on {
                break;
            }
        }
        ControlFlow::Continue(())
    }

    fn step(&mut self, state: &mut State) -> bool {
        self.steps += 1;
        state.step(&mut self.record)
    }

    fn count_run(&mut self) -> ControlFlow<Stop> {
        if self.runs == self.limits.runs_max {
            return ControlFlow::Break(Stop::OutOfRuns);
        }
        self.runs += 1;
        ControlFlow::Continue(())
    }

    fn set_end(&mut self, ends: Option<StepIx>) {
        if let Some(last) = self.moves.last_mut() {
            last.ends = ends;
        }
    }

    /// Whether nothing was run on from such a state before with as many faults left and the same fault yet to end.
    fn is_new(&mut self, state: &State, faults: u32, end: Option<FaultKind>) -> bool {
        let mut key = Digest::new();
        (state.key(), faults, end).hash(&mut key);
        self.seen.insert(key.finish())
    }
}

/// Whether somebody noted something that a judge listens to.
fn is_heard(record: &Record) -> bool {
    record.effects.iter().any(|effect| match effect {
        Effect::Noted { what, .. } => matches!(
            what,
            Observation::Acquired { .. }
                | Observation::HoldClosed { .. }
                | Observation::Granted { .. }
                | Observation::TokenGiven { .. }
                | Observation::Ended { .. }
                | Observation::Contact { .. }
                | Observation::Applied { .. }
                | Observation::Rejected { .. }
        ),
        _ => false,
    })
}
