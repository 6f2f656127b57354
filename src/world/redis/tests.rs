//! Transcripts of one node: what a client would see in `redis-cli`, at chosen readings of the wall clock.

use std::fmt::Write as _;

use expect_test::{Expect, expect};

use super::{RedisBench, replication};
use crate::vocabulary::{ClockChoice, ConnId, KeyId, NodeId, Persistence, RedisConfig, ServiceIx, Span};
use crate::world::disk::DiskImage;
use crate::world::message::{Message, RedisCommand, RedisReply, RedisValue, SetExpire, SetWhen};
use crate::world::observation::Observation;
use crate::world::out::Command;
use crate::world::process::Input;

const LOCK: KeyId = KeyId::lock(ServiceIx(0));
const COUNTER: KeyId = KeyId::counter(ServiceIx(0));
const MINE: RedisValue = RedisValue::Nonce(1);
const OTHER: RedisValue = RedisValue::Nonce(2);

/// One node and the transcript.
struct Session {
    bench: RedisBench,
    transcript: String,
}

impl Session {
    fn new(persistence: Persistence, expiry_clock: ClockChoice) -> Self {
        let config = RedisConfig { persistence, expiry_clock, counter_start: 0 };
        Self { bench: RedisBench::new(config, 0), transcript: String::new() }
    }

    /// Runs a command at a reading of the wall clock.
    fn at(&mut self, wall_ms: i64, from: u16, command: RedisCommand) {
        let reply = self.bench.execute_from(NodeId(from), us(wall_ms), command);
        let name = Message::Redis { rpc: 0, command }.kind().name();
        for asked in &self.bench.asked {
            if let Command::Note(Observation::Ended { why, .. }) = asked {
                writeln!(self.transcript, "{wall_ms} (ended: {why:?})").expect("a string takes it");
            }
        }
        writeln!(self.transcript, "{wall_ms} {name:?} -> {reply:?}").expect("a string takes it");
    }

    #[expect(clippy::needless_pass_by_value, reason = "`expect!` makes a value at the place of use")]
    fn check(self, expected: Expect) {
        expected.assert_eq(&self.transcript);
    }
}

/// Within the millisecond.
const fn us(wall_ms: i64) -> i64 {
    wall_ms * 1000 + 500
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
    session.at(5, 0, set_nx_px(MINE, 10_000));
    let timer = Command::SetTimer { timer: 0, clock: ClockChoice::Wall, due_us: 10_005_000 };
    assert!(session.bench.asked.contains(&timer));
    session.bench.expire_cycle(us(10_004));
    assert!(session.bench.node().entry(LOCK).is_some());
    session.bench.expire_cycle(us(10_005));
    assert_eq!(session.bench.node().entry(LOCK), None);
}

#[test]
fn a_jump_of_the_wall_clock_expires_a_key_unless_expiry_is_monotonic() {
    let get_after_jump = |clock| {
        let mut session = Session::new(Persistence::None, clock);
        session.at(0, 0, set_nx_px(MINE, 10_000));
        session.at(60_000, 1, RedisCommand::Get { key: LOCK });
        session.bench.node().entry(LOCK).is_some()
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

#[test]
fn a_script_that_fails_is_not_rolled_back() {
    let mut session = Session::new(Persistence::None, ClockChoice::Wall);
    let lock = |ttl_ms| RedisCommand::LockScript {
        key: LOCK,
        value: MINE,
        ttl: Some(Span::from_ms(ttl_ms)),
        counter: COUNTER,
    };
    session.at(0, 0, RedisCommand::SetNx { key: COUNTER, value: OTHER });
    session.at(0, 0, lock(0));
    session.at(0, 0, RedisCommand::Get { key: LOCK });
    session.at(0, 0, lock(100));
    session.at(0, 0, RedisCommand::PTtl { key: LOCK });
    session.at(0, 0, RedisCommand::ExtendOrSet { key: LOCK, value: OTHER, ttl: Span::ZERO });
    session.check(expect![[r#"
        0 "setnx" -> Int(1)
        0 "lock-script" -> Error(InvalidExpire)
        0 "get" -> Nil
        0 "lock-script" -> Error(NotAnInteger)
        0 "pttl" -> Int(100)
        0 "extend-or-set" -> Error(InvalidExpire)
    "#]]);
}

/// What the commands of one write leave in the page cache and on the disk.
fn traces(persistence: Persistence) -> (bool, bool, bool) {
    let mut session = Session::new(persistence, ClockChoice::Wall);
    session.at(0, 0, set_nx_px(MINE, 10_000));
    let place = |wanted: fn(&Command) -> bool| session.bench.asked.iter().position(wanted);
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
fn every_second_is_a_second_of_the_wall_clock() {
    let mut session = Session::new(Persistence::EverySecond, ClockChoice::Wall);
    session.at(100, 0, set_nx_px(MINE, 10_000));
    assert!(!session.bench.sync_if_due(us(999)), "it started in this second");
    assert!(session.bench.sync_if_due(us(1_000)));
    session.at(1_001, 0, RedisCommand::Del { key: LOCK });
    assert!(!session.bench.sync_if_due(us(-60_000)), "a clock that was set back");
    session.bench.power_loss(us(1_500));
    assert!(session.bench.node().entry(LOCK).is_some(), "the deletion was not synced");
    session.at(4_200, 0, RedisCommand::Del { key: LOCK });
    assert!(session.bench.sync_if_due(us(4_200)), "the first write of a second is synced at once");
}

#[test]
fn a_restart_replays_absolute_deadlines() {
    let mut session = Session::new(Persistence::Always, ClockChoice::Wall);
    session.at(0, 0, set_nx_px(MINE, 10_000));
    session.bench.crash(us(4_000));
    session.at(4_000, 1, RedisCommand::PTtl { key: LOCK });
    session.at(10_001, 1, RedisCommand::PTtl { key: LOCK });
    session.check(expect![[r#"
        0 "set" -> Ok
        4000 "pttl" -> Int(6000)
        10001 (ended: Expired)
        10001 "pttl" -> Int(-2)
    "#]]);
}

/// The bench's monotonic clock stands still; the real server is asked the same in `tests/fidelity/facts.rs`.
#[test]
fn wait_goes_by_the_wall_clock() {
    let mut session = Session::new(Persistence::None, ClockChoice::Wall);
    let command = RedisCommand::Wait { replicas: 1, timeout: Span::from_ms(100) };
    let message = Message::Redis { rpc: 0, command };
    session.bench.handle(us(0), Input::Message { from: NodeId(0), conn: ConnId(0), message: &message });
    let answered = |session: &Session| {
        let reply = Message::RedisReply { rpc: 0, reply: RedisReply::Int(0) };
        session.bench.asked.iter().any(|asked| matches!(asked, Command::Reply { message, .. } if *message == reply))
    };
    assert!(!answered(&session));
    session.bench.handle(us(99), Input::Timer(replication::WAITS));
    assert!(!answered(&session));
    session.bench.handle(us(100), Input::Timer(replication::WAITS));
    assert!(answered(&session));
}
