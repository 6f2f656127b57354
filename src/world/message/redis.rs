//! What clients say to a Redis node, and its answers.

use crate::vocabulary::{KeyId, MessageKind, Nonce, Span};

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

impl RedisCommand {
    /// Whether it can change data. A script counts as one that does.
    pub(in crate::world) const fn writes(self) -> bool {
        !matches!(self, Self::Get { .. } | Self::PTtl { .. } | Self::Wait { .. })
    }

    pub(super) const fn kind(self) -> MessageKind {
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
