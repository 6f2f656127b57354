//! Closed lists of words.

use serde_json::Value;

use super::preset::Preset;
use crate::scenario::read::{FromJson, Reader};
use crate::scenario::{Family, Source};
use crate::vocabulary::{
    AcquireMode, ClockChoice, Contact, MessageKind, Notice, ObservationKind, PauseCause, Persistence, ProgressKind,
    ReleaseMode, Replies, Requests, StartOf, TokenSource, Watched,
};

/// A closed list of words, each with its spelling in files.
pub(crate) trait Words: Copy + Sized + 'static {
    /// What the list is called in errors.
    const WHAT: &'static str;
    /// All of them.
    const ALL: &'static [Self];
    /// The spelling.
    fn spelled(self) -> &'static str;
}

/// One word of such a list.
#[derive(Clone, Copy)]
pub(crate) struct Word<T>(pub T);

impl<T: Words> FromJson for Word<T> {
    fn from_json(value: &Value, reader: &mut Reader) -> Self {
        let fits = |word: &&T| value.as_str() == Some(word.spelled());
        Self(T::ALL.iter().find(fits).copied().unwrap_or_else(|| {
            let words: Vec<&str> = T::ALL.iter().map(|word| word.spelled()).collect();
            reader.expected(format!("{}, one of: {}", T::WHAT, words.join(" ")), value);
            T::ALL[0]
        }))
    }
}

/// Kinds of lock services.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum ServiceKind {
    /// Redis, one node.
    #[default]
    Redis,
    /// Several Redis masters and a majority.
    Redlock,
    /// A ZooKeeper ensemble.
    ZooKeeper,
}

/// The clock by which a Redis node expires keys.
#[derive(Clone, Copy, Default)]
pub(crate) enum ExpiryClock {
    /// The clock that can be set, as real Redis does.
    #[default]
    Wall,
    /// The clock that never steps: a control.
    Monotonic,
}

/// Lists that already know their spelling.
macro_rules! named_words {
    ($($ty:ident $what:literal),+ $(,)?) => {$(
        impl Words for $ty {
            const WHAT: &'static str = $what;
            const ALL: &'static [Self] = Self::ALL;
            fn spelled(self) -> &'static str {
                self.name()
            }
        }
    )+};
}

/// Lists that are only spelled in files.
macro_rules! spelled_words {
    ($($ty:ident $what:literal { $($variant:ident = $text:literal),+ $(,)? })+) => {$(
        impl Words for $ty {
            const WHAT: &'static str = $what;
            const ALL: &'static [Self] = &[$(Self::$variant),+];
            fn spelled(self) -> &'static str {
                match self { $(Self::$variant => $text),+ }
            }
        }
    )+};
}

named_words! {
    MessageKind "a kind of message",
    ObservationKind "a kind of observation",
    ProgressKind "a kind of standstill",
    Contact "a kind of stale write",
}

spelled_words! {
    ServiceKind "a kind of service" { Redis = "redis", Redlock = "redlock", ZooKeeper = "zookeeper" }
    Watched "what is watched" { Predecessor = "predecessor", Parent = "parent" }
    ExpiryClock "a clock" { Wall = "wall", Monotonic = "monotonic" }
    Persistence "what reaches the disk" { None = "none", EverySecond = "every-second", Always = "always" }
    TokenSource "a source of tokens" {
        None = "none", Counter = "counter", SeparateCounter = "separate-counter", Random = "random",
        Czxid = "czxid", Sequence = "sequence", NodeVersion = "node-version", ParentVersion = "parent-version",
    }
    Preset "a client library" {
        NodeRedlock5 = "node-redlock-5", Redsync = "redsync", RedlockPy = "redlock-py", RedLockNet = "redlock-net",
        Pottery = "pottery", Rslock = "rslock", Redisson = "redisson",
    }
    Requests "an order of requests" { Parallel = "parallel", Sequential = "sequential" }
    Replies "a number of replies" { All = "all", Deciding = "deciding" }
    StartOf "a start" { Attempt = "attempt", Call = "call" }
    AcquireMode "a way to take the lock" {
        Set = "set", SetNx = "setnx", Reentrant = "reentrant", ReentrantById = "reentrant-by-id",
    }
    ClockChoice "a clock" { Monotonic = "monotonic", Wall = "wall", None = "none" }
    ReleaseMode "a way to give the lock back" {
        CompareAndDelete = "compare-and-delete", Delete = "delete", Never = "never",
    }
    Source "a source" { HowTo = "K", Introduction = "C" }
    Family "a family of scenarios" {
        Redis = "redis", Redlock = "redlock", ZooKeeper = "zookeeper", Chubby = "chubby", Database = "database",
        Model = "model",
    }
    PauseCause "a cause" {
        Gc = "gc", PageFault = "page-fault", NetworkDisk = "network-disk", CpuContention = "cpu-contention",
        SigStop = "sigstop",
    }
    Notice "who learns of it" { Both = "both", Sender = "sender", Receiver = "receiver", Neither = "neither" }
}

/// How these values look in the published schema.
#[cfg(not(target_arch = "wasm32"))]
mod schema {
    use std::borrow::Cow;

    use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};

    use super::{Word, Words};

    impl<T: Words> JsonSchema for Word<T> {
        fn inline_schema() -> bool {
            true
        }
        fn schema_name() -> Cow<'static, str> {
            T::WHAT.into()
        }
        fn json_schema(_: &mut SchemaGenerator) -> Schema {
            let words: Vec<&str> = T::ALL.iter().map(|word| word.spelled()).collect();
            json_schema!({ "type": "string", "enum": words })
        }
    }
}
