//! What the evaluation looks at: shapes of up to ten squares, each lying on the board in every way that turning
//! and mirroring allows.
//!
//! A *class* is one shape; a *placement* is one way it lies on the board. The filling of a placement is a number in
//! base three (0 empty, 1 mover, 2 other, first cell lowest). All placements of a class share one table of weights,
//! and fillings that a symmetry of the shape exchanges share one weight.

use rules::{Bitboard, Square, Symmetry};

/// Room for the placements: two 512-bit registers of 16-bit fillings.
pub const SLOTS: usize = 64;

/// How many placements each symmetry leads to.
pub const GROUPS: [usize; 8] = [15, 10, 14, 9, 6, 1, 6, 1];

use Square::*;

/// The shapes, each in one of its places.
pub const SHAPES: &[&[Square]] = &[
    // the corner, square by square
    &[A1, B1, C1, A2, B2, C2, A3, B3, C3],
    // two rows of five into the corner
    &[A1, B1, C1, D1, E1, A2, B2, C2, D2, E2],
    // an edge with its two X-squares
    &[A1, B1, C1, D1, E1, F1, G1, H1, B2, G2],
    // both edges that meet in a corner, with its X-square
    &[A1, B1, C1, D1, E1, A2, A3, A4, A5, B2],
    // the triangle under a corner
    &[A1, B1, C1, D1, A2, B2, C2, A3, B3, A4],
    // the middle of an edge and what stands before it, with the corners
    &[A1, C1, D1, E1, F1, H1, C2, D2, E2, F2],
    // the long diagonal's first half and the squares beside it
    &[A1, B1, A2, B2, C2, B3, C3, D3, C4, D4],
    // the second, third and fourth row
    &[A2, B2, C2, D2, E2, F2, G2, H2],
    &[A3, B3, C3, D3, E3, F3, G3, H3],
    &[A4, B4, C4, D4, E4, F4, G4, H4],
    // diagonals of eight to four
    &[A1, B2, C3, D4, E5, F6, G7, H8],
    &[B1, C2, D3, E4, F5, G6, H7],
    &[C1, D2, E3, F4, G5, H6],
    &[D1, E2, F3, G4, H5],
    &[E1, F2, G3, H4],
];

/// One way a shape lies on the board.
#[derive(Clone, Debug)]
pub struct Placement {
    /// Which shape.
    pub class: usize,
    /// What leads from the shape's own place to this one.
    pub symmetry: Symmetry,
    /// Its squares, in the order of the shape's.
    pub cells: Vec<Square>,
}

/// The shapes laid out: what the evaluation and its training both build on.
#[derive(Debug)]
pub struct Layout {
    /// All placements, those that the same symmetry leads to together, [`GROUPS`] of them.
    pub placements: Vec<Placement>,
    /// Where each class begins in a table with one weight for every filling.
    pub offsets: Vec<usize>,
    /// Length of such a table.
    pub fillings: usize,
    /// For every filling of every class, the number of its weight among those that are really different.
    pub shared: Vec<u32>,
    /// For every filling, the symmetries of its shape that lead to the one its weight belongs to, as a set of bits by
    /// [`Symmetry::index`].
    pub leads: Vec<u8>,
    /// How many weights are really different.
    pub weights: usize,
    /// For each square, what a mover's disc there adds to the filling of each placement.
    pub adds: Box<Adds>,
}

/// For each square, what a mover's disc there adds to the filling of each placement.
#[derive(Debug)]
#[repr(align(64))]
pub struct Adds(pub [[u16; SLOTS]; 64]);

impl Layout {
    /// Lays out [`SHAPES`].
    pub fn new() -> Layout {
        let mut placements = Vec::new();
        let mut offsets = Vec::new();
        let mut shared = Vec::new();
        let mut leads = Vec::new();
        let mut weights = 0;
        for (class, shape) in SHAPES.iter().enumerate() {
            let set: Bitboard = shape.iter().copied().collect();
            let mut seen = Vec::new();
            let mut itself = Vec::new(); // cell orders under which the shape is its own image
            for symmetry in Symmetry::ALL {
                let cells: Vec<Square> = shape.iter().map(|&square| symmetry.square(square)).collect();
                let image = symmetry.bitboard(set);
                if image == set {
                    let order: Vec<usize> =
                        cells.iter().map(|square| shape.iter().position(|s| s == square).unwrap_or(0)).collect();
                    itself.push((symmetry, order));
                }
                if !seen.contains(&image) {
                    seen.push(image);
                    placements.push(Placement { class, symmetry, cells });
                }
            }
            let offset = shared.len();
            offsets.push(offset);
            for filling in 0..3usize.pow(shape.len() as u32) {
                let digit = |cell: usize| filling / 3usize.pow(cell as u32) % 3;
                let seen = |order: &[usize]| -> usize {
                    order.iter().enumerate().map(|(i, &to)| digit(i) * 3usize.pow(to as u32)).sum()
                };
                let least = itself.iter().map(|(_, order)| seen(order)).min().unwrap_or(filling);
                let lead = itself.iter().filter(|(_, order)| seen(order) == least);
                leads.push(lead.fold(0, |set, (symmetry, _)| set | 1 << symmetry.index()));
                if least == filling {
                    shared.push(weights as u32);
                    weights += 1;
                } else {
                    shared.push(shared[offset + least]);
                }
            }
        }
        placements.sort_by_key(|placement| placement.symmetry.index());
        let mut adds = Box::new(Adds([[0; SLOTS]; 64]));
        for (slot, placement) in placements.iter().enumerate() {
            for (cell, square) in placement.cells.iter().enumerate() {
                adds.0[square.index()][slot] = 3u16.pow(cell as u32);
            }
        }
        let fillings = shared.len();
        Layout { placements, offsets, fillings, shared, leads, weights, adds }
    }
}

impl Default for Layout {
    fn default() -> Layout {
        Layout::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn placements_fit_and_cover_the_board() {
        let layout = Layout::new();
        assert!(layout.placements.len() <= SLOTS, "{}", layout.placements.len());
        let mut groups = [0; 8];
        for pair in layout.placements.windows(2) {
            assert!(pair[0].symmetry <= pair[1].symmetry);
        }
        for placement in &layout.placements {
            groups[placement.symmetry.index()] += 1;
        }
        assert_eq!(groups, GROUPS);
        let covered: Bitboard = layout.placements.iter().flat_map(|p| p.cells.iter().copied()).collect();
        assert_eq!(covered, Bitboard::ALL);
        assert_eq!(*layout.shared.iter().max().unwrap() as usize + 1, layout.weights);
    }

    #[test]
    fn a_shape_has_eight_placements_over_its_own_symmetries() {
        let layout = Layout::new();
        for (class, shape) in SHAPES.iter().enumerate() {
            let set: Bitboard = shape.iter().copied().collect();
            let own = Symmetry::ALL.iter().filter(|s| s.bitboard(set) == set).count();
            let placed = layout.placements.iter().filter(|p| p.class == class).count();
            assert_eq!(placed * own, 8);
        }
    }
}
