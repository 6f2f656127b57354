//! Lost update: every applied write replaces the version on which it was based, and is applied once.
//!
//! The base of a write is the version that its author read in the same hold; a blind write has none and can lose nothing that
//! its author claims to have seen. The same operation applied twice is one instance, of its own kind, whatever its base.

use std::hash::{Hash, Hasher};

use crate::scenario::Setup;
use crate::verdicts::ledger::Moment;
use crate::verdicts::log::Log;
use crate::verdicts::{Instance, InstanceKind, LossKind, Subject, Verdict, Why, evidence};
use crate::vocabulary::{NodeId, OpId, ResourceIx, StepIx};
use crate::world::Observation;

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct LostUpdate {
    pub(crate) instances: Log<Instance>,
    updates: Log<Update>,
    /// For each client and resource: the last version it was given, and when.
    reads: Vec<(NodeId, ResourceIx, u32, StepIx)>,
}

/// A write that was applied.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct Update {
    resource: ResourceIx,
    client: NodeId,
    op: OpId,
    base: Option<u32>,
    replaced: u32,
    applied: Moment,
}

impl LostUpdate {
    pub(crate) const fn new() -> Self {
        Self { instances: Log::new(), updates: Log::new(), reads: Vec::new() }
    }

    pub(crate) fn observe(&mut self, now: Moment, what: &Observation) {
        match *what {
            Observation::Contact { resource, client, version, .. } => {
                self.reads.retain(|read| (read.0, read.1) != (client, resource));
                self.reads.push((client, resource, version, now.step));
            }
            Observation::Applied { resource, client, op, base, replaced, .. } => {
                let update = Update { resource, client, op, base, replaced, applied: now };
                self.judge(&update);
                self.updates.push(update);
            }
            _ => {}
        }
    }

    pub(crate) fn verdict(&self, setup: &Setup) -> Verdict {
        let missing = if setup.resources.is_empty() { Why::NoStorageHere } else { Why::NoWriteYet };
        Verdict::new(self.instances.iter(), self.updates.is_empty().then_some(missing))
    }

    pub(crate) fn search_key(&self, key: &mut impl Hasher) {
        self.updates.iter().for_each(|update| (update.resource, update.op).hash(key));
    }

    fn judge(&mut self, update: &Update) {
        let &Update { resource, client: writer, op, base, replaced, applied } = update;
        let twice = self.updates.rfind(|old| old.resource == resource && old.op == op);
        let (kind, why, other, read) = if let Some(place) = twice {
            let first = self.updates.get(place).applied;
            (LossKind::AppliedTwice, Why::AppliedTwice { writer, op, first: first.at }, Some(first.step), None)
        } else if let Some(base) = base.filter(|base| *base != replaced) {
            // The last write on top of that version: after a loss of data a version can be replaced more than once.
            let place = self.updates.rfind(|old| old.resource == resource && old.replaced == base);
            let unseen = place.map(|place| self.updates.get(place));
            let read = self.reads.iter().find(|read| (read.0, read.1, read.2) == (writer, resource, base));
            let why = Why::Overwrote { writer, base, replaced, lost: unseen.map(|old| old.client) };
            (LossKind::Overwrote, why, unseen.map(|old| old.applied.step), read.map(|read| read.3))
        } else {
            return;
        };
        self.instances.push(Instance {
            subject: Subject::Resource(resource),
            kind: Some(InstanceKind::Lost(kind)),
            from: applied.at,
            to: Some(applied.at),
            known: applied.step,
            why,
            evidence: evidence([read, other, Some(applied.step)]),
        });
    }
}
