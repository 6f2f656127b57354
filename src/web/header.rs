//! The header: which scenario, which language, which theme, help.

use std::rc::Rc;

use yew::Html;

use super::Dispatch;
use super::element::{Attrs, Button, Markup, Part, container};
use super::icons::{Icon, LOGO};
use super::run::Run;
use super::state::{Action, Dialog, Settings, Theme};
use super::words::Word;
use crate::scenario;
use crate::vocabulary::Lang;

/// The header.
#[derive(PartialEq)]
pub(crate) struct Header {
    /// The run on screen.
    pub(crate) run: Rc<Run>,
    /// The title of a scenario whose file is on its way.
    pub(crate) coming: Option<String>,
    /// What the visitor prefers.
    pub(crate) settings: Settings,
    /// The dialog that is open.
    pub(crate) dialog: Option<Dialog>,
    /// Whether the inspector's drawer is open.
    pub(crate) drawer: bool,
    /// Whether the tools are open where they are a menu.
    pub(crate) tools: bool,
    /// Whether two runs are compared.
    pub(crate) comparing: bool,
    /// Where actions go.
    pub(crate) send: Dispatch,
}

impl Part for Header {
    fn draw(&self) -> Html {
        let Self { tools, send, settings, .. } = self;
        let menu = Button {
            label: Some(Word::Tools.get(settings.lang).into()),
            expanded: Some(*tools),
            ..Button::class("tool tools-button")
        };
        let class = if *tools { "tools open" } else { "tools" };
        container(
            "header",
            Attrs::class("bar"),
            vec![
                Markup::default().draw(LOGO).html(),
                self.pick(),
                Markup::of("span", "grow", "").html(),
                menu.sends(send, Action::ToggleTools, Markup::default().draw(Icon::Menu.drawing()).html()),
                container("div", Attrs::class(class), self.tools()),
            ],
        )
    }
}

impl Header {
    /// The button that opens the chooser.
    fn pick(&self) -> Html {
        let (run, lang) = (&self.run, self.settings.lang);
        let title = self.coming.as_deref().unwrap_or_else(|| run.scenario.title.get(lang));
        let ids = scenario::builtin();
        let mut content =
            Markup::default().open("span", "hidden").say(Word::Scenario.get(lang)).say(": ").close("span");
        content = content.tag("b", "", title);
        if self.coming.is_some() {
            content = content.tag("small", "", Word::Loading.get(lang));
        } else if let Some(ix) = ids.iter().position(|id| *id == run.place.id) {
            content = content.tag("small", "", &place_text(ix + 1, ids.len(), lang));
        }
        let button = Button {
            id: Some("pick".into()),
            popup: Some("dialog".into()),
            expanded: Some(self.dialog == Some(Dialog::Chooser)),
            ..Button::class("pick")
        };
        let content = content.draw(Icon::Chevron.drawing()).html();
        button.sends(&self.send, Action::Dialog(Some(Dialog::Chooser)), content)
    }

    fn tools(&self) -> Vec<Html> {
        let Self { settings: Settings { lang, theme, .. }, send, .. } = self;
        let lang = *lang;
        let named = |icon: Icon, word: Word| Markup::default().draw(icon.drawing()).say(word.get(lang)).html();
        let known =
            |icon: Icon, word: Word| Markup::default().draw(icon.drawing()).tag("span", "w", word.get(lang)).html();
        let theme = match theme {
            Theme::System => Word::ThemeSystem,
            Theme::Light => Word::ThemeLight,
            Theme::Dark => Word::ThemeDark,
        };
        let title = [Word::Theme.get(lang), ": ", theme.get(lang)].concat().into();
        let details = Button { expanded: Some(self.drawer), ..Button::class("tool only-drawer") };
        let themes = Button { title: Some(title), ..Button::class("tool") };
        let help =
            Button { title: Some(Word::Help.get(lang).into()), popup: Some("dialog".into()), ..Button::class("tool") };
        let mut all =
            vec![details.sends(send, Action::ToggleDrawer, named(Icon::List, Word::Details)), languages(lang, send)];
        if !self.run.scenario.variants.is_empty() {
            let compare = Button { pressed: Some(self.comparing), ..Button::class("tool") };
            all.push(compare.sends(send, Action::ToggleCompare, named(Icon::Compare, Word::Compare)));
        }
        all.extend([
            themes.sends(send, Action::NextTheme, known(Icon::Theme, Word::Theme)),
            help.sends(send, Action::Dialog(Some(Dialog::Help)), known(Icon::Help, Word::Help)),
        ]);
        all
    }
}

/// One button that shows both languages and turns to the other.
fn languages(lang: Lang, send: &Dispatch) -> Html {
    let (other, label) = match lang {
        Lang::En => (Lang::Ko, "한국어로 보기"),
        Lang::Ko => (Lang::En, "Read in English"),
    };
    let on = |one: Lang| if one == lang { "on" } else { "" };
    let content = Markup::of("span", on(Lang::En), "EN").tag("span", on(Lang::Ko), "한국어");
    let content = content.tag("span", "hidden", label).html();
    let button = Button { lang: Some(other.name().into()), ..Button::class("tool") };
    button.sends(send, Action::SetLang(other), content)
}

fn place_text(place: usize, of: usize, lang: Lang) -> String {
    match lang {
        Lang::En => format!("{place} of {of}"),
        Lang::Ko => format!("{of}개 중 {place}"),
    }
}
