//! One short, plain sentence for everything that a run can bring: a step, a fault, a menu entry, a verdict.
//!
//! Every text stands in English and Korean side by side, at the one place that needs it, so that neither can be
//! forgotten. Nothing is decided here: what happened is in the [`Record`](crate::world::Record), why a promise broke is
//! in the verdict.

mod ensembles;
mod faults;
mod leading;
mod names;
mod observations;
mod packets;
mod phrase;
mod replicas;
mod steps;
mod verdicts;
mod votes;

pub use ensembles::{znode_label, zxid_label};
pub use faults::{fault_effect, fault_sentence, fault_title, trigger_text};
pub use names::{event_name, judge_promise, judge_title, observation_name, progress_kind};
pub use packets::{key_label, nonce_label, packet_label};
pub use phrase::grouped_ms;
pub use steps::{phrase, sentence, sentences};
pub use verdicts::{
    cost_line, cost_rows, kind_name, lead, lead_note, token_order_line, tokens_given, verdict_line, why_sentence,
};

#[cfg(test)]
mod tests;
