//! The documents say what is: examples run, and what they name exists.

use std::path::Path;
use std::sync::Arc;

use lockstep::history::History;
use lockstep::scenario::{Document, parse};
use lockstep::verdicts::Judged;
use lockstep::vocabulary::JudgeName;

const ARCHITECTURE: &str = include_str!("../docs/ARCHITECTURE.md");
const CONTRIBUTING: &str = include_str!("../CONTRIBUTING.md");
const README: &str = include_str!("../README.md");

/// The README shows a whole scenario and then one change to it.
#[test]
fn the_example_of_the_readme_does_what_is_said_of_it() {
    let example = README.split("```json\n").nth(1).and_then(|rest| rest.split("```").next()).expect("an example");
    let (scenario, warnings) = parse(example).expect("the example is valid");
    assert!(warnings.is_empty(), "{warnings:?}");
    let history = History::new(Arc::new(scenario));
    assert_eq!(Judged::new(&history).verify(&history.scenario().expect), []);

    let fenced = [("/resources/counter/guard", "fencing"), ("/services/lock/driver/token", "counter")];
    let fenced = fenced.map(|(path, word)| (path.to_owned(), serde_json::json!(word)));
    let changed = Document::read(example).expect("as before").scenario(None, &fenced).expect("valid changes").0;
    let history = History::new(Arc::new(changed));
    let judged = Judged::new(&history);
    let broken = judged.final_verdicts().iter().filter(|(_, verdict)| verdict.is_violated()).map(|(judge, _)| *judge);
    assert_eq!(broken.collect::<Vec<_>>(), [JudgeName::MutualExclusion], "the fence saves the data, not the lock");
}

/// "`tests/x.rs`, `name`" promises a test of that name in that file.
#[test]
fn every_test_that_is_named_exists() {
    let text = one_line(ARCHITECTURE);
    let named: Vec<_> = text
        .split('`')
        .collect::<Vec<_>>()
        .windows(3)
        .filter(|parts| is_file(parts[0], "rs") && parts[1] == ", ")
        .map(|parts| (parts[0].to_owned(), parts[2].to_owned()))
        .collect();
    assert!(named.len() > 10, "{named:?}");
    for (file, test) in named {
        let code = std::fs::read_to_string(&file).unwrap_or_else(|error| panic!("{file}: {error}"));
        assert!(code.contains(&format!("fn {test}(")), "{file} has no {test}");
    }
}

#[test]
fn every_path_that_is_named_exists() {
    for (document, text) in [("ARCHITECTURE", ARCHITECTURE), ("CONTRIBUTING", CONTRIBUTING), ("README", README)] {
        let quoted = one_line(text);
        let paths = quoted.split('`').skip(1).step_by(2).filter(|quoted| {
            ["src/", "tests/", "static/", "docs/"].iter().any(|root| quoted.starts_with(root)) && !quoted.contains('<')
        });
        for path in paths {
            assert!(Path::new(path).exists(), "{document} names {path}");
        }
        for link in text.split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
            let picture = is_file(link, "png");
            assert!(picture || link.starts_with("http") || Path::new(link).exists(), "{document} links to {link}");
        }
    }
}

fn is_file(name: &str, extension: &str) -> bool {
    Path::new(name).extension().is_some_and(|found| found == extension)
}

/// Names can stand at the end of one line and the beginning of the next.
fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
