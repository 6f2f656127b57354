//! A run written by hand: what clients, services and storage note, step after step, watched by the judges.

use std::sync::Arc;

use lockstep::scenario::{Client, Machine, Network, Node, Resource, Role, Service, Setup};
use lockstep::verdicts::{Instance, InstanceKind, Judges, Verdict};
use lockstep::vocabulary::{
    AcquireMode, ClockChoice, ConnId, Driver, FaultIx, FaultKind, GrantId, Guard, HoldId, JudgeName, KeyId, Latency,
    Line, MachineId, NodeId, Nonce, OpId, PacketId, PauseCause, Persistence, Recipe, RedisConfig, ReleaseMode,
    ResourceConfig, ResourceIx, ServiceIx, Span, StepIx, Time, Token, TokenSource, Voting,
};
use lockstep::world::{Closing, Effect, Ending, Event, Message, Observation, Packet, Record, RedisCommand, Rejection};

/// The clients of every run; there are three.
pub(crate) const A: NodeId = NodeId(0);
pub(crate) const B: NodeId = NodeId(1);
pub(crate) const C: NodeId = NodeId(2);
const REDIS: NodeId = NodeId(3);
const STORAGE: NodeId = NodeId(4);
/// The lock that most runs are about, and another one.
pub(crate) const LOCK: ServiceIx = ServiceIx(0);
pub(crate) const OTHER_LOCK: ServiceIx = ServiceIx(1);
/// The resource under the lock.
const RESOURCE: ResourceIx = ResourceIx(0);

pub(crate) struct Run {
    pub(crate) judges: Judges,
    now: Time,
    next: u32,
    grants: Vec<(ServiceIx, NodeId)>,
    holds: Vec<(ServiceIx, NodeId)>,
    ops: u32,
}

impl Run {
    pub(crate) fn new() -> Self {
        Self::with(|_| {})
    }

    /// A run whose setup differs.
    pub(crate) fn with(change: impl FnOnce(&mut Setup)) -> Self {
        let mut setup = setup();
        change(&mut setup);
        let judges = Judges::new(&Arc::new(setup));
        Self { judges, now: Time::ZERO, next: 0, grants: Vec::new(), holds: Vec::new(), ops: 0 }
    }

    /// From here on it is this late.
    pub(crate) fn at(&mut self, ms: u64) -> &mut Self {
        self.now = Time::from_ms(ms);
        self
    }

    pub(crate) fn wants(&mut self, client: NodeId) -> StepIx {
        self.note(client, Observation::Wants { service: LOCK })
    }

    pub(crate) fn gives_up(&mut self, client: NodeId) -> StepIx {
        self.note(client, Observation::GaveUp { service: LOCK })
    }

    /// The service gives the lock, for a lease in milliseconds.
    pub(crate) fn grant(&mut self, client: NodeId, lease: impl Into<Option<u64>>) -> StepIx {
        self.grant_of(LOCK, client, lease, None)
    }

    pub(crate) fn grant_of(
        &mut self,
        lock: ServiceIx,
        client: NodeId,
        lease: impl Into<Option<u64>>,
        token: impl Into<Option<u64>>,
    ) -> StepIx {
        self.grants.push((lock, client));
        let lease = lease.into().map(Span::from_ms);
        let (grant, nonce) = (self.last_grant(lock, client), Nonce(u64::from(client.0)));
        let token = token.into().map(Token);
        self.note(REDIS, Observation::Granted { service: lock, grant, client, nonce, token, lease })
    }

    /// The service gives the lock for a request that the client sent in an earlier step.
    pub(crate) fn grant_for(&mut self, sent: StepIx, client: NodeId, lease: u64) -> StepIx {
        self.grants.push((LOCK, client));
        let (grant, nonce, lease) = (self.last_grant(LOCK, client), Nonce(0), Some(Span::from_ms(lease)));
        let what = Observation::Granted { service: LOCK, grant, client, nonce, token: None, lease };
        let message = Message::Redis { rpc: 0, command: RedisCommand::Get { key: KeyId::lock(LOCK) } };
        let packet = Packet { id: PacketId(0), conn: ConnId(0), from: client, to: REDIS, message, sent: self.now };
        let event = Event::Delivered { packet: packet.into() };
        self.record(Some(sent), event, vec![Effect::Noted { node: REDIS, what }])
    }

    /// A token for a grant, given later.
    pub(crate) fn token(&mut self, client: NodeId, token: u64) -> StepIx {
        self.note(REDIS, Observation::TokenGiven { service: LOCK, client, token: Token(token) })
    }

    /// The last grant of the lock to the client ends.
    pub(crate) fn end(&mut self, client: NodeId, why: Ending) -> StepIx {
        let grant = self.last_grant(LOCK, client);
        self.note(REDIS, Observation::Ended { service: LOCK, grant, why })
    }

    /// A hold opens; its grant is the client's last one.
    pub(crate) fn acquire(&mut self, client: NodeId) -> StepIx {
        self.acquire_of(LOCK, client)
    }

    pub(crate) fn acquire_of(&mut self, lock: ServiceIx, client: NodeId) -> StepIx {
        self.holds.push((lock, client));
        let hold = self.last_hold(lock, client).expect("just opened");
        let nonce = Nonce(u64::from(client.0));
        self.note(client, Observation::Acquired { service: lock, hold, nonce, token: None, believed_until: None })
    }

    /// Grant and acquisition, one step each.
    pub(crate) fn take(&mut self, client: NodeId, lease: impl Into<Option<u64>>) -> [StepIx; 2] {
        [self.grant(client, lease), self.acquire(client)]
    }

    /// The client's last hold closes.
    pub(crate) fn close(&mut self, client: NodeId) -> StepIx {
        let hold = self.last_hold(LOCK, client).expect("a hold to close");
        self.note(client, Observation::HoldClosed { service: LOCK, hold, why: Closing::Released })
    }

    /// The client reads the resource, which is at this version, in its last hold.
    pub(crate) fn read(&mut self, client: NodeId, version: u32) -> StepIx {
        let hold = self.last_hold(LOCK, client);
        self.note(STORAGE, Observation::Contact { resource: RESOURCE, client, hold, version })
    }

    /// A write of the client's last hold is applied to the version `replaced`; returns it, so that it can be applied again.
    pub(crate) fn write(
        &mut self,
        client: NodeId,
        base: impl Into<Option<u32>>,
        replaced: u32,
    ) -> (StepIx, Observation) {
        let (hold, op) = (self.last_hold(LOCK, client), OpId(self.ops));
        self.ops += 1;
        let (base, value) = (base.into(), i64::from(replaced));
        let what = Observation::Applied { resource: RESOURCE, client, hold, op, token: None, base, replaced, value };
        (self.note(STORAGE, what), what)
    }

    /// A write of the client's last hold is refused.
    pub(crate) fn refuse(&mut self, client: NodeId, why: Rejection) -> StepIx {
        let hold = self.last_hold(LOCK, client);
        self.note(STORAGE, Observation::Rejected { resource: RESOURCE, client, hold, why, write: true })
    }

    pub(crate) fn pause(&mut self, node: NodeId) -> StepIx {
        self.step(Event::Started { node }, vec![Effect::Paused { node, cause: PauseCause::Gc, until: None }])
    }

    /// The machine of a process is suspended.
    pub(crate) fn suspend(&mut self, node: NodeId) -> StepIx {
        let kind = FaultKind::Suspend { machine: MachineId(node.0), length: None };
        self.step(Event::Fault { ix: FaultIx(0), kind, ends: false }, Vec::new())
    }

    pub(crate) fn resume(&mut self, node: NodeId) -> StepIx {
        self.step(Event::Resumed { node }, vec![Effect::Resumed { node }])
    }

    /// The client's process ends, and with it the hold of the lock that it has open, if `believes`.
    pub(crate) fn crash(&mut self, node: NodeId, believes: bool) -> StepIx {
        let mut effects = vec![Effect::Crashed { node, power: false }];
        if let Some(hold) = self.last_hold(LOCK, node).filter(|_| believes) {
            let what = Observation::HoldClosed { service: LOCK, hold, why: Closing::Crashed };
            effects.push(Effect::Noted { node, what });
        }
        self.step(Event::Started { node }, effects)
    }

    pub(crate) fn restart(&mut self, node: NodeId) -> StepIx {
        self.step(Event::Restarted { node }, Vec::new())
    }

    /// The client runs the n-th line of its program.
    pub(crate) fn line(&mut self, node: NodeId, line: u16) -> StepIx {
        let line = lockstep::vocabulary::LineIx(line);
        self.step(Event::Line { node, line, part: 0 }, Vec::new())
    }

    /// A step in which nothing of interest happens.
    pub(crate) fn idle(&mut self) -> StepIx {
        self.step(Event::Timer { node: REDIS, timer: 0 }, Vec::new())
    }

    pub(crate) fn note(&mut self, node: NodeId, what: Observation) -> StepIx {
        self.step(Event::Timer { node, timer: 0 }, vec![Effect::Noted { node, what }])
    }

    pub(crate) fn step(&mut self, event: Event, effects: Vec<Effect>) -> StepIx {
        self.record(None, event, effects)
    }

    fn record(&mut self, cause: Option<StepIx>, event: Event, effects: Vec<Effect>) -> StepIx {
        let ix = StepIx(self.next);
        self.next += 1;
        self.judges.observe(&Record { ix, at: self.now, cause, event, effects });
        ix
    }

    /// What a judge says now.
    pub(crate) fn verdict(&self, judge: JudgeName) -> Verdict {
        self.judges.verdict(judge, self.now)
    }

    /// The violations that a judge has seen so far.
    pub(crate) fn violations(&self, judge: JudgeName) -> Vec<Instance> {
        self.verdict(judge).instances().to_vec()
    }

    fn last_grant(&self, lock: ServiceIx, client: NodeId) -> GrantId {
        GrantId(last(&self.grants, lock, client).expect("a grant of this client"))
    }

    fn last_hold(&self, lock: ServiceIx, client: NodeId) -> Option<HoldId> {
        last(&self.holds, lock, client).map(HoldId)
    }
}

fn last(list: &[(ServiceIx, NodeId)], lock: ServiceIx, client: NodeId) -> Option<u32> {
    list.iter().rposition(|one| *one == (lock, client)).map(|ix| ix as u32)
}

/// A takes the lock at 0 and crashes at 300; B wants it from 100 on.
pub(crate) fn crashed_holder(lease: impl Into<Option<u64>>) -> Run {
    let mut run = Run::new();
    run.wants(A);
    run.take(A, lease);
    run.at(100).wants(B);
    run.at(300).crash(A, true);
    run
}

/// A refusal by a fence.
pub(crate) const STALE: Rejection = Rejection::StaleToken { token: Some(Token(33)), highest: Token(34) };

pub(crate) const fn ms(ms: u64) -> Time {
    Time::from_ms(ms)
}

/// From and to of a judge's only violation, in milliseconds.
pub(crate) fn only(run: &Run, judge: JudgeName) -> (u64, Option<u64>) {
    let [one] = &run.violations(judge)[..] else { panic!("not one violation: {:?}", run.violations(judge)) };
    (one.from.ms(), one.to.map(Time::ms))
}

/// The kinds of a judge's violations.
pub(crate) fn kinds(run: &Run, judge: JudgeName) -> Vec<&'static str> {
    run.violations(judge).iter().map(|one| one.kind.map_or("", InstanceKind::name)).collect()
}

/// Three clients that read, work and write under a lock on one Redis node; the second lock protects nothing.
fn setup() -> Setup {
    let redis = RedisConfig { persistence: Persistence::None, expiry_clock: ClockChoice::Wall, counter_start: 32 };
    let roles = [Role::Client(0), Role::Client(1), Role::Client(2), Role::Redis(LOCK, redis), Role::Storage];
    let machine =
        |name: &str| Machine { name: name.into(), wall_offset_us: 0, rate_ppm: 0, suspend_stops_monotonic: false };
    let node = |(ix, role): (usize, Role)| Node { name: format!("node-{ix}"), machine: MachineId(ix as u16), role };
    let latency = Latency { min: Span::from_ms(5), max: Span::from_ms(5) };
    let service =
        |name: &str| Service { name: name.into(), nodes: vec![REDIS], quorum: 1, failover: None, ensemble: None };
    let client = |node| Client {
        node,
        start: Span::ZERO,
        drivers: vec![driver(); 2],
        program: vec![Line::Acquire(LOCK), Line::Work(Span::from_ms(500)), Line::Release(LOCK)],
    };
    Setup {
        seed: 1,
        horizon: Span::from_ms(60_000),
        machines: ["a", "b", "c", "redis", "storage"].map(machine).to_vec(),
        nodes: roles.into_iter().enumerate().map(node).collect(),
        network: Network { latency, links: Vec::new() },
        services: vec![service("lock"), service("other")],
        resources: vec![Resource {
            name: "counter".into(),
            node: STORAGE,
            lock: LOCK,
            config: ResourceConfig { guard: Guard::None, initial: 0 },
        }],
        clients: [A, B, C].map(client).to_vec(),
        progress_max: None,
    }
}

fn driver() -> Driver {
    Driver {
        wait: None,
        ttl: Some(Span::from_ms(10_000)),
        acquire: AcquireMode::Set,
        token: TokenSource::None,
        attempts: None,
        retry: Span::from_ms(100),
        jitter: Span::ZERO,
        timeout: Some(Span::from_ms(50)),
        check_clock: ClockChoice::None,
        careful: false,
        release: ReleaseMode::CompareAndDelete,
        await_release: true,
        renewal: None,
        voting: Voting::PLAIN,
        recipe: Recipe::DOCUMENTED,
    }
}
