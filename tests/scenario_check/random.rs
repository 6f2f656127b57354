//! No input makes it panic, and what is found valid can be run.

use lockstep::history::simulate;
use lockstep::scenario::{LoadError, ParseError, builtin, builtin_text, parse, parse_bytes, with_changes};
use lockstep::world::World;
use proptest::prelude::*;
use serde_json::{Value, json};

/// Any JSON, not too large.
fn any_json() -> impl Strategy<Value = Value> {
    let word = prop_oneof![
        "[a-z-]{0,12}",
        Just("client-1".to_owned()),
        Just("lock".to_owned()),
        Just("violated".to_owned()),
        Just("acquire".to_owned()),
        ".{0,8}",
    ];
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        (0..20_000_i64).prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        word.clone().prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 32, 6, move |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..6).prop_map(Value::from),
            prop::collection::vec((word.clone(), inner), 0..6).prop_map(|pairs| pairs.into_iter().collect()),
        ]
    })
}

/// Pointers to everything in a document.
fn pointers(value: &Value, at: &str, all: &mut Vec<String>) {
    all.push(at.to_owned());
    match value {
        Value::Array(list) => {
            list.iter().enumerate().for_each(|(ix, item)| pointers(item, &format!("{at}/{ix}"), all));
        }
        Value::Object(map) => map.iter().for_each(|(key, item)| {
            pointers(item, &format!("{at}/{}", key.replace('~', "~0").replace('/', "~1")), all);
        }),
        _ => {}
    }
}

/// A built-in scenario with some of its values replaced: by anything, or by a near relative.
fn mutated() -> impl Strategy<Value = Value> {
    let numbers = prop_oneof![Just(0), Just(1), Just(-1), 0..100_000_i64, Just(86_400_000), Just(-86_400_000)];
    let replacement = prop_oneof![any_json(), numbers.prop_map(Value::from)];
    let change = (any::<prop::sample::Index>(), replacement);
    (prop::sample::select(builtin()), prop::collection::vec(change, 1..4)).prop_map(|(id, changes)| {
        let text = builtin_text(id).unwrap_or_default();
        let mut file: Value = serde_json::from_str(text).unwrap_or_default();
        for (index, value) in changes {
            let mut all = Vec::new();
            pointers(&file, "", &mut all);
            if let Some(place) = file.pointer_mut(&all[index.index(all.len())]) {
                *place = value;
            }
        }
        file
    })
}

/// A built-in scenario with changes that each make sense alone: mostly valid.
fn changed() -> impl Strategy<Value = Value> {
    let ms = prop_oneof![1..20_000_i64, Just(1), Just(86_400_000)];
    let driver = prop_oneof![
        ms.clone().prop_map(|ms| json!({ "ttl_ms": ms })),
        Just(json!({ "ttl_ms": null, "acquire": "setnx" })),
        (ms.clone(), any::<bool>()).prop_map(|(ms, set)| json!({ "renew": { "every_ms": ms, "set_if_missing": set } })),
        (ms.clone(), ms.clone())
            .prop_map(|(retry, jitter)| json!({ "retry_ms": retry, "jitter_ms": jitter, "attempts": 3 })),
        (ms.clone(), any::<bool>())
            .prop_map(|(ms, wait)| json!({ "timeout_ms": ms, "careful": true, "await_release": wait })),
        Just(json!({ "acquire": "setnx", "token": "separate-counter", "release": "never", "check_clock": "wall" })),
    ];
    let node = prop::sample::select(vec!["client-1", "client-2", "redis-a", "storage"]);
    let action = prop_oneof![
        (node.clone(), ms.clone()).prop_map(|(node, ms)| json!({ "pause": { "node": node, "for_ms": ms } })),
        (node.clone(), ms.clone()).prop_map(|(node, ms)| json!({ "suspend": { "machine": node, "for_ms": ms } })),
        (node.clone(), ms.clone()).prop_map(|(node, ms)| json!({ "crash": { "node": node, "restart_after_ms": ms } })),
        (node.clone(), ms.clone())
            .prop_map(|(node, ms)| json!({ "power_loss": { "machine": node, "restart_after_ms": ms } })),
        (node.clone(), -86_400_000..86_400_000_i64)
            .prop_map(|(node, ms)| json!({ "clock_jump": { "machine": node, "by_ms": ms } })),
        (node.clone(), -500_000..500_000_i64)
            .prop_map(|(node, ppm)| json!({ "clock_rate": { "machine": node, "ppm": ppm } })),
        (node.clone(), ms.clone())
            .prop_map(|(node, ms)| json!({ "cut_off": { "node": node }, "until": { "at_ms": ms } })),
        node.prop_map(|node| json!({ "restart": { "node": node } })),
        Just(json!({ "cut": { "from": "client-1", "to": "redis-a", "both": false } })),
        Just(json!({ "reset": { "from": "client-1", "to": "storage", "notice": "neither" } })),
    ];
    let driver = driver.prop_map(|driver| ("/services/lock/driver", driver));
    let fault = (action, ms.clone()).prop_map(|(mut fault, ms)| {
        fault["at_ms"] = ms.into();
        ("/faults/-", fault)
    });
    let word = |pointer: &'static str, words: &'static [&'static str]| {
        prop::sample::select(words).prop_map(move |word| (pointer, Value::from(word)))
    };
    let latency = (1..50_i64, 50..5_000_i64).prop_map(|(min, max)| ("/network/latency_ms", json!([min, max])));
    let lines = json!(["acquire", "check", "read", "write 5 no-wait", "release", "wait 7", "repeat 3"]);
    let change = prop_oneof![
        2 => driver,
        4 => fault,
        1 => latency,
        1 => Just(("/clients/0/program", lines)),
        1 => word("/resources/counter/guard", &["none", "fencing", "version", "random-id", "operation-id"]),
        1 => word("/services/lock/persistence", &["none", "every-second", "always"]),
        1 => word("/services/lock/expiry_clock", &["wall", "monotonic"]),
    ];
    (prop::sample::select(builtin()), prop::collection::vec(change, 1..6)).prop_map(|(id, changes)| {
        let mut file: Value = serde_json::from_str(builtin_text(id).unwrap_or_default()).unwrap_or_default();
        // These name values that may have gone.
        for key in ["story", "controls", "variants"] {
            file.as_object_mut().expect("a scenario is an object").remove(key);
        }
        for (pointer, value) in changes {
            let (parent, key) = pointer.rsplit_once('/').unwrap_or_default();
            if key == "-" {
                let faults = file["faults"].as_array().into_iter().flatten().cloned();
                file["faults"] = faults.chain([value]).collect();
            } else if parent == "/network" {
                file["network"] = json!({ key: value });
            } else if let Some(place) = file.pointer_mut(parent) {
                // Some scenarios have other resources, or none.
                place[key] = value;
            }
        }
        file
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 500, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_bytes_make_it_panic(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        let _ = parse_bytes(&bytes);
    }

    #[test]
    fn no_json_makes_it_panic(value in any_json()) {
        let _ = parse(&value.to_string());
    }

    #[test]
    fn no_change_of_text_makes_it_panic(
        id in prop::sample::select(builtin()),
        edits in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..4),
    ) {
        let mut bytes = builtin_text(id).unwrap_or_default().as_bytes().to_vec();
        for (index, byte) in edits {
            let at = index.index(bytes.len());
            bytes[at] = byte;
        }
        let _ = parse_bytes(&bytes);
    }

    /// What is found valid can also be run.
    #[test]
    fn no_mutation_makes_it_panic(file in prop_oneof![mutated(), changed()]) {
        match parse(&file.to_string()) {
            Ok((scenario, _)) => {
                let world = World::new(scenario.setup.clone(), scenario.faults.as_slice().into());
                simulate(world).take(300).for_each(drop);
            }
            Err(err) => prop_assert!(!err.to_string().is_empty()),
        }
    }

    #[test]
    fn no_pointer_makes_it_panic(pointer in "(/[a-z0-9~-]{0,8}){0,4}|.{0,12}", value in any_json()) {
        match with_changes("fencing-gap", &[(pointer, value)]) {
            Ok(_) | Err(LoadError::Parse(ParseError::Invalid(_))) => {}
            Err(err) => prop_assert!(false, "{err}"),
        }
    }
}
