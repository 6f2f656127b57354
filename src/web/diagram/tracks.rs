//! A whole branch as intervals and marks: who believed, held, slept and was down from when to when, and how each
//! packet fared. Built once per branch, in one pass over its records.

use crate::scenario::Setup;
use crate::vocabulary::{
    FaultKind, GrantId, HoldId, LineIx, MachineId, NodeId, Nonce, OpId, PacketId, PauseCause, ResourceIx, ServiceIx,
    StepIx, Time, Token,
};
use crate::world::{Effect, Ending, Event, Message, Observation, Packet, Record};

/// What happened on one branch, over its whole length.
#[derive(Clone, PartialEq, Debug, Default)]
pub(crate) struct Tracks {
    /// When each step happened: never falling.
    pub(crate) instants: Vec<Time>,
    /// The clients, in the setup's order.
    pub(crate) clients: Vec<ClientTrack>,
    /// When each lock node gave a lock, and until when.
    pub(crate) keys: Vec<KeyBar>,
    /// When processes did not run, though they were up.
    pub(crate) sleeps: Vec<Sleep>,
    /// When processes were down.
    pub(crate) downs: Vec<Down>,
    /// Steps of wall clocks.
    pub(crate) jumps: Vec<Jump>,
    /// Every packet, by rising id.
    pub(crate) flights: Vec<Flight>,
    /// Every fault that fired.
    pub(crate) faults: Vec<FaultMark>,
    /// Every write that storage applied.
    pub(crate) writes: Vec<WriteMark>,
}

/// What one client believed and truly held, and which lines it ran.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct ClientTrack {
    /// Its process.
    pub(crate) node: NodeId,
    /// When it believed.
    pub(crate) beliefs: Vec<Bar<HoldId>>,
    /// When it truly held.
    pub(crate) truths: Vec<Bar<GrantId>>,
    /// When each line started.
    pub(crate) lines: Vec<(Time, LineIx)>,
}

/// One interval of a belief or of a truth.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Bar<Id> {
    /// The hold or the grant.
    pub(crate) id: Id,
    /// Of whose lock.
    pub(crate) service: ServiceIx,
    /// Its start.
    pub(crate) from: Time,
    /// Its end; `None` if it lasted to the end of the run.
    pub(crate) to: Option<Time>,
    /// The token that came with it.
    pub(crate) token: Option<Token>,
    /// The attempt that made it.
    pub(crate) nonce: Nonce,
}

/// One grant on one lock node.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct KeyBar {
    /// The lock node.
    pub(crate) node: NodeId,
    /// The owner.
    pub(crate) client: NodeId,
    /// The grant.
    pub(crate) grant: GrantId,
    /// Its start.
    pub(crate) from: Time,
    /// Its end; `None` if it lasted to the end of the run.
    pub(crate) to: Option<Time>,
    /// How it ended.
    pub(crate) ending: Option<Ending>,
}

/// One pause of one process.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Sleep {
    /// Who slept.
    pub(crate) node: NodeId,
    /// Its start.
    pub(crate) from: Time,
    /// Its end; `None` if it lasted to the end of the run.
    pub(crate) to: Option<Time>,
    /// Why.
    pub(crate) cause: PauseCause,
}

/// One time that a process was down.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Down {
    /// Who was down.
    pub(crate) node: NodeId,
    /// Its start.
    pub(crate) from: Time,
    /// Its end; `None` if it lasted to the end of the run.
    pub(crate) to: Option<Time>,
    /// Whether its machine lost power.
    pub(crate) power: bool,
}

/// One step of a wall clock.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Jump {
    /// Whose clock.
    pub(crate) machine: MachineId,
    /// When.
    pub(crate) at: Time,
    /// By how much, in microseconds.
    pub(crate) by_us: i64,
}

/// A packet from its sending to its end.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Flight {
    /// The packet.
    pub(crate) packet: Packet,
    /// In which step it was sent.
    pub(crate) sent_in: StepIx,
    /// When it was last expected; `None` if it was held or its link was cut.
    pub(crate) due: Option<Time>,
    /// When and in which step its flight ended.
    pub(crate) end: Option<(Time, StepIx)>,
    /// When it was taken out of the kernel buffer, if it waited there.
    pub(crate) handled: Option<Time>,
    /// How its flight ended.
    pub(crate) outcome: Outcome,
}

/// How a packet's flight ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Outcome {
    /// It did not end.
    Flying,
    /// It reached its process.
    Delivered,
    /// It reached its process, which refused what it asked.
    Refused,
    /// It was dropped on the way.
    Dropped,
    /// It arrived where nobody was.
    Nobody,
}

/// A fault that fired.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct FaultMark {
    /// When.
    pub(crate) at: Time,
    /// In which step.
    pub(crate) step: StepIx,
    /// What it did.
    pub(crate) kind: FaultKind,
    /// Whether this was its end.
    pub(crate) ends: bool,
}

/// A write that storage applied.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct WriteMark {
    /// When.
    pub(crate) at: Time,
    /// Where.
    pub(crate) resource: ResourceIx,
    /// Who wrote.
    pub(crate) client: NodeId,
    /// The write as its author meant it.
    pub(crate) op: OpId,
    /// The value that stood then.
    pub(crate) value: i64,
}

impl Tracks {
    /// Reads the records of a branch, in their order.
    pub(crate) fn new<'a>(setup: &Setup, records: impl Iterator<Item = &'a Record>) -> Self {
        let clients = setup.clients.iter().map(|client| ClientTrack::new(client.node)).collect();
        let mut tracks = Self { clients, ..Self::default() };
        for record in records {
            tracks.read(record);
        }
        tracks
    }

    /// The instant of the last step.
    pub(crate) fn end(&self) -> Time {
        self.instants.last().copied().unwrap_or_default()
    }

    /// The track of a client.
    pub(crate) fn client(&self, node: NodeId) -> Option<&ClientTrack> {
        self.clients.iter().find(|client| client.node == node)
    }

    /// The flight of a packet.
    pub(crate) fn flight(&self, id: PacketId) -> Option<&Flight> {
        let ix = self.flights.binary_search_by_key(&id, |flight| flight.packet.id).ok()?;
        Some(&self.flights[ix])
    }

    /// The last pause of a process that began by `at`.
    pub(crate) fn last_sleep(&self, node: NodeId, at: Time) -> Option<&Sleep> {
        self.sleeps.iter().rev().find(|sleep| sleep.node == node && sleep.from <= at)
    }

    fn read(&mut self, record: &Record) {
        self.instants.push(record.at);
        self.read_event(record);
        for effect in &record.effects {
            self.read_effect(record, effect);
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
                self.land(&packet, record, Outcome::Delivered);
            }
            Event::Refused { packet } => self.land(&packet, record, Outcome::Nobody),
            Event::Unbuffered { packet } => {
                if let Some(flight) = self.flight_mut(packet.id) {
                    flight.handled = Some(at);
                }
            }
            Event::Resumed { node } => self.wake(node, at),
            Event::Restarted { node } => {
                close(self.downs.iter_mut().rev().find(|down| down.node == node).map(|down| &mut down.to), at);
            }
            Event::Fault { kind, ends, .. } => {
                self.faults.push(FaultMark { at, step: record.ix, kind, ends });
            }
            _ => {}
        }
    }

    fn read_effect(&mut self, record: &Record, effect: &Effect) {
        let at = record.at;
        match effect.clone() {
            Effect::Sent { packet, due } => self.flights.push(Flight {
                packet: *packet,
                sent_in: record.ix,
                due: Some(due),
                end: None,
                handled: None,
                outcome: Outcome::Flying,
            }),
            Effect::Dropped { packet } => self.land(&packet, record, Outcome::Dropped),
            Effect::Rescheduled { packet, due } => {
                if let Some(flight) = self.flight_mut(packet) {
                    flight.due = due;
                }
            }
            Effect::Noted { node, what } => self.read_note(record, node, what),
            Effect::FaultFired { kind, .. } => {
                self.faults.push(FaultMark { at, step: record.ix, kind, ends: false });
            }
            Effect::Paused { node, cause, .. } => self.sleeps.push(Sleep { node, from: at, to: None, cause }),
            Effect::Resumed { node } => self.wake(node, at),
            Effect::Crashed { node, power } => {
                self.wake(node, at);
                self.downs.push(Down { node, from: at, to: None, power });
            }
            Effect::ClockJumped { machine, by_us } => self.jumps.push(Jump { machine, at, by_us }),
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
            Observation::HoldClosed { hold, .. } => {
                let bars = self.client_mut(node).map(|client| &mut client.beliefs);
                close(
                    bars.and_then(|bars| bars.iter_mut().rev().find(|bar| bar.id == hold)).map(|bar| &mut bar.to),
                    at,
                );
            }
            Observation::Granted { service, grant, client, nonce, token, .. } => {
                self.keys.push(KeyBar { node, client, grant, from: at, to: None, ending: None });
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
                self.writes.push(WriteMark { at, resource, client, op, value });
            }
            Observation::Rejected { .. } => {
                let id = record.event.packet().map(|packet| packet.id);
                if let Some(flight) = id.and_then(|id| self.flight_mut(id)) {
                    flight.outcome = Outcome::Refused;
                }
            }
            _ => {}
        }
    }

    fn end_grant(&mut self, grant: GrantId, why: Ending, at: Time) {
        for key in self.keys.iter_mut().rev().filter(|key| key.grant == grant && key.to.is_none()) {
            (key.to, key.ending) = (Some(at), Some(why));
        }
        let truths = self.clients.iter_mut().flat_map(|client| &mut client.truths);
        for bar in truths.filter(|bar| bar.id == grant) {
            close(Some(&mut bar.to), at);
        }
    }

    fn land(&mut self, packet: &Packet, record: &Record, outcome: Outcome) {
        if let Some(flight) = self.flight_mut(packet.id)
            && flight.end.is_none()
        {
            flight.end = Some((record.at, record.ix));
            flight.outcome = outcome;
        }
    }

    fn wake(&mut self, node: NodeId, at: Time) {
        close(self.sleeps.iter_mut().rev().find(|sleep| sleep.node == node).map(|sleep| &mut sleep.to), at);
    }

    fn client_mut(&mut self, node: NodeId) -> Option<&mut ClientTrack> {
        self.clients.iter_mut().find(|client| client.node == node)
    }

    fn flight_mut(&mut self, id: PacketId) -> Option<&mut Flight> {
        let ix = self.flights.binary_search_by_key(&id, |flight| flight.packet.id).ok()?;
        Some(&mut self.flights[ix])
    }
}

impl ClientTrack {
    fn new(node: NodeId) -> Self {
        Self { node, beliefs: Vec::new(), truths: Vec::new(), lines: Vec::new() }
    }

    /// Since when the client has not held the lock that it held before; `None` if it never did.
    pub(crate) fn untrue_since(&self, service: ServiceIx, at: Time) -> Option<Time> {
        let ended = self.truths.iter().filter(|bar| bar.service == service).filter_map(|bar| bar.to);
        ended.filter(|to| *to <= at).max()
    }

    /// When the line that is current at `at` started.
    pub(crate) fn line_started(&self, at: Time) -> Option<Time> {
        let next = self.lines.partition_point(|line| line.0 <= at);
        next.checked_sub(1).map(|ix| self.lines[ix].0)
    }
}

impl<Id> Bar<Id> {
    /// Whether the interval contains `at`; its end does not belong to it.
    pub(crate) fn contains(&self, at: Time) -> bool {
        self.from <= at && self.to.is_none_or(|to| at < to)
    }
}

impl Flight {
    /// What the packet says.
    pub(crate) fn message(&self) -> &Message {
        &self.packet.message
    }

    /// Whether the flight is under way at `at`.
    pub(crate) fn flies_at(&self, at: Time) -> bool {
        self.packet.sent <= at && self.end.is_none_or(|(end, _)| at < end)
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
