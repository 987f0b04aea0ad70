//! The last disc of a game: how many it turns, without finding out which.
//!
//! With one square left every other one holds a disc, so each line through it is known from the mover's discs alone:
//! eight bits, looked up.

/// `TURNED[place][mine]`: discs turned along one line by a disc at `place`, the mover's being `mine` and all others
/// the opponent's. Shorter lines count as padded with the opponent's discs, which turn nothing.
static TURNED: [[u8; 256]; 8] = {
    let mut table = [[0; 256]; 8];
    let mut place = 0;
    while place < 8 {
        let mut mine = 0;
        while mine < 256 {
            let mut step = 1;
            while place + step < 8 {
                if mine >> (place + step) & 1 != 0 {
                    table[place][mine] += step as u8 - 1;
                    break;
                }
                step += 1;
            }
            step = 1;
            while place >= step {
                if mine >> (place - step) & 1 != 0 {
                    table[place][mine] += step as u8 - 1;
                    break;
                }
                step += 1;
            }
            mine += 1;
        }
        place += 1;
    }
    table
};

/// The whole column, falling diagonal and rising diagonal through a square, and its place in each diagonal.
struct Lines {
    column: u64,
    falling: u64,
    rising: u64,
    falling_place: u8,
    rising_place: u8,
}

static LINES: [Lines; 64] = {
    const EMPTY: Lines = Lines { column: 0, falling: 0, rising: 0, falling_place: 0, rising_place: 0 };
    let mut table = [EMPTY; 64];
    let mut square = 0;
    while square < 64 {
        let bit = 1 << square;
        // the order of `HIGHER` and `LOWER`: row, rising diagonal, column, falling diagonal
        let (higher, lower) = (super::HIGHER[square], super::LOWER[square]);
        table[square] = Lines {
            column: higher[2] | lower[2] | bit,
            falling: higher[3] | lower[3] | bit,
            rising: higher[1] | lower[1] | bit,
            falling_place: lower[3].count_ones() as u8,
            rising_place: lower[1].count_ones() as u8,
        };
        square += 1;
    }
    table
};

/// The bits of `word` chosen by `mask`, moved together at the bottom.
#[inline(always)]
fn extract(word: u64, mask: u64) -> usize {
    cfg_select! {
        all(target_arch = "x86_64", target_feature = "bmi2") => {
            // SAFETY: compiled only where BMI2 is enabled for the whole build.
            (unsafe { core::arch::x86_64::_pext_u64(word, mask) }) as usize
        }
        _ => {
            let mut rest = mask;
            let mut bits = 0;
            let mut place = 0;
            while rest != 0 {
                bits |= usize::from(word & rest & rest.wrapping_neg() != 0) << place;
                rest &= rest - 1;
                place += 1;
            }
            bits
        }
    }
}

/// How many discs turn if `mover` plays on `square`, the only empty one; none if the move is illegal.
///
/// ```
/// // Everything is White's but h1; Black, on a1, turns the six discs between.
/// assert_eq!(rules::kernel::last_flips(0, 1 << 7), 6);
/// ```
#[inline(always)]
pub fn last_flips(square: usize, mover: u64) -> u32 {
    let square = square & 63;
    let lines = &LINES[square];
    let (column, row) = (square & 7, square >> 3);
    let along_row = TURNED[column][(mover >> (row * 8)) as usize & 0xff];
    let along_column = TURNED[row][extract(mover, lines.column) & 0xff];
    let along_falling = TURNED[lines.falling_place as usize & 7][extract(mover, lines.falling) & 0xff];
    let along_rising = TURNED[lines.rising_place as usize & 7][extract(mover, lines.rising) & 0xff];
    u32::from(along_row) + u32::from(along_column) + u32::from(along_falling) + u32::from(along_rising)
}

#[cfg(test)]
mod tests {
    use super::super::{portable, tests::Random};
    use super::*;

    #[test]
    fn the_count_is_the_number_of_flips() {
        let mut random = Random(11);
        for round in 0..2_000_000 {
            let square = (random.next() % 64) as usize;
            let bit = 1u64 << square;
            let mover = match round % 3 {
                0 => random.next(),
                1 => random.next() & random.next() & random.next(),
                _ => random.next() | random.next(),
            } & !bit;
            let expected = portable::flips(square, mover, !mover & !bit).count_ones();
            assert_eq!(last_flips(square, mover), expected, "{square} {mover:x}");
        }
    }
}
