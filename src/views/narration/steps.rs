//! The headline of a step.

use super::ensembles;
use super::faults::{happens, wakes};
use super::leading::{is_news, leading};
use super::observations::observed;
use super::packets::packet_label;
use super::phrase::{Arg, Voice};
use super::replicas::{hears, says};
use crate::scenario::{Role, Setup};
use crate::vocabulary::{FaultKind, KeyId, Lang, Line, LineIx, NodeId, PacketId, PacketRef, Persistence};
use crate::world::{
    Closing, Effect, Event, Message, Observation, Packet, Record, RedisCommand, RedisReply, SetWhen, StorageRequest,
    World,
};

use Arg::{Lock, Node, Num, Span, Text, Time};

/// One short sentence for a step: what happened, by whom. `world` is the state after it.
pub fn sentence(setup: &Setup, record: &Record, world: &World, lang: Lang) -> String {
    let voice = Voice { setup, lang };
    voice.capital(headline(voice, record, world))
}

/// The same as part of a longer text, such as "Next: client 1 reads counter = 7, version 1": no capital, no full stop.
pub fn phrase(setup: &Setup, record: &Record, world: &World, lang: Lang) -> String {
    let mut text = headline(Voice { setup, lang }, record, world);
    if text.ends_with('.') {
        text.pop();
    }
    text
}

/// All that is worth telling of a step, in whole sentences: the headline first.
pub fn sentences(setup: &Setup, record: &Record, world: &World, lang: Lang) -> Vec<String> {
    let voice = Voice { setup, lang };
    let mut all = vec![headline(voice, record, world)];
    let led = if fault(record).is_some() { None } else { leading(record) };
    for effect in &record.effects {
        let Effect::Noted { node, what } = effect else { continue };
        if Some((*node, *what)) != led && is_news(what) && !goes_without_saying(what, led) {
            all.push(observed(voice, record, *node, what));
        }
    }
    all.dedup();
    all.into_iter().map(|text| voice.capital(text)).collect()
}

/// A crash ends belief, and so does a check that fails.
fn goes_without_saying(what: &Observation, led: Option<(NodeId, Observation)>) -> bool {
    let failed = matches!(led, Some((_, Observation::CheckFailed { .. })));
    match what {
        Observation::HoldClosed { why: Closing::Crashed, .. } => true,
        Observation::HoldClosed { why: Closing::Deadline, .. } => failed,
        _ => false,
    }
}

fn headline(voice: Voice<'_>, record: &Record, world: &World) -> String {
    let lead = leading(record);
    match (fault(record), lead) {
        // That a crash ends a belief says more than the crash alone, unless it is told when the process comes back.
        (
            Some(FaultKind::Crash { restart: None, .. }),
            Some((node, what @ Observation::HoldClosed { why: Closing::Crashed, .. })),
        ) => return observed(voice, record, node, &what),
        (Some(kind), _) => return happens(voice, &kind, packet_of(record, world, &kind)),
        (None, _) => {}
    }
    match lead {
        Some((node, what)) if is_news(&what) => observed(voice, record, node, &what),
        _ => quiet(voice, record, world),
    }
}

/// The fault that this step is, or that fired inside it.
fn fault(record: &Record) -> Option<FaultKind> {
    if let Event::Fault { kind, .. } = record.event {
        return Some(kind);
    }
    record.effects.iter().find_map(|effect| match effect {
        Effect::FaultFired { kind, .. } => Some(*kind),
        _ => None,
    })
}

/// The packet that a fault is about, as far as the step or the state after it still shows it.
fn packet_of<'a>(record: &'a Record, world: &'a World, kind: &FaultKind) -> Option<&'a Packet> {
    let in_flight =
        |id: PacketId| world.in_flight().iter().map(|flight| &*flight.packet).find(|packet| packet.id == id);
    let here = record.effects.iter().filter_map(|effect| match effect {
        Effect::Sent { packet, .. } | Effect::Dropped { packet } => Some(&**packet),
        Effect::Rescheduled { packet, .. } => in_flight(*packet),
        _ => None,
    });
    let mut here = record.event.packet().into_iter().chain(here);
    match kind.packet()? {
        PacketRef::Id(id) => here.find(|packet| packet.id == id).or_else(|| in_flight(id)),
        PacketRef::Matched => here.next(),
    }
}

/// A step without an observation worth a headline: what was asked, answered or waited for.
fn quiet(voice: Voice<'_>, record: &Record, world: &World) -> String {
    match &record.event {
        Event::Started { node } => voice.say("{0} starts.", "{0:이} 시작합니다.", &[Node(*node)]),
        Event::Line { node, line, .. } => line_runs(voice, record, world, *node, *line),
        Event::Delivered { packet } | Event::Unbuffered { packet } => handles(voice, record, packet),
        Event::Buffered { packet } => {
            let args = [Node(packet.to), Node(packet.from), Text(&packet_label(voice.setup, &packet.message))];
            voice.say("{0} is asleep; {1}’s “{2}” waits.", "{0:이} 잠들어 있어 {1}의 “{2}” 패킷이 기다립니다.", &args)
        }
        Event::Refused { packet } => {
            let args = [Node(packet.to), Node(packet.from), Text(&packet_label(voice.setup, &packet.message))];
            voice.say(
                "nobody at {0} takes {1}’s “{2}” any more.",
                "{0}에 {1}의 “{2}” 패킷을 받을 이가 없습니다.",
                &args,
            )
        }
        Event::Timer { node, .. } => timer(voice, record, world, *node),
        Event::TimerWaits { node, .. } => voice.say(
            "a timer of {0} is due, but {0} is asleep.",
            "{0}의 타이머가 만료되었지만 {0:은} 잠들어 있습니다.",
            &[Node(*node)],
        ),
        Event::ConnectionLost { node, peer, .. } => voice.say(
            "{0} learns that its connection to {1} is gone.",
            "{0:이} {1:과}의 연결이 끊겼음을 압니다.",
            &[Node(*node), Node(*peer)],
        ),
        Event::Broke { .. } => breaks(voice, record),
        Event::Resumed { node } => wakes(voice, Node(*node)),
        Event::Restarted { node } => voice.say("{0} starts again.", "{0:이} 다시 시작합니다.", &[Node(*node)]),
        // Faults have their words already.
        Event::Fault { .. } => String::new(),
    }
}

fn breaks(voice: Voice<'_>, record: &Record) -> String {
    let ends = record.effects.iter().find_map(|effect| match effect {
        Effect::ConnectionBroke { from, to, .. } => Some([Node(*from), Node(*to)]),
        _ => None,
    });
    match ends {
        Some(ends) => {
            voice.say("the connection between {0} and {1} breaks.", "{0:과} {1} 사이의 연결이 끊깁니다.", &ends)
        }
        None => voice.say("a connection breaks.", "연결이 끊깁니다.", &[]),
    }
}

fn line_runs(voice: Voice<'_>, record: &Record, world: &World, node: NodeId, line: LineIx) -> String {
    if let Some(text) = asks(voice, record, false) {
        return text;
    }
    let me = Node(node);
    let left = world.process(node).state().client().is_some_and(|client| client.line() != Some(line));
    match line_of(voice.setup, node, line) {
        // Nothing was asked and the line is left: the client knows that it lost the lock, and goes on with its release.
        Some(Line::Read(_) | Line::Write { .. } | Line::Work(_) | Line::Check(_)) if left => voice.say(
            "{0} skips to its release: it knows that it lost the lock.",
            "{0:이} 락을 잃은 것을 알고 해제로 건너뜁니다.",
            &[me],
        ),
        Some(Line::At(_) | Line::Wait(_)) if left => {
            voice.say("{0} has nothing to wait for.", "{0:은} 기다릴 것이 없습니다.", &[me])
        }
        Some(Line::At(at)) => voice.say("{0} waits until {1}.", "{0:이} {1}까지 기다립니다.", &[me, Time(at)]),
        Some(Line::Wait(span)) => voice.say("{0} waits for {1}.", "{0:이} {1} 기다립니다.", &[me, Span(span)]),
        Some(Line::Work(span)) => voice.say("{0} works for {1}.", "{0:이} {1} 동안 작업합니다.", &[me, Span(span)]),
        Some(Line::Release(service)) => voice.say(
            "{0} is done with {1}, but does not give it back.",
            "{0:이} {1:을} 다 썼지만 돌려주지 않습니다.",
            &[me, Lock(service)],
        ),
        Some(Line::Repeat(_)) => voice.say("{0} starts over.", "{0:이} 처음부터 다시 합니다.", &[me]),
        Some(line) => {
            voice.say("{0} runs “{1}”.", "{0:이} “{1}” 행을 실행합니다.", &[me, Text(&voice.setup.line_text(line))])
        }
        None => voice.say("{0} goes on.", "{0:이} 이어 갑니다.", &[me]),
    }
}

fn line_of(setup: &Setup, node: NodeId, line: LineIx) -> Option<Line> {
    setup.client(node)?.program.get(line.ix()).copied()
}

/// What a process asks another for in this step, if it asks.
fn asks(voice: Voice<'_>, record: &Record, again: bool) -> Option<String> {
    let mut all = record.effects.iter().filter_map(|effect| match effect {
        Effect::Sent { packet, .. } => Some(&**packet),
        _ => None,
    });
    let first = all.next()?;
    let more = all.filter(|packet| packet.kind() == first.kind()).count();
    match &first.message {
        Message::Redis { command, .. } => Some(asks_redis(voice, first, *command, more, again)),
        Message::Storage { request, .. } => Some(asks_storage(voice, first, request)),
        Message::Replication(_) | Message::Sentinel(_) => says(voice, first),
        Message::Log(_) | Message::ZooKeeper(_) => ensembles::says(voice, first, more),
        Message::RedisReply { .. } | Message::StorageReply { .. } => None,
    }
}

fn asks_redis(voice: Voice<'_>, packet: &Packet, command: RedisCommand, more: usize, again: bool) -> String {
    let (me, to) = (Node(packet.from), Node(packet.to));
    let lock = |key: KeyId| Lock(key.service().0);
    match command {
        RedisCommand::Set { key, when: SetWhen::Missing, .. }
        | RedisCommand::SetNx { key, .. }
        | RedisCommand::LockScript { key, .. }
        | RedisCommand::ReentrantLock { key, .. } => {
            let args = [me, to, lock(key), Num(more as i64 + 1)];
            let (en, ko) = match (more > 0, again) {
                (false, false) => ("{0} asks {1} for {2}.", "{0:이} {1}에 {2:을} 요청합니다."),
                (false, true) => ("{0} asks {1} for {2} again.", "{0:이} {1}에 다시 {2:을} 요청합니다."),
                (true, false) => ("{0} asks {3} nodes for {2}.", "{0:이} 노드 {3}개에 {2:을} 요청합니다."),
                (true, true) => ("{0} asks {3} nodes for {2} again.", "{0:이} 노드 {3}개에 다시 {2:을} 요청합니다."),
            };
            voice.say(en, ko, &args)
        }
        RedisCommand::PExpire { ttl, .. } => voice.say(
            "{0} asks {1} to let the lock expire after {2}.",
            "{0:이} {1}에 락이 {2} 뒤 만료되게 해 달라고 요청합니다.",
            &[me, to, Span(ttl)],
        ),
        RedisCommand::Incr { .. } => {
            voice.say("{0} asks {1} for a token.", "{0:이} {1}에 토큰을 요청합니다.", &[me, to])
        }
        RedisCommand::CompareDelete { key, .. }
        | RedisCommand::ReentrantUnlock { key, .. }
        | RedisCommand::Del { key } => {
            voice.say("{0} asks {1} to free {2}.", "{0:이} {1}에 {2:을} 풀어 달라고 요청합니다.", &[me, to, lock(key)])
        }
        RedisCommand::Wait { replicas, .. } => voice.say(
            "{0} asks {1} to wait until {2} of its replicas have the lock.",
            "{0:이} {1}에 복제본 {2}개가 락을 받을 때까지 기다려 달라고 요청합니다.",
            &[me, to, Num(i64::from(replicas))],
        ),
        RedisCommand::CompareExtend { .. } | RedisCommand::ExtendOrSet { .. } => {
            voice.say("{0} asks {1} to extend its lease.", "{0:이} {1}에 리스를 연장해 달라고 요청합니다.", &[me, to])
        }
        RedisCommand::Set { .. } | RedisCommand::Get { .. } | RedisCommand::PTtl { .. } => {
            let label = packet_label(voice.setup, &packet.message);
            voice.say("{0} sends {1} “{2}”.", "{0:이} {1}에 “{2}” 명령을 보냅니다.", &[me, to, Text(&label)])
        }
    }
}

fn asks_storage(voice: Voice<'_>, packet: &Packet, request: &StorageRequest) -> String {
    let (me, to) = (Node(packet.from), Node(packet.to));
    match request {
        StorageRequest::Read { resource, .. } => {
            let args = [me, to, Text(&voice.setup.resource(*resource).name)];
            voice.say("{0} asks {1} for {2}.", "{0:이} {1}에 값을 묻습니다: {2}.", &args)
        }
        StorageRequest::Write(write) => {
            let name = Text(&voice.setup.resource(write.resource).name);
            let args = [me, to, name, Num(write.value), Num(write.token.map_or(0, |token| token.0 as i64))];
            if write.token.is_some() {
                voice.say(
                    "{0} sends its write to {1}: {2} = {3}, token {4}.",
                    "{0:이} {1}에 쓰기를 보냅니다: {2} = {3}, 토큰 {4}.",
                    &args,
                )
            } else {
                voice.say("{0} sends its write to {1}: {2} = {3}.", "{0:이} {1}에 쓰기를 보냅니다: {2} = {3}.", &args)
            }
        }
    }
}

/// A packet is handled and nothing of note comes of it.
fn handles(voice: Voice<'_>, record: &Record, packet: &Packet) -> String {
    let (me, from) = (Node(packet.to), Node(packet.from));
    let answer = record.effects.iter().find_map(|effect| match effect {
        Effect::Sent { packet: answer, .. } if answer.to == packet.from => Some(&**answer),
        _ => None,
    });
    if let (Message::Redis { command, .. }, Some(answer)) = (&packet.message, answer)
        && let Message::RedisReply { reply: reply @ (RedisReply::Nil | RedisReply::Int(0)), .. } = answer.message
        && let Some(text) = declines(voice, me, from, *command, reply)
    {
        return text;
    }
    if let (None, Some(text)) = (answer, hears(voice, packet)) {
        return text;
    }
    let silent = !record.effects.iter().any(|effect| matches!(effect, Effect::Sent { .. }));
    if let (true, Some(text)) = (silent, ensembles::hears(voice, packet)) {
        return text;
    }
    if let Some(text) = asks(voice, record, false) {
        return text;
    }
    let said = answer.unwrap_or(packet);
    let label = packet_label(voice.setup, &said.message);
    if answer.is_some() {
        voice.say("{0} answers {1}: {2}.", "{0:이} {1}에 답합니다: {2}.", &[me, from, Text(&label)])
    } else {
        voice.say("{0} hears from {1}: {2}.", "{0:이} {1}의 답을 듣습니다: {2}.", &[me, from, Text(&label)])
    }
}

/// A lock node says no.
fn declines(voice: Voice<'_>, me: Arg<'_>, from: Arg<'_>, command: RedisCommand, reply: RedisReply) -> Option<String> {
    Some(match command {
        RedisCommand::Set { key, when: SetWhen::Missing, .. }
        | RedisCommand::SetNx { key, .. }
        | RedisCommand::LockScript { key, .. }
        | RedisCommand::ReentrantLock { key, .. } => voice.say(
            "{0} turns {1} away: {2} is taken.",
            "{0:이} {1:을} 돌려보냅니다. 이미 누가 {2:을} 쥐고 있습니다.",
            &[me, from, Lock(key.service().0)],
        ),
        RedisCommand::ReentrantUnlock { key, .. } if reply == RedisReply::Int(0) => voice.say(
            "{0} counts {1} down by one, and {2} is still held.",
            "{0:이} {1}의 횟수를 하나 줄이고, {2:은} 여전히 잡혀 있습니다.",
            &[me, from, Lock(key.service().0)],
        ),
        RedisCommand::CompareDelete { key, .. } | RedisCommand::ReentrantUnlock { key, .. } => voice.say(
            "{0} leaves {2} alone: it is not {1}’s any more.",
            "{0:이} {2:을} 그대로 둡니다. 더는 {1}의 것이 아닙니다.",
            &[me, from, Lock(key.service().0)],
        ),
        RedisCommand::CompareExtend { .. } | RedisCommand::ExtendOrSet { .. } | RedisCommand::PExpire { .. } => voice
            .say(
                "{0} extends nothing: the lock is not {1}’s any more.",
                "{0:이} 아무것도 연장하지 않습니다. 락이 더는 {1}의 것이 아닙니다.",
                &[me, from],
            ),
        RedisCommand::Del { .. } => {
            voice.say("{0} finds nothing to delete for {1}.", "{0}에 {1:이} 지울 것이 없습니다.", &[me, from])
        }
        _ => return None,
    })
}

fn timer(voice: Voice<'_>, record: &Record, world: &World, node: NodeId) -> String {
    if let Some(text) = asks(voice, record, true) {
        return text;
    }
    let me = Node(node);
    match voice.setup.nodes[node.ix()].role {
        Role::Client(_) => match line_before(voice.setup, world, node) {
            Some(Line::Work(_)) => voice.say("{0} finishes its work.", "{0:이} 작업을 마칩니다.", &[me]),
            Some(Line::At(_) | Line::Wait(_)) => {
                voice.say("{0} has waited enough.", "{0:이} 기다림을 마칩니다.", &[me])
            }
            _ => voice.say("a timer of {0} is due.", "{0}의 타이머가 만료됩니다.", &[me]),
        },
        Role::Redis(_, config) if config.persistence == Persistence::EverySecond => {
            voice.say("{0} syncs its file to disk.", "{0:이} 파일을 디스크에 동기화합니다.", &[me])
        }
        _ => voice.say("a timer of {0} is due.", "{0}의 타이머가 만료됩니다.", &[me]),
    }
}

/// The line that a client has just left.
fn line_before(setup: &Setup, world: &World, node: NodeId) -> Option<Line> {
    let line = world.process(node).state().client()?.line()?;
    line_of(setup, node, LineIx(line.0.checked_sub(1)?))
}
