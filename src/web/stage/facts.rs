//! What there is to say at one instant, before anything is placed: read off the world and the tracks.

mod client;
mod packet;
mod service;
pub(crate) mod votes;

use super::phrases::node_title;
use super::words::Word;
use crate::scenario::{Role, Service};
use crate::vocabulary::{LineIx, NodeId, PacketId, PauseCause, ServiceIx, Span, Time, Token};
use crate::web::scene::{Scene, Selection};
use crate::world::{Event, Message, Run};

/// Everything the stage shows.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Facts {
    /// The clients, in the setup's order.
    pub(crate) clients: Vec<ClientFacts>,
    /// The lock nodes.
    pub(crate) locks: Vec<LockFacts>,
    /// The storage servers.
    pub(crate) storages: Vec<StorageFacts>,
    /// The packets that are on a link.
    pub(crate) packets: Vec<PacketFacts>,
    /// Two or more who believe the same.
    pub(crate) clash: Option<Clash>,
}

/// What every card shows.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct NodeFacts {
    /// The process.
    pub(crate) node: NodeId,
    /// What people call it.
    pub(crate) title: String,
    /// What is unusual about it.
    pub(crate) state: State,
    /// Its machine's wall clock, in microseconds after noon.
    pub(crate) wall_us: i64,
    /// Its machine's monotonic clock, in microseconds.
    pub(crate) mono_us: i64,
    /// How far the wall clock is from true time, if that can be seen.
    pub(crate) clock_off_us: Option<i64>,
    /// How many packets wait in its kernel buffer.
    pub(crate) waiting: u32,
    /// Whether it is selected.
    pub(crate) selected: bool,
    /// Whether the step just done happened at it.
    pub(crate) active: bool,
}

/// What is unusual about a process; the first that applies.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum State {
    /// Nothing.
    Up,
    /// It does not run for a while.
    Asleep {
        /// Why; `None` if its machine is suspended.
        cause: Option<PauseCause>,
        /// For how long so far.
        so_far: Span,
    },
    /// It is down.
    Down {
        /// Whether its machine lost power.
        power: bool,
    },
    /// All its links are cut.
    CutOff,
    /// Its pause ended within the line it runs.
    JustWoke {
        /// How long it slept.
        slept: Span,
    },
    /// Its program is done.
    Finished,
}

/// A client.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct ClientFacts {
    /// What every card shows.
    pub(crate) node: NodeFacts,
    /// The line it runs; `None` once its program is done.
    pub(crate) line: Option<LineIx>,
    /// Its claim to a lock.
    pub(crate) claim: Claim,
    /// The votes it counts.
    pub(crate) tally: Option<votes::Tally>,
}

/// What a client claims, beside what is true.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Claim {
    /// Nothing.
    None,
    /// It wants the lock.
    Wants,
    /// It believes it holds the lock.
    Believes {
        /// Which lock.
        service: ServiceIx,
        /// The token that came with it.
        token: Option<Token>,
        /// What is true.
        truth: Truth,
    },
    /// It holds the lock and does not know.
    Unaware(Unaware),
}

/// What is true of a belief.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Truth {
    /// It is true.
    True {
        /// Until when, if nothing interferes; `None` if the lease has no end.
        until: Option<Time>,
    },
    /// It is not true.
    NotTrue {
        /// Since when; `None` if it never was.
        since: Option<Time>,
    },
}

/// Why an owner does not know that it is one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Unaware {
    /// The news is on its way.
    ReplyOnItsWay,
    /// It gave the lock back, and that is on its way.
    ReleaseOnItsWay,
    /// No packet will tell.
    Leak,
}

/// A lock node.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct LockFacts {
    /// What every card shows.
    pub(crate) node: NodeFacts,
    /// What it is for the lock.
    pub(crate) role: Word,
    /// The lock's name.
    pub(crate) key: String,
    /// Who has it.
    pub(crate) entry: Option<EntryFacts>,
    /// What ends it if it has no time limit.
    pub(crate) endless: Word,
    /// What it thinks of the others, if it is a sentinel.
    pub(crate) watch: Option<votes::Watch>,
    /// Where it is in the stream of changes, if it has replicas or is one.
    pub(crate) stream: Option<Stream>,
    /// Whom it follows.
    pub(crate) leader: Option<NodeId>,
    /// The last token given, where tokens are.
    pub(crate) token: Option<u64>,
    /// For each client, whether the link to it is cut in any direction.
    pub(crate) cut: Vec<bool>,
    /// The other nodes of its service to which the link is cut in any direction.
    pub(crate) apart: Vec<NodeId>,
}

/// A node's place in the stream of changes, or in the log.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Stream {
    /// A primary: how many of its replicas have acknowledged everything, of how many.
    Copied(usize, usize),
    /// A primary that holds an answer back: how many acknowledged, of how many that must.
    Waits(usize, usize),
    /// A replica: how many changes its primary has that it has not.
    Behind(u32),
    /// A server of an ensemble: its epoch, how many entries its log has, and how many of them it knows to be committed.
    Log(u32, u32, u32),
}

/// A lock that is taken.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct EntryFacts {
    /// The owner, by its place among the clients.
    pub(crate) owner: usize,
    /// How much of the lease is left, and how long it was; `None` for no end.
    pub(crate) lease: Option<(Span, Span)>,
    /// How often its owner took a re-entrant lock.
    pub(crate) count: Option<u32>,
}

/// A storage server.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct StorageFacts {
    /// What every card shows.
    pub(crate) node: NodeFacts,
    /// Its resources.
    pub(crate) resources: Vec<ResourceFacts>,
    /// For each client, whether the link to it is cut in any direction.
    pub(crate) cut: Vec<bool>,
}

impl StorageFacts {
    /// What stands on the gates of its links: one guard for all that comes. Several resources may be guarded each in its own
    /// way, which a gate would hide; their guards stand on the card.
    pub(crate) fn gate(&self) -> Option<&str> {
        match self.resources.as_slice() {
            [one] => one.gate.as_deref(),
            _ => None,
        }
    }
}

/// A resource.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct ResourceFacts {
    /// Its name.
    pub(crate) name: String,
    /// Its value.
    pub(crate) value: i64,
    /// Its version.
    pub(crate) version: u32,
    /// Who wrote it, by its place among the clients.
    pub(crate) writer: Option<usize>,
    /// The highest token seen.
    pub(crate) highest: Option<u64>,
    /// The guard's name.
    pub(crate) guard: Option<&'static str>,
    /// What its guard asks of a write, in brief.
    pub(crate) gate: Option<String>,
    /// What a bad write did to it.
    pub(crate) stain: Option<Stain>,
}

/// What a bad write did to a resource.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Stain {
    /// What the value should be, if that can be said and is not what it is.
    pub(crate) should_be: Option<i64>,
    /// Whether an update was lost; else a write came too late.
    pub(crate) lost: bool,
}

/// A packet on a link.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct PacketFacts {
    /// The packet.
    pub(crate) id: PacketId,
    /// The client's end, by its place among the clients; `None` between servers.
    pub(crate) client: Option<usize>,
    /// The server's end; between servers the receiver.
    pub(crate) server: NodeId,
    /// The sender.
    pub(crate) from: NodeId,
    /// Whether it goes to the client; between servers, to the left.
    pub(crate) reply: bool,
    /// What it says.
    pub(crate) message: Message,
    /// What became of it.
    pub(crate) mode: Mode,
    /// How far it is, from 0 at its sender to 1.
    pub(crate) way: f64,
    /// Whether it is selected.
    pub(crate) selected: bool,
}

/// What became of a packet.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Mode {
    /// It flies.
    Flying,
    /// Somebody holds it.
    Held,
    /// It waits on a cut link or behind a held one.
    Stalled,
    /// It flies, later than it should.
    Delayed {
        /// By how much.
        by: Span,
    },
    /// It arrived in the step just done.
    Landed,
    /// It arrived in the step just done, and what it asked was refused.
    Refused {
        /// Why, in signs.
        why: String,
    },
    /// It was lost in the step just done.
    Dropped,
    /// It arrived in the step just done, and nobody was there.
    NobodyThere,
}

/// Two or more who believe the same.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Clash {
    /// The believers, by their places among the clients.
    pub(crate) clients: Vec<usize>,
    /// Whether one of them truly holds the lock.
    pub(crate) one_holds: bool,
}

impl Facts {
    /// Reads a scene.
    pub(crate) fn new(scene: &Scene) -> Self {
        let setup = scene.setup();
        let clash = client::clash(scene);
        let nodes = || (0..setup.nodes.len()).map(|ix| NodeId(ix as u16));
        // Sentinels stand behind the nodes that they watch.
        let keepers = nodes().filter(|node| setup.nodes[node.ix()].role.keeps().is_some());
        let sentinels = nodes().filter(|node| matches!(setup.nodes[node.ix()].role, Role::Sentinel(_)));
        let locks: Vec<NodeId> = keepers.chain(sentinels).collect();
        let mut packets = packet::read_all(scene);
        for packet in packets.iter_mut().filter(|packet| packet.client.is_none()) {
            let place = |id| locks.iter().position(|node| *node == id);
            packet.reply = place(packet.from) > place(packet.server);
        }
        let storages = nodes().filter(|node| matches!(setup.nodes[node.ix()].role, Role::Storage));
        Self {
            clients: (0..setup.clients.len()).map(|ix| client::read(scene, ix, clash.as_ref())).collect(),
            locks: locks.iter().map(|node| service::read_lock(scene, *node)).collect(),
            storages: storages.map(|node| service::read_storage(scene, node)).collect(),
            packets,
            clash: clash.map(|(_, clash)| clash),
        }
    }
}

/// What every card shows.
fn read_node(scene: &Scene, node: NodeId) -> NodeFacts {
    let (setup, world) = (scene.setup(), scene.world());
    let machine = world.machine(setup.machine_of(node));
    let process = world.process(node);
    let wall_us = machine.wall_us(scene.time);
    let off = wall_us - scene.time.0 as i64;
    let state = match process.run() {
        Run::Paused { since, cause, .. } => State::Asleep { cause: Some(cause), so_far: scene.time.since(since) },
        Run::Suspended { since } => State::Asleep { cause: None, so_far: scene.time.since(since) },
        Run::Down { power, .. } => State::Down { power },
        Run::Up if is_cut_off(scene, node) => State::CutOff,
        Run::Up => State::Up,
    };
    NodeFacts {
        node,
        title: node_title(setup, node, scene.lang),
        state,
        wall_us,
        mono_us: machine.mono_us(scene.time),
        clock_off_us: (off.abs() >= 1000).then_some(off),
        waiting: process.waiting(),
        selected: scene.selection == Some(Selection::Node(node)),
        active: scene.last().is_some_and(|step| acts_at(&step.record.event) == Some(node)),
    }
}

/// What ends a lock of a service that has no time limit.
pub(crate) fn endless(service: Option<&Service>) -> Word {
    if service.is_some_and(|service| service.ensemble.is_some()) { Word::WhileSession } else { Word::NoEnd }
}

/// Where an event happens.
pub(crate) fn acts_at(event: &Event) -> Option<NodeId> {
    match event {
        Event::Started { node }
        | Event::Line { node, .. }
        | Event::Timer { node, .. }
        | Event::TimerWaits { node, .. }
        | Event::ConnectionLost { node, .. }
        | Event::Resumed { node }
        | Event::Restarted { node } => Some(*node),
        _ => event.packet().map(|packet| packet.to),
    }
}

/// Whether every link of a process stalls in at least one direction.
fn is_cut_off(scene: &Scene, node: NodeId) -> bool {
    let (setup, world) = (scene.setup(), scene.world());
    let client = matches!(setup.nodes[node.ix()].role, Role::Client(_));
    let mut peers = (0..setup.nodes.len()).filter(|ix| matches!(setup.nodes[*ix].role, Role::Client(_)) != client);
    let cut = |peer: NodeId| world.is_cut(node, peer) || world.is_cut(peer, node);
    let mut any = false;
    peers.all(|ix| {
        any = true;
        cut(NodeId(ix as u16))
    }) && any
}

/// Which of the clients have a link to `node` that is cut in any direction.
fn cut_clients(scene: &Scene, node: NodeId) -> Vec<bool> {
    let world = scene.world();
    let clients = scene.setup().clients.iter().map(|client| client.node);
    clients.map(|client| world.is_cut(node, client) || world.is_cut(client, node)).collect()
}

/// The place of a client among the clients.
fn client_place(scene: &Scene, node: NodeId) -> Option<usize> {
    scene.setup().clients.iter().position(|client| client.node == node)
}
