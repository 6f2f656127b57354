//! The small pieces that all cards share: glyphs, badges, pills, envelopes, clocks.

use yew::prelude::*;

use super::measure::{Face, text_width};
use super::shape::{Point, Px, Rect, at};

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
pub(crate) fn glyph(client: usize, center: Point, r: f64, hollow: bool) -> Html {
    let Point { x, y } = center;
    let class = if hollow { "glyph hollow" } else { "glyph" };
    let text_class = if r >= 12.0 { "num t2" } else { "num t1" };
    // The triangle's optical middle lies below that of its box.
    let text_y = y + r * 0.36 + if client % 4 == 2 { r * 0.18 } else { 0.0 };
    html! {
        <g class={classes!(class, client_class(client))}>
            if client >= 4 { { outline(client, x, y, r + 3.0, "ring2") } }
            { outline(client, x, y, r, "body") }
            if r >= 8.0 {
                <text class={text_class} x={px(x)} y={px(text_y)}>{ client + 1 }</text>
            }
        </g>
    }
}

fn outline(client: usize, x: f64, y: f64, r: f64, class: &'static str) -> Html {
    if client.is_multiple_of(4) {
        return html! { <circle {class} cx={px(x)} cy={px(y)} r={px(r)} /> };
    }
    html! { <path {class} d={outline_path(client, x, y, r)} /> }
}

/// The outline of a glyph other than the circle; all cover about the same area.
fn outline_path(client: usize, x: f64, y: f64, r: f64) -> String {
    let corner = |dx: f64, dy: f64| [Px(x + dx * r).to_string(), Px(y + dy * r).to_string()].join(" ");
    let corners: Vec<String> = match client % 4 {
        1 => [(0.0, -1.22), (1.22, 0.0), (0.0, 1.22), (-1.22, 0.0)].iter().map(|c| corner(c.0, c.1)).collect(),
        2 => [(0.0, -1.2), (1.22, 0.96), (-1.22, 0.96)].iter().map(|c| corner(c.0, c.1)).collect(),
        _ => [(0.55, -0.96), (1.1, 0.0), (0.55, 0.96), (-0.55, 0.96), (-1.1, 0.0), (-0.55, -0.96)]
            .iter()
            .map(|c| corner(c.0, c.1))
            .collect(),
    };
    ["M", &corners.join("L"), "z"].concat()
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
pub(crate) fn badge(kind: Badge, center: Point, r: f64) -> Html {
    let (body, sign) = kind.paths();
    let scale = r / 11.0;
    let transform = format!("translate({} {}) scale({scale:.3})", Px(center.x), Px(center.y));
    html! {
        <g class={classes!("badge", kind.tone())} {transform}>
            <path class="body" d={body} />
            <path class="sign" d={sign} />
        </g>
    }
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

/// A pill with its right end at `right`, centred on `y`; its text is left out where it is wider than `most`.
pub(crate) fn pill(text: &str, sign: Sign, tone: &'static str, right: f64, y: f64, most: f64) -> Html {
    let full = pill_width(text, sign);
    let short = full > most;
    if short && (sign == Sign::None || most < 26.0) {
        return Html::default();
    }
    let w = if short { 26.0 } else { full };
    let x = right - w;
    let sign_at = format!("translate({} {})", Px(x + 6.0), Px(y - 7.0));
    html! {
        <g class={classes!("pill", tone)}>
            <rect x={px(x)} y={px(y - 12.0)} width={px(w)} height="24" rx="12" />
            if sign != Sign::None {
                <path class="sign" transform={sign_at} d={sign.path()} />
            }
            if !short {
                <text class="t1 sb end" x={px(right - 9.0)} y={px(y + 4.3)}>{ text }</text>
            }
        </g>
    }
}

/// How wide a pill is.
pub(crate) fn pill_width(text: &str, sign: Sign) -> f64 {
    text_width(text, 12.0, Face::Bold) + if sign == Sign::None { 18.0 } else { 35.0 }
}

/// An envelope around `center`, turned by `tilt` degrees.
pub(crate) fn envelope(center: Point, tilt: f64) -> Html {
    let transform = format!("translate({} {}) rotate({tilt})", Px(center.x), Px(center.y));
    html! {
        <g class="env" {transform}>
            <rect x="-15" y="-10" width="30" height="20" rx="3" />
            <path d="M-12.8-7.4 0 2.4 12.8-7.4" />
        </g>
    }
}

/// An ink cross around `center`.
pub(crate) fn cross(center: Point, r: f64) -> Html {
    let (x, y) = (center.x, center.y);
    let d = format!("M{} {}l{d} {d}m0-{d}l-{d} {d}", Px(x - r), Px(y - r), d = Px(2.0 * r));
    html! { <path class="cross" {d} /> }
}

/// A label in pale ink, then its value.
pub(crate) fn labelled(label: &str, value: &str, place: Point, end: bool, warn: bool) -> Html {
    let class = classes!("t1", end.then_some("end"));
    let value_class = if warn { "risk si sb" } else { "i2" };
    html! {
        <text {class} x={px(place.x)} y={px(place.y)}>
            <tspan class="i3">{ label }</tspan>
            <tspan class={value_class} dx="6">{ value }</tspan>
        </text>
    }
}

/// A card's outline.
pub(crate) fn card_box(card: &Rect, class: Classes, rx: &'static str) -> Html {
    html! {
        <rect class={classes!("card", class)} {rx}
            x={px(card.x)} y={px(card.y)} width={px(card.w)} height={px(card.h)} />
    }
}

/// A horizontal rule within a card.
pub(crate) fn rule(card: &Rect, y: f64) -> Html {
    html! { <path class="hair" d={format!("M{} {}H{}", Px(card.x + 12.0), Px(y), Px(card.right() - 12.0))} /> }
}

/// A line of text.
pub(crate) fn text(class: &'static str, place: Point, words: impl Into<AttrValue>) -> Html {
    let words: AttrValue = words.into();
    html! { <text {class} x={px(place.x)} y={px(place.y)}>{ words }</text> }
}

/// Words in a row with their classes, as one text.
pub(crate) fn words(class: &'static str, place: Point, parts: &[(&'static str, &str)]) -> Html {
    let said = parts.iter().filter(|(_, part)| !part.is_empty());
    let spans = said.enumerate().map(|(ix, (class, part))| {
        let dx = (ix > 0).then_some("6");
        html! { <tspan class={*class} {dx}>{ *part }</tspan> }
    });
    html! { <text {class} x={px(place.x)} y={px(place.y)}>{ for spans }</text> }
}

/// A server's sign: two drawers for a lock node, a drum for storage.
pub(crate) fn server_sign(storage: bool, corner: Point) -> Html {
    let d = if storage {
        "M2 4.2v9.6c0 1.5 3.1 2.7 7 2.7s7-1.2 7-2.7V4.2M2 4.2c0 1.5 3.1 2.7 7 2.7s7-1.2 7-2.7-3.1-2.7-7-2.7-7 1.2-7 \
         2.7zM2 9c0 1.5 3.1 2.7 7 2.7s7-1.2 7-2.7"
    } else {
        "M2.600 2h12.8a1.600 1.600 0 0 1 1.600 1.600v2.800a1.600 1.600 0 0 1-1.600 1.600H2.600A1.600 1.600 0 0 1 1 \
         6.400V3.600A1.600 1.600 0 0 1 2.600 2zm0 8h12.8a1.600 1.600 0 0 1 1.600 1.600v2.800a1.600 1.600 0 0 1-1.600 \
         1.600H2.600A1.600 1.600 0 0 1 1 14.400v-2.800A1.600 1.600 0 0 1 2.600 10zM4.300 5h.1m-.1 8h.1M8 5h6m-6 8h6"
    };
    html! { <path class="line-sign" transform={format!("translate({} {})", Px(corner.x), Px(corner.y))} {d} /> }
}

/// A lease as a ring that shrinks: `left` of 1.
pub(crate) fn ring(owner: Option<usize>, left: f64, center: Point, r: f64, glyph_r: f64) -> Html {
    let around = 2.0 * std::f64::consts::PI * r;
    let dashes = format!("{} {}", Px(around * left.clamp(0.0, 1.0)), Px(around));
    let turn = format!("rotate(-90 {} {})", Px(center.x), Px(center.y));
    let (cx, cy, r) = (px(center.x), px(center.y), px(r));
    html! {
        <>
            <circle class="track" cx={cx.clone()} cy={cy.clone()} r={r.clone()} />
            if let Some(owner) = owner {
                <circle class={classes!("lease", client_class(owner))} {cx} {cy} {r}
                    stroke-dasharray={dashes} transform={turn} />
                { glyph(owner, center, glyph_r, false) }
            }
        </>
    }
}

/// A coordinate as an attribute.
pub(crate) fn px(v: f64) -> AttrValue {
    AttrValue::from(Px(v).to_string())
}

/// A place relative to a card's top left corner.
pub(crate) fn within(card: &Rect, dx: f64, dy: f64) -> Point {
    at(card.x + dx, card.y + dy)
}
