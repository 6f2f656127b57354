//! Which way time runs: everything is computed along the axis and across the lanes, and turned here.

use crate::web::scene::Turn;
use crate::web::stage::shape::{Point, Rect, at};

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
}
