//! What the inspector says about a node, a packet or a step. Data only: [`inspector`](super::inspector) draws it.

mod node;
mod packet;

use super::format;
use super::icons::Badge;
use super::names;
use super::scene::Selection;
use super::words::Word;
use crate::history::History;
use crate::views::narration;
use crate::vocabulary::{Lang, NodeId, StepIx};
use crate::world::{Effect, Event, Record};

/// The inspector's sheet about one thing.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Sheet {
    /// What kind of thing it is.
    pub(crate) kind: Word,
    /// Its name.
    pub(crate) title: String,
    /// Whether the name is code, such as a packet's content.
    pub(crate) code: bool,
    /// Whether the name is a whole sentence.
    pub(crate) sentence: bool,
    /// A line under the name.
    pub(crate) route: Option<String>,
    /// What is unusual about it.
    pub(crate) note: Option<Remark>,
    /// Its properties.
    pub(crate) facts: Vec<(String, String)>,
    /// What the steps below are.
    pub(crate) steps_title: Word,
    /// Steps, in order.
    pub(crate) steps: Vec<StepIx>,
    /// The step that the sheet is about, if it is about one.
    pub(crate) step: Option<StepIx>,
    /// The position from which something could still be done about it.
    pub(crate) back: Option<u32>,
}

/// Something unusual, in a box.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Remark {
    /// How it stands.
    pub(crate) badge: Badge,
    /// In one or two words.
    pub(crate) title: String,
    /// In a sentence.
    pub(crate) text: String,
}

/// How many steps a sheet lists.
const STEPS_MAX: usize = 6;

/// The sheet about what is selected; about the last step if nothing is.
pub(crate) fn sheet(history: &History, selection: Option<Selection>, lang: Lang) -> Option<Sheet> {
    match selection {
        Some(Selection::Node(id)) => Some(node::sheet(history, id, lang)),
        Some(Selection::Packet(id)) => packet::sheet(history, id, lang).or_else(|| sheet(history, None, lang)),
        Some(Selection::Step(ix)) if ix.0 < history.len() => Some(step(history, ix, lang)),
        _ => history.position().checked_sub(1).map(|ix| step(history, StepIx(ix), lang)),
    }
}

fn step(history: &History, ix: StepIx, lang: Lang) -> Sheet {
    let setup = &history.scenario().setup;
    let step = history.step(ix);
    let mut facts = vec![(Word::Happened.get(lang).into(), with_unit(format::ms(step.record.at)))];
    for effect in &step.record.effects {
        if let Effect::Sent { packet, .. } = effect {
            let mut text = narration::packet_label(setup, &packet.message);
            text.push_str(" → ");
            text.push_str(&names::node(setup, packet.to, lang));
            facts.push((Word::Sent.get(lang).into(), text));
        }
    }
    Sheet {
        kind: Word::KindStep,
        sentence: true,
        title: narration::sentence(setup, &step.record, &step.world, lang),
        code: false,
        route: None,
        note: None,
        facts,
        steps_title: Word::HowItCame,
        steps: causes(history, ix),
        step: Some(ix),
        back: None,
    }
}

/// The steps that led to this one, the earliest first, and this one last.
fn causes(history: &History, ix: StepIx) -> Vec<StepIx> {
    let mut chain = vec![ix];
    while let Some(cause) = history.step(chain[chain.len() - 1]).record.cause {
        if chain.len() == STEPS_MAX {
            break;
        }
        chain.push(cause);
    }
    chain.reverse();
    chain
}

/// The last steps up to the cursor in which this process took part.
fn doings(history: &History, id: NodeId) -> Vec<StepIx> {
    let done = (0..history.position()).rev().map(StepIx);
    let mut steps: Vec<_> =
        done.filter(|ix| takes_part(history, &history.step(*ix).record, id)).take(STEPS_MAX).collect();
    steps.reverse();
    steps
}

fn takes_part(history: &History, record: &Record, id: NodeId) -> bool {
    let on_machine = |machine| history.scenario().setup.machine_of(id) == machine;
    let by_event = match &record.event {
        Event::Line { node, .. }
        | Event::Timer { node, .. }
        | Event::TimerWaits { node, .. }
        | Event::ConnectionLost { node, .. }
        | Event::Resumed { node }
        | Event::Restarted { node } => *node == id,
        Event::Delivered { packet }
        | Event::Buffered { packet }
        | Event::Unbuffered { packet }
        | Event::Refused { packet } => packet.to == id,
        Event::Started { .. } | Event::Fault { .. } | Event::Broke { .. } => false,
    };
    by_event
        || record.effects.iter().any(|effect| match effect {
            Effect::Noted { node, .. } | Effect::Paused { node, .. } | Effect::Crashed { node, .. } => *node == id,
            Effect::ClockJumped { machine, .. } => on_machine(*machine),
            _ => false,
        })
}

fn with_unit(mut text: String) -> String {
    text.push_str(" ms");
    text
}
