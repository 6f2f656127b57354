//! A JSON document before anything is known about its meaning: read with care, and changed by pointers.
//!
//! Variants of a scenario, the controls of the page and changes in a link are one thing: values put at JSON
//! pointers (RFC 6901) of the document, before it is validated.

use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error as _, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Value};

use super::error::{ParseError, Problem, Reason};

/// The longest file that is read. The longest built-in scenario has about a twentieth of it.
pub const BYTES_MAX: usize = 256 * 1024;

/// A change: a JSON pointer, and the value to put there.
pub type Change = (String, Value);

/// Reads JSON. Unlike `serde_json` alone it refuses a key that stands twice in one object.
pub(super) fn read(text: &str) -> Result<Value, ParseError> {
    if text.len() > BYTES_MAX {
        return Err(ParseError::TooLarge { bytes: text.len() });
    }
    // Editors on some systems put a byte order mark before the text.
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    if text.trim().is_empty() {
        return Err(ParseError::Empty);
    }
    let mut reader = serde_json::Deserializer::from_str(text);
    let value = Place { path: &Path::Root }.deserialize(&mut reader).map_err(|err| syntax(&err))?;
    reader.end().map_err(|err| syntax(&err))?;
    Ok(value)
}

/// Puts values at pointers. Objects that are missing on the way are made; an array only takes an index it has, or `-`
/// for one more.
pub(super) fn change(document: &mut Value, changes: &[Change]) -> Result<(), ParseError> {
    let mut problems = Vec::new();
    for (pointer, value) in changes {
        match target(document, pointer) {
            Some(place) => *place = value.clone(),
            None => problems.push(Problem::new(pointer.clone(), Reason::Nowhere)),
        }
    }
    if problems.is_empty() { Ok(()) } else { Err(ParseError::Invalid(problems)) }
}

/// The place a pointer names, made if need be. The whole document is no place.
fn target<'a>(document: &'a mut Value, pointer: &str) -> Option<&'a mut Value> {
    let mut place = document;
    for part in pointer.strip_prefix('/')?.split('/') {
        let key = part.replace("~1", "/").replace("~0", "~");
        if place.is_null() {
            *place = Value::Object(Map::new());
        }
        place = match place {
            Value::Object(map) => map.entry(key).or_insert(Value::Null),
            Value::Array(list) => {
                let ix = if key == "-" {
                    list.push(Value::Null);
                    list.len() - 1
                } else {
                    key.parse().ok()?
                };
                list.get_mut(ix)?
            }
            _ => return None,
        };
    }
    Some(place)
}

/// A key as a part of a JSON pointer.
pub(super) fn escaped(key: &str) -> String {
    key.replace('~', "~0").replace('/', "~1")
}

fn syntax(err: &serde_json::Error) -> ParseError {
    let (line, column) = (err.line(), err.column());
    let text = err.to_string();
    let reason = text.strip_suffix(&format!(" at line {line} column {column}")).unwrap_or(&text).to_owned();
    ParseError::Syntax { line, column, reason }
}

/// Where in the document the reader is.
enum Path<'a> {
    Root,
    Key(&'a Path<'a>, &'a str),
    Index(&'a Path<'a>, usize),
}

impl fmt::Display for Path<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Root => Ok(()),
            Self::Key(parent, key) => write!(f, "{parent}/{}", escaped(key)),
            Self::Index(parent, ix) => write!(f, "{parent}/{ix}"),
        }
    }
}

/// Reads the value at a place.
struct Place<'a> {
    path: &'a Path<'a>,
}

impl<'de> DeserializeSeed<'de> for Place<'_> {
    type Value = Value;
    fn deserialize<D: Deserializer<'de>>(self, reader: D) -> Result<Value, D::Error> {
        reader.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Place<'_> {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E>(self, flag: bool) -> Result<Value, E> {
        Ok(Value::Bool(flag))
    }

    fn visit_i64<E>(self, number: i64) -> Result<Value, E> {
        Ok(number.into())
    }

    fn visit_u64<E>(self, number: u64) -> Result<Value, E> {
        Ok(number.into())
    }

    fn visit_f64<E>(self, number: f64) -> Result<Value, E> {
        Ok(number.into())
    }

    fn visit_str<E>(self, text: &str) -> Result<Value, E> {
        Ok(text.into())
    }

    fn visit_string<E>(self, text: String) -> Result<Value, E> {
        Ok(Value::String(text))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        let mut list = Vec::new();
        while let Some(item) = items.next_element_seed(Place { path: &Path::Index(self.path, list.len()) })? {
            list.push(item);
        }
        Ok(Value::Array(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Value, A::Error> {
        let mut map = Map::new();
        while let Some(key) = entries.next_key::<String>()? {
            let path = Path::Key(self.path, &key);
            if map.contains_key(&key) {
                return Err(A::Error::custom(format_args!("the key {path} stands twice")));
            }
            let value = entries.next_value_seed(Place { path: &path })?;
            map.insert(key, value);
        }
        Ok(Value::Object(map))
    }
}
