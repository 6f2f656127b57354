//! A process: the state of a client, a Redis node, a sentinel or a storage server, and what the operating system knows of it.

use std::sync::Arc;

use super::client::Client;
use super::disk::{Disk, DiskImage};
use super::message::Message;
use super::out::{Command, Ctx, Out};
use super::record::Packet;
use super::redis::RedisNode;
use super::sentinel::Sentinel;
use super::storage::Storage;
use super::zookeeper::ZkServer;
use crate::scenario::{Role, Setup};
use crate::vocabulary::{ClockChoice, ConnId, NodeId, PauseCause, Span, StepIx, Time};

/// A process during a run.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Process {
    state: ProcessState,
    pub(super) timers: Vec<Timer>,
    /// `None` while it runs and nothing waits, as nearly always.
    pub(super) halted: Option<Box<Halted>>,
    /// `None` while nothing was ever written.
    disk: Option<Arc<Disk>>,
}

/// A process that does not run, or has not yet caught up.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct Halted {
    pub(super) run: Run,
    /// The kernel buffer: what arrived while the process did not run, and due timers, in order.
    pub(super) buffer: Vec<Waiting>,
    /// A pause interrupted a program line, which runs first: whether faults were already asked about it.
    pub(super) interrupted: Option<bool>,
    /// Commands of a handler that a pause interrupted: they come before everything else.
    pub(super) unfinished: Vec<Command>,
}

impl Halted {
    const fn new(run: Run) -> Self {
        Self { run, buffer: Vec::new(), interrupted: None, unfinished: Vec::new() }
    }
}

/// Whether a process runs.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Run {
    /// It runs.
    Up,
    /// It runs nothing and does not know it.
    Paused {
        /// Since when.
        since: Time,
        /// Until when, if that is known.
        until: Option<Time>,
        /// Why.
        cause: PauseCause,
    },
    /// Its machine sleeps.
    Suspended {
        /// Since when.
        since: Time,
    },
    /// It does not exist.
    Down {
        /// Since when.
        since: Time,
        /// Whether its machine lost power.
        power: bool,
    },
}

/// What a process is and knows.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum ProcessState {
    /// A client.
    Client(Arc<Client>),
    /// A Redis node.
    Redis(RedisNode),
    /// A sentinel.
    Sentinel(Sentinel),
    /// A storage server.
    Storage(Storage),
    /// A ZooKeeper server.
    ZooKeeper(Arc<ZkServer>),
}

/// A timer that a process set.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Timer {
    pub(super) id: u32,
    pub(super) due: Due,
    pub(super) seq: u32,
    pub(super) cause: StepIx,
}

/// When a timer is due.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Due {
    /// When the machine's clock shows this.
    Clock(ClockChoice, i64),
    /// When the process has used so much more CPU time, counted from an instant.
    Cpu { left: Span, from: Time },
}

/// Something in the kernel buffer.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) enum Waiting {
    Packet { packet: Arc<Packet>, cause: Option<StepIx> },
    Timer { timer: u32, cause: Option<StepIx> },
    Lost { conn: ConnId, peer: NodeId, cause: Option<StepIx> },
}

/// Something that a process handles.
#[derive(Clone, Copy, Debug)]
pub(super) enum Input<'a> {
    Start,
    Restart,
    Run,
    Message { from: NodeId, conn: ConnId, message: &'a Message },
    Timer(u32),
    Lost { peer: NodeId, conn: ConnId },
}

impl Process {
    pub(super) fn new(role: Role, setup: &Setup) -> Self {
        Self { state: ProcessState::new(role, setup), timers: Vec::new(), halted: None, disk: None }
    }

    /// Whether it runs.
    pub fn run(&self) -> Run {
        self.halted.as_ref().map_or(Run::Up, |halted| halted.run)
    }

    /// How many things wait in its kernel buffer.
    pub fn waiting(&self) -> u32 {
        self.buffer().len() as u32
    }

    /// The packets in its kernel buffer, in order.
    pub fn waiting_packets(&self) -> impl Iterator<Item = &Packet> {
        self.buffer().iter().filter_map(|waiting| match waiting {
            Waiting::Packet { packet, .. } => Some(&**packet),
            _ => None,
        })
    }

    /// What it is and knows.
    pub const fn state(&self) -> &ProcessState {
        &self.state
    }

    /// Whether a program line waits for the end of a pause.
    pub fn interrupted(&self) -> bool {
        self.interrupted_matched().is_some()
    }

    pub(super) fn interrupted_matched(&self) -> Option<bool> {
        self.halted.as_ref()?.interrupted
    }

    pub(super) fn buffer(&self) -> &[Waiting] {
        self.halted.as_ref().map_or(&[], |halted| &halted.buffer)
    }

    pub(super) fn unfinished(&self) -> &[Command] {
        self.halted.as_ref().map_or(&[], |halted| &halted.unfinished)
    }

    pub(super) fn is_up(&self) -> bool {
        matches!(self.run(), Run::Up)
    }

    pub(super) fn is_down(&self) -> bool {
        matches!(self.run(), Run::Down { .. })
    }

    /// Whether it runs and nothing waits: what comes now is handled now.
    pub(super) fn is_idle(&self) -> bool {
        self.is_up() && self.buffer().is_empty()
    }

    pub(super) fn halted_mut(&mut self) -> &mut Halted {
        self.halted.get_or_insert_with(|| Box::new(Halted::new(Run::Up)))
    }

    /// Forgets that it was halted once it has caught up.
    pub(super) fn settle(&mut self) {
        self.halted.take_if(|halted| **halted == Halted::new(Run::Up));
    }

    pub(super) fn disk_mut(&mut self) -> &mut Disk {
        Arc::make_mut(self.disk.get_or_insert_default())
    }

    /// What a restart would find: the page cache, or after a power loss the disk.
    pub(super) fn surviving(&self, power: bool) -> &DiskImage {
        match &self.disk {
            None => &DiskImage::Empty,
            Some(disk) if power => &disk.synced,
            Some(disk) => &disk.written,
        }
    }

    pub(super) fn handle(&mut self, input: Input<'_>, ctx: Ctx<'_>, out: &mut Out<'_>) {
        match &mut self.state {
            ProcessState::Client(client) => Arc::make_mut(client).handle(input, ctx, out),
            ProcessState::Redis(redis) => match input {
                Input::Start => redis.on_start(ctx, out),
                Input::Restart => redis.on_restart(written(self.disk.as_ref()), ctx, out),
                Input::Message { from, conn, message } => redis.on_message(from, conn, message, ctx, out),
                Input::Timer(timer) => redis.on_timer(timer, ctx, out),
                Input::Lost { peer, .. } => redis.on_lost(peer, out),
                Input::Run => {}
            },
            ProcessState::Sentinel(sentinel) => match input {
                Input::Start => sentinel.on_start(ctx, out),
                Input::Restart => sentinel.on_restart(written(self.disk.as_ref()), ctx, out),
                Input::Message { from, conn, message } => sentinel.on_message(from, conn, message, ctx, out),
                Input::Timer(timer) => sentinel.on_timer(timer, ctx, out),
                Input::Lost { peer, .. } => sentinel.on_lost(peer, ctx, out),
                Input::Run => {}
            },
            ProcessState::ZooKeeper(server) => {
                Arc::make_mut(server).handle(input, written(self.disk.as_ref()), ctx, out);
            }
            ProcessState::Storage(storage) => match input {
                Input::Restart => storage.on_restart(written(self.disk.as_ref()), out),
                Input::Message { from, conn, message } => storage.on_message(from, conn, message, ctx, out),
                Input::Start | Input::Run | Input::Timer(_) | Input::Lost { .. } => {}
            },
        }
    }

    /// The process ends: memory, timers and buffers are gone; with the power, so is what was not synced.
    pub(super) fn end(&mut self, role: Role, setup: &Setup, power: bool, now: Time) {
        if power && self.disk.is_some() {
            self.disk_mut().lose_page_cache();
        }
        let halted = Some(Box::new(Halted::new(Run::Down { since: now, power })));
        let state = match &self.state {
            ProcessState::Client(client) => ProcessState::Client(Arc::new(client.restarted())),
            _ => ProcessState::new(role, setup),
        };
        *self = Self { state, timers: Vec::new(), halted, disk: self.disk.take() };
    }
}

impl<'a> Input<'a> {
    pub(super) fn from_packet(packet: &'a Packet) -> Self {
        Self::Message { from: packet.from, conn: packet.conn, message: &packet.message }
    }
}

fn written(disk: Option<&Arc<Disk>>) -> &DiskImage {
    disk.map_or(&DiskImage::Empty, |disk| &disk.written)
}

impl ProcessState {
    fn new(role: Role, setup: &Setup) -> Self {
        match role {
            Role::Client(ix) => Self::Client(Arc::new(Client::new(ix, setup.services.len()))),
            Role::Redis(service, config) => Self::Redis(RedisNode::new(service, config)),
            Role::Sentinel(service) => Self::Sentinel(Sentinel::new(service, setup)),
            Role::ZooKeeper(service) => Self::ZooKeeper(Arc::new(ZkServer::new(service))),
            Role::Storage => Self::Storage(Storage::new(setup)),
        }
    }

    /// The client, if it is one.
    pub fn client(&self) -> Option<&Client> {
        match self {
            Self::Client(client) => Some(client),
            _ => None,
        }
    }

    /// The Redis node, if it is one.
    pub const fn redis(&self) -> Option<&RedisNode> {
        match self {
            Self::Redis(redis) => Some(redis),
            _ => None,
        }
    }

    /// The sentinel, if it is one.
    pub const fn sentinel(&self) -> Option<&Sentinel> {
        match self {
            Self::Sentinel(sentinel) => Some(sentinel),
            _ => None,
        }
    }

    /// The ZooKeeper server, if it is one.
    pub fn zookeeper(&self) -> Option<&ZkServer> {
        match self {
            Self::ZooKeeper(server) => Some(server),
            _ => None,
        }
    }

    /// The storage server, if it is one.
    pub const fn storage(&self) -> Option<&Storage> {
        match self {
            Self::Storage(storage) => Some(storage),
            _ => None,
        }
    }
}
