//! Clocks: each machine has a wall clock that can step and a monotonic clock that cannot.

use crate::scenario;
use crate::vocabulary::{ClockChoice, Time};

const MILLION: i64 = 1_000_000;

/// A clock that runs at its own rate. All values are microseconds.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Clock {
    /// The true time at which `base` was shown.
    anchor: Time,
    base: i64,
    rate_ppm: i32,
    running: bool,
}

impl Clock {
    const fn new(base: i64, rate_ppm: i32) -> Self {
        Self { anchor: Time::ZERO, base, rate_ppm, running: true }
    }

    /// What the clock shows.
    pub const fn read(&self, now: Time) -> i64 {
        if !self.running {
            return self.base;
        }
        let elapsed = now.since(self.anchor).0 as i64;
        self.base + elapsed + elapsed * self.rate_ppm as i64 / MILLION
    }

    /// The first true time, from `now` on, at which the clock shows at least `value`; `None` if it stands still
    /// before that.
    pub const fn reaches(&self, value: i64, now: Time) -> Option<Time> {
        if value <= self.read(now) {
            return Some(now);
        }
        if !self.running {
            return None;
        }
        let missing = (value - self.base) as i128;
        let mut elapsed = (missing * MILLION as i128 / (MILLION + self.rate_ppm as i64) as i128) as u64;
        elapsed = elapsed.saturating_sub(1);
        while self.read(Time(self.anchor.0 + elapsed)) < value {
            elapsed += 1;
        }
        Some(Time(self.anchor.0 + elapsed))
    }

    const fn rebase(&mut self, now: Time) {
        self.base = self.read(now);
        self.anchor = now;
    }
}

/// A machine during a run: its clocks and its power.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct MachineState {
    wall: Clock,
    monotonic: Clock,
    powered: bool,
    suspended: Option<Time>,
    jumped_us: i64,
}

impl MachineState {
    pub(super) const fn new(machine: &scenario::Machine) -> Self {
        Self {
            wall: Clock::new(machine.wall_offset_us, machine.rate_ppm),
            monotonic: Clock::new(0, machine.rate_ppm),
            powered: true,
            suspended: None,
            jumped_us: 0,
        }
    }

    /// The wall clock in microseconds; 0 is 12:00:00.000.
    pub const fn wall_us(&self, now: Time) -> i64 {
        self.wall.read(now)
    }

    /// The monotonic clock in microseconds.
    pub const fn mono_us(&self, now: Time) -> i64 {
        self.monotonic.read(now)
    }

    /// The chosen clock; code that does not look at a clock gets the monotonic one.
    pub const fn clock(&self, choice: ClockChoice) -> &Clock {
        match choice {
            ClockChoice::Wall => &self.wall,
            ClockChoice::Monotonic | ClockChoice::None => &self.monotonic,
        }
    }

    /// Whether the machine has power.
    pub const fn powered(&self) -> bool {
        self.powered
    }

    /// Since when the machine sleeps, if it does.
    pub const fn suspended(&self) -> Option<Time> {
        self.suspended
    }

    /// How much faster than true time its clocks run, in parts per million.
    pub const fn rate_ppm(&self) -> i32 {
        self.wall.rate_ppm
    }

    /// By how much the wall clock was set, all jumps together, in microseconds.
    pub const fn jumped_us(&self) -> i64 {
        self.jumped_us
    }

    pub(super) const fn jump(&mut self, by_us: i64) {
        self.wall.base = self.wall.base.saturating_add(by_us);
        self.jumped_us = self.jumped_us.saturating_add(by_us);
    }

    pub(super) const fn set_rate(&mut self, ppm: i32, now: Time) {
        self.wall.rebase(now);
        self.monotonic.rebase(now);
        self.wall.rate_ppm = ppm;
        self.monotonic.rate_ppm = ppm;
    }

    pub(super) const fn suspend(&mut self, stops_monotonic: bool, now: Time) {
        self.suspended = Some(now);
        if stops_monotonic {
            self.monotonic.rebase(now);
            self.monotonic.running = false;
        }
    }

    pub(super) const fn wake(&mut self, now: Time) {
        self.suspended = None;
        self.monotonic.rebase(now);
        self.monotonic.running = true;
    }

    pub(super) const fn set_power(&mut self, on: bool) {
        self.powered = on;
        self.suspended = None;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reaches_is_the_first_instant() {
        for ppm in [-20_000, -1, 0, 1, 500, 20_000] {
            let clock = Clock::new(123, ppm);
            for value in [124, 1_000, 999_999, 10_000_123, 86_400_000_000] {
                let at = clock.reaches(value, Time::ZERO).expect("the clock runs");
                assert!(clock.read(at) >= value);
                assert!(clock.read(Time(at.0 - 1)) < value, "{ppm} {value}");
            }
        }
    }

    #[test]
    fn a_stopped_clock_reaches_nothing() {
        let mut machine = MachineState::new(&scenario::Machine {
            name: String::new(),
            wall_offset_us: 0,
            rate_ppm: 0,
            suspend_stops_monotonic: true,
        });
        machine.suspend(true, Time(50));
        assert_eq!(machine.mono_us(Time(90)), 50);
        assert_eq!(machine.clock(ClockChoice::Monotonic).reaches(60, Time(90)), None);
        machine.wake(Time(100));
        assert_eq!(machine.clock(ClockChoice::Monotonic).reaches(60, Time(100)), Some(Time(110)));
        assert_eq!(machine.wall_us(Time(100)), 100);
    }
}
