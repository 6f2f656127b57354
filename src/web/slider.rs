//! The rail of a slider, drawn under the browser's own input: the part before the thumb in ink, marks where they matter.

use yew::prelude::*;

/// A place on the rail, in thousandths of its length.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Share(i64);

/// Something on the rail.
pub(crate) struct Mark<'a> {
    /// Where.
    pub(crate) at: Share,
    /// Whether it is a red flag; otherwise a line in ink.
    pub(crate) flag: bool,
    /// What stands below.
    pub(crate) label: Option<&'a str>,
}

impl Share {
    /// Where `value` stands between `min` and `max`.
    pub(crate) fn of(value: i64, min: i64, max: i64) -> Self {
        Self((value.clamp(min, max.max(min)) - min) * 1000 / (max - min).max(1))
    }

    fn text(self) -> String {
        format!("{}.{}%", self.0 / 10, self.0 % 10)
    }

    /// A label near an end stays inside.
    const fn anchor(self) -> &'static str {
        match self.0 {
            ..=150 => "start",
            850.. => "end",
            _ => "middle",
        }
    }
}

/// The rail with its marks.
pub(crate) fn rail<'a>(at: Share, marks: impl Iterator<Item = Mark<'a>>) -> Html {
    html! {
        <svg class="rail" aria-hidden="true">
            <line class="gone" x1="-8" y1="50%" x2={at.text()} y2="50%" />
            { for marks.map(|mark| mark.draw()) }
        </svg>
    }
}

impl Mark<'_> {
    fn draw(&self) -> Html {
        html! {
            <svg x={self.at.text()} width="1" height="100%" overflow="visible">
                if self.flag {
                    <path class="flag" d="M0 10V0h9L6.5 3.2 9 6.5H0" />
                } else {
                    <path class="line" d="M0 4v16" />
                }
                if let Some(label) = self.label { <text y="34" text-anchor={self.at.anchor()}>{ label }</text> }
            </svg>
        }
    }
}
