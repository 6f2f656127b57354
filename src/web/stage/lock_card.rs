//! A lock node's card: the lease as a ring around its owner's sign, the time that is left, the clocks.

use std::rc::Rc;

use yew::prelude::*;

use super::client_card::{card_class, clocks, state_pill};
use super::facts::{LockFacts, State};
use super::measure::{Face, grouped, text_width, wall, whole_ms};
use super::phrases;
use super::pieces::{Badge, badge, card_box, client_class, labelled, ring, rule, server_sign, text, within, words};
use super::shape::{Rect, at};
use super::words::Word;
use crate::vocabulary::Lang;
use crate::web::scene::Room;

/// What a lock node's card is drawn from.
#[derive(Properties, Clone, PartialEq)]
pub(crate) struct LockCardProps {
    /// What there is to say.
    pub(crate) facts: Rc<LockFacts>,
    /// What people call the owner.
    pub(crate) owner: AttrValue,
    /// Where it stands.
    pub(crate) card: Rect,
    /// In which drawing.
    pub(crate) room: Room,
    /// The language of words.
    pub(crate) lang: Lang,
}

/// A lock node's card, in the fullest form that its place has room for.
#[component]
pub(crate) fn LockCard(props: &LockCardProps) -> Html {
    let card = &props.card;
    let face = match () {
        () if card.w < 100.0 => narrow(props),
        () if card.h >= 120.0 => full(props),
        () if card.h >= 80.0 && card.w < 250.0 => column(props),
        () if card.h >= 80.0 => wide(props),
        () => row(props),
    };
    let round = if props.room == Room::Mini { "10" } else { "12" };
    html! { <>{ card_box(card, card_class(&props.facts.node), round) }{ face }</> }
}

/// How much of the lease is left, of 1, and in words.
fn left(facts: &LockFacts, lang: Lang) -> (f64, Option<String>, Option<String>) {
    let Some(entry) = &facts.entry else { return (0.0, None, None) };
    let Some((left, whole)) = entry.lease else {
        let words = Word::NoEnd.get(lang).to_owned();
        return (1.0, Some(words.clone()), Some(words));
    };
    let part = if whole.0 == 0 { 0.0 } else { left.0 as f64 / whole.0 as f64 };
    let ms = whole_ms(left.0);
    (part, Some(phrases::left(&ms, lang)), Some(phrases::left_of(&ms, &grouped(whole.ms() as i64), lang)))
}

/// The time that is left where there is hardly room to say it.
fn brief(facts: &LockFacts) -> Option<String> {
    let (left, _) = facts.entry.as_ref()?.lease?;
    Some([&whole_ms(left.0), "\u{a0}ms"].concat())
}

fn owner(facts: &LockFacts) -> Option<usize> {
    facts.entry.as_ref().map(|entry| entry.owner)
}

fn is_down(facts: &LockFacts) -> bool {
    matches!(facts.node.state, State::Down { .. })
}

/// "up" where nothing is unusual, a pill otherwise.
fn status(props: &LockCardProps, y: f64, name_x: f64) -> Html {
    let (node, card) = (&props.facts.node, &props.card);
    if node.state != State::Up || node.clock_off_us.is_some() {
        return state_pill(node, card, y, name_x, props.room, props.lang);
    }
    let word = Word::Up.get(props.lang);
    let right = card.right() - 15.5;
    if name_x + text_width(&node.title, 15.0, Face::Bold) + text_width(word, 12.0, Face::Sans) + 40.0 > card.w {
        return Html::default();
    }
    let x = right - text_width(word, 12.0, Face::Sans) - 12.0;
    html! {
        <>
            { text("t1 i2 end", at(right, card.y + y + 4.5), word) }
            { badge(Badge::Ok, at(x, card.y + y), 6.0) }
        </>
    }
}

/// `lock held by client 2`, or that it is free.
fn who(props: &LockCardProps, x: f64, y: f64) -> Html {
    let LockCardProps { facts, card, lang, .. } = props;
    match &facts.entry {
        Some(entry) => html! {
            <g class={client_class(entry.owner)}>
                { words("t2", within(card, x, y), &[
                    ("m sb", &facts.key), ("i3", Word::HeldBy.get(*lang)), ("sb ci", &props.owner),
                ]) }
            </g>
        },
        None => words("t2", within(card, x, y), &[("m sb", &facts.key), ("i2", Word::Free.get(*lang))]),
    }
}

/// The big card of one lock node.
fn full(props: &LockCardProps) -> Html {
    let LockCardProps { facts, card, lang, .. } = props;
    let (part, _, left) = left(facts, *lang);
    let token = facts.token.map(|token| phrases::last_token(token, *lang));
    let (who_y, token_y) = match (&facts.entry, &token) {
        (Some(_), _) => (59.5, 94.5),
        (None, Some(_)) => (66.5, 86.5),
        (None, None) => (75.5, 94.5),
    };
    let (role, role_x) = (Word::LockService.get(*lang), 49.5 + text_width(&facts.node.title, 15.0, Face::Bold));
    let usual = facts.node.state == State::Up && facts.node.clock_off_us.is_none();
    let role_fits = usual && role_x + text_width(role, 12.0, Face::Sans) + 60.0 <= card.w;
    html! {
        <>
            { server_sign(false, within(card, 15.5, 13.5)) }
            { words("t3", within(card, 43.5, 27.5), &[
                ("sb", &facts.node.title), ("t1 i3", if role_fits { role } else { "" }),
            ]) }
            { status(props, 23.0, 43.5) }
            if is_down(facts) {
                { text("t2 i2", within(card, 43.5, 66.0), Word::MemoryGone.get(*lang)) }
            } else {
                { ring(owner(facts), part, within(card, 43.5, 70.5), 23.0, 10.0) }
                { who(props, 83.5, who_y) }
                if let Some(left) = left { { text("t1 i2", within(card, 83.5, 77.5), left) } }
                if let Some(token) = token { { text("t1 i2", within(card, 83.5, token_y), token) } }
            }
            { clocks(&facts.node, card, card.bottom() - 9.5, *lang) }
        </>
    }
}

/// One card of a row of lock nodes.
fn column(props: &LockCardProps) -> Html {
    let LockCardProps { facts, card, lang, .. } = props;
    let (part, left, _) = left(facts, *lang);
    let off = facts.node.clock_off_us.is_some();
    let y = card.bottom() - 12.5;
    html! {
        <>
            { text("t3 sb", within(card, 13.5, 23.5), facts.node.title.clone()) }
            { status(props, 19.5, 13.5) }
            if is_down(facts) {
                { text("t1 i2", within(card, 13.5, 58.0), Word::MemoryGone.get(*lang)) }
            } else {
                { ring(owner(facts), part, within(card, 33.5, 56.5), 18.0, 9.0) }
                if let Some(entry) = &facts.entry {
                    <g class={client_class(entry.owner)}>
                        { text("t2 sb ci", within(card, 63.5, 53.5), props.owner.clone()) }
                    </g>
                } else {
                    { text("t2 i2", within(card, 63.5, 60.5), Word::Free.get(*lang)) }
                }
                if let Some(left) = left { { text("t1 i2", within(card, 63.5, 69.5), left) } }
            }
            { rule(card, y - 17.0) }
            { labelled("", &wall(facts.node.wall_us), at(card.right() - 13.5, y), true, off) }
            { text("t1 i3", at(card.x + 13.5, y), Word::Wall.get(*lang)) }
        </>
    }
}

/// The phone's card of one lock node: as wide as the page.
fn wide(props: &LockCardProps) -> Html {
    let LockCardProps { facts, card, lang, .. } = props;
    let (part, brief, full) = left(facts, *lang);
    let token = facts.token.map(|token| phrases::last_token(token, *lang));
    let usual = facts.node.state == State::Up && facts.node.clock_off_us.is_none();
    let wide = |text: &Option<String>| text.as_ref().map_or(0.0, |text| text_width(text, 12.0, Face::Sans));
    let left = if wide(&full) + wide(&token) + 110.0 <= card.w { full } else { brief };
    html! {
        <>
            { ring(owner(facts), part, within(card, 41.5, 43.5), 24.0, 10.0) }
            { words("t3", within(card, 81.5, 26.5), &[
                ("sb", &facts.node.title), ("t1 i3", if usual { Word::LockService.get(*lang) } else { "" }),
            ]) }
            { status(props, 22.0, 81.5) }
            if is_down(facts) {
                { text("t2 i2", within(card, 81.5, 50.0), Word::MemoryGone.get(*lang)) }
            } else {
                { who(props, 81.5, 48.5) }
                if let Some(left) = left { { text("t1 i2", within(card, 81.5, 68.5), left) } }
                if let Some(token) = token {
                    { text("t1 i2 end", at(card.right() - 13.5, card.y + 68.5), token) }
                }
            }
        </>
    }
}

/// A flat card: ring and two lines.
fn row(props: &LockCardProps) -> Html {
    let LockCardProps { facts, card, lang, .. } = props;
    let (part, left, _) = left(facts, *lang);
    let r = (card.h / 2.0 - 9.5).min(if card.w < 150.0 { 16.0 } else { 24.0 });
    let middle = card.h / 2.0;
    let x = r * 2.0 + 24.0 + if card.w < 150.0 { -4.0 } else { 8.0 };
    let roomy = card.w >= 190.0;
    let up = facts.node.state == State::Up && facts.node.clock_off_us.is_none();
    let second = match (&facts.entry, is_down(facts)) {
        (_, true) => text("t1 i2", within(card, x, middle + 16.0), Word::Down.get(*lang)),
        (Some(entry), _) => {
            let room = card.w - x - 10.0 - if roomy { text_width(&props.owner, 12.0, Face::Bold) + 6.0 } else { 0.0 };
            let left = left.filter(|left| text_width(left, 12.0, Face::Sans) <= room).or_else(|| brief(facts));
            let left = left.unwrap_or_default();
            let parts: &[(&'static str, &str)] =
                if roomy { &[("sb ci", &props.owner), ("i2", &left)] } else { &[("i2", &left)] };
            html! { <g class={client_class(entry.owner)}>{ words("t1", within(card, x, middle + 16.0), parts) }</g> }
        }
        (None, _) => {
            let key = if roomy { facts.key.as_str() } else { "" };
            words("t1", within(card, x, middle + 16.0), &[("m sb", key), ("i2", Word::Free.get(*lang))])
        }
    };
    html! {
        <>
            { ring(owner(facts), part, within(card, r + 15.0, middle), r, 10.0_f64.min(r - 6.0)) }
            { words("t2", within(card, x, middle - 2.0), &[
                ("sb", &facts.node.title), ("t1 i3", if up && roomy { Word::Up.get(*lang) } else { "" }),
            ]) }
            if !up { { state_pill(&facts.node, card, middle - 13.0, x, props.room, *lang) } }
            { second }
        </>
    }
}

/// A card so narrow that its name stands below the ring.
fn narrow(props: &LockCardProps) -> Html {
    let LockCardProps { facts, card, lang, .. } = props;
    let (part, ..) = left(facts, *lang);
    let x = card.w / 2.0;
    let tall = card.h >= 80.0;
    let r = if tall { 18.0 } else { 13.0 };
    let up = facts.node.state == State::Up && facts.node.clock_off_us.is_none();
    html! {
        <>
            { ring(owner(facts), part, within(card, x, r + 8.0), r, r - 8.0) }
            { text("t1 sb mid", within(card, x, r * 2.0 + if tall { 28.0 } else { 21.0 }), facts.node.title.clone()) }
            if !up && tall { { state_pill(&facts.node, card, card.h - 14.0, 0.0, props.room, *lang) } }
        </>
    }
}
