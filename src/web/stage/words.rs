//! The words inside drawings, in both languages. Sentences are written elsewhere (`views::narration`).

use crate::vocabulary::Lang;

/// Declares words with their English and Korean spelling: one that lacks a language does not compile.
macro_rules! words {
    ($($(#[$doc:meta])* $name:ident: $en:literal, $ko:literal;)+) => {
        /// A word or short phrase.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub(crate) enum Word { $($(#[$doc])* $name,)+ }

        impl Word {
            /// Every word.
            #[cfg(test)]
            pub(crate) const ALL: &'static [Self] = &[$(Self::$name,)+];

            /// Its spelling.
            pub(crate) const fn get(self, lang: Lang) -> &'static str {
                match (self, lang) {
                    $((Self::$name, Lang::En) => $en, (Self::$name, Lang::Ko) => $ko,)+
                }
            }
        }
    };
}

words! {
    /// Names the drawing.
    Stage: "Stage: clients, lock service and storage", "무대: 클라이언트, 락 서비스, 저장소";
    /// Names the scrubber.
    Scrubber: "Position in the run", "실행 위치";
    /// A lock node's role.
    LockService: "lock service", "락 서비스";
    /// A node that copies to others.
    Primary: "primary", "프라이머리";
    /// A node that follows a primary.
    Replica: "replica", "복제본";
    /// A replica that became the primary.
    Promoted: "promoted", "승격됨";
    /// A primary that was replaced and does not know it.
    Deposed: "old primary", "이전 프라이머리";
    /// The process that replaces a dead primary.
    Sentinel: "sentinel", "센티널";
    /// A replica that has all its primary has.
    UpToDate: "up to date", "최신";
    Leader: "leader", "리더";
    Follower: "follower", "팔로어";
    LooksForLeader: "looking", "리더 찾는 중";
    /// A node in order.
    Up: "up", "정상";
    /// A node that does not run.
    Down: "down", "중단됨";
    /// A client whose process ended.
    Crashed: "crashed", "비정상 종료";
    /// A paused process.
    Asleep: "asleep", "잠듦";
    /// A suspended machine.
    Suspended: "suspended", "절전 상태";
    /// Its pause is just over.
    JustWoke: "just woke", "방금 깨어남";
    /// The same, where there is little room.
    Awake: "awake", "깨어남";
    /// A node without links.
    CutOff: "cut off", "단절됨";
    /// One link that stalls.
    Cut: "cut", "끊김";
    /// A client at the end of its program.
    Finished: "finished", "완료";
    /// Belief, in its own words.
    IHold: "“I hold the lock”", "“락은 내 것이다”";
    /// The same, where there is little room.
    Mine: "“it is mine”", "“내 것이다”";
    /// Truth agrees with belief.
    True: "true", "사실";
    /// Truth disagrees with belief.
    NotTrue: "not true", "사실 아님";
    /// A lease without end.
    NoEnd: "with no time limit", "시간 제한 없음";
    WhileSession: "while its session lives", "세션이 사는 동안";
    /// A grant that nobody believes in.
    Held: "held", "잡혀 있음";
    /// The second half of it.
    NobodyKnows: "nobody knows", "아무도 모름";
    /// Its owner has not heard of it yet.
    ReplyOnItsWay: "reply on its way", "응답 오는 중";
    /// Its owner has sent its release.
    ReleaseOnItsWay: "release on its way", "해제 가는 중";
    /// A grant that nobody will give back.
    Leak: "leak", "누수";
    /// A packet late in a cut link.
    Stalled: "stalled", "멈춰 있음";
    /// A client that wants the lock.
    Wants: "wants the lock", "락을 원함";
    /// Headline of a clash.
    TwoOneHolds: "Two believe, one holds", "둘이 믿고 하나만 쥠";
    /// Headline of a clash where the lock is free.
    TwoNoneHolds: "Two believe, none holds", "둘이 믿지만 아무도 못 쥠";
    /// Headline of a clash of three or more.
    ManyBelieve: "Several believe at once", "여럿이 동시에 믿음";
    /// An entry's owner follows.
    HeldBy: "held by", "보유자";
    /// A lock node without an entry.
    Free: "is free", "비어 있음";
    /// A lock node that lost its memory.
    MemoryGone: "Memory is gone.", "메모리가 사라졌습니다.";
    /// Label of the wall clock.
    Wall: "wall", "벽시계";
    /// Label of the monotonic clock.
    Mono: "mono", "단조";
    /// A writer follows.
    By: "by", "작성";
    /// The highest token seen.
    Highest: "highest token", "최고 토큰";
    /// A storage server.
    Storage: "storage", "저장소";
    /// A guard.
    FencingToken: "fencing token", "펜싱 토큰";
    /// A guard.
    VersionGuard: "version check", "버전 확인";
    /// A guard.
    TagGuard: "random id check", "난수 확인";
    /// A guard.
    OpGuard: "operation id", "연산 id";
    /// A refused packet.
    Refused: "refused", "거절";
    /// A held packet.
    HeldPacket: "held", "붙잡힘";
    /// A dropped packet.
    Dropped: "lost", "유실";
    /// A packet that nobody received.
    NobodyThere: "nobody there", "받는 이 없음";
    /// A flag of the diagram.
    TwoBelieve: "two believe", "둘이 믿음";
    /// A flag of the diagram.
    StaleWrite: "stale write", "뒤늦은 쓰기";
    /// A flag of the diagram.
    LostUpdate: "lost update", "갱신 손실";
    /// A flag of the diagram.
    TokenOrder: "token order", "토큰 순서";
    /// A flag of the diagram.
    Progress: "no progress", "진행 없음";
    /// A flag of the diagram.
    Divergence: "divergence", "불일치";
    /// Legend.
    LegendBelief: "believes it holds", "쥐고 있다고 믿음";
    /// Legend.
    LegendTruth: "truly holds", "실제로 쥠";
    /// Legend.
    LegendClash: "two believe at once", "둘이 동시에 믿음";
    /// Legend.
    LegendPause: "paused", "정지";
    /// Legend.
    LegendDown: "down", "중단";
    /// Legend.
    LegendRefused: "refused", "거절됨";
    /// Legend.
    LegendLost: "lost", "유실됨";
    /// Legend.
    LegendJump: "clock jump", "시계 점프";
    /// Legend.
    LegendFold: "quiet time folded", "접힌 조용한 시간";
    /// Legend.
    LegendUnit: "virtual time, ms", "가상 시간, ms";
    /// A client node, for screen readers.
    Client: "client", "클라이언트";
    /// A packet, for screen readers.
    Packet: "packet", "패킷";
    /// A fault.
    FaultPause: "pause", "정지";
    /// A fault.
    FaultResume: "resume", "재개";
    /// A fault.
    FaultSuspend: "suspend", "절전";
    /// A fault.
    FaultJump: "clock jump", "시계 점프";
    /// A fault.
    FaultRate: "clock rate", "시계 속도";
    /// A fault.
    FaultCrash: "crash", "비정상 종료";
    /// A fault.
    FaultPower: "power loss", "전원 차단";
    /// A fault.
    FaultRestart: "restart", "재시작";
    /// A fault.
    FaultCut: "link cut", "링크 끊김";
    /// A fault.
    FaultHeal: "link healed", "링크 복구";
    /// A fault.
    FaultHold: "packet held", "패킷 붙잡음";
    /// A fault.
    FaultDeliver: "delivered now", "바로 전달";
    /// A fault.
    FaultDelay: "packet delayed", "패킷 지연";
    /// A fault.
    FaultLose: "packet lost", "패킷 유실";
    /// A fault.
    FaultResend: "packet resent", "패킷 재전송";
    /// A fault.
    FaultReset: "connection reset", "연결 재설정";
}
