//! The game as lines of text, for screen readers, pipes and small devices.

use super::{
    game::{Game, News, Trouble},
    link::Event,
    save::{self, Saved},
    words,
};
use crate::{
    context::{Context, Failure},
    text,
};
use rules::Square;
use server::protocol::{Cause, OpeningReached};
use std::{
    io::{self, BufRead},
    thread,
    time::Duration,
};

/// Longer than anyone waits.
const FOR_EVER: Duration = Duration::from_secs(24 * 3600);

pub(super) fn run(mut game: Game, resumed: bool, context: &Context) -> Result<(), Failure> {
    read_lines(&game);
    context.line(&text!(context, "play-plain-welcome"))?;
    if resumed {
        context.line(&words::going_on(&game, context))?;
    }
    begin(&game, context)?;
    while let Some(line) = next_line(&mut game, context)? {
        if !obey(line.trim(), &mut game, context)? {
            break;
        }
    }
    game.leave();
    if game.view.verdict.is_none() { context.line(&text!(context, "play-saved")) } else { Ok(()) }
}

/// What there is to know before the first move.
fn begin(game: &Game, context: &Context) -> Result<(), Failure> {
    if let Some(given) = words::given(game, context) {
        context.line(&given)?;
    }
    context.print(&board(game))?;
    if let Some(offer) = words::offer(&game.view, context) {
        context.line(&offer)?;
    }
    // The computer may have moved before anything was shown.
    if game.is_new && game.moves.last().is_some_and(|last| !last.given) {
        say(game, context)?;
    }
    say_moves(game, context)
}

/// Reads standard input, line by line, without keeping the clock waiting.
fn read_lines(game: &Game) {
    let typed = game.keyboard();
    thread::spawn(move || {
        for line in io::stdin().lock().lines() {
            let Ok(line) = line else { break };
            if !typed(Event::Line(line)) {
                return;
            }
        }
        typed(Event::End);
    });
}

/// The next line, or `None` at the end of the input. Whatever happens meanwhile is said.
fn next_line(game: &mut Game, context: &Context) -> Result<Option<String>, Failure> {
    loop {
        // The computer answers before anything else is read.
        let news = match game.next(!game.is_thinking(), FOR_EVER) {
            Ok(news) => news,
            Err(Trouble::Refused(why, reason)) => {
                context.line(&words::refused(why, &reason, None, game, context))?;
                continue;
            }
            Err(lost) => return Err(words::failure(lost, context)),
        };
        match news {
            None => {}
            Some(News::Line(line)) => return Ok(Some(line)),
            Some(News::End) => return Ok(None),
            Some(News::Another) => begin(game, context)?,
            Some(News::Changed(cause)) => say_change(cause, game, context)?,
            Some(News::Advice(advice)) => context.line(&words::advice(&advice, context))?,
            Some(News::Connected(way)) => context.line(&words::connected(way, context))?,
            Some(News::Deleted) => {
                context.line(&text!(context, "page-refused-no-such-game"))?;
                return Err(Failure::Quiet(0));
            }
        }
    }
}

fn say_change(cause: Cause, game: &Game, context: &Context) -> Result<(), Failure> {
    let (view, over) = (&game.view, game.view.verdict.is_some());
    match cause {
        Cause::Move | Cause::Resigned | Cause::Again | Cause::Aborted | Cause::Claimed => say(game, context),
        Cause::Clock if over => say(game, context),
        Cause::Clock => say_clocks(game, context),
        Cause::Takeback => {
            context.line(&text!(context, "play-taken-back"))?;
            say(game, context)
        }
        Cause::Asked => words::offer(view, context).map_or(Ok(()), |offer| context.line(&offer)),
        Cause::Declined | Cause::Withdrawn => {
            words::answered(cause, game, context).map_or(Ok(()), |answer| context.line(&answer))
        }
        Cause::Seated => {
            context.line(&text!(context, "page-remark-seated"))?;
            say_moves(game, context)
        }
        Cause::Said => words::said(view, context).map_or(Ok(()), |said| context.line(&said)),
        Cause::Paused => context.line(&text!(context, "page-remark-paused")),
        Cause::Resumed => {
            context.line(&text!(context, "page-remark-resumed"))?;
            say(game, context)
        }
        Cause::Opened | Cause::Back => Ok(()),
    }
}

/// Does what a line says; `false` ends the program.
fn obey(line: &str, game: &mut Game, context: &Context) -> Result<bool, Failure> {
    let word = line.to_lowercase();
    if let Some("save" | "guardar") = word.split_whitespace().next() {
        let name = line.split_once(char::is_whitespace).map_or("", |(_, name)| name.trim());
        save(name, game, context)?;
        return Ok(true);
    }
    let mut square = None;
    let done: Result<(), Trouble> = match word.as_str() {
        "" => Ok(()),
        "quit" | "q" | "exit" | "salir" => return Ok(false),
        "help" | "?" | "ayuda" => return context.line(&text!(context, "play-plain-help")).map(|()| true),
        "board" | "tablero" => return context.print(&board(game)).map(|()| true),
        "legal" | "jugadas" => return say_moves(game, context).map(|()| true),
        "moves" | "lista" => return say_list(game, context).map(|()| true),
        "clock" | "reloj" => return say_clocks(game, context).map(|()| true),
        "hint" | "pista" => match game.hint() {
            Ok(square) => {
                context.line(&text!(context, "play-hint", square = square.to_string()))?;
                Ok(())
            }
            Err(trouble) => Err(trouble),
        },
        "undo" | "back" | "deshacer" => game.take_back(),
        "yes" | "y" | "sí" | "si" | "s" => game.answer(true),
        "no" | "n" => game.answer(false),
        "resign" | "abandonar" => {
            let by = game.person();
            context.line(&text!(context, "play-confirm-resign", color = by.to_string()))?;
            match next_line(game, context)? {
                Some(answer) if is_yes(&answer) => game.resign(by),
                _ => Ok(()),
            }
        }
        "new" | "nueva" => {
            context.line(&words::confirm_new(&game.view, context))?;
            match next_line(game, context)?.as_deref().map(str::trim) {
                Some("1") => game.again(false),
                Some("2") => game.again(true),
                _ => Ok(()),
            }
        }
        name => match name.parse::<Square>() {
            Ok(named) => {
                square = Some(named);
                game.play(named)
            }
            Err(_) => {
                context.line(&text!(context, "play-unknown", text = line.to_owned()))?;
                Ok(())
            }
        },
    };
    match done {
        // What it did is said when the server has said it.
        Ok(()) => {}
        Err(Trouble::Refused(why, reason)) => {
            context.line(&words::refused(why, &reason, square, game, context))?;
            if let Some(verdict) = game.view.verdict {
                for line in words::verdict(&verdict, game.view.rules.empties, context) {
                    context.line(&line)?;
                }
            }
        }
        Err(lost) => return Err(words::failure(lost, context)),
    }
    Ok(true)
}

/// Writes the game to a file, asking for what is not said. An empty line is no.
fn save(name: &str, game: &mut Game, context: &Context) -> Result<(), Failure> {
    let mut name = name.to_owned();
    if name.is_empty() {
        context.line(&text!(context, "play-save-name"))?;
        name = next_line(game, context)?.unwrap_or_default().trim().to_owned();
    }
    if name.is_empty() {
        return Ok(());
    }
    match save::save(game, &name, false, context) {
        Saved::Done(sentence) | Saved::Not(sentence) => context.line(&sentence),
        Saved::There(question) => {
            context.line(&question)?;
            match next_line(game, context)? {
                Some(answer) if is_yes(&answer) => match save::save(game, &name, true, context) {
                    Saved::Done(sentence) | Saved::There(sentence) | Saved::Not(sentence) => context.line(&sentence),
                },
                _ => Ok(()),
            }
        }
    }
}

fn is_yes(answer: &str) -> bool {
    ["y", "yes", "s", "si", "sí"].contains(&answer.trim().to_lowercase().as_str())
}

/// What has just happened, and whose turn it is.
fn say(game: &Game, context: &Context) -> Result<(), Failure> {
    let view = &game.view;
    let mut parts: Vec<String> = words::last_move(view, context).into_iter().collect();
    // Once, when it is reached.
    let opening = game.opening(game.moves.len()).filter(|reached| usize::from(reached.ply.0) == game.moves.len());
    parts.extend(opening.map(|reached| named(reached, context)));
    parts.push(words::count(view, context));
    if let Some(verdict) = view.verdict {
        parts.extend(words::verdict(&verdict, view.rules.empties, context));
    } else {
        parts.extend(words::passed(view, context));
        parts.extend(view.turn.map(|turn| words::turn(turn, context)));
    }
    context.line(&parts.join(" "))
}

fn say_moves(game: &Game, context: &Context) -> Result<(), Failure> {
    let Some(turn) = game.view.turn else { return Ok(()) };
    let squares = game.view.legal.iter().map(|legal| legal.square.to_string()).collect::<Vec<_>>().join(" ");
    context.line(&text!(context, "play-legal", color = turn.to_string(), squares = squares))
}

fn say_list(game: &Game, context: &Context) -> Result<(), Failure> {
    match words::list(game, context) {
        list if list.is_empty() => context.line(&text!(context, "play-no-moves")),
        list => {
            let opening = game.opening(game.moves.len()).map(|reached| format!(" {}", named(reached, context)));
            context.line(&format!("{list}{}", opening.unwrap_or_default()))
        }
    }
}

fn named(reached: &OpeningReached, context: &Context) -> String {
    text!(context, "play-opening", name = words::opening(reached, context))
}

fn say_clocks(game: &Game, context: &Context) -> Result<(), Failure> {
    match game.clocks() {
        Some(clocks) => {
            let [black, white] = [clocks.black, clocks.white].map(|clock| words::clock(&clock, context));
            context.line(&text!(context, "play-clocks", black = black, white = white))
        }
        None => context.line(&text!(context, "play-no-clock")),
    }
}

/// Eight lines between coordinates.
fn board(game: &Game) -> String {
    let mut text = String::from("  a b c d e f g h\n");
    for (row, discs) in game.view.board.as_bytes().chunks(8).enumerate() {
        text += &format!("{}", row + 1);
        for &disc in discs {
            text.push(' ');
            text.push(if disc == b'-' { '.' } else { char::from(disc) });
        }
        text.push('\n');
    }
    text
}
