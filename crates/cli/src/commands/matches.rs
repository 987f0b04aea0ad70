//! `outflank match A B`: many games between two players, and what they prove.

use crate::{
    args::Match,
    brain,
    context::{Context, Failure},
    duel::{
        external::Trouble,
        log::{Log, LogError, LoggedGame},
        openings,
        play::{self, Played, Spent},
        player::{Control, Player, mix},
        score::{Interval, PROOF, Points, Score},
        troubles::Troubles,
    },
    fail,
    files::Source,
    interrupt, text,
};
use engine::{Evaluator, Stop};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use rules::{ByColor, Color, Square};
use serde_json::{Value, json};
use std::{
    collections::HashSet,
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicU32, Ordering},
    },
};

pub(crate) fn run(args: &Match, context: &Context) -> Result<(), Failure> {
    let openings = chosen_openings(args, context)?;
    let weights = [weights(&args.first, context)?, weights(&args.second, context)?];
    let (log, before) = open_log(args, &header(args, &openings), context)?;
    let mut sum = Sum::default();
    let done: HashSet<u32> = before.iter().map(|game| game.number).collect();
    for game in before {
        sum.add(game.number, game.points, game.spent, game.trouble.as_ref().map(|(who, trouble)| (*who, trouble)));
    }
    let bar = bar(args.games);
    if !done.is_empty() {
        bar.suspend(|| eprintln!("outflank: {}", text!(context, "cli-match-resumed", games = done.len())));
    }
    bar.set_position(done.len() as u64);
    let so_far = Mutex::new(SoFar { sum, log, failed: None });
    let (next, stop) = (AtomicU32::new(0), interrupt::stop());
    let contest = Contest { args, context, openings, weights, done, next, stop, bar, so_far };
    std::thread::scope(|scope| {
        for _ in 0..args.parallel {
            scope.spawn(|| contest.play());
        }
    });
    contest.bar.finish_and_clear();
    let SoFar { sum, failed, .. } = contest.so_far.into_inner().unwrap_or_else(PoisonError::into_inner);
    if let (Some(error), Some(path)) = (failed, &args.log) {
        let path = path.display().to_string();
        return Err(fail!(context, "cli-error-write", path = path, reason = context.reason(&error)));
    }
    report(args, &sum, context)?;
    match () {
        () if contest.stop.is_set() && decided(args, &sum.score).is_none() => Err(Failure::Quiet(130)),
        () if sum.troubles.failed() => Err(Failure::Quiet(1)),
        () => Ok(()),
    }
}

/// The file games are written to, and those that are in it.
fn open_log(args: &Match, header: &Value, context: &Context) -> Result<(Log, Vec<LoggedGame>), Failure> {
    let Some(path) = &args.log else { return Ok((Log::none(), Vec::new())) };
    Log::open(path, header).map_err(|error| {
        let path = path.display().to_string();
        match error {
            LogError::Io(error) => fail!(context, "cli-error-write", path = path, reason = context.reason(&error)),
            LogError::Other => fail!(context, "cli-match-other", path = path),
        }
    })
}

/// A match under way, for all threads that play its games.
struct Contest<'a> {
    args: &'a Match,
    context: &'a Context,
    openings: Vec<Vec<Square>>,
    /// What A and B play with.
    weights: [Evaluator; 2],
    /// The games that were played before.
    done: HashSet<u32>,
    /// The next game to play.
    next: AtomicU32,
    stop: Stop,
    bar: ProgressBar,
    so_far: Mutex<SoFar>,
}

/// What was played, where it is written, and why it could not be.
struct SoFar {
    sum: Sum,
    log: Log,
    failed: Option<std::io::Error>,
}

impl Contest<'_> {
    /// Plays games, one after another, until there are none left or the match is over.
    fn play(&self) {
        let args = self.args;
        let control = match (args.time_per_move, args.time_per_game) {
            (Some(time), _) => Control::Move(time),
            (None, Some(time)) => Control::Game(time),
            (None, None) => Control::None,
        };
        let mut first = args.first.sit_down(args.hash.into(), &self.weights[0]);
        let mut second = args.second.sit_down(args.hash.into(), &self.weights[1]);
        loop {
            let number = self.next.fetch_add(1, Ordering::Relaxed);
            if number >= args.games || self.stop.is_set() {
                return;
            }
            if self.done.contains(&number) {
                continue;
            }
            let opening = &self.openings[number as usize / 2 % self.openings.len()];
            let color = if number.is_multiple_of(2) { Color::Black } else { Color::White };
            let players = match color {
                Color::Black => ByColor { black: &mut first, white: &mut second },
                Color::White => ByColor { black: &mut second, white: &mut first },
            };
            let seed = mix(args.seed ^ u64::from(number) << 20);
            let Some(played) = play::game(players, opening, control, seed, &self.stop) else { return };
            self.count(number, color, &played);
        }
    }

    /// Counts a game that A played with this colour, writes it down and shows where the match stands.
    fn count(&self, number: u32, color: Color, played: &Played) {
        let points = Points(if color == Color::Black { played.difference } else { -played.difference });
        let trouble = played.trouble.as_ref().map(|(by, trouble)| (usize::from(*by != color), trouble));
        let mut so_far = self.so_far.lock().unwrap_or_else(PoisonError::into_inner);
        so_far.sum.add(number, points, [color, !color].map(|color| played.spent[color]), trouble);
        if let Err(error) = so_far.log.add(number, color, points, played) {
            so_far.failed = Some(error);
            self.stop.now();
        }
        if let Some((who, trouble)) = trouble {
            let (game, why) = (number + 1, why(trouble, self.context));
            let line = text!(self.context, "cli-match-trouble", game = game, who = NAMES[who], why = why);
            self.bar.suspend(|| eprintln!("outflank: {line}"));
        }
        self.bar.set_message(summary(&so_far.sum.score));
        self.bar.inc(1);
        if decided(self.args, &so_far.sum.score).is_some() {
            self.stop.now();
        }
    }
}

/// The players, as they are spoken of.
const NAMES: [&str; 2] = ["A", "B"];

/// All that was played.
#[derive(Default)]
struct Sum {
    score: Score,
    /// What A and B thought about.
    spent: [Spent; 2],
    troubles: Troubles,
}

impl Sum {
    fn add(&mut self, number: u32, points: Points, spent: [Spent; 2], trouble: Option<(usize, &Trouble)>) {
        self.score.add(number, points);
        for (sum, of) in self.spent.iter_mut().zip(spent) {
            *sum += of;
        }
        if let Some((who, trouble)) = trouble {
            self.troubles.add(who, trouble);
        }
    }
}

/// What makes two matches the same one.
fn header(args: &Match, openings: &[Vec<Square>]) -> Value {
    let mut list = 0u64;
    for square in openings.iter().flatten() {
        list = mix(list ^ square.index() as u64);
    }
    let seconds = |time: Option<std::time::Duration>| time.map(|time| time.as_secs_f64());
    json!({ "match": {
        "a": args.first.to_string(), "b": args.second.to_string(), "seed": args.seed,
        "openings": format!("{list:016x}"),
        "time_per_move": seconds(args.time_per_move), "time_per_game": seconds(args.time_per_game),
    }})
}

/// The evaluation a player plays with: that of its file, or the program's own.
fn weights(player: &Player, context: &Context) -> Result<Evaluator, Failure> {
    match player {
        Player::Engine { weights: Some(path), .. } => brain::weights(path, context),
        _ => Ok(brain::evaluator()),
    }
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

/// Whether the test is decided: for the first player or against them.
fn decided(args: &Match, score: &Score) -> Option<bool> {
    let [low, high] = args.sprt.as_deref()? else { return None };
    let ratio = score.ratio(*low, *high)?;
    (ratio.abs() >= PROOF).then_some(ratio > 0.0)
}

fn summary(score: &Score) -> String {
    format!("{}-{}-{} {:.1} %", score.wins, score.draws, score.losses, 100.0 * score.mean())
}

pub(crate) fn why(trouble: &Trouble, context: &Context) -> String {
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

/// An interval, for programs; `null` where there is none yet.
fn told(interval: Option<Interval>) -> Value {
    interval.map(|Interval { value, low, high }| json!({ "value": value, "low": low, "high": high })).into()
}

fn report(args: &Match, sum: &Sum, context: &Context) -> Result<(), Failure> {
    let Sum { score, spent, troubles } = sum;
    let ratio = args.sprt.as_deref().and_then(|bounds| score.ratio(bounds[0], bounds[1]));
    if args.json {
        let answer = json!({
            "games": score.games(), "wins": score.wins, "draws": score.draws, "losses": score.losses,
            "points": told(score.points()), "discs": score.discs(), "elo": told(score.elo()),
            "ratio": ratio, "decided": decided(args, score),
            "seconds_per_move": { "a": spent[0].each(), "b": spent[1].each() },
            "trouble": troubles.told(),
        });
        return context.line(&answer.to_string());
    }
    context.line(&text!(
        context,
        "cli-match-result",
        wins = score.wins,
        draws = score.draws,
        losses = score.losses,
        points = 100.0 * score.mean(),
        discs = format!("{}{}", if score.discs() > 0.0 { "+" } else { "" }, context.messages.decimal(score.discs(), 1)),
    ))?;
    if let (Some(points), Some(elo)) = (score.points(), score.elo()) {
        let shown = |elo: f64| format!("{elo:+.0}");
        context.line(&text!(
            context,
            "cli-match-elo",
            worst = 100.0 * points.low,
            best = 100.0 * points.high,
            elo = shown(elo.value),
            low = shown(elo.low),
            high = shown(elo.high),
        ))?;
    }
    for counted in troubles.iter() {
        let (who, why) = (NAMES[counted.who], why(&counted.trouble, context));
        let (games, of) = (counted.games, score.games());
        context.line(&text!(context, "cli-match-troubled", who = who, games = games, of = of, why = why))?;
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
pub(crate) fn bar(games: u32) -> ProgressBar {
    let bar = ProgressBar::with_draw_target(Some(games.into()), ProgressDrawTarget::stderr());
    let style = ProgressStyle::with_template("{bar:40} {pos}/{len} {eta} {msg}");
    bar.with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
}
