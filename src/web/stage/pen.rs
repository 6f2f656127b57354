//! Writes SVG as text, for the parts of a drawing that nobody presses.
//!
//! A drawing is redrawn at every step. As text, a piece that did not change costs one comparison, and code that writes
//! text is a fraction of the size of code that builds nodes. `sketch` grows nodes from it; the browser never parses it.
//! Words come from scenario files: what could be taken for an element is escaped in [`Pen::say`], the only way in.

use yew::prelude::*;

use super::ink::{Ink, push_px, push_whole};
use super::shape::{Point, Rect};
use crate::web::sketch::{escape, sketch};

/// SVG under way: pieces that are done, and the one being written.
#[derive(Default)]
pub(crate) struct Pen {
    done: Vec<AttrValue>,
    out: String,
}

impl Pen {
    /// What was written, as nodes: a sketch for each piece.
    pub(crate) fn html(mut self) -> Html {
        self.cut();
        self.done.into_iter().map(sketch).collect()
    }

    /// Ends a piece. What changes often is cut from what does not: a piece that is the same is left alone. A drawing
    /// always has the same pieces, be they empty, so that each meets its own predecessor.
    pub(crate) fn cut(&mut self) {
        self.done.push(std::mem::take(&mut self.out).into());
    }

    /// What was written, to keep.
    pub(crate) fn text_out(self) -> AttrValue {
        self.out.into()
    }

    /// Everything from here to [`close`](Self::close) gets a class.
    pub(crate) fn open(&mut self, classes: &[&str]) {
        self.start("g", classes);
        self.out.push('>');
    }

    /// Ends what [`open`](Self::open) began.
    pub(crate) fn close(&mut self) {
        self.out.push_str("</g>");
    }

    /// A box.
    pub(crate) fn rect(&mut self, classes: &[&str], area: &Rect, rx: f64) {
        self.start("rect", classes);
        self.numbers(&[("x", area.x), ("y", area.y), ("width", area.w), ("height", area.h), ("rx", rx)]);
        self.out.push_str("/>");
    }

    /// A circle.
    pub(crate) fn circle(&mut self, classes: &[&str], center: Point, r: f64) {
        self.start("circle", classes);
        self.numbers(&[("cx", center.x), ("cy", center.y), ("r", r)]);
        self.out.push_str("/>");
    }

    /// A part of a circle's line, from the top on.
    pub(crate) fn arc(&mut self, classes: &[&str], center: Point, r: f64, part: f64) {
        self.start("circle", classes);
        self.numbers(&[("cx", center.x), ("cy", center.y), ("r", r)]);
        let around = 2.0 * std::f64::consts::PI * r;
        self.out.push_str(" stroke-dasharray=\"");
        push_px(&mut self.out, around * part.clamp(0.0, 1.0));
        self.out.push(' ');
        push_px(&mut self.out, around);
        self.out.push_str("\" transform=\"rotate(-90 ");
        push_px(&mut self.out, center.x);
        self.out.push(' ');
        push_px(&mut self.out, center.y);
        self.out.push_str(")\"/>");
    }

    /// A path; nothing if it is empty.
    pub(crate) fn path(&mut self, classes: &[&str], d: &str) {
        if !d.is_empty() {
            self.start("path", classes);
            self.out.push_str(" d=\"");
            self.out.push_str(d);
            self.out.push_str("\"/>");
        }
    }

    /// A path that was inked.
    pub(crate) fn ink(&mut self, classes: &[&str], ink: &Ink) {
        self.path(classes, ink.text());
    }

    /// A fixed path, moved to a place.
    pub(crate) fn sign(&mut self, classes: &[&str], place: Point, d: &str) {
        self.place(&[], place, 1.0, 0.0);
        self.path(classes, d);
        self.close();
    }

    /// Everything from here to [`close`](Self::close) is moved, scaled and turned.
    pub(crate) fn place(&mut self, classes: &[&str], place: Point, scale: f64, turn: f64) {
        self.start("g", classes);
        self.out.push_str(" transform=\"translate(");
        push_px(&mut self.out, place.x);
        self.out.push(' ');
        push_px(&mut self.out, place.y);
        if turn != 0.0 {
            self.out.push_str(")rotate(");
            push_px(&mut self.out, turn);
        }
        if (scale - 1.0).abs() > 1e-6 {
            let thousandths = (scale.clamp(0.0, 9.999) * 1000.0).round() as u64;
            self.out.push_str(")scale(");
            push_whole(&mut self.out, thousandths / 1000);
            self.out.push('.');
            for tenth in [100, 10, 1] {
                push_whole(&mut self.out, thousandths / tenth % 10);
            }
        }
        self.out.push_str(")\">");
    }

    /// A line of text.
    pub(crate) fn text(&mut self, classes: &[&str], place: Point, words: &str) {
        self.words(classes, place, &[("", words)]);
    }

    /// Words in a row, each with a class of its own, as one text; empty ones are left out.
    pub(crate) fn words(&mut self, classes: &[&str], place: Point, parts: &[(&str, &str)]) {
        self.start("text", classes);
        self.numbers(&[("x", place.x), ("y", place.y)]);
        self.out.push('>');
        for (ix, (class, words)) in parts.iter().filter(|(_, words)| !words.is_empty()).enumerate() {
            if class.is_empty() {
                self.say(words);
                continue;
            }
            self.start("tspan", &[class]);
            self.out.push_str(if ix > 0 { " dx=\"6\">" } else { ">" });
            self.say(words);
            self.out.push_str("</tspan>");
        }
        self.out.push_str("</text>");
    }

    /// Words, so that none can be taken for markup.
    fn say(&mut self, words: &str) {
        escape(&mut self.out, words);
    }

    fn start(&mut self, tag: &str, classes: &[&str]) {
        self.out.push('<');
        self.out.push_str(tag);
        let mut first = true;
        for class in classes.iter().filter(|class| !class.is_empty()) {
            self.out.push_str(if first { " class=\"" } else { " " });
            self.out.push_str(class);
            first = false;
        }
        if !first {
            self.out.push('"');
        }
    }

    fn numbers(&mut self, numbers: &[(&str, f64)]) {
        for (name, number) in numbers {
            self.out.push(' ');
            self.out.push_str(name);
            self.out.push_str("=\"");
            push_px(&mut self.out, *number);
            self.out.push('"');
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::web::stage::shape::at;

    #[test]
    fn words_cannot_become_markup() {
        let mut pen = Pen::default();
        pen.text(&["t1"], at(1.0, 2.5), "<script>&\"'");
        assert_eq!(pen.out, "<text class=\"t1\" x=\"1\" y=\"2.5\">&lt;script&gt;&amp;\"'</text>");
    }

    #[test]
    fn places_are_moved_turned_and_scaled() {
        let mut pen = Pen::default();
        pen.place(&["a", "", "b"], at(1.0, 2.0), 0.545, -12.0);
        pen.close();
        assert_eq!(pen.out, "<g class=\"a b\" transform=\"translate(1 2)rotate(-12)scale(0.545)\"></g>");
    }
}
