//! A Redis node: one thread, one command after the other, keys that expire by the clock.
//!
//! - A TTL is turned into an absolute deadline in wall-clock milliseconds when the command runs, and is stored,
//!   written to the append-only file and replayed as such (Redis source: `SET … PXAT` propagation).
//! - The clock is read once per command, and stands still inside a script.
//! - *Lazy expiry*: a command that touches a key finds it absent if `now > deadline` (`keyIsExpired`).
//! - *Active expiry*: a cycle removes keys with `now ≥ deadline`. The real cycle runs ten times a second and looks at
//!   samples; this one runs at the deadline itself. Between the deadline and the next real cycle a key is already absent
//!   for every command, but for the one millisecond in which `now = deadline`.
//! - One node of several masters (Redlock) knows nothing of the others: it notes a vote where a node alone would note a
//!   grant. Counting is for those who see more (`quorum`).
//! - Real Redis uses the wall clock (`gettimeofday`), so a jump forward expires keys at once and a jump back lets them
//!   live longer. The monotonic clock is an option that real Redis does not have: the control.
//! - A service can have replicas: see `replication`.
//! - Persistence: nothing, or an append-only file synced every second or before each reply. What was written survives
//!   the end of the process under every policy (page cache); what was not synced does not survive a power loss.
//! - *Every second* means: when the wall clock shows a later second than at the last sync (`server.unixtime >
//!   server.aof_last_fsync`). The first write of a second is synced right after its reply; a clock that was set back keeps
//!   everything unsynced until it shows a new second.

mod bench;
mod grant;
mod reentrant;
mod replication;
mod store;
#[cfg(test)]
mod tests;

use std::sync::Arc;

pub use bench::RedisBench;
pub use store::{Entry, RedisStore};

use super::disk::DiskImage;
use super::message::{Message, RedisCommand, RedisError, RedisReply, RedisValue, SetExpire, SetWhen};
use super::observation::{Ending, Observation};
use super::out::{Ctx, Out};
use crate::vocabulary::{ClockChoice, ConnId, KeyId, NodeId, Persistence, RedisConfig, ServiceIx, Span, Token};
use replication::first_leader;
use replication::{CRON, Copying, OUTBOX, WAITS};
use store::whole_ms;

const EXPIRE_CYCLE: u32 = 0;
const FSYNC: u32 = 1;
const SECOND_US: i64 = 1_000_000;
const WRONG_TYPE: RedisReply = RedisReply::Error(RedisError::WrongType);

/// The state of a Redis process.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct RedisNode {
    config: RedisConfig,
    service: ServiceIx,
    store: Arc<RedisStore>,
    /// Whether something was written since the last sync.
    dirty: bool,
    /// What the wall clock showed at the last sync or start, in whole seconds.
    synced_s: i64,
    /// Only if its service has replicas.
    copying: Option<Box<Copying>>,
}

impl RedisNode {
    pub(super) fn new(service: ServiceIx, config: RedisConfig) -> Self {
        Self { config, service, store: Arc::default(), dirty: false, synced_s: 0, copying: None }
    }

    /// The entry of a key; it may be past its deadline and not yet removed.
    pub fn entry(&self, key: KeyId) -> Option<&Entry> {
        self.store.entry(key)
    }

    /// Everything the node keeps.
    pub fn store(&self) -> &RedisStore {
        &self.store
    }

    /// How this node is set up.
    pub const fn config(&self) -> &RedisConfig {
        &self.config
    }

    /// The last token that the counter gave.
    pub fn token(&self, service: ServiceIx) -> u64 {
        match self.entry(KeyId::counter(service)).map(|entry| entry.value) {
            Some(RedisValue::Int(n)) => n as u64,
            _ => 0,
        }
    }

    pub(super) fn on_start(&mut self, ctx: Ctx<'_>, out: &mut Out<'_>) {
        self.synced_s = whole_s(ctx.wall_us);
        self.begin_role(ctx, out);
        if self.config.counter_start > 0 {
            let counter = Self::counter_entry(self.config.counter_start as i64, ctx.me);
            Arc::make_mut(&mut self.store).put(KeyId::counter(self.service), counter);
            if self.config.persistence != Persistence::None {
                out.write(DiskImage::Redis(Arc::clone(&self.store)));
                out.fsync();
            }
        }
    }

    pub(super) fn on_restart(&mut self, image: &DiskImage, ctx: Ctx<'_>, out: &mut Out<'_>) {
        let mut leader = first_leader(ctx);
        if let DiskImage::Redis(store) = image {
            self.store = Arc::clone(store);
            leader = store.leader;
        }
        self.synced_s = whole_s(ctx.wall_us);
        out.note(Observation::Recovered { keys: self.store.keys.len() as u32 });
        self.resume_role(leader, ctx, out);
        self.plan_expiry(ctx, out);
    }

    pub(super) fn on_message(
        &mut self,
        from: NodeId,
        conn: ConnId,
        message: &Message,
        ctx: Ctx<'_>,
        out: &mut Out<'_>,
    ) {
        let (rpc, command) = match *message {
            Message::Redis { rpc, command } => (rpc, command),
            Message::Replication(said) => return self.on_replication(from, conn, said, ctx, out),
            Message::Sentinel(said) => return self.on_sentinel(conn, said, ctx, out),
            _ => return,
        };
        if let Some(error) = self.refuses(command, ctx) {
            out.reply(conn, Message::RedisReply { rpc, reply: RedisReply::Error(error) });
            return;
        }
        if let RedisCommand::Wait { replicas, timeout } = command {
            return self.wait((conn, rpc), (replicas, timeout), ctx, out);
        }
        let before = Arc::clone(&self.store);
        let reply = self.execute(command, from, ctx, out);
        let changed = !Arc::ptr_eq(&before, &self.store);
        if changed {
            self.persist(out);
            self.plan_expiry(ctx, out);
        }
        out.reply(conn, Message::RedisReply { rpc, reply });
        if changed {
            self.propagate(&before, ctx, out);
        }
    }

    pub(super) fn on_timer(&mut self, timer: u32, ctx: Ctx<'_>, out: &mut Out<'_>) {
        match timer {
            EXPIRE_CYCLE => self.expire_cycle(ctx, out),
            OUTBOX => self.flush(ctx, out),
            WAITS => self.answer_waits(ctx, out),
            CRON => self.cron(ctx, out),
            FSYNC => {
                self.dirty = false;
                self.synced_s = whole_s(ctx.wall_us);
                out.fsync();
            }
            _ => {}
        }
    }

    const fn now_us(&self, ctx: Ctx<'_>) -> i64 {
        ctx.clock_us(self.config.expiry_clock)
    }

    const fn counter_entry(value: i64, owner: NodeId) -> Entry {
        Entry { value: RedisValue::Int(value), deadline: None, owner, grant: None, lease: None }
    }

    /// One command, atomically, at one reading of the clock.
    fn execute(&mut self, command: RedisCommand, from: NodeId, ctx: Ctx<'_>, out: &mut Out<'_>) -> RedisReply {
        match command {
            RedisCommand::Set { key, value, when, expire } => self.set(key, value, when, expire, from, ctx, out),
            RedisCommand::SetNx { key, value } => {
                match self.set(key, value, SetWhen::Missing, SetExpire::Never, from, ctx, out) {
                    RedisReply::Ok => RedisReply::Int(1),
                    _ => RedisReply::Int(0),
                }
            }
            RedisCommand::Get { key } => match self.live(key, ctx, out).map(|entry| entry.value) {
                None => RedisReply::Nil,
                Some(RedisValue::Held { .. }) => WRONG_TYPE,
                Some(value) => RedisReply::Value(value),
            },
            RedisCommand::Del { key } => RedisReply::Int(i64::from(self.delete(key, from, ctx, out))),
            RedisCommand::PExpire { key, ttl } => RedisReply::Int(i64::from(self.extend(key, ttl, ctx, out))),
            RedisCommand::PTtl { key } => RedisReply::Int(self.pttl(key, ctx, out)),
            RedisCommand::Incr { key } => self.incr(key, from, ctx, out),
            RedisCommand::CompareDelete { key, value } => match self.live(key, ctx, out) {
                Some(Entry { value: RedisValue::Held { .. }, .. }) => WRONG_TYPE,
                Some(entry) if entry.value == value => RedisReply::Int(i64::from(self.delete(key, from, ctx, out))),
                _ => RedisReply::Int(0),
            },
            RedisCommand::CompareExtend { key, value, ttl } => match self.live(key, ctx, out) {
                Some(Entry { value: RedisValue::Held { .. }, .. }) => WRONG_TYPE,
                Some(entry) if entry.value == value => RedisReply::Int(i64::from(self.extend(key, ttl, ctx, out))),
                _ => RedisReply::Int(0),
            },
            RedisCommand::ExtendOrSet { key, value, ttl } => match self.live(key, ctx, out) {
                Some(Entry { value: RedisValue::Held { .. }, .. }) => WRONG_TYPE,
                Some(entry) if entry.value == value => RedisReply::Int(i64::from(self.extend(key, ttl, ctx, out))),
                _ => match self.set(key, value, SetWhen::Missing, SetExpire::After(ttl), from, ctx, out) {
                    RedisReply::Ok => RedisReply::Int(1),
                    RedisReply::Nil => RedisReply::Int(0),
                    error => error,
                },
            },
            RedisCommand::LockScript { key, value, ttl, counter } => {
                self.lock_script(key, value, ttl, counter, from, ctx, out)
            }
            RedisCommand::ReentrantLock { key, owner, ttl, request } => {
                self.reentrant_lock(key, owner, ttl, request, from, ctx, out)
            }
            RedisCommand::ReentrantUnlock { key, owner, ttl } => self.reentrant_unlock(key, owner, ttl, from, ctx, out),
            // Answered before, by whoever counts copies.
            RedisCommand::Wait { .. } => RedisReply::Int(0),
        }
    }

    /// The key as every command sees it: gone if its deadline has passed. Deletes it then (lazy expiry).
    fn live(&mut self, key: KeyId, ctx: Ctx<'_>, out: &mut Out<'_>) -> Option<Entry> {
        let entry = *self.store.entry(key)?;
        if entry.expired(self.now_us(ctx)) {
            if self.is_replica() {
                return None;
            }
            self.remove(key, Ending::Expired, ctx, out);
            return None;
        }
        Some(entry)
    }

    #[expect(clippy::too_many_arguments, reason = "the command's own fields, its sender and the handler's two")]
    fn set(
        &mut self,
        key: KeyId,
        value: RedisValue,
        when: SetWhen,
        expire: SetExpire,
        from: NodeId,
        ctx: Ctx<'_>,
        out: &mut Out<'_>,
    ) -> RedisReply {
        if expire == SetExpire::After(Span::ZERO) {
            return RedisReply::Error(RedisError::InvalidExpire);
        }
        let old = self.live(key, ctx, out);
        match when {
            SetWhen::Missing if old.is_some() => return RedisReply::Nil,
            SetWhen::Exists if old.is_none() => return RedisReply::Nil,
            _ => {}
        }
        let (deadline, lease) = match expire {
            SetExpire::Never => (None, None),
            SetExpire::After(ttl) => (Some(self.deadline(ttl, ctx)), Some(ttl)),
            SetExpire::Keep => old.map_or((None, None), |old| (old.deadline, old.lease)),
        };
        let grant = grant::begin(key, value, old, (from, lease, None), ctx, out);
        Arc::make_mut(&mut self.store).put(key, Entry { value, deadline, owner: from, grant, lease });
        RedisReply::Ok
    }

    fn deadline(&self, ttl: Span, ctx: Ctx<'_>) -> i64 {
        whole_ms(self.now_us(ctx)) + whole_ms(ttl.0 as i64)
    }

    #[expect(clippy::too_many_arguments, reason = "the command's own fields, its sender and the handler's two")]
    fn lock_script(
        &mut self,
        key: KeyId,
        value: RedisValue,
        ttl: Option<Span>,
        counter: KeyId,
        from: NodeId,
        ctx: Ctx<'_>,
        out: &mut Out<'_>,
    ) -> RedisReply {
        if ttl == Some(Span::ZERO) {
            return RedisReply::Error(RedisError::InvalidExpire);
        }
        if self.live(key, ctx, out).is_some() {
            return RedisReply::Nil;
        }
        let deadline = ttl.map(|ttl| self.deadline(ttl, ctx));
        Arc::make_mut(&mut self.store).put(key, Entry { value, deadline, owner: from, grant: None, lease: ttl });
        // If counting fails the key stays: a script is not rolled back.
        let reply = self.count(counter, from, ctx, out);
        let token = if let RedisReply::Int(token) = reply { Some(Token(token as u64)) } else { None };
        let grant = grant::begin(key, value, None, (from, ttl, token), ctx, out);
        if let Some(entry) = Arc::make_mut(&mut self.store).entry_mut(key) {
            entry.grant = grant;
        }
        reply
    }

    fn incr(&mut self, key: KeyId, from: NodeId, ctx: Ctx<'_>, out: &mut Out<'_>) -> RedisReply {
        let reply = self.count(key, from, ctx, out);
        if let (RedisReply::Int(n), (service, false)) = (reply, key.service()) {
            out.note(Observation::TokenGiven { service, client: from, token: Token(n as u64) });
        }
        reply
    }

    fn count(&mut self, key: KeyId, from: NodeId, ctx: Ctx<'_>, out: &mut Out<'_>) -> RedisReply {
        let old = self.live(key, ctx, out);
        let next = match old.map(|entry| entry.value) {
            None => Some(1),
            Some(RedisValue::Int(n)) => n.checked_add(1),
            Some(RedisValue::Nonce(_)) => None,
            Some(RedisValue::Held { .. }) => return WRONG_TYPE,
        };
        let Some(next) = next else { return RedisReply::Error(RedisError::NotAnInteger) };
        let mut entry = Self::counter_entry(next, from);
        entry.deadline = old.and_then(|old| old.deadline);
        Arc::make_mut(&mut self.store).put(key, entry);
        RedisReply::Int(next)
    }

    fn delete(&mut self, key: KeyId, from: NodeId, ctx: Ctx<'_>, out: &mut Out<'_>) -> bool {
        let Some(entry) = self.live(key, ctx, out) else { return false };
        let why = if entry.owner == from { Ending::Released } else { Ending::RemovedByOther };
        self.remove(key, why, ctx, out);
        true
    }

    /// `PEXPIRE`: a time that is not positive deletes the key.
    fn extend(&mut self, key: KeyId, ttl: Span, ctx: Ctx<'_>, out: &mut Out<'_>) -> bool {
        if self.live(key, ctx, out).is_none() {
            return false;
        }
        if ttl == Span::ZERO {
            self.remove(key, Ending::Expired, ctx, out);
            return true;
        }
        let deadline = self.deadline(ttl, ctx);
        if let Some(entry) = Arc::make_mut(&mut self.store).entry_mut(key) {
            entry.deadline = Some(deadline);
            entry.lease = Some(ttl);
            if let Some(grant) = entry.grant {
                out.note(grant::extended(key.service().0, grant, entry.owner, ttl, ctx.setup));
            }
        }
        true
    }

    fn pttl(&mut self, key: KeyId, ctx: Ctx<'_>, out: &mut Out<'_>) -> i64 {
        match self.live(key, ctx, out) {
            None => -2,
            Some(Entry { deadline: None, .. }) => -1,
            Some(Entry { deadline: Some(at), .. }) => (at - whole_ms(self.now_us(ctx))).max(0) / 1000,
        }
    }

    fn remove(&mut self, key: KeyId, why: Ending, ctx: Ctx<'_>, out: &mut Out<'_>) {
        let gone = Arc::make_mut(&mut self.store).take(key);
        if let Some(what) = gone.and_then(|entry| grant::ended(key.service().0, &entry, why, ctx.setup)) {
            out.note(what);
        }
    }

    fn expire_cycle(&mut self, ctx: Ctx<'_>, out: &mut Out<'_>) {
        let now = whole_ms(self.now_us(ctx));
        let due = |entry: &Entry| entry.deadline.is_some_and(|deadline| now >= deadline);
        let keys: Vec<KeyId> = self.store.iter().filter(|(_, entry)| due(entry)).map(|(key, _)| *key).collect();
        let before = Arc::clone(&self.store);
        for key in &keys {
            self.remove(*key, Ending::Expired, ctx, out);
        }
        if !keys.is_empty() {
            self.persist(out);
            self.propagate(&before, ctx, out);
        }
        self.plan_expiry(ctx, out);
    }

    fn plan_expiry(&self, _ctx: Ctx<'_>, out: &mut Out<'_>) {
        // Only a primary deletes what has expired.
        if self.is_replica() {
            return;
        }
        match self.store.iter().filter_map(|(_, entry)| entry.deadline).min() {
            Some(deadline) => out.set_timer(EXPIRE_CYCLE, self.config.expiry_clock, deadline),
            None => out.cancel_timer(EXPIRE_CYCLE),
        }
    }

    fn persist(&mut self, out: &mut Out<'_>) {
        match self.config.persistence {
            Persistence::None => {}
            Persistence::EverySecond => {
                out.write(DiskImage::Redis(Arc::clone(&self.store)));
                if !self.dirty {
                    self.dirty = true;
                    out.set_timer(FSYNC, ClockChoice::Wall, (self.synced_s + 1) * SECOND_US);
                }
            }
            Persistence::Always => {
                out.write(DiskImage::Redis(Arc::clone(&self.store)));
                out.fsync();
            }
        }
    }
}

const fn whole_s(us: i64) -> i64 {
    us.div_euclid(SECOND_US)
}
