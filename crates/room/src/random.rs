//! Random bytes, drawn beforehand: [`Random`].

use table::GameId;

/// Digits and letters that are not mistaken for each other, 32 of them.
const ALPHABET: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";

/// 60 bits: an id that nobody guesses in the time a game lasts.
const GAME: usize = 12;

/// Random bytes for one command, from whoever has a source of them. No command needs as many as there are.
///
/// ```
/// let mut random = room::Random::new([3; 128]);
/// assert_eq!(random.game().as_str().len(), 12);
/// ```
#[derive(Clone, Debug)]
pub struct Random {
    bytes: [u8; 128],
    used: usize,
}

impl Random {
    /// As many random bytes as one command can need.
    pub fn new(bytes: [u8; 128]) -> Random {
        Random { bytes, used: 0 }
    }

    fn take<const N: usize>(&mut self) -> [u8; N] {
        // Going round would repeat a number, not fail.
        let taken = std::array::from_fn(|index| self.bytes[(self.used + index) % self.bytes.len()]);
        self.used += N;
        taken
    }

    /// Any number.
    pub fn number(&mut self) -> u64 {
        u64::from_le_bytes(self.take())
    }

    /// An id for a new game.
    pub fn game(&mut self) -> GameId {
        let id = letters(&self.take::<GAME>(), GAME).parse();
        // Twelve characters are an id.
        id.unwrap_or_else(|_| unreachable!())
    }
}

/// The first `length` bytes as characters of five bits each.
pub(crate) fn letters(bytes: &[u8], length: usize) -> String {
    bytes.iter().take(length).map(|byte| char::from(ALPHABET[usize::from(byte % 32)])).collect()
}
