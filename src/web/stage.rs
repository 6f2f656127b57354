//! The stage: clients, lock service and storage at one instant, with what each believes beside what is true.
//!
//! Three stages, the first two without Yew: [`facts`] reads the world, [`layout`] finds a place for everything, and the
//! components here draw. A card is drawn again only when what it says has changed.

mod claims;
mod client_card;
mod facts;
mod layout;
mod lock_card;
pub(crate) mod measure;
mod packets;
pub(crate) mod phrases;
pub(crate) mod pieces;
mod press;
pub(crate) mod shape;
mod storage_card;
pub(crate) mod words;

use std::rc::Rc;

use yew::prelude::*;

use claims::{claims, clash};
use client_card::ClientCard;
pub(crate) use facts::acts_at;
use facts::{Facts, PacketFacts};
use layout::{Census, Layout, Link, Peer};
use lock_card::LockCard;
use packets::Placed;
use storage_card::StorageCard;
use words::Word;

use super::scene::{Room, Scene, Selection};
use crate::scenario::Role;
use crate::views::narration::packet_label;
use crate::vocabulary::{Lang, NodeId};

/// What the stage is drawn from, and whom it tells.
#[derive(Properties, Clone, PartialEq)]
pub(crate) struct StageProps {
    /// One run at one instant.
    pub(crate) scene: Scene,
    /// Which drawing.
    pub(crate) room: Room,
    /// The room's size in CSS pixels, so that the drawing can stretch; without one, the size it was drawn for.
    #[prop_or_default]
    pub(crate) size: Option<(f64, f64)>,
    /// A node or a packet was pressed.
    #[prop_or_default]
    pub(crate) on_select: Callback<Selection>,
    /// The menu of a node or a packet is wanted; with the client coordinates of the place it hangs from.
    #[prop_or_default]
    pub(crate) on_menu: Callback<(Selection, (i32, i32))>,
}

/// The stage.
#[component]
pub(crate) fn Stage(props: &StageProps) -> Html {
    let StageProps { scene, room, size, .. } = props;
    let setup = scene.setup();
    let facts = Facts::new(scene);
    let census = Census {
        clients: facts.clients.len(),
        locks: facts.locks.len(),
        storages: facts.storages.len(),
        lines: setup.clients.iter().map(|client| client.program.len()).max().unwrap_or(0),
    };
    let layout = use_memo((*room, size.map(Size::of), census), |_| Layout::new(*room, *size, census));
    let programs = use_memo((scene.run(), scene.lang), |_| programs(scene));
    let view_box = format!("0 0 {} {}", shape::Px(layout.size.0), shape::Px(layout.size.1));
    let drawing = Drawing { props, facts, layout: &layout, programs: &programs };
    let flights = drawing.flights();
    html! {
        <svg class={classes!("dw", "stage-drawing", room_class(*room))} viewBox={view_box}
            role="group" aria-label={Word::Stage.get(scene.lang)}>
            { patterns() }
            { drawing.links() }
            { Drawing::trails(&flights) }
            { drawing.services() }
            { drawing.clients() }
            { drawing.middle() }
            { drawing.packets(&flights) }
        </svg>
    }
}

/// The hatches. Ids are shared by all drawings of a page: each may define them, the first one counts.
pub(crate) fn patterns() -> Html {
    html! {
        <defs>
            <pattern id="dw-clash" width="7" height="7" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
                <path class="clash-line" d="M0 0v7" />
            </pattern>
            <pattern id="dw-pause" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(-45)">
                <path class="pause-line" d="M0 0v6" />
            </pattern>
        </defs>
    }
}

const fn room_class(room: Room) -> &'static str {
    match room {
        Room::Full => "full",
        Room::Compact => "compact",
        Room::Mini => "mini",
        Room::Phone => "phone",
    }
}

/// A size in whole pixels, to compare.
#[derive(Clone, Copy, PartialEq)]
struct Size(i32, i32);

impl Size {
    fn of((w, h): (f64, f64)) -> Self {
        Self(w as i32, h as i32)
    }
}

/// Every client's program as shown.
fn programs(scene: &Scene) -> Vec<Rc<[AttrValue]>> {
    let setup = scene.setup();
    let lines = |client: &crate::scenario::Client| {
        client.program.iter().map(|line| AttrValue::from(phrases::line_text(setup, *line, scene.lang))).collect()
    };
    setup.clients.iter().map(lines).collect()
}

/// A drawing under way.
struct Drawing<'a> {
    props: &'a StageProps,
    facts: Facts,
    layout: &'a Layout,
    programs: &'a [Rc<[AttrValue]>],
}

impl Drawing<'_> {
    fn links(&self) -> Html {
        let lines = self.layout.links.iter().map(|link| {
            let cut = self.is_cut(link);
            let end = link.route.at(1.0);
            html! {
                <>
                    <path class={classes!("link", cut.then_some("cut"))} d={link.route.path(12.0)} />
                    if cut { { cut_mark(link, self.props.scene.lang) } } else if link.port { { pieces::glyph(link.client, end, 6.0, false) } }
                </>
            }
        });
        html! { <g class="links" aria-hidden="true">{ for lines }</g> }
    }

    fn is_cut(&self, link: &Link) -> bool {
        let cut = match link.peer {
            Peer::Lock(ix) => self.facts.locks.get(ix).map(|lock| &lock.cut),
            Peer::Storage(ix) => self.facts.storages.get(ix).map(|storage| &storage.cut),
        };
        cut.is_some_and(|cut| cut.get(link.client) == Some(&true))
    }

    fn services(&self) -> Html {
        let Self { props: StageProps { scene, room, .. }, facts, layout, .. } = self;
        let lang = scene.lang;
        let titles: Rc<[AttrValue]> =
            facts.clients.iter().map(|client| AttrValue::from(client.node.title.clone())).collect();
        let locks = facts.locks.iter().zip(&layout.locks).map(|(lock, card)| {
            let owner = lock.entry.as_ref().and_then(|entry| titles.get(entry.owner).cloned()).unwrap_or_default();
            let label = [&lock.node.title, ", ", Word::LockService.get(lang)].concat();
            let drawn = html! { <LockCard facts={Rc::new(lock.clone())} {owner} card={*card} room={*room} {lang} /> };
            self.pressable(Selection::Node(lock.node.node), &label, lock.node.selected, drawn)
        });
        let storages = facts.storages.iter().zip(&layout.storages).map(|(storage, card)| {
            let drawn = html! {
                <StorageCard facts={Rc::new(storage.clone())} clients={titles.clone()} card={*card} room={*room} {lang} />
            };
            self.pressable(Selection::Node(storage.node.node), &storage.node.title, storage.node.selected, drawn)
        });
        html! { <>{ for locks }{ for storages }{ self.gates() }</> }
    }

    /// A guard stands at the end of each link to its storage.
    fn gates(&self) -> Html {
        let gates = self.layout.links.iter().filter_map(|link| {
            let Peer::Storage(ix) = link.peer else { return None };
            let words = self.facts.storages.get(ix)?.resources.iter().find_map(|one| one.gate.as_ref())?;
            Some((link.route.at(1.0), words))
        });
        let mut seen = Vec::new();
        let distinct = gates.filter(|(end, _)| {
            let new = !seen.contains(end);
            seen.push(*end);
            new
        });
        let drawn: Vec<Html> = distinct.map(|(end, words)| storage_card::gate(words, end)).collect();
        html! { <g aria-hidden="true">{ drawn }</g> }
    }

    fn clients(&self) -> Html {
        let Self { props: StageProps { scene, room, .. }, facts, layout, programs } = self;
        let clients = facts.clients.iter().zip(&layout.clients).zip(*programs).enumerate();
        let cards = clients.map(|(ix, ((client, place), program))| {
            let drawn = html! {
                <ClientCard {ix} facts={Rc::new(client.clone())} program={program.clone()} place={*place}
                    room={*room} lang={scene.lang} />
            };
            self.pressable(Selection::Node(client.node.node), &client.node.title, client.node.selected, drawn)
        });
        html! { <>{ for cards }</> }
    }

    /// The claims and their clash.
    fn middle(&self) -> Html {
        let Self { props: StageProps { scene, .. }, facts, layout, .. } = self;
        let locks: Vec<AttrValue> =
            scene.setup().services.iter().map(|service| AttrValue::from(service.name.clone())).collect();
        html! {
            <g aria-hidden="true">
                if let Some(both) = &facts.clash { { clash(both, layout, scene.lang) } }
                { claims(&facts.clients, layout, &locks, scene.lang) }
            </g>
        }
    }

    /// The packets with their places.
    fn flights(&self) -> Vec<(&PacketFacts, Placed)> {
        let found: Vec<_> = self.facts.packets.iter().filter_map(|facts| self.on_link(facts)).collect();
        let gated = self.facts.storages.iter().flat_map(|storage| &storage.resources).any(|one| one.gate.is_some());
        let placed = packets::place(&found, gated, self.props.scene.lang);
        found.into_iter().map(|(facts, ..)| facts).zip(placed).collect()
    }

    fn trails(flights: &[(&PacketFacts, Placed)]) -> Html {
        html! { <g aria-hidden="true">{ for flights.iter().map(|(facts, placed)| packets::trail(facts, placed)) }</g> }
    }

    fn packets(&self, flights: &[(&PacketFacts, Placed)]) -> Html {
        let setup = self.props.scene.setup();
        let envelopes = flights.iter().map(|(facts, placed)| {
            let label = [Word::Packet.get(self.props.scene.lang), " ", &packet_label(setup, &facts.message)].concat();
            self.pressable(Selection::Packet(facts.id), &label, facts.selected, packets::packet(facts, placed))
        });
        html! { <>{ for envelopes }</> }
    }

    fn on_link<'a>(&'a self, facts: &'a PacketFacts) -> Option<(&'a PacketFacts, &'a Link, String)> {
        let setup = self.props.scene.setup();
        let peer = self.peer(facts.server)?;
        let link = self.layout.link(facts.client, peer)?;
        Some((facts, link, packet_label(setup, &facts.message)))
    }

    fn peer(&self, server: NodeId) -> Option<Peer> {
        let facts = &self.facts;
        match self.props.scene.setup().nodes[server.ix()].role {
            Role::Redis(..) => facts.locks.iter().position(|lock| lock.node.node == server).map(Peer::Lock),
            Role::Storage => facts.storages.iter().position(|storage| storage.node.node == server).map(Peer::Storage),
            Role::Client(_) => None,
        }
    }

    /// Something that can be selected and has a menu: by pointer, by touch and by key.
    fn pressable(&self, what: Selection, label: &str, selected: bool, drawn: Html) -> Html {
        let StageProps { on_select, on_menu, .. } = self.props;
        let (key, node, shown) = match what {
            Selection::Node(node) => (format!("n{node}"), Some(node.to_string()), None),
            Selection::Packet(packet) => (format!("p{packet}"), None, Some(packet.to_string())),
            Selection::Step(step) => (format!("s{step}"), None, None),
        };
        let packet = self.facts.packets.iter().find(|packet| what == Selection::Packet(packet.id));
        let class = classes!("press", packet.map(|packet| pieces::client_class(packet.client)));
        html! {
            <g {key} {class} data-node={node} data-packet={shown} role="button" tabindex="0" aria-label={label.to_owned()} aria-haspopup="menu"
                aria-pressed={if selected { "true" } else { "false" }}
                onclick={press::click(what, selected, on_select, on_menu)}
                oncontextmenu={press::context(what, on_menu)}
                onkeydown={press::key(what, on_menu)}>
                { drawn }
            </g>
        }
    }
}

/// A cut link's mark near the server: a slash, and the word.
fn cut_mark(link: &Link, lang: Lang) -> Html {
    let spot = link.route.at(if link.port { 1.0 } else { 0.5 });
    html! {
        <>
            if link.port { { pieces::glyph(link.client, spot, 6.0, true) } }
            <path class="slash-back" d={slash(spot)} />
            <path class="slash" d={slash(spot)} />
            { pieces::text("t1 i2 halo", shape::at(spot.x + 10.0, spot.y + if link.port { 15.0 } else { -6.0 }), Word::Cut.get(lang)) }
        </>
    }
}

fn slash(spot: shape::Point) -> String {
    format!("M{} {}l14-16", shape::Px(spot.x - 7.0), shape::Px(spot.y + 8.0))
}

#[cfg(all(test, not(target_arch = "wasm32")))]
mod tests;
