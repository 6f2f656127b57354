//! The small pieces that all cards share: glyphs, badges, pills, envelopes, rings.

use super::facts::votes::{Cell, Said};
use super::ink::Ink;
use super::measure::{Face, text_width};
use super::pen::Pen;
use super::shape::{Point, Rect, at};

/// The class that gives a client its colours.
pub(crate) const fn client_class(client: usize) -> &'static str {
    match client % 4 {
        0 => "c1",
        1 => "c2",
        2 => "c3",
        _ => "c4",
    }
}

/// A client's sign: a circle, diamond, triangle or hexagon with its number. From the fifth client on the four shapes
/// repeat with a second outline.
pub(crate) fn glyph(pen: &mut Pen, client: usize, center: Point, r: f64, hollow: bool) {
    let Point { x, y } = center;
    pen.open(&["glyph", client_class(client), if hollow { "hollow" } else { "" }]);
    if client >= 4 {
        outline(pen, client, center, r + 3.0, "ring2");
    }
    outline(pen, client, center, r, "body");
    if r >= 8.0 {
        // The triangle's optical middle lies below that of its box.
        let text_y = y + r * 0.36 + if client % 4 == 2 { r * 0.18 } else { 0.0 };
        pen.text(&["num", if r >= 12.0 { "t2" } else { "t1" }], at(x, text_y), &(client + 1).to_string());
    }
    pen.close();
}

/// The outline of a glyph; all cover about the same area.
fn outline(pen: &mut Pen, client: usize, center: Point, r: f64, class: &str) {
    let corners: &[(f64, f64)] = match client % 4 {
        0 => return pen.circle(&[class], center, r),
        1 => &[(0.0, -1.22), (1.22, 0.0), (0.0, 1.22), (-1.22, 0.0)],
        2 => &[(0.0, -1.2), (1.22, 0.96), (-1.22, 0.96)],
        _ => &[(0.55, -0.96), (1.1, 0.0), (0.55, 0.96), (-0.55, 0.96), (-1.1, 0.0), (-0.55, -0.96)],
    };
    let mut ink = Ink::default();
    for (ix, (dx, dy)) in corners.iter().enumerate() {
        ink.put(if ix == 0 { 'M' } else { 'L' }, &[center.x + dx * r, center.y + dy * r]);
    }
    ink.fixed("z");
    pen.ink(&[class], &ink);
}

/// A status: colour, shape and sign together.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Badge {
    /// Round, teal, ✓.
    Ok,
    /// Triangle, amber, !.
    Risk,
    /// Octagon, red, ✕.
    Bad,
    /// Round, ink, a bar: refused.
    Stop,
}

impl Badge {
    /// The class that gives its colours.
    pub(crate) const fn tone(self) -> &'static str {
        match self {
            Self::Ok => "ok",
            Self::Risk => "risk",
            Self::Bad => "bad",
            Self::Stop => "stop",
        }
    }

    const fn paths(self) -> (&'static str, &'static str) {
        match self {
            Self::Ok => ("M-11 0a11 11 0 1 0 22 0a11 11 0 1 0-22 0z", "M-4.6.4l3 3.2 6.2-6.8"),
            Self::Risk => ("M0-10.6 11.4 9.4h-22.8z", "M0-3.6v5.4M0 5.4v.1"),
            Self::Bad => ("M-4.6-11h9.2L11-4.6v9.2L4.6 11h-9.2L-11 4.6v-9.2z", "M-3.8-3.8l7.6 7.6m0-7.6-7.6 7.6"),
            Self::Stop => ("M-11 0a11 11 0 1 0 22 0a11 11 0 1 0-22 0z", "M-5 0h10"),
        }
    }
}

/// A badge of radius `r` around `center`.
pub(crate) fn badge(pen: &mut Pen, kind: Badge, center: Point, r: f64) {
    let (body, sign) = kind.paths();
    pen.place(&["badge", kind.tone()], center, r / 11.0, 0.0);
    pen.path(&["body"], body);
    pen.path(&["sign"], sign);
    pen.close();
}

/// What a pill says with its sign.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Sign {
    /// None.
    None,
    /// A clock.
    Clock,
    /// Power.
    Power,
    /// A cut link.
    Cut,
    /// Sleep.
    Sleep,
    /// Done.
    Done,
}

impl Sign {
    const fn path(self) -> &'static str {
        match self {
            Self::None => "",
            Self::Clock => "M7 3.9V7l2 1.5M7 1.6a5.4 5.4 0 1 0 0 10.8A5.4 5.4 0 0 0 7 1.6z",
            Self::Power => "M7 1.6v4.8M3.9 3.6a4.8 4.8 0 1 0 6.2 0",
            Self::Cut => "M.8 7h3.6M9.6 7h3.6M8.8 3 5.4 11",
            Self::Done => "M2.6 7.4 5.6 10.4 11.4 3.8",
            Self::Sleep => "M1.6 2.2h4.6L1.6 7.2h4.6M7.8 7h4.2L7.8 11.6H12",
        }
    }
}

/// What a pill looks like: its word, its sign and the class of its colours.
pub(crate) type PillLook<'a> = (&'a str, Sign, &'a str);

/// A pill with its right end at `place`; its text is left out where it is wider than `most`.
pub(crate) fn pill(pen: &mut Pen, (word, sign, tone): PillLook<'_>, place: Point, most: f64) {
    let full = pill_width(word, sign);
    let short = full > most;
    if short && (sign == Sign::None || most < 26.0) {
        return;
    }
    let w = if short { 26.0 } else { full };
    let left = place.x - w;
    pen.open(&["pill", tone]);
    pen.rect(&[], &Rect::new(left, place.y - 12.0, w, 24.0), 12.0);
    if sign != Sign::None {
        pen.sign(&["sign"], at(left + 6.0, place.y - 7.0), sign.path());
    }
    if !short {
        pen.text(&["t1 sb end"], at(place.x - 9.0, place.y + 4.3), word);
    }
    pen.close();
}

/// How wide a pill is.
pub(crate) fn pill_width(text: &str, sign: Sign) -> f64 {
    text_width(text, 12.0, Face::Bold) + if sign == Sign::None { 18.0 } else { 35.0 }
}

/// An envelope around `center`, turned by `tilt` degrees.
pub(crate) fn envelope(pen: &mut Pen, center: Point, tilt: f64) {
    pen.place(&["env"], center, 1.0, tilt);
    pen.rect(&[], &Rect::new(-15.0, -10.0, 30.0, 20.0), 3.0);
    pen.path(&[], "M-12.8-7.4 0 2.4 12.8-7.4");
    pen.close();
}

/// A label in pale ink, then its value.
pub(crate) fn labelled(pen: &mut Pen, label: &str, value: &str, place: Point, end: bool, warn: bool) {
    let value_class = if warn { "risk si sb" } else { "i2" };
    pen.words(&["t1", if end { "end" } else { "" }], place, &[("i3", label), (value_class, value)]);
}

/// A horizontal rule within a card.
pub(crate) fn rule(pen: &mut Pen, card: &Rect, y: f64) {
    let mut ink = Ink::default();
    ink.start(at(card.x + 12.0, y)).put('H', &[card.right() - 12.0]);
    pen.ink(&["hair"], &ink);
}

/// A server's sign: two drawers for a lock node, a drum for storage.
pub(crate) fn server_sign(pen: &mut Pen, storage: bool, corner: Point) {
    let d = if storage {
        "M2 4.2v9.6c0 1.5 3.1 2.7 7 2.7s7-1.2 7-2.7V4.2M2 4.2c0 1.5 3.1 2.7 7 2.7s7-1.2 7-2.7-3.1-2.7-7-2.7-7 1.2-7 \
         2.7zM2 9c0 1.5 3.1 2.7 7 2.7s7-1.2 7-2.7"
    } else {
        "M2.6 2h12.8a1.6 1.6 0 0 1 1.6 1.6v2.8a1.6 1.6 0 0 1-1.6 1.6H2.6A1.6 1.6 0 0 1 1 6.4V3.6A1.6 1.6 0 0 1 2.6 2zm0 \
         8h12.8a1.6 1.6 0 0 1 1.6 1.6v2.8a1.6 1.6 0 0 1-1.6 1.6H2.6A1.6 1.6 0 0 1 1 14.4v-2.8A1.6 1.6 0 0 1 2.6 \
         10zM4.3 5h.1m-.1 8h.1M8 5h6m-6 8h6"
    };
    pen.sign(&["line-sign"], corner, d);
}

/// A lease as a ring that shrinks around its owner's sign: `left` of 1. It ends a piece: without an owner there is less of it.
pub(crate) fn ring(pen: &mut Pen, owner: Option<usize>, left: f64, center: Point, (r, glyph_r): (f64, f64)) {
    pen.circle(&["track"], center, r);
    if let Some(owner) = owner {
        pen.arc(&["lease", client_class(owner)], center, r, left);
        glyph(pen, owner, center, glyph_r, false);
    }
    pen.cut();
}

/// A place relative to a card's top left corner.
pub(crate) fn within(card: &Rect, dx: f64, dy: f64) -> Point {
    at(card.x + dx, card.y + dy)
}

/// What is heard of nodes as shells in a row, each `size` wide; what they truly keep as cores.
pub(crate) fn cells(pen: &mut Pen, cells: &[Cell], corner: Point, size: f64) {
    for (ix, cell) in cells.iter().enumerate() {
        let area = Rect::new(corner.x + ix as f64 * (size + 3.0), corner.y, size, 20.0);
        let (class, word) = match cell.said {
            Said::Yes => ("yes", cell.letter.as_str()),
            Said::Silent => ("", "?"),
            Said::No | Said::Open => ("", cell.letter.as_str()),
        };
        pen.rect(&["cell", class], &area, 5.0);
        if cell.keeps {
            pen.rect(&["core"], &area.inset(3.0), 3.0);
        }
        let ink = match (cell.keeps, class) {
            (true, _) => "onc",
            (false, "yes") => "ci",
            _ => "i3",
        };
        pen.text(&["t1 sb mid", ink], at(area.middle().x, area.y + 14.3), word);
        if cell.said == Said::No {
            let mut ink = Ink::default();
            ink.line(at(area.x + 2.0, area.bottom() - 2.0), at(area.right() - 2.0, area.y + 2.0));
            pen.ink(&["strike"], &ink);
        }
    }
}

/// The first of some wordings that is no wider than `room`.
pub(crate) fn fitting(words: &[String], room: f64, face: Face) -> &str {
    let fits = |words: &&String| text_width(words, 12.0, face) <= room;
    words.iter().find(fits).map_or("", String::as_str)
}
