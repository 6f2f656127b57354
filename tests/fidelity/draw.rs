//! What happens in a sequence: a function of its seed, and of the deadlines that came of it so far.

use lockstep::vocabulary::{KeyId, Nonce, Span};
use lockstep::world::{RedisCommand, RedisValue, SetExpire, SetWhen};
use rand::rngs::ChaCha8Rng;
use rand::{RngExt as _, SeedableRng as _};

/// The keys of a sequence: two locks and a counter, by what the model notes about them. Any command may come to any.
pub(crate) const KEYS: [KeyId; 3] = [KeyId(0), KeyId(1), KeyId(2)];

/// The random source of one sequence.
pub(crate) struct Draw(ChaCha8Rng);

/// What is next.
pub(crate) enum Next {
    /// A command. `in_seconds`: `EXPIRE` instead of `PEXPIRE`.
    Command { command: RedisCommand, in_seconds: bool },
    /// The clock shows this from now on.
    Clock { wall_us: i64 },
    /// `kill -9`; the clock shows this when the server comes back.
    Kill { wall_us: i64 },
    /// The power goes; the clock shows this when the server comes back.
    PowerLoss { wall_us: i64 },
}

impl Draw {
    pub(crate) fn new(seed: u64) -> Self {
        let mut key = [0; 32];
        key[..8].copy_from_slice(&seed.to_le_bytes());
        Self(ChaCha8Rng::from_seed(key))
    }

    /// Where in its first second a sequence begins.
    pub(crate) fn start_us(&mut self) -> i64 {
        self.0.random_range(0..1_000_000)
    }

    /// How many things happen in a sequence.
    pub(crate) fn length(&mut self) -> u32 {
        self.0.random_range(12..=40)
    }

    /// What happens when the clock shows `now_us` and these deadlines are known.
    pub(crate) fn next(&mut self, now_us: i64, deadlines: &[i64]) -> Next {
        match self.0.random_range(0..1000) {
            0..720 => self.command(),
            720..980 => Next::Clock { wall_us: self.clock(now_us, deadlines) },
            980..988 => Next::Kill { wall_us: self.after_a_restart(now_us, deadlines) },
            _ => Next::PowerLoss { wall_us: self.after_a_restart(now_us, deadlines) },
        }
    }

    /// Mostly to a deadline or a millisecond beside it, whose microseconds do not count; else a little or much, forwards
    /// or back.
    fn clock(&mut self, now_us: i64, deadlines: &[i64]) -> i64 {
        match self.0.random_range(0..10) {
            0..6 if !deadlines.is_empty() => {
                let deadline = deadlines[self.0.random_range(0..deadlines.len())];
                let within = [0, 1, 500, 999][self.0.random_range(0..4)];
                deadline + self.0.random_range(-1..=1) * 1000 + within
            }
            0..7 => now_us + self.0.random_range(1..=5_000),
            7 => now_us + self.0.random_range(1..=3_000_000),
            8 => now_us - self.0.random_range(1..=3_000_000),
            _ => now_us + self.0.random_range(-60_000_000..=60_000_000),
        }
    }

    /// Restarts take no time, or the clock goes on or jumps meanwhile.
    fn after_a_restart(&mut self, now_us: i64, deadlines: &[i64]) -> i64 {
        if self.0.random() { now_us } else { self.clock(now_us, deadlines) }
    }

    fn command(&mut self) -> Next {
        let key = KEYS[self.0.random_range(0..KEYS.len())];
        let command = match self.0.random_range(0..100) {
            0..9 => {
                let (owner, ttl) = (self.owner(), self.lease());
                let request = [None, Some(1), Some(2)][self.0.random_range(0..3)];
                RedisCommand::ReentrantLock { key, owner, ttl, request }
            }
            9..14 => RedisCommand::ReentrantUnlock { key, owner: self.owner(), ttl: self.lease() },
            14..30 => RedisCommand::Set { key, value: self.value(), when: self.when(), expire: self.expire() },
            30..34 => RedisCommand::SetNx { key, value: self.value() },
            34..48 => RedisCommand::Get { key },
            48..53 => RedisCommand::Del { key },
            53..60 => RedisCommand::PExpire { key, ttl: self.ttl() },
            60..63 => {
                let ttl = Span::from_ms(self.0.random_range(0..=3) * 1000);
                return Next::Command { command: RedisCommand::PExpire { key, ttl }, in_seconds: true };
            }
            63..76 => RedisCommand::PTtl { key },
            76..83 => RedisCommand::Incr { key },
            83..88 => RedisCommand::CompareDelete { key, value: self.value() },
            88..92 => RedisCommand::CompareExtend { key, value: self.value(), ttl: self.ttl() },
            92..96 => RedisCommand::ExtendOrSet { key, value: self.value(), ttl: self.ttl() },
            _ => {
                let counter = KEYS[self.0.random_range(0..KEYS.len())];
                let ttl = self.lease();
                RedisCommand::LockScript { key, value: self.value(), ttl, counter }
            }
        };
        Next::Command { command, in_seconds: false }
    }

    /// Few values, so that comparisons often succeed; numbers, so that counting does, and the last one, where it ends.
    fn value(&mut self) -> RedisValue {
        match self.0.random_range(0..20) {
            0..9 => RedisValue::Nonce(0x8f3c),
            9..16 => RedisValue::Nonce(0x51d0),
            16 => RedisValue::Int(-1),
            17 => RedisValue::Int(i64::MAX),
            _ => RedisValue::Int(41),
        }
    }

    /// One of the marks that values are.
    fn owner(&mut self) -> Nonce {
        Nonce(if self.0.random() { 0x8f3c } else { 0x51d0 })
    }

    fn lease(&mut self) -> Option<Span> {
        if self.0.random_range(0..4) == 0 { None } else { Some(self.ttl()) }
    }

    fn when(&mut self) -> SetWhen {
        match self.0.random_range(0..10) {
            0..5 => SetWhen::Always,
            5..8 => SetWhen::Missing,
            _ => SetWhen::Exists,
        }
    }

    fn expire(&mut self) -> SetExpire {
        match self.0.random_range(0..6) {
            0 => SetExpire::Never,
            1 => SetExpire::Keep,
            _ => SetExpire::After(self.ttl()),
        }
    }

    fn ttl(&mut self) -> Span {
        Span::from_ms(match self.0.random_range(0..20) {
            0 => 0,
            1..4 => self.0.random_range(1..=3),
            4..8 => 1000,
            8..10 => 30_000,
            _ => self.0.random_range(1..=3000),
        })
    }
}
