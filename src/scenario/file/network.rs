//! The network as the file spells it.

use std::fmt;

use serde::Deserialize;
use serde::de::{Deserializer, Error, SeqAccess, Unexpected, Visitor};

use super::scalar::{Day, Limits, Name};

/// How long packets take.
#[derive(Deserialize, Default)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
pub(crate) struct NetworkEntry {
    /// On every link that `links` does not name: a number, or the shortest and the longest. Default: 5.
    #[serde(default)]
    pub latency_ms: Option<LatencyMs>,
    /// Single directions of links.
    #[serde(default)]
    pub links: Vec<LinkEntry>,
}

/// One direction of one link.
#[derive(Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
pub(crate) struct LinkEntry {
    /// The sender.
    pub from: Name,
    /// The receiver.
    pub to: Name,
    /// A number, or the shortest and the longest.
    pub latency_ms: LatencyMs,
}

/// A latency in milliseconds: a number, or the shortest and the longest. At least 1, so that every round trip takes
/// time.
#[derive(Clone, Copy)]
pub(crate) struct LatencyMs {
    /// The shortest.
    pub min: u64,
    /// The longest.
    pub max: u64,
}

impl<'de> Deserialize<'de> for LatencyMs {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_any(LatencyVisitor)
    }
}

struct LatencyVisitor;

/// The limits of a latency.
const LATENCY: Limits = Limits { min: 1, max: 86_400_000 };

impl<'de> Visitor<'de> for LatencyVisitor {
    type Value = LatencyMs;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a latency: a whole number from 1 to 86400000, or [shortest, longest]")
    }

    fn visit_i64<E: Error>(self, number: i64) -> Result<LatencyMs, E> {
        let ms = LATENCY.visit_i64(number)? as u64;
        Ok(LatencyMs { min: ms, max: ms })
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<LatencyMs, E> {
        let ms = LATENCY.visit_u64::<E>(number)? as u64;
        Ok(LatencyMs { min: ms, max: ms })
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<LatencyMs, A::Error> {
        let mut next = || items.next_element::<Day>();
        match (next()?, next()?, next()?) {
            (Some(min), Some(max), None) if min.0 <= max.0 => Ok(LatencyMs { min: min.0 as u64, max: max.0 as u64 }),
            (Some(_), Some(_), None) => Err(A::Error::custom("the shortest latency is above the longest")),
            _ => Err(A::Error::invalid_value(Unexpected::Seq, &self)),
        }
    }
}

/// How these values look in the published schema.
#[cfg(not(target_arch = "wasm32"))]
mod schema {
    use std::borrow::Cow;

    use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};

    use super::LatencyMs;

    impl JsonSchema for LatencyMs {
        fn schema_name() -> Cow<'static, str> {
            "Latency".into()
        }
        fn json_schema(_: &mut SchemaGenerator) -> Schema {
            let number = json_schema!({ "type": "integer", "minimum": 1, "maximum": 86_400_000 });
            json_schema!({
                "oneOf": [number, { "type": "array", "items": number, "minItems": 2, "maxItems": 2 }],
            })
        }
    }
}
