//! Stretches of time on lanes: beliefs, truths, keys, sleep, downtime, overlaps.

use super::{Easel, Ink, Sitting, Tone};
use crate::vocabulary::Time;
use crate::web::diagram::chart::Chart;
use crate::web::diagram::frame::Area;
use crate::web::diagram::lanes::{CORE, KEY, Lane, SHELL};
use crate::web::stage::phrases;

/// Half the width of the hatch of sleep.
const SLEEP: f64 = 16.0;
/// How far the red hatch of an overlap reaches beyond a bar.
const HATCH: f64 = 7.0;

/// Bars of one kind on one lane, in order of their starts; those that touch on screen become one.
struct Merged<'a> {
    chart: &'a Chart,
    ink: &'a mut Ink,
    radius: f64,
    last: Option<Area>,
}

impl Merged<'_> {
    fn push(&mut self, area: Area) {
        match &mut self.last {
            Some(last) if area.from - last.to < 1.0 && area.to - last.from < 4.0 => last.to = last.to.max(area.to),
            Some(last) if area.from - last.to < 0.5 && area.to - area.from < 1.0 => last.to = last.to.max(area.to),
            last => {
                if let Some(done) = last.replace(area) {
                    self.ink.area(self.chart.frame.rect(visible(done)), self.radius);
                }
            }
        }
    }

    fn finish(self) {
        if let Some(last) = self.last {
            self.ink.area(self.chart.frame.rect(visible(last)), self.radius);
        }
    }
}

/// A bar of no length is drawn all the same.
fn visible(area: Area) -> Area {
    Area { to: area.to.max(area.from + 1.0), ..area }
}

/// Draws bars around the middle of a lane.
fn merge(easel: &Easel<'_>, bars: &[(Time, Option<Time>)], middle: f64, half: f64, radius: f64) -> Ink {
    let mut ink = Ink::default();
    let mut merged = Merged { chart: easel.from.chart, ink: &mut ink, radius, last: None };
    for (from, to) in bars {
        if let Some(area) = easel.area(*from, *to, middle - half, middle + half) {
            merged.push(area);
        }
    }
    merged.finish();
    ink
}

impl Easel<'_> {
    pub(super) fn draw_beliefs(&mut self) {
        let Sitting { chart, tracks, .. } = *self.from;
        for (ix, track) in tracks.clients.iter().enumerate() {
            let Some(lane) = chart.lane(track.node) else { continue };
            let beliefs: Vec<_> = track.beliefs.iter().map(|bar| (bar.from, bar.to)).collect();
            let truths: Vec<_> = track.truths.iter().map(|bar| (bar.from, bar.to)).collect();
            let shells = merge(self, &beliefs, lane.middle(), SHELL, 5.0);
            let cores = merge(self, &truths, lane.middle(), CORE, 2.0);
            let client = &mut self.picture.clients[ix];
            (client.shells, client.cores) = (shells, cores);
        }
    }

    pub(super) fn draw_keys(&mut self) {
        let Sitting { chart, setup, tracks, .. } = *self.from;
        // No server of an ensemble holds the lock: what a quorum has stored stands, whichever of them dies.
        let keeps = |lane: &&Lane| lane.client.is_none() && !lane.storage && setup.ensemble_of(lane.node).is_none();
        for (ix, track) in tracks.clients.iter().enumerate() {
            let mut ink = Ink::default();
            for lane in chart.lanes.iter().filter(keeps) {
                let own = tracks.keys.iter().filter(|key| key.node == lane.node && key.client == track.node);
                let bars: Vec<_> = own.map(|key| (key.from, key.to)).collect();
                ink.append(&merge(self, &bars, lane.middle(), KEY, 0.0));
            }
            self.picture.clients[ix].keys = ink;
        }
    }

    pub(super) fn draw_sleeps(&mut self) {
        let Sitting { chart, tracks, lang, .. } = *self.from;
        let lanes: Vec<Lane> = chart.lanes.clone();
        for lane in &lanes {
            let own: Vec<_> = tracks.sleeps.iter().filter(|sleep| sleep.node == lane.node).collect();
            let bars: Vec<_> = own.iter().map(|sleep| (sleep.from, sleep.to)).collect();
            let half = SLEEP.min((lane.far - lane.near) / 2.0 - 1.0);
            let ink = merge(self, &bars, lane.middle(), half, 0.0);
            self.picture.sleeps.append(&ink);
            for sleep in own.iter().take(40) {
                let along = chart.place(sleep.from);
                let length = sleep.to.map(|to| to.since(sleep.from).0);
                let place = self.beside(along, lane.near, lane.middle());
                if chart.sees(along, along) {
                    self.label(place, phrases::asleep(sleep.cause, length, lang), Tone::Strong);
                }
            }
        }
    }

    pub(super) fn draw_downs(&mut self) {
        let Sitting { chart, tracks, .. } = *self.from;
        for lane in &chart.lanes {
            let own = tracks.downs.iter().filter(|down| down.node == lane.node);
            let bars: Vec<_> = own.map(|down| (down.from, down.to)).collect();
            let half = (lane.far - lane.near) / 2.0 - 1.0;
            let ink = merge(self, &bars, lane.middle(), half, 0.0);
            self.picture.downs.append(&ink);
        }
    }

    /// A red wash over all lanes, and a hatch where the believers' bars are.
    pub(super) fn draw_overlaps(&mut self) {
        let Sitting { chart, judged, .. } = *self.from;
        let overlaps = judged.overlaps();
        let (near, far) = chart.across;
        let spans: Vec<_> = overlaps.iter().map(|overlap| (overlap.from, overlap.to)).collect();
        self.picture.washes = merge(self, &spans, f64::midpoint(near, far), (far - near) / 2.0, 0.0);
        for lane in chart.lanes.iter().filter(|lane| lane.client.is_some()) {
            let own = overlaps.iter().filter(|overlap| overlap.older == lane.node || overlap.newer == lane.node);
            let bars: Vec<_> = own.map(|overlap| (overlap.from, overlap.to)).collect();
            let out = if lane.before { HATCH / 2.0 + 1.0 } else { -HATCH / 2.0 - 1.0 };
            let ink = merge(self, &bars, lane.touch() + out, HATCH / 2.0, 0.0);
            self.picture.hatches.append(&ink);
        }
    }
}
