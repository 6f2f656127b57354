//! Geometry of whole scenarios, and what the components render.

use std::rc::Rc;
use std::sync::Arc;

use super::axis::Axis;
use super::chart::{Chart, Room, seek};
use super::picture::{Picture, Sitting};
use super::tracks::{Outcome, Tracks};
use crate::history::History;
use crate::scenario;
use crate::verdicts::Judged;
use crate::vocabulary::{Lang, NodeId, Span, Time};
use crate::web::scene::Turn;
use crate::web::stage::shape::at;

fn run(name: &str) -> (History, Tracks) {
    let scenario = scenario::load(name).expect("a built-in scenario");
    let history = History::new(Arc::new(scenario));
    let tracks = Tracks::new(&history.scenario().setup, history.steps().map(|step| &step.record));
    (history, tracks)
}

const ROOMS: [Room; 4] = [
    Room { width: 1440.0, turn: Turn::Along, zoom: 1.0, half: None },
    Room { width: 640.0, turn: Turn::Along, zoom: 1.0, half: None },
    Room { width: 1440.0, turn: Turn::Along, zoom: 6.0, half: None },
    Room { width: 358.0, turn: Turn::Upright, zoom: 1.0, half: None },
];

fn everywhere(check: impl Fn(&Chart, &History, &Tracks, &str)) {
    for name in scenario::builtin() {
        let (history, tracks) = run(name);
        for room in ROOMS {
            let chart = Chart::new(&history.scenario().setup, &tracks, None, room);
            check(&chart, &history, &tracks, &format!("{name} {room:?}"));
        }
    }
}

#[test]
fn steps_keep_their_order_on_every_axis() {
    everywhere(|chart, _, tracks, what| {
        let places: Vec<f64> = tracks.instants.iter().map(|at| chart.place(*at)).collect();
        assert!(places.windows(2).all(|pair| pair[0] <= pair[1]), "{what}");
        assert!(places.iter().all(|place| (0.0..=chart.axis.length() + 0.1).contains(place)), "{what}");
    });
}

#[test]
fn lanes_stand_side_by_side_within_the_drawing() {
    everywhere(|chart, history, _, what| {
        assert_eq!(chart.lanes.len(), history.scenario().setup.nodes.len(), "{what}");
        for pair in chart.lanes.windows(2) {
            assert!((pair[0].far - pair[1].near).abs() < 0.01 && pair[0].near < pair[0].far, "{what}");
        }
        let pane = chart.pane();
        assert!(
            pane.x >= 0.0 && pane.right() <= chart.size.0 + 0.1 && pane.bottom() <= chart.size.1 + 0.1,
            "{what} {pane:?}"
        );
    });
}

#[test]
fn a_press_on_a_steps_place_finds_the_steps_of_its_instant() {
    everywhere(|chart, _, tracks, what| {
        for at in &chart.instants.to_vec() {
            let done = seek(&chart.axis, tracks, chart.place(*at)) as usize;
            let wanted = tracks.instants.partition_point(|other| other <= at);
            let near = |ix: usize| tracks.instants.get(ix.wrapping_sub(1)).map_or(Time::ZERO, |at| *at);
            let gap = (chart.place(near(done)) - chart.place(*at)).abs();
            assert!(done == wanted || gap < 1.0, "{what}: {done} for {wanted} at {at}");
        }
    });
}

#[test]
fn labels_cover_no_other_and_stay_in_the_picture() {
    everywhere(|chart, history, tracks, what| {
        for lang in [Lang::En, Lang::Ko] {
            let judged = Judged::new(history);
            let setup = &history.scenario().setup;
            let picture = Picture::new(&Sitting { chart, setup, tracks, judged: &judged, lang });
            let boxes: Vec<_> = picture.labels.iter().map(super::picture::Label::area).collect();
            for (ix, one) in boxes.iter().enumerate() {
                assert!(one.right() <= chart.size.0 + 2.0 && one.x >= -2.0, "{what}: {:?}", picture.labels[ix]);
                assert!(boxes[ix + 1..].iter().all(|other| !one.overlaps(other)), "{what}: {:?}", picture.labels[ix]);
            }
        }
    });
}

#[test]
fn the_fencing_token_is_read_as_it_happened() {
    let (history, tracks) = run("fencing-token");
    let setup = &history.scenario().setup;
    let client =
        |name: &str| tracks.client(setup.node_named(name).expect("the client exists")).expect("it has a track");
    let tokens =
        |name: &str| client(name).beliefs.iter().filter_map(|bar| bar.token).map(|token| token.0).collect::<Vec<_>>();
    assert_eq!((tokens("client-1"), tokens("client-2")), (vec![33], vec![34]));
    let sleep = tracks.last_sleep(NodeId(0), tracks.end()).expect("client 1 slept");
    assert_eq!(sleep.to.map(|to| to.since(sleep.from)), Some(Span::from_ms(11_400)));
    let truth = client("client-1").truths[0];
    assert_eq!(client("client-1").untrue_since(truth.service, tracks.end()), truth.to);
    let refused: Vec<_> = tracks.flights.iter().filter(|flight| flight.outcome == Outcome::Refused).collect();
    assert_eq!(refused.len(), 1);
    assert_eq!(refused[0].packet.from, NodeId(0));
}

#[test]
fn a_press_on_a_packets_line_means_the_packet() {
    let (history, tracks) = run("fencing-token");
    let chart = Chart::new(&history.scenario().setup, &tracks, None, ROOMS[0]);
    for flight in &tracks.flights {
        let (from, to) = chart.line(flight, tracks.end()).expect("both ends have lanes");
        let middle = at(from.x + (to.x - from.x) * 0.4, from.y + (to.y - from.y) * 0.4);
        assert_eq!(chart.hit(&tracks, middle), Some(flight.packet.id));
    }
    assert_eq!(chart.hit(&tracks, at(chart.pane().right(), chart.pane().y)), None);
}

#[test]
fn a_packet_that_is_stuck_for_good_reaches_no_lane() {
    let (history, tracks) = run("redlock-clock-jump");
    let chart = Chart::new(&history.scenario().setup, &tracks, None, ROOMS[0]);
    let stuck: Vec<_> = tracks.flights.iter().filter(|flight| flight.outcome == Outcome::Flying).collect();
    assert!(stuck.len() > 2, "two links are cut for each client");
    for flight in stuck {
        let (from, to) = chart.line(flight, tracks.end()).expect("both ends have lanes");
        let way = chart.lane(flight.packet.to).expect("it has a lane").touch() - from.y;
        assert!((to.y - from.y).abs() < way.abs() * 0.5 && to.x - from.x < 20.0);
    }
}

#[test]
fn repeated_attempts_fold_and_the_first_stays() {
    let (_, tracks) = run("gc-pause-write");
    assert!(tracks.dull.iter().filter(|dull| **dull).count() > 6);
    let attempts = tracks.flights.iter().filter(|flight| !tracks.dull[flight.sent_in.ix()]);
    assert!(attempts.count() >= 10, "the first attempt, the grant and the writes are no repetition");
}

#[test]
fn a_long_run_is_a_short_drawing() {
    let (history, mut tracks) = run("fencing-token");
    let flights = tracks.flights.clone();
    let pass = tracks.end().0 + 5_000;
    let instants = tracks.instants.clone();
    for round in 1..140 {
        let later = |at: Time| Time(at.0 + pass * round);
        tracks.instants.extend(instants.iter().map(|at| later(*at)));
        tracks.dull.extend(instants.iter().map(|_| false));
        tracks.flights.extend(flights.iter().cloned().map(|mut flight| {
            let mut packet = (*flight.packet).clone();
            packet.sent = later(packet.sent);
            flight.packet = Arc::new(packet);
            flight.end = flight.end.map(|(at, step)| (later(at), step));
            flight
        }));
    }
    assert!(tracks.instants.len() > 5_000);
    let chart = Chart::new(&history.scenario().setup, &tracks, None, ROOMS[0]);
    let judged = Rc::new(Judged::new(&history));
    let setup = &history.scenario().setup;
    let picture = Picture::new(&Sitting { chart: &chart, setup, tracks: &tracks, judged: &judged, lang: Lang::En });
    let text: usize = picture.clients.iter().map(|ink| ink.lines.text().len() + ink.heads.text().len()).sum();
    assert!(text < 200_000, "{text} bytes of paths");
    assert!(picture.labels.len() < 120 && picture.refused.len() <= 200);
    assert!(chart.ticks().len() < 60);
}

#[test]
fn an_axis_without_steps_is_short() {
    assert!(Axis::new(std::iter::empty(), 500.0).length() < 1.0);
}
