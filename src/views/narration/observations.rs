//! What a process noted, as a sentence.

use super::ensembles::{kept_by_ensemble, noted};
use super::packets::key_label;
use super::phrase::{Arg, Voice};
use super::votes::{counted, turned, voted};
use crate::vocabulary::{self, NodeId, Token};
use crate::world::{
    Closing, Effect, Ending, Event, Message, Observation, Record, RedisCommand, RedisReply, Rejection, StorageReply,
};

use Arg::{Lock, Node, Num, Span, Text};

/// One observation in words; `record` is the step in which it was noted.
pub(super) fn observed(voice: Voice<'_>, record: &Record, node: NodeId, what: &Observation) -> String {
    match what {
        Observation::Looking { .. }
        | Observation::Leads { .. }
        | Observation::Follows { .. }
        | Observation::SessionExpired { .. }
        | Observation::Queued { .. }
        | Observation::Connected { .. }
        | Observation::Disconnected { .. }
        | Observation::Expired { .. }
        | Observation::HoldSuspended { .. }
        | Observation::HoldResumed { .. } => noted(voice, node, what),
        Observation::Granted { service, .. }
        | Observation::Ended { service, .. }
        | Observation::TokenGiven { service, .. }
            if kept_by_ensemble(voice, *service) =>
        {
            noted(voice, node, what)
        }
        Observation::VoteGiven { .. }
        | Observation::VoteExtended { .. }
        | Observation::VoteEnded { .. }
        | Observation::Counted { .. } => voted(voice, node, what),
        Observation::Granted { service, .. }
        | Observation::Ended { service, .. }
        | Observation::AttemptFailed { service, .. }
            if counted(voice, *service) =>
        {
            turned(voice, node, what)
        }
        Observation::Granted { .. }
        | Observation::TokenGiven { .. }
        | Observation::Extended { .. }
        | Observation::Ended { .. }
        | Observation::KeyChanged { .. }
        | Observation::Promoted { .. }
        | Observation::Demoted { .. }
        | Observation::SeenDown { .. }
        | Observation::Recovered { .. } => by_service(voice, record, node, what),
        Observation::Contact { .. } | Observation::Applied { .. } | Observation::Rejected { .. } => {
            by_storage(voice, record, node, what)
        }
        _ => by_client(voice, record, node, what),
    }
}

fn by_client(voice: Voice<'_>, record: &Record, node: NodeId, what: &Observation) -> String {
    let me = Node(node);
    match *what {
        Observation::Wants { service } => voice.say("{0} wants {1}.", "{0:이} {1:을} 원합니다.", &[me, Lock(service)]),
        Observation::Acquired { service, token, .. } => acquired(voice, me, Lock(service), token),
        Observation::AttemptFailed { service, timeout: false } => {
            let (en, ko) = declined(record);
            voice.say(en, ko, &[me, Lock(service)])
        }
        Observation::AttemptFailed { service, timeout: true } => voice.say(
            "{0} hears nothing in time and does not get {1}.",
            "{0:이} 제때 답을 듣지 못해 {1:을} 얻지 못합니다.",
            &[me, Lock(service)],
        ),
        Observation::GaveUp { service } => {
            voice.say("{0} gives up asking for {1}.", "{0:이} {1:을} 더는 요청하지 않습니다.", &[me, Lock(service)])
        }
        Observation::HoldClosed { service, why, .. } => closed(voice, record, me, Lock(service), why),
        Observation::CheckPassed { .. } => {
            voice.say("{0} checks its lease: still good.", "{0:이} 리스를 확인합니다. 아직 유효합니다.", &[me])
        }
        Observation::CheckFailed { .. } => {
            voice.say("{0} checks its lease: it is over.", "{0:이} 리스를 확인합니다. 이미 끝났습니다.", &[me])
        }
        Observation::ReadDone { resource, value, version } => {
            let name = &voice.setup.resource(resource).name;
            let args = [me, Text(name), Num(value), Num(i64::from(version))];
            voice.say("{0} reads {1} = {2}, version {3}.", "{0:이} 값을 읽습니다: {1} = {2}, 버전 {3}.", &args)
        }
        Observation::WriteDone { version, .. } => {
            let args = [me, Num(i64::from(version))];
            voice.say(
                "{0} hears that its write was applied: version {1}.",
                "{0:이} 쓰기가 적용되었음을 듣습니다. 버전 {1}.",
                &args,
            )
        }
        Observation::WriteRefused { why, .. } => {
            let why = rejection(voice, why);
            voice.say("{0} hears that it was refused: {1}.", "{0:이} 거절되었음을 듣습니다. {1}.", &[me, Text(&why)])
        }
        Observation::OutcomeUnknown { peer } => {
            let args = [me, Node(peer)];
            voice.say(
                "{0} will not hear what became of its request to {1}.",
                "{0:은} {1}에 보낸 요청이 어떻게 되었는지 듣지 못합니다.",
                &args,
            )
        }
        Observation::Renewed { .. } => {
            voice.say("{0} hears that its lease was extended.", "{0:이} 리스가 연장되었음을 듣습니다.", &[me])
        }
        Observation::RenewalFailed { .. } => {
            voice.say("{0} fails to extend its lease.", "{0:이} 리스를 연장하지 못합니다.", &[me])
        }
        // What services and storage note has its own sentences above.
        _ => voice.say("{0} is done.", "{0:이} 할 일을 마칩니다.", &[me]),
    }
}

/// Why an attempt failed although there was an answer.
fn declined(record: &Record) -> (&'static str, &'static str) {
    let sent = record.effects.iter().any(|effect| matches!(effect, Effect::Sent { .. }));
    match record.event.packet().map(|packet| &packet.message) {
        Some(Message::RedisReply { reply: RedisReply::Error(_), .. }) => {
            ("{0} is refused and does not get {1}.", "{0:이} 거절당해 {1:을} 얻지 못합니다.")
        }
        Some(Message::RedisReply { reply: RedisReply::Int(_), .. }) if sent => {
            ("{0} takes {1} back: too few replicas have it.", "{0:이} {1:을} 거둡니다. 받은 복제본이 모자랍니다.")
        }
        _ => ("{0} does not get {1}: it is taken.", "{0:이} {1:을} 얻지 못합니다. 이미 누가 쥐고 있습니다."),
    }
}

fn acquired(voice: Voice<'_>, me: Arg<'_>, lock: Arg<'_>, token: Option<Token>) -> String {
    match token {
        Some(token) => {
            let args = [me, lock, Num(token.0 as i64)];
            voice.say("{0} believes it holds {1}, token {2}.", "{0:이} {1:을} 쥐었다고 믿습니다. 토큰 {2}.", &args)
        }
        None => voice.say("{0} believes it holds {1}.", "{0:이} {1:을} 쥐었다고 믿습니다.", &[me, lock]),
    }
}

fn closed(voice: Voice<'_>, record: &Record, me: Arg<'_>, lock: Arg<'_>, why: Closing) -> String {
    let asked = record.effects.iter().any(|effect| matches!(effect, Effect::Sent { .. }));
    let (en, ko) = match why {
        Closing::Released if !asked => {
            ("{0} is done with {1}, but does not give it back.", "{0:이} {1:을} 다 썼지만 돌려주지 않습니다.")
        }
        Closing::Released => ("{0} gives {1} back.", "{0:이} {1:을} 돌려줍니다."),
        Closing::Deadline => (
            "{0} stops believing: by its own clock the lease is over.",
            "{0:이} 더는 믿지 않습니다. 제 시계로는 리스가 끝났습니다.",
        ),
        Closing::Notice => ("{0} hears that it has lost {1}.", "{0:이} {1:을} 잃었다는 소식을 듣습니다."),
        Closing::Crashed => {
            ("{0} crashes while it believes it holds {1}.", "{0}의 프로세스가 {1:을} 쥐었다고 믿는 채로 죽습니다.")
        }
    };
    voice.say(en, ko, &[me, lock])
}

/// A lease begins anew: because its owner asked for that, or because a re-entrant lock counted its owner.
fn extended(voice: Voice<'_>, record: &Record, me: Arg<'_>, lease: vocabulary::Span) -> String {
    let answer = record.effects.iter().find_map(|effect| match effect {
        Effect::Sent { packet, .. } => match packet.message {
            Message::RedisReply { reply: RedisReply::Int(count), .. } => Some(count),
            _ => None,
        },
        _ => None,
    });
    let packet = record.event.packet();
    let asked = packet.and_then(|packet| match packet.message {
        Message::Redis { command, .. } => Some((Node(packet.from), command)),
        _ => None,
    });
    let (who, en, ko) = match (asked, answer) {
        (Some((who, RedisCommand::ReentrantLock { .. })), Some(1)) => (
            who,
            "{0} knows this request of {1}’s and does not count it again. The lease begins anew: {2}.",
            "{0:이} {1}의 이 요청을 이미 알고 있어 다시 세지 않습니다. 리스가 새로 시작됩니다: {2}.",
        ),
        (Some((who, RedisCommand::ReentrantLock { .. })), Some(_)) => (
            who,
            "{0} counts {1} once more: {3} now. The lease begins anew: {2}.",
            "{0:이} {1:을} 한 번 더 세어 이제 {3}입니다. 리스가 새로 시작됩니다: {2}.",
        ),
        (Some((who, RedisCommand::ReentrantUnlock { .. })), _) => (
            who,
            "{0} counts {1} down by one. The lock stays, and its lease begins anew: {2}.",
            "{0:이} {1}의 횟수를 하나 줄입니다. 락은 남고 리스가 새로 시작됩니다: {2}.",
        ),
        _ => (me, "{0} extends the lease: {2} from now.", "{0:이} 리스를 연장합니다. 지금부터 {2}."),
    };
    voice.say(en, ko, &[me, who, Span(lease), Num(answer.unwrap_or_default())])
}

fn by_service(voice: Voice<'_>, record: &Record, node: NodeId, what: &Observation) -> String {
    let me = Node(node);
    match *what {
        Observation::Granted { service, client, token, .. } => {
            granted(voice, record, &[me, Lock(service), Node(client)], token)
        }
        Observation::TokenGiven { client, token, .. } if client == node => {
            voice.say("{0} makes itself token {1}.", "{0:이} 토큰 {1:을} 스스로 만듭니다.", &[me, Num(token.0 as i64)])
        }
        Observation::TokenGiven { client, token, .. } => {
            let args = [me, Node(client), Num(token.0 as i64)];
            voice.say("{0} gives {1} token {2}.", "{0:이} {1}에게 토큰 {2:을} 줍니다.", &args)
        }
        Observation::Extended { lease, .. } => extended(voice, record, me, lease),
        Observation::Ended { service, why, .. } => ended(voice, record, me, Lock(service), why),
        Observation::Recovered { keys: 0 } => {
            voice.say("{0} is back and remembers nothing.", "{0:이} 아무것도 기억하지 못한 채 돌아옵니다.", &[me])
        }
        Observation::Recovered { keys } => {
            let args = [me, Num(i64::from(keys))];
            voice.say(
                "{0} is back; its disk still held {1} of its keys.",
                "{0:이} 디스크에서 키 {1}개를 되살려 돌아옵니다.",
                &args,
            )
        }
        Observation::Promoted { .. } => voice.say(
            "{0} is promoted: from now on it is the primary.",
            "{0:이} 승격되어 이제 프라이머리가 됩니다.",
            &[me],
        ),
        Observation::Demoted { leader } => voice.say(
            "{0} becomes a replica of {1} and will give up its own data.",
            "{0:이} {1}의 복제본이 되어 제 데이터를 버리게 됩니다.",
            &[me, Node(leader)],
        ),
        Observation::SeenDown { peer } => voice.say(
            "{0} has heard nothing from {1} for too long and takes it for down.",
            "{0:이} {1}의 답을 너무 오래 듣지 못해 죽은 것으로 봅니다.",
            &[me, Node(peer)],
        ),
        Observation::KeyChanged { key } => {
            let key = key_label(voice.setup, key);
            voice.say("{0} changes key {1}.", "{0:이} 키를 바꿉니다: {1}.", &[me, Text(&key)])
        }
        _ => String::new(),
    }
}

/// Often the key of the last owner is found expired in the very moment in which the next one asks.
fn granted(voice: Voice<'_>, record: &Record, args: &[Arg<'_>; 3], token: Option<Token>) -> String {
    let expired = record
        .effects
        .iter()
        .any(|effect| matches!(effect, Effect::Noted { what: Observation::Ended { why: Ending::Expired, .. }, .. }));
    let [me, lock, client] = *args;
    let args = [me, lock, client, Num(token.map_or(0, |token| token.0 as i64))];
    let (en, ko) = match (expired, token.is_some()) {
        (false, true) => ("{0} gives {1} to {2}, token {3}.", "{0:이} {2}에게 {1:을} 줍니다. 토큰 {3}."),
        (false, false) => ("{0} gives {1} to {2}.", "{0:이} {2}에게 {1:을} 줍니다."),
        (true, true) => (
            "the old lease is over: {0} gives {1} to {2}, token {3}.",
            "앞선 리스가 끝나 {0:이} {2}에게 {1:을} 줍니다. 토큰 {3}.",
        ),
        (true, false) => {
            ("the old lease is over: {0} gives {1} to {2}.", "앞선 리스가 끝나 {0:이} {2}에게 {1:을} 줍니다.")
        }
    };
    voice.say(en, ko, &args)
}

fn ended(voice: Voice<'_>, record: &Record, me: Arg<'_>, lock: Arg<'_>, why: Ending) -> String {
    let from = asker(record);
    let args = [me, lock, from.map_or(me, Node)];
    let (en, ko) = match (why, from.is_some()) {
        (Ending::Released, true) => {
            ("{0} frees {1}: {2} gave it back.", "{0:이} {1:을} 풉니다. {2:이} 돌려주었습니다.")
        }
        (Ending::Released, false) => ("{0} frees {1}.", "{0:이} {1:을} 풉니다."),
        (Ending::Expired, _) => ("the lease runs out: {0} frees {1}.", "리스가 끝나 {0:이} {1:을} 풉니다."),
        (Ending::RemovedByOther, true) => (
            "{2} removes a lock that is not its own: {0} frees {1}.",
            "{2:이} 제 것이 아닌 락을 지워 {0:이} {1:을} 풉니다.",
        ),
        (Ending::RemovedByOther, false) => {
            ("{0} frees {1}, though its holder did not ask.", "쥔 쪽이 청하지 않았는데 {0:이} {1:을} 풉니다.")
        }
        (Ending::Lost, _) => (
            "{0} knows nothing of the grant of {1}: it was never copied here.",
            "{0:은} {1:을} 준 일을 모릅니다. 이곳으로 복제된 적이 없습니다.",
        ),
        (Ending::Forgotten, _) => ("{0} has forgotten who holds {1}.", "{0:은} 누가 {1:을} 쥐었는지 잊었습니다."),
    };
    voice.say(en, ko, &args)
}

/// Whose packet this step handles.
fn asker(record: &Record) -> Option<NodeId> {
    match &record.event {
        Event::Delivered { packet } | Event::Unbuffered { packet } => Some(packet.from),
        _ => None,
    }
}

fn by_storage(voice: Voice<'_>, record: &Record, node: NodeId, what: &Observation) -> String {
    let me = Node(node);
    match *what {
        Observation::Contact { resource, client, version, .. } => {
            let name = &voice.setup.resource(resource).name;
            let version = Num(i64::from(version));
            if let Some(value) = value_sent(record) {
                let args = [me, Node(client), Text(name), Num(value), version];
                voice.say(
                    "{0} answers {1}: {2} = {3}, version {4}.",
                    "{0:이} {1}에 답합니다: {2} = {3}, 버전 {4}.",
                    &args,
                )
            } else {
                let args = [me, Node(client), Text(name), version];
                voice.say(
                    "{0} lets {1} read {2}, version {3}.",
                    "{0:이} {1}의 읽기를 받아들입니다: {2}, 버전 {3}.",
                    &args,
                )
            }
        }
        Observation::Applied { resource, client, token, base, replaced, value, .. } => {
            let name = &voice.setup.resource(resource).name;
            let args = [me, Node(client), Text(name), Num(value), Num(token.map_or(0, |token| token.0 as i64))];
            let over_unread = base.is_some_and(|base| base != replaced);
            applied(voice, &args, token.is_some(), over_unread)
        }
        Observation::Rejected { client, why, write, .. } => {
            let why = rejection(voice, why);
            let args = [me, Node(client), Text(&why)];
            if write {
                voice.say("{0} refuses {1}’s write: {2}.", "{0:이} {1}의 쓰기를 거절합니다. {2}.", &args)
            } else {
                voice.say("{0} refuses {1}’s read: {2}.", "{0:이} {1}의 읽기를 거절합니다. {2}.", &args)
            }
        }
        _ => String::new(),
    }
}

fn value_sent(record: &Record) -> Option<i64> {
    record.effects.iter().find_map(|effect| match effect {
        Effect::Sent { packet, .. } => match packet.message {
            Message::StorageReply { reply: StorageReply::Value { value, .. }, .. } => Some(value),
            _ => None,
        },
        _ => None,
    })
}

fn applied(voice: Voice<'_>, args: &[Arg<'_>], token: bool, over_unread: bool) -> String {
    let (en, ko) = match (over_unread, token) {
        (false, false) => ("{0} applies {1}’s write: {2} = {3}.", "{0:이} {1}의 쓰기를 적용합니다: {2} = {3}."),
        (false, true) => (
            "{0} applies {1}’s write, token {4}: {2} = {3}.",
            "{0:이} 토큰 {4:을} 가진 {1}의 쓰기를 적용합니다: {2} = {3}.",
        ),
        (true, false) => (
            "{0} applies {1}’s write over a version it never read: {2} = {3}.",
            "{0:이} {1}의 쓰기를 그가 읽지 않은 버전 위에 적용합니다: {2} = {3}.",
        ),
        (true, true) => (
            "{0} applies {1}’s write, token {4}, over a version it never read: {2} = {3}.",
            "{0:이} 토큰 {4:을} 가진 {1}의 쓰기를 그가 읽지 않은 버전 위에 적용합니다: {2} = {3}.",
        ),
    };
    voice.say(en, ko, args)
}

/// Why storage refused, as part of a sentence: no capital, no full stop.
pub(super) fn rejection(voice: Voice<'_>, why: Rejection) -> String {
    match why {
        Rejection::StaleToken { token: Some(token), highest } => {
            let args = [Num(token.0 as i64), Num(highest.0 as i64)];
            if token < highest {
                voice.say("token {0} is lower than {1}", "토큰 {0:은} {1}보다 낮습니다", &args)
            } else {
                voice.say("token {0} is not higher than {1}", "토큰 {0:은} {1}보다 높지 않습니다", &args)
            }
        }
        Rejection::StaleToken { token: None, highest } => voice.say(
            "it carries no token, and {0} was seen before",
            "토큰이 없는데 이미 {0:을} 보았습니다",
            &[Num(highest.0 as i64)],
        ),
        Rejection::VersionChanged { base: Some(base), current } => {
            let args = [Num(i64::from(base)), Num(i64::from(current))];
            voice.say(
                "it is based on version {0}, but {1} stands",
                "버전 {0:을} 바탕으로 했는데 지금은 버전 {1}입니다",
                &args,
            )
        }
        Rejection::VersionChanged { base: None, current } => {
            let args = [Num(i64::from(current))];
            voice.say("it names no version, and {0} stands", "바탕 버전이 없는데 지금은 버전 {0}입니다", &args)
        }
        Rejection::Duplicate { .. } => voice.say("it was applied before", "이미 적용된 작업입니다", &[]),
    }
}
