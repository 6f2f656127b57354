//! How a client gives a lock back.

use super::answers::set_timeout;
use super::votes::Vote;
use super::{Awaiting, Client};
use crate::vocabulary::{Driver, KeyId, Nonce, ReleaseMode, ServiceIx};
use crate::world::message::{RedisCommand, RedisValue};
use crate::world::observation::Closing;
use crate::world::out::{Ctx, Out};

impl Client {
    pub(super) fn release(&mut self, service: ServiceIx, ctx: Ctx<'_>, out: &mut Out<'_>) {
        if Self::is_zookeeper(service, ctx) {
            return self.leave_queue(service, ctx, out);
        }
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
