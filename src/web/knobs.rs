//! "Change one thing": the controls that the scenario offers, and its variants.

use std::rc::Rc;

use yew::prelude::*;

use super::Dispatch;
use super::element::{Attrs, Button, Markup, Part, choice, container, div, range};
use super::format;
use super::run::{Place, Run};
use super::slider::{self, Share};
use super::state::Action;
use super::words::Word;
use crate::scenario::{Control, ControlRange, SwitchPosition};
use crate::vocabulary::Lang;

/// The controls and variants of the scenario.
#[derive(PartialEq)]
pub(crate) struct Knobs {
    /// The run on screen.
    pub(crate) run: Rc<Run>,
    /// The language.
    pub(crate) lang: Lang,
    /// Where actions go.
    pub(crate) send: Dispatch,
}

impl Part for Knobs {
    fn draw(&self) -> Html {
        let scenario = &self.run.scenario;
        if scenario.controls.is_empty() && scenario.variants.is_empty() {
            return Html::default();
        }
        let mut title = vec![Html::from(Word::ChangeOneThing.get(self.lang))];
        if !self.run.changes.is_empty() {
            let reset = Word::Reset.get(self.lang).into();
            title.push(Button::class("text-button").sends(&self.send, Action::ResetControls, reset));
        }
        let mut all = vec![container("h2", Attrs::default(), title)];
        all.extend(scenario.controls.iter().map(|control| self.knob(control)));
        if !scenario.variants.is_empty() {
            all.push(self.variants());
        }
        div("knobs", all)
    }
}

impl Knobs {
    fn knob(&self, control: &Control) -> Html {
        match &control.range {
            ControlRange::Slider { min, max, step } => self.slider(control, (*min, *max, *step)),
            ControlRange::Switch(options) if fits_in_a_row(options, self.lang) => self.segments(control, options),
            ControlRange::Switch(options) => self.list(control, options),
        }
    }

    fn slider(&self, control: &Control, (min, max, step): (i64, i64, i64)) -> Html {
        let value = control.value.as_i64().unwrap_or(min);
        let mark = control.mark.as_ref().map(|(at, label)| slider::Mark {
            at: Share::of(*at, min, max),
            flag: false,
            label: Some(label.get(self.lang)),
        });
        let track = if mark.is_some() { "track marked" } else { "track" };
        let unit = if control.path.ends_with("_ms") { " ms" } else { "" };
        let head = Markup::of("span", "", control.label.get(self.lang));
        let head = head.open("span", "num").say(&format::grouped(value)).say(unit).close("span");
        let path = control.path.clone();
        let moved = move |value: i64| Some(Action::SetControl(path.clone(), value.into()));
        container(
            "label",
            Attrs::class("knob"),
            vec![
                container("span", Attrs::class("row"), vec![head.html()]),
                container(
                    "span",
                    Attrs::class(track),
                    vec![
                        slider::rail(Share::of(value, min, max), mark.into_iter()),
                        range((min, max, step, value), None, &self.send, moved),
                    ],
                ),
            ],
        )
    }

    fn segments(&self, control: &Control, options: &[SwitchPosition]) -> Html {
        let label = control.label.get(self.lang);
        let options = options.iter().map(|SwitchPosition { value, label: name, .. }| {
            let action = Action::SetControl(control.path.clone(), value.clone());
            let onchange = self.send.reform(move |_: Event| action.clone());
            html! {
                <label>
                    <input type="radio" name={control.path.clone()} checked={*value == control.value} {onchange} />
                    <span>{ name.get(self.lang) }</span>
                </label>
            }
        });
        container(
            "div",
            Attrs::class("knob inline").label(label.to_owned()).role("radiogroup"),
            vec![Markup::of("span", "", label).html(), container("span", Attrs::class("seg"), options.collect())],
        )
    }

    fn list(&self, control: &Control, options: &[SwitchPosition]) -> Html {
        let names = options.iter().map(|one| one.label.get(self.lang).to_owned().into()).collect();
        let selected = options.iter().position(|one| one.value == control.value);
        let (path, values) = (control.path.clone(), options.iter().map(|one| one.value.clone()).collect::<Vec<_>>());
        let chosen = move |place: usize| Some(Action::SetControl(path.clone(), values.get(place)?.clone()));
        let list = choice(Attrs::class("choice"), names, Some(selected.unwrap_or(usize::MAX)), &self.send, chosen);
        container(
            "label",
            Attrs::class("knob inline"),
            vec![Markup::of("span", "", control.label.get(self.lang)).html(), list],
        )
    }

    fn variants(&self) -> Html {
        let Self { run, lang, send } = self;
        let variants = &run.scenario.variants;
        let mut names = vec![AttrValue::from(Word::AsWritten.get(*lang))];
        names.extend(variants.iter().map(|one| AttrValue::from(one.title.get(*lang).to_owned())));
        let current =
            variants.iter().position(|one| run.place.variant.as_ref() == Some(&one.id)).map_or(0, |ix| ix + 1);
        let (id, ids) = (run.place.id.clone(), variants.iter().map(|one| one.id.clone()).collect::<Vec<_>>());
        let chosen = move |place: usize| {
            let variant = place.checked_sub(1).and_then(|ix| ids.get(ix)).cloned();
            Some(Action::Open(Place { id: id.clone(), variant }))
        };
        let list = choice(Attrs::class("choice").id("variants"), names, Some(current), send, chosen);
        container(
            "label",
            Attrs::class("knob inline"),
            vec![Markup::of("span", "", Word::Variants.get(*lang)).html(), list],
        )
    }
}

fn fits_in_a_row(options: &[SwitchPosition], lang: Lang) -> bool {
    // A syllable of Hangul is twice as wide as a Latin letter.
    let width = |text: &str| text.chars().map(|char| if char.is_ascii() { 1 } else { 2 }).sum::<usize>();
    options.iter().map(|one| width(one.label.get(lang)) + 3).sum::<usize>() <= 42
}
