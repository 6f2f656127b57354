//! What the replays found, for people, for `docs/FIDELITY.md` and for the page.

use std::fmt::Write as _;
use std::fs;
use std::time::Duration;

use crate::verdict::Violations;
use crate::{Outcome, SCALES, TOLERANCE, TOLERANCE_WITH_REPLICAS};

/// One scenario or control.
pub(crate) struct Row {
    pub(crate) name: String,
    pub(crate) model: Violations,
    pub(crate) real: Violations,
    pub(crate) scale: u64,
    pub(crate) repeats: usize,
    /// How late the latest thing was, in the scenario's time.
    pub(crate) lag: Duration,
    pub(crate) version: String,
}

impl Row {
    /// Whether model and reality broke the same promises for the same clients.
    pub(crate) fn agrees(&self) -> bool {
        self.model == self.real
    }

    pub(crate) fn line(&self) -> String {
        let Self { name, model, real, scale, repeats, lag, .. } = self;
        let outcome = if self.agrees() { "agrees" } else { "DIFFERS" };
        let (model, real) = (text(model, "; "), text(real, "; "));
        format!(
            "{name}: {outcome}\n    model: {model}\n    real:  {real}\n    {scale} times as fast, repeats {repeats}, at most {} ms late",
            lag.as_millis()
        )
    }
}

fn text(violations: &Violations, between: &str) -> String {
    if violations.is_empty() { "all hold".to_owned() } else { violations.join(between) }
}

/// Writes this part's section of `docs/FIDELITY.md`, and the list of what the page may say was seen.
pub(crate) fn write(rows: &[Row]) -> Outcome {
    if let Ok(path) = std::env::var("LOCKSTEP_REPLAY_SECTION") {
        let version = rows.first().map_or("", |row| row.version.as_str());
        let section = include_str!("section.md")
            .replace("{version}", version)
            .replace("{scales}", &SCALES[0].to_string())
            .replace("{tolerance}", &TOLERANCE.as_millis().to_string())
            .replace("{tolerance_with_replicas}", &TOLERANCE_WITH_REPLICAS.as_millis().to_string())
            .replace("{table}", &table(rows));
        fs::write(path, section)?;
    }
    if let Ok(path) = std::env::var("LOCKSTEP_REPLAY_SEEN") {
        let version = rows.first().map_or("", |row| row.version.as_str());
        let names = rows.iter().filter(|row| row.agrees()).map(|row| row.name.as_str());
        let lines: Vec<_> = std::iter::once(version).chain(names).collect();
        fs::write(path, lines.join("\n") + "\n")?;
    }
    Ok(())
}

fn table(rows: &[Row]) -> String {
    let mut table = "| scenario | in the model | in reality | same | repeats | times as fast | latest |\n\
        |---|---|---|---|---:|---:|---:|\n"
        .to_owned();
    for row in rows {
        let Row { name, model, real, scale, repeats, lag, .. } = row;
        let (model, real) = (text(model, "<br>"), text(real, "<br>"));
        let same = if row.agrees() { "yes" } else { "**no**" };
        let lag = lag.as_millis();
        writeln!(table, "| `{name}` | {model} | {real} | {same} | {repeats} | {scale} | {lag} ms |")
            .expect("a string takes what is written");
    }
    table.trim_end().to_owned()
}
