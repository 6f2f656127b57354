//! Closed lists of words.

use std::fmt;
use std::marker::PhantomData;

use serde::de::{Deserialize, Deserializer, Error, Unexpected, Visitor};

use super::scalar::shown;
use crate::scenario::{Family, Source};
use crate::vocabulary::{Contact, MessageKind, Notice, ObservationKind, PauseCause, ProgressKind};

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

impl<'de, T: Words> Deserialize<'de> for Word<T> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_any(WordVisitor(PhantomData))
    }
}

struct WordVisitor<T>(PhantomData<T>);

impl<T: Words> Visitor<'_> for WordVisitor<T> {
    type Value = Word<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}, one of:", T::WHAT)?;
        T::ALL.iter().try_for_each(|word| write!(f, " {}", word.spelled()))
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Word<T>, E> {
        let found = T::ALL.iter().find(|word| word.spelled() == text);
        found.map(|word| Word(*word)).ok_or_else(|| E::invalid_value(Unexpected::Str(&shown(text)), &self))
    }
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
