//! What the servers of an ensemble and their clients say to each other: labels and sentences.

use super::packets::nonce_label;
use super::phrase::{Arg, Voice, push_number};
use crate::scenario::Setup;
use crate::vocabulary::{NodeId, ServiceIx, Zxid};
use crate::world::{
    BallotStanding, Change, Forwarded, LogMessage, Message, Name, Observation, Packet, ZkAnswer, ZkMessage, ZkRequest,
    ZkUpdate,
};

use Arg::{Lock, Node, Num, Text};

/// A zxid as ZooKeeper prints it, with the halves kept apart: `2·7` is the seventh entry of epoch 2.
pub fn zxid_label(zxid: Zxid) -> String {
    let mut out = String::new();
    push_number(&mut out, i64::from(zxid.epoch()), None);
    out.push('·');
    push_number(&mut out, i64::from(zxid.counter()), None);
    out
}

/// The name of a node of the queue: its client's id, if it has one, and its number.
pub fn znode_label(name: Name) -> String {
    let mut out = name.guid.map(nonce_label).unwrap_or_default();
    out.push_str(if name.guid.is_some() { "-#" } else { "#" });
    push_number(&mut out, i64::from(name.seq), None);
    out
}

fn update_label(update: ZkUpdate) -> String {
    match update {
        ZkUpdate::OpenSession { .. } => "createSession".to_owned(),
        ZkUpdate::CloseSession { .. } => "closeSession".to_owned(),
        ZkUpdate::CreateParent => "create parent".to_owned(),
        ZkUpdate::Create { guid, ephemeral } => {
            let id = guid.map(nonce_label).unwrap_or_default();
            ["create ", &id, if guid.is_some() { "-#" } else { "#" }, if ephemeral { " -e -s" } else { " -s" }].concat()
        }
        ZkUpdate::Delete { name } => ["delete ", &znode_label(name)].concat(),
        ZkUpdate::SetData => "setData parent".to_owned(),
        ZkUpdate::DeleteContainer => "deleteContainer".to_owned(),
    }
}

/// What a message of the log says.
pub(super) fn log_label(setup: &Setup, said: &LogMessage) -> String {
    let with = |word: &str, zxid: Zxid| [word, " ", &zxid_label(zxid)].concat();
    let epoch = |word: &str, epoch: u32| {
        let mut out = [word, " epoch "].concat();
        push_number(&mut out, i64::from(epoch), None);
        out
    };
    match said {
        LogMessage::Ballot { ballot, standing, .. } => {
            let verb = match standing {
                BallotStanding::Looking => "vote ",
                BallotStanding::Following => "following ",
                BallotStanding::Leading => "leading ",
            };
            [verb, setup.node_name(ballot.leader), " ", &zxid_label(ballot.last)].concat()
        }
        LogMessage::FollowerInfo { accepted } => epoch("FOLLOWERINFO", *accepted),
        LogMessage::LeaderInfo { epoch: new } => epoch("LEADERINFO", *new),
        LogMessage::AckEpoch { epoch: new, .. } => epoch("ACKEPOCH", *new),
        LogMessage::NewLeader { epoch: new, entries, .. } => {
            let mut out = epoch("NEWLEADER", *new);
            out.push_str(" +");
            push_number(&mut out, entries.len() as i64, None);
            out
        }
        LogMessage::AckNewLeader { epoch: new } => epoch("ACK NEWLEADER", *new),
        LogMessage::UpToDate { committed } => with("UPTODATE", *committed),
        LogMessage::Propose(entry) => {
            let mut out = with("PROPOSAL", entry.zxid);
            if let Change::ZooKeeper(txn) = entry.change {
                out.push(' ');
                out.push_str(&update_label(txn.update));
            }
            out
        }
        LogMessage::Ack { zxid } => with("ACK", *zxid),
        LogMessage::Commit { zxid } => with("COMMIT", *zxid),
        LogMessage::Ping => "PING".to_owned(),
        LogMessage::Pong { .. } => "PING back".to_owned(),
    }
}

/// What a message of ZooKeeper says.
pub(super) fn zookeeper_label(said: &ZkMessage) -> String {
    let word = |word: &str| word.to_owned();
    match said {
        ZkMessage::Request { request, .. } => match request {
            ZkRequest::Connect { session: None, .. } => word("connect"),
            ZkRequest::Connect { session: Some(session), .. } => {
                ["connect session ", &zxid_label(Zxid(session.0))].concat()
            }
            ZkRequest::Update(update) => update_label(*update),
            ZkRequest::Children { watch: false } => word("getChildren"),
            ZkRequest::Children { watch: true } => word("getChildren + watch"),
            ZkRequest::Exists { name, watch } => {
                ["exists ", &znode_label(*name), if *watch { " + watch" } else { "" }].concat()
            }
            ZkRequest::Sync => word("sync"),
        },
        ZkMessage::Answer { answer, .. } => match answer {
            ZkAnswer::Connected { session, .. } => ["session ", &zxid_label(Zxid(session.0))].concat(),
            ZkAnswer::Expired => word("SESSIONEXPIRED"),
            ZkAnswer::Created(child) => ["created ", &znode_label(child.name)].concat(),
            ZkAnswer::Done => word("OK"),
            ZkAnswer::Children(all) => {
                let names: Vec<String> = all.iter().take(4).map(|child| znode_label(child.name)).collect();
                let more = if all.len() > names.len() { " …" } else { "" };
                ["[", &names.join(" "), more, "]"].concat()
            }
            ZkAnswer::Exists(child) => ["exists ", &znode_label(child.name)].concat(),
            ZkAnswer::DataSet { version } => {
                let mut out = word("OK, version ");
                push_number(&mut out, i64::from(*version), None);
                out
            }
            ZkAnswer::NoNode => word("NONODE"),
            ZkAnswer::NodeExists => word("NODEEXISTS"),
            ZkAnswer::Synced => word("synced"),
        },
        ZkMessage::Ping => word("ping"),
        ZkMessage::Pong { .. } => word("pong"),
        ZkMessage::Event { name: Some(name) } => ["watch: ", &znode_label(*name)].concat(),
        ZkMessage::Event { name: None } => word("watch: children"),
        ZkMessage::Forward(Forwarded::Update(txn)) => ["forward ", &update_label(txn.update)].concat(),
        ZkMessage::Forward(Forwarded::Revalidate { session, .. }) => {
            ["revalidate ", &zxid_label(Zxid(session.0))].concat()
        }
        ZkMessage::Forward(Forwarded::Sync { .. }) => word("forward sync"),
        ZkMessage::LeaderSays { session: Some((_, true)), .. } => word("session lives"),
        ZkMessage::LeaderSays { session: Some((_, false)), .. } => word("session over"),
        ZkMessage::LeaderSays { session: None, .. } => word("synced"),
    }
}

/// A message is sent, in a step that notes nothing of more news; `None` if it is none of these.
pub(super) fn says(voice: Voice<'_>, packet: &Packet, more: usize) -> Option<String> {
    let label = super::packets::packet_label(voice.setup, &packet.message);
    let args = [Node(packet.from), Node(packet.to), Text(&label), Num(more as i64 + 1)];
    let (en, ko) = match &packet.message {
        Message::Log(LogMessage::Ballot { ballot, standing: BallotStanding::Looking, .. }) => {
            let args = [Node(packet.from), Node(ballot.leader)];
            return Some(if packet.from == ballot.leader {
                voice.say("{0} proposes itself as leader.", "{0:이} 자신을 리더로 내세웁니다.", &args)
            } else {
                voice.say("{0} votes for {1}.", "{0:이} {1}에 표를 던집니다.", &args)
            });
        }
        Message::Log(LogMessage::Ping) => {
            ("{0} asks whether its followers are alive.", "{0:이} 팔로어들이 살아 있는지 확인합니다.")
        }
        Message::Log(LogMessage::Propose(_)) => {
            ("{0} proposes to {3} followers: {2}.", "{0:이} 팔로어 {3}대에 제안합니다: {2}.")
        }
        Message::Log(LogMessage::Ack { .. }) => {
            ("{0} has it on disk and tells {1}: {2}.", "{0:이} 디스크에 쓰고 {1}에 알립니다: {2}.")
        }
        Message::Log(LogMessage::Commit { .. }) => {
            ("a quorum has it on disk; {0} commits: {2}.", "정족수가 디스크에 썼으므로 {0:이} 확정합니다: {2}.")
        }
        Message::ZooKeeper(ZkMessage::Ping) => {
            ("{0} tells {1} that it is alive.", "{0:이} {1}에 살아 있음을 알립니다.")
        }
        Message::ZooKeeper(ZkMessage::Event { .. }) => {
            ("a watch fires: {0} tells {1}: {2}.", "감시가 울려 {0:이} {1}에 알립니다: {2}.")
        }
        Message::Log(_) | Message::ZooKeeper(_) => ("{0} tells {1}: {2}.", "{0:이} {1}에 말합니다: {2}."),
        _ => return None,
    };
    Some(voice.say(en, ko, &args))
}

/// Such a message is handled and nothing is sent or noted; `None` if it is none of these.
pub(super) fn hears(voice: Voice<'_>, packet: &Packet) -> Option<String> {
    let (Message::Log(_) | Message::ZooKeeper(_)) = packet.message else { return None };
    let label = super::packets::packet_label(voice.setup, &packet.message);
    let args = [Node(packet.to), Node(packet.from), Text(&label)];
    Some(voice.say("{0} hears from {1}: {2}.", "{0:이} {1}의 말을 듣습니다: {2}.", &args))
}

/// Whether a service is an ensemble.
pub(super) fn kept_by_ensemble(voice: Voice<'_>, service: ServiceIx) -> bool {
    voice.setup.service(service).ensemble.is_some()
}

/// What the servers of an ensemble and their clients note.
pub(super) fn noted(voice: Voice<'_>, node: NodeId, what: &Observation) -> String {
    let me = Node(node);
    match *what {
        Observation::Looking { .. } => voice.say("{0} looks for a leader.", "{0:이} 리더를 찾기 시작합니다.", &[me]),
        Observation::Leads { epoch, .. } => voice.say(
            "{0} leads epoch {1}: a quorum has its history.",
            "{0:이} 에포크 {1:을} 이끕니다. 정족수가 같은 기록을 가졌습니다.",
            &[me, Num(i64::from(epoch))],
        ),
        Observation::Follows { leader, epoch } => voice.say(
            "{0} follows {1} in epoch {2} and serves clients.",
            "{0:이} 에포크 {2}에서 {1:을} 따르며 클라이언트를 받습니다.",
            &[me, Node(leader), Num(i64::from(epoch))],
        ),
        Observation::SessionExpired { client, .. } => voice.say(
            "{0} has heard nothing of {1} for its session timeout: the session expires.",
            "{0:이} 세션 타임아웃 동안 {1}의 소식을 듣지 못해 세션을 만료시킵니다.",
            &[me, Node(client)],
        ),
        Observation::Queued { ahead, .. } => voice.say(
            "{0} finds {1} before it in the queue.",
            "{0:은} 대기열에서 앞에 {1:이} 있음을 봅니다.",
            &[me, Num(i64::from(ahead))],
        ),
        Observation::Connected { server, fresh: true, .. } => {
            voice.say("{0} has a session at {1}.", "{0:이} {1}에서 세션을 엽니다.", &[me, Node(server)])
        }
        Observation::Connected { server, .. } => voice.say(
            "{0} is connected to {1}: its session lives.",
            "{0:이} {1}에 다시 연결됩니다. 세션이 살아 있습니다.",
            &[me, Node(server)],
        ),
        Observation::Disconnected { server, .. } => voice.say(
            "{0} is disconnected from {1} and does not know whether its session lives.",
            "{0:은} {1:과} 연결이 끊겨 세션이 살아 있는지 모릅니다.",
            &[me, Node(server)],
        ),
        Observation::Expired { .. } => {
            voice.say("{0} hears that its session has expired.", "{0:이} 세션이 만료되었음을 듣습니다.", &[me])
        }
        Observation::HoldSuspended { service, .. } => voice.say(
            "{0} stops: it does not know whether it still holds {1}.",
            "{0:이} 멈춥니다. 아직 {1:을} 쥐고 있는지 모릅니다.",
            &[me, Lock(service)],
        ),
        Observation::HoldResumed { service, .. } => voice.say(
            "{0} goes on: it still holds {1}.",
            "{0:이} 이어 갑니다. 여전히 {1:을} 쥐고 있습니다.",
            &[me, Lock(service)],
        ),
        Observation::Granted { service, client, .. } => voice.say(
            "{1}’s node is the lowest: {1} truly holds {2}.",
            "{1}의 노드가 가장 앞입니다. {1:이} 정말로 {2:을} 쥡니다.",
            &[me, Node(client), Lock(service)],
        ),
        Observation::Ended { service, why, .. } => {
            let (en, ko) = match why {
                crate::world::Ending::Expired => {
                    ("the node goes with its session: {1} is free.", "세션과 함께 노드가 사라져 {1:이} 풀립니다.")
                }
                _ => ("the lowest node is deleted: {1} is free.", "맨 앞 노드가 지워져 {1:이} 풀립니다."),
            };
            voice.say(en, ko, &[me, Lock(service)])
        }
        Observation::TokenGiven { token, .. } => {
            voice.say("{0} takes {1} as its token.", "{0:이} {1:을} 토큰으로 삼습니다.", &[me, Num(token.0 as i64)])
        }
        _ => String::new(),
    }
}
