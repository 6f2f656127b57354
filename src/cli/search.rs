//! `lockstep search`

use std::io::Write;
use std::sync::Arc;
use std::time::Instant;

use clap::Args;
use lockstep::history::History;
use lockstep::scenario::Scenario;
use lockstep::search::{Goal, Limits, Target, search};
use lockstep::verdicts::{InstanceKind, Judged, LossKind};
use lockstep::views::narration::{fault_sentence, trigger_text};
use lockstep::views::timeline;
use lockstep::vocabulary::{Contact, JudgeName, Lang, ProgressKind};

use super::{Failure, Outcome, input};

/// What was asked for.
#[derive(Args)]
pub(super) struct Search {
    /// `<id>` or `<id>:<variant>` of a built-in scenario, a file, or `-` for standard input.
    what: String,
    /// A promise to break: a judge by its name or abbreviation, with a kind if that matters: `SW`, `stale_write:after`.
    /// Several must be broken in one run. Without this option: any promise that the scenario keeps.
    #[arg(long = "break", value_name = "JUDGE[:KIND]", value_parser = target)]
    targets: Vec<Target>,
    /// It is enough to break any one of them.
    #[arg(long, requires = "targets")]
    any: bool,
    /// At most so many faults beside those of the scenario.
    #[arg(long, value_name = "N", default_value_t = 1)]
    faults: u32,
    /// At most so many runs.
    #[arg(long, value_name = "N", default_value_t = 10_000)]
    runs: u32,
}

/// Prints the report, and the run that it found. Finding something is the outcome that differs.
pub(super) fn run(asked: &Search, out: &mut impl Write) -> Result<Outcome, Failure> {
    let scenario = input::scenario(&asked.what)?;
    let goal = goal(asked, &scenario);
    let limits = Limits { faults_max: asked.faults, ..Limits::one_fault(asked.runs) };
    let start = Instant::now();
    let report = search(&scenario, &goal, limits);
    let seconds = start.elapsed().as_secs_f64();
    let (runs, steps, states) = (report.runs, report.steps, report.states);
    let effort = format!("{runs} runs, {steps} steps, {states} states, {seconds:.2} s");
    let Some(found) = report.found else {
        let scope = if report.exhausted { "there is nothing" } else { "found nothing yet: too few runs" };
        writeln!(out, "{scope} within {} fault(s) ({effort})", asked.faults)?;
        return Ok(Outcome::AsExpected);
    };
    writeln!(out, "found ({effort}; {} more to make it small)", found.shrinking_runs)?;
    for fault in &found.faults {
        let what = fault_sentence(&scenario.setup, &fault.kind, Lang::En);
        writeln!(out, "  {what} ({})", trigger_text(&scenario.setup, &fault.on, Lang::En))?;
        if let Some(until) = &fault.until {
            writeln!(out, "    until then: {}", trigger_text(&scenario.setup, until, Lang::En))?;
        }
    }
    writeln!(out)?;
    let faults = scenario.faults.iter().chain(&found.faults).copied().collect();
    let history = History::new(Arc::new(Scenario { faults, changed: true, ..scenario }));
    let judged = Judged::new(&history);
    out.write_all(timeline::timeline(&history, &judged, timeline::Options::default()).as_bytes())?;
    Ok(Outcome::Different)
}

fn goal(asked: &Search, scenario: &Scenario) -> Goal {
    if asked.targets.is_empty() {
        let kept = |judge: &&JudgeName| !scenario.expect.violated.iter().any(|expected| expected.judge == **judge);
        return Goal::Any(JudgeName::ALL.iter().filter(kept).copied().map(Target::from).collect());
    }
    if asked.any { Goal::Any(asked.targets.clone()) } else { Goal::All(asked.targets.clone()) }
}

fn target(text: &str) -> Result<Target, String> {
    let (judge, kind) = text.split_once(':').map_or((text, None), |(judge, kind)| (judge, Some(kind)));
    let named = |one: &&JudgeName| one.name() == judge || one.short().eq_ignore_ascii_case(judge);
    let Some(judge) = JudgeName::ALL.iter().find(named) else {
        let known: Vec<_> = JudgeName::ALL.iter().map(|one| one.name()).collect();
        return Err(format!("there is no judge {judge:?}; there are: {}", known.join(", ")));
    };
    let Some(kind) = kind else { return Ok(Target::from(*judge)) };
    let kinds = kinds(*judge);
    let found = kinds.iter().find(|one| one.name() == kind);
    found.map(|found| Target { judge: *judge, kind: Some(*found) }).ok_or_else(|| {
        let known: Vec<_> = kinds.iter().map(|one| one.name()).collect();
        format!("{} has no kind {kind:?}; it has: {}", judge.name(), or_none(&known))
    })
}

/// The ways in which a promise can be broken.
fn kinds(judge: JudgeName) -> Vec<InstanceKind> {
    match judge {
        JudgeName::StaleWrite => Contact::ALL.iter().copied().map(InstanceKind::Stale).collect(),
        JudgeName::LostUpdate => [LossKind::Overwrote, LossKind::AppliedTwice].map(InstanceKind::Lost).to_vec(),
        JudgeName::Progress => ProgressKind::ALL.iter().copied().map(InstanceKind::Progress).collect(),
        JudgeName::MutualExclusion | JudgeName::TokenOrder | JudgeName::Divergence => Vec::new(),
    }
}

fn or_none(names: &[&str]) -> String {
    if names.is_empty() { "none".to_owned() } else { names.join(", ") }
}
