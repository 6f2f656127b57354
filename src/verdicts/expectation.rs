//! Comparing verdicts with what a scenario expects.

use std::fmt;

use crate::scenario::{Expect, Expected};
use crate::verdicts::{Verdict, Why};
use crate::vocabulary::{JudgeName, Span, Time};

/// One way in which verdicts differ from what was expected.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Mismatch {
    /// A judge that is not listed reports violations.
    Unexpected {
        /// Which judge.
        judge: JudgeName,
        /// How many times.
        instances: u32,
    },
    /// A judge that is listed reports none.
    Missing {
        /// Which judge.
        judge: JudgeName,
    },
    /// A judge that is not listed cannot say yet that its promise holds.
    Undecided {
        /// Which judge.
        judge: JudgeName,
        /// What it waits for.
        why: Why,
    },
    /// The number of violations differs.
    Count {
        /// Which judge.
        judge: JudgeName,
        /// How many there should be.
        expected: u32,
        /// How many there are.
        found: u32,
    },
    /// No violation is of the expected kind.
    Kind {
        /// Which judge.
        judge: JudgeName,
        /// The expected kind.
        expected: String,
        /// The kinds there are.
        found: Vec<&'static str>,
    },
    /// Every violation (of the expected kind, if one is given) is too short.
    Length {
        /// Which judge.
        judge: JudgeName,
        /// How long the longest should at least last.
        expected: Span,
        /// How long it lasts.
        found: Span,
    },
}

/// Compares the verdicts at the end of a run, which was at `end`, with what is expected.
///
/// The expectation is complete: a judge that is not listed must hold. One that had nothing to judge
/// ([`Why::is_vacuous`](crate::verdicts::Why::is_vacuous): no token was ever given, nothing was written) broke no promise and
/// counts as holding; one for which somebody still waits does not.
pub fn verify(expect: &Expect, verdicts: &[(JudgeName, Verdict)], end: Time) -> Vec<Mismatch> {
    let mut mismatches = Vec::new();
    for (judge, verdict) in verdicts {
        let mut listed = expect.violated.iter().filter(|expected| expected.judge == *judge).peekable();
        if listed.peek().is_none() {
            mismatches.extend(unlisted(*judge, verdict));
        } else if verdict.is_violated() {
            listed.for_each(|expected| compare(expected, verdict, end, &mut mismatches));
        } else {
            mismatches.push(Mismatch::Missing { judge: *judge });
        }
    }
    mismatches
}

fn unlisted(judge: JudgeName, verdict: &Verdict) -> Option<Mismatch> {
    match verdict {
        Verdict::Holds => None,
        Verdict::Pending { why } if why.is_vacuous() => None,
        Verdict::Pending { why } => Some(Mismatch::Undecided { judge, why: *why }),
        Verdict::Violated { instances } => Some(Mismatch::Unexpected { judge, instances: instances.len() as u32 }),
    }
}

fn compare(expected: &Expected, verdict: &Verdict, end: Time, mismatches: &mut Vec<Mismatch>) {
    let (judge, instances) = (expected.judge, verdict.instances());
    let found = instances.len() as u32;
    if let Some(expected) = expected.instances.filter(|expected| *expected != found) {
        mismatches.push(Mismatch::Count { judge, expected, found });
    }
    let kind_of = |at: usize| instances[at].kind.map_or("", |kind| kind.name());
    let wanted = |at: &usize| expected.kind.as_ref().is_none_or(|kind| kind == kind_of(*at));
    let alike: Vec<_> = (0..instances.len()).filter(wanted).collect();
    if let Some(kind) = expected.kind.as_ref().filter(|_| alike.is_empty()) {
        let mut found: Vec<_> = (0..instances.len()).map(kind_of).collect();
        found.dedup();
        mismatches.push(Mismatch::Kind { judge, expected: kind.clone(), found });
        return;
    }
    if let Some(least) = expected.lasts_min {
        let longest = alike.iter().map(|at| instances[*at].length(end)).max().unwrap_or_default();
        if longest < least {
            mismatches.push(Mismatch::Length { judge, expected: least, found: longest });
        }
    }
}

impl Mismatch {
    /// The judge it is about.
    pub const fn judge(&self) -> JudgeName {
        match self {
            Self::Unexpected { judge, .. }
            | Self::Missing { judge }
            | Self::Undecided { judge, .. }
            | Self::Count { judge, .. }
            | Self::Kind { judge, .. }
            | Self::Length { judge, .. } => *judge,
        }
    }
}

impl fmt::Display for Mismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: ", self.judge().name())?;
        match self {
            Self::Unexpected { instances, .. } => write!(f, "should hold, is violated {instances} time(s)"),
            Self::Missing { .. } => f.write_str("should be violated, is not"),
            Self::Undecided { .. } => f.write_str("should hold, but somebody still waits at the end"),
            Self::Count { expected, found, .. } => write!(f, "should be violated {expected} time(s), is {found}"),
            Self::Kind { expected, found, .. } => write!(f, "should be of kind {expected}, is {}", found.join(", ")),
            Self::Length { expected, found, .. } => {
                write!(f, "should last at least {expected} ms, lasts {found} ms")
            }
        }
    }
}
