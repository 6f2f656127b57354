//! Resources and their guards as the file spells them.

use serde_json::Value;

use super::scalar::{Name, Whole};
use crate::scenario::read::{FromJson, Reader, object};
use crate::vocabulary::Guard;

object! {
    /// A resource that a lock protects.
    #[derive(Default)]
    pub(crate) struct ResourceEntry {
        /// The storage process that keeps it. Default: `storage`.
        pub node: Option<Name> = None,
        /// The service whose lock protects it. May be left out if there is only one.
        pub lock: Option<Name> = None,
        /// Its value before the first write. Default: 0.
        pub initial: Whole<-1_000_000_000, 1_000_000_000> = Whole(0),
        /// What storage checks before a write. Default: none.
        pub guard: GuardEntry = GuardEntry::default(),
    }
}

/// What storage checks before it applies a write: a word, or `{"fencing": {…}}` with its options.
#[derive(Clone, Copy, Default)]
pub(crate) struct GuardEntry(pub Guard);

object! {
    /// Options of the fencing guard.
    struct Fencing {
        /// Refuse an equal token too. Default: false.
        reject_equal: bool = false,
        /// Reads carry the token as well: they raise the highest seen, and are refused if lower. Default: false.
        mark_on_read: bool = false,
    }

    /// The fencing guard with its options.
    struct FencingObject {
        /// Options.
        fencing: Fencing,
    }
}

impl FromJson for GuardEntry {
    fn from_json(value: &Value, reader: &mut Reader) -> Self {
        let guard = match value.as_str() {
            Some("none") => Guard::None,
            Some("fencing") => Guard::Fencing { reject_equal: false, mark_on_read: false },
            Some("version") => Guard::Version,
            Some("random-id") => Guard::RandomId,
            Some("operation-id") => Guard::OperationId,
            None if value.is_object() => {
                let Fencing { reject_equal, mark_on_read } = FencingObject::from_json(value, reader).fencing;
                Guard::Fencing { reject_equal, mark_on_read }
            }
            _ => {
                reader.expected(GUARDS, value);
                Guard::None
            }
        };
        Self(guard)
    }
}

const GUARDS: &str = "a guard, one of: none fencing version random-id operation-id, or {\"fencing\": {…}}";

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
