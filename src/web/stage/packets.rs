//! Packets: envelopes on their links, their trails, their labels.

use super::facts::{Mode, PacketFacts};
use super::ink::Ink;
use super::layout::{GATE_H, GATE_W, Link, Peer};
use super::measure::{Face, deviation, fit, text_width};
use super::pen::Pen;
use super::phrases;
use super::pieces::{Badge, badge, client_class, envelope};
use super::shape::{Point, Rect, Route, at};
use super::words::Word;
use crate::vocabulary::Lang;

/// A packet with its place.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Placed {
    /// Where its envelope is.
    pub(crate) center: Point,
    /// The way it went.
    pub(crate) trail: Route,
    /// Its label and where that stands, if there is room.
    pub(crate) label: Option<Label>,
    /// The direction in which it moves along the horizontal: 1 or −1.
    pub(crate) dir: f64,
    /// How large its envelope is: between lock nodes there is less room.
    pub(crate) scale: f64,
}

/// The class that gives a packet its colours: its client's, or none between servers.
pub(crate) fn class(facts: &PacketFacts) -> &'static str {
    facts.client.map_or("mutec", client_class)
}

/// A label with its box.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Label {
    /// The words.
    pub(crate) text: String,
    /// What is unusual about the packet, if anything is.
    pub(crate) note: String,
    /// Where both stand.
    pub(crate) area: Rect,
}

/// Places packets so that no label covers another.
pub(crate) fn place(packets: &[(&PacketFacts, &Link, String)], gated: bool, lang: Lang) -> Vec<Placed> {
    let mut taken: Vec<Rect> = Vec::new();
    let mut placed = Vec::with_capacity(packets.len());
    for (facts, link, words) in packets {
        let way = if facts.reply { link.route.reversed() } else { link.route.clone() };
        let shown = shown_way(facts, link, way.length());
        let on_link = way.at(shown);
        let trail = match facts.mode {
            Mode::Landed | Mode::Refused { .. } => landed_trail(&way, link, facts.reply, gated),
            _ => way.until(shown),
        };
        let dir = if way.at(1.0).x >= way.at(0.0).x { 1.0 } else { -1.0 };
        let wire = matches!(link.peer, Peer::Wire(..));
        let center = match facts.mode {
            _ if wire => on_link,
            Mode::Held => at(on_link.x + link.beside, on_link.y - if link.beside == 0.0 { 17.0 } else { 0.0 }),
            Mode::Refused { .. } => refused_center(link, on_link, dir),
            _ => at(on_link.x + link.beside, on_link.y),
        };
        let label = if wire { None } else { label(words, center, link, &taken, facts, lang) };
        taken.extend(label.iter().map(|label| label.area));
        placed.push(Placed { center, trail, label, dir, scale: if wire { 0.6 } else { 1.0 } });
    }
    placed
}

/// The whole way; where a guard's gate stands at its end, up to the gate.
fn landed_trail(way: &Route, link: &Link, reply: bool, gated: bool) -> Route {
    let gate = match link.peer {
        Peer::Storage(_) if gated && !reply => {
            if link.beside == 0.0 {
                GATE_W / 2.0
            } else {
                GATE_H / 2.0
            }
        }
        _ => 0.0,
    };
    way.until(1.0 - gate / way.length().max(1.0))
}

/// How far along its way an envelope is shown: clear of the cards at both ends, which it would cover.
fn shown_way(facts: &PacketFacts, link: &Link, length: f64) -> f64 {
    if let Peer::Wire(..) = link.peer {
        return facts.way;
    }
    let gate = if matches!(link.peer, Peer::Storage(_)) && link.beside == 0.0 { GATE_W / 2.0 } else { 0.0 };
    let clear = (19.0 + gate).min(length * 0.3);
    let (first, last) =
        if facts.reply { (clear, 19.0_f64.min(length * 0.3)) } else { (19.0_f64.min(length * 0.3), clear) };
    (first + (length - first - last) * facts.way) / length.max(1.0)
}

/// A refused packet floats off its link, thrown back from the gate.
fn refused_center(link: &Link, end: Point, dir: f64) -> Point {
    if link.beside != 0.0 {
        return at(end.x + link.beside * 1.5, link.label.middle().y);
    }
    // As far above the link as the strip below it leaves room: flat drawings are short of it.
    at(end.x - dir * 44.0, end.y - if link.route.points[0].y + 40.0 < end.y { 24.0 } else { 15.0 })
}

/// The label of a packet: in the strip beside its link, one row further if another stands there already.
fn label(words: &str, center: Point, link: &Link, taken: &[Rect], facts: &PacketFacts, lang: Lang) -> Option<Label> {
    let strip = &link.label;
    let note = match &facts.mode {
        Mode::Refused { why } => phrases::refusal(why, lang),
        Mode::Held => Word::HeldPacket.get(lang).to_owned(),
        Mode::Stalled => Word::Stalled.get(lang).to_owned(),
        Mode::Delayed { by } => deviation(by.0 as i64),
        Mode::Dropped => Word::Dropped.get(lang).to_owned(),
        Mode::NobodyThere => Word::NobodyThere.get(lang).to_owned(),
        Mode::Flying | Mode::Landed => String::new(),
    };
    let note = match &facts.mode {
        Mode::Refused { why } if text_width(&note, 13.0, Face::Bold) > strip.w => why.clone(),
        _ => note,
    };
    let note_w = if note.is_empty() { 0.0 } else { text_width(&note, 13.0, Face::Bold) + 9.0 };
    // A packet in the hand hangs where its words would stand: they go beside it.
    let lifted = facts.mode == Mode::Held && link.beside == 0.0;
    let (left, right) = (center.x - 22.0 - strip.x, strip.right() - center.x - 38.0);
    let room = if lifted { left.max(right) } else { strip.w };
    let mut text = fit(words, room - note_w - 4.0, 13.0, Face::Mono);
    if text.chars().count() < 5 && text != words {
        text.clear();
    }
    let w = text_width(&text, 13.0, Face::Mono) + note_w;
    // Where packets fly beside their link, words stand beside the envelope, else over or under it.
    let wish = match link.beside {
        0.0 if lifted && left >= right => center.x - 22.0 - w,
        0.0 if lifted => center.x + 38.0,
        0.0 => center.x - w / 2.0,
        beside if beside > 0.0 => center.x + 23.0,
        _ => center.x - 23.0 - w,
    };
    let mut area = Rect::new(wish.min(strip.right() - w).max(strip.x), strip.y, w, strip.h);
    if taken.iter().any(|other| other.overlaps(&area)) {
        let down = strip.y > link.route.at(1.0).y;
        area.y += if down { 17.0 } else { -17.0 };
        if taken.iter().any(|other| other.overlaps(&area)) || area.y < 0.0 {
            return None;
        }
    }
    Some(Label { text, note, area })
}

/// Draws the way that a packet went.
pub(crate) fn trail(pen: &mut Pen, facts: &PacketFacts, placed: &Placed) {
    pen.open(&[class(facts)]);
    pen.ink(&["trail"], &placed.trail.path(12.0));
    if facts.mode == Mode::Landed {
        pen.ink(&["cf"], &arrow_head(&placed.trail));
    }
    pen.close();
}

/// The arrow head at the end of a route.
fn arrow_head(route: &Route) -> Ink {
    let mut ink = Ink::default();
    let [.., before, end] = route.points.as_slice() else { return ink };
    let (dx, dy) = (end.x - before.x, end.y - before.y);
    ink.start(*end);
    if dx.abs() > dy.abs() {
        ink.put('l', &[-dx.signum() * 9.0, -5.0]).fixed("v10z");
    } else {
        ink.put('l', &[-5.0, -dy.signum() * 9.0]).fixed("h10z");
    }
    ink
}

/// Draws a packet: its envelope as its mode has it, and its label.
pub(crate) fn packet(pen: &mut Pen, facts: &PacketFacts, placed: &Placed) {
    let c = placed.center;
    let landed = facts.mode == Mode::Landed;
    if facts.selected && !landed {
        let (w, h) = (40.0 * placed.scale, 30.0 * placed.scale);
        pen.rect(&["chosen-ring"], &Rect::new(c.x - w / 2.0, c.y - h / 2.0, w, h), 7.0);
    }
    match &facts.mode {
        Mode::Landed => {}
        _ if placed.scale < 1.0 => {
            pen.place(&[if facts.mode == Mode::Stalled { "waits" } else { "" }], c, placed.scale, 0.0);
            envelope(pen, at(0.0, 0.0), 0.0);
            pen.close();
            if matches!(facts.mode, Mode::Dropped | Mode::NobodyThere) {
                let mut ink = Ink::default();
                ink.cross(c, 6.0);
                pen.ink(&["cross"], &ink);
            }
        }
        Mode::Flying => envelope(pen, c, 0.0),
        Mode::Stalled => {
            pen.open(&["waits"]);
            envelope(pen, c, 0.0);
            pen.close();
        }
        Mode::Held => {
            envelope(pen, c, 0.0);
            pen.sign(&["line-sign"], at(c.x + 20.0, c.y - 7.0), "M0 0h12m-6 12v-8m-3 3 3-3.2 3 3.2");
        }
        Mode::Delayed { .. } => {
            envelope(pen, c, 0.0);
            pen.circle(&["clock-chip"], at(c.x + 15.0, c.y - 9.0), 7.0);
            pen.sign(&["clock-hands"], at(c.x + 15.0, c.y - 13.0), "M0 0v4l2.6 1.6");
        }
        Mode::Dropped | Mode::NobodyThere => {
            pen.open(&["faded"]);
            envelope(pen, c, 0.0);
            pen.close();
            let mut ink = Ink::default();
            ink.cross(c, 9.0);
            pen.ink(&["cross"], &ink);
        }
        Mode::Refused { .. } => {
            pen.open(&["thrown"]);
            pen.ink(&["rebound"], &rebound(placed));
            envelope(pen, c, -12.0 * placed.dir);
            badge(pen, Badge::Stop, at(c.x + 14.0 * placed.dir, c.y - 9.0), 8.5);
            pen.close();
        }
    }
    pen.cut();
    if let Some(label) = &placed.label {
        let class = if facts.selected { "m b" } else { "m sb ci" };
        let parts = [(class, label.text.as_str()), ("sb", &label.note)];
        pen.words(&["t2 halo"], at(label.area.x, label.area.bottom() - 4.0), &parts);
    }
}

/// Where a press means the packet: on its envelope and on its words.
pub(crate) fn reach(facts: &PacketFacts, placed: &Placed) -> Vec<Rect> {
    let c = placed.center;
    let (w, h) = if placed.scale < 1.0 { (26.0, 16.0) } else { (44.0, 36.0) };
    let envelope = (facts.mode != Mode::Landed).then(|| Rect::new(c.x - w / 2.0, c.y - h / 2.0, w, h));
    let words = placed.label.iter().map(|label| {
        let area = label.area.inset(-6.0);
        // Words above or below the envelope reach up to it.
        let top = if area.y > c.y && area.y < c.y + 50.0 { c.y } else { area.y };
        let bottom = if area.bottom() < c.y && area.bottom() > c.y - 50.0 { c.y } else { area.bottom() };
        Rect::new(area.x, top, area.w, bottom - top)
    });
    envelope.into_iter().chain(words).collect()
}

/// The dotted way back from the gate.
fn rebound(placed: &Placed) -> Ink {
    let (c, end) = (placed.center, placed.trail.at(1.0));
    let mut ink = Ink::default();
    ink.start(at(end.x - placed.dir * 8.0, end.y - 6.0));
    ink.put('Q', &[end.x - placed.dir * 12.0, c.y, c.x + placed.dir * 19.0, c.y]);
    ink
}
