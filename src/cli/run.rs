//! `lockstep run`

use std::io::Write;
use std::sync::Arc;

use clap::Args;
use lockstep::history::History;
use lockstep::verdicts::Judged;
use lockstep::views::{json, timeline};
use lockstep::vocabulary::Time;

use super::{Failure, Language, Outcome, input};

/// What was asked for.
#[derive(Args)]
pub(super) struct Run {
    /// `<id>` or `<id>:<variant>` of a built-in scenario, a file, or `-` for standard input. A variant of a file stands
    /// behind a colon too: `my.json:variant`.
    what: String,
    /// Print the history and the verdicts as JSON.
    #[arg(long, conflicts_with_all = ["all", "lang"])]
    json: bool,
    /// Print every step, even where the same few come again and again.
    #[arg(long)]
    all: bool,
    /// Stop printing at this instant, with the verdicts as they are then. The exit status is that of the whole run.
    #[arg(long, value_name = "N")]
    until_ms: Option<u32>,
    /// The language of the timeline.
    #[arg(long, value_enum, default_value_t)]
    lang: Language,
}

pub(super) fn run(asked: &Run, out: &mut impl Write) -> Result<Outcome, Failure> {
    let history = History::new(Arc::new(input::scenario(&asked.what)?));
    let judged = Judged::new(&history);
    let until = asked.until_ms.map(|ms| Time::from_ms(u64::from(ms)));
    if asked.json {
        serde_json::to_writer_pretty(&mut *out, &json::run(&history, &judged, until)).map_err(std::io::Error::from)?;
        writeln!(out)?;
    } else {
        let options = timeline::Options { until, all: asked.all, lang: Some(asked.lang.into()) };
        out.write_all(timeline::timeline(&history, &judged, options).as_bytes())?;
    }
    let differ = !judged.verify_all(history.scenario()).is_empty();
    Ok(if differ { Outcome::Different } else { Outcome::AsExpected })
}
