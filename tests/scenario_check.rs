//! What an author hears about a file that is wrong: one case a test, each with its exact words, none slow.
#![cfg(not(target_arch = "wasm32"))]
#![expect(clippy::needless_raw_string_hashes, reason = "expect-test writes them so")]

#[path = "scenario_check/meaning.rs"]
mod meaning;
#[path = "scenario_check/random.rs"]
mod random;

use std::time::{Duration, Instant};

use expect_test::{Expect, expect};
use lockstep::scenario::{Document, builtin_text, load, parse_bytes, with_changes};
use serde_json::{Value, json};

/// The smallest scenario there is.
const SMALL: &str = r#"{
  "format": 1,
  "id": "small",
  "title": { "en": "Small", "ko": "작은 것" },
  "summary": { "en": "As little as possible.", "ko": "되도록 적게." },
  "clients": [{ "id": "client-1" }]
}"#;

/// What is said about a file: its errors, or its warnings.
fn said(bytes: &[u8]) -> String {
    let start = Instant::now();
    let said = match parse_bytes(bytes) {
        Ok((_, warnings)) if warnings.is_empty() => "valid".to_owned(),
        Ok((_, warnings)) => {
            warnings.iter().map(|warning| format!("warning: {warning}")).collect::<Vec<_>>().join("\n")
        }
        Err(err) => err.to_string(),
    };
    assert!(start.elapsed() < Duration::from_secs(1), "it took {:?}", start.elapsed());
    said
}

fn check(text: &str, expected: &Expect) {
    expected.assert_eq(&said(text.as_bytes()));
}

/// The small scenario with values put at pointers.
fn check_with(changes: &[(&str, Value)], expected: &Expect) {
    let text = altered(SMALL, changes);
    check(&text, expected);
}

fn altered(text: &str, changes: &[(&str, Value)]) -> String {
    let mut file: Value = serde_json::from_str(text).expect("it is JSON");
    for (pointer, value) in changes {
        let (parent, key) = pointer.rsplit_once('/').expect("it is a pointer");
        match file.pointer_mut(parent).expect("the parent is there") {
            Value::Array(list) => list.insert(key.parse().expect("an index"), value.clone()),
            parent => parent[key] = value.clone(),
        }
    }
    file.to_string()
}

fn ttl(value: &Value) -> [(&'static str, Value); 1] {
    [("/services", json!({ "lock": { "driver": { "ttl_ms": value } } }))]
}

#[test]
fn the_smallest_scenario() {
    check(SMALL, &expect!["valid"]);
}

#[test]
fn an_empty_file() {
    check("", &expect!["the file is empty"]);
    check(" \n\t", &expect!["the file is empty"]);
}

#[test]
fn broken_json() {
    check(&SMALL.replace("\"small\",", "\"small\""), &expect!["line 4, column 3: expected `,` or `}`"]);
    check(&SMALL[..60], &expect!["line 4, column 26: EOF while parsing an object"]);
    check("{} x", &expect!["line 1, column 4: trailing characters"]);
    check(&"[".repeat(100_000), &expect!["line 1, column 128: recursion limit exceeded"]);
}

#[test]
fn a_ttl_of_words() {
    check_with(
        &ttl(&json!("ten")),
        &expect![[r#"/services/lock/driver/ttl_ms: "ten" does not fit; expected a whole number from 1 to 86400000"#]],
    );
}

#[test]
fn a_ttl_below_zero() {
    check_with(
        &ttl(&json!(-1)),
        &expect!["/services/lock/driver/ttl_ms: -1 does not fit; expected a whole number from 1 to 86400000"],
    );
}

#[test]
fn a_ttl_of_zero() {
    check_with(
        &ttl(&json!(0)),
        &expect!["/services/lock/driver/ttl_ms: 0 does not fit; expected a whole number from 1 to 86400000"],
    );
}

#[test]
fn a_ttl_beyond_everything() {
    check_with(
        &ttl(&json!(1e300)),
        &expect!["/services/lock/driver/ttl_ms: 1e+300 does not fit; expected a whole number from 1 to 86400000"],
    );
    check(&SMALL.replace("\"format\": 1", "\"format\": 1e999"), &expect!["line 2, column 17: number out of range"]);
}

#[test]
fn two_nodes_with_one_id() {
    check_with(
        &[("/clients/1", json!({ "id": "client-1" }))],
        &expect![[r#"/clients/1/id: the process "client-1" stands twice: first at /clients/0/id"#]],
    );
    check_with(
        &[("/services", json!({ "lock": { "nodes": ["client-1"] } }))],
        &expect![[r#"/services/lock/nodes/0: the process "client-1" stands twice: first at /clients/0/id"#]],
    );
    check_with(
        &[("/resources", json!({ "counter": { "node": "redis-a" } }))],
        &expect![[r#"/resources/counter/node: the process "redis-a" stands twice: first at /services/lock/nodes/0"#]],
    );
}

#[test]
fn a_fault_on_a_missing_node() {
    let fault = json!({ "at_ms": 500, "pause": { "node": "client-2", "for_ms": 100 } });
    check_with(
        &[("/faults", json!([fault]))],
        &expect![[r#"/faults/0/pause/node: there is no process "client-2"; there is: client-1, redis-a, storage"#]],
    );
}

#[test]
fn an_unknown_key_is_a_warning() {
    check_with(
        &[("/colour", json!("red")), ("/services", json!({ "lock": { "driver": { "tll_ms": 5 } } }))],
        &expect![[r#"
            warning: /colour: this key is not known; it is ignored
            warning: /services/lock/driver/tll_ms: this key is not known; it is ignored"#]],
    );
}

#[test]
fn fifty_megabytes() {
    let mut bytes = SMALL.as_bytes().to_vec();
    bytes.resize(50_000_000, b' ');
    expect!["the file has 50000000 bytes; at most 262144 are read"].assert_eq(&said(&bytes));
    let text = format!("{{\"a\":\"{}\"}}", "x".repeat(50_000_000));
    expect!["the file has 50000008 bytes; at most 262144 are read"].assert_eq(&said(text.as_bytes()));
}

#[test]
fn bytes_that_are_no_text() {
    expect!["the file is not UTF-8 text (byte 8 is the first that does not fit)"]
        .assert_eq(&said(b"{\"id\": \"\xff\"}"));
}

#[test]
fn a_key_that_stands_twice() {
    check(
        &SMALL.replace("\"clients\"", "\"services\": { \"lock\": {}, \"pay\": {}, \"lock\": {} },\n  \"clients\""),
        &expect!["line 6, column 40: the key /services/lock stands twice"],
    );
    check(
        r#"{ "a": [0, { "x/\"y\\": "\\", "b": "\"b\": 1", "x\/\"y\\": [] }] }"#,
        &expect![[r#"line 1, column 48: the key /a/1/x~1"y\ stands twice"#]],
    );
    check(
        r#"{ "a": [{ "b": 1 }, { "b": 1 }], "b": "a" }"#,
        &expect![[r#"
        the file: the key "format" is missing
        the file: the key "id" is missing
        the file: the key "title" is missing
        the file: the key "summary" is missing
        the file: the key "clients" is missing"#]],
    );
}

#[test]
fn many_problems_at_once() {
    check(
        r#"{ "format": "one", "id": "Small Scenario", "title": { "en": "Small" }, "horizon_ms": 0,
             "clients": [{ "start_ms": 1.5 }, { "id": 7 }], "faults": [{ "at_ms": 5, "crash": {} }] }"#,
        &expect![[r#"
            /format: "one" does not fit; expected a whole number from 0 to 1000000
            /id: "Small Scenario" does not fit; expected a name of at most 40 small letters, digits and single hyphens, such as client-1
            /title: the key "ko" is missing
            the file: the key "summary" is missing
            /horizon_ms: 0 does not fit; expected a whole number from 1 to 86400000
            /clients/0: the key "id" is missing
            /clients/0/start_ms: 1.5 does not fit; expected a whole number from 0 to 86400000
            /clients/1/id: 7 does not fit; expected a name of at most 40 small letters, digits and single hyphens, such as client-1
            /faults/0/crash: the key "node" is missing"#]],
    );
    check_with(
        &[
            ("/clients/1", json!({ "id": "client-2", "program": ["aquire", "work", "write 8", "read stock"] })),
            ("/network", json!({ "links": [{ "from": "client-1", "to": "client-3", "latency_ms": 5 }] })),
            ("/title", json!({ "en": "", "ko": "가".repeat(81) })),
        ],
        &expect![[r#"
            /title/en: this text is empty
            /title/ko: 81 characters; at most 80 are allowed
            /network/links/0/to: there is no process "client-3"; there is: client-1, client-2, redis-a, storage
            /clients/1/program/0: cannot read "aquire"; expected one of the verbs at, wait, acquire, check, read, work, write, release, repeat
            /clients/1/program/1: cannot read "work"; expected a verb and milliseconds, such as `work 500`
            /clients/1/program/2: this write is based on a read, but no `read` comes before it (or: write blind 8)
            /clients/1/program/3: there is no resource "stock"; there is: counter"#]],
    );
}

#[test]
fn a_format_of_another_time() {
    check_with(&[("/format", json!(2))], &expect!["/format: format 2 is not known; this program reads format 1"]);
}

#[test]
fn names_of_scenarios() {
    let said = |name: &str| load(name).map_or_else(|err| err.to_string(), |scenario| format!("{:?}", scenario.variant));
    expect![[r#"there is no scenario "nothing"; `lockstep list` names them"#]].assert_eq(&said("nothing"));
    expect![[r#"the scenario "gc-pause-write" has no variant "nothing"; it has: short-pause"#]]
        .assert_eq(&said("gc-pause-write:nothing"));
    expect![[r#"Some("short-pause")"#]].assert_eq(&said("gc-pause-write:short-pause"));
}

#[test]
fn changes_from_outside() {
    let change = |pointer: &str, value: Value| {
        let changed = with_changes("gc-pause-write", &[(pointer.to_owned(), value)]);
        changed.map_or_else(|err| err.to_string(), |scenario| format!("valid, changed: {}", scenario.changed))
    };
    expect!["valid, changed: true"].assert_eq(&change("/faults/0/pause/for_ms", json!(1000)));
    expect!["/faults/0/pause/for_ms: -5 does not fit; expected a whole number from 1 to 86400000"]
        .assert_eq(&change("/faults/0/pause/for_ms", json!(-5)));
    expect!["/faults/9/pause/for_ms: this pointer leads nowhere: there is nothing to change"]
        .assert_eq(&change("/faults/9/pause/for_ms", json!(5)));
    expect!["the file: this pointer leads nowhere: there is nothing to change"].assert_eq(&change("", json!({})));
    assert_eq!(change(&"/a".repeat(200_000), json!(5)).lines().count(), 1);
    expect!["valid, changed: true"].assert_eq(&change("/clients/-", json!({ "id": "client-3" })));
}

#[test]
fn a_control_whose_place_was_changed_away_is_left_out() {
    let whole = Document::read(builtin_text("delayed-packet").expect("it is built in")).expect("it is JSON");
    let count = |variant: Option<&str>| whole.scenario(variant, &[]).map(|(scenario, _)| scenario.controls.len());
    assert_eq!((count(None), count(Some("connection-lost"))), (Ok(3), Ok(2)));
}
