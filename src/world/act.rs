//! How an event happens: the process it is for handles it, and the World carries out what it asks for.

use std::sync::Arc;

use super::matching::Occurrence;
use super::network::Flight;
use super::observation::{Ending, Observation};
use super::out::{Command, Ctx, Out};
use super::process::{Due, Input, Waiting};
use super::queue::{Pending, Scheduled};
use super::record::{Effect, Event, Packet, Record};
use super::{World, random};
use crate::vocabulary::{ConnId, MachineId, NodeId, PacketId, Span, StepIx};

impl World {
    pub(super) fn perform(&mut self, what: Pending, record: &mut Record) {
        match what {
            Pending::Start(node) => {
                record.event = Event::Started { node };
                if self.process(node).is_up() {
                    self.handle(node, Input::Start, record);
                } else {
                    self.process_mut(node).halted_mut().interrupted = Some(false);
                }
            }
            Pending::Run { node, .. } => self.run_line(node, record),
            Pending::Deliver(packet) => self.deliver(packet, record),
            Pending::Timer { node, timer } => self.fire_timer(node, timer.into(), record),
            Pending::Drain(node) => self.drain(node, record),
            Pending::Resume(node) => {
                record.event = Event::Resumed { node };
                self.resume(node, record);
            }
            Pending::Wake(machine) => {
                let node = self.nodes_on(machine).next().unwrap_or_default();
                record.event = Event::Resumed { node };
                self.wake(machine, record);
            }
            Pending::Restart(node) => {
                record.event = Event::Restarted { node };
                self.restart(node, record);
            }
            Pending::Lost { conn, end } => self.learn_of_loss(conn, end, record),
            Pending::Break { conn, sender, notice } => {
                record.event = Event::Broke { conn };
                self.break_connection(conn, sender, notice, record);
            }
            Pending::Fault { ix, ends } => {
                let kind = self.fault_kind(ix, ends);
                record.event = Event::Fault { ix, kind, ends };
                self.fire(ix, ends, record);
            }
        }
    }

    pub(super) fn nodes_on(&self, machine: MachineId) -> impl Iterator<Item = NodeId> + use<> {
        let on = |(ix, node): (usize, &crate::scenario::Node)| (node.machine == machine).then_some(NodeId(ix as u16));
        self.setup.nodes.iter().enumerate().filter_map(on).collect::<Vec<_>>().into_iter()
    }

    fn run_line(&mut self, node: NodeId, record: &mut Record) {
        let Some(client) = self.process(node).state().client() else { return };
        let (line, part) = (client.line().unwrap_or_default(), client.part());
        record.event = Event::Line { node, line, part };
        self.handle(node, Input::Run, record);
    }

    /// Lets a process handle something and carries out what it asks for.
    pub(super) fn handle(&mut self, node: NodeId, input: Input<'_>, record: &mut Record) {
        let mut commands = self.scratch.take();
        let machine = *self.machine(self.setup.machine_of(node));
        let ctx = Ctx {
            setup: &self.setup,
            me: node,
            wall_us: machine.wall_us(self.now),
            mono_us: machine.mono_us(self.now),
        };
        let process = Arc::make_mut(&mut self.processes[node.ix()]);
        process.handle(input, ctx, &mut Out { commands: &mut commands, fresh: &mut self.fresh });
        self.carry_out(node, &mut commands, record);
        self.scratch.give_back(commands);
    }

    /// Carries out commands in order. A fault in between can pause the process (the rest comes on resuming) or end it
    /// (the rest never comes).
    pub(super) fn carry_out(&mut self, node: NodeId, commands: &mut Vec<Command>, record: &mut Record) {
        let mut rest = commands.drain(..);
        while let Some(command) = rest.next() {
            self.carry_out_one(node, command, record);
            let process = &self.processes[node.ix()];
            if process.is_up() {
                continue;
            }
            if !process.is_down() {
                self.process_mut(node).halted_mut().unfinished.extend(rest);
            }
            break;
        }
    }

    fn carry_out_one(&mut self, node: NodeId, command: Command, record: &mut Record) {
        let cause = StepIx(self.steps);
        match command {
            Command::Send { to, message, matched } => {
                let conn = self.net.usable(node, to).unwrap_or_else(|| self.net_mut().connect(node, to));
                if let Err(message) = self.send(conn, node, to, message, matched, record) {
                    self.finish_later(node, Command::Send { to, message, matched: true });
                }
            }
            Command::Reply { conn, message, matched } => {
                let Some(connection) = self.net.connection(conn) else { return };
                let Some(end) = connection.end_of(node).filter(|end| connection.open[*end]) else { return };
                let to = connection.ends[1 - end];
                if let Err(message) = self.send(conn, node, to, message, matched, record) {
                    self.finish_later(node, Command::Reply { conn, message, matched: true });
                }
            }
            Command::Close { peer } => {
                if let Some(conn) = self.net.usable(node, peer) {
                    self.close(conn, node);
                }
            }
            Command::HangUp { conn } => self.close(conn, node),
            Command::Moved(what) => self.lock_moved(node, what, record),
            Command::SetTimer { timer, clock, due_us } => self.set_timer(node, timer, Due::Clock(clock, due_us)),
            Command::Work { timer, span } => self.set_timer(node, timer, Due::Cpu { left: span, from: self.now }),
            Command::CancelTimer { timer } => self.cancel_timer(node, timer),
            Command::Run => {
                self.schedule(self.now, Pending::Run { node, matched: false }, Some(cause));
            }
            Command::Write(image) => self.process_mut(node).disk_mut().written = image,
            Command::Fsync => self.process_mut(node).disk_mut().fsync(),
            Command::Note(what) => self.note(node, what, record),
        }
    }

    /// Notes what a process observed, and what that means where votes are counted.
    pub(super) fn note(&mut self, node: NodeId, what: Observation, record: &mut Record) {
        if !self.believe(node, &what) {
            return;
        }
        if self.examine(Occurrence::Observed { node, what }, self.now) {
            self.fire_inline(record);
        }
        if self.process(node).is_down() {
            return;
        }
        record.effects.push(Effect::Noted { node, what });
        for news in self.count_votes(&what).into_iter().flatten() {
            self.note(node, news, record);
        }
        if matches!(what, Observation::Promoted { .. }) {
            self.settle(node, Ending::Lost, record);
        }
    }

    /// Notes the end of the grants that a node does not keep, now that its word counts.
    pub(super) fn settle(&mut self, node: NodeId, why: Ending, record: &mut Record) {
        for what in self.settled_by(node, why) {
            self.note(node, what, record);
        }
    }

    /// A fault paused the process right before this command.
    fn finish_later(&mut self, node: NodeId, command: Command) {
        if !self.process(node).is_down() {
            self.process_mut(node).halted_mut().unfinished.push(command);
        }
    }

    /// Sends a message; gives it back if a fault stopped the sender right before it.
    pub(super) fn send(
        &mut self,
        conn: ConnId,
        from: NodeId,
        to: NodeId,
        message: super::Message,
        matched: bool,
        record: &mut Record,
    ) -> Result<(), super::Message> {
        let id = PacketId(self.next_packet);
        let packet = Arc::new(Packet { id, conn, from, to, message, sent: self.now });
        let fired = !matched && self.examine(Occurrence::Send { packet: &packet }, self.now);
        if fired && !self.fire_inline_but_packets(record, from) {
            return Err(Arc::unwrap_or_clone(packet).message);
        }
        let nominal = self.now + self.latency(from, to);
        let seq = self.next_seq;
        self.next_seq += 1;
        self.next_packet += 1;
        if self.net.connection(conn).is_some_and(|connection| connection.broken) {
            let lost = Arc::clone(&packet);
            record.effects.extend([Effect::Sent { packet, due: nominal }, Effect::Dropped { packet: lost }]);
            return Ok(());
        }
        let before = self.air.iter().rev().find(|flight| flight.packet.conn == conn && flight.packet.from == from);
        let due = match before {
            _ if self.net.is_cut(from, to) => None,
            None => Some(nominal),
            Some(before) => before.due.map(|last| last.max(nominal)),
        };
        let cause = record.ix;
        let sent = Effect::Sent { packet: Arc::clone(&packet), due: due.unwrap_or(nominal) };
        self.air.push(Flight { packet, due, held: false, nominal, matched: false, seq, cause });
        if let Some(at) = due {
            self.queue.push(Scheduled::new(at, seq, Some(cause), Pending::Deliver(id)));
        }
        record.effects.push(sent);
        if fired {
            self.fire_inline(record);
        }
        Ok(())
    }

    fn latency(&mut self, from: NodeId, to: NodeId) -> Span {
        let latency = self.setup.latency(from, to);
        if latency.min == latency.max {
            return latency.min;
        }
        let nth = self.net_mut().next_draw(from, to);
        random::latency(self.setup.seed, from, to, nth, latency.min, latency.max)
    }

    /// One end closes a connection. What it sent still arrives; what comes to it is refused.
    pub(super) fn close(&mut self, conn: ConnId, node: NodeId) {
        let Some(end) = self.net.connection(conn).and_then(|connection| connection.end_of(node)) else { return };
        if self.shut(conn, end) {
            self.tell_of_loss(conn, 1 - end);
        }
        self.prune();
    }

    /// Shuts one end of a connection; true if the other end is still open.
    pub(super) fn shut(&mut self, conn: ConnId, end: usize) -> bool {
        self.queue.remove(Pending::Lost { conn, end: end as u8 });
        let Some(connection) = self.net_mut().connection_mut(conn) else { return false };
        connection.open[end] = false;
        connection.open[1 - end]
    }

    /// Lets an end of a connection learn, after what is still on its way to it, that the other end is gone.
    pub(super) fn tell_of_loss(&mut self, conn: ConnId, end: usize) {
        let Some(connection) = self.net.connection(conn) else { return };
        let (from, to) = (connection.ends[1 - end], connection.ends[end]);
        if self.net.is_cut(from, to) {
            return;
        }
        let behind = |flight: &&Flight| flight.packet.conn == conn && flight.packet.to == to;
        let last = self.air.iter().filter(behind).filter_map(|flight| flight.due).max();
        let at = (self.now + self.setup.latency(from, to).min).max(last.unwrap_or(self.now));
        let what = Pending::Lost { conn, end: end as u8 };
        self.queue.remove(what);
        self.schedule(at, what, Some(StepIx(self.steps)));
    }

    fn learn_of_loss(&mut self, conn: ConnId, end: u8, record: &mut Record) {
        let cause = record.cause;
        let connection = self.net.connection(conn).expect("an end that is open keeps its connection");
        let (node, peer) = (connection.ends[end as usize], connection.ends[1 - end as usize]);
        record.event = Event::ConnectionLost { node, peer, conn };
        self.shut(conn, end as usize);
        self.prune();
        let process = self.process(node);
        if process.is_idle() {
            self.handle(node, Input::Lost { peer, conn }, record);
        } else {
            self.process_mut(node).halted_mut().buffer.push(Waiting::Lost { conn, peer, cause });
        }
    }

    fn deliver(&mut self, packet: PacketId, record: &mut Record) {
        let Some(Flight { packet, .. }) = self.air.take(packet) else { return };
        let node = packet.to;
        let listening = self
            .net
            .connection(packet.conn)
            .is_some_and(|connection| connection.end_of(node).is_some_and(|end| connection.open[end]));
        let process = self.process(node);
        if process.is_down() || !listening {
            self.refuse(&packet);
            record.effects.push(Effect::Dropped { packet: Arc::clone(&packet) });
            record.event = Event::Refused { packet };
        } else if process.is_idle() {
            record.event = Event::Delivered { packet: Arc::clone(&packet) };
            self.handle(node, Input::from_packet(&packet), record);
        } else {
            record.event = Event::Buffered { packet: Arc::clone(&packet) };
            let cause = record.cause;
            self.process_mut(node).halted_mut().buffer.push(Waiting::Packet { packet, cause });
        }
    }

    /// Nobody listens: a machine with power answers with a reset, one without says nothing.
    fn refuse(&mut self, packet: &Packet) {
        let powered = self.machine(self.setup.machine_of(packet.to)).powered();
        let connection = self.net.connection(packet.conn);
        let Some(end) = connection.and_then(|connection| connection.end_of(packet.to)) else { return };
        if self.shut(packet.conn, end) && powered {
            self.tell_of_loss(packet.conn, 1 - end);
        }
        self.prune();
    }

    fn fire_timer(&mut self, node: NodeId, timer: u32, record: &mut Record) {
        let process = self.process_mut(node);
        process.timers.retain(|other| other.id != timer);
        if process.is_idle() {
            record.event = Event::Timer { node, timer };
            self.handle(node, Input::Timer(timer), record);
        } else {
            record.event = Event::TimerWaits { node, timer };
            let cause = record.cause;
            self.process_mut(node).halted_mut().buffer.push(Waiting::Timer { timer, cause });
        }
    }

    /// Takes the first thing out of a kernel buffer and lets the process handle it.
    fn drain(&mut self, node: NodeId, record: &mut Record) {
        match self.process_mut(node).halted_mut().buffer.remove(0) {
            Waiting::Packet { packet, cause } => {
                record.cause = cause;
                record.event = Event::Unbuffered { packet: Arc::clone(&packet) };
                self.handle(node, Input::from_packet(&packet), record);
            }
            Waiting::Timer { timer, cause } => {
                record.cause = cause;
                record.event = Event::Timer { node, timer };
                self.handle(node, Input::Timer(timer), record);
            }
            Waiting::Lost { conn, peer, cause } => {
                record.cause = cause;
                record.event = Event::ConnectionLost { node, peer, conn };
                self.handle(node, Input::Lost { peer, conn }, record);
            }
        }
        self.drain_on(node, record);
    }
}
