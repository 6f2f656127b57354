//! What the nodes of a service with replicas and its sentinel say to each other, and what clients ask the sentinel.

use crate::vocabulary::{KeyId, NodeId};
use crate::world::redis::Entry;

/// The replication stream and what comes back. Every change is one message; offsets count messages, not bytes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Replication {
    /// A change as its effect: `SET … PXAT`, or `DEL`.
    Change {
        /// The key.
        key: KeyId,
        /// What it holds now, with an absolute deadline; `None` if it is gone.
        entry: Option<Entry>,
        /// The place in the stream.
        offset: u32,
    },
    /// `REPLCONF GETACK *`
    GetAck,
    /// `REPLCONF ACK offset`
    Ack {
        /// How far the replica is.
        offset: u32,
    },
    /// `PSYNC`: the replica wants all data.
    Psync,
    /// `+FULLRESYNC`: forget everything, all data comes next.
    FullResync {
        /// The place in the stream from which it goes on if there are no data; else the last of them says so.
        offset: u32,
    },
}

/// What a sentinel says and hears.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum SentinelMessage {
    /// `PING`, with `INFO replication` in it.
    Ping,
    /// The answer to both.
    Pong {
        /// The primary that the node follows; `None` if it is one itself.
        leader: Option<NodeId>,
        /// How much of the stream it has.
        offset: u32,
    },
    /// `REPLICAOF`: follow this primary; `None` is `NO ONE`.
    ReplicaOf {
        /// The primary.
        leader: Option<NodeId>,
    },
    /// `SENTINEL get-master-addr-by-name`
    AskPrimary {
        /// Echoed by the answer.
        rpc: u32,
    },
    /// The answer.
    PrimaryIs {
        /// The number of the question.
        rpc: u32,
        /// The primary.
        node: NodeId,
    },
}
