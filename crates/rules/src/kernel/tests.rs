use super::*;

/// What the rules say, one step at a time.
fn walked_flips(square: usize, mover: u64, other: u64) -> u64 {
    let (column, row) = (square as i32 % 8, square as i32 / 8);
    let mut turned = 0;
    for (right, down) in [(1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1)] {
        let mut run = 0;
        for step in 1.. {
            let (x, y) = (column + right * step, row + down * step);
            if !(0..8).contains(&x) || !(0..8).contains(&y) {
                break;
            }
            let bit = 1u64 << (y * 8 + x);
            if other & bit != 0 {
                run |= bit;
                continue;
            }
            if mover & bit != 0 {
                turned |= run;
            }
            break;
        }
    }
    turned
}

struct Kernel {
    name: &'static str,
    moves: fn(u64, u64) -> u64,
    flips: fn(usize, u64, u64) -> u64,
    moves_x8: fn(Lanes, Lanes) -> Lanes,
    flips_x8: fn(Lanes, Lanes, Lanes) -> Lanes,
    count_x8: fn(Lanes) -> Lanes,
    moves_x4: fn(Quad, Quad) -> Quad,
    flips_x4: fn([usize; 4], u64, u64) -> Quad,
    count_x4: fn(Quad) -> Quad,
    pack_x4: fn(Quad) -> u64,
    least: fn(u64, u64) -> (usize, u16),
}

macro_rules! kernel {
    ($module:ident) => {
        Kernel {
            name: $module::NAME,
            moves: $module::moves,
            flips: $module::flips,
            moves_x8: $module::moves_x8,
            flips_x8: $module::flips_x8,
            count_x8: $module::count_x8,
            moves_x4: $module::moves_x4,
            flips_x4: $module::flips_x4,
            count_x4: $module::count_x4,
            pack_x4: $module::pack_x4,
            least: $module::least,
        }
    };
}

/// Every kernel this build can run, the chosen one last; on a machine with AVX-512 that includes the AVX2 one.
fn kernels() -> Vec<Kernel> {
    vec![
        kernel!(portable),
        #[cfg(all(target_arch = "x86_64", target_feature = "avx2"))]
        kernel!(avx2),
        kernel!(chosen),
    ]
}

/// Calls `check` with every filling (empty, mover, other) of every line through every square.
fn every_line(mut check: impl FnMut(usize, u64, u64)) {
    for square in 0..64 {
        for line in 0..4 {
            let cells: Vec<u64> =
                crate::Bitboard(HIGHER[square][line] | LOWER[square][line]).iter().map(|s| 1 << s.index()).collect();
            for filling in 0..3usize.pow(cells.len() as u32) {
                let (mut mover, mut other, mut rest) = (0, 0, filling);
                for cell in &cells {
                    match rest % 3 {
                        1 => mover |= cell,
                        2 => other |= cell,
                        _ => {}
                    }
                    rest /= 3;
                }
                check(square, mover, other);
            }
        }
    }
}

/// A small generator of its own, so that the sequence never changes: SplitMix64.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }

    /// Mover's and other's discs, with anything from few to many empty squares.
    pub(crate) fn board(&mut self) -> (u64, u64) {
        let filled = match self.next() % 4 {
            0 => self.next() & self.next(),
            1 => self.next(),
            2 => self.next() | self.next(),
            _ => self.next() | self.next() | self.next() | self.next(),
        };
        let mover = filled & self.next();
        (mover, filled & !mover)
    }
}

#[test]
fn the_portable_kernel_plays_by_the_rules_on_every_line() {
    every_line(|square, mover, other| {
        assert_eq!(portable::flips(square, mover, other), walked_flips(square, mover, other));
    });
}

#[test]
fn every_kernel_agrees_on_every_line() {
    for kernel in kernels() {
        every_line(|square, mover, other| {
            let name = kernel.name;
            assert_eq!(
                (kernel.flips)(square, mover, other),
                portable::flips(square, mover, other),
                "{name} {square} {mover:x} {other:x}"
            );
            assert_eq!((kernel.moves)(mover, other), portable::moves(mover, other), "{name} {mover:x} {other:x}");
            let all = |word| Lanes([word; 8]);
            assert_eq!(
                (kernel.flips_x8)(all(1 << square), all(mover), all(other)),
                all(portable::flips(square, mover, other)),
                "{name} x8 {square} {mover:x} {other:x}"
            );
            assert_eq!((kernel.moves_x8)(all(mover), all(other)), all(portable::moves(mover, other)), "{name} x8");
            assert_eq!(
                (kernel.flips_x4)([square; 4], mover, other),
                Quad([portable::flips(square, mover, other); 4]),
                "{name} x4 {square} {mover:x} {other:x}"
            );
        });
    }
}

#[test]
fn every_kernel_agrees_on_random_boards() {
    let kernels = kernels();
    let mut random = Random(1);
    for _ in 0..400_000 {
        let mut mover = Lanes::default();
        let mut other = Lanes::default();
        let mut placed = Lanes::default();
        for lane in 0..8 {
            (mover.0[lane], other.0[lane]) = random.board();
            placed.0[lane] = 1 << (random.next() % 64) & !(mover.0[lane] | other.0[lane]);
        }
        let moves = portable::moves_x8(mover, other);
        let flips = portable::flips_x8(placed, mover, other);
        for kernel in &kernels {
            assert_eq!((kernel.moves_x8)(mover, other), moves, "{}", kernel.name);
            assert_eq!((kernel.flips_x8)(placed, mover, other), flips, "{}", kernel.name);
            assert_eq!((kernel.count_x8)(moves), portable::count_x8(moves), "{}", kernel.name);
            for lane in 0..8 {
                assert_eq!((kernel.moves)(mover.0[lane], other.0[lane]), moves.0[lane], "{}", kernel.name);
                if placed.0[lane] != 0 {
                    let square = placed.0[lane].trailing_zeros() as usize;
                    let expected = flips.0[lane];
                    assert_eq!((kernel.flips)(square, mover.0[lane], other.0[lane]), expected, "{}", kernel.name);
                }
            }
        }
        for lane in 0..8 {
            let (mover, other) = (mover.0[lane], other.0[lane]);
            // a square is legal exactly when it is empty and turns something
            let square = (random.next() % 64) as usize;
            let legal = (mover | other) >> square & 1 == 0 && walked_flips(square, mover, other) != 0;
            assert_eq!(moves.0[lane] >> square & 1 != 0, legal);
        }
    }
}

#[test]
fn every_kernel_agrees_on_four_boards_and_on_four_squares() {
    let kernels = kernels();
    let mut random = Random(4);
    for _ in 0..400_000 {
        let (mut mover, mut other) = (Quad::default(), Quad::default());
        for lane in 0..4 {
            (mover.0[lane], other.0[lane]) = random.board();
        }
        let (mine, theirs) = (mover.0[0], other.0[0]);
        let Some(squares) = four_of(!(mine | theirs), &mut random) else { continue };
        let moves = portable::moves_x4(mover, other);
        let flips = portable::flips_x4(squares, mine, theirs);
        // few different keys, so that some are equal
        let (low, high) = (random.next() & 0x8003_8003_8003_8003, random.next() & 0x8003_8003_8003_8003);
        for kernel in &kernels {
            let name = kernel.name;
            assert_eq!((kernel.moves_x4)(mover, other), moves, "{name}");
            assert_eq!((kernel.flips_x4)(squares, mine, theirs), flips, "{name}");
            assert_eq!((kernel.count_x4)(moves), portable::count_x4(moves), "{name}");
            assert_eq!((kernel.pack_x4)(moves), portable::pack_x4(moves), "{name}");
            assert_eq!((kernel.least)(low, high), portable::least(low, high), "{name}");
        }
        assert_eq!(flips.0, squares.map(|square| walked_flips(square, mine, theirs)));
        let keys = [low, high].map(|word| [0, 16, 32, 48].map(|shift| (word >> shift) as u16)).concat();
        let (at, least) = portable::least(low, high);
        assert!(keys[..at].iter().all(|&key| key > least) && keys[at] == least && keys.iter().all(|&key| key >= least));
    }
}

/// Four squares of a set, with repetition; none of an empty set.
fn four_of(set: u64, random: &mut Random) -> Option<[usize; 4]> {
    let squares: Vec<usize> = crate::Bitboard(set).iter().map(|square| square.index()).collect();
    (!squares.is_empty()).then(|| std::array::from_fn(|_| squares[random.next() as usize % squares.len()]))
}
