//! The part of the diagram that stands still while the cursor moves: written once for a branch and a window.

use super::chart::{Chart, Half, MARGIN};
use super::picture::{ClientInk, Flag, Label, Picture, Tone};
use super::rail;
use crate::vocabulary::Lang;
use crate::web::scene::Turn;
use crate::web::stage::ink::{Ink, push_px};
use crate::web::stage::measure::{Face, text_width};
use crate::web::stage::pen::Pen;
use crate::web::stage::pieces::{Badge, badge, client_class, glyph, server_sign};
use crate::web::stage::shape::{Point, Rect, at};
use crate::web::stage::words::Word;

/// What the still part is written from.
pub(crate) struct Still<'a> {
    /// Where everything goes.
    pub(crate) chart: &'a Chart,
    /// What is drawn.
    pub(crate) picture: &'a Picture,
    /// What people call the lanes' processes.
    pub(crate) names: &'a [String],
    /// The language of words.
    pub(crate) lang: Lang,
}

impl Still<'_> {
    /// Everything around the picture: lanes, names, axis, legend.
    pub(crate) fn around(&self) -> Pen {
        let mut pen = Pen::default();
        self.lane_edges(&mut pen);
        self.lane_names(&mut pen);
        if self.chart.has_rail() {
            rail::still(&mut pen, self.chart, &self.picture.flags, self.lang);
        }
        match self.chart.frame.turn {
            Turn::Along if self.chart.half != Some(Half::Upper) => self.legend(&mut pen),
            Turn::Along => {}
            Turn::Upright => self.upright_axis(&mut pen, &self.picture.flags),
        }
        pen
    }

    /// The picture itself, which is cut to its pane.
    pub(crate) fn inside(&self) -> Pen {
        let picture = self.picture;
        let mut pen = Pen::default();
        pen.ink(&["overlap"], &picture.washes);
        pen.ink(&["fold-line"], &picture.folds);
        pen.ink(&["downtime"], &picture.downs);
        pen.ink(&["sleep"], &picture.sleeps);
        self.each_client(&mut pen, |pen, ink| {
            pen.ink(&["shell"], &ink.shells);
            pen.ink(&["truth"], &ink.cores);
        });
        pen.ink(&["clash-hatch"], &picture.hatches);
        self.each_client(&mut pen, |pen, ink| {
            pen.ink(&["truth"], &ink.keys);
            pen.ink(&["flight dull"], &ink.dull);
            pen.ink(&["flight"], &ink.lines);
            pen.ink(&["cf"], &ink.heads);
        });
        pen.ink(&["cross"], &picture.lost);
        for point in &picture.refused {
            badge(&mut pen, Badge::Stop, *point, 7.5);
        }
        for (point, owner) in &picture.lease_ends {
            pen.circle(&["lease-end", client_class(*owner)], *point, 5.0);
        }
        for point in &picture.jumps {
            jump(&mut pen, *point, self.chart.frame.turn);
        }
        for one in &picture.labels {
            label(&mut pen, one);
        }
        pen
    }

    /// The box to which the picture is cut.
    pub(crate) fn pane(&self) -> Rect {
        let (chart, pane) = (self.chart, self.chart.pane());
        match chart.frame.turn {
            Turn::Along => Rect::new(pane.x - 4.0, pane.y, chart.size.0 - MARGIN - pane.x + 4.0, pane.h),
            Turn::Upright => Rect::new(pane.x, pane.y - 4.0, pane.w, pane.h + 28.0),
        }
    }

    fn each_client(&self, pen: &mut Pen, draw: impl Fn(&mut Pen, &ClientInk)) {
        for (ix, ink) in self.picture.clients.iter().enumerate() {
            pen.open(&[client_class(ix)]);
            draw(pen, ink);
            pen.close();
        }
    }

    fn lane_edges(&self, pen: &mut Pen) {
        let (chart, pane) = (self.chart, self.chart.pane());
        let along = chart.frame.turn == Turn::Along;
        let end = if along { chart.size.0 - MARGIN } else { pane.bottom() + 10.0 };
        let (mut edges, mut lines) = (Ink::default(), Ink::default());
        let mut edge = |across: f64| {
            let y = across.floor() + 0.5;
            if along {
                edges.line(at(MARGIN, y), at(end, y));
            }
        };
        for lane in &chart.lanes {
            let middle = lane.middle();
            edge(lane.near);
            match (lane.client, along) {
                (Some(_), _) => {}
                (None, true) => lines.line(at(pane.x, middle), at(end, middle)),
                (None, false) => lines.line(at(middle, pane.y), at(middle, end)),
            }
        }
        edge(chart.across.1);
        pen.ink(&["hair"], &edges);
        pen.ink(&["lane-line"], &lines);
    }

    /// The lanes' names: a column before them, or a row above them.
    fn lane_names(&self, pen: &mut Pen) {
        let upright = self.chart.frame.turn == Turn::Upright;
        for (lane, name) in self.chart.lanes.iter().zip(self.names) {
            let middle = lane.middle();
            let center = if upright { at(middle, 14.0) } else { at(MARGIN + 11.0, middle) };
            match lane.client {
                Some(ix) => glyph(pen, ix, center, 9.5, false),
                None if lane.thin && !upright => {}
                None => server_sign(pen, lane.storage, at(center.x - 9.0, center.y - 9.0)),
            }
            let (class, place) = match (upright, lane.thin, lane.client.is_some()) {
                (true, _, true) => ("t1 sb mid", at(middle, 40.0)),
                (true, _, false) => ("t1 i2 mid", at(middle, 40.0)),
                (false, true, _) => ("t1 i2", at(MARGIN + 30.0, middle + 4.3)),
                (false, false, true) => ("t2 sb", at(MARGIN + 30.0, middle + 4.6)),
                (false, false, false) => ("t2", at(MARGIN + 30.0, middle + 4.6)),
            };
            pen.text(&[class], place, name);
        }
    }

    /// The times beside an upright picture, with marks at violations and faults.
    fn upright_axis(&self, pen: &mut Pen, flags: &[Flag]) {
        let chart = self.chart;
        let x = chart.across.0 - 10.0;
        let mut strokes = Ink::default();
        for tick in chart.ticks() {
            let y = chart.frame.point(tick.place, 0.0).y;
            pen.text(&[if tick.fold { "t1 i3 end" } else { "t1 i2 end" }], at(x - 2.0, y + 4.3), &tick.text);
            if !tick.fold {
                strokes.line(at(x + 2.0, y), at(x + 8.0, y));
            }
        }
        pen.ink(&["tick"], &strokes);
        for flag in flags {
            let y = chart.frame.point(flag.along, 0.0).y;
            let mut mark = Ink::default();
            mark.line(at(x + 2.0, y), at(x + 10.0, y));
            pen.ink(&[if flag.bad { "bad flag-line" } else { "fault-line" }], &mark);
        }
    }

    /// What the signs mean: only those that occur.
    fn legend(&self, pen: &mut Pen) {
        let picture = self.picture;
        let any = |draw: fn(&ClientInk) -> bool| picture.clients.iter().any(draw);
        let entries = [
            (any(|ink| !ink.shells.is_empty()), Word::LegendBelief),
            (any(|ink| !ink.cores.is_empty()), Word::LegendTruth),
            (!picture.washes.is_empty(), Word::LegendClash),
            (!picture.sleeps.is_empty(), Word::LegendPause),
            (!picture.downs.is_empty(), Word::LegendDown),
            (!picture.refused.is_empty(), Word::LegendRefused),
            (!picture.lost.is_empty(), Word::LegendLost),
            (!picture.jumps.is_empty(), Word::LegendJump),
            (!picture.folds.is_empty(), Word::LegendFold),
        ];
        let (w, y) = (self.chart.size.0, self.chart.size.1 - 11.0);
        let mut x = MARGIN;
        for (_, word) in entries.into_iter().filter(|(shown, _)| *shown) {
            let width = 50.0 + text_width(word.get(self.lang), 12.0, Face::Sans);
            if x + width >= w - 130.0 {
                break;
            }
            legend_sign(pen, word, x, y);
            pen.text(&["t1 i2"], at(x + 32.0, y + 4.3), word.get(self.lang));
            x += width;
        }
        pen.text(&["t1 i3 end"], at(w - MARGIN, y + 4.3), Word::LegendUnit.get(self.lang));
    }
}

fn legend_sign(pen: &mut Pen, word: Word, x: f64, y: f64) {
    let (area, center) = (Rect::new(x, y - 6.0, 24.0, 12.0), at(x + 12.0, y));
    match word {
        Word::LegendBelief => pen.rect(&["shell mutec"], &area, 4.0),
        Word::LegendTruth => pen.rect(&["truth mutec"], &Rect::new(x, y - 4.0, 24.0, 8.0), 2.0),
        Word::LegendClash => pen.rect(&["clash-hatch"], &area, 2.0),
        Word::LegendPause => pen.rect(&["sleep framed"], &area, 0.0),
        Word::LegendDown => pen.rect(&["downtime"], &area, 0.0),
        Word::LegendRefused => badge(pen, Badge::Stop, center, 7.0),
        Word::LegendLost => {
            let mut ink = Ink::default();
            ink.cross(center, 4.5);
            pen.ink(&["cross"], &ink);
        }
        Word::LegendJump => jump(pen, center, Turn::Along),
        _ => pen.sign(&["fold-sign"], at(x + 5.0, y), rail::ZIGZAG),
    }
}

fn jump(pen: &mut Pen, point: Point, turn: Turn) {
    match turn {
        Turn::Along => pen.sign(&["jump"], at(point.x - 10.0, point.y), "M0 0l4-7 6 14 6-14 4 7"),
        Turn::Upright => pen.sign(&["jump"], at(point.x, point.y - 10.0), "M0 0l-7 4 14 6-14 6 7 4"),
    }
}

fn label(pen: &mut Pen, label: &Label) {
    let classes = match label.tone {
        Tone::Pale => ["t1 halo", "i2"],
        Tone::Strong => ["t1 halo", "sb i2"],
        Tone::Client(ix) => ["t1 halo sb ci", client_class(ix)],
        Tone::Risk => ["t1 halo sb", "si risk"],
    };
    pen.text(&classes, label.place, &label.text);
}

/// The numbers of a view box.
pub(crate) fn view_of(area: &Rect) -> String {
    let mut text = String::new();
    for number in [area.x, area.y, area.w, area.h] {
        push_px(&mut text, number);
        text.push(' ');
    }
    text
}
