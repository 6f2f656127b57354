//! What packets carry, nested by protocol.

mod failover;
mod log;
mod redis;
mod storage;
mod zookeeper;

pub use failover::{Replication, SentinelMessage};
pub use log::{Candidate, LogMessage, Standing};
pub use redis::{RedisCommand, RedisError, RedisReply, RedisValue, SetExpire, SetWhen};
pub use storage::{Rejection, StorageReply, StorageRequest, Write};
pub use zookeeper::{Child, Forwarded, ZkAnswer, ZkMessage, ZkRequest, ZkUpdate};

use std::hash::{Hash, Hasher};

use crate::vocabulary::MessageKind;

/// The content of a packet.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Message {
    /// A command to a Redis node.
    Redis {
        /// Echoed by the reply, as the order on a real connection would tell.
        rpc: u32,
        /// What is asked.
        command: RedisCommand,
    },
    /// A Redis node's answer.
    RedisReply {
        /// The request's number.
        rpc: u32,
        /// The answer.
        reply: RedisReply,
    },
    /// A request to storage.
    Storage {
        /// Echoed by the reply.
        rpc: u32,
        /// What is asked.
        request: StorageRequest,
    },
    /// Storage's answer.
    StorageReply {
        /// The request's number.
        rpc: u32,
        /// The answer.
        reply: StorageReply,
    },
    /// What a primary and its replica say to each other.
    Replication(Replication),
    /// What a sentinel says and hears.
    Sentinel(SentinelMessage),
    /// What the servers of an ensemble say to each other to keep one log.
    Log(LogMessage),
    /// What clients and servers of ZooKeeper say to each other, besides the log.
    ZooKeeper(ZkMessage),
}

impl Hash for Message {
    fn hash<H: Hasher>(&self, state: &mut H) {
        std::mem::discriminant(self).hash(state);
        match self {
            Self::Redis { rpc, command } => (rpc, command).hash(state),
            Self::RedisReply { rpc, reply } => (rpc, reply).hash(state),
            Self::Storage { rpc, request } => (rpc, request).hash(state),
            Self::StorageReply { rpc, reply } => (rpc, reply).hash(state),
            Self::Replication(said) => said.hash(state),
            Self::Sentinel(said) => said.hash(state),
            Self::Log(said) => hash_apart(said, state),
            Self::ZooKeeper(said) => hash_apart(said, state),
        }
    }
}

/// Not inlined: the first view hashes messages, but none of an ensemble.
#[inline(never)]
fn hash_apart<H: Hasher>(said: &impl Hash, state: &mut H) {
    said.hash(state);
}

impl Message {
    /// What kind of message this is.
    pub const fn kind(&self) -> MessageKind {
        match self {
            Self::Redis { command, .. } => command.kind(),
            Self::RedisReply { .. } => MessageKind::RedisReply,
            Self::Replication(said) => match said {
                Replication::Change { .. } => MessageKind::Replicate,
                Replication::GetAck => MessageKind::GetAck,
                Replication::Ack { .. } => MessageKind::Ack,
                Replication::Psync => MessageKind::Psync,
                Replication::FullResync { .. } => MessageKind::FullResync,
            },
            Self::Sentinel(said) => match said {
                SentinelMessage::Ping => MessageKind::Ping,
                SentinelMessage::Pong { .. } => MessageKind::Pong,
                SentinelMessage::ReplicaOf { .. } => MessageKind::ReplicaOf,
                SentinelMessage::AskPrimary { .. } => MessageKind::AskPrimary,
                SentinelMessage::PrimaryIs { .. } => MessageKind::PrimaryIs,
            },
            Self::Log(said) => said.kind(),
            Self::ZooKeeper(said) => said.kind(),
            Self::Storage { request: StorageRequest::Read { .. }, .. } => MessageKind::Read,
            Self::Storage { request: StorageRequest::Write(_), .. } => MessageKind::Write,
            Self::StorageReply { reply, .. } => match reply {
                StorageReply::Value { .. } => MessageKind::ReadReply,
                StorageReply::Applied { .. } | StorageReply::Rejected { .. } => MessageKind::WriteReply,
            },
        }
    }
}
