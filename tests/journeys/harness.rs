//! What a journey needs: a browser of its own, conditions to wait for, and eyes.
//!
//! `cargo xtask test` builds the page, starts a plain static server and chromedriver, and runs `cargo test --features journeys
//! --test journeys` with their addresses in `LOCKSTEP_URL` and `LOCKSTEP_WEBDRIVER`. A journey reads:
//!
//! ```ignore
//! #[tokio::test]
//! async fn stepping_moves_the_clock() -> Outcome {
//!     journey("stepping", async |page| {
//!         page.viewport(390, 844).await?;          // 1280 × 800 unless told
//!         page.dark().await?;                      // light unless told
//!         page.open("/?lang=ko").await?;           // waits until the wasm runs
//!         page.click("#step").await?;              // waits for the element
//!         page.wait_text("#clock", "5 ms").await?; // waits for the text
//!         page.screenshot("stepped").await?;       // target/screens/stepping-stepped.png
//!         page.assert_silent().await               // nothing on the console
//!     })
//!     .await
//! }
//! ```
//!
//! No journey sleeps: every wait has a condition and ends after [`WAIT_SECONDS_MAX`] with an error that names it. A journey that
//! fails leaves `target/screens/NAME-failed.png`. The server also serves the page wrongly, under the prefixes `/wasm-as-text/`,
//! `/wasm-missing/`, `/wasm-and-script-missing/`, `/wasm-forbidden/`, `/rest-late/` and `/rest-missing/`, sandboxed with scripts
//! alone under `/sandboxed/`, and `tests/pages/` under `/pages/`.

use fantoccini::actions::{InputSource, KeyAction, KeyActions};
use fantoccini::elements::Element;
use fantoccini::wd::{Capabilities, WebDriverCompatibleCommand};
use fantoccini::{Client, ClientBuilder, Locator};
use serde_json::{Value, json};
use std::any::Any;
use std::error::Error;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::path::PathBuf;
use std::pin::pin;
use std::task::Poll;
use std::time::{Duration, Instant};

/// What a journey ends with.
pub(crate) type Outcome<T = ()> = Result<T, Box<dyn Error>>;

/// A condition that does not hold by then never will.
const WAIT_SECONDS_MAX: u64 = 20;
const POLL_MS: u64 = 25;

/// One browser window, driven from outside.
pub(crate) struct Page {
    client: Client,
    name: &'static str,
}

/// Opens a browser, runs the steps in it and closes it, whatever happens. The name is that of the screenshots.
pub(crate) async fn journey(name: &'static str, steps: impl AsyncFnOnce(&Page) -> Outcome) -> Outcome {
    let page = Page { client: connect().await?, name };
    page.viewport(1280, 800).await?;
    let result = caught(steps(&page)).await;
    if !matches!(result, Ok(Ok(()))) {
        // The journey has failed already; a picture of it is a help, not a duty.
        drop(page.screenshot("failed").await);
    }
    page.client.close().await?;
    result.unwrap_or_else(|panic| resume_unwind(panic))
}

impl Page {
    /// Opens a path of the built page and waits until its wasm runs.
    pub(crate) async fn open(&self, path: &str) -> Outcome {
        self.open_any(path).await?;
        self.wait_running().await
    }

    /// Opens a path of the server, or a whole address, and waits for nothing but its loading.
    pub(crate) async fn open_any(&self, path: &str) -> Outcome {
        let url = if path.contains("://") { path.to_owned() } else { format!("{}{path}", address("LOCKSTEP_URL")?) };
        Ok(self.client.goto(&url).await?)
    }

    /// Waits until the wasm of the page in this frame runs. A failure that the page reports ends the wait at once.
    pub(crate) async fn wait_running(&self) -> Outcome {
        self.wait("html[data-lockstep]").await?;
        match self.client.find(Locator::Css("html")).await?.attr("data-lockstep").await?.as_deref() {
            Some("running") => Ok(()),
            _ => Err(format!("the page reports a failure: {}", self.text("[role=alert]").await?).into()),
        }
    }

    /// Waits for an element.
    pub(crate) async fn wait(&self, css: &str) -> Outcome<Element> {
        let found = self.client.wait().at_most(limit()).every(Duration::from_millis(POLL_MS));
        found.for_element(Locator::Css(css)).await.map_err(|error| format!("waiting for {css}: {error}").into())
    }

    /// Waits until an element's visible text holds `part`.
    pub(crate) async fn wait_text(&self, css: &str, part: &str) -> Outcome {
        let end = Instant::now() + limit();
        loop {
            let text = self.text(css).await?;
            if text.contains(part) {
                return Ok(());
            }
            if Instant::now() > end {
                return Err(format!("waiting for {part:?} in {css}, which says {text:?}").into());
            }
            tokio::time::sleep(Duration::from_millis(POLL_MS)).await;
        }
    }

    /// Waits until a JavaScript expression is true.
    pub(crate) async fn wait_js(&self, expression: &str) -> Outcome {
        let end = Instant::now() + limit();
        while self.js(&format!("return Boolean({expression})")).await? != Value::Bool(true) {
            if Instant::now() > end {
                return Err(format!("waiting for {expression}").into());
            }
            tokio::time::sleep(Duration::from_millis(POLL_MS)).await;
        }
        Ok(())
    }

    /// The visible text of an element, once it is there.
    pub(crate) async fn text(&self, css: &str) -> Outcome<String> {
        Ok(self.wait(css).await?.text().await?)
    }

    /// Clicks an element, once it is there.
    pub(crate) async fn click(&self, css: &str) -> Outcome {
        Ok(self.wait(css).await?.click().await?)
    }

    /// Presses a key, wherever the focus is: a letter, or one of `fantoccini::key::Key`.
    pub(crate) async fn key(&self, key: impl Into<char>) -> Outcome {
        let value = key.into();
        let press =
            KeyActions::new("keyboard".to_owned()).then(KeyAction::Down { value }).then(KeyAction::Up { value });
        Ok(self.client.perform_actions(press).await?)
    }

    /// Presses a key while another is held down.
    pub(crate) async fn chord(&self, held: impl Into<char>, key: impl Into<char>) -> Outcome {
        let (held, value) = (held.into(), key.into());
        let press = KeyActions::new("keyboard".to_owned())
            .then(KeyAction::Down { value: held })
            .then(KeyAction::Down { value })
            .then(KeyAction::Up { value })
            .then(KeyAction::Up { value: held });
        Ok(self.client.perform_actions(press).await?)
    }

    /// Runs a script (a function's body) and returns what it returns; of a promise, what it resolves to.
    pub(crate) async fn js(&self, body: &str) -> Outcome<Value> {
        Ok(self.client.execute(body, Vec::new()).await?)
    }

    /// Waits until the page stands still: no transition runs, and its observers have heard of the last frame.
    pub(crate) async fn settle(&self) -> Outcome {
        let still = "const frame = () => new Promise(requestAnimationFrame);
             return (async () => {
                 do { await frame(); await frame(); } while (document.getAnimations().some(one => one.playState === 'running'));
             })()";
        self.js(still).await.map(drop)
    }

    /// Goes into the frame with this number; what follows happens there.
    pub(crate) async fn enter_frame(&self, index: u16) -> Outcome {
        Ok(self.client.enter_frame(index).await?)
    }

    /// Makes the page exactly this large, in CSS pixels; windows cannot be as narrow as a phone.
    pub(crate) async fn viewport(&self, width: u32, height: u32) -> Outcome {
        let params = json!({ "width": width, "height": height, "deviceScaleFactor": 1, "mobile": false });
        self.devtools("Emulation.setDeviceMetricsOverride", params).await.map(drop)
    }

    /// Lets the page believe that the visitor prefers dark colours.
    pub(crate) async fn dark(&self) -> Outcome {
        let params = json!({ "features": [{ "name": "prefers-color-scheme", "value": "dark" }] });
        self.devtools("Emulation.setEmulatedMedia", params).await.map(drop)
    }

    /// Makes the processor so many times slower.
    pub(crate) async fn slow(&self, times: u32) -> Outcome {
        self.devtools("Emulation.setCPUThrottlingRate", json!({ "rate": times })).await.map(drop)
    }

    /// Chromium's own commands, for what its driver lacks.
    pub(crate) async fn devtools(&self, command: &str, params: Value) -> Outcome<Value> {
        self.vendor("goog/cdp/execute", json!({ "cmd": command, "params": params })).await
    }

    /// Writes `target/screens/JOURNEY-NAME.png`.
    pub(crate) async fn screenshot(&self, name: &str) -> Outcome {
        let dir = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("target/screens");
        std::fs::create_dir_all(&dir)?;
        Ok(std::fs::write(dir.join(format!("{}-{name}.png", self.name)), self.client.screenshot().await?)?)
    }

    /// The warnings and errors on the console since the last call, the browser's own among them. A sandboxed frame runs in a
    /// process of its own, whose console is not heard here: open the page below `/sandboxed/` for that.
    pub(crate) async fn complaints(&self) -> Outcome<Vec<String>> {
        let entries = self.vendor("se/log", json!({ "type": "browser" })).await?;
        let entries = entries.as_array().cloned().unwrap_or_default();
        let loud = entries.iter().filter(|entry| matches!(entry["level"].as_str(), Some("SEVERE" | "WARNING")));
        Ok(loud.filter_map(|entry| entry["message"].as_str()).map(String::from).collect())
    }

    /// Fails if the console holds a warning or an error.
    pub(crate) async fn assert_silent(&self) -> Outcome {
        let complaints = self.complaints().await?;
        if complaints.is_empty() { Ok(()) } else { Err(format!("on the console: {complaints:#?}").into()) }
    }

    async fn vendor(&self, path: &'static str, body: Value) -> Outcome<Value> {
        Ok(self.client.issue_cmd(Vendor { path, body }).await?)
    }
}

/// A command of chromedriver's own, below the session's address.
#[derive(Debug)]
struct Vendor {
    path: &'static str,
    body: Value,
}

impl WebDriverCompatibleCommand for Vendor {
    fn endpoint(&self, base: &url::Url, session: Option<&str>) -> Result<url::Url, url::ParseError> {
        base.join(&format!("session/{}/{}", session.unwrap_or_default(), self.path))
    }

    fn method_and_body(&self, _: &url::Url) -> (http::Method, Option<String>) {
        (http::Method::POST, Some(self.body.to_string()))
    }
}

/// Chromedriver gives every session a new profile and removes it afterwards. Root may run Chromium only without its sandbox.
async fn connect() -> Outcome<Client> {
    let args = [
        "--headless",
        "--no-sandbox",
        "--disable-gpu",
        "--disable-dev-shm-usage",
        "--disable-quic",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
        "--lang=en-US",
    ];
    let mut wanted = Capabilities::new();
    wanted.insert("goog:chromeOptions".to_owned(), json!({ "args": args }));
    let limit_ms = 1000 * WAIT_SECONDS_MAX;
    wanted.insert("timeouts".to_owned(), json!({ "pageLoad": limit_ms, "script": limit_ms, "implicit": 0 }));
    wanted.insert("goog:loggingPrefs".to_owned(), json!({ "browser": "ALL" }));
    let mut builder = ClientBuilder::new(hyper_util::client::legacy::connect::HttpConnector::new());
    Ok(builder.capabilities(wanted).connect(&address("LOCKSTEP_WEBDRIVER")?).await?)
}

fn address(variable: &str) -> Outcome<String> {
    std::env::var(variable).map_err(|_| format!("{variable} is not set: run `cargo xtask test`").into())
}

fn limit() -> Duration {
    Duration::from_secs(WAIT_SECONDS_MAX)
}

/// Awaits the future; a panic in it comes back as a value, so that the browser can still be closed.
async fn caught<T>(future: impl Future<Output = T>) -> Result<T, Box<dyn Any + Send>> {
    let mut future = pin!(future);
    std::future::poll_fn(|context| match catch_unwind(AssertUnwindSafe(|| future.as_mut().poll(context))) {
        Ok(Poll::Pending) => Poll::Pending,
        Ok(Poll::Ready(value)) => Poll::Ready(Ok(value)),
        Err(panic) => Poll::Ready(Err(panic)),
    })
    .await
}
