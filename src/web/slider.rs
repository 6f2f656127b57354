//! The rail of a slider, drawn under the browser's own input: the part before the thumb in ink, marks where they matter.

use yew::Html;

use super::element::Markup;

/// A place on the rail, in thousandths of its length.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Share(i64);

/// Something on the rail.
#[derive(Clone, Copy)]
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
    let rail = Markup::default()
        .draw("<svg class='rail' aria-hidden='true'><line class='gone' x1='-8' y1='50%' y2='50%' x2='");
    let rail = rail.draw(&at.text()).draw("'/>");
    marks.fold(rail, Mark::draw).close("svg").html()
}

impl Mark<'_> {
    fn draw(markup: Markup, mark: Self) -> Markup {
        let markup =
            markup.draw("<svg width='1' height='100%' overflow='visible' x='").draw(&mark.at.text()).draw("'>");
        let markup = markup.draw(if mark.flag {
            "<path class='flag' d='M0 10V0h9L6.5 3.2 9 6.5H0'/>"
        } else {
            "<path class='line' d='M0 4v16'/>"
        });
        let markup = match mark.label {
            Some(label) => {
                markup.draw("<text y='34' text-anchor='").draw(mark.at.anchor()).draw("'>").say(label).close("text")
            }
            None => markup,
        };
        markup.close("svg")
    }
}
