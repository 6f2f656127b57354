//! Votes against the quorum, beside what the nodes truly keep; and what a sentinel thinks of its nodes.

use crate::scenario::Setup;
use crate::vocabulary::{ClockChoice, KeyId, NodeId, Nonce, ServiceIx, Time};
use crate::world::{RedisValue, Run, Vote, World};

/// A node's place in a row of cells.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Cell {
    /// The letter that tells the node from its neighbours.
    pub(crate) letter: String,
    /// What is believed of it.
    pub(crate) said: Said,
    /// What is true of it: it keeps the client's value.
    pub(crate) keeps: bool,
}

/// What somebody heard of a node.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Said {
    /// Yes; or, to a sentinel, that it is alive.
    Yes,
    /// No.
    No,
    /// Nothing, and nothing will come.
    Silent,
    /// Nothing yet.
    Open,
}

/// Votes for a client, counted.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Tally {
    /// Each node.
    pub(crate) cells: Vec<Cell>,
    /// How many said yes.
    pub(crate) yes: usize,
    /// How many must, as the client thinks.
    pub(crate) needed: usize,
    /// How many keep its value.
    pub(crate) keep: usize,
    /// How many make a majority.
    pub(crate) majority: usize,
    /// The time since the question, and what the lease is good for by the client's count, in microseconds: less what it
    /// takes off for drift. `None` if it does not look, or the lease has no end.
    pub(crate) clock: Option<(i64, i64)>,
}

impl Tally {
    /// The votes that a client counts in one of the services that several nodes keep; the first of them.
    pub(crate) fn of(world: &World, client: NodeId, time: Time) -> Option<Self> {
        let mut services = (0..world.setup().services.len()).map(|ix| ServiceIx(ix as u8));
        services.find_map(|service| Self::in_service(world, client, service, time))
    }

    fn in_service(world: &World, id: NodeId, service: ServiceIx, time: Time) -> Option<Self> {
        let setup = world.setup();
        let spec = setup.service(service);
        let driver = &setup.client(id)?.drivers[service.ix()];
        let ballot = world.process(id).state().client()?.ballot(service)?;
        if ballot.votes.len() < 2 {
            return None;
        }
        let cell = |(node, vote): (&NodeId, &Vote)| Cell {
            letter: letter(setup, *node),
            said: match vote {
                Vote::Yes { .. } => Said::Yes,
                Vote::No => Said::No,
                Vote::Silent => Said::Silent,
                Vote::Unasked | Vote::Waiting { .. } => Said::Open,
            },
            keeps: keeps(world, *node, service, ballot.nonce, time),
        };
        let cells: Vec<Cell> = spec.nodes.iter().zip(ballot.votes).map(cell).collect();
        let machine = world.machine(setup.machine_of(id));
        let passed = match driver.voting.elapsed_clock {
            ClockChoice::None => None,
            ClockChoice::Wall => Some(machine.wall_us(time) - ballot.began_wall),
            ClockChoice::Monotonic => Some(machine.mono_us(time) - ballot.began_mono),
        };
        Some(Self {
            yes: cells.iter().filter(|cell| cell.said == Said::Yes).count(),
            needed: driver.voting.quorum.unwrap_or(spec.quorum) as usize,
            keep: cells.iter().filter(|cell| cell.keeps).count(),
            majority: spec.quorum as usize,
            clock: passed.zip(driver.safe_lease()).map(|(passed, lease)| (passed, lease.0 as i64)),
            cells,
        })
    }

    /// Whether answers are to come that may still matter.
    pub(crate) fn open(&self) -> bool {
        self.yes < self.needed && self.cells.iter().any(|cell| cell.said == Said::Open)
    }

    /// Whether the question took longer than the lease is good for.
    pub(crate) fn late(&self) -> bool {
        self.clock.is_some_and(|(passed, lease)| passed >= lease)
    }
}

/// What tells a node from its neighbours: the `a` of `redis-a`.
pub(crate) fn letter(setup: &Setup, node: NodeId) -> String {
    let name = setup.node_name(node);
    name.rsplit('-').next().unwrap_or(name).chars().take(2).collect::<String>().to_uppercase()
}

/// Whether a node keeps an attempt's value now, by its own clock.
fn keeps(world: &World, node: NodeId, service: ServiceIx, nonce: Nonce, time: Time) -> bool {
    let Some(redis) =
        world.process(node).state().redis().filter(|_| !matches!(world.process(node).run(), Run::Down { .. }))
    else {
        return false;
    };
    let clock = world.machine(world.setup().machine_of(node)).clock(redis.config().expiry_clock);
    let entry = redis.entry(KeyId::lock(service)).filter(|entry| entry.value == RedisValue::Nonce(nonce.0));
    entry.is_some_and(|entry| entry.deadline.is_none_or(|deadline| deadline > clock.read(time)))
}

/// What a sentinel thinks.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Watch {
    /// Each node: alive, down or silent for a while.
    pub(crate) cells: Vec<Cell>,
    /// The primary, as it knows it.
    pub(crate) primary: String,
    /// The replica that it told to take over.
    pub(crate) promoting: Option<String>,
    /// For how long the primary has not answered, in microseconds.
    pub(crate) silent_us: Option<i64>,
    /// After how much silence a node is down, in microseconds.
    pub(crate) down_after_us: u64,
}

impl Watch {
    /// What a sentinel thinks at an instant; `None` of what is no sentinel.
    pub(crate) fn of(world: &World, node: NodeId, time: Time) -> Option<Self> {
        let setup = world.setup();
        let sentinel = world.process(node).state().sentinel()?;
        let (_, failover) = setup.failover_of(node)?;
        let now = world.machine(setup.machine_of(node)).mono_us(time);
        let cell = |(node, down, since): (NodeId, bool, Option<i64>)| Cell {
            letter: letter(setup, node),
            said: match since {
                _ if down => Said::No,
                // A ping takes a moment.
                Some(since) if now - since > 50_000 => Said::Open,
                _ => Said::Yes,
            },
            keeps: false,
        };
        let primary = sentinel.primary();
        let silent = sentinel.watched().find(|(node, ..)| *node == primary).and_then(|(_, _, since)| since);
        Some(Self {
            cells: sentinel.watched().map(cell).collect(),
            primary: setup.node_name(primary).to_owned(),
            promoting: sentinel.promoting().map(|node| setup.node_name(node).to_owned()),
            silent_us: silent.map(|since| now - since),
            down_after_us: failover.config.down_after.0,
        })
    }
}
