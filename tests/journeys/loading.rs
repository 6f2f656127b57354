//! The page loads on good and bad servers, alone and embedded, or says why not.

use crate::harness::{Outcome, Page, journey};
use fantoccini::key::Key;

#[tokio::test]
async fn loads_without_a_word_on_the_console() -> Outcome {
    journey("loads", async |page| {
        page.open("/").await?;
        page.screenshot("page").await?;
        page.assert_silent().await
    })
    .await
}

/// No fetch, no module scripts, no workers, no storage: the embed must live with that.
#[tokio::test]
async fn runs_in_a_frame_sandboxed_with_scripts_alone() -> Outcome {
    journey("sandboxed", async |page| {
        page.open_any("/pages/sandboxed.html").await?;
        page.enter_frame(0).await?;
        page.wait_running().await?;
        assert_eq!(page.js("return self.origin").await?, "null");
        opens_another(page).await?;
        page.screenshot("page").await
    })
    .await
}

/// The same sandbox, set by the server, so that the console can be heard: nothing is tried that is bound to fail.
#[tokio::test]
async fn tries_nothing_forbidden_in_a_sandbox() -> Outcome {
    journey("sandboxed-alone", async |page| {
        page.open("/sandboxed/").await?;
        assert_eq!(page.js("return self.origin").await?, "null");
        opens_another(page).await?;
        page.assert_silent().await
    })
    .await
}

#[tokio::test]
async fn runs_from_a_file_on_disk() -> Outcome {
    journey("from-disk", async |page| {
        page.open(concat!("file://", env!("CARGO_MANIFEST_DIR"), "/dist/index.html")).await?;
        opens_another(page).await?;
        page.assert_silent().await
    })
    .await
}

#[tokio::test]
async fn runs_where_wasm_is_served_as_text() -> Outcome {
    journey("wasm-as-text", async |page| {
        page.open("/wasm-as-text/").await?;
        page.assert_silent().await
    })
    .await
}

#[tokio::test]
async fn runs_where_the_wasm_cannot_be_fetched() -> Outcome {
    journey("wasm-missing", async |page| page.open("/wasm-missing/").await).await
}

#[tokio::test]
async fn says_that_a_download_failed() -> Outcome {
    journey("download-failed", async |page| {
        page.open_any("/wasm-and-script-missing/").await?;
        fails_with(page, "download", "could not be downloaded", "내려받지 못했습니다").await
    })
    .await
}

#[tokio::test]
async fn says_that_a_policy_forbids_wasm() -> Outcome {
    journey("policy", async |page| {
        page.open_any("/wasm-forbidden/?lang=ko").await?;
        fails_with(page, "policy", "security policy", "보안 정책").await
    })
    .await
}

#[tokio::test]
async fn says_that_webassembly_is_missing() -> Outcome {
    journey("no-wasm", async |page| {
        let before = serde_json::json!({ "source": "delete globalThis.WebAssembly" });
        page.devtools("Page.addScriptToEvaluateOnNewDocument", before).await?;
        page.open_any("/").await?;
        fails_with(page, "wasm", "cannot run WebAssembly", "실행할 수 없습니다").await
    })
    .await
}

#[tokio::test]
async fn shows_a_panic_with_its_message() -> Outcome {
    journey("panic", async |page| {
        page.open("/").await?;
        page.js("dispatchEvent(new CustomEvent('lockstep:panic', { detail: 'step 7 <b>of</b> 6' }))").await?;
        page.wait_text("[role=alert] pre", "step 7 <b>of</b> 6").await?;
        fails_with(page, "panic", "a bug in it", "내부 오류").await
    })
    .await
}

/// Whoever uses the keyboard gets out of a failure too.
#[tokio::test]
async fn a_failure_is_left_by_keyboard() -> Outcome {
    journey("leave-failure", async |page| {
        page.dark().await?;
        page.open("/").await?;
        page.js("dispatchEvent(new CustomEvent('lockstep:panic', { detail: 'x' }))").await?;
        page.screenshot("dark").await?;
        page.click("[role=alert] pre").await?;
        page.key(Key::Tab).await?;
        page.wait_js("document.activeElement.matches('[role=alert] button')").await?;
        page.key(Key::Enter).await?;
        page.wait_js("!document.querySelector('[role=alert]')").await?;
        page.wait_running().await
    })
    .await
}

/// Another scenario and the index are loaded like the page itself.
async fn opens_another(page: &Page) -> Outcome {
    page.click("#pick").await?;
    let other = page.text(".chooser-row.on + .chooser-row b").await?;
    page.click(".chooser-row.on + .chooser-row").await?;
    page.wait_text(".pick[aria-expanded=false] b", &other).await?;
    page.wait_js("location.hash.length > 1").await
}

/// The page says why in both languages, and offers to load again.
async fn fails_with(page: &Page, kind: &str, english: &str, korean: &str) -> Outcome {
    page.wait(&format!("[role=alert][data-failure={kind}] button")).await?;
    page.wait_text("[role=alert] [lang=en]", english).await?;
    page.wait_text("[role=alert] [lang=ko]", korean).await?;
    page.screenshot("message").await
}
