//! "Change one thing": the controls that the scenario offers, and its variants.

use std::rc::Rc;

use serde_json::Value;
use wasm_bindgen::JsCast;
use web_sys::{HtmlInputElement, HtmlSelectElement};
use yew::prelude::*;

use super::format;
use super::run::{Place, Run};
use super::slider::{self, Share};
use super::state::Action;
use super::words::Word;
use super::{Dispatch, on};
use crate::scenario::{Control, ControlRange};
use crate::vocabulary::{Lang, Text};

/// What the controls show.
#[derive(Properties, PartialEq)]
pub(crate) struct KnobsProps {
    /// The run on screen.
    pub(crate) run: Rc<Run>,
    /// The language.
    pub(crate) lang: Lang,
    /// Where actions go.
    pub(crate) send: Dispatch,
}

/// The controls and variants of the scenario.
#[component]
pub(crate) fn Knobs(props: &KnobsProps) -> Html {
    let KnobsProps { run, lang, send } = props;
    let lang = *lang;
    let scenario = &run.scenario;
    if scenario.controls.is_empty() && scenario.variants.is_empty() {
        return Html::default();
    }
    html! {
        <div class="knobs">
            <h2>
                { Word::ChangeOneThing.get(lang) }
                if !run.changes.is_empty() {
                    <button class="text-button" onclick={send.reform(|_| Action::ResetControls)}>{ Word::Reset.get(lang) }</button>
                }
            </h2>
            { for scenario.controls.iter().map(|control| knob(control, lang, send)) }
            if !scenario.variants.is_empty() { { variants(run, lang, send) } }
        </div>
    }
}

fn knob(control: &Control, lang: Lang, send: &Dispatch) -> Html {
    match &control.range {
        ControlRange::Slider { min, max, step } => range(control, (*min, *max, *step), lang, send),
        ControlRange::Switch(options) if fits_in_a_row(options, lang) => segments(control, options, lang, send),
        ControlRange::Switch(options) => list(control, options, lang, send),
    }
}

fn range(control: &Control, (min, max, step): (i64, i64, i64), lang: Lang, send: &Dispatch) -> Html {
    let value = control.value.as_i64().unwrap_or(min);
    let mark = control.mark.as_ref().map(|(at, label)| slider::Mark {
        at: Share::of(*at, min, max),
        flag: false,
        label: Some(label.get(lang)),
    });
    let path = control.path.clone();
    let oninput = on(send, move |event: &InputEvent| {
        let input: HtmlInputElement = event.target()?.dyn_into().ok()?;
        let value: i64 = input.value().parse().ok()?;
        Some(Action::SetControl(path.clone(), value.into()))
    });
    let unit = if control.path.ends_with("_ms") { " ms" } else { "" };
    html! {
        <label class="knob" key={control.path.clone()}>
            <span class="row">
                <span>{ control.label.get(lang) }</span>
                <span class="num">{ format::grouped(value) }{ unit }</span>
            </span>
            <span class={classes!("track", mark.is_some().then_some("marked"))}>
                { slider::rail(Share::of(value, min, max), mark.into_iter()) }
                <input class="range" type="range" min={min.to_string()} max={max.to_string()} step={step.to_string()}
                    value={value.to_string()} {oninput} />
            </span>
        </label>
    }
}

fn fits_in_a_row(options: &[(Value, Text)], lang: Lang) -> bool {
    // A syllable of Hangul is twice as wide as a Latin letter.
    let width = |text: &str| text.chars().map(|char| if char.is_ascii() { 1 } else { 2 }).sum::<usize>();
    options.iter().map(|(_, label)| width(label.get(lang)) + 3).sum::<usize>() <= 42
}

fn segments(control: &Control, options: &[(Value, Text)], lang: Lang, send: &Dispatch) -> Html {
    html! {
        <fieldset class="knob inline" key={control.path.clone()}>
            <legend class="hidden">{ control.label.get(lang) }</legend>
            <span aria-hidden="true">{ control.label.get(lang) }</span>
            <span class="seg">
                { for options.iter().map(|(value, label)| {
                    let action = Action::SetControl(control.path.clone(), value.clone());
                    html! {
                        <label>
                            <input type="radio" name={control.path.clone()} checked={*value == control.value}
                                onchange={send.reform(move |_: Event| action.clone())} />
                            <span>{ label.get(lang) }</span>
                        </label>
                    }
                }) }
            </span>
        </fieldset>
    }
}

fn list(control: &Control, options: &[(Value, Text)], lang: Lang, send: &Dispatch) -> Html {
    let (path, values) = (control.path.clone(), options.iter().map(|(value, _)| value.clone()).collect::<Vec<_>>());
    let onchange = on(send, move |event: &Event| {
        let value = values.get(chosen(event)?)?.clone();
        Some(Action::SetControl(path.clone(), value))
    });
    html! {
        <label class="knob inline" key={control.path.clone()}>
            <span>{ control.label.get(lang) }</span>
            <select class="choice" {onchange}>
                { for options.iter().map(|(value, label)| html! {
                    <option selected={*value == control.value}>{ label.get(lang) }</option>
                }) }
            </select>
        </label>
    }
}

fn variants(run: &Run, lang: Lang, send: &Dispatch) -> Html {
    let variants = &run.scenario.variants;
    let (id, ids) = (run.place.id.clone(), variants.iter().map(|one| one.id.clone()).collect::<Vec<_>>());
    let onchange = on(send, move |event: &Event| {
        let ix = chosen(event)?;
        let variant = ix.checked_sub(1).and_then(|ix| ids.get(ix)).cloned();
        Some(Action::Open(Place { id: id.clone(), variant }))
    });
    html! {
        <label class="knob inline" key="variants">
            <span>{ Word::Variants.get(lang) }</span>
            <select class="choice" id="variants" {onchange}>
                <option selected={run.place.variant.is_none()}>{ Word::AsWritten.get(lang) }</option>
                { for variants.iter().map(|one| html! {
                    <option selected={run.place.variant.as_ref() == Some(&one.id)}>{ one.title.get(lang) }</option>
                }) }
            </select>
        </label>
    }
}

/// Which option of a list was chosen.
fn chosen(event: &Event) -> Option<usize> {
    let select: HtmlSelectElement = event.target()?.dyn_into().ok()?;
    usize::try_from(select.selected_index()).ok()
}
