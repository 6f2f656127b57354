//! A replicated log: servers that agree on one sequence of entries while some of them are down, slow or cut off.
//!
//! It is Zab, ZooKeeper's atomic broadcast, as its code has it (Junqueira, Reed, Serafini: "Zab: High-performance broadcast
//! for primary-backup systems", DSN 2011; `FastLeaderElection`, `Leader`, `LearnerHandler`, `Learner` and `Follower` of Apache
//! ZooKeeper 3.8). A service embeds a [`Replica`] and applies what it says is committed. Four phases:
//!
//! 0. **Election** (`election`). Every server proposes itself, hears of better candidates and changes over to them: the one
//!    with the newest history (epoch, then zxid), of equal ones the one with the highest id. When a quorum agrees and nothing
//!    better is heard for 200 ms, the servers start to follow or to lead. Nothing depends on this choice but time: a wrong
//!    one fails in the next phase.
//! 1. **Discovery** (`leading`, `following`). Followers tell the highest epoch that they have promised to. From a quorum of
//!    these the leader takes one more, and a quorum has to promise it. As each server promises an epoch once, and remembers
//!    it on disk, no two leaders of one epoch exist. A leader that hears of a newer history than its own gives up.
//! 2. **Synchronisation**. The leader cuts off what a follower has and it has not, and sends what is missing. When a quorum
//!    has all of it on disk, that history is committed, however far its entries had come before; only now the leader serves.
//! 3. **Broadcast**. Entries get the zxid (epoch, counter), go to all followers in order, are acknowledged once they are on
//!    disk, and are committed when a quorum has acknowledged them.
//!
//! A leader pings its followers twice a tick; if it has not heard of a quorum for `sync_limit` ticks it steps down, and a
//! follower that hears nothing for as long looks for a new leader. Until the first service both have `init_limit` ticks.
//! Ticks and timeouts are read off the monotonic clock; safety depends on none of them.
//!
//! What is simplified: `DIFF`, `TRUNC` and `SNAP` with the proposals after them and `NEWLEADER` are one message, "truncate,
//! then append what is missing". A commit names the last of several entries. There are no observers, no snapshots (logs are
//! short beside `snapCount`, 100 000), no reconfiguration. A server connects anew every 100 ms until its leader is ready. The
//! pause between notifications of an election doubles from 200 ms to 1 600 ms; the real limit is 60 s, but there the transport
//! repeats the last message whenever it has connected again. Election and log share one connection for two servers.

mod election;
mod following;
mod leading;
mod log;

use std::sync::Arc;

pub use log::Log;

use super::disk::DiskImage;
use super::message::{LogMessage, Message};
use super::observation::Observation;
use super::out::{Ctx, Out};
use super::zookeeper::Txn;
use crate::vocabulary::{ClockChoice, ConnId, EnsembleConfig, NodeId, ServiceIx, Span, Zxid};
use election::Election;
use following::Following;
use leading::Leading;

/// The leader's half ticks, and the deadline of its first two phases.
const TICK: u32 = 0;
/// A follower's silence, and its attempts to join.
const SILENCE: u32 = 1;
/// The next notification of an election.
const NOTIFY: u32 = 2;
/// The end of the wait for a better candidate.
const DECIDE: u32 = 3;
/// The disk has written.
const FSYNC: u32 = 4;
/// The first timer that is not the log's own.
pub(super) const TIMERS: u32 = 8;

/// One entry of the log.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Entry {
    /// Its place.
    pub zxid: Zxid,
    /// What it does.
    pub change: Change,
}

/// What an entry does.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Change {
    /// Nothing.
    Nothing,
    /// A transaction of ZooKeeper.
    ZooKeeper(Txn),
}

/// What a server has on disk.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Durable {
    /// `acceptedEpoch`: the highest epoch that it promised to.
    accepted: u32,
    /// `currentEpoch`: the epoch whose history it has.
    current: u32,
    log: Log,
}

/// What a server is at the moment.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
enum Role {
    Looking(Box<Election>),
    Following(Following),
    Leading(Box<Leading>),
}

/// A server's part in keeping the log.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Replica {
    service: ServiceIx,
    disk: Arc<Durable>,
    /// How many entries are known to be committed.
    committed: u32,
    /// How many entries are on the disk itself.
    synced: u32,
    /// The election's logical clock.
    round: u32,
    role: Role,
}

impl Replica {
    pub(super) fn new(service: ServiceIx) -> Self {
        let role = Role::Looking(Box::default());
        Self { service, disk: Arc::default(), committed: 0, synced: 0, round: 0, role }
    }

    /// Whether it leads and a quorum has its history.
    pub fn leads(&self) -> bool {
        matches!(&self.role, Role::Leading(leading) if leading.serves())
    }

    /// Whether clients may be served: it leads, or follows and is up to date.
    pub fn serves(&self) -> bool {
        match &self.role {
            Role::Looking(_) => false,
            Role::Following(following) => following.serves(),
            Role::Leading(leading) => leading.serves(),
        }
    }

    /// The leader that it follows, or itself if it leads; `None` while it looks for one.
    pub fn leader(&self, me: NodeId) -> Option<NodeId> {
        match &self.role {
            Role::Looking(_) => None,
            Role::Following(following) => Some(following.leader),
            Role::Leading(_) => Some(me),
        }
    }

    /// Whom it wants as leader, while it looks for one.
    pub fn candidate(&self) -> Option<NodeId> {
        match &self.role {
            Role::Looking(election) => Some(election.ballot.leader),
            _ => None,
        }
    }

    /// The epoch whose history it has.
    pub fn epoch(&self) -> u32 {
        self.disk.current
    }

    /// The highest epoch that it promised to.
    pub fn promised(&self) -> u32 {
        self.disk.accepted
    }

    /// Its log.
    pub fn log(&self) -> &Log {
        &self.disk.log
    }

    /// How many entries of its log are committed, as far as it knows.
    pub const fn committed(&self) -> u32 {
        self.committed
    }

    /// How many entries of its log are on the disk itself.
    pub const fn synced(&self) -> u32 {
        self.synced
    }

    pub(super) const fn service(&self) -> ServiceIx {
        self.service
    }

    /// The start of the run: epoch 1 has begun, and the leader that the setup names leads it.
    pub(super) fn on_start(&mut self, ctx: Ctx<'_>, out: &mut Out<'_>) {
        let disk = Arc::make_mut(&mut self.disk);
        (disk.accepted, disk.current) = (1, 1);
        self.round = 1;
        self.save(out);
        out.fsync();
        let first = ctx.setup.ensemble_of(ctx.me).map_or(ctx.me, |(_, ensemble)| ensemble.leader);
        if first == ctx.me {
            let others = self.others(ctx);
            self.role = Role::Leading(Box::new(Leading::established(others)));
            self.plan_tick(ctx, out);
        } else {
            self.role = Role::Following(Following::established(first, ctx));
            self.plan_silence(ctx, out);
        }
    }

    pub(super) fn on_restart(&mut self, image: &DiskImage, ctx: Ctx<'_>, out: &mut Out<'_>) {
        if let DiskImage::Log(disk) = image {
            self.disk = Arc::clone(disk);
        }
        // What survived the process is on its way to the disk; a restart does not count on that.
        out.fsync();
        self.synced = self.log().len();
        self.look(ctx, out);
    }

    pub(super) fn on_message(&mut self, from: NodeId, conn: ConnId, said: LogMessage, ctx: Ctx<'_>, out: &mut Out<'_>) {
        match said {
            LogMessage::Ballot { round, ballot, standing } => self.on_ballot(from, (round, ballot, standing), ctx, out),
            LogMessage::FollowerInfo { accepted } => self.on_follower_info(from, conn, accepted, ctx, out),
            LogMessage::AckEpoch { epoch, current, last } => {
                self.on_ack_epoch(from, conn, (epoch, current, last), ctx, out);
            }
            LogMessage::AckNewLeader { epoch } => self.on_ack_new_leader(from, conn, epoch, ctx, out),
            LogMessage::Ack { zxid } => self.on_ack(from, conn, zxid, ctx, out),
            LogMessage::Pong { .. } => drop(self.heard_of(from, conn)),
            said => self.on_leader_says(from, conn, said, ctx, out),
        }
    }

    pub(super) fn on_timer(&mut self, timer: u32, ctx: Ctx<'_>, out: &mut Out<'_>) {
        match timer {
            TICK => self.on_tick(ctx, out),
            SILENCE => self.on_silence(ctx, out),
            NOTIFY => self.on_notify(ctx, out),
            DECIDE => self.on_decide(ctx, out),
            FSYNC => {
                out.fsync();
                self.on_synced(ctx, out);
            }
            _ => {}
        }
    }

    pub(super) fn on_lost(&mut self, peer: NodeId, conn: ConnId, ctx: Ctx<'_>, out: &mut Out<'_>) {
        match &mut self.role {
            Role::Looking(_) => {}
            Role::Following(following) => {
                if following.leader == peer && following.conn.is_none_or(|own| own == conn) {
                    self.look(ctx, out);
                }
            }
            Role::Leading(leading) => leading.forget(peer, conn),
        }
    }

    /// Gives up what it is and looks for a leader.
    pub(super) fn look(&mut self, ctx: Ctx<'_>, out: &mut Out<'_>) {
        match &self.role {
            Role::Looking(_) => {}
            Role::Following(following) => following.conn.into_iter().for_each(|conn| out.hang_up(conn)),
            Role::Leading(leading) => leading.connections().for_each(|conn| out.hang_up(conn)),
        }
        for timer in [TICK, SILENCE, NOTIFY, DECIDE] {
            out.cancel_timer(timer);
        }
        out.note(Observation::Looking { service: self.service });
        self.begin_election(ctx, out);
    }

    fn config<'a>(&self, ctx: Ctx<'a>) -> &'a EnsembleConfig {
        let ensemble = ctx.setup.service(self.service).ensemble.as_ref();
        &ensemble.expect("a replica belongs to an ensemble").config
    }

    fn servers<'a>(&self, ctx: Ctx<'a>) -> &'a [NodeId] {
        &ctx.setup.service(self.service).nodes
    }

    fn others(&self, ctx: Ctx<'_>) -> Vec<NodeId> {
        self.servers(ctx).iter().copied().filter(|node| *node != ctx.me).collect()
    }

    fn quorum(&self, ctx: Ctx<'_>) -> usize {
        self.servers(ctx).len() / 2 + 1
    }

    /// The zxid of the next entry of its epoch.
    fn next_zxid(&self) -> Zxid {
        let (epoch, last) = (self.disk.current, self.log().last());
        Zxid::new(epoch, if last.epoch() == epoch { last.counter() + 1 } else { 1 })
    }

    /// Writes what has changed to the page cache.
    fn save(&self, out: &mut Out<'_>) {
        out.write(DiskImage::Log(Arc::clone(&self.disk)));
    }

    /// Appends an entry and brings it to the disk, at once or when the disk is done. An entry counts only then.
    fn append(&mut self, entry: Arc<Entry>, ctx: Ctx<'_>, out: &mut Out<'_>) {
        Arc::make_mut(&mut self.disk).log.push(entry);
        self.save(out);
        match self.config(ctx).fsync {
            Span::ZERO => {
                out.fsync();
                self.on_synced(ctx, out);
            }
            // A disk that is at work writes what came meanwhile next.
            fsync if self.synced + 1 == self.log().len() => {
                out.set_timer(FSYNC, ClockChoice::Monotonic, ctx.mono_us + fsync.0 as i64);
            }
            _ => {}
        }
    }

    /// Everything that was written is on the disk.
    fn on_synced(&mut self, ctx: Ctx<'_>, out: &mut Out<'_>) {
        self.synced = self.log().len();
        let zxid = self.log().last();
        match &self.role {
            Role::Looking(_) => {}
            Role::Following(following) => {
                if let Some(conn) = following.conn {
                    out.reply(conn, Message::Log(LogMessage::Ack { zxid }));
                }
            }
            Role::Leading(_) => self.commit(ctx, out),
        }
    }

    /// Changes what is on disk besides the log's end, and waits for the disk.
    fn persist(&mut self, change: impl FnOnce(&mut Durable), out: &mut Out<'_>) {
        change(Arc::make_mut(&mut self.disk));
        self.save(out);
        out.fsync();
        out.cancel_timer(FSYNC);
        self.synced = self.log().len();
    }
}
