//! A plain static server: right content types, no CORS headers, nothing cached, 127.0.0.1 only.
//!
//! It is as plain as the servers on which people will put the page, so what works here works there. For the journeys it can also
//! misbehave: a [`Mount`] serves a folder under a prefix with one [`Flaw`].

use anyhow::{Context, Result, anyhow};
use std::fs::File;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;
use tiny_http::{Header, Method, Request, Response};

const PORT_FIRST: u16 = 8000;
const PORT_LAST: u16 = 8019;
const THREADS: usize = 4;

/// A folder served under a prefix of the path.
#[derive(Debug, Clone)]
pub(crate) struct Mount {
    prefix: String,
    dir: PathBuf,
    flaw: Flaw,
}

/// What a server can do wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Flaw {
    /// Nothing.
    None,
    /// Wasm is served as text, as old servers do.
    WasmAsText,
    /// The wasm file is missing; the script with its bytes is there.
    WasmMissing,
    /// Neither is there.
    WasmAndScriptMissing,
    /// The second part of the wasm never comes by itself; whoever asks for it at once (with a query) gets it.
    RestLate,
    /// The second part of the wasm is missing, however it is asked for.
    RestMissing,
    /// A policy is sent along that forbids compiling wasm.
    WasmForbidden,
    /// A policy is sent along that gives the page an opaque origin, as `<iframe sandbox="allow-scripts">` does.
    Sandboxed,
}

impl Flaw {
    fn policy(self) -> Option<&'static str> {
        match self {
            Self::WasmForbidden => Some("script-src 'self'"),
            Self::Sandboxed => Some("sandbox allow-scripts"),
            _ => None,
        }
    }
}

impl Mount {
    /// A folder under a prefix that begins and ends with a slash.
    pub(crate) fn new(prefix: &str, dir: PathBuf) -> Self {
        Self { prefix: prefix.to_owned(), dir, flaw: Flaw::None }
    }

    /// The same with a flaw.
    pub(crate) fn with(mut self, flaw: Flaw) -> Self {
        self.flaw = flaw;
        self
    }

    /// The file for a path below the prefix, asked for with a query or without; none if it is missing, lies outside or is kept
    /// back by the flaw.
    fn file(&self, below: &str, query: Option<&str>) -> Option<PathBuf> {
        let relative = Path::new(below);
        let inside = relative.components().all(|part| matches!(part, Component::Normal(_)));
        let kept_back = match self.flaw {
            Flaw::WasmMissing => is(relative, "wasm"),
            Flaw::WasmAndScriptMissing => is(relative, "wasm") || below.ends_with(".wasm.js"),
            Flaw::RestLate => below.ends_with("_rest.wasm") && query.is_none(),
            Flaw::RestMissing => below.ends_with("_rest.wasm"),
            Flaw::None | Flaw::WasmAsText | Flaw::WasmForbidden | Flaw::Sandboxed => false,
        };
        let path = self.dir.join(relative);
        let path = if path.is_dir() { path.join("index.html") } else { path };
        (inside && !kept_back && path.is_file()).then_some(path)
    }
}

/// A server in threads of its own, which serve until the process ends.
pub(crate) struct Server {
    port: u16,
}

impl Server {
    /// Starts on this port, or on the first free one from 8000 on. Of two mounts that match, the longer prefix wins.
    pub(crate) fn start(port: Option<u16>, mut mounts: Vec<Mount>) -> Result<Self> {
        mounts.sort_by_key(|mount| std::cmp::Reverse(mount.prefix.len()));
        let (http, port) = listen(port)?;
        let (http, mounts) = (Arc::new(http), Arc::new(mounts));
        for _ in 0..THREADS {
            let (http, mounts) = (Arc::clone(&http), Arc::clone(&mounts));
            std::thread::spawn(move || {
                while let Ok(request) = http.recv() {
                    // A visitor who went away before the answer is no concern of the server's.
                    drop(answer(request, &mounts));
                }
            });
        }
        Ok(Self { port })
    }

    /// Where it answers, without a slash at the end.
    pub(crate) fn url(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }
}

fn listen(port: Option<u16>) -> Result<(tiny_http::Server, u16)> {
    let ports = port.map_or(PORT_FIRST..=PORT_LAST, |port| port..=port);
    let tried = format!("{ports:?}");
    for port in ports {
        if let Ok(http) = tiny_http::Server::http(("127.0.0.1", port)) {
            let address = http.server_addr().to_ip().context("the server has no address")?;
            return Ok((http, address.port()));
        }
    }
    Err(anyhow!("no free port among {tried}: choose another with --port"))
}

fn answer(request: Request, mounts: &[Mount]) -> std::io::Result<()> {
    let (path, query) =
        request.url().split_once('?').map_or((request.url(), None), |(path, query)| (path, Some(query)));
    let (path, query) = (path.to_owned(), query.map(str::to_owned));
    if !matches!(request.method(), Method::Get | Method::Head) {
        return request.respond(Response::from_string("only GET and HEAD\n").with_status_code(405));
    }
    let found = mounts.iter().find_map(|mount| Some((mount, path.strip_prefix(mount.prefix.as_str())?)));
    let file = found.and_then(|(mount, below)| Some((mount, mount.file(below, query.as_deref())?)));
    let Some((mount, file)) = file else {
        return request.respond(Response::from_string(format!("nothing at {path}\n")).with_status_code(404));
    };
    let mut response = Response::from_file(File::open(&file)?);
    response.add_header(header("Content-Type", content_type(&file, mount.flaw)));
    response.add_header(header("Cache-Control", "no-cache"));
    response.add_header(header("X-Content-Type-Options", "nosniff"));
    if let Some(policy) = mount.flaw.policy() {
        response.add_header(header("Content-Security-Policy", policy));
    }
    request.respond(response)
}

fn content_type(file: &Path, flaw: Flaw) -> &'static str {
    match file.extension().and_then(|extension| extension.to_str()) {
        Some("html") => "text/html; charset=utf-8",
        Some("js") => "text/javascript; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("json") => "application/json",
        Some("webmanifest") => "application/manifest+json",
        Some("svg") => "image/svg+xml",
        Some("png") => "image/png",
        Some("woff2") => "font/woff2",
        Some("wasm") if flaw == Flaw::WasmAsText => "text/plain",
        Some("wasm") => "application/wasm",
        Some("txt" | "md") => "text/plain; charset=utf-8",
        _ => "application/octet-stream",
    }
}

fn header(name: &'static str, value: &'static str) -> Header {
    Header::from_bytes(name, value).expect("names and values are ASCII literals of this file")
}

fn is(path: &Path, extension: &str) -> bool {
    path.extension().is_some_and(|found| found == extension)
}

#[cfg(test)]
mod tests {
    use super::{Flaw, Mount};
    use std::path::PathBuf;

    fn xtask() -> Mount {
        Mount::new("/", PathBuf::from(env!("CARGO_MANIFEST_DIR")))
    }

    #[test]
    fn nothing_outside_the_folder_is_served() {
        assert!(xtask().file("Cargo.toml", None).is_some());
        assert!(xtask().file("src/main.rs", None).is_some());
        for path in ["../Cargo.toml", "src/../../Cargo.toml", "/etc/passwd", "./Cargo.toml", "missing", "src"] {
            assert_eq!(xtask().file(path, None), None, "{path}");
        }
    }

    #[test]
    fn a_flaw_keeps_files_back() {
        assert!(xtask().with(Flaw::WasmAndScriptMissing).file("Cargo.toml", None).is_some());
        assert_eq!(xtask().with(Flaw::WasmMissing).file("page.wasm", None), None);
        assert_eq!(xtask().with(Flaw::RestLate).file("page_rest.wasm", None), None);
    }
}
