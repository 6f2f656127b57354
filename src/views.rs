//! Views: text and drawings as pure functions of what the stages before have computed.
//!
//! Nothing here decides anything about a run. The page and the command line share these words, so that a sentence on
//! the stage, in a screen reader and in a terminal is the same sentence.

pub mod json;
pub mod narration;
pub mod timeline;
