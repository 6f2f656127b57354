//! A lock that its owner may take more than once: a hash with the owner's mark as the field and a count as its value.
//!
//! The scripts are those of Redisson's `RLock` (`RedissonLock.tryLockInnerAsync`, `unlockInnerAsync`): `HINCRBY` by one and
//! `PEXPIRE` if the key is missing or has the field, `HINCRBY` by minus one and `DEL` at zero. Two things differ. Redisson
//! answers a taken lock with its remaining time, to know how long to wait for a message; here the answer is 0, and the
//! count if it was taken. And a request may carry an id, kept in a second field: the request that was counted last is not
//! counted again. (Redisson has such an id for its unlock alone.)

use std::sync::Arc;

use super::{Entry, RedisNode, WRONG_TYPE, grant};
use crate::vocabulary::{KeyId, NodeId, Nonce, Span};
use crate::world::message::{RedisReply, RedisValue};
use crate::world::observation::Ending;
use crate::world::out::{Ctx, Out};

impl RedisNode {
    #[expect(clippy::too_many_arguments, reason = "the command's own fields, its sender and the handler's two")]
    pub(super) fn reentrant_lock(
        &mut self,
        key: KeyId,
        owner: Nonce,
        ttl: Option<Span>,
        request: Option<u16>,
        from: NodeId,
        ctx: Ctx<'_>,
        out: &mut Out<'_>,
    ) -> RedisReply {
        let count = match self.live(key, ctx, out).map(|entry| entry.value) {
            None => {
                let value = RedisValue::Held { owner: owner.0, count: 1, request: request.unwrap_or_default() };
                let grant = grant::begin(key, RedisValue::Nonce(owner.0), None, (from, ttl, None), ctx, out);
                let deadline = ttl.map(|ttl| self.deadline(ttl, ctx));
                Arc::make_mut(&mut self.store).put(key, Entry { value, deadline, owner: from, grant, lease: ttl });
                if ttl == Some(Span::ZERO) {
                    self.remove(key, Ending::Expired, ctx, out);
                }
                return RedisReply::Int(1);
            }
            Some(RedisValue::Held { owner: standing, .. }) if standing != owner.0 => return RedisReply::Int(0),
            Some(RedisValue::Held { count, request: last, .. }) => {
                let again = request == Some(last);
                let count = if again { count } else { count.saturating_add(1) };
                self.recount(key, owner, count, request.unwrap_or(last));
                count
            }
            Some(_) => return WRONG_TYPE,
        };
        if let Some(ttl) = ttl {
            self.extend(key, ttl, ctx, out);
        }
        RedisReply::Int(i64::from(count))
    }

    /// 1 if the lock is free now, 0 if its owner is still counted, nil if it is not this owner's.
    pub(super) fn reentrant_unlock(
        &mut self,
        key: KeyId,
        owner: Nonce,
        ttl: Option<Span>,
        from: NodeId,
        ctx: Ctx<'_>,
        out: &mut Out<'_>,
    ) -> RedisReply {
        match self.live(key, ctx, out).map(|entry| entry.value) {
            None => RedisReply::Nil,
            Some(RedisValue::Held { owner: standing, .. }) if standing != owner.0 => RedisReply::Nil,
            Some(RedisValue::Held { count: 0 | 1, .. }) => {
                self.delete(key, from, ctx, out);
                RedisReply::Int(1)
            }
            Some(RedisValue::Held { count, request, .. }) => {
                self.recount(key, owner, count - 1, request);
                if let Some(ttl) = ttl {
                    self.extend(key, ttl, ctx, out);
                }
                RedisReply::Int(0)
            }
            Some(_) => WRONG_TYPE,
        }
    }

    fn recount(&mut self, key: KeyId, owner: Nonce, count: u32, request: u16) {
        if let Some(entry) = Arc::make_mut(&mut self.store).entry_mut(key) {
            entry.value = RedisValue::Held { owner: owner.0, count, request };
        }
    }
}
