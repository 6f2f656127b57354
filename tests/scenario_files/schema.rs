//! A JSON Schema validator for the keywords that the published schema uses, and no others: it panics on a new one.

use serde_json::Value;

/// Everything about `value` that does not fit.
pub(crate) fn problems(schema: &Value, value: &Value) -> Vec<String> {
    let mut found = Vec::new();
    Validator { root: schema }.check(schema, value, "", &mut found);
    found
}

struct Validator<'a> {
    root: &'a Value,
}

impl Validator<'_> {
    fn fits(&self, schema: &Value, value: &Value, path: &str) -> bool {
        let mut found = Vec::new();
        self.check(schema, value, path, &mut found);
        found.is_empty()
    }

    fn check(&self, schema: &Value, value: &Value, path: &str, found: &mut Vec<String>) {
        let Some(keywords) = schema.as_object() else {
            assert_eq!(*schema, true, "{path}: a schema is an object or true");
            return;
        };
        for (keyword, argument) in keywords {
            if !self.keyword(keyword, argument, schema, value, path, found) {
                found.push(format!("{path}: {keyword} {argument}"));
            }
        }
    }

    /// Whether the value itself fits one keyword; what is wrong inside it goes to `found`.
    fn keyword(
        &self,
        keyword: &str,
        argument: &Value,
        schema: &Value,
        value: &Value,
        path: &str,
        found: &mut Vec<String>,
    ) -> bool {
        let list = || argument.as_array().into_iter().flatten();
        let number = |wanted: fn(i64, i64) -> bool| {
            value.as_i64().zip(argument.as_i64()).is_none_or(|(value, limit)| wanted(value, limit))
        };
        let len = value.as_array().map(Vec::len).zip(argument.as_u64());
        match keyword {
            "$schema" | "title" | "description" | "format" | "default" | "$defs" => true,
            "$ref" => {
                let pointer = argument.as_str().and_then(|text| text.strip_prefix('#')).expect("a local reference");
                self.check(self.root.pointer(pointer).expect("it leads somewhere"), value, path, found);
                true
            }
            "type" => list().chain(argument.is_string().then_some(argument)).any(|name| is(value, name)),
            "enum" => list().any(|one| one == value),
            "const" => argument == value,
            "minimum" => number(|value, limit| value >= limit),
            "maximum" => number(|value, limit| value <= limit),
            "minItems" => len.is_none_or(|(len, limit)| len as u64 >= limit),
            "maxItems" => len.is_none_or(|(len, limit)| len as u64 <= limit),
            "maxLength" => {
                value.as_str().zip(argument.as_u64()).is_none_or(|(text, max)| text.chars().count() as u64 <= max)
            }
            "pattern" => value.as_str().is_none_or(|text| match argument.as_str() {
                Some("^[a-z][a-z0-9]*(-[a-z0-9]+)*$") => {
                    text.starts_with(|c: char| c.is_ascii_lowercase())
                        && text.split('-').all(|part| {
                            !part.is_empty() && part.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit())
                        })
                }
                Some("^/") => text.starts_with('/'),
                other => panic!("{path}: pattern {other:?}"),
            }),
            "items" => {
                for (ix, item) in value.as_array().into_iter().flatten().enumerate() {
                    self.check(argument, item, &format!("{path}/{ix}"), found);
                }
                true
            }
            "required" => {
                value.as_object().is_none_or(|map| list().all(|key| map.contains_key(key.as_str().unwrap_or(""))))
            }
            "properties" => {
                for (key, schema) in argument.as_object().into_iter().flatten() {
                    if let Some(part) = value.get(key) {
                        self.check(schema, part, &format!("{path}/{key}"), found);
                    }
                }
                true
            }
            "propertyNames" => {
                for key in value.as_object().into_iter().flat_map(|map| map.keys()) {
                    self.check(argument, &Value::String(key.clone()), &format!("{path} key"), found);
                }
                true
            }
            "additionalProperties" => {
                let known = |key: &String| schema["properties"].get(key).is_some();
                for (key, part) in value.as_object().into_iter().flatten().filter(|(key, _)| !known(key)) {
                    if *argument == false {
                        found.push(format!("{path}/{key} is not allowed"));
                    } else {
                        self.check(argument, part, &format!("{path}/{key}"), found);
                    }
                }
                true
            }
            "oneOf" => list().filter(|one| self.fits(one, value, path)).count() == 1,
            "anyOf" => list().any(|one| self.fits(one, value, path)),
            other => panic!("{path}: the keyword {other} is new"),
        }
    }
}

fn is(value: &Value, name: &Value) -> bool {
    match name.as_str().expect("a type has a name") {
        "null" => value.is_null(),
        "boolean" => value.is_boolean(),
        "integer" => value.is_i64() || value.is_u64(),
        "number" => value.is_number(),
        "string" => value.is_string(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        other => panic!("there is no type {other}"),
    }
}
