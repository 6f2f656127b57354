//! Faults: what the adversary does, and when.

use super::{LineIx, MachineId, MessageKind, NodeId, ObservationKind, PacketId, Span, StepIx, Time};

/// One move of the adversary. It fires once, before the effect it matched, in list order.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Fault {
    /// When it happens.
    pub on: Trigger,
    /// What happens.
    pub kind: FaultKind,
    /// When it is taken back, for faults that last.
    pub until: Option<Trigger>,
    /// For a fault recorded at a step: the same moment in words that survive a changed parameter.
    pub twin: Option<Trigger>,
}

/// A moment of a run.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Trigger {
    /// An instant of true time.
    At(Time),
    /// The n-th time that something matches, or a while after it.
    When {
        /// What is looked for.
        matcher: Matcher,
        /// Which occurrence, from 1.
        nth: u32,
        /// How long after it.
        after: Span,
    },
    /// As the step with this number.
    Step(StepIx),
}

/// What a trigger, a story paragraph or a selection looks for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Matcher {
    /// A client is about to run a line.
    Line {
        /// Whose program.
        client: NodeId,
        /// Which line.
        line: LineIx,
        /// Which part of it, from 0; only some lines have more than one.
        part: u8,
    },
    /// A packet is sent.
    Send {
        /// Its sender.
        from: NodeId,
        /// Its receiver.
        to: NodeId,
        /// What it carries; `None` for anything.
        kind: Option<MessageKind>,
    },
    /// A packet reaches its receiver.
    Deliver {
        /// Its sender.
        from: NodeId,
        /// Its receiver.
        to: NodeId,
        /// What it carries; `None` for anything.
        kind: Option<MessageKind>,
    },
    /// A process notes something.
    Observed {
        /// Who notes it.
        node: NodeId,
        /// What is noted.
        kind: ObservationKind,
    },
    /// A fault of the list fires. Only stories and selections use it.
    Fault {
        /// Its place in the list.
        ix: super::FaultIx,
    },
}

/// Which packet a packet fault is about.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum PacketRef {
    /// The one that the trigger matched.
    Matched,
    /// This one.
    Id(PacketId),
}

/// Why a process stops running for a while. The effect is the same; the name teaches.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum PauseCause {
    /// A stop-the-world garbage collection.
    #[default]
    Gc,
    /// A page fault that has to wait.
    PageFault,
    /// A disk that is really a network.
    NetworkDisk,
    /// Other work on the same CPU.
    CpuContention,
    /// `SIGSTOP`.
    SigStop,
}

/// Who learns that a connection is gone.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum Notice {
    /// Both ends.
    #[default]
    Both,
    /// Only the end that sent (or, for a reset, the first one named).
    Sender,
    /// Only the other end.
    Receiver,
    /// Neither: the connection is half-open until a timeout of its own.
    Neither,
}

impl Notice {
    /// Whether one end learns of it: the one that sent, or the other.
    pub const fn reaches(self, sender: bool) -> bool {
        match self {
            Self::Both => true,
            Self::Neither => false,
            Self::Sender => sender,
            Self::Receiver => !sender,
        }
    }
}

/// What the adversary does.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum FaultKind {
    /// The process runs nothing for a while; packets and due timers wait.
    Pause {
        /// Who.
        node: NodeId,
        /// How long; `None` until resumed.
        length: Option<Span>,
        /// Why.
        cause: PauseCause,
    },
    /// The paused process goes on.
    Resume {
        /// Who.
        node: NodeId,
    },
    /// The whole machine sleeps, as a suspended virtual machine does.
    Suspend {
        /// Which.
        machine: MachineId,
        /// How long; `None` until resumed.
        length: Option<Span>,
    },
    /// The suspended machine goes on.
    Wake {
        /// Which.
        machine: MachineId,
    },
    /// The machine's wall clock steps.
    ClockJump {
        /// Which.
        machine: MachineId,
        /// By how much, in microseconds; negative for back.
        by_us: i64,
    },
    /// Both clocks of the machine run faster or slower.
    ClockRate {
        /// Which.
        machine: MachineId,
        /// By how many parts in a million.
        ppm: i32,
    },
    /// The process ends; its memory is gone, what it wrote is still in the page cache.
    Crash {
        /// Who.
        node: NodeId,
        /// When it is started again; `None` for never.
        restart: Option<Span>,
    },
    /// The machine loses power; its disks fall back to the last sync.
    PowerLoss {
        /// Which.
        machine: MachineId,
        /// When it is started again; `None` for never.
        restart: Option<Span>,
    },
    /// A process that is down is started.
    Restart {
        /// Who.
        node: NodeId,
    },
    /// The link stalls: what is sent waits until it is healed.
    Cut {
        /// The sending side.
        from: NodeId,
        /// The receiving side.
        to: NodeId,
        /// Both directions.
        both: bool,
    },
    /// A stalled link goes on.
    Heal {
        /// The sending side.
        from: NodeId,
        /// The receiving side.
        to: NodeId,
        /// Both directions.
        both: bool,
    },
    /// All links of a process stall, both ways.
    CutOff {
        /// Who.
        node: NodeId,
    },
    /// All links of a process go on.
    Rejoin {
        /// Who.
        node: NodeId,
    },
    /// The packet is held in the hand, and with it everything behind it.
    Hold {
        /// Which.
        packet: PacketRef,
    },
    /// The packet arrives now.
    DeliverNow {
        /// Which.
        packet: PacketRef,
    },
    /// The packet arrives later, and with it everything behind it.
    Delay {
        /// Which.
        packet: PacketRef,
        /// By how much.
        by: Span,
    },
    /// The packet's connection breaks, before or after its delivery.
    Lose {
        /// Which.
        packet: PacketRef,
        /// Whether it was delivered before the break.
        delivered: bool,
        /// Who learns of the break.
        notice: Notice,
    },
    /// The sender sends the same message once more, on a new connection.
    Resend {
        /// Which.
        packet: PacketRef,
    },
    /// The connection between two processes breaks.
    Reset {
        /// One end.
        from: NodeId,
        /// The other end.
        to: NodeId,
        /// Who learns of it.
        notice: Notice,
        /// Whether the reset overtakes what is in flight, which is then gone, or comes behind what the first end had sent,
        /// which then still arrives.
        behind: bool,
    },
}

impl FaultKind {
    /// What takes this fault back, for faults that last.
    pub const fn inverse(self) -> Option<Self> {
        Some(match self {
            Self::Pause { node, .. } => Self::Resume { node },
            Self::Suspend { machine, .. } => Self::Wake { machine },
            Self::ClockRate { machine, .. } => Self::ClockRate { machine, ppm: 0 },
            Self::Crash { node, .. } => Self::Restart { node },
            Self::Cut { from, to, both } => Self::Heal { from, to, both },
            Self::CutOff { node } => Self::Rejoin { node },
            Self::Hold { packet } => Self::DeliverNow { packet },
            _ => return None,
        })
    }
}
