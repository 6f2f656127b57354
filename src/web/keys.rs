//! The keys of the page.

/// What a key asks for. What comes of it depends on what is selected.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Shortcut {
    /// Play or pause.
    Play,
    /// One step on.
    Step,
    /// One step back.
    Back,
    /// The next paragraph of the story.
    NextParagraph,
    /// The previous paragraph of the story.
    PreviousParagraph,
    /// The start of the run.
    Start,
    /// Its end.
    End,
    /// Slower.
    Slower,
    /// Faster.
    Faster,
    /// Select the n-th node, from 0.
    Node(u16),
    /// The menu of what is selected.
    Menu,
    /// The menu entry with this key.
    Verb(char),
    /// Take the last change back.
    Undo,
    /// Make it again.
    Redo,
    /// The next violation.
    Violation,
    /// Help.
    Help,
    /// Close whatever lies on top.
    Escape,
}

impl Shortcut {
    /// The shortcut of a key as browsers name it.
    pub(crate) fn of(key: &str, shift: bool) -> Option<Self> {
        Some(match key {
            " " => Self::Play,
            "ArrowRight" if shift => Self::NextParagraph,
            "ArrowLeft" if shift => Self::PreviousParagraph,
            "ArrowRight" => Self::Step,
            "ArrowLeft" => Self::Back,
            "Home" => Self::Start,
            "End" => Self::End,
            "[" => Self::Slower,
            "]" => Self::Faster,
            "Enter" => Self::Menu,
            "Escape" => Self::Escape,
            "?" => Self::Help,
            _ => {
                let mut chars = key.chars();
                let (Some(char), None) = (chars.next(), chars.next()) else { return None };
                match char.to_ascii_lowercase() {
                    digit @ '1'..='9' => Self::Node(digit as u16 - '1' as u16),
                    verb @ ('p' | 'c' | 'x' | 'l') => Self::Verb(verb),
                    'z' if shift => Self::Redo,
                    'z' => Self::Undo,
                    'v' => Self::Violation,
                    _ => return None,
                }
            }
        })
    }

    /// Whether a focused button uses this key itself.
    pub(crate) const fn presses_buttons(self) -> bool {
        matches!(self, Self::Play | Self::Menu)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shift_turns_steps_into_paragraphs_and_undo_into_redo() {
        assert_eq!(Shortcut::of("ArrowRight", false), Some(Shortcut::Step));
        assert_eq!(Shortcut::of("ArrowRight", true), Some(Shortcut::NextParagraph));
        assert_eq!(Shortcut::of("Z", true), Some(Shortcut::Redo));
        assert_eq!(Shortcut::of("z", false), Some(Shortcut::Undo));
    }

    #[test]
    fn digits_name_nodes_and_unknown_keys_nothing() {
        assert_eq!(Shortcut::of("3", false), Some(Shortcut::Node(2)));
        assert_eq!(Shortcut::of("F5", false), None);
        assert_eq!(Shortcut::of("0", false), None);
        assert_eq!(Shortcut::of("", false), None);
    }
}
