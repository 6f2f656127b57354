//! Processes as people call them.

use crate::scenario::{Role, Setup};
use crate::vocabulary::{Lang, NodeId};

/// A process's name in a sentence: "client 1", "redis-a", "storage".
pub(crate) fn node(setup: &Setup, node: NodeId, lang: Lang) -> String {
    let name = setup.node_name(node);
    let said = match (setup.nodes[node.ix()].role, lang) {
        (Role::Client(_), Lang::En) => return name.replacen("client-", "client ", 1),
        (Role::Client(_), Lang::Ko) => return name.replacen("client-", "클라이언트 ", 1),
        (Role::Sentinel(_), Lang::Ko) => ("sentinel", "센티널"),
        (Role::Storage, Lang::Ko) => ("storage", "저장소"),
        _ => return name.to_owned(),
    };
    name.replacen(said.0, said.1, 1)
}

/// The same at the start of an English sentence.
pub(crate) fn node_capital(setup: &Setup, id: NodeId, lang: Lang) -> String {
    let mut name = node(setup, id, lang);
    if let (Role::Client(_), Some(first)) = (setup.nodes[id.ix()].role, name.get_mut(..1)) {
        first.make_ascii_uppercase();
    }
    name
}

/// The number of a client from 1, for its colour and shape.
pub(crate) fn client_number(setup: &Setup, node: NodeId) -> Option<u16> {
    match setup.nodes[node.ix()].role {
        Role::Client(ix) => Some(ix + 1),
        _ => None,
    }
}

/// The class with a client's colours: the four repeat.
pub(crate) const fn client_class(number: u16) -> &'static str {
    match (number - 1) % 4 {
        0 => "c1",
        1 => "c2",
        2 => "c3",
        _ => "c4",
    }
}
