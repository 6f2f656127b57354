//! Progress.

use crate::run::{A, B, C, LOCK, OTHER_LOCK, Run, STALE, crashed_holder, kinds, ms, only};
use lockstep::verdicts::{InstanceKind, Keeper, Kept, Subject, Verdict, Why};
use lockstep::vocabulary::JudgeName::Progress;
use lockstep::vocabulary::{ProgressKind, Span, StepIx, Time};
use lockstep::world::{Ending, Observation, Rejection};

#[test]
fn a_lease_may_be_waited_out() {
    let mut run = crashed_holder(10_000);
    let kept = Kept {
        client: B,
        lock: LOCK,
        since: ms(300),
        allowed: Span::from_ms(10_000),
        by: Keeper::Crashed { owner: A, lease: Some(Span::from_ms(10_000)) },
    };
    assert_eq!(run.verdict(Progress), Verdict::Pending { why: Why::Waiting(kept) });
    run.at(10_000).end(A, Ending::Expired);
    run.at(10_100).take(B, 10_000);
    assert_eq!(run.verdict(Progress), Verdict::Holds);
}

#[test]
fn a_lease_that_is_waited_out_from_its_first_instant_is_in_order() {
    // A crashes before it hears of its grant, so that B waits for the whole lease, until the node notices (100 ms later at
    // most) and until B asks again (100 ms later at most).
    let mut run = Run::new();
    run.wants(B);
    run.crash(A, false);
    run.grant(A, 10_000);
    run.at(10_100).end(A, Ending::Expired);
    run.at(10_200).take(B, 10_000);
    assert_eq!(run.verdict(Progress), Verdict::Holds);
}

#[test]
fn a_leak_counts_from_the_end_of_what_was_allowed() {
    let mut run = crashed_holder(10_000);
    run.at(11_300).idle();
    assert!(!run.verdict(Progress).is_violated(), "the slack is not exceeded");
    run.at(70_000).end(A, Ending::Expired);
    assert_eq!(only(&run, Progress), (10_300, Some(70_000)));
    assert_eq!(kinds(&run, Progress), ["leak"]);
    run.at(70_100).take(B, 10_000);
    assert_eq!(only(&run, Progress), (10_300, Some(70_000)));
}

#[test]
fn a_violation_can_begin_between_steps() {
    let mut run = crashed_holder(None);
    assert!(!run.judges.verdict(Progress, ms(10_300)).is_violated(), "reaching the limit is not exceeding it");
    let after = Time(ms(10_300).0 + 1);
    let early = run.judges.verdict(Progress, after);
    let [one] = early.instances() else { panic!("one leak") };
    assert_eq!((one.from, one.to, one.known), (ms(10_300), None, StepIx(4)), "no later step is there yet");
    let step = run.at(20_000).idle();
    let [one] = &run.violations(Progress)[..] else { panic!("the same leak") };
    assert_eq!((one.from, one.to, one.known, one.subject), (ms(10_300), None, step, Subject::Client(B)));
    assert_eq!(one.evidence, [1, 3, 4, step.0].map(StepIx));
}

#[test]
fn the_end_of_the_run_ends_the_wait_for_a_verdict() {
    let mut run = crashed_holder(None);
    run.judges.finish(ms(10_300));
    assert!(!run.verdict(Progress).is_violated());
    run.judges.finish(ms(60_000));
    assert_eq!(only(&run, Progress), (10_300, None));
}

#[test]
fn an_owner_that_lives_but_does_not_believe_has_a_second() {
    let mut run = Run::new();
    run.take(A, 10_000);
    run.at(100).wants(B);
    run.at(500).close(A);
    assert!(!run.judges.verdict(Progress, ms(1_500)).is_violated());
    let verdict = run.judges.verdict(Progress, ms(1_501));
    assert_eq!(verdict.instances()[0].from, ms(1_500));
    assert!(matches!(verdict.instances()[0].why, Why::KeptOut(Kept { by: Keeper::Unaware { owner: A }, .. })));
}

#[test]
fn the_clock_starts_at_the_latest_of_its_causes() {
    // B begins to want long after the holder ceased to believe.
    let mut run = Run::new();
    run.take(A, 10_000);
    run.at(500).close(A);
    run.at(5_000).wants(B);
    assert!(!run.judges.verdict(Progress, ms(6_000)).is_violated());
    // The standing grant ends, so that nobody stands in the way: another ten seconds.
    run.at(5_900).end(A, Ending::Released);
    assert!(!run.judges.verdict(Progress, ms(15_900)).is_violated());
    assert_eq!(run.judges.verdict(Progress, ms(15_901)).instances()[0].from, ms(15_900));
    // Somebody else gets it, but does not hear of it in time.
    run.at(15_800).grant(C, 10_000);
    assert!(!run.judges.verdict(Progress, ms(16_800)).is_violated());
    run.at(16_801).acquire(C);
    assert_eq!(only(&run, Progress), (16_800, Some(16_801)), "ended waits keep their length");
}

#[test]
fn a_live_believer_is_a_reason_to_wait_even_if_paused() {
    let mut run = Run::new();
    run.take(A, None);
    run.wants(B);
    run.pause(A);
    run.at(60_000).idle();
    assert_eq!(run.verdict(Progress), Verdict::Holds);
}

#[test]
fn giving_up_does_not_end_wanting_and_a_crash_does() {
    let mut run = Run::new();
    run.wants(B);
    run.at(50).gives_up(B);
    assert!(run.judges.verdict(Progress, ms(10_001)).is_violated());
    run.at(20_000).crash(B, false);
    assert_eq!(only(&run, Progress), (10_000, Some(20_000)));
    run.at(30_000).restart(B);
    assert_eq!(only(&run, Progress), (10_000, Some(20_000)), "it does not want the lock yet");
    run.at(31_000).wants(B);
    assert_eq!(run.judges.verdict(Progress, ms(41_000)).instances().len(), 1);
    assert_eq!(run.judges.verdict(Progress, ms(41_001)).instances()[1].from, ms(41_000));
}

#[test]
fn without_a_grant_it_is_livelock() {
    let mut run = Run::new();
    run.wants(A);
    run.wants(B);
    run.at(10_000).idle();
    assert!(!run.verdict(Progress).is_violated());
    run.at(10_100).idle();
    assert_eq!(kinds(&run, Progress), ["livelock", "livelock"], "one for each client");
}

#[test]
fn a_paused_client_is_not_kept_out() {
    let mut run = Run::new();
    run.wants(B);
    run.at(5_000).pause(B);
    run.at(30_000).resume(B);
    assert!(!run.judges.verdict(Progress, ms(40_000)).is_violated());
    assert!(run.judges.verdict(Progress, ms(40_001)).is_violated());
}

#[test]
fn a_sleeping_machine_stops_its_client() {
    let mut run = Run::new();
    run.wants(B);
    run.suspend(B);
    assert!(!run.judges.verdict(Progress, ms(60_000)).is_violated());
}

#[test]
fn an_owner_that_is_paused_before_it_hears_of_its_grant_has_its_lease() {
    let mut run = Run::new();
    run.wants(B);
    run.pause(A);
    run.grant(A, 10_000);
    run.at(9_000).resume(A);
    assert!(!run.judges.verdict(Progress, ms(10_000)).is_violated(), "a second to react");
    assert_eq!(run.judges.verdict(Progress, ms(10_001)).instances()[0].from, ms(10_000));
}

#[test]
fn a_restarted_owner_cannot_give_back_what_it_forgot() {
    let mut run = crashed_holder(10_000);
    run.at(1_000).restart(A);
    run.at(1_001).wants(A);
    run.at(10_100).end(A, Ending::Expired);
    run.take(A, 10_000);
    assert_eq!(run.verdict(Progress), Verdict::Holds);
}

#[test]
fn a_request_can_outlive_its_process() {
    // All in one instant: A sends its request, crashes, is back, and only then the service grants what nobody awaits.
    let waited = |restarted_before_sending: bool| {
        let mut run = Run::new();
        run.wants(B);
        let mut sent = run.idle();
        run.crash(A, false);
        run.restart(A);
        if restarted_before_sending {
            sent = run.idle();
        }
        run.grant_for(sent, A, 10_000);
        run.judges.verdict(Progress, ms(11_000)).is_violated()
    };
    assert!(!waited(false), "the lease is the only cure");
    assert!(waited(true), "the new process could give it back");
}

#[test]
fn a_client_can_wait_for_itself() {
    let mut run = Run::new();
    run.wants(A);
    run.grant(A, None);
    run.at(1_001).idle();
    assert_eq!(kinds(&run, Progress), ["deadlock"]);
    let mut run = Run::new();
    run.wants(A);
    run.grant(A, 10_000);
    run.at(1_001).idle();
    assert_eq!(kinds(&run, Progress), ["leak"], "a lease will end");
}

#[test]
fn holders_can_wait_for_each_other() {
    let mut run = Run::new();
    run.take(A, None);
    run.grant_of(OTHER_LOCK, B, None, None);
    run.acquire_of(OTHER_LOCK, B);
    run.at(100).note(A, Observation::Wants { service: OTHER_LOCK });
    run.at(5_000).idle();
    assert_eq!(run.verdict(Progress), Verdict::Holds, "B could go on");
    run.at(20_000).wants(B);
    run.at(30_000).idle();
    assert!(!run.verdict(Progress).is_violated());
    run.at(30_001).idle();
    assert_eq!(kinds(&run, Progress), ["deadlock", "deadlock"]);
    run.at(40_000).gives_up(B);
    assert!(run.violations(Progress).iter().all(|one| one.to == Some(ms(40_000))), "B goes on");
}

#[test]
fn fifty_grants_to_others_are_starvation() {
    let mut run = Run::new();
    run.wants(C);
    for turn in 0..50 {
        assert!(!run.verdict(Progress).is_violated());
        run.at(turn * 100).take(if turn % 2 == 0 { A } else { B }, 10_000);
        run.close(if turn % 2 == 0 { A } else { B });
    }
    assert_eq!((kinds(&run, Progress), only(&run, Progress)), (vec!["starvation"], (4_900, None)));
    run.at(5_500).take(C, 10_000);
    assert_eq!(only(&run, Progress), (4_900, Some(5_500)));
}

#[test]
fn a_holder_by_right_must_not_be_refused() {
    let mut run = Run::new();
    run.take(A, 10_000);
    run.refuse(A, Rejection::Duplicate { op: lockstep::vocabulary::OpId(0) });
    assert_eq!(run.verdict(Progress), Verdict::Holds, "its work is done");
    run.at(7).refuse(A, STALE);
    assert_eq!((kinds(&run, Progress), only(&run, Progress)), (vec!["refused"], (7, Some(7))));
}

#[test]
fn a_holder_without_a_right_may_be_refused() {
    let mut run = Run::new();
    run.take(A, 10_000);
    run.end(A, Ending::Expired);
    run.take(B, 10_000);
    run.refuse(A, STALE);
    assert_eq!(run.verdict(Progress), Verdict::Holds);
}

#[test]
fn a_setup_can_say_how_long_is_too_long() {
    let mut run = Run::with(|setup| setup.progress_max = Some(Span::from_ms(60_000)));
    run.take(A, 10_000);
    run.wants(B);
    run.crash(A, true);
    assert!(!run.judges.verdict(Progress, ms(60_000)).is_violated());
    assert!(run.judges.verdict(Progress, ms(60_001)).is_violated(), "exact, without slack");
    assert_eq!(run.judges.verdict(Progress, ms(60_001)).instances()[0].kind, {
        Some(InstanceKind::Progress(ProgressKind::Leak))
    });
}
