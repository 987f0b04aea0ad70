//! What stands out among somebody's rated games, for the owner to look at: [`Conduct`]. Nobody is judged by it.

use serde::Serialize;
use std::collections::HashMap;
use table::{Ending, PersonId};

/// A game that ends with fewer moves than this has hardly been played.
pub const EARLY: u8 = 20;

/// One of somebody's rated games, as it went for them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RatedGame {
    /// Against whom.
    pub opponent: PersonId,
    /// Whether they won; `None` for a draw.
    pub won: Option<bool>,
    /// How it ended.
    pub ending: Ending,
    /// After how many moves.
    pub moves: u8,
}

/// How somebody has played rated games.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Conduct {
    /// How many.
    pub games: u32,
    /// How many of them they won.
    pub won: u32,
    /// Those they gave up before move [`EARLY`].
    pub resigned_early: u32,
    /// Those they lost before it because their time ran out, or because they left.
    pub left_early: u32,
}

impl Conduct {
    /// How they have played, and how against the one whom they met most often.
    ///
    /// ```
    /// use people::{Conduct, RatedGame};
    /// use table::{Ending, PersonId};
    /// let game = |opponent, won, ending, moves| RatedGame { opponent: PersonId(opponent), won, ending, moves };
    /// let games = [
    ///     game(7, Some(true), Ending::Resigned, 8),
    ///     game(7, Some(false), Ending::Full, 60),
    ///     game(8, Some(false), Ending::Resigned, 19),
    ///     game(7, Some(true), Ending::OutOfTime, 12),
    ///     game(9, None, Ending::Full, 60),
    ///     game(9, Some(false), Ending::OutOfTime, 3),
    /// ];
    /// let (all, most) = Conduct::of(&games);
    /// assert_eq!((all.games, all.won, all.resigned_early, all.left_early), (6, 2, 1, 1), "what others gave up is not theirs");
    /// let (whom, with_them) = most.unwrap();
    /// assert_eq!((whom, with_them.games, with_them.won), (PersonId(7), 3, 2));
    /// assert_eq!(Conduct::of(&[]), (Conduct::default(), None));
    /// ```
    pub fn of(games: &[RatedGame]) -> (Conduct, Option<(PersonId, Conduct)>) {
        let mut all = Conduct::default();
        let mut by_opponent: HashMap<PersonId, Conduct> = HashMap::new();
        for game in games {
            all.add(game);
            by_opponent.entry(game.opponent).or_default().add(game);
        }
        // Of two with as many games always the same.
        let most = by_opponent.into_iter().max_by_key(|(whom, with_them)| (with_them.games, *whom));
        (all, most)
    }

    fn add(&mut self, game: &RatedGame) {
        let lost_early = game.won == Some(false) && game.moves < EARLY;
        self.games += 1;
        self.won += u32::from(game.won == Some(true));
        self.resigned_early += u32::from(lost_early && game.ending == Ending::Resigned);
        self.left_early += u32::from(lost_early && matches!(game.ending, Ending::OutOfTime | Ending::Left));
    }
}
