//! A run as a text that a person can read: one line for each step, then what did not happen, the verdicts and the cost.
//!
//! ```text
//! step    time ms  who       what happens
//!    1          0  client-1  Client 1 asks redis-a for the lock.
//! ```
//!
//! Where the same few steps come again and again they are told once and counted.
//!
//! The text is stable: tests compare it as a whole. Numbers are grouped by ordinary spaces here, because terminals and
//! editors do not all know the narrow one.

use crate::history::{History, Step};
use crate::scenario::Setup;
use crate::verdicts::{Instance, Judged, Mismatch, Verdict};
use crate::views::narration::{
    cost_rows, fault_sentence, grouped_ms, judge_title, kind_name, lead, lead_note, sentences, token_order_line,
    tokens_given, trigger_text, verdict_line, why_sentence,
};
use crate::vocabulary::{FaultIx, FaultKind, JudgeName, Lang, StepIx, Time, Token};
use crate::world::{Event, Record};

/// How long a pattern of steps can be to be told once and counted.
const PATTERN_MAX: usize = 24;
/// How often it must come at least.
const REPEATS_MIN: usize = 3;

/// What a timeline shows.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Options {
    /// Only what happened until this instant, inclusive, with the verdicts as they were then.
    pub until: Option<Time>,
    /// Every step, even where the same few come again and again: a client that retries a hundred times says little with
    /// the last ninety-nine.
    pub all: bool,
    /// The language; English if it is not given.
    pub lang: Option<Lang>,
}

/// The timeline of the current branch.
pub fn timeline(history: &History, judged: &Judged, options: Options) -> String {
    let end = options.until.map_or(history.len(), |until| history.position_at(until));
    let lang = options.lang.unwrap_or(Lang::En);
    let mut text = Timeline { history, setup: &history.scenario().setup, lang, out: String::new() };
    text.head();
    text.steps(end, options.all);
    text.idle_faults(end);
    text.verdicts(judged, end);
    text.cost(judged, end);
    if end == history.len() && !history.scenario().changed {
        text.expectation(&judged.verify_all(history.scenario()));
    }
    text.out.replace('\u{202f}', " ")
}

/// The name of the process or machine that a step is about; for a link both ends.
pub fn actor(setup: &Setup, record: &Record) -> String {
    let name = |node| setup.node_name(node).to_owned();
    match &record.event {
        Event::Started { node }
        | Event::Line { node, .. }
        | Event::Timer { node, .. }
        | Event::TimerWaits { node, .. }
        | Event::ConnectionLost { node, .. }
        | Event::Resumed { node }
        | Event::Restarted { node } => name(*node),
        Event::Delivered { packet }
        | Event::Buffered { packet }
        | Event::Unbuffered { packet }
        | Event::Refused { packet } => name(packet.to),
        Event::Fault { kind, .. } => target(setup, kind),
        Event::Broke { .. } => "network".to_owned(),
    }
}

fn target(setup: &Setup, kind: &FaultKind) -> String {
    match *kind {
        FaultKind::Pause { node, .. }
        | FaultKind::Resume { node }
        | FaultKind::Crash { node, .. }
        | FaultKind::Restart { node }
        | FaultKind::CutOff { node }
        | FaultKind::Rejoin { node } => setup.node_name(node).to_owned(),
        FaultKind::Suspend { machine, .. }
        | FaultKind::Wake { machine }
        | FaultKind::ClockJump { machine, .. }
        | FaultKind::ClockRate { machine, .. }
        | FaultKind::PowerLoss { machine, .. } => setup.machines[machine.ix()].name.clone(),
        _ => "network".to_owned(),
    }
}

struct Timeline<'a> {
    history: &'a History,
    setup: &'a Setup,
    lang: Lang,
    out: String,
}

impl Timeline<'_> {
    const fn pick<'t>(&self, en: &'t str, ko: &'t str) -> &'t str {
        match self.lang {
            Lang::En => en,
            Lang::Ko => ko,
        }
    }

    fn line(&mut self, parts: &[&str]) {
        self.out.extend(parts.iter().copied());
        let end = self.out.trim_end_matches(' ').len();
        self.out.truncate(end);
        self.out.push('\n');
    }

    fn head(&mut self) {
        let scenario = self.history.scenario();
        let title = scenario.title.get(self.lang);
        match &scenario.variant {
            Some(id) => {
                let variant = scenario.variants.iter().find(|variant| variant.id == *id);
                let variant = variant.map_or("", |variant| variant.title.get(self.lang));
                self.line(&[&scenario.id, ":", id, "  ", title, ": ", variant]);
            }
            None => self.line(&[&scenario.id, "  ", title]),
        }
        let digest = format!("{:016x}", self.history.digest());
        self.line(&["seed ", &self.setup.seed.to_string(), ", digest ", &digest]);
    }

    fn steps(&mut self, end: u32, all: bool) {
        let width = self.setup.nodes.iter().map(|node| seen(&node.name)).max().unwrap_or_default().max(7);
        let (who, what) = (self.pick("who", "누가"), self.pick("what happens", "일어난 일"));
        let head = [
            pad_left(self.pick("step", "단계"), 4),
            pad_left(self.pick("time ms", "시각 ms"), 10),
            pad_right(who, width),
        ];
        self.line(&["\n", &head[0], "  ", &head[1], "  ", &head[2], "  ", what]);
        let told: Vec<_> = self.history.steps().take(end as usize).map(|step| self.tell(step)).collect();
        let mut at = 0;
        while at < told.len() {
            let (period, repeats) = if all { (1, 1) } else { pattern(&told[at..]) };
            for row in &told[at..at + period] {
                let (ix, time) = (pad_left(&row.ix.to_string(), 4), pad_left(&grouped_ms(row.at), 10));
                self.line(&[&ix, "  ", &time, "  ", &pad_right(&row.who, width), "  ", &row.what]);
            }
            at += period * repeats;
            if repeats > 1 {
                self.again(period, repeats - 1, &told[at - 1]);
            }
        }
        if end < self.history.len() {
            let more = (self.history.len() - end).to_string();
            self.line(&["   …  ", self.pick("steps that follow: ", "이어지는 단계: "), &more]);
        }
    }

    fn tell(&self, step: &Step) -> Row {
        let what = sentences(self.setup, &step.record, &step.world, self.lang).join(" ");
        Row { ix: step.record.ix, at: step.record.at, who: actor(self.setup, &step.record), what }
    }

    /// What stands for steps that were told before.
    fn again(&mut self, period: usize, times: usize, last: &Row) {
        let (period, times, step, at) =
            (period.to_string(), times.to_string(), last.ix.to_string(), grouped_ms(last.at));
        let steps = if period == "1" { " step " } else { " steps " };
        match self.lang {
            Lang::En => {
                self.line(&[
                    "   …  the same ",
                    &period,
                    steps,
                    &times,
                    " times more, to step ",
                    &step,
                    ", ",
                    &at,
                    " ms",
                ]);
            }
            Lang::Ko => {
                self.line(&["   …  같은 ", &period, "단계를 ", &times, "번 더: ", &step, "단계, ", &at, " ms까지"]);
            }
        }
    }

    fn idle_faults(&mut self, end: u32) {
        let world = self.history.world_at(end);
        let idle = |(ix, _): &(u16, _)| world.fault_state(FaultIx(*ix)).fired.is_none();
        let idle: Vec<_> = (0..).zip(world.faults().iter()).filter(idle).collect();
        if idle.is_empty() {
            return;
        }
        self.line(&["\n", self.pick("did not fire", "일어나지 않은 장애")]);
        for (_, fault) in idle {
            let what = fault_sentence(self.setup, &fault.kind, self.lang);
            self.line(&["  ", &what, " (", &trigger_text(self.setup, &fault.on, self.lang), ")"]);
        }
    }

    fn verdicts(&mut self, judged: &Judged, end: u32) {
        let over = end == self.history.len();
        let verdicts = judged.at(self.history, end);
        self.line(&["\n", lead(&verdicts, over, self.lang)]);
        let tokens: Vec<_> =
            self.history.steps().take(end as usize).flat_map(|step| tokens_given(&step.record)).collect();
        for (judge, verdict) in &verdicts {
            self.verdict(*judge, verdict, &tokens);
        }
    }

    fn verdict(&mut self, judge: JudgeName, verdict: &Verdict, tokens: &[Token]) {
        let state = match verdict {
            Verdict::Holds => self.pick("holds", "지켜짐"),
            Verdict::Pending { why } if why.is_vacuous() => self.pick("holds", "지켜짐"),
            Verdict::Pending { .. } => self.pick("pending", "미정"),
            Verdict::Violated { .. } => self.pick("violated", "위반"),
        };
        let name = pad_right(judge_title(judge, self.lang), 16);
        let line = if judge == JudgeName::TokenOrder {
            token_order_line(self.setup, verdict, tokens, self.lang)
        } else {
            verdict_line(self.setup, judge, verdict, self.lang)
        };
        self.line(&["  ", judge.short(), "  ", &name, "  ", &pad_right(state, 8), "  ", &line]);
        match verdict {
            Verdict::Holds => {}
            Verdict::Pending { why } if why.is_vacuous() => {}
            Verdict::Pending { why } => self.line(&["      ", &why_sentence(self.setup, why, self.lang)]),
            Verdict::Violated { instances } => instances.iter().for_each(|instance| self.instance(instance)),
        }
    }

    /// When, in which step, why, and which steps show it.
    fn instance(&mut self, instance: &Instance) {
        let known = instance.known.to_string();
        self.line(&[
            "      ",
            self.pick("step ", "단계 "),
            &known,
            ", ",
            &grouped_ms(instance.from),
            " ms: ",
            &why_sentence(self.setup, &instance.why, self.lang),
        ]);
        let shown: Vec<_> = instance.evidence.iter().map(StepIx::to_string).collect();
        let kind = instance.kind.map_or_else(String::new, |kind| format!(" ({})", kind_name(kind, self.lang)));
        self.line(&["      ", self.pick("shown by steps ", "근거 단계 "), &shown.join(", "), &kind]);
    }

    fn cost(&mut self, judged: &Judged, end: u32) {
        let cost = judged.cost_at(self.history, end);
        self.line(&["\n", self.pick("cost", "비용")]);
        for (name, value) in cost_rows(self.setup, &cost, self.lang) {
            self.line(&["  ", &pad_right(name, 23), "  ", &value]);
        }
    }

    fn expectation(&mut self, mismatches: &[Mismatch]) {
        self.line(&["\n", lead_note(mismatches.is_empty(), self.lang)]);
        for mismatch in mismatches {
            self.line(&["  ", &mismatch.to_string()]);
        }
    }
}

/// A step as it is told.
struct Row {
    ix: StepIx,
    at: Time,
    who: String,
    what: String,
}

/// The shortest pattern with which the rows begin that comes often enough, and how often it comes; otherwise one row, once.
fn pattern(rows: &[Row]) -> (usize, usize) {
    let alike = |a: &Row, b: &Row| a.who == b.who && a.what == b.what;
    (1..=PATTERN_MAX)
        .map(|period| {
            let same = rows.iter().zip(rows.iter().skip(period)).take_while(|(a, b)| alike(a, b)).count();
            (period, same / period + 1)
        })
        .find(|(_, repeats)| *repeats >= REPEATS_MIN)
        .unwrap_or((1, 1))
}

/// A cell, filled with spaces on its right.
fn pad_right(text: &str, width: usize) -> String {
    let mut cell = text.to_owned();
    cell.extend(std::iter::repeat_n(' ', width.saturating_sub(seen(text))));
    cell
}

/// A cell, filled with spaces on its left.
fn pad_left(text: &str, width: usize) -> String {
    let mut cell = String::new();
    cell.extend(std::iter::repeat_n(' ', width.saturating_sub(seen(text))));
    cell.push_str(text);
    cell
}

/// How many columns of a terminal a text takes: a Korean syllable takes two.
fn seen(text: &str) -> usize {
    text.chars().map(|letter| if ('가'..='힣').contains(&letter) { 2 } else { 1 }).sum()
}
