//! Files that come when they are needed: scenarios, and the chooser's index.
//!
//! The state says what is wanted; `effects` asks for it and tells what came. Only what is still wanted then counts.

use std::rc::Rc;
use std::sync::Arc;

use serde_json::Value;

use super::App;
use super::action::Note;
use crate::history::History;
use crate::scenario::{self, Document, Entry, LoadError, Scenario};
use crate::vocabulary::Lang;
use crate::web::run::Place;

/// The name of the index among the files. The id of a scenario holds no dot.
const INDEX: &str = "chooser.index";

/// What the chooser lists.
#[derive(Clone, Default)]
pub(crate) enum Index {
    /// Nobody has opened the chooser yet.
    #[default]
    Unasked,
    /// It is on its way.
    Coming,
    /// It could not be had.
    Missing,
    /// Every scenario, in order.
    Here(Rc<[Entry]>),
}

impl Index {
    /// Whether it is here.
    pub(crate) const fn is_here(&self) -> bool {
        matches!(self, Self::Here(_))
    }

    /// What a scenario is called: its id, as long as nothing better is known.
    pub(crate) fn title<'a>(&'a self, id: &'a str, lang: Lang) -> &'a str {
        let Self::Here(entries) = self else { return id };
        entries.iter().find(|entry| entry.id == id).map_or(id, |entry| entry.title.get(lang))
    }
}

impl App {
    /// The scenario whose file is wanted now.
    pub(crate) fn wanted_scenario(&self) -> Option<&str> {
        self.opening.as_ref().map(|place| place.id.as_str())
    }

    /// The name of the index, if it is wanted now.
    pub(crate) fn wanted_index(&self) -> Option<&'static str> {
        matches!(self.index, Index::Coming).then_some(INDEX)
    }

    /// Opens another scenario, as soon as its file is here; if it cannot be opened, only says so.
    pub(super) fn open(&mut self, place: Place) {
        // Whatever was on its way is no longer wanted.
        self.opening = None;
        self.note = None;
        if place.id == self.document.id() {
            self.show(place);
        } else if scenario::builtin().contains(&place.id.as_str()) {
            self.opening = Some(place);
        } else {
            self.note = Some(Note::Failed(LoadError::UnknownScenario { id: place.id }.to_string()));
        }
    }

    /// Shows the scenario of the file that is here, or a variant of it.
    fn show(&mut self, place: Place) {
        if place == self.run.place && self.run.changes.is_empty() {
            return;
        }
        match load(&self.document, &place, &[]) {
            Ok(scenario) => self.replace(place, Vec::new(), scenario),
            Err(why) => self.note = Some(Note::Failed(why)),
        }
    }

    /// Asks for the index, unless it is here.
    pub(super) fn want_index(&mut self) {
        if !self.index.is_here() {
            self.index = Index::Coming;
        }
    }

    /// Takes a file that came, if it is still wanted. Without a text it could not be had.
    pub(super) fn arrived(&mut self, name: &str, text: Option<&str>) {
        if self.wanted_index() == Some(name) {
            let entries = text.and_then(|text| scenario::read_index(text).ok());
            self.index = entries.map_or(Index::Missing, |entries| Index::Here(entries.into()));
        }
        let Some(place) = self.opening.take_if(|place| place.id == name) else { return };
        let Some(text) = text else { return self.note = Some(Note::Missing(place)) };
        match Document::read(text).map_err(LoadError::from) {
            Ok(document) => self.begin(document, place),
            Err(why) => self.note = Some(Note::Failed(why.to_string())),
        }
    }

    /// Shows a scenario from a file of its own.
    fn begin(&mut self, document: Document, place: Place) {
        match load(&document, &place, &[]) {
            Ok(scenario) => {
                self.replace(place, Vec::new(), scenario);
                self.document = Rc::new(document);
                self.log = Rc::default();
                self.selection = None;
                self.seek(0);
            }
            Err(why) => self.note = Some(Note::Failed(why)),
        }
    }
}

/// The scenario of a place in its file.
pub(super) fn load(document: &Document, place: &Place, changes: &[(String, Value)]) -> Result<Scenario, String> {
    let scenario = document.scenario(place.variant.as_deref(), changes);
    scenario.map(|(scenario, _)| scenario).map_err(|why| why.to_string())
}

/// The first run of a page: that of the place, if the file has it, else that of the file as it is, and why.
pub(super) fn first(document: &Document, asked: &Place) -> (Place, History, Option<Note>) {
    let plain = Place { id: document.id().to_owned(), variant: None };
    let (place, note) = match load(document, asked, &[]) {
        _ if asked.id != plain.id => (plain, None),
        Ok(_) => (asked.clone(), None),
        Err(why) => (plain, Some(Note::Failed(why))),
    };
    let scenario = load(document, &place, &[]).expect("the page comes with scenarios that were tested");
    (place, History::new(Arc::new(scenario)), note)
}
