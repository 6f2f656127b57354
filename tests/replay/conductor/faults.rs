//! What the adversary does to real processes.

use std::time::Instant;

use lockstep::vocabulary::{
    AcquireMode, FaultIx, FaultKind, NodeId, Nonce, PauseCause, Requests, ServiceIx, Span, StartOf, TokenSource,
};
use lockstep::world::{Closing, Effect, Ending, Event, Observation};

use super::{Conductor, Due, clock_path, set_clock};
use crate::Outcome;
use crate::actor::{Actor, signal};
use crate::client::lock_key;
use crate::link::Fate;
use crate::redis::Redis;

impl Conductor {
    /// Says so at once if the scenario asks for something that is not replayed.
    pub(super) fn check_faults(&self) -> Outcome {
        for fault in &self.scenario.faults {
            let known = match fault.kind {
                FaultKind::Pause { length, .. } => length.is_some() != fault.until.is_some(),
                FaultKind::ClockJump { .. }
                | FaultKind::Crash { .. }
                | FaultKind::PowerLoss { .. }
                | FaultKind::Restart { .. }
                | FaultKind::Delay { .. }
                | FaultKind::Cut { .. }
                | FaultKind::Lose { .. } => fault.until.is_none(),
                _ => false,
            };
            if !known {
                return Err(format!("this fault is not replayed: {fault:?}").into());
            }
        }
        Ok(())
    }

    /// The same for what clients should do with the lock.
    pub(super) fn check_drivers(&self) -> Outcome {
        for driver in self.setup.clients.iter().flat_map(|client| &client.drivers) {
            let known = matches!(driver.acquire, AcquireMode::Set | AcquireMode::SetNx)
                && matches!(driver.token, TokenSource::None | TokenSource::Counter)
                && driver.renewal.is_none()
                && driver.voting.requests == Requests::Parallel
                && driver.voting.start == StartOf::Attempt;
            if !known {
                return Err(format!("a client of this kind is not replayed: {driver:?}").into());
            }
        }
        Ok(())
    }

    /// A moment has come.
    pub(super) fn act(&mut self, due: Due) -> Outcome {
        match due {
            Due::Start(node) => {
                self.log(Event::Started { node }, Vec::new());
                self.go(node)
            }
            Due::Fault(ix) => self.fire(ix).map(drop),
            Due::Resume(node) => {
                self.signal(node, "CONT")?;
                self.stops.insert(node, Some(Instant::now()));
                self.log(Event::Resumed { node }, Vec::new());
                Ok(())
            }
            Due::Restart(node) => self.restart(node),
            Due::Promote(service) => self.promote(service),
            Due::Follow(node) => self.follow_or_retry(node),
        }
    }

    /// Lets a fault happen. Returns what becomes of the frame that it is about, if it is about one.
    pub(super) fn fire(&mut self, ix: usize) -> Outcome<Option<Fate>> {
        self.seen[ix].1 = true;
        let kind = self.scenario.faults[ix].kind;
        let (mut fate, mut effects) = (None, Vec::new());
        match kind {
            FaultKind::Pause { node, length, cause } => effects.push(self.pause(node, length, cause)?),
            FaultKind::ClockJump { machine, by_us } => {
                let (file, ahead_us) = &mut self.clocks[machine.ix()];
                *ahead_us += by_us / self.scale as i64;
                set_clock(file, *ahead_us)?;
                effects.push(Effect::ClockJumped { machine, by_us });
            }
            FaultKind::Crash { node, restart } => self.kill(node, false, restart, &mut effects)?,
            FaultKind::PowerLoss { machine, restart } => {
                let there = |node: &NodeId| self.setup.machine_of(*node) == machine;
                let nodes: Vec<_> = (0..self.setup.nodes.len() as u16).map(NodeId).filter(there).collect();
                for node in nodes {
                    self.kill(node, true, restart, &mut effects)?;
                }
            }
            FaultKind::Restart { node } => self.due.push((Instant::now(), Due::Restart(node))),
            FaultKind::Cut { from, to, both } => {
                self.cut.push((from, to));
                if both {
                    self.cut.push((to, from));
                }
                self.touched.extend([from, to]);
            }
            FaultKind::Delay { by, .. } => fate = Some(Fate::Late(self.real(by))),
            FaultKind::Lose { delivered, notice, .. } => fate = Some(Fate::Lost { delivered, notice }),
            _ => return Err(format!("this fault is not replayed: {kind:?}").into()),
        }
        self.log(Event::Fault { ix: FaultIx(ix as u16), kind, ends: false }, effects);
        Ok(fate)
    }

    fn pause(&mut self, node: NodeId, length: Option<Span>, cause: PauseCause) -> Outcome<Effect> {
        self.signal(node, "STOP")?;
        self.touched.insert(node);
        self.stops.insert(node, None);
        if let Some(length) = length {
            self.due.push((Instant::now() + self.real(length), Due::Resume(node)));
        }
        Ok(Effect::Paused { node, cause, until: None })
    }

    fn signal(&self, node: NodeId, name: &str) -> Outcome {
        let actor = self.actors.get(&node).map(Actor::pid);
        let server = self.servers.get(&node).map(Redis::pid);
        signal(actor.or(server).ok_or("nobody of this name")?, name)
    }

    fn kill(&mut self, node: NodeId, power: bool, restart: Option<Span>, effects: &mut Vec<Effect>) -> Outcome {
        effects.push(Effect::Crashed { node, power });
        self.touched.insert(node);
        if let Some(server) = self.servers.get_mut(&node) {
            server.kill(power)?;
            self.wait_for_silence(node);
        } else if let Some(actor) = self.actors.get_mut(&node) {
            actor.kill()?;
            // With its memory goes its belief; nobody else can note that.
            for (service, hold) in std::mem::take(&mut actor.holds) {
                let what = Observation::HoldClosed { service, hold, why: Closing::Crashed };
                effects.push(Effect::Noted { node, what });
            }
        }
        if let Some(restart) = restart {
            self.due.push((Instant::now() + self.real(restart), Due::Restart(node)));
        }
        Ok(())
    }

    /// A Redis server comes back with what its disk held; anybody else with nothing.
    fn restart(&mut self, node: NodeId) -> Outcome {
        self.log(Event::Restarted { node }, Vec::new());
        let clock = clock_path(&self.dir, self.setup.machine_of(node).ix());
        let Some(server) = self.servers.get_mut(&node) else {
            let life = self.actors.get(&node).map_or(0, |actor| actor.life + 1);
            return self.start_process(node, life);
        };
        if let Some((service, _)) = self.setup.failover_of(node)
            && self.truth.primary(service) != node
        {
            server.launch_again(&clock)?;
            self.due.push((Instant::now(), Due::Follow(node)));
            return Ok(());
        }
        server.restart(&clock)?;
        server.watch(self.mouth.clone())?;
        for ix in 0..self.setup.services.len() {
            let service = ServiceIx(ix as u8);
            if self.setup.service(service).nodes.contains(&node) {
                let value = server.ask(&["GET", &lock_key(&self.setup, service)])?;
                for what in self.truth.found(node, service, value.parse().ok().map(Nonce), Ending::Forgotten) {
                    self.noted(node, what)?;
                }
                return Ok(());
            }
        }
        Ok(())
    }
}
