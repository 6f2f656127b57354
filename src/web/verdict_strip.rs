//! The verdict strip: a plain sentence, then each judge, then the cost.

use std::rc::Rc;

use yew::prelude::*;

use super::Dispatch;
use super::format;
use super::icons::{Badge, Icon};
use super::run::Run;
use super::state::{Action, Go};
use super::words::Word;
use crate::history::History;
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
    let messages = run.judged.cost_at(cursor, position).messages;
    html! {
        <section class="verdicts" aria-label={Word::Verdicts.get(lang)}>
            <div class="lead">
                <b>{ lead(&verdicts, over).get(lang) }</b>
                <small>{ expectation(run, cursor).get(lang) }</small>
            </div>
            <ul class="verdict-list">
                { for verdicts.iter().filter(|(judge, _)| *judge != JudgeName::Divergence).map(|(judge, verdict)| {
                    cell(*judge, verdict, lang, send)
                }) }
                <li class="cost">
                    <div class="v">
                        <span class="cost-ic">{ Icon::List.draw() }</span>
                        <b>{ Word::Cost.get(lang) }</b>
                        <small>{ messages_text(messages, lang) }</small>
                    </div>
                </li>
            </ul>
        </section>
    }
}

/// A judge; a broken promise leads to where it became known.
fn cell(judge: JudgeName, verdict: &Verdict, lang: Lang, send: &Dispatch) -> Html {
    let badge = Badge::of(verdict);
    let content = html! {
        <>
            { badge.draw(false) }
            <b>{ narration::judge_title(judge, lang) }</b>
            <small>{ state_text(verdict, lang) }</small>
        </>
    };
    let class = classes!("v", badge.class());
    match verdict.instances().first() {
        Some(first) => {
            let to = first.known.0 + 1;
            html! {
                <li key={judge.name()}>
                    <button {class} onclick={send.reform(move |_| Action::Go(Go::To(to)))}>{ content }</button>
                </li>
            }
        }
        None => html! { <li key={judge.name()}><div {class}>{ content }</div></li> },
    }
}

/// The sentence that leads the strip.
fn lead(verdicts: &[(JudgeName, Verdict)], over: bool) -> Word {
    let broken = |judge| verdicts.iter().any(|(one, verdict)| *one == judge && verdict.is_violated());
    let lock = broken(JudgeName::MutualExclusion);
    let data = broken(JudgeName::StaleWrite) || broken(JudgeName::LostUpdate) || broken(JudgeName::Divergence);
    let written = verdicts.iter().any(|(one, verdict)| *one == JudgeName::StaleWrite && *verdict == Verdict::Holds);
    match (lock, data) {
        (true, true) => Word::LeadBoth,
        (false, true) => Word::LeadData,
        (true, false) if written || over => Word::LeadLockOnly,
        (true, false) => Word::LeadLockSoFar,
        _ if broken(JudgeName::Progress) => Word::LeadStuck,
        _ if broken(JudgeName::TokenOrder) => Word::LeadTokens,
        _ if over => Word::LeadKept,
        _ if verdicts.iter().all(|(_, verdict)| matches!(verdict, Verdict::Pending { .. })) => Word::LeadNothing,
        _ => Word::LeadWorks,
    }
}

fn expectation(run: &Run, history: &History) -> Word {
    if run.is_own(history) {
        Word::OwnRun
    } else if run.as_expected() {
        Word::AsExpected
    } else {
        Word::NotExpected
    }
}

fn state_text(verdict: &Verdict, lang: Lang) -> String {
    match (verdict, lang) {
        (Verdict::Violated { instances }, _) => {
            let from = instances.first().map(|first| format::ms(first.from)).unwrap_or_default();
            match lang {
                Lang::En => ["since ", &from, " ms"].concat(),
                Lang::Ko => [&from, " ms부터"].concat(),
            }
        }
        (Verdict::Holds, Lang::En) => "kept so far".into(),
        (Verdict::Holds, Lang::Ko) => "지금까지 지켜짐".into(),
        (Verdict::Pending { .. }, Lang::En) => "undecided yet".into(),
        (Verdict::Pending { .. }, Lang::Ko) => "아직 미정".into(),
    }
}

fn messages_text(messages: u32, lang: Lang) -> String {
    let count = format::grouped(messages.into());
    match lang {
        Lang::En if messages == 1 => [&count, " message"].concat(),
        Lang::En => [&count, " messages"].concat(),
        Lang::Ko => ["메시지 ", &count, "개"].concat(),
    }
}
