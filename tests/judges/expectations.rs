//! Comparing verdicts with what is expected.

use crate::run::{A, Run, crashed_holder, ms};
use std::sync::Arc;

use lockstep::history::History;
use lockstep::scenario::{Document, Expect, Expected, builtin_text, load};
use lockstep::verdicts::{Constant, Judged, Mismatch, Verdict, Why, verify, verify_seeds};
use lockstep::vocabulary::JudgeName::{Divergence, Progress};
use lockstep::vocabulary::{JudgeName, Span, Time};

fn expecting(judge: JudgeName) -> Expected {
    Expected { judge, instances: None, kind: None, lasts_min: None, some: false }
}

#[test]
fn expectations_are_complete() {
    let run = crashed_holder(None);
    let end = ms(60_000);
    let verdicts = run.judges.verdicts(end);
    let mismatches = |violated| verify(&Expect { violated, ..Expect::default() }, &verdicts, end);
    assert_eq!(mismatches(vec![expecting(Progress)]), []);
    assert_eq!(mismatches(Vec::new()), [Mismatch::Unexpected { judge: Progress, instances: 1 }]);
    let too_many = vec![expecting(Progress), expecting(Divergence)];
    assert_eq!(mismatches(too_many), [Mismatch::Missing { judge: Divergence }]);
    let exact = Expected {
        instances: Some(1),
        kind: Some("leak".into()),
        lasts_min: Some(Span::from_ms(49_700)),
        ..expecting(Progress)
    };
    assert_eq!(mismatches(vec![exact.clone()]), []);
    let longer = Expected { lasts_min: Some(Span::from_ms(49_701)), ..exact.clone() };
    let (expected, found) = (Span::from_ms(49_701), Span::from_ms(49_700));
    assert_eq!(mismatches(vec![longer]), [Mismatch::Length { judge: Progress, expected, found }]);
    let other = Expected { kind: Some("livelock".into()), ..exact.clone() };
    let (expected, found) = ("livelock".to_owned(), vec!["leak"]);
    assert_eq!(mismatches(vec![other]), [Mismatch::Kind { judge: Progress, expected, found }]);
    let twice = Expected { instances: Some(2), ..exact };
    assert_eq!(mismatches(vec![twice]), [Mismatch::Count { judge: Progress, expected: 2, found: 1 }]);
}

#[test]
fn nothing_to_judge_is_in_order_and_somebody_waiting_is_not() {
    let mut run = Run::new();
    assert_eq!(verify(&Expect::default(), &run.judges.verdicts(ms(60_000)), ms(60_000)), []);
    run.at(55_000).wants(A);
    let mismatches = verify(&Expect::default(), &run.judges.verdicts(ms(60_000)), ms(60_000));
    assert!(matches!(mismatches[..], [Mismatch::Undecided { judge: Progress, why: Why::Waiting(_) }]));
}

#[test]
fn a_replaced_judge_says_one_thing() {
    for judge in JudgeName::ALL {
        let mut run = Run::new();
        run.judges = run.judges.replacing(*judge, Constant::Violated);
        let mismatches = verify(&Expect::default(), &run.judges.verdicts(Time::ZERO), Time::ZERO);
        assert_eq!(mismatches, [Mismatch::Unexpected { judge: *judge, instances: 0 }]);
        run.judges = run.judges.replacing(*judge, Constant::Holds);
        assert_eq!(run.verdict(*judge), Verdict::Holds);
    }
}

#[test]
fn over_seeds_a_judge_says_it_never_sometimes_or_always() {
    let mut lucky = load("unfair-retry:jitter").expect("it is built in");
    lucky.expect.seeds = Some(200);
    assert_eq!(verify_seeds(&lucky), []);
    lucky.expect.violated[0].some = false;
    let [Mismatch::Seeds { judge: Progress, expected: "every one", found, of: 200 }] = verify_seeds(&lucky)[..] else {
        panic!("{:?}", verify_seeds(&lucky))
    };
    assert!((1..200).contains(&found), "{found}");
    lucky.expect.violated.clear();
    assert_eq!(verify_seeds(&lucky), [Mismatch::Seeds { judge: Progress, expected: "none", found, of: 200 }]);
    lucky.expect.violated = vec![Expected { some: true, ..expecting(Divergence) }];
    let never = Mismatch::Seeds { judge: Divergence, expected: "some", found: 0, of: 200 };
    assert!(verify_seeds(&lucky).contains(&never));
}

/// The complaints about what a run of `taking-turns` cost.
fn complaints(variant: Option<&str>, cost: &str) -> Vec<String> {
    let text = builtin_text("taking-turns").expect("it is built in");
    let mut file: serde_json::Value = serde_json::from_str(text).expect("JSON");
    let place = if variant.is_some() { &mut file["variants"]["four-clients"] } else { &mut file };
    place["expect"] = serde_json::json!({ "cost": serde_json::from_str::<serde_json::Value>(cost).expect("JSON") });
    let document = Document::read(&file.to_string()).expect("JSON");
    let (scenario, _) = document.scenario(variant, &[]).unwrap_or_else(|error| panic!("{error}"));
    let history = History::new(Arc::new(scenario));
    let mismatches = Judged::new(&history).verify(&history.scenario().expect);
    mismatches.iter().map(ToString::to_string).collect()
}

#[test]
fn costs_have_bounds_of_their_own_and_against_another_run() {
    let none: [&str; 0] = [];
    assert_eq!(complaints(None, r#"{ "acquires": { "min": 2, "max": 2 }, "work_twice": { "max": 0 } }"#), none);
    assert_eq!(complaints(None, r#"{ "acquires": { "min": 3 } }"#), ["acquires: should be at least 3, is 2"]);
    assert_eq!(complaints(None, r#"{ "acquire_ms_max": { "min": 450, "max": 450 } }"#), none);
    assert_eq!(
        complaints(None, r#"{ "acquire_ms_max": { "max": 449 } }"#),
        ["acquire_ms_max: should be at most 449, is 450"]
    );
    let four = Some("four-clients");
    assert_eq!(complaints(four, r#"{ "acquires": { "than": "base", "percent_min": 200, "percent_max": 200 } }"#), none);
    let expected = ["acquires: should be at least 201 % of base, is 200 % of base"];
    assert_eq!(complaints(four, r#"{ "acquires": { "than": "base", "percent_min": 201 } }"#), expected);
}
