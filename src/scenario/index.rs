//! The index of scenarios: what the chooser shows of each, without the rest of its file.
//!
//! It is an object of excerpts by id. Building the page makes it from the scenario files (`xtask/src/scenarios.rs`) by
//! leaving out keys, so a whole file is an excerpt too.

use super::document;
use super::error::ParseError;
use super::file::{ExpectTable, Named, Word};
use super::read::{object, read};
use super::{Family, Source, VariantTitle};
use crate::vocabulary::{JudgeName, Text};

object! {
    /// An excerpt of a scenario file.
    struct Excerpt {
        /// As in the file.
        title: Text,
        /// As in the file.
        summary: Text,
        /// As in the file.
        source: Option<Word<Source>> = None,
        /// As in the file.
        family: Option<Word<Family>> = None,
        /// As in the file.
        expect: ExpectTable = ExpectTable::default(),
        /// As in the file.
        variants: Named<VariantExcerpt> = Named::default(),
    }

    /// An excerpt of a variant.
    struct VariantExcerpt {
        /// As in the file.
        title: Text,
    }
}

/// A scenario as the chooser lists it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Entry {
    /// Its id.
    pub id: String,
    /// What people read.
    pub title: Text,
    /// One or two sentences about what to look for.
    pub summary: Text,
    /// Who makes the claim that it shows.
    pub source: Option<Source>,
    /// Its group.
    pub family: Family,
    /// The promises that break in it.
    pub violated: Vec<JudgeName>,
    /// The names and titles of its variants.
    pub variants: Vec<VariantTitle>,
}

/// Reads the index. Its entries are in the order of the list of built-in scenarios; others are left out.
///
/// # Errors
/// If the text is no index, with the places and reasons.
pub fn read_index(text: &str) -> Result<Vec<Entry>, ParseError> {
    let mut excerpts: Named<Excerpt> =
        read("", &document::read(text)?, &mut Vec::new()).map_err(ParseError::Invalid)?;
    let place = |id: &str| super::builtin().iter().position(|one| *one == id);
    excerpts.0.retain(|(id, _)| place(id).is_some());
    excerpts.0.sort_by_key(|(id, _)| place(id));
    Ok(excerpts.0.into_iter().map(entry).collect())
}

fn entry((id, excerpt): (String, Excerpt)) -> Entry {
    let Excerpt { title, summary, source, family, expect, variants } = excerpt;
    let variant = |(id, variant): (String, VariantExcerpt)| VariantTitle { id, title: variant.title };
    Entry {
        id,
        title,
        summary,
        source: source.map(|word| word.0),
        family: family.map(|word| word.0).unwrap_or_default(),
        violated: expect.judges.into_iter().map(|(judge, _)| judge).collect(),
        variants: variants.0.into_iter().map(variant).collect(),
    }
}
