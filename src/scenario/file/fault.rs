//! Faults, triggers and matchers as the file spells them.

use serde_json::Value;

use super::Cause;
use super::scalar::{Day, Ms, Name, Signed, Whole};
use super::words::Word;
use crate::scenario::read::{FromJson, Reader, object};
use crate::vocabulary::{MessageKind, Notice, ObservationKind};

object! {
    /// One thing that goes wrong: a moment (`at_ms`, `when` or `step`) and exactly one action.
    pub(crate) struct FaultEntry {
        /// An instant of true time.
        pub at_ms: Option<Ms> = None,
        /// The moment at which something happens; the fault comes right before it.
        pub when: Option<Match> = None,
        /// Which occurrence of `when`, from 1. Default: 1.
        pub nth: Option<Whole<1, 100_000>> = None,
        /// How long after `when`. Default: 0.
        pub after_ms: Option<Ms> = None,
        /// As the step with this number.
        pub step: Option<Whole<0, 100_000_000>> = None,
        /// When it is taken back.
        pub until: Option<Moment> = None,
        /// The same moment in words that survive a changed parameter; beside `step` only.
        pub twin: Option<Moment> = None,
        /// The process runs nothing for a while; packets and due timers wait.
        pub pause: Option<PauseAction> = None,
        /// The paused process goes on.
        pub resume: Option<NodeAction> = None,
        /// The whole machine sleeps.
        pub suspend: Option<SuspendAction> = None,
        /// The suspended machine goes on.
        pub wake: Option<MachineAction> = None,
        /// The machine's wall clock steps.
        pub clock_jump: Option<JumpAction> = None,
        /// Both clocks of the machine run faster or slower.
        pub clock_rate: Option<RateAction> = None,
        /// The process ends; what it wrote is still in the page cache.
        pub crash: Option<CrashAction> = None,
        /// The machine loses power; its disks fall back to the last sync.
        pub power_loss: Option<PowerAction> = None,
        /// A process that is down is started.
        pub restart: Option<NodeAction> = None,
        /// The link stalls: what is sent waits until it is healed.
        pub cut: Option<LinkAction> = None,
        /// A stalled link goes on.
        pub heal: Option<LinkAction> = None,
        /// All links of a process stall, both ways.
        pub cut_off: Option<NodeAction> = None,
        /// All links of a process go on.
        pub rejoin: Option<NodeAction> = None,
        /// The packet is held, and with it everything behind it.
        pub hold: Option<PacketAction> = None,
        /// The packet arrives now.
        pub deliver_now: Option<PacketAction> = None,
        /// The packet arrives later, and with it everything behind it.
        pub delay: Option<DelayAction> = None,
        /// The packet's connection breaks, before or after its delivery.
        pub lose: Option<LoseAction> = None,
        /// The sender sends the same message once more, on a new connection.
        pub resend: Option<PacketAction> = None,
        /// The connection between two processes breaks; what is in flight is gone, but for what `behind` spares.
        pub reset: Option<ResetAction> = None,
    }

    /// A moment of a run: exactly one of `at_ms`, `when` and `step`.
    pub(crate) struct Moment {
        /// An instant of true time.
        pub at_ms: Option<Ms> = None,
        /// The moment at which something happens.
        pub when: Option<Match> = None,
        /// Which occurrence of `when`, from 1. Default: 1.
        pub nth: Option<Whole<1, 100_000>> = None,
        /// How long after `when`. Default: 0.
        pub after_ms: Option<Ms> = None,
        /// As the step with this number.
        pub step: Option<Whole<0, 100_000_000>> = None,
    }
}

/// What a moment or a paragraph looks for.
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema), schemars(rename_all = "kebab-case"))]
pub(crate) enum Match {
    /// A client is about to run a line.
    Line(LineMatch),
    /// A packet is sent.
    Send(PacketMatch),
    /// A packet reaches its receiver.
    Deliver(PacketMatch),
    /// A process notes something.
    Observed(ObservedMatch),
    /// A fault of this file fires: its place in the list, from 0. Only stories use it.
    Fault(Whole<0, 1000>),
}

/// An object with exactly one key: what is looked for.
impl FromJson for Match {
    fn from_json(value: &Value, reader: &mut Reader) -> Self {
        let entry = value.as_object().and_then(|map| map.iter().next().filter(|_| map.len() == 1));
        match entry.map(|(key, inner)| (key.as_str(), inner)) {
            Some((key @ "line", inner)) => Self::Line(reader.part(key, inner)),
            Some((key @ "send", inner)) => Self::Send(reader.part(key, inner)),
            Some((key @ "deliver", inner)) => Self::Deliver(reader.part(key, inner)),
            Some((key @ "observed", inner)) => Self::Observed(reader.part(key, inner)),
            Some((key @ "fault", inner)) => Self::Fault(reader.part(key, inner)),
            other => {
                let key = other.map(|(key, _)| Value::from(key));
                reader.expected(KEYS, key.as_ref().unwrap_or(value));
                Self::Fault(Whole(0))
            }
        }
    }
}

const KEYS: &str = "an object with exactly one of the keys line, send, deliver, observed, fault";

object! {
    /// A line of a client's program, by its first words or its number.
    pub(crate) struct LineMatch {
        /// Whose program.
        pub client: Name,
        /// The first words of the line: `write`, `work 500`. The second parts of `acquire` are called `expire` (with
        /// SETNX), `incr` (with a separate token counter) and `wait-copies` (with `wait`).
        pub label: Option<String> = None,
        /// Its number, from 1, instead of a label.
        pub number: Option<Whole<1, 1000>> = None,
    }

    /// A packet.
    pub(crate) struct PacketMatch {
        /// Its sender.
        pub from: Name,
        /// Its receiver.
        pub to: Name,
        /// What it carries. Default: anything.
        pub kind: Option<Word<MessageKind>> = None,
    }

    /// Something that a process notes.
    pub(crate) struct ObservedMatch {
        /// Who notes it.
        pub node: Name,
        /// What is noted.
        pub kind: Word<ObservationKind>,
    }

    /// Stops a process for a while.
    pub(crate) struct PauseAction {
        /// Which process.
        pub node: Name,
        /// How long, or null until it is resumed. Default: null.
        pub for_ms: Option<Day> = None,
        /// Why. Default: gc.
        pub cause: Option<Cause> = None,
    }

    /// Puts a machine to sleep.
    pub(crate) struct SuspendAction {
        /// Which machine.
        pub machine: Name,
        /// How long, or null until it is woken. Default: null.
        pub for_ms: Option<Day> = None,
    }

    /// Something about a machine.
    pub(crate) struct MachineAction {
        /// Which machine.
        pub machine: Name,
    }

    /// Something about a process.
    pub(crate) struct NodeAction {
        /// Which process.
        pub node: Name,
    }

    /// Steps a wall clock.
    pub(crate) struct JumpAction {
        /// Which machine.
        pub machine: Name,
        /// By how much; negative for back.
        pub by_ms: Signed,
    }

    /// Changes the rate of a machine's clocks.
    pub(crate) struct RateAction {
        /// Which machine.
        pub machine: Name,
        /// By how many parts in a million.
        pub ppm: Whole<-500_000, 500_000>,
    }

    /// Ends a process.
    pub(crate) struct CrashAction {
        /// Which process.
        pub node: Name,
        /// When it is started again, or null for never. Default: null.
        pub restart_after_ms: Option<Ms> = None,
    }

    /// Takes a machine's power.
    pub(crate) struct PowerAction {
        /// Which machine.
        pub machine: Name,
        /// When it is started again, or null for never. Default: null.
        pub restart_after_ms: Option<Ms> = None,
    }

    /// Something about a link.
    pub(crate) struct LinkAction {
        /// The sending side.
        pub from: Name,
        /// The receiving side.
        pub to: Name,
        /// Both directions. Default: true.
        pub both: Option<bool> = None,
    }

    /// Something about a packet: the one that `when` matched, unless `packet` names another.
    pub(crate) struct PacketAction {
        /// Its number, for a fault that was recorded at a step.
        pub packet: PacketAt = None,
    }

    /// Delays a packet.
    pub(crate) struct DelayAction {
        /// Its number, for a fault that was recorded at a step.
        pub packet: PacketAt = None,
        /// By how much.
        pub by_ms: Day,
    }

    /// Breaks a packet's connection.
    pub(crate) struct LoseAction {
        /// Its number, for a fault that was recorded at a step.
        pub packet: PacketAt = None,
        /// Whether it was delivered before the break. Default: false.
        pub delivered: bool = false,
        /// Who learns of the break. Default: both.
        pub notice: Option<Word<Notice>> = None,
    }

    /// Breaks a connection.
    pub(crate) struct ResetAction {
        /// One end: the `sender` of `notice`.
        pub from: Name,
        /// The other end.
        pub to: Name,
        /// Who learns of it. Default: both.
        pub notice: Option<Word<Notice>> = None,
        /// Whether the reset is queued behind what `from` had sent, which then still arrives. Default: false.
        pub behind: bool = false,
    }
}

/// A packet by its number; none for the one that was matched.
pub(crate) type PacketAt = Option<Whole<0, 4_294_967_295>>;

/// When a fault or its end is due, as it is written.
#[derive(Clone, Copy)]
pub(crate) struct Due<'a> {
    /// An instant.
    pub at_ms: Option<Ms>,
    /// A match.
    pub when: Option<&'a Match>,
    /// Which occurrence.
    pub nth: Option<Whole<1, 100_000>>,
    /// How long after it.
    pub after_ms: Option<Ms>,
    /// A step.
    pub step: Option<Whole<0, 100_000_000>>,
}

impl FaultEntry {
    /// When it is due.
    pub(crate) fn due(&self) -> Due<'_> {
        let Self { at_ms, nth, after_ms, step, .. } = *self;
        Due { at_ms, when: self.when.as_ref(), nth, after_ms, step }
    }
}

impl Moment {
    /// When it is.
    pub(crate) fn due(&self) -> Due<'_> {
        let Self { at_ms, nth, after_ms, step, .. } = *self;
        Due { at_ms, when: self.when.as_ref(), nth, after_ms, step }
    }
}
