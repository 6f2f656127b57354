//! What is peculiar to well-known Redlock clients happens when a file names their preset.

use std::sync::Arc;

use lockstep::history::History;
use lockstep::scenario::parse;
use lockstep::vocabulary::NodeId;
use lockstep::world::{Effect, Observation};
use serde_json::{Value, json};

const CLIENT: NodeId = NodeId(0);

fn file(service: &Value, faults: &Value) -> Value {
    json!({
        "format": 1, "id": "presets",
        "title": { "en": "t", "ko": "t" }, "summary": { "en": "s", "ko": "s" },
        "horizon_ms": 12_000,
        "network": { "latency_ms": 5 },
        "services": { "lock": service },
        "clients": [{ "id": "client-1", "program": ["acquire", "work 4000", "release"] }],
        "faults": faults,
        "expect": {},
    })
}

/// What client 1 asks of the nodes, told once for each instant with the number of nodes asked, and what it notes; each with
/// the millisecond. Packets take 5 ms.
fn run(preset: &str, beside: &Value, faults: &Value) -> Vec<String> {
    let mut driver = json!({ "preset": preset });
    driver.as_object_mut().expect("an object").extend(beside.as_object().expect("an object").clone());
    let (scenario, _) = parse(&file(&json!({ "kind": "redlock", "driver": driver }), faults).to_string())
        .unwrap_or_else(|err| panic!("{err}"));
    let history = History::new(Arc::new(scenario));
    let mut lines: Vec<(String, u32)> = Vec::new();
    for step in history.steps() {
        for effect in &step.record.effects {
            let what = match effect {
                Effect::Sent { packet, .. } if packet.from == CLIENT => packet.message.kind().name().to_owned(),
                Effect::Noted { node: CLIENT, what } => match *what {
                    Observation::Counted { votes, .. } => format!("counted {votes}"),
                    Observation::Acquired { .. } => "acquired".into(),
                    Observation::AttemptFailed { .. } => "failed".into(),
                    Observation::GaveUp { .. } => "gave up".into(),
                    Observation::Renewed { .. } => "renewed".into(),
                    Observation::RenewalFailed { .. } => "not renewed".into(),
                    Observation::HoldClosed { why, .. } => format!("closed: {why:?}"),
                    _ => continue,
                },
                _ => continue,
            };
            let line = format!("{} {what}", step.record.at.0 / 1000);
            match lines.last_mut() {
                Some((last, times)) if *last == line => *times += 1,
                _ => lines.push((line, 1)),
            }
        }
    }
    let told = |(line, times): (String, u32)| if times == 1 { line } else { format!("{line} x{times}") };
    lines.into_iter().map(told).collect()
}

fn none() -> Value {
    json!([])
}

/// The client sleeps with the answers in its kernel buffer.
fn asleep(at_ms: u64, for_ms: u64) -> Value {
    json!([{ "at_ms": at_ms, "pause": { "node": "client-1", "for_ms": for_ms } }])
}

fn crash(at_ms: u64, nodes: &[&str]) -> Value {
    nodes.iter().map(|node| json!({ "at_ms": at_ms, "crash": { "node": node } })).collect()
}

fn forget(at_ms: u64, nodes: &[&str]) -> Value {
    nodes.iter().map(|node| json!({ "at_ms": at_ms, "crash": { "node": node, "restart_after_ms": 0 } })).collect()
}

const THREE: [&str; 3] = ["redis-a", "redis-b", "redis-c"];

#[test]
fn node_redlock_believes_at_the_quorum_however_late_it_is() {
    let lines = run("node-redlock-5", &json!({ "ttl_ms": 1000 }), &asleep(7, 2000));
    assert_eq!(lines[..3], ["0 set x5", "2007 counted 3", "2007 acquired"]);
}

#[test]
fn node_redlock_waits_for_a_silent_majority_for_ever() {
    let cut: Value =
        THREE.iter().map(|node| json!({ "at_ms": 0, "cut": { "from": "client-1", "to": node } })).collect();
    assert_eq!(run("node-redlock-5", &json!({}), &cut), ["0 set x5"]);
    let told = run("node-redlock-5", &json!({ "timeout_ms": 50, "attempts": 1 }), &cut);
    assert_eq!(told[..4], ["0 set x5", "50 counted 2", "50 failed", "50 compare-delete x5"]);
}

#[test]
fn node_redlock_gives_back_what_it_got_only_once_it_gives_up() {
    let mut beside = json!({ "attempts": 2, "jitter_ms": 0, "replies": "all" });
    let lines = run("node-redlock-5", &beside, &crash(0, &THREE));
    let told = ["0 set x5", "10 counted 2", "10 failed", "110 set x5", "120 counted 0", "120 failed"];
    assert_eq!(lines[..6], told, "its own value of the first attempt refuses the second");
    assert_eq!(lines[6..8], ["120 compare-delete x5", "120 gave up"]);
    beside["one_value"] = false.into();
    let others = run("node-redlock-5", &beside, &crash(0, &THREE));
    assert_eq!(others[3..6], ["10 compare-delete x5", "110 set x5", "120 counted 2"]);
}

#[test]
fn node_redlock_refuses_to_extend_after_its_deadline() {
    let beside = json!({ "ttl_ms": 1000, "renew": { "every_ms": 500 } });
    let lines = run("node-redlock-5", &beside, &asleep(100, 1500));
    assert_eq!(lines[2..5], ["10 acquired", "1600 not renewed", "5510 closed: Released"]);
}

#[test]
fn redsync_compares_the_time_with_the_lease() {
    let lines = run("redsync", &json!({ "ttl_ms": 1000 }), &asleep(7, 2000));
    assert_eq!(lines[..4], ["0 set x5", "2007 counted 5", "2007 failed", "2007 compare-delete x5"]);
}

#[test]
fn redsync_gives_a_node_a_twentieth_of_the_lease() {
    let cut = json!([{ "at_ms": 0, "cut": { "from": "client-1", "to": "redis-a" } }]);
    assert_eq!(run("redsync", &json!({}), &cut)[..3], ["0 set x5", "400 counted 4", "400 acquired"]);
    assert_eq!(run("redsync", &json!({ "ttl_ms": 2000 }), &cut)[..2], ["0 set x5", "100 counted 4"]);
}

#[test]
fn redlock_py_raises_with_a_quorum_and_leaves_the_keys() {
    let down = crash(0, &["redis-e"]);
    let lines = run("redlock-py", &json!({}), &down);
    assert_eq!(lines[4..], ["40 set", "50 counted 4", "50 failed", "50 gave up"], "{lines:?}");
    let others = run("redlock-py", &json!({ "raise_errors": false }), &down);
    assert_eq!(others[5..7], ["50 counted 4", "50 acquired"]);
}

#[test]
fn redlock_net_sets_a_missing_key_again_every_half_lease() {
    let lines = run("redlock-net", &json!({ "ttl_ms": 2000 }), &forget(500, &THREE));
    assert_eq!(lines[2..6], ["10 acquired", "1010 extend-or-set x5", "1020 counted 3", "1020 renewed"]);
}

#[test]
fn pottery_extends_three_times_at_most() {
    let lines = run("pottery", &json!({ "ttl_ms": 1000, "renew": { "every_ms": 500 } }), &none());
    let count =
        |what: &str| lines.iter().filter(|line| line.split_once(' ').is_some_and(|(_, told)| told == what)).count();
    assert_eq!((count("renewed"), count("compare-extend x5"), count("not renewed")), (3, 3, 1), "{lines:?}");
}

#[test]
fn pottery_extends_whatever_time_it_took() {
    let beside = json!({ "ttl_ms": 1000, "renew": { "every_ms": 500 } });
    let slept = asleep(517, 2000);
    assert!(run("pottery", &beside, &slept).contains(&"2517 renewed".to_owned()));
    assert!(run("redsync", &beside, &slept).contains(&"2517 not renewed".to_owned()));
}

#[test]
fn rslock_gives_nothing_back_when_it_was_too_late() {
    let beside = json!({ "ttl_ms": 1000, "attempts": 1 });
    let told = ["0 set x5", "2007 counted 5", "2007 failed", "2007 gave up"];
    assert_eq!(run("rslock", &beside, &asleep(7, 2000)), told);
    assert_eq!(run("rslock", &beside, &crash(0, &THREE))[2..4], ["10 failed", "10 compare-delete x5"]);
}

#[test]
fn rslock_unlocks_all_when_it_cannot_extend() {
    let beside = json!({ "ttl_ms": 1000, "renew": { "every_ms": 500 } });
    let lines = run("rslock", &beside, &forget(300, &THREE));
    assert_eq!(lines[3..7], ["510 compare-extend x5", "520 counted 0", "520 compare-delete x5", "520 not renewed"]);
}

#[test]
fn the_watchdog_of_redisson_ends_in_silence() {
    let beside = json!({ "ttl_ms": 1500, "careful": true });
    let lines = run("redisson", &beside, &forget(300, &THREE));
    let taken = lines.iter().position(|line| line == "50 acquired").expect("it is taken");
    let told = ["550 compare-extend x5", "560 counted 0", "560 not renewed", "4050 closed: Released"];
    assert_eq!(lines[taken + 1..taken + 5], told, "nobody tells it, and nobody tries again");
    let mut loud = beside.clone();
    loud["renew"] = json!({ "every_ms": 500, "quiet": false });
    assert!(run("redisson", &loud, &forget(300, &THREE)).contains(&"560 closed: Notice".to_owned()));
}

#[test]
fn a_preset_must_be_known_and_belongs_to_redlock() {
    let refused = |service: Value| match parse(&file(&service, &none()).to_string()) {
        Ok(_) => panic!("{service} is read"),
        Err(err) => err.to_string(),
    };
    let unknown = refused(json!({ "kind": "redlock", "driver": { "preset": "redlock" } }));
    let all = "node-redlock-5 redsync redlock-py redlock-net pottery rslock redisson";
    assert!(unknown.contains("/services/lock/driver/preset") && unknown.contains(all), "{unknown}");
    let alone = refused(json!({ "driver": { "preset": "redsync" } }));
    assert!(alone.contains("/services/lock/driver/preset"), "{alone}");
}
