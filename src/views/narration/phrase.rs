//! Templates in two languages, filled with names and numbers.
//!
//! A template holds `{0}`, `{1}` … for its arguments. A Korean template may write `{0:이}`: the particle that fits the
//! sound at the end of the argument is added (이/가, 은/는, 을/를, 과/와, 으로/로). Filling is one small loop over static
//! text, because it ships in the page: no formatting machinery, no parsing at start-up.

use crate::scenario::{Role, Setup};
use crate::vocabulary::{Lang, MachineId, NodeId, ServiceIx, Span, Time};

/// Between groups of three digits: a narrow space that does not break.
const GROUP_SPACE: char = '\u{202f}';

/// What fills a gap of a template.
#[derive(Clone, Copy)]
pub(super) enum Arg<'a> {
    /// A process, as people call it: "client 1", "redis-a".
    Node(NodeId),
    /// A machine: the name of its only process, or its own.
    Machine(MachineId),
    /// "the lock", or "the pay lock" where there are several.
    Lock(ServiceIx),
    /// Text that is the same in both languages, or was put into this one before.
    Text(&'a str),
    /// A token, a version, a value, a count: no grouping.
    Num(i64),
    /// Milliseconds with their unit.
    Span(Span),
    /// An instant in milliseconds with its unit.
    Time(Time),
}

/// Who speaks: a language, and the scenario whose names are used.
#[derive(Clone, Copy)]
pub(super) struct Voice<'a> {
    pub(super) setup: &'a Setup,
    pub(super) lang: Lang,
}

impl Voice<'_> {
    /// The text for this language.
    pub(super) const fn pick<'t>(self, en: &'t str, ko: &'t str) -> &'t str {
        match self.lang {
            Lang::En => en,
            Lang::Ko => ko,
        }
    }

    /// The template of this language, filled.
    pub(super) fn say(self, en: &str, ko: &str, args: &[Arg<'_>]) -> String {
        let mut out = String::new();
        self.fill(&mut out, self.pick(en, ko), args);
        out
    }

    /// As a sentence that stands alone: its first letter is a capital, except in the name of a lock node.
    pub(super) fn capital(self, mut text: String) -> String {
        let is_name = |node: &crate::scenario::Node| {
            matches!(node.role, Role::Redis(..) | Role::ZooKeeper(_)) && text.starts_with(&node.name)
        };
        if self.lang == Lang::En && !self.setup.nodes.iter().any(is_name) {
            // The first byte of a text that starts with a letter outside ASCII is no lower-case letter.
            if let Some(first) = text.get_mut(..1) {
                first.make_ascii_uppercase();
            }
        }
        text
    }

    fn fill(self, out: &mut String, template: &str, args: &[Arg<'_>]) {
        let mut rest = template;
        while let Some((before, gap)) = rest.split_once('{') {
            out.push_str(before);
            let Some((name, after)) = gap.split_once('}') else { break };
            let (index, particle) = name.split_once(':').unwrap_or((name, ""));
            let arg = index.parse().ok().and_then(|ix: usize| args.get(ix));
            debug_assert!(arg.is_some(), "a gap without argument: {template}");
            if let Some(arg) = arg {
                self.put(out, *arg);
            }
            out.push_str(particle_after(out, particle));
            rest = after;
        }
        out.push_str(rest);
    }

    fn put(self, out: &mut String, arg: Arg<'_>) {
        match arg {
            Arg::Node(node) => self.put_node(out, node),
            Arg::Machine(machine) => self.put_machine(out, machine),
            Arg::Lock(service) => self.put_lock(out, service),
            Arg::Text(text) => out.push_str(text),
            Arg::Num(n) => push_number(out, n, None),
            Arg::Span(span) => push_ms(out, span.0),
            Arg::Time(time) => push_ms(out, time.0),
        }
    }

    fn put_node(self, out: &mut String, node: NodeId) {
        let Some(node) = self.setup.nodes.get(node.ix()) else { return out.push('?') };
        let (word, number) = match node.name.rsplit_once('-') {
            Some((word, number)) if number.bytes().all(|byte| byte.is_ascii_digit()) => (word, Some(number)),
            _ => (node.name.as_str(), None),
        };
        let said = match (node.role, word, self.lang) {
            (Role::Client(_), "client", Lang::En) => "client",
            (Role::Client(_), "client", Lang::Ko) => "클라이언트",
            (Role::Sentinel(_), "sentinel", Lang::En) => "sentinel",
            (Role::Sentinel(_), "sentinel", Lang::Ko) => "센티널",
            (Role::Storage, "storage", Lang::En) => "storage",
            (Role::Storage, "storage", Lang::Ko) => "저장소",
            _ => return out.push_str(&node.name),
        };
        out.push_str(said);
        if let Some(number) = number {
            out.push(' ');
            out.push_str(number);
        }
    }

    fn put_machine(self, out: &mut String, machine: MachineId) {
        let mut on_it = (0..).map(NodeId).zip(&self.setup.nodes).filter(|(_, node)| node.machine == machine);
        match (on_it.next(), on_it.next()) {
            (Some((only, _)), None) => self.put_node(out, only),
            _ => out.push_str(self.setup.machines.get(machine.ix()).map_or("?", |machine| &machine.name)),
        }
    }

    fn put_lock(self, out: &mut String, service: ServiceIx) {
        let name = match self.setup.services.as_slice() {
            [] | [_] => None,
            several => several.get(service.ix()).map(|service| service.name.as_str()),
        };
        match (self.lang, name) {
            (Lang::En, None) => out.push_str("the lock"),
            (Lang::Ko, None) => out.push('락'),
            (Lang::En, Some(name)) => out.extend(["the ", name, " lock"]),
            (Lang::Ko, Some(name)) => out.extend([name, " 락"]),
        }
    }
}

/// An instant in milliseconds without its unit, for columns of times: "11 010".
pub fn grouped_ms(at: Time) -> String {
    let mut out = String::new();
    push_grouped_ms(&mut out, at.0);
    out
}

/// Digits, grouped by `group` if there is one.
pub(super) fn push_number(out: &mut String, n: i64, group: Option<char>) {
    if n < 0 {
        out.push('\u{2212}');
    }
    push_digits(out, n.unsigned_abs(), group);
}

fn push_digits(out: &mut String, n: u64, group: Option<char>) {
    if n >= 1000 && group.is_some() {
        push_digits(out, n / 1000, group);
        out.extend(group);
        out.extend([n / 100 % 10, n / 10 % 10, n % 10].map(digit));
    } else if n >= 10 {
        push_digits(out, n / 10, None);
        out.push(digit(n % 10));
    } else {
        out.push(digit(n));
    }
}

fn digit(n: u64) -> char {
    char::from(b'0' + n as u8)
}

/// Microseconds as grouped milliseconds with a fraction only where there is one: "10 005", "0.25".
fn push_grouped_ms(out: &mut String, us: u64) {
    push_digits(out, us / 1000, Some(GROUP_SPACE));
    let mut rest = us % 1000;
    if rest > 0 {
        out.push('.');
        while rest > 0 {
            out.push(digit(rest / 100));
            rest = rest % 100 * 10;
        }
    }
}

fn push_ms(out: &mut String, us: u64) {
    push_grouped_ms(out, us);
    out.push(GROUP_SPACE);
    out.push_str("ms");
}

/// How a word ends when it is read aloud in Korean.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Ending {
    Vowel,
    Rieul,
    Consonant,
}

/// The form of a Korean particle that fits what was written so far.
fn particle_after(out: &str, particle: &str) -> &'static str {
    let ending = out.chars().next_back().map_or(Ending::Vowel, ending);
    let (closed, open) = match particle {
        "이" => ("이", "가"),
        "은" => ("은", "는"),
        "을" => ("을", "를"),
        "과" => ("과", "와"),
        "로" if ending == Ending::Rieul => ("로", "로"),
        "로" => ("으로", "로"),
        _ => ("", ""),
    };
    if ending == Ending::Vowel { open } else { closed }
}

fn ending(last: char) -> Ending {
    const FIRST_SYLLABLE: u32 = 0xac00;
    const FINALS: u32 = 28;
    const RIEUL: u32 = 8;
    match last {
        '가'..='힣' => match (last as u32 - FIRST_SYLLABLE) % FINALS {
            0 => Ending::Vowel,
            RIEUL => Ending::Rieul,
            _ => Ending::Consonant,
        },
        // Digits and letters by their Korean names: 일, 칠, 팔, 엘, 알; 영, 삼, 육, 엠, 엔.
        '1' | '7' | '8' | 'l' | 'L' | 'r' | 'R' => Ending::Rieul,
        '0' | '3' | '6' | 'm' | 'M' | 'n' | 'N' => Ending::Consonant,
        _ => Ending::Vowel,
    }
}

#[cfg(test)]
mod tests {
    use super::{particle_after, push_grouped_ms, push_number};

    #[test]
    fn milliseconds_are_grouped_and_keep_their_fraction() {
        let shown = |us| {
            let mut out = String::new();
            push_grouped_ms(&mut out, us);
            out
        };
        let all = [0, 250, 999_000, 1_000_000, 11_010_000, 1_000_005_050].map(shown);
        assert_eq!(all, ["0", "0.25", "999", "1\u{202f}000", "11\u{202f}010", "1\u{202f}000\u{202f}005.05"]);
    }

    #[test]
    fn numbers_carry_a_true_minus_sign() {
        let mut out = String::new();
        push_number(&mut out, -60_000, None);
        push_number(&mut out, 33, None);
        assert_eq!(out, "\u{2212}6000033");
    }

    #[test]
    fn particles_follow_the_sound_of_the_word() {
        let with = |word, particle| format!("{word}{}", particle_after(word, particle));
        assert_eq!(with("클라이언트 1", "이"), "클라이언트 1이");
        assert_eq!(with("클라이언트 2", "이"), "클라이언트 2가");
        assert_eq!(with("토큰 33", "은"), "토큰 33은");
        assert_eq!(with("토큰 34", "은"), "토큰 34는");
        assert_eq!(with("락", "을"), "락을");
        assert_eq!(with("redis-a", "과"), "redis-a와");
        assert_eq!(with("저장소", "로"), "저장소로");
        assert_eq!(with("클라이언트 1", "로"), "클라이언트 1로");
        assert_eq!(with("클라이언트 3", "로"), "클라이언트 3으로");
    }
}
