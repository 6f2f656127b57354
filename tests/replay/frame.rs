//! What goes over the sockets, cut into frames: the protocol of Redis, and that of the little storage server.
//!
//! A storage frame is one line of words. Frames are cut from a buffer, so that whoever waits for one can be interrupted
//! and go on waiting.

use lockstep::vocabulary::MessageKind;

/// Deletes the lock if it holds the value given: the release of the Redis documentation.
pub(crate) const COMPARE_DELETE: &str =
    "if redis.call('get',KEYS[1]) == ARGV[1] then return redis.call('del',KEYS[1]) else return 0 end";
/// Takes the lock and counts the token in one step.
pub(crate) const LOCK_AND_COUNT: &str = "if redis.call('set',KEYS[1],ARGV[1],'NX','PX',ARGV[2]) then \
    return redis.call('incr',KEYS[2]) else return false end";

/// Who is spoken to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Protocol {
    Redis,
    Storage,
}

impl Protocol {
    /// Cuts the first frame off: its words and its length in bytes; `None` while it is not there in full.
    pub(crate) fn frame(self, bytes: &[u8]) -> Option<(Vec<String>, usize)> {
        match self {
            Self::Redis => redis_frame(bytes),
            Self::Storage => {
                let (line, used) = line(bytes, 0)?;
                Some((line.split(' ').map(str::to_owned).collect(), used))
            }
        }
    }

    /// What a frame is, in the words of the model.
    pub(crate) fn kind(self, words: &[String], reply: bool) -> MessageKind {
        let first = words.first().map_or("", String::as_str);
        match (self, reply) {
            (Self::Redis, true) => MessageKind::RedisReply,
            (Self::Redis, false) => command_kind(first, words),
            (Self::Storage, false) if first == "read" => MessageKind::Read,
            (Self::Storage, false) => MessageKind::Write,
            (Self::Storage, true) if first == "value" => MessageKind::ReadReply,
            (Self::Storage, true) => MessageKind::WriteReply,
        }
    }
}

fn command_kind(command: &str, words: &[String]) -> MessageKind {
    match command {
        "EVAL" if words[1] == COMPARE_DELETE => MessageKind::CompareDelete,
        "EVAL" => MessageKind::LockScript,
        "SETNX" => MessageKind::SetNx,
        "DEL" => MessageKind::Del,
        "PEXPIRE" => MessageKind::PExpire,
        "INCR" => MessageKind::Incr,
        "GET" => MessageKind::Get,
        "WAIT" => MessageKind::Wait,
        _ => MessageKind::Set,
    }
}

/// A request to Redis.
pub(crate) fn request(words: &[&str]) -> Vec<u8> {
    let mut bytes = format!("*{}\r\n", words.len()).into_bytes();
    for word in words {
        bytes.extend(format!("${}\r\n{word}\r\n", word.len()).bytes());
    }
    bytes
}

/// A reply that says no: the null.
const NIL: &str = "(nil)";

/// A request, or a reply as one word: `+OK` and `:1` with their signs, a string without.
fn redis_frame(bytes: &[u8]) -> Option<(Vec<String>, usize)> {
    let (head, mut used) = line(bytes, 0)?;
    let Some(count) = head.strip_prefix('*') else {
        let (word, used) = redis_word(bytes, 0)?;
        return Some((vec![word], used));
    };
    let mut words = Vec::new();
    for _ in 0..count.parse().unwrap_or(0) {
        let (word, after) = redis_word(bytes, used)?;
        words.push(word);
        used = after;
    }
    Some((words, used))
}

fn redis_word(bytes: &[u8], from: usize) -> Option<(String, usize)> {
    let (head, used) = line(bytes, from)?;
    match head.strip_prefix('$') {
        Some("-1") => Some((NIL.to_owned(), used)),
        Some(size) => {
            let end = used + size.parse::<usize>().ok()?;
            let text = bytes.get(used..end)?;
            bytes.get(end..end + 2)?;
            Some((String::from_utf8_lossy(text).into_owned(), end + 2))
        }
        None => Some((head.to_owned(), used)),
    }
}

/// A line without its end, and where the next one begins.
fn line(bytes: &[u8], from: usize) -> Option<(&str, usize)> {
    let length = bytes.get(from..)?.iter().position(|byte| *byte == b'\n')?;
    let text = std::str::from_utf8(&bytes[from..from + length]).ok()?;
    Some((text.trim_end_matches('\r'), from + length + 1))
}
