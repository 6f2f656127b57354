//! What faults do to processes and machines.

use std::sync::Arc;

use crate::vocabulary::{ConnId, FaultKind, MachineId, NodeId, PacketId, PacketRef, PauseCause, Span, StepIx};
use crate::world::World;
use crate::world::disk::DiskImage;
use crate::world::network::Flight;
use crate::world::observation::{Closing, Observation};
use crate::world::process::{Input, Run};
use crate::world::queue::Pending;
use crate::world::record::{Effect, Record};

impl World {
    pub(super) fn apply(&mut self, kind: FaultKind, matched: Option<PacketId>, record: &mut Record) {
        match kind {
            FaultKind::Pause { node, length, cause } => self.pause(node, length, cause, record),
            FaultKind::Resume { node } => {
                if matches!(self.process(node).run(), Run::Paused { .. }) {
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
            FaultKind::Reset { from, to, notice, behind } => self.reset((from, to), notice, behind, record),
            FaultKind::Hold { packet }
            | FaultKind::DeliverNow { packet }
            | FaultKind::Delay { packet, .. }
            | FaultKind::Lose { packet, .. }
            | FaultKind::Resend { packet } => {
                let id = match packet {
                    PacketRef::Id(id) => Some(id),
                    PacketRef::Matched => matched,
                };
                if let Some(flight) = id.and_then(|id| self.air.get(id)).cloned() {
                    self.apply_to_packet(kind, &flight, record);
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
            match self.process(node).run() {
                Run::Down { .. } => {}
                Run::Paused { .. } => {
                    self.queue.remove(Pending::Resume(node));
                    self.process_mut(node).halted_mut().run = Run::Suspended { since: now };
                }
                _ => self.freeze(node, Run::Suspended { since: now }),
            }
        }
        self.requeue_clock_timers(machine);
        if let Some(length) = length {
            self.schedule(now + length, Pending::Wake(machine), Some(StepIx(self.steps)));
        }
    }

    pub(in crate::world) fn wake(&mut self, machine: MachineId, record: &mut Record) {
        if self.machine(machine).suspended().is_none() {
            return;
        }
        let now = self.now;
        self.queue.remove(Pending::Wake(machine));
        self.machine_mut(machine).wake(now);
        self.requeue_clock_timers(machine);
        for node in self.nodes_on(machine) {
            if matches!(self.process(node).run(), Run::Suspended { .. }) {
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
                self.lose_page_cache(node, record);
            } else {
                self.end_process(node, true, record);
            }
            // Nobody tells the peers: their ends stay open until a timeout of their own.
            for (conn, end) in self.ends_of(node) {
                self.shut(conn, end);
            }
            self.lose_send_buffer(node, record);
            self.plan_restart(node, restart);
        }
        self.prune();
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

    /// What a cut link kept back was never on the wire for good: the sender's kernel would have sent it again.
    fn lose_send_buffer(&mut self, node: NodeId, record: &mut Record) {
        let stuck = |flight: &&Flight| {
            let packet = &flight.packet;
            packet.from == node && !flight.held && self.net.is_cut(packet.from, packet.to)
        };
        let gone: Vec<_> = self.air.iter().filter(stuck).map(|flight| Arc::clone(&flight.packet)).collect();
        for packet in gone {
            self.air.take(packet.id);
            record.effects.push(Effect::Dropped { packet });
        }
    }

    /// The power goes after a process had ended: what was in the page cache alone is gone only now.
    fn lose_page_cache(&mut self, node: NodeId, record: &mut Record) {
        let process = self.process(node);
        let forgotten = match process.surviving(false) {
            DiskImage::Redis(store) => store.forgotten(process.surviving(true), &self.setup),
            _ => Vec::new(),
        };
        self.process_mut(node).disk_mut().lose_page_cache();
        self.note_forgotten(node, forgotten, record);
    }

    /// Notes what a node has forgotten, unless something else still holds it.
    fn note_forgotten(&mut self, node: NodeId, forgotten: Vec<Observation>, record: &mut Record) {
        for what in forgotten {
            let outlived = matches!(what, Observation::Ended { grant, .. } if self.outlives(node, grant));
            if outlived || !self.believe(node, &what) {
                continue;
            }
            record.effects.push(Effect::Noted { node, what });
            let news = self.count_votes(&what).into_iter().flatten();
            record.effects.extend(news.map(|what| Effect::Noted { node, what }));
        }
    }

    /// The end of a process, with what the judges must hear of it: its beliefs and the grants it forgets.
    fn end_process(&mut self, node: NodeId, power: bool, record: &mut Record) {
        record.effects.push(Effect::Crashed { node, power });
        let process = &self.processes[node.ix()];
        if let Some(client) = process.state().client() {
            for hold in client.holds_or_suspends() {
                let what = Observation::HoldClosed { service: hold.service, hold: hold.hold, why: Closing::Crashed };
                record.effects.push(Effect::Noted { node, what });
            }
        }
        let setup = Arc::clone(&self.setup);
        let redis = process.state().redis();
        let surviving = process.surviving(power);
        let forgotten = redis.map(|redis| redis.store().forgotten(surviving, &setup)).unwrap_or_default();
        let now = self.now;
        self.process_mut(node).end(setup.nodes[node.ix()].role, &setup, power, now);
        self.note_forgotten(node, forgotten, record);
        self.queue.remove_all(|what| match what {
            Pending::Start(n)
            | Pending::Run { node: n, .. }
            | Pending::Timer { node: n, .. }
            | Pending::Drain(n)
            | Pending::Resume(n) => n == node,
            _ => false,
        });
    }

    pub(in crate::world) fn restart(&mut self, node: NodeId, record: &mut Record) {
        if !self.process(node).is_down() {
            return;
        }
        self.machine_mut(self.setup.machine_of(node)).set_power(true);
        self.process_mut(node).halted = None;
        self.handle(node, Input::Restart, record);
        self.settle(node, super::super::observation::Ending::Forgotten, record);
    }
}
