//! A real Redis server whose clock, death and power the test controls.
//!
//! It listens on a socket in a folder of its own and nowhere else. `clock.c`, loaded before it, lets its wall clock show
//! what the test wrote into a file, and notes at every sync how much of the append-only file is on the disk. A power loss is
//! then a kill and a file cut to that size. Only the file that commands are appended to is cut: the manifest and the empty
//! base file are written once, when the server is set up, and count as safe.

use std::fs::{self, File};
use std::os::unix::fs::FileExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::mpsc::{Receiver, channel};
use std::thread::{self, sleep};
use std::time::{Duration, Instant};

use lockstep::vocabulary::Persistence;

use crate::Outcome;
use crate::resp::{Connection, Reply};

/// What has not happened by then does not happen.
const WAIT_SECONDS_MAX: u64 = 5;
const POLL_US: u64 = 500;
const APPEND_ONLY_FILE: &str = "appendonlydir/appendonly.aof.1.incr.aof";

/// How a server is set up.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Kind {
    pub(crate) persistence: Persistence,
    /// Whether expired keys are also removed that nobody touches.
    pub(crate) active_expiry: bool,
}

/// A server, running or killed. It ends and its folder goes with this value.
pub(crate) struct Server {
    kind: Kind,
    dir: PathBuf,
    clock: File,
    process: Child,
    connection: Connection,
}

impl Server {
    /// Starts a server with empty files, its clock at `wall_us` (microseconds since 1970).
    pub(crate) fn start(kind: Kind, wall_us: i64) -> Outcome<Self> {
        static STARTED: AtomicU32 = AtomicU32::new(0);
        let dir =
            PathBuf::from(given("LOCKSTEP_FIDELITY_DIR")?).join(format!("{}", STARTED.fetch_add(1, Ordering::Relaxed)));
        fs::create_dir_all(&dir)?;
        let clock = File::create(dir.join("clock"))?;
        clock.set_len(16)?;
        clock.write_all_at(&wall_us.to_ne_bytes(), 0)?;
        let mut process = launch(kind, &dir)?;
        match connect(kind, &dir, &mut process) {
            Ok(connection) => Ok(Self { kind, dir, clock, process, connection }),
            Err(error) => {
                process.kill()?;
                process.wait()?;
                Err(error)
            }
        }
    }

    /// Sets the wall clock.
    pub(crate) fn set_clock(&self, wall_us: i64) -> Outcome {
        Ok(self.clock.write_all_at(&wall_us.to_ne_bytes(), 0)?)
    }

    /// Lets syncs take until told otherwise, or be fast again.
    pub(crate) fn stall_syncs(&self, stalled: bool) -> Outcome {
        Ok(self.clock.write_all_at(&i64::from(stalled).to_ne_bytes(), 8)?)
    }

    /// Runs one command.
    pub(crate) fn ask<W: AsRef<str>>(&mut self, words: &[W]) -> Outcome<Reply> {
        Ok(self.connection.ask(words)?)
    }

    /// Runs one command on a connection of its own; whoever wants the reply waits for it.
    pub(crate) fn ask_elsewhere(&self, words: &'static [&'static str]) -> Outcome<Receiver<Reply>> {
        let mut connection = Connection::open(&self.dir.join("socket"))?;
        let (reply, replies) = channel();
        thread::spawn(move || connection.ask(words).map(|heard| reply.send(heard)));
        Ok(replies)
    }

    /// How many keys it keeps, expired ones that nobody has touched included.
    pub(crate) fn keys(&mut self) -> Outcome<i64> {
        match self.ask(&["DBSIZE"])? {
            Reply::Int(keys) => Ok(keys),
            other => Err(format!("DBSIZE: {other:?}").into()),
        }
    }

    /// `kill -9`: the process ends at once; what it wrote stays.
    pub(crate) fn kill(&mut self) -> Outcome {
        self.process.kill()?;
        self.process.wait()?;
        Ok(())
    }

    /// After a kill: the machine lost its power, and what was not synced with it.
    pub(crate) fn lose_page_cache(&self) -> Outcome {
        if self.kind.persistence != Persistence::None {
            let file = File::options().write(true).open(self.dir.join(APPEND_ONLY_FILE))?;
            file.set_len(self.synced()?)?;
        }
        Ok(())
    }

    /// Starts it again after a kill.
    pub(crate) fn restart(&mut self) -> Outcome {
        self.process = launch(self.kind, &self.dir)?;
        self.connection = connect(self.kind, &self.dir, &mut self.process)?;
        Ok(())
    }

    /// How much of the append-only file is written.
    pub(crate) fn written(&self) -> Outcome<u64> {
        Ok(fs::metadata(self.dir.join(APPEND_ONLY_FILE))?.len())
    }

    /// How much of it is synced: nothing before the first sync is noted.
    pub(crate) fn synced(&self) -> Outcome<u64> {
        let noted = fs::read(self.dir.join(format!("{APPEND_ONLY_FILE}.synced"))).unwrap_or_default();
        if noted.is_empty() { Ok(0) } else { Ok(u64::from_ne_bytes(noted.as_slice().try_into()?)) }
    }

    /// Waits until the thread that syncs has nothing to do and everything is written. While it works, `everysec` lets
    /// acknowledged commands wait in the process's memory.
    pub(crate) fn wait_quiet(&mut self) -> Outcome {
        let quiet = |server: &mut Self| -> Outcome<bool> {
            let info = server.info("persistence")?;
            Ok(info.contains("aof_pending_bio_fsync:0\r") && info.contains("aof_buffer_length:0\r"))
        };
        if self.wait(quiet)? { Ok(()) } else { Err("a sync does not end".into()) }
    }

    /// Waits for a condition. Returns whether it came.
    pub(crate) fn wait(&mut self, mut condition: impl FnMut(&mut Self) -> Outcome<bool>) -> Outcome<bool> {
        let end = Instant::now() + Duration::from_secs(WAIT_SECONDS_MAX);
        loop {
            if condition(self)? {
                return Ok(true);
            }
            if Instant::now() > end {
                return Ok(false);
            }
            sleep(Duration::from_micros(POLL_US));
        }
    }

    /// The server's version.
    pub(crate) fn version(&mut self) -> Outcome<String> {
        let info = self.info("server")?;
        let version = info.lines().find_map(|line| line.strip_prefix("redis_version:"));
        Ok(version.ok_or("INFO names no version")?.to_owned())
    }

    pub(crate) fn info(&mut self, section: &str) -> Outcome<String> {
        match self.ask(&["INFO", section])? {
            Reply::Bulk(text) => Ok(text),
            other => Err(format!("INFO: {other:?}").into()),
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // Both fail only where there is nothing left to do; the command that gave the folder removes it as well.
        drop(self.kill());
        drop(fs::remove_dir_all(&self.dir));
    }
}

fn launch(kind: Kind, dir: &Path) -> Outcome<Child> {
    let (append_only, sync) = match kind.persistence {
        Persistence::None => ("no", "no"),
        Persistence::EverySecond => ("yes", "everysec"),
        Persistence::Always => ("yes", "always"),
    };
    let mut command = Command::new(given("LOCKSTEP_REDIS_SERVER")?);
    command.current_dir(dir).args(["--port", "0", "--unixsocket", "socket", "--logfile", "log", "--save", ""]);
    command.args(["--appendonly", append_only, "--appendfsync", sync, "--auto-aof-rewrite-percentage", "0"]);
    command.args(["--enable-debug-command", "yes", "--hz", if kind.active_expiry { "500" } else { "10" }]);
    command.env("LD_PRELOAD", given("LOCKSTEP_FIDELITY_CLOCK")?).env("LOCKSTEP_CLOCK", "clock");
    command.env("LOCKSTEP_PARENT", std::process::id().to_string());
    Ok(command.stdin(Stdio::null()).stdout(Stdio::null()).spawn()?)
}

/// Connects as soon as the server has read its files.
fn connect(kind: Kind, dir: &Path, process: &mut Child) -> Outcome<Connection> {
    let end = Instant::now() + Duration::from_secs(WAIT_SECONDS_MAX);
    loop {
        if let Ok(mut connection) = Connection::open(&dir.join("socket"))
            && matches!(connection.ask(&["PING"]), Ok(Reply::Simple(_)))
        {
            if !kind.active_expiry {
                connection.ask(&["DEBUG", "SET-ACTIVE-EXPIRE", "0"])?;
            }
            return Ok(connection);
        }
        let ended = process.try_wait()?;
        if ended.is_some() || Instant::now() > end {
            let log = fs::read_to_string(dir.join("log")).unwrap_or_default();
            return Err(format!("the server does not come up ({ended:?}); its log:\n{log}").into());
        }
        sleep(Duration::from_micros(POLL_US));
    }
}

/// What `cargo xtask fidelity` tells.
fn given(name: &str) -> Outcome<String> {
    std::env::var(name).map_err(|_| format!("{name} is not set: run `cargo xtask fidelity`").into())
}
