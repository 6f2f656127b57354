//! The commands, what they read and print, and their exit status.

mod input;
mod list;
mod run;
mod search;

use std::io::{self, BufWriter, ErrorKind, Write};
use std::process::ExitCode;

use clap::{Parser, Subcommand, ValueEnum};
use lockstep::scenario;
use lockstep::vocabulary::Lang;

/// A playground for distributed locks: what each client believes about the lock beside what is true.
///
/// Exit status: 0 if the verdicts are those that the scenario expects, 1 if they differ, 2 if the input is wrong.
#[derive(Parser)]
#[command(name = "lockstep", version, max_term_width = 100)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// List the built-in scenarios and their variants.
    List {
        /// Run each of them and compare its verdicts with what it expects.
        #[arg(long)]
        verify: bool,
        /// The language of the titles.
        #[arg(long, value_enum, default_value_t)]
        lang: Language,
    },
    /// Run a scenario: a timeline, then the verdicts with their reasons.
    Run(run::Run),
    /// Look for faults that break what a scenario promises.
    ///
    /// Exit status: 0 if nothing was found, 1 if something was, 2 if the input is wrong.
    Search(search::Search),
    /// Check a scenario file and say what is wrong with it.
    Check {
        /// The file, or `-` for standard input.
        file: String,
    },
    /// Print the JSON Schema of scenario files.
    Schema,
}

#[derive(Clone, Copy, Default, ValueEnum)]
enum Language {
    /// English
    #[default]
    En,
    /// Korean
    Ko,
}

/// How a command ended, if nothing was wrong with its input.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Outcome {
    AsExpected,
    Different,
}

/// Why a command could not do its work.
enum Failure {
    /// The input is wrong: one complaint a line.
    Input(String),
    /// Something could not be written.
    Output(io::Error),
}

/// Runs the command that was asked for.
pub(crate) fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let mut out = BufWriter::new(io::stdout().lock());
    let outcome = perform(arguments.command, &mut out).and_then(|outcome| Ok(out.flush().map(|()| outcome)?));
    match outcome {
        Ok(Outcome::AsExpected) => ExitCode::SUCCESS,
        Ok(Outcome::Different) => ExitCode::from(1),
        // Whoever reads has read enough: `lockstep run … | head`.
        Err(Failure::Output(error)) if error.kind() == ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(Failure::Output(error)) => complain(&format!("cannot write: {error}")),
        Err(Failure::Input(complaint)) => complain(&complaint),
    }
}

fn perform(command: Command, out: &mut impl Write) -> Result<Outcome, Failure> {
    match command {
        Command::List { verify: false, lang } => list::list(lang.into(), out),
        Command::List { verify: true, .. } => list::verify(out),
        Command::Run(asked) => run::run(&asked, out),
        Command::Search(asked) => search::run(&asked, out),
        Command::Check { file } => check(&file, out),
        Command::Schema => {
            writeln!(out, "{:#}", scenario::schema())?;
            Ok(Outcome::AsExpected)
        }
    }
}

fn check(file: &str, out: &mut impl Write) -> Result<Outcome, Failure> {
    let scenario = input::file(file)?;
    let variants = scenario.variants.len();
    writeln!(out, "{file}: ok: scenario {}, {variants} variant(s)", scenario.id)?;
    Ok(Outcome::AsExpected)
}

fn complain(complaint: &str) -> ExitCode {
    for line in complaint.lines() {
        // If standard error is closed too there is nobody left to tell.
        let _ = writeln!(io::stderr(), "error: {line}");
    }
    ExitCode::from(2)
}

impl From<Language> for Lang {
    fn from(language: Language) -> Self {
        match language {
            Language::En => Self::En,
            Language::Ko => Self::Ko,
        }
    }
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        Self::Output(error)
    }
}
