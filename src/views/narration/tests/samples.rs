//! Samples of everything that can be told. A new variant does not compile until it has one.

use std::sync::Arc;

use crate::scenario::Setup;
use crate::verdicts::{Keeper, Kept, Why};
use crate::vocabulary::{
    ConnId, Contact, FaultIx, FaultKind, GrantId, HoldId, KeyId, LineIx, MachineId, NodeId, Nonce, Notice, OpId,
    PacketId, PacketRef, PauseCause, ResourceIx, ServiceIx, Span, Time, Token,
};
use crate::world::{
    Closing, Ending, Entry, Event, Message, Observation, Packet, RedisCommand, RedisError, RedisReply, RedisValue,
    Rejection, Replication, SentinelMessage, SetExpire, SetWhen, StorageReply, StorageRequest, Write,
};

pub(super) const CLIENT: NodeId = NodeId(0);

/// Names every variant of an enum, so that a new one does not compile until it stands here, and fails if the samples have
/// none of it.
macro_rules! cover {
    ($samples:expr, $($pattern:pat),+ $(,)?) => {{
        let seen: std::collections::BTreeSet<_> = $samples.iter().map(|sample| match sample { $($pattern => stringify!($pattern),)+ }).collect();
        let missing: Vec<_> = [$(stringify!($pattern)),+].into_iter().filter(|name| !seen.contains(name)).collect();
        assert!(missing.is_empty(), "no sample for {missing:?}");
    }};
}

pub(super) use cover;

pub(super) fn node(setup: &Setup, name: &str) -> NodeId {
    setup.node_named(name).expect("the scenario has it")
}

pub(super) fn packets(setup: &Setup) -> Vec<Arc<Packet>> {
    let key = KeyId::lock(ServiceIx(0));
    let value = RedisValue::Nonce(0x8f3c);
    let ttl = Span::from_ms(10_000);
    let set = |when, expire| RedisCommand::Set { key, value, when, expire };
    let commands = [
        set(SetWhen::Missing, SetExpire::After(ttl)),
        set(SetWhen::Always, SetExpire::Never),
        set(SetWhen::Exists, SetExpire::Keep),
        RedisCommand::SetNx { key, value },
        RedisCommand::Get { key },
        RedisCommand::Del { key },
        RedisCommand::PExpire { key, ttl },
        RedisCommand::PTtl { key },
        RedisCommand::Incr { key: KeyId::counter(ServiceIx(0)) },
        RedisCommand::CompareDelete { key, value },
        RedisCommand::CompareExtend { key, value, ttl },
        RedisCommand::LockScript { key, value, ttl: Some(ttl), counter: KeyId::counter(ServiceIx(0)) },
        RedisCommand::ExtendOrSet { key, value, ttl },
        RedisCommand::ReentrantLock { key, owner: Nonce(0x8f3c), ttl: Some(ttl), request: Some(1) },
        RedisCommand::ReentrantUnlock { key, owner: Nonce(0x8f3c), ttl: Some(ttl) },
        RedisCommand::Wait { replicas: 1, timeout: ttl },
    ];
    cover!(
        commands,
        RedisCommand::Set { .. },
        RedisCommand::SetNx { .. },
        RedisCommand::Get { .. },
        RedisCommand::Del { .. },
        RedisCommand::PExpire { .. },
        RedisCommand::PTtl { .. },
        RedisCommand::Incr { .. },
        RedisCommand::CompareDelete { .. },
        RedisCommand::CompareExtend { .. },
        RedisCommand::LockScript { .. },
        RedisCommand::ExtendOrSet { .. },
        RedisCommand::ReentrantLock { .. },
        RedisCommand::ReentrantUnlock { .. },
        RedisCommand::Wait { .. },
    );
    let replies = [
        RedisReply::Ok,
        RedisReply::Nil,
        RedisReply::Int(1),
        RedisReply::Value(value),
        RedisReply::Error(RedisError::InvalidExpire),
        RedisReply::Error(RedisError::NotAnInteger),
        RedisReply::Error(RedisError::WrongType),
        RedisReply::Error(RedisError::ReadOnly),
        RedisReply::Error(RedisError::NoReplicas),
        RedisReply::Error(RedisError::WaitOnReplica),
    ];
    cover!(replies, RedisReply::Ok, RedisReply::Nil, RedisReply::Int(_), RedisReply::Value(_), RedisReply::Error(_));
    let [redis, storage] = ["redis-a", "storage"].map(|name| node(setup, name));
    let packet =
        |from, to, message| Arc::new(Packet { id: PacketId(0), conn: ConnId(0), from, to, message, sent: Time::ZERO });
    let commands = commands.map(|command| packet(CLIENT, redis, Message::Redis { rpc: 1, command }));
    let replies = replies.map(|reply| packet(redis, CLIENT, Message::RedisReply { rpc: 1, reply }));
    let requests = requests().map(|request| packet(CLIENT, storage, Message::Storage { rpc: 1, request }));
    let answers =
        storage_replies().into_iter().map(|reply| packet(storage, CLIENT, Message::StorageReply { rpc: 1, reply }));
    let copying = replication().map(|said| packet(redis, storage, Message::Replication(said)));
    let watching = sentinel(redis).map(|said| packet(redis, CLIENT, Message::Sentinel(said)));
    commands.into_iter().chain(replies).chain(requests).chain(answers).chain(copying).chain(watching).collect()
}

fn replication() -> [Replication; 6] {
    let key = KeyId::lock(ServiceIx(0));
    let (value, deadline) = (RedisValue::Nonce(0x8f3c), Some(10_005_000));
    let entry = Entry { value, deadline, owner: CLIENT, grant: None, lease: None };
    let all = [
        Replication::Change { key, entry: Some(entry), offset: 1 },
        Replication::Change { key, entry: None, offset: 2 },
        Replication::GetAck,
        Replication::Ack { offset: 2 },
        Replication::Psync,
        Replication::FullResync { offset: 2 },
    ];
    cover!(
        all,
        Replication::Change { .. },
        Replication::GetAck,
        Replication::Ack { .. },
        Replication::Psync,
        Replication::FullResync { .. },
    );
    all
}

fn sentinel(node: NodeId) -> [SentinelMessage; 7] {
    let all = [
        SentinelMessage::Ping,
        SentinelMessage::Pong { leader: None, offset: 1 },
        SentinelMessage::Pong { leader: Some(node), offset: 1 },
        SentinelMessage::ReplicaOf { leader: None },
        SentinelMessage::ReplicaOf { leader: Some(node) },
        SentinelMessage::AskPrimary { rpc: 1 },
        SentinelMessage::PrimaryIs { rpc: 1, node },
    ];
    cover!(
        all,
        SentinelMessage::Ping,
        SentinelMessage::Pong { .. },
        SentinelMessage::ReplicaOf { .. },
        SentinelMessage::AskPrimary { .. },
        SentinelMessage::PrimaryIs { .. },
    );
    all
}

fn requests() -> [StorageRequest; 4] {
    let resource = ResourceIx(0);
    let write = Write { resource, value: 8, token: None, base: Some(0), base_tag: 0, op: OpId(1), hold: None };
    [
        StorageRequest::Read { resource, token: None, hold: None },
        StorageRequest::Read { resource, token: Some(Token(34)), hold: None },
        StorageRequest::Write(write),
        StorageRequest::Write(Write { token: Some(Token(34)), ..write }),
    ]
}

pub(super) fn rejections() -> Vec<Rejection> {
    let highest = Token(34);
    let all = vec![
        Rejection::StaleToken { token: Some(Token(33)), highest },
        Rejection::StaleToken { token: Some(highest), highest },
        Rejection::StaleToken { token: None, highest },
        Rejection::VersionChanged { base: Some(0), current: 1 },
        Rejection::VersionChanged { base: None, current: 1 },
        Rejection::Duplicate { op: OpId(1) },
    ];
    cover!(all, Rejection::StaleToken { .. }, Rejection::VersionChanged { .. }, Rejection::Duplicate { .. });
    all
}

fn storage_replies() -> Vec<StorageReply> {
    let resource = ResourceIx(0);
    let mut all = vec![
        StorageReply::Value { resource, value: 7, version: 0, tag: 0 },
        StorageReply::Applied { resource, version: 1 },
    ];
    all.extend(rejections().into_iter().map(|why| StorageReply::Rejected { resource, why }));
    cover!(all, StorageReply::Value { .. }, StorageReply::Applied { .. }, StorageReply::Rejected { .. });
    all
}

fn client_observations() -> Vec<Observation> {
    let (service, resource, hold) = (ServiceIx(0), ResourceIx(0), HoldId(1));
    let acquired = |token| Observation::Acquired { service, hold, nonce: Nonce(1), token, believed_until: None };
    let closed = |why| Observation::HoldClosed { service, hold, why };
    let closings = [Closing::Released, Closing::Deadline, Closing::Notice, Closing::Crashed];
    cover!(closings, Closing::Released, Closing::Deadline, Closing::Notice, Closing::Crashed);
    let mut all = vec![
        Observation::Wants { service },
        acquired(None),
        acquired(Some(Token(33))),
        Observation::AttemptFailed { service, timeout: false },
        Observation::AttemptFailed { service, timeout: true },
        Observation::GaveUp { service },
        Observation::CheckPassed { service },
        Observation::CheckFailed { service },
        Observation::ReadDone { resource, value: 7, version: 0 },
        Observation::WriteDone { resource, version: 1 },
        Observation::OutcomeUnknown { peer: NodeId(2) },
        Observation::Renewed { service, hold },
        Observation::RenewalFailed { service, hold },
        Observation::Finished,
        Observation::Queued { service, ahead: 2 },
        Observation::Connected { service, server: NodeId(2), fresh: true },
        Observation::Connected { service, server: NodeId(2), fresh: false },
        Observation::Disconnected { service, server: NodeId(2) },
        Observation::Expired { service },
        Observation::HoldSuspended { service, hold },
        Observation::HoldResumed { service, hold },
        Observation::Counted { service, votes: 2, needed: 3, left_us: None },
        Observation::Counted { service, votes: 3, needed: 3, left_us: None },
        Observation::Counted { service, votes: 3, needed: 3, left_us: Some(9_890_000) },
        Observation::Counted { service, votes: 3, needed: 3, left_us: Some(-10_000) },
    ];
    all.extend(closings.map(closed));
    all.extend(rejections().into_iter().map(|why| Observation::WriteRefused { resource, why }));
    all
}

fn server_observations() -> Vec<Observation> {
    let (service, resource, client, grant) = (ServiceIx(0), ResourceIx(0), CLIENT, GrantId(1));
    let granted =
        |token| Observation::Granted { service, grant, client, nonce: Nonce(1), token, lease: Some(Span::from_ms(1)) };
    let applied = |token, replaced| Observation::Applied {
        resource,
        client,
        hold: None,
        op: OpId(1),
        token,
        base: Some(0),
        replaced,
        value: 8,
    };
    let endings = [Ending::Released, Ending::Expired, Ending::RemovedByOther, Ending::Forgotten, Ending::Lost];
    cover!(endings, Ending::Released, Ending::Expired, Ending::RemovedByOther, Ending::Forgotten, Ending::Lost);
    let mut all = vec![
        granted(None),
        granted(Some(Token(34))),
        Observation::TokenGiven { service, client, token: Token(34) },
        Observation::Extended { service, grant, lease: Span::from_ms(10_000) },
        Observation::VoteGiven { service, client, nonce: Nonce(1), token: None, lease: None },
        Observation::VoteGiven { service, client, nonce: Nonce(1), token: Some(Token(11)), lease: None },
        Observation::VoteExtended { service, client, lease: Span::from_ms(10_000) },
        Observation::KeyChanged { key: KeyId::lock(service) },
        Observation::Contact { resource, client, hold: None, version: 0 },
        applied(None, 0),
        applied(None, 1),
        applied(Some(Token(33)), 0),
        applied(Some(Token(33)), 1),
        Observation::Recovered { keys: 0 },
        Observation::Recovered { keys: 2 },
        Observation::Promoted { service },
        Observation::Demoted { leader: NodeId(2) },
        Observation::SeenDown { peer: NodeId(2) },
        Observation::Looking { service },
        Observation::Leads { service, epoch: 2 },
        Observation::Follows { leader: NodeId(2), epoch: 2 },
        Observation::SessionExpired { service, client },
    ];
    all.extend(endings.map(|why| Observation::Ended { service, grant, why }));
    all.extend(endings.map(|why| Observation::VoteEnded { service, client, nonce: Nonce(1), why }));
    for why in rejections() {
        all.extend([true, false].map(|write| Observation::Rejected { resource, client, hold: None, why, write }));
    }
    all
}

pub(super) fn observations() -> Vec<Observation> {
    let all = [client_observations(), server_observations()].concat();
    cover!(
        all,
        Observation::Wants { .. },
        Observation::Acquired { .. },
        Observation::AttemptFailed { .. },
        Observation::GaveUp { .. },
        Observation::HoldClosed { .. },
        Observation::CheckPassed { .. },
        Observation::CheckFailed { .. },
        Observation::ReadDone { .. },
        Observation::WriteDone { .. },
        Observation::WriteRefused { .. },
        Observation::OutcomeUnknown { .. },
        Observation::Renewed { .. },
        Observation::RenewalFailed { .. },
        Observation::Finished,
        Observation::Granted { .. },
        Observation::TokenGiven { .. },
        Observation::Extended { .. },
        Observation::Ended { .. },
        Observation::KeyChanged { .. },
        Observation::Contact { .. },
        Observation::Applied { .. },
        Observation::Rejected { .. },
        Observation::Recovered { .. },
        Observation::VoteGiven { .. },
        Observation::VoteExtended { .. },
        Observation::VoteEnded { .. },
        Observation::Counted { .. },
        Observation::Promoted { .. },
        Observation::Demoted { .. },
        Observation::SeenDown { .. },
        Observation::Looking { .. },
        Observation::Leads { .. },
        Observation::Follows { .. },
        Observation::SessionExpired { .. },
        Observation::Queued { .. },
        Observation::Connected { .. },
        Observation::Disconnected { .. },
        Observation::Expired { .. },
        Observation::HoldSuspended { .. },
        Observation::HoldResumed { .. },
    );
    all
}

pub(super) fn faults() -> Vec<FaultKind> {
    let (node, from, to, machine) = (CLIENT, NodeId(0), NodeId(2), MachineId(0));
    let packet = PacketRef::Id(PacketId(0));
    let mut all = vec![
        FaultKind::Resume { node },
        FaultKind::Wake { machine },
        FaultKind::Restart { node },
        FaultKind::CutOff { node },
        FaultKind::Rejoin { node },
        FaultKind::Hold { packet },
        FaultKind::DeliverNow { packet },
        FaultKind::Delay { packet, by: Span::from_ms(90_000) },
        FaultKind::Lose { packet, delivered: false, notice: Notice::Both },
        FaultKind::Lose { packet, delivered: true, notice: Notice::Both },
        FaultKind::Resend { packet },
        FaultKind::Reset { from, to, notice: Notice::Both, behind: false },
        FaultKind::Reset { from, to, notice: Notice::Both, behind: true },
    ];
    for length in [None, Some(Span::ZERO), Some(Span::from_ms(12_000))] {
        all.extend([
            FaultKind::Pause { node, length, cause: PauseCause::Gc },
            FaultKind::Suspend { machine, length },
            FaultKind::Crash { node, restart: length },
            FaultKind::PowerLoss { machine, restart: length },
        ]);
    }
    for both in [true, false] {
        all.extend([FaultKind::Cut { from, to, both }, FaultKind::Heal { from, to, both }]);
    }
    let causes = [PauseCause::PageFault, PauseCause::NetworkDisk, PauseCause::CpuContention, PauseCause::SigStop];
    all.extend(causes.map(|cause| FaultKind::Pause { node, length: Some(Span::from_ms(1)), cause }));
    all.extend([60_000_000, -60_000_000].map(|by_us| FaultKind::ClockJump { machine, by_us }));
    all.extend([20_000, -20_000, 0].map(|ppm| FaultKind::ClockRate { machine, ppm }));
    cover!(
        all,
        FaultKind::Pause { .. },
        FaultKind::Resume { .. },
        FaultKind::Suspend { .. },
        FaultKind::Wake { .. },
        FaultKind::ClockJump { .. },
        FaultKind::ClockRate { .. },
        FaultKind::Crash { .. },
        FaultKind::PowerLoss { .. },
        FaultKind::Restart { .. },
        FaultKind::Cut { .. },
        FaultKind::Heal { .. },
        FaultKind::CutOff { .. },
        FaultKind::Rejoin { .. },
        FaultKind::Hold { .. },
        FaultKind::DeliverNow { .. },
        FaultKind::Delay { .. },
        FaultKind::Lose { .. },
        FaultKind::Resend { .. },
        FaultKind::Reset { .. },
    );
    all
}

pub(super) fn events(setup: &Setup) -> Vec<Event> {
    let node = CLIENT;
    let mut all = vec![
        Event::Started { node },
        Event::Timer { node, timer: 0 },
        Event::Timer { node: NodeId(2), timer: 0 },
        Event::TimerWaits { node, timer: 0 },
        Event::ConnectionLost { node, peer: NodeId(2), conn: ConnId(0) },
        Event::Broke { conn: ConnId(0) },
        Event::Resumed { node },
        Event::Restarted { node },
    ];
    for packet in packets(setup) {
        all.extend([
            Event::Delivered { packet: Arc::clone(&packet) },
            Event::Buffered { packet: Arc::clone(&packet) },
            Event::Unbuffered { packet: Arc::clone(&packet) },
            Event::Refused { packet },
        ]);
    }
    let lines = setup.clients[0].program.len() as u16;
    all.extend((0..lines).map(|line| Event::Line { node, line: LineIx(line), part: 0 }));
    all.extend(faults().into_iter().map(|kind| Event::Fault { ix: FaultIx(0), kind, ends: false }));
    cover!(
        all,
        Event::Started { .. },
        Event::Line { .. },
        Event::Delivered { .. },
        Event::Buffered { .. },
        Event::Unbuffered { .. },
        Event::Refused { .. },
        Event::Timer { .. },
        Event::TimerWaits { .. },
        Event::ConnectionLost { .. },
        Event::Broke { .. },
        Event::Resumed { .. },
        Event::Restarted { .. },
        Event::Fault { .. },
    );
    all
}

pub(super) fn whys() -> Vec<Why> {
    let (lock, client, older, newer, since) = (ServiceIx(0), CLIENT, NodeId(0), NodeId(1), Time::from_ms(1_000));
    let owner = newer;
    let lease = Some(Span::from_ms(10_000));
    let keepers = [
        Keeper::Crashed { owner, lease: None },
        Keeper::Crashed { owner, lease },
        Keeper::Stopped { owner, lease: None },
        Keeper::Stopped { owner, lease },
        Keeper::InDoubt { owner, lease },
        Keeper::Unaware { owner },
        Keeper::Itself { owner },
        Keeper::Circle { owner },
        Keeper::Nobody,
    ];
    cover!(
        keepers,
        Keeper::Crashed { .. },
        Keeper::Stopped { .. },
        Keeper::InDoubt { .. },
        Keeper::Unaware { .. },
        Keeper::Itself { .. },
        Keeper::Circle { .. },
        Keeper::Nobody,
    );
    let token = Some(Token(33));
    let granted_since = |token, contact| Why::GrantedSince {
        writer: older,
        token,
        newer,
        newer_token: token.map(|_| Token(34)),
        granted: since,
        contact,
    };
    let mut all = vec![
        Why::NobodyHeldYet,
        Why::NoWriteYet,
        Why::NoStorageHere,
        Why::NoTokenYet,
        Why::NoTokensHere,
        granted_since(None, Contact::After),
        granted_since(token, Contact::Before),
        Why::Overwrote { writer: older, base: 0, replaced: 1, lost: Some(newer) },
        Why::Overwrote { writer: older, base: 0, replaced: 1, lost: None },
        Why::AppliedTwice { writer: older, op: OpId(1), first: since },
        Why::TokenNotHigher { earlier: older, earlier_token: Token(34), later: newer, later_token: Token(33) },
        Why::PassedOver { client, lock, since, grants: 50 },
    ];
    for by in keepers {
        let kept = Kept { client, lock, since, allowed: Span::from_ms(10_000), by };
        all.extend([Why::Waiting(kept), Why::KeptOut(kept)]);
    }
    for ended in [
        None,
        Some(Ending::Released),
        Some(Ending::Expired),
        Some(Ending::RemovedByOther),
        Some(Ending::Forgotten),
        Some(Ending::Lost),
    ] {
        all.extend([true, false].map(|paused| Why::TwoBelievers { lock, older, newer, ended, paused }));
    }
    all.extend(rejections().into_iter().map(|why| Why::TurnedAway { client, why }));
    cover!(
        all,
        Why::NobodyHeldYet,
        Why::NoWriteYet,
        Why::NoStorageHere,
        Why::NoTokenYet,
        Why::NoTokensHere,
        Why::Waiting(_),
        Why::TwoBelievers { .. },
        Why::GrantedSince { .. },
        Why::Overwrote { .. },
        Why::AppliedTwice { .. },
        Why::TokenNotHigher { .. },
        Why::KeptOut(_),
        Why::PassedOver { .. },
        Why::TurnedAway { .. },
    );
    all
}
