//! Single facts about the server on which the comparison or the model rests, each shown by itself.

use std::thread::sleep;
use std::time::Duration;

use lockstep::vocabulary::Persistence;

use crate::Outcome;
use crate::resp::Reply;
use crate::server::{Kind, Server};

/// A whole second.
const START_US: i64 = 1_700_000_000_000_000;
const SECOND_US: i64 = 1_000_000;
/// Longer than the server would wait if it went by real time.
const REAL_TIME: Duration = Duration::from_millis(1300);

fn server(persistence: Persistence) -> Outcome<Server> {
    Server::start(Kind { persistence, active_expiry: true }, START_US)
}

fn set(server: &mut Server, value: &str) -> Outcome {
    assert_eq!(server.ask(&["SET", "key", value])?, Reply::Simple("OK".to_owned()));
    Ok(())
}

/// `everysec` counts whole seconds of the wall clock: nothing is synced while it stands still or has jumped back.
#[test]
fn everysec_goes_by_the_wall_clock() -> Outcome {
    let mut server = server(Persistence::EverySecond)?;
    let synced = |server: &mut Server| Ok(server.synced()? == server.written()?);
    set(&mut server, "same second")?;
    sleep(REAL_TIME);
    assert!(!synced(&mut server)?, "the clock stood still");
    server.set_clock(START_US - 60 * SECOND_US)?;
    set(&mut server, "a minute back")?;
    server.set_clock(START_US + SECOND_US - 1)?;
    set(&mut server, "the last microsecond of the second")?;
    sleep(REAL_TIME);
    assert!(!synced(&mut server)?, "the clock shows no later second than at the last sync");
    server.set_clock(START_US + SECOND_US)?;
    assert!(server.wait(synced)?, "a new second has begun");
    server.set_clock(START_US + 2 * SECOND_US)?;
    set(&mut server, "the first write of a second")?;
    assert!(server.wait(synced)?, "the first write of a second is synced at once");
    Ok(())
}

/// While a sync is under way, `everysec` keeps acknowledged commands in memory: then even `kill -9` loses them. The model's
/// disks are never slow.
#[test]
fn a_slow_sync_lets_a_kill_lose_what_was_acknowledged() -> Outcome {
    let mut server = server(Persistence::EverySecond)?;
    server.stall_syncs(true)?;
    server.set_clock(START_US + SECOND_US)?;
    set(&mut server, "before")?;
    assert!(server.wait(|server| Ok(server.written()? > 0))?);
    let written = server.written()?;
    set(&mut server, "acknowledged")?;
    assert_eq!(server.written()?, written, "the second command waits for the sync of the first");
    server.kill()?;
    server.stall_syncs(false)?;
    server.restart()?;
    assert_eq!(server.ask(&["GET", "key"])?, Reply::Bulk("before".to_owned()));
    Ok(())
}

/// A downtime counts against the time to live, and nothing expires while the file is read.
#[test]
fn deadlines_are_absolute_in_the_file() -> Outcome {
    let mut server = server(Persistence::Always)?;
    server.ask(&["SET", "key", "value", "PX", "10000"])?;
    server.kill()?;
    server.set_clock(START_US + 4 * SECOND_US)?;
    server.restart()?;
    assert_eq!(server.ask(&["PTTL", "key"])?, Reply::Int(6000));
    server.kill()?;
    server.set_clock(START_US + 10 * SECOND_US + 1000)?;
    server.restart()?;
    assert_eq!(server.ask(&["PTTL", "key"])?, Reply::Int(-2));
    Ok(())
}
