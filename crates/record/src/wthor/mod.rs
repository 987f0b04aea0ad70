//! WTHOR, the French federation's database of tournament games: `.wtb` games, `.jou` players, `.trn` tournaments.
//!
//! The format: [ffothello.org](https://www.ffothello.org/wthor/Format_WThor.pdf) (French). Each file has a header of 16
//! bytes; a game is 68: three numbers that name tournament and players, Black's discs (empties to the winner), the same
//! after best play, and 60 moves. Passes are not stored.
//!
//! ```
//! use record::{Record, wthor::{Base, Date, Games, Names}};
//! use rules::Square;
//!
//! let mut record = Record::from_moves([Square::F5, Square::D6, Square::C3])?;
//! record.headers.players.black = "Ana".into();
//! let base = Base::write(&[record], Date { year: 2026, month: 2, day: 3 })?;
//!
//! let mut names = Names::default();
//! names.read_players(&base.players)?;
//! let games = Games::open(&base.games)?;
//! let game = games.get(0).unwrap();
//! assert_eq!(game.move_bytes(), [56, 64, 33]);
//! assert_eq!(names.player(game.players().black), "Ana");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
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
//! every game of the database is. A game's score is the one claimed, else the one played, else the lead where it
//! stopped: the format has no sign for an unknown score. Names are cut to 19 and 25 bytes of Windows-1252; number 0 is
//! `???`. Variations and notes have no place in it.
//!
//! Theoretical scores are written as they were read, and the header's depth with them. They need one depth for the whole
//! file: where a game has none, or two have different ones, the depth is 1 and each theoretical score the actual one.
//! That is what best play from the last empty square leads to, so the file claims nothing that nobody has computed; and
//! read again, it is no theoretical score.

mod games;
mod header;
mod names;
mod write;

pub use games::{Game, Games};
pub use header::{Date, Header};
pub use names::Names;
pub use write::Base;
pub(crate) use write::{Shared, keeps};

use rules::Square;

const HEADER: usize = 16;
const GAME: usize = 68;
const PLAYER: usize = 20;
const TOURNAMENT: usize = 26;

/// The square that a move byte stands for: column + 10 × row, both from 1.
fn square(byte: u8) -> Option<Square> {
    Square::at((byte % 10).wrapping_sub(1), (byte / 10).wrapping_sub(1))
}

fn move_byte(square: Square) -> u8 {
    (square.row() + 1) * 10 + square.column() + 1
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Record, Why};
    use rules::ByColor;

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
            games.iter().map(|game| Record::try_from(game.raw(&games.header, &names).unwrap()).unwrap()).collect();
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
    fn theory_is_kept_and_never_made_up() {
        let day = Date { year: 2026, month: 2, day: 3 };
        let plain = record("f5d6c5f4e7f6g5e6e3");
        let base = Base::write(std::slice::from_ref(&plain), day).unwrap();
        // the depth says that the score is that of the last square, which is the actual one
        assert_eq!((base.games[14], base.games[HEADER + 7]), (1, 64));
        let read = |games: &[u8]| {
            let games = Games::open(games).unwrap();
            Record::try_from(games.get(0).unwrap().raw(&games.header, &Names::default()).unwrap()).unwrap()
        };
        assert_eq!(read(&base.games).headers.theory, None);
        let theory = |black, empties| Some(crate::Theory { black, empties });
        for (depth, written) in [(24, 24), (22, 22), (0, 22)] {
            let mut file = base.games.clone();
            (file[14], file[HEADER + 7]) = (depth, 30);
            let record = read(&file);
            assert_eq!(record.headers.theory, theory(30, written));
            let again = Base::write(std::slice::from_ref(&record), day).unwrap().games;
            assert_eq!((again[14], again[HEADER + 7]), (written, 30));
            assert_eq!(crate::lost(std::slice::from_ref(&record), crate::Format::Wthor), []);
            // beside a game that has none there is no honest way to keep it
            let both = [record, plain.clone()];
            let mixed = Base::write(&both, day).unwrap().games;
            assert_eq!((mixed[14], mixed[HEADER + 7]), (1, 64));
            assert_eq!(crate::lost(&both, crate::Format::Wthor), [(crate::Loss::Theory, 1)]);
        }
        // an unfinished game whose result nobody knows: the lead, and it is said
        let unfinished = record("f5d6c3");
        assert_eq!(Base::write(std::slice::from_ref(&unfinished), day).unwrap().games[HEADER + 6], 33);
        assert_eq!(crate::lost(&[unfinished], crate::Format::Wthor), [(crate::Loss::Result, 1)]);
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
        let error = games.get(0).unwrap().raw(&games.header, &Names::default()).unwrap_err();
        assert_eq!((error.byte, error.why.ply()), (9, Some(2)));
        assert_eq!(games.get(1).unwrap().replay(|_| {}).unwrap_err().to_string(), "move 2: a1 turns no disc");
        assert_eq!(
            games.get(1).unwrap().raw(&games.header, &Names::default()).unwrap_err().why,
            Why::Score { score: 65 }
        );
        assert_eq!(names::read::<PLAYER>(&base.players[..20]), Err(Why::Truncated { promised: 1, found: 0 }));
    }
}
