//! Scenarios replayed by real processes: clients, a storage server and Redis servers over real sockets, with real stops,
//! kills and clock jumps. The library's judges are fed what these processes did, and what they say is compared with what
//! they say of the model's run of the same file.
//!
//! `cargo xtask fidelity` provides the server, the library that moves clocks and a folder. This program is all processes of
//! a replay: without a role among its arguments it conducts, and starts itself again in the other roles.
#![cfg(target_os = "linux")]

mod actor;
mod client;
mod conductor;
mod control;
mod copying;
mod frame;
mod link;
mod redis;
mod report;
mod storage;
mod truth;
mod verdict;

use std::error::Error;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

use lockstep::scenario::load;

use client::Client;
use conductor::{Conductor, Replay};
use report::Row;

/// What anything here ends with.
type Outcome<T = ()> = Result<T, Box<dyn Error + Send + Sync>>;

/// What is replayed: scenarios, each followed by its controls.
const NAMES: &[&str] = &[
    "gc-pause-write",
    "gc-pause-write:short-pause",
    "plain-delete",
    "plain-delete:compare-and-delete",
    "delayed-packet",
    "delayed-packet:connection-lost",
    "delayed-packet:naive",
    "clock-jump-single",
    "clock-jump-single:client-clock",
    "clock-jump-back",
    "clock-jump-back:no-jump",
    "fencing-token",
    "fencing-token:guard-off",
    "redlock-clock-jump",
    "redlock-clock-jump:small-jump",
    "redlock-crash-restart",
    "redlock-crash-restart:fsync-always",
    "redlock-crash-restart:late-restart",
    "redlock-crash-restart:cheated-timer",
    "redlock-crash-restart:five-of-five",
    "redlock-pause-after-check",
    "redlock-pause-after-check:short-pause",
    "redlock-pause-in-flight",
    "redlock-pause-in-flight:check-off",
    "failover-loses-lock",
    "failover-loses-lock:copied",
    "failover-loses-lock:wait-for-copy",
    "replica-skewed-clock",
    "replica-skewed-clock:equal-clocks",
];

/// How many times faster than in the scenario a replay goes. One that was disturbed is repeated, in the end more slowly.
const SCALES: &[u64] = &[4, 4, 4, 2, 2, 1];
/// A replay counts only if nothing in it came later than this, in the scenario's time. No verdict hangs on less.
const TOLERANCE: Duration = Duration::from_millis(150);
/// With replicas the order of a death and a copy decides, and between them lie tens of milliseconds: neither is scaled.
const SCALES_WITH_REPLICAS: &[u64] = &[1, 1, 1, 1, 1, 1];
const TOLERANCE_WITH_REPLICAS: Duration = Duration::from_millis(15);
/// So many replays go on at once: they mostly wait.
const LANES: usize = 4;

fn main() -> Outcome {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let args: Vec<_> = args.iter().map(String::as_str).collect();
    match args[..] {
        ["client", name, ix, scale, dir] => Client::new(&load(name)?, ix.parse()?, scale.parse()?, dir.into()).run(),
        ["storage", name, socket] => storage::serve(&load(name)?, Path::new(socket)),
        [] => conduct(NAMES, true),
        ref names => conduct(names, false),
    }
}

fn conduct(names: &[&str], all: bool) -> Outcome {
    let next = AtomicUsize::new(0);
    let rows = Mutex::new(Vec::new());
    let lane = || -> Outcome {
        while let Some(name) = names.get(next.fetch_add(1, Ordering::Relaxed)) {
            let row = replay(name).map_err(|error| format!("{name}: {error}"))?;
            println!("{}", row.line());
            rows.lock().map_err(|_| "a lane panicked")?.push(row);
        }
        Ok(())
    };
    thread::scope(|scope| {
        let lanes: Vec<_> = (0..LANES).map(|_| scope.spawn(lane)).collect();
        lanes.into_iter().try_for_each(|lane| lane.join().map_err(|_| "a lane panicked")?)
    })?;
    let mut rows = rows.into_inner().map_err(|_| "a lane panicked")?;
    rows.sort_by_key(|row| names.iter().position(|name| *name == row.name));
    if all {
        report::write(&rows)?;
    }
    let differ: Vec<_> = rows.iter().filter(|row| !row.agrees()).map(|row| row.name.as_str()).collect();
    if differ.is_empty() { Ok(()) } else { Err(format!("model and replay differ: {}", differ.join(", ")).into()) }
}

/// Replays until nothing disturbs.
fn replay(name: &str) -> Outcome<Row> {
    let scenario = load(name)?;
    let model = verdict::of_model(&scenario);
    let copies = scenario.setup.services.iter().any(|service| service.failover.is_some());
    let (scales, tolerance) =
        if copies { (SCALES_WITH_REPLICAS, TOLERANCE_WITH_REPLICAS) } else { (SCALES, TOLERANCE) };
    let mut lags = Vec::new();
    for (attempt, scale) in scales.iter().enumerate() {
        let scenario = load(name)?;
        let setup = scenario.setup.clone();
        let dir = PathBuf::from(given("LOCKSTEP_FIDELITY_DIR")?).join(format!("{}-{attempt}", name.replace(':', "-")));
        let replay = Conductor::new(name, scenario, *scale, dir.clone())?.run()?;
        std::fs::remove_dir_all(dir)?;
        let lag = replay.lag * *scale as u32;
        if lag <= tolerance {
            let real = verdict::of_replay(&setup, &replay.records);
            if replay.unfired > 0 {
                return Err(format!("{} faults did not happen", replay.unfired).into());
            }
            let Replay { records, version, .. } = replay;
            let row = Row { name: name.to_owned(), model, real, scale: *scale, repeats: attempt, lag, version };
            if !row.agrees() || std::env::var_os("LOCKSTEP_REPLAY_LOG").is_some() {
                println!("{}", verdict::log_text(&setup, &records));
            }
            return Ok(row);
        }
        lags.push(lag);
    }
    Err(format!("the machine was too busy each time: {lags:?} late, in the scenario's time").into())
}

/// What `cargo xtask fidelity` tells.
fn given(name: &str) -> Outcome<String> {
    std::env::var(name).map_err(|_| format!("{name} is not set: run `cargo xtask fidelity`").into())
}
