//! JSON of the right shape that makes no sense.

use expect_test::expect;
use lockstep::scenario::parse;
use serde_json::{Value, json};

use crate::{SMALL, altered, check_with};

#[test]
fn program_lines() {
    let lines = json!([
        "wait 0",
        "work soon",
        "acquire seat",
        "acquire lock twice",
        "write",
        "write blind",
        "write 8 now",
        "repeat 0",
        ""
    ]);
    check_with(
        &[("/clients/0/program", lines)],
        &expect![[r#"
            /clients/0/program/0: cannot read "wait 0"; expected a time from 1 to 86400000 ms
            /clients/0/program/1: cannot read "work soon"; expected a time from 1 to 86400000 ms
            /clients/0/program/2: there is no service "seat"; there is: lock
            /clients/0/program/3: cannot read "acquire lock twice"; expected the verb and one name
            /clients/0/program/4: cannot read "write"; expected `write`, the resource if there are several, then `read+1`, a number, or `blind` and a number, then perhaps `op` and a number from 1 to 1000000, and `no-wait`
            /clients/0/program/5: cannot read "write blind"; expected `write`, the resource if there are several, then `read+1`, a number, or `blind` and a number, then perhaps `op` and a number from 1 to 1000000, and `no-wait`
            /clients/0/program/6: cannot read "write 8 now"; expected `write`, the resource if there are several, then `read+1`, a number, or `blind` and a number, then perhaps `op` and a number from 1 to 1000000, and `no-wait`
            /clients/0/program/7: cannot read "repeat 0"; expected `repeat`, or `repeat` and a number from 1 to 1000000
            /clients/0/program/8: cannot read ""; expected one of the verbs at, wait, acquire, check, read, work, write, release, repeat"#]],
    );
    check_with(
        &[("/clients/0/program", json!(["release", "write read+1", "check", "at 5", "repeat", "work 5"]))],
        &expect![[r#"
            /clients/0/program/0: no `acquire` of this lock comes before it
            /clients/0/program/1: this write is based on a read, but no `read` comes before it (or: write blind 8)
            /clients/0/program/2: no `acquire` of this lock comes before it
            /clients/0/program/5: no line is reached after `repeat`"#]],
    );
}

#[test]
fn names_left_out_where_there_are_several() {
    check_with(
        &[
            ("/services", json!({ "seat": {}, "pay": { "nodes": ["redis-b"] } })),
            ("/clients/0/program", json!(["acquire", "acquire seat", "read", "release seat"])),
        ],
        &expect![[r#"
            /resources/counter/lock: which service? There is: seat, pay
            /clients/0/program/0: which service? There is: seat, pay"#]],
    );
}

#[test]
fn labels_that_fit_no_line_or_several() {
    let crash = |when: Value| json!({ "when": { "line": when }, "crash": { "node": "client-1" } });
    check_with(
        &[
            ("/clients/0/program", json!(["acquire", "work 500", "read", "work 50", "release"])),
            (
                "/faults",
                json!([
                    crash(json!({ "client": "client-1", "label": "work" })),
                    crash(json!({ "client": "client-1", "label": "work 5" })),
                    crash(json!({ "client": "client-1", "label": "expire" })),
                    crash(json!({ "client": "redis-a", "label": "work" })),
                    crash(json!({ "client": "client-1", "number": 6 })),
                    crash(json!({ "client": "client-1" })),
                    crash(json!({ "client": "client-1", "label": "work 50" })),
                    crash(json!({ "client": "client-1", "label": "acquire lock" })),
                    crash(json!({ "client": "client-1", "number": 4 })),
                ]),
            ),
        ],
        &expect![[r#"
            /faults/0/when/line/label: "work" fits lines 2, 4 of client-1; write more of the line, or name it by `number`
            /faults/1/when/line/label: there is no line "work 5"; there is: acquire lock, work 500, read counter, work 50, release lock
            /faults/2/when/line/label: there is no line "expire"; there is: acquire lock, work 500, read counter, work 50, release lock
            /faults/3/when/line/client: this process is no client: it has no program
            /faults/4/when/line/number: the program is not that long
            /faults/5/when/line: a line is named by `label` or by `number`"#]],
    );
}

#[test]
fn second_parts_of_acquire_have_labels() {
    let crash = |label: &str| json!({ "when": { "line": { "client": "client-1", "label": label } }, "crash": { "node": "client-1" } });
    let driver = json!({ "acquire": "setnx", "token": "separate-counter" });
    let text = altered(
        SMALL,
        &[
            ("/services", json!({ "lock": { "driver": driver } })),
            ("/faults", json!([crash("acquire"), crash("expire"), crash("incr lock")])),
        ],
    );
    let (scenario, _) = parse(&text).expect("it is valid");
    let faults: Vec<String> = scenario.faults.iter().map(|fault| format!("{:?}", fault.on)).collect();
    expect![[r#"
        When { matcher: Line { client: NodeId(0), line: LineIx(0), part: 0 }, nth: 1, after: Span(0) }
        When { matcher: Line { client: NodeId(0), line: LineIx(0), part: 1 }, nth: 1, after: Span(0) }
        When { matcher: Line { client: NodeId(0), line: LineIx(0), part: 2 }, nth: 1, after: Span(0) }"#]]
    .assert_eq(&faults.join("\n"));
}

#[test]
fn faults_that_make_no_sense() {
    let node = json!({ "node": "client-1" });
    let packet = json!({ "from": "client-1", "to": "storage", "kind": "write" });
    check_with(
        &[(
            "/faults",
            json!([
                { "at_ms": 5 },
                { "at_ms": 5, "crash": node, "resume": node },
                { "crash": node },
                { "at_ms": 5, "step": 3, "crash": node },
                { "at_ms": 5, "nth": 2, "crash": node },
                { "at_ms": 5, "delay": { "by_ms": 5 } },
                { "when": { "fault": 0 }, "crash": node },
                { "when": { "send": packet }, "lose": {}, "until": { "at_ms": 9 } },
                { "when": { "send": packet }, "crash": node, "twin": { "at_ms": 9 } },
                { "when": { "sent": packet }, "crash": node },
            ]),
        )],
        &expect![[
            r#"/faults/9/when: "sent" does not fit; expected an object with exactly one of the keys line, send, deliver, observed, fault"#
        ]],
    );
    check_with(
        &[(
            "/faults",
            json!([
                { "at_ms": 5, "cut": { "from": "client-1", "to": "client-1" } },
                { "at_ms": 5, "clock_jump": { "machine": "host", "by_ms": 5 } },
                { "at_ms": 5 },
                { "at_ms": 5, "crash": node, "resume": node },
                { "crash": node },
                { "at_ms": 5, "delay": { "by_ms": 5 } },
                { "when": { "send": packet }, "lose": {}, "until": { "at_ms": 9 } },
                { "when": { "send": packet }, "crash": node, "twin": { "at_ms": 9 } },
            ]),
        )],
        &expect![[r#"
            /faults/0/cut: a link has two different ends
            /faults/1/clock_jump/machine: there is no machine "host"; there is: client-1, redis-a, storage
            /faults/2: a fault needs exactly one action, such as `pause`, `crash`, `clock_jump`, `delay`
            /faults/3: a fault needs exactly one action, such as `pause`, `crash`, `clock_jump`, `delay`
            /faults/4: the moment is given by exactly one of `at_ms`, `when` and `step`
            /faults/5/delay: no packet is matched: the moment must be a `when` with `send` or `deliver`
            /faults/6/until: this action does not last: there is nothing to take back
            /faults/7/twin: only a fault at a `step` has a twin"#]],
    );
}

#[test]
fn machines_that_make_no_sense() {
    check_with(
        &[(
            "/machines",
            json!({ "host": { "runs": ["client-1", "redis-b"] }, "rack": { "runs": ["client-1"] }, "bare": {},
                    "redis-a": { "runs": [] } }),
        )],
        &expect![[r#"
            /machines/host/runs/1: there is no process "redis-b"; there is: client-1, redis-a, storage
            /machines/rack/runs/0: the process "client-1" stands twice: first at /machines/host
            /machines/bare: there is no process "bare"; there is: client-1, redis-a, storage
            /machines/redis-a/runs: a machine needs a process to run
            /machines/redis-a: this machine has the name of a process that it does not run"#]],
    );
}

#[test]
fn limits() {
    let many = |count: usize| (0..count).map(|n| json!({ "id": format!("c{n}") })).collect::<Vec<_>>();
    check_with(&[("/clients", json!(many(17)))], &expect!["/clients: 17 clients; at most 16 are allowed"]);
    check_with(
        &[("/clients/0/program", json!(vec!["work 1"; 65]))],
        &expect!["/clients/0/program: 65 lines; at most 64 are allowed"],
    );
    check_with(
        &[("/clients/0/id", json!("a-name-that-is-far-too-long-to-be-drawn-anywhere"))],
        &expect![[
            r#"/clients/0/id: "a-name-that-is-far-too-long-to-be-drawn"… does not fit; expected a name of at most 40 small letters, digits and single hyphens, such as client-1"#
        ]],
    );
    check_with(
        &[("/network", json!({ "latency_ms": [9, 3] }))],
        &expect!["/network/latency_ms: the shortest latency is above the longest"],
    );
    check_with(
        &[("/network", json!({ "latency_ms": 0 }))],
        &expect![
            "/network/latency_ms: 0 does not fit; expected a whole number from 1 to 86400000, or [shortest, longest]"
        ],
    );
}

#[test]
fn expectations() {
    check_with(
        &[(
            "/expect",
            json!({ "mutual-exclusion": "violated", "progress": "holds", "stale_write": { "contact": "late" } }),
        )],
        &expect![[r#"
            /expect: there is no judge "mutual-exclusion"; there is: mutual_exclusion, stale_write, lost_update, token_order, progress, divergence, cost, seeds
            /expect/progress: "holds" does not fit; expected "violated", "some" (over seeds), or an object that says how (a judge that must hold is not listed)
            /expect/stale_write/contact: "late" does not fit; expected a kind of stale write, one of: before after"#]],
    );
    check_with(
        &[("/expect", json!({ "stale_write": { "kind": "leak" }, "progress": { "contact": "after" } }))],
        &expect![[r#"
            /expect/stale_write/kind: only `progress` has kinds
            /expect/progress/contact: only `stale_write` asks for the contact"#]],
    );
}

#[test]
fn controls() {
    let label = json!({ "en": "Work", "ko": "작업" });
    check_with(
        &[(
            "/controls",
            json!([
                { "path": "/services/lock/driver/ttl_ms", "label": label, "slider": { "min": 1, "max": 5 } },
                { "path": "/format", "label": label, "slider": { "min": 5, "max": 5 } },
                { "path": "/format", "label": label, "switch": [] },
                { "path": "/format", "label": label },
            ]),
        )],
        &expect![[r#"
            /controls/0/path: this pointer names no value of the file; write the value out, even if it is the default
            /controls/1/slider: `min` must be below `max`
            /controls/2/switch: a switch needs at least two positions
            /controls/3: a control is either a `slider` or a `switch`"#]],
    );
}

#[test]
fn variants() {
    let title = json!({ "en": "Other", "ko": "다른 것" });
    check_with(
        &[(
            "/variants",
            json!({
                "wrong-value": { "title": title, "set": { "/services/lock/driver/ttl_ms": "ten" } },
                "nowhere": { "title": title, "set": { "/clients/7/id": "client-8" } },
                "no-story": { "title": title, "set": {}, "story": [0] },
                "good": { "title": title, "set": { "/services/lock/driver/ttl_ms": 5 } },
                "odd": { "title": title, "set": { "/services/lock/driver/tll_ms": 5 } },
            }),
        )],
        &expect![[r#"
            variant wrong-value: /services/lock/driver/ttl_ms: "ten" does not fit; expected a whole number from 1 to 86400000
            variant nowhere: /clients/7/id: this pointer leads nowhere: there is nothing to change
            variant no-story: /variants/no-story/story/0: the scenario's own story is not that long"#]],
    );
    check_with(
        &[("/variants", json!({ "odd": { "title": title, "set": { "/tll_ms": 5 }, "why": "" } }))],
        &expect![[r#"
        warning: /variants/odd/why: this key is not known; it is ignored
        warning: /tll_ms: this key is not known; it is ignored"#]],
    );
}

#[test]
fn costs_and_seeds() {
    check_with(
        &[(
            "/expect",
            json!({
                "lost_update": "some",
                "cost": {
                    "messages": {},
                    "acquires": { "min": 3, "max": 2 },
                    "round_trips": { "than": "basis", "percent_min": 1 },
                    "work_twice": { "min": 1, "percent_min": 1 },
                }
            }),
        )],
        &expect![[r#"
            /expect/lost_update: `some` needs `seeds` beside it: some of how many runs?
            /expect/cost/messages: a bound has `min` or `max`, or, compared `than` another run, `percent_min` or `percent_max`
            /expect/cost/acquires: the least value is above the greatest
            /expect/cost/round_trips/than: there is no variant "basis"; there is: base
            /expect/cost/work_twice: a bound has `min` or `max`, or, compared `than` another run, `percent_min` or `percent_max`"#]],
    );
    check_with(
        &[("/expect", json!({ "seeds": 1, "cost": { "mesages": { "min": 1 } } }))],
        &expect![[r#"
        /expect/seeds: 1 does not fit; expected a whole number from 2 to 10000
        /expect/cost: there is no line of the cost sheet "mesages"; there is: messages, round_trips, notifications, acquires, acquire_ms_mean, acquire_ms_max, work_twice"#]],
    );
}

#[test]
fn a_lock_is_released_before_it_is_acquired_again() {
    let lines = json!(["acquire", "work 5", "acquire", "release", "acquire", "repeat"]);
    check_with(
        &[("/clients/0/program", lines)],
        &expect![[r#"
        /clients/0/program/2: this lock was acquired above and not released: a client waits for itself here
        /clients/0/program/5: what was acquired must be released before the program starts again"#]],
    );
    check_with(
        &[("/clients/0/program", json!(["acquire", "release", "acquire", "release", "repeat"]))],
        &expect!["valid"],
    );
}

#[test]
fn replicas_of_what_has_none() {
    let redlock = json!({ "lock": { "kind": "redlock", "replicas": { "nodes": ["copy"] } } });
    check_with(
        &[("/services", redlock)],
        &expect!["/services/lock/replicas: the masters of a redlock service have no replicas"],
    );
    let sentinel = json!({ "lock": { "sentinel": { "down_after_ms": 200 } } });
    check_with(&[("/services", sentinel)], &expect!["/services/lock/sentinel: a sentinel needs replicas to promote"]);
}
