//! Connections that behave like TCP: in order, stalled by a cut link, lost by a break.
//!
//! A connection is opened by the first message that needs it, without a handshake of its own: the pools of real clients
//! open theirs beforehand. Within one direction of a connection nothing overtakes: a packet that is held or delayed holds
//! what was sent after it. A cut link stalls its packets; they go on when it is healed.

use std::hash::Hash;
use std::sync::Arc;

use super::digest::Digest;
use super::record::Packet;
use crate::vocabulary::{ConnId, NodeId, PacketId, StepIx, Time};

/// A packet on its way.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Flight {
    /// The packet.
    pub packet: Arc<Packet>,
    /// When it arrives; `None` while it is held, behind a held one, or on a cut link.
    pub due: Option<Time>,
    /// Whether somebody holds it.
    pub held: bool,
    /// When it would have arrived without interference.
    pub nominal: Time,
    /// Whether faults were already asked about its delivery.
    pub(super) matched: bool,
    pub(super) seq: u32,
    pub(super) cause: StepIx,
}

/// A connection between two processes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Connection {
    pub(super) id: ConnId,
    /// Who opened it, and the other end.
    pub(super) ends: [NodeId; 2],
    /// Whether each end still thinks it is open.
    pub(super) open: [bool; 2],
    /// Whether it is broken: nothing passes any more, whatever its ends think.
    pub(super) broken: bool,
}

impl Connection {
    pub(super) fn end_of(&self, node: NodeId) -> Option<usize> {
        self.ends.iter().position(|end| *end == node)
    }

    pub(super) fn joins(&self, a: NodeId, b: NodeId) -> bool {
        self.ends == [a, b] || self.ends == [b, a]
    }
}

/// Links and connections: they change rarely, so that steps share them.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub(super) struct Net {
    pub(super) connections: Vec<Connection>,
    next_conn: u32,
    /// The directions that stall, in order of cutting.
    cut: Vec<(NodeId, NodeId)>,
    /// How many packets each link with a drawn latency has carried.
    drawn: Vec<(NodeId, NodeId, u32)>,
}

impl Net {
    pub(super) fn is_cut(&self, from: NodeId, to: NodeId) -> bool {
        self.cut.contains(&(from, to))
    }

    pub(super) fn set_cut(&mut self, from: NodeId, to: NodeId, cut: bool) {
        self.cut.retain(|link| *link != (from, to));
        if cut {
            self.cut.push((from, to));
        }
    }

    /// The number of the next packet on a link with a drawn latency.
    pub(super) fn next_draw(&mut self, from: NodeId, to: NodeId) -> u32 {
        if let Some(link) = self.drawn.iter_mut().find(|link| (link.0, link.1) == (from, to)) {
            link.2 += 1;
            return link.2;
        }
        self.drawn.push((from, to, 0));
        0
    }

    pub(super) fn connection(&self, conn: ConnId) -> Option<&Connection> {
        self.connections.iter().rev().find(|connection| connection.id == conn)
    }

    pub(super) fn connection_mut(&mut self, conn: ConnId) -> Option<&mut Connection> {
        self.connections.iter_mut().rev().find(|connection| connection.id == conn)
    }

    /// The connection that `from` would use to reach `to`: the newest whose own end it thinks open.
    pub(super) fn usable(&self, from: NodeId, to: NodeId) -> Option<ConnId> {
        let usable = |connection: &&Connection| {
            connection.joins(from, to) && connection.end_of(from).is_some_and(|end| connection.open[end])
        };
        self.connections.iter().rev().find(usable).map(|connection| connection.id)
    }

    pub(super) fn connect(&mut self, from: NodeId, to: NodeId) -> ConnId {
        let id = ConnId(self.next_conn);
        self.next_conn += 1;
        self.connections.push(Connection { id, ends: [from, to], open: [true, true], broken: false });
        id
    }

    /// What of this a search must tell apart: which connections stand, which links are cut, and how far the draws are.
    /// The numbers of connections are left out.
    pub(super) fn key(&self, key: &mut Digest) {
        for connection in &self.connections {
            (connection.ends, connection.open, connection.broken).hash(key);
        }
        (&self.cut, &self.drawn).hash(key);
    }

    /// Forgets connections that are closed at both ends and carry nothing.
    pub(super) fn prune(&mut self, flights: &Flights) {
        self.connections.retain(|connection| {
            connection.open != [false, false] || flights.iter().any(|flight| flight.packet.conn == connection.id)
        });
    }
}

/// Everything in flight, in order of sending.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub(super) struct Flights(Vec<Arc<Flight>>);

impl Flights {
    pub(super) fn as_slice(&self) -> &[Arc<Flight>] {
        &self.0
    }

    pub(super) fn iter(&self) -> impl DoubleEndedIterator<Item = &Flight> {
        self.0.iter().map(|flight| &**flight)
    }

    pub(super) fn iter_mut(&mut self) -> impl Iterator<Item = &mut Flight> {
        self.0.iter_mut().map(Arc::make_mut)
    }

    pub(super) fn push(&mut self, flight: Flight) {
        self.0.push(Arc::new(flight));
    }

    pub(super) fn get(&self, packet: PacketId) -> Option<&Flight> {
        self.iter().find(|flight| flight.packet.id == packet)
    }

    pub(super) fn get_mut(&mut self, packet: PacketId) -> Option<&mut Flight> {
        self.0.iter_mut().find(|flight| flight.packet.id == packet).map(Arc::make_mut)
    }

    pub(super) fn take(&mut self, packet: PacketId) -> Option<Flight> {
        let place = self.0.iter().position(|flight| flight.packet.id == packet)?;
        Some(Arc::unwrap_or_clone(self.0.remove(place)))
    }

    /// Works out anew when each packet of one direction of a connection arrives, and reports each change.
    pub(super) fn reflow(
        &mut self,
        conn: ConnId,
        from: NodeId,
        now: Time,
        is_cut: bool,
        mut changed: impl FnMut(&Flight),
    ) {
        let mut blocked = false;
        let mut last = now;
        for flight in self.0.iter_mut().filter(|flight| flight.packet.conn == conn && flight.packet.from == from) {
            blocked |= flight.held || is_cut;
            let new = (!blocked).then(|| flight.nominal.max(last));
            last = new.unwrap_or(last);
            if new != flight.due {
                let flight = Arc::make_mut(flight);
                flight.due = new;
                changed(flight);
            }
        }
    }
}
