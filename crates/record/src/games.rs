//! What the readers of text share: stepping from one game to the next, and going on after a mistake.

use crate::{RawGame, ReadError};

/// The games of a text, one after another: where each begins, and the game or what is wrong with it.
///
/// Each format's `games` makes one. A game that cannot be read does not end it.
#[derive(Clone, Debug)]
pub struct Games<'a> {
    text: &'a [u8],
    at: usize,
    next: fn(&[u8]) -> Option<Found>,
}

/// The first game of a text.
pub(crate) struct Found {
    pub(crate) begin: usize,
    /// Where to look for the next one.
    pub(crate) end: usize,
    pub(crate) game: Result<RawGame, ReadError>,
}

impl<'a> Games<'a> {
    /// The games that `next` finds, each in what the one before it left.
    pub(crate) fn new(text: &'a [u8], next: fn(&[u8]) -> Option<Found>) -> Games<'a> {
        Games { text, at: 0, next }
    }
}

impl Iterator for Games<'_> {
    type Item = (usize, Result<RawGame, ReadError>);

    fn next(&mut self) -> Option<Self::Item> {
        let Found { begin, end, game } = (self.next)(&self.text[self.at..])?;
        let begin = self.at + begin;
        self.at += end;
        Some((begin, game))
    }
}

/// Where to look for the next game after a mistake at `byte`, when the text was read up to `read`.
///
/// What a missing bracket swallowed is looked at again, unless it is long: a file made of missing brackets must not be
/// read to its end for each.
pub(crate) fn after_mistake(byte: usize, read: usize) -> usize {
    if read > byte + 4096 { read } else { byte }
}

/// Every game of a text, replayed, as tests want to see it.
#[cfg(test)]
pub(crate) fn replayed(games: Games<'_>) -> Vec<Result<crate::Record, String>> {
    games.map(|(_, game)| game.and_then(crate::Record::try_from).map_err(|error| error.to_string())).collect()
}
