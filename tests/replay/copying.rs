//! The way of a primary's stream to a replica: a port of this machine, the only kind of way a Redis replica knows.
//!
//! A change is held back for the scenario's lag and then travels for its latency. The lag stands for what a busy primary still
//! has in its output buffer: if the primary ends before it is over, the change is gone. What is travelling arrives.

use std::io::{Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::os::unix::net::UnixStream;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, OnceLock};
use std::thread::{self, sleep};
use std::time::{Duration, Instant};

use crate::Outcome;

/// How long a change is held back, in microseconds; it can be set while streams are open.
#[derive(Clone, Default)]
pub(crate) struct HeldBack(Arc<AtomicU64>);

impl HeldBack {
    pub(crate) fn set(&self, lag: Duration) {
        self.0.store(lag.as_micros() as u64, Ordering::Relaxed);
    }

    fn get(&self) -> Duration {
        Duration::from_micros(self.0.load(Ordering::Relaxed))
    }
}

/// Opens a way to the primary that listens at this socket, until the process ends. Returns the port.
pub(crate) fn open(primary: PathBuf, held_back: HeldBack, latency: Duration) -> Outcome<u16> {
    let listener = TcpListener::bind(("127.0.0.1", 0))?;
    let port = listener.local_addr()?.port();
    thread::spawn(move || {
        for replica in listener.incoming().flatten() {
            // A primary that is down refuses: the replica's connection is closed at once.
            if let Ok(primary) = UnixStream::connect(&primary) {
                // A replica that is gone has no use for the stream.
                drop(join(&primary, &replica, &held_back, latency));
            }
        }
    });
    Ok(port)
}

fn join(primary: &UnixStream, replica: &TcpStream, held_back: &HeldBack, latency: Duration) -> Outcome {
    replica.set_nodelay(true)?;
    let none = HeldBack::default();
    let (source, sink, held_back) = (primary.try_clone()?, replica.try_clone()?, held_back.clone());
    carry(source, sink, held_back, latency, |replica| drop(replica.shutdown(Shutdown::Both)));
    let (source, sink) = (replica.try_clone()?, primary.try_clone()?);
    carry(source, sink, none, latency, |primary| drop(primary.shutdown(Shutdown::Both)));
    Ok(())
}

/// Bytes that are on their way.
struct Piece {
    bytes: Vec<u8>,
    leaves: Instant,
}

/// Carries bytes in one direction until an end closes.
fn carry<Source: Read + Send + 'static, Sink: Write + Send + 'static>(
    source: Source,
    sink: Sink,
    held_back: HeldBack,
    latency: Duration,
    close: fn(&Sink),
) {
    let (sent, arrives) = channel();
    let ended = Arc::new(OnceLock::new());
    let end = Arc::clone(&ended);
    thread::spawn(move || take(source, &sent, &held_back, &end));
    thread::spawn(move || {
        let mut sink = sink;
        // Whoever closed knows it.
        drop(deliver(&mut sink, &arrives, latency, &ended));
        close(&sink);
    });
}

fn take(mut source: impl Read, on: &Sender<Piece>, held_back: &HeldBack, ended: &OnceLock<Instant>) {
    let mut chunk = [0; 4096];
    while let Ok(size @ 1..) = source.read(&mut chunk) {
        let piece = Piece { bytes: chunk[..size].to_vec(), leaves: Instant::now() + held_back.get() };
        if on.send(piece).is_err() {
            return;
        }
    }
    ended.get_or_init(Instant::now);
}

fn deliver(sink: &mut impl Write, pieces: &Receiver<Piece>, latency: Duration, ended: &OnceLock<Instant>) -> Outcome {
    for Piece { bytes, leaves } in pieces {
        sleep((leaves + latency).saturating_duration_since(Instant::now()));
        if ended.get().is_some_and(|ended| *ended < leaves) {
            return Ok(());
        }
        sink.write_all(&bytes)?;
    }
    Ok(())
}
