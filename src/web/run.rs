//! One run as the page shows it: everything that stays the same while the cursor moves.

use std::rc::Rc;
use std::sync::Arc;

use serde_json::Value;

use super::diagram::tracks::Tracks;
use super::pace::Pace;
use crate::history::History;
use crate::scenario::{Paragraph, Scenario};
use crate::verdicts::{Instance, Judged};
use crate::vocabulary::{FaultIx, JudgeName, StepIx};

/// Which scenario, and which of its variants.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Place {
    /// The scenario's id.
    pub(crate) id: String,
    /// The variant's id.
    pub(crate) variant: Option<String>,
}

/// One branch of one run, with what is derived from the whole of it. Compared by address: a new branch is a new run.
pub(crate) struct Run {
    /// What was asked for.
    pub(crate) place: Place,
    /// The controls that were moved, as pointers into the file with their values.
    pub(crate) changes: Vec<(String, Value)>,
    /// What ran.
    pub(crate) scenario: Arc<Scenario>,
    /// The verdicts on this branch.
    pub(crate) judged: Rc<Judged>,
    /// The branch as the drawings read it.
    pub(crate) tracks: Rc<Tracks>,
    /// How fast it plays.
    pub(crate) pace: Pace,
    /// For each paragraph of the story, the position right after the step that it explains.
    pub(crate) story: Vec<Option<u32>>,
    /// The positions right after a violation became known, in order.
    pub(crate) violations: Vec<u32>,
    /// How many faults of the list never fired, though the run is over by then.
    pub(crate) unfired: usize,
    /// How many steps there are.
    pub(crate) len: u32,
}

impl PartialEq for Run {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self, other)
    }
}

impl Eq for Run {}

/// The scenario of a first visit: the problem that the others answer. `Trunk.toml` tells it to the script that loads the page.
pub(crate) const FIRST: &str = "gc-pause-write";

impl Place {
    /// Reads `id` or `id:variant`; nothing at all means the first scenario.
    pub(crate) fn parse(text: &str) -> Self {
        match text.split_once(':') {
            None if text.is_empty() => Self { id: FIRST.into(), variant: None },
            Some((id, variant)) => Self { id: id.into(), variant: Some(variant.into()) },
            None => Self { id: text.into(), variant: None },
        }
    }

    /// The text that [`parse`](Self::parse) reads.
    pub(crate) fn text(&self) -> String {
        match &self.variant {
            Some(variant) => [self.id.as_str(), ":", variant].concat(),
            None => self.id.clone(),
        }
    }
}

impl Run {
    /// Derives all that a branch needs.
    pub(crate) fn new(place: Place, changes: Vec<(String, Value)>, history: &History) -> Self {
        let judged = Rc::new(Judged::new(history));
        let after = |step: StepIx| step.0 + 1;
        let story: Vec<_> = history.story_steps().into_iter().map(|step| step.map(after)).collect();
        let film = Pace::new(history.steps().map(|step| &step.record), |position| story.contains(&Some(position)));
        let violations = violations(&judged);
        let scenario = Arc::clone(history.scenario());
        let tracks = Rc::new(Tracks::new(&scenario.setup, history.steps().map(|step| &step.record)));
        let over = history.world_at(history.len());
        let fired = |ix: usize| over.fault_state(FaultIx(ix as u16)).fired.is_some();
        let unfired = (0..over.faults().len()).filter(|ix| !fired(*ix)).count();
        Self { unfired, place, changes, scenario, judged, tracks, pace: film, story, violations, len: history.len() }
    }

    /// The paragraph that goes with a position: the one told last; at the end, a closing remark.
    pub(crate) fn paragraph_at(&self, position: u32) -> Option<usize> {
        let told = |at: &Option<u32>| at.is_some_and(|at| at <= position);
        let last = (0..self.story.len()).filter(|ix| told(&self.story[*ix])).max_by_key(|ix| (self.story[*ix], *ix));
        let closing = self.story.len().checked_sub(1).filter(|ix| self.story[*ix].is_none() && position == self.len);
        closing.or(last)
    }

    /// The paragraphs.
    pub(crate) fn paragraphs(&self) -> &[Paragraph] {
        &self.scenario.story
    }

    /// The violation that became known with the step that leads to a position, and whose promise it broke.
    pub(crate) fn violation_at(&self, position: u32) -> Option<(JudgeName, &Instance)> {
        self.judged.final_verdicts().iter().find_map(|(judge, verdict)| {
            let known = verdict.instances().iter().find(|instance| instance.known.0 + 1 == position);
            known.map(|instance| (*judge, instance))
        })
    }

    /// Whether the visitor changed anything: a control, or the past.
    pub(crate) fn is_own(&self, history: &History) -> bool {
        !self.changes.is_empty() || history.world().faults().len() > self.scenario.faults.len()
    }

    /// Whether the finished run is violated just where the scenario says.
    pub(crate) fn as_expected(&self) -> bool {
        let expected = |judge: JudgeName| self.scenario.expect.violated.iter().any(|one| one.judge == judge);
        self.judged.final_verdicts().iter().all(|(judge, verdict)| verdict.is_violated() == expected(*judge))
    }
}

/// Of a few judges, each of which knows its violations in order.
fn violations(judged: &Judged) -> Vec<u32> {
    let mut positions: Vec<u32> = Vec::new();
    for instance in judged.final_verdicts().iter().flat_map(|(_, verdict)| verdict.instances()) {
        let position = instance.known.0 + 1;
        let place = positions.partition_point(|one| *one < position);
        if positions.get(place) != Some(&position) {
            positions.insert(place, position);
        }
    }
    positions
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_scenario_is_the_one_that_the_page_is_built_with() {
        let trunk = include_str!("../../Trunk.toml");
        assert!(trunk.contains(&format!("data-first=\"{FIRST}\"")));
    }
}
