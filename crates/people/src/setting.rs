//! What the owner decides about a server ([`Settings`]), and what is written down of it ([`AdminAct`]).

use crate::Handle;
use serde::{Deserialize, Serialize};
use std::{fmt, str::FromStr};
use table::{At, PersonId};

/// What the owner has decided; `None` where nothing was.
///
/// ```
/// use people::Settings;
/// let kept = [("lobby", "true"), ("announcement", "Closed on Sunday"), ("of-a-later-version", "7")];
/// let settings = Settings::of(kept.map(|(name, value)| (name.to_owned(), value.to_owned())));
/// assert_eq!((settings.registration, settings.lobby), (None, Some(true)));
/// assert_eq!(settings.announcement.unwrap().as_str(), "Closed on Sunday");
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Settings {
    /// Whether guests may have an account.
    pub registration: Option<bool>,
    /// Whether the lobby is open.
    pub lobby: Option<bool>,
    /// What everyone is told.
    pub announcement: Option<Announcement>,
    /// Another number each time the owner ends the printed link: a link is good as long as this is what it was when it was printed.
    pub owner_ended: u64,
}

impl Settings {
    /// By which `registration` is kept.
    pub const REGISTRATION: &'static str = "registration";
    /// By which `lobby` is kept.
    pub const LOBBY: &'static str = "lobby";
    /// By which `announcement` is kept.
    pub const ANNOUNCEMENT: &'static str = "announcement";
    /// By which `owner_ended` is kept.
    pub const OWNER_ENDED: &'static str = "owner_ended";

    /// What was kept. What is not understood was decided under another version, and is as if it were not there.
    pub fn of(kept: impl IntoIterator<Item = (String, String)>) -> Settings {
        let mut settings = Settings::default();
        for (name, value) in kept {
            match name.as_str() {
                Settings::REGISTRATION => settings.registration = value.parse().ok(),
                Settings::LOBBY => settings.lobby = value.parse().ok(),
                Settings::ANNOUNCEMENT => settings.announcement = value.parse().ok(),
                Settings::OWNER_ENDED => settings.owner_ended = value.parse().unwrap_or_default(),
                _ => {}
            }
        }
        settings
    }
}

/// A line that everyone on a server reads: 1 to 280 characters, none that turns or hides others.
///
/// ```
/// use people::Announcement;
/// assert_eq!(" Blitz\n tonight ".parse::<Announcement>()?.as_str(), "Blitz tonight");
/// assert!("".parse::<Announcement>().is_err());
/// assert!("a\u{202e}b".parse::<Announcement>().is_err(), "it would turn what follows");
/// assert!("x".repeat(281).parse::<Announcement>().is_err());
/// # Ok::<(), people::AnnouncementError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Announcement(String);

/// The text cannot be announced.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("an announcement has 1 to 280 visible characters")]
pub struct AnnouncementError;

impl Announcement {
    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for Announcement {
    type Err = AnnouncementError;

    fn from_str(text: &str) -> Result<Announcement, AnnouncementError> {
        let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
        // What changes the direction of a text, or is not seen at all.
        let hidden = |c: char| {
            c.is_control()
                || matches!(c, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}')
        };
        let fits = (1..=280).contains(&line.chars().count());
        if fits && !line.chars().any(hidden) { Ok(Announcement(line)) } else { Err(AnnouncementError) }
    }
}

impl TryFrom<String> for Announcement {
    type Error = AnnouncementError;
    fn try_from(text: String) -> Result<Announcement, AnnouncementError> {
        text.parse()
    }
}

impl From<Announcement> for String {
    fn from(announcement: Announcement) -> String {
        announcement.0
    }
}

impl fmt::Display for Announcement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// What an administrator did.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum AdminAct {
    /// Let guests have accounts, or no more.
    Registration {
        /// Whether they may.
        open: bool,
    },
    /// Opened or closed the lobby.
    Lobby {
        /// Whether it is open.
        open: bool,
    },
    /// Told everyone something, or nothing any more.
    Announce {
        /// What.
        text: Option<Announcement>,
    },
    /// Kept someone out.
    Suspend {
        /// Whom.
        handle: Handle,
        /// Until when.
        until: At,
    },
    /// Let them in again.
    Restore {
        /// Whom.
        handle: Handle,
    },
    /// Signed the owner's other browsers out, and ended the printed link.
    EndOwner,
    /// Took someone's password away and gave them a code to choose another.
    Reset {
        /// Whose.
        handle: Handle,
    },
}

/// A line of what administrators did.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AuditEntry {
    /// Its number: later ones are larger.
    pub number: u64,
    /// When.
    pub at: At,
    /// By whom.
    pub who: PersonId,
    /// What; `None` if a later version wrote it.
    pub what: Option<AdminAct>,
}
