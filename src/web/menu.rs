//! The menu of a node or packet: what can happen to it now, with sizes where they matter.

use std::rc::Rc;

use wasm_bindgen::JsCast;
use web_sys::{HtmlElement, HtmlInputElement};
use yew::prelude::*;

use super::Dispatch;
use super::effects;
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
            entries.iter().find(|entry| entry.verb == verb).map(|entry| choices(setup, menu.target, entry, lang, send))
        }
        level => Some(rows(setup, menu.target, &entries, level, lang, send)),
    };
    let title = title(setup, cursor, menu.target, lang);
    let label = [title.as_str(), ": ", Word::WhatHappensNow.get(lang)].concat();
    html! {
        <div ref={node} class="menu" role="menu" aria-label={label.clone()} onkeydown={keys(&entries, menu, send)}>
            <div class="menu-head" role="presentation">
                if let Some(above) = menu.above() {
                    <button tabindex="-1" onclick={send.reform(move |_| Action::Menu(Some(above)))}>{ "‹ " }{ title }</button>
                } else {
                    <span>{ label }</span>
                }
                <span class="num">{ Word::UndoesIt.get(lang) }</span>
            </div>
            { for content }
            if entries.is_empty() { <p class="menu-own">{ Word::NothingPossible.get(lang) }</p> }
        </div>
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
fn rows(setup: &Setup, target: Selection, entries: &[Entry], level: Level, lang: Lang, send: &Dispatch) -> Html {
    let here = |entry: &&Entry| entry.verb.is_first() == (level == Level::Top);
    let more = level == Level::Top && entries.iter().any(|entry| !entry.verb.is_first());
    let deeper = Action::Menu(Some(OpenMenu { target, level: Level::More }));
    html! {
        <>
            { for entries.iter().filter(here).map(|entry| row(setup, target, entry, lang, send)) }
            if more {
                <button class="menu-row" role="menuitem" tabindex="-1" key="more" aria-haspopup="menu"
                    onclick={send.reform(move |_| deeper.clone())}>
                    { Icon::List.draw() }<span>{ Word::More.get(lang) }<small>{ Word::MoreText.get(lang) }</small></span>
                </button>
            }
        </>
    }
}

/// An entry: acts if there is nothing to choose.
fn row(setup: &Setup, target: Selection, entry: &Entry, lang: Lang, send: &Dispatch) -> Html {
    let (first, verb) = (entry.choices[0].kind, entry.verb);
    let one = entry.only().is_some();
    let label = match verb.label() {
        Some(word) if !one => word.get(lang).to_owned(),
        _ => narration::fault_title(setup, &first, lang),
    };
    let action =
        if one { Action::Act(first) } else { Action::Menu(Some(OpenMenu { target, level: Level::Choices(verb) })) };
    let key = verb.key().map(|key| key.to_ascii_uppercase().to_string());
    html! {
        <button class="menu-row" role="menuitem" tabindex="-1" key={verb as usize} aria-haspopup={(!one).then_some("menu")}
            onclick={send.reform(move |_| action.clone())}>
            { Icon::of_verb(verb).draw() }
            <span>{ label }<small>{ narration::fault_effect(setup, &first, lang) }</small></span>
            if let Some(key) = key { <kbd>{ key }</kbd> }
        </button>
    }
}

/// The sizes of one entry, and a field for an own one.
fn choices(setup: &Setup, target: Selection, entry: &Entry, lang: Lang, send: &Dispatch) -> Html {
    html! {
        <>
            { for entry.choices.iter().enumerate().map(|(ix, choice)| {
                let kind = choice.kind;
                html! {
                    <button class="menu-row" role="menuitem" tabindex="-1" key={ix} onclick={send.reform(move |_| Action::Act(kind))}>
                        { Icon::of_verb(entry.verb).draw() }
                        <span>
                            { narration::fault_title(setup, &kind, lang) }
                            if let Some(small) = remark(setup, target, choice, lang) { <small>{ small }</small> }
                        </span>
                    </button>
                }
            }) }
            if entry.sized { <OwnSize kind={entry.choices[0].kind} {lang} send={send.clone()} /> }
        </>
    }
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

#[derive(Properties, PartialEq)]
struct OwnSizeProps {
    kind: FaultKind,
    lang: Lang,
    send: Dispatch,
}

/// A field for an own size in milliseconds.
#[component]
fn OwnSize(props: &OwnSizeProps) -> Html {
    let OwnSizeProps { kind, lang, send } = props;
    let (kind, field) = (*kind, use_node_ref());
    let act = Callback::from({
        let (field, send) = (field.clone(), send.clone());
        move |()| {
            let size = field.cast::<HtmlInputElement>().and_then(|field| field.value().trim().parse().ok());
            if let Some(fault) = size.and_then(|ms| moves::with_size(kind, ms)) {
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
    html! {
        <div class="menu-own" role="presentation">
            <label>
                { Word::OwnSize.get(*lang) }
                <input ref={field} class="field num" type="text" inputmode="numeric" autocomplete="off" maxlength="9" {onkeydown} />
            </label>
            <button class="btn" role="menuitem" tabindex="-1" onclick={act.reform(|_: MouseEvent| ())}>{ Word::Apply.get(*lang) }</button>
        </div>
    }
}

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
