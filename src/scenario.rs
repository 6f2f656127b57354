//! A scenario after validation: everything a run needs, and nothing that could still be wrong.
//!
//! The file people write is another type (`file`); [`Scenario`] can only be had by passing its checks.

mod check;
mod document;
mod error;
mod file;
mod index;
mod load;
mod read;
mod setup;

use std::sync::Arc;

pub use document::{BYTES_MAX, Change};
pub use error::{Found, LoadError, ParseError, Problem, Reason, Warning};
pub use index::{Entry, read_index};
pub use load::{Document, builtin, parse, parse_bytes};
#[cfg(feature = "catalogue")]
pub use load::{builtin_text, load, with_changes};
pub use setup::{Client, Ensemble, Failover, Machine, Network, Node, Resource, Role, Service, Setup};

use crate::vocabulary::{CostEntry, Fault, JudgeName, Matcher, Span, Text};

/// A validated scenario.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Scenario {
    /// Kebab-case, stable: links depend on it.
    pub id: String,
    /// The variant's name, if this is one.
    pub variant: Option<String>,
    /// Whether something was changed that neither the file nor its variant says: then `expect` no longer binds.
    pub changed: bool,
    /// What people read.
    pub title: Text,
    /// One or two sentences about what to look for.
    pub summary: Text,
    /// Who makes the claim that it shows.
    pub source: Option<Source>,
    /// Its group in the chooser.
    pub family: Family,
    /// What the simulation runs.
    pub setup: Arc<Setup>,
    /// What the adversary does, in list order.
    pub faults: Vec<Fault>,
    /// The paragraphs that go with the run, in order.
    pub story: Vec<Paragraph>,
    /// The parameters that the page offers.
    pub controls: Vec<Control>,
    /// What the judges must say in the end.
    pub expect: Expect,
    /// The names and titles of its variants.
    pub variants: Vec<VariantTitle>,
}

/// A paragraph of the story, bound to the step it explains.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Paragraph {
    /// The step: the first occurrence of this. `None` for a closing remark without a step.
    pub on: Option<Matcher>,
    /// Which occurrence, from 1.
    pub nth: u32,
    /// A few words.
    pub title: Text,
    /// A few sentences.
    pub text: Text,
}

/// A parameter that the page offers.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Control {
    /// Where it stands in the file, as a JSON pointer.
    pub path: String,
    /// What it is called.
    pub label: Text,
    /// What it is in this scenario.
    pub value: serde_json::Value,
    /// What it can be.
    pub range: ControlRange,
    /// A value of a slider at which something changes, and what: "lease ends".
    pub mark: Option<(i64, Text)>,
}

/// What a control can be set to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ControlRange {
    /// A slider over whole numbers.
    Slider {
        /// The least value.
        min: i64,
        /// The greatest value.
        max: i64,
        /// The distance between values.
        step: i64,
    },
    /// A switch.
    Switch(Vec<SwitchPosition>),
}

/// A position of a switch.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SwitchPosition {
    /// The value at the control's place.
    pub value: serde_json::Value,
    /// What it is called.
    pub label: Text,
    /// What else changes with it.
    pub set: Vec<Change>,
}

impl Control {
    /// The changes that put this control to a value. Before them, [those of any other position](Self::touches) must go.
    pub fn changes(&self, value: &serde_json::Value) -> Vec<Change> {
        let mut changes = vec![(self.path.clone(), value.clone())];
        if let ControlRange::Switch(positions) = &self.range {
            changes.extend(positions.iter().filter(|one| one.value == *value).flat_map(|one| one.set.clone()));
        }
        changes
    }

    /// Whether this control changes what stands at a pointer.
    pub fn touches(&self, pointer: &str) -> bool {
        let sets = |one: &SwitchPosition| one.set.iter().any(|change| change.0 == pointer);
        let also = matches!(&self.range, ControlRange::Switch(positions) if positions.iter().any(sets));
        self.path == pointer || also
    }
}

/// Whose claim a scenario shows.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Source {
    /// The article "How to do distributed locking" (2016) and its discussion.
    HowTo,
    /// An introduction to distributed lock systems: operating-system locks, Chubby, `ZooKeeper`, Redis, ticketing.
    Introduction,
}

/// The groups of the chooser.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum Family {
    /// Redis, one node and replicated.
    #[default]
    Redis,
    /// Redlock.
    Redlock,
    /// `ZooKeeper`.
    ZooKeeper,
    /// Chubby.
    Chubby,
    /// Databases and other answers.
    Database,
    /// System models.
    Model,
}

/// What the judges must say when the run is over. A judge that is not listed must hold.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Expect {
    /// The judges that must be violated, and how.
    pub violated: Vec<Expected>,
    /// What the run must cost.
    pub cost: Vec<ExpectedCost>,
    /// Over so many seeds, from the scenario's own: a judge that is not listed must hold in every one of these runs, and
    /// one that is listed must be violated in every one, or in some.
    pub seeds: Option<u32>,
}

/// One expected violation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Expected {
    /// Which judge.
    pub judge: JudgeName,
    /// How many instances, if that matters.
    pub instances: Option<u32>,
    /// Which kind at least one instance must have (`leak`, `before`, …), if that matters.
    pub kind: Option<String>,
    /// How long the longest instance must at least last, if that matters.
    pub lasts_min: Option<Span>,
    /// Over seeds: whether some of the runs are enough.
    pub some: bool,
}

/// A bound on a line of the cost sheet.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ExpectedCost {
    /// Which line.
    pub entry: CostEntry,
    /// The least value, in the line's own unit (times in milliseconds), or in percent of another run's value.
    pub min: Option<u64>,
    /// The greatest.
    pub max: Option<u64>,
    /// The variant with which it is compared, or `base`: then the bounds are in percent of what that run costs.
    pub than: Option<String>,
    /// That run; `None` in a run that was changed, whose expectations bind nobody.
    pub against: Option<Arc<Scenario>>,
}

impl ExpectedCost {
    /// How the scenario's own run is called where variants are compared.
    pub const BASE: &'static str = "base";
}

/// A variant as the chooser lists it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct VariantTitle {
    /// Kebab-case; `scenario:variant` names the run.
    pub id: String,
    /// What people read.
    pub title: Text,
}

/// The published JSON Schema of scenario files.
#[cfg(not(target_arch = "wasm32"))]
pub fn schema() -> serde_json::Value {
    file::schema()
}
