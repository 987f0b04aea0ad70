//! `outflank analyse`: what the engine thinks of a position, or of every move of a game.

use crate::{
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

pub(crate) fn run(args: &Analyse, context: &Context) -> Result<(), Failure> {
    let record = Games::open(&args.which.game, context)?.record(args.which.number, context)?;
    let stop = interrupt::stop();
    let mut engine = Engine::new(brain::evaluator(), args.machine.options(128));
    if args.which.at.is_none() && record.main_len() > 0 {
        return game(args, &record, &mut engine, &stop, context);
    }
    let played = record.main_len();
    let at = args.which.at.unwrap_or(played);
    let Some(position) = record.after(at) else {
        return Err(crate::fail!(context, "cli-show-no-ply", at = at, played = played));
    };
    one(args, &position, &mut engine, &stop, context)
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

/// How a search went, for those who read and those who compute.
fn told(line: &Line, position: &Position) -> Value {
    json!({
        "move": line.square.to_string(), "score": line.score, "depth": line.depth,
        "confidence": line.confidence.percent(), "to_the_end": line.to_the_end, "proven": line.is_proven(),
        "line": variation(position, &line.variation),
    })
}

/// The moves expected, with the passes between them.
fn variation(position: &Position, squares: &[Square]) -> String {
    let mut position = *position;
    let mut words = Vec::new();
    for &square in squares {
        let Ok(step) = position.play(square) else { break };
        words.push(square.to_string());
        if step.passed {
            words.push("--".to_owned());
        }
        position = step.after;
    }
    words.join(" ")
}

fn depth(line: &Line) -> String {
    match line.confidence.percent() {
        100 if line.to_the_end => format!("{}@100%", line.depth),
        percent => format!("{}@{percent}%", line.depth),
    }
}

/// One position: a line for every round of the search, the last being the answer.
fn one(
    args: &Analyse,
    position: &Position,
    engine: &mut Engine,
    stop: &Stop,
    context: &Context,
) -> Result<(), Failure> {
    if position.is_over() {
        return context.line(&show::state(position, context));
    }
    let columns = Columns::new(&text!(context, "cli-analyse-columns"), &[8, 3, 12, 8, 0]);
    if !args.json {
        context.line(&columns.title())?;
    }
    let mut failed = None;
    let say = |analysis: &Analysis| {
        for line in &analysis.lines {
            let text = if args.json {
                let mut value = told(line, position);
                value["nodes"] = analysis.nodes.into();
                value["seconds"] = analysis.time.as_secs_f64().into();
                value.to_string()
            } else {
                columns.row(&[
                    depth(line),
                    format!("{:+}", line.score),
                    analysis.nodes.to_string(),
                    context.messages.decimal(analysis.time.as_secs_f64(), 2),
                    variation(position, &line.variation),
                ])
            };
            context.line(&text)?;
        }
        Ok(())
    };
    engine.search(position, &limits(args, stop, 20), &mut |analysis| {
        if failed.is_none()
            && let Err(failure) = say(analysis)
        {
            failed = Some(failure);
            stop.now();
        }
    });
    match failed {
        Some(failure) => Err(failure),
        None if stop.is_set() => Err(Failure::Quiet(130)),
        None => Ok(()),
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

/// A whole game, the last move first, so that what is found late in the game is known earlier in it.
fn game(args: &Analyse, record: &Record, engine: &mut Engine, stop: &Stop, context: &Context) -> Result<(), Failure> {
    let steps: Vec<_> = record.steps().collect();
    let positions: Vec<Position> = std::iter::once(record.start()).chain(steps.iter().map(|step| step.after)).collect();
    let bar =
        indicatif::ProgressBar::with_draw_target(Some(steps.len() as u64), indicatif::ProgressDrawTarget::stderr());
    let mut judged: Vec<Judged> = Vec::new();
    for (at, step) in steps.iter().enumerate().rev() {
        let limits = Limits { lines: 1, ..limits(args, stop, 14) };
        let Some(best) = engine.search(&positions[at], &limits, &mut |_| {}).best().cloned() else { continue };
        let score =
            if best.square == step.square { best.score } else { worth(engine, &positions[at], step.square, &limits) };
        if stop.is_set() {
            break;
        }
        // a search of the move alone may find more in it than the search that passed it by
        let loss = (best.score - score).max(0);
        judged.push(Judged { number: at + 1, by: step.by, square: step.square, score, best, loss });
        bar.inc(1);
    }
    bar.finish_and_clear();
    judged.reverse();
    tell(args, &judged, &positions, context)?;
    if stop.is_set() { Err(Failure::Quiet(130)) } else { Ok(()) }
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

fn tell(args: &Analyse, judged: &[Judged], positions: &[Position], context: &Context) -> Result<(), Failure> {
    let columns = Columns::new(&text!(context, "cli-analyse-game-columns"), &[2, 2, 2, 4, 4, 4, 8, 0]);
    if !args.json {
        context.line(&columns.title())?;
    }
    let mut losses = ByColor { black: 0, white: 0 };
    let mut mistakes = ByColor { black: 0, white: 0 };
    for one in judged {
        losses[one.by] += one.loss;
        mistakes[one.by] += u32::from(one.loss >= 4);
        let position = &positions[one.number - 1];
        context.line(&if args.json {
            json!({
                "number": one.number, "by": one.by.to_string(), "move": one.square.to_string(), "score": one.score,
                "loss": one.loss, "best": told(&one.best, position),
            })
            .to_string()
        } else {
            let better = if one.loss > 0 { variation(position, &one.best.variation) } else { String::new() };
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
    if args.json {
        let totals = json!({
            "loss": { "black": losses.black, "white": losses.white },
            "mistakes": { "black": mistakes.black, "white": mistakes.white },
        });
        return context.line(&json!({ "total": totals }).to_string());
    }
    context.line(&text!(
        context,
        "cli-analyse-total",
        black = losses.black,
        white = losses.white,
        blackmistakes = mistakes.black,
        whitemistakes = mistakes.white,
    ))
}
