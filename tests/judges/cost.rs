//! The cost sheet.

use crate::run::{A, B, C, Run};
use lockstep::verdicts::CostSheet;
use lockstep::vocabulary::Span;

#[test]
fn costs_are_counted() {
    let mut run = Run::new();
    run.wants(A);
    run.at(10).take(A, 10_000);
    run.line(A, 1);
    run.at(100).wants(B);
    run.at(10_100).take(B, 10_000);
    run.line(B, 1);
    run.line(B, 1);
    let CostSheet { acquires, acquire_total, acquire_max, work_twice, .. } = *run.judges.cost();
    assert_eq!((acquires, acquire_total.ms(), acquire_max.ms(), work_twice), (2, 10_010, 10_000, 1));
    assert_eq!(run.judges.cost().acquire_mean(), Some(Span::from_ms(5_005)));
    run.close(A);
    run.take(C, 10_000);
    run.line(C, 1);
    assert_eq!(run.judges.cost().work_twice, 2, "with B, no more with A");
}
