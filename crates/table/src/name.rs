//! What a person may be called: [`Name`].
//!
//! Two names that look the same are the same, and nobody's name reaches into the text around it: accents and letters are joined
//! (NFC, <https://unicode.org/reports/tr15/>), nothing in it is invisible, and marks do not pile up.

use serde::{Deserialize, Serialize};
use std::{fmt, str::FromStr};
use unicode_normalization::{UnicodeNormalization, char::is_combining_mark};

/// The longest name, in characters.
const LONGEST: usize = 24;
/// How many marks one letter may carry; no living script needs more.
const MOST_MARKS: usize = 3;

/// A player's name: 1 to 24 characters, none of them invisible, no space at either end.
///
/// ```
/// use table::Name;
/// let name: Name = " Ana Mari\u{301}a ".parse()?;
/// assert_eq!(name.as_str(), "Ana María");
/// assert!("".parse::<Name>().is_err());
/// assert!("\u{3164}".parse::<Name>().is_err(), "a letter that nobody sees");
/// assert!("x".repeat(25).parse::<Name>().is_err());
/// # Ok::<(), table::NameError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Name(String);

/// The text cannot be a name.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("a name has 1 to 24 visible characters")]
pub struct NameError;

impl Name {
    /// The name as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// A name that was kept when more was allowed: whatever nobody may choose any more is left out of it.
    pub(crate) fn repaired(text: &str) -> Name {
        if let Ok(name) = text.parse() {
            return name;
        }
        let mut marks = 0;
        let allowed = text.nfc().filter(|&c| {
            marks = if is_combining_mark(c) { marks + 1 } else { 0 };
            // A tab or the end of a line is a space like any other.
            marks <= MOST_MARKS && (c.is_whitespace() || (!c.is_control() && !is_invisible(c)))
        });
        let joined = tidy(&allowed.collect::<String>());
        // Leaving something out can bring a mark to the beginning, or a letter and a mark together.
        let start = joined.trim_start_matches(|c: char| is_combining_mark(c) || c == ' ');
        match tidy(&start.chars().take(LONGEST).collect::<String>()).parse() {
            Ok(name) => name,
            Err(NameError) => Name("?".to_owned()),
        }
    }
}

impl FromStr for Name {
    type Err = NameError;

    /// Takes the spaces off both ends and makes one of several inside.
    fn from_str(text: &str) -> Result<Name, NameError> {
        let name = tidy(text);
        let visible = !name.chars().any(|c| c.is_control() || is_invisible(c));
        let short = (1..=LONGEST).contains(&name.chars().count());
        if visible && short && !is_stacked(&name) { Ok(Name(name)) } else { Err(NameError) }
    }
}

/// Joined, with single spaces, and without the selectors that only ask for another drawing of a character.
fn tidy(text: &str) -> String {
    let drawn: String = text.chars().filter(|c| !matches!(c, '\u{fe00}'..='\u{fe0f}')).nfc().collect();
    drawn.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Whether a mark has no letter to stand on, or too many stand on one.
fn is_stacked(name: &str) -> bool {
    let mut marks = MOST_MARKS; // none may come first
    name.chars().any(|c| {
        marks = match (is_combining_mark(c), c) {
            (true, _) => marks + 1,
            (false, ' ') => MOST_MARKS,
            (false, _) => 0,
        };
        marks > MOST_MARKS
    })
}

/// Characters that are not seen, or turn or hide the text around them: a name with one could pass for another name. They are those that
/// Unicode calls default ignorable, separators of lines, the empty braille pattern, and those without a meaning of their own.
fn is_invisible(c: char) -> bool {
    matches!(c,
        '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}' | '\u{180b}'..='\u{180f}'
        | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{2800}' | '\u{3164}'
        | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{ffa0}' | '\u{fff0}'..='\u{fffb}' | '\u{1bca0}'..='\u{1bca3}'
        | '\u{1d173}'..='\u{1d17a}' | '\u{e000}'..='\u{f8ff}' | '\u{e0000}'..='\u{10ffff}')
        || u32::from(c) & 0xfffe == 0xfffe
}

impl TryFrom<String> for Name {
    type Error = NameError;
    fn try_from(text: String) -> Result<Name, NameError> {
        text.parse()
    }
}

impl From<Name> for String {
    fn from(name: Name) -> String {
        name.0
    }
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn names_are_what_people_are_called() {
        for good in [
            "A",
            "Ana",
            "José  Ángel",
            "井上",
            "x y z",
            "abcdefghijklmnopqrstuvwx",
            "Nguyễn Thị Ánh",
            "שָׁלוֹם",
            "กั้ง",
            "हिन्दी",
            "O’Neil",
            "Ana ❤",
        ] {
            assert!(good.parse::<Name>().is_ok(), "{good}");
        }
        assert_eq!("José  Ángel".parse::<Name>().unwrap().as_str(), "José Ángel");
        assert_eq!("❤\u{fe0f}".parse::<Name>().unwrap().as_str(), "❤");
        for bad in ["", "  ", "a\u{0}b", "\u{202e}evil", "abcdefghijklmnopqrstuvwxy"] {
            assert_eq!(bad.parse::<Name>(), Err(NameError), "{bad:?}");
        }
    }

    #[test]
    fn what_is_not_seen_or_piles_up_is_no_name() {
        for unseen in
            "\u{3164}\u{115f}\u{ad}\u{2800}\u{180e}\u{61c}\u{e0041}\u{200d}\u{feff}\u{ffa0}\u{34f}\u{e000}".chars()
        {
            assert!(unseen.to_string().parse::<Name>().is_err(), "{unseen:?}");
            assert!(format!("An{unseen}a").parse::<Name>().is_err(), "{unseen:?}");
        }
        let piled = |marks: usize| format!("q{}", "\u{335}".repeat(marks));
        assert!(piled(3).parse::<Name>().is_ok());
        assert!(piled(4).parse::<Name>().is_err());
        assert!(piled(23).parse::<Name>().is_err());
        assert!("\u{301}Ana".parse::<Name>().is_err(), "it would stand on what is before the name");
        assert!("Ana \u{301}".parse::<Name>().is_err());
    }

    #[test]
    fn what_was_kept_with_a_tab_in_it_reads_as_when_it_was_chosen() {
        for space in ['\t', '\n', '\u{a0}', '\u{2028}'] {
            let text = format!("Ana{space}Luz");
            assert_eq!(
                (Name::repaired(&text), text.parse::<Name>().unwrap().as_str()),
                ("Ana Luz".parse().unwrap(), "Ana Luz")
            );
        }
    }

    #[test]
    fn what_is_good_needs_no_repair() {
        // A selector between marks is none of them, though Unicode calls it one.
        let text = "\u{958}\u{301}\u{fe0f}\u{301}";
        assert_eq!(Name::repaired(text), text.parse().unwrap());
    }

    #[test]
    fn however_it_is_typed_it_is_the_same_name() {
        let [one, other] = ["Jos\u{e9}", "Jose\u{301}"].map(|name| name.parse::<Name>().unwrap());
        assert_eq!(one, other);
        let [one, other] = ["\u{212b}sa", "\u{c5}sa"].map(|name| name.parse::<Name>().unwrap());
        assert_eq!(one, other);
    }

    /// Text with more than its share of what makes trouble.
    fn text() -> impl Strategy<Value = String> {
        let trouble = prop::sample::select(
            "aé ñ井\u{301}\u{300}\u{335}\u{3164}\u{ad}\u{200d}\u{fe0f}\u{e0041}\u{a0}\u{958}\u{1d15e}\u{0}"
                .chars()
                .collect::<Vec<char>>(),
        );
        prop::collection::vec(prop_oneof![3 => trouble, 1 => any::<char>()], 0..40)
            .prop_map(|chars| chars.into_iter().collect())
    }

    proptest! {
        #[test]
        fn a_name_is_seen_joined_short_and_the_same_when_read_again(text in text()) {
            if let Ok(name) = text.parse::<Name>() {
                prop_assert_eq!(&name.as_str().parse::<Name>(), &Ok(name.clone()));
                prop_assert_eq!(name.as_str().nfc().collect::<String>(), name.as_str());
                prop_assert!(!name.as_str().chars().any(|c| is_invisible(c) || c.is_control()));
                prop_assert!((1..=LONGEST).contains(&name.as_str().chars().count()));
                prop_assert_eq!(Name::repaired(&text), name, "what is good needs no repair");
            }
        }

        #[test]
        fn whatever_was_kept_is_read_as_a_name(text in text()) {
            let name = Name::repaired(&text);
            prop_assert_eq!(name.as_str().parse::<Name>(), Ok(name.clone()));
            prop_assert_eq!(Name::repaired(name.as_str()), name);
        }
    }
}
