//! Replicas of a service, and its sentinel.

use super::Checks;
use super::setup::Nodes;
use crate::scenario::file::{ServiceEntry, ServiceKind, Whole};
use crate::scenario::{Failover, Role};
use crate::vocabulary::{ClockChoice, FailoverConfig, RedisConfig, ServiceIx, Span};

const REPLICAS_MAX: usize = 5;

impl Checks {
    /// The replicas of a service, as processes of their own; `path` is the service's.
    pub(super) fn failover(
        &mut self,
        nodes: &mut Nodes,
        path: &str,
        service: ServiceIx,
        config: RedisConfig,
        entry: &ServiceEntry,
    ) -> Option<Failover> {
        let Some(replicas) = &entry.replicas else {
            if entry.sentinel.is_some() {
                self.conflict(format!("{path}/sentinel"), "a sentinel needs replicas to promote");
            }
            return None;
        };
        if entry.kind.map(|word| word.0) == Some(ServiceKind::ZooKeeper) {
            self.conflict(format!("{path}/replicas"), "an ensemble keeps its own copies");
        }
        if matches!(entry.kind.map(|word| word.0), Some(ServiceKind::Redlock)) {
            self.conflict(format!("{path}/replicas"), "the masters of a redlock service have no replicas");
        }
        let path_of_nodes = format!("{path}/replicas/nodes");
        self.count(&path_of_nodes, "replicas", replicas.nodes.len(), REPLICAS_MAX);
        if replicas.nodes.is_empty() {
            self.conflict(&path_of_nodes, "replicas need at least one process");
        }
        if config.expiry_clock == ClockChoice::Monotonic {
            let reason = "a replica judges the primary's absolute deadlines, which only wall clocks share";
            self.conflict(format!("{path}/expiry_clock"), reason);
        }
        let copies = replicas.nodes.iter().enumerate();
        let copies = copies
            .map(|(n, node)| {
                self.add_node(nodes, &node.0, format!("{path_of_nodes}/{n}"), Role::Redis(service, config))
            })
            .collect();
        let sentinel = entry.sentinel.as_ref().map(|sentinel| {
            let name = sentinel.node.as_ref().map_or("sentinel", |node| &node.0);
            self.add_node(nodes, name, format!("{path}/sentinel/node"), Role::Sentinel(service))
        });
        let down_after = entry.sentinel.as_ref().map_or(Whole(30_000), |sentinel| sentinel.down_after_ms);
        let config = FailoverConfig {
            lag: Span::from_ms(replicas.lag_ms.0 as u64),
            min_to_write: replicas.min_to_write.0 as u8,
            max_lag_s: replicas.max_lag_s.0 as u32,
            down_after: Span::from_ms(down_after.0 as u64),
        };
        Some(Failover { replicas: copies, sentinel, config })
    }
}
