//! A log of entries that histories can keep by the hundred thousand: full chunks are shared, only the last one is copied.

use std::sync::Arc;

use super::Entry;
use crate::vocabulary::Zxid;

/// How many entries a full chunk has: an append copies half as many on average.
const CHUNK: usize = 16;

/// Servers share their entries, too.
type Chunk = Arc<Vec<Arc<Entry>>>;

/// Entries in order of their zxids. Clones share everything but what is appended afterwards.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Log {
    full: Arc<Vec<Chunk>>,
    /// Never a whole chunk.
    tail: Chunk,
}

impl Log {
    /// How many entries there are.
    pub fn len(&self) -> u32 {
        (self.full.len() * CHUNK + self.tail.len()) as u32
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The zxid of the last entry; zero if there is none.
    pub fn last(&self) -> Zxid {
        self.zxid_before(self.len())
    }

    /// An entry by its place. Panics if there are not so many.
    pub fn entry(&self, place: u32) -> &Entry {
        self.shared(place)
    }

    fn shared(&self, place: u32) -> &Arc<Entry> {
        let (chunk, place) = (place as usize / CHUNK, place as usize % CHUNK);
        if chunk < self.full.len() { &self.full[chunk][place] } else { &self.tail[place] }
    }

    /// The zxid of the last of the first `len` entries; zero if `len` is.
    pub fn zxid_before(&self, len: u32) -> Zxid {
        len.checked_sub(1).map_or(Zxid::ZERO, |place| self.entry(place).zxid)
    }

    /// How many entries have a zxid of at most this.
    pub fn count_to(&self, zxid: Zxid) -> u32 {
        let (mut low, mut high) = (0, self.len());
        while low < high {
            let middle = low + (high - low) / 2;
            if self.entry(middle).zxid <= zxid {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        low
    }

    /// The entries from a place on.
    pub fn from(&self, place: u32) -> impl Iterator<Item = &Arc<Entry>> {
        (place..self.len()).map(|place| self.shared(place))
    }

    pub(super) fn push(&mut self, entry: Arc<Entry>) {
        let tail = Arc::make_mut(&mut self.tail);
        tail.reserve_exact(1);
        tail.push(entry);
        if self.tail.len() == CHUNK {
            let full = std::mem::take(&mut self.tail);
            let chunks = Arc::make_mut(&mut self.full);
            chunks.reserve_exact(1);
            chunks.push(full);
        }
    }

    /// Keeps the first `len` entries.
    pub(super) fn truncate(&mut self, len: u32) {
        if len >= self.len() {
            return;
        }
        let (chunk, rest) = (len as usize / CHUNK, len as usize % CHUNK);
        if chunk < self.full.len() {
            self.tail = Arc::new(self.full[chunk][..rest].to_vec());
            Arc::make_mut(&mut self.full).truncate(chunk);
        } else {
            Arc::make_mut(&mut self.tail).truncate(rest);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::world::replicated_log::Change;

    fn log(len: u32) -> Log {
        let mut log = Log::default();
        for n in 1..=len {
            log.push(Arc::new(Entry { zxid: Zxid::new(1, n), change: Change::Nothing }));
        }
        log
    }

    #[test]
    fn entries_are_found_by_place_and_by_zxid() {
        let log = log(50);
        assert_eq!((log.len(), log.last()), (50, Zxid::new(1, 50)));
        for n in 0..50 {
            assert_eq!(log.entry(n).zxid, Zxid::new(1, n + 1));
            assert_eq!(log.count_to(Zxid::new(1, n)), n);
        }
        assert_eq!(log.count_to(Zxid::new(2, 0)), 50);
        assert_eq!(log.from(48).count(), 2);
    }

    #[test]
    fn a_log_that_was_cut_is_a_log_that_never_grew() {
        for cut in [0, 1, 15, 16, 17, 31, 32, 40, 50, 60] {
            let mut long = log(50);
            let before = long.clone();
            long.truncate(cut);
            assert_eq!(long, log(cut.min(50)));
            assert_eq!(before, log(50), "a clone keeps what it had");
        }
    }
}
