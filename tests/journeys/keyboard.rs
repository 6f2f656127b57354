//! The whole way by keyboard alone: choose, step, act, read, change the guard, take everything back.

use crate::harness::{Outcome, Page, journey};
use crate::playing::{assert_same, run_shown, step, verdict};
use fantoccini::key::Key;

/// No control is further away than so many presses of Tab.
const TABS_MAX: u32 = 80;

#[tokio::test]
async fn a_lock_is_broken_and_mended_by_keyboard_alone() -> Outcome {
    journey("keyboard", async |page| {
        page.viewport(1440, 900).await?;
        page.open("/?lang=en#plain-delete").await?;
        tab_to(page, "#pick").await?;
        page.key(Key::Enter).await?;
        page.wait("dialog[open]").await?;
        page.wait_js("document.activeElement.matches('.chooser-row')").await?;
        for _ in 0..60 {
            if page.js("return document.activeElement.textContent.includes('GC pause before the write')").await? == true
            {
                break;
            }
            page.key(Key::Down).await?;
        }
        page.key(Key::Enter).await?;
        page.wait_text(".story h1", "GC pause before the write").await?;
        // Wherever the run ends up must be where it is now.
        let before = run_shown(page, 0).await?;

        // Two paragraphs on, client 1 is right before its write.
        page.chord(Key::Shift, Key::Right).await?;
        page.key(Key::Right).await?;
        let at = step(page).await?;
        page.key('1').await?;
        page.wait("[data-node='0'][aria-pressed=true]").await?;
        page.key('p').await?;
        page.wait_text("[role=menu]", "just beyond the lease").await?;
        for _ in 0..10 {
            if page.js("return document.activeElement.textContent.includes('just beyond the lease')").await? == true {
                break;
            }
            page.key(Key::Down).await?;
        }
        page.key(Key::Enter).await?;
        page.wait_js("!document.querySelector('[role=menu]')").await?;
        assert_eq!(step(page).await?, at + 1);
        page.key('v').await?;
        page.wait_text(".lead b", "The lock failed").await?;
        page.key(Key::End).await?;
        page.wait_text(".lead", "Your own run").await?;
        assert_eq!(verdict(page, "Mutual exclusion").await?, "bad");
        assert_eq!(verdict(page, "Lost update").await?, "bad");
        page.screenshot("violated").await?;

        // The guard is a group of radio buttons: Tab leads to the one that is on, an arrow to the other.
        tab_to(page, ".seg input:checked").await?;
        page.key(Key::Right).await?;
        page.wait_text(".lead b", "The data is safe").await?;
        assert_eq!(verdict(page, "Stale write").await?, "ok");
        assert_eq!(verdict(page, "Lost update").await?, "ok");
        page.screenshot("fenced").await?;

        for _ in 0..2 {
            page.key('z').await?;
        }
        page.wait_text(".lead", "As this scenario expects").await?;
        page.wait_js("!document.querySelector('.note-bar')").await?;
        // Nothing was selected then.
        page.key(Key::Escape).await?;
        assert_same(&run_shown(page, 0).await?, &before);
        page.assert_silent().await
    })
    .await
}

/// Presses Tab until an element has the focus; fails if it never gets it, or if the focus cannot be seen.
async fn tab_to(page: &Page, css: &str) -> Outcome {
    for _ in 0..TABS_MAX {
        if page.js(&format!("return document.activeElement.matches(\"{css}\")")).await? == true {
            return Ok(());
        }
        page.key(Key::Tab).await?;
    }
    Err(format!("{TABS_MAX} presses of Tab do not lead to {css}").into())
}
