//! The page.

fn main() {
    #[cfg(target_arch = "wasm32")]
    lockstep::web::start();
}
