//! Lockstep: a playground for distributed locks.
//!
//! One arrow, each module importing only from its left:
//!
//! ```text
//! vocabulary ─► scenario ─► world ─► history ─► verdicts ─► search, views (web, command line, exports)
//! ```

pub mod history;
pub mod scenario;
pub mod search;
pub mod verdicts;
pub mod views;
pub mod vocabulary;
#[cfg(feature = "web")]
pub mod web;
pub mod world;
