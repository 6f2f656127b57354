use super::*;

const ROOMS: [Room; 4] = [Room::Full, Room::Compact, Room::Mini, Room::Phone];

fn each_layout(check: impl Fn(&Layout, &str)) {
    for room in ROOMS {
        let sizes = match room {
            Room::Full => vec![None, Some((864.0, 430.0)), Some((1344.0, 700.0)), Some((820.0, 480.0))],
            Room::Compact => vec![None, Some((616.0, 254.0)), Some((864.0, 310.0)), Some((1200.0, 300.0))],
            Room::Mini => vec![None, Some((480.0, 204.0)), Some((600.0, 240.0))],
            Room::Phone => vec![None, Some((320.0, 442.0)), Some((398.0, 460.0))],
        };
        for size in sizes {
            for clients in 1..=4 {
                for locks in 1..=5 {
                    for storages in 0..=1 {
                        let many = locks > 1;
                        let wired = many && storages > 0;
                        let sentinels = usize::from(wired);
                        let census =
                            Census { clients, locks, sentinels, wired, voting: many && !wired, storages, lines: 6 };
                        check(&Layout::new(room, size, census), &format!("{room:?} {size:?} {census:?}"));
                    }
                }
            }
        }
    }
}

fn cards(layout: &Layout) -> Vec<Rect> {
    let clients = layout.clients.iter().map(|place| place.card);
    layout.locks.iter().chain(&layout.storages).copied().chain(clients).collect()
}

#[test]
fn cards_stand_apart_and_within_the_drawing() {
    each_layout(|layout, what| {
        let all = cards(layout);
        let whole = Rect::new(0.0, 0.0, layout.size.0, layout.size.1);
        for (ix, card) in all.iter().enumerate() {
            assert!(card.w > 40.0 && card.h > 30.0, "{what}: {card:?} is too small");
            assert!(whole.contains(card), "{what}: {card:?} sticks out of {whole:?}");
            for other in &all[ix + 1..] {
                assert!(!card.overlaps(other), "{what}: {card:?} over {other:?}");
            }
        }
    });
}

#[test]
fn claims_touch_their_cards_and_keep_off_everything_else() {
    each_layout(|layout, what| {
        for (ix, place) in layout.clients.iter().enumerate() {
            let flag = place.flag;
            assert!(flag.w >= 76.0 && flag.h >= 28.0, "{what}: {flag:?} cannot hold its words");
            assert!(place.card.y <= flag.y && flag.bottom() <= place.card.bottom() + 0.5, "{what}: {flag:?} {place:?}");
            for service in layout.locks.iter().chain(&layout.storages) {
                assert!(!flag.overlaps(service), "{what}: claim over {service:?}");
            }
            for other in &layout.clients[ix + 1..] {
                assert!(!flag.overlaps(&other.flag), "{what}: {flag:?} over {:?}", other.flag);
            }
        }
        if layout.clients.len() >= 2 {
            let clash = layout.clash_box([0, 1].into_iter()).expect("two claims have a gap between them");
            assert!(clash.w >= 20.0, "{what}: {clash:?}");
        }
    });
}

#[test]
fn every_client_has_a_link_to_every_server_that_ends_at_its_card() {
    each_layout(|layout, what| {
        for (client, place) in layout.clients.iter().enumerate() {
            let peers = (0..layout.locks.len()).map(Peer::Lock).chain((0..layout.storages.len()).map(Peer::Storage));
            for peer in peers {
                let link = layout.link(client, peer).expect("the link exists");
                let card = match peer {
                    Peer::Lock(ix) => layout.locks[ix],
                    Peer::Storage(ix) => layout.storages[ix],
                    Peer::Wire(..) => unreachable!("no client's link"),
                };
                let (start, end) = (link.route.at(0.0), link.route.at(1.0));
                let grown = |card: &Rect| card.inset(-1.0);
                assert!(grown(&place.card).contains(&Rect::new(start.x, start.y, 0.0, 0.0)), "{what}: {link:?}");
                assert!(grown(&card).contains(&Rect::new(end.x, end.y, 0.0, 0.0)), "{what}: {link:?}");
                assert!(link.route.length() > 20.0, "{what}: {link:?} is too short for a packet");
            }
        }
    });
}

#[test]
fn the_full_drawing_has_the_measures_it_was_drawn_with() {
    let census = Census { clients: 2, locks: 1, sentinels: 0, wired: false, voting: false, storages: 1, lines: 6 };
    let layout = Layout::new(Room::Full, None, census);
    assert_eq!(layout.locks, [Rect::new(304.5, 2.5, 255.0, 133.0)]);
    assert_eq!(layout.storages, [Rect::new(304.5, 294.5, 255.0, 129.0)]);
    let place = layout.clients[0];
    assert_eq!((place.card.x, place.card.w, place.lines), (20.5, 247.0, 6));
    assert_eq!((place.flag.y, place.flag.h), (176.0, 50.0));
}

/// What lock nodes say to each other flies above their row, clear of every card and within the drawing.
#[test]
fn wires_keep_off_all_cards() {
    each_layout(|layout, what| {
        let whole = Rect::new(0.0, 0.0, layout.size.0, layout.size.1);
        let wires = layout.links.iter().filter(|link| matches!(link.peer, Peer::Wire(..)));
        for link in wires {
            for way in 0..=10 {
                let middle = link.route.at(f64::from(way) / 10.0);
                assert!(whole.contains(&Rect::new(middle.x, middle.y, 0.0, 0.0)), "{what}: {middle:?}");
                assert!(
                    cards(layout)
                        .iter()
                        .all(|card| !card.inset(1.0).overlaps(&Rect::new(middle.x, middle.y, 1.0, 1.0))),
                    "{what}"
                );
            }
        }
    });
}
