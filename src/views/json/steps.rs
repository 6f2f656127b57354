//! One step of a run in the format of this export.

use serde::Serialize;

use super::notes::{NoteJson, note};
use super::plain;
use crate::history::Step;
use crate::scenario::Setup;
use crate::views::narration::{fault_sentence, packet_label, sentence};
use crate::vocabulary::{ConnId, Lang, NodeId, PauseCause};
use crate::world::{Effect, Event, Packet};

/// A step.
#[derive(Serialize, Clone, Debug)]
pub struct StepJson {
    /// Its number, from 0.
    pub step: u32,
    /// When it happened.
    pub at_us: u64,
    /// The step that led to it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cause: Option<u32>,
    /// In one English sentence.
    pub text: String,
    /// What happened.
    pub event: EventJson,
    /// What came of it, in order.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub effects: Vec<EffectJson>,
}

/// What happened in a step.
#[derive(Serialize, Clone, Debug)]
#[serde(tag = "type", rename_all = "kebab-case")]
#[expect(missing_docs, reason = "each is the event of the same name, with names for numbers")]
pub enum EventJson {
    Started { node: String },
    Line { node: String, line: u32, part: u8, text: String },
    Delivered { packet: PacketJson },
    Buffered { packet: PacketJson },
    Unbuffered { packet: PacketJson },
    Refused { packet: PacketJson },
    Timer { node: String, timer: u32 },
    TimerWaits { node: String, timer: u32 },
    ConnectionLost { node: String, peer: String, connection: u32 },
    Broke { connection: u32 },
    Resumed { node: String },
    Restarted { node: String },
    Fault { fault: u32, ends: bool, text: String },
}

/// What came of a step.
#[derive(Serialize, Clone, Debug)]
#[serde(tag = "type", rename_all = "kebab-case")]
#[expect(missing_docs, reason = "each is the effect of the same name, with names for numbers")]
pub enum EffectJson {
    Sent { packet: PacketJson, due_us: u64 },
    Dropped { packet: PacketJson },
    Rescheduled { packet: u32, due_us: Option<u64> },
    Noted(Box<NoteJson>),
    FaultFired { fault: u32, text: String },
    Paused { node: String, cause: &'static str, until_us: Option<u64> },
    Resumed { node: String },
    Crashed { node: String, power: bool },
    ClockJumped { machine: String, by_us: i64 },
    ConnectionBroke { connection: u32, from: String, to: String },
}

/// A packet.
#[derive(Serialize, Clone, Debug)]
pub struct PacketJson {
    /// Its number.
    pub id: u32,
    /// Its connection.
    pub connection: u32,
    /// Its sender.
    pub from: String,
    /// Its receiver.
    pub to: String,
    /// What kind of message it carries, as matchers spell it.
    pub kind: &'static str,
    /// What it says.
    pub label: String,
    /// When it was sent.
    pub sent_us: u64,
}

pub(super) fn step(setup: &Setup, step: &Step) -> StepJson {
    let record = &step.record;
    StepJson {
        step: record.ix.0,
        at_us: record.at.0,
        cause: record.cause.map(|cause| cause.0),
        text: plain(sentence(setup, record, &step.world, Lang::En)),
        event: event(setup, &record.event),
        effects: record.effects.iter().map(|one| effect(setup, one)).collect(),
    }
}

pub(super) fn name(setup: &Setup, node: NodeId) -> String {
    setup.node_name(node).to_owned()
}

fn packet(setup: &Setup, packet: &Packet) -> PacketJson {
    PacketJson {
        id: packet.id.0,
        connection: packet.conn.0,
        from: name(setup, packet.from),
        to: name(setup, packet.to),
        kind: packet.kind().name(),
        label: packet_label(setup, &packet.message),
        sent_us: packet.sent.0,
    }
}

fn event(setup: &Setup, event: &Event) -> EventJson {
    let of = |node: &NodeId| name(setup, *node);
    match event {
        Event::Started { node } => EventJson::Started { node: of(node) },
        Event::Line { node, line, part } => {
            let program = setup.client(*node).map(|client| client.program.as_slice()).unwrap_or_default();
            let text = program.get(line.ix()).map(|line| setup.line_text(*line)).unwrap_or_default();
            EventJson::Line { node: of(node), line: u32::from(line.0) + 1, part: *part, text }
        }
        Event::Delivered { packet: it } => EventJson::Delivered { packet: packet(setup, it) },
        Event::Buffered { packet: it } => EventJson::Buffered { packet: packet(setup, it) },
        Event::Unbuffered { packet: it } => EventJson::Unbuffered { packet: packet(setup, it) },
        Event::Refused { packet: it } => EventJson::Refused { packet: packet(setup, it) },
        Event::Timer { node, timer } => EventJson::Timer { node: of(node), timer: *timer },
        Event::TimerWaits { node, timer } => EventJson::TimerWaits { node: of(node), timer: *timer },
        Event::ConnectionLost { node, peer, conn: ConnId(connection) } => {
            EventJson::ConnectionLost { node: of(node), peer: of(peer), connection: *connection }
        }
        Event::Broke { conn } => EventJson::Broke { connection: conn.0 },
        Event::Resumed { node } => EventJson::Resumed { node: of(node) },
        Event::Restarted { node } => EventJson::Restarted { node: of(node) },
        Event::Fault { ix, kind, ends } => {
            EventJson::Fault { fault: u32::from(ix.0), ends: *ends, text: plain(fault_sentence(setup, kind, Lang::En)) }
        }
    }
}

fn effect(setup: &Setup, effect: &Effect) -> EffectJson {
    match *effect {
        Effect::Sent { packet: ref it, due } => EffectJson::Sent { packet: packet(setup, it), due_us: due.0 },
        Effect::Dropped { packet: ref it } => EffectJson::Dropped { packet: packet(setup, it) },
        Effect::Rescheduled { packet, due } => {
            EffectJson::Rescheduled { packet: packet.0, due_us: due.map(|due| due.0) }
        }
        Effect::Noted { node, ref what } => EffectJson::Noted(Box::new(note(setup, node, what))),
        Effect::FaultFired { ix, ref kind } => {
            EffectJson::FaultFired { fault: u32::from(ix.0), text: plain(fault_sentence(setup, kind, Lang::En)) }
        }
        Effect::Paused { node, cause, until } => EffectJson::Paused {
            node: name(setup, node),
            cause: pause_cause(cause),
            until_us: until.map(|until| until.0),
        },
        Effect::Resumed { node } => EffectJson::Resumed { node: name(setup, node) },
        Effect::Crashed { node, power } => EffectJson::Crashed { node: name(setup, node), power },
        Effect::ClockJumped { machine, by_us } => {
            EffectJson::ClockJumped { machine: setup.machines[machine.ix()].name.clone(), by_us }
        }
        Effect::ConnectionBroke { conn, from, to } => {
            EffectJson::ConnectionBroke { connection: conn.0, from: name(setup, from), to: name(setup, to) }
        }
    }
}

const fn pause_cause(cause: PauseCause) -> &'static str {
    match cause {
        PauseCause::Gc => "gc",
        PauseCause::PageFault => "page-fault",
        PauseCause::NetworkDisk => "network-disk",
        PauseCause::CpuContention => "cpu-contention",
        PauseCause::SigStop => "sigstop",
    }
}
