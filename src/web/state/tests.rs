use super::*;
use crate::scenario;
use crate::vocabulary::{FaultKind, Lang, PauseCause, Span};
use crate::web::moves::Verb;

fn app() -> App {
    let settings = Settings { lang: Lang::En, theme: Theme::System, speed: Speed::NORMAL };
    App::new(Place::parse("gc-pause-write"), file("gc-pause-write"), settings)
}

fn file(id: &str) -> &'static str {
    scenario::builtin_text(id).expect("it is built in")
}

fn open(place: &str) -> Action {
    Action::Open(Place::parse(place))
}

fn arrived(id: &str) -> Action {
    Action::Arrived(id.to_owned(), Some(file(id).to_owned()))
}

fn lost(name: &str) -> Action {
    Action::Arrived(name.to_owned(), None)
}

fn at(position: u32) -> App {
    app().after(Action::Go(Go::To(position)))
}

fn after(app: &App, actions: impl IntoIterator<Item = Action>) -> App {
    actions.into_iter().fold(app.clone(), |app, action| app.after(action))
}

fn pause(node: u16) -> Action {
    Action::Act(FaultKind::Pause { node: NodeId(node), length: Some(Span::from_ms(2_000)), cause: PauseCause::Gc })
}

#[test]
fn a_scenario_that_does_not_exist_leaves_the_screen_as_it_was() {
    let before = at(7);
    let after = before.after(Action::Open(Place::parse("no-such-scenario")));
    assert!(matches!(after.note, Some(Note::Failed(_))));
    assert_eq!((after.position(), &after.run.place), (7, &before.run.place));
}

#[test]
fn a_first_address_that_leads_nowhere_still_shows_a_run() {
    let settings = Settings { lang: Lang::Ko, theme: Theme::Dark, speed: Speed::NORMAL };
    for place in ["nothing:here", "gc-pause-write:nothing"] {
        let app = App::new(Place::parse(place), file("gc-pause-write"), settings);
        assert!(matches!(app.note, Some(Note::Failed(_))), "{place}");
        assert_eq!((app.run.place.text().as_str(), app.wanted_scenario()), ("gc-pause-write", None));
        assert!(app.run.len > 0);
    }
}

/// The script that loads the page falls back to the first scenario if the one of the address does not come.
#[test]
fn a_first_address_whose_file_is_not_here_asks_for_it() {
    let settings = app().settings;
    let app = App::new(Place::parse("plain-delete"), file("gc-pause-write"), settings);
    assert_eq!((app.run.place.id.as_str(), app.wanted_scenario()), ("gc-pause-write", Some("plain-delete")));
    let app = after(&app, [arrived("plain-delete")]);
    assert_eq!((app.run.place.id.as_str(), app.wanted_scenario()), ("plain-delete", None));
}

#[test]
fn another_scenario_opens_when_its_file_is_here() {
    let before = at(7);
    let coming = after(&before, [open("fencing-gap:marked-on-read")]);
    assert_eq!((coming.wanted_scenario(), coming.position()), (Some("fencing-gap"), 7));
    assert_eq!(coming.run.place, before.run.place);
    let here = after(&coming, [arrived("fencing-gap")]);
    assert_eq!((here.wanted_scenario(), here.position(), here.can_undo()), (None, 0, false));
    assert_eq!(here.run.place, Place::parse("fencing-gap:marked-on-read"));
    let variant = after(&here, [open("fencing-gap")]);
    assert_eq!((variant.run.place.text().as_str(), variant.wanted_scenario()), ("fencing-gap", None));
}

#[test]
fn of_two_scenarios_the_one_asked_for_last_is_shown() {
    let both = after(&app(), [open("plain-delete"), open("fencing-token")]);
    for order in [["plain-delete", "fencing-token"], ["fencing-token", "plain-delete"]] {
        let shown = after(&both, order.map(arrived));
        assert_eq!(shown.run.place.id, "fencing-token", "{order:?}");
    }
    let back = after(&both, [open("gc-pause-write"), arrived("plain-delete"), arrived("fencing-token")]);
    assert_eq!(back.run.place.id, "gc-pause-write");
    let twice = after(&both, [open("plain-delete"), arrived("plain-delete"), arrived("plain-delete")]);
    assert_eq!((twice.run.place.id.as_str(), &twice.note), ("plain-delete", &None));
}

#[test]
fn a_file_that_does_not_come_is_named_and_can_be_asked_for_again() {
    let place = Place::parse("plain-delete");
    let missing = after(&at(7), [open("plain-delete"), lost("plain-delete")]);
    assert_eq!((missing.position(), &missing.note), (7, &Some(Note::Missing(place))));
    assert_eq!(missing.wanted_scenario(), None);
    let again = after(&missing, [open("plain-delete")]);
    assert_eq!((again.wanted_scenario(), &again.note), (Some("plain-delete"), &None));
    let broken = after(&again, [Action::Arrived("plain-delete".into(), Some("{".into()))]);
    assert!(matches!(broken.note, Some(Note::Failed(_))));
}

#[test]
fn the_index_is_asked_for_when_the_chooser_opens_and_again_if_it_did_not_come() {
    let chooser = || Action::Dialog(Some(Dialog::Chooser));
    assert_eq!(app().wanted_index(), None);
    let coming = after(&app(), [chooser()]);
    let name = coming.wanted_index().expect("it is wanted");
    assert!(!scenario::builtin().contains(&name));
    let missing = after(&coming, [lost(name)]);
    assert!(matches!(missing.index, Index::Missing));
    assert_eq!((missing.wanted_index(), &missing.note), (None, &None));
    let again = after(&missing, [chooser()]);
    let text = ["{\"plain-delete\":", file("plain-delete"), "}"].concat();
    let here = after(&again, [Action::Arrived(name.to_owned(), Some(text)), Action::Dialog(None), chooser()]);
    assert!(here.index.is_here() && here.wanted_index().is_none());
    let title = scenario::load("plain-delete").expect("it is built in").title;
    assert_eq!(here.index.title("plain-delete", Lang::Ko), title.ko);
    assert_eq!(here.index.title("fencing-gap", Lang::Ko), "fencing-gap");
}

#[test]
fn a_step_glides_on_the_stage_but_counts_at_once() {
    let start = app();
    // The first step that takes time.
    let position = (0..start.run.len).find(|ix| start.run.pace.time(ix + 1) > start.run.pace.time(*ix));
    let before = at(position.expect("time passes"));
    let gliding = before.after(Action::Go(Go::Step));
    assert_eq!(gliding.position(), before.position() + 1);
    assert_eq!((gliding.shown.position(), gliding.time), (before.position(), before.time));
    let arrived = gliding.after(Action::Tick(400_000));
    assert_eq!(arrived.motion, Motion::Still);
    assert_eq!(
        (arrived.shown.position(), arrived.time),
        (before.position() + 1, arrived.run.pace.time(arrived.position()))
    );
}

#[test]
fn without_motion_a_step_jumps() {
    let app =
        after(&app(), [Action::SetSmooth(false), Action::Go(Go::End), Action::Go(Go::Back), Action::Go(Go::Step)]);
    assert_eq!((app.motion, app.shown.position()), (Motion::Still, app.run.len));
}

#[test]
fn playing_ends_at_the_end_and_starts_over_from_there() {
    let mut app = app().after(Action::TogglePlay);
    for _ in 0..10_000 {
        if !app.is_playing() {
            break;
        }
        app = app.after(Action::Tick(100_000));
    }
    assert_eq!((app.is_playing(), app.position()), (false, app.run.len));
    let again = app.after(Action::TogglePlay);
    assert_eq!((again.is_playing(), again.position()), (true, 0));
}

#[test]
fn acting_in_the_past_forks_and_undo_brings_the_old_future_back() {
    let before = at(10);
    let digest = before.cursor.digest();
    let forked = before.after(pause(1));
    assert_eq!((forked.position(), &forked.note), (11, &Some(Note::Forked)));
    assert_ne!(forked.cursor.digest(), digest);
    let back = forked.after(Action::Undo);
    assert_eq!((back.position(), back.cursor.digest(), back.can_undo()), (10, digest, false));
    let again = back.after(Action::Redo);
    assert_eq!((again.position(), again.cursor.digest()), (11, forked.cursor.digest()));
}

#[test]
fn undo_takes_actions_and_edits_back_in_turn() {
    let start = at(10);
    let control = String::from("/faults/0/pause/for_ms");
    let acted = start.after(pause(1));
    let edited = acted.after(Action::SetControl(control, 3_000.into()));
    assert_eq!(edited.run.changes.len(), 1);
    let once = edited.after(Action::Undo);
    assert_eq!((once.run.changes.len(), once.cursor.digest()), (0, acted.cursor.digest()));
    let twice = once.after(Action::Undo);
    assert_eq!(twice.cursor.digest(), start.cursor.digest());
    let redone = after(&twice, [Action::Redo, Action::Redo]);
    assert_eq!(redone.cursor.digest(), edited.cursor.digest());
    assert!(!redone.can_redo());
}

#[test]
fn what_the_visitor_did_survives_a_moved_control() {
    let acted = at(10).after(pause(1));
    let control = String::from("/faults/0/pause/for_ms");
    let edited = acted.after(Action::SetControl(control, 3_000.into()));
    assert_eq!(edited.cursor.faults().len(), acted.cursor.faults().len());
}

#[test]
fn paragraphs_and_violations_can_be_walked() {
    let mut app = app();
    let told: Vec<u32> = app.run.story.iter().flatten().copied().collect();
    for at in &told {
        app = app.after(Action::Go(Go::NextParagraph));
        assert_eq!(app.position(), *at);
    }
    app = app.after(Action::Go(Go::PreviousParagraph));
    assert_eq!(app.position(), told[told.len() - 2]);
    let violation = app.after(Action::Go(Go::Start)).after(Action::Go(Go::NextViolation));
    assert_eq!(violation.position(), violation.run.violations[0]);
}

#[test]
fn a_press_selects_then_opens_then_closes() {
    let node = Selection::Node(NodeId(0));
    let selected = app().after(Action::Press(node));
    assert_eq!((selected.selection, selected.menu), (Some(node), None));
    let open = selected.after(Action::Press(node));
    assert_eq!(open.menu, Some(OpenMenu::of(node)));
    assert_eq!(open.after(Action::Press(node)).menu, None);
}

#[test]
fn keys_act_on_what_is_selected() {
    let app = after(&at(10), [Action::Shortcut(Shortcut::Node(0)), Action::Shortcut(Shortcut::Verb('p'))]);
    assert_eq!(app.menu.map(|menu| menu.level), Some(Level::Choices(Verb::Pause)));
    let closed = app.after(Action::Shortcut(Shortcut::Escape));
    assert_eq!(closed.menu, None);
    let nothing = closed.after(Action::Select(None)).after(Action::Shortcut(Shortcut::Verb('x')));
    assert_eq!(nothing.menu, None);
}

#[test]
fn a_sleeping_client_wakes_by_the_same_key() {
    let asleep = after(&at(10), [pause(0), Action::Select(Some(Selection::Node(NodeId(0))))]);
    let awake = asleep.after(Action::Shortcut(Shortcut::Verb('p')));
    assert_eq!((awake.menu, awake.position()), (None, asleep.position() + 1));
}

fn guard(value: &str) -> Against {
    Against::Setting("/resources/counter/guard".into(), value.into())
}

#[test]
fn a_rival_follows_step_by_step_then_by_time() {
    let app = after(&app(), [Action::SetSmooth(false), Action::Compare(guard("fencing"))]);
    let rival = app.rival.as_ref().expect("it is there");
    let parting = rival.parting().expect("they part");
    assert!(parting > 0 && parting < app.run.len);
    let mut before = 0;
    for position in 0..=app.run.len {
        let app = app.after(Action::Go(Go::To(position)));
        let rival = app.rival.as_ref().expect("it stays");
        let at = rival.cursor.position();
        assert!(at >= before, "it never goes back");
        if position <= parting {
            assert_eq!(at, position);
        } else if position < app.run.len {
            assert!(rival.cursor.world().now() <= app.cursor.world().now().max(rival.run.pace.time(parting)));
        }
        before = at;
    }
    assert_eq!(before, rival.run.len, "the ends belong together");
}

#[test]
fn what_is_done_to_one_is_done_to_the_other() {
    let start = app().after(Action::SetSmooth(false));
    // The pause that the file plans is too short to harm anybody; another one does.
    let short = Action::SetControl("/faults/0/pause/for_ms".into(), 500.into());
    let paused = after(&start, [short, Action::Compare(guard("fencing")), Action::Go(Go::To(6))]);
    let before = paused.rival.as_ref().expect("it is there").cursor.world_at(6).digest();
    let paused = paused.after(pause(0));
    let rival = paused.rival.as_ref().expect("it is there");
    let faults = |history: &History| history.faults().len();
    assert_eq!(faults(&paused.cursor), faults(&rival.cursor));
    assert_eq!(rival.cursor.world_at(6).digest(), before, "the past is the same");
    let undone = paused.after(Action::Undo);
    assert_eq!(faults(&undone.rival.as_ref().expect("it is there").cursor), faults(&undone.cursor));
}

#[test]
fn a_switch_puts_all_that_belongs_to_its_position_and_takes_it_back() {
    let fenced = app().after(Action::SetControl("/resources/counter/guard".into(), "fencing".into()));
    assert_eq!(fenced.run.changes.len(), 2);
    assert!(fenced.run.judged.final_verdicts().iter().filter(|(_, verdict)| verdict.is_violated()).count() == 1);
    let open = fenced.after(Action::SetControl("/resources/counter/guard".into(), "none".into()));
    assert_eq!(open.run.changes.len(), 1);
    let end = |app: &App| app.cursor.world_at(app.run.len).digest();
    assert_eq!(end(&open), end(&app()), "the run is the file's own again");
}

#[test]
fn another_scenario_ends_a_comparison_or_finds_one_of_its_own() {
    let app = app().after(Action::Compare(guard("fencing")));
    let other = after(&app, [open("setnx-without-ttl"), arrived("setnx-without-ttl")]);
    if let Some(rival) = &other.rival {
        assert_eq!(rival.run.place.id, "setnx-without-ttl");
        assert!(other.rivals().contains(&rival.against));
    }
    assert!(other.after(Action::ToggleCompare).rival.is_none());
}
