//! What an author hears about a file that is wrong.
#![cfg(not(target_arch = "wasm32"))]

#[test]
fn smoke() {
    for id in lockstep::scenario::builtin() {
        let text = lockstep::scenario::builtin_text(id).unwrap_or_default();
        match lockstep::scenario::parse(text) {
            Ok((scenario, warnings)) => {
                println!("{scenario:#?}");
                for warning in warnings {
                    println!("{warning}");
                }
            }
            Err(err) => panic!("{err}"),
        }
    }
}
