//! Claims: what each client believes as a shell, what is true as a core; where two meet, a red hatch.

use yew::prelude::*;

use super::facts::{Claim, Clash, ClientFacts, Truth, Unaware};
use super::layout::{FlagStyle, Layout, Side};
use super::measure::{Face, text_width};
use super::phrases;
use super::pieces::{Badge, badge, client_class, px, text};
use super::shape::{Px, Rect, at};
use super::words::Word;
use crate::vocabulary::Lang;
use crate::web::scene::Room;

/// What a claim is drawn from.
#[derive(Properties, Clone, PartialEq)]
pub(crate) struct FlagProps {
    /// Its client's place among the clients.
    pub(crate) ix: usize,
    /// The claim.
    pub(crate) claim: Claim,
    /// The lock's name, where there are several.
    pub(crate) lock: Option<AttrValue>,
    /// Where it stands.
    pub(crate) flag: Rect,
    /// On which flank.
    pub(crate) side: Side,
    /// How it is set.
    pub(crate) style: FlagStyle,
    /// In which drawing.
    pub(crate) room: Room,
    /// The language of words.
    pub(crate) lang: Lang,
}

/// What a flag says, top line and bottom line.
type Lines = (AttrValue, Option<AttrValue>);

/// A client's claim.
#[component]
pub(crate) fn Flag(props: &FlagProps) -> Html {
    let FlagProps { ix, claim, flag, style, lang, .. } = props;
    let drawn = match claim {
        Claim::None => return Html::default(),
        Claim::Wants => {
            let words = Word::Wants.get(*lang);
            html! {
                <>
                    <path class="wants" d={outline(flag, props.side)} />
                    { text("t1 i2 mid", at(flag.middle().x, flag.middle().y + 4.3), words) }
                </>
            }
        }
        Claim::Believes { truth, token, .. } => {
            let held = matches!(truth, Truth::True { .. });
            let token = token.map(|token| phrases::token(token.0, *lang).into());
            let lines = match style {
                FlagStyle::Tiny => (Word::Mine.get(*lang).into(), Some(truth_word(*truth, *lang).into())),
                FlagStyle::Roomy => (belief(props), token),
                FlagStyle::Dense => (belief(props), None),
            };
            html! {
                <>
                    <path class="shell" d={outline(flag, props.side)} />
                    { core(flag, held) }
                    { sayings(flag, lines, held) }
                    if *style != FlagStyle::Tiny { { verdict(props, *truth) } }
                </>
            }
        }
        Claim::Unaware(why) => html! {
            <>
                { core(flag, true) }
                { sayings(flag, (Word::Held.get(*lang).into(), Some(unaware(*why).get(*lang).into())), true) }
                if *why == Unaware::Leak && *style != FlagStyle::Tiny { { tail(props, Badge::Risk, Word::Leak.get(*lang), None) } }
            </>
        },
    };
    html! { <g class={classes!("claim", client_class(*ix))}>{ drawn }</g> }
}

/// The belief in its own words, as large as the flag allows.
fn belief(props: &FlagProps) -> AttrValue {
    let full = match (&props.lock, props.lang) {
        (None, lang) => Word::IHold.get(lang).to_owned(),
        (Some(lock), Lang::En) => format!("“I hold {lock}”"),
        (Some(lock), Lang::Ko) => format!("“{lock} 락은 내 것이다”"),
    };
    let fits = text_width(&full, 13.0, Face::Bold) + 2.0 <= props.flag.w;
    if fits { full.into() } else { Word::Mine.get(props.lang).into() }
}

const fn unaware(why: Unaware) -> Word {
    match why {
        Unaware::ReplyOnItsWay => Word::ReplyOnItsWay,
        Unaware::ReleaseOnItsWay => Word::ReleaseOnItsWay,
        Unaware::Leak => Word::NobodyKnows,
    }
}

const fn truth_word(truth: Truth, lang: Lang) -> &'static str {
    match truth {
        Truth::True { .. } => Word::True.get(lang),
        Truth::NotTrue { .. } => Word::NotTrue.get(lang),
    }
}

/// The flag's outline: square where it leaves the card, round where it ends.
fn outline(flag: &Rect, side: Side) -> String {
    let r = 9.0;
    let (from, to, turn) = match side {
        Side::Left => (flag.x, flag.right() - r, 1),
        Side::Right => (flag.right(), flag.x + r, 0),
    };
    let dx = if side == Side::Left { r } else { -r };
    format!(
        "M{from} {y}H{to}a{r} {r} 0 0 {turn} {dx} {r}v{h}a{r} {r} 0 0 {turn} {back} {r}H{from}z",
        from = Px(from),
        y = Px(flag.y),
        to = Px(to),
        h = Px(flag.h - 2.0 * r),
        back = -dx,
    )
}

/// The solid core of a claim that is true. It fades when the truth ends, so it is there before and after.
fn core(flag: &Rect, held: bool) -> Html {
    let inner = flag.inset(4.0);
    let class = if held { "core" } else { "core gone" };
    html! {
        <rect {class} x={px(inner.x)} y={px(inner.y)} width={px(inner.w)} height={px(inner.h)} rx="6" />
    }
}

fn sayings(flag: &Rect, (top, bottom): Lines, solid: bool) -> Html {
    let x = flag.middle().x;
    let roomy = text_width(&top, 15.0, Face::Bold) + 14.0 <= flag.w && flag.h >= 44.0;
    let class = match (roomy, solid) {
        (true, true) => "t3 sb mid onc",
        (true, false) => "t3 sb mid ci",
        (false, true) => "t2 sb mid onc",
        (false, false) => "t2 sb mid ci",
    };
    // Two lines fit from 34 px on.
    match bottom.filter(|bottom| flag.h >= 34.0 && text_width(bottom, 12.0, Face::Sans) + 6.0 <= flag.w) {
        Some(bottom) => html! {
            <>
                { text(class, at(x, flag.y + flag.h * 0.46), top) }
                { text(if solid { "t1 mid onc" } else { "t1 mid ci" }, at(x, flag.y + flag.h * 0.46 + 16.0), bottom) }
            </>
        },
        None => text(class, at(x, flag.middle().y + 4.7), top),
    }
}

/// The truth below the flag: ✓ and until when, or ▲ and since when.
fn verdict(props: &FlagProps, truth: Truth) -> Html {
    let lang = props.lang;
    let (kind, time) = match truth {
        Truth::True { until: Some(until) } => (Badge::Ok, Some(phrases::until(until, lang))),
        Truth::True { until: None } => (Badge::Ok, Some(Word::NoEnd.get(lang).to_owned())),
        Truth::NotTrue { since } => (Badge::Risk, since.map(|since| phrases::since(since, lang))),
    };
    tail(props, kind, truth_word(truth, lang), time)
}

/// A badge and a word below the flag; a time beside or below them.
fn tail(props: &FlagProps, kind: Badge, word: &'static str, time: Option<String>) -> Html {
    let FlagProps { flag, style, side, room, .. } = props;
    let y = flag.bottom() + if *style == FlagStyle::Dense { 13.0 } else { 22.0 };
    let mirrored = *side == Side::Right && *room != Room::Phone;
    let dir = if mirrored { -1.0 } else { 1.0 };
    let edge = match (*room, mirrored) {
        (Room::Phone, _) => flag.x.min(flag.x + 4.0) - 8.0,
        (_, false) => flag.x,
        (_, true) => flag.right(),
    };
    let word_w = text_width(word, 12.0, Face::Bold);
    let (word_x, time_x, time_y) = match style {
        FlagStyle::Dense => (edge + dir * 27.0, edge + dir * (37.0 + word_w), y),
        _ => (edge + dir * 35.0, edge + dir * 13.0, y + 17.0),
    };
    let (word_class, time_class) =
        if mirrored { ("t1 sb si end", "t1 i2 end halo") } else { ("t1 sb si", "t1 i2 halo") };
    html! {
        <g class={kind.tone()}>
            { badge(kind, at(word_x - dir * 14.0, y - 4.3), 7.0) }
            { text(word_class, at(word_x, y), word) }
            if let Some(time) = time { { text(time_class, at(time_x, time_y), time) } }
        </g>
    }
}

/// Where claims collide.
pub(crate) fn clash(both: &Clash, layout: &Layout, lang: Lang) -> Html {
    let Some(inner) = layout.clash_box(both.clients.iter().copied()) else { return Html::default() };
    let word = match (both.clients.len(), both.one_holds) {
        (2, true) => Word::TwoOneHolds,
        (2, false) => Word::TwoNoneHolds,
        _ => Word::ManyBelieve,
    };
    let headline = layout.headline;
    let class = if layout.room == Room::Full { "t3 b mid bad si halo" } else { "t2 b mid bad si halo" };
    let middle = at(inner.middle().x, inner.middle().y);
    html! {
        <g class="clash">
            <rect class="clash-wash" x={px(inner.x)} y={px(inner.y)} width={px(inner.w)} height={px(inner.h)} rx="4" />
            <rect class="clash-hatch" x={px(inner.x)} y={px(inner.y)} width={px(inner.w)} height={px(inner.h)} rx="4" />
            { badge(Badge::Bad, middle, if layout.room == Room::Phone { 12.0 } else { 13.0 }) }
            if headline.shown { { text(class, at(headline.x, headline.y), word.get(lang)) } }
        </g>
    }
}

/// All claims, and the clash between them.
pub(crate) fn claims(facts: &[ClientFacts], layout: &Layout, locks: &[AttrValue], lang: Lang) -> Html {
    let flags = facts.iter().zip(&layout.clients).enumerate().map(|(ix, (facts, place))| {
        let lock = match facts.claim {
            Claim::Believes { service, .. } if locks.len() > 1 => locks.get(service.ix()).cloned(),
            _ => None,
        };
        html! {
            <Flag key={ix} {ix} claim={facts.claim} {lock} flag={place.flag} side={place.side}
                style={place.style} room={layout.room} {lang} />
        }
    });
    html! { <>{ for flags }</> }
}
