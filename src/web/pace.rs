//! How fast a run plays: the map between virtual time and the time of the film that the visitor watches.
//!
//! A hop of 5 ms takes 400 ms of film. Quiet time would bore at that rate, so a gap of more than a hop takes 400 ms and
//! 100 ms more each time it doubles, up to 1 600 ms: ten seconds of sleep pass in a second and a half. What has been seen
//! before bores too: the gap before the n-th step of one kind takes the n-th part, so that a hundred vain attempts take
//! no longer than the first five. A step that a paragraph of the story explains stays for 900 ms before time goes on, to
//! be read. Steps at one instant come at once.

use crate::vocabulary::{MessageKind, NodeId, ObservationKind, Span, Time};
use crate::world::{Effect, Event, Packet, Record};

/// The film's own time, in microseconds of a real clock at normal speed.
pub(crate) type Film = u64;

const HOP_US: u64 = 5_000;
const HOP_FILM: Film = 400_000;
const DOUBLING_FILM: Film = 100_000;
const GAP_FILM_MAX: Film = 1_600_000;
const READING_FILM: Film = 900_000;

/// When each position of a run is reached in the film. Positions count the steps done, from 0.
#[derive(Debug, Default)]
pub(crate) struct Pace {
    /// Per position: its instant of virtual time, when the film reaches it, and how long it stays.
    marks: Vec<Mark>,
}

#[derive(Clone, Copy, Debug)]
struct Mark {
    at: Time,
    film: Film,
    stay: Film,
}

impl Pace {
    /// The pace of a run; `told(position)` says whether the story explains the step that leads to a position.
    pub(crate) fn new<'a>(records: impl Iterator<Item = &'a Record>, told: impl Fn(u32) -> bool) -> Self {
        // A run has a few dozen kinds of steps.
        let mut seen: Vec<(Kind, Film)> = Vec::new();
        let steps = records.map(|record| {
            let kind = Kind::of(record);
            let ix = seen.iter().position(|(one, _)| *one == kind).unwrap_or_else(|| {
                seen.push((kind, 0));
                seen.len() - 1
            });
            seen[ix].1 += 1;
            (record.at, seen[ix].1)
        });
        Self::of_steps(steps, told)
    }

    /// The same from the instant of each step and how often its kind has been seen by then.
    fn of_steps(steps: impl Iterator<Item = (Time, Film)>, told: impl Fn(u32) -> bool) -> Self {
        let mut marks = vec![Mark { at: Time::ZERO, film: 0, stay: 0 }];
        for (ix, (at, times)) in steps.enumerate() {
            let last = marks[ix];
            let film = last.film + last.stay + gap_film(at.since(last.at)) / times;
            let stay = if told(ix as u32 + 1) { READING_FILM } else { 0 };
            marks.push(Mark { at, film, stay });
        }
        Self { marks }
    }

    /// When the film ends.
    pub(crate) fn end(&self) -> Film {
        self.marks.last().map_or(0, |mark| mark.film)
    }

    /// The film's time for an instant at or after `position` and before the next.
    pub(crate) fn film_at(&self, position: u32, time: Time) -> Film {
        let mark = self.marks[position as usize];
        let Some(next) = self.marks.get(position as usize + 1) else { return mark.film };
        let (gap, film) = (next.at.since(mark.at), next.film - mark.film - mark.stay);
        if time <= mark.at || gap == Span::ZERO {
            return mark.film;
        }
        mark.film + mark.stay + film * time.since(mark.at).0.min(gap.0) / gap.0
    }

    /// The position and the instant at a time of the film.
    pub(crate) fn at(&self, film: Film) -> (u32, Time) {
        let position = self.marks.partition_point(|mark| mark.film <= film) - 1;
        let mark = self.marks[position];
        let Some(next) = self.marks.get(position + 1) else { return (position as u32, mark.at) };
        let (gone, whole) = (film.saturating_sub(mark.film + mark.stay), next.film - mark.film - mark.stay);
        let gap = next.at.since(mark.at);
        (position as u32, mark.at + Span(gap.0 * gone / whole.max(1)))
    }

    /// The instant of a position.
    pub(crate) fn time(&self, position: u32) -> Time {
        self.marks[position as usize].at
    }
}

/// What a step is like, to tell what has been seen before: who, by what, with which observations.
#[derive(PartialEq, Eq)]
struct Kind {
    node: Option<NodeId>,
    message: Option<MessageKind>,
    event: u16,
    noted: Vec<(NodeId, Option<ObservationKind>)>,
}

impl Kind {
    fn of(record: &Record) -> Self {
        // Events of other kinds than these are rare, and each is worth its time.
        let (event, node) = match &record.event {
            Event::Line { node, line, .. } => (line.0, Some(*node)),
            Event::Timer { node, .. } => (1, Some(*node)),
            Event::Delivered { packet } => (2, Some(packet.to)),
            Event::Buffered { packet } => (3, Some(packet.to)),
            Event::Unbuffered { packet } => (4, Some(packet.to)),
            _ => (u16::MAX, None),
        };
        let noted = record.effects.iter().filter_map(|effect| match effect {
            Effect::Noted { node, what } => Some((*node, what.kind())),
            _ => None,
        });
        Self { node, message: record.event.packet().map(Packet::kind), event, noted: noted.collect() }
    }
}

/// How long a gap between two steps takes in the film.
fn gap_film(gap: Span) -> Film {
    if gap.0 <= HOP_US {
        return HOP_FILM * gap.0 / HOP_US;
    }
    let doublings = u64::from((gap.0 / HOP_US).ilog2());
    (HOP_FILM + DOUBLING_FILM * doublings).min(GAP_FILM_MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pace() -> Pace {
        let steps = [0, 5, 5, 10, 10_000].map(|ms| (Time::from_ms(ms), 1));
        Pace::of_steps(steps.into_iter(), |position| position == 4)
    }

    #[test]
    fn hops_keep_their_pace_and_quiet_time_shrinks() {
        let film: Vec<_> = pace().marks.iter().map(|mark| mark.film / 1000).collect();
        assert_eq!(film, [0, 0, 400, 400, 800, 3100]);
    }

    #[test]
    fn steps_at_one_instant_come_at_once() {
        assert_eq!(pace().at(400_000), (3, Time::from_ms(5)));
    }

    #[test]
    fn what_was_seen_before_goes_faster() {
        let steps = (1..=100).map(|n| (Time::from_ms(5 * n), n));
        assert!(Pace::of_steps(steps, |_| false).end() < 6 * HOP_FILM);
    }

    #[test]
    fn packets_fly_evenly_and_told_steps_stay() {
        let pace = pace();
        assert_eq!(pace.at(200_000), (1, Time(2_500)));
        assert_eq!(pace.at(1_600_000), (4, Time::from_ms(10)));
        assert_eq!(pace.at(pace.end()), (5, Time::from_ms(10_000)));
        assert_eq!(pace.at(pace.end() + 1), (5, Time::from_ms(10_000)));
    }

    #[test]
    fn the_film_can_be_entered_anywhere() {
        let pace = pace();
        for film in (0..=pace.end()).step_by(10_000) {
            let (position, time) = pace.at(film);
            let (again, same) = pace.at(pace.film_at(position, time));
            assert_eq!((again, same.ms()), (position, time.ms()), "at {film}");
        }
    }
}
