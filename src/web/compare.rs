//! Two runs side by side: what differs, where they part, and what the judges say of each.

use std::rc::Rc;

use yew::prelude::*;

use super::Dispatch;
use super::diagram::{Beside, Half};
use super::element::{Attrs, Button, Markup, Part, choice, container, div, part};
use super::format;
use super::icons::{Badge, Icon};
use super::run::Run;
use super::scene::ByAddress;
use super::stage_panel::{DiagramPanel, StageRoom};
use super::state::{Action, Against, App, Go, Rival};
use super::words::Word;
use crate::history::History;
use crate::scenario::{Control, ControlRange};
use crate::verdicts::Verdict;
use crate::views::narration;
use crate::vocabulary::{JudgeName, Lang, StepIx};

/// The letters by which the page tells the two apart.
const TAGS: [&str; 2] = ["A", "B"];

/// The line over the two: what is compared, and where they part.
pub(crate) fn bar(app: &App, rival: &Rival, send: &Dispatch) -> Html {
    let (lang, rivals) = (app.settings.lang, app.rivals());
    let names = rivals.iter().map(|one| against_name(&app.run, one, lang).into()).collect();
    let selected = rivals.iter().position(|one| *one == rival.against);
    let chosen = move |place: usize| rivals.get(place).cloned().map(Action::Compare);
    let same_faults = app.run.scenario.faults == rival.run.scenario.faults;
    let said = if same_faults { Word::SameFaults } else { Word::OtherFaults };
    let list = choice(Attrs::class("choice").label(Word::CompareWith.get(lang)), names, selected, send, chosen);
    let mut all = vec![
        Markup::of("b", "", said.get(lang)).html(),
        container(
            "label",
            Attrs::class("against"),
            vec![Markup::of("span", "", Word::CompareWith.get(lang)).html(), list],
        ),
        parting(app, rival).html(),
    ];
    if let Some(step) = rival.parting() {
        let go = Markup::default().draw(Icon::Flag.drawing()).say(Word::GoThere.get(lang)).html();
        all.push(Button::class("tb line").sends(send, Action::Go(Go::To(step + 1)), go));
    }
    let close = Button { label: Some(Word::EndCompare.get(lang).into()), ..Button::class("tool") };
    all.push(close.sends(send, Action::ToggleCompare, Markup::default().draw(Icon::Close.drawing()).html()));
    container("section", Attrs::class("compare-bar").label(Word::Compare.get(lang)), all)
}

/// Where the two part, in a sentence: what the one does there, and what the other.
fn parting(app: &App, rival: &Rival) -> Markup {
    let lang = app.settings.lang;
    let text = Markup::default().open("span", "grow parted");
    let Some(step) = rival.parting() else {
        let word = if app.run.len == rival.run.len { Word::NoDifference } else { Word::OneGoesOn };
        return text.say(word.get(lang)).close("span");
    };
    let sides = [(&app.run, &*app.cursor), (&rival.run, &*rival.cursor)].map(|(run, history)| {
        let step = history.step(StepIx(step));
        (step.record.at, narration::phrase(&run.scenario.setup, &step.record, &step.world, lang))
    });
    let [(one_at, one), (other_at, other)] = sides;
    let when = [&format::ms(one_at.min(other_at)), " ms"].concat();
    let text = text.say(Word::DifferFirst.get(lang)).say(" ").tag("b", "num", &when).say(": ");
    text.tag("b", "", TAGS[0]).say(" ").say(&one).say("; ").tag("b", "", TAGS[1]).say(" ").say(&other).close("span")
}

/// The two stages.
pub(crate) fn stages(app: &App, rival: &Rival, send: &Dispatch) -> Html {
    let lang = app.settings.lang;
    let names = [design(&app.run, &rival.run, lang), design(&rival.run, &app.run, lang)];
    let heads = [(&app.run, &app.cursor), (&rival.run, &rival.cursor)].into_iter().zip(TAGS).zip(names);
    let mut heads = heads.map(|(((run, cursor), tag), name)| {
        part(SideHead { tag, name, run: run.clone(), cursor: cursor.clone(), lang })
    });
    let (one, other) = (heads.next().unwrap_or_default(), heads.next().unwrap_or_default());
    let looks_only = send.reform(|action| match action {
        Action::Press(target) | Action::AskMenu(target) => Action::Select(Some(target)),
        other => other,
    });
    html! {
        <>
            <section class="side" aria-label="A">{ one }<StageRoom scene={app.scene()} send={send.clone()} /></section>
            <section class="side" aria-label="B">{ other }<StageRoom scene={app.scene_of(rival)} send={looks_only} /></section>
        </>
    }
}

/// The two diagrams on one axis.
pub(crate) fn diagrams(app: &App, rival: &Rival, send: &Dispatch) -> Html {
    let parting = rival.parting().map(|step| {
        let at = |history: &History| history.step(StepIx(step)).record.at;
        at(&app.cursor).min(at(&rival.cursor))
    });
    let beside = |run: &Run, half: Half| Beside { tracks: ByAddress(Rc::clone(&run.tracks)), half, parting };
    // Where the other run is pressed, time is meant.
    let (run, same) = (Rc::clone(&rival.run), rival.same);
    let by_time = send.reform(move |action| match action {
        Action::Go(Go::To(to)) if to > same => Action::Go(Go::At(run.pace.time(to))),
        Action::Select(_) => Action::Select(None),
        other => other,
    });
    html! {
        <div class="diagram-pair">
            <DiagramPanel whole=true tag={TAGS[0]} scene={app.scene()} zoom={app.zoom} send={send.clone()}
                beside={beside(&rival.run, Half::Upper)} />
            <DiagramPanel whole=true tag={TAGS[1]} scene={app.scene_of(rival)} zoom={app.zoom} send={by_time}
                beside={beside(&app.run, Half::Lower)} />
        </div>
    }
}

/// The verdicts of both.
#[derive(PartialEq)]
pub(crate) struct Verdicts {
    /// The two runs.
    pub(crate) runs: [Rc<Run>; 2],
    /// Where the visitor is in each.
    pub(crate) cursors: [Rc<History>; 2],
    /// The language.
    pub(crate) lang: Lang,
}

impl Part for Verdicts {
    fn draw(&self) -> Html {
        let lang = self.lang;
        let both = [0, 1].map(|ix| self.runs[ix].judged.at(&self.cursors[ix], self.cursors[ix].position()));
        let pairs = both[0].iter().zip(&both[1]).filter(|((judge, _), _)| *judge != JudgeName::Divergence);
        let (mut cells, mut differing) = (Vec::new(), 0);
        for ((judge, one), (_, other)) in pairs {
            let differs = one.is_violated() != other.is_violated();
            differing += usize::from(differs);
            cells.push(cell(*judge, [one, other], differs, lang));
        }
        let lead = Markup::of("b", "", &count_text(differing, cells.len(), lang));
        let lead = lead.tag("small", "", Word::AtThisInstant.get(lang)).html();
        container(
            "section",
            Attrs::class("verdicts").label(Word::Verdicts.get(lang)),
            vec![div("lead", vec![lead]), container("ul", Attrs::class("verdict-list"), cells)],
        )
    }
}

fn cell(judge: JudgeName, verdicts: [&Verdict; 2], differs: bool, lang: Lang) -> Html {
    let mut content = Markup::default().open("span", "v-name").tag("b", "", narration::judge_title(judge, lang));
    if differs {
        content = content.say(" ").tag("small", "", Word::Differs.get(lang));
    }
    content = content.close("span").open("span", "v-both");
    for (tag, verdict) in TAGS.into_iter().zip(verdicts) {
        let badge = Badge::of(verdict);
        let word = match verdict {
            Verdict::Holds => Word::Holds,
            Verdict::Pending { .. } => Word::Open,
            Verdict::Violated { .. } => Word::Broken,
        };
        content = content.open("span", badge.class()).tag("small", "", tag).draw(badge.drawing());
        content = content.tag("span", "", word.get(lang)).close("span");
    }
    let class = if differs { "v two differs" } else { "v two" };
    container("li", Attrs::default(), vec![div(class, vec![content.close("span").html()])])
}

/// The head of one side: its letter, what is special about it, how it stands.
#[derive(PartialEq)]
struct SideHead {
    tag: &'static str,
    name: String,
    run: Rc<Run>,
    cursor: Rc<History>,
    lang: Lang,
}

impl Part for SideHead {
    fn draw(&self) -> Html {
        let Self { tag, name, run, cursor, lang } = self;
        let position = cursor.position();
        let verdicts = run.judged.at(cursor, position);
        let lead = narration::lead(&verdicts, position == run.len, *lang);
        let broken = verdicts.iter().any(|(_, verdict)| verdict.is_violated());
        let badge = if broken { Badge::Bad } else { Badge::Ok };
        let head = Markup::of("b", "letter", tag).tag("h2", "", name).open("p", badge.class());
        div("side-head", vec![head.draw(badge.drawing()).say(lead).close("p").html()])
    }
}

/// What one of two runs has that the other has not: the settings that differ, or else its variant.
fn design(run: &Run, other: &Run, lang: Lang) -> String {
    let twin = |control: &Control| other.scenario.controls.iter().find(|one| one.path == control.path);
    let differing = run.scenario.controls.iter().filter(|one| twin(one).is_some_and(|twin| twin.value != one.value));
    let settings: Vec<String> = differing.map(|control| setting(control, &control.value, lang)).collect();
    if run.place.variant == other.place.variant && !settings.is_empty() {
        return settings.join(", ");
    }
    let variant = run.scenario.variants.iter().find(|one| Some(&one.id) == run.place.variant.as_ref());
    variant.map_or(Word::AsWritten.get(lang), |one| one.title.get(lang)).to_owned()
}

fn against_name(run: &Run, against: &Against, lang: Lang) -> String {
    match against {
        Against::AsWritten => Word::AsWritten.get(lang).to_owned(),
        Against::Variant(id) => {
            let variant = run.scenario.variants.iter().find(|one| one.id == *id);
            variant.map_or(id.as_str(), |one| one.title.get(lang)).to_owned()
        }
        Against::Setting(path, value) => {
            let control = run.scenario.controls.iter().find(|one| one.path == *path);
            control.map_or_else(|| path.clone(), |control| setting(control, value, lang))
        }
    }
}

/// `Guard: none`
fn setting(control: &Control, value: &serde_json::Value, lang: Lang) -> String {
    let named = match &control.range {
        ControlRange::Switch(options) => options.iter().find(|one| one.value == *value),
        ControlRange::Slider { .. } => None,
    };
    let shown = match (named, value.as_i64()) {
        (Some(named), _) => named.label.get(lang).to_owned(),
        (None, Some(number)) if control.path.ends_with("_ms") => [&format::grouped(number), " ms"].concat(),
        (None, Some(number)) => format::grouped(number),
        (None, None) => value.to_string(),
    };
    [control.label.get(lang), ": ", &shown].concat()
}

fn count_text(differing: usize, of: usize, lang: Lang) -> String {
    match (differing, lang) {
        (0, Lang::En) => "The verdicts are the same.".into(),
        (1, Lang::En) => format!("1 of {of} verdicts differs."),
        (n, Lang::En) => format!("{n} of {of} verdicts differ."),
        (0, Lang::Ko) => "판정이 모두 같습니다.".into(),
        (n, Lang::Ko) => format!("판정 {of}개 중 {n}개가 다릅니다."),
    }
}
