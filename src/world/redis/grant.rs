//! What changes of a lock key mean for the truth: grants where the node is alone, votes where it is one of several.

use super::{DiskImage, Entry, RedisStore};
use crate::scenario::Setup;
use crate::vocabulary::{GrantId, KeyId, NodeId, Nonce, ServiceIx, Span, Token};
use crate::world::message::RedisValue;
use crate::world::observation::{Ending, Observation};
use crate::world::out::{Ctx, Out};

impl RedisStore {
    /// What ends when of all this only `surviving` is left.
    pub(in crate::world) fn forgotten(&self, surviving: &DiskImage, setup: &Setup) -> Vec<Observation> {
        let survives = |grant: Option<GrantId>| match surviving {
            DiskImage::Redis(store) => store.iter().any(|(_, entry)| entry.grant == grant),
            _ => false,
        };
        let gone = self.iter().filter(|(_, entry)| !survives(entry.grant));
        gone.filter_map(|(key, entry)| ended(key.service().0, entry, Ending::Forgotten, setup)).collect()
    }
}

/// Notes what a new value of a lock key means: the old grant ends, a new one begins. `of`: whose it is, for how long, and
/// the token that came with it.
pub(super) fn begin(
    key: KeyId,
    value: RedisValue,
    old: Option<Entry>,
    of: (NodeId, Option<Span>, Option<Token>),
    ctx: Ctx<'_>,
    out: &mut Out<'_>,
) -> Option<GrantId> {
    let (service, true) = key.service() else { return None };
    let RedisValue::Nonce(nonce) = value else { return None };
    if let Some(old) = old {
        if old.value == value {
            return old.grant;
        }
        if let Some(what) = ended(service, &old, Ending::RemovedByOther, ctx.setup) {
            out.note(what);
        }
    }
    let (grant, nonce, (client, lease, token)) = (out.fresh_grant(), Nonce(nonce), of);
    out.note(if votes(service, ctx.setup) {
        Observation::VoteGiven { service, client, nonce, token, lease }
    } else {
        Observation::Granted { service, grant, client, nonce, token, lease }
    });
    Some(grant)
}

/// What it means that a key has a new deadline.
pub(super) fn extended(service: ServiceIx, grant: GrantId, client: NodeId, lease: Span, setup: &Setup) -> Observation {
    if votes(service, setup) {
        Observation::VoteExtended { service, client, lease }
    } else {
        Observation::Extended { service, grant, lease }
    }
}

/// What it means that a key is gone; nothing if it stood for no grant.
pub(super) fn ended(service: ServiceIx, gone: &Entry, why: Ending, setup: &Setup) -> Option<Observation> {
    let grant = gone.grant?;
    match gone.value {
        RedisValue::Nonce(nonce) if votes(service, setup) => {
            Some(Observation::VoteEnded { service, client: gone.owner, nonce: Nonce(nonce), why })
        }
        _ => Some(Observation::Ended { service, grant, why }),
    }
}

fn votes(service: ServiceIx, setup: &Setup) -> bool {
    setup.services.get(service.ix()).is_some_and(|service| service.quorum > 1)
}
