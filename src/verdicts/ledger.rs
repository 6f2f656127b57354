//! What all judges need to know of a run: who was given which lock, who believes what, who runs.
//!
//! A **grant** is an event of the service and stands until the service notes its end. A **hold** is a client's belief: it
//! opens when the client notes `Acquired` and closes when `HoldClosed` is noted, by the client or, when its process ends, by
//! the World. While it is suspended it is no belief. The grant of a hold is the last one before its opening with the nonce that the hold carries; a renewal that sets
//! a missing key again makes another grant with this nonce, but the hold stays with the grant it began with.

use std::hash::{Hash, Hasher};

use crate::scenario::Setup;
use crate::verdicts::log::Log;
use crate::vocabulary::{FaultKind, GrantId, HoldId, MachineId, NodeId, Nonce, ServiceIx, Span, StepIx, Time, Token};
use crate::world::{Closing, Effect, Ending, Event, Observation, Record};

/// A step and its time.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub(crate) struct Moment {
    pub(crate) step: StepIx,
    pub(crate) at: Time,
}

/// One giving of a lock.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Grant {
    pub(crate) id: GrantId,
    pub(crate) lock: ServiceIx,
    pub(crate) client: NodeId,
    pub(crate) nonce: Nonce,
    /// The lease as granted or last extended.
    pub(crate) lease: Option<Span>,
    pub(crate) granted: Moment,
    pub(crate) ended: Option<(Moment, Ending)>,
    /// The tokens given for it; more than one if a request for a token was repeated.
    pub(crate) tokens: Option<Tokens>,
    /// Whether the process that asked for it has ended since.
    pub(crate) orphan: bool,
}

/// The lowest and the highest token given for one grant, and when the last was given.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Tokens {
    pub(crate) low: Token,
    pub(crate) high: Token,
    pub(crate) given: Moment,
}

/// One belief of a client.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Hold {
    pub(crate) id: HoldId,
    pub(crate) lock: ServiceIx,
    pub(crate) client: NodeId,
    /// The place of its grant in the ledger.
    pub(crate) grant: Option<u32>,
    /// The place of the first grant in the ledger that is newer than this hold's own.
    pub(crate) newer: u32,
    pub(crate) opened: Moment,
    pub(crate) closed: Option<(Moment, Closing)>,
}

/// The present of one lock.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Lock {
    /// The place of the grant that stands.
    pub(crate) standing: Option<u32>,
    /// Since when it stands, or since when none does.
    pub(crate) standing_since: Moment,
    /// The places of the open holds, in order of opening.
    pub(crate) open: Vec<u32>,
    /// The places of the holds that are suspended.
    pub(crate) suspended: Vec<u32>,
    /// When the last open hold closed.
    pub(crate) unbelieved_since: Moment,
}

/// The present of one process.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub(crate) struct Runner {
    machine: MachineId,
    /// Its process has ended and was not started again.
    pub(crate) down: bool,
    /// It is paused or its machine is suspended.
    pub(crate) stopped: bool,
    pub(crate) last_stop: Option<StepIx>,
    pub(crate) last_resume: Moment,
    pub(crate) last_crash: Option<Moment>,
}

impl Runner {
    const fn stop(&mut self, now: Moment) {
        self.stopped = true;
        self.last_stop = Some(now.step);
    }
}

/// The facts of a run so far.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Ledger {
    pub(crate) grants: Log<Grant>,
    pub(crate) holds: Log<Hold>,
    locks: Vec<Lock>,
    runners: Vec<Runner>,
}

impl Ledger {
    pub(crate) fn new(setup: &Setup) -> Self {
        let start = Moment::default();
        let lock = Lock {
            standing: None,
            standing_since: start,
            open: Vec::new(),
            suspended: Vec::new(),
            unbelieved_since: start,
        };
        Self {
            grants: Log::new(),
            holds: Log::new(),
            locks: vec![lock; setup.services.len()],
            runners: setup.nodes.iter().map(|node| Runner { machine: node.machine, ..Runner::default() }).collect(),
        }
    }

    pub(crate) fn lock(&self, lock: ServiceIx) -> &Lock {
        &self.locks[lock.ix()]
    }

    pub(crate) fn runner(&self, node: NodeId) -> &Runner {
        &self.runners[node.ix()]
    }

    pub(crate) fn hold(&self, id: HoldId) -> Option<&Hold> {
        self.holds.rfind(|hold| hold.id == id).map(|place| self.holds.get(place))
    }

    pub(crate) fn hold_grant(&self, hold: &Hold) -> Option<&Grant> {
        hold.grant.map(|place| self.grants.get(place))
    }

    /// The grant that stands.
    pub(crate) fn standing(&self, lock: ServiceIx) -> Option<&Grant> {
        self.lock(lock).standing.map(|place| self.grants.get(place))
    }

    /// The grants that other clients got since this hold's own, oldest first.
    pub(crate) fn superseding<'a>(&'a self, hold: &'a Hold) -> impl Iterator<Item = &'a Grant> {
        self.grants.since(hold.newer).filter(|grant| grant.lock == hold.lock && grant.client != hold.client)
    }

    /// The place of the last grant of a lock to a client.
    pub(crate) fn last_grant(&self, lock: ServiceIx, client: NodeId) -> Option<u32> {
        self.grants.rfind(|grant| grant.lock == lock && grant.client == client)
    }

    /// How a hold came to be: its grant, its opening, and the last pause of its client from its grant to its closing.
    pub(crate) fn story(&self, hold: &Hold) -> [Option<StepIx>; 3] {
        let granted = self.hold_grant(hold).map(|grant| grant.granted.step);
        let (from, to) = (granted.unwrap_or(hold.opened.step), hold.closed.map(|(moment, _)| moment.step));
        let within = |stop: &StepIx| from <= *stop && to.is_none_or(|to| *stop <= to);
        [granted, Some(hold.opened.step), self.runner(hold.client).last_stop.filter(within)]
    }

    /// Feeds a search's key with what can still matter, without the numbers of steps.
    pub(crate) fn search_key(&self, now: Time, key: &mut impl Hasher) {
        for grant in self.grants.iter() {
            let tokens = grant.tokens.map(|tokens| (tokens.low, tokens.high));
            (grant.lock, grant.client, grant.nonce, grant.lease, grant.orphan, tokens).hash(key);
        }
        for hold in self.holds.iter() {
            (hold.id, hold.lock, hold.client, hold.newer, hold.closed.is_some()).hash(key);
        }
        for lock in &self.locks {
            (
                lock.standing,
                lock.suspended.len(),
                now.since(lock.standing_since.at),
                now.since(lock.unbelieved_since.at),
            )
                .hash(key);
        }
        for runner in &self.runners {
            let since = runner.last_crash.map(|crash| now.since(crash.at));
            (runner.down, runner.stopped, now.since(runner.last_resume.at), since).hash(key);
        }
    }

    /// Takes in the event of a record, before its effects.
    pub(crate) fn event(&mut self, now: Moment, event: &Event) {
        match *event {
            Event::Resumed { node } => self.resume(now, node),
            Event::Restarted { node } => self.runners[node.ix()].down = false,
            Event::Fault { kind, .. } => self.fault(now, kind),
            _ => {}
        }
    }

    /// Takes in one effect of a record.
    pub(crate) fn effect(&mut self, now: Moment, record: &Record, effect: &Effect) {
        match *effect {
            Effect::Noted { node, ref what } => self.noted(now, record, node, what),
            Effect::FaultFired { kind, .. } => self.fault(now, kind),
            Effect::Paused { node, .. } => self.runners[node.ix()].stop(now),
            Effect::Resumed { node } => self.resume(now, node),
            Effect::Crashed { node, .. } => self.crash(now, node),
            _ => {}
        }
    }

    /// Pauses are reported as effects of their own, a sleeping machine only by the fault that sends it to sleep.
    fn fault(&mut self, now: Moment, kind: FaultKind) {
        if let FaultKind::Suspend { machine, .. } = kind {
            let sleeps = self.runners.iter_mut().filter(|runner| runner.machine == machine && !runner.down);
            sleeps.for_each(|runner| runner.stop(now));
        }
    }

    fn noted(&mut self, now: Moment, record: &Record, node: NodeId, what: &Observation) {
        match *what {
            Observation::Acquired { service, hold, nonce, .. } => self.open(now, node, service, hold, nonce),
            Observation::HoldClosed { service, hold, why } => self.close(now, service, hold, why),
            Observation::HoldSuspended { service, hold } => self.suspend(now, service, hold),
            Observation::HoldResumed { service, hold } => self.resume_hold(service, hold),
            Observation::Granted { service: lock, grant: id, client, nonce, token, lease } => {
                let tokens = token.map(|token| Tokens { low: token, high: token, given: now });
                let orphan = self.outlived(client, record);
                let grant = Grant { id, lock, client, nonce, lease, granted: now, ended: None, tokens, orphan };
                let place = self.grants.push(grant);
                let lock = &mut self.locks[lock.ix()];
                (lock.standing, lock.standing_since) = (Some(place), now);
            }
            Observation::TokenGiven { service, client, token } => {
                if let Some(place) = self.last_grant(service, client) {
                    let tokens = &mut self.grants.get_mut(place).tokens;
                    let (low, high) = tokens.map_or((token, token), |old| (old.low.min(token), old.high.max(token)));
                    *tokens = Some(Tokens { low, high, given: now });
                }
            }
            Observation::Extended { grant, lease, .. } => {
                if let Some(place) = self.grants.rfind(|one| one.id == grant) {
                    self.grants.get_mut(place).lease = Some(lease);
                }
            }
            Observation::Ended { service, grant, why } => {
                if let Some(place) = self.grants.rfind(|one| one.id == grant) {
                    self.grants.get_mut(place).ended = Some((now, why));
                    let lock = &mut self.locks[service.ix()];
                    if lock.standing == Some(place) {
                        (lock.standing, lock.standing_since) = (None, now);
                    }
                }
            }
            _ => {}
        }
    }

    fn open(&mut self, now: Moment, client: NodeId, lock: ServiceIx, id: HoldId, nonce: Nonce) {
        let grants = 0..self.grants.len();
        let grant = grants.rev().find(|place| {
            let grant = self.grants.get(*place);
            (grant.lock, grant.client, grant.nonce) == (lock, client, nonce)
        });
        let newer = grant.map_or(self.grants.len(), |place| place + 1);
        let place = self.holds.push(Hold { id, lock, client, grant, newer, opened: now, closed: None });
        self.locks[lock.ix()].open.push(place);
    }

    fn close(&mut self, now: Moment, lock: ServiceIx, id: HoldId, why: Closing) {
        let Some(place) = self.holds.rfind(|hold| hold.id == id) else { return };
        self.holds.get_mut(place).closed = Some((now, why));
        let lock = &mut self.locks[lock.ix()];
        lock.open.retain(|open| *open != place);
        lock.suspended.retain(|suspended| *suspended != place);
        if lock.open.is_empty() {
            lock.unbelieved_since = now;
        }
    }

    /// A suspended hold is no belief until it is resumed. Not inlined, as the first view has none.
    #[inline(never)]
    fn suspend(&mut self, now: Moment, lock: ServiceIx, id: HoldId) {
        let Some(place) = self.holds.rfind(|hold| hold.id == id) else { return };
        let lock = &mut self.locks[lock.ix()];
        lock.open.retain(|open| *open != place);
        lock.suspended.push(place);
        if lock.open.is_empty() {
            lock.unbelieved_since = now;
        }
    }

    #[inline(never)]
    fn resume_hold(&mut self, lock: ServiceIx, id: HoldId) {
        if let Some(place) = self.holds.rfind(|hold| hold.id == id) {
            let lock = &mut self.locks[lock.ix()];
            lock.suspended.retain(|suspended| *suspended != place);
            lock.open.push(place);
        }
    }

    fn resume(&mut self, now: Moment, node: NodeId) {
        let runner = &mut self.runners[node.ix()];
        runner.stopped = false;
        runner.last_resume = now;
    }

    fn crash(&mut self, now: Moment, node: NodeId) {
        let runner = &mut self.runners[node.ix()];
        (runner.down, runner.stopped, runner.last_crash) = (true, false, Some(now));
        for lock in &self.locks {
            if let Some(place) = lock.standing.filter(|place| self.grants.get(*place).client == node) {
                self.grants.get_mut(place).orphan = true;
            }
        }
    }

    /// Whether the process that sent the request of this record has ended since it sent it.
    fn outlived(&self, client: NodeId, record: &Record) -> bool {
        let runner = self.runner(client);
        let from_client = record.event.packet().is_some_and(|packet| packet.from == client);
        let sent = record.cause.filter(|_| from_client);
        runner.down || runner.last_crash.is_some_and(|crash| sent.is_some_and(|sent| sent <= crash.step))
    }
}
