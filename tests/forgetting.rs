//! What nodes forget, and when: a grant ends with the last thing that kept it, and is noted then.

use std::sync::Arc;

use lockstep::history::History;
use lockstep::scenario::parse;
use lockstep::world::{Effect, Ending, Observation};
use serde_json::{Value, json};

/// When each grant ended, in milliseconds, and why.
fn ends(service: &Value, faults: &Value) -> Vec<(u64, Ending)> {
    let file = json!({
        "format": 1, "id": "forgetting",
        "title": { "en": "t", "ko": "t" }, "summary": { "en": "s", "ko": "s" },
        "horizon_ms": 5000,
        "services": { "lock": service },
        "clients": [{ "id": "client-1", "program": ["acquire", "work 4000", "release"] }],
        "faults": faults,
        "expect": {},
    });
    let (scenario, _) = parse(&file.to_string()).unwrap_or_else(|err| panic!("{err}"));
    let history = History::new(Arc::new(scenario));
    let mut ends = Vec::new();
    for step in history.steps() {
        for effect in &step.record.effects {
            if let Effect::Noted { what: Observation::Ended { why, .. }, .. } = effect {
                ends.push((step.record.at.0 / 1000, *why));
            }
        }
    }
    ends
}

#[test]
fn a_key_in_the_page_cache_outlives_its_process_and_not_the_power() {
    let crash = json!({ "at_ms": 300, "crash": { "node": "redis-a" } });
    let power = json!({ "at_ms": 400, "power_loss": { "machine": "redis-a" } });
    let on_disk = |policy: &str| json!({ "persistence": policy });
    let both = json!([crash, power]);
    assert_eq!(ends(&on_disk("none"), &both), [(300, Ending::Forgotten)]);
    assert_eq!(ends(&on_disk("every-second"), &json!([crash])), []);
    assert_eq!(ends(&on_disk("every-second"), &both), [(400, Ending::Forgotten)]);
    assert_eq!(ends(&on_disk("always"), &both), []);
}

#[test]
fn a_vote_in_the_page_cache_is_counted_until_the_power_goes() {
    let mut faults: Vec<Value> = ["redis-a", "redis-b", "redis-c"]
        .iter()
        .map(|node| json!({ "at_ms": 300, "crash": { "node": node } }))
        .collect();
    let redlock = json!({ "kind": "redlock", "persistence": "every-second" });
    assert_eq!(ends(&redlock, &faults.clone().into()), []);
    for (at, node) in (400..).zip(["redis-a", "redis-b", "redis-c"]) {
        faults.push(json!({ "at_ms": at, "power_loss": { "machine": node } }));
    }
    // The third loss leaves two votes of five.
    assert_eq!(ends(&redlock, &faults.into()), [(402, Ending::Forgotten)]);
}
