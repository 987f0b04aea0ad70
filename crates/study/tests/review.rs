//! A review does not contradict itself, and where the end can be solved it is right.

mod common;

use common::{corpus_games, drive, each, own_game, size};
use engine::{Analysis, Engine, Limits};
use record::Record;
use rules::{Color, Position, Square};
use std::{
    sync::atomic::{AtomicUsize, Ordering::Relaxed},
    time::Duration,
};
use study::review::{Class, Haste, Mark, Phase, Plan, Report, Review, Stage, Thresholds};

fn quick() -> Plan {
    Plan::depth(6)
}

/// What must hold of every report, at every moment of a review.
fn check(report: &Report, all: usize) {
    let first = all - report.moves.len() + 1;
    for (one, number) in report.moves.iter().zip(first..) {
        assert_eq!(one.number, number, "the last moves, without a gap");
        let sign = if one.by == Color::Black { 1 } else { -1 };
        assert_eq!(one.value_black, sign * one.score, "{one:?}");
        assert!(one.loss >= 0 && one.loss == one.best_score - one.score, "{one:?}");
        assert_eq!(one.sure, one.class.is_some());
        assert_eq!(one.perhaps.is_some(), one.class.is_none() && !one.given, "{one:?}");
        assert_eq!(one.mark, Mark::of(one.class, one.turning_point), "{one:?}");
        assert_eq!(one.loss == 0, one.best.contains(&one.square), "{one:?}");
        assert_eq!(one.better.first(), one.best.first(), "{one:?}");
        if let Some(class) = one.class {
            assert_eq!(class, Thresholds::default().class(one.loss), "{one:?}");
        }
        assert!(one.reason.is_none() || one.class >= Some(Class::Inaccuracy));
    }
    let decided = report.moves.iter().rev().find(|one| one.turning_point && one.sure);
    assert_eq!(
        report.decided_at,
        decided.map(|one| one.number),
        "nobody is told that a move decided it while that is not sure"
    );
    for pair in report.moves.windows(2) {
        let before = if pair[1].by == Color::Black { pair[1].best_score } else { -pair[1].best_score };
        assert_eq!(pair[0].value_black, before, "{pair:?}");
    }
    for (color, player) in [(Color::Black, report.black), (Color::White, report.white)] {
        let of = |phase: Option<Phase>| -> i32 {
            let moves =
                report.moves.iter().filter(|one| one.by == color && phase.is_none_or(|phase| one.phase == phase));
            moves.map(|one| one.loss).sum()
        };
        assert_eq!(player.loss, of(None));
        let phases = [Phase::Opening, Phase::Midgame, Phase::Ending].map(|phase| of(Some(phase)));
        assert_eq!([player.phases.opening, player.phases.midgame, player.phases.ending], phases);
    }
}

#[test]
fn a_report_agrees_with_itself_at_every_moment() {
    let mut engine = common::engine();
    let game = own_game(3, &mut engine);
    let mut review = Review::new(&game, quick());
    let mut stages = vec![review.stage()];
    while let Some(question) = review.next() {
        check(&review.report(Duration::ZERO), game.main_len());
        let analysis = engine.search(&question.position, &question.limits, &mut |_| {});
        review.answer(question.number, &analysis);
        assert!((0.0..=1.0).contains(&review.progress()));
        if stages.last() != Some(&review.stage()) {
            stages.push(review.stage());
        }
    }
    assert!(review.is_done() && stages.first() == Some(&Stage::First) && stages.is_sorted(), "{stages:?}");
    let report = review.report(Duration::from_millis(1500));
    check(&report, game.main_len());
    assert_eq!((report.moves.len(), report.seconds), (game.main_len(), 1.5));
    assert_eq!(report.moves.last().unwrap().value_black, i32::from(game.outcome().unwrap().difference()));
}

/// Looks at each position twice, and says at every moment in between only what is so: what is called proven is what the solver finds.
#[test]
fn a_report_agrees_with_itself_while_it_deepens() {
    let mut engine = common::engine();
    let mut solver = common::engine();
    let plan = Plan { first_depth: 2, first_solve: 6, depth: 6, solve: 14, ..Plan::default() };
    for seed in 3..6 {
        let game = own_game(seed, &mut engine);
        let mut review = Review::new(&game, plan);
        let mut proven = 0;
        while let Some(question) = review.next() {
            let analysis = engine.search(&question.position, &question.limits, &mut |_| {});
            review.answer(question.number, &analysis);
            let report = review.report(Duration::ZERO);
            check(&report, game.main_len());
            if review.stage() == Stage::Deeper {
                proven += report.moves.iter().filter(|one| one.exact).count();
                solved(&game, &report, 14, &mut solver);
            }
        }
        assert!(proven > 100, "{proven}");
        let report = review.report(Duration::ZERO);
        assert!(solved(&game, &report, 14, &mut solver) >= 12);
        assert!(report.moves.iter().filter(|one| one.phase == Phase::Ending).rev().take(12).all(|one| one.exact));
    }
}

/// In a game that began with given moves these are nobody's, and everything else is as it was.
#[test]
fn moves_that_were_given_count_for_nobody() {
    const GIVEN: usize = 8;
    let mut engine = common::engine();
    let game = own_game(3, &mut engine);
    let text = |site: &str, untimed: usize| {
        let mut text = format!(
            "(;GM[Othello]PC[{site}]PB[a]PW[b]RE[?]TY[8]BO[8 {} *]",
            "-".repeat(27) + "O*------*O" + &"-".repeat(27)
        );
        for (at, step) in game.steps().enumerate() {
            let color = if step.by == Color::Black { 'B' } else { 'W' };
            text += &format!("{color}[{}{}]", step.square, if at < untimed { "" } else { "//2.5" });
            if step.passed {
                text += if step.by == Color::Black { "W[PA]" } else { "B[PA]" };
            }
        }
        Record::try_from(record::ggf::games((text + ";)").as_bytes()).next().unwrap().1.unwrap()).unwrap()
    };
    let all = common::review(&game, quick(), &mut engine);
    engine.forget();
    let report = common::review(&text("Outflank", GIVEN), quick(), &mut engine);
    check(&report, game.main_len());
    assert_eq!(report.given(), GIVEN);
    let (given, chosen) = report.moves.split_at(GIVEN);
    assert!(given.iter().all(|one| one.given && one.loss == 0 && one.class.is_none() && one.mark.is_none()));
    assert!(chosen.iter().all(|one| !one.given));
    let lost: i32 = all.moves[..GIVEN].iter().map(|one| one.loss).sum();
    assert!(lost > 0, "the opening of this game costs something");
    let totals = |report: &Report| report.black.loss + report.white.loss;
    assert_eq!(totals(&report), totals(&all) - lost);
    // every move took two and a half seconds
    for (color, player) in [(Color::Black, report.black), (Color::White, report.white)] {
        let mistakes = chosen.iter().filter(|one| one.by == color && one.class >= Some(Class::Mistake)).count() as u32;
        assert!(mistakes > 1);
        assert_eq!(player.haste, Some(Haste { mistakes, quick: mistakes }));
    }
    assert_eq!((all.black.haste, all.white.haste), (None, None));
    // times that other programs leave out say nothing
    for (site, untimed) in [("Elsewhere", GIVEN), ("Outflank", 0), ("Outflank", 60)] {
        let game = text(site, untimed);
        assert_eq!(common::review(&game, Plan::depth(1), &mut engine).given(), 0, "{site} {untimed}");
    }
}

/// Questions of two engines at once, answered last first, and some put back.
#[test]
fn answers_may_come_in_any_order() {
    let mut engine = common::engine();
    let game = own_game(4, &mut engine);
    let mut search = |position: &Position, limits: &Limits| -> Analysis {
        engine.forget();
        engine.search(position, limits, &mut |_| {})
    };
    let mut in_order = Review::new(&game, quick());
    while let Some(question) = in_order.next() {
        in_order.answer(question.number, &search(&question.position, &question.limits));
    }
    let mut mixed = Review::new(&game, quick());
    let mut asked = 0;
    while !mixed.is_done() {
        let mut questions = vec![mixed.next().expect("nothing is under way")];
        questions.extend(mixed.next());
        questions.extend(mixed.next());
        for question in questions.into_iter().rev() {
            asked += 1;
            if asked % 7 == 0 {
                mixed.put_back(question.number);
            } else {
                mixed.answer(question.number, &search(&question.position, &question.limits));
            }
            check(&mixed.report(Duration::ZERO), game.main_len());
        }
    }
    assert_eq!(mixed.report(Duration::ZERO), in_order.report(Duration::ZERO));
    // an answer to nothing changes nothing
    mixed.answer(u64::MAX, &Analysis::default());
    assert!(mixed.is_done());
}

#[test]
fn a_game_that_goes_on_and_its_first_move() {
    let mut engine = common::engine();
    let moves = ["c4", "e3", "f6"].map(|name| name.parse::<Square>().unwrap());
    let report = common::review(&Record::from_moves(moves).unwrap(), quick(), &mut engine);
    check(&report, 3);
    // all four first moves are one
    assert_eq!((report.moves[0].loss, &report.moves[0].best[..]), (0, &[Square::C4][..]));
    assert_eq!(report.moves[0].refutation, report.moves[0].better[1..]);
}

#[test]
fn nothing_to_look_at_is_done_at_once() {
    let over = ["f5", "d6", "c5", "f4", "e7", "f6", "g5", "e6", "e3"].map(|name| name.parse::<Square>().unwrap());
    let end = Record::from_moves(over).unwrap().end();
    let mut review = Review::new(&Record::from(end), Plan::default());
    assert!(review.is_done() && review.next().is_none());
    let report = review.report(Duration::ZERO);
    assert_eq!((report.moves.len(), report.decided_at), (0, None));
}

#[test]
fn thresholds_decide_what_a_move_is_called() {
    let mut engine = common::engine();
    let game = own_game(3, &mut engine);
    let strict = Plan { thresholds: Thresholds { good: 0, inaccuracy: 0, mistake: 0 }, ..quick() };
    let report = common::review(&game, strict, &mut engine);
    let exact = report.moves.iter().filter(|one| one.exact);
    assert!(exact.clone().any(|one| one.loss > 0));
    for one in exact {
        assert_eq!(one.class, Some(if one.loss > 0 { Class::Blunder } else { Class::Best }));
    }
    // Called by others it is not searched again, also when it was kept as text meanwhile; and nothing is forgotten by that.
    let kept: Report = serde_json::from_str(&serde_json::to_string(&report).unwrap()).unwrap();
    let usual = kept.by(Thresholds::default());
    assert_eq!(usual.thresholds, Thresholds::default());
    assert_ne!(usual.moves, report.moves);
    for one in &usual.moves {
        assert_eq!(one.class, Thresholds::default().stated(one.loss, one.least), "{one:?}");
        assert_eq!((one.sure, one.mark), (one.class.is_some(), Mark::of(one.class, one.turning_point)), "{one:?}");
    }
    assert_eq!(usual.by(strict.thresholds), report);
}

/// What a solver that knows nothing of the review says of every move that is said to be proven, with at most so many empties; how
/// many those are.
fn solved(game: &Record, report: &Report, empties: u32, engine: &mut Engine) -> usize {
    engine.forget();
    let mut compared = 0;
    for one in &report.moves {
        let before = game.after(one.number - 1).unwrap();
        if before.empty().len() > empties || !one.exact {
            continue;
        }
        let best = engine.search(&before, &Limits::solve(), &mut |_| {}).best().unwrap().score;
        let after = before.play(one.square).unwrap().after;
        let black = match after.outcome() {
            Some(outcome) => i32::from(outcome.difference()),
            None => {
                let score = engine.search(&after, &Limits::solve(), &mut |_| {}).best().unwrap().score;
                if after.turn() == Some(Color::Black) { score } else { -score }
            }
        };
        let played = if one.by == Color::Black { black } else { -black };
        assert_eq!((one.best_score, one.score, one.loss), (best, played, best - played), "{one:?}\n{before}");
        compared += 1;
    }
    compared
}

/// Every move with at most 16 empties.
fn all_proven(game: &Record, report: &Report) {
    for one in &report.moves {
        assert!(one.exact || game.after(one.number - 1).unwrap().empty().len() > 16, "{one:?}");
    }
}

#[test]
fn the_last_moves_of_our_own_games_are_judged_exactly() {
    let mut engine = common::engine();
    for seed in 5..8 {
        let game = own_game(seed, &mut engine);
        let mut review = Review::new(&game, Plan { first_depth: 6, first_solve: 16, ..Plan::default() });
        drive(&mut review, &mut engine, Stage::Deeper);
        let report = review.report(Duration::ZERO);
        assert!(solved(&game, &report, 16, &mut engine) >= 12);
        all_proven(&game, &report);
    }
}

#[test]
fn an_only_good_move_that_was_found_is_one() {
    let mut engine = common::engine();
    let mut found = 0;
    for seed in 5..8 {
        let game = own_game(seed, &mut engine);
        let report = common::review(&game, Plan { first_depth: 6, depth: 6, ..Plan::default() }, &mut engine);
        for one in report.moves.iter().filter(|one| one.only_by.is_some()) {
            let before = game.after(one.number - 1).unwrap();
            let all = Limits { lines: before.legal().len() as usize, ..Limits::solve() };
            let lines = engine.search(&before, &all, &mut |_| {}).lines;
            assert_eq!((lines[0].square, lines[0].score), (one.square, one.score), "{before}");
            assert_eq!(Some(one.score - lines[1].score), one.only_by, "{before}");
            assert!(one.only_by > Some(3) && one.class == Some(Class::Best));
            found += 1;
        }
    }
    assert!(found > 0);
}

/// `OUTFLANK_GAMES=200` for the whole of it.
#[test]
fn the_last_moves_of_tournament_games_are_judged_exactly() {
    let games = corpus_games(size("OUTFLANK_GAMES", 6));
    let compared = AtomicUsize::new(0);
    each(&games, |game, engine| {
        let mut review = Review::new(game, Plan::default());
        drive(&mut review, engine, Stage::Deeper);
        let report = review.report(Duration::ZERO);
        check(&report, game.main_len());
        all_proven(game, &report);
        compared.fetch_add(solved(game, &report, 16, engine), Relaxed);
    });
    println!("{} moves of {} games", compared.into_inner(), games.len());
}
