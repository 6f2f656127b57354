//! Keyed randomness: a draw is a function of (seed, purpose, who, n-th), so that one more message does not
//! shift any other draw.

use rand::rngs::ChaCha8Rng;
use rand::{RngExt, SeedableRng};

use crate::vocabulary::{NodeId, Span};

/// What a draw is for: part of its key.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Purpose {
    /// The mark of an attempt to take a lock.
    Nonce = 1,
    /// The extra pause between attempts.
    Jitter = 2,
    /// A packet's time in the network.
    Latency = 3,
    /// The random id of stored data.
    DataId = 4,
}

fn source(seed: u64, purpose: Purpose, who: u64, nth: u32) -> ChaCha8Rng {
    let mut key = [0; 32];
    let words = [seed, purpose as u64, who, u64::from(nth)];
    for (part, word) in key.chunks_exact_mut(8).zip(words) {
        part.copy_from_slice(&word.to_le_bytes());
    }
    ChaCha8Rng::from_seed(key)
}

/// The n-th random word of a process.
pub(super) fn word(seed: u64, purpose: Purpose, who: NodeId, nth: u32) -> u64 {
    source(seed, purpose, u64::from(who.0), nth).random()
}

/// The n-th random span of a process, from zero to `max` inclusive.
pub(super) fn span(seed: u64, purpose: Purpose, who: NodeId, nth: u32, max: Span) -> Span {
    Span(source(seed, purpose, u64::from(who.0), nth).random_range(0..=max.0))
}

/// The latency of the n-th packet of a directed link.
pub(super) fn latency(seed: u64, from: NodeId, to: NodeId, nth: u32, min: Span, max: Span) -> Span {
    let link = u64::from(from.0) << 16 | u64::from(to.0);
    Span(source(seed, Purpose::Latency, link, nth).random_range(min.0..=max.0))
}
