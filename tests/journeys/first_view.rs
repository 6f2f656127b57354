//! The page starts with a part of its wasm; the rest joins it when the first view stands.

use crate::harness::{Outcome, Page, journey};
use fantoccini::key::Key;

/// What a visitor does first: look, step there and back, play.
async fn first_steps(page: &Page) -> Outcome {
    page.open("/").await?;
    for _ in 0..30 {
        page.key(Key::Right).await?;
    }
    for _ in 0..5 {
        page.key(Key::Left).await?;
    }
    Ok(())
}

/// A request that holds the page up is an `xmlhttprequest`; the one that comes by itself is a `fetch`.
#[tokio::test]
async fn the_first_view_waits_for_no_second_part() -> Outcome {
    journey("first-view", async |page| {
        first_steps(page).await?;
        let parts = "performance.getEntriesByType('resource').filter(e => e.name.includes('_rest.wasm'))";
        page.wait_js(&format!("{parts}.length > 0")).await?;
        assert_eq!(page.js(&format!("return {parts}.map(e => e.initiatorType).join()")).await?, "fetch");
        page.assert_silent().await
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
        page.open("/rest-missing/").await?;
        page.key('?').await?;
        page.wait_text("[data-failure=download]", "could not be downloaded").await?;
        page.wait_text("[data-failure=download]", "_rest.wasm").await
    })
    .await
}

/// Not a test: `cargo xtask first-view` runs it on a page that notes which functions run.
#[tokio::test]
#[ignore = "records a list; cargo xtask first-view"]
async fn record_the_first_view() -> Outcome {
    journey("record-first-view", async |page| {
        first_steps(page).await?;
        let ran = "return wasm_bindgen().then(exports =>
            Object.keys(exports).filter(k => k.startsWith('ran:') && exports[k].value).map(k => Number(k.slice(4))))";
        let ran = page.js(ran).await?;
        std::fs::write(std::env::var("LOCKSTEP_FIRST_VIEW")?, ran.to_string())?;
        Ok(())
    })
    .await
}
