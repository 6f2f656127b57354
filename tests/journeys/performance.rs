//! How long the main thread works for one step and for one scrub in a long run.
//!
//! Chromium's own clock of the main thread is read before and after each action and the frame that shows it, as the processor time
//! that the thread used, so that other work on the machine does not count. What reading costs is measured in the same way, with an
//! action that does nothing, and taken off. The figures go to `target/screens/performance.txt`; only a generous bound is a test.

use crate::harness::{Outcome, Page, journey};
use serde_json::{Value, json};
use std::fmt::Write as _;
use std::path::PathBuf;

/// How many of each action are measured.
const COUNT: u32 = 80;
/// What is too long on any machine. The aim on a quiet one is 8 ms at p95, better 5 ms.
const BOUND_MS: f64 = 100.0;
/// A run that is shorter says nothing.
const STEPS_MIN: u64 = 5000;
/// The clocks: the whole thread, and the parts that Chromium tells apart.
const CLOCKS: [&str; 5] = ["ThreadTime", "ScriptDuration", "RecalcStyleDuration", "LayoutDuration", "TaskDuration"];

/// One action: what each clock says, then the time on the wall until its layout was done; in milliseconds.
type Sample = [f64; 6];

#[tokio::test]
async fn a_step_in_a_long_run_is_quick() -> Outcome {
    journey("performance", async |page| {
        page.viewport(1440, 900).await?;
        // A step is then one picture; otherwise its work is spread over the frames of its glide.
        let still = json!({ "features": [{ "name": "prefers-reduced-motion", "value": "reduce" }] });
        page.devtools("Emulation.setEmulatedMedia", still).await?;
        page.open("/#taking-turns:hundred-turns").await?;
        page.devtools("Performance.enable", json!({ "timeDomain": "threadTicks" })).await?;
        let (mut nothing, mut scrubs, mut steps) = (Vec::new(), Vec::new(), Vec::new());
        for ix in 0..COUNT {
            nothing.push(sample(page, "nothing", 0.0, |from, to| from == to).await?);
            let share = (f64::from(ix) * 0.618_034).fract();
            scrubs.push(sample(page, "scrub", share, |from, to| from != to).await?);
            steps.push(sample(page, "step", 0.0, |from, to| to == from + 1).await?);
        }
        let mut report = String::new();
        let own = std::array::from_fn(|clock| quantile(&nothing, clock, 50));
        for (name, samples) in [("step", steps), ("scrub", scrubs)] {
            let p95 = describe(&mut report, name, &samples, own)?;
            assert!(p95 < BOUND_MS, "a {name} takes {p95:.1} ms at p95\n{report}");
        }
        println!("{report}");
        page.screenshot("end").await?;
        Ok(std::fs::write(PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("target/screens/performance.txt"), report)?)
    })
    .await
}

/// Does something and measures it.
async fn sample(page: &Page, action: &str, share: f64, moved: impl Fn(u64, u64) -> bool) -> Outcome<Sample> {
    let script = format!("const action = '{action}', share = {share};\n{}", include_str!("performance.js"));
    let before = clocks(page).await?;
    let told = page.js(&script).await?;
    let after = clocks(page).await?;
    let number = |name: &str| told[name].as_u64().ok_or_else(|| format!("no {name} in {told}"));
    let (from, to, len) = (number("from")?, number("to")?, number("len")?);
    assert!(len >= STEPS_MIN, "the run has {len} steps only");
    assert!(moved(from, to), "a {action} led from {from} to {to}");
    let mut sample = [0.0; 6];
    for (clock, value) in sample.iter_mut().enumerate() {
        *value = if clock < CLOCKS.len() {
            1000.0 * (after[clock] - before[clock])
        } else {
            told["wall"].as_f64().unwrap_or(0.0)
        };
    }
    Ok(sample)
}

/// Writes the lines of one action, and returns its p95 on the clock of the thread.
fn describe(report: &mut String, name: &str, samples: &[Sample], own: Sample) -> Outcome<f64> {
    writeln!(report, "one {name}, {} measured, in ms of the main thread", samples.len())?;
    for (clock, title) in CLOCKS.iter().enumerate() {
        let [p50, p95, max] = [50, 95, 100].map(|percent| quantile(samples, clock, percent) - own[clock]);
        writeln!(
            report,
            "  {title:<20} p50 {p50:5.1}  p95 {p95:5.1}  max {max:5.1}   (reading costs {:.1}, taken off)",
            own[clock]
        )?;
    }
    let [p50, p95, max] = [50, 95, 100].map(|percent| quantile(samples, CLOCKS.len(), percent));
    writeln!(report, "  on the wall, to layout p50 {p50:5.1}  p95 {p95:5.1}  max {max:5.1}")?;
    Ok(quantile(samples, 0, 95) - own[0])
}

/// The value below which so many of a hundred samples are.
fn quantile(samples: &[Sample], clock: usize, percent: usize) -> f64 {
    let mut values: Vec<f64> = samples.iter().map(|sample| sample[clock]).collect();
    values.sort_by(f64::total_cmp);
    values[(values.len() * percent / 100).min(values.len() - 1)]
}

/// What Chromium's clocks say, in seconds.
async fn clocks(page: &Page) -> Outcome<Vec<f64>> {
    let answer: Value = page.devtools("Performance.getMetrics", json!({})).await?;
    let all = answer["metrics"].as_array().ok_or("no metrics")?;
    let value = |name: &&str| all.iter().find(|one| one["name"] == **name).and_then(|one| one["value"].as_f64());
    Ok(CLOCKS.iter().map(value).collect::<Option<_>>().ok_or("Chromium has no such clock")?)
}
