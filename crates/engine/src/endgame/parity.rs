//! Parity: whoever plays first into a region with an odd number of empty squares usually plays last there too, and the
//! last move of a region is worth having. The regions are the four quadrants of the board.

/// A bit for the quadrant of each square.
pub(super) static QUADRANT: [u8; 64] = {
    let mut table = [0; 64];
    let mut square = 0;
    while square < 64 {
        table[square] = 1 << ((square >> 5) << 1 | square >> 2 & 1);
        square += 1;
    }
    table
};

/// The squares of the quadrants named by four bits.
pub(super) static QUADRANTS: [u64; 16] = {
    const ONE: u64 = 0x0f0f_0f0f;
    let mut table = [0; 16];
    let mut set = 0;
    while set < 16 {
        let mut quadrant = 0;
        while quadrant < 4 {
            if set >> quadrant & 1 != 0 {
                table[set] |= ONE << ((quadrant >> 1) * 32 + (quadrant & 1) * 4);
            }
            quadrant += 1;
        }
        set += 1;
    }
    table
};

/// The quadrants with an odd number of empty squares.
pub(super) fn parity(empty: u64) -> u8 {
    (0..4).filter(|q| (empty & QUADRANTS[1 << q]).count_ones() % 2 == 1).fold(0, |set, q| set | 1 << q)
}

/// The first square of a set, one of the preferred if there is any.
#[inline(always)]
pub(super) fn first(set: u64, preferred: u64) -> usize {
    let best = set & preferred;
    (if best != 0 { best } else { set }).trailing_zeros() as usize & 63
}

/// Parity ordering: the squares of a set, four at most, those of odd quadrants first.
#[inline(always)]
pub(super) fn by_parity(mut set: u64, odd: u8) -> [usize; 4] {
    [(); 4].map(|()| {
        let square = first(set, QUADRANTS[odd as usize & 15]);
        set &= !(1 << square);
        square
    })
}
