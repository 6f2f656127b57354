//! What replication and failover promise, whatever the programs, lags, knobs and faults. Scenarios are drawn at random,
//! from a file's text on.
//!
//! `REPLICATION_SEEDS=20000 cargo test --test replication` looks longer. A failure names its seed.

#[path = "replication/drawn.rs"]
mod drawn;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use drawn::{Draw, calm, scenario, service, wild};
use lockstep::history::{History, Step};
use lockstep::verdicts::Judged;
use lockstep::vocabulary::{ConnId, FaultKind, GrantId, KeyId, NodeId, ServiceIx, Span, Trigger};
use lockstep::world::{
    Effect, Ending, Event, Message, Observation, Packet, RedisCommand, RedisError, RedisReply, Replication, Run, World,
};
use serde_json::json;

const LOCK: KeyId = KeyId::lock(ServiceIx(0));

fn seeds() -> u64 {
    std::env::var("REPLICATION_SEEDS").ok().and_then(|seeds| seeds.parse().ok()).unwrap_or(200)
}

/// A run in which the adversary acts a few times, mostly on processes and links.
fn disturbed(seed: u64) -> History {
    let mut history = History::new(wild(seed));
    let mut draw = Draw::new(seed, 1000);
    for _ in 0..draw.below(8) {
        let rest = (history.len() - history.position()).min(80);
        history.seek(history.position() + draw.below(rest as usize + 1) as u32);
        let mut possible = history.world().possible_faults();
        let packets = draw.below(3) == 0;
        possible.retain(|kind| kind.packet().is_some() == packets);
        if !packets && draw.below(2) == 0 {
            let primary = history.world().primary(ServiceIx(0));
            possible.retain(|kind| befalls(history.world(), *kind) == primary);
        }
        if possible.is_empty() {
            continue;
        }
        let restart = Some(Span::from_ms(draw.below(4000) as u64)).filter(|_| draw.below(3) > 0);
        let kind = match draw.one(&possible) {
            FaultKind::Crash { node, .. } => FaultKind::Crash { node, restart },
            FaultKind::PowerLoss { machine, .. } => FaultKind::PowerLoss { machine, restart },
            kind => kind,
        };
        let until = (draw.below(2) == 0 && kind.inverse().is_some())
            .then(|| Trigger::At(history.world().now() + Span::from_ms(draw.below(3000) as u64)));
        history.act(kind, until);
    }
    history
}

/// The process that a fault stops or cuts off.
fn befalls(world: &World, kind: FaultKind) -> Option<NodeId> {
    match kind {
        FaultKind::Pause { node, .. } | FaultKind::Crash { node, .. } | FaultKind::CutOff { node } => Some(node),
        FaultKind::PowerLoss { machine, .. } | FaultKind::Suspend { machine, .. } => {
            let on = |node: &NodeId| world.setup().machine_of(*node) == machine;
            (0..world.setup().nodes.len() as u16).map(NodeId).find(on)
        }
        _ => None,
    }
}

/// What a process handles in a step.
fn handled(step: &Step) -> Option<&Packet> {
    match &step.record.event {
        Event::Delivered { packet } | Event::Unbuffered { packet } => Some(packet),
        _ => None,
    }
}

fn replies(step: &Step) -> impl Iterator<Item = (&Packet, u32, RedisReply)> {
    step.record.effects.iter().filter_map(|effect| match effect {
        Effect::Sent { packet, .. } => match packet.message {
            Message::RedisReply { rpc, reply } => Some((&**packet, rpc, reply)),
            _ => None,
        },
        _ => None,
    })
}

fn noted(step: &Step) -> impl Iterator<Item = (NodeId, Observation)> {
    step.record.effects.iter().filter_map(|effect| match effect {
        Effect::Noted { node, what } => Some((*node, *what)),
        _ => None,
    })
}

/// The nodes of the service, and the grant that each keeps in memory.
fn kept(world: &World) -> impl Iterator<Item = (NodeId, GrantId)> {
    let service = world.setup().service(ServiceIx(0));
    let nodes = service.nodes.iter().chain(service.failover.iter().flat_map(|failover| &failover.replicas));
    nodes.filter_map(|node| {
        let process = world.process(*node);
        let grant = process.state().redis()?.entry(LOCK)?.grant?;
        (!matches!(process.run(), Run::Down { .. })).then_some((*node, grant))
    })
}

/// Follows the questions of clients whether their locks were copied.
#[derive(Default)]
struct Waits {
    asked: BTreeMap<(ConnId, u32), GrantId>,
}

impl Waits {
    /// The grants that were counted in this step, with the node that counted and how many copies it found.
    fn counted(&mut self, step: &Step, world: &World) -> Vec<(NodeId, GrantId, usize)> {
        if let Some(Packet { conn, to, message: Message::Redis { rpc, command: RedisCommand::Wait { .. } }, .. }) =
            handled(step)
            && let Some((_, grant)) = kept(world).find(|(node, _)| node == to)
        {
            self.asked.insert((*conn, *rpc), grant);
        }
        let answers = replies(step).filter_map(|(packet, rpc, reply)| match reply {
            RedisReply::Int(copies) => Some((packet.from, *self.asked.get(&(packet.conn, rpc))?, copies as usize)),
            _ => None,
        });
        answers.collect()
    }
}

#[test]
fn nothing_panics_and_every_run_is_judged() {
    let (mut promoted, mut resynced) = (0, 0);
    for seed in 0..seeds() {
        let history = disturbed(seed);
        assert_eq!(Judged::new(&history).final_verdicts().len(), 6, "seed {seed}");
        let promotion = |(_, what)| matches!(what, Observation::Promoted { .. });
        promoted += u64::from(history.steps().any(|step| noted(step).any(promotion)));
        let snapshot = |packet: &Packet| matches!(packet.message, Message::Replication(Replication::FullResync { .. }));
        resynced += u64::from(history.steps().filter_map(handled).any(snapshot));
    }
    println!("{} runs, a failover in {promoted}, a full resync in {resynced}", seeds());
    assert!(promoted * 5 > seeds() && resynced * 5 > seeds());
}

/// A replica that acknowledged has lost its copy since only if it ended, changed its role or took all data anew. What it had
/// before it asked for all data says nothing of what it has of them.
#[test]
fn a_write_that_was_counted_is_on_so_many_replicas() {
    let (mut exactly, mut excused) = (0, 0);
    for seed in 0..seeds() {
        let history = disturbed(seed);
        let (mut waits, mut copies_of) = (Waits::default(), Copies::default());
        for (ix, step) in (1..).zip(history.steps()) {
            let world = history.world_at(ix);
            copies_of.observe(step, world);
            for (primary, grant, counted) in waits.counted(step, world) {
                let holds = |node| kept(world).any(|one| one == (node, grant));
                // What the primary itself has no more, its replicas need not have.
                if !holds(primary) {
                    continue;
                }
                let (now, before): (Vec<_>, Vec<_>) = copies_of.had(primary, grant).partition(|node| holds(**node));
                let let_go =
                    before.iter().filter(|node: &&&NodeId| copies_of.changed.contains(&(***node, grant))).count();
                assert!(
                    now.len() + let_go >= counted,
                    "seed {seed} after step {ix}: {counted} counted, {now:?} have it"
                );
                exactly += u64::from(counted > 0 && now.len() >= counted);
                excused += u64::from(now.len() < counted);
            }
        }
    }
    println!("{} runs: {exactly} writes were where they were counted, {excused} had been", seeds());
    assert!(exactly > seeds() && excused * 20 < exactly);
}

/// Which replicas have had which grants.
#[derive(Default)]
struct Copies {
    /// (primary, replica, grant), since the replica last took all data of this primary.
    had: BTreeSet<(NodeId, NodeId, GrantId)>,
    /// (primary, replica) between the question for all data and their beginning.
    asked: BTreeSet<(NodeId, NodeId)>,
    /// The replicas that may have lost a grant that they had.
    changed: BTreeSet<(NodeId, GrantId)>,
}

impl Copies {
    fn observe(&mut self, step: &Step, world: &World) {
        let mut changed = BTreeSet::new();
        if let Some(&Packet { from, to, message: Message::Replication(said), .. }) = handled(step) {
            if said == Replication::Psync {
                self.had.retain(|(primary, replica, _)| (*primary, *replica) != (to, from));
                self.asked.insert((to, from));
            }
            if matches!(said, Replication::FullResync { .. }) {
                self.asked.remove(&(from, to));
                changed.insert(to);
            }
        }
        changed.extend(step.record.effects.iter().filter_map(|effect| match effect {
            Effect::Crashed { node, .. }
            | Effect::Noted { node, what: Observation::Promoted { .. } | Observation::Demoted { .. } } => Some(*node),
            _ => None,
        }));
        let lost = self.had.iter().filter(|(_, replica, _)| changed.contains(replica));
        self.changed.extend(lost.map(|(_, replica, grant)| (*replica, *grant)));
        for (primary, _) in kept(world) {
            let new = kept(world).filter(|(node, _)| *node != primary && !self.asked.contains(&(primary, *node)));
            self.had.extend(new.map(|(node, grant)| (primary, node, grant)));
        }
    }

    fn had(&self, primary: NodeId, grant: GrantId) -> impl Iterator<Item = &NodeId> {
        let of = move |(one, _, other): &&(NodeId, NodeId, GrantId)| (*one, *other) == (primary, grant);
        self.had.iter().filter(of).map(|(_, replica, _)| replica)
    }
}

/// Whatever the primary alone suffers: what all replicas acknowledged, the one that is promoted has.
#[test]
fn what_all_replicas_acknowledged_no_promotion_loses() {
    let (mut promoted, mut counted, mut lost) = (0, 0, 0);
    for seed in 0..seeds() {
        let mut draw = Draw::new(seed, 0);
        let replicas = 1 + draw.below(3);
        let mut service = service(&mut draw, replicas);
        service["replicas"]["min_to_write"] = 0.into();
        service["sentinel"] = json!({ "down_after_ms": 50 + draw.below(350) });
        service["driver"]["wait"] = json!({ "replicas": replicas, "timeout_ms": 1 + draw.below(1500) });
        let history = History::new(scenario(seed, &mut draw, &service, &json!({}), &drawn::fails(seed, "redis-a")));
        let mut waits = Waits::default();
        let mut safe = BTreeSet::new();
        for (ix, step) in (1..).zip(history.steps()) {
            for (_, what) in noted(step) {
                if let Observation::Ended { grant, why: Ending::Lost, .. } = what {
                    assert!(
                        !safe.contains(&grant),
                        "seed {seed}, step {ix}: {grant:?} was on all replicas and is lost"
                    );
                    lost += 1;
                }
                promoted += u64::from(matches!(what, Observation::Promoted { .. }));
            }
            let here = waits.counted(step, history.world_at(ix)).into_iter();
            safe.extend(here.filter(|(.., copies)| *copies >= replicas).map(|(_, grant, _)| grant));
        }
        counted += safe.len() as u64;
    }
    println!("{} runs: {promoted} promotions, {counted} grants on all replicas, {lost} others lost", seeds());
    assert!(promoted * 2 > seeds() && counted > seeds() && lost > 0);
}

#[test]
fn a_promoted_replica_judges_deadlines_by_its_own_clock() {
    let (mut judged, mut otherwise) = (0, 0);
    for seed in 0..seeds() {
        let mut draw = Draw::new(seed, 0);
        let mut service = service(&mut draw, 1);
        service["replicas"]["min_to_write"] = 0.into();
        service["sentinel"] = json!({ "down_after_ms": 50 + draw.below(300) });
        let skew = |draw: &mut Draw| json!({ "wall_offset_ms": draw.below(4000) as i64 - 2000 });
        let machines = json!({ "redis-a": skew(&mut draw), "redis-b": skew(&mut draw) });
        let fault = json!([{ "at_ms": 20 + draw.below(1500), "crash": { "node": "redis-a" } }]);
        let history = History::new(scenario(seed, &mut draw, &service, &machines, &fault));
        let setup = Arc::clone(&history.scenario().setup);
        let node = |name| setup.node_named(name).expect("it is in the file");
        let (a, b) = (node("redis-a"), node("redis-b"));
        let mut given = BTreeSet::new();
        for (ix, step) in (0..).zip(history.steps()) {
            let (before, after) = (history.world_at(ix), history.world_at(ix + 1));
            let redis = before.process(b).state().redis().expect("it is a Redis node");
            let by_a = before.process(a).state().redis().and_then(|redis| redis.entry(LOCK));
            given.extend(by_a.map(|entry| (entry.grant, entry.deadline)));
            let Some(entry) = redis.entry(LOCK).filter(|_| redis.leader().is_none()) else { continue };
            let Some(deadline) = entry.deadline else { continue };
            let copied = given.iter().any(|(grant, _)| *grant == entry.grant);
            assert!(
                !copied || given.contains(&(entry.grant, entry.deadline)),
                "seed {seed}, step {ix}: another deadline"
            );
            let past = |node| after.machine(setup.machine_of(node)).wall_us(after.now()) / 1000 > deadline / 1000;
            let due = after.machine(setup.machine_of(b)).wall_us(after.now()) >= deadline;
            for (_, what) in noted(step).filter(|(node, _)| *node == b) {
                let expired = matches!(what, Observation::Ended { why: Ending::Expired, .. });
                assert!(due || !expired, "seed {seed}, step {ix}: expired before its deadline");
            }
            let asked = handled(step).filter(|packet| packet.to == b).map(|packet| &packet.message);
            if let Some(Message::Redis { command: RedisCommand::Set { .. }, .. }) = asked {
                let free = replies(step).any(|(_, _, reply)| reply == RedisReply::Ok);
                assert_eq!(free, past(b), "seed {seed}, step {ix}");
                judged += 1;
                otherwise += u64::from(past(a) != past(b));
            }
        }
    }
    println!("{} runs: {judged} times a deadline was judged, {otherwise} times the old clock said otherwise", seeds());
    assert!(judged > seeds() && otherwise > seeds() / 4);
}

/// What clients see, in order.
fn seen(history: &History) -> Vec<String> {
    let setup = &history.scenario().setup;
    let by_clients = |step: &Step| {
        let at = step.record.at;
        let client = |(node, _): &(NodeId, Observation)| setup.client(*node).is_some();
        let line = |(node, what): (NodeId, Observation)| format!("{at} {} {:?}", setup.node_name(node), what.kind());
        noted(step).filter(client).map(line).collect::<Vec<_>>()
    };
    history.steps().flat_map(by_clients).collect()
}

#[test]
fn replicas_of_a_primary_that_nothing_befalls_change_nothing() {
    let mut broken = 0;
    for seed in 0..seeds() {
        let of = |replicated| History::new(calm(seed, replicated));
        let (alone, copied) = (of(false), of(true));
        let verdicts = |history: &History| {
            let verdicts = Judged::new(history).final_verdicts().to_vec();
            verdicts.iter().map(|(judge, verdict)| (*judge, std::mem::discriminant(verdict))).collect::<Vec<_>>()
        };
        assert_eq!(seen(&alone), seen(&copied), "seed {seed}");
        assert_eq!(verdicts(&alone), verdicts(&copied), "seed {seed}");
        let violated = |(_, verdict): &(_, _)| matches!(verdict, lockstep::verdicts::Verdict::Violated { .. });
        broken += u64::from(Judged::new(&alone).final_verdicts().iter().any(violated));
    }
    println!("{} runs, a promise broken in {broken} of them", seeds());
    assert!(broken * 5 > seeds() && broken < seeds());
}

#[test]
fn a_primary_with_too_few_replicas_refuses_to_write() {
    let (mut refused, mut written) = (0, 0);
    for seed in 0..seeds() {
        let mut draw = Draw::new(seed, 0);
        let replicas = 1 + draw.below(3);
        let (enough, fail) = (1 + draw.below(replicas), draw.below(replicas + 1));
        let mut service = service(&mut draw, replicas);
        let max_lag_s = 2 + draw.below(3);
        service["replicas"]["min_to_write"] = enough.into();
        service["replicas"]["max_lag_s"] = max_lag_s.into();
        let at_ms = 500 + draw.below(3000);
        let fault = |draw: &mut Draw, name: &str| match draw.below(4) {
            0 => json!({ "at_ms": at_ms, "crash": { "node": name } }),
            1 => json!({ "at_ms": at_ms, "power_loss": { "machine": name } }),
            2 => json!({ "at_ms": at_ms, "pause": { "node": name } }),
            _ => json!({ "at_ms": at_ms, "cut_off": { "node": name } }),
        };
        let names = &drawn::NAMES[1..=fail];
        let faults: Vec<_> = names.iter().map(|name| fault(&mut draw, name)).collect();
        let history = History::new(scenario(seed, &mut draw, &service, &json!({}), &faults.into()));
        // What was on its way may still arrive, and seconds are whole.
        let sure = Span::from_ms((at_ms + 1000 * (max_lag_s + 1) + 200) as u64);
        for step in history.steps() {
            let Some(Packet { message: Message::Redis { command, .. }, .. }) = handled(step) else { continue };
            let writes =
                !matches!(command, RedisCommand::Wait { .. } | RedisCommand::Get { .. } | RedisCommand::PTtl { .. });
            for (_, _, reply) in replies(step).filter(|_| writes) {
                let refusal = reply == RedisReply::Error(RedisError::NoReplicas);
                let late = step.record.at > lockstep::vocabulary::Time::ZERO + sure;
                let at = step.record.at;
                match replicas - fail < enough {
                    true if late => assert!(refusal, "seed {seed} at {at}: {reply:?}"),
                    false => assert!(!refusal, "seed {seed} at {at}: refused"),
                    true => {}
                }
                refused += u64::from(refusal);
                written += u64::from(!refusal);
            }
        }
    }
    println!("{} runs: {refused} writes were refused, {written} were not", seeds());
    assert!(refused > seeds() && written > seeds());
}
