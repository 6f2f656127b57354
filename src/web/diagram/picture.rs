//! Everything in the diagram that does not depend on the cursor, as few paths and labels as will do.

mod bars;
mod flags;
mod flights;

pub(crate) use flags::Flag;

use super::chart::Chart;
use super::frame::Area;
use crate::scenario::Setup;
use crate::verdicts::Judged;
use crate::vocabulary::{Lang, Time};
use crate::web::diagram::tracks::Tracks;
use crate::web::scene::Turn;
use crate::web::stage::ink::Ink;
use crate::web::stage::measure::{Face, text_width};
use crate::web::stage::phrases::{self, node_title};
use crate::web::stage::shape::{Point, Rect, at};

/// The picture of a branch in a chart.
#[derive(Clone, PartialEq, Debug, Default)]
pub(crate) struct Picture {
    /// Where two believe at once, over all lanes.
    pub(crate) washes: Ink,
    /// The same on the believers' lanes.
    pub(crate) hatches: Ink,
    /// Where processes slept.
    pub(crate) sleeps: Ink,
    /// Where processes were down.
    pub(crate) downs: Ink,
    /// For each client: what it believed, truly held, and had on a lock node.
    pub(crate) clients: Vec<ClientInk>,
    /// Lost packets.
    pub(crate) lost: Ink,
    /// Refused packets.
    pub(crate) refused: Vec<Point>,
    /// Where a lease ran out, and whose.
    pub(crate) lease_ends: Vec<(Point, usize)>,
    /// Steps of wall clocks.
    pub(crate) jumps: Vec<Point>,
    /// The folds' edges.
    pub(crate) folds: Ink,
    /// Violations and faults, above the rail.
    pub(crate) flags: Vec<Flag>,
    /// Words.
    pub(crate) labels: Vec<Label>,
}

/// What is drawn in one client's colours.
#[derive(Clone, PartialEq, Debug, Default)]
pub(crate) struct ClientInk {
    /// Beliefs.
    pub(crate) shells: Ink,
    /// Truths.
    pub(crate) cores: Ink,
    /// Keys on lock nodes.
    pub(crate) keys: Ink,
    /// Packets' lines.
    pub(crate) lines: Ink,
    /// Their heads.
    pub(crate) heads: Ink,
    /// Packets that only repeat what was seen.
    pub(crate) dull: Ink,
}

/// A word or two in the picture.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Label {
    /// Its start on the baseline, or its middle.
    pub(crate) place: Point,
    /// The words.
    pub(crate) text: String,
    /// How it looks.
    pub(crate) tone: Tone,
}

impl Label {
    /// The box that it covers.
    pub(crate) fn area(&self) -> Rect {
        let w = text_width(&self.text, 12.0, Face::Bold);
        Rect::new(self.place.x - 2.0, self.place.y - 11.0, w + 4.0, 14.0)
    }
}

/// How a label looks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Tone {
    /// Pale ink.
    Pale,
    /// Semibold pale ink.
    Strong,
    /// A client's colour.
    Client(usize),
    /// Amber.
    Risk,
}

/// What a picture is made of.
pub(crate) struct Sitting<'a> {
    /// Where everything goes.
    pub(crate) chart: &'a Chart,
    /// What the simulation runs.
    pub(crate) setup: &'a Setup,
    /// What happened.
    pub(crate) tracks: &'a Tracks,
    /// What the judges say.
    pub(crate) judged: &'a Judged,
    /// The language of words.
    pub(crate) lang: Lang,
}

/// A picture under way, and the boxes its labels have taken.
struct Easel<'a> {
    from: &'a Sitting<'a>,
    picture: Picture,
    taken: Vec<Rect>,
}

impl Picture {
    /// Draws a branch.
    pub(crate) fn new(sitting: &Sitting<'_>) -> Self {
        let clients = vec![ClientInk::default(); sitting.setup.clients.len()];
        let picture = Self { clients, ..Self::default() };
        let mut easel = Easel { from: sitting, picture, taken: Vec::new() };
        easel.draw_folds();
        easel.draw_overlaps();
        easel.draw_sleeps();
        easel.draw_downs();
        easel.draw_beliefs();
        easel.draw_keys();
        easel.draw_jumps();
        easel.draw_flights();
        easel.draw_lease_ends();
        easel.draw_flags();
        easel.picture
    }
}

impl Easel<'_> {
    /// The area of a stretch of time, if it can be seen: cut to the window, so that no path grows beyond it.
    fn area(&self, from: Time, to: Option<Time>, near: f64, far: f64) -> Option<Area> {
        let chart = self.from.chart;
        let start = chart.place(from);
        let end = to.map_or(chart.axis.length() + 40.0, |to| chart.place(to));
        let (left, view) = chart.window;
        let area = Area { from: start.max(left - 20.0), to: end.min(left + view + 40.0), near, far };
        chart.sees(start, end).then_some(area)
    }

    /// Puts a label if it covers no other. Gives back whether it did.
    fn label(&mut self, place: Point, text: String, tone: Tone) -> bool {
        let label = Label { place, text, tone };
        let area = label.area();
        let pane = self.from.chart.pane();
        let right = (pane.right() + 22.0).min(self.from.chart.size.0);
        let inside = area.x >= pane.x - 2.0 && area.right() <= right && area.bottom() <= pane.bottom() + 2.0;
        let free = inside && !self.taken.iter().any(|other| other.overlaps(&area));
        if free {
            self.taken.push(area);
            self.picture.labels.push(label);
        }
        free
    }

    /// Where a note about an instant on a lane stands.
    fn beside(&self, along: f64, lane_near: f64, lane_middle: f64) -> Point {
        let frame = self.from.chart.frame;
        match frame.turn {
            Turn::Along => at(frame.point(along, 0.0).x + 8.0, lane_near + 11.5),
            Turn::Upright => at(lane_middle + super::lanes::SHELL + 9.0, frame.point(along, 0.0).y + 15.0),
        }
    }

    fn draw_folds(&mut self) {
        let Sitting { chart, .. } = self.from;
        for fold in chart.axis.folds.iter().filter(|fold| fold.to - fold.from >= 14.0) {
            for edge in [fold.from, fold.to].into_iter().filter(|edge| chart.sees(*edge, *edge)) {
                let (near, far) = chart.across;
                self.picture.folds.line(chart.frame.point(edge, near), chart.frame.point(edge, far));
            }
        }
    }

    fn draw_jumps(&mut self) {
        let Sitting { chart, setup, tracks, lang, .. } = *self.from;
        for jump in &tracks.jumps {
            let along = chart.place(jump.at);
            if !chart.sees(along, along) || self.picture.jumps.len() > 200 {
                continue;
            }
            let lanes: Vec<_> = chart.lanes.iter().filter(|lane| setup.machine_of(lane.node) == jump.machine).collect();
            for lane in lanes {
                let point = chart.frame.point(along, lane.middle());
                self.picture.jumps.push(point);
                self.label(at(point.x + 15.0, point.y + 4.0), phrases::clock_by(jump.by_us, lang), Tone::Risk);
            }
        }
    }

    fn draw_lease_ends(&mut self) {
        let Sitting { chart, setup, tracks, lang, .. } = *self.from;
        for key in tracks.keys.iter().filter(|key| key.ending == Some(crate::world::Ending::Expired)) {
            let (Some(to), Some(lane)) = (key.to, chart.lane(key.node)) else { continue };
            let along = chart.place(to);
            let owner = setup.clients.iter().position(|client| client.node == key.client);
            let (true, Some(owner)) = (chart.sees(along, along), owner) else { continue };
            if self.picture.lease_ends.len() > 100 {
                return;
            }
            let point = chart.frame.point(along, lane.middle());
            self.picture.lease_ends.push((point, owner));
            let session = setup.ensemble_of(key.node).is_some();
            let words = phrases::lease_ends(&node_title(setup, key.client, lang), session, lang);
            let place = match chart.frame.turn {
                Turn::Along => at(point.x + 10.0, point.y - 5.0),
                Turn::Upright => at(point.x + 10.0, point.y + 4.0),
            };
            let before = at(point.x - 12.0 - text_width(&words, 12.0, Face::Bold), place.y);
            if !self.label(place, words.clone(), Tone::Pale) {
                self.label(before, words, Tone::Pale);
            }
        }
    }
}
