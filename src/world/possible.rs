//! What is possible now: the one list behind the page's menus, the search and the challenges; and who truly holds a lock.

use super::redis::Entry;
use super::{Flight, Message, Process, Run, World};
use crate::vocabulary::{
    ClockChoice, FaultKind, GrantId, KeyId, MachineId, NodeId, Notice, PacketRef, PauseCause, ServiceIx, Span, Time,
};

/// The truth about a lock: who could lawfully use it now.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Holding {
    /// The owner.
    pub client: NodeId,
    /// The grant.
    pub grant: GrantId,
    /// When the grant ends if nothing interferes; `None` if it has no end.
    pub until: Option<Time>,
}

/// The size that a menu shows first: the adversary can choose another.
const PAUSE: Span = Span::from_ms(12_000);
const JUMP_US: i64 = 60_000_000;
const DELAY: Span = Span::from_ms(90_000);

impl World {
    /// Who truly holds a service's lock now.
    pub fn holder(&self, service: ServiceIx) -> Option<Holding> {
        let spec = self.setup.service(service);
        if spec.ensemble.is_some() {
            return self.lowest_holder(service);
        }
        if spec.quorum > 1 {
            return self.counted_holder(service);
        }
        let (node, _) = self.lock_entry(service)?;
        self.holding_at(node, KeyId::lock(service), |_| true)
    }

    /// For whom a node stands now, by what it keeps in memory or, if it is down, would find again.
    pub(super) fn holding_at(&self, node: NodeId, key: KeyId, of: impl Fn(&Entry) -> bool) -> Option<Holding> {
        let process = self.process(node);
        let redis = process.state().redis()?;
        let entry = match (process.is_down(), process.surviving(false)) {
            (false, _) => redis.entry(key)?,
            (true, super::disk::DiskImage::Redis(store)) => store.entry(key)?,
            (true, _) => return None,
        };
        if of(entry) { self.holding(node, redis.config().expiry_clock, entry) } else { None }
    }

    fn holding(&self, node: NodeId, choice: ClockChoice, entry: &Entry) -> Option<Holding> {
        let clock = self.machine(self.setup.machine_of(node)).clock(choice);
        let until = match entry.deadline {
            Some(deadline) if clock.read(self.now) >= deadline => return None,
            Some(deadline) => clock.reaches(deadline, self.now),
            None => None,
        };
        Some(Holding { client: entry.owner, grant: entry.grant?, until })
    }

    /// Every fault that is possible now, with a size to start from.
    pub fn possible_faults(&self) -> Vec<FaultKind> {
        let mut list = Vec::new();
        for ix in 0..self.setup.nodes.len() {
            let node = NodeId(ix as u16);
            Self::process_faults(node, self.process(node), &mut list);
        }
        for ix in 0..self.setup.machines.len() {
            self.machine_faults(MachineId(ix as u16), &mut list);
        }
        self.link_faults(&mut list);
        for flight in self.air.iter() {
            Self::packet_faults(flight, &mut list);
        }
        list
    }

    fn process_faults(node: NodeId, process: &Process, list: &mut Vec<FaultKind>) {
        match process.run() {
            Run::Up => {
                list.push(FaultKind::Pause { node, length: Some(PAUSE), cause: PauseCause::Gc });
                list.push(FaultKind::Crash { node, restart: Some(Span::ZERO) });
            }
            Run::Paused { .. } => {
                list.push(FaultKind::Resume { node });
                list.push(FaultKind::Crash { node, restart: Some(Span::ZERO) });
            }
            Run::Suspended { .. } => {}
            Run::Down { .. } => list.push(FaultKind::Restart { node }),
        }
    }

    fn machine_faults(&self, machine: MachineId, list: &mut Vec<FaultKind>) {
        let state = self.machine(machine);
        if !state.powered() {
            return;
        }
        list.push(FaultKind::ClockJump { machine, by_us: JUMP_US });
        list.push(FaultKind::ClockJump { machine, by_us: -JUMP_US });
        list.push(FaultKind::ClockRate { machine, ppm: if state.rate_ppm() == 0 { 20_000 } else { 0 } });
        match state.suspended() {
            None => list.push(FaultKind::Suspend { machine, length: Some(PAUSE) }),
            Some(_) => list.push(FaultKind::Wake { machine }),
        }
        list.push(FaultKind::PowerLoss { machine, restart: Some(Span::ZERO) });
    }

    fn link_faults(&self, list: &mut Vec<FaultKind>) {
        for ix in 0..self.setup.nodes.len() {
            let node = NodeId(ix as u16);
            let mut whole = true;
            let mut any_cut = false;
            for peer in self.peers(node) {
                let cut = self.is_cut(node, peer) || self.is_cut(peer, node);
                any_cut |= cut;
                whole &= !cut;
                if node < peer {
                    list.push(if cut {
                        FaultKind::Heal { from: node, to: peer, both: true }
                    } else {
                        FaultKind::Cut { from: node, to: peer, both: true }
                    });
                }
                let connected = self.net.connections.iter().any(|connection| connection.joins(node, peer));
                if node < peer && connected {
                    list.push(FaultKind::Reset { from: node, to: peer, notice: Notice::Both, behind: false });
                }
            }
            if whole {
                list.push(FaultKind::CutOff { node });
            }
            if any_cut {
                list.push(FaultKind::Rejoin { node });
            }
        }
    }

    /// The processes with which a process talks.
    pub fn peers(&self, node: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        (0..self.setup.nodes.len() as u16).map(NodeId).filter(move |peer| self.setup.talk(*peer, node))
    }

    fn packet_faults(flight: &Flight, list: &mut Vec<FaultKind>) {
        let packet = PacketRef::Id(flight.packet.id);
        list.push(FaultKind::DeliverNow { packet });
        if !flight.held {
            list.push(FaultKind::Hold { packet });
        }
        list.push(FaultKind::Delay { packet, by: DELAY });
        list.push(FaultKind::Lose { packet, delivered: false, notice: Notice::Both });
        list.push(FaultKind::Lose { packet, delivered: true, notice: Notice::Both });
        // Nobody repeats a part of a stream: whoever lost some takes all data anew, or connects anew.
        if !matches!(flight.packet.message, Message::Replication(_) | Message::Log(_) | Message::ZooKeeper(_)) {
            list.push(FaultKind::Resend { packet });
        }
    }
}
