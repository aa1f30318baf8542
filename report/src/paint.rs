//! Colours of the terminal, or none.

/// What a piece of text is, not which colour it has.
#[derive(Debug, Clone, Copy)]
pub enum Ink {
    Headline,
    Place,
    Label,
    Marker,
    Advice,
}

#[derive(Debug, Clone, Copy)]
pub struct Paint {
    pub color: bool,
}

impl Paint {
    pub fn with(self, ink: Ink, text: &str) -> String {
        // ECMA-48 "select graphic rendition".
        let code = match ink {
            Ink::Headline => "1;31",
            Ink::Place => "1",
            Ink::Label => "2",
            Ink::Marker => "31",
            Ink::Advice => "32",
        };
        if self.color {
            format!("\x1b[{code}m{text}\x1b[0m")
        } else {
            text.to_owned()
        }
    }
}

/// Names come from the program: one that holds control characters must not move the reader's cursor.
pub fn clean(text: &str) -> String {
    if !text.chars().any(char::is_control) {
        return text.to_owned();
    }
    text.chars()
        .map(|c| {
            if c.is_control() {
                c.escape_default().to_string()
            } else {
                c.to_string()
            }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_characters_are_shown_not_sent() {
        assert_eq!(clean("Thread-0"), "Thread-0");
        assert_eq!(clean("evil\x1b[2J\nname"), "evil\\u{1b}[2J\\nname");
    }

    #[test]
    fn colour_only_if_asked() {
        assert_eq!(Paint { color: false }.with(Ink::Headline, "race"), "race");
        assert_eq!(
            Paint { color: true }.with(Ink::Headline, "race"),
            "\x1b[1;31mrace\x1b[0m"
        );
    }
}
