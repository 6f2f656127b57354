//! The Redis model beside a real `redis-server`: every reply compared, at a clock that the test moves.
//!
//! `cargo xtask fidelity` provides the server, the library `clock.c` that goes before it, and a folder; see [`server`].
//! Every random choice of a sequence comes from its seed, which is printed with any difference.
#![cfg(all(feature = "fidelity", target_os = "linux"))]

mod draw;
mod facts;
mod lane;
mod pair;
mod report;
mod resp;
mod server;
mod words;

use std::error::Error;
use std::ops::Range;
use std::thread;

use lane::LANES;
use report::Tally;

/// What a test ends with.
type Outcome<T = ()> = Result<T, Box<dyn Error + Send + Sync>>;

const SEQUENCES: u64 = 200;
const SEED: u64 = 1;

#[test]
fn random_sequences_give_the_same_replies() -> Outcome {
    let first = number("LOCKSTEP_SEED")?.unwrap_or(SEED);
    let seeds = first..first + number("LOCKSTEP_SEQUENCES")?.unwrap_or(SEQUENCES);
    let tally = run(&seeds)?;
    println!("{}", tally.summary());
    report::write(&seeds, &tally)?;
    let differences = &tally.differences;
    assert!(differences.is_empty(), "{} sequences differ\n\n{}", differences.len(), differences.join("\n"));
    Ok(())
}

/// Every kind of server has a thread of its own, and takes the seeds that belong to it.
fn run(seeds: &Range<u64>) -> Outcome<Tally> {
    thread::scope(|scope| {
        let lanes: Vec<_> = LANES.iter().map(|lane| scope.spawn(move || lane.run(seeds))).collect();
        let mut all = Tally::default();
        for lane in lanes {
            all.add(lane.join().map_err(|_| "a thread panicked; its message is above")??);
        }
        Ok(all)
    })
}

fn number(name: &str) -> Outcome<Option<u64>> {
    match std::env::var(name) {
        Ok(text) => Ok(Some(text.parse().map_err(|error| format!("{name}: {error}"))?)),
        Err(_) => Ok(None),
    }
}
