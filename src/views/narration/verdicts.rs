//! Verdicts in words: the strip's lead, a few words beside each judge, and the reasons.

use super::names::progress_kind;
use super::observations::rejection;
use super::phrase::{Arg, Voice, push_number};
use crate::scenario::Setup;
use crate::verdicts::{CostSheet, Instance, InstanceKind, Keeper, Kept, LossKind, Verdict, Why};
use crate::vocabulary::{Contact, JudgeName, Lang, NodeId, ServiceIx, Token};
use crate::world::{Effect, Ending, Observation, Record};

use Arg::{Lock, Node, Num, Span, Text, Time};

/// More tokens than these are only hinted at.
const TOKENS_SHOWN: usize = 3;

/// The sentence that leads the verdict strip. `over`: whether the run is, so that nothing more can break.
pub fn lead(verdicts: &[(JudgeName, Verdict)], over: bool, lang: Lang) -> &'static str {
    let verdict = |judge| verdicts.iter().find(|(name, _)| *name == judge).map(|(_, verdict)| verdict);
    let broken = |judge| verdict(judge).is_some_and(Verdict::is_violated);
    let nothing_yet = |judge, why| matches!(verdict(judge), Some(Verdict::Pending { why: found }) if *found == why);
    let stale = broken(JudgeName::StaleWrite);
    let damaged = broken(JudgeName::LostUpdate) || broken(JudgeName::Divergence);
    let (en, ko) = if broken(JudgeName::MutualExclusion) {
        if damaged {
            ("The lock failed. The data is damaged.", "락은 실패했고, 데이터는 망가졌습니다.")
        } else if stale {
            ("The lock failed. A stale write got through.", "락은 실패했고, 뒤늦은 쓰기가 적용되었습니다.")
        } else if nothing_yet(JudgeName::StaleWrite, Why::NoWriteYet) {
            ("The lock failed. No write yet.", "락은 실패했고, 쓰기는 아직 없습니다.")
        } else if nothing_yet(JudgeName::StaleWrite, Why::NoStorageHere) {
            ("The lock failed.", "락은 실패했습니다.")
        } else {
            ("The lock failed. The data is safe.", "락은 실패했고, 데이터는 무사합니다.")
        }
    } else if damaged {
        ("The data is damaged.", "데이터가 망가졌습니다.")
    } else if stale {
        ("A stale write got through.", "뒤늦은 쓰기가 적용되었습니다.")
    } else if broken(JudgeName::TokenOrder) {
        ("The tokens are out of order.", "토큰의 순서가 어긋났습니다.")
    } else if broken(JudgeName::Progress) {
        ("Somebody is kept out.", "락을 얻지 못하는 클라이언트가 있습니다.")
    } else if over {
        ("Everything held.", "모든 약속이 지켜졌습니다.")
    } else {
        ("Everything holds so far.", "지금까지는 모두 지켜졌습니다.")
    };
    match lang {
        Lang::En => en,
        Lang::Ko => ko,
    }
}

/// The small text under the lead.
pub const fn lead_note(as_expected: bool, lang: Lang) -> &'static str {
    match (as_expected, lang) {
        (true, Lang::En) => "As this scenario expects",
        (true, Lang::Ko) => "이 시나리오가 예상한 결과",
        (false, Lang::En) => "Not what this scenario expects",
        (false, Lang::Ko) => "이 시나리오가 예상하지 않은 결과",
    }
}

/// A few words beside a judge's name: "since 11 010 ms", "none applied".
pub fn verdict_line(setup: &Setup, judge: JudgeName, verdict: &Verdict, lang: Lang) -> String {
    let voice = Voice { setup, lang };
    match verdict {
        Verdict::Holds => holds(voice, judge).to_owned(),
        Verdict::Pending { why } => pending(voice, *why).to_owned(),
        Verdict::Violated { instances } => violated(voice, judge, instances),
    }
}

/// The same for the order of tokens, with the last tokens that were given, if any were: "33, 34: rising".
pub fn token_order_line(setup: &Setup, verdict: &Verdict, given: &[Token], lang: Lang) -> String {
    let mut line = String::new();
    if matches!(verdict, Verdict::Holds) && !given.is_empty() {
        if given.len() > TOKENS_SHOWN {
            line.push_str("…, ");
        }
        for (ix, token) in given.iter().skip(given.len().saturating_sub(TOKENS_SHOWN)).enumerate() {
            line.push_str(if ix == 0 { "" } else { ", " });
            push_number(&mut line, token.0 as i64, None);
        }
        line.push_str(": ");
    }
    line + &verdict_line(setup, JudgeName::TokenOrder, verdict, lang)
}

/// The tokens that a step gave, in order.
pub fn tokens_given(record: &Record) -> impl Iterator<Item = Token> + '_ {
    record.effects.iter().filter_map(|effect| match effect {
        Effect::Noted { what: Observation::Granted { token: Some(token), .. }, .. }
        | Effect::Noted { what: Observation::TokenGiven { token, .. }, .. } => Some(*token),
        _ => None,
    })
}

const fn holds<'t>(voice: Voice<'_>, judge: JudgeName) -> &'t str {
    match judge {
        JudgeName::MutualExclusion => voice.pick("one at a time", "한 번에 하나"),
        JudgeName::StaleWrite => voice.pick("none applied", "적용된 것 없음"),
        JudgeName::TokenOrder => voice.pick("rising", "증가"),
        JudgeName::Progress => voice.pick("nobody kept out", "막힌 쪽 없음"),
        JudgeName::LostUpdate | JudgeName::Divergence => voice.pick("none", "없음"),
    }
}

const fn pending<'t>(voice: Voice<'_>, why: Why) -> &'t str {
    match why {
        Why::NobodyHeldYet => voice.pick("not held yet", "아직 쥔 적 없음"),
        Why::NoWriteYet => voice.pick("no write yet", "아직 쓰기 없음"),
        Why::NoStorageHere => voice.pick("no storage here", "여기에는 저장소 없음"),
        Why::NoTokenYet => voice.pick("no token yet", "아직 토큰 없음"),
        Why::NoTokensHere => voice.pick("no tokens here", "여기에는 토큰 없음"),
        _ => voice.pick("undecided yet", "아직 미정"),
    }
}

fn violated(voice: Voice<'_>, judge: JudgeName, instances: &[Instance]) -> String {
    let Some(first) = instances.first() else { return voice.pick("violated", "위반").to_owned() };
    let mut line = String::new();
    if let Some(InstanceKind::Progress(kind)) = first.kind {
        line.push_str(progress_kind(kind, voice.lang));
        line.push_str(", ");
    }
    let many = Num(instances.len() as i64);
    line += &match (instances.len(), first.to) {
        (2.., _) => voice.say("{0} times, first at {1}", "{0}번, 처음 {1}", &[many, Time(first.from)]),
        (_, None) => voice.say("since {0}", "{0}부터", &[Time(first.from)]),
        (_, Some(to)) if to == first.from => voice.say("at {0}", "{0}에", &[Time(to)]),
        (_, Some(_)) if judge == JudgeName::Progress => {
            voice.say("for {0}", "{0} 동안", &[Span(first.length(first.from))])
        }
        (_, Some(to)) => voice.say("{0} to {1}", "{0}부터 {1}까지", &[Time(first.from), Time(to)]),
    };
    line
}

/// In which way a promise was broken, for tables.
pub const fn kind_name(kind: InstanceKind, lang: Lang) -> &'static str {
    match (kind, lang) {
        (InstanceKind::Stale(Contact::Before), Lang::En) => "before the newer holder touched storage",
        (InstanceKind::Stale(Contact::Before), Lang::Ko) => "새 보유자가 저장소에 닿기 전",
        (InstanceKind::Stale(Contact::After), Lang::En) => "after the newer holder touched storage",
        (InstanceKind::Stale(Contact::After), Lang::Ko) => "새 보유자가 저장소에 닿은 뒤",
        (InstanceKind::Lost(LossKind::Overwrote), Lang::En) => "overwritten",
        (InstanceKind::Lost(LossKind::Overwrote), Lang::Ko) => "덮어씀",
        (InstanceKind::Lost(LossKind::AppliedTwice), Lang::En) => "applied twice",
        (InstanceKind::Lost(LossKind::AppliedTwice), Lang::Ko) => "두 번 적용",
        (InstanceKind::Progress(kind), lang) => progress_kind(kind, lang),
    }
}

/// The cost sheet in a few words: "12 messages".
pub fn cost_line(setup: &Setup, cost: &CostSheet, lang: Lang) -> String {
    let args = [Num(i64::from(cost.messages))];
    let voice = Voice { setup, lang };
    if cost.messages == 1 {
        voice.say("{0} message", "메시지 {0}개", &args)
    } else {
        voice.say("{0} messages", "메시지 {0}개", &args)
    }
}

/// The cost sheet in full, a name and a value for each row.
pub fn cost_rows(setup: &Setup, cost: &CostSheet, lang: Lang) -> Vec<(&'static str, String)> {
    let voice = Voice { setup, lang };
    let count = |n: u32| voice.say("{0}", "{0}", &[Num(i64::from(n))]);
    let time = |span| voice.say("{0}", "{0}", &[Span(span)]);
    let mut rows = vec![
        (voice.pick("messages", "메시지"), count(cost.messages)),
        (voice.pick("round trips", "왕복"), count(cost.round_trips)),
        (voice.pick("notifications", "알림"), count(cost.notifications)),
        (voice.pick("times acquired", "획득 횟수"), count(cost.acquires)),
    ];
    if let Some(mean) = cost.acquire_mean() {
        rows.push((voice.pick("mean time to acquire", "평균 획득 시간"), time(mean)));
        rows.push((voice.pick("longest time to acquire", "최장 획득 시간"), time(cost.acquire_max)));
    }
    rows.push((voice.pick("work done twice", "두 번 한 작업"), count(cost.work_twice)));
    rows
}

/// Why a judge says what it says, in one sentence.
pub fn why_sentence(setup: &Setup, why: &Why, lang: Lang) -> String {
    let voice = Voice { setup, lang };
    voice.capital(reason(voice, why))
}

fn reason(voice: Voice<'_>, why: &Why) -> String {
    match *why {
        Why::NobodyHeldYet => voice.say("nobody has held the lock yet.", "아직 아무도 락을 쥐지 않았습니다.", &[]),
        Why::NoWriteYet => voice.say("nothing has been written yet.", "아직 쓰인 것이 없습니다.", &[]),
        Why::NoStorageHere => voice.say("there is no storage here.", "여기에는 저장소가 없습니다.", &[]),
        Why::NoTokenYet => voice.say("no token has been given yet.", "아직 나간 토큰이 없습니다.", &[]),
        Why::NoTokensHere => {
            voice.say("no client here asks for tokens.", "여기에는 토큰을 쓰는 클라이언트가 없습니다.", &[])
        }
        Why::Waiting(kept) => waiting(voice, &kept),
        Why::KeptOut(kept) => kept_out(voice, &kept),
        Why::TwoBelievers { lock, older, newer, ended, paused } => {
            two_believers(voice, lock, [older, newer], ended, paused)
        }
        Why::GrantedSince { writer, token, newer, newer_token, granted, contact } => {
            let args = [Node(writer), Node(newer), Time(granted)];
            let tokens = token.zip(newer_token);
            granted_since(voice, &args, tokens, contact)
        }
        Why::Overwrote { writer, base, replaced, lost } => overwrote(voice, writer, [base, replaced], lost),
        Why::AppliedTwice { writer, first, .. } => voice.say(
            "{0}’s write was applied twice, first at {1}.",
            "{0}의 쓰기가 두 번 적용되었습니다. 처음은 {1}입니다.",
            &[Node(writer), Time(first)],
        ),
        Why::TokenNotHigher { earlier, earlier_token, later, later_token } => {
            let args = [Node(later), Num(later_token.0 as i64), Node(earlier), Num(earlier_token.0 as i64)];
            voice.say(
                "{0} got token {1}, but {2} had got {3} before.",
                "{0:이} 토큰 {1:을} 받았지만, 앞서 {2:이} {3:을} 받았습니다.",
                &args,
            )
        }
        Why::PassedOver { client, lock, since, grants } => {
            let args = [Node(client), Lock(lock), Time(since), Num(i64::from(grants))];
            voice.say(
                "{0} has wanted {1} since {2}, and others got it {3} times.",
                "{0:이} {2}부터 {1:을} 원했지만 그동안 다른 쪽이 {3}번 얻었습니다.",
                &args,
            )
        }
        Why::TurnedAway { client, why } => {
            let args = [Node(client), Text(&rejection(voice, why))];
            voice.say(
                "{0} holds the lock by right, yet storage refuses it: {1}.",
                "{0:이} 락을 정당하게 쥐었는데 저장소가 거절합니다. {1}.",
                &args,
            )
        }
    }
}

fn two_believers(
    voice: Voice<'_>,
    lock: ServiceIx,
    [older, newer]: [NodeId; 2],
    ended: Option<Ending>,
    paused: bool,
) -> String {
    let (en, ko) = match (ended, paused) {
        (Some(Ending::Expired), true) => ("{0} slept, and its lease ran out", "{0}의 리스는 잠든 사이에 끝났습니다"),
        (Some(Ending::Expired), false) => ("{0}’s lease ran out", "{0}의 리스는 끝났습니다"),
        (Some(Ending::Released), _) => ("{0}’s lock was given back", "{0}의 락은 이미 반납되었습니다"),
        (Some(Ending::RemovedByOther), _) => {
            ("{0}’s lock was removed by somebody else", "{0}의 락은 다른 쪽이 지웠습니다")
        }
        (Some(Ending::Lost), _) => {
            ("{0}’s lock was never copied to the new primary", "{0}의 락은 새 프라이머리로 복제되지 않았습니다")
        }
        (Some(Ending::Forgotten), _) => ("the lock node forgot {0}", "락 노드가 {0:을} 잊었습니다"),
        (None, _) => ("{0}’s grant still stands", "{0}의 락도 아직 유효합니다"),
    };
    let why = voice.say(en, ko, &[Node(older)]);
    let args = [Node(older), Node(newer), Lock(lock), Text(&why)];
    voice.say(
        "{1} believes it holds {2} while {0} still does: {3}.",
        "{0:이} 아직 {2:을} 쥐었다고 믿는데 {1}도 그렇게 믿습니다. {3}.",
        &args,
    )
}

fn granted_since(voice: Voice<'_>, args: &[Arg<'_>; 3], tokens: Option<(Token, Token)>, contact: Contact) -> String {
    let mut text = voice.say(
        "{0}’s write was applied, though {1} had been given the lock at {2}",
        "{1:이} {2}에 락을 받은 뒤에 {0}의 쓰기가 적용되었습니다",
        args,
    );
    if let Some((token, newer)) = tokens {
        let args = [Num(token.0 as i64), Num(newer.0 as i64)];
        text += &voice.say(" (token {0} after {1})", "(토큰 {1} 다음에 {0})", &args);
    }
    text += &match contact {
        Contact::After => voice.say(" and had touched storage.", ". {1:은} 이미 저장소에 닿았습니다.", args),
        Contact::Before => {
            voice.say(" but had not touched storage yet.", ". {1:은} 아직 저장소에 닿지 않았습니다.", args)
        }
    };
    text
}

fn overwrote(voice: Voice<'_>, writer: NodeId, [base, replaced]: [u32; 2], lost: Option<NodeId>) -> String {
    let args = [Node(writer), Num(i64::from(base)), Num(i64::from(replaced)), Node(lost.unwrap_or(writer))];
    let (en, ko) = if lost.is_some() {
        (
            "{0} read version {1} and wrote over version {2}: {3}’s update is lost.",
            "{0:이} 버전 {1:을} 읽고 버전 {2} 위에 썼습니다. {3}의 갱신이 사라졌습니다.",
        )
    } else {
        (
            "{0} read version {1} and wrote over version {2}: an update is lost.",
            "{0:이} 버전 {1:을} 읽고 버전 {2} 위에 썼습니다. 갱신 하나가 사라졌습니다.",
        )
    };
    voice.say(en, ko, &args)
}

fn waiting(voice: Voice<'_>, kept: &Kept) -> String {
    let args = [Node(kept.client), Lock(kept.lock), Time(kept.since), Time(kept.limit()), Text(&keeper(voice, kept))];
    voice.say(
        "{0} has waited for {1} since {2}: {4}. This is no failure before {3}.",
        "{0:이} {2}부터 {1:을} 기다립니다. {4}. {3} 전까지는 실패가 아닙니다.",
        &args,
    )
}

fn kept_out(voice: Voice<'_>, kept: &Kept) -> String {
    let args = [Node(kept.client), Lock(kept.lock), Time(kept.since), Text(&keeper(voice, kept))];
    voice.say("{0} is kept out of {1} from {2} on: {3}.", "{0:이} {2}부터 {1:을} 얻지 못합니다. {3}.", &args)
}

/// What keeps a client out, as part of a sentence.
fn keeper(voice: Voice<'_>, kept: &Kept) -> String {
    match kept.by {
        Keeper::Crashed { owner, lease: None } => voice.say(
            "{0} crashed, and its lock never expires",
            "{0:이} 죽었고 그 락은 만료되지 않습니다",
            &[Node(owner)],
        ),
        Keeper::Crashed { owner, lease: Some(lease) } => voice.say(
            "{0} crashed, and its lease of {1} still runs",
            "{0:이} 죽었고 {1}짜리 리스가 아직 남았습니다",
            &[Node(owner), Span(lease)],
        ),
        Keeper::InDoubt { owner, .. } => voice.say(
            "it is {0}’s, who is disconnected and cannot know that",
            "{0}의 것인데, 연결이 끊긴 {0:은} 그것을 알 수 없습니다",
            &[Node(owner)],
        ),
        Keeper::Stopped { owner, lease: None } => voice.say(
            "{0} sleeps and does not know that the lock is its own; it never expires",
            "{0:이} 잠들어 락이 제 것인 줄 모르고, 그 락은 만료되지 않습니다",
            &[Node(owner)],
        ),
        Keeper::Stopped { owner, lease: Some(lease) } => voice.say(
            "{0} sleeps and does not know that the lock is its own for {1}",
            "{0:이} 잠들어 락이 {1} 동안 제 것인 줄 모릅니다",
            &[Node(owner), Span(lease)],
        ),
        Keeper::Unaware { owner } => voice.say(
            "the lock stands for {0}, which does not believe it holds it",
            "락은 {0}의 것으로 남아 있지만 {0:은} 쥐었다고 믿지 않습니다",
            &[Node(owner)],
        ),
        Keeper::Itself { owner } => voice.say(
            "the lock stands for {0}, which waits for it itself",
            "락은 {0}의 것으로 남아 있고 {0:은} 바로 그 락을 기다립니다",
            &[Node(owner)],
        ),
        Keeper::Circle { owner } => voice.say(
            "{0} holds it and waits for another lock",
            "{0:이} 그 락을 쥔 채 다른 락을 기다립니다",
            &[Node(owner)],
        ),
        Keeper::Nobody => {
            voice.say("nobody holds it, yet no try succeeds", "아무도 쥐지 않았는데 어떤 시도도 성공하지 못합니다", &[])
        }
    }
}
