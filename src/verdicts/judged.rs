//! The verdict on a whole branch of a history, for any place of the cursor.

use crate::history::History;
use crate::scenario::{Expect, Scenario};
use crate::verdicts::{CostSheet, Judges, Mismatch, Overlap, Verdict, verify, verify_cost, verify_seeds};
use crate::vocabulary::{JudgeName, StepIx, Time};

/// The monitors are kept after every so many steps.
const STRIDE: u32 = 64;

/// What the judges say of one branch: built once, in one pass over its steps, then asked for any cursor.
///
/// The answer for a cursor costs a clone of the monitors as they were at most 63 steps before it, and observing those steps.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Judged {
    /// The n-th has observed `n * STRIDE` steps.
    marks: Vec<Judges>,
    last: Judges,
    end: Time,
    verdicts: Vec<(JudgeName, Verdict)>,
    overlaps: Vec<Overlap>,
}

impl Judged {
    /// Judges the current branch.
    pub fn new(history: &History) -> Self {
        Self::by(Judges::new(&history.scenario().setup), history)
    }

    /// Judges the current branch by judges that have observed nothing yet.
    pub fn by(mut judges: Judges, history: &History) -> Self {
        let mut marks = vec![judges.clone()];
        for step in history.steps() {
            judges.observe(&step.record);
            if (step.record.ix.0 + 1).is_multiple_of(STRIDE) {
                marks.push(judges.clone());
            }
        }
        // Time passes to the horizon even if nothing happens any more: who waits then has waited that long.
        let end = Time::ZERO + history.scenario().setup.horizon;
        judges.finish(end);
        let (verdicts, overlaps) = (judges.verdicts(end), judges.overlaps().collect());
        Self { marks, last: judges, end, verdicts, overlaps }
    }

    /// What every judge says after so many steps of the branch that this was built from; after all of them, what it says
    /// at the horizon.
    pub fn at(&self, history: &History, position: u32) -> Vec<(JudgeName, Verdict)> {
        if position >= history.len() {
            return self.verdicts.clone();
        }
        self.judges_at(history, position).verdicts(history.world_at(position).now())
    }

    /// What the run cost after so many steps.
    pub fn cost_at(&self, history: &History, position: u32) -> CostSheet {
        *self.judges_at(history, position).cost()
    }

    /// What every judge says at the horizon.
    pub fn final_verdicts(&self) -> &[(JudgeName, Verdict)] {
        &self.verdicts
    }

    /// Every time that two clients believed in one lock at once, in the whole branch.
    pub fn overlaps(&self) -> &[Overlap] {
        &self.overlaps
    }

    /// What the whole branch cost.
    pub const fn final_cost(&self) -> &CostSheet {
        self.last.cost()
    }

    /// Compares the final verdicts and the cost with what is expected of one run. What is expected over seeds says nothing
    /// about the verdicts of one.
    pub fn verify(&self, expect: &Expect) -> Vec<Mismatch> {
        let mut mismatches = if expect.seeds.is_some() { Vec::new() } else { verify(expect, &self.verdicts, self.end) };
        mismatches.extend(verify_cost(expect, self.final_cost()));
        mismatches
    }

    /// The same, with the runs over other seeds where the expectation is about them.
    pub fn verify_all(&self, scenario: &Scenario) -> Vec<Mismatch> {
        let mut mismatches = self.verify(&scenario.expect);
        mismatches.extend(verify_seeds(scenario));
        mismatches
    }

    fn judges_at(&self, history: &History, position: u32) -> Judges {
        if position >= history.len() {
            return self.last.clone();
        }
        let mark = position / STRIDE;
        let mut judges = self.marks[mark as usize].clone();
        for ix in mark * STRIDE..position {
            judges.observe(&history.step(StepIx(ix)).record);
        }
        judges
    }
}
