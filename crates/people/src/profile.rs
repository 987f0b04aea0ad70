//! What someone has played: [`Played`], [`Tally`].

use crate::{Handle, Rating, Speed};
use rules::{ByColor, Color};
use serde::{Deserialize, Serialize};
use table::{At, GameId, Opening, PersonId, Rules, Seat, Verdict};

/// A finished game between two people, for their lists and counts.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Played {
    /// The game.
    pub game: GameId,
    /// When it ended.
    pub at: At,
    /// How fast it was; `None` without clocks.
    pub speed: Option<Speed>,
    /// Where it began.
    pub opening: Opening,
    /// Who played.
    pub players: ByColor<PersonId>,
    /// Who won; nobody won a draw.
    pub winner: Option<Color>,
    /// Whether others find it in the lists of its players: it was rated, or the two met in the lobby. What friends play by a private
    /// link is theirs.
    pub public: bool,
}

impl Played {
    /// The game, if it counts: two people played, and it was not broken off.
    pub fn new(game: &GameId, at: At, rules: &Rules, seats: &ByColor<Seat>, verdict: &Verdict) -> Option<Played> {
        let players = ByColor { black: seats.black.person()?, white: seats.white.person()? };
        if players.black == players.white || !verdict.ending.has_result() {
            return None;
        }
        Some(Played {
            game: game.clone(),
            at,
            speed: Speed::of(rules.time),
            opening: rules.opening,
            players,
            winner: verdict.winner,
            public: rules.rated || rules.prompt_start,
        })
    }

    /// How it went for one of them.
    pub fn score(&self, color: Color) -> Score {
        match self.winner {
            None => Score::Drawn,
            Some(winner) if winner == color => Score::Won,
            Some(_) => Score::Lost,
        }
    }
}

/// How a game went for one player.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Score {
    /// They won.
    Won,
    /// Nobody did.
    Drawn,
    /// The other did.
    Lost,
}

impl Score {
    /// As it is kept.
    pub fn as_str(self) -> &'static str {
        match self {
            Score::Won => "won",
            Score::Drawn => "drawn",
            Score::Lost => "lost",
        }
    }

    /// What is kept so.
    pub fn from_text(text: &str) -> Option<Score> {
        [Score::Won, Score::Drawn, Score::Lost].into_iter().find(|score| score.as_str() == text)
    }
}

/// How games of one kind went for one person.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Tally {
    /// How fast they were; null without clocks.
    pub speed: Option<Speed>,
    /// Where they began.
    pub opening: Opening,
    /// The person's colour.
    #[cfg_attr(feature = "ts", ts(type = "Color"))]
    pub color: Color,
    /// How many they won.
    pub won: u32,
    /// How many nobody won.
    pub drawn: u32,
    /// How many they lost.
    pub lost: u32,
}

/// Someone on a list of the best.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Leader {
    /// Who.
    pub who: PersonId,
    /// What they are called.
    pub handle: Handle,
    /// Whether a program plays.
    pub bot: bool,
    /// How well they play.
    pub rating: Rating,
}

#[cfg(test)]
mod tests {
    use super::*;
    use table::{Called, Ending, Preset};

    #[test]
    fn only_games_of_two_people_that_were_played_count() {
        let game: GameId = "k7q2m9x4tbcd".parse().unwrap();
        let person = |who| Seat::Person { who: PersonId(who), name: Called::First };
        let verdict = Verdict {
            ending: Ending::Full,
            whose: None,
            winner: Some(Color::White),
            discs: ByColor { black: 20, white: 44 },
            score: ByColor { black: 20, white: 44 },
            difference: -24,
            late: None,
        };
        let rules = Preset::Tournament.rules();
        let played =
            |black, white, verdict: &Verdict| Played::new(&game, 9, &rules, &ByColor { black, white }, verdict);
        let counted = played(person(1), person(2), &verdict).unwrap();
        assert_eq!((counted.speed, counted.players.white), (Some(Speed::Slow), PersonId(2)));
        assert!(!counted.public, "by a private link");
        for rules in [Rules { rated: true, ..rules }, Rules { prompt_start: true, ..rules }] {
            let seats = ByColor { black: person(1), white: person(2) };
            assert!(Played::new(&game, 9, &rules, &seats, &verdict).unwrap().public, "{rules:?}");
        }
        assert_eq!((counted.score(Color::Black), counted.score(Color::White)), (Score::Lost, Score::Won));
        assert_eq!(Played { winner: None, ..counted }.score(Color::Black), Score::Drawn);
        assert_eq!(played(person(1), person(1), &verdict), None);
        assert_eq!(played(person(1), Seat::Computer { level: 3 }, &verdict), None);
        for ending in [Ending::Scrapped, Ending::Aborted] {
            assert_eq!(played(person(1), person(2), &Verdict { ending, ..verdict }), None);
        }
    }
}
