//! What happens, said in a sentence.

use super::game::{Game, Trouble};
use crate::{context::Context, text};
use rules::{Color, Reason, Square};
use table::{Called, Clock, Empties, Ending, Refusal, Seat, Stage, Table, Verdict};

pub(super) fn name(table: &Table, color: Color, context: &Context) -> String {
    match &table.seats()[color] {
        Seat::Person { name: Called::Name(name), .. } => name.to_string(),
        Seat::Person { .. } if matches!(table.seats()[!color], Seat::Computer { .. }) => text!(context, "player-you"),
        Seat::Person { name: Called::Second, .. } => text!(context, "player-2"),
        Seat::Person { .. } => text!(context, "player-1"),
        Seat::Computer { level } => text!(context, "play-computer", level = *level),
        Seat::Open => String::new(),
    }
}

pub(super) fn turn(color: Color, context: &Context) -> String {
    text!(context, "play-turn", color = color.to_string())
}

/// The move last played: `Black f5, turns e5.` Nothing when the game ended otherwise than by it.
pub(super) fn last_move(table: &Table, context: &Context) -> Option<String> {
    let ending = table.verdict().map(|verdict| verdict.ending);
    if matches!(ending, Some(Ending::Resigned | Ending::OutOfTime | Ending::Scrapped)) {
        return None;
    }
    let step = &table.moves().last()?.step;
    let discs = step.flips.iter().map(|square| square.to_string()).collect::<Vec<_>>().join(" ");
    Some(text!(context, "play-move", color = step.by.to_string(), square = step.square.to_string(), discs = discs))
}

/// Whether to begin another game, and what becomes of this one.
pub(super) fn confirm_new(table: &Table, context: &Context) -> String {
    let over = if table.verdict().is_some() { "yes" } else { "no" };
    text!(context, "play-confirm-new", over = over)
}

/// The moves that were given, before anyone has chosen one.
pub(super) fn given(table: &Table, context: &Context) -> Option<String> {
    let fresh = table.given() > 0 && table.moves().len() == table.given();
    fresh.then(|| text!(context, "play-given", moves = super::plain::list(table, context)))
}

/// Who had to pass after the last move.
pub(super) fn passed(table: &Table, context: &Context) -> Option<String> {
    let step = &table.moves().last()?.step;
    step.passed.then(|| text!(context, "play-passes", color = (!step.by).to_string()))
}

pub(super) fn count(table: &Table, context: &Context) -> String {
    let count = table.position().count();
    text!(context, "play-count", black = count.black, white = count.white)
}

/// Who won, by how much, and why.
pub(super) fn verdict(verdict: &Verdict, empties: Empties, context: &Context) -> Vec<String> {
    let whose = verdict.whose.unwrap_or(Color::Black).to_string();
    let why = match verdict.ending {
        Ending::Full => text!(context, "play-why-full"),
        Ending::WipedOut => text!(context, "play-why-wiped-out", color = whose),
        Ending::NoMoves => text!(context, "play-why-no-moves"),
        Ending::Resigned => text!(context, "play-why-resigned", color = whose),
        Ending::OutOfTime => text!(context, "play-why-out-of-time", color = whose),
        Ending::Scrapped => return vec![text!(context, "play-scrapped")],
    };
    let score = verdict.score;
    let mut lines = vec![why];
    lines.push(match verdict.winner {
        Some(color) => {
            text!(context, "play-wins", color = color.to_string(), high = score[color], low = score[!color])
        }
        None => text!(context, "play-draw", black = score.black, white = score.white),
    });
    let left = 64 - verdict.discs.black - verdict.discs.white;
    let played_out = !matches!(verdict.ending, Ending::Resigned | Ending::OutOfTime);
    if let Some(color) = verdict.late.filter(|_| played_out) {
        lines.push(text!(context, "play-late", color = color.to_string()));
    } else if left > 0 && played_out && empties == Empties::ToWinner {
        let (black, white) = (verdict.discs.black, verdict.discs.white);
        lines.push(if verdict.winner.is_some() {
            text!(context, "play-empties", black = black, white = white, empties = left)
        } else {
            text!(context, "play-empties-shared", black = black, white = white, empties = left)
        });
    }
    lines.push(text!(context, "play-score", difference = format!("{:+}", verdict.difference)));
    lines
}

/// Why nothing was done, and that nothing was.
pub(super) fn trouble(trouble: &Trouble, context: &Context) -> String {
    let refusal = match trouble {
        Trouble::Disk(error) => return text!(context, "play-not-saved", reason = context.reason(error)),
        Trouble::Refused(refusal) => refusal,
    };
    match refusal {
        Refusal::Illegal(illegal) => illegal_move(illegal.square, illegal.reason, context),
        Refusal::Over => text!(context, "play-refused-over"),
        Refusal::OutOfTime => text!(context, "play-refused-out-of-time"),
        Refusal::NoTakebacks => text!(context, "play-refused-no-takebacks"),
        Refusal::NothingToTakeBack => text!(context, "play-refused-nothing"),
        Refusal::NotYourTurn => text!(context, "play-thinking"),
        // A double click, or something only people on two devices can do.
        other => other.to_string(),
    }
}

fn illegal_move(square: Square, reason: Reason, context: &Context) -> String {
    let square = square.to_string();
    match reason {
        Reason::Occupied => text!(context, "play-refused-occupied", square = square),
        Reason::TurnsNothing => text!(context, "play-refused-turns-nothing", square = square),
        Reason::GameOver => text!(context, "play-refused-over"),
    }
}

/// `29:59`; tenths in the last ten seconds; what the time belongs to, if it is not the main time.
pub(super) fn clock(clock: &Clock, context: &Context) -> String {
    let (seconds, tenths) = (clock.left_ms / 1000, clock.left_ms / 100 % 10);
    let time = match seconds {
        0..10 => format!("0:{seconds:02}.{tenths}"),
        10..3600 => format!("{}:{:02}", seconds / 60, seconds % 60),
        _ => format!("{}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60),
    };
    match clock.stage {
        Stage::Main | Stage::Out => time,
        Stage::Period(more) => format!("{time} +{more}"),
        Stage::Overtime => text!(context, "play-overtime", time = time),
    }
}

/// The seat from which a move is taken back: the last mover's, or the only person's.
pub(super) fn takeback_seat(game: &Game) -> Option<Color> {
    game.table.takeback_seat(super::PEOPLE)
}

/// The person who gives up or begins again: the one to move, or the only one.
pub(super) fn person(game: &Game) -> Color {
    let held = |color: &Color| game.table.holds(Some(super::PEOPLE), *color);
    game.table.turn().filter(held).or(Color::ALL.into_iter().find(held)).unwrap_or(Color::Black)
}
