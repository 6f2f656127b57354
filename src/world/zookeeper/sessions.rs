//! Sessions: who is let in, who is tracked, who expires.

use std::sync::Arc;

use super::{CONTAINERS, EXPIRY, Link, Txn, ZkServer, negotiated};
use crate::vocabulary::{ClockChoice, NodeId, ServiceIx, SessionId, Span, Zxid};
use crate::world::message::{Forwarded, Message, ZkAnswer, ZkMessage, ZkUpdate};
use crate::world::observation::Observation;
use crate::world::out::{Ctx, Out};

/// A session as the leader tracks it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Tracked {
    session: SessionId,
    timeout: Span,
    /// When it expires, on the leader's monotonic clock: the end of a tick.
    until: i64,
    /// Its end is in the log already.
    closing: bool,
    /// The server at which it is; a new leader learns it from the first update.
    server: Option<NodeId>,
}

impl ZkServer {
    fn tick_us(&self, ctx: Ctx<'_>) -> i64 {
        let ensemble = ctx.setup.service(self.replica.service()).ensemble.as_ref();
        ensemble.map_or(1, |ensemble| ensemble.config.tick.0 as i64)
    }

    /// A client wants to be let in.
    pub(super) fn connect(
        &mut self,
        link: Link,
        (session, timeout, seen): (Option<SessionId>, Span, Zxid),
        ctx: Ctx<'_>,
        out: &mut Out<'_>,
    ) {
        let Link { client, conn, rpc, .. } = link;
        if seen > self.zxid() {
            // It has seen more than this server has: it shall not go back in time.
            return out.hang_up(conn);
        }
        let older: Vec<_> = self.links.iter().filter(|link| link.client == client).map(|link| link.conn).collect();
        for older in older {
            if older != conn {
                out.hang_up(older);
            }
            self.drop_link(older);
        }
        let links = Arc::make_mut(&mut self.links);
        links.reserve_exact(1);
        links.push(link);
        match session {
            None => {
                let timeout = negotiated(timeout, Span(self.tick_us(ctx) as u64));
                let update = ZkUpdate::OpenSession { conn, timeout };
                self.submit(Txn { session: None, client, server: ctx.me, rpc, update }, ctx, out);
            }
            Some(session) if self.replica.leads() => {
                let lives = self.move_session(session, ctx.me, ctx);
                self.resume(link, session, lives, out);
            }
            Some(session) => {
                let asked = Forwarded::Revalidate { conn, rpc, session };
                self.replica.tell_leader(Message::ZooKeeper(ZkMessage::Forward(asked)), out);
            }
        }
    }

    /// Lets a session go on, or tells its client that it is over.
    pub(super) fn resume(&mut self, link: Link, session: SessionId, lives: bool, out: &mut Out<'_>) {
        // The end of the session may be applied here before the leader's answer comes.
        let known = self.tree.session(session).filter(|_| lives).map(|known| known.timeout);
        if let Some(timeout) = known {
            if let Some(link) = Arc::make_mut(&mut self.links).iter_mut().find(|one| one.conn == link.conn) {
                link.session = Some(session);
            }
            self.answer(link.conn, link.rpc, ZkAnswer::Connected { session, timeout }, out);
        } else {
            self.answer(link.conn, link.rpc, ZkAnswer::Expired, out);
            out.hang_up(link.conn);
            self.drop_link(link.conn);
        }
    }

    /// A client gave a sign of life.
    pub(super) fn touch(&mut self, session: Option<SessionId>, ctx: Ctx<'_>) {
        let Some(session) = session else { return };
        if self.replica.leads() {
            self.track_on(session, ctx);
        } else if !self.touched.contains(&session) {
            self.touched.reserve_exact(1);
            self.touched.push(session);
        }
    }

    /// The end of the tick in which a session expires that was heard of now (`roundToNextInterval`).
    fn expiry(&self, timeout: Span, ctx: Ctx<'_>) -> i64 {
        let tick = self.tick_us(ctx);
        ((ctx.mono_us + timeout.0 as i64) / tick + 1) * tick
    }

    /// The leader heard of a session; false if it does not live.
    pub(super) fn track_on(&mut self, session: SessionId, ctx: Ctx<'_>) -> bool {
        let Some(place) = self.tracked.iter().position(|one| one.session == session && !one.closing) else {
            return false;
        };
        let until = self.expiry(self.tracked[place].timeout, ctx);
        if self.tracked[place].until != until {
            Arc::make_mut(&mut self.tracked)[place].until = until;
        }
        true
    }

    /// A session goes on at a server (`setOwner`); false if it does not live.
    pub(super) fn move_session(&mut self, session: SessionId, server: NodeId, ctx: Ctx<'_>) -> bool {
        let lives = self.track_on(session, ctx);
        if lives {
            let of_session = |one: &&mut Tracked| one.session == session;
            Arc::make_mut(&mut self.tracked).iter_mut().filter(of_session).for_each(|one| one.server = Some(server));
        }
        lives
    }

    /// Whether a session has left the server at which this was asked (`checkSession`). To close it is never too late.
    pub(super) fn has_moved(&mut self, txn: &Txn) -> bool {
        let closes = matches!(txn.update, ZkUpdate::CloseSession { .. });
        let of_session = |one: &Tracked| Some(one.session) == txn.session && !closes;
        let Some(place) = self.tracked.iter().position(of_session) else { return false };
        let known = self.tracked[place].server;
        if known.is_none() {
            Arc::make_mut(&mut self.tracked)[place].server = Some(txn.server);
        }
        known.is_some_and(|server| server != txn.server)
    }

    /// A session was opened.
    pub(super) fn track(&mut self, zxid: Zxid, (timeout, server): (Span, NodeId), ctx: Ctx<'_>, out: &mut Out<'_>) {
        if !self.replica.leads() {
            return;
        }
        let session = SessionId(zxid.0);
        let until = self.expiry(timeout, ctx);
        Arc::make_mut(&mut self.tracked).push(Tracked {
            session,
            timeout,
            until,
            closing: false,
            server: Some(server),
        });
        self.plan_expiry(out);
    }

    /// A new leader: every session has its whole timeout again.
    pub(super) fn track_all(&mut self, ctx: Ctx<'_>, out: &mut Out<'_>) {
        let fresh = |session: &super::Session| {
            let until = self.expiry(session.timeout, ctx);
            Tracked { session: session.id, timeout: session.timeout, until, closing: false, server: None }
        };
        self.tracked = Arc::new(self.tree.sessions().iter().map(fresh).collect());
        self.plan_expiry(out);
    }

    fn plan_expiry(&self, out: &mut Out<'_>) {
        let open = self.tracked.iter().filter(|one| !one.closing);
        if let Some(due) = open.map(|one| one.until).min() {
            out.set_timer(EXPIRY, ClockChoice::Monotonic, due);
        }
    }

    /// The leader ends the sessions whose time is up.
    pub(super) fn expire(&mut self, ctx: Ctx<'_>, out: &mut Out<'_>) {
        let over = |one: &&mut Tracked| !one.closing && one.until <= ctx.mono_us;
        let mut ended = Vec::new();
        for one in Arc::make_mut(&mut self.tracked).iter_mut().filter(over) {
            one.closing = true;
            ended.push(one.session);
        }
        for session in ended {
            let Some(client) = self.tree.session(session).map(|session| session.client) else { continue };
            let service: ServiceIx = self.replica.service();
            out.note(Observation::SessionExpired { service, client });
            let update = ZkUpdate::CloseSession { expired: true };
            self.submit(Txn { session: Some(session), client, server: ctx.me, rpc: 0, update }, ctx, out);
        }
        self.plan_expiry(out);
    }

    /// A session is over: its clients' connections are closed.
    pub(super) fn end_session(&mut self, session: Option<SessionId>, out: &mut Out<'_>) {
        if self.tracked.iter().any(|one| Some(one.session) == session) {
            Arc::make_mut(&mut self.tracked).retain(|one| Some(one.session) != session);
        }
        let of_session = |link: &&Link| link.session.is_some() && link.session == session;
        let ended: Vec<Link> = self.links.iter().filter(of_session).copied().collect();
        for link in ended {
            out.hang_up(link.conn);
            self.drop_link(link.conn);
        }
    }

    pub(super) fn plan_containers(&self, ctx: Ctx<'_>, out: &mut Out<'_>) {
        let ensemble = ctx.setup.service(self.replica.service()).ensemble.as_ref();
        if let Some(every) = ensemble.and_then(|ensemble| ensemble.config.containers) {
            out.set_timer(CONTAINERS, ClockChoice::Monotonic, ctx.mono_us + every.0 as i64);
        }
    }

    /// The leader's container manager: deletes a parent that has had children and has none.
    pub(super) fn look_for_containers(&mut self, ctx: Ctx<'_>, out: &mut Out<'_>) {
        let empty = self.tree.children().is_empty();
        if empty && self.tree.parent().is_some_and(|parent| parent.created > 0) {
            let update = ZkUpdate::DeleteContainer;
            self.submit(Txn { session: None, client: ctx.me, server: ctx.me, rpc: 0, update }, ctx, out);
        }
        self.plan_containers(ctx, out);
    }
}
