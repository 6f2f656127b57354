//! A storage server: values with versions, and a guard that is checked in the same instant as the write.
//!
//! - *Fencing*: a token lower than the highest seen is refused, an equal one passes (one hold may write more than once)
//!   unless the option refuses it. With "mark on read" a read raises the highest seen too, which closes the gap between
//!   the new holder's read and its write.
//! - *Compare-and-set* by version or by the random id of the data.
//! - *Operation id*: what was applied is not applied again; the answer is the same.
//!
//! Data is written and synced before the answer.

use std::sync::Arc;

use super::disk::DiskImage;
use super::message::{Message, Rejection, StorageReply, StorageRequest, Write};
use super::observation::Observation;
use super::out::{Ctx, Out};
use super::random::Purpose;
use crate::scenario::Setup;
use crate::vocabulary::{ConnId, Guard, HoldId, NodeId, OpId, ResourceIx, Token};

/// The state of a storage process.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Storage {
    /// One entry for every resource of the scenario; only those that name this node are used.
    stored: Arc<Vec<Stored>>,
}

/// A resource.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Stored {
    /// The value.
    pub value: i64,
    /// How often it was written.
    pub version: u32,
    /// The random id of the data.
    pub tag: u64,
    /// The highest token seen.
    pub highest: Option<Token>,
    /// Who wrote the value.
    pub writer: Option<NodeId>,
    /// The operations applied so far; kept only where the guard needs them.
    applied: Vec<OpId>,
}

impl Storage {
    pub(super) fn new(setup: &Setup) -> Self {
        let blank = |resource: &crate::scenario::Resource| Stored {
            value: resource.config.initial,
            version: 0,
            tag: 0,
            highest: None,
            writer: None,
            applied: Vec::new(),
        };
        Self { stored: Arc::new(setup.resources.iter().map(blank).collect()) }
    }

    /// A resource's state.
    pub fn resource(&self, resource: ResourceIx) -> &Stored {
        &self.stored[resource.ix()]
    }

    pub(super) fn on_restart(&mut self, image: &DiskImage, out: &mut Out<'_>) {
        if let DiskImage::Storage(stored) = image {
            self.stored = Arc::clone(stored);
        }
        out.note(Observation::Recovered { keys: self.stored.len() as u32 });
    }

    pub(super) fn on_message(
        &mut self,
        from: NodeId,
        conn: ConnId,
        message: &Message,
        ctx: Ctx<'_>,
        out: &mut Out<'_>,
    ) {
        let Message::Storage { rpc, request } = *message else { return };
        let reply = match request {
            StorageRequest::Read { resource, token, hold } => self.read(resource, token, hold, from, ctx, out),
            StorageRequest::Write(write) => self.write(write, from, ctx, out),
        };
        out.reply(conn, Message::StorageReply { rpc, reply });
    }

    fn read(
        &mut self,
        resource: ResourceIx,
        token: Option<Token>,
        hold: Option<HoldId>,
        client: NodeId,
        ctx: Ctx<'_>,
        out: &mut Out<'_>,
    ) -> StorageReply {
        if let Guard::Fencing { mark_on_read: true, .. } = ctx.setup.resource(resource).config.guard {
            // A read never writes: an equal token is always welcome here.
            if let Err(why) = self.fence(resource, token, false) {
                out.note(Observation::Rejected { resource, client, hold, why, write: false });
                return StorageReply::Rejected { resource, why };
            }
            self.save(out);
        }
        let Stored { value, version, tag, .. } = *self.resource(resource);
        out.note(Observation::Contact { resource, client, hold, version });
        StorageReply::Value { resource, value, version, tag }
    }

    fn write(&mut self, write: Write, client: NodeId, ctx: Ctx<'_>, out: &mut Out<'_>) -> StorageReply {
        let Write { resource, value, token, base, op, hold, .. } = write;
        let guard = ctx.setup.resource(resource).config.guard;
        if let Err(why) = self.admit(guard, &write) {
            out.note(Observation::Rejected { resource, client, hold, why, write: true });
            return StorageReply::Rejected { resource, why };
        }
        let stored = self.resource_mut(resource);
        let replaced = stored.version;
        stored.value = value;
        stored.version += 1;
        stored.writer = Some(client);
        let version = stored.version;
        if guard == Guard::OperationId {
            stored.applied.push(op);
        }
        if guard == Guard::RandomId {
            stored.tag = ctx.word(Purpose::DataId, u32::from(resource.0) << 24 | version);
        }
        out.note(Observation::Applied { resource, client, hold, op, token, base, replaced, value });
        self.save(out);
        StorageReply::Applied { resource, version }
    }

    /// Whether the guard lets a write through.
    fn admit(&mut self, guard: Guard, write: &Write) -> Result<(), Rejection> {
        let current = self.resource(write.resource);
        match guard {
            Guard::Fencing { reject_equal, .. } => self.fence(write.resource, write.token, reject_equal),
            Guard::Version if write.base == Some(current.version) => Ok(()),
            Guard::RandomId if write.base.is_some() && write.base_tag == current.tag => Ok(()),
            Guard::Version | Guard::RandomId => {
                Err(Rejection::VersionChanged { base: write.base, current: current.version })
            }
            Guard::OperationId if current.applied.contains(&write.op) => Err(Rejection::Duplicate { op: write.op }),
            Guard::None | Guard::OperationId => Ok(()),
        }
    }

    /// Checks a token and remembers the highest.
    fn fence(&mut self, resource: ResourceIx, token: Option<Token>, reject_equal: bool) -> Result<(), Rejection> {
        let stored = self.resource_mut(resource);
        if let Some(highest) = stored.highest {
            let good = token.is_some_and(|token| token > highest || token == highest && !reject_equal);
            if !good {
                return Err(Rejection::StaleToken { token, highest });
            }
        }
        stored.highest = stored.highest.max(token);
        Ok(())
    }

    fn resource_mut(&mut self, resource: ResourceIx) -> &mut Stored {
        &mut Arc::make_mut(&mut self.stored)[resource.ix()]
    }

    fn save(&self, out: &mut Out<'_>) {
        out.write(DiskImage::Storage(Arc::clone(&self.stored)));
        out.fsync();
    }
}
