//! The verdict strip: a plain sentence, then each judge, then the cost.

use std::rc::Rc;

use yew::Html;

use super::Dispatch;
use super::element::{Attrs, Button, Markup, Part, container, div};
use super::icons::{Badge, Icon};
use super::run::Run;
use super::state::Action;
use super::words::Word;
use crate::history::History;
use crate::verdicts::Verdict;
use crate::views::narration;
use crate::vocabulary::{JudgeName, Lang};

/// The verdict strip.
#[derive(PartialEq)]
pub(crate) struct VerdictStrip {
    /// The run on screen.
    pub(crate) run: Rc<Run>,
    /// Where the visitor is.
    pub(crate) cursor: Rc<History>,
    /// The language.
    pub(crate) lang: Lang,
    /// Where actions go.
    pub(crate) send: Dispatch,
}

impl Part for VerdictStrip {
    fn draw(&self) -> Html {
        let Self { run, cursor, lang, .. } = self;
        let (lang, position) = (*lang, cursor.position());
        let verdicts = run.judged.at(cursor, position);
        let expectation = if run.is_own(cursor) {
            Word::OwnRun
        } else if run.as_expected() {
            Word::AsExpected
        } else {
            Word::NotExpected
        };
        let lead = Markup::of("b", "", narration::lead(&verdicts, position == run.len, lang));
        let lead =
            lead.open("small", "").say(expectation.get(lang)).say(&unfired_text(run.unfired, lang)).close("small");
        let shown = verdicts.iter().filter(|(judge, _)| *judge != JudgeName::Divergence);
        let mut cells: Vec<Html> = shown.map(|(judge, verdict)| self.cell(*judge, verdict)).collect();
        cells.push(self.cost(position));
        container(
            "section",
            Attrs::class("verdicts").label(Word::Verdicts.get(lang)),
            vec![div("lead", vec![lead.html()]), container("ul", Attrs::class("verdict-list"), cells)],
        )
    }
}

impl VerdictStrip {
    /// A judge; a broken promise leads to where it became known.
    fn cell(&self, judge: JudgeName, verdict: &Verdict) -> Html {
        let badge = Badge::of(verdict);
        let line = narration::verdict_line(&self.run.scenario.setup, judge, verdict, self.lang);
        let content = Markup::default().draw(badge.drawing()).tag("b", "", narration::judge_title(judge, self.lang));
        let content = content.tag("small", "", &line).html();
        let class = ["v ", badge.class()].concat();
        let cell = match verdict.instances().first() {
            Some(first) => {
                let button = Button { title: Some(line.into()), ..Button::class(class) };
                button.sends(&self.send, Action::Show(first.known), content)
            }
            None => div(class, vec![content]),
        };
        container("li", Attrs::default(), vec![cell])
    }

    fn cost(&self, position: u32) -> Html {
        let cost = self.run.judged.cost_at(&self.cursor, position);
        let line = narration::cost_line(&self.run.scenario.setup, &cost, self.lang);
        let content = Markup::default().open("span", "cost-ic").draw(Icon::List.drawing()).close("span");
        let content = content.tag("b", "", Word::Cost.get(self.lang)).tag("small", "", &line).html();
        container("li", Attrs::class("cost"), vec![div("v", vec![content])])
    }
}

/// Faults that nothing called for are part of the result.
fn unfired_text(unfired: usize, lang: Lang) -> String {
    match (unfired, lang) {
        (0, _) => String::new(),
        (1, Lang::En) => " · one fault did not fire".into(),
        (n, Lang::En) => format!(" · {n} faults did not fire"),
        (n, Lang::Ko) => format!(" · 일어나지 않은 장애 {n}개"),
    }
}
