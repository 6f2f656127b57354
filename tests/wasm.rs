//! The library in a browser's wasm: what must be the same there as natively.
#![cfg(target_arch = "wasm32")]

use std::sync::Arc;

use lockstep::history::History;
use lockstep::scenario;
use wasm_bindgen_test::{wasm_bindgen_test, wasm_bindgen_test_configure};

wasm_bindgen_test_configure!(run_in_browser);

/// Guards the runner itself: these tests must run as wasm32, where `usize` has 32 bits, and in a browser.
#[wasm_bindgen_test]
fn runs_as_wasm32() {
    assert_eq!(usize::BITS, 32);
}

/// The digests that native runs have (`tests/determinism.rs` compares them with the same file).
#[wasm_bindgen_test]
fn digests_equal_the_native_ones() {
    let golden = include_str!("golden/digests.txt");
    assert!(golden.lines().count() > 20, "the file holds every scenario and variant");
    for line in golden.lines() {
        let mut words = line.split_whitespace();
        let (Some(digest), Some(len), Some(name)) = (words.next(), words.next(), words.next()) else {
            panic!("not a line of the table: {line}");
        };
        let scenario = scenario::load(name).unwrap_or_else(|error| panic!("{name}: {error}"));
        let history = History::new(Arc::new(scenario));
        let here = (format!("{:016x}", history.digest()), history.len().to_string());
        assert_eq!(here, (digest.to_owned(), len.to_owned()), "{name} runs otherwise in this browser");
    }
}
