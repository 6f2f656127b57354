//! What a process left on disk.

use std::sync::Arc;

use super::redis::RedisStore;
use super::replicated_log::Durable;
use super::storage::Stored;
use crate::vocabulary::NodeId;

/// The content of a process's files.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub(super) enum DiskImage {
    /// Nothing was written.
    #[default]
    Empty,
    /// A Redis append-only file, as the state it replays to.
    Redis(Arc<RedisStore>),
    /// A sentinel's configuration file: who is primary.
    Sentinel(NodeId),
    /// What a server of an ensemble promised, and its log.
    Log(Arc<Durable>),
    /// A storage server's data.
    Storage(Arc<Vec<Stored>>),
}

/// A process's files: what is in the page cache and what is on the disk itself.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub(super) struct Disk {
    pub(super) written: DiskImage,
    pub(super) synced: DiskImage,
}

impl Disk {
    /// Brings what was written to the disk itself.
    pub(super) fn fsync(&mut self) {
        self.synced = self.written.clone();
    }

    /// The power goes: what was not synced is gone.
    pub(super) fn lose_page_cache(&mut self) {
        self.written = self.synced.clone();
    }
}
