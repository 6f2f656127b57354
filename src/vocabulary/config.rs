//! Configurations of services, resources and the clients' lock drivers.

use super::{ClockChoice, Span};

/// How long a packet takes in one direction of a link.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Latency {
    /// The shortest time.
    pub min: Span,
    /// The longest time; equal to `min` if the latency is fixed.
    pub max: Span,
}

/// What survives the end of a Redis process: its append-only file policy.
///
/// Source: Redis documentation, "Redis persistence" (`appendonly`, `appendfsync`).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum Persistence {
    /// `appendonly no`: nothing.
    #[default]
    None,
    /// `appendfsync everysec`: all, after a process crash; all but about the last second, after a power loss.
    EverySecond,
    /// `appendfsync always`: all that was acknowledged.
    Always,
}

/// One Redis node.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct RedisConfig {
    /// What is written to disk, and when it is synced.
    pub persistence: Persistence,
    /// The clock by which keys expire. Real Redis uses the wall clock; the monotonic one is a control.
    pub expiry_clock: ClockChoice,
    /// The token counter's value before the first grant.
    pub counter_start: u64,
}

/// How a Redis primary copies to its replicas, and when a sentinel replaces it.
///
/// Source: Redis documentation, "Redis replication" and "High availability with Redis Sentinel".
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct FailoverConfig {
    /// How long a change stays in the primary's output buffer before it goes to a replica.
    pub lag: Span,
    /// `min-replicas-to-write`: with fewer good replicas a primary refuses to write. 0: never.
    pub min_to_write: u8,
    /// `min-replicas-max-lag`: a replica is good if it was heard of so many whole seconds ago at most.
    pub max_lag_s: u32,
    /// `down-after-milliseconds`: how long a sentinel hears nothing before it takes a node for down.
    pub down_after: Span,
}

/// How the servers of an ensemble keep time.
///
/// Source: ZooKeeper Administrator's Guide, "Configuration Parameters" (`tickTime`, `initLimit`, `syncLimit`).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct EnsembleConfig {
    /// `tickTime`
    pub tick: Span,
    /// `initLimit`: how many ticks a leader and its followers have to begin.
    pub init_limit: u32,
    /// `syncLimit`: how many ticks they may hear nothing of each other afterwards.
    pub sync_limit: u32,
    /// How long the disk takes to write an entry.
    pub fsync: Span,
    /// `znode.container.checkIntervalMs`: how often the leader looks for empty containers; `None` for never.
    pub containers: Option<Span>,
}

/// What a client of ZooKeeper's lock recipe watches.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum Watched {
    /// The node right before its own.
    #[default]
    Predecessor,
    /// The children of the parent: whoever leaves wakes everybody.
    Parent,
}

/// ZooKeeper's lock recipe, knob by knob.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "each is a knob of its own that real code sets either way")]
pub struct Recipe {
    /// The session timeout that the client wishes.
    pub session: Span,
    /// What it watches while it waits.
    pub watched: Watched,
    /// Whether the node's name begins with an id by which the client finds it again if the answer to `create` is lost.
    pub id_in_name: bool,
    /// Whether it lists the children again if the node that it wants to watch is gone already.
    pub list_again: bool,
    /// Whether the node is ephemeral.
    pub ephemeral: bool,
    /// Whether it stops while it is disconnected.
    pub suspends: bool,
    /// Whether it lets its server catch up (`sync`) before it looks whether its node was made after all.
    pub syncs: bool,
}

impl Recipe {
    /// As the documentation has it, with a client that nothing stops.
    pub const DOCUMENTED: Self = Self {
        session: Span::from_ms(10_000),
        watched: Watched::Predecessor,
        id_in_name: true,
        list_again: true,
        ephemeral: true,
        suspends: false,
        syncs: false,
    };
}

/// `WAIT replicas timeout`: how a client asks whether its lock was copied.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct WaitForCopies {
    /// How many replicas must have it.
    pub replicas: u8,
    /// How long the node may wait for them.
    pub timeout: Span,
}

/// How a client takes the lock.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum AcquireMode {
    /// `SET key nonce NX PX ttl`, atomic. Without a TTL: `SET key nonce NX`.
    #[default]
    Set,
    /// `SETNX key nonce`, and `PEXPIRE` as a second line if there is a TTL.
    SetNx,
    /// A script that counts, under the owner's mark, how often it took the lock. The mark is the process's own: whoever
    /// asks twice is counted twice.
    Reentrant,
    /// The same, and each `acquire` has an id of its own that its resends repeat: they are counted once.
    ReentrantById,
}

impl AcquireMode {
    /// Whether the lock counts its owner.
    pub const fn is_reentrant(self) -> bool {
        matches!(self, Self::Reentrant | Self::ReentrantById)
    }
}

/// Where fencing tokens come from.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum TokenSource {
    /// There are none.
    #[default]
    None,
    /// One atomic script takes the lock and increments the counter on the same node.
    Counter,
    /// A separate `INCR` on the first node, after the lock was taken.
    SeparateCounter,
    /// The random value itself, by its last four hexadecimal digits: the ones that are shown.
    Random,
    /// The zxid that made the lock's node.
    Czxid,
    /// The number in the node's name.
    Sequence,
    /// The version of the lock's node, which is nobody's but this client's.
    NodeVersion,
    /// The version of the parent, which each holder raises by a `setData`.
    ParentVersion,
}

/// How a client gives the lock back.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum ReleaseMode {
    /// Delete the key if it still holds this client's nonce, as one script. A re-entrant lock is counted down, and
    /// deleted at zero.
    #[default]
    CompareAndDelete,
    /// Plain `DEL`.
    Delete,
    /// Not at all: it waits for the lease to run out.
    Never,
}

/// How a client extends its lease in the background.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "each is a knob of its own")]
pub struct Renewal {
    /// How often.
    pub every: Span,
    /// Whether a missing key is set again (some libraries do) instead of being taken as a loss.
    pub set_if_missing: bool,
    /// Whether the time that the renewal took is compared with the lease, as it is when the lock is taken.
    pub check_elapsed: bool,
    /// How many renewals of one hold may succeed; `None` for no limit.
    pub most: Option<u32>,
    /// Whether it is sent although the lease is over by the clock that `check` looks at.
    pub after_expiry: bool,
    /// Whether the lock is given back on all nodes when a renewal fails.
    pub release_failed: bool,
    /// Whether a failed renewal ends all further ones and tells the client nothing.
    pub quiet: bool,
}

impl Renewal {
    /// The plain way: extend what is there, with an eye on the time.
    pub const fn plain(every: Span) -> Self {
        Self {
            every,
            set_if_missing: false,
            check_elapsed: true,
            most: None,
            after_expiry: true,
            release_failed: false,
            quiet: false,
        }
    }
}

/// When the requests of one attempt go out.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum Requests {
    /// To all nodes at once.
    #[default]
    Parallel,
    /// To one node after the other, each when the one before has answered or been given up.
    Sequential,
}

/// How many answers an attempt, or a release, waits for.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum Replies {
    /// All, or the timeout of those that do not come.
    #[default]
    All,
    /// So many as decide: enough votes, or too few left.
    Deciding,
}

/// From when the elapsed time is counted.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum StartOf {
    /// The attempt.
    #[default]
    Attempt,
    /// The `acquire` line: a retry inherits the time of those before it.
    Call,
}

/// How a client makes one lock of the answers of several nodes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "each is a knob of its own")]
pub struct Voting {
    /// How many votes it needs; `None` for a majority of the nodes.
    pub quorum: Option<u32>,
    /// When its requests go out.
    pub requests: Requests,
    /// How many answers it waits for.
    pub replies: Replies,
    /// The clock by which it compares the elapsed time with the lease before it believes; with `None` it does not.
    pub elapsed_clock: ClockChoice,
    /// From when the elapsed time is counted.
    pub start: StartOf,
    /// What it takes off the lease for clocks that drift: so many hundredths of it...
    pub drift_percent: u32,
    /// ...and so much more.
    pub drift: Span,
    /// Whether it gives the lock back on all nodes when an attempt fails.
    pub release_failed: bool,
    /// Whether it does so also when there were enough votes and too much time had passed.
    pub release_late: bool,
    /// Whether all attempts of one `acquire` use one value, and nothing is given back before the last has failed.
    pub one_value: bool,
    /// Whether a node that did not answer makes `acquire` fail for good although there were enough votes. What was granted
    /// is not given back then.
    pub raise_errors: bool,
}

/// A client's way with one lock: every part that real libraries do differently is a knob.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Driver {
    /// The lease's length; `None` for a lock without expiry.
    pub ttl: Option<Span>,
    /// How the lock is taken.
    pub acquire: AcquireMode,
    /// Where tokens come from.
    pub token: TokenSource,
    /// Whether, and for how many copies, it waits before it believes.
    pub wait: Option<WaitForCopies>,
    /// How many attempts before giving up; `None` for never.
    pub attempts: Option<u32>,
    /// The pause between attempts.
    pub retry: Span,
    /// Up to this much is added to each pause, at random.
    pub jitter: Span,
    /// How long to wait for a node's reply; `None` for as long as the connection stands.
    pub timeout: Option<Span>,
    /// The clock by which the client judges its own lease.
    pub check_clock: ClockChoice,
    /// Whether the client stops believing at its own deadline (if it looks at a clock) and on notices of loss.
    pub careful: bool,
    /// How the lock is given back.
    pub release: ReleaseMode,
    /// Whether the release line waits for the reply.
    pub await_release: bool,
    /// Renewal in the background, if any.
    pub renewal: Option<Renewal>,
    /// How the answers of several nodes make one lock.
    pub voting: Voting,
    /// How ZooKeeper's recipe is followed.
    pub recipe: Recipe,
}

impl Voting {
    /// One node, asked plainly: its answer decides, and nobody looks at the time that it took.
    pub const PLAIN: Self = Self {
        quorum: None,
        requests: Requests::Parallel,
        replies: Replies::All,
        elapsed_clock: ClockChoice::None,
        start: StartOf::Attempt,
        drift_percent: 0,
        drift: Span::ZERO,
        release_failed: false,
        release_late: true,
        one_value: false,
        raise_errors: false,
    };

    /// Redlock by the letter of its specification.
    pub const REDLOCK: Self = Self {
        elapsed_clock: ClockChoice::Monotonic,
        drift_percent: 1,
        drift: Span::from_ms(2),
        release_failed: true,
        ..Self::PLAIN
    };
}

impl Driver {
    /// What of a lease the client counts on: the lease less the allowance for drift.
    pub fn safe_lease(&self) -> Option<Span> {
        let Voting { drift_percent, drift, .. } = self.voting;
        self.ttl.map(|ttl| ttl - Span(ttl.0 / 100 * u64::from(drift_percent)) - drift)
    }
}

/// What storage checks before it applies a write.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Guard {
    /// Nothing.
    #[default]
    None,
    /// A fencing token: lower than the highest seen is refused.
    Fencing {
        /// Refuse an equal token too.
        reject_equal: bool,
        /// Reads carry the token as well: they raise the highest seen and are refused if lower.
        mark_on_read: bool,
    },
    /// Compare-and-set: the version must be the one read.
    Version,
    /// Compare-and-set: the random id of the data must be the one read.
    RandomId,
    /// An operation that was applied is not applied again.
    OperationId,
}

/// One resource of a storage server.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct ResourceConfig {
    /// What is checked before a write.
    pub guard: Guard,
    /// The value before the first write.
    pub initial: i64,
}
