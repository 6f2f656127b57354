//! A client's session with a ZooKeeper ensemble: to whom it is connected, and what it learns of its session.
//!
//! As the Java client does it (`ClientCnxn`, ZooKeeper 3.8): it pings when it has sent nothing for a third of the session
//! timeout, gives a server up after two thirds of silence, waits for a random time of up to a second, and tries the next one
//! with the same session. That its session has **expired** it can only hear from a server: until it is connected again it
//! knows nothing but that it is **disconnected**. One session holds one lock here, and the program closes it at its end.
//!
//! The real list of servers is shuffled; here the n-th client begins with the n-th server. The next ping is due after a
//! third of the timeout; the real client sends it up to a second earlier. After a lost session the program opens a new one
//! as soon as it wants something.
//!
//! Where a client without a session comes in, nothing is inlined: the first view shall not carry this code.

use super::recipe::Goal;
use super::{Awaiting, Client, Lock, SESSION_TIMERS};
use crate::vocabulary::{ClockChoice, NodeId, ServiceIx, SessionId, Span, Zxid};
use crate::world::message::{Child, Message, ZkAnswer, ZkMessage, ZkRequest};
use crate::world::observation::{Closing, Observation};
use crate::world::out::{Ctx, Out};
use crate::world::random::Purpose;

/// The longest pause before a client connects again.
const RECONNECT_MAX: Span = Span::from_ms(1000);

/// A client's end of a session.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct ZkHandle {
    /// The place of its server among those of the service.
    server: u16,
    link: Link,
    session: Option<SessionId>,
    /// As negotiated, or as wished.
    timeout: Span,
    /// The last entry that it has seen the effect of.
    seen: Zxid,
    /// When it heard and said something last, on its monotonic clock.
    heard: i64,
    sent: i64,
    /// The request that is not answered yet.
    pub(super) rpc: Option<u32>,
    pub(super) goal: Goal,
    /// The id in the name of its node.
    pub(super) guid: u64,
    /// Its node.
    pub(super) mine: Option<Child>,
}

/// A client's connection.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Link {
    /// There is none, and none is wanted.
    Closed,
    /// There will be one at this instant.
    Pause {
        until: i64,
    },
    /// The server has not answered.
    Connecting {
        since: i64,
    },
    Connected,
}

impl ZkHandle {
    pub(super) const fn new(server: u16, timeout: Span) -> Self {
        Self {
            server,
            link: Link::Closed,
            session: None,
            timeout,
            seen: Zxid::ZERO,
            heard: 0,
            sent: 0,
            rpc: None,
            goal: Goal::Nothing,
            guid: 0,
            mine: None,
        }
    }

    /// Whether it has a server.
    pub const fn is_connected(&self) -> bool {
        matches!(self.link, Link::Connected)
    }

    /// Its session, as far as it knows.
    pub const fn session(&self) -> Option<SessionId> {
        self.session
    }

    /// Its node in the queue.
    pub const fn node(&self) -> Option<&Child> {
        self.mine.as_ref()
    }

    /// When it next has something to do by itself.
    fn due(&self, servers: usize) -> Option<i64> {
        let part = |of: u64, n: u64| (of / n) as i64;
        match self.link {
            Link::Closed => None,
            Link::Pause { until } => Some(until),
            Link::Connecting { since } => Some(since + part(self.timeout.0, servers as u64)),
            Link::Connected => {
                let silence = self.heard + part(self.timeout.0 * 2, 3);
                Some(silence.min(self.sent + part(self.timeout.0, 3)))
            }
        }
    }
}

impl Client {
    pub(super) fn handle_of(&mut self, service: ServiceIx) -> Option<&mut ZkHandle> {
        self.locks[service.ix()].zookeeper.as_deref_mut()
    }

    fn server(&self, service: ServiceIx, ctx: Ctx<'_>) -> Option<NodeId> {
        let handle = self.locks[service.ix()].zookeeper.as_deref()?;
        ctx.setup.service(service).nodes.get(handle.server as usize).copied()
    }

    /// The service that a ZooKeeper server belongs to.
    fn service_of(server: NodeId, ctx: Ctx<'_>) -> Option<ServiceIx> {
        ctx.setup.ensemble_of(server).map(|(service, _)| service)
    }

    /// Sends a request in the session, if it is connected and nothing else is asked.
    pub(super) fn ask(&mut self, service: ServiceIx, request: ZkRequest, ctx: Ctx<'_>, out: &mut Out<'_>) {
        let rpc = self.fresh_rpc();
        let Some(server) = self.server(service, ctx) else { return };
        let Some(handle) = self.handle_of(service) else { return };
        handle.rpc = Some(rpc);
        handle.sent = ctx.mono_us;
        out.send(server, Message::ZooKeeper(ZkMessage::Request { rpc, request }));
    }

    /// Makes sure that a connection is there or on its way.
    pub(super) fn ensure_connected(&mut self, service: ServiceIx, ctx: Ctx<'_>, out: &mut Out<'_>) {
        if self.handle_of(service).is_some_and(|handle| handle.link == Link::Closed) {
            self.connect(service, ctx, out);
        }
    }

    fn connect(&mut self, service: ServiceIx, ctx: Ctx<'_>, out: &mut Out<'_>) {
        let wish = self.driver(service, ctx).recipe.session;
        let Some(handle) = self.handle_of(service) else { return };
        handle.link = Link::Connecting { since: ctx.mono_us };
        let request = ZkRequest::Connect { session: handle.session, timeout: wish, seen: handle.seen };
        self.ask(service, request, ctx, out);
        self.plan_session(service, ctx, out);
    }

    fn plan_session(&mut self, service: ServiceIx, ctx: Ctx<'_>, out: &mut Out<'_>) {
        let servers = ctx.setup.service(service).nodes.len();
        let timer = SESSION_TIMERS + u32::from(service.0);
        match self.handle_of(service).and_then(|handle| handle.due(servers)) {
            Some(due) => out.set_timer(timer, ClockChoice::Monotonic, due),
            None => out.cancel_timer(timer),
        }
    }

    /// The session's timer.
    #[inline(never)]
    pub(super) fn tend_session(&mut self, service: ServiceIx, ctx: Ctx<'_>, out: &mut Out<'_>) {
        let servers = ctx.setup.service(service).nodes.len();
        let server = self.server(service, ctx);
        let Some(handle) = self.handle_of(service) else { return };
        if handle.due(servers).is_some_and(|due| due <= ctx.mono_us) {
            match handle.link {
                Link::Closed => {}
                Link::Pause { .. } => return self.connect(service, ctx, out),
                Link::Connecting { .. } => return self.disconnect(service, ctx, out),
                Link::Connected if ctx.mono_us >= handle.heard + (handle.timeout.0 * 2 / 3) as i64 => {
                    return self.disconnect(service, ctx, out);
                }
                Link::Connected => {
                    handle.sent = ctx.mono_us;
                    if let Some(server) = server {
                        out.send(server, Message::ZooKeeper(ZkMessage::Ping));
                    }
                }
            }
        }
        self.plan_session(service, ctx, out);
    }

    /// A ZooKeeper server said something.
    #[inline(never)]
    pub(super) fn on_zookeeper(&mut self, from: NodeId, said: &ZkMessage, ctx: Ctx<'_>, out: &mut Out<'_>) {
        let Some(service) = Self::service_of(from, ctx) else { return };
        if self.server(service, ctx) != Some(from) {
            return;
        }
        let Some(handle) = self.handle_of(service) else { return };
        handle.heard = ctx.mono_us;
        match *said {
            ZkMessage::Pong { zxid } => handle.seen = handle.seen.max(zxid),
            ZkMessage::Event { .. } if handle.is_connected() => self.on_watch(service, ctx, out),
            ZkMessage::Answer { rpc, zxid, ref answer } if handle.rpc == Some(rpc) => {
                handle.rpc = None;
                handle.seen = handle.seen.max(zxid);
                match *answer {
                    ZkAnswer::Connected { session, timeout } => self.connected(service, (session, timeout), ctx, out),
                    ZkAnswer::Expired => self.expired(service, ctx, out),
                    _ => self.on_answer(service, answer, ctx, out),
                }
            }
            _ => {}
        }
    }

    fn connected(
        &mut self,
        service: ServiceIx,
        (session, timeout): (SessionId, Span),
        ctx: Ctx<'_>,
        out: &mut Out<'_>,
    ) {
        let server = self.server(service, ctx).unwrap_or_default();
        let Some(handle) = self.handle_of(service) else { return };
        let fresh = handle.session != Some(session);
        (handle.link, handle.session, handle.timeout) = (Link::Connected, Some(session), timeout);
        out.note(Observation::Connected { service, server, fresh });
        self.resume_hold(service, out);
        self.plan_session(service, ctx, out);
        self.pursue(service, ctx, out);
    }

    /// The connection is gone or given up: the session may live on, and the next server is tried.
    #[inline(never)]
    fn disconnect(&mut self, service: ServiceIx, ctx: Ctx<'_>, out: &mut Out<'_>) {
        let servers = ctx.setup.service(service).nodes.len() as u16;
        let pause = ctx.span(Purpose::Reconnect, self.draws, RECONNECT_MAX);
        self.draws += 1;
        let Some(server) = self.server(service, ctx) else { return };
        out.close(server);
        let Some(handle) = self.handle_of(service) else { return };
        let was_connected = handle.is_connected();
        let asked = handle.rpc.take().is_some();
        handle.server = (handle.server + 1) % servers;
        handle.link = Link::Pause { until: ctx.mono_us + pause.0 as i64 };
        if handle.goal == Goal::Close {
            (handle.link, handle.goal) = (Link::Closed, Goal::Nothing);
        } else if was_connected {
            out.note(Observation::Disconnected { service, server });
            if asked {
                out.note(Observation::OutcomeUnknown { peer: server });
            }
            self.after_disconnect(service, asked, ctx);
            self.suspend_hold(service, ctx, out);
        }
        self.plan_session(service, ctx, out);
    }

    /// A server's connection is gone. True if it is the one in use.
    pub(super) fn zookeeper_lost(&mut self, peer: NodeId, ctx: Ctx<'_>, out: &mut Out<'_>) -> bool {
        let Some(service) = Self::service_of(peer, ctx) else { return false };
        let current = self.server(service, ctx) == Some(peer);
        let in_use = |handle: &mut ZkHandle| matches!(handle.link, Link::Connecting { .. } | Link::Connected);
        if current && self.handle_of(service).is_some_and(in_use) {
            self.disconnect(service, ctx, out);
        }
        true
    }

    /// A server said that the session is over.
    fn expired(&mut self, service: ServiceIx, ctx: Ctx<'_>, out: &mut Out<'_>) {
        let Some(server) = self.server(service, ctx) else { return };
        out.close(server);
        let Some(handle) = self.handle_of(service) else { return };
        (handle.session, handle.mine, handle.seen) = (None, None, Zxid::ZERO);
        handle.link = Link::Closed;
        out.note(Observation::Expired { service });
        let careful = self.driver(service, ctx).careful;
        if careful || self.locks[service.ix()].suspended {
            self.close_hold(service, Closing::Notice, out);
            self.go_on_after_stop(out);
        }
        self.plan_session(service, ctx, out);
        self.after_expiry(service, ctx, out);
    }

    fn suspend_hold(&mut self, service: ServiceIx, ctx: Ctx<'_>, out: &mut Out<'_>) {
        let suspends = self.driver(service, ctx).recipe.suspends;
        let lock = self.lock(service);
        if let (true, Some(hold), false) = (suspends, lock.hold.as_deref(), lock.suspended) {
            out.note(Observation::HoldSuspended { service, hold: hold.hold });
            lock.suspended = true;
        }
    }

    fn resume_hold(&mut self, service: ServiceIx, out: &mut Out<'_>) {
        let lock = self.lock(service);
        if let (Some(hold), true) = (lock.hold.as_deref(), lock.suspended) {
            out.note(Observation::HoldResumed { service, hold: hold.hold });
            lock.suspended = false;
            self.go_on_after_stop(out);
        }
    }

    /// A line that had to wait while a hold was suspended.
    fn go_on_after_stop(&mut self, out: &mut Out<'_>) {
        if self.held_back && !self.is_suspended() {
            self.held_back = false;
            out.run();
        }
    }

    /// Whether some hold is suspended: then no further line begins.
    pub(super) fn is_suspended(&self) -> bool {
        self.locks.iter().any(|lock| lock.suspended)
    }

    /// The end of the program closes every session.
    pub(super) fn close_sessions(&mut self, ctx: Ctx<'_>, out: &mut Out<'_>) {
        for ix in 0..self.locks.len() {
            let service = ServiceIx(ix as u8);
            if self.locks[ix].zookeeper.is_some() {
                self.close_session(service, ctx, out);
            }
        }
    }

    #[inline(never)]
    fn close_session(&mut self, service: ServiceIx, ctx: Ctx<'_>, out: &mut Out<'_>) {
        let Some(handle) = self.handle_of(service) else { return };
        if handle.is_connected() {
            handle.goal = Goal::Close;
            self.pursue(service, ctx, out);
        } else {
            handle.link = Link::Closed;
            self.plan_session(service, ctx, out);
        }
    }

    /// Whether the current line waits for the ensemble.
    pub(super) fn waits_for_zookeeper(&self) -> bool {
        self.awaiting == Awaiting::ZooKeeper
    }

    /// The session with a service's ensemble, if the client has begun one.
    pub fn zookeeper(&self, service: ServiceIx) -> Option<&ZkHandle> {
        self.locks.get(service.ix()).and_then(|lock: &Lock| lock.zookeeper.as_deref())
    }
}
