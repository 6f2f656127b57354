//! Pointers on the diagram: on the axis they drag the cursor; elsewhere a press selects a packet or moves the cursor.

use std::rc::Rc;

use yew::prelude::*;

use super::DiagramProps;
use super::chart::{Chart, RAIL_Y};
use crate::vocabulary::StepIx;
use crate::web::scene::{Selection, Turn};
use crate::web::stage::shape::{Point, at};

/// What handles pointers.
pub(super) struct Hands<'a> {
    pub(super) props: &'a DiagramProps,
    pub(super) chart: &'a Rc<Chart>,
    pub(super) spot: &'a NodeRef,
}

/// How far below the rail a press still grabs it.
const RAIL_REACH: f64 = 24.0;

impl Hands<'_> {
    /// A press on the axis grabs the cursor.
    pub(super) fn down(&self) -> Callback<PointerEvent> {
        let (seek, chart, spot) = (self.seek(), self.chart.clone(), self.spot.clone());
        Callback::from(move |event: PointerEvent| {
            let Some(point) = point(&event, &chart, &spot) else { return };
            if event.button() == 0 && on_axis(&chart, point) {
                if let Some(element) = spot.cast::<web_sys::Element>() {
                    // Without capture the drag ends at the diagram's edge, which is no harm.
                    let _ = element.set_pointer_capture(event.pointer_id());
                }
                seek.emit(point);
            }
        })
    }

    /// The cursor follows a pointer that holds it.
    pub(super) fn moved(&self) -> Callback<PointerEvent> {
        let (seek, chart, spot) = (self.seek(), self.chart.clone(), self.spot.clone());
        Callback::from(move |event: PointerEvent| {
            let held = spot.cast::<web_sys::Element>().is_some_and(|one| one.has_pointer_capture(event.pointer_id()));
            if held && let Some(point) = point(&event, &chart, &spot) {
                seek.emit(point);
            }
        })
    }

    /// A press on a packet's line selects it; a press elsewhere in the picture moves the cursor to the nearest step and
    /// selects that.
    pub(super) fn click(&self) -> Callback<MouseEvent> {
        let (seek, chart, spot) = (self.seek(), self.chart.clone(), self.spot.clone());
        let (on_select, tracks) = (self.props.on_select.clone(), self.props.scene.tracks.clone());
        Callback::from(move |event: MouseEvent| {
            let Some(point) = point(&event, &chart, &spot) else { return };
            if on_axis(&chart, point) || !in_picture(&chart, point) {
                return;
            }
            if let Some(packet) = chart.hit(&tracks, point) {
                on_select.emit(Selection::Packet(packet));
            } else {
                seek.emit(point);
                let done = chart.seek(&tracks, point);
                on_select.emit(Selection::Step(StepIx(done.saturating_sub(1))));
            }
        })
    }

    fn seek(&self) -> Callback<Point> {
        let DiagramProps { scene, on_seek, .. } = self.props;
        let (chart, tracks, on_seek) = (self.chart.clone(), scene.tracks.clone(), on_seek.clone());
        let position = scene.position;
        Callback::from(move |point: Point| {
            let wanted = chart.seek(&tracks, point);
            if wanted != position {
                on_seek.emit(wanted);
            }
        })
    }
}

/// An event's place in the drawing, which may be shown larger or smaller than it is.
fn point(event: &MouseEvent, chart: &Chart, spot: &NodeRef) -> Option<Point> {
    let area = spot.cast::<web_sys::Element>()?.get_bounding_client_rect();
    let scale = chart.size.0 / area.width().max(1.0);
    let x = (f64::from(event.client_x()) - area.left()) * scale;
    let y = (f64::from(event.client_y()) - area.top()) * scale;
    Some(at(x, y))
}

fn on_axis(chart: &Chart, point: Point) -> bool {
    match chart.frame.turn {
        Turn::Along => point.y <= RAIL_Y + RAIL_REACH && point.x >= chart.pane().x - 12.0,
        Turn::Upright => point.x <= chart.across.0,
    }
}

fn in_picture(chart: &Chart, point: Point) -> bool {
    let across = chart.frame.across(point);
    across >= chart.across.0 && across <= chart.across.1 && chart.frame.along(point) >= chart.window.0 - 12.0
}
