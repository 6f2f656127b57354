//! Token order: tokens strictly increase in the order of grants.
//!
//! A token belongs to the grant that it came with or, if it was asked for separately, to the last grant of its client. So
//! "in the order of grants" is not "in the order in which tokens were given": a client that took the lock first and asked for
//! its token last gets the higher one, and that is a violation. Tokens of one and the same grant (a request repeated) are
//! free among themselves. One instance per token that conflicts with one of another grant; the nearest such grant is named.

use crate::scenario::Setup;
use crate::verdicts::ledger::{Grant, Ledger, Moment};
use crate::verdicts::log::Log;
use crate::verdicts::{Instance, Subject, Verdict, Why, evidence};
use crate::vocabulary::{ServiceIx, Token, TokenSource};
use crate::world::Observation;

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct TokenOrder {
    pub(crate) instances: Log<Instance>,
    /// For each lock the highest token so far.
    highest: Vec<Option<Token>>,
}

impl TokenOrder {
    pub(crate) fn new(setup: &Setup) -> Self {
        Self { instances: Log::new(), highest: vec![None; setup.services.len()] }
    }

    pub(crate) fn observe(&mut self, now: Moment, what: &Observation, ledger: &Ledger) {
        let (Observation::Granted { service: lock, client, token: Some(token), .. }
        | Observation::TokenGiven { service: lock, client, token }) = *what
        else {
            return;
        };
        let Some(place) = ledger.last_grant(lock, client) else { return };
        self.judge(now, lock, place, token, ledger);
        let highest = &mut self.highest[lock.ix()];
        *highest = (*highest).max(Some(token));
    }

    pub(crate) fn verdict(&self, setup: &Setup) -> Verdict {
        let pending = self.highest.iter().all(Option::is_none).then(|| {
            let mut drivers = setup.clients.iter().flat_map(|client| &client.drivers);
            let asked = drivers.any(|driver| driver.token != TokenSource::None);
            if asked { Why::NoTokenYet } else { Why::NoTokensHere }
        });
        Verdict::new(self.instances.iter(), pending)
    }

    fn judge(&mut self, now: Moment, lock: ServiceIx, place: u32, token: Token, ledger: &Ledger) {
        let conflicting = |other: &Grant, earlier: bool| {
            other.lock == lock
                && other.tokens.is_some_and(|tokens| if earlier { tokens.high >= token } else { tokens.low <= token })
        };
        let earlier = || (0..place).rev().find(|other| conflicting(ledger.grants.get(*other), true));
        let later = (place + 1..ledger.grants.len()).find(|other| conflicting(ledger.grants.get(*other), false));
        // Nothing before can be as high as a token that is higher than all so far.
        let rises = Some(token) > self.highest[lock.ix()];
        let Some(other) = later.or_else(|| if rises { None } else { earlier() }) else { return };
        let (mine, other_grant) = (ledger.grants.get(place), ledger.grants.get(other));
        let Some(tokens) = other_grant.tokens else { return };
        let why = if other > place {
            let (earlier, later) = (mine.client, other_grant.client);
            Why::TokenNotHigher { earlier, earlier_token: token, later, later_token: tokens.low }
        } else {
            let (earlier, later) = (other_grant.client, mine.client);
            Why::TokenNotHigher { earlier, earlier_token: tokens.high, later, later_token: token }
        };
        let steps = [mine.granted.step, other_grant.granted.step, tokens.given.step, now.step].map(Some);
        self.instances.push(Instance {
            subject: Subject::Lock(lock),
            kind: None,
            from: now.at,
            to: Some(now.at),
            known: now.step,
            why,
            evidence: evidence(steps),
        });
    }
}
