//! The small values of the file: whole numbers in limits, names, and objects whose keys are names.

use std::fmt;
use std::marker::PhantomData;

use serde::de::{Deserialize, Deserializer, Error, MapAccess, Unexpected, Visitor};

/// The longest name.
pub(crate) const NAME_CHARS_MAX: usize = 40;

/// A whole number from `MIN` to `MAX`.
#[derive(Clone, Copy)]
pub(crate) struct Whole<const MIN: i64, const MAX: i64>(pub i64);

/// A time or length of time of at most a day, in milliseconds.
pub(crate) type Ms = Whole<0, 86_400_000>;

/// A length of time of at least a millisecond and at most a day.
pub(crate) type Day = Whole<1, 86_400_000>;

/// A step of a clock, at most a day to either side, in milliseconds.
pub(crate) type Signed = Whole<-86_400_000, 86_400_000>;

/// A number as the default of a field.
pub(super) const fn whole<const N: i64, const MIN: i64, const MAX: i64>() -> Whole<MIN, MAX> {
    Whole(N)
}

impl<const MIN: i64, const MAX: i64> Default for Whole<MIN, MAX> {
    /// Zero, or the least number if zero is not allowed.
    fn default() -> Self {
        Self(MIN.max(0))
    }
}

impl<'de, const MIN: i64, const MAX: i64> Deserialize<'de> for Whole<MIN, MAX> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_any(Limits { min: MIN, max: MAX }).map(Self)
    }
}

/// Reads a whole number between limits.
pub(super) struct Limits {
    /// The least.
    pub min: i64,
    /// The greatest.
    pub max: i64,
}

impl Visitor<'_> for Limits {
    type Value = i64;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a whole number from {} to {}", self.min, self.max)
    }

    fn visit_i64<E: Error>(self, number: i64) -> Result<i64, E> {
        if (self.min..=self.max).contains(&number) {
            Ok(number)
        } else {
            Err(E::invalid_value(Unexpected::Signed(number), &self))
        }
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<i64, E> {
        match i64::try_from(number) {
            Ok(number) => self.visit_i64(number),
            Err(_) => Err(E::invalid_value(Unexpected::Unsigned(number), &self)),
        }
    }
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

impl<'de> Deserialize<'de> for Name {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_any(NameVisitor).map(Self)
    }
}

struct NameVisitor;

impl Visitor<'_> for NameVisitor {
    type Value = String;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a name of at most {NAME_CHARS_MAX} small letters, digits and single hyphens, such as client-1")
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<String, E> {
        if Name::fits(text) { Ok(text.to_owned()) } else { Err(E::invalid_value(Unexpected::Str(&shown(text)), &self)) }
    }
}

/// A text as an error shows it: not longer than a line.
pub(super) fn shown(text: &str) -> String {
    if text.chars().count() <= 60 { text.to_owned() } else { text.chars().take(59).chain(['…']).collect() }
}

/// An object whose keys are names, in the order of the file.
pub(crate) struct Named<T>(pub Vec<(String, T)>);

impl<T> Default for Named<T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Named<T> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_map(NamedVisitor(PhantomData))
    }
}

struct NamedVisitor<T>(PhantomData<T>);

impl<'de, T: Deserialize<'de>> Visitor<'de> for NamedVisitor<T> {
    type Value = Named<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object whose keys are names")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Named<T>, A::Error> {
        let mut list = Vec::new();
        while let Some(Name(name)) = entries.next_key()? {
            list.push((name, entries.next_value()?));
        }
        Ok(Named(list))
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

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Knob<T> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        Ok(Option::deserialize(from)?.map_or(Self::Null, Self::Given))
    }
}

/// How these values look in the published schema.
#[cfg(not(target_arch = "wasm32"))]
mod schema {
    use std::borrow::Cow;

    use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};

    use super::{Knob, NAME_CHARS_MAX, Name, Named, Whole};

    /// Kebab-case, beginning with a letter.
    const NAME: &str = "^[a-z][a-z0-9]*(-[a-z0-9]+)*$";

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
            json_schema!({ "type": "string", "pattern": NAME, "maxLength": NAME_CHARS_MAX })
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
                "propertyNames": { "pattern": NAME, "maxLength": NAME_CHARS_MAX },
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
