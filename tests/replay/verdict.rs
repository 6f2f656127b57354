//! What the judges say, as far as it can be compared: which promise was broken, how, and for whom.

use std::fmt::Write as _;
use std::sync::Arc;

use lockstep::history::History;
use lockstep::scenario::{Scenario, Setup};
use lockstep::verdicts::{Instance, Judged, Judges, Verdict, Why};
use lockstep::vocabulary::{JudgeName, NodeId, Time};
use lockstep::world::{Effect, Event, Record};

/// One line for each violation, in an order of its own.
pub(crate) type Violations = Vec<String>;

/// What the judges say of the model's run.
pub(crate) fn of_model(scenario: &Scenario) -> Violations {
    let setup = Arc::clone(&scenario.setup);
    let history = History::new(Arc::new(scenario.clone()));
    violations(&setup, Judged::new(&history).final_verdicts())
}

/// What the same judges say of a replay.
pub(crate) fn of_replay(setup: &Arc<Setup>, records: &[Record]) -> Violations {
    let mut judges = Judges::new(setup);
    for record in records {
        judges.observe(record);
    }
    let end = Time::ZERO + setup.horizon;
    judges.finish(end);
    violations(setup, &judges.verdicts(end))
}

fn violations(setup: &Setup, verdicts: &[(JudgeName, Verdict)]) -> Violations {
    let of_judge = |(judge, verdict): &(JudgeName, Verdict)| {
        let text = |instance: &Instance| describe(setup, *judge, instance);
        verdict.instances().iter().map(text).collect::<Vec<_>>()
    };
    let mut all: Vec<_> = verdicts.iter().flat_map(of_judge).collect();
    all.sort();
    all
}

fn describe(setup: &Setup, judge: JudgeName, instance: &Instance) -> String {
    let name = |node: NodeId| setup.node_name(node);
    let who = match instance.why {
        Why::TwoBelievers { older, newer, .. } => format!("{} and {}", name(older), name(newer)),
        Why::GrantedSince { writer, newer, .. } => format!("{} after {}", name(writer), name(newer)),
        Why::Overwrote { writer, lost, .. } => {
            format!("{} over {}", name(writer), lost.map_or("nobody", name))
        }
        Why::AppliedTwice { writer, .. } => name(writer).to_owned(),
        Why::TokenNotHigher { earlier, later, .. } => format!("{} then {}", name(earlier), name(later)),
        Why::KeptOut(kept) => name(kept.client).to_owned(),
        Why::PassedOver { client, .. } | Why::TurnedAway { client, .. } => name(client).to_owned(),
        _ => String::new(),
    };
    let kind = instance.kind.map_or(String::new(), |kind| format!(" ({})", kind.name()));
    format!("{}{kind}: {who}", judge.short())
}

/// A replay for people: what is needed to see why verdicts differ.
pub(crate) fn log_text(setup: &Setup, records: &[Record]) -> String {
    let mut text = String::new();
    for record in records {
        let node = match record.event {
            Event::Timer { node, .. } | Event::Line { node, .. } | Event::Started { node } => setup.node_name(node),
            _ => "",
        };
        write!(text, "{:>9} {node} ", record.at.ms()).expect("a string takes what is written");
        match &record.effects[..] {
            [Effect::Noted { what, .. }] => writeln!(text, "{what:?}"),
            effects => writeln!(text, "{:?} {effects:?}", record.event),
        }
        .expect("a string takes what is written");
    }
    text
}
