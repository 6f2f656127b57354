//! What a client does where its lock has replicas: it asks a sentinel who is primary, and asks the primary who has copies.
//!
//! Like the clients of Redis Sentinel it starts with the primary that it was told first. Once the connection to it is lost,
//! an answer does not come, or the node says that it is a replica, it asks the sentinel before the next attempt or
//! release (Redis documentation, "Guidelines for Redis clients with support for Redis Sentinel"). A renewal in the background
//! goes to the node that it knows. `NOREPLICAS` is a failed attempt like any other.
//!
//! With `wait` it does not believe before enough replicas have acknowledged. If they do not, it takes its key back and tries
//! again, as Redisson does. What an acknowledgement is worth when another replica is promoted, `WAIT` does not say.

use super::answers::set_timeout;
use super::{Awaiting, Client};
use crate::vocabulary::{KeyId, Line, NodeId, ServiceIx};
use crate::world::message::{Message, RedisCommand, RedisError, RedisReply, RedisValue, SentinelMessage};
use crate::world::out::{Ctx, Out};

impl Client {
    /// The nodes to which the client turns for a lock.
    pub(super) fn nodes<'a>(&self, service: ServiceIx, ctx: Ctx<'a>) -> &'a [NodeId] {
        let spec = ctx.setup.service(service);
        let replicas = spec.failover.as_ref().map_or(&[][..], |failover| &failover.replicas);
        let primary = self.locks[service.ix()].primary;
        match replicas.iter().position(|node| Some(*node) == primary) {
            Some(place) => &replicas[place..=place],
            None => &spec.nodes,
        }
    }

    /// The sentinel does not say who is primary.
    pub(super) fn primary_unknown(&mut self, service: ServiceIx, ctx: Ctx<'_>, out: &mut Out<'_>) {
        if let Some(sentinel) = sentinel(service, ctx) {
            out.close(sentinel);
        }
        if matches!(self.spec(ctx).program[self.line.ix()], Line::Acquire(_)) {
            self.attempt_failed(service, true, ctx, out);
        } else {
            self.next_line(ctx, out);
        }
    }

    /// A connection is gone, or a node did not answer: somebody else may be primary.
    pub(super) fn doubt(&mut self, peer: NodeId, ctx: Ctx<'_>) {
        for ix in 0..self.locks.len() {
            let service = ServiceIx(ix as u8);
            if sentinel(service, ctx).is_some() && self.nodes(service, ctx)[0] == peer {
                self.locks[ix].doubts = true;
            }
        }
    }

    /// Asks the sentinel if the client doubts who is primary; false if there is nothing to ask.
    pub(super) fn ask_primary(&mut self, service: ServiceIx, ctx: Ctx<'_>, out: &mut Out<'_>) -> bool {
        let Some(sentinel) = sentinel(service, ctx).filter(|_| self.locks[service.ix()].doubts) else { return false };
        let rpc = self.fresh_rpc();
        out.send(sentinel, Message::Sentinel(SentinelMessage::AskPrimary { rpc }));
        self.awaiting = Awaiting::Primary { rpc };
        set_timeout(self.driver(service, ctx), ctx, out);
        true
    }

    /// The sentinel's answer: the line goes on where it stopped.
    pub(super) fn on_primary(&mut self, rpc: u32, node: NodeId, ctx: Ctx<'_>, out: &mut Out<'_>) {
        if self.awaiting != (Awaiting::Primary { rpc }) {
            return;
        }
        let Some(line) = self.spec(ctx).program.get(self.line.ix()).copied() else { return };
        let (Line::Acquire(service) | Line::Release(service)) = line else { return };
        let lock = &mut self.locks[service.ix()];
        (lock.primary, lock.doubts) = (Some(node), false);
        out.cancel_timer(super::TIMEOUT_TIMER);
        if matches!(line, Line::Acquire(_)) {
            self.attempt(service, ctx, out);
        } else {
            self.send_release(service, ctx, out);
        }
    }

    /// A node that says that it is a replica is not the one to ask.
    pub(super) fn heed(&mut self, service: ServiceIx, reply: RedisReply, ctx: Ctx<'_>) {
        if reply == RedisReply::Error(RedisError::ReadOnly) {
            self.doubt(self.nodes(service, ctx)[0], ctx);
        }
    }

    /// `WAIT` was answered.
    pub(super) fn on_copies(&mut self, service: ServiceIx, reply: RedisReply, ctx: Ctx<'_>, out: &mut Out<'_>) {
        let wanted = self.driver(service, ctx).wait.map_or(0, |wait| i64::from(wait.replicas));
        if matches!(reply, RedisReply::Int(copies) if copies >= wanted) {
            self.part_done(service, ctx, out);
            return;
        }
        // Too few have it: the key is taken back, and nobody waits for the answer.
        if let Some(nonce) = self.locks[service.ix()].nonce {
            let value = RedisValue::Nonce(nonce.0);
            let command = RedisCommand::CompareDelete { key: KeyId::lock(service), value };
            self.send_redis(self.nodes(service, ctx)[0], command, out);
        }
        self.attempt_failed(service, false, ctx, out);
    }
}

/// The sentinel that knows the primary of a service.
pub(super) fn sentinel(service: ServiceIx, ctx: Ctx<'_>) -> Option<NodeId> {
    ctx.setup.service(service).failover.as_ref()?.sentinel
}
