//! Everything that reaches the browser: frames, keys, the address, storage, focus, and where a menu stands.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use gloo::events::EventListener;
use gloo::render::{AnimationFrame, request_animation_frame};
use gloo::utils::{document, window};
use wasm_bindgen::closure::Closure;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{Element, HtmlDialogElement, HtmlElement, KeyboardEvent};
use yew::prelude::*;

use super::Dispatch;
use super::keys::Shortcut;
use super::run::Place;
use super::state::{Action, Settings};

/// A frame that took longer than this was no frame: the tab was hidden, or the machine slept. Time does not jump.
const FRAME_US_MAX: f64 = 100_000.0;

/// While `active`, sends the time that each frame took. A hidden tab gets no frames, so its clock stands.
#[hook]
pub(crate) fn use_frames(active: bool, send: &Dispatch) {
    use_effect_with((active, send.clone()), |(active, send)| {
        let frames = Rc::new(Frames { alive: Cell::new(*active), next: RefCell::new(None), send: send.clone() });
        if *active {
            frames.request(None);
        }
        move || {
            frames.alive.set(false);
            frames.next.take();
        }
    });
}

struct Frames {
    alive: Cell<bool>,
    next: RefCell<Option<AnimationFrame>>,
    send: Dispatch,
}

impl Frames {
    fn request(self: &Rc<Self>, last: Option<f64>) {
        let this = Rc::clone(self);
        let frame = request_animation_frame(move |now| {
            if let Some(last) = last {
                this.send.emit(Action::Tick(((now - last) * 1000.0).clamp(0.0, FRAME_US_MAX) as u64));
            }
            if this.alive.get() {
                this.request(Some(now));
            }
        });
        *self.next.borrow_mut() = Some(frame);
    }
}

/// Turns keys into actions, unless somebody writes into a field or a dialog is open.
#[hook]
pub(crate) fn use_keys(send: &Dispatch) {
    use_effect_with(send.clone(), |send| {
        let send = send.clone();
        let options = gloo::events::EventListenerOptions::enable_prevent_default();
        let listener = EventListener::new_with_options(&window(), "keydown", options, move |event| {
            let Some(event) = event.dyn_ref::<KeyboardEvent>() else { return };
            if let Some(shortcut) = shortcut(event) {
                event.prevent_default();
                send.emit(Action::Shortcut(shortcut));
            }
        });
        move || drop(listener)
    });
}

fn shortcut(event: &KeyboardEvent) -> Option<Shortcut> {
    if event.ctrl_key() || event.meta_key() || event.alt_key() || event.is_composing() || event.default_prevented() {
        return None;
    }
    let shortcut = Shortcut::of(&event.key(), event.shift_key())?;
    let target: Option<Element> = event.target().and_then(|target| target.dyn_into().ok());
    let inside =
        |selector: &str| target.as_ref().is_some_and(|one| one.closest(selector).is_ok_and(|found| found.is_some()));
    // Radio buttons go by arrows and Space, sliders by all keys with a name: the others are free there.
    let key = event.key();
    let letter = key.chars().count() == 1 && key != " ";
    let free = inside("[type=range]") && letter
        || inside("[type=radio]") && (letter || !key.starts_with("Arrow") && key != " ");
    let taken = inside("input, select, textarea, [contenteditable]") && !free
        || inside("dialog")
        || shortcut.presses_buttons() && inside("button, a, summary, [role=button], [role=menuitem]");
    (!taken).then_some(shortcut)
}

/// Keeps the address and the run together: the fragment names the scenario, and back and forward work.
#[hook]
pub(crate) fn use_place(place: &Place, send: &Dispatch) {
    // What the address said last, as far as the page knows. The browser reports a change later than it makes it; the page's
    // own must not undo what the visitor asked for in between.
    let said = use_mut_ref(|| None::<Place>);
    use_effect_with(place.clone(), {
        let said = Rc::clone(&said);
        move |place| {
            let address = place_in_address();
            // The first visit keeps its plain address.
            let first = said.borrow().is_none();
            let own = !first && *place != address;
            *said.borrow_mut() = Some(if own { place.clone() } else { address });
            if own {
                let _ = window().location().set_hash(&place.text());
            }
        }
    });
    use_effect_with(send.clone(), move |send| {
        let send = send.clone();
        let listener = EventListener::new(&window(), "hashchange", move |_| {
            let address = place_in_address();
            if said.replace(Some(address.clone())).as_ref() != Some(&address) {
                send.emit(Action::Open(address));
            }
        });
        move || drop(listener)
    });
}

/// Asks the script that loaded the page for a file as soon as it is wanted, and sends what came.
#[hook]
pub(crate) fn use_file(wanted: Option<&str>, send: &Dispatch) {
    let send = send.clone();
    use_effect_with(wanted.map(ToOwned::to_owned), move |wanted| {
        let Some(name) = wanted.clone() else { return };
        let wish = JsValue::from_str(&name);
        let done = Closure::once_into_js(move |text: JsValue| send.emit(Action::Arrived(name, text.as_string())));
        let load = loader("load").dyn_into::<js_sys::Function>().expect("static/boot.js defines it");
        let _ = load.call2(&JsValue::UNDEFINED, &wish, &done);
    });
}

/// Whether all of the wasm is here. Before, what the first view can do without is not drawn (`static/boot.js`).
#[hook]
pub(crate) fn use_wholeness(from_the_start: bool) -> bool {
    let whole = use_state_eq(|| from_the_start);
    let set = whole.setter();
    use_effect_with((), move |()| {
        let done = Closure::once_into_js(move || set.set(true));
        let tell = loader("whole").dyn_into::<js_sys::Function>().expect("static/boot.js defines it");
        let _ = tell.call1(&JsValue::UNDEFINED, &done);
    });
    *whole
}

/// What the script that loaded the page keeps for it under a name.
fn loader(name: &str) -> JsValue {
    let get = |object: &JsValue, name: &str| js_sys::Reflect::get(object, &name.into()).unwrap_or_default();
    get(&get(&window(), "lockstep"), name)
}

/// The file of the scenario with which the page begins.
#[cfg(target_arch = "wasm32")]
pub(crate) fn first_file() -> String {
    loader("first").as_string().expect("static/boot.js waits for it")
}

/// When the chooser's rows come into the open dialog, the current one gets the focus.
#[hook]
pub(crate) fn use_row_focus(here: bool) {
    use_effect_with(here, |here| {
        if *here {
            focus("dialog[open] .chooser-row.on");
        }
    });
}

/// Gives an element the focus.
pub(crate) fn focus(selector: &str) {
    if let Some(element) = find(selector).and_then(|one| one.dyn_into::<HtmlElement>().ok()) {
        let _ = element.focus();
    }
}

/// The scenario that the address names; without one, the first.
pub(crate) fn place_in_address() -> Place {
    let hash = window().location().hash().unwrap_or_default();
    Place::parse(hash.trim_start_matches('#'))
}

/// Sets what the whole document needs to know, and remembers the visitor's choices. A browser that refuses to remember
/// is fine.
#[hook]
pub(crate) fn use_document(settings: Settings, title: &str) {
    use_effect_with(settings, |settings| {
        if let Some(root) = document().document_element() {
            let _ = root.set_attribute("lang", settings.lang.name());
            let _ = match settings.theme.name() {
                Some(theme) => root.set_attribute("data-theme", theme),
                None => root.remove_attribute("data-theme"),
            };
        }
        remember("lang", settings.lang.name());
        remember("theme", settings.theme.name().unwrap_or_default());
        remember("speed", settings.speed.label());
    });
    use_effect_with(title.to_owned(), |title| document().set_title(&[title, " · Lockstep"].concat()));
}

/// The size of an element in whole CSS pixels, as long as it is on the page; `None` before it is known.
#[hook]
pub(crate) fn use_size(node: &NodeRef) -> Option<(f64, f64)> {
    let size = use_state_eq(|| None);
    use_effect_with((), {
        let (node, size) = (node.clone(), size.clone());
        move |()| {
            let measure = Closure::<dyn Fn(Vec<web_sys::ResizeObserverEntry>)>::new(move |entries: Vec<_>| {
                let entry: Option<&web_sys::ResizeObserverEntry> = entries.last();
                let area = entry.map(web_sys::ResizeObserverEntry::content_rect);
                size.set(area.map(|area| (area.width().floor(), area.height().floor())));
            });
            let observer = web_sys::ResizeObserver::new(measure.as_ref().unchecked_ref()).ok();
            if let (Some(observer), Some(element)) = (&observer, node.cast::<Element>()) {
                observer.observe(&element);
            }
            move || {
                if let Some(observer) = observer {
                    observer.disconnect();
                }
                drop(measure);
            }
        }
    });
    *size
}

/// Whether the visitor wants things to move.
#[hook]
pub(crate) fn use_motion_preference(send: &Dispatch) {
    use_effect_with(send.clone(), |send| {
        let query = window().match_media("(prefers-reduced-motion: reduce)").ok().flatten();
        let listener = query.map(|query| {
            send.emit(Action::SetSmooth(!query.matches()));
            let (send, target) = (send.clone(), query.clone());
            EventListener::new(&target, "change", move |_| send.emit(Action::SetSmooth(!query.matches())))
        });
        move || drop(listener)
    });
}

/// What the visitor chose last time, or what the browser says.
#[cfg(target_arch = "wasm32")]
pub(crate) fn initial_settings() -> Settings {
    use super::state::{Speed, Theme};
    use crate::vocabulary::Lang;
    let search = window().location().search().unwrap_or_default();
    let asked = search.trim_start_matches('?').split('&').find_map(|part| part.strip_prefix("lang="));
    let lang = asked.and_then(Lang::from_name).or_else(|| Lang::from_name(&recalled("lang"))).unwrap_or_else(|| {
        let system = window().navigator().language().unwrap_or_default();
        if system.starts_with("ko") { Lang::Ko } else { Lang::En }
    });
    let theme = Theme::from_name(&recalled("theme"));
    let speed = Speed::from_label(&recalled("speed")).unwrap_or(Speed::NORMAL);
    Settings { lang, theme, speed }
}

fn storage() -> Option<web_sys::Storage> {
    window().local_storage().ok().flatten()
}

fn remember(key: &str, value: &str) {
    if let Some(storage) = storage() {
        let _ = storage.set_item(&["lockstep.", key].concat(), value);
    }
}

#[cfg(target_arch = "wasm32")]
fn recalled(key: &str) -> String {
    storage().and_then(|storage| storage.get_item(&["lockstep.", key].concat()).ok().flatten()).unwrap_or_default()
}

/// Hands panics to the script that loaded the page.
#[cfg(target_arch = "wasm32")]
pub(crate) fn report_panics() {
    std::panic::set_hook(Box::new(|info| {
        let init = web_sys::CustomEventInit::new();
        init.set_detail(&info.to_string().into());
        if let Ok(event) = web_sys::CustomEvent::new_with_event_init_dict("lockstep:panic", &init) {
            let _ = window().dispatch_event(&event);
        }
    }));
}

/// Opens a dialog above everything else.
pub(crate) fn show_modal(dialog: &NodeRef) {
    if let Some(dialog) = dialog.cast::<HtmlDialogElement>() {
        let _ = dialog.show_modal();
    }
}

/// Closes the open dialog; the browser puts the focus back, and its `close` event tells the page.
pub(crate) fn close_dialog() {
    if let Some(dialog) = find("dialog[open]").and_then(|one| one.dyn_into::<HtmlDialogElement>().ok()) {
        dialog.close();
    }
}

/// Gives the focus to the first element of a list that matches `selector`.
pub(crate) fn focus_first(list: Option<&HtmlElement>, selector: &str) {
    let first = list.and_then(|list| list.query_selector(selector).ok().flatten());
    if let Some(item) = first.and_then(|item| item.dyn_into::<HtmlElement>().ok()) {
        let _ = item.focus();
    }
}

/// Moves the focus among the elements of a list that match `selector`, and stops at its ends.
pub(crate) fn step_focus(list: Option<&HtmlElement>, selector: &str, by: i32) {
    let Some(items) = list.and_then(|list| list.query_selector_all(selector).ok()) else { return };
    let items: Vec<HtmlElement> = (0..items.length()).filter_map(|ix| items.item(ix)?.dyn_into().ok()).collect();
    let active = document().active_element();
    let current = items.iter().position(|item| active.as_ref() == Some(item));
    let end = items.len() as i32 - 1;
    let next = current.map_or(if by > 0 { 0 } else { end }, |ix| (ix as i32).saturating_add(by).clamp(0, end.max(0)));
    if let Some(item) = usize::try_from(next).ok().and_then(|ix| items.get(ix)) {
        let _ = item.focus();
    }
}

/// Scrolls the current paragraph into view if it is not, without moving the page where the story is no column.
pub(crate) fn reveal() {
    let element = find(".beat.now").and_then(|one| one.dyn_into::<HtmlElement>().ok());
    let column = find(".story-text").and_then(|one| one.dyn_into::<HtmlElement>().ok());
    let (Some(element), Some(column)) = (element, column) else { return };
    let (room, at) = (column.client_height(), column.scroll_top());
    if column.scroll_height() <= room {
        return;
    }
    let (top, height) = (element.offset_top() - column.offset_top(), element.offset_height());
    if top < at || top + height > at + room {
        column.set_scroll_top(top - (room - height).max(0) / 3);
    }
}

/// What is written in a field.
pub(crate) fn text_of(selector: &str) -> String {
    let field = find(selector).and_then(|field| field.dyn_into::<web_sys::HtmlInputElement>().ok());
    field.map(|field| field.value()).unwrap_or_default()
}

fn find(selector: &str) -> Option<Element> {
    document().query_selector(selector).ok().flatten()
}

/// The drawing of what is selected: a menu's target always is.
fn selected_drawing() -> Option<Element> {
    find(".stage-panel .press[aria-pressed=true]")
}

/// The gap between a drawing and its menu, for the caret.
const CARET: f64 = 11.0;

/// Puts a menu beside the drawing of its target: below, else above, else wherever it fits.
pub(crate) fn place_menu(menu: &NodeRef) {
    let Some(menu) = menu.cast::<HtmlElement>() else { return };
    let (width, height) = (f64::from(menu.offset_width()), f64::from(menu.offset_height()));
    let size = |value: Result<wasm_bindgen::JsValue, _>| value.ok().and_then(|value| value.as_f64()).unwrap_or(0.0);
    let (view_width, view_height) = (size(window().inner_width()), size(window().inner_height()));
    let (scroll_x, scroll_y) = (window().scroll_x().unwrap_or(0.0), window().scroll_y().unwrap_or(0.0));
    let Some(rect) = selected_drawing().map(|one| one.get_bounding_client_rect()) else {
        let _ = menu.class_list().add_1("free");
        return put(&menu, (view_width - width) / 2.0 + scroll_x, 120.0 + scroll_y, width / 2.0);
    };
    let middle = rect.left() + rect.width() / 2.0;
    let left = (middle - width / 2.0).clamp(8.0, (view_width - width - 8.0).max(8.0));
    let (below, above) = (rect.bottom() + CARET, rect.top() - CARET - height);
    let (top, class) = if below + height <= view_height {
        (below, "below")
    } else if above >= 8.0 {
        (above, "above")
    } else {
        ((view_height - height - 8.0).max(8.0), "free")
    };
    let _ = menu.class_list().remove_3("below", "above", "free");
    let _ = menu.class_list().add_1(class);
    put(&menu, left + scroll_x, top + scroll_y, (middle - left).clamp(20.0, (width - 20.0).max(20.0)));
}

fn put(menu: &HtmlElement, x: f64, y: f64, caret: f64) {
    for (name, value) in [("--menu-x", x), ("--menu-y", y), ("--menu-caret", caret)] {
        let _ = menu.style().set_property(name, &[&(value as i32).to_string(), "px"].concat());
    }
}

/// Gives a menu the focus while it is open, and gives it back afterwards. A press outside closes it.
#[hook]
pub(crate) fn use_menu_focus(close: Callback<()>) {
    use_effect_with((), move |()| {
        let opener = document().active_element();
        let listener = EventListener::new(&document(), "pointerdown", move |event| {
            let target = event.target().and_then(|target| target.dyn_into::<Element>().ok());
            let inside =
                |selector| target.as_ref().is_some_and(|one| one.closest(selector).is_ok_and(|one| one.is_some()));
            // A press on a drawing is the page's own business.
            if !inside(".menu") && !inside(".press") {
                close.emit(());
            }
        });
        move || {
            drop(listener);
            // Whether the menu is already gone or about to go, the focus is then in nobody's hands.
            let lost = document()
                .active_element()
                .is_none_or(|one| one.tag_name() == "BODY" || one.closest(".menu").is_ok_and(|menu| menu.is_some()));
            // A part of a drawing is no HtmlElement, but can be focused all the same.
            if let Some(opener) = opener.filter(|one| lost && one.is_connected()) {
                let _ = opener.unchecked_ref::<HtmlElement>().focus();
            }
        }
    });
}
