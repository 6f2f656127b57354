//! What a process noted, in the format of this export.

use serde::Serialize;

use super::steps::name;
use crate::scenario::Setup;
use crate::views::narration::key_label;
use crate::vocabulary::{HoldId, NodeId, Nonce};
use crate::world::{Closing, Ending, Observation, Rejection};

/// What a process noted. The keys that are there depend on `kind`.
#[derive(Serialize, Clone, Debug, Default)]
pub struct NoteJson {
    /// Who noted it.
    pub node: String,
    /// What was noted, as matchers spell it; besides `token-given`, `vote-extended` and
    /// `key-changed`, which they do not know.
    pub kind: &'static str,
    /// The lock.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub service: Option<String>,
    /// The resource.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub resource: Option<String>,
    /// The client that it is about, or the peer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub client: Option<String>,
    /// The key of a lock node.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub key: Option<String>,
    /// The belief.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hold: Option<u32>,
    /// The giving of a lock.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub grant: Option<u32>,
    /// The mark of the attempt: 16 hexadecimal digits.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nonce: Option<String>,
    /// The token.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub token: Option<u64>,
    /// The highest token that storage has seen.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub highest: Option<u64>,
    /// The lease.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lease_us: Option<u64>,
    /// Until when the client believes, on its monotonic clock.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub believed_until_us: Option<i64>,
    /// The value read or written.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value: Option<i64>,
    /// The version read, made by a write, or standing; of servers the epoch.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub version: Option<u32>,
    /// The version on which a write was based.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub base: Option<u32>,
    /// The version that a write replaced.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub replaced: Option<u32>,
    /// Whether a refused request was a write.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub write: Option<bool>,
    /// The write as its author meant it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub op: Option<u32>,
    /// How many nodes said yes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub votes: Option<u32>,
    /// How many have to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub needed: Option<u32>,
    /// What was left of the lease when the votes were counted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub left_us: Option<i64>,
    /// How many keys.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub keys: Option<u32>,
    /// Why.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub why: Option<&'static str>,
}

/// What a process noted, with names for numbers.
pub(super) fn note(setup: &Setup, who: NodeId, what: &Observation) -> NoteJson {
    let blank = NoteJson { node: name(setup, who), kind: kind(what), ..NoteJson::default() };
    let lock = |service| Some(setup.service(service).name.clone());
    let at = |resource| Some(setup.resource(resource).name.clone());
    match *what {
        Observation::Wants { service }
        | Observation::Queued { service, .. }
        | Observation::Expired { service }
        | Observation::GaveUp { service }
        | Observation::CheckPassed { service }
        | Observation::CheckFailed { service } => NoteJson { service: lock(service), ..blank },
        Observation::AttemptFailed { service, timeout } => {
            NoteJson { service: lock(service), why: Some(if timeout { "timeout" } else { "taken" }), ..blank }
        }
        Observation::Acquired { service, hold, nonce, token, believed_until } => NoteJson {
            service: lock(service),
            hold: Some(hold.0),
            nonce: Some(nonce_text(nonce)),
            token: token.map(|token| token.0),
            believed_until_us: believed_until,
            ..blank
        },
        Observation::HoldClosed { service, hold, why } => {
            NoteJson { service: lock(service), hold: Some(hold.0), why: Some(closing(why)), ..blank }
        }
        Observation::Renewed { service, hold }
        | Observation::RenewalFailed { service, hold }
        | Observation::HoldSuspended { service, hold }
        | Observation::HoldResumed { service, hold } => {
            NoteJson { service: lock(service), hold: Some(hold.0), ..blank }
        }
        Observation::ReadDone { resource, value, version } => {
            NoteJson { resource: at(resource), value: Some(value), version: Some(version), ..blank }
        }
        Observation::WriteDone { resource, version } => {
            NoteJson { resource: at(resource), version: Some(version), ..blank }
        }
        Observation::WriteRefused { resource, why } => NoteJson { resource: at(resource), ..refusal(blank, why) },
        Observation::OutcomeUnknown { peer } => NoteJson { client: Some(name(setup, peer)), ..blank },
        Observation::Counted { service, votes, needed, left_us } => {
            NoteJson { service: lock(service), votes: Some(votes), needed: Some(needed), left_us, ..blank }
        }
        Observation::Finished => blank,
        Observation::Connected { service, server, .. } | Observation::Disconnected { service, server } => {
            NoteJson { service: lock(service), client: Some(name(setup, server)), ..blank }
        }
        _ => by_server(setup, blank, what),
    }
}

/// What lock nodes and storage note.
fn by_server(setup: &Setup, blank: NoteJson, what: &Observation) -> NoteJson {
    let of = |client| Some(name(setup, client));
    let lock = |service| Some(setup.service(service).name.clone());
    let at = |resource| Some(setup.resource(resource).name.clone());
    let belief = |hold: Option<HoldId>| hold.map(|hold| hold.0);
    match *what {
        Observation::Granted { service, grant, client, nonce, token, lease } => NoteJson {
            service: lock(service),
            grant: Some(grant.0),
            client: of(client),
            nonce: Some(nonce_text(nonce)),
            token: token.map(|token| token.0),
            lease_us: lease.map(|lease| lease.0),
            ..blank
        },
        Observation::TokenGiven { service, client, token } => {
            NoteJson { service: lock(service), client: of(client), token: Some(token.0), ..blank }
        }
        Observation::VoteGiven { service, client, nonce, token, lease } => NoteJson {
            service: lock(service),
            client: of(client),
            nonce: Some(nonce_text(nonce)),
            token: token.map(|token| token.0),
            lease_us: lease.map(|lease| lease.0),
            ..blank
        },
        Observation::VoteExtended { service, client, lease } => {
            NoteJson { service: lock(service), client: of(client), lease_us: Some(lease.0), ..blank }
        }
        Observation::VoteEnded { service, client, nonce, why } => NoteJson {
            service: lock(service),
            client: of(client),
            nonce: Some(nonce_text(nonce)),
            why: Some(ending(why)),
            ..blank
        },
        Observation::Extended { service, grant, lease } => {
            NoteJson { service: lock(service), grant: Some(grant.0), lease_us: Some(lease.0), ..blank }
        }
        Observation::Ended { service, grant, why } => {
            NoteJson { service: lock(service), grant: Some(grant.0), why: Some(ending(why)), ..blank }
        }
        Observation::KeyChanged { key } => NoteJson { key: Some(key_label(setup, key)), ..blank },
        Observation::Contact { resource, client, hold, version } => {
            NoteJson { resource: at(resource), client: of(client), hold: belief(hold), version: Some(version), ..blank }
        }
        Observation::Applied { resource, client, hold, op, token, base, replaced, value } => NoteJson {
            resource: at(resource),
            client: of(client),
            hold: belief(hold),
            op: Some(op.0),
            token: token.map(|token| token.0),
            base,
            replaced: Some(replaced),
            value: Some(value),
            ..blank
        },
        Observation::Rejected { resource, client, hold, why, write } => NoteJson {
            resource: at(resource),
            client: of(client),
            hold: belief(hold),
            write: Some(write),
            ..refusal(blank, why)
        },
        Observation::Leads { service, epoch } => NoteJson { service: lock(service), version: Some(epoch), ..blank },
        Observation::Follows { leader, epoch } => NoteJson { client: of(leader), version: Some(epoch), ..blank },
        Observation::SessionExpired { service, client } => {
            NoteJson { service: lock(service), client: of(client), ..blank }
        }
        Observation::Promoted { service } | Observation::Looking { service } => {
            NoteJson { service: lock(service), ..blank }
        }
        Observation::Demoted { leader: peer } | Observation::SeenDown { peer } => {
            NoteJson { client: of(peer), ..blank }
        }
        Observation::Recovered { keys } => NoteJson { keys: Some(keys), ..blank },
        // What clients note stands above.
        _ => blank,
    }
}

fn nonce_text(nonce: Nonce) -> String {
    format!("{:016x}", nonce.0)
}

const fn kind(what: &Observation) -> &'static str {
    match what.kind() {
        Some(kind) => kind.name(),
        None if matches!(what, Observation::TokenGiven { .. }) => "token-given",
        None if matches!(what, Observation::VoteExtended { .. }) => "vote-extended",
        None => "key-changed",
    }
}

fn refusal(blank: NoteJson, why: Rejection) -> NoteJson {
    match why {
        Rejection::StaleToken { token, highest } => {
            NoteJson { why: Some("stale-token"), token: token.map(|token| token.0), highest: Some(highest.0), ..blank }
        }
        Rejection::VersionChanged { base, current } => {
            NoteJson { why: Some("version-changed"), base, version: Some(current), ..blank }
        }
        Rejection::Duplicate { op } => NoteJson { why: Some("duplicate"), op: Some(op.0), ..blank },
    }
}

const fn closing(why: Closing) -> &'static str {
    match why {
        Closing::Released => "released",
        Closing::Deadline => "deadline",
        Closing::Notice => "notice",
        Closing::Crashed => "crashed",
    }
}

const fn ending(why: Ending) -> &'static str {
    match why {
        Ending::Released => "released",
        Ending::Expired => "expired",
        Ending::RemovedByOther => "removed-by-other",
        Ending::Forgotten => "forgotten",
        Ending::Lost => "lost",
    }
}
