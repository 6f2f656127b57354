//! Saying what happens and how long it took.

use anyhow::Result;
use std::time::{Duration, Instant};

/// Runs one named piece of work, saying its name before and its time after.
pub(crate) fn step<T>(name: &str, work: impl FnOnce() -> Result<T>) -> Result<T> {
    println!("\n==> {name}");
    let start = Instant::now();
    let result = work();
    let verb = if result.is_ok() { "done" } else { "FAILED" };
    println!("    {verb} in {}: {name}", seconds(start.elapsed()));
    result
}

/// `12.3 s`, or `4 min 05 s` from a minute on.
pub(crate) fn seconds(time: Duration) -> String {
    let whole = time.as_secs();
    if whole < 60 { format!("{:.1} s", time.as_secs_f64()) } else { format!("{} min {:02} s", whole / 60, whole % 60) }
}
