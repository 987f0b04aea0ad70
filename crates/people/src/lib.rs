//! Who plays on a server, without I/O: accounts, ratings, offers to play.
//!
//! A person is a number ([`table::PersonId`]) that follows from what their browser shows; someone who wants to be known on other
//! devices, and by others, has an account, and a [`Handle`] that nobody else has.
//!
//! ```
//! use people::Handle;
//! let ana: Handle = "Ana_77".parse()?;
//! assert_eq!(ana.key(), "ana_77");
//! # Ok::<(), people::HandleError>(())
//! ```

#![forbid(unsafe_code)]

mod account;
mod fair_play;
mod handle;
mod meeting;
mod offer;
mod passkey;
mod profile;
mod rating;
mod setting;
mod speed;
mod token;

pub use account::{
    Account, AccountChange, Holder, MOST_SESSIONS, OWNER, PasswordHash, SESSION_IDLE, SESSION_LONGEST, SecretHash,
    Session, SessionId,
};
pub use fair_play::{Conduct, EARLY, RatedGame};
pub use handle::{Handle, HandleError, handle_key_of};
pub use meeting::MeetingChange;
pub use offer::{NotForYou, Offer, Player, Range, first_color};
pub use passkey::{CHALLENGE_LASTS, MOST_PASSKEYS, Passkey, PasskeyId};
pub use profile::{Leader, Played, Score, Tally};
pub use rating::{Numbers, Rated, Rating, rate};
pub use setting::{AdminAct, Announcement, AnnouncementError, AuditEntry, Settings};
pub use speed::{Category, CategoryError, Speed, opening_text};
pub use token::{MOST_TOKENS, Scope, Scopes, ScopesError, TOKEN_PREFIX, Token, TokenId};
