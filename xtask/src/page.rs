//! Building the page.
//!
//! Trunk compiles and hashes; this module adds what Trunk cannot: beside `NAME.wasm` a classic script `NAME.wasm.js` with the
//! same bytes in base64. `static/boot.js` loads it where a page may not fetch (a sandboxed frame, a file opened from disk).
//! Visitors of the site never download it. And beside the page the scripts of the scenarios (see [`scenarios`]).

use crate::process::{cargo, run};
use crate::scenarios;
use crate::step::step;
use crate::tools::Tools;
use anyhow::{Context, Result, ensure};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use std::fs;
use std::path::{Path, PathBuf};

/// The folder with the built page.
pub(crate) fn dist() -> PathBuf {
    PathBuf::from("dist")
}

/// Builds the page, optimized, into [`dist`].
pub(crate) fn build(tools: &Tools) -> Result<()> {
    step("page: release build by Trunk", || {
        // Trunk works offline, and passes that on to cargo; so what is missing is downloaded first.
        run(cargo().args(["fetch", "--quiet", "--locked"]))?;
        let mut trunk = tools.command("trunk")?;
        // Trunk takes NO_COLOR for a flag with a value, and stops at "1". Backtraces would bury its message.
        run(trunk.args(["build", "--release"]).env_remove("NO_COLOR").env("RUST_BACKTRACE", "0"))?;
        add_wasm_scripts(&dist())?;
        add_scenarios(&dist())
    })
}

fn add_wasm_scripts(dist: &Path) -> Result<()> {
    let mut count = 0;
    for entry in fs::read_dir(dist)? {
        let wasm = entry?.path();
        if wasm.extension().is_some_and(|extension| extension == "wasm") {
            let bytes = fs::read(&wasm)?;
            let script = format!("self.lockstepWasm=\"{}\";\n", STANDARD.encode(bytes));
            fs::write(wasm.with_extension("wasm.js"), script).context("cannot write the script with the wasm")?;
            count += 1;
        }
    }
    ensure!(count == 1, "expected one wasm file in {}, found {count}", dist.display());
    Ok(())
}

/// Stands in the page, by `Trunk.toml`, for the version of the scenarios' scripts.
const VERSION: &str = "*.js?VERSION";

fn add_scenarios(dist: &Path) -> Result<()> {
    let version = scenarios::write(dist)?;
    let path = dist.join("index.html");
    let index = fs::read_to_string(&path)?;
    ensure!(index.matches(VERSION).count() == 1, "{} does not say {VERSION} once", path.display());
    Ok(fs::write(&path, index.replace(VERSION, &format!("*.js?{version}")))?)
}
