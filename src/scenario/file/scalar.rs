//! The small values of the file: whole numbers in limits, names, and objects whose keys are names.

use serde_json::Value;

use crate::scenario::read::{FromJson, Reader};

/// A day.
pub(super) const MS_PER_DAY: i64 = 86_400_000;

/// The longest name.
pub(crate) const NAME_CHARS_MAX: usize = 40;

/// A whole number from `MIN` to `MAX`.
#[derive(Clone, Copy)]
pub(crate) struct Whole<const MIN: i64, const MAX: i64>(pub i64);

/// A time or length of time of at most a day, in milliseconds.
pub(crate) type Ms = Whole<0, MS_PER_DAY>;

/// A length of time of at least a millisecond and at most a day.
pub(crate) type Day = Whole<1, MS_PER_DAY>;

/// A step of a clock, at most a day to either side, in milliseconds.
pub(crate) type Signed = Whole<{ -MS_PER_DAY }, MS_PER_DAY>;

impl<const MIN: i64, const MAX: i64> Default for Whole<MIN, MAX> {
    /// Zero, or the least number if zero is not allowed.
    fn default() -> Self {
        Self(MIN.max(0))
    }
}

impl<const MIN: i64, const MAX: i64> FromJson for Whole<MIN, MAX> {
    fn from_json(value: &Value, reader: &mut Reader) -> Self {
        Self(whole(value, MIN, MAX, reader))
    }
}

/// One function for all limits.
fn whole(value: &Value, min: i64, max: i64, reader: &mut Reader) -> i64 {
    let number = value.as_i64().filter(|number| (min..=max).contains(number));
    number.unwrap_or_else(|| {
        reader.expected(format!("a whole number from {min} to {max}"), value);
        min
    })
}

/// A name: kebab-case, beginning with a letter.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Name(pub String);

impl Name {
    /// Whether a text is a name.
    pub(crate) fn fits(text: &str) -> bool {
        let tail = text.split('-').all(|part| {
            !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit())
        });
        tail && text.len() <= NAME_CHARS_MAX && text.starts_with(|first: char| first.is_ascii_lowercase())
    }
}

impl FromJson for Name {
    fn from_json(value: &Value, reader: &mut Reader) -> Self {
        let text = value.as_str().unwrap_or_default();
        if !Self::fits(text) {
            reader.expected(NAME, value);
        }
        Self(text.to_owned())
    }
}

const NAME: &str = "a name of at most 40 small letters, digits and single hyphens, such as client-1";

/// An object whose keys are names, in the order of the file.
pub(crate) struct Named<T>(pub Vec<(String, T)>);

impl<T> Default for Named<T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<T: Default> Named<T> {
    /// One entry with everything left out.
    pub(super) fn one(name: &str) -> Self {
        Self(vec![(name.to_owned(), T::default())])
    }
}

impl<T: FromJson> FromJson for Named<T> {
    fn from_json(value: &Value, reader: &mut Reader) -> Self {
        let mut read = Vec::new();
        for (name, entry) in reader.map(value).into_iter().flatten() {
            if !Name::fits(name) {
                reader.expected(NAME, &Value::String(name.clone()));
            }
            read.push((name.clone(), reader.part(name, entry)));
        }
        Self(read)
    }
}

/// A value that may be left out, where `null` says something else than leaving it out.
#[derive(Clone, Copy, Default)]
pub(crate) enum Knob<T> {
    /// Left out.
    #[default]
    Unset,
    /// `null`.
    Null,
    /// A value.
    Given(T),
}

impl<T> Knob<T> {
    /// This, or the other if this was left out.
    pub(crate) fn or(self, other: Self) -> Self {
        if matches!(self, Self::Unset) { other } else { self }
    }

    /// The value, or a default if it was left out; nothing for `null`.
    pub(crate) fn or_default(self, default: Option<T>) -> Option<T> {
        match self {
            Self::Unset => default,
            Self::Null => None,
            Self::Given(value) => Some(value),
        }
    }
}

impl<T: FromJson> FromJson for Knob<T> {
    fn from_json(value: &Value, reader: &mut Reader) -> Self {
        if value.is_null() { Self::Null } else { Self::Given(T::from_json(value, reader)) }
    }
}

/// How these values look in the published schema.
#[cfg(not(target_arch = "wasm32"))]
mod schema {
    use std::borrow::Cow;

    use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};

    use super::{Knob, NAME_CHARS_MAX, Name, Named, Whole};

    /// Kebab-case, beginning with a letter.
    const PATTERN: &str = "^[a-z][a-z0-9]*(-[a-z0-9]+)*$";

    impl<const MIN: i64, const MAX: i64> JsonSchema for Whole<MIN, MAX> {
        fn inline_schema() -> bool {
            true
        }
        fn schema_name() -> Cow<'static, str> {
            format!("Whole_{MIN}_{MAX}").into()
        }
        fn json_schema(_: &mut SchemaGenerator) -> Schema {
            json_schema!({ "type": "integer", "minimum": MIN, "maximum": MAX })
        }
    }

    impl JsonSchema for Name {
        fn schema_name() -> Cow<'static, str> {
            "Name".into()
        }
        fn json_schema(_: &mut SchemaGenerator) -> Schema {
            json_schema!({ "type": "string", "pattern": PATTERN, "maxLength": NAME_CHARS_MAX })
        }
    }

    impl<T: JsonSchema> JsonSchema for Named<T> {
        fn inline_schema() -> bool {
            true
        }
        fn schema_name() -> Cow<'static, str> {
            format!("Named_{}", T::schema_name()).into()
        }
        fn json_schema(generator: &mut SchemaGenerator) -> Schema {
            let value = generator.subschema_for::<T>();
            json_schema!({
                "type": "object",
                "propertyNames": { "pattern": PATTERN, "maxLength": NAME_CHARS_MAX },
                "additionalProperties": value,
            })
        }
    }

    impl<T: JsonSchema> JsonSchema for Knob<T> {
        fn inline_schema() -> bool {
            true
        }
        fn schema_name() -> Cow<'static, str> {
            <Option<T>>::schema_name()
        }
        fn json_schema(generator: &mut SchemaGenerator) -> Schema {
            <Option<T>>::json_schema(generator)
        }
    }
}
