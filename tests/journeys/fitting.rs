//! Everything fits: in both languages and at three sizes nothing overlaps and no text is cut.

use crate::harness::{Outcome, Page, journey};
use fantoccini::key::Key;

/// A laptop, a tablet, a phone.
const SIZES: [(u32, u32); 3] = [(1440, 900), (820, 1180), (390, 844)];

/// What does not fit, as a list of sentences.
const FLAWS: &str = include_str!("fitting.js");

#[tokio::test]
async fn everything_fits_in_english() -> Outcome {
    journey("fitting-en", async |page| {
        page.open("/?lang=en#gc-pause-write").await?;
        let flaws = flaws_at_all_sizes(page).await?;
        assert!(flaws.is_empty(), "{flaws:#?}");
        page.assert_silent().await
    })
    .await
}

/// Switched by the button, in the dark: every text changes, and still fits.
#[tokio::test]
async fn everything_fits_in_korean_and_in_the_dark() -> Outcome {
    journey("fitting-ko", async |page| {
        page.viewport(1440, 900).await?;
        page.dark().await?;
        page.open("/?lang=en#gc-pause-write").await?;
        let english = texts(page).await?;
        page.click(".tools [lang=ko]").await?;
        page.wait("html[lang=ko]").await?;
        page.wait_text(".story h1", "정지").await?;
        let korean = texts(page).await?;
        assert_eq!(english.len(), korean.len());
        let same: Vec<_> = english.iter().zip(&korean).filter(|(one, other)| one == other).collect();
        assert!(same.is_empty(), "not translated: {same:#?}");
        let flaws = flaws_at_all_sizes(page).await?;
        assert!(flaws.is_empty(), "{flaws:#?}");
        page.assert_silent().await
    })
    .await
}

/// The flaws at the start, in the middle of the story and at the end, at each size, with pictures.
async fn flaws_at_all_sizes(page: &Page) -> Outcome<Vec<String>> {
    let mut found = Vec::new();
    for (width, height) in SIZES {
        page.viewport(width, height).await?;
        page.wait_js(&format!("innerWidth === {width}")).await?;
        page.key(Key::Home).await?;
        for place in ["start", "pause", "violation", "end"] {
            match place {
                "pause" => {
                    page.chord(Key::Shift, Key::Right).await?;
                    page.chord(Key::Shift, Key::Right).await?;
                }
                "violation" => page.key('v').await?,
                "end" => page.key(Key::End).await?,
                _ => {}
            }
            page.settle().await?;
            page.screenshot(&format!("{width}-{place}")).await?;
            let flaws = page.js(FLAWS).await?;
            let flaws = flaws.as_array().cloned().unwrap_or_default();
            found.extend(flaws.iter().map(|flaw| format!("{width}, {place}: {}", flaw.as_str().unwrap_or_default())));
        }
    }
    Ok(found)
}

/// Texts that no language leaves as they are: headings, paragraphs, labels of buttons.
async fn texts(page: &Page) -> Outcome<Vec<String>> {
    let texts = page
        .js("return [...document.querySelectorAll('h1, h2, .beat-title, .v b, .lead b, .lead small, .knobs label, .said p, .insp .route, .transport [aria-label]')]
               .map(one => one.getAttribute('aria-label') ?? one.textContent)")
        .await?;
    let texts = texts.as_array().cloned().unwrap_or_default();
    Ok(texts.iter().filter_map(|text| text.as_str().map(String::from)).collect())
}
