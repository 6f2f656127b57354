//! A Redis node by itself, without a World: for comparing it with a real server, command by command.
//!
//! Whoever holds the bench is its environment: says what the wall clock shows, when the expire cycle comes round, when
//! the process is killed or the power goes. The monotonic clock stands still.

use super::{EXPIRE_CYCLE, FSYNC, RedisNode};
use crate::scenario::{Network, Role, Setup};
use crate::vocabulary::{ConnId, Latency, NodeId, RedisConfig, ServiceIx, Span, Time};
use crate::world::message::{Message, RedisCommand, RedisReply};
use crate::world::out::{Command, Ctx, Out};
use crate::world::process::{Input, Process};

const NODE: NodeId = NodeId(u16::MAX);

/// A Redis node with its files and nothing around it.
pub struct RedisBench {
    setup: Setup,
    role: Role,
    process: Process,
    fresh: u32,
    /// When the next sync is due, on the wall clock.
    sync_due_us: Option<i64>,
    /// What the node asked for when it last handled something.
    pub(super) asked: Vec<Command>,
}

impl RedisBench {
    /// A node that starts with empty files when the wall clock shows `wall_us` (microseconds since an epoch of the
    /// caller's).
    pub fn new(config: RedisConfig, wall_us: i64) -> Self {
        let latency = Latency { min: Span::ZERO, max: Span::ZERO };
        let setup = Setup {
            seed: 0,
            horizon: Span::ZERO,
            machines: Vec::new(),
            nodes: Vec::new(),
            network: Network { latency, links: Vec::new() },
            services: Vec::new(),
            resources: Vec::new(),
            clients: Vec::new(),
            progress_max: None,
        };
        let role = Role::Redis(ServiceIx(0), config);
        let process = Process::new(role, &setup);
        let mut bench = Self { setup, role, process, fresh: 0, sync_due_us: None, asked: Vec::new() };
        bench.handle(wall_us, Input::Start);
        bench
    }

    /// What the node keeps.
    pub const fn node(&self) -> &RedisNode {
        self.process.state().redis().expect("the process is a Redis node")
    }

    /// Runs one command.
    pub fn execute(&mut self, wall_us: i64, command: RedisCommand) -> RedisReply {
        self.execute_from(NodeId(0), wall_us, command)
    }

    pub(super) fn execute_from(&mut self, client: NodeId, wall_us: i64, command: RedisCommand) -> RedisReply {
        let message = Message::Redis { rpc: 0, command };
        self.handle(wall_us, Input::Message { from: client, conn: ConnId(0), message: &message });
        let reply = self.asked.iter().find_map(|asked| match asked {
            Command::Reply { message: Message::RedisReply { reply, .. }, .. } => Some(*reply),
            _ => None,
        });
        reply.expect("a node answers every command at once")
    }

    /// The cycle that removes expired keys comes round.
    pub fn expire_cycle(&mut self, wall_us: i64) {
        self.handle(wall_us, Input::Timer(EXPIRE_CYCLE));
    }

    /// Lets the node sync its file if its policy says so at this reading of the clock. Returns whether it did.
    pub fn sync_if_due(&mut self, wall_us: i64) -> bool {
        let due = self.sync_due_us.is_some_and(|due| wall_us >= due);
        if due {
            self.sync_due_us = None;
            self.handle(wall_us, Input::Timer(FSYNC));
        }
        due
    }

    /// The process is killed, and started again when the wall clock shows `wall_us`. The page cache survives.
    pub fn crash(&mut self, wall_us: i64) {
        self.restart(wall_us, false);
    }

    /// The machine loses power; the process is started again when the wall clock shows `wall_us`.
    pub fn power_loss(&mut self, wall_us: i64) {
        self.restart(wall_us, true);
    }

    fn restart(&mut self, wall_us: i64, power: bool) {
        self.sync_due_us = None;
        self.process.end(self.role, &self.setup, power, Time::ZERO);
        self.handle(wall_us, Input::Restart);
    }

    pub(super) fn handle(&mut self, wall_us: i64, input: Input<'_>) {
        self.asked.clear();
        let ctx = Ctx { setup: &self.setup, me: NODE, wall_us, mono_us: 0 };
        self.process.handle(input, ctx, &mut Out { commands: &mut self.asked, fresh: &mut self.fresh });
        for asked in &self.asked {
            match asked {
                Command::Write(image) => self.process.disk_mut().written = image.clone(),
                Command::Fsync => self.process.disk_mut().fsync(),
                Command::SetTimer { timer: FSYNC, due_us, .. } => self.sync_due_us = Some(*due_us),
                _ => {}
            }
        }
    }
}
