//! The scenario chooser: every built-in scenario with what it shows.

use wasm_bindgen::JsCast;
use web_sys::HtmlElement;
use yew::prelude::*;

use super::Dispatch;
use super::dialog::Modal;
use super::effects;
use super::element::{Attrs, Button, Markup, container};
use super::icons::Badge;
use super::run::{Place, Run};
use super::stage_panel::retry;
use super::state::{Action, Dialog, Index};
use super::words::Word;
use crate::scenario::{Entry, Family};
use crate::views::narration;
use crate::vocabulary::Lang;

/// The groups in their order.
const FAMILIES: [(Family, Word); 6] = [
    (Family::Redis, Word::GroupRedis),
    (Family::Redlock, Word::GroupRedlock),
    (Family::ZooKeeper, Word::GroupZooKeeper),
    (Family::Chubby, Word::GroupChubby),
    (Family::Database, Word::GroupDatabase),
    (Family::Model, Word::GroupModel),
];

/// The chooser over all scenarios.
pub(crate) fn chooser(index: &Index, run: &Run, lang: Lang, send: &Dispatch) -> Html {
    let content = match index {
        Index::Here(all) => groups(all, run, lang, send),
        Index::Missing => {
            let text = Markup::of("p", "", Word::IndexMissing.get(lang)).html();
            let again = retry(Action::Dialog(Some(Dialog::Chooser)), ".dialog-head button", lang, send);
            container("div", Attrs::class("dialog-body").role("alert"), vec![text, again])
        }
        Index::Unasked | Index::Coming => {
            let text = Markup::of("p", "", Word::Loading.get(lang)).html();
            container("div", Attrs::class("dialog-body").role("status"), vec![text])
        }
    };
    html! {
        <Modal title={Word::Scenarios.get(lang)} {lang} send={send.clone()} class="chooser">{ content }</Modal>
    }
}

fn groups(all: &[Entry], run: &Run, lang: Lang, send: &Dispatch) -> Html {
    let groups = FAMILIES.iter().filter(|(family, _)| all.iter().any(|one| one.family == *family));
    let groups = groups.map(|(family, name)| {
        let mut rows = vec![Markup::of("h3", "", name.get(lang)).html()];
        let own = all.iter().filter(|one| one.family == *family);
        rows.extend(own.map(|one| row(one, one.id == run.place.id, lang, send)));
        container("section", Attrs::default(), rows)
    });
    html! { <div onkeydown={Callback::from(|event: KeyboardEvent| move_focus(&event))}>{ for groups }</div> }
}

fn row(scenario: &Entry, on: bool, lang: Lang, send: &Dispatch) -> Html {
    let place = Place { id: scenario.id.clone(), variant: None };
    let onclick = Callback::from({
        let send = send.clone();
        move |_: MouseEvent| {
            send.emit(Action::Open(place.clone()));
            effects::close_dialog();
        }
    });
    let mut content = Markup::of("b", "", scenario.title.get(lang))
        .tag("small", "", scenario.summary.get(lang))
        .open("span", "shows")
        .tag("span", "hidden", Word::Shows.get(lang));
    for judge in &scenario.violated {
        let title = narration::judge_title(*judge, lang);
        content = content.open("span", "tag bad").draw(Badge::Bad.drawing()).say(title).close("span");
    }
    if scenario.violated.is_empty() {
        content = content.open("span", "tag ok").draw(Badge::Ok.drawing()).say(Word::AllHold.get(lang)).close("span");
    }
    let class = if on { "chooser-row on" } else { "chooser-row" };
    let button = Button { current: on.then_some("true".into()), focus: on, ..Button::class(class) };
    button.calls(onclick, content.close("span").html())
}

/// The arrow keys walk through the rows.
fn move_focus(event: &KeyboardEvent) {
    let by = match event.key().as_str() {
        "ArrowDown" => 1,
        "ArrowUp" => -1,
        _ => return,
    };
    event.prevent_default();
    let list = event.current_target().and_then(|list| list.dyn_into::<HtmlElement>().ok());
    effects::step_focus(list.as_ref(), ".chooser-row", by);
}
