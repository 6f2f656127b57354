//! Which observation of a step is its news.

use crate::vocabulary::NodeId;
use crate::world::{Effect, Observation, Record};

/// The observation that a headline is about: of several in one step, the one with the most news.
pub(super) fn leading(record: &Record) -> Option<(NodeId, Observation)> {
    let noted = record.effects.iter().filter_map(|effect| match effect {
        Effect::Noted { node, what } => Some((*node, *what)),
        _ => None,
    });
    noted.min_by_key(|(_, what)| rank(what))
}

/// Lower is more news. What changes the truth comes before what a client learns, and refusals before all.
const fn rank(what: &Observation) -> u8 {
    match what {
        Observation::Rejected { .. } => 0,
        Observation::Applied { .. }
        | Observation::Promoted { .. }
        | Observation::Demoted { .. }
        | Observation::SeenDown { .. }
        | Observation::Leads { .. }
        | Observation::SessionExpired { .. } => 1,
        Observation::Granted { .. } => 2,
        Observation::Acquired { .. } => 3,
        Observation::CheckFailed { .. } => 4,
        Observation::HoldClosed { .. } | Observation::HoldSuspended { .. } | Observation::HoldResumed { .. } => 5,
        Observation::Ended { .. } => 6,
        Observation::VoteGiven { .. } | Observation::VoteEnded { .. } | Observation::TokenGiven { .. } => 7,
        Observation::RenewalFailed { .. } => 8,
        Observation::WriteRefused { .. } => 9,
        Observation::GaveUp { .. } => 10,
        Observation::Counted { .. }
        | Observation::AttemptFailed { .. }
        | Observation::Expired { .. }
        | Observation::Disconnected { .. }
        | Observation::Connected { .. }
        | Observation::Looking { .. }
        | Observation::Follows { .. } => 11,
        Observation::OutcomeUnknown { .. } | Observation::Queued { .. } => 12,
        Observation::Extended { .. } | Observation::VoteExtended { .. } => 13,
        Observation::CheckPassed { .. } => 14,
        Observation::WriteDone { .. } => 15,
        Observation::ReadDone { .. } => 16,
        Observation::Renewed { .. } => 17,
        Observation::Recovered { .. } => 18,
        Observation::Contact { .. } => 19,
        Observation::Finished => 20,
        Observation::Wants { .. } => 21,
        Observation::KeyChanged { .. } => 22,
    }
}

/// Whether an observation says more than the request or answer that it came with.
pub(super) const fn is_news(what: &Observation) -> bool {
    !matches!(what, Observation::Wants { .. } | Observation::KeyChanged { .. })
}
