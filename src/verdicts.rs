//! Judges: each watches one promise of a lock, step after step, and says whether it was kept and why not.
//!
//! A judge is a monitor: it observes [`Record`](crate::world::Record)s in order and can be cloned at any moment, so the page,
//! the command line and the search share the same six. Each stands in a file of its own, which opens with its definition:
//!
//! | judge | violated when |
//! |---|---|
//! | mutual exclusion | two clients believe that they hold the same lock at one instant |
//! | stale write | storage applies a write of a hold although the lock went to another client since |
//! | lost update | an applied write does not replace the version it was based on, or is applied twice |
//! | token order | a later grant gets a token that is not higher |
//! | progress | somebody who wants a lock is kept out too long while nobody believes to hold it |
//! | divergence | replicas of a store disagree for good |
//!
//! What a grant and a belief are is defined in `ledger`, which keeps the facts that all of them need. [`Judges`] is all
//! monitors together, [`Judged`] is the verdict on a whole branch of a history, and [`verify`] compares verdicts with what
//! a scenario expects.

mod cost;
mod divergence;
mod expectation;
mod judged;
mod judges;
mod ledger;
mod log;
mod lost_update;
mod mutual_exclusion;
mod progress;
mod stale_write;
mod token_order;
mod why;

pub use cost::CostSheet;
pub use expectation::{Mismatch, verify, verify_cost, verify_seeds};
pub use judged::Judged;
pub use judges::{Constant, Judges};
pub use mutual_exclusion::Overlap;
pub use why::{Keeper, Kept, Why};

use crate::vocabulary::{Contact, NodeId, ProgressKind, ResourceIx, ServiceIx, Span, StepIx, Time};

/// What a judge says at some moment of a run.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Verdict {
    /// The promise is kept so far.
    Holds,
    /// Nothing can be said yet: nothing of the kind has happened, or somebody waits, but not too long yet.
    Pending {
        /// What is missing; [`Why::is_vacuous`] tells the two cases apart.
        why: Why,
    },
    /// The promise was broken.
    Violated {
        /// Every time it was, in the order in which it became known. Empty only if a test replaced the judge.
        instances: Vec<Instance>,
    },
}

/// One time that a promise was broken.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Instance {
    /// What it is about.
    pub subject: Subject,
    /// In which way, where there is more than one.
    pub kind: Option<InstanceKind>,
    /// When it began.
    pub from: Time,
    /// When it was over; the same instant for what has no length, `None` while it goes on.
    pub to: Option<Time>,
    /// The step at which it is first known.
    pub known: StepIx,
    /// The reason.
    pub why: Why,
    /// The steps that show it, in order.
    pub evidence: Vec<StepIx>,
}

/// What a violation is about.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Subject {
    /// A lock.
    Lock(ServiceIx),
    /// A resource.
    Resource(ResourceIx),
    /// A client.
    Client(NodeId),
}

/// In which way a promise was broken.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum InstanceKind {
    /// A stale write: before or after the newer holder's first contact with storage.
    Stale(Contact),
    /// A lost update.
    Lost(LossKind),
    /// A failure of progress.
    Progress(ProgressKind),
}

/// In which way an update was lost.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum LossKind {
    /// A write replaced a version it was not based on.
    Overwrote,
    /// One write was applied twice.
    AppliedTwice,
}

impl InstanceKind {
    /// The spelling in scenario files.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Stale(contact) => contact.name(),
            Self::Lost(LossKind::Overwrote) => "overwrote",
            Self::Lost(LossKind::AppliedTwice) => "applied-twice",
            Self::Progress(kind) => kind.name(),
        }
    }
}

impl Verdict {
    /// The violations; empty if there are none.
    pub fn instances(&self) -> &[Instance] {
        match self {
            Self::Violated { instances } => instances,
            Self::Holds | Self::Pending { .. } => &[],
        }
    }

    /// Whether the promise was broken.
    pub const fn is_violated(&self) -> bool {
        matches!(self, Self::Violated { .. })
    }

    /// `Violated` if there is anything to show, otherwise `Pending` with the reason given, otherwise `Holds`.
    fn new<'a>(instances: impl Iterator<Item = &'a Instance>, pending: Option<Why>) -> Self {
        let instances: Vec<_> = instances.cloned().collect();
        match pending {
            _ if !instances.is_empty() => Self::Violated { instances },
            Some(why) => Self::Pending { why },
            None => Self::Holds,
        }
    }
}

impl Instance {
    /// How long it lasted, or has lasted at `now`.
    pub fn length(&self, now: Time) -> Span {
        self.to.unwrap_or(now).since(self.from)
    }
}

/// Steps in order, each once.
fn evidence(steps: impl IntoIterator<Item = Option<StepIx>>) -> Vec<StepIx> {
    let mut steps: Vec<_> = steps.into_iter().flatten().collect();
    steps.sort_unstable();
    steps.dedup();
    steps
}
