//! The stage with its head: the time, what happened in one sentence, belief beside truth in another.

use std::rc::Rc;

use yew::prelude::*;

use super::Dispatch;
use super::beliefs;
use super::format;
use super::icons::Icon;
use super::state::{Action, Note};
use super::words::Word;
use crate::history::History;
use crate::views::narration;
use crate::vocabulary::{Lang, StepIx, Time};

/// What the head shows.
#[derive(Properties, PartialEq)]
pub(crate) struct HeadProps {
    /// Where the visitor is.
    pub(crate) cursor: Rc<History>,
    /// The instant that the stage shows, in whole milliseconds.
    pub(crate) ms: u64,
    /// The language.
    pub(crate) lang: Lang,
}

/// The head of the stage.
#[component]
pub(crate) fn Head(props: &HeadProps) -> Html {
    let HeadProps { cursor, ms, lang } = props;
    html! {
        <div class="head">
            <p class="when">
                <b class="num">{ format::ms(Time::from_ms(*ms)) }{ " ms" }</b>
                <span class="num">{ step_text(cursor.position(), *lang) }</span>
            </p>
            <Said cursor={cursor.clone()} lang={*lang} />
        </div>
    }
}

#[derive(Properties, PartialEq)]
struct SaidProps {
    cursor: Rc<History>,
    lang: Lang,
}

/// The two sentences: they stay the same while time runs between two steps.
#[component]
fn Said(props: &SaidProps) -> Html {
    let SaidProps { cursor, lang } = props;
    html! {
        <div class="said">
            <h2>{ headline(cursor, *lang) }</h2>
            <p>{ beliefs::sentence(cursor.world(), *lang) }</p>
        </div>
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
pub(crate) fn note_bar(note: &Note, lang: Lang, send: &Dispatch) -> Html {
    let (class, text, detail) = match note {
        Note::Forked => (None, Word::Forked, None),
        Note::Failed(why) => (Some("problem"), Word::LoadFailed, Some(why)),
    };
    html! {
        <div class={classes!("note-bar", class)} role="status">
            <span>{ text.get(lang) }{ for detail.map(|why| html! { <>{ " " }<span class="mono">{ why }</span></> }) }</span>
            <span class="grow" />
            if detail.is_none() {
                <button class="tool" onclick={send.reform(|_| Action::Undo)}>{ Icon::Undo.draw() }{ Word::Undo.get(lang) }</button>
            }
            <button class="tool" aria-label={Word::Close.get(lang)} onclick={send.reform(|_| Action::DismissNote)}>
                { Icon::Close.draw() }
            </button>
        </div>
    }
}
