//! What the servers of an ensemble say to each other to keep one log: Zab's messages.
//!
//! The names are those of ZooKeeper's quorum protocol (`Leader.java`, `FastLeaderElection.java`).

use std::sync::Arc;

use crate::vocabulary::{MessageKind, NodeId, SessionId, Zxid};
use crate::world::replicated_log::Entry;

/// Whom a server wants to lead, and what speaks for it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Candidate {
    /// The epoch whose history the candidate has.
    pub epoch: u32,
    /// The end of its log.
    pub last: Zxid,
    /// The candidate; of two with the same log the higher one wins.
    pub leader: NodeId,
}

/// What the sender of a ballot is doing.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Standing {
    /// It looks for a leader.
    Looking,
    /// It follows one.
    Following,
    /// It leads.
    Leading,
}

/// A message between two servers of an ensemble.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum LogMessage {
    /// A notification of the election.
    Ballot {
        /// The sender's round: its logical clock.
        round: u32,
        /// Its ballot.
        ballot: Candidate,
        /// What it is doing.
        standing: Standing,
    },
    /// `FOLLOWERINFO`: a server wants to follow.
    FollowerInfo {
        /// The highest epoch that it has promised to.
        accepted: u32,
    },
    /// `LEADERINFO`: the epoch that the leader proposes.
    LeaderInfo {
        /// The new epoch.
        epoch: u32,
    },
    /// `ACKEPOCH`: the follower promises to take part in no earlier epoch.
    AckEpoch {
        /// The new epoch.
        epoch: u32,
        /// The epoch whose history it has; `None` if it promised before, which does not count twice.
        current: Option<u32>,
        /// The end of its log.
        last: Zxid,
    },
    /// `TRUNC`, `DIFF` and `NEWLEADER` in one: cut the log behind `keep`, append what is missing, and the history of the
    /// epoch begins.
    NewLeader {
        /// The epoch.
        epoch: u32,
        /// The last entry that both logs share.
        keep: Zxid,
        /// What comes after it.
        entries: Arc<[Arc<Entry>]>,
    },
    /// `ACK` of `NEWLEADER`.
    AckNewLeader {
        /// The epoch.
        epoch: u32,
    },
    /// `UPTODATE`: a quorum has the history; the follower may serve.
    UpToDate {
        /// Everything up to here is committed.
        committed: Zxid,
    },
    /// `PROPOSAL`
    Propose(Arc<Entry>),
    /// `ACK`: everything up to here is on the follower's disk.
    Ack {
        /// The last entry.
        zxid: Zxid,
    },
    /// `COMMIT`: everything up to here is committed.
    Commit {
        /// The last entry.
        zxid: Zxid,
    },
    /// `PING`
    Ping,
    /// The answer, with the sessions whose clients were heard since the last one.
    Pong {
        /// These sessions; `None` for none.
        sessions: Option<Arc<[SessionId]>>,
    },
}

impl LogMessage {
    pub(super) const fn kind(&self) -> MessageKind {
        match self {
            Self::Ballot { .. } => MessageKind::Ballot,
            Self::FollowerInfo { .. } => MessageKind::FollowerInfo,
            Self::LeaderInfo { .. } => MessageKind::LeaderInfo,
            Self::AckEpoch { .. } => MessageKind::AckEpoch,
            Self::NewLeader { .. } => MessageKind::NewLeader,
            Self::AckNewLeader { .. } => MessageKind::AckNewLeader,
            Self::UpToDate { .. } => MessageKind::UpToDate,
            Self::Propose(_) => MessageKind::Propose,
            Self::Ack { .. } => MessageKind::AckProposal,
            Self::Commit { .. } => MessageKind::Commit,
            Self::Ping => MessageKind::PeerPing,
            Self::Pong { .. } => MessageKind::PeerPong,
        }
    }
}
