//! What the readers of text share: stepping from one game to the next, and going on after a mistake.

use crate::{RawGame, ReadError, Why, text, transcript};

/// The games of a text, one after another: where each begins, and the game or what is wrong with it.
///
/// Each format's `games` makes one. A game that cannot be read does not end it.
#[derive(Debug)]
pub struct Games<'a> {
    text: &'a [u8],
    at: usize,
    next: fn(&[u8]) -> Option<Found>,
    /// The game that was found after text that is none, and where the text still to be looked at ends.
    found: Option<(usize, Option<Found>)>,
    /// Whether text that is no game is looked at: not where there is none in the file, and not after one that could not
    /// be read, of which it may be a part.
    tells_gaps: bool,
}

/// The first game of a text.
#[derive(Debug)]
pub(crate) struct Found {
    pub(crate) begin: usize,
    /// Where to look for the next one.
    pub(crate) end: usize,
    pub(crate) game: Result<RawGame, ReadError>,
}

impl<'a> Games<'a> {
    /// The games that `next` finds, each in what the one before it left.
    pub(crate) fn new(text: &'a [u8], next: fn(&[u8]) -> Option<Found>) -> Games<'a> {
        Games { text, at: 0, next, found: None, tells_gaps: false }
    }
}

impl Iterator for Games<'_> {
    type Item = (usize, Result<RawGame, ReadError>);

    fn next(&mut self) -> Option<Self::Item> {
        let (gap_end, found) = self.found.take().unwrap_or_else(|| {
            let found = (self.next)(&self.text[self.at..]);
            (found.as_ref().map_or(self.text.len(), |found| self.at + found.begin), found)
        });
        self.tells_gaps |= self.at == 0 && found.is_some();
        if self.tells_gaps
            && let Some(line) = text::lines(&self.text[self.at..gap_end]).find(|(_, line)| transcript::is_game(line))
        {
            let begin = self.at + line.0;
            let shift = begin + line.1.len() - self.at;
            self.at += shift;
            let found = found.map(|found| Found { begin: found.begin - shift, end: found.end - shift, ..found });
            self.found = Some((gap_end, found));
            return Some((begin, Err(ReadError { byte: 0, why: Why::BetweenGames })));
        }
        let Found { begin, end, game } = found?;
        let begin = self.at + begin;
        self.at += end;
        self.tells_gaps = game.is_ok();
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

#[cfg(test)]
mod tests {
    use crate::{Why, ggf, pgn, sgf};

    #[test]
    fn moves_between_games_are_told() {
        let game = "(;GM[2];B[f5])";
        let text = format!("f5d6c3\nof the evening\n1 {game}\nthey say\nf5f6e6 and\nf5d6\n{game} c4c3");
        let found = |games: super::Games<'_>| -> Vec<_> {
            games.map(|(byte, game)| (byte, game.map(|_| ()).map_err(|error| error.why))).collect()
        };
        let between = Err(Why::BetweenGames);
        let expected = [0, 24, 48, 59, 64, 78].into_iter().zip([
            between.clone(),
            Ok(()),
            between.clone(),
            between.clone(),
            Ok(()),
            between,
        ]);
        assert_eq!(found(sgf::games(text.as_bytes())), expected.collect::<Vec<_>>());
        // what is left of a broken game is not told twice, and what is no game is not told at all
        assert_eq!(found(ggf::games(b"(;GM[Othello]B[f5\nB[d6]f5d6\n(;GM[othello]B[f5];) good night")).len(), 2);
        assert_eq!(found(pgn::games(b"f5d6\n[A \"\"]\n1. f5")).len(), 2);
    }
}
