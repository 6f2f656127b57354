//! What the drawings are drawn from: one run, one instant, one choice.
//!
//! `Stage` and `Diagram` are pure functions of a `Scene`. It is
//! cheap to clone and cheap to compare: the run and its verdicts are compared by address.

use std::rc::Rc;

use super::diagram::tracks::Tracks;
use crate::history::{History, Step};
use crate::scenario::Setup;
use crate::verdicts::Judged;
use crate::vocabulary::{Lang, NodeId, PacketId, StepIx, Time};
use crate::world::World;

/// One run at one instant.
#[derive(Clone)]
pub(crate) struct Scene {
    /// The run, with its cursor at `position`.
    pub(crate) history: Rc<History>,
    /// The verdicts on the run's current branch. Built once per branch: its address names the branch.
    pub(crate) judged: Rc<Judged>,
    /// The current branch as intervals and marks: `Tracks::new(setup, history.steps().map(|step| &step.record))`.
    /// Build it where `judged` is built.
    pub(crate) tracks: Rc<Tracks>,
    /// How many steps are done.
    pub(crate) position: u32,
    /// The instant shown: that of the last step done, or, while the page plays, any later one before the next step.
    pub(crate) time: Time,
    /// What is selected, on the stage and in the diagram alike.
    pub(crate) selection: Option<Selection>,
    /// The language of words.
    pub(crate) lang: Lang,
}

/// What can be selected.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Selection {
    /// A process.
    Node(NodeId),
    /// A packet, in flight or past.
    Packet(PacketId),
    /// A step.
    Step(StepIx),
}

/// How much room the stage has; each has a drawing of its own.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Room {
    /// 864×430 and up: everything.
    Full,
    /// 616×254 and up: three lines of each listing, no clocks.
    Compact,
    /// 480×204 and up: one line of each listing.
    Mini,
    /// 358×442: one column, clients side by side.
    Phone,
}

/// Which way time runs in the diagram.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Turn {
    /// From left to right, one lane below the other.
    Along,
    /// From top to bottom, one lane beside the other: for phones.
    Upright,
}

/// Something compared by its address, which it keeps alive so that no other can take it.
pub(crate) struct ByAddress<T>(pub(crate) Rc<T>);

impl<T> Clone for ByAddress<T> {
    fn clone(&self) -> Self {
        Self(Rc::clone(&self.0))
    }
}

impl<T> PartialEq for ByAddress<T> {
    fn eq(&self, other: &Self) -> bool {
        Rc::ptr_eq(&self.0, &other.0)
    }
}

impl PartialEq for Scene {
    fn eq(&self, other: &Self) -> bool {
        Rc::ptr_eq(&self.history, &other.history)
            && Rc::ptr_eq(&self.judged, &other.judged)
            && (self.position, self.time, self.selection, self.lang)
                == (other.position, other.time, other.selection, other.lang)
    }
}

impl Scene {
    /// What the simulation runs.
    pub(crate) fn setup(&self) -> &Setup {
        &self.history.scenario().setup
    }

    /// The state after the last step done.
    pub(crate) fn world(&self) -> &World {
        self.history.world()
    }

    /// What names the branch: for those who keep what they drew of it.
    pub(crate) fn run(&self) -> ByAddress<Judged> {
        ByAddress(Rc::clone(&self.judged))
    }

    /// The last step done; `None` at the start.
    pub(crate) fn last(&self) -> Option<&Step> {
        self.position.checked_sub(1).map(|ix| self.history.step(StepIx(ix)))
    }
}

impl Room {
    /// The fullest drawing that fits into `width`×`height` CSS pixels without shrinking its text.
    /// A tall, narrow room gets the phone's drawing.
    pub(crate) fn for_size(width: f64, height: f64) -> Self {
        match (width, height) {
            (w, h) if w >= 800.0 && h >= 420.0 => Self::Full,
            (w, h) if w < 600.0 && h >= 400.0 => Self::Phone,
            (w, _) if w < 470.0 => Self::Phone,
            (w, h) if w >= 600.0 && h >= 248.0 => Self::Compact,
            _ => Self::Mini,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_room_follows_the_size() {
        let rooms = [(864.0, 430.0), (864.0, 300.0), (616.0, 254.0), (480.0, 204.0), (358.0, 442.0), (520.0, 700.0)];
        assert_eq!(
            rooms.map(|(w, h)| Room::for_size(w, h)),
            [Room::Full, Room::Compact, Room::Compact, Room::Mini, Room::Phone, Room::Phone]
        );
    }
}
