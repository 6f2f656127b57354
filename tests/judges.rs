//! Each definition of a judge, on a run written by hand.

#[path = "judges/run.rs"]
mod run;

use lockstep::scenario::{Expect, Expected};
use lockstep::verdicts::{
    Constant, CostSheet, InstanceKind, Keeper, Kept, LossKind, Mismatch, Subject, Verdict, Why, verify,
};
use lockstep::vocabulary::{Contact, JudgeName, ProgressKind, ResourceIx, Span, StepIx, Time, Token, TokenSource};
use lockstep::world::{Ending, Observation, Rejection};
use run::{A, B, C, LOCK, OTHER_LOCK, Run};

use JudgeName::{Divergence, LostUpdate, MutualExclusion, Progress, StaleWrite, TokenOrder};

const STALE: Rejection = Rejection::StaleToken { token: Some(Token(33)), highest: Token(34) };

fn ms(ms: u64) -> Time {
    Time::from_ms(ms)
}

/// From and to of the only violation, in milliseconds.
fn only(run: &Run, judge: JudgeName) -> (u64, Option<u64>) {
    let [one] = &run.violations(judge)[..] else { panic!("not one violation: {:?}", run.violations(judge)) };
    (one.from.ms(), one.to.map(Time::ms))
}

fn kinds(run: &Run, judge: JudgeName) -> Vec<&'static str> {
    run.violations(judge).iter().map(|one| one.kind.map_or("", InstanceKind::name)).collect()
}

// Mutual exclusion

#[test]
fn nothing_is_said_before_anything_happened() {
    let run = Run::new();
    let said: Vec<_> = run.judges.verdicts(Time::ZERO).into_iter().map(|(_, verdict)| verdict).collect();
    let pending = |why| Verdict::Pending { why };
    assert_eq!(
        said,
        [
            pending(Why::NobodyHeldYet),
            pending(Why::NoWriteYet),
            pending(Why::NoWriteYet),
            pending(Why::NoTokensHere),
            Verdict::Holds,
            Verdict::Holds
        ]
    );
    let bare = Run::with(|setup| setup.resources.clear());
    assert_eq!(bare.verdict(StaleWrite), pending(Why::NoStorageHere));
    assert_eq!(bare.verdict(LostUpdate), pending(Why::NoStorageHere));
    let fenced = Run::with(|setup| setup.clients[0].drivers[0].token = TokenSource::Counter);
    assert_eq!(fenced.verdict(TokenOrder), pending(Why::NoTokenYet));
}

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

// Stale write

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

// Lost update

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

// Token order

#[test]
fn tokens_rise_with_grants() {
    let mut run = Run::new();
    run.grant_of(LOCK, A, 10_000, 33);
    run.grant_of(LOCK, B, 10_000, 34);
    run.grant_of(OTHER_LOCK, A, 10_000, 1);
    assert_eq!(run.verdict(TokenOrder), Verdict::Holds);
    run.grant_of(LOCK, C, 10_000, 34);
    let [one] = &run.violations(TokenOrder)[..] else { panic!("equal is not higher") };
    let tokens = (Token(34), Token(34));
    let expected = Why::TokenNotHigher { earlier: B, earlier_token: tokens.0, later: C, later_token: tokens.1 };
    assert_eq!((one.why, one.subject), (expected, Subject::Lock(LOCK)));
}

#[test]
fn the_order_is_that_of_grants_not_of_tokens() {
    let mut run = Run::new();
    let granted_a = run.grant(A, 10_000);
    let granted_b = run.grant(B, 10_000);
    let given_b = run.token(B, 33);
    assert_eq!(run.verdict(TokenOrder), Verdict::Holds);
    let given_a = run.token(A, 34);
    let [one] = &run.violations(TokenOrder)[..] else { panic!("one violation") };
    let (earlier_token, later_token) = (Token(34), Token(33));
    assert_eq!(one.why, Why::TokenNotHigher { earlier: A, earlier_token, later: B, later_token });
    assert_eq!(one.evidence, [granted_a, granted_b, given_b, given_a]);
}

#[test]
fn tokens_of_one_grant_are_free_among_themselves() {
    let mut run = Run::new();
    run.grant(A, 10_000);
    run.token(A, 33);
    run.token(A, 34);
    assert_eq!(run.verdict(TokenOrder), Verdict::Holds);
    run.grant_of(LOCK, B, 10_000, 34);
    assert_eq!(run.violations(TokenOrder).len(), 1, "not above the higher of A's two");
}

// Progress

/// A takes the lock at 0 and crashes at 300; B wants it from 100 on.
fn crashed_holder(lease: impl Into<Option<u64>>) -> Run {
    let mut run = Run::new();
    run.wants(A);
    run.take(A, lease);
    run.at(100).wants(B);
    run.at(300).crash(A, true);
    run
}

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

// Cost

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

// Expectations

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

#[test]
fn judges_that_saw_the_same_are_the_same() {
    use std::hash::{DefaultHasher, Hash, Hasher};
    let digest = |run: &Run| {
        let mut hasher = DefaultHasher::new();
        run.judges.hash(&mut hasher);
        hasher.finish()
    };
    let (one, mut two) = (crashed_holder(10_000), crashed_holder(10_000));
    assert_eq!((&one.judges, digest(&one)), (&two.judges, digest(&two)));
    two.take(B, 10_000);
    assert_ne!(one.judges, two.judges);
}
