//! What was compared, in numbers: for the reader of a run and for `docs/FIDELITY.md`.

use std::fmt::Write as _;
use std::fs;
use std::ops::Range;

use crate::Outcome;

/// What was done and compared.
#[derive(Default)]
pub(crate) struct Tally {
    /// Of the server.
    pub(crate) version: String,
    pub(crate) sequences: u32,
    pub(crate) commands: u32,
    /// Commands on a key one millisecond before its deadline, at it and one after it.
    pub(crate) around_deadlines: [u32; 3],
    pub(crate) steps_forward: u32,
    pub(crate) steps_back: u32,
    pub(crate) kills: u32,
    pub(crate) power_losses: u32,
    /// Power losses that cut a file, where that is the same in every run.
    pub(crate) torn_files: u32,
    /// Syncs under `everysec`, likewise.
    pub(crate) syncs: u32,
    /// Expire cycles at a key's deadline itself that left it, and that took it.
    pub(crate) kept_at_deadline: u32,
    pub(crate) removed_at_deadline: u32,
    /// Each with its seed and what led to it.
    pub(crate) differences: Vec<String>,
}

impl Tally {
    /// Notes how near to its deadline a key was asked about.
    pub(crate) const fn at_a_deadline(&mut self, deadline: Option<i64>, now_us: i64) {
        let Some(deadline) = deadline else { return };
        let late_ms = now_us.div_euclid(1000) - deadline.div_euclid(1000);
        if late_ms >= -1 && late_ms <= 1 {
            self.around_deadlines[(late_ms + 1) as usize] += 1;
        }
    }

    pub(crate) fn add(&mut self, other: Self) {
        if !other.version.is_empty() {
            self.version = other.version;
        }
        self.sequences += other.sequences;
        self.commands += other.commands;
        for (sum, part) in self.around_deadlines.iter_mut().zip(other.around_deadlines) {
            *sum += part;
        }
        self.steps_forward += other.steps_forward;
        self.steps_back += other.steps_back;
        self.kills += other.kills;
        self.power_losses += other.power_losses;
        self.torn_files += other.torn_files;
        self.syncs += other.syncs;
        self.kept_at_deadline += other.kept_at_deadline;
        self.removed_at_deadline += other.removed_at_deadline;
        self.differences.extend(other.differences);
    }

    /// One line.
    pub(crate) fn summary(&self) -> String {
        let Self { version, sequences, commands, kills, power_losses, .. } = self;
        let differences = self.differences.len();
        format!(
            "redis-server {version}: {sequences} sequences, {commands} commands, {kills} kills, \
             {power_losses} power losses, {differences} differences"
        )
    }

    fn table(&self) -> String {
        let [before, at, after] = self.around_deadlines;
        let rows = [
            ("sequences", self.sequences),
            ("commands, every reply compared", self.commands),
            ("… on a key 1 ms before its deadline", before),
            ("… on a key at its deadline", at),
            ("… on a key 1 ms after its deadline", after),
            ("clock steps forward", self.steps_forward),
            ("clock steps back", self.steps_back),
            ("`kill -9` and restart", self.kills),
            ("power loss and restart", self.power_losses),
            ("… that cut the append-only file (active expiry off)", self.torn_files),
            ("syncs under `everysec` (active expiry off)", self.syncs),
            ("active cycles at a deadline itself: key left", self.kept_at_deadline),
            ("active cycles at a deadline itself: key taken", self.removed_at_deadline),
            ("**differences**", self.differences.len() as u32),
        ];
        let mut table = "| what | number |\n|---|---:|\n".to_owned();
        for (what, number) in rows {
            writeln!(table, "| {what} | {number} |").expect("a string takes what is written");
        }
        table
    }
}

/// Writes this part's section of `docs/FIDELITY.md` where `cargo xtask fidelity` asks for it.
pub(crate) fn write(seeds: &Range<u64>, tally: &Tally) -> Outcome {
    let Ok(path) = std::env::var("LOCKSTEP_FIDELITY_SECTION") else { return Ok(()) };
    let section = include_str!("section.md")
        .replace("{version}", &tally.version)
        .replace("{first}", &seeds.start.to_string())
        .replace("{last}", &(seeds.end - 1).to_string())
        .replace("{table}", tally.table().trim_end());
    Ok(fs::write(path, section)?)
}
