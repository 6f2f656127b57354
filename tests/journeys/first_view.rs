//! The page starts with a part of its wasm; the rest joins it when the first view stands.

use crate::harness::{Outcome, journey};
use fantoccini::key::Key;
use serde_json::json;
use std::collections::BTreeSet;

/// A slow processor draws the first view in other ways: Yew cuts work that takes long into slices.
const SLOWDOWNS: [u32; 3] = [1, 6, 20];
/// The record holds more of them than the journey walks, for a machine may be busy with other things.
const RECORDED: [u32; 8] = [1, 2, 3, 6, 10, 14, 20, 26];

/// A request that holds the page up is an `xmlhttprequest`; the one that comes by itself is a `fetch`.
#[tokio::test]
async fn the_first_view_waits_for_no_second_part() -> Outcome {
    journey("first-view", async |page| {
        for slowdown in SLOWDOWNS {
            page.slow(slowdown).await?;
            page.open("/").await?;
            let parts = "performance.getEntriesByType('resource').filter(e => e.name.includes('_rest.wasm'))";
            page.wait_js(&format!("{parts}.length > 0")).await?;
            let asked = page.js(&format!("return {parts}.map(e => e.initiatorType).join()")).await?;
            assert_eq!(asked, "fetch", "at 1/{slowdown} of the speed");
            page.wait(".diagram-still").await?;
        }
        page.assert_silent().await
    })
    .await
}

/// Whoever steps before the second part has come waits for it, and steps.
#[tokio::test]
async fn a_step_before_the_second_part_came_is_made() -> Outcome {
    journey("first-step", async |page| {
        page.open("/rest-late/").await?;
        for _ in 0..3 {
            page.key(Key::Right).await?;
        }
        page.key(Key::Left).await
    })
    .await
}

/// The second part has not come yet, and is needed.
#[tokio::test]
async fn what_is_needed_before_it_came_is_loaded_at_once() -> Outcome {
    journey("rest-late", async |page| {
        page.open("/rest-late/").await?;
        page.key('?').await?;
        page.wait("dialog[open]").await?;
        let asked = "return performance.getEntriesByType('resource').some(e => e.name.endsWith('_rest.wasm?now'))";
        assert_eq!(page.js(asked).await?, true);
        page.key(Key::Escape).await?;
        page.key(Key::Right).await
    })
    .await
}

/// The second part cannot be had at all: what can be seen stays, and the page says why the rest does not work.
#[tokio::test]
async fn a_part_that_cannot_be_had_is_named() -> Outcome {
    journey("rest-missing", async |page| {
        for key in [Some('?'), None] {
            page.open("/rest-missing/").await?;
            if let Some(key) = key {
                page.key(key).await?;
            }
            page.wait_text("[data-failure=download]", "could not be downloaded").await?;
            page.wait_text("[data-failure=download]", "_rest.wasm").await?;
        }
        Ok(())
    })
    .await
}

/// Not a test: `cargo xtask first-view` runs it on a page that notes which functions run.
#[tokio::test]
#[ignore = "records a list; cargo xtask first-view"]
async fn record_the_first_view() -> Outcome {
    journey("record-first-view", async |page| {
        let mut ran = BTreeSet::<u64>::new();
        for slowdown in RECORDED {
            page.slow(slowdown).await?;
            page.open("/").await?;
            // What follows the first frames belongs to them: sizes are observed, the list scrolls to the cursor.
            page.js("return new Promise(done => setTimeout(done, 1000))").await?;
            let now = "return wasm_bindgen().then(exports =>
                Object.keys(exports).filter(k => k.startsWith('ran:') && exports[k].value).map(k => Number(k.slice(4))))";
            ran.extend(serde_json::from_value::<Vec<u64>>(page.js(now).await?)?);
        }
        std::fs::write(std::env::var("LOCKSTEP_FIRST_VIEW")?, json!(ran).to_string())?;
        Ok(())
    })
    .await
}
