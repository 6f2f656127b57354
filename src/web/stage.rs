//! The stage: clients, lock service and storage at one instant, with what each believes beside what is true.
//!
//! Three stages: [`facts`] reads the world, [`layout`] finds a place for everything, and the cards write it down with a
//! [`pen`]. What can be pressed is a node of its own, so that focus stays where it was; what it shows is text, replaced
//! only where it changed.

mod claims;
mod client_card;
mod facts;
pub(crate) mod ink;
mod layout;
mod lock_card;
pub(crate) mod measure;
mod packets;
pub(crate) mod pen;
pub(crate) mod phrases;
pub(crate) mod pieces;
mod press;
pub(crate) mod shape;
mod storage_card;
pub(crate) mod words;

use yew::prelude::*;

use claims::{Flag, clash};
use facts::{Claim, Facts, PacketFacts, StorageFacts};
pub(crate) use facts::{acts_at, votes};
use layout::{Census, Layout, Link, Peer};
use lock_card::LockCard;
use packets::Placed;
use pen::Pen;
use shape::{Rect, at};
use storage_card::StorageCard;
use words::Word;

use super::element::{element, flag};
use super::scene::{Room, Scene, Selection};
use super::sketch::sketch;
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
    pub(crate) on_press: Callback<Selection>,
    /// The menu of a node or a packet is wanted.
    #[prop_or_default]
    pub(crate) on_menu: Callback<Selection>,
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
        sentinels: facts.locks.iter().filter(|lock| lock.watch.is_some()).count(),
        wired: setup.services.iter().any(|service| service.failover.is_some() || service.ensemble.is_some()),
        voting: setup.services.iter().any(|service| service.nodes.len() > 1 && service.ensemble.is_none()),
        storages: facts.storages.len(),
        lines: setup.clients.iter().map(|client| client.program.len()).max().unwrap_or(0),
    };
    let whole = size.map(|(w, h)| (w as i32, h as i32));
    let layout = use_memo((*room, whole, census), |_| Layout::new(*room, *size, census));
    let programs = use_memo((scene.run(), scene.lang), |_| programs(scene));
    let drawing = Drawing { props, facts, layout: &layout, programs: &programs };
    let flights = drawing.flights();
    // Each group is a list of its own: packets come and go, and in one long list all that stands before them would be
    // made anew, and lose the focus.
    let children = vec![
        patterns(),
        hidden(drawing.links(&flights)),
        drawing.services(),
        hidden(drawing.gates()),
        drawing.clients(),
        hidden(drawing.claims()),
        drawing.packets(&flights),
    ];
    let class = ["dw stage-drawing ", room_class(*room)].concat();
    let values = [class.into(), view_box(layout.size).into(), "group".into(), Word::Stage.get(scene.lang).into()];
    let keys = &["class", "viewBox", "role", "aria-label"];
    let mut drawn = element("svg", keys, Box::new(values.map(Some)), children);
    drawn.set_listeners(Box::new(press::listeners(&props.on_press, &props.on_menu)));
    drawn.into()
}

/// A group that is the same one as long as its key is.
fn claim(key: yew::virtual_dom::Key, pen: Pen) -> Html {
    let mut group = element("g", &[], Box::new([]), vec![pen.html()]);
    group.key = Some(key);
    group.into()
}

/// What says nothing that is not said elsewhere.
fn hidden(drawn: Html) -> Html {
    element("g", &["aria-hidden"], Box::new([Some("true".into())]), vec![drawn]).into()
}

/// The box of a drawing of some size.
pub(crate) fn view_box((w, h): (f64, f64)) -> String {
    let mut text = "0 0 ".to_owned();
    ink::push_px(&mut text, w);
    text.push(' ');
    ink::push_px(&mut text, h);
    text
}

/// The hatches. Ids are shared by all drawings of a page: each may define them, the first one counts.
pub(crate) fn patterns() -> Html {
    sketch(AttrValue::Static(
        "<defs><pattern id=\"dw-clash\" width=\"7\" height=\"7\" patternUnits=\"userSpaceOnUse\" \
         patternTransform=\"rotate(45)\"><path class=\"clash-line\" d=\"M0 0v7\"/></pattern><pattern id=\"dw-pause\" \
         width=\"6\" height=\"6\" patternUnits=\"userSpaceOnUse\" patternTransform=\"rotate(-45)\"><path \
         class=\"pause-line\" d=\"M0 0v6\"/></pattern></defs>",
    ))
}

const fn room_class(room: Room) -> &'static str {
    match room {
        Room::Full => "full",
        Room::Compact => "compact",
        Room::Mini => "mini",
        Room::Phone => "phone",
    }
}

/// Every client's program as shown.
fn programs(scene: &Scene) -> Vec<Vec<String>> {
    let setup = scene.setup();
    let line = |line: &crate::vocabulary::Line| phrases::line_text(setup, *line, scene.lang);
    setup.clients.iter().map(|client| client.program.iter().map(line).collect()).collect()
}

/// A drawing under way.
struct Drawing<'a> {
    props: &'a StageProps,
    facts: Facts,
    layout: &'a Layout,
    programs: &'a [Vec<String>],
}

/// A packet with its place.
type Flown<'a> = (&'a PacketFacts, Placed);

impl Drawing<'_> {
    fn lang(&self) -> Lang {
        self.props.scene.lang
    }

    /// Links, and the ways that packets went on them.
    fn links(&self, flights: &[Flown<'_>]) -> Html {
        let mut pen = Pen::default();
        for link in &self.layout.links {
            let cut = self.is_cut(link);
            let wire = self.wire(link);
            if wire == Some("") {
                continue;
            }
            pen.ink(&["link", if cut { "cut" } else { "" }, wire.unwrap_or_default()], &link.route.path(8.0));
            if link.port {
                pieces::glyph(&mut pen, link.client, link.route.at(1.0), 6.0, cut);
            }
            if cut {
                let named = wire.is_none() && (!link.port || self.props.room == Room::Full);
                cut_mark(&mut pen, link, if named { Word::Cut.get(self.lang()) } else { "" });
            }
        }
        pen.cut();
        for (facts, placed) in flights {
            packets::trail(&mut pen, facts, placed);
        }
        pen.html()
    }

    fn is_cut(&self, link: &Link) -> bool {
        let cut = match link.peer {
            Peer::Lock(ix) => self.facts.locks.get(ix).map(|lock| &lock.cut),
            Peer::Storage(ix) => self.facts.storages.get(ix).map(|storage| &storage.cut),
            Peer::Wire(a, b) => {
                let locks = &self.facts.locks;
                let (a, b) = (locks.get(a), locks.get(b));
                return a.zip(b).is_some_and(|(a, b)| a.apart.contains(&b.node.node));
            }
        };
        cut.is_some_and(|cut| cut.get(link.client) == Some(&true))
    }

    /// The class of a link between lock nodes; empty where neither follows or watches the other.
    fn wire(&self, link: &Link) -> Option<&'static str> {
        let Peer::Wire(a, b) = link.peer else { return None };
        let (a, b) = (self.facts.locks.get(a)?, self.facts.locks.get(b)?);
        let follows = a.leader == Some(b.node.node) || b.leader == Some(a.node.node);
        Some(match (b.watch.is_some(), follows) {
            (true, _) => "faint",
            (_, true) => "wire",
            _ => "",
        })
    }

    fn services(&self) -> Html {
        let (room, lang) = (self.props.room, self.lang());
        let titles: Vec<&str> = self.facts.clients.iter().map(|client| client.node.title.as_str()).collect();
        let mut cards = Vec::new();
        for (facts, card) in self.facts.locks.iter().zip(&self.layout.locks) {
            let owner = facts.entry.as_ref().and_then(|entry| titles.get(entry.owner)).copied().unwrap_or_default();
            let count = facts.entry.as_ref().and_then(|entry| entry.count);
            let owner = count.map_or_else(|| owner.to_owned(), |count| [owner, " ×", &count.to_string()].concat());
            let mut pen = Pen::default();
            LockCard { facts, owner: &owner, card, room, lang }.draw(&mut pen);
            let label = [&facts.node.title, ", ", facts.role.get(lang)].concat();
            cards.push(self.pressable(Selection::Node(facts.node.node), label, facts.node.selected, (pen, &[*card])));
        }
        for (facts, card) in self.facts.storages.iter().zip(&self.layout.storages) {
            let mut pen = Pen::default();
            StorageCard { facts, clients: &titles, card, room, lang }.draw(&mut pen);
            let (what, label) = (Selection::Node(facts.node.node), facts.node.title.clone());
            cards.push(self.pressable(what, label, facts.node.selected, (pen, &[*card])));
        }
        cards.into_iter().collect()
    }

    /// A guard stands at the end of each link to its storage.
    fn gates(&self) -> Html {
        let mut pen = Pen::default();
        let mut seen = Vec::new();
        for link in &self.layout.links {
            let Peer::Storage(ix) = link.peer else { continue };
            let words = self.facts.storages.get(ix).and_then(StorageFacts::gate);
            let end = link.route.at(1.0);
            if let Some(words) = words.filter(|_| !seen.contains(&end)) {
                storage_card::gate(&mut pen, words, end);
                seen.push(end);
            }
        }
        pen.html()
    }

    fn clients(&self) -> Html {
        let sheets = self.facts.clients.iter().zip(&self.layout.clients).zip(self.programs).enumerate();
        let card = |(ix, ((facts, place), program)): (usize, ((&facts::ClientFacts, _), &Vec<String>))| {
            let place: &layout::ClientPlace = place;
            let mut pen = Pen::default();
            client_card::draw(&mut pen, ix, facts, program, (place, self.props.room, self.lang()));
            let (what, label) = (Selection::Node(facts.node.node), facts.node.title.clone());
            self.pressable(what, label, facts.node.selected, (pen, &[place.card]))
        };
        sheets.map(card).collect()
    }

    /// The claims and their clash, each a piece of its own: one that changes leaves the others alone.
    fn claims(&self) -> Html {
        let services = &self.props.scene.setup().services;
        let mut drawn = Vec::new();
        let mut pen = Pen::default();
        if let Some(both) = &self.facts.clash {
            clash(&mut pen, both, self.layout, self.lang());
        }
        drawn.push(claim("clash".into(), pen));
        for (ix, (facts, place)) in self.facts.clients.iter().zip(&self.layout.clients).enumerate() {
            let service = match facts.claim {
                Claim::Believes { service, .. } => services.get(service.ix()),
                _ => None,
            };
            let lock = service.filter(|_| services.len() > 1).map(|service| service.name.as_str());
            let endless = facts::endless(service);
            let mut pen = Pen::default();
            Flag { ix, claim: facts.claim, lock, place, endless, room: self.layout.room, lang: self.lang() }
                .draw(&mut pen);
            drawn.push(claim(ix.into(), pen));
        }
        drawn.into_iter().collect()
    }

    /// The packets with their places.
    fn flights(&self) -> Vec<Flown<'_>> {
        let found: Vec<_> = self.facts.packets.iter().filter_map(|facts| self.on_link(facts)).collect();
        let gated = self.facts.storages.iter().any(|storage| storage.gate().is_some());
        let placed = packets::place(&found, gated, self.lang());
        found.into_iter().map(|(facts, ..)| facts).zip(placed).collect()
    }

    fn packets(&self, flights: &[Flown<'_>]) -> Html {
        let setup = self.props.scene.setup();
        let envelope = |(facts, placed): &Flown<'_>| {
            let mut pen = Pen::default();
            packets::packet(&mut pen, facts, placed);
            let label = [Word::Packet.get(self.lang()), " ", &packet_label(setup, &facts.message)].concat();
            let reach = packets::reach(facts, placed);
            self.pressable(Selection::Packet(facts.id), label, facts.selected, (pen, &reach))
        };
        flights.iter().map(envelope).collect()
    }

    fn on_link<'a>(&'a self, facts: &'a PacketFacts) -> Option<(&'a PacketFacts, &'a Link, String)> {
        let setup = self.props.scene.setup();
        let peer = self.peer(facts.server)?;
        let (client, peer) = if let Some(client) = facts.client {
            (client, peer)
        } else {
            let (Peer::Lock(one), Peer::Lock(other)) = (self.peer(facts.from)?, peer) else { return None };
            (0, Peer::Wire(one.min(other), one.max(other)))
        };
        let link = self.layout.link(client, peer)?;
        Some((facts, link, packet_label(setup, &facts.message)))
    }

    fn peer(&self, server: NodeId) -> Option<Peer> {
        let facts = &self.facts;
        match self.props.scene.setup().nodes[server.ix()].role {
            Role::Redis(..) | Role::Sentinel(_) | Role::ZooKeeper(_) => {
                facts.locks.iter().position(|lock| lock.node.node == server).map(Peer::Lock)
            }
            Role::Storage => facts.storages.iter().position(|storage| storage.node.node == server).map(Peer::Storage),
            Role::Client(_) => None,
        }
    }

    /// Something that can be selected and has a menu: by pointer, by touch and by key. What is pressed are boxes that
    /// stay while the drawing under them changes.
    fn pressable(&self, what: Selection, label: String, selected: bool, (pen, reach): (Pen, &[Rect])) -> Html {
        let (node, shown) = match what {
            Selection::Node(node) => (Some(AttrValue::from(node.0.to_string())), None),
            Selection::Packet(packet) => (None, Some(AttrValue::from(packet.0.to_string()))),
            Selection::Step(_) => (None, None),
        };
        let id = node.as_ref().or(shown.as_ref()).map_or("", AttrValue::as_str);
        let key = [if node.is_some() { "n" } else { "p" }, id].concat();
        let packet = self.facts.packets.iter().find(|packet| what == Selection::Packet(packet.id));
        let class = packet.map_or("press".to_owned(), |packet| ["press ", packets::class(packet)].concat());
        let values = [
            Some(class.into()),
            node,
            shown,
            Some("button".into()),
            Some("0".into()),
            Some(label.into()),
            Some("menu".into()),
            Some(flag(selected).into()),
        ];
        let mut children = vec![pen.html()];
        children.extend(reach.iter().map(reach_box));
        let mut drawn = element("g", PRESSABLE, Box::new(values), children);
        drawn.key = Some(key.into());
        drawn.into()
    }
}

const PRESSABLE: &[&str] =
    &["class", press::NODE, press::PACKET, "role", "tabindex", "aria-label", "aria-haspopup", "aria-pressed"];

/// A box where a press counts: a node that moves rather than text that is replaced, or a press on a packet in flight
/// would lose its target before it ends.
fn reach_box(area: &Rect) -> Html {
    let values = [area.x, area.y, area.w, area.h].map(|v| {
        let mut text = String::new();
        ink::push_px(&mut text, v);
        Some(AttrValue::from(text))
    });
    let [x, y, width, height] = values;
    let keys = &["class", "x", "y", "width", "height"];
    element("rect", keys, Box::new([Some("hit".into()), x, y, width, height]), Vec::new()).into()
}

/// A cut link's mark: a slash and the word.
fn cut_mark(pen: &mut Pen, link: &Link, word: &str) {
    let spot = match link.peer {
        // Below the rail, at the right one of the two.
        Peer::Wire(..) => at(link.route.at(1.0).x, link.route.at(1.0).y - 4.0),
        _ => link.route.at(if link.port { 1.0 } else { 0.5 }),
    };
    let corner = at(spot.x - 7.0, spot.y + 8.0);
    pen.sign(&["slash-back"], corner, "M0 0l14-16");
    pen.sign(&["slash"], corner, "M0 0l14-16");
    if !word.is_empty() {
        pen.text(&["t1 i2 halo"], at(spot.x + 10.0, spot.y + if link.port { 15.0 } else { -6.0 }), word);
    }
}

#[cfg(all(test, not(target_arch = "wasm32")))]
mod tests;
