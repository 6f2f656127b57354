//! From what is written to what it means: every check that a scenario has to pass.
//!
//! The checks go on after a problem wherever they can, so that an author learns of many at once. A name that cannot be
//! resolved stands for the first of its kind meanwhile; nothing built that way leaves this module.

mod driver;
mod ensemble;
mod failover;
mod fault;
mod program;
mod setup;
mod story;

use std::sync::Arc;

use serde_json::Value;

use super::error::{Problem, Reason};
use super::file::{ScenarioFile, VariantEntry};
use super::{Scenario, Setup, VariantTitle};
use crate::vocabulary::{FaultIx, MachineId, NodeId, Text};

/// The format that is read.
pub(super) const FORMAT: u32 = 1;

const TITLE_CHARS_MAX: usize = 80;
const SUMMARY_CHARS_MAX: usize = 400;
const VARIANTS_MAX: usize = 16;

/// Which run of a file is asked for.
pub(super) struct Run<'a> {
    /// A variant by its name, or the scenario as it stands.
    pub variant: Option<(&'a str, &'a VariantEntry)>,
    /// Whether anything else was changed.
    pub changed: bool,
    /// What the file was read from, with all changes.
    pub document: &'a Value,
}

/// Validates a file.
pub(super) fn check(file: &ScenarioFile, run: &Run<'_>) -> Result<Scenario, Vec<Problem>> {
    let variant = run.variant;
    let mut checks = Checks::default();
    if file.format.0 != i64::from(FORMAT) {
        checks.add("/format", Reason::Format { found: file.format.0, known: FORMAT });
    }
    checks.text("/title", &file.title, TITLE_CHARS_MAX);
    checks.text("/summary", &file.summary, SUMMARY_CHARS_MAX);
    checks.count("/variants", "variants", file.variants.0.len(), VARIANTS_MAX);
    for (name, entry) in &file.variants.0 {
        checks.text(&format!("/variants/{name}/title"), &entry.title, TITLE_CHARS_MAX);
        if let Some(summary) = &entry.summary {
            checks.text(&format!("/variants/{name}/summary"), summary, SUMMARY_CHARS_MAX);
        }
    }
    let setup = checks.setup(file);
    // Matchers are resolved against the processes and programs: without them nothing more can be said.
    let Some(setup) = setup.filter(|_| checks.problems.is_empty()) else { return Err(checks.problems) };

    let faults = checks.faults(&setup, file);
    let story = checks.story(&setup, file, run);
    let controls = checks.controls(file, run);
    let (expect, expect_path) = match variant {
        None => (&file.expect, "/expect".to_owned()),
        Some((name, entry)) => (&entry.expect, format!("/variants/{name}/expect")),
    };
    let expect = checks.expect(&expect_path, expect, file);
    if !checks.problems.is_empty() {
        return Err(checks.problems);
    }
    Ok(Scenario {
        id: file.id.0.clone(),
        variant: variant.map(|(name, _)| name.to_owned()),
        changed: run.changed,
        title: file.title.clone(),
        summary: variant.and_then(|(_, entry)| entry.summary.as_ref()).unwrap_or(&file.summary).clone(),
        source: file.source.map(|word| word.0),
        family: file.family.map(|word| word.0).unwrap_or_default(),
        setup: Arc::new(setup),
        faults,
        story,
        controls,
        expect,
        variants: variant_titles(file),
    })
}

fn variant_titles(file: &ScenarioFile) -> Vec<VariantTitle> {
    let title = |(name, entry): &(String, VariantEntry)| VariantTitle { id: name.clone(), title: entry.title.clone() };
    file.variants.0.iter().map(title).collect()
}

/// The problems so far.
#[derive(Default)]
struct Checks {
    problems: Vec<Problem>,
}

impl Checks {
    fn add(&mut self, path: impl Into<String>, reason: Reason) {
        self.problems.push(Problem::new(path, reason));
    }

    fn conflict(&mut self, path: impl Into<String>, reason: &'static str) {
        self.add(path, Reason::Conflict(reason));
    }

    /// Both languages are there, and neither is too long.
    fn text(&mut self, path: &str, text: &Text, max: usize) {
        for (lang, text) in [("en", &text.en), ("ko", &text.ko)] {
            let chars = text.chars().count();
            if text.trim().is_empty() {
                self.conflict(format!("{path}/{lang}"), "this text is empty");
            } else if chars > max {
                self.add(format!("{path}/{lang}"), Reason::TooLong { chars, max });
            }
        }
    }

    fn count(&mut self, path: &str, what: &'static str, count: usize, max: usize) {
        if count > max {
            self.add(path, Reason::TooMany { what, count, max });
        }
    }

    /// The place of a name among others; the first place if it is not there.
    fn find<'a>(
        &mut self,
        path: &str,
        what: &'static str,
        name: &str,
        all: impl Iterator<Item = &'a str> + Clone,
    ) -> usize {
        self.look_up(path, what, name, all).unwrap_or(0)
    }

    /// The place of a name among others.
    fn look_up<'a>(
        &mut self,
        path: &str,
        what: &'static str,
        name: &str,
        all: impl Iterator<Item = &'a str> + Clone,
    ) -> Option<usize> {
        let place = all.clone().position(|one| one == name);
        if place.is_none() {
            let known = all.map(str::to_owned).collect();
            self.add(path, Reason::Unknown { what, name: name.to_owned(), known });
        }
        place
    }

    fn node(&mut self, setup: &Setup, path: &str, name: &str) -> NodeId {
        let names = setup.nodes.iter().map(|node| node.name.as_str());
        NodeId(self.find(path, "process", name, names) as u16)
    }

    fn machine(&mut self, setup: &Setup, path: &str, name: &str) -> MachineId {
        let names = setup.machines.iter().map(|machine| machine.name.as_str());
        MachineId(self.find(path, "machine", name, names) as u16)
    }

    fn fault_ix(&mut self, path: &str, ix: i64, count: usize) -> FaultIx {
        if ix as usize >= count {
            self.conflict(path, "the list of faults is not that long");
        }
        FaultIx(ix as u16)
    }
}
