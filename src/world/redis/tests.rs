//! Transcripts of one node: what a client would see in `redis-cli`, at chosen readings of the wall clock.

use std::fmt::Write as _;
use std::sync::Arc;

use expect_test::{Expect, expect};

use super::RedisNode;
use crate::scenario::{Network, Setup};
use crate::vocabulary::{ClockChoice, ConnId, KeyId, Latency, NodeId, Persistence, RedisConfig, ServiceIx, Span};
use crate::world::disk::DiskImage;
use crate::world::message::{Message, RedisCommand, RedisValue, SetExpire, SetWhen};
use crate::world::observation::Observation;
use crate::world::out::{Command, Ctx, Out};

const LOCK: KeyId = KeyId::lock(ServiceIx(0));
const COUNTER: KeyId = KeyId::counter(ServiceIx(0));
const MINE: RedisValue = RedisValue::Nonce(1);
const OTHER: RedisValue = RedisValue::Nonce(2);

/// One node, a clock that the test sets, and the transcript.
struct Session {
    setup: Setup,
    node: RedisNode,
    fresh: u32,
    wall_ms: i64,
    mono_ms: i64,
    transcript: String,
}

impl Session {
    fn new(persistence: Persistence, expiry_clock: ClockChoice) -> Self {
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
        let config = RedisConfig { persistence, expiry_clock, counter_start: 0 };
        let node = RedisNode::new(ServiceIx(0), config);
        Self { setup, node, fresh: 0, wall_ms: 0, mono_ms: 0, transcript: String::new() }
    }

    fn with<T>(&mut self, act: impl FnOnce(&mut RedisNode, Ctx<'_>, &mut Out<'_>) -> T) -> (T, Vec<Command>) {
        let mut commands = Vec::new();
        let ctx =
            Ctx { setup: &self.setup, me: NodeId(9), wall_us: self.wall_ms * 1000 + 500, mono_us: self.mono_ms * 1000 };
        let answer = act(&mut self.node, ctx, &mut Out { commands: &mut commands, fresh: &mut self.fresh });
        (answer, commands)
    }

    /// Runs a command at a reading of the wall clock.
    fn at(&mut self, wall_ms: i64, from: u16, command: RedisCommand) -> Vec<Command> {
        self.wall_ms = wall_ms;
        let message = Message::Redis { rpc: 0, command };
        let ((), commands) = self.with(|node, ctx, out| node.on_message(NodeId(from), ConnId(0), message, ctx, out));
        for command in &commands {
            match command {
                Command::Reply { message: Message::RedisReply { reply, .. }, .. } => {
                    writeln!(self.transcript, "{wall_ms} {:?} -> {reply:?}", command_name(message)).expect("a string");
                }
                Command::Note(Observation::Ended { why, .. }) => {
                    writeln!(self.transcript, "{wall_ms} (ended: {why:?})").expect("a string takes it");
                }
                _ => {}
            }
        }
        commands
    }

    #[expect(clippy::needless_pass_by_value, reason = "`expect!` makes a value at the place of use")]
    fn check(self, expected: Expect) {
        expected.assert_eq(&self.transcript);
    }
}

fn command_name(message: Message) -> &'static str {
    message.kind().name()
}

fn set_nx_px(value: RedisValue, ttl_ms: u64) -> RedisCommand {
    let expire = SetExpire::After(Span::from_ms(ttl_ms));
    RedisCommand::Set { key: LOCK, value, when: SetWhen::Missing, expire }
}

#[test]
fn a_key_lives_through_its_deadline_and_not_a_millisecond_longer() {
    let mut session = Session::new(Persistence::None, ClockChoice::Wall);
    session.at(5, 0, set_nx_px(MINE, 10_000));
    session.at(10_004, 1, RedisCommand::PTtl { key: LOCK });
    session.at(10_005, 1, set_nx_px(OTHER, 10_000));
    session.at(10_005, 1, RedisCommand::Get { key: LOCK });
    session.at(10_006, 1, RedisCommand::Get { key: LOCK });
    session.at(10_006, 1, RedisCommand::PTtl { key: LOCK });
    session.at(10_006, 1, set_nx_px(OTHER, 10_000));
    session.check(expect![[r#"
        5 "set" -> Ok
        10004 "pttl" -> Int(1)
        10005 "set" -> Nil
        10005 "get" -> Value(Nonce(1))
        10006 (ended: Expired)
        10006 "get" -> Nil
        10006 "pttl" -> Int(-2)
        10006 "set" -> Ok
    "#]]);
}

#[test]
fn the_active_cycle_takes_a_key_at_its_deadline() {
    let mut session = Session::new(Persistence::None, ClockChoice::Wall);
    let commands = session.at(5, 0, set_nx_px(MINE, 10_000));
    assert!(commands.contains(&Command::SetTimer { timer: 0, clock: ClockChoice::Wall, due_us: 10_005_000 }));
    session.wall_ms = 10_005;
    session.with(|node, ctx, out| node.on_timer(0, ctx, out));
    assert_eq!(session.node.entry(LOCK), None);
}

#[test]
fn a_jump_of_the_wall_clock_expires_a_key_unless_expiry_is_monotonic() {
    let get_after_jump = |clock| {
        let mut session = Session::new(Persistence::None, clock);
        session.at(0, 0, set_nx_px(MINE, 10_000));
        session.at(60_000, 1, RedisCommand::Get { key: LOCK });
        session.node.entry(LOCK).is_some()
    };
    assert!(!get_after_jump(ClockChoice::Wall));
    assert!(get_after_jump(ClockChoice::Monotonic));
}

#[test]
fn release_compares_and_plain_delete_does_not() {
    let mut session = Session::new(Persistence::None, ClockChoice::Wall);
    session.at(0, 0, set_nx_px(MINE, 10_000));
    session.at(1, 1, RedisCommand::CompareDelete { key: LOCK, value: OTHER });
    session.at(2, 0, RedisCommand::CompareExtend { key: LOCK, value: MINE, ttl: Span::from_ms(500) });
    session.at(3, 0, RedisCommand::PTtl { key: LOCK });
    session.at(4, 1, RedisCommand::Del { key: LOCK });
    session.at(5, 0, RedisCommand::CompareDelete { key: LOCK, value: MINE });
    session.check(expect![[r#"
        0 "set" -> Ok
        1 "compare-delete" -> Int(0)
        2 "compare-extend" -> Int(1)
        3 "pttl" -> Int(499)
        4 (ended: RemovedByOther)
        4 "del" -> Int(1)
        5 "compare-delete" -> Int(0)
    "#]]);
}

#[test]
fn set_conditions_and_deadlines() {
    let mut session = Session::new(Persistence::None, ClockChoice::Wall);
    let set = |when, expire| RedisCommand::Set { key: LOCK, value: MINE, when, expire };
    session.at(0, 0, set(SetWhen::Exists, SetExpire::Never));
    session.at(0, 0, set(SetWhen::Always, SetExpire::After(Span::ZERO)));
    session.at(0, 0, RedisCommand::SetNx { key: LOCK, value: MINE });
    session.at(0, 0, RedisCommand::SetNx { key: LOCK, value: OTHER });
    session.at(0, 0, RedisCommand::PTtl { key: LOCK });
    session.at(0, 0, RedisCommand::PExpire { key: LOCK, ttl: Span::from_ms(100) });
    session.at(10, 0, set(SetWhen::Exists, SetExpire::Keep));
    session.at(10, 0, RedisCommand::PTtl { key: LOCK });
    session.at(10, 0, set(SetWhen::Always, SetExpire::Never));
    session.at(10, 0, RedisCommand::PTtl { key: LOCK });
    session.at(10, 0, RedisCommand::Incr { key: LOCK });
    session.at(10, 0, RedisCommand::PExpire { key: LOCK, ttl: Span::ZERO });
    session.at(10, 0, RedisCommand::PExpire { key: LOCK, ttl: Span::from_ms(1) });
    session.check(expect![[r#"
        0 "set" -> Nil
        0 "set" -> Error(InvalidExpire)
        0 "setnx" -> Int(1)
        0 "setnx" -> Int(0)
        0 "pttl" -> Int(-1)
        0 "pexpire" -> Int(1)
        10 "set" -> Ok
        10 "pttl" -> Int(90)
        10 "set" -> Ok
        10 "pttl" -> Int(-1)
        10 "incr" -> Error(NotAnInteger)
        10 (ended: Expired)
        10 "pexpire" -> Int(1)
        10 "pexpire" -> Int(0)
    "#]]);
}

#[test]
fn tokens_are_counted_with_the_grant() {
    let mut session = Session::new(Persistence::None, ClockChoice::Wall);
    let lock = |value| RedisCommand::LockScript { key: LOCK, value, ttl: Some(Span::from_ms(100)), counter: COUNTER };
    session.at(0, 0, lock(MINE));
    session.at(50, 1, lock(OTHER));
    session.at(101, 1, lock(OTHER));
    session.check(expect![[r#"
        0 "lock-script" -> Int(1)
        50 "lock-script" -> Nil
        101 (ended: Expired)
        101 "lock-script" -> Int(2)
    "#]]);
}

/// What the commands of one write leave in the page cache and on the disk.
fn traces(persistence: Persistence) -> (bool, bool, bool) {
    let mut session = Session::new(persistence, ClockChoice::Wall);
    let commands = session.at(0, 0, set_nx_px(MINE, 10_000));
    let place = |wanted: fn(&Command) -> bool| commands.iter().position(wanted);
    let written = place(|command| matches!(command, Command::Write(DiskImage::Redis(_))));
    let synced = place(|command| *command == Command::Fsync);
    let replied = place(|command| matches!(command, Command::Reply { .. }));
    (written.is_some(), synced.is_some(), synced < replied)
}

#[test]
fn persistence_writes_and_syncs_before_the_reply_as_its_policy_says() {
    assert_eq!(traces(Persistence::None), (false, false, true));
    assert_eq!(traces(Persistence::EverySecond), (true, false, true));
    assert_eq!(traces(Persistence::Always), (true, true, true));
}

#[test]
fn a_restart_replays_absolute_deadlines() {
    let mut session = Session::new(Persistence::Always, ClockChoice::Wall);
    let commands = session.at(0, 0, set_nx_px(MINE, 10_000));
    let image = commands.iter().find_map(|command| match command {
        Command::Write(DiskImage::Redis(store)) => Some(DiskImage::Redis(Arc::clone(store))),
        _ => None,
    });
    session.node = RedisNode::new(ServiceIx(0), *session.node.config());
    session.wall_ms = 4_000;
    session.with(|node, ctx, out| node.on_restart(&image.expect("it was written"), ctx, out));
    session.at(4_000, 1, RedisCommand::PTtl { key: LOCK });
    session.at(10_001, 1, RedisCommand::PTtl { key: LOCK });
    session.check(expect![[r#"
        0 "set" -> Ok
        4000 "pttl" -> Int(6000)
        10001 (ended: Expired)
        10001 "pttl" -> Int(-2)
    "#]]);
}
