//! What the stage and the diagram render, as text.

use std::rc::Rc;
use std::sync::Arc;

use yew::prelude::*;

use super::Stage;
use super::words::Word;
use crate::history::History;
use crate::scenario;
use crate::verdicts::Judged;
use crate::vocabulary::{FaultKind, Lang, MessageKind, NodeId, Notice, PacketRef, PauseCause, Span};
use crate::web::diagram::Diagram;
use crate::web::diagram::tracks::Tracks;
use crate::web::scene::{Room, Scene, Selection, Turn};

#[derive(Properties, Clone, PartialEq)]
struct BothProps {
    scene: Scene,
    room: Room,
    turn: Turn,
}

#[component]
fn Both(props: &BothProps) -> Html {
    let BothProps { scene, room, turn } = props;
    let width = if *turn == Turn::Along { 1440.0 } else { 358.0 };
    html! {
        <>
            <Stage scene={scene.clone()} room={*room} />
            <Diagram scene={scene.clone()} {width} turn={*turn} />
        </>
    }
}

fn render(scene: &Scene, room: Room) -> String {
    let turn = if room == Room::Phone { Turn::Upright } else { Turn::Along };
    let props = BothProps { scene: scene.clone(), room, turn };
    let runtime = tokio::runtime::Builder::new_current_thread().build().expect("a runtime starts");
    runtime.block_on(yew::LocalServerRenderer::<Both>::with_props(props).hydratable(false).render())
}

fn scene(history: History, lang: Lang) -> Scene {
    let judged = Rc::new(Judged::new(&history));
    let tracks = Rc::new(Tracks::new(&history.scenario().setup, history.steps().map(|step| &step.record)));
    let (position, time) = (history.position(), history.world().now());
    Scene { history: Rc::new(history), judged, tracks, position, time, selection: None, lang }
}

fn history(name: &str) -> History {
    History::new(Arc::new(scenario::load(name).expect("a built-in scenario")))
}

fn at_position(whole: &Scene, position: u32) -> Scene {
    let mut history = (*whole.history).clone();
    history.seek(position);
    let time = history.world().now();
    Scene { history: Rc::new(history), position, time, ..whole.clone() }
}

const ROOMS: [Room; 4] = [Room::Full, Room::Compact, Room::Mini, Room::Phone];

/// No style attribute, which the security policy would block, and no number that is none.
fn check_markup(html: &str, what: &str) {
    for wrong in ["style=", "NaN", "inf ", "inf\"", "undefined"] {
        assert!(!html.contains(wrong), "{what} contains {wrong:?}");
    }
}

#[test]
fn every_step_of_every_scenario_can_be_drawn() {
    for name in scenario::builtin() {
        let whole = scene(history(name), Lang::En);
        let len = whole.history.len();
        for (n, position) in (0..=len).step_by((len as usize / 40).max(1)).enumerate() {
            let scene = at_position(&whole, position);
            let room = ROOMS[n % ROOMS.len()];
            check_markup(&render(&scene, room), &format!("{name} at {position} in {room:?}"));
        }
    }
}

#[test]
fn the_refusal_shows_belief_truth_and_the_gate() {
    let mut whole = history("fencing-token");
    whole.seek(27);
    for (lang, words) in [
        (Lang::En, ["Two believe, one holds", "not true", "refused: 33 &lt; 34", "slept 11.4", "token 33"]),
        (Lang::Ko, ["둘이 믿고 하나만 쥠", "사실 아님", "거절: 33 &lt; 34", "11.4초 잠듦", "토큰 33"]),
    ] {
        let html = render(&scene(whole.clone(), lang), Room::Full);
        for word in words.iter().chain(&["≥ 34"]) {
            assert!(html.contains(word), "{word} is missing in {lang:?}");
        }
    }
}

/// One guard speaks for all that comes to a storage with one resource, and for none of several.
#[test]
fn a_gate_stands_only_where_its_guard_holds_for_all() {
    let gates = |name: &str| {
        let mut whole = history(name);
        whole.seek(whole.len());
        let html = render(&scene(whole, Lang::En), Room::Full);
        (html.matches("class=\"gate\"").count(), html.contains("≥ 34"))
    };
    assert_eq!(gates("fencing-token"), (2, true));
    assert_eq!(gates("half-fenced"), (0, true));
}

/// Among replicas a card says who is primary, in every drawing that has room for it.
#[test]
fn the_promoted_replica_can_be_told() {
    let mut whole = history("failover-loses-lock");
    whole.seek(whole.len());
    for room in [Room::Full, Room::Compact] {
        assert!(render(&scene(whole.clone(), Lang::En), room).contains("promoted"), "{room:?}");
    }
}

#[test]
fn what_the_adversary_does_can_be_seen() {
    let sees = |history: &History, words: &[&str]| {
        for room in ROOMS {
            let html = render(&scene(history.clone(), Lang::En), room);
            check_markup(&html, &format!("{words:?} in {room:?}"));
            if room == Room::Full {
                for word in words {
                    assert!(html.contains(word), "{word} is missing");
                }
            }
        }
    };
    let mut start = history("fencing-token");
    start.seek(2);
    let mut paused = start.clone();
    paused.act(FaultKind::Pause { node: NodeId(0), length: None, cause: PauseCause::PageFault }, None);
    paused.seek(5);
    sees(&paused, &["asleep", "1 waits in its kernel buffer"]);
    let packet = start.world().in_flight()[0].packet.id;
    let with = |kind| {
        let mut history = start.clone();
        history.act(kind, None);
        history
    };
    let packet = PacketRef::Id(packet);
    sees(&with(FaultKind::Hold { packet }), &["held"]);
    sees(&with(FaultKind::Delay { packet, by: Span::from_ms(90_000) }), &["+90"]);
    sees(&with(FaultKind::Lose { packet, delivered: false, notice: Notice::Both }), &["lost"]);
    sees(&with(FaultKind::CutOff { node: NodeId(0) }), &["cut off", "stalled"]);
    sees(&with(FaultKind::Crash { node: NodeId(2), restart: None }), &["Memory is gone."]);
    let machine = start.scenario().setup.machine_of(NodeId(2));
    sees(&with(FaultKind::ClockJump { machine, by_us: 60_000_000 }), &["+60"]);
}

#[test]
fn what_is_selected_stands_out() {
    let mut whole = history("fencing-token");
    whole.seek(2);
    let packet = whole.world().in_flight()[0].packet.id;
    for selection in [Selection::Node(NodeId(0)), Selection::Packet(packet)] {
        let scene = Scene { selection: Some(selection), ..scene(whole.clone(), Lang::En) };
        let html = render(&scene, Room::Full);
        assert!(html.contains("aria-pressed=\"true\"") && html.contains("chosen"), "{selection:?}");
    }
}

#[test]
fn a_drawing_has_few_elements() {
    let mut whole = history("gc-pause-write");
    whole.seek(whole.len());
    let html = render(&scene(whole, Lang::En), Room::Full);
    let elements = html.matches('<').count() / 2;
    assert!(elements < 420, "{elements} elements");
}

#[test]
fn words_are_different_in_korean() {
    for word in Word::ALL {
        let (en, ko) = (word.get(Lang::En), word.get(Lang::Ko));
        assert!(!en.is_empty() && !ko.is_empty() && en != ko, "{word:?}");
    }
}

/// While a client asks, its card counts votes against the quorum, and says beside it what the nodes truly keep.
#[test]
fn votes_stand_beside_what_the_nodes_keep() {
    let mut whole = history("redlock-clock-jump");
    whole.seek(12);
    for (lang, words) in [(Lang::En, ["3 of 3 votes", "truly has 3"]), (Lang::Ko, ["3표 중 3표", "실제로는 3개"])]
    {
        let html = render(&scene(whole.clone(), lang), Room::Full);
        for word in words {
            assert!(html.contains(word), "{word} is missing in {lang:?}");
        }
        assert_eq!(html.matches("class=\"cell yes\"").count(), 3);
    }
}

/// A sentinel says whom it takes for down and whom for primary; a replica how far it is behind.
#[test]
fn the_sentinel_and_the_stream_can_be_read() {
    let mut whole = history("redis-split-brain");
    whole.seek(69);
    let html = render(&scene(whole, Lang::En), Room::Full);
    for words in ["primary: redis-b", "down after 500", "1 behind", "acked by 0 of 2", "class=\"strike\""] {
        assert!(html.contains(words), "{words} is missing");
    }
}

/// Who has the locks of a majority and still waits for the answers is told that news comes, and nothing of a release.
#[test]
fn a_release_is_on_its_way_only_when_one_is() {
    let whole = scene(history("redlock-clock-jump"), Lang::En);
    let (mut news, mut releases) = (0, 0);
    for position in 0..=whole.history.len() {
        let scene = at_position(&whole, position);
        let drawn = render(&scene, Room::Full);
        let given_back =
            scene.world().in_flight().iter().any(|flight| flight.packet.message.kind() == MessageKind::CompareDelete);
        if drawn.contains("release on its way") {
            assert!(given_back, "step {position}: nobody gave a lock back");
            releases += 1;
        }
        news += u32::from(drawn.contains("reply on its way"));
    }
    assert!(news > 0, "nobody waits for an answer");
    assert!(releases > 0, "nobody gives a lock back");
}

/// A scene without one of its processes would tell another story.
#[test]
fn every_process_stands_on_the_stage() {
    for id in scenario::builtin() {
        let whole = scene(history(id), Lang::En);
        let drawn = render(&whole, Room::Full);
        for (ix, node) in whole.setup().nodes.iter().enumerate() {
            assert!(drawn.contains(&format!("data-node=\"{ix}\"")), "{id}: {} is nowhere", node.name);
        }
    }
}

/// Who leads, and how far each log is, can be read off the servers' cards; a dead leader leads nobody.
#[test]
fn an_ensemble_shows_its_leader_and_its_log() {
    let whole = scene(history("zookeeper-leader-crash"), Lang::En);
    let at_the_start = render(&at_position(&whole, 0), Room::Full);
    assert_eq!(at_the_start.matches(">leader<").count(), 1);
    assert_eq!(at_the_start.matches(">follower<").count(), 2);
    assert!(at_the_start.contains("epoch 1"));
    let at_the_end = render(&at_position(&whole, whole.history.len()), Room::Full);
    assert!(at_the_end.contains("epoch 2"));
    assert_eq!(at_the_end.matches(">leader<").count(), 1);
    assert!(at_the_end.contains("crashed"));
}
