//! Where everything on the stage stands: a pure function of the room and of how many there are of each.
//!
//! Services stand in the spine, locks on top and storage below; clients stand on the flanks and their claims reach
//! into the middle. The phone's drawing is one column instead, with the clients side by side.

mod phone;
mod spine;

use super::shape::{Rect, Route, at};
use crate::web::scene::Room;

/// How many there are of each.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Census {
    /// Clients.
    pub(crate) clients: usize,
    /// Lock nodes, and the sentinels behind them.
    pub(crate) locks: usize,
    /// How many of them are sentinels.
    pub(crate) sentinels: usize,
    /// Whether the lock nodes talk to each other.
    pub(crate) wired: bool,
    /// Whether clients count votes.
    pub(crate) voting: bool,
    /// Storage servers.
    pub(crate) storages: usize,
    /// The length of the longest program.
    pub(crate) lines: usize,
}

/// The places of a drawing.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Layout {
    /// Which drawing this is.
    pub(crate) room: Room,
    /// Its width and height.
    pub(crate) size: (f64, f64),
    /// The lock nodes' cards.
    pub(crate) locks: Vec<Rect>,
    /// The storage servers' cards.
    pub(crate) storages: Vec<Rect>,
    /// The clients.
    pub(crate) clients: Vec<ClientPlace>,
    /// The links, client by client: locks first, then storages.
    pub(crate) links: Vec<Link>,
    /// Where the headline of a clash goes.
    pub(crate) headline: Headline,
}

/// A client's places.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct ClientPlace {
    /// Its card.
    pub(crate) card: Rect,
    /// On which flank it stands.
    pub(crate) side: Side,
    /// How many program lines fit.
    pub(crate) lines: usize,
    /// The baseline of its first program line.
    pub(crate) listing_y: f64,
    /// The baseline of its clocks, if they are shown.
    pub(crate) clocks_y: Option<f64>,
    /// The top of the votes it counts, if they are shown, and whether a line below them says how long that took.
    pub(crate) votes: Option<(f64, bool)>,
    /// Its claim.
    pub(crate) flag: Rect,
    /// How its claim is set.
    pub(crate) style: FlagStyle,
}

/// How a claim is set.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum FlagStyle {
    /// Two lines in the flag, the truth in two lines below.
    Roomy,
    /// One line in the flag, the truth in one line below.
    Dense,
    /// The truth within the flag.
    Tiny,
}

/// The flank on which a client stands; its claim reaches to the other side.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Side {
    /// The left flank.
    Left,
    /// The right flank.
    Right,
}

/// A link between a client and a server.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Link {
    /// The client, by its place in the setup.
    pub(crate) client: usize,
    /// The server.
    pub(crate) peer: Peer,
    /// The way from the client to the server.
    pub(crate) route: Route,
    /// Where the label of a packet may stand.
    pub(crate) label: Rect,
    /// How far beside the route its packets fly.
    pub(crate) beside: f64,
    /// Whether a port is drawn where the link enters: the lock nodes of a row share their edges.
    pub(crate) port: bool,
}

/// The server's end of a link.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Peer {
    /// A lock node, by its place in the row.
    Lock(usize),
    /// A storage server, by its place in the row.
    Storage(usize),
    /// No client's link: one between two lock nodes, by their places in the row.
    Wire(usize, usize),
}

/// Where the headline of a clash goes: its middle and baseline, and the size of its text.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Headline {
    /// The middle.
    pub(crate) x: f64,
    /// The baseline.
    pub(crate) y: f64,
    /// Whether there is room for it.
    pub(crate) shown: bool,
}

/// The room above a row of lock nodes in which they talk to each other: replication below, pings above it.
const RAILS: f64 = 28.0;

/// The links between lock nodes: along a rail above their row.
fn wires(locks: &[Rect], census: Census) -> impl Iterator<Item = Link> {
    let pairs = (0..locks.len()).flat_map(move |a| (a + 1..locks.len()).map(move |b| (a, b)));
    pairs.filter(move |_| census.wired).map(move |(a, b)| {
        let ping = b >= census.locks - census.sentinels;
        let (part, up) = if ping { (0.66, 21.0) } else { (0.34, 9.0) };
        let x = |ix: usize| locks[ix].x + locks[ix].w * if ping && ix == b { 0.5 } else { part };
        let (y, rail) = (locks[a].y, locks[a].y - up);
        let corners = [at(x(a), y), at(x(a), rail), at(x(b), rail), at(x(b), y)];
        let (route, label) = (Route::new(corners), Rect::default());
        Link { client: 0, peer: Peer::Wire(a, b), route, label, beside: 0.0, port: false }
    })
}

/// A gate's width: where a guard stands on a link.
pub(crate) const GATE_W: f64 = 44.0;
/// A gate's height.
pub(crate) const GATE_H: f64 = 26.0;

impl ClientPlace {
    /// The lines of a program of so many that fit, and where they begin, if a claim within the card is left out.
    pub(crate) fn without_claim(&self, program: usize) -> (usize, f64) {
        let header = self.flag.y - self.card.y;
        (lines_that_fit(self.card.h, header, 5.0, program), self.card.y + header + 17.0)
    }
}

impl Layout {
    /// The layout for a room of `size`; without one, of the size the room was drawn for.
    pub(crate) fn new(room: Room, size: Option<(f64, f64)>, census: Census) -> Self {
        match room {
            Room::Phone => phone::lay_out(size, census),
            _ => spine::lay_out(room, size, census),
        }
    }

    /// The link between a client and a server.
    pub(crate) fn link(&self, client: usize, peer: Peer) -> Option<&Link> {
        self.links.iter().find(|link| link.client == client && link.peer == peer)
    }

    /// The middle of the gap into which claims reach.
    pub(crate) fn clash_box(&self, clients: impl Iterator<Item = usize>) -> Option<Rect> {
        let (mut left, mut right) = (f64::INFINITY, f64::NEG_INFINITY);
        let (mut top, mut bottom) = (f64::INFINITY, f64::NEG_INFINITY);
        for place in clients.filter_map(|ix| self.clients.get(ix)) {
            match place.side {
                Side::Left => left = left.min(place.flag.right()),
                Side::Right => right = right.max(place.flag.x),
            }
            top = top.min(place.flag.y + 2.0);
            bottom = bottom.max(place.flag.bottom() - 2.0);
        }
        // Two claims from one flank clash in the same gap: mirror the edge that is missing.
        let middle = self.headline.x;
        if left.is_infinite() {
            left = 2.0 * middle - right;
        }
        if right.is_infinite() {
            right = 2.0 * middle - left;
        }
        let inner = Rect::new(left + 3.0, top, right - left - 6.0, bottom - top);
        (inner.w > 0.0 && inner.h > 0.0).then_some(inner)
    }
}

/// Program lines under a header of `header` pixels in a card of `card_h`, leaving `foot` pixels free.
fn lines_that_fit(card_h: f64, header: f64, foot: f64, program: usize) -> usize {
    let room = ((card_h - header - foot) / LINE_H).floor().max(0.0);
    (room as usize).min(program)
}

/// The height of a program line.
pub(crate) const LINE_H: f64 = 20.0;

#[cfg(test)]
mod tests;
