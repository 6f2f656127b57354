//! Makes what a search found small and lasting: fewer faults, weaker ones, and moments in words.

use std::sync::Arc;

use super::explore::Move;
use super::state::State;
use super::{Found, Goal};
use crate::history::History;
use crate::scenario::Scenario;
use crate::verdicts::Judges;
use crate::vocabulary::{Fault, FaultKind, Matcher, PacketRef, Span, StepIx, Trigger};
use crate::world::{Effect, Record, World, count_matches};

/// Weaker sizes are tried in steps of this.
const UNIT_US: i64 = 1_000;

pub(super) struct Shrinker<'a> {
    scenario: &'a Scenario,
    goal: &'a Goal,
    runs: u32,
}

impl<'a> Shrinker<'a> {
    pub(super) const fn new(scenario: &'a Scenario, goal: &'a Goal) -> Self {
        Self { scenario, goal, runs: 0 }
    }

    pub(super) fn shrink(mut self, moves: &[Move]) -> Found {
        let mut faults: Vec<Fault> = moves.iter().map(as_found).collect();
        self.drop_needless(&mut faults);
        let history = self.history(&faults);
        for ix in 0..faults.len() {
            let forms = sized(&faults[ix], &history);
            self.prefer(&mut faults, ix, forms);
            let forms = in_words(&faults[ix], &history);
            self.prefer(&mut faults, ix, forms);
            self.weaken(&mut faults, ix);
        }
        Found { faults, shrinking_runs: self.runs }
    }

    fn drop_needless(&mut self, faults: &mut Vec<Fault>) {
        for ix in (0..faults.len()).rev() {
            let fewer: Vec<_> = (0..faults.len()).filter(|other| *other != ix).map(|other| faults[other]).collect();
            if self.reaches_goal(&fewer) {
                *faults = fewer;
            }
        }
    }

    /// Replaces a fault by the first of these forms with which the goal is still reached.
    fn prefer(&mut self, faults: &mut [Fault], ix: usize, forms: Vec<Fault>) {
        for form in forms {
            let old = std::mem::replace(&mut faults[ix], form);
            if self.reaches_goal(faults) {
                return;
            }
            faults[ix] = old;
        }
    }

    /// Looks for the least size that still reaches the goal, by halving.
    fn weaken(&mut self, faults: &mut [Fault], ix: usize) {
        let strong = faults[ix].kind;
        let Some(size) = size_us(strong) else { return };
        let (mut weak, mut enough) = (0, size / UNIT_US);
        while (enough - weak).abs() > 1 {
            let middle = weak + (enough - weak) / 2;
            faults[ix].kind = with_size(strong, middle * UNIT_US);
            if self.reaches_goal(faults) {
                enough = middle;
            } else {
                weak = middle;
            }
        }
        let least = if enough == size / UNIT_US { size } else { enough * UNIT_US };
        faults[ix].kind = with_size(strong, least);
    }

    fn reaches_goal(&mut self, faults: &[Fault]) -> bool {
        self.runs += 1;
        let setup = &self.scenario.setup;
        let all = self.scenario.faults.iter().chain(faults).copied().collect();
        let mut state = State { world: World::new(Arc::clone(setup), all), judges: Judges::new(setup) };
        let mut record = Record::default();
        while state.step(&mut record) && !self.goal.is_reached(&state.judges) {}
        self.goal.is_reached(&state.judges)
    }

    /// The run with these faults, each of which is a step of its own, played by hand.
    fn history(&self, faults: &[Fault]) -> History {
        let mut history = History::new(Arc::new(self.scenario.clone()));
        for fault in faults {
            if let Trigger::Step(at) = fault.on {
                history.seek(at.0);
                history.act(fault.kind, fault.until);
            }
        }
        history
    }
}

const fn as_found(one: &Move) -> Fault {
    let until = match one.ends {
        Some(step) => Some(Trigger::Step(step)),
        None => None,
    };
    Fault { on: Trigger::Step(one.at), kind: one.kind, until, twin: None }
}

/// The fault with a length instead of a step at which it ends.
fn sized(fault: &Fault, history: &History) -> Vec<Fault> {
    let (Trigger::Step(from), Some(Trigger::Step(to))) = (fault.on, fault.until) else { return Vec::new() };
    let time = |step: StepIx| history.step(step).record.at;
    let length = whole_ms(time(to).since(time(from)));
    let kind = match fault.kind {
        FaultKind::Pause { node, cause, .. } => FaultKind::Pause { node, cause, length: Some(length) },
        FaultKind::Suspend { machine, .. } => FaultKind::Suspend { machine, length: Some(length) },
        FaultKind::Crash { node, .. } => FaultKind::Crash { node, restart: Some(length) },
        FaultKind::Hold { packet } => FaultKind::Delay { packet, by: length },
        _ => return vec![Fault { until: Some(Trigger::At(time(to))), ..*fault }],
    };
    vec![Fault { kind, until: None, ..*fault }]
}

/// The fault at a moment in words: of a packet its sending, of anything else what the history calls that step.
fn in_words(fault: &Fault, history: &History) -> Vec<Fault> {
    let Trigger::Step(at) = fault.on else { return Vec::new() };
    let sent = fault.kind.packet().and_then(|packet| sending(packet, at, history));
    let by_packet = sent.map(|on| Fault { on, kind: of_matched(fault.kind), ..*fault });
    let own = |other: &&Fault| other.on == fault.on && other.twin.is_some();
    let twin = history.faults().iter().find(own).and_then(|other| other.twin);
    let by_name = twin.map(|on| Fault { on, ..*fault });
    let kept = Fault { twin, ..*fault };
    by_packet.into_iter().chain(by_name).chain([kept]).collect()
}

fn sending(packet: PacketRef, before: StepIx, history: &History) -> Option<Trigger> {
    let PacketRef::Id(id) = packet else { return None };
    let past = || history.steps().map(|step| &step.record).take_while(|record| record.ix < before);
    let (ix, packet) = past().find_map(|record| {
        let packet = record.effects.iter().find_map(|effect| match effect {
            Effect::Sent { packet, .. } if packet.id == id => Some(packet),
            _ => None,
        })?;
        Some((record.ix, packet))
    })?;
    let matcher = Matcher::Send { from: packet.from, to: packet.to, kind: Some(packet.kind()) };
    let nth = past().take_while(|other| other.ix <= ix).map(|other| count_matches(matcher, other)).sum();
    Some(Trigger::When { matcher, nth, after: Span::ZERO })
}

const fn of_matched(kind: FaultKind) -> FaultKind {
    let packet = PacketRef::Matched;
    match kind {
        FaultKind::Hold { .. } => FaultKind::Hold { packet },
        FaultKind::DeliverNow { .. } => FaultKind::DeliverNow { packet },
        FaultKind::Delay { by, .. } => FaultKind::Delay { packet, by },
        FaultKind::Lose { delivered, notice, .. } => FaultKind::Lose { packet, delivered, notice },
        FaultKind::Resend { .. } => FaultKind::Resend { packet },
        other => other,
    }
}

/// The size of a fault that has one, in microseconds.
const fn size_us(kind: FaultKind) -> Option<i64> {
    Some(match kind {
        FaultKind::Pause { length: Some(span), .. }
        | FaultKind::Suspend { length: Some(span), .. }
        | FaultKind::Crash { restart: Some(span), .. }
        | FaultKind::Delay { by: span, .. } => span.0 as i64,
        FaultKind::ClockJump { by_us, .. } => by_us,
        _ => return None,
    })
}

const fn with_size(kind: FaultKind, size_us: i64) -> FaultKind {
    let span = Span(size_us.unsigned_abs());
    match kind {
        FaultKind::Pause { node, cause, .. } => FaultKind::Pause { node, cause, length: Some(span) },
        FaultKind::Suspend { machine, .. } => FaultKind::Suspend { machine, length: Some(span) },
        FaultKind::Crash { node, .. } => FaultKind::Crash { node, restart: Some(span) },
        FaultKind::Delay { packet, .. } => FaultKind::Delay { packet, by: span },
        FaultKind::ClockJump { machine, .. } => FaultKind::ClockJump { machine, by_us: size_us },
        other => other,
    }
}

/// Rounded up.
const fn whole_ms(span: Span) -> Span {
    Span(span.0.next_multiple_of(UNIT_US as u64))
}
