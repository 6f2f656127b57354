//! From JSON values to the types of the file, noting everything that does not fit with its place.
//!
//! This is not serde: reading some forty types through a generic deserializer would make a third of the page's code. Here
//! every type has one plain function, and a problem in one place does not hide those in others.

use serde_json::{Map, Value};

use super::document::escaped;
use super::error::{Found, Problem, Reason, Warning};

/// A type that is read from JSON.
pub(super) trait FromJson: Sized {
    /// The value, or `None` after what is wrong with it was noted.
    fn from_json(value: &Value, reader: &mut Reader) -> Option<Self>;
}

/// Where the reader is, and what it found on the way.
#[derive(Default)]
pub(super) struct Reader {
    path: String,
    problems: Vec<Problem>,
    warnings: Vec<Warning>,
}

/// Reads a value that stands at `root`.
pub(super) fn read<T: FromJson>(root: &str, value: &Value, warnings: &mut Vec<Warning>) -> Result<T, Vec<Problem>> {
    let mut reader = Reader { path: root.to_owned(), ..Reader::default() };
    let read = T::from_json(value, &mut reader);
    match read {
        Some(read) if reader.problems.is_empty() => {
            warnings.append(&mut reader.warnings);
            Ok(read)
        }
        _ => Err(reader.problems),
    }
}

impl Reader {
    /// Notes that something else was expected here.
    pub(super) fn expected<T>(&mut self, expected: impl Into<String>, value: &Value) -> Option<T> {
        self.problem(Reason::Type { expected: expected.into(), found: Found::of(value) })
    }

    /// Notes a problem of this place.
    pub(super) fn problem<T>(&mut self, reason: Reason) -> Option<T> {
        self.problems.push(Problem::new(self.path.clone(), reason));
        None
    }

    /// Reads a part of the value at this place.
    pub(super) fn part<T: FromJson>(&mut self, key: &str, value: &Value) -> Option<T> {
        let here = self.path.len();
        self.path.push('/');
        self.path.push_str(&escaped(key));
        let read = T::from_json(value, self);
        self.path.truncate(here);
        read
    }

    /// Reads a key of an object.
    pub(super) fn required<T: FromJson>(&mut self, map: &Map<String, Value>, key: &'static str) -> Option<T> {
        match map.get(key) {
            Some(value) => self.part(key, value),
            None => self.problem(Reason::Missing { key }),
        }
    }

    /// Reads a key of an object that may be left out.
    pub(super) fn optional<T: FromJson>(&mut self, map: &Map<String, Value>, key: &str, default: T) -> Option<T> {
        match map.get(key) {
            Some(value) => self.part(key, value),
            None => Some(default),
        }
    }

    /// Warns of keys that nothing reads.
    pub(super) fn known(&mut self, map: &Map<String, Value>, known: &[&str]) {
        for key in map.keys().filter(|key| !known.contains(&key.as_str())) {
            self.warnings.push(Warning { path: format!("{}/{}", self.path, escaped(key)) });
        }
    }

    /// The value as an object.
    pub(super) fn object<'a>(&mut self, value: &'a Value) -> Option<&'a Map<String, Value>> {
        match value {
            Value::Object(map) => Some(map),
            _ => self.expected("an object", value),
        }
    }
}

/// Declares an object of the file: what may be left out has its default after `=`.
macro_rules! object {
    ($(
        $(#[$doc:meta])*
        $vis:vis struct $name:ident {
            $($(#[$field_doc:meta])* $field_vis:vis $field:ident: $ty:ty $(= $default:expr)?,)+
        }
    )+) => {$(
        $(#[$doc])*
        #[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
        $vis struct $name {$(
            $(#[$field_doc])*
            $(
                #[cfg_attr(any(), doc = stringify!($default))]
                #[cfg_attr(not(target_arch = "wasm32"), schemars(default))]
            )?
            $field_vis $field: $ty,
        )+}

        impl $crate::scenario::read::FromJson for $name {
            fn from_json(value: &serde_json::Value, reader: &mut $crate::scenario::read::Reader) -> Option<Self> {
                let map = reader.object(value)?;
                reader.known(map, &[$(stringify!($field)),+]);
                // All fields are read before any is missed: the author hears of every problem at once.
                $(let $field = $crate::scenario::read::field!(reader, map, $field $(, $default)?);)+
                Some(Self { $($field: $field?),+ })
            }
        }
    )+};
}

/// Reads one field, required or not.
macro_rules! field {
    ($reader:ident, $map:ident, $field:ident) => {
        $reader.required($map, stringify!($field))
    };
    ($reader:ident, $map:ident, $field:ident, $default:expr) => {
        $reader.optional($map, stringify!($field), $default)
    };
}

pub(super) use {field, object};

impl FromJson for bool {
    fn from_json(value: &Value, reader: &mut Reader) -> Option<Self> {
        value.as_bool().or_else(|| reader.expected("true or false", value))
    }
}

impl FromJson for String {
    fn from_json(value: &Value, reader: &mut Reader) -> Option<Self> {
        value.as_str().map(str::to_owned).or_else(|| reader.expected("a text", value))
    }
}

/// Anything.
impl FromJson for Value {
    fn from_json(value: &Value, _: &mut Reader) -> Option<Self> {
        Some(value.clone())
    }
}

/// `null` for none.
impl<T: FromJson> FromJson for Option<T> {
    fn from_json(value: &Value, reader: &mut Reader) -> Option<Self> {
        if value.is_null() { Some(None) } else { T::from_json(value, reader).map(Some) }
    }
}

impl<T: FromJson> FromJson for Box<T> {
    fn from_json(value: &Value, reader: &mut Reader) -> Option<Self> {
        T::from_json(value, reader).map(Self::new)
    }
}

impl<T: FromJson> FromJson for Vec<T> {
    fn from_json(value: &Value, reader: &mut Reader) -> Option<Self> {
        let Some(items) = value.as_array() else { return reader.expected("a list", value) };
        let mut read = Self::new();
        for (ix, item) in items.iter().enumerate() {
            read.extend(reader.part(&ix.to_string(), item));
        }
        (read.len() == items.len()).then_some(read)
    }
}

impl FromJson for crate::vocabulary::Text {
    fn from_json(value: &Value, reader: &mut Reader) -> Option<Self> {
        let map = reader.object(value)?;
        reader.known(map, &["en", "ko"]);
        let (en, ko) = (reader.required(map, "en"), reader.required(map, "ko"));
        Some(Self { en: en?, ko: ko? })
    }
}
