//! One node of several, message by message, at chosen readings of its clocks.

use std::sync::Arc;

use super::super::{EXPIRE_CYCLE, RedisNode};
use super::{CRON, OUTBOX, WAITS};
use crate::scenario::{Role, Setup, parse};
use crate::vocabulary::{ClockChoice, ConnId, KeyId, NodeId, ServiceIx, Span};
use crate::world::message::{
    Message, RedisCommand, RedisError, RedisReply, RedisValue, Replication, SentinelMessage, SetExpire, SetWhen,
};
use crate::world::observation::{Ending, Observation};
use crate::world::out::{Command, Ctx, Out};
use crate::world::redis::Entry;

const LOCK: KeyId = KeyId::lock(ServiceIx(0));
const COUNTER: KeyId = KeyId::counter(ServiceIx(0));
const MINE: RedisValue = RedisValue::Nonce(1);
const GET: RedisCommand = RedisCommand::Get { key: LOCK };
const SET: RedisCommand =
    RedisCommand::Set { key: LOCK, value: MINE, when: SetWhen::Missing, expire: SetExpire::After(Span::from_ms(1000)) };

/// A node, and what it asked for when it last handled something.
struct Bench {
    setup: Arc<Setup>,
    me: NodeId,
    node: RedisNode,
    asked: Vec<Command>,
    fresh: u32,
}

impl Bench {
    /// The primary redis-a of redis-b and redis-c, or one of those.
    fn new(name: &str, replicas: &str) -> Self {
        let file = format!(
            r#"{{ "format": 1, "id": "bench", "title": {{ "en": "a", "ko": "a" }}, "summary": {{ "en": "a", "ko": "a" }},
                "services": {{ "lock": {{ "replicas": {{ "nodes": ["redis-b", "redis-c"], {replicas} }} }} }},
                "resources": {{ "counter": {{}} }}, "clients": [{{ "id": "client-1" }}] }}"#
        );
        let (scenario, _) = parse(&file).expect("the file is valid");
        let setup = scenario.setup;
        let me = setup.node_named(name).expect("it is in the file");
        let Role::Redis(service, config) = setup.nodes[me.ix()].role else { panic!("{name} is no Redis node") };
        let mut bench = Self { setup, me, node: RedisNode::new(service, config), asked: Vec::new(), fresh: 0 };
        bench.handle((0, 0), RedisNode::on_start);
        bench
    }

    fn named(&self, name: &str) -> NodeId {
        self.setup.node_named(name).expect("it is in the file")
    }

    /// Lets the node handle something when its wall clock and its monotonic clock show so many milliseconds.
    fn handle(&mut self, (wall_ms, mono_ms): (i64, i64), what: impl FnOnce(&mut RedisNode, Ctx<'_>, &mut Out<'_>)) {
        self.asked.clear();
        let ctx = Ctx { setup: &self.setup, me: self.me, wall_us: wall_ms * 1000, mono_us: mono_ms * 1000 };
        what(&mut self.node, ctx, &mut Out { commands: &mut self.asked, fresh: &mut self.fresh });
    }

    fn hear(&mut self, at_ms: i64, from: &str, message: &Message) {
        let from = self.named(from);
        self.handle((at_ms, at_ms), |node, ctx, out| {
            node.on_message(from, ConnId(u32::from(from.0)), message, ctx, out);
        });
    }

    fn hear_copy(&mut self, at_ms: i64, from: &str, said: Replication) {
        self.hear(at_ms, from, &Message::Replication(said));
    }

    /// What a client is answered at once.
    fn ask(&mut self, at_ms: i64, command: RedisCommand) -> Option<RedisReply> {
        self.hear(at_ms, "client-1", &Message::Redis { rpc: 7, command });
        self.answer()
    }

    fn answer(&self) -> Option<RedisReply> {
        self.asked.iter().find_map(|asked| match asked {
            Command::Reply { message: Message::RedisReply { reply, .. }, .. } => Some(*reply),
            _ => None,
        })
    }

    /// What went out to other nodes, or back to them.
    fn said(&self) -> Vec<Replication> {
        let said = |asked: &Command| match asked {
            Command::Send { message: Message::Replication(said), .. }
            | Command::Reply { message: Message::Replication(said), .. } => Some(*said),
            _ => None,
        };
        self.asked.iter().filter_map(said).collect()
    }

    fn timer(&mut self, timer: u32, wall_ms: i64, mono_ms: i64) {
        self.handle((wall_ms, mono_ms), |node, ctx, out| node.on_timer(timer, ctx, out));
    }
}

fn change(key: KeyId, deadline_ms: Option<i64>, offset: u32) -> Replication {
    let deadline = deadline_ms.map(|ms| ms * 1000);
    let entry = Entry { value: MINE, deadline, owner: NodeId(0), grant: None, lease: None };
    Replication::Change { key, entry: Some(entry), offset }
}

#[test]
fn a_primary_answers_first_and_copies_the_absolute_deadline() {
    let mut primary = Bench::new("redis-a", r#""lag_ms": 0"#);
    assert_eq!(primary.ask(5, SET), Some(RedisReply::Ok));
    let place = |is: fn(&Command) -> bool| primary.asked.iter().position(is).expect("it was asked for");
    assert!(
        place(|asked| matches!(asked, Command::Reply { .. })) < place(|asked| matches!(asked, Command::Send { .. }))
    );
    let copies = primary.said();
    assert_eq!(copies.len(), 2, "one for each replica");
    for copy in copies {
        let Replication::Change { key: LOCK, entry: Some(entry), offset: 1 } = copy else { panic!("{copy:?}") };
        assert_eq!(entry.deadline, Some(1_005_000));
    }
    assert_eq!(primary.ask(6, SET), Some(RedisReply::Nil));
    assert!(primary.said().is_empty(), "nothing changed");
}

#[test]
fn a_lagging_buffer_keeps_the_order_and_its_time() {
    let mut primary = Bench::new("redis-a", r#""lag_ms": 100"#);
    primary.ask(5, SET);
    assert!(primary.said().is_empty());
    assert!(primary.asked.contains(&Command::SetTimer {
        timer: OUTBOX,
        clock: ClockChoice::Monotonic,
        due_us: 105_000
    }));
    primary.ask(50, RedisCommand::Wait { replicas: 1, timeout: Span::from_ms(500) });
    primary.timer(OUTBOX, 105, 105);
    assert!(matches!(primary.said()[..], [Replication::Change { .. }, Replication::Change { .. }]));
    primary.timer(OUTBOX, 150, 150);
    assert_eq!(primary.said(), [Replication::GetAck; 2]);
}

#[test]
fn wait_counts_those_who_have_everything() {
    let mut primary = Bench::new("redis-a", r#""lag_ms": 0"#);
    primary.ask(5, SET);
    primary.ask(5, RedisCommand::Incr { key: COUNTER });
    assert_eq!(primary.ask(6, RedisCommand::Wait { replicas: 2, timeout: Span::from_ms(500) }), None);
    primary.hear_copy(8, "redis-b", Replication::Ack { offset: 2 });
    assert_eq!(primary.answer(), None);
    primary.hear_copy(9, "redis-c", Replication::Ack { offset: 1 });
    assert_eq!(primary.answer(), None, "redis-c has the first change alone");
    primary.hear_copy(10, "redis-c", Replication::Ack { offset: 2 });
    assert_eq!(primary.answer(), Some(RedisReply::Int(2)));
    let again = RedisCommand::Wait { replicas: 2, timeout: Span::from_ms(500) };
    assert_eq!(primary.ask(11, again), Some(RedisReply::Int(2)), "nothing new was written");
    assert!(primary.said().is_empty());
}

/// `mstime` in `waitCommand`: a clock that is set shortens the time or stretches it.
#[test]
fn wait_goes_by_the_wall_clock() {
    let mut primary = Bench::new("redis-a", r#""lag_ms": 0"#);
    primary.ask(5, SET);
    primary.ask(6, RedisCommand::Wait { replicas: 2, timeout: Span::from_ms(500) });
    let due = Command::SetTimer { timer: WAITS, clock: ClockChoice::Wall, due_us: 506_000 };
    assert!(primary.asked.contains(&due));
    primary.hear_copy(8, "redis-b", Replication::Ack { offset: 1 });
    primary.timer(WAITS, 505, 900);
    assert_eq!(primary.answer(), None);
    primary.timer(WAITS, 506, 20);
    assert_eq!(primary.answer(), Some(RedisReply::Int(1)));
}

#[test]
fn a_replica_deletes_nothing_by_itself() {
    let mut replica = Bench::new("redis-b", r#""lag_ms": 0"#);
    replica.hear_copy(5, "redis-a", change(LOCK, Some(100), 1));
    let no_cycle = |asked: &Command| !matches!(asked, Command::SetTimer { timer: EXPIRE_CYCLE, .. });
    assert!(replica.asked.iter().all(no_cycle));
    assert_eq!(replica.ask(100, GET), Some(RedisReply::Value(MINE)));
    assert_eq!(replica.ask(101, GET), Some(RedisReply::Nil));
    assert!(replica.node.entry(LOCK).is_some());
    replica.hear_copy(103, "redis-a", Replication::Change { key: LOCK, entry: None, offset: 2 });
    assert!(replica.node.entry(LOCK).is_none());
    assert_eq!(replica.node.offset(), 2);
}

#[test]
fn a_replica_takes_no_writes() {
    let mut replica = Bench::new("redis-b", r#""lag_ms": 0"#);
    assert_eq!(replica.ask(5, SET), Some(RedisReply::Error(RedisError::ReadOnly)));
    let wait = RedisCommand::Wait { replicas: 1, timeout: Span::from_ms(500) };
    assert_eq!(replica.ask(5, wait), Some(RedisReply::Error(RedisError::WaitOnReplica)));
    replica.hear_copy(6, "redis-c", change(LOCK, None, 1));
    assert_eq!(replica.node.offset(), 0, "redis-c is not its primary");
}

/// A replica that loads has acknowledged nothing yet, and is no candidate before others.
#[test]
fn data_that_have_come_in_part_count_for_nothing() {
    let mut primary = Bench::new("redis-a", r#""lag_ms": 0"#);
    primary.ask(5, SET);
    primary.ask(5, RedisCommand::Incr { key: COUNTER });
    primary.hear_copy(6, "redis-b", Replication::Psync);
    let snapshot = primary.said();
    assert_eq!(snapshot.len(), 3);

    let mut replica = Bench::new("redis-b", r#""lag_ms": 0"#);
    replica.hear_copy(7, "redis-a", change(LOCK, None, 9));
    for part in &snapshot[..2] {
        replica.hear_copy(8, "redis-a", *part);
        replica.timer(CRON, 9, 9);
        assert_eq!(replica.said(), [Replication::Ack { offset: 0 }]);
    }
    replica.hear_copy(10, "redis-a", snapshot[2]);
    replica.timer(CRON, 11, 11);
    assert_eq!(replica.said(), [Replication::Ack { offset: 2 }]);
    assert_eq!(replica.node.store().iter().count(), 2);
}

/// Redis compares whole seconds.
#[test]
fn too_few_good_replicas_mean_no_writes() {
    let mut primary = Bench::new("redis-a", r#""lag_ms": 0, "min_to_write": 2, "max_lag_s": 1"#);
    primary.hear_copy(999, "redis-b", Replication::Ack { offset: 0 });
    primary.hear_copy(1000, "redis-c", Replication::Ack { offset: 0 });
    assert_eq!(primary.ask(1999, SET), Some(RedisReply::Ok));
    assert_eq!(primary.ask(2000, SET), Some(RedisReply::Error(RedisError::NoReplicas)));
    assert_eq!(primary.ask(2000, GET), Some(RedisReply::Value(MINE)), "reading is no writing");
    primary.hear_copy(2001, "redis-b", Replication::Ack { offset: 0 });
    assert_eq!(primary.ask(2002, SET), Some(RedisReply::Nil), "no refusal: the lock is taken");
    let gone = primary.named("redis-c");
    primary.handle((2003, 2003), |node, _, out| node.on_lost(gone, out));
    assert_eq!(primary.ask(2004, SET), Some(RedisReply::Error(RedisError::NoReplicas)));
}

#[test]
fn a_promoted_node_keeps_what_it_has_and_hears_its_old_primary_no_more() {
    let mut replica = Bench::new("redis-b", r#""lag_ms": 0"#);
    replica.hear_copy(5, "redis-a", change(LOCK, Some(100), 1));
    replica.hear(50, "client-1", &Message::Sentinel(SentinelMessage::ReplicaOf { leader: None }));
    assert!(replica.asked.contains(&Command::Note(Observation::Promoted { service: ServiceIx(0) })));
    let cycle = Command::SetTimer { timer: EXPIRE_CYCLE, clock: ClockChoice::Wall, due_us: 100_000 };
    assert!(replica.asked.contains(&cycle), "its own clock decides from now on");
    replica.hear_copy(51, "redis-a", Replication::Change { key: LOCK, entry: None, offset: 2 });
    assert!(replica.node.entry(LOCK).is_some());
    assert_eq!(replica.ask(52, SET), Some(RedisReply::Nil));
    assert_eq!(replica.ask(101, SET), Some(RedisReply::Ok));
}

#[test]
fn a_demoted_node_lets_its_clients_go_and_gives_up_its_data() {
    let mut primary = Bench::new("redis-a", r#""lag_ms": 100"#);
    primary.ask(5, SET);
    primary.ask(6, RedisCommand::Wait { replicas: 1, timeout: Span::from_ms(500) });
    let leader = Some(primary.named("redis-b"));
    primary.hear(50, "redis-c", &Message::Sentinel(SentinelMessage::ReplicaOf { leader }));
    assert!(primary.asked.contains(&Command::Close { peer: primary.named("client-1") }));
    assert_eq!(primary.said(), [Replication::Psync]);
    primary.timer(OUTBOX, 105, 105);
    assert!(primary.said().is_empty(), "what waited in its buffer is gone");
    primary.timer(WAITS, 506, 506);
    assert_eq!(primary.answer(), None);
    primary.hear_copy(510, "redis-b", change(COUNTER, None, 4));
    assert!(primary.node.entry(COUNTER).is_none(), "the stream before all data means nothing");
    primary.hear_copy(511, "redis-b", Replication::FullResync { offset: 4 });
    assert_eq!(primary.node.store().iter().count(), 0);
    let lost = |asked: &Command| matches!(asked, Command::Note(Observation::Ended { why: Ending::Lost, .. }));
    assert!(primary.asked.iter().any(lost));
}
