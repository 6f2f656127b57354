//! Asynchronous replication, as a Redis primary and its replicas do it.
//!
//! - A primary answers its client first and copies later: every change goes as its *effect* into an output buffer for each
//!   replica (`propagateNow`, `replicationFeedSlaves` in the Redis source). Deadlines travel absolute (`SET … PXAT`), and a
//!   key that expires is a `DEL` of the primary's. What is still in the buffer when the process ends is gone; `lag` is how
//!   long it stays there, as on a link that has more to carry than this lock.
//! - A replica never deletes by itself. Its readers find an expired key absent, the stream does not
//!   (`expireIfNeeded`, `keyIsExpired`). Once promoted it judges the same absolute deadline by its own wall clock.
//! - `WAIT` holds the answer back until enough replicas have acknowledged (`REPLCONF GETACK`/`ACK`) or its time is up, and says
//!   how many did. It undoes nothing. Its time is the wall clock's (`mstime` in `waitCommand`).
//! - `min-replicas-to-write`: a write is refused if fewer replicas acknowledged within `min-replicas-max-lag` whole seconds.
//!   Replicas acknowledge once a second.
//! - A node that is told to follow another gives up its data and takes all of the other's (full resync).
//!
//! Left out: the backlog (every reconnection is a full resync, which takes longer and ends the same), chains of replicas, the
//! `PING` of the primary every ten seconds, `repl-timeout`. The count of good replicas is taken at each write, where Redis
//! refreshes it once a second. `WAIT` waits for everything that was written so far, where Redis looks at what this client
//! wrote. A script that would find nothing to write is refused by `NOREPLICAS` and `READONLY` too.

#[cfg(test)]
mod tests;

use std::sync::Arc;

use super::store::{Entry, RedisStore};
use super::{RedisNode, whole_s};
use crate::scenario::Failover;
use crate::vocabulary::{ClockChoice, ConnId, KeyId, NodeId, Span};
use crate::world::disk::DiskImage;
use crate::world::message::{Message, RedisCommand, RedisError, RedisReply, Replication, SentinelMessage};
use crate::world::observation::{Ending, Observation};
use crate::world::out::{Ctx, Out};

pub(super) const OUTBOX: u32 = 2;
pub(super) const WAITS: u32 = 3;
pub(super) const CRON: u32 = 4;
const SECOND: Span = Span::from_ms(1000);

/// What a node of a service with replicas knows besides its data.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub(super) struct Copying {
    /// How much of the stream it has written or received.
    offset: u32,
    /// A primary's replicas.
    copies: Vec<Copy>,
    /// What waits to be sent, in order, with the instant (monotonic) when it is.
    outbox: Vec<(i64, NodeId, Replication)>,
    waits: Vec<Wait>,
    /// A replica's connection to its primary.
    link: Link,
}

/// A replica as its primary knows it.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct Copy {
    node: NodeId,
    acked: u32,
    /// The second of the wall clock in which it was last heard of.
    heard_s: i64,
}

/// A client that waits for copies.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct Wait {
    conn: ConnId,
    rpc: u32,
    offset: u32,
    replicas: u8,
    until: i64,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
enum Link {
    /// In the stream.
    #[default]
    Up,
    /// It asked for all data.
    Asked,
    /// It tries again at the next second.
    Down,
}

impl RedisNode {
    /// The primary that this node follows; `None` if it is one itself.
    pub fn leader(&self) -> Option<NodeId> {
        self.store.leader
    }

    /// How many changes of the primary's this node has.
    pub fn offset(&self) -> u32 {
        self.copying.as_ref().map_or(0, |copying| copying.offset)
    }

    /// How many of a primary's replicas have acknowledged all of the stream, and how many it knows.
    pub fn copied(&self) -> (usize, usize) {
        let Some(copying) = &self.copying else { return (0, 0) };
        let whole = copying.copies.iter().filter(|copy| copy.acked >= copying.offset);
        (whole.count(), copying.copies.len())
    }

    /// The oldest `WAIT` that is not answered: how many replicas have acknowledged what it waits for, and how many must.
    pub fn waits_for(&self) -> Option<(usize, usize)> {
        let copying = self.copying.as_ref()?;
        let wait = copying.waits.first()?;
        let acked = copying.copies.iter().filter(|copy| copy.acked >= wait.offset).count();
        Some((acked, usize::from(wait.replicas)))
    }

    pub(super) fn is_replica(&self) -> bool {
        self.store.leader.is_some()
    }

    fn copying(&mut self) -> &mut Copying {
        self.copying.get_or_insert_default()
    }

    /// A process starts in the role that its configuration file gives it: the one of the setup, until it is rewritten.
    fn take_role(&mut self, leader: Option<NodeId>, ctx: Ctx<'_>) -> bool {
        if ctx.setup.failover_of(ctx.me).is_none() {
            return false;
        }
        if leader != self.store.leader {
            Arc::make_mut(&mut self.store).leader = leader;
        }
        *self.copying() = Copying::default();
        true
    }

    /// The state in which a run begins: every replica is in the stream.
    pub(super) fn begin_role(&mut self, ctx: Ctx<'_>, out: &mut Out<'_>) {
        if !self.take_role(first_leader(ctx), ctx) {
            return;
        }
        if let Some((_, failover)) = ctx.setup.failover_of(ctx.me).filter(|_| !self.is_replica()) {
            let heard_s = whole_s(ctx.wall_us);
            let copies = failover.replicas.iter().map(|node| Copy { node: *node, acked: 0, heard_s });
            self.copying().copies = copies.collect();
        }
        self.plan_cron(ctx, out);
    }

    /// A process that starts again: a replica asks its primary for all data.
    pub(super) fn resume_role(&mut self, leader: Option<NodeId>, ctx: Ctx<'_>, out: &mut Out<'_>) {
        if self.take_role(leader, ctx) {
            self.ask_for_all(out);
            self.plan_cron(ctx, out);
        }
    }

    /// Why this node does not take a write now.
    pub(super) fn refuses(&self, command: RedisCommand, ctx: Ctx<'_>) -> Option<RedisError> {
        let copying = self.copying.as_ref()?;
        if self.is_replica() {
            return match command {
                RedisCommand::Wait { .. } => Some(RedisError::WaitOnReplica),
                command => command.writes().then_some(RedisError::ReadOnly),
            };
        }
        let config = ctx.setup.failover_of(ctx.me)?.1.config;
        let now_s = whole_s(ctx.wall_us);
        let good = copying.copies.iter().filter(|copy| now_s - copy.heard_s <= i64::from(config.max_lag_s)).count();
        (command.writes() && good < usize::from(config.min_to_write)).then_some(RedisError::NoReplicas)
    }

    /// Puts what changed since `before` into the stream.
    pub(super) fn propagate(&mut self, before: &RedisStore, ctx: Ctx<'_>, out: &mut Out<'_>) {
        if self.copying.is_none() || self.is_replica() {
            return;
        }
        let gone = before.iter().filter(|(key, _)| self.store.entry(*key).is_none()).map(|(key, _)| (*key, None));
        let new = self.store.iter().filter(|(key, entry)| before.entry(*key) != Some(entry));
        let changes: Vec<(KeyId, Option<Entry>)> = gone.chain(new.map(|(key, entry)| (*key, Some(*entry)))).collect();
        for (key, entry) in changes {
            let copying = self.copying();
            copying.offset += 1;
            let change = Replication::Change { key, entry, offset: copying.offset };
            self.feed(change, ctx, out);
        }
    }

    /// Sends something to every replica, behind what waits already.
    fn feed(&mut self, what: Replication, ctx: Ctx<'_>, out: &mut Out<'_>) {
        let nodes: Vec<NodeId> = self.copying().copies.iter().map(|copy| copy.node).collect();
        for node in nodes {
            self.feed_one(node, what, ctx, out);
        }
    }

    fn feed_one(&mut self, node: NodeId, what: Replication, ctx: Ctx<'_>, out: &mut Out<'_>) {
        let lag = lag(ctx);
        if lag == Span::ZERO {
            out.send(node, Message::Replication(what));
            return;
        }
        let due = ctx.mono_us + lag.0 as i64;
        let copying = self.copying();
        if copying.outbox.is_empty() {
            out.set_timer(OUTBOX, ClockChoice::Monotonic, due);
        }
        copying.outbox.push((due, node, what));
    }

    pub(super) fn flush(&mut self, ctx: Ctx<'_>, out: &mut Out<'_>) {
        let copying = self.copying();
        let ready = copying.outbox.iter().take_while(|(due, ..)| *due <= ctx.mono_us).count();
        for (_, node, what) in copying.outbox.drain(..ready) {
            out.send(node, Message::Replication(what));
        }
        if let Some((due, ..)) = copying.outbox.first() {
            out.set_timer(OUTBOX, ClockChoice::Monotonic, *due);
        }
    }

    pub(super) fn on_replication(
        &mut self,
        from: NodeId,
        conn: ConnId,
        said: Replication,
        ctx: Ctx<'_>,
        out: &mut Out<'_>,
    ) {
        match said {
            Replication::Ack { offset } => self.acknowledged(from, offset, ctx, out),
            Replication::Psync if self.is_replica() => out.close(from),
            Replication::Psync => self.send_all(from, ctx, out),
            _ if self.leader() != Some(from) => {}
            Replication::GetAck => {
                let offset = self.offset();
                out.reply(conn, Message::Replication(Replication::Ack { offset }));
            }
            Replication::FullResync { offset } => {
                self.forget_all(out);
                let copying = self.copying();
                (copying.offset, copying.link) = (offset, Link::Up);
                self.persist(out);
            }
            Replication::Change { key, entry, offset } => {
                if self.copying().link == Link::Up {
                    self.copying().offset = offset;
                    let store = Arc::make_mut(&mut self.store);
                    match entry {
                        Some(entry) => store.put(key, entry),
                        None => drop(store.take(key)),
                    }
                    self.persist(out);
                }
            }
        }
    }

    /// A replica wants all data: the snapshot travels key by key, and counts once it is whole.
    fn send_all(&mut self, to: NodeId, ctx: Ctx<'_>, out: &mut Out<'_>) {
        let offset = self.offset();
        let copying = self.copying();
        copying.outbox.retain(|(_, node, _)| *node != to);
        copying.copies.retain(|copy| copy.node != to);
        copying.copies.push(Copy { node: to, acked: 0, heard_s: whole_s(ctx.wall_us) });
        let store = Arc::clone(&self.store);
        // Until the last key has come the replica is nowhere in the stream.
        let after = |nth: usize| if nth == store.keys.len() { offset } else { 0 };
        self.feed_one(to, Replication::FullResync { offset: after(0) }, ctx, out);
        for (nth, (key, entry)) in (1..).zip(store.iter()) {
            let change = Replication::Change { key: *key, entry: Some(*entry), offset: after(nth) };
            self.feed_one(to, change, ctx, out);
        }
    }

    /// A replica's data make room for its primary's.
    fn forget_all(&mut self, out: &mut Out<'_>) {
        for (key, entry) in std::mem::take(&mut Arc::make_mut(&mut self.store).keys) {
            if let Some(grant) = entry.grant {
                out.note(Observation::Ended { service: key.service().0, grant, why: Ending::Lost });
            }
        }
    }

    fn acknowledged(&mut self, from: NodeId, offset: u32, ctx: Ctx<'_>, out: &mut Out<'_>) {
        let now_s = whole_s(ctx.wall_us);
        let Some(copy) = self.copying().copies.iter_mut().find(|copy| copy.node == from) else {
            // A replica of which this node knows nothing: it learns so, and asks for all data.
            out.close(from);
            return;
        };
        copy.acked = copy.acked.max(offset);
        copy.heard_s = now_s;
        self.answer_waits(ctx, out);
    }

    /// `WAIT`: answers at once, or when enough replicas have acknowledged or the time is up.
    pub(super) fn wait(
        &mut self,
        (conn, rpc): (ConnId, u32),
        (replicas, timeout): (u8, Span),
        ctx: Ctx<'_>,
        out: &mut Out<'_>,
    ) {
        let offset = self.offset();
        let until = ctx.wall_us + timeout.0 as i64;
        self.copying().waits.push(Wait { conn, rpc, offset, replicas, until });
        self.answer_waits(ctx, out);
        if self.copying().waits.last().is_some_and(|wait| (wait.conn, wait.rpc) == (conn, rpc)) {
            self.feed(Replication::GetAck, ctx, out);
        }
    }

    pub(super) fn answer_waits(&mut self, ctx: Ctx<'_>, out: &mut Out<'_>) {
        let Copying { copies, waits, .. } = self.copying();
        waits.retain(|wait| {
            let acked = copies.iter().filter(|copy| copy.acked >= wait.offset).count();
            let over = acked >= usize::from(wait.replicas) || ctx.wall_us >= wait.until;
            if over {
                let reply = RedisReply::Int(acked as i64);
                out.reply(wait.conn, Message::RedisReply { rpc: wait.rpc, reply });
            }
            !over
        });
        match waits.iter().map(|wait| wait.until).min() {
            Some(until) => out.set_timer(WAITS, ClockChoice::Wall, until),
            None => out.cancel_timer(WAITS),
        }
    }

    pub(super) fn on_sentinel(&mut self, conn: ConnId, said: SentinelMessage, ctx: Ctx<'_>, out: &mut Out<'_>) {
        match said {
            SentinelMessage::ReplicaOf { leader: None } if self.is_replica() => self.promote(ctx, out),
            SentinelMessage::ReplicaOf { leader: Some(leader) }
                if self.leader() != Some(leader) && leader != ctx.me =>
            {
                self.demote(leader, ctx, out);
            }
            SentinelMessage::Ping | SentinelMessage::ReplicaOf { .. } => {}
            _ => return,
        }
        let pong = SentinelMessage::Pong { leader: self.leader(), offset: self.offset() };
        out.reply(conn, Message::Sentinel(pong));
    }

    /// `REPLICAOF NO ONE`
    fn promote(&mut self, ctx: Ctx<'_>, out: &mut Out<'_>) {
        if let Some(old) = Arc::make_mut(&mut self.store).leader.take() {
            out.close(old);
        }
        out.cancel_timer(CRON);
        self.write_role(out);
        out.note(Observation::Promoted { service: self.service });
        self.plan_expiry(ctx, out);
    }

    /// `REPLICAOF leader`, with the sentinel's `CLIENT KILL TYPE normal`.
    fn demote(&mut self, leader: NodeId, ctx: Ctx<'_>, out: &mut Out<'_>) {
        if let Some(old) = Arc::make_mut(&mut self.store).leader.replace(leader) {
            out.close(old);
        }
        let offset = self.offset();
        for copy in &self.copying().copies {
            out.close(copy.node);
        }
        *self.copying() = Copying { offset, ..Copying::default() };
        for timer in [OUTBOX, WAITS, super::EXPIRE_CYCLE] {
            out.cancel_timer(timer);
        }
        self.write_role(out);
        out.note(Observation::Demoted { leader });
        for client in &ctx.setup.clients {
            out.close(client.node);
        }
        self.ask_for_all(out);
        self.plan_cron(ctx, out);
    }

    /// `CONFIG REWRITE`: the file names the new role from now on.
    fn write_role(&self, out: &mut Out<'_>) {
        let keeps = self.config.persistence != crate::vocabulary::Persistence::None;
        let keys = if keeps { self.store.keys.clone() } else { Vec::new() };
        out.write(DiskImage::Redis(Arc::new(RedisStore { keys, leader: self.store.leader })));
        out.fsync();
    }

    fn ask_for_all(&mut self, out: &mut Out<'_>) {
        let Some(leader) = self.leader() else { return };
        self.copying().link = Link::Asked;
        out.send(leader, Message::Replication(Replication::Psync));
    }

    pub(super) fn plan_cron(&self, ctx: Ctx<'_>, out: &mut Out<'_>) {
        if self.copying.is_some() && self.is_replica() {
            out.set_timer(CRON, ClockChoice::Monotonic, ctx.mono_us + SECOND.0 as i64);
        }
    }

    /// Once a second a replica acknowledges, or tries again to connect.
    pub(super) fn cron(&mut self, ctx: Ctx<'_>, out: &mut Out<'_>) {
        let Some(leader) = self.leader() else { return };
        match self.copying().link {
            Link::Up => {
                let offset = self.offset();
                out.send(leader, Message::Replication(Replication::Ack { offset }));
            }
            Link::Down => self.ask_for_all(out),
            Link::Asked => {}
        }
        self.plan_cron(ctx, out);
    }

    pub(in crate::world) fn on_lost(&mut self, peer: NodeId, out: &mut Out<'_>) {
        if self.copying.is_none() {
            return;
        }
        if self.leader() == Some(peer) {
            // The first try comes at once, the others once a second.
            match self.copying().link {
                Link::Up => self.ask_for_all(out),
                Link::Asked => self.copying().link = Link::Down,
                Link::Down => {}
            }
        } else {
            let copying = self.copying();
            copying.copies.retain(|copy| copy.node != peer);
            copying.outbox.retain(|(_, node, _)| *node != peer);
        }
    }
}

fn lag(ctx: Ctx<'_>) -> Span {
    ctx.setup.failover_of(ctx.me).map_or(Span::ZERO, |(_, Failover { config, .. })| config.lag)
}

/// Whom this node copies in the setup; none if it is the primary there, or alone.
pub(super) fn first_leader(ctx: Ctx<'_>) -> Option<NodeId> {
    let (service, _) = ctx.setup.failover_of(ctx.me)?;
    let first = ctx.setup.service(service).nodes[0];
    (first != ctx.me).then_some(first)
}
