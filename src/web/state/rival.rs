//! The run beside the run: the same scenario but for one thing, with the same seed and the same acts of the visitor.

use std::rc::Rc;
use std::sync::Arc;

use serde_json::Value;

use super::App;
use super::action::Note;
use super::loading::load;
use crate::history::{History, Step};
use crate::scenario::ControlRange;
use crate::views::narration;
use crate::vocabulary::{Lang, Time};
use crate::web::run::{Place, Run};
use crate::web::scene::Scene;

/// In what the other run differs.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Against {
    /// It is the scenario as its file tells it.
    AsWritten,
    /// It is a variant.
    Variant(String),
    /// A control stands elsewhere: a pointer into the file and the value.
    Setting(String, Value),
}

/// The other run. Its cursor follows the first one's.
#[derive(Clone)]
pub(crate) struct Rival {
    /// In what it differs.
    pub(crate) against: Against,
    /// The other run.
    pub(crate) run: Rc<Run>,
    /// Its history, where the visitor is.
    pub(crate) cursor: Rc<History>,
    /// How many steps from the start are the same in both.
    pub(crate) same: u32,
    /// Its history, where the stage is.
    shown: Rc<History>,
    /// The run that it was made for.
    of: Rc<Run>,
}

impl Rival {
    /// When and where the two part: the first step that is not in both. `None` if all of the shorter run is.
    pub(crate) fn parting(&self) -> Option<u32> {
        (self.same < self.of.len && self.same < self.run.len).then_some(self.same)
    }

    /// How many steps of this run belong to so many of the first, at an instant: as many while they are the same, then as
    /// many as the time allows. The end of the first shows the end of the other.
    fn position(&self, first: u32, time: Time) -> u32 {
        if first == self.of.len {
            self.run.len
        } else if first <= self.same {
            first
        } else {
            self.cursor.position_at(time).max(self.same)
        }
    }

    fn follow(&mut self, cursor: &History, shown: &History, time: Time) {
        let seek = |history: &mut Rc<History>, position: u32| {
            if history.position() != position {
                let mut moved = (**history).clone();
                moved.seek(position);
                *history = Rc::new(moved);
            }
        };
        let at = self.position(cursor.position(), cursor.world().now());
        let on_stage = self.position(shown.position(), time);
        seek(&mut self.cursor, at);
        if at == on_stage {
            self.shown = Rc::clone(&self.cursor);
        } else {
            seek(&mut self.shown, on_stage);
        }
    }
}

impl App {
    /// What the run can be compared with, the likeliest wish first.
    pub(crate) fn rivals(&self) -> Vec<Against> {
        let run = &self.run;
        let own = run.place.variant.is_some() || !run.changes.is_empty();
        let mut all: Vec<Against> = own.then_some(Against::AsWritten).into_iter().collect();
        for control in &run.scenario.controls {
            let ControlRange::Switch(options) = &control.range else { continue };
            let others = options.iter().filter(|one| one.value != control.value);
            all.extend(others.map(|one| Against::Setting(control.path.clone(), one.value.clone())));
        }
        let variants = run.scenario.variants.iter().filter(|one| run.place.variant.as_ref() != Some(&one.id));
        all.extend(variants.map(|one| Against::Variant(one.id.clone())));
        all
    }

    /// What the drawings of the other run show.
    pub(crate) fn scene_of(&self, rival: &Rival) -> Scene {
        Scene {
            history: Rc::clone(&rival.shown),
            judged: Rc::clone(&rival.run.judged),
            tracks: Rc::clone(&rival.run.tracks),
            position: rival.shown.position(),
            ..self.scene()
        }
    }

    /// Puts another run beside this one.
    pub(super) fn compare(&mut self, against: Against) {
        match self.run_against(against) {
            Ok(rival) => self.rival = Some(rival),
            Err(why) => self.note = Some(Note::Failed(why)),
        }
    }

    /// Begins a comparison with the likeliest wish, or ends it.
    pub(super) fn toggle_compare(&mut self) {
        self.tools = false;
        self.menu = None;
        if self.rival.take().is_none()
            && let Some(against) = self.rivals().into_iter().next()
        {
            self.compare(against);
        }
    }

    /// Keeps the other run beside this one: made anew when this one changed, and at the same instant.
    pub(super) fn follow(&mut self) {
        let Some(rival) = self.rival.take() else { return };
        let current = if Rc::ptr_eq(&rival.of, &self.run) {
            Some(rival)
        } else {
            let all = self.rivals();
            let against = if all.contains(&rival.against) { Some(rival.against) } else { all.into_iter().next() };
            against.and_then(|against| self.run_against(against).ok())
        };
        self.rival = current.map(|mut rival| {
            rival.follow(&self.cursor, &self.shown, self.time);
            rival
        });
    }

    fn run_against(&self, against: Against) -> Result<Rival, String> {
        let place = &self.run.place;
        let (variant, changes) = match &against {
            Against::AsWritten => (None, Vec::new()),
            Against::Variant(id) => (Some(id.clone()), Vec::new()),
            Against::Setting(path, value) => (place.variant.clone(), self.with_control(path, value)),
        };
        let place = Place { id: place.id.clone(), variant };
        let scenario = load(&self.document, &place, &changes)?;
        let mut history = History::new(Arc::new(scenario));
        self.keep_actions(&mut history);
        let same = same_steps(&self.cursor, &history);
        let run = Rc::new(Run::new(place, changes, &history));
        let cursor = Rc::new(history);
        Ok(Rival { against, run, shown: Rc::clone(&cursor), cursor, same, of: Rc::clone(&self.run) })
    }
}

/// How many steps from the start on are told in the same words in both. Settings that nobody would notice do not count.
fn same_steps(one: &History, other: &History) -> u32 {
    let said = |history: &History, step: &Step| {
        narration::sentence(&history.scenario().setup, &step.record, &step.world, Lang::En)
    };
    let pairs = one.steps().zip(other.steps());
    let same = pairs
        .take_while(|(a, b)| a.record == b.record || (a.record.at == b.record.at && said(one, a) == said(other, b)));
    same.count() as u32
}
