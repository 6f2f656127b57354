//! How the servers of an ensemble keep time.

use super::scalar::{Day, Ms, Name, Whole};
use crate::scenario::read::object;

object! {
    /// The settings of a ZooKeeper ensemble.
    pub(crate) struct EnsembleEntry {
        /// Who leads at the start. Default: the last server, which would win an election among equals.
        pub leader: Option<Name> = None,
        /// `tickTime`. Default: 2000.
        pub tick_ms: Day = Whole(2000),
        /// `initLimit`: how many ticks a leader and its followers have to begin. Default: 10.
        pub init_limit: Whole<1, 100> = Whole(10),
        /// `syncLimit`: how many ticks they may hear nothing of each other. Default: 5.
        pub sync_limit: Whole<1, 100> = Whole(5),
        /// How long the disk takes to write an entry. Default: 0.
        pub fsync_ms: Ms = Ms::default(),
        /// `znode.container.checkIntervalMs`: how often empty parents are deleted, or null for never. Default: null.
        pub container_check_ms: Option<Day> = None,
    }
}
