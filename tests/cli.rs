//! The command line from outside: what it prints, where, and with which exit status.
#![cfg(feature = "cli")]

use std::io::{Read as _, Write as _};
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

/// "In under a second" is measured by hand; this only catches what hangs or reads everything, on any machine.
const SANE: Duration = Duration::from_secs(20);

fn lockstep(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_lockstep"));
    command.args(args).stdin(Stdio::null());
    command
}

/// Exit status, standard output and standard error.
fn run(args: &[&str]) -> (i32, String, String) {
    told(&lockstep(args).output().expect("the binary runs"))
}

fn told(output: &Output) -> (i32, String, String) {
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).expect("text");
    (output.status.code().expect("no signal"), text(&output.stdout), text(&output.stderr))
}

fn piped(args: &[&str], input: &[u8]) -> (i32, String, String) {
    let mut command = lockstep(args);
    let mut child =
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the binary runs");
    // It may refuse before it has read all.
    let _ = child.stdin.take().expect("a pipe").write_all(input);
    told(&child.wait_with_output().expect("it ends"))
}

/// A file for one test, gone when the test is over.
struct Scratch(PathBuf);

impl Scratch {
    fn new(name: &str, content: &[u8]) -> Self {
        let path = std::env::temp_dir().join(format!("lockstep-{}-{name}", std::process::id()));
        std::fs::write(&path, content).expect("the temporary folder can be written");
        Self(path)
    }

    fn name(&self) -> &str {
        self.0.to_str().expect("a plain name")
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

/// The line of a judge and the line with its first reason.
fn verdict<'t>(timeline: &'t str, judge: &str) -> (&'t str, &'t str) {
    let mut lines = timeline.lines().skip_while(|line| !line.starts_with(&format!("  {judge}  ")));
    (lines.next().expect("the judge is named"), lines.next().unwrap_or_default())
}

#[test]
fn gc_pause_write_breaks_three_promises_with_step_time_and_reason() {
    let (status, out, err) = run(&["run", "gc-pause-write"]);
    assert_eq!((status, err.as_str()), (0, ""));
    for judge in ["ME", "SW", "LU"] {
        let (line, reason) = verdict(&out, judge);
        assert!(line.contains("violated"), "{line}");
        let (step, rest) = reason.trim().strip_prefix("step ").and_then(|rest| rest.split_once(", ")).expect(reason);
        assert!(step.bytes().all(|byte| byte.is_ascii_digit()), "{reason}");
        let (time, why) = rest.split_once(" ms: ").expect(reason);
        assert!(time.bytes().all(|byte| byte.is_ascii_digit() || byte == b' '), "{reason}");
        assert!(why.ends_with('.') && why.contains("lient 1"), "{reason}");
    }
    for judge in ["TO", "PR", "DV"] {
        assert!(verdict(&out, judge).0.contains("holds"), "{judge}");
    }
}

#[test]
fn its_control_with_a_short_pause_keeps_them_all() {
    let (status, out, _) = run(&["run", "gc-pause-write:short-pause"]);
    assert_eq!(status, 0);
    assert!(!out.contains("violated") && out.contains("Everything held."), "{out}");
}

#[test]
fn fencing_token_refuses_33_after_34() {
    let (status, out, _) = run(&["run", "fencing-token"]);
    assert_eq!(status, 0);
    let at = |text: &str| out.find(text).unwrap_or_else(|| panic!("no {text:?} in {out}"));
    let applied = at("Storage applies client 2’s write, token 34");
    assert!(applied < at("Storage refuses client 1’s write: token 33 is lower than 34."));
    assert!(verdict(&out, "SW").0.contains("holds") && verdict(&out, "LU").0.contains("holds"));
}

#[test]
fn every_scenario_and_control_does_what_it_says() {
    let (status, out, err) = run(&["list", "--verify"]);
    assert_eq!((status, err.as_str()), (0, ""), "{out}");
    let (_, listed, _) = run(&["list"]);
    let closing = format!("{0} runs of", listed.lines().count());
    assert!(out.lines().last().is_some_and(|line| line.starts_with(&closing)), "{out}");
    for line in listed.lines() {
        let name = line.split_whitespace().next().expect("an id");
        let row = out.lines().find(|row| row.split_whitespace().next() == Some(name)).expect(name);
        assert!(row.ends_with("  ok"), "{row}");
    }
}

#[test]
fn verdicts_that_differ_make_the_status_1() {
    let (_, example, _) = piped(&["run", "-", "--json"], minimal(r#""expect": {}"#).as_bytes());
    let run: serde_json::Value = serde_json::from_str(&example).expect("JSON");
    assert_eq!(run["as_expected"], true);
    let wrong = minimal(r#""expect": { "mutual_exclusion": "violated" }"#);
    let (status, out, err) = piped(&["run", "-"], wrong.as_bytes());
    assert_eq!((status, err.as_str()), (1, ""));
    assert!(out.contains("Not what this scenario expects\n  mutual_exclusion: should be violated, is not"), "{out}");
}

#[test]
fn json_says_what_the_timeline_says() {
    let (status, out, _) = run(&["run", "fencing-token", "--json"]);
    assert_eq!(status, 0);
    let run: serde_json::Value = serde_json::from_str(&out).expect("JSON");
    assert_eq!(run["format"], 1);
    let steps = run["steps"].as_array().expect("steps");
    assert!(steps.iter().enumerate().all(|(ix, step)| step["step"] == ix), "steps are in order");
    let refused = |step: &&serde_json::Value| {
        let effects = step["effects"].as_array().into_iter().flatten();
        effects
            .into_iter()
            .any(|effect| effect["kind"] == "rejected" && effect["token"] == 33 && effect["highest"] == 34)
    };
    let refused = steps.iter().find(refused).expect("a refusal");
    assert_eq!(refused["text"], "Storage refuses client 1’s write: token 33 is lower than 34.");
    assert_eq!(
        run["faults"][0]["fired"].as_u64().map(|step| steps[step as usize]["event"]["type"].clone()),
        Some("fault".into())
    );
    let verdicts: Vec<_> =
        run["verdicts"].as_array().expect("verdicts").iter().map(|one| (&one["judge"], &one["verdict"])).collect();
    assert_eq!(verdicts.len(), 6);
    assert_eq!((verdicts[0].0, verdicts[0].1), (&"mutual_exclusion".into(), &"violated".into()));
    let instance = &run["verdicts"][0]["instances"][0];
    assert_eq!((&instance["subject"], &instance["from_us"]), (&"lock".into(), &11_010_000.into()));
}

#[test]
fn printing_can_stop_at_an_instant() {
    let (status, out, _) = run(&["run", "fencing-token", "--until-ms", "11010"]);
    assert_eq!(status, 0, "the status is that of the whole run");
    assert!(out.contains("The lock failed. No write yet.") && !out.contains("refuses"), "{out}");
    let (_, out, _) = run(&["run", "fencing-token", "--until-ms", "0", "--json"]);
    let run: serde_json::Value = serde_json::from_str(&out).expect("JSON");
    assert!(run["steps"].as_array().is_some_and(|steps| steps.iter().all(|step| step["at_us"] == 0)));
}

/// A scenario in which two clients take turns, with something added or changed.
fn minimal(more: &str) -> String {
    let program = r#"["acquire", "read", "work 500", "write read+1", "release"]"#;
    format!(
        r#"{{
  "format": 1, "id": "minimal", "title": {{ "en": "A", "ko": "가" }}, "summary": {{ "en": "A", "ko": "가" }},
  "clients": [ {{ "id": "client-1", "program": {program} }}, {{ "id": "client-2", "start_ms": 100, "program": {program} }} ],
  {more}
}}"#
    )
}

fn ttl(value: &str) -> String {
    minimal(&format!(r#""services": {{ "lock": {{ "driver": {{ "ttl_ms": {value} }} }} }}"#))
}

#[test]
fn bad_files_get_a_message_with_a_place_and_status_2() {
    let twice = minimal(r#""faults": []"#).replace("client-2", "client-1");
    let missing = minimal(r#""faults": [ { "at_ms": 5, "pause": { "node": "client-9", "for_ms": 1 } } ]"#);
    let broken = minimal(r#""expect": {}"#).replace("\"clients\":", "\"clients\"");
    let cases = [
        ("empty", String::new(), "empty"),
        ("blank", " \n\n".to_owned(), "empty"),
        ("broken", broken, "line 3, column"),
        ("ttl-ten", ttl("\"ten\""), "/services/lock/driver/ttl_ms"),
        ("ttl-minus-one", ttl("-1"), "/services/lock/driver/ttl_ms"),
        ("ttl-zero", ttl("0"), "/services/lock/driver/ttl_ms"),
        ("ttl-huge", ttl("1e300"), "/services/lock/driver/ttl_ms"),
        ("two-of-one-name", twice, "/clients/1/id"),
        ("nobody", missing, "/faults/0/pause/node"),
    ];
    for (name, text, place) in cases {
        let file = Scratch::new(name, text.as_bytes());
        for command in ["check", "run"] {
            let (status, out, err) = run(&[command, file.name()]);
            assert_eq!((status, out.as_str()), (2, ""), "{name}: {err}");
            assert!(err.lines().all(|line| line.starts_with("error: ")), "{name}: {err}");
            assert!(err.contains(place) && err.contains(file.name()), "{name}: {err}");
            assert!(!err.contains("panicked"), "{name}: {err}");
        }
        let (status, _, err) = piped(&["check", "-"], text.as_bytes());
        assert!(status == 2 && err.contains(place), "{name} on standard input: {err}");
    }
}

#[test]
fn an_unknown_key_is_a_warning() {
    let file = Scratch::new("unknown-key", minimal(r#""colour": "red""#).as_bytes());
    let (status, out, err) = run(&["check", file.name()]);
    assert_eq!(status, 0, "{err}");
    assert!(out.contains("ok"), "{out}");
    assert!(err.starts_with("warning: ") && err.contains("/colour"), "{err}");
}

#[test]
fn a_huge_file_is_refused_before_it_is_read() {
    let start = Instant::now();
    let file = Scratch::new("huge", b"{");
    std::fs::File::options().write(true).open(&file.0).and_then(|file| file.set_len(50_000_000)).expect("50 MB");
    let (status, _, err) = run(&["check", file.name()]);
    assert_eq!(status, 2);
    assert!(err.contains("50000000 bytes"), "{err}");
    let (status, _, err) = piped(&["check", "-"], &vec![b' '; 50_000_000]);
    assert_eq!(status, 2, "{err}");
    assert!(start.elapsed() < SANE, "{:?}", start.elapsed());
}

#[test]
fn text_that_is_no_text_and_files_that_are_not_there() {
    let file = Scratch::new("bytes", b"{ \"id\": \"\xff\" }");
    let (status, _, err) = run(&["check", file.name()]);
    assert!(status == 2 && err.contains("UTF-8"), "{err}");
    for missing in ["./no-such-file.json", "/"] {
        let (status, _, err) = run(&["check", missing]);
        assert!(status == 2 && err.contains("cannot be read"), "{err}");
    }
    for (what, hint) in [("no-such-scenario", "lockstep list"), ("gc-pause-write:no-such", "short-pause")] {
        let (status, _, err) = run(&["run", what]);
        assert!(status == 2 && err.contains(hint), "{err}");
    }
    assert_eq!(run(&["dance"]).0, 2);
}

#[test]
fn a_variant_of_a_file_can_be_run() {
    let variants =
        r#""variants": { "longer": { "title": { "en": "B", "ko": "나" }, "set": { "/horizon_ms": 90000 } } }"#;
    let file = Scratch::new("variants.json", minimal(variants).as_bytes());
    let (status, out, err) = run(&["run", &format!("{}:longer", file.name()), "--json"]);
    assert_eq!(status, 0, "{err}");
    let run: serde_json::Value = serde_json::from_str(&out).expect("JSON");
    assert_eq!((&run["variant"], &run["horizon_us"]), (&"longer".into(), &90_000_000.into()));
}

#[test]
fn the_schema_is_a_json_schema_and_knows_the_keys() {
    let (status, out, _) = run(&["schema"]);
    let schema: serde_json::Value = serde_json::from_str(&out).expect("JSON");
    assert_eq!(status, 0);
    for key in ["format", "id", "clients", "faults", "expect", "variants"] {
        assert!(schema["properties"][key].is_object(), "{key}");
    }
}

#[test]
fn the_search_finds_what_a_pause_can_do() {
    let (status, out, err) =
        run(&["search", "taking-turns", "--break", "ME", "--break", "SW", "--break", "lost_update"]);
    assert_eq!((status, err.as_str()), (1, ""));
    assert!(
        out.starts_with("found (") && out.contains("falls asleep") && out.contains("The data is damaged."),
        "{out}"
    );
    let (status, _, err) = run(&["search", "taking-turns", "--break", "SW:sideways"]);
    assert!(status == 2 && err.contains("before, after"), "{err}");
}

#[test]
fn a_reader_that_goes_away_is_no_error() {
    let mut child = lockstep(&["run", "gc-pause-write", "--json"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary runs");
    let mut first = [0; 10];
    let mut pipe = child.stdout.take().expect("a pipe");
    pipe.read_exact(&mut first).expect("it prints");
    drop(pipe);
    let (status, _, err) = told(&child.wait_with_output().expect("it ends"));
    assert_eq!((status, err.as_str()), (0, ""));
}
