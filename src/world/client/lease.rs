//! What a client does with a lease that it has: checks it, heeds its own deadline, renews it in the background.
//!
//! A renewal on several nodes counts as taking the lock does: a majority has to extend the key, and less time may have
//! passed than the new lease lasts.

use std::sync::Arc;

use super::release::release_command;
use super::votes::{Tally, Vote};
use super::{Client, DEADLINE_TIMERS, Hold, PendingRenewal, RENEWAL_TIMERS};
use crate::vocabulary::{ClockChoice, Driver, KeyId, NodeId, Renewal, ServiceIx, Span};
use crate::world::message::{RedisCommand, RedisReply, RedisValue};
use crate::world::observation::{Closing, Observation};
use crate::world::out::{Ctx, Out};

impl Client {
    /// The `check` line: looks at the lease by the driver's clock.
    pub(super) fn check(&mut self, service: ServiceIx, ctx: Ctx<'_>, out: &mut Out<'_>) {
        if Self::is_zookeeper(service, ctx) {
            return self.look_up_node(service, ctx, out);
        }
        let driver = self.driver(service, ctx);
        if self.locks[service.ix()].hold.as_deref().is_some_and(|hold| runs(hold, driver, ctx)) {
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

    /// The service whose renewal waits for this answer.
    pub(super) fn renewing(&self, rpc: u32) -> Option<ServiceIx> {
        let waits = |renewal: &PendingRenewal| renewal.votes.contains(&Vote::Waiting { rpc });
        let ix = self.locks.iter().position(|lock| lock.renewal.as_deref().is_some_and(waits))?;
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
        let spent = renewal.most.is_some_and(|most| self.locks[service.ix()].renewals >= most);
        if spent || !(renewal.after_expiry || runs(&hold, driver, ctx)) {
            self.renewal_failed(service, driver, out);
            return;
        }
        let (key, value) = (KeyId::lock(service), RedisValue::Nonce(hold.nonce.0));
        let command = if renewal.set_if_missing {
            RedisCommand::ExtendOrSet { key, value, ttl }
        } else {
            RedisCommand::CompareExtend { key, value, ttl }
        };
        let mut votes = Vec::with_capacity(self.nodes(service, ctx).len());
        for node in self.nodes(service, ctx) {
            votes.push(Vote::Waiting { rpc: self.send_redis(*node, command, out) });
        }
        let pending = PendingRenewal { votes, began_mono: ctx.mono_us, began_wall: ctx.wall_us };
        self.lock(service).renewal = Some(Box::new(pending));
        plan_renewal(driver, service, ctx, out);
    }

    pub(super) fn on_renewal_reply(
        &mut self,
        service: ServiceIx,
        rpc: u32,
        reply: RedisReply,
        ctx: Ctx<'_>,
        out: &mut Out<'_>,
    ) {
        let Some(renewal) = self.lock(service).renewal.as_mut() else { return };
        let answer = if reply == RedisReply::Int(1) { Vote::Yes { token: None } } else { Vote::No };
        renewal.votes.iter_mut().filter(|vote| **vote == Vote::Waiting { rpc }).for_each(|vote| *vote = answer);
        self.go_on_renewing(service, ctx, out);
    }

    /// A node's connection is gone: what renewals asked there will not be answered.
    pub(super) fn renewals_lost(&mut self, peer: NodeId, ctx: Ctx<'_>, out: &mut Out<'_>) {
        for ix in 0..self.locks.len() {
            let service = ServiceIx(ix as u8);
            let place = self.nodes(service, ctx).iter().position(|node| *node == peer);
            let (Some(place), Some(renewal)) = (place, self.locks[ix].renewal.as_mut()) else { continue };
            if let Vote::Waiting { .. } = renewal.votes[place] {
                renewal.votes[place] = Vote::Silent;
                self.go_on_renewing(service, ctx, out);
            }
        }
    }

    /// After an answer to a renewal or its loss: decides once nothing to come can change anything.
    fn go_on_renewing(&mut self, service: ServiceIx, ctx: Ctx<'_>, out: &mut Out<'_>) {
        let Some(renewal) = self.locks[service.ix()].renewal.as_deref() else { return };
        let tally = Tally::of(&renewal.votes);
        if tally.decides(self.needed(service, ctx)) {
            self.decide_renewal(service, &tally, self.driver(service, ctx), ctx, out);
        }
    }

    fn decide_renewal(&mut self, service: ServiceIx, tally: &Tally, driver: &Driver, ctx: Ctx<'_>, out: &mut Out<'_>) {
        let needed = self.needed(service, ctx);
        let nodes = self.nodes(service, ctx);
        let lock = self.lock(service);
        let (Some(renewal), Some(hold)) = (lock.renewal.take(), lock.hold.as_mut()) else { return };
        let hold = Arc::make_mut(hold);
        let way = driver.renewal.unwrap_or(Renewal::plain(Span::ZERO));
        let looks = way.check_elapsed;
        let left_us = match driver.voting.elapsed_clock {
            ClockChoice::Monotonic if looks => left(driver, renewal.began_mono, ctx.mono_us),
            ClockChoice::Wall if looks => left(driver, renewal.began_wall, ctx.wall_us),
            _ => None,
        };
        if renewal.votes.len() > 1 {
            out.note(Observation::Counted { service, votes: tally.yes, needed, left_us });
        }
        let late = left_us.is_some_and(|left| left <= 0);
        if tally.yes >= needed && !late {
            let began = (renewal.began_mono, renewal.began_wall);
            (hold.believed_until, hold.wall_until) = deadlines(driver, began, ctx);
            out.note(Observation::Renewed { service, hold: hold.hold });
            plan_deadline(driver, hold, out);
            lock.renewals += 1;
            return;
        }
        let nonce = hold.nonce;
        if way.release_failed
            && (driver.voting.release_late || !late)
            && let Some(command) = release_command(driver, service, Some(nonce))
        {
            for node in nodes {
                self.send_redis(*node, command, out);
            }
        }
        if way.quiet {
            out.cancel_timer(RENEWAL_TIMERS + u32::from(service.0));
        }
        self.renewal_failed(service, driver, out);
    }

    /// A careful client hears of it, if its library tells.
    fn renewal_failed(&mut self, service: ServiceIx, driver: &Driver, out: &mut Out<'_>) {
        let Some(hold) = self.locks[service.ix()].hold.as_deref() else { return };
        out.note(Observation::RenewalFailed { service, hold: hold.hold });
        if driver.careful && !driver.renewal.is_some_and(|renewal| renewal.quiet) {
            self.close_hold(service, Closing::Notice, out);
        }
    }
}

/// Whether the lease runs by the clock that `check` looks at.
fn runs(hold: &Hold, driver: &Driver, ctx: Ctx<'_>) -> bool {
    match driver.check_clock {
        ClockChoice::None => true,
        ClockChoice::Monotonic => hold.believed_until.is_none_or(|until| ctx.mono_us < until),
        ClockChoice::Wall => hold.wall_until.is_none_or(|until| ctx.wall_us < until),
    }
}

/// A careful client that looks at no clock has no deadline of its own: it acts on notices of loss alone.
pub(super) fn plan_deadline(driver: &Driver, hold: &Hold, out: &mut Out<'_>) {
    let looks = driver.careful && driver.check_clock != ClockChoice::None;
    if let (true, Some(until)) = (looks, hold.believed_until) {
        out.set_timer(DEADLINE_TIMERS + u32::from(hold.service.0), ClockChoice::Monotonic, until);
    }
}

pub(super) fn plan_renewal(driver: &Driver, service: ServiceIx, ctx: Ctx<'_>, out: &mut Out<'_>) {
    if let Some(renewal) = driver.renewal {
        let due = ctx.mono_us + renewal.every.0 as i64;
        out.set_timer(RENEWAL_TIMERS + u32::from(service.0), ClockChoice::Monotonic, due);
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
