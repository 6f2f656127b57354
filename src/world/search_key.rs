//! A second key for searches: two worlds with the same key have the same futures, although their clocks, counters and
//! logs differ. Times are relative to now; sequence numbers, ids, digests and provenance are left out.

use std::hash::{Hash, Hasher};

use super::process::{Due, Process, Run, Waiting};
use super::{Digest, Flight, World};
use crate::vocabulary::{PacketId, Time};

impl World {
    /// The key of this state for a search.
    pub fn search_key(&self) -> u64 {
        let mut key = Digest::new();
        for machine in self.machines.iter() {
            // Offsets between the clocks matter, and how far true time has come only for the horizon.
            (machine.powered(), machine.suspended().is_some(), machine.rate_ppm()).hash(&mut key);
            (machine.wall_us(self.now) - self.now.0 as i64).hash(&mut key);
            (machine.mono_us(self.now) - self.now.0 as i64).hash(&mut key);
        }
        for process in &self.processes {
            self.key_of_process(process, &mut key);
        }
        for flight in self.air.iter() {
            self.key_of_flight(flight, &mut key);
        }
        self.net.key(&mut key);
        self.adversary.key(&mut key);
        for entry in self.queue.iter() {
            entry.at.since(self.now).hash(&mut key);
            match entry.what {
                super::queue::Pending::Deliver(packet) => self.place_in_flight(packet).hash(&mut key),
                other => other.hash(&mut key),
            }
        }
        key.finish()
    }

    fn place_in_flight(&self, packet: PacketId) -> Option<u32> {
        self.air.iter().position(|flight| flight.packet.id == packet).map(|place| place as u32)
    }

    fn relative(&self, time: Option<Time>) -> Option<i64> {
        time.map(|time| time.0 as i64 - self.now.0 as i64)
    }

    fn key_of_process(&self, process: &Process, key: &mut Digest) {
        match process.run() {
            Run::Up => 0_u8.hash(key),
            Run::Paused { until, .. } => (1_u8, self.relative(until)).hash(key),
            Run::Suspended { .. } => 2_u8.hash(key),
            Run::Down { power, .. } => (3_u8, power).hash(key),
        }
        // States hold absolute readings of their machine's clocks: two states that differ only by when they happened
        // get different keys, which costs the search some repetition but never a state.
        process.state().hash(key);
        process.interrupted_matched().hash(key);
        process.unfinished().hash(key);
        (process.surviving(false), process.surviving(true)).hash(key);
        for timer in &process.timers {
            timer.id.hash(key);
            match timer.due {
                Due::Clock(choice, due) => (choice, due).hash(key),
                Due::Cpu { left, from } => (left, self.relative(Some(from))).hash(key),
            }
        }
        for waiting in process.buffer() {
            match waiting {
                Waiting::Packet { packet, .. } => (packet.from, &packet.message).hash(key),
                Waiting::Timer { timer, .. } => timer.hash(key),
                Waiting::Lost { peer, .. } => peer.hash(key),
            }
        }
    }

    fn key_of_flight(&self, flight: &Flight, key: &mut Digest) {
        let Flight { packet, due, held, nominal, .. } = flight;
        (packet.from, packet.to, &packet.message, held).hash(key);
        (self.relative(*due), self.relative(Some(*nominal))).hash(key);
    }
}
