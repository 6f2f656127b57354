//! Progress: nobody who wants a lock is kept out of it for too long while nobody believes to hold it.
//!
//! A client **wants** a lock from `Wants` until `Acquired`. Giving up does not end it; a crash does (the restarted program
//! wants anew). It is **kept out** while it wants, itself runs (a paused client is not kept out, it does not ask), and no
//! client believes to hold the lock; a paused believer is a believer. The clock of a wait starts at the latest of: it began
//! to want; it went on after a pause; the last believer ceased to be; the standing grant changed (another owner, or none).
//! It may run for
//!
//! | what stands in the way | allowed | kind |
//! |---|---|---|
//! | a grant whose owner has crashed since it asked for it | the lease as granted; 10 000 ms without one | leak |
//! | a grant whose owner is paused and does not know of it yet | the same | leak |
//! | a grant whose owner has suspended its hold: it cannot know | the same | leak |
//! | a grant whose owner runs but does not believe (the clock restarts when it goes on after a pause) | 1 000 ms | leak |
//! | the same without a lease, and the owner wants the lock itself | 1 000 ms | deadlock |
//! | no grant | 10 000 ms | livelock |
//! | believers who all wait, asking, for locks held in the same circle | 10 000 ms after the circle closed | deadlock |
//!
//! `progress_max` of the setup replaces all of these. The wait is a violation *from* the end of what is allowed until it ends
//! or its clock restarts. A lease that is waited out ends close to that very instant: the node looks for dead keys ten times
//! a second, and contenders retry. So a wait for a lease is called a violation only once it exceeds what is allowed by
//! another 1 000 ms; then it counts from the end of the allowed time all the same. The other limits are exact, and reaching
//! one is not exceeding it. All this is computed from times: a violation that begins between two steps is known at the
//! later one, or at the end of the run.
//!
//! Two more kinds have no such clock. **Starvation**: 50 grants to others while the client wants the lock; it lasts until
//! the client has it. **Refused**: storage turned away a request of the client whose grant stood at that instant; a write
//! that was refused because it had been applied already does not count. The kind `blocked` belongs to commits that cannot
//! finish, which no service here has yet.
//!
//! A client that waits for a live believer is in order. A wait whose time is not up makes the verdict pending.

mod circle;

use std::hash::{Hash, Hasher};

use crate::scenario::Setup;
use crate::verdicts::ledger::{Ledger, Moment};
use crate::verdicts::log::Log;
use crate::verdicts::{Instance, InstanceKind, Keeper, Kept, Subject, Verdict, Why, evidence};
use crate::vocabulary::{HoldId, NodeId, ProgressKind, ServiceIx, Span, StepIx, Time};
use crate::world::{Effect, Observation, Rejection};

/// Allowed where no lease says how long.
const ALLOWED: Span = Span::from_ms(10_000);
/// Allowed while the owner of the grant could give it back.
const ALLOWED_REACTION: Span = Span::from_ms(1_000);
/// How much later than the end of a lease its end may be noticed.
const LEASE_SLACK: Span = Span::from_ms(1_000);
/// So many grants to others are starvation.
const STARVATION_GRANTS: u32 = 50;

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Progress {
    pub(crate) instances: Log<Instance>,
    waits: Vec<Wait>,
    /// The earliest time after which some wait is too long.
    due: Option<Time>,
}

/// A client that wants a lock.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct Wait {
    client: NodeId,
    lock: ServiceIx,
    since: Moment,
    /// It has not given up.
    asking: bool,
    /// Grants to others since it wants the lock.
    passed: u32,
    /// The place of the instance of starvation.
    starved: Option<u32>,
    kept: Option<Running>,
}

/// The running clock of a wait.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct Running {
    kept: Kept,
    /// The wait is a violation when it is longer than this.
    called: Time,
    /// The place of the instance, once it is.
    instance: Option<u32>,
}

impl Progress {
    pub(crate) const fn new() -> Self {
        Self { instances: Log::new(), waits: Vec::new(), due: None }
    }

    /// Lets time pass until `now`. Nothing else has happened since the last record.
    pub(crate) fn pass(&mut self, now: Moment, ledger: &Ledger) {
        if self.due.is_none_or(|due| now.at <= due) {
            return;
        }
        for wait in &mut self.waits {
            let Some(running) = wait.kept.as_mut().filter(|running| running.instance.is_none()) else { continue };
            if now.at > running.called {
                let instance = too_long(&running.kept, wait.since.step, now.step, ledger);
                running.instance = Some(self.instances.push(instance));
            }
        }
        self.due = self.next_due();
    }

    /// Takes in one effect of a record, after the ledger.
    pub(crate) fn observe(&mut self, now: Moment, effect: &Effect, ledger: &Ledger) {
        match *effect {
            Effect::Crashed { node, .. } => self.forget(now, |wait| wait.client == node),
            Effect::Noted { node, ref what } => match *what {
                Observation::Wants { service } => self.wants(now, node, service),
                Observation::GaveUp { service } => {
                    if let Some(wait) = self.wait(node, service) {
                        wait.asking = false;
                    }
                }
                Observation::Acquired { service, .. } => {
                    self.forget(now, |wait| (wait.client, wait.lock) == (node, service));
                }
                Observation::Granted { service, client, .. } => self.granted(now, service, client),
                Observation::Rejected { client, hold: Some(hold), why, .. } => {
                    self.refused(now, client, hold, why, ledger);
                }
                _ => {}
            },
            _ => {}
        }
    }

    /// Looks at every wait anew, after a record that may have changed what stands in the way.
    pub(crate) fn settle(&mut self, now: Moment, setup: &Setup, ledger: &Ledger) {
        for ix in 0..self.waits.len() {
            let fresh = self.kept_out(&self.waits[ix], setup, ledger);
            let wait = &mut self.waits[ix];
            if wait.kept.as_ref().map(|running| running.kept) == fresh.as_ref().map(|running| running.kept) {
                continue;
            }
            if let Some(place) = wait.kept.take().and_then(|running| running.instance) {
                self.instances.get_mut(place).to = Some(now.at);
            }
            wait.kept = fresh;
        }
        self.due = self.next_due();
    }

    pub(crate) fn verdict(&self) -> Verdict {
        let waiting = self.waits.iter().filter_map(|wait| wait.kept.as_ref());
        let next = waiting.min_by_key(|running| running.called);
        Verdict::new(self.instances.iter(), next.map(|running| Why::Waiting(running.kept)))
    }

    pub(crate) fn search_key(&self, now: Time, key: &mut impl Hasher) {
        for wait in &self.waits {
            let kept = wait.kept.as_ref().map(|running| (now.since(running.kept.since), running.instance.is_some()));
            (wait.client, wait.lock, now.since(wait.since.at), wait.asking).hash(key);
            (wait.passed, wait.starved.is_some(), kept).hash(key);
        }
    }

    fn wait(&mut self, client: NodeId, lock: ServiceIx) -> Option<&mut Wait> {
        self.waits.iter_mut().find(|wait| (wait.client, wait.lock) == (client, lock))
    }

    fn wants(&mut self, now: Moment, client: NodeId, lock: ServiceIx) {
        if let Some(wait) = self.wait(client, lock) {
            wait.asking = true;
        } else {
            let wait = Wait { client, lock, since: now, asking: true, passed: 0, starved: None, kept: None };
            self.waits.push(wait);
        }
    }

    fn forget(&mut self, now: Moment, whom: impl Fn(&Wait) -> bool) {
        let instances = &mut self.instances;
        self.waits.retain(|wait| {
            let over = whom(wait);
            if over {
                let open = wait.kept.as_ref().and_then(|running| running.instance).into_iter().chain(wait.starved);
                open.for_each(|place| instances.get_mut(place).to = Some(now.at));
            }
            !over
        });
    }

    fn granted(&mut self, now: Moment, lock: ServiceIx, to: NodeId) {
        for wait in self.waits.iter_mut().filter(|wait| wait.lock == lock && wait.client != to) {
            wait.passed += 1;
            if wait.passed == STARVATION_GRANTS {
                let (client, since) = (wait.client, wait.since);
                let why = Why::PassedOver { client, lock, since: since.at, grants: STARVATION_GRANTS };
                let steps = evidence([Some(since.step), Some(now.step)]);
                let instance = instance(client, ProgressKind::Starvation, now.at, now.step, why, steps);
                wait.starved = Some(self.instances.push(instance));
            }
        }
    }

    fn refused(&mut self, now: Moment, client: NodeId, hold: HoldId, why: Rejection, ledger: &Ledger) {
        let Some(hold) = ledger.hold(hold) else { return };
        let by_right = hold.grant.is_some() && hold.grant == ledger.lock(hold.lock).standing;
        if by_right && !matches!(why, Rejection::Duplicate { .. }) {
            let steps = evidence(ledger.story(hold).into_iter().chain([Some(now.step)]));
            let why = Why::TurnedAway { client, why };
            let mut instance = instance(client, ProgressKind::Refused, now.at, now.step, why, steps);
            instance.to = Some(now.at);
            self.instances.push(instance);
        }
    }

    fn next_due(&self) -> Option<Time> {
        let running = self.waits.iter().filter_map(|wait| wait.kept.as_ref());
        running.filter(|running| running.instance.is_none()).map(|running| running.called).min()
    }

    /// What keeps a client out of the lock it wants, if anything does that is not in order.
    fn kept_out(&self, wait: &Wait, setup: &Setup, ledger: &Ledger) -> Option<Running> {
        let (client, lock) = (wait.client, wait.lock);
        let me = ledger.runner(client);
        if me.stopped || me.down {
            return None;
        }
        let present = ledger.lock(lock);
        let mut since = wait.since.at.max(me.last_resume.at);
        let (by, mut allowed) = if let Some(place) = present.open.first() {
            since = since.max(circle::closed_at(wait, &self.waits, ledger)?);
            (Keeper::Circle { owner: ledger.holds.get(*place).client }, ALLOWED)
        } else {
            since = since.max(present.unbelieved_since.at).max(present.standing_since.at);
            let (by, allowed) = self.obstacle(lock, ledger);
            if let Keeper::Unaware { owner } | Keeper::Itself { owner } = by {
                since = since.max(ledger.runner(owner).last_resume.at);
            }
            (by, allowed)
        };
        let leased = matches!(
            by,
            Keeper::Crashed { lease: Some(_), .. }
                | Keeper::Stopped { lease: Some(_), .. }
                | Keeper::InDoubt { lease: Some(_), .. }
        );
        let mut slack = if leased { LEASE_SLACK } else { Span::ZERO };
        if let Some(max) = setup.progress_max {
            (allowed, slack) = (max, Span::ZERO);
        }
        let kept = Kept { client, lock, since, allowed, by };
        Some(Running { kept, called: kept.limit() + slack, instance: None })
    }

    /// What stands in the way of a lock that nobody believes to hold, and for how long it may.
    fn obstacle(&self, lock: ServiceIx, ledger: &Ledger) -> (Keeper, Span) {
        let Some(grant) = ledger.standing(lock) else { return (Keeper::Nobody, ALLOWED) };
        let (owner, lease) = (grant.client, grant.lease);
        let runner = ledger.runner(owner);
        if grant.orphan || runner.down {
            (Keeper::Crashed { owner, lease }, lease.unwrap_or(ALLOWED))
        } else if runner.stopped {
            (Keeper::Stopped { owner, lease }, lease.unwrap_or(ALLOWED))
        } else if ledger.lock(lock).suspended.iter().any(|place| ledger.holds.get(*place).client == owner) {
            (Keeper::InDoubt { owner, lease }, lease.unwrap_or(ALLOWED))
        } else if lease.is_none() && self.waits.iter().any(|wait| (wait.client, wait.lock) == (owner, lock)) {
            (Keeper::Itself { owner }, ALLOWED_REACTION)
        } else {
            (Keeper::Unaware { owner }, ALLOWED_REACTION)
        }
    }
}

/// The instance for a wait that has become too long.
fn too_long(kept: &Kept, wants: StepIx, known: StepIx, ledger: &Ledger) -> Instance {
    let kind = match kept.by {
        Keeper::Crashed { .. } | Keeper::Stopped { .. } | Keeper::InDoubt { .. } | Keeper::Unaware { .. } => {
            ProgressKind::Leak
        }
        Keeper::Itself { .. } | Keeper::Circle { .. } => ProgressKind::Deadlock,
        Keeper::Nobody => ProgressKind::Livelock,
    };
    let standing = ledger.standing(kept.lock);
    let granted = standing.map(|grant| grant.granted.step);
    let crash = standing.and_then(|grant| ledger.runner(grant.client).last_crash).map(|crash| crash.step);
    let crash = crash.filter(|_| matches!(kept.by, Keeper::Crashed { .. }));
    let present = ledger.lock(kept.lock);
    let unbelieved = (present.open.is_empty() && !ledger.holds.is_empty()).then_some(present.unbelieved_since.step);
    let opened = present.open.iter().map(|place| Some(ledger.holds.get(*place).opened.step));
    let steps = evidence([granted, crash, unbelieved, Some(wants), Some(known)].into_iter().chain(opened));
    instance(kept.client, kind, kept.limit(), known, Why::KeptOut(*kept), steps)
}

const fn instance(
    client: NodeId,
    kind: ProgressKind,
    from: Time,
    known: StepIx,
    why: Why,
    evidence: Vec<StepIx>,
) -> Instance {
    let (subject, kind) = (Subject::Client(client), Some(InstanceKind::Progress(kind)));
    Instance { subject, kind, from, to: None, known, why, evidence }
}
