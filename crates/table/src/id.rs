//! Names for things that are counted or looked up: [`GameId`], [`CommandId`], [`DocumentId`], [`PersonId`], [`Seq`], [`Ply`].
//!
//! Each is a type of its own, so that none is taken for another.

use serde::{Deserialize, Serialize};
use std::{fmt, sync::Arc};

/// The longest id, in bytes.
const LONGEST: usize = 64;

/// Why a text is no id.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("an id has 1 to 64 characters and no control characters")]
pub struct IdError;

/// Says what an id is in TypeScript.
macro_rules! declared_as {
    ($name:ident, $type:literal) => {
        #[cfg(feature = "ts")]
        impl ts_rs::TS for $name {
            type WithoutGenerics = $name;
            type OptionInnerType = $name;

            fn name(_: &ts_rs::Config) -> String {
                $type.to_owned()
            }

            fn inline(config: &ts_rs::Config) -> String {
                Self::name(config)
            }
        }
    };
}

/// A text that names something: short, never empty, without control characters (which databases do not keep, and logs should not).
macro_rules! text_id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
        #[serde(try_from = "String", into = "String")]
        pub struct $name(Arc<str>);

        impl $name {
            /// The id as text.
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl std::str::FromStr for $name {
            type Err = IdError;

            fn from_str(text: &str) -> Result<$name, IdError> {
                let fits = !text.is_empty() && text.len() <= LONGEST && !text.contains(char::is_control);
                if fits { Ok($name(text.into())) } else { Err(IdError) }
            }
        }

        impl TryFrom<String> for $name {
            type Error = IdError;

            fn try_from(text: String) -> Result<$name, IdError> {
                text.parse()
            }
        }

        impl From<$name> for String {
            fn from(id: $name) -> String {
                id.as_str().to_owned()
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }

        declared_as!($name, "string");
    };
}

text_id! {
    /// A game's id. Whoever knows it may watch the game.
    ///
    /// ```
    /// use table::GameId;
    /// let game: GameId = "x8k2m0q4r7st".parse()?;
    /// assert_eq!(game.as_str(), "x8k2m0q4r7st");
    /// assert!("".parse::<GameId>().is_err());
    /// assert!("a\0b".parse::<GameId>().is_err());
    /// # Ok::<(), table::IdError>(())
    /// ```
    GameId
}

text_id! {
    /// A command's id, chosen by whoever sends it. The same id from the same person is the same command, however often it comes.
    CommandId
}

text_id! {
    /// The id of something that a person keeps beside their games, such as a study.
    DocumentId
}

/// The number of an entry in a game's log: 1 is the first, 0 stands before it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Seq(pub u64);

declared_as!(Seq, "number");
declared_as!(Ply, "number");

impl Seq {
    /// The number after this one.
    #[must_use]
    pub fn next(self) -> Seq {
        Seq(self.0 + 1)
    }
}

/// A number for a person. It says nothing about them except whether two are the same.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(transparent)]
pub struct PersonId(pub i64);

/// How many moves stand: sent with a move, so that a second click on an old position changes nothing.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Ply(pub u8);

impl fmt::Display for Ply {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}
