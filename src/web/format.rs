//! Numbers as the page shows them.

use crate::vocabulary::{Span, Time};

/// Between groups of three digits: a narrow space that does not break.
const GROUP: char = '\u{202f}';

/// A whole number with its digits in groups of three: `11 925`.
pub(crate) fn grouped(number: i64) -> String {
    let digits = number.unsigned_abs().to_string();
    let mut text = String::from(if number < 0 { "−" } else { "" });
    for (ix, digit) in digits.chars().enumerate() {
        if ix > 0 && (digits.len() - ix).is_multiple_of(3) {
            text.push(GROUP);
        }
        text.push(digit);
    }
    text
}

/// Milliseconds without a unit.
pub(crate) fn ms(time: Time) -> String {
    grouped(time.ms() as i64)
}

/// Milliseconds with their unit.
pub(crate) fn with_unit(span: Span) -> String {
    let mut text = grouped(span.ms() as i64);
    if span.0 < 1000 && span.0 != 0 {
        text = span.to_string();
    }
    text.push_str(" ms");
    text
}

/// A wall clock, from microseconds since the run's start at noon: `12:00:11.925`.
pub(crate) fn wall(us: i64) -> String {
    const DAY_MS: i64 = 24 * 3_600_000;
    let ms = (us.div_euclid(1000) + DAY_MS / 2).rem_euclid(DAY_MS);
    let two = |n: i64| [char::from(b'0' + (n / 10) as u8), char::from(b'0' + (n % 10) as u8)];
    let mut text = String::new();
    text.extend(two(ms / 3_600_000));
    text.push(':');
    text.extend(two(ms / 60_000 % 60));
    text.push(':');
    text.extend(two(ms / 1000 % 60));
    text.push('.');
    text.push(char::from(b'0' + (ms / 100 % 10) as u8));
    text.extend(two(ms % 100));
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_come_in_groups_of_three() {
        assert_eq!([7, 925, 11_925, -60_000].map(grouped), ["7", "925", "11\u{202f}925", "−60\u{202f}000"]);
        assert_eq!(with_unit(Span(250)), "0.25 ms");
        assert_eq!(with_unit(Span::from_ms(10_000)), "10\u{202f}000 ms");
    }

    #[test]
    fn clocks_start_at_noon_and_may_step_back() {
        assert_eq!(
            [0, 11_925_000, 60_250_000, -1_000].map(wall),
            ["12:00:00.000", "12:00:11.925", "12:01:00.250", "11:59:59.999"]
        );
    }
}
