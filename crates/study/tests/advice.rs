//! What is said for a good move: a tempting one is worse, for a reason that is true.

mod common;

use common::{
    own_game,
    recheck::{Claim, refuted},
};
use engine::{Engine, Limits};
use rules::{Position, Square};
use study::advice::{Advice, Caution};

fn advise(position: Position, good: Square, engine: &mut Engine) -> Option<Caution> {
    let mut advice = Advice::new(position, good);
    while let Some((position, limits)) = advice.next() {
        advice.answer(&engine.search(&position, &limits, &mut |_| {}));
    }
    advice.caution().cloned()
}

#[test]
fn what_speaks_against_a_tempting_move_is_true() {
    let (mut engine, mut other) = (common::engine(), common::engine());
    let game = own_game(1, &mut engine);
    let (mut asked, mut said) = (0, 0);
    for ply in (20..game.main_len()).step_by(5) {
        let before = game.after(ply).unwrap();
        let all = Limits { lines: before.legal().len() as usize, depth: 14, solve_at: 18, ..Limits::default() };
        let lines = engine.search(&before, &all, &mut |_| {}).lines;
        let Some(best) = lines.first().filter(|_| lines.len() > 1) else { continue };
        asked += 1;
        let Some(Caution { square, reason }) = advise(before, best.square, &mut engine) else { continue };
        said += 1;
        let bad = lines.iter().find(|line| line.square == square).unwrap();
        let loss = best.score - bad.score;
        assert!(loss > 3, "{square} against {} in\n{before}", best.square);
        let by = before.turn().unwrap();
        let claim = Claim { before, by, square, loss, better: &best.variation, reason: &reason };
        assert_eq!(refuted(&mut other, &claim), None, "{square} against {} in\n{before}", best.square);
    }
    assert!(said >= 2, "{said} of {asked}");
}

#[test]
fn nothing_is_said_of_the_only_move_nor_of_a_search_cut_short() {
    let moves = ["f5", "d6", "c5", "f4", "e7", "f6", "g5"].map(|name| name.parse::<Square>().unwrap());
    let before = moves.iter().fold(Position::start(), |at, &square| at.play(square).unwrap().after);
    let mut engine = common::engine();
    let mut advice = Advice::new(before, Square::C6);
    let (position, limits) = advice.next().unwrap();
    advice.answer(&engine.search(&position, &Limits { depth: 3, ..limits }, &mut |_| {}));
    assert!(advice.next().is_none() && advice.caution().is_none());
    // asked to the end, e6 is what one must not do: White is wiped out
    assert!(advise(before, Square::C6, &mut engine).is_none_or(|caution| caution.square != Square::C6));
}
