//! The rail: axis and scrubber in one.

use yew::prelude::*;

use super::chart::{Chart, MARGIN, RAIL_Y};
use super::picture::Flag;
use crate::vocabulary::Lang;
use crate::web::stage::pieces::text;
use crate::web::stage::shape::{Px, at};
use std::fmt::Write as _;

/// Folds at least so wide are drawn as a break.
const BREAK_FROM: f64 = 18.0;
const BREAK_W: f64 = 14.0;

/// The sign of a fold, from its left end.
pub(crate) fn zigzag(x: f64, y: f64) -> String {
    format!("M{} {}l3.500-5 4 10 4-10 2.500 5", Px(x), Px(y))
}

/// The rail's line between two places of the axis, interrupted at folds.
pub(crate) fn line(chart: &Chart, from: f64, to: f64) -> String {
    let mut path = String::new();
    let x = |along: f64| chart.frame.point(along, 0.0).x;
    let mut start = from;
    let breaks = chart.axis.folds.iter().filter(|fold| fold.to - fold.from >= BREAK_FROM);
    for fold in breaks.filter(|fold| fold.to > from && fold.from < to) {
        let middle = f64::midpoint(fold.from, fold.to);
        let (left, right) = (middle - BREAK_W / 2.0, middle + BREAK_W / 2.0);
        if left > start {
            let _ = write!(path, "M{} {RAIL_Y}H{}", Px(x(start)), Px(x(left.min(to))));
        }
        start = start.max(right);
    }
    if to > start {
        let _ = write!(path, "M{} {RAIL_Y}H{}", Px(x(start)), Px(x(to)));
    }
    path
}

/// The part of the rail that stands still: its line, folds, ticks, labels and flags.
pub(crate) fn still(chart: &Chart, flags: &[Flag], lang: Lang) -> Html {
    let (from, view) = chart.window;
    let end = (chart.size.0 - MARGIN - chart.frame.origin).min(from + view + 10.0);
    let seen = |along: f64| along >= from - 1.0 && along <= from + view + 1.0;
    let mut folds = String::new();
    for fold in chart.axis.folds.iter().filter(|fold| fold.to - fold.from >= BREAK_FROM) {
        let middle = f64::midpoint(fold.from, fold.to);
        if seen(middle) {
            folds.push_str(&zigzag(chart.frame.point(middle, 0.0).x - BREAK_W / 2.0, RAIL_Y));
        }
    }
    let mut ticks = String::new();
    let labels: Vec<Html> = chart
        .ticks()
        .into_iter()
        .map(|tick| {
            let x = chart.frame.point(tick.place, 0.0).x;
            if !tick.fold {
                let _ = write!(ticks, "M{} {}v3", Px(x.floor() + 0.5), Px(RAIL_Y + 5.0));
            }
            text(if tick.fold { "t1 i3 mid" } else { "t1 i2 mid" }, at(x, RAIL_Y + 20.0), tick.text)
        })
        .collect();
    html! {
        <>
            <path class="rail" d={line(chart, from, end)} />
            <path class="fold-sign" d={folds} />
            <path class="tick" d={ticks} />
            { labels }
            { for flags.iter().filter(|flag| seen(flag.along)).map(|flag| flag_mark(chart, flag, lang)) }
        </>
    }
}

/// Small gaps in the rail at the steps: how far each press goes.
pub(crate) fn notches(chart: &Chart) -> String {
    let mut path = String::new();
    let mut last = f64::NEG_INFINITY;
    for at in chart.instants.iter() {
        let along = chart.place(*at);
        if along - last >= 6.0 && chart.sees(along, along) {
            let _ = write!(path, "M{} {}v4", Px(chart.frame.point(along, 0.0).x), Px(RAIL_Y - 2.0));
            last = along;
        }
    }
    path
}

fn flag_mark(chart: &Chart, flag: &Flag, lang: Lang) -> Html {
    let x = chart.frame.point(flag.along, 0.0).x;
    if flag.bad {
        return html! {
            <g class="bad">
                <path class="flag" d={format!("M{} {RAIL_Y}V3h12l-3 4.500 3 4.500h-12", Px(x))} />
                if let Some(word) = flag.word {
                    if flag.word_before {
                        { text("t1 sb si end", at(x - 6.0, 12.0), word.get(lang)) }
                    } else {
                        { text("t1 sb si", at(x + 17.0, 12.0), word.get(lang)) }
                    }
                }
            </g>
        };
    }
    html! {
        <>
            <path class="fault" d={format!("M{} 4h11l-5.500 9z", Px(x - 5.5))} />
            if let Some(word) = flag.word {
                if flag.word_before {
                    { text("t1 i2 end", at(x - 9.0, 12.0), word.get(lang)) }
                } else {
                    { text("t1 i2", at(x + 10.0, 12.0), word.get(lang)) }
                }
            }
        </>
    }
}
