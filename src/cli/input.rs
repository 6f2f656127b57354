//! What commands read: built-in scenarios by name, files, and standard input.

use std::fs::File;
use std::io::{self, Read, Write as _};
use std::path::Path;

use lockstep::scenario::{self, BYTES_MAX, Document, LoadError, ParseError, Scenario};

use super::Failure;

/// A built-in scenario, a file, or a variant of either.
pub(super) fn scenario(what: &str) -> Result<Scenario, Failure> {
    if let Some((file, variant)) = what.rsplit_once(':')
        && !looks_like_file(what)
        && looks_like_file(file)
    {
        return file_variant(file, variant);
    }
    if looks_like_file(what) {
        return self::file(what);
    }
    scenario::load(what).map_err(|error| Failure::Input(named(what, &error)))
}

/// A file that is valid with all its variants. What is odd about it is said on standard error.
pub(super) fn file(name: &str) -> Result<Scenario, Failure> {
    let bytes = read(name)?;
    let (scenario, warnings) = scenario::parse_bytes(&bytes).map_err(|error| Failure::Input(named(name, &error)))?;
    for warning in warnings {
        let _ = writeln!(io::stderr(), "warning: {name}: {warning}");
    }
    Ok(scenario)
}

fn file_variant(name: &str, variant: &str) -> Result<Scenario, Failure> {
    let wrong = |error: LoadError| Failure::Input(named(name, &error));
    let bytes = read(name)?;
    let text = std::str::from_utf8(&bytes)
        .map_err(|error| wrong(LoadError::Parse(ParseError::NotText { at: error.valid_up_to() })))?;
    let document = Document::read(text).map_err(|error| wrong(error.into()))?;
    document.scenario(Some(variant), &[]).map(|(scenario, _)| scenario).map_err(wrong)
}

/// Ids are words with hyphens: what has a path or an extension, or is there, is a file.
fn looks_like_file(what: &str) -> bool {
    what == "-" || what.contains(['/', '\\', '.']) && !what.contains(':') || Path::new(what).is_file()
}

/// At most one byte more than is allowed: a file of any size is refused at once.
fn read(name: &str) -> Result<Vec<u8>, Failure> {
    let unreadable = |error: io::Error| Failure::Input(format!("{name}: cannot be read: {error}"));
    let mut bytes = Vec::new();
    let limit = BYTES_MAX as u64 + 1;
    if name == "-" {
        io::stdin().lock().take(limit).read_to_end(&mut bytes).map_err(unreadable)?;
    } else {
        let file = File::open(name).map_err(unreadable)?;
        let length = file.metadata().map_err(unreadable)?.len();
        if length >= limit {
            return Err(Failure::Input(named(name, &ParseError::TooLarge { bytes: length as usize })));
        }
        file.take(limit).read_to_end(&mut bytes).map_err(unreadable)?;
    }
    if bytes.len() as u64 == limit {
        return Err(Failure::Input(format!("{name}: longer than {BYTES_MAX} bytes, which is all that is read")));
    }
    Ok(bytes)
}

/// Every line of an error behind the name of what it is about.
fn named(name: &str, error: &impl ToString) -> String {
    let lines: Vec<_> = error.to_string().lines().map(|line| format!("{name}: {line}")).collect();
    lines.join("\n")
}
