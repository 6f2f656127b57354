//! The model and the server side by side: everything is done to both, and both are asked.

use lockstep::vocabulary::{ClockChoice, Persistence, RedisConfig};
use lockstep::world::{RedisBench, RedisCommand};

use crate::Outcome;
use crate::draw::KEYS;
use crate::report::Tally;
use crate::resp::Reply;
use crate::server::{Kind, Server};
use crate::words::{agree, key, request, shown};

const DAY_US: i64 = 86_400_000_000;
/// Rounds of the server's expire cycle that must have passed before a key counts as left alone by it.
const ROUNDS: u32 = 5;

/// A model and a server that are to agree.
pub(crate) struct Pair {
    kind: Kind,
    server: Server,
    model: RedisBench,
    now_us: i64,
    day: i64,
    /// What happened in this sequence.
    log: Vec<String>,
    /// Whether they have differed.
    differs: bool,
    pub(crate) tally: Tally,
}

impl Pair {
    pub(crate) fn new(kind: Kind, day: i64) -> Outcome<Self> {
        let now_us = day * DAY_US;
        let server = Server::start(kind, now_us)?;
        let model = new_model(kind, now_us);
        Ok(Self { kind, server, model, now_us, day, log: Vec::new(), differs: false, tally: Tally::default() })
    }

    pub(crate) const fn server(&mut self) -> &mut Server {
        &mut self.server
    }

    pub(crate) const fn now_us(&self) -> i64 {
        self.now_us
    }

    pub(crate) const fn differs(&self) -> bool {
        self.differs
    }

    /// What happened in the sequence that differs.
    pub(crate) fn difference(&mut self) -> Option<Vec<String>> {
        std::mem::take(&mut self.differs).then(|| std::mem::take(&mut self.log))
    }

    /// The deadlines that the model keeps, passed ones included.
    pub(crate) fn deadlines(&self) -> Vec<i64> {
        self.model.node().store().iter().filter_map(|(_, entry)| entry.deadline).collect()
    }

    /// Both start anew, on a later day: what went before can then have no influence, as the day's first command
    /// (`FLUSHALL`) is synced at once under every policy that syncs.
    pub(crate) fn begin(&mut self, start_us: i64) -> Outcome {
        self.log.clear();
        self.day += 1;
        self.now_us = self.day * DAY_US + start_us;
        self.server.set_clock(self.now_us)?;
        self.server.ask(&["FLUSHALL"])?;
        if self.kind.persistence == Persistence::EverySecond {
            self.wait_for_sync("FLUSHALL")?;
        }
        self.model = new_model(self.kind, self.now_us);
        Ok(())
    }

    /// One command to both.
    pub(crate) fn command(&mut self, command: RedisCommand, in_seconds: bool) -> Outcome {
        let words = request(command, in_seconds);
        self.tally.commands += 1;
        let entry = key(command).and_then(|key| self.model.node().entry(key));
        self.tally.at_a_deadline(entry.and_then(|entry| entry.deadline), self.now_us);
        let expected = self.model.execute(self.now_us, command);
        let reply = self.server.ask(&words)?;
        let agreed = agree(expected, &reply);
        self.log.push(format!("{} {} -> {}", self.clock(), shown(&words), said(&reply)));
        if !agreed {
            self.differ(&format!("the model says {expected:?}"));
        }
        self.sync()
    }

    /// The clock shows another time.
    pub(crate) fn step_clock(&mut self, wall_us: i64) -> Outcome {
        let steps = if wall_us >= self.now_us { &mut self.tally.steps_forward } else { &mut self.tally.steps_back };
        *steps += 1;
        let pending = if self.kind.persistence == Persistence::EverySecond { self.server.written()? } else { 0 };
        self.now_us = wall_us;
        self.server.set_clock(wall_us)?;
        self.log.push(format!("{} the clock was set", self.clock()));
        // The server looks at its clock when it runs a command.
        self.server.ask(&["PING"])?;
        if self.kind.active_expiry { self.settle(pending) } else { self.sync() }
    }

    /// `kill -9`, and a new start when the clock shows `wall_us`.
    pub(crate) fn kill(&mut self, wall_us: i64) -> Outcome {
        self.tally.kills += 1;
        self.log.push(format!("{} kill -9", self.clock()));
        self.server.kill()?;
        self.model.crash(wall_us);
        self.restart(wall_us)
    }

    /// The power goes, and comes back when the clock shows `wall_us`.
    pub(crate) fn power_loss(&mut self, wall_us: i64) -> Outcome {
        self.tally.power_losses += 1;
        self.log.push(format!("{} power loss", self.clock()));
        if self.kind.persistence != Persistence::None && self.server.synced()? < self.server.written()? {
            self.tally.torn_files += self.if_counted();
        }
        self.server.kill()?;
        self.server.lose_page_cache()?;
        self.model.power_loss(wall_us);
        self.restart(wall_us)
    }

    /// Right after its start a server removes expired keys, whether it was told not to or not yet; so every key is touched.
    fn restart(&mut self, wall_us: i64) -> Outcome {
        self.now_us = wall_us;
        self.server.set_clock(wall_us)?;
        self.server.restart()?;
        self.log.push(format!("{} the server is back", self.clock()));
        if self.kind.active_expiry {
            self.settle(0)?;
        }
        self.look()
    }

    /// Every key, as a client sees it.
    pub(crate) fn look(&mut self) -> Outcome {
        for key in KEYS {
            self.command(RedisCommand::PTtl { key }, false)?;
            self.command(RedisCommand::Get { key }, false)?;
        }
        Ok(())
    }

    /// Waits until the server's expire cycle has come round and lets the model's do the same. At its deadline itself a key
    /// may stay or go, which differs between versions; the model follows the server.
    fn settle(&mut self, pending: u64) -> Outcome {
        let now_ms = self.now_us.div_euclid(1000);
        let deadlines = self.deadlines();
        let due = |ms: i64| deadlines.iter().filter(|deadline| **deadline / 1000 < ms).count() as i64;
        let all = self.model.node().store().iter().count() as i64;
        let (passed, reached) = (due(now_ms), due(now_ms + 1));
        if !self.server.wait(|server| Ok(server.keys()? <= all - passed))? {
            self.differ(&format!("{passed} keys are past their deadline; the expire cycle does not remove them"));
        }
        if reached > passed {
            // A round is over when the server has looked at its timers, which it does between commands.
            let mut rounds = 0;
            self.server.wait(|server| {
                rounds += 1;
                Ok(server.keys()? == all - reached || rounds > ROUNDS * 4)
            })?;
        }
        let removed = self.server.keys()? == all - reached;
        if reached > passed {
            *(if removed { &mut self.tally.removed_at_deadline } else { &mut self.tally.kept_at_deadline }) += 1;
        }
        let cycle_us = if removed { self.now_us } else { self.now_us - 1000 };
        if self.kind.persistence == Persistence::EverySecond {
            // The server syncs and removes in either order; which it was decides what a power loss would leave.
            self.server.wait_quiet()?;
            let before_removing = self.server.synced()? == pending && self.server.written()? > pending;
            if before_removing && self.model.sync_if_due(self.now_us) {
                self.tally.syncs += self.if_counted();
            }
        }
        self.model.expire_cycle(cycle_us);
        self.sync()
    }

    /// Whether syncs are counted: not where the server is free to remove keys before a sync or after it, since the numbers
    /// are to be the same in every run.
    const fn if_counted(&self) -> u32 {
        !self.kind.active_expiry as u32
    }

    /// Lets the model sync if it is time, and waits until the server has done so too.
    fn sync(&mut self) -> Outcome {
        if self.model.sync_if_due(self.now_us) {
            self.tally.syncs += self.if_counted();
            self.wait_for_sync("the model syncs")?;
        }
        Ok(())
    }

    fn wait_for_sync(&mut self, why: &str) -> Outcome {
        if !self.server.wait(|server| Ok(server.synced()? == server.written()?))? {
            self.differ(&format!("{why}; the server does not sync"));
        }
        self.server.wait_quiet()
    }

    fn differ(&mut self, how: &str) {
        self.differs = true;
        self.log.push(format!("    DIFFERENCE: {how}"));
    }

    /// The time of the day, exactly.
    fn clock(&self) -> String {
        let us = self.now_us - self.day * DAY_US;
        format!("{:>10}.{:03} ms", us.div_euclid(1000), us.rem_euclid(1000))
    }
}

fn new_model(kind: Kind, wall_us: i64) -> RedisBench {
    let config = RedisConfig { persistence: kind.persistence, expiry_clock: ClockChoice::Wall, counter_start: 0 };
    RedisBench::new(config, wall_us)
}

fn said(reply: &Reply) -> String {
    match reply {
        Reply::Simple(word) => word.clone(),
        Reply::Error(text) => format!("({text})"),
        Reply::Int(number) => number.to_string(),
        Reply::Bulk(text) => format!("{text:?}"),
        Reply::Nil => "nil".to_owned(),
    }
}
