//! Comparing verdicts with what is expected.

use crate::run::{A, Run, crashed_holder, ms};
use lockstep::scenario::{Expect, Expected};
use lockstep::verdicts::{Constant, Mismatch, Verdict, Why, verify};
use lockstep::vocabulary::JudgeName::{Divergence, Progress};
use lockstep::vocabulary::{JudgeName, Span, Time};

fn expecting(judge: JudgeName) -> Expected {
    Expected { judge, instances: None, kind: None, lasts_min: None }
}

#[test]
fn expectations_are_complete() {
    let run = crashed_holder(None);
    let end = ms(60_000);
    let verdicts = run.judges.verdicts(end);
    let mismatches = |violated| verify(&Expect { violated }, &verdicts, end);
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
