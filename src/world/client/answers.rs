//! What comes back of a client's questions to the nodes: answers, silence, broken connections.

use super::failover::sentinel;
use super::votes::{Tally, Vote};
use super::{Awaiting, Client, TIMEOUT_TIMER};
use crate::vocabulary::{ClockChoice, Driver, Line, NodeId, Replies, ServiceIx, Token, TokenSource};
use crate::world::message::RedisReply;
use crate::world::observation::Observation;
use crate::world::out::{Ctx, Out};

impl Client {
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
        let clear = voting.replies == Replies::Deciding && tally.decides(needed);
        match self.awaiting {
            Awaiting::Release if clear || tally.waiting == 0 => {
                out.cancel_timer(TIMEOUT_TIMER);
                self.next_line(ctx, out);
            }
            Awaiting::Lock => {
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

    /// A node's connection is gone: what was asked there will not be answered.
    pub(super) fn node_lost(&mut self, peer: NodeId, ctx: Ctx<'_>, out: &mut Out<'_>) {
        self.doubt(peer, ctx);
        self.renewals_lost(peer, ctx, out);
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
}

pub(super) fn set_timeout(driver: &Driver, ctx: Ctx<'_>, out: &mut Out<'_>) {
    if let Some(timeout) = driver.timeout {
        out.set_timer(TIMEOUT_TIMER, ClockChoice::Monotonic, ctx.mono_us + timeout.0 as i64);
    }
}
