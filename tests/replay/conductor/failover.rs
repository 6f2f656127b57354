//! Replicas: who follows whom, and the part of the sentinel, which the conductor plays.
//!
//! A primary that dies is replaced when the scenario's `down_after` has passed since. Clients that have reason to doubt ask who
//! is primary, and are told what a sentinel knows by then.

use std::time::{Duration, Instant};

use lockstep::vocabulary::{NodeId, Nonce, ServiceIx, Span};
use lockstep::world::{Ending, Observation};

use super::{Conductor, Due};
use crate::client::lock_key;
use crate::{Outcome, copying};

/// A server that starts is asked again so soon.
const RETRY: Duration = Duration::from_millis(2);

impl Conductor {
    /// Whether a process starts as a replica.
    pub(super) fn is_replica(&self, service: ServiceIx, node: NodeId) -> bool {
        self.replicas(service).contains(&node)
    }

    fn replicas(&self, service: ServiceIx) -> &[NodeId] {
        self.setup.service(service).failover.as_ref().map_or(&[], |failover| &failover.replicas)
    }

    /// Lets every replica follow its primary, and waits until it has all data: so a run begins.
    pub(super) fn begin_roles(&mut self) -> Outcome {
        for ix in 0..self.setup.services.len() {
            let service = ServiceIx(ix as u8);
            for node in self.replicas(service).to_vec() {
                if !self.follow(node)? {
                    return Err(format!("{node} follows nobody").into());
                }
                self.servers.get_mut(&node).ok_or("no such server")?.wait_for_stream()?;
            }
        }
        Ok(())
    }

    /// From now on a change takes its time until it leaves a primary. One service has replicas; more are not replayed.
    pub(super) fn hold_back(&self) {
        if let Some(failover) = self.setup.services.iter().find_map(|service| service.failover.as_ref()) {
            self.held_back.set(self.real(failover.config.lag));
        }
    }

    /// Tells a node to follow its primary; false if it is not up yet.
    fn follow(&mut self, node: NodeId) -> Outcome<bool> {
        let (service, _) = self.setup.failover_of(node).ok_or("nobody to follow")?;
        let primary = self.truth.primary(service);
        let latency = self.setup.latency(primary, node);
        let latency = self.real(Span(latency.min.0.midpoint(latency.max.0)));
        let port = copying::open(self.servers[&primary].socket(), self.held_back.clone(), latency)?;
        self.servers.get_mut(&node).ok_or("no such server")?.follow(port)
    }

    pub(super) fn follow_or_retry(&mut self, node: NodeId) -> Outcome {
        if !self.follow(node)? {
            self.due.push((Instant::now() + RETRY, Due::Follow(node)));
        }
        Ok(())
    }

    /// A server died: if it was a primary, somebody else becomes one.
    pub(super) fn wait_for_silence(&mut self, node: NodeId) {
        if let Some((service, failover)) = self.setup.failover_of(node)
            && failover.sentinel.is_some()
            && self.truth.primary(service) == node
        {
            self.due.push((Instant::now() + self.real(failover.config.down_after), Due::Promote(service)));
        }
    }

    /// The first replica becomes primary. What it has of the lock is the truth from now on.
    pub(super) fn promote(&mut self, service: ServiceIx) -> Outcome {
        let node = *self.replicas(service).first().ok_or("no replica")?;
        let key = lock_key(&self.setup, service);
        let server = self.servers.get_mut(&node).ok_or("no such server")?;
        server.promote(self.mouth.clone())?;
        let value = server.ask(&["GET", &key])?;
        self.truth.promote(service, node);
        self.noted(node, Observation::Promoted { service })?;
        for what in self.truth.found(node, service, value.parse().ok().map(Nonce), Ending::Lost) {
            self.noted(node, what)?;
        }
        Ok(())
    }

    /// A client asks who is primary.
    pub(super) fn tell_primary(&mut self, client: NodeId, service: ServiceIx) -> Outcome {
        let (elapsed, primary) = (self.start.elapsed().as_micros(), self.truth.primary(service));
        match self.actors.get_mut(&client).filter(|actor| !actor.over) {
            Some(actor) => actor.go_with_primary(elapsed, primary),
            None => Ok(()),
        }
    }
}
