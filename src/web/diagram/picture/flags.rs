//! What stands above the rail: a red flag for each broken promise, a mark for each fault.

use super::{Easel, Sitting};
use crate::vocabulary::{FaultKind, JudgeName, Time};
use crate::web::stage::measure::{Face, text_width};
use crate::web::stage::words::Word;

/// A flag or a mark.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Flag {
    /// Where it stands along the axis.
    pub(crate) along: f64,
    /// What it says, where there is room.
    pub(crate) word: Option<Word>,
    /// Whether it is a violation; else it is a fault.
    pub(crate) bad: bool,
    /// Whether the word stands before the mark, because the drawing ends after it.
    pub(crate) word_before: bool,
}

/// Marks nearer to each other than this are one.
const APART: f64 = 6.0;

impl Easel<'_> {
    pub(super) fn draw_flags(&mut self) {
        let Sitting { chart, tracks, judged, .. } = *self.from;
        let violations = judged.final_verdicts().iter().flat_map(|(judge, verdict)| {
            verdict.instances().iter().map(|instance| (instance.from, judge_word(*judge), true))
        });
        let faults = tracks.faults.iter().filter(|fault| !fault.ends);
        let faults = faults.map(|fault| (fault.at, fault_word(&fault.kind), false));
        let mut marks: Vec<(Time, Word, bool)> = violations.chain(faults).collect();
        // The first violation of an instant speaks for it: mutual exclusion is judged first.
        marks.sort_by_key(|mark| (mark.0, !mark.2));
        let mut flags: Vec<Flag> = Vec::new();
        for (at, word, bad) in marks {
            let along = chart.place(at);
            let near = flags.iter().rev().find(|flag| flag.bad == bad).is_some_and(|flag| along - flag.along < APART);
            if chart.sees(along, along) && !near {
                flags.push(Flag { along, word: Some(word), bad, word_before: false });
            }
        }
        let (from, view) = chart.window;
        silence_the_crowded(&mut flags, from + view + 24.0, self.from.lang);
        self.picture.flags = flags;
    }
}

/// Takes the words from marks whose neighbours to the right stand in their way: faults give way first.
fn silence_the_crowded(flags: &mut [Flag], limit: f64, lang: crate::vocabulary::Lang) {
    let starts: Vec<(f64, bool)> = flags.iter().map(|flag| (flag.along, flag.bad)).collect();
    let mut free_from = f64::NEG_INFINITY;
    for (ix, flag) in flags.iter_mut().enumerate() {
        let Some(word) = flag.word else { continue };
        let end = flag.along + 18.0 + text_width(word.get(lang), 12.0, Face::Bold);
        let width = end - flag.along;
        if end > limit && flag.along - width >= free_from {
            flag.word_before = true;
            free_from = flag.along + 14.0;
            continue;
        }
        let blocked = starts.get(ix + 1).is_some_and(|next| next.0 - 8.0 < end);
        if blocked || flag.along < free_from {
            flag.word = None;
        } else {
            free_from = end;
        }
    }
}

pub(crate) const fn judge_word(judge: JudgeName) -> Word {
    match judge {
        JudgeName::MutualExclusion => Word::TwoBelieve,
        JudgeName::StaleWrite => Word::StaleWrite,
        JudgeName::LostUpdate => Word::LostUpdate,
        JudgeName::TokenOrder => Word::TokenOrder,
        JudgeName::Progress => Word::Progress,
        JudgeName::Divergence => Word::Divergence,
    }
}

const fn fault_word(kind: &FaultKind) -> Word {
    match kind {
        FaultKind::Pause { .. } => Word::FaultPause,
        FaultKind::Resume { .. } | FaultKind::Wake { .. } => Word::FaultResume,
        FaultKind::Suspend { .. } => Word::FaultSuspend,
        FaultKind::ClockJump { .. } => Word::FaultJump,
        FaultKind::ClockRate { .. } => Word::FaultRate,
        FaultKind::Crash { .. } => Word::FaultCrash,
        FaultKind::PowerLoss { .. } => Word::FaultPower,
        FaultKind::Restart { .. } => Word::FaultRestart,
        FaultKind::Cut { .. } | FaultKind::CutOff { .. } => Word::FaultCut,
        FaultKind::Heal { .. } | FaultKind::Rejoin { .. } => Word::FaultHeal,
        FaultKind::Hold { .. } => Word::FaultHold,
        FaultKind::DeliverNow { .. } => Word::FaultDeliver,
        FaultKind::Delay { .. } => Word::FaultDelay,
        FaultKind::Lose { .. } => Word::FaultLose,
        FaultKind::Resend { .. } => Word::FaultResend,
        FaultKind::Reset { .. } => Word::FaultReset,
    }
}
