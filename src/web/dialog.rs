//! Dialogs: the browser's own, so that focus stays inside and returns to where it came from.

use yew::prelude::*;

use super::Dispatch;
use super::effects;
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
    pub(crate) class: Classes,
    /// Its content.
    pub(crate) children: Children,
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
    html! {
        <dialog ref={dialog} class={class.clone()} aria-labelledby="dialog-title" {onclose} {onclick}>
            <div class="dialog-head">
                <h2 id="dialog-title">{ title }</h2>
                <button class="tool" aria-label={Word::Close.get(*lang)} onclick={Callback::from(|_: MouseEvent| effects::close_dialog())}>
                    { Icon::Close.draw() }
                </button>
            </div>
            { for children.iter() }
        </dialog>
    }
}

/// What help shows.
#[derive(Properties, PartialEq)]
pub(crate) struct HelpProps {
    /// The language.
    pub(crate) lang: Lang,
    /// Where actions go.
    pub(crate) send: Dispatch,
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
#[component]
pub(crate) fn Help(props: &HelpProps) -> Html {
    let HelpProps { lang, send } = props;
    let lang = *lang;
    html! {
        <Modal title={Word::HelpTitle.get(lang)} {lang} send={send.clone()}>
            <div class="dialog-body">
                <p>{ Word::HelpIntro.get(lang) }</p>
                <p>{ Word::HelpShell.get(lang) }{ " " }{ Word::HelpRed.get(lang) }</p>
                <h3>{ Word::HelpKeys.get(lang) }</h3>
                <dl class="keys">
                    { for KEYS.iter().map(|(keys, what)| html! {
                        <>
                            <dt>{ for keys.iter().map(|key| html! { <><kbd>{ *key }</kbd>{ " " }</> }) }</dt>
                            <dd>{ what.get(lang) }</dd>
                        </>
                    }) }
                </dl>
            </div>
        </Modal>
    }
}
