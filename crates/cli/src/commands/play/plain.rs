//! The game as lines of text, for screen readers, pipes and small devices.

use super::{
    game::{Game, Trouble},
    save::{self, Saved},
    words,
};
use crate::brain;
use crate::{
    context::{Context, Failure},
    text,
};
use rules::Square;
use std::{
    io::{self, BufRead},
    sync::mpsc::{self, Receiver, RecvTimeoutError},
    thread,
    time::Duration,
};
use table::{Action, Table};

pub(super) fn run(mut game: Game, context: &Context) -> Result<(), Failure> {
    let lines = lines();
    context.line(&text!(context, "play-plain-welcome"))?;
    begin(&game, context)?;
    loop {
        // The computer answers before anything else is read.
        while game.is_thinking() {
            match game.computer(Duration::from_secs(600)) {
                Ok(true) => say(&game, context)?,
                Ok(false) => {}
                Err(trouble) => {
                    context.line(&words::trouble(&trouble, context))?;
                    break;
                }
            }
        }
        let Some(line) = next_line(&lines, &mut game, context)? else { break };
        if !obey(line.trim(), &lines, &mut game, context)? {
            break;
        }
    }
    // If the time used so far cannot be kept, the game is still where it was.
    let _ = game.leave();
    if game.table.verdict().is_none() { context.line(&text!(context, "play-saved")) } else { Ok(()) }
}

/// What there is to know before the first move.
fn begin(game: &Game, context: &Context) -> Result<(), Failure> {
    if let Some(given) = words::given(&game.table, context) {
        context.line(&given)?;
    }
    context.print(&board(&game.table))?;
    say_moves(game, context)
}

/// Standard input, line by line, without keeping the clock waiting.
fn lines() -> Receiver<String> {
    let (sender, lines) = mpsc::channel();
    thread::spawn(move || {
        for line in io::stdin().lock().lines() {
            let Ok(line) = line else { break };
            if sender.send(line).is_err() {
                break;
            }
        }
    });
    lines
}

/// The next line, or `None` at the end of the input. A flag may fall while it is waited for.
fn next_line(lines: &Receiver<String>, game: &mut Game, context: &Context) -> Result<Option<String>, Failure> {
    loop {
        let wait = game.table.deadline().map_or(3_600_000, |deadline| deadline.saturating_sub(game.time.now()));
        match lines.recv_timeout(Duration::from_millis(wait)) {
            Ok(line) => return Ok(Some(line)),
            Err(RecvTimeoutError::Disconnected) => return Ok(None),
            Err(RecvTimeoutError::Timeout) => {
                let before = game.table.clocks(game.table.at());
                match game.look() {
                    Ok(()) if game.table.verdict().is_some() => say(game, context)?,
                    Ok(()) if game.table.clocks(game.table.at()) != before => say_clocks(game, context)?,
                    Ok(()) => {}
                    Err(trouble) => {
                        context.line(&words::trouble(&trouble, context))?;
                        thread::sleep(Duration::from_secs(1));
                    }
                }
            }
        }
    }
}

/// Does what a line says; `false` ends the program.
fn obey(line: &str, lines: &Receiver<String>, game: &mut Game, context: &Context) -> Result<bool, Failure> {
    let word = line.to_lowercase();
    if let Some("save" | "guardar") = word.split_whitespace().next() {
        let name = line.split_once(char::is_whitespace).map_or("", |(_, name)| name.trim());
        save(name, lines, game, context)?;
        return Ok(true);
    }
    let done: Result<(), Trouble> = match word.as_str() {
        "" => return Ok(true),
        "quit" | "q" | "exit" | "salir" => return Ok(false),
        "help" | "?" | "ayuda" => {
            context.line(&text!(context, "play-plain-help"))?;
            return Ok(true);
        }
        "board" | "tablero" => {
            context.print(&board(&game.table))?;
            return Ok(true);
        }
        "legal" | "jugadas" => {
            say_moves(game, context)?;
            return Ok(true);
        }
        "moves" | "lista" => {
            let none = text!(context, "play-no-moves");
            context.line(Some(list(&game.table, context)).filter(|list| !list.is_empty()).as_ref().unwrap_or(&none))?;
            return Ok(true);
        }
        "clock" | "reloj" => {
            say_clocks(game, context)?;
            return Ok(true);
        }
        "hint" | "pista" => {
            if game.table.turn().is_some()
                && let Some(square) = brain::hint(&game.table.position())
            {
                context.line(&text!(context, "play-hint", square = square.to_string()))?;
            }
            return Ok(true);
        }
        "undo" | "back" | "deshacer" => match words::takeback_seat(game) {
            Some(by) => {
                let back = game.act(by, Action::Takeback { ply: game.table.ply() });
                if back.is_ok() {
                    context.line(&text!(context, "play-taken-back"))?;
                }
                back
            }
            None => Ok(()),
        },
        "resign" | "abandonar" => {
            let by = words::person(game);
            context.line(&text!(context, "play-confirm-resign", color = by.to_string()))?;
            match next_line(lines, game, context)? {
                Some(answer) if is_yes(&answer) => game.act(by, Action::Resign {}),
                _ => return Ok(true),
            }
        }
        "new" | "nueva" => {
            context.line(&words::confirm_new(&game.table, context))?;
            let swap = match next_line(lines, game, context)?.as_deref().map(str::trim) {
                Some("1") => false,
                Some("2") => true,
                _ => return Ok(true),
            };
            let by = words::person(game);
            let begun = game.again(by, swap);
            if begun.is_ok() {
                begin(game, context)?;
                return Ok(true);
            }
            begun
        }
        square => match square.parse::<Square>() {
            Ok(square) => {
                let by = words::person(game);
                game.act(by, Action::Play { square, ply: game.table.ply() })
            }
            Err(_) => {
                context.line(&text!(context, "play-unknown", text = line.to_owned()))?;
                return Ok(true);
            }
        },
    };
    match done {
        Ok(()) => say(game, context)?,
        Err(trouble) => {
            context.line(&words::trouble(&trouble, context))?;
            if let Some(verdict) = game.table.verdict() {
                for line in words::verdict(&verdict, game.table.rules().empties, context) {
                    context.line(&line)?;
                }
            }
        }
    }
    Ok(true)
}

/// Writes the game to a file, asking for what is not said. An empty line is no.
fn save(name: &str, lines: &Receiver<String>, game: &mut Game, context: &Context) -> Result<(), Failure> {
    let mut name = name.to_owned();
    if name.is_empty() {
        context.line(&text!(context, "play-save-name"))?;
        name = next_line(lines, game, context)?.unwrap_or_default().trim().to_owned();
    }
    if name.is_empty() {
        return Ok(());
    }
    match save::save(game, &name, false, context) {
        Saved::Done(sentence) | Saved::Not(sentence) => context.line(&sentence),
        Saved::There(question) => {
            context.line(&question)?;
            match next_line(lines, game, context)? {
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
    let table = &game.table;
    let mut parts: Vec<String> = words::last_move(table, context).into_iter().collect();
    parts.push(words::count(table, context));
    if let Some(verdict) = table.verdict() {
        parts.extend(words::verdict(&verdict, table.rules().empties, context));
    } else {
        parts.extend(words::passed(table, context));
        parts.extend(table.turn().map(|turn| words::turn(turn, context)));
    }
    context.line(&parts.join(" "))
}

fn say_moves(game: &Game, context: &Context) -> Result<(), Failure> {
    let Some(turn) = game.table.turn() else { return Ok(()) };
    let squares = game.table.position().legal().iter().map(|square| square.to_string()).collect::<Vec<_>>().join(" ");
    context.line(&text!(context, "play-legal", color = turn.to_string(), squares = squares))
}

fn say_clocks(game: &Game, context: &Context) -> Result<(), Failure> {
    match game.table.clocks(game.time.now()) {
        Some(clocks) => {
            let [black, white] = [clocks.black, clocks.white].map(|clock| words::clock(&clock, context));
            context.line(&text!(context, "play-clocks", black = black, white = white))
        }
        None => context.line(&text!(context, "play-no-clock")),
    }
}

/// Eight lines between coordinates.
fn board(table: &Table) -> String {
    let position = table.position();
    let mut text = String::from("  a b c d e f g h\n");
    for row in 0..8 {
        text += &format!("{}", row + 1);
        for column in 0..8 {
            let disc = Square::at(column, row).and_then(|square| position.at(square));
            text += &format!(" {}", disc.map_or('.', |color| color.letter()));
        }
        text.push('\n');
    }
    text
}

/// `1. f5 2. d6 3. c3 …`, passes in their place, given moves in brackets.
pub(super) fn list(table: &Table, context: &Context) -> String {
    let pass = text!(context, "play-pass");
    let mut words = Vec::new();
    for (index, played) in table.moves().iter().enumerate() {
        let open = if index == 0 && table.given() > 0 { "(" } else { "" };
        let close = if index + 1 == table.given() { ")" } else { "" };
        words.push(format!("{open}{}. {}{close}", index + 1, played.step.square));
        if played.step.passed {
            words.push(pass.clone());
        }
    }
    words.join(" ")
}
