//! What the page knows, and how it changes: a pure reducer without a browser in it.

mod action;
mod change;
mod loading;
mod rival;
mod settings;
mod travel;

use std::rc::Rc;

pub(crate) use action::{Action, Dialog, Go, Level, Note, OpenMenu};
use change::Log;
pub(crate) use loading::Index;
pub(crate) use rival::{Against, Rival};
pub(crate) use settings::Zoom;
pub use settings::{Settings, Speed, Theme};
pub(crate) use travel::Motion;

use super::keys::Shortcut;
use super::moves;
use super::run::{Place, Run};
use super::scene::{Scene, Selection};
use crate::history::History;
use crate::scenario::Document;
use crate::vocabulary::{NodeId, Time};

/// The state of the whole page.
#[derive(Clone)]
pub(crate) struct App {
    /// The run on screen.
    pub(crate) run: Rc<Run>,
    /// Its history, with the cursor where the visitor is.
    pub(crate) cursor: Rc<History>,
    /// The same where the stage is: behind the cursor while a step glides.
    pub(crate) shown: Rc<History>,
    /// The instant that the stage shows.
    pub(crate) time: Time,
    /// Whether time moves by itself.
    pub(crate) motion: Motion,
    /// What is selected.
    pub(crate) selection: Option<Selection>,
    /// The menu that is open.
    pub(crate) menu: Option<OpenMenu>,
    /// The dialog that is open.
    pub(crate) dialog: Option<Dialog>,
    /// What the chooser lists.
    pub(crate) index: Index,
    /// The place that is opened as soon as its file is here.
    pub(crate) opening: Option<Place>,
    /// Whether the inspector is open where it is a drawer.
    pub(crate) drawer: bool,
    /// Whether the header's tools are open where they are a menu.
    pub(crate) tools: bool,
    /// The run that is compared with this one.
    pub(crate) rival: Option<Rival>,
    /// How near the diagram is.
    pub(crate) zoom: Zoom,
    /// A short message about the last action.
    pub(crate) note: Option<Note>,
    /// What the visitor prefers.
    pub(crate) settings: Settings,
    /// Whether packets fly and steps glide; otherwise they jump.
    pub(crate) smooth: bool,
    /// The file of the run on screen.
    document: Rc<Document>,
    log: Rc<Log>,
}

impl App {
    /// The page with a scenario's file, at a place in it. Another place is opened as soon as its file is here.
    pub(crate) fn new(place: Place, text: &str, settings: Settings) -> Self {
        let document = Document::read(text).expect("the page comes with scenarios that were tested");
        let (at, cursor, note) = loading::first(&document, &place);
        let run = Rc::new(Run::new(at, Vec::new(), &cursor));
        let cursor = Rc::new(cursor);
        let shown = Rc::clone(&cursor);
        let mut app = Self {
            run,
            cursor,
            shown,
            time: Time::ZERO,
            motion: Motion::Still,
            selection: None,
            menu: None,
            dialog: None,
            index: Index::Unasked,
            opening: None,
            drawer: false,
            tools: false,
            rival: None,
            zoom: Zoom::WHOLE,
            note,
            settings,
            smooth: true,
            document: Rc::new(document),
            log: Rc::default(),
        };
        app.seek(0);
        if place.id != app.document.id() {
            app.open(place);
        }
        app
    }

    /// How many steps are done.
    pub(crate) fn position(&self) -> u32 {
        self.cursor.position()
    }

    /// What the drawings show.
    pub(crate) fn scene(&self) -> Scene {
        Scene {
            history: Rc::clone(&self.shown),
            judged: Rc::clone(&self.run.judged),
            tracks: Rc::clone(&self.run.tracks),
            position: self.shown.position(),
            time: self.time,
            selection: self.selection,
            lang: self.settings.lang,
        }
    }

    /// Whether something can be taken back.
    pub(crate) fn can_undo(&self) -> bool {
        !self.log.done.is_empty()
    }

    /// Whether something can be made again.
    pub(crate) fn can_redo(&self) -> bool {
        !self.log.undone.is_empty()
    }

    /// Whether the run plays.
    pub(crate) fn is_playing(&self) -> bool {
        matches!(self.motion, Motion::Playing(_))
    }

    /// The page after an action.
    pub(crate) fn after(&self, action: Action) -> Self {
        let mut next = self.clone();
        next.apply(action);
        next.follow();
        next
    }

    fn apply(&mut self, action: Action) {
        match action {
            Action::Open(place) => self.open(place),
            Action::Arrived(name, text) => self.arrived(&name, text.as_deref()),
            Action::SetControl(path, value) => self.edit(self.with_control(&path, &value)),
            Action::ResetControls => self.edit(Vec::new()),
            Action::Go(go) => self.go(go),
            Action::Show(step) => {
                self.seek(step.0 + 1);
                self.selection = Some(Selection::Step(step));
            }
            Action::TogglePlay => self.toggle_play(),
            Action::Tick(us) => self.tick(us),
            Action::SetSpeed(speed) => self.settings.speed = speed,
            Action::Press(target) => self.press(target),
            Action::AskMenu(target) => {
                self.selection = Some(target);
                self.press(target);
            }
            Action::Select(selection) => self.selection = selection,
            Action::Menu(Some(menu)) => self.open_menu(menu),
            Action::Menu(None) => self.menu = None,
            Action::Act(kind) => self.change_history(|history| history.act(kind, None)),
            Action::Schedule(fault) => self.change_history(|history| history.schedule(fault)),
            Action::Undo => self.undo(),
            Action::Redo => self.redo(),
            Action::SetLang(lang) => self.settings.lang = lang,
            Action::NextTheme => self.settings.theme = self.settings.theme.next(),
            Action::Dialog(dialog) => {
                self.stop();
                self.menu = None;
                self.tools = false;
                self.dialog = dialog;
                if dialog == Some(Dialog::Chooser) {
                    self.want_index();
                }
            }
            Action::ToggleDrawer => {
                self.tools = false;
                self.drawer = !self.drawer;
            }
            Action::Compare(against) => self.compare(against),
            Action::ToggleCompare => self.toggle_compare(),
            Action::SetZoom(zoom) => self.zoom = zoom,
            Action::ToggleTools => self.tools = !self.tools,
            Action::DismissNote => self.note = None,
            Action::SetSmooth(smooth) => self.smooth = smooth,
            Action::Switch(branch) => {
                self.change_history(|history| history.switch(branch));
                self.note = None;
            }
            Action::Shortcut(shortcut) => self.shortcut(shortcut),
        }
    }

    /// Selects; what was selected opens its menu; an open menu closes.
    fn press(&mut self, target: Selection) {
        match self.menu.take() {
            Some(open) if open.target == target => {}
            _ if self.selection == Some(target) => self.open_menu(OpenMenu::of(target)),
            _ => self.selection = Some(target),
        }
    }

    fn shortcut(&mut self, shortcut: Shortcut) {
        let go = match shortcut {
            Shortcut::Play => return self.toggle_play(),
            Shortcut::Step => Go::Step,
            Shortcut::Back => Go::Back,
            Shortcut::NextParagraph => Go::NextParagraph,
            Shortcut::PreviousParagraph => Go::PreviousParagraph,
            Shortcut::Start => Go::Start,
            Shortcut::End => Go::End,
            Shortcut::Violation => Go::NextViolation,
            Shortcut::Slower => return self.settings.speed = self.settings.speed.moved(-1),
            Shortcut::Faster => return self.settings.speed = self.settings.speed.moved(1),
            Shortcut::Node(n) if usize::from(n) < self.run.scenario.setup.nodes.len() => {
                self.menu = None;
                return self.selection = Some(Selection::Node(NodeId(n)));
            }
            Shortcut::Node(_) => return,
            Shortcut::Menu => return self.selected_menu(None),
            Shortcut::Verb(key) => return self.selected_menu(Some(key)),
            Shortcut::Undo => return self.undo(),
            Shortcut::Redo => return self.redo(),
            Shortcut::Help => return self.apply(Action::Dialog(Some(Dialog::Help))),
            Shortcut::Escape => return self.close_topmost(),
        };
        self.go(go);
    }

    /// Opens the menu of what is selected, or does what the entry with this key does.
    fn selected_menu(&mut self, key: Option<char>) {
        let Some(target @ (Selection::Node(_) | Selection::Packet(_))) = self.selection else { return };
        let Some(key) = key else { return self.open_menu(OpenMenu::of(target)) };
        let entries = moves::entries(self.cursor.world(), target);
        let Some(entry) = entries.iter().find(|entry| entry.verb.key() == Some(key)) else { return };
        match entry.only() {
            Some(kind) => self.apply(Action::Act(kind)),
            None => self.open_menu(OpenMenu { target, level: Level::Choices(entry.verb) }),
        }
    }

    fn close_topmost(&mut self) {
        if self.menu.take().is_some() || std::mem::take(&mut self.tools) || std::mem::take(&mut self.drawer) {
            return;
        }
        if self.note.take().is_none() {
            self.selection = None;
        }
    }

    fn open_menu(&mut self, menu: OpenMenu) {
        self.stop();
        self.selection = Some(menu.target);
        self.menu = Some(menu);
    }
}

#[cfg(test)]
mod tests;
