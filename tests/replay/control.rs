//! The wire between a process of the replay and its conductor: lines over its standard input and output.
//!
//! Whatever a process is about to do or has come to believe, it says first and waits for `go`. So everything that is said
//! has one order, in which causes come before effects, and one clock: the conductor's, which is never paused.

use std::io::{BufRead as _, Write as _, stdin, stdout};
use std::process::exit;

use lockstep::vocabulary::{HoldId, NodeId, Nonce, OpId, ResourceIx, ServiceIx, Token};
use lockstep::world::{Closing, Observation, Rejection};

/// Says something and waits until the conductor lets this process go on: the microseconds since the run began.
pub(crate) fn say(text: &str) -> u64 {
    ask(text).first().copied().unwrap_or(0)
}

/// Asks the conductor who is primary of a service.
pub(crate) fn ask_primary(service: ServiceIx) -> Option<NodeId> {
    ask(&format!("primary {service}")).get(1).map(|node| NodeId(*node as u16))
}

/// Says something and hears the numbers that the conductor has to say to it. Without a conductor there is nothing to do.
fn ask(text: &str) -> Vec<u64> {
    tell(text);
    let mut answer = String::new();
    if stdin().lock().read_line(&mut answer).unwrap_or(0) == 0 {
        exit(0);
    }
    answer.split_whitespace().filter_map(|word| word.parse().ok()).collect()
}

/// Says something without waiting.
pub(crate) fn tell(text: &str) {
    if writeln!(stdout(), "{text}").is_err() {
        exit(0);
    }
}

/// Something a client notes about itself.
pub(crate) fn client_note(what: &Observation) -> String {
    match *what {
        Observation::Wants { service } => format!("wants {service}"),
        Observation::Acquired { service, hold, nonce, token, .. } => {
            format!("acquired {service} {hold} {nonce} {}", or_dash(token))
        }
        Observation::AttemptFailed { service, timeout } => format!("attempt-failed {service} {}", u8::from(timeout)),
        Observation::GaveUp { service } => format!("gave-up {service}"),
        Observation::HoldClosed { service, hold, why } => {
            format!("hold-closed {service} {hold} {}", if why == Closing::Released { "released" } else { "deadline" })
        }
        Observation::CheckPassed { service } => format!("check-passed {service}"),
        Observation::CheckFailed { service } => format!("check-failed {service}"),
        Observation::ReadDone { resource, value, version } => format!("read-done {resource} {value} {version}"),
        Observation::WriteDone { resource, version } => format!("write-done {resource} {version}"),
        Observation::OutcomeUnknown { peer } => format!("outcome-unknown {peer}"),
        _ => "finished".to_owned(),
    }
}

/// What a line of a process says, if it is something that judges hear.
pub(crate) fn note(words: &[&str]) -> Option<Observation> {
    let number = |ix: usize| words.get(ix).and_then(|word| word.parse::<u64>().ok());
    let service = number(1).map(|ix| ServiceIx(ix as u8));
    let resource = number(1).map(|ix| ResourceIx(ix as u8));
    let hold = |ix: usize| number(ix).map(|id| HoldId(id as u32));
    let token = |ix: usize| number(ix).map(Token);
    let client = number(2).map(|ix| NodeId(ix as u16));
    Some(match *words.first()? {
        "wants" => Observation::Wants { service: service? },
        "acquired" => Observation::Acquired {
            service: service?,
            hold: hold(2)?,
            nonce: Nonce(number(3)?),
            token: token(4),
            believed_until: None,
        },
        "attempt-failed" => Observation::AttemptFailed { service: service?, timeout: number(2)? == 1 },
        "gave-up" => Observation::GaveUp { service: service? },
        "hold-closed" => {
            let why = if words.get(3) == Some(&"released") { Closing::Released } else { Closing::Deadline };
            Observation::HoldClosed { service: service?, hold: hold(2)?, why }
        }
        "check-passed" => Observation::CheckPassed { service: service? },
        "check-failed" => Observation::CheckFailed { service: service? },
        "read-done" => Observation::ReadDone {
            resource: resource?,
            value: words.get(2)?.parse().ok()?,
            version: number(3)? as u32,
        },
        "write-done" => Observation::WriteDone { resource: resource?, version: number(2)? as u32 },
        "outcome-unknown" => Observation::OutcomeUnknown { peer: NodeId(number(1)? as u16) },
        "finished" => Observation::Finished,
        "contact" => {
            Observation::Contact { resource: resource?, client: client?, hold: hold(3), version: number(4)? as u32 }
        }
        "applied" => Observation::Applied {
            resource: resource?,
            client: client?,
            hold: hold(3),
            op: OpId(number(4)? as u32),
            token: token(5),
            base: number(6).map(|base| base as u32),
            replaced: number(7)? as u32,
            value: words.get(8)?.parse().ok()?,
        },
        "rejected" => Observation::Rejected {
            resource: resource?,
            client: client?,
            hold: hold(3),
            why: rejection(&words[5..])?,
            write: number(4)? == 1,
        },
        _ => return None,
    })
}

/// Why storage says no, as it says it.
pub(crate) fn rejection(words: &[&str]) -> Option<Rejection> {
    let number = |ix: usize| words.get(ix).and_then(|word| word.parse::<u64>().ok());
    Some(match *words.first()? {
        "stale" => Rejection::StaleToken { token: number(1).map(Token), highest: Token(number(2)?) },
        "changed" => Rejection::VersionChanged { base: number(1).map(|base| base as u32), current: number(2)? as u32 },
        "duplicate" => Rejection::Duplicate { op: OpId(number(1)? as u32) },
        _ => return None,
    })
}

/// A word for what may be missing.
pub(crate) fn or_dash(what: Option<impl ToString>) -> String {
    what.map_or_else(|| "-".to_owned(), |what| what.to_string())
}
