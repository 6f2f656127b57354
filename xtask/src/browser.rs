//! Chromium and its driver: finding or installing them, and running the driver.

use crate::debian;
use crate::process::on_path;
use crate::step::step;
use anyhow::{Context, Result, bail};
use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

const BROWSERS: [&str; 4] = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
const MAC_BROWSERS: [&str; 2] = ["Google Chrome", "Chromium"];
/// Chromium itself, its driver, and a small Korean typeface: the page speaks Korean and its journeys measure layout.
const PACKAGES: [&str; 3] = ["chromium", "chromium-driver", "fonts-nanum"];
const MISSING: &str = "\
install Chrome or Chromium and the chromedriver of the same version, for example
  Debian, Ubuntu:  sudo apt-get install chromium chromium-driver   (Ubuntu: chromium-browser chromium-chromedriver)
  macOS:           brew install --cask google-chrome chromedriver
  elsewhere:       npx @puppeteer/browsers install chromedriver@stable, and put it on PATH";

/// The path of `chromedriver`, once a browser for it is there too.
pub(crate) fn find_or_install() -> Result<PathBuf> {
    if let Some(driver) = find() {
        return Ok(driver);
    }
    if is_debian() {
        step("Chromium and chromedriver: Debian's packages (once, about a minute)", || debian::install(&PACKAGES))?;
    }
    find().with_context(|| format!("no browser to test in: {MISSING}"))
}

fn find() -> Option<PathBuf> {
    let app = |name: &&str| PathBuf::from(format!("/Applications/{name}.app")).exists();
    let browser = BROWSERS.iter().any(|name| on_path(name).is_some()) || MAC_BROWSERS.iter().any(app);
    on_path("chromedriver").filter(|_| browser)
}

/// Ubuntu also has `apt-get`, but its Chromium is a snap that a script cannot rely on.
fn is_debian() -> bool {
    debian::is_here()
        && fs::read_to_string("/etc/os-release").is_ok_and(|text| text.lines().any(|line| line == "ID=debian"))
}

/// A running chromedriver on a free port; dropping it closes every browser that it started.
#[derive(Debug)]
pub(crate) struct WebDriver {
    child: Child,
    port: u16,
}

impl WebDriver {
    /// Starts the driver and waits until it says where it listens.
    pub(crate) fn start() -> Result<Self> {
        let program = find_or_install()?;
        let mut child = Command::new(&program)
            .arg("--port=0")
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .spawn()
            .with_context(|| format!("cannot start {}", program.display()))?;
        let Some(stdout) = child.stdout.take() else { bail!("chromedriver's output is not to be had") };
        let mut lines = BufReader::new(stdout).lines();
        while let Some(Ok(line)) = lines.next() {
            if let Some(port) = port_in(&line) {
                // What it says later is of no interest, but must be read so that it does not block.
                std::thread::spawn(move || lines.for_each(drop));
                return Ok(Self { child, port });
            }
        }
        bail!("chromedriver ended without saying where it listens: {:?}", child.wait()?)
    }

    /// Where it listens.
    pub(crate) fn url(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }

    /// Asks the driver to close its browsers and end.
    fn shut_down(&self) -> Result<()> {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port))?;
        stream.set_read_timeout(Some(Duration::from_secs(5)))?;
        stream.write_all(b"GET /shutdown HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n")?;
        stream.read_to_end(&mut Vec::new())?;
        Ok(())
    }
}

impl Drop for WebDriver {
    fn drop(&mut self) {
        if self.shut_down().is_ok() {
            let end = Instant::now() + Duration::from_secs(5);
            while Instant::now() < end {
                if matches!(self.child.try_wait(), Ok(Some(_))) {
                    return;
                }
                std::thread::sleep(Duration::from_millis(20));
            }
        }
        // Nothing can be done about a driver that cannot even be killed.
        drop(self.child.kill());
        drop(self.child.wait());
    }
}

/// The port in "`ChromeDriver` was started successfully on port 12345."
fn port_in(line: &str) -> Option<u16> {
    line.strip_prefix("ChromeDriver was started successfully on port ")?.trim_end_matches('.').parse().ok()
}

#[cfg(test)]
mod tests {
    use super::port_in;

    #[test]
    fn the_driver_says_its_port() {
        assert_eq!(port_in("ChromeDriver was started successfully on port 40123."), Some(40123));
        assert_eq!(port_in("Starting ChromeDriver 156.0 on port 0"), None);
    }
}
