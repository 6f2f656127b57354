//! Running other programs.

use anyhow::{Context, Result, ensure};
use std::path::PathBuf;
use std::process::{Command, Stdio};

/// Cargo as the user has it: through rustup's proxy, so that `RUSTUP_TOOLCHAIN` chooses the toolchain.
pub(crate) fn cargo() -> Command {
    Command::new("cargo")
}

/// Runs a program that prints for the reader; an exit status other than 0 is an error that names the command.
pub(crate) fn run(command: &mut Command) -> Result<()> {
    let line = shown(command);
    println!("    $ {line}");
    let status = command.stdin(Stdio::null()).status().with_context(|| format!("cannot start `{line}`"))?;
    ensure!(status.success(), "`{line}` ended with {status}");
    Ok(())
}

/// Runs a program for its standard output; what it writes to standard error goes into the error.
pub(crate) fn output(command: &mut Command) -> Result<String> {
    let line = shown(command);
    let output = command.stdin(Stdio::null()).output().with_context(|| format!("cannot start `{line}`"))?;
    let errors = String::from_utf8_lossy(&output.stderr);
    ensure!(output.status.success(), "`{line}` ended with {}\n{}", output.status, errors.trim());
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// The first program of this name on `PATH`.
pub(crate) fn on_path(program: &str) -> Option<PathBuf> {
    let paths = std::env::var_os("PATH")?;
    std::env::split_paths(&paths).map(|dir| dir.join(program)).find(|path| path.is_file())
}

/// Whether this process may install system packages.
pub(crate) fn is_root() -> bool {
    output(Command::new("id").arg("-u")).is_ok_and(|id| id.trim() == "0")
}

fn shown(command: &Command) -> String {
    let words = std::iter::once(command.get_program()).chain(command.get_args());
    words.map(|word| word.to_string_lossy()).collect::<Vec<_>>().join(" ")
}
