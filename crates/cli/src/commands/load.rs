//! `outflank load`: plays many games over real sockets and says how fast the server was; `--check` holds what its clients were told
//! against what is kept.

mod check;
mod guest;
mod log;
mod play;
mod ratings;

use crate::{
    args::Load,
    context::{Context, Failure},
    fail, text,
};
use check::{Entry, Fault, Kept};
use play::{Players, Tally};
use ratings::RatedGames;
use serde_json::json;
use std::{
    collections::{HashMap, HashSet},
    fs::File,
    io::{self, BufReader, BufWriter},
    path::Path,
    time::{Duration, Instant},
};
use store::{OpenError, Postgres, Sqlite, Store, StoreError};
use table::{Action, GameId, Table};
use tokio::runtime;

/// How many faults are shown; the rest is counted.
const SHOWN: usize = 20;

pub(crate) fn run(args: &Load, context: &Context) -> Result<(), Failure> {
    let runtime = runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
        .map_err(|error| fail!(context, "cli-load-stopped", reason = context.reason(&error)))?;
    match &args.check {
        Some(log) => runtime.block_on(compare(log, args, context)),
        None => runtime.block_on(load(args, context)),
    }
}

async fn load(args: &Load, context: &Context) -> Result<(), Failure> {
    if args.server.is_empty() {
        return Err(fail!(context, "cli-load-no-server"));
    }
    for server in &args.server {
        let shown = server.to_string();
        let unreachable = |error: &io::Error| {
            fail!(context, "cli-error-unreachable", address = shown.as_str(), reason = context.reason(error))
        };
        let here = server.is_this_machine().await.map_err(|error| unreachable(&error))?;
        if !here && !args.yes_this_is_my_server {
            return Err(fail!(context, "cli-load-not-here", address = shown.as_str()));
        }
        // Nothing is measured of a server that is not there.
        guest::Guest::come(server, "first".to_owned(), Instant::now()).await.map_err(|error| unreachable(&error))?;
    }
    let log = args.log.as_deref().map(|path| create(path, context)).transpose()?;
    // Two connections for each game; without the right to so many the last ones are errors, and counted as such.
    let _ = server::raise_file_limit();
    let players = Players {
        servers: args.server.clone(),
        games: args.games,
        time: Duration::from_secs(args.seconds.into()),
        think: Duration::from_millis(args.think.into()),
    };
    let tally = players.play().await;
    if let Some((path, mut file)) = args.log.as_deref().zip(log) {
        log::write(&tally.told, &mut file).map_err(|error| unwritable(path, &error, context))?;
    }
    report(&tally, args.json, context)
}

fn create(path: &Path, context: &Context) -> Result<BufWriter<File>, Failure> {
    File::create(path).map(BufWriter::new).map_err(|error| unwritable(path, &error, context))
}

fn unwritable(path: &Path, error: &io::Error, context: &Context) -> Failure {
    fail!(context, "cli-load-unwritable", path = path.display().to_string(), reason = context.reason(error))
}

fn report(tally: &Tally, as_json: bool, context: &Context) -> Result<(), Failure> {
    let (p50, p99) = (milliseconds(tally.delay(0.5)), milliseconds(tally.delay(0.99)));
    let (games, acknowledged, errors) = (tally.games, tally.delays.len(), tally.errors);
    let rate = (tally.per_second() * 10.0).round() / 10.0;
    if as_json {
        let answer = json!({"games": games, "acknowledged": acknowledged, "per_second": rate,
            "p50_ms": p50, "p99_ms": p99, "errors": errors});
        if tally.waited > 0 {
            eprintln!("outflank: {}", text!(context, "cli-load-waited", times = tally.waited));
        }
        return context.line(&answer.to_string());
    }
    context.line(&text!(
        context,
        "cli-load-result",
        games = games,
        acknowledged = acknowledged,
        rate = context.messages.decimal(rate, 1),
        p50 = context.messages.decimal(p50, 2),
        p99 = context.messages.decimal(p99, 2),
        errors = errors,
    ))?;
    if tally.waited > 0 {
        context.line(&text!(context, "cli-load-waited", times = tally.waited))?;
    }
    for (what, times) in &tally.troubles {
        context.line(&text!(context, "cli-load-trouble", what = what.as_str(), times = *times))?;
    }
    Ok(())
}

fn milliseconds(time: Duration) -> f64 {
    (time.as_secs_f64() * 1e5).round() / 1e2
}

async fn compare(path: &Path, args: &Load, context: &Context) -> Result<(), Failure> {
    let shown = || path.display().to_string();
    let file = File::open(path)
        .map_err(|error| fail!(context, "cli-error-read", path = shown(), reason = context.reason(&error)))?;
    let told = log::read(BufReader::new(file))
        .map_err(|line| fail!(context, "cli-load-bad-line", path = shown(), line = line))?;
    let store: Box<dyn Store> = match (&args.data, &args.database) {
        (Some(folder), _) => Box::new(Sqlite::open(folder).map_err(|error| unopened(error, context))?),
        (None, Some(address)) => Box::new(Postgres::open(address.reveal()).map_err(|error| unopened(error, context))?),
        (None, None) => return Err(fail!(context, "cli-load-no-data")),
    };
    let games: HashSet<&str> = told.iter().map(|told| told.game.as_str()).collect();
    let unread = |error: StoreError| fail!(context, "cli-error-data", reason = error.to_string());
    let (mut kept, mut rated) = (HashMap::new(), RatedGames::default());
    for game in games {
        if let Some(game_kept) = read(&*store, game, &mut rated).await.map_err(unread)? {
            kept.insert(game.to_owned(), game_kept);
        }
    }
    let mut faults = check::check(&told, &kept);
    faults.extend(rated.faults(&*store).await.map_err(unread)?);
    let acknowledged: usize = told.iter().map(|told| told.acknowledged.len()).sum();
    if args.json {
        let faults: Vec<String> = faults.iter().map(|fault| sentence(fault, context)).collect();
        let answer = json!({"games": kept.len(), "rated": rated.ended.len(), "observers": told.len(),
            "acknowledged": acknowledged, "faults": faults});
        context.line(&answer.to_string())?;
    } else {
        for fault in faults.iter().take(SHOWN) {
            context.line(&sentence(fault, context))?;
        }
        let (games, observers, wrong) = (kept.len(), told.len(), faults.len());
        context.line(&text!(
            context,
            "cli-load-checked",
            games = games,
            observers = observers,
            acknowledged = acknowledged,
            faults = wrong
        ))?;
    }
    if faults.is_empty() { Ok(()) } else { Err(Failure::Quiet(1)) }
}

fn unopened(error: OpenError, context: &Context) -> Failure {
    super::serve::no_games(error.into(), context)
}

/// A game as the oracle wants it; one that is rated is noted.
async fn read(store: &dyn Store, game: &str, rated: &mut RatedGames) -> Result<Option<Kept>, StoreError> {
    let Ok(id) = game.parse::<GameId>() else { return Ok(None) };
    let Some(stored) = store.game(&id).await? else { return Ok(None) };
    let log = stored.log.iter().map(|kept| Entry {
        id: kept.by.as_ref().map(|(_, id)| String::from(id.clone())),
        play: match kept.entry.action {
            Action::Play { square, ply } => Some((ply.0, square.to_string())),
            _ => None,
        },
    });
    let log = log.collect();
    let unreadable = |_| StoreError::Unreadable;
    let mut table = Table::new(stored.setup).map_err(|_| StoreError::Unreadable)?;
    for kept in stored.log {
        table = table.after(&kept.entry).map_err(unreadable)?;
    }
    rated.note(&id, &table);
    let moves = table.moves().iter().map(|played| played.step.square.to_string()).collect();
    Ok(Some(Kept { log, moves }))
}

fn sentence(fault: &Fault, context: &Context) -> String {
    match fault {
        Fault::NoGame { game } => text!(context, "cli-load-no-game", game = game.as_str()),
        Fault::Lost { game, seq, square } => {
            text!(context, "cli-load-lost", game = game.as_str(), seq = *seq, square = square.as_str())
        }
        Fault::Twice { game, id } => text!(context, "cli-load-twice", game = game.as_str(), id = id.as_str()),
        Fault::Order { game, client, seq } => {
            text!(context, "cli-load-order", game = game.as_str(), client = client.as_str(), seq = *seq)
        }
        Fault::Saw { game, client, number } => {
            text!(context, "cli-load-saw", game = game.as_str(), client = client.as_str(), number = *number)
        }
        Fault::Unrated { game } => text!(context, "cli-load-unrated", game = game.as_str()),
        Fault::Rating { of } => text!(context, "cli-load-rating", of = of.as_str()),
    }
}
