//! The scenario chooser: every built-in scenario with what it shows.

use std::rc::Rc;

use wasm_bindgen::JsCast;
use web_sys::HtmlElement;
use yew::prelude::*;

use super::Dispatch;
use super::dialog::Modal;
use super::icons::Badge;
use super::run::{Place, Run};
use super::state::Action;
use super::words::Word;
use crate::scenario::{self, Family, Scenario};
use crate::views::narration;
use crate::vocabulary::Lang;

/// What the chooser shows.
#[derive(Properties, PartialEq)]
pub(crate) struct ChooserProps {
    /// The run on screen.
    pub(crate) run: Rc<Run>,
    /// The language.
    pub(crate) lang: Lang,
    /// Where actions go.
    pub(crate) send: Dispatch,
}

/// The scenario chooser.
#[component]
pub(crate) fn Chooser(props: &ChooserProps) -> Html {
    let ChooserProps { run, lang, send } = props;
    let lang = *lang;
    // Reading every file takes a while, so it is done once for each opening and not before.
    let all = use_memo((), |()| {
        scenario::builtin().iter().filter_map(|id| scenario::load(id).ok()).collect::<Vec<Scenario>>()
    });
    html! {
        <Modal title={Word::Scenarios.get(lang)} {lang} send={send.clone()} class="chooser">
            <div class="chooser-list" onkeydown={Callback::from(|event: KeyboardEvent| move_focus(&event))}>
                { for FAMILIES.iter().filter(|(family, _)| all.iter().any(|one| one.family == *family)).map(|(family, name)| html! {
                    <section>
                        <h3>{ name.get(lang) }</h3>
                        { for all.iter().filter(|one| one.family == *family).map(|one| row(one, one.id == run.place.id, lang, send)) }
                    </section>
                }) }
            </div>
        </Modal>
    }
}

fn row(scenario: &Scenario, on: bool, lang: Lang, send: &Dispatch) -> Html {
    let place = Place { id: scenario.id.clone(), variant: None };
    let onclick = Callback::from({
        let send = send.clone();
        move |_: MouseEvent| {
            send.emit(Action::Open(place.clone()));
            super::effects::close_dialog();
        }
    });
    let violated = scenario.expect.violated.iter().map(|expected| {
        html! { <span class="tag bad">{ Badge::Bad.draw(true) }{ narration::judge_title(expected.judge, lang) }</span> }
    });
    html! {
        <button class={classes!("chooser-row", on.then_some("on"))} aria-current={on.then_some("true")} autofocus={on} {onclick}>
            <b>{ scenario.title.get(lang) }</b>
            <small>{ scenario.summary.get(lang) }</small>
            <span class="shows">
                <span class="hidden">{ Word::Shows.get(lang) }{ ": " }</span>
                { for violated }
                if scenario.expect.violated.is_empty() {
                    <span class="tag ok">{ Badge::Ok.draw(true) }{ Word::AllHold.get(lang) }</span>
                }
            </span>
        </button>
    }
}

/// The groups in their order.
const FAMILIES: [(Family, Word); 6] = [
    (Family::Redis, Word::GroupRedis),
    (Family::Redlock, Word::GroupRedlock),
    (Family::ZooKeeper, Word::GroupZooKeeper),
    (Family::Chubby, Word::GroupChubby),
    (Family::Database, Word::GroupDatabase),
    (Family::Model, Word::GroupModel),
];

/// The arrow keys walk through the rows.
fn move_focus(event: &KeyboardEvent) {
    let by = match event.key().as_str() {
        "ArrowDown" => 1,
        "ArrowUp" => -1,
        _ => return,
    };
    event.prevent_default();
    let list = event.current_target().and_then(|list| list.dyn_into::<HtmlElement>().ok());
    super::effects::step_focus(list.as_ref(), ".chooser-row", by);
}
