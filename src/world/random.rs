//! Keyed randomness: a draw is a function of (seed, purpose, who, n-th), so that one more message does not
//! shift any other draw.

use rand::rngs::Xoshiro256PlusPlus;
use rand::{RngExt, SeedableRng};

use super::digest::Digest;

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
    /// The mark of a process that takes re-entrant locks.
    Owner = 5,
    /// The pause before a client of an ensemble connects again.
    Reconnect = 6,
}

/// A generator of its own for each draw. Nobody is to be kept from guessing: a specified, fast one does.
fn source(seed: u64, purpose: Purpose, who: u64, nth: u32) -> Xoshiro256PlusPlus {
    Xoshiro256PlusPlus::seed_from_u64(Digest::of(&(seed, purpose as u64, who, nth)))
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

#[cfg(test)]
mod tests {
    use super::*;

    /// Links and golden files hold digests of runs: these values may never change.
    #[test]
    fn draws_are_fixed() {
        assert_eq!(word(1, Purpose::Nonce, NodeId(0), 0), 1_577_285_748_586_960_561);
        assert_eq!(span(1, Purpose::Jitter, NodeId(3), 7, Span(1000)), Span(219));
    }

    #[test]
    fn draws_of_one_purpose_do_not_shift_those_of_another() {
        let latencies: Vec<_> = (0..100).map(|nth| latency(9, NodeId(0), NodeId(1), nth, Span(5), Span(9)).0).collect();
        assert!(latencies.iter().all(|latency| (5..=9).contains(latency)));
        assert!((5..=9).all(|wanted| latencies.contains(&wanted)), "every value is drawn");
    }
}
