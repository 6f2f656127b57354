//! A real Redis server, and what really happened in it.
//!
//! What took effect is read from the stream that a replica gets: every command that changed something, in order, with its
//! values, an expired key as its deletion. It needs no change to the server and no word of a client; `MONITOR` would show
//! what was asked, whether or not anything came of it, and keyspace notifications do not show values.

use std::fs::{self, File};
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::os::unix::fs::FileExt as _;
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::Sender;
use std::thread::{self, sleep};
use std::time::{Duration, Instant};

use lockstep::vocabulary::{NodeId, Persistence};

use crate::conductor::Heard;
use crate::frame::{Protocol, request};
use crate::{Outcome, given};

const POLL: Duration = Duration::from_millis(2);
const UP_MAX: Duration = Duration::from_secs(10);
const APPEND_ONLY_FILE: &str = "appendonlydir/appendonly.aof.1.incr.aof";
/// Redis looks for expired keys so often in a second; the model takes it from there.
const HZ: u64 = 10;

/// A server, running or killed.
pub(crate) struct Redis {
    node: NodeId,
    dir: PathBuf,
    scale: u64,
    persistence: Persistence,
    process: Child,
    connection: BufReader<UnixStream>,
}

impl Redis {
    /// Starts a server with empty files in a folder of its own, its clock ahead of ours by what `clock` says.
    pub(crate) fn start(
        node: NodeId,
        dir: PathBuf,
        scale: u64,
        persistence: Persistence,
        clock: &Path,
    ) -> Outcome<Self> {
        fs::create_dir_all(&dir)?;
        let mut process = launch(&dir, scale, persistence, clock)?;
        let connection = connect(&dir, &mut process)?;
        Ok(Self { node, dir, scale, persistence, process, connection })
    }

    /// Where it listens.
    pub(crate) fn socket(&self) -> PathBuf {
        self.dir.join("socket")
    }

    pub(crate) fn pid(&self) -> u32 {
        self.process.id()
    }

    /// Runs one command.
    pub(crate) fn ask(&mut self, words: &[&str]) -> Outcome<String> {
        self.connection.get_mut().write_all(&request(words))?;
        read_reply(&mut self.connection)
    }

    pub(crate) fn version(&mut self) -> Outcome<String> {
        let info = self.ask(&["INFO", "server"])?;
        Ok(info.lines().find_map(|line| line.strip_prefix("redis_version:")).ok_or("no version")?.to_owned())
    }

    /// `kill -9`, or the same with the loss of what was not synced.
    pub(crate) fn kill(&mut self, power: bool) -> Outcome {
        self.process.kill()?;
        self.process.wait()?;
        if power && self.persistence != Persistence::None {
            let file = File::options().write(true).open(self.dir.join(APPEND_ONLY_FILE))?;
            let noted = fs::read(self.dir.join(format!("{APPEND_ONLY_FILE}.synced"))).unwrap_or_default();
            file.set_len(noted.as_slice().try_into().map_or(0, u64::from_ne_bytes))?;
        }
        Ok(())
    }

    /// Starts it again after a kill, without waiting until it is up.
    pub(crate) fn launch_again(&mut self, clock: &Path) -> Outcome {
        self.process = launch(&self.dir, self.scale, self.persistence, clock)?;
        Ok(())
    }

    /// Starts it again after a kill.
    pub(crate) fn restart(&mut self, clock: &Path) -> Outcome {
        self.launch_again(clock)?;
        self.connection = connect(&self.dir, &mut self.process)?;
        Ok(())
    }

    /// Lets it follow a primary that a port of this machine leads to; false if it is not up yet.
    pub(crate) fn follow(&mut self, port: u16) -> Outcome<bool> {
        let Ok(stream) = UnixStream::connect(self.socket()) else { return Ok(false) };
        stream.set_read_timeout(Some(UP_MAX))?;
        self.connection = BufReader::new(stream);
        Ok(self.ask(&["REPLICAOF", "127.0.0.1", &port.to_string()])? == "+OK")
    }

    /// Waits until it has all data of its primary.
    pub(crate) fn wait_for_stream(&mut self) -> Outcome {
        let end = Instant::now() + UP_MAX;
        while self.replication("master_link_status")? != "up" {
            if Instant::now() > end {
                return Err("a replica does not reach its primary".into());
            }
            sleep(POLL);
        }
        Ok(())
    }

    /// `REPLICAOF NO ONE`: sends everything that takes effect from now on to the conductor.
    ///
    /// The stream is taken up where the replica stands (`+CONTINUE`); a snapshot would take a fork and a tick of the server.
    pub(crate) fn promote(&mut self, conductor: Sender<Heard>) -> Outcome {
        self.ask(&["REPLICAOF", "NO", "ONE"])?;
        let id = self.replication("master_replid")?;
        let next = self.replication("master_repl_offset")?.parse::<u64>()? + 1;
        let mut stream = BufReader::new(UnixStream::connect(self.socket())?);
        stream.get_mut().write_all(&request(&["PSYNC", &id, &next.to_string()]))?;
        let mut line = String::new();
        stream.read_line(&mut line)?;
        if !line.starts_with("+CONTINUE") {
            return Err(format!("the promoted server does not let itself be watched: {line}").into());
        }
        self.report(stream, conductor);
        Ok(())
    }

    /// What `INFO replication` says of something.
    fn replication(&mut self, what: &str) -> Outcome<String> {
        let info = self.ask(&["INFO", "replication"])?;
        let value = info.lines().find_map(|line| line.strip_prefix(what)?.strip_prefix(':'));
        Ok(value.ok_or_else(|| format!("no {what}"))?.to_owned())
    }

    /// Sends everything that takes effect from now on to the conductor, until the server ends.
    pub(crate) fn watch(&self, conductor: Sender<Heard>) -> Outcome {
        let mut stream = BufReader::new(UnixStream::connect(self.socket())?);
        stream.get_mut().write_all(&request(&["PSYNC", "?", "-1"]))?;
        let mut line = String::new();
        while !line.starts_with('$') {
            line.clear();
            if stream.read_line(&mut line)? == 0 {
                return Err("the server does not let itself be watched".into());
            }
        }
        let snapshot: u64 = line[1..].trim().parse()?;
        std::io::copy(&mut stream.by_ref().take(snapshot), &mut std::io::sink())?;
        self.report(stream, conductor);
        Ok(())
    }

    fn report(&self, mut stream: BufReader<UnixStream>, conductor: Sender<Heard>) {
        let node = self.node;
        thread::spawn(move || {
            let mut bytes = stream.buffer().to_vec();
            let mut chunk = [0; 4096];
            loop {
                while bytes.first() == Some(&b'\n') {
                    bytes.remove(0);
                }
                while let Some((words, used)) = Protocol::Redis.frame(&bytes) {
                    bytes.drain(..used);
                    drop(conductor.send(Heard::Effect(node, words)));
                }
                match stream.get_mut().read(&mut chunk) {
                    Ok(size) if size > 0 => bytes.extend_from_slice(&chunk[..size]),
                    _ => return,
                }
            }
        });
    }
}

impl Drop for Redis {
    fn drop(&mut self) {
        // It may be dead already, which is as good.
        drop(self.process.kill());
        drop(self.process.wait());
    }
}

/// A process before which the library that moves clocks is put: its wall clock is ahead by what the file says, and it ends
/// with the thread that starts it.
pub(crate) fn with_clock(program: impl AsRef<std::ffi::OsStr>, clock: &Path) -> Outcome<Command> {
    let mut command = Command::new(program);
    command.env("LD_PRELOAD", given("LOCKSTEP_FIDELITY_CLOCK")?).env("LOCKSTEP_CLOCK", clock);
    command.env("LOCKSTEP_CLOCK_RUNS", "1").env("LOCKSTEP_PARENT", std::process::id().to_string());
    Ok(command)
}

/// The file by which a machine's wall clock is moved.
pub(crate) fn new_clock(path: &Path) -> Outcome<File> {
    let file = File::options().create(true).truncate(true).write(true).open(path)?;
    file.set_len(16)?;
    Ok(file)
}

/// Sets how far a machine's wall clock is ahead.
pub(crate) fn set_clock(clock: &File, ahead_us: i64) -> Outcome {
    Ok(clock.write_all_at(&ahead_us.to_ne_bytes(), 0)?)
}

fn launch(dir: &Path, scale: u64, persistence: Persistence, clock: &Path) -> Outcome<Child> {
    let (append_only, sync) = match persistence {
        Persistence::None => ("no", "no"),
        Persistence::EverySecond => ("yes", "everysec"),
        Persistence::Always => ("yes", "always"),
    };
    let mut command = with_clock(given("LOCKSTEP_REDIS_SERVER")?, clock)?;
    command.current_dir(dir).args(["--port", "0", "--unixsocket", "socket", "--logfile", "log", "--save", ""]);
    command.args(["--appendonly", append_only, "--appendfsync", sync, "--auto-aof-rewrite-percentage", "0"]);
    command.args(["--hz", &(HZ * scale).to_string(), "--repl-diskless-sync", "no", "--repl-timeout", "7200"]);
    Ok(command.stdin(Stdio::null()).stdout(Stdio::null()).spawn()?)
}

fn connect(dir: &Path, process: &mut Child) -> Outcome<BufReader<UnixStream>> {
    let end = Instant::now() + UP_MAX;
    loop {
        if let Ok(stream) = UnixStream::connect(dir.join("socket")) {
            stream.set_read_timeout(Some(UP_MAX))?;
            let mut connection = BufReader::new(stream);
            connection.get_mut().write_all(&request(&["PING"]))?;
            if read_reply(&mut connection).is_ok_and(|reply| reply == "+PONG") {
                return Ok(connection);
            }
        }
        if process.try_wait()?.is_some() || Instant::now() > end {
            let log = fs::read_to_string(dir.join("log")).unwrap_or_default();
            return Err(format!("a server does not come up; its log:\n{log}").into());
        }
        sleep(POLL);
    }
}

fn read_reply(connection: &mut BufReader<UnixStream>) -> Outcome<String> {
    let mut bytes = Vec::new();
    loop {
        if let Some((mut words, _)) = Protocol::Redis.frame(&bytes) {
            return Ok(words.remove(0));
        }
        let more = connection.fill_buf()?;
        if more.is_empty() {
            return Err("the server hung up".into());
        }
        let size = more.len();
        bytes.extend_from_slice(more);
        connection.consume(size);
    }
}
