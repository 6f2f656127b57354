//! The controls of time: back, play, step with what comes next, speed, undo and redo, the next violation.

use std::rc::Rc;

use wasm_bindgen::JsCast;
use web_sys::{HtmlInputElement, HtmlSelectElement};
use yew::prelude::*;

use super::format;
use super::icons::Icon;
use super::run::Run;
use super::slider;
use super::state::{Action, Go, Speed, Zoom};
use super::words::Word;
use super::{Dispatch, on};
use crate::history::History;
use crate::views::narration;
use crate::vocabulary::{Lang, Span, StepIx};

/// What the controls show.
#[derive(Properties, PartialEq)]
pub(crate) struct TransportProps {
    /// The run on screen.
    pub(crate) run: Rc<Run>,
    /// Where the visitor is.
    pub(crate) cursor: Rc<History>,
    /// Whether it plays.
    pub(crate) playing: bool,
    /// How fast.
    pub(crate) speed: Speed,
    /// How near the diagram is.
    pub(crate) zoom: Zoom,
    /// Whether something can be taken back.
    pub(crate) can_undo: bool,
    /// Whether something can be made again.
    pub(crate) can_redo: bool,
    /// The language.
    pub(crate) lang: Lang,
    /// Where actions go.
    pub(crate) send: Dispatch,
}

/// The controls of time.
#[component]
pub(crate) fn Transport(props: &TransportProps) -> Html {
    let TransportProps { run, cursor, lang, .. } = props;
    let lang = *lang;
    let (wait, sentence) = next_event(run, cursor, lang);
    html! {
        <section class="transport" aria-label={Word::Controls.get(lang)}>
            { drive(props, &sentence) }
            <p class="next">
                <b>{ Word::Next.get(lang) }</b>
                if let Some(wait) = wait { { " " }<span class="num">{ wait }</span>{ " · " } } else { { " · " } }
                { &sentence }
            </p>
            { more(props) }
        </section>
    }
}

/// The four buttons that move through the run, and the scrubber where there is no diagram to drag.
fn drive(props: &TransportProps, sentence: &str) -> Html {
    let TransportProps { run, cursor, playing, lang, send, .. } = props;
    let (lang, position) = (*lang, cursor.position());
    let (play, play_icon) = if *playing { (Word::Pause, Icon::Pause) } else { (Word::Play, Icon::Play) };
    html! {
        <div class="drive">
            { scrubber(run, position, lang, send) }
            { button("tb to-start", Word::Start, Icon::Start, None, position > 0, Action::Go(Go::Start), lang, send) }
            { button("tb line back", Word::Back, Icon::Back, Some("←"), position > 0, Action::Go(Go::Back), lang, send) }
            { button("tb line play", play, play_icon, Some("Space"), true, Action::TogglePlay, lang, send) }
            <button class="tb go" aria-label={Word::Step.get(lang)} disabled={position == run.len}
                onclick={send.reform(|_| Action::Go(Go::Step))}>
                { Icon::Step.draw() }
                <span class="w">{ Word::Step.get(lang) }<small>{ sentence }</small></span>
                <kbd>{ "→" }</kbd>
            </button>
        </div>
    }
}

fn more(props: &TransportProps) -> Html {
    let TransportProps { run, speed, zoom, can_undo, can_redo, lang, send, .. } = props;
    let lang = *lang;
    let violated = !run.violations.is_empty();
    html! {
        <div class="more">
            <select class="speed" aria-label={Word::Speed.get(lang)} onchange={on(send, chosen_speed)}>
                { for Speed::ALL.into_iter().map(|one| html! {
                    <option value={one.label()} selected={one == *speed}>{ one.label() }</option>
                }) }
            </select>
            <span class="rule" />
            { button("tb", Word::Undo, Icon::Undo, Some("Z"), *can_undo, Action::Undo, lang, send) }
            { button("tb", Word::Redo, Icon::Redo, None, *can_redo, Action::Redo, lang, send) }
            <span class="rule zooming" />
            { zoom_button(*zoom, false, lang, send) }
            <span class="zoom-word zooming" aria-hidden="true">{ Word::Zoom.get(lang) }</span>
            { zoom_button(*zoom, true, lang, send) }
            <span class="rule" />
            { button("tb", Word::NextViolation, Icon::Flag, Some("V"), violated, Action::Go(Go::NextViolation), lang, send) }
        </div>
    }
}

fn zoom_button(zoom: Zoom, nearer: bool, lang: Lang, send: &Dispatch) -> Html {
    let (word, icon) = if nearer { (Word::ZoomIn, Icon::Plus) } else { (Word::ZoomOut, Icon::Minus) };
    let to = zoom.moved(nearer);
    button("tb zooming", word, icon, None, to.is_some(), Action::SetZoom(to.unwrap_or(zoom)), lang, send)
}

/// A button: its word is shown where its key is, and stands for itself elsewhere.
#[expect(clippy::too_many_arguments, reason = "one place for eight buttons is less code than eight elements")]
fn button(
    class: &'static str,
    word: Word,
    icon: Icon,
    key: Option<&'static str>,
    enabled: bool,
    action: Action,
    lang: Lang,
    send: &Dispatch,
) -> Html {
    let word = word.get(lang);
    let onclick = send.reform(move |_: MouseEvent| action.clone());
    html! {
        <button {class} aria-label={word} title={key.is_none().then_some(word)} disabled={!enabled} {onclick}>
            { icon.draw() }
            if let Some(key) = key { <span class="w">{ word }</span><kbd class="w">{ key }</kbd> }
        </button>
    }
}

/// How long until the next event, and what it will be.
fn next_event(run: &Run, history: &History, lang: Lang) -> (Option<String>, String) {
    let position = history.position();
    if position == run.len {
        return (None, Word::RunIsOver.get(lang).into());
    }
    let step = history.step(StepIx(position));
    let wait = step.record.at.since(run.pace.time(position));
    let wait_text = match wait {
        Span::ZERO => Word::AtOnce.get(lang).into(),
        wait => ["+", &format::with_unit(wait)].concat(),
    };
    (Some(wait_text), narration::phrase(&run.scenario.setup, &step.record, &step.world, lang))
}

/// A slider over all positions, with a flag where a violation becomes known.
fn scrubber(run: &Run, position: u32, lang: Lang, send: &Dispatch) -> Html {
    let share = |at: u32| slider::Share::of(at.into(), 0, run.len.into());
    let flags = run.violations.iter().map(|at| slider::Mark { at: share(*at), flag: true, label: None });
    html! {
        <div class="scrub">
            { slider::rail(share(position), flags) }
            <input class="range" type="range" min="0" max={run.len.to_string()} value={position.to_string()}
                aria-label={Word::Position.get(lang)} oninput={on(send, scrubbed)} />
        </div>
    }
}

fn scrubbed(event: &InputEvent) -> Option<Action> {
    let input: HtmlInputElement = event.target()?.dyn_into().ok()?;
    input.value().parse().ok().map(|position| Action::Go(Go::To(position)))
}

fn chosen_speed(event: &Event) -> Option<Action> {
    let select: HtmlSelectElement = event.target()?.dyn_into().ok()?;
    Speed::from_label(&select.value()).map(Action::SetSpeed)
}
