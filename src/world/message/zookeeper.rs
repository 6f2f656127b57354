//! What ZooKeeper's clients say to a server, its answers, and what servers say to each other on behalf of clients.
//!
//! There is one lock in an ensemble, the children of one parent node.

use std::sync::Arc;

use crate::vocabulary::{ConnId, MessageKind, SessionId, Span, Zxid};
use crate::world::zookeeper::{Name, Txn};

/// A message of a client or to one, or between servers on behalf of one.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum ZkMessage {
    /// A client asks for something.
    Request {
        /// Echoed by the answer (`xid`).
        rpc: u32,
        /// What.
        request: ZkRequest,
    },
    /// A server answers.
    Answer {
        /// The request's number.
        rpc: u32,
        /// The last entry that the server has applied.
        zxid: Zxid,
        /// The answer.
        answer: ZkAnswer,
    },
    /// A client keeps its session alive.
    Ping,
    /// The answer.
    Pong {
        /// The last entry that the server has applied.
        zxid: Zxid,
    },
    /// A watch fires: once.
    Event {
        /// The node that was watched and is gone or there; `None` if the children of the parent changed.
        name: Option<Name>,
    },
    /// From a follower to its leader.
    Forward(Forwarded),
    /// From a leader to a follower: the answer to a revalidation, or to a `sync`.
    LeaderSays {
        /// The follower's connection on which it was asked.
        conn: ConnId,
        /// Its number.
        rpc: u32,
        /// For a revalidation: the session, and whether it lives.
        session: Option<(SessionId, bool)>,
    },
}

/// What a follower cannot do itself.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Forwarded {
    /// An update.
    Update(Txn),
    /// `REVALIDATE`: does this session live?
    Revalidate {
        /// The follower's connection on which its client came.
        conn: ConnId,
        /// The number of its request.
        rpc: u32,
        /// The session.
        session: SessionId,
    },
    /// `SYNC`: tell me when I have everything that is committed now.
    Sync {
        /// The follower's connection on which it was asked.
        conn: ConnId,
        /// The number of its request.
        rpc: u32,
    },
}

/// A client's request.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ZkRequest {
    /// Opens a session or goes on with one.
    Connect {
        /// The session; `None` for a new one.
        session: Option<SessionId>,
        /// The timeout that the client wishes.
        timeout: Span,
        /// The last entry that the client has seen the effect of. A server that is behind that does not let it in.
        seen: Zxid,
    },
    /// A change.
    Update(ZkUpdate),
    /// `getChildren` of the parent.
    Children {
        /// Whether a watch is left.
        watch: bool,
    },
    /// `exists`
    Exists {
        /// Which node.
        name: Name,
        /// Whether a watch is left, also if the node does not exist.
        watch: bool,
    },
    /// `sync`
    Sync,
}

/// A change of the data.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ZkUpdate {
    /// A new session.
    OpenSession {
        /// The connection of its server on which it was asked: a client that has started again asks on another one. (The real
        /// server chooses the session's id here, and knows the connection by it.)
        conn: ConnId,
        /// Its timeout, negotiated.
        timeout: Span,
    },
    /// The session ends, and its ephemeral nodes with it.
    CloseSession {
        /// Whether the leader decided that, or its client asked for it.
        expired: bool,
    },
    /// `create` of the parent, as a container: it may be deleted when it has had children and is empty.
    CreateParent,
    /// `create` of a sequential child.
    Create {
        /// What stands in its name before the number.
        guid: Option<u64>,
        /// Whether it goes with its session.
        ephemeral: bool,
    },
    /// `delete` of a child.
    Delete {
        /// Which.
        name: Name,
    },
    /// `setData` of the parent.
    SetData,
    /// `deleteContainer`: the parent goes if it is empty.
    DeleteContainer,
}

/// A child as answers show it: its name, and what its `Stat` says. (`getChildren` gives names alone; the rest is that of an
/// `exists`, which the model saves.)
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Child {
    /// Its name.
    pub name: Name,
    /// The entry that made it.
    pub czxid: Zxid,
}

/// A server's answer.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum ZkAnswer {
    /// The session lives.
    Connected {
        /// The session.
        session: SessionId,
        /// Its timeout.
        timeout: Span,
    },
    /// `SESSIONEXPIRED`
    Expired,
    /// The node was created.
    Created(Child),
    /// The parent was created, or deleted.
    Done,
    /// The children, in the order of their numbers.
    Children(Arc<[Child]>),
    /// The node exists.
    Exists(Child),
    /// The parent's data were set.
    DataSet {
        /// Its version now.
        version: u32,
    },
    /// `NONODE`
    NoNode,
    /// `NODEEXISTS`
    NodeExists,
    /// The server has everything that was committed when it was asked.
    Synced,
}

impl ZkMessage {
    pub(super) const fn kind(&self) -> MessageKind {
        match self {
            Self::Request { request, .. } => match request {
                ZkRequest::Connect { .. } => MessageKind::ZkConnect,
                ZkRequest::Children { .. } => MessageKind::ZkChildren,
                ZkRequest::Exists { .. } => MessageKind::ZkExists,
                ZkRequest::Sync => MessageKind::ZkSync,
                ZkRequest::Update(update) => match update {
                    ZkUpdate::Delete { .. } | ZkUpdate::DeleteContainer => MessageKind::ZkDelete,
                    ZkUpdate::SetData => MessageKind::ZkSetData,
                    ZkUpdate::CloseSession { .. } => MessageKind::ZkClose,
                    ZkUpdate::Create { .. } | ZkUpdate::CreateParent | ZkUpdate::OpenSession { .. } => {
                        MessageKind::ZkCreate
                    }
                },
            },
            Self::Answer { answer: ZkAnswer::Connected { .. } | ZkAnswer::Expired, .. } => MessageKind::ZkConnected,
            Self::Answer { .. } => MessageKind::ZkReply,
            Self::Ping => MessageKind::ZkPing,
            Self::Pong { .. } => MessageKind::ZkPong,
            Self::Event { .. } => MessageKind::WatchEvent,
            Self::Forward(Forwarded::Update(_)) => MessageKind::Forward,
            Self::Forward(_) => MessageKind::Revalidate,
            Self::LeaderSays { .. } => MessageKind::LeaderSays,
        }
    }
}
