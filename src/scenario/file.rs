//! The scenario file: the JSON that people write, one type per object.
//!
//! Everything that has a sensible default may be left out. These types only say what is written; what it means, and
//! whether it makes sense, is for [`check`](super::check). The published JSON Schema is made from them.

mod driver;
mod fault;
mod network;
mod resource;
mod scalar;
mod story;
mod words;

use serde::Deserialize;

pub(super) use driver::{Acquire, CheckClock, DriverKnobs, Release, TokenFrom};
pub(super) use fault::{FaultEntry, LineMatch, Match, Moment, PacketAt, PacketMatch};
pub(super) use network::{LatencyMs, NetworkEntry};
pub(super) use resource::ResourceEntry;
pub(super) use scalar::{Day, Ms, Name, Named, Signed, Whole};
pub(super) use story::{ControlEntry, ExpectTable, ParagraphEntry, StoryEntry, VariantEntry};
pub(super) use words::Word;

use super::{Family, Source};
use crate::vocabulary::{PauseCause, Text};

/// A scenario: who takes part, what goes wrong, what the judges must say, and the story that explains it.
#[derive(Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
pub(super) struct ScenarioFile {
    /// The address of this schema, for editors.
    #[serde(rename = "$schema", default)]
    _schema: Option<String>,
    /// The format of this file: 1.
    pub format: i64,
    /// Kebab-case and stable: links depend on it.
    pub id: Name,
    /// What people read in the chooser.
    pub title: Text,
    /// One or two sentences about what to look for.
    pub summary: Text,
    /// Which of the two articles makes the claim: K (How to do distributed locking) or C (an introduction to
    /// distributed lock systems).
    #[serde(default)]
    pub source: Option<Word<Source>>,
    /// The group in the chooser. Default: redis.
    #[serde(default)]
    pub family: Option<Word<Family>>,
    /// Every random draw is a function of this. Default: 1.
    #[serde(default = "scalar::whole::<1, 0, 4_294_967_295>")]
    pub seed: Whole<0, 4_294_967_295>,
    /// The run ends here at the latest. Default: 60000.
    #[serde(default = "scalar::whole::<60_000, 1, 86_400_000>")]
    pub horizon_ms: Day,
    /// Machines with clocks of their own kind, or with several processes. A process that no machine runs has a machine
    /// of its own name.
    #[serde(default)]
    pub machines: Named<MachineEntry>,
    /// Latencies.
    #[serde(default)]
    pub network: NetworkEntry,
    /// The lock services by name. Default: one named `lock`, on the Redis node `redis-a`.
    #[serde(default = "one_service")]
    pub services: Named<ServiceEntry>,
    /// The resources by name. Default: one named `counter`, on the process `storage`.
    #[serde(default = "one_resource")]
    pub resources: Named<ResourceEntry>,
    /// The clients.
    pub clients: Vec<ClientEntry>,
    /// What goes wrong, in the order in which simultaneous faults fire.
    #[serde(default)]
    pub faults: Vec<FaultEntry>,
    /// The paragraphs that explain the run.
    #[serde(default)]
    pub story: Vec<ParagraphEntry>,
    /// The parameters that the page offers.
    #[serde(default)]
    pub controls: Vec<ControlEntry>,
    /// What the judges must say in the end. A judge that is not listed must hold.
    #[serde(default)]
    pub expect: ExpectTable,
    /// Overrides how long somebody may be kept out, for the progress judge.
    #[serde(default)]
    pub progress_ms_max: Option<Day>,
    /// The same run with something changed, by name.
    #[serde(default)]
    pub variants: Named<VariantEntry>,
}

/// A machine: clocks, power and disks belong to it.
#[derive(Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
pub(super) struct MachineEntry {
    /// The processes that run here. Default: the one with the machine's name.
    #[serde(default)]
    pub runs: Option<Vec<Name>>,
    /// How far its wall clock is ahead at the start. Default: 0.
    #[serde(default)]
    pub wall_offset_ms: Signed,
    /// How much faster than true time its clocks run, in parts per million. Default: 0.
    #[serde(default)]
    pub rate_ppm: Whole<-500_000, 500_000>,
    /// Whether its monotonic clock stands still while the machine is suspended. Default: false.
    #[serde(default)]
    pub suspend_stops_monotonic: bool,
}

/// A lock service.
#[derive(Deserialize, Default)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
pub(super) struct ServiceEntry {
    /// What it is. Default: redis.
    #[serde(default, rename = "kind")]
    pub _kind: ServiceKind,
    /// Its processes. Default: `redis-a`.
    #[serde(default)]
    pub nodes: Option<Vec<Name>>,
    /// What reaches the disk, and when. Default: none.
    #[serde(default)]
    pub persistence: PersistenceWord,
    /// The clock by which keys expire. Real Redis uses the wall clock. Default: wall.
    #[serde(default)]
    pub expiry_clock: ExpiryClock,
    /// The token counter before the first grant. Default: 0.
    #[serde(default)]
    pub token_start: Whole<0, 1_000_000>,
    /// How clients use it, unless they say otherwise themselves.
    #[serde(default)]
    pub driver: DriverKnobs,
}

/// Kinds of lock services.
#[derive(Deserialize, Default)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
pub(super) enum ServiceKind {
    /// Redis, one node.
    #[default]
    Redis,
}

/// What a Redis node keeps on its disk.
#[derive(Deserialize, Default, Clone, Copy)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
pub(super) enum PersistenceWord {
    /// Nothing (`appendonly no`).
    #[default]
    None,
    /// All but about the last second (`appendfsync everysec`).
    EverySecond,
    /// All that was acknowledged (`appendfsync always`).
    Always,
}

/// The clock by which a Redis node expires keys.
#[derive(Deserialize, Default, Clone, Copy)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
pub(super) enum ExpiryClock {
    /// The clock that can be set, as real Redis does.
    #[default]
    Wall,
    /// The clock that never steps: a control.
    Monotonic,
}

/// A client.
#[derive(Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
pub(super) struct ClientEntry {
    /// Its name.
    pub id: Name,
    /// When its program starts. Default: 0.
    #[serde(default)]
    pub start_ms: Ms,
    /// Its lines: `at 11000`, `wait 100`, `acquire`, `check`, `read`, `work 500`, `write read+1`, `write 8`,
    /// `write blind 8 no-wait`, `release`, `repeat 3`. The service or resource stands after the verb where there are
    /// several. Default: acquire, read, work 500, write read+1, release.
    #[serde(default)]
    pub program: Option<Vec<String>>,
    /// What it does differently from the service's own `driver`, by service.
    #[serde(default)]
    pub drivers: Named<DriverKnobs>,
}

fn one_service() -> Named<ServiceEntry> {
    Named(vec![("lock".to_owned(), ServiceEntry::default())])
}

fn one_resource() -> Named<ResourceEntry> {
    Named(vec![("counter".to_owned(), ResourceEntry::default())])
}

/// A cause as files spell it.
pub(super) type Cause = Word<PauseCause>;

/// The published JSON Schema of scenario files.
#[cfg(not(target_arch = "wasm32"))]
pub(super) fn schema() -> serde_json::Value {
    schemars::schema_for!(ScenarioFile).to_value()
}
