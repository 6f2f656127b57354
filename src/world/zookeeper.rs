//! A ZooKeeper server: sessions, one tree of nodes, watches, on top of the replicated log.
//!
//! Followed: Apache ZooKeeper 3.8, its code and the "Programmer's Guide".
//!
//! - A client is connected to one server. That server answers **reads** from what it has applied, which may be behind
//!   the others; **updates** go through the log, are applied by every server in the log's order, and are answered by the
//!   client's own server once it has applied them. `sync` waits until it has all that the leader had committed.
//! - A **session** is an entry of the log. Its timeout is negotiated within 2 to 20 ticks. Each server remembers whose
//!   clients it heard; followers tell the leader with their answers to its pings. Only the **leader** expires sessions: at the
//!   last sign of life plus the timeout, rounded *up* to a tick of its monotonic clock (`ExpiryQueue`). It then proposes an
//!   entry that closes the session and deletes its ephemeral nodes. A new leader gives every session its whole timeout anew.
//! - A client that comes with a session is let in if the leader says that the session lives (`REVALIDATE`), and if this
//!   server is not behind what the client has already seen; else its connection is closed, and it tries another server.
//! - The leader knows at which server a session is. What was asked at another one and comes late is not done any more
//!   (`SessionMovedException`): its client has gone on.
//! - A server that has lost its leader serves nobody: it closes its clients' connections, and their watches are gone.
//! - **Watches** fire once, before the client can see the change itself.
//! - The **number** of a sequential node is how many children its parent has had (`cversion` as it is kept inside). A
//!   parent that is a container may be deleted once it has had children and is empty; then numbers begin anew.
//!
//! What is simplified: the log holds what was asked, and each server finds out whether it succeeds; really the leader's
//! request processor does and logs the effect. The outcome is the same. There is one parent and no path below its children;
//! no ACLs, quotas, multi-operations, local sessions or read-only mode. Ids of sessions are those of their entries; the password is left out.

mod sessions;
mod tree;

use std::sync::Arc;

pub use tree::{Parent, Session, Tree, Znode};

use super::disk::DiskImage;
use super::ensemble::LockMove;
use super::message::{Child, Forwarded, LogMessage, Message, ZkAnswer, ZkMessage, ZkRequest, ZkUpdate};
use super::out::{Ctx, Out};
use super::process::Input;
use super::replicated_log::{Change, Entry, Replica, TIMERS};
use crate::vocabulary::{ConnId, NodeId, ServiceIx, SessionId, Span, Zxid};
use sessions::Tracked;

/// The leader looks whether a session has expired.
const EXPIRY: u32 = TIMERS;
/// The leader looks for empty containers.
const CONTAINERS: u32 = TIMERS + 1;

/// The name of a child: `guid-lock-0000000007`, or without the guid.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Name {
    /// The number that the parent gave it.
    pub seq: u32,
    /// What its client put before it, to know it again.
    pub guid: Option<u64>,
}

/// An update with what is needed to answer it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Txn {
    /// In which session it was asked; `None` for the first request of one, and for the leader's own.
    pub session: Option<SessionId>,
    /// By whom.
    pub client: NodeId,
    /// The server at which it was asked.
    pub server: NodeId,
    /// The number of the request.
    pub rpc: u32,
    /// What it does.
    pub update: ZkUpdate,
}

/// A client's connection to a server.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct Link {
    client: NodeId,
    conn: ConnId,
    session: Option<SessionId>,
    /// The request that opens or resumes the session.
    rpc: u32,
}

/// A watch that a client left: on a child, or on the parent's children.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct Watch {
    conn: ConnId,
    name: Option<Name>,
}

/// A `sync` that waits at the leader for entries to be committed.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct WaitingSync {
    zxid: Zxid,
    /// The follower's connection or the client's own.
    conn: ConnId,
    /// The client's connection, at the server where it asked.
    asked: ConnId,
    own: bool,
    rpc: u32,
}

/// The state of a ZooKeeper server.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct ZkServer {
    replica: Replica,
    /// How many entries of the log have been applied.
    applied: u32,
    tree: Arc<Tree>,
    links: Arc<Vec<Link>>,
    watches: Arc<Vec<Watch>>,
    /// A follower: whom it heard since its last answer to a ping.
    touched: Vec<SessionId>,
    /// The leader: until when each session lives.
    tracked: Arc<Vec<Tracked>>,
    syncs: Vec<WaitingSync>,
    /// Whether it served clients, and whether as leader, when it looked last.
    served: (bool, bool),
}

impl ZkServer {
    pub(super) fn new(service: ServiceIx) -> Self {
        Self {
            replica: Replica::new(service),
            applied: 0,
            tree: Arc::default(),
            links: Arc::default(),
            watches: Arc::default(),
            touched: Vec::new(),
            tracked: Arc::default(),
            syncs: Vec::new(),
            served: (false, false),
        }
    }

    /// Its part in the replicated log.
    pub const fn replica(&self) -> &Replica {
        &self.replica
    }

    /// What it has applied of the log.
    pub fn tree(&self) -> &Tree {
        &self.tree
    }

    /// The last entry that it has applied.
    pub fn zxid(&self) -> Zxid {
        self.replica.log().zxid_before(self.applied)
    }

    /// The clients that are connected to it in a session.
    pub fn clients(&self) -> impl Iterator<Item = NodeId> + '_ {
        self.links.iter().filter(|link| link.session.is_some()).map(|link| link.client)
    }

    /// Not inlined: the first view has no ensemble, and its processes shall not carry one's code.
    #[inline(never)]
    pub(super) fn handle(&mut self, input: Input<'_>, written: &DiskImage, ctx: Ctx<'_>, out: &mut Out<'_>) {
        match input {
            Input::Start => self.on_start(ctx, out),
            Input::Restart => self.replica.on_restart(written, ctx, out),
            Input::Message { from, conn, message } => self.on_message(from, conn, message, ctx, out),
            Input::Timer(timer) => self.on_timer(timer, ctx, out),
            Input::Lost { peer, conn } => self.on_lost(peer, conn, ctx, out),
            Input::Run => {}
        }
    }

    fn on_start(&mut self, ctx: Ctx<'_>, out: &mut Out<'_>) {
        self.replica.on_start(ctx, out);
        self.catch_up(ctx, out);
    }

    fn on_message(&mut self, from: NodeId, conn: ConnId, message: &Message, ctx: Ctx<'_>, out: &mut Out<'_>) {
        match message {
            Message::Log(said) => self.on_log(from, conn, said.clone(), ctx, out),
            Message::ZooKeeper(ZkMessage::Forward(asked)) => self.on_forward(from, conn, *asked, ctx, out),
            Message::ZooKeeper(ZkMessage::LeaderSays { conn, rpc, session }) => {
                self.on_leader_says(*conn, *rpc, *session, out);
            }
            Message::ZooKeeper(ZkMessage::Request { rpc, request }) => {
                self.on_request(from, conn, *rpc, *request, ctx, out);
            }
            Message::ZooKeeper(ZkMessage::Ping) => {
                let Some(link) = self.link(conn) else { return out.hang_up(conn) };
                self.touch(link.session, ctx);
                out.reply(conn, Message::ZooKeeper(ZkMessage::Pong { zxid: self.zxid() }));
            }
            _ => {}
        }
        self.catch_up(ctx, out);
    }

    fn on_timer(&mut self, timer: u32, ctx: Ctx<'_>, out: &mut Out<'_>) {
        match timer {
            EXPIRY => self.expire(ctx, out),
            CONTAINERS => self.look_for_containers(ctx, out),
            _ => self.replica.on_timer(timer, ctx, out),
        }
        self.catch_up(ctx, out);
    }

    fn on_lost(&mut self, peer: NodeId, conn: ConnId, ctx: Ctx<'_>, out: &mut Out<'_>) {
        if self.link(conn).is_some() {
            self.drop_link(conn);
        } else {
            self.replica.on_lost(peer, conn, ctx, out);
            self.catch_up(ctx, out);
        }
    }

    fn on_log(&mut self, from: NodeId, conn: ConnId, said: LogMessage, ctx: Ctx<'_>, out: &mut Out<'_>) {
        if let (LogMessage::Pong { sessions: Some(sessions) }, true) = (&said, self.replica.has_follower(from, conn)) {
            for session in sessions.iter() {
                self.track_on(*session, ctx);
            }
        }
        let ping = said == LogMessage::Ping;
        self.replica.on_message(from, conn, said, ctx, out);
        if ping && self.replica.follows_on(conn) {
            let touched = std::mem::take(&mut self.touched);
            let sessions = (!touched.is_empty()).then(|| touched.into());
            out.reply(conn, Message::Log(LogMessage::Pong { sessions }));
        }
    }

    /// What a client asks.
    fn on_request(
        &mut self,
        client: NodeId,
        conn: ConnId,
        rpc: u32,
        request: ZkRequest,
        ctx: Ctx<'_>,
        out: &mut Out<'_>,
    ) {
        if !self.replica.serves() {
            return out.hang_up(conn);
        }
        if let ZkRequest::Connect { session, timeout, seen } = request {
            return self.connect(Link { client, conn, session: None, rpc }, (session, timeout, seen), ctx, out);
        }
        let Some(Link { session: Some(session), .. }) = self.link(conn) else { return out.hang_up(conn) };
        self.touch(Some(session), ctx);
        let answer = match request {
            ZkRequest::Connect { .. } => return,
            ZkRequest::Update(update) => {
                return self.submit(Txn { session: Some(session), client, server: ctx.me, rpc, update }, ctx, out);
            }
            ZkRequest::Sync => {
                return self.sync(WaitingSync { zxid: Zxid::ZERO, conn, asked: conn, own: true, rpc }, out);
            }
            ZkRequest::Children { watch } => {
                self.watch(watch, conn, None);
                let child = |child: &Znode| Child { name: child.name, czxid: child.czxid };
                match self.tree.parent() {
                    None => ZkAnswer::NoNode,
                    Some(_) => ZkAnswer::Children(self.tree.children().iter().map(child).collect()),
                }
            }
            ZkRequest::Exists { name, watch } => {
                self.watch(watch, conn, Some(name));
                match self.tree.child(name) {
                    None => ZkAnswer::NoNode,
                    Some(child) => ZkAnswer::Exists(Child { name, czxid: child.czxid }),
                }
            }
        };
        self.answer(conn, rpc, answer, out);
    }

    fn answer(&self, conn: ConnId, rpc: u32, answer: ZkAnswer, out: &mut Out<'_>) {
        out.reply(conn, Message::ZooKeeper(ZkMessage::Answer { rpc, zxid: self.zxid(), answer }));
    }

    /// Leaves a watch, unless the client has the same already.
    fn watch(&mut self, wanted: bool, conn: ConnId, name: Option<Name>) {
        let watch = Watch { conn, name };
        if wanted && !self.watches.contains(&watch) {
            Arc::make_mut(&mut self.watches).push(watch);
        }
    }

    /// Brings an update into the log, unless its session has moved to another server meanwhile.
    fn submit(&mut self, txn: Txn, ctx: Ctx<'_>, out: &mut Out<'_>) {
        if self.replica.leads() {
            if self.has_moved(&txn) {
                return;
            }
            self.replica.propose(Change::ZooKeeper(txn), ctx, out);
        } else {
            self.replica.tell_leader(Message::ZooKeeper(ZkMessage::Forward(Forwarded::Update(txn))), out);
        }
    }

    fn sync(&mut self, mut sync: WaitingSync, out: &mut Out<'_>) {
        if self.replica.leads() {
            sync.zxid = self.replica.log().last();
            self.syncs.push(sync);
        } else {
            let WaitingSync { conn, rpc, .. } = sync;
            self.replica.tell_leader(Message::ZooKeeper(ZkMessage::Forward(Forwarded::Sync { conn, rpc })), out);
        }
    }

    /// What a follower asks of its leader.
    fn on_forward(&mut self, from: NodeId, conn: ConnId, asked: Forwarded, ctx: Ctx<'_>, out: &mut Out<'_>) {
        if !self.replica.leads() || !self.replica.has_follower(from, conn) {
            return;
        }
        match asked {
            Forwarded::Update(txn) => self.submit(txn, ctx, out),
            Forwarded::Sync { conn: asked, rpc } => {
                self.sync(WaitingSync { zxid: Zxid::ZERO, conn, asked, own: false, rpc }, out);
            }
            Forwarded::Revalidate { conn: asked, rpc, session } => {
                let lives = self.move_session(session, from, ctx);
                let session = Some((session, lives));
                out.reply(conn, Message::ZooKeeper(ZkMessage::LeaderSays { conn: asked, rpc, session }));
            }
        }
    }

    /// The leader's answer to what was asked on behalf of a client.
    fn on_leader_says(&mut self, conn: ConnId, rpc: u32, session: Option<(SessionId, bool)>, out: &mut Out<'_>) {
        let Some(link) = self.link(conn) else { return };
        match session {
            None => self.answer(link.conn, rpc, ZkAnswer::Synced, out),
            Some((session, lives)) if link.rpc == rpc => self.resume(link, session, lives, out),
            Some(_) => {}
        }
    }

    /// Applies what is committed, and takes in what the replica has become.
    fn catch_up(&mut self, ctx: Ctx<'_>, out: &mut Out<'_>) {
        while self.applied < self.replica.committed() {
            let entry = *self.replica.log().entry(self.applied);
            self.applied += 1;
            self.apply(entry, ctx, out);
        }
        let now = (self.replica.serves(), self.replica.leads());
        let before = std::mem::replace(&mut self.served, now);
        if before.0 && !now.0 {
            self.serve_nobody(out);
        }
        if now.1 && !before.1 {
            self.track_all(ctx, out);
            self.plan_containers(ctx, out);
        }
        let zxid = self.zxid();
        let (done, waiting): (Vec<_>, Vec<_>) = self.syncs.drain(..).partition(|sync| sync.zxid <= zxid);
        self.syncs = waiting;
        for WaitingSync { conn, asked, own, rpc, .. } in done {
            if own {
                self.answer(conn, rpc, ZkAnswer::Synced, out);
            } else {
                out.reply(conn, Message::ZooKeeper(ZkMessage::LeaderSays { conn: asked, rpc, session: None }));
            }
        }
    }

    fn serve_nobody(&mut self, out: &mut Out<'_>) {
        for link in std::mem::take(&mut self.links).iter() {
            out.hang_up(link.conn);
        }
        (self.watches, self.tracked) = (Arc::default(), Arc::default());
        self.touched.clear();
        self.syncs.clear();
        out.cancel_timer(EXPIRY);
        out.cancel_timer(CONTAINERS);
    }

    fn apply(&mut self, entry: Entry, ctx: Ctx<'_>, out: &mut Out<'_>) {
        let Change::ZooKeeper(txn) = entry.change else { return };
        let outcome = Arc::make_mut(&mut self.tree).apply(&txn, entry.zxid);
        if let Some(why) = outcome.moved {
            let owner = self.tree.children().first().map(|child| (child.client, child.czxid));
            out.moved(LockMove { service: self.replica.service(), zxid: entry.zxid, owner, why });
        }
        for name in outcome.changed {
            self.fire(name, out);
        }
        let own = self.links.iter().find(|link| txn.server == ctx.me && link.client == txn.client).copied();
        let asked = |link: &Link| match txn.update {
            ZkUpdate::OpenSession { conn, .. } => link.conn == conn,
            _ => link.session == txn.session,
        };
        if let Some(link) = own.filter(asked) {
            match outcome.answer {
                ZkAnswer::Connected { session, .. } => {
                    if let Some(link) = Arc::make_mut(&mut self.links).iter_mut().find(|one| one.conn == link.conn) {
                        link.session = Some(session);
                    }
                    self.answer(link.conn, txn.rpc, outcome.answer, out);
                }
                _ if matches!(txn.update, ZkUpdate::CloseSession { expired: true }) => {}
                answer => self.answer(link.conn, txn.rpc, answer, out),
            }
        }
        match txn.update {
            ZkUpdate::OpenSession { timeout, .. } => self.track(entry.zxid, (timeout, txn.server), ctx, out),
            ZkUpdate::CloseSession { .. } => self.end_session(txn.session, out),
            _ => {}
        }
    }

    /// Fires the watches on a child that came or went, and those on the children of the parent.
    fn fire(&mut self, name: Name, out: &mut Out<'_>) {
        let due = |watch: &Watch| watch.name.is_none_or(|watched| watched == name);
        if !self.watches.iter().any(due) {
            return;
        }
        let (fired, left) = self.watches.iter().partition(|watch| due(watch));
        self.watches = Arc::new(left);
        let fired: Vec<Watch> = fired;
        for Watch { conn, name } in fired {
            out.reply(conn, Message::ZooKeeper(ZkMessage::Event { name }));
        }
    }

    fn link(&self, conn: ConnId) -> Option<Link> {
        self.links.iter().find(|link| link.conn == conn).copied()
    }

    fn drop_link(&mut self, conn: ConnId) {
        Arc::make_mut(&mut self.links).retain(|link| link.conn != conn);
        if self.watches.iter().any(|watch| watch.conn == conn) {
            Arc::make_mut(&mut self.watches).retain(|watch| watch.conn != conn);
        }
    }
}

/// A timeout within what the server grants: 2 to 20 ticks.
pub(super) fn negotiated(wish: Span, tick: Span) -> Span {
    Span(wish.0.clamp(tick.0 * 2, tick.0 * 20))
}
