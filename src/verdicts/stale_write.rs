//! Stale write: storage applies no write of a hold after the lock was granted to another client.
//!
//! What counts is the order of grants, not of beliefs: the hold may be open or closed, and the newer grant may have ended or
//! may never have become a hold. Each applied write is an instance of its own. *Contact* tells whether a newer holder (a
//! client other than the writer, in a hold whose grant came after that of the writer's hold) had touched the resource before:
//! a read answered, a write applied, or either refused. A write outside of any hold, or under another lock than that of the
//! resource, is no business of this judge; the lost update judge still sees it.

use std::hash::{Hash, Hasher};

use crate::scenario::Setup;
use crate::verdicts::ledger::{Hold, Ledger, Moment};
use crate::verdicts::log::Log;
use crate::verdicts::{Instance, InstanceKind, Subject, Verdict, Why, evidence};
use crate::vocabulary::{Contact, HoldId, ResourceIx, StepIx, Token};
use crate::world::Observation;

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct StaleWrite {
    pub(crate) instances: Log<Instance>,
    /// The first touch of each resource in each hold, in order of time.
    touches: Log<Touch>,
    written: bool,
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct Touch {
    resource: ResourceIx,
    hold: HoldId,
    step: StepIx,
}

impl StaleWrite {
    pub(crate) const fn new() -> Self {
        Self { instances: Log::new(), touches: Log::new(), written: false }
    }

    pub(crate) fn observe(&mut self, now: Moment, what: &Observation, setup: &Setup, ledger: &Ledger) {
        match *what {
            Observation::Contact { resource, hold: Some(hold), .. }
            | Observation::Rejected { resource, hold: Some(hold), .. } => self.touch(now, resource, hold),
            Observation::Applied { resource, hold, token, .. } => {
                self.written = true;
                let Some(hold) = hold else { return };
                let writer = ledger.hold(hold).filter(|writer| writer.lock == setup.resource(resource).lock);
                if let Some(writer) = writer {
                    self.judge(now, resource, writer, token, ledger);
                }
                self.touch(now, resource, hold);
            }
            _ => {}
        }
    }

    pub(crate) fn verdict(&self, setup: &Setup) -> Verdict {
        let missing = if setup.resources.is_empty() { Why::NoStorageHere } else { Why::NoWriteYet };
        Verdict::new(self.instances.iter(), (!self.written).then_some(missing))
    }

    pub(crate) fn search_key(&self, key: &mut impl Hasher) {
        self.touches.iter().for_each(|touch| (touch.resource, touch.hold).hash(key));
    }

    fn judge(&mut self, now: Moment, resource: ResourceIx, writer: &Hold, token: Option<Token>, ledger: &Ledger) {
        let Some(first) = ledger.superseding(writer).next() else { return };
        let contact = self.first_contact(resource, writer, first.granted.step, ledger);
        let newer = contact.as_ref().and_then(|(hold, _)| ledger.hold_grant(hold)).unwrap_or(first);
        let kind = if contact.is_some() { Contact::After } else { Contact::Before };
        let why = Why::GrantedSince {
            writer: writer.client,
            token,
            newer: newer.client,
            newer_token: newer.tokens.map(|tokens| tokens.high),
            granted: newer.granted.at,
            contact: kind,
        };
        let touched = contact.map(|(_, step)| step);
        let steps = ledger.story(writer).into_iter().chain([Some(newer.granted.step), touched, Some(now.step)]);
        self.instances.push(Instance {
            subject: Subject::Resource(resource),
            kind: Some(InstanceKind::Stale(kind)),
            from: now.at,
            to: Some(now.at),
            known: now.step,
            why,
            evidence: evidence(steps),
        });
    }

    /// The first touch of the resource by a holder who is newer than the writer.
    fn first_contact<'a>(
        &self,
        resource: ResourceIx,
        writer: &Hold,
        since: StepIx,
        ledger: &'a Ledger,
    ) -> Option<(&'a Hold, StepIx)> {
        let recent = self.touches.iter().rev().take_while(|touch| touch.step >= since);
        let newer = recent.filter(|touch| touch.resource == resource).filter_map(|touch| {
            let hold = ledger.hold(touch.hold)?;
            let is_newer = hold.lock == writer.lock && hold.client != writer.client && hold.newer > writer.newer;
            is_newer.then_some((hold, touch.step))
        });
        newer.last()
    }

    fn touch(&mut self, now: Moment, resource: ResourceIx, hold: HoldId) {
        if self.touches.rfind(|touch| touch.resource == resource && touch.hold == hold).is_none() {
            self.touches.push(Touch { resource, hold, step: now.step });
        }
    }
}
