//! What can be wrong with a scenario file, in words that its author can act on.

use std::fmt;

use serde_json::Value;

use super::document::BYTES_MAX;

/// Why a text is no scenario.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ParseError {
    /// There is nothing but white space.
    #[error("the file is empty")]
    Empty,
    /// Too long to be read at all.
    #[error("the file has {bytes} bytes; at most {BYTES_MAX} are read")]
    TooLarge {
        /// Its length.
        bytes: usize,
    },
    /// The bytes are no text.
    #[error("the file is not UTF-8 text (byte {at} is the first that does not fit)")]
    NotText {
        /// The first byte that does not fit, counted from 0.
        at: usize,
    },
    /// The text is no JSON, or a key stands twice.
    #[error("line {line}, column {column}: {reason}")]
    Syntax {
        /// From 1.
        line: usize,
        /// From 1.
        column: usize,
        /// What was expected.
        reason: String,
    },
    /// The JSON is no scenario: all that was found, in order of the checks.
    #[error("{}", Lines(.0))]
    Invalid(Vec<Problem>),
}

/// Why a named scenario cannot be had.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum LoadError {
    /// No built-in scenario has this id.
    #[error("there is no scenario {id:?}; `lockstep list` names them")]
    UnknownScenario {
        /// What was asked for.
        id: String,
    },
    /// The scenario has no such variant.
    #[error("the scenario {id:?} has no variant {variant:?}; it has: {}", .known.join(", "))]
    UnknownVariant {
        /// The scenario.
        id: String,
        /// What was asked for.
        variant: String,
        /// What it has.
        known: Vec<String>,
    },
    /// The scenario was found, but it or a change made to it is wrong.
    #[error(transparent)]
    Parse(#[from] ParseError),
}

/// One thing that is wrong, and where.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Problem {
    /// A JSON pointer; empty for the whole file.
    pub path: String,
    /// What is wrong.
    pub reason: Reason,
}

/// One thing that is odd but does no harm: a key that nothing reads.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Warning {
    /// A JSON pointer.
    pub path: String,
}

/// What is wrong with one place of a file.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Reason {
    /// A value of the wrong type or outside its limits.
    #[error("{found} does not fit; expected {expected}")]
    Type {
        /// What fits.
        expected: String,
        /// What stands there.
        found: Found,
    },
    /// A key that must be there.
    #[error("the key {key:?} is missing")]
    Missing {
        /// Which.
        key: &'static str,
    },
    /// A change that has no place.
    #[error("this pointer leads nowhere: there is nothing to change")]
    Nowhere,
    /// A format of another time.
    #[error("format {found} is not known; this program reads format {known}")]
    Format {
        /// What the file says.
        found: i64,
        /// What is read.
        known: u32,
    },
    /// A name that names nothing.
    #[error("there is no {what} {name:?}; there is: {}", Names(.known))]
    Unknown {
        /// What kind of thing: "process", "service"….
        what: &'static str,
        /// What was written.
        name: String,
        /// What could have been.
        known: Vec<String>,
    },
    /// A name that already means something else.
    #[error("{what} {name:?} stands twice: first at {first}")]
    Twice {
        /// What kind of thing.
        what: &'static str,
        /// The name.
        name: String,
        /// A JSON pointer to the first one.
        first: String,
    },
    /// A name was left out where there are several.
    #[error("which {what}? There is: {}", Names(.known))]
    Which {
        /// What kind of thing.
        what: &'static str,
        /// What could be meant.
        known: Vec<String>,
    },
    /// A label that fits several program lines.
    #[error("{label:?} fits lines {} of {client}; write more of the line, or name it by `number`", Numbers(.lines))]
    Ambiguous {
        /// What was written.
        label: String,
        /// Whose program.
        client: String,
        /// The lines, from 1.
        lines: Vec<usize>,
    },
    /// Too many of something.
    #[error("{count} {what}; at most {max} are allowed")]
    TooMany {
        /// What kind of thing.
        what: &'static str,
        /// How many there are.
        count: usize,
        /// How many there may be.
        max: usize,
    },
    /// A text that is too long.
    #[error("{chars} characters; at most {max} are allowed")]
    TooLong {
        /// How long it is.
        chars: usize,
        /// How long it may be.
        max: usize,
    },
    /// Things that do not go together.
    #[error("{0}")]
    Conflict(&'static str),
    /// A program line that cannot be read.
    #[error("cannot read {line:?}; expected {expected}")]
    Line {
        /// The line.
        line: String,
        /// What was expected.
        expected: &'static str,
    },
}

/// A value as an error shows it: not longer than a line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Found(String);

/// One problem a line.
struct Lines<'a>(&'a [Problem]);

/// Names as a list.
struct Names<'a>(&'a [String]);

/// Numbers as a list.
struct Numbers<'a>(&'a [usize]);

impl Found {
    pub(super) fn of(value: &Value) -> Self {
        Self(match value {
            Value::Array(_) => "a list".to_owned(),
            Value::Object(_) => "an object".to_owned(),
            Value::String(text) if text.chars().count() > 40 => {
                format!("{:?}…", text.chars().take(39).collect::<String>())
            }
            simple => simple.to_string(),
        })
    }
}

impl fmt::Display for Found {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Problem {
    pub(super) fn new(path: impl Into<String>, reason: Reason) -> Self {
        Self { path: path.into(), reason }
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let path = if self.path.is_empty() { "the file" } else { &self.path };
        write!(f, "{path}: {}", self.reason)
    }
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: this key is not known; it is ignored", self.path)
    }
}

impl fmt::Display for Lines<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (ix, problem) in self.0.iter().enumerate() {
            let end = if ix == 0 { "" } else { "\n" };
            write!(f, "{end}{problem}")?;
        }
        Ok(())
    }
}

impl fmt::Display for Names<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.is_empty() { f.write_str("none") } else { f.write_str(&self.0.join(", ")) }
    }
}

impl fmt::Display for Numbers<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (ix, number) in self.0.iter().enumerate() {
            let between = if ix == 0 { "" } else { ", " };
            write!(f, "{between}{number}")?;
        }
        Ok(())
    }
}
