//! Names for logs, filters and strips: of judges, observations and events.

use crate::vocabulary::{JudgeName, Lang, ObservationKind, ProgressKind};
use crate::world::{Event, Message};

const fn pick(lang: Lang, en: &'static str, ko: &'static str) -> &'static str {
    match lang {
        Lang::En => en,
        Lang::Ko => ko,
    }
}

/// What the verdict strip calls a judge.
pub const fn judge_title(judge: JudgeName, lang: Lang) -> &'static str {
    match judge {
        JudgeName::MutualExclusion => pick(lang, "Mutual exclusion", "상호 배제"),
        JudgeName::StaleWrite => pick(lang, "Stale write", "뒤늦은 쓰기"),
        JudgeName::LostUpdate => pick(lang, "Lost update", "갱신 손실"),
        JudgeName::TokenOrder => pick(lang, "Token order", "토큰 순서"),
        JudgeName::Progress => pick(lang, "Progress", "진행"),
        JudgeName::Divergence => pick(lang, "Divergence", "복제본 분기"),
    }
}

/// What a judge promises, in one sentence: shown beside its name where there is room.
pub const fn judge_promise(judge: JudgeName, lang: Lang) -> &'static str {
    match judge {
        JudgeName::MutualExclusion => pick(
            lang,
            "No two clients believe they hold the same lock at one instant.",
            "두 클라이언트가 한순간에 같은 락을 쥐었다고 믿지 않습니다.",
        ),
        JudgeName::StaleWrite => pick(
            lang,
            "Storage applies no write of a hold after the lock went to another client.",
            "락이 다른 클라이언트에게 넘어간 뒤에는 앞선 보유의 쓰기가 적용되지 않습니다.",
        ),
        JudgeName::LostUpdate => pick(
            lang,
            "Every write replaces the version that it was based on, and only once.",
            "모든 쓰기는 바탕이 된 바로 그 버전을 한 번만 바꿉니다.",
        ),
        JudgeName::TokenOrder => {
            pick(lang, "Tokens rise in the order of the grants.", "토큰은 락을 준 순서대로 커집니다.")
        }
        JudgeName::Progress => pick(
            lang,
            "Nobody who wants the lock is kept out for long while nobody believes they hold it.",
            "아무도 락을 쥐었다고 믿지 않는데 오래 기다리는 클라이언트는 없습니다.",
        ),
        JudgeName::Divergence => {
            pick(lang, "Replicas of a store agree in the end.", "저장소의 복제본은 결국 같아집니다.")
        }
    }
}

/// In which way progress failed.
pub const fn progress_kind(kind: ProgressKind, lang: Lang) -> &'static str {
    match kind {
        ProgressKind::Leak => pick(lang, "leak", "누수"),
        ProgressKind::Deadlock => pick(lang, "deadlock", "교착"),
        ProgressKind::Livelock => pick(lang, "livelock", "라이브락"),
        ProgressKind::Starvation => pick(lang, "starvation", "기아"),
        ProgressKind::Blocked => pick(lang, "blocked", "막힘"),
        ProgressKind::Refused => pick(lang, "refused", "거절"),
    }
}

/// What the log calls an observation.
pub const fn observation_name(kind: ObservationKind, lang: Lang) -> &'static str {
    match kind {
        ObservationKind::Wants => pick(lang, "wants the lock", "락을 원함"),
        ObservationKind::Acquired => pick(lang, "believes it holds the lock", "락을 쥐었다고 믿음"),
        ObservationKind::AttemptFailed => pick(lang, "attempt failed", "시도 실패"),
        ObservationKind::GaveUp => pick(lang, "gave up", "포기"),
        ObservationKind::HoldClosed => pick(lang, "stops believing", "믿음을 거둠"),
        ObservationKind::CheckPassed => pick(lang, "check passed", "확인 통과"),
        ObservationKind::CheckFailed => pick(lang, "check failed", "확인 실패"),
        ObservationKind::ReadDone => pick(lang, "read", "읽음"),
        ObservationKind::WriteDone => pick(lang, "write confirmed", "쓰기 확인"),
        ObservationKind::WriteRefused => pick(lang, "heard a refusal", "거절을 들음"),
        ObservationKind::OutcomeUnknown => pick(lang, "outcome unknown", "결과 알 수 없음"),
        ObservationKind::Renewed => pick(lang, "lease extended", "리스 연장 확인"),
        ObservationKind::RenewalFailed => pick(lang, "extension failed", "연장 실패"),
        ObservationKind::Finished => pick(lang, "done", "마침"),
        ObservationKind::Granted => pick(lang, "lock granted", "락을 줌"),
        ObservationKind::Ended => pick(lang, "grant over", "락이 풀림"),
        ObservationKind::Extended => pick(lang, "grant extended", "리스를 연장함"),
        ObservationKind::Contact => pick(lang, "read answered", "읽기에 답함"),
        ObservationKind::Applied => pick(lang, "write applied", "쓰기 적용"),
        ObservationKind::Rejected => pick(lang, "request refused", "요청 거절"),
        ObservationKind::Recovered => pick(lang, "back from disk", "디스크에서 복구"),
        ObservationKind::VoteGiven => pick(lang, "vote given", "한 표를 줌"),
        ObservationKind::VoteEnded => pick(lang, "vote over", "표가 사라짐"),
        ObservationKind::Counted => pick(lang, "votes counted", "표를 셈"),
        ObservationKind::Promoted => pick(lang, "becomes primary", "프라이머리로 승격"),
        ObservationKind::Demoted => pick(lang, "becomes a replica", "복제본으로 강등"),
        ObservationKind::SeenDown => pick(lang, "takes a node for down", "노드를 죽은 것으로 판단"),
        ObservationKind::Looking => pick(lang, "looks for a leader", "리더를 찾음"),
        ObservationKind::Leads => pick(lang, "leads", "리더가 됨"),
        ObservationKind::Follows => pick(lang, "follows", "팔로어가 됨"),
        ObservationKind::SessionExpired => pick(lang, "session expires", "세션 만료"),
        ObservationKind::Queued => pick(lang, "waits in the queue", "대기열에서 기다림"),
        ObservationKind::Connected => pick(lang, "connected", "연결됨"),
        ObservationKind::Disconnected => pick(lang, "disconnected", "연결 끊김"),
        ObservationKind::Expired => pick(lang, "heard of its expiry", "만료를 들음"),
        ObservationKind::HoldSuspended => pick(lang, "stops in doubt", "믿음을 멈춤"),
        ObservationKind::HoldResumed => pick(lang, "believes again", "다시 믿음"),
    }
}

/// What the log calls an event.
pub fn event_name(event: &Event, lang: Lang) -> &'static str {
    match event {
        Event::Started { .. } => pick(lang, "start", "시작"),
        Event::Line { .. } => pick(lang, "program line", "프로그램 행"),
        Event::Delivered { packet } => match packet.message {
            Message::Redis { .. } | Message::Storage { .. } => pick(lang, "request", "요청"),
            Message::RedisReply { .. } | Message::StorageReply { .. } => pick(lang, "answer", "답"),
            Message::Replication(_) => pick(lang, "replication", "복제"),
            Message::Sentinel(_) => pick(lang, "sentinel", "센티널"),
            Message::Log(_) => pick(lang, "log", "로그"),
            Message::ZooKeeper(_) => pick(lang, "session", "세션"),
        },
        Event::Buffered { .. } => pick(lang, "packet waits", "패킷 대기"),
        Event::Unbuffered { .. } => pick(lang, "waiting packet", "기다리던 패킷"),
        Event::Refused { .. } => pick(lang, "nobody there", "받을 이 없음"),
        Event::Timer { .. } => pick(lang, "timer", "타이머"),
        Event::TimerWaits { .. } => pick(lang, "timer waits", "타이머 대기"),
        Event::ConnectionLost { .. } => pick(lang, "connection lost", "연결 끊김"),
        Event::Broke { .. } => pick(lang, "connection breaks", "연결이 끊어짐"),
        Event::Resumed { .. } => pick(lang, "wakes", "깨어남"),
        Event::Restarted { .. } => pick(lang, "restart", "재시작"),
        Event::Fault { .. } => pick(lang, "fault", "장애"),
    }
}
