//! A client's way with a lock, knob by knob.

use serde::Deserialize;

use super::scalar::{Day, Knob, Ms, Whole};

/// How a client uses a lock. What is left out is taken from the service, and there from the defaults.
#[derive(Deserialize, Default)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
pub(crate) struct DriverKnobs {
    /// The lease's length, or null for a lock without expiry. Default: 10000.
    #[serde(default)]
    pub ttl_ms: Knob<Day>,
    /// How the lock is taken. Default: set.
    #[serde(default)]
    pub acquire: Option<Acquire>,
    /// Where fencing tokens come from. Default: none.
    #[serde(default)]
    pub token: Option<TokenFrom>,
    /// How many attempts before giving up, or null for no end. Default: null.
    #[serde(default)]
    pub attempts: Knob<Whole<1, 1_000_000>>,
    /// The pause between attempts. Default: 100.
    #[serde(default)]
    pub retry_ms: Option<Day>,
    /// Up to this much is added to each pause, at random. Default: 0.
    #[serde(default)]
    pub jitter_ms: Option<Ms>,
    /// How long to wait for a node's reply. Default: 50.
    #[serde(default)]
    pub timeout_ms: Option<Day>,
    /// The clock by which the client judges its own lease. Default: monotonic.
    #[serde(default)]
    pub check_clock: Option<CheckClock>,
    /// Whether it stops believing at its own deadline and when it hears of a loss. Default: false.
    #[serde(default)]
    pub careful: Option<bool>,
    /// How the lock is given back. Default: compare-and-delete.
    #[serde(default)]
    pub release: Option<Release>,
    /// Whether the release line waits for the reply. Default: true.
    #[serde(default)]
    pub await_release: Option<bool>,
    /// Renewal in the background, or null for none. Default: null.
    #[serde(default)]
    pub renew: Knob<Renew>,
}

/// How the lock is taken.
#[derive(Deserialize, Clone, Copy)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
pub(crate) enum Acquire {
    /// `SET key value NX PX ttl`, atomic.
    Set,
    /// `SETNX`, and the expiry as a second step.
    SetNx,
}

/// Where fencing tokens come from.
#[derive(Deserialize, Clone, Copy)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
pub(crate) enum TokenFrom {
    /// There are none.
    None,
    /// One atomic script takes the lock and counts.
    Counter,
    /// A separate `INCR` after the lock was taken.
    SeparateCounter,
}

/// The clock by which a client judges its own lease.
#[derive(Deserialize, Clone, Copy)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
pub(crate) enum CheckClock {
    /// The clock that never steps.
    Monotonic,
    /// The clock that can be set.
    Wall,
    /// None: it does not look.
    None,
}

/// How the lock is given back.
#[derive(Deserialize, Clone, Copy)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
pub(crate) enum Release {
    /// Deleted only if it is still its own.
    CompareAndDelete,
    /// Plain `DEL`.
    Delete,
    /// Not at all.
    Never,
}

/// Renewal in the background.
#[derive(Deserialize, Clone, Copy)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
pub(crate) struct Renew {
    /// How often.
    pub every_ms: Day,
    /// Whether a missing key is set again instead of being taken as a loss. Default: false.
    #[serde(default)]
    pub set_if_missing: bool,
}
