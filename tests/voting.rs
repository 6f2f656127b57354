//! How a client makes one lock of several answers: whom it asks when, which answers it waits for, and how it renews; and
//! what the votes add up to in truth, as the World counts them.

use std::sync::Arc;

use lockstep::history::History;
use lockstep::scenario::parse;
use lockstep::vocabulary::NodeId;
use lockstep::world::{Effect, Observation};
use serde_json::{Value, json};

const CLIENT: NodeId = NodeId(0);

/// What client 1 sends to take or renew its lock, and what it notes, each with the millisecond. Packets take 5 ms, those
/// from and to D and E 20 ms.
fn lines(driver: &Value, faults: &Value) -> Vec<String> {
    let slow = |node: &str| {
        let link = |from: &str, to: &str| json!({ "from": from, "to": to, "latency_ms": 20 });
        [link("client-1", node), link(node, "client-1")]
    };
    let links = [slow("redis-d"), slow("redis-e")].concat();
    let file = json!({
        "format": 1, "id": "voting",
        "title": { "en": "t", "ko": "t" }, "summary": { "en": "s", "ko": "s" },
        "horizon_ms": 3000,
        "network": { "links": links },
        "services": { "lock": { "kind": "redlock", "driver": driver } },
        "clients": [{ "id": "client-1", "program": ["acquire", "work 1000", "release"] }],
        "faults": faults,
        "expect": {},
    });
    let (scenario, _) = parse(&file.to_string()).unwrap_or_else(|err| panic!("{err}"));
    let setup = Arc::clone(&scenario.setup);
    let history = History::new(Arc::new(scenario));
    let effects =
        history.steps().flat_map(|step| step.record.effects.iter().map(|effect| (step.record.at.0 / 1000, effect)));
    let line = |(ms, effect): (u64, &Effect)| match effect {
        Effect::Sent { packet, .. } if packet.from == CLIENT => match packet.message.kind().name() {
            kind @ ("set" | "compare-extend") => Some(format!("{ms} {kind} {}", setup.node_name(packet.to))),
            _ => None,
        },
        Effect::Noted { node: CLIENT, what } => match *what {
            Observation::Counted { votes, .. } => Some(format!("{ms} counted {votes}")),
            Observation::Acquired { .. } => Some(format!("{ms} acquired")),
            Observation::AttemptFailed { .. } => Some(format!("{ms} failed")),
            Observation::Renewed { .. } => Some(format!("{ms} renewed")),
            Observation::RenewalFailed { .. } => Some(format!("{ms} not renewed")),
            Observation::HoldClosed { why, .. } => Some(format!("{ms} closed: {why:?}")),
            _ => None,
        },
        Effect::Noted { node, what } => {
            let what = match *what {
                Observation::Granted { .. } => "granted".to_owned(),
                Observation::Extended { .. } => "extended".to_owned(),
                Observation::Ended { why, .. } => format!("ended: {why:?}"),
                _ => return None,
            };
            Some(format!("{ms} {} {what}", setup.node_name(*node)))
        }
        _ => None,
    };
    effects.filter_map(line).collect()
}

fn of_truth(line: &str) -> bool {
    ["granted", "extended", "ended"].iter().any(|word| line.contains(word))
}

/// What the votes add up to.
fn truth(driver: &Value, faults: &Value) -> Vec<String> {
    lines(driver, faults).into_iter().filter(|line| of_truth(line)).collect()
}

/// What client 1 sends and notes.
fn client(driver: &Value, faults: &Value) -> Vec<String> {
    lines(driver, faults).into_iter().filter(|line| !of_truth(line)).collect()
}

/// The first lines without those that begin a request.
fn notes(driver: &Value, faults: &Value, most: usize) -> Vec<String> {
    lines(driver, faults).into_iter().filter(|line| !line.contains("redis-")).take(most).collect()
}

fn crash(at_ms: u64, nodes: &[&str]) -> Vec<Value> {
    nodes.iter().map(|node| json!({ "at_ms": at_ms, "crash": { "node": node } })).collect()
}

fn forget(at_ms: u64, nodes: &[&str]) -> Vec<Value> {
    nodes.iter().map(|node| json!({ "at_ms": at_ms, "crash": { "node": node, "restart_after_ms": 0 } })).collect()
}

#[test]
fn sequential_requests_go_out_one_after_the_other() {
    let driver = json!({ "requests": "sequential" });
    let asked = ["0 set redis-a", "10 set redis-b", "20 set redis-c", "30 set redis-d", "70 set redis-e"];
    let all = client(&driver, &json!([]));
    assert_eq!(all[..5], asked);
    assert_eq!(all[5..7], ["110 counted 5", "110 acquired"]);
}

#[test]
fn a_silent_node_holds_sequential_requests_up_for_its_timeout() {
    let cut = json!([{ "at_ms": 0, "cut": { "from": "client-1", "to": "redis-a" } }]);
    let all = client(&json!({ "requests": "sequential" }), &cut);
    assert_eq!(all[..2], ["0 set redis-a", "50 set redis-b"]);
    assert_eq!(all[5..7], ["150 counted 4", "150 acquired"]);
}

#[test]
fn deciding_replies_end_the_wait() {
    let (all, deciding) = (json!({}), json!({ "replies": "deciding" }));
    assert_eq!(notes(&all, &json!([]), 2), ["40 counted 5", "40 acquired"]);
    assert_eq!(notes(&deciding, &json!([]), 2), ["10 counted 3", "10 acquired"]);
    // Three nodes are down and refuse at once: the two slow ones can change nothing.
    let down = crash(0, &["redis-a", "redis-b", "redis-c"]).into();
    assert_eq!(notes(&all, &down, 2), ["40 counted 2", "40 failed"]);
    assert_eq!(notes(&deciding, &down, 2), ["10 counted 0", "10 failed"]);
}

#[test]
fn sequential_requests_stop_at_the_deciding_reply() {
    let all = client(&json!({ "requests": "sequential", "replies": "deciding" }), &json!([]));
    assert_eq!(all[..5], ["0 set redis-a", "10 set redis-b", "20 set redis-c", "30 counted 3", "30 acquired"]);
}

fn renewing(more: &Value) -> Value {
    let mut renew = json!({ "every_ms": 400 });
    renew.as_object_mut().expect("an object").extend(more.as_object().expect("an object").clone());
    json!({ "ttl_ms": 1000, "careful": true, "renew": renew })
}

/// What is noted after the lock was taken, until the second renewal is decided.
fn renewals(driver: &Value, faults: &Value) -> Vec<String> {
    notes(driver, faults, 7).split_off(2)
}

#[test]
fn a_majority_renews() {
    let renewed = ["450 counted 3", "450 renewed", "850 counted 3", "850 renewed"];
    let plain = renewing(&json!({}));
    assert_eq!(renewals(&plain, &json!([]))[..4], renewed);
    assert_eq!(renewals(&plain, &forget(500, &["redis-d", "redis-e"]).into())[..4], renewed);
    let late = ["450 counted 3", "450 renewed", "880 counted 3", "880 renewed"];
    assert_eq!(renewals(&plain, &forget(500, &["redis-a", "redis-b"]).into())[..2], late[..2]);
}

#[test]
fn a_majority_that_forgot_does_not_renew() {
    let three = forget(500, &["redis-a", "redis-b", "redis-c"]).into();
    let lost = ["450 counted 3", "450 renewed", "850 counted 0", "850 not renewed", "850 closed: Notice"];
    assert_eq!(renewals(&renewing(&json!({})), &three), lost);
    let again = renewals(&renewing(&json!({ "set_if_missing": true })), &three);
    assert_eq!(again[2..4], ["850 counted 3", "850 renewed"]);
}

#[test]
fn a_node_that_is_gone_does_not_renew() {
    let plain = renewing(&json!({}));
    let two = crash(500, &["redis-a", "redis-b"]).into();
    assert_eq!(renewals(&plain, &two)[2..4], ["880 counted 3", "880 renewed"]);
    // Three refuse at once: the two slow ones can change nothing.
    let three = crash(500, &["redis-a", "redis-b", "redis-c"]).into();
    assert_eq!(renewals(&plain, &three)[2..], ["850 counted 0", "850 not renewed", "850 closed: Notice"]);
}

#[test]
fn a_renewal_that_took_longer_than_the_lease_fails_if_it_is_checked() {
    let asleep = json!([{ "at_ms": 445, "pause": { "node": "client-1", "for_ms": 1200 } }]);
    let driver = |check: bool| json!({ "ttl_ms": 1000, "renew": { "every_ms": 400, "check_elapsed": check } });
    assert_eq!(renewals(&driver(true), &asleep)[..2], ["1645 counted 3", "1645 not renewed"]);
    assert_eq!(renewals(&driver(false), &asleep)[..2], ["1645 counted 3", "1645 renewed"]);
}

#[test]
fn the_vote_that_makes_a_majority_grants_and_the_one_that_breaks_it_ends() {
    assert_eq!(truth(&json!({}), &json!([])), ["5 redis-c granted", "1045 redis-c ended: Released"]);
    // Without A the fourth node makes the majority, and the next to go breaks it.
    let cut = json!([{ "at_ms": 0, "cut": { "from": "client-1", "to": "redis-a" } }]);
    assert_eq!(truth(&json!({}), &cut), ["20 redis-d granted", "1055 redis-c ended: Released"]);
    assert_eq!(truth(&json!({ "quorum": 2 }), &crash(0, &["redis-a", "redis-b", "redis-c"]).into()), [""; 0]);
}

#[test]
fn nodes_that_forget_end_the_grant_once_too_few_are_left() {
    let [mut faults, more] = [forget(500, &["redis-e", "redis-d"]), forget(600, &["redis-a"])];
    assert_eq!(truth(&json!({}), &faults.clone().into()), ["5 redis-c granted", "1045 redis-a ended: Released"]);
    faults.extend(more);
    assert_eq!(truth(&json!({}), &faults.into()), ["5 redis-c granted", "600 redis-a ended: Forgotten"]);
}

#[test]
fn votes_that_run_out_end_the_grant_once_too_few_are_left() {
    let driver = json!({ "ttl_ms": 500 });
    // Those of A, B and C end at one instant; A is the first to note it.
    assert_eq!(truth(&driver, &json!([])), ["5 redis-c granted", "505 redis-a ended: Expired"]);
}

#[test]
fn a_renewal_extends_the_grant_when_it_makes_the_majority_last_longer() {
    let driver = json!({ "ttl_ms": 1000, "renew": { "every_ms": 600 } });
    // The lease of A, B and C ends at 1005, that of D and E at 1020: A's new one lifts the third-longest to 1020, C's to 1645.
    let extended =
        ["5 redis-c granted", "645 redis-a extended", "645 redis-c extended", "1045 redis-c ended: Released"];
    assert_eq!(truth(&driver, &json!([])), extended);
}
