//! The stage with its head: the time, what happened in one sentence, belief beside truth in another.

use std::rc::Rc;

use yew::prelude::*;

use super::Dispatch;
use super::beliefs;
use super::diagram::{self, Beside, Diagram};
use super::effects;
use super::element::{Attrs, Button, Markup, Part, container, div, part};
use super::format;
use super::icons::Icon;
use super::run::Run;
use super::scene::{Room, Scene, Turn};
use super::stage::Stage;
use super::state::{Action, Go, Index, Note, Zoom};
use super::words::Word;
use crate::history::History;
use crate::views::narration;
use crate::vocabulary::{Lang, StepIx, Time};

/// What the room shows.
#[derive(Properties, PartialEq)]
pub(crate) struct StageRoomProps {
    /// What the stage is drawn from.
    pub(crate) scene: Scene,
    /// Where actions go.
    pub(crate) send: Dispatch,
}

/// The stage in the room that the page has for it.
#[component]
pub(crate) fn StageRoom(props: &StageRoomProps) -> Html {
    let StageRoomProps { scene, send } = props;
    let node = use_node_ref();
    let size = effects::use_size(&node);
    let (width, height) = size.unwrap_or((864.0, 430.0));
    let room = Room::for_size(width, height);
    html! {
        <div class="stage-room" ref={node}>
            <Stage scene={scene.clone()} {room} size={Some((width, height))} on_press={send.reform(Action::Press)}
                on_menu={send.reform(Action::AskMenu)} />
        </div>
    }
}

/// What the diagram's panel shows.
#[derive(Properties, PartialEq)]
pub(crate) struct DiagramPanelProps {
    /// Whether it can be drawn already; else its place is kept for it.
    pub(crate) whole: bool,
    /// What the diagram is drawn from.
    pub(crate) scene: Scene,
    /// How much larger than the whole run on one page, in halves.
    pub(crate) zoom: Zoom,
    /// The letter of its run, where two are compared.
    #[prop_or_default]
    pub(crate) tag: Option<&'static str>,
    /// The other run's share in it.
    #[prop_or_default]
    pub(crate) beside: Option<Beside>,
    /// Where actions go.
    pub(crate) send: Dispatch,
}

/// Below this width time runs downwards.
const UPRIGHT_BELOW: f64 = 660.0;

/// The diagram in the width that the page has for it.
#[component]
pub(crate) fn DiagramPanel(props: &DiagramPanelProps) -> Html {
    let DiagramPanelProps { whole, scene, zoom, tag, beside, send } = props;
    let node = use_node_ref();
    let width = effects::use_size(&node).map_or(1400.0, |(width, _)| width);
    let turn = if width < UPRIGHT_BELOW { Turn::Upright } else { Turn::Along };
    html! {
        <section class="diagram-panel" aria-label={Word::Diagram.get(scene.lang)}>
            <h2>{ Word::Diagram.get(scene.lang) }</h2>
            if let Some(tag) = tag { <b class="letter">{ *tag }</b> }
            <div ref={node}>
                if *whole {
                    <Diagram scene={scene.clone()} {width} {turn} zoom={zoom.factor()} beside={beside.clone()}
                        on_seek={send.reform(|position| Action::Go(Go::To(position)))}
                        on_select={send.reform(|what| Action::Select(Some(what)))} />
                } else {
                    { diagram::place(scene.setup(), width, turn) }
                }
            </div>
        </section>
    }
}

/// The head of the stage.
#[derive(PartialEq)]
pub(crate) struct Head {
    /// The run on screen.
    pub(crate) run: Rc<Run>,
    /// Where the visitor is.
    pub(crate) cursor: Rc<History>,
    /// The instant that the stage shows, in whole milliseconds.
    pub(crate) ms: u64,
    /// The language.
    pub(crate) lang: Lang,
}

impl Part for Head {
    fn draw(&self) -> Html {
        let Self { run, cursor, ms, lang } = self;
        let when = Markup::default().open("b", "num").say(&format::ms(Time::from_ms(*ms))).say(" ms").close("b");
        let when = when.tag("span", "num", &step_text(cursor.position(), *lang)).html();
        // While time runs between two steps, only its number changes.
        let said = part(Said { run: run.clone(), cursor: cursor.clone(), lang: *lang });
        div("head", vec![container("p", Attrs::class("when"), vec![when]), said])
    }
}

/// What happened, and what it means, in a sentence each.
#[derive(PartialEq)]
struct Said {
    run: Rc<Run>,
    cursor: Rc<History>,
    lang: Lang,
}

impl Part for Said {
    fn draw(&self) -> Html {
        let Self { run, cursor, lang } = self;
        let below = match run.violation_at(cursor.position()) {
            Some((_, violation)) => narration::why_sentence(&run.scenario.setup, &violation.why, *lang),
            None => beliefs::sentence(cursor.world(), *lang),
        };
        div("said", vec![Markup::of("h2", "", &headline(cursor, *lang)).tag("p", "", &below).html()])
    }
}

/// What happened last, in one sentence.
pub(crate) fn headline(cursor: &History, lang: Lang) -> String {
    match cursor.position().checked_sub(1) {
        Some(ix) => {
            let step = cursor.step(StepIx(ix));
            narration::sentence(&cursor.scenario().setup, &step.record, &step.world, lang)
        }
        None => Word::NothingYet.get(lang).into(),
    }
}

fn step_text(position: u32, lang: Lang) -> String {
    match lang {
        Lang::En => ["step ", &position.to_string()].concat(),
        Lang::Ko => [&position.to_string(), "단계"].concat(),
    }
}

/// The message about the last action, with its way back.
pub(crate) fn note_bar(about: &Note, index: &Index, lang: Lang, send: &Dispatch) -> Html {
    let icon = |icon: Icon| Markup::default().draw(icon.drawing());
    let (class, text) = match about {
        Note::Forked => ("note-bar", Markup::of("span", "", Word::Forked.get(lang))),
        Note::Failed(why) => {
            let text = Markup::of("span", "", Word::LoadFailed.get(lang));
            ("note-bar problem", text.tag("span", "mono", why))
        }
        Note::Missing(place) => {
            let title = index.title(&place.id, lang);
            let text = Markup::default().open("span", "").say("“").say(title).say("”");
            ("note-bar problem", text.say(Word::ScenarioMissing.get(lang)).close("span"))
        }
    };
    let mut all = vec![text.tag("span", "grow", "").html()];
    match about {
        Note::Forked => {
            let undo = icon(Icon::Undo).say(Word::Undo.get(lang)).html();
            all.push(Button::class("tool").sends(send, Action::Undo, undo));
        }
        Note::Missing(place) => all.push(retry(Action::Open(place.clone()), "#pick", lang, send)),
        Note::Failed(_) => {}
    }
    let close = Button { label: Some(Word::Close.get(lang).into()), ..Button::class("tool") };
    all.push(close.sends(send, Action::DismissNote, icon(Icon::Close).html()));
    container("div", Attrs::class(class).role("status"), all)
}

/// A button that asks again for what could not be had. It goes with the message, so it hands the focus on first.
pub(crate) fn retry(action: Action, focus: &'static str, lang: Lang, send: &Dispatch) -> Html {
    let send = send.clone();
    let again = Callback::from(move |_: MouseEvent| {
        effects::focus(focus);
        send.emit(action.clone());
    });
    Button::class("tool retry").calls(again, Markup::default().say(Word::TryAgain.get(lang)).html())
}
