//! The part of the diagram that stands still while the cursor moves: drawn once for a branch and a window.

use std::rc::Rc;

use yew::prelude::*;

use super::chart::{Chart, MARGIN};
use super::frame::Ink;
use super::picture::{ClientInk, Flag, Label, Picture, Tone};
use super::rail;
use crate::vocabulary::Lang;
use crate::web::scene::Turn;
use crate::web::stage::measure::{Face, text_width};
use crate::web::stage::patterns;
use crate::web::stage::pieces::{Badge, badge, client_class, cross, glyph, px, server_sign, text};
use crate::web::stage::shape::{Point, Px, at};
use crate::web::stage::words::Word;

/// A chart with its picture; compared by address.
#[derive(Properties, Clone)]
pub(crate) struct StillProps {
    /// Where everything goes.
    pub(crate) chart: Rc<Chart>,
    /// What is drawn.
    pub(crate) picture: Rc<Picture>,
    /// What people call the lanes' processes.
    pub(crate) names: Rc<[AttrValue]>,
    /// The language of words.
    pub(crate) lang: Lang,
}

impl PartialEq for StillProps {
    fn eq(&self, other: &Self) -> bool {
        Rc::ptr_eq(&self.chart, &other.chart) && Rc::ptr_eq(&self.picture, &other.picture) && self.lang == other.lang
    }
}

/// The still part.
#[component]
pub(crate) fn Still(props: &StillProps) -> Html {
    let StillProps { chart, picture, .. } = props;
    let (w, h) = chart.size;
    let pane = pane_box(chart);
    html! {
        <svg class="dw diagram-still" viewBox={view_box(w, h)} width={px(w)} height={px(h)} aria-hidden="true">
            { patterns() }
            { lane_edges(chart) }
            <svg x={px(pane.0)} y={px(pane.1)} width={px(pane.2)} height={px(pane.3)}
                viewBox={format!("{} {} {} {}", Px(pane.0), Px(pane.1), Px(pane.2), Px(pane.3))}>
                { inks(chart, picture) }
                { for picture.labels.iter().map(label) }
            </svg>
            { names(props) }
            if chart.frame.turn == Turn::Along {
                { rail::still(chart, &picture.flags, props.lang) }
                { legend(props) }
            } else {
                { upright_axis(chart, &picture.flags) }
            }
        </svg>
    }
}

pub(crate) fn view_box(w: f64, h: f64) -> String {
    format!("0 0 {} {}", Px(w), Px(h))
}

/// The box to which the picture is cut: x, y, width, height.
fn pane_box(chart: &Chart) -> (f64, f64, f64, f64) {
    let pane = chart.pane();
    match chart.frame.turn {
        Turn::Along => (pane.x - 4.0, pane.y, chart.size.0 - MARGIN - pane.x + 4.0, pane.h),
        Turn::Upright => (pane.x, pane.y - 4.0, pane.w, pane.h + 28.0),
    }
}

fn lane_edges(chart: &Chart) -> Html {
    let pane = chart.pane();
    let along = chart.frame.turn == Turn::Along;
    let end = if along { chart.size.0 - MARGIN } else { pane.bottom() + 10.0 };
    let (mut edges, mut lines) = (Ink::default(), Ink::default());
    for lane in &chart.lanes {
        let (near, middle) = (lane.near.floor() + 0.5, lane.middle());
        if along {
            edges.line(at(MARGIN, near), at(end, near));
        }
        match (lane.client, along) {
            (Some(_), _) => {}
            (None, true) => lines.line(at(pane.x, middle), at(end, middle)),
            (None, false) => lines.line(at(middle, pane.y), at(middle, end)),
        }
    }
    if along {
        let far = chart.across.1.floor() + 0.5;
        edges.line(at(MARGIN, far), at(end, far));
    }
    html! { <>{ path("hair", edges.text()) }{ path("lane-line", lines.text()) }</> }
}

/// A path, if there is anything to draw.
fn path(class: &'static str, d: &str) -> Html {
    if d.is_empty() {
        Html::default()
    } else {
        html! { <path {class} d={d.to_owned()} /> }
    }
}

fn inks(chart: &Chart, picture: &Picture) -> Html {
    let each = |draw: &dyn Fn(&ClientInk) -> Html| {
        let groups = picture.clients.iter().enumerate();
        let drawn: Vec<Html> =
            groups.map(|(ix, ink)| html! { <g class={client_class(ix)}>{ draw(ink) }</g> }).collect();
        drawn
    };
    html! {
        <>
            { path("overlap", picture.washes.text()) }
            { path("fold-line", picture.folds.text()) }
            { path("downtime", picture.downs.text()) }
            { path("sleep", picture.sleeps.text()) }
            { each(&|ink| html! { <>{ path("shell", ink.shells.text()) }{ path("truth", ink.cores.text()) }</> }) }
            { path("clash-hatch", picture.hatches.text()) }
            { each(&|ink| html! {
                <>
                    { path("truth", ink.keys.text()) }
                    { path("flight dull", ink.dull.text()) }
                    { path("flight", ink.lines.text()) }
                    { path("cf", ink.heads.text()) }
                </>
            }) }
            { path("cross", picture.lost.text()) }
            { for picture.refused.iter().map(|point| badge(Badge::Stop, *point, 7.5)) }
            { for picture.lease_ends.iter().map(|(point, owner)| glyph_dot(*point, *owner)) }
            { for picture.jumps.iter().map(|point| jump(*point, chart.frame.turn)) }
        </>
    }
}

fn glyph_dot(point: Point, owner: usize) -> Html {
    html! { <circle class={classes!("lease-end", client_class(owner))} cx={px(point.x)} cy={px(point.y)} r="5" /> }
}

fn jump(point: Point, turn: Turn) -> Html {
    let d = match turn {
        Turn::Along => format!("M{} {}l4-7 6 14 6-14 4 7", Px(point.x - 10.0), Px(point.y)),
        Turn::Upright => format!("M{} {}l-7 4 14 6-14 6 7 4", Px(point.x), Px(point.y - 10.0)),
    };
    html! { <path class="jump" {d} /> }
}

fn label(label: &Label) -> Html {
    let class = match label.tone {
        Tone::Pale => classes!("t1", "i2", "halo"),
        Tone::Strong => classes!("t1", "sb", "i2", "halo"),
        Tone::Client(ix) => classes!("t1", "sb", "ci", "halo", client_class(ix)),
        Tone::Risk => classes!("t1", "sb", "si", "halo", "risk"),
    };
    html! { <text {class} x={px(label.place.x)} y={px(label.place.y)}>{ label.text.clone() }</text> }
}

/// The lanes' names: a column before them, or a row above them.
fn names(props: &StillProps) -> Html {
    let StillProps { chart, names, .. } = props;
    let drawn = chart.lanes.iter().zip(names.iter()).map(|(lane, name)| {
        let middle = lane.middle();
        if chart.frame.turn == Turn::Upright {
            let sign = match lane.client {
                Some(ix) => glyph(ix, at(middle, 14.0), 9.5, false),
                None => server_sign(lane.storage, at(middle - 9.0, 5.0)),
            };
            let class = if lane.client.is_some() { "t1 sb mid" } else { "t1 i2 mid" };
            return html! { <>{ sign }{ text(class, at(middle, 40.0), name.clone()) }</> };
        }
        if lane.thin {
            return text("t1 i2", at(MARGIN + 30.0, middle + 4.3), name.clone());
        }
        let sign = match lane.client {
            Some(ix) => glyph(ix, at(MARGIN + 11.0, middle), 9.5, false),
            None => server_sign(lane.storage, at(MARGIN + 2.0, middle - 9.0)),
        };
        let class = if lane.client.is_some() { "t2 sb" } else { "t2" };
        html! { <>{ sign }{ text(class, at(MARGIN + 30.0, middle + 4.6), name.clone()) }</> }
    });
    html! { <g>{ for drawn }</g> }
}

/// The times beside an upright picture, with flags at the violations.
fn upright_axis(chart: &Chart, flags: &[Flag]) -> Html {
    let x = chart.across.0 - 10.0;
    let ticks = chart.ticks().into_iter().map(|tick| {
        let y = chart.frame.point(tick.place, 0.0).y;
        let class = if tick.fold { "t1 i3 end" } else { "t1 i2 end" };
        html! {
            <>
                { text(class, at(x - 2.0, y + 4.3), tick.text) }
                if !tick.fold { <path class="tick" d={format!("M{} {}h6", Px(x + 2.0), Px(y))} /> }
            </>
        }
    });
    let marks = flags.iter().map(|flag| {
        let y = chart.frame.point(flag.along, 0.0).y;
        let class = if flag.bad { "bad flag-line" } else { "fault-line" };
        html! { <path {class} d={format!("M{} {}h8", Px(x + 2.0), Px(y))} /> }
    });
    html! { <>{ for ticks }{ for marks }</> }
}

/// What the signs mean: only those that occur.
fn legend(props: &StillProps) -> Html {
    let StillProps { chart, picture, lang, .. } = props;
    let y = chart.size.1 - 11.0;
    let mut x = MARGIN;
    let mut entries: Vec<Html> = Vec::new();
    let mut entry = |shown: bool, word: Word, sign: &dyn Fn(f64) -> Html| {
        let width = 32.0 + text_width(word.get(*lang), 12.0, Face::Sans) + 18.0;
        if shown && x + width < chart.size.0 - 130.0 {
            entries.push(html! { <>{ sign(x) }{ text("t1 i2", at(x + 32.0, y + 4.3), word.get(*lang)) }</> });
            x += width;
        }
    };
    let square = |class: &'static str, rx: &'static str| move |x: f64| html! { <rect {class} {rx} x={px(x)} y={px(y - 6.0)} width="24" height="12" /> };
    let any = |draw: fn(&ClientInk) -> bool| picture.clients.iter().any(draw);
    entry(any(|ink| !ink.shells.is_empty()), Word::LegendBelief, &square("shell mutec", "4"));
    entry(any(|ink| !ink.cores.is_empty()), Word::LegendTruth, &|x| {
        html! { <rect class="truth mutec" rx="2" x={px(x)} y={px(y - 4.0)} width="24" height="8" /> }
    });
    entry(!picture.washes.is_empty(), Word::LegendClash, &square("clash-hatch", "2"));
    entry(!picture.sleeps.is_empty(), Word::LegendPause, &square("sleep framed", "0"));
    entry(!picture.downs.is_empty(), Word::LegendDown, &square("downtime", "0"));
    entry(!picture.refused.is_empty(), Word::LegendRefused, &|x| badge(Badge::Stop, at(x + 12.0, y), 7.0));
    entry(!picture.lost.is_empty(), Word::LegendLost, &|x| cross(at(x + 12.0, y), 4.5));
    entry(!picture.jumps.is_empty(), Word::LegendJump, &|x| jump(at(x + 12.0, y), Turn::Along));
    entry(!picture.folds.is_empty(), Word::LegendFold, &|x| {
        html! { <path class="fold-sign" d={rail::zigzag(x + 5.0, y)} /> }
    });
    html! {
        <g class="legend">
            { entries }
            { text("t1 i3 end", at(chart.size.0 - MARGIN, y + 4.3), Word::LegendUnit.get(*lang)) }
        </g>
    }
}
