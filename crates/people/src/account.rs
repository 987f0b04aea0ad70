//! Someone who is known by a name and a password: [`Account`], the [`Session`]s they have, and whose a secret is ([`Holder`]).

use crate::{AdminAct, Handle, Passkey, PasskeyId, Token, TokenId};
use serde::{Deserialize, Serialize};
use std::fmt;
use table::{At, PersonId};

const DAY: At = 24 * 60 * 60 * 1000;

/// The number of the owner of a server: the one person who signs in without an account, by the link that is printed where it starts.
pub const OWNER: PersonId = PersonId(1);

/// A session that was not used for so long is over.
pub const SESSION_IDLE: At = 60 * DAY;
/// A session is over after so long, however much it is used.
pub const SESSION_LONGEST: At = 365 * DAY;
/// How many sessions one account has; another ends the one that was not used for longest.
pub const MOST_SESSIONS: usize = 40;

/// A person whom others know by a name of their own.
///
/// ```
/// use people::Account;
/// use table::PersonId;
/// let ana = Account { who: PersonId(7), handle: "Ana".parse()?, bot: false, made: 0, suspended: Some(1_000) };
/// assert!(ana.is_suspended(999) && !ana.is_suspended(1_000));
/// # Ok::<(), people::HandleError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Account {
    /// The person: what they did before they had an account is theirs.
    pub who: PersonId,
    /// What they are called.
    pub handle: Handle,
    /// Whether a program plays.
    pub bot: bool,
    /// Since when.
    pub made: At,
    /// Until when they may not come in.
    pub suspended: Option<At>,
}

impl Account {
    /// Whether they may not come in at `now`.
    pub fn is_suspended(&self, now: At) -> bool {
        self.suspended.is_some_and(|until| now < until)
    }
}

/// What is kept of a password: the text that argon2 makes of it. It is not shown.
#[derive(Clone, PartialEq, Eq)]
pub struct PasswordHash(pub String);

impl fmt::Debug for PasswordHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("PasswordHash(..)")
    }
}

/// What is kept of a secret that nobody can guess, such as a cookie: its SHA-256.
pub type SecretHash = [u8; 32];

/// The name of a session, by which its owner ends it. It is no secret.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(transparent)]
pub struct SessionId(pub String);

/// A browser in which someone has signed in.
///
/// ```
/// use people::{SESSION_IDLE, SESSION_LONGEST, Session, SessionId};
/// use table::PersonId;
/// let session =
///     Session { secret: [0; 32], id: SessionId("s".into()), who: PersonId(7), made: 0, seen: 10, agent: "Firefox".into() };
/// assert!(!session.is_over(10) && session.is_over(10 + SESSION_IDLE));
/// let used = Session { seen: SESSION_LONGEST - 1, ..session };
/// assert!(used.is_over(SESSION_LONGEST), "however much it is used");
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Session {
    /// By which the browser is known.
    pub secret: SecretHash,
    /// By which it is named.
    pub id: SessionId,
    /// Who.
    pub who: PersonId,
    /// Since when.
    pub made: At,
    /// When it was last used, to the hour.
    pub seen: At,
    /// What the browser calls itself.
    pub agent: String,
}

impl Session {
    /// Whether it is good no more at `now`.
    pub fn is_over(&self, now: At) -> bool {
        now >= self.ends()
    }

    /// When it ends if it is not used again.
    pub fn ends(&self) -> At {
        self.seen.saturating_add(SESSION_IDLE).min(self.made.saturating_add(SESSION_LONGEST))
    }
}

/// Whose a secret is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Holder {
    /// A guest's, known by the cookie of their browser.
    Guest(PersonId),
    /// Nobody's any more: the guest has an account since, and is known by their sessions alone. Whoever else had their cookie has not
    /// become them.
    FormerGuest,
    /// Of a browser in which someone signed in.
    Session(Box<Account>, Box<Session>),
    /// Of a browser in which the owner's link was opened, while the owner has no account.
    OwnerSession(Box<Session>),
    /// Of a program.
    Token(Box<Account>, Box<Token>),
}

/// Something that happens to accounts, to be kept. What cannot happen is a conflict, and nothing of it is kept.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum AccountChange {
    /// A person has an account from now on. A conflict if they have one or the handle is taken.
    Open {
        /// The account.
        account: Account,
        /// Its password.
        password: PasswordHash,
        /// Codes for whoever forgets it.
        recovery: Vec<SecretHash>,
    },
    /// A new password. A conflict if there is no such account.
    Password {
        /// Whose.
        who: PersonId,
        /// What is kept of it; `None` if there is none, until a code is used.
        hash: Option<PasswordHash>,
    },
    /// Nothing new: a conflict unless the password is still this one. Whatever is kept because somebody knew a password is kept together with
    /// this: whoever changes it meanwhile has ended all that.
    PasswordIs {
        /// Whose.
        who: PersonId,
        /// What is kept of it.
        hash: PasswordHash,
    },
    /// These codes and no others are good from now on. A conflict if there is no such account.
    Recovery {
        /// Whose.
        who: PersonId,
        /// The codes.
        codes: Vec<SecretHash>,
    },
    /// A code is used up. A conflict if it is not good, or no longer.
    UseRecovery {
        /// Whose.
        who: PersonId,
        /// The code.
        code: SecretHash,
    },
    /// Someone signs in. Sessions that are over go, and the oldest of theirs if there are too many. A conflict if there is no such account;
    /// the [`OWNER`] needs none.
    SignIn(Session),
    /// A session was used.
    SessionSeen {
        /// Which.
        secret: SecretHash,
        /// When.
        at: At,
    },
    /// A session ends. A conflict if it is not theirs, or over already.
    SignOut {
        /// Whose.
        who: PersonId,
        /// Which.
        id: SessionId,
    },
    /// All sessions of a person end.
    SignOutAll {
        /// Whose.
        who: PersonId,
    },
    /// All sessions of a person end but this one. A conflict if it is not theirs, or over already: of two that end each other one stays.
    SignOutOthers {
        /// Whose.
        who: PersonId,
        /// The one that stays.
        id: SessionId,
    },
    /// A token for a program. A conflict if there is no such account.
    Token(Token),
    /// A token was used.
    TokenSeen {
        /// Which.
        secret: SecretHash,
        /// When.
        at: At,
    },
    /// A token is good no more. A conflict if it is not theirs, or gone already.
    TokenEnd {
        /// Whose.
        who: PersonId,
        /// Which.
        id: TokenId,
    },
    /// No token of a person is good any more.
    TokenEndAll {
        /// Whose.
        who: PersonId,
    },
    /// A passkey. A conflict if there is no such account, or a device's passkey is called the same.
    Passkey(Passkey),
    /// A passkey was used. A conflict if it is gone, or its device cannot have counted so ([`Passkey::is_followed_by`]).
    PasskeyUsed {
        /// What its device calls it.
        credential: Vec<u8>,
        /// How often the device has signed now.
        counter: u32,
        /// When.
        at: At,
    },
    /// A passkey is good no more. A conflict if it is not theirs, or gone already.
    PasskeyEnd {
        /// Whose.
        who: PersonId,
        /// Which.
        id: PasskeyId,
    },
    /// No passkey of a person is good any more.
    PasskeyEndAll {
        /// Whose.
        who: PersonId,
    },
    /// A device has answered a challenge. A conflict if it was answered before. Challenges that are too old by now are forgotten: nobody
    /// takes an answer to those.
    Answered {
        /// What is kept of it.
        challenge: SecretHash,
        /// Until when it is good.
        until: At,
        /// Now.
        at: At,
    },
    /// A program plays under this account. A conflict if there is no such account, or it has played a rated game.
    Bot {
        /// Whose.
        who: PersonId,
    },
    /// Someone may not come in until then, or may again. A conflict if there is no such account.
    Suspend {
        /// Who.
        who: PersonId,
        /// Until when.
        until: Option<At>,
    },
    /// Something the owner has decided about the server; `None` is what it was before anyone decided.
    Setting {
        /// Of what.
        name: String,
        /// What.
        value: Option<String>,
    },
    /// An administrator's act, which is written down for good.
    Audit {
        /// When.
        at: At,
        /// By whom.
        who: PersonId,
        /// What.
        what: AdminAct,
    },
}
