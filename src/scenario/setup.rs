//! The part of a scenario that the simulation runs.

use std::fmt;

use crate::vocabulary::{
    Driver, EnsembleConfig, FailoverConfig, Latency, Line, MachineId, NodeId, OpId, RedisConfig, ResourceConfig,
    ResourceIx, ServiceIx, Span,
};

/// The part of a scenario that the simulation runs: it never changes during a run.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Setup {
    /// Every random draw is a function of this.
    pub seed: u64,
    /// The run ends here at the latest.
    pub horizon: Span,
    /// The machines, each with its own clocks.
    pub machines: Vec<Machine>,
    /// The processes.
    pub nodes: Vec<Node>,
    /// Latencies.
    pub network: Network,
    /// The lock services.
    pub services: Vec<Service>,
    /// The resources under lock.
    pub resources: Vec<Resource>,
    /// The clients, in order of the file.
    pub clients: Vec<Client>,
    /// Overrides how long somebody may be kept out, for the progress judge.
    pub progress_max: Option<Span>,
}

/// A machine: clocks, power and disks belong to it.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Machine {
    /// Its name.
    pub name: String,
    /// How far its wall clock is ahead at the start, in microseconds.
    pub wall_offset_us: i64,
    /// How much faster than true time its clocks run, in parts per million.
    pub rate_ppm: i32,
    /// Whether its monotonic clock stands still while the machine is suspended.
    pub suspend_stops_monotonic: bool,
}

/// A process.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Node {
    /// Its name, such as `client-1` or `redis-a`.
    pub name: String,
    /// Where it runs.
    pub machine: MachineId,
    /// What it is.
    pub role: Role,
}

/// What a process is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Role {
    /// The n-th client.
    Client(u16),
    /// A Redis node of a service.
    Redis(ServiceIx, RedisConfig),
    /// A sentinel: watches the nodes of a service and replaces a dead primary.
    Sentinel(ServiceIx),
    /// A ZooKeeper server.
    ZooKeeper(ServiceIx),
    /// A storage server; its resources name it.
    Storage,
}

impl Role {
    /// The service whose lock a node of this role keeps.
    pub const fn keeps(&self) -> Option<ServiceIx> {
        match self {
            Self::Redis(service, _) | Self::ZooKeeper(service) => Some(*service),
            Self::Client(_) | Self::Sentinel(_) | Self::Storage => None,
        }
    }
}

/// The network.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Network {
    /// The latency of every link that `links` does not name.
    pub latency: Latency,
    /// Latencies of single directions.
    pub links: Vec<(NodeId, NodeId, Latency)>,
}

/// A lock service.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Service {
    /// Its name; programs use it.
    pub name: String,
    /// Its nodes.
    pub nodes: Vec<NodeId>,
    /// On how many of them a client's value must stand for the lock to be its own. With more than one, a node's answer is
    /// a vote; the grant is made and ended by counting.
    pub quorum: u32,
    /// Copies of its first node, if there are any.
    pub failover: Option<Failover>,
    /// How its nodes keep one log, if they do.
    pub ensemble: Option<Ensemble>,
}

/// Servers that keep one log.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Ensemble {
    /// Who leads at the start.
    pub leader: NodeId,
    /// How they keep time.
    pub config: EnsembleConfig,
}

/// The replicas of a Redis primary and who watches over them.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Failover {
    /// The nodes that start as replicas.
    pub replicas: Vec<NodeId>,
    /// The process that replaces a dead primary.
    pub sentinel: Option<NodeId>,
    /// How copying and replacing work.
    pub config: FailoverConfig,
}

/// A resource.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Resource {
    /// Its name; programs use it.
    pub name: String,
    /// The storage server that keeps it.
    pub node: NodeId,
    /// The service whose lock protects it.
    pub lock: ServiceIx,
    /// Its guard and first value.
    pub config: ResourceConfig,
}

/// A client.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Client {
    /// Its process.
    pub node: NodeId,
    /// When its program starts.
    pub start: Span,
    /// One driver per service, in the order of `Setup::services`.
    pub drivers: Vec<Driver>,
    /// Its lines.
    pub program: Vec<Line>,
}

impl Setup {
    /// The name of a process.
    pub fn node_name(&self, node: NodeId) -> &str {
        &self.nodes[node.ix()].name
    }

    /// The process with this name.
    pub fn node_named(&self, name: &str) -> Option<NodeId> {
        self.nodes.iter().position(|node| node.name == name).map(|ix| NodeId(ix as u16))
    }

    /// The machine on which a process runs.
    pub fn machine_of(&self, node: NodeId) -> MachineId {
        self.nodes[node.ix()].machine
    }

    /// A resource.
    pub fn resource(&self, resource: ResourceIx) -> &Resource {
        &self.resources[resource.ix()]
    }

    /// A service.
    pub fn service(&self, service: ServiceIx) -> &Service {
        &self.services[service.ix()]
    }

    /// The service with replicas to which a process belongs, with its replicas.
    pub fn failover_of(&self, node: NodeId) -> Option<(ServiceIx, &Failover)> {
        let (Role::Redis(service, _) | Role::Sentinel(service)) = self.nodes.get(node.ix())?.role else { return None };
        Some((service, self.service(service).failover.as_ref()?))
    }

    /// The ensemble to which a process belongs.
    pub fn ensemble_of(&self, node: NodeId) -> Option<(ServiceIx, &Ensemble)> {
        let Role::ZooKeeper(service) = self.nodes.get(node.ix())?.role else { return None };
        Some((service, self.service(service).ensemble.as_ref()?))
    }

    /// Whether two processes talk to each other: clients with servers, and the nodes of one service with replicas or of one
    /// ensemble.
    pub fn talk(&self, a: NodeId, b: NodeId) -> bool {
        match (self.client(a), self.client(b)) {
            (None, None) => {
                let replicated = |node| self.failover_of(node).map(|(service, _)| service);
                let service = |node| replicated(node).or_else(|| self.ensemble_of(node).map(|(service, _)| service));
                a != b && service(a).is_some() && service(a) == service(b)
            }
            (a, b) => a.is_some() != b.is_some(),
        }
    }

    /// The client that a process is, if it is one.
    pub fn client(&self, node: NodeId) -> Option<&Client> {
        match self.nodes[node.ix()].role {
            Role::Client(n) => Some(&self.clients[n as usize]),
            _ => None,
        }
    }

    /// The latency of a link in one direction.
    pub fn latency(&self, from: NodeId, to: NodeId) -> Latency {
        let named = self.network.links.iter().find(|link| (link.0, link.1) == (from, to));
        named.map_or(self.network.latency, |link| link.2)
    }

    /// A program line as it is shown. The service or resource is left out where there is only one.
    pub fn line_text(&self, line: Line) -> String {
        LineText(self, line).to_string()
    }
}

/// Writes a line the way the file spells it.
struct LineText<'a>(&'a Setup, Line);

impl fmt::Display for LineText<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        use crate::vocabulary::Written;
        let Self(setup, line) = self;
        f.write_str(line.kind().name())?;
        match *line {
            Line::At(time) => write!(f, " {time}"),
            Line::Wait(span) | Line::Work(span) => write!(f, " {span}"),
            Line::Acquire(service) | Line::Check(service) | Line::Release(service) => {
                write!(f, " {}", setup.service(service).name)
            }
            Line::Read(resource) => write!(f, " {}", setup.resource(resource).name),
            Line::Write { resource, value, op, await_reply } => {
                write!(f, " {}", setup.resource(resource).name)?;
                match value {
                    Written::ReadPlusOne => f.write_str(" read+1")?,
                    Written::Literal(n) => write!(f, " {n}")?,
                    Written::Blind(n) => write!(f, " blind {n}")?,
                }
                if let Some(number) = op.and_then(OpId::name) {
                    write!(f, " op {number}")?;
                }
                f.write_str(if await_reply { "" } else { " no-wait" })
            }
            Line::Repeat(Some(times)) => write!(f, " {times}"),
            Line::Repeat(None) => Ok(()),
        }
    }
}
