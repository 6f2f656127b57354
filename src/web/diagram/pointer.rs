//! Pointers on the diagram: on the axis they drag the cursor; elsewhere they drag the window, and a press selects.

use std::cell::RefCell;
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
    pub(super) pan: UseStateSetter<Option<Pan>>,
    pub(super) drag: &'a Rc<RefCell<Drag>>,
}

/// Where somebody moved the window while the cursor was at a position.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Pan {
    pub(super) position: u32,
    pub(super) from: f64,
}

/// A window that is being dragged.
#[derive(Default)]
pub(super) struct Drag {
    /// Where the pointer went down, and where the window began then.
    start: Option<(f64, f64)>,
    /// Whether it went so far that its end is no press.
    far: bool,
}

/// How far below the rail a press still grabs it.
const RAIL_REACH: f64 = 24.0;
/// A pointer that moves less has not moved.
const STILL: f64 = 4.0;

impl Hands<'_> {
    /// A press on the axis grabs the cursor; elsewhere it grabs the window, if that shows less than the whole run.
    pub(super) fn down(&self) -> Callback<PointerEvent> {
        let (seek, chart, spot, drag) = (self.seek(), self.chart.clone(), self.spot.clone(), self.drag.clone());
        Callback::from(move |event: PointerEvent| {
            let Some(point) = point(&event, &chart, &spot) else { return };
            drag.replace(Drag::default());
            let on_axis = on_axis(&chart, point);
            if event.button() != 0 || !(on_axis || chart.zoomed()) {
                return;
            }
            if let Some(element) = spot.cast::<web_sys::Element>() {
                // Without capture the drag ends at the diagram's edge, which is no harm.
                let _ = element.set_pointer_capture(event.pointer_id());
            }
            if on_axis {
                seek.emit(point);
            } else {
                drag.borrow_mut().start = Some((point.x, chart.window.0));
            }
        })
    }

    /// The cursor or the window follows the pointer that holds it.
    pub(super) fn moved(&self) -> Callback<PointerEvent> {
        let (seek, chart, spot, drag) = (self.seek(), self.chart.clone(), self.spot.clone(), self.drag.clone());
        let (pan, position) = (self.pan.clone(), self.props.scene.position);
        Callback::from(move |event: PointerEvent| {
            let held = spot.cast::<web_sys::Element>().is_some_and(|one| one.has_pointer_capture(event.pointer_id()));
            let Some(point) = point(&event, &chart, &spot).filter(|_| held) else { return };
            let start = drag.borrow().start;
            let Some((x, from)) = start else { return seek.emit(point) };
            if (point.x - x).abs() > STILL || drag.borrow().far {
                drag.borrow_mut().far = true;
                pan.set(Some(Pan { position, from: chart.clamp(from + x - point.x) }));
            }
        })
    }

    /// The pointer lets go.
    pub(super) fn up(&self) -> Callback<PointerEvent> {
        let drag = self.drag.clone();
        Callback::from(move |_| drag.borrow_mut().start = None)
    }

    /// A wheel that turns sideways, or with Shift, moves the window.
    pub(super) fn wheel(&self) -> Callback<WheelEvent> {
        let (pan, chart, position) = (self.pan.clone(), self.chart.clone(), self.props.scene.position);
        Callback::from(move |event: WheelEvent| {
            let by = if event.shift_key() && event.delta_x() == 0.0 { event.delta_y() } else { event.delta_x() };
            if by != 0.0 && chart.zoomed() {
                pan.set(Some(Pan { position, from: chart.clamp(chart.window.0 + by) }));
            }
        })
    }

    /// A press on a packet's line selects it; a press elsewhere in the picture moves the cursor to the nearest step and
    /// selects that.
    pub(super) fn click(&self) -> Callback<MouseEvent> {
        let (seek, chart, spot, drag) = (self.seek(), self.chart.clone(), self.spot.clone(), self.drag.clone());
        let (on_select, tracks) = (self.props.on_select.clone(), self.props.scene.tracks.clone());
        Callback::from(move |event: MouseEvent| {
            let Some(point) = point(&event, &chart, &spot) else { return };
            if drag.take().far || on_axis(&chart, point) || !in_picture(&chart, point) {
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
        Turn::Along => chart.has_rail() && point.y <= RAIL_Y + RAIL_REACH && point.x >= chart.pane().x - 12.0,
        Turn::Upright => point.x <= chart.across.0,
    }
}

fn in_picture(chart: &Chart, point: Point) -> bool {
    let across = chart.frame.across(point);
    across >= chart.across.0 && across <= chart.across.1 && chart.frame.along(point) >= chart.window.0 - 12.0
}
