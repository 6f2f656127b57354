//! What a lock node and a storage server keep.

use super::votes::Watch;
use super::{EntryFacts, LockFacts, ResourceFacts, Stain, StorageFacts, Stream, client_place, cut_clients, read_node};
use crate::scenario::{Resource, Role};
use crate::verdicts::Subject;
use crate::vocabulary::{Guard, JudgeName, KeyId, Line, NodeId, ResourceIx, ServiceIx, Span, TokenSource, Written};
use crate::web::scene::Scene;
use crate::web::stage::phrases;
use crate::web::stage::words::Word;
use crate::world::{RedisNode, RedisValue, Stored, ZkServer};

pub(super) fn read_lock(scene: &Scene, node: NodeId) -> LockFacts {
    let (setup, world) = (scene.setup(), scene.world());
    let service = match setup.nodes[node.ix()].role {
        Role::Sentinel(service) => service,
        role => role.keeps().unwrap_or(ServiceIx(0)),
    };
    let (redis, server) = (world.process(node).state().redis(), world.process(node).state().zookeeper());
    let leader = server.and_then(|server| server.replica().leader(node)).filter(|leader| *leader != node);
    let tokens = setup.clients.iter().any(|client| client.drivers[service.ix()].token != TokenSource::None);
    LockFacts {
        node: read_node(scene, node),
        role: role(scene, node, service),
        key: setup.service(service).name.clone(),
        entry: read_entry(scene, node, service),
        endless: super::endless(Some(setup.service(service))),
        watch: Watch::of(world, node, scene.time),
        stream: redis.and_then(|redis| stream(scene, node, redis)).or_else(|| server.map(log)),
        leader: redis.and_then(RedisNode::leader).or(leader),
        token: redis.filter(|_| tokens).map(|redis| redis.token(service)),
        cut: cut_clients(scene, node),
        apart: apart(scene, node),
    }
}

/// The nodes of the same service that it does not reach, or that do not reach it.
fn apart(scene: &Scene, node: NodeId) -> Vec<NodeId> {
    let (setup, world) = (scene.setup(), scene.world());
    let others = (0..setup.nodes.len()).map(|ix| NodeId(ix as u16)).filter(|other| setup.client(*other).is_none());
    let cut = |other: &NodeId| world.is_cut(node, *other) || world.is_cut(*other, node);
    others.filter(|other| setup.talk(node, *other)).filter(cut).collect()
}

/// How far the log of an ensemble's server is.
fn log(server: &ZkServer) -> Stream {
    let replica = server.replica();
    Stream::Log(replica.epoch(), replica.log().len(), replica.committed())
}

/// Where a node with replicas, or a replica, is in the stream of changes.
fn stream(scene: &Scene, node: NodeId, redis: &RedisNode) -> Option<Stream> {
    scene.setup().failover_of(node)?;
    Some(match (redis.leader(), redis.waits_for()) {
        (None, Some((acked, needed))) => Stream::Waits(acked, needed),
        (None, None) => {
            let (acked, replicas) = redis.copied();
            Stream::Copied(acked, replicas)
        }
        (Some(leader), _) => {
            let leader = scene.world().process(leader).state().redis()?;
            Stream::Behind(leader.offset().saturating_sub(redis.offset()))
        }
    })
}

/// Primary, replica, promoted or deposed, where there are replicas.
fn role(scene: &Scene, node: NodeId, service: ServiceIx) -> Word {
    let (setup, world) = (scene.setup(), scene.world());
    if let Some(server) = world.process(node).state().zookeeper() {
        return match server.replica().leader(node) {
            None => Word::LooksForLeader,
            Some(leader) if leader == node => Word::Leader,
            Some(_) => Word::Follower,
        };
    }
    let replica = world.process(node).state().redis().is_some_and(|redis| redis.leader().is_some());
    let first = setup.service(service).nodes.first() == Some(&node);
    match setup.service(service).failover {
        None => Word::LockService,
        Some(_) if matches!(setup.nodes[node.ix()].role, Role::Sentinel(_)) => Word::Sentinel,
        Some(_) if replica => Word::Replica,
        Some(_) if world.primary(service) != Some(node) => Word::Deposed,
        Some(_) if first => Word::Primary,
        Some(_) => Word::Promoted,
    }
}

fn read_entry(scene: &Scene, node: NodeId, service: ServiceIx) -> Option<EntryFacts> {
    let world = scene.world();
    if let Some(server) = world.process(node).state().zookeeper() {
        // The lowest node of the queue, as this server has it.
        let owner = client_place(scene, server.tree().children().first()?.client)?;
        return Some(EntryFacts { owner, lease: None, count: None });
    }
    let redis = world.process(node).state().redis()?;
    let entry = redis.entry(KeyId::lock(service))?;
    let now_us = world.machine(scene.setup().machine_of(node)).clock(redis.config().expiry_clock).read(scene.time);
    let lease = entry.deadline.map(|deadline| {
        let left = Span((deadline - now_us).max(0) as u64);
        (left, entry.lease.unwrap_or(left))
    });
    let over = matches!(lease, Some((Span::ZERO, _)));
    let owner = client_place(scene, entry.owner)?;
    let count = match entry.value {
        RedisValue::Held { count, .. } => Some(count),
        _ => None,
    };
    (!over).then_some(EntryFacts { owner, lease, count })
}

pub(super) fn read_storage(scene: &Scene, node: NodeId) -> StorageFacts {
    let setup = scene.setup();
    let stained = stained(scene);
    let storage = scene.world().process(node).state().storage();
    let own = setup.resources.iter().enumerate().filter(|(_, resource)| resource.node == node);
    let resources = own.filter_map(|(ix, resource)| {
        let ix = ResourceIx(ix as u8);
        let stored = storage?.resource(ix);
        let mut spoilt = stained.iter().filter(|(spoilt, _)| *spoilt == ix).peekable();
        let stain = spoilt.peek().is_some().then(|| Stain {
            should_be: should_be(scene, ix).filter(|value| *value != stored.value),
            lost: spoilt.any(|(_, lost)| *lost),
        });
        Some(read_resource(scene, resource, stored, stain))
    });
    StorageFacts { resources: resources.collect(), node: read_node(scene, node), cut: cut_clients(scene, node) }
}

fn read_resource(scene: &Scene, resource: &Resource, stored: &Stored, stain: Option<Stain>) -> ResourceFacts {
    let guard = resource.config.guard;
    let fenced = matches!(guard, Guard::Fencing { .. });
    ResourceFacts {
        name: resource.name.clone(),
        value: stored.value,
        version: stored.version,
        writer: stored.writer.and_then(|writer| client_place(scene, writer)),
        highest: fenced.then(|| stored.highest.map_or(0, |token| token.0)),
        guard: phrases::guard(guard, scene.lang),
        gate: gate(guard, stored),
        stain,
    }
}

/// What stands on a guard's gate.
fn gate(guard: Guard, stored: &Stored) -> Option<String> {
    let highest = stored.highest.map_or(0, |token| token.0);
    match guard {
        Guard::None => None,
        Guard::Fencing { reject_equal: false, .. } => Some(format!("≥ {highest}")),
        Guard::Fencing { reject_equal: true, .. } => Some(format!("> {highest}")),
        Guard::Version => Some(format!("= v{}", stored.version)),
        Guard::RandomId => Some(format!("= {:02x}", stored.tag & 0xff)),
        Guard::OperationId => Some("1×".to_owned()),
    }
}

/// The resources that a bad write has spoilt by now, and whether an update was lost.
fn stained(scene: &Scene) -> Vec<(ResourceIx, bool)> {
    let all = scene.judged.final_verdicts().iter();
    let bad = all.filter(|(judge, _)| matches!(judge, JudgeName::StaleWrite | JudgeName::LostUpdate));
    let instances = bad.flat_map(|(judge, verdict)| verdict.instances().iter().map(move |instance| (*judge, instance)));
    let known = instances.filter(|(_, instance)| instance.known.0 < scene.position);
    known
        .filter_map(|(judge, instance)| match instance.subject {
            Subject::Resource(ix) => Some((ix, judge == JudgeName::LostUpdate)),
            _ => None,
        })
        .collect()
}

/// What a counter would show if no update had been lost; `None` if the clients do more than count.
fn should_be(scene: &Scene, resource: ResourceIx) -> Option<i64> {
    let setup = scene.setup();
    let lines = setup.clients.iter().flat_map(|client| &client.program);
    let mut writes = lines.filter_map(|line| match line {
        Line::Write { resource: ix, value, .. } if *ix == resource => Some(value),
        _ => None,
    });
    if !writes.all(|value| *value == Written::ReadPlusOne) {
        return None;
    }
    let marks = scene.tracks.writes.iter().take_while(|mark| mark.at <= scene.time);
    let mut ops: Vec<_> = marks.filter(|mark| mark.resource == resource).map(|mark| mark.op).collect();
    ops.sort_unstable();
    ops.dedup();
    Some(setup.resource(resource).config.initial + ops.len() as i64)
}
