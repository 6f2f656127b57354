//! Replicas and the sentinel that watches over them.

use super::scalar::{Day, Ms, Name, Whole};
use crate::scenario::read::object;

object! {
    /// Copies of a Redis node.
    pub(crate) struct ReplicasEntry {
        /// Their processes.
        pub nodes: Vec<Name>,
        /// How long a change stays in the primary's output buffer before it goes to a replica. Default: 0.
        pub lag_ms: Ms = Ms::default(),
        /// `min-replicas-to-write`: with fewer good replicas the primary refuses to write. Default: 0.
        pub min_to_write: Whole<0, 16> = Whole::default(),
        /// `min-replicas-max-lag`: a replica is good if it was heard of so many whole seconds ago at most. Default: 10.
        pub max_lag_s: Whole<0, 86_400> = Whole(10),
    }

    /// A sentinel.
    pub(crate) struct SentinelEntry {
        /// Its process. Default: `sentinel`.
        pub node: Option<Name> = None,
        /// `down-after-milliseconds`: after so long without an answer it takes a node for down. Default: 30000.
        pub down_after_ms: Day = Whole(30_000),
    }
}
