//! The space–time diagram: a lane for each process, time along them, packets slanted from lane to lane.
//!
//! [`tracks`] turns a branch into intervals, [`axis`] and [`lanes`] say where they go, [`picture`] turns them into a few
//! paths. All of that is done once for a branch, a size and a window of time. While the cursor moves, only [`cursor`] is
//! drawn again, in a layer of its own.

mod axis;
mod chart;
mod cursor;
mod frame;
mod lanes;
mod picture;
mod pointer;
mod rail;
mod still;
pub(crate) mod tracks;

use std::rc::Rc;

use yew::prelude::*;

pub(crate) use chart::Half;
use chart::{Chart, Room};
use picture::{Picture, Sitting};
use pointer::{Hands, Pan};
use still::Still;
use tracks::Tracks;

use super::element::{div, element};
use super::scene::{ByAddress, Scene, Selection, Turn};
use super::sketch::sketch;
use super::stage::ink::{Ink, push_px};
use super::stage::phrases::{node_title, position};
use super::stage::shape::Rect;
use super::stage::words::Word;
use super::stage::{patterns, view_box};
use crate::scenario::Setup;
use crate::vocabulary::Time;

/// What the diagram is drawn from, and whom it tells.
#[derive(Properties, Clone, PartialEq)]
pub(crate) struct DiagramProps {
    /// One run at one instant.
    pub(crate) scene: Scene,
    /// The width of its place in CSS pixels.
    pub(crate) width: f64,
    /// Which way time runs.
    pub(crate) turn: Turn,
    /// How much larger than the whole run on one page; at least 1.
    #[prop_or(1.0)]
    pub(crate) zoom: f64,
    /// What it has beside it.
    #[prop_or_default]
    pub(crate) beside: Option<Beside>,
    /// The scrubber was moved: so many steps shall be done.
    #[prop_or_default]
    pub(crate) on_seek: Callback<u32>,
    /// A packet's line was pressed.
    #[prop_or_default]
    pub(crate) on_select: Callback<Selection>,
}

/// Another run that shares the axis.
#[derive(Clone, PartialEq)]
pub(crate) struct Beside {
    /// What happened there.
    pub(crate) tracks: ByAddress<Tracks>,
    /// Which of the two this one is.
    pub(crate) half: Half,
    /// When the two part.
    pub(crate) parting: Option<Time>,
}

/// The diagram.
#[component]
pub(crate) fn Diagram(props: &DiagramProps) -> Html {
    let DiagramProps { scene, width, turn, zoom, beside, .. } = props;
    let run = scene.run();
    let half = beside.as_ref().map(|beside| beside.half);
    let room = Room { width: width.max(300.0).round(), turn: *turn, zoom: zoom.max(1.0), half };
    let whole = use_memo((run.clone(), room, beside.clone()), |(_, _, beside)| {
        Chart::new(scene.setup(), &scene.tracks, beside.as_ref().map(|beside| &*beside.tracks.0), room)
    });
    let parting = beside.as_ref().and_then(|beside| beside.parting);
    // The window follows the cursor page by page; moved by hand, it stays until the cursor moves.
    let window = use_mut_ref(|| 0.0_f64);
    let pan = use_state_eq(|| None);
    let from = match *pan {
        Some(Pan { position, from }) if position == scene.position => whole.clamp(from),
        _ => whole.follow(*window.borrow(), scene.time),
    };
    window.replace(from);
    let chart = use_memo((ByAddress(Rc::clone(&whole)), (from * 10.0) as i64), |_| whole.windowed(from));
    let still = use_memo((ByAddress(Rc::clone(&chart)), run, scene.lang), |_| Drawn::new(scene, &chart));
    let spot = use_node_ref();
    let drag = use_mut_ref(pointer::Drag::default);
    let hands = Hands { props, chart: &chart, spot: &spot, pan: pan.setter(), drag: &drag };
    html! {
        <div class={classes!("diagram-drawing", turn_class(*turn))} ref={spot.clone()}
            onpointerdown={hands.down()} onpointermove={hands.moved()} onpointerup={hands.up()}
            onclick={hands.click()} onwheel={hands.wheel()}>
            { layer(&chart, "dw diagram-still", still.html()) }
            { layer(&chart, "dw diagram-cursor", cursor::draw(scene, &chart, &still.notches, parting).html()) }
            if chart.half != Some(Half::Lower) { { slider(props) } }
        </div>
    }
}

/// The place of a diagram that is not drawn yet.
pub(crate) fn place(setup: &Setup, width: f64, turn: Turn) -> Html {
    let size = (width, chart::height(setup, turn));
    let values = [view_box(size).into(), whole(size.0), whole(size.1)].map(Some);
    let kept = element("svg", &["viewBox", "width", "height"], Box::new(values), Vec::new()).into();
    div("diagram-drawing", vec![kept])
}

/// What stands still, written down.
struct Drawn {
    around: AttrValue,
    inside: AttrValue,
    pane: Rect,
    notches: Ink,
}

impl Drawn {
    fn new(scene: &Scene, chart: &Chart) -> Self {
        let Scene { tracks, judged, lang, .. } = scene;
        let setup = scene.setup();
        let picture = Picture::new(&Sitting { chart, setup, tracks, judged, lang: *lang });
        let names: Vec<String> = chart.lanes.iter().map(|lane| node_title(setup, lane.node, *lang)).collect();
        let still = Still { chart, picture: &picture, names: &names, lang: *lang };
        let (around, inside) = (still.around().text_out(), still.inside().text_out());
        Self { around, inside, pane: still.pane(), notches: rail::notches(chart) }
    }

    fn html(&self) -> Html {
        let [x, y, width, height] = [self.pane.x, self.pane.y, self.pane.w, self.pane.h].map(whole);
        let values = [x, y, width, height, still::view_of(&self.pane).into()].map(Some);
        let keys = &["x", "y", "width", "height", "viewBox"];
        let inside = element("svg", keys, Box::new(values), vec![sketch(self.inside.clone())]);
        [patterns(), sketch(self.around.clone()), inside.into()].into_iter().collect()
    }
}

/// A size as an attribute.
fn whole(size: f64) -> AttrValue {
    let mut text = String::new();
    push_px(&mut text, size);
    text.into()
}

/// One of the two layers.
fn layer(chart: &Chart, class: &'static str, drawn: Html) -> Html {
    let (width, height) = (whole(chart.size.0), whole(chart.size.1));
    let values = [class.into(), view_box(chart.size).into(), width, height, "true".into()].map(Some);
    let keys = &["class", "viewBox", "width", "height", "aria-hidden"];
    element("svg", keys, Box::new(values), vec![drawn]).into()
}

const fn turn_class(turn: Turn) -> &'static str {
    match turn {
        Turn::Along => "along",
        Turn::Upright => "upright",
    }
}

/// The scrubber as assistive technology and the keyboard meet it. The page handles its keys.
fn slider(props: &DiagramProps) -> Html {
    let scene = &props.scene;
    let len = scene.history.len();
    let said = position(scene.position, len, scene.time, scene.lang);
    let turn = if props.turn == Turn::Along { "horizontal" } else { "vertical" };
    let (len, at) = (len.to_string().into(), scene.position.to_string().into());
    let label = Word::Scrubber.get(scene.lang).into();
    let values = ["scrubber".into(), "slider".into(), "0".into(), label, turn.into(), "0".into(), len, at, said.into()];
    element("div", SLIDER, Box::new(values.map(Some)), Vec::new()).into()
}

const SLIDER: &[&str] = &[
    "class",
    "role",
    "tabindex",
    "aria-label",
    "aria-orientation",
    "aria-valuemin",
    "aria-valuemax",
    "aria-valuenow",
    "aria-valuetext",
];

#[cfg(all(test, not(target_arch = "wasm32")))]
mod tests;
