//! The words everything else is written in: ids, times, programs, faults, configurations, judge names.
//!
//! Nothing here acts and nothing here knows a file format. Times are whole microseconds, ids are small
//! fixed-width numbers; the names that people read stand once, in the [`Scenario`](crate::scenario::Scenario).

mod config;
mod fault;
mod ids;
mod judge;
mod kinds;
mod program;
mod text;

pub use config::{
    AcquireMode, Driver, EnsembleConfig, FailoverConfig, Guard, Latency, Persistence, Recipe, RedisConfig, ReleaseMode,
    Renewal, Replies, Requests, ResourceConfig, StartOf, TokenSource, Voting, WaitForCopies, Watched,
};
pub use fault::{Fault, FaultKind, Matcher, Notice, PacketRef, PauseCause, Trigger};
pub use ids::{
    ConnId, FaultIx, GrantId, HoldId, KeyId, LineIx, MachineId, NodeId, Nonce, OpId, PacketId, ResourceIx, ServiceIx,
    SessionId, Span, StepIx, Time, Token, Zxid,
};
pub use judge::{Contact, CostEntry, JudgeName, ProgressKind};
pub use kinds::{MessageKind, ObservationKind};
pub use program::{ClockChoice, Line, LineKind, Written};
pub use text::{Lang, Text};
