//! The truth about the lock of an ensemble: the owner of the lowest node, after what is committed.
//!
//! Every server applies the same entries in the same order, each in its own time. What is true changes in the instant in
//! which the first of them applies an entry: from then on it is committed, and every other server will come to the same. The
//! World notes it at that server and leaves the later ones out.

use std::sync::Arc;

use super::World;
use super::observation::{Ending, Observation};
use super::possible::Holding;
use super::record::Record;
use crate::scenario::Setup;
use crate::vocabulary::{GrantId, NodeId, Nonce, ServiceIx, Zxid};

/// An entry gave the lock of a service another owner.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct LockMove {
    pub(super) service: ServiceIx,
    /// The entry.
    pub(super) zxid: Zxid,
    /// The client whose node is the lowest now, and the zxid that made the node.
    pub(super) owner: Option<(NodeId, Zxid)>,
    /// Why it is not the one before.
    pub(super) why: Ending,
}

/// The grant of a service that stands, and how far its log has been seen.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Seen {
    service: ServiceIx,
    zxid: Zxid,
    standing: Option<(GrantId, NodeId)>,
}

impl Seen {
    pub(super) fn all(setup: &Setup) -> Vec<Self> {
        let services = (0..).map(ServiceIx).zip(&setup.services).filter(|(_, service)| service.ensemble.is_some());
        services.map(|(service, _)| Self { service, zxid: Zxid::ZERO, standing: None }).collect()
    }
}

impl World {
    /// Not inlined, since the first view has no ensemble.
    #[inline(never)]
    pub(super) fn lock_moved(&mut self, node: NodeId, what: LockMove, record: &mut Record) {
        let LockMove { service, zxid, owner, why } = what;
        let grant = GrantId(self.fresh + 1);
        let Some(seen) = Arc::make_mut(&mut self.seen).iter_mut().find(|seen| seen.service == service) else { return };
        if zxid <= seen.zxid {
            return;
        }
        let before = seen.standing;
        (seen.zxid, seen.standing) = (zxid, owner.map(|(client, _)| (grant, client)));
        if let Some((grant, _)) = before {
            self.note(node, Observation::Ended { service, grant, why }, record);
        }
        if let Some((client, made)) = owner {
            self.fresh += 1;
            let nonce = Nonce(made.0);
            self.note(node, Observation::Granted { service, grant, client, nonce, token: None, lease: None }, record);
        }
    }

    /// Who truly holds the lock of an ensemble. A session has no end that could be foretold.
    pub(super) fn lowest_holder(&self, service: ServiceIx) -> Option<Holding> {
        let seen = self.seen.iter().find(|seen| seen.service == service)?;
        seen.standing.map(|(grant, client)| Holding { client, grant, until: None })
    }
}
