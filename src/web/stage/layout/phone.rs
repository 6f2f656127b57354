//! The phone's drawing: one column, the clients side by side between lock and storage.

use super::spine::{VOTES_H, VOTES_TIME_H};
use super::{Census, ClientPlace, FlagStyle, Headline, Layout, Link, Peer, Side, lines_that_fit};
use crate::web::scene::Room;
use crate::web::stage::shape::{Rect, Route, at};

const LOCK_H: f64 = 87.0;
const CLIENT_H: f64 = 209.0;
const CLIENT_H_STACKED: f64 = 189.0;
const STORAGE_H: f64 = 66.0;
const GAP_ABOVE: f64 = 30.0;
const GAP_BELOW: f64 = 50.0;
const GUTTER: f64 = 16.0;
const TRUNK: f64 = 14.0;
const LINK_IN: f64 = 33.5;
const HEADER: f64 = 46.0;
/// Flag, truth and rule between header and listing.
const CLAIM_H: f64 = 94.0;

pub(super) fn lay_out(room: Option<(f64, f64)>, census: Census) -> Layout {
    let w = room.map_or(358.0, |room| room.0).clamp(320.0, 560.0);
    let rows = census.clients.div_ceil(2).max(1);
    let stacked = rows > 1;
    let votes_h = if census.voting { VOTES_H + VOTES_TIME_H } else { 0.0 };
    let card_h = votes_h + if stacked { CLIENT_H_STACKED } else { CLIENT_H };
    let rails = if census.wired { super::RAILS } else { 0.0 };
    let all_h = card_h * rows as f64 + 10.0 * (rows as f64 - 1.0);
    let gap_above = if census.locks > 1 { GAP_ABOVE + 18.0 } else { GAP_ABOVE };
    let clients_y = rails + LOCK_H + gap_above;
    let storage_y = clients_y + all_h + GAP_BELOW;
    let lock_cards = row(census.locks, 0.5 + rails, LOCK_H, w);
    let storages = row(census.storages, storage_y, STORAGE_H, w);
    let end = if storages.is_empty() { clients_y + all_h } else { storage_y + STORAGE_H };

    let trunk = if stacked { TRUNK } else { 0.0 };
    let card_w = (w - GUTTER - 1.0) / 2.0 - trunk;
    let place = |ix: usize| {
        let side = if ix.is_multiple_of(2) { Side::Left } else { Side::Right };
        let y = clients_y + (ix / 2) as f64 * (card_h + 10.0);
        let x = if side == Side::Left { 0.5 + trunk } else { w - 0.5 - trunk - card_w };
        let card = Rect::new(x, y.round() + 0.5, card_w, card_h);
        client(card, side, census.lines, votes_h)
    };
    let clients: Vec<_> = (0..census.clients).map(place).collect();
    let frame = Frame { w, stacked, locks: &lock_cards, storages: &storages };
    let links = clients.iter().enumerate().flat_map(|(ix, place)| frame.links(ix, place));
    let links = links.chain(super::wires(&lock_cards, census)).collect();
    Layout {
        room: Room::Phone,
        size: (w, end + 1.5),
        locks: lock_cards,
        storages,
        clients,
        links,
        headline: Headline { x: w / 2.0, y: clients_y + 40.0, shown: false },
    }
}

fn row(count: usize, y: f64, h: f64, w: f64) -> Vec<Rect> {
    let (n, gap) = (count.max(1) as f64, 6.0);
    let card_w = (w - 1.0 - gap * (n - 1.0)) / n;
    (0..count).map(|ix| Rect::new(0.5 + ix as f64 * (card_w + gap), y, card_w, h)).collect()
}

fn client(card: Rect, side: Side, program: usize, votes_h: f64) -> ClientPlace {
    let (edge, end, header) = (7.5, 10.0, HEADER + votes_h);
    let x = if side == Side::Left { card.x + edge } else { card.x + end };
    ClientPlace {
        card,
        side,
        lines: lines_that_fit(card.h, header + CLAIM_H, 5.0, program),
        listing_y: card.y + header + CLAIM_H + 17.0,
        clocks_y: None,
        votes: (votes_h > 0.0).then_some((card.y + HEADER - 4.0, true)),
        flag: Rect::new(x, card.y + header, card.w - edge - end, 40.0),
        style: FlagStyle::Roomy,
    }
}

struct Frame<'a> {
    w: f64,
    stacked: bool,
    locks: &'a [Rect],
    storages: &'a [Rect],
}

impl Frame<'_> {
    fn links(&self, ix: usize, place: &ClientPlace) -> Vec<Link> {
        let n = (self.locks.len() as f64).max(1.0);
        let locks = self.locks.iter().enumerate().map(|(lock, card)| {
            let x = if n > 1.0 { card.x + card.w * 0.25 + card.w * 0.5 * (ix % 2) as f64 } else { self.x(place) };
            self.link(ix, place, Peer::Lock(lock), (x, card.bottom()))
        });
        let storages = self.storages.iter().enumerate().map(|(storage, card)| {
            let x = if self.storages.len() > 1 { card.middle().x } else { self.x(place) };
            self.link(ix, place, Peer::Storage(storage), (x, card.y))
        });
        locks.chain(storages).collect()
    }

    /// Where a client's links stand: over its outer edge, or beside it where clients stand in rows.
    fn x(&self, place: &ClientPlace) -> f64 {
        let left = if self.stacked { TRUNK / 2.0 } else { place.card.x + LINK_IN };
        let right = if self.stacked { self.w - TRUNK / 2.0 } else { place.card.right() - LINK_IN };
        if place.side == Side::Left { left } else { right }
    }

    fn link(&self, ix: usize, place: &ClientPlace, peer: Peer, to: (f64, f64)) -> Link {
        let up = matches!(peer, Peer::Lock(_));
        let x = self.x(place);
        let mut points = Vec::new();
        if self.stacked {
            let outer = if place.side == Side::Left { place.card.x } else { place.card.right() };
            let stub = place.card.y + 22.0;
            points.extend([at(outer, stub), at(x, stub)]);
        } else {
            points.push(at(x, if up { place.card.y } else { place.card.bottom() }));
        }
        if (to.0 - x).abs() > 0.5 {
            let y = if up { to.1 + GAP_ABOVE * 0.5 } else { to.1 - GAP_BELOW * 0.5 };
            points.extend([at(x, y), at(to.0, y)]);
        }
        points.push(at(to.0, to.1));
        let gap_y = if up && self.locks.len() > 1 {
            to.1 + GAP_ABOVE + 6.0
        } else if up {
            to.1 + GAP_ABOVE / 2.0
        } else {
            to.1 - GAP_BELOW + 15.0
        };
        let label = match place.side {
            Side::Left => Rect::new(x + 52.0, gap_y - 9.0, self.w - LINK_IN - 8.0 - x - 52.0, 18.0),
            Side::Right => Rect::new(LINK_IN + 8.0, gap_y - 9.0, x - 52.0 - LINK_IN - 8.0, 18.0),
        };
        let beside = if place.side == Side::Left { 30.0 } else { -30.0 };
        Link { client: ix, peer, route: Route::new(points), label, beside, port: self.locks.len() > 1 && up }
    }
}
