//! Faults: their titles and effects for menus, and what the headline says when one fires.

use super::packets::packet_label;
use super::phrase::{Arg, Voice};
use crate::scenario::Setup;
use crate::vocabulary::{FaultKind, Lang, Matcher, PauseCause, Span, Trigger};
use crate::world::Packet;

use Arg::{Machine, Node, Num, Span as Ms, Text, Time};

/// What a menu calls a fault: "Pause for 12 000 ms". The menu stands on its node or packet, so neither is named.
pub fn fault_title(setup: &Setup, kind: &FaultKind, lang: Lang) -> String {
    let voice = Voice { setup, lang };
    let text = match *kind {
        FaultKind::Pause { length, .. } => timed(voice, length, &PAUSE),
        FaultKind::Suspend { length, .. } => timed(voice, length, &SUSPEND),
        FaultKind::Crash { restart, .. } => timed(voice, restart, &CRASH),
        FaultKind::PowerLoss { restart, .. } => timed(voice, restart, &POWER_LOSS),
        FaultKind::ClockJump { by_us, .. } => {
            let args = [Ms(Span(by_us.unsigned_abs()))];
            if by_us < 0 {
                voice.say("move the clock \u{2212}{0}", "시계 \u{2212}{0} 옮기기", &args)
            } else {
                voice.say("move the clock +{0}", "시계 +{0} 옮기기", &args)
            }
        }
        FaultKind::ClockRate { ppm: 0, .. } => voice.say("set the clock’s rate right", "시계 속도 바로잡기", &[]),
        FaultKind::ClockRate { ppm, .. } => {
            let args = [Num(i64::from(ppm.abs()))];
            if ppm < 0 {
                voice.say("slow the clock by {0} ppm", "시계를 {0} ppm 느리게", &args)
            } else {
                voice.say("speed the clock up by {0} ppm", "시계를 {0} ppm 빠르게", &args)
            }
        }
        FaultKind::Cut { from, to, both } => {
            let en = if both { "cut the link {0} – {1}" } else { "cut the way {0} → {1}" };
            voice.say(en, if both { "{0} – {1} 링크 끊기" } else { "{0} → {1} 방향 끊기" }, &[Node(from), Node(to)])
        }
        FaultKind::Heal { from, to, both } => {
            let en = if both { "heal the link {0} – {1}" } else { "heal the way {0} → {1}" };
            voice.say(en, if both { "{0} – {1} 링크 잇기" } else { "{0} → {1} 방향 잇기" }, &[Node(from), Node(to)])
        }
        FaultKind::Delay { by, .. } => voice.say("delay by {0}", "{0} 늦추기", &[Ms(by)]),
        FaultKind::Reset { from, to, .. } => {
            voice.say("reset the connection {0} – {1}", "{0} – {1} 연결 재설정", &[Node(from), Node(to)])
        }
        FaultKind::Resume { .. } => voice.say("resume", "이어서 실행", &[]),
        FaultKind::Wake { .. } => voice.say("wake the machine", "머신 깨우기", &[]),
        FaultKind::Restart { .. } => voice.say("restart", "다시 시작", &[]),
        FaultKind::CutOff { .. } => voice.say("cut off", "고립시키기", &[]),
        FaultKind::Rejoin { .. } => voice.say("connect again", "다시 연결", &[]),
        FaultKind::Hold { .. } => voice.say("hold", "붙잡기", &[]),
        FaultKind::DeliverNow { .. } => voice.say("deliver now", "지금 배달", &[]),
        FaultKind::Lose { delivered: false, .. } => voice.say("lose it before delivery", "배달 전에 잃기", &[]),
        FaultKind::Lose { delivered: true, .. } => {
            voice.say("deliver it, then break the connection", "배달하고 연결 끊기", &[])
        }
        FaultKind::Resend { .. } => voice.say("send once more", "한 번 더 보내기", &[]),
    };
    voice.capital(text)
}

/// A title with a length, with none at all, and without end: English and Korean of each.
type Timed = [(&'static str, &'static str); 3];
const PAUSE: Timed = [
    ("pause for {0}", "{0} 동안 정지"),
    ("pause for a moment", "잠깐 정지"),
    ("pause until resumed", "재개할 때까지 정지"),
];
const SUSPEND: Timed = [
    ("suspend the machine for {0}", "머신을 {0} 동안 절전"),
    ("suspend the machine for a moment", "머신을 잠깐 절전"),
    ("suspend the machine", "머신 절전"),
];
const CRASH: Timed = [
    ("crash, back after {0}", "크래시, {0} 뒤 재시작"),
    ("crash, back at once", "크래시, 곧바로 재시작"),
    ("crash", "크래시"),
];
const POWER_LOSS: Timed = [
    ("power loss, back after {0}", "정전, {0} 뒤 재시작"),
    ("power loss, back at once", "정전, 곧바로 재시작"),
    ("power loss", "정전"),
];

fn timed(voice: Voice<'_>, length: Option<Span>, [some, zero, without]: &Timed) -> String {
    match length {
        Some(Span::ZERO) => voice.say(zero.0, zero.1, &[]),
        Some(length) => voice.say(some.0, some.1, &[Ms(length)]),
        None => voice.say(without.0, without.1, &[]),
    }
}

/// What a menu entry will do, in one line.
pub fn fault_effect(setup: &Setup, kind: &FaultKind, lang: Lang) -> String {
    let voice = Voice { setup, lang };
    let (en, ko) = match *kind {
        FaultKind::Pause { .. } => ("Runs nothing; packets wait", "아무것도 실행하지 않고 패킷은 기다림"),
        FaultKind::Resume { .. } => ("Goes on where it stopped, unaware", "멈춘 자리에서 모른 채 이어 감"),
        FaultKind::Suspend { .. } => ("All of its processes sleep", "모든 프로세스가 잠듦"),
        FaultKind::Wake { .. } => ("Its processes go on, unaware", "프로세스들이 모른 채 이어 감"),
        FaultKind::ClockJump { .. } => ("Wall clock only, not monotonic", "벽시계만, 단조 시계는 그대로"),
        FaultKind::ClockRate { .. } => ("Both of its clocks drift from now on", "이제부터 두 시계가 모두 어긋남"),
        FaultKind::Crash { .. } => ("Memory is lost; written files stay", "메모리는 사라지고 쓴 파일은 남음"),
        FaultKind::PowerLoss { .. } => ("Memory and unsynced writes are lost", "메모리와 동기화 안 된 쓰기가 사라짐"),
        FaultKind::Restart { .. } => ("Starts with what its disk holds", "디스크에 있는 것으로 시작"),
        FaultKind::Cut { .. } => ("Packets on it wait until it heals", "이어질 때까지 패킷이 기다림"),
        FaultKind::Heal { .. } => ("Packets that wait go on", "기다리던 패킷이 다시 흐름"),
        FaultKind::CutOff { .. } => ("All its packets wait, both ways", "오가는 패킷이 모두 기다림"),
        FaultKind::Rejoin { .. } => ("Packets that wait go on, both ways", "기다리던 패킷이 양쪽으로 다시 흐름"),
        FaultKind::Hold { .. } => ("Waits, and all behind it, until let go", "놓을 때까지 뒤의 것과 함께 기다림"),
        FaultKind::DeliverNow { .. } => ("Arrives at once", "곧바로 도착함"),
        FaultKind::Delay { .. } => ("Arrives later, and all behind it too", "뒤의 것과 함께 늦게 도착함"),
        FaultKind::Lose { delivered: false, .. } => {
            ("Its connection breaks; it never arrives", "연결이 끊겨 도착하지 않음")
        }
        FaultKind::Lose { delivered: true, .. } => ("Arrives, but no answer comes back", "도착하지만 답은 오지 않음"),
        FaultKind::Resend { .. } => ("A copy on a new connection", "새 연결로 사본을 보냄"),
        FaultKind::Reset { behind: false, .. } => ("What is in flight on it is gone", "이동 중인 것이 사라짐"),
        FaultKind::Reset { behind: true, .. } => ("What was sent before still arrives", "앞서 보낸 것은 그래도 도착함"),
    };
    voice.pick(en, ko).to_owned()
}

/// A fault in full, as a sentence: "Client 1 falls asleep: GC pause, 12 000 ms."
pub fn fault_sentence(setup: &Setup, kind: &FaultKind, lang: Lang) -> String {
    let voice = Voice { setup, lang };
    voice.capital(happens(voice, kind, None))
}

/// A fault as it happens. `packet` is the one it is about, if it is about one and it is known.
pub(super) fn happens(voice: Voice<'_>, kind: &FaultKind, packet: Option<&Packet>) -> String {
    match *kind {
        FaultKind::Pause { node, length, cause } => {
            let cause = Text(pause_cause(voice, cause));
            match length {
                Some(length) => {
                    let args = [Node(node), cause, Ms(length)];
                    voice.say("{0} falls asleep: {1}, {2}.", "{0:이} 잠듭니다: {1}, {2}.", &args)
                }
                None => voice.say("{0} falls asleep: {1}.", "{0:이} 잠듭니다: {1}.", &[Node(node), cause]),
            }
        }
        FaultKind::Resume { node } => wakes(voice, Node(node)),
        FaultKind::Crash { node, restart } => {
            down(voice, Node(node), restart, ("{0} crashes", "{0}의 프로세스가 죽습니다"))
        }
        FaultKind::Restart { node } => voice.say("{0} starts again.", "{0:이} 다시 시작합니다.", &[Node(node)]),
        FaultKind::Suspend { .. }
        | FaultKind::Wake { .. }
        | FaultKind::ClockJump { .. }
        | FaultKind::ClockRate { .. }
        | FaultKind::PowerLoss { .. } => on_machine(voice, kind),
        FaultKind::Hold { .. }
        | FaultKind::DeliverNow { .. }
        | FaultKind::Delay { .. }
        | FaultKind::Lose { .. }
        | FaultKind::Resend { .. } => on_packet(voice, kind, packet),
        _ => on_network(voice, kind),
    }
}

/// Also what is said when a pause ends by itself.
pub(super) fn wakes(voice: Voice<'_>, who: Arg<'_>) -> String {
    voice.say("{0} wakes. It does not know that it slept.", "{0:이} 깨어납니다. 잠들었던 사실을 모릅니다.", &[who])
}

fn down(voice: Voice<'_>, who: Arg<'_>, restart: Option<Span>, (en, ko): (&str, &str)) -> String {
    let mut text = voice.say(en, ko, &[who]);
    match restart {
        Some(Span::ZERO) => text.push_str(voice.pick(" and is back at once", ". 곧바로 돌아옵니다")),
        Some(restart) => text += &voice.say(" and is back after {0}", ". {0} 뒤에 돌아옵니다", &[Ms(restart)]),
        None => {}
    }
    text.push('.');
    text
}

fn on_machine(voice: Voice<'_>, kind: &FaultKind) -> String {
    match *kind {
        FaultKind::Suspend { machine, length: Some(length) } => voice.say(
            "the machine of {0} is suspended for {1}.",
            "{0}의 머신이 {1} 동안 잠듭니다.",
            &[Machine(machine), Ms(length)],
        ),
        FaultKind::Suspend { machine, length: None } => {
            voice.say("the machine of {0} is suspended.", "{0}의 머신이 잠듭니다.", &[Machine(machine)])
        }
        FaultKind::Wake { machine } => {
            voice.say("the machine of {0} wakes.", "{0}의 머신이 깨어납니다.", &[Machine(machine)])
        }
        FaultKind::ClockJump { machine, by_us } => jumps(voice, Machine(machine), by_us),
        FaultKind::ClockRate { machine, ppm: 0 } => voice.say(
            "{0}’s clocks run at the true rate again.",
            "{0}의 시계가 다시 제 속도로 갑니다.",
            &[Machine(machine)],
        ),
        FaultKind::ClockRate { machine, ppm } => {
            let args = [Machine(machine), Num(i64::from(ppm.abs()))];
            if ppm < 0 {
                voice.say("{0}’s clocks run {1} ppm slow.", "{0}의 시계가 {1} ppm 느리게 갑니다.", &args)
            } else {
                voice.say("{0}’s clocks run {1} ppm fast.", "{0}의 시계가 {1} ppm 빠르게 갑니다.", &args)
            }
        }
        FaultKind::PowerLoss { machine, restart } => {
            down(voice, Machine(machine), restart, ("{0} loses power", "{0}의 전원이 나갑니다"))
        }
        _ => String::new(),
    }
}

fn jumps(voice: Voice<'_>, whose: Arg<'_>, by_us: i64) -> String {
    let args = [whose, Ms(Span(by_us.unsigned_abs()))];
    if by_us < 0 {
        voice.say("{0}’s wall clock jumps back by {1}.", "{0}의 벽시계가 {1} 뒤로 뜁니다.", &args)
    } else {
        voice.say("{0}’s wall clock jumps ahead by {1}.", "{0}의 벽시계가 {1} 앞으로 뜁니다.", &args)
    }
}

fn on_network(voice: Voice<'_>, kind: &FaultKind) -> String {
    match *kind {
        FaultKind::Cut { from, to, both } => {
            let (en, ko) = if both {
                ("the link between {0} and {1} stalls.", "{0:과} {1} 사이의 링크가 멈춥니다.")
            } else {
                ("the link from {0} to {1} stalls.", "{0}에서 {1:로} 가는 링크가 멈춥니다.")
            };
            voice.say(en, ko, &[Node(from), Node(to)])
        }
        FaultKind::Heal { from, to, both } => {
            let (en, ko) = if both {
                ("the link between {0} and {1} goes on.", "{0:과} {1} 사이의 링크가 다시 흐릅니다.")
            } else {
                ("the link from {0} to {1} goes on.", "{0}에서 {1:로} 가는 링크가 다시 흐릅니다.")
            };
            voice.say(en, ko, &[Node(from), Node(to)])
        }
        FaultKind::CutOff { node } => voice.say(
            "{0} is cut off: its packets wait.",
            "{0:이} 고립됩니다. 오가는 패킷이 기다립니다.",
            &[Node(node)],
        ),
        FaultKind::Rejoin { node } => voice.say("{0} is connected again.", "{0:이} 다시 연결됩니다.", &[Node(node)]),
        FaultKind::Reset { from, to, behind: true, .. } => voice.say(
            "{0} gives up the connection to {1}; what it had sent still travels.",
            "{0:이} {1:과}의 연결을 포기합니다. 앞서 보낸 것은 아직 이동 중입니다.",
            &[Node(from), Node(to)],
        ),
        FaultKind::Reset { from, to, .. } => voice.say(
            "the connection between {0} and {1} is reset.",
            "{0:과} {1} 사이의 연결이 재설정됩니다.",
            &[Node(from), Node(to)],
        ),
        _ => String::new(),
    }
}

fn on_packet(voice: Voice<'_>, kind: &FaultKind, packet: Option<&Packet>) -> String {
    let what = packet.map_or_else(
        || voice.pick("the packet", "패킷").to_owned(),
        |packet| {
            let label = packet_label(voice.setup, &packet.message);
            voice.say("{0}’s “{1}”", "{0}의 “{1}” 패킷", &[Node(packet.from), Text(&label)])
        },
    );
    let what = Text(&what);
    match *kind {
        FaultKind::Hold { .. } => voice.say("{0} is held in flight.", "{0:이} 이동 중에 붙잡힙니다.", &[what]),
        FaultKind::DeliverNow { .. } => {
            voice.say("{0} is let go and arrives now.", "{0:이} 풀려나 지금 도착합니다.", &[what])
        }
        FaultKind::Delay { by, .. } => voice.say("{0} is delayed by {1}.", "{0:이} {1} 늦어집니다.", &[what, Ms(by)]),
        FaultKind::Lose { delivered: false, .. } => {
            voice.say("{0} is lost: its connection breaks.", "{0:을} 잃습니다. 연결이 끊깁니다.", &[what])
        }
        FaultKind::Lose { delivered: true, .. } => {
            voice.say("{0} arrives, and its connection breaks.", "{0:이} 도착하고 연결이 끊깁니다.", &[what])
        }
        _ => voice.say("{0} is sent once more.", "{0:을} 한 번 더 보냅니다.", &[what]),
    }
}

/// Why a process sleeps.
pub(super) const fn pause_cause(voice: Voice<'_>, cause: PauseCause) -> &'static str {
    match cause {
        PauseCause::Gc => voice.pick("GC pause", "GC 정지"),
        PauseCause::PageFault => voice.pick("page fault", "페이지 폴트"),
        PauseCause::NetworkDisk => voice.pick("network disk", "네트워크 디스크"),
        PauseCause::CpuContention => voice.pick("CPU contention", "CPU 경합"),
        PauseCause::SigStop => "SIGSTOP",
    }
}

/// When a fault happens, as part of a sentence: "at 100 ms", "before client 1 runs line 4, write counter".
pub fn trigger_text(setup: &Setup, trigger: &Trigger, lang: Lang) -> String {
    let voice = Voice { setup, lang };
    match *trigger {
        Trigger::At(at) => voice.say("at {0}", "{0}에", &[Time(at)]),
        Trigger::Step(step) => voice.say("as step {0}", "{0}단계에서", &[Num(i64::from(step.0))]),
        Trigger::When { matcher, nth, after } => {
            let mut text = matched(voice, matcher);
            if nth > 1 {
                text += &voice.say(", occurrence {0}", ", {0}번째", &[Num(i64::from(nth))]);
            }
            if after > Span::ZERO {
                text += &voice.say(", {0} later", ", {0} 뒤", &[Ms(after)]);
            }
            text
        }
    }
}

fn matched(voice: Voice<'_>, matcher: Matcher) -> String {
    match matcher {
        Matcher::Line { client, line, .. } => {
            let program = voice.setup.client(client).map(|client| client.program.as_slice()).unwrap_or_default();
            let text = program.get(line.ix()).map_or_else(String::new, |line| voice.setup.line_text(*line));
            let args = [Node(client), Num(i64::from(line.0) + 1), Text(&text)];
            voice.say("before {0} runs line {1}, {2}", "{0:이} {1}행을 실행하기 전, {2}", &args)
        }
        Matcher::Send { from, to, kind } => {
            let args = [Node(from), Node(to), Text(kind.map_or("", |kind| kind.name()))];
            if kind.is_some() {
                voice.say("when {0} sends {2} to {1}", "{0:이} {1}에 보낼 때: {2}", &args)
            } else {
                voice.say("when {0} sends to {1}", "{0:이} {1}에 보낼 때", &args)
            }
        }
        Matcher::Deliver { from, to, kind } => {
            let args = [Node(from), Node(to), Text(kind.map_or("", |kind| kind.name()))];
            if kind.is_some() {
                voice.say("when {2} from {0} reaches {1}", "{0}의 패킷이 {1}에 닿을 때: {2}", &args)
            } else {
                voice.say("when a packet from {0} reaches {1}", "{0}의 패킷이 {1}에 닿을 때", &args)
            }
        }
        Matcher::Observed { node, kind } => {
            let args = [Node(node), Text(super::names::observation_name(kind, voice.lang))];
            voice.say("when {0} notes: {1}", "{0:이} 기록할 때: {1}", &args)
        }
        Matcher::Fault { ix } => {
            voice.say("when fault {0} fires", "장애 {0:이} 일어날 때", &[Num(i64::from(ix.0) + 1)])
        }
    }
}
