//! The lines of a program, but for those that deal with the lock.

use super::{Awaiting, Client, LINE_TIMER, ReadValue, WORK_TIMER};
use crate::vocabulary::{ClockChoice, Line, LineIx, NodeId, OpId, ResourceIx, ServiceIx, Written};
use crate::world::message::{Message, Rejection, StorageReply, StorageRequest, Write};
use crate::world::observation::{Closing, Observation};
use crate::world::out::{Ctx, Out};

impl Client {
    pub(super) fn run_line(&mut self, line: Line, ctx: Ctx<'_>, out: &mut Out<'_>) {
        if let Some(service) = self.lost_lock(line, ctx) {
            self.abort(service, ctx, out);
            return;
        }
        match line {
            Line::At(time) => self.sleep_until(time.0 as i64, ctx, out),
            Line::Wait(span) => self.sleep_until(ctx.mono_us + span.0 as i64, ctx, out),
            Line::Acquire(service) => self.run_acquire(service, ctx, out),
            Line::Check(service) => self.check(service, ctx, out),
            Line::Read(resource) => self.send_read(resource, ctx, out),
            Line::Work(span) => {
                self.awaiting = Awaiting::Timer;
                out.work(WORK_TIMER, span);
            }
            Line::Write { resource, value, op, await_reply } => {
                let op = op.unwrap_or_else(|| out.fresh_op());
                self.send_write(resource, value, op, ctx, out);
                if !await_reply {
                    self.next_line(ctx, out);
                }
            }
            Line::Release(service) => self.release(service, ctx, out),
            Line::Repeat(times) => self.repeat(times, ctx, out),
        }
    }

    /// The lock that this line should be protected by, if the client knows that it lost it.
    fn lost_lock(&self, line: Line, ctx: Ctx<'_>) -> Option<ServiceIx> {
        let service = match line {
            Line::Read(resource) | Line::Write { resource, .. } => ctx.setup.resource(resource).lock,
            Line::Check(service) => service,
            Line::Work(_) => ServiceIx(self.locks.iter().position(|lock| lock.lost)? as u8),
            _ => return None,
        };
        self.locks[service.ix()].lost.then_some(service)
    }

    fn sleep_until(&mut self, due_us: i64, ctx: Ctx<'_>, out: &mut Out<'_>) {
        if due_us <= ctx.mono_us {
            self.next_line(ctx, out);
        } else {
            self.awaiting = Awaiting::Timer;
            out.set_timer(LINE_TIMER, ClockChoice::Monotonic, due_us);
        }
    }

    pub(super) fn on_line_timer(&mut self, ctx: Ctx<'_>, out: &mut Out<'_>) {
        match self.spec(ctx).program[self.line.ix()] {
            Line::Acquire(service) => self.attempt(service, ctx, out),
            Line::Read(resource) => self.send_read(resource, ctx, out),
            _ => self.next_line(ctx, out),
        }
    }

    fn repeat(&mut self, times: Option<u32>, ctx: Ctx<'_>, out: &mut Out<'_>) {
        self.rounds += 1;
        if times.is_none_or(|times| self.rounds <= times) {
            self.go_to(LineIx(0), ctx, out);
        } else {
            self.next_line(ctx, out);
        }
    }

    fn send_read(&mut self, resource: ResourceIx, ctx: Ctx<'_>, out: &mut Out<'_>) {
        let target = ctx.setup.resource(resource);
        let lock = &self.locks[target.lock.ix()];
        let request = StorageRequest::Read { resource, token: lock.token, hold: lock.acting };
        let rpc = self.fresh_rpc();
        self.awaiting = Awaiting::Read { rpc, resource };
        out.send(target.node, Message::Storage { rpc, request });
    }

    fn send_write(&mut self, resource: ResourceIx, value: Written, op: OpId, ctx: Ctx<'_>, out: &mut Out<'_>) {
        let target = ctx.setup.resource(resource);
        let lock = &self.locks[target.lock.ix()];
        let read = self.read_value(resource);
        let (value, based) = match value {
            Written::ReadPlusOne => (read.map_or(0, |read| read.value).saturating_add(1), true),
            Written::Literal(value) => (value, true),
            Written::Blind(value) => (value, false),
        };
        let read = read.filter(|_| based);
        let write = Write {
            resource,
            value,
            token: lock.token,
            base: read.map(|read| read.version),
            base_tag: read.map_or(0, |read| read.tag),
            op,
            hold: lock.acting,
        };
        let rpc = self.fresh_rpc();
        out.send(target.node, Message::Storage { rpc, request: StorageRequest::Write(write) });
        self.awaiting = Awaiting::Write { rpc, resource };
    }

    pub(super) fn on_storage_reply(
        &mut self,
        rpc: u32,
        reply: StorageReply,
        _from: NodeId,
        ctx: Ctx<'_>,
        out: &mut Out<'_>,
    ) {
        match reply {
            StorageReply::Value { resource, value, version, tag } => {
                if self.awaiting != (Awaiting::Read { rpc, resource }) {
                    return;
                }
                self.reads.retain(|read| read.resource != resource);
                self.reads.reserve_exact(1);
                self.reads.push(ReadValue { resource, value, version, tag });
                out.note(Observation::ReadDone { resource, value, version });
                self.next_line(ctx, out);
            }
            StorageReply::Applied { resource, version } => {
                out.note(Observation::WriteDone { resource, version });
                if self.awaiting == (Awaiting::Write { rpc, resource }) {
                    self.next_line(ctx, out);
                }
            }
            StorageReply::Rejected { resource, why } => self.on_rejected(rpc, resource, why, ctx, out),
        }
    }

    fn on_rejected(&mut self, rpc: u32, resource: ResourceIx, why: Rejection, ctx: Ctx<'_>, out: &mut Out<'_>) {
        let service = ctx.setup.resource(resource).lock;
        out.note(Observation::WriteRefused { resource, why });
        let careful = self.spec(ctx).drivers[service.ix()].careful;
        if careful && matches!(why, Rejection::StaleToken { .. }) {
            self.close_hold(service, Closing::Notice, out);
        }
        if self.awaiting == (Awaiting::Read { rpc, resource }) {
            self.abort(service, ctx, out);
        } else if self.awaiting == (Awaiting::Write { rpc, resource }) {
            self.next_line(ctx, out);
        }
    }

    /// The connection to a peer is gone: whatever the current line asked there will not be answered.
    pub(super) fn on_connection_lost(&mut self, peer: NodeId, ctx: Ctx<'_>, out: &mut Out<'_>) {
        if self.zookeeper_lost(peer, ctx, out) {
            return;
        }
        self.node_lost(peer, ctx, out);
        let (Awaiting::Read { resource, .. } | Awaiting::Write { resource, .. }) = self.awaiting else { return };
        let asked = ctx.setup.resource(resource);
        if asked.node != peer {
            return;
        }
        out.note(Observation::OutcomeUnknown { peer });
        if let Awaiting::Read { .. } = self.awaiting {
            // Reading again does no harm.
            let retry = self.spec(ctx).drivers[asked.lock.ix()].retry;
            self.awaiting = Awaiting::Timer;
            out.set_timer(LINE_TIMER, ClockChoice::Monotonic, ctx.mono_us + retry.0 as i64);
        } else {
            self.abort(asked.lock, ctx, out);
        }
    }
}
