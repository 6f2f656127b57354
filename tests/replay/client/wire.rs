//! Connections of a client, and waiting for answers on several of them at once.

use std::io::{ErrorKind, Read as _, Write as _};
use std::os::unix::net::UnixStream;
use std::thread::sleep;
use std::time::{Duration, Instant};

use lockstep::vocabulary::NodeId;

use super::Client;
use crate::Outcome;
use crate::frame::Protocol;

const POLL: Duration = Duration::from_micros(300);
const POLL_LATER: Duration = Duration::from_millis(1);

/// A connection.
pub(super) struct Peer {
    protocol: Protocol,
    stream: UnixStream,
    received: Vec<u8>,
    /// So many answers are still to come that nobody waits for.
    unheard: u32,
}

/// What became of a question.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Answer {
    Words(Vec<String>),
    /// The connection broke.
    Lost,
    /// Nothing came in time.
    Late,
}

impl Client {
    /// Sends on the connection to a node, which is opened if there is none. That it broke is learned while waiting.
    pub(super) fn send(&mut self, node: NodeId, protocol: Protocol, bytes: &[u8]) -> Outcome {
        let peer = &mut self.peers[node.ix()];
        if peer.is_none() {
            let path = self.dir.join(format!("link-{}-{node}", self.spec.node));
            let stream = UnixStream::connect(&path).map_err(|error| format!("{}: {error}", path.display()))?;
            stream.set_nonblocking(true)?;
            *peer = Some(Peer { protocol, stream, received: Vec::new(), unheard: 0 });
        }
        if let Some(peer) = peer {
            drop(peer.stream.write_all(bytes));
        }
        Ok(())
    }

    /// Sends something whose answer nobody waits for.
    pub(super) fn send_off(&mut self, node: NodeId, protocol: Protocol, bytes: &[u8]) -> Outcome {
        self.send(node, protocol, bytes)?;
        if let Some(peer) = &mut self.peers[node.ix()] {
            peer.unheard += 1;
        }
        Ok(())
    }

    /// Gives a connection up.
    pub(super) fn hang_up(&mut self, node: NodeId) {
        self.peers[node.ix()] = None;
    }

    /// Waits for one answer from each of these nodes, or until a moment.
    pub(super) fn gather(&mut self, nodes: &[NodeId], until: Option<Instant>) -> Outcome<Vec<Answer>> {
        self.gather_enough(nodes, until, |_| false)
    }

    /// The same, or until the answers so far are enough.
    pub(super) fn gather_enough(
        &mut self,
        nodes: &[NodeId],
        until: Option<Instant>,
        enough: impl Fn(&[Answer]) -> bool,
    ) -> Outcome<Vec<Answer>> {
        let mut answers = vec![Answer::Late; nodes.len()];
        let began = Instant::now();
        loop {
            for (answer, node) in answers.iter_mut().zip(nodes).filter(|(answer, _)| **answer == Answer::Late) {
                *answer = self.hear(*node);
            }
            if !answers.contains(&Answer::Late) || enough(&answers) {
                return Ok(answers);
            }
            // What has arrived is heard before the clock is looked at: a process that was stopped finds its answers first.
            if until.is_some_and(|until| Instant::now() >= until) {
                return Ok(answers);
            }
            self.look_at_deadlines();
            sleep(if began.elapsed() < Duration::from_millis(50) { POLL } else { POLL_LATER });
        }
    }

    /// Whether a connection broke by now, though nobody waits for anything on it.
    pub(super) fn has_lost(&mut self, node: NodeId) -> bool {
        self.peers[node.ix()].is_some() && self.hear(node) == Answer::Lost
    }

    fn hear(&mut self, node: NodeId) -> Answer {
        let Some(peer) = &mut self.peers[node.ix()] else { return Answer::Lost };
        let mut chunk = [0; 4096];
        let broken = match peer.stream.read(&mut chunk) {
            Ok(0) => true,
            Ok(size) => {
                peer.received.extend_from_slice(&chunk[..size]);
                false
            }
            Err(error) => !matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::Interrupted),
        };
        while let Some((words, used)) = peer.protocol.frame(&peer.received) {
            peer.received.drain(..used);
            if peer.unheard == 0 {
                return Answer::Words(words);
            }
            peer.unheard -= 1;
        }
        if broken {
            self.hang_up(node);
            return Answer::Lost;
        }
        Answer::Late
    }
}
