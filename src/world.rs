//! The World: a deterministic machine that takes one event after the other.
//!
//! *Handlers decide, the World acts.* A process gets its own state, its machine's clocks and an `Out` into which it
//! records commands; it never sees the World. [`World::step`] is the only way a run moves on.
//!
//! A step is one event: a packet arrives, a timer is due, a program line starts, a fault fires. Events are ordered by
//! (time, sequence number). The World is `Clone + Hash + Eq`; what a step does not touch is shared between clones.

mod act;
mod client;
mod clock;
mod digest;
mod disk;
mod ensemble;
mod failover;
mod fault;
mod matching;
mod message;
mod network;
mod observation;
mod out;
mod possible;
mod process;
mod queue;
mod quorum;
mod random;
mod record;
mod redis;
mod replicated_log;
mod search_key;
mod sentinel;
mod storage;
mod timing;
mod zookeeper;

use std::hash::{Hash, Hasher};
use std::sync::Arc;

pub use client::{Ballot, Client, Hold, Vote, ZkHandle};
pub use clock::{Clock, MachineState};
pub use digest::Digest;
pub use fault::FaultState;
pub use matching::{count_matches, matches};
pub use message::{
    Candidate, Child, Forwarded, LogMessage, Message, RedisCommand, RedisError, RedisReply, RedisValue, Rejection,
    Replication, SentinelMessage, SetExpire, SetWhen, Standing as BallotStanding, StorageReply, StorageRequest, Write,
    ZkAnswer, ZkMessage, ZkRequest, ZkUpdate,
};
pub use network::Flight;
pub use observation::{Closing, Ending, Observation};
pub use possible::Holding;
pub use process::{Process, ProcessState, Run};
pub use record::{Effect, Event, Packet, Record};
pub use redis::{Entry, RedisBench, RedisNode, RedisStore};
pub use replicated_log::{Change, Durable, Entry as LogEntry, Log, Replica};
pub use sentinel::Sentinel;
pub use storage::{Storage, Stored};
pub use zookeeper::{Name, Parent, Session, Tree, Txn, ZkServer, Znode};

use crate::scenario::Setup;
use crate::vocabulary::{Fault, FaultIx, MachineId, NodeId, StepIx, Time};
use ensemble::Seen;
use failover::Truth;
use fault::Adversary;
use matching::Occurrence;
use network::{Flights, Net};
use out::Scratch;
use process::Input;
use queue::{Pending, Queue, Scheduled};
use quorum::Standing;

/// Sequence numbers below this belong to faults at fixed times, so that adding a fault shifts no other event.
const FIRST_SEQ: u32 = 1 << 18;

/// The whole state of a run at one instant.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct World {
    setup: Arc<Setup>,
    adversary: Arc<Adversary>,
    now: Time,
    steps: u32,
    next_seq: u32,
    next_packet: u32,
    /// The last id given to a grant, hold or operation.
    fresh: u32,
    digest: u64,
    queue: Queue,
    machines: Arc<Vec<MachineState>>,
    processes: Vec<Arc<Process>>,
    net: Arc<Net>,
    air: Flights,
    /// For each service the grant that stands, where it is made by counting votes.
    standing: Arc<Vec<Option<Standing>>>,
    scratch: Scratch,
    /// Whose word counts, for each service with replicas.
    truths: Arc<Vec<Truth>>,
    /// What is true of the lock of each ensemble.
    seen: Arc<Vec<Seen>>,
}

impl World {
    /// The start of a run: nothing has happened yet.
    pub fn new(setup: Arc<Setup>, faults: Arc<[Fault]>) -> Self {
        let process = |node: &crate::scenario::Node| Arc::new(Process::new(node.role, &setup));
        let mut world = Self {
            processes: setup.nodes.iter().map(process).collect(),
            machines: Arc::new(setup.machines.iter().map(MachineState::new).collect()),
            adversary: Arc::new(Adversary::new(faults)),
            now: Time::ZERO,
            steps: 0,
            next_seq: FIRST_SEQ,
            fresh: 0,
            digest: Digest::of(&setup.seed),
            queue: Queue::default(),
            net: Arc::default(),
            air: Flights::default(),
            scratch: Scratch::default(),
            standing: Arc::new(vec![None; setup.services.len()]),
            next_packet: 0,
            truths: Arc::new(Truth::all(&setup)),
            seen: Arc::new(Seen::all(&setup)),
            setup,
        };
        world.start();
        world
    }

    /// Lets the next event happen and reports it. Returns false, changing nothing, if the run is over.
    pub fn step(&mut self, record: &mut Record) -> bool {
        record.effects.clear();
        record.ix = StepIx(self.steps);
        let Some(next) = self.next_event() else { return false };
        self.now = next.at;
        record.at = next.at;
        record.cause = next.cause();
        self.perform(next.what, record);
        self.steps += 1;
        self.digest = chain(self.digest, record);
        true
    }

    /// True time.
    pub const fn now(&self) -> Time {
        self.now
    }

    /// How many steps have happened.
    pub const fn steps(&self) -> u32 {
        self.steps
    }

    /// The trace digest: names the run so far, the same natively and in every browser.
    pub const fn digest(&self) -> u64 {
        self.digest
    }

    /// What this run is a run of.
    pub fn setup(&self) -> &Setup {
        &self.setup
    }

    /// A machine's clocks and power.
    pub fn machine(&self, machine: MachineId) -> &MachineState {
        &self.machines[machine.ix()]
    }

    /// A process.
    pub fn process(&self, node: NodeId) -> &Process {
        &self.processes[node.ix()]
    }

    /// Every packet on its way, in order of sending.
    pub fn in_flight(&self) -> &[Arc<Flight>] {
        self.air.as_slice()
    }

    /// Whether this direction of a link stalls.
    pub fn is_cut(&self, from: NodeId, to: NodeId) -> bool {
        self.net.is_cut(from, to)
    }

    /// The run's faults, in list order.
    pub fn faults(&self) -> &[Fault] {
        &self.adversary.faults
    }

    /// What became of a fault so far.
    pub fn fault_state(&self, ix: FaultIx) -> FaultState {
        self.adversary.states[ix.ix()]
    }

    /// When the next event happens, if nothing interferes.
    pub fn next_at(&self) -> Option<Time> {
        if !self.adversary.ready.is_empty() {
            return Some(self.now);
        }
        self.queue.peek().map(|next| next.at).filter(|at| at.0 <= self.setup.horizon.0)
    }

    fn start(&mut self) {
        for ix in 0..self.faults().len() {
            self.schedule_fault(FaultIx(ix as u16));
        }
        // Servers come before clients, so that a client's first packet finds them started.
        let (mut servers, mut clients) = (Vec::new(), Vec::new());
        for ix in 0..self.setup.nodes.len() {
            let node = NodeId(ix as u16);
            match self.setup.client(node) {
                Some(client) => clients.push((node, Time::ZERO + client.start)),
                None => servers.push(node),
            }
        }
        for node in servers {
            // A sentinel starts to ping with the run.
            if matches!(self.setup.nodes[node.ix()].role, crate::scenario::Role::Sentinel(_)) {
                self.schedule(Time::ZERO, Pending::Start(node), None);
            } else {
                self.boot(node);
            }
        }
        for (node, at) in clients {
            self.schedule(at, Pending::Start(node), None);
        }
    }

    /// Starts a server before the run: it is no step, and what it says is not heard.
    fn boot(&mut self, node: NodeId) {
        let mut record = Record::default();
        self.handle(node, Input::Start, &mut record);
    }

    fn next_event(&mut self) -> Option<Scheduled> {
        if let Some(fault) = self.next_ready() {
            return Some(fault);
        }
        let head = *self.queue.peek()?;
        if head.at.0 > self.setup.horizon.0 {
            return None;
        }
        if self.examine_head(head)
            && let Some(mut fault) = self.next_ready()
        {
            fault.at = head.at;
            return Some(fault);
        }
        self.queue.pop()
    }

    /// Asks the faults about the event that is about to happen, once.
    fn examine_head(&mut self, head: Scheduled) -> bool {
        if self.faults().is_empty() {
            return false;
        }
        let occurrence = match head.what {
            Pending::Run { node, matched: false } => {
                if let Some(entry) = self.queue.peek_mut() {
                    entry.what = Pending::Run { node, matched: true };
                }
                self.line_of(node)
            }
            Pending::Deliver(packet) => {
                let Some(flight) = self.air.get_mut(packet).filter(|flight| !flight.matched) else { return false };
                flight.matched = true;
                let packet = Arc::clone(&flight.packet);
                return self.examine(Occurrence::deliver(&packet), head.at);
            }
            _ => None,
        };
        occurrence.is_some_and(|occurrence| self.examine(occurrence, head.at))
    }

    fn line_of(&self, node: NodeId) -> Option<Occurrence<'static>> {
        let client = self.process(node).state().client()?;
        Some(Occurrence::Line { client: node, line: client.line()?, part: client.part() })
    }

    fn schedule(&mut self, at: Time, what: Pending, cause: Option<StepIx>) -> u32 {
        let seq = self.next_seq;
        self.next_seq += 1;
        self.queue.push(Scheduled::new(at, seq, cause, what));
        seq
    }

    fn process_mut(&mut self, node: NodeId) -> &mut Process {
        Arc::make_mut(&mut self.processes[node.ix()])
    }

    fn machine_mut(&mut self, machine: MachineId) -> &mut MachineState {
        &mut Arc::make_mut(&mut self.machines)[machine.ix()]
    }

    fn net_mut(&mut self) -> &mut Net {
        Arc::make_mut(&mut self.net)
    }

    fn prune(&mut self) {
        Arc::make_mut(&mut self.net).prune(&self.air);
    }
}

/// Continues a trace digest by one step. A packet's content counts when it is sent; after that its number stands for it.
fn chain(digest: u64, record: &Record) -> u64 {
    let mut hasher = Digest::from_value(digest);
    (record.at, record.cause).hash(&mut hasher);
    match record.event.packet() {
        Some(packet) => (std::mem::discriminant(&record.event), packet.id).hash(&mut hasher),
        None => record.event.hash(&mut hasher),
    }
    record.effects.hash(&mut hasher);
    hasher.finish()
}
