//! The scenarios as the page loads them: a classic script for each, and one with the chooser's index.
//!
//! A script holds its file as one string, `lockstep.file("<name>", "<JSON>")`; scripts run where a page may not fetch.
//! All of it is made from `static/scenarios`, so nothing can drift from the files. The page asks for a script with the
//! version behind a `?`, a hash over all of them: what a browser keeps of another release is not taken for this one's.

use anyhow::{Context, Result, ensure};
use serde_json::{Map, Value};
use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// The folder of the scripts, in the built page.
pub(crate) const FOLDER: &str = "scenarios";
/// The index, among the scripts. The id of a scenario holds no dot.
pub(crate) const INDEX: &str = "chooser.index";
/// What the chooser shows of a scenario; `src/scenario/index.rs` reads it.
const EXCERPT: [&str; 5] = ["title", "summary", "source", "family", "expect"];

/// Writes the scripts into the built page, and returns their version.
pub(crate) fn write(dist: &Path) -> Result<String> {
    let folder = dist.join(FOLDER);
    fs::create_dir_all(&folder)?;
    let mut index = Map::new();
    let mut version = DefaultHasher::new();
    for path in sources()? {
        let file = read(&path)?;
        let id = path.file_stem().and_then(|stem| stem.to_str()).context("the name of a scenario is not text")?;
        ensure!(file.get("id").is_some_and(|own| own == id), "{}: its id is not its name", path.display());
        index.insert(id.to_owned(), excerpt(&file));
        put(&folder, id, &file)?.hash(&mut version);
    }
    put(&folder, INDEX, &Value::Object(index))?.hash(&mut version);
    Ok(format!("{:016x}", version.finish()))
}

/// When the files were last changed; a file that is new or gone changes the folder.
pub(crate) fn changed() -> Result<Option<SystemTime>> {
    let folder = fs::metadata(source_folder())?.modified()?;
    let files = sources()?.into_iter().filter_map(|path| fs::metadata(path).ok()?.modified().ok());
    Ok(files.chain([folder]).max())
}

fn source_folder() -> PathBuf {
    PathBuf::from("static").join(FOLDER)
}

fn sources() -> Result<Vec<PathBuf>> {
    let entries = fs::read_dir(source_folder()).context("no folder with scenarios")?;
    let mut paths = entries.map(|entry| Ok(entry?.path())).collect::<Result<Vec<_>>>()?;
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "json"));
    paths.sort();
    Ok(paths)
}

fn read(path: &Path) -> Result<Value> {
    let text = fs::read_to_string(path)?;
    serde_json::from_str(&text).with_context(|| format!("{} is no JSON", path.display()))
}

/// Writes a script, and returns its text.
fn put(folder: &Path, name: &str, value: &Value) -> Result<String> {
    let text = script(name, value);
    fs::write(folder.join(format!("{name}.js")), &text)
        .with_context(|| format!("cannot write the script of {name}"))?;
    Ok(text)
}

/// In quotes that JSON does not use, so that little is escaped. Minified JSON has no line breaks but escaped ones.
fn script(name: &str, value: &Value) -> String {
    let text = value.to_string().replace('\\', r"\\").replace('\'', r"\'");
    format!("lockstep.file('{name}','{text}');\n")
}

fn excerpt(file: &Value) -> Value {
    let mut excerpt = Map::new();
    for key in EXCERPT {
        if let Some(value) = file.get(key) {
            excerpt.insert(key.to_owned(), value.clone());
        }
    }
    let variants = file.get("variants").and_then(Value::as_object).into_iter().flatten();
    let titles = variants.map(|(id, variant)| (id.clone(), serde_json::json!({ "title": variant["title"] })));
    excerpt.insert("variants".to_owned(), titles.collect::<Map<_, _>>().into());
    excerpt.into()
}

#[cfg(test)]
mod tests {
    use super::{excerpt, script};
    use serde_json::json;

    #[test]
    fn a_script_is_a_string_in_javascript() {
        let script = script("a", &json!({ "en": "it's \"so\"\n\\" }));
        assert_eq!(script, r#"lockstep.file('a','{"en":"it\'s \\"so\\"\\n\\\\"}');"#.to_owned() + "\n");
    }

    #[test]
    fn an_excerpt_leaves_out_what_the_chooser_does_not_show() {
        let file = json!({ "id": "a", "title": 1, "clients": [], "variants": { "b": { "title": 2, "set": {} } } });
        assert_eq!(excerpt(&file), json!({ "title": 1, "variants": { "b": { "title": 2 } } }));
    }
}
