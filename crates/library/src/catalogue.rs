//! All games as a search needs them: [`Catalogue`].

use crate::fold::{folded, has_words};
use rules::{Bitboard, Color, Position, Square};
use std::{collections::HashMap, sync::OnceLock};

/// All games in memory: a byte for each move, and who played where and when. About 100 bytes for a game.
#[derive(Clone, Debug, Default)]
pub struct Catalogue {
    pub(crate) rows: Vec<Row>,
    /// The moves of all games, one after another.
    moves: Vec<Square>,
    /// The starts of games that did not begin as usual.
    starts: Vec<Position>,
    start_numbers: HashMap<Position, u32>,
    texts: Vec<String>,
    /// The texts as they are compared, made when a name is first asked for.
    folded: OnceLock<Vec<String>>,
}

/// One game.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Row {
    pub(crate) number: u32,
    pub(crate) black: u32,
    pub(crate) white: u32,
    pub(crate) event: u32,
    pub(crate) round: u32,
    /// 0 if it is not known.
    pub(crate) year: u16,
    /// 1 Black, 0 nobody, -1 White.
    pub(crate) winner: Option<i8>,
    pub(crate) difference: Option<f32>,
    /// Where its moves begin, and how many there are.
    pub(crate) from: u32,
    pub(crate) length: u8,
    /// 0 is the usual start, else a place in `starts`, counted from 1.
    pub(crate) start: u32,
}

/// What a list shows of a game.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Entry<'a> {
    /// Its number in the library.
    pub number: u32,
    /// Who played Black; empty if it is not known.
    pub black: &'a str,
    /// Who played White.
    pub white: &'a str,
    /// The tournament.
    pub event: &'a str,
    /// The round of it.
    pub round: &'a str,
    /// The year, if it is known.
    pub year: Option<u16>,
    /// Who won, as far as it is known: `Some(None)` is a draw.
    pub winner: Option<Option<Color>>,
    /// Black's result less White's, if it is known.
    pub difference: Option<f32>,
    /// How many moves were played.
    pub moves: usize,
}

/// What is there.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Size {
    /// How many games.
    pub games: usize,
    /// How many names of players.
    pub players: usize,
    /// How many tournaments.
    pub tournaments: usize,
    /// The first and the last year that is known.
    pub years: Option<(u16, u16)>,
}

/// What a name belongs to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// A player.
    Player,
    /// A tournament.
    Tournament,
}

impl Catalogue {
    pub(crate) fn texts(&self) -> &[String] {
        &self.texts
    }

    pub(crate) fn last_number(&self) -> u32 {
        self.rows.last().map_or(0, |row| row.number)
    }

    /// Adds the next text; false if its number is not the next.
    pub(crate) fn put_text(&mut self, id: u32, text: &str) -> bool {
        let is_next = self.texts.len() == id as usize;
        if is_next {
            self.texts.push(text.to_owned());
            self.folded = OnceLock::new();
        }
        is_next
    }

    /// Adds a game from the usual start, or from another one.
    pub(crate) fn put_game(&mut self, start: Option<Position>, moves: &[u8], mut row: Row) {
        let Ok(from) = u32::try_from(self.moves.len()) else { return };
        row.from = from;
        row.length = moves.len().min(60) as u8;
        self.moves.extend(moves.iter().take(60).map(|&byte| Square::ALL[usize::from(byte & 63)]));
        if let Some(start) = start {
            row.start = *self.start_numbers.entry(start).or_insert_with(|| {
                self.starts.push(start);
                self.starts.len() as u32
            });
        }
        self.rows.push(row);
    }

    /// How many games there are.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    pub(crate) fn moves(&self, row: &Row) -> &[Square] {
        &self.moves[row.from as usize..][..usize::from(row.length)]
    }

    pub(crate) fn starts(&self) -> impl Iterator<Item = Position> {
        std::iter::once(Position::start()).chain(self.starts.iter().copied())
    }

    pub(crate) fn start_of(row: &Row) -> usize {
        row.start as usize
    }

    fn text(&self, id: u32) -> &str {
        self.texts.get(id as usize).map_or("", String::as_str)
    }

    pub(crate) fn folded(&self) -> &[String] {
        self.folded.get_or_init(|| self.texts.iter().map(|text| folded(text)).collect())
    }

    /// A game by its place.
    pub(crate) fn entry(&self, row: &Row) -> Entry<'_> {
        let winner = |winner| match winner {
            1 => Some(Color::Black),
            -1 => Some(Color::White),
            _ => None,
        };
        Entry {
            number: row.number,
            black: self.text(row.black),
            white: self.text(row.white),
            event: self.text(row.event),
            round: self.text(row.round),
            year: (row.year > 0).then_some(row.year),
            winner: row.winner.map(winner),
            difference: row.difference,
            moves: usize::from(row.length),
        }
    }

    /// What is there.
    pub fn size(&self) -> Size {
        let used = |kind| self.games_by_name(kind).iter().skip(1).filter(|&&games| games > 0).count();
        let years = || self.rows.iter().map(|row| row.year).filter(|&year| year > 0);
        Size {
            games: self.len(),
            players: used(Kind::Player),
            tournaments: used(Kind::Tournament),
            years: years().min().zip(years().max()),
        }
    }

    /// In how many games each text is a name of this kind. The first text is the empty one.
    fn games_by_name(&self, kind: Kind) -> Vec<u32> {
        let mut games = vec![0; self.texts.len()];
        let mut count = |id: u32| {
            if let Some(games) = games.get_mut(id as usize) {
                *games += 1;
            }
        };
        for row in &self.rows {
            match kind {
                Kind::Tournament => count(row.event),
                Kind::Player => {
                    count(row.black);
                    count(row.white);
                }
            }
        }
        games
    }

    /// Names that have each word of `part` in them, those with most games first, and in how many games they are.
    pub fn names(&self, kind: Kind, part: &str, most: usize) -> Vec<(&str, u32)> {
        let wanted = folded(part);
        let games = self.games_by_name(kind);
        let named = self.folded().iter().zip(games).enumerate().skip(1);
        let mut found: Vec<(usize, u32)> = named
            .filter(|(_, (name, games))| *games > 0 && has_words(name, &wanted))
            .map(|(id, (_, games))| (id, games))
            .collect();
        found.sort_by_key(|&(id, games)| (std::cmp::Reverse(games), self.texts[id].as_str()));
        found.into_iter().take(most).map(|(id, games)| (self.texts[id].as_str(), games)).collect()
    }
}

/// The discs of a position, whatever their colour.
pub(crate) fn occupied(position: &Position) -> Bitboard {
    !position.empty()
}
