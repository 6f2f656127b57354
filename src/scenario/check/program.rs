//! Program lines from text, and labels back to lines.

use super::Checks;
use crate::scenario::Setup;
use crate::scenario::error::Reason;
use crate::scenario::file::{LineMatch, Name, ScenarioFile};
use crate::vocabulary::{
    AcquireMode, Line, LineIx, Matcher, OpId, ResourceIx, ServiceIx, Span, Time, TokenSource, Written,
};

const LINES_MAX: usize = 64;
const LINE_CHARS_MAX: usize = 120;
const MS_MAX: u64 = 86_400_000;
const VALUE_MAX: i64 = 1_000_000_000;
const REPEATS_MAX: u32 = 1_000_000;
const OPERATIONS_MAX: u32 = 1_000_000;

const VERBS: &str = "one of the verbs at, wait, acquire, check, read, work, write, release, repeat";

/// What a client does that is given no program.
const DEFAULT: [&str; 5] = ["acquire", "read", "work 500", "write read+1", "release"];

impl Checks {
    /// A client's lines. `path` is where they stand.
    pub(super) fn program(&mut self, setup: &Setup, path: &str, written: Option<&[String]>) -> Vec<Line> {
        let default = DEFAULT.map(str::to_owned);
        let written = written.unwrap_or(&default);
        self.count(path, "lines", written.len(), LINES_MAX);
        if written.is_empty() {
            self.conflict(path, "a program needs at least one line");
        }
        let mut lines = Vec::new();
        for (ix, text) in written.iter().take(LINES_MAX).enumerate() {
            let path = format!("{path}/{ix}");
            let chars = text.chars().count();
            if chars > LINE_CHARS_MAX {
                self.add(path, Reason::TooLong { chars, max: LINE_CHARS_MAX });
                continue;
            }
            match (Reader { setup, text, words: text.split_whitespace().collect() }).line() {
                Ok(line) => {
                    self.order(&path, line, &lines);
                    lines.push(line);
                }
                Err(reason) => self.add(path, reason),
            }
        }
        lines
    }

    /// Whether a line makes sense after those before it.
    fn order(&mut self, path: &str, line: Line, before: &[Line]) {
        if matches!(before.last(), Some(Line::Repeat(_))) {
            self.conflict(path, "no line is reached after `repeat`");
        }
        match line {
            Line::Write { resource, value: Written::ReadPlusOne | Written::Literal(_), .. }
                if !before.contains(&Line::Read(resource)) =>
            {
                self.conflict(path, "this write is based on a read, but no `read` comes before it (or: write blind 8)");
            }
            Line::Check(service) | Line::Release(service) if !before.contains(&Line::Acquire(service)) => {
                self.conflict(path, "no `acquire` of this lock comes before it");
            }
            Line::Acquire(service) if unreleased(before).any(|one| one == service) => {
                self.conflict(path, "this lock was acquired above and not released: a client waits for itself here");
            }
            Line::Repeat(_) if unreleased(before).next().is_some() => {
                self.conflict(path, "what was acquired must be released before the program starts again");
            }
            Line::Repeat(_) if !before.iter().any(|line| takes_time(*line)) => {
                self.conflict(path, "what is repeated must take time, or the run would never get past this instant");
            }
            _ => {}
        }
    }

    /// The line that a matcher names. Second parts of `acquire` are lines of their own here.
    pub(super) fn line(&mut self, setup: &Setup, file: &ScenarioFile, path: &str, entry: &LineMatch) -> Matcher {
        let node = self.node(setup, &format!("{path}/client"), &entry.client.0);
        let mut matcher = Matcher::Line { client: node, line: LineIx(0), part: 0 };
        let Some(client_ix) = setup.clients.iter().position(|client| client.node == node) else {
            self.conflict(format!("{path}/client"), "this process is no client: it has no program");
            return matcher;
        };
        let count = setup.clients[client_ix].program.len();
        match (&entry.label, entry.number) {
            (None, Some(number)) if (number.0 as usize) <= count => {
                matcher = Matcher::Line { client: node, line: LineIx(number.0 as u16 - 1), part: 0 };
            }
            (None, Some(_)) => self.conflict(format!("{path}/number"), "the program is not that long"),
            (Some(label), None) => {
                let written = file.clients[client_ix].program.as_deref();
                match labelled(setup, client_ix, written, label).as_slice() {
                    [] => {
                        let known = setup.clients[client_ix].program.iter().map(|line| setup.line_text(*line));
                        let (known, name) = (known.collect(), label.clone());
                        self.add(format!("{path}/label"), Reason::Unknown { what: "line", name, known });
                    }
                    [(line, part)] => matcher = Matcher::Line { client: node, line: *line, part: *part },
                    several => {
                        let lines = several.iter().map(|(line, _)| line.ix() + 1).collect();
                        let (label, client) = (label.clone(), entry.client.0.clone());
                        self.add(format!("{path}/label"), Reason::Ambiguous { label, client, lines });
                    }
                }
            }
            _ => self.conflict(path, "a line is named by `label` or by `number`"),
        }
        matcher
    }
}

/// The lines (and parts) that begin with the words of a label, as they are written or as they are shown.
fn labelled(setup: &Setup, client_ix: usize, written: Option<&[String]>, label: &str) -> Vec<(LineIx, u8)> {
    let label: Vec<&str> = label.split_whitespace().collect();
    let begins = |text: &str| {
        let mut words = text.split_whitespace();
        !label.is_empty() && label.iter().all(|word| words.next() == Some(*word))
    };
    let client = &setup.clients[client_ix];
    let mut found = Vec::new();
    for (ix, line) in client.program.iter().enumerate() {
        let line_ix = LineIx(ix as u16);
        let as_written = written.and_then(|lines| lines.get(ix)).map_or(DEFAULT.get(ix).copied(), |line| Some(line));
        if begins(&setup.line_text(*line)) || as_written.is_some_and(begins) {
            found.push((line_ix, 0));
        }
        if let Line::Acquire(service) = *line {
            let parts = second_parts(setup, client_ix, service);
            let of_label =
                parts.iter().zip(1_u8..).filter(|(name, _)| begins(&format!("{name} {}", setup.service(service).name)));
            found.extend(of_label.map(|(_, part)| (line_ix, part)));
        }
    }
    found
}

/// The services whose locks these lines acquire last and do not release.
fn unreleased(lines: &[Line]) -> impl Iterator<Item = ServiceIx> {
    lines.iter().enumerate().filter_map(|(ix, line)| match *line {
        Line::Acquire(service) if !lines[ix..].contains(&Line::Release(service)) => Some(service),
        _ => None,
    })
}

/// The parts of an `acquire` line after the first, in order.
fn second_parts(setup: &Setup, client_ix: usize, service: ServiceIx) -> Vec<&'static str> {
    let driver = &setup.clients[client_ix].drivers[service.ix()];
    let mut parts = Vec::new();
    if driver.acquire == AcquireMode::SetNx && driver.ttl.is_some() {
        parts.push("expire");
    }
    if driver.token == TokenSource::SeparateCounter {
        parts.push("incr");
    }
    if driver.wait.is_some() {
        parts.push("wait-copies");
    }
    parts
}

/// Whether virtual time passes in a line however fast everything else is.
const fn takes_time(line: Line) -> bool {
    match line {
        Line::Wait(_) | Line::Work(_) | Line::Acquire(_) | Line::Read(_) => true,
        Line::Write { await_reply, .. } => await_reply,
        Line::At(_) | Line::Check(_) | Line::Release(_) | Line::Repeat(_) => false,
    }
}

/// Reads one line.
struct Reader<'a> {
    setup: &'a Setup,
    text: &'a str,
    words: Vec<&'a str>,
}

impl Reader<'_> {
    fn line(&self) -> Result<Line, Reason> {
        let (verb, rest) = self.words.split_first().ok_or_else(|| self.error(VERBS))?;
        Ok(match (*verb, rest) {
            ("at", [ms]) => Line::At(Time::from_ms(self.ms(ms, 0)?)),
            ("wait", [ms]) => Line::Wait(Span::from_ms(self.ms(ms, 1)?)),
            ("work", [ms]) => Line::Work(Span::from_ms(self.ms(ms, 1)?)),
            ("at" | "wait" | "work", _) => return Err(self.error("a verb and milliseconds, such as `work 500`")),
            ("acquire", rest) => Line::Acquire(self.service(rest)?),
            ("check", rest) => Line::Check(self.service(rest)?),
            ("release", rest) => Line::Release(self.service(rest)?),
            ("read", rest) => Line::Read(self.resource(rest)?),
            ("write", rest) => self.write(rest)?,
            ("repeat", []) => Line::Repeat(None),
            ("repeat", [times]) => match times.parse() {
                Ok(times) if (1..=REPEATS_MAX).contains(&times) => Line::Repeat(Some(times)),
                _ => return Err(self.error("`repeat`, or `repeat` and a number from 1 to 1000000")),
            },
            ("repeat", _) => return Err(self.error("`repeat`, or `repeat` and a number from 1 to 1000000")),
            _ => {
                return Err(self.error(VERBS));
            }
        })
    }

    fn error(&self, expected: &'static str) -> Reason {
        Reason::Line { line: self.text.to_owned(), expected }
    }

    fn ms(&self, word: &str, min: u64) -> Result<u64, Reason> {
        let ms = word.parse().ok().filter(|ms| (min..=MS_MAX).contains(ms));
        ms.ok_or_else(|| self.error("a time from 1 to 86400000 ms"))
    }

    fn service(&self, words: &[&str]) -> Result<ServiceIx, Reason> {
        let names = self.setup.services.iter().map(|service| service.name.as_str());
        self.named("service", words, &names).map(|ix| ServiceIx(ix as u8))
    }

    fn resource(&self, words: &[&str]) -> Result<ResourceIx, Reason> {
        let names = self.setup.resources.iter().map(|resource| resource.name.as_str());
        self.named("resource", words, &names).map(|ix| ResourceIx(ix as u8))
    }

    /// One name, or none if there is only one thing it could be.
    fn named<'b>(
        &self,
        what: &'static str,
        words: &[&str],
        names: &(impl Iterator<Item = &'b str> + Clone),
    ) -> Result<usize, Reason> {
        let known = || names.clone().map(str::to_owned).collect::<Vec<_>>();
        match words {
            [] if names.clone().count() == 1 => Ok(0),
            [] => Err(Reason::Which { what, known: known() }),
            [name] => names.clone().position(|one| one == *name).ok_or_else(|| Reason::Unknown {
                what,
                name: (*name).to_owned(),
                known: known(),
            }),
            _ => Err(self.error("the verb and one name")),
        }
    }

    fn write(&self, words: &[&str]) -> Result<Line, Reason> {
        let expected = "`write`, the resource if there are several, then `read+1`, a number, or `blind` and a number, \
                        then perhaps `op` and a number from 1 to 1000000, and `no-wait`";
        let (words, await_reply) = match words.split_last() {
            Some((&"no-wait", words)) => (words, false),
            _ => (words, true),
        };
        let (words, op) = match words {
            [words @ .., "op", number] => {
                let number = number.parse().ok().filter(|number| (1..=OPERATIONS_MAX).contains(number));
                (words, Some(OpId::named(number.ok_or_else(|| self.error(expected))?)))
            }
            _ => (words, None),
        };
        let (words, value) = match words {
            [words @ .., "read+1"] => (words, Written::ReadPlusOne),
            [words @ .., "blind", value] => (words, Written::Blind(self.value(value)?)),
            [words @ .., value] if !Name::fits(value) => (words, Written::Literal(self.value(value)?)),
            _ => return Err(self.error(expected)),
        };
        Ok(Line::Write { resource: self.resource(words)?, value, op, await_reply })
    }

    fn value(&self, word: &str) -> Result<i64, Reason> {
        let value = word.parse().ok().filter(|value| (-VALUE_MAX..=VALUE_MAX).contains(value));
        value.ok_or_else(|| self.error("`read+1`, or a whole number of at most 1000000000"))
    }
}
