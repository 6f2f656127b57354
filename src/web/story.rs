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
use crate::scenario::Scenario;
use crate::vocabulary::Lang;

/// Written by `cargo xtask fidelity`: a version, then the runs that real processes repeated on it with the same outcome.
const SEEN: &str = include_str!("../../static/seen.txt");

/// What the story shows.
#[derive(Properties, PartialEq)]
pub(crate) struct StoryProps {
    /// Whether what can be changed is drawn already.
    pub(crate) whole: bool,
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
    let StoryProps { whole, run, position, lang, send } = props;
    let lang = *lang;
    let knobs = if *whole { part(Knobs { run: run.clone(), lang, send: send.clone() }) } else { Html::default() };
    let current = run.paragraph_at(*position);
    use_effect_with(current, |_| super::effects::reveal());
    let beats = (0..run.paragraphs().len()).map(|ix| beat(run, ix, *position, current == Some(ix), lang, send));
    let title = Markup::of("h1", "", run.scenario.title.get(lang)).html();
    let summary = current.is_none().then(|| Markup::of("p", "summary", run.scenario.summary.get(lang)).html());
    let badge = seen(&run.scenario).map(|version| {
        let (before, after) = match lang {
            Lang::En => ("Seen on real Redis ", ""),
            Lang::Ko => ("실제 Redis ", "에서 확인"),
        };
        Markup::of("p", "summary seen", &[before, version, after].concat()).html()
    });
    let (badge, summary) = (badge.unwrap_or_default(), summary.unwrap_or_default());
    // What is missing keeps its place: were lists shorter, all before it would be made anew, and lose the focus.
    let text = vec![title, badge, summary, container("ol", Attrs::default(), beats.collect())];
    container("section", Attrs::class("story").label(Word::Story.get(lang)), vec![div("story-text", text), knobs])
}

/// The version of the real Redis on which exactly this run was replayed, if it was; see `docs/FIDELITY.md`.
fn seen(scenario: &Scenario) -> Option<&'static str> {
    let mut lines = SEEN.lines();
    let version = lines.next().filter(|_| !scenario.changed)?;
    let of_this = |line: &str| match &scenario.variant {
        Some(variant) => line.strip_prefix(&*scenario.id).and_then(|rest| rest.strip_prefix(':')) == Some(variant),
        None => line == scenario.id,
    };
    lines.any(of_this).then_some(version)
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scenario::{builtin, load};

    /// What the page claims is what the document shows: no more, no less, and on the same version.
    #[test]
    fn the_badge_is_on_what_the_document_lists_as_the_same() {
        let document = include_str!("../../docs/FIDELITY.md");
        let mut listed = Vec::new();
        for row in document.lines().filter(|line| line.starts_with("| `") && line.contains(" | yes | ")) {
            listed.push(row.split('`').nth(1).unwrap_or_default().to_owned());
        }
        let mut badges = Vec::new();
        for id in builtin() {
            let scenario = load(id).expect("a built-in scenario is valid");
            let names = scenario.variants.iter().map(|variant| format!("{id}:{}", variant.id));
            for name in std::iter::once((*id).to_owned()).chain(names) {
                let scenario = load(&name).expect("a built-in variant is valid");
                if let Some(version) = seen(&scenario) {
                    assert!(document.contains(&format!("`redis-server` {version}, client programs")), "{version}");
                    badges.push(name);
                }
            }
        }
        listed.sort();
        badges.sort();
        assert_eq!(badges, listed);
        assert!(!badges.is_empty());
    }

    #[test]
    fn a_changed_run_was_seen_nowhere() {
        let mut scenario = load("gc-pause-write").expect("a built-in scenario is valid");
        assert!(seen(&scenario).is_some());
        scenario.changed = true;
        assert_eq!(seen(&scenario), None);
    }
}
