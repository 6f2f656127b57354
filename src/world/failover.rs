//! The truth about the locks of a service with replicas: whose word counts, and which grants stand.
//!
//! A grant is what a node gave while it acted as primary, in the order of time: in a split brain both primaries give, and
//! the judges see both. What *ends* a grant is decided here, since no node can know it all. The word that counts is that of
//! the node promoted last. At its promotion every grant that it never received has ended (`Lost`); one that was copied
//! goes on under the same number. From then on a deposed primary cannot end what the new one still keeps. An end is noted
//! once. When the node whose word counts ends as a process, a grant is forgotten if nothing holds it any more: no disk, no
//! replica, no packet on its way; else the next promotion or the node's own return decides.

use std::sync::Arc;

use super::World;
use super::disk::DiskImage;
use super::message::{Message, Replication};
use super::observation::{Ending, Observation};
use super::redis::{Entry, RedisStore};
use crate::scenario::Setup;
use crate::vocabulary::{GrantId, KeyId, NodeId, ServiceIx};

/// Whose word counts for a service, and the grants that stand.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct Truth {
    service: ServiceIx,
    primary: NodeId,
    standing: Vec<GrantId>,
}

impl Truth {
    pub(super) fn all(setup: &Setup) -> Vec<Self> {
        let services = setup.services.iter().enumerate().filter(|(_, service)| service.failover.is_some());
        let truth = |(ix, service): (usize, &crate::scenario::Service)| Self {
            service: ServiceIx(ix as u8),
            primary: service.nodes[0],
            standing: Vec::new(),
        };
        services.map(truth).collect()
    }
}

impl World {
    fn truth(&self, service: ServiceIx) -> Option<&Truth> {
        self.truths.iter().find(|truth| truth.service == service)
    }

    fn truth_mut(&mut self, service: ServiceIx) -> Option<&mut Truth> {
        Arc::make_mut(&mut self.truths).iter_mut().find(|truth| truth.service == service)
    }

    /// The node whose word counts for a service's lock.
    pub fn primary(&self, service: ServiceIx) -> Option<NodeId> {
        let first = self.setup.service(service).nodes.first().copied();
        self.truth(service).map(|truth| truth.primary).or(first)
    }

    /// Takes in what a process wants to note; false if it says nothing that is true.
    pub(super) fn believe(&mut self, node: NodeId, what: &Observation) -> bool {
        if self.truths.is_empty() {
            return true;
        }
        match *what {
            Observation::Granted { service, grant, .. } => {
                if let Some(truth) = self.truth_mut(service) {
                    truth.standing.push(grant);
                }
            }
            Observation::Ended { service, grant, .. } => {
                let Some(truth) = self.truth(service) else { return true };
                let kept = truth.primary != node && self.keeps(truth.primary, grant);
                if kept || !truth.standing.contains(&grant) {
                    return false;
                }
                if let Some(truth) = self.truth_mut(service) {
                    truth.standing.retain(|one| *one != grant);
                }
            }
            Observation::Promoted { service } => {
                if let Some(truth) = self.truth_mut(service) {
                    truth.primary = node;
                }
            }
            _ => {}
        }
        true
    }

    /// The grants that stand no more now that this node's word is the one that counts: those that it does not keep.
    pub(super) fn settled_by(&self, node: NodeId, why: Ending) -> Vec<Observation> {
        let Some((service, _)) = self.setup.failover_of(node) else { return Vec::new() };
        let Some(truth) = self.truth(service).filter(|truth| truth.primary == node) else { return Vec::new() };
        let lost = truth.standing.iter().filter(|grant| !self.keeps(node, **grant));
        lost.map(|grant| Observation::Ended { service, grant: *grant, why }).collect()
    }

    /// Whether anything still holds a grant of a node that is about to end, besides its own memory.
    pub(super) fn outlives(&self, node: NodeId, grant: GrantId) -> bool {
        let Some((service, failover)) = self.setup.failover_of(node) else { return false };
        let nodes = self.setup.service(service).nodes.iter().chain(&failover.replicas);
        let holds = |entry: &Option<Entry>| entry.is_some_and(|entry| entry.grant == Some(grant));
        let carries = |message: &Message| matches!(message, Message::Replication(Replication::Change { entry, .. }) if holds(entry));
        let mut others = nodes.filter(|other| **other != node);
        others.any(|other| {
            self.keeps(*other, grant) || self.process(*other).waiting_packets().any(|packet| carries(&packet.message))
        }) || self.in_flight().iter().any(|flight| carries(&flight.packet.message))
    }

    /// Whether a node has a grant: in memory, or on disk if it is down.
    fn keeps(&self, node: NodeId, grant: GrantId) -> bool {
        let in_store = |store: &RedisStore| store.iter().any(|(_, entry)| entry.grant == Some(grant));
        self.store_of(node).is_some_and(in_store)
    }

    fn store_of(&self, node: NodeId) -> Option<&RedisStore> {
        let process = self.process(node);
        match (process.is_down(), process.surviving(false)) {
            (false, _) => Some(process.state().redis()?.store()),
            (true, DiskImage::Redis(store)) => Some(store),
            (true, _) => None,
        }
    }

    /// The node and the key that tell who holds a lock: those of the node whose word counts, or, while it is down and its
    /// disk does not have it, those of a replica that has.
    pub(super) fn lock_entry(&self, service: ServiceIx) -> Option<(NodeId, &Entry)> {
        let primary = self.primary(service)?;
        let entry = |node: NodeId| Some((node, self.store_of(node)?.entry(KeyId::lock(service))?));
        let replicas = self.setup.service(service).failover.iter().flat_map(|failover| &failover.replicas);
        let down = self.process(primary).is_down();
        entry(primary).or_else(|| replicas.filter(|_| down).find_map(|node| entry(*node)))
    }
}
