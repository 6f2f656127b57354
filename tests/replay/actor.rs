//! A process of the replay that is not a Redis server: a client or the storage server.

use std::io::{BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::Sender;
use std::thread;
use std::time::Instant;

use lockstep::vocabulary::{HoldId, NodeId, ServiceIx};

use crate::Outcome;
use crate::conductor::Heard;
use crate::redis::with_clock;

/// The process and what the conductor knows of it.
pub(crate) struct Actor {
    process: Child,
    orders: ChildStdin,
    /// Which of the processes of this name it is.
    pub(crate) life: u32,
    pub(crate) ready: bool,
    pub(crate) over: bool,
    pub(crate) holds: Vec<(ServiceIx, HoldId)>,
}

impl Actor {
    /// Starts this program anew, with these arguments.
    pub(crate) fn start(
        node: NodeId,
        life: u32,
        args: &[&str],
        clock: &Path,
        conductor: Sender<Heard>,
    ) -> Outcome<Self> {
        let mut command = with_clock(std::env::current_exe()?, clock)?;
        let mut process = command.args(args).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
        let orders = process.stdin.take().ok_or("no pipe")?;
        let words = BufReader::new(process.stdout.take().ok_or("no pipe")?);
        thread::spawn(move || {
            for line in words.lines().map_while(Result::ok) {
                drop(conductor.send(Heard::Said { node, life, line, at: Instant::now() }));
            }
        });
        Ok(Self { process, orders, life, ready: false, over: false, holds: Vec::new() })
    }

    /// Lets it go on. If it is stopped, it finds this when it goes on by itself.
    pub(crate) fn go(&mut self, elapsed_us: u128) -> Outcome {
        Ok(writeln!(self.orders, "go {elapsed_us}")?)
    }

    /// Lets it go on, and tells it who is primary.
    pub(crate) fn go_with_primary(&mut self, elapsed_us: u128, primary: NodeId) -> Outcome {
        Ok(writeln!(self.orders, "go {elapsed_us} {primary}")?)
    }

    pub(crate) fn pid(&self) -> u32 {
        self.process.id()
    }

    /// `kill -9`.
    pub(crate) fn kill(&mut self) -> Outcome {
        self.over = true;
        self.process.kill()?;
        self.process.wait()?;
        Ok(())
    }
}

impl Drop for Actor {
    fn drop(&mut self) {
        // It may be gone already, which is as good.
        drop(self.process.kill());
        drop(self.process.wait());
    }
}

/// Stops a process or lets it go on: `STOP` or `CONT`.
pub(crate) fn signal(pid: u32, name: &str) -> Outcome {
    let status = Command::new("kill").arg(format!("-{name}")).arg(pid.to_string()).status()?;
    if status.success() { Ok(()) } else { Err(format!("kill -{name} {pid}: {status}").into()) }
}
