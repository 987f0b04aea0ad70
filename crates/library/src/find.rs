//! Questions to all games at once: [`Catalogue::find`].
//!
//! No index is needed. In a game that reaches a position with *n* discs the start and the first moves fill just its squares,
//! seen from one of eight sides: that is one OR for each move, and only what passes is replayed and compared disc by disc.

use crate::{
    Catalogue, Entry,
    catalogue::{Row, occupied},
    fold::{folded, has_words},
};
use rules::{Bitboard, ByColor, Color, Position, Square, Symmetry};
use std::cmp::Reverse;

/// What to look for. Everything that is said must hold; nothing said, every game is meant.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Query {
    /// Games that reach this position, seen from whichever side.
    pub position: Option<Position>,
    /// Part of a player's name, whichever colour they have: any words of it, without regard to capitals and accents.
    pub player: String,
    /// Part of the name of who has a colour.
    pub players: ByColor<String>,
    /// Part of the tournament's name.
    pub tournament: String,
    /// When it was played.
    pub years: Years,
    /// Who won; `Some(None)` for draws.
    pub winner: Option<Option<Color>>,
}

/// Years, both ends included. Games of an unknown year are in no range that has an end.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Years {
    /// From this year on.
    pub from: Option<u16>,
    /// Until this year.
    pub to: Option<u16>,
}

/// `2004`, `1990..1999`, `2010..`, `..1985`.
///
/// ```
/// use library::Years;
/// assert_eq!("1990..1999".parse(), Ok(Years { from: Some(1990), to: Some(1999) }));
/// assert_eq!("2004".parse(), Ok(Years { from: Some(2004), to: Some(2004) }));
/// assert_eq!("..1985".parse(), Ok(Years { from: None, to: Some(1985) }));
/// assert!("last year".parse::<Years>().is_err());
/// assert!("1999..1990".parse::<Years>().is_err());
/// ```
impl std::str::FromStr for Years {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Years, &'static str> {
        const FORM: &str = "a year, 1990..1999, 1990.. or ..1999 is meant";
        let year = |text: &str| match text.trim() {
            "" => Ok(None),
            year => year.parse().ok().filter(|&year| year > 0).map(Some).ok_or(FORM),
        };
        let (from, to) = match text.split_once("..") {
            Some((from, to)) => (year(from)?, year(to)?),
            None => (year(text)?, year(text)?),
        };
        let order = from.zip(to).is_none_or(|(from, to)| from <= to);
        if order && (from.is_some() || to.is_some()) { Ok(Years { from, to }) } else { Err(FORM) }
    }
}

impl Years {
    fn has(self, year: u16) -> bool {
        if self == Years::default() {
            return true;
        }
        year > 0 && self.from.is_none_or(|from| year >= from) && self.to.is_none_or(|to| year <= to)
    }
}

/// Games and their results. What is not known of a result is in no sum: `games` may be more than wins and draws together.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Count {
    /// How many games.
    pub games: u32,
    /// How many Black won.
    pub black_wins: u32,
    /// How many nobody won.
    pub draws: u32,
    /// How many White won.
    pub white_wins: u32,
    total: f64,
    scored: u32,
}

impl Count {
    /// The average of Black's result less White's, in discs; `None` if no result is known.
    pub fn average(&self) -> Option<f64> {
        (self.scored > 0).then(|| self.total / f64::from(self.scored))
    }

    fn add(&mut self, row: &Row) {
        self.games += 1;
        match row.winner {
            Some(1) => self.black_wins += 1,
            Some(-1) => self.white_wins += 1,
            Some(_) => self.draws += 1,
            None => {}
        }
        if let Some(difference) = row.difference {
            self.total += f64::from(difference);
            self.scored += 1;
        }
    }

    fn join(&mut self, other: &Count) {
        self.games += other.games;
        self.black_wins += other.black_wins;
        self.draws += other.draws;
        self.white_wins += other.white_wins;
        self.total += other.total;
        self.scored += other.scored;
    }
}

/// A move that was played in a position, and how those games went.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Next {
    /// The square, as the position that was asked for has it.
    pub square: Square,
    /// The games.
    pub count: Count,
}

/// A game that was found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Hit {
    row: u32,
    /// After so many moves it reaches the position that was asked for.
    pub ply: u8,
}

/// What was found.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Found {
    /// All of it.
    pub count: Count,
    /// What was played next, most games first; in a position that looks the same from several sides, such moves are one.
    /// Where no position was asked for, it is the first moves from the usual start.
    pub next: Vec<Next>,
    /// The games, in the order in which they were added.
    pub hits: Vec<Hit>,
}

/// The order of a list.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Sort {
    /// The latest year first, and in a year what was added last.
    #[default]
    Newest,
    /// The earliest year first; unknown years last.
    Oldest,
}

impl Catalogue {
    /// The games that a question means, and how they went.
    pub fn find(&self, query: &Query) -> Found {
        let names = Names::new(self, query);
        let wanted = Wanted::new(query.position.unwrap_or_else(Position::start));
        let starts: Vec<Start> = self.starts().map(|start| Start::new(start, &wanted)).collect();
        let mut found = Found::default();
        let mut next = [Count::default(); 64];
        for (at, row) in self.rows.iter().enumerate() {
            let won_by = |color: Option<Color>| {
                row.winner == Some(color.map_or(0, |color| if color == Color::Black { 1 } else { -1 }))
            };
            if !query.years.has(row.year) || query.winner.is_some_and(|winner| !won_by(winner)) || !names.has(row) {
                continue;
            }
            let moves = self.moves(row);
            let reached = starts[Catalogue::start_of(row)].reaches(&wanted, moves);
            if reached.is_none() && query.position.is_some() {
                continue;
            }
            found.count.add(row);
            let ply = reached.map_or(0, |(ply, _)| ply);
            found.hits.push(Hit { row: at as u32, ply: ply as u8 });
            if let Some((ply, symmetry)) = reached
                && let Some(&square) = moves.get(ply)
            {
                next[symmetry.inverse().square(square) as usize].add(row);
            }
        }
        found.next = wanted.merged(&next);
        found
    }

    /// Some of the games that were found, in this order, leaving out the first `skip`.
    pub fn list(&self, found: &Found, sort: Sort, skip: usize, most: usize) -> Vec<(Entry<'_>, u8)> {
        let row = |hit: &Hit| &self.rows[hit.row as usize];
        let mut hits = found.hits.clone();
        match sort {
            Sort::Newest => hits.sort_unstable_by_key(|hit| Reverse((row(hit).year, hit.row))),
            Sort::Oldest => hits.sort_unstable_by_key(|hit| (row(hit).year.wrapping_sub(1), hit.row)),
        }
        hits.iter().skip(skip).take(most).map(|hit| (self.entry(row(hit)), hit.ply)).collect()
    }

    /// The numbers of the games that were found.
    pub fn numbers(&self, found: &Found) -> Vec<u32> {
        found.hits.iter().map(|hit| self.rows[hit.row as usize].number).collect()
    }
}

/// The names that are looked for, by the numbers of the texts that have them.
struct Names {
    player: Option<Vec<bool>>,
    players: ByColor<Option<Vec<bool>>>,
    tournament: Option<Vec<bool>>,
}

impl Names {
    fn new(catalogue: &Catalogue, query: &Query) -> Names {
        let having = |part: &String| {
            let part = folded(part);
            let texts = || catalogue.folded().iter().map(|text| has_words(text, &part)).collect();
            (!part.is_empty()).then(texts)
        };
        Names {
            player: having(&query.player),
            players: ByColor { black: having(&query.players.black), white: having(&query.players.white) },
            tournament: having(&query.tournament),
        }
    }

    fn has(&self, row: &Row) -> bool {
        let is = |having: &Option<Vec<bool>>, id: u32| {
            having.as_ref().is_none_or(|having| having.get(id as usize).copied().unwrap_or(false))
        };
        (is(&self.player, row.black) || is(&self.player, row.white))
            && is(&self.players.black, row.black)
            && is(&self.players.white, row.white)
            && is(&self.tournament, row.event)
    }
}

/// The position that is looked for, from its eight sides.
struct Wanted {
    discs: [ByColor<Bitboard>; 8],
    occupied: [Bitboard; 8],
    count: usize,
    turn: Option<Color>,
}

impl Wanted {
    fn new(position: Position) -> Wanted {
        let set = occupied(&position);
        Wanted {
            discs: Symmetry::ALL.map(|symmetry| position.discs().map(|discs| symmetry.bitboard(discs))),
            occupied: Symmetry::ALL.map(|symmetry| symmetry.bitboard(set)),
            count: set.len() as usize,
            turn: position.turn(),
        }
    }

    /// The side from which the position looks like this one.
    fn seen_as(&self, position: &Position) -> Option<Symmetry> {
        if position.turn() != self.turn {
            return None;
        }
        Symmetry::ALL.into_iter().find(|symmetry| self.discs[symmetry.index()] == position.discs())
    }

    /// Moves that the position's own symmetry makes equal are one. Its square is the one that stands in most games.
    fn merged(&self, next: &[Count; 64]) -> Vec<Next> {
        let own = || Symmetry::ALL.into_iter().filter(|symmetry| self.discs[symmetry.index()] == self.discs[0]);
        let mut left = *next;
        let mut merged = Vec::new();
        for first in Square::ALL {
            let mut one = Next { square: first, count: Count::default() };
            for square in own().map(|symmetry| symmetry.square(first)) {
                let count = std::mem::take(&mut left[square as usize]);
                if count.games > next[one.square as usize].games {
                    one.square = square;
                }
                one.count.join(&count);
            }
            if one.count.games > 0 {
                merged.push(one);
            }
        }
        merged.sort_by_key(|next| (Reverse(next.count.games), next.square));
        merged
    }
}

/// A start that games have, and when those games may have reached what is looked for.
struct Start {
    position: Position,
    occupied: Bitboard,
    /// After so many moves; `None` if it has too many discs already.
    ply: Option<usize>,
}

impl Start {
    fn new(position: Position, wanted: &Wanted) -> Start {
        let occupied = occupied(&position);
        Start { position, occupied, ply: wanted.count.checked_sub(occupied.len() as usize) }
    }

    /// After how many of these moves the position is on the board, and from which side.
    fn reaches(&self, wanted: &Wanted, moves: &[Square]) -> Option<(usize, Symmetry)> {
        let ply = self.ply?;
        let moves = moves.get(..ply)?;
        let filled = moves.iter().fold(self.occupied, |set, &square| set | square.into());
        if !wanted.occupied.contains(&filled) {
            return None;
        }
        let end = moves.iter().fold(self.position, |position, &square| position.play_unchecked(square).after);
        wanted.seen_as(&end).map(|symmetry| (ply, symmetry))
    }
}
