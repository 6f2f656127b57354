//! A storage server's card: values, versions, writers, the highest token; its guard as gates on the links.

use std::rc::Rc;

use yew::prelude::*;

use super::client_card::{buffer, card_class, state_pill};
use super::facts::{ResourceFacts, State, StorageFacts};
use super::layout::{GATE_H, GATE_W};
use super::measure::{Face, fit, text_width};
use super::phrases;
use super::pieces::{Badge, Sign, badge, card_box, client_class, pill, px, server_sign, text, within, words};
use super::shape::{Point, Rect, at};
use super::words::Word;
use crate::vocabulary::Lang;
use crate::web::scene::Room;

/// What a storage server's card is drawn from.
#[derive(Properties, Clone, PartialEq)]
pub(crate) struct StorageCardProps {
    /// What there is to say.
    pub(crate) facts: Rc<StorageFacts>,
    /// What people call the clients.
    pub(crate) clients: Rc<[AttrValue]>,
    /// Where it stands.
    pub(crate) card: Rect,
    /// In which drawing.
    pub(crate) room: Room,
    /// The language of words.
    pub(crate) lang: Lang,
}

/// A storage server's card.
#[component]
pub(crate) fn StorageCard(props: &StorageCardProps) -> Html {
    let StorageCardProps { facts, card, room, lang, .. } = props;
    let stained = facts.resources.iter().any(|resource| resource.stain.is_some());
    let face = match facts.resources.as_slice() {
        [one] if card.h >= 110.0 => full(props, one),
        [one] if *room == Room::Phone => wide(props, one),
        [one] => row(props, one),
        several => listed(props, several),
    };
    html! {
        <>
            { card_box(card, classes!(card_class(&facts.node), stained.then_some("stain")), "12") }
            { face }
            { buffer(&facts.node, card, *lang) }
        </>
    }
}

/// The gate where a guard stands, around the end of a link.
pub(crate) fn gate(words: &str, end: Point) -> Html {
    let w = GATE_W.max(text_width(words, 13.0, Face::Bold) + 14.0);
    html! {
        <g class="gate">
            <rect x={px(end.x - w / 2.0)} y={px(end.y - GATE_H / 2.0)} width={px(w)} height={px(GATE_H)} rx="7" />
            { text("t2 sb mid", at(end.x, end.y + 4.6), words.to_owned()) }
        </g>
    }
}

/// The pill at the top: what is unusual, or else the guard.
fn top_pill(props: &StorageCardProps, guard: Option<&'static str>, y: f64, name_x: f64) -> Html {
    let StorageCardProps { facts, card, room, lang, .. } = props;
    let usual = matches!(facts.node.state, State::Up | State::Finished) && facts.node.clock_off_us.is_none();
    match guard {
        Some(guard) if usual => {
            let most = card.w - name_x - text_width(&facts.node.title, 15.0, Face::Bold) - 20.0;
            pill(guard, Sign::None, "mute", card.right() - 11.5, card.y + y, most)
        }
        _ => state_pill(&facts.node, card, y, name_x, *room, *lang),
    }
}

/// The red note on a spoilt value.
fn stain(one: &ResourceFacts, place: Point, lang: Lang) -> Html {
    let Some(stain) = one.stain else { return Html::default() };
    let word = if stain.lost { Word::LostUpdate } else { Word::StaleWrite };
    let words = stain.should_be.map_or_else(|| word.get(lang).to_owned(), |n| phrases::should_be(n, lang));
    html! {
        <g class="bad">
            { badge(Badge::Bad, at(place.x + 7.0, place.y - 4.0), 7.0) }
            { text("t1 sb si", at(place.x + 18.0, place.y), words) }
        </g>
    }
}

/// Who wrote last.
fn writer(props: &StorageCardProps, one: &ResourceFacts, place: Point) -> Html {
    let Some(writer) = one.writer else { return Html::default() };
    let name = props.clients.get(writer).map_or("", AttrValue::as_str);
    html! {
        <g class={client_class(writer)}>
            { words("t1", place, &[("i3", Word::By.get(props.lang)), ("sb ci", name)]) }
        </g>
    }
}

fn full(props: &StorageCardProps, one: &ResourceFacts) -> Html {
    let StorageCardProps { facts, card, lang, .. } = props;
    let value = one.value.to_string();
    let beside = 39.5 + text_width(&value, 28.0, Face::Bold);
    let (middle, split) = (card.w / 2.0 + 4.0, one.highest.is_some());
    html! {
        <>
            { server_sign(true, within(card, 15.5, 13.5)) }
            { text("t3 sb", within(card, 43.5, 27.5), facts.node.title.clone()) }
            { top_pill(props, one.guard, 23.5, 43.5) }
            { text("t1 i3", within(card, 31.5, 61.5), fit(&one.name, middle - 40.0, 12.0, Face::Sans)) }
            { text("t5 b", within(card, 31.5, 92.5), value) }
            if one.stain.is_some() && !split {
                { stain(one, within(card, beside, 91.5), *lang) }
                { text("t1 i2 end", at(card.right() - 31.5, card.y + 114.5), phrases::version(one.version, *lang)) }
            } else {
                { text("t1 i2", within(card, beside, 91.5), phrases::version(one.version, *lang)) }
            }
            { writer(props, one, within(card, 31.5, 114.5)) }
            if let Some(highest) = one.highest {
                <path class="hair" d={format!("M{} {}v64", px(card.x + middle), px(card.y + 49.5))} />
                { text("t1 i3", within(card, middle + 14.0, 61.5), Word::Highest.get(*lang)) }
                { text("t5 b", within(card, middle + 14.0, 92.5), highest.to_string()) }
                { stain(one, within(card, middle + 14.0, 114.5), *lang) }
            }
        </>
    }
}

/// A flat card.
fn row(props: &StorageCardProps, one: &ResourceFacts) -> Html {
    let StorageCardProps { facts, card, lang, .. } = props;
    let value = one.value.to_string();
    let left = if one.gate.is_some() { 31.5 } else { 19.5 };
    let (top, low) = (card.h / 2.0 - 8.0, card.h / 2.0 + 20.0);
    let second = card.w / 2.0 - 20.0 + left / 2.0;
    let beside = left + text_width(&value, 20.0, Face::Bold) + 8.0;
    html! {
        <>
            { text("t1 sb", within(card, left, top), facts.node.title.clone()) }
            if one.highest.is_none() {
                { text("t1 i3 end", at(card.right() - left, card.y + top), one.name.clone()) }
            }
            { text("t4 b", within(card, left, low), value) }
            if let Some(highest) = one.highest {
                <path class="hair" d={format!("M{} {}v34", px(card.x + second - 13.0), px(card.y + card.h / 2.0 - 17.0))} />
                if one.stain.is_some() {
                    { stain(one, within(card, second, top), *lang) }
                } else {
                    { text("t1 i3", within(card, second, top), Word::Highest.get(*lang)) }
                }
                { text("t4 b", within(card, second, low), highest.to_string()) }
            } else if one.stain.is_some() {
                { stain(one, within(card, beside, low - 2.0), *lang) }
            } else {
                { text("t1 i2", within(card, beside, low - 1.0), phrases::version(one.version, *lang)) }
            }
            if facts.node.state != State::Up { { state_pill(&facts.node, card, 14.0, left, props.room, *lang) } }
        </>
    }
}

/// The phone's card: as wide as the page.
fn wide(props: &StorageCardProps, one: &ResourceFacts) -> Html {
    let StorageCardProps { facts, card, lang, .. } = props;
    let value = one.value.to_string();
    let left = if one.gate.is_some() { 71.5 } else { 19.5 };
    let unusual = !matches!(facts.node.state, State::Up);
    html! {
        <>
            { server_sign(true, within(card, left, 14.5)) }
            { text("t3 sb", within(card, left + 26.0, 28.5), facts.node.title.clone()) }
            if unusual {
                { state_pill(&facts.node, card, 50.0, card.w - left - 120.0, props.room, *lang) }
            } else if one.stain.is_some() {
                { stain(one, within(card, left, 55.5), *lang) }
            } else if let Some(guard) = one.guard {
                { text("t1 i3", within(card, left, 55.5), guard) }
            } else {
                { writer(props, one, within(card, left, 55.5)) }
            }
            { text("t1 i3", within(card, 195.5, 26.5), fit(&one.name, 62.0, 12.0, Face::Sans)) }
            { text("t4 b", within(card, 195.5, 54.5), value) }
            if let Some(highest) = one.highest {
                { text("t1 i3", within(card, 261.5, 26.5), Word::Highest.get(*lang)) }
                { text("t4 b", within(card, 261.5, 54.5), highest.to_string()) }
            } else {
                { text("t1 i2", within(card, 261.5, 54.0), phrases::version(one.version, *lang)) }
            }
        </>
    }
}

/// Several resources, a line each.
fn listed(props: &StorageCardProps, several: &[ResourceFacts]) -> Html {
    let StorageCardProps { facts, card, lang, .. } = props;
    let big = card.h >= 110.0;
    let (top, left) = if big { (54.5, 31.5) } else { (34.0, 19.5) };
    let fitting = ((card.h - top + 10.0) / 20.0) as usize;
    let rows = several.iter().take(fitting.max(1)).enumerate().map(|(nth, one)| {
        let y = top + nth as f64 * 20.0;
        let x = left + 76.0;
        let note = match one.highest {
            Some(highest) => format!("≥ {highest}"),
            None => phrases::version(one.version, *lang),
        };
        html! {
            <>
                { text("t2 i2", within(card, left, y), fit(&one.name, 72.0, 13.0, Face::Sans)) }
                { text("t2 b", within(card, x, y), one.value.to_string()) }
                if one.stain.is_some() {
                    { stain(one, within(card, x + 30.0, y), *lang) }
                } else {
                    { text("t1 i3", within(card, x + 30.0, y), note) }
                }
            </>
        }
    });
    html! {
        <>
            if big { { server_sign(true, within(card, 15.5, 9.5)) } }
            { text("t2 sb", within(card, if big { 43.5 } else { left }, if big { 23.5 } else { 17.0 }), facts.node.title.clone()) }
            { top_pill(props, None, 19.0, 43.5) }
            { for rows }
        </>
    }
}
