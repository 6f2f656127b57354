//! Client programs: a list of lines, shown on screen with the current one marked.

use super::{OpId, ResourceIx, ServiceIx, Span, Time};

/// One line of a client's program.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Line {
    /// Sleep until this instant of the client's monotonic clock.
    At(Time),
    /// Sleep for a span of the client's monotonic clock. A pause does not stop it.
    Wait(Span),
    /// Take the lock.
    Acquire(ServiceIx),
    /// Look at the lease by the driver's clock; if it is over, go on with the release.
    Check(ServiceIx),
    /// Read a resource and remember its value and version.
    Read(ResourceIx),
    /// Compute for this much CPU time. It stands still in a pause.
    Work(Span),
    /// Write a resource.
    Write {
        /// What is written to.
        resource: ResourceIx,
        /// What is written.
        value: Written,
        /// The operation that this write carries out, for programs that name it; else each write is one of its own.
        op: Option<OpId>,
        /// Whether the next line waits for the reply.
        await_reply: bool,
    },
    /// Give the lock back.
    Release(ServiceIx),
    /// Start again at the first line: so many times, or for ever.
    Repeat(Option<u32>),
}

/// What a write line writes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Written {
    /// The value read in this hold, plus one. Its base is the version read.
    ReadPlusOne,
    /// This value, based on the version read.
    Literal(i64),
    /// This value, whatever stands there: no base.
    Blind(i64),
}

/// The verb of a line: the label by which matchers name it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum LineKind {
    /// `at`
    At,
    /// `wait`
    Wait,
    /// `acquire`
    Acquire,
    /// `check`
    Check,
    /// `read`
    Read,
    /// `work`
    Work,
    /// `write`
    Write,
    /// `release`
    Release,
    /// `repeat`
    Repeat,
}

impl Line {
    /// The verb of this line.
    pub const fn kind(self) -> LineKind {
        match self {
            Self::At(_) => LineKind::At,
            Self::Wait(_) => LineKind::Wait,
            Self::Acquire(_) => LineKind::Acquire,
            Self::Check(_) => LineKind::Check,
            Self::Read(_) => LineKind::Read,
            Self::Work(_) => LineKind::Work,
            Self::Write { .. } => LineKind::Write,
            Self::Release(_) => LineKind::Release,
            Self::Repeat(_) => LineKind::Repeat,
        }
    }
}

impl LineKind {
    /// The verb as it stands in a program.
    pub const fn name(self) -> &'static str {
        match self {
            Self::At => "at",
            Self::Wait => "wait",
            Self::Acquire => "acquire",
            Self::Check => "check",
            Self::Read => "read",
            Self::Work => "work",
            Self::Write => "write",
            Self::Release => "release",
            Self::Repeat => "repeat",
        }
    }
}

/// Which clock a piece of code reads, as the real program does.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum ClockChoice {
    /// The clock that never steps (`CLOCK_MONOTONIC`).
    #[default]
    Monotonic,
    /// The clock that can be set (`gettimeofday`).
    Wall,
    /// None: the code does not look.
    None,
}
