//! Every variant, in both languages: nothing is empty, no gap is left, no language speaks the other.

mod samples;

use std::sync::Arc;

use samples::{CLIENT, cover, events, faults, node, observations, packets, whys};

use super::{
    cost_line, cost_rows, event_name, fault_effect, fault_sentence, fault_title, judge_promise, judge_title, kind_name,
    lead, lead_note, observation_name, packet_label, phrase, progress_kind, sentence, sentences, token_order_line,
    trigger_text, verdict_line, why_sentence,
};
use crate::scenario::{Setup, load};
use crate::verdicts::{CostSheet, Instance, InstanceKind, LossKind, Subject, Verdict};
use crate::vocabulary::{
    Contact, FaultIx, FaultKind, GrantId, JudgeName, Lang, LineIx, Matcher, MessageKind, NodeId, ObservationKind,
    PauseCause, ProgressKind, ResourceIx, ServiceIx, Span, StepIx, Time, Token, Trigger,
};
use crate::world::{Effect, Ending, Event, Observation, Record, Rejection, World};

fn setup() -> Arc<Setup> {
    load("gc-pause-write").expect("it is built in").setup
}

/// One text in both languages.
fn check(what: &dyn std::fmt::Debug, text: impl Fn(Lang) -> String) {
    for lang in Lang::ALL {
        let text = text(*lang);
        let hangul = text.chars().any(|letter| ('가'..='힣').contains(&letter));
        assert!(!text.trim().is_empty(), "{what:?} has no {lang:?} text");
        assert!(!text.contains(['{', '}', '?']), "{what:?}: a gap is left: {text}");
        assert!(!text.contains("  ") && text.trim() == text, "{what:?}: stray spaces: {text:?}");
        assert!(hangul == (*lang == Lang::Ko), "{what:?}: wrong language: {text}");
    }
}

fn check_sentence(what: &dyn std::fmt::Debug, text: impl Fn(Lang) -> String) {
    check(what, |lang| {
        let text = text(lang);
        assert!(text.ends_with('.') && !text.ends_with(".."), "{what:?} is no sentence: {text}");
        assert!(!text.starts_with("client") && !text.starts_with("storage"), "{what:?}: no capital: {text}");
        text
    });
}

fn told(setup: &Arc<Setup>, event: Event, effects: Vec<Effect>) {
    let world = World::new(Arc::clone(setup), Arc::from([]));
    let record = Record { event, effects, ..Record::default() };
    check_sentence(&record, |lang| sentence(setup, &record, &world, lang));
    check(&record, |lang| phrase(setup, &record, &world, lang));
    check(&record.event, |lang| event_name(&record.event, lang).to_owned());
    for lang in Lang::ALL {
        let all = sentences(setup, &record, &world, *lang);
        assert_eq!(all.first(), Some(&sentence(setup, &record, &world, *lang)), "the headline comes first");
    }
}

#[test]
fn every_event_is_told_in_both_languages() {
    let setup = setup();
    for event in events(&setup) {
        told(&setup, event, Vec::new());
    }
}

#[test]
fn every_packet_that_is_sent_or_answered_is_told() {
    let setup = setup();
    for packet in packets(&setup) {
        let sent = || vec![Effect::Sent { packet: Arc::clone(&packet), due: Time::ZERO }];
        told(&setup, Event::Line { node: CLIENT, line: LineIx(0), part: 0 }, sent());
        told(&setup, Event::Timer { node: CLIENT, timer: 0 }, sent());
        for request in packets(&setup).into_iter().filter(|request| request.from == packet.to) {
            told(&setup, Event::Delivered { packet: request }, sent());
        }
        let label = packet_label(&setup, &packet.message);
        assert!(!label.is_empty() && label.trim() == label && !label.contains("  "), "{packet:?}: {label:?}");
    }
}

#[test]
fn every_observation_is_told_in_both_languages() {
    let setup = setup();
    let [redis, storage] = ["redis-a", "storage"].map(|name| node(&setup, name));
    let ask = &packets(&setup)[0];
    for what in observations() {
        for (node, event) in [
            (CLIENT, Event::Timer { node: CLIENT, timer: 0 }),
            (redis, Event::Delivered { packet: Arc::clone(ask) }),
            (storage, Event::Delivered { packet: Arc::clone(ask) }),
        ] {
            told(&setup, event.clone(), vec![Effect::Noted { node, what }]);
            let expired = Observation::Ended { service: ServiceIx(0), grant: GrantId(0), why: Ending::Expired };
            told(&setup, event, vec![Effect::Noted { node, what: expired }, Effect::Noted { node, what }]);
        }
    }
}

#[test]
fn every_fault_has_a_title_an_effect_and_a_sentence() {
    let setup = setup();
    for kind in faults() {
        // SIGSTOP and the names of links are the same in both languages, but never the whole text.
        check(&kind, |lang| fault_title(&setup, &kind, lang));
        check(&kind, |lang| fault_effect(&setup, &kind, lang));
        check_sentence(&kind, |lang| fault_sentence(&setup, &kind, lang));
        let fired = Effect::FaultFired { ix: FaultIx(0), kind };
        for packet in packets(&setup) {
            told(&setup, Event::Delivered { packet }, vec![fired.clone()]);
        }
    }
}

#[test]
fn every_trigger_has_words() {
    let setup = setup();
    let (client, from, to) = (CLIENT, CLIENT, NodeId(2));
    let mut matchers = vec![
        Matcher::Line { client, line: LineIx(3), part: 0 },
        Matcher::Send { from, to, kind: None },
        Matcher::Deliver { from, to, kind: None },
        Matcher::Fault { ix: FaultIx(0) },
    ];
    for kind in MessageKind::ALL {
        matchers
            .extend([Matcher::Send { from, to, kind: Some(*kind) }, Matcher::Deliver { from, to, kind: Some(*kind) }]);
    }
    matchers.extend(ObservationKind::ALL.iter().map(|kind| Matcher::Observed { node: client, kind: *kind }));
    cover!(
        matchers,
        Matcher::Line { .. },
        Matcher::Send { .. },
        Matcher::Deliver { .. },
        Matcher::Observed { .. },
        Matcher::Fault { .. },
    );
    let mut triggers = vec![Trigger::At(Time::from_ms(1_500)), Trigger::Step(StepIx(3))];
    for matcher in matchers {
        triggers.push(Trigger::When { matcher, nth: 1, after: Span::ZERO });
        triggers.push(Trigger::When { matcher, nth: 2, after: Span::from_ms(200) });
    }
    for trigger in triggers {
        check(&trigger, |lang| trigger_text(&setup, &trigger, lang));
    }
}

#[test]
fn every_verdict_has_a_line_and_every_reason_a_sentence() {
    let setup = setup();
    let whys = whys();
    for why in &whys {
        check_sentence(why, |lang| why_sentence(&setup, why, lang));
    }
    let kinds = ProgressKind::ALL.iter().map(|kind| Some(InstanceKind::Progress(*kind)));
    let kinds = kinds.chain(Contact::ALL.iter().map(|contact| Some(InstanceKind::Stale(*contact))));
    let kinds = kinds.chain([LossKind::Overwrote, LossKind::AppliedTwice].map(|kind| Some(InstanceKind::Lost(kind))));
    let mut verdicts = vec![Verdict::Holds, Verdict::Violated { instances: Vec::new() }];
    verdicts.extend(whys.iter().map(|why| Verdict::Pending { why: *why }));
    for kind in kinds.chain([None]) {
        for to in [None, Some(Time::from_ms(1_000)), Some(Time::from_ms(2_000))] {
            let one = Instance {
                subject: Subject::Lock(ServiceIx(0)),
                kind,
                from: Time::from_ms(1_000),
                to,
                known: StepIx(0),
                why: whys[0],
                evidence: Vec::new(),
            };
            verdicts.push(Verdict::Violated { instances: vec![one.clone(), one.clone()] });
            verdicts.push(Verdict::Violated { instances: vec![one] });
        }
        if let Some(kind) = kind {
            check(&kind, |lang| kind_name(kind, lang).to_owned());
        }
    }
    for judge in JudgeName::ALL {
        for verdict in &verdicts {
            check(&(judge, verdict), |lang| verdict_line(&setup, *judge, verdict, lang));
            let all = [(*judge, verdict.clone())];
            check_sentence(&all, |lang| lead(&all, false, lang).to_owned());
            check_sentence(&all, |lang| lead(&all, true, lang).to_owned());
        }
        check(judge, |lang| judge_title(*judge, lang).to_owned());
        check_sentence(judge, |lang| judge_promise(*judge, lang).to_owned());
    }
    let tokens = |given: &[u64], lang| {
        let given: Vec<_> = given.iter().copied().map(Token).collect();
        token_order_line(&setup, &Verdict::Holds, &given, lang)
    };
    assert_eq!([tokens(&[33, 34], Lang::En), tokens(&[], Lang::En)], ["33, 34: rising", "rising"]);
    assert_eq!(tokens(&[1, 2, 3, 4], Lang::Ko), "…, 2, 3, 4: 증가");
    for expected in [true, false] {
        check(&expected, |lang| lead_note(expected, lang).to_owned());
    }
}

#[test]
fn every_name_stands_in_both_languages() {
    for kind in ObservationKind::ALL {
        check(kind, |lang| observation_name(*kind, lang).to_owned());
    }
    for kind in ProgressKind::ALL {
        check(kind, |lang| progress_kind(*kind, lang).to_owned());
    }
    let setup = setup();
    let cost = CostSheet { messages: 1, acquires: 1, ..CostSheet::default() };
    check(&cost, |lang| cost_line(&setup, &cost, lang));
    for row in 0..cost_rows(&setup, &cost, Lang::En).len() {
        check(&row, |lang| cost_rows(&setup, &cost, lang)[row].0.to_owned());
    }
}

#[test]
fn the_sentences_of_the_pictures() {
    let setup = setup();
    let world = World::new(Arc::clone(&setup), Arc::from([]));
    let storage = node(&setup, "storage");
    let why = Rejection::StaleToken { token: Some(Token(33)), highest: Token(34) };
    let what = Observation::Rejected { resource: ResourceIx(0), client: CLIENT, hold: None, why, write: true };
    let record = Record { effects: vec![Effect::Noted { node: storage, what }], ..Record::default() };
    let said = Lang::ALL.iter().map(|lang| sentence(&setup, &record, &world, *lang)).collect::<Vec<_>>();
    assert_eq!(
        said,
        [
            "Storage refuses client 1’s write: token 33 is lower than 34.",
            "저장소가 클라이언트 1의 쓰기를 거절합니다. 토큰 33은 34보다 낮습니다."
        ]
    );
    let pause = FaultKind::Pause { node: CLIENT, length: Some(Span::from_ms(12_000)), cause: PauseCause::Gc };
    assert_eq!(fault_sentence(&setup, &pause, Lang::En), "Client 1 falls asleep: GC pause, 12\u{202f}000\u{202f}ms.");
    assert_eq!(fault_title(&setup, &pause, Lang::En), "Pause for 12\u{202f}000\u{202f}ms");
    let labels = packets(&setup).iter().map(|packet| packet_label(&setup, &packet.message)).collect::<Vec<_>>();
    assert_eq!(labels[0], "SET lock 8f3c NX PX 10000");
    assert!(labels.contains(&"write 34".to_owned()) && labels.contains(&"write counter = 8".to_owned()));
}
