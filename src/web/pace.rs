//! How fast a run plays: the map between virtual time and the time of the film that the visitor watches.
//!
//! A hop of 5 ms takes 400 ms of film. Quiet time would bore at that rate, so a gap of more than a hop takes 400 ms and
//! 100 ms more each time it doubles, up to 1 600 ms: ten seconds of sleep pass in a second and a half. A step that a
//! paragraph of the story explains stays for 900 ms before time goes on, to be read. Steps at one instant come at once.

use crate::vocabulary::{Span, Time};

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
    /// The pace of a run whose steps happen at `times`; `told(position)` says whether the story explains the step that
    /// leads to a position.
    pub(crate) fn new(times: impl Iterator<Item = Time>, told: impl Fn(u32) -> bool) -> Self {
        let mut marks = vec![Mark { at: Time::ZERO, film: 0, stay: 0 }];
        for (ix, at) in times.enumerate() {
            let last = marks[ix];
            let film = last.film + last.stay + gap_film(at.since(last.at));
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
        let times = [0, 5, 5, 10, 10_000].map(Time::from_ms);
        Pace::new(times.into_iter(), |position| position == 4)
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
