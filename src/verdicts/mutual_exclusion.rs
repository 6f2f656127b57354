//! Mutual exclusion: no two clients believe that they hold the same lock at one instant.
//!
//! One instance for every two overlapping holds of different clients on one lock, from the opening of the later one to the
//! closing of whichever closes first. Belief counts, not rights: a paused client still believes, and a client that closes its
//! hold in the same instant in which another opens its own, but a step later, did overlap with it, for no time at all.

use crate::verdicts::ledger::{Hold, Ledger, Moment};
use crate::verdicts::log::Log;
use crate::verdicts::{Instance, Subject, Verdict, Why, evidence};
use crate::vocabulary::{HoldId, NodeId, ServiceIx, Time};
use crate::world::Observation;

/// Two clients that believed in the same lock at once.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Overlap {
    /// Which lock.
    pub lock: ServiceIx,
    /// Whose grant is the older one.
    pub older: NodeId,
    /// Whose grant is the newer one.
    pub newer: NodeId,
    /// When both began to believe.
    pub from: Time,
    /// When one of them ceased to believe; `None` while both do.
    pub to: Option<Time>,
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct MutualExclusion {
    pub(crate) instances: Log<Instance>,
    overlaps: Log<Overlap>,
    /// The overlaps that go on: their two holds and their place in both lists.
    going_on: Vec<(HoldId, HoldId, u32)>,
}

impl MutualExclusion {
    pub(crate) const fn new() -> Self {
        Self { instances: Log::new(), overlaps: Log::new(), going_on: Vec::new() }
    }

    pub(crate) fn observe(&mut self, now: Moment, what: &Observation, ledger: &Ledger) {
        match *what {
            Observation::Acquired { service, hold, .. } | Observation::HoldResumed { service, hold } => {
                let Some(fresh) = ledger.hold(hold) else { return };
                for place in &ledger.lock(service).open {
                    let other = ledger.holds.get(*place);
                    if other.client == fresh.client {
                        continue;
                    }
                    // Usually whoever believed first has the older grant, but a reply can be late.
                    if other.newer <= fresh.newer {
                        self.begin(now, other, fresh, ledger);
                    } else {
                        self.begin(now, fresh, other, ledger);
                    }
                }
            }
            Observation::HoldClosed { hold, .. } | Observation::HoldSuspended { hold, .. } => self.end(now, hold),
            _ => {}
        }
    }

    pub(crate) fn verdict(&self, ledger: &Ledger) -> Verdict {
        let pending = ledger.holds.is_empty().then_some(Why::NobodyHeldYet);
        Verdict::new(self.instances.iter(), pending)
    }

    pub(crate) fn overlaps(&self) -> impl Iterator<Item = Overlap> + '_ {
        self.overlaps.iter().copied()
    }

    fn begin(&mut self, now: Moment, older: &Hold, newer: &Hold, ledger: &Ledger) {
        let ended = ledger.hold_grant(older).and_then(|grant| grant.ended);
        let story = ledger.story(older);
        let why = Why::TwoBelievers {
            lock: older.lock,
            older: older.client,
            newer: newer.client,
            ended: ended.map(|(_, why)| why),
            paused: story[2].is_some(),
        };
        let steps = story.into_iter().chain(ledger.story(newer)).chain([ended.map(|(moment, _)| moment.step)]);
        self.overlaps.push(Overlap {
            lock: older.lock,
            older: older.client,
            newer: newer.client,
            from: now.at,
            to: None,
        });
        let place = self.instances.push(Instance {
            subject: Subject::Lock(older.lock),
            kind: None,
            from: now.at,
            to: None,
            known: now.step,
            why,
            evidence: evidence(steps),
        });
        self.going_on.push((older.id, newer.id, place));
    }

    fn end(&mut self, now: Moment, hold: HoldId) {
        let (instances, overlaps) = (&mut self.instances, &mut self.overlaps);
        self.going_on.retain(|&(older, newer, place)| {
            let goes_on = older != hold && newer != hold;
            if !goes_on {
                instances.get_mut(place).to = Some(now.at);
                overlaps.get_mut(place).to = Some(now.at);
            }
            goes_on
        });
    }
}
