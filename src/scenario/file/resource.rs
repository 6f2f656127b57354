//! Resources and their guards as the file spells them.

use std::fmt;

use serde::Deserialize;
use serde::de::value::MapAccessDeserializer;
use serde::de::{Deserializer, Error, MapAccess, Unexpected, Visitor};

use super::scalar::{Name, Whole, shown};
use crate::vocabulary::Guard;

/// A resource that a lock protects.
#[derive(Deserialize, Default)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
pub(crate) struct ResourceEntry {
    /// The storage process that keeps it. Default: `storage`.
    #[serde(default)]
    pub node: Option<Name>,
    /// The service whose lock protects it. May be left out if there is only one.
    #[serde(default)]
    pub lock: Option<Name>,
    /// Its value before the first write. Default: 0.
    #[serde(default)]
    pub initial: Whole<-1_000_000_000, 1_000_000_000>,
    /// What storage checks before a write. Default: none.
    #[serde(default)]
    pub guard: GuardEntry,
}

/// What storage checks before it applies a write: a word, or `{"fencing": {…}}` with its options.
#[derive(Clone, Copy, Default)]
pub(crate) struct GuardEntry(pub Guard);

/// Options of the fencing guard.
#[derive(Deserialize, Default)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
struct Fencing {
    /// Refuse an equal token too. Default: false.
    #[serde(default)]
    reject_equal: bool,
    /// Reads carry the token as well: they raise the highest seen, and are refused if lower. Default: false.
    #[serde(default)]
    mark_on_read: bool,
}

#[derive(Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
struct FencingObject {
    /// Options.
    fencing: Fencing,
}

impl<'de> Deserialize<'de> for GuardEntry {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_any(GuardVisitor).map(Self)
    }
}

struct GuardVisitor;

impl<'de> Visitor<'de> for GuardVisitor {
    type Value = Guard;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a guard, one of: none fencing version random-id operation-id, or {\"fencing\": {…}}")
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Guard, E> {
        Ok(match text {
            "none" => Guard::None,
            "fencing" => Guard::Fencing { reject_equal: false, mark_on_read: false },
            "version" => Guard::Version,
            "random-id" => Guard::RandomId,
            "operation-id" => Guard::OperationId,
            _ => return Err(E::invalid_value(Unexpected::Str(&shown(text)), &self)),
        })
    }

    fn visit_map<A: MapAccess<'de>>(self, entries: A) -> Result<Guard, A::Error> {
        let FencingObject { fencing } = Deserialize::deserialize(MapAccessDeserializer::new(entries))?;
        Ok(Guard::Fencing { reject_equal: fencing.reject_equal, mark_on_read: fencing.mark_on_read })
    }
}

/// How these values look in the published schema.
#[cfg(not(target_arch = "wasm32"))]
mod schema {
    use std::borrow::Cow;

    use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};

    use super::{FencingObject, GuardEntry};

    impl JsonSchema for GuardEntry {
        fn schema_name() -> Cow<'static, str> {
            "Guard".into()
        }
        fn json_schema(generator: &mut SchemaGenerator) -> Schema {
            let fencing = generator.subschema_for::<FencingObject>();
            json_schema!({
                "oneOf": [
                    { "type": "string", "enum": ["none", "fencing", "version", "random-id", "operation-id"] },
                    fencing,
                ],
            })
        }
    }
}
