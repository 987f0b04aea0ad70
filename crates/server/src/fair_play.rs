//! No help from this server's engine in a game that counts.
//!
//! Whoever plays a rated game with clocks gets none at all until it is over: its moves are pasted into a study in a second. In one by
//! correspondence, which goes on for weeks, the engine is silent about that game alone. SECURITY.md says what this does not stop.

use crate::{House, lobby::Page, protocol::Why, refusal::Refused};
use people::Speed;
use room::Summary;
use rules::{Board, Position, Setup};
use table::Rules;

impl House {
    /// Whether the engine may think for whoever looks at a page, about a position to which `line` leads. Asked wherever a search for
    /// somebody begins. Rated games are for people with accounts: for others nothing is read.
    pub(crate) async fn check_engine_may_help(&self, page: &Page, line: &[Position]) -> Result<(), Refused> {
        match self.quiet_for(page).await?.about(line) {
            None => Ok(()),
            Some(Silence::Live) => {
                let text = "you are playing a rated game: the engine is quiet until it ends";
                Err(Refused::new(Why::PlayingRated, text))
            }
            Some(Silence::Position) => {
                let text =
                    "this comes from a rated game that you are playing: the engine is quiet about it until it ends";
                Err(Refused::new(Why::PositionInPlay, text))
            }
        }
    }

    /// What the engine, and the book of openings that it made, say nothing about to whoever looks at a page.
    pub(crate) async fn quiet_for(&self, page: &Page) -> Result<Quiet, Refused> {
        if page.identity.account().is_none() {
            return Ok(Quiet::default());
        }
        Ok(Quiet::during(&self.store.rated_in_play(page.who()).await?))
    }
}

/// What the engine says nothing about.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Quiet {
    /// Everything: a rated game with clocks goes on.
    live: bool,
    /// Where rated games by correspondence stand, the same from all sides; none that is still in the opening.
    in_play: Vec<Board>,
}

/// Why the engine says nothing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Silence {
    /// A rated game with clocks goes on.
    Live,
    /// The line leads through the position of a rated game by correspondence, seen from any side.
    Position,
}

/// With fewer discs a position is every opening's: it stands in half of all games, and its best moves in every book.
const OPENING: u32 = 14;

impl Quiet {
    fn during(games: &[(Rules, Summary)]) -> Quiet {
        let live = games.iter().any(|(rules, _)| Speed::of(rules.time) != Some(Speed::Correspondence));
        Quiet { live, in_play: games.iter().filter_map(|(_, summary)| board(summary)).collect() }
    }

    /// Whether nothing is kept quiet.
    pub(crate) fn is_none(&self) -> bool {
        *self == Quiet::default()
    }

    /// Why nothing is said of a position to which `line` leads.
    pub(crate) fn about(&self, line: &[Position]) -> Option<Silence> {
        let leads_through = |board: &Board| line.iter().any(|position| position.board().canonical().0 == *board);
        match self.live {
            true => Some(Silence::Live),
            false => self.in_play.iter().any(leads_through).then_some(Silence::Position),
        }
    }
}

/// Where a game stands, the same from all sides; nothing in the opening.
fn board(summary: &Summary) -> Option<Board> {
    let setup: Setup = format!("{}{}", summary.board, summary.turn?.letter()).parse().ok()?;
    let position = Position::try_from(setup).ok()?;
    (64 - position.empty().len() >= OPENING).then(|| position.board().canonical().0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use rules::{ByColor, Square, Symmetry};
    use table::{Ply, Preset, Seat, Status, TimeControl};

    const LIVE: TimeControl = TimeControl::SuddenDeath { main_ms: 60_000 };
    const DAYS: TimeControl = TimeControl::PerMove { per_move_ms: 86_400_000 };

    fn line(moves: &[Square]) -> Vec<Position> {
        let mut line = vec![Position::start()];
        for square in moves {
            line.push(line[line.len() - 1].play(*square).unwrap().after);
        }
        line
    }

    fn game(time: TimeControl, at: Position) -> (Rules, Summary) {
        let rules = Rules { time, rated: true, ..Preset::Club.rules() };
        let board = at.setup().to_string().chars().take(64).collect();
        let seats = ByColor { black: Seat::Open, white: Seat::Open };
        let (status, ply, turn) = (Status::Playing, Ply(0), at.turn());
        (rules, Summary { changed: 0, seats, status, ply, turn, board, verdict: None, deadline: None })
    }

    fn silence(games: &[(Rules, Summary)], line: &[Position]) -> Option<Silence> {
        Quiet::during(games).about(line)
    }

    /// The first legal move each time.
    fn moves(count: usize) -> Vec<Square> {
        let mut position = Position::start();
        let mut moves = Vec::new();
        for _ in 0..count {
            moves.push(position.legal().first().unwrap());
            position = position.play(moves[moves.len() - 1]).unwrap().after;
        }
        moves
    }

    #[test]
    fn in_a_live_game_the_engine_is_silent_about_everything() {
        let start = Position::start();
        assert_eq!(silence(&[], &[start]), None);
        assert_eq!(silence(&[game(LIVE, start)], &[]), Some(Silence::Live));
        assert_eq!(silence(&[game(DAYS, start), game(LIVE, start)], &[start]), Some(Silence::Live));
    }

    #[test]
    fn by_correspondence_it_is_silent_about_that_game_from_whichever_side_it_is_seen() {
        let moves = moves(16);
        let (played, before) = (line(&moves), line(&moves[..11]));
        let games = [game(DAYS, played[12])];
        assert_eq!(silence(&games, &played), Some(Silence::Position), "and about what may follow");
        assert_eq!(silence(&games, &before), None, "what was before is known");
        for symmetry in Symmetry::ALL {
            let turned: Vec<Square> = moves.iter().map(|square| symmetry.square(*square)).collect();
            // Half of them begin with a move that only White could make.
            if Position::start().play(turned[0]).is_ok() {
                assert_eq!(silence(&games, &line(&turned)), Some(Silence::Position));
            }
        }
        let opening = [game(DAYS, played[4])];
        assert_eq!(silence(&opening, &played), None, "every game goes through such a position");
    }
}
