//! The order of tokens.

use crate::run::{A, B, C, LOCK, OTHER_LOCK, Run};
use lockstep::verdicts::{Subject, Verdict, Why};
use lockstep::vocabulary::JudgeName::TokenOrder;
use lockstep::vocabulary::Token;

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
