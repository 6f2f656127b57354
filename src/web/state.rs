//! What the page knows, and how it changes: a pure reducer without a browser in it.

use std::rc::Rc;
use std::sync::Arc;

use serde_json::Value;

use super::keys::Shortcut;
use super::moves::{self, Verb};
use super::pace::Film;
use super::run::{FIRST, Place, Run};
use super::scene::{Scene, Selection};
use crate::history::History;
use crate::scenario::{self, Scenario};
use crate::vocabulary::{Fault, FaultKind, Lang, NodeId, StepIx, Time};

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
    /// All built-in scenarios, once the chooser has been opened: reading every file takes a while.
    pub(crate) catalog: Option<Rc<Vec<Scenario>>>,
    /// Whether the inspector is open where it is a drawer.
    pub(crate) drawer: bool,
    /// Whether the header's tools are open where they are a menu.
    pub(crate) tools: bool,
    /// How near the diagram is.
    pub(crate) zoom: Zoom,
    /// A short message about the last action.
    pub(crate) note: Option<Note>,
    /// What the visitor prefers.
    pub(crate) settings: Settings,
    /// Whether packets fly and steps glide; otherwise they jump.
    pub(crate) smooth: bool,
    log: Rc<Log>,
}

/// What is remembered from one visit to the next.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Settings {
    /// The language.
    pub lang: Lang,
    /// Light or dark.
    pub theme: Theme,
    /// How fast it plays.
    pub speed: Speed,
}

/// Light or dark.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Theme {
    /// As the system says.
    #[default]
    System,
    /// Light.
    Light,
    /// Dark.
    Dark,
}

/// A speed, in quarters of the normal one.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Speed(u32);

/// How much larger the diagram is than the whole run on one page.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Zoom(u8);

impl Zoom {
    /// The whole run.
    pub(crate) const WHOLE: Self = Self(0);
    const MAX: u8 = 6;

    /// One step nearer, or further away; `None` at the end.
    pub(crate) fn moved(self, nearer: bool) -> Option<Self> {
        let zoom = if nearer { self.0.checked_add(1) } else { self.0.checked_sub(1) };
        zoom.filter(|zoom| *zoom <= Self::MAX).map(Self)
    }

    /// As a factor: each step is half as large again.
    pub(crate) fn factor(self) -> f64 {
        1.5_f64.powi(i32::from(self.0))
    }
}

/// How time moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Motion {
    /// It stands.
    Still,
    /// The run plays; this is the film's time.
    Playing(Film),
    /// The stage goes from one step to the next.
    Gliding(Glide),
}

/// A step in the making.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Glide {
    from: Time,
    to: Time,
    gone: Film,
    whole: Film,
}

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
}

/// Where to go in the run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Go {
    /// To a position.
    To(u32),
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

/// The changes made so far, and those taken back.
#[derive(Clone, Default)]
struct Log {
    done: Vec<Change>,
    undone: Vec<Change>,
}

#[derive(Clone)]
enum Change {
    /// The history has it.
    Act,
    /// Another run took this one's place.
    Edit { run: Rc<Run>, cursor: Rc<History> },
}

/// The longest glide of a single step.
const GLIDE_MAX: Film = 400_000;

impl App {
    /// The page with this scenario, or with the first that opens and a message.
    pub(crate) fn new(place: Place, settings: Settings) -> Self {
        let (place, scenario, note) = match load(&place, &[]) {
            Ok(scenario) => (place, scenario, None),
            Err(why) => {
                let first = Place::parse(FIRST);
                let scenario = load(&first, &[]).expect("the first scenario is built in and was tested");
                (first, scenario, Some(Note::Failed(why)))
            }
        };
        let cursor = Rc::new(History::new(Arc::new(scenario)));
        let run = Rc::new(Run::new(place, Vec::new(), &cursor));
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
            catalog: None,
            drawer: false,
            tools: false,
            zoom: Zoom::WHOLE,
            note,
            settings,
            smooth: true,
            log: Rc::default(),
        };
        app.seek(0);
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
        next
    }

    fn apply(&mut self, action: Action) {
        match action {
            Action::Open(place) => self.open(place),
            Action::SetControl(path, value) => {
                let mut changes = self.run.changes.clone();
                changes.retain(|change| change.0 != path);
                changes.push((path, value));
                self.edit(changes);
            }
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
                if dialog == Some(Dialog::Chooser) && self.catalog.is_none() {
                    let all = scenario::builtin().iter().filter_map(|id| scenario::load(id).ok());
                    self.catalog = Some(Rc::new(all.collect()));
                }
            }
            Action::ToggleDrawer => {
                self.tools = false;
                self.drawer = !self.drawer;
            }
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

    /// Opens another scenario; if it cannot be opened, only says so.
    fn open(&mut self, place: Place) {
        if place == self.run.place && self.run.changes.is_empty() {
            return;
        }
        match load(&place, &[]) {
            Ok(scenario) if place.id == self.run.place.id => self.replace(place, Vec::new(), scenario),
            Ok(scenario) => {
                self.replace(place, Vec::new(), scenario);
                self.log = Rc::default();
                self.selection = None;
                self.seek(0);
            }
            Err(why) => self.note = Some(Note::Failed(why)),
        }
    }

    /// Runs the scenario with other values of its controls.
    fn edit(&mut self, changes: Vec<(String, Value)>) {
        let place = self.run.place.clone();
        match load(&place, &changes) {
            Ok(scenario) => self.replace(place, changes, scenario),
            Err(why) => self.note = Some(Note::Failed(why)),
        }
    }

    /// Puts a new run in the place of this one, at the same instant of time.
    fn replace(&mut self, place: Place, changes: Vec<(String, Value)>, scenario: Scenario) {
        self.log_change(Change::Edit { run: Rc::clone(&self.run), cursor: Rc::clone(&self.cursor) });
        let (at_start, time) = (self.position() == 0, self.time);
        let mut history = History::new(Arc::new(scenario));
        if place.id == self.run.place.id {
            self.keep_actions(&mut history);
        }
        let position = if at_start { 0 } else { history.position_at(time) };
        self.run = Rc::new(Run::new(place, changes, &history));
        self.cursor = Rc::new(history);
        self.menu = None;
        self.note = None;
        self.seek(position);
    }

    /// Plans the visitor's actions again in a changed run, by the words that survive the change. What was done to one
    /// packet is not kept: it may be another one now.
    fn keep_actions(&self, history: &mut History) {
        for fault in &self.cursor.faults()[self.run.scenario.faults.len()..] {
            if let (Some(on), None) = (fault.twin, fault.kind.packet()) {
                history.schedule(Fault { on, twin: None, ..*fault });
            }
        }
    }

    /// Lets the history change itself at the cursor.
    fn change_history(&mut self, change: impl FnOnce(&mut History)) {
        let forks = self.position() < self.run.len;
        self.log_change(Change::Act);
        let mut history = (*self.cursor).clone();
        change(&mut history);
        self.adopt(history);
        self.note = forks.then_some(Note::Forked);
    }

    /// Takes a history whose branch is another one now.
    fn adopt(&mut self, history: History) {
        let position = history.position();
        self.run = Rc::new(Run::new(self.run.place.clone(), self.run.changes.clone(), &history));
        self.cursor = Rc::new(history);
        self.menu = None;
        self.note = None;
        self.seek(position);
    }

    fn log_change(&mut self, change: Change) {
        let log = Rc::make_mut(&mut self.log);
        log.done.push(change);
        log.undone.clear();
    }

    fn undo(&mut self) {
        let Some(change) = Rc::make_mut(&mut self.log).done.pop() else { return };
        let back = self.swap(change, History::undo);
        Rc::make_mut(&mut self.log).undone.push(back);
    }

    fn redo(&mut self) {
        let Some(change) = Rc::make_mut(&mut self.log).undone.pop() else { return };
        let back = self.swap(change, History::redo);
        Rc::make_mut(&mut self.log).done.push(back);
    }

    /// Goes to the other side of a change, and returns the way back.
    fn swap(&mut self, change: Change, turn: impl FnOnce(&mut History) -> bool) -> Change {
        match change {
            Change::Act => {
                let mut history = (*self.cursor).clone();
                turn(&mut history);
                self.adopt(history);
                Change::Act
            }
            Change::Edit { run, cursor } => {
                let back = Change::Edit { run: Rc::clone(&self.run), cursor: Rc::clone(&self.cursor) };
                let position = cursor.position();
                self.run = run;
                self.cursor = cursor;
                self.menu = None;
                self.note = None;
                self.seek(position);
                back
            }
        }
    }

    /// Puts cursor and stage to a position, and stops.
    fn seek(&mut self, position: u32) {
        self.stop();
        let position = position.min(self.run.len);
        // Nodes and packets stay selected; a step is left behind.
        self.selection = self.selection.filter(|selection| !matches!(selection, Selection::Step(_)));
        if self.cursor.position() != position {
            let mut history = (*self.cursor).clone();
            history.seek(position);
            self.cursor = Rc::new(history);
        }
        self.shown = Rc::clone(&self.cursor);
        self.time = self.run.pace.time(position);
        self.menu = None;
    }

    fn stop(&mut self) {
        if self.motion != Motion::Still {
            if let Motion::Gliding(glide) = self.motion {
                self.time = glide.to;
            }
            self.motion = Motion::Still;
            self.shown = Rc::clone(&self.cursor);
        }
    }

    fn go(&mut self, go: Go) {
        let position = self.position();
        let told = |ix: Option<usize>| ix.and_then(|ix| self.run.story.get(ix).copied().flatten());
        let to = match go {
            Go::To(to) => to,
            Go::Step => return self.step(),
            Go::Back => position.saturating_sub(1),
            Go::Start => 0,
            Go::End => self.run.len,
            Go::NextParagraph => {
                self.run.story.iter().flatten().copied().filter(|at| *at > position).min().unwrap_or(self.run.len)
            }
            Go::PreviousParagraph => {
                let current = told(self.run.paragraph_at(position)).unwrap_or(0);
                self.run.story.iter().flatten().copied().filter(|at| *at < current.min(position)).max().unwrap_or(0)
            }
            Go::NextViolation => {
                let all = &self.run.violations;
                let Some(to) = all.iter().find(|at| **at > position).or(all.first()) else { return };
                *to
            }
        };
        self.seek(to);
    }

    /// One step on. The cursor is there at once; the stage glides after it.
    fn step(&mut self) {
        let position = self.position();
        if position == self.run.len {
            return self.stop();
        }
        if matches!(self.motion, Motion::Gliding(_)) {
            self.stop();
        }
        let (from, behind) = (self.time, Rc::clone(&self.shown));
        self.seek(position + 1);
        let (to, pace) = (self.time, &self.run.pace);
        if self.smooth && to > from {
            let whole = (pace.film_at(position + 1, to) - pace.film_at(position, from)).clamp(1, GLIDE_MAX);
            self.motion = Motion::Gliding(Glide { from, to, gone: 0, whole });
            self.shown = behind;
            self.time = from;
        }
    }

    fn toggle_play(&mut self) {
        if self.is_playing() {
            return self.stop();
        }
        self.stop();
        if self.position() == self.run.len {
            self.seek(0);
        }
        self.menu = None;
        self.motion = Motion::Playing(self.run.pace.film_at(self.position(), self.time));
    }

    fn tick(&mut self, us: u64) {
        match self.motion {
            Motion::Still => {}
            Motion::Gliding(mut glide) => {
                glide.gone += us;
                if glide.gone >= glide.whole {
                    return self.stop();
                }
                self.time = glide.time();
                self.motion = Motion::Gliding(glide);
            }
            Motion::Playing(film) => {
                let film = film + us * u64::from(self.settings.speed.0) / 4;
                let (position, time) = self.run.pace.at(film);
                if position != self.position() {
                    self.seek(position);
                }
                if self.smooth {
                    self.time = time;
                }
                let over = film >= self.run.pace.end();
                self.motion = if over { Motion::Still } else { Motion::Playing(film) };
            }
        }
    }

    fn open_menu(&mut self, menu: OpenMenu) {
        self.stop();
        self.selection = Some(menu.target);
        self.menu = Some(menu);
    }
}

fn load(place: &Place, changes: &[(String, Value)]) -> Result<Scenario, String> {
    scenario::with_changes(&place.text(), changes).map_err(|why| why.to_string())
}

impl Glide {
    fn time(&self) -> Time {
        self.from + crate::vocabulary::Span(self.to.since(self.from).0 * self.gone / self.whole)
    }
}

impl Theme {
    const fn next(self) -> Self {
        match self {
            Self::System => Self::Light,
            Self::Light => Self::Dark,
            Self::Dark => Self::System,
        }
    }

    /// The value of `data-theme`; the system's choice has none.
    pub const fn name(self) -> Option<&'static str> {
        match self {
            Self::System => None,
            Self::Light => Some("light"),
            Self::Dark => Some("dark"),
        }
    }

    /// Reads what [`name`](Self::name) wrote.
    pub fn from_name(name: &str) -> Self {
        match name {
            "light" => Self::Light,
            "dark" => Self::Dark,
            _ => Self::System,
        }
    }
}

impl Speed {
    /// The normal speed.
    pub const NORMAL: Self = Self(4);
    /// Every speed, from slow to fast.
    pub const ALL: [Self; 6] = [Self(1), Self(2), Self::NORMAL, Self(8), Self(16), Self(32)];

    fn moved(self, by: i32) -> Self {
        let ix = Self::ALL.iter().position(|one| *one == self).unwrap_or(2) as i32;
        Self::ALL[(ix + by).clamp(0, Self::ALL.len() as i32 - 1) as usize]
    }

    /// As it is written: `½×`.
    pub const fn label(self) -> &'static str {
        match self.0 {
            1 => "¼×",
            2 => "½×",
            8 => "2×",
            16 => "4×",
            32 => "8×",
            _ => "1×",
        }
    }

    /// Reads what [`label`](Self::label) wrote.
    pub fn from_label(label: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|one| one.label() == label)
    }
}

#[cfg(test)]
#[path = "state_tests.rs"]
mod tests;
