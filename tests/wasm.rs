//! The library in a browser's wasm: what must be the same there as natively.
#![cfg(target_arch = "wasm32")]

use wasm_bindgen_test::{wasm_bindgen_test, wasm_bindgen_test_configure};

wasm_bindgen_test_configure!(run_in_browser);

/// Guards the runner itself: these tests must run as wasm32, where `usize` has 32 bits, and in a browser.
#[wasm_bindgen_test]
fn runs_as_wasm32() {
    assert_eq!(usize::BITS, 32);
}
