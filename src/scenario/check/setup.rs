//! Who takes part: processes, machines, network, services, resources, clients.

use std::collections::BTreeMap;

use super::Checks;
use crate::scenario::error::Reason;
use crate::scenario::file::{
    ExpiryClock, LatencyMs, MachineEntry, Name, NodeEntry, ResourceEntry, ScenarioFile, ServiceEntry, ServiceKind,
};
use crate::scenario::{Client, Machine, Network, Node, Resource, Role, Service, Setup};
use crate::vocabulary::{
    ClockChoice, Latency, MachineId, NodeId, Persistence, RedisConfig, ResourceConfig, ServiceIx, Span,
};

const CLIENTS_MAX: usize = 16;
const NODES_MAX: usize = 32;
const SERVICES_MAX: usize = 8;
const RESOURCES_MAX: usize = 8;
const LINKS_MAX: usize = 256;
const REDLOCK_NODES_MAX: usize = 9;

/// The processes by name, each with the place where it was named first.
#[derive(Default)]
pub(super) struct Nodes {
    list: Vec<Node>,
    paths: Vec<String>,
}

impl Nodes {
    fn position(&self, name: &str) -> Option<usize> {
        self.list.iter().position(|node| node.name == name)
    }
}

impl Checks {
    /// Everything the World runs, or `None` if so much is missing that nothing can be built.
    pub(super) fn setup(&mut self, file: &ScenarioFile) -> Option<Setup> {
        let (services, resources) = (&file.services.0, &file.resources.0);
        self.count("/clients", "clients", file.clients.len(), CLIENTS_MAX);
        self.count("/services", "services", services.len(), SERVICES_MAX);
        self.count("/resources", "resources", resources.len(), RESOURCES_MAX);
        if file.clients.is_empty() {
            self.conflict("/clients", "a scenario needs at least one client");
        }
        if services.is_empty() {
            self.conflict("/services", "a scenario needs at least one service");
        }
        let fits = |count: usize, max: usize| (1..=max).contains(&count);
        if !fits(file.clients.len(), CLIENTS_MAX)
            || !fits(services.len(), SERVICES_MAX)
            || resources.len() > RESOURCES_MAX
        {
            return None;
        }
        let mut nodes = Nodes::default();
        for (ix, client) in file.clients.iter().enumerate() {
            self.add_node(&mut nodes, &client.id.0, format!("/clients/{ix}/id"), Role::Client(ix as u16));
        }
        let setup_services = self.services(&mut nodes, services);
        let setup_resources = self.resources(&mut nodes, services, resources);
        self.count("", "processes", nodes.list.len(), NODES_MAX);
        let machines = self.machines(&mut nodes.list, &file.machines.0);
        let mut setup = Setup {
            seed: file.seed.0 as u64,
            horizon: span(file.horizon_ms.0),
            machines,
            nodes: nodes.list,
            network: Network { latency: latency(file.network.latency_ms), links: Vec::new() },
            services: setup_services,
            resources: setup_resources,
            clients: Vec::new(),
            progress_max: file.progress_ms_max.map(|ms| span(ms.0)),
        };
        self.links(&mut setup, file);
        for (ix, _) in file.clients.iter().enumerate() {
            let client = self.client(&setup, file, ix);
            setup.clients.push(client);
        }
        Some(setup)
    }

    /// One more process; an error if its name is taken.
    pub(super) fn add_node(&mut self, nodes: &mut Nodes, name: &str, path: String, role: Role) -> NodeId {
        if let Some(ix) = nodes.position(name) {
            let first = nodes.paths[ix].clone();
            self.add(path, Reason::Twice { what: "the process", name: name.to_owned(), first });
            return NodeId(ix as u16);
        }
        // The machine is set once all processes are known.
        nodes.list.push(Node { name: name.to_owned(), machine: MachineId(0), role });
        nodes.paths.push(path);
        NodeId((nodes.list.len() - 1) as u16)
    }

    fn services(&mut self, nodes: &mut Nodes, services: &[(String, ServiceEntry)]) -> Vec<Service> {
        let mut list = Vec::new();
        for (ix, (name, entry)) in services.iter().enumerate() {
            let kind = entry.kind.map(|word| word.0).unwrap_or_default();
            let usual: &[&str] = match kind {
                ServiceKind::Redis => &["redis-a"],
                ServiceKind::Redlock => &["redis-a", "redis-b", "redis-c", "redis-d", "redis-e"],
                ServiceKind::ZooKeeper => &["zk-1", "zk-2", "zk-3"],
            };
            let given = entry.nodes.as_deref();
            let names: Vec<&str> = match given {
                Some(names) => names.iter().map(|name| name.0.as_str()).collect(),
                None => usual.to_vec(),
            };
            let fits = match kind {
                ServiceKind::Redis => names.len() == 1,
                ServiceKind::Redlock => (1..=REDLOCK_NODES_MAX).contains(&names.len()),
                ServiceKind::ZooKeeper => matches!(names.len(), 3 | 5),
            };
            if !fits {
                let reason = match kind {
                    ServiceKind::Redis => "a service of kind redis has exactly one node",
                    ServiceKind::Redlock => "a service of kind redlock has one to nine nodes",
                    ServiceKind::ZooKeeper => "a service of kind zookeeper has three or five nodes",
                };
                self.conflict(format!("/services/{name}/nodes"), reason);
            }
            for (node, _) in &entry.per_node.0 {
                self.find(&format!("/services/{name}/per_node/{node}"), "node", node, names.iter().copied());
            }
            let ids = names.iter().enumerate().map(|(n, node)| {
                let own = entry.per_node.0.iter().find(|own| own.0 == **node).map(|own| &own.1);
                let role = match kind {
                    ServiceKind::ZooKeeper => Role::ZooKeeper(ServiceIx(ix as u8)),
                    _ => Role::Redis(ServiceIx(ix as u8), redis_config(entry, own)),
                };
                self.add_node(nodes, node, format!("/services/{name}/nodes/{n}"), role)
            });
            let ids: Vec<NodeId> = ids.collect();
            // The servers of an ensemble count among themselves.
            let quorum = if kind == ServiceKind::ZooKeeper { 1 } else { ids.len() as u32 / 2 + 1 };
            let ensemble = self.ensemble(&format!("/services/{name}"), &names, &ids, entry);
            let config = redis_config(entry, None);
            let failover = self.failover(nodes, &format!("/services/{name}"), ServiceIx(ix as u8), config, entry);
            list.push(Service { name: name.clone(), nodes: ids, quorum, failover, ensemble });
        }
        list
    }

    fn resources(
        &mut self,
        nodes: &mut Nodes,
        services: &[(String, ServiceEntry)],
        resources: &[(String, ResourceEntry)],
    ) -> Vec<Resource> {
        let mut list = Vec::new();
        for (name, entry) in resources {
            let path = format!("/resources/{name}");
            if matches!(name.as_str(), "blind" | "no-wait") {
                self.conflict(&path, "this word has a meaning of its own in program lines");
            }
            let node = entry.node.as_ref().map_or("storage", |node| &node.0);
            let known = nodes.position(node).filter(|ix| nodes.list[*ix].role == Role::Storage);
            let node = match known {
                Some(ix) => NodeId(ix as u16),
                None => self.add_node(nodes, node, format!("{path}/node"), Role::Storage),
            };
            let names = services.iter().map(|service| service.0.as_str());
            let lock = match &entry.lock {
                Some(lock) => self.find(&format!("{path}/lock"), "service", &lock.0, names),
                None if services.len() == 1 => 0,
                None => {
                    let known = names.map(str::to_owned).collect();
                    self.add(format!("{path}/lock"), Reason::Which { what: "service", known });
                    0
                }
            };
            let config = ResourceConfig { guard: entry.guard.0, initial: entry.initial.0 };
            list.push(Resource { name: name.clone(), node, lock: ServiceIx(lock as u8), config });
        }
        list
    }

    /// The machines in the order of their first process; tells every process its own.
    fn machines(&mut self, nodes: &mut [Node], entries: &[(String, MachineEntry)]) -> Vec<Machine> {
        let mut host_of: BTreeMap<&str, &str> = BTreeMap::new();
        for (name, entry) in entries {
            let own = [Name(name.clone())];
            let runs = entry.runs.as_deref();
            if runs.is_some_and(<[Name]>::is_empty) {
                self.conflict(format!("/machines/{name}/runs"), "a machine needs a process to run");
            }
            for (ix, process) in runs.unwrap_or(&own).iter().enumerate() {
                let path =
                    if runs.is_some() { format!("/machines/{name}/runs/{ix}") } else { format!("/machines/{name}") };
                let at = self.look_up(&path, "process", &process.0, nodes.iter().map(|node| node.name.as_str()));
                let Some(node) = at.and_then(|at| nodes.get(at)) else { continue };
                if let Some(first) = host_of.insert(&node.name, name) {
                    let first = format!("/machines/{first}");
                    self.add(path, Reason::Twice { what: "the process", name: process.0.clone(), first });
                }
            }
            let stranger =
                nodes.iter().any(|node| node.name == *name) && host_of.get(name.as_str()) != Some(&name.as_str());
            if stranger {
                self.conflict(
                    format!("/machines/{name}"),
                    "this machine has the name of a process that it does not run",
                );
            }
        }
        let hosts: Vec<String> = nodes
            .iter()
            .map(|node| host_of.get(node.name.as_str()).map_or_else(|| node.name.clone(), |host| (*host).to_owned()))
            .collect();
        let mut machines: Vec<Machine> = Vec::new();
        for (node, host) in nodes.iter_mut().zip(hosts) {
            let known = machines.iter().position(|machine| machine.name == host);
            let ix = known.unwrap_or_else(|| {
                let entry = entries.iter().find(|entry| entry.0 == host).map(|entry| &entry.1);
                machines.push(machine(host, entry));
                machines.len() - 1
            });
            node.machine = MachineId(ix as u16);
        }
        machines
    }

    fn links(&mut self, setup: &mut Setup, file: &ScenarioFile) {
        self.count("/network/links", "links", file.network.links.len(), LINKS_MAX);
        for (ix, link) in file.network.links.iter().enumerate() {
            let from = self.node(setup, &format!("/network/links/{ix}/from"), &link.from.0);
            let to = self.node(setup, &format!("/network/links/{ix}/to"), &link.to.0);
            let first = setup.network.links.iter().position(|link| (link.0, link.1) == (from, to));
            if let Some(first) = first {
                let name = format!("{} to {}", link.from.0, link.to.0);
                let first = format!("/network/links/{first}");
                self.add(format!("/network/links/{ix}"), Reason::Twice { what: "the link", name, first });
            }
            setup.network.links.push((from, to, latency(Some(link.latency_ms))));
        }
    }

    fn client(&mut self, setup: &Setup, file: &ScenarioFile, ix: usize) -> Client {
        let (entry, services) = (&file.clients[ix], &file.services.0);
        for (name, _) in &entry.drivers.0 {
            let path = format!("/clients/{ix}/drivers/{name}");
            self.find(&path, "service", name, services.iter().map(|service| service.0.as_str()));
        }
        let mut drivers = Vec::new();
        for (name, service) in services {
            let own = entry.drivers.0.iter().find(|own| own.0 == *name).map(|own| &own.1);
            let path = if own.is_some() {
                format!("/clients/{ix}/drivers/{name}")
            } else {
                format!("/services/{name}/driver")
            };
            let driver = self.driver(&path, own, service);
            let nodes = setup.services[drivers.len()].nodes.len();
            if driver.voting.quorum.is_some_and(|needed| needed as usize > nodes) {
                self.conflict(format!("{path}/quorum"), "the service has fewer nodes than that");
            }
            drivers.push(driver);
        }
        let program = self.program(setup, &format!("/clients/{ix}/program"), entry.program.as_deref());
        let node = setup.node_named(&entry.id.0).unwrap_or_default();
        Client { node, start: span(entry.start_ms.0), drivers, program }
    }
}

/// A node's configuration: its own, else its service's, else the default.
fn redis_config(service: &ServiceEntry, own: Option<&NodeEntry>) -> RedisConfig {
    let persistence = own.and_then(|own| own.persistence).or(service.persistence);
    let expiry = own.and_then(|own| own.expiry_clock).or(service.expiry_clock);
    RedisConfig {
        persistence: persistence.map_or(Persistence::None, |word| word.0),
        expiry_clock: match expiry.map(|word| word.0).unwrap_or_default() {
            ExpiryClock::Wall => ClockChoice::Wall,
            ExpiryClock::Monotonic => ClockChoice::Monotonic,
        },
        counter_start: own.and_then(|own| own.token_start).unwrap_or(service.token_start).0 as u64,
    }
}

fn machine(name: String, entry: Option<&MachineEntry>) -> Machine {
    Machine {
        name,
        wall_offset_us: entry.map_or(0, |entry| entry.wall_offset_ms.0 * 1000),
        rate_ppm: entry.map_or(0, |entry| entry.rate_ppm.0 as i32),
        suspend_stops_monotonic: entry.is_some_and(|entry| entry.suspend_stops_monotonic),
    }
}

fn latency(written: Option<LatencyMs>) -> Latency {
    let LatencyMs { min, max } = written.unwrap_or(LatencyMs { min: 5, max: 5 });
    Latency { min: Span::from_ms(min), max: Span::from_ms(max) }
}

/// Milliseconds of a file, which are never negative here.
fn span(ms: i64) -> Span {
    Span::from_ms(ms as u64)
}
