//! The last disc of a game: how many it turns, without finding out which.
//!
//! With one square left every other one holds a disc, so each line through it is known from the mover's discs alone:
//! eight bits, looked up.

/// What a disc on one line turns, for every length of a line, place on it, and set of the mover's discs: in the lower
/// half if the mover plays it, in the upper half if the opponent, who has all the other discs, does.
static TURNED: [u16; 4096] = {
    let mut table = [0; 4096];
    let mut length = 1;
    while length <= 8 {
        let mut place = 0;
        while place < length {
            let mut mine = 0;
            while mine < 1 << length {
                table[start(length, place) + mine] = turned(length, place, mine) | turned(length, place, !mine) << 8;
                mine += 1;
            }
            place += 1;
        }
        length += 1;
    }
    table
};

/// Where the table for a place on a line begins.
const fn start(length: usize, place: usize) -> usize {
    let mut start = place << length;
    let mut shorter = 1;
    while shorter < length {
        start += shorter << shorter;
        shorter += 1;
    }
    start
}

const fn turned(length: usize, place: usize, mine: usize) -> u16 {
    let mut count = 0;
    let mut step = 1;
    while place + step < length {
        if mine >> (place + step) & 1 != 0 {
            count += step as u16 - 1;
            break;
        }
        step += 1;
    }
    step = 1;
    while place >= step {
        if mine >> (place - step) & 1 != 0 {
            count += step as u16 - 1;
            break;
        }
        step += 1;
    }
    count
}

/// The lines through a square but its row, and where [`TURNED`] has each of the four.
struct Lines {
    column: u64,
    falling: u64,
    rising: u64,
    row_at: u16,
    column_at: u16,
    falling_at: u16,
    rising_at: u16,
}

static LINES: [Lines; 64] = {
    const EMPTY: Lines =
        Lines { column: 0, falling: 0, rising: 0, row_at: 0, column_at: 0, falling_at: 0, rising_at: 0 };
    let mut table = [EMPTY; 64];
    let mut square = 0;
    while square < 64 {
        let bit = 1 << square;
        // the order of `HIGHER` and `LOWER`: row, rising diagonal, column, falling diagonal
        let (higher, lower) = (super::HIGHER[square], super::LOWER[square]);
        let falling = higher[3] | lower[3] | bit;
        let rising = higher[1] | lower[1] | bit;
        table[square] = Lines {
            column: higher[2] | lower[2] | bit,
            falling,
            rising,
            row_at: start(8, square & 7) as u16,
            column_at: start(8, square >> 3) as u16,
            falling_at: start(falling.count_ones() as usize, lower[3].count_ones() as usize) as u16,
            rising_at: start(rising.count_ones() as usize, lower[1].count_ones() as usize) as u16,
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

/// How many discs turn if `mover` plays on `square`, the only empty one, and how many if the opponent does; none if
/// the move is illegal.
///
/// ```
/// // Everything is White's but h1; Black, on a1, turns the six discs between, White nothing.
/// assert_eq!(rules::kernel::last_flips(0, 1 << 7), (6, 0));
/// ```
#[inline(always)]
pub fn last_flips(square: usize, mover: u64) -> (u32, u32) {
    let square = square & 63;
    let lines = &LINES[square];
    let along = |start: u16, mine: usize| TURNED[(start as usize + mine) & 4095];
    let both = along(lines.row_at, (mover >> (square & 56)) as usize & 0xff)
        + along(lines.column_at, extract(mover, lines.column))
        + along(lines.falling_at, extract(mover, lines.falling))
        + along(lines.rising_at, extract(mover, lines.rising));
    (u32::from(both & 0xff), u32::from(both >> 8))
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
            let other = !mover & !bit;
            let expected = [(mover, other), (other, mover)].map(|(x, y)| portable::flips(square, x, y).count_ones());
            assert_eq!(last_flips(square, mover), expected.into(), "{square} {mover:x}");
        }
    }
}
