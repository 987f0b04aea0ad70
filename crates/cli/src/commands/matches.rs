//! `outflank match A B`: many games between two players, and what they prove.

use crate::{
    args::{Match, Openings as OpeningsArgs},
    brain,
    context::{Context, Failure},
    duel::{
        log::{Log, LogError},
        openings,
        outside::Trouble,
        play::{self, Spent},
        player::{Control, mix},
        score::{PROOF, Points, Score},
    },
    fail,
    files::{self, Source},
    interrupt, text,
};
use engine::{Limits, Stop};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use rules::{ByColor, Color, Position, Square};
use serde_json::{Value, json};
use std::{
    collections::HashSet,
    fmt::Write,
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicU32, Ordering},
    },
};

pub(crate) fn run(args: &Match, context: &Context) -> Result<(), Failure> {
    let openings = chosen_openings(args, context)?;
    let control = match (args.time_per_move, args.time_per_game) {
        (Some(time), _) => Control::Move(time),
        (None, Some(time)) => Control::Game(time),
        (None, None) => Control::None,
    };
    let header = header(args, &openings);
    let (log, before) = match &args.log {
        None => (Log::none(), Vec::new()),
        Some(path) => Log::open(path, &header).map_err(|error| {
            let path = path.display().to_string();
            match error {
                LogError::Io(error) => {
                    fail!(context, "cli-error-write", path = path, reason = context.reason(&error))
                }
                LogError::Other => fail!(context, "cli-match-other", path = path),
            }
        })?,
    };
    let stop = interrupt::stop();
    let bar = bar(args.games);
    let mut score = Score::default();
    let mut spent = [Spent::default(); 2];
    let done: HashSet<u32> = before.iter().map(|game| game.number).collect();
    for game in before {
        score.add(game.number, game.points);
        for (sum, of) in spent.iter_mut().zip(game.spent) {
            *sum += of;
        }
    }
    if !done.is_empty() {
        bar.suspend(|| eprintln!("outflank: {}", text!(context, "cli-match-resumed", games = done.len())));
    }
    bar.set_position(done.len() as u64);
    let next = AtomicU32::new(0);
    let shared = Mutex::new((score, log, None::<std::io::Error>, spent));
    let eval = brain::evaluator();
    let work = || {
        let mut first = args.first.sit_down(args.hash.into(), &eval);
        let mut second = args.second.sit_down(args.hash.into(), &eval);
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number >= args.games || stop.is_set() {
                return;
            }
            if done.contains(&number) {
                continue;
            }
            let opening = &openings[number as usize / 2 % openings.len()];
            let color = if number.is_multiple_of(2) { Color::Black } else { Color::White };
            let players = match color {
                Color::Black => ByColor { black: &mut first, white: &mut second },
                Color::White => ByColor { black: &mut second, white: &mut first },
            };
            let seed = mix(args.seed ^ u64::from(number) << 20);
            let Some(played) = play::game(players, opening, control, seed, &stop) else { return };
            let points = Points(if color == Color::Black { played.difference } else { -played.difference });
            let mut shared = shared.lock().unwrap_or_else(PoisonError::into_inner);
            shared.0.add(number, points);
            for (sum, color) in shared.3.iter_mut().zip([color, !color]) {
                *sum += played.spent[color];
            }
            if let Err(error) = shared.1.add(number, color, points, &played) {
                shared.2 = Some(error);
                stop.now();
            }
            if let Some((by, trouble)) = &played.trouble {
                let who = if *by == color { "A" } else { "B" };
                let why = why(trouble, context);
                let line = text!(context, "cli-match-trouble", game = number + 1, who = who, why = why);
                bar.suspend(|| eprintln!("outflank: {line}"));
            }
            bar.set_message(summary(&shared.0));
            bar.inc(1);
            if decided(args, &shared.0).is_some() {
                stop.now();
            }
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..args.parallel {
            scope.spawn(work);
        }
    });
    bar.finish_and_clear();
    let (score, _, failed, spent) = shared.into_inner().unwrap_or_else(PoisonError::into_inner);
    if let (Some(error), Some(path)) = (failed, &args.log) {
        let path = path.display().to_string();
        return Err(fail!(context, "cli-error-write", path = path, reason = context.reason(&error)));
    }
    report(args, &score, spent, context)
}

/// What makes two matches the same one.
fn header(args: &Match, openings: &[Vec<Square>]) -> Value {
    let mut list = 0u64;
    for square in openings.iter().flatten() {
        list = mix(list ^ square.index() as u64);
    }
    let seconds = |time: Option<std::time::Duration>| time.map(|time| time.as_secs_f64());
    json!({ "match": {
        "A": format!("{:?}", args.first), "B": format!("{:?}", args.second), "seed": args.seed,
        "openings": format!("{list:016x}"), "move": seconds(args.time_per_move), "game": seconds(args.time_per_game),
    }})
}

fn chosen_openings(args: &Match, context: &Context) -> Result<Vec<Vec<Square>>, Failure> {
    let mut list = match (&args.openings, args.random) {
        (Some(path), _) => {
            let source = Source::open(path, context)?;
            let list = openings::read(&source.bytes)
                .map_err(|rejection| Failure::Sentence(context.rejection(&source.name, &rejection)))?;
            if list.is_empty() {
                return Err(fail!(context, "cli-match-no-openings", path = source.name));
            }
            list
        }
        // as many whatever the number of games, so that a longer match is the same match
        (None, Some(plies)) => openings::random(plies.into(), 10_000, args.seed),
        (None, None) => openings::balanced(),
    };
    openings::shuffle(&mut list, args.seed);
    Ok(list)
}

/// Whether the test is decided: for the first player or against him.
fn decided(args: &Match, score: &Score) -> Option<bool> {
    let [low, high] = args.sprt.as_deref()? else { return None };
    let ratio = score.ratio(*low, *high)?;
    (ratio.abs() >= PROOF).then_some(ratio > 0.0)
}

fn summary(score: &Score) -> String {
    format!("{}-{}-{} {:.1} %", score.wins, score.draws, score.losses, 100.0 * score.mean())
}

fn why(trouble: &Trouble, context: &Context) -> String {
    match trouble {
        Trouble::NotStarted(why) => text!(context, "cli-match-not-started", why = why.as_str()),
        Trouble::Crashed => text!(context, "cli-match-crashed"),
        Trouble::Hung => text!(context, "cli-match-hung"),
        Trouble::Answer(answer) => text!(context, "cli-match-answer", answer = answer.as_str()),
        Trouble::Illegal(square) => text!(context, "cli-match-illegal", square = square.to_string()),
        Trouble::Time => text!(context, "cli-match-time"),
        Trouble::NoMove => text!(context, "cli-match-no-move"),
    }
}

fn report(args: &Match, score: &Score, spent: [Spent; 2], context: &Context) -> Result<(), Failure> {
    let elo = score.elo();
    let ratio = args.sprt.as_deref().and_then(|bounds| score.ratio(bounds[0], bounds[1]));
    if args.json {
        let finite = |value: f64| value.is_finite().then_some(value);
        return context.line(
            &json!({
                "games": score.games(), "wins": score.wins, "draws": score.draws, "losses": score.losses,
                "points": score.mean(), "error": score.error(), "discs": score.discs(),
                "elo": elo.map(|(elo, low, high)| json!([finite(elo), finite(low), finite(high)])),
                "ratio": ratio, "decided": decided(args, score),
                "seconds": { "A": spent[0].each(), "B": spent[1].each() },
            })
            .to_string(),
        );
    }
    context.line(&text!(
        context,
        "cli-match-result",
        wins = score.wins,
        draws = score.draws,
        losses = score.losses,
        points = 100.0 * score.mean(),
        error = 196.0 * score.error().unwrap_or(0.0),
        discs = format!("{}{}", if score.discs() > 0.0 { "+" } else { "" }, context.messages.decimal(score.discs(), 1)),
    ))?;
    if let Some((elo, low, high)) = elo {
        let shown = |elo: f64| if elo.is_finite() { format!("{elo:+.0}") } else { "∞".to_owned() };
        context.line(&text!(context, "cli-match-elo", elo = shown(elo), low = shown(low), high = shown(high)))?;
    }
    if let Some(ratio) = ratio {
        let ratio = context.messages.decimal(ratio, 2);
        context.line(&match decided(args, score) {
            Some(true) => text!(context, "cli-match-proven", ratio = ratio),
            Some(false) => text!(context, "cli-match-refuted", ratio = ratio),
            None => text!(context, "cli-match-undecided", ratio = ratio),
        })?;
    }
    Ok(())
}

/// Draws itself on a terminal only.
fn bar(games: u32) -> ProgressBar {
    let bar = ProgressBar::with_draw_target(Some(games.into()), ProgressDrawTarget::stderr());
    let style = ProgressStyle::with_template("{bar:40} {pos}/{len} {eta} {msg}");
    bar.with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
}

/// `outflank openings`: a list of openings in which neither side is better.
pub(crate) fn make_openings(args: &OpeningsArgs, context: &Context) -> Result<(), Failure> {
    let stop = interrupt::stop();
    let mut engine = brain::engine(1, 32);
    let bar = bar(args.count);
    let mut seen = HashSet::new();
    let mut found: Vec<(Vec<Square>, i32)> = Vec::new();
    let depth = u32::from(args.depth);
    for attempt in 0..u64::from(args.count) * 1000 {
        if found.len() >= args.count as usize || stop.is_set() {
            break;
        }
        let moves = openings::one(args.plies.into(), mix(args.seed).wrapping_add(attempt));
        let position = after(&moves);
        let (board, _) = position.board().canonical();
        if !seen.insert((board.mover.0, board.other.0)) {
            continue;
        }
        if let Some(score) = balance(&mut engine, &position, depth, args.most.into(), &stop) {
            found.push((usual(&moves), score));
            bar.inc(1);
        }
    }
    bar.finish_and_clear();
    if stop.is_set() {
        return Err(Failure::Quiet(130));
    }
    found.sort();
    let mut out = format!(
        "# Openings of {} moves after which searches of {} and {depth} plies find, on average, at most {} for either side.\n\
         # No two are the same up to symmetry. Made by:\n\
         # outflank openings --count {} --plies {} --depth {depth} --most {} --seed {}\n",
        args.plies,
        depth.saturating_sub(1),
        args.most,
        args.count,
        args.plies,
        args.most,
        args.seed
    );
    for (moves, _) in &found {
        let line: String = moves.iter().map(ToString::to_string).collect();
        let _ = writeln!(out, "{line}");
    }
    match &args.out {
        None => context.print(&out),
        Some(path) => files::write(&[(path.clone(), out.into_bytes())], context),
    }
}

fn after(moves: &[Square]) -> Position {
    moves.iter().fold(Position::start(), |position, &square| position.play_unchecked(square).after)
}

/// The moves turned so that the first is f5, as books write them.
fn usual(moves: &[Square]) -> Vec<Square> {
    let turned = rules::Symmetry::ALL
        .into_iter()
        .map(|symmetry| moves.iter().map(|&square| symmetry.square(square)).collect::<Vec<_>>());
    let mut all: Vec<Vec<Square>> = turned.filter(|moves| moves.first() == Some(&Square::F5)).collect();
    all.retain(|moves| record::Record::from_moves(moves.iter().copied()).is_ok());
    all.sort();
    all.into_iter().next().unwrap_or_else(|| moves.to_vec())
}

/// The score of a position if it is small; a quick look first spares most of the work.
fn balance(engine: &mut engine::Engine, position: &Position, depth: u32, most: i32, stop: &Stop) -> Option<i32> {
    let mut score = None;
    for (depth, most) in [(depth.min(6), most + 4), (depth, most)] {
        let limits = Limits { depth, solve_at: 0, stop: stop.clone(), ..Limits::default() };
        // A search likes the side that moves last before its horizon: the last two rounds together are fair to both.
        let mut last = [0; 2];
        engine.search(position, &limits, &mut |analysis| {
            last = [last[1], analysis.best().map_or(0, |best| best.score)];
        });
        score = Some(last[0] + last[1]).filter(|sum| sum.abs() <= 2 * most);
        score?;
    }
    score
}
