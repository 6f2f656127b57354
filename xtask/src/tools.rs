//! The programs that build the page: Trunk, wasm-bindgen and wasm-opt, each in one version.
//!
//! What is on `PATH` in that version is used as it is; the rest is installed into the cache. Debug builds of Trunk and
//! wasm-bindgen do: they compile three times faster and take a second longer to run.

use crate::process::{cargo, on_path, output, run};
use crate::step::step;
use crate::wasm_std::{self, WasmToolchain};
use crate::{bindings, cache};
use anyhow::{Context, Result, bail};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

const TRUNK: &str = "0.21.14";
/// The same number stands in Trunk.toml; older versions reject what current compilers emit.
const BINARYEN: &str = "132";
/// The release on npm that brings [`BINARYEN`].
const BINARYEN_NPM: &str = "132.0.0";

/// Everything that a build of the page needs.
#[derive(Debug)]
pub(crate) struct Tools {
    dirs: Vec<PathBuf>,
    toolchain: WasmToolchain,
}

impl Tools {
    /// Finds the tools or installs them.
    pub(crate) fn for_page() -> Result<Self> {
        let toolchain = wasm_std::find_or_install()?;
        let dirs = [trunk()?, wasm_bindgen()?, wasm_opt()?].into_iter().flatten().collect();
        Ok(Self { dirs, toolchain })
    }

    /// A program that sees the tools and builds for wasm with the right toolchain.
    pub(crate) fn command(&self, program: &str) -> Result<Command> {
        let mut command = Command::new(program);
        command.env("PATH", self.path()?);
        if let Some(name) = self.toolchain.rustup_name() {
            command.env("RUSTUP_TOOLCHAIN", name);
        }
        // The host's cargo may have set these for its own children.
        command.env_remove("CARGO").env_remove("RUSTC");
        Ok(command)
    }

    /// One line for the reader.
    pub(crate) fn describe(&self) -> String {
        let dirs: Vec<_> = self.dirs.iter().map(|dir| dir.display().to_string()).collect();
        let rust = self.toolchain.rustup_name().unwrap_or("the default toolchain");
        if dirs.is_empty() {
            format!("on PATH; wasm by {rust}")
        } else {
            format!("{}; wasm by {rust}", dirs.join(", "))
        }
    }

    fn path(&self) -> Result<OsString> {
        let old = std::env::var_os("PATH").unwrap_or_default();
        let dirs = self.dirs.iter().cloned().chain(std::env::split_paths(&old));
        std::env::join_paths(dirs).context("a folder of PATH has a colon in its name")
    }
}

fn trunk() -> Result<Option<PathBuf>> {
    let args = ["--no-default-features", "--features", "rustls", "--locked"];
    cargo_tool("trunk", "trunk", TRUNK, &args, "2 to 4 minutes")
}

/// Its version must be the one of the library, to the last digit. The published lock file names a dependency that not
/// every copy of the registry has, so none is asked for.
fn wasm_bindgen() -> Result<Option<PathBuf>> {
    cargo_tool("wasm-bindgen", "wasm-bindgen-cli", &bindings::locked_version()?, &[], "1 to 2 minutes")
}

/// The folder to add to `PATH` for a program that Cargo installs; none if it is there already.
fn cargo_tool(program: &str, package: &str, version: &str, args: &[&str], time: &str) -> Result<Option<PathBuf>> {
    if says_version(Path::new(program), version) {
        return Ok(None);
    }
    let folder = format!("{program}-{version}");
    let dir = cache::filled(&folder, |partial| {
        step(&format!("{program} {version}: cargo install (once, {time})"), || {
            let mut install = cargo();
            install.args(["install", "--quiet", "--debug", package, "--version", version, "--root"]).arg(partial);
            run(install.args(args).env_remove("CARGO_TARGET_DIR"))
        })
    })?;
    Ok(Some(dir.join("bin")))
}

/// The optimizer from npm's `binaryen`: Debian's is too old, and Trunk's own download needs a server that may be out of reach.
fn wasm_opt() -> Result<Option<PathBuf>> {
    if says_version(Path::new("wasm-opt"), BINARYEN) {
        return Ok(None);
    }
    if on_path("npm").is_none() {
        bail!(
            "wasm-opt {BINARYEN} is missing: install binaryen {BINARYEN}, or Node.js with npm so that it can be fetched"
        );
    }
    let dir = cache::filled(&format!("binaryen-{BINARYEN}"), |partial| {
        step(&format!("wasm-opt {BINARYEN}: npm's binaryen (once, a few seconds)"), || {
            let package = format!("binaryen@{BINARYEN_NPM}");
            run(Command::new("npm")
                .args(["install", "--no-save", "--no-audit", "--no-fund", "--loglevel=error", "--prefix"])
                .arg(partial)
                .arg(package))
        })
    })?;
    Ok(Some(dir.join("node_modules/.bin")))
}

/// Whether the program prints this version. A word must equal it: 0.2.13 is not 0.2.130.
fn says_version(program: &Path, version: &str) -> bool {
    output(Command::new(program).arg("--version")).is_ok_and(|text| text.split_whitespace().any(|word| word == version))
}
