//! Faults: when they fire and what they do.
//!
//! A fault fires once, before the effect it matched, in list order. What is about to happen is shown to every fault that
//! has not fired (`examine`); those that match become `ready`. Before a line or a delivery they fire as steps of their
//! own; before a send or an observation they fire inside the step.

mod links;
mod processes;

use std::hash::Hash;
use std::sync::Arc;

use super::matching::Occurrence;
use super::network::Flight;
use super::queue::{Pending, Scheduled};
use super::record::{Effect, Record};
use super::{Digest, World};
use crate::vocabulary::{Fault, FaultIx, FaultKind, Matcher, NodeId, PacketId, PacketRef, Span, StepIx, Time, Trigger};

/// What became of a fault.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct FaultState {
    /// The step in which it fired; `None` if it did not (yet).
    pub fired: Option<StepIx>,
    /// Whether it was taken back.
    pub ended: bool,
    seen: u32,
    seen_until: u32,
    /// The packet that it matched.
    packet: Option<PacketId>,
}

/// The run's faults and what became of them. It changes rarely, so that steps share it.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct Adversary {
    pub(super) faults: Arc<[Fault]>,
    pub(super) states: Vec<FaultState>,
    /// Faults that fire as the next steps, or inside this one.
    pub(super) ready: Vec<Ready>,
}

impl Adversary {
    pub(super) fn new(faults: Arc<[Fault]>) -> Self {
        Self { states: vec![FaultState::default(); faults.len()], ready: Vec::new(), faults }
    }

    /// What of this a search must tell apart: the faults that can still fire or end, and how far their counts are.
    pub(super) fn key(&self, key: &mut Digest) {
        for (fault, state) in std::iter::zip(self.faults.iter(), &self.states) {
            let over = state.fired.is_some() && (state.ended || fault.until.is_none());
            if !over {
                (fault, state.fired.is_some(), state.seen, state.seen_until).hash(key);
            }
        }
    }
}

/// A fault that fires next.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Ready {
    ix: FaultIx,
    ends: bool,
}

impl World {
    /// Adds a fault to the future of this run. `seen`: how often its matcher has matched so far.
    pub fn add_fault(&mut self, fault: Fault, seen: u32) -> FaultIx {
        let ix = FaultIx(self.faults().len() as u16);
        let adversary = self.adversary_mut();
        adversary.faults = adversary.faults.iter().copied().chain([fault]).collect();
        adversary.states.push(FaultState { seen, ..FaultState::default() });
        self.schedule_fault(ix);
        ix
    }

    /// How many occurrences of a matcher were already shown to the faults but have not happened yet: an interrupted
    /// line, or a packet that was delayed at its delivery.
    pub fn examined(&self, matcher: Matcher) -> u32 {
        match matcher {
            Matcher::Line { client, .. } => {
                let line = self.line_of(client).is_some_and(|line| line.matches(matcher));
                u32::from(line && self.process(client).interrupted_matched() == Some(true))
            }
            Matcher::Deliver { .. } => {
                let examined =
                    |flight: &&Flight| flight.matched && Occurrence::deliver(&flight.packet).matches(matcher);
                self.air.iter().filter(examined).count() as u32
            }
            _ => 0,
        }
    }

    fn adversary_mut(&mut self) -> &mut Adversary {
        Arc::make_mut(&mut self.adversary)
    }

    pub(super) fn schedule_fault(&mut self, ix: FaultIx) {
        let fault = self.faults()[ix.ix()];
        for (trigger, ends) in [(Some(fault.on), false), (fault.until, true)] {
            if let Some(Trigger::At(at)) = trigger {
                let seq = u32::from(ix.0) * 2 + u32::from(ends);
                self.queue.push(Scheduled::new(at.max(self.now), seq, None, Pending::Fault { ix, ends }));
            }
        }
    }

    /// The fault that is the next step, if there is one.
    pub(super) fn next_ready(&mut self) -> Option<Scheduled> {
        let step = Trigger::Step(StepIx(self.steps));
        let by_step = |(ix, fault): (usize, &Fault)| {
            let state = &self.adversary.states[ix];
            let ix = FaultIx(ix as u16);
            if fault.on == step && state.fired.is_none() {
                Some(Ready { ix, ends: false })
            } else {
                (fault.until == Some(step) && state.fired.is_some() && !state.ended).then_some(Ready { ix, ends: true })
            }
        };
        let ready = match self.faults().iter().enumerate().find_map(by_step) {
            Some(ready) => ready,
            None if self.adversary.ready.is_empty() => return None,
            None => self.adversary_mut().ready.remove(0),
        };
        let what = Pending::Fault { ix: ready.ix, ends: ready.ends };
        Some(Scheduled::new(self.now, 0, None, what))
    }

    /// Shows the faults what is about to happen; true if one or more are ready now.
    pub(super) fn examine(&mut self, occurrence: Occurrence<'_>, at: Time) -> bool {
        if self.faults().is_empty() {
            return false;
        }
        let faults = Arc::clone(&self.adversary.faults);
        for (ix, fault) in faults.iter().enumerate() {
            let state = self.adversary.states[ix];
            let (trigger, ends) = match state.fired {
                None => (Some(fault.on), false),
                Some(_) if !state.ended => (fault.until, true),
                Some(_) => continue,
            };
            let Some(Trigger::When { matcher, nth, after }) = trigger else { continue };
            if occurrence.matches(matcher) {
                self.count(FaultIx(ix as u16), ends, nth, after, &occurrence, at);
            }
        }
        !self.adversary.ready.is_empty()
    }

    fn count(&mut self, ix: FaultIx, ends: bool, nth: u32, after: Span, occurrence: &Occurrence<'_>, at: Time) {
        let state = &mut self.adversary_mut().states[ix.ix()];
        let seen = if ends { &mut state.seen_until } else { &mut state.seen };
        *seen += 1;
        if *seen != nth {
            return;
        }
        if !ends {
            state.packet = occurrence.packet().map(|packet| packet.id);
        }
        if after == Span::ZERO {
            self.adversary_mut().ready.push(Ready { ix, ends });
        } else {
            self.schedule(at + after, Pending::Fault { ix, ends }, Some(StepIx(self.steps)));
        }
    }

    pub(super) fn fault_kind(&self, ix: FaultIx, ends: bool) -> FaultKind {
        let kind = self.faults()[ix.ix()].kind;
        if ends { kind.inverse().unwrap_or(kind) } else { kind }
    }

    pub(super) fn fire(&mut self, ix: FaultIx, ends: bool, record: &mut Record) {
        let kind = self.fault_kind(ix, ends);
        let step = StepIx(self.steps);
        let state = &mut self.adversary_mut().states[ix.ix()];
        if ends {
            state.ended = true;
        } else {
            state.fired = Some(step);
        }
        let packet = state.packet;
        self.apply(kind, packet, record);
    }

    /// Fires what is ready inside a step.
    pub(super) fn fire_inline(&mut self, record: &mut Record) {
        for Ready { ix, ends } in std::mem::take(&mut self.adversary_mut().ready) {
            record.effects.push(Effect::FaultFired { ix, kind: self.fault_kind(ix, ends) });
            self.fire(ix, ends, record);
        }
    }

    /// Fires what is ready and is not about the packet itself, which does not exist yet; false if its sender is not up
    /// afterwards.
    pub(super) fn fire_inline_but_packets(&mut self, record: &mut Record, process: NodeId) -> bool {
        let ready = std::mem::take(&mut self.adversary_mut().ready);
        let (packets, others): (Vec<_>, Vec<_>) =
            ready.into_iter().partition(|ready| self.fault_kind(ready.ix, ready.ends).packet().is_some());
        self.adversary_mut().ready = others;
        self.fire_inline(record);
        self.adversary_mut().ready = packets;
        self.process(process).is_up()
    }
}

impl FaultKind {
    /// The packet that this fault is about, if it is about one.
    pub const fn packet(&self) -> Option<PacketRef> {
        match self {
            Self::Hold { packet }
            | Self::DeliverNow { packet }
            | Self::Delay { packet, .. }
            | Self::Lose { packet, .. }
            | Self::Resend { packet } => Some(*packet),
            _ => None,
        }
    }
}
