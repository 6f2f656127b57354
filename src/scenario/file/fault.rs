//! Faults, triggers and matchers as the file spells them.

use serde::Deserialize;

use super::Cause;
use super::scalar::{Day, Ms, Name, Signed, Whole};
use super::words::Word;
use crate::vocabulary::{MessageKind, Notice, ObservationKind};

/// One thing that goes wrong: a moment (`at_ms`, `when` or `step`) and exactly one action.
#[derive(Deserialize, Default)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
pub(crate) struct FaultEntry {
    /// An instant of true time.
    #[serde(default)]
    pub at_ms: Option<Ms>,
    /// The moment at which something happens; the fault comes right before it.
    #[serde(default)]
    pub when: Option<Match>,
    /// Which occurrence of `when`, from 1. Default: 1.
    #[serde(default)]
    pub nth: Option<Whole<1, 100_000>>,
    /// How long after `when`. Default: 0.
    #[serde(default)]
    pub after_ms: Option<Ms>,
    /// As the step with this number.
    #[serde(default)]
    pub step: Option<Whole<0, 100_000_000>>,
    /// When it is taken back.
    #[serde(default)]
    pub until: Option<Moment>,
    /// The same moment in words that survive a changed parameter; beside `step` only.
    #[serde(default)]
    pub twin: Option<Moment>,
    /// The process runs nothing for a while; packets and due timers wait.
    #[serde(default)]
    pub pause: Option<PauseAction>,
    /// The paused process goes on.
    #[serde(default)]
    pub resume: Option<NodeAction>,
    /// The whole machine sleeps.
    #[serde(default)]
    pub suspend: Option<SuspendAction>,
    /// The suspended machine goes on.
    #[serde(default)]
    pub wake: Option<MachineAction>,
    /// The machine's wall clock steps.
    #[serde(default)]
    pub clock_jump: Option<JumpAction>,
    /// Both clocks of the machine run faster or slower.
    #[serde(default)]
    pub clock_rate: Option<RateAction>,
    /// The process ends; what it wrote is still in the page cache.
    #[serde(default)]
    pub crash: Option<CrashAction>,
    /// The machine loses power; its disks fall back to the last sync.
    #[serde(default)]
    pub power_loss: Option<PowerAction>,
    /// A process that is down is started.
    #[serde(default)]
    pub restart: Option<NodeAction>,
    /// The link stalls: what is sent waits until it is healed.
    #[serde(default)]
    pub cut: Option<LinkAction>,
    /// A stalled link goes on.
    #[serde(default)]
    pub heal: Option<LinkAction>,
    /// All links of a process stall, both ways.
    #[serde(default)]
    pub cut_off: Option<NodeAction>,
    /// All links of a process go on.
    #[serde(default)]
    pub rejoin: Option<NodeAction>,
    /// The packet is held, and with it everything behind it.
    #[serde(default)]
    pub hold: Option<PacketAction>,
    /// The packet arrives now.
    #[serde(default)]
    pub deliver_now: Option<PacketAction>,
    /// The packet arrives later, and with it everything behind it.
    #[serde(default)]
    pub delay: Option<DelayAction>,
    /// The packet's connection breaks, before or after its delivery.
    #[serde(default)]
    pub lose: Option<LoseAction>,
    /// The sender sends the same message once more, on a new connection.
    #[serde(default)]
    pub resend: Option<PacketAction>,
    /// The connection between two processes breaks; what is in flight is gone.
    #[serde(default)]
    pub reset: Option<ResetAction>,
}

/// A moment of a run: exactly one of `at_ms`, `when` and `step`.
#[derive(Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
pub(crate) struct Moment {
    /// An instant of true time.
    #[serde(default)]
    pub at_ms: Option<Ms>,
    /// The moment at which something happens.
    #[serde(default)]
    pub when: Option<Match>,
    /// Which occurrence of `when`, from 1. Default: 1.
    #[serde(default)]
    pub nth: Option<Whole<1, 100_000>>,
    /// How long after `when`. Default: 0.
    #[serde(default)]
    pub after_ms: Option<Ms>,
    /// As the step with this number.
    #[serde(default)]
    pub step: Option<Whole<0, 100_000_000>>,
}

/// What a moment or a paragraph looks for.
#[derive(Deserialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
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

/// A line of a client's program, by its first words or its number.
#[derive(Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
pub(crate) struct LineMatch {
    /// Whose program.
    pub client: Name,
    /// The first words of the line: `write`, `work 500`. The second parts of `acquire` are called `expire` (with
    /// SETNX) and `incr` (with a separate token counter).
    #[serde(default)]
    pub label: Option<String>,
    /// Its number, from 1, instead of a label.
    #[serde(default)]
    pub number: Option<Whole<1, 1000>>,
}

/// A packet.
#[derive(Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
pub(crate) struct PacketMatch {
    /// Its sender.
    pub from: Name,
    /// Its receiver.
    pub to: Name,
    /// What it carries. Default: anything.
    #[serde(default)]
    pub kind: Option<Word<MessageKind>>,
}

/// Something that a process notes.
#[derive(Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
pub(crate) struct ObservedMatch {
    /// Who notes it.
    pub node: Name,
    /// What is noted.
    pub kind: Word<ObservationKind>,
}

/// Stops a process for a while.
#[derive(Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
pub(crate) struct PauseAction {
    /// Which process.
    pub node: Name,
    /// How long, or null until it is resumed. Default: null.
    #[serde(default)]
    pub for_ms: Option<Day>,
    /// Why. Default: gc.
    #[serde(default)]
    pub cause: Option<Cause>,
}

/// Puts a machine to sleep.
#[derive(Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
pub(crate) struct SuspendAction {
    /// Which machine.
    pub machine: Name,
    /// How long, or null until it is woken. Default: null.
    #[serde(default)]
    pub for_ms: Option<Day>,
}

/// Something about a machine.
#[derive(Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
pub(crate) struct MachineAction {
    /// Which machine.
    pub machine: Name,
}

/// Something about a process.
#[derive(Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
pub(crate) struct NodeAction {
    /// Which process.
    pub node: Name,
}

/// Steps a wall clock.
#[derive(Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
pub(crate) struct JumpAction {
    /// Which machine.
    pub machine: Name,
    /// By how much; negative for back.
    pub by_ms: Signed,
}

/// Changes the rate of a machine's clocks.
#[derive(Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
pub(crate) struct RateAction {
    /// Which machine.
    pub machine: Name,
    /// By how many parts in a million.
    pub ppm: Whole<-500_000, 500_000>,
}

/// Ends a process.
#[derive(Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
pub(crate) struct CrashAction {
    /// Which process.
    pub node: Name,
    /// When it is started again, or null for never. Default: null.
    #[serde(default)]
    pub restart_after_ms: Option<Ms>,
}

/// Takes a machine's power.
#[derive(Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
pub(crate) struct PowerAction {
    /// Which machine.
    pub machine: Name,
    /// When it is started again, or null for never. Default: null.
    #[serde(default)]
    pub restart_after_ms: Option<Ms>,
}

/// Something about a link.
#[derive(Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
pub(crate) struct LinkAction {
    /// The sending side.
    pub from: Name,
    /// The receiving side.
    pub to: Name,
    /// Both directions. Default: true.
    #[serde(default = "yes")]
    pub both: bool,
}

/// Something about a packet: the one that `when` matched, unless `packet` names another.
#[derive(Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
pub(crate) struct PacketAction {
    /// Its number, for a fault that was recorded at a step.
    #[serde(default)]
    pub packet: PacketAt,
}

/// Delays a packet.
#[derive(Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
pub(crate) struct DelayAction {
    /// Its number, for a fault that was recorded at a step.
    #[serde(default)]
    pub packet: PacketAt,
    /// By how much.
    pub by_ms: Day,
}

/// Breaks a packet's connection.
#[derive(Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
pub(crate) struct LoseAction {
    /// Its number, for a fault that was recorded at a step.
    #[serde(default)]
    pub packet: PacketAt,
    /// Whether it was delivered before the break. Default: false.
    #[serde(default)]
    pub delivered: bool,
    /// Who learns of the break. Default: both.
    #[serde(default)]
    pub notice: Option<Word<Notice>>,
}

/// Breaks a connection.
#[derive(Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
pub(crate) struct ResetAction {
    /// One end: the `sender` of `notice`.
    pub from: Name,
    /// The other end.
    pub to: Name,
    /// Who learns of it. Default: both.
    #[serde(default)]
    pub notice: Option<Word<Notice>>,
}

/// A packet by its number; none for the one that was matched.
pub(crate) type PacketAt = Option<Whole<0, 4_294_967_295>>;

const fn yes() -> bool {
    true
}
