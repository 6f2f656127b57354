//! The drawings with a spine: full, compact and mini.

use super::{Census, ClientPlace, FlagStyle, Headline, Layout, Link, Peer, Side, lines_that_fit};
use crate::web::scene::Room;
use crate::web::stage::shape::{Point, Rect, Route, at};

/// The sizes by which the three drawings differ. Each grows with its room, up to a limit.
struct Metric {
    /// The size it was drawn for, and the size beyond which it only gets air.
    base: (f64, f64),
    most: (f64, f64),
    /// What it needs in height where lock nodes stand in a row, where clients do, and where both do.
    rows: (f64, f64, f64),
    margin: f64,
    card_w: f64,
    header: f64,
    clocks: f64,
    lock: (f64, f64),
    storage_h: f64,
    /// Where links enter a lock's and a storage's side, from their top.
    enter: (f64, f64),
    flag_h: f64,
    /// From the middle of the gap to the flag's top.
    lift: f64,
    hatch: f64,
    /// From the height at which links enter the lock to the first place for a client's card.
    below: f64,
    /// How far from its card's outer edge a client's link stands.
    drop: f64,
    /// The gap below a row of lock nodes, where their links run.
    bus: f64,
    style: FlagStyle,
}

const FULL: Metric = Metric {
    base: (864.0, 430.0),
    most: (1120.0, 560.0),
    rows: (430.0, 470.0, 520.0),
    margin: 20.0,
    card_w: 247.0,
    header: 50.0,
    clocks: 36.0,
    lock: (255.0, 133.0),
    storage_h: 129.0,
    enter: (58.0, 76.0),
    flag_h: 50.0,
    lift: 39.0,
    hatch: 62.0,
    below: 43.0,
    drop: 96.0,
    bus: 51.0,
    style: FlagStyle::Roomy,
};

const COMPACT: Metric = Metric {
    base: (640.0, 254.0),
    most: (1120.0, 420.0),
    rows: (288.0, 324.0, 352.0),
    margin: 12.0,
    card_w: 167.0,
    header: 44.0,
    clocks: 0.0,
    lock: (215.0, 61.0),
    storage_h: 61.0,
    enter: (31.0, 28.0),
    flag_h: 40.0,
    lift: 22.0,
    hatch: 36.0,
    below: 38.0,
    drop: 16.0,
    bus: 34.0,
    style: FlagStyle::Roomy,
};

const MINI: Metric = Metric {
    base: (480.0, 204.0),
    most: (700.0, 260.0),
    rows: (230.0, 254.0, 284.0),
    margin: 12.0,
    card_w: 117.0,
    header: 50.0,
    clocks: 0.0,
    lock: (211.0, 50.0),
    storage_h: 52.0,
    enter: (25.0, 26.0),
    flag_h: 46.0,
    lift: 20.0,
    hatch: 32.0,
    below: 30.0,
    drop: 16.0,
    bus: 26.0,
    style: FlagStyle::Tiny,
};

/// The height of a client's votes, and of the line below them.
pub(super) const VOTES_H: f64 = 34.0;
pub(super) const VOTES_TIME_H: f64 = 15.0;

/// A drawing under construction: the measures that follow from the room.
struct Plan {
    metric: &'static Metric,
    census: Census,
    /// The whole drawing, and the part of it that is used.
    size: (f64, f64),
    area: Rect,
    locks: Vec<Rect>,
    storages: Vec<Rect>,
    card_w: f64,
}

pub(super) fn lay_out(room: Room, size: Option<(f64, f64)>, census: Census) -> Layout {
    let plan = Plan::new(room, size, census);
    let clients: Vec<_> = (0..census.clients).map(|ix| plan.client(ix)).collect();
    let links = clients.iter().enumerate().flat_map(|(ix, place)| plan.links(ix, place));
    let links = links.chain(super::wires(&plan.locks, census)).collect();
    let headline = plan.headline(&clients);
    let Plan { size, locks, storages, .. } = plan;
    Layout { room, size, locks, storages, clients, links, headline }
}

impl Plan {
    fn new(room: Room, size: Option<(f64, f64)>, census: Census) -> Self {
        let metric = match room {
            Room::Full => &FULL,
            Room::Compact => &COMPACT,
            Room::Mini | Room::Phone => &MINI,
        };
        let size = size.unwrap_or(metric.base);
        let least_h = match (census.clients > 2, census.locks > 1) {
            (false, false) => metric.base.1,
            (false, true) => metric.rows.0,
            (true, false) => metric.rows.1,
            (true, true) => metric.rows.2,
        };
        let rails = if census.wired { super::RAILS } else { 0.0 };
        let least_h = least_h + rails;
        let (w, h) = (size.0.max(metric.base.0 * 0.96), size.1.max(least_h));
        let (used_w, used_h) = (w.min(metric.most.0), h.min(metric.most.1.max(least_h)));
        let area = Rect::new((w - used_w) / 2.0, (h - used_h) / 2.0, used_w, used_h);
        let growth = (used_w - metric.base.0).max(0.0);
        let mut plan = Self {
            metric,
            census,
            size: (w, h),
            area,
            locks: Vec::new(),
            storages: Vec::new(),
            card_w: metric.card_w + growth * 0.2,
        };
        let lock_h = if census.locks > 1 { metric.lock.1.min(111.0) } else { metric.lock.1 };
        plan.locks = plan.row(census.locks, area.y + 2.5 + rails, lock_h, area.w - 2.0 * metric.margin);
        let bottom = area.bottom() - 6.5;
        let between = area.w - 2.0 * (metric.margin + plan.card_w) + 2.0 * metric.margin;
        plan.storages = plan.row(census.storages, bottom - metric.storage_h, metric.storage_h, between);
        plan
    }

    /// A row of cards in the spine, as wide as they like but not wider than `most` together.
    fn row(&self, count: usize, top: f64, height: f64, most: f64) -> Vec<Rect> {
        let gap = if self.area.w > 700.0 { 12.0 } else { 8.0 };
        let n = count.max(1) as f64;
        let growth = (self.area.w - self.metric.base.0).max(0.0);
        let width = ((most + gap) / n - gap).min(self.metric.lock.0 + growth * 0.1);
        let pitch = width + gap;
        let first = self.area.middle().x - (pitch * n - gap) / 2.0;
        (0..count).map(|ix| Rect::new(first + ix as f64 * pitch, top, width, height)).collect()
    }

    /// Whether clients stand one above the other.
    fn stacked(&self, side: Side) -> bool {
        self.on_flank(side) > 1
    }

    /// Whether any flank has more than one client.
    fn dense(&self) -> bool {
        self.census.clients > 2
    }

    fn on_flank(&self, side: Side) -> usize {
        match side {
            Side::Left => self.census.clients.div_ceil(2),
            Side::Right => self.census.clients / 2,
        }
    }

    fn bused(&self) -> bool {
        self.census.locks > 1
    }

    /// The room that a flank's trunk takes beside its cards.
    fn trunk(&self) -> f64 {
        if self.metric.style == FlagStyle::Tiny { 12.0 } else { 20.0 }
    }

    /// The gap between the services, from top to bottom.
    fn band(&self) -> (f64, f64) {
        let top = self.locks.first().map_or(self.area.y, Rect::bottom);
        let bus = if self.bused() { self.metric.bus } else { 0.0 };
        let bottom = self.storages.first().map_or(self.area.bottom() - 8.0, |card| card.y);
        (top + bus, bottom)
    }

    /// Where links run into the storage row.
    fn storage_y(&self) -> f64 {
        self.storages.first().map_or(self.area.bottom(), |card| card.y + self.metric.enter.1)
    }

    fn client(&self, ix: usize) -> ClientPlace {
        let m = self.metric;
        let side = if ix.is_multiple_of(2) { Side::Left } else { Side::Right };
        let card = self.card(ix / 2, side);
        let style = if self.dense() && m.style == FlagStyle::Roomy { FlagStyle::Dense } else { m.style };
        let header = if self.stacked(side) { m.header - 8.0 } else { m.header };
        let clocks = if card.h >= header + m.clocks + 2.0 * super::LINE_H { m.clocks } else { 0.0 };
        let foot = if clocks > 0.0 { clocks + 4.0 } else { 4.0 };
        let tiny = m.style == FlagStyle::Tiny;
        let votes = self.census.voting && !tiny && card.h >= header + VOTES_H + super::LINE_H + foot;
        let timed = votes && card.h >= header + VOTES_H + VOTES_TIME_H + 3.0 * super::LINE_H + foot;
        let top = card.y + header - 1.0;
        let header = header + if votes { VOTES_H } else { 0.0 } + if timed { VOTES_TIME_H } else { 0.0 };
        let lines = if tiny { 0 } else { lines_that_fit(card.h, header, foot, self.census.lines) };
        ClientPlace {
            card,
            side,
            lines,
            listing_y: card.y + header + 16.0,
            clocks_y: (clocks > 0.0).then(|| card.bottom() - 12.0),
            votes: votes.then_some((top, timed)),
            flag: self.flag(ix / 2, side, &card, style),
            style,
        }
    }

    fn card(&self, nth: usize, side: Side) -> Rect {
        let metric = self.metric;
        let stacked = self.stacked(side);
        let trunk = if stacked { self.trunk() } else { 0.0 };
        let width = self.card_w - trunk;
        let left = match side {
            Side::Left => self.area.x + metric.margin + trunk + 0.5,
            Side::Right => self.area.right() - metric.margin - trunk - width - 0.5,
        };
        let (band_top, band_bottom) = self.band();
        if metric.style == FlagStyle::Tiny && !stacked {
            return Rect::new(
                left,
                f64::midpoint(band_top, band_bottom) - metric.lift - 2.0,
                width,
                metric.flag_h + 4.0,
            );
        }
        let enter = self.locks.first().map_or(self.area.y, |card| card.y + metric.enter.0);
        let top = if self.bused() { band_top } else { enter + if stacked { 18.0 } else { metric.below } };
        let bottom = self.storage_y() - if stacked { 16.0 } else { 34.0 };
        if stacked {
            let (n, gap) = (self.on_flank(side) as f64, 8.0);
            let height = (bottom - top + gap) / n - gap;
            return Rect::new(left, top + nth as f64 * (height + gap), width, height);
        }
        // A card is as tall as its program needs, and stands in the middle of what it may use.
        let needs = metric.header + self.census.lines as f64 * super::LINE_H + metric.clocks + 10.0;
        let needs = needs + if self.census.voting { VOTES_H + VOTES_TIME_H } else { 0.0 };
        let height = needs.min(bottom - top);
        let y = (self.flag_y(0) + metric.flag_h / 2.0 - height / 2.0 + 8.0).min(bottom - height).max(top);
        Rect::new(left, y.round() + 0.5, width, height.round())
    }

    fn flag_y(&self, nth: usize) -> f64 {
        let m = self.metric;
        let (top, bottom) = self.band();
        if !self.dense() {
            return (f64::midpoint(top, bottom) - m.lift).round();
        }
        let head = if m.style == FlagStyle::Tiny { 0.0 } else { 20.0 };
        let rows = self.census.clients.div_ceil(2) as f64;
        let pitch = (bottom - top - head) / rows;
        (top + head + nth as f64 * pitch + 3.0).round()
    }

    fn flag(&self, nth: usize, side: Side, card: &Rect, style: FlagStyle) -> Rect {
        let m = self.metric;
        let h = match style {
            FlagStyle::Dense => 30.0,
            FlagStyle::Tiny if self.dense() => 38.0,
            FlagStyle::Roomy | FlagStyle::Tiny => m.flag_h,
        };
        let rows = self.on_flank(side);
        let y = self.flag_y(nth).min(card.bottom() - h - 2.0).max(card.y + 2.0);
        let y = if rows == 1 && !self.dense() { self.flag_y(0) } else { y };
        let middle = self.area.middle().x;
        match side {
            Side::Left => Rect::new(card.right(), y, middle - m.hatch / 2.0 - card.right(), h),
            Side::Right => {
                let x = middle + m.hatch / 2.0;
                Rect::new(x, y, card.x - x, h)
            }
        }
    }

    fn headline(&self, clients: &[ClientPlace]) -> Headline {
        let top = clients.iter().map(|place| place.flag.y).fold(f64::INFINITY, f64::min);
        let y = if top.is_finite() { top - if self.dense() { 7.0 } else { 12.0 } } else { self.area.y };
        Headline { x: self.area.middle().x, y, shown: y - 14.0 >= self.band().0 - 8.0 }
    }

    fn links(&self, ix: usize, place: &ClientPlace) -> Vec<Link> {
        let locks = (0..self.locks.len()).map(|lock| self.lock_link(ix, place, lock));
        let storages = (0..self.storages.len()).map(|storage| self.storage_link(ix, place, storage));
        locks.chain(storages).collect()
    }

    /// The x at which a client's links leave its card, or its flank's trunk.
    fn trunk_x(&self, place: &ClientPlace) -> f64 {
        let outer = if self.stacked(place.side) { 2.0 - self.trunk() } else { self.drop() };
        match place.side {
            Side::Left => place.card.x + outer,
            Side::Right => place.card.right() - outer,
        }
    }

    fn drop(&self) -> f64 {
        let growth = (self.area.w - self.metric.base.0).max(0.0);
        (self.metric.drop + growth * 0.18).min(self.card_w / 2.0)
    }

    /// The first corners of a client's links, to the height `y`.
    fn leave(&self, place: &ClientPlace, up: bool, y: f64) -> Vec<Point> {
        let x = self.trunk_x(place);
        if self.stacked(place.side) {
            let from = match place.side {
                Side::Left => place.card.x,
                Side::Right => place.card.right(),
            };
            let stub = place.card.y + 20.0;
            return vec![at(from, stub), at(x, stub), at(x, y)];
        }
        let from = if up { place.card.y } else { place.card.bottom() };
        vec![at(x, from), at(x, y)]
    }

    fn lock_link(&self, ix: usize, place: &ClientPlace, lock: usize) -> Link {
        let card = self.locks[lock];
        let mut points;
        let label;
        if self.bused() {
            let lane = (ix as f64 + 1.0) / (self.census.clients as f64 + 1.0);
            let y = card.bottom() + 8.0 + (self.metric.bus - 14.0) * lane;
            let x = card.x + card.w * lane;
            points = self.leave(place, true, y);
            points.extend([at(x, y), at(x, card.bottom())]);
            label = self.inner_strip(place);
        } else {
            let y = card.y + self.metric.enter.0;
            let x = if place.side == Side::Left { card.x } else { card.right() };
            points = self.leave(place, true, y);
            points.push(at(x, y));
            label = self.strip(place.side, x, y - 30.0);
        }
        Link { client: ix, peer: Peer::Lock(lock), route: Route::new(points), label, beside: 0.0, port: self.bused() }
    }

    fn storage_link(&self, ix: usize, place: &ClientPlace, storage: usize) -> Link {
        let card = self.storages[storage];
        let y = card.y + self.metric.enter.1;
        let x = if place.side == Side::Left { card.x } else { card.right() };
        let mut points = self.leave(place, false, y);
        points.push(at(x, y));
        let label = self.strip(place.side, x, y + 12.0);
        Link { client: ix, peer: Peer::Storage(storage), route: Route::new(points), label, beside: 0.0, port: false }
    }

    /// The free strip under a row of lock nodes, between a flank and the middle.
    fn inner_strip(&self, place: &ClientPlace) -> Rect {
        let (middle, top) = (self.area.middle().x, self.band().0);
        match place.side {
            Side::Left => Rect::new(place.card.right() + 8.0, top, middle - place.card.right() - 12.0, 18.0),
            Side::Right => Rect::new(middle + 4.0, top, place.card.x - middle - 12.0, 18.0),
        }
    }

    /// The free strip between a flank's edge and a service's edge at `x`.
    fn strip(&self, side: Side, x: f64, y: f64) -> Rect {
        let gate = super::GATE_W / 2.0 + 4.0;
        match side {
            Side::Left => Rect::new(self.area.x + 2.0, y, x - gate - self.area.x - 2.0, 18.0),
            Side::Right => Rect::new(x + gate, y, self.area.right() - 2.0 - x - gate, 18.0),
        }
    }
}
