//! The inspector: facts about what is selected, how it came to this, and the other runs that were made.

use std::rc::Rc;

use wasm_bindgen::JsCast;
use web_sys::HtmlSelectElement;
use yew::prelude::*;

use super::facts::{self, Sheet};
use super::format;
use super::icons::{Badge, Icon};
use super::names;
use super::run::Run;
use super::scene::Selection;
use super::state::{Action, Go, OpenMenu};
use super::words::Word;
use super::{Dispatch, on};
use crate::history::{BranchInfo, History};
use crate::views::narration;
use crate::vocabulary::{Fault, FaultKind, Lang, LineIx, Matcher, NodeId, PauseCause, Span, Trigger};

/// What the inspector shows.
#[derive(Properties, PartialEq)]
pub(crate) struct InspectorProps {
    /// The run on screen.
    pub(crate) run: Rc<Run>,
    /// Where the visitor is.
    pub(crate) cursor: Rc<History>,
    /// What is selected.
    pub(crate) selection: Option<Selection>,
    /// Whether it is open where it is a drawer.
    pub(crate) open: bool,
    /// The language.
    pub(crate) lang: Lang,
    /// Where actions go.
    pub(crate) send: Dispatch,
}

/// The inspector.
#[component]
pub(crate) fn Inspector(props: &InspectorProps) -> Html {
    let InspectorProps { run, cursor, selection, open, lang, send } = props;
    let lang = *lang;
    let sheet = facts::sheet(cursor, *selection, lang);
    html! {
        <aside class={classes!("insp", open.then_some("open"))} id="inspector" aria-label={Word::Inspector.get(lang)}>
            <p class="kind">
                <span>{ sheet.as_ref().map_or(Word::Inspector, |sheet| sheet.kind).get(lang) }</span>
                <button class="tool only-drawer" aria-label={Word::Close.get(lang)} onclick={send.reform(|_| Action::ToggleDrawer)}>
                    { Icon::Close.draw() }
                </button>
            </p>
            if let Some(sheet) = sheet {
                { head(&sheet, cursor, *selection) }
                { for sheet.step.and_then(|step| run.violation_at(step.0 + 1)).map(|(judge, violation)| html! {
                    <div class="note bad">
                        <b>{ Badge::Bad.draw(true) }{ narration::judge_title(judge, lang) }</b>
                        { narration::why_sentence(&run.scenario.setup, &violation.why, lang) }
                    </div>
                }) }
                if !sheet.facts.is_empty() {
                    <dl class="facts">
                        { for sheet.facts.iter().map(|(name, value)| html! { <><dt>{ name }</dt><dd>{ value }</dd></> }) }
                    </dl>
                }
                { steps(&sheet, cursor, lang, send) }
                { branches(cursor, lang, send) }
                { foot(&sheet, run, cursor, *selection, lang, send) }
            } else {
                <p class="route">{ Word::PressStep.get(lang) }</p>
                { branches(cursor, lang, send) }
            }
        </aside>
    }
}

fn head(sheet: &Sheet, cursor: &History, selection: Option<Selection>) -> Html {
    let number = match selection {
        Some(Selection::Node(id)) => names::client_number(&cursor.scenario().setup, id),
        _ => None,
    };
    html! {
        <>
            <div>
                <h2 class={classes!(number.map(names::client_class), sheet.sentence.then_some("sentence"))}>
                    <span class={classes!(sheet.code.then_some("mono"), number.map(|_| "client"))}>{ &sheet.title }</span>
                </h2>
                if let Some(route) = &sheet.route { <p class="route">{ route }</p> }
            </div>
            if let Some(note) = &sheet.note {
                <div class={classes!("note", note.badge.class())}>
                    <b>{ note.badge.draw(true) }{ &note.title }</b>
                    { &note.text }
                </div>
            }
        </>
    }
}

fn steps(sheet: &Sheet, cursor: &History, lang: Lang, send: &Dispatch) -> Html {
    if sheet.steps.is_empty() {
        return Html::default();
    }
    let setup = &cursor.scenario().setup;
    html! {
        <div>
            <h3>{ sheet.steps_title.get(lang) }</h3>
            <ol class="chain">
                { for sheet.steps.iter().map(|ix| {
                    let (step, to) = (cursor.step(*ix), ix.0 + 1);
                    let now = to == cursor.position();
                    html! {
                        <li key={ix.0}>
                            <button class={classes!("chain-go", now.then_some("now"))} aria-current={now.then_some("step")}
                                onclick={send.reform(move |_| Action::Go(Go::To(to)))}>
                                <span class="num">{ format::ms(step.record.at) }</span>
                                <span>{ narration::phrase(setup, &step.record, &step.world, lang) }</span>
                            </button>
                        </li>
                    }
                }) }
            </ol>
        </div>
    }
}

/// The runs that the visitor made by acting in the past; each can be gone back to.
fn branches(cursor: &History, lang: Lang, send: &Dispatch) -> Html {
    let all: Vec<BranchInfo> = cursor.branches().collect();
    if all.len() < 2 {
        return Html::default();
    }
    let setup = &cursor.scenario().setup;
    html! {
        <div>
            <h3>{ Word::Branches.get(lang) }</h3>
            <ol class="branches">
                { for all.iter().map(|branch| {
                    let id = branch.id;
                    let title = match &branch.fault {
                        None => Word::OriginalRun.get(lang).to_owned(),
                        Some(fault) => narration::fault_title(setup, &fault.kind, lang),
                    };
                    let at = (branch.parent.is_some()).then(|| branch.forked_at.to_string());
                    html! {
                        <li key={id}>
                            <button class="branch-go" aria-current={branch.current.then_some("true")} disabled={branch.current}
                                onclick={send.reform(move |_| Action::Switch(id))}>
                                <span class="num">{ at }</span>
                                <span>{ title }</span>
                            </button>
                        </li>
                    }
                }) }
            </ol>
        </div>
    }
}

/// A pause planned for one of a client's lines, wherever in the future it comes to it.
fn plan(cursor: &History, id: NodeId, lang: Lang, send: &Dispatch) -> Html {
    let setup = &cursor.scenario().setup;
    let Some(client) = setup.client(id) else { return Html::default() };
    let onchange = on(send, move |event: &Event| {
        let select: HtmlSelectElement = event.target()?.dyn_into().ok()?;
        let line = LineIx(u16::try_from(select.selected_index()).ok()?.checked_sub(1)?);
        select.set_selected_index(0);
        let matcher = Matcher::Line { client: id, line, part: 0 };
        let kind = FaultKind::Pause { node: id, length: Some(PAUSE), cause: PauseCause::Gc };
        Some(Action::Schedule(Fault {
            on: Trigger::When { matcher, nth: 1, after: Span::ZERO },
            kind,
            until: None,
            twin: None,
        }))
    });
    html! {
        <select class="choice" aria-label={Word::PlanPause.get(lang)} {onchange}>
            <option>{ Word::PlanPause.get(lang) }</option>
            { for client.program.iter().enumerate().map(|(ix, line)| html! {
                <option>{ (ix + 1).to_string() }{ " · " }{ setup.line_text(*line) }</option>
            }) }
        </select>
    }
}

/// The length of a planned pause.
const PAUSE: Span = Span::from_ms(12_000);

/// What can be done about it: its menu, or the way back to where it could still be changed.
fn foot(sheet: &Sheet, run: &Run, cursor: &History, selection: Option<Selection>, lang: Lang, send: &Dispatch) -> Html {
    match (selection, sheet.back) {
        (Some(Selection::Packet(_)), Some(back)) => {
            let mut label = Word::BackIntoFlight.get(lang).to_owned();
            label.push_str(", ");
            label.push_str(&format::ms(run.pace.time(back)));
            label.push_str(" ms");
            html! {
                <div class="foot">
                    <span>{ Word::InFlightHint.get(lang) }</span>
                    <button class="btn" onclick={send.reform(move |_| Action::Go(Go::To(back)))}>{ Icon::Back.draw() }{ label }</button>
                </div>
            }
        }
        (Some(target @ (Selection::Node(_) | Selection::Packet(_))), _) => html! {
            <div class="foot">
                <button class="btn" aria-haspopup="menu"
                    onclick={send.reform(move |_| Action::Menu(Some(OpenMenu::of(target))))}>
                    { Word::WhatHappensNow.get(lang) }<kbd>{ "Enter" }</kbd>
                </button>
                if let Selection::Node(id) = target { { plan(cursor, id, lang, send) } }
            </div>
        },
        _ => Html::default(),
    }
}
