//! What a client does, believes and truly has.

use super::votes::Tally;
use super::{Claim, Clash, ClientFacts, State, Truth, Unaware, read_node};
use crate::vocabulary::{MessageKind, NodeId, ServiceIx};
use crate::web::scene::Scene;
use crate::world::{Client, Hold, Packet};

pub(super) fn read(scene: &Scene, ix: usize, clash: Option<&(ServiceIx, Clash)>) -> ClientFacts {
    let id = scene.setup().clients[ix].node;
    let mut node = read_node(scene, id);
    let line = client(scene, id).and_then(Client::line);
    if node.state == State::Up {
        node.state = settled_state(scene, id, line.is_none());
    }
    let down = matches!(node.state, State::Down { .. });
    let claim = if down { claim_of_the_dead(scene, id) } else { claim(scene, id, clash.map(|clash| clash.0)) };
    let tally = if down { None } else { Tally::of(scene.world(), id, scene.time) };
    ClientFacts { node, line, claim, tally }
}

/// Who believes what somebody else believes too: the first service of which that is so.
pub(super) fn clash(scene: &Scene) -> Option<(ServiceIx, Clash)> {
    let setup = scene.setup();
    (0..setup.services.len()).map(|ix| ServiceIx(ix as u8)).find_map(|service| {
        let believes = |ix: &usize| hold(scene, setup.clients[*ix].node, service).is_some();
        let clients: Vec<_> = (0..setup.clients.len()).filter(believes).collect();
        let holder = scene.world().holder(service).map(|holding| holding.client);
        let one_holds = clients.iter().any(|ix| Some(setup.clients[*ix].node) == holder);
        (clients.len() > 1).then_some((service, Clash { clients, one_holds }))
    })
}

fn client(scene: &Scene, node: NodeId) -> Option<&Client> {
    scene.world().process(node).state().client()
}

fn hold(scene: &Scene, node: NodeId, service: ServiceIx) -> Option<&Hold> {
    client(scene, node)?.holds().find(|hold| hold.service == service)
}

/// What is worth a word about a client that runs.
fn settled_state(scene: &Scene, node: NodeId, finished: bool) -> State {
    if finished {
        return State::Finished;
    }
    let track = scene.tracks.client(node);
    let slept = scene.tracks.last_sleep(node, scene.time).and_then(|sleep| {
        let to = sleep.to.filter(|to| *to <= scene.time)?;
        let started = track?.line_started(scene.time)?;
        (started <= to).then(|| to.since(sleep.from))
    });
    slept.map_or(State::Up, |slept| State::JustWoke { slept })
}

/// A client's claim: of the service in which it clashes, or else of the one that matters most.
fn claim(scene: &Scene, node: NodeId, clashing: Option<ServiceIx>) -> Claim {
    let services = || (0..scene.setup().services.len()).map(|ix| ServiceIx(ix as u8));
    let believed = clashing.into_iter().chain(services()).find_map(|service| hold(scene, node, service));
    if let Some(hold) = believed {
        let truth = truth(scene, node, hold.service);
        return Claim::Believes { service: hold.service, token: hold.token, truth };
    }
    if let Some(service) = services().find(|service| holds(scene, node, *service)) {
        return Claim::Unaware(unaware(scene, node, service));
    }
    let wants = client(scene, node).is_some_and(|client| services().any(|service| client.wants(service)));
    if wants { Claim::Wants } else { Claim::None }
}

fn claim_of_the_dead(scene: &Scene, node: NodeId) -> Claim {
    let mut services = (0..scene.setup().services.len()).map(|ix| ServiceIx(ix as u8));
    let service = services.find(|service| holds(scene, node, *service));
    service.map_or(Claim::None, |service| Claim::Unaware(unaware(scene, node, service)))
}

fn holds(scene: &Scene, node: NodeId, service: ServiceIx) -> bool {
    scene.world().holder(service).is_some_and(|holding| holding.client == node)
}

fn truth(scene: &Scene, node: NodeId, service: ServiceIx) -> Truth {
    match scene.world().holder(service) {
        Some(holding) if holding.client == node => Truth::True { until: holding.until },
        _ => {
            let track = scene.tracks.client(node);
            Truth::NotTrue { since: track.and_then(|track| track.untrue_since(service, scene.time)) }
        }
    }
}

/// What of this is underway: a release, or else whatever will bring news.
fn unaware(scene: &Scene, node: NodeId, service: ServiceIx) -> Unaware {
    let world = scene.world();
    let serves = |other: NodeId| scene.setup().nodes[other.ix()].role.keeps() == Some(service);
    let buffered = world.process(node).waiting_packets();
    let packets = world.in_flight().iter().map(|flight| &*flight.packet).chain(buffered);
    let comes = |packet: &Packet| packet.to == node && serves(packet.from);
    let goes = |packet: &Packet| packet.from == node && serves(packet.to);
    let mut why = Unaware::Leak;
    for packet in packets {
        match packet.message.kind() {
            MessageKind::Del
            | MessageKind::CompareDelete
            | MessageKind::ReentrantUnlock
            | MessageKind::ZkDelete
            | MessageKind::ZkClose
                if goes(packet) =>
            {
                return Unaware::ReleaseOnItsWay;
            }
            _ if comes(packet) || goes(packet) => why = Unaware::ReplyOnItsWay,
            _ => {}
        }
    }
    why
}
