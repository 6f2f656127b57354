//! What moves with the cursor: the playhead, the veil over the future, and what is selected.

use std::rc::Rc;

use yew::prelude::*;

use super::chart::{Chart, MARGIN, RAIL_Y};
use super::frame::{Area, Ink};
use super::rail;
use super::still::view_box;
use crate::web::scene::{Scene, Selection, Turn};
use crate::web::stage::acts_at;
use crate::web::stage::measure::{Face, instant, text_width};
use crate::web::stage::pieces::{Badge, badge, client_class, px, text};
use crate::web::stage::shape::{Px, Rect, at};
use crate::world::{Effect, Observation};

/// What the moving part is drawn from.
#[derive(Properties, Clone, PartialEq)]
pub(crate) struct CursorProps {
    /// One run at one instant.
    pub(crate) scene: Scene,
    /// Where everything goes; compared by address.
    pub(crate) chart: Rc<Chart>,
}

/// The moving part.
#[component]
pub(crate) fn Cursor(props: &CursorProps) -> Html {
    let CursorProps { scene, chart } = props;
    let (w, h) = chart.size;
    let along = chart.place(scene.time);
    let (from, view) = chart.window;
    let seen = along >= from - 1.0 && along <= from + view + 1.0;
    let head = if !seen {
        Html::default()
    } else if chart.frame.turn == Turn::Along {
        playhead(chart, along, &instant_label(scene))
    } else {
        upright_playhead(chart, along, &instant_label(scene))
    };
    html! {
        <svg class="dw diagram-cursor" viewBox={view_box(w, h)} width={px(w)} height={px(h)} aria-hidden="true">
            { veil(chart, along) }
            { selection(scene, chart) }
            if chart.frame.turn == Turn::Along {
                <path class="rail done" d={rail::line(chart, from, along.min(from + view + 6.0))} />
                <Notches chart={chart.clone()} />
            }
            { head }
            if seen { { last_step(scene, chart, along) } }
        </svg>
    }
}

#[derive(Properties, Clone)]
struct NotchesProps {
    chart: Rc<Chart>,
}

impl PartialEq for NotchesProps {
    fn eq(&self, other: &Self) -> bool {
        Rc::ptr_eq(&self.chart, &other.chart)
    }
}

/// The notches lie over the rail that is done, but do not move.
#[component]
fn Notches(props: &NotchesProps) -> Html {
    html! { <path class="notches" d={rail::notches(&props.chart)} /> }
}

fn instant_label(scene: &Scene) -> String {
    instant(crate::vocabulary::Time(scene.time.0 / 1000 * 1000))
}

fn veil(chart: &Chart, along: f64) -> Html {
    let (from, view) = chart.window;
    let (near, far) = chart.across;
    let end = match chart.frame.turn {
        Turn::Along => chart.size.0 - MARGIN - chart.frame.origin,
        Turn::Upright => from + view + 24.0,
    };
    let area = chart.frame.rect(Area { from: along.max(from), to: end, near, far });
    html! { <rect class="veil" x={px(area.x)} y={px(area.y)} width={px(area.w)} height={px(area.h)} /> }
}

fn playhead(chart: &Chart, along: f64, label: &str) -> Html {
    let x = chart.frame.point(along, 0.0).x;
    let w = text_width(label, 12.0, Face::Bold) + 22.0;
    let left = (x - w / 2.0).clamp(2.0, (chart.size.0 - w - 2.0).max(2.0));
    html! {
        <>
            <path class="playhead" d={format!("M{} {RAIL_Y}V{}", Px(x), Px(chart.across.1))} />
            <rect class="time-box" x={px(left)} y={px(RAIL_Y + 10.0)} width={px(w)} height="20" rx="5" />
            { text("t1 b mid on-ink", at(left + w / 2.0, RAIL_Y + 24.3), label.to_owned()) }
            <circle class="thumb" cx={px(x)} cy={px(RAIL_Y)} r="7" />
        </>
    }
}

fn upright_playhead(chart: &Chart, along: f64, label: &str) -> Html {
    let y = chart.frame.point(along, 0.0).y;
    let w = text_width(label, 12.0, Face::Bold) + 14.0;
    html! {
        <>
            <path class="playhead" d={format!("M{} {}H{}", Px(chart.across.0 - 8.0), Px(y), Px(chart.size.0))} />
            <rect class="time-box" x="0" y={px(y - 10.0)} width={px(w)} height="20" rx="5" />
            { text("t1 b mid on-ink", at(w / 2.0, y + 4.3), label.to_owned()) }
        </>
    }
}

/// A dot where the step just done happened; ⊖ if it was a refusal.
fn last_step(scene: &Scene, chart: &Chart, along: f64) -> Html {
    let Some(step) = scene.last().filter(|step| step.record.at == scene.time) else { return Html::default() };
    let lane = acts_at(&step.record.event).and_then(|node| chart.lane(node));
    let Some(lane) = lane else { return Html::default() };
    let spot = chart.frame.point(along, lane.touch());
    let refused = step
        .record
        .effects
        .iter()
        .any(|effect| matches!(effect, Effect::Noted { what: Observation::Rejected { .. }, .. }));
    if refused {
        return badge(Badge::Stop, spot, 8.5);
    }
    html! { <circle class="step-dot" cx={px(spot.x)} cy={px(spot.y)} r="4.5" /> }
}

fn selection(scene: &Scene, chart: &Chart) -> Html {
    match scene.selection {
        None => Html::default(),
        Some(Selection::Node(node)) => {
            let Some(lane) = chart.lane(node) else { return Html::default() };
            let (from, view) = chart.window;
            let band =
                chart.frame.rect(Area { from, to: from + view + 10.0, near: lane.near + 1.0, far: lane.far - 1.0 });
            outlined(&band)
        }
        Some(Selection::Packet(id)) => {
            let Some(flight) = scene.tracks.flight(id) else { return Html::default() };
            let Some((from, to)) = chart.line(flight, scene.tracks.end()) else { return Html::default() };
            let setup = scene.setup();
            let ends = [flight.packet.from, flight.packet.to];
            let client = setup.clients.iter().position(|client| ends.contains(&client.node)).unwrap_or(0);
            let (mut line, mut head) = (Ink::default(), Ink::default());
            line.line(from, to);
            head.head(from, to);
            html! {
                <g class={client_class(client)}>
                    <path class="flight-back" d={line.text().to_owned()} />
                    <path class="flight chosen" d={line.text().to_owned()} />
                    <path class="cf" d={head.text().to_owned()} />
                </g>
            }
        }
        Some(Selection::Step(ix)) => {
            let Some(at) = scene.tracks.instants.get(ix.ix()) else { return Html::default() };
            let along = chart.place(*at);
            let (near, far) = chart.across;
            let (one, other) = (chart.frame.point(along, near), chart.frame.point(along, far));
            html! { <path class="step-line" d={format!("M{} {}L{} {}", Px(one.x), Px(one.y), Px(other.x), Px(other.y))} /> }
        }
    }
}

fn outlined(area: &Rect) -> Html {
    html! {
        <rect class="chosen-ring" x={px(area.x)} y={px(area.y)} width={px(area.w)} height={px(area.h)} rx="6" />
    }
}
