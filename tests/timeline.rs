//! Whole runs as the text that people read. `UPDATE_EXPECT=1 cargo test --test timeline` writes the texts anew; read the
//! difference before you keep it.
#![expect(clippy::needless_raw_string_hashes, reason = "the expected texts are written by expect-test")]

use std::sync::Arc;

use expect_test::{Expect, expect};
use lockstep::history::History;
use lockstep::scenario::{load, with_changes};
use lockstep::verdicts::Judged;
use lockstep::views::timeline::{Options, timeline};
use lockstep::vocabulary::{Lang, Time};

/// The timeline of a scenario. The digest is left out: it changes with everything, and other tests watch it.
fn shown(scenario: lockstep::scenario::Scenario, options: Options) -> String {
    let history = History::new(Arc::new(scenario));
    let text = timeline(&history, &Judged::new(&history), options);
    text.split_inclusive('\n').filter(|line| !line.contains("digest")).collect()
}

#[expect(clippy::needless_pass_by_value, reason = "an expectation is written where it is used")]
fn check(name: &str, options: Options, expected: Expect) {
    expected.assert_eq(&shown(load(name).expect("a built-in scenario"), options));
}

#[test]
fn gc_pause_write() {
    check(
        "gc-pause-write",
        Options::default(),
        expect![[r#"
        gc-pause-write  GC pause before the write

        step     time ms  who       what happens
           0           0  client-1  Client 1 starts.
           1           0  client-1  Client 1 asks redis-a for the lock.
           2           5  redis-a   redis-a gives the lock to client 1.
           3          10  client-1  Client 1 believes it holds the lock.
           4          10  client-1  Client 1 asks storage for counter.
           5          15  storage   Storage answers client 1: counter = 7, version 0.
           6          20  client-1  Client 1 reads counter = 7, version 0.
           7          20  client-1  Client 1 works for 500 ms.
           8         100  client-2  Client 2 starts.
           9         100  client-2  Client 2 asks redis-a for the lock.
          10         105  redis-a   redis-a turns client 2 away: the lock is taken.
          11         110  client-2  Client 2 does not get the lock: it is taken.
          12         520  client-1  Client 1 finishes its work.
          13         520  client-1  Client 1 falls asleep: GC pause, 12 000 ms.
          14       1 110  client-2  Client 2 asks redis-a for the lock again.
          15       1 115  redis-a   redis-a turns client 2 away: the lock is taken.
          16       1 120  client-2  Client 2 does not get the lock: it is taken.
           …  the same 3 steps 8 times more, to step 40, 9 200 ms
          41      10 005  redis-a   The lease runs out: redis-a frees the lock.
          42      10 200  client-2  Client 2 asks redis-a for the lock again.
          43      10 205  redis-a   redis-a gives the lock to client 2.
          44      10 210  client-2  Client 2 believes it holds the lock.
          45      10 210  client-2  Client 2 asks storage for counter.
          46      10 215  storage   Storage answers client 2: counter = 7, version 0.
          47      10 220  client-2  Client 2 reads counter = 7, version 0.
          48      10 220  client-2  Client 2 works for 500 ms.
          49      10 720  client-2  Client 2 finishes its work.
          50      10 720  client-2  Client 2 sends its write to storage: counter = 8.
          51      10 725  storage   Storage applies client 2’s write: counter = 8.
          52      10 730  client-2  Client 2 hears that its write was applied: version 1.
          53      10 730  client-2  Client 2 gives the lock back.
          54      10 735  redis-a   redis-a frees the lock: client 2 gave it back.
          55      10 740  client-2  Client 2 is done.
          56      12 520  client-1  Client 1 wakes. It does not know that it slept.
          57      12 520  client-1  Client 1 sends its write to storage: counter = 8.
          58      12 525  storage   Storage applies client 1’s write over a version it never read: counter = 8.
          59      12 530  client-1  Client 1 hears that its write was applied: version 2.
          60      12 530  client-1  Client 1 gives the lock back.
          61      12 535  redis-a   redis-a leaves the lock alone: it is not client 1’s any more.
          62      12 540  client-1  Client 1 is done.

        The lock failed. The data is damaged.
          ME  Mutual exclusion  violated  10 210 ms to 10 730 ms
              step 44, 10 210 ms: Client 2 believes it holds the lock while client 1 still does: client 1 slept, and its lease ran out.
              shown by steps 2, 3, 13, 41, 43, 44
          SW  Stale write       violated  at 12 525 ms
              step 58, 12 525 ms: Client 1’s write was applied, though client 2 had been given the lock at 10 205 ms and had touched storage.
              shown by steps 2, 3, 13, 43, 46, 58 (after the newer holder touched storage)
          LU  Lost update       violated  at 12 525 ms
              step 58, 12 525 ms: Client 1 read version 0 and wrote over version 1: client 2’s update is lost.
              shown by steps 5, 51, 58 (overwritten)
          TO  Token order       holds     no tokens here
          PR  Progress          holds     nobody kept out
          DV  Divergence        holds     none

        cost
          messages                 36
          round trips              18
          notifications            0
          times acquired           2
          mean time to acquire     5 060 ms
          longest time to acquire  10 110 ms
          work done twice          1

        As this scenario expects
    "#]],
    );
}

#[test]
fn fencing_token() {
    check(
        "fencing-token",
        Options::default(),
        expect![[r#"
            fencing-token  Fencing token

            step     time ms  who       what happens
               0           0  client-1  Client 1 starts.
               1           0  client-1  Client 1 asks redis-a for the lock.
               2           5  redis-a   redis-a gives the lock to client 1, token 33.
               3          10  client-1  Client 1 believes it holds the lock, token 33.
               4          10  client-1  Client 1 asks storage for counter.
               5          15  storage   Storage answers client 1: counter = 7, version 0.
               6          20  client-1  Client 1 reads counter = 7, version 0.
               7          20  client-1  Client 1 works for 500 ms.
               8         520  client-1  Client 1 finishes its work.
               9         520  client-1  Client 1 falls asleep: GC pause, 11 400 ms.
              10      10 005  redis-a   The lease runs out: redis-a frees the lock.
              11      11 000  client-2  Client 2 starts.
              12      11 000  client-2  Client 2 asks redis-a for the lock.
              13      11 005  redis-a   redis-a gives the lock to client 2, token 34.
              14      11 010  client-2  Client 2 believes it holds the lock, token 34.
              15      11 010  client-2  Client 2 asks storage for counter.
              16      11 015  storage   Storage answers client 2: counter = 7, version 0.
              17      11 020  client-2  Client 2 reads counter = 7, version 0.
              18      11 020  client-2  Client 2 works for 500 ms.
              19      11 520  client-2  Client 2 finishes its work.
              20      11 520  client-2  Client 2 sends its write to storage: counter = 8, token 34.
              21      11 525  storage   Storage applies client 2’s write, token 34: counter = 8.
              22      11 530  client-2  Client 2 hears that its write was applied: version 1.
              23      11 530  client-2  Client 2 works for 500 ms.
              24      11 920  client-1  Client 1 wakes. It does not know that it slept.
              25      11 920  client-1  Client 1 sends its write to storage: counter = 8, token 33.
              26      11 925  storage   Storage refuses client 1’s write: token 33 is lower than 34.
              27      11 930  client-1  Client 1 hears that it was refused: token 33 is lower than 34.
              28      11 930  client-1  Client 1 works for 500 ms.
              29      12 030  client-2  Client 2 finishes its work.
              30      12 030  client-2  Client 2 gives the lock back.
              31      12 035  redis-a   redis-a frees the lock: client 2 gave it back.
              32      12 040  client-2  Client 2 is done.
              33      12 430  client-1  Client 1 finishes its work.
              34      12 430  client-1  Client 1 gives the lock back.
              35      12 435  redis-a   redis-a leaves the lock alone: it is not client 1’s any more.
              36      12 440  client-1  Client 1 is done.

            The lock failed. The data is safe.
              ME  Mutual exclusion  violated  11 010 ms to 12 030 ms
                  step 14, 11 010 ms: Client 2 believes it holds the lock while client 1 still does: client 1 slept, and its lease ran out.
                  shown by steps 2, 3, 9, 10, 13, 14
              SW  Stale write       holds     none applied
              LU  Lost update       holds     none
              TO  Token order       holds     33, 34: rising
              PR  Progress          holds     nobody kept out
              DV  Divergence        holds     none

            cost
              messages                 16
              round trips              8
              notifications            0
              times acquired           2
              mean time to acquire     10 ms
              longest time to acquire  10 ms
              work done twice          1

            As this scenario expects
        "#]],
    );
}

#[test]
fn in_korean() {
    check(
        "clock-jump-back",
        Options { lang: Some(Lang::Ko), ..Options::default() },
        expect![[r#"
        clock-jump-back  시계가 뒤로 감

        단계     시각 ms  누가      일어난 일
           0           0  client-1  클라이언트 1이 시작합니다.
           1           0  client-1  클라이언트 1이 redis-a에 락을 요청합니다.
           2           5  redis-a   redis-a가 클라이언트 1에게 락을 줍니다.
           3          10  client-1  클라이언트 1이 락을 쥐었다고 믿습니다.
           4          10  client-1  클라이언트 1이 저장소에 값을 묻습니다: counter.
           5          15  storage   저장소가 클라이언트 1에 답합니다: counter = 7, 버전 0.
           6          20  client-1  클라이언트 1이 값을 읽습니다: counter = 7, 버전 0.
           7          20  client-1  클라이언트 1이 500 ms 동안 작업합니다.
           8         100  client-2  클라이언트 2가 시작합니다.
           9         100  client-2  클라이언트 2가 redis-a에 락을 요청합니다.
          10         105  redis-a   redis-a가 클라이언트 2를 돌려보냅니다. 이미 누가 락을 쥐고 있습니다.
          11         110  client-2  클라이언트 2가 락을 얻지 못합니다. 이미 누가 쥐고 있습니다.
          12         300  redis-a   redis-a의 벽시계가 60 000 ms 뒤로 뜁니다.
          13         520  client-1  클라이언트 1이 작업을 마칩니다.
          14         520  client-1  클라이언트 1의 프로세스가 락을 쥐었다고 믿는 채로 죽습니다.
          15         525  redis-a   redis-a가 클라이언트 1과의 연결이 끊겼음을 압니다.
          16         525  storage   저장소가 클라이언트 1과의 연결이 끊겼음을 압니다.
          17       1 110  client-2  클라이언트 2가 redis-a에 다시 락을 요청합니다.
          18       1 115  redis-a   redis-a가 클라이언트 2를 돌려보냅니다. 이미 누가 락을 쥐고 있습니다.
          19       1 120  client-2  클라이언트 2가 락을 얻지 못합니다. 이미 누가 쥐고 있습니다.
           …  같은 3단계를 68번 더: 223단계, 69 800 ms까지
         224      70 005  redis-a   리스가 끝나 redis-a가 락을 풉니다.
         225      70 800  client-2  클라이언트 2가 redis-a에 다시 락을 요청합니다.
         226      70 805  redis-a   redis-a가 클라이언트 2에게 락을 줍니다.
         227      70 810  client-2  클라이언트 2가 락을 쥐었다고 믿습니다.
         228      70 810  client-2  클라이언트 2가 저장소에 값을 묻습니다: counter.
         229      70 815  storage   저장소가 클라이언트 2에 답합니다: counter = 7, 버전 0.
         230      70 820  client-2  클라이언트 2가 값을 읽습니다: counter = 7, 버전 0.
         231      70 820  client-2  클라이언트 2가 500 ms 동안 작업합니다.
         232      71 320  client-2  클라이언트 2가 작업을 마칩니다.
         233      71 320  client-2  클라이언트 2가 저장소에 쓰기를 보냅니다: counter = 8.
         234      71 325  storage   저장소가 클라이언트 2의 쓰기를 적용합니다: counter = 8.
         235      71 330  client-2  클라이언트 2가 쓰기가 적용되었음을 듣습니다. 버전 1.
         236      71 330  client-2  클라이언트 2가 락을 돌려줍니다.
         237      71 335  redis-a   redis-a가 락을 풉니다. 클라이언트 2가 돌려주었습니다.
         238      71 340  client-2  클라이언트 2가 할 일을 마칩니다.

        락을 얻지 못하는 클라이언트가 있습니다.
          ME  상호 배제         지켜짐    한 번에 하나
          SW  뒤늦은 쓰기       지켜짐    적용된 것 없음
          LU  갱신 손실         지켜짐    없음
          TO  토큰 순서         지켜짐    여기에는 토큰 없음
          PR  진행              위반      누수, 59 485 ms 동안
              단계 50, 10 520 ms: 클라이언트 2가 520 ms부터 락을 얻지 못합니다. 클라이언트 1이 죽었고 10 000 ms짜리 리스가 아직 남았습니다.
              근거 단계 2, 9, 14, 50 (누수)
          DV  복제본 분기       지켜짐    없음

        비용
          메시지                   152
          왕복                     76
          알림                     0
          획득 횟수                2
          평균 획득 시간           35 360 ms
          최장 획득 시간           70 710 ms
          두 번 한 작업            0

        이 시나리오가 예상한 결과
    "#]],
    );
}

#[test]
fn until_an_instant() {
    let until = Some(Time::from_ms(11_010));
    check(
        "fencing-token",
        Options { until, ..Options::default() },
        expect![[r#"
            fencing-token  Fencing token

            step     time ms  who       what happens
               0           0  client-1  Client 1 starts.
               1           0  client-1  Client 1 asks redis-a for the lock.
               2           5  redis-a   redis-a gives the lock to client 1, token 33.
               3          10  client-1  Client 1 believes it holds the lock, token 33.
               4          10  client-1  Client 1 asks storage for counter.
               5          15  storage   Storage answers client 1: counter = 7, version 0.
               6          20  client-1  Client 1 reads counter = 7, version 0.
               7          20  client-1  Client 1 works for 500 ms.
               8         520  client-1  Client 1 finishes its work.
               9         520  client-1  Client 1 falls asleep: GC pause, 11 400 ms.
              10      10 005  redis-a   The lease runs out: redis-a frees the lock.
              11      11 000  client-2  Client 2 starts.
              12      11 000  client-2  Client 2 asks redis-a for the lock.
              13      11 005  redis-a   redis-a gives the lock to client 2, token 34.
              14      11 010  client-2  Client 2 believes it holds the lock, token 34.
              15      11 010  client-2  Client 2 asks storage for counter.
               …  steps that follow: 21

            The lock failed. No write yet.
              ME  Mutual exclusion  violated  since 11 010 ms
                  step 14, 11 010 ms: Client 2 believes it holds the lock while client 1 still does: client 1 slept, and its lease ran out.
                  shown by steps 2, 3, 9, 10, 13, 14
              SW  Stale write       holds     no write yet
              LU  Lost update       holds     no write yet
              TO  Token order       holds     33, 34: rising
              PR  Progress          holds     nobody kept out
              DV  Divergence        holds     none

            cost
              messages                 7
              round trips              3
              notifications            0
              times acquired           2
              mean time to acquire     10 ms
              longest time to acquire  10 ms
              work done twice          0
        "#]],
    );
}

#[test]
fn a_fault_that_did_not_fire_is_named() {
    let late = ("/faults/0/nth".to_owned(), serde_json::json!(9));
    let scenario = with_changes("gc-pause-write", &[late]).expect("a valid change");
    let text = shown(scenario, Options::default());
    let rest = text.split_once("did not fire\n").map(|(_, rest)| rest).unwrap_or_default();
    expect![
        "  Client 1 falls asleep: GC pause, 12 000 ms. (before client 1 runs line 4, write counter read+1, occurrence 9)"
    ]
    .assert_eq(rest.lines().next().unwrap_or_default());
    assert!(!text.contains("this scenario expects"), "what was changed is not bound to expectations");
}

#[test]
fn all_steps_are_there_if_asked_for() {
    let steps = |all| {
        let text = shown(load("gc-pause-write").expect("built in"), Options { all, ..Options::default() });
        text.lines().filter(|line| line.contains(" client 2 away")).count()
    };
    assert!(steps(true) > 3 * steps(false), "{} and {}", steps(true), steps(false));
}
