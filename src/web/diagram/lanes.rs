//! The lanes: one for each process. Clients with odd numbers stand before the services, those with even numbers after
//! them, so that packets cross few lanes.

use crate::scenario::{Role, Setup};
use crate::vocabulary::NodeId;
use crate::web::scene::Turn;

/// A lane.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Lane {
    /// Whose.
    pub(crate) node: NodeId,
    /// The client, by its place among the clients.
    pub(crate) client: Option<usize>,
    /// Whether it is a storage server's.
    pub(crate) storage: bool,
    /// Its near edge, across the axis.
    pub(crate) near: f64,
    /// Its far edge.
    pub(crate) far: f64,
    /// Whether it lies before the services: its packets leave at its far side.
    pub(crate) before: bool,
    /// Whether it is too thin for a sign of its own.
    pub(crate) thin: bool,
}

/// Half the width of a belief's shell, of a truth's core, of a key's bar.
pub(crate) const SHELL: f64 = 9.0;
pub(crate) const CORE: f64 = 5.0;
pub(crate) const KEY: f64 = 2.5;

impl Lane {
    /// The middle line.
    pub(crate) fn middle(&self) -> f64 {
        f64::midpoint(self.near, self.far)
    }

    /// Where packets touch the lane: a client's at the edge of its bar, a server's on its line.
    pub(crate) fn touch(&self) -> f64 {
        match (self.client, self.before) {
            (None, _) => self.middle(),
            (Some(_), true) => self.middle() + SHELL,
            (Some(_), false) => self.middle() - SHELL,
        }
    }
}

/// The lanes of a setup from `near` on, and where they end. Upright lanes share `room`.
pub(crate) fn lanes(setup: &Setup, turn: Turn, near: f64, room: f64) -> (Vec<Lane>, f64) {
    let client = |node: &NodeId| match setup.nodes[node.ix()].role {
        Role::Client(ix) => Some(usize::from(ix)),
        _ => None,
    };
    let all = || (0..setup.nodes.len()).map(|ix| NodeId(ix as u16));
    let servers: Vec<NodeId> = all().filter(|node| client(node).is_none()).collect();
    let storage = |node: &NodeId| matches!(setup.nodes[node.ix()].role, Role::Storage);
    let (stores, locks): (Vec<_>, Vec<_>) = servers.iter().partition(|node| storage(node));
    let before = all().filter(|node| client(node).is_some_and(|ix| ix.is_multiple_of(2)));
    let after = all().filter(|node| client(node).is_some_and(|ix| !ix.is_multiple_of(2)));
    let order: Vec<NodeId> = before.chain(locks).chain(stores).chain(after).collect();

    let thin = servers.len() > 3;
    let clients = order.len() - servers.len();
    let width = |node: &NodeId| match (turn, client(node).is_some()) {
        (Turn::Along, true) => {
            if clients > 2 {
                38.0
            } else {
                46.0
            }
        }
        (Turn::Along, false) => {
            if thin {
                18.0
            } else {
                32.0
            }
        }
        (Turn::Upright, is_client) => {
            let parts = servers.len() as f64 * 0.8 + clients as f64;
            room / parts.max(1.0) * if is_client { 1.0 } else { 0.8 }
        }
    };
    let mut edge = near;
    let lane = |node: &NodeId| {
        let from = edge;
        edge += width(node);
        let ix = client(node);
        let before = ix.is_none_or(|ix| ix.is_multiple_of(2));
        Lane {
            node: *node,
            client: ix,
            storage: storage(node),
            near: from,
            far: edge,
            before,
            thin: thin && ix.is_none(),
        }
    };
    let lanes: Vec<Lane> = order.iter().map(lane).collect();
    (lanes, edge)
}
