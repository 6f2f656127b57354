//! A sentinel: it pings the nodes of a service, promotes a replica when the primary is silent, and tells who is primary.
//!
//! - It pings every node once a second, or once in `down-after-milliseconds` if that is less. A node is *subjectively down*
//!   once a ping has gone unanswered for `down-after-milliseconds`; if the connection broke, since the last answer
//!   (`sentinelCheckSubjectivelyDown`).
//! - If the primary is down it chooses the replica that has most of the stream among those that answer, and sends it `REPLICAOF
//!   NO ONE`. When the replica says that it is primary, the others are told to follow it, and so is every node that comes
//!   back and follows nobody or somebody else (`+convert-to-slave`, `+fix-slave-config`).
//! - Clients ask it who is primary (`SENTINEL get-master-addr-by-name`). It writes what it knows to disk.
//! - If no replica takes over, it tries again after `failover-timeout` (180 s).
//!
//! Source: Redis documentation, "High availability with Redis Sentinel", and `sentinel.c`. Left out: a vote among several
//! sentinels (this one has a quorum of one), `INFO` as a message of its own (the answer to a ping carries it, where the real
//! one asks every ten seconds, and every second once the primary is down), the eight seconds for which a returned primary is
//! left alone, TILT, replica priorities, and the channel on which clients hear `+switch-master`.

#[cfg(test)]
mod tests;

use super::disk::DiskImage;
use super::message::{Message, SentinelMessage};
use super::observation::Observation;
use super::out::{Ctx, Out};
use crate::scenario::Setup;
use crate::vocabulary::{ClockChoice, ConnId, NodeId, ServiceIx, Span};

const PING: u32 = 0;
/// The timers of the nodes that are watched, by their places.
const DOWN: u32 = 1;
const PING_PERIOD: Span = Span::from_ms(1000);
const FAILOVER_TIMEOUT: Span = Span::from_ms(180_000);

/// The state of a sentinel.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Sentinel {
    service: ServiceIx,
    primary: NodeId,
    nodes: Vec<Watched>,
    /// The replica that was told to take over, and when.
    failover: Option<(NodeId, i64)>,
}

/// A node as the sentinel knows it. Times are on its monotonic clock.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct Watched {
    node: NodeId,
    heard: i64,
    /// Since when a ping has not been answered.
    silent_since: Option<i64>,
    down: bool,
    offset: u32,
}

impl Sentinel {
    pub(super) fn new(service: ServiceIx, setup: &Setup) -> Self {
        let service_nodes = setup.services.get(service.ix());
        let replicas = service_nodes.and_then(|service| service.failover.as_ref()).map_or(&[][..], |one| &one.replicas);
        let nodes: Vec<NodeId> =
            service_nodes.iter().flat_map(|service| &service.nodes).chain(replicas).copied().collect();
        let watched = |node: &NodeId| Watched { node: *node, heard: 0, silent_since: None, down: false, offset: 0 };
        Self {
            service,
            primary: nodes.first().copied().unwrap_or_default(),
            nodes: nodes.iter().map(watched).collect(),
            failover: None,
        }
    }

    /// Who is primary, as far as it knows.
    pub const fn primary(&self) -> NodeId {
        self.primary
    }

    /// Whether it takes a node for down.
    pub fn sees_down(&self, node: NodeId) -> bool {
        self.nodes.iter().any(|watched| watched.node == node && watched.down)
    }

    /// Each node that it watches: whether it takes it for down, and since when a ping to it has not been answered, on its
    /// monotonic clock in microseconds.
    pub fn watched(&self) -> impl Iterator<Item = (NodeId, bool, Option<i64>)> {
        self.nodes.iter().map(|watched| (watched.node, watched.down, watched.silent_since))
    }

    /// The replica that was told to take over and has not yet said that it did.
    pub fn promoting(&self) -> Option<NodeId> {
        self.failover.map(|(node, _)| node)
    }

    /// Which service it watches.
    pub const fn service(&self) -> ServiceIx {
        self.service
    }

    pub(super) fn on_start(&mut self, ctx: Ctx<'_>, out: &mut Out<'_>) {
        for watched in &mut self.nodes {
            watched.heard = ctx.mono_us;
        }
        self.tick(ctx, out);
    }

    pub(super) fn on_restart(&mut self, image: &DiskImage, ctx: Ctx<'_>, out: &mut Out<'_>) {
        if let DiskImage::Sentinel(primary) = image {
            self.primary = *primary;
        }
        self.on_start(ctx, out);
    }

    pub(super) fn on_message(
        &mut self,
        from: NodeId,
        conn: ConnId,
        message: &Message,
        ctx: Ctx<'_>,
        out: &mut Out<'_>,
    ) {
        match *message {
            Message::Sentinel(SentinelMessage::Pong { leader, offset }) => self.heard(from, leader, offset, ctx, out),
            Message::Sentinel(SentinelMessage::AskPrimary { rpc }) => {
                let answer = SentinelMessage::PrimaryIs { rpc, node: self.primary };
                out.reply(conn, Message::Sentinel(answer));
            }
            _ => {}
        }
    }

    pub(super) fn on_timer(&mut self, timer: u32, ctx: Ctx<'_>, out: &mut Out<'_>) {
        if timer == PING {
            self.tick(ctx, out);
        } else {
            self.look(timer - DOWN, ctx, out);
        }
    }

    /// The connection broke: silence counts from the last answer.
    pub(super) fn on_lost(&mut self, peer: NodeId, ctx: Ctx<'_>, out: &mut Out<'_>) {
        let Some(ix) = self.nodes.iter().position(|watched| watched.node == peer) else { return };
        let watched = &mut self.nodes[ix];
        watched.silent_since = Some(watched.silent_since.map_or(watched.heard, |since| since.min(watched.heard)));
        self.plan_look(ix, ctx, out);
    }

    fn down_after(ctx: Ctx<'_>) -> Span {
        ctx.setup.failover_of(ctx.me).map_or(PING_PERIOD, |(_, failover)| failover.config.down_after)
    }

    /// Pings every node.
    fn tick(&mut self, ctx: Ctx<'_>, out: &mut Out<'_>) {
        for ix in 0..self.nodes.len() {
            out.send(self.nodes[ix].node, Message::Sentinel(SentinelMessage::Ping));
            if self.nodes[ix].silent_since.is_none() {
                self.nodes[ix].silent_since = Some(ctx.mono_us);
                self.plan_look(ix, ctx, out);
            }
        }
        self.consider(ctx, out);
        let period = Self::down_after(ctx).min(PING_PERIOD);
        out.set_timer(PING, ClockChoice::Monotonic, ctx.mono_us + period.0 as i64);
    }

    fn plan_look(&self, ix: usize, ctx: Ctx<'_>, out: &mut Out<'_>) {
        let Watched { silent_since: Some(since), down: false, .. } = self.nodes[ix] else { return };
        let due = since + Self::down_after(ctx).0 as i64;
        out.set_timer(DOWN + ix as u32, ClockChoice::Monotonic, due);
    }

    /// A node may have been silent for too long.
    fn look(&mut self, ix: u32, ctx: Ctx<'_>, out: &mut Out<'_>) {
        let Some(watched) = self.nodes.get_mut(ix as usize) else { return };
        let limit = Self::down_after(ctx).0 as i64;
        if !watched.down && watched.silent_since.is_some_and(|since| ctx.mono_us >= since + limit) {
            watched.down = true;
            out.note(Observation::SeenDown { peer: watched.node });
            self.consider(ctx, out);
        }
    }

    /// Tells a replica to take over if the primary is down and nobody was told, or the one that was does not.
    fn consider(&mut self, ctx: Ctx<'_>, out: &mut Out<'_>) {
        let waits = self.failover.is_some_and(|(_, since)| ctx.mono_us < since + FAILOVER_TIMEOUT.0 as i64);
        if waits || !self.sees_down(self.primary) {
            return;
        }
        let answers = self.nodes.iter().filter(|watched| !watched.down && watched.node != self.primary);
        // Of several with the same offset the first.
        let Some(best) = answers.rev().max_by_key(|watched| watched.offset) else { return };
        self.failover = Some((best.node, ctx.mono_us));
        out.send(best.node, Message::Sentinel(SentinelMessage::ReplicaOf { leader: None }));
    }

    fn heard(&mut self, from: NodeId, leader: Option<NodeId>, offset: u32, ctx: Ctx<'_>, out: &mut Out<'_>) {
        let Some(ix) = self.nodes.iter().position(|watched| watched.node == from) else { return };
        let watched = &mut self.nodes[ix];
        (watched.heard, watched.silent_since, watched.down, watched.offset) = (ctx.mono_us, None, false, offset);
        out.cancel_timer(DOWN + ix as u32);
        let chosen = self.failover.is_some_and(|(node, _)| node == from);
        if chosen && leader.is_none() {
            self.switch(from, out);
        } else if self.failover.is_none() && from != self.primary && leader != Some(self.primary) {
            self.follow(from, out);
        }
    }

    /// The chosen replica is primary: the file says so from now on, and the others follow it.
    fn switch(&mut self, primary: NodeId, out: &mut Out<'_>) {
        self.primary = primary;
        self.failover = None;
        out.write(DiskImage::Sentinel(primary));
        out.fsync();
        let others = self.nodes.iter().filter(|watched| watched.node != primary && !watched.down);
        for node in others.map(|watched| watched.node).collect::<Vec<_>>() {
            self.follow(node, out);
        }
    }

    fn follow(&self, node: NodeId, out: &mut Out<'_>) {
        let leader = Some(self.primary);
        out.send(node, Message::Sentinel(SentinelMessage::ReplicaOf { leader }));
    }
}
