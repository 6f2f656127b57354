//! Phases 1 to 3 of a follower.

use std::sync::Arc;

use super::{Replica, Role, SILENCE};
use crate::vocabulary::{ClockChoice, ConnId, NodeId, Span, Zxid};
use crate::world::message::{LogMessage, Message};
use crate::world::observation::Observation;
use crate::world::out::{Ctx, Out};
use crate::world::replicated_log::Entry;

/// `leaderConnectDelayDuringRetryMs`
const RETRY: Span = Span::from_ms(100);

/// A follower's view of its leader.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct Following {
    pub(super) leader: NodeId,
    /// The connection on which the leader takes part; what comes on another is of an attempt that is over.
    pub(super) conn: Option<ConnId>,
    phase: Phase,
    /// When it heard of its leader last, or began to follow, on its monotonic clock.
    heard: i64,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Phase {
    /// It said that it wants to follow.
    Asking,
    /// It promised the leader's epoch.
    Promised,
    /// It has the leader's history.
    Synced,
    /// The leader said that it may serve.
    Serving,
}

impl Following {
    pub(super) const fn established(leader: NodeId, ctx: Ctx<'_>) -> Self {
        Self { leader, conn: None, phase: Phase::Serving, heard: ctx.mono_us }
    }

    pub(super) const fn joining(leader: NodeId, ctx: Ctx<'_>) -> Self {
        Self { leader, conn: None, phase: Phase::Asking, heard: ctx.mono_us }
    }

    pub(super) const fn serves(&self) -> bool {
        matches!(self.phase, Phase::Serving)
    }
}

impl Replica {
    /// Asks the leader to let this server follow, and again until it answers.
    pub(super) fn join(&self, ctx: Ctx<'_>, out: &mut Out<'_>) {
        let Role::Following(following) = &self.role else { return };
        out.send(following.leader, Message::Log(LogMessage::FollowerInfo { accepted: self.disk.accepted }));
        self.plan_silence(ctx, out);
    }

    /// Whether it follows a leader that takes part on this connection.
    pub(in crate::world) fn follows_on(&self, conn: ConnId) -> bool {
        matches!(&self.role, Role::Following(following) if following.conn == Some(conn))
    }

    /// Sends its leader something of the service's own.
    pub(in crate::world) fn tell_leader(&self, message: Message, out: &mut Out<'_>) {
        match &self.role {
            Role::Following(Following { conn: Some(conn), .. }) => out.reply(*conn, message),
            Role::Following(Following { leader, .. }) => out.send(*leader, message),
            _ => {}
        }
    }

    pub(super) fn plan_silence(&self, ctx: Ctx<'_>, out: &mut Out<'_>) {
        let Role::Following(following) = &self.role else { return };
        let deadline = following.heard + self.patience(following, ctx);
        let due = match following.phase {
            Phase::Asking => deadline.min(ctx.mono_us + RETRY.0 as i64),
            _ => deadline,
        };
        out.set_timer(SILENCE, ClockChoice::Monotonic, due);
    }

    /// How long it waits for a word of its leader, in microseconds.
    fn patience(&self, following: &Following, ctx: Ctx<'_>) -> i64 {
        let config = self.config(ctx);
        let ticks = if following.serves() { config.sync_limit } else { config.init_limit };
        (config.tick.0 * u64::from(ticks)) as i64
    }

    pub(super) fn on_silence(&mut self, ctx: Ctx<'_>, out: &mut Out<'_>) {
        let Role::Following(following) = &self.role else { return };
        if ctx.mono_us >= following.heard + self.patience(following, ctx) {
            self.look(ctx, out);
        } else if following.phase == Phase::Asking {
            self.join(ctx, out);
        } else {
            self.plan_silence(ctx, out);
        }
    }

    /// A message of the leader's part of the protocol.
    pub(super) fn on_leader_says(
        &mut self,
        from: NodeId,
        conn: ConnId,
        said: LogMessage,
        ctx: Ctx<'_>,
        out: &mut Out<'_>,
    ) {
        let Role::Following(following) = &mut self.role else { return };
        if following.leader != from || following.conn.is_some_and(|own| own != conn) {
            return;
        }
        let phase = following.phase;
        // A leader that answers the wish to follow does so on the connection on which it takes part.
        if phase == Phase::Asking && !matches!(said, LogMessage::LeaderInfo { .. }) {
            return;
        }
        following.conn = Some(conn);
        if phase == Phase::Serving {
            following.heard = ctx.mono_us;
        }
        match (said, phase) {
            (LogMessage::LeaderInfo { epoch }, Phase::Asking) => self.promise(epoch, conn, ctx, out),
            (LogMessage::NewLeader { epoch, keep, entries }, Phase::Promised) if epoch == self.disk.accepted => {
                self.take_history(epoch, keep, &entries, conn, out);
            }
            (LogMessage::UpToDate { committed }, Phase::Synced) => {
                following.phase = Phase::Serving;
                following.heard = ctx.mono_us;
                self.commit_to(committed);
                out.note(Observation::Follows { leader: from, epoch: self.disk.current });
                self.plan_silence(ctx, out);
            }
            (LogMessage::Propose(entry), Phase::Synced | Phase::Serving) => {
                if entry.zxid == self.next_zxid() {
                    self.append(entry, ctx, out);
                } else if entry.zxid > self.log().last() {
                    // Something is missing before it: begins anew, and is brought in line.
                    self.look(ctx, out);
                }
            }
            (LogMessage::Commit { zxid }, Phase::Synced | Phase::Serving) => self.commit_to(zxid),
            _ => {}
        }
    }

    /// Phase 1: promises the leader's epoch, unless it promised a later one.
    fn promise(&mut self, epoch: u32, conn: ConnId, ctx: Ctx<'_>, out: &mut Out<'_>) {
        if epoch < self.disk.accepted {
            return self.look(ctx, out);
        }
        let current = (epoch > self.disk.accepted).then_some(self.disk.current);
        if current.is_some() {
            self.persist(|disk| disk.accepted = epoch, out);
        }
        if let Role::Following(following) = &mut self.role {
            following.phase = Phase::Promised;
        }
        let last = self.log().last();
        out.reply(conn, Message::Log(LogMessage::AckEpoch { epoch, current, last }));
        self.plan_silence(ctx, out);
    }

    /// Phase 2: makes its log that of the leader.
    fn take_history(&mut self, epoch: u32, keep: Zxid, entries: &[Arc<Entry>], conn: ConnId, out: &mut Out<'_>) {
        self.persist(
            |disk| {
                disk.log.truncate(disk.log.count_to(keep));
                for entry in entries {
                    disk.log.push(Arc::clone(entry));
                }
                disk.current = epoch;
            },
            out,
        );
        if let Role::Following(following) = &mut self.role {
            following.phase = Phase::Synced;
        }
        out.reply(conn, Message::Log(LogMessage::AckNewLeader { epoch }));
    }

    fn commit_to(&mut self, zxid: Zxid) {
        self.committed = self.committed.max(self.log().count_to(zxid));
    }
}
