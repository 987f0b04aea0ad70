//! Many games in one file: added without doubles, found by position up to symmetry, player, tournament, year and result.
//!
//! [`Library`] is the file, `library.sqlite` in the data folder: it adds, removes and gives back whole games. [`Catalogue`] is
//! what searching needs of all of them, packed in memory; it is pure, and [`Catalogue::find`] answers everything that is
//! asked of many games at once.
//!
//! ```
//! use library::{Library, Query};
//! use record::Record;
//! use rules::{Position, Square};
//!
//! let folder = tempfile::tempdir()?;
//! let mut library = Library::open(folder.path())?;
//! let game = Record::from_moves([Square::F5, Square::D6, Square::C3])?;
//! let turned = Record::from_moves([Square::D3, Square::C5])?;
//! assert_eq!(library.add(&[game.clone(), turned], "an example")?.added, 2);
//! assert_eq!(library.add(&[game], "another")?.already_there, 1);
//!
//! let after_f5 = Position::start().play(Square::F5)?.after;
//! let found = library.catalogue()?.find(&Query { position: Some(after_f5), ..Query::default() });
//! // d3 c5 is f5 d6 seen from another side
//! assert_eq!((found.count.games, found.next[0].square, found.next[0].count.games), (2, Square::D6, 2));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # What is the same game
//!
//! A game is already there if one has the same moves from the same start, seen from whichever side, between players of the same
//! names (capitals, accents and spaces apart), in the same year. A name that is not known, or only as a number such as `#7`, may be
//! anybody's, and a year that is not known any: the game gets the better names, and the day. Tournament, round and day are not compared: two sources of one game seldom write
//! them alike. A game is not the same as its beginning.

#![forbid(unsafe_code)]

mod add;
pub mod archive;
mod backup;
mod catalogue;
mod claim;
mod error;
mod file;
mod find;
mod fold;
pub mod intake;
mod mark;
pub mod private;
mod rest;

pub use add::{Added, unfit};
pub use backup::{BackupError, back_up, check, retire};
pub use catalogue::{Catalogue, Entry, Kind, Size};
pub use error::Error;
pub use file::{FILE, Library, Source};
pub use find::{Count, Found, Hit, Next, Query, Sort, Years};
pub use fold::folded;
