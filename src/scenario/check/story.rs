//! Story, controls and expectations.

use super::{Checks, Run};
use crate::scenario::error::Reason;
use crate::scenario::file::{
    ControlEntry, CostBound, ExpectTable, Expectation, ParagraphEntry, ScenarioFile, StoryEntry,
};
use crate::scenario::{Control, ControlRange, Expect, Expected, ExpectedCost, Paragraph, Setup, SwitchPosition};
use crate::vocabulary::{CostEntry, JudgeName, Span};

const PARAGRAPHS_MAX: usize = 24;
const PARAGRAPH_TITLE_CHARS_MAX: usize = 60;
const PARAGRAPH_CHARS_MAX: usize = 600;
const CONTROLS_MAX: usize = 8;
const CHOICES_MAX: usize = 8;
const LABEL_CHARS_MAX: usize = 60;

impl Checks {
    /// The paragraphs of a run: the variant's, else the scenario's own.
    pub(super) fn story(&mut self, setup: &Setup, file: &ScenarioFile, run: &Run<'_>) -> Vec<Paragraph> {
        let mut written: Vec<(String, &ParagraphEntry)> = Vec::new();
        let own = |ix: usize| file.story.get(ix).map(|entry| (format!("/story/{ix}"), entry));
        match run.variant.and_then(|(name, entry)| Some((name, entry.story.as_ref()?))) {
            None => written.extend((0..file.story.len()).filter_map(own)),
            Some((name, story)) => {
                for (ix, entry) in story.iter().enumerate() {
                    let path = format!("/variants/{name}/story/{ix}");
                    match entry {
                        StoryEntry::New(paragraph) => written.push((path, paragraph)),
                        StoryEntry::Same(number) => match usize::try_from(*number).ok().and_then(own) {
                            Some(paragraph) => written.push(paragraph),
                            None => self.conflict(path, "the scenario's own story is not that long"),
                        },
                    }
                }
            }
        }
        self.count("/story", "paragraphs", written.len(), PARAGRAPHS_MAX);
        written.into_iter().map(|(path, entry)| self.paragraph(setup, file, &path, entry)).collect()
    }

    fn paragraph(&mut self, setup: &Setup, file: &ScenarioFile, path: &str, entry: &ParagraphEntry) -> Paragraph {
        self.text(&format!("{path}/title"), &entry.title, PARAGRAPH_TITLE_CHARS_MAX);
        self.text(&format!("{path}/text"), &entry.text, PARAGRAPH_CHARS_MAX);
        Paragraph {
            on: entry.on.as_ref().map(|on| self.matcher(setup, file, &format!("{path}/on"), on)),
            nth: entry.nth.map_or(1, |nth| nth.0 as u32),
            title: entry.title.clone(),
            text: entry.text.clone(),
        }
    }

    /// The controls. One whose place was changed away, by a variant or a link, is left out.
    pub(super) fn controls(&mut self, file: &ScenarioFile, run: &Run<'_>) -> Vec<Control> {
        self.count("/controls", "controls", file.controls.len(), CONTROLS_MAX);
        let mut controls = Vec::new();
        for (ix, entry) in file.controls.iter().enumerate() {
            let path = format!("/controls/{ix}");
            self.text(&format!("{path}/label"), &entry.label, LABEL_CHARS_MAX);
            let range = self.range(&path, entry);
            let Some(value) = run.document.pointer(&entry.path).filter(|_| !entry.path.is_empty()) else {
                if run.variant.is_none() && !run.changed {
                    let reason =
                        "this pointer names no value of the file; write the value out, even if it is the default";
                    self.conflict(format!("{path}/path"), reason);
                }
                continue;
            };
            if let Some(range) = range {
                let mark = entry.slider.as_ref().and_then(|slider| slider.mark.as_ref());
                controls.push(Control {
                    path: entry.path.clone(),
                    label: entry.label.clone(),
                    value: value.clone(),
                    range,
                    mark: mark.map(|mark| (mark.at.0, mark.label.clone())),
                });
            }
        }
        controls
    }

    fn range(&mut self, path: &str, entry: &ControlEntry) -> Option<ControlRange> {
        match (&entry.slider, &entry.switch) {
            (Some(slider), None) => {
                if slider.min.0 >= slider.max.0 {
                    self.conflict(format!("{path}/slider"), "`min` must be below `max`");
                }
                if let Some(mark) = &slider.mark {
                    self.text(&format!("{path}/slider/mark/label"), &mark.label, LABEL_CHARS_MAX);
                }
                Some(ControlRange::Slider { min: slider.min.0, max: slider.max.0, step: slider.step.0 })
            }
            (None, Some(choices)) => {
                self.count(&format!("{path}/switch"), "positions", choices.len(), CHOICES_MAX);
                if choices.len() < 2 {
                    self.conflict(format!("{path}/switch"), "a switch needs at least two positions");
                }
                for (n, choice) in choices.iter().enumerate() {
                    self.text(&format!("{path}/switch/{n}/label"), &choice.label, LABEL_CHARS_MAX);
                }
                let positions = choices.iter().map(|choice| SwitchPosition {
                    value: choice.value.clone(),
                    label: choice.label.clone(),
                    set: choice.set.0.clone(),
                });
                Some(ControlRange::Switch(positions.collect()))
            }
            _ => {
                self.conflict(path, "a control is either a `slider` or a `switch`");
                None
            }
        }
    }

    pub(super) fn expect(&mut self, path: &str, table: &ExpectTable, file: &ScenarioFile) -> Expect {
        let seeds = table.seeds.map(|seeds| seeds.0 as u32);
        let mut expect = Expect { seeds, ..Expect::default() };
        for (judge, Expectation { some, details }) in &table.judges {
            let (judge, some) = (*judge, *some);
            if some && seeds.is_none() {
                self.conflict(
                    format!("{path}/{}", judge.name()),
                    "`some` needs `seeds` beside it: some of how many runs?",
                );
            }
            if details.kind.is_some() && judge != JudgeName::Progress {
                self.conflict(format!("{path}/{}/kind", judge.name()), "only `progress` has kinds");
            }
            if details.contact.is_some() && judge != JudgeName::StaleWrite {
                self.conflict(format!("{path}/{}/contact", judge.name()), "only `stale_write` asks for the contact");
            }
            let kind = details.kind.map(|word| word.0.name()).or(details.contact.map(|word| word.0.name()));
            expect.violated.push(Expected {
                judge,
                instances: details.instances.map(|count| count.0 as u32),
                kind: kind.map(str::to_owned),
                lasts_min: details.lasts_ms_min.map(|ms| Span::from_ms(ms.0 as u64)),
                some,
            });
        }
        for (entry, bound) in &table.cost {
            let path = format!("{path}/cost/{}", entry.name());
            expect.cost.push(self.cost(&path, *entry, bound, file));
        }
        expect
    }

    fn cost(&mut self, path: &str, entry: CostEntry, bound: &CostBound, file: &ScenarioFile) -> ExpectedCost {
        let CostBound { min, max, than, percent_min, percent_max } = bound;
        let own = min.is_some() || max.is_some();
        let compared = percent_min.is_some() || percent_max.is_some();
        if own == compared || compared != than.is_some() {
            let reason = "a bound has `min` or `max`, or, compared `than` another run, `percent_min` or `percent_max`";
            self.conflict(path, reason);
        }
        let than = than.as_ref().map(|name| name.0.clone());
        let variants = || file.variants.0.iter().map(|(name, _)| name.clone());
        if let Some(name) =
            than.as_ref().filter(|than| *than != ExpectedCost::BASE && !variants().any(|one| one == **than))
        {
            let known = std::iter::once(ExpectedCost::BASE.to_owned()).chain(variants()).collect();
            self.add(format!("{path}/than"), Reason::Unknown { what: "variant", name: name.clone(), known });
        }
        let least = min.map(|least| least.0).or(percent_min.map(|percent| percent.0));
        let most = max.map(|most| most.0).or(percent_max.map(|percent| percent.0));
        if least.is_some_and(|least| most.is_some_and(|most| least > most)) {
            self.conflict(path, "the least value is above the greatest");
        }
        let (min, max) = (least.map(|least| least as u64), most.map(|most| most as u64));
        ExpectedCost { entry, min, max, than, against: None }
    }
}
