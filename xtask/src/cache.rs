//! Where installed tools live.
//!
//! One folder per user and not one per checkout: a clean clone then needs no second set-up (three minutes of compiling), and
//! `cargo clean` does not throw the tools away. Folders are named by version, so nothing in them ever needs updating: a
//! folder that exists under its final name is complete, since work happens in a sibling that is renamed at the end.

use anyhow::{Context, Result};
use std::path::{Path, PathBuf};

/// `$LOCKSTEP_CACHE`, or `lockstep` in the user's cache folder.
pub(crate) fn dir() -> Result<PathBuf> {
    let set = |name| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    set("LOCKSTEP_CACHE")
        .or_else(|| set("XDG_CACHE_HOME").map(|dir| dir.join("lockstep")))
        .or_else(|| set("HOME").map(|dir| dir.join(".cache/lockstep")))
        .context("neither LOCKSTEP_CACHE nor HOME is set: set LOCKSTEP_CACHE to a folder for the tools")
}

/// The folder `name` of the cache, filled by `fill` unless it is there already. `fill` gets an empty folder.
pub(crate) fn filled(name: &str, fill: impl FnOnce(&Path) -> Result<()>) -> Result<PathBuf> {
    let cache = dir()?;
    let ready = cache.join(name);
    if ready.exists() {
        return Ok(ready);
    }
    let partial = cache.join(format!("{name}.partial"));
    if partial.exists() {
        std::fs::remove_dir_all(&partial).with_context(|| format!("cannot remove {}", partial.display()))?;
    }
    std::fs::create_dir_all(&partial).with_context(|| format!("cannot create {}", partial.display()))?;
    fill(&partial)?;
    std::fs::rename(&partial, &ready).with_context(|| format!("cannot move {} into place", partial.display()))?;
    Ok(ready)
}
