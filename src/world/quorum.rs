//! Counting votes: when a lock that needs several nodes is given, extended and over.
//!
//! The masters of a Redlock service know nothing of each other, and a client knows only what it was answered. The truth is
//! what the nodes keep: a client holds the lock from the instant in which the q-th node stores its value until fewer than q
//! nodes keep it. Nobody in the run can see that; the World can, and notes it for the judges at the node whose vote made
//! the difference.

use super::World;
use super::possible::Holding;
use super::redis::Entry;
use crate::vocabulary::{GrantId, KeyId, NodeId, Nonce, ServiceIx, Time};
use crate::world::message::RedisValue;
use crate::world::observation::{Ending, Observation};

/// The end of what has none.
const NEVER: Time = Time(u64::MAX);

/// The grant of a counted service that stands.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Standing {
    grant: GrantId,
    nonce: Nonce,
    client: NodeId,
    /// When so many votes will have run out that it is over.
    until: Time,
}

/// What one change of a vote can mean: a grant that ends or is extended, and a new one.
pub(super) type News = [Option<Observation>; 2];

impl World {
    /// Counts anew after a change of a node's vote.
    pub(super) fn count_votes(&mut self, what: &Observation) -> News {
        match *what {
            Observation::VoteGiven { service, .. } => [self.end(service, Ending::Expired), self.begin(service, what)],
            Observation::VoteEnded { service, why, .. } => [self.end(service, why), None],
            Observation::VoteExtended { service, .. } => [self.extend(service, what), None],
            _ => [None, None],
        }
    }

    /// Who truly holds the lock of a service whose votes are counted.
    pub(super) fn counted_holder(&self, service: ServiceIx) -> Option<Holding> {
        let standing = self.standing[service.ix()]?;
        let until = self.stands_until(service, standing.nonce)?;
        Some(Holding { client: standing.client, grant: standing.grant, until: (until != NEVER).then_some(until) })
    }

    fn begin(&mut self, service: ServiceIx, vote: &Observation) -> Option<Observation> {
        let Observation::VoteGiven { client, nonce, token, lease, .. } = *vote else { return None };
        let until = self.stands_until(service, nonce)?;
        if self.standing[service.ix()].is_some() {
            return None;
        }
        self.fresh += 1;
        let grant = GrantId(self.fresh);
        self.standing_mut()[service.ix()] = Some(Standing { grant, nonce, client, until });
        // On several nodes a token is what the client makes of several answers.
        let token = token.filter(|_| self.setup.service(service).nodes.len() == 1);
        Some(Observation::Granted { service, grant, client, nonce, token, lease })
    }

    /// The end of the standing grant, if too few nodes stand for it now.
    fn end(&mut self, service: ServiceIx, why: Ending) -> Option<Observation> {
        let Standing { grant, nonce, .. } = self.standing[service.ix()]?;
        if self.stands_until(service, nonce).is_some() {
            return None;
        }
        self.standing_mut()[service.ix()] = None;
        Some(Observation::Ended { service, grant, why })
    }

    /// The extension of the standing grant, if this vote makes it stand longer.
    fn extend(&mut self, service: ServiceIx, vote: &Observation) -> Option<Observation> {
        let Observation::VoteExtended { lease, .. } = *vote else { return None };
        let Standing { grant, nonce, until: before, .. } = self.standing[service.ix()]?;
        let until = self.stands_until(service, nonce)?;
        if until <= before {
            return None;
        }
        self.standing_mut()[service.ix()].as_mut()?.until = until;
        Some(Observation::Extended { service, grant, lease })
    }

    fn standing_mut(&mut self) -> &mut Vec<Option<Standing>> {
        std::sync::Arc::make_mut(&mut self.standing)
    }

    /// Until when enough nodes keep this value, if enough do now; [`NEVER`] for no end.
    fn stands_until(&self, service: ServiceIx, nonce: Nonce) -> Option<Time> {
        let of = |entry: &Entry| entry.value == RedisValue::Nonce(nonce.0);
        let spec = self.setup.service(service);
        let votes = spec.nodes.iter().filter_map(|node| self.holding_at(*node, KeyId::lock(service), of));
        let mut ends: Vec<Time> = votes.map(|vote| vote.until.unwrap_or(NEVER)).collect();
        let needed = spec.quorum as usize;
        if ends.len() < needed {
            return None;
        }
        ends.sort_unstable();
        Some(ends[ends.len() - needed])
    }
}
