//! Names of messages and observations, for matchers, filters and logs.

/// Declares a closed list of names with its kebab-case spelling.
macro_rules! names {
    ($(#[$doc:meta])* $name:ident { $($(#[$vdoc:meta])* $variant:ident = $text:literal,)+ }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub enum $name { $($(#[$vdoc])* $variant,)+ }

        impl $name {
            /// Every name, in the order of declaration.
            pub const ALL: &'static [Self] = &[$(Self::$variant,)+];

            /// The spelling in files and logs.
            pub const fn name(self) -> &'static str {
                match self { $(Self::$variant => $text,)+ }
            }

            /// The name spelled `text`, if there is one.
            pub fn from_name(text: &str) -> Option<Self> {
                Self::ALL.iter().copied().find(|one| one.name() == text)
            }
        }
    };
}
pub(crate) use names;

names! {
    /// What kind of message a packet carries.
    MessageKind {
        /// Redis `SET`, in any of its forms.
        Set = "set",
        /// Redis `SETNX`.
        SetNx = "setnx",
        /// Redis `GET`.
        Get = "get",
        /// Redis `DEL`.
        Del = "del",
        /// Redis `PEXPIRE` (`EXPIRE` is the same in seconds).
        PExpire = "pexpire",
        /// Redis `PTTL`.
        PTtl = "pttl",
        /// Redis `INCR`.
        Incr = "incr",
        /// Script: delete the key if it holds this value.
        CompareDelete = "compare-delete",
        /// Script: extend the key's life if it holds this value.
        CompareExtend = "compare-extend",
        /// Script: `SET NX PX`, and on success `INCR` of the token counter.
        LockScript = "lock-script",
        /// Script: extend if mine, set again if missing.
        ExtendOrSet = "extend-or-set",
        /// Redis `WAIT`: how many replicas have what this client wrote?
        Wait = "wait",
        /// A primary tells a replica of a change.
        Replicate = "replicate",
        /// A primary asks a replica how far it is (`REPLCONF GETACK`).
        GetAck = "get-ack",
        /// A replica says how far it is (`REPLCONF ACK`).
        Ack = "ack",
        /// A replica asks for all data (`PSYNC`).
        Psync = "psync",
        /// A primary begins to send all its data.
        FullResync = "full-resync",
        /// A sentinel asks a node whether it lives.
        Ping = "ping",
        /// A node answers a sentinel.
        Pong = "pong",
        /// A sentinel tells a node whom to follow (`REPLICAOF`).
        ReplicaOf = "replica-of",
        /// A client asks a sentinel who is primary.
        AskPrimary = "ask-primary",
        /// A sentinel answers.
        PrimaryIs = "primary-is",
        /// Any reply of a Redis node.
        RedisReply = "redis-reply",
        /// A client reads a resource.
        Read = "read",
        /// Storage answers a read.
        ReadReply = "read-reply",
        /// A client writes a resource.
        Write = "write",
        /// Storage answers a write.
        WriteReply = "write-reply",
        /// Script: take a re-entrant lock, or count its owner once more.
        ReentrantLock = "reentrant-lock",
        /// Script: count its owner down, and free the lock at zero.
        ReentrantUnlock = "reentrant-unlock",
        /// A server tells another whom it wants to lead.
        Ballot = "ballot",
        /// A server wants to follow a leader.
        FollowerInfo = "follower-info",
        /// A leader proposes its epoch.
        LeaderInfo = "leader-info",
        /// A follower promises to take part in no earlier epoch.
        AckEpoch = "ack-epoch",
        /// A leader brings a follower's log in line with its own.
        NewLeader = "new-leader",
        /// A follower has the leader's history on its disk.
        AckNewLeader = "ack-new-leader",
        /// A leader lets a follower serve.
        UpToDate = "up-to-date",
        /// A leader proposes an entry of the log.
        Propose = "propose",
        /// A follower has an entry on its disk.
        AckProposal = "ack-proposal",
        /// A leader says that an entry is committed.
        Commit = "commit",
        /// A leader asks a follower whether it lives.
        PeerPing = "peer-ping",
        /// A follower answers.
        PeerPong = "peer-pong",
        /// A client opens or resumes a ZooKeeper session.
        ZkConnect = "zk-connect",
        /// A ZooKeeper server lets a session in, or says that it has expired.
        ZkConnected = "zk-connected",
        /// A client keeps its session alive.
        ZkPing = "zk-ping",
        /// A ZooKeeper server answers.
        ZkPong = "zk-pong",
        /// `create`
        ZkCreate = "zk-create",
        /// `getChildren`
        ZkChildren = "zk-children",
        /// `exists`
        ZkExists = "zk-exists",
        /// `delete`
        ZkDelete = "zk-delete",
        /// `setData`
        ZkSetData = "zk-set-data",
        /// `sync`
        ZkSync = "zk-sync",
        /// A client closes its session.
        ZkClose = "zk-close",
        /// Any other answer of a ZooKeeper server.
        ZkReply = "zk-reply",
        /// A watch fires.
        WatchEvent = "watch-event",
        /// A follower hands its leader a client's request.
        Forward = "forward",
        /// A follower asks its leader whether a session lives.
        Revalidate = "revalidate",
        /// The leader answers that, or a `sync`.
        LeaderSays = "leader-says",
    }
}

names! {
    /// What kind of observation a process noted.
    ObservationKind {
        /// A client begins to want a lock.
        Wants = "wants",
        /// A client believes it holds a lock.
        Acquired = "acquired",
        /// An attempt to take the lock failed.
        AttemptFailed = "attempt-failed",
        /// A client stops asking for the lock.
        GaveUp = "gave-up",
        /// A client stops believing that it holds a lock.
        HoldClosed = "hold-closed",
        /// A client looked at its lease and found it good.
        CheckPassed = "check-passed",
        /// A client looked at its lease and found it over.
        CheckFailed = "check-failed",
        /// A client learned a resource's value.
        ReadDone = "read-done",
        /// A client learned that its write was applied.
        WriteDone = "write-done",
        /// A client learned that its write was refused.
        WriteRefused = "write-refused",
        /// A client learned that it will not hear what became of its request.
        OutcomeUnknown = "outcome-unknown",
        /// A client extended its lease.
        Renewed = "renewed",
        /// A client failed to extend its lease.
        RenewalFailed = "renewal-failed",
        /// A client reached the end of its program.
        Finished = "finished",
        /// A service gave the lock.
        Granted = "granted",
        /// A service's grant is over.
        Ended = "ended",
        /// A service extended a grant.
        Extended = "extended",
        /// Storage answered a read.
        Contact = "contact",
        /// Storage applied a write.
        Applied = "applied",
        /// Storage refused a request.
        Rejected = "rejected",
        /// A node came back with what its disk held.
        Recovered = "recovered",
        /// A node of several gave a client its vote.
        VoteGiven = "vote-given",
        /// A node of several stands for a client no longer.
        VoteEnded = "vote-ended",
        /// A client counted the votes.
        Counted = "counted",
        /// A replica became the primary.
        Promoted = "promoted",
        /// A node became a replica of another.
        Demoted = "demoted",
        /// A sentinel takes a node for down.
        SeenDown = "seen-down",
        /// A server of an ensemble begins to look for a leader.
        Looking = "looking",
        /// A server leads: a quorum has its history.
        Leads = "leads",
        /// A server follows a leader and serves.
        Follows = "follows",
        /// A leader decides that a session has expired.
        SessionExpired = "session-expired",
        /// A client waits in the queue for a lock.
        Queued = "queued",
        /// A client has a session at a server.
        Connected = "connected",
        /// A client lost its server.
        Disconnected = "disconnected",
        /// A client learned that its session is over.
        Expired = "expired",
        /// A client does not know any more whether it holds the lock, and stops.
        HoldSuspended = "hold-suspended",
        /// A client knows again that it holds the lock.
        HoldResumed = "hold-resumed",
    }
}
