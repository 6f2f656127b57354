//! All monitors together.

use std::hash::{Hash, Hasher};
use std::sync::Arc;

use crate::scenario::Setup;
use crate::verdicts::cost::{Cost, CostSheet};
use crate::verdicts::divergence::NoReplicas;
use crate::verdicts::ledger::{Ledger, Moment};
use crate::verdicts::lost_update::LostUpdate;
use crate::verdicts::mutual_exclusion::{MutualExclusion, Overlap};
use crate::verdicts::progress::Progress;
use crate::verdicts::stale_write::StaleWrite;
use crate::verdicts::token_order::TokenOrder;
use crate::verdicts::{Instance, Verdict};
use crate::vocabulary::{JudgeName, Time};
use crate::world::{Digest, Effect, Event, Record};

/// One monitor for each [`JudgeName`], and the cost sheet.
///
/// It observes the records of one run in order, none left out. Observing costs O(effects), whatever the length of the run,
/// but for looking up old holds and operations; a clone costs some tens of small copies and shares all that is long.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Judges {
    setup: Arc<Setup>,
    last: Moment,
    ledger: Ledger,
    mutual_exclusion: MutualExclusion,
    stale_write: StaleWrite,
    lost_update: LostUpdate,
    token_order: TokenOrder,
    progress: Progress,
    cost: Cost,
    replaced: Option<(JudgeName, Constant)>,
}

/// A judge that does not look: tests replace a real one by it and demand that somebody notices.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Constant {
    /// It always says that the promise holds.
    Holds,
    /// It always says that the promise was broken.
    Violated,
}

impl Judges {
    /// The judges of a run that has not begun.
    pub fn new(setup: &Arc<Setup>) -> Self {
        Self {
            setup: Arc::clone(setup),
            last: Moment::default(),
            ledger: Ledger::new(setup),
            mutual_exclusion: MutualExclusion::new(),
            stale_write: StaleWrite::new(),
            lost_update: LostUpdate::new(),
            token_order: TokenOrder::new(setup),
            progress: Progress::new(),
            cost: Cost::new(),
            replaced: None,
        }
    }

    /// These judges, with one of them replaced by a constant. For mutation tests.
    pub fn replacing(mut self, judge: JudgeName, constant: Constant) -> Self {
        self.replaced = Some((judge, constant));
        self
    }

    /// Takes in what one step did.
    pub fn observe(&mut self, record: &Record) {
        let now = Moment { step: record.ix, at: record.at };
        self.progress.pass(now, &self.ledger);
        self.last = now;
        self.ledger.event(now, &record.event);
        let mut changed = matches!(record.event, Event::Resumed { .. } | Event::Restarted { .. } | Event::Fault { .. });
        for effect in &record.effects {
            self.ledger.effect(now, record, effect);
            changed |= !matches!(effect, Effect::Sent { .. } | Effect::Dropped { .. } | Effect::Rescheduled { .. });
            self.progress.observe(now, effect, &self.ledger);
            if let Effect::Noted { what, .. } = effect {
                self.mutual_exclusion.observe(now, what, &self.ledger);
                self.stale_write.observe(now, what, &self.setup, &self.ledger);
                self.lost_update.observe(now, what);
                self.token_order.observe(now, what, &self.ledger);
            }
        }
        self.cost.observe(now, record, &self.setup, &self.ledger);
        if changed {
            self.progress.settle(now, &self.setup, &self.ledger);
        }
    }

    /// Lets time pass until `at`, the end of the run, in which nothing more happens.
    pub fn finish(&mut self, at: Time) {
        self.progress.pass(Moment { step: self.last.step, at }, &self.ledger);
    }

    /// What every judge says at `at`, a time at or after the last observed step and not after the next one.
    pub fn verdicts(&self, at: Time) -> Vec<(JudgeName, Verdict)> {
        JudgeName::ALL.iter().map(|judge| (*judge, self.verdict(*judge, at))).collect()
    }

    /// What one judge says at `at`.
    pub fn verdict(&self, judge: JudgeName, at: Time) -> Verdict {
        match self.replaced {
            Some((replaced, Constant::Holds)) if replaced == judge => return Verdict::Holds,
            Some((replaced, Constant::Violated)) if replaced == judge => {
                return Verdict::Violated { instances: Vec::<Instance>::new() };
            }
            _ => {}
        }
        match judge {
            JudgeName::MutualExclusion => self.mutual_exclusion.verdict(&self.ledger),
            JudgeName::StaleWrite => self.stale_write.verdict(&self.setup),
            JudgeName::LostUpdate => self.lost_update.verdict(&self.setup),
            JudgeName::TokenOrder => self.token_order.verdict(&self.setup),
            JudgeName::Progress => {
                let mut progress = self.progress.clone();
                progress.pass(Moment { step: self.last.step, at }, &self.ledger);
                progress.verdict()
            }
            JudgeName::Divergence => NoReplicas::verdict(),
        }
    }

    /// The violations that a judge has seen so far, without a copy; `None` for a judge that was replaced or never sees any.
    pub fn instances(&self, judge: JudgeName) -> Option<impl Iterator<Item = &Instance>> {
        let log = match judge {
            JudgeName::MutualExclusion => &self.mutual_exclusion.instances,
            JudgeName::StaleWrite => &self.stale_write.instances,
            JudgeName::LostUpdate => &self.lost_update.instances,
            JudgeName::TokenOrder => &self.token_order.instances,
            JudgeName::Progress => &self.progress.instances,
            JudgeName::Divergence => return None,
        };
        self.replaced.is_none_or(|(replaced, _)| replaced != judge).then(|| log.iter())
    }

    /// A key for searches: equal for judges that, shown the same future, will report the same violations. Times are
    /// relative to now; step numbers and evidence are left out.
    pub fn search_key(&self, now: Time) -> u64 {
        let mut key = Digest::new();
        self.ledger.search_key(now, &mut key);
        self.stale_write.search_key(&mut key);
        self.lost_update.search_key(&mut key);
        self.progress.search_key(now, &mut key);
        for judge in JudgeName::ALL {
            // Two runs in one state may have done different things before: what a search looks for is part of the key.
            self.instances(*judge).into_iter().flatten().for_each(|one| (judge, one.kind).hash(&mut key));
        }
        key.finish()
    }

    /// What the run cost so far.
    pub const fn cost(&self) -> &CostSheet {
        self.cost.sheet()
    }

    /// Every time that two clients believed in one lock at once.
    pub fn overlaps(&self) -> impl Iterator<Item = Overlap> + '_ {
        self.mutual_exclusion.overlaps()
    }
}
