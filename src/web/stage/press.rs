//! Pressing: once selects, once more asks for the menu; so do Enter and the secondary button.
//!
//! One listener of the drawing hears for all that is in it: what was pressed says so by its attributes.

use std::rc::Rc;

use yew::html::{onclick, oncontextmenu, onkeydown};
use yew::prelude::*;
use yew::virtual_dom::Listener;

use crate::vocabulary::{NodeId, PacketId};
use crate::web::scene::Selection;

/// The attributes that say what a drawing is of.
pub(super) const NODE: &str = "data-node";
pub(super) const PACKET: &str = "data-packet";

/// What a drawing hears. A click presses, the secondary button and Enter ask for the menu. The space bar belongs to the page: it
/// plays.
pub(super) fn listeners(
    on_press: &Callback<Selection>,
    on_menu: &Callback<Selection>,
) -> [Option<Rc<dyn Listener>>; 3] {
    let (press, menu, enter) = (on_press.clone(), on_menu.clone(), on_menu.clone());
    let click = onclick::Wrapper::new(Callback::from(move |event: MouseEvent| {
        tell(&event, &press);
    }));
    let context = oncontextmenu::Wrapper::new(Callback::from(move |event: MouseEvent| {
        if tell(&event, &menu) {
            event.prevent_default();
        }
    }));
    let key = onkeydown::Wrapper::new(Callback::from(move |event: KeyboardEvent| {
        if event.key() == "Enter" && tell(&event, &enter) {
            event.prevent_default();
            event.stop_propagation();
        }
    }));
    [Some(Rc::new(click)), Some(Rc::new(context)), Some(Rc::new(key))]
}

/// Says what the event happened to; false if that is nothing that can be pressed.
fn tell(event: &Event, to: &Callback<Selection>) -> bool {
    let pressed = event.target_dyn_into::<web_sys::Element>().and_then(|one| one.closest(".press").ok().flatten());
    let what = pressed.and_then(|one| {
        let number = |name: &str| one.get_attribute(name)?.parse::<u32>().ok();
        let node = number(NODE).and_then(|id| u16::try_from(id).ok());
        node.map(|id| Selection::Node(NodeId(id))).or_else(|| number(PACKET).map(|id| Selection::Packet(PacketId(id))))
    });
    if let Some(what) = what {
        to.emit(what);
    }
    what.is_some()
}
