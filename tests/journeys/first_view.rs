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
