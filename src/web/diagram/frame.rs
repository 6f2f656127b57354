//! Which way time runs: everything is computed along the axis and across the lanes, and turned here.

use std::fmt::Write as _;

use crate::web::scene::Turn;
use crate::web::stage::shape::{Point, Px, Rect, at};

/// A box as (along, across): from, to, from, to.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Area {
    /// Its start along the axis.
    pub(crate) from: f64,
    /// Its end along the axis.
    pub(crate) to: f64,
    /// Its near edge across the lanes.
    pub(crate) near: f64,
    /// Its far edge.
    pub(crate) far: f64,
}

/// Turns (along, across) into a drawing's x and y.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Frame {
    /// Which way time runs.
    pub(crate) turn: Turn,
    /// Where time 0 stands in the drawing.
    pub(crate) origin: f64,
}

impl Frame {
    /// A place in the drawing.
    pub(crate) fn point(self, along: f64, across: f64) -> Point {
        match self.turn {
            Turn::Along => at(self.origin + along, across),
            Turn::Upright => at(across, self.origin + along),
        }
    }

    /// A box in the drawing.
    pub(crate) fn rect(self, area: Area) -> Rect {
        let corner = self.point(area.from, area.near);
        let (length, width) = ((area.to - area.from).max(0.0), area.far - area.near);
        match self.turn {
            Turn::Along => Rect::new(corner.x, corner.y, length, width),
            Turn::Upright => Rect::new(corner.x, corner.y, width, length),
        }
    }

    /// How far along the axis a point of the drawing is.
    pub(crate) fn along(self, point: Point) -> f64 {
        match self.turn {
            Turn::Along => point.x - self.origin,
            Turn::Upright => point.y - self.origin,
        }
    }

    /// How far across the lanes a point of the drawing is.
    pub(crate) fn across(self, point: Point) -> f64 {
        match self.turn {
            Turn::Along => point.y,
            Turn::Upright => point.x,
        }
    }
}

/// The text of a path with many pieces: one element instead of hundreds.
#[derive(Clone, PartialEq, Debug, Default)]
pub(crate) struct Ink {
    text: String,
}

impl Ink {
    /// The path so far.
    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    /// Whether nothing was drawn.
    pub(crate) fn is_empty(&self) -> bool {
        self.text.is_empty()
    }

    /// Adds all of another path.
    pub(crate) fn append(&mut self, other: &Self) {
        self.text.push_str(&other.text);
    }

    /// A straight line.
    pub(crate) fn line(&mut self, from: Point, to: Point) {
        let _ = write!(self.text, "M{} {}L{} {}", Px(from.x), Px(from.y), Px(to.x), Px(to.y));
    }

    /// The head of an arrow that comes from `from`.
    pub(crate) fn head(&mut self, from: Point, to: Point) {
        let (dx, dy) = (to.x - from.x, to.y - from.y);
        let long = dx.hypot(dy);
        if long < 6.0 {
            return;
        }
        let (ux, uy) = (dx / long, dy / long);
        let back = at(to.x - ux * 8.0, to.y - uy * 8.0);
        let _ = write!(
            self.text,
            "M{} {}L{} {}L{} {}z",
            Px(to.x),
            Px(to.y),
            Px(back.x - uy * 3.6),
            Px(back.y + ux * 3.6),
            Px(back.x + uy * 3.6),
            Px(back.y - ux * 3.6)
        );
    }

    /// A box; its corners are rounded where it is large enough.
    pub(crate) fn area(&mut self, area: Rect, radius: f64) {
        let r = radius.min(area.w / 2.0).min(area.h / 2.0).floor();
        let (w, h) = (area.w, area.h);
        if r < 1.0 {
            let _ = write!(self.text, "M{} {}h{}v{}h{}z", Px(area.x), Px(area.y), Px(w), Px(h), Px(-w));
            return;
        }
        let _ = write!(
            self.text,
            "M{} {}h{w}a{r} {r} 0 0 1 {r} {r}v{h}a{r} {r} 0 0 1-{r} {r}h-{w}a{r} {r} 0 0 1-{r}-{r}v-{h}a{r} {r} 0 0 1 {r}-{r}z",
            Px(area.x + r),
            Px(area.y),
            w = Px(w - 2.0 * r),
            h = Px(h - 2.0 * r),
        );
    }

    /// A cross.
    pub(crate) fn cross(&mut self, middle: Point, r: f64) {
        let Point { x, y } = middle;
        self.line(at(x - r, y - r), at(x + r, y + r));
        self.line(at(x + r, y - r), at(x - r, y + r));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn upright_is_along_turned() {
        let area = Area { from: 10.0, to: 30.0, near: 5.0, far: 9.0 };
        let along = Frame { turn: Turn::Along, origin: 100.0 };
        let upright = Frame { turn: Turn::Upright, origin: 100.0 };
        assert_eq!(along.rect(area), Rect::new(110.0, 5.0, 20.0, 4.0));
        assert_eq!(upright.rect(area), Rect::new(5.0, 110.0, 4.0, 20.0));
        assert_eq!(upright.point(12.0, 7.0), at(7.0, 112.0));
        assert!((upright.along(at(7.0, 112.0)) - 12.0).abs() < 1e-9);
        assert!((along.across(at(7.0, 112.0)) - 112.0).abs() < 1e-9);
    }

    #[test]
    fn boxes_too_small_for_round_corners_are_square() {
        let mut ink = Ink::default();
        ink.area(Rect::new(0.0, 0.0, 1.0, 5.0), 4.0);
        assert_eq!(ink.text(), "M0 0h1v5h-1z");
    }
}
