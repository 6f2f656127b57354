//! A visitor puts two designs side by side, and plays the adversary against both.

use crate::harness::{Outcome, Page, journey};
use fantoccini::key::Key;

/// What does not fit, as a list of sentences.
const FLAWS: &str = include_str!("fitting.js");

#[tokio::test]
async fn two_guards_stand_side_by_side() -> Outcome {
    journey("comparing", async |page| {
        page.viewport(1440, 900).await?;
        page.open("/?lang=en#fencing-token").await?;
        page.js(
            "[...document.querySelectorAll('.tools .tool')].find(one => one.textContent.includes('Compare')).click()",
        )
        .await?;
        page.wait_text(".compare-bar", "Same program, same faults, same seed.").await?;
        page.wait_text(".side:nth-of-type(1) h2", "Guard: fencing token").await?;
        page.wait_text(".side:nth-of-type(2) h2", "Guard: none").await?;
        page.wait_text(".parted", "They differ first at 11\u{202f}925 ms").await?;
        page.wait_text(".parted", "A storage refuses client 1").await?;
        page.wait_text(".lead b", "The verdicts are the same.").await?;
        page.click(".compare-bar .tb").await?;
        page.wait_text(".lead b", "2 of 5 verdicts differ.").await?;
        assert_eq!(differing(page).await?, ["Stale write", "Lost update"]);
        let apart = "return [...document.querySelectorAll('.v-both')].every(both => { const [a, b] = both.querySelectorAll('.badge'); return a.getBoundingClientRect().right < b.getBoundingClientRect().left; })";
        assert_eq!(page.js(apart).await?, true, "the badges of both stand apart");
        for (width, height) in [(1440, 900), (820, 1180), (390, 844)] {
            page.viewport(width, height).await?;
            page.wait_js(&format!("innerWidth === {width}")).await?;
            page.settle().await?;
            page.screenshot(&format!("{width}")).await?;
            let flaws = page.js(FLAWS).await?;
            assert_eq!(flaws.as_array().map(Vec::len), Some(0), "{width}: {flaws:#}");
        }
        page.viewport(1440, 900).await?;
        page.key(Key::End).await?;
        page.wait_text(".side:nth-of-type(1) .side-head p", "The data is safe").await?;
        page.wait_text(".side:nth-of-type(2) .side-head p", "The data is damaged").await?;
        page.click(".compare-bar .tool").await?;
        page.wait(".story h1").await?;
        page.assert_silent().await
    })
    .await
}

async fn differing(page: &Page) -> Outcome<Vec<String>> {
    let names = page.js("return [...document.querySelectorAll('.differs b')].map(one => one.textContent)").await?;
    Ok(names.as_array().into_iter().flatten().filter_map(|one| one.as_str().map(ToOwned::to_owned)).collect())
}
