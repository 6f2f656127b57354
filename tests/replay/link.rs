//! The network between real processes: every connection goes through a link that knows its frames.
//!
//! A link asks the conductor about each frame when it is sent, keeps it for the scenario's latency and whatever the
//! adversary adds, asks again when it is about to arrive, and hands it on. It keeps order, as TCP does: what is behind a
//! late frame is late with it.

use std::io::{Read as _, Write as _};
use std::net::Shutdown;
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::{self, sleep};
use std::time::{Duration, Instant};

use lockstep::vocabulary::{MessageKind, NodeId, Notice};

use crate::Outcome;
use crate::conductor::Heard;
use crate::frame::Protocol;

/// Two processes, one of which opens connections to the other.
#[derive(Clone)]
pub(crate) struct Link {
    pub(crate) client: NodeId,
    pub(crate) server: NodeId,
    pub(crate) protocol: Protocol,
    pub(crate) latency: Duration,
    /// Where the server listens.
    pub(crate) target: PathBuf,
}

/// A frame on its way.
#[derive(Debug)]
pub(crate) struct Passing {
    pub(crate) from: NodeId,
    pub(crate) to: NodeId,
    pub(crate) kind: MessageKind,
    /// Whether it arrives; before that it was sent.
    pub(crate) arrives: bool,
    pub(crate) answer: Sender<Fate>,
}

/// What becomes of a frame.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Fate {
    Passes,
    Late(Duration),
    Lost { delivered: bool, notice: Notice },
}

impl Link {
    /// Listens at `path` until the process ends.
    pub(crate) fn open(self, path: &Path, conductor: Sender<Heard>) -> Outcome {
        let listener = UnixListener::bind(path)?;
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                // A server that is down refuses: the client's connection is closed at once.
                let Ok(server) = UnixStream::connect(&self.target) else { continue };
                for reply in [false, true] {
                    if let (Ok(client), Ok(server)) = (stream.try_clone(), server.try_clone()) {
                        let (link, conductor) = (self.clone(), conductor.clone());
                        let (source, sink) = if reply { (server, client) } else { (client, server) };
                        let (delayed, due) = channel();
                        let ends = Ends { source, sink, reply };
                        let arrivals =
                            Ends { source: ends.source.try_clone().ok()?, sink: ends.sink.try_clone().ok()?, reply };
                        let (other, other_conductor) = (link.clone(), conductor.clone());
                        thread::spawn(move || drop(other.deliver(&arrivals, &due, &other_conductor)));
                        thread::spawn(move || drop(link.take(ends, &delayed, &conductor)));
                    }
                }
            }
            Some(())
        });
        Ok(())
    }

    /// Reads frames and asks what becomes of them.
    fn take(&self, mut ends: Ends, on: &Sender<Frame>, conductor: &Sender<Heard>) -> Outcome {
        let mut bytes = Vec::new();
        let mut chunk = [0; 4096];
        loop {
            while let Some((words, used)) = self.protocol.frame(&bytes) {
                let frame: Vec<u8> = bytes.drain(..used).collect();
                let kind = self.protocol.kind(&words, ends.reply);
                let fate = self.ask(kind, ends.reply, false, conductor)?;
                let due = Instant::now() + self.latency + if let Fate::Late(by) = fate { by } else { Duration::ZERO };
                on.send(Frame { bytes: frame, kind, due, fate })?;
            }
            match ends.source.read(&mut chunk) {
                Ok(size) if size > 0 => bytes.extend_from_slice(&chunk[..size]),
                _ => return Ok(()),
            }
        }
    }

    /// Hands frames on, each in its time and none before the one ahead of it.
    fn deliver(&self, ends: &Ends, due: &Receiver<Frame>, conductor: &Sender<Heard>) -> Outcome {
        for frame in due {
            sleep(frame.due.saturating_duration_since(Instant::now()));
            let fate = match frame.fate {
                Fate::Lost { .. } => frame.fate,
                _ => self.ask(frame.kind, ends.reply, true, conductor)?,
            };
            if let Fate::Late(by) = fate {
                sleep(by);
            }
            let lost = if let Fate::Lost { delivered, notice } = fate { Some((delivered, notice)) } else { None };
            if lost.is_none_or(|(delivered, _)| delivered) {
                (&ends.sink).write_all(&frame.bytes)?;
            }
            if let Some((_, notice)) = lost {
                ends.hang_up(notice);
                return Ok(());
            }
        }
        // The sender closed its end; the receiver learns of it behind the last frame.
        drop(ends.sink.shutdown(Shutdown::Write));
        Ok(())
    }

    fn ask(&self, kind: MessageKind, reply: bool, arrives: bool, conductor: &Sender<Heard>) -> Outcome<Fate> {
        let (from, to) = if reply { (self.server, self.client) } else { (self.client, self.server) };
        let (answer, fate) = channel();
        conductor.send(Heard::Passing(Passing { from, to, kind, arrives, answer }))?;
        Ok(fate.recv()?)
    }
}

/// A frame between its sending and its arrival.
struct Frame {
    bytes: Vec<u8>,
    kind: MessageKind,
    due: Instant,
    fate: Fate,
}

/// One direction of a connection.
struct Ends {
    source: UnixStream,
    sink: UnixStream,
    reply: bool,
}

impl Ends {
    /// Breaks the connection for those who learn of it; the others hear nothing more.
    fn hang_up(&self, notice: Notice) {
        if matches!(notice, Notice::Both | Notice::Sender) {
            drop(self.source.shutdown(Shutdown::Both));
        }
        if matches!(notice, Notice::Both | Notice::Receiver) {
            drop(self.sink.shutdown(Shutdown::Both));
        }
    }
}
