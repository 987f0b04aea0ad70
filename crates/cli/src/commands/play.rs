//! `outflank play`: the game in a terminal, on the same table as the server's.
//!
//! [`game`] keeps it on disk, [`save`] takes it out, [`words`] says what happens, [`plain`] is for screen readers and pipes,
//! [`screen`] for everyone else: [`board`] and [`draw`] are what it shows.

mod board;
mod draw;
mod game;
mod plain;
mod save;
mod screen;
mod words;

use crate::{
    args::Play,
    commands::serve::data_folder,
    context::{Context, Failure},
    fail,
};
use game::{Game, Time};
use rules::{ByColor, Color};
use std::{
    io::{self, IsTerminal},
    path::Path,
};
use table::{Called, Preset, Rules, Seat, Setup, TimeControl, Who};

/// Everyone in front of this terminal.
const PEOPLE: Who = Who(1);

pub(crate) fn run(args: &Play, context: &Context) -> Result<(), Failure> {
    let folder = match &args.data {
        Some(folder) => folder.clone(),
        None => data_folder().ok_or_else(|| fail!(context, "cli-error-no-home"))?,
    }
    .join("terminal");
    let game = if args.resume { resume(&folder, context)? } else { begin(args, &folder, context)? };
    let is_dumb = std::env::var_os("TERM").is_some_and(|name| name == "dumb");
    if args.plain || is_dumb || !io::stdout().is_terminal() || !io::stdin().is_terminal() {
        plain::run(game, context)
    } else {
        screen::run(game, context)
    }
}

fn resume(folder: &Path, context: &Context) -> Result<Game, Failure> {
    match Game::resume(folder) {
        Ok(Some(game)) => Ok(game),
        Ok(None) => Err(fail!(context, "play-nothing-to-resume")),
        Err(error) => Err(unsaved(&error, context)),
    }
}

fn begin(args: &Play, folder: &Path, context: &Context) -> Result<Game, Failure> {
    let rules = agreed(args, context)?;
    let person = |name: &Option<String>, nobody: Called| {
        let name = match name {
            Some(name) => Called::Name(name.parse().map_err(|_| fail!(context, "play-bad-name", name = name.clone()))?),
            None => nobody,
        };
        Ok(Seat::Person { who: PEOPLE, name })
    };
    let black = person(&args.black, Called::First)?;
    // Against the computer there is but one person.
    let white = person(&args.white, if args.level.is_some() { Called::First } else { Called::Second })?;
    let mut seats = match args.level {
        None => ByColor { black, white },
        Some(level) => {
            let computer = Seat::Computer { level: level.number };
            if args.color == Some(Color::White) {
                ByColor { black: computer, white }
            } else {
                ByColor { black, white: computer }
            }
        }
    };
    let time = Time::new(0);
    // The clock's last digits are as good as a coin.
    if args.toss && time.coin() {
        seats = seats.swapped();
    }
    let opening = game::opening(rules, time);
    let setup = Setup { opening, ..Setup::new(time.now(), seats, rules) };
    Game::begin(folder, setup).map_err(|error| unsaved(&error, context))
}

fn agreed(args: &Play, context: &Context) -> Result<Rules, Failure> {
    let mut rules = args.rules.unwrap_or(Preset::Casual).rules();
    if let Some(minutes) = args.minutes {
        let main_ms = minutes.saturating_mul(60_000);
        rules.time = match args.increment {
            Some(seconds) => TimeControl::Fischer { main_ms, increment_ms: seconds.saturating_mul(1000) },
            None => TimeControl::SuddenDeath { main_ms },
        };
    }
    rules.opening = args.opening.unwrap_or_default();
    rules.check().map_err(|_| fail!(context, "play-bad-clock"))?;
    Ok(rules)
}

/// One sentence for a game that cannot be kept.
fn unsaved(error: &io::Error, context: &Context) -> Failure {
    fail!(context, "play-not-saved", reason = context.reason(error))
}
