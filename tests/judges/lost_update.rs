//! Lost updates.

use crate::run::{A, B, Run, ms};
use lockstep::verdicts::{InstanceKind, LossKind, Verdict, Why};
use lockstep::vocabulary::JudgeName::LostUpdate;
use lockstep::world::Observation;

#[test]
fn a_write_must_replace_its_base() {
    let mut run = Run::new();
    run.take(A, 10_000);
    let read = run.read(A, 0);
    run.take(B, 10_000);
    run.read(B, 0);
    let (lost, _) = run.write(B, 0, 0);
    run.write(B, 1, 1);
    assert_eq!(run.verdict(LostUpdate), Verdict::Holds);
    let (applied, _) = run.at(12_000).write(A, 0, 2);
    let [one] = &run.violations(LostUpdate)[..] else { panic!("one lost update") };
    assert_eq!(one.why, Why::Overwrote { writer: A, base: 0, replaced: 2, lost: Some(B) });
    assert_eq!(one.kind, Some(InstanceKind::Lost(LossKind::Overwrote)));
    assert_eq!(one.evidence, [read, lost, applied]);
}

#[test]
fn a_blind_write_loses_nothing() {
    let mut run = Run::new();
    run.take(A, 10_000);
    run.write(A, 0, 0);
    run.write(A, None, 1);
    assert_eq!(run.verdict(LostUpdate), Verdict::Holds);
}

#[test]
fn an_operation_applied_twice_is_one_violation() {
    for base in [Some(0), None] {
        let mut run = Run::new();
        run.take(A, 10_000);
        let (first, what) = run.at(7).write(A, base, 0);
        let Observation::Applied { resource, client, hold, op, token, base, value, .. } = what else { panic!() };
        let again = Observation::Applied { resource, client, hold, op, token, base, replaced: 1, value };
        let second = run.at(9).note(A, again);
        let [one] = &run.violations(LostUpdate)[..] else { panic!("one violation") };
        assert_eq!(one.why, Why::AppliedTwice { writer: A, op, first: ms(7) });
        assert_eq!(one.evidence, [first, second]);
    }
}
