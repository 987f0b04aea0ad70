//! `outflank analyse`: what the engine thinks of a position, or of every move of a game, or of every game of a file.

use crate::{
    answer,
    args::Analyse,
    brain,
    columns::Columns,
    commands::show,
    context::{Context, Failure},
    files::Games,
    interrupt, text,
};
use engine::{Analysis, Engine, Limits, Line, Stop};
use record::Record;
use rules::{ByColor, Color, Position, Square};
use serde_json::{Value, json};
use std::time::Instant;

pub(crate) fn run(args: &Analyse, context: &Context) -> Result<(), Failure> {
    let games = Games::open(&args.which.game, context)?;
    let mut work = Work { args, context, stop: interrupt::stop(), begun: Instant::now(), total: Total::default() };
    let mut engine = Engine::new(brain::evaluator(), args.machine.options(128));
    let all = args.which.number.is_none() && args.which.at.is_none() && games.records().take(2).count() > 1;
    let mut refused = 0;
    if all {
        refused = work.every(&mut engine, &games)?;
    } else {
        let number = args.which.number.unwrap_or(1);
        let record = games.record(number, context)?;
        if args.which.at.is_none() && record.main_len() > 0 {
            work.game(&mut engine, number, &record)?;
        } else {
            let (_, position) = show::moment(&record, args.which.at, context)?;
            work.position(&mut engine, number, &position, true)?;
        }
    }
    // of one position the last round is the answer: there is nothing to add up
    if all || work.total.moves > 0 {
        work.tell_total()?;
    }
    match () {
        () if work.stop.is_set() => Err(Failure::Quiet(130)),
        () if refused > 0 => Err(Failure::Quiet(2)),
        () => Ok(()),
    }
}

/// What was asked for, and what follows from it.
fn limits(args: &Analyse, stop: &Stop, depth: u32) -> Limits {
    let depth = args.depth.map_or(depth, u32::from);
    let whole = Limits { lines: args.lines.into(), stop: stop.clone(), ..Limits::default() };
    match args.time {
        Some(time) if args.depth.is_none() => Limits { time: Some(time), ..whole },
        time => Limits { depth, solve_at: depth + (depth / 2).min(6), time, ..whole },
    }
}

/// One line, for programs.
fn told(line: &Line) -> Value {
    json!({
        "move": line.square.to_string(), "score": line.score, "depth": line.depth,
        "confidence": line.confidence.percent(), "to_the_end": line.to_the_end, "proven": line.is_proven(),
        "line": answer::joined(&line.variation),
    })
}

fn depth(line: &Line) -> String {
    match line.confidence.percent() {
        100 if line.to_the_end => format!("{}@100%", line.depth),
        percent => format!("{}@{percent}%", line.depth),
    }
}

/// A move of a game and what it cost.
struct Judged {
    number: usize,
    by: Color,
    square: Square,
    score: i32,
    best: Line,
    loss: i32,
}

/// What is known of all the games together.
#[derive(Default)]
struct Total {
    games: u32,
    moves: usize,
    losses: ByColor<i32>,
    mistakes: ByColor<u32>,
}

/// What is to be done, and what came of it so far.
struct Work<'a> {
    args: &'a Analyse,
    context: &'a Context,
    stop: Stop,
    begun: Instant,
    total: Total,
}

impl Work<'_> {
    /// Every game and position of a file, one after another; how many of them cannot be read.
    fn every(&mut self, engine: &mut Engine, games: &Games) -> Result<u32, Failure> {
        let mut refused = 0;
        for (number, record) in (1..).zip(games.records()) {
            if self.stop.is_set() {
                break;
            }
            let record = match record {
                Ok(record) => record,
                Err(one) => {
                    refused += 1;
                    eprintln!("outflank: {}", self.context.refused(&one));
                    continue;
                }
            };
            if !self.args.json {
                let title = show::title(&record);
                self.context
                    .line(text!(self.context, "cli-analyse-game", number = number, title = title).trim_end())?;
            }
            match record.main_len() {
                0 => self.position(engine, number, &record.end(), false)?,
                _ => self.game(engine, number, &record)?,
            }
        }
        Ok(refused)
    }

    /// One position: a line for every round of the search, the last being the answer; or only that one.
    fn position(
        &mut self,
        engine: &mut Engine,
        number: u32,
        position: &Position,
        every_round: bool,
    ) -> Result<(), Failure> {
        self.total.games += 1;
        if position.is_over() {
            let said = !self.args.json;
            return if said { self.context.line(&show::state(position, self.context)) } else { Ok(()) };
        }
        let columns = Columns::new(&text!(self.context, "cli-analyse-columns"), &[8, 3, 12, 8, 0]);
        if !self.args.json {
            self.context.line(&columns.title())?;
        }
        let mut failed = None;
        let analysis = engine.search(position, &limits(self.args, &self.stop, 20), &mut |analysis| {
            if every_round
                && failed.is_none()
                && let Err(failure) = self.say(number, position, analysis, &columns)
            {
                failed = Some(failure);
                self.stop.now();
            }
        });
        match failed {
            Some(failure) => Err(failure),
            None if every_round || self.stop.is_set() => Ok(()),
            None => self.say(number, position, &analysis, &columns),
        }
    }

    /// The lines of one round.
    fn say(&self, number: u32, position: &Position, analysis: &Analysis, columns: &Columns) -> Result<(), Failure> {
        for line in &analysis.lines {
            self.context.line(&if self.args.json {
                let mut value = told(line);
                value["game"] = number.into();
                value["nodes"] = analysis.nodes.into();
                value["seconds"] = analysis.time.as_secs_f64().into();
                value.to_string()
            } else {
                columns.row(&[
                    depth(line),
                    format!("{:+}", line.score),
                    analysis.nodes.to_string(),
                    self.context.messages.decimal(analysis.time.as_secs_f64(), 2),
                    answer::spaced(position, &line.variation),
                ])
            })?;
        }
        Ok(())
    }

    /// A whole game, the last move first, so that what is found late in the game is known earlier in it.
    fn game(&mut self, engine: &mut Engine, number: u32, record: &Record) -> Result<(), Failure> {
        let steps: Vec<_> = record.steps().collect();
        let positions: Vec<Position> =
            std::iter::once(record.start()).chain(steps.iter().map(|step| step.after)).collect();
        let bar =
            indicatif::ProgressBar::with_draw_target(Some(steps.len() as u64), indicatif::ProgressDrawTarget::stderr());
        let mut judged: Vec<Judged> = Vec::new();
        for (at, step) in steps.iter().enumerate().rev() {
            let limits = Limits { lines: 1, ..limits(self.args, &self.stop, 14) };
            let Some(best) = engine.search(&positions[at], &limits, &mut |_| {}).best().cloned() else { continue };
            let score = match best.square == step.square {
                true => best.score,
                false => worth(engine, &positions[at], step.square, &limits),
            };
            if self.stop.is_set() {
                break;
            }
            // a search of the move alone may find more in it than the search that passed it by
            let loss = (best.score - score).max(0);
            judged.push(Judged { number: at + 1, by: step.by, square: step.square, score, best, loss });
            bar.inc(1);
        }
        bar.finish_and_clear();
        judged.reverse();
        self.total.games += 1;
        self.tell(number, &judged, &positions)
    }

    /// What each move of a game cost.
    fn tell(&mut self, game: u32, judged: &[Judged], positions: &[Position]) -> Result<(), Failure> {
        let columns = Columns::new(&text!(self.context, "cli-analyse-game-columns"), &[2, 2, 2, 4, 4, 4, 8, 0]);
        if !self.args.json {
            self.context.line(&columns.title())?;
        }
        for one in judged {
            self.total.moves += 1;
            self.total.losses[one.by] += one.loss;
            self.total.mistakes[one.by] += u32::from(one.loss >= 4);
            let position = &positions[one.number - 1];
            self.context.line(&if self.args.json {
                json!({
                    "game": game, "number": one.number, "by": one.by.to_string(), "move": one.square.to_string(),
                    "score": one.score, "loss": one.loss, "best": told(&one.best),
                })
                .to_string()
            } else {
                let better = if one.loss > 0 { answer::spaced(position, &one.best.variation) } else { String::new() };
                columns.row(&[
                    one.number.to_string(),
                    one.by.letter().to_string(),
                    one.square.to_string(),
                    format!("{:+}", one.score),
                    if one.loss > 0 { format!("-{}", one.loss) } else { String::new() },
                    if one.loss > 0 { one.best.square.to_string() } else { String::new() },
                    depth(&one.best),
                    better,
                ])
            })?;
        }
        Ok(())
    }

    fn tell_total(&self) -> Result<(), Failure> {
        let Total { games, moves, losses, mistakes } = &self.total;
        if self.args.json {
            let total = json!({
                "games": games, "moves": moves,
                "loss": { "black": losses.black, "white": losses.white },
                "mistakes": { "black": mistakes.black, "white": mistakes.white },
                "seconds": self.begun.elapsed().as_secs_f64(),
            });
            return self.context.line(&json!({ "total": total }).to_string());
        }
        if *moves == 0 {
            return Ok(());
        }
        self.context.line(&text!(
            self.context,
            "cli-analyse-total",
            black = losses.black,
            white = losses.white,
            blackmistakes = mistakes.black,
            whitemistakes = mistakes.white,
        ))
    }
}

/// What a move is worth to the player who makes it.
fn worth(engine: &mut Engine, position: &Position, square: Square, limits: &Limits) -> i32 {
    let step = position.play_unchecked(square);
    let sign = if step.after.turn() == Some(step.by) { 1 } else { -1 };
    match step.after.outcome() {
        Some(outcome) => {
            let black = i32::from(outcome.difference());
            if step.by == Color::Black { black } else { -black }
        }
        None => {
            let limits = Limits { depth: limits.depth.saturating_sub(1).max(1), ..limits.clone() };
            sign * engine.search(&step.after, &limits, &mut |_| {}).best().map_or(0, |best| best.score)
        }
    }
}
