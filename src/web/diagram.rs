//! The space–time diagram.

pub(crate) mod tracks;
