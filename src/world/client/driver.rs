//! The Redis lock driver: how a client takes and gives back a lock, on one node or on several.
//!
//! With one node the recipe is that of the Redis documentation ("Correct implementation with a single instance"): `SET key
//! nonce NX PX ttl` with a random nonce, and a script that deletes the key only if it still holds the nonce.
//!
//! With several it is Redlock (the same page, "The Redlock algorithm"):
//!
//! 1. read the clock, draw one nonce;
//! 2. send the same `SET … NX PX` to all nodes, with a timeout per node that is far below the lease;
//! 3. read the clock again: the lock is held if at least N/2 + 1 nodes stored the nonce and the time that passed is less
//!    than the lease, both less an allowance for clocks that drift;
//! 4. what is left of the lease by then is how long the lock may be used;
//! 5. otherwise delete the nonce on *all* nodes, also those that refused or were silent, wait for a random time, and try
//!    again.
//!
//! One node is the case N = 1: its answer is the only vote. What real code does otherwise is a knob of [`Driver`] and its
//! `Voting`. The lease is counted from before the requests were sent, so without clock faults the client's deadline is
//! never later than the nodes'.

use std::sync::Arc;

use super::answers::set_timeout;
use super::lease::{deadlines, left, plan_deadline, plan_renewal};
use super::release::release_command;
use super::votes::{Tally, Vote};
use super::{Awaiting, Client, Hold, LINE_TIMER, Lock};
use crate::vocabulary::{
    AcquireMode, ClockChoice, Driver, KeyId, NodeId, Nonce, Requests, ServiceIx, Span, StartOf, Token, TokenSource,
};
use crate::world::message::{Message, RedisCommand, RedisValue, SetExpire, SetWhen};
use crate::world::observation::Observation;
use crate::world::out::{Ctx, Out};
use crate::world::random::Purpose;

impl Client {
    pub(super) fn driver<'a>(&self, service: ServiceIx, ctx: Ctx<'a>) -> &'a Driver {
        &self.spec(ctx).drivers[service.ix()]
    }

    pub(super) const fn lock(&mut self, service: ServiceIx) -> &mut Lock {
        let ix = service.0 as usize;
        &mut self.locks.as_mut_slice()[ix]
    }

    pub(super) fn send_redis(&mut self, to: NodeId, command: RedisCommand, out: &mut Out<'_>) -> u32 {
        let rpc = self.fresh_rpc();
        out.send(to, Message::Redis { rpc, command });
        rpc
    }

    pub(super) fn run_acquire(&mut self, service: ServiceIx, ctx: Ctx<'_>, out: &mut Out<'_>) {
        if Self::is_zookeeper(service, ctx) {
            return self.queue_up(service, ctx, out);
        }
        if self.part == 0 {
            // Never 0: a hash without an id has that.
            let request = (self.draws as u16).wrapping_add(1).max(1);
            let lock = self.lock(service);
            *lock = Lock { wants: true, request, primary: lock.primary, doubts: lock.doubts, ..Lock::default() };
            out.note(Observation::Wants { service });
            self.attempt(service, ctx, out);
            return;
        }
        self.run_part(service, ctx, out);
    }

    /// Begins an attempt with a fresh nonce, or, for a re-entrant lock, with this process's mark.
    pub(super) fn attempt(&mut self, service: ServiceIx, ctx: Ctx<'_>, out: &mut Out<'_>) {
        if self.ask_primary(service, ctx, out) {
            return;
        }
        let driver = self.driver(service, ctx);
        let reentrant = driver.acquire.is_reentrant();
        let (purpose, nth) = if reentrant { (Purpose::Owner, self.born) } else { (Purpose::Nonce, self.draws) };
        let nonce = Nonce(ctx.word(purpose, nth));
        self.draws += 1;
        self.part = 0;
        self.awaiting = Awaiting::Lock;
        let asked = self.nodes(service, ctx).len();
        let lock = self.lock(service);
        if lock.nonce.is_none() || !driver.voting.one_value {
            lock.nonce = Some(nonce);
        }
        if lock.tries == 0 || driver.voting.start == StartOf::Attempt {
            lock.began_mono = ctx.mono_us;
            lock.began_wall = ctx.wall_us;
        }
        lock.votes = vec![Vote::Unasked; asked];
        self.ask_on(service, ctx, out);
    }

    /// Sends the current attempt to all nodes, or to the next one.
    pub(super) fn ask_on(&mut self, service: ServiceIx, ctx: Ctx<'_>, out: &mut Out<'_>) {
        let driver = self.driver(service, ctx);
        let Lock { nonce, request, .. } = self.locks[service.ix()];
        let (key, owner) = (KeyId::lock(service), nonce.unwrap_or_default());
        let value = RedisValue::Nonce(owner.0);
        let command = match (driver.token, driver.acquire) {
            (TokenSource::Counter, _) => {
                RedisCommand::LockScript { key, value, ttl: driver.ttl, counter: KeyId::counter(service) }
            }
            (_, AcquireMode::Reentrant | AcquireMode::ReentrantById) => {
                let request = (driver.acquire == AcquireMode::ReentrantById).then_some(request);
                RedisCommand::ReentrantLock { key, owner, ttl: driver.ttl, request }
            }
            (_, AcquireMode::SetNx) => RedisCommand::SetNx { key, value },
            (_, AcquireMode::Set) => {
                let expire = driver.ttl.map_or(SetExpire::Never, SetExpire::After);
                RedisCommand::Set { key, value, when: SetWhen::Missing, expire }
            }
        };
        for (ix, node) in self.nodes(service, ctx).iter().enumerate() {
            if self.locks[service.ix()].votes[ix] == Vote::Unasked {
                let rpc = self.send_redis(*node, command, out);
                self.lock(service).votes[ix] = Vote::Waiting { rpc };
                if driver.voting.requests == Requests::Sequential {
                    break;
                }
            }
        }
        set_timeout(driver, ctx, out);
    }

    /// Step 3: enough votes, in time?
    pub(super) fn decide(&mut self, service: ServiceIx, tally: &Tally, ctx: Ctx<'_>, out: &mut Out<'_>) {
        let (driver, needed) = (self.driver(service, ctx), self.needed(service, ctx));
        let lock = &self.locks[service.ix()];
        let left_us = match driver.voting.elapsed_clock {
            ClockChoice::None => None,
            ClockChoice::Wall => left(driver, lock.began_wall, ctx.wall_us),
            ClockChoice::Monotonic => left(driver, lock.began_mono, ctx.mono_us),
        };
        if lock.votes.len() > 1 || left_us.is_some() {
            out.note(Observation::Counted { service, votes: tally.yes, needed, left_us });
        }
        let late = left_us.is_some_and(|left| left <= 0);
        if tally.yes < needed || late {
            let keeps = late && tally.yes >= needed && !driver.voting.release_late;
            self.attempt_ended(service, tally.yes + tally.silent >= needed, !keeps, ctx, out);
        } else if driver.voting.raise_errors && tally.silent > 0 {
            out.note(Observation::AttemptFailed { service, timeout: true });
            self.give_up(service, ctx, out);
        } else {
            self.lock(service).token = tally.token;
            self.part_done(service, ctx, out);
        }
    }

    /// One part of `acquire` succeeded: runs the next, or opens the hold.
    pub(super) fn part_done(&mut self, service: ServiceIx, ctx: Ctx<'_>, out: &mut Out<'_>) {
        self.awaiting = Awaiting::Nothing;
        if self.has_next_part(service, ctx) {
            self.part += 1;
            out.run();
            return;
        }
        let driver = self.driver(service, ctx);
        let lock = self.lock(service);
        let nonce = lock.nonce.unwrap_or_default();
        let made = match driver.token {
            TokenSource::Random => Some(Token(nonce.0 & 0xffff)),
            TokenSource::Counter if lock.votes.len() > 1 => lock.token,
            _ => None,
        };
        if let Some(token) = made {
            // No single node gave this token: it is the client that makes it.
            lock.token = made;
            out.note(Observation::TokenGiven { service, client: ctx.me, token });
        }
        let token = lock.token;
        let (believed_until, wall_until) = deadlines(driver, (lock.began_mono, lock.began_wall), ctx);
        let hold =
            Hold { service, hold: out.fresh_hold(), nonce, token, since: ctx.mono_us, believed_until, wall_until };
        lock.wants = false;
        lock.hold = Some(Arc::new(hold));
        lock.acting = Some(hold.hold);
        out.note(Observation::Acquired { service, hold: hold.hold, nonce, token, believed_until });
        plan_deadline(driver, &hold, out);
        plan_renewal(driver, service, ctx, out);
        self.next_line(ctx, out);
    }

    pub(super) fn attempt_failed(&mut self, service: ServiceIx, timeout: bool, ctx: Ctx<'_>, out: &mut Out<'_>) {
        self.attempt_ended(service, timeout, true, ctx, out);
    }

    /// An attempt failed. What it got may be given back, if the driver does that at all.
    fn attempt_ended(&mut self, service: ServiceIx, timeout: bool, back: bool, ctx: Ctx<'_>, out: &mut Out<'_>) {
        out.note(Observation::AttemptFailed { service, timeout });
        let driver = self.driver(service, ctx);
        let lock = self.lock(service);
        lock.tries += 1;
        let last = driver.attempts.is_some_and(|most| lock.tries >= most);
        if back
            && driver.voting.release_failed
            && (last || !driver.voting.one_value)
            && let Some(command) = release_command(driver, service, self.locks[service.ix()].nonce)
        {
            for node in self.nodes(service, ctx) {
                self.send_redis(*node, command, out);
            }
        }
        if last {
            self.give_up(service, ctx, out);
            return;
        }
        let mut pause = driver.retry;
        if driver.jitter > Span::ZERO {
            pause = pause + ctx.span(Purpose::Jitter, self.draws, driver.jitter);
            self.draws += 1;
        }
        self.awaiting = Awaiting::Timer;
        out.set_timer(LINE_TIMER, ClockChoice::Monotonic, ctx.mono_us + pause.0 as i64);
    }

    /// `acquire` fails for good.
    fn give_up(&mut self, service: ServiceIx, ctx: Ctx<'_>, out: &mut Out<'_>) {
        self.lock(service).nonce = None;
        out.note(Observation::GaveUp { service });
        self.abort(service, ctx, out);
    }

    /// How many votes the client needs.
    pub(super) fn needed(&self, service: ServiceIx, ctx: Ctx<'_>) -> u32 {
        self.driver(service, ctx).voting.quorum.unwrap_or(ctx.setup.service(service).quorum)
    }
}
