//! Phase 0: who shall lead. `FastLeaderElection` of ZooKeeper.
//!
//! A round is a logical clock: a server that begins an election begins a new round, a server that hears of a later one joins
//! it, and ballots of earlier ones do not count. Servers that have a leader answer whom they follow; a server that comes
//! late joins them if a quorum of them name one leader and the leader itself says so.

use super::{DECIDE, NOTIFY, Replica, Role};
use crate::vocabulary::{ClockChoice, NodeId, Span};
use crate::world::message::{Candidate, LogMessage, Message, Standing};
use crate::world::out::{Ctx, Out};
use crate::world::replicated_log::following::Following;
use crate::world::replicated_log::leading::Leading;

/// `finalizeWait`: how long a server waits for a better candidate.
const FINALIZE_WAIT: Span = Span::from_ms(200);
const NOTIFY_MIN: Span = Span::from_ms(200);
const NOTIFY_MAX: Span = Span::from_ms(1600);

/// An election as one server sees it.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct Election {
    pub(super) ballot: Candidate,
    /// The last word of each other server.
    heard: Vec<Heard>,
    /// The pause before the next notification.
    pause: Span,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct Heard {
    from: NodeId,
    round: u32,
    ballot: Candidate,
    standing: Standing,
}

impl Default for Election {
    fn default() -> Self {
        let ballot = Candidate { epoch: 0, last: crate::vocabulary::Zxid::ZERO, leader: NodeId(0) };
        Self { ballot, heard: Vec::new(), pause: NOTIFY_MIN }
    }
}

impl Replica {
    fn own_ballot(&self, ctx: Ctx<'_>) -> Candidate {
        Candidate { epoch: self.disk.current, last: self.log().last(), leader: ctx.me }
    }

    pub(super) fn begin_election(&mut self, ctx: Ctx<'_>, out: &mut Out<'_>) {
        self.round += 1;
        let ballot = self.own_ballot(ctx);
        self.role = Role::Looking(Box::new(Election { ballot, heard: Vec::new(), pause: NOTIFY_MIN }));
        self.notify_all(ctx, out);
    }

    /// The next notification is due.
    pub(super) fn on_notify(&mut self, ctx: Ctx<'_>, out: &mut Out<'_>) {
        if let Role::Looking(election) = &mut self.role {
            election.pause = Span((election.pause.0 * 2).min(NOTIFY_MAX.0));
            self.notify_all(ctx, out);
        }
    }

    fn notify_all(&self, ctx: Ctx<'_>, out: &mut Out<'_>) {
        let Role::Looking(election) = &self.role else { return };
        for node in self.others(ctx) {
            out.send(node, self.notification(election.ballot, Standing::Looking));
        }
        out.set_timer(NOTIFY, ClockChoice::Monotonic, ctx.mono_us + election.pause.0 as i64);
    }

    const fn notification(&self, ballot: Candidate, standing: Standing) -> Message {
        Message::Log(LogMessage::Ballot { round: self.round, ballot, standing })
    }

    pub(super) fn on_ballot(
        &mut self,
        from: NodeId,
        (round, ballot, standing): (u32, Candidate, Standing),
        ctx: Ctx<'_>,
        out: &mut Out<'_>,
    ) {
        let own = self.own_ballot(ctx);
        let settled = match &self.role {
            Role::Following(following) => Some((following.leader, Standing::Following)),
            Role::Leading(_) => Some((ctx.me, Standing::Leading)),
            Role::Looking(_) => None,
        };
        if let Some((leader, mine)) = settled {
            if standing == Standing::Looking {
                out.send(from, self.notification(Candidate { leader, ..own }, mine));
            }
            return;
        }
        let mine = self.round;
        let Role::Looking(election) = &mut self.role else { return };
        election.heard.retain(|heard| heard.from != from);
        election.heard.push(Heard { from, round, ballot, standing });
        if standing != Standing::Looking {
            return self.join_settled(ctx, out);
        }
        if round < mine {
            let ballot = election.ballot;
            out.send(from, self.notification(ballot, Standing::Looking));
        } else if round > mine {
            election.ballot = own.max(ballot);
            self.round = round;
            self.notify_all(ctx, out);
        } else if ballot > election.ballot {
            election.ballot = ballot;
            self.notify_all(ctx, out);
        }
        self.count_ballots(ctx, out);
    }

    /// Follows a leader that others have already.
    fn join_settled(&mut self, ctx: Ctx<'_>, out: &mut Out<'_>) {
        let (round, quorum) = (self.round, self.quorum(ctx));
        let Role::Looking(election) = &self.role else { return };
        let leads = |heard: &&Heard| heard.standing == Standing::Leading && heard.from == heard.ballot.leader;
        let found = election.heard.iter().filter(leads).map(|heard| heard.from).find(|leader| {
            let settled = |heard: &&Heard| heard.standing != Standing::Looking && heard.ballot.leader == *leader;
            let same_round = |heard: &&Heard| heard.round == round && heard.ballot.leader == *leader;
            let mine = usize::from(election.ballot.leader == *leader);
            election.heard.iter().filter(settled).count() >= quorum
                || election.heard.iter().filter(same_round).count() + mine >= quorum
        });
        if let Some(leader) = found {
            self.follow(leader, ctx, out);
        }
    }

    /// Waits for a better candidate once a quorum agrees.
    fn count_ballots(&self, ctx: Ctx<'_>, out: &mut Out<'_>) {
        if self.agreed(ctx) {
            out.cancel_timer(NOTIFY);
            out.set_timer(DECIDE, ClockChoice::Monotonic, ctx.mono_us + FINALIZE_WAIT.0 as i64);
        } else {
            out.cancel_timer(DECIDE);
        }
    }

    fn agreed(&self, ctx: Ctx<'_>) -> bool {
        let Role::Looking(election) = &self.role else { return false };
        let same = |heard: &&Heard| heard.round == self.round && heard.ballot == election.ballot;
        election.heard.iter().filter(same).count() + 1 >= self.quorum(ctx)
    }

    pub(super) fn on_decide(&mut self, ctx: Ctx<'_>, out: &mut Out<'_>) {
        let Role::Looking(election) = &self.role else { return };
        let leader = election.ballot.leader;
        if !self.agreed(ctx) {
            return;
        }
        if leader == ctx.me {
            self.lead(ctx, out);
        } else {
            self.follow(leader, ctx, out);
        }
    }

    fn lead(&mut self, ctx: Ctx<'_>, out: &mut Out<'_>) {
        out.cancel_timer(NOTIFY);
        out.cancel_timer(DECIDE);
        self.role = Role::Leading(Box::new(Leading::elected(self.log().len(), ctx)));
        self.propose_epoch(ctx, out);
        self.plan_tick(ctx, out);
    }

    fn follow(&mut self, leader: NodeId, ctx: Ctx<'_>, out: &mut Out<'_>) {
        out.cancel_timer(NOTIFY);
        out.cancel_timer(DECIDE);
        // A connection of its own for this attempt: what was said on an older one counts for nothing.
        out.close(leader);
        self.role = Role::Following(Following::joining(leader, ctx));
        self.join(ctx, out);
    }
}
