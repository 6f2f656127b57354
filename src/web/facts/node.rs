//! Clients, lock nodes and storage servers.

use super::{Remark, Sheet, doings, with_unit};
use crate::history::History;
use crate::scenario::{Role, Setup};
use crate::views::narration::{znode_label, zxid_label};
use crate::vocabulary::{ClockChoice, Guard, KeyId, Lang, Line, LineIx, NodeId, Persistence, ResourceIx, ServiceIx};
use crate::web::beliefs::Beliefs;
use crate::web::format;
use crate::web::icons::Badge;
use crate::web::names;
use crate::web::stage::phrases;
use crate::web::stage::votes::{Cell, Said, Tally, Watch};
use crate::web::words::Word;
use crate::world::{MachineState, RedisValue, Run, Sentinel, World};

type Facts = Vec<(String, String)>;

pub(super) fn sheet(history: &History, id: NodeId, lang: Lang) -> Sheet {
    let (setup, world) = (&history.scenario().setup, history.world());
    let mut facts = Facts::new();
    let mut put = |word: Word, text: String| facts.push((word.get(lang).into(), text));
    let kind = match setup.nodes[id.ix()].role {
        Role::Client(_) => {
            client(world, id, lang, &mut put);
            Word::KindClient
        }
        Role::Redis(service, _) => {
            redis(world, id, service, lang, &mut put);
            Word::KindLockNode
        }
        Role::Sentinel(_) => {
            sentinel(world, id, lang, &mut facts);
            Word::KindSentinel
        }
        Role::ZooKeeper(_) => {
            zookeeper(world, id, &mut put);
            Word::KindZooKeeper
        }
        Role::Storage => {
            storage(world, id, lang, &mut facts);
            Word::KindStorage
        }
    };
    let machine = world.machine(setup.machine_of(id));
    facts.push((Word::WallClock.get(lang).into(), format::wall(machine.wall_us(world.now()))));
    facts.push((Word::MonoClock.get(lang).into(), millis(machine.mono_us(world.now()))));
    Sheet {
        kind,
        title: names::node(setup, id, lang),
        code: false,
        sentence: false,
        route: Some(state(world, id, lang)),
        note: remark(world, id, machine, lang),
        facts,
        steps_title: Word::WhatItDid,
        steps: doings(history, id),
        step: None,
        back: None,
    }
}

/// Whether it runs, and until when it does not.
fn state(world: &World, id: NodeId, lang: Lang) -> String {
    let process = world.process(id);
    let finished = process.state().client().is_some_and(|client| client.line().is_none());
    let (said, until) = match process.run() {
        Run::Up if finished => (Word::Finished, None),
        Run::Up if process.state().client().is_some() => (Word::Running, None),
        Run::Up => (Word::Up, None),
        Run::Paused { until, .. } => (Word::Asleep, Some(until)),
        Run::Suspended { .. } => (Word::Suspended, None),
        Run::Down { power: true, .. } => (Word::NoPower, None),
        Run::Down { power: false, .. } => (Word::Down, None),
    };
    let mut text = said.get(lang).to_owned();
    match until {
        Some(Some(until)) => {
            text.push_str(" · ");
            text.push_str(&until_text(&with_unit(format::ms(until)), lang));
        }
        Some(None) => {
            text.push_str(" · ");
            text.push_str(Word::UntilResumed.get(lang));
        }
        None => {}
    }
    text
}

fn until_text(time: &str, lang: Lang) -> String {
    match lang {
        Lang::En => ["until ", time].concat(),
        Lang::Ko => [time, "까지"].concat(),
    }
}

fn client(world: &World, id: NodeId, lang: Lang, put: &mut impl FnMut(Word, String)) {
    let (setup, process) = (world.setup(), world.process(id));
    let (Some(client), Some(config)) = (process.state().client(), setup.client(id)) else { return };
    if let Some(line) = client.line() {
        put(Word::Line, line_text(setup, &config.program, line));
    }
    for hold in client.holds() {
        let holds = world.holder(hold.service).is_some_and(|holding| holding.client == id);
        put(Word::Believes, Word::HoldsLock.get(lang).into());
        put(Word::Truth, if holds { Word::Yes } else { Word::No }.get(lang).into());
        if let Some(token) = hold.token {
            put(Word::TokenLabel, token.to_string());
        }
        if let Some(until) = hold.believed_until {
            put(Word::BelievedUntil, millis(until));
        }
    }
    if let Some(tally) = Tally::of(world, id, world.now()) {
        votes(&tally, lang, put);
    }
    if process.waiting() > 0 {
        put(Word::KernelBuffer, process.waiting().to_string());
    }
    if let Some(driver) = config.drivers.first() {
        put(Word::Lease, driver.ttl.map_or_else(|| Word::NoExpiry.get(lang).into(), format::with_unit));
        put(Word::Manner, if driver.careful { Word::Careful } else { Word::Naive }.get(lang).into());
    }
}

/// The votes, exactly: who said what, who keeps the value, and the time against the lease.
fn votes(tally: &Tally, lang: Lang, put: &mut impl FnMut(Word, String)) {
    let [counted, ..] = phrases::votes(tally.yes, tally.needed, lang);
    put(Word::Votes, counted);
    let who = |fits: &dyn Fn(&Cell) -> bool| {
        let found: Vec<&str> = tally.cells.iter().filter(|cell| fits(cell)).map(|cell| cell.letter.as_str()).collect();
        found.join(" ")
    };
    for (word, said) in [
        (Word::SaidYes, Said::Yes),
        (Word::Refused, Said::No),
        (Word::NoAnswer, Said::Silent),
        (Word::NotYet, Said::Open),
    ] {
        let some = who(&|cell| cell.said == said);
        if !some.is_empty() {
            put(word, some);
        }
    }
    let majority = if tally.keep >= tally.majority { Word::Majority } else { Word::NoMajority };
    put(Word::TrulyKept, [&who(&|cell| cell.keeps), " · ", majority.get(lang)].concat());
    if let Some((passed, lease)) = tally.clock {
        put(Word::Passed, exact(passed));
        put(Word::GoodFor, exact(lease));
    }
}

fn exact(us: i64) -> String {
    let mut text = if us < 0 { String::from("−") } else { String::new() };
    text.push_str(&crate::web::stage::measure::millis(us.unsigned_abs()));
    with_unit(text)
}

/// What a sentinel thinks.
fn sentinel(world: &World, id: NodeId, lang: Lang, facts: &mut Facts) {
    let (setup, Some(watch)) = (world.setup(), Watch::of(world, id, world.now())) else { return };
    facts.push((Word::Primary.get(lang).into(), watch.primary));
    if let Some(node) = watch.promoting {
        facts.push((Word::Promotes.get(lang).into(), node));
    }
    facts.push((Word::DownAfter.get(lang).into(), exact(watch.down_after_us as i64)));
    let now = world.machine(setup.machine_of(id)).mono_us(world.now());
    for (node, down, since) in world.process(id).state().sentinel().into_iter().flat_map(Sentinel::watched) {
        let mut text = if down { Word::Down } else { Word::Up }.get(lang).to_owned();
        if let Some(since) = since {
            text = [&text, " · ", Word::NoAnswer.get(lang), " ", &exact(now - since)].concat();
        }
        facts.push((setup.node_name(node).to_owned(), text));
    }
}

fn line_text(setup: &Setup, program: &[Line], line: LineIx) -> String {
    let mut text = (line.0 + 1).to_string();
    text.push_str(" · ");
    if let Some(line) = program.get(line.ix()) {
        text.push_str(&setup.line_text(*line));
    }
    text
}

fn redis(world: &World, id: NodeId, service: ServiceIx, lang: Lang, put: &mut impl FnMut(Word, String)) {
    let Some(redis) = world.process(id).state().redis() else { return };
    let machine = world.machine(world.setup().machine_of(id));
    let clock = machine.clock(redis.config().expiry_clock);
    match redis.entry(KeyId::lock(service)) {
        None => put(Word::LockKey, Word::Free.get(lang).into()),
        Some(entry) => {
            let mut owner = names::node(world.setup(), entry.owner, lang);
            if let RedisValue::Nonce(nonce) | RedisValue::Held { owner: nonce, .. } = entry.value {
                owner.push_str(", ");
                owner.push_str(&crate::views::narration::nonce_label(nonce));
            }
            if let RedisValue::Held { count, .. } = entry.value {
                owner.push_str(" ×");
                owner.push_str(&count.to_string());
            }
            put(Word::HeldBy, owner);
            if let RedisValue::Held { request: request @ 1.., .. } = entry.value {
                put(Word::LastRequest, request.to_string());
            }
            match entry.deadline {
                None => put(Word::TimeLeft, Word::NoExpiry.get(lang).into()),
                Some(deadline) => {
                    put(Word::TimeLeft, millis((deadline - clock.read(world.now())).max(0)));
                    let wall = redis.config().expiry_clock == ClockChoice::Wall;
                    put(Word::ExpiresAt, if wall { format::wall(deadline) } else { millis(deadline) });
                }
            }
        }
    }
    if redis.token(service) > 0 {
        put(Word::LastToken, redis.token(service).to_string());
    }
    if world.setup().failover_of(id).is_some() {
        if let Some(leader) = redis.leader() {
            put(Word::Follows, names::node(world.setup(), leader, lang));
        } else {
            let (acked, replicas) = redis.copied();
            put(Word::Acknowledged, [&acked.to_string(), " / ", &replicas.to_string()].concat());
        }
        put(Word::Offset, redis.offset().to_string());
        if let Some((acked, needed)) = redis.waits_for() {
            put(Word::Waits, [&acked.to_string(), " / ", &needed.to_string()].concat());
        }
    }
    let disk = match redis.config().persistence {
        Persistence::None => Word::PersistNone,
        Persistence::EverySecond => Word::PersistSecond,
        Persistence::Always => Word::PersistAlways,
    };
    put(Word::Persistence, disk.get(lang).into());
}

fn storage(world: &World, id: NodeId, lang: Lang, facts: &mut Facts) {
    let setup = world.setup();
    let Some(storage) = world.process(id).state().storage() else { return };
    let own = setup.resources.iter().enumerate().filter(|(_, resource)| resource.node == id);
    for (ix, resource) in own {
        let stored = storage.resource(ResourceIx(ix as u8));
        facts.push((resource.name.clone(), stored.value.to_string()));
        let mut put = |word: Word, text: String| facts.push((word.get(lang).into(), text));
        put(Word::Version, stored.version.to_string());
        if let Some(writer) = stored.writer {
            put(Word::Writer, names::node(setup, writer, lang));
        }
        if let Some(highest) = stored.highest {
            put(Word::HighestToken, highest.to_string());
        }
        put(Word::GuardLabel, guard(resource.config.guard).get(lang).into());
    }
}

const fn guard(guard: Guard) -> Word {
    match guard {
        Guard::None => Word::GuardNone,
        Guard::Fencing { .. } => Word::GuardFencing,
        Guard::Version => Word::GuardVersion,
        Guard::RandomId => Word::GuardRandomId,
        Guard::OperationId => Word::GuardOperation,
    }
}

/// A false belief, or a clock that was moved.
fn remark(world: &World, id: NodeId, machine: &MachineState, lang: Lang) -> Option<Remark> {
    let services = (0..world.setup().services.len()).map(|ix| ServiceIx(ix as u8));
    let wrong = services
        .map(|service| Beliefs::of(world, service))
        .find(|beliefs| beliefs.believers.contains(&id) && beliefs.holder != Some(id));
    if wrong.is_some() {
        return Some(Remark {
            badge: Badge::Risk,
            title: Word::FalseBelief.get(lang).into(),
            text: Word::FalseBeliefText.get(lang).into(),
        });
    }
    let jumped = machine.jumped_us();
    (jumped != 0).then(|| Remark {
        badge: Badge::Risk,
        title: if jumped > 0 { Word::ClockAhead } else { Word::ClockBehind }
            .get(lang)
            .replace("{}", &millis(jumped.abs())),
        text: Word::ClockMovedText.get(lang).into(),
    })
}

fn millis(us: i64) -> String {
    with_unit(format::grouped(us.div_euclid(1000)))
}

/// A ZooKeeper server: how far its log is, and what it has applied.
fn zookeeper(world: &World, id: NodeId, put: &mut impl FnMut(Word, String)) {
    let Some(server) = world.process(id).state().zookeeper() else { return };
    put(Word::Epoch, server.replica().epoch().to_string());
    put(Word::LastZxid, zxid_label(server.replica().log().last()));
    put(Word::Sessions, server.tree().sessions().len().to_string());
    let names: Vec<String> = server.tree().children().iter().map(|child| znode_label(child.name)).collect();
    put(Word::Queue, if names.is_empty() { "–".to_owned() } else { names.join(" ") });
}
