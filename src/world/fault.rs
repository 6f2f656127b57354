//! Faults: when they fire and what they do.
//!
//! A fault fires once, before the effect it matched, in list order. What is about to happen is shown to every fault that
//! has not fired (`examine`); those that match become `ready`. Before a line or a delivery they fire as steps of their
//! own; before a send or an observation they fire inside the step.

use std::sync::Arc;

use super::matching::Occurrence;
use super::network::Flight;
use super::process::{Input, Run};
use super::queue::{Pending, Scheduled};
use super::record::{Closing, Effect, Ending, Observation, Record};
use super::{Message, World};
use crate::vocabulary::{
    ConnId, Fault, FaultIx, FaultKind, MachineId, Matcher, NodeId, Notice, PacketId, PacketRef, PauseCause, Span,
    StepIx, Time, Trigger,
};

/// What became of a fault.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct FaultState {
    /// The step in which it fired; `None` if it did not (yet).
    pub fired: Option<StepIx>,
    /// Whether it was taken back.
    pub ended: bool,
    seen: u32,
    seen_until: u32,
    /// The packet that it matched.
    packet: Option<PacketId>,
}

/// A fault that fires next.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Ready {
    ix: FaultIx,
    ends: bool,
}

impl World {
    /// Adds a fault to the future of this run. `seen`: how often its matcher has matched so far.
    pub fn add_fault(&mut self, fault: Fault, seen: u32) -> FaultIx {
        let ix = FaultIx(self.faults.len() as u16);
        self.faults = self.faults.iter().copied().chain([fault]).collect();
        Arc::make_mut(&mut self.fault_states).push(FaultState { seen, ..FaultState::default() });
        self.schedule_fault(ix);
        ix
    }

    /// How many occurrences of a matcher were already shown to the faults but have not happened yet: an interrupted
    /// line, or a packet that was delayed at its delivery.
    pub fn examined(&self, matcher: Matcher) -> u32 {
        match matcher {
            Matcher::Line { client, .. } => {
                let line = self.line_of(client).is_some_and(|line| line.matches(matcher));
                u32::from(line && self.process(client).interrupted == Some(true))
            }
            Matcher::Deliver { .. } => {
                let examined =
                    |flight: &&Flight| flight.matched && Occurrence::deliver(&flight.packet).matches(matcher);
                self.net.flights.iter().filter(examined).count() as u32
            }
            _ => 0,
        }
    }

    pub(super) fn schedule_fault(&mut self, ix: FaultIx) {
        let fault = self.faults[ix.ix()];
        for (trigger, ends) in [(Some(fault.on), false), (fault.until, true)] {
            if let Some(Trigger::At(at)) = trigger {
                let seq = u32::from(ix.0) * 2 + u32::from(ends);
                self.queue.push(Scheduled {
                    at: at.max(self.now),
                    seq,
                    cause: None,
                    what: Pending::Fault { ix, ends },
                });
            }
        }
    }

    /// The fault that is the next step, if there is one.
    pub(super) fn next_ready(&mut self) -> Option<Scheduled> {
        let step = Trigger::Step(StepIx(self.steps));
        let by_step = |(ix, fault): (usize, &Fault)| {
            let state = &self.fault_states[ix];
            let ix = FaultIx(ix as u16);
            if fault.on == step && state.fired.is_none() {
                Some(Ready { ix, ends: false })
            } else {
                (fault.until == Some(step) && state.fired.is_some() && !state.ended).then_some(Ready { ix, ends: true })
            }
        };
        let ready = match self.faults.iter().enumerate().find_map(by_step) {
            Some(ready) => ready,
            None if self.ready.is_empty() => return None,
            None => self.ready.remove(0),
        };
        let what = Pending::Fault { ix: ready.ix, ends: ready.ends };
        Some(Scheduled { at: self.now, seq: 0, cause: None, what })
    }

    /// Shows the faults what is about to happen; true if one or more are ready now.
    pub(super) fn examine(&mut self, occurrence: Occurrence, at: Time) -> bool {
        if self.faults.is_empty() {
            return false;
        }
        let faults = Arc::clone(&self.faults);
        for (ix, fault) in faults.iter().enumerate() {
            let state = self.fault_states[ix];
            let (trigger, ends) = match state.fired {
                None => (Some(fault.on), false),
                Some(_) if !state.ended => (fault.until, true),
                Some(_) => continue,
            };
            let Some(Trigger::When { matcher, nth, after }) = trigger else { continue };
            if occurrence.matches(matcher) {
                self.count(FaultIx(ix as u16), ends, nth, after, &occurrence, at);
            }
        }
        !self.ready.is_empty()
    }

    fn count(&mut self, ix: FaultIx, ends: bool, nth: u32, after: Span, occurrence: &Occurrence, at: Time) {
        let state = &mut Arc::make_mut(&mut self.fault_states)[ix.ix()];
        let seen = if ends { &mut state.seen_until } else { &mut state.seen };
        *seen += 1;
        if *seen != nth {
            return;
        }
        if !ends {
            state.packet = occurrence.packet().map(|packet| packet.id);
        }
        if after == Span::ZERO {
            self.ready.push(Ready { ix, ends });
        } else {
            self.schedule(at + after, Pending::Fault { ix, ends }, Some(StepIx(self.steps)));
        }
    }

    pub(super) fn fault_kind(&self, ix: FaultIx, ends: bool) -> FaultKind {
        let kind = self.faults[ix.ix()].kind;
        if ends { kind.inverse().unwrap_or(kind) } else { kind }
    }

    pub(super) fn fire(&mut self, ix: FaultIx, ends: bool, record: &mut Record) {
        let kind = self.fault_kind(ix, ends);
        let step = StepIx(self.steps);
        let state = &mut Arc::make_mut(&mut self.fault_states)[ix.ix()];
        if ends {
            state.ended = true;
        } else {
            state.fired = Some(step);
        }
        let packet = state.packet;
        self.apply(kind, packet, record);
    }

    /// Fires what is ready inside a step.
    pub(super) fn fire_inline(&mut self, record: &mut Record) {
        for Ready { ix, ends } in std::mem::take(&mut self.ready) {
            record.effects.push(Effect::FaultFired { ix, kind: self.fault_kind(ix, ends) });
            self.fire(ix, ends, record);
        }
    }

    /// Fires what is ready and is not about the packet itself, which does not exist yet; false if its sender is not up
    /// afterwards.
    pub(super) fn fire_inline_but_packets(&mut self, record: &mut Record, process: NodeId) -> bool {
        let ready = std::mem::take(&mut self.ready);
        let (packets, others): (Vec<_>, Vec<_>) =
            ready.into_iter().partition(|ready| self.fault_kind(ready.ix, ready.ends).packet().is_some());
        self.ready = others;
        self.fire_inline(record);
        self.ready = packets;
        self.process(process).is_up()
    }

    fn apply(&mut self, kind: FaultKind, matched: Option<PacketId>, record: &mut Record) {
        match kind {
            FaultKind::Pause { node, length, cause } => self.pause(node, length, cause, record),
            FaultKind::Resume { node } => {
                if matches!(self.process(node).run, Run::Paused { .. }) {
                    self.resume(node, record);
                }
            }
            FaultKind::Suspend { machine, length } => self.suspend(machine, length),
            FaultKind::Wake { machine } => self.wake(machine, record),
            FaultKind::ClockJump { machine, by_us } => {
                self.machine_mut(machine).jump(by_us);
                record.effects.push(Effect::ClockJumped { machine, by_us });
                self.requeue_clock_timers(machine);
            }
            FaultKind::ClockRate { machine, ppm } => {
                let now = self.now;
                self.machine_mut(machine).set_rate(ppm, now);
                self.requeue_clock_timers(machine);
            }
            FaultKind::Crash { node, restart } => self.crash(node, restart, record),
            FaultKind::PowerLoss { machine, restart } => self.power_loss(machine, restart, record),
            FaultKind::Restart { node } => {
                self.queue.remove(Pending::Restart(node));
                self.restart(node, record);
            }
            FaultKind::Cut { from, to, both } => self.set_link(from, to, both, true, record),
            FaultKind::Heal { from, to, both } => self.set_link(from, to, both, false, record),
            FaultKind::CutOff { node } => self.set_all_links(node, true, record),
            FaultKind::Rejoin { node } => self.set_all_links(node, false, record),
            FaultKind::Reset { from, to, notice } => self.reset(from, to, notice, record),
            FaultKind::Hold { packet }
            | FaultKind::DeliverNow { packet }
            | FaultKind::Delay { packet, .. }
            | FaultKind::Lose { packet, .. }
            | FaultKind::Resend { packet } => {
                let id = match packet {
                    PacketRef::Id(id) => Some(id),
                    PacketRef::Matched => matched,
                };
                if let Some(flight) = id.and_then(|id| self.net.flight(id)).copied() {
                    self.apply_to_packet(kind, flight, record);
                }
            }
        }
    }

    fn pause(&mut self, node: NodeId, length: Option<Span>, cause: PauseCause, record: &mut Record) {
        if !self.process(node).is_up() {
            return;
        }
        let until = length.map(|length| self.now + length);
        self.freeze(node, Run::Paused { since: self.now, until, cause });
        if let Some(at) = until {
            self.schedule(at, Pending::Resume(node), Some(record.ix));
        }
        record.effects.push(Effect::Paused { node, cause, until });
    }

    fn suspend(&mut self, machine: MachineId, length: Option<Span>) {
        let now = self.now;
        if !self.machine(machine).powered() || self.machine(machine).suspended().is_some() {
            return;
        }
        let stops = self.setup.machines[machine.ix()].suspend_stops_monotonic;
        self.machine_mut(machine).suspend(stops, now);
        for node in self.nodes_on(machine) {
            match self.process(node).run {
                Run::Down { .. } => {}
                Run::Paused { .. } => {
                    self.queue.remove(Pending::Resume(node));
                    self.process_mut(node).run = Run::Suspended { since: now };
                }
                _ => self.freeze(node, Run::Suspended { since: now }),
            }
        }
        self.requeue_clock_timers(machine);
        if let Some(length) = length {
            self.schedule(now + length, Pending::Wake(machine), Some(StepIx(self.steps)));
        }
    }

    pub(super) fn wake(&mut self, machine: MachineId, record: &mut Record) {
        if self.machine(machine).suspended().is_none() {
            return;
        }
        let now = self.now;
        self.queue.remove(Pending::Wake(machine));
        self.machine_mut(machine).wake(now);
        self.requeue_clock_timers(machine);
        for node in self.nodes_on(machine) {
            if matches!(self.process(node).run, Run::Suspended { .. }) {
                self.resume(node, record);
            }
        }
    }

    fn crash(&mut self, node: NodeId, restart: Option<Span>, record: &mut Record) {
        if self.process(node).is_down() {
            return;
        }
        self.end_process(node, false, record);
        // The operating system closes what the process had open: its peers learn of it.
        for (conn, _) in self.ends_of(node) {
            self.close(conn, node);
        }
        self.plan_restart(node, restart);
    }

    fn power_loss(&mut self, machine: MachineId, restart: Option<Span>, record: &mut Record) {
        if !self.machine(machine).powered() {
            return;
        }
        self.machine_mut(machine).set_power(false);
        self.queue.remove(Pending::Wake(machine));
        for node in self.nodes_on(machine) {
            if self.process(node).is_down() {
                // What is in the page cache goes with the power, even if the process had ended before.
                self.lose_page_cache(node);
            } else {
                self.end_process(node, true, record);
            }
            // Nobody tells the peers: their ends stay open until a timeout of their own.
            for (conn, end) in self.ends_of(node) {
                self.shut(conn, end);
            }
            self.plan_restart(node, restart);
        }
        self.net_mut().prune();
    }

    fn plan_restart(&mut self, node: NodeId, restart: Option<Span>) {
        self.queue.remove(Pending::Restart(node));
        if let Some(after) = restart {
            self.schedule(self.now + after, Pending::Restart(node), Some(StepIx(self.steps)));
        }
    }

    fn ends_of(&self, node: NodeId) -> Vec<(ConnId, usize)> {
        self.net.connections.iter().filter_map(|connection| Some((connection.id, connection.end_of(node)?))).collect()
    }

    fn lose_page_cache(&mut self, node: NodeId) {
        let disk = &mut self.process_mut(node).disk;
        disk.written = disk.synced.clone();
    }

    /// The end of a process, with what the judges must hear of it: its beliefs and the grants it forgets.
    fn end_process(&mut self, node: NodeId, power: bool, record: &mut Record) {
        record.effects.push(Effect::Crashed { node, power });
        let process = &self.processes[node.ix()];
        if let Some(client) = process.state.client() {
            for hold in client.holds() {
                let what = Observation::HoldClosed { service: hold.service, hold: hold.hold, why: Closing::Crashed };
                record.effects.push(Effect::Noted { node, what });
            }
        }
        if let Some(redis) = process.state.redis() {
            let surviving = if power { &process.disk.synced } else { &process.disk.written };
            for (service, grant) in redis.forgotten(surviving) {
                let what = Observation::Ended { service, grant, why: Ending::Forgotten };
                record.effects.push(Effect::Noted { node, what });
            }
        }
        let setup = Arc::clone(&self.setup);
        let now = self.now;
        self.process_mut(node).end(setup.nodes[node.ix()].role, &setup, power, now);
        self.queue.remove_all(|what| match what {
            Pending::Start(n)
            | Pending::Run { node: n, .. }
            | Pending::Timer { node: n, .. }
            | Pending::Drain(n)
            | Pending::Resume(n) => n == node,
            _ => false,
        });
    }

    pub(super) fn restart(&mut self, node: NodeId, record: &mut Record) {
        if !self.process(node).is_down() {
            return;
        }
        self.machine_mut(self.setup.machine_of(node)).set_power(true);
        self.process_mut(node).run = Run::Up;
        self.handle(node, Input::Restart, record);
    }

    fn set_link(&mut self, from: NodeId, to: NodeId, both: bool, cut: bool, record: &mut Record) {
        self.net_mut().set_cut(from, to, cut);
        if both {
            self.net_mut().set_cut(to, from, cut);
        }
        self.reflow_links(|a, b| (a, b) == (from, to) || both && (a, b) == (to, from), record);
        if !cut {
            self.tell_again(from, to);
        }
    }

    fn set_all_links(&mut self, node: NodeId, cut: bool, record: &mut Record) {
        for other in (0..self.setup.nodes.len() as u16).map(NodeId).filter(|other| *other != node) {
            self.set_link(node, other, true, cut, record);
        }
    }

    /// A healed link carries the news of connections that ended meanwhile.
    fn tell_again(&mut self, a: NodeId, b: NodeId) {
        let half_closed = |connection: &super::network::Connection| {
            let open = connection.open.iter().position(|open| *open)?;
            (connection.joins(a, b) && connection.open != [true, true]).then_some((connection.id, open))
        };
        let told: Vec<_> = self.net.connections.iter().filter_map(half_closed).collect();
        for (conn, end) in told {
            let gone = self.net.connection(conn).map(|connection| connection.ends[1 - end]);
            if gone.is_some_and(|node| self.machine(self.setup.machine_of(node)).powered()) {
                self.tell_of_loss(conn, end);
            }
        }
    }

    fn reflow_links(&mut self, affected: impl Fn(NodeId, NodeId) -> bool, record: &mut Record) {
        let mut directions: Vec<(ConnId, NodeId)> = Vec::new();
        for Flight { packet, .. } in &self.net.flights {
            let direction = (packet.conn, packet.from);
            if affected(packet.from, packet.to) && !directions.contains(&direction) {
                directions.push(direction);
            }
        }
        for (conn, from) in directions {
            self.reflow(conn, from, record);
        }
    }

    fn reflow(&mut self, conn: ConnId, from: NodeId, record: &mut Record) {
        let now = self.now;
        let mut changed = Vec::new();
        self.net_mut().reflow(conn, from, now, |flight| changed.push(*flight));
        for flight in changed {
            let what = Pending::Deliver(flight.packet.id);
            self.queue.remove(what);
            if let Some(at) = flight.due {
                self.queue.push(Scheduled { at, seq: flight.seq, cause: Some(flight.cause), what });
            }
            record.effects.push(Effect::Rescheduled { packet: flight.packet.id, due: flight.due });
        }
    }

    fn apply_to_packet(&mut self, kind: FaultKind, flight: Flight, record: &mut Record) {
        let packet = flight.packet;
        let now = self.now;
        let change = |world: &mut Self, change: &dyn Fn(&mut Flight)| {
            if let Some(flight) = world.net_mut().flight_mut(packet.id) {
                change(flight);
            }
        };
        match kind {
            FaultKind::Hold { .. } => change(self, &|flight| flight.held = true),
            FaultKind::DeliverNow { .. } => change(self, &|flight| {
                flight.held = false;
                flight.nominal = flight.nominal.min(now);
            }),
            FaultKind::Delay { by, .. } => change(self, &|flight| flight.nominal += by),
            FaultKind::Lose { delivered, notice, .. } => return self.lose(packet, delivered, notice, record),
            FaultKind::Resend { .. } => return self.resend(packet, record),
            _ => {}
        }
        self.reflow(packet.conn, packet.from, record);
    }

    /// The packet's connection breaks. If the packet is to be delivered before the break, it and what was sent before it
    /// arrive now, and the answer is lost; else it is gone, with everything else on that connection.
    fn lose(&mut self, packet: super::Packet, delivered: bool, notice: Notice, record: &mut Record) {
        if !delivered {
            return self.break_connection(packet.conn, packet.from, notice, record);
        }
        let now = self.now;
        for flight in &mut self.net_mut().flights {
            if flight.packet.conn == packet.conn && flight.packet.from == packet.from && flight.packet.id <= packet.id {
                flight.held = false;
                flight.nominal = flight.nominal.min(now);
            }
        }
        self.reflow(packet.conn, packet.from, record);
        let what = Pending::Break { conn: packet.conn, sender: packet.from, notice };
        self.schedule(now, what, Some(record.ix));
    }

    fn reset(&mut self, from: NodeId, to: NodeId, notice: Notice, record: &mut Record) {
        let joined = |connection: &super::network::Connection| connection.joins(from, to).then_some(connection.id);
        let conns: Vec<_> = self.net.connections.iter().filter_map(joined).collect();
        for conn in conns {
            self.break_connection(conn, from, notice, record);
        }
    }

    pub(super) fn break_connection(&mut self, conn: ConnId, sender: NodeId, notice: Notice, record: &mut Record) {
        let Some(connection) = self.net.connection(conn).copied() else { return };
        if let Some(connection) = self.net_mut().connection_mut(conn) {
            connection.broken = true;
        }
        let [from, to] = connection.ends;
        record.effects.push(Effect::ConnectionBroke { conn, from, to });
        let gone: Vec<_> =
            self.net.flights.iter().filter(|flight| flight.packet.conn == conn).map(|flight| flight.packet).collect();
        for packet in gone {
            self.queue.remove(Pending::Deliver(packet.id));
            self.net_mut().take_flight(packet.id);
            record.effects.push(Effect::Dropped { packet });
        }
        for (end, node) in connection.ends.into_iter().enumerate() {
            let learns = match notice {
                Notice::Both => true,
                Notice::Neither => false,
                Notice::Sender => node == sender,
                Notice::Receiver => node != sender,
            };
            if learns && connection.open[end] {
                let what = Pending::Lost { conn, end: end as u8 };
                self.queue.remove(what);
                self.schedule(self.now, what, Some(StepIx(self.steps)));
            }
        }
    }

    /// The application sends the same message once more, on a new connection, as a client library does after a timeout.
    fn resend(&mut self, packet: super::Packet, record: &mut Record) {
        let (from, to): (NodeId, NodeId) = (packet.from, packet.to);
        let message: Message = packet.message;
        let conn = self.net_mut().connect(from, to);
        self.send(conn, from, to, message, false, record);
    }
}

impl FaultKind {
    /// The packet that this fault is about, if it is about one.
    pub const fn packet(&self) -> Option<PacketRef> {
        match self {
            Self::Hold { packet }
            | Self::DeliverNow { packet }
            | Self::Delay { packet, .. }
            | Self::Lose { packet, .. }
            | Self::Resend { packet } => Some(*packet),
            _ => None,
        }
    }
}
