//! The doors of this module: built-in scenarios by name, and files as text.
//!
//! The texts of the built-in files are in the program only with the feature `catalogue`. The page does without: it loads
//! a file when the scenario is opened, and knows no more than the ids.

use std::sync::Arc;

use serde_json::Value;

use super::document::{self, Change, escaped};
use super::error::{LoadError, ParseError, Problem, Warning};
use super::file::{ScenarioFile, VariantEntry};
use super::read::read;
use super::{ExpectedCost, Scenario, check};

/// Declares the built-in scenarios in the order of the chooser.
macro_rules! built_in {
    ($($id:literal),+ $(,)?) => {
        const IDS: &[&str] = &[$($id),+];
        #[cfg(feature = "catalogue")]
        const TEXTS: &[&str] = &[$(include_str!(concat!("../../static/scenarios/", $id, ".json"))),+];
    };
}

built_in! {
    "taking-turns",
    "setnx-without-ttl",
    "setnx-then-expire",
    "plain-delete",
    "gc-pause-write",
    "check-before-write",
    "page-fault",
    "delayed-packet",
    "fencing-token",
    "fencing-gap",
    "half-fenced",
    "idempotent-work",
    "duplicate-request",
    "token-after-lock",
    "clock-jump-single",
    "clock-jump-back",
    "watchdog-renewal",
    "renewal-revives",
    "ttl-margin",
    "dead-or-slow",
    "efficiency-only",
    "unfair-retry",
    "redlock-takes-turns",
    "redlock-clock-jump",
    "redlock-crash-restart",
    "redlock-pause-in-flight",
    "redlock-pause-after-check",
    "redlock-network-delay",
    "redlock-wall-clock-client",
    "redlock-lost-node",
    "redlock-drift",
    "redlock-quorum-overlap",
    "redlock-ghost-key",
    "redlock-random-is-no-token",
    "redlock-counters-diverge",
    "failover-loses-lock",
    "redis-split-brain",
    "replica-skewed-clock",
    "zookeeper-queue",
    "zookeeper-holder-crash",
    "zookeeper-gc-pause",
    "zookeeper-leader-crash",
    "zxid-as-token",
    "zookeeper-lost-reply",
    "zookeeper-missed-watch",
    "zookeeper-minority",
    "slow-leader-deposed",
    "hbase",
    "delayed-packet-any-service",
    "price-of-a-lock",
}

/// The ids of the built-in scenarios, in the order of the chooser.
pub const fn builtin() -> &'static [&'static str] {
    IDS
}

/// The file of a built-in scenario.
#[cfg(feature = "catalogue")]
pub fn builtin_text(id: &str) -> Option<&'static str> {
    IDS.iter().position(|one| *one == id).map(|ix| TEXTS[ix])
}

/// A built-in scenario by its id, or a variant of it: `gc-pause-write` or `gc-pause-write:short-pause`.
///
/// # Errors
/// If there is none of this name.
#[cfg(feature = "catalogue")]
pub fn load(name: &str) -> Result<Scenario, LoadError> {
    with_changes(name, &[])
}

/// A built-in scenario or variant with something changed, as controls and links do it.
///
/// # Errors
/// If there is none of this name, or a change leads nowhere or makes it invalid.
#[cfg(feature = "catalogue")]
pub fn with_changes(name: &str, changes: &[Change]) -> Result<Scenario, LoadError> {
    let (id, variant) = match name.split_once(':') {
        Some((id, variant)) => (id, Some(variant)),
        None => (name, None),
    };
    let text = builtin_text(id).ok_or_else(|| LoadError::UnknownScenario { id: id.to_owned() })?;
    Document::read(text)?.scenario(variant, changes).map(|(scenario, _)| scenario)
}

/// A scenario from a file's text, with what was odd about it. All its variants are checked too.
///
/// # Errors
/// If it is no JSON or no valid scenario, with the places and reasons.
pub fn parse(text: &str) -> Result<(Scenario, Vec<Warning>), ParseError> {
    Document::read(text)?.check()
}

/// The same from bytes.
///
/// # Errors
/// As [`parse`], and if the bytes are no text.
pub fn parse_bytes(bytes: &[u8]) -> Result<(Scenario, Vec<Warning>), ParseError> {
    if bytes.len() > document::BYTES_MAX {
        return Err(ParseError::TooLarge { bytes: bytes.len() });
    }
    let text = std::str::from_utf8(bytes).map_err(|err| ParseError::NotText { at: err.valid_up_to() })?;
    parse(text)
}

/// A file that was read but not yet validated: what variants and controls change.
#[derive(Clone, PartialEq, Debug)]
pub struct Document(Value);

impl Document {
    /// Reads JSON; its meaning is not looked at.
    ///
    /// # Errors
    /// If the text is no JSON, is too long, or names one key twice in an object.
    pub fn read(text: &str) -> Result<Self, ParseError> {
        document::read(text).map(Self)
    }

    /// The id that the file gives itself; empty if it gives none.
    pub fn id(&self) -> &str {
        self.0.get("id").and_then(Value::as_str).unwrap_or_default()
    }

    /// The value at a JSON pointer.
    pub fn at(&self, pointer: &str) -> Option<&Value> {
        self.0.pointer(pointer)
    }

    /// The scenario, or its variant of this name, with further changes.
    ///
    /// # Errors
    /// If there is no such variant, or what comes of the changes is not valid.
    pub fn scenario(&self, variant: Option<&str>, changes: &[Change]) -> Result<(Scenario, Vec<Warning>), LoadError> {
        if let Some(name) = variant.filter(|name| self.variant(name).is_none()) {
            let id = self.id().to_owned();
            let variants = self.0.get("variants").and_then(Value::as_object);
            let known = variants.map(|all| all.keys().cloned().collect()).unwrap_or_default();
            return Err(LoadError::UnknownVariant { id, variant: name.to_owned(), known });
        }
        Ok(self.run(variant, changes)?)
    }

    /// The scenario as it stands, once all its variants are found valid too.
    ///
    /// # Errors
    /// If it or one of its variants is not valid.
    pub fn check(&self) -> Result<(Scenario, Vec<Warning>), ParseError> {
        let (scenario, mut warnings) = self.run(None, &[])?;
        let mut problems = Vec::new();
        for variant in &scenario.variants {
            match self.run(Some(&variant.id), &[]) {
                Ok((_, more)) => {
                    let new = more.into_iter().filter(|warning| !warnings.contains(warning));
                    warnings.extend(new.collect::<Vec<_>>());
                }
                Err(ParseError::Invalid(found)) => problems.extend(found.into_iter().map(|problem| {
                    let path = format!("variant {}: {}", variant.id, problem.path);
                    Problem { path, ..problem }
                })),
                Err(other) => return Err(other),
            }
        }
        if problems.is_empty() { Ok((scenario, warnings)) } else { Err(ParseError::Invalid(problems)) }
    }

    /// One run, with the runs beside it with which its cost is compared.
    fn run(&self, variant: Option<&str>, changes: &[Change]) -> Result<(Scenario, Vec<Warning>), ParseError> {
        let (mut scenario, warnings) = self.run_alone(variant, changes)?;
        for cost in scenario.expect.cost.iter_mut().filter(|_| changes.is_empty()) {
            if let Some(name) = &cost.than {
                let other = Some(name.as_str()).filter(|name| *name != ExpectedCost::BASE);
                cost.against = Some(Arc::new(self.run_alone(other, &[])?.0));
            }
        }
        Ok((scenario, warnings))
    }

    /// Changes, reads and validates. A variant that does not exist changes nothing.
    fn run_alone(&self, variant: Option<&str>, changes: &[Change]) -> Result<(Scenario, Vec<Warning>), ParseError> {
        let mut warnings = Vec::new();
        let mut document = self.0.clone();
        let variant = variant.and_then(|name| Some((name, self.variant(name)?)));
        let entry: Option<(&str, VariantEntry)> = match variant {
            None => None,
            Some((name, value)) => {
                let path = format!("/variants/{}", escaped(name));
                Some((name, read(&path, value, &mut warnings).map_err(ParseError::Invalid)?))
            }
        };
        if let Some((_, entry)) = &entry {
            document::change(&mut document, &entry.set.0)?;
        }
        document::change(&mut document, changes)?;
        // The file holds the variant as well: its warnings come once.
        warnings.clear();
        let file: ScenarioFile = read("", &document, &mut warnings).map_err(ParseError::Invalid)?;
        let variant = entry.as_ref().map(|(name, entry)| (*name, entry));
        let run = check::Run { variant, changed: !changes.is_empty(), document: &document };
        let scenario = check::check(&file, &run).map_err(ParseError::Invalid)?;
        Ok((scenario, warnings))
    }

    fn variant(&self, name: &str) -> Option<&Value> {
        self.0.get("variants")?.get(name)
    }
}
