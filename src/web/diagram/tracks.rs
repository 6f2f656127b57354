//! A whole branch as intervals and marks: who believed, held, slept and was down from when to when, and how each
//! packet fared. Built once per branch, in one pass over its records.

mod reader;

use std::sync::Arc;

use crate::scenario::Setup;
use crate::vocabulary::{
    FaultKind, GrantId, HoldId, LineIx, MachineId, NodeId, Nonce, OpId, PacketId, PauseCause, ResourceIx, ServiceIx,
    StepIx, Time, Token,
};
use crate::world::{Ending, Message, Packet, Record};

/// What happened on one branch, over its whole length.
#[derive(Clone, PartialEq, Debug, Default)]
pub(crate) struct Tracks {
    /// When each step happened: never falling.
    pub(crate) instants: Vec<Time>,
    /// Which steps only repeat what was seen before: further attempts of a client that waits. As many as instants.
    pub(crate) dull: Vec<bool>,
    /// The clients, in the setup's order.
    pub(crate) clients: Vec<ClientTrack>,
    /// When each lock node gave a lock, and until when.
    pub(crate) keys: Vec<KeyBar>,
    /// When processes did not run, though they were up.
    pub(crate) sleeps: Vec<Sleep>,
    /// When processes were down.
    pub(crate) downs: Vec<Down>,
    /// Steps of wall clocks.
    pub(crate) jumps: Vec<Jump>,
    /// Every packet, by rising id.
    pub(crate) flights: Vec<Flight>,
    /// Every fault that fired.
    pub(crate) faults: Vec<FaultMark>,
    /// Every write that storage applied.
    pub(crate) writes: Vec<WriteMark>,
}

/// What one client believed and truly held, and which lines it ran.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct ClientTrack {
    /// Its process.
    pub(crate) node: NodeId,
    /// When it believed.
    pub(crate) beliefs: Vec<Bar<HoldId>>,
    /// When it truly held.
    pub(crate) truths: Vec<Bar<GrantId>>,
    /// When each line started.
    pub(crate) lines: Vec<(Time, LineIx)>,
}

/// One interval of a belief or of a truth.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Bar<Id> {
    /// The hold or the grant.
    pub(crate) id: Id,
    /// Of whose lock.
    pub(crate) service: ServiceIx,
    /// Its start.
    pub(crate) from: Time,
    /// Its end; `None` if it lasted to the end of the run.
    pub(crate) to: Option<Time>,
    /// The token that came with it.
    pub(crate) token: Option<Token>,
    /// The attempt that made it.
    pub(crate) nonce: Nonce,
}

/// One grant on one lock node.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct KeyBar {
    /// The lock node.
    pub(crate) node: NodeId,
    /// The owner.
    pub(crate) client: NodeId,
    /// The grant.
    pub(crate) grant: GrantId,
    /// Its start.
    pub(crate) from: Time,
    /// Its end; `None` if it lasted to the end of the run.
    pub(crate) to: Option<Time>,
    /// How it ended.
    pub(crate) ending: Option<Ending>,
}

/// One pause of one process.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Sleep {
    /// Who slept.
    pub(crate) node: NodeId,
    /// Its start.
    pub(crate) from: Time,
    /// Its end; `None` if it lasted to the end of the run.
    pub(crate) to: Option<Time>,
    /// Why.
    pub(crate) cause: PauseCause,
}

/// One time that a process was down.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Down {
    /// Who was down.
    pub(crate) node: NodeId,
    /// Its start.
    pub(crate) from: Time,
    /// Its end; `None` if it lasted to the end of the run.
    pub(crate) to: Option<Time>,
    /// Whether its machine lost power.
    pub(crate) power: bool,
}

/// One step of a wall clock.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Jump {
    /// Whose clock.
    pub(crate) machine: MachineId,
    /// When.
    pub(crate) at: Time,
    /// By how much, in microseconds.
    pub(crate) by_us: i64,
}

/// A packet from its sending to its end.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Flight {
    /// The packet.
    pub(crate) packet: Arc<Packet>,
    /// In which step it was sent.
    pub(crate) sent_in: StepIx,
    /// When it was last expected; `None` if it was held or its link was cut.
    pub(crate) due: Option<Time>,
    /// When and in which step its flight ended.
    pub(crate) end: Option<(Time, StepIx)>,
    /// When it was taken out of the kernel buffer, if it waited there.
    pub(crate) handled: Option<Time>,
    /// How its flight ended.
    pub(crate) outcome: Outcome,
}

/// How a packet's flight ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Outcome {
    /// It did not end.
    Flying,
    /// It reached its process.
    Delivered,
    /// It reached its process, which refused what it asked.
    Refused,
    /// It was dropped on the way.
    Dropped,
    /// It arrived where nobody was.
    Nobody,
}

/// A fault that fired.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct FaultMark {
    /// When.
    pub(crate) at: Time,
    /// In which step.
    pub(crate) step: StepIx,
    /// What it did.
    pub(crate) kind: FaultKind,
    /// Whether this was its end.
    pub(crate) ends: bool,
}

/// A write that storage applied.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct WriteMark {
    /// When.
    pub(crate) at: Time,
    /// Where.
    pub(crate) resource: ResourceIx,
    /// Who wrote.
    pub(crate) client: NodeId,
    /// The write as its author meant it.
    pub(crate) op: OpId,
    /// The value that stood then.
    pub(crate) value: i64,
}

impl Tracks {
    /// Reads the records of a branch, in their order.
    pub(crate) fn new<'a>(setup: &Setup, records: impl Iterator<Item = &'a Record>) -> Self {
        reader::read(setup, records)
    }

    /// The instant of the last step.
    pub(crate) fn end(&self) -> Time {
        self.instants.last().copied().unwrap_or_default()
    }

    /// The track of a client.
    pub(crate) fn client(&self, node: NodeId) -> Option<&ClientTrack> {
        self.clients.iter().find(|client| client.node == node)
    }

    /// The flight of a packet.
    pub(crate) fn flight(&self, id: PacketId) -> Option<&Flight> {
        let ix = self.flights.binary_search_by_key(&id, |flight| flight.packet.id).ok()?;
        Some(&self.flights[ix])
    }

    /// The last pause of a process that began by `at`.
    pub(crate) fn last_sleep(&self, node: NodeId, at: Time) -> Option<&Sleep> {
        self.sleeps.iter().rev().find(|sleep| sleep.node == node && sleep.from <= at)
    }
}

impl ClientTrack {
    fn new(node: NodeId) -> Self {
        Self { node, beliefs: Vec::new(), truths: Vec::new(), lines: Vec::new() }
    }

    /// Since when the client has not held the lock that it held before; `None` if it never did.
    pub(crate) fn untrue_since(&self, service: ServiceIx, at: Time) -> Option<Time> {
        let ended = self.truths.iter().filter(|bar| bar.service == service).filter_map(|bar| bar.to);
        ended.filter(|to| *to <= at).max()
    }

    /// When the line that is current at `at` started.
    pub(crate) fn line_started(&self, at: Time) -> Option<Time> {
        let next = self.lines.partition_point(|line| line.0 <= at);
        next.checked_sub(1).map(|ix| self.lines[ix].0)
    }
}

impl Flight {
    /// What the packet says.
    pub(crate) fn message(&self) -> &Message {
        &self.packet.message
    }
}
