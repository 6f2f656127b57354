//! What the adversary of a search can do, with symbolic sizes.

use crate::vocabulary::{ClockChoice, FaultKind, MachineId, NodeId, ServiceIx, Span, Time};
use crate::world::{Client, World};

/// "Just before" and "just after" mean this far.
const JUST: Span = Span::from_ms(1);

/// A kind of fault. Common ones come first.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Class {
    PauseOfClient,
    PauseOfServer,
    Crash,
    Jump,
    Packet,
    Link,
    Connection,
    Power,
    Suspend,
    Rate,
    Early,
}

impl Class {
    pub(super) const ALL: [Self; 11] = [
        Self::PauseOfClient,
        Self::PauseOfServer,
        Self::Crash,
        Self::Jump,
        Self::Packet,
        Self::Link,
        Self::Connection,
        Self::Power,
        Self::Suspend,
        Self::Rate,
        Self::Early,
    ];

    /// The class of a fault that a search tries. The others are ends of faults (a search ends them itself), a delay (a
    /// packet held and let go is the same), and resending, which is no doing of the environment.
    fn of(kind: FaultKind, world: &World) -> Option<Self> {
        Some(match kind {
            FaultKind::Pause { node, .. } if world.setup().client(node).is_some() => Self::PauseOfClient,
            FaultKind::Pause { .. } => Self::PauseOfServer,
            FaultKind::Crash { .. } => Self::Crash,
            FaultKind::ClockJump { .. } => Self::Jump,
            FaultKind::Hold { .. } => Self::Packet,
            FaultKind::Cut { .. } | FaultKind::CutOff { .. } => Self::Link,
            FaultKind::Lose { .. } | FaultKind::Reset { .. } => Self::Connection,
            FaultKind::PowerLoss { .. } => Self::Power,
            FaultKind::Suspend { .. } => Self::Suspend,
            FaultKind::ClockRate { .. } => Self::Rate,
            FaultKind::DeliverNow { .. } => Self::Early,
            FaultKind::Resume { .. }
            | FaultKind::Wake { .. }
            | FaultKind::Restart { .. }
            | FaultKind::Heal { .. }
            | FaultKind::Rejoin { .. }
            | FaultKind::Delay { .. }
            | FaultKind::Resend { .. } => return None,
        })
    }
}

/// One thing that the adversary can do now.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Choice {
    pub(super) kind: FaultKind,
    /// What takes it back, if it lasts until the search ends it.
    pub(super) end: Option<FaultKind>,
}

/// Everything of a class that can be done now, in every size.
pub(super) fn choices(world: &World, class: Class, allowed: fn(&FaultKind) -> bool) -> Vec<Choice> {
    let fits = |kind: &FaultKind| Class::of(*kind, world) == Some(class) && allowed(kind);
    let kinds = world.possible_faults().into_iter().filter(fits);
    let mut list = Vec::new();
    for kind in kinds {
        sizes(world, kind, &mut list);
    }
    list
}

fn sizes(world: &World, kind: FaultKind, list: &mut Vec<Choice>) {
    let sized = |kind| Choice { kind, end: None };
    let lasting = |kind: FaultKind| Choice { kind, end: kind.inverse() };
    match kind {
        FaultKind::Pause { node, cause, .. } => {
            list.push(lasting(FaultKind::Pause { node, length: None, cause }));
            let instants = leases(world).chain(believed(world, node));
            let lengths = instants.flat_map(|instant| around(instant.since(world.now())));
            list.extend(lengths.map(|length| sized(FaultKind::Pause { node, length: Some(length), cause })));
        }
        FaultKind::Suspend { machine, .. } => {
            list.push(lasting(FaultKind::Suspend { machine, length: None }));
            let lengths = leases(world).flat_map(|instant| around(instant.since(world.now())));
            list.extend(lengths.map(|length| sized(FaultKind::Suspend { machine, length: Some(length) })));
        }
        FaultKind::ClockJump { machine, by_us } if by_us > 0 => {
            let jumps = jumps(world).map(|by_us| sized(FaultKind::ClockJump { machine, by_us }));
            list.extend(jumps.chain([sized(kind)]));
        }
        FaultKind::Crash { node, .. } => {
            list.push(sized(FaultKind::Crash { node, restart: Some(Span::ZERO) }));
            list.push(lasting(FaultKind::Crash { node, restart: None }));
        }
        FaultKind::PowerLoss { machine, .. } => {
            list.push(sized(kind));
            list.push(sized(FaultKind::PowerLoss { machine, restart: None }));
        }
        FaultKind::Hold { .. } | FaultKind::Cut { .. } | FaultKind::CutOff { .. } => list.push(lasting(kind)),
        _ => list.push(sized(kind)),
    }
}

/// When each live lease ends, if nothing interferes.
fn leases(world: &World) -> impl Iterator<Item = Time> + '_ {
    let services = (0..world.setup().services.len() as u8).map(ServiceIx);
    services.filter_map(|service| world.holder(service)?.until)
}

/// When the leases end that a client believes in.
fn believed(world: &World, node: NodeId) -> impl Iterator<Item = Time> + '_ {
    let machine: MachineId = world.setup().machine_of(node);
    let clock = *world.machine(machine).clock(ClockChoice::Monotonic);
    let holds = world.process(node).state().client().into_iter().flat_map(Client::holds);
    holds.filter_map(move |hold| clock.reaches(hold.believed_until?, world.now()))
}

/// Jumps of a clock that end each live lease, or just fail to.
fn jumps(world: &World) -> impl Iterator<Item = i64> + '_ {
    leases(world).flat_map(|end| around(end.since(world.now()))).map(|span| span.0 as i64)
}

/// Just less and just more; nothing for what is over already.
fn around(span: Span) -> impl Iterator<Item = Span> {
    [span - JUST, span + JUST].into_iter().filter(move |_| span > JUST)
}
