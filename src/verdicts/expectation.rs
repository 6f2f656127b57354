//! Comparing verdicts with what a scenario expects.

use std::fmt;
use std::sync::Arc;

use crate::history::{History, simulate};
use crate::scenario::{Expect, Expected, ExpectedCost, Scenario};
use crate::verdicts::{CostSheet, Judged, Judges, Verdict, Why};
use crate::vocabulary::{CostEntry, Fault, JudgeName, Span, Time};
use crate::world::World;

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
    /// Over seeds: a judge is violated in too many or too few of the runs.
    Seeds {
        /// Which judge.
        judge: JudgeName,
        /// In how many it should be, in words.
        expected: &'static str,
        /// In how many it is.
        found: u32,
        /// Of so many.
        of: u32,
    },
    /// A line of the cost sheet is out of its bounds.
    Cost {
        /// The bounds.
        bound: ExpectedCost,
        /// The line's value: in its own unit, or in percent of the other run's.
        found: u64,
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

/// Compares what a run cost with what is expected. Runs the other run where the two are compared.
pub fn verify_cost(expect: &Expect, sheet: &CostSheet) -> Vec<Mismatch> {
    expect.cost.iter().filter_map(|bound| cost_mismatch(bound, sheet)).collect()
}

fn cost_mismatch(bound: &ExpectedCost, sheet: &CostSheet) -> Option<Mismatch> {
    let value = sheet.line(bound.entry);
    // One unit of the bounds, as so many units of the value.
    let (unit, per) = match &bound.against {
        Some(other) => {
            let history = History::new(Arc::clone(other));
            (Judged::new(&history).final_cost().line(bound.entry), 100)
        }
        None if bound.than.is_some() => return None,
        None if matches!(bound.entry, CostEntry::AcquireMean | CostEntry::AcquireMax) => (1000, 1),
        None => (1, 1),
    };
    let (value, unit) = (u128::from(value) * per, u128::from(unit));
    let low = bound.min.is_some_and(|min| value < u128::from(min) * unit);
    let high = bound.max.is_some_and(|max| value > u128::from(max) * unit);
    let found = || value.checked_div(unit).map_or(u64::MAX, |found| found as u64);
    (low || high).then(|| Mismatch::Cost { bound: bound.clone(), found: found() })
}

/// Runs a scenario whose expectation is about seeds once for each, and compares in how many runs each judge is violated
/// with what is expected.
pub fn verify_seeds(scenario: &Scenario) -> Vec<Mismatch> {
    let Some(of) = scenario.expect.seeds else { return Vec::new() };
    let mut found = vec![0; JudgeName::ALL.len()];
    let faults: Arc<[Fault]> = scenario.faults.clone().into();
    for nth in 0..of {
        let mut setup = (*scenario.setup).clone();
        setup.seed = setup.seed.wrapping_add(nth.into());
        let setup = Arc::new(setup);
        let (mut judges, end) = (Judges::new(&setup), Time::ZERO + setup.horizon);
        for (record, _) in simulate(World::new(setup, Arc::clone(&faults))) {
            judges.observe(&record);
        }
        judges.finish(end);
        for ((judge, verdict), found) in judges.verdicts(end).iter().zip(&mut found) {
            *found += u32::from(broken(scenario, *judge, verdict, end));
        }
    }
    let mismatch = |(judge, found): (&JudgeName, &u32)| {
        let (judge, found) = (*judge, *found);
        let listed = scenario.expect.violated.iter().find(|expected| expected.judge == judge);
        let (expected, good) = match listed {
            None => ("none", found == 0),
            Some(expected) if expected.some => ("some", found > 0),
            Some(_) => ("every one", found == of),
        };
        (!good).then_some(Mismatch::Seeds { judge, expected, found, of })
    };
    JudgeName::ALL.iter().zip(&found).filter_map(mismatch).collect()
}

/// Whether a judge says of one run what is listed for it; if nothing is, whether it does not say that its promise holds.
fn broken(scenario: &Scenario, judge: JudgeName, verdict: &Verdict, end: Time) -> bool {
    let mut listed = scenario.expect.violated.iter().filter(|expected| expected.judge == judge).peekable();
    if listed.peek().is_none() {
        return unlisted(judge, verdict).is_some();
    }
    let mut mismatches = Vec::new();
    listed.for_each(|expected| compare(expected, verdict, end, &mut mismatches));
    verdict.is_violated() && mismatches.is_empty()
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
    /// The judge or the line of the cost sheet that it is about.
    pub const fn about(&self) -> &'static str {
        match self {
            Self::Cost { bound, .. } => bound.entry.name(),
            Self::Unexpected { judge, .. }
            | Self::Missing { judge }
            | Self::Undecided { judge, .. }
            | Self::Count { judge, .. }
            | Self::Kind { judge, .. }
            | Self::Length { judge, .. }
            | Self::Seeds { judge, .. } => judge.name(),
        }
    }
}

impl fmt::Display for Mismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: ", self.about())?;
        match self {
            Self::Unexpected { instances, .. } => write!(f, "should hold, is violated {instances} time(s)"),
            Self::Missing { .. } => f.write_str("should be violated, is not"),
            Self::Undecided { .. } => f.write_str("should hold, but somebody still waits at the end"),
            Self::Count { expected, found, .. } => write!(f, "should be violated {expected} time(s), is {found}"),
            Self::Kind { expected, found, .. } => write!(f, "should be of kind {expected}, is {}", found.join(", ")),
            Self::Length { expected, found, .. } => {
                write!(f, "should last at least {expected} ms, lasts {found} ms")
            }
            Self::Seeds { expected, found, of, .. } => {
                write!(f, "should be violated in {expected} of {of} runs, is in {found}")
            }
            Self::Cost { bound: ExpectedCost { min, max, than, .. }, found } => {
                let unit = than.as_ref().map_or(String::new(), |than| format!(" % of {than}"));
                f.write_str("should be")?;
                if let Some(min) = min {
                    write!(f, " at least {min}{unit}")?;
                }
                if let Some(max) = max {
                    write!(f, " at most {max}{unit}")?;
                }
                write!(f, ", is {found}{unit}")
            }
        }
    }
}
