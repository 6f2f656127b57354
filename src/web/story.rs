//! The story beside the run: the paragraph of the moment is open, each leads to its step.

use std::rc::Rc;

use yew::prelude::*;

use super::Dispatch;
use super::element::{Attrs, Button, Markup, container, div, part};
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
    use_effect_with(current, |_| super::effects::reveal());
    let beats = (0..run.paragraphs().len()).map(|ix| beat(run, ix, *position, current == Some(ix), lang, send));
    let title = Markup::of("h1", "", run.scenario.title.get(lang)).html();
    let summary = current.is_none().then(|| Markup::of("p", "summary", run.scenario.summary.get(lang)).html());
    // What is missing keeps its place: were lists shorter, all before it would be made anew, and lose the focus.
    let text = vec![title, summary.unwrap_or_default(), container("ol", Attrs::default(), beats.collect())];
    container(
        "section",
        Attrs::class("story").label(Word::Story.get(lang)),
        vec![div("story-text", text), part(Knobs { run: run.clone(), lang, send: send.clone() })],
    )
}

fn beat(run: &Run, ix: usize, position: u32, now: bool, lang: Lang, send: &Dispatch) -> Html {
    let paragraph = &run.paragraphs()[ix];
    let at = run.story[ix];
    let later = at.is_none_or(|at| at > position) && !now;
    // A closing remark has no step of its own: it belongs to the end.
    let to = at.unwrap_or(run.len);
    let time = at.map(|at| format::ms(run.pace.time(at))).unwrap_or_default();
    let content = Markup::of("span", "num", &time).tag("span", "beat-title", paragraph.title.get(lang)).html();
    let button = Button { current: now.then_some("step".into()), ..Button::class("beat-go") };
    let words = now.then(|| Markup::of("p", "", paragraph.text.get(lang)).html());
    let all = vec![button.sends(send, Action::Go(Go::To(to)), content), words.unwrap_or_default()];
    let class = match (now, later) {
        (true, _) => "beat now",
        (_, true) => "beat later",
        _ => "beat",
    };
    container("li", Attrs::class(class), all)
}
