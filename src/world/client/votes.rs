//! What the nodes of a service answered to a client, and what it adds up to.

use crate::vocabulary::Token;

/// What one node said to a client's last question.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Vote {
    /// It was not asked.
    Unasked,
    /// It has not answered yet.
    Waiting {
        /// The number of the request.
        rpc: u32,
    },
    /// It said yes.
    Yes {
        /// The token that came with it.
        token: Option<Token>,
    },
    /// It said no.
    No,
    /// It did not answer in time, or its connection broke.
    Silent,
}

/// The votes of one question, counted.
#[derive(Clone, Copy, Default)]
pub(super) struct Tally {
    pub(super) yes: u32,
    pub(super) silent: u32,
    pub(super) waiting: u32,
    unasked: u32,
    /// The highest token among them.
    pub(super) token: Option<Token>,
}

impl Tally {
    pub(super) fn of(votes: &[Vote]) -> Self {
        let mut tally = Self::default();
        for vote in votes {
            match *vote {
                Vote::Unasked => tally.unasked += 1,
                Vote::Waiting { .. } => tally.waiting += 1,
                Vote::Yes { token } => {
                    tally.yes += 1;
                    tally.token = tally.token.max(token);
                }
                Vote::No => {}
                Vote::Silent => tally.silent += 1,
            }
        }
        tally
    }

    /// How many answers can still come.
    pub(super) const fn open(&self) -> u32 {
        self.waiting + self.unasked
    }

    /// Whether what is still to come can change nothing.
    pub(super) const fn decides(&self, needed: u32) -> bool {
        self.yes >= needed || self.yes + self.open() < needed
    }
}
