//! Story, controls, expectations and variants as the file spells them.

use std::fmt;

use serde::Deserialize;
use serde::de::value::MapAccessDeserializer;
use serde::de::{Deserializer, Error, MapAccess, Unexpected, Visitor};
use serde_json::Value;

use super::fault::Match;
use super::scalar::{Day, Whole};
use super::words::Word;
use crate::vocabulary::{Contact, ProgressKind, Text};

/// A paragraph of the story.
#[derive(Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
pub(crate) struct ParagraphEntry {
    /// The step that it explains, or null for a closing remark. Default: null.
    #[serde(default)]
    pub on: Option<Match>,
    /// Which occurrence of `on`, from 1. Default: 1.
    #[serde(default)]
    pub nth: Option<Whole<1, 100_000>>,
    /// A few words.
    pub title: Text,
    /// One to three sentences.
    pub text: Text,
}

/// A parameter that the page offers: a `slider` or a `switch`.
#[derive(Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
pub(crate) struct ControlEntry {
    /// Where the value stands in this file: a JSON pointer.
    pub path: String,
    /// What it is called.
    pub label: Text,
    /// A slider over whole numbers.
    #[serde(default)]
    pub slider: Option<SliderEntry>,
    /// A switch between values.
    #[serde(default)]
    pub switch: Option<Vec<ChoiceEntry>>,
}

/// A slider over whole numbers.
#[derive(Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
pub(crate) struct SliderEntry {
    /// The least value.
    pub min: Whole<-1_000_000_000, 1_000_000_000>,
    /// The greatest value.
    pub max: Whole<-1_000_000_000, 1_000_000_000>,
    /// The distance between values. Default: 1.
    #[serde(default = "super::scalar::whole::<1, 1, 1_000_000_000>")]
    pub step: Whole<1, 1_000_000_000>,
    /// A value at which something changes, and what.
    #[serde(default)]
    pub mark: Option<MarkEntry>,
}

/// A value of a slider at which something changes.
#[derive(Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
pub(crate) struct MarkEntry {
    /// Where.
    pub at: Whole<-1_000_000_000, 1_000_000_000>,
    /// What changes there.
    pub label: Text,
}

/// One position of a switch.
#[derive(Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
pub(crate) struct ChoiceEntry {
    /// The value to put at the path.
    pub value: Value,
    /// What it is called.
    pub label: Text,
}

/// What the judges must say in the end.
#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
pub(crate) struct ExpectTable {
    /// Two clients believe at one instant.
    #[serde(default)]
    pub mutual_exclusion: Option<Expectation>,
    /// A write of a hold after the lock went to another.
    #[serde(default)]
    pub stale_write: Option<Expectation>,
    /// A write that replaces another version than the one it was based on.
    #[serde(default)]
    pub lost_update: Option<Expectation>,
    /// Tokens that do not rise.
    #[serde(default)]
    pub token_order: Option<Expectation>,
    /// Somebody is kept out for too long.
    #[serde(default)]
    pub progress: Option<Expectation>,
    /// Replicas that never agree.
    #[serde(default)]
    pub divergence: Option<Expectation>,
}

/// A promise that must break: `"violated"`, or an object that says how.
#[derive(Default)]
pub(crate) struct Expectation {
    /// The details.
    pub details: ExpectDetails,
}

/// How a promise must break.
#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
pub(crate) struct ExpectDetails {
    /// How many times.
    #[serde(default)]
    pub instances: Option<Whole<1, 100_000>>,
    /// In which way, for `progress`: at least one instance is of this kind.
    #[serde(default)]
    pub kind: Option<Word<ProgressKind>>,
    /// For `stale_write`: whether the newer holder had touched storage in at least one instance.
    #[serde(default)]
    pub contact: Option<Word<Contact>>,
    /// How long the longest instance lasts at least.
    #[serde(default)]
    pub lasts_ms_min: Option<Day>,
}

impl<'de> Deserialize<'de> for Expectation {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_any(ExpectationVisitor)
    }
}

struct ExpectationVisitor;

impl<'de> Visitor<'de> for ExpectationVisitor {
    type Value = Expectation;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("\"violated\", or an object that says how (a judge that must hold is not listed)")
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Expectation, E> {
        if text == "violated" {
            Ok(Expectation::default())
        } else {
            Err(E::invalid_value(Unexpected::Str(text), &self))
        }
    }

    fn visit_map<A: MapAccess<'de>>(self, entries: A) -> Result<Expectation, A::Error> {
        Ok(Expectation { details: Deserialize::deserialize(MapAccessDeserializer::new(entries))? })
    }
}

/// The same run with something changed.
#[derive(Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
pub(crate) struct VariantEntry {
    /// What people read in the chooser.
    pub title: Text,
    /// One or two sentences about what is changed, and what to look for. Default: the scenario's own.
    #[serde(default)]
    pub summary: Option<Text>,
    /// Values by JSON pointer.
    pub set: std::collections::BTreeMap<String, Value>,
    /// What the judges must say then. It replaces the scenario's own.
    #[serde(default)]
    pub expect: ExpectTable,
    /// The story of this run. A number stands for a paragraph of the scenario's own, from 0. Default: all of that.
    #[serde(default)]
    pub story: Option<Vec<StoryEntry>>,
}

/// A paragraph, or the number of one of the scenario's own.
pub(crate) enum StoryEntry {
    /// The scenario's own, from 0.
    Same(i64),
    /// A new one.
    New(Box<ParagraphEntry>),
}

impl<'de> Deserialize<'de> for StoryEntry {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_any(StoryVisitor)
    }
}

struct StoryVisitor;

impl<'de> Visitor<'de> for StoryVisitor {
    type Value = StoryEntry;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a paragraph, or the number of one of the scenario's own, from 0")
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<StoryEntry, E> {
        let small = i64::try_from(number).map_err(|_| E::invalid_value(Unexpected::Unsigned(number), &self))?;
        Ok(StoryEntry::Same(small))
    }

    fn visit_map<A: MapAccess<'de>>(self, entries: A) -> Result<StoryEntry, A::Error> {
        Ok(StoryEntry::New(Deserialize::deserialize(MapAccessDeserializer::new(entries))?))
    }
}

/// How these values look in the published schema.
#[cfg(not(target_arch = "wasm32"))]
mod schema {
    use std::borrow::Cow;

    use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};

    use super::{ExpectDetails, Expectation, ParagraphEntry, StoryEntry};

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
}

impl VariantEntry {
    /// The changes in the order of their pointers.
    pub(crate) fn changes(&self) -> Vec<(String, Value)> {
        self.set.iter().map(|(pointer, value)| (pointer.clone(), value.clone())).collect()
    }
}
