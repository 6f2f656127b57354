//! Story, controls, expectations and variants as the file spells them.

use serde_json::Value;

use super::fault::Match;
use super::scalar::{Day, Name, Whole};
use super::words::Word;
use crate::scenario::document::Change;
use crate::scenario::error::Reason;
use crate::scenario::read::{FromJson, Reader, object};
use crate::vocabulary::{Contact, CostEntry, JudgeName, ProgressKind, Text};

object! {
    /// A paragraph of the story.
    pub(crate) struct ParagraphEntry {
        /// The step that it explains, or null for a closing remark. Default: null.
        pub on: Option<Match> = None,
        /// Which occurrence of `on`, from 1. Default: 1.
        pub nth: Option<Whole<1, 100_000>> = None,
        /// A few words.
        pub title: Text,
        /// One to three sentences.
        pub text: Text,
    }

    /// A parameter that the page offers: a `slider` or a `switch`.
    pub(crate) struct ControlEntry {
        /// Where the value stands in this file: a JSON pointer.
        pub path: String,
        /// What it is called.
        pub label: Text,
        /// A slider over whole numbers.
        pub slider: Option<SliderEntry> = None,
        /// A switch between values.
        pub switch: Option<Vec<ChoiceEntry>> = None,
    }

    /// A slider over whole numbers.
    pub(crate) struct SliderEntry {
        /// The least value.
        pub min: Whole<-1_000_000_000, 1_000_000_000>,
        /// The greatest value.
        pub max: Whole<-1_000_000_000, 1_000_000_000>,
        /// The distance between values. Default: 1.
        pub step: Whole<1, 1_000_000_000> = Whole(1),
        /// A value at which something changes, and what.
        pub mark: Option<MarkEntry> = None,
    }

    /// A value of a slider at which something changes.
    pub(crate) struct MarkEntry {
        /// Where.
        pub at: Whole<-1_000_000_000, 1_000_000_000>,
        /// What changes there.
        pub label: Text,
    }

    /// One position of a switch.
    pub(crate) struct ChoiceEntry {
        /// The value to put at the path.
        pub value: Value,
        /// What it is called.
        pub label: Text,
        /// What else changes with it, by JSON pointer.
        pub set: Changes = Changes::default(),
    }
}

/// What the judges must say in the end: judges by name. One that is not listed must hold. Beside them stand `cost` and
/// `seeds`.
#[derive(Default)]
pub(crate) struct ExpectTable {
    pub judges: Vec<(JudgeName, Expectation)>,
    pub cost: Vec<(CostEntry, CostBound)>,
    pub seeds: Option<Seeds>,
}

/// How many seeds an expectation is about.
pub(crate) type Seeds = Whole<2, 10_000>;

/// A judge that does not exist is an error here: a misspelled one would be expected to hold.
impl FromJson for ExpectTable {
    fn from_json(value: &Value, reader: &mut Reader) -> Self {
        let mut table = Self::default();
        for (name, entry) in reader.map(value).into_iter().flatten() {
            match (JudgeName::from_name(name), name.as_str()) {
                (Some(judge), _) => table.judges.push((judge, reader.part(name, entry))),
                (None, "cost") => table.cost = reader.part::<CostTable>(name, entry).0,
                (None, "seeds") => table.seeds = Some(reader.part(name, entry)),
                _ => {
                    let known = JudgeName::ALL.iter().map(|judge| judge.name());
                    let known = known.chain(["cost", "seeds"]).map(str::to_owned).collect();
                    reader.problem(Reason::Unknown { what: "judge", name: name.clone(), known });
                }
            }
        }
        table
    }
}

/// What the run must cost: lines of the cost sheet by name.
struct CostTable(Vec<(CostEntry, CostBound)>);

impl FromJson for CostTable {
    fn from_json(value: &Value, reader: &mut Reader) -> Self {
        let mut table = Vec::new();
        for (name, bound) in reader.map(value).into_iter().flatten() {
            if let Some(entry) = CostEntry::from_name(name) {
                table.push((entry, reader.part(name, bound)));
            } else {
                let known = CostEntry::ALL.iter().map(|entry| entry.name().to_owned()).collect();
                reader.problem(Reason::Unknown { what: "line of the cost sheet", name: name.clone(), known });
            }
        }
        Self(table)
    }
}

object! {
    /// Bounds of a line of the cost sheet: values of its own, or percents of another run's.
    pub(crate) struct CostBound {
        /// The least value.
        pub min: Option<Whole<0, 1_000_000_000>> = None,
        /// The greatest value.
        pub max: Option<Whole<0, 1_000_000_000>> = None,
        /// The run with which it is compared: a variant, or `base` for the scenario's own.
        pub than: Option<Name> = None,
        /// The least value in percent of that run's.
        pub percent_min: Option<Whole<0, 1_000_000>> = None,
        /// The greatest value in percent of that run's.
        pub percent_max: Option<Whole<0, 1_000_000>> = None,
    }
}

/// A promise that must break: `"violated"`, `"some"` (in some of the runs over seeds), or an object that says how.
#[derive(Default)]
pub(crate) struct Expectation {
    /// Only in some runs.
    pub some: bool,
    /// The details.
    pub details: ExpectDetails,
}

object! {
    /// How a promise must break.
    #[derive(Default)]
    pub(crate) struct ExpectDetails {
        /// How many times.
        pub instances: Option<Whole<1, 100_000>> = None,
        /// In which way, for `progress`: at least one instance is of this kind.
        pub kind: Option<Word<ProgressKind>> = None,
        /// For `stale_write`: whether the newer holder had touched storage in at least one instance.
        pub contact: Option<Word<Contact>> = None,
        /// How long the longest instance lasts at least.
        pub lasts_ms_min: Option<Day> = None,
    }
}

impl FromJson for Expectation {
    fn from_json(value: &Value, reader: &mut Reader) -> Self {
        if value.is_object() {
            return Self { some: false, details: ExpectDetails::from_json(value, reader) };
        }
        let some = value.as_str() == Some("some");
        if !some && value.as_str() != Some("violated") {
            reader.expected(EXPECTATION, value);
        }
        Self { some, details: ExpectDetails::default() }
    }
}

const EXPECTATION: &str =
    "\"violated\", \"some\" (over seeds), or an object that says how (a judge that must hold is not listed)";

object! {
    /// The same run with something changed.
    pub(crate) struct VariantEntry {
        /// What people read in the chooser.
        pub title: Text,
        /// One or two sentences about what is changed, and what to look for. Default: the scenario's own.
        pub summary: Option<Text> = None,
        /// Values by JSON pointer.
        pub set: Changes,
        /// What the judges must say then. It replaces the scenario's own.
        pub expect: ExpectTable = ExpectTable::default(),
        /// The story of this run. A number stands for a paragraph of the scenario's own, from 0. Default: all of that.
        pub story: Option<Vec<StoryEntry>> = None,
    }
}

/// A paragraph, or the number of one of the scenario's own.
pub(crate) enum StoryEntry {
    /// The scenario's own, from 0.
    Same(i64),
    /// A new one.
    New(Box<ParagraphEntry>),
}

impl FromJson for StoryEntry {
    fn from_json(value: &Value, reader: &mut Reader) -> Self {
        if value.is_object() {
            return Self::New(FromJson::from_json(value, reader));
        }
        let number = value.as_i64().filter(|number| *number >= 0);
        if number.is_none() {
            reader.expected("a paragraph, or the number of one of the scenario's own, from 0", value);
        }
        Self::Same(number.unwrap_or(0))
    }
}

/// Values by JSON pointer, in the order of the file.
#[derive(Default)]
pub(crate) struct Changes(pub Vec<Change>);

impl FromJson for Changes {
    fn from_json(value: &Value, reader: &mut Reader) -> Self {
        let entries = reader.map(value).into_iter().flatten();
        Self(entries.map(|(pointer, value)| (pointer.clone(), value.clone())).collect())
    }
}

/// How these values look in the published schema.
#[cfg(not(target_arch = "wasm32"))]
mod schema {
    use std::borrow::Cow;

    use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};

    use super::{Changes, CostBound, ExpectDetails, ExpectTable, Expectation, ParagraphEntry, Seeds, StoryEntry};
    use crate::vocabulary::{CostEntry, JudgeName};

    impl JsonSchema for Expectation {
        fn schema_name() -> Cow<'static, str> {
            "Expectation".into()
        }
        fn json_schema(generator: &mut SchemaGenerator) -> Schema {
            let details = generator.subschema_for::<ExpectDetails>();
            json_schema!({ "oneOf": [{ "enum": ["violated", "some"] }, details] })
        }
    }

    impl JsonSchema for StoryEntry {
        fn schema_name() -> Cow<'static, str> {
            "StoryEntry".into()
        }
        fn json_schema(generator: &mut SchemaGenerator) -> Schema {
            let paragraph = generator.subschema_for::<ParagraphEntry>();
            json_schema!({ "oneOf": [{ "type": "integer", "minimum": 0 }, paragraph] })
        }
    }

    impl JsonSchema for ExpectTable {
        fn schema_name() -> Cow<'static, str> {
            "ExpectTable".into()
        }
        fn json_schema(generator: &mut SchemaGenerator) -> Schema {
            let judges = JudgeName::ALL.iter().map(|judge| judge.name());
            let keys: Vec<&str> = judges.chain(["cost", "seeds"]).collect();
            let costs: Vec<&str> = CostEntry::ALL.iter().map(|entry| entry.name()).collect();
            let expectation = generator.subschema_for::<Expectation>();
            let bound = generator.subschema_for::<CostBound>();
            let seeds = generator.subschema_for::<Seeds>();
            json_schema!({
                "type": "object",
                "propertyNames": { "enum": keys },
                "properties": {
                    "cost": {
                        "type": "object",
                        "propertyNames": { "enum": costs },
                        "additionalProperties": bound,
                        "description": "What the run must cost: lines of the cost sheet by name.",
                    },
                    "seeds": seeds,
                },
                "additionalProperties": expectation,
            })
        }
    }

    impl JsonSchema for Changes {
        fn schema_name() -> Cow<'static, str> {
            "Changes".into()
        }
        fn json_schema(_: &mut SchemaGenerator) -> Schema {
            json_schema!({ "type": "object", "propertyNames": { "pattern": "^/" }, "additionalProperties": true })
        }
    }
}
