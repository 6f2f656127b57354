//! What the visitor can do to a node or a packet now: the World's own list, grouped by verb, with sizes to choose.

use super::scene::Selection;
use super::words::Word;
use crate::scenario::Setup;
use crate::vocabulary::{FaultKind, MachineId, NodeId, Notice, PacketRef, Span};
use crate::world::World;

/// A verb of the adversary: the faults of one kind.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Verb {
    Pause,
    Resume,
    Suspend,
    Wake,
    ClockJump,
    ClockRate,
    Crash,
    PowerLoss,
    Restart,
    Cut,
    Heal,
    CutOff,
    Rejoin,
    Hold,
    DeliverNow,
    Delay,
    Lose,
    Resend,
    Reset,
}

/// One entry of the menu: a verb with what can be chosen.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Entry {
    /// The verb.
    pub(crate) verb: Verb,
    /// The faults to choose from, the usual one first; never empty.
    pub(crate) choices: Vec<Choice>,
    /// Whether an own size can be given.
    pub(crate) sized: bool,
}

/// One fault that can be chosen.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Choice {
    /// What it does.
    pub(crate) kind: FaultKind,
    /// Whether its size was taken from the lease, to end just after it.
    pub(crate) beyond_lease: bool,
}

/// What is said of a size that outlasts the lease.
const BEYOND: Span = Span::from_ms(500);

/// The entries for `target`, in the order of the World's list.
pub(crate) fn entries(world: &World, target: Selection) -> Vec<Entry> {
    let mut entries: Vec<Entry> = Vec::new();
    for kind in world.possible_faults() {
        if !concerns(world.setup(), &kind, target) {
            continue;
        }
        let verb = Verb::of(&kind);
        let choice = Choice { kind, beyond_lease: false };
        match entries.iter_mut().find(|entry| entry.verb == verb) {
            Some(entry) => entry.choices.push(choice),
            None => entries.push(Entry { verb, choices: vec![choice], sized: false }),
        }
    }
    for entry in &mut entries {
        offer_sizes(entry, lease_left(world, target));
    }
    entries
}

/// The same fault with another size in milliseconds; `None` if it has no size or the size makes no sense.
pub(crate) fn with_size(kind: FaultKind, ms: i64) -> Option<FaultKind> {
    let span = u64::try_from(ms).ok().filter(|ms| *ms > 0 && *ms <= SIZE_MS_MAX).map(Span::from_ms);
    Some(match kind {
        FaultKind::Pause { node, cause, .. } => FaultKind::Pause { node, length: Some(span?), cause },
        FaultKind::Suspend { machine, .. } => FaultKind::Suspend { machine, length: Some(span?) },
        FaultKind::Delay { packet, .. } => FaultKind::Delay { packet, by: span? },
        FaultKind::ClockJump { machine, .. } if ms != 0 && ms.unsigned_abs() <= SIZE_MS_MAX => {
            FaultKind::ClockJump { machine, by_us: ms * 1000 }
        }
        _ => return None,
    })
}

/// A day: longer than any horizon.
const SIZE_MS_MAX: u64 = 86_400_000;

/// Whether a fault is about this thing.
fn concerns(setup: &Setup, kind: &FaultKind, target: Selection) -> bool {
    match (target, subject(kind)) {
        (Selection::Node(node), Subject::Node(one)) => one == node,
        (Selection::Node(node), Subject::Machine(one)) => one == setup.machine_of(node),
        (Selection::Node(node), Subject::Link(from, to)) => from == node || to == node,
        (Selection::Packet(packet), Subject::Packet(one)) => one == PacketRef::Id(packet),
        _ => false,
    }
}

enum Subject {
    Node(NodeId),
    Machine(MachineId),
    Link(NodeId, NodeId),
    Packet(PacketRef),
}

fn subject(kind: &FaultKind) -> Subject {
    match *kind {
        FaultKind::Pause { node, .. }
        | FaultKind::Resume { node }
        | FaultKind::Crash { node, .. }
        | FaultKind::Restart { node }
        | FaultKind::CutOff { node }
        | FaultKind::Rejoin { node } => Subject::Node(node),
        FaultKind::Suspend { machine, .. }
        | FaultKind::Wake { machine }
        | FaultKind::ClockJump { machine, .. }
        | FaultKind::ClockRate { machine, .. }
        | FaultKind::PowerLoss { machine, .. } => Subject::Machine(machine),
        FaultKind::Cut { from, to, .. } | FaultKind::Heal { from, to, .. } | FaultKind::Reset { from, to, .. } => {
            Subject::Link(from, to)
        }
        FaultKind::Hold { packet }
        | FaultKind::DeliverNow { packet }
        | FaultKind::Delay { packet, .. }
        | FaultKind::Lose { packet, .. }
        | FaultKind::Resend { packet } => Subject::Packet(packet),
    }
}

/// How much of a lease is left that the target lives by: a client's own, a lock node's longest, a packet's sender's.
fn lease_left(world: &World, target: Selection) -> Option<Span> {
    let setup = world.setup();
    let node = match target {
        Selection::Node(node) => Some(node),
        Selection::Packet(id) => world.in_flight().iter().find(|one| one.packet.id == id).map(|one| one.packet.from),
        Selection::Step(_) => None,
    }?;
    let services = (0..setup.services.len()).map(|ix| crate::vocabulary::ServiceIx(ix as u8));
    services
        .filter_map(|service| {
            let holding = world.holder(service)?;
            let lives = holding.client == node || setup.service(service).nodes.contains(&node);
            holding.until.filter(|_| lives).map(|until| until.since(world.now()))
        })
        .max()
}

/// Replaces a verb's default by the sizes worth trying.
fn offer_sizes(entry: &mut Entry, lease_left: Option<Span>) {
    let usual = entry.choices[0];
    let beyond = lease_left.map(|left| Span((left + BEYOND).0.next_multiple_of(500_000)));
    let plain = |kind| Choice { kind, beyond_lease: false };
    let sizes =
        |millis: &[i64]| millis.iter().filter_map(|ms| with_size(usual.kind, *ms)).map(plain).collect::<Vec<_>>();
    let outlast = beyond.and_then(|span| with_size(usual.kind, span.ms() as i64));
    let mut choices: Vec<Choice> = outlast.map(|kind| Choice { kind, beyond_lease: true }).into_iter().collect();
    match usual.kind {
        FaultKind::Pause { node, cause, .. } => {
            choices.push(plain(FaultKind::Pause { node, length: None, cause }));
            choices.extend(sizes(&[2_000, 12_000]));
        }
        FaultKind::Suspend { machine, .. } => {
            choices.push(plain(FaultKind::Suspend { machine, length: None }));
            choices.extend(sizes(&[2_000, 12_000]));
        }
        FaultKind::ClockJump { .. } => choices.extend(sizes(&[1_000, 60_000, -1_000, -60_000])),
        FaultKind::Delay { .. } => choices.extend(sizes(&[100, 2_000, 90_000])),
        FaultKind::ClockRate { machine, .. } => {
            choices = [500, 20_000, -20_000, 0].map(|ppm| plain(FaultKind::ClockRate { machine, ppm })).into();
        }
        FaultKind::Crash { node, .. } => {
            choices = RESTARTS.map(|restart| plain(FaultKind::Crash { node, restart })).into();
        }
        FaultKind::PowerLoss { machine, .. } => {
            choices = RESTARTS.map(|restart| plain(FaultKind::PowerLoss { machine, restart })).into();
        }
        FaultKind::Lose { packet, .. } => {
            let lose = |delivered, notice| plain(FaultKind::Lose { packet, delivered, notice });
            choices = vec![lose(false, Notice::Both), lose(true, Notice::Both), lose(false, Notice::Neither)];
        }
        _ => return,
    }
    choices.dedup_by_key(|choice| choice.kind);
    entry.sized = with_size(usual.kind, 1).is_some();
    entry.choices = choices;
}

const RESTARTS: [Option<Span>; 3] = [Some(Span::ZERO), Some(Span::from_ms(2_000)), None];

impl Entry {
    /// The fault, if there is nothing to choose.
    pub(crate) fn only(&self) -> Option<FaultKind> {
        (self.choices.len() == 1 && !self.sized).then_some(self.choices[0].kind)
    }
}

impl Verb {
    /// Whether it stands on the first level of a menu: what undoes something, what is tried most, and all that can
    /// happen to a packet.
    pub(crate) const fn is_first(self) -> bool {
        !matches!(self, Self::Suspend | Self::ClockRate | Self::PowerLoss | Self::Cut | Self::Heal | Self::Reset)
    }

    /// The verb of a fault.
    pub(crate) const fn of(kind: &FaultKind) -> Self {
        match kind {
            FaultKind::Pause { .. } => Self::Pause,
            FaultKind::Resume { .. } => Self::Resume,
            FaultKind::Suspend { .. } => Self::Suspend,
            FaultKind::Wake { .. } => Self::Wake,
            FaultKind::ClockJump { .. } => Self::ClockJump,
            FaultKind::ClockRate { .. } => Self::ClockRate,
            FaultKind::Crash { .. } => Self::Crash,
            FaultKind::PowerLoss { .. } => Self::PowerLoss,
            FaultKind::Restart { .. } => Self::Restart,
            FaultKind::Cut { .. } => Self::Cut,
            FaultKind::Heal { .. } => Self::Heal,
            FaultKind::CutOff { .. } => Self::CutOff,
            FaultKind::Rejoin { .. } => Self::Rejoin,
            FaultKind::Hold { .. } => Self::Hold,
            FaultKind::DeliverNow { .. } => Self::DeliverNow,
            FaultKind::Delay { .. } => Self::Delay,
            FaultKind::Lose { .. } => Self::Lose,
            FaultKind::Resend { .. } => Self::Resend,
            FaultKind::Reset { .. } => Self::Reset,
        }
    }

    /// The key that opens this entry for what is selected.
    pub(crate) const fn key(self) -> Option<char> {
        match self {
            Self::Pause | Self::Resume => Some('p'),
            Self::ClockJump => Some('c'),
            Self::Crash | Self::Restart => Some('x'),
            Self::Lose => Some('l'),
            _ => None,
        }
    }

    /// The label of an entry with several choices; entries with one are called by what they do.
    pub(crate) const fn label(self) -> Option<Word> {
        Some(match self {
            Self::Pause => Word::PauseFor,
            Self::Suspend => Word::SuspendFor,
            Self::ClockJump => Word::MoveClock,
            Self::ClockRate => Word::RateClock,
            Self::Crash => Word::CrashIt,
            Self::PowerLoss => Word::PowerLossIt,
            Self::Delay => Word::DelayBy,
            Self::Lose => Word::LoseIt,
            Self::Cut => Word::CutLink,
            Self::Heal => Word::HealLink,
            Self::Reset => Word::ResetLink,
            _ => return None,
        })
    }
}
