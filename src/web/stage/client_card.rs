//! A client's card: sign, name, what is unusual, the program, the clocks, the kernel buffer.

use super::facts::votes::Tally;
use super::facts::{Claim, ClientFacts, NodeFacts, State};
use super::ink::Ink;
use super::layout::{ClientPlace, FlagStyle, LINE_H};
use super::measure::{Face, deviation, fit, instant, seconds, text_width, wall};
use super::pen::Pen;
use super::phrases;
use super::pieces::{Sign, cells, client_class, envelope, fitting, glyph, labelled, pill, pill_width, rule, within};
use super::shape::{Rect, at};
use super::words::Word;
use crate::vocabulary::{Lang, LineIx, Time};
use crate::web::scene::Room;

/// Draws a client's card; `program` are its lines as shown.
pub(crate) fn draw(
    pen: &mut Pen,
    ix: usize,
    facts: &ClientFacts,
    program: &[String],
    sheet: (&ClientPlace, Room, Lang),
) {
    let (place, room, lang) = sheet;
    let (node, card) = (&facts.node, &place.card);
    let down = matches!(node.state, State::Down { .. });
    let center_y = if place.style == FlagStyle::Tiny { card.h / 2.0 } else { 24.5 };
    let (r, dx) = match room {
        Room::Phone => (11.5, 21.5),
        Room::Mini => (11.5, 19.5),
        Room::Full | Room::Compact => (13.0, 27.5),
    };
    let name_x = dx + r + 8.5;
    pen.rect(&card_classes(node), card, if room == Room::Mini { 22.0 } else { 12.0 });
    glyph(pen, ix, within(card, dx, center_y), r, down);
    let name_class = if card.w < 120.0 { "t2 sb" } else { "t3 sb" };
    pen.text(&[name_class], within(card, name_x, center_y + 5.0), &node.title);
    pen.cut();
    state_pill(pen, node, card, (name_x, center_y), (room, lang));
    pen.cut();
    if let (Some((y, timed)), Some(tally)) = (place.votes, &facts.tally) {
        pen.open(&[client_class(ix)]);
        votes(pen, tally, card, (y, timed), lang);
        pen.close();
    }
    pen.cut();
    // Where a claim would stand within the card, the program has room while there is none.
    let free = room == Room::Phone && facts.claim == Claim::None;
    let (lines, top) = if free { place.without_claim(program.len()) } else { (place.lines, place.listing_y) };
    if down && place.style != FlagStyle::Tiny {
        pen.text(&["t2 i2"], at(card.x + 16.0, place.listing_y), Word::MemoryGone.get(lang));
    } else if lines > 0 {
        pen.open(&[client_class(ix)]);
        listing(pen, facts, program, card, (lines, top), lang);
        pen.close();
    }
    pen.cut();
    if let Some(y) = place.clocks_y {
        clocks(pen, node, card, y, lang);
    }
    pen.cut();
    buffer(pen, node, card, lang);
}

/// The votes against the quorum, what is true beside them, and the time it took.
fn votes(pen: &mut Pen, tally: &Tally, card: &Rect, (y, timed): (f64, bool), lang: Lang) {
    let (x, size) = (card.x + 13.0, if card.w < 200.0 { 15.0 } else { 18.0 });
    cells(pen, &tally.cells, at(x, y), size);
    let words_x = x + tally.cells.len() as f64 * (size + 3.0) + 5.0;
    let room = card.right() - words_x - 6.0;
    let counted = phrases::votes(tally.yes, tally.needed, lang);
    pen.text(&["t1 sb"], at(words_x, y + 7.0), fitting(&counted, room, Face::Bold));
    let wrong = (tally.keep >= tally.majority) != (tally.yes >= tally.needed) && !tally.open();
    let keep = phrases::keep(tally.keep, lang);
    let class = if wrong { "t1 risk si sb" } else { "t1 i2" };
    pen.text(&[class], at(words_x, y + 21.5), fitting(&keep, room, Face::Bold));
    if timed {
        let passed = phrases::passed(tally, lang);
        pen.text(&["t1 i2"], at(x, y + 36.0), fitting(&passed, card.w - 24.0, Face::Sans));
    }
}

/// The classes by which a card shows its node's state.
pub(crate) fn card_classes(node: &NodeFacts) -> [&'static str; 4] {
    let state = match node.state {
        State::Asleep { .. } => "asleep",
        State::Down { .. } => "down",
        _ => "",
    };
    ["card", state, if node.active { "active" } else { "" }, if node.selected { "chosen" } else { "" }]
}

/// A card's pill; only what is unusual gets one. `name` is where the card's name begins, from its corner.
pub(crate) fn state_pill(pen: &mut Pen, node: &NodeFacts, card: &Rect, name: (f64, f64), (room, lang): (Room, Lang)) {
    let Some((word, sign, tone)) = pill_parts(node, lang) else { return };
    let most = card.w - name.0 - text_width(&node.title, 15.0, Face::Bold) - 16.0;
    let tight = pill_width(&word, sign) > most;
    let word = if tight && word == Word::JustWoke.get(lang) { Word::Awake.get(lang).to_owned() } else { word };
    let unsigned = room != Room::Full && pill_width(&word, sign) > most && pill_width(&word, Sign::None) <= most;
    let sign = if unsigned { Sign::None } else { sign };
    pill(pen, (&word, sign, tone), at(card.right() - 11.5, card.y + name.1), most);
}

/// The word, sign and tone of a node's pill.
fn pill_parts(node: &NodeFacts, lang: Lang) -> Option<(String, Sign, &'static str)> {
    let (word, sign, tone) = match node.state {
        State::Asleep { cause: Some(_), .. } => (Word::Asleep, Sign::Sleep, "mute"),
        State::Asleep { cause: None, .. } => (Word::Suspended, Sign::Sleep, "mute"),
        State::Down { power: false } => (Word::Crashed, Sign::Power, "mute"),
        State::Down { power: true } => (Word::Down, Sign::Power, "mute"),
        State::CutOff => (Word::CutOff, Sign::Cut, "risk"),
        State::JustWoke { .. } => (Word::JustWoke, Sign::Clock, "mute"),
        State::Up | State::Finished => match node.clock_off_us {
            Some(off) => return Some((deviation(off), Sign::Clock, "risk")),
            None if node.state == State::Finished => (Word::Finished, Sign::Done, "mute"),
            None => return None,
        },
    };
    Some((word.get(lang).to_owned(), sign, tone))
}

/// The notes that may be pinned to the current line, the fullest first.
fn pinned(state: State, lang: Lang) -> Vec<String> {
    match state {
        State::Asleep { cause: Some(cause), so_far } => {
            let length = seconds(so_far.0, lang);
            let brief = [phrases::pause_cause(cause, lang), " ", &length].concat();
            vec![phrases::sleeps(cause, so_far.0, lang), brief, length]
        }
        State::Asleep { cause: None, so_far } => vec![seconds(so_far.0, lang)],
        State::JustWoke { slept } => vec![phrases::slept(slept.0, lang)],
        _ => Vec::new(),
    }
}

/// The clocks at the foot of a card.
pub(crate) fn clocks(pen: &mut Pen, node: &NodeFacts, card: &Rect, y: f64, lang: Lang) {
    let off = node.clock_off_us.is_some();
    let mono = instant(Time(node.mono_us.max(0) as u64 / 1000 * 1000));
    rule(pen, card, y - 22.0);
    labelled(pen, Word::Wall.get(lang), &wall(node.wall_us), at(card.x + 12.5, y), false, off);
    labelled(pen, Word::Mono.get(lang), &mono, at(card.right() - 12.5, y), true, false);
}

/// The packets in the kernel buffer, as a small stack at the card's lower edge.
pub(crate) fn buffer(pen: &mut Pen, node: &NodeFacts, card: &Rect, lang: Lang) {
    if node.waiting == 0 {
        return;
    }
    let (x, y) = (card.x + 30.0, card.bottom() + 13.0);
    pen.open(&["mutec"]);
    for nth in (0..node.waiting.min(3)).rev() {
        let off = f64::from(nth) * 6.0;
        envelope(pen, at(x + off, y - off * 0.7), 0.0);
    }
    let words = phrases::buffered(node.waiting, lang);
    let roomy = card.w >= text_width(&words, 12.0, Face::Bold) + 70.0;
    let words = if roomy { words } else { ["×", &node.waiting.to_string()].concat() };
    pen.text(&["t1 sb halo"], at(x + 34.0, y + 8.0), &words);
    pen.close();
}

/// The part of the program around the current line, and what is pinned to it.
fn listing(
    pen: &mut Pen,
    facts: &ClientFacts,
    program: &[String],
    card: &Rect,
    (lines, top): (usize, f64),
    lang: Lang,
) {
    let line = facts.line.map(LineIx::ix);
    let first = first_line(program.len(), lines, line);
    let inset = if card.w < 200.0 { 4.0 } else { 0.0 };
    let (number_x, text_x) = (card.x + 31.5 - inset, card.x + 41.5 - inset);
    let notes = pinned(facts.node.state, lang);
    if let Some(line) = line.filter(|line| (first..first + lines).contains(line)) {
        current_row(pen, card, top + (line - first) as f64 * LINE_H, inset);
    }
    for (nth, words) in program.iter().enumerate().skip(first).take(lines) {
        let y = top + (nth - first) as f64 * LINE_H;
        let current = line == Some(nth);
        let past = line.is_none_or(|line| nth < line);
        let class = match (current, past) {
            (true, _) => "t2 m sb",
            (false, true) => "t2 m i2",
            (false, false) => "t2 m i3",
        };
        let room = card.right() - 14.0 - text_x;
        let words = fit(words, room, 13.0, Face::Mono);
        pen.text(&["t1 m i3 end"], at(number_x, y), &(nth + 1).to_string());
        pen.text(&[class], at(text_x, y), &words);
        let left = room - text_width(&words, 13.0, Face::Mono) - 8.0;
        let note = notes.iter().find(|note| text_width(note, 12.0, Face::Bold) <= left);
        if let Some(note) = note.filter(|_| current) {
            pen.text(&["t1 sb ci end"], at(card.right() - 15.5, y), note);
        }
    }
}

fn current_row(pen: &mut Pen, card: &Rect, y: f64, inset: f64) {
    let x = card.x + 7.5 - inset;
    let mut arrow = Ink::default();
    arrow.start(at(x + 5.0, y - 8.8)).fixed("l6 4.5-6 4.5z");
    pen.rect(&["wash"], &Rect::new(x, y - 14.3, card.w - 15.0 + 2.0 * inset, 20.0), 5.0);
    pen.ink(&["cf"], &arrow);
}

/// The first line of a window of `lines` that shows the current one, in the middle where it can.
pub(crate) fn first_line(program: usize, lines: usize, current: Option<usize>) -> usize {
    let last = program.saturating_sub(lines);
    match current {
        Some(current) => current.saturating_sub(lines.saturating_sub(1) / 2).min(last),
        None => last,
    }
}

#[cfg(test)]
mod tests {
    use super::first_line;

    #[test]
    fn the_current_line_is_always_in_the_window() {
        assert_eq!([0, 1, 3, 5].map(|now| first_line(6, 3, Some(now))), [0, 0, 2, 3]);
        assert_eq!(first_line(6, 3, None), 3);
        assert_eq!(first_line(2, 6, Some(1)), 0);
    }
}
