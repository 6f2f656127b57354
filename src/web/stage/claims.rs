//! Claims: what each client believes as a shell, what is true as a core; where two meet, a red hatch.

use super::facts::{Claim, Clash, Truth, Unaware};
use super::ink::Ink;
use super::layout::{ClientPlace, FlagStyle, Layout, Side};
use super::measure::{Face, text_width};
use super::pen::Pen;
use super::phrases;
use super::pieces::{Badge, badge, client_class};
use super::shape::at;
use super::words::Word;
use crate::vocabulary::Lang;
use crate::web::scene::Room;

/// A claim under way.
pub(crate) struct Flag<'a> {
    /// Its client's place among the clients.
    pub(crate) ix: usize,
    /// The claim.
    pub(crate) claim: Claim,
    /// The lock's name, where there are several.
    pub(crate) lock: Option<&'a str>,
    /// Where it stands.
    pub(crate) place: &'a ClientPlace,
    /// What a claim without an end of its own lasts by.
    pub(crate) endless: Word,
    /// In which drawing.
    pub(crate) room: Room,
    /// The language of words.
    pub(crate) lang: Lang,
}

impl Flag<'_> {
    /// Draws the claim.
    pub(crate) fn draw(&self, pen: &mut Pen) {
        let (flag, lang) = (&self.place.flag, self.lang);
        pen.open(&["claim", client_class(self.ix)]);
        match self.claim {
            Claim::None => {}
            Claim::Wants => {
                pen.ink(&["wants"], &self.outline());
                pen.text(&["t1 i2 mid"], at(flag.middle().x, flag.middle().y + 4.3), Word::Wants.get(lang));
            }
            Claim::Believes { truth, token, .. } => {
                let held = matches!(truth, Truth::True { .. });
                let token = token.map(|token| phrases::token(token.0, lang)).unwrap_or_default();
                pen.ink(&["shell"], &self.outline());
                self.core(pen, held);
                match self.place.style {
                    FlagStyle::Tiny => self.say(pen, Word::Mine.get(lang), truth_word(truth).get(lang), held),
                    FlagStyle::Roomy => self.say(pen, &self.belief(), &token, held),
                    FlagStyle::Dense => self.say(pen, &self.belief(), "", held),
                }
                self.verdict(pen, truth);
            }
            Claim::Unaware(why) => {
                let reason = match why {
                    Unaware::ReplyOnItsWay => Word::ReplyOnItsWay,
                    Unaware::ReleaseOnItsWay => Word::ReleaseOnItsWay,
                    Unaware::Leak => Word::NobodyKnows,
                };
                self.core(pen, true);
                self.say(pen, Word::Held.get(lang), reason.get(lang), true);
                if why == Unaware::Leak {
                    self.tail(pen, Badge::Risk, Word::Leak.get(lang), "");
                }
            }
        }
        pen.close();
    }

    /// The belief in its own words, as large as the flag allows.
    fn belief(&self) -> String {
        let full = match (self.lock, self.lang) {
            (None, lang) => Word::IHold.get(lang).to_owned(),
            (Some(lock), Lang::En) => ["“I hold ", lock, "”"].concat(),
            (Some(lock), Lang::Ko) => ["“", lock, " 락은 내 것이다”"].concat(),
        };
        let fits = text_width(&full, 13.0, Face::Bold) + 2.0 <= self.place.flag.w;
        if fits { full } else { Word::Mine.get(self.lang).to_owned() }
    }

    /// The flag's outline: square where it leaves the card, round where it ends.
    fn outline(&self) -> Ink {
        let (flag, r) = (&self.place.flag, 9.0);
        let (from, to, sweep, dx) = match self.place.side {
            Side::Left => (flag.x, flag.right() - r, 1.0, r),
            Side::Right => (flag.right(), flag.x + r, 0.0, -r),
        };
        let mut ink = Ink::default();
        ink.start(at(from, flag.y)).put('H', &[to]).put('a', &[r, r, 0.0, 0.0, sweep, dx, r]);
        ink.put('v', &[flag.h - 2.0 * r]).put('a', &[r, r, 0.0, 0.0, sweep, -dx, r]).put('H', &[from]).fixed("z");
        ink
    }

    /// The solid core of a claim that is true; where it is not any more, it is there to fade.
    fn core(&self, pen: &mut Pen, held: bool) {
        pen.rect(&["core", if held { "" } else { "gone" }], &self.place.flag.inset(4.0), 6.0);
    }

    fn say(&self, pen: &mut Pen, top: &str, bottom: &str, solid: bool) {
        let flag = &self.place.flag;
        let x = flag.middle().x;
        let roomy = text_width(top, 15.0, Face::Bold) + 14.0 <= flag.w && flag.h >= 44.0;
        let color = if solid { "onc" } else { "ci" };
        let classes = [if roomy { "t3 sb mid" } else { "t2 sb mid" }, color];
        // Two lines fit from 34 px on.
        let two = !bottom.is_empty() && flag.h >= 34.0 && text_width(bottom, 12.0, Face::Sans) + 6.0 <= flag.w;
        if !two {
            return pen.text(&classes, at(x, flag.middle().y + 4.7), top);
        }
        pen.text(&classes, at(x, flag.y + flag.h * 0.46), top);
        pen.text(&["t1 mid", color], at(x, flag.y + flag.h * 0.46 + 16.0), bottom);
    }

    /// The truth below the flag: ✓ and until when, or ▲ and since when.
    fn verdict(&self, pen: &mut Pen, truth: Truth) {
        let lang = self.lang;
        let (kind, time) = match truth {
            Truth::True { until: Some(until) } => (Badge::Ok, phrases::until(until, lang)),
            Truth::True { until: None } => (Badge::Ok, self.endless.get(lang).to_owned()),
            Truth::NotTrue { since } => {
                (Badge::Risk, since.map(|since| phrases::since(since, lang)).unwrap_or_default())
            }
        };
        self.tail(pen, kind, truth_word(truth).get(lang), &time);
    }

    /// A badge and a word below the flag; a time beside or below them.
    fn tail(&self, pen: &mut Pen, kind: Badge, word: &'static str, time: &str) {
        let ClientPlace { flag, style, side, .. } = self.place;
        if *style == FlagStyle::Tiny {
            return;
        }
        let y = flag.bottom() + if *style == FlagStyle::Dense { 13.0 } else { 22.0 };
        let mirrored = *side == Side::Right && self.room != Room::Phone;
        let dir = if mirrored { -1.0 } else { 1.0 };
        let edge = match (self.room, mirrored) {
            (Room::Phone, _) => flag.x - 8.0,
            (_, false) => flag.x,
            (_, true) => flag.right(),
        };
        let (word_x, time_x, time_y) = match style {
            FlagStyle::Dense => (edge + dir * 27.0, edge + dir * (37.0 + text_width(word, 12.0, Face::Bold)), y),
            _ => (edge + dir * 35.0, edge + dir * 13.0, y + 17.0),
        };
        let end = if mirrored { "end" } else { "" };
        badge(pen, kind, at(word_x - dir * 14.0, y - 4.3), 7.0);
        pen.text(&["t1 sb si", kind.tone(), end], at(word_x, y), word);
        if !time.is_empty() {
            pen.text(&["t1 i2 halo", end], at(time_x, time_y), time);
        }
    }
}

const fn truth_word(truth: Truth) -> Word {
    match truth {
        Truth::True { .. } => Word::True,
        Truth::NotTrue { .. } => Word::NotTrue,
    }
}

/// Where claims collide.
pub(crate) fn clash(pen: &mut Pen, both: &Clash, layout: &Layout, lang: Lang) {
    let Some(inner) = layout.clash_box(both.clients.iter().copied()) else { return };
    let word = match (both.clients.len(), both.one_holds) {
        (2, true) => Word::TwoOneHolds,
        (2, false) => Word::TwoNoneHolds,
        _ => Word::ManyBelieve,
    };
    pen.open(&["clash"]);
    pen.rect(&["clash-wash"], &inner, 4.0);
    pen.rect(&["clash-hatch"], &inner, 4.0);
    badge(pen, Badge::Bad, inner.middle(), if layout.room == Room::Phone { 12.0 } else { 13.0 });
    let headline = layout.headline;
    if headline.shown {
        let size = if layout.room == Room::Full { "t3" } else { "t2" };
        pen.text(&[size, "b mid bad si halo"], at(headline.x, headline.y), word.get(lang));
    }
    pen.close();
}
