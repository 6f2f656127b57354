//! What replicas, their primary and a sentinel say to each other, as sentences.

use super::packets::{key_label, packet_label};
use super::phrase::{Arg, Voice};
use crate::world::{Message, Packet, Replication, SentinelMessage};

use Arg::{Node, Num, Text};

/// What a process sends to another of its service, or to a sentinel; `None` if it is no such packet.
pub(super) fn says(voice: Voice<'_>, packet: &Packet) -> Option<String> {
    let (me, to) = (Node(packet.from), Node(packet.to));
    let label = packet_label(voice.setup, &packet.message);
    let args = [me, to, Text(&label)];
    let (en, ko) = match packet.message {
        Message::Replication(Replication::Change { .. }) => {
            ("{0} copies a change to {1}: {2}.", "{0:이} 바뀐 내용을 {1}에 복제합니다: {2}.")
        }
        Message::Replication(Replication::GetAck) => {
            ("{0} asks {1} how far it is.", "{0:이} {1}에 어디까지 받았는지 묻습니다.")
        }
        Message::Replication(Replication::Ack { .. }) => {
            ("{0} tells {1} how far it is: {2}.", "{0:이} {1}에 어디까지 받았는지 알립니다: {2}.")
        }
        Message::Replication(Replication::Psync) => {
            ("{0} asks {1} for all its data.", "{0:이} {1}에 모든 데이터를 요청합니다.")
        }
        Message::Replication(Replication::FullResync { .. }) => {
            ("{0} begins to send all its data to {1}.", "{0:이} 모든 데이터를 {1}에 보내기 시작합니다.")
        }
        Message::Sentinel(SentinelMessage::Ping) => {
            ("{0} asks whether {1} is alive.", "{0:이} {1:이} 살아 있는지 확인합니다.")
        }
        Message::Sentinel(SentinelMessage::ReplicaOf { leader: None }) => {
            ("{0} tells {1} to take over as primary.", "{0:이} {1}에 프라이머리를 맡으라고 합니다.")
        }
        Message::Sentinel(SentinelMessage::ReplicaOf { leader: Some(leader) }) => {
            let args = [me, to, Node(leader)];
            return Some(voice.say("{0} tells {1} to follow {2}.", "{0:이} {1}에 {2:을} 따르라고 합니다.", &args));
        }
        Message::Sentinel(SentinelMessage::AskPrimary { .. }) => {
            ("{0} asks {1} who is primary.", "{0:이} {1}에 누가 프라이머리인지 묻습니다.")
        }
        _ => return None,
    };
    Some(voice.say(en, ko, &args))
}

/// Such a packet is handled, and nothing is sent or noted; `None` if it is no such packet.
pub(super) fn hears(voice: Voice<'_>, packet: &Packet) -> Option<String> {
    let (me, from) = (Node(packet.to), Node(packet.from));
    let args = [me, from];
    let (en, ko) = match packet.message {
        Message::Replication(Replication::Change { key, .. }) => {
            let key = key_label(voice.setup, key);
            let args = [me, from, Text(&key)];
            return Some(voice.say(
                "{0} has {1}’s change of {2} now.",
                "{0:이} {1:이} 바꾼 내용을 받았습니다: {2}.",
                &args,
            ));
        }
        Message::Replication(Replication::Ack { offset }) => {
            let args = [me, from, Num(i64::from(offset))];
            return Some(voice.say(
                "{0} hears that {1} has {2} of its changes.",
                "{0:이} {1:이} 변경 {2}건을 받았음을 듣습니다.",
                &args,
            ));
        }
        Message::Replication(Replication::FullResync { .. }) => {
            ("{0} gives up its own data and takes {1}’s.", "{0:이} 제 데이터를 버리고 {1}의 데이터를 받습니다.")
        }
        Message::Sentinel(SentinelMessage::Pong { .. }) => {
            ("{0} hears that {1} is alive.", "{0:이} {1}의 응답을 듣습니다.")
        }
        Message::Sentinel(SentinelMessage::PrimaryIs { node, .. }) => {
            let args = [me, from, Node(node)];
            return Some(voice.say(
                "{0} hears from {1} that {2} is primary.",
                "{0:이} {1}에게서 {2:이} 프라이머리라고 듣습니다.",
                &args,
            ));
        }
        _ => return None,
    };
    Some(voice.say(en, ko, &args))
}
