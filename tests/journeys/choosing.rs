//! A visitor goes from one scenario to another: each comes when it is wanted, and not before.

use crate::harness::{Outcome, Page, journey};
use fantoccini::key::Key;
use serde_json::json;

#[tokio::test]
async fn another_scenario_is_chosen_by_keyboard_and_back_returns() -> Outcome {
    journey("choosing", async |page| {
        page.open("/").await?;
        let first = page.text("#pick b").await?;
        assert_eq!(loaded(page).await?, ["gc-pause-write"]);
        page.js("document.querySelector('#pick').focus()").await?;
        page.key(Key::Enter).await?;
        page.wait_js("document.activeElement.matches('.chooser-row.on')").await?;
        page.wait_text(".chooser-row.on b", &first).await?;
        let rows = page.js("return document.querySelectorAll('.chooser-row').length").await?;
        page.wait_text("#pick small", &format!("of {rows}")).await?;
        assert_eq!(loaded(page).await?, ["gc-pause-write", "chooser.index"]);
        page.screenshot("chooser").await?;
        page.key(Key::Down).await?;
        page.wait_js("document.activeElement.matches('.chooser-row:not(.on)')").await?;
        let other = page.js("return document.activeElement.querySelector('b').textContent").await?;
        let other = other.as_str().ok_or("a row has a title")?;
        page.key(Key::Enter).await?;
        page.wait_text(".pick[aria-expanded=false] b", other).await?;
        page.wait_js("location.hash && document.activeElement.id === 'pick'").await?;
        let id = page.js("return location.hash.slice(1)").await?;
        assert_eq!(loaded(page).await?, ["gc-pause-write", "chooser.index", id.as_str().unwrap_or_default()]);
        page.js("history.back()").await?;
        page.wait_js(&shows(&first)).await?;
        page.js("history.forward()").await?;
        page.wait_js(&shows(other)).await?;
        page.assert_silent().await
    })
    .await
}

#[tokio::test]
async fn a_link_loads_its_scenario_alone() -> Outcome {
    journey("choosing-link", async |page| {
        page.open("/#fencing-gap:marked-on-read").await?;
        page.wait("#pick b").await?;
        assert_eq!(loaded(page).await?, ["fencing-gap"]);
        // What is asked for last is shown, whatever comes last.
        page.js("location.hash = 'plain-delete'; location.hash = 'delayed-packet'; location.hash = 'fencing-token'")
            .await?;
        page.wait_js("document.title.startsWith('Fencing token')").await?;
        page.settle().await?;
        page.wait_js("document.title.startsWith('Fencing token') && location.hash === '#fencing-token'").await?;
        page.js("location.hash = 'no-such-scenario'").await?;
        page.wait_text(".note-bar.problem", "there is no scenario \"no-such-scenario\"").await?;
        page.assert_silent().await
    })
    .await
}

#[tokio::test]
async fn what_cannot_be_loaded_is_named_and_can_be_tried_again() -> Outcome {
    journey("choosing-missing", async |page| {
        page.open("/").await?;
        page.devtools("Network.enable", json!({})).await?;
        block(page, &["*/scenarios/*"]).await?;
        page.js("location.hash = 'plain-delete'").await?;
        page.wait_text(".note-bar.problem", "“plain-delete” could not be downloaded").await?;
        page.wait_text("#pick small", " of ").await?;
        page.screenshot("scenario").await?;
        page.click("#pick").await?;
        page.wait_text("dialog [role=alert]", "could not be downloaded").await?;
        page.screenshot("index").await?;
        page.js("document.querySelector('dialog .retry').focus()").await?;
        page.key(Key::Enter).await?;
        page.wait_js("document.activeElement.matches('.dialog-head button')").await?;
        page.wait("dialog .retry").await?;
        block(page, &[]).await?;
        page.click("dialog .retry").await?;
        page.wait_js("document.activeElement.matches('.chooser-row.on')").await?;
        page.key(Key::Escape).await?;
        page.wait_js("!document.querySelector('dialog')").await?;
        page.wait_text(".note-bar.problem", "“Releasing somebody").await?;
        page.js("document.querySelector('.note-bar .retry').focus()").await?;
        page.key(Key::Enter).await?;
        page.wait_js("!document.querySelector('.note-bar') && document.activeElement.id === 'pick'").await?;
        page.wait_text("#pick b", "Releasing somebody").await
    })
    .await
}

/// The scenarios' scripts that the browser has loaded, by name and in order.
async fn loaded(page: &Page) -> Outcome<Vec<String>> {
    let names = page
        .js("return performance.getEntriesByType('resource')
                 .map(one => one.name.match(/scenarios\\/(.*)\\.js\\?[0-9a-f]{16}$/)?.[1]).filter(Boolean)")
        .await?;
    Ok(names.as_array().into_iter().flatten().filter_map(|name| name.as_str()).map(String::from).collect())
}

fn shows(title: &str) -> String {
    format!("document.querySelector('#pick b').textContent === {}", json!(title))
}

async fn block(page: &Page, urls: &[&str]) -> Outcome {
    page.devtools("Network.setBlockedURLs", json!({ "urls": urls })).await.map(drop)
}
