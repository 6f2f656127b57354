//! Dialogs: the browser's own, so that focus stays inside and returns to where it came from.

use yew::prelude::*;

use super::Dispatch;
use super::effects;
use super::element::{Button, Markup, div};
use super::icons::Icon;
use super::state::Action;
use super::words::Word;
use crate::vocabulary::Lang;

/// What a dialog consists of.
#[derive(Properties, PartialEq)]
pub(crate) struct ModalProps {
    /// Its title.
    pub(crate) title: AttrValue,
    /// The language.
    pub(crate) lang: Lang,
    /// Where actions go.
    pub(crate) send: Dispatch,
    /// A class beside its own.
    #[prop_or_default]
    pub(crate) class: AttrValue,
    /// Its content.
    pub(crate) children: Html,
}

/// A modal dialog with a title and a button that closes it.
#[component]
pub(crate) fn Modal(props: &ModalProps) -> Html {
    let ModalProps { title, lang, send, class, children } = props;
    let dialog = use_node_ref();
    use_effect_with((), {
        let dialog = dialog.clone();
        move |()| effects::show_modal(&dialog)
    });
    let onclose = send.reform(|_: Event| Action::Dialog(None));
    // A click on the veil has the dialog itself as its target.
    let onclick = Callback::from(|event: MouseEvent| {
        if event.target() == event.current_target() {
            effects::close_dialog();
        }
    });
    let close = Button { label: Some(Word::Close.get(*lang).into()), ..Button::class("tool") };
    let close = close.calls(
        Callback::from(|_: MouseEvent| effects::close_dialog()),
        Markup::default().draw(Icon::Close.drawing()).html(),
    );
    html! {
        <dialog ref={dialog} class={class} aria-label={title} {onclose} {onclick}>
            { div("dialog-head", vec![Markup::of("h2", "", title).html(), close]) }
            { children.clone() }
        </dialog>
    }
}

/// The keys with what they do.
const KEYS: &[(&[&str], Word)] = &[
    (&["Space"], Word::KeysPlay),
    (&["→", "←"], Word::KeysStep),
    (&["Shift →", "Shift ←"], Word::KeysStory),
    (&["Home", "End"], Word::KeysEnds),
    (&["[", "]"], Word::KeysSpeed),
    (&["1", "…", "9"], Word::KeysNode),
    (&["Enter"], Word::KeysMenu),
    (&["P"], Word::KeysPause),
    (&["C"], Word::KeysClock),
    (&["X"], Word::KeysCrash),
    (&["L"], Word::KeysLose),
    (&["Z", "Shift Z"], Word::KeysUndo),
    (&["V"], Word::KeysViolation),
    (&["?"], Word::KeysHelp),
];

/// How to use the page, and its keys.
pub(crate) fn help(lang: Lang, send: &Dispatch) -> Html {
    let mut text = Markup::default().open("div", "dialog-body").tag("p", "", Word::HelpIntro.get(lang));
    text = text.open("p", "").say(Word::HelpShell.get(lang)).say(" ").say(Word::HelpRed.get(lang)).close("p");
    text = text.tag("h3", "", Word::HelpKeys.get(lang)).open("dl", "keys");
    for (keys, what) in KEYS {
        text = text.open("dt", "");
        for key in *keys {
            text = text.tag("kbd", "", key).say(" ");
        }
        text = text.close("dt").tag("dd", "", what.get(lang));
    }
    html! {
        <Modal title={Word::HelpTitle.get(lang)} {lang} send={send.clone()}>{ text.close("dl").close("div").html() }</Modal>
    }
}
