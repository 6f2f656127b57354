//! What Debian's packages can bring where other servers cannot be reached.

use crate::process::{is_root, on_path, output, run};
use anyhow::{Context, Result, bail};
use std::path::Path;
use std::process::Command;
use std::sync::Once;

/// Whether packages can be looked up at all.
pub(crate) fn is_here() -> bool {
    on_path("apt-get").is_some() && on_path("dpkg").is_some()
}

/// Installs packages; only root can, so others are told the command.
pub(crate) fn install(packages: &[&str]) -> Result<()> {
    if !is_root() {
        bail!("run this, then try again: sudo apt-get install {}", packages.join(" "));
    }
    update();
    run(Command::new("apt-get")
        .args(["install", "--yes", "--quiet", "--no-install-recommends"])
        .args(packages)
        .env("DEBIAN_FRONTEND", "noninteractive"))
}

/// Unpacks packages into a folder without installing them.
pub(crate) fn unpack(packages: &[String], into: &Path) -> Result<()> {
    let downloads = into.join("downloads");
    std::fs::create_dir_all(&downloads)?;
    run(Command::new("apt-get").args(["download", "--quiet"]).args(packages).current_dir(&downloads))?;
    for file in std::fs::read_dir(&downloads)? {
        run(Command::new("dpkg").arg("--extract").arg(file?.path()).arg(into))?;
    }
    std::fs::remove_dir_all(&downloads).context("cannot remove the downloaded packages")
}

/// The names of the packages on which this one depends, real packages only.
pub(crate) fn dependencies(package: &str) -> Result<Vec<String>> {
    let printed = output(Command::new("apt-cache").args(["depends", "--important", package]))?;
    let names = printed.lines().filter_map(|line| line.trim().strip_prefix("Depends: "));
    Ok(names.filter(|name| !name.starts_with('<')).map(String::from).collect())
}

/// The version that would be installed.
pub(crate) fn candidate(package: &str) -> Result<String> {
    let printed = output(Command::new("apt-cache").args(["policy", package]))?;
    let version = printed.lines().find_map(|line| line.trim().strip_prefix("Candidate: "));
    match version {
        Some(version) if version != "(none)" => Ok(version.to_owned()),
        _ => bail!("Debian's lists have no package {package}"),
    }
}

/// Brings the package lists up to date, once per run. Without them nothing is found, and with old ones downloads fail.
/// A failure is only reported: the lists at hand may do.
pub(crate) fn update() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        if is_root()
            && let Err(error) = run(Command::new("apt-get").args(["update", "--quiet=2"]))
        {
            println!("    going on with the package lists at hand: {error:#}");
        }
    });
}
