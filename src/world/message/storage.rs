//! What clients say to storage, and its answers.

use crate::vocabulary::{HoldId, OpId, ResourceIx, Token};

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
