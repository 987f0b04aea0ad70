//! What of a game a format has no place for.
//!
//! Each writer says beside itself what it keeps; a property test writes, reads again, and finds exactly the differences
//! that were said.

use crate::{Claim, Format, How, Note, Record, ggf, pgn, sgf, wthor};

/// Something of a game that not every format can hold.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Loss {
    /// The moves: a board shows where they led.
    Moves,
    /// Moves that were not played.
    Variations,
    /// Remarks in words, or a part of them.
    Comments,
    /// What a player or a program thought of a move.
    Evaluations,
    /// The time taken for a move.
    Seconds,
    /// The players' names, or a part of them.
    Players,
    /// The players' ratings.
    Ratings,
    /// The tournament, or a part of its name.
    Event,
    /// The place.
    Site,
    /// The date, or a part of it.
    Date,
    /// The round.
    Round,
    /// The time control, or a part of it.
    Clock,
    /// The result; or that there is none, where a format must have one.
    Result,
    /// That the result came about by resignation, by time or by agreement.
    Ending,
    /// What best play would have led to.
    Theory,
    /// The known scores of a test position.
    KnownScores,
    /// Properties of another format, or that cannot be written.
    Properties,
    /// Which of four symmetric ways the board was looked at.
    Orientation,
}

impl Loss {
    /// Every kind.
    pub const ALL: [Loss; 18] = [
        Loss::Moves,
        Loss::Variations,
        Loss::Comments,
        Loss::Evaluations,
        Loss::Seconds,
        Loss::Players,
        Loss::Ratings,
        Loss::Event,
        Loss::Site,
        Loss::Date,
        Loss::Round,
        Loss::Clock,
        Loss::Result,
        Loss::Ending,
        Loss::Theory,
        Loss::KnownScores,
        Loss::Properties,
        Loss::Orientation,
    ];

    /// One word for it, for programs.
    pub const fn name(self) -> &'static str {
        match self {
            Loss::Moves => "moves",
            Loss::Variations => "variations",
            Loss::Comments => "comments",
            Loss::Evaluations => "evaluations",
            Loss::Seconds => "seconds",
            Loss::Players => "players",
            Loss::Ratings => "ratings",
            Loss::Event => "event",
            Loss::Site => "site",
            Loss::Date => "date",
            Loss::Round => "round",
            Loss::Clock => "clock",
            Loss::Result => "result",
            Loss::Ending => "ending",
            Loss::Theory => "theory",
            Loss::KnownScores => "known_scores",
            Loss::Properties => "properties",
            Loss::Orientation => "orientation",
        }
    }
}

/// What is lost when these games are written in this format, and of how many of them.
///
/// ```
/// use record::{Format, Loss, Record, lost, sgf};
/// let (_, game) = sgf::games(b"(;GM[2](;B[f5];W[d6])(;B[d3]))").next().unwrap();
/// let record = Record::try_from(game?)?;
/// assert_eq!(lost(&[record.clone()], Format::Sgf), []);
/// assert_eq!(lost(&[record], Format::Pgn), [(Loss::Variations, 1)]);
/// # Ok::<(), record::ReadError>(())
/// ```
pub fn lost(records: &[Record], to: Format) -> Vec<(Loss, usize)> {
    let shared = wthor::Shared::of(records);
    let is_lost = |record: &Record, loss: Loss| match to {
        // a score must be written, whether there is one or not
        Format::Wthor if loss == Loss::Result => !wthor::keeps(record, loss, &shared),
        _ if !is_there(record, loss) => false,
        Format::Wthor => !wthor::keeps(record, loss, &shared),
        Format::Pgn => !pgn::keeps(record, loss),
        Format::Ggf => !ggf::keeps(record, loss),
        Format::Sgf => !sgf::keeps(record, loss),
        // nothing but the moves
        Format::Transcript => !matches!(loss, Loss::Moves | Loss::Orientation),
        // nothing but the position and its scores; a game with moves is not written
        Format::Obf => loss != Loss::KnownScores,
        Format::Board => loss != Loss::Orientation,
    };
    let count = |loss: Loss| (loss, records.iter().filter(|record| is_lost(record, loss)).count());
    Loss::ALL.into_iter().map(count).filter(|&(_, games)| games > 0).collect()
}

/// Whether a game says anything of this kind.
fn is_there(record: &Record, loss: Loss) -> bool {
    let headers = &record.headers;
    let any_note = |says: fn(&Note) -> bool| record.notes().iter().any(|one| says(&one.note));
    match loss {
        Loss::Moves => !record.moves().is_empty(),
        Loss::Variations => record.main_len() < record.moves().len(),
        Loss::Comments => any_note(|note| !note.comment.is_empty()),
        Loss::Evaluations => any_note(|note| note.eval.is_some()),
        Loss::Seconds => any_note(|note| note.seconds.is_some()),
        Loss::Players => [&headers.players.black, &headers.players.white].iter().any(|name| !name.is_empty()),
        Loss::Ratings => [&headers.ratings.black, &headers.ratings.white].iter().any(|rating| !rating.is_empty()),
        Loss::Event => !headers.event.is_empty(),
        Loss::Site => !headers.site.is_empty(),
        Loss::Date => !headers.date.is_empty(),
        Loss::Round => !headers.round.is_empty(),
        Loss::Clock => !headers.time.is_empty(),
        // what the moves say need not be said again
        Loss::Result => headers.claim.is_some() && !is_played(record),
        Loss::Ending => headers.claim.is_some_and(|claim| claim.how() != How::Played),
        Loss::Theory => headers.theory.is_some(),
        Loss::KnownScores => !record.known().is_empty(),
        Loss::Properties => !headers.extra.is_empty() || any_note(|note| !note.extra.is_empty()),
        Loss::Orientation => record.main_len() > 0,
    }
}

/// Whether the result is what the moves led to.
fn is_played(record: &Record) -> bool {
    let played = record.outcome().map(|outcome| f32::from(outcome.difference()));
    played.is_some() && record.result().and_then(Claim::difference) == played
}

/// Whether every note that says this is on a move of the main line.
pub(crate) fn on_main_line(record: &Record, says: fn(&Note) -> bool) -> bool {
    let main = record.main_len() as u32;
    record.notes().iter().filter(|one| says(&one.note)).all(|one| one.on.is_some_and(|on| on < main))
}

/// Whether a text is the same but for the white space in it.
pub(crate) fn same_words(one: &str, other: &str) -> bool {
    one.split_whitespace().eq(other.split_whitespace())
}
