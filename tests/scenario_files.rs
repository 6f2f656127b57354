//! The built-in scenarios and the published schema, looked at as files.
#![cfg(not(target_arch = "wasm32"))]

use std::fs;
use std::sync::Arc;

use expect_test::expect_file;
use lockstep::history::History;
use lockstep::scenario::{
    ControlRange, Document, Entry, Scenario, builtin, builtin_text, load, read_index, schema, with_changes,
};
use lockstep::vocabulary::FaultIx;
use lockstep::world::count_matches;
use serde_json::Value;

#[path = "scenario_files/schema.rs"]
mod validator;

fn text(id: &str) -> &'static str {
    builtin_text(id).unwrap_or_else(|| panic!("{id} is built in"))
}

fn json(id: &str) -> Value {
    serde_json::from_str(text(id)).unwrap_or_else(|err| panic!("{id}: {err}"))
}

/// Every scenario and variant by the name under which it is run.
fn names() -> Vec<String> {
    let mut names = Vec::new();
    for id in builtin() {
        let scenario = load(id).unwrap_or_else(|err| panic!("{id}: {err}"));
        names.push((*id).to_owned());
        names.extend(scenario.variants.iter().map(|variant| format!("{id}:{}", variant.id)));
    }
    names
}

#[test]
fn every_file_is_listed_under_its_own_id() {
    let mut files: Vec<String> = fs::read_dir("static/scenarios")
        .expect("the folder is there")
        .map(|entry| entry.expect("it can be read").file_name().to_string_lossy().replace(".json", ""))
        .collect();
    files.sort();
    let mut listed: Vec<_> = builtin().to_vec();
    listed.sort_unstable();
    assert_eq!(files, listed);
    for id in builtin() {
        assert_eq!(json(id)["id"], **id);
    }
}

/// A file with more keys than the chooser shows is an excerpt too; only what is long is left out here.
#[test]
fn the_index_says_what_the_scenarios_say() {
    let excerpt = |id: &&str| {
        let mut file = json(id);
        file.as_object_mut().expect("a file is an object").retain(|key, _| !matches!(key.as_str(), "story" | "faults"));
        for variant in file["variants"].as_object_mut().into_iter().flat_map(|all| all.values_mut()) {
            variant.as_object_mut().expect("a variant is an object").remove("story");
        }
        format!("{id:?}: {file}")
    };
    let files: Vec<_> = builtin().iter().rev().map(excerpt).collect();
    let index = read_index(&format!("{{{}}}", files.join(","))).expect("it is an index");
    assert_eq!(index.len(), builtin().len());
    for (entry, id) in index.into_iter().zip(builtin()) {
        let scenario = load(id).unwrap_or_else(|err| panic!("{id}: {err}"));
        let violated = scenario.expect.violated.iter().map(|expected| expected.judge).collect();
        let Scenario { title, summary, source, family, variants, .. } = scenario;
        let id = (*id).to_owned();
        assert_eq!(entry, Entry { id, title, summary, source, family, violated, variants });
    }
}

#[test]
fn every_file_is_valid_without_warnings() {
    for id in builtin() {
        let checked = Document::read(text(id)).and_then(|document| document.check());
        let (_, warnings) = checked.unwrap_or_else(|err| panic!("{id}:\n{err}"));
        assert_eq!(warnings, [], "{id}");
    }
}

/// A paragraph without `nth` must have only one step to explain; with it, at least so many.
#[test]
fn every_paragraph_explains_one_step_and_they_are_in_order() {
    for name in names() {
        let scenario = Arc::new(load(&name).unwrap_or_else(|err| panic!("{name}: {err}")));
        let history = History::new(Arc::clone(&scenario));
        let steps = history.story_steps();
        let mut last = None;
        for (paragraph, step) in scenario.story.iter().zip(steps) {
            let (Some(on), title) = (paragraph.on, &paragraph.title.en) else {
                assert_eq!(Some(paragraph), scenario.story.last(), "{name}: only the last paragraph has no step");
                continue;
            };
            let step = step.unwrap_or_else(|| panic!("{name}: {title:?} never fires"));
            assert!(last < Some(step), "{name}: {title:?} comes out of order");
            last = Some(step);
            let count: u32 = history.steps().map(|step| count_matches(on, &step.record)).sum();
            assert!(
                paragraph.nth > 1 || count == 1 || says_first(&name, title),
                "{name}: {title:?} fires {count} times"
            );
        }
    }
}

/// Whether a paragraph says `"nth": 1` in so many words.
fn says_first(name: &str, title: &str) -> bool {
    let id = name.split(':').next().unwrap_or_default();
    let file = json(id);
    let own = file["story"].as_array().into_iter().flatten();
    let variants = file["variants"].as_object().into_iter().flatten();
    let others = variants.flat_map(|(_, variant)| variant["story"].as_array().into_iter().flatten());
    own.chain(others).any(|paragraph| paragraph["title"]["en"] == *title && paragraph["nth"] == 1)
}

#[test]
fn every_fault_fires() {
    for name in names() {
        let history = History::new(Arc::new(load(&name).unwrap_or_else(|err| panic!("{name}: {err}"))));
        for ix in 0..history.faults().len() {
            let state = history.world_at(history.len()).fault_state(FaultIx(ix as u16));
            assert!(state.fired.is_some(), "{name}: fault {ix} did not fire");
        }
    }
}

#[test]
fn every_position_of_every_control_is_valid() {
    for name in names() {
        let scenario = load(&name).unwrap_or_else(|err| panic!("{name}: {err}"));
        assert!((1..=3).contains(&scenario.controls.len()) || scenario.variant.is_some(), "{name}");
        for control in scenario.controls {
            let values: Vec<Value> = match &control.range {
                ControlRange::Slider { min, max, step } => vec![(*min).into(), (min + step).into(), (*max).into()],
                ControlRange::Switch(choices) => {
                    assert!(choices.iter().any(|one| one.value == control.value), "{name}: {}", control.path);
                    choices.iter().map(|one| one.value.clone()).collect()
                }
            };
            for value in values {
                let changes = control.changes(&value);
                let after = with_changes(&name, &changes).unwrap_or_else(|err| panic!("{name}: {err}"));
                assert!(after.changed);
                assert!(after.controls.iter().any(|one| one.path == control.path && one.value == changes[0].1));
            }
        }
    }
}

#[test]
fn titles_are_short() {
    for name in names() {
        let scenario = load(&name).unwrap_or_else(|err| panic!("{name}: {err}"));
        let titles = scenario.story.iter().map(|paragraph| &paragraph.title).chain([&scenario.title]);
        for title in titles.chain(scenario.variants.iter().map(|variant| &variant.title)) {
            assert!(title.en.chars().count() <= 36, "{name}: {:?}", title.en);
            assert!(title.ko.chars().count() <= 24, "{name}: {:?}", title.ko);
        }
        for paragraph in &scenario.story {
            let sentences = paragraph.text.en.matches(['.', '?', '!']).count();
            assert!(sentences <= 4, "{name}: {:?} has {sentences} sentences", paragraph.title.en);
        }
    }
}

/// Update with `UPDATE_EXPECT=1 cargo test --test scenario_files`.
#[test]
fn the_published_schema_is_up_to_date() {
    let text = serde_json::to_string_pretty(&schema()).expect("a schema is JSON");
    expect_file!["../static/scenario.schema.json"].assert_eq(&format!("{text}\n"));
}

#[test]
fn every_file_fits_the_published_schema() {
    let schema = schema();
    for id in builtin() {
        assert_eq!(validator::problems(&schema, &json(id)), Vec::<String>::new(), "{id}");
    }
}

#[test]
fn the_schema_refuses_what_the_checks_refuse() {
    let schema = schema();
    for (pointer, value) in [
        ("/services/lock/driver/ttl_ms", serde_json::json!("ten")),
        ("/services/lock/driver/ttl_ms", serde_json::json!(-1)),
        ("/resources/counter/guard", serde_json::json!("fence")),
        ("/clients/0/id", serde_json::json!("Client 1")),
        ("/expect/mutual_exclusion", serde_json::json!("holds")),
        ("/expect", serde_json::json!({ "cost": { "mesages": { "min": 1 } } })),
        ("/expect", serde_json::json!({ "seeds": 1 })),
        ("/faults/0/when", serde_json::json!({ "sent": {} })),
    ] {
        let mut file = json("gc-pause-write");
        *file.pointer_mut(pointer).expect("it is there") = value;
        assert_ne!(validator::problems(&schema, &file), Vec::<String>::new(), "{pointer}");
    }
}
