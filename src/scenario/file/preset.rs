//! Well-known Redlock clients, as sets of knobs.
//!
//! A preset stands for the defaults: it says what a library does if nobody tells it otherwise, and every key of the file goes
//! before it. Where the library leaves the lease to its caller, so does the preset. All of them read the source named with
//! them; what the knobs cannot say stands there too.

use super::driver::{DriverKnobs, Renew};
use super::scalar::{Knob, Whole};
use super::words::Word;
use crate::vocabulary::{ClockChoice, Renewal, Replies, Requests, Span, StartOf};

/// A client library.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Preset {
    /// node-redlock 5 (`src/index.ts`): believes at the quorum and compares no time with the lease; all attempts share one
    /// value, and only the last failure gives back what they got; refuses to extend once its own deadline has passed.
    ///
    /// Left out: several keys in one lock, and that a failed `extend` is tried again up to ten times. `using` extends 500 ms
    /// before the deadline: `renew` beside the preset says so.
    NodeRedlock5,
    /// redsync (`mutex.go`): the specification, with a timeout per node of a twentieth of the lease, and without the 2 ms
    /// that others add for drift.
    ///
    /// Left out: one value for all attempts of a call, fail-fast, and the optional SETNX on extending.
    Redsync,
    /// redlock-py (`redlock/__init__.py`): node after node, timed by the wall clock, without a timeout. An error of a single
    /// node makes `lock` raise although it has the quorum, and the keys stay.
    ///
    /// Left out: that it gives the lock back node after node, and with one value for all attempts. It has no `extend`.
    RedlockPy,
    /// RedLock.net (`RedLock.cs`): extends every half lease, and sets a key again that is missing.
    ///
    /// Left out: that `IsAcquired` turns false after a failed renewal and true after the next good one; and waiting and
    /// retrying times that callers may give.
    RedLockNet,
    /// pottery (`pottery/redlock.py`): believes at the quorum, extends three times at most and does not look at the time that
    /// this took.
    ///
    /// Left out: that an attempt which cannot win any more still hears the other nodes out, and `QuorumIsImpossible`.
    Pottery,
    /// rslock (`src/lock.rs`), its `acquire`: an attempt that took too long gives nothing back, a failed `extend` gives
    /// back everything.
    ///
    /// Left out: that after an attempt which took too long `acquire` tries again without a pause, and that `extend` is tried
    /// three times.
    Rslock,
    /// Redisson's `RedLock` (`RedissonMultiLock.java`, deprecated), without a lease time: node after node, and a watchdog that
    /// ends in silence when it finds the owner gone.
    ///
    /// Left out: the re-entrant hash in place of the plain key, the subscription in place of polling, a watchdog for each
    /// node (here one goes by the majority), and the time limit: it is the waiting time, by the wall clock, and here
    /// the lease.
    Redisson,
}

impl Preset {
    /// What the library does if it is not told otherwise. `ttl` is the lease if the file has one, in milliseconds.
    pub(crate) fn knobs(self, ttl: Option<i64>) -> DriverKnobs {
        let part_of = |lease: i64, part: i64| Whole((ttl.unwrap_or(lease) / part).max(1));
        let every = |every_ms| Knob::Given(Renew { every_ms, ..Renew::default() });
        let clock = |clock: ClockChoice| Some(Word(clock));
        let pauses = |least: i64, random: i64| DriverKnobs {
            retry_ms: Some(Whole(least)),
            jitter_ms: Some(Whole(random)),
            ..DriverKnobs::default()
        };
        match self {
            Self::NodeRedlock5 => DriverKnobs {
                attempts: Knob::Given(Whole(11)),
                timeout_ms: Knob::Null,
                replies: Some(Word(Replies::Deciding)),
                start: Some(Word(StartOf::Call)),
                elapsed_clock: clock(ClockChoice::None),
                check_clock: clock(ClockChoice::Wall),
                one_value: Some(true),
                ..pauses(100, 200)
            },
            Self::Redsync => DriverKnobs {
                ttl_ms: Knob::Given(Whole(REDSYNC_TTL_MS)),
                attempts: Knob::Given(Whole(32)),
                timeout_ms: Knob::Given(part_of(REDSYNC_TTL_MS, 20)),
                drift_ms: Some(Whole(0)),
                ..pauses(50, 200)
            },
            Self::RedlockPy => DriverKnobs {
                attempts: Knob::Given(Whole(3)),
                timeout_ms: Knob::Null,
                requests: Some(Word(Requests::Sequential)),
                elapsed_clock: clock(ClockChoice::Wall),
                check_clock: clock(ClockChoice::Wall),
                raise_errors: Some(true),
                ..pauses(200, 0)
            },
            Self::RedLockNet => DriverKnobs {
                attempts: Knob::Given(Whole(3)),
                timeout_ms: Knob::Given(Whole(5000)),
                check_clock: clock(ClockChoice::None),
                renew: every(part_of(DEFAULT_TTL_MS, 2)),
                ..pauses(1, 399)
            },
            Self::Pottery => {
                DriverKnobs { timeout_ms: Knob::Null, replies: Some(Word(Replies::Deciding)), ..pauses(1, 199) }
            }
            Self::Rslock => DriverKnobs { timeout_ms: Knob::Null, release_late: Some(false), ..pauses(1, 199) },
            Self::Redisson => DriverKnobs {
                ttl_ms: Knob::Given(Whole(WATCHDOG_MS)),
                timeout_ms: Knob::Given(Whole(3000)),
                requests: Some(Word(Requests::Sequential)),
                elapsed_clock: clock(ClockChoice::Wall),
                check_clock: clock(ClockChoice::None),
                drift_percent: Some(Whole(0)),
                drift_ms: Some(Whole(0)),
                renew: every(part_of(WATCHDOG_MS, 3)),
                ..DriverKnobs::default()
            },
        }
    }

    /// How the library extends a lease, however often.
    pub(crate) const fn renewal(self, every: Span) -> Renewal {
        let plain = Renewal::plain(every);
        match self {
            Self::NodeRedlock5 => Renewal { check_elapsed: false, after_expiry: false, ..plain },
            Self::RedLockNet => Renewal { set_if_missing: true, ..plain },
            Self::Pottery => Renewal { check_elapsed: false, most: Some(3), ..plain },
            Self::Rslock => Renewal { release_failed: true, ..plain },
            Self::Redisson => Renewal { check_elapsed: false, quiet: true, ..plain },
            Self::Redsync | Self::RedlockPy => plain,
        }
    }
}

/// The lease if nobody names one.
const DEFAULT_TTL_MS: i64 = 10_000;

/// redsync's own.
const REDSYNC_TTL_MS: i64 = 8000;

/// Redisson's `lockWatchdogTimeout`.
const WATCHDOG_MS: i64 = 30_000;
