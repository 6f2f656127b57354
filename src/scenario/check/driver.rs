//! A driver from knobs: the client's own, else the service's, else the default.

use super::Checks;
use crate::scenario::file::{DriverKnobs, Preset, Renew, ServiceEntry, ServiceKind, Whole};
use crate::vocabulary::{
    AcquireMode, ClockChoice, Driver, Recipe, ReleaseMode, Renewal, Replies, Requests, Span, StartOf, TokenSource,
    Voting, WaitForCopies, Watched,
};

impl Checks {
    /// `own` may be missing; `path` is where the renewal would stand.
    pub(super) fn driver(&mut self, path: &str, own: Option<&DriverKnobs>, service: &ServiceEntry) -> Driver {
        let kind = service.kind.map(|word| word.0).unwrap_or_default();
        let (redlock, zookeeper) = (kind == ServiceKind::Redlock, kind == ServiceKind::ZooKeeper);
        let (own, service) = (own.copied().unwrap_or_default(), &service.driver);
        let preset = own.preset.or(service.preset).map(|word| word.0);
        if preset.is_some() && !redlock {
            self.conflict(format!("{path}/preset"), "the presets are Redlock clients: the service must be `redlock`");
        }
        let lease = own.ttl_ms.or(service.ttl_ms).or_default(None).map(|ms| ms.0);
        let usual = preset.map(|preset| preset.knobs(lease)).unwrap_or_default();
        /// The client's own word, else the service's, else the preset's.
        macro_rules! knob {
            ($name:ident) => {
                own.$name.or(service.$name).or(usual.$name)
            };
        }
        let usual_ttl = (!zookeeper).then_some(Whole(10_000));
        let ttl = knob!(ttl_ms).or_default(usual_ttl).map(|ms| span(ms.0));
        let renewal = ttl.and(knob!(renew).or_default(None)).map(|renew| renewal(&renew, preset));
        if ttl.is_none() && own.renew.or(service.renew).or_default(None).is_some() {
            self.conflict(format!("{path}/renew"), "a lock without expiry (ttl_ms null) has nothing to renew");
        }
        let acquire = knob!(acquire).map_or(AcquireMode::Set, |word| word.0);
        let token = knob!(token).map_or(TokenSource::None, |word| word.0);
        let of_zookeeper = matches!(
            token,
            TokenSource::Czxid | TokenSource::Sequence | TokenSource::NodeVersion | TokenSource::ParentVersion
        );
        if token != TokenSource::None && of_zookeeper != zookeeper {
            self.conflict(format!("{path}/token"), "a service of this kind gives no such token");
        }
        if zookeeper && (ttl.is_some() || renewal.is_some() || acquire != AcquireMode::Set) {
            let reason = "a zookeeper lock belongs to a session: it has no ttl_ms, no renew and no acquire of its own";
            self.conflict(path, reason);
        }
        if (acquire, token) == (AcquireMode::SetNx, TokenSource::Counter) {
            let reason = "the script that takes the lock and counts does not use SETNX: use `separate-counter` with it";
            self.conflict(format!("{path}/token"), reason);
        }
        if redlock && acquire != AcquireMode::Set {
            self.conflict(format!("{path}/acquire"), "redlock takes its lock by SET NX PX on every node");
        }
        let plain = if redlock { Voting::REDLOCK } else { Voting::PLAIN };
        let voting = Voting {
            quorum: knob!(quorum).or_default(None).map(|count| count.0 as u32),
            requests: knob!(requests).map_or(Requests::Parallel, |word| word.0),
            replies: knob!(replies).map_or(Replies::All, |word| word.0),
            elapsed_clock: knob!(elapsed_clock).map_or(plain.elapsed_clock, |word| word.0),
            start: knob!(start).map_or(StartOf::Attempt, |word| word.0),
            drift_percent: knob!(drift_percent).map_or(plain.drift_percent, |percent| percent.0 as u32),
            drift: knob!(drift_ms).map_or(plain.drift, |ms| span(ms.0)),
            release_failed: knob!(release_failed).unwrap_or(plain.release_failed),
            release_late: knob!(release_late).unwrap_or(plain.release_late),
            one_value: knob!(one_value).unwrap_or(plain.one_value),
            raise_errors: knob!(raise_errors).unwrap_or(plain.raise_errors),
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
            timeout: knob!(timeout_ms).or_default(Some(Whole(50))).map(|ms| span(ms.0)),
            check_clock: knob!(check_clock).map_or(ClockChoice::Monotonic, |word| word.0),
            careful: knob!(careful).unwrap_or(false),
            release: knob!(release).map_or(ReleaseMode::CompareAndDelete, |word| word.0),
            await_release: knob!(await_release).unwrap_or(true),
            renewal,
            voting,
            recipe: Recipe {
                session: span(knob!(session_ms).map_or(Recipe::DOCUMENTED.session.ms() as i64, |ms| ms.0)),
                watched: knob!(watch).map_or(Watched::Predecessor, |word| word.0),
                id_in_name: knob!(id_in_name).unwrap_or(Recipe::DOCUMENTED.id_in_name),
                list_again: knob!(list_again).unwrap_or(Recipe::DOCUMENTED.list_again),
                ephemeral: knob!(ephemeral).unwrap_or(Recipe::DOCUMENTED.ephemeral),
                suspends: knob!(suspend).unwrap_or(Recipe::DOCUMENTED.suspends),
                syncs: knob!(sync).unwrap_or(Recipe::DOCUMENTED.syncs),
            },
        }
    }
}

/// What a renewal does differently is said by the file, else by the preset.
fn renewal(renew: &Renew, preset: Option<Preset>) -> Renewal {
    let every = span(renew.every_ms.0);
    let usual = preset.map_or(Renewal::plain(every), |preset| preset.renewal(every));
    Renewal {
        every,
        set_if_missing: renew.set_if_missing.unwrap_or(usual.set_if_missing),
        check_elapsed: renew.check_elapsed.unwrap_or(usual.check_elapsed),
        most: renew.most.or_default(usual.most.map(|most| Whole(i64::from(most)))).map(|most| most.0 as u32),
        after_expiry: renew.after_expiry.unwrap_or(usual.after_expiry),
        release_failed: renew.release_failed.unwrap_or(usual.release_failed),
        quiet: renew.quiet.unwrap_or(usual.quiet),
    }
}

/// Milliseconds of a file, which are never negative here.
fn span(ms: i64) -> Span {
    Span::from_ms(ms as u64)
}
