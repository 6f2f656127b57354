//! What is true of the locks, from what took effect in the servers.
//!
//! A lock is whose value stands on as many nodes as the service needs: one, where there is one.

use std::collections::BTreeMap;
use std::sync::Arc;

use lockstep::scenario::Setup;
use lockstep::vocabulary::{GrantId, NodeId, Nonce, ServiceIx, Token};
use lockstep::world::{Ending, Observation};

use crate::client::{counter_key, lock_key};

/// The truth so far.
pub(crate) struct Truth {
    setup: Arc<Setup>,
    /// Who made which attempt.
    attempts: BTreeMap<Nonce, NodeId>,
    /// What stands on each node for each service.
    values: BTreeMap<(NodeId, ServiceIx), Nonce>,
    standing: BTreeMap<ServiceIx, (GrantId, Nonce)>,
    counters: BTreeMap<(NodeId, ServiceIx), u64>,
    /// The commands of a transaction that has not ended, and whether there is one.
    open: BTreeMap<NodeId, Vec<Vec<String>>>,
    grants: u32,
    granted: Vec<Nonce>,
    /// Whose word counts where there are replicas, if it is no longer the first node's.
    promoted: BTreeMap<ServiceIx, NodeId>,
}

impl Truth {
    pub(crate) fn new(setup: &Arc<Setup>) -> Self {
        Self {
            setup: Arc::clone(setup),
            attempts: BTreeMap::new(),
            values: BTreeMap::new(),
            standing: BTreeMap::new(),
            counters: BTreeMap::new(),
            open: BTreeMap::new(),
            grants: 0,
            granted: Vec::new(),
            promoted: BTreeMap::new(),
        }
    }

    /// A client is about to make an attempt.
    pub(crate) fn attempt(&mut self, client: NodeId, nonce: Nonce) {
        self.attempts.insert(nonce, client);
    }

    /// Whether an attempt was ever granted.
    pub(crate) fn was_granted(&self, nonce: Nonce) -> bool {
        self.granted.contains(&nonce)
    }

    /// Takes in a command that took effect on a node; a transaction counts as a whole.
    pub(crate) fn effect(&mut self, node: NodeId, words: Vec<String>) -> Vec<Observation> {
        match words.first().map(|word| word.to_ascii_uppercase()).as_deref() {
            Some("MULTI") => drop(self.open.insert(node, Vec::new())),
            Some("EXEC") => {
                let commands = self.open.remove(&node).unwrap_or_default();
                return self.changes(node, &commands);
            }
            _ => match self.open.get_mut(&node) {
                Some(open) => open.push(words),
                None => return self.changes(node, &[words]),
            },
        }
        Vec::new()
    }

    /// Whose word counts for a service with replicas.
    pub(crate) fn primary(&self, service: ServiceIx) -> NodeId {
        self.promoted.get(&service).copied().unwrap_or(self.setup.service(service).nodes[0])
    }

    /// Another node's word counts from now on.
    pub(crate) fn promote(&mut self, service: ServiceIx, node: NodeId) {
        self.promoted.insert(service, node);
    }

    /// A node came back, or took over, with this value of a lock or without one; and why a grant of another has ended then.
    pub(crate) fn found(
        &mut self,
        node: NodeId,
        service: ServiceIx,
        value: Option<Nonce>,
        why: Ending,
    ) -> Vec<Observation> {
        self.store(node, service, value);
        self.settle(service, None, why)
    }

    fn changes(&mut self, node: NodeId, commands: &[Vec<String>]) -> Vec<Observation> {
        let Some(service) = self.service_of(node) else { return Vec::new() };
        let (lock, counter) = (lock_key(&self.setup, service), counter_key(&self.setup, service));
        let (mut token, mut changed) = (None, false);
        for words in commands {
            let words: Vec<_> = words.iter().map(String::as_str).collect();
            match words[..] {
                [verb, key, value, ..] if is(verb, &["SET", "SETNX"]) && key == lock => {
                    self.store(node, service, value.parse().ok().map(Nonce));
                    changed = true;
                }
                [verb, key, ..] if is(verb, &["DEL", "UNLINK"]) && key == lock => {
                    self.store(node, service, None);
                    changed = true;
                }
                [verb, key, value, ..] if is(verb, &["SET"]) && key == counter => {
                    self.counters.insert((node, service), value.parse().unwrap_or(0));
                }
                [verb, key] if is(verb, &["INCR"]) && key == counter => {
                    let count = self.counters.entry((node, service)).or_default();
                    *count += 1;
                    token = Some(Token(*count));
                }
                _ => {}
            }
        }
        // Why a key went does not show in what a replica gets, and no judge asks.
        if changed { self.settle(service, token, Ending::Expired) } else { Vec::new() }
    }

    fn service_of(&self, node: NodeId) -> Option<ServiceIx> {
        let mut services = (0..self.setup.services.len()).map(|ix| ServiceIx(ix as u8));
        services.find(|service| self.voters(*service).contains(&node))
    }

    /// Where a value of a service's lock counts.
    fn voters(&self, service: ServiceIx) -> Vec<NodeId> {
        let of_service = self.setup.service(service);
        if of_service.failover.is_some() { vec![self.primary(service)] } else { of_service.nodes.clone() }
    }

    fn store(&mut self, node: NodeId, service: ServiceIx, value: Option<Nonce>) {
        match value {
            Some(nonce) => self.values.insert((node, service), nonce),
            None => self.values.remove(&(node, service)),
        };
    }

    /// Ends the grant that no longer stands and makes the one that does.
    fn settle(&mut self, service: ServiceIx, token: Option<Token>, why: Ending) -> Vec<Observation> {
        let mut votes: BTreeMap<Nonce, usize> = BTreeMap::new();
        for node in self.voters(service) {
            if let Some(nonce) = self.values.get(&(node, service)) {
                *votes.entry(*nonce).or_default() += 1;
            }
        }
        let needed = self.setup.service(service).quorum as usize;
        let holder = votes.into_iter().find(|(_, votes)| *votes >= needed).map(|(nonce, _)| nonce);
        let mut notes = Vec::new();
        let standing = self.standing.get(&service).copied();
        if standing.map(|(_, nonce)| nonce) == holder {
            return notes;
        }
        if let Some((grant, _)) = standing {
            self.standing.remove(&service);
            notes.push(Observation::Ended { service, grant, why });
        }
        if let Some((nonce, client)) = holder.and_then(|nonce| Some((nonce, *self.attempts.get(&nonce)?))) {
            let grant = GrantId(self.grants);
            self.grants += 1;
            self.granted.push(nonce);
            self.standing.insert(service, (grant, nonce));
            let lease = self.setup.client(client).and_then(|client| client.drivers[service.ix()].ttl);
            notes.push(Observation::Granted { service, grant, client, nonce, token, lease });
        }
        notes
    }
}

fn is(verb: &str, names: &[&str]) -> bool {
    names.iter().any(|name| verb.eq_ignore_ascii_case(name))
}
