//! A chart: axis and lanes in a drawing of some size. Every question about places is answered here, without Yew.

use std::rc::Rc;

use super::axis::{Axis, Tick};
use super::frame::{Area, Frame};
use super::lanes::{Lane, lanes};
use super::tracks::{Flight, Outcome, Tracks};
use crate::scenario::Setup;
use crate::vocabulary::{NodeId, PacketId, Time};
use crate::web::scene::Turn;
use crate::web::stage::shape::{Point, Rect};

/// The column of names, on the left of a wide drawing and of a slim one.
const NAMES_W: f64 = 150.0;
const NAMES_W_SLIM: f64 = 108.0;
const SLIM: f64 = 700.0;
/// The margins of the whole drawing.
pub(crate) const MARGIN: f64 = 20.0;
/// Where the rail runs, and where the lanes begin under it.
pub(crate) const RAIL_Y: f64 = 20.0;
const LANES_Y: f64 = 44.5;
const LEGEND_H: f64 = 26.0;
/// An upright drawing: the column of times, the row of names.
const TIMES_W: f64 = 56.0;
const HEAD_H: f64 = 54.0;
/// The longest upright axis.
const UPRIGHT_MOST: f64 = 20_000.0;
/// How near a packet's line a press must be to mean it.
const REACH: f64 = 8.0;
/// How far along the axis the line of a packet reaches that is stuck to the end of the run.
const STUB: f64 = 10.0;

/// Axis and lanes in a drawing.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Chart {
    /// Which way time runs, and where it starts.
    pub(crate) frame: Frame,
    /// The map between time and place.
    pub(crate) axis: Rc<Axis>,
    /// The lanes.
    pub(crate) lanes: Vec<Lane>,
    /// Width and height of the drawing.
    pub(crate) size: (f64, f64),
    /// The part of the axis that is seen: from where, and how much.
    pub(crate) window: (f64, f64),
    /// Where the lanes begin and end, across the axis.
    pub(crate) across: (f64, f64),
    /// The instants on the axis, rising, each once.
    pub(crate) instants: Rc<[Time]>,
    /// Which one it is, where two runs share an axis.
    pub(crate) half: Option<Half>,
}

/// What decides a chart beside the run.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Room {
    /// The drawing's width in CSS pixels.
    pub(crate) width: f64,
    /// Which way time runs.
    pub(crate) turn: Turn,
    /// How much larger than the whole run on one page; at least 1.
    pub(crate) zoom: f64,
    /// Which one it is, where two runs share an axis.
    pub(crate) half: Option<Half>,
}

/// One of two charts that share an axis: the upper has the rail, the lower the legend.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Half {
    /// The one with the rail.
    Upper,
    /// The one with the legend.
    Lower,
}

/// The height of a chart whose run is not known yet. An upright one grows with the run.
pub(crate) fn height(setup: &Setup, turn: Turn) -> f64 {
    match turn {
        Turn::Along => lanes(setup, turn, LANES_Y, 0.0).1 + LEGEND_H,
        Turn::Upright => HEAD_H,
    }
}

impl Chart {
    /// A chart of a run, its window at the start. With another run beside it the axis has room for both.
    pub(crate) fn new(setup: &Setup, tracks: &Tracks, beside: Option<&Tracks>, room: Room) -> Self {
        let mut instants = instants(tracks, room.zoom);
        if let Some(beside) = beside {
            instants.extend(self::instants(beside, room.zoom));
            instants.sort_unstable();
            instants.dedup();
        }
        let view = room.view(instants.len());
        let axis = Axis::new(instants.iter().copied(), (view * room.zoom).min(room.longest()));
        // An upright drawing grows with its axis, and the page scrolls; a lying one is a window.
        let view = if room.turn == Turn::Along { view } else { axis.length() };
        let (frame, lanes, end) = match room.turn {
            Turn::Along => {
                let (lanes, end) = lanes(setup, room.turn, room.lanes_y(), 0.0);
                (Frame { turn: room.turn, origin: room.names_w() }, lanes, end)
            }
            Turn::Upright => {
                let (lanes, end) = lanes(setup, room.turn, TIMES_W, room.width - TIMES_W);
                (Frame { turn: room.turn, origin: HEAD_H }, lanes, end)
            }
        };
        let (near, size) = match room.turn {
            Turn::Along => (room.lanes_y(), (room.width, end + room.legend_h())),
            Turn::Upright => (TIMES_W, (room.width, HEAD_H + view + 24.0)),
        };
        let (axis, instants) = (Rc::new(axis), instants.into());
        Self { frame, axis, lanes, size, window: (0.0, view), across: (near, end), instants, half: room.half }
    }

    /// The same chart with its window elsewhere.
    pub(crate) fn windowed(&self, from: f64) -> Self {
        let moved = from - self.window.0;
        let frame = Frame { origin: self.frame.origin - moved, ..self.frame };
        Self { frame, window: (from, self.window.1), ..self.clone() }
    }

    /// The place of an instant in the drawing, along the axis from the window's start.
    pub(crate) fn place(&self, at: Time) -> f64 {
        self.axis.place(at)
    }

    /// Whether it has the rail: time runs along, and no chart above has it.
    pub(crate) fn has_rail(&self) -> bool {
        self.frame.turn == Turn::Along && self.half != Some(Half::Lower)
    }

    /// Whether a stretch of the axis can be seen.
    pub(crate) fn sees(&self, from: f64, to: f64) -> bool {
        to >= self.window.0 - 4.0 && from <= self.window.0 + self.window.1 + 4.0
    }

    /// Whether less than the whole run can be seen.
    pub(crate) fn zoomed(&self) -> bool {
        self.window.1 + 1.0 < self.axis.length()
    }

    /// The lane of a process.
    pub(crate) fn lane(&self, node: NodeId) -> Option<&Lane> {
        self.lanes.iter().find(|lane| lane.node == node)
    }

    /// The box of the lanes in the drawing.
    pub(crate) fn pane(&self) -> Rect {
        let (from, view) = self.window;
        self.frame.rect(Area { from, to: from + view, near: self.across.0, far: self.across.1 })
    }

    /// The labels of the visible part of the axis.
    pub(crate) fn ticks(&self) -> Vec<Tick> {
        let (from, view) = self.window;
        self.axis.ticks(&self.instants, (from, from + view), self.frame.turn == Turn::Upright)
    }

    /// The line of a flight: from where to where.
    pub(crate) fn line(&self, flight: &Flight, end: Time) -> Option<(Point, Point)> {
        let packet = &flight.packet;
        let (from, to) = (self.lane(packet.from)?.touch(), self.lane(packet.to)?.touch());
        let start = self.place(packet.sent);
        if flight.outcome == Outcome::Flying && flight.due.is_none_or(|due| due < end) {
            return Some((self.frame.point(start, from), self.frame.point(start + STUB, from + (to - from) * 0.25)));
        }
        let landed = flight.end.map_or(end, |(at, _)| at);
        let part = match flight.outcome {
            Outcome::Delivered | Outcome::Refused | Outcome::Nobody => 1.0,
            Outcome::Dropped | Outcome::Flying => {
                let whole = flight.due.map_or(0, |due| due.since(packet.sent).0);
                let gone = landed.since(packet.sent).0;
                if whole == 0 { 0.5 } else { (gone as f64 / whole as f64).clamp(0.25, 0.85) }
            }
        };
        let stop = self.place(landed);
        Some((self.frame.point(start, from), self.frame.point(stop, from + (to - from) * part)))
    }

    /// How many steps are done at the place nearest to a point: all of those that share an instant.
    pub(crate) fn seek(&self, tracks: &Tracks, point: Point) -> u32 {
        seek(&self.axis, tracks, self.frame.along(point))
    }

    /// The packet whose line a point means, if it means one.
    pub(crate) fn hit(&self, tracks: &Tracks, point: Point) -> Option<PacketId> {
        let near = tracks.flights.iter().filter_map(|flight| {
            let (from, to) = self.line(flight, tracks.end())?;
            let away = distance_to(point, from, to);
            (away <= REACH).then_some((away, flight.packet.id))
        });
        near.min_by(|one, other| one.0.total_cmp(&other.0)).map(|(_, id)| id)
    }

    /// Where the window must begin so that `at` can be seen in it: where it was, if it can.
    pub(crate) fn follow(&self, from: f64, at: Time) -> f64 {
        let view = self.window.1;
        let (from, place) = (self.clamp(from), self.place(at));
        if place >= from + view * 0.02 && place <= from + view * 0.98 {
            return from;
        }
        self.clamp(place - view * 0.4)
    }

    /// The nearest start of a window to `from`.
    pub(crate) fn clamp(&self, from: f64) -> f64 {
        let most = self.axis.length() - self.window.1;
        // A part of a pixel is no reason to move, and to lose the label of the start.
        if most < 1.0 { 0.0 } else { from.clamp(0.0, most) }
    }
}

impl Room {
    fn lanes_y(self) -> f64 {
        if self.half == Some(Half::Lower) { 1.5 } else { LANES_Y }
    }

    fn legend_h(self) -> f64 {
        if self.half == Some(Half::Upper) { 1.0 } else { LEGEND_H }
    }

    fn names_w(self) -> f64 {
        if self.width < SLIM { NAMES_W_SLIM } else { NAMES_W }
    }

    /// The longest axis that makes sense.
    fn longest(self) -> f64 {
        if self.turn == Turn::Along { f64::INFINITY } else { UPRIGHT_MOST }
    }

    /// How much of the axis is seen.
    fn view(self, instants: usize) -> f64 {
        match self.turn {
            Turn::Along => (self.width - self.names_w() - MARGIN - 10.0).max(120.0),
            // An upright axis may be as long as its run needs, for the page scrolls; but not endless.
            Turn::Upright => (instants as f64 * 34.0).clamp(420.0, 2400.0),
        }
    }
}

/// The instants that the axis shows apart: on one page all that tell something, nearer by all of them.
fn instants(tracks: &Tracks, zoom: f64) -> Vec<Time> {
    let all = tracks.instants.iter().zip(&tracks.dull);
    let mut shown: Vec<Time> = all.filter(|(_, dull)| zoom > 1.0 || !**dull).map(|(at, _)| *at).collect();
    shown.push(tracks.end());
    shown.dedup();
    shown
}

/// How many steps are done at the place of an axis nearest to `along`.
pub(crate) fn seek(axis: &Axis, tracks: &Tracks, along: f64) -> u32 {
    let all = &tracks.instants;
    let done = all.partition_point(|at| *at <= axis.time(along));
    let before = done.checked_sub(1).map(|ix| axis.place(all[ix])).unwrap_or_default();
    let nearer_next = all.get(done).filter(|next| axis.place(**next) - along < along - before);
    match nearer_next {
        Some(next) => all.partition_point(|at| at <= next) as u32,
        None => done as u32,
    }
}

fn distance_to(point: Point, from: Point, to: Point) -> f64 {
    let (dx, dy) = (to.x - from.x, to.y - from.y);
    let square = dx * dx + dy * dy;
    let along = if square == 0.0 { 0.0 } else { ((point.x - from.x) * dx + (point.y - from.y) * dy) / square };
    let along = along.clamp(0.0, 1.0);
    (point.x - from.x - dx * along).hypot(point.y - from.y - dy * along)
}
