//! The model beside the real thing: `cargo xtask fidelity` runs `tests/fidelity/` against a `redis-server`, and replays
//! scenarios by real processes with `tests/replay/`.
//!
//! The servers listen on sockets in one temporary folder, which goes with this command; they die with the test's threads.
//! What a full run finds out becomes its half of `docs/FIDELITY.md`, and the list of what the page may say was seen.

use crate::process::{cargo, on_path, run};
use crate::step::step;
use crate::{debian, gate};
use anyhow::{Context, Result, bail, ensure};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

const SEQUENCES: &str = "24000";
/// As many as say something within a few seconds.
const SEQUENCES_IN_THE_GATE: &str = "200";
const SEED: &str = "1";
const DOCUMENT: &str = "docs/FIDELITY.md";
const SEEN: &str = "static/seen.txt";
/// Where the second half of the document begins.
const SCENARIOS: &str = "## Scenarios\n";
const FOLDER: &str = "lockstep-fidelity-";

const INTRODUCTION: &str = "\
# Fidelity

What Lockstep shows about Redis was compared with a real Redis. This page is written by `cargo xtask fidelity`; do not edit it.

    cargo xtask fidelity                  the whole comparison, and this page
    cargo xtask fidelity --sequences N    N sequences, from seed 1
    cargo xtask fidelity --seed S         the one sequence of a seed, as a difference names it
    cargo xtask fidelity --replay         the scenarios alone, and their half of this page
    cargo xtask fidelity --replay ID...   some scenarios or controls, such as `gc-pause-write:short-pause`

It needs Linux, a C compiler and `redis-server` (Debian: `apt-get install redis-server`). The servers listen on sockets in a
temporary folder and nowhere else; where there are replicas, a port of the loopback interface leads to such a socket. No server
that runs already is touched. `cargo xtask test` compares a sample of the commands and replays no scenario.

";

/// `cargo xtask fidelity [--sequences N] [--seed S] | --replay [ID...]`
pub(crate) fn command(args: &[&str]) -> Result<()> {
    match args {
        [] => full(),
        ["--replay"] => all_scenarios(&Bench::set_up()?),
        ["--replay", names @ ..] => Bench::set_up()?.replay(names),
        ["--sequences", sequences] => some(SEED, sequences),
        ["--seed", seed] => some(seed, "1"),
        ["--sequences", sequences, "--seed", seed] | ["--seed", seed, "--sequences", sequences] => {
            some(seed, sequences)
        }
        other => bail!("unknown arguments: {}", other.join(" ")),
    }
}

/// The sample for the gate.
pub(crate) fn sample() -> Result<()> {
    some(SEED, SEQUENCES_IN_THE_GATE)
}

fn some(seed: &str, sequences: &str) -> Result<()> {
    Bench::set_up()?.compare(seed, sequences, None)
}

fn full() -> Result<()> {
    let bench = Bench::set_up()?;
    let section = bench.folder.path().join("section.md");
    step("fidelity", || bench.compare(SEED, SEQUENCES, Some(&section)))?;
    let text = fs::read_to_string(&section).context("the comparison wrote no section")?;
    write_document(Some(&text), None)?;
    all_scenarios(&bench)
}

fn all_scenarios(bench: &Bench) -> Result<()> {
    step("replays", || bench.replay(&[]))?;
    let text = fs::read_to_string(bench.scenarios()).context("the replays wrote no section")?;
    write_document(None, Some(&text))?;
    fs::copy(bench.seen(), SEEN).with_context(|| format!("cannot write {SEEN}"))?;
    Ok(())
}

/// Writes the document anew; a half that is not given stays as it was.
fn write_document(commands: Option<&str>, scenarios: Option<&str>) -> Result<()> {
    let old = fs::read_to_string(DOCUMENT).unwrap_or_default();
    let (old_commands, old_scenarios) = old.split_once(SCENARIOS).unwrap_or((&old, ""));
    let old_commands = old_commands.find("\n## ").map_or("", |at| &old_commands[at + 1..]);
    let old_scenarios = [SCENARIOS, old_scenarios].concat();
    let commands = commands.unwrap_or(old_commands).trim_end();
    let scenarios = scenarios.unwrap_or(&old_scenarios).trim_end();
    fs::create_dir_all("docs")?;
    fs::write(DOCUMENT, format!("{INTRODUCTION}{commands}\n\n{scenarios}\n"))
        .with_context(|| format!("cannot write {DOCUMENT}"))?;
    println!("\n{DOCUMENT} is written.");
    Ok(())
}

/// What the tests need.
struct Bench {
    server: PathBuf,
    clock: PathBuf,
    folder: Folder,
}

impl Bench {
    fn set_up() -> Result<Self> {
        ensure!(cfg!(target_os = "linux"), "the comparison loads a library before the server as Linux does it");
        let server = program("redis-server", &["redis-server"])?;
        let compiler = program("cc", &["gcc", "libc6-dev"])?;
        let folder = Folder::new()?;
        let clock = folder.path().join("clock.so");
        run(Command::new(compiler)
            .args(["-O2", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC", "-o"])
            .args([&clock, Path::new("tests/fidelity/clock.c")]))?;
        Ok(Self { server, clock, folder })
    }

    fn compare(&self, seed: &str, sequences: &str, section: Option<&Path>) -> Result<()> {
        let mut tests = self.tests("fidelity");
        tests.args(["--", "--show-output"]);
        tests.env("LOCKSTEP_SEED", seed).env("LOCKSTEP_SEQUENCES", sequences);
        if let Some(section) = section {
            tests.env("LOCKSTEP_FIDELITY_SECTION", section);
        }
        run(&mut tests)
    }

    /// Replays these scenarios or controls; if none is named, all that can be, with a report.
    fn replay(&self, names: &[&str]) -> Result<()> {
        let mut tests = self.tests("replay");
        tests.arg("--").args(names);
        run(tests.env("LOCKSTEP_REPLAY_SECTION", self.scenarios()).env("LOCKSTEP_REPLAY_SEEN", self.seen()))
    }

    fn tests(&self, name: &str) -> Command {
        let mut tests = cargo();
        tests.args(["test", "--workspace", "--features", gate::WITH_REAL_THINGS, "--test", name]);
        tests.env("LOCKSTEP_REDIS_SERVER", &self.server).env("LOCKSTEP_FIDELITY_CLOCK", &self.clock);
        tests.env("LOCKSTEP_FIDELITY_DIR", self.folder.path());
        tests
    }

    fn scenarios(&self) -> PathBuf {
        self.folder.path().join("scenarios.md")
    }

    fn seen(&self) -> PathBuf {
        self.folder.path().join("seen.txt")
    }
}

fn program(name: &str, packages: &[&str]) -> Result<PathBuf> {
    if on_path(name).is_none() {
        ensure!(debian::is_here(), "{name} is missing, and there is no apt-get: install it");
        debian::install(packages)?;
    }
    on_path(name).with_context(|| format!("{name} is not on the PATH"))
}

/// A temporary folder that goes with this value; what an interrupted run left goes when the next one comes.
struct Folder(PathBuf);

impl Folder {
    fn new() -> Result<Self> {
        let temporary = std::env::temp_dir();
        for entry in fs::read_dir(&temporary)?.flatten() {
            let name = entry.file_name().to_string_lossy().into_owned();
            let Some(process) = name.strip_prefix(FOLDER) else { continue };
            if !Path::new("/proc").join(process).exists() {
                // Somebody else's is not ours to remove.
                drop(fs::remove_dir_all(entry.path()));
            }
        }
        let folder = temporary.join(format!("{FOLDER}{}", std::process::id()));
        fs::create_dir_all(&folder).with_context(|| format!("cannot create {}", folder.display()))?;
        Ok(Self(folder))
    }

    fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        drop(fs::remove_dir_all(&self.0));
    }
}
