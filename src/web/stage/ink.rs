//! The text of SVG paths, written without the formatting machinery: thousands of numbers pass through here.

use super::shape::{Point, Rect, at};

/// The text of a path: one element instead of hundreds.
#[derive(Clone, PartialEq, Debug, Default)]
pub(crate) struct Ink {
    text: String,
}

/// Writes a number in tenths: more would not be seen.
pub(crate) fn push_px(text: &mut String, v: f64) {
    let tenths = (v * 10.0).round() as i64;
    if tenths < 0 {
        text.push('-');
    }
    let size = tenths.unsigned_abs();
    push_whole(text, size / 10);
    if !size.is_multiple_of(10) {
        text.push('.');
        text.push(char::from(b'0' + (size % 10) as u8));
    }
}

/// Writes a whole number.
pub(crate) fn push_whole(text: &mut String, n: u64) {
    if n >= 10 {
        push_whole(text, n / 10);
    }
    text.push(char::from(b'0' + (n % 10) as u8));
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

    /// A command and its numbers.
    pub(crate) fn put(&mut self, command: char, numbers: &[f64]) -> &mut Self {
        self.text.push(command);
        for (ix, number) in numbers.iter().enumerate() {
            if ix > 0 {
                self.text.push(' ');
            }
            push_px(&mut self.text, *number);
        }
        self
    }

    /// Starts at a point.
    pub(crate) fn start(&mut self, from: Point) -> &mut Self {
        self.put('M', &[from.x, from.y])
    }

    /// Commands that are always the same.
    pub(crate) fn fixed(&mut self, commands: &str) -> &mut Self {
        self.text.push_str(commands);
        self
    }

    /// A straight line.
    pub(crate) fn line(&mut self, from: Point, to: Point) {
        self.start(from).put('L', &[to.x, to.y]);
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
        self.start(to);
        self.put('L', &[back.x - uy * 3.6, back.y + ux * 3.6]);
        self.put('L', &[back.x + uy * 3.6, back.y - ux * 3.6]).fixed("z");
    }

    /// A box; its corners are rounded where it is large enough.
    pub(crate) fn area(&mut self, area: Rect, radius: f64) {
        let r = radius.min(area.w / 2.0).min(area.h / 2.0).floor();
        if r < 1.0 {
            self.start(at(area.x, area.y)).put('h', &[area.w]).put('v', &[area.h]).put('h', &[-area.w]).fixed("z");
            return;
        }
        let (w, h) = (area.w - 2.0 * r, area.h - 2.0 * r);
        let corner = |dx: f64, dy: f64| [r, r, 0.0, 0.0, 1.0, dx, dy];
        self.start(at(area.x + r, area.y)).put('h', &[w]).put('a', &corner(r, r)).put('v', &[h]);
        self.put('a', &corner(-r, r)).put('h', &[-w]).put('a', &corner(-r, -r)).put('v', &[-h]);
        self.put('a', &corner(r, -r)).fixed("z");
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
    fn numbers_are_short() {
        let mut text = String::new();
        for v in [1.0, 1.25, -0.04, -3.16, 1440.0] {
            push_px(&mut text, v);
            text.push(' ');
        }
        assert_eq!(text, "1 1.3 0 -3.2 1440 ");
    }

    #[test]
    fn boxes_too_small_for_round_corners_are_square() {
        let mut ink = Ink::default();
        ink.area(Rect::new(0.0, 0.0, 1.0, 5.0), 4.0);
        assert_eq!(ink.text(), "M0 0h1v5h-1z");
    }
}
