//! What the conductor makes of what it hears: the log, the moments of faults, and who may go on.

use std::time::{Duration, Instant};

use lockstep::vocabulary::{LineIx, Matcher, NodeId, Nonce, ServiceIx, Span};
use lockstep::world::{Effect, Event, Observation};

use super::{Conductor, FOR_EVER, Heard};
use crate::Outcome;
use crate::control::note;
use crate::link::{Fate, Passing};

impl Conductor {
    /// Something is noted by a process: into the log, and to the faults that wait for it.
    pub(super) fn noted(&mut self, node: NodeId, what: Observation) -> Outcome {
        // The judges ask only what is noted and by whom; what made the process run is not known here.
        self.log(Event::Timer { node, timer: 0 }, vec![Effect::Noted { node, what }]);
        match what.kind() {
            Some(kind) => self.occurs(Matcher::Observed { node, kind }).map(drop),
            None => Ok(()),
        }
    }

    pub(super) fn hear(&mut self, heard: Heard) -> Outcome {
        match heard {
            Heard::Said { node, life, line, at } => {
                self.lag = self.lag.max(at.elapsed());
                let known = self.actors.get(&node).is_some_and(|actor| actor.life == life && !actor.over);
                if known { self.said(node, &line) } else { Ok(()) }
            }
            Heard::Effect(node, words) => {
                for what in self.truth.effect(node, words) {
                    self.noted(node, what)?;
                }
                self.believe_early(|_| false)
            }
            Heard::Passing(Passing { from, to, kind, arrives, answer }) => {
                let kind = Some(kind);
                let matcher =
                    if arrives { Matcher::Deliver { from, to, kind } } else { Matcher::Send { from, to, kind } };
                let mut fate = self.occurs(matcher)?;
                if self.cut.contains(&(from, to)) {
                    fate = Fate::Late(FOR_EVER);
                }
                if !matches!(fate, Fate::Passes) {
                    self.touched.extend([from, to]);
                }
                // Whoever no longer waits for the answer has lost its connection.
                answer.send(fate).or(Ok(()))
            }
        }
    }

    fn said(&mut self, node: NodeId, line: &str) -> Outcome {
        let words: Vec<_> = line.split(' ').collect();
        let number = |ix: usize| words.get(ix).and_then(|word| word.parse::<u64>().ok());
        match (words[0], number(1), number(2)) {
            ("ready", ..) => {
                let actor = self.actors.get_mut(&node).ok_or("nobody of this name")?;
                actor.ready = true;
                // A process that starts for the first time waits for its moment.
                return if actor.life > 0 { self.go(node) } else { Ok(()) };
            }
            ("late", Some(us), _) => {
                self.was_late(node, Duration::from_micros(us));
                return Ok(());
            }
            ("took", Some(server), Some(us)) => {
                let server = NodeId(server as u16);
                if !self.touched.contains(&server) {
                    let latency = self.setup.latency(node, server).max.0 + self.setup.latency(server, node).max.0;
                    let took = Duration::from_micros(us);
                    self.was_late(node, took.saturating_sub(self.real(Span(latency))));
                }
                return Ok(());
            }
            ("line", Some(line), Some(part)) => self.begins(node, LineIx(line as u16), part as u8)?,
            ("attempt", _, Some(nonce)) => self.truth.attempt(node, Nonce(nonce)),
            ("primary", Some(service), _) => return self.tell_primary(node, ServiceIx(service as u8)),
            ("refused", ..) => {}
            _ => {
                let what = note(&words).ok_or_else(|| format!("not understood: {line}"))?;
                return self.says_of_itself(node, what);
            }
        }
        self.go(node)
    }

    /// A client went on later than it should have, and nobody stopped it.
    pub(super) fn was_late(&mut self, node: NodeId, late: Duration) {
        let stopped = |since: &Option<Instant>| since.is_none_or(|since| since.elapsed() <= late);
        if !self.stops.get(&node).is_some_and(stopped) {
            self.lag = self.lag.max(late);
        }
    }

    fn begins(&mut self, node: NodeId, line: LineIx, part: u8) -> Outcome {
        self.occurs(Matcher::Line { client: node, line, part })?;
        if self.actors.get(&node).is_some_and(|actor| !actor.over) {
            self.log(Event::Line { node, line, part }, Vec::new());
        }
        Ok(())
    }

    fn says_of_itself(&mut self, node: NodeId, what: Observation) -> Outcome {
        let Some(actor) = self.actors.get_mut(&node) else { return Ok(()) };
        match what {
            // What took effect in a server may reach us after what came of it elsewhere.
            Observation::Acquired { nonce, .. } if !self.truth.was_granted(nonce) => {
                self.early.push((node, what, Instant::now()));
                return Ok(());
            }
            Observation::Acquired { service, hold, .. } => actor.holds.push((service, hold)),
            Observation::HoldClosed { hold, .. } => actor.holds.retain(|(_, open)| *open != hold),
            Observation::Finished => actor.over = true,
            _ => {}
        }
        self.noted(node, what)?;
        self.go(node)
    }

    /// Lets clients believe whose grant has shown by now, or whom we let wait long enough.
    pub(super) fn believe_early(&mut self, long_enough: impl Fn(Instant) -> bool) -> Outcome {
        for (node, what, at) in std::mem::take(&mut self.early) {
            let Observation::Acquired { service, hold, nonce, .. } = what else { continue };
            if self.truth.was_granted(nonce) || long_enough(at) {
                self.lag = self.lag.max(at.elapsed());
                if let Some(actor) = self.actors.get_mut(&node).filter(|actor| !actor.over) {
                    actor.holds.push((service, hold));
                    self.noted(node, what)?;
                    self.go(node)?;
                }
            } else {
                self.early.push((node, what, at));
            }
        }
        Ok(())
    }
}
