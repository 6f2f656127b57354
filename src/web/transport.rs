//! The controls of time: back, play, step with what comes next, speed, undo and redo, the next violation.

use std::rc::Rc;

use yew::Html;

use super::Dispatch;
use super::element::{Attrs, Button, Markup, Part, choice, container, div, range};
use super::format;
use super::icons::Icon;
use super::run::Run;
use super::slider;
use super::state::{Action, Go, Speed, Zoom};
use super::words::Word;
use crate::history::History;
use crate::views::narration;
use crate::vocabulary::{Lang, Span, StepIx};

/// The controls of time.
#[derive(PartialEq)]
pub(crate) struct Transport {
    /// The run on screen.
    pub(crate) run: Rc<Run>,
    /// Where the visitor is.
    pub(crate) cursor: Rc<History>,
    /// Whether it plays.
    pub(crate) playing: bool,
    /// How fast.
    pub(crate) speed: Speed,
    /// How near the diagram is.
    pub(crate) zoom: Zoom,
    /// Whether something can be taken back.
    pub(crate) can_undo: bool,
    /// Whether something can be made again.
    pub(crate) can_redo: bool,
    /// The language.
    pub(crate) lang: Lang,
    /// Where actions go.
    pub(crate) send: Dispatch,
}

impl Part for Transport {
    fn draw(&self) -> Html {
        let Self { run, cursor, lang, .. } = self;
        let (wait, sentence) = next_event(run, cursor, *lang);
        let mut next = Markup::of("b", "", Word::Next.get(*lang)).say(" ");
        if let Some(wait) = wait {
            next = next.tag("span", "num", &wait).say(" ");
        }
        let next = next.say("· ").say(&sentence).html();
        container(
            "section",
            Attrs::class("transport").label(Word::Controls.get(*lang)),
            vec![
                div("drive", self.drive(&sentence)),
                container("p", Attrs::class("next"), vec![next]),
                div("more", self.more()),
            ],
        )
    }
}

impl Transport {
    /// The four buttons that move through the run, and the scrubber where there is no diagram to drag.
    fn drive(&self, sentence: &str) -> Vec<Html> {
        let Self { run, cursor, playing, lang, send, .. } = self;
        let position = cursor.position();
        let (play, play_icon) = if *playing { (Word::Pause, Icon::Pause) } else { (Word::Play, Icon::Play) };
        let word = Word::Step.get(*lang);
        let step = Markup::default().draw(Icon::Step.drawing()).open("span", "w").say(word).tag("small", "", sentence);
        let step = step.close("span").draw(KEY).say("→").close("kbd").html();
        let go = Button { disabled: position == run.len, ..Button::class("tb go") };
        vec![
            self.scrubber(position),
            self.button("tb to-start", (Word::Start, Icon::Start, ""), position > 0, Action::Go(Go::Start)),
            self.button("tb line back", (Word::Back, Icon::Back, "←"), position > 0, Action::Go(Go::Back)),
            self.button("tb line play", (play, play_icon, "Space"), true, Action::TogglePlay),
            go.sends(send, Action::Go(Go::Step), step),
        ]
    }

    fn more(&self) -> Vec<Html> {
        let Self { run, speed, can_undo, can_redo, lang, send, .. } = self;
        let speeds = Speed::ALL.iter().map(|one| one.label().into()).collect();
        let selected = Speed::ALL.iter().position(|one| one == speed);
        let choose = |place: usize| Speed::ALL.get(place).copied().map(Action::SetSpeed);
        let rule = || Markup::of("span", "rule", "").html();
        let violated = !run.violations.is_empty();
        vec![
            choice(Attrs::class("speed").label(Word::Speed.get(*lang)), speeds, selected, send, choose),
            rule(),
            self.button("tb", (Word::Undo, Icon::Undo, "Z"), *can_undo, Action::Undo),
            self.button("tb", (Word::Redo, Icon::Redo, ""), *can_redo, Action::Redo),
            Markup::of("span", "rule zooming", "").html(),
            self.zoom_button(false),
            Markup::of("span", "zoom-word zooming", Word::Zoom.get(*lang)).html(),
            self.zoom_button(true),
            rule(),
            self.button("tb", (Word::NextViolation, Icon::Flag, "V"), violated, Action::Go(Go::NextViolation)),
        ]
    }

    fn zoom_button(&self, nearer: bool) -> Html {
        let what = if nearer { (Word::ZoomIn, Icon::Plus, "") } else { (Word::ZoomOut, Icon::Minus, "") };
        let to = self.zoom.moved(nearer);
        self.button("tb zooming", what, to.is_some(), Action::SetZoom(to.unwrap_or(self.zoom)))
    }

    /// A button. Its word is shown where it has a key; else it appears when somebody points at it.
    fn button(&self, class: &'static str, what: (Word, Icon, &str), enabled: bool, action: Action) -> Html {
        let (word, icon, key) = what;
        let word = word.get(self.lang);
        let content = Markup::default().draw(icon.drawing());
        let button = Button { disabled: !enabled, ..Button::class(class) };
        if key.is_empty() {
            let named = Button { label: Some(word.into()), title: Some(word.into()), ..button };
            return named.sends(&self.send, action, content.html());
        }
        let content = content.tag("span", "w", word).draw(KEY).say(key).close("kbd");
        button.sends(&self.send, action, content.html())
    }

    /// A slider over all positions, with a flag where a violation becomes known.
    fn scrubber(&self, position: u32) -> Html {
        let Self { run, lang, send, .. } = self;
        let share = |at: u32| slider::Share::of(at.into(), 0, run.len.into());
        let flags = run.violations.iter().map(|at| slider::Mark { at: share(*at), flag: true, label: None });
        let values = (0, run.len.into(), 1, position.into());
        let moved = |to: i64| u32::try_from(to).ok().map(|to| Action::Go(Go::To(to)));
        div(
            "scrub",
            vec![
                slider::rail(share(position), flags),
                range(values, Some(Word::Position.get(*lang).into()), send, moved),
            ],
        )
    }
}

/// The key of a button is for the eyes: screen readers have keys of their own.
const KEY: &str = "<kbd aria-hidden='true'>";

/// How long until the next event, and what it will be.
fn next_event(run: &Run, history: &History, lang: Lang) -> (Option<String>, String) {
    let position = history.position();
    if position == run.len {
        return (None, Word::RunIsOver.get(lang).into());
    }
    let step = history.step(StepIx(position));
    let wait = step.record.at.since(run.pace.time(position));
    let wait_text = match wait {
        Span::ZERO => Word::AtOnce.get(lang).into(),
        wait => ["+", &format::with_unit(wait)].concat(),
    };
    (Some(wait_text), narration::phrase(&run.scenario.setup, &step.record, &step.world, lang))
}
