//! A client's way with a lock, knob by knob.

use super::preset::Preset;
use super::scalar::{Day, Knob, Ms, Whole};
use super::words::Word;
use crate::scenario::read::object;
use crate::vocabulary::{AcquireMode, ClockChoice, ReleaseMode, Replies, Requests, StartOf, TokenSource, Watched};

object! {
    /// How a client uses a lock. What is left out is taken from the service, and there from the defaults.
    #[derive(Clone, Copy, Default)]
    pub(crate) struct DriverKnobs {
        /// A client library whose ways stand for the defaults, or null. Everything that is said beside it goes before it.
        /// Redlock only. Default: null.
        pub preset: Option<Word<Preset>> = None,
        /// The lease's length, or null for a lock without expiry. Default: 10000.
        pub ttl_ms: Knob<Day> = Knob::Unset,
        /// How the lock is taken: `set` is `SET key value NX PX ttl`, atomic; `setnx` sets the expiry as a second step;
        /// `reentrant` counts how often its owner took it, and `reentrant-by-id` counts a resent request once. Default: set.
        pub acquire: Option<Word<AcquireMode>> = None,
        /// Where fencing tokens come from: `counter` takes the lock and counts in one script, `separate-counter` sends an
        /// `INCR` to the first node after the lock was taken, `random` takes the lock's random value; for zookeeper `czxid`
        /// takes the zxid that made the lock's node, `sequence` the number in its name, `node-version` its version, and
        /// `parent-version` the version of the parent, which each holder raises. With several nodes
        /// `counter` counts on each, and the highest answer is the token. Default: none.
        pub token: Option<Word<TokenSource>> = None,
        /// Whether it asks with `WAIT` that replicas have the lock before it believes, or null. Default: null.
        pub wait: Knob<WaitEntry> = Knob::Unset,
        /// How many attempts before giving up, or null for no end. Default: null.
        pub attempts: Knob<Whole<1, 1_000_000>> = Knob::Unset,
        /// The pause between attempts. Default: 100.
        pub retry_ms: Option<Day> = None,
        /// Up to this much is added to each pause, at random. Default: 0, and for redlock 100.
        pub jitter_ms: Option<Ms> = None,
        /// How long to wait for a node's reply, or null for as long as the connection stands. Default: 50.
        pub timeout_ms: Knob<Day> = Knob::Unset,
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
        /// How many votes are needed, or null for a majority of the nodes. Default: null.
        pub quorum: Knob<Whole<1, 9>> = Knob::Unset,
        /// Whether the nodes are asked at once or one after the other. Default: parallel.
        pub requests: Option<Word<Requests>> = None,
        /// Whether an attempt, or a release, waits for all answers or only for those that decide. Default: all.
        pub replies: Option<Word<Replies>> = None,
        /// The clock by which the time that taking the lock took is compared with the lease; with `none` it is not.
        /// Default: none, and for redlock monotonic.
        pub elapsed_clock: Option<Word<ClockChoice>> = None,
        /// Whether that time counts from the attempt or from the `acquire` line. Default: attempt.
        pub start: Option<Word<StartOf>> = None,
        /// What is taken off the lease for clocks that drift, in hundredths. Default: 0, and for redlock 1.
        pub drift_percent: Option<Whole<0, 99>> = None,
        /// What is taken off besides. Default: 0, and for redlock 2.
        pub drift_ms: Option<Ms> = None,
        /// Whether a failed attempt gives the lock back on all nodes. Default: false, and for redlock true.
        pub release_failed: Option<bool> = None,
        /// Whether it does so also when there were enough votes, but too much time had passed. Default: true.
        pub release_late: Option<bool> = None,
        /// Whether all attempts of one `acquire` use one value, and nothing is given back before the last has failed.
        /// Default: false.
        pub one_value: Option<bool> = None,
        /// Whether a node that did not answer makes `acquire` fail for good although there were enough votes; what was
        /// granted is not given back then. Default: false.
        pub raise_errors: Option<bool> = None,
        /// Zookeeper: the session timeout that the client wishes; granted are 2 to 20 ticks. Default: 10000.
        pub session_ms: Option<Day> = None,
        /// Zookeeper: what it watches while it waits, the node before its own or all of them. Default: predecessor.
        pub watch: Option<Word<Watched>> = None,
        /// Zookeeper: whether its node's name begins with an id by which it finds the node again. Default: true.
        pub id_in_name: Option<bool> = None,
        /// Zookeeper: whether it lists the nodes again if the one that it wants to watch is gone. Default: true.
        pub list_again: Option<bool> = None,
        /// Zookeeper: whether its node goes with its session. Default: true.
        pub ephemeral: Option<bool> = None,
        /// Zookeeper: whether it stops while it is disconnected. Default: false.
        pub suspend: Option<bool> = None,
        /// Zookeeper: whether it has its server catch up (`sync`) before it looks for a node whose creation nobody
        /// confirmed. Default: false, as in the published libraries.
        pub sync: Option<bool> = None,
    }

    /// `WAIT replicas timeout` after the lock was taken.
    #[derive(Clone, Copy)]
    pub(crate) struct WaitEntry {
        /// How many replicas must have it.
        pub replicas: Whole<1, 16>,
        /// How long the node may wait for them. Default: 1000.
        pub timeout_ms: Day = Whole(1000),
    }

    /// Renewal in the background. What is left out is taken from the preset, and there from the defaults.
    #[derive(Clone, Copy, Default)]
    pub(crate) struct Renew {
        /// How often.
        pub every_ms: Day,
        /// Whether a missing key is set again instead of being taken as a loss. Default: false.
        pub set_if_missing: Option<bool> = None,
        /// Whether the time that it took is compared with the lease by `elapsed_clock`. Default: true.
        pub check_elapsed: Option<bool> = None,
        /// How many renewals of one hold may succeed, or null for no limit. Default: null.
        pub most: Knob<Whole<1, 1_000_000>> = Knob::Unset,
        /// Whether it is sent although the lease is over by `check_clock`. Default: true.
        pub after_expiry: Option<bool> = None,
        /// Whether the lock is given back on all nodes when a renewal fails. Default: false.
        pub release_failed: Option<bool> = None,
        /// Whether a failed renewal ends all further ones and tells the client nothing. Default: false.
        pub quiet: Option<bool> = None,
    }
}
