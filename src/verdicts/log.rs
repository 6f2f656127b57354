//! A list that only grows, made for monitors that are cloned often.

use std::sync::Arc;

/// How many items one block holds.
const BLOCK: usize = 32;

/// An append-only list in blocks. Clones share every block; a change copies the one block it falls into.
///
/// Invariant: all blocks but the last are full, none is empty. `push`, `get` and `get_mut` are O(1) (a changed shared block
/// costs one copy of at most 32 items); a clone costs one pointer per 32 items.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Log<T> {
    blocks: Vec<Arc<Vec<T>>>,
}

impl<T: Clone> Log<T> {
    pub(crate) const fn new() -> Self {
        Self { blocks: Vec::new() }
    }

    pub(crate) fn len(&self) -> u32 {
        self.blocks.last().map_or(0, |last| (self.blocks.len() - 1) * BLOCK + last.len()) as u32
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.blocks.is_empty()
    }

    /// Appends an item and returns its place.
    pub(crate) fn push(&mut self, item: T) -> u32 {
        let place = self.len();
        match self.blocks.last_mut() {
            Some(last) if last.len() < BLOCK => Arc::make_mut(last).push(item),
            _ => self.blocks.push(Arc::new(vec![item])),
        }
        place
    }

    /// The item at a place that `push` returned.
    pub(crate) fn get(&self, place: u32) -> &T {
        &self.blocks[place as usize / BLOCK][place as usize % BLOCK]
    }

    /// The same, to change it.
    pub(crate) fn get_mut(&mut self, place: u32) -> &mut T {
        &mut Arc::make_mut(&mut self.blocks[place as usize / BLOCK])[place as usize % BLOCK]
    }

    /// The items in order of their places.
    pub(crate) fn iter(&self) -> impl DoubleEndedIterator<Item = &T> {
        self.blocks.iter().flat_map(|block| block.iter())
    }

    /// The items from a place on, in order.
    pub(crate) fn since(&self, place: u32) -> impl Iterator<Item = &T> {
        (place..self.len()).map(|place| self.get(place))
    }

    /// The place of the last item for which `wanted` holds.
    pub(crate) fn rfind(&self, wanted: impl Fn(&T) -> bool) -> Option<u32> {
        (0..self.len()).rev().find(|place| wanted(self.get(*place)))
    }
}

#[cfg(test)]
mod tests {
    use super::Log;

    #[test]
    fn a_clone_keeps_what_it_had() {
        let mut log = Log::new();
        for n in 0..70 {
            assert_eq!(log.push(n), n);
        }
        let old = log.clone();
        *log.get_mut(40) = 1000;
        log.push(70);
        assert_eq!((old.len(), *old.get(40)), (70, 40));
        assert_eq!((log.len(), *log.get(40), *log.get(69)), (71, 1000, 69));
        assert_eq!(log.since(68).copied().collect::<Vec<_>>(), [68, 69, 70]);
        assert_eq!(old.iter().next_back(), Some(&69));
        assert_eq!(log.rfind(|n| *n < 10), Some(9));
    }
}
