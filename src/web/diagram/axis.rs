//! The time axis: linear where things happen, folded where nothing does, so that hops of 5 ms and pauses of 10 s fit
//! one picture.
//!
//! The axis is a chain of knots, time against place, both rising; between knots it is linear. A gap that is long beside
//! the usual one becomes a short stretch, a *fold* of fixed width, and another short stretch.

use crate::vocabulary::{Span, Time};
use crate::web::stage::measure::{Face, grouped, text_width};

/// A map between time and place.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Axis {
    knots: Vec<Knot>,
    /// The folds, in order.
    pub(crate) folds: Vec<Fold>,
}

#[derive(Clone, Copy, PartialEq, Debug)]
struct Knot {
    at: Time,
    place: f64,
}

/// A folded stretch of time.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Fold {
    /// How much time it hides.
    pub(crate) length: Span,
    /// Where it begins.
    pub(crate) from: f64,
    /// Where it ends.
    pub(crate) to: f64,
}

/// A label under the axis.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Tick {
    /// Its middle.
    pub(crate) place: f64,
    /// Its words.
    pub(crate) text: String,
    /// Whether it tells a fold's length, not an instant.
    pub(crate) fold: bool,
}

/// A gap folds if it is longer than so many usual gaps.
const FOLD_FROM: u64 = 4;
/// How many usual gaps stay before a fold, and after it, in tenths.
const BEFORE: f64 = 0.4;
const AFTER: f64 = 1.0;
/// A fold's width, and the part of the axis that folds may take together.
const FOLD_W: f64 = 57.0;
const FOLDS_MOST: f64 = 0.45;
/// A usual gap is at most so wide: a run of three steps does not fill a screen.
const GAP_W_MOST: f64 = 110.0;

impl Axis {
    /// An axis over rising instants (equal ones allowed) from 0 on, about `length` long.
    pub(crate) fn new(instants: impl Iterator<Item = Time>, length: f64) -> Self {
        let mut distinct = vec![Time::ZERO];
        distinct.extend(instants);
        distinct.dedup();
        let gaps: Vec<u64> = distinct.windows(2).map(|pair| pair[1].since(pair[0]).0).collect();
        let unit = usual(&gaps);
        let folds = |gap: u64| gap > unit * FOLD_FROM;
        let count = gaps.iter().filter(|gap| folds(**gap)).count() as f64;
        let fold_w = FOLD_W.min(length * FOLDS_MOST / count.max(1.0));
        let units: f64 =
            gaps.iter().map(|gap| if folds(*gap) { BEFORE + AFTER } else { *gap as f64 / unit as f64 }).sum();
        let scale = ((length - fold_w * count) / units.max(1.0)).min(GAP_W_MOST);

        let mut axis = Self { knots: vec![Knot { at: Time::ZERO, place: 0.0 }], folds: Vec::new() };
        let mut place = 0.0;
        for (gap, pair) in gaps.iter().zip(distinct.windows(2)) {
            if folds(*gap) {
                let (before, after) = (unit as f64 * BEFORE, unit as f64 * AFTER);
                let (from, to) = (Time(pair[0].0 + before as u64), Time(pair[1].0 - after as u64));
                let start = place + BEFORE * scale;
                let end = start + fold_w;
                axis.knots.extend([Knot { at: from, place: start }, Knot { at: to, place: end }]);
                axis.folds.push(Fold { length: to.since(from), from: start, to: end });
                place = end + AFTER * scale;
            } else {
                place += *gap as f64 / unit as f64 * scale;
            }
            axis.knots.push(Knot { at: pair[1], place });
        }
        axis
    }

    /// Where the axis ends.
    pub(crate) fn length(&self) -> f64 {
        self.knots.last().map_or(0.0, |knot| knot.place)
    }

    /// The place of an instant; times after the end stay at the end.
    pub(crate) fn place(&self, at: Time) -> f64 {
        let next = self.knots.partition_point(|knot| knot.at <= at);
        let Some(after) = self.knots.get(next) else { return self.length() };
        let Some(before) = next.checked_sub(1).map(|ix| self.knots[ix]) else { return 0.0 };
        let part = at.since(before.at).0 as f64 / after.at.since(before.at).0 as f64;
        before.place + (after.place - before.place) * part
    }

    /// The instant at a place; places outside belong to the ends.
    pub(crate) fn time(&self, place: f64) -> Time {
        let next = self.knots.partition_point(|knot| knot.place <= place);
        let Some(before) = next.checked_sub(1).map(|ix| self.knots[ix]) else { return Time::ZERO };
        let Some(after) = self.knots.get(next) else { return before.at };
        let part = (place - before.place) / (after.place - before.place);
        Time(before.at.0 + (after.at.since(before.at).0 as f64 * part) as u64)
    }

    /// The labels between two places: folds state their length, instants their time, none covers another.
    ///
    /// `across` is set where labels stand one below the other, as beside an upright axis.
    pub(crate) fn ticks(&self, instants: &[Time], (from, to): (f64, f64), across: bool) -> Vec<Tick> {
        let mut ticks = Ticks { placed: Vec::new(), across };
        for fold in self.folds.iter().filter(|fold| fold.to >= from && fold.from <= to && fold.to - fold.from >= 18.0) {
            let text = ["+", &grouped(fold.length.ms() as i64)].concat();
            ticks.offer(f64::midpoint(fold.from, fold.to), text, true);
        }
        let visible = self.thinned(instants, from, to);
        let starts = |place: f64| self.folds.iter().any(|fold| place > fold.to && place - fold.to < 130.0);
        if from <= 0.0 {
            ticks.offer(0.0, grouped(0), false);
        }
        // The first instant after a fold tells where the picture goes on; then whatever finds room.
        let mut after_fold = None;
        for (at, place) in &visible {
            let fold = self.folds.partition_point(|fold| fold.to <= *place);
            if fold > 0 && after_fold != Some(fold) && starts(*place) {
                after_fold = Some(fold);
                ticks.offer(*place, grouped(at.ms() as i64), false);
            }
        }
        for (at, place) in visible {
            if ticks.has_room(place) {
                ticks.offer(place, grouped(at.ms() as i64), false);
            }
        }
        ticks.placed
    }

    /// The instants between two places that do not fall on each other, with their places.
    fn thinned(&self, instants: &[Time], from: f64, to: f64) -> Vec<(Time, f64)> {
        let mut kept: Vec<(Time, f64)> = Vec::new();
        let first = instants.partition_point(|at| self.place(*at) < from);
        for at in &instants[first..] {
            let place = self.place(*at);
            if place > to {
                break;
            }
            if kept.last().is_none_or(|last| place - last.1 >= 3.0) {
                kept.push((*at, place));
            }
        }
        kept
    }
}

/// The usual gap: short, as most are, but not the shortest. Never 0.
fn usual(gaps: &[u64]) -> u64 {
    let mut sorted: Vec<u64> = gaps.iter().copied().filter(|gap| *gap > 0).collect();
    sorted.sort_unstable();
    sorted.get(sorted.len() * 2 / 5).copied().unwrap_or(1).max(1)
}

/// Labels that were placed, none over another; in order of place.
struct Ticks {
    placed: Vec<Tick>,
    across: bool,
}

impl Ticks {
    fn half(&self, text: &str) -> f64 {
        if self.across { 8.0 } else { text_width(text, 12.0, Face::Sans) / 2.0 + 5.0 }
    }

    /// Whether a label of four digits might fit; spares writing thousands of labels that do not.
    fn has_room(&self, place: f64) -> bool {
        self.fits(place, if self.across { 8.0 } else { 9.0 })
    }

    fn fits(&self, place: f64, half: f64) -> bool {
        let next = self.placed.partition_point(|tick| tick.place < place);
        let clear = |tick: &Tick| (tick.place - place).abs() >= half + self.half(&tick.text);
        self.placed.get(next).is_none_or(clear) && next.checked_sub(1).is_none_or(|ix| clear(&self.placed[ix]))
    }

    fn offer(&mut self, place: f64, text: String, fold: bool) {
        if self.fits(place, self.half(&text)) {
            let next = self.placed.partition_point(|tick| tick.place < place);
            self.placed.insert(next, Tick { place, text, fold });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn axis(ms: &[u64], length: f64) -> Axis {
        Axis::new(ms.iter().map(|ms| Time::from_ms(*ms)), length)
    }

    #[test]
    fn places_rise_with_time_and_fill_the_length() {
        let axis =
            axis(&[0, 5, 10, 15, 20, 520, 10_005, 11_000, 11_005, 11_010, 11_525, 11_530, 11_920, 11_925], 1208.0);
        let places: Vec<f64> = (0..12_000).step_by(5).map(|ms| axis.place(Time::from_ms(ms))).collect();
        assert!(places.windows(2).all(|pair| pair[0] <= pair[1]));
        assert!((axis.length() - 1208.0).abs() < 1.0, "{}", axis.length());
        assert_eq!(axis.folds.len(), 5);
        assert_eq!(axis.folds[1].length, Span::from_ms(10_005 - 520 - 7));
    }

    #[test]
    fn time_is_the_inverse_of_place() {
        let axis = axis(&[0, 5, 10, 520, 525, 60_000], 900.0);
        for ms in [0, 3, 5, 10, 100, 520, 522, 40_000, 60_000] {
            let back = axis.time(axis.place(Time::from_ms(ms)));
            assert!(back.0.abs_diff(ms * 1000) < 300, "{ms} came back as {back}");
        }
        assert_eq!((axis.time(-5.0), axis.time(5000.0)), (Time::ZERO, Time::from_ms(60_000)));
    }

    #[test]
    fn ticks_keep_apart() {
        let instants: Vec<Time> = (0..3000).map(|n| Time::from_ms(n * 5 + n / 10 * 700)).collect();
        let axis = Axis::new(instants.iter().copied(), 1200.0);
        let ticks = axis.ticks(&instants, (0.0, 1200.0), false);
        assert!(ticks.len() > 8 && ticks.len() < 60, "{}", ticks.len());
        for pair in ticks.windows(2) {
            let need =
                text_width(&pair[0].text, 12.0, Face::Sans) / 2.0 + text_width(&pair[1].text, 12.0, Face::Sans) / 2.0;
            assert!(pair[1].place - pair[0].place >= need);
        }
    }

    #[test]
    fn nothing_at_all_has_an_axis_too() {
        let axis = Axis::new(std::iter::empty(), 1000.0);
        assert_eq!((axis.length(), axis.place(Time::from_ms(7))), (0.0, 0.0));
        assert_eq!(axis.time(3.0), Time::ZERO);
    }
}
