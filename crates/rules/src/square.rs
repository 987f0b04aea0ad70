//! The 64 places a disc can lie: [`Square`].

use core::{fmt, str::FromStr};

/// A square, named as players name it: column `a`–`h` from the left, row `1`–`8` from the top.
///
/// `a1` is the top-left corner and index 0, `h1` is index 7, `h8` is index 63. `Option<Square>` is one byte.
///
/// ```
/// use rules::Square;
/// let square: Square = "F5".parse()?;
/// assert_eq!(square, Square::F5);
/// assert_eq!(square.to_string(), "f5");
/// assert_eq!((square.column(), square.row(), square.index()), (5, 4, 37));
/// # Ok::<(), rules::ParseSquareError>(())
/// ```
#[allow(missing_docs)] // the names say it
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
#[rustfmt::skip]
pub enum Square {
    A1, B1, C1, D1, E1, F1, G1, H1,
    A2, B2, C2, D2, E2, F2, G2, H2,
    A3, B3, C3, D3, E3, F3, G3, H3,
    A4, B4, C4, D4, E4, F4, G4, H4,
    A5, B5, C5, D5, E5, F5, G5, H5,
    A6, B6, C6, D6, E6, F6, G6, H6,
    A7, B7, C7, D7, E7, F7, G7, H7,
    A8, B8, C8, D8, E8, F8, G8, H8,
}

impl Square {
    /// Every square, by index.
    #[rustfmt::skip]
    pub const ALL: [Square; 64] = [
        Square::A1, Square::B1, Square::C1, Square::D1, Square::E1, Square::F1, Square::G1, Square::H1,
        Square::A2, Square::B2, Square::C2, Square::D2, Square::E2, Square::F2, Square::G2, Square::H2,
        Square::A3, Square::B3, Square::C3, Square::D3, Square::E3, Square::F3, Square::G3, Square::H3,
        Square::A4, Square::B4, Square::C4, Square::D4, Square::E4, Square::F4, Square::G4, Square::H4,
        Square::A5, Square::B5, Square::C5, Square::D5, Square::E5, Square::F5, Square::G5, Square::H5,
        Square::A6, Square::B6, Square::C6, Square::D6, Square::E6, Square::F6, Square::G6, Square::H6,
        Square::A7, Square::B7, Square::C7, Square::D7, Square::E7, Square::F7, Square::G7, Square::H7,
        Square::A8, Square::B8, Square::C8, Square::D8, Square::E8, Square::F8, Square::G8, Square::H8,
    ];

    /// The square in `column` (0 is a) and `row` (0 is row 1), if both are below 8.
    ///
    /// ```
    /// use rules::Square;
    /// assert_eq!(Square::at(5, 4), Some(Square::F5));
    /// assert_eq!(Square::at(8, 0), None);
    /// ```
    pub const fn at(column: u8, row: u8) -> Option<Square> {
        if column < 8 && row < 8 { Some(Square::ALL[(row * 8 + column) as usize]) } else { None }
    }

    /// 0 for `a1` to 63 for `h8`, row by row.
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// 0 for column a to 7 for column h.
    #[inline]
    pub const fn column(self) -> u8 {
        self as u8 % 8
    }

    /// 0 for row 1 (the top) to 7 for row 8.
    #[inline]
    pub const fn row(self) -> u8 {
        self as u8 / 8
    }
}

impl TryFrom<u8> for Square {
    type Error = ParseSquareError;

    fn try_from(index: u8) -> Result<Square, ParseSquareError> {
        Square::ALL.get(index as usize).copied().ok_or(ParseSquareError)
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = [b'a' + self.column(), b'1' + self.row()];
        f.pad(core::str::from_utf8(&name).unwrap_or_default())
    }
}

/// The text was not a column letter and a row digit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ParseSquareError;

impl fmt::Display for ParseSquareError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a square is a letter a-h and a digit 1-8, such as f5")
    }
}

impl core::error::Error for ParseSquareError {}

impl FromStr for Square {
    type Err = ParseSquareError;

    /// Reads exactly two characters, the letter in either case.
    fn from_str(text: &str) -> Result<Square, ParseSquareError> {
        let &[letter, digit] = text.as_bytes() else { return Err(ParseSquareError) };
        let column = letter.to_ascii_lowercase().wrapping_sub(b'a');
        Square::at(column, digit.wrapping_sub(b'1')).ok_or(ParseSquareError)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_square_reads_its_own_name() {
        for (index, square) in Square::ALL.into_iter().enumerate() {
            assert_eq!(square.index(), index);
            assert_eq!(square.to_string().parse(), Ok(square));
            assert_eq!(square.to_string().to_uppercase().parse(), Ok(square));
            assert_eq!(Square::at(square.column(), square.row()), Some(square));
            assert_eq!(Square::try_from(index as u8), Ok(square));
        }
        assert_eq!(size_of::<Option<Square>>(), 1);
    }

    #[test]
    fn what_is_no_square_is_refused() {
        for text in ["", "f", "i1", "a0", "a9", "5f", "f55", "f 5", "é1", "`1", "@1"] {
            assert_eq!(text.parse::<Square>(), Err(ParseSquareError), "{text:?}");
        }
        assert_eq!(Square::try_from(64), Err(ParseSquareError));
    }
}
