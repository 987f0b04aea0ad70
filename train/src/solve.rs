//! A quick look at how the solver does on a file of positions.

use engine::{Engine, Limits, Options};
use rules::Setup;
use std::{path::PathBuf, time::Instant};

#[derive(clap::Args)]
pub(crate) struct Args {
    file: PathBuf,
    #[arg(long)]
    weights: Option<PathBuf>,
    #[arg(long, default_value_t = 1)]
    threads: usize,
    #[arg(long, default_value_t = 512)]
    hash: usize,
    #[arg(long, default_value_t = 1)]
    from: usize,
    #[arg(long, default_value_t = usize::MAX)]
    to: usize,
    /// Say what each round found
    #[arg(long)]
    rounds: bool,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let mut engine =
        Engine::new(crate::evaluator(args.weights.as_ref())?, Options { threads: args.threads, hash: args.hash });
    let text = std::fs::read_to_string(&args.file)?;
    let lines = text.lines().filter(|line| !line.trim().is_empty() && !line.starts_with('%'));
    let (mut nodes, mut wrong) = (0, 0);
    let begun = Instant::now();
    for (number, line) in lines.enumerate().map(|(n, line)| (n + 1, line)) {
        if number < args.from || number > args.to {
            continue;
        }
        let mut parts = line.split(';');
        let setup: Setup = parts.next().unwrap_or_default().trim().parse()?;
        let known: Option<i32> = parts
            .filter_map(|part| part.split_once(':').and_then(|(_, score)| score.trim().parse().ok()))
            .filter(|&score: &i32| score >= -64)
            .max();
        let position = setup.position()?;
        engine.forget();
        let analysis = engine.search(&position, &Limits::solve(), &mut |analysis| {
            if args.rounds
                && let Some(best) = analysis.best()
            {
                let seconds = analysis.time.as_secs_f64();
                println!(
                    "    {:>2}@{}% {:+} {} {} nodes {seconds:.3} s",
                    analysis.depth,
                    best.confidence.percent(),
                    best.score,
                    best.square,
                    analysis.nodes
                );
            }
        });
        let Some(best) = analysis.best() else { continue };
        let seconds = analysis.time.as_secs_f64();
        let verdict = if known.is_some_and(|known| known != best.score) { "WRONG" } else { "" };
        wrong += usize::from(!verdict.is_empty());
        nodes += analysis.nodes;
        println!(
            "{number:>3} {:>2} {:+3} {} {:>12} {seconds:>8.3} s {:>5.1} M/s {verdict}",
            position.empty().len(),
            best.score,
            best.square,
            analysis.nodes,
            analysis.nodes as f64 / seconds / 1e6
        );
    }
    let seconds = begun.elapsed().as_secs_f64();
    println!("{nodes} nodes {seconds:.2} s {:.1} M/s, {wrong} wrong", nodes as f64 / seconds / 1e6);
    Ok(())
}
