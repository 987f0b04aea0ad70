//! What a new study begins with.

use super::text;
use crate::{
    House,
    computer::owner_of,
    protocol::{StudySource, Why},
    refusal::Refused,
    secret,
};
use analyst::{Ask, Limits, Owner, Purpose};
use room::balanced_opening;
use rules::{Color, Position, Setup};
use std::sync::Arc;
use study::tree::Tree;
use table::{GameId, PersonId};

/// How many positions are tried before none is found.
const ATTEMPTS: usize = 250;
/// How many moves ahead each is looked at first, and by how much that may be wrong of one that is looked at again.
const GLANCE: u32 = 8;
const SLACK: i32 = 2;
/// How many moves ahead it is looked at again; with fewer empty squares, to the end of the game.
const DEPTH: u32 = 16;
const SOLVE: u32 = 20;

/// What a random position is to be like.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct RandomRange {
    /// Its value for Black lies between these.
    from: i32,
    to: i32,
    empties: u32,
}

impl RandomRange {
    /// The fewest and the most empty squares: there is something to play, and an opening behind it.
    const EMPTIES: std::ops::RangeInclusive<u8> = 4..=50;

    /// # Errors
    ///
    /// `nothing_found` for what no position is like.
    pub(super) fn new(from: i32, to: i32, empties: u8) -> Result<RandomRange, Refused> {
        if from > to || from > 64 || to < -64 {
            return Err(Refused::new(Why::NothingFound, "the range of values is empty"));
        }
        if !RandomRange::EMPTIES.contains(&empties) {
            let (least, most) = RandomRange::EMPTIES.into_inner();
            return Err(Refused::new(Why::NothingFound, format!("between {least} and {most} squares can be empty")));
        }
        Ok(RandomRange { from, to, empties: empties.into() })
    }
}

impl House {
    /// What a source is known by, if one study of it is enough. No command has an id with a space in it.
    pub(super) async fn source_name(&self, who: PersonId, from: &StudySource) -> Result<Option<String>, Refused> {
        Ok(match from {
            StudySource::Library { number } => {
                let number = u32::try_from(*number).map_err(|_| Refused::no_such_game())?;
                // with its moves: another library has another game of this number
                let moves: String =
                    self.library_game(who, number).await?.main_line().map(|square| square.to_string()).collect();
                Some(format!("library {number} {moves}"))
            }
            StudySource::Exercise { card } => Some(format!("exercise {card}")),
            _ => None,
        })
    }

    /// The tree of a source, the game it is of, and how many more games there were.
    pub(super) async fn source(
        self: &Arc<House>,
        who: PersonId,
        from: StudySource,
    ) -> Result<(Tree, Option<GameId>, u32), Refused> {
        Ok(match from {
            StudySource::Start => (Tree::new(Position::start()), None, 0),
            StudySource::Text { text } => {
                let (tree, more) = text::read(&text)?;
                (tree, None, more)
            }
            StudySource::Game { game } => {
                let (table, begun) = self.live(&game).await?.table().await;
                if table.verdict().is_none() && !table.may_have_hint(who) {
                    return Err(Refused::new(Why::NoHints, "the game is not over, and another person plays in it"));
                }
                let record =
                    crate::record_of_table(&table, begun).map_err(|error| Refused::new(Why::Unreadable, error))?;
                (Tree::from_record(&record)?, Some(game), 0)
            }
            StudySource::Library { number } => {
                let number = u32::try_from(number).map_err(|_| Refused::no_such_game())?;
                (Tree::from_record(&self.library_game(who, number).await?)?, None, 0)
            }
            StudySource::Exercise { card } => (self.exercise_tree(who, &card).await?, None, 0),
            StudySource::Position { board, turn } => {
                let bad = |why: &dyn ToString| Refused::new(Why::BadText, why.to_string());
                let setup: Setup = format!("{board} {}", turn.letter()).parse().map_err(|error| bad(&error))?;
                (Tree::new(setup.position().map_err(|error| bad(&error))?), None, 0)
            }
            // Random positions are looked for elsewhere: that takes a while.
            StudySource::Random { from, to, empties } => {
                let range = RandomRange::new(from, to, empties)?;
                (Tree::new(self.random_position(owner_of(who), &range).await?), None, 0)
            }
        })
    }

    /// A position that a search gives a value in this range: from a balanced opening on, moves that are more or less good. Whoever
    /// looks at it will find the same value: a quick search only says what is worth a longer one.
    pub(super) async fn random_position(&self, owner: Owner, range: &RandomRange) -> Result<Position, Refused> {
        let mut random = random()?;
        for _ in 0..ATTEMPTS {
            let Some(position) = self.wander(owner, range.empties, &mut random).await? else { continue };
            let is_within = async |limits: Limits, slack: i32| {
                let (_, score) = self.look(owner, &position, limits).await?.swap_remove(0);
                let black = if position.turn() == Some(Color::Black) { score } else { -score };
                Ok::<bool, Refused>((range.from - slack..=range.to + slack).contains(&black))
            };
            let glance = Limits { depth: GLANCE, solve_at: GLANCE, ..Limits::default() };
            let search = Limits { depth: DEPTH, solve_at: SOLVE, ..Limits::default() };
            if is_within(glance, SLACK).await? && is_within(search, 0).await? {
                return Ok(position);
            }
        }
        Err(Refused::new(Why::NothingFound, "no such position was found: try a wider range"))
    }

    /// Plays on from an opening until so many squares are empty; `None` if the game is over by then.
    async fn wander(
        &self,
        owner: Owner,
        empties: u32,
        random: &mut impl FnMut() -> u64,
    ) -> Result<Option<Position>, Refused> {
        let mut position = Position::start();
        for square in balanced_opening(random()) {
            position = position.play_unchecked(square).after;
        }
        // How careless both sides are, in discs: some positions stay even, others do not.
        let slack = [1, 3, 8, 20][random() as usize % 4];
        while position.empty().len() > empties {
            if position.is_over() {
                return Ok(None);
            }
            let moves =
                self.look(owner, &position, Limits { depth: 1, solve_at: 1, lines: 64, ..Limits::default() }).await?;
            let best = moves.iter().map(|(_, score)| *score).max().unwrap_or(0);
            let good: Vec<_> = moves.iter().filter(|(_, score)| *score >= best - slack).collect();
            position = position.play_unchecked(good[random() as usize % good.len()].0).after;
        }
        Ok((!position.is_over()).then_some(position))
    }

    /// The best moves of a position that is not over, at least one.
    async fn look(
        &self,
        owner: Owner,
        position: &Position,
        limits: Limits,
    ) -> Result<Vec<(rules::Square, i32)>, Refused> {
        let ask = Ask::new(owner, Purpose::Analysis, *position, limits);
        let found = self.analyst.ask(ask).map_err(Refused::busy)?.answer().await;
        let lines = found.map(|found| found.lines).unwrap_or_default();
        if lines.is_empty() {
            return Err(Refused::new(Why::NothingFound, "the computer gave no answer"));
        }
        Ok(lines.iter().map(|line| (line.square, line.score)).collect())
    }
}

/// Any number of numbers.
fn random() -> Result<impl FnMut() -> u64, Refused> {
    let mut state = secret::for_command()?.number() | 1;
    Ok(move || {
        // xorshift: nobody's secret depends on it
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state >> 11
    })
}
