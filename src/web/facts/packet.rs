//! A packet: what it says, where it is, and what became of it.

use super::{Remark, Sheet, causes, with_unit};
use crate::history::{History, Step};
use crate::views::narration;
use crate::vocabulary::{Lang, PacketId, StepIx};
use crate::web::format;
use crate::web::icons::Badge;
use crate::web::names;
use crate::web::words::Word;
use crate::world::{Effect, Event, Message, Observation, Packet, StorageRequest};

/// What became of a packet by the cursor.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Fate {
    Flying,
    Held,
    Stalled,
    Delivered(StepIx),
    Buffered(StepIx),
    Refused(StepIx),
    Dropped(StepIx),
}

/// `None` if no such packet has been sent by the cursor.
pub(super) fn sheet(history: &History, id: PacketId, lang: Lang) -> Option<Sheet> {
    let setup = &history.scenario().setup;
    let (sent, packet) = (0..history.position()).map(StepIx).find_map(|ix| {
        let sent = sent_in(history.step(ix), id)?;
        Some((ix, sent))
    })?;
    let fate = fate(history, sent, id);
    let (end, word) = match fate {
        Fate::Flying => (None, Word::FateFlying),
        Fate::Held => (None, Word::FateHeld),
        Fate::Stalled => (None, Word::FateStalled),
        Fate::Delivered(ix) => (Some(ix), Word::FateDelivered),
        Fate::Buffered(ix) => (Some(ix), Word::FateBuffered),
        Fate::Refused(ix) => (Some(ix), Word::FateRefused),
        Fate::Dropped(ix) => (Some(ix), Word::FateDropped),
    };
    let mut facts = Vec::new();
    let mut put = |word: Word, text: String| facts.push((word.get(lang).to_owned(), text));
    let mut flight = format::ms(packet.sent);
    flight.push_str(" → ");
    let due = history.world().in_flight().iter().find(|flight| flight.packet.id == id).and_then(|flight| flight.due);
    match end.map(|ix| history.step(ix).record.at).or(due) {
        Some(until) => flight.push_str(&with_unit(format::ms(until))),
        None => flight.push('?'),
    }
    put(Word::InFlight, flight);
    put(Word::Fate, word.get(lang).into());
    carries(&packet, lang, &mut put);
    let mut route = names::node(setup, packet.from, lang);
    route.push_str(" → ");
    route.push_str(&names::node(setup, packet.to, lang));
    Some(Sheet {
        kind: Word::KindPacket,
        title: narration::packet_label(setup, &packet.message),
        code: true,
        sentence: false,
        route: Some(route),
        note: end.and_then(|ix| refusal(history, ix, lang)),
        facts,
        steps_title: Word::HowItCame,
        steps: causes(history, end.unwrap_or(sent)),
        step: None,
        back: end.map(|ix| ix.0),
    })
}

fn sent_in(step: &Step, id: PacketId) -> Option<Packet> {
    step.record.effects.iter().find_map(|effect| match effect {
        Effect::Sent { packet, .. } if packet.id == id => Some(Packet::clone(packet)),
        _ => None,
    })
}

fn fate(history: &History, sent: StepIx, id: PacketId) -> Fate {
    if let Some(flight) = history.world().in_flight().iter().find(|flight| flight.packet.id == id) {
        return match (flight.held, flight.due) {
            (true, _) => Fate::Held,
            (false, None) => Fate::Stalled,
            (false, Some(_)) => Fate::Flying,
        };
    }
    let mut fate = Fate::Flying;
    for ix in (sent.0..history.position()).map(StepIx) {
        let record = &history.step(ix).record;
        let about = record.event.packet().is_some_and(|packet| packet.id == id);
        let dropped = |effect: &Effect| matches!(effect, Effect::Dropped { packet } if packet.id == id);
        match record.event {
            Event::Delivered { .. } | Event::Unbuffered { .. } if about => return Fate::Delivered(ix),
            Event::Buffered { .. } if about => fate = Fate::Buffered(ix),
            Event::Refused { .. } if about => return Fate::Refused(ix),
            _ if record.effects.iter().any(dropped) => return Fate::Dropped(ix),
            _ => {}
        }
    }
    fate
}

fn carries(packet: &Packet, lang: Lang, put: &mut impl FnMut(Word, String)) {
    let Message::Storage { request, .. } = packet.message else { return };
    let token = match request {
        StorageRequest::Read { token, .. } => token,
        StorageRequest::Write(write) => {
            put(Word::Value, write.value.to_string());
            if let Some(base) = write.base {
                put(Word::BasedOn, base.to_string());
            }
            write.token
        }
    };
    put(Word::TokenLabel, token.map_or_else(|| Word::No.get(lang).to_owned(), |token| token.to_string()));
}

/// Storage's refusal, if the packet met one.
fn refusal(history: &History, ix: StepIx, lang: Lang) -> Option<Remark> {
    let step = history.step(ix);
    let refused = |effect: &Effect| matches!(effect, Effect::Noted { what: Observation::Rejected { .. }, .. });
    step.record.effects.iter().any(refused).then(|| Remark {
        badge: Badge::Stop,
        title: Word::Refused.get(lang).into(),
        text: narration::sentence(&history.scenario().setup, &step.record, &step.world, lang),
    })
}
