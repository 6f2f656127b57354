//! How the client takes, checks and gives back a lock: on one Redis node, or on most of several, as Redlock has it.

use std::collections::hash_map::RandomState;
use std::hash::{BuildHasher as _, Hasher as _};
use std::time::{Duration, Instant, SystemTime};

use lockstep::scenario::Setup;
use lockstep::vocabulary::{
    AcquireMode, ClockChoice, HoldId, NodeId, Nonce, ReleaseMode, Replies, ServiceIx, Span, Token, TokenSource,
};
use lockstep::world::{Closing, Observation};

use super::wire::Answer;
use super::{Client, Hold, Lock, note};
use crate::Outcome;
use crate::control::{say, tell};
use crate::frame::{COMPARE_DELETE, LOCK_AND_COUNT, Protocol, request};

/// Differs every time, for every process.
fn random() -> u64 {
    RandomState::new().build_hasher().finish()
}

/// The key of a service's lock.
pub(crate) fn lock_key(setup: &Setup, service: ServiceIx) -> String {
    format!("lock:{}", setup.service(service).name)
}

/// The key of a service's token counter.
pub(crate) fn counter_key(setup: &Setup, service: ServiceIx) -> String {
    format!("token:{}", setup.service(service).name)
}

impl Client {
    /// Whether the lock was taken; if not, the client has given up.
    pub(super) fn acquire(&mut self, service: ServiceIx) -> Outcome<bool> {
        let driver = self.driver(service);
        self.locks[service.ix()] = Lock::default();
        note(&Observation::Wants { service });
        let mut tries = 0;
        loop {
            let timeout = match self.attempt(service)? {
                Ok(token) => {
                    self.believe(service, token);
                    return Ok(true);
                }
                Err(timeout) => timeout,
            };
            note(&Observation::AttemptFailed { service, timeout });
            tries += 1;
            if driver.attempts.is_some_and(|most| tries >= most) {
                self.locks[service.ix()].nonce = None;
                note(&Observation::GaveUp { service });
                return Ok(false);
            }
            let jitter = random() % (driver.jitter.0 + 1);
            self.sleep_until(Instant::now() + self.real(driver.retry + Span(jitter)));
        }
    }

    /// One attempt with a fresh random value: the token that came with the lock, or whether it failed for want of an answer.
    fn attempt(&mut self, service: ServiceIx) -> Outcome<Result<Option<u64>, bool>> {
        let driver = self.driver(service);
        self.ask_primary(service);
        let nonce = Nonce(random());
        say(&format!("attempt {service} {nonce}"));
        let lock = &mut self.locks[service.ix()];
        lock.nonce = Some(nonce);
        lock.began = Some((Instant::now(), SystemTime::now()));
        let (key, value) = (lock_key(&self.setup, service), nonce.to_string());
        let ttl = driver.ttl.map(|ttl| self.real(ttl).as_millis().to_string());
        let counter = counter_key(&self.setup, service);
        let command = match (driver.token, driver.acquire, &ttl) {
            (TokenSource::Counter, _, Some(ttl)) => {
                request(&["EVAL", LOCK_AND_COUNT, "2", &key, &counter, &value, ttl])
            }
            (_, AcquireMode::SetNx, _) => request(&["SETNX", &key, &value]),
            (_, _, Some(ttl)) => request(&["SET", &key, &value, "NX", "PX", ttl]),
            (_, _, None) => request(&["SET", &key, &value, "NX"]),
        };
        let answers = self.ask_nodes(service, &command)?;
        let votes: Vec<_> = answers.iter().filter_map(|answer| vote(answer, driver.token)).collect();
        let needed = driver.voting.quorum.unwrap_or(self.setup.service(service).quorum) as usize;
        if votes.len() < needed || !self.is_in_time(service) {
            if driver.voting.release_failed {
                self.ask_release(service, false)?;
            }
            let silent = answers.iter().filter(|answer| !matches!(answer, Answer::Words(_))).count();
            return Ok(Err(votes.len() + silent >= needed));
        }
        let mut part = 0;
        if let (AcquireMode::SetNx, Some(ttl)) = (driver.acquire, &ttl) {
            part += 1;
            say(&format!("line {} {part}", self.line));
            let command = request(&["PEXPIRE", &key, ttl]);
            if self.ask_first(service, &command, Span::ZERO)?.is_none() {
                return Ok(Err(true));
            }
        }
        if let Some(wait) = driver.wait {
            say(&format!("line {} {}", self.line, part + 1));
            if let Err(timeout) = self.wait_for_copies(service, wait)? {
                return Ok(Err(timeout));
            }
        }
        Ok(Ok(votes.into_iter().max().and_then(|vote| vote.0)))
    }

    /// Whether something is left of the lease, for drivers that look before they believe.
    fn is_in_time(&self, service: ServiceIx) -> bool {
        let driver = self.driver(service);
        let (Some(lease), Some((mono, wall))) = (driver.safe_lease(), self.locks[service.ix()].began) else {
            return true;
        };
        match driver.voting.elapsed_clock {
            ClockChoice::None => true,
            ClockChoice::Monotonic => mono.elapsed() < self.real(lease),
            // A clock that was set back shows that no time has passed.
            ClockChoice::Wall => wall.elapsed().unwrap_or_default() < self.real(lease),
        }
    }

    fn believe(&mut self, service: ServiceIx, token: Option<u64>) {
        let driver = self.driver(service);
        let lease = driver.safe_lease().map(|lease| self.real(lease));
        let id = HoldId(self.fresh());
        let lock = &mut self.locks[service.ix()];
        let (until, wall_until) = match (lock.began, lease) {
            // Code that measures by the wall clock counts what is left from now.
            (Some((_, wall)), Some(lease)) if driver.voting.elapsed_clock == ClockChoice::Wall => {
                let left = lease.saturating_sub(wall.elapsed().unwrap_or_default());
                (Some(Instant::now() + left), Some(wall + lease))
            }
            (Some((mono, wall)), Some(lease)) => (Some(mono + lease), Some(wall + lease)),
            _ => (None, None),
        };
        lock.hold = Some(Hold { id, until, wall_until });
        (lock.acting, lock.token) = (Some(id), token);
        let nonce = lock.nonce.unwrap_or_default();
        note(&Observation::Acquired { service, hold: id, nonce, token: token.map(Token), believed_until: None });
    }

    /// The `check` line: whether the lease is good by the driver's clock.
    pub(super) fn check(&mut self, service: ServiceIx) -> bool {
        let good = match (self.locks[service.ix()].hold, self.driver(service).check_clock) {
            (None, _) => false,
            (Some(_), ClockChoice::None) => true,
            (Some(hold), ClockChoice::Monotonic) => hold.until.is_none_or(|until| Instant::now() < until),
            (Some(hold), ClockChoice::Wall) => hold.wall_until.is_none_or(|until| SystemTime::now() < until),
        };
        if good {
            note(&Observation::CheckPassed { service });
        } else {
            note(&Observation::CheckFailed { service });
            self.close_hold(service, Closing::Deadline);
        }
        good
    }

    pub(super) fn release(&mut self, service: ServiceIx) -> Outcome {
        self.close_hold(service, Closing::Released);
        self.ask_release(service, self.driver(service).await_release)?;
        self.locks[service.ix()] = Lock::default();
        Ok(())
    }

    /// Asks all nodes to forget the last attempt.
    fn ask_release(&mut self, service: ServiceIx, await_reply: bool) -> Outcome {
        self.ask_primary(service);
        let key = lock_key(&self.setup, service);
        let command = match (self.driver(service).release, self.locks[service.ix()].nonce) {
            (ReleaseMode::CompareAndDelete, Some(nonce)) => {
                request(&["EVAL", COMPARE_DELETE, "1", &key, &nonce.to_string()])
            }
            (ReleaseMode::Delete, Some(_)) => request(&["DEL", &key]),
            _ => return Ok(()),
        };
        if await_reply {
            return self.ask_nodes(service, &command).map(drop);
        }
        for node in self.nodes(service) {
            self.send_off(node, Protocol::Redis, &command)?;
        }
        Ok(())
    }

    /// The reply of the first node, if there was one; the node itself may take its time for it.
    pub(super) fn ask_first(&mut self, service: ServiceIx, command: &[u8], takes: Span) -> Outcome<Option<String>> {
        let first = self.nodes(service)[0];
        match self.ask(&[first], service, command, takes)?.remove(0) {
            Answer::Words(mut words) => Ok(Some(words.remove(0))),
            Answer::Lost | Answer::Late => Ok(None),
        }
    }

    fn ask_nodes(&mut self, service: ServiceIx, command: &[u8]) -> Outcome<Vec<Answer>> {
        self.ask(&self.nodes(service), service, command, Span::ZERO)
    }

    /// Asks all of these at once and waits for every reply, but no longer than the timeout. Where there was none, the
    /// connection is given up: a late reply is never heard.
    ///
    /// The timeout alone keeps its length in a replay: what it tells apart, a slow answer from none, is no matter of scale.
    fn ask(&mut self, nodes: &[NodeId], service: ServiceIx, command: &[u8], takes: Span) -> Outcome<Vec<Answer>> {
        let driver = self.driver(service);
        let needed = driver.voting.quorum.unwrap_or(self.setup.service(service).quorum) as usize;
        let began = Instant::now();
        for node in nodes {
            self.send(*node, Protocol::Redis, command)?;
        }
        let deciding = driver.voting.replies == Replies::Deciding;
        let enough = |answers: &[Answer]| {
            let votes = answers.iter().filter(|answer| vote(answer, driver.token).is_some()).count();
            deciding && votes >= needed
        };
        let until = driver.timeout.map(|timeout| began + Duration::from_micros(timeout.0) + self.real(takes));
        let answers = self.gather_enough(nodes, until, enough)?;
        let in_time = !answers.contains(&Answer::Late);
        for (node, answer) in nodes.iter().zip(&answers) {
            if takes == Span::ZERO && (in_time || *answer == Answer::Late) {
                tell(&format!("took {node} {}", began.elapsed().as_micros()));
            }
            self.heed(service, *node, answer);
            match answer {
                Answer::Late => self.hang_up(*node),
                Answer::Lost if nodes.len() == 1 => note(&Observation::OutcomeUnknown { peer: *node }),
                _ => {}
            }
        }
        Ok(answers)
    }
}

/// A yes, with the token that came with it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Vote(Option<u64>);

/// Whether a node said yes.
fn vote(answer: &Answer, source: TokenSource) -> Option<Vote> {
    let Answer::Words(words) = answer else { return None };
    match words[0].as_str() {
        "+OK" => Some(Vote(None)),
        ":1" if source != TokenSource::Counter => Some(Vote(None)),
        reply => reply.strip_prefix(':').and_then(|n| n.parse().ok()).filter(|n| *n > 0).map(|n| Vote(Some(n))),
    }
}
