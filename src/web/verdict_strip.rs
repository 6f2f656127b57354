//! The verdict strip: a plain sentence, then each judge, then the cost.

use std::rc::Rc;

use yew::prelude::*;

use super::Dispatch;
use super::icons::{Badge, Icon};
use super::run::Run;
use super::state::Action;
use super::words::Word;
use crate::history::History;
use crate::scenario::Setup;
use crate::verdicts::Verdict;
use crate::views::narration;
use crate::vocabulary::{JudgeName, Lang};

/// What the strip shows.
#[derive(Properties, PartialEq)]
pub(crate) struct StripProps {
    /// The run on screen.
    pub(crate) run: Rc<Run>,
    /// Where the visitor is.
    pub(crate) cursor: Rc<History>,
    /// The language.
    pub(crate) lang: Lang,
    /// Where actions go.
    pub(crate) send: Dispatch,
}

/// The verdict strip.
#[component]
pub(crate) fn VerdictStrip(props: &StripProps) -> Html {
    let StripProps { run, cursor, lang, send } = props;
    let (lang, position) = (*lang, cursor.position());
    let verdicts = run.judged.at(cursor, position);
    let over = position == run.len;
    let cost = run.judged.cost_at(cursor, position);
    let setup = &run.scenario.setup;
    let expectation = if run.is_own(cursor) {
        Word::OwnRun
    } else if run.as_expected() {
        Word::AsExpected
    } else {
        Word::NotExpected
    };
    html! {
        <section class="verdicts" aria-label={Word::Verdicts.get(lang)}>
            <div class="lead">
                <b>{ narration::lead(&verdicts, over, lang) }</b>
                <small>{ expectation.get(lang) }{ unfired_text(run.unfired, lang) }</small>
            </div>
            <ul class="verdict-list">
                { for verdicts.iter().filter(|(judge, _)| *judge != JudgeName::Divergence).map(|(judge, verdict)| {
                    cell(setup, *judge, verdict, lang, send)
                }) }
                <li class="cost">
                    <div class="v">
                        <span class="cost-ic">{ Icon::List.draw() }</span>
                        <b>{ Word::Cost.get(lang) }</b>
                        <small>{ narration::cost_line(setup, &cost, lang) }</small>
                    </div>
                </li>
            </ul>
        </section>
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

/// A judge; a broken promise leads to where it became known.
fn cell(setup: &Setup, judge: JudgeName, verdict: &Verdict, lang: Lang, send: &Dispatch) -> Html {
    let badge = Badge::of(verdict);
    let line = narration::verdict_line(setup, judge, verdict, lang);
    let content = html! {
        <>
            { badge.draw(false) }
            <b>{ narration::judge_title(judge, lang) }</b>
            <small title={line.clone()}>{ line }</small>
        </>
    };
    let class = classes!("v", badge.class());
    match verdict.instances().first() {
        Some(first) => {
            let known = first.known;
            html! {
                <li key={judge.name()}>
                    <button {class} onclick={send.reform(move |_| Action::Show(known))}>{ content }</button>
                </li>
            }
        }
        None => html! { <li key={judge.name()}><div {class}>{ content }</div></li> },
    }
}
