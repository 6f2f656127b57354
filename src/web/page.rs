//! The whole page: the state, its effects, and its parts.

use std::rc::Rc;

use yew::prelude::*;

use super::Dispatch;
use super::chooser::chooser;
use super::compare;
use super::dialog::help;
use super::effects;
use super::element::{Attrs, container, div, element, part};
use super::header::Header;
use super::inspector::Inspector;
use super::menu::Menu;
use super::run::Place;
use super::stage_panel::{DiagramPanel, Head, StageRoom, headline, note_bar};
use super::state::{Action, App, Dialog, Motion, Rival, Settings};
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
    /// The file of that scenario. That of another is shown until it is here.
    pub text: AttrValue,
    /// What the visitor prefers.
    pub settings: Settings,
    /// Whether all of the page's code is here. Else what the first view can do without comes when it is: the diagram, the inspector, the controls.
    pub whole: bool,
}

/// The whole page.
#[component]
pub fn Page(props: &PageProps) -> Html {
    let model = use_reducer(|| Model(App::new(Place::parse(&props.place), &props.text, props.settings)));
    let send: Dispatch = {
        let dispatcher = model.dispatcher();
        (*use_memo((), move |()| Callback::from(move |action| dispatcher.dispatch(action)))).clone()
    };
    let whole = effects::use_wholeness(props.whole);
    let app = &model.0;
    let lang = app.settings.lang;
    effects::use_document(app.settings, app.run.scenario.title.get(lang));
    effects::use_place(&app.run.place, &send);
    effects::use_file(app.wanted_scenario(), &send);
    effects::use_file(app.wanted_index(), &send);
    effects::use_row_focus(app.index.is_here());
    effects::use_keys(&send);
    effects::use_motion_preference(&send);
    effects::use_frames(app.motion != Motion::Still, &send);
    let (run, cursor) = (&app.run, &app.cursor);
    let coming = app.wanted_scenario().map(|id| app.index.title(id, lang).to_owned());
    let said = coming.as_ref().map_or_else(|| headline(cursor, lang), |_| Word::Loading.get(lang).into());
    let note = app.note.as_ref().map(|note| note_bar(note, &app.index, lang, &send)).unwrap_or_default();
    let header = part(Header {
        run: run.clone(),
        coming,
        settings: app.settings,
        dialog: app.dialog,
        drawer: app.drawer,
        tools: app.tools,
        comparing: app.rival.is_some(),
        send: send.clone(),
    });
    let transport = part(Transport {
        run: run.clone(),
        cursor: cursor.clone(),
        playing: app.is_playing(),
        speed: app.settings.speed,
        zoom: app.zoom,
        can_undo: app.can_undo(),
        can_redo: app.can_redo(),
        lang,
        send: send.clone(),
    });
    let announced = element(
        "p",
        &["class", "aria-live"],
        Box::new(["hidden", "polite"].map(|value| Some(value.into()))),
        vec![said.into()],
    );
    let (class, middle) = match &app.rival {
        Some(rival) => ("app comparing", pair(app, rival, note, transport, &send)),
        None => ("app", single(app, whole, note, transport, &send)),
    };
    div(class, [vec![header], middle, vec![announced.into()]].concat())
}

/// One run: story, stage, inspector, verdicts, controls, diagram.
fn single(app: &App, whole: bool, note: Html, transport: Html, send: &Dispatch) -> Vec<Html> {
    let (run, cursor, lang) = (&app.run, &app.cursor, app.settings.lang);
    let head = part(Head { run: run.clone(), cursor: cursor.clone(), ms: app.time.ms(), lang });
    let stage = html! { <StageRoom scene={app.scene()} send={send.clone()} /> };
    let inspector = if whole {
        part(Inspector {
            run: run.clone(),
            cursor: cursor.clone(),
            selection: app.selection,
            open: app.drawer,
            lang,
            send: send.clone(),
        })
    } else {
        container("aside", Attrs::class("insp"), Vec::new())
    };
    vec![
        html! { <Story {whole} run={run.clone()} position={app.position()} {lang} send={send.clone()} /> },
        container(
            "main",
            Attrs::class("stage-panel").label(Word::Stage.get(lang)),
            vec![head, note, stage, overlays(app, send)],
        ),
        inspector,
        part(VerdictStrip { run: run.clone(), cursor: cursor.clone(), lang, send: send.clone() }),
        transport,
        html! { <DiagramPanel {whole} scene={app.scene()} zoom={app.zoom} send={send.clone()} /> },
    ]
}

/// Two runs side by side.
fn pair(app: &App, rival: &Rival, note: Html, transport: Html, send: &Dispatch) -> Vec<Html> {
    let lang = app.settings.lang;
    vec![
        compare::bar(app, rival, send),
        container(
            "main",
            Attrs::class("stage-panel pair").label(Word::Stage.get(lang)),
            vec![note, compare::stages(app, rival, send), overlays(app, send)],
        ),
        part(compare::Verdicts {
            runs: [&app.run, &rival.run].map(Rc::clone),
            cursors: [&app.cursor, &rival.cursor].map(Rc::clone),
            lang,
        }),
        transport,
        compare::diagrams(app, rival, send),
    ]
}

/// What lies above the page.
fn overlays(app: &App, send: &Dispatch) -> Html {
    let lang = app.settings.lang;
    let dialog = match app.dialog {
        Some(Dialog::Chooser) => chooser(&app.index, &app.run, lang, send),
        Some(Dialog::Help) => help(lang, send),
        None => Html::default(),
    };
    let menu = app.menu.map(|menu| html! { <Menu {menu} cursor={app.cursor.clone()} {lang} send={send.clone()} /> });
    [menu.unwrap_or_default(), dialog].into_iter().collect()
}

#[cfg(test)]
mod tests {
    use yew::LocalServerRenderer;

    use super::*;
    use crate::scenario;
    use crate::vocabulary::Lang;
    use crate::web::{Speed, Theme};

    async fn markup(place: &str, lang: Lang) -> String {
        let settings = Settings { lang, theme: Theme::System, speed: Speed::NORMAL };
        let text = scenario::builtin_text(place).expect("built in").into();
        let props = PageProps { place: place.to_owned().into(), text, settings, whole: true };
        LocalServerRenderer::<Page>::with_props(props).hydratable(false).render().await
    }

    #[tokio::test]
    async fn every_scenario_has_a_page_in_both_languages() {
        for id in scenario::builtin() {
            let scenario = scenario::load(id).expect("built in");
            for lang in [Lang::En, Lang::Ko] {
                let page = markup(id, lang).await;
                assert!(page.contains(scenario.title.get(lang)), "{id}: title");
                for paragraph in &scenario.story {
                    assert!(page.contains(paragraph.title.get(lang)), "{id}: {}", paragraph.title.en);
                }
            }
        }
    }

    #[tokio::test]
    async fn no_markup_has_a_style_attribute() {
        // The page's security policy would block it.
        let page = markup("gc-pause-write", Lang::En).await;
        assert!(!page.contains(" style="));
    }

    #[tokio::test]
    async fn every_button_has_a_name() {
        let page = markup("gc-pause-write", Lang::Ko).await;
        for button in page.split("<button").skip(1) {
            let (tag, rest) = button.split_once('>').expect("a tag ends");
            let content = rest.split("</button").next().unwrap_or_default();
            let text: String =
                content.split('<').filter_map(|part| part.split_once('>')).map(|(_, text)| text).collect();
            assert!(tag.contains("aria-label=") || !text.trim().is_empty() || !content.starts_with('<'), "{button}");
        }
    }
}
