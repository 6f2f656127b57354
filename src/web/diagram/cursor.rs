//! What moves with the cursor: the playhead, the veil over the future, and what is selected.

use super::chart::{Chart, MARGIN, RAIL_Y};
use super::frame::Area;
use super::rail;
use crate::vocabulary::Time;
use crate::web::scene::{Scene, Selection, Turn};
use crate::web::stage::acts_at;
use crate::web::stage::ink::Ink;
use crate::web::stage::measure::{Face, instant, text_width};
use crate::web::stage::pen::Pen;
use crate::web::stage::pieces::{Badge, badge, client_class};
use crate::web::stage::shape::{Rect, at};
use crate::world::{Effect, Observation};

/// Writes the moving part; `notches` lie over the rail that is done; where two runs part stands a line.
pub(crate) fn draw(scene: &Scene, chart: &Chart, notches: &Ink, parting: Option<Time>) -> Pen {
    let mut pen = Pen::default();
    let along = chart.place(scene.time);
    let (from, view) = chart.window;
    veil(&mut pen, chart, along);
    pen.cut();
    if let Some(parting) = parting {
        let (place, (near, far)) = (chart.place(parting), chart.across);
        let mut ink = Ink::default();
        ink.line(chart.frame.point(place, near), chart.frame.point(place, far));
        pen.ink(&["parting"], &ink);
        pen.cut();
    }
    selection(&mut pen, scene, chart);
    pen.cut();
    if chart.has_rail() {
        pen.ink(&["rail done"], &rail::line(chart, from, along.min(from + view + 6.0)));
        pen.cut();
        pen.ink(&["notches"], notches);
        pen.cut();
    }
    if along >= from - 1.0 && along <= from + view + 1.0 {
        let label = instant(Time(scene.time.0 / 1000 * 1000));
        match chart.frame.turn {
            Turn::Along => playhead(&mut pen, chart, along, &label),
            Turn::Upright => upright_playhead(&mut pen, chart, along, &label),
        }
        last_step(&mut pen, scene, chart, along);
    }
    pen
}

fn veil(pen: &mut Pen, chart: &Chart, along: f64) {
    let (from, view) = chart.window;
    let (near, far) = chart.across;
    let end = match chart.frame.turn {
        Turn::Along => chart.size.0 - MARGIN - chart.frame.origin,
        Turn::Upright => from + view + 24.0,
    };
    pen.rect(&["veil"], &chart.frame.rect(Area { from: along.max(from), to: end, near, far }), 0.0);
}

fn playhead(pen: &mut Pen, chart: &Chart, along: f64, label: &str) {
    let x = chart.frame.point(along, 0.0).x;
    let w = text_width(label, 12.0, Face::Bold) + 22.0;
    let left = (x - w / 2.0).min(chart.size.0 - w - 2.0).max(2.0);
    let mut ink = Ink::default();
    ink.line(at(x, if chart.has_rail() { RAIL_Y } else { chart.across.0 }), at(x, chart.across.1));
    pen.ink(&["playhead"], &ink);
    if !chart.has_rail() {
        return;
    }
    pen.rect(&["time-box"], &Rect::new(left, RAIL_Y + 10.0, w, 20.0), 5.0);
    pen.text(&["t1 b mid on-ink"], at(left + w / 2.0, RAIL_Y + 24.3), label);
    pen.circle(&["thumb"], at(x, RAIL_Y), 7.0);
}

fn upright_playhead(pen: &mut Pen, chart: &Chart, along: f64, label: &str) {
    let y = chart.frame.point(along, 0.0).y;
    let w = text_width(label, 12.0, Face::Bold) + 14.0;
    let mut ink = Ink::default();
    ink.line(at(chart.across.0 - 8.0, y), at(chart.size.0, y));
    pen.ink(&["playhead"], &ink);
    pen.rect(&["time-box"], &Rect::new(0.0, y - 10.0, w, 20.0), 5.0);
    pen.text(&["t1 b mid on-ink"], at(w / 2.0, y + 4.3), label);
}

/// A dot where the step just done happened; ⊖ if it was a refusal.
fn last_step(pen: &mut Pen, scene: &Scene, chart: &Chart, along: f64) {
    let Some(step) = scene.last().filter(|step| step.record.at == scene.time) else { return };
    let Some(lane) = acts_at(&step.record.event).and_then(|node| chart.lane(node)) else { return };
    let spot = chart.frame.point(along, lane.touch());
    let refusal = |effect: &Effect| matches!(effect, Effect::Noted { what: Observation::Rejected { .. }, .. });
    if step.record.effects.iter().any(refusal) {
        badge(pen, Badge::Stop, spot, 8.5);
    } else {
        pen.circle(&["step-dot"], spot, 4.5);
    }
}

fn selection(pen: &mut Pen, scene: &Scene, chart: &Chart) {
    let mut ink = Ink::default();
    match scene.selection {
        None => {}
        Some(Selection::Node(node)) => {
            let Some(lane) = chart.lane(node) else { return };
            let (from, view) = chart.window;
            let band = Area { from, to: from + view + 10.0, near: lane.near + 1.0, far: lane.far - 1.0 };
            pen.rect(&["chosen-ring"], &chart.frame.rect(band), 6.0);
        }
        Some(Selection::Packet(id)) => {
            let Some(flight) = scene.tracks.flight(id) else { return };
            let Some((from, to)) = chart.line(flight, scene.tracks.end()) else { return };
            let ends = [flight.packet.from, flight.packet.to];
            let client = scene.setup().clients.iter().position(|client| ends.contains(&client.node)).unwrap_or(0);
            let mut head = Ink::default();
            ink.line(from, to);
            head.head(from, to);
            pen.open(&[client_class(client)]);
            pen.ink(&["flight-back"], &ink);
            pen.ink(&["flight chosen"], &ink);
            pen.ink(&["cf"], &head);
            pen.close();
        }
        Some(Selection::Step(ix)) => {
            let Some(at) = scene.tracks.instants.get(ix.ix()) else { return };
            let along = chart.place(*at);
            let (near, far) = chart.across;
            ink.line(chart.frame.point(along, near), chart.frame.point(along, far));
            pen.ink(&["step-line"], &ink);
        }
    }
}
