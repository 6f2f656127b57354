//! Points, boxes and routes.

use super::ink::Ink;

/// A place in a drawing, in CSS pixels from its top left corner.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub(crate) struct Point {
    /// To the right.
    pub(crate) x: f64,
    /// Downwards.
    pub(crate) y: f64,
}

/// An upright box.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub(crate) struct Rect {
    /// Its left edge.
    pub(crate) x: f64,
    /// Its top edge.
    pub(crate) y: f64,
    /// Its width.
    pub(crate) w: f64,
    /// Its height.
    pub(crate) h: f64,
}

/// A line of horizontal and vertical pieces, from one end to the other.
#[derive(Clone, PartialEq, Debug, Default)]
pub(crate) struct Route {
    /// Its corners, ends included.
    pub(crate) points: Vec<Point>,
}

/// Short for [`Point`].
pub(crate) const fn at(x: f64, y: f64) -> Point {
    Point { x, y }
}

impl Rect {
    /// A box by its corner and size.
    pub(crate) const fn new(x: f64, y: f64, w: f64, h: f64) -> Self {
        Self { x, y, w, h }
    }

    /// The right edge.
    pub(crate) fn right(&self) -> f64 {
        self.x + self.w
    }

    /// The bottom edge.
    pub(crate) fn bottom(&self) -> f64 {
        self.y + self.h
    }

    /// The middle.
    pub(crate) fn middle(&self) -> Point {
        at(self.x + self.w / 2.0, self.y + self.h / 2.0)
    }

    /// The box `d` smaller on every side.
    pub(crate) fn inset(&self, d: f64) -> Self {
        Self::new(self.x + d, self.y + d, self.w - 2.0 * d, self.h - 2.0 * d)
    }

    /// Whether the two share any area.
    pub(crate) fn overlaps(&self, other: &Self) -> bool {
        self.x < other.right() && other.x < self.right() && self.y < other.bottom() && other.y < self.bottom()
    }

    /// Whether `other` lies within.
    #[cfg(test)]
    pub(crate) fn contains(&self, other: &Self) -> bool {
        self.x <= other.x && self.y <= other.y && other.right() <= self.right() && other.bottom() <= self.bottom()
    }
}

impl Route {
    /// A route through these corners.
    pub(crate) fn new(points: impl Into<Vec<Point>>) -> Self {
        Self { points: points.into() }
    }

    /// How long it is.
    pub(crate) fn length(&self) -> f64 {
        self.points.windows(2).map(|pair| distance(pair[0], pair[1])).sum()
    }

    /// The place after this fraction of the way.
    pub(crate) fn at(&self, fraction: f64) -> Point {
        let mut rest = self.length() * fraction.clamp(0.0, 1.0);
        for pair in self.points.windows(2) {
            let piece = distance(pair[0], pair[1]);
            if rest <= piece && piece > 0.0 {
                let part = rest / piece;
                return at(pair[0].x + (pair[1].x - pair[0].x) * part, pair[0].y + (pair[1].y - pair[0].y) * part);
            }
            rest -= piece;
        }
        self.points.last().copied().unwrap_or_default()
    }

    /// The first part of the route, up to this fraction of the way.
    pub(crate) fn until(&self, fraction: f64) -> Self {
        let mut rest = self.length() * fraction.clamp(0.0, 1.0);
        let mut points: Vec<Point> = self.points.first().copied().into_iter().collect();
        for pair in self.points.windows(2) {
            let piece = distance(pair[0], pair[1]);
            if rest <= piece {
                points.push(self.at(fraction));
                break;
            }
            points.push(pair[1]);
            rest -= piece;
        }
        Self { points }
    }

    /// The same way from the other end.
    pub(crate) fn reversed(&self) -> Self {
        Self { points: self.points.iter().rev().copied().collect() }
    }

    /// The path, its corners rounded.
    pub(crate) fn path(&self, radius: f64) -> Ink {
        let mut ink = Ink::default();
        let Some((first, rest)) = self.points.split_first() else { return ink };
        ink.start(*first);
        let mut before = *first;
        for (ix, corner) in rest.iter().enumerate() {
            let Some(next) = rest.get(ix + 1) else {
                ink.put('L', &[corner.x, corner.y]);
                break;
            };
            let r = radius.min(distance(before, *corner) / 2.0).min(distance(*corner, *next) / 2.0);
            let (a, b) = (towards(*corner, before, r), towards(*corner, *next, r));
            ink.put('L', &[a.x, a.y]).put('Q', &[corner.x, corner.y, b.x, b.y]);
            before = *corner;
        }
        ink
    }
}

fn distance(a: Point, b: Point) -> f64 {
    (a.x - b.x).hypot(a.y - b.y)
}

/// The point `by` away from `from` in the direction of `to`.
fn towards(from: Point, to: Point, by: f64) -> Point {
    let all = distance(from, to);
    if all == 0.0 {
        return from;
    }
    at(from.x + (to.x - from.x) * by / all, from.y + (to.y - from.y) * by / all)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_route_is_walked_by_its_length() {
        let route = Route::new([at(0.0, 0.0), at(0.0, 10.0), at(30.0, 10.0)]);
        assert_eq!(route.at(0.5), at(10.0, 10.0));
        assert_eq!(route.until(0.25).points, [at(0.0, 0.0), at(0.0, 10.0)]);
        assert_eq!(route.reversed().at(1.0), at(0.0, 0.0));
        assert_eq!(route.path(4.0).text(), "M0 0L0 6Q0 10 4 10L30 10");
    }
}
