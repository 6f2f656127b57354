//! Phases 1 to 3 of a leader.

use std::sync::Arc;

use super::{Change, Entry, Replica, Role, TICK};
use crate::vocabulary::{ClockChoice, ConnId, NodeId, Span, Zxid};
use crate::world::message::{LogMessage, Message};
use crate::world::observation::Observation;
use crate::world::out::{Ctx, Out};

/// A leader's view of its epoch.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct Leading {
    phase: Phase,
    followers: Vec<Follower>,
    /// Whole ticks since it began to lead.
    ticks: u32,
    /// Whether half of the next tick is over.
    half: bool,
    /// How many entries its log had then.
    inherited: u32,
    /// When it began to lead, on its monotonic clock.
    since: i64,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Phase {
    /// It waits for a quorum that tells what it has promised.
    Discovery,
    /// It waits for a quorum that promises its epoch.
    Proposed,
    /// It waits for a quorum that has its history.
    Synchronisation,
    Serving,
}

/// A follower as its leader knows it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct Follower {
    node: NodeId,
    /// The connection on which it joined. Those of the start of the run have none before the first word.
    conn: Option<ConnId>,
    accepted: u32,
    stage: Stage,
    /// It has everything up to here on its disk.
    acked: Zxid,
    /// The tick in which it was heard last.
    heard: u32,
    /// The end of the history that was sent to it.
    sent: Zxid,
    /// The end of its log when it promised, and whether that promise counts.
    promise: Option<(Zxid, bool)>,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
enum Stage {
    Joined,
    /// The leader's history was sent to it; every proposal is too from then on.
    Sent,
    /// It has that history on its disk.
    Synced,
}

impl Leading {
    /// The leader of the start of the run: everybody follows already.
    pub(super) fn established(others: Vec<NodeId>) -> Self {
        let follower = |node| Follower { stage: Stage::Synced, ..Follower::joined(node, None, 1, 0) };
        let followers = others.into_iter().map(follower).collect();
        Self { phase: Phase::Serving, followers, ticks: 0, half: false, inherited: 0, since: 0 }
    }

    pub(super) const fn elected(inherited: u32, ctx: Ctx<'_>) -> Self {
        let (phase, since) = (Phase::Discovery, ctx.mono_us);
        Self { phase, followers: Vec::new(), ticks: 0, half: false, inherited, since }
    }

    pub(super) const fn serves(&self) -> bool {
        matches!(self.phase, Phase::Serving)
    }

    pub(super) fn connections(&self) -> impl Iterator<Item = ConnId> + '_ {
        self.followers.iter().filter_map(|follower| follower.conn)
    }

    /// A connection is gone, and with it the follower that joined on it.
    pub(super) fn forget(&mut self, node: NodeId, conn: ConnId) {
        self.followers.retain(|follower| follower.node != node || follower.conn.is_some_and(|own| own != conn));
    }

    fn follower(&mut self, node: NodeId, conn: ConnId) -> Option<&mut Follower> {
        let ticks = self.ticks;
        let follower = self.followers.iter_mut().find(|follower| follower.node == node)?;
        if *follower.conn.get_or_insert(conn) != conn {
            return None;
        }
        follower.heard = ticks;
        Some(follower)
    }

    /// How many servers, itself included, fulfil something.
    fn count(&self, fulfils: impl Fn(&&Follower) -> bool) -> usize {
        self.followers.iter().filter(fulfils).count() + 1
    }
}

impl Follower {
    const fn joined(node: NodeId, conn: Option<ConnId>, accepted: u32, heard: u32) -> Self {
        Self { node, conn, accepted, stage: Stage::Joined, acked: Zxid::ZERO, heard, sent: Zxid::ZERO, promise: None }
    }

    fn tell(&self, said: LogMessage, out: &mut Out<'_>) {
        match self.conn {
            Some(conn) => out.reply(conn, Message::Log(said)),
            None => out.send(self.node, Message::Log(said)),
        }
    }
}

impl Replica {
    pub(super) fn plan_tick(&self, ctx: Ctx<'_>, out: &mut Out<'_>) {
        let half = Span(self.config(ctx).tick.0 / 2);
        out.set_timer(TICK, ClockChoice::Monotonic, ctx.mono_us + half.0 as i64);
    }

    /// Half a tick is over: pings, and every whole tick looks whether a quorum is there.
    pub(super) fn on_tick(&mut self, ctx: Ctx<'_>, out: &mut Out<'_>) {
        let (config, quorum) = (self.config(ctx), self.quorum(ctx));
        let Role::Leading(leading) = &mut self.role else { return };
        if leading.serves() {
            leading.half = !leading.half;
            if !leading.half {
                leading.ticks += 1;
                let (ticks, limit) = (leading.ticks, config.sync_limit);
                let silent = leading.followers.iter().filter(|follower| follower.heard + limit < ticks);
                silent.filter_map(|follower| follower.conn).for_each(|conn| out.hang_up(conn));
                leading.followers.retain(|follower| follower.heard + limit >= ticks);
                if leading.count(|follower| follower.stage == Stage::Synced) < quorum {
                    return self.look(ctx, out);
                }
            }
            for follower in leading.followers.iter().filter(|follower| follower.stage >= Stage::Sent) {
                follower.tell(LogMessage::Ping, out);
            }
        } else if ctx.mono_us >= leading.since + (config.tick.0 * u64::from(config.init_limit)) as i64 {
            return self.look(ctx, out);
        }
        self.plan_tick(ctx, out);
    }

    /// A follower said something on its connection; false if it is none.
    pub(super) fn heard_of(&mut self, from: NodeId, conn: ConnId) -> bool {
        let Role::Leading(leading) = &mut self.role else { return false };
        leading.follower(from, conn).is_some()
    }

    /// Whether a message is one of a follower that takes part in this leader's epoch.
    pub(in crate::world) fn has_follower(&self, node: NodeId, conn: ConnId) -> bool {
        let Role::Leading(leading) = &self.role else { return false };
        let same = |one: &Follower| one.node == node && one.conn.is_none_or(|own| own == conn);
        leading.followers.iter().any(same)
    }

    pub(super) fn on_follower_info(
        &mut self,
        from: NodeId,
        conn: ConnId,
        accepted: u32,
        ctx: Ctx<'_>,
        out: &mut Out<'_>,
    ) {
        let epoch = self.disk.accepted;
        // Who does not lead, or not yet, does not answer: the follower asks again.
        let Role::Leading(leading) = &mut self.role else { return };
        if leading.followers.iter().any(|follower| (follower.node, follower.conn) == (from, Some(conn))) {
            return;
        }
        leading.followers.retain(|follower| follower.node != from);
        let follower = Follower::joined(from, Some(conn), accepted, leading.ticks);
        leading.followers.push(follower);
        if leading.phase == Phase::Discovery {
            self.propose_epoch(ctx, out);
        } else {
            follower.tell(LogMessage::LeaderInfo { epoch }, out);
        }
    }

    /// Phase 1: once a quorum has told what it promised, proposes an epoch that is later than all of that.
    pub(super) fn propose_epoch(&mut self, ctx: Ctx<'_>, out: &mut Out<'_>) {
        let quorum = self.quorum(ctx);
        let own = self.disk.accepted;
        let Role::Leading(leading) = &mut self.role else { return };
        if leading.phase != Phase::Discovery || leading.count(|_| true) < quorum {
            return;
        }
        leading.phase = Phase::Proposed;
        let highest = leading.followers.iter().map(|follower| follower.accepted).fold(own, u32::max);
        let epoch = highest + 1;
        self.persist(|disk| disk.accepted = epoch, out);
        let Role::Leading(leading) = &self.role else { return };
        for follower in &leading.followers {
            follower.tell(LogMessage::LeaderInfo { epoch }, out);
        }
    }

    pub(super) fn on_ack_epoch(
        &mut self,
        from: NodeId,
        conn: ConnId,
        (epoch, current, last): (u32, Option<u32>, Zxid),
        ctx: Ctx<'_>,
        out: &mut Out<'_>,
    ) {
        let (quorum, own) = (self.quorum(ctx), (self.disk.current, self.log().last()));
        if epoch != self.disk.accepted {
            return;
        }
        let Role::Leading(leading) = &mut self.role else { return };
        let before = matches!(leading.phase, Phase::Discovery | Phase::Proposed);
        let Some(follower) = leading.follower(from, conn) else { return };
        follower.promise = Some((last, current.is_some()));
        if before && current.is_some_and(|current| (current, last) > own) {
            // Somebody has a newer history: this is not the one who should lead.
            return self.look(ctx, out);
        }
        let promised = |follower: &&Follower| matches!(follower.promise, Some((_, true)));
        if leading.phase == Phase::Proposed && leading.count(promised) >= quorum {
            leading.phase = Phase::Synchronisation;
            self.persist(|disk| disk.current = epoch, out);
        }
        self.send_history(out);
    }

    /// Phase 2: brings the logs of those who have promised in line with its own.
    fn send_history(&mut self, out: &mut Out<'_>) {
        let disk = Arc::clone(&self.disk);
        let Role::Leading(leading) = &mut self.role else { return };
        if !matches!(leading.phase, Phase::Synchronisation | Phase::Serving) {
            return;
        }
        for follower in &mut leading.followers {
            let Some((last, _)) = follower.promise.filter(|_| follower.stage == Stage::Joined) else { continue };
            follower.stage = Stage::Sent;
            follower.sent = disk.log.last();
            let shared = disk.log.count_to(last);
            let keep = disk.log.zxid_before(shared);
            let entries = disk.log.from(shared).cloned().collect();
            follower.tell(LogMessage::NewLeader { epoch: disk.current, keep, entries }, out);
        }
    }

    pub(super) fn on_ack_new_leader(
        &mut self,
        from: NodeId,
        conn: ConnId,
        epoch: u32,
        ctx: Ctx<'_>,
        out: &mut Out<'_>,
    ) {
        let (service, own, quorum) = (self.service, self.disk.current, self.quorum(ctx));
        let committed = self.log().zxid_before(self.committed);
        let Role::Leading(leading) = &mut self.role else { return };
        let serves = leading.serves();
        let Some(follower) = leading.follower(from, conn).filter(|_| epoch == own) else { return };
        follower.stage = Stage::Synced;
        follower.acked = follower.acked.max(follower.sent);
        if serves {
            follower.tell(LogMessage::UpToDate { committed }, out);
            return self.commit(ctx, out);
        }
        let synced = |follower: &&Follower| follower.stage == Stage::Synced;
        if leading.phase != Phase::Synchronisation || leading.count(synced) < quorum {
            return;
        }
        // A quorum has all of it: the whole history is committed.
        leading.phase = Phase::Serving;
        self.committed = leading.inherited;
        let committed = self.disk.log.zxid_before(self.committed);
        for follower in leading.followers.iter().filter(synced) {
            follower.tell(LogMessage::UpToDate { committed }, out);
        }
        out.note(Observation::Leads { service, epoch });
    }

    /// Phase 3: proposes a change. Only a leader that serves may.
    pub(in crate::world) fn propose(&mut self, change: Change, ctx: Ctx<'_>, out: &mut Out<'_>) -> Zxid {
        let zxid = self.next_zxid();
        let entry = Arc::new(Entry { zxid, change });
        if let Role::Leading(leading) = &self.role {
            for follower in leading.followers.iter().filter(|follower| follower.stage >= Stage::Sent) {
                follower.tell(LogMessage::Propose(Arc::clone(&entry)), out);
            }
        }
        self.append(entry, ctx, out);
        zxid
    }

    pub(super) fn on_ack(&mut self, from: NodeId, conn: ConnId, zxid: Zxid, ctx: Ctx<'_>, out: &mut Out<'_>) {
        let Role::Leading(leading) = &mut self.role else { return };
        let Some(follower) = leading.follower(from, conn) else { return };
        follower.acked = follower.acked.max(zxid);
        self.commit(ctx, out);
    }

    /// Commits what a quorum has on disk.
    pub(super) fn commit(&mut self, ctx: Ctx<'_>, out: &mut Out<'_>) {
        let quorum = self.quorum(ctx);
        let Role::Leading(leading) = &self.role else { return };
        if !leading.serves() {
            return;
        }
        let mut acked: Vec<Zxid> = leading.followers.iter().map(|follower| follower.acked).collect();
        acked.push(self.disk.log.zxid_before(self.synced));
        acked.sort_unstable();
        let Some(zxid) = acked.len().checked_sub(quorum).map(|place| acked[place]) else { return };
        let committed = self.disk.log.count_to(zxid);
        if committed <= self.committed {
            return;
        }
        for follower in leading.followers.iter().filter(|follower| follower.stage >= Stage::Sent) {
            follower.tell(LogMessage::Commit { zxid }, out);
        }
        self.committed = committed;
    }
}
