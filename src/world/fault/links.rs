//! What faults do to links, connections and packets.

use std::sync::Arc;

use crate::vocabulary::{ConnId, FaultKind, NodeId, Notice, StepIx};
use crate::world::World;
use crate::world::network::{Connection, Flight};
use crate::world::queue::{Pending, Scheduled};
use crate::world::record::{Effect, Packet, Record};

impl World {
    pub(super) fn set_link(&mut self, from: NodeId, to: NodeId, both: bool, cut: bool, record: &mut Record) {
        self.net_mut().set_cut(from, to, cut);
        if both {
            self.net_mut().set_cut(to, from, cut);
        }
        self.reflow_links(|a, b| (a, b) == (from, to) || both && (a, b) == (to, from), record);
        if !cut {
            self.tell_again(from, to);
        }
    }

    pub(super) fn set_all_links(&mut self, node: NodeId, cut: bool, record: &mut Record) {
        for other in (0..self.setup.nodes.len() as u16).map(NodeId).filter(|other| *other != node) {
            self.set_link(node, other, true, cut, record);
        }
    }

    /// A healed link carries the news of connections that ended meanwhile.
    fn tell_again(&mut self, a: NodeId, b: NodeId) {
        let half_closed = |connection: &Connection| {
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
        for Flight { packet, .. } in self.air.iter() {
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
        let is_cut = self.net.connection(conn).is_some_and(|connection| {
            let to = connection.ends[usize::from(connection.ends[0] == from)];
            self.net.is_cut(from, to)
        });
        self.air.reflow(conn, from, now, is_cut, |flight| changed.push(flight.clone()));
        for flight in changed {
            let what = Pending::Deliver(flight.packet.id);
            self.queue.remove(what);
            if let Some(at) = flight.due {
                self.queue.push(Scheduled::new(at, flight.seq, Some(flight.cause), what));
            }
            record.effects.push(Effect::Rescheduled { packet: flight.packet.id, due: flight.due });
        }
    }

    pub(super) fn apply_to_packet(&mut self, kind: FaultKind, flight: &Flight, record: &mut Record) {
        let packet = &*flight.packet;
        let now = self.now;
        let change = |world: &mut Self, change: &dyn Fn(&mut Flight)| {
            if let Some(flight) = world.air.get_mut(packet.id) {
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
    fn lose(&mut self, packet: &Packet, delivered: bool, notice: Notice, record: &mut Record) {
        if !delivered {
            return self.break_connection(packet.conn, packet.from, notice, record);
        }
        let now = self.now;
        for flight in self.air.iter_mut() {
            if flight.packet.conn == packet.conn && flight.packet.from == packet.from && flight.packet.id <= packet.id {
                flight.held = false;
                flight.nominal = flight.nominal.min(now);
            }
        }
        self.reflow(packet.conn, packet.from, record);
        let what = Pending::Break { conn: packet.conn, sender: packet.from, notice };
        self.schedule(now, what, Some(record.ix));
    }

    /// The connections between two processes break. A reset on a shorter way overtakes what is in flight; one that is queued
    /// behind it lets what its sender had sent arrive first.
    pub(super) fn reset(&mut self, (from, to): (NodeId, NodeId), notice: Notice, behind: bool, record: &mut Record) {
        let joined = |connection: &Connection| connection.joins(from, to).then_some(connection.id);
        let conns: Vec<_> = self.net.connections.iter().filter_map(joined).collect();
        for conn in conns {
            if behind {
                self.give_up(conn, from, notice);
            } else {
                self.break_connection(conn, from, notice, record);
            }
        }
    }

    /// One end gives a connection up; the news travels behind what it had sent.
    fn give_up(&mut self, conn: ConnId, sender: NodeId, notice: Notice) {
        let Some(connection) = self.net.connection(conn).copied() else { return };
        for (end, node) in connection.ends.into_iter().enumerate().filter(|(end, _)| connection.open[*end]) {
            if !notice.reaches(node == sender) {
                continue;
            }
            if node == sender {
                let what = Pending::Lost { conn, end: end as u8 };
                self.queue.remove(what);
                self.schedule(self.now, what, Some(StepIx(self.steps)));
            } else {
                self.tell_of_loss(conn, end);
            }
        }
    }

    pub(in crate::world) fn break_connection(
        &mut self,
        conn: ConnId,
        sender: NodeId,
        notice: Notice,
        record: &mut Record,
    ) {
        let Some(connection) = self.net.connection(conn).copied() else { return };
        if let Some(connection) = self.net_mut().connection_mut(conn) {
            connection.broken = true;
        }
        let [from, to] = connection.ends;
        record.effects.push(Effect::ConnectionBroke { conn, from, to });
        let gone: Vec<_> = self
            .air
            .iter()
            .filter(|flight| flight.packet.conn == conn)
            .map(|flight| Arc::clone(&flight.packet))
            .collect();
        for packet in gone {
            self.queue.remove(Pending::Deliver(packet.id));
            self.air.take(packet.id);
            record.effects.push(Effect::Dropped { packet });
        }
        for (end, node) in connection.ends.into_iter().enumerate() {
            if notice.reaches(node == sender) && connection.open[end] {
                let what = Pending::Lost { conn, end: end as u8 };
                self.queue.remove(what);
                self.schedule(self.now, what, Some(StepIx(self.steps)));
            }
        }
    }

    /// The application sends the same message once more, on a new connection, as a client library does after a timeout.
    fn resend(&mut self, packet: &Packet, record: &mut Record) {
        let (from, to) = (packet.from, packet.to);
        let conn = self.net_mut().connect(from, to);
        // Whoever is stopped right before it does not send it again.
        let _ = self.send(conn, from, to, packet.message.clone(), false, record);
    }
}
