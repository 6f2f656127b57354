//! What a step reports: its event and its effects. Judges, stories and views read nothing else of a run
//! but these and the state after them.

use super::message::{Message, Rejection};
use crate::vocabulary::{
    ConnId, FaultIx, FaultKind, GrantId, HoldId, KeyId, LineIx, MachineId, MessageKind, NodeId, Nonce, ObservationKind,
    OpId, PacketId, PauseCause, ResourceIx, ServiceIx, Span, StepIx, Time, Token,
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
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
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
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
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
        packet: Packet,
    },
    /// A packet reaches the kernel buffer of a process that does not run.
    Buffered {
        /// Which.
        packet: Packet,
    },
    /// A process takes a packet out of its kernel buffer and handles it.
    Unbuffered {
        /// Which.
        packet: Packet,
    },
    /// A packet reaches a process or a connection that is not there any more.
    Refused {
        /// Which.
        packet: Packet,
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
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Effect {
    /// A packet was sent.
    Sent {
        /// Which.
        packet: Packet,
        /// When it will arrive if nothing interferes.
        due: Time,
    },
    /// A packet is gone.
    Dropped {
        /// Which.
        packet: Packet,
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

/// Why a hold closed.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Closing {
    /// The client sent its release.
    Released,
    /// The client's own deadline came (careful clients) or its check failed.
    Deadline,
    /// The client heard that the lock is gone.
    Notice,
    /// The client's process ended. The World notes this, not the client.
    Crashed,
}

/// Why a grant ended.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Ending {
    /// Its owner gave it back.
    Released,
    /// Its deadline passed by the node's clock.
    Expired,
    /// Somebody else removed it.
    RemovedByOther,
    /// The node forgot it.
    Forgotten,
}

/// What a process notes about itself, in the vocabulary of the judges.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Observation {
    /// A client begins to want a lock.
    Wants {
        /// Whose lock.
        service: ServiceIx,
    },
    /// A client believes it holds a lock: a hold opens.
    Acquired {
        /// Whose lock.
        service: ServiceIx,
        /// The hold.
        hold: HoldId,
        /// The attempt that succeeded; the grant carries the same.
        nonce: Nonce,
        /// The token that came with it.
        token: Option<Token>,
        /// Until when the client thinks the lease runs, on its monotonic clock in microseconds.
        believed_until: Option<i64>,
    },
    /// An attempt failed.
    AttemptFailed {
        /// Whose lock.
        service: ServiceIx,
        /// Whether there was no answer in time.
        timeout: bool,
    },
    /// A client stops asking. It still wants the lock.
    GaveUp {
        /// Whose lock.
        service: ServiceIx,
    },
    /// A hold closes.
    HoldClosed {
        /// Whose lock.
        service: ServiceIx,
        /// The hold.
        hold: HoldId,
        /// Why.
        why: Closing,
    },
    /// A client looked at its lease and found it good.
    CheckPassed {
        /// Whose lock.
        service: ServiceIx,
    },
    /// A client looked at its lease and found it over.
    CheckFailed {
        /// Whose lock.
        service: ServiceIx,
    },
    /// A client learned a value.
    ReadDone {
        /// Of what.
        resource: ResourceIx,
        /// The value.
        value: i64,
        /// Its version.
        version: u32,
    },
    /// A client learned that its write was applied.
    WriteDone {
        /// Where.
        resource: ResourceIx,
        /// The version it made.
        version: u32,
    },
    /// A client learned that its request was refused.
    WriteRefused {
        /// Where.
        resource: ResourceIx,
        /// Why.
        why: Rejection,
    },
    /// A client learned that it will not hear what became of its request.
    OutcomeUnknown {
        /// The peer that it asked.
        peer: NodeId,
    },
    /// A client extended its lease.
    Renewed {
        /// Whose lock.
        service: ServiceIx,
        /// The hold.
        hold: HoldId,
    },
    /// A client could not extend its lease.
    RenewalFailed {
        /// Whose lock.
        service: ServiceIx,
        /// The hold.
        hold: HoldId,
    },
    /// A client reached the end of its program.
    Finished,
    /// A service gave the lock.
    Granted {
        /// Whose lock.
        service: ServiceIx,
        /// The grant.
        grant: GrantId,
        /// To whom.
        client: NodeId,
        /// The attempt.
        nonce: Nonce,
        /// The token, if one was given in the same instant.
        token: Option<Token>,
        /// The lease as granted; `None` for no expiry.
        lease: Option<Span>,
    },
    /// A service handed out a token for a grant of its own, later than the grant itself.
    TokenGiven {
        /// Whose lock.
        service: ServiceIx,
        /// To whom.
        client: NodeId,
        /// The token.
        token: Token,
    },
    /// A service extended a grant.
    Extended {
        /// Whose lock.
        service: ServiceIx,
        /// The grant.
        grant: GrantId,
        /// The lease from now.
        lease: Span,
    },
    /// A grant is over.
    Ended {
        /// Whose lock.
        service: ServiceIx,
        /// The grant.
        grant: GrantId,
        /// Why.
        why: Ending,
    },
    /// A key that is no grant changed: shown in the log only.
    KeyChanged {
        /// Which.
        key: KeyId,
    },
    /// Storage answered a read: the holder touched storage.
    Contact {
        /// What was read.
        resource: ResourceIx,
        /// Who read.
        client: NodeId,
        /// In which hold.
        hold: Option<HoldId>,
        /// The version that was read.
        version: u32,
    },
    /// Storage applied a write.
    Applied {
        /// Where.
        resource: ResourceIx,
        /// Who wrote.
        client: NodeId,
        /// In which hold.
        hold: Option<HoldId>,
        /// The write as its author meant it.
        op: OpId,
        /// The token it carried.
        token: Option<Token>,
        /// The version on which it was based.
        base: Option<u32>,
        /// The version it replaced.
        replaced: u32,
        /// The value that stands now.
        value: i64,
    },
    /// Storage refused a request.
    Rejected {
        /// Where.
        resource: ResourceIx,
        /// Who asked.
        client: NodeId,
        /// In which hold.
        hold: Option<HoldId>,
        /// Why.
        why: Rejection,
        /// Whether it was a write.
        write: bool,
    },
    /// A node came back with what its disk held.
    Recovered {
        /// How many keys.
        keys: u32,
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

impl Observation {
    /// What kind of observation this is; `None` for those that matchers cannot name.
    pub const fn kind(&self) -> Option<ObservationKind> {
        Some(match self {
            Self::Wants { .. } => ObservationKind::Wants,
            Self::Acquired { .. } => ObservationKind::Acquired,
            Self::AttemptFailed { .. } => ObservationKind::AttemptFailed,
            Self::GaveUp { .. } => ObservationKind::GaveUp,
            Self::HoldClosed { .. } => ObservationKind::HoldClosed,
            Self::CheckPassed { .. } => ObservationKind::CheckPassed,
            Self::CheckFailed { .. } => ObservationKind::CheckFailed,
            Self::ReadDone { .. } => ObservationKind::ReadDone,
            Self::WriteDone { .. } => ObservationKind::WriteDone,
            Self::WriteRefused { .. } => ObservationKind::WriteRefused,
            Self::OutcomeUnknown { .. } => ObservationKind::OutcomeUnknown,
            Self::Renewed { .. } => ObservationKind::Renewed,
            Self::RenewalFailed { .. } => ObservationKind::RenewalFailed,
            Self::Finished => ObservationKind::Finished,
            Self::Granted { .. } => ObservationKind::Granted,
            Self::Extended { .. } => ObservationKind::Extended,
            Self::Ended { .. } => ObservationKind::Ended,
            Self::Contact { .. } => ObservationKind::Contact,
            Self::Applied { .. } => ObservationKind::Applied,
            Self::Rejected { .. } => ObservationKind::Rejected,
            Self::Recovered { .. } => ObservationKind::Recovered,
            Self::TokenGiven { .. } | Self::KeyChanged { .. } => return None,
        })
    }
}

impl Event {
    /// The packet that this event is about, if it is about one.
    pub const fn packet(&self) -> Option<&Packet> {
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
