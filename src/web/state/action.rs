//! What can happen to the page, and what it can show on top.

use serde_json::Value;

use super::rival::Against;
use super::settings::{Speed, Zoom};
use crate::vocabulary::{Fault, FaultKind, Lang, StepIx, Time};
use crate::web::keys::Shortcut;
use crate::web::moves::Verb;
use crate::web::run::Place;
use crate::web::scene::Selection;

/// An open menu.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct OpenMenu {
    /// The node or packet.
    pub(crate) target: Selection,
    /// How deep.
    pub(crate) level: Level,
}

/// A level of a menu.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Level {
    /// The entries that are wanted most.
    Top,
    /// The others.
    More,
    /// The choices of one entry.
    Choices(Verb),
}

impl OpenMenu {
    /// The first level of something's menu.
    pub(crate) const fn of(target: Selection) -> Self {
        Self { target, level: Level::Top }
    }

    /// The level above; `None` if there is none.
    pub(crate) const fn above(self) -> Option<Self> {
        let level = match self.level {
            Level::Top => return None,
            Level::Choices(verb) if !verb.is_first() => Level::More,
            Level::More | Level::Choices(_) => Level::Top,
        };
        Some(Self { level, ..self })
    }
}

/// The dialogs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Dialog {
    /// The scenario chooser.
    Chooser,
    /// Help and keys.
    Help,
}

/// A short message about the last action.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Note {
    /// The visitor acted in the past: another future began.
    Forked,
    /// A scenario could not be opened; why.
    Failed(String),
    /// The file of a scenario could not be had.
    Missing(Place),
}

/// Where to go in the run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Go {
    /// To a position.
    To(u32),
    /// To the last step at an instant or before it.
    At(Time),
    /// One step on, seen on the stage.
    Step,
    /// One step back.
    Back,
    /// To the start.
    Start,
    /// To the end.
    End,
    /// To the step that the next paragraph explains.
    NextParagraph,
    /// To the step that the previous paragraph explains.
    PreviousParagraph,
    /// To where the next violation becomes known; after the last, to the first.
    NextViolation,
}

/// What can happen to the page.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Action {
    /// Another scenario or variant.
    Open(Place),
    /// A file came, or could not be had: its name and its text.
    Arrived(String, Option<String>),
    /// A control was moved: a pointer into the file and the new value.
    SetControl(String, Value),
    /// All controls back to what the file says.
    ResetControls,
    /// Somewhere else in the run.
    Go(Go),
    /// Right after a step, with the step selected.
    Show(StepIx),
    /// Play, or stop playing.
    TogglePlay,
    /// So many microseconds of real time passed.
    Tick(u64),
    /// A speed was chosen.
    SetSpeed(Speed),
    /// Something was pressed: selects it, and opens its menu if it was selected.
    Press(Selection),
    /// The menu of something is wanted, or closed if it is open.
    AskMenu(Selection),
    /// Something is selected, or nothing.
    Select(Option<Selection>),
    /// A menu opens, changes or closes.
    Menu(Option<OpenMenu>),
    /// The adversary acts, now.
    Act(FaultKind),
    /// The adversary plans.
    Schedule(Fault),
    /// The last change is taken back.
    Undo,
    /// The last change taken back is made again.
    Redo,
    /// A language was chosen.
    SetLang(Lang),
    /// The next theme.
    NextTheme,
    /// A dialog opens or closes.
    Dialog(Option<Dialog>),
    /// The inspector's drawer opens or closes.
    ToggleDrawer,
    /// Another run stands beside this one.
    Compare(Against),
    /// Another run stands beside this one, or none any more.
    ToggleCompare,
    /// The diagram comes nearer, or goes further away.
    SetZoom(Zoom),
    /// The header's tools open or close.
    ToggleTools,
    /// The message goes.
    DismissNote,
    /// Whether motion is wanted.
    SetSmooth(bool),
    /// Another branch of the run.
    Switch(u32),
    /// A key was pressed.
    Shortcut(Shortcut),
}
