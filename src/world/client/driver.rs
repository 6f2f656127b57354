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

use super::failover::sentinel;
use super::lease::{plan_deadline, plan_renewal};
use super::votes::{Tally, Vote};
use super::{Awaiting, Client, Hold, LINE_TIMER, Lock, TIMEOUT_TIMER};
use crate::vocabulary::{
    AcquireMode, ClockChoice, Driver, KeyId, Line, NodeId, Nonce, ReleaseMode, Replies, Requests, ServiceIx, Span,
    StartOf, Token, TokenSource,
};
use crate::world::message::{Message, RedisCommand, RedisReply, RedisValue, SetExpire, SetWhen};
use crate::world::observation::{Closing, Observation};
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
        lock.nonce = Some(nonce);
        if lock.tries == 0 || driver.voting.start == StartOf::Attempt {
            lock.began_mono = ctx.mono_us;
            lock.began_wall = ctx.wall_us;
        }
        lock.votes = vec![Vote::Unasked; asked];
        self.ask_on(service, ctx, out);
    }

    /// Sends the current attempt to all nodes, or to the next one.
    fn ask_on(&mut self, service: ServiceIx, ctx: Ctx<'_>, out: &mut Out<'_>) {
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

    pub(super) fn on_redis_reply(&mut self, rpc: u32, reply: RedisReply, ctx: Ctx<'_>, out: &mut Out<'_>) {
        if let Some(service) = self.renewing(rpc) {
            self.on_renewal_reply(service, rpc, reply, ctx, out);
            return;
        }
        if self.awaiting == (Awaiting::Part { rpc }) {
            return self.on_part_reply(reply, ctx, out);
        }
        let Some((service, ix)) = self.waiting(|_, _, vote| *vote == Vote::Waiting { rpc }) else { return };
        self.heed(service, reply, ctx);
        let token = self.driver(service, ctx).token;
        self.lock(service).votes[ix] = match reply {
            RedisReply::Int(n) if token == TokenSource::Counter => Vote::Yes { token: Some(Token(n as u64)) },
            RedisReply::Ok | RedisReply::Int(1..) => Vote::Yes { token: None },
            _ => Vote::No,
        };
        self.go_on(service, ctx, out);
    }

    /// The first node of the first service whose vote fits.
    fn waiting(&self, fits: impl Fn(ServiceIx, usize, &Vote) -> bool) -> Option<(ServiceIx, usize)> {
        self.locks.iter().zip(0..).find_map(|(lock, service)| {
            let service = ServiceIx(service);
            let place = lock.votes.iter().enumerate().position(|(ix, vote)| fits(service, ix, vote))?;
            Some((service, place))
        })
    }

    /// The service whose answers the current line waits for, if it does.
    pub(super) fn asking(&self, ctx: Ctx<'_>) -> Option<ServiceIx> {
        let line = self.spec(ctx).program.get(self.line.ix()).copied()?;
        match (line, self.awaiting) {
            (Line::Acquire(service), Awaiting::Lock | Awaiting::Part { .. })
            | (Line::Release(service), Awaiting::Release)
            | (Line::Acquire(service) | Line::Release(service), Awaiting::Primary { .. }) => Some(service),
            _ => None,
        }
    }

    /// After an answer or its loss: asks on, or decides.
    fn go_on(&mut self, service: ServiceIx, ctx: Ctx<'_>, out: &mut Out<'_>) {
        if self.asking(ctx) != Some(service) {
            return;
        }
        let voting = &self.driver(service, ctx).voting;
        let tally = Tally::of(&self.locks[service.ix()].votes);
        let needed = self.needed(service, ctx);
        match self.awaiting {
            Awaiting::Release if tally.waiting == 0 => {
                out.cancel_timer(TIMEOUT_TIMER);
                self.next_line(ctx, out);
            }
            Awaiting::Lock => {
                let clear = voting.replies == Replies::Deciding && tally.decides(needed);
                if clear || tally.open() == 0 {
                    out.cancel_timer(TIMEOUT_TIMER);
                    self.decide(service, &tally, ctx, out);
                } else if tally.waiting == 0 {
                    self.ask_on(service, ctx, out);
                }
            }
            _ => {}
        }
    }

    /// Step 3: enough votes, in time?
    fn decide(&mut self, service: ServiceIx, tally: &Tally, ctx: Ctx<'_>, out: &mut Out<'_>) {
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
        if tally.yes >= needed && left_us.is_none_or(|left| left > 0) {
            self.lock(service).token = tally.token;
            self.part_done(service, ctx, out);
        } else {
            self.attempt_failed(service, tally.yes + tally.silent >= needed, ctx, out);
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
        out.note(Observation::AttemptFailed { service, timeout });
        let driver = self.driver(service, ctx);
        if driver.voting.release_failed
            && let Some(command) = release_command(driver, service, self.locks[service.ix()].nonce)
        {
            for node in self.nodes(service, ctx) {
                self.send_redis(*node, command, out);
            }
        }
        let lock = self.lock(service);
        lock.tries += 1;
        if driver.attempts.is_some_and(|most| lock.tries >= most) {
            lock.nonce = None;
            out.note(Observation::GaveUp { service });
            self.abort(service, ctx, out);
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

    /// No reply in time: the connection is given up, so a late reply is never heard.
    pub(super) fn on_timeout(&mut self, ctx: Ctx<'_>, out: &mut Out<'_>) {
        let Some(service) = self.asking(ctx) else { return };
        if let Awaiting::Primary { .. } = self.awaiting {
            self.primary_unknown(service, ctx, out);
            return;
        }
        let node = self.nodes(service, ctx)[0];
        self.doubt(node, ctx);
        if let Awaiting::Part { .. } = self.awaiting {
            out.close(node);
            self.attempt_failed(service, true, ctx, out);
            return;
        }
        for (ix, node) in self.nodes(service, ctx).iter().enumerate() {
            let vote = &mut self.lock(service).votes[ix];
            if let Vote::Waiting { .. } = vote {
                *vote = Vote::Silent;
                out.close(*node);
            }
        }
        self.go_on(service, ctx, out);
    }

    /// A node's connection is gone: what was asked there will not be answered. True if the current line waits for it.
    pub(super) fn node_lost(&mut self, peer: NodeId, ctx: Ctx<'_>, out: &mut Out<'_>) {
        self.doubt(peer, ctx);
        let asking = self.asking(ctx);
        if let (Some(service), Awaiting::Primary { .. }) = (asking, self.awaiting) {
            if sentinel(service, ctx) == Some(peer) {
                out.cancel_timer(TIMEOUT_TIMER);
                self.primary_unknown(service, ctx, out);
            }
            return;
        }
        if let (Some(service), Awaiting::Part { .. }) = (asking, self.awaiting) {
            if self.nodes(service, ctx)[0] == peer {
                out.note(Observation::OutcomeUnknown { peer });
                out.cancel_timer(TIMEOUT_TIMER);
                self.attempt_failed(service, true, ctx, out);
            }
            return;
        }
        let all: Vec<&[NodeId]> = (0..self.locks.len()).map(|ix| self.nodes(ServiceIx(ix as u8), ctx)).collect();
        let waits = |service: ServiceIx, ix: usize, vote: &Vote| {
            matches!(vote, Vote::Waiting { .. }) && all[service.ix()].get(ix) == Some(&peer)
        };
        while let Some((service, ix)) = self.waiting(waits) {
            self.lock(service).votes[ix] = Vote::Silent;
            if asking == Some(service) {
                out.note(Observation::OutcomeUnknown { peer });
                self.go_on(service, ctx, out);
            }
        }
    }

    pub(super) fn release(&mut self, service: ServiceIx, ctx: Ctx<'_>, out: &mut Out<'_>) {
        self.close_hold(service, Closing::Released, out);
        let lock = self.lock(service);
        lock.lost = false;
        lock.acting = None;
        lock.token = None;
        lock.votes.fill(Vote::Unasked);
        let sends = lock.nonce.is_some() && self.driver(service, ctx).release != ReleaseMode::Never;
        if !sends || !self.ask_primary(service, ctx, out) {
            self.send_release(service, ctx, out);
        }
    }

    pub(super) fn send_release(&mut self, service: ServiceIx, ctx: Ctx<'_>, out: &mut Out<'_>) {
        let driver = self.driver(service, ctx);
        let lock = self.lock(service);
        let nonce = lock.nonce.take();
        let Some(command) = release_command(driver, service, nonce) else { return self.next_line(ctx, out) };
        for (ix, node) in self.nodes(service, ctx).iter().enumerate() {
            let rpc = self.send_redis(*node, command, out);
            if driver.await_release {
                self.lock(service).votes[ix] = Vote::Waiting { rpc };
            }
        }
        if driver.await_release {
            self.awaiting = Awaiting::Release;
            set_timeout(driver, ctx, out);
        } else {
            self.next_line(ctx, out);
        }
    }

    /// How many votes the client needs.
    pub(super) fn needed(&self, service: ServiceIx, ctx: Ctx<'_>) -> u32 {
        self.driver(service, ctx).voting.quorum.unwrap_or(ctx.setup.service(service).quorum)
    }
}

/// What is left of a lease that began at `began`, in microseconds; `None` if it has no end.
pub(super) fn left(driver: &Driver, began: i64, now: i64) -> Option<i64> {
    driver.safe_lease().map(|lease| lease.0 as i64 - (now - began))
}

/// Until when the lease runs that began at these readings of both clocks: by the monotonic clock, and by the wall clock.
///
/// Code that measures the elapsed time by the wall clock counts what is left from now.
pub(super) fn deadlines(driver: &Driver, began: (i64, i64), ctx: Ctx<'_>) -> (Option<i64>, Option<i64>) {
    let wall_left = left(driver, began.1, ctx.wall_us);
    let mono_left = match driver.voting.elapsed_clock {
        ClockChoice::Wall => wall_left,
        ClockChoice::Monotonic | ClockChoice::None => left(driver, began.0, ctx.mono_us),
    };
    (mono_left.map(|left| ctx.mono_us + left), wall_left.map(|left| ctx.wall_us + left))
}

pub(super) fn release_command(driver: &Driver, service: ServiceIx, nonce: Option<Nonce>) -> Option<RedisCommand> {
    let key = KeyId::lock(service);
    match driver.release {
        ReleaseMode::CompareAndDelete if driver.acquire.is_reentrant() => {
            Some(RedisCommand::ReentrantUnlock { key, owner: nonce?, ttl: driver.ttl })
        }
        ReleaseMode::CompareAndDelete => Some(RedisCommand::CompareDelete { key, value: RedisValue::Nonce(nonce?.0) }),
        ReleaseMode::Delete => nonce.map(|_| RedisCommand::Del { key }),
        ReleaseMode::Never => None,
    }
}

pub(super) fn set_timeout(driver: &Driver, ctx: Ctx<'_>, out: &mut Out<'_>) {
    out.set_timer(TIMEOUT_TIMER, ClockChoice::Monotonic, ctx.mono_us + driver.timeout.0 as i64);
}
