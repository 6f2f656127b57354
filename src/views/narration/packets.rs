//! What a packet says, as its label on the link. Labels are the protocols' own words, the same in every language.

use super::ensembles::{log_label, zookeeper_label};
use super::phrase::push_number;
use crate::scenario::Setup;
use crate::vocabulary::{KeyId, Span, Token};
use crate::world::{
    Message, RedisCommand, RedisError, RedisReply, RedisValue, Rejection, Replication, SentinelMessage, SetExpire,
    SetWhen, StorageReply, StorageRequest, Write,
};

/// What a packet says: `SET lock 8f3c NX PX 10000`, `write 34`.
pub fn packet_label(setup: &Setup, message: &Message) -> String {
    let mut label = Label { setup, out: String::new() };
    match message {
        Message::Redis { command, .. } => label.command(*command),
        Message::RedisReply { reply, .. } => label.redis_reply(*reply),
        Message::Replication(said) => label.replication(said),
        Message::Sentinel(said) => label.sentinel(*said),
        Message::Log(said) => return log_label(setup, said),
        Message::ZooKeeper(said) => return zookeeper_label(said),
        Message::Storage { request, .. } => label.request(*request),
        Message::StorageReply { reply, .. } => label.storage_reply(*reply),
    }
    label.out
}

/// The mark of one attempt to take a lock, short enough for a label: its last four hexadecimal digits.
pub fn nonce_label(nonce: u64) -> String {
    let digit = |shift: u32| char::from_digit((nonce >> shift & 0xf) as u32, 16).unwrap_or('?');
    [12, 8, 4, 0].map(digit).into_iter().collect()
}

/// A key of a Redis node: the service's name, and `:token` for its counter.
pub fn key_label(setup: &Setup, key: KeyId) -> String {
    let (service, is_lock) = key.service();
    let mut name = setup.services.get(service.ix()).map_or_else(|| "?".to_owned(), |service| service.name.clone());
    if !is_lock {
        name.push_str(":token");
    }
    name
}

struct Label<'a> {
    setup: &'a Setup,
    out: String,
}

impl Label<'_> {
    fn word(&mut self, word: &str) {
        if !self.out.is_empty() {
            self.out.push(' ');
        }
        self.out.push_str(word);
    }

    fn number(&mut self, n: i64) {
        if !self.out.is_empty() {
            self.out.push(' ');
        }
        push_number(&mut self.out, n, None);
    }

    fn key(&mut self, verb: &str, key: KeyId) {
        self.word(verb);
        self.word(&key_label(self.setup, key));
    }

    fn value(&mut self, value: RedisValue) {
        match value {
            RedisValue::Nonce(nonce) => self.word(&nonce_label(nonce)),
            RedisValue::Int(n) => self.number(n),
            RedisValue::Held { owner, count, .. } => {
                self.word(&nonce_label(owner));
                self.number(i64::from(count));
            }
        }
    }

    fn ms(&mut self, span: Span) {
        self.number(span.ms() as i64);
    }

    fn command(&mut self, command: RedisCommand) {
        match command {
            RedisCommand::Set { key, value, when, expire } => self.set(key, value, when, expire),
            RedisCommand::SetNx { key, value } => {
                self.key("SETNX", key);
                self.value(value);
            }
            RedisCommand::Get { key } => self.key("GET", key),
            RedisCommand::Del { key } => self.key("DEL", key),
            RedisCommand::PExpire { key, ttl } => {
                self.key("PEXPIRE", key);
                self.ms(ttl);
            }
            RedisCommand::PTtl { key } => self.key("PTTL", key),
            RedisCommand::Incr { key } => self.key("INCR", key),
            RedisCommand::CompareDelete { key, value } => {
                self.key("DEL", key);
                self.word("if");
                self.value(value);
            }
            RedisCommand::CompareExtend { key, value, ttl } => {
                self.key("PEXPIRE", key);
                self.ms(ttl);
                self.word("if");
                self.value(value);
            }
            RedisCommand::LockScript { key, value, ttl, .. } => {
                self.set(key, value, SetWhen::Missing, ttl.map_or(SetExpire::Never, SetExpire::After));
                self.word("+ INCR");
            }
            RedisCommand::ExtendOrSet { key, value, ttl } => {
                self.key("PEXPIRE", key);
                self.ms(ttl);
                self.word("if");
                self.value(value);
                self.word("else SET");
            }
            RedisCommand::ReentrantLock { key, owner, ttl, request } => {
                self.key("HINCRBY", key);
                self.word(&nonce_label(owner.0));
                self.word("+1");
                if let Some(ttl) = ttl {
                    self.word("PX");
                    self.ms(ttl);
                }
                if let Some(request) = request {
                    self.word("id");
                    self.number(i64::from(request));
                }
            }
            RedisCommand::ReentrantUnlock { key, owner, .. } => {
                self.key("HINCRBY", key);
                self.word(&nonce_label(owner.0));
                self.word("−1");
            }
            RedisCommand::Wait { replicas, timeout } => {
                self.word("WAIT");
                self.number(i64::from(replicas));
                self.ms(timeout);
            }
        }
    }

    fn set(&mut self, key: KeyId, value: RedisValue, when: SetWhen, expire: SetExpire) {
        self.key("SET", key);
        self.value(value);
        match when {
            SetWhen::Always => {}
            SetWhen::Missing => self.word("NX"),
            SetWhen::Exists => self.word("XX"),
        }
        match expire {
            SetExpire::Never => {}
            SetExpire::After(ttl) => {
                self.word("PX");
                self.ms(ttl);
            }
            SetExpire::Keep => self.word("KEEPTTL"),
        }
    }

    fn redis_reply(&mut self, reply: RedisReply) {
        match reply {
            RedisReply::Ok => self.word("OK"),
            RedisReply::Nil => self.word("nil"),
            RedisReply::Int(n) => self.number(n),
            RedisReply::Value(value) => self.value(value),
            RedisReply::Error(RedisError::InvalidExpire) => self.word("ERR invalid expire time"),
            RedisReply::Error(RedisError::WrongType) => self.word("WRONGTYPE"),
            RedisReply::Error(RedisError::NotAnInteger) => self.word("ERR value is not an integer or out of range"),
            RedisReply::Error(RedisError::ReadOnly) => self.word("READONLY"),
            RedisReply::Error(RedisError::NoReplicas) => self.word("NOREPLICAS"),
            RedisReply::Error(RedisError::WaitOnReplica) => {
                self.word("ERR WAIT cannot be used with replica instances");
            }
        }
    }

    fn replication(&mut self, said: &Replication) {
        match said {
            Replication::Change { key, entry: None, .. } => self.key("DEL", *key),
            Replication::Change { key, entry: Some(entry), .. } => {
                self.key("SET", *key);
                self.value(entry.value);
                if let Some(deadline) = entry.deadline {
                    self.word("PXAT");
                    self.number(deadline.div_euclid(1000));
                }
            }
            Replication::GetAck => self.word("REPLCONF GETACK"),
            Replication::Ack { offset } => {
                self.word("REPLCONF ACK");
                self.number(i64::from(*offset));
            }
            Replication::Psync => self.word("PSYNC"),
            Replication::FullResync { .. } => self.word("FULLRESYNC"),
        }
    }

    fn sentinel(&mut self, said: SentinelMessage) {
        match said {
            SentinelMessage::Ping => self.word("PING"),
            SentinelMessage::Pong { leader: None, .. } => self.word("PONG, primary"),
            SentinelMessage::Pong { leader: Some(_), .. } => self.word("PONG, replica"),
            SentinelMessage::ReplicaOf { leader: None } => self.word("REPLICAOF NO ONE"),
            SentinelMessage::ReplicaOf { leader: Some(leader) } => {
                self.word("REPLICAOF");
                self.word(self.setup.node_name(leader));
            }
            SentinelMessage::AskPrimary { .. } => self.word("get-master-addr"),
            SentinelMessage::PrimaryIs { node, .. } => self.word(self.setup.node_name(node)),
        }
    }

    fn request(&mut self, request: StorageRequest) {
        match request {
            StorageRequest::Read { resource, token, .. } => {
                self.word("read");
                self.word(&self.setup.resource(resource).name);
                self.token(token);
            }
            StorageRequest::Write(write) => self.write(&write),
        }
    }

    /// A token says more about a write than its value does; without one the value is shown.
    fn write(&mut self, write: &Write) {
        self.word("write");
        if self.setup.resources.len() > 1 || write.token.is_none() {
            self.word(&self.setup.resource(write.resource).name);
        }
        if write.token.is_none() {
            self.word("=");
            self.number(write.value);
        }
        self.token(write.token);
    }

    fn token(&mut self, token: Option<Token>) {
        if let Some(token) = token {
            self.number(token.0 as i64);
        }
    }

    fn storage_reply(&mut self, reply: StorageReply) {
        match reply {
            StorageReply::Value { resource, value, .. } => {
                self.word(&self.setup.resource(resource).name);
                self.word("=");
                self.number(value);
            }
            StorageReply::Applied { version, .. } => {
                self.word("OK, version");
                self.number(i64::from(version));
            }
            StorageReply::Rejected { why, .. } => {
                self.word("refused:");
                self.rejection(why);
            }
        }
    }

    fn rejection(&mut self, why: Rejection) {
        match why {
            Rejection::StaleToken { token: Some(token), highest } => {
                self.number(token.0 as i64);
                self.word(if token < highest { "<" } else { "=" });
                self.number(highest.0 as i64);
            }
            Rejection::StaleToken { token: None, highest } => {
                self.word("no token <");
                self.number(highest.0 as i64);
            }
            Rejection::VersionChanged { base, current } => {
                self.word("version");
                match base {
                    Some(base) => self.number(i64::from(base)),
                    None => self.word("none"),
                }
                self.word("≠");
                self.number(i64::from(current));
            }
            Rejection::Duplicate { .. } => self.word("applied before"),
        }
    }
}
