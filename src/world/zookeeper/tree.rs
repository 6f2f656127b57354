//! What an ensemble keeps: sessions, one parent node and its children. A function of the log.

use super::{Name, Txn};
use crate::vocabulary::{NodeId, SessionId, Span, Zxid};
use crate::world::message::{Child, ZkAnswer, ZkUpdate};
use crate::world::observation::Ending;

/// The state after some entries of the log.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Tree {
    sessions: Vec<Session>,
    parent: Option<Parent>,
    /// In the order of their numbers.
    children: Vec<Znode>,
}

/// A session.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Session {
    /// Its id.
    pub id: SessionId,
    /// Whose it is.
    pub client: NodeId,
    /// Its timeout.
    pub timeout: Span,
}

/// The node under which a lock's queue stands.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Parent {
    /// The entry that made it.
    pub czxid: Zxid,
    /// How many children it has had: the number of the next one. It begins anew with each parent.
    pub created: u32,
    /// How often its data were set.
    pub version: u32,
}

/// A node of the queue.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Znode {
    /// Its name.
    pub name: Name,
    /// The entry that made it.
    pub czxid: Zxid,
    /// The session that made it.
    pub session: SessionId,
    /// Whose session that is.
    pub client: NodeId,
    /// Whether it goes with its session.
    pub ephemeral: bool,
}

/// What an entry did.
pub(super) struct Outcome {
    pub(super) answer: ZkAnswer,
    /// The child that came or went.
    pub(super) changed: Vec<Name>,
    /// Why the owner of the lock is another one, if it is.
    pub(super) moved: Option<Ending>,
}

impl Tree {
    /// The sessions that live.
    pub fn sessions(&self) -> &[Session] {
        &self.sessions
    }

    /// A session.
    pub fn session(&self, id: SessionId) -> Option<&Session> {
        self.sessions.iter().find(|session| session.id == id)
    }

    /// The node under which the queue stands.
    pub const fn parent(&self) -> Option<&Parent> {
        self.parent.as_ref()
    }

    /// The queue, in the order of its numbers: who comes first has the lock.
    pub fn children(&self) -> &[Znode] {
        &self.children
    }

    /// A child by its name.
    pub fn child(&self, name: Name) -> Option<&Znode> {
        self.children.iter().find(|child| child.name == name)
    }

    /// Applies a transaction. Whether it succeeds is the same on every server.
    pub(super) fn apply(&mut self, txn: &Txn, zxid: Zxid) -> Outcome {
        let before = self.children.first().map(|child| child.czxid);
        let mut changed = Vec::new();
        let mut why = Ending::Released;
        let lives = txn.session.is_none_or(|session| self.session(session).is_some());
        let answer = match txn.update {
            _ if !lives => ZkAnswer::Expired,
            ZkUpdate::OpenSession { timeout, .. } => {
                let session = SessionId(zxid.0);
                self.sessions.push(Session { id: session, client: txn.client, timeout });
                ZkAnswer::Connected { session, timeout }
            }
            ZkUpdate::CloseSession { expired } => {
                why = if expired { Ending::Expired } else { Ending::Released };
                self.sessions.retain(|session| Some(session.id) != txn.session);
                let theirs = |child: &Znode| child.ephemeral && Some(child.session) == txn.session;
                changed.extend(self.children.iter().filter(|child| theirs(child)).map(|child| child.name));
                self.children.retain(|child| !theirs(child));
                ZkAnswer::Done
            }
            ZkUpdate::CreateParent if self.parent.is_some() => ZkAnswer::NodeExists,
            ZkUpdate::CreateParent => {
                self.parent = Some(Parent { czxid: zxid, created: 0, version: 0 });
                ZkAnswer::Done
            }
            ZkUpdate::Create { guid, ephemeral } => {
                let answer = self.create(txn, zxid, guid, ephemeral);
                changed.extend(if let ZkAnswer::Created(child) = answer { Some(child.name) } else { None });
                answer
            }
            ZkUpdate::Delete { name } => match self.child(name) {
                None => ZkAnswer::NoNode,
                Some(child) => {
                    why = if child.client == txn.client { Ending::Released } else { Ending::RemovedByOther };
                    self.children.retain(|child| child.name != name);
                    changed.push(name);
                    ZkAnswer::Done
                }
            },
            ZkUpdate::SetData => match &mut self.parent {
                None => ZkAnswer::NoNode,
                Some(parent) => {
                    parent.version += 1;
                    ZkAnswer::DataSet { version: parent.version }
                }
            },
            ZkUpdate::DeleteContainer => {
                self.parent.take_if(|parent| parent.created > 0 && self.children.is_empty());
                ZkAnswer::Done
            }
        };
        let after = self.children.first().map(|child| child.czxid);
        Outcome { answer, changed, moved: (before != after).then_some(why) }
    }

    fn create(&mut self, txn: &Txn, zxid: Zxid, guid: Option<u64>, ephemeral: bool) -> ZkAnswer {
        let (Some(parent), Some(session)) = (&mut self.parent, txn.session) else { return ZkAnswer::NoNode };
        let name = Name { seq: parent.created, guid };
        parent.created += 1;
        self.children.reserve_exact(1);
        self.children.push(Znode { name, czxid: zxid, session, client: txn.client, ephemeral });
        ZkAnswer::Created(Child { name, czxid: zxid })
    }
}
