//! A sentinel, message by message, on its monotonic clock.

use std::sync::Arc;

use super::{DOWN, FAILOVER_TIMEOUT, PING, Sentinel};
use crate::scenario::{Setup, parse};
use crate::vocabulary::{ConnId, NodeId, ServiceIx};
use crate::world::disk::DiskImage;
use crate::world::message::{Message, SentinelMessage};
use crate::world::observation::Observation;
use crate::world::out::{Command, Ctx, Out};

/// A sentinel of redis-a, which is primary, redis-b and redis-c, with `down-after-milliseconds` 500.
struct Bench {
    setup: Arc<Setup>,
    me: NodeId,
    sentinel: Sentinel,
    asked: Vec<Command>,
}

impl Bench {
    fn new() -> Self {
        let file = r#"{ "format": 1, "id": "bench", "title": { "en": "a", "ko": "a" }, "summary": { "en": "a", "ko": "a" },
            "services": { "lock": {
                "replicas": { "nodes": ["redis-b", "redis-c"] }, "sentinel": { "down_after_ms": 500 }
            } },
            "resources": { "counter": {} }, "clients": [{ "id": "client-1" }] }"#;
        let (scenario, _) = parse(file).expect("the file is valid");
        let setup = scenario.setup;
        let me = setup.node_named("sentinel").expect("it is in the file");
        let sentinel = Sentinel::new(ServiceIx(0), &setup);
        let mut bench = Self { setup, me, sentinel, asked: Vec::new() };
        bench.handle(0, Sentinel::on_start);
        bench
    }

    fn named(&self, name: &str) -> NodeId {
        self.setup.node_named(name).expect("it is in the file")
    }

    fn handle(&mut self, mono_ms: i64, what: impl FnOnce(&mut Sentinel, Ctx<'_>, &mut Out<'_>)) {
        self.asked.clear();
        let ctx = Ctx { setup: &self.setup, me: self.me, wall_us: 0, mono_us: mono_ms * 1000 };
        what(&mut self.sentinel, ctx, &mut Out { commands: &mut self.asked, fresh: &mut 0 });
    }

    fn timer(&mut self, mono_ms: i64, timer: u32) {
        self.handle(mono_ms, |sentinel, ctx, out| sentinel.on_timer(timer, ctx, out));
    }

    /// A node says whom it follows and how far it is.
    fn pong(&mut self, mono_ms: i64, from: &str, leader: Option<&str>, offset: u32) {
        let (from, leader) = (self.named(from), leader.map(|name| self.named(name)));
        let pong = Message::Sentinel(SentinelMessage::Pong { leader, offset });
        self.handle(mono_ms, |sentinel, ctx, out| sentinel.on_message(from, ConnId(0), &pong, ctx, out));
    }

    /// Who was told to follow whom.
    fn told(&self) -> Vec<(&str, Option<&str>)> {
        let name = |node| self.setup.node_name(node);
        let told = |asked: &Command| match *asked {
            Command::Send { to, message: Message::Sentinel(SentinelMessage::ReplicaOf { leader }), .. } => {
                Some((name(to), leader.map(name)))
            }
            _ => None,
        };
        self.asked.iter().filter_map(told).collect()
    }

    /// The replicas have answered so far, and the primary has not.
    fn with_silent_primary(b: u32, c: u32) -> Self {
        let mut bench = Self::new();
        bench.pong(10, "redis-b", Some("redis-a"), b);
        bench.pong(10, "redis-c", Some("redis-a"), c);
        bench
    }
}

#[test]
fn a_node_is_down_once_it_was_silent_for_long_enough() {
    let mut bench = Bench::with_silent_primary(1, 1);
    bench.timer(499, DOWN);
    assert!(!bench.sentinel.sees_down(bench.named("redis-a")));
    bench.timer(500, DOWN);
    let down = Command::Note(Observation::SeenDown { peer: bench.named("redis-a") });
    assert!(bench.asked.contains(&down));
    bench.pong(600, "redis-a", None, 1);
    assert!(!bench.sentinel.sees_down(bench.named("redis-a")));
}

#[test]
fn an_answer_begins_the_count_anew() {
    let mut bench = Bench::new();
    bench.pong(400, "redis-a", None, 1);
    bench.timer(500, PING);
    bench.timer(999, DOWN);
    assert!(!bench.sentinel.sees_down(bench.named("redis-a")));
    bench.timer(1000, DOWN);
    assert!(bench.sentinel.sees_down(bench.named("redis-a")));
}

/// When the connection breaks, silence counts from the last answer.
#[test]
fn a_broken_connection_counts_from_the_last_answer() {
    let mut bench = Bench::new();
    bench.pong(100, "redis-a", None, 1);
    bench.timer(500, PING);
    let primary = bench.named("redis-a");
    bench.handle(550, |sentinel, ctx, out| sentinel.on_lost(primary, ctx, out));
    bench.timer(600, DOWN);
    assert!(bench.sentinel.sees_down(primary));
}

#[test]
fn who_has_most_of_the_stream_takes_over_and_the_first_of_equals() {
    for (b, c, chosen) in [(4, 5, "redis-c"), (5, 4, "redis-b"), (5, 5, "redis-b")] {
        let mut bench = Bench::with_silent_primary(b, c);
        bench.timer(500, DOWN);
        assert_eq!(bench.told(), [(chosen, None)], "offsets {b} and {c}");
    }
}

#[test]
fn a_replica_that_is_down_itself_is_not_chosen() {
    let mut bench = Bench::new();
    bench.pong(10, "redis-b", Some("redis-a"), 1);
    bench.timer(500, DOWN + 2);
    bench.timer(500, DOWN);
    assert_eq!(bench.told(), [("redis-b", None)]);
}

#[test]
fn the_switch_comes_when_the_replica_says_that_it_is_primary() {
    let mut bench = Bench::with_silent_primary(5, 4);
    bench.timer(500, DOWN);
    bench.pong(510, "redis-b", Some("redis-a"), 5);
    assert_eq!(bench.sentinel.primary(), bench.named("redis-a"), "it was told and has not done it yet");
    bench.pong(520, "redis-b", None, 5);
    let primary = bench.named("redis-b");
    assert_eq!(bench.sentinel.primary(), primary);
    assert_eq!(bench.told(), [("redis-c", Some("redis-b"))]);
    let written =
        bench.asked.iter().any(|asked| matches!(asked, Command::Write(DiskImage::Sentinel(node)) if *node == primary));
    assert!(written && bench.asked.contains(&Command::Fsync));
    // The old primary comes back and takes itself for one.
    bench.pong(900, "redis-a", None, 9);
    assert_eq!(bench.told(), [("redis-a", Some("redis-b"))]);
    bench.pong(950, "redis-a", Some("redis-b"), 9);
    assert!(bench.told().is_empty());
}

#[test]
fn a_failover_that_comes_to_nothing_is_tried_again() {
    let mut bench = Bench::with_silent_primary(5, 4);
    bench.timer(500, DOWN);
    let again = 500 + (FAILOVER_TIMEOUT.0 / 1000) as i64;
    bench.timer(again - 1, PING);
    assert!(bench.told().is_empty());
    bench.timer(again, PING);
    assert_eq!(bench.told(), [("redis-b", None)]);
}

#[test]
fn a_sentinel_that_starts_again_knows_whom_it_promoted() {
    let mut bench = Bench::new();
    let primary = bench.named("redis-c");
    bench.handle(5, |sentinel, ctx, out| sentinel.on_restart(&DiskImage::Sentinel(primary), ctx, out));
    let client = bench.named("client-1");
    let ask = Message::Sentinel(SentinelMessage::AskPrimary { rpc: 3 });
    bench.handle(6, |sentinel, ctx, out| sentinel.on_message(client, ConnId(4), &ask, ctx, out));
    let message = Message::Sentinel(SentinelMessage::PrimaryIs { rpc: 3, node: primary });
    assert_eq!(bench.asked, [Command::Reply { conn: ConnId(4), message, matched: false }]);
}
