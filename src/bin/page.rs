//! The page: its functions are those that `lockstep::web` exports to the script that loads it.

fn main() {
    #[cfg(target_arch = "wasm32")]
    {
        // Named so that the linker keeps them.
        let _ = (lockstep::web::run as fn(), lockstep::web::load_rest as fn());
    }
}
