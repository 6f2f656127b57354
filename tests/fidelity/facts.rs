//! Single facts about the server on which the comparison or the model rests, each shown by itself.

use std::net::TcpListener;
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

/// A replica takes deadlines over as they are and reads them by its own clock: what has expired there is absent for readers,
/// stays in memory until the primary says otherwise, and goes once the replica is promoted.
#[test]
fn a_replica_judges_deadlines_by_its_own_clock() -> Outcome {
    let mut primary = server(Persistence::None)?;
    let mut replica = server(Persistence::None)?;
    follow(&mut replica, &mut primary)?;
    primary.ask(&["SET", "key", "value", "PX", "10000"])?;
    assert!(replica.wait(|replica| Ok(replica.keys()? == 1))?, "the copy comes");
    replica.set_clock(START_US + 4 * SECOND_US)?;
    assert_eq!(replica.ask(&["PTTL", "key"])?, Reply::Int(6000));
    replica.set_clock(START_US + 20 * SECOND_US)?;
    assert_eq!(replica.ask(&["GET", "key"])?, Reply::Nil);
    assert_eq!(replica.keys()?, 1, "a replica deletes nothing by itself");
    for words in [&["SET", "key", "other"][..], &["WAIT", "0", "1"]] {
        assert!(matches!(replica.ask(words)?, Reply::Error(_)), "a replica refuses {words:?}");
    }
    assert_eq!(primary.ask(&["PTTL", "key"])?, Reply::Int(10000));
    replica.ask(&["REPLICAOF", "NO", "ONE"])?;
    assert!(replica.wait(|replica| Ok(replica.keys()? == 0))?, "as a primary it deletes");
    Ok(())
}

/// `WAIT` measures its timeout by the wall clock: while that stands still, it waits on.
#[test]
fn wait_goes_by_the_wall_clock() -> Outcome {
    let mut server = server(Persistence::None)?;
    set(&mut server, "value")?;
    let waiting = server.ask_elsewhere(&["WAIT", "1", "100"])?;
    assert!(waiting.recv_timeout(REAL_TIME).is_err(), "the clock stood still");
    server.set_clock(START_US + SECOND_US)?;
    assert_eq!(waiting.recv_timeout(REAL_TIME)?, Reply::Int(0));
    Ok(())
}

/// Lets a server follow another over a port of the loopback interface, until it has all data.
fn follow(replica: &mut Server, primary: &mut Server) -> Outcome {
    let port = TcpListener::bind(("127.0.0.1", 0))?.local_addr()?.port().to_string();
    // Otherwise a snapshot waits for more replicas, by a clock that stands still.
    for setting in [["repl-diskless-sync", "no"], ["bind", "127.0.0.1"], ["port", &port]] {
        primary.ask(&[&["CONFIG", "SET"][..], &setting].concat())?;
    }
    replica.ask(&["REPLICAOF", "127.0.0.1", &port])?;
    let up = |replica: &mut Server| Ok(replica.info("replication")?.contains("master_link_status:up\r"));
    assert!(replica.wait(up)?, "the replica reaches its primary");
    Ok(())
}
