//! The inspector: facts about what is selected, how it came to this, and the other runs that were made.

use std::rc::Rc;

use yew::{AttrValue, Html};

use super::Dispatch;
use super::element::{Attrs, Button, Markup, Part, choice, container, div};
use super::facts::{self, Sheet};
use super::format;
use super::icons::{Badge, Icon};
use super::names;
use super::run::Run;
use super::scene::Selection;
use super::state::{Action, Go, OpenMenu};
use super::words::Word;
use crate::history::{BranchInfo, History};
use crate::views::narration;
use crate::vocabulary::{Fault, FaultKind, Lang, LineIx, Matcher, NodeId, PauseCause, Span, Trigger};

/// The inspector.
#[derive(PartialEq)]
pub(crate) struct Inspector {
    /// The run on screen.
    pub(crate) run: Rc<Run>,
    /// Where the visitor is.
    pub(crate) cursor: Rc<History>,
    /// What is selected.
    pub(crate) selection: Option<Selection>,
    /// Whether it is open where it is a drawer.
    pub(crate) open: bool,
    /// The language.
    pub(crate) lang: Lang,
    /// Where actions go.
    pub(crate) send: Dispatch,
}

impl Part for Inspector {
    fn draw(&self) -> Html {
        let Self { cursor, selection, open, lang, send, .. } = self;
        let sheet = facts::sheet(cursor, *selection, *lang);
        let kind = sheet.as_ref().map_or(Word::Inspector, |sheet| sheet.kind).get(*lang);
        let close = Button { label: Some(Word::Close.get(*lang).into()), ..Button::class("tool only-drawer") };
        let close = close.sends(send, Action::ToggleDrawer, Markup::default().draw(Icon::Close.drawing()).html());
        let mut all = vec![div("kind", vec![Markup::of("span", "", kind).html(), close])];
        if let Some(sheet) = &sheet {
            all.extend([self.head(sheet), self.steps(sheet), self.branches(), self.foot(sheet)]);
        } else {
            all.extend([Markup::of("p", "route", Word::PressStep.get(*lang)).html(), self.branches()]);
        }
        let class = if *open { "insp open" } else { "insp" };
        container("aside", Attrs::class(class).id("inspector").label(Word::Inspector.get(*lang)), all)
    }
}

impl Inspector {
    /// Everything that is only to be read.
    fn head(&self, sheet: &Sheet) -> Html {
        let Self { run, lang, .. } = self;
        let number = match self.selection {
            Some(Selection::Node(id)) => names::client_number(&run.scenario.setup, id),
            _ => None,
        };
        let class = match number {
            Some(number) => [names::client_class(number), " client"].concat(),
            None if sheet.code => "mono".into(),
            None if sheet.sentence => "sentence".into(),
            None => String::new(),
        };
        let mut text = Markup::default().open("div", "").tag("h2", &class, &sheet.title);
        if let Some(route) = &sheet.route {
            text = text.tag("p", "route", route);
        }
        text = text.close("div");
        if let Some(note) = &sheet.note {
            text = remark(text, note.badge, &note.title, &note.text);
        }
        if let Some((judge, violation)) = sheet.step.and_then(|step| run.violation_at(step.0 + 1)) {
            let why = narration::why_sentence(&run.scenario.setup, &violation.why, *lang);
            text = remark(text, Badge::Bad, narration::judge_title(judge, *lang), &why);
        }
        if !sheet.facts.is_empty() {
            text = text.open("dl", "facts");
            for (name, value) in &sheet.facts {
                text = text.tag("dt", "", name).tag("dd", "", value);
            }
            text = text.close("dl");
        }
        text.html()
    }

    fn steps(&self, sheet: &Sheet) -> Html {
        if sheet.steps.is_empty() {
            return Html::default();
        }
        let Self { cursor, lang, .. } = self;
        let steps = sheet.steps.iter().map(|ix| {
            let (step, to) = (cursor.step(*ix), ix.0 + 1);
            let said = narration::phrase(&cursor.scenario().setup, &step.record, &step.world, *lang);
            self.entry("chain-go", &format::ms(step.record.at), &said, to == cursor.position(), Action::Go(Go::To(to)))
        });
        let title = Markup::of("h3", "", sheet.steps_title.get(*lang)).html();
        div("", vec![title, container("ol", Attrs::class("chain"), steps.collect())])
    }

    /// The runs that the visitor made by acting in the past; each can be gone back to.
    fn branches(&self) -> Html {
        let Self { cursor, lang, .. } = self;
        let all: Vec<BranchInfo> = cursor.branches().collect();
        if all.len() < 2 {
            return Html::default();
        }
        let entries = all.iter().map(|branch| {
            let title = match &branch.fault {
                None => Word::OriginalRun.get(*lang).to_owned(),
                Some(fault) => narration::fault_title(&cursor.scenario().setup, &fault.kind, *lang),
            };
            let at = branch.parent.map(|_| branch.forked_at.to_string()).unwrap_or_default();
            self.entry("branch-go", &at, &title, branch.current, Action::Switch(branch.id))
        });
        let title = Markup::of("h3", "", Word::Branches.get(*lang)).html();
        div("", vec![title, container("ol", Attrs::class("branches"), entries.collect())])
    }

    /// A row of a list: a number, words, and where they lead.
    fn entry(&self, class: &str, number: &str, words: &str, current: bool, action: Action) -> Html {
        let class = [class, if current { " now" } else { "" }].concat();
        let button = Button { current: current.then_some("true".into()), ..Button::class(class) };
        let content = Markup::of("span", "num", number).tag("span", "", words).html();
        container("li", Attrs::default(), vec![button.sends(&self.send, action, content)])
    }

    /// What can be done about it: its menu, or the way back to where it could still be changed.
    fn foot(&self, sheet: &Sheet) -> Html {
        let Self { run, selection, lang, send, .. } = self;
        let lang = *lang;
        match (*selection, sheet.back) {
            (Some(Selection::Packet(_)), Some(back)) => {
                let label = Markup::default().draw(Icon::Back.drawing()).say(Word::BackIntoFlight.get(lang)).say(", ");
                let label = label.say(&format::ms(run.pace.time(back))).say(" ms").html();
                div(
                    "foot",
                    vec![
                        Markup::of("span", "", Word::InFlightHint.get(lang)).html(),
                        Button::class("btn").sends(send, Action::Go(Go::To(back)), label),
                    ],
                )
            }
            (Some(target @ (Selection::Node(_) | Selection::Packet(_))), _) => {
                let label = Markup::of("span", "", Word::WhatHappensNow.get(lang)).tag("kbd", "", "Enter").html();
                let button = Button { popup: Some("menu".into()), ..Button::class("btn") };
                let mut all = vec![button.sends(send, Action::Menu(Some(OpenMenu::of(target))), label)];
                if let Selection::Node(id) = target {
                    all.extend(self.plan(id));
                }
                div("foot", all)
            }
            _ => Html::default(),
        }
    }

    /// A pause planned for one of a client's lines, wherever in the future it comes to it.
    fn plan(&self, id: NodeId) -> Option<Html> {
        let setup = &self.cursor.scenario().setup;
        let client = setup.client(id)?;
        let label = Word::PlanPause.get(self.lang);
        let mut names = vec![AttrValue::from(label)];
        let lines = client.program.iter().enumerate();
        names.extend(lines.map(|(ix, line)| {
            AttrValue::from([(ix + 1).to_string().as_str(), " · ", &setup.line_text(*line)].concat())
        }));
        let chosen = move |place: usize| {
            let line = LineIx(u16::try_from(place).ok()?.checked_sub(1)?);
            let on = Trigger::When { matcher: Matcher::Line { client: id, line, part: 0 }, nth: 1, after: Span::ZERO };
            let kind = FaultKind::Pause { node: id, length: Some(PAUSE), cause: PauseCause::Gc };
            Some(Action::Schedule(Fault { on, kind, until: None, twin: None }))
        };
        Some(choice(Attrs::class("choice").label(label), names, None, &self.send, chosen))
    }
}

/// Something unusual, in a box.
fn remark(text: Markup, badge: Badge, title: &str, words: &str) -> Markup {
    let text = text.open("div", &["note ", badge.class()].concat()).open("b", "").draw(badge.drawing());
    text.say(title).close("b").say(words).close("div")
}

/// The length of a planned pause.
const PAUSE: Span = Span::from_ms(12_000);
