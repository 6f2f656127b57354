//! Pressing: once selects, once more asks for the menu; so do Enter and the secondary button.

use yew::prelude::*;

use crate::web::scene::Selection;

type OnMenu = Callback<(Selection, (i32, i32))>;

/// What a click does.
pub(super) fn click(
    what: Selection,
    selected: bool,
    on_select: &Callback<Selection>,
    on_menu: &OnMenu,
) -> Callback<MouseEvent> {
    let (on_select, on_menu) = (on_select.clone(), on_menu.clone());
    Callback::from(move |event: MouseEvent| {
        event.stop_propagation();
        if selected {
            on_menu.emit((what, anchor(&event, (event.client_x(), event.client_y()))));
        } else {
            on_select.emit(what);
        }
    })
}

/// What the secondary button does.
pub(super) fn context(what: Selection, on_menu: &OnMenu) -> Callback<MouseEvent> {
    let on_menu = on_menu.clone();
    Callback::from(move |event: MouseEvent| {
        event.prevent_default();
        on_menu.emit((what, anchor(&event, (event.client_x(), event.client_y()))));
    })
}

/// What keys do: Enter asks for the menu. The space bar belongs to the page: it plays.
pub(super) fn key(what: Selection, on_menu: &OnMenu) -> Callback<KeyboardEvent> {
    let on_menu = on_menu.clone();
    Callback::from(move |event: KeyboardEvent| {
        if event.key() == "Enter" {
            event.prevent_default();
            event.stop_propagation();
            on_menu.emit((what, anchor(&event, (0, 0))));
        }
    })
}

/// Where the menu hangs: the middle of the lower edge of what was pressed. `or` is used where that cannot be found.
fn anchor(event: &Event, or: (i32, i32)) -> (i32, i32) {
    let pressed = event.target_dyn_into::<web_sys::Element>();
    let card = pressed.and_then(|element| element.closest(".press").ok().flatten());
    card.map_or(or, |element| {
        let area = element.get_bounding_client_rect();
        ((area.left() + area.width() / 2.0) as i32, area.bottom() as i32)
    })
}
