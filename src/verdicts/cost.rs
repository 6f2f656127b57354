//! The cost sheet: what a run cost, whether or not its locks kept their promises.

use crate::scenario::Setup;
use crate::verdicts::ledger::{Ledger, Moment};
use crate::vocabulary::{CostEntry, HoldId, Line, NodeId, ServiceIx, Span, Time};
use crate::world::{Effect, Event, Message, Observation, Record, Rejection, ZkMessage};

/// What a run cost so far.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct CostSheet {
    /// Packets sent, by anybody.
    pub messages: u32,
    /// Replies that were handled by the client that asked.
    pub round_trips: u32,
    /// Packets that tell a client something it did not ask for then.
    pub notifications: u32,
    /// How many times a lock was acquired.
    pub acquires: u32,
    /// The time from wanting to having a lock, over all of these.
    pub acquire_total: Span,
    /// The longest of these times.
    pub acquire_max: Span,
    /// Work that was done twice: two holders who both began to work under one lock while both believed (one each pair of
    /// holds), and each write that was refused because somebody else had been faster.
    pub work_twice: u32,
}

impl CostSheet {
    /// A line of the sheet; times are in microseconds.
    pub fn line(&self, entry: CostEntry) -> u64 {
        match entry {
            CostEntry::Messages => self.messages.into(),
            CostEntry::RoundTrips => self.round_trips.into(),
            CostEntry::Notifications => self.notifications.into(),
            CostEntry::Acquires => self.acquires.into(),
            CostEntry::AcquireMean => self.acquire_mean().unwrap_or_default().0,
            CostEntry::AcquireMax => self.acquire_max.0,
            CostEntry::WorkTwice => self.work_twice.into(),
        }
    }

    /// The mean time from wanting to having a lock; `None` if none was acquired.
    pub const fn acquire_mean(&self) -> Option<Span> {
        match self.acquire_total.0.checked_div(self.acquires as u64) {
            Some(mean) => Some(Span(mean)),
            None => None,
        }
    }
}

/// Keeps the sheet.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Cost {
    sheet: CostSheet,
    wants: Vec<(NodeId, ServiceIx, Time)>,
    /// The open holds in which work was begun.
    worked: Vec<HoldId>,
}

impl Cost {
    pub(crate) fn new() -> Self {
        Self { sheet: CostSheet::default(), wants: Vec::new(), worked: Vec::new() }
    }

    pub(crate) const fn sheet(&self) -> &CostSheet {
        &self.sheet
    }

    /// Takes in a whole record, after the ledger.
    pub(crate) fn observe(&mut self, now: Moment, record: &Record, setup: &Setup, ledger: &Ledger) {
        match record.event {
            Event::Delivered { ref packet } | Event::Unbuffered { ref packet } => {
                let is_reply = matches!(
                    packet.message,
                    Message::RedisReply { .. }
                        | Message::StorageReply { .. }
                        | Message::ZooKeeper(ZkMessage::Answer { .. })
                );
                let is_notice = matches!(packet.message, Message::ZooKeeper(ZkMessage::Event { .. }));
                self.sheet.notifications += u32::from(is_notice);
                self.sheet.round_trips += u32::from(is_reply);
            }
            Event::Line { node, line, part: 0 } => {
                let line = setup.client(node).and_then(|client| client.program.get(line.ix()));
                if let Some(Line::Work(_)) = line {
                    self.works(node, setup, ledger);
                }
            }
            _ => {}
        }
        for effect in &record.effects {
            match *effect {
                Effect::Sent { .. } => self.sheet.messages += 1,
                Effect::Crashed { node, .. } => self.wants.retain(|want| want.0 != node),
                Effect::Noted { node, ref what } => self.noted(now, node, what),
                _ => {}
            }
        }
    }

    fn noted(&mut self, now: Moment, node: NodeId, what: &Observation) {
        match *what {
            Observation::Wants { service } if self.wanting(node, service).is_none() => {
                self.wants.push((node, service, now.at));
            }
            Observation::Acquired { service, .. } => {
                let took = self.wanting(node, service).map_or(Span::ZERO, |ix| now.at.since(self.wants.remove(ix).2));
                self.sheet.acquires += 1;
                self.sheet.acquire_total = self.sheet.acquire_total + took;
                self.sheet.acquire_max = self.sheet.acquire_max.max(took);
            }
            Observation::HoldClosed { hold, .. } => self.worked.retain(|worked| *worked != hold),
            Observation::Rejected { why: Rejection::VersionChanged { .. }, write: true, .. } => {
                self.sheet.work_twice += 1;
            }
            _ => {}
        }
    }

    fn wanting(&self, client: NodeId, lock: ServiceIx) -> Option<usize> {
        self.wants.iter().position(|want| (want.0, want.1) == (client, lock))
    }

    /// A client begins to work: in each of its open holds, for the first time there or not.
    fn works(&mut self, client: NodeId, setup: &Setup, ledger: &Ledger) {
        for lock in 0..setup.services.len() {
            let open = &ledger.lock(ServiceIx(lock as u8)).open;
            let (mine, others): (Vec<_>, Vec<_>) =
                open.iter().map(|place| ledger.holds.get(*place)).partition(|hold| hold.client == client);
            for hold in mine {
                if self.worked.contains(&hold.id) {
                    continue;
                }
                let twice = others.iter().filter(|other| self.worked.contains(&other.id)).count() as u32;
                self.sheet.work_twice += twice;
                self.worked.push(hold.id);
            }
        }
    }
}
