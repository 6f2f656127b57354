//! From JSON values to the types of the file, noting everything that does not fit with its place.
//!
//! This is not serde: reading some forty types through a generic deserializer would make a third of the page's code. Here
//! every type has one plain function, and a problem in one place does not hide those in others.

use serde_json::{Map, Value};

use super::document::escaped;
use super::error::{Found, Problem, Reason, Warning};

/// A type that is read from JSON.
///
/// What does not fit is noted, and something of the type is returned all the same: whoever reads the whole looks at the
/// notes. So no code is spent on putting half-read objects away.
pub(super) trait FromJson {
    /// The value, or anything after what is wrong with it was noted.
    fn from_json(value: &Value, reader: &mut Reader) -> Self;
}

/// Where the reader is, and what it found on the way.
#[derive(Default)]
pub(super) struct Reader {
    path: String,
    problems: Vec<Problem>,
    warnings: Vec<Warning>,
    /// Inside something that is missing, nothing more is noted.
    muted: bool,
}

/// A place that the reader went to, and how to get back.
pub(super) struct Visit<'a> {
    pub(super) value: &'a Value,
    path_len: usize,
    muted: bool,
}

/// Stands for what is missing.
static NOTHING: Value = Value::Null;

/// Reads a value that stands at `root`.
pub(super) fn read<T: FromJson>(root: &str, value: &Value, warnings: &mut Vec<Warning>) -> Result<T, Vec<Problem>> {
    let mut reader = Reader { path: root.to_owned(), ..Reader::default() };
    let read = T::from_json(value, &mut reader);
    if reader.problems.is_empty() {
        warnings.append(&mut reader.warnings);
        Ok(read)
    } else {
        Err(reader.problems)
    }
}

impl Reader {
    /// Notes that something else was expected here.
    pub(super) fn expected(&mut self, expected: impl Into<String>, value: &Value) {
        if !self.muted {
            self.problem(Reason::Type { expected: expected.into(), found: Found::of(value) });
        }
    }

    /// Notes a problem of this place.
    pub(super) fn problem(&mut self, reason: Reason) {
        self.problems.push(Problem::new(self.path.clone(), reason));
    }

    /// The value as an object; all its keys that are not `known` are warned of.
    pub(super) fn object<'a>(&mut self, value: &'a Value, known: &[&str]) -> Option<&'a Map<String, Value>> {
        let map = self.map(value)?;
        for key in map.keys().filter(|key| !known.contains(&key.as_str()) && *key != "$schema") {
            self.warnings.push(Warning { path: format!("{}/{}", self.path, escaped(key)) });
        }
        Some(map)
    }

    /// The value as an object with any keys.
    pub(super) fn map<'a>(&mut self, value: &'a Value) -> Option<&'a Map<String, Value>> {
        let map = value.as_object();
        if map.is_none() {
            self.expected("an object", value);
        }
        map
    }

    /// Goes to a part of the value at this place.
    pub(super) fn enter<'a>(&mut self, key: &str, value: &'a Value) -> Visit<'a> {
        let visit = Visit { value, path_len: self.path.len(), muted: self.muted };
        self.path.push('/');
        self.path.push_str(&escaped(key));
        visit
    }

    /// Goes to a key of an object, if it is there.
    pub(super) fn optional<'a>(&mut self, map: Option<&'a Map<String, Value>>, key: &str) -> Option<Visit<'a>> {
        map?.get(key).map(|value| self.enter(key, value))
    }

    /// Goes to a key of an object. If it is missing, that is noted.
    pub(super) fn required<'a>(&mut self, map: Option<&'a Map<String, Value>>, key: &'static str) -> Visit<'a> {
        if let Some(visit) = self.optional(map, key) {
            return visit;
        }
        if map.is_some() && !self.muted {
            self.problem(Reason::Missing { key });
        }
        let visit = Visit { value: &NOTHING, path_len: self.path.len(), muted: self.muted };
        self.muted = true;
        visit
    }

    /// Goes back.
    pub(super) fn leave(&mut self, visit: &Visit<'_>) {
        self.path.truncate(visit.path_len);
        self.muted = visit.muted;
    }

    /// Reads a part of the value at this place.
    pub(super) fn part<T: FromJson>(&mut self, key: &str, value: &Value) -> T {
        let visit = self.enter(key, value);
        let read = T::from_json(value, self);
        self.leave(&visit);
        read
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
            fn from_json(value: &serde_json::Value, reader: &mut $crate::scenario::read::Reader) -> Self {
                let map = reader.object(value, &[$(stringify!($field)),+]);
                Self {
                    $($field: $crate::scenario::read::field!(reader, map, $field $(, $default)?),)+
                }
            }
        }
    )+};
}

/// Reads one field, required or not.
macro_rules! field {
    ($reader:ident, $map:ident, $field:ident) => {{
        let visit = $reader.required($map, stringify!($field));
        let read = $crate::scenario::read::FromJson::from_json(visit.value, $reader);
        $reader.leave(&visit);
        read
    }};
    ($reader:ident, $map:ident, $field:ident, $default:expr) => {
        match $reader.optional($map, stringify!($field)) {
            Some(visit) => {
                let read = $crate::scenario::read::FromJson::from_json(visit.value, $reader);
                $reader.leave(&visit);
                read
            }
            None => $default,
        }
    };
}

pub(super) use {field, object};

impl FromJson for bool {
    fn from_json(value: &Value, reader: &mut Reader) -> Self {
        value.as_bool().unwrap_or_else(|| {
            reader.expected("true or false", value);
            false
        })
    }
}

impl FromJson for String {
    fn from_json(value: &Value, reader: &mut Reader) -> Self {
        if !value.is_string() {
            reader.expected("a text", value);
        }
        value.as_str().unwrap_or_default().to_owned()
    }
}

/// Anything.
impl FromJson for Value {
    fn from_json(value: &Value, _: &mut Reader) -> Self {
        value.clone()
    }
}

/// `null` for none.
impl<T: FromJson> FromJson for Option<T> {
    fn from_json(value: &Value, reader: &mut Reader) -> Self {
        (!value.is_null()).then(|| T::from_json(value, reader))
    }
}

impl<T: FromJson> FromJson for Box<T> {
    fn from_json(value: &Value, reader: &mut Reader) -> Self {
        Self::new(T::from_json(value, reader))
    }
}

impl<T: FromJson> FromJson for Vec<T> {
    fn from_json(value: &Value, reader: &mut Reader) -> Self {
        if !value.is_array() {
            reader.expected("a list", value);
        }
        let items = value.as_array().into_iter().flatten().enumerate();
        items.map(|(ix, item)| reader.part(&ix.to_string(), item)).collect()
    }
}

impl FromJson for crate::vocabulary::Text {
    fn from_json(value: &Value, reader: &mut Reader) -> Self {
        let map = reader.object(value, &["en", "ko"]);
        Self { en: field!(reader, map, en), ko: field!(reader, map, ko) }
    }
}
