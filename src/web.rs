//! The page: a pure reducer (`state`), components that draw it, and hooks for everything that reaches the browser.
//!
//! State flows one way. Every component gets what it shows as properties that compare cheaply (runs and histories by
//! address) and sends `Action`s back; a component whose properties did not change is not drawn again.
//! Only `effects` touches the browser: frames, keys, storage, the address, focus. No style attribute is ever set by
//! markup, since the page's security policy forbids them; where a menu stands is set through the style object.

mod beliefs;
mod chooser;
mod compare;
mod diagram;
mod dialog;
mod effects;
mod element;
mod facts;
mod format;
mod header;
mod icons;
mod inspector;
mod keys;
mod knobs;
mod menu;
mod moves;
mod names;
mod pace;
mod page;
mod run;
pub mod scene;
mod sketch;
mod slider;
mod stage;
mod stage_panel;
mod state;
mod story;
mod transport;
mod verdict_strip;
mod words;

pub use page::{Page, PageProps};
pub use state::{Settings, Speed, Theme};
use yew::Callback;

/// Where components send what happens.
type Dispatch = Callback<state::Action>;

/// A callback that sends an action if the event means one.
fn on<E: 'static>(send: &Dispatch, action: impl Fn(&E) -> Option<state::Action> + 'static) -> Callback<E> {
    let send = send.clone();
    Callback::from(move |event| {
        if let Some(action) = action(&event) {
            send.emit(action);
        }
    })
}

#[cfg(target_arch = "wasm32")]
mod entry {
    use wasm_bindgen::prelude::wasm_bindgen;

    use super::{Page, PageProps, effects};

    #[wasm_bindgen]
    extern "C" {
        #[wasm_bindgen(js_name = lockstepRest)]
        fn lockstep_rest();
    }

    /// Has the loading script add the part of the wasm that is not here yet. Called by the stubs that stand for its functions
    /// (`xtask/src/split.rs`), never by hand.
    #[wasm_bindgen]
    pub fn load_rest() {
        lockstep_rest();
    }

    /// Puts the page into the element `#app`. Panics go to the script that loaded the page, which shows them. Not the start
    /// of the wasm: by then the loading script has what it needs to add the rest.
    #[wasm_bindgen]
    pub fn run() {
        effects::report_panics();
        let root = gloo::utils::document().get_element_by_id("app").expect("index.html has #app");
        let props = PageProps {
            place: effects::place_in_address().text().into(),
            text: effects::first_file().into(),
            settings: effects::initial_settings(),
            whole: false,
        };
        yew::Renderer::<Page>::with_root_and_props(root, props).render();
    }
}

#[cfg(target_arch = "wasm32")]
pub use entry::{load_rest, run};
