//! The header: which scenario, which language, which theme, help.

use std::rc::Rc;

use yew::prelude::*;

use super::Dispatch;
use super::icons::{Icon, logo};
use super::run::Run;
use super::state::{Action, Dialog, Settings, Theme};
use super::words::Word;
use crate::scenario;
use crate::vocabulary::Lang;

/// What the header shows.
#[derive(Properties, PartialEq)]
pub(crate) struct HeaderProps {
    /// The run on screen.
    pub(crate) run: Rc<Run>,
    /// What the visitor prefers.
    pub(crate) settings: Settings,
    /// Whether the chooser is open.
    pub(crate) choosing: bool,
    /// Whether the inspector's drawer is open.
    pub(crate) drawer: bool,
    /// Whether the tools are open where they are a menu.
    pub(crate) tools: bool,
    /// Where actions go.
    pub(crate) send: Dispatch,
}

/// The header.
#[component]
pub(crate) fn Header(props: &HeaderProps) -> Html {
    let HeaderProps { run, settings, choosing, drawer, tools, send } = props;
    let lang = settings.lang;
    let ids = scenario::builtin();
    let place = ids.iter().position(|id| *id == run.place.id).map(|ix| place_text(ix + 1, ids.len(), lang));
    let theme = match settings.theme {
        Theme::System => Word::ThemeSystem,
        Theme::Light => Word::ThemeLight,
        Theme::Dark => Word::ThemeDark,
    };
    let theme_title = [Word::Theme.get(lang), ": ", theme.get(lang)].concat();
    html! {
        <header class="bar">
            <span class="logo">{ logo() }<b>{ "Lockstep" }</b></span>
            <button class="pick" id="pick" aria-haspopup="dialog" aria-expanded={choosing.to_string()}
                aria-label={[Word::Scenario.get(lang), ": ", run.scenario.title.get(lang)].concat()}
                onclick={send.reform(|_| Action::Dialog(Some(Dialog::Chooser)))}>
                <b>{ run.scenario.title.get(lang) }</b>
                if let Some(place) = place { <small>{ place }</small> }
                { Icon::Chevron.draw() }
            </button>
            <span class="grow" />
            <button class="tool tools-button" aria-label={Word::Tools.get(lang)} aria-expanded={tools.to_string()} aria-controls="tools"
                onclick={send.reform(|_| Action::ToggleTools)}>{ Icon::Menu.draw() }</button>
            <div class={classes!("tools", tools.then_some("open"))} id="tools">
                <button class="tool only-drawer" aria-expanded={drawer.to_string()} aria-controls="inspector"
                    onclick={send.reform(|_| Action::ToggleDrawer)}>{ Icon::List.draw() }{ Word::Details.get(lang) }</button>
                { languages(lang, send) }
                <button class="tool" title={theme_title.clone()} aria-label={theme_title}
                    onclick={send.reform(|_| Action::NextTheme)}>{ Icon::Theme.draw() }{ Word::Theme.get(lang) }</button>
                <button class="tool" aria-haspopup="dialog"
                    onclick={send.reform(|_| Action::Dialog(Some(Dialog::Help)))}>{ Icon::Help.draw() }{ Word::Help.get(lang) }</button>
            </div>
        </header>
    }
}

/// One button that shows both languages and turns to the other.
fn languages(lang: Lang, send: &Dispatch) -> Html {
    let other = if lang == Lang::En { Lang::Ko } else { Lang::En };
    let label = if lang == Lang::En { "한국어로 보기" } else { "Read in English" };
    let on = |one: Lang| (one == lang).then_some("on");
    html! {
        <button class="tool" lang={other.name()} aria-label={label} onclick={send.reform(move |_| Action::SetLang(other))}>
            <span class={classes!(on(Lang::En))}>{ "EN" }</span>
            <span class={classes!(on(Lang::Ko))}>{ "한국어" }</span>
        </button>
    }
}

fn place_text(place: usize, of: usize, lang: Lang) -> String {
    match lang {
        Lang::En => format!("{place} of {of}"),
        Lang::Ko => format!("{of}개 중 {place}"),
    }
}
