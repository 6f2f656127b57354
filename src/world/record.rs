//! What a step reports: its event and its effects. Judges, stories and views read nothing else of a run
//! but these and the state after them.

use std::sync::Arc;

use super::message::Message;
use super::observation::Observation;
use crate::vocabulary::{
    ConnId, FaultIx, FaultKind, LineIx, MachineId, MessageKind, NodeId, PacketId, PauseCause, StepIx, Time,
};

/// What one step did. `World::step` fills it; the caller keeps it or uses it again.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Record {
    /// The number of the step.
    pub ix: StepIx,
    /// When it happened, in true time.
    pub at: Time,
    /// The step that sent this message, set this timer or started this process.
    pub cause: Option<StepIx>,
    /// What happened.
    pub event: Event,
    /// What came of it, in order.
    pub effects: Vec<Effect>,
}

/// A packet as steps report it.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Packet {
    /// Its number.
    pub id: PacketId,
    /// Its connection.
    pub conn: ConnId,
    /// Its sender.
    pub from: NodeId,
    /// Its receiver.
    pub to: NodeId,
    /// What it says.
    pub message: Message,
    /// When it was sent.
    pub sent: Time,
}

/// What happened in a step.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Event {
    /// A process starts for the first time.
    Started {
        /// Who.
        node: NodeId,
    },
    /// A client runs a line of its program.
    Line {
        /// Who.
        node: NodeId,
        /// Which line.
        line: LineIx,
        /// Which part of it, from 0.
        part: u8,
    },
    /// A packet reaches its process, which handles it.
    Delivered {
        /// Which.
        packet: Arc<Packet>,
    },
    /// A packet reaches the kernel buffer of a process that does not run.
    Buffered {
        /// Which.
        packet: Arc<Packet>,
    },
    /// A process takes a packet out of its kernel buffer and handles it.
    Unbuffered {
        /// Which.
        packet: Arc<Packet>,
    },
    /// A packet reaches a process or a connection that is not there any more.
    Refused {
        /// Which.
        packet: Arc<Packet>,
    },
    /// A timer of a process is due, and the process handles it.
    Timer {
        /// Whose.
        node: NodeId,
        /// Which: the process's own numbering.
        timer: u32,
    },
    /// A timer is due while its process does not run: it waits.
    TimerWaits {
        /// Whose.
        node: NodeId,
        /// Which.
        timer: u32,
    },
    /// A process learns that a connection is gone.
    ConnectionLost {
        /// Who learns it.
        node: NodeId,
        /// The other end.
        peer: NodeId,
        /// Which connection.
        conn: ConnId,
    },
    /// A connection breaks, right after a last delivery.
    Broke {
        /// Which.
        conn: ConnId,
    },
    /// A paused process or suspended machine goes on by itself.
    Resumed {
        /// Who.
        node: NodeId,
    },
    /// A process that was down starts again.
    Restarted {
        /// Who.
        node: NodeId,
    },
    /// A fault of the list fires.
    Fault {
        /// Its place in the list.
        ix: FaultIx,
        /// What it does.
        kind: FaultKind,
        /// Whether this is its end (`until`).
        ends: bool,
    },
}

/// What came of a step.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Effect {
    /// A packet was sent.
    Sent {
        /// Which.
        packet: Arc<Packet>,
        /// When it will arrive if nothing interferes.
        due: Time,
    },
    /// A packet is gone.
    Dropped {
        /// Which.
        packet: Arc<Packet>,
    },
    /// A packet is now expected at another time; `None` while it is held or its link is cut.
    Rescheduled {
        /// Which.
        packet: PacketId,
        /// When it arrives now.
        due: Option<Time>,
    },
    /// A process noted something.
    Noted {
        /// Who.
        node: NodeId,
        /// What.
        what: Observation,
    },
    /// A fault of the list fired inside this step, before the effect it matched.
    FaultFired {
        /// Its place in the list.
        ix: FaultIx,
        /// What it did.
        kind: FaultKind,
    },
    /// A process stopped running for a while.
    Paused {
        /// Who.
        node: NodeId,
        /// Why.
        cause: PauseCause,
        /// Until when, if that is known.
        until: Option<Time>,
    },
    /// A process went on.
    Resumed {
        /// Who.
        node: NodeId,
    },
    /// A process ended.
    Crashed {
        /// Who.
        node: NodeId,
        /// Whether its machine lost power: then unsynced writes are gone too.
        power: bool,
    },
    /// A wall clock stepped.
    ClockJumped {
        /// Whose.
        machine: MachineId,
        /// By how much, in microseconds.
        by_us: i64,
    },
    /// A connection broke.
    ConnectionBroke {
        /// Which.
        conn: ConnId,
        /// The end that opened it.
        from: NodeId,
        /// The other end.
        to: NodeId,
    },
}

impl Default for Record {
    fn default() -> Self {
        Self {
            ix: StepIx(0),
            at: Time::ZERO,
            cause: None,
            event: Event::Started { node: NodeId(0) },
            effects: Vec::new(),
        }
    }
}

impl Event {
    /// The packet that this event is about, if it is about one.
    pub fn packet(&self) -> Option<&Packet> {
        match self {
            Self::Delivered { packet }
            | Self::Buffered { packet }
            | Self::Unbuffered { packet }
            | Self::Refused { packet } => Some(packet),
            _ => None,
        }
    }
}

impl Packet {
    /// What kind of message it carries.
    pub const fn kind(&self) -> MessageKind {
        self.message.kind()
    }
}
