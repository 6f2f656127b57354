//! The event queue: ordered by (time, sequence number), so that equal times have one order.

use crate::vocabulary::{ConnId, FaultIx, MachineId, NodeId, Notice, PacketId, StepIx, Time};

/// Something that will happen.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Pending {
    Start(NodeId),
    /// A client goes on with its program. `matched`: faults were already asked about this line.
    Run {
        node: NodeId,
        matched: bool,
    },
    Deliver(PacketId),
    Timer {
        node: NodeId,
        /// Its id, in half the size: histories keep many of these.
        timer: u16,
    },
    /// The process takes the next thing out of its kernel buffer.
    Drain(NodeId),
    Resume(NodeId),
    Wake(MachineId),
    Restart(NodeId),
    /// The end of a connection (0: who opened it) learns that it is gone.
    Lost {
        conn: ConnId,
        end: u8,
    },
    /// A connection breaks, after what was to be delivered before.
    Break {
        conn: ConnId,
        sender: NodeId,
        notice: Notice,
    },
    Fault {
        ix: FaultIx,
        ends: bool,
    },
}

impl Pending {
    pub(super) const fn timer(node: NodeId, id: u32) -> Self {
        Self::Timer { node, timer: id as u16 }
    }
}

/// An entry of the queue.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Scheduled {
    pub(super) at: Time,
    pub(super) seq: u32,
    cause: u32,
    pub(super) what: Pending,
}

/// Stands for "no step": half the size of an `Option`, and histories keep many of these.
const NO_STEP: u32 = u32::MAX;

impl Scheduled {
    pub(super) fn new(at: Time, seq: u32, cause: Option<StepIx>, what: Pending) -> Self {
        Self { at, seq, cause: cause.map_or(NO_STEP, |step| step.0), what }
    }

    /// The step that scheduled it.
    pub(super) fn cause(&self) -> Option<StepIx> {
        (self.cause != NO_STEP).then_some(StepIx(self.cause))
    }
}

/// A list sorted from last to first: the next event is at its end.
///
/// A run has tens of pending events, not thousands: at that size a sorted list is as fast as a heap, can be
/// compared and hashed, and clones as one copy. `push` and `remove` are linear, `pop` is constant.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub(super) struct Queue(Vec<Scheduled>);

impl Queue {
    pub(super) fn push(&mut self, entry: Scheduled) {
        let key = (entry.at, entry.seq);
        let place = self.0.partition_point(|other| (other.at, other.seq) > key);
        self.0.insert(place, entry);
    }

    pub(super) fn peek(&self) -> Option<&Scheduled> {
        self.0.last()
    }

    pub(super) fn peek_mut(&mut self) -> Option<&mut Scheduled> {
        self.0.last_mut()
    }

    pub(super) fn pop(&mut self) -> Option<Scheduled> {
        self.0.pop()
    }

    /// Removes the first entry that is exactly this.
    pub(super) fn remove(&mut self, what: Pending) -> Option<Scheduled> {
        let place = self.0.iter().rposition(|entry| entry.what == what)?;
        Some(self.0.remove(place))
    }

    /// Removes all entries for which `gone` holds.
    pub(super) fn remove_all(&mut self, gone: impl Fn(Pending) -> bool) {
        self.0.retain(|entry| !gone(entry.what));
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &Scheduled> {
        self.0.iter().rev()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_times_keep_the_order_of_sequence_numbers() {
        let mut queue = Queue::default();
        for (at, seq) in [(5, 3), (1, 9), (5, 1), (5, 2), (0, 4)] {
            queue.push(Scheduled::new(Time(at), seq, None, Pending::Start(NodeId(seq as u16))));
        }
        let order: Vec<_> = std::iter::from_fn(|| queue.pop()).map(|entry| (entry.at.0, entry.seq)).collect();
        assert_eq!(order, [(0, 4), (1, 9), (5, 1), (5, 2), (5, 3)]);
    }
}
