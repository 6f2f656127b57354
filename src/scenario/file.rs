//! The scenario file: the JSON that people write, one type per object.
//!
//! Everything that has a sensible default may be left out. These types only say what is written; what it means, and
//! whether it makes sense, is for [`check`](super::check). The published JSON Schema is made from them.

mod driver;
mod ensemble;
mod failover;
mod fault;
mod network;
mod preset;
mod resource;
mod scalar;
mod story;
mod words;

pub(super) use driver::{DriverKnobs, Renew};
pub(super) use ensemble::EnsembleEntry;
pub(super) use failover::{ReplicasEntry, SentinelEntry};
pub(super) use fault::{Due, FaultEntry, LineMatch, Match, Moment, PacketAt, PacketMatch};
pub(super) use network::{LatencyMs, NetworkEntry};
pub(super) use preset::Preset;
pub(super) use resource::ResourceEntry;
pub(super) use scalar::{Day, Ms, Name, Named, Signed, Whole};
pub(super) use story::{ControlEntry, CostBound, ExpectTable, Expectation, ParagraphEntry, StoryEntry, VariantEntry};
pub(super) use words::{ExpiryClock, ServiceKind, Word};

use super::read::object;
use super::{Family, Source};
use crate::vocabulary::{PauseCause, Persistence, Text};

object! {
    /// A scenario: who takes part, what goes wrong, what the judges must say, and the story that explains it.
    pub(super) struct ScenarioFile {
        /// The format of this file: 1.
        pub format: Whole<0, 1_000_000>,
        /// Kebab-case and stable: links depend on it.
        pub id: Name,
        /// What people read in the chooser.
        pub title: Text,
        /// One or two sentences about what to look for.
        pub summary: Text,
        /// Which of the two articles makes the claim: K (How to do distributed locking) or C (an introduction to
        /// distributed lock systems).
        pub source: Option<Word<Source>> = None,
        /// The group in the chooser. Default: redis.
        pub family: Option<Word<Family>> = None,
        /// Every random draw is a function of this. Default: 1.
        pub seed: Whole<0, 4_294_967_295> = Whole(1),
        /// The run ends here at the latest. Default: 60000.
        pub horizon_ms: Day = Whole(60_000),
        /// Machines with clocks of their own kind, or with several processes. A process that no machine runs has a machine
        /// of its own name.
        pub machines: Named<MachineEntry> = Named::default(),
        /// Latencies.
        pub network: NetworkEntry = NetworkEntry::default(),
        /// The lock services by name. Default: one named `lock`, on the Redis node `redis-a`.
        pub services: Named<ServiceEntry> = Named::one("lock"),
        /// The resources by name. Default: one named `counter`, on the process `storage`.
        pub resources: Named<ResourceEntry> = Named::one("counter"),
        /// The clients.
        pub clients: Vec<ClientEntry>,
        /// What goes wrong, in the order in which simultaneous faults fire.
        pub faults: Vec<FaultEntry> = Vec::new(),
        /// The paragraphs that explain the run.
        pub story: Vec<ParagraphEntry> = Vec::new(),
        /// The parameters that the page offers.
        pub controls: Vec<ControlEntry> = Vec::new(),
        /// What the judges must say in the end. A judge that is not listed must hold.
        pub expect: ExpectTable = ExpectTable::default(),
        /// Overrides how long somebody may be kept out, for the progress judge.
        pub progress_ms_max: Option<Day> = None,
        /// The same run with something changed, by name.
        pub variants: Named<VariantEntry> = Named::default(),
    }

    /// A machine: clocks, power and disks belong to it.
    pub(super) struct MachineEntry {
        /// The processes that run here. Default: the one with the machine's name.
        pub runs: Option<Vec<Name>> = None,
        /// How far its wall clock is ahead at the start. Default: 0.
        pub wall_offset_ms: Signed = Signed::default(),
        /// How much faster than true time its clocks run, in parts per million. Default: 0.
        pub rate_ppm: Whole<-500_000, 500_000> = Whole::default(),
        /// Whether its monotonic clock stands still while the machine is suspended. Default: false.
        pub suspend_stops_monotonic: bool = false,
    }

    /// A lock service.
    #[derive(Default)]
    pub(super) struct ServiceEntry {
        /// What it is: `redis` is one node, `redlock` are several masters that know nothing of each other, a majority of
        /// which makes the lock, `zookeeper` is an ensemble that keeps one log. Default: redis.
        pub kind: Option<Word<ServiceKind>> = None,
        /// Its processes. Default: `redis-a`, for redlock `redis-a` to `redis-e`, and for zookeeper `zk-1` to `zk-3`.
        pub nodes: Option<Vec<Name>> = None,
        /// What reaches the disk, and when. Default: none.
        pub persistence: Option<Word<Persistence>> = None,
        /// The clock by which keys expire. Real Redis uses the wall clock. Default: wall.
        pub expiry_clock: Option<Word<ExpiryClock>> = None,
        /// The token counter before the first grant. Default: 0.
        pub token_start: Whole<0, 1_000_000> = Whole::default(),
        /// What single nodes do differently, by name.
        pub per_node: Named<NodeEntry> = Named::default(),
        /// Copies of its node, kept asynchronously. Default: none.
        pub replicas: Option<ReplicasEntry> = None,
        /// The process that promotes a replica when the primary is silent. Default: none.
        pub sentinel: Option<SentinelEntry> = None,
        /// How the servers of an ensemble keep time. Only for zookeeper.
        pub ensemble: Option<EnsembleEntry> = None,
        /// How clients use it, unless they say otherwise themselves.
        pub driver: DriverKnobs = DriverKnobs::default(),
    }

    /// What one node of a service does differently from the others.
    pub(super) struct NodeEntry {
        /// What reaches the disk, and when.
        pub persistence: Option<Word<Persistence>> = None,
        /// The clock by which keys expire.
        pub expiry_clock: Option<Word<ExpiryClock>> = None,
        /// The token counter before the first grant.
        pub token_start: Option<Whole<0, 1_000_000>> = None,
    }

    /// A client.
    pub(super) struct ClientEntry {
        /// Its name.
        pub id: Name,
        /// When its program starts. Default: 0.
        pub start_ms: Ms = Ms::default(),
        /// Its lines: `at 11000`, `wait 100`, `acquire`, `check`, `read`, `work 500`, `write read+1`, `write 8`,
        /// `write blind 8 no-wait`, `release`, `repeat 3`. The service or resource stands after the verb where there are
        /// several. `write read+1 op 17` names the operation: two writes with one number are the same work, done twice.
        /// Default: acquire, read, work 500, write read+1, release.
        pub program: Option<Vec<String>> = None,
        /// What it does differently from the service's own `driver`, by service.
        pub drivers: Named<DriverKnobs> = Named::default(),
    }
}

/// A cause as files spell it.
pub(super) type Cause = Word<PauseCause>;

/// The published JSON Schema of scenario files.
#[cfg(not(target_arch = "wasm32"))]
pub(super) fn schema() -> serde_json::Value {
    let mut schema = schemars::schema_for!(ScenarioFile).to_value();
    schema["title"] = "A scenario of Lockstep".into();
    schema["properties"]["format"]["const"] = super::check::FORMAT.into();
    schema
}
