//! The gate: everything that must hold before a change lands, in one command.
//!
//! A step that fails does not stop the steps that can still say something; those that build on it are skipped. The closing
//! table names every step with its outcome, and the exit status is that of the whole.

use crate::browser::WebDriver;
use crate::process;
use crate::process::cargo;
use crate::server::{Flaw, Mount, Server};
use crate::step::{seconds, step};
use crate::tools::Tools;
use crate::{browser, fidelity, page, size};
use anyhow::Result;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::time::{Duration, Instant};

/// The features of the tests that need more than Cargo: all of them at once, so that the library is compiled once for all.
pub(crate) const WITH_REAL_THINGS: &str = "lockstep/journeys,lockstep/fidelity";

/// A wasm test that takes longer is stuck.
const WASM_TEST_SECONDS_MAX: &str = "120";

enum Outcome {
    Ok,
    Failed(String),
    Skipped(&'static str),
}

struct Row {
    name: &'static str,
    outcome: Outcome,
    time: Duration,
}

#[derive(Default)]
struct Gate {
    rows: Vec<Row>,
}

/// Runs every step and prints the table.
pub(crate) fn run() -> ExitCode {
    let start = Instant::now();
    let mut gate = Gate::default();
    native(&mut gate);
    web(&mut gate);
    gate.step("docs", || {
        process::run(
            cargo().args(["doc", "--workspace", "--all-features", "--no-deps"]).env("RUSTDOCFLAGS", "-Dwarnings"),
        )
    });
    gate.close(start.elapsed())
}

/// What needs no browser. All of it shares one set of features, so that dependencies are compiled once for checking and once
/// for running.
fn native(gate: &mut Gate) {
    gate.step("format", || process::run(cargo().args(["fmt", "--all", "--check"])));
    gate.step("clippy", || {
        process::run(cargo().args(["clippy", "--workspace", "--all-targets", "--all-features", "--", "-Dwarnings"]))
    });
    gate.step("simulator without the page", || process::run(cargo().args(["check", "--lib", "--no-default-features"])));
    gate.step("native tests", || process::run(cargo().args(["test", "--workspace"])));
    gate.step("fidelity, a sample", fidelity::sample);
}

/// What needs the tools of the page, and a browser.
fn web(gate: &mut Gate) {
    let tools = gate.step("set-up: tools", Tools::for_page);
    let driver = gate.step("set-up: browser", || {
        browser::find_or_install()?;
        WebDriver::start()
    });
    let built = tools.as_ref().and_then(|tools| gate.step("page", || page::build(tools)));
    if built.is_some() {
        gate.step("size", || size::check(&page::dist()));
    } else {
        gate.skip("size", "no page");
    }
    match (&tools, &driver) {
        (Some(tools), Some(driver)) => drop(gate.step("wasm tests", || wasm_tests(tools, driver))),
        _ => gate.skip("wasm tests", "no tools or no browser"),
    }
    match (built, &driver) {
        (Some(()), Some(driver)) => drop(gate.step("journeys", || journeys(driver, &[]))),
        _ => gate.skip("journeys", "no page or no browser"),
    }
}

/// The library in a real browser's wasm, with the scenarios built in: no Yew, and no command line, which is native only.
fn wasm_tests(tools: &Tools, driver: &WebDriver) -> Result<()> {
    let mut args = vec!["test", "--target", "wasm32-unknown-unknown", "--no-default-features"];
    args.extend(["--features", "catalogue", "--test", "wasm"]);
    process::run(
        tools
            .command("cargo")?
            .args(args)
            .env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUNNER", "wasm-bindgen-test-runner")
            .env("WASM_BINDGEN_TEST_TIMEOUT", WASM_TEST_SECONDS_MAX)
            .env("CHROMEDRIVER_REMOTE", driver.url()),
    )
}

/// Walks the journeys whose names hold the filter, on a server that serves the built page well and badly.
pub(crate) fn journeys(driver: &WebDriver, filter: &[&str]) -> Result<()> {
    let dist = |prefix: &str, flaw| Mount::new(prefix, page::dist()).with(flaw);
    let server = Server::start(
        Some(0),
        vec![
            dist("/", Flaw::None),
            dist("/wasm-as-text/", Flaw::WasmAsText),
            dist("/wasm-missing/", Flaw::WasmMissing),
            dist("/wasm-and-script-missing/", Flaw::WasmAndScriptMissing),
            dist("/wasm-forbidden/", Flaw::WasmForbidden),
            dist("/rest-late/", Flaw::RestLate),
            dist("/rest-missing/", Flaw::RestMissing),
            dist("/sandboxed/", Flaw::Sandboxed),
            Mount::new("/pages/", PathBuf::from("tests/pages")),
        ],
    )?;
    let mut tests: Command = cargo();
    tests.args(["test", "--workspace", "--features", WITH_REAL_THINGS, "--test", "journeys", "--"]).args(filter);
    process::run(tests.env("LOCKSTEP_URL", server.url()).env("LOCKSTEP_WEBDRIVER", driver.url()))
}

/// Has the journeys' browser write the numbers of the functions that ran into a file.
pub(crate) fn record_first_view(driver: &WebDriver, file: &Path) -> Result<()> {
    let server = Server::start(Some(0), vec![Mount::new("/", page::dist())])?;
    let mut tests = cargo();
    tests.args(["test", "--package", "lockstep", "--features", WITH_REAL_THINGS, "--test", "journeys", "--"]);
    tests.args(["--ignored", "record_the_first_view"]).env("LOCKSTEP_FIRST_VIEW", file);
    process::run(tests.env("LOCKSTEP_URL", server.url()).env("LOCKSTEP_WEBDRIVER", driver.url()))
}

impl Gate {
    fn step<T>(&mut self, name: &'static str, work: impl FnOnce() -> Result<T>) -> Option<T> {
        let start = Instant::now();
        let result = step(name, work);
        let outcome = match &result {
            Ok(_) => Outcome::Ok,
            Err(error) => Outcome::Failed(format!("{error:#}")),
        };
        self.rows.push(Row { name, outcome, time: start.elapsed() });
        result.inspect_err(|error| println!("    {error:#}")).ok()
    }

    fn skip(&mut self, name: &'static str, reason: &'static str) {
        self.rows.push(Row { name, outcome: Outcome::Skipped(reason), time: Duration::ZERO });
    }

    fn close(self, time: Duration) -> ExitCode {
        println!("\n{:<28} {:>12}  outcome", "step", "time");
        for row in &self.rows {
            let outcome = match &row.outcome {
                Outcome::Ok => "ok".to_owned(),
                Outcome::Failed(error) => format!("FAILED: {}", error.lines().next().unwrap_or_default()),
                Outcome::Skipped(reason) => format!("skipped: {reason}"),
            };
            println!("{:<28} {:>12}  {outcome}", row.name, seconds(row.time));
        }
        let passed = self.rows.iter().all(|row| matches!(row.outcome, Outcome::Ok));
        println!("{:<28} {:>12}  {}", "together", seconds(time), if passed { "ok" } else { "FAILED" });
        if passed { ExitCode::SUCCESS } else { ExitCode::FAILURE }
    }
}
