//! A driver from knobs: the client's own, else the service's, else the default.

use super::Checks;
use crate::scenario::file::{DriverKnobs, ServiceEntry, ServiceKind, Whole};
use crate::vocabulary::{
    AcquireMode, ClockChoice, Driver, ReleaseMode, Renewal, Replies, Requests, Span, StartOf, TokenSource, Voting,
    WaitForCopies,
};

impl Checks {
    /// `own` may be missing; `path` is where the renewal would stand.
    pub(super) fn driver(&mut self, path: &str, own: Option<&DriverKnobs>, service: &ServiceEntry) -> Driver {
        let redlock = matches!(service.kind.map(|word| word.0), Some(ServiceKind::Redlock));
        let service = &service.driver;
        /// The client's own word, else the service's.
        macro_rules! knob {
            ($name:ident) => {
                own.map(|own| own.$name).unwrap_or_default().or(service.$name)
            };
        }
        let ttl = knob!(ttl_ms).or_default(Some(Whole(10_000))).map(|ms| span(ms.0));
        let renewal = knob!(renew).or_default(None).map(|renew| Renewal {
            every: span(renew.every_ms.0),
            set_if_missing: renew.set_if_missing,
            check_elapsed: renew.check_elapsed,
        });
        if ttl.is_none() && renewal.is_some() {
            self.conflict(format!("{path}/renew"), "a lock without expiry (ttl_ms null) has nothing to renew");
        }
        let acquire = knob!(acquire).map_or(AcquireMode::Set, |word| word.0);
        let token = knob!(token).map_or(TokenSource::None, |word| word.0);
        if (acquire, token) == (AcquireMode::SetNx, TokenSource::Counter) {
            let reason = "the script that takes the lock and counts does not use SETNX: use `separate-counter` with it";
            self.conflict(format!("{path}/token"), reason);
        }
        if redlock && acquire != AcquireMode::Set {
            self.conflict(format!("{path}/acquire"), "redlock takes its lock by SET NX PX on every node");
        }
        let usual = if redlock { Voting::REDLOCK } else { Voting::PLAIN };
        let voting = Voting {
            quorum: knob!(quorum).or_default(None).map(|count| count.0 as u32),
            requests: knob!(requests).map_or(Requests::Parallel, |word| word.0),
            replies: knob!(replies).map_or(Replies::All, |word| word.0),
            elapsed_clock: knob!(elapsed_clock).map_or(usual.elapsed_clock, |word| word.0),
            start: knob!(start).map_or(StartOf::Attempt, |word| word.0),
            drift_percent: knob!(drift_percent).map_or(usual.drift_percent, |percent| percent.0 as u32),
            drift: knob!(drift_ms).map_or(usual.drift, |ms| span(ms.0)),
            release_failed: knob!(release_failed).unwrap_or(usual.release_failed),
        };
        if acquire.is_reentrant() && token == TokenSource::Counter {
            let reason = "the script of a re-entrant lock gives no token: use `separate-counter` with it";
            self.conflict(format!("{path}/token"), reason);
        }
        if acquire.is_reentrant() && renewal.is_some() {
            self.conflict(format!("{path}/renew"), "the scripts that renew do not know a re-entrant lock");
        }
        Driver {
            ttl,
            acquire,
            token,
            wait: knob!(wait)
                .or_default(None)
                .map(|wait| WaitForCopies { replicas: wait.replicas.0 as u8, timeout: span(wait.timeout_ms.0) }),
            attempts: knob!(attempts).or_default(None).map(|count| count.0 as u32),
            retry: span(knob!(retry_ms).map_or(100, |ms| ms.0)),
            jitter: span(knob!(jitter_ms).map_or(if redlock { 100 } else { 0 }, |ms| ms.0)),
            timeout: span(knob!(timeout_ms).map_or(50, |ms| ms.0)),
            check_clock: knob!(check_clock).map_or(ClockChoice::Monotonic, |word| word.0),
            careful: knob!(careful).unwrap_or(false),
            release: knob!(release).map_or(ReleaseMode::CompareAndDelete, |word| word.0),
            await_release: knob!(await_release).unwrap_or(true),
            renewal,
            voting,
        }
    }
}

/// Milliseconds of a file, which are never negative here.
fn span(ms: i64) -> Span {
    Span::from_ms(ms as u64)
}
