//! Servers that keep one log.

use super::Checks;
use crate::scenario::Ensemble;
use crate::scenario::file::{ServiceEntry, ServiceKind, Whole};
use crate::vocabulary::{EnsembleConfig, NodeId, Span};

const TICK_MS: i64 = 2000;
const INIT_LIMIT: u32 = 10;
const SYNC_LIMIT: u32 = 5;

impl Checks {
    /// The ensemble of a service; `path` is the service's.
    pub(super) fn ensemble(
        &mut self,
        path: &str,
        names: &[&str],
        ids: &[NodeId],
        entry: &ServiceEntry,
    ) -> Option<Ensemble> {
        let zookeeper = entry.kind.map(|word| word.0) == Some(ServiceKind::ZooKeeper);
        if !zookeeper {
            if entry.ensemble.is_some() {
                self.conflict(format!("{path}/ensemble"), "only a service of kind zookeeper is an ensemble");
            }
            return None;
        }
        if entry.persistence.is_some() || entry.expiry_clock.is_some() || !entry.per_node.0.is_empty() {
            let reason = "persistence, expiry_clock and per_node are settings of Redis nodes: see `ensemble`";
            self.conflict(path, reason);
        }
        let own = entry.ensemble.as_ref();
        let leader = match own.and_then(|own| own.leader.as_ref()) {
            Some(name) => self.find(&format!("{path}/ensemble/leader"), "server", &name.0, names.iter().copied()),
            None => ids.len().saturating_sub(1),
        };
        let ms = |value: i64| Span::from_ms(value as u64);
        let config = EnsembleConfig {
            tick: ms(own.map_or(TICK_MS, |own| own.tick_ms.0)),
            init_limit: own.map_or(INIT_LIMIT, |own| own.init_limit.0 as u32),
            sync_limit: own.map_or(SYNC_LIMIT, |own| own.sync_limit.0 as u32),
            fsync: own.map_or(Span::ZERO, |own| ms(own.fsync_ms.0)),
            containers: own.and_then(|own| own.container_check_ms).map(|Whole(value)| ms(value)),
        };
        Some(Ensemble { leader: ids.get(leader).copied().unwrap_or_default(), config })
    }
}
