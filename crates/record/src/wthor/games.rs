//! Games, read where they lie.

use super::{GAME, HEADER, Header, Names, square};
use crate::{Claim, Headers, Holds, RawGame, ReadError, Theory, Why};
use rules::{ByColor, Position, Square, Step};

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
    pub fn raw(&self, header: &Header, names: &Names) -> Result<RawGame, ReadError> {
        for (byte, score) in [(6, self.score()), (7, self.theory())] {
            if score > 64 {
                return Err(ReadError { byte, why: Why::Score { score } });
            }
        }
        let year = header.year;
        // with one empty square there is nothing to choose: such a score says no more than the game
        let theory = Theory { black: self.theory(), empties: header.empties() };
        let headers = Headers {
            players: self.players().map(|number| names.player(number)),
            event: names.tournament(self.tournament()),
            date: if year == 0 { String::new() } else { year.to_string() },
            claim: Some(Claim::Discs(ByColor { black: self.score(), white: 64 - self.score() })),
            theory: (theory.empties != 1).then_some(theory),
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
