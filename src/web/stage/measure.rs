//! How numbers are written and how wide text will be.
//!
//! Drawings are laid out before a browser sees them, so widths are estimated: a little too wide rather than too
//! narrow.

use std::fmt::Write as _;

use crate::vocabulary::{Lang, Time};

/// How text is set.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Face {
    /// The system's proportional face.
    Sans,
    /// The same, semibold.
    Bold,
    /// The system's monospaced face.
    Mono,
}

/// About how wide `text` is at `size` pixels.
pub(crate) fn text_width(text: &str, size: f64, face: Face) -> f64 {
    let em: f64 = text.chars().map(|c| advance(c, face)).sum();
    em * size
}

fn advance(c: char, face: Face) -> f64 {
    if c >= '\u{1100}' {
        // Hangul, arrows and signs are about one em wide; thin spaces are not.
        return if ('\u{2000}'..='\u{206f}').contains(&c) { thin(c) } else { 1.0 };
    }
    match face {
        Face::Mono => 0.62,
        Face::Sans => sans(c),
        Face::Bold => sans(c) * 1.08,
    }
}

fn thin(c: char) -> f64 {
    match c {
        '\u{2009}' | '\u{202f}' | '\u{200a}' => 0.22,
        '\u{2014}' | '\u{2026}' => 1.0,
        _ => 0.5,
    }
}

fn sans(c: char) -> f64 {
    match c {
        'i' | 'j' | 'l' | '.' | ',' | ':' | ';' | '\'' | '|' | '!' => 0.30,
        ' ' | 'f' | 't' | 'r' | '(' | ')' | '-' | '/' => 0.38,
        'm' | 'w' | 'M' | 'W' | '%' => 0.88,
        'A'..='Z' | '+' | '=' | '<' | '>' | '≥' => 0.68,
        _ => 0.58,
    }
}

/// `text`, cut to fit into `width`.
pub(crate) fn fit(text: &str, width: f64, size: f64, face: Face) -> String {
    if text_width(text, size, face) <= width {
        return text.to_owned();
    }
    let mut rest = width - text_width("…", size, face);
    let mut cut = String::new();
    for c in text.chars() {
        rest -= advance(c, face) * size;
        if rest < 0.0 {
            break;
        }
        cut.push(c);
    }
    cut.truncate(cut.trim_end().len());
    cut.push('…');
    cut
}

/// A whole number with narrow spaces between thousands: `9 080`, `11 925`.
pub(crate) fn grouped(n: i64) -> String {
    let digits = n.unsigned_abs().to_string();
    let mut text = String::with_capacity(digits.len() + 6);
    if n < 0 {
        text.push('−');
    }
    for (ix, digit) in digits.chars().enumerate() {
        if ix > 0 && (digits.len() - ix).is_multiple_of(3) {
            text.push('\u{202f}');
        }
        text.push(digit);
    }
    text
}

/// Milliseconds with a fraction only where there is one: `11 925`, `0.25`.
pub(crate) fn millis(us: u64) -> String {
    let mut text = grouped((us / 1000) as i64);
    let rest = us % 1000;
    if rest != 0 {
        let _ = write!(text, ".{rest:03}");
        text.truncate(text.trim_end_matches('0').len());
    }
    text
}

/// An instant: `11 925 ms`. Fractions of what takes long are for the inspector.
pub(crate) fn instant(time: Time) -> String {
    let us = if time.0 < 10_000 { time.0 } else { (time.0 + 500) / 1000 * 1000 };
    format!("{}\u{a0}ms", millis(us))
}

/// Whole milliseconds that are left, rounded up so that 0 means over: `9 080`.
pub(crate) fn whole_ms(us: u64) -> String {
    grouped(us.div_ceil(1000) as i64)
}

/// A length in seconds, as speech has it: `11.4 s`.
pub(crate) fn seconds(us: u64, lang: Lang) -> String {
    let tenths = (us + 50_000) / 100_000;
    let unit = match lang {
        Lang::En => "\u{a0}s",
        Lang::Ko => "초",
    };
    if us < 100_000 {
        return format!("{}\u{a0}ms", millis(us));
    }
    if tenths.is_multiple_of(10) {
        return format!("{}{unit}", grouped((tenths / 10) as i64));
    }
    format!("{}.{}{unit}", grouped((tenths / 10) as i64), tenths % 10)
}

/// A clock's deviation: `+60 s`, `−3 ms`.
pub(crate) fn deviation(us: i64) -> String {
    let sign = if us < 0 { '−' } else { '+' };
    let size = us.unsigned_abs();
    if size >= 1_000_000 && size.is_multiple_of(100_000) {
        let tenths = size / 100_000;
        let part = if tenths.is_multiple_of(10) { String::new() } else { format!(".{}", tenths % 10) };
        return format!("{sign}{}{part}\u{a0}s", grouped((tenths / 10) as i64));
    }
    format!("{sign}{}\u{a0}ms", grouped((size / 1000) as i64))
}

/// A wall clock's face: 0 is noon, `12:00:11.925`.
pub(crate) fn wall(us: i64) -> String {
    let day_ms = 24 * 3_600_000;
    let ms = (us.div_euclid(1000) + day_ms / 2).rem_euclid(day_ms);
    format!("{:02}:{:02}:{:02}.{:03}", ms / 3_600_000, ms / 60_000 % 60, ms / 1000 % 60, ms % 1000)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_grouped() {
        assert_eq!([7, 9_080, 11_925].map(grouped), ["7", "9\u{202f}080", "11\u{202f}925"]);
        assert_eq!([10_005_000, 250].map(millis), ["10\u{202f}005", "0.25"]);
        assert_eq!(deviation(60_000_000), "+60\u{a0}s");
        assert_eq!(deviation(-1_500_000), "−1.5\u{a0}s");
        assert_eq!(seconds(11_400_000, Lang::En), "11.4\u{a0}s");
    }

    #[test]
    fn the_wall_clock_starts_at_noon_and_wraps() {
        assert_eq!(wall(11_925_000), "12:00:11.925");
        assert_eq!(wall(-60_000_000), "11:59:00.000");
        assert_eq!(wall(12 * 3_600_000_000), "00:00:00.000");
    }

    #[test]
    fn text_is_cut_to_its_room() {
        assert_eq!(fit("write 33", 100.0, 13.0, Face::Mono), "write 33");
        let cut = fit("SET lock 8f3c NX PX 10000", 100.0, 13.0, Face::Mono);
        assert!(cut.ends_with('…') && text_width(&cut, 13.0, Face::Mono) <= 100.0);
    }
}
