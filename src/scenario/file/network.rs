//! The network as the file spells it.

use serde_json::Value;

use super::scalar::{Day, MS_PER_DAY, Name};
use crate::scenario::error::Reason;
use crate::scenario::read::{FromJson, Reader, object};

object! {
    /// How long packets take.
    #[derive(Default)]
    pub(crate) struct NetworkEntry {
        /// On every link that `links` does not name: a number, or the shortest and the longest. Default: 5.
        pub latency_ms: Option<LatencyMs> = None,
        /// Single directions of links.
        pub links: Vec<LinkEntry> = Vec::new(),
    }

    /// One direction of one link.
    pub(crate) struct LinkEntry {
        /// The sender.
        pub from: Name,
        /// The receiver.
        pub to: Name,
        /// A number, or the shortest and the longest.
        pub latency_ms: LatencyMs,
    }
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

impl FromJson for LatencyMs {
    fn from_json(value: &Value, reader: &mut Reader) -> Self {
        let (min, max) = match (value.as_array().map(Vec::as_slice), value.as_i64()) {
            (Some([min, max]), _) => {
                let (min, max): (Day, Day) = (reader.part("0", min), reader.part("1", max));
                (min.0, max.0)
            }
            (None, Some(ms)) if (1..=MS_PER_DAY).contains(&ms) => (ms, ms),
            _ => {
                reader.expected(LATENCY, value);
                (1, 1)
            }
        };
        if min > max {
            reader.problem(Reason::Conflict("the shortest latency is above the longest"));
        }
        Self { min: min as u64, max: max as u64 }
    }
}

const LATENCY: &str = "a whole number from 1 to 86400000, or [shortest, longest]";

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
            let number = json_schema!({ "type": "integer", "minimum": 1, "maximum": super::MS_PER_DAY });
            json_schema!({
                "oneOf": [number, { "type": "array", "items": number, "minItems": 2, "maxItems": 2 }],
            })
        }
    }
}
