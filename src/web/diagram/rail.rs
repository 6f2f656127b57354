//! The rail: axis and scrubber in one.

use super::chart::{Chart, MARGIN, RAIL_Y};
use super::picture::Flag;
use crate::vocabulary::Lang;
use crate::web::stage::ink::Ink;
use crate::web::stage::pen::Pen;
use crate::web::stage::shape::at;

/// Folds at least so wide are drawn as a break.
const BREAK_FROM: f64 = 18.0;
const BREAK_W: f64 = 14.0;

/// The sign of a fold, from its left end.
pub(crate) const ZIGZAG: &str = "M0 0l3.5-5 4 10 4-10 2.5 5";

/// The rail's line between two places of the axis, interrupted at folds.
pub(crate) fn line(chart: &Chart, from: f64, to: f64) -> Ink {
    let mut ink = Ink::default();
    let point = |along: f64| at(chart.frame.point(along, 0.0).x, RAIL_Y);
    let mut start = from;
    let breaks = chart.axis.folds.iter().filter(|fold| fold.to - fold.from >= BREAK_FROM);
    for fold in breaks.filter(|fold| fold.to > from && fold.from < to) {
        let middle = f64::midpoint(fold.from, fold.to);
        let (left, right) = (middle - BREAK_W / 2.0, middle + BREAK_W / 2.0);
        if left > start {
            ink.line(point(start), point(left.min(to)));
        }
        start = start.max(right);
    }
    if to > start {
        ink.line(point(start), point(to));
    }
    ink
}

/// The part of the rail that stands still: its line, folds, ticks, labels and flags.
pub(crate) fn still(pen: &mut Pen, chart: &Chart, flags: &[Flag], lang: Lang) {
    let (from, view) = chart.window;
    let end = (chart.size.0 - MARGIN - chart.frame.origin).min(from + view + 10.0);
    let seen = |along: f64| along >= from - 1.0 && along <= from + view + 1.0;
    pen.ink(&["rail"], &line(chart, from, end));
    for fold in chart.axis.folds.iter().filter(|fold| fold.to - fold.from >= BREAK_FROM) {
        let middle = f64::midpoint(fold.from, fold.to);
        if seen(middle) {
            pen.sign(&["fold-sign"], at(chart.frame.point(middle, 0.0).x - BREAK_W / 2.0, RAIL_Y), ZIGZAG);
        }
    }
    let mut strokes = Ink::default();
    for tick in chart.ticks() {
        let x = chart.frame.point(tick.place, 0.0).x;
        if !tick.fold {
            let stroke = x.floor() + 0.5;
            strokes.line(at(stroke, RAIL_Y + 5.0), at(stroke, RAIL_Y + 8.0));
        }
        pen.text(&[if tick.fold { "t1 i3 mid" } else { "t1 i2 mid" }], at(x, RAIL_Y + 20.0), &tick.text);
    }
    pen.ink(&["tick"], &strokes);
    for flag in flags.iter().filter(|flag| seen(flag.along)) {
        flag_mark(pen, chart, flag, lang);
    }
}

/// Small gaps in the rail at the steps: how far each press goes.
pub(crate) fn notches(chart: &Chart) -> Ink {
    let mut ink = Ink::default();
    let mut last = f64::NEG_INFINITY;
    for instant in chart.instants.iter() {
        let along = chart.place(*instant);
        if along - last >= 6.0 && chart.sees(along, along) {
            let x = chart.frame.point(along, 0.0).x;
            ink.line(at(x, RAIL_Y - 2.0), at(x, RAIL_Y + 2.0));
            last = along;
        }
    }
    ink
}

fn flag_mark(pen: &mut Pen, chart: &Chart, flag: &Flag, lang: Lang) {
    let x = chart.frame.point(flag.along, 0.0).x;
    let word = flag.word.map_or("", |word| word.get(lang));
    let (after, before) = if flag.bad { (17.0, 6.0) } else { (10.0, 9.0) };
    if flag.bad {
        pen.sign(&["flag bad"], at(x, RAIL_Y), "M0 0V-17h12l-3 4.5 3 4.5H0");
    } else {
        pen.sign(&["fault"], at(x - 5.5, 4.0), "M0 0h11l-5.5 9z");
    }
    let class = if flag.bad { "t1 sb si bad" } else { "t1 i2" };
    if flag.word_before {
        pen.text(&[class, "end"], at(x - before, 12.0), word);
    } else if !word.is_empty() {
        pen.text(&[class], at(x + after, 12.0), word);
    }
}
