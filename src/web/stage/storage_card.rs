//! A storage server's card: values, versions, writers, the highest token; its guard as gates on the links.

use super::client_card::{buffer, card_classes, state_pill};
use super::facts::{ResourceFacts, State, StorageFacts};
use super::ink::Ink;
use super::layout::{GATE_H, GATE_W};
use super::measure::{Face, fit, text_width};
use super::pen::Pen;
use super::phrases;
use super::pieces::{Badge, Sign, badge, client_class, pill, server_sign, within};
use super::shape::{Point, Rect, at};
use super::words::Word;
use crate::vocabulary::Lang;
use crate::web::scene::Room;

/// A storage server's card under way.
pub(crate) struct StorageCard<'a> {
    /// What there is to say.
    pub(crate) facts: &'a StorageFacts,
    /// What people call the clients.
    pub(crate) clients: &'a [&'a str],
    /// Where it stands.
    pub(crate) card: &'a Rect,
    /// In which drawing.
    pub(crate) room: Room,
    /// The language of words.
    pub(crate) lang: Lang,
}

/// The gate where a guard stands, around the end of a link.
pub(crate) fn gate(pen: &mut Pen, words: &str, end: Point) {
    let w = GATE_W.max(text_width(words, 13.0, Face::Bold) + 14.0);
    pen.open(&["gate"]);
    pen.rect(&[], &Rect::new(end.x - w / 2.0, end.y - GATE_H / 2.0, w, GATE_H), 7.0);
    pen.text(&["t2 sb mid"], at(end.x, end.y + 4.6), words);
    pen.close();
}

impl StorageCard<'_> {
    /// Draws the card in the fullest form that its place has room for.
    pub(crate) fn draw(&self, pen: &mut Pen) {
        let (facts, card) = (self.facts, self.card);
        let stained = facts.resources.iter().any(|resource| resource.stain.is_some());
        let [a, b, c, d] = card_classes(&facts.node);
        pen.rect(&[a, b, c, d, if stained { "stain" } else { "" }], card, 12.0);
        match facts.resources.as_slice() {
            [one] if card.h >= 110.0 => self.full(pen, one),
            [one] if self.room == Room::Phone => self.wide(pen, one),
            [one] => self.row(pen, one),
            several => self.listed(pen, several),
        }
        buffer(pen, &facts.node, card, self.lang);
    }

    fn text(&self, pen: &mut Pen, class: &str, dx: f64, dy: f64, words: &str) {
        pen.text(&[class], within(self.card, dx, dy), words);
    }

    /// The pill at the top: what is unusual, or else the guard.
    fn top_pill(&self, pen: &mut Pen, guard: Option<&'static str>, y: f64, name_x: f64) {
        let (node, card) = (&self.facts.node, self.card);
        let usual = node.state == State::Up && node.clock_off_us.is_none();
        match guard {
            Some(guard) if usual => {
                let most = card.w - name_x - text_width(&node.title, 15.0, Face::Bold) - 20.0;
                pill(pen, (guard, Sign::None, "mute"), at(card.right() - 11.5, card.y + y), most);
            }
            _ => state_pill(pen, node, card, (name_x, y), (self.room, self.lang)),
        }
    }

    /// The red note on a spoilt value, if it is.
    fn stain(&self, pen: &mut Pen, one: &ResourceFacts, dx: f64, dy: f64) {
        let Some(stain) = one.stain else { return };
        let word = if stain.lost { Word::LostUpdate } else { Word::StaleWrite };
        let words = stain.should_be.map(|n| phrases::should_be(n, self.lang));
        let place = within(self.card, dx, dy);
        badge(pen, Badge::Bad, at(place.x + 7.0, place.y - 4.0), 7.0);
        let words = words.as_deref().unwrap_or(word.get(self.lang));
        pen.text(&["t1 sb si bad"], at(place.x + 18.0, place.y), words);
    }

    /// Who wrote last.
    fn writer(&self, pen: &mut Pen, one: &ResourceFacts, dx: f64, dy: f64) {
        let Some(writer) = one.writer else { return };
        let name = self.clients.get(writer).copied().unwrap_or_default();
        let parts = [("i3", Word::By.get(self.lang)), ("sb ci", name)];
        pen.words(&["t1", client_class(writer)], within(self.card, dx, dy), &parts);
    }

    /// A rule between value and token.
    fn split(&self, pen: &mut Pen, dx: f64, dy: f64, height: f64) {
        let mut ink = Ink::default();
        ink.start(within(self.card, dx, dy)).put('v', &[height]);
        pen.ink(&["hair"], &ink);
    }

    fn full(&self, pen: &mut Pen, one: &ResourceFacts) {
        let (card, value) = (self.card, one.value.to_string());
        let beside = 39.5 + text_width(&value, 28.0, Face::Bold);
        let (middle, version) = (card.w / 2.0 + 4.0, phrases::version(one.version, self.lang));
        server_sign(pen, true, within(card, 15.5, 13.5));
        self.text(pen, "t3 sb", 43.5, 27.5, &self.facts.node.title);
        self.top_pill(pen, one.guard, 23.5, 43.5);
        self.text(pen, "t1 i3", 31.5, 61.5, &fit(&one.name, middle - 40.0, 12.0, Face::Sans));
        self.text(pen, "t5 b", 31.5, 92.5, &value);
        if one.stain.is_some() && one.highest.is_none() {
            self.stain(pen, one, beside, 91.5);
            self.text(pen, "t1 i2 end", card.w - 31.5, 114.5, &version);
        } else {
            self.text(pen, "t1 i2", beside, 91.5, &version);
        }
        self.writer(pen, one, 31.5, 114.5);
        if let Some(highest) = one.highest {
            self.split(pen, middle, 49.5, 64.0);
            self.text(pen, "t1 i3", middle + 14.0, 61.5, Word::Highest.get(self.lang));
            self.text(pen, "t5 b", middle + 14.0, 92.5, &highest.to_string());
            self.stain(pen, one, middle + 14.0, 114.5);
        }
    }

    /// A flat card.
    fn row(&self, pen: &mut Pen, one: &ResourceFacts) {
        let (card, value) = (self.card, one.value.to_string());
        let left = if one.gate.is_some() { 31.5 } else { 19.5 };
        let (top, low) = (card.h / 2.0 - 8.0, card.h / 2.0 + 20.0);
        let second = card.w / 2.0 - 20.0 + left / 2.0;
        let beside = left + text_width(&value, 20.0, Face::Bold) + 8.0;
        self.text(pen, "t1 sb", left, top, &self.facts.node.title);
        self.text(pen, "t4 b", left, low, &value);
        if let Some(highest) = one.highest {
            self.split(pen, second - 13.0, card.h / 2.0 - 17.0, 34.0);
            if one.stain.is_some() {
                self.stain(pen, one, second, top);
            } else {
                self.text(pen, "t1 i3", second, top, Word::Highest.get(self.lang));
            }
            self.text(pen, "t4 b", second, low, &highest.to_string());
        } else {
            self.text(pen, "t1 i3 end", card.w - left, top, &one.name);
            if one.stain.is_some() {
                self.stain(pen, one, beside, low - 2.0);
            } else {
                self.text(pen, "t1 i2", beside, low - 1.0, &phrases::version(one.version, self.lang));
            }
        }
        if self.facts.node.state != State::Up {
            state_pill(pen, &self.facts.node, card, (left, 14.0), (self.room, self.lang));
        }
    }

    /// The phone's card: as wide as the page.
    fn wide(&self, pen: &mut Pen, one: &ResourceFacts) {
        let card = self.card;
        let left = if one.gate.is_some() { 71.5 } else { 19.5 };
        server_sign(pen, true, within(card, left, 14.5));
        self.text(pen, "t3 sb", left + 26.0, 28.5, &self.facts.node.title);
        if self.facts.node.state != State::Up {
            state_pill(pen, &self.facts.node, card, (card.w - left - 120.0, 50.0), (self.room, self.lang));
        } else if one.stain.is_some() {
            self.stain(pen, one, left, 55.5);
        } else if let Some(guard) = one.guard {
            self.text(pen, "t1 i3", left, 55.5, guard);
        } else {
            self.writer(pen, one, left, 55.5);
        }
        self.text(pen, "t1 i3", 195.5, 26.5, &fit(&one.name, 62.0, 12.0, Face::Sans));
        self.text(pen, "t4 b", 195.5, 54.5, &one.value.to_string());
        if let Some(highest) = one.highest {
            self.text(pen, "t1 i3", 261.5, 26.5, Word::Highest.get(self.lang));
            self.text(pen, "t4 b", 261.5, 54.5, &highest.to_string());
        } else {
            self.text(pen, "t1 i2", 261.5, 54.0, &phrases::version(one.version, self.lang));
        }
    }

    /// Several resources, a line each.
    fn listed(&self, pen: &mut Pen, several: &[ResourceFacts]) {
        let card = self.card;
        let big = card.h >= 110.0;
        let (top, left) = if big { (54.5, 31.5) } else { (34.0, 19.5) };
        if big {
            server_sign(pen, true, within(card, 15.5, 9.5));
        }
        let (name_x, name_y) = if big { (43.5, 23.5) } else { (left, 17.0) };
        self.text(pen, "t2 sb", name_x, name_y, &self.facts.node.title);
        self.top_pill(pen, None, 19.0, 43.5);
        let fitting = ((card.h - top + 10.0) / 20.0) as usize;
        for (nth, one) in several.iter().take(fitting.max(1)).enumerate() {
            let (x, y) = (left + 76.0, top + nth as f64 * 20.0);
            self.text(pen, "t2 i2", left, y, &fit(&one.name, 72.0, 13.0, Face::Sans));
            self.text(pen, "t2 b", x, y, &one.value.to_string());
            if one.stain.is_some() {
                self.stain(pen, one, x + 30.0, y);
                continue;
            }
            let note = one.gate.clone().unwrap_or_else(|| phrases::version(one.version, self.lang));
            self.text(pen, "t1 i3", x + 30.0, y, &note);
        }
    }
}
