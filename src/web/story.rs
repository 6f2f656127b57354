//! The story beside the run: the paragraph of the moment is open, each leads to its step.

use std::rc::Rc;

use yew::prelude::*;

use super::Dispatch;
use super::format;
use super::knobs::Knobs;
use super::run::Run;
use super::state::{Action, Go};
use super::words::Word;
use crate::vocabulary::Lang;

/// What the story shows.
#[derive(Properties, PartialEq)]
pub(crate) struct StoryProps {
    /// The run on screen.
    pub(crate) run: Rc<Run>,
    /// Where the visitor is.
    pub(crate) position: u32,
    /// The language.
    pub(crate) lang: Lang,
    /// Where actions go.
    pub(crate) send: Dispatch,
}

/// The story, and what can be changed about it.
#[component]
pub(crate) fn Story(props: &StoryProps) -> Html {
    let StoryProps { run, position, lang, send } = props;
    let lang = *lang;
    let current = run.paragraph_at(*position);
    let current_ref = use_node_ref();
    use_effect_with(current, {
        let current_ref = current_ref.clone();
        move |_| {
            super::effects::reveal(&current_ref);
        }
    });
    let beats = (0..run.paragraphs().len()).map(|ix| {
        let node_ref = if current == Some(ix) { current_ref.clone() } else { NodeRef::default() };
        beat(run, ix, *position, current == Some(ix), node_ref, lang, send)
    });
    html! {
        <section class="story" aria-label={Word::Story.get(lang)}>
            <div class="story-text">
                <h1>{ run.scenario.title.get(lang) }</h1>
                if current.is_none() { <p class="summary">{ run.scenario.summary.get(lang) }</p> }
                <ol>{ for beats }</ol>
            </div>
            <Knobs run={run.clone()} {lang} send={send.clone()} />
        </section>
    }
}

fn beat(run: &Run, ix: usize, position: u32, now: bool, node_ref: NodeRef, lang: Lang, send: &Dispatch) -> Html {
    let paragraph = &run.paragraphs()[ix];
    let at = run.story[ix];
    let later = at.is_none_or(|at| at > position) && !now;
    // A closing remark has no step of its own: it belongs to the end.
    let to = at.unwrap_or(run.len);
    html! {
        <li key={ix} ref={node_ref} class={classes!("beat", now.then_some("now"), later.then_some("later"))}>
            <button class="beat-go" aria-current={now.then_some("step")} onclick={send.reform(move |_| Action::Go(Go::To(to)))}>
                <span class="num">{ at.map(|at| format::ms(run.pace.time(at))) }</span>
                <span class="beat-title">{ paragraph.title.get(lang) }</span>
            </button>
            if now { <p>{ paragraph.text.get(lang) }</p> }
        </li>
    }
}
