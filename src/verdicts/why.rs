//! Reasons: data, not text. Views put them into words.

use crate::vocabulary::{Contact, NodeId, OpId, ServiceIx, Span, Time, Token};
use crate::world::{Ending, Rejection};

/// Why a judge says what it says.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Why {
    /// Nothing to judge yet: nobody has believed to hold a lock.
    NobodyHeldYet,
    /// Nothing to judge yet: no write was applied.
    NoWriteYet,
    /// Nothing to judge: the scenario has no storage.
    NoStorageHere,
    /// Nothing to judge yet: no token was given.
    NoTokenYet,
    /// Nothing to judge: no client asks for tokens.
    NoTokensHere,
    /// A client is kept out, but not for too long yet.
    Waiting(Kept),
    /// Mutual exclusion: two clients believe at once.
    TwoBelievers {
        /// Which lock.
        lock: ServiceIx,
        /// Whose grant is the older one.
        older: NodeId,
        /// Whose grant is the newer one.
        newer: NodeId,
        /// How the older grant had ended by then; `None` if it stood, or if there never was one.
        ended: Option<Ending>,
        /// Whether the older one was paused after its grant.
        paused: bool,
    },
    /// Stale write: the lock went to another client between the writer's grant and its write.
    GrantedSince {
        /// Whose write was applied.
        writer: NodeId,
        /// The token it carried.
        token: Option<Token>,
        /// Who was granted the lock since.
        newer: NodeId,
        /// The token that went with that grant.
        newer_token: Option<Token>,
        /// When that was.
        granted: Time,
        /// Whether a newer holder had touched the resource before the write was applied.
        contact: Contact,
    },
    /// Lost update: a write replaced a version that it was not based on.
    Overwrote {
        /// Whose write.
        writer: NodeId,
        /// The version it was based on.
        base: u32,
        /// The version it replaced.
        replaced: u32,
        /// Whose update was the first that its author had not seen.
        lost: Option<NodeId>,
    },
    /// Lost update: one write was applied twice.
    AppliedTwice {
        /// Whose write.
        writer: NodeId,
        /// Which write.
        op: OpId,
        /// When it was applied the first time.
        first: Time,
    },
    /// Token order: of two grants, the later one's token is not higher.
    TokenNotHigher {
        /// Who got the lock first.
        earlier: NodeId,
        /// With which token.
        earlier_token: Token,
        /// Who got it later.
        later: NodeId,
        /// With which token.
        later_token: Token,
    },
    /// Progress: a client was kept out for too long.
    KeptOut(Kept),
    /// Progress: others got the lock again and again while a client wanted it.
    PassedOver {
        /// Who wanted it.
        client: NodeId,
        /// Which lock.
        lock: ServiceIx,
        /// Since when.
        since: Time,
        /// How many grants to others it took to call this starvation.
        grants: u32,
    },
    /// Progress: storage turned away a client that held the lock by right.
    TurnedAway {
        /// Who.
        client: NodeId,
        /// On which ground.
        why: Rejection,
    },
}

/// A client that wants a lock and is kept out of it while nobody who believes to hold it could be the reason.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Kept {
    /// Who.
    pub client: NodeId,
    /// Of which lock.
    pub lock: ServiceIx,
    /// Since when.
    pub since: Time,
    /// How long this may last.
    pub allowed: Span,
    /// What stands in the way.
    pub by: Keeper,
}

/// What keeps a client out.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Keeper {
    /// A grant whose owner has crashed since it asked for it. Only the end of the lease can help.
    Crashed {
        /// The owner.
        owner: NodeId,
        /// The lease as granted; `None` if it has no end.
        lease: Option<Span>,
    },
    /// A grant whose owner is paused and does not know of it yet.
    Stopped {
        /// The owner.
        owner: NodeId,
        /// The lease as granted; `None` if it has no end.
        lease: Option<Span>,
    },
    /// A grant whose owner has suspended its hold: it cannot know whether the grant stands.
    InDoubt {
        /// The owner.
        owner: NodeId,
        /// The lease as granted; `None` if it has no end.
        lease: Option<Span>,
    },
    /// A grant whose owner runs, but does not believe that it holds the lock.
    Unaware {
        /// The owner.
        owner: NodeId,
    },
    /// A grant without end whose owner runs, does not believe, and wants the lock itself: it waits for itself.
    Itself {
        /// The owner.
        owner: NodeId,
    },
    /// Holders who wait for locks of each other.
    Circle {
        /// Who holds this lock and waits for another.
        owner: NodeId,
    },
    /// Nobody: no grant stands, yet no attempt succeeds.
    Nobody,
}

impl Why {
    /// Whether this only says that there was nothing to judge.
    pub const fn is_vacuous(&self) -> bool {
        matches!(
            self,
            Self::NobodyHeldYet | Self::NoWriteYet | Self::NoStorageHere | Self::NoTokenYet | Self::NoTokensHere
        )
    }
}

impl Kept {
    /// Until when this may last.
    pub fn limit(&self) -> Time {
        self.since + self.allowed
    }
}
