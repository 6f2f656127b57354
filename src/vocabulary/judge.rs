//! Names of the promises that judges watch.

use super::kinds::names;

names! {
    /// A promise of a lock. The judges themselves live in `verdicts`.
    JudgeName {
        /// No two clients believe they hold the same lock at one instant.
        MutualExclusion = "mutual_exclusion",
        /// Storage applies no write of a hold after the lock went to another client.
        StaleWrite = "stale_write",
        /// Every applied write replaces the version it was based on, once.
        LostUpdate = "lost_update",
        /// Tokens strictly increase in the order of grants.
        TokenOrder = "token_order",
        /// Nobody who wants the lock is kept out without a live believer for too long.
        Progress = "progress",
        /// Replicas of a store agree in the end.
        Divergence = "divergence",
    }
}

impl JudgeName {
    /// The abbreviation used in tables.
    pub const fn short(self) -> &'static str {
        match self {
            Self::MutualExclusion => "ME",
            Self::StaleWrite => "SW",
            Self::LostUpdate => "LU",
            Self::TokenOrder => "TO",
            Self::Progress => "PR",
            Self::Divergence => "DV",
        }
    }
}

names! {
    /// A line of the cost sheet.
    CostEntry {
        /// Packets sent, by anybody.
        Messages = "messages",
        /// Replies that were handled by the client that asked.
        RoundTrips = "round_trips",
        /// Packets that tell a client something it did not ask for then.
        Notifications = "notifications",
        /// How many times a lock was acquired.
        Acquires = "acquires",
        /// The mean time from wanting to having a lock.
        AcquireMean = "acquire_ms_mean",
        /// The longest of these times.
        AcquireMax = "acquire_ms_max",
        /// Work that was done twice.
        WorkTwice = "work_twice",
    }
}

names! {
    /// Whether the newer holder had touched storage when the stale write was applied.
    Contact {
        /// The stale write came before the newer holder's first contact.
        Before = "before",
        /// The stale write came after it.
        After = "after",
    }
}

names! {
    /// In which way progress failed.
    ProgressKind {
        /// The grant stands although its owner is gone or does not believe.
        Leak = "leak",
        /// Everybody waits for somebody who waits.
        Deadlock = "deadlock",
        /// Attempts go on and none succeeds.
        Livelock = "livelock",
        /// Others are served again and again.
        Starvation = "starvation",
        /// A commit cannot finish.
        Blocked = "blocked",
        /// Somebody with a right is turned away.
        Refused = "refused",
    }
}
