//! Each reason that is stated is checked again by searches of its own, with another engine.

mod common;

use common::{
    corpus_games, each, games_of, own_game,
    recheck::{Claim, refuted},
    size,
};
use record::Record;
use std::{collections::BTreeMap, sync::Mutex};
use study::{
    reason::{Inquiry, Mistake, Reason, ReasonKind},
    review::{Class, Plan},
};

/// Positions and bad moves of which something untrue was once said.
const ONCE_UNTRUE: [(&str, &str); 7] = [
    ("-XXXX-----OOXX--OOXOOOX-OOOXOOXXOOOXXOOXOXOOOOOO--OO------O----- X", "h7"),
    ("-OOOOOO-O-OXXO--OXOOOXO-OXOOXOOX-XOXXOOXXOOXOXXX--OOXXXX--O--X-X X", "e8"),
    ("-OOOOO----OXOO---OXOXOXXOOOOXOXXO-OOXXOXO-OOXXXX---XXX-X--X----- O", "f8"),
    ("-----O----XOOO-O--XOOOXO-XXOXOXO-XXOOOOOXXOOOOOO--OXOO---OOOOOO- X", "g7"),
    ("-OOOOO--O-OXX---OOOOOOOOOOXXXXOXOXOOOO--OOOOO-O-O--------------- X", "h2"),
    ("-OOOOOO---OXXO--OOXOOOO-OOOXOO--OXOOOO--OOOOOO----OOOO----OO--O- X", "e8"),
    ("-OOOOOO---OXXO--XXOOXXOX-OOOOOXX---XXXOX---XXOXX----OO-X----O--- O", "c5"),
];

#[test]
fn what_was_once_untrue_is_not_said() {
    for (board, played) in ONCE_UNTRUE {
        let before = board.parse::<rules::Setup>().unwrap().position().unwrap();
        let played: rules::Square = played.parse().unwrap();
        let mut engine = common::engine();
        let limits = engine::Limits { depth: 20, solve_at: 24, ..Default::default() };
        let best = engine.search(&before, &limits, &mut |_| {}).best().unwrap().clone();
        let alone = engine::Limits { moves: played.into(), ..limits };
        let bad = engine.search(&before, &alone, &mut |_| {}).best().unwrap().clone();
        let loss = best.score - bad.score;
        assert!(loss > 3, "{board}: {loss}");
        let exact = best.is_proven() && bad.is_proven();
        let better = best.variation.clone();
        let mut inquiry =
            Inquiry::new(Mistake { before, played, score: bad.score, better, best_score: best.score, exact });
        while let Some((place, position, limits)) = inquiry.next() {
            inquiry.answer(place, &engine.search(&position, &limits, &mut |_| {}));
        }
        for reason in inquiry.reasons() {
            let by = before.turn().unwrap();
            let claim = Claim { before, by, square: played, loss, better: &best.variation, reason: &reason };
            assert_eq!(refuted(&mut common::engine(), &claim), None, "{board}");
        }
    }
}

#[derive(Default)]
struct Tally {
    mistakes: usize,
    explained: usize,
    stated: BTreeMap<ReasonKind, usize>,
    first: BTreeMap<ReasonKind, usize>,
    refuted: Vec<String>,
}

/// Reviews games until so many mistakes were seen, and checks every reason.
fn check(games: &[Record], plan: Plan, most: usize) -> Tally {
    let tally = Mutex::new(Tally::default());
    each(games, |game, engine| {
        if tally.lock().unwrap().mistakes >= most {
            return;
        }
        engine.forget();
        let report = common::review(game, plan, engine);
        let mut other = common::engine();
        for one in report.moves.iter().filter(|one| one.class >= Some(Class::Mistake)) {
            let before = game.after(one.number - 1).unwrap();
            let reasons: Vec<&Reason> = one.reason.iter().chain(&one.others).collect();
            let refuted: Vec<String> = reasons
                .iter()
                .filter_map(|reason| {
                    let claim =
                        Claim { before, by: one.by, square: one.square, loss: one.loss, better: &one.better, reason };
                    let why = refuted(&mut other, &claim)?;
                    Some(format!("{before}\n{} by {}: {why}", one.square, one.by))
                })
                .collect();
            let mut tally = tally.lock().unwrap();
            if tally.mistakes >= most {
                return;
            }
            tally.mistakes += 1;
            tally.explained += usize::from(one.reason.is_some());
            reasons.iter().for_each(|reason| *tally.stated.entry(reason.kind).or_default() += 1);
            one.reason.iter().for_each(|reason| *tally.first.entry(reason.kind).or_default() += 1);
            tally.refuted.extend(refuted);
        }
    });
    tally.into_inner().unwrap()
}

#[test]
fn every_reason_of_our_own_games_is_true() {
    let mut engine = common::engine();
    let games: Vec<Record> = (1..=2).map(|seed| own_game(seed, &mut engine)).collect();
    let tally = check(&games, Plan::depth(12), usize::MAX);
    assert!(tally.refuted.is_empty(), "{}", tally.refuted.join("\n"));
    assert!(tally.mistakes >= 8 && tally.explained * 2 >= tally.mistakes, "{} of {}", tally.explained, tally.mistakes);
}

/// `OUTFLANK_MISTAKES=200` for the whole of it.
#[test]
fn every_reason_of_tournament_games_is_true() {
    let most = size("OUTFLANK_MISTAKES", 8);
    check_and_print(&corpus_games(most), most);
}

/// Games that nothing here was fitted to. `OUTFLANK_HELD_OUT=200` for the whole of it, `OUTFLANK_YEAR` for another year:
/// once a year's refuted reasons have been looked at, it is held out no more.
#[test]
fn every_reason_of_games_never_looked_at_is_true() {
    let (most, year) = (size("OUTFLANK_HELD_OUT", 4), size("OUTFLANK_YEAR", 2012));
    check_and_print(&games_of(&format!("WTH_{year}.wtb"), most), most);
}

fn check_and_print(games: &[Record], most: usize) {
    let tally = check(games, Plan::default(), most);
    println!(
        "{} mistakes, {} explained; first {:?}, in all {:?}, refuted {}",
        tally.mistakes,
        tally.explained,
        tally.first,
        tally.stated,
        tally.refuted.len()
    );
    assert!(tally.refuted.is_empty(), "{}", tally.refuted.join("\n"));
    // Of a handful any number may have none.
    assert!(most < 50 || tally.explained * 2 >= tally.mistakes);
}
