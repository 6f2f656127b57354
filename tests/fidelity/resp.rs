//! The protocol of Redis, as much of it as the comparison needs: requests are arrays of strings; no nested replies.
//!
//! A client library would stand between us and the server's own words, with reconnects and retries that must not happen here.

use std::fmt::Write as _;
use std::io::{BufRead as _, BufReader, Error, ErrorKind, Read as _, Result, Write as _};
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::time::Duration;

/// A server that has not answered by then is stuck.
const REPLY_SECONDS_MAX: u64 = 10;

/// What the server said.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Reply {
    Simple(String),
    Error(String),
    Int(i64),
    Bulk(String),
    Nil,
}

/// A connection to a server.
pub(crate) struct Connection {
    stream: BufReader<UnixStream>,
}

impl Connection {
    pub(crate) fn open(socket: &Path) -> Result<Self> {
        let stream = UnixStream::connect(socket)?;
        stream.set_read_timeout(Some(Duration::from_secs(REPLY_SECONDS_MAX)))?;
        Ok(Self { stream: BufReader::new(stream) })
    }

    /// Sends one command and waits for its reply.
    pub(crate) fn ask<W: AsRef<str>>(&mut self, words: &[W]) -> Result<Reply> {
        let mut request = format!("*{}\r\n", words.len());
        for word in words.iter().map(AsRef::as_ref) {
            write!(request, "${}\r\n{word}\r\n", word.len()).map_err(Error::other)?;
        }
        self.stream.get_mut().write_all(request.as_bytes())?;
        self.reply()
    }

    fn reply(&mut self) -> Result<Reply> {
        let mut line = String::new();
        if self.stream.read_line(&mut line)? == 0 {
            return Err(ErrorKind::UnexpectedEof.into());
        }
        let (kind, rest) = line.trim_end().split_at_checked(1).ok_or_else(|| odd(&line))?;
        match kind {
            "+" => Ok(Reply::Simple(rest.to_owned())),
            "-" => Ok(Reply::Error(rest.to_owned())),
            ":" => rest.parse().map(Reply::Int).map_err(|_| odd(&line)),
            "$" if rest == "-1" => Ok(Reply::Nil),
            "$" => {
                let size: usize = rest.parse().map_err(|_| odd(&line))?;
                let mut bytes = vec![0; size + 2];
                self.stream.read_exact(&mut bytes)?;
                bytes.truncate(size);
                String::from_utf8(bytes).map(Reply::Bulk).map_err(|_| odd(&line))
            }
            _ => Err(odd(&line)),
        }
    }
}

fn odd(line: &str) -> Error {
    Error::new(ErrorKind::InvalidData, format!("a reply that is not understood: {line:?}"))
}
