//! The model's commands and replies in the words of a real client and a real server.

use lockstep::vocabulary::{KeyId, Span};
use lockstep::world::{RedisCommand, RedisError, RedisReply, RedisValue, SetExpire, SetWhen};

use crate::resp::Reply;

/// Release only if mine: the script of the `SET` page of Redis's documentation.
const COMPARE_DELETE: &str =
    "if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) else return 0 end";
/// Extend only if mine.
const COMPARE_EXTEND: &str =
    "if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('PEXPIRE', KEYS[1], ARGV[2]) else return 0 end";
/// Extend if mine, take if free: what clients offer as an option of their extension.
const EXTEND_OR_SET: &str = "if redis.call('GET', KEYS[1]) == ARGV[1] then \
     return redis.call('PEXPIRE', KEYS[1], ARGV[2]) \
     elseif redis.call('SET', KEYS[1], ARGV[1], 'NX', 'PX', ARGV[2]) then return 1 else return 0 end";
/// Take, and count the grants.
const LOCK: &str = "if redis.call('SET', KEYS[1], ARGV[1], 'NX', 'PX', ARGV[2]) then \
     return redis.call('INCR', KEYS[2]) else return nil end";
/// The same without a lease.
const LOCK_FOR_GOOD: &str =
    "if redis.call('SET', KEYS[1], ARGV[1], 'NX') then return redis.call('INCR', KEYS[2]) else return nil end";

/// Take a re-entrant lock, or count its owner once more: Redisson's script, with an id for the request.
const REENTRANT_LOCK: &str = "if redis.call('EXISTS', KEYS[1]) == 0 or redis.call('HEXISTS', KEYS[1], ARGV[1]) == 1 then \
     local count \
     if ARGV[3] ~= '' and redis.call('HGET', KEYS[1], 'request') == ARGV[3] \
     then count = tonumber(redis.call('HGET', KEYS[1], ARGV[1])) \
     else count = redis.call('HINCRBY', KEYS[1], ARGV[1], 1) \
     if ARGV[3] ~= '' then redis.call('HSET', KEYS[1], 'request', ARGV[3]) end end \
     if ARGV[2] ~= '' then redis.call('PEXPIRE', KEYS[1], ARGV[2]) end \
     return count else return 0 end";
/// Count its owner down, free it at zero.
const REENTRANT_UNLOCK: &str = "if redis.call('HEXISTS', KEYS[1], ARGV[1]) == 0 then return nil end \
     if redis.call('HINCRBY', KEYS[1], ARGV[1], -1) > 0 \
     then if ARGV[2] ~= '' then redis.call('PEXPIRE', KEYS[1], ARGV[2]) end return 0 \
     else redis.call('DEL', KEYS[1]) return 1 end";

/// The command as a client sends it. `in_seconds`: `EXPIRE` instead of `PEXPIRE`.
pub(crate) fn request(command: RedisCommand, in_seconds: bool) -> Vec<String> {
    match command {
        RedisCommand::Set { key, value, when, expire } => set(key, value, when, expire),
        RedisCommand::SetNx { key, value } => words(&["SETNX", &name(key), &text(value)]),
        RedisCommand::Get { key } => words(&["GET", &name(key)]),
        RedisCommand::Del { key } => words(&["DEL", &name(key)]),
        RedisCommand::PExpire { key, ttl } if in_seconds => {
            words(&["EXPIRE", &name(key), &(ttl.ms() / 1000).to_string()])
        }
        RedisCommand::PExpire { key, ttl } => words(&["PEXPIRE", &name(key), &ms(ttl)]),
        RedisCommand::PTtl { key } => words(&["PTTL", &name(key)]),
        RedisCommand::Incr { key } => words(&["INCR", &name(key)]),
        RedisCommand::Wait { replicas, timeout } => words(&["WAIT", &replicas.to_string(), &ms(timeout)]),
        RedisCommand::CompareDelete { key, value } => words(&["EVAL", COMPARE_DELETE, "1", &name(key), &text(value)]),
        RedisCommand::CompareExtend { key, value, ttl } => {
            words(&["EVAL", COMPARE_EXTEND, "1", &name(key), &text(value), &ms(ttl)])
        }
        RedisCommand::ExtendOrSet { key, value, ttl } => {
            words(&["EVAL", EXTEND_OR_SET, "1", &name(key), &text(value), &ms(ttl)])
        }
        RedisCommand::LockScript { key, value, ttl: Some(ttl), counter } => {
            words(&["EVAL", LOCK, "2", &name(key), &name(counter), &text(value), &ms(ttl)])
        }
        RedisCommand::LockScript { key, value, ttl: None, counter } => {
            words(&["EVAL", LOCK_FOR_GOOD, "2", &name(key), &name(counter), &text(value)])
        }
        RedisCommand::ReentrantLock { key, owner, ttl, request } => {
            let id = request.map_or_else(String::new, |request| request.to_string());
            words(&["EVAL", REENTRANT_LOCK, "1", &name(key), &text(RedisValue::Nonce(owner.0)), &lease(ttl), &id])
        }
        RedisCommand::ReentrantUnlock { key, owner, ttl } => {
            words(&["EVAL", REENTRANT_UNLOCK, "1", &name(key), &text(RedisValue::Nonce(owner.0)), &lease(ttl)])
        }
    }
}

fn set(key: KeyId, value: RedisValue, when: SetWhen, expire: SetExpire) -> Vec<String> {
    let mut request = words(&["SET", &name(key), &text(value)]);
    match when {
        SetWhen::Always => {}
        SetWhen::Missing => request.push("NX".to_owned()),
        SetWhen::Exists => request.push("XX".to_owned()),
    }
    match expire {
        SetExpire::Never => {}
        SetExpire::After(ttl) => request.extend(["PX".to_owned(), ms(ttl)]),
        SetExpire::Keep => request.push("KEEPTTL".to_owned()),
    }
    request
}

fn words(words: &[&str]) -> Vec<String> {
    words.iter().map(|word| (*word).to_owned()).collect()
}

fn name(key: KeyId) -> String {
    format!("key{key}")
}

fn ms(span: Span) -> String {
    span.ms().to_string()
}

fn lease(ttl: Option<Span>) -> String {
    ttl.map_or_else(String::new, ms)
}

fn text(value: RedisValue) -> String {
    match value {
        RedisValue::Nonce(nonce) => format!("nonce-{nonce:x}"),
        RedisValue::Int(number) => number.to_string(),
        RedisValue::Held { .. } => unreachable!("a hash is neither sent nor answered"),
    }
}

/// Whether the server's answer is the model's. Errors are known by how they begin; the model has one error for both ways
/// in which `INCR` can fail.
pub(crate) fn agree(model: RedisReply, server: &Reply) -> bool {
    match (model, server) {
        (RedisReply::Ok, Reply::Simple(word)) => word == "OK",
        (RedisReply::Nil, Reply::Nil) => true,
        (RedisReply::Int(expected), Reply::Int(number)) => expected == *number,
        (RedisReply::Value(value), Reply::Bulk(said)) => text(value) == *said,
        (RedisReply::Error(RedisError::InvalidExpire), Reply::Error(said)) => {
            said.starts_with("ERR invalid expire time")
        }
        (RedisReply::Error(RedisError::WrongType), Reply::Error(said)) => said.starts_with("WRONGTYPE"),
        (RedisReply::Error(RedisError::NotAnInteger), Reply::Error(said)) => {
            said.starts_with("ERR value is not an integer or out of range")
                || said.starts_with("ERR increment or decrement would overflow")
        }
        _ => false,
    }
}

/// The request as a person reads it: scripts by name.
pub(crate) fn shown(request: &[String]) -> String {
    request.iter().map(|word| script_name(word).unwrap_or(word)).collect::<Vec<_>>().join(" ")
}

fn script_name(word: &str) -> Option<&'static str> {
    match word {
        COMPARE_DELETE => Some("compare-and-delete"),
        COMPARE_EXTEND => Some("compare-and-extend"),
        EXTEND_OR_SET => Some("extend-or-set"),
        LOCK => Some("lock"),
        LOCK_FOR_GOOD => Some("lock-for-good"),
        REENTRANT_LOCK => Some("reentrant-lock"),
        REENTRANT_UNLOCK => Some("reentrant-unlock"),
        _ => None,
    }
}

/// The key that a command asks about first, if it asks about one.
pub(crate) const fn key(command: RedisCommand) -> Option<KeyId> {
    match command {
        RedisCommand::Set { key, .. }
        | RedisCommand::SetNx { key, .. }
        | RedisCommand::Get { key }
        | RedisCommand::Del { key }
        | RedisCommand::PExpire { key, .. }
        | RedisCommand::PTtl { key }
        | RedisCommand::Incr { key }
        | RedisCommand::CompareDelete { key, .. }
        | RedisCommand::CompareExtend { key, .. }
        | RedisCommand::LockScript { key, .. }
        | RedisCommand::ReentrantLock { key, .. }
        | RedisCommand::ReentrantUnlock { key, .. }
        | RedisCommand::ExtendOrSet { key, .. } => Some(key),
        RedisCommand::Wait { .. } => None,
    }
}
