//! A scenario after validation: everything a run needs, and nothing that could still be wrong.
//!
//! The file people write is another type (`file`); [`Scenario`] can only be had by passing its checks.

mod check;
mod document;
mod error;
mod file;
mod index;
mod load;
mod read;

use std::fmt;
use std::sync::Arc;

pub use document::{BYTES_MAX, Change};
pub use error::{Found, LoadError, ParseError, Problem, Reason, Warning};
pub use index::{Entry, read_index};
pub use load::{Document, builtin, parse, parse_bytes};
#[cfg(feature = "catalogue")]
pub use load::{builtin_text, load, with_changes};

use crate::vocabulary::{
    CostEntry, Driver, FailoverConfig, Fault, JudgeName, Latency, Line, MachineId, Matcher, NodeId, OpId, RedisConfig,
    ResourceConfig, ResourceIx, ServiceIx, Span, Text,
};

/// A validated scenario.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Scenario {
    /// Kebab-case, stable: links depend on it.
    pub id: String,
    /// The variant's name, if this is one.
    pub variant: Option<String>,
    /// Whether something was changed that neither the file nor its variant says: then `expect` no longer binds.
    pub changed: bool,
    /// What people read.
    pub title: Text,
    /// One or two sentences about what to look for.
    pub summary: Text,
    /// Who makes the claim that it shows.
    pub source: Option<Source>,
    /// Its group in the chooser.
    pub family: Family,
    /// What the simulation runs.
    pub setup: Arc<Setup>,
    /// What the adversary does, in list order.
    pub faults: Vec<Fault>,
    /// The paragraphs that go with the run, in order.
    pub story: Vec<Paragraph>,
    /// The parameters that the page offers.
    pub controls: Vec<Control>,
    /// What the judges must say in the end.
    pub expect: Expect,
    /// The names and titles of its variants.
    pub variants: Vec<VariantTitle>,
}

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
    /// A storage server; its resources name it.
    Storage,
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

/// A paragraph of the story, bound to the step it explains.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Paragraph {
    /// The step: the first occurrence of this. `None` for a closing remark without a step.
    pub on: Option<Matcher>,
    /// Which occurrence, from 1.
    pub nth: u32,
    /// A few words.
    pub title: Text,
    /// A few sentences.
    pub text: Text,
}

/// A parameter that the page offers.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Control {
    /// Where it stands in the file, as a JSON pointer.
    pub path: String,
    /// What it is called.
    pub label: Text,
    /// What it is in this scenario.
    pub value: serde_json::Value,
    /// What it can be.
    pub range: ControlRange,
    /// A value of a slider at which something changes, and what: "lease ends".
    pub mark: Option<(i64, Text)>,
}

/// What a control can be set to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ControlRange {
    /// A slider over whole numbers.
    Slider {
        /// The least value.
        min: i64,
        /// The greatest value.
        max: i64,
        /// The distance between values.
        step: i64,
    },
    /// A switch between values, each with its label.
    Switch(Vec<(serde_json::Value, Text)>),
}

/// Whose claim a scenario shows.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Source {
    /// The article "How to do distributed locking" (2016) and its discussion.
    HowTo,
    /// An introduction to distributed lock systems: operating-system locks, Chubby, `ZooKeeper`, Redis, ticketing.
    Introduction,
}

/// The groups of the chooser.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum Family {
    /// Redis, one node and replicated.
    #[default]
    Redis,
    /// Redlock.
    Redlock,
    /// `ZooKeeper`.
    ZooKeeper,
    /// Chubby.
    Chubby,
    /// Databases and other answers.
    Database,
    /// System models.
    Model,
}

/// What the judges must say when the run is over. A judge that is not listed must hold.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Expect {
    /// The judges that must be violated, and how.
    pub violated: Vec<Expected>,
    /// What the run must cost.
    pub cost: Vec<ExpectedCost>,
    /// Over so many seeds, from the scenario's own: a judge that is not listed must hold in every one of these runs, and
    /// one that is listed must be violated in every one, or in some.
    pub seeds: Option<u32>,
}

/// One expected violation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Expected {
    /// Which judge.
    pub judge: JudgeName,
    /// How many instances, if that matters.
    pub instances: Option<u32>,
    /// Which kind at least one instance must have (`leak`, `before`, …), if that matters.
    pub kind: Option<String>,
    /// How long the longest instance must at least last, if that matters.
    pub lasts_min: Option<Span>,
    /// Over seeds: whether some of the runs are enough.
    pub some: bool,
}

/// A bound on a line of the cost sheet.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ExpectedCost {
    /// Which line.
    pub entry: CostEntry,
    /// The least value, in the line's own unit (times in milliseconds), or in percent of another run's value.
    pub min: Option<u64>,
    /// The greatest.
    pub max: Option<u64>,
    /// The variant with which it is compared, or `base`: then the bounds are in percent of what that run costs.
    pub than: Option<String>,
    /// That run; `None` in a run that was changed, whose expectations bind nobody.
    pub against: Option<Arc<Scenario>>,
}

impl ExpectedCost {
    /// How the scenario's own run is called where variants are compared.
    pub const BASE: &'static str = "base";
}

/// A variant as the chooser lists it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct VariantTitle {
    /// Kebab-case; `scenario:variant` names the run.
    pub id: String,
    /// What people read.
    pub title: Text,
}

/// The published JSON Schema of scenario files.
#[cfg(not(target_arch = "wasm32"))]
pub fn schema() -> serde_json::Value {
    file::schema()
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

    /// Whether two processes talk to each other: clients with servers, and the nodes of one service with replicas.
    pub fn talk(&self, a: NodeId, b: NodeId) -> bool {
        match (self.client(a), self.client(b)) {
            (None, None) => {
                let service = |node| self.failover_of(node).map(|(service, _)| service);
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
