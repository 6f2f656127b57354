//! The version of wasm-bindgen that Cargo.lock names: library and command line tool refuse to work across versions.

use anyhow::{Context, Result};

/// As it stands in Cargo.lock.
pub(crate) fn locked_version() -> Result<String> {
    let lock = std::fs::read_to_string("Cargo.lock").context("cannot read Cargo.lock")?;
    version_in(&lock, "wasm-bindgen").context("Cargo.lock names no wasm-bindgen")
}

fn version_in(lock: &str, package: &str) -> Option<String> {
    let name = format!("name = \"{package}\"");
    let mut lines = lock.lines().skip_while(|line| *line != name);
    let version = lines.nth(1)?.strip_prefix("version = \"")?;
    Some(version.trim_end_matches('"').to_owned())
}

#[cfg(test)]
mod tests {
    use super::version_in;

    #[test]
    fn the_version_of_exactly_this_package() {
        let lock = "[[package]]\nname = \"wasm-bindgen-futures\"\nversion = \"0.4.1\"\n\n\
                    [[package]]\nname = \"wasm-bindgen\"\nversion = \"0.2.130\"\n";
        assert_eq!(version_in(lock, "wasm-bindgen").as_deref(), Some("0.2.130"));
        assert_eq!(version_in(lock, "wasm"), None);
    }
}
