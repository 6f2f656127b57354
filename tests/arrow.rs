//! The arrow of `docs/ARCHITECTURE.md`, checked: no module imports from its right, only the page names web crates, and
//! the model names nothing that could make two runs differ.

use std::fmt::Write as _;
use std::path::Path;
use std::{fs, io};

/// Top-level modules and how far right they stand. Modules of one rank do not know each other.
const ARROW: [(&str, u8); 9] = [
    ("vocabulary", 0),
    ("scenario", 1),
    ("world", 2),
    ("history", 3),
    ("verdicts", 4),
    ("search", 5),
    ("views", 5),
    ("web", 6),
    ("cli", 6),
];

/// Only the page speaks to a browser.
const WEB_CRATES: [&str; 5] = ["yew", "gloo", "web_sys", "js_sys", "wasm_bindgen"];

/// Modules whose every value is a function of (scenario, seed, faults).
const MODEL: [&str; 6] = ["vocabulary", "scenario", "world", "history", "verdicts", "search"];

/// What makes two runs differ: unordered collections, ambient time and randomness, rounding.
const NOT_IN_THE_MODEL: [&str; 9] =
    ["HashMap", "HashSet", "RandomState", "DefaultHasher", "Instant", "SystemTime", "thread_rng", "f32", "f64"];

#[test]
fn imports_go_with_the_arrow() {
    let mut wrong = String::new();
    let files = sources(Path::new("src")).expect("the sources can be read");
    assert!(files.iter().any(|(path, _)| path == "src/vocabulary.rs"), "the sources were found");
    for (path, text) in files {
        for fault in faults(&path, &text) {
            writeln!(wrong, "{fault}").expect("a string takes what is written");
        }
    }
    assert!(wrong.is_empty(), "\n{wrong}");
}

fn sources(dir: &Path) -> io::Result<Vec<(String, String)>> {
    let mut found = Vec::new();
    for entry in fs::read_dir(dir)? {
        let path = entry?.path();
        if path.is_dir() {
            found.extend(sources(&path)?);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push((path.display().to_string().replace('\\', "/"), fs::read_to_string(&path)?));
        }
    }
    found.sort();
    Ok(found)
}

/// Everything that is wrong with one file, each with its line.
fn faults(path: &str, text: &str) -> Vec<String> {
    let Some(place) = Place::of(path) else { return vec![format!("{path}: no such module on the arrow")] };
    let tokens = tokens(text);
    let mut faults = Vec::new();
    for (ix, token) in tokens.iter().enumerate() {
        for (line, name) in reached(&place, &tokens, ix) {
            faults.extend(place.import(name).map(|why| format!("{path}:{line}: {why}")));
        }
        faults.extend(place.word(token.text).map(|why| format!("{path}:{}: {why}", token.line)));
    }
    faults
}

/// Where a file stands.
struct Place<'a> {
    module: &'a str,
    rank: u8,
    /// How many `super` lead from the file's module to the root of its crate.
    depth: usize,
}

impl<'a> Place<'a> {
    fn of(path: &'a str) -> Option<Self> {
        let inside = path.strip_prefix("src/")?.strip_suffix(".rs")?;
        let module = match inside {
            // The root only lists the modules; it may name them all.
            "lib" => return Some(Self { module: "lib", rank: u8::MAX, depth: 0 }),
            "main" => "cli",
            "bin/page" => "web",
            _ => inside.split('/').next()?,
        };
        let depth = if matches!(inside, "main" | "bin/page") { 0 } else { inside.split('/').count() };
        rank(module).map(|rank| Self { module, rank, depth })
    }

    fn import(&self, other: &str) -> Option<String> {
        let Some(rank) = rank(other) else { return Some(format!("{other} is no module on the arrow")) };
        let allowed = rank < self.rank || other == self.module;
        (!allowed).then(|| format!("{} may not import {other}: the arrow goes the other way", self.module))
    }

    fn word(&self, word: &str) -> Option<String> {
        let web = WEB_CRATES.contains(&word) && !matches!(self.module, "web" | "lib");
        let ambient = NOT_IN_THE_MODEL.contains(&word) && MODEL.contains(&self.module);
        (web || ambient).then(|| format!("{} may not name {word}", self.module))
    }
}

fn rank(module: &str) -> Option<u8> {
    ARROW.iter().find(|(name, _)| *name == module).map(|(_, rank)| *rank)
}

/// The top-level modules that a path starting at token `ix` reaches, each with its line: from `crate::…`,
/// `lockstep::…`, or enough `super::` to come to the root. Braces after the root list several.
fn reached<'t>(place: &Place<'_>, tokens: &[Token<'t>], ix: usize) -> Vec<(u32, &'t str)> {
    let text = |ix: usize| tokens.get(ix).map_or("", |token| token.text);
    let starts_here = ix == 0 || text(ix - 1) != "::";
    let mut at = ix;
    if matches!(text(ix), "crate" | "lockstep") && text(ix + 1) == "::" && starts_here {
        at += 2;
    } else if text(ix) == "super" && starts_here {
        let mut climbed = 0;
        while text(at) == "super" && text(at + 1) == "::" {
            climbed += 1;
            at += 2;
        }
        // Inline modules make a file deeper than its path says, so a name is a module of the root only if it is listed.
        let at_root = climbed >= place.depth && rank(text(at)).is_some();
        if climbed == 0 || !at_root {
            return Vec::new();
        }
    } else {
        return Vec::new();
    }
    if text(at) != "{" {
        return vec![(tokens.get(at).map_or(0, |token| token.line), text(at))];
    }
    listed(tokens, at)
}

/// The first name of each path in the braces that open at token `open`.
fn listed<'t>(tokens: &[Token<'t>], open: usize) -> Vec<(u32, &'t str)> {
    let mut names = Vec::new();
    let mut depth = 0;
    let mut first = false;
    for token in &tokens[open..] {
        match token.text {
            "{" => {
                depth += 1;
                first = depth == 1;
            }
            "}" => depth -= 1,
            "," => first = depth == 1,
            name if first => {
                names.push((token.line, name));
                first = false;
            }
            _ => {}
        }
        if depth == 0 {
            break;
        }
    }
    names
}

struct Token<'t> {
    line: u32,
    text: &'t str,
}

/// Names, `::` and single characters, without comments, strings and characters.
fn tokens(source: &str) -> Vec<Token<'_>> {
    let mut tokens = Vec::new();
    let (mut rest, mut line) = (source, 1);
    while let Some(first) = rest.chars().next() {
        let (taken, kept) = one_token(rest, first);
        if kept {
            tokens.push(Token { line, text: &rest[..taken] });
        }
        line += rest[..taken].matches('\n').count() as u32;
        rest = &rest[taken..];
    }
    tokens
}

/// How long the token at the start of `rest` is, and whether it matters.
fn one_token(rest: &str, first: char) -> (usize, bool) {
    let end_of = |mark: &str| rest.find(mark).map_or(rest.len(), |at| at + mark.len());
    let is_word = |letter: char| letter.is_alphanumeric() || letter == '_';
    if rest.starts_with("//") {
        (end_of("\n"), false)
    } else if rest.starts_with("/*") {
        (end_of("*/"), false)
    } else if let Some(hashes) = raw_string(rest) {
        let close = format!("\"{}", "#".repeat(hashes));
        let open = hashes + 2;
        (rest[open..].find(&close).map_or(rest.len(), |at| open + at + close.len()), false)
    } else if first == '"' {
        (quoted(rest, '"'), false)
    } else if first == '\'' {
        // A lifetime has no closing quote right after its first letter.
        let is_char = rest[1..].starts_with('\\') || rest.chars().nth(2) == Some('\'');
        if is_char { (quoted(rest, '\''), false) } else { (1, false) }
    } else if is_word(first) {
        (rest.find(|letter| !is_word(letter)).unwrap_or(rest.len()), true)
    } else if rest.starts_with("::") {
        (2, true)
    } else {
        (first.len_utf8(), !first.is_whitespace())
    }
}

/// The number of `#` of a raw string that starts here.
fn raw_string(rest: &str) -> Option<usize> {
    let after = rest.strip_prefix('r')?;
    let hashes = after.bytes().take_while(|byte| *byte == b'#').count();
    after[hashes..].starts_with('"').then_some(hashes)
}

/// The length of a literal with its quotes; a backslash guards what follows it.
fn quoted(rest: &str, quote: char) -> usize {
    let mut guarded = false;
    for (at, letter) in rest.char_indices().skip(1) {
        match letter {
            _ if guarded => guarded = false,
            '\\' => guarded = true,
            _ if letter == quote => return at + letter.len_utf8(),
            _ => {}
        }
    }
    rest.len()
}

/// The check itself, on files that are wrong and on files that only look wrong.
mod the_check {
    use super::faults;

    #[test]
    fn sees_an_import_against_the_arrow() {
        let wrong = [
            ("src/world.rs", "use crate::history::History;"),
            ("src/world/redis.rs", "use crate::{scenario::Setup, verdicts::{Judge, Verdict}};"),
            ("src/world/client/lines.rs", "fn f() { super::super::super::views::draw() }"),
            ("src/views/timeline.rs", "use crate::search;"),
            ("src/scenario.rs", "mod tests { use crate::world::World; }"),
            ("src/views.rs", "use crate::unheard_of::Thing;"),
            ("src/unheard_of.rs", ""),
        ];
        for (path, text) in wrong {
            assert_eq!(faults(path, text).len(), 1, "{path}: {text}");
        }
    }

    #[test]
    fn sees_web_crates_outside_the_page() {
        assert_eq!(faults("src/views/narration.rs", "use yew::Html;").len(), 1);
        assert_eq!(faults("src/main.rs", "fn main() { web_sys::window(); }").len(), 1);
        assert!(faults("src/web/app.rs", "use yew::Html; use web_sys::Window;").is_empty());
        assert!(faults("src/bin/page.rs", "use yew::Renderer;").is_empty());
    }

    #[test]
    fn sees_what_makes_two_runs_differ() {
        assert_eq!(faults("src/world/queue.rs", "use std::{\n collections::HashMap,\n time::Instant };").len(), 2);
        assert_eq!(faults("src/history.rs", "const HALF: f64 = 0.5;").len(), 1);
        assert!(faults("src/views/json.rs", "use std::collections::HashMap;").is_empty());
    }

    #[test]
    fn says_where() {
        let found = faults("src/world.rs", "//! Doc.\n\nuse crate::{\n    vocabulary::Time,\n    views::json,\n};\n");
        assert_eq!(found, ["src/world.rs:5: world may not import views: the arrow goes the other way"]);
    }

    #[test]
    fn is_silent_about_comments_strings_and_its_own_side() {
        let right = r#"
            //! See [`History`](crate::history::History); /* not a comment
            use crate::vocabulary::{Time, Span};
            use super::world::Thing;
            pub(crate) fn f<'a>(x: &'a str) -> char { let _ = "crate::views \" crate::web"; '"' }
            /* crate::web */
        "#;
        assert_eq!(faults("src/world/message.rs", right), Vec::<String>::new());
        let raw = "const RAW: &str = r#\"use crate::views; \" use crate::web;\"#;";
        assert_eq!(faults("src/world/message.rs", raw), Vec::<String>::new());
        assert_eq!(faults("src/lib.rs", "pub mod web;"), Vec::<String>::new());
    }
}
