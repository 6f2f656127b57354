//! Deadlock over several locks: holders who wait for locks of each other.

use super::Wait;
use crate::verdicts::ledger::Ledger;
use crate::vocabulary::{NodeId, Time};

/// When the circle closed in which a client waits, if it waits in one: every believer in the lock it wants asks for a lock
/// itself, every believer in that one does, and so on, until nobody is left who could go on.
pub(super) fn closed_at(wait: &Wait, waits: &[Wait], ledger: &Ledger) -> Option<Time> {
    if !wait.asking {
        return None;
    }
    let mut closed_at = wait.since.at;
    let mut seen: Vec<NodeId> = vec![wait.client];
    let mut open = vec![wait];
    while let Some(one) = open.pop() {
        let believers = &ledger.lock(one.lock).open;
        if believers.is_empty() {
            return None;
        }
        for place in believers {
            let believer = ledger.holds.get(*place).client;
            if seen.contains(&believer) {
                continue;
            }
            let next = waits.iter().find(|other| other.client == believer && other.asking)?;
            closed_at = closed_at.max(next.since.at);
            seen.push(believer);
            open.push(next);
        }
    }
    Some(closed_at)
}
