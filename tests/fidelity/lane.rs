//! One kind of server and the sequences that it goes through.

use std::ops::Range;

use lockstep::vocabulary::Persistence;

use crate::Outcome;
use crate::draw::{Draw, Next};
use crate::pair::Pair;
use crate::report::Tally;
use crate::server::Kind;

/// Every kind of server. The sequence with seed `n` belongs to lane `n % 6`.
pub(crate) const LANES: [Lane; 6] = [
    Lane::new(0, Persistence::None, false),
    Lane::new(1, Persistence::EverySecond, false),
    Lane::new(2, Persistence::Always, false),
    Lane::new(3, Persistence::None, true),
    Lane::new(4, Persistence::EverySecond, true),
    Lane::new(5, Persistence::Always, true),
];

/// The append-only file grows with every sequence, and a restart reads it all.
const SEQUENCES_PER_SERVER: usize = 50;
/// One difference is news, many are noise.
const DIFFERENCES_MAX: usize = 3;
const LOG_LINES_MAX: usize = 25;
/// Midnight of some day of 2023.
const FIRST_DAY: i64 = 19_675;

pub(crate) struct Lane {
    number: u64,
    kind: Kind,
}

impl Lane {
    const fn new(number: u64, persistence: Persistence, active_expiry: bool) -> Self {
        Self { number, kind: Kind { persistence, active_expiry } }
    }

    /// Goes through the seeds that belong to this lane.
    pub(crate) fn run(&self, seeds: &Range<u64>) -> Outcome<Tally> {
        let mine: Vec<u64> = seeds.clone().filter(|seed| seed % LANES.len() as u64 == self.number).collect();
        let mut tally = Tally::default();
        for seeds in mine.chunks(SEQUENCES_PER_SERVER) {
            let mut pair = Pair::new(self.kind, FIRST_DAY)?;
            tally.version = pair.server().version()?;
            for seed in seeds {
                sequence(&mut pair, *seed).map_err(|error| format!("seed {seed}: {error}"))?;
                pair.tally.sequences += 1;
                if let Some(log) = pair.difference() {
                    tally.differences.push(self.difference(*seed, &log));
                }
                if tally.differences.len() >= DIFFERENCES_MAX {
                    break;
                }
            }
            tally.add(std::mem::take(&mut pair.tally));
            if tally.differences.len() >= DIFFERENCES_MAX {
                break;
            }
        }
        Ok(tally)
    }

    fn difference(&self, seed: u64, log: &[String]) -> String {
        let Kind { persistence, active_expiry } = self.kind;
        let title = format!("seed {seed} ({persistence:?}, active expiry: {active_expiry})");
        let replay = format!("replay with: cargo xtask fidelity --seed {seed}");
        let last = log[log.len().saturating_sub(LOG_LINES_MAX)..].iter().map(|line| format!("  {line}"));
        [title, replay].into_iter().chain(last).map(|line| line + "\n").collect()
    }
}

/// One sequence; it ends at the first difference.
fn sequence(pair: &mut Pair, seed: u64) -> Outcome {
    let mut draw = Draw::new(seed);
    pair.begin(draw.start_us())?;
    for _ in 0..draw.length() {
        match draw.next(pair.now_us(), &pair.deadlines()) {
            Next::Command { command, in_seconds } => pair.command(command, in_seconds)?,
            Next::Clock { wall_us } => pair.step_clock(wall_us)?,
            Next::Kill { wall_us } => pair.kill(wall_us)?,
            Next::PowerLoss { wall_us } => pair.power_loss(wall_us)?,
        }
        if pair.differs() {
            return Ok(());
        }
    }
    pair.look()
}
