//! A run and its verdicts for programs: `lockstep run --json`.
//!
//! The model is not bent for serde; the types of this module are the format. Names stand for everything the scenario
//! names. Times are whole microseconds of true time and end in `_us`. A key whose value would say nothing is left out.
//! [`FORMAT`] rises when a key changes its meaning or goes; new keys may come at any time.

mod notes;
mod steps;

use serde::Serialize;

use crate::history::History;
use crate::scenario::Setup;
use crate::verdicts::{Instance, InstanceKind, Judged, Subject, Verdict};
use crate::views::narration::{fault_sentence, trigger_text, why_sentence};
use crate::vocabulary::{FaultIx, Lang, Text, Time};

pub use notes::NoteJson;
pub use steps::{EffectJson, EventJson, PacketJson, StepJson};

/// The version of this format.
pub const FORMAT: u32 = 1;

/// A whole run.
#[derive(Serialize, Clone, Debug)]
pub struct RunJson {
    /// The version of this format.
    pub format: u32,
    /// The scenario's id.
    pub scenario: String,
    /// The variant's id, if it is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub variant: Option<String>,
    /// What people call it.
    pub title: Text,
    /// Every random draw is a function of this.
    pub seed: u64,
    /// When the run ends at the latest.
    pub horizon_us: u64,
    /// The trace digest: 16 hexadecimal digits that name the run, the same on every machine.
    pub digest: String,
    /// What the adversary was to do.
    pub faults: Vec<FaultJson>,
    /// What happened.
    pub steps: Vec<StepJson>,
    /// What the judges say after the last of `steps`.
    pub verdicts: Vec<VerdictJson>,
    /// What the run cost until then.
    pub cost: CostJson,
    /// Whether the verdicts at the end of the whole run are those that the scenario expects.
    pub as_expected: bool,
    /// In which ways they are not.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub mismatches: Vec<String>,
}

/// A fault of the list.
#[derive(Serialize, Clone, Debug)]
pub struct FaultJson {
    /// What it does, in English.
    pub text: String,
    /// When it does so, in English.
    pub on: String,
    /// The step in which it fired; left out if it did not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fired: Option<u32>,
}

/// What one judge says.
#[derive(Serialize, Clone, Debug)]
pub struct VerdictJson {
    /// The judge, as scenario files spell it.
    pub judge: &'static str,
    /// `holds`, `pending` or `violated`. A judge that has nothing to judge `holds`.
    pub verdict: &'static str,
    /// Why it is pending, or that there is nothing to judge, in English.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
    /// Every time that the promise was broken.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub instances: Vec<InstanceJson>,
}

/// One time that a promise was broken.
#[derive(Serialize, Clone, Debug)]
pub struct InstanceJson {
    /// The lock, resource or client that it is about, by name.
    pub subject: String,
    /// In which way, where there is more than one: as scenario files spell it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kind: Option<&'static str>,
    /// When it began.
    pub from_us: u64,
    /// When it was over; left out while it goes on.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub to_us: Option<u64>,
    /// The step at which it is first known.
    pub known: u32,
    /// The reason, in English.
    pub why: String,
    /// The steps that show it.
    pub evidence: Vec<u32>,
}

/// The cost sheet.
#[derive(Serialize, Clone, Debug)]
pub struct CostJson {
    /// Packets sent.
    pub messages: u32,
    /// Replies that reached the client that asked.
    pub round_trips: u32,
    /// Packets that tell a client something it did not ask for then.
    pub notifications: u32,
    /// How many times a lock was acquired.
    pub acquires: u32,
    /// The time that took, all together.
    pub acquire_total_us: u64,
    /// The longest of these times.
    pub acquire_max_us: u64,
    /// Work that was done twice.
    pub work_twice: u32,
}

/// The current branch, to its end or until an instant (inclusive).
pub fn run(history: &History, judged: &Judged, until: Option<Time>) -> RunJson {
    let scenario = history.scenario();
    let setup = &*scenario.setup;
    let end = until.map_or(history.len(), |until| history.position_at(until));
    let world = history.world_at(end);
    let mismatches: Vec<_> = judged.verify_all(scenario).iter().map(ToString::to_string).collect();
    RunJson {
        format: FORMAT,
        scenario: scenario.id.clone(),
        variant: scenario.variant.clone(),
        title: scenario.title.clone(),
        seed: setup.seed,
        horizon_us: setup.horizon.0,
        digest: format!("{:016x}", history.digest()),
        faults: (0..)
            .zip(world.faults())
            .map(|(ix, fault)| FaultJson {
                text: plain(fault_sentence(setup, &fault.kind, Lang::En)),
                on: plain(trigger_text(setup, &fault.on, Lang::En)),
                fired: world.fault_state(FaultIx(ix)).fired.map(|step| step.0),
            })
            .collect(),
        steps: history.steps().take(end as usize).map(|step| steps::step(setup, step)).collect(),
        verdicts: judged
            .at(history, end)
            .iter()
            .map(|(judge, verdict)| VerdictJson::new(setup, judge.name(), verdict))
            .collect(),
        cost: cost(history, judged, end),
        as_expected: mismatches.is_empty(),
        mismatches,
    }
}

fn cost(history: &History, judged: &Judged, end: u32) -> CostJson {
    let sheet = judged.cost_at(history, end);
    CostJson {
        messages: sheet.messages,
        round_trips: sheet.round_trips,
        notifications: sheet.notifications,
        acquires: sheet.acquires,
        acquire_total_us: sheet.acquire_total.0,
        acquire_max_us: sheet.acquire_max.0,
        work_twice: sheet.work_twice,
    }
}

impl VerdictJson {
    fn new(setup: &Setup, judge: &'static str, verdict: &Verdict) -> Self {
        let (state, why) = match verdict {
            Verdict::Holds => ("holds", None),
            Verdict::Pending { why } if why.is_vacuous() => ("holds", Some(why)),
            Verdict::Pending { why } => ("pending", Some(why)),
            Verdict::Violated { .. } => ("violated", None),
        };
        let why = why.map(|why| plain(why_sentence(setup, why, Lang::En)));
        let instances = verdict.instances().iter().map(|instance| InstanceJson::new(setup, instance)).collect();
        Self { judge, verdict: state, why, instances }
    }
}

impl InstanceJson {
    fn new(setup: &Setup, instance: &Instance) -> Self {
        let subject = match instance.subject {
            Subject::Lock(lock) => setup.service(lock).name.clone(),
            Subject::Resource(resource) => setup.resource(resource).name.clone(),
            Subject::Client(client) => setup.node_name(client).to_owned(),
        };
        Self {
            subject,
            kind: instance.kind.map(InstanceKind::name),
            from_us: instance.from.0,
            to_us: instance.to.map(|to| to.0),
            known: instance.known.0,
            why: plain(why_sentence(setup, &instance.why, Lang::En)),
            evidence: instance.evidence.iter().map(|step| step.0).collect(),
        }
    }
}

/// Sentences group digits by a narrow space; programs that search them expect an ordinary one.
fn plain(text: String) -> String {
    if text.contains('\u{202f}') { text.replace('\u{202f}', " ") } else { text }
}
