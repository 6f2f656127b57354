//! `lockstep list`: what there is, and whether it does what it says.

use std::io::Write;
use std::sync::Arc;

use lockstep::history::History;
use lockstep::scenario::{self, Expect, Scenario};
use lockstep::verdicts::{Judged, Mismatch, Verdict};
use lockstep::vocabulary::{JudgeName, Lang};

use super::{Failure, Outcome};

pub(super) fn list(lang: Lang, out: &mut impl Write) -> Result<Outcome, Failure> {
    let runs = every_run()?;
    let width = runs.iter().map(|run| name(run).len()).max().unwrap_or_default();
    for run in &runs {
        let variant = run.variants.iter().find(|variant| Some(&variant.id) == run.variant.as_ref());
        let title = variant.map_or(&run.title, |variant| &variant.title);
        writeln!(out, "{:width$}  {}", name(run), title.get(lang))?;
    }
    Ok(Outcome::AsExpected)
}

pub(super) fn verify(out: &mut impl Write) -> Result<Outcome, Failure> {
    let rows: Vec<_> = every_run()?.into_iter().map(Row::new).collect();
    let width = |of: fn(&Row) -> usize| rows.iter().map(of).max().unwrap_or_default().max("expected".len());
    let (names, expected) = (width(|row| row.name.len()), width(|row| row.expected.chars().count()));
    let computed = width(|row| row.computed.chars().count());
    writeln!(out, "{:names$}  {:expected$}  {:computed$}  outcome", "scenario", "expected", "computed")?;
    for row in &rows {
        let outcome = if row.mismatches.is_empty() { "ok" } else { "MISMATCH" };
        writeln!(out, "{:names$}  {:expected$}  {:computed$}  {outcome}", row.name, row.expected, row.computed)?;
        for mismatch in &row.mismatches {
            writeln!(out, "  {mismatch}")?;
        }
    }
    let wrong = rows.iter().filter(|row| !row.mismatches.is_empty()).count();
    let scenarios = scenario::builtin().len();
    writeln!(out, "{} runs of {scenarios} scenarios: {} ok, {wrong} mismatched", rows.len(), rows.len() - wrong)?;
    Ok(if wrong == 0 { Outcome::AsExpected } else { Outcome::Different })
}

/// Every built-in scenario, each followed by its variants.
fn every_run() -> Result<Vec<Scenario>, Failure> {
    let load = |name: &str| scenario::load(name).map_err(|error| Failure::Input(format!("{name}: {error}")));
    let mut runs = Vec::new();
    for id in scenario::builtin() {
        let whole = load(id)?;
        let variants: Vec<_> = whole.variants.iter().map(|variant| format!("{id}:{}", variant.id)).collect();
        runs.push(whole);
        for variant in variants {
            runs.push(load(&variant)?);
        }
    }
    Ok(runs)
}

fn name(run: &Scenario) -> String {
    run.variant.as_ref().map_or_else(|| run.id.clone(), |variant| format!("{}:{variant}", run.id))
}

/// One line of the table.
struct Row {
    name: String,
    expected: String,
    computed: String,
    mismatches: Vec<Mismatch>,
}

impl Row {
    fn new(run: Scenario) -> Self {
        let (name, expected) = (name(&run), expected(&run.expect));
        let history = History::new(Arc::new(run));
        let judged = Judged::new(&history);
        let mismatches = judged.verify_all(history.scenario());
        Self { name, expected, computed: computed(judged.final_verdicts()), mismatches }
    }
}

fn expected(expect: &Expect) -> String {
    let entry = |entry: &scenario::Expected| {
        let mut text = entry.judge.short().to_owned();
        text.extend(entry.instances.map(|instances| format!("×{instances}")));
        text.extend(entry.kind.as_ref().map(|kind| format!(" {kind}")));
        text.extend(entry.lasts_min.map(|least| format!(" ≥{least}")));
        text.extend(expect.seeds.map(|seeds| format!(" {}/{seeds}", if entry.some { "some" } else { "all" })));
        text
    };
    let mut entries: Vec<_> = expect.violated.iter().map(entry).collect();
    entries.extend(expect.cost.iter().map(cost_bound));
    if let (Some(seeds), true) = (expect.seeds, entries.is_empty()) {
        entries.push(format!("ok {seeds}/{seeds}"));
    }
    or_ok(&entries)
}

fn cost_bound(bound: &scenario::ExpectedCost) -> String {
    let (name, unit) = (bound.entry.name(), if bound.than.is_some() { " %" } else { "" });
    let least = bound.min.map(|min| format!(" ≥{min}{unit}"));
    let most = bound.max.map(|max| format!(" ≤{max}{unit}"));
    [name.to_owned()].into_iter().chain(least).chain(most).collect()
}

fn computed(verdicts: &[(JudgeName, Verdict)]) -> String {
    let entry = |(judge, verdict): &(JudgeName, Verdict)| {
        if let Verdict::Pending { why } = verdict {
            return (!why.is_vacuous()).then(|| format!("{}?", judge.short()));
        }
        let instances = verdict.instances();
        let mut kinds: Vec<_> = instances.iter().filter_map(|instance| Some(instance.kind?.name())).collect();
        kinds.sort_unstable();
        kinds.dedup();
        verdict.is_violated().then(|| {
            let mut text = judge.short().to_owned();
            text.extend((instances.len() > 1).then(|| format!("×{}", instances.len())));
            text.extend(kinds.iter().flat_map(|kind| [" ", kind]));
            text
        })
    };
    or_ok(&verdicts.iter().filter_map(entry).collect::<Vec<_>>())
}

fn or_ok(entries: &[String]) -> String {
    if entries.is_empty() { "ok".to_owned() } else { entries.join(", ") }
}
