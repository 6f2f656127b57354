//! The whole page: the state, its effects, and its parts.

use std::rc::Rc;

use yew::prelude::*;

use super::Dispatch;
use super::chooser::Chooser;
use super::dialog::Help;
use super::effects;
use super::header::Header;
use super::inspector::Inspector;
use super::menu::Menu;
use super::run::Place;
use super::stage_panel::{Head, headline, note_bar};
use super::state::{Action, App, Dialog, Motion, Settings};
use super::story::Story;
use super::transport::Transport;
use super::verdict_strip::VerdictStrip;
use super::words::Word;

/// The state as Yew keeps it.
struct Model(App);

impl Reducible for Model {
    type Action = Action;

    fn reduce(self: Rc<Self>, action: Action) -> Rc<Self> {
        Rc::new(Self(self.0.after(action)))
    }
}

/// How the page begins.
#[derive(Properties, PartialEq)]
pub struct PageProps {
    /// The scenario to open, `id` or `id:variant`; empty for the first.
    pub place: AttrValue,
    /// What the visitor prefers.
    pub settings: Settings,
}

/// The whole page.
#[component]
pub fn Page(props: &PageProps) -> Html {
    let model = use_reducer(|| Model(App::new(Place::parse(&props.place), props.settings)));
    let send: Dispatch = {
        let dispatcher = model.dispatcher();
        (*use_memo((), move |()| Callback::from(move |action| dispatcher.dispatch(action)))).clone()
    };
    let app = &model.0;
    let lang = app.settings.lang;
    effects::use_document(app.settings, app.run.scenario.title.get(lang));
    effects::use_place(&app.run.place, &send);
    effects::use_keys(&send);
    effects::use_motion_preference(&send);
    effects::use_frames(app.motion != Motion::Still, &send);
    html! {
        <div class="app">
            <Header run={app.run.clone()} settings={app.settings} choosing={app.dialog == Some(Dialog::Chooser)}
                drawer={app.drawer} send={send.clone()} />
            <Story run={app.run.clone()} position={app.position()} {lang} send={send.clone()} />
            <main class="stage-panel" aria-label={Word::Stage.get(lang)}>
                <Head cursor={app.cursor.clone()} ms={app.time.ms()} {lang} />
                if let Some(note) = &app.note { { note_bar(note, lang, &send) } }
                <div class="stage-room"></div>
            </main>
            <Inspector run={app.run.clone()} cursor={app.cursor.clone()} selection={app.selection} open={app.drawer} {lang}
                send={send.clone()} />
            <VerdictStrip run={app.run.clone()} cursor={app.cursor.clone()} {lang} send={send.clone()} />
            <Transport run={app.run.clone()} cursor={app.cursor.clone()} playing={app.is_playing()} speed={app.settings.speed}
                can_undo={app.can_undo()} can_redo={app.can_redo()} {lang} send={send.clone()} />
            { overlays(app, &send) }
            <p class="hidden" aria-live="polite">{ headline(&app.cursor, lang) }</p>
        </div>
    }
}

/// What lies above the page.
fn overlays(app: &App, send: &Dispatch) -> Html {
    let lang = app.settings.lang;
    html! {
        <>
            if let Some(menu) = app.menu { <Menu {menu} cursor={app.cursor.clone()} {lang} send={send.clone()} /> }
            { match app.dialog {
                Some(Dialog::Chooser) => html! { <Chooser run={app.run.clone()} {lang} send={send.clone()} /> },
                Some(Dialog::Help) => html! { <Help {lang} send={send.clone()} /> },
                None => Html::default(),
            } }
        </>
    }
}
