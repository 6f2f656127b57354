//! Set-up, serving and the gate of Lockstep: `cargo xtask <command>`.
//!
//! Every command does the set-up that it needs by itself, and a second run repeats nothing. What is installed goes into
//! one folder per user (see [`cache`]), and is put on the `PATH` of the children only.

#[cfg(not(unix))]
compile_error!("xtask runs on Linux and macOS; on Windows, use it inside WSL");

mod bindings;
mod browser;
mod cache;
mod cold;
mod data;
mod debian;
mod fidelity;
mod gate;
mod page;
mod process;
mod scenarios;
mod server;
mod short;
mod size;
mod split;
mod step;
mod tools;
mod wasm_std;

use anyhow::{Context, Result, bail};
use browser::WebDriver;
use process::{cargo, run};
use server::{Mount, Server};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;
use step::step;
use tools::Tools;

const HELP: &str = "\
cargo xtask <command>

  setup             install what the build and the gate need, and say where it is
  build             build the page into dist/ and weigh it
  serve [--port N]  build the page and serve it on 127.0.0.1 (port 8000, or the next free one);
                    changed scenarios are picked up
  test              the whole gate; what CI runs
  journeys [filter] build the page and only walk the browser journeys
  first-view        record which functions the first view does not run, in xtask/rest.txt
  fidelity          compare the model with a real redis-server, replay scenarios and write docs/FIDELITY.md
    [--sequences N] [--seed S]   only so many sequences, from this seed; without N only one
    [--replay [ID...]]           only the replays; only these
  bench [filter]    native benchmarks

LOCKSTEP_CACHE names the folder for installed tools (otherwise ~/.cache/lockstep).
";

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    match dispatch(&args) {
        Ok(code) => code,
        Err(error) => {
            eprintln!("\nerror: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn dispatch(args: &[String]) -> Result<ExitCode> {
    std::env::set_current_dir(root()).context("cannot enter the folder of the repository")?;
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    match args.as_slice() {
        ["setup"] => setup(),
        ["build"] => build(),
        ["serve"] => serve(None),
        ["serve", "--port", port] => serve(Some(port.parse().context("--port takes a number")?)),
        ["test"] => return Ok(gate::run()),
        ["journeys", filter @ ..] => journeys(filter),
        ["first-view"] => first_view(),
        ["fidelity", args @ ..] => fidelity::command(args),
        ["bench", filter @ ..] => run(cargo().args(["bench", "--package", "lockstep", "--"]).args(filter)),
        [] | ["help" | "--help" | "-h"] => {
            print!("{HELP}");
            Ok(())
        }
        other => bail!("unknown arguments: {}\n\n{HELP}", other.join(" ")),
    }?;
    Ok(ExitCode::SUCCESS)
}

fn setup() -> Result<()> {
    let tools = Tools::for_page()?;
    let browser = browser::find_or_install()?;
    println!("\nReady. Tools: {}", tools.describe());
    println!("Driver of the browser: {}", browser.display());
    Ok(())
}

/// Builds the page and weighs it. To compare optimization levels: `CARGO_PROFILE_RELEASE_OPT_LEVEL=3 cargo xtask build`.
fn build() -> Result<()> {
    page::build(&Tools::for_page()?)?;
    step("size", || size::check(&page::dist()))
}

/// Lets a browser draw the first view in a page that notes which functions run, and writes down the others.
fn first_view() -> Result<()> {
    let tools = Tools::for_page()?;
    let names = page::build_instrumented(&tools)?;
    std::fs::create_dir_all("target")?;
    let ran = PathBuf::from("target/first-view.json");
    gate::record_first_view(&WebDriver::start()?, &root().join(&ran))?;
    let ran = serde_json::from_slice(&std::fs::read(ran)?).context("not a list of numbers")?;
    let lines = split::list(&names, &ran);
    let head =
        "# Recorded by `cargo xtask first-view`: functions that the first view does not need (see xtask/src/split.rs).";
    std::fs::write(split::LIST, format!("{head}\n{}\n", lines.join("\n")))?;
    println!("{} of {} functions ran; {} lines in {}", ran.len(), names.len(), lines.len(), split::LIST);
    page::build(&tools)
}

fn journeys(filter: &[&str]) -> Result<()> {
    page::build(&Tools::for_page()?)?;
    gate::journeys(&WebDriver::start()?, filter)
}

/// Builds the page once and serves it until the process is stopped. A scenario that is changed meanwhile is there after the
/// page is loaded again.
fn serve(port: Option<u16>) -> Result<()> {
    page::build(&Tools::for_page()?)?;
    let server = Server::start(port, vec![Mount::new("/", page::dist())])?;
    println!("\nLockstep is at {}/ (stop with Ctrl-C)", server.url());
    let mut seen = scenarios::changed()?;
    loop {
        std::thread::sleep(Duration::from_secs(1));
        let changed = scenarios::changed()?;
        if changed != seen {
            seen = changed;
            // A file that is half written is written to the end in a moment.
            match scenarios::write(&page::dist()) {
                Ok(_) => println!("the scenarios changed; load the page again"),
                Err(error) => println!("{error:#}"),
            }
        }
    }
}

/// The folder of the repository, wherever the command was called from.
fn root() -> PathBuf {
    let xtask = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    xtask.parent().map_or_else(|| xtask.clone(), PathBuf::from)
}
