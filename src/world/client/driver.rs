//! The Redis lock driver: how a client takes, checks, renews and gives back a lock on one node.
//!
//! The recipe is the one of the Redis documentation ("Correct implementation with a single instance"): `SET key nonce NX
//! PX ttl` with a random nonce, and a script that deletes the key only if it still holds the nonce. What real code does
//! otherwise is a knob of [`Driver`]. The lease is counted from before the request was sent, so without clock faults the
//! client's deadline is never later than the node's.

use std::sync::Arc;

use super::{Awaiting, Client, DEADLINE_TIMERS, Hold, LINE_TIMER, Lock, PendingRenewal, RENEWAL_TIMERS, TIMEOUT_TIMER};
use crate::vocabulary::{
    AcquireMode, ClockChoice, Driver, KeyId, Line, NodeId, Nonce, ReleaseMode, ServiceIx, Span, Token, TokenSource,
};
use crate::world::message::{Message, RedisCommand, RedisReply, RedisValue, SetExpire, SetWhen};
use crate::world::observation::{Closing, Observation};
use crate::world::out::{Ctx, Out};
use crate::world::random::Purpose;

/// The parts of an `acquire` line that come after the lock itself, in order.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Extra {
    Expire,
    Incr,
}

/// The parts that this driver's `acquire` has after part 0.
fn extras(driver: &Driver) -> impl Iterator<Item = Extra> {
    let expire = driver.acquire == AcquireMode::SetNx && driver.ttl.is_some();
    let incr = driver.token == TokenSource::SeparateCounter;
    expire.then_some(Extra::Expire).into_iter().chain(incr.then_some(Extra::Incr))
}

impl Client {
    fn driver<'a>(&self, service: ServiceIx, ctx: Ctx<'a>) -> &'a Driver {
        &self.spec(ctx).drivers[service.ix()]
    }

    const fn lock(&mut self, service: ServiceIx) -> &mut Lock {
        let ix = service.0 as usize;
        &mut self.locks.as_mut_slice()[ix]
    }

    fn send_redis(&mut self, service: ServiceIx, command: RedisCommand, ctx: Ctx<'_>, out: &mut Out<'_>) -> u32 {
        let rpc = self.fresh_rpc();
        out.send(lock_node(service, ctx), Message::Redis { rpc, command });
        rpc
    }

    pub(super) fn run_acquire(&mut self, service: ServiceIx, ctx: Ctx<'_>, out: &mut Out<'_>) {
        if self.part == 0 {
            let lock = self.lock(service);
            *lock = Lock { wants: true, ..Lock::default() };
            out.note(Observation::Wants { service });
            self.attempt(service, ctx, out);
            return;
        }
        let driver = self.driver(service, ctx);
        let extra = extras(driver).nth(self.part as usize - 1);
        if let (Some(Extra::Expire), Some(ttl)) = (extra, driver.ttl) {
            let rpc = self.send_redis(service, RedisCommand::PExpire { key: KeyId::lock(service), ttl }, ctx, out);
            self.awaiting = Awaiting::Expiry { rpc };
        } else {
            let rpc = self.send_redis(service, RedisCommand::Incr { key: KeyId::counter(service) }, ctx, out);
            self.awaiting = Awaiting::Token { rpc };
        }
        set_timeout(driver, ctx, out);
    }

    /// Sends one attempt with a fresh nonce.
    pub(super) fn attempt(&mut self, service: ServiceIx, ctx: Ctx<'_>, out: &mut Out<'_>) {
        let driver = self.driver(service, ctx);
        let nonce = Nonce(ctx.word(Purpose::Nonce, self.draws));
        self.draws += 1;
        self.part = 0;
        let lock = self.lock(service);
        lock.nonce = Some(nonce);
        lock.began_mono = ctx.mono_us;
        lock.began_wall = ctx.wall_us;
        let (key, value) = (KeyId::lock(service), RedisValue::Nonce(nonce.0));
        let command = match (driver.token, driver.acquire) {
            (TokenSource::Counter, _) => {
                RedisCommand::LockScript { key, value, ttl: driver.ttl, counter: KeyId::counter(service) }
            }
            (_, AcquireMode::SetNx) => RedisCommand::SetNx { key, value },
            (_, AcquireMode::Set) => {
                let expire = driver.ttl.map_or(SetExpire::Never, SetExpire::After);
                RedisCommand::Set { key, value, when: SetWhen::Missing, expire }
            }
        };
        let rpc = self.send_redis(service, command, ctx, out);
        self.awaiting = Awaiting::Lock { rpc };
        set_timeout(driver, ctx, out);
    }

    pub(super) fn on_redis_reply(&mut self, rpc: u32, reply: RedisReply, ctx: Ctx<'_>, out: &mut Out<'_>) {
        if let Some(service) = self.renewing(rpc) {
            self.on_renewal_reply(service, reply, ctx, out);
            return;
        }
        let Some(line) = self.spec(ctx).program.get(self.line.ix()).copied() else { return };
        let (Line::Acquire(service) | Line::Release(service)) = line else { return };
        let (Awaiting::Lock { rpc: expected }
        | Awaiting::Expiry { rpc: expected }
        | Awaiting::Token { rpc: expected }
        | Awaiting::Release { rpc: expected }) = self.awaiting
        else {
            return;
        };
        if expected != rpc {
            return;
        }
        out.cancel_timer(TIMEOUT_TIMER);
        match self.awaiting {
            Awaiting::Lock { .. } => match reply {
                RedisReply::Int(n) if self.driver(service, ctx).token == TokenSource::Counter => {
                    self.lock(service).token = Some(Token(n as u64));
                    self.part_done(service, ctx, out);
                }
                RedisReply::Ok | RedisReply::Int(1) => self.part_done(service, ctx, out),
                _ => self.attempt_failed(service, false, ctx, out),
            },
            Awaiting::Token { .. } => {
                if let RedisReply::Int(n) = reply {
                    self.lock(service).token = Some(Token(n as u64));
                }
                self.part_done(service, ctx, out);
            }
            Awaiting::Expiry { .. } => self.part_done(service, ctx, out),
            _ => self.next_line(ctx, out),
        }
    }

    /// One part of `acquire` succeeded: runs the next, or opens the hold.
    fn part_done(&mut self, service: ServiceIx, ctx: Ctx<'_>, out: &mut Out<'_>) {
        let driver = self.driver(service, ctx);
        self.awaiting = Awaiting::Nothing;
        if extras(driver).nth(self.part as usize).is_some() {
            self.part += 1;
            out.run();
            return;
        }
        let Lock { began_mono, began_wall, token, nonce, .. } = *self.lock(service);
        let ttl_us = driver.ttl.map(|ttl| ttl.0 as i64);
        let hold = Hold {
            service,
            hold: out.fresh_hold(),
            nonce: nonce.unwrap_or_default(),
            token,
            since: ctx.mono_us,
            believed_until: ttl_us.map(|ttl| began_mono + ttl),
            wall_until: ttl_us.map(|ttl| began_wall + ttl),
        };
        let lock = self.lock(service);
        lock.wants = false;
        lock.hold = Some(Arc::new(hold));
        lock.acting = Some(hold.hold);
        out.note(Observation::Acquired {
            service,
            hold: hold.hold,
            nonce: hold.nonce,
            token,
            believed_until: hold.believed_until,
        });
        plan_deadline(driver, &hold, out);
        plan_renewal(driver, service, ctx, out);
        self.next_line(ctx, out);
    }

    pub(super) fn attempt_failed(&mut self, service: ServiceIx, timeout: bool, ctx: Ctx<'_>, out: &mut Out<'_>) {
        out.note(Observation::AttemptFailed { service, timeout });
        let driver = self.driver(service, ctx);
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
        let Some(Line::Acquire(service) | Line::Release(service)) = self.spec(ctx).program.get(self.line.ix()).copied()
        else {
            return;
        };
        match self.awaiting {
            Awaiting::Lock { .. } | Awaiting::Expiry { .. } | Awaiting::Token { .. } => {
                out.close(lock_node(service, ctx));
                self.attempt_failed(service, true, ctx, out);
            }
            Awaiting::Release { .. } => {
                out.close(lock_node(service, ctx));
                self.next_line(ctx, out);
            }
            _ => {}
        }
    }

    /// The `check` line: looks at the lease by the driver's clock.
    pub(super) fn check(&mut self, service: ServiceIx, ctx: Ctx<'_>, out: &mut Out<'_>) {
        let good = match (self.locks[service.ix()].hold.as_deref(), self.driver(service, ctx).check_clock) {
            (None, _) => false,
            (Some(_), ClockChoice::None) => true,
            (Some(hold), ClockChoice::Monotonic) => hold.believed_until.is_none_or(|until| ctx.mono_us < until),
            (Some(hold), ClockChoice::Wall) => hold.wall_until.is_none_or(|until| ctx.wall_us < until),
        };
        if good {
            out.note(Observation::CheckPassed { service });
            self.next_line(ctx, out);
        } else {
            out.note(Observation::CheckFailed { service });
            self.close_hold(service, Closing::Deadline, out);
            self.abort(service, ctx, out);
        }
    }

    /// A careful client's own deadline.
    pub(super) fn on_deadline(&mut self, service: ServiceIx, ctx: Ctx<'_>, out: &mut Out<'_>) {
        let over = |hold: &Hold| hold.believed_until.is_some_and(|until| ctx.mono_us >= until);
        if self.locks[service.ix()].hold.as_deref().is_some_and(over) {
            self.close_hold(service, Closing::Deadline, out);
        }
    }

    pub(super) fn release(&mut self, service: ServiceIx, ctx: Ctx<'_>, out: &mut Out<'_>) {
        let driver = self.driver(service, ctx);
        self.close_hold(service, Closing::Released, out);
        let lock = self.lock(service);
        lock.lost = false;
        lock.acting = None;
        lock.token = None;
        let nonce = lock.nonce.take();
        let key = KeyId::lock(service);
        let command = match (driver.release, nonce) {
            (ReleaseMode::CompareAndDelete, Some(nonce)) => {
                RedisCommand::CompareDelete { key, value: RedisValue::Nonce(nonce.0) }
            }
            (ReleaseMode::Delete, Some(_)) => RedisCommand::Del { key },
            _ => return self.next_line(ctx, out),
        };
        let rpc = self.send_redis(service, command, ctx, out);
        if driver.await_release {
            self.awaiting = Awaiting::Release { rpc };
            set_timeout(driver, ctx, out);
        } else {
            self.next_line(ctx, out);
        }
    }

    fn renewing(&self, rpc: u32) -> Option<ServiceIx> {
        let ix = self.locks.iter().position(|lock| lock.renewal.as_ref().is_some_and(|renewal| renewal.rpc == rpc))?;
        Some(ServiceIx(ix as u8))
    }

    /// The background renewal's timer.
    pub(super) fn renew(&mut self, service: ServiceIx, ctx: Ctx<'_>, out: &mut Out<'_>) {
        let driver = self.driver(service, ctx);
        let (Some(hold), Some(renewal), Some(ttl)) =
            (self.locks[service.ix()].hold.clone(), driver.renewal, driver.ttl)
        else {
            return;
        };
        let (key, value) = (KeyId::lock(service), RedisValue::Nonce(hold.nonce.0));
        let command = if renewal.set_if_missing {
            RedisCommand::ExtendOrSet { key, value, ttl }
        } else {
            RedisCommand::CompareExtend { key, value, ttl }
        };
        let rpc = self.send_redis(service, command, ctx, out);
        self.lock(service).renewal =
            Some(Box::new(PendingRenewal { rpc, began_mono: ctx.mono_us, began_wall: ctx.wall_us }));
        plan_renewal(driver, service, ctx, out);
    }

    fn on_renewal_reply(&mut self, service: ServiceIx, reply: RedisReply, ctx: Ctx<'_>, out: &mut Out<'_>) {
        let driver = self.driver(service, ctx);
        let lock = self.lock(service);
        let (Some(renewal), Some(hold)) = (lock.renewal.take(), lock.hold.as_mut()) else { return };
        let hold = Arc::make_mut(hold);
        if reply == RedisReply::Int(1) {
            let ttl_us = driver.ttl.map(|ttl| ttl.0 as i64);
            hold.believed_until = ttl_us.map(|ttl| renewal.began_mono + ttl);
            hold.wall_until = ttl_us.map(|ttl| renewal.began_wall + ttl);
            out.note(Observation::Renewed { service, hold: hold.hold });
            plan_deadline(driver, hold, out);
            return;
        }
        out.note(Observation::RenewalFailed { service, hold: hold.hold });
        if driver.careful {
            self.close_hold(service, Closing::Notice, out);
        }
    }
}

fn lock_node(service: ServiceIx, ctx: Ctx<'_>) -> NodeId {
    ctx.setup.service(service).nodes[0]
}

fn set_timeout(driver: &Driver, ctx: Ctx<'_>, out: &mut Out<'_>) {
    out.set_timer(TIMEOUT_TIMER, ClockChoice::Monotonic, ctx.mono_us + driver.timeout.0 as i64);
}

/// A careful client that looks at no clock has no deadline of its own: it acts on notices of loss alone.
fn plan_deadline(driver: &Driver, hold: &Hold, out: &mut Out<'_>) {
    let looks = driver.careful && driver.check_clock != ClockChoice::None;
    if let (true, Some(until)) = (looks, hold.believed_until) {
        out.set_timer(DEADLINE_TIMERS + u32::from(hold.service.0), ClockChoice::Monotonic, until);
    }
}

fn plan_renewal(driver: &Driver, service: ServiceIx, ctx: Ctx<'_>, out: &mut Out<'_>) {
    if let Some(renewal) = driver.renewal {
        let due = ctx.mono_us + renewal.every.0 as i64;
        out.set_timer(RENEWAL_TIMERS + u32::from(service.0), ClockChoice::Monotonic, due);
    }
}
