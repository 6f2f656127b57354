//! Packets as slanted lines: one path a client, however many there are.

use super::{Easel, Sitting, Tone};
use crate::views::narration::packet_label;
use crate::vocabulary::MessageKind;
use crate::web::diagram::frame::Frame;
use crate::web::diagram::tracks::{Flight, Outcome};
use crate::web::scene::Turn;
use crate::web::stage::measure::{Face, text_width};
use crate::web::stage::shape::{Point, at};
use crate::world::{Message, RedisReply};

/// With more packets than this in view, they get no heads and no words.
const HEADS_MOST: usize = 400;
/// With more than this, those that would cover each other are drawn once.
const LINES_MOST: usize = 800;
/// Packets whose lines start within so many pixels cover each other.
const COLUMN: f64 = 1.5;
/// The same for packets that only repeat: a few of them are enough.
const DULL_COLUMN: f64 = 4.0;

/// Where the last line between two lanes was drawn, to skip what it covers.
struct Column {
    from: f64,
    to: f64,
    start: f64,
}

impl Easel<'_> {
    pub(super) fn draw_flights(&mut self) {
        let Sitting { chart, setup, tracks, .. } = *self.from;
        let place = |flight: &Flight| {
            setup
                .clients
                .iter()
                .position(|client| client.node == flight.packet.from)
                .or_else(|| setup.clients.iter().position(|client| client.node == flight.packet.to))
        };
        let seen = |flight: &&Flight| {
            let stop = flight.end.map_or(tracks.end(), |(at, _)| at);
            chart.sees(chart.place(flight.packet.sent), chart.place(stop))
        };
        let flights: Vec<_> = tracks.flights.iter().filter(seen).collect();
        let (heads, all) = (flights.len() <= HEADS_MOST, flights.len() <= LINES_MOST);
        let mut columns: Vec<Column> = Vec::new();
        for flight in flights {
            let (Some(client), Some((from, to))) = (place(flight), chart.line(flight, tracks.end())) else { continue };
            let dull = !chart.zoomed() && tracks.dull.get(flight.sent_in.ix()) == Some(&true);
            let column = if dull { DULL_COLUMN } else { COLUMN };
            if (dull || !all) && covered(&mut columns, (from, to), column, chart.frame) {
                continue;
            }
            let ink = &mut self.picture.clients[client];
            // A crowd of lines would hide the bars: it is drawn as pale as repetition.
            if dull || !all {
                ink.dull.line(from, to);
            } else {
                ink.lines.line(from, to);
            }
            if dull {
                continue;
            }
            match flight.outcome {
                Outcome::Dropped | Outcome::Nobody => self.picture.lost.cross(to, 4.0),
                Outcome::Refused => self.picture.refused.push(to),
                Outcome::Delivered if heads => ink.heads.head(from, to),
                Outcome::Delivered | Outcome::Flying => {}
            }
            if heads {
                self.label_flight(flight, client, from, to);
            }
        }
        self.picture.refused.truncate(200);
    }

    /// Words at the packets that change something: grants with tokens, and writes.
    fn label_flight(&mut self, flight: &Flight, client: usize, from: Point, to: Point) {
        let Sitting { chart, setup, .. } = *self.from;
        let message = flight.message();
        let text = match message {
            Message::RedisReply { reply: RedisReply::Int(n), .. } if self.brought_token(flight, *n) => n.to_string(),
            _ if message.kind() == MessageKind::Write => packet_label(setup, message),
            _ => return,
        };
        let w = text_width(&text, 12.0, Face::Bold);
        let middle = at(f64::midpoint(from.x, to.x), f64::midpoint(from.y, to.y));
        let rises = to.y < from.y;
        let place = match chart.frame.turn {
            Turn::Along if rises => at(middle.x - w - 7.0, middle.y),
            Turn::Along => at(middle.x + 7.0, middle.y + 2.0),
            Turn::Upright => at(middle.x - w / 2.0, middle.y - 5.0),
        };
        self.label(place, text, Tone::Client(client));
    }

    /// Whether a number that a lock node answered is the token of a grant made just then.
    fn brought_token(&self, flight: &Flight, n: i64) -> bool {
        let packet = &flight.packet;
        let client = self.from.tracks.client(packet.to);
        client.is_some_and(|track| {
            track.beliefs.iter().any(|bar| {
                bar.token.is_some_and(|token| token.0 as i64 == n) && flight.end.is_some_and(|(at, _)| bar.from >= at)
            }) && track.truths.iter().any(|bar| bar.token.is_some_and(|token| token.0 as i64 == n))
        })
    }
}

/// Whether a line is covered by one already drawn between the same lanes; notes it if not.
fn covered(columns: &mut Vec<Column>, (from, to): (Point, Point), width: f64, frame: Frame) -> bool {
    let (near, far, start) = (frame.across(from), frame.across(to), frame.along(from));
    let same = |column: &&mut Column| (column.from - near).abs() < 0.1 && (column.to - far).abs() < 0.1;
    if let Some(column) = columns.iter_mut().find(same) {
        let hidden = start - column.start < width;
        if !hidden {
            column.start = start;
        }
        return hidden;
    }
    columns.push(Column { from: near, to: far, start });
    false
}
