//! Divergence: replicas of a store agree in the end.
//!
//! Storage has no replicas yet, so there is nothing that could disagree, and the monitor says that the promise holds.

use crate::verdicts::Verdict;

/// The monitor of a world without replicas: it has nothing to remember.
pub(crate) struct NoReplicas;

impl NoReplicas {
    pub(crate) const fn verdict() -> Verdict {
        Verdict::Holds
    }
}
