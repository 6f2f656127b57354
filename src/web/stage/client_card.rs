//! A client's card: sign, name, what is unusual, the program, the clocks, the kernel buffer.

use std::rc::Rc;

use yew::prelude::*;

use super::facts::{Claim, ClientFacts, NodeFacts, State};
use super::layout::{ClientPlace, FlagStyle, LINE_H};
use super::measure::{Face, deviation, fit, instant, text_width, wall};
use super::phrases;
use super::pieces::{Sign, card_box, envelope, glyph, labelled, pill, pill_width, px, rule, text, within};
use super::shape::{Px, Rect, at};
use super::words::Word;
use crate::vocabulary::{Lang, LineIx};
use crate::web::scene::Room;

/// What a client's card is drawn from.
#[derive(Properties, Clone, PartialEq)]
pub(crate) struct ClientCardProps {
    /// Its place among the clients.
    pub(crate) ix: usize,
    /// What there is to say.
    pub(crate) facts: Rc<ClientFacts>,
    /// Its program as shown.
    pub(crate) program: Rc<[AttrValue]>,
    /// Where it stands.
    pub(crate) place: ClientPlace,
    /// In which drawing.
    pub(crate) room: Room,
    /// The language of words.
    pub(crate) lang: Lang,
}

/// A client's card.
#[component]
pub(crate) fn ClientCard(props: &ClientCardProps) -> Html {
    let ClientCardProps { ix, facts, program, place, room, lang } = props;
    let (node, card) = (&facts.node, &place.card);
    let down = matches!(node.state, State::Down { .. });
    let center_y = if place.style == FlagStyle::Tiny { card.h / 2.0 } else { 24.5 };
    let (r, dx) = match room {
        Room::Phone => (11.5, 21.5),
        Room::Mini => (11.5, 19.5),
        Room::Full | Room::Compact => (13.0, 27.5),
    };
    let name_x = dx + r + 8.5;
    // Where a claim would stand within the card, the program has room while there is none.
    let free = *room == Room::Phone && facts.claim == Claim::None;
    let (lines, top) = if free { place.without_claim(program.len()) } else { (place.lines, place.listing_y) };
    html! {
        <>
            { card_box(card, card_class(node), if *room == Room::Mini { "22" } else { "12" }) }
            { glyph(*ix, within(card, dx, center_y), r, down) }
            { text(if card.w < 120.0 { "t2 sb" } else { "t3 sb" }, within(card, name_x, center_y + 5.0), node.title.clone()) }
            { state_pill(node, card, center_y, name_x, *room, *lang) }
            if down && place.style != FlagStyle::Tiny {
                { text("t2 i2", at(card.x + 16.0, place.listing_y), Word::MemoryGone.get(*lang)) }
            } else if lines > 0 {
                <Listing ix={*ix} line={facts.line} pinned={pinned(node.state, *lang)} program={program.clone()}
                    card={*card} {lines} {top} slim={card.w < 200.0} />
            }
            if let Some(y) = place.clocks_y { { clocks(node, card, y, *lang) } }
            { buffer(node, card, *lang) }
        </>
    }
}

/// The classes by which a card shows its node's state.
pub(crate) fn card_class(node: &NodeFacts) -> Classes {
    let state = match node.state {
        State::Asleep { .. } => Some("asleep"),
        State::Down { .. } => Some("down"),
        _ => None,
    };
    classes!(state, node.active.then_some("active"), node.selected.then_some("chosen"))
}

/// A card's pill; only what is unusual gets one.
pub(crate) fn state_pill(node: &NodeFacts, card: &Rect, y: f64, name_x: f64, room: Room, lang: Lang) -> Html {
    let Some((word, sign, tone)) = pill_parts(node, lang) else { return Html::default() };
    let room_left = card.w - name_x - text_width(&node.title, 15.0, Face::Bold) - 16.0;
    let short = matches!(node.state, State::JustWoke { .. }) && pill_width(&word, sign) > room_left;
    let word = if short { Word::Awake.get(lang).to_owned() } else { word };
    let sign =
        if room != Room::Full && pill_width(&word, sign) > room_left && pill_width(&word, Sign::None) <= room_left {
            Sign::None
        } else {
            sign
        };
    pill(&word, sign, tone, card.right() - 11.5, card.y + y, room_left)
}

/// The word, sign and tone of a node's pill.
fn pill_parts(node: &NodeFacts, lang: Lang) -> Option<(String, Sign, &'static str)> {
    let word = |word: Word| word.get(lang).to_owned();
    Some(match node.state {
        State::Asleep { cause: Some(_), .. } => (word(Word::Asleep), Sign::Sleep, "mute"),
        State::Asleep { cause: None, .. } => (word(Word::Suspended), Sign::Sleep, "mute"),
        State::Down { power: false } => (word(Word::Crashed), Sign::Power, "mute"),
        State::Down { power: true } => (word(Word::Down), Sign::Power, "mute"),
        State::CutOff => (word(Word::CutOff), Sign::Cut, "risk"),
        State::JustWoke { .. } => (word(Word::JustWoke), Sign::Clock, "mute"),
        State::Up | State::Finished => match node.clock_off_us {
            Some(off) => (deviation(off), Sign::Clock, "risk"),
            None if node.state == State::Finished => (word(Word::Finished), Sign::Done, "mute"),
            None => return None,
        },
    })
}

/// The notes that may be pinned to the current line, the fullest first.
fn pinned(state: State, lang: Lang) -> Rc<[AttrValue]> {
    let notes: Vec<AttrValue> = match state {
        State::Asleep { cause: Some(cause), so_far } => {
            let length = super::measure::seconds(so_far.0, lang);
            let brief = [phrases::pause_cause(cause, lang), " ", &length].concat();
            vec![phrases::sleeps(cause, so_far.0, lang).into(), brief.into(), length.into()]
        }
        State::Asleep { cause: None, so_far } => vec![super::measure::seconds(so_far.0, lang).into()],
        State::JustWoke { slept } => vec![phrases::slept(slept.0, lang).into()],
        _ => Vec::new(),
    };
    notes.into()
}

/// The clocks at the foot of a card.
pub(crate) fn clocks(node: &NodeFacts, card: &Rect, y: f64, lang: Lang) -> Html {
    let off = node.clock_off_us.is_some();
    html! {
        <>
            { rule(card, y - 22.0) }
            { labelled(Word::Wall.get(lang), &wall(node.wall_us), at(card.x + 12.5, y), false, off) }
            { labelled(Word::Mono.get(lang), &mono(node.mono_us), at(card.right() - 12.5, y), true, false) }
        </>
    }
}

/// A monotonic clock's face.
pub(crate) fn mono(us: i64) -> String {
    instant(crate::vocabulary::Time(us.max(0) as u64 / 1000 * 1000))
}

/// The packets in the kernel buffer, as a small stack at the card's lower edge.
pub(crate) fn buffer(node: &NodeFacts, card: &Rect, lang: Lang) -> Html {
    if node.waiting == 0 {
        return Html::default();
    }
    let (x, y) = (card.x + 30.0, card.bottom() + 13.0);
    let sheets = (0..node.waiting.min(3)).rev().map(|nth| {
        let off = f64::from(nth) * 6.0;
        envelope(at(x + off, y - off * 0.7), 0.0)
    });
    let words = phrases::buffered(node.waiting, lang);
    let roomy = card.w >= text_width(&words, 12.0, Face::Bold) + 70.0;
    let words = if roomy { words } else { ["×", &node.waiting.to_string()].concat() };
    html! {
        <g class="mutec buffer">
            { for sheets }
            { text("t1 sb halo", at(x + 34.0, y + 8.0), words) }
        </g>
    }
}

/// What a listing is drawn from.
#[derive(Properties, Clone, PartialEq)]
struct ListingProps {
    ix: usize,
    line: Option<LineIx>,
    pinned: Rc<[AttrValue]>,
    program: Rc<[AttrValue]>,
    card: Rect,
    lines: usize,
    top: f64,
    slim: bool,
}

/// The part of the program around the current line, and what is pinned to it.
#[component]
fn Listing(props: &ListingProps) -> Html {
    let ListingProps { ix, line, pinned, program, card, lines, top, slim } = props;
    let first = first_line(program.len(), *lines, line.map(LineIx::ix));
    let inset = if *slim { 4.0 } else { 0.0 };
    let (number_x, text_x) = (card.x + 31.5 - inset, card.x + 41.5 - inset);
    let rows = program.iter().enumerate().skip(first).take(*lines).map(|(nth, words)| {
        let y = top + (nth - first) as f64 * LINE_H;
        let current = line.is_some_and(|line| line.ix() == nth);
        let past = line.is_none_or(|line| nth < line.ix());
        let class = match (current, past) {
            (true, _) => "t2 m sb",
            (false, true) => "t2 m i2",
            (false, false) => "t2 m i3",
        };
        let room = card.right() - 14.0 - text_x;
        let words = fit(words, room, 13.0, Face::Mono);
        let left = room - text_width(&words, 13.0, Face::Mono) - 8.0;
        let note = pinned.iter().find(|note| text_width(note, 12.0, Face::Bold) <= left);
        html! {
            <>
                if current { { current_row(card, y, inset) } }
                { text("t1 m i3 end", at(number_x, y), (nth + 1).to_string()) }
                { text(class, at(text_x, y), words) }
                if let Some(note) = note.filter(|_| current) {
                    { text("t1 sb ci end", at(card.right() - 15.5, y), note.clone()) }
                }
            </>
        }
    });
    html! { <g class={super::pieces::client_class(*ix)}>{ for rows }</g> }
}

fn current_row(card: &Rect, y: f64, inset: f64) -> Html {
    let x = card.x + 7.5 - inset;
    let arrow = format!("M{} {}l6 4.5-6 4.5z", Px(x + 5.0), Px(y - 8.8));
    html! {
        <>
            <rect class="wash" x={px(x)} y={px(y - 14.3)} width={px(card.w - 15.0 + 2.0 * inset)} height="20" rx="5" />
            <path class="cf" d={arrow} />
        </>
    }
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
