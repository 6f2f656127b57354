//! One pass over a branch's records.

use super::{Bar, ClientTrack, Down, FaultMark, Flight, Jump, KeyBar, Outcome, Sleep, Tracks, WriteMark};
use crate::scenario::Setup;
use crate::vocabulary::{GrantId, NodeId, PacketId, StepIx, Time};
use crate::world::{Effect, Ending, Event, Observation, Record};

/// The tracks so far, and what is needed to read on.
struct Reader {
    tracks: Tracks,
    /// For each step, the step that sent what arrived in it.
    sent_in: Vec<Option<StepIx>>,
    /// For each client, how often it tried since it began to want its lock.
    attempts: Vec<u32>,
}

pub(super) fn read<'a>(setup: &Setup, records: impl Iterator<Item = &'a Record>) -> Tracks {
    let clients: Vec<_> = setup.clients.iter().map(|client| ClientTrack::new(client.node)).collect();
    let attempts = vec![0; clients.len()];
    let mut reader = Reader { tracks: Tracks { clients, ..Tracks::default() }, sent_in: Vec::new(), attempts };
    for record in records {
        reader.read(record);
    }
    reader.tracks
}

impl Reader {
    fn read(&mut self, record: &Record) {
        self.tracks.instants.push(record.at);
        self.tracks.dull.push(false);
        self.sent_in.push(record.event.packet().and(record.cause));
        self.read_event(record);
        for effect in &record.effects {
            self.read_effect(record, effect);
        }
    }

    /// A client's attempt failed: from the second on, its steps are dull.
    fn attempt_failed(&mut self, node: NodeId, step: StepIx) {
        let Some(ix) = self.tracks.clients.iter().position(|client| client.node == node) else { return };
        self.attempts[ix] += 1;
        let mut step = (self.attempts[ix] > 1).then_some(step);
        while let Some(ix) = step {
            self.tracks.dull[ix.ix()] = true;
            step = self.sent_in[ix.ix()];
        }
    }

    fn wanted_anew(&mut self, node: NodeId) {
        if let Some(ix) = self.tracks.clients.iter().position(|client| client.node == node) {
            self.attempts[ix] = 0;
        }
    }

    fn read_event(&mut self, record: &Record) {
        let at = record.at;
        match record.event.clone() {
            Event::Line { node, line, .. } => {
                if let Some(client) = self.client_mut(node) {
                    client.lines.push((at, line));
                }
            }
            Event::Delivered { packet } | Event::Buffered { packet } => {
                self.land(packet.id, record, Outcome::Delivered);
            }
            Event::Refused { packet } => self.land(packet.id, record, Outcome::Nobody),
            Event::Unbuffered { packet } => {
                if let Some(flight) = self.flight_mut(packet.id) {
                    flight.handled = Some(at);
                }
            }
            Event::Resumed { node } => self.wake(node, at),
            Event::Restarted { node } => {
                close(self.tracks.downs.iter_mut().rev().find(|down| down.node == node).map(|down| &mut down.to), at);
            }
            Event::Fault { kind, ends, .. } => {
                self.tracks.faults.push(FaultMark { at, step: record.ix, kind, ends });
            }
            _ => {}
        }
    }

    fn read_effect(&mut self, record: &Record, effect: &Effect) {
        let at = record.at;
        match effect.clone() {
            Effect::Sent { packet, due } => self.tracks.flights.push(Flight {
                packet,
                sent_in: record.ix,
                due: Some(due),
                end: None,
                handled: None,
                outcome: Outcome::Flying,
            }),
            Effect::Dropped { packet } => self.land(packet.id, record, Outcome::Dropped),
            Effect::Rescheduled { packet, due } => {
                if let Some(flight) = self.flight_mut(packet) {
                    flight.due = due;
                }
            }
            Effect::Noted { node, what } => self.read_note(record, node, what),
            Effect::FaultFired { kind, .. } => {
                self.tracks.faults.push(FaultMark { at, step: record.ix, kind, ends: false });
            }
            Effect::Paused { node, cause, .. } => self.tracks.sleeps.push(Sleep { node, from: at, to: None, cause }),
            Effect::Resumed { node } => self.wake(node, at),
            Effect::Crashed { node, power } => {
                self.wake(node, at);
                self.tracks.downs.push(Down { node, from: at, to: None, power });
            }
            Effect::ClockJumped { machine, by_us } => self.tracks.jumps.push(Jump { machine, at, by_us }),
            Effect::ConnectionBroke { .. } => {}
        }
    }

    fn read_note(&mut self, record: &Record, node: NodeId, what: Observation) {
        let at = record.at;
        match what {
            Observation::Acquired { service, hold, nonce, token, .. } => {
                if let Some(client) = self.client_mut(node) {
                    client.beliefs.push(Bar { id: hold, service, from: at, to: None, token, nonce });
                }
            }
            Observation::HoldClosed { hold, .. } | Observation::HoldSuspended { hold, .. } => {
                let bars = self.client_mut(node).map(|client| &mut client.beliefs);
                close(
                    bars.and_then(|bars| bars.iter_mut().rev().find(|bar| bar.id == hold)).map(|bar| &mut bar.to),
                    at,
                );
            }
            Observation::HoldResumed { hold, .. } => {
                let beliefs = self.client_mut(node).map(|client| &mut client.beliefs);
                if let Some((beliefs, bar)) =
                    beliefs.and_then(|all| all.iter().rev().find(|bar| bar.id == hold).copied().map(|bar| (all, bar)))
                {
                    beliefs.push(Bar { from: at, to: None, ..bar });
                }
            }
            Observation::Granted { service, grant, client, nonce, token, .. } => {
                self.tracks.keys.push(KeyBar { node, client, grant, from: at, to: None, ending: None });
                if let Some(track) = self.client_mut(client) {
                    track.truths.push(Bar { id: grant, service, from: at, to: None, token, nonce });
                }
            }
            Observation::TokenGiven { service, client, token } => {
                let bar = self.client_mut(client).and_then(|track| track.truths.last_mut());
                if let Some(bar) = bar.filter(|bar| bar.service == service) {
                    bar.token = Some(token);
                }
            }
            Observation::Ended { grant, why, .. } => self.end_grant(grant, why, at),
            Observation::Applied { resource, client, op, value, .. } => {
                self.tracks.writes.push(WriteMark { at, resource, client, op, value });
            }
            Observation::Rejected { .. } => {
                let id = record.event.packet().map(|packet| packet.id);
                if let Some(flight) = id.and_then(|id| self.flight_mut(id)) {
                    flight.outcome = Outcome::Refused;
                }
            }
            Observation::Wants { .. } => self.wanted_anew(node),
            Observation::AttemptFailed { .. } => self.attempt_failed(node, record.ix),
            _ => {}
        }
    }

    fn end_grant(&mut self, grant: GrantId, why: Ending, at: Time) {
        for key in self.tracks.keys.iter_mut().rev().filter(|key| key.grant == grant && key.to.is_none()) {
            (key.to, key.ending) = (Some(at), Some(why));
        }
        let truths = self.tracks.clients.iter_mut().flat_map(|client| &mut client.truths);
        for bar in truths.filter(|bar| bar.id == grant) {
            close(Some(&mut bar.to), at);
        }
    }

    fn land(&mut self, packet: PacketId, record: &Record, outcome: Outcome) {
        if let Some(flight) = self.flight_mut(packet)
            && flight.end.is_none()
        {
            flight.end = Some((record.at, record.ix));
            flight.outcome = outcome;
        }
    }

    fn wake(&mut self, node: NodeId, at: Time) {
        close(self.tracks.sleeps.iter_mut().rev().find(|sleep| sleep.node == node).map(|sleep| &mut sleep.to), at);
    }

    fn client_mut(&mut self, node: NodeId) -> Option<&mut ClientTrack> {
        self.tracks.clients.iter_mut().find(|client| client.node == node)
    }

    fn flight_mut(&mut self, id: PacketId) -> Option<&mut Flight> {
        let ix = self.tracks.flights.binary_search_by_key(&id, |flight| flight.packet.id).ok()?;
        Some(&mut self.tracks.flights[ix])
    }
}

/// Ends an interval that is still open.
fn close(to: Option<&mut Option<Time>>, at: Time) {
    if let Some(to) = to
        && to.is_none()
    {
        *to = Some(at);
    }
}
