//! Discs that can never turn again, and the bound they put on the score.
//!
//! What is counted is a lower bound: edge discs that no play along the edge can turn, discs on four full lines, and
//! discs that have, along each of the four lines, a full line or a stable neighbour of their own colour.

use rules::Bitboard;
use std::sync::LazyLock;

/// `EDGE[mine][theirs]`: which of my discs on one edge no sequence of moves along it can turn.
static EDGE: LazyLock<Box<[[u8; 256]; 256]>> = LazyLock::new(|| {
    let mut table: Box<[[u8; 256]; 256]> = vec![[0u8; 256]; 256].try_into().unwrap_or_else(|_| unreachable!());
    // A filling with more empty squares depends only on ones with fewer: count down from full edges.
    let mut fillings: Vec<(usize, usize)> =
        (0..256).flat_map(|mine| (0..256).map(move |theirs| (mine, theirs))).filter(|(m, t)| m & t == 0).collect();
    fillings.sort_by_key(|(mine, theirs)| std::cmp::Reverse((mine | theirs).count_ones()));
    for (mine, theirs) in fillings {
        let mut stable = mine as u8;
        for square in 0..8 {
            let bit = 1usize << square;
            if (mine | theirs) & bit != 0 {
                continue;
            }
            // either side may come to play here (a disc may also be placed that turns nothing along the edge)
            let turned = edge_flips(square, mine, theirs);
            stable &= table[mine | bit | turned][theirs & !turned];
            let turned = edge_flips(square, theirs, mine);
            stable &= table[mine & !turned][theirs | bit | turned];
        }
        table[mine][theirs] = stable;
    }
    table
});

fn edge_flips(square: usize, mine: usize, theirs: usize) -> usize {
    let mut turned = 0;
    for up in [true, false] {
        let mut run = 0;
        let mut at = square;
        loop {
            if at == if up { 7 } else { 0 } {
                break;
            }
            at = if up { at + 1 } else { at - 1 };
            let bit = 1 << at;
            if theirs & bit != 0 {
                run |= bit;
            } else {
                if mine & bit != 0 {
                    turned |= run;
                }
                break;
            }
        }
    }
    turned
}

const COLUMN_A: u64 = 0x0101_0101_0101_0101;

#[inline(always)]
fn gather_column_a(word: u64) -> usize {
    ((word & COLUMN_A).wrapping_mul(0x0102_0408_1020_4080) >> 56) as usize
}

#[inline(always)]
fn gather_column_h(word: u64) -> usize {
    gather_column_a(word >> 7 & COLUMN_A)
}

#[inline(always)]
fn spread_column_a(bits: u8) -> u64 {
    // bit i to square 8*i; the eighth apart, or its copies would carry into the others
    let bits = u64::from(bits);
    (bits & 0x7f).wrapping_mul(0x0002_0408_1020_4081) & COLUMN_A | (bits & 0x80) << 49
}

/// The edge discs of `mine` that can never turn.
#[inline(always)]
fn stable_edge(mine: u64, theirs: u64, table: &[[u8; 256]; 256]) -> u64 {
    let top = table[mine as usize & 0xff][theirs as usize & 0xff];
    let bottom = table[(mine >> 56) as usize][(theirs >> 56) as usize];
    let left = table[gather_column_a(mine)][gather_column_a(theirs)];
    let right = table[gather_column_h(mine)][gather_column_h(theirs)];
    u64::from(top) | u64::from(bottom) << 56 | spread_column_a(left) | spread_column_a(right) << 7
}

/// The squares whose whole line is filled: rows, columns, and both kinds of diagonal.
#[inline(always)]
fn full_lines(filled: u64) -> [u64; 4] {
    let mut row = filled & filled >> 1;
    row &= row >> 2;
    row &= row >> 4;
    row = (row & COLUMN_A).wrapping_mul(0xff);

    let mut column = filled & filled.rotate_right(8);
    column &= column.rotate_right(16);
    column &= column.rotate_right(32);

    // A square off the board counts as filled: diagonals of every length, in three doubling steps each way.
    const LEFT: [u64; 3] = [0x0101_0101_0101_0101, 0x0303_0303_0303_0303, 0x0f0f_0f0f_0f0f_0f0f];
    const RIGHT: [u64; 3] = [0x8080_8080_8080_8080, 0xc0c0_c0c0_c0c0_c0c0, 0xf0f0_f0f0_f0f0_f0f0];
    const TOP: [u64; 3] = [0xff, 0xffff, 0xffff_ffff];
    const BOTTOM: [u64; 3] = [0xff << 56, 0xffff << 48, 0xffff_ffff << 32];
    let mut falling = [filled; 2];
    let mut rising = [filled; 2];
    for step in 0..3 {
        let distance = 1 << step;
        falling[0] &= falling[0] << (9 * distance) | LEFT[step] | TOP[step];
        falling[1] &= falling[1] >> (9 * distance) | RIGHT[step] | BOTTOM[step];
        rising[0] &= rising[0] << (7 * distance) | RIGHT[step] | TOP[step];
        rising[1] &= rising[1] >> (7 * distance) | LEFT[step] | BOTTOM[step];
    }
    [row, column, falling[0] & falling[1], rising[0] & rising[1]]
}

/// The discs of `mine` that can surely never turn again; there may be more.
///
/// ```
/// use engine::stable_discs;
/// use rules::{Bitboard, Square};
/// let mine: Bitboard = [Square::A1, Square::B1, Square::D4].into_iter().collect();
/// assert_eq!(stable_discs(mine, Bitboard::EMPTY).iter().collect::<Vec<_>>(), [Square::A1, Square::B1]);
/// ```
pub fn stable_discs(mine: Bitboard, theirs: Bitboard) -> Bitboard {
    Bitboard(stable(mine.0, theirs.0))
}

/// Which of `mine` can surely never turn.
fn stable(mine: u64, theirs: u64) -> u64 {
    let [row, column, falling, rising] = full_lines(mine | theirs);
    let mut stable = stable_edge(mine, theirs, &EDGE) | mine & row & column & falling & rising;
    if stable == 0 {
        return 0;
    }
    const INNER: u64 = 0x007e_7e7e_7e7e_7e00;
    let inner = mine & INNER;
    loop {
        let along_row = row | stable >> 1 | stable << 1;
        let along_column = column | stable >> 8 | stable << 8;
        let along_falling = falling | stable >> 9 | stable << 9;
        let along_rising = rising | stable >> 7 | stable << 7;
        let more = inner & along_row & along_column & along_falling & along_rising & !stable;
        if more == 0 {
            return stable;
        }
        stable |= more;
    }
}

/// With this many empties, stable discs are counted only if `alpha` is at least this: else they never decide.
static STABILITY_FROM: [i32; 64] = {
    let mut table = [99; 64];
    let mut empties = 5;
    while empties < 64 {
        table[empties] = match empties {
            5 => 8,
            6 => 0,
            7..=8 => 8,
            9..=11 => 16,
            12..=16 => 20,
            17..=20 => 26,
            21..=26 => 32,
            27..=32 => 40,
            _ => 99,
        };
        empties += 1;
    }
    table
};

/// Stability cutoff: an upper bound on the mover's score, if the discs the opponent keeps for ever already hold it to
/// `alpha`.
#[inline(always)]
pub(crate) fn cutoff(mover: u64, other: u64, alpha: i32, empties: u32) -> Option<i32> {
    // most boards need not be looked at: all the discs the opponent has would not be enough
    if alpha < STABILITY_FROM[empties as usize & 63] || 2 * (other.count_ones() as i32) < 64 - alpha {
        return None;
    }
    let bound = 64 - 2 * stable(other, mover).count_ones() as i32;
    (bound <= alpha).then_some(bound)
}

#[cfg(test)]
mod tests {
    use super::*;
    use rules::Board;

    #[test]
    fn columns_gather_and_spread() {
        for bits in 0..=255u8 {
            assert_eq!(gather_column_a(spread_column_a(bits)), bits as usize);
            assert_eq!(gather_column_h(spread_column_a(bits) << 7), bits as usize);
        }
    }

    #[test]
    fn stable_discs_never_turn() {
        // Play random games; whatever was once stable stays.
        let mut seed = 17u64;
        let mut seen = 0u64;
        for _ in 0..3000 {
            let mut board = Board::START;
            let mut kept = [0u64; 2];
            let mut side = 0;
            loop {
                let legal = board.legal();
                if legal.is_empty() {
                    if board.is_over() {
                        break;
                    }
                    board = board.pass();
                    side = 1 - side;
                    continue;
                }
                let discs = [board.mover.0, board.other.0];
                for view in 0..2 {
                    let (mine, theirs) = (discs[view], discs[1 - view]);
                    assert_eq!(kept[side ^ view] & !mine, 0, "a stable disc turned");
                    let now = stable(mine, theirs);
                    seen += u64::from(now.count_ones());
                    kept[side ^ view] |= now;
                }
                seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
                let square = legal.iter().nth((seed >> 33) as usize % legal.len() as usize).unwrap();
                board = board.play(square).unwrap();
                side = 1 - side;
            }
        }
        assert!(seen > 100_000);
    }

    #[test]
    fn a_full_board_is_all_stable() {
        assert_eq!(stable(0xffff_ffff_0000_0000, 0x0000_0000_ffff_ffff), 0xffff_ffff_0000_0000);
        assert_eq!(stable(Bitboard::CORNERS.0, 0), Bitboard::CORNERS.0);
        assert_eq!(stable(Board::START.mover.0, Board::START.other.0), 0);
    }
}
