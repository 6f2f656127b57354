//! The standard library for `wasm32-unknown-unknown`.
//!
//! Rustup brings it in seconds wherever its server can be reached. Where only package registries can, Debian ships the sources
//! of the standard library beside a compiler of the same version (the `-web` packages, made for browsers); from these it is
//! compiled once, in half a minute. That compiler becomes the rustup toolchain `lockstep-wasm`, used for wasm alone: native
//! builds and tests stay on the user's toolchain.

use crate::process::{cargo, output, run};
use crate::step::step;
use crate::{cache, debian};
use anyhow::{Context, Result, bail};
use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::Command;

const TARGET: &str = "wasm32-unknown-unknown";
const LINKED: &str = "lockstep-wasm";
const HOST_LIB: &str = "usr/lib/x86_64-linux-gnu";
const HOST_RUSTLIB: &str = "usr/lib/rustlib/x86_64-unknown-linux-gnu";

/// The toolchain that builds for wasm.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum WasmToolchain {
    /// The one in use anyway.
    Default,
    /// The one that this module links.
    Linked,
}

impl WasmToolchain {
    /// The value for `RUSTUP_TOOLCHAIN`, where one must be set.
    pub(crate) fn rustup_name(self) -> Option<&'static str> {
        match self {
            Self::Default => None,
            Self::Linked => Some(LINKED),
        }
    }

    fn rustc(self) -> Command {
        let mut rustc = Command::new("rustc");
        if let Some(name) = self.rustup_name() {
            rustc.env("RUSTUP_TOOLCHAIN", name);
        }
        rustc
    }

    /// Whether this toolchain has the standard library for wasm, and the library that runs tests.
    fn has_std(self) -> bool {
        let Ok(dir) = output(self.rustc().args(["--print", "target-libdir", "--target", TARGET])) else {
            return false;
        };
        let Ok(files) = fs::read_dir(dir.trim()) else { return false };
        let names: Vec<_> = files.flatten().map(|file| file.file_name().to_string_lossy().into_owned()).collect();
        let has = |library| names.iter().any(|name| name.starts_with(library) && is_rlib(Path::new(name)));
        has("libstd-") && has("libtest-")
    }
}

/// Finds a toolchain that builds for wasm, or makes one.
pub(crate) fn find_or_install() -> Result<WasmToolchain> {
    if WasmToolchain::Default.has_std() {
        return Ok(WasmToolchain::Default);
    }
    if WasmToolchain::Linked.has_std() {
        return Ok(WasmToolchain::Linked);
    }
    step("standard library for wasm: rustup", || {
        if let Err(error) = run(Command::new("rustup").args(["target", "add", TARGET]).env("RUST_BACKTRACE", "0")) {
            println!("    not from rustup: {error:#}");
        }
        Ok(())
    })?;
    if WasmToolchain::Default.has_std() {
        return Ok(WasmToolchain::Default);
    }
    if !debian::is_here() {
        bail!("install the standard library for wasm: rustup target add {TARGET}");
    }
    step("standard library for wasm: Debian's sources, compiled once (about a minute)", from_debian)?;
    if !WasmToolchain::Linked.has_std() {
        bail!(
            "the toolchain {LINKED} lacks std or test for {TARGET}: remove {}, then try again",
            cache::dir()?.display()
        );
    }
    Ok(WasmToolchain::Linked)
}

fn from_debian() -> Result<()> {
    debian::update();
    let version = debian::candidate("rustc-web")?;
    let folder = format!("wasm-std-{}", version.replace(['+', '~', ':'], "-"));
    let root = cache::filled(&folder, |root| {
        debian::unpack(&packages()?, root)?;
        wrap_rustc(root)?;
        lend(root)?;
        build_std(root)
    })?;
    run(Command::new("rustup").args(["toolchain", "link", LINKED]).arg(root.join("usr")))
}

/// The compiler, its library and LLVM, and the sources. Two of the names carry a version that moves on.
fn packages() -> Result<Vec<String>> {
    let library = one_of(debian::dependencies("libstd-rust-web-dev")?, "libstd-rust-web-")?;
    let llvm = one_of(debian::dependencies(&library)?, "libllvm")?;
    let plain = ["rustc-web", "libstd-rust-web-dev", "rust-web-src"].map(String::from);
    Ok(plain.into_iter().chain([library, llvm]).collect())
}

fn one_of(names: Vec<String>, prefix: &str) -> Result<String> {
    names.into_iter().find(|name| name.starts_with(prefix)).with_context(|| format!("Debian has no package {prefix}*"))
}

/// The unpacked compiler finds its libraries beside itself, wherever the folder comes to lie.
fn wrap_rustc(root: &Path) -> Result<()> {
    let rustc = root.join("usr/bin/rustc");
    fs::rename(&rustc, root.join("usr/bin/rustc.real")).context("the packages hold no usr/bin/rustc")?;
    let script = "#!/bin/sh\n\
        bin=$(dirname \"$(readlink -f \"$0\")\")\n\
        LD_LIBRARY_PATH=\"$bin/../lib/x86_64-linux-gnu\" exec \"$bin/rustc.real\" \"$@\"\n";
    fs::write(&rustc, script)?;
    fs::set_permissions(&rustc, fs::Permissions::from_mode(0o755)).context("cannot make the wrapper executable")
}

/// What Debian's packages lack, the user's own toolchain lends: `rust-lld`, which links wasm, and cargo, for which rustup
/// would otherwise choose any toolchain that has one.
fn lend(root: &Path) -> Result<()> {
    let sysroot = PathBuf::from(output(Command::new("rustc").args(["--print", "sysroot"]))?.trim());
    let link = |from: PathBuf, to: PathBuf| {
        symlink(&from, &to).with_context(|| format!("cannot link {} to {}", to.display(), from.display()))
    };
    link(sysroot.join("lib/rustlib/x86_64-unknown-linux-gnu/bin"), root.join(HOST_RUSTLIB).join("bin"))?;
    link(sysroot.join("bin/cargo"), root.join("usr/bin/cargo"))
}

/// Compiles the standard library by building an empty crate, and puts the result where the compiler looks for it.
fn build_std(root: &Path) -> Result<()> {
    let krate = root.join("empty");
    fs::create_dir_all(krate.join("src"))?;
    fs::write(krate.join("src/lib.rs"), "")?;
    fs::write(
        krate.join("Cargo.toml"),
        "[package]\nname = \"empty\"\nversion = \"0.0.0\"\nedition = \"2024\"\n[workspace]\n",
    )?;
    run(cargo()
        .args(["build", "--release", "-Zbuild-std=std,panic_abort,test", "--target", TARGET])
        .current_dir(&krate)
        .env("RUSTC", root.join("usr/bin/rustc"))
        .env("LD_LIBRARY_PATH", root.join(HOST_LIB))
        .env("RUSTC_BOOTSTRAP", "1")
        // Without bitcode in it, link-time optimization later fails.
        .env("RUSTFLAGS", "-Cembed-bitcode=yes")
        .env("CARGO_TARGET_DIR", krate.join("target")))?;
    let lib = root.join("usr/lib/rustlib").join(TARGET).join("lib");
    fs::create_dir_all(&lib)?;
    for file in fs::read_dir(krate.join("target").join(TARGET).join("release/deps"))? {
        let path = file?.path();
        if is_rlib(&path)
            && let Some(name) = path.file_name()
        {
            fs::copy(&path, lib.join(name))?;
        }
    }
    fs::remove_dir_all(&krate).context("cannot remove the empty crate")
}

fn is_rlib(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "rlib")
}
