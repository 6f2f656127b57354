//! Faults, triggers and matchers.

use super::Checks;
use crate::scenario::Setup;
use crate::scenario::file::{Due, FaultEntry, Match, Moment, PacketAt, PacketMatch, ScenarioFile};
use crate::vocabulary::{Fault, FaultKind, Matcher, NodeId, PacketId, PacketRef, Span, StepIx, Time, Trigger};

const FAULTS_MAX: usize = 64;

impl Checks {
    pub(super) fn faults(&mut self, setup: &Setup, file: &ScenarioFile) -> Vec<Fault> {
        self.count("/faults", "faults", file.faults.len(), FAULTS_MAX);
        let each = file.faults.iter().enumerate();
        each.filter_map(|(ix, entry)| self.fault(setup, file, &format!("/faults/{ix}"), entry)).collect()
    }

    fn fault(&mut self, setup: &Setup, file: &ScenarioFile, path: &str, entry: &FaultEntry) -> Option<Fault> {
        let on = self.trigger(setup, file, path, entry.due())?;
        let mut other = |name: &str, due: Option<Due<'_>>| self.trigger(setup, file, &format!("{path}/{name}"), due?);
        let until = other("until", entry.until.as_ref().map(Moment::due));
        let twin = other("twin", entry.twin.as_ref().map(Moment::due));
        if entry.twin.is_some() && !matches!(on, Trigger::Step(_)) {
            self.conflict(format!("{path}/twin"), "only a fault at a `step` has a twin");
        }
        // A fault at a step finds its packet again by the twin.
        let matched = [Some(on), twin].into_iter().flatten().any(matches_packet);
        let mut kinds = self.process_kinds(setup, path, entry);
        kinds.extend(self.link_kinds(setup, path, entry));
        kinds.extend(self.packet_kinds(path, entry, matched));
        let [kind] = kinds[..] else {
            self.conflict(path, "a fault needs exactly one action, such as `pause`, `crash`, `clock_jump`, `delay`");
            return None;
        };
        if entry.until.is_some() && kind.inverse().is_none() {
            self.conflict(format!("{path}/until"), "this action does not last: there is nothing to take back");
        }
        Some(Fault { on, kind, until, twin })
    }

    fn trigger(&mut self, setup: &Setup, file: &ScenarioFile, path: &str, due: Due<'_>) -> Option<Trigger> {
        if due.when.is_none() && (due.nth.is_some() || due.after_ms.is_some()) {
            self.conflict(path, "`nth` and `after_ms` belong to `when`");
        }
        match (due.at_ms, due.when, due.step) {
            (Some(ms), None, None) => Some(Trigger::At(Time::from_ms(ms.0 as u64))),
            (None, Some(when), None) => {
                let when_path = format!("{path}/when");
                if matches!(when, Match::Fault(_)) {
                    self.conflict(&when_path, "only stories look for faults");
                    return None;
                }
                let matcher = self.matcher(setup, file, &when_path, when);
                let after = Span::from_ms(due.after_ms.map_or(0, |ms| ms.0) as u64);
                Some(Trigger::When { matcher, nth: due.nth.map_or(1, |nth| nth.0) as u32, after })
            }
            (None, None, Some(step)) => Some(Trigger::Step(StepIx(step.0 as u32))),
            _ => {
                self.conflict(path, "the moment is given by exactly one of `at_ms`, `when` and `step`");
                None
            }
        }
    }

    pub(super) fn matcher(&mut self, setup: &Setup, file: &ScenarioFile, path: &str, entry: &Match) -> Matcher {
        match entry {
            Match::Line(line) => self.line(setup, file, &format!("{path}/line"), line),
            Match::Send(packet) => {
                let (from, to) = self.ends(setup, &format!("{path}/send"), packet);
                Matcher::Send { from, to, kind: packet.kind.map(|word| word.0) }
            }
            Match::Deliver(packet) => {
                let (from, to) = self.ends(setup, &format!("{path}/deliver"), packet);
                Matcher::Deliver { from, to, kind: packet.kind.map(|word| word.0) }
            }
            Match::Observed(observed) => Matcher::Observed {
                node: self.node(setup, &format!("{path}/observed/node"), &observed.node.0),
                kind: observed.kind.0,
            },
            Match::Fault(ix) => Matcher::Fault { ix: self.fault_ix(&format!("{path}/fault"), ix.0, file.faults.len()) },
        }
    }

    fn ends(&mut self, setup: &Setup, path: &str, packet: &PacketMatch) -> (NodeId, NodeId) {
        let from = self.node(setup, &format!("{path}/from"), &packet.from.0);
        let to = self.node(setup, &format!("{path}/to"), &packet.to.0);
        (from, to)
    }

    /// What is to happen to a process or a machine.
    fn process_kinds(&mut self, setup: &Setup, path: &str, entry: &FaultEntry) -> Vec<FaultKind> {
        let span = |ms: i64| Span::from_ms(ms as u64);
        let mut kinds = Vec::new();
        if let Some(action) = &entry.pause {
            let node = self.node(setup, &format!("{path}/pause/node"), &action.node.0);
            let cause = action.cause.map(|word| word.0).unwrap_or_default();
            kinds.push(FaultKind::Pause { node, length: action.for_ms.map(|ms| span(ms.0)), cause });
        }
        if let Some(action) = &entry.resume {
            kinds.push(FaultKind::Resume { node: self.node(setup, &format!("{path}/resume/node"), &action.node.0) });
        }
        if let Some(action) = &entry.suspend {
            let machine = self.machine(setup, &format!("{path}/suspend/machine"), &action.machine.0);
            kinds.push(FaultKind::Suspend { machine, length: action.for_ms.map(|ms| span(ms.0)) });
        }
        if let Some(action) = &entry.wake {
            let machine = self.machine(setup, &format!("{path}/wake/machine"), &action.machine.0);
            kinds.push(FaultKind::Wake { machine });
        }
        if let Some(action) = &entry.clock_jump {
            let machine = self.machine(setup, &format!("{path}/clock_jump/machine"), &action.machine.0);
            kinds.push(FaultKind::ClockJump { machine, by_us: action.by_ms.0 * 1000 });
        }
        if let Some(action) = &entry.clock_rate {
            let machine = self.machine(setup, &format!("{path}/clock_rate/machine"), &action.machine.0);
            kinds.push(FaultKind::ClockRate { machine, ppm: action.ppm.0 as i32 });
        }
        if let Some(action) = &entry.crash {
            let node = self.node(setup, &format!("{path}/crash/node"), &action.node.0);
            kinds.push(FaultKind::Crash { node, restart: action.restart_after_ms.map(|ms| span(ms.0)) });
        }
        if let Some(action) = &entry.power_loss {
            let machine = self.machine(setup, &format!("{path}/power_loss/machine"), &action.machine.0);
            kinds.push(FaultKind::PowerLoss { machine, restart: action.restart_after_ms.map(|ms| span(ms.0)) });
        }
        if let Some(action) = &entry.restart {
            kinds.push(FaultKind::Restart { node: self.node(setup, &format!("{path}/restart/node"), &action.node.0) });
        }
        kinds
    }

    /// What is to happen to links and connections.
    fn link_kinds(&mut self, setup: &Setup, path: &str, entry: &FaultEntry) -> Vec<FaultKind> {
        let mut kinds = Vec::new();
        let link = |this: &mut Self, name: &str, from: &str, to: &str| {
            let from_node = this.node(setup, &format!("{path}/{name}/from"), from);
            let to_node = this.node(setup, &format!("{path}/{name}/to"), to);
            if from == to {
                this.conflict(format!("{path}/{name}"), "a link has two different ends");
            }
            (from_node, to_node)
        };
        if let Some(action) = &entry.cut {
            let (from, to) = link(self, "cut", &action.from.0, &action.to.0);
            kinds.push(FaultKind::Cut { from, to, both: action.both.unwrap_or(true) });
        }
        if let Some(action) = &entry.heal {
            let (from, to) = link(self, "heal", &action.from.0, &action.to.0);
            kinds.push(FaultKind::Heal { from, to, both: action.both.unwrap_or(true) });
        }
        if let Some(action) = &entry.reset {
            let (from, to) = link(self, "reset", &action.from.0, &action.to.0);
            let notice = action.notice.map(|word| word.0).unwrap_or_default();
            kinds.push(FaultKind::Reset { from, to, notice, behind: action.behind });
        }
        if let Some(action) = &entry.cut_off {
            kinds.push(FaultKind::CutOff { node: self.node(setup, &format!("{path}/cut_off/node"), &action.node.0) });
        }
        if let Some(action) = &entry.rejoin {
            kinds.push(FaultKind::Rejoin { node: self.node(setup, &format!("{path}/rejoin/node"), &action.node.0) });
        }
        kinds
    }

    /// What is to happen to a packet. `matched` tells whether the trigger has one to offer.
    fn packet_kinds(&mut self, path: &str, entry: &FaultEntry, matched: bool) -> Vec<FaultKind> {
        let mut kinds = Vec::new();
        let packet = |this: &mut Self, name: &str, at: PacketAt| {
            if at.is_none() && !matched {
                let reason = "no packet is matched: the moment must be a `when` with `send` or `deliver`";
                this.conflict(format!("{path}/{name}"), reason);
            }
            at.map_or(PacketRef::Matched, |id| PacketRef::Id(PacketId(id.0 as u32)))
        };
        if let Some(action) = &entry.hold {
            kinds.push(FaultKind::Hold { packet: packet(self, "hold", action.packet) });
        }
        if let Some(action) = &entry.deliver_now {
            kinds.push(FaultKind::DeliverNow { packet: packet(self, "deliver_now", action.packet) });
        }
        if let Some(action) = &entry.delay {
            let by = Span::from_ms(action.by_ms.0 as u64);
            kinds.push(FaultKind::Delay { packet: packet(self, "delay", action.packet), by });
        }
        if let Some(action) = &entry.lose {
            let notice = action.notice.map(|word| word.0).unwrap_or_default();
            let packet = packet(self, "lose", action.packet);
            kinds.push(FaultKind::Lose { packet, delivered: action.delivered, notice });
        }
        if let Some(action) = &entry.resend {
            kinds.push(FaultKind::Resend { packet: packet(self, "resend", action.packet) });
        }
        kinds
    }
}

const fn matches_packet(trigger: Trigger) -> bool {
    matches!(trigger, Trigger::When { matcher: Matcher::Send { .. } | Matcher::Deliver { .. }, .. })
}
