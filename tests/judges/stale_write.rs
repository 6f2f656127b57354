//! Stale writes.

use crate::run::{A, B, OTHER_LOCK, Run, STALE, kinds, ms};
use lockstep::verdicts::{InstanceKind, Subject, Verdict};
use lockstep::vocabulary::JudgeName::StaleWrite;
use lockstep::vocabulary::{Contact, ResourceIx, StepIx};
use lockstep::world::Ending;

#[test]
fn a_write_after_another_grant_is_stale() {
    let mut run = Run::new();
    let [grant_a, acquired_a] = run.take(A, 10_000);
    run.read(A, 0);
    let pause = run.pause(A);
    run.at(10_000).end(A, Ending::Expired);
    let [grant_b, _] = run.take(B, 10_000);
    let (applied, _) = run.at(12_000).write(A, 0, 0);
    let [one] = &run.violations(StaleWrite)[..] else { panic!("one stale write") };
    assert_eq!(one.subject, Subject::Resource(ResourceIx(0)));
    assert_eq!(one.kind, Some(InstanceKind::Stale(Contact::Before)));
    assert_eq!((one.from, one.to, one.known), (ms(12_000), Some(ms(12_000)), applied));
    assert_eq!(one.evidence, [grant_a, acquired_a, pause, grant_b, applied]);
}

#[test]
fn contact_is_a_read_a_write_or_a_refusal_of_a_newer_hold() {
    let contact = |touch: fn(&mut Run) -> StepIx| {
        let mut run = Run::new();
        run.take(A, 10_000);
        run.read(A, 0);
        run.end(A, Ending::Expired);
        run.take(B, 10_000);
        touch(&mut run);
        run.write(A, 0, 0);
        kinds(&run, StaleWrite)
    };
    assert_eq!(contact(Run::idle), ["before"]);
    assert_eq!(contact(|run| run.read(B, 0)), ["after"]);
    assert_eq!(contact(|run| run.write(B, 0, 0).0), ["after"]);
    assert_eq!(contact(|run| run.refuse(B, STALE)), ["after"]);
    assert_eq!(contact(|run| run.read(A, 0)), ["before"], "the writer's own contact is none");
}

#[test]
fn contact_of_an_older_hold_is_none() {
    let mut run = Run::new();
    run.take(B, 10_000);
    run.read(B, 0);
    run.close(B);
    run.end(B, Ending::Released);
    run.take(A, 10_000);
    run.end(A, Ending::Expired);
    run.grant(B, 10_000);
    run.write(A, 0, 0);
    assert_eq!(kinds(&run, StaleWrite), ["before"]);
}

#[test]
fn the_end_of_a_grant_alone_makes_no_write_stale() {
    let mut run = Run::new();
    run.take(A, 10_000);
    run.at(10_000).end(A, Ending::Expired);
    run.at(12_000).write(A, 0, 0);
    assert_eq!(run.verdict(StaleWrite), Verdict::Holds);
    run.grant(A, 10_000);
    run.write(A, 1, 1);
    assert_eq!(run.verdict(StaleWrite), Verdict::Holds, "another grant to the same client");
    run.grant_of(OTHER_LOCK, B, 10_000, None);
    run.write(A, 2, 2);
    assert_eq!(run.verdict(StaleWrite), Verdict::Holds, "another lock");
}

#[test]
fn a_closed_hold_can_still_write_and_a_revived_grant_does_not_help() {
    let mut run = Run::new();
    run.take(A, 10_000);
    run.close(A);
    run.end(A, Ending::Expired);
    run.grant(B, 10_000);
    run.end(B, Ending::Released);
    run.grant(A, 10_000);
    run.write(A, 0, 0);
    assert_eq!(kinds(&run, StaleWrite), ["before"], "B never believed, and A was granted the lock again since");
}
