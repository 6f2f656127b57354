//! A visitor plays: walks through a story by keyboard, and changes the past with the pointer.

use crate::harness::{Outcome, Page, journey};
use fantoccini::key::Key;

/// A run of a scenario as written is shorter than this.
const STEPS_MAX: u32 = 500;

#[tokio::test]
async fn the_fencing_token_saves_the_data() -> Outcome {
    journey("fencing", async |page| {
        page.viewport(1440, 900).await?;
        page.open("/#fencing-token").await?;
        let headlines = walk_to_the_end(page).await?;
        let refusals: Vec<_> = headlines.iter().filter(|line| line.contains("token 33 is lower than 34")).collect();
        let by_storage = refusals.iter().filter(|line| line.starts_with("Storage refuses client 1")).count();
        assert_eq!(by_storage, 1, "the storage refuses once: {headlines:#?}");
        page.wait_text(".lead b", "The data is safe").await?;
        assert_eq!(verdict(page, "Mutual exclusion").await?, "bad");
        assert_eq!(verdict(page, "Stale write").await?, "ok");
        assert_eq!(verdict(page, "Lost update").await?, "ok");
        page.screenshot("end").await?;
        page.key(Key::Home).await?;
        page.wait_text(".said h2", "Nothing has happened yet").await?;
        assert_eq!(step(page).await?, 0);
        page.assert_silent().await
    })
    .await
}

/// A pause beyond the lease breaks mutual exclusion; undo gives the old run back to the letter, redo the new one.
#[tokio::test]
async fn a_pause_forks_the_future_and_undo_restores_it() -> Outcome {
    journey("pause", async |page| {
        page.viewport(1440, 900).await?;
        page.open("/#taking-turns").await?;
        page.chord(Key::Shift, Key::Right).await?;
        page.wait_text(".said h2", "Client 1").await?;
        page.click("[data-node='0']").await?;
        page.wait("[data-node='0'][aria-pressed=true]").await?;
        let forked_at = step(page).await?;
        let written = run_shown(page, forked_at).await?;
        assert_eq!(verdict(page, "Mutual exclusion").await?, "ok");

        page.click("[data-node='0']").await?;
        page.wait("[role=menu]").await?;
        click_entry(page, "Pause for").await?;
        page.wait_text("[role=menu]", "just beyond the lease").await?;
        page.screenshot("menu").await?;
        click_entry(page, "just beyond the lease").await?;
        page.wait_js("!document.querySelector('[role=menu]')").await?;
        page.wait_text(".note-bar", "You changed the past").await?;
        page.wait_text(".insp", "Runs you made").await?;
        assert_eq!(step(page).await?, forked_at + 1, "the pause is a step of its own");
        page.click(".note-bar button:last-child").await?;
        let own = run_shown(page, forked_at + 1).await?;
        page.key(Key::End).await?;
        page.wait_text(".lead", "Your own run").await?;
        assert_eq!(verdict(page, "Mutual exclusion").await?, "bad");
        page.screenshot("violated").await?;

        page.key('z').await?;
        page.wait_text(".lead", "As this scenario expects").await?;
        assert_same(&run_shown(page, forked_at).await?, &written);
        page.key(Key::End).await?;
        assert_eq!(verdict(page, "Mutual exclusion").await?, "ok");

        page.chord(Key::Shift, 'Z').await?;
        page.wait_text(".lead", "Your own run").await?;
        assert_same(&run_shown(page, forked_at + 1).await?, &own);
        page.key(Key::End).await?;
        assert_eq!(verdict(page, "Mutual exclusion").await?, "bad");
        page.assert_silent().await
    })
    .await
}

/// What has the focus keeps it while packets come and go around it: its nodes are changed, not made anew.
#[tokio::test]
async fn the_focus_stays_where_it_was() -> Outcome {
    journey("focus", async |page| {
        page.viewport(1440, 900).await?;
        page.open("/#taking-turns").await?;
        for selector in ["[data-node='0']", ".beat:last-child .beat-go"] {
            page.js(&format!("(window.focused = document.querySelector(\"{selector}\")).focus()")).await?;
            for key in [Key::Home, Key::Right, Key::Right, Key::Right, Key::Right, Key::Right, Key::End] {
                page.key(key).await?;
                page.settle().await?;
                let same = page.js("return focused.isConnected && focused === document.activeElement").await?;
                assert_eq!(same, true, "{selector} lost the focus");
            }
        }
        page.assert_silent().await
    })
    .await
}

/// Presses the right arrow until the run is over, and returns every headline on the way.
async fn walk_to_the_end(page: &Page) -> Outcome<Vec<String>> {
    let mut headlines = Vec::new();
    for done in 1..=STEPS_MAX {
        page.key(Key::Right).await?;
        page.wait_js(&format!("{STEP} === {done}")).await?;
        headlines.push(page.text(".said h2").await?);
        if page.js("return document.querySelector('.tb.go').disabled").await? == true {
            return Ok(headlines);
        }
    }
    Err(format!("the run is longer than {STEPS_MAX} steps").into())
}

/// How many steps are done, as the head of the stage says.
const STEP: &str = "Number(document.querySelector('.when span').textContent.replace(/\\D/g, ''))";

pub(crate) async fn step(page: &Page) -> Outcome<u64> {
    Ok(page.js(&format!("return {STEP}")).await?.as_u64().ok_or("no step is shown")?)
}

/// The class of a judge's cell in the verdict strip, which sets its colour: `ok`, `bad` or `mute`.
pub(crate) async fn verdict(page: &Page, title: &str) -> Outcome<String> {
    let class = page
        .js(&format!(
            "const cell = [...document.querySelectorAll('.v')].find(v => v.querySelector('b').textContent === '{title}');
             return cell && [...cell.classList].find(name => name !== 'v')"
        ))
        .await?;
    Ok(class.as_str().ok_or_else(|| format!("no verdict is called {title}"))?.to_owned())
}

async fn click_entry(page: &Page, part: &str) -> Outcome {
    page.js("document.querySelectorAll('[data-wanted]').forEach(one => delete one.dataset.wanted)").await?;
    page.wait_js(&format!(
        "[...document.querySelectorAll('[role=menuitem]')].find(one => one.textContent.includes('{part}'))?.toggleAttribute('data-wanted', true)"
    ))
    .await?;
    page.click("[data-wanted]").await
}

/// What the page shows of the whole run: its end, then the picture of every lane and packet, then the state after step `at`, where it leaves the cursor.
pub(crate) async fn run_shown(page: &Page, at: u64) -> Outcome<Vec<String>> {
    let mut shown = Vec::new();
    for position in [None, Some(at)] {
        match position {
            None => page.key(Key::End).await?,
            Some(at) => {
                seek(page, at).await?;
            }
        }
        page.settle().await?;
        let text = page
            .js("return ['.head', '.stage-drawing', '.verdicts', '.diagram-drawing'].map(part => document.querySelector(part).innerHTML).join('\\n')")
            .await?;
        shown.push(text.as_str().unwrap_or_default().to_owned());
    }
    Ok(shown)
}

/// Fails with the place of the first difference; the whole would be pages of markup.
pub(crate) fn assert_same(now: &[String], before: &[String]) {
    for (now, before) in now.iter().zip(before) {
        let at = now.bytes().zip(before.bytes()).take_while(|(one, other)| one == other).count();
        let around = |text: &str| {
            String::from_utf8_lossy(&text.as_bytes()[at.saturating_sub(200)..text.len().min(at + 100)]).into_owned()
        };
        assert!(now == before, "now: …{}…\nbefore: …{}…", around(now), around(before));
    }
}

/// Goes to a position by the scrubber for phones, which is there in every layout.
async fn seek(page: &Page, at: u64) -> Outcome {
    page.js(&format!(
        "const range = document.querySelector('.scrub .range'); range.value = {at};
         range.dispatchEvent(new InputEvent('input', {{ bubbles: true }}))"
    ))
    .await?;
    page.wait_js(&format!("{STEP} === {at}")).await
}
