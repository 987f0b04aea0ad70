//! What happens, said in a sentence.

use super::{
    game::{Advice, Game, Trouble, Way},
    link::NoWay,
};
use crate::{
    commands::serve,
    context::{Context, Failure},
    fail, text,
};
use rules::{Color, Square};
use server::{
    ReachError,
    protocol::{Cause, GameSummary, OpeningReached, Why},
};
use table::{Called, ClockView, Empties, Ending, Phrase, SeatKind, SeatView, Stage, Verdict, View, Wish};

pub(super) fn name(seats: &rules::ByColor<SeatView>, color: Color, context: &Context) -> String {
    let seat = &seats[color];
    match (seat.kind, &seat.name) {
        (SeatKind::Open, _) => text!(context, "play-nobody"),
        (SeatKind::Computer, _) => text!(context, "play-computer", level = seat.level.unwrap_or_default()),
        (SeatKind::Person, Some(Called::Name(name))) => name.to_string(),
        (SeatKind::Person, _) if seats[!color].kind == SeatKind::Computer => text!(context, "player-you"),
        (SeatKind::Person, Some(Called::Second)) => text!(context, "player-2"),
        (SeatKind::Person, _) => text!(context, "player-1"),
    }
}

pub(super) fn turn(color: Color, context: &Context) -> String {
    text!(context, "play-turn", color = color.to_string())
}

/// The move last played: `Black f5, turns e5.` Nothing when the game ended otherwise than by it.
pub(super) fn last_move(view: &View, context: &Context) -> Option<String> {
    let ending = view.verdict.map(|verdict| verdict.ending);
    if matches!(ending, Some(Ending::Resigned | Ending::OutOfTime | Ending::Scrapped | Ending::Aborted | Ending::Left))
    {
        return None;
    }
    let last = view.last.as_ref()?;
    let discs = last.flips.iter().map(|square| square.to_string()).collect::<Vec<_>>().join(" ");
    Some(text!(context, "play-move", color = last.by.to_string(), square = last.square.to_string(), discs = discs))
}

/// What players call an opening.
pub(super) fn opening<'a>(reached: &'a OpeningReached, context: &Context) -> &'a str {
    context.messages.of(&reached.name.en, &reached.name.es)
}

/// What speaks for a good move.
pub(super) fn advice(advice: &Advice, context: &Context) -> String {
    let Advice { square, instead_of, reason } = advice;
    context.because(reason, *instead_of, Some(*square))
}

/// Which game goes on.
pub(super) fn going_on(game: &Game, context: &Context) -> String {
    let [black, white] = Color::ALL.map(|color| name(&game.view.seats, color, context));
    let (id, moves) = (game.id.to_string(), game.moves.len());
    text!(context, "play-going-on", game = id, black = black, white = white, moves = moves)
}

/// The games one could go on with: `x8k2m0q4r7st (Ana, Luis)`.
pub(super) fn choices(games: &[GameSummary], context: &Context) -> String {
    let one = |game: &GameSummary| {
        let [black, white] = Color::ALL.map(|color| name(&game.seats, color, context));
        format!("{} ({black}, {white})", game.game)
    };
    games.iter().map(one).collect::<Vec<_>>().join("; ")
}

/// Whether to begin another game, and what becomes of this one.
pub(super) fn confirm_new(view: &View, context: &Context) -> String {
    let over = if view.verdict.is_some() { "yes" } else { "no" };
    text!(context, "play-confirm-new", over = over)
}

/// The moves that were given, before anyone has chosen one.
pub(super) fn given(game: &Game, context: &Context) -> Option<String> {
    let given = game.given();
    let fresh = given > 0 && game.moves.len() == given;
    fresh.then(|| text!(context, "play-given", moves = list(game, context)))
}

/// `1. f5 2. d6 3. c3 …`, passes in their place, given moves in brackets.
pub(super) fn list(game: &Game, context: &Context) -> String {
    let (pass, given) = (text!(context, "play-pass"), game.given());
    let mut words = Vec::new();
    for (index, played) in game.moves.iter().enumerate() {
        let open = if index == 0 && given > 0 { "(" } else { "" };
        let close = if index + 1 == given { ")" } else { "" };
        words.push(format!("{open}{}. {}{close}", index + 1, played.square));
        if played.passed {
            words.push(pass.clone());
        }
    }
    words.join(" ")
}

/// Who had to pass after the last move.
pub(super) fn passed(view: &View, context: &Context) -> Option<String> {
    view.passed.map(|color| text!(context, "play-passes", color = color.to_string()))
}

pub(super) fn count(view: &View, context: &Context) -> String {
    text!(context, "play-count", black = view.counts.black, white = view.counts.white)
}

/// What one player asks of the other, and how to answer.
pub(super) fn offer(view: &View, context: &Context) -> Option<String> {
    let offer = view.offer?;
    let over = if view.verdict.is_some() { "yes" } else { "no" };
    if view.seats[offer.by].you {
        let name = name(&view.seats, !offer.by, context);
        return Some(match offer.what {
            Wish::Takeback => text!(context, "page-offer-yours-takeback", name = name),
            Wish::NewGame => text!(context, "page-offer-yours-new-game", name = name),
            Wish::Rematch => text!(context, "page-offer-yours-rematch", name = name),
            Wish::Scrap => text!(context, "page-offer-yours-scrap", name = name),
            Wish::Pause => text!(context, "page-offer-yours-pause", name = name),
            Wish::Resume => text!(context, "page-offer-yours-resume", name = name),
        });
    }
    let name = name(&view.seats, offer.by, context);
    let asked = match offer.what {
        Wish::Takeback => text!(context, "page-offer-takeback", name = name),
        Wish::NewGame => text!(context, "page-offer-new-game", name = name, over = over),
        Wish::Rematch => text!(context, "page-offer-rematch", name = name, over = over),
        Wish::Scrap => text!(context, "page-offer-scrap", name = name),
        Wish::Pause => text!(context, "page-offer-pause", name = name),
        Wish::Resume => text!(context, "page-offer-resume", name = name),
    };
    Some(format!("{asked} {}", text!(context, "play-offer-answer")))
}

/// What became of a question, for those who did not answer it themselves.
pub(super) fn answered(cause: Cause, game: &Game, context: &Context) -> Option<String> {
    let asked = game.asked_before?;
    let ours = game.view.seats[asked.by].you;
    match cause {
        Cause::Declined if ours => {
            Some(text!(context, "page-offer-declined", name = name(&game.view.seats, !asked.by, context)))
        }
        Cause::Withdrawn if !ours => {
            Some(text!(context, "page-offer-withdrawn", name = name(&game.view.seats, asked.by, context)))
        }
        _ => None,
    }
}

/// What a player has just said: `Luis: Good luck!`
pub(super) fn said(view: &View, context: &Context) -> Option<String> {
    let said = view.said.last()?;
    let phrase = match said.phrase {
        Phrase::Hello => text!(context, "page-phrase-hello"),
        Phrase::GoodLuck => text!(context, "page-phrase-good-luck"),
        Phrase::WellPlayed => text!(context, "page-phrase-well-played"),
        Phrase::Thanks => text!(context, "page-phrase-thanks"),
        Phrase::Sorry => text!(context, "page-phrase-sorry"),
        Phrase::OneMoment => text!(context, "page-phrase-one-moment"),
        Phrase::GoodGame => text!(context, "page-phrase-good-game"),
        Phrase::ThatWasClose => text!(context, "page-phrase-that-was-close"),
    };
    Some(text!(context, "page-said", name = name(&view.seats, said.by, context), phrase = phrase))
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
        Ending::Aborted => return vec![text!(context, "play-aborted", color = whose)],
        Ending::Left => text!(context, "play-why-left", color = whose),
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
    let played_out = !matches!(verdict.ending, Ending::Resigned | Ending::OutOfTime | Ending::Left);
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

/// Why nothing was done, and that nothing was. `square` is where a disc was to be placed.
pub(super) fn refused(why: Why, reason: &str, square: Option<Square>, game: &Game, context: &Context) -> String {
    let square = square.map(|square| square.to_string()).unwrap_or_default();
    match why {
        Why::Occupied => text!(context, "play-refused-occupied", square = square),
        Why::TurnsNothing => text!(context, "play-refused-turns-nothing", square = square),
        Why::Over => text!(context, "play-refused-over"),
        Why::OutOfTime => text!(context, "play-refused-out-of-time"),
        Why::NoTakebacks => text!(context, "play-refused-no-takebacks"),
        Why::NothingToTakeBack => text!(context, "play-refused-nothing"),
        Why::NotYourTurn if game.is_thinking() => text!(context, "play-thinking"),
        Why::NotYourTurn => text!(context, "page-refused-not-your-turn"),
        Why::NotSaved => text!(context, "play-not-saved", reason = reason),
        Why::Unsure => text!(context, "play-refused-unsure"),
        Why::Unreadable => text!(context, "page-refused-unreadable"),
        Why::TooMany => text!(context, "page-refused-too-many"),
        Why::NoSuchGame => text!(context, "page-refused-no-such-game"),
        Why::NotYours => text!(context, "page-refused-not-yours"),
        Why::WrongPly => text!(context, "page-refused-wrong-ply"),
        Why::Full => text!(context, "page-refused-full"),
        Why::Busy => text!(context, "page-refused-busy"),
        Why::TooLong => text!(context, "page-refused-too-long"),
        Why::Waiting => text!(context, "page-refused-waiting"),
        Why::AlreadyAsked => text!(context, "page-refused-already-asked"),
        Why::NotAsked => text!(context, "page-refused-not-asked"),
        Why::NoHints => text!(context, "page-refused-no-hints"),
        // What a terminal never asks for.
        _ => reason.to_owned(),
    }
}

/// The end of the program, for want of games to play.
pub(super) fn failure(trouble: Trouble, context: &Context) -> Failure {
    match trouble {
        Trouble::Refused(Why::BadRules, _) => fail!(context, "play-bad-clock"),
        Trouble::Refused(Why::TooMany, _) => fail!(context, "page-refused-too-many"),
        Trouble::Refused(Why::Full, _) => fail!(context, "page-refused-full"),
        Trouble::Refused(_, reason) => fail!(context, "play-not-saved", reason = reason),
        Trouble::Lost(NoWay::Start(error)) => {
            fail!(context, "play-not-saved", reason = serve::no_games(error, context).sentence())
        }
        Trouble::Lost(NoWay::Reach(folder, ReachError::Version(_))) => {
            fail!(context, "play-other-version", path = folder.display().to_string())
        }
        Trouble::Lost(NoWay::Reach(folder, ReachError::Io(error))) => {
            let path = folder.display().to_string();
            fail!(context, "play-no-answer", path = path, reason = context.reason(&error))
        }
        Trouble::Lost(NoWay::Listen(error)) => {
            fail!(context, "cli-error-listen", address = "127.0.0.1", reason = context.reason(&error))
        }
    }
}

/// That the connection was lost and how it is back.
pub(super) fn connected(way: Way, context: &Context) -> String {
    match way {
        Way::Here => text!(context, "play-connected-here"),
        Way::HandedOver => text!(context, "play-handed-over"),
        Way::There => text!(context, "play-connected"),
    }
}

/// `29:59`; tenths in the last ten seconds; what the time belongs to, if it is not the main time.
pub(super) fn clock(clock: &ClockView, context: &Context) -> String {
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
