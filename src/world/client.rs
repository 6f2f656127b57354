//! A client: a program of a few lines, run one after the other, and a lock driver per service.
//!
//! The program runs in one thread: a line starts when the one before it is done. Replies, renewals and deadlines are
//! handled between lines, as an I/O thread would. In a pause nothing runs at all.

mod answers;
mod driver;
mod failover;
mod lease;
mod lines;
mod parts;
mod recipe;
mod release;
mod session;
mod votes;

use std::sync::Arc;

pub use session::ZkHandle;
pub use votes::Vote;

use super::message::{Message, SentinelMessage};
use super::observation::{Closing, Observation};
use super::out::{Ctx, Out};
use super::process::Input;
use crate::scenario;
use crate::vocabulary::{HoldId, Line, LineIx, NodeId, Nonce, ResourceIx, ServiceIx, Token};

const LINE_TIMER: u32 = 0;
const WORK_TIMER: u32 = 1;
const TIMEOUT_TIMER: u32 = 2;
const DEADLINE_TIMERS: u32 = 0x100;
const RENEWAL_TIMERS: u32 = 0x200;
const SESSION_TIMERS: u32 = 0x300;

/// The state of a client process.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Client {
    /// Which client of the setup this is.
    ix: u16,
    line: LineIx,
    part: u8,
    finished: bool,
    rounds: u32,
    awaiting: Awaiting,
    rpcs: u32,
    draws: u32,
    /// How many draws the processes before this one had made: what is random stays so after a restart.
    born: u32,
    locks: Vec<Lock>,
    /// A line waits for the end of a suspension.
    held_back: bool,
    reads: Vec<ReadValue>,
}

/// What the current line waits for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Awaiting {
    Nothing,
    Timer,
    Lock,
    /// The answer to a part of `acquire` after the lock itself.
    Part {
        rpc: u32,
    },
    Read {
        rpc: u32,
        resource: ResourceIx,
    },
    Write {
        rpc: u32,
        resource: ResourceIx,
    },
    Release,
    /// A sentinel's word on who is primary.
    Primary {
        rpc: u32,
    },
    /// What the session with an ensemble has set out for.
    ZooKeeper,
}

/// A client's dealings with one service.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "what the client wants, lost, doubts and suspended are no alternatives"
)]
struct Lock {
    wants: bool,
    tries: u32,
    /// The id of this `acquire`, which all its attempts share.
    request: u16,
    /// The mark of the current or last attempt, if there was one.
    nonce: Option<Nonce>,
    /// When the current attempt began, on both clocks.
    began_mono: i64,
    began_wall: i64,
    token: Option<Token>,
    hold: Option<Arc<Hold>>,
    /// The hold in whose name reads and writes go out, even after it closed.
    acting: Option<HoldId>,
    /// Whether the client learned that it lost the lock inside its critical section.
    lost: bool,
    renewal: Option<Box<PendingRenewal>>,
    /// How many renewals of the hold succeeded.
    renewals: u32,
    /// What each node said to the last question.
    votes: Vec<Vote>,
    /// The node that it takes for the primary, if a sentinel named one.
    primary: Option<NodeId>,
    /// Whether it asks a sentinel before it talks to the service again.
    doubts: bool,
    /// The session with an ensemble.
    zookeeper: Option<Box<ZkHandle>>,
    /// Whether the hold is suspended: it is no belief for the time being.
    suspended: bool,
}

/// A renewal on its way.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct PendingRenewal {
    votes: Vec<Vote>,
    began_mono: i64,
    began_wall: i64,
}

/// What a client counts votes for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Ballot<'a> {
    /// The mark of the attempt.
    pub nonce: Nonce,
    /// What each node said.
    pub votes: &'a [Vote],
    /// When the question went out, on the client's monotonic clock in microseconds.
    pub began_mono: i64,
    /// The same on its wall clock.
    pub began_wall: i64,
}

/// A client's belief that it holds a lock.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Hold {
    /// Whose lock.
    pub service: ServiceIx,
    /// The hold.
    pub hold: HoldId,
    /// The attempt that succeeded.
    pub nonce: Nonce,
    /// The token that came with it.
    pub token: Option<Token>,
    /// Since when, on the client's monotonic clock in microseconds.
    pub since: i64,
    /// Until when the client thinks the lease runs, on its monotonic clock in microseconds.
    pub believed_until: Option<i64>,
    /// The same by its wall clock, for drivers that look at that one.
    wall_until: Option<i64>,
}

/// What a client read.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct ReadValue {
    resource: ResourceIx,
    value: i64,
    version: u32,
    tag: u64,
}

impl Client {
    pub(super) fn new(ix: u16, services: usize) -> Self {
        Self {
            ix,
            line: LineIx(0),
            part: 0,
            finished: false,
            rounds: 0,
            awaiting: Awaiting::Nothing,
            rpcs: 0,
            draws: 0,
            born: 0,
            locks: vec![Lock::default(); services],
            held_back: false,
            reads: Vec::new(),
        }
    }

    /// The client as it starts again: it remembers nothing, but its random source does not begin anew.
    pub(super) fn restarted(&self) -> Self {
        Self { draws: self.draws, born: self.draws, ..Self::new(self.ix, self.locks.len()) }
    }

    /// The current line; `None` once the program is done.
    pub fn line(&self) -> Option<LineIx> {
        (!self.finished).then_some(self.line)
    }

    /// The part of the current line, from 0.
    pub const fn part(&self) -> u8 {
        self.part
    }

    /// What the client believes to hold.
    pub fn holds(&self) -> impl Iterator<Item = &Hold> {
        self.locks.iter().filter(|lock| !lock.suspended).filter_map(|lock| lock.hold.as_deref())
    }

    /// The same with what is suspended.
    pub(super) fn holds_or_suspends(&self) -> impl Iterator<Item = &Hold> {
        self.locks.iter().filter_map(|lock| lock.hold.as_deref())
    }

    /// Whether the client wants a lock that it does not believe to hold.
    pub fn wants(&self, service: ServiceIx) -> bool {
        self.locks[service.ix()].wants
    }

    /// The question about a lock that the client counts votes for: its attempt, or the renewal of what came of it. `None`
    /// if it asks nobody, or gives the lock back.
    pub fn ballot(&self, service: ServiceIx) -> Option<Ballot<'_>> {
        let lock = &self.locks[service.ix()];
        let nonce = lock.nonce?;
        Some(match &lock.renewal {
            Some(asked) => {
                Ballot { nonce, votes: &asked.votes, began_mono: asked.began_mono, began_wall: asked.began_wall }
            }
            None => Ballot { nonce, votes: &lock.votes, began_mono: lock.began_mono, began_wall: lock.began_wall },
        })
    }

    /// The value and version that the client read last.
    pub fn read(&self, resource: ResourceIx) -> Option<(i64, u32)> {
        self.read_value(resource).map(|read| (read.value, read.version))
    }

    pub(super) fn handle(&mut self, input: Input<'_>, ctx: Ctx<'_>, out: &mut Out<'_>) {
        match input {
            // A client that starts, or starts again, remembers nothing and runs its program from the top.
            Input::Start | Input::Restart => out.run(),
            Input::Run => self.on_run(ctx, out),
            Input::Message { from, message, .. } => self.on_message(from, message, ctx, out),
            Input::Timer(timer) => self.on_timer(timer, ctx, out),
            Input::Lost { peer, .. } => self.on_connection_lost(peer, ctx, out),
        }
    }

    /// Runs the current line.
    fn on_run(&mut self, ctx: Ctx<'_>, out: &mut Out<'_>) {
        let program = &self.spec(ctx).program;
        let Some(line) = program.get(self.line.ix()).copied() else { return };
        self.run_line(line, ctx, out);
    }

    fn on_message(&mut self, from: NodeId, message: &Message, ctx: Ctx<'_>, out: &mut Out<'_>) {
        match *message {
            Message::RedisReply { rpc, reply } => self.on_redis_reply(rpc, reply, ctx, out),
            Message::StorageReply { rpc, reply } => self.on_storage_reply(rpc, reply, from, ctx, out),
            Message::Sentinel(SentinelMessage::PrimaryIs { rpc, node }) => self.on_primary(rpc, node, ctx, out),
            Message::ZooKeeper(ref said) => self.on_zookeeper(from, said, ctx, out),
            Message::Redis { .. }
            | Message::Storage { .. }
            | Message::Replication(_)
            | Message::Sentinel(_)
            | Message::Log(_) => {}
        }
    }

    fn on_timer(&mut self, timer: u32, ctx: Ctx<'_>, out: &mut Out<'_>) {
        match timer {
            LINE_TIMER => self.on_line_timer(ctx, out),
            WORK_TIMER => self.next_line(ctx, out),
            TIMEOUT_TIMER => self.on_timeout(ctx, out),
            _ if timer >= SESSION_TIMERS => self.tend_session(ServiceIx((timer - SESSION_TIMERS) as u8), ctx, out),
            _ if timer >= RENEWAL_TIMERS => self.renew(ServiceIx((timer - RENEWAL_TIMERS) as u8), ctx, out),
            _ => self.on_deadline(ServiceIx((timer - DEADLINE_TIMERS) as u8), ctx, out),
        }
    }

    fn spec<'a>(&self, ctx: Ctx<'a>) -> &'a scenario::Client {
        &ctx.setup.clients[self.ix as usize]
    }

    fn read_value(&self, resource: ResourceIx) -> Option<ReadValue> {
        self.reads.iter().find(|read| read.resource == resource).copied()
    }

    const fn fresh_rpc(&mut self) -> u32 {
        self.rpcs += 1;
        self.rpcs
    }

    /// Goes on with the line after the current one.
    fn next_line(&mut self, ctx: Ctx<'_>, out: &mut Out<'_>) {
        self.go_to(LineIx(self.line.0 + 1), ctx, out);
    }

    fn go_to(&mut self, line: LineIx, ctx: Ctx<'_>, out: &mut Out<'_>) {
        self.awaiting = Awaiting::Nothing;
        self.line = line;
        self.part = 0;
        if line.ix() >= self.spec(ctx).program.len() {
            self.finished = true;
            out.note(Observation::Finished);
            self.close_sessions(ctx, out);
        } else if self.is_suspended() {
            self.held_back = true;
        } else {
            out.run();
        }
    }

    /// Leaves the critical section of a lock: goes on with its release, as a `finally` block does.
    fn abort(&mut self, service: ServiceIx, ctx: Ctx<'_>, out: &mut Out<'_>) {
        let program = &self.spec(ctx).program;
        let release = |line: &Line| *line == Line::Release(service);
        let rest = program.iter().skip(self.line.ix() + 1).position(release);
        let target = rest.map_or(program.len(), |offset| self.line.ix() + 1 + offset);
        self.go_to(LineIx(target as u16), ctx, out);
    }

    fn close_hold(&mut self, service: ServiceIx, why: Closing, out: &mut Out<'_>) {
        let lock = &mut self.locks[service.ix()];
        lock.renewal = None;
        lock.suspended = false;
        if let Some(hold) = lock.hold.take() {
            lock.lost = !matches!(why, Closing::Released);
            out.note(Observation::HoldClosed { service, hold: hold.hold, why });
            out.cancel_timer(DEADLINE_TIMERS + u32::from(service.0));
            out.cancel_timer(RENEWAL_TIMERS + u32::from(service.0));
        }
    }
}
