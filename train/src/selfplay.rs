//! Games of the engine against itself: a random opening, then thinking, then perfect play.

use crate::{games::Game, random::Random};
use engine::{Confidence, Engine, Limits, Options};
use rules::{Color, Position};
use std::{
    io::Write,
    path::PathBuf,
    sync::{
        Mutex,
        atomic::{AtomicU64, Ordering::Relaxed},
    },
    time::{Duration, Instant},
};

#[derive(clap::Args)]
pub(crate) struct Args {
    /// Weights of the players; without them, no knowledge at all
    #[arg(long)]
    weights: Option<PathBuf>,
    /// Where to write the games
    #[arg(long)]
    out: PathBuf,
    /// Games to play
    #[arg(long, default_value_t = u64::MAX)]
    games: u64,
    /// Stop after so many seconds
    #[arg(long)]
    seconds: Option<u64>,
    #[arg(long, default_value_t = 1)]
    threads: usize,
    /// Plies each player looks ahead
    #[arg(long, default_value_t = 4)]
    depth: u32,
    /// Empties from which play is perfect
    #[arg(long, default_value_t = 14)]
    solve: u32,
    /// The fewest and the most moves played at random first; few are likelier than many
    #[arg(long, num_args = 2, default_values_t = [6, 44])]
    random: Vec<u32>,
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

/// Below this many empties positions teach an evaluation nothing: searches see to the end.
const STOP_AT: u32 = 7;

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let eval = crate::evaluator(args.weights.as_ref())?;
    let out = Mutex::new(std::io::BufWriter::new(std::fs::File::create(&args.out)?));
    let next = AtomicU64::new(0);
    let moves = AtomicU64::new(0);
    let begun = Instant::now();
    let end = args.seconds.map(|seconds| begun + Duration::from_secs(seconds));
    let work = || -> anyhow::Result<()> {
        let mut engine = Engine::new(eval.clone(), Options { threads: 1, hash: 8 });
        let mut bytes = Vec::new();
        loop {
            let number = next.fetch_add(1, Relaxed);
            if number >= args.games || end.is_some_and(|end| Instant::now() >= end) {
                break;
            }
            // each game has its own seed, so that threads do not change what is played
            let game = play(&mut engine, args, &mut Random::new(args.seed << 32 ^ number));
            moves.fetch_add((game.moves.len() - game.random) as u64, Relaxed);
            game.write(&mut bytes);
            if bytes.len() > 1 << 16 {
                out.lock().unwrap_or_else(|e| e.into_inner()).write_all(&bytes)?;
                bytes.clear();
            }
        }
        out.lock().unwrap_or_else(|e| e.into_inner()).write_all(&bytes)?;
        Ok(())
    };
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..args.threads.max(1)).map(|_| scope.spawn(work)).collect();
        threads.into_iter().try_for_each(|thread| thread.join().unwrap_or_else(|e| std::panic::resume_unwind(e)))
    })?;
    out.lock().unwrap_or_else(|e| e.into_inner()).flush()?;
    let seconds = begun.elapsed().as_secs_f64();
    let games = next.load(Relaxed).saturating_sub(args.threads as u64);
    let moves = moves.load(Relaxed);
    println!("{games} games, {moves} positions in {seconds:.1} s: {:.0} games/s", games as f64 / seconds);
    Ok(())
}

fn play(engine: &mut Engine, args: &Args, random: &mut Random) -> Game {
    loop {
        let span = args.random[1] - args.random[0] + 1;
        let opening = args.random[0] + random.below(span).min(random.below(span));
        let mut position = Position::start();
        let mut moves = Vec::new();
        while moves.len() < opening as usize && !position.is_over() {
            let Some(square) = random.legal(position.board()) else { break };
            moves.push(square);
            position = position.play_unchecked(square).after;
        }
        if position.is_over() {
            continue;
        }
        engine.forget();
        let opening = moves.len();
        let mut proven = None;
        let mut scores = Vec::new();
        while let Some(turn) = position.turn() {
            let empties = position.empty().len();
            let score = |score: i32| if turn == Color::Black { score } else { -score };
            let solving = empties <= args.solve;
            if solving && empties < STOP_AT && proven.is_some() {
                break;
            }
            let limits = if solving {
                Limits::solve()
            } else {
                Limits {
                    depth: args.depth,
                    solve_at: args.solve,
                    confidence: Confidence::Percent73,
                    ..Limits::default()
                }
            };
            let analysis = engine.search(&position, &limits, &mut |_| {});
            let Some(best) = analysis.best() else { break };
            if solving && proven.is_none() {
                proven = Some(score(best.score));
            }
            scores.push(best.score as i8);
            moves.push(best.square);
            position = position.play_unchecked(best.square).after;
        }
        let result = proven.or_else(|| position.outcome().map(|outcome| i32::from(outcome.difference())));
        return Game { random: opening, score: result.unwrap_or_default() as i8, moves, scores };
    }
}
