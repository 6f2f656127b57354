//! Story, controls, expectations and variants as the file spells them.

use serde_json::Value;

use super::fault::Match;
use super::scalar::{Day, Whole};
use super::words::Word;
use crate::scenario::document::Change;
use crate::scenario::error::Reason;
use crate::scenario::read::{FromJson, Reader, object};
use crate::vocabulary::{Contact, JudgeName, ProgressKind, Text};

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
    }
}

/// What the judges must say in the end: judges by name. One that is not listed must hold.
#[derive(Default)]
pub(crate) struct ExpectTable(pub Vec<(JudgeName, Expectation)>);

/// A judge that does not exist is an error here: a misspelled one would be expected to hold.
impl FromJson for ExpectTable {
    fn from_json(value: &Value, reader: &mut Reader) -> Self {
        let mut table = Vec::new();
        for (name, entry) in reader.map(value).into_iter().flatten() {
            if let Some(judge) = JudgeName::from_name(name) {
                table.push((judge, reader.part(name, entry)));
            } else {
                let known = JudgeName::ALL.iter().map(|judge| judge.name().to_owned()).collect();
                reader.problem(Reason::Unknown { what: "judge", name: name.clone(), known });
            }
        }
        Self(table)
    }
}

/// A promise that must break: `"violated"`, or an object that says how.
#[derive(Default)]
pub(crate) struct Expectation {
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
            return Self { details: ExpectDetails::from_json(value, reader) };
        }
        if value.as_str() != Some("violated") {
            reader.expected(EXPECTATION, value);
        }
        Self::default()
    }
}

const EXPECTATION: &str = "\"violated\", or an object that says how (a judge that must hold is not listed)";

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

    use super::{Changes, ExpectDetails, ExpectTable, Expectation, ParagraphEntry, StoryEntry};
    use crate::vocabulary::JudgeName;

    impl JsonSchema for Expectation {
        fn schema_name() -> Cow<'static, str> {
            "Expectation".into()
        }
        fn json_schema(generator: &mut SchemaGenerator) -> Schema {
            let details = generator.subschema_for::<ExpectDetails>();
            json_schema!({ "oneOf": [{ "const": "violated" }, details] })
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
            let judges: Vec<&str> = JudgeName::ALL.iter().map(|judge| judge.name()).collect();
            let expectation = generator.subschema_for::<Expectation>();
            json_schema!({
                "type": "object",
                "propertyNames": { "enum": judges },
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
