//! What stands in a column as a word, in every kind of database.

use people::{Score, Speed, Tally};
use rules::Color;
use table::{Opening, Status, Verdict};

pub(crate) fn status_text(status: Status) -> &'static str {
    match status {
        Status::Waiting => "waiting",
        Status::Playing => "playing",
        Status::Over => "over",
    }
}

pub(crate) fn status(text: &str) -> Option<Status> {
    [Status::Waiting, Status::Playing, Status::Over].into_iter().find(|&status| status_text(status) == text)
}

pub(crate) fn color_text(color: Color) -> &'static str {
    match color {
        Color::Black => "black",
        Color::White => "white",
    }
}

pub(crate) fn color(text: &str) -> Option<Color> {
    Color::ALL.into_iter().find(|&color| color_text(color) == text)
}

pub(crate) fn result_text(verdict: &Verdict) -> &'static str {
    match (verdict.ending, verdict.winner) {
        (ending, _) if !ending.has_result() => "scrapped",
        (_, Some(winner)) => color_text(winner),
        (_, None) => "draw",
    }
}

/// A time or a number as a column holds it: one that is too far away is the last there is.
pub(crate) fn column(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

/// Adds a row of games of one kind, with the same end, to those before it; `None` if this version does not know one of the words.
pub(crate) fn add_to_tally(tallies: &mut Vec<Tally>, row: [&str; 4], count: u32) -> Option<()> {
    let [speed, opening, side, score] = row;
    let speed = if speed.is_empty() { None } else { Some(Speed::from_text(speed)?) };
    let openings = [Opening::Standard, Opening::Balanced];
    let opening = openings.into_iter().find(|known| people::opening_text(*known) == opening)?;
    let (color, score) = (color(side)?, Score::from_text(score)?);
    if tallies.last().is_none_or(|last| (last.speed, last.opening, last.color) != (speed, opening, color)) {
        tallies.push(Tally { speed, opening, color, won: 0, drawn: 0, lost: 0 });
    }
    let last = tallies.last_mut()?;
    *match score {
        Score::Won => &mut last.won,
        Score::Drawn => &mut last.drawn,
        Score::Lost => &mut last.lost,
    } = count;
    Some(())
}
