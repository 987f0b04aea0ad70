//! What can be seen of a position besides its discs: [`Overlay`].

use engine::stable_discs;
use rules::{Bitboard, Board, ByColor, Position, Square};

/// What can be seen of a position besides its discs.
///
/// ```
/// use rules::{Position, Square};
/// use study::overlay::Overlay;
/// let start = Overlay::of(&Position::start());
/// assert_eq!(start.moves.black, Position::start().legal());
/// assert_eq!(start.moves.white.len(), 4);
/// assert_eq!(start.frontier.black, Position::start().discs().black);
/// assert_eq!(start.regions.len(), 1); // everything around the centre hangs together
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Overlay {
    /// Where each side could play if it were its turn.
    pub moves: ByColor<Bitboard>,
    /// Discs beside an empty square.
    pub frontier: ByColor<Bitboard>,
    /// Discs that can surely never be turned: there may be more.
    pub stable: ByColor<Bitboard>,
    /// Empty squares that touch each other, by a side or a corner. Whoever moves first in one with an odd number can have the last
    /// move there.
    pub regions: Vec<Bitboard>,
}

impl Overlay {
    /// What can be seen of a position.
    pub fn of(position: &Position) -> Overlay {
        let discs = position.discs();
        let by_color = |see: fn(Bitboard, Bitboard) -> Bitboard| ByColor {
            black: see(discs.black, discs.white),
            white: see(discs.white, discs.black),
        };
        Overlay {
            moves: by_color(|mover, other| Board { mover, other }.legal()),
            frontier: by_color(|mine, theirs| mine & around(!(mine | theirs))),
            stable: by_color(stable_discs),
            regions: regions(position.empty()),
        }
    }
}

/// The squares beside those of a set, and the set itself.
fn around(set: Bitboard) -> Bitboard {
    let near = |square: Square| {
        let (column, row) = (square.column() as i8, square.row() as i8);
        let steps = (-1..=1).flat_map(move |x| (-1..=1).map(move |y| (column + x, row + y)));
        steps.filter_map(|(column, row)| Square::at(u8::try_from(column).ok()?, u8::try_from(row).ok()?))
    };
    set.iter().flat_map(near).collect()
}

/// The parts of a set whose squares touch.
fn regions(mut rest: Bitboard) -> Vec<Bitboard> {
    let mut regions = Vec::new();
    while let Some(first) = rest.first() {
        let mut region = Bitboard::from(first);
        loop {
            let grown = around(region) & rest;
            if grown == region {
                break;
            }
            region = grown;
        }
        rest -= region;
        regions.push(region);
    }
    regions
}

#[cfg(test)]
mod tests {
    use super::*;
    use rules::{Color, Setup};

    #[test]
    fn a_corner_its_edge_and_two_holes() {
        let board = "XXXXXXXX\
                     XOOOOOOX\
                     XOOOOOOX\
                     XOO-OOOX\
                     XOOOOOOX\
                     XOOOOO-X\
                     XOOOOOO-\
                     XXXXXX--";
        let setup: Setup = format!("{board} X").parse().unwrap();
        let overlay = Overlay::of(&setup.position().unwrap());
        let names = |set: Bitboard| set.iter().map(|square| square.to_string()).collect::<Vec<_>>();
        assert_eq!(names(overlay.regions[0]), ["d4"]);
        assert_eq!(names(overlay.regions[1]), ["g6", "h7", "g8", "h8"], "they touch at corners");
        assert_eq!(overlay.regions.len(), 2);
        assert!(overlay.frontier.white.contains("c3".parse().unwrap()));
        assert!(!overlay.frontier.white.contains("b2".parse().unwrap()));
        assert!(overlay.stable.black.contains("a1".parse().unwrap()));
        assert!(overlay.stable.white.contains("e2".parse().unwrap()), "all four of its lines are full");
        assert!(!overlay.stable.white.contains("c3".parse().unwrap()), "d4 is empty on one of its lines");
        assert_eq!(overlay.moves.black, setup.position().unwrap().legal());
    }

    /// Along random games: what was stable stays, and the rest follows from its definition, slowly.
    #[test]
    fn what_is_seen_is_there() {
        let mut seed = 7u64;
        for _ in 0..60 {
            let mut position = Position::start();
            let mut kept = ByColor::<Bitboard>::default();
            while !position.is_over() {
                let overlay = Overlay::of(&position);
                for color in [Color::Black, Color::White] {
                    assert!((kept[color] - position.discs()[color]).is_empty());
                    kept[color] |= overlay.stable[color];
                    let Setup { black, white, .. } = position.setup();
                    let moved = Setup { black, white, turn: color }.position().unwrap();
                    let legal = if moved.turn() == Some(color) { moved.legal() } else { Bitboard::EMPTY };
                    assert_eq!(overlay.moves[color], legal);
                    assert!(overlay.frontier[color].iter().all(|square| position.at(square) == Some(color)));
                }
                let all = overlay.regions.iter().fold(Bitboard::EMPTY, |all, region| {
                    assert!((all & *region).is_empty() && (around(*region) & all).is_empty());
                    all | *region
                });
                assert_eq!(all, position.empty());
                seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                let legal: Vec<Square> = position.legal().into_iter().collect();
                position = position.play(legal[(seed >> 33) as usize % legal.len()]).unwrap().after;
            }
        }
    }
}
