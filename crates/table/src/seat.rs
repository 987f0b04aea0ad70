//! Who sits at the table: [`Seat`], [`Called`] and [`Name`].

use serde::{Deserialize, Serialize};
use std::fmt;

/// One side of the table.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub enum Seat {
    /// Nobody yet: the game waits.
    Open,
    /// A person.
    Person {
        /// Which person: two seats with the same number are held by one person.
        who: Who,
        /// What they are called.
        name: Called,
    },
    /// The computer.
    Computer {
        /// How well it plays; the number means what the engine says it means.
        level: u8,
    },
}

impl Seat {
    /// The person who sits here, if a person does.
    pub fn person(&self) -> Option<Who> {
        match self {
            Seat::Person { who, .. } => Some(*who),
            Seat::Open | Seat::Computer { .. } => None,
        }
    }
}

/// A number for a person. It says nothing about them except whether two are the same.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Who(pub i64);

/// What a person is called: the name they gave, or which of the two players they are if they gave none. The words for that are found
/// where they are read, in the reader's language, so none are kept. Written as the name, or as 1 or 2.
///
/// ```
/// use table::Called;
/// let ana = Called::Name("Ana".parse()?);
/// assert_eq!(ana.name().map(|name| name.as_str()), Some("Ana"));
/// assert_eq!(Called::Second.name(), None);
/// # Ok::<(), table::NameError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(try_from = "Written", into = "Written")]
pub enum Called {
    /// By their name.
    Name(Name),
    /// As the first player: whoever began the game, or began it as Black.
    First,
    /// As the second player.
    Second,
}

/// How a name stands in a message or a log.
#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum Written {
    Name(String),
    Number(u8),
}

/// The text cannot be what a person is called.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
enum CalledError {
    #[error(transparent)]
    Name(#[from] NameError),
    #[error("a player without a name is number 1 or 2")]
    Number,
}

impl Called {
    /// The name, if one was given.
    pub fn name(&self) -> Option<&Name> {
        match self {
            Called::Name(name) => Some(name),
            Called::First | Called::Second => None,
        }
    }
}

impl TryFrom<Written> for Called {
    type Error = CalledError;
    fn try_from(written: Written) -> Result<Called, CalledError> {
        match written {
            Written::Name(text) => Ok(Called::Name(text.parse()?)),
            Written::Number(1) => Ok(Called::First),
            Written::Number(2) => Ok(Called::Second),
            Written::Number(_) => Err(CalledError::Number),
        }
    }
}

impl From<Called> for Written {
    fn from(called: Called) -> Written {
        match called {
            Called::Name(name) => Written::Name(name.into()),
            Called::First => Written::Number(1),
            Called::Second => Written::Number(2),
        }
    }
}

/// A player's name: 1 to 24 characters, none of them invisible, no space at either end.
///
/// ```
/// use table::Name;
/// let name: Name = " Ana María ".parse()?;
/// assert_eq!(name.as_str(), "Ana María");
/// assert!("".parse::<Name>().is_err());
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
}

impl std::str::FromStr for Name {
    type Err = NameError;

    /// Takes the spaces off both ends and makes one of several inside.
    fn from_str(text: &str) -> Result<Name, NameError> {
        let name = text.split_whitespace().collect::<Vec<_>>().join(" ");
        let visible = !name.chars().any(|c| c.is_control() || is_invisible(c));
        if visible && (1..=24).contains(&name.chars().count()) { Ok(Name(name)) } else { Err(NameError) }
    }
}

/// Marks that turn or hide the text around them; a name with one could pass for another name.
fn is_invisible(c: char) -> bool {
    matches!(c, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}')
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

    #[test]
    fn names_are_what_people_are_called() {
        for good in ["A", "Ana", "José  Ángel", "井上", "x y z", "abcdefghijklmnopqrstuvwx"] {
            assert!(good.parse::<Name>().is_ok(), "{good}");
        }
        assert_eq!("José  Ángel".parse::<Name>().unwrap().as_str(), "José Ángel");
        for bad in ["", "  ", "a\u{0}b", "\u{202e}evil", "abcdefghijklmnopqrstuvwxy"] {
            assert_eq!(bad.parse::<Name>(), Err(NameError), "{bad:?}");
        }
    }

    #[test]
    fn who_gave_no_name_is_a_number_on_paper() {
        let person = |name| Seat::Person { who: Who(7), name };
        for (called, written) in [
            (Called::Name("Ana".parse().unwrap()), r#"{"kind":"person","who":7,"name":"Ana"}"#),
            // A name may look like a number.
            (Called::Name("2".parse().unwrap()), r#"{"kind":"person","who":7,"name":"2"}"#),
            (Called::First, r#"{"kind":"person","who":7,"name":1}"#),
            (Called::Second, r#"{"kind":"person","who":7,"name":2}"#),
        ] {
            assert_eq!(serde_json::to_string(&person(called.clone())).unwrap(), written);
            assert_eq!(serde_json::from_str::<Seat>(written).unwrap(), person(called));
        }
        for bad in ["0", "3", "-1", "1.5", "null", "true", "\"\"", "[]"] {
            let written = format!(r#"{{"kind":"person","who":7,"name":{bad}}}"#);
            assert!(serde_json::from_str::<Seat>(&written).is_err(), "{bad}");
        }
    }
}
