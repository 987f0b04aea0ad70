//! WTHOR, the French federation's database of tournament games: `.wtb` games, `.jou` players, `.trn` tournaments.
//!
//! The format: [ffothello.org](https://www.ffothello.org/wthor/Format_WThor.pdf) (French). Each file has a header of 16
//! bytes; a game is 68: three numbers that name tournament and players, Black's discs (empties to the winner), the same
//! after best play, and 60 moves. Passes are not stored.
//!
//! # Reading
//!
//! - Games are read where they lie: [`Game`] borrows the file's bytes, and [`Game::replay`] allocates nothing.
//! - A board size of 0 means 8. Files of 10 × 10 games and of endgame positions are refused.
//! - Moves end at the first 0, or after 60. A game may stop early: its score was then adjudicated.
//! - Names are Windows-1252, or UTF-8 where they are that; they end at the first NUL.
//! - A file shorter than its header promises gives the whole games it holds, then an error.
//! - Bytes after the last game are ignored.
//!
//! # Writing
//!
//! [`Base::write`] makes the three files that belong together. Each game is turned so that its first move is f5, as
//! every game of the database is. A game's score is the one claimed, else the one played, else the discs where it
//! stopped. Names are cut to 19 and 25 bytes of Windows-1252; number 0 is `???`. Variations and notes have no place in it.

use crate::{Claim, Format, Headers, Holds, RawGame, ReadError, Record, Why, WriteError, pgn, text};
use rules::{ByColor, Position, Square, Step, Symmetry};
use std::collections::HashMap;

const HEADER: usize = 16;
const GAME: usize = 68;
const PLAYER: usize = 20;
const TOURNAMENT: usize = 26;

/// What the first 16 bytes of a file say.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Header {
    /// When the file was made: a version stamp.
    pub created: Date,
    /// How many games it holds, or how many endgame positions.
    pub games: u32,
    /// How many names it holds.
    pub names: u16,
    /// The year of the games.
    pub year: u16,
    /// 0 and 8 are 8 × 8.
    pub size: u8,
    /// Whether it holds endgame positions.
    pub solitaires: bool,
    /// From how many empties the theoretical score counts; 0 is 22 since 2001.
    pub depth: u8,
}

/// A day.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Date {
    /// The year, from 0 to 25599.
    pub year: u16,
    /// 1 to 12.
    pub month: u8,
    /// 1 to 31.
    pub day: u8,
}

impl Default for Date {
    fn default() -> Date {
        Date { year: 2000, month: 1, day: 1 }
    }
}

impl Header {
    /// Reads the first 16 bytes.
    ///
    /// # Errors
    ///
    /// [`Why::NoHeader`] if there are fewer.
    pub fn read(bytes: &[u8]) -> Result<Header, Why> {
        let Some(&[century, year, month, day, n0, n1, n2, n3, m0, m1, y0, y1, size, solitaires, depth, _]) =
            bytes.first_chunk::<HEADER>()
        else {
            return Err(Why::NoHeader);
        };
        Ok(Header {
            created: Date { year: u16::from(century) * 100 + u16::from(year), month, day },
            games: u32::from_le_bytes([n0, n1, n2, n3]),
            names: u16::from_le_bytes([m0, m1]),
            year: u16::from_le_bytes([y0, y1]),
            size,
            solitaires: solitaires == 1,
            depth,
        })
    }

    fn write(self) -> [u8; HEADER] {
        let mut bytes = [0; HEADER];
        let Date { year, month, day } = self.created;
        bytes[..4].copy_from_slice(&[(year / 100) as u8, (year % 100) as u8, month, day]);
        bytes[4..8].copy_from_slice(&self.games.to_le_bytes());
        bytes[8..10].copy_from_slice(&self.names.to_le_bytes());
        bytes[10..12].copy_from_slice(&self.year.to_le_bytes());
        bytes[12..15].copy_from_slice(&[self.size, self.solitaires.into(), self.depth]);
        bytes
    }
}

/// The games of a `.wtb` file, where they lie.
#[derive(Clone, Copy, Debug)]
pub struct Games<'a> {
    /// What the file says of itself.
    pub header: Header,
    records: &'a [[u8; GAME]],
}

impl<'a> Games<'a> {
    /// Opens a file of games.
    ///
    /// # Errors
    ///
    /// What the file holds instead of 8 × 8 games. That it is cut short is no error here: see [`Games::is_whole`].
    pub fn open(bytes: &'a [u8]) -> Result<Games<'a>, Why> {
        let header = Header::read(bytes)?;
        if header.solitaires {
            return Err(Why::NotGames { what: Holds::Solitaires });
        }
        if header.size != 0 && header.size != 8 {
            return Err(Why::BoardSize { size: header.size.to_string() });
        }
        let (records, _) = bytes[HEADER..].as_chunks::<GAME>();
        let records = &records[..records.len().min(header.games as usize)];
        Ok(Games { header, records })
    }

    /// How many games there are.
    pub fn len(&self) -> usize {
        self.records.len()
    }

    /// Whether there is no game.
    pub fn is_empty(&self) -> bool {
        self.records.is_empty()
    }

    /// The games, in their order.
    pub fn iter(&self) -> impl Iterator<Item = Game<'a>> + use<'a> {
        self.records.iter().map(|bytes| Game { bytes })
    }

    /// The game at `index`.
    pub fn get(&self, index: usize) -> Option<Game<'a>> {
        self.records.get(index).map(|bytes| Game { bytes })
    }

    /// Whether all the games that the header promises are there.
    ///
    /// # Errors
    ///
    /// [`Why::Truncated`] if not.
    pub fn is_whole(&self) -> Result<(), Why> {
        let (promised, found) = (self.header.games as usize, self.records.len());
        if found < promised { Err(Why::Truncated { promised, found }) } else { Ok(()) }
    }

    /// Where a game begins in the file.
    pub fn byte(index: usize) -> usize {
        HEADER + index * GAME
    }
}

/// One game, as 68 bytes of its file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Game<'a> {
    bytes: &'a [u8; GAME],
}

impl<'a> Game<'a> {
    fn number(&self, at: usize) -> u16 {
        u16::from_le_bytes([self.bytes[at], self.bytes[at + 1]])
    }

    /// The number of the tournament in the `.trn` file.
    pub fn tournament(&self) -> u16 {
        self.number(0)
    }

    /// The numbers of the players in the `.jou` file.
    pub fn players(&self) -> ByColor<u16> {
        ByColor { black: self.number(2), white: self.number(4) }
    }

    /// Black's discs at the end, the empties being the winner's.
    pub fn score(&self) -> u8 {
        self.bytes[6]
    }

    /// Black's discs after best play by both from the header's depth on.
    pub fn theory(&self) -> u8 {
        self.bytes[7]
    }

    /// The moves, as bytes: column + 10 × row, both from 1.
    pub fn move_bytes(&self) -> &'a [u8] {
        let all = &self.bytes[8..];
        &all[..all.iter().position(|&byte| byte == 0).unwrap_or(all.len())]
    }

    /// The moves.
    ///
    /// # Errors
    ///
    /// [`Why::MoveByte`] in place of a byte that stands for no square.
    pub fn moves(&self) -> impl Iterator<Item = Result<Square, Why>> + use<'a> {
        let square = |(at, &byte): (usize, &u8)| square(byte).ok_or(Why::MoveByte { ply: at + 1, byte });
        self.move_bytes().iter().enumerate().map(square)
    }

    /// Plays the game and gives each step to `each`; the position at its end.
    ///
    /// # Errors
    ///
    /// The first move that is not legal.
    ///
    /// ```
    /// # use record::{Record, transcript, wthor::{Base, Games}};
    /// # let record = Record::try_from(transcript::read(b"f5d6c5f4e7f6g5e6e3").unwrap()).unwrap();
    /// # let file = Base::write(&[record], Default::default()).unwrap().games;
    /// let games = Games::open(&file).unwrap();
    /// let game = games.get(0).unwrap();
    /// let end = game.replay(|_| {}).unwrap();
    /// assert_eq!(end.outcome().unwrap().score().black, game.score());
    /// ```
    pub fn replay(&self, mut each: impl FnMut(&Step)) -> Result<Position, Why> {
        let mut position = Position::start();
        for (at, square) in self.moves().enumerate() {
            let square = square?;
            let step = position.play(square).map_err(|illegal| Why::Illegal {
                ply: at + 1,
                square,
                reason: illegal.reason,
            })?;
            each(&step);
            position = step.after;
        }
        Ok(position)
    }

    /// The game as any other format's.
    ///
    /// # Errors
    ///
    /// A byte that stands for no square, or a score above 64, and where in the game's bytes it is.
    pub fn raw(&self, year: u16, names: &Names) -> Result<RawGame, ReadError> {
        for (byte, score) in [(6, self.score()), (7, self.theory())] {
            if score > 64 {
                return Err(ReadError { byte, why: Why::Score { score } });
            }
        }
        let headers = Headers {
            players: self.players().map(|number| names.player(number)),
            event: names.tournament(self.tournament()),
            date: if year == 0 { String::new() } else { year.to_string() },
            claim: Some(Claim::Discs(ByColor { black: self.score(), white: 64 - self.score() })),
            theory: Some(self.theory()),
            ..Headers::default()
        };
        let mut game = RawGame { headers, ..RawGame::default() };
        game.plies.reserve_exact(self.move_bytes().len());
        for (at, square) in self.moves().enumerate() {
            let byte = 8 + at;
            let square = square.map_err(|why| ReadError { byte, why })?;
            game.push(None, Some(square), byte).map_err(|why| ReadError { byte, why })?;
        }
        Ok(game)
    }
}

fn square(byte: u8) -> Option<Square> {
    Square::at((byte % 10).wrapping_sub(1), (byte / 10).wrapping_sub(1))
}

fn move_byte(square: Square) -> u8 {
    (square.row() + 1) * 10 + square.column() + 1
}

/// The names that go with games: the contents of a `.jou` and a `.trn` file.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Names {
    players: Vec<String>,
    tournaments: Vec<String>,
}

impl Names {
    /// Reads a `.jou` file.
    ///
    /// # Errors
    ///
    /// [`Why::NoHeader`] or [`Why::Truncated`].
    pub fn read_players(&mut self, bytes: &[u8]) -> Result<(), Why> {
        self.players = names::<PLAYER>(bytes)?;
        Ok(())
    }

    /// Reads a `.trn` file.
    ///
    /// # Errors
    ///
    /// [`Why::NoHeader`] or [`Why::Truncated`].
    pub fn read_tournaments(&mut self, bytes: &[u8]) -> Result<(), Why> {
        self.tournaments = names::<TOURNAMENT>(bytes)?;
        Ok(())
    }

    /// A player's name; `#` and the number where it is not known; nothing where it is `???`.
    pub fn player(&self, number: u16) -> String {
        named(&self.players, number)
    }

    /// A tournament's name; `#` and the number where it is not known; nothing where it is `???`.
    pub fn tournament(&self, number: u16) -> String {
        named(&self.tournaments, number)
    }
}

fn named(names: &[String], number: u16) -> String {
    match names.get(usize::from(number)) {
        Some(name) if name == "???" => String::new(),
        Some(name) => name.clone(),
        None => format!("#{number}"),
    }
}

fn names<const SIZE: usize>(bytes: &[u8]) -> Result<Vec<String>, Why> {
    let header = Header::read(bytes)?;
    let (records, _) = bytes[HEADER..].as_chunks::<SIZE>();
    let promised = usize::from(header.names);
    if records.len() < promised {
        return Err(Why::Truncated { promised, found: records.len() });
    }
    let name = |record: &[u8; SIZE]| {
        let end = record.iter().position(|&byte| byte == 0).unwrap_or(SIZE);
        text::one_line(&record[..end])
    };
    Ok(records[..promised].iter().map(name).collect())
}

/// Three files that belong together.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Base {
    /// The `.wtb` file.
    pub games: Vec<u8>,
    /// The `.jou` file.
    pub players: Vec<u8>,
    /// The `.trn` file.
    pub tournaments: Vec<u8>,
}

impl Base {
    /// Writes games, and the names in them. The year of the file is that of the games, if they agree on one.
    ///
    /// # Errors
    ///
    /// A game that does not begin at the usual start, or more than 65,535 names.
    pub fn write(records: &[Record], created: Date) -> Result<Base, WriteError> {
        let mut players = Table::default();
        let mut tournaments = Table::default();
        let year = |record: &Record| record.headers.date.get(..4).and_then(|year| year.parse().ok()).unwrap_or(0);
        let mut years = records.iter().map(year);
        let first = years.next().unwrap_or(0);
        let header = Header {
            created,
            games: u32::try_from(records.len()).map_err(|_| WriteError::Names)?,
            year: if years.all(|year| year == first) { first } else { 0 },
            ..Header::default()
        };
        let mut games = header.write().to_vec();
        for record in records {
            if !record.from_usual_start() {
                return Err(WriteError::Start(Format::Wthor));
            }
            let headers = &record.headers;
            let names = ByColor {
                black: players.number(&headers.players.black, PLAYER)?,
                white: players.number(&headers.players.white, PLAYER)?,
            };
            let score = score(record);
            games.extend(tournaments.number(&headers.event, TOURNAMENT)?.to_le_bytes());
            games.extend(names.black.to_le_bytes());
            games.extend(names.white.to_le_bytes());
            games.extend([score, headers.theory.unwrap_or(score)]);
            let mut moves = [0; 60];
            let turned = record.main_line().next().map_or(Symmetry::IDENTITY, to_f5);
            for (byte, square) in moves.iter_mut().zip(record.main_line()) {
                *byte = move_byte(turned.square(square));
            }
            games.extend(moves);
        }
        Ok(Base {
            games,
            players: players.file::<PLAYER>(created),
            tournaments: tournaments.file::<TOURNAMENT>(created),
        })
    }
}

/// How to look at a game so that its first move is f5.
fn to_f5(first: Square) -> Symmetry {
    let start = Position::start().board();
    let fits = |symmetry: &Symmetry| symmetry.square(first) == Square::F5 && symmetry.board(start) == start;
    Symmetry::ALL.into_iter().find(fits).unwrap_or_default()
}

/// Black's discs, empties to the winner: as claimed, else as played, else as they lie.
fn score(record: &Record) -> u8 {
    let end = record.end();
    let played = || end.outcome().map_or(end.count().black, |outcome| outcome.score().black);
    match record.headers.claim {
        Some(Claim::Discs(discs)) if discs.black + discs.white == 64 => discs.black,
        Some(Claim::Difference { black, .. }) => pgn::discs(black).map_or_else(played, |discs| discs.black),
        Some(Claim::Winner(color, _)) => {
            if color == rules::Color::Black {
                64
            } else {
                0
            }
        }
        Some(Claim::Discs(discs)) if end.outcome().is_none_or(|outcome| outcome.discs != discs) => discs.black.min(64),
        _ => played(),
    }
}

/// Names and their numbers.
#[derive(Default)]
struct Table {
    numbers: HashMap<Vec<u8>, u16>,
    names: Vec<Vec<u8>>,
}

impl Table {
    fn number(&mut self, name: &str, size: usize) -> Result<u16, WriteError> {
        if self.names.is_empty() {
            self.names.push(b"???".to_vec());
        }
        let name: Vec<u8> = text::plain_line(name).chars().map(text::to_windows_1252).take(size - 1).collect();
        let name = name.trim_ascii_end().to_vec();
        if name.is_empty() || name == b"???" {
            return Ok(0);
        }
        if let Some(&number) = self.numbers.get(&name) {
            return Ok(number);
        }
        // the header has 16 bits for their count
        let number = u16::try_from(self.names.len()).ok().filter(|&number| number < u16::MAX);
        let number = number.ok_or(WriteError::Names)?;
        self.names.push(name.clone());
        self.numbers.insert(name, number);
        Ok(number)
    }

    fn file<const SIZE: usize>(&self, created: Date) -> Vec<u8> {
        let header = Header { created, names: self.names.len() as u16, ..Header::default() };
        let mut file = header.write().to_vec();
        for name in &self.names {
            let mut record = [0; SIZE];
            record[..name.len()].copy_from_slice(name);
            file.extend(record);
        }
        file
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(moves: &str) -> Record {
        Record::try_from(crate::transcript::read(moves.as_bytes()).unwrap()).unwrap()
    }

    #[test]
    fn squares_are_their_bytes() {
        for square in Square::ALL {
            assert_eq!(super::square(move_byte(square)), Some(square));
        }
        assert_eq!((move_byte(Square::A1), move_byte(Square::H1), move_byte(Square::A8)), (11, 18, 81));
        for byte in [0, 1, 10, 19, 20, 90, 91, 99, 255] {
            assert_eq!(super::square(byte), None, "{byte}");
        }
    }

    #[test]
    fn names_and_moves_come_back() {
        let mut one = record("f5d6c5f4e7f6g5e6e3");
        one.headers.players = ByColor { black: "Çelik Ünal".into(), white: "a name longer than nineteen".into() };
        one.headers.event = "Interclubs Poitou-Charentes et plus".into();
        one.headers.date = "1986".into();
        let mut two = record("d3c3");
        two.headers.players.black = "Çelik Ünal".into();
        two.headers.date = "1986.05.01".into();
        let base = Base::write(&[one.clone(), two], Date { year: 2026, month: 2, day: 3 }).unwrap();
        let games = Games::open(&base.games).unwrap();
        assert_eq!((games.len(), games.header.year), (2, 1986));
        assert_eq!(games.header.created, Date { year: 2026, month: 2, day: 3 });
        let mut names = Names::default();
        names.read_players(&base.players).unwrap();
        names.read_tournaments(&base.tournaments).unwrap();
        let back: Vec<_> =
            games.iter().map(|game| Record::try_from(game.raw(1986, &names).unwrap()).unwrap()).collect();
        assert_eq!(back[0].moves(), one.moves());
        assert_eq!(back[0].headers.players.black, "Çelik Ünal");
        assert_eq!(back[0].headers.players.white, "a name longer than");
        assert_eq!(back[0].headers.event, "Interclubs Poitou-Charent");
        assert_eq!(back[0].headers.claim.unwrap().difference(), Some(64.0));
        // turned so that the first move is f5
        assert_eq!(crate::transcript::write(&back[1]).unwrap(), "f5f6");
        assert_eq!(back[1].headers.players.white, "");
        assert_eq!(Base::write(&back, Date { year: 2026, month: 2, day: 3 }).unwrap(), base);
        assert_eq!(Names::default().player(7), "#7");
    }

    #[test]
    fn what_is_wrong_says_so() {
        let base = Base::write(&[record("f5d6"), record("f5d6c3")], Date::default()).unwrap();
        assert_eq!(Games::open(&base.games[..10]).unwrap_err(), Why::NoHeader);
        let cut = Games::open(&base.games[..100]).unwrap();
        assert_eq!((cut.len(), cut.is_whole()), (1, Err(Why::Truncated { promised: 2, found: 1 })));
        let mut ten = base.games.clone();
        ten[12] = 10;
        assert_eq!(Games::open(&ten).unwrap_err().to_string(), "a board of size 10; only 8 × 8 is read");
        let mut solitaires = base.games.clone();
        solitaires[13] = 1;
        assert_eq!(Games::open(&solitaires).unwrap_err().to_string(), "the file holds endgame positions, not games");
        let mut bad = base.games.clone();
        bad[HEADER + 8 + 1] = 19;
        bad[HEADER + GAME + 8 + 1] = 11;
        bad[HEADER + GAME + 6] = 65;
        let games = Games::open(&bad).unwrap();
        assert_eq!(games.get(0).unwrap().replay(|_| {}), Err(Why::MoveByte { ply: 2, byte: 19 }));
        let error = games.get(0).unwrap().raw(0, &Names::default()).unwrap_err();
        assert_eq!((error.byte, error.why.ply()), (9, Some(2)));
        assert_eq!(games.get(1).unwrap().replay(|_| {}).unwrap_err().to_string(), "move 2: a1 turns no disc");
        assert_eq!(games.get(1).unwrap().raw(0, &Names::default()).unwrap_err().why, Why::Score { score: 65 });
        assert_eq!(names::<PLAYER>(&base.players[..20]), Err(Why::Truncated { promised: 1, found: 0 }));
    }
}
