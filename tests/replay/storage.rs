//! A little storage server: a process of its own that keeps the resources of a scenario behind their guards.
//!
//! It is written against the same description as the model's storage and shares no code with it. Requests are lines:
//! `read <resource> <client> <hold> <token>` and `write <resource> <client> <hold> <op> <token> <base> <tag> <value>`.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{BufRead as _, BufReader, Write as _};
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use lockstep::scenario::Scenario;
use lockstep::vocabulary::Guard;

use crate::Outcome;
use crate::control::{or_dash, say};

/// A resource.
struct Stored {
    guard: Guard,
    value: i64,
    version: u32,
    tag: u64,
    highest: Option<u64>,
    applied: BTreeSet<u32>,
}

type Resources = BTreeMap<u8, Stored>;

/// Serves until the process ends.
pub(crate) fn serve(scenario: &Scenario, socket: &Path) -> Outcome {
    let blank = |config: lockstep::vocabulary::ResourceConfig| Stored {
        guard: config.guard,
        value: config.initial,
        version: 0,
        tag: 0,
        highest: None,
        applied: BTreeSet::new(),
    };
    let resources = scenario.setup.resources.iter().enumerate();
    let resources: Resources = resources.map(|(ix, resource)| (ix as u8, blank(resource.config))).collect();
    let resources = Arc::new(Mutex::new(resources));
    let listener = UnixListener::bind(socket)?;
    say("ready");
    for stream in listener.incoming() {
        let (stream, resources) = (stream?, Arc::clone(&resources));
        // A connection that fails is the client's concern.
        thread::spawn(move || drop(answer(stream, &resources)));
    }
    Ok(())
}

fn answer(stream: UnixStream, resources: &Mutex<Resources>) -> Outcome {
    let mut out = stream.try_clone()?;
    for line in BufReader::new(stream).lines() {
        let line = line?;
        let words: Vec<_> = line.split(' ').collect();
        // One request at a time, and the next only when the conductor has heard of this one.
        let mut resources = resources.lock().unwrap_or_else(PoisonError::into_inner);
        let stored = resources.get_mut(&words[1].parse()?).ok_or("no such resource")?;
        let reply = if words[0] == "read" { stored.read(&words) } else { stored.write(&words)? };
        drop(resources);
        writeln!(out, "{reply}")?;
    }
    Ok(())
}

impl Stored {
    fn read(&mut self, words: &[&str]) -> String {
        let [_, resource, client, hold, token] = words else { return "odd".to_owned() };
        if let Guard::Fencing { mark_on_read: true, .. } = self.guard
            && let Err(why) = self.fence(token.parse().ok(), false)
        {
            say(&format!("rejected {resource} {client} {hold} 0 {why}"));
            return why;
        }
        say(&format!("contact {resource} {client} {hold} {}", self.version));
        format!("value {} {} {}", self.value, self.version, self.tag)
    }

    fn write(&mut self, words: &[&str]) -> Outcome<String> {
        let [_, resource, client, hold, op, token, base, tag, value] = words else { return Ok("odd".to_owned()) };
        let (op, base, tag) = (op.parse()?, base.parse::<u32>().ok(), tag.parse::<u64>()?);
        if let Err(why) = self.admit(op, token.parse().ok(), base, tag) {
            say(&format!("rejected {resource} {client} {hold} 1 {why}"));
            return Ok(why);
        }
        let replaced = self.version;
        (self.value, self.version) = (value.parse()?, self.version + 1);
        // Different for every write is all that is asked of it.
        self.tag = self.tag.wrapping_mul(31).wrapping_add(u64::from(op) + 1);
        self.applied.insert(op);
        let base = or_dash(base);
        say(&format!("applied {resource} {client} {hold} {op} {token} {base} {replaced} {value}"));
        Ok(format!("done {}", self.version))
    }

    fn admit(&mut self, op: u32, token: Option<u64>, base: Option<u32>, tag: u64) -> Result<(), String> {
        let changed = Err(format!("changed {} {}", or_dash(base), self.version));
        match self.guard {
            Guard::Fencing { reject_equal, .. } => self.fence(token, reject_equal),
            Guard::Version => {
                if base == Some(self.version) {
                    Ok(())
                } else {
                    changed
                }
            }
            Guard::RandomId => {
                if base.is_some() && tag == self.tag {
                    Ok(())
                } else {
                    changed
                }
            }
            Guard::OperationId if self.applied.contains(&op) => Err(format!("duplicate {op}")),
            Guard::None | Guard::OperationId => Ok(()),
        }
    }

    fn fence(&mut self, token: Option<u64>, reject_equal: bool) -> Result<(), String> {
        if let Some(highest) = self.highest
            && !token.is_some_and(|token| token > highest || token == highest && !reject_equal)
        {
            return Err(format!("stale {} {highest}", or_dash(token)));
        }
        self.highest = self.highest.max(token);
        Ok(())
    }
}
