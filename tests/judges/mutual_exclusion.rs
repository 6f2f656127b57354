//! Mutual exclusion.

use crate::run::{A, B, C, LOCK, OTHER_LOCK, Run, ms, only};
use lockstep::verdicts::{Subject, Verdict, Why};
use lockstep::vocabulary::JudgeName::MutualExclusion;
use lockstep::world::Ending;

#[test]
fn turns_do_not_overlap() {
    let mut run = Run::new();
    run.take(A, 10_000);
    run.at(500).close(A);
    run.end(A, Ending::Released);
    run.take(B, 10_000);
    assert_eq!(run.verdict(MutualExclusion), Verdict::Holds);
}

#[test]
fn a_paused_client_still_believes() {
    let mut run = Run::new();
    let [grant_a, acquired_a] = run.at(5).take(A, 10_000);
    let pause = run.at(500).pause(A);
    let ended = run.at(10_005).end(A, Ending::Expired);
    let [grant_b, acquired_b] = run.at(10_010).take(B, 10_000);
    let going_on = run.violations(MutualExclusion);
    assert_eq!((going_on[0].from, going_on[0].to), (ms(10_010), None));
    run.at(10_600).close(B);
    run.at(12_600).close(A);
    let [one] = &run.violations(MutualExclusion)[..] else { panic!("one overlap") };
    assert_eq!((one.from, one.to, one.known), (ms(10_010), Some(ms(10_600)), acquired_b));
    assert_eq!(one.subject, Subject::Lock(LOCK));
    assert_eq!(one.evidence, [grant_a, acquired_a, pause, ended, grant_b, acquired_b]);
    let ended = Some(Ending::Expired);
    assert_eq!(one.why, Why::TwoBelievers { lock: LOCK, older: A, newer: B, ended, paused: true });
    let overlap = run.judges.overlaps().next().expect("the same overlap");
    assert_eq!((overlap.older, overlap.newer, overlap.to), (A, B, Some(ms(10_600))));
}

#[test]
fn the_older_grant_is_named_first_even_if_its_reply_came_late() {
    let mut run = Run::new();
    run.grant(A, 10_000);
    run.pause(A);
    run.at(10_000).end(A, Ending::Expired);
    run.take(B, 10_000);
    run.at(10_100).resume(A);
    run.acquire(A);
    let ended = Some(Ending::Expired);
    let why = Why::TwoBelievers { lock: LOCK, older: A, newer: B, ended, paused: true };
    assert_eq!((run.violations(MutualExclusion)[0].why, only(&run, MutualExclusion)), (why, (10_100, None)));
}

#[test]
fn every_two_overlapping_holds_count_once() {
    let mut run = Run::new();
    for client in [A, B, C] {
        run.take(client, 10_000);
    }
    assert_eq!(run.violations(MutualExclusion).len(), 3, "A-B, A-C and B-C");
    run.close(B);
    run.take(B, 10_000);
    assert_eq!(run.violations(MutualExclusion).len(), 5, "the new hold overlaps with A's and C's");
}

#[test]
fn an_overlap_of_no_length_counts_and_a_handover_does_not() {
    let mut run = Run::new();
    run.take(A, 10_000);
    run.at(500).take(B, 10_000);
    run.close(A);
    assert_eq!(only(&run, MutualExclusion), (500, Some(500)));

    let mut run = Run::new();
    run.take(A, 10_000);
    run.at(500).close(A);
    run.take(B, 10_000);
    assert_eq!(run.verdict(MutualExclusion), Verdict::Holds);
}

#[test]
fn one_client_and_two_locks_exclude_nobody() {
    let mut run = Run::new();
    run.take(A, 10_000);
    run.take(A, 10_000);
    run.grant_of(OTHER_LOCK, B, 10_000, None);
    run.acquire_of(OTHER_LOCK, B);
    assert_eq!(run.verdict(MutualExclusion), Verdict::Holds);
}

#[test]
fn a_crash_ends_belief() {
    let mut run = Run::new();
    run.take(A, 10_000);
    run.at(100).crash(A, true);
    run.at(10_100).take(B, 10_000);
    assert_eq!(run.verdict(MutualExclusion), Verdict::Holds);
}
