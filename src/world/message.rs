//! What packets carry, nested by protocol.

use super::redis::Entry;
use crate::vocabulary::{HoldId, KeyId, MessageKind, NodeId, Nonce, OpId, ResourceIx, Span, Token};

/// The content of a packet.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
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
}

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
        /// The place in the stream from which it goes on.
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

/// What a Redis key holds.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum RedisValue {
    /// A random value: a lock's owner mark.
    Nonce(u64),
    /// A number.
    Int(i64),
    /// A hash: the owner of a re-entrant lock and how often it took it. It never travels: `GET` refuses a hash.
    Held {
        /// The owner's mark: the field.
        owner: u64,
        /// Its value.
        count: u32,
        /// The field `request`: the last request that was counted, of those that had an id; 0 if none had.
        request: u16,
    },
}

/// A Redis command. Scripts are commands of their own, as the server runs them atomically.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum RedisCommand {
    /// `SET key value [NX | XX] [PX ttl | KEEPTTL]`
    Set {
        /// The key.
        key: KeyId,
        /// The new value.
        value: RedisValue,
        /// Whether a condition on existence is set.
        when: SetWhen,
        /// The new deadline.
        expire: SetExpire,
    },
    /// `SETNX key value`
    SetNx {
        /// The key.
        key: KeyId,
        /// The new value.
        value: RedisValue,
    },
    /// `GET key`
    Get {
        /// The key.
        key: KeyId,
    },
    /// `DEL key`
    Del {
        /// The key.
        key: KeyId,
    },
    /// `PEXPIRE key ttl`; `EXPIRE` is the same with whole seconds.
    PExpire {
        /// The key.
        key: KeyId,
        /// The new remaining time.
        ttl: Span,
    },
    /// `PTTL key`
    PTtl {
        /// The key.
        key: KeyId,
    },
    /// `INCR key`
    Incr {
        /// The key.
        key: KeyId,
    },
    /// Script: `if GET key == value then DEL key`.
    CompareDelete {
        /// The key.
        key: KeyId,
        /// The expected value.
        value: RedisValue,
    },
    /// Script: `if GET key == value then PEXPIRE key ttl`.
    CompareExtend {
        /// The key.
        key: KeyId,
        /// The expected value.
        value: RedisValue,
        /// The new remaining time.
        ttl: Span,
    },
    /// Script: `if SET key value NX PX ttl then INCR counter`.
    LockScript {
        /// The lock.
        key: KeyId,
        /// The new value.
        value: RedisValue,
        /// The lease; `None` for no expiry.
        ttl: Option<Span>,
        /// The token counter.
        counter: KeyId,
    },
    /// Script: extend if the key holds the value, set it if the key is missing.
    ExtendOrSet {
        /// The key.
        key: KeyId,
        /// The expected or new value.
        value: RedisValue,
        /// The new remaining time.
        ttl: Span,
    },
    /// Script: take a re-entrant lock if it is free, count its owner once more if it is the owner's.
    ReentrantLock {
        /// The lock.
        key: KeyId,
        /// Who asks.
        owner: Nonce,
        /// The lease; `None` for no expiry.
        ttl: Option<Span>,
        /// The request's id, if it has one: it is not counted again if it was the last.
        request: Option<u16>,
    },
    /// Script: count the owner of a re-entrant lock down, free the lock at zero.
    ReentrantUnlock {
        /// The lock.
        key: KeyId,
        /// Who asks.
        owner: Nonce,
        /// The lease that is set if the lock stays; `None` for none.
        ttl: Option<Span>,
    },
    /// `WAIT replicas timeout`
    Wait {
        /// How many replicas.
        replicas: u8,
        /// How long.
        timeout: Span,
    },
}

/// The condition of a `SET`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum SetWhen {
    /// Always.
    Always,
    /// `NX`: only if the key does not exist.
    Missing,
    /// `XX`: only if the key exists.
    Exists,
}

/// The deadline of a `SET`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum SetExpire {
    /// None: an older deadline is dropped.
    Never,
    /// `PX`: this long from now.
    After(Span),
    /// `KEEPTTL`: as before.
    Keep,
}

/// A Redis node's answer.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum RedisReply {
    /// `+OK`
    Ok,
    /// The null reply.
    Nil,
    /// `:n`
    Int(i64),
    /// A bulk string.
    Value(RedisValue),
    /// An error.
    Error(RedisError),
}

/// Why a Redis command failed.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum RedisError {
    /// `ERR invalid expire time`
    InvalidExpire,
    /// `ERR value is not an integer or out of range`
    NotAnInteger,
    /// `WRONGTYPE Operation against a key holding the wrong kind of value`
    WrongType,
    /// `READONLY You can't write against a read only replica.`
    ReadOnly,
    /// `NOREPLICAS Not enough good replicas to write.`
    NoReplicas,
    /// `ERR WAIT cannot be used with replica instances.`
    WaitOnReplica,
}

/// A request to storage.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum StorageRequest {
    /// Read value and version.
    Read {
        /// What is read.
        resource: ResourceIx,
        /// The reader's token, if it has one.
        token: Option<Token>,
        /// Provenance, for the judges: storage does not look at it.
        hold: Option<HoldId>,
    },
    /// Replace the value.
    Write(Write),
}

/// A write.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Write {
    /// What is written.
    pub resource: ResourceIx,
    /// The new value.
    pub value: i64,
    /// The writer's token, if it has one.
    pub token: Option<Token>,
    /// The version on which the value is based; `None` for a blind write.
    pub base: Option<u32>,
    /// The random id of the data on which the value is based.
    pub base_tag: u64,
    /// One write as its author meant it.
    pub op: OpId,
    /// Provenance, for the judges: storage does not look at it.
    pub hold: Option<HoldId>,
}

/// Storage's answer.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum StorageReply {
    /// The value read.
    Value {
        /// Of what.
        resource: ResourceIx,
        /// The value.
        value: i64,
        /// Its version, counted from 0.
        version: u32,
        /// The random id of the data.
        tag: u64,
    },
    /// The write stands.
    Applied {
        /// Where.
        resource: ResourceIx,
        /// The new version.
        version: u32,
    },
    /// The request was refused.
    Rejected {
        /// Where.
        resource: ResourceIx,
        /// Why.
        why: Rejection,
    },
}

/// Why storage refused a request.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Rejection {
    /// The token is lower than the highest seen (or equal, where that is refused too).
    StaleToken {
        /// The token of the request; `None` if it had none.
        token: Option<Token>,
        /// The highest seen.
        highest: Token,
    },
    /// The version is not the one read.
    VersionChanged {
        /// The version on which the write was based.
        base: Option<u32>,
        /// The version that stands.
        current: u32,
    },
    /// The operation was applied before.
    Duplicate {
        /// Which.
        op: OpId,
    },
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
            Self::Storage { request: StorageRequest::Read { .. }, .. } => MessageKind::Read,
            Self::Storage { request: StorageRequest::Write(_), .. } => MessageKind::Write,
            Self::StorageReply { reply, .. } => match reply {
                StorageReply::Value { .. } => MessageKind::ReadReply,
                StorageReply::Applied { .. } | StorageReply::Rejected { .. } => MessageKind::WriteReply,
            },
        }
    }
}

impl RedisCommand {
    /// Whether it can change data. A script counts as one that does.
    pub(super) const fn writes(self) -> bool {
        !matches!(self, Self::Get { .. } | Self::PTtl { .. } | Self::Wait { .. })
    }

    const fn kind(self) -> MessageKind {
        match self {
            Self::Set { .. } => MessageKind::Set,
            Self::SetNx { .. } => MessageKind::SetNx,
            Self::Get { .. } => MessageKind::Get,
            Self::Del { .. } => MessageKind::Del,
            Self::PExpire { .. } => MessageKind::PExpire,
            Self::PTtl { .. } => MessageKind::PTtl,
            Self::Incr { .. } => MessageKind::Incr,
            Self::CompareDelete { .. } => MessageKind::CompareDelete,
            Self::CompareExtend { .. } => MessageKind::CompareExtend,
            Self::LockScript { .. } => MessageKind::LockScript,
            Self::ExtendOrSet { .. } => MessageKind::ExtendOrSet,
            Self::ReentrantLock { .. } => MessageKind::ReentrantLock,
            Self::ReentrantUnlock { .. } => MessageKind::ReentrantUnlock,
            Self::Wait { .. } => MessageKind::Wait,
        }
    }
}
