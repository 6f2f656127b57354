//! Each definition of a judge, on a run written by hand.

#[path = "judges/cost.rs"]
mod cost;
#[path = "judges/expectations.rs"]
mod expectations;
#[path = "judges/lost_update.rs"]
mod lost_update;
#[path = "judges/mutual_exclusion.rs"]
mod mutual_exclusion;
#[path = "judges/progress.rs"]
mod progress;
#[path = "judges/run.rs"]
mod run;
#[path = "judges/stale_write.rs"]
mod stale_write;
#[path = "judges/token_order.rs"]
mod token_order;

use lockstep::verdicts::{Verdict, Why};
use lockstep::vocabulary::JudgeName::{LostUpdate, StaleWrite, TokenOrder};
use lockstep::vocabulary::{Time, TokenSource};
use run::{B, Run, crashed_holder};

#[test]
fn nothing_is_said_before_anything_happened() {
    let run = Run::new();
    let said: Vec<_> = run.judges.verdicts(Time::ZERO).into_iter().map(|(_, verdict)| verdict).collect();
    let pending = |why| Verdict::Pending { why };
    assert_eq!(
        said,
        [
            pending(Why::NobodyHeldYet),
            pending(Why::NoWriteYet),
            pending(Why::NoWriteYet),
            pending(Why::NoTokensHere),
            Verdict::Holds,
            Verdict::Holds
        ]
    );
    let bare = Run::with(|setup| setup.resources.clear());
    assert_eq!(bare.verdict(StaleWrite), pending(Why::NoStorageHere));
    assert_eq!(bare.verdict(LostUpdate), pending(Why::NoStorageHere));
    let fenced = Run::with(|setup| setup.clients[0].drivers[0].token = TokenSource::Counter);
    assert_eq!(fenced.verdict(TokenOrder), pending(Why::NoTokenYet));
}

#[test]
fn judges_that_saw_the_same_are_the_same() {
    use std::hash::{DefaultHasher, Hash, Hasher};
    let digest = |run: &Run| {
        let mut hasher = DefaultHasher::new();
        run.judges.hash(&mut hasher);
        hasher.finish()
    };
    let (one, mut two) = (crashed_holder(10_000), crashed_holder(10_000));
    assert_eq!((&one.judges, digest(&one)), (&two.judges, digest(&two)));
    two.take(B, 10_000);
    assert_ne!(one.judges, two.judges);
}
