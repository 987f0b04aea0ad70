//! `outflank play`: the game in a terminal, a page of the server's like any other.
//!
//! [`link`] finds the server or is one, [`game`] is what it says, [`save`] takes the game out, [`words`] says what happens, [`plain`]
//! is for screen readers and pipes, [`screen`] for everyone else: [`board`] and [`draw`] are what it shows.

mod board;
mod draw;
mod game;
mod link;
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
use game::{Game, Lobby, Trouble};
use link::Link;
use rules::{ByColor, Color};
use server::protocol::{SeatChoice, Why};
use std::{
    io::{self, IsTerminal},
    time::Duration,
};
use table::{Called, GameId, Preset, Rules, Status, TimeControl};

/// On a screen the computer takes at least so long, so that a player can follow.
const PAUSE: Duration = Duration::from_millis(400);

pub(crate) fn run(args: &Play, context: &Context) -> Result<(), Failure> {
    let folder = match &args.data {
        Some(folder) => folder.clone(),
        None => data_folder().ok_or_else(|| fail!(context, "cli-error-no-home"))?,
    };
    let is_dumb = std::env::var_os("TERM").is_some_and(|name| name == "dumb");
    let plain = args.plain || is_dumb || !io::stdout().is_terminal() || !io::stdin().is_terminal();
    let wanted = if resumes(args) { None } else { Some(wanted(args, context)?) };
    let link = Link::new(folder, if plain { Duration::ZERO } else { PAUSE })
        .map_err(|error| fail!(context, "cli-error-data", reason = context.reason(&error)))?;
    let failed = |trouble| words::failure(trouble, context);
    let lobby = Lobby::enter(link).map_err(failed)?;
    let game = match wanted {
        Some((seats, rules)) => lobby.begin(seats, args.toss, rules).map_err(failed)?,
        None => resume(lobby, args.game.as_deref(), context)?,
    };
    if plain { plain::run(game, resumes(args), context) } else { screen::run(game, resumes(args), context) }
}

fn resumes(args: &Play) -> bool {
    args.resume || args.game.is_some()
}

/// The game that was named, or else the latest that is not over and waits for nobody.
fn resume(mut lobby: Lobby, named: Option<&str>, context: &Context) -> Result<Game, Failure> {
    let failed = |trouble| words::failure(trouble, context);
    let open = lobby.open_games().map_err(failed)?;
    let none = |named: &str| {
        let (count, games) = (open.len(), words::choices(&open, context));
        fail!(context, "play-no-such-game", game = named.to_owned(), count = count, games = games)
    };
    let chosen: GameId = match named {
        Some(named) => named.parse().map_err(|_| none(named))?,
        None => match open.iter().find(|game| game.status == Status::Playing) {
            Some(game) => game.game.clone(),
            None => return Err(fail!(context, "play-nothing-to-resume")),
        },
    };
    lobby.open(chosen.clone()).map_err(|trouble| match trouble {
        Trouble::Refused(Why::NoSuchGame, _) => none(chosen.as_str()),
        trouble => failed(trouble),
    })
}

/// Who shall play, and by which rules.
fn wanted(args: &Play, context: &Context) -> Result<(ByColor<SeatChoice>, Rules), Failure> {
    let rules = agreed(args, context)?;
    let person = |name: &Option<String>, nobody: Called| {
        let name = match name {
            Some(name) => Called::Name(name.parse().map_err(|_| fail!(context, "play-bad-name", name = name.clone()))?),
            None => nobody,
        };
        Ok(SeatChoice::Person { name })
    };
    let black = person(&args.black, Called::First)?;
    // Against the computer there is but one person.
    let white = person(&args.white, if args.level.is_some() { Called::First } else { Called::Second })?;
    let computer = args.level.map(|level| SeatChoice::Computer { level: level.number });
    let seats = match (computer, args.color) {
        (None, _) => ByColor { black, white },
        (Some(computer), Some(Color::White)) => ByColor { black: computer, white },
        (Some(computer), _) => ByColor { black, white: computer },
    };
    Ok((seats, rules))
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
