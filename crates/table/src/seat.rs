//! Who sits at the table: [`Seat`] and [`Called`].

use crate::PersonId;
use crate::{Name, NameError};
use serde::{Deserialize, Deserializer, Serialize};

/// One side of the table.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub enum Seat {
    /// Nobody yet: the game waits.
    Open,
    /// A person.
    Person {
        /// Which person: two seats with the same number are held by one person.
        who: PersonId,
        /// What they are called.
        #[serde(deserialize_with = "kept")]
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
    pub fn person(&self) -> Option<PersonId> {
        match self {
            Seat::Person { who, .. } => Some(*who),
            Seat::Open | Seat::Computer { .. } => None,
        }
    }
}

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

/// Reads what a person is called from a log, where it must be read whatever an older version allowed.
pub(crate) fn kept<'de, D: Deserializer<'de>>(from: D) -> Result<Called, D::Error> {
    match Written::deserialize(from)? {
        Written::Name(text) => Ok(Called::Name(Name::repaired(&text))),
        number @ Written::Number(_) => number.try_into().map_err(serde::de::Error::custom),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_gave_no_name_is_a_number_on_paper() {
        let person = |name| Seat::Person { who: PersonId(7), name };
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
        for bad in ["0", "3", "-1", "1.5", "null", "true", "[]"] {
            let written = format!(r#"{{"kind":"person","who":7,"name":{bad}}}"#);
            assert!(serde_json::from_str::<Seat>(&written).is_err(), "{bad}");
        }
    }

    #[test]
    fn a_name_that_nobody_may_choose_any_more_is_still_read_from_a_log() {
        for (written, read) in [
            ("\u{3164}", "?"),
            ("", "?"),
            ("A\u{ad}na", "Ana"),
            ("Jose\u{301}", "José"),
            ("o\u{300}\u{300}\u{300}\u{300}\u{300}", "ò\u{300}\u{300}\u{300}"),
        ] {
            let seat = serde_json::json!({"kind": "person", "who": 7, "name": written});
            let called = Called::Name(read.parse().unwrap());
            assert_eq!(serde_json::from_value::<Seat>(seat).unwrap(), Seat::Person { who: PersonId(7), name: called });
            // Nobody sits down with one.
            let chosen = serde_json::from_value::<Called>(serde_json::json!(written));
            assert_eq!(chosen.is_ok(), written == "Jose\u{301}", "{written:?}");
        }
    }
}
