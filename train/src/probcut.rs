//! How far a shallow search is from a deep one: samples, and the model of the error fitted to them.
//!
//! The logarithm of the standard deviation is taken as linear in a few simple numbers, once for searches that stop in
//! the midgame and once for searches to the end. The constants printed go into `crates/engine/src/probcut.rs`.

use crate::{games, random::Random};
use engine::{Confidence, Engine, Limits, Options, eval::DISC};
use rules::{Board, Color, Setup};
use std::{
    collections::BTreeMap,
    path::PathBuf,
    sync::{
        Mutex,
        atomic::{AtomicUsize, Ordering::Relaxed},
    },
};

#[derive(clap::Args)]
pub(crate) struct Args {
    /// A file of games to take positions from
    games: PathBuf,
    #[arg(long)]
    weights: PathBuf,
    /// Positions to search
    #[arg(long, default_value_t = 2000)]
    positions: usize,
    /// The deepest search in the midgame
    #[arg(long, default_value_t = 9)]
    depth: u32,
    /// The most empties to search to the end from
    #[arg(long, default_value_t = 18)]
    solve: u32,
    #[arg(long, default_value_t = 1)]
    threads: usize,
}

/// Empties in groups of four, the deep search, the shallow one.
type Cell = (u32, u32, u32);

/// How many differences, their sum and the sum of their squares.
#[derive(Default, Clone, Copy)]
struct Spread(f64, f64, f64);

impl Spread {
    fn add(&mut self, difference: f64) {
        self.0 += 1.0;
        self.1 += difference;
        self.2 += difference * difference;
    }

    fn deviation(self) -> f64 {
        (self.2 / self.0).sqrt()
    }
}

type Spreads = BTreeMap<Cell, Spread>;

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let eval = crate::evaluator(Some(&args.weights))?;
    let mut boards: Vec<Board> = Vec::new();
    let mut random = Random::new(9);
    for game in games::read(&args.games)? {
        let all = game.thoughts(1.0);
        if !all.is_empty() {
            boards.push(all[random.below(all.len() as u32) as usize].board);
        }
        if boards.len() >= args.positions {
            break;
        }
    }
    let next = AtomicUsize::new(0);
    let found: Mutex<(Spreads, Spreads)> = Mutex::default();
    let work = || {
        let mut engine = Engine::new(eval.clone(), Options { threads: 1, hash: 32 });
        let (mut middle, mut end) = (Spreads::new(), Spreads::new());
        while let Some(&board) = boards.get(next.fetch_add(1, Relaxed)) {
            let setup = Setup { black: board.mover, white: board.other, turn: Color::Black };
            let Ok(position) = setup.position() else { continue };
            let empties = board.empty().len();
            if position.turn() != Some(Color::Black) || empties < 10 {
                continue;
            }
            engine.forget();
            let depth = args.depth.min(empties - 2);
            let mut scores = vec![f64::from(eval.value(&eval.features(board), empties)) / f64::from(DISC)];
            let limits = Limits { depth, solve_at: 0, confidence: Confidence::Certain, ..Limits::default() };
            engine.search(&position, &limits, &mut |analysis| {
                scores.extend(analysis.best().map(|line| f64::from(line.score)));
            });
            for deep in 2..scores.len() {
                for shallow in (deep % 2..deep).step_by(2) {
                    let cell = (empties / 4, deep as u32, shallow as u32);
                    middle.entry(cell).or_default().add(scores[deep] - scores[shallow]);
                }
            }
            if empties <= args.solve {
                let analysis = engine.search(&position, &Limits::solve(), &mut |_| {});
                let Some(best) = analysis.best() else { continue };
                for (shallow, score) in scores.iter().enumerate() {
                    let cell = (empties / 2, empties, shallow as u32);
                    end.entry(cell).or_default().add(f64::from(best.score) - score);
                }
            }
        }
        let mut found = found.lock().unwrap_or_else(|e| e.into_inner());
        for (from, to) in [(middle, 0), (end, 1)] {
            let spreads = if to == 0 { &mut found.0 } else { &mut found.1 };
            for (cell, spread) in from {
                let sum = spreads.entry(cell).or_default();
                *sum = Spread(sum.0 + spread.0, sum.1 + spread.1, sum.2 + spread.2);
            }
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..args.threads.max(1) {
            scope.spawn(work);
        }
    });
    let (middle, end) = found.into_inner().unwrap_or_else(|e| e.into_inner());
    show("MIDDLE", &middle, |&(empties, deep, shallow)| {
        let (empties, deep, shallow) = (f64::from(empties * 4) + 1.5, f64::from(deep), f64::from(shallow));
        [1.0, (deep + 1.0).ln(), (shallow + 1.0).ln(), empties / 60.0, (empties / 60.0).powi(2)]
    });
    show("END", &end, |&(_, deep, shallow)| [1.0, 0.0, (f64::from(shallow) + 1.0).ln(), f64::from(deep) / 60.0, 0.0]);
    Ok(())
}

/// Fits the logarithm of the deviations to the terms, which are the same in `crates/engine/src/probcut.rs`.
fn show(name: &str, spreads: &Spreads, terms: impl Fn(&Cell) -> [f64; 5]) {
    let mut matrix = [[0f64; 6]; 5];
    for (cell, spread) in spreads.iter().filter(|(_, spread)| spread.0 >= 30.0) {
        let terms = terms(cell);
        let target = spread.deviation().max(0.1).ln();
        for row in 0..5 {
            for column in 0..5 {
                matrix[row][column] += spread.0 * terms[row] * terms[column];
            }
            matrix[row][5] += spread.0 * terms[row] * target;
        }
    }
    for (at, row) in matrix.iter_mut().enumerate() {
        row[at] += 1e-6;
    }
    // Gauss elimination
    for pivot in 0..5 {
        for row in 0..5 {
            if row != pivot {
                let factor = matrix[row][pivot] / matrix[pivot][pivot];
                let above = matrix[pivot];
                for (value, above) in matrix[row].iter_mut().zip(above) {
                    *value -= factor * above;
                }
            }
        }
    }
    let shape: [f64; 5] = std::array::from_fn(|row| matrix[row][5] / matrix[row][row]);
    println!("const {name}: [f32; 5] = [{}];", shape.map(|x| format!("{x:.4}")).join(", "));
    for (cell, spread) in spreads.iter().filter(|(_, spread)| spread.0 >= 30.0) {
        let terms = terms(cell);
        let model: f64 = terms.iter().zip(shape).map(|(t, s)| t * s).sum();
        if cell.2 == 2 * (cell.1 / 4) + cell.1 % 2 || name == "END" && cell.2 % 3 == 0 {
            println!(
                "  {name} {:>2} empties {:>2} by {:>2}: {:>5.2} model {:>5.2} bias {:+.2} of {}",
                cell.0 * if name == "END" { 2 } else { 4 },
                cell.1,
                cell.2,
                spread.deviation(),
                model.exp(),
                spread.1 / spread.0,
                spread.0
            );
        }
    }
}
