//! The menu of a node or packet: what can happen to it now, with sizes where they matter.

use std::rc::Rc;

use wasm_bindgen::JsCast;
use web_sys::HtmlElement;
use yew::prelude::*;

use super::Dispatch;
use super::effects;
use super::element::{Attrs, Button, Markup, container};
use super::icons::Icon;
use super::moves::{self, Choice, Entry, Verb};
use super::names;
use super::scene::Selection;
use super::state::{Action, Level, OpenMenu};
use super::words::Word;
use crate::history::History;
use crate::scenario::Setup;
use crate::views::narration;
use crate::vocabulary::{FaultKind, Lang};

/// What the menu shows.
#[derive(Properties, PartialEq)]
pub(crate) struct MenuProps {
    /// Whose menu, and how deep.
    pub(crate) menu: OpenMenu,
    /// Where the visitor is.
    pub(crate) cursor: Rc<History>,
    /// The language.
    pub(crate) lang: Lang,
    /// Where actions go.
    pub(crate) send: Dispatch,
}

/// The menu.
#[component]
pub(crate) fn Menu(props: &MenuProps) -> Html {
    let MenuProps { menu, cursor, lang, send } = props;
    let (lang, menu) = (*lang, *menu);
    let node = use_node_ref();
    effects::use_menu_focus(send.reform(|()| Action::Menu(None)));
    use_effect_with((menu, lang), {
        let node = node.clone();
        move |_| {
            effects::place_menu(&node);
            effects::focus_first(node.cast::<HtmlElement>().as_ref(), ITEMS);
        }
    });
    let setup = &cursor.scenario().setup;
    let entries = moves::entries(cursor.world(), menu.target);
    let content = match menu.level {
        Level::Choices(verb) => {
            let entry = entries.iter().find(|entry| entry.verb == verb);
            entry.map(|entry| choices(setup, menu.target, entry, lang, send)).unwrap_or_default()
        }
        level => rows(setup, menu.target, &entries, level, lang, send),
    };
    let title = title(setup, cursor, menu.target, lang);
    let label = [title.as_str(), ": ", Word::WhatHappensNow.get(lang)].concat();
    let heading = match menu.above() {
        Some(above) => {
            let back = Markup::default().say("‹ ").say(&title).html();
            Button::class("").sends(send, Action::Menu(Some(above)), back)
        }
        None => Markup::of("span", "", &label).html(),
    };
    let undoes = Markup::of("span", "num", Word::UndoesIt.get(lang)).html();
    let mut all = vec![container("div", Attrs::class("menu-head").role("presentation"), vec![heading, undoes])];
    all.extend(content);
    if entries.is_empty() {
        all.push(Markup::of("p", "menu-own", Word::NothingPossible.get(lang)).html());
    }
    html! {
        <div ref={node} class="menu" role="menu" aria-label={label} onkeydown={keys(&entries, menu, send)}>{ for all }</div>
    }
}

/// What the arrow keys walk through.
const ITEMS: &str = "[role=menuitem]";

fn title(setup: &Setup, history: &History, target: Selection, lang: Lang) -> String {
    match target {
        Selection::Node(id) => names::node(setup, id, lang),
        Selection::Packet(id) => {
            let flight = history.world().in_flight().iter().find(|flight| flight.packet.id == id);
            flight.map_or_else(String::new, |flight| narration::packet_label(setup, &flight.packet.message))
        }
        Selection::Step(_) => String::new(),
    }
}

/// The entries of a level, and the way to the others.
fn rows(setup: &Setup, target: Selection, entries: &[Entry], level: Level, lang: Lang, send: &Dispatch) -> Vec<Html> {
    let here = |entry: &&Entry| entry.verb.is_first() == (level == Level::Top);
    let mut rows: Vec<Html> = entries.iter().filter(here).map(|entry| row(setup, target, entry, lang, send)).collect();
    if level == Level::Top && entries.iter().any(|entry| !entry.verb.is_first()) {
        let deeper = Action::Menu(Some(OpenMenu { target, level: Level::More }));
        rows.push(item(Icon::List, Word::More.get(lang), Word::MoreText.get(lang), None, (deeper, send)));
    }
    rows
}

/// A row: an icon, a name, a line below it, and perhaps a key.
fn item(icon: Icon, name: &str, below: &str, key: Option<char>, (action, send): (Action, &Dispatch)) -> Html {
    let mut content = Markup::default().draw(icon.drawing()).open("span", "").say(name);
    if !below.is_empty() {
        content = content.tag("small", "", below);
    }
    content = content.close("span");
    if let Some(key) = key {
        content = content.tag("kbd", "", key.to_ascii_uppercase().encode_utf8(&mut [0; 4]));
    }
    let popup = matches!(action, Action::Menu(_)).then_some("menu".into());
    let button = Button { role: Some("menuitem".into()), popup, ..Button::class("menu-row") };
    button.sends(send, action, content.html())
}

/// An entry: acts if there is nothing to choose.
fn row(setup: &Setup, target: Selection, entry: &Entry, lang: Lang, send: &Dispatch) -> Html {
    let (first, verb) = (entry.choices[0].kind, entry.verb);
    let (label, action) = match (verb.label(), entry.only()) {
        (_, Some(only)) => (narration::fault_title(setup, &first, lang), Action::Act(only)),
        (label, None) => {
            let label = label.map_or_else(|| narration::fault_title(setup, &first, lang), |word| word.get(lang).into());
            (label, Action::Menu(Some(OpenMenu { target, level: Level::Choices(verb) })))
        }
    };
    let effect = narration::fault_effect(setup, &first, lang);
    item(Icon::of_verb(verb), &label, &effect, verb.key(), (action, send))
}

/// The sizes of one entry, and a field for an own one.
fn choices(setup: &Setup, target: Selection, entry: &Entry, lang: Lang, send: &Dispatch) -> Vec<Html> {
    let mut rows: Vec<Html> = entry
        .choices
        .iter()
        .map(|choice| {
            let name = narration::fault_title(setup, &choice.kind, lang);
            let below = remark(setup, target, choice, lang).unwrap_or_default();
            item(Icon::of_verb(entry.verb), &name, &below, None, (Action::Act(choice.kind), send))
        })
        .collect();
    if entry.sized {
        rows.push(own_size(entry.choices[0].kind, lang, send));
    }
    rows
}

/// What tells this choice from the others where its name does not.
fn remark(setup: &Setup, target: Selection, choice: &Choice, lang: Lang) -> Option<String> {
    if choice.beyond_lease {
        return Some(Word::JustBeyondLease.get(lang).into());
    }
    match choice.kind {
        FaultKind::Crash { restart: None, .. } | FaultKind::PowerLoss { restart: None, .. } => {
            Some(Word::RestartNever.get(lang).into())
        }
        FaultKind::Cut { from, to, .. } | FaultKind::Heal { from, to, .. } | FaultKind::Reset { from, to, .. } => {
            let peer = if target == Selection::Node(from) { to } else { from };
            Some(names::node(setup, peer, lang))
        }
        FaultKind::Lose { .. } => Some(narration::fault_effect(setup, &choice.kind, lang)),
        _ => None,
    }
}

/// A field for an own size in milliseconds.
fn own_size(kind: FaultKind, lang: Lang, send: &Dispatch) -> Html {
    let act = Callback::from({
        let send = send.clone();
        move |()| {
            let size = effects::text_of(OWN_SIZE).trim().replace('−', "-");
            if let Some(fault) = size.parse().ok().and_then(|ms| moves::with_size(kind, ms)) {
                send.emit(Action::Act(fault));
            }
        }
    });
    // Keys typed here are text; only Enter and Escape mean something.
    let onkeydown = {
        let (act, send) = (act.clone(), send.clone());
        Callback::from(move |event: KeyboardEvent| {
            match event.key().as_str() {
                "Enter" => act.emit(()),
                "Escape" => send.emit(Action::Menu(None)),
                _ => {}
            }
            event.stop_propagation();
        })
    };
    let field = html! {
        <label>
            { Word::OwnSize.get(lang) }
            <input class="field num" inputmode="numeric" autocomplete="off" maxlength="9" {onkeydown} />
        </label>
    };
    let button = Button { role: Some("menuitem".into()), ..Button::class("btn") };
    let button = button.calls(act.reform(|_: MouseEvent| ()), Word::Apply.get(lang).into());
    container("div", Attrs::class("menu-own").role("presentation"), vec![field, button])
}

/// Where an own size is written.
const OWN_SIZE: &str = ".menu .field";

/// Arrows walk, letters choose, Escape and the left arrow go back.
fn keys(entries: &[Entry], menu: OpenMenu, send: &Dispatch) -> Callback<KeyboardEvent> {
    let by_key: Vec<(char, Verb, Option<FaultKind>)> =
        entries.iter().filter_map(|entry| Some((entry.verb.key()?, entry.verb, entry.only()))).collect();
    let send = send.clone();
    Callback::from(move |event: KeyboardEvent| {
        let list = event.current_target().and_then(|list| list.dyn_into::<HtmlElement>().ok());
        match event.key().as_str() {
            "ArrowDown" => effects::step_focus(list.as_ref(), ITEMS, 1),
            "ArrowUp" => effects::step_focus(list.as_ref(), ITEMS, -1),
            "Home" => effects::step_focus(list.as_ref(), ITEMS, i32::MIN / 2),
            "End" => effects::step_focus(list.as_ref(), ITEMS, i32::MAX / 2),
            "ArrowLeft" if menu.above().is_none() => {}
            "Escape" | "ArrowLeft" => send.emit(Action::Menu(menu.above())),
            "Tab" => send.emit(Action::Menu(None)),
            "Enter" | " " => {
                // The button's own; it must not play the run.
                event.stop_propagation();
                return;
            }
            key => {
                let pressed =
                    by_key.iter().find(|(letter, ..)| key.eq_ignore_ascii_case(letter.encode_utf8(&mut [0; 4])));
                match pressed {
                    Some((_, _, Some(kind))) => send.emit(Action::Act(*kind)),
                    Some((_, verb, None)) => {
                        send.emit(Action::Menu(Some(OpenMenu { level: Level::Choices(*verb), ..menu })));
                    }
                    None => return,
                }
            }
        }
        event.prevent_default();
        event.stop_propagation();
    })
}
