//! Journeys of a visitor through the built page, in a real browser. See [`harness`] for how to write one.
#![cfg(all(feature = "journeys", not(target_arch = "wasm32")))]

mod choosing;
mod comparing;
mod first_view;
mod fitting;
mod harness;
mod keyboard;
mod loading;
mod performance;
mod playing;
