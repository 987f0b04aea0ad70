//! `outflank solve FILE.obf`: the exact score of each position of a file.

use crate::{
    args::Solve,
    brain,
    columns::{Columns, rate},
    context::{Context, Failure},
    fail,
    files::Source,
    interrupt, text,
};
use engine::{Engine, Evaluator, Limits, Options, Stop};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use record::{Place, Record, Rejection, obf};
use rules::{Position, Square};
use serde_json::json;
use std::time::Duration;

/// What came of one position.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Solved {
    pub(crate) score: i32,
    pub(crate) square: Option<Square>,
    pub(crate) nodes: u64,
    pub(crate) time: Duration,
}

/// Solves one position as if it were the first; `None` if it was stopped before that.
pub(crate) fn solve(engine: &mut Engine, position: &Position, stop: &Stop, bar: &ProgressBar) -> Option<Solved> {
    if let Some(outcome) = position.outcome() {
        let score = i32::from(outcome.difference());
        let mover = if position.board().mover == position.discs().black { score } else { -score };
        return Some(Solved { score: mover, square: None, nodes: 1, time: Duration::ZERO });
    }
    engine.forget();
    let limits = Limits { stop: stop.clone(), ..Limits::solve() };
    let analysis = engine.search(position, &limits, &mut |analysis| {
        if let Some(best) = analysis.best() {
            let (depth, percent) = (analysis.depth, best.confidence.percent());
            bar.set_message(format!("{depth}@{percent}% {:+} {}", best.score, best.square));
        }
    });
    let best = analysis.best().filter(|best| best.is_proven())?;
    Some(Solved { score: best.score, square: Some(best.square), nodes: analysis.nodes, time: analysis.time })
}

/// The score the file knows: that of its best move, wherever in the line it stands.
fn known(record: &Record) -> Option<i32> {
    let evals = record.notes().iter().filter_map(|note| note.note.eval);
    evals.map(|eval| eval.round() as i32).max()
}

pub(crate) fn run(args: &Solve, context: &Context) -> Result<(), Failure> {
    let source = Source::open(&args.file, context)?;
    let positions: Vec<_> = obf::positions(&source.bytes).collect();
    let wanted = args.from..=args.to.unwrap_or(positions.len());
    let chosen: Vec<_> = positions.into_iter().zip(1usize..).filter(|(_, number)| wanted.contains(number)).collect();
    if chosen.is_empty() {
        let why = text!(context, "cli-solve-none");
        return Err(Failure::Sentence(text!(context, "cli-rejected-file", file = source.name.as_str(), why = why)));
    }
    let stop = interrupt::stop();
    let options = Options { threads: args.threads.into(), hash: args.hash.into() };
    let mut engine = match &args.weights {
        None => brain::engine(options.threads, options.hash),
        Some(path) => {
            let file = Source::open(path, context)?;
            let eval = Evaluator::new(&file.bytes)
                .map_err(|error| fail!(context, "cli-solve-weights", path = file.name, why = error.to_string()))?;
            Engine::new(eval, options)
        }
    };
    let columns = Columns::new(&text!(context, "cli-solve-columns"), &[3, 2, 3, 2, 14, 9, 8]);
    if !args.json {
        context.line(&columns.title())?;
    }
    let bar = bar(chosen.len());
    let (mut solved, mut wrong, mut refused) = (0, 0, 0);
    let (mut nodes, mut time) = (0, Duration::ZERO);
    for ((byte, raw), number) in chosen {
        let record = match raw.and_then(Record::try_from) {
            Ok(record) => record,
            Err(error) => {
                let line = 1 + source.bytes[..byte].iter().filter(|&&byte| byte == b'\n').count();
                let place = Place { byte: byte + error.byte, line };
                let rejection = Rejection { game: number, place, why: error.why };
                bar.suspend(|| eprintln!("outflank: {}", context.rejection(&source.name, &rejection)));
                refused += 1;
                continue;
            }
        };
        let position = record.start();
        let Some(found) = solve(&mut engine, &position, &stop, &bar) else { break };
        let known = known(&record);
        let right = known.is_none_or(|known| known == found.score);
        (solved, wrong) = (solved + 1, wrong + usize::from(!right));
        (nodes, time) = (nodes + found.nodes, time + found.time);
        let (empties, seconds) = (position.empty().len(), found.time.as_secs_f64());
        let square = found.square.map_or("--".to_owned(), |square| square.to_string());
        let line = if args.json {
            json!({
                "number": number, "empties": empties, "score": found.score, "move": square, "nodes": found.nodes,
                "seconds": seconds, "known": known, "right": right,
            })
            .to_string()
        } else {
            let cells = [
                number.to_string(),
                empties.to_string(),
                format!("{:+}", found.score),
                square,
                found.nodes.to_string(),
                context.messages.decimal(seconds, 3),
                rate(found.nodes, seconds, context),
                if right { String::new() } else { text!(context, "cli-solve-wrong", score = known.unwrap_or(0)) },
            ];
            columns.row(&cells)
        };
        bar.suspend(|| context.line(&line))?;
        bar.inc(1);
    }
    bar.finish_and_clear();
    let seconds = time.as_secs_f64();
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
