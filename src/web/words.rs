//! The page's own words, complete in both languages by construction.
//!
//! What happens in a run is put into sentences by [`views::narration`](crate::views); here are only the labels of
//! the page itself.

use crate::vocabulary::Lang;

/// Declares the closed list of labels with both their spellings.
macro_rules! words {
    ($($(#[$doc:meta])* $name:ident: $en:literal, $ko:literal;)+) => {
        /// One label of the page.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub(crate) enum Word { $($(#[$doc])* $name,)+ }

        impl Word {
            /// Every label.
            #[cfg(test)]
            pub(crate) const ALL: &'static [Self] = &[$(Self::$name,)+];

            /// A table is a quarter of the size of a `match` here.
            const TEXTS: &[(&str, &str)] = &[$(($en, $ko),)+];

            /// The label in `lang`.
            pub(crate) const fn get(self, lang: Lang) -> &'static str {
                let (en, ko) = Self::TEXTS[self as usize];
                match lang {
                    Lang::En => en,
                    Lang::Ko => ko,
                }
            }
        }
    };
}

words! {
    Loading: "Loading…", "불러오는 중…";
    TryAgain: "Try again", "다시 시도";
    // Follows the title in quotes.
    ScenarioMissing: " could not be downloaded.", " 시나리오를 내려받지 못했습니다.";
    IndexMissing: "The list of scenarios could not be downloaded. Check the connection, then try again.", "시나리오 목록을 내려받지 못했습니다. 연결을 확인한 뒤 다시 시도하세요.";
    Scenario: "Scenario", "시나리오";
    Scenarios: "Scenarios", "시나리오 목록";
    Theme: "Theme", "테마";
    ThemeSystem: "as the system", "시스템 설정";
    ThemeLight: "light", "밝게";
    ThemeDark: "dark", "어둡게";
    Help: "Help", "도움말";
    Details: "Details", "자세히";
    Close: "Close", "닫기";
    Compare: "Compare", "비교";
    CompareWith: "Compare with", "비교 대상";
    EndCompare: "Back to one run", "한 실행만 보기";
    SameFaults: "Same program, same faults, same seed.", "같은 프로그램, 같은 장애, 같은 시드.";
    OtherFaults: "Same program, same seed, other faults.", "같은 프로그램, 같은 시드, 다른 장애.";
    DifferFirst: "They differ first at", "처음 갈라지는 시각:";
    NoDifference: "Both runs are the same from first step to last.", "두 실행은 처음부터 끝까지 같습니다.";
    OneGoesOn: "Both runs are the same until one of them ends.", "두 실행은 한쪽이 끝날 때까지 같습니다.";
    GoThere: "Go there", "그리로 가기";
    AtThisInstant: "At this instant", "이 시점에서";
    Differs: "differs", "다름";
    Holds: "holds", "지켜짐";
    Open: "open", "미정";
    Broken: "broken", "깨짐";
    Story: "Story", "이야기";
    ChangeOneThing: "Change one thing", "하나만 바꿔 보기";
    Variants: "The same, but…", "한 가지만 다르게";
    AsWritten: "as written", "원래대로";
    Reset: "Back to the original", "원래 값으로";
    Stage: "Stage", "무대";
    Inspector: "Inspector", "살펴보기";
    Verdicts: "Verdicts", "판정";
    Controls: "Controls", "조작";
    Diagram: "Space–time diagram", "시공간 다이어그램";
    Start: "To the start", "처음으로";
    Back: "Back", "뒤로";
    Play: "Play", "재생";
    Pause: "Pause", "멈춤";
    Step: "Step", "한 단계";
    Next: "Next", "다음";
    RunIsOver: "The run is over.", "실행이 끝났습니다.";
    Speed: "Speed", "속도";
    Undo: "Undo", "되돌리기";
    Redo: "Redo", "다시 하기";
    NextViolation: "Next violation", "다음 위반";
    Position: "Position in the run", "실행에서의 위치";
    Zoom: "Zoom", "확대";
    ZoomIn: "Zoom in", "더 크게";
    ZoomOut: "Zoom out", "더 작게";
    NothingYet: "Nothing has happened yet.", "아직 아무 일도 일어나지 않았습니다.";
    PressStep: "Step shows what happens, one event at a time.", "한 단계를 누르면 사건이 하나씩 일어납니다.";
    // Kinds of things that the inspector shows.
    KindClient: "Client", "클라이언트";
    KindLockNode: "Lock node", "락 노드";
    KindSentinel: "Sentinel", "센티널";
    KindZooKeeper: "ZooKeeper server", "ZooKeeper 서버";
    Epoch: "Epoch", "에포크";
    LastZxid: "Last zxid", "마지막 zxid";
    Sessions: "Sessions", "세션";
    Queue: "Queue", "대기열";
    KindStorage: "Storage", "저장소";
    KindPacket: "Packet", "패킷";
    KindStep: "Step", "단계";
    // Facts.
    Running: "running", "실행 중";
    Asleep: "asleep", "잠듦";
    Suspended: "machine suspended", "머신 정지";
    Down: "down", "꺼짐";
    NoPower: "without power", "전원 끊김";
    Finished: "finished", "끝냄";
    Up: "up", "정상";
    UntilResumed: "until resumed", "깨울 때까지";
    Line: "Program line", "프로그램 행";
    Believes: "Believes", "믿음";
    HoldsLock: "it holds the lock", "락을 쥐고 있다";
    Truth: "True", "사실";
    Yes: "yes", "예";
    No: "no", "아니요";
    TokenLabel: "Token", "토큰";
    BelievedUntil: "By its own count until", "스스로 세기로";
    KernelBuffer: "Waiting in its kernel", "커널에서 대기";
    WallClock: "Wall clock", "벽시계";
    MonoClock: "Monotonic", "단조 시계";
    LockKey: "Lock", "락";
    Free: "free", "비어 있음";
    HeldBy: "Held by", "보유자";
    TimeLeft: "Time left", "남은 시간";
    NoExpiry: "no expiry", "만료 없음";
    ExpiresAt: "Expires at", "만료 시각";
    Votes: "Votes", "표";
    SaidYes: "Said yes", "승낙";
    NoAnswer: "No answer", "무응답";
    NotYet: "Not heard yet", "아직 못 들음";
    TrulyKept: "Truly kept by", "실제로 보관";
    Majority: "a majority", "과반";
    NoMajority: "no majority", "과반 아님";
    Passed: "Time since asking", "요청 후 지난 시간";
    GoodFor: "Lease less drift", "드리프트를 뺀 리스";
    Primary: "Primary", "프라이머리";
    Promotes: "Promotes", "승격 중";
    DownAfter: "Down after", "다운 판정";
    LastRequest: "Last request id", "마지막 요청 id";
    Follows: "Follows", "따르는 노드";
    Acknowledged: "Acknowledged by replicas", "복제본의 확인";
    Offset: "Place in the stream", "스트림 위치";
    Waits: "WAIT", "WAIT 대기";
    LastToken: "Last token given", "마지막 토큰";
    Persistence: "On disk", "디스크";
    PersistNone: "nothing", "없음";
    PersistSecond: "synced every second", "매초 동기화";
    PersistAlways: "synced always", "항상 동기화";
    Value: "Value", "값";
    Version: "Version", "버전";
    Writer: "Written by", "쓴 이";
    HighestToken: "Highest token", "최고 토큰";
    GuardLabel: "Guard", "보호";
    GuardNone: "none", "없음";
    GuardFencing: "fencing token", "펜싱 토큰";
    GuardVersion: "version", "버전";
    GuardRandomId: "random id", "무작위 id";
    GuardOperation: "operation id", "작업 id";
    Lease: "Lease", "리스";
    Naive: "trusts its lock blindly", "락을 그대로 믿음";
    Careful: "watches its own deadline", "스스로 기한을 봄";
    Manner: "Manner", "태도";
    InFlight: "In flight", "이동";
    BasedOn: "Based on", "바탕 버전";
    Fate: "Became of it", "결과";
    FateFlying: "on its way", "가는 중";
    FateHeld: "held", "붙잡힘";
    FateStalled: "its link is cut", "연결이 끊겨 대기";
    FateDelivered: "delivered", "도착";
    FateBuffered: "waits in the kernel buffer", "커널 버퍼에서 대기";
    FateRefused: "nobody was there any more", "받을 이가 없음";
    FateDropped: "gone", "사라짐";
    Happened: "Happened at", "시각";
    Sent: "Sent", "보냄";
    Refused: "Refused", "거절됨";
    FalseBelief: "Believes what is not true", "사실이 아닌 것을 믿음";
    FalseBeliefText: "It acts as the holder of a lock that is not its own any more.", "더는 자기 것이 아닌 락을 쥔 것처럼 행동합니다.";
    ClockAhead: "Clock {} ahead", "시계가 {} 빠름";
    ClockBehind: "Clock {} behind", "시계가 {} 느림";
    ClockMovedText: "Whatever reads this wall clock goes by it, not by the time that really passed.", "이 벽시계를 읽는 것은 실제로 흐른 시간이 아니라 이 시계를 따릅니다.";
    HowItCame: "How it came to this", "여기까지 온 경위";
    WhatItDid: "What it did", "한 일";
    Branches: "Runs you made", "직접 만든 실행";
    OriginalRun: "as the scenario tells it", "시나리오 그대로";
    BackIntoFlight: "Back into flight", "이동 중이던 때로";
    InFlightHint: "In flight it can still be held, delayed or lost.", "이동 중에는 붙잡거나 늦추거나 잃어버릴 수 있습니다.";
    WhatHappensNow: "what happens now?", "지금 무슨 일이?";
    NothingPossible: "Nothing can happen to it now.", "지금 일으킬 수 있는 일이 없습니다.";
    UndoesIt: "Z undoes", "Z로 되돌림";
    Forked: "You changed the past. The old run is kept.", "과거를 바꿨습니다. 이전 실행은 남아 있습니다.";
    LoadFailed: "This scenario could not be opened.", "이 시나리오를 열 수 없습니다.";
    More: "More…", "더 보기…";
    MoreText: "Machine, power, single links", "머신, 전원, 개별 연결";
    AtOnce: "at once", "바로";
    Tools: "Menu", "메뉴";
    PlanPause: "Pause it when it comes to…", "다음 행에서 멈추기…";
    // Menu entries that ask for a size first.
    PauseFor: "Pause for…", "멈추기…";
    SuspendFor: "Suspend the machine for…", "머신 정지…";
    MoveClock: "Move the clock ±…", "시계 옮기기 ±…";
    RateClock: "Let the clock drift…", "시계 속도 바꾸기…";
    CrashIt: "Crash…", "충돌…";
    PowerLossIt: "Power loss…", "정전…";
    DelayBy: "Delay by…", "늦추기…";
    LoseIt: "Lose it…", "잃어버리기…";
    CutLink: "Cut a link…", "연결 끊기…";
    HealLink: "Heal a link…", "연결 잇기…";
    ResetLink: "Break a connection…", "접속 끊기…";
    JustBeyondLease: "just beyond the lease", "리스를 막 넘겨";
    OwnSize: "Own size, ms", "직접 입력, ms";
    Apply: "Do it", "적용";
    RestartNever: "no restart", "다시 시작 안 함";
    // Verdict strip.
    Cost: "Cost so far", "지금까지 비용";
    AsExpected: "As this scenario expects", "이 시나리오가 예상한 결과";
    NotExpected: "Not what this scenario expects", "이 시나리오의 예상과 다름";
    OwnRun: "Your own run", "직접 만든 실행";
    // Help.
    HelpTitle: "How to use Lockstep", "Lockstep 사용법";
    HelpIntro: "Watch what each client believes about the lock beside what is true. Step forward and back, then play the adversary: choose a client, a node or a packet and decide what happens to it.",
        "클라이언트가 락에 대해 믿는 것과 사실을 나란히 봅니다. 앞뒤로 한 단계씩 움직이고, 방해자가 되어 보세요. 클라이언트, 노드, 패킷을 골라 무슨 일을 일으킬지 정합니다.";
    HelpShell: "An outlined claim is only a belief. A filled one is true as well.", "테두리만 있으면 믿음일 뿐이고, 속이 차 있으면 사실이기도 합니다.";
    HelpRed: "Red means a broken promise. Refusals and losses are not failures of the lock; they stay black.", "빨강은 깨진 약속입니다. 거절이나 유실은 락의 실패가 아니어서 검정으로 둡니다.";
    HelpKeys: "Keys", "키";
    KeysPlay: "play or pause", "재생 또는 멈춤";
    KeysStep: "one step on, one step back", "한 단계 앞으로, 뒤로";
    KeysStory: "next, previous story paragraph", "다음, 이전 이야기 단락";
    KeysEnds: "start, end", "처음, 끝";
    KeysSpeed: "slower, faster", "느리게, 빠르게";
    KeysNode: "select a node", "노드 고르기";
    KeysMenu: "menu of what is selected", "고른 것의 메뉴";
    KeysPause: "pause it", "멈추기";
    KeysClock: "move its clock", "시계 옮기기";
    KeysCrash: "crash it", "충돌";
    KeysLose: "lose the packet", "패킷 잃어버리기";
    KeysUndo: "undo, redo", "되돌리기, 다시 하기";
    KeysViolation: "next violation", "다음 위반";
    KeysHelp: "this help", "이 도움말";
    // Groups of the chooser.
    GroupRedis: "Redis", "Redis";
    GroupRedlock: "Redlock", "Redlock";
    GroupZooKeeper: "ZooKeeper", "ZooKeeper";
    GroupChubby: "Chubby", "Chubby";
    GroupDatabase: "Databases and other answers", "데이터베이스와 다른 해법";
    GroupModel: "System models", "시스템 모델";
    Shows: "Shows", "보여 주는 것";
    AllHold: "everything holds", "모두 지켜짐";
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_label_is_written_in_both_languages() {
        for word in Word::ALL {
            for lang in [Lang::En, Lang::Ko] {
                assert!(!word.get(lang).trim().is_empty(), "{word:?} in {lang:?}");
            }
        }
    }
}
