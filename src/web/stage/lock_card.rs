//! A lock node's card: the lease as a ring around its owner's sign, the time that is left, the clocks.

use super::client_card::{card_classes, clocks, state_pill};
use super::facts::votes::Watch;
use super::facts::{LockFacts, State};
use super::measure::{Face, grouped, text_width, wall, whole_ms};
use super::pen::Pen;
use super::phrases;
use super::pieces::{Badge, badge, cells, client_class, fitting, labelled, ring, rule, server_sign, within};
use super::shape::{Rect, at};
use super::words::Word;
use crate::vocabulary::Lang;
use crate::web::scene::Room;

/// A lock node's card under way.
pub(crate) struct LockCard<'a> {
    /// What there is to say.
    pub(crate) facts: &'a LockFacts,
    /// What people call the owner.
    pub(crate) owner: &'a str,
    /// Where it stands.
    pub(crate) card: &'a Rect,
    /// In which drawing.
    pub(crate) room: Room,
    /// The language of words.
    pub(crate) lang: Lang,
}

/// How much of the lease is left, of 1, and in words: briefest first.
struct Left {
    part: f64,
    words: [String; 3],
}

impl LockCard<'_> {
    /// Draws the card in the fullest form that its place has room for.
    pub(crate) fn draw(&self, pen: &mut Pen) {
        let card = self.card;
        pen.rect(&card_classes(&self.facts.node), card, if self.room == Room::Mini { 10.0 } else { 12.0 });
        pen.cut();
        match () {
            () if let Some(watch) = &self.facts.watch => self.sentinel(pen, watch),
            () if card.w < 100.0 => self.narrow(pen),
            () if card.h >= 120.0 => self.full(pen),
            () if card.h >= 80.0 && card.w < 250.0 => self.column(pen),
            () if card.h >= 80.0 => self.wide(pen),
            () => self.row(pen),
        }
    }

    fn left(&self) -> Left {
        let words = match self.facts.entry.as_ref().map(|entry| entry.lease) {
            None => Default::default(),
            Some(None) => {
                let no_end = self.facts.endless.get(self.lang).to_owned();
                [String::new(), no_end.clone(), no_end]
            }
            Some(Some((left, whole))) => {
                let (ms, of) = (whole_ms(left.0), grouped(whole.ms() as i64));
                let brief = [&ms, "\u{a0}ms"].concat();
                [brief, phrases::left(&ms, self.lang), phrases::left_of(&ms, &of, self.lang)]
            }
        };
        let lease = self.facts.entry.as_ref().map(|entry| entry.lease);
        let part = match lease {
            None => 0.0,
            Some(None) => 1.0,
            Some(Some((left, whole))) => left.0 as f64 / whole.0.max(1) as f64,
        };
        Left { part, words }
    }

    fn owner_ix(&self) -> Option<usize> {
        self.facts.entry.as_ref().map(|entry| entry.owner)
    }

    fn is_down(&self) -> bool {
        matches!(self.facts.node.state, State::Down { .. })
    }

    /// Whether nothing is unusual.
    fn is_usual(&self) -> bool {
        self.facts.node.state == State::Up && self.facts.node.clock_off_us.is_none()
    }

    fn text(&self, pen: &mut Pen, class: &str, dx: f64, dy: f64, words: &str) {
        if !words.is_empty() {
            pen.text(&[class], within(self.card, dx, dy), words);
        }
    }

    /// Name and role.
    fn name(&self, pen: &mut Pen, dx: f64, dy: f64, role: &str) {
        pen.words(&["t3"], within(self.card, dx, dy), &[("sb", &self.facts.node.title), ("t1 i3", role)]);
    }

    /// "up" where nothing is unusual, a pill otherwise.
    fn status(&self, pen: &mut Pen, y: f64, name_x: f64, role: &str) {
        let (node, card) = (&self.facts.node, self.card);
        if !self.is_usual() {
            return state_pill(pen, node, card, (name_x, y), (self.room, self.lang));
        }
        let word = Word::Up.get(self.lang);
        let word_w = text_width(word, 12.0, Face::Sans);
        let name_w = text_width(&node.title, 15.0, Face::Bold) + text_width(role, 12.0, Face::Sans);
        if name_x + name_w + word_w + if role.is_empty() { 40.0 } else { 62.0 } <= card.w {
            let right = card.right() - 15.5;
            pen.text(&["t1 i2 end"], at(right, card.y + y + 4.5), word);
            badge(pen, Badge::Ok, at(right - word_w - 12.0, card.y + y), 6.0);
        }
    }

    /// `lock held by client 2`, or that it is free.
    fn who(&self, pen: &mut Pen, dx: f64, dy: f64) {
        let (place, key) = (within(self.card, dx, dy), self.facts.key.as_str());
        match self.owner_ix() {
            Some(owner) => {
                let held_by = Word::HeldBy.get(self.lang);
                let parts = [("m sb", key), ("i3", held_by), ("sb ci", self.owner)];
                pen.words(&["t2", client_class(owner)], place, &parts);
            }
            None => pen.words(&["t2"], place, &[("m sb", key), ("i2", Word::Free.get(self.lang))]),
        }
    }

    fn token(&self) -> String {
        self.facts.token.map(|token| phrases::last_token(token, self.lang)).unwrap_or_default()
    }

    /// The big card of one lock node.
    fn full(&self, pen: &mut Pen) {
        let (facts, card) = (self.facts, self.card);
        let Left { part, words: [_, _, left] } = self.left();
        let (role, token) = (self.facts.role.get(self.lang), self.token());
        let role_end = 51.5 + text_width(&facts.node.title, 15.0, Face::Bold) + text_width(role, 12.0, Face::Sans);
        server_sign(pen, false, within(card, 15.5, 13.5));
        let role = if self.is_usual() && role_end + 60.0 <= card.w { role } else { "" };
        self.name(pen, 43.5, 27.5, role);
        self.status(pen, 23.0, 43.5, role);
        pen.cut();
        if self.is_down() {
            self.text(pen, "t2 i2", 43.5, 66.0, Word::MemoryGone.get(self.lang));
        } else {
            let (who_y, token_y) = match (&facts.entry, facts.token) {
                (Some(_), _) => (59.5, 94.5),
                (None, Some(_)) => (66.5, 86.5),
                (None, None) => (75.5, 94.5),
            };
            ring(pen, self.owner_ix(), part, within(card, 43.5, 70.5), (23.0, 10.0));
            self.who(pen, 83.5, who_y);
            self.text(pen, "t1 i2", 83.5, 77.5, &left);
            self.text(pen, "t1 i2", 83.5, token_y, &token);
        }
        pen.cut();
        clocks(pen, &facts.node, card, card.bottom() - 9.5, self.lang);
    }

    /// One card of a row of lock nodes.
    fn column(&self, pen: &mut Pen) {
        let (facts, card) = (self.facts, self.card);
        let Left { part, words: [brief, left, _] } = self.left();
        let wordings = [left, brief];
        let left = fitting(&wordings, card.w - 68.0, Face::Sans);
        let y = card.bottom() - 12.5;
        let has_clock = card.h >= 105.0;
        self.text(pen, "t3 sb", 13.5, 23.5, &facts.node.title);
        if self.is_usual() && facts.role != Word::LockService {
            let right = card.right() - 15.5;
            pen.text(&["t1 i2 end"], at(right, card.y + 24.0), facts.role.get(self.lang));
        } else {
            self.status(pen, 19.5, 13.5, "");
        }
        pen.cut();
        if self.is_down() {
            let words = [Word::MemoryGone, Word::Down].map(|word| word.get(self.lang).to_owned());
            self.text(pen, "t1 i2", 13.5, 58.0, fitting(&words, card.w - 18.0, Face::Sans));
        } else {
            ring(pen, self.owner_ix(), part, within(card, 33.5, 56.5), (18.0, 9.0));
            match self.owner_ix() {
                Some(owner) => {
                    // The ring says whose it is, too.
                    let fits = text_width(self.owner, 13.0, Face::Bold) + 66.0 <= card.w;
                    let name = if fits { self.owner } else { "" };
                    pen.text(&["t2 sb ci", client_class(owner)], within(card, 63.5, 53.5), name);
                }
                None => self.text(pen, "t2 i2", 63.5, 60.5, Word::Free.get(self.lang)),
            }
            self.text(pen, "t1 i2", 63.5, 69.5, left);
        }
        if !has_clock {
            return;
        }
        pen.cut();
        rule(pen, card, y - 17.0);
        let off = facts.node.clock_off_us.is_some();
        if let Some(stream) = facts.stream.filter(|_| !off) {
            return pen.text(&["t1 i2"], at(card.x + 13.5, y), &phrases::stream(stream, self.lang));
        }
        labelled(pen, "", &wall(facts.node.wall_us), at(card.right() - 13.5, y), true, off);
        pen.text(&["t1 i3"], at(card.x + 13.5, y), Word::Wall.get(self.lang));
    }

    /// The phone's card of one lock node: as wide as the page.
    fn wide(&self, pen: &mut Pen) {
        let card = self.card;
        let (Left { part, words: [_, brief, full] }, token) = (self.left(), self.token());
        let wide = |text: &str| text_width(text, 12.0, Face::Sans);
        let left = if wide(&full) + wide(&token) + 110.0 <= card.w { full } else { brief };
        ring(pen, self.owner_ix(), part, within(card, 41.5, 43.5), (24.0, 10.0));
        let role = if self.is_usual() { self.facts.role.get(self.lang) } else { "" };
        self.name(pen, 81.5, 26.5, role);
        self.status(pen, 22.0, 81.5, role);
        pen.cut();
        if self.is_down() {
            self.text(pen, "t2 i2", 81.5, 50.0, Word::MemoryGone.get(self.lang));
        } else {
            self.who(pen, 81.5, 48.5);
            self.text(pen, "t1 i2", 81.5, 68.5, &left);
            self.text(pen, "t1 i2 end", card.w - 13.5, 68.5, &token);
            if let Some(stream) = self.facts.stream.filter(|_| card.h >= 98.0) {
                self.text(pen, "t1 i3", 81.5, 88.5, &phrases::stream(stream, self.lang));
            }
        }
    }

    /// A flat card: ring and two lines.
    fn row(&self, pen: &mut Pen) {
        let (facts, card) = (self.facts, self.card);
        let Left { part, words: [brief, left, _] } = self.left();
        let small = card.w < 150.0;
        let r = (card.h / 2.0 - 9.5).min(if small { 16.0 } else { 24.0 });
        let middle = card.h / 2.0;
        let x = r * 2.0 + 24.0 + if small { -4.0 } else { 8.0 };
        let roomy = card.w >= 190.0;
        ring(pen, self.owner_ix(), part, within(card, r + 15.0, middle), (r, (r - 6.0).min(10.0)));
        // Among replicas, who is the primary says more than that all are up.
        let stream = facts.stream.filter(|_| !self.is_down() && roomy && card.h >= 55.0);
        let (first_y, second_y) =
            if stream.is_some() { (middle - 9.0, middle + 6.0) } else { (middle - 2.0, middle + 16.0) };
        if let Some(stream) = stream {
            self.text(pen, "t1 i3", x, middle + 21.0, &phrases::stream(stream, self.lang));
        }
        let usual = if facts.role == Word::LockService { Word::Up } else { facts.role };
        let usual = if self.is_usual() && roomy { usual.get(self.lang).to_owned() } else { String::new() };
        let room = card.w - x - text_width(&facts.node.title, 13.0, Face::Bold) - 12.0;
        let usual = [usual];
        let usual = fitting(&usual, room, Face::Sans);
        let first = [("sb", facts.node.title.as_str()), ("t1 i3", usual)];
        pen.words(&["t2"], within(card, x, first_y), &first);
        if !self.is_usual() {
            state_pill(pen, &facts.node, card, (x, middle - 13.0), (self.room, self.lang));
        }
        let place = within(card, x, second_y);
        match self.owner_ix().filter(|_| !self.is_down()) {
            Some(owner) => {
                let beside = |name: &str| card.w - x - 16.0 - text_width(name, 12.0, Face::Bold);
                let fits = |words: &str, name: &str| text_width(words, 12.0, Face::Sans) <= beside(name);
                // The ring says whose it is, too.
                let name = if roomy && fits(&brief, self.owner) { self.owner } else { "" };
                let left = if fits(&left, name) { left } else { brief };
                pen.words(&["t1", client_class(owner)], place, &[("sb ci", name), ("i2", &left)]);
            }
            None if self.is_down() => pen.text(&["t1 i2"], place, Word::Down.get(self.lang)),
            None => {
                let key = if roomy { facts.key.as_str() } else { "" };
                pen.words(&["t1"], place, &[("m sb", key), ("i2", Word::Free.get(self.lang))]);
            }
        }
    }

    /// A sentinel: what it thinks of each node, whom it calls primary, and for how long that one has been silent.
    fn sentinel(&self, pen: &mut Pen, watch: &Watch) {
        let (card, narrow) = (self.card, self.card.w < 130.0);
        let n = watch.cells.len() as f64;
        let size = ((card.w - 16.0) / n - 3.0).min(18.0);
        let cells_w = n * (size + 3.0) - 3.0;
        let column = narrow || card.h >= 100.0;
        let x = if narrow { 8.0 } else { 14.0 };
        let (cells_x, cells_y) = match (narrow, column) {
            (true, _) => ((card.w - cells_w) / 2.0, 26.0),
            (_, true) => (x, 34.0),
            _ => (card.w - 12.0 - cells_w, 8.0),
        };
        let title = fitting(std::slice::from_ref(&self.facts.node.title), card.w - 8.0, Face::Bold);
        self.text(pen, if narrow { "t1 sb" } else { "t2 sb" }, x, if narrow { 18.0 } else { 22.0 }, title);
        if self.is_usual() {
            pen.open(&["mutec"]);
            cells(pen, &watch.cells, within(card, cells_x, cells_y), size);
            pen.close();
        } else {
            state_pill(pen, &self.facts.node, card, (x, cells_y + 9.0), (self.room, self.lang));
        }
        pen.cut();
        if !self.is_down() && card.h >= 55.0 {
            let [first, second] = phrases::watch(watch, self.lang);
            let brief = watch.promoting.as_ref().unwrap_or(&watch.primary).clone();
            let y = if column { cells_y + 35.0 } else { 39.0 };
            let room = card.w - x - 4.0;
            self.text(pen, "t1 i2", x, y, fitting(&[first, brief], room, Face::Sans));
            self.text(pen, "t1 i3", x, y + 15.0, fitting(&[second], room, Face::Sans));
        }
    }

    /// A card so narrow that its name stands below the ring.
    fn narrow(&self, pen: &mut Pen) {
        let (facts, card) = (self.facts, self.card);
        let tall = card.h >= 80.0;
        let (x, r) = (card.w / 2.0, if tall { 18.0 } else { 13.0 });
        ring(pen, self.owner_ix(), self.left().part, within(card, x, r + 8.0), (r, r - 8.0));
        self.text(pen, "t1 sb mid", x, r * 2.0 + if tall { 28.0 } else { 21.0 }, &facts.node.title);
        if !self.is_usual() && tall {
            state_pill(pen, &facts.node, card, (0.0, card.h - 14.0), (self.room, self.lang));
        } else if tall && facts.role != Word::LockService {
            let role = facts.role.get(self.lang);
            self.text(pen, "t1 i2 mid", x, 79.0, fitting(&[role.to_owned()], card.w - 4.0, Face::Sans));
        }
    }
}
