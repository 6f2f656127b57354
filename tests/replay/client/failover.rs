//! What the client does where its lock has replicas: it asks who is primary, and asks the primary who has copies.
//!
//! It starts with the first node. Once the connection to its primary broke, an answer did not come or was `READONLY`, it asks
//! before the next attempt or release (Redis documentation, "Guidelines for Redis clients with support for Redis Sentinel").

use std::time::Instant;

use lockstep::vocabulary::{NodeId, ServiceIx, WaitForCopies};

use super::wire::Answer;
use super::{Client, Primary, lock_key};
use crate::Outcome;
use crate::control::ask_primary;
use crate::frame::{COMPARE_DELETE, Protocol, request};

impl Client {
    /// The nodes to which it turns for a lock.
    pub(super) fn nodes(&self, service: ServiceIx) -> Vec<NodeId> {
        match self.primaries[service.ix()].named {
            Some(primary) => vec![primary],
            None => self.setup.service(service).nodes.clone(),
        }
    }

    /// Takes from an answer whether somebody else may be primary.
    pub(super) fn heed(&mut self, service: ServiceIx, node: NodeId, answer: &Answer) {
        let denies = match answer {
            Answer::Words(words) => words[0].starts_with("-READONLY"),
            Answer::Lost | Answer::Late => true,
        };
        if denies && self.nodes(service)[0] == node {
            self.primaries[service.ix()].doubts = true;
        }
    }

    /// Asks who is primary, if there is anybody to ask and it has reason to doubt. The answer takes as long as from a sentinel.
    pub(super) fn ask_primary(&mut self, service: ServiceIx) {
        let Some(sentinel) = self.setup.service(service).failover.as_ref().and_then(|failover| failover.sentinel)
        else {
            return;
        };
        let primary = self.nodes(service)[0];
        if !self.has_lost(primary) && !self.primaries[service.ix()].doubts {
            return;
        }
        let latency = |from, to| self.real(self.setup.latency(from, to).min);
        let (there, back) = (latency(self.spec.node, sentinel), latency(sentinel, self.spec.node));
        self.sleep_until(Instant::now() + there);
        let named = ask_primary(service);
        self.sleep_until(Instant::now() + back);
        self.primaries[service.ix()] = Primary { named, doubts: false };
    }

    /// `WAIT`: whether enough replicas have the lock. If not, the key is taken back, as Redisson does, and nobody waits for the
    /// answer. `Err` says whether it failed for want of an answer.
    pub(super) fn wait_for_copies(&mut self, service: ServiceIx, wait: WaitForCopies) -> Outcome<Result<(), bool>> {
        let timeout = self.real(wait.timeout).as_millis().to_string();
        let command = request(&["WAIT", &wait.replicas.to_string(), &timeout]);
        let Some(reply) = self.ask_first(service, &command, wait.timeout)? else { return Ok(Err(true)) };
        let copies = reply.strip_prefix(':').and_then(|copies| copies.parse::<u8>().ok());
        if copies.is_some_and(|copies| copies >= wait.replicas) {
            return Ok(Ok(()));
        }
        if let Some(nonce) = self.locks[service.ix()].nonce {
            let key = lock_key(&self.setup, service);
            let command = request(&["EVAL", COMPARE_DELETE, "1", &key, &nonce.to_string()]);
            self.send_off(self.nodes(service)[0], Protocol::Redis, &command)?;
        }
        Ok(Err(false))
    }
}
