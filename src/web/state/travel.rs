//! Moving through the run: at once, step by step, or as a film.

use std::rc::Rc;

use super::App;
use super::action::Go;
use crate::vocabulary::{Span, Time};
use crate::web::pace::Film;
use crate::web::scene::Selection;

/// How time moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Motion {
    /// It stands.
    Still,
    /// The run plays; this is the film's time.
    Playing(Film),
    /// The stage goes from one step to the next.
    Gliding(Glide),
}

/// A step in the making.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Glide {
    from: Time,
    to: Time,
    gone: Film,
    whole: Film,
}

/// The longest glide of a single step.
const GLIDE_MAX: Film = 400_000;

impl App {
    /// Puts cursor and stage to a position, and stops.
    pub(super) fn seek(&mut self, position: u32) {
        self.stop();
        let position = position.min(self.run.len);
        // Nodes and packets stay selected; a step is left behind.
        self.selection = self.selection.filter(|selection| !matches!(selection, Selection::Step(_)));
        if self.cursor.position() != position {
            let mut history = (*self.cursor).clone();
            history.seek(position);
            self.cursor = Rc::new(history);
        }
        self.shown = Rc::clone(&self.cursor);
        self.time = self.run.pace.time(position);
        self.menu = None;
    }

    pub(super) fn stop(&mut self) {
        if self.motion != Motion::Still {
            if let Motion::Gliding(glide) = self.motion {
                self.time = glide.to;
            }
            self.motion = Motion::Still;
            self.shown = Rc::clone(&self.cursor);
        }
    }

    pub(super) fn go(&mut self, go: Go) {
        let position = self.position();
        let told = |ix: Option<usize>| ix.and_then(|ix| self.run.story.get(ix).copied().flatten());
        let to = match go {
            Go::To(to) => to,
            Go::At(time) => self.cursor.position_at(time),
            Go::Step => return self.step(),
            Go::Back => position.saturating_sub(1),
            Go::Start => 0,
            Go::End => self.run.len,
            Go::NextParagraph => {
                self.run.story.iter().flatten().copied().filter(|at| *at > position).min().unwrap_or(self.run.len)
            }
            Go::PreviousParagraph => {
                let current = told(self.run.paragraph_at(position)).unwrap_or(0);
                self.run.story.iter().flatten().copied().filter(|at| *at < current.min(position)).max().unwrap_or(0)
            }
            Go::NextViolation => {
                let all = &self.run.violations;
                let Some(to) = all.iter().find(|at| **at > position).or(all.first()) else { return };
                *to
            }
        };
        self.seek(to);
    }

    /// One step on. The cursor is there at once; the stage glides after it.
    pub(super) fn step(&mut self) {
        let position = self.position();
        if position == self.run.len {
            return self.stop();
        }
        if matches!(self.motion, Motion::Gliding(_)) {
            self.stop();
        }
        let (from, behind) = (self.time, Rc::clone(&self.shown));
        self.seek(position + 1);
        let (to, pace) = (self.time, &self.run.pace);
        if self.smooth && to > from {
            let whole = (pace.film_at(position + 1, to) - pace.film_at(position, from)).clamp(1, GLIDE_MAX);
            self.motion = Motion::Gliding(Glide { from, to, gone: 0, whole });
            self.shown = behind;
            self.time = from;
        }
    }

    pub(super) fn toggle_play(&mut self) {
        if self.is_playing() {
            return self.stop();
        }
        self.stop();
        if self.position() == self.run.len {
            self.seek(0);
        }
        self.menu = None;
        self.motion = Motion::Playing(self.run.pace.film_at(self.position(), self.time));
    }

    pub(super) fn tick(&mut self, us: u64) {
        match self.motion {
            Motion::Still => {}
            Motion::Gliding(mut glide) => {
                glide.gone += us;
                if glide.gone >= glide.whole {
                    return self.stop();
                }
                self.time = glide.time();
                self.motion = Motion::Gliding(glide);
            }
            Motion::Playing(film) => {
                let film = film + self.settings.speed.film(us);
                let (position, time) = self.run.pace.at(film);
                if position != self.position() {
                    self.seek(position);
                }
                if self.smooth {
                    self.time = time;
                }
                let over = film >= self.run.pace.end();
                self.motion = if over { Motion::Still } else { Motion::Playing(film) };
            }
        }
    }
}

impl Glide {
    fn time(&self) -> Time {
        self.from + Span(self.to.since(self.from).0 * self.gone / self.whole)
    }
}
