//! A real client: runs the lines of a scenario's program against real servers over real sockets.
//!
//! Program and knobs come from the scenario file itself. The lock recipes are the ones of the Redis documentation; no code
//! is shared with the model's client. It has one thread: a line starts when the one before it is done, and while it waits
//! for anything it looks at its own deadline, if it is careful.

mod driver;
mod failover;
mod wire;

use std::path::PathBuf;
use std::sync::Arc;
use std::thread::sleep;
use std::time::{Duration, Instant};

use lockstep::scenario::{Client as Spec, Scenario, Setup};
use lockstep::vocabulary::{Driver, HoldId, Line, NodeId, Nonce, OpId, ResourceIx, ServiceIx, Span, Time, Written};
use lockstep::world::{Closing, Observation};

use crate::Outcome;
use crate::control::{client_note, or_dash, say, tell};
use crate::frame::Protocol;
use wire::{Answer, Peer};

pub(crate) use driver::{counter_key, lock_key};

/// Computing is done in portions, so that a stop in the middle does not count as work.
const PORTION: Duration = Duration::from_millis(3);
const PORTION_MAX: Duration = Duration::from_millis(12);

/// The client.
pub(crate) struct Client {
    setup: Arc<Setup>,
    spec: Spec,
    scale: u64,
    /// Where the links to the others are.
    dir: PathBuf,
    /// When the run began.
    start: Instant,
    line: usize,
    peers: Vec<Option<Peer>>,
    locks: Vec<Lock>,
    primaries: Vec<Primary>,
    reads: Vec<Option<Read>>,
    fresh: u32,
}

/// Whom a client takes for a service's primary, and whether it asks before it turns to it again.
#[derive(Clone, Copy, Default)]
struct Primary {
    named: Option<NodeId>,
    doubts: bool,
}

/// Dealings with one service.
#[derive(Clone, Default)]
struct Lock {
    nonce: Option<Nonce>,
    token: Option<u64>,
    hold: Option<Hold>,
    /// The hold in whose name reads and writes go out, even after it closed.
    acting: Option<HoldId>,
    lost: bool,
    /// The same moment on both clocks: when the attempt that counts began.
    began: Option<(Instant, std::time::SystemTime)>,
}

#[derive(Clone, Copy)]
struct Hold {
    id: HoldId,
    until: Option<Instant>,
    wall_until: Option<std::time::SystemTime>,
}

#[derive(Clone)]
struct Read {
    value: i64,
    version: String,
    tag: String,
}

impl Client {
    pub(crate) fn new(scenario: &Scenario, ix: usize, scale: u64, dir: PathBuf) -> Self {
        let setup = Arc::clone(&scenario.setup);
        Self {
            spec: setup.clients[ix].clone(),
            scale,
            dir,
            start: Instant::now(),
            line: 0,
            peers: setup.nodes.iter().map(|_| None).collect(),
            locks: vec![Lock::default(); setup.services.len()],
            primaries: vec![Primary::default(); setup.services.len()],
            reads: vec![None; setup.resources.len()],
            fresh: 0,
            setup,
        }
    }

    /// Runs the program to its end.
    pub(crate) fn run(mut self) -> Outcome {
        let elapsed = say("ready");
        self.start = Instant::now().checked_sub(Duration::from_micros(elapsed)).ok_or("the clock is too young")?;
        let mut rounds = 0;
        while let Some(line) = self.spec.program.get(self.line).copied() {
            say(&format!("line {} 0", self.line));
            if let Some(service) = self.lost_lock(line) {
                self.abort(service);
                continue;
            }
            match line {
                Line::At(Time(us)) => self.sleep_until(self.start + self.real(Span(us))),
                Line::Wait(span) => self.sleep_until(Instant::now() + self.real(span)),
                Line::Acquire(service) => {
                    if !self.acquire(service)? {
                        self.abort(service);
                        continue;
                    }
                }
                Line::Check(service) => {
                    if !self.check(service) {
                        self.abort(service);
                        continue;
                    }
                }
                Line::Read(resource) => {
                    if !self.read(resource)? {
                        self.abort(self.setup.resource(resource).lock);
                        continue;
                    }
                }
                Line::Work(span) => self.work(self.real(span)),
                Line::Write { resource, value, op, await_reply } => {
                    if !self.write(resource, value, op, await_reply)? {
                        self.abort(self.setup.resource(resource).lock);
                        continue;
                    }
                }
                Line::Release(service) => self.release(service)?,
                Line::Repeat(times) => {
                    rounds += 1;
                    if times.is_none_or(|times| rounds <= times) {
                        self.line = 0;
                        continue;
                    }
                }
            }
            self.line += 1;
        }
        note(&Observation::Finished);
        Ok(())
    }

    fn real(&self, span: Span) -> Duration {
        Duration::from_micros(span.0 / self.scale)
    }

    fn driver(&self, service: ServiceIx) -> Driver {
        self.spec.drivers[service.ix()]
    }

    fn fresh(&mut self) -> u32 {
        self.fresh += 1;
        u32::from(self.spec.node.0) * 10_000 + self.fresh
    }

    /// The lock that this line should be protected by, if the client knows that it lost it.
    fn lost_lock(&self, line: Line) -> Option<ServiceIx> {
        let service = match line {
            Line::Read(resource) | Line::Write { resource, .. } => self.setup.resource(resource).lock,
            Line::Check(service) => service,
            Line::Work(_) => ServiceIx(self.locks.iter().position(|lock| lock.lost)? as u8),
            _ => return None,
        };
        self.locks[service.ix()].lost.then_some(service)
    }

    /// Leaves the critical section: goes on with the release, as a `finally` block does.
    fn abort(&mut self, service: ServiceIx) {
        let rest = self.spec.program.iter().skip(self.line + 1).position(|line| *line == Line::Release(service));
        self.line = rest.map_or(self.spec.program.len(), |offset| self.line + 1 + offset);
    }

    fn close_hold(&mut self, service: ServiceIx, why: Closing) {
        let lock = &mut self.locks[service.ix()];
        if let Some(hold) = lock.hold.take() {
            lock.lost = why != Closing::Released;
            note(&Observation::HoldClosed { service, hold: hold.id, why });
        }
    }

    /// What a careful client does whenever it comes to: it stops believing at its own deadline.
    fn look_at_deadlines(&mut self) {
        for ix in 0..self.locks.len() {
            let service = ServiceIx(ix as u8);
            let until = self.locks[ix].hold.and_then(|hold| hold.until);
            if self.driver(service).careful && until.is_some_and(|until| Instant::now() >= until) {
                self.close_hold(service, Closing::Deadline);
            }
        }
    }

    /// Sleeps, and reports how late it woke.
    fn sleep_until(&mut self, due: Instant) {
        loop {
            self.look_at_deadlines();
            let deadlines =
                self.locks.iter().filter_map(|lock| lock.hold?.until).filter(|until| *until > Instant::now());
            let next = deadlines.min().map_or(due, |until| until.min(due));
            let left = next.saturating_duration_since(Instant::now());
            if left.is_zero() && next == due {
                break;
            }
            sleep(left);
        }
        tell(&format!("late {}", due.elapsed().as_micros()));
    }

    fn work(&mut self, amount: Duration) {
        let mut done = Duration::ZERO;
        while done < amount {
            let began = Instant::now();
            sleep(PORTION.min(amount.saturating_sub(done)));
            done += began.elapsed().min(PORTION_MAX);
            self.look_at_deadlines();
        }
    }

    /// Whether the value is known now. Reading again after a broken connection does no harm.
    fn read(&mut self, resource: ResourceIx) -> Outcome<bool> {
        let target = self.setup.resource(resource);
        let (node, service) = (target.node, target.lock);
        loop {
            let lock = &self.locks[service.ix()];
            let (hold, token) = (or_dash(lock.acting), or_dash(lock.token));
            let request = format!("read {resource} {} {hold} {token}\n", self.spec.node);
            match self.ask_storage(node, &request)? {
                Answer::Words(words) if words[0] == "value" => {
                    let (value, version, tag) = (words[1].parse()?, words[2].clone(), words[3].clone());
                    note(&Observation::ReadDone { resource, value, version: version.parse()? });
                    self.reads[resource.ix()] = Some(Read { value, version, tag });
                    return Ok(true);
                }
                Answer::Words(words) => {
                    self.refused(service, resource, &words);
                    return Ok(false);
                }
                Answer::Lost | Answer::Late => {
                    note(&Observation::OutcomeUnknown { peer: node });
                    self.sleep_until(Instant::now() + self.real(self.driver(service).retry));
                }
            }
        }
    }

    /// Whether the program goes on with the next line.
    fn write(&mut self, resource: ResourceIx, value: Written, op: Option<OpId>, await_reply: bool) -> Outcome<bool> {
        let target = self.setup.resource(resource);
        let (node, service) = (target.node, target.lock);
        let read = self.reads[resource.ix()].clone();
        let (value, read) = match value {
            Written::ReadPlusOne => (read.as_ref().map_or(0, |read| read.value) + 1, read),
            Written::Literal(value) => (value, read),
            Written::Blind(value) => (value, None),
        };
        let op = op.unwrap_or(OpId(self.fresh()));
        let lock = &self.locks[service.ix()];
        let (hold, token) = (or_dash(lock.acting), or_dash(lock.token));
        let (base, tag) = read.map_or(("-".to_owned(), "0".to_owned()), |read| (read.version, read.tag));
        let request = format!("write {resource} {} {hold} {op} {token} {base} {tag} {value}\n", self.spec.node);
        if !await_reply {
            return self.send_off(node, Protocol::Storage, request.as_bytes()).map(|()| true);
        }
        match self.ask_storage(node, &request)? {
            Answer::Words(words) if words[0] == "done" => {
                note(&Observation::WriteDone { resource, version: words[1].parse()? });
            }
            Answer::Words(words) => self.refused(service, resource, &words),
            Answer::Lost | Answer::Late => {
                note(&Observation::OutcomeUnknown { peer: node });
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn refused(&mut self, service: ServiceIx, resource: ResourceIx, words: &[String]) {
        say(&format!("refused {resource} {}", words.join(" ")));
        if words[0] == "stale" && self.driver(service).careful {
            self.close_hold(service, Closing::Deadline);
        }
    }

    /// Storage answers when it answers: there is no timeout, as in the model.
    fn ask_storage(&mut self, node: NodeId, request: &str) -> Outcome<Answer> {
        self.send(node, Protocol::Storage, request.as_bytes())?;
        let mut answers = self.gather(&[node], None)?;
        Ok(answers.remove(0))
    }
}

/// Notes something about this client, as soon as the conductor lets it.
fn note(what: &Observation) {
    say(&client_note(what));
}
