//! How the client takes, checks and gives back a lock on one Redis node.

use std::collections::hash_map::RandomState;
use std::hash::{BuildHasher as _, Hasher as _};
use std::time::{Duration, Instant, SystemTime};

use lockstep::scenario::Setup;
use lockstep::vocabulary::{
    AcquireMode, ClockChoice, HoldId, NodeId, Nonce, ReleaseMode, ServiceIx, Token, TokenSource,
};
use lockstep::world::{Closing, Observation};

use super::wire::Answer;
use super::{Client, Hold, Lock, note};
use crate::Outcome;
use crate::control::{say, tell};
use crate::frame::{COMPARE_DELETE, LOCK_AND_COUNT, NIL, Protocol, request};

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
            self.sleep_until(Instant::now() + self.real(driver.retry));
        }
    }

    /// One attempt with a fresh random value: the token that came with the lock, or whether it failed for want of an answer.
    fn attempt(&mut self, service: ServiceIx) -> Outcome<Result<Option<u64>, bool>> {
        let driver = self.driver(service);
        let nonce = Nonce(RandomState::new().build_hasher().finish());
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
        let node = self.lock_node(service);
        let token = match self.ask_redis(node, service, &command)? {
            Some(reply) if reply == "+OK" || reply == ":1" && driver.token != TokenSource::Counter => None,
            Some(reply) if reply == NIL || reply == ":0" => return Ok(Err(false)),
            Some(reply) => Some(reply.strip_prefix(':').ok_or_else(|| format!("an odd reply: {reply}"))?.parse()?),
            None => return Ok(Err(true)),
        };
        if let (AcquireMode::SetNx, Some(ttl)) = (driver.acquire, &ttl) {
            say(&format!("line {} 1", self.line));
            if self.ask_redis(node, service, &request(&["PEXPIRE", &key, ttl]))?.is_none() {
                return Ok(Err(true));
            }
        }
        Ok(Ok(token))
    }

    fn believe(&mut self, service: ServiceIx, token: Option<u64>) {
        let ttl = self.driver(service).ttl.map(|ttl| self.real(ttl));
        let id = HoldId(self.fresh());
        let lock = &mut self.locks[service.ix()];
        let (until, wall_until) = match (lock.began, ttl) {
            (Some((mono, wall)), Some(ttl)) => (Some(mono + ttl), Some(wall + ttl)),
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
        let driver = self.driver(service);
        self.close_hold(service, Closing::Released);
        let nonce = std::mem::take(&mut self.locks[service.ix()]).nonce;
        let key = lock_key(&self.setup, service);
        let command = match (driver.release, nonce) {
            (ReleaseMode::CompareAndDelete, Some(nonce)) => {
                request(&["EVAL", COMPARE_DELETE, "1", &key, &nonce.to_string()])
            }
            (ReleaseMode::Delete, Some(_)) => request(&["DEL", &key]),
            _ => return Ok(()),
        };
        let node = self.lock_node(service);
        if driver.await_release {
            self.ask_redis(node, service, &command)?;
            Ok(())
        } else {
            self.send_off(node, Protocol::Redis, &command)
        }
    }

    fn lock_node(&self, service: ServiceIx) -> NodeId {
        self.setup.service(service).nodes[0]
    }

    /// The reply; `None` if there was none in time. Then the connection is given up: a late reply is never heard.
    ///
    /// The timeout alone keeps its length in a replay: what it tells apart, a slow answer from none, is no matter of scale.
    fn ask_redis(&mut self, node: NodeId, service: ServiceIx, command: &[u8]) -> Outcome<Option<String>> {
        let began = Instant::now();
        let until = began + Duration::from_micros(self.driver(service).timeout.0);
        self.send(node, Protocol::Redis, command)?;
        let answer = self.gather(&[node], Some(until))?.remove(0);
        tell(&format!("took {node} {}", began.elapsed().as_micros()));
        match answer {
            Answer::Words(mut words) => Ok(Some(words.remove(0))),
            Answer::Late => {
                self.hang_up(node);
                Ok(None)
            }
            Answer::Lost => {
                note(&Observation::OutcomeUnknown { peer: node });
                Ok(None)
            }
        }
    }
}
