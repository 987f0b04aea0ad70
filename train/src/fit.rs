//! Fitting weights to the results of games: least squares, phase by phase.
//!
//! The estimate is linear in the weights, so the best weights solve a linear system. Conjugate gradients find them in
//! a few dozen passes over the positions, with no step size to tune and the same answer every time. A small penalty
//! holds down the weights of fillings hardly ever seen.

use crate::{
    deep,
    games::{self, Thought},
    random::Random,
};
use engine::eval::{
    DISC, EMPTIES, Evaluator, PHASES, Unpacked,
    patterns::{Layout, SLOTS},
    phase,
};
use rules::Board;
use std::{
    path::PathBuf,
    sync::{
        Mutex,
        atomic::{AtomicUsize, Ordering::Relaxed},
    },
    time::Instant,
};

#[derive(clap::Args)]
pub(crate) struct Args {
    /// Files of games
    files: Vec<PathBuf>,
    /// Where to write the weights
    #[arg(long)]
    out: PathBuf,
    #[arg(long, default_value_t = 1)]
    threads: usize,
    /// Passes over the positions
    #[arg(long, default_value_t = 25)]
    passes: usize,
    /// What it costs a weight to be large, in positions
    #[arg(long, default_value_t = 48.0)]
    penalty: f32,
    /// Weights to start from: what the games say nothing of stays as it was
    #[arg(long)]
    start: Option<PathBuf>,
    /// How far a label looks: 0, what the search thought; 1, the game's result; between, both and the searches between
    #[arg(long, default_value_t = 0.8)]
    patience: f32,
    /// Only the phases from the first to the second of these numbers of empties
    #[arg(long, num_args = 2, default_values_t = [0, 60])]
    only: Vec<u32>,
    /// Positions searched deep, to tell the error on
    #[arg(long)]
    deep: Option<PathBuf>,
    /// Positions of neighbouring plies help too: a phase learns from this many plies on each side
    #[arg(long, default_value_t = 3)]
    neighbours: u32,
    /// Discs by which a label must be off zero to count half: games are decided where they are close
    #[arg(long, default_value_t = 16.0)]
    focus: f32,
    /// At most so many positions for each number of empties
    #[arg(long, default_value_t = usize::MAX)]
    most: usize,
}

#[derive(clap::Args)]
pub(crate) struct ReportArgs {
    /// Files of games
    files: Vec<PathBuf>,
    /// Positions searched deep
    #[arg(long)]
    deep: Option<PathBuf>,
    #[arg(long)]
    weights: PathBuf,
}

/// Every position of the games, with the weights given.
pub(crate) fn run_report(args: &ReportArgs) -> anyhow::Result<()> {
    let mut test: Vec<Vec<Thought>> = match &args.deep {
        Some(path) => deep::read(path)?,
        None => (0..=60).map(|_| Vec::new()).collect(),
    };
    for path in &args.files {
        for thought in games::read(path)?.iter().flat_map(|game| game.thoughts(1.0)) {
            test[thought.board.empty().len().min(60) as usize].push(thought);
        }
    }
    report(&crate::evaluator(Some(&args.weights))?, &test);
    Ok(())
}

/// One game in so many is kept for testing.
const HELD_OUT: u64 = 20;

/// Positions by the number of empties.
type Samples = Vec<Vec<Thought>>;

/// The positions of all games: those to fit, and those held out to test on.
fn read(args: &Args) -> anyhow::Result<(Samples, Samples)> {
    let begun = Instant::now();
    let mut train: Samples = (0..=60).map(|_| Vec::new()).collect();
    let mut test: Samples = (0..=60).map(|_| Vec::new()).collect();
    let mut count = 0u64;
    for path in &args.files {
        for game in games::read(path)? {
            count += 1;
            let held_out = Random::new(count).next().is_multiple_of(HELD_OUT);
            let samples = if held_out { &mut test } else { &mut train };
            for thought in game.thoughts(args.patience) {
                let samples = &mut samples[thought.board.empty().len().min(60) as usize];
                if samples.len() < args.most {
                    samples.push(thought);
                }
            }
        }
    }
    let positions: usize = train.iter().map(Vec::len).sum();
    println!("{count} games, {positions} positions, read in {:.1} s", begun.elapsed().as_secs_f64());
    Ok((train, test))
}

/// The weights of one phase, fitted to what `start` leaves to explain; nothing where no position is of it.
fn fit_phase(args: &Args, layout: &Layout, start: &Evaluator, train: &Samples, this: usize) -> Vec<f32> {
    let plies: Vec<u32> = (0..=60).filter(|&empties| phase(empties) == this).collect();
    let (low, high) = (*plies.first().unwrap_or(&0), *plies.last().unwrap_or(&0));
    let near = low.saturating_sub(args.neighbours)..=(high + args.neighbours).min(60);
    let wanted = low <= args.only[1] && high >= args.only[0];
    let near = near.filter(|_| wanted);
    let samples: Vec<&Thought> = near.flat_map(|empties| &train[empties as usize]).collect();
    if samples.is_empty() {
        return vec![0.0; layout.weights];
    }
    let rows = rows(layout, start, samples.iter().map(|s| s.board));
    let old = |s: &Thought| start.sum(&start.features(s.board), s.board.empty().len()) as f32;
    let scores: Vec<f32> = samples.iter().map(|s| s.label - old(s) / DISC as f32).collect();
    let counts: Vec<f32> = samples.iter().map(|s| 1.0 / (1.0 + (s.label / args.focus).powi(2))).collect();
    solve(&rows, &counts, &scores, layout.weights, args.passes, args.penalty)
}

/// The weights of every phase, on all threads.
fn fit_phases(args: &Args, layout: &Layout, start: &Evaluator, train: &Samples) -> Vec<Vec<f32>> {
    let next = AtomicUsize::new(0);
    let fitted: Mutex<Vec<Vec<f32>>> = Mutex::new(vec![Vec::new(); PHASES]);
    let work = || {
        loop {
            let this = next.fetch_add(1, Relaxed);
            if this >= PHASES {
                break;
            }
            let weights = fit_phase(args, layout, start, train, this);
            fitted.lock().unwrap_or_else(|e| e.into_inner())[this] = weights;
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..args.threads.max(1) {
            scope.spawn(work);
        }
    });
    fitted.into_inner().unwrap_or_else(|e| e.into_inner())
}

/// Phases that no game reached get the weights of the nearest one that was.
fn fill_gaps(fitted: &mut [Vec<f32>]) {
    let reached: Vec<usize> = (0..PHASES).filter(|&p| fitted[p].iter().any(|&w| w != 0.0)).collect();
    for this in 0..PHASES {
        if !reached.contains(&this)
            && let Some(&near) = reached.iter().min_by_key(|&&p| p.abs_diff(this))
        {
            fitted[this] = fitted[near].clone();
        }
    }
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let (train, test) = read(args)?;
    let begun = Instant::now();
    let layout = Layout::new();
    let mut fitted = fit_phases(args, &layout, &crate::evaluator(args.start.as_ref())?, &train);
    let old: Vec<i16> = match &args.start {
        Some(path) => Evaluator::unpack(&layout, &std::fs::read(path)?)?.weights,
        None => {
            fill_gaps(&mut fitted);
            vec![0; layout.weights * PHASES]
        }
    };
    let weights: Vec<i16> = fitted
        .iter()
        .flatten()
        .zip(old)
        .map(|(w, old)| (w * DISC as f32 + f32::from(old)).round().clamp(-32768.0, 32767.0) as i16)
        .collect();
    let packed = Evaluator::pack(&Unpacked { weights, tempo: [0; EMPTIES], net: Vec::new() });
    std::fs::write(&args.out, &packed)?;
    println!("fitted in {:.1} s, {} bytes packed", begun.elapsed().as_secs_f64(), packed.len());
    let test = args.deep.as_ref().map_or(Ok(test), |path| deep::read(path))?;
    report(&Evaluator::new(&packed)?, &test);
    Ok(())
}

/// The numbers of the weights each position uses.
fn rows(layout: &Layout, eval: &Evaluator, boards: impl Iterator<Item = Board>) -> Vec<u32> {
    let mut rows = Vec::new();
    for board in boards {
        let fillings: [u16; SLOTS] = eval.features(board).fillings();
        for (placement, filling) in layout.placements.iter().zip(fillings) {
            rows.push(layout.shared[layout.offsets[placement.class] + filling as usize]);
        }
    }
    rows
}

/// Conjugate gradients on the normal equations, each weight scaled by how often it is seen; `counts` says how much
/// each position does.
fn solve(rows: &[u32], counts: &[f32], scores: &[f32], weights: usize, passes: usize, penalty: f32) -> Vec<f32> {
    let width = rows.len() / counts.len().max(1);
    let mut seen = vec![0f32; weights];
    for (row, count) in rows.chunks_exact(width).zip(counts) {
        for &weight in row {
            seen[weight as usize] += count;
        }
    }
    let scale: Vec<f32> = seen.iter().map(|n| 1.0 / (n + penalty)).collect();
    let forward = |x: &[f32], out: &mut [f32]| {
        for (row, out) in rows.chunks_exact(width).zip(out) {
            *out = row.iter().map(|&weight| x[weight as usize]).sum();
        }
    };
    let backward = |errors: &[f32], out: &mut [f32]| {
        out.fill(0.0);
        for ((row, error), count) in rows.chunks_exact(width).zip(errors).zip(counts) {
            for &weight in row {
                out[weight as usize] += error * count;
            }
        }
    };
    let dot = |a: &[f32], b: &[f32]| a.iter().zip(b).map(|(&a, &b)| f64::from(a) * f64::from(b)).sum::<f64>();

    let mut x = vec![0f32; weights];
    let mut residual = vec![0f32; weights];
    backward(scores, &mut residual);
    let mut scaled: Vec<f32> = residual.iter().zip(&scale).map(|(r, s)| r * s).collect();
    let mut direction = scaled.clone();
    let mut rho = dot(&residual, &scaled);
    let mut estimates = vec![0f32; scores.len()];
    let mut product = vec![0f32; weights];
    for _ in 0..passes {
        forward(&direction, &mut estimates);
        backward(&estimates, &mut product);
        for (p, d) in product.iter_mut().zip(&direction) {
            *p += penalty * d;
        }
        let curvature = dot(&direction, &product);
        if curvature <= 0.0 {
            break;
        }
        let step = (rho / curvature) as f32;
        for at in 0..weights {
            x[at] += step * direction[at];
            residual[at] -= step * product[at];
            scaled[at] = residual[at] * scale[at];
        }
        let new = dot(&residual, &scaled);
        let turn = (new / rho) as f32;
        rho = new;
        for (d, s) in direction.iter_mut().zip(&scaled) {
            *d = s + turn * *d;
        }
    }
    x
}

/// A game is open while the players are no further apart, in discs.
pub(crate) const CLOSE: i8 = 12;

/// How far the estimates are off, for each phase: everywhere, and in open games.
fn report(eval: &Evaluator, test: &[Vec<Thought>]) {
    println!("empties  positions   mean absolute error   in open games   of always saying 0");
    for empties in (6..=59).rev().step_by(3) {
        let samples: Vec<&Thought> = (empties - 2..=empties).flat_map(|e: usize| &test[e]).collect();
        let error = |sample: &Thought| {
            let value = eval.value(&eval.features(sample.board), sample.board.empty().len());
            (f64::from(value) / f64::from(DISC) - f64::from(sample.result)).abs()
        };
        let mean = |errors: Vec<f64>| errors.iter().sum::<f64>() / errors.len() as f64;
        if !samples.is_empty() {
            println!(
                "{:>2}-{empties:<2}    {:>9}   {:>19.2}   {:>13.2}   {:>18.2}",
                empties - 2,
                samples.len(),
                mean(samples.iter().map(|s| error(s)).collect()),
                mean(samples.iter().filter(|s| s.result.abs() <= CLOSE).map(|s| error(s)).collect()),
                mean(samples.iter().map(|s| f64::from(s.result).abs()).collect()),
            );
        }
    }
}
