//! A JSON document before anything is known about its meaning: read with care, and changed by pointers.
//!
//! Variants of a scenario, the controls of the page and changes in a link are one thing: values put at JSON
//! pointers (RFC 6901) of the document, before it is validated.

use std::collections::BTreeSet;

use serde_json::{Map, Value};

use super::error::{ParseError, Problem, Reason};

/// The longest file that is read. The longest built-in scenario has about a twentieth of it.
pub const BYTES_MAX: usize = 256 * 1024;

/// The longest pointer, in parts: nothing in a scenario is nested deeper.
const DEPTH_MAX: usize = 16;

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
    let value = serde_json::from_str(text).map_err(|err| syntax(&err))?;
    find_twice(text)?;
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
    if pointer.split('/').count() > DEPTH_MAX {
        return None;
    }
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

/// An object or list that the scan is in.
enum Level {
    Object { keys: BTreeSet<String>, key: String, key_comes: bool },
    List { ix: usize },
}

impl Level {
    const fn object() -> Self {
        Self::Object { keys: BTreeSet::new(), key: String::new(), key_comes: true }
    }
}

/// Looks for a key that stands twice in one object of a valid JSON text. `serde_json` would keep the last in silence.
fn find_twice(text: &str) -> Result<(), ParseError> {
    let mut levels: Vec<Level> = Vec::new();
    let mut at = 0;
    while let Some(byte) = text.as_bytes().get(at) {
        match (byte, levels.last_mut()) {
            (b'"', level) => {
                let end = string_end(text, at);
                if let Some(Level::Object { keys, key, key_comes: true }) = level {
                    *key = serde_json::from_str(&text[at..end]).unwrap_or_default();
                    if !keys.insert(key.clone()) {
                        let reason = format!("the key {} stands twice", path(&levels));
                        let (line, column) = place(text, at);
                        return Err(ParseError::Syntax { line, column, reason });
                    }
                }
                at = end;
                continue;
            }
            (b'{', _) => levels.push(Level::object()),
            (b'[', _) => levels.push(Level::List { ix: 0 }),
            (b'}' | b']', _) => drop(levels.pop()),
            (b':', Some(Level::Object { key_comes, .. })) => *key_comes = false,
            (b',', Some(Level::Object { key_comes, .. })) => *key_comes = true,
            (b',', Some(Level::List { ix })) => *ix += 1,
            _ => {}
        }
        at += 1;
    }
    Ok(())
}

/// Where a string ends that begins at `at`: after its closing quote.
fn string_end(text: &str, at: usize) -> usize {
    let mut escaped = false;
    let closing = text.bytes().skip(at + 1).position(|byte| {
        let ends = byte == b'"' && !escaped;
        escaped = byte == b'\\' && !escaped;
        ends
    });
    closing.map_or(text.len(), |offset| at + offset + 2)
}

fn path(levels: &[Level]) -> String {
    let mut path = String::new();
    for level in levels {
        path.push('/');
        match level {
            Level::Object { key, .. } => path.push_str(&escaped(key)),
            Level::List { ix } => path.push_str(&ix.to_string()),
        }
    }
    path
}

/// Line and column, from 1, as `serde_json` counts them: in bytes.
fn place(text: &str, at: usize) -> (usize, usize) {
    let before = &text[..at];
    let line = before.matches('\n').count() + 1;
    let column = at - before.rfind('\n').map_or(0, |newline| newline + 1) + 1;
    (line, column)
}
