//! Timers, pauses and the order in which a process goes on after one.

use super::World;
use super::process::{Due, Run, Timer, Waiting};
use super::queue::{Pending, Scheduled};
use super::record::{Effect, Record};
use crate::vocabulary::{MachineId, NodeId, StepIx};

impl World {
    pub(super) fn set_timer(&mut self, node: NodeId, id: u32, due: Due) {
        self.cancel_timer(node, id);
        let cause = StepIx(self.steps);
        let seq = self.next_seq;
        self.next_seq += 1;
        let timers = &mut self.process_mut(node).timers;
        // Histories keep this list: no room to spare.
        timers.reserve_exact(1);
        timers.push(Timer { id, due, seq, cause });
        self.queue_timer(node, Timer { id, due, seq, cause });
    }

    /// A timer that was cancelled or replaced is gone from the kernel buffer too.
    pub(super) fn cancel_timer(&mut self, node: NodeId, id: u32) {
        let process = self.process(node);
        let known = process.timers.iter().any(|timer| timer.id == id);
        let waits =
            process.buffer().iter().any(|waiting| matches!(waiting, Waiting::Timer { timer, .. } if *timer == id));
        if known {
            self.queue.remove(Pending::timer(node, id));
            self.process_mut(node).timers.retain(|timer| timer.id != id);
        }
        if waits {
            let buffer = &mut self.process_mut(node).halted_mut().buffer;
            buffer.retain(|waiting| !matches!(waiting, Waiting::Timer { timer, .. } if *timer == id));
            if buffer.is_empty() {
                self.queue.remove(Pending::Drain(node));
            }
        }
    }

    /// Puts a timer where it belongs in the queue, by the clocks as they are now.
    pub(super) fn queue_timer(&mut self, node: NodeId, timer: Timer) {
        let at = match timer.due {
            Due::Clock(choice, due_us) => {
                self.machine(self.setup.machine_of(node)).clock(choice).reaches(due_us, self.now)
            }
            Due::Cpu { left, from } => self.process(node).is_up().then(|| from + left),
        };
        if let Some(at) = at {
            let what = Pending::timer(node, timer.id);
            self.queue.push(Scheduled::new(at, timer.seq, Some(timer.cause), what));
        }
    }

    /// Puts all timers of a machine that depend on a clock where they belong now.
    pub(super) fn requeue_clock_timers(&mut self, machine: MachineId) {
        for node in self.nodes_on(machine) {
            let timers = self.process(node).timers.clone();
            for timer in timers {
                if let Due::Clock(..) = timer.due {
                    self.queue.remove(Pending::timer(node, timer.id));
                    self.queue_timer(node, timer);
                }
            }
        }
    }

    /// Stops a process's CPU time and remembers an interrupted line.
    pub(super) fn freeze(&mut self, node: NodeId, run: Run) {
        let now = self.now;
        let line = |matched: bool| Pending::Run { node, matched };
        let interrupted = [true, false].into_iter().find(|matched| self.queue.remove(line(*matched)).is_some());
        self.queue.remove(Pending::Drain(node));
        let process = self.process_mut(node);
        let halted = process.halted_mut();
        halted.run = run;
        halted.interrupted = halted.interrupted.or(interrupted);
        let mut stopped = Vec::new();
        for timer in &mut process.timers {
            if let Due::Cpu { left, from } = &mut timer.due {
                *left = *left - now.since(*from);
                *from = now;
                stopped.push(timer.id);
            }
        }
        for timer in stopped {
            self.queue.remove(Pending::timer(node, timer));
        }
    }

    /// Lets a process go on: first what was interrupted, then its kernel buffer in order.
    pub(super) fn resume(&mut self, node: NodeId, record: &mut Record) {
        let now = self.now;
        self.queue.remove(Pending::Resume(node));
        let process = self.process_mut(node);
        let halted = process.halted_mut();
        halted.run = Run::Up;
        let interrupted = halted.interrupted.take();
        let mut unfinished = std::mem::take(&mut halted.unfinished);
        let mut working = Vec::new();
        for timer in &mut process.timers {
            if let Due::Cpu { from, .. } = &mut timer.due {
                *from = now;
                working.push(*timer);
            }
        }
        record.effects.push(Effect::Resumed { node });
        for timer in working {
            self.queue_timer(node, timer);
        }
        if let Some(matched) = interrupted {
            self.schedule(now, Pending::Run { node, matched }, Some(record.ix));
        }
        self.carry_out(node, &mut unfinished, record);
        self.drain_on(node, record);
    }

    /// Plans the next taking from a kernel buffer, if there is something and the process runs.
    pub(super) fn drain_on(&mut self, node: NodeId, record: &Record) {
        let process = self.process(node);
        if process.is_up() && !process.buffer().is_empty() {
            self.schedule(self.now, Pending::Drain(node), Some(record.ix));
        } else {
            self.process_mut(node).settle();
        }
    }
}
