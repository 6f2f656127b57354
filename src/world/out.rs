//! What a handler sees and what it may ask for. It never sees the World.

use std::hash::{Hash, Hasher};

use super::disk::DiskImage;
use super::ensemble::LockMove;
use super::message::Message;
use super::observation::Observation;
use super::random::{self, Purpose};
use crate::scenario::Setup;
use crate::vocabulary::{ClockChoice, ConnId, GrantId, HoldId, NodeId, OpId, Span};

/// What a process can see when it handles something: its setup and its machine's clocks, read once.
#[derive(Clone, Copy)]
pub(super) struct Ctx<'a> {
    pub(super) setup: &'a Setup,
    pub(super) me: NodeId,
    pub(super) wall_us: i64,
    pub(super) mono_us: i64,
}

impl Ctx<'_> {
    /// The chosen clock in microseconds.
    pub(super) const fn clock_us(&self, choice: ClockChoice) -> i64 {
        match choice {
            ClockChoice::Wall => self.wall_us,
            ClockChoice::Monotonic | ClockChoice::None => self.mono_us,
        }
    }

    /// This process's n-th random word for a purpose.
    pub(super) fn word(&self, purpose: Purpose, nth: u32) -> u64 {
        random::word(self.setup.seed, purpose, self.me, nth)
    }

    /// This process's n-th random span for a purpose.
    pub(super) fn span(&self, purpose: Purpose, nth: u32, max: Span) -> Span {
        random::span(self.setup.seed, purpose, self.me, nth, max)
    }
}

/// One thing that a handler asks the World to do.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) enum Command {
    /// Send on the open connection to a peer; a new one is opened if there is none. `matched`: faults were already
    /// asked about it.
    Send { to: NodeId, message: Message, matched: bool },
    /// Send on this connection; nothing happens if it is gone.
    Reply { conn: ConnId, message: Message, matched: bool },
    /// Close the connection to a peer.
    Close { peer: NodeId },
    /// Close this connection.
    HangUp { conn: ConnId },
    /// Set a timer, replacing the one with the same number. The time is one of the machine's clocks.
    SetTimer { timer: u32, clock: ClockChoice, due_us: i64 },
    /// Use this much CPU time, then get a timer.
    Work { timer: u32, span: Span },
    /// Forget a timer.
    CancelTimer { timer: u32 },
    /// Go on with the next line of the program.
    Run,
    /// Write to the page cache: it survives the process, not the power.
    Write(DiskImage),
    /// Bring the page cache to the disk.
    Fsync,
    /// Note something for the judges and the log.
    Note(Observation),
    /// Tell the World that the lock of an ensemble has another owner.
    Moved(LockMove),
}

/// The memory of a list of commands, kept from step to step. It is no part of a state: a clone starts without.
#[derive(Debug, Default)]
pub(super) struct Scratch(Vec<Command>);

impl Scratch {
    pub(super) fn take(&mut self) -> Vec<Command> {
        std::mem::take(&mut self.0)
    }

    pub(super) fn give_back(&mut self, commands: Vec<Command>) {
        self.0 = commands;
    }
}

impl Clone for Scratch {
    fn clone(&self) -> Self {
        Self(Vec::new())
    }
}

impl PartialEq for Scratch {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for Scratch {}

impl Hash for Scratch {
    fn hash<H: Hasher>(&self, _: &mut H) {}
}

/// Where a handler records what it wants.
pub(super) struct Out<'a> {
    pub(super) commands: &'a mut Vec<Command>,
    pub(super) fresh: &'a mut u32,
}

impl Out<'_> {
    pub(super) fn send(&mut self, to: NodeId, message: Message) {
        self.commands.push(Command::Send { to, message, matched: false });
    }

    pub(super) fn reply(&mut self, conn: ConnId, message: Message) {
        self.commands.push(Command::Reply { conn, message, matched: false });
    }

    pub(super) fn close(&mut self, peer: NodeId) {
        self.commands.push(Command::Close { peer });
    }

    pub(super) fn hang_up(&mut self, conn: ConnId) {
        self.commands.push(Command::HangUp { conn });
    }

    pub(super) fn moved(&mut self, what: LockMove) {
        self.commands.push(Command::Moved(what));
    }

    pub(super) fn set_timer(&mut self, timer: u32, clock: ClockChoice, due_us: i64) {
        self.commands.push(Command::SetTimer { timer, clock, due_us });
    }

    pub(super) fn work(&mut self, timer: u32, span: Span) {
        self.commands.push(Command::Work { timer, span });
    }

    pub(super) fn cancel_timer(&mut self, timer: u32) {
        self.commands.push(Command::CancelTimer { timer });
    }

    pub(super) fn run(&mut self) {
        self.commands.push(Command::Run);
    }

    pub(super) fn write(&mut self, image: DiskImage) {
        self.commands.push(Command::Write(image));
    }

    pub(super) fn fsync(&mut self) {
        self.commands.push(Command::Fsync);
    }

    pub(super) fn note(&mut self, what: Observation) {
        self.commands.push(Command::Note(what));
    }

    /// Ids name things in the record; they carry no information that a process could use.
    fn fresh(&mut self) -> u32 {
        *self.fresh += 1;
        *self.fresh
    }

    pub(super) fn fresh_grant(&mut self) -> GrantId {
        GrantId(self.fresh())
    }

    pub(super) fn fresh_hold(&mut self) -> HoldId {
        HoldId(self.fresh())
    }

    pub(super) fn fresh_op(&mut self) -> OpId {
        OpId(self.fresh())
    }
}
