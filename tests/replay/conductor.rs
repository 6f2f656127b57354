//! The conductor of one replay: starts the processes, hears everything in one order, and plays the adversary.
//!
//! It keeps a log in the form in which judges observe a run. What stands in it is what real processes did: what clients
//! and storage say of themselves, and what took effect in the servers. Its clock is the one by which all is dated.

mod failover;
mod faults;
mod hearing;

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

use lockstep::scenario::{Role, Scenario, Setup};
use lockstep::vocabulary::{FaultKind, Matcher, NodeId, ObservationKind, ServiceIx, Span, StepIx, Time, Trigger};
use lockstep::world::{Effect, Event, Observation, Record};

use crate::Outcome;
use crate::actor::Actor;
use crate::client::counter_key;
use crate::copying::HeldBack;
use crate::frame::Protocol;
use crate::link::{Fate, Link, Passing};
use crate::redis::{Redis, new_clock, set_clock};
use crate::truth::Truth;

/// What the conductor hears.
#[derive(Debug)]
pub(crate) enum Heard {
    /// A client or storage said something.
    Said { node: NodeId, life: u32, line: String, at: Instant },
    /// A frame is on its way and waits for its fate.
    Passing(Passing),
    /// A command took effect in a server.
    Effect(NodeId, Vec<String>),
}

/// What waits for a moment.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Due {
    Start(NodeId),
    Fault(usize),
    Resume(NodeId),
    Restart(NodeId),
    /// The silence of a service's primary has lasted long enough.
    Promote(ServiceIx),
    /// A node that came back learns whom to follow.
    Follow(NodeId),
}

/// What came of a replay.
pub(crate) struct Replay {
    pub(crate) records: Vec<Record>,
    /// How late the latest thing was that should have happened at a moment.
    pub(crate) lag: Duration,
    /// The version of the servers.
    pub(crate) version: String,
    /// Faults that did not happen.
    pub(crate) unfired: usize,
}

/// After the last client's end the servers have so long, in the scenario's time, to end what goes on.
const SETTLE: Span = Span::from_ms(500);
/// A grant that a client knows of shows within this time.
const GRANT_SHOWS: Duration = Duration::from_secs(2);
/// Longer than any replay.
const FOR_EVER: Duration = Duration::from_hours(1);
const PROBE: Duration = Duration::from_millis(2);

/// The conductor.
pub(crate) struct Conductor {
    name: String,
    scenario: Scenario,
    setup: Arc<Setup>,
    scale: u64,
    dir: PathBuf,
    start: Instant,
    ears: Receiver<Heard>,
    mouth: Sender<Heard>,
    servers: BTreeMap<NodeId, Redis>,
    actors: BTreeMap<NodeId, Actor>,
    /// For each machine: the file that moves its wall clock, and how far it is ahead.
    clocks: Vec<(File, i64)>,
    truth: Truth,
    log: Vec<Record>,
    /// Clients that say they have the lock before its grant has shown.
    early: Vec<(NodeId, Observation, Instant)>,
    due: Vec<(Instant, Due)>,
    /// How often each fault's trigger has matched, and whether the fault has happened.
    seen: Vec<(u32, bool)>,
    /// Since when each process that was stopped has run again; `None` while it is stopped.
    stops: BTreeMap<NodeId, Option<Instant>>,
    /// Servers that the adversary stopped, ended or cut off: their answers may be late.
    touched: BTreeSet<NodeId>,
    /// The directions that carry nothing any more.
    cut: Vec<(NodeId, NodeId)>,
    /// How long each change stays with a primary before it goes to its replicas, once the run has begun.
    held_back: HeldBack,
    lag: Duration,
}

impl Conductor {
    /// Sets everything up in an empty folder: servers run, clients wait.
    pub(crate) fn new(name: &str, scenario: Scenario, scale: u64, dir: PathBuf) -> Outcome<Self> {
        fs::create_dir_all(&dir)?;
        let (mouth, ears) = channel();
        let setup = Arc::clone(&scenario.setup);
        let clock = |ix: usize| {
            let (file, ahead_us) =
                (new_clock(&clock_path(&dir, ix))?, setup.machines[ix].wall_offset_us / scale as i64);
            set_clock(&file, ahead_us)?;
            Ok((file, ahead_us))
        };
        let clocks = (0..setup.machines.len()).map(clock).collect::<Outcome<_>>()?;
        let mut this = Self {
            name: name.to_owned(),
            seen: vec![(0, false); scenario.faults.len()],
            scenario,
            scale,
            dir,
            start: Instant::now(),
            ears,
            mouth,
            servers: BTreeMap::new(),
            actors: BTreeMap::new(),
            clocks,
            truth: Truth::new(&setup),
            log: Vec::new(),
            early: Vec::new(),
            due: Vec::new(),
            stops: BTreeMap::new(),
            touched: BTreeSet::new(),
            cut: Vec::new(),
            held_back: HeldBack::default(),
            lag: Duration::ZERO,
            setup,
        };
        this.check_faults()?;
        this.check_drivers()?;
        for ix in 0..this.setup.nodes.len() {
            this.start_process(NodeId(ix as u16), 0)?;
        }
        this.open_links()?;
        this.begin_roles()?;
        Ok(this)
    }

    /// Runs the scenario to its end.
    pub(crate) fn run(mut self) -> Outcome<Replay> {
        while self.actors.values().any(|actor| !actor.ready) {
            let heard = self.ears.recv_timeout(Duration::from_secs(20))?;
            self.hear(heard)?;
        }
        let versions = self.servers.values_mut().map(Redis::version).collect::<Outcome<Vec<_>>>()?;
        let storages: Vec<_> = self.actors.keys().copied().filter(|node| self.setup.client(*node).is_none()).collect();
        self.start = Instant::now();
        self.lag = Duration::ZERO;
        self.hold_back();
        for node in storages {
            self.go(node)?;
        }
        for client in &self.setup.clients {
            self.due.push((self.start + self.real(client.start), Due::Start(client.node)));
        }
        for (ix, fault) in self.scenario.faults.iter().enumerate() {
            if let Trigger::At(Time(us)) = fault.on {
                self.due.push((self.start + self.real(Span(us)), Due::Fault(ix)));
            }
        }
        let (stop, probe) = channel();
        let probe = thread::spawn(move || probe_lag(&probe));
        let ran = self.conduct();
        drop(stop);
        let probed = probe.join().map_err(|_| "the probe panicked")?;
        ran?;
        Ok(Replay {
            records: self.log,
            lag: self.lag.max(probed),
            version: versions.into_iter().next().unwrap_or_default(),
            unfired: self.seen.iter().filter(|(_, fired)| !fired).count(),
        })
    }

    fn conduct(&mut self) -> Outcome {
        let horizon = self.start + self.real(self.setup.horizon);
        let mut end = horizon;
        loop {
            let now = Instant::now();
            while let Some(place) = self.due.iter().position(|(at, _)| *at <= now) {
                let (at, due) = self.due.remove(place);
                self.lag = self.lag.max(at.elapsed());
                self.act(due)?;
            }
            self.believe_early(|at| at + GRANT_SHOWS <= now)?;
            if end == horizon && self.is_over() {
                end = horizon.min(now + self.real(SETTLE));
            }
            if now >= end {
                return Ok(());
            }
            let next = self.due.iter().map(|(at, _)| *at).min().map_or(end, |at| at.min(end));
            let wait = next.saturating_duration_since(Instant::now()).min(GRANT_SHOWS);
            match self.ears.recv_timeout(wait) {
                Ok(heard) => self.hear(heard)?,
                Err(RecvTimeoutError::Timeout) => {}
                Err(error) => return Err(error.into()),
            }
        }
    }

    /// Whether no client has anything left to do.
    fn is_over(&self) -> bool {
        let over = |node: &NodeId| self.actors.get(node).is_none_or(|actor| actor.over);
        let returns = |due: &Due| matches!(due, Due::Start(_) | Due::Restart(_));
        self.setup.clients.iter().all(|client| over(&client.node)) && !self.due.iter().any(|(_, due)| returns(due))
    }

    fn start_process(&mut self, node: NodeId, life: u32) -> Outcome {
        let machine = self.setup.machine_of(node);
        let clock = clock_path(&self.dir, machine.ix());
        let dir = self.dir.join(node.to_string());
        match self.setup.nodes[node.ix()].role {
            Role::Redis(service, config) => {
                let mut server = Redis::start(node, dir, self.scale, config.persistence, &clock)?;
                if !self.is_replica(service, node) {
                    server.watch(self.mouth.clone())?;
                }
                if config.counter_start > 0 {
                    server.ask(&["SET", &counter_key(&self.setup, service), &config.counter_start.to_string()])?;
                }
                self.servers.insert(node, server);
            }
            Role::Client(ix) => {
                let (ix, scale) = (ix.to_string(), self.scale.to_string());
                let args = ["client", &self.name, &ix, &scale, path_text(&self.dir)?];
                self.actors.insert(node, Actor::start(node, life, &args, &clock, self.mouth.clone())?);
            }
            Role::Storage => {
                let socket = self.dir.join(format!("storage-{node}"));
                let args = ["storage", &self.name, path_text(&socket)?];
                self.actors.insert(node, Actor::start(node, life, &args, &clock, self.mouth.clone())?);
            }
            // Its part is the conductor's.
            Role::Sentinel(_) => {}
            Role::ZooKeeper(_) => return Err("a server of an ensemble is not replayed".into()),
        }
        Ok(())
    }

    /// A link from every client to every server.
    fn open_links(&self) -> Outcome {
        for client in &self.setup.clients {
            for (ix, server) in self.setup.nodes.iter().enumerate() {
                let node = NodeId(ix as u16);
                let (protocol, target) = match server.role {
                    Role::Client(_) | Role::Sentinel(_) | Role::ZooKeeper(_) => continue,
                    Role::Redis(..) => (Protocol::Redis, self.servers[&node].socket()),
                    Role::Storage => (Protocol::Storage, self.dir.join(format!("storage-{node}"))),
                };
                let latency = self.setup.latency(client.node, node);
                let latency = self.real(Span(latency.min.0.midpoint(latency.max.0)));
                let link = Link { client: client.node, server: node, protocol, latency, target };
                link.open(&self.dir.join(format!("link-{}-{node}", client.node)), self.mouth.clone())?;
            }
        }
        Ok(())
    }

    fn real(&self, span: Span) -> Duration {
        Duration::from_micros(span.0 / self.scale)
    }

    fn go(&mut self, node: NodeId) -> Outcome {
        let elapsed = self.start.elapsed().as_micros();
        match self.actors.get_mut(&node).filter(|actor| !actor.over) {
            Some(actor) => actor.go(elapsed),
            None => Ok(()),
        }
    }

    /// Writes a step into the log, at the scenario's time.
    fn log(&mut self, event: Event, effects: Vec<Effect>) {
        let at = Time(self.start.elapsed().as_micros() as u64 * self.scale);
        self.log.push(Record { ix: StepIx(self.log.len() as u32), at, cause: None, event, effects });
    }

    /// Whether what happens is what is looked for. Where several nodes vote, the grant is noted at the node whose vote
    /// decides: which one that is, real nodes do not let a file say.
    fn is(&self, wanted: Matcher, what: Matcher) -> bool {
        let Matcher::Observed { node, kind: ObservationKind::Granted } = wanted else { return matches(wanted, what) };
        let Matcher::Observed { node: found, kind: ObservationKind::Granted } = what else { return false };
        self.setup.services.iter().any(|service| service.nodes.contains(&node) && service.nodes.contains(&found))
    }

    /// Something that faults can wait for is about to happen, or has just been noted.
    fn occurs(&mut self, what: Matcher) -> Outcome<Fate> {
        let mut fate = Fate::Passes;
        for ix in 0..self.scenario.faults.len() {
            let fault = self.scenario.faults[ix];
            if let (Some(Trigger::When { matcher, after, .. }), FaultKind::Pause { node, .. }) =
                (fault.until, fault.kind)
                && self.is(matcher, what)
                && self.seen[ix].1
                && self.stops.get(&node) == Some(&None)
            {
                self.due.push((Instant::now() + self.real(after), Due::Resume(node)));
            }
            let Trigger::When { matcher, nth, after } = fault.on else { continue };
            if !self.is(matcher, what) {
                continue;
            }
            self.seen[ix].0 += 1;
            if self.seen[ix].0 != nth {
                continue;
            }
            if after == Span::ZERO {
                fate = self.fire(ix)?.unwrap_or(fate);
            } else {
                self.due.push((Instant::now() + self.real(after), Due::Fault(ix)));
            }
        }
        Ok(fate)
    }
}

/// Whether what happens is what is looked for.
fn matches(wanted: Matcher, what: Matcher) -> bool {
    let alike = |wanted: Option<_>, kind| wanted.is_none() || wanted == kind;
    match (wanted, what) {
        (Matcher::Send { from, to, kind }, Matcher::Send { from: sender, to: receiver, kind: found })
        | (Matcher::Deliver { from, to, kind }, Matcher::Deliver { from: sender, to: receiver, kind: found }) => {
            (from, to) == (sender, receiver) && alike(kind, found)
        }
        _ => wanted == what,
    }
}

/// How late the machine lets a thread be that sleeps: it says whether anybody else's moments can be trusted.
fn probe_lag(until: &Receiver<()>) -> Duration {
    let mut worst = Duration::ZERO;
    loop {
        let due = Instant::now() + PROBE;
        if until.recv_timeout(PROBE) == Err(RecvTimeoutError::Disconnected) {
            return worst;
        }
        worst = worst.max(due.elapsed());
    }
}

fn clock_path(dir: &Path, machine: usize) -> PathBuf {
    dir.join(format!("clock-{machine}"))
}

fn path_text(path: &Path) -> Outcome<&str> {
    Ok(path.to_str().ok_or("the folder's name is no text")?)
}
