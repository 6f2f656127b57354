//! The parts of an `acquire` line that come after the lock itself: one request each, to the first node.
//!
//! `SETNX` needs an expiry of its own, a token may be counted by a request of its own, and with replicas the client may wait
//! until some of them have the lock. Between two parts the client can be paused or crash, which is the point of them.

use super::answers::set_timeout;
use super::{Awaiting, Client, TIMEOUT_TIMER};
use crate::vocabulary::{AcquireMode, ClockChoice, Driver, KeyId, Line, ServiceIx, Token, TokenSource};
use crate::world::message::{RedisCommand, RedisReply};
use crate::world::out::{Ctx, Out};

/// A part after part 0.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    /// `PEXPIRE`
    Expire,
    /// `INCR`
    Count,
    /// `WAIT`
    Copies,
}

/// The part with this number, if the driver's `acquire` has so many.
fn part(driver: &Driver, number: u8) -> Option<Part> {
    let expire = driver.acquire == AcquireMode::SetNx && driver.ttl.is_some();
    let count = driver.token == TokenSource::SeparateCounter;
    let parts = [(expire, Part::Expire), (count, Part::Count), (driver.wait.is_some(), Part::Copies)];
    parts.into_iter().filter_map(|(has, part)| has.then_some(part)).nth(usize::from(number.checked_sub(1)?))
}

impl Client {
    /// Whether another part follows the current one.
    pub(super) fn has_next_part(&self, service: ServiceIx, ctx: Ctx<'_>) -> bool {
        part(self.driver(service, ctx), self.part + 1).is_some()
    }

    /// Sends the current part.
    pub(super) fn run_part(&mut self, service: ServiceIx, ctx: Ctx<'_>, out: &mut Out<'_>) {
        let driver = self.driver(service, ctx);
        let (key, wait) = (KeyId::lock(service), driver.wait);
        let command = match (part(driver, self.part), driver.ttl, wait) {
            (Some(Part::Expire), Some(ttl), _) => RedisCommand::PExpire { key, ttl },
            (Some(Part::Copies), _, Some(wait)) => {
                RedisCommand::Wait { replicas: wait.replicas, timeout: wait.timeout }
            }
            _ => RedisCommand::Incr { key: KeyId::counter(service) },
        };
        let rpc = self.send_redis(self.nodes(service, ctx)[0], command, out);
        self.awaiting = Awaiting::Part { rpc };
        set_timeout(driver, ctx, out);
        if let (RedisCommand::Wait { timeout: waits, .. }, Some(timeout)) = (command, driver.timeout) {
            // The client listens for longer than the node waits.
            let due = ctx.mono_us + (waits + timeout).0 as i64;
            out.set_timer(TIMEOUT_TIMER, ClockChoice::Monotonic, due);
        }
    }

    /// The current part was answered.
    pub(super) fn on_part_reply(&mut self, reply: RedisReply, ctx: Ctx<'_>, out: &mut Out<'_>) {
        let Some(Line::Acquire(service)) = self.spec(ctx).program.get(self.line.ix()).copied() else { return };
        out.cancel_timer(TIMEOUT_TIMER);
        match (part(self.driver(service, ctx), self.part), reply) {
            (Some(Part::Copies), _) => return self.on_copies(service, reply, ctx, out),
            (Some(Part::Count), RedisReply::Int(n)) => self.lock(service).token = Some(Token(n as u64)),
            _ => {}
        }
        self.part_done(service, ctx, out);
    }
}
