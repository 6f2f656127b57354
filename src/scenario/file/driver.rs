//! A client's way with a lock, knob by knob.

use super::scalar::{Day, Knob, Ms, Whole};
use super::words::Word;
use crate::scenario::read::object;
use crate::vocabulary::{AcquireMode, ClockChoice, ReleaseMode, TokenSource};

object! {
    /// How a client uses a lock. What is left out is taken from the service, and there from the defaults.
    #[derive(Default)]
    pub(crate) struct DriverKnobs {
        /// The lease's length, or null for a lock without expiry. Default: 10000.
        pub ttl_ms: Knob<Day> = Knob::Unset,
        /// How the lock is taken: `set` is `SET key value NX PX ttl`, atomic; `setnx` sets the expiry as a second step.
        /// Default: set.
        pub acquire: Option<Word<AcquireMode>> = None,
        /// Where fencing tokens come from: `counter` takes the lock and counts in one script, `separate-counter` sends an
        /// `INCR` after the lock was taken. Default: none.
        pub token: Option<Word<TokenSource>> = None,
        /// How many attempts before giving up, or null for no end. Default: null.
        pub attempts: Knob<Whole<1, 1_000_000>> = Knob::Unset,
        /// The pause between attempts. Default: 100.
        pub retry_ms: Option<Day> = None,
        /// Up to this much is added to each pause, at random. Default: 0.
        pub jitter_ms: Option<Ms> = None,
        /// How long to wait for a node's reply. Default: 50.
        pub timeout_ms: Option<Day> = None,
        /// The clock by which the client judges its own lease; with `none` it does not look. Default: monotonic.
        pub check_clock: Option<Word<ClockChoice>> = None,
        /// Whether it stops believing at its own deadline and when it hears of a loss (with `check_clock` none: only
        /// when it hears of a loss). Default: false.
        pub careful: Option<bool> = None,
        /// How the lock is given back: only if it is still its own, by a plain `DEL`, or not at all.
        /// Default: compare-and-delete.
        pub release: Option<Word<ReleaseMode>> = None,
        /// Whether the release line waits for the reply. Default: true.
        pub await_release: Option<bool> = None,
        /// Renewal in the background, or null for none. Default: null.
        pub renew: Knob<Renew> = Knob::Unset,
    }

    /// Renewal in the background.
    #[derive(Clone, Copy)]
    pub(crate) struct Renew {
        /// How often.
        pub every_ms: Day,
        /// Whether a missing key is set again instead of being taken as a loss. Default: false.
        pub set_if_missing: bool = false,
    }
}
