//! Belief beside truth in one sentence: the line under every headline.

use super::names::{node, node_capital};
use crate::scenario::Setup;
use crate::vocabulary::{Lang, NodeId, ServiceIx};
use crate::world::World;

/// Who believes what about a lock, and what is true.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Beliefs {
    /// The clients that believe they hold it.
    pub(crate) believers: Vec<NodeId>,
    /// The client that truly holds it.
    pub(crate) holder: Option<NodeId>,
}

impl Beliefs {
    /// Looks at one lock.
    pub(crate) fn of(world: &World, service: ServiceIx) -> Self {
        let setup = world.setup();
        let is_sure = |id: &NodeId| {
            let client = world.process(*id).state().client();
            client.is_some_and(|client| client.holds().any(|hold| hold.service == service))
        };
        let believers = setup.clients.iter().map(|client| client.node).filter(is_sure).collect();
        Self { believers, holder: world.holder(service).map(|holding| holding.client) }
    }

    /// How alarming this is: two believers, a false belief, anything else.
    fn alarm(&self) -> u8 {
        match self.believers.as_slice() {
            [] => 0,
            [one] if self.holder == Some(*one) => 1,
            [_] => 2,
            _ => 3,
        }
    }

    fn sentence(&self, setup: &Setup, lang: Lang) -> String {
        let name = |id: NodeId| node(setup, id, lang);
        let start = |id: NodeId| node_capital(setup, id, lang);
        match (self.believers.as_slice(), self.holder, lang) {
            ([], None, Lang::En) => "The lock is free.".into(),
            ([], None, Lang::Ko) => "락은 비어 있습니다.".into(),
            ([], Some(holder), Lang::En) => {
                format!("The lock is kept for {}, which does not believe it has it.", name(holder))
            }
            ([], Some(holder), Lang::Ko) => {
                format!("락은 {} 몫이지만, 본인은 쥐고 있다고 믿지 않습니다.", name(holder))
            }
            ([one], Some(holder), Lang::En) if holder == *one => {
                format!("{} believes it holds the lock, and it does.", start(*one))
            }
            ([one], Some(holder), Lang::Ko) if holder == *one => {
                format!("{} 락을 쥐고 있다고 믿고, 사실입니다.", topic(&name(*one)))
            }
            ([one], None, Lang::En) => format!("{} believes it holds the lock, but it does not any more.", start(*one)),
            ([one], None, Lang::Ko) => format!("{} 락을 쥐고 있다고 믿지만, 이제는 아닙니다.", topic(&name(*one))),
            ([one], Some(holder), Lang::En) => {
                format!("{} believes it holds the lock, but {} does.", start(*one), name(holder))
            }
            ([one], Some(holder), Lang::Ko) => {
                format!("{} 락을 쥐고 있다고 믿지만, 실제로는 {} 몫입니다.", topic(&name(*one)), name(holder))
            }
            (many, Some(holder), Lang::En) if many.contains(&holder) => {
                format!("{} believe they hold the lock; only {} does.", list(setup, many, lang), name(holder))
            }
            (many, Some(holder), Lang::Ko) if many.contains(&holder) => {
                format!("{} 모두 락을 쥐고 있다고 믿지만, {} 하나만 맞습니다.", list(setup, many, lang), name(holder))
            }
            (many, _, Lang::En) => {
                format!("{} believe they hold the lock; none of them does.", list(setup, many, lang))
            }
            (many, _, Lang::Ko) => {
                format!("{} 모두 락을 쥐고 있다고 믿지만, 아무도 아닙니다.", list(setup, many, lang))
            }
        }
    }
}

/// The sentence for a moment: about the lock that needs it most.
pub(crate) fn sentence(world: &World, lang: Lang) -> String {
    let setup = world.setup();
    let all = (0..setup.services.len()).map(|ix| Beliefs::of(world, ServiceIx(ix as u8)));
    let worst = all.enumerate().max_by_key(|(ix, beliefs)| (beliefs.alarm(), std::cmp::Reverse(*ix)));
    worst.map(|(_, beliefs)| beliefs.sentence(setup, lang)).unwrap_or_default()
}

/// "Client 1 and client 2", "client 1, client 2 and client 3".
fn list(setup: &Setup, nodes: &[NodeId], lang: Lang) -> String {
    let mut text = String::new();
    for (ix, id) in nodes.iter().enumerate() {
        let last = ix + 1 == nodes.len();
        text.push_str(match (ix, last, lang) {
            (0, ..) => "",
            (_, true, Lang::En) => " and ",
            _ => ", ",
        });
        text.push_str(&if ix == 0 { node_capital(setup, *id, lang) } else { node(setup, *id, lang) });
    }
    text
}

/// A Korean name with its topic particle: 은 after a closed syllable, 는 after an open one.
fn topic(name: &str) -> String {
    let closed = match name.chars().last() {
        Some(digit @ '0'..='9') => matches!(digit, '0' | '1' | '3' | '6' | '7' | '8'),
        Some(syllable @ '가'..='힣') => !(syllable as u32 - '가' as u32).is_multiple_of(28),
        _ => false,
    };
    [name, if closed { "은" } else { "는" }].concat()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_particle_follows_the_sound() {
        let said = ["클라이언트 1", "클라이언트 2", "클라이언트 3", "저장소", "락"].map(topic);
        assert_eq!(said, ["클라이언트 1은", "클라이언트 2는", "클라이언트 3은", "저장소는", "락은"]);
    }
}
