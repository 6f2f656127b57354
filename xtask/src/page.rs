//! Building the page.
//!
//! Trunk compiles and hashes; this module adds what Trunk cannot. It cuts `NAME_bg.wasm` in two (see [`split`]), the first view
//! and `NAME_rest.wasm`, lets `wasm-opt` shrink both, and puts beside each a classic script `….wasm.js` with the same bytes in
//! base64. `static/boot.js` loads these where a page may not fetch (a sandboxed frame, a file opened from disk). Visitors of
//! the site never download them. And beside the page come the scripts of the scenarios (see [`scenarios`]).

use crate::process::{cargo, run};
use crate::scenarios;
use crate::short;
use crate::size;
use crate::split::{self, Rest};
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

/// What the wasm may use; `wasm-opt` would otherwise refuse it, or with `--all-features` write what browsers do not know.
const WASM_FEATURES: [&str; 6] =
    ["bulk-memory", "multivalue", "mutable-globals", "nontrapping-float-to-int", "reference-types", "sign-ext"];

/// Builds the page, optimized, into [`dist`].
pub(crate) fn build(tools: &Tools) -> Result<()> {
    compile(tools)?;
    step("page: its wasm in two parts", || {
        let whole = wasm(&dist())?;
        let script = PathBuf::from(whole.to_string_lossy().replace("_bg.wasm", ".js"));
        let mut module = split::parse(&fs::read(&whole)?)?;
        let renamed = short::rename(&mut module, &fs::read_to_string(&script)?)?;
        fs::write(script, renamed)?;
        let parts = split::split(module, &Rest::read(Path::new(split::LIST))?)?;
        let name = whole.to_string_lossy().replace("_bg.wasm", "_rest.wasm");
        for (path, bytes) in [(whole, parts.first), (PathBuf::from(name), parts.rest)] {
            fs::write(&path, bytes)?;
            let features = WASM_FEATURES.iter().map(|feature| format!("--enable-{feature}"));
            let mut optimize = tools.command("wasm-opt")?;
            optimize.args(["-Oz", "--strip-debug", "--strip-producers"]).args(features);
            run(optimize.arg(&path).arg("--output").arg(&path))?;
            let script = format!("self.lockstepWasm=\"{}\";\n", STANDARD.encode(fs::read(&path)?));
            fs::write(path.with_extension("wasm.js"), script).context("cannot write the script with the wasm")?;
        }
        Ok(())
    })
}

/// Builds the page in one part that notes which functions run (see [`split::instrument`]); returns their names.
pub(crate) fn build_instrumented(tools: &Tools) -> Result<Vec<String>> {
    compile(tools)?;
    let path = wasm(&dist())?;
    let (bytes, names) = split::instrument(&fs::read(&path)?)?;
    fs::write(path, bytes)?;
    Ok(names)
}

fn compile(tools: &Tools) -> Result<()> {
    step("page: release build by Trunk", || {
        // Trunk works offline, and passes that on to cargo; so what is missing is downloaded first.
        run(cargo().args(["fetch", "--quiet", "--locked"]))?;
        let mut trunk = tools.command("trunk")?;
        trunk.env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUSTFLAGS", short_paths());
        // Trunk takes NO_COLOR for a flag with a value, and stops at "1". Backtraces would bury its message.
        run(trunk.args(["build", "--release"]).env_remove("NO_COLOR").env("RUST_BACKTRACE", "0"))?;
        add_scenarios(&dist())?;
        postpone_styles(&dist())
    })
}

/// Panics name the files of crates. In the page they begin with the crate, not with the folders of the machine that built it.
/// What `.cargo/config.toml` says holds besides. A folder with a space in its name stays: Cargo would take it for two flags.
fn short_paths() -> String {
    let home = std::env::var_os("CARGO_HOME").map(PathBuf::from).or_else(|| Some(std::env::home_dir()?.join(".cargo")));
    let registries = home.and_then(|home| fs::read_dir(home.join("registry/src")).ok()).into_iter().flatten().flatten();
    let flags = registries.map(|registry| format!("--remap-path-prefix={}/=", registry.path().display()));
    flags.filter(|flag| !flag.contains(char::is_whitespace)).collect::<Vec<_>>().join(" ")
}

/// The one wasm file that Trunk wrote.
fn wasm(dist: &Path) -> Result<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(dist)? {
        let path = entry?.path();
        if path.extension().is_some_and(|extension| extension == "wasm") {
            found.push(path);
        }
    }
    ensure!(found.len() == 1, "expected one wasm file in {}, found {}", dist.display(), found.len());
    Ok(found.remove(0))
}

/// Trunk hashes the later style sheet and links it; the page shall only know where it is (`static/boot.js`).
fn postpone_styles(dist: &Path) -> Result<()> {
    let path = dist.join("index.html");
    let index = fs::read_to_string(&path)?;
    let name = index.find(size::LATER_STYLES).context("the page links no later style sheet")?;
    let (from, to) = (index[..name].rfind("<link"), index[name..].find('>'));
    let (from, to) = from.zip(to).context("the link of the later style sheet has no end")?;
    let (link, rest) = (&index[from..=name + to], [&index[..from], &index[name + to + 1..]].concat());
    let address =
        link.split("href=").nth(1).and_then(|href| href.split(['"', '\'', ' ', '>']).find(|part| !part.is_empty()));
    let address = address.context("the link of the later style sheet leads nowhere")?;
    ensure!(rest.matches(STYLES).count() == 1, "{} does not say {STYLES} once", path.display());
    Ok(fs::write(&path, rest.replace(STYLES, address))?)
}

/// Stands in the page, by `Trunk.toml`, for the address of the later style sheet.
const STYLES: &str = "LATER";

/// Stands in the page, by `Trunk.toml`, for the version of the scenarios' scripts.
const VERSION: &str = "*.js?VERSION";

fn add_scenarios(dist: &Path) -> Result<()> {
    let version = scenarios::write(dist)?;
    let path = dist.join("index.html");
    let index = fs::read_to_string(&path)?;
    ensure!(index.matches(VERSION).count() == 1, "{} does not say {VERSION} once", path.display());
    Ok(fs::write(&path, index.replace(VERSION, &format!("*.js?{version}")))?)
}
