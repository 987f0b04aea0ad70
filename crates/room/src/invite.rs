//! Invitations to open seats: [`Key`].
//!
//! An invitation follows from the game, the seat and a key that only the server has. So none is kept anywhere, and the link of a
//! game that waits for a player can be shown again at any time.

use crate::{Room, random::letters};
use hmac::{Hmac, KeyInit, Mac};
use rules::{ByColor, Color};
use sha2::{Digest, Sha256};
use std::fmt;
use table::{GameId, Seat};

/// 26 characters of five bits: 130 bits that nobody guesses.
const LENGTH: usize = 26;

/// The secret from which a server's invitations follow.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Key(pub [u8; 32]);

impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Key(…)")
    }
}

impl Key {
    fn invitation(&self, game: &GameId, color: Color) -> String {
        let mut block = [0; 64];
        block[..32].copy_from_slice(&self.0);
        let mut code = Hmac::<Sha256>::new(&block.into());
        code.update(b"invitation\0");
        code.update(&[color.letter() as u8]);
        code.update(game.as_str().as_bytes());
        letters(&code.finalize().into_bytes(), LENGTH)
    }
}

impl Room {
    /// Invitations to the seats that are open.
    pub fn invitations(&self) -> ByColor<Option<String>> {
        let open = |color: Color| self.table.seats()[color] == Seat::Open && self.table.verdict().is_none();
        ByColor::from_fn(|color| open(color).then(|| self.key.invitation(&self.game, color)))
    }

    /// The seat that `invitation` is for, open or taken meanwhile.
    pub(crate) fn invited(&self, invitation: &str) -> Option<Color> {
        // Hashes are compared, so that the time it takes tells nothing.
        let hash: [u8; 32] = Sha256::digest(invitation.as_bytes()).into();
        Color::ALL.into_iter().find(|&color| {
            let made: [u8; 32] = Sha256::digest(self.key.invitation(&self.game, color).as_bytes()).into();
            made == hash || self.invites[color] == Some(hash)
        })
    }
}
