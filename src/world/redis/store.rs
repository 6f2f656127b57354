//! What a Redis node keeps: keys with a value and a deadline.

use crate::vocabulary::{GrantId, KeyId, NodeId, Span};
use crate::world::message::RedisValue;

/// What a Redis process keeps in memory, and what its append-only file replays to.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct RedisStore {
    pub(super) keys: Vec<(KeyId, Entry)>,
    /// The primary that the node follows, as its configuration file says; `None` if it is one itself.
    pub(super) leader: Option<NodeId>,
}

/// A key's value and deadline.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Entry {
    /// The value.
    pub value: RedisValue,
    /// When it expires, in microseconds of the node's expiry clock (always whole milliseconds).
    pub deadline: Option<i64>,
    /// Provenance, for the judges: who set the key. The node does not look at it.
    pub owner: NodeId,
    /// Provenance, for the judges: the grant that this key stands for.
    pub grant: Option<GrantId>,
    /// The lease as granted.
    pub lease: Option<Span>,
}

impl Entry {
    pub(super) const fn expired(&self, now_us: i64) -> bool {
        match self.deadline {
            Some(deadline) => whole_ms(now_us) > deadline,
            None => false,
        }
    }
}

impl RedisStore {
    /// The entry of a key, expired or not.
    pub fn entry(&self, key: KeyId) -> Option<&Entry> {
        self.keys.iter().find(|(k, _)| *k == key).map(|(_, entry)| entry)
    }

    /// Every key with its entry.
    pub fn iter(&self) -> impl Iterator<Item = &(KeyId, Entry)> {
        self.keys.iter()
    }

    pub(super) fn entry_mut(&mut self, key: KeyId) -> Option<&mut Entry> {
        self.keys.iter_mut().find(|(k, _)| *k == key).map(|(_, entry)| entry)
    }

    pub(super) fn put(&mut self, key: KeyId, entry: Entry) {
        match self.entry_mut(key) {
            Some(old) => *old = entry,
            None => self.keys.push((key, entry)),
        }
    }

    pub(super) fn take(&mut self, key: KeyId) -> Option<Entry> {
        let place = self.keys.iter().position(|(k, _)| *k == key)?;
        Some(self.keys.remove(place).1)
    }
}

/// The clock is read in whole milliseconds.
pub(super) const fn whole_ms(us: i64) -> i64 {
    us.div_euclid(1000) * 1000
}
