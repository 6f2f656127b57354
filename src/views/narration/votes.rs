//! Sentences about votes: what one node of several did, what a client counted, and what it adds up to.

use super::phrase::{Arg, Voice};
use crate::vocabulary::{NodeId, ServiceIx};
use crate::world::{Ending, Observation};

use Arg::{Lock, Node, Num, Span};

/// Whether the lock of a service is made by counting votes.
pub(super) fn counted(voice: Voice<'_>, service: ServiceIx) -> bool {
    voice.setup.service(service).quorum > 1
}

/// One observation about votes in words.
pub(super) fn voted(voice: Voice<'_>, node: NodeId, what: &Observation) -> String {
    let me = Node(node);
    match *what {
        Observation::VoteGiven { client, token: Some(token), .. } => voice.say(
            "{0} stores {1}’s value and counts to {2}.",
            "{0:이} {1}의 값을 저장하고 {2:을} 셉니다.",
            &[me, Node(client), Num(token.0 as i64)],
        ),
        Observation::VoteGiven { client, .. } => voice.say(
            "{0} stores {1}’s value: a vote.",
            "{0:이} {1}의 값을 저장합니다. 한 표입니다.",
            &[me, Node(client)],
        ),
        Observation::VoteExtended { client, lease, .. } => voice.say(
            "{0} keeps {1}’s value: {2} from now.",
            "{0:이} {1}의 값을 더 보관합니다. 지금부터 {2}.",
            &[me, Node(client), Span(lease)],
        ),
        Observation::VoteEnded { client, why, .. } => vote_ended(voice, &[me, Node(client)], why),
        Observation::Counted { service, votes, needed, left_us } => {
            tallied(voice, me, service, (votes, needed, left_us))
        }
        _ => String::new(),
    }
}

fn vote_ended(voice: Voice<'_>, args: &[Arg<'_>], why: Ending) -> String {
    let (en, ko) = match why {
        Ending::Released => {
            ("{0} deletes {1}’s value: {1} gave it back.", "{0:이} {1}의 값을 지웁니다. {1:이} 돌려주었습니다.")
        }
        Ending::Expired => ("{1}’s value runs out on {0}.", "{0}에서 {1}의 값이 만료됩니다."),
        Ending::RemovedByOther => {
            ("{0} deletes {1}’s value, though {1} did not ask.", "{1:이} 청하지 않았는데 {0:이} {1}의 값을 지웁니다.")
        }
        Ending::Lost => ("{0} gives up {1}’s value.", "{0:이} {1}의 값을 버립니다."),
        Ending::Forgotten => ("{0} has forgotten {1}’s value.", "{0:은} {1}의 값을 잊었습니다."),
    };
    voice.say(en, ko, args)
}

fn tallied(voice: Voice<'_>, me: Arg<'_>, service: ServiceIx, count: (u32, u32, Option<i64>)) -> String {
    let (votes, needed, left_us) = count;
    let nodes = voice.setup.service(service).nodes.len() as i64;
    let left = crate::vocabulary::Span(left_us.unwrap_or(0).unsigned_abs());
    let args = [me, Num(votes.into()), Num(nodes), Num(needed.into()), Span(left)];
    let (en, ko) = match left_us {
        _ if votes < needed => {
            ("{0} counts {1} of {2} votes and needs {3}.", "{0:이} {2}표 가운데 {1}표를 셉니다. {3}표가 필요합니다.")
        }
        Some(..=0) => (
            "{0} counts {1} of {2} votes, but its time was over {4} ago.",
            "{0:이} {2}표 가운데 {1}표를 세지만 쓸 수 있는 시간은 {4} 전에 끝났습니다.",
        ),
        Some(_) => (
            "{0} counts {1} of {2} votes; {4} of the lease are left.",
            "{0:이} {2}표 가운데 {1}표를 셉니다. 리스가 {4} 남았습니다.",
        ),
        None => ("{0} counts {1} of {2} votes.", "{0:이} {2}표 가운데 {1}표를 셉니다."),
    };
    voice.say(en, ko, &args)
}

/// A grant that came of votes, and its end. `node`: whose vote made the difference.
pub(super) fn turned(voice: Voice<'_>, node: NodeId, what: &Observation) -> String {
    match *what {
        Observation::Granted { service, client, .. } => voice.say(
            "{0} makes a majority: {1} truly holds {2}.",
            "{0:이} 과반을 채웁니다. {1:이} 정말로 {2:을} 쥡니다.",
            &[Node(node), Node(client), Lock(service)],
        ),
        Observation::Ended { service, .. } => voice.say(
            "without {0} too few nodes are left: nobody truly holds {1}.",
            "{0:이} 빠져 과반이 무너집니다. {1:을} 정말로 쥔 이가 없습니다.",
            &[Node(node), Lock(service)],
        ),
        Observation::AttemptFailed { service, timeout: false } => voice.say(
            "{0} does not get {1}: too few nodes said yes.",
            "{0:이} {1:을} 얻지 못합니다. 승낙한 노드가 모자랍니다.",
            &[Node(node), Lock(service)],
        ),
        Observation::AttemptFailed { service, .. } => voice.say(
            "{0} does not get {1}: too few votes in time.",
            "{0:이} {1:을} 얻지 못합니다. 제때 모은 표가 모자랍니다.",
            &[Node(node), Lock(service)],
        ),
        _ => String::new(),
    }
}
