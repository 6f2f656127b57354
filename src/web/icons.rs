//! Icons and badges: small drawings, all of them strokes or fills in the text's colour.

use super::moves::Verb;
use crate::verdicts::Verdict;

/// An icon of one path on a grid of 16×16.
macro_rules! icon {
    ($path:literal) => {
        concat!("<svg class=\"ic\" viewBox=\"0 0 16 16\" aria-hidden=\"true\"><path d=\"", $path, "\"/></svg>")
    };
}

/// A badge: the class with its colours, and its shapes around the middle.
macro_rules! badge {
    ($class:literal, $shape:literal) => {
        concat!("<svg class=\"badge ", $class, "\" viewBox=\"-13 -13 26 26\" aria-hidden=\"true\">", $shape, "</svg>")
    };
}

/// An icon on a grid of 16×16.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Icon {
    Back,
    Chevron,
    Clock,
    Close,
    Compare,
    Cut,
    Deliver,
    Drift,
    Flag,
    Heal,
    Help,
    Hold,
    Later,
    List,
    Menu,
    Lost,
    Minus,
    Pause,
    Play,
    Plus,
    Power,
    Redo,
    Start,
    Step,
    Theme,
    Twice,
    Undo,
}

impl Icon {
    /// The drawing, which screen readers skip.
    pub(crate) const fn drawing(self) -> &'static str {
        match self {
            Self::Back => icon!("M11.5 3.5 5.5 8l6 4.5zM3.5 3.5v9"),
            Self::Chevron => icon!("m4 6 4 4 4-4"),
            Self::Clock => icon!("M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12zM8 5v3.2l2 1.5"),
            Self::Close => icon!("m4 4 8 8m0-8-8 8"),
            Self::Compare => icon!("M2.5 3h4.7v10H2.5zM8.8 3h4.7v10H8.8z"),
            Self::Cut => icon!("M2 8h3.6m4.8 0H14M9.6 4 6.4 12"),
            Self::Deliver => icon!("M8 2.5v7M5 7l3 3 3-3M3 13.5h10"),
            Self::Drift => icon!("M2 10c2-6 4-6 6-2s4 4 6-2"),
            Self::Flag => icon!("M4.5 14V2.5h7.8L10.5 5.6l1.8 3.1H4.5"),
            Self::Heal => icon!("M2 8h12M5 5v6m6-6v6"),
            Self::Help => icon!("M6 6a2 2 0 1 1 3.2 1.6C8.4 8.2 8 8.6 8 9.6M8 12.4v.1"),
            Self::Hold => icon!("M8 13.5v-7M5 8.8 8 6l3 2.8M3 2.5h10"),
            Self::Later => icon!("M2 8h8m0 0L7.5 5.5M10 8l-2.5 2.5M13.5 4v8"),
            Self::List => icon!("M6 4h7.5M6 8h7.5M6 12h7.5M2.8 4h.1m-.1 4h.1m-.1 4h.1"),
            Self::Menu => icon!("M2.5 4.5h11m-11 3.5h11m-11 3.5h11"),
            Self::Lost => icon!("M2 4.5h9v7H2zM2 5l4.5 3.5L11 5m1.5 4.5 2.5 2.5m0-2.5L12.5 12"),
            Self::Pause => icon!("M5.2 3.5v9m5.6-9v9"),
            Self::Play => icon!("m5 3.5 7.5 4.5L5 12.5z"),
            Self::Plus => icon!("M8 3.5v9M3.5 8h9"),
            Self::Minus => icon!("M3.5 8h9"),
            Self::Power => icon!("M8 2v5.5M4.7 4.2a5.3 5.3 0 1 0 6.6 0"),
            Self::Redo => icon!("M13 6.5H6.3a3.2 3.2 0 0 0 0 6.5H9M13 6.5 10 3.5m3 3-3 3"),
            Self::Start => icon!("M12.5 3.5 7 8l5.5 4.5zM3.5 3.5v9"),
            Self::Step => icon!("m4.5 3.5 6 4.5-6 4.5zM12.5 3.5v9"),
            Self::Theme => icon!("M13.5 9.4A5.8 5.8 0 1 1 6.6 2.5a4.6 4.6 0 0 0 6.9 6.9z"),
            Self::Twice => icon!("M5 6h9v6.5H5zM2.5 9.5v-6h9"),
            Self::Undo => icon!("M3 6.5h6.7a3.2 3.2 0 0 1 0 6.5H7M3 6.5l3-3m-3 3 3 3"),
        }
    }

    /// The icon of a menu entry.
    pub(crate) const fn of_verb(verb: Verb) -> Self {
        match verb {
            Verb::Pause | Verb::Suspend => Self::Pause,
            Verb::Resume | Verb::Wake => Self::Play,
            Verb::ClockJump => Self::Clock,
            Verb::ClockRate => Self::Drift,
            Verb::Crash | Verb::PowerLoss | Verb::Restart => Self::Power,
            Verb::Cut | Verb::CutOff | Verb::Reset => Self::Cut,
            Verb::Heal | Verb::Rejoin => Self::Heal,
            Verb::Hold => Self::Hold,
            Verb::DeliverNow => Self::Deliver,
            Verb::Delay => Self::Later,
            Verb::Lose => Self::Lost,
            Verb::Resend => Self::Twice,
        }
    }
}

/// How something stands: always a shape and a colour, and a word beside it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Badge {
    /// Kept: a disc with a tick.
    Ok,
    /// In danger: a triangle.
    Risk,
    /// Broken: an octagon with a cross.
    Bad,
    /// Not decided: a dashed ring.
    Pending,
    /// Refused or lost, which breaks no promise: a disc with a bar, in ink.
    Stop,
}

impl Badge {
    /// The badge of a verdict.
    pub(crate) const fn of(verdict: &Verdict) -> Self {
        match verdict {
            Verdict::Holds => Self::Ok,
            Verdict::Pending { .. } => Self::Pending,
            Verdict::Violated { .. } => Self::Bad,
        }
    }

    /// The class that sets its colours.
    pub(crate) const fn class(self) -> &'static str {
        match self {
            Self::Ok => "ok",
            Self::Risk => "risk",
            Self::Bad => "bad",
            Self::Pending => "mute",
            Self::Stop => "plain",
        }
    }

    /// The drawing, which screen readers skip.
    pub(crate) const fn drawing(self) -> &'static str {
        match self {
            Self::Ok => badge!("ok", "<circle r='11' class='bg'/><path d='m-4.8.2 3.2 3.4L4.9-3.6' class='fg'/>"),
            Self::Risk => {
                badge!("risk", "<path d='M0-10 11 9h-22z' class='bg'/><path d='M0-3.2v5M0 5.3v.1' class='fg'/>")
            }
            Self::Bad => badge!(
                "bad",
                "<path d='M-4.6-11h9.2L11-4.6v9.2L4.6 11h-9.2L-11 4.6v-9.2z' class='bg'/>\
                <path d='m-3.8-3.8 7.6 7.6m0-7.6-7.6 7.6' class='fg'/>"
            ),
            Self::Pending => badge!(
                "mute",
                "<circle r='10' class='ring' stroke-dasharray='3.2 3.083'/><path d='M-4 0h.1M0 0h.1M4 0h.1' class='ring'/>"
            ),
            Self::Stop => badge!("plain", "<circle r='11' class='bg'/><path d='M-5 0H5' class='fg thick'/>"),
        }
    }
}

/// The mark of Lockstep, two bars, one a step behind the other, with its name.
pub(crate) const LOGO: &str = "<span class='logo'><svg viewBox='0 0 26 20' aria-hidden='true'>\
    <rect x='1' y='1.5' width='18' height='9' rx='3' class='back'/>\
    <rect x='7' y='9.5' width='18' height='9' rx='3' class='front'/></svg><b>Lockstep</b></span>";
