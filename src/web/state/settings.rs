//! What the visitor prefers.

use crate::vocabulary::Lang;

/// What is remembered from one visit to the next.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Settings {
    /// The language.
    pub lang: Lang,
    /// Light or dark.
    pub theme: Theme,
    /// How fast it plays.
    pub speed: Speed,
}

/// Light or dark.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Theme {
    /// As the system says.
    #[default]
    System,
    /// Light.
    Light,
    /// Dark.
    Dark,
}

/// A speed, in quarters of the normal one.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Speed(u32);

/// How much larger the diagram is than the whole run on one page.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Zoom(u8);

impl Zoom {
    /// The whole run.
    pub(crate) const WHOLE: Self = Self(0);
    const MAX: u8 = 6;

    /// One step nearer, or further away; `None` at the end.
    pub(crate) fn moved(self, nearer: bool) -> Option<Self> {
        let zoom = if nearer { self.0.checked_add(1) } else { self.0.checked_sub(1) };
        zoom.filter(|zoom| *zoom <= Self::MAX).map(Self)
    }

    /// As a factor: each step is half as large again.
    pub(crate) fn factor(self) -> f64 {
        1.5_f64.powi(i32::from(self.0))
    }
}

impl Theme {
    pub(super) const fn next(self) -> Self {
        match self {
            Self::System => Self::Light,
            Self::Light => Self::Dark,
            Self::Dark => Self::System,
        }
    }

    /// The value of `data-theme`; the system's choice has none.
    pub const fn name(self) -> Option<&'static str> {
        match self {
            Self::System => None,
            Self::Light => Some("light"),
            Self::Dark => Some("dark"),
        }
    }

    /// Reads what [`name`](Self::name) wrote.
    pub fn from_name(name: &str) -> Self {
        match name {
            "light" => Self::Light,
            "dark" => Self::Dark,
            _ => Self::System,
        }
    }
}

impl Speed {
    /// How much of the film passes in so many microseconds of real time.
    pub(super) fn film(self, us: u64) -> u64 {
        us * u64::from(self.0) / 4
    }

    /// The normal speed.
    pub const NORMAL: Self = Self(4);
    /// Every speed, from slow to fast.
    pub const ALL: [Self; 6] = [Self(1), Self(2), Self::NORMAL, Self(8), Self(16), Self(32)];

    pub(super) fn moved(self, by: i32) -> Self {
        let ix = Self::ALL.iter().position(|one| *one == self).unwrap_or(2) as i32;
        Self::ALL[(ix + by).clamp(0, Self::ALL.len() as i32 - 1) as usize]
    }

    /// As it is written: `½×`.
    pub const fn label(self) -> &'static str {
        match self.0 {
            1 => "¼×",
            2 => "½×",
            8 => "2×",
            16 => "4×",
            32 => "8×",
            _ => "1×",
        }
    }

    /// Reads what [`label`](Self::label) wrote.
    pub fn from_label(label: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|one| one.label() == label)
    }
}
