//! Short phrases inside drawings that carry a name or a number, in both languages.

use super::facts::Stream;
use super::facts::votes::{Tally, Watch};
use super::measure::{deviation, grouped, instant, millis, seconds};
use super::words::Word;
use crate::scenario::{Role, Setup};
use crate::vocabulary::{Guard, Lang, Line, NodeId, PauseCause, ResourceIx, ServiceIx, Span, Time, Written};

/// A process as people call it: `client 1`, `redis-a`, `storage`.
pub(crate) fn node_title(setup: &Setup, node: NodeId, lang: Lang) -> String {
    let name = setup.node_name(node);
    match setup.nodes[node.ix()].role {
        Role::Client(_) => match name.strip_prefix("client-") {
            Some(rest) => format!("{} {rest}", Word::Client.get(lang)),
            None => name.to_owned(),
        },
        Role::Sentinel(_) if name == "sentinel" => Word::Sentinel.get(lang).to_owned(),
        Role::Storage if name == "storage" => Word::Storage.get(lang).to_owned(),
        _ => name.to_owned(),
    }
}

/// A program line as a listing shows it.
pub(crate) fn line_text(setup: &Setup, line: Line, lang: Lang) -> String {
    let service = |ix: ServiceIx| setup.service(ix).name.as_str();
    let resource = |ix: ResourceIx| setup.resource(ix).name.as_str();
    let span = |span: Span| format!("{}\u{a0}ms", millis(span.0));
    let (verb, object) = match line {
        Line::At(time) => ("at", instant(time)),
        Line::Wait(length) => ("wait", span(length)),
        Line::Work(length) => ("work", span(length)),
        Line::Acquire(ix) => ("acquire", service(ix).to_owned()),
        Line::Check(ix) => ("check", service(ix).to_owned()),
        Line::Release(ix) => ("release", service(ix).to_owned()),
        Line::Read(ix) => ("read", resource(ix).to_owned()),
        Line::Write { resource: ix, value, .. } => match value {
            Written::ReadPlusOne => ("write", resource(ix).to_owned()),
            Written::Literal(n) | Written::Blind(n) => ("write", format!("{} = {n}", resource(ix))),
        },
        Line::Repeat(Some(times)) => ("repeat", format!("{}×", grouped(i64::from(times)))),
        Line::Repeat(None) => ("repeat", String::new()),
    };
    let text = match lang {
        Lang::En => format!("{verb} {object}"),
        Lang::Ko => match line {
            Line::At(_) | Line::Wait(_) | Line::Work(_) | Line::Repeat(_) => format!("{} {object}", korean_verb(line)),
            _ => format!("{object} {}", korean_verb(line)),
        },
    };
    text.trim_end().to_owned()
}

fn korean_verb(line: Line) -> &'static str {
    match line {
        Line::At(_) => "시각",
        Line::Wait(_) => "대기",
        Line::Work(_) => "작업",
        Line::Acquire(_) => "획득",
        Line::Check(_) => "확인",
        Line::Release(_) => "해제",
        Line::Read(_) => "읽기",
        Line::Write { .. } => "쓰기",
        Line::Repeat(_) => "반복",
    }
}

/// A token in words: `token 33`.
pub(crate) fn token(n: u64, lang: Lang) -> String {
    match lang {
        Lang::En => format!("token {n}"),
        Lang::Ko => format!("토큰 {n}"),
    }
}

/// `until 21 005 ms`
pub(crate) fn until(time: Time, lang: Lang) -> String {
    match lang {
        Lang::En => format!("until {}", instant(time)),
        Lang::Ko => format!("{}까지", instant(time)),
    }
}

/// `since 10 005 ms`
pub(crate) fn since(time: Time, lang: Lang) -> String {
    match lang {
        Lang::En => format!("since {}", instant(time)),
        Lang::Ko => format!("{}부터", instant(time)),
    }
}

/// `9 080 ms left`
pub(crate) fn left(ms: &str, lang: Lang) -> String {
    match lang {
        Lang::En => format!("{ms}\u{a0}ms left"),
        Lang::Ko => format!("남은 시간 {ms}\u{a0}ms"),
    }
}

/// `9 080 ms left of 10 000`
pub(crate) fn left_of(ms: &str, of: &str, lang: Lang) -> String {
    match lang {
        Lang::En => format!("{ms}\u{a0}ms left of {of}"),
        Lang::Ko => format!("남은 시간 {ms}\u{a0}ms / {of}"),
    }
}

/// `last token given: 34`
pub(crate) fn last_token(n: u64, lang: Lang) -> String {
    match lang {
        Lang::En => format!("last token given: {n}"),
        Lang::Ko => format!("마지막으로 준 토큰: {n}"),
    }
}

/// `version 2`
pub(crate) fn version(n: u32, lang: Lang) -> String {
    match lang {
        Lang::En => format!("version {n}"),
        Lang::Ko => format!("버전 {n}"),
    }
}

/// `should be 9`
pub(crate) fn should_be(n: i64, lang: Lang) -> String {
    match lang {
        Lang::En => format!("should be {n}"),
        Lang::Ko => format!("{n}이어야 함"),
    }
}

/// `slept 11.4 s`
pub(crate) fn slept(us: u64, lang: Lang) -> String {
    match lang {
        Lang::En => format!("slept {}", seconds(us, lang)),
        Lang::Ko => format!("{} 잠듦", seconds(us, lang)),
    }
}

/// `GC pause, 8.2 s so far`
pub(crate) fn sleeps(cause: PauseCause, us: u64, lang: Lang) -> String {
    match lang {
        Lang::En => format!("{}, {} so far", pause_cause(cause, lang), seconds(us, lang)),
        Lang::Ko => format!("{}, {}째", pause_cause(cause, lang), seconds(us, lang)),
    }
}

/// `3 wait in its kernel buffer`
pub(crate) fn buffered(n: u32, lang: Lang) -> String {
    match (lang, n) {
        (Lang::En, 1) => "1 waits in its kernel buffer".to_owned(),
        (Lang::En, _) => format!("{n} wait in its kernel buffer"),
        (Lang::Ko, _) => format!("{n}개가 커널 버퍼에서 대기"),
    }
}

/// `refused: 33 < 34`, `refused: version 1, now 2`
pub(crate) fn refusal(detail: &str, lang: Lang) -> String {
    format!("{}: {detail}", Word::Refused.get(lang))
}

/// `lease of client 1 ends`, or its session, where that is what holds a lock.
pub(crate) fn lease_ends(client: &str, session: bool, lang: Lang) -> String {
    match (lang, session) {
        (Lang::En, false) => format!("lease of {client} ends"),
        (Lang::En, true) => format!("session of {client} ends"),
        (Lang::Ko, false) => format!("{client}의 리스 끝"),
        (Lang::Ko, true) => format!("{client}의 세션 끝"),
    }
}

/// `asleep: GC pause 11 400 ms`
pub(crate) fn asleep(cause: PauseCause, us: Option<u64>, lang: Lang) -> String {
    let length = us.map(|us| format!(" {}\u{a0}ms", millis(us))).unwrap_or_default();
    format!("{}: {}{length}", Word::Asleep.get(lang), pause_cause(cause, lang))
}

/// `clock +60 s`
pub(crate) fn clock_by(us: i64, lang: Lang) -> String {
    match lang {
        Lang::En => format!("clock {}", deviation(us)),
        Lang::Ko => format!("시계 {}", deviation(us)),
    }
}

/// `step 17 of 40, 11 925 ms`
pub(crate) fn position(step: u32, of: u32, time: Time, lang: Lang) -> String {
    match lang {
        Lang::En => format!("step {step} of {of}, {}", instant(time)),
        Lang::Ko => format!("{of}단계 중 {step}단계, {}", instant(time)),
    }
}

/// A pause's cause.
pub(crate) fn pause_cause(cause: PauseCause, lang: Lang) -> &'static str {
    match (cause, lang) {
        (PauseCause::Gc, Lang::En) => "GC pause",
        (PauseCause::Gc, Lang::Ko) => "GC 정지",
        (PauseCause::PageFault, Lang::En) => "page fault",
        (PauseCause::PageFault, Lang::Ko) => "페이지 폴트",
        (PauseCause::NetworkDisk, Lang::En) => "network disk",
        (PauseCause::NetworkDisk, Lang::Ko) => "네트워크 디스크",
        (PauseCause::CpuContention, Lang::En) => "busy CPU",
        (PauseCause::CpuContention, Lang::Ko) => "CPU 경합",
        (PauseCause::SigStop, _) => "SIGSTOP",
    }
}

/// A guard's name; `None` where there is none.
pub(crate) fn guard(guard: Guard, lang: Lang) -> Option<&'static str> {
    Some(match guard {
        Guard::None => return None,
        Guard::Fencing { .. } => Word::FencingToken.get(lang),
        Guard::Version => Word::VersionGuard.get(lang),
        Guard::RandomId => Word::TagGuard.get(lang),
        Guard::OperationId => Word::OpGuard.get(lang),
    })
}

/// Votes against those that are needed, the fullest first: `2 of 3 votes needed`, `2 of 3 votes`, `2 / 3`.
pub(crate) fn votes(yes: usize, needed: usize, lang: Lang) -> [String; 3] {
    let brief = format!("{yes} / {needed}");
    match lang {
        Lang::En => [format!("{yes} of {needed} votes needed"), format!("{yes} of {needed} votes"), brief],
        Lang::Ko => [format!("필요한 {needed}표 중 {yes}표"), format!("{needed}표 중 {yes}표"), brief],
    }
}

/// What is true beside it: `2 nodes keep it`, `2 keep it`, `has 2`.
pub(crate) fn keep(n: usize, lang: Lang) -> [String; 3] {
    match lang {
        Lang::En => [format!("truly has {n}"), format!("has {n}"), format!("={n}")],
        Lang::Ko => [format!("실제로는 {n}개"), format!("실제 {n}개"), format!("={n}")],
    }
}

/// `5 ms passed of 9 898`, or that it was too long, or that the votes are too few.
pub(crate) fn passed(tally: &Tally, lang: Lang) -> [String; 3] {
    let few = !tally.open() && tally.yes < tally.needed;
    let Some((passed, lease)) = tally.clock.filter(|_| !few) else {
        let word = match (few, lang) {
            (false, _) => "",
            (true, Lang::En) => "not enough votes",
            (true, Lang::Ko) => "표가 모자람",
        };
        return [word, word, word].map(str::to_owned);
    };
    let (passed, lease) = (grouped(passed.div_euclid(1000)), grouped(lease.div_euclid(1000)));
    let brief = format!("{passed} / {lease}\u{a0}ms");
    match (tally.late(), lang) {
        (false, Lang::En) => {
            [format!("{passed}\u{a0}ms passed, good for {lease}"), format!("{passed} of {lease}\u{a0}ms"), brief]
        }
        (false, Lang::Ko) => {
            [format!("{passed}\u{a0}ms 지남, 유효 {lease}"), format!("{lease}\u{a0}ms 중 {passed}"), brief]
        }
        (true, Lang::En) => [format!("too late: {passed}\u{a0}ms of {lease}"), format!("late: {brief}"), brief],
        (true, Lang::Ko) => [format!("늦음: {lease}\u{a0}ms 중 {passed}"), format!("늦음: {brief}"), brief],
    }
}

/// `acked by 1 of 2`, `WAIT: 0 of 1`, `3 behind`
pub(crate) fn stream(stream: Stream, lang: Lang) -> String {
    match (stream, lang) {
        (Stream::Waits(acked, needed), _) => format!("WAIT: {acked} / {needed}"),
        (Stream::Copied(acked, of), Lang::En) => format!("acked by {acked} of {of}"),
        (Stream::Copied(acked, of), Lang::Ko) => format!("복제 확인 {acked} / {of}"),
        (Stream::Behind(0), _) => Word::UpToDate.get(lang).to_owned(),
        (Stream::Behind(n), Lang::En) => format!("{n} behind"),
        (Stream::Behind(n), Lang::Ko) => format!("{n}개 뒤처짐"),
        (Stream::Log(epoch, len, known), Lang::En) => format!("epoch {epoch} · log {known}/{len}"),
        (Stream::Log(epoch, len, known), Lang::Ko) => format!("에포크 {epoch} · 로그 {known}/{len}"),
    }
}

/// What a sentinel thinks: who is primary, or whom it promotes; and how long the primary has been silent.
pub(crate) fn watch(watch: &Watch, lang: Lang) -> [String; 2] {
    let limit = grouped((watch.down_after_us / 1000) as i64);
    let first = match (&watch.promoting, lang) {
        (None, Lang::En) => format!("primary: {}", watch.primary),
        (None, Lang::Ko) => format!("프라이머리: {}", watch.primary),
        (Some(node), Lang::En) => format!("promotes {node}"),
        (Some(node), Lang::Ko) => format!("{node} 승격 중"),
    };
    let silent = watch.silent_us.filter(|us| *us > 50_000).map(|us| grouped(us / 1000));
    let second = match (silent, lang) {
        (Some(ms), Lang::En) => format!("silent {ms} of {limit}\u{a0}ms"),
        (Some(ms), Lang::Ko) => format!("무응답 {ms} / {limit}\u{a0}ms"),
        (None, Lang::En) => format!("down after {limit}\u{a0}ms"),
        (None, Lang::Ko) => format!("{limit}\u{a0}ms 뒤 다운"),
    };
    [first, second]
}
