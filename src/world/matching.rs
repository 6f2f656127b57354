//! Matchers: one language for faults, stories and selections.

use super::observation::Observation;
use super::record::{Effect, Event, Packet, Record};
use crate::vocabulary::{LineIx, Matcher, MessageKind, NodeId};

/// Something that a fault can wait for, about to happen.
#[derive(Clone, Copy, Debug)]
pub(super) enum Occurrence<'a> {
    Line { client: NodeId, line: LineIx, part: u8 },
    Send { packet: &'a Packet },
    Deliver { packet: &'a Packet },
    Observed { node: NodeId, what: Observation },
}

impl<'a> Occurrence<'a> {
    pub(super) const fn deliver(packet: &'a Packet) -> Self {
        Self::Deliver { packet }
    }

    pub(super) fn matches(&self, matcher: Matcher) -> bool {
        match (self, matcher) {
            (Self::Line { client, line, part }, Matcher::Line { client: c, line: l, part: p }) => {
                (*client, *line, *part) == (c, l, p)
            }
            (Self::Send { packet }, Matcher::Send { from, to, kind })
            | (Self::Deliver { packet }, Matcher::Deliver { from, to, kind }) => is_packet(packet, from, to, kind),
            (Self::Observed { node, what }, Matcher::Observed { node: n, kind }) => {
                *node == n && what.kind() == Some(kind)
            }
            _ => false,
        }
    }

    pub(super) const fn packet(&self) -> Option<&'a Packet> {
        match self {
            Self::Send { packet } | Self::Deliver { packet } => Some(packet),
            _ => None,
        }
    }
}

fn is_packet(packet: &Packet, from: NodeId, to: NodeId, kind: Option<MessageKind>) -> bool {
    packet.from == from && packet.to == to && kind.is_none_or(|kind| packet.kind() == kind)
}

/// How often a step's event and effects match. A packet counts as delivered when it reaches its process's buffer.
pub fn count_matches(matcher: Matcher, record: &Record) -> u32 {
    let event = match (&record.event, matcher) {
        (Event::Line { node, line, part }, Matcher::Line { client, line: l, part: p }) => {
            (*node, *line, *part) == (client, l, p)
        }
        (
            Event::Delivered { packet } | Event::Buffered { packet } | Event::Refused { packet },
            Matcher::Deliver { from, to, kind },
        ) => is_packet(packet, from, to, kind),
        (Event::Fault { ix, ends: false, .. }, Matcher::Fault { ix: wanted }) => *ix == wanted,
        _ => false,
    };
    let effect = |effect: &&Effect| match (effect, matcher) {
        (Effect::Sent { packet, .. }, Matcher::Send { from, to, kind }) => is_packet(packet, from, to, kind),
        (Effect::Noted { node, what }, Matcher::Observed { node: n, kind }) => *node == n && what.kind() == Some(kind),
        (Effect::FaultFired { ix, .. }, Matcher::Fault { ix: wanted }) => *ix == wanted,
        _ => false,
    };
    u32::from(event) + record.effects.iter().filter(effect).count() as u32
}

/// Whether a step matches.
pub fn matches(matcher: Matcher, record: &Record) -> bool {
    count_matches(matcher, record) > 0
}
