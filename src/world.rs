//! The World: a deterministic machine that takes one event after the other.

mod message;
mod record;

pub use message::{
    Message, RedisCommand, RedisError, RedisReply, RedisValue, Rejection, SetExpire, SetWhen, StorageReply,
    StorageRequest, Write,
};
pub use record::{Closing, Effect, Ending, Event, Observation, Packet, Record};
