//! `outflank solve FILE`: the exact score of each position of a file, or of the last position of each of its games.

use crate::{
    answer,
    args::Solve,
    brain,
    columns::{Columns, rate},
    context::{Context, Failure},
    fail,
    files::Games,
    interrupt, text,
};
use engine::{Engine, Limits, Stop};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use record::Record;
use rules::{Position, Square};
use serde_json::json;
use std::time::{Duration, Instant};

/// What came of one position.
#[derive(Clone, Debug)]
pub(crate) struct Solved {
    pub(crate) score: i32,
    /// Best play by both sides to the end of the game; empty where the game is over.
    pub(crate) line: Vec<Square>,
    /// Positions looked at to find the score.
    pub(crate) nodes: u64,
    /// All that the user waited for.
    pub(crate) time: Duration,
}

impl Solved {
    /// The best move, or a pass.
    fn place(&self) -> String {
        self.line.first().map_or("--".to_owned(), |square| square.to_string())
    }
}

/// A line under `cli-solve-columns`.
pub(crate) fn row(
    number: u32,
    position: &Position,
    found: &Solved,
    known: Option<i32>,
    context: &Context,
) -> [String; 8] {
    let seconds = found.time.as_secs_f64();
    let wrong = known.filter(|&known| known != found.score);
    [
        number.to_string(),
        position.empty().len().to_string(),
        format!("{:+}", found.score),
        found.place(),
        found.nodes.to_string(),
        context.messages.decimal(seconds, 3),
        rate(found.nodes, seconds, context),
        wrong.map_or(String::new(), |score| text!(context, "cli-solve-wrong", score = score)),
    ]
}

/// Solves one position as if it were the first; `None` if it was stopped before that.
pub(crate) fn solve(engine: &mut Engine, position: &Position, stop: &Stop, bar: &ProgressBar) -> Option<Solved> {
    let begun = Instant::now();
    if let Some(outcome) = position.outcome() {
        let score = i32::from(outcome.difference());
        let mover = if position.board().mover == position.discs().black { score } else { -score };
        return Some(Solved { score: mover, line: Vec::new(), nodes: 0, time: begun.elapsed() });
    }
    engine.forget();
    let limits = Limits { stop: stop.clone(), ..Limits::solve() };
    let analysis = engine.search(position, &limits, &mut |analysis| {
        if let Some(best) = analysis.best() {
            let (depth, percent) = (analysis.depth, best.confidence.percent());
            bar.set_message(format!("{depth}@{percent}% {:+} {}", best.score, best.square));
        }
    });
    let best = analysis.best().filter(|best| best.is_proven() && !stop.is_set())?;
    Some(Solved { score: best.score, line: best.variation.clone(), nodes: analysis.nodes, time: begun.elapsed() })
}

/// A position of the file.
struct Problem {
    /// Which one, from 1.
    number: u32,
    position: Position,
    /// The score the file knows: that of its best move, wherever in the line it stands.
    known: Option<i32>,
}

impl Problem {
    fn new(number: u32, record: &Record) -> Problem {
        let known = record.known().iter().filter_map(|known| known.score).map(|score| score.round() as i32).max();
        Problem { number, position: record.end(), known }
    }
}

/// The positions asked for, and how many of the file's cannot be read.
fn problems(args: &Solve, games: &Games, context: &Context) -> Result<(Vec<Problem>, usize), Failure> {
    let wanted = args.from..=args.to.unwrap_or(u32::MAX);
    let (mut problems, mut refused) = (Vec::new(), 0);
    for (number, record) in (1..).zip(games.records()).filter(|(number, _)| wanted.contains(number)) {
        match record {
            Ok(record) => problems.push(Problem::new(number, &record)),
            Err(one) => {
                eprintln!("outflank: {}", context.refused(&one));
                refused += 1;
            }
        }
    }
    match (problems.is_empty(), refused) {
        (true, 0) => {
            let why = text!(context, "cli-solve-none");
            Err(fail!(context, "cli-rejected-file", file = games.name.as_str(), why = why))
        }
        (true, _) => Err(Failure::Quiet(2)),
        (false, _) => Ok((problems, refused)),
    }
}

fn engine(args: &Solve, context: &Context) -> Result<Engine, Failure> {
    let evaluator = match &args.weights {
        None => brain::evaluator(),
        Some(path) => brain::weights(path, context)?,
    };
    Ok(Engine::new(evaluator, args.machine.options(512)))
}

pub(crate) fn run(args: &Solve, context: &Context) -> Result<(), Failure> {
    let begun = Instant::now();
    let games = Games::open(args.file.as_os_str(), context)?;
    let (problems, refused) = problems(args, &games, context)?;
    let mut engine = engine(args, context)?;
    let stop = interrupt::stop();
    let titles = format!("{}|{}", text!(context, "cli-solve-columns"), text!(context, "cli-solve-line"));
    let columns = Columns::new(&titles, &[3, 2, 3, 2, 14, 9, 8, 0]);
    if !args.json {
        context.line(&columns.title())?;
    }
    let bar = bar(problems.len());
    let (mut solved, mut wrong) = (0, 0);
    let mut nodes = 0;
    for Problem { number, position, known } in problems {
        let Some(found) = solve(&mut engine, &position, &stop, &bar) else { break };
        let right = known.map(|known| known == found.score);
        (solved, wrong) = (solved + 1, wrong + usize::from(right == Some(false)));
        nodes += found.nodes;
        let line = if args.json {
            json!({
                "number": number, "board": answer::board(&position), "turn": answer::turn(&position),
                "empties": position.empty().len(), "score": found.score, "move": answer::square(found.line.first().copied()),
                "line": answer::joined(&found.line), "nodes": found.nodes, "seconds": found.time.as_secs_f64(),
                "known": known, "right": right,
            })
            .to_string()
        } else {
            let mut cells = row(number, &position, &found, known, context).to_vec();
            cells.insert(columns.len() - 1, answer::spaced(&position, &found.line));
            columns.row(&cells)
        };
        bar.suspend(|| context.line(&line))?;
        bar.inc(1);
    }
    bar.finish_and_clear();
    // reading the file and making the table are part of it
    let seconds = begun.elapsed().as_secs_f64();
    if args.json {
        let totals = json!({ "solved": solved, "wrong": wrong, "nodes": nodes, "seconds": seconds });
        context.line(&json!({ "total": totals }).to_string())?;
    } else {
        let rate = rate(nodes, seconds, context);
        let total = text!(context, "cli-solve-total", solved = solved, nodes = nodes, seconds = seconds, rate = rate);
        context.line(&total)?;
        if wrong > 0 {
            context.line(&text!(context, "cli-solve-total-wrong", wrong = wrong))?;
        }
    }
    match () {
        () if stop.is_set() => Err(Failure::Quiet(130)),
        () if wrong > 0 => Err(Failure::Quiet(1)),
        () if refused > 0 => Err(Failure::Quiet(2)),
        () => Ok(()),
    }
}

/// Draws itself on a terminal only.
fn bar(positions: usize) -> ProgressBar {
    let bar = ProgressBar::with_draw_target(Some(positions as u64), ProgressDrawTarget::stderr());
    let style = ProgressStyle::with_template("{bar:40} {pos}/{len} {elapsed} {msg}");
    let bar = bar.with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
    bar.enable_steady_tick(Duration::from_millis(250));
    bar
}
