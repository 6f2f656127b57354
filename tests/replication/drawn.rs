//! Scenarios with replicas, drawn at random.

use std::sync::Arc;

use lockstep::scenario::{self, Scenario};
use lockstep::world::Digest;
use serde_json::{Value, json};

/// The nodes of a service: a primary and its replicas.
pub(crate) const NAMES: [&str; 4] = ["redis-a", "redis-b", "redis-c", "redis-d"];

/// A sequence of draws, fixed by its seed and where it begins.
pub(crate) struct Draw {
    seed: u64,
    nth: u32,
}

impl Draw {
    pub(crate) const fn new(seed: u64, nth: u32) -> Self {
        Self { seed, nth }
    }

    pub(crate) fn below(&mut self, limit: usize) -> usize {
        self.nth += 1;
        (Digest::of(&(self.seed, self.nth)) % limit as u64) as usize
    }

    pub(crate) fn one<T: Clone>(&mut self, of: &[T]) -> T {
        of[self.below(of.len())].clone()
    }
}

/// A service with so many replicas.
pub(crate) fn service(draw: &mut Draw, replicas: usize) -> Value {
    let lag = [0, 0, 5, 100, draw.below(400)];
    let mut driver = json!({
        "ttl_ms": 50 + draw.below(1500), "retry_ms": 5 + draw.below(150), "timeout_ms": 50 + draw.below(400),
        "careful": draw.below(2) == 0, "await_release": draw.below(2) == 0,
    });
    if draw.below(3) == 0 {
        driver["token"] = "counter".into();
    }
    if draw.below(3) > 0 {
        driver["wait"] = json!({ "replicas": 1 + draw.below(replicas), "timeout_ms": 1 + draw.below(800) });
    }
    let least = [0, 0, 1 + draw.below(replicas)];
    json!({
        "kind": "redis", "persistence": draw.one(&["none", "every-second", "always"]), "driver": driver,
        "replicas": {
            "nodes": NAMES[1..=replicas], "lag_ms": draw.one(&lag),
            "min_to_write": draw.one(&least), "max_lag_s": 1 + draw.below(3),
        },
    })
}

/// Two or three clients that take the lock again and again.
fn clients(draw: &mut Draw) -> Vec<Value> {
    let mut client = |ix: usize| {
        let work = format!("work {}", 1 + draw.below(600));
        let wait = format!("wait {}", 1 + draw.below(300));
        let middle = draw.one(&[vec!["read", &work, "write read+1"], vec![&work], vec!["write blind 3", &work]]);
        let lines = [vec!["acquire"], middle, vec!["release", &wait, "repeat"]].concat();
        json!({ "id": format!("client-{ix}"), "start_ms": draw.below(300), "program": lines })
    };
    (1..=2 + usize::from(client(0)["start_ms"].as_u64() < Some(100))).map(client).collect()
}

/// A scenario around a service.
pub(crate) fn scenario(seed: u64, draw: &mut Draw, service: &Value, machines: &Value, faults: &Value) -> Arc<Scenario> {
    let text = json!({ "en": "drawn", "ko": "무작위" });
    let least = 1 + draw.below(5);
    let latency = [least, least + draw.below(2) * draw.below(30)];
    let file = json!({
        "format": 1, "id": "drawn", "title": text, "summary": text, "seed": seed, "horizon_ms": 8_000,
        "network": { "latency_ms": latency }, "machines": machines,
        "services": { "lock": service }, "resources": { "counter": {} }, "clients": clients(draw), "faults": faults,
    });
    match scenario::parse(&file.to_string()) {
        Ok((scenario, _)) => Arc::new(scenario),
        Err(error) => panic!("seed {seed}: {error}\n{file:#}"),
    }
}

/// Anything goes.
pub(crate) fn wild(seed: u64) -> Arc<Scenario> {
    let mut draw = Draw::new(seed, 0);
    let replicas = 1 + draw.below(3);
    let mut service = service(&mut draw, replicas);
    if draw.below(4) > 0 {
        service["sentinel"] = json!({ "down_after_ms": 50 + draw.below(900) });
    }
    let skewed = json!({ "redis-b": { "wall_offset_ms": draw.below(2000) as i64 - 1000 } });
    let machines = draw.one(&[json!({}), skewed]);
    scenario(seed, &mut draw, &service, &machines, &json!([]))
}

/// One service, with or without replicas that nothing befalls; clients may be paused.
pub(crate) fn calm(seed: u64, replicated: bool) -> Arc<Scenario> {
    let mut draw = Draw::new(seed, 0);
    let replicas = 1 + draw.below(3);
    let mut service = service(&mut draw, replicas);
    // Waiting for copies takes time, and good replicas acknowledge once a second.
    service["driver"]["wait"] = Value::Null;
    service["driver"]["jitter_ms"] = 0.into();
    service["replicas"]["max_lag_s"] = (2 + draw.below(3)).into();
    service["sentinel"] = json!({ "down_after_ms": 1000 + draw.below(2000) });
    if !replicated {
        let fields = service.as_object_mut().expect("it is an object");
        fields.remove("replicas");
        fields.remove("sentinel");
    }
    let pause = |draw: &mut Draw, client: &str| json!({ "at_ms": draw.below(3000), "pause": { "node": client, "for_ms": 100 + draw.below(2000) } });
    let faults = json!([pause(&mut draw, "client-1"), pause(&mut draw, "client-2")]);
    let same_latency = |file: Arc<Scenario>| {
        let mut scenario = Scenario::clone(&file);
        let mut setup = lockstep::scenario::Setup::clone(&scenario.setup);
        setup.network.latency.max = setup.network.latency.min;
        scenario.setup = Arc::new(setup);
        Arc::new(scenario)
    };
    same_latency(scenario(seed, &mut draw, &service, &json!({}), &faults))
}

/// What one process and its machine can suffer, clocks apart. It comes back only after others have noticed.
pub(crate) fn fails(seed: u64, node: &str) -> Value {
    let mut draw = Draw::new(seed, 500);
    let faults = (0..=draw.below(2)).map(|nth| {
        let at_ms = draw.below(2500) + 3000 * nth;
        let late = 2500 + draw.below(1000);
        let back = draw.one(&[Value::Null, late.into()]);
        match draw.below(4) {
            0 => json!({ "at_ms": at_ms, "crash": { "node": node, "restart_after_ms": back } }),
            1 => json!({ "at_ms": at_ms, "power_loss": { "machine": node, "restart_after_ms": back } }),
            2 => json!({ "at_ms": at_ms, "pause": { "node": node, "for_ms": 1 + draw.below(3000) } }),
            _ => json!({
                "at_ms": at_ms, "cut_off": { "node": node }, "until": { "at_ms": at_ms + 1 + draw.below(3000) }
            }),
        }
    });
    faults.collect()
}
