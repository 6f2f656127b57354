//! What processes note about themselves, in the vocabulary of the judges.

use super::message::Rejection;
use crate::vocabulary::{
    GrantId, HoldId, KeyId, NodeId, Nonce, ObservationKind, OpId, ResourceIx, ServiceIx, Span, Token,
};

/// Why a hold closed.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Closing {
    /// The client sent its release.
    Released,
    /// The client's own deadline came (careful clients) or its check failed.
    Deadline,
    /// The client heard that the lock is gone.
    Notice,
    /// The client's process ended. The World notes this, not the client.
    Crashed,
}

/// Why a grant ended.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Ending {
    /// Its owner gave it back.
    Released,
    /// Its deadline passed by the node's clock.
    Expired,
    /// Somebody else removed it.
    RemovedByOther,
    /// The node forgot it.
    Forgotten,
    /// The node that is primary now never had it.
    Lost,
}

/// What a process notes about itself, in the vocabulary of the judges.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Observation {
    /// A client begins to want a lock.
    Wants {
        /// Whose lock.
        service: ServiceIx,
    },
    /// A client believes it holds a lock: a hold opens.
    Acquired {
        /// Whose lock.
        service: ServiceIx,
        /// The hold.
        hold: HoldId,
        /// The attempt that succeeded; the grant carries the same.
        nonce: Nonce,
        /// The token that came with it.
        token: Option<Token>,
        /// Until when the client thinks the lease runs, on its monotonic clock in microseconds.
        believed_until: Option<i64>,
    },
    /// An attempt failed.
    AttemptFailed {
        /// Whose lock.
        service: ServiceIx,
        /// Whether there was no answer in time.
        timeout: bool,
    },
    /// A client stops asking. It still wants the lock.
    GaveUp {
        /// Whose lock.
        service: ServiceIx,
    },
    /// A hold closes.
    HoldClosed {
        /// Whose lock.
        service: ServiceIx,
        /// The hold.
        hold: HoldId,
        /// Why.
        why: Closing,
    },
    /// A client looked at its lease and found it good.
    CheckPassed {
        /// Whose lock.
        service: ServiceIx,
    },
    /// A client looked at its lease and found it over.
    CheckFailed {
        /// Whose lock.
        service: ServiceIx,
    },
    /// A client learned a value.
    ReadDone {
        /// Of what.
        resource: ResourceIx,
        /// The value.
        value: i64,
        /// Its version.
        version: u32,
    },
    /// A client learned that its write was applied.
    WriteDone {
        /// Where.
        resource: ResourceIx,
        /// The version it made.
        version: u32,
    },
    /// A client learned that its request was refused.
    WriteRefused {
        /// Where.
        resource: ResourceIx,
        /// Why.
        why: Rejection,
    },
    /// A client learned that it will not hear what became of its request.
    OutcomeUnknown {
        /// The peer that it asked.
        peer: NodeId,
    },
    /// A client extended its lease.
    Renewed {
        /// Whose lock.
        service: ServiceIx,
        /// The hold.
        hold: HoldId,
    },
    /// A client could not extend its lease.
    RenewalFailed {
        /// Whose lock.
        service: ServiceIx,
        /// The hold.
        hold: HoldId,
    },
    /// A client reached the end of its program.
    Finished,
    /// A service gave the lock.
    Granted {
        /// Whose lock.
        service: ServiceIx,
        /// The grant.
        grant: GrantId,
        /// To whom.
        client: NodeId,
        /// The attempt.
        nonce: Nonce,
        /// The token, if one was given in the same instant.
        token: Option<Token>,
        /// The lease as granted; `None` for no expiry.
        lease: Option<Span>,
    },
    /// A service handed out a token for a grant of its own, later than the grant itself.
    TokenGiven {
        /// Whose lock.
        service: ServiceIx,
        /// To whom.
        client: NodeId,
        /// The token.
        token: Token,
    },
    /// A service extended a grant.
    Extended {
        /// Whose lock.
        service: ServiceIx,
        /// The grant.
        grant: GrantId,
        /// The lease from now.
        lease: Span,
    },
    /// A grant is over.
    Ended {
        /// Whose lock.
        service: ServiceIx,
        /// The grant.
        grant: GrantId,
        /// Why.
        why: Ending,
    },
    /// A key that is no grant changed: shown in the log only.
    KeyChanged {
        /// Which.
        key: KeyId,
    },
    /// Storage answered a read: the holder touched storage.
    Contact {
        /// What was read.
        resource: ResourceIx,
        /// Who read.
        client: NodeId,
        /// In which hold.
        hold: Option<HoldId>,
        /// The version that was read.
        version: u32,
    },
    /// Storage applied a write.
    Applied {
        /// Where.
        resource: ResourceIx,
        /// Who wrote.
        client: NodeId,
        /// In which hold.
        hold: Option<HoldId>,
        /// The write as its author meant it.
        op: OpId,
        /// The token it carried.
        token: Option<Token>,
        /// The version on which it was based.
        base: Option<u32>,
        /// The version it replaced.
        replaced: u32,
        /// The value that stands now.
        value: i64,
    },
    /// Storage refused a request.
    Rejected {
        /// Where.
        resource: ResourceIx,
        /// Who asked.
        client: NodeId,
        /// In which hold.
        hold: Option<HoldId>,
        /// Why.
        why: Rejection,
        /// Whether it was a write.
        write: bool,
    },
    /// A node came back with what its disk held.
    Recovered {
        /// How many keys.
        keys: u32,
    },
    /// A node of several stored a client's value: its vote.
    VoteGiven {
        /// Whose lock.
        service: ServiceIx,
        /// For whom.
        client: NodeId,
        /// The attempt.
        nonce: Nonce,
        /// The token that came with it.
        token: Option<Token>,
        /// How long the value stands; `None` for no expiry.
        lease: Option<Span>,
    },
    /// A node of several extended the life of a client's value.
    VoteExtended {
        /// Whose lock.
        service: ServiceIx,
        /// For whom.
        client: NodeId,
        /// The time from now.
        lease: Span,
    },
    /// A node of several stands for a client no longer.
    VoteEnded {
        /// Whose lock.
        service: ServiceIx,
        /// For whom it stood.
        client: NodeId,
        /// The attempt.
        nonce: Nonce,
        /// Why.
        why: Ending,
    },
    /// A client counted the votes of an attempt or a renewal.
    Counted {
        /// Whose lock.
        service: ServiceIx,
        /// How many nodes said yes.
        votes: u32,
        /// How many it needs.
        needed: u32,
        /// What is left of the lease by the clock that it reads, in microseconds, if it looks.
        left_us: Option<i64>,
    },
    /// A replica became the primary.
    Promoted {
        /// Of which service.
        service: ServiceIx,
    },
    /// A node became a replica of another.
    Demoted {
        /// Whom it follows.
        leader: NodeId,
    },
    /// A sentinel heard nothing of a node for too long.
    SeenDown {
        /// The node.
        peer: NodeId,
    },
    /// A server of an ensemble begins to look for a leader.
    Looking {
        /// Of which service.
        service: ServiceIx,
    },
    /// A server leads: a quorum has its history, and it serves.
    Leads {
        /// Of which service.
        service: ServiceIx,
        /// Its epoch.
        epoch: u32,
    },
    /// A server follows, and serves.
    Follows {
        /// Whom.
        leader: NodeId,
        /// In which epoch.
        epoch: u32,
    },
    /// A leader decides that a session has expired.
    SessionExpired {
        /// Whose lock.
        service: ServiceIx,
        /// Whose session.
        client: NodeId,
    },
    /// A client found others before it in the queue.
    Queued {
        /// Whose lock.
        service: ServiceIx,
        /// How many.
        ahead: u32,
    },
    /// A client has a session at a server.
    Connected {
        /// Of which service.
        service: ServiceIx,
        /// Which server.
        server: NodeId,
        /// Whether the session is a new one.
        fresh: bool,
    },
    /// A client lost its server. Its session may live on.
    Disconnected {
        /// Of which service.
        service: ServiceIx,
        /// Which server.
        server: NodeId,
    },
    /// A client learned that its session is over.
    Expired {
        /// Of which service.
        service: ServiceIx,
    },
    /// A hold is suspended: its client does not know whether it still has the lock, and does not act on it.
    HoldSuspended {
        /// Whose lock.
        service: ServiceIx,
        /// The hold.
        hold: HoldId,
    },
    /// A suspended hold is a belief again.
    HoldResumed {
        /// Whose lock.
        service: ServiceIx,
        /// The hold.
        hold: HoldId,
    },
}

impl Observation {
    /// What kind of observation this is; `None` for those that matchers cannot name.
    pub const fn kind(&self) -> Option<ObservationKind> {
        Some(match self {
            Self::Wants { .. } => ObservationKind::Wants,
            Self::Acquired { .. } => ObservationKind::Acquired,
            Self::AttemptFailed { .. } => ObservationKind::AttemptFailed,
            Self::GaveUp { .. } => ObservationKind::GaveUp,
            Self::HoldClosed { .. } => ObservationKind::HoldClosed,
            Self::CheckPassed { .. } => ObservationKind::CheckPassed,
            Self::CheckFailed { .. } => ObservationKind::CheckFailed,
            Self::ReadDone { .. } => ObservationKind::ReadDone,
            Self::WriteDone { .. } => ObservationKind::WriteDone,
            Self::WriteRefused { .. } => ObservationKind::WriteRefused,
            Self::OutcomeUnknown { .. } => ObservationKind::OutcomeUnknown,
            Self::Renewed { .. } => ObservationKind::Renewed,
            Self::RenewalFailed { .. } => ObservationKind::RenewalFailed,
            Self::Finished => ObservationKind::Finished,
            Self::Granted { .. } => ObservationKind::Granted,
            Self::Extended { .. } => ObservationKind::Extended,
            Self::Ended { .. } => ObservationKind::Ended,
            Self::Contact { .. } => ObservationKind::Contact,
            Self::Applied { .. } => ObservationKind::Applied,
            Self::Rejected { .. } => ObservationKind::Rejected,
            Self::Recovered { .. } => ObservationKind::Recovered,
            Self::VoteGiven { .. } => ObservationKind::VoteGiven,
            Self::VoteEnded { .. } => ObservationKind::VoteEnded,
            Self::Counted { .. } => ObservationKind::Counted,
            Self::Promoted { .. } => ObservationKind::Promoted,
            Self::Demoted { .. } => ObservationKind::Demoted,
            Self::SeenDown { .. } => ObservationKind::SeenDown,
            Self::Looking { .. } => ObservationKind::Looking,
            Self::Leads { .. } => ObservationKind::Leads,
            Self::Follows { .. } => ObservationKind::Follows,
            Self::SessionExpired { .. } => ObservationKind::SessionExpired,
            Self::Queued { .. } => ObservationKind::Queued,
            Self::Connected { .. } => ObservationKind::Connected,
            Self::Disconnected { .. } => ObservationKind::Disconnected,
            Self::Expired { .. } => ObservationKind::Expired,
            Self::HoldSuspended { .. } => ObservationKind::HoldSuspended,
            Self::HoldResumed { .. } => ObservationKind::HoldResumed,
            Self::TokenGiven { .. } | Self::KeyChanged { .. } | Self::VoteExtended { .. } => return None,
        })
    }
}
