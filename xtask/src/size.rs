//! The budget of the first view: what a visitor downloads before the page works, its scenario among it. What comes later,
//! when it is wanted, is weighed too, but has no budget.

use crate::scenarios;
use anyhow::{Context, Result, ensure};
use brotli::enc::BrotliEncoderParams;
use std::fs;
use std::path::Path;

/// What the gate holds. It may only fall: `docs/ARCHITECTURE.md` ("Size") says where the bytes are and what to do about them.
const BUDGET_BYTES: u64 = 200_000;
/// What the first view shall weigh next.
const AIM_BYTES: u64 = 150_000;
const QUALITY: i32 = 11;
/// How the name of the style sheet begins that comes with the rest.
pub(crate) const LATER_STYLES: &str = "later-";

struct Row {
    name: String,
    raw: u64,
    packed: u64,
}

/// Prints a table of the files of the first view, and fails if together they are over the budget.
pub(crate) fn check(dist: &Path) -> Result<()> {
    let index = fs::read_to_string(dist.join("index.html")).context("the page is not built: cargo xtask build")?;
    let first = format!("{}.js", first_scenario(&index).context("the page does not say which scenario is the first")?);
    let mut rows = files(dist, |name| name == "index.html" || names(&index, name) && !name.starts_with(LATER_STYLES))?;
    let later = files(&dist.join(scenarios::FOLDER), |_| true)?;
    let (own, later): (Vec<_>, Vec<_>) = later.into_iter().partition(|row| row.name == first);
    ensure!(own.len() == 1, "there is no script of the first scenario, {first}");
    rows.extend(own);
    rows.sort_by(|a, b| b.packed.cmp(&a.packed).then_with(|| a.name.cmp(&b.name)));
    println!("    {:>9}  {:>9}  file", "raw", "brotli");
    for row in &rows {
        println!("    {:>9}  {:>9}  {}", row.raw, row.packed, row.name);
    }
    let (raw, packed) = together(&rows);
    println!("    {raw:>9}  {packed:>9}  together; the budget is {BUDGET_BYTES}, the aim {AIM_BYTES}");
    println!("    when it is wanted:");
    let rest = files(dist, |name| name.ends_with("_rest.wasm"))?;
    ensure!(rest.len() == 1, "there is no second part of the wasm");
    let styles = files(dist, |name| name.starts_with(LATER_STYLES))?;
    ensure!(styles.len() == 1, "there is no later style sheet");
    let (chooser, others): (Vec<_>, Vec<_>) = later.iter().partition(|row| row.name.contains(scenarios::INDEX));
    for (rows, what) in [
        (rest.iter().collect(), "the rest of the wasm, once the first view stands".to_owned()),
        (styles.iter().collect(), "the style sheet that comes with it".to_owned()),
        (chooser, "the chooser's index".to_owned()),
        (others.clone(), format!("{} other scenarios", others.len())),
    ] {
        let (raw, packed) = together(rows);
        println!("    {raw:>9}  {packed:>9}  {what}");
    }
    ensure!(packed <= BUDGET_BYTES, "the first view is {} bytes over its budget", packed - BUDGET_BYTES);
    Ok(())
}

fn together<'a>(rows: impl IntoIterator<Item = &'a Row>) -> (u64, u64) {
    rows.into_iter().fold((0, 0), |(raw, packed), row| (raw + row.raw, packed + row.packed))
}

/// The files of a folder that count, weighed.
fn files(folder: &Path, counts: impl Fn(&str) -> bool) -> Result<Vec<Row>> {
    let mut rows = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let Some(name) = path.file_name().and_then(|name| name.to_str()) else { continue };
        if path.is_file() && counts(name) {
            let raw = fs::read(&path)?;
            rows.push(Row { name: name.to_owned(), raw: raw.len() as u64, packed: packed_len(&raw)? });
        }
    }
    Ok(rows)
}

/// The scenario that a first visit opens, as `Trunk.toml` wrote it into the page.
fn first_scenario(index: &str) -> Option<&str> {
    let (_, after) = index.split_once("data-first=")?;
    after.trim_start_matches('"').split(['"', ' ', '>']).next()
}

/// Whether the page names the file in full: `x.wasm.js` is not named by `"./x.wasm"`.
fn names(index: &str, name: &str) -> bool {
    let starts = |before: &str| before.ends_with(['/', '"', '\'', '=']);
    let ends = |after: &str| after.starts_with(['"', '\'', '>', ' ', '?', '#']);
    index.match_indices(name).any(|(at, _)| starts(&index[..at]) && ends(&index[at + name.len()..]))
}

fn packed_len(raw: &[u8]) -> Result<u64> {
    let params = BrotliEncoderParams { quality: QUALITY, size_hint: raw.len(), ..BrotliEncoderParams::default() };
    let mut packed = Vec::new();
    brotli::BrotliCompress(&mut &raw[..], &mut packed, &params).context("brotli failed")?;
    Ok(packed.len() as u64)
}

#[cfg(test)]
mod tests {
    use super::{first_scenario, names};

    #[test]
    fn the_first_scenario_is_read_with_and_without_quotes() {
        assert_eq!(first_scenario(r#"<meta data-first="a-b" name=x>"#), Some("a-b"));
        assert_eq!(first_scenario("<meta data-first=a-b>"), Some("a-b"));
    }

    #[test]
    fn a_file_is_in_the_first_view_if_the_page_names_it() {
        let index = r#"<link href="./a.css"><meta data-wasm=./b.wasm><script src='c.js'>"#;
        assert!(names(index, "a.css") && names(index, "b.wasm") && names(index, "c.js"));
        assert!(!names(index, "b.wasm.js") && !names(index, ".css") && !names(index, "d.js"));
    }
}
