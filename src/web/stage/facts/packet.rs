//! Where each packet is on its link.

use super::{Mode, PacketFacts, client_place};
use crate::vocabulary::{Span, Time};
use crate::web::scene::{Scene, Selection};
use crate::world::{Effect, Event, Flight, Observation, Packet, Rejection};

/// How much later than it should a packet must be to be called delayed.
const DELAY_SHOWN: Span = Span::from_ms(50);

pub(super) fn read_all(scene: &Scene) -> Vec<PacketFacts> {
    let mut packets = just_ended(scene);
    // A refusal stands where its answer starts: for this one instant the answer is left out.
    let refused = packets.iter().find(|packet| matches!(packet.mode, Mode::Refused { .. }));
    let hidden = refused.map(|packet| (packet.client, packet.server));
    let flying = scene.world().in_flight().iter().filter_map(|flight| in_flight(scene, flight));
    let shown = |packet: &PacketFacts| !(packet.way == 0.0 && hidden == Some((packet.client, packet.server)));
    packets.extend(flying.filter(shown));
    packets
}

fn in_flight(scene: &Scene, flight: &Flight) -> Option<PacketFacts> {
    let packet = &flight.packet;
    let usual = scene.setup().latency(packet.from, packet.to).max;
    let late = flight.due.map(|due| due.since(packet.sent + usual));
    let mode = match (flight.held, flight.due, late) {
        (true, ..) => Mode::Held,
        (false, None, _) => Mode::Stalled,
        (false, Some(_), Some(by)) if by >= DELAY_SHOWN => Mode::Delayed { by },
        _ => Mode::Flying,
    };
    let way = match flight.due {
        Some(due) => part(packet.sent, due, scene.time),
        None if flight.held => 0.45,
        None => 0.28,
    };
    facts(scene, packet, mode, way)
}

/// The packets whose flight ended in the step just done: shown until time moves on.
fn just_ended(scene: &Scene) -> Vec<PacketFacts> {
    let Some(step) = scene.last().filter(|step| step.record.at == scene.time) else { return Vec::new() };
    let record = &step.record;
    let mut ended = Vec::new();
    match &record.event {
        Event::Delivered { packet } | Event::Unbuffered { packet } => {
            let refused = record.effects.iter().find_map(|effect| match effect {
                Effect::Noted { what: Observation::Rejected { why, .. }, .. } => Some(refusal(*why)),
                _ => None,
            });
            let mode = refused.map_or(Mode::Landed, |why| Mode::Refused { why });
            ended.extend(facts(scene, packet, mode, 1.0));
        }
        Event::Buffered { packet } => ended.extend(facts(scene, packet, Mode::Landed, 1.0)),
        Event::Refused { packet } => ended.extend(facts(scene, packet, Mode::NobodyThere, 1.0)),
        _ => {}
    }
    let dropped = record.effects.iter().filter_map(|effect| match effect {
        Effect::Dropped { packet } => Some(packet),
        _ => None,
    });
    ended.extend(dropped.filter_map(|packet| facts(scene, packet, Mode::Dropped, lost_way(scene, packet))));
    ended
}

/// How far a lost packet had come, as far as that can be told.
fn lost_way(scene: &Scene, packet: &Packet) -> f64 {
    let due = scene.tracks.flight(packet.id).and_then(|flight| flight.due);
    due.map_or(0.5, |due| part(packet.sent, due, scene.time)).clamp(0.3, 0.8)
}

fn facts(scene: &Scene, packet: &Packet, mode: Mode, way: f64) -> Option<PacketFacts> {
    let (sender, receiver) = (client_place(scene, packet.from), client_place(scene, packet.to));
    let (client, server, reply) = match (sender, receiver) {
        (Some(client), None) => (Some(client), packet.to, false),
        (None, Some(client)) => (Some(client), packet.from, true),
        (None, None) => (None, packet.to, false),
        _ => return None,
    };
    let selected = scene.selection == Some(Selection::Packet(packet.id));
    let (from, message) = (packet.from, packet.message.clone());
    Some(PacketFacts { id: packet.id, client, server, from, reply, message, mode, way, selected })
}

fn part(from: Time, to: Time, now: Time) -> f64 {
    let whole = to.since(from).0;
    if whole == 0 { 1.0 } else { (now.since(from).0 as f64 / whole as f64).min(1.0) }
}

/// Why storage refused, in signs that need no translation.
pub(crate) fn refusal(why: Rejection) -> String {
    match why {
        Rejection::StaleToken { token: Some(token), highest } if token == highest => format!("{token} = {highest}"),
        Rejection::StaleToken { token: Some(token), highest } => format!("{token} < {highest}"),
        Rejection::StaleToken { token: None, highest } => format!("? < {highest}"),
        Rejection::VersionChanged { base: Some(base), current } => format!("v{base} ≠ v{current}"),
        Rejection::VersionChanged { base: None, current } => format!("? ≠ v{current}"),
        Rejection::Duplicate { .. } => "2×".to_owned(),
    }
}
