//! Changing the run: other scenarios, other values of controls, acts of the adversary, and the way back.

use std::rc::Rc;
use std::sync::Arc;

use serde_json::Value;

use super::App;
use super::action::Note;
use super::loading::load;
use crate::history::History;
use crate::scenario::Scenario;
use crate::vocabulary::Fault;
use crate::web::run::{Place, Run};

/// The changes made so far, and those taken back.
#[derive(Clone, Default)]
pub(super) struct Log {
    pub(super) done: Vec<Change>,
    pub(super) undone: Vec<Change>,
}

#[derive(Clone)]
pub(super) enum Change {
    /// The history has it.
    Act,
    /// Another run took this one's place.
    Edit { run: Rc<Run>, cursor: Rc<History> },
}

impl App {
    /// Runs the scenario with other values of its controls.
    pub(super) fn edit(&mut self, changes: Vec<(String, Value)>) {
        let place = self.run.place.clone();
        match load(&self.document, &place, &changes) {
            Ok(scenario) => self.replace(place, changes, scenario),
            Err(why) => self.note = Some(Note::Failed(why)),
        }
    }

    /// The changes of the run, with a control put to a value.
    pub(super) fn with_control(&self, path: &str, value: &Value) -> Vec<(String, Value)> {
        let control = self.run.scenario.controls.iter().find(|one| one.path == path);
        let touched = |pointer: &str| pointer == path || control.is_some_and(|control| control.touches(pointer));
        let others = self.run.changes.iter().filter(|change| !touched(&change.0)).cloned();
        let own = control.map_or_else(|| vec![(path.to_owned(), value.clone())], |control| control.changes(value));
        others.chain(own).collect()
    }

    /// Puts a new run in the place of this one, at the same instant of time.
    pub(super) fn replace(&mut self, place: Place, changes: Vec<(String, Value)>, scenario: Scenario) {
        self.log_change(Change::Edit { run: Rc::clone(&self.run), cursor: Rc::clone(&self.cursor) });
        let (at_start, time) = (self.position() == 0, self.time);
        let mut history = History::new(Arc::new(scenario));
        if place.id == self.run.place.id {
            self.keep_actions(&mut history);
        }
        let position = if at_start { 0 } else { history.position_at(time) };
        self.run = Rc::new(Run::new(place, changes, &history));
        self.cursor = Rc::new(history);
        self.menu = None;
        self.note = None;
        self.seek(position);
    }

    /// Plans the visitor's actions again in a changed run, by the words that survive the change. What was done to one
    /// packet is not kept: it may be another one now.
    pub(super) fn keep_actions(&self, history: &mut History) {
        for fault in &self.cursor.faults()[self.run.scenario.faults.len()..] {
            if let (Some(on), None) = (fault.twin, fault.kind.packet()) {
                history.schedule(Fault { on, twin: None, ..*fault });
            }
        }
    }

    /// Lets the history change itself at the cursor.
    pub(super) fn change_history(&mut self, change: impl FnOnce(&mut History)) {
        let forks = self.position() < self.run.len;
        self.log_change(Change::Act);
        let mut history = (*self.cursor).clone();
        change(&mut history);
        self.adopt(history);
        self.note = forks.then_some(Note::Forked);
    }

    /// Takes a history whose branch is another one now.
    pub(super) fn adopt(&mut self, history: History) {
        let position = history.position();
        self.run = Rc::new(Run::new(self.run.place.clone(), self.run.changes.clone(), &history));
        self.cursor = Rc::new(history);
        self.menu = None;
        self.note = None;
        self.seek(position);
    }

    pub(super) fn log_change(&mut self, change: Change) {
        let log = Rc::make_mut(&mut self.log);
        log.done.push(change);
        log.undone.clear();
    }

    pub(super) fn undo(&mut self) {
        let Some(change) = Rc::make_mut(&mut self.log).done.pop() else { return };
        let back = self.swap(change, History::undo);
        Rc::make_mut(&mut self.log).undone.push(back);
    }

    pub(super) fn redo(&mut self) {
        let Some(change) = Rc::make_mut(&mut self.log).undone.pop() else { return };
        let back = self.swap(change, History::redo);
        Rc::make_mut(&mut self.log).done.push(back);
    }

    /// Goes to the other side of a change, and returns the way back.
    pub(super) fn swap(&mut self, change: Change, turn: impl FnOnce(&mut History) -> bool) -> Change {
        match change {
            Change::Act => {
                let mut history = (*self.cursor).clone();
                turn(&mut history);
                self.adopt(history);
                Change::Act
            }
            Change::Edit { run, cursor } => {
                let back = Change::Edit { run: Rc::clone(&self.run), cursor: Rc::clone(&self.cursor) };
                let position = cursor.position();
                self.run = run;
                self.cursor = cursor;
                self.menu = None;
                self.note = None;
                self.seek(position);
                back
            }
        }
    }
}
