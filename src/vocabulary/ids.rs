//! Newtypes with units: what is counted is part of the type.

use std::fmt;
use std::ops::{Add, AddAssign, Sub};

/// An instant of true (virtual) time, in microseconds since the start of the run. No process can read it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Time(pub u64);

/// A length of time in microseconds.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Span(pub u64);

impl Time {
    /// The start of every run.
    pub const ZERO: Self = Self(0);

    /// The instant `ms` milliseconds after the start.
    pub const fn from_ms(ms: u64) -> Self {
        Self(ms * 1000)
    }

    /// Whole milliseconds since the start, rounded down: what files and screens show.
    pub const fn ms(self) -> u64 {
        self.0 / 1000
    }

    /// How long after `earlier` this is; zero if it is not after.
    pub const fn since(self, earlier: Self) -> Span {
        Span(self.0.saturating_sub(earlier.0))
    }
}

impl Span {
    /// No time at all.
    pub const ZERO: Self = Self(0);

    /// A span of `ms` milliseconds.
    pub const fn from_ms(ms: u64) -> Self {
        Self(ms * 1000)
    }

    /// Whole milliseconds, rounded down.
    pub const fn ms(self) -> u64 {
        self.0 / 1000
    }
}

impl Add<Span> for Time {
    type Output = Self;
    fn add(self, span: Span) -> Self {
        Self(self.0.saturating_add(span.0))
    }
}

impl AddAssign<Span> for Time {
    fn add_assign(&mut self, span: Span) {
        *self = *self + span;
    }
}

impl Add for Span {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self(self.0.saturating_add(other.0))
    }
}

impl Sub for Span {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        Self(self.0.saturating_sub(other.0))
    }
}

impl fmt::Display for Time {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Span(self.0).fmt(f)
    }
}

/// Milliseconds, with a fraction only where there is one: `10005`, `0.25`.
impl fmt::Display for Span {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (ms, rest) = (self.0 / 1000, self.0 % 1000);
        if rest == 0 {
            return f.pad(&ms.to_string());
        }
        let text = format!("{ms}.{rest:03}");
        f.pad(text.trim_end_matches('0'))
    }
}

/// Declares index-like ids that differ only in width and meaning.
macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident($inner:ty);)+) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
        pub struct $name(pub $inner);

        impl $name {
            /// This id as an index into the list it numbers.
            pub const fn ix(self) -> usize {
                self.0 as usize
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.fmt(f)
            }
        }
    )+};
}

ids! {
    /// A process: a client, a lock node or a storage server. Index into `Scenario::nodes`.
    NodeId(u16);
    /// A machine. Index into `Scenario::machines`.
    MachineId(u16);
    /// A lock service. Index into `Scenario::services`.
    ServiceIx(u8);
    /// A resource under a lock. Index into `Scenario::resources`.
    ResourceIx(u8);
    /// A line of a client's program, counted from 0.
    LineIx(u16);
    /// A connection, counted in order of opening.
    ConnId(u32);
    /// A packet, counted in order of sending.
    PacketId(u32);
    /// A step of a run, counted from 0.
    StepIx(u32);
    /// A fault of the run's list, counted from 0.
    FaultIx(u16);
    /// A key of a Redis node: service `n` has its lock at `2n` and its token counter at `2n + 1`.
    KeyId(u16);
    /// One giving of a lock by its service.
    GrantId(u32);
    /// One belief of a client that it holds a lock.
    HoldId(u32);
    /// One write as its author meant it; a resend carries the same id.
    OpId(u32);
    /// The random value that marks one attempt to take a lock.
    Nonce(u64);
    /// A fencing token.
    Token(u64);
    /// The place of an entry in a replicated log: the epoch of the leader that proposed it in the upper 32 bits, a counter in
    /// the lower.
    Zxid(u64);
    /// A session with an ensemble: the zxid of the entry that made it.
    SessionId(u64);
}

impl Zxid {
    /// Before the first entry.
    pub const ZERO: Self = Self(0);

    /// The n-th entry of an epoch, from 1.
    pub const fn new(epoch: u32, counter: u32) -> Self {
        Self((epoch as u64) << 32 | counter as u64)
    }

    /// The epoch.
    pub const fn epoch(self) -> u32 {
        (self.0 >> 32) as u32
    }

    /// The counter within the epoch.
    pub const fn counter(self) -> u32 {
        self.0 as u32
    }
}

impl OpId {
    /// Above this the ids are those that programs name; below, those that the World counts.
    const NAMED: u32 = 1 << 31;

    /// The operation that programs call by this number.
    pub const fn named(number: u32) -> Self {
        Self(Self::NAMED | number)
    }

    /// The number by which programs call this operation, if they do.
    pub const fn name(self) -> Option<u32> {
        if self.0 & Self::NAMED == 0 { None } else { Some(self.0 & !Self::NAMED) }
    }
}

impl KeyId {
    /// The key under which the service keeps its lock.
    pub const fn lock(service: ServiceIx) -> Self {
        Self(service.0 as u16 * 2)
    }

    /// The key under which the service counts its tokens.
    pub const fn counter(service: ServiceIx) -> Self {
        Self(service.0 as u16 * 2 + 1)
    }

    /// The service that uses this key, and whether the key is its lock.
    pub const fn service(self) -> (ServiceIx, bool) {
        (ServiceIx((self.0 / 2) as u8), self.0.is_multiple_of(2))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spans_print_as_milliseconds() {
        let shown = |us| Span(us).to_string();
        assert_eq!([shown(10_005_000), shown(250), shown(1_500), shown(0)], ["10005", "0.25", "1.5", "0"]);
    }

    #[test]
    fn keys_name_their_service() {
        assert_eq!(KeyId::lock(ServiceIx(3)).service(), (ServiceIx(3), true));
        assert_eq!(KeyId::counter(ServiceIx(3)).service(), (ServiceIx(3), false));
    }
}
