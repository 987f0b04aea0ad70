//! The tables of the file.
//!
//! In tables without a rowid the columns of the key come first: older SQLite tools report empty fields in others, where there are none.

/// `OUTF` in the header of the file says that it is ours.
pub(super) const APPLICATION_ID: i32 = i32::from_be_bytes(*b"OUTF");

/// The version of the tables, and of what stands in them.
pub(super) const VERSION: i32 = 6;

/// Everything a new file has.
pub(super) const ALL: [&str; 6] =
    [OLD_TABLES, GAME_TABLES, DOCUMENT_TABLE, ACCOUNT_TABLES, MEETING_TABLES, SINCE_VERSION_6];

/// Tables that are as they always were, but for the name of a column.
pub(super) const OLD_TABLES: &str = "
CREATE TABLE person (
    id     INTEGER PRIMARY KEY,
    secret BLOB NOT NULL UNIQUE              -- SHA-256 of the cookie
) STRICT;
CREATE TABLE entry (
    game TEXT NOT NULL,
    seq  INTEGER NOT NULL,
    who  INTEGER,                            -- who sent the command; null is the house
    command TEXT,
    body TEXT NOT NULL,
    PRIMARY KEY (game, seq)
) STRICT, WITHOUT ROWID;
";

/// Tables that came with version 3.
pub(super) const GAME_TABLES: &str = "
CREATE UNIQUE INDEX entry_command ON entry (game, who, command) WHERE command IS NOT NULL;
CREATE TABLE game (
    id      TEXT NOT NULL PRIMARY KEY,
    begun   INTEGER NOT NULL,                -- all times: milliseconds since 1970
    changed INTEGER NOT NULL,
    setup   TEXT NOT NULL,
    maker   INTEGER NOT NULL,
    command TEXT NOT NULL,                   -- the command that began it
    invite_black BLOB,                       -- SHA-256 of invitations made before they followed from a key
    invite_white BLOB,
    status  TEXT,                            -- how it stands, from here on: waiting, playing, over; null if nobody can say
    seats   TEXT,
    ply     INTEGER,
    turn    TEXT,                            -- black, white
    board   TEXT,
    result  TEXT,                            -- black, white, draw, scrapped
    black_score INTEGER,
    white_score INTEGER,
    verdict TEXT,
    deadline INTEGER,
    UNIQUE (maker, command)
) STRICT, WITHOUT ROWID;
CREATE INDEX game_deadline ON game (deadline, id) WHERE deadline IS NOT NULL;
CREATE INDEX game_running ON game (id) WHERE deadline IS NOT NULL;
CREATE TABLE listing (                       -- whose list a game is in
    who   INTEGER NOT NULL,
    game  TEXT NOT NULL,
    begun INTEGER NOT NULL,
    open  INTEGER NOT NULL,                  -- whether the game is known not to be over
    PRIMARY KEY (who, game)
) STRICT, WITHOUT ROWID;
CREATE INDEX listing_latest ON listing (who, begun, game);
CREATE INDEX listing_open ON listing (who) WHERE open = 1;
CREATE INDEX listing_game ON listing (game);
CREATE TABLE alive (                         -- the last sign of life
    one INTEGER PRIMARY KEY CHECK (one = 1),
    at  INTEGER NOT NULL
) STRICT;
CREATE TABLE settled (                       -- how often the file was written only to know where it stands
    one   INTEGER PRIMARY KEY CHECK (one = 1),
    times INTEGER NOT NULL
) STRICT;
";

/// The table that came with version 4.
pub(super) const DOCUMENT_TABLE: &str = "
CREATE TABLE document (                      -- what people keep beside their games
    who      INTEGER NOT NULL,
    kind     TEXT NOT NULL,
    id       TEXT NOT NULL,
    revision INTEGER NOT NULL,
    changed  INTEGER NOT NULL,
    due      INTEGER,                        -- when it is to be looked at again
    head     TEXT NOT NULL,                  -- what a list shows
    body     TEXT NOT NULL,
    PRIMARY KEY (who, kind, id)
) STRICT, WITHOUT ROWID;
CREATE INDEX document_latest ON document (who, kind, changed, id);
CREATE INDEX document_due ON document (who, kind, due, id) WHERE due IS NOT NULL;
";

/// Who plays: the tables that came with version 5.
pub(super) const ACCOUNT_TABLES: &str = "
CREATE TABLE account (
    who       INTEGER NOT NULL PRIMARY KEY,
    handle    TEXT NOT NULL,                 -- as its owner wrote it
    key       TEXT NOT NULL UNIQUE,          -- as it is compared
    password  TEXT,                          -- argon2id
    bot       INTEGER NOT NULL,              -- whether a program plays
    made      INTEGER NOT NULL,
    suspended INTEGER                        -- until when
) STRICT;
CREATE TABLE recovery (                      -- codes for whoever forgot the password, each good once
    who  INTEGER NOT NULL,
    code BLOB NOT NULL,                      -- SHA-256
    PRIMARY KEY (who, code)
) STRICT, WITHOUT ROWID;
CREATE TABLE session (                       -- browsers in which someone has signed in
    secret BLOB NOT NULL PRIMARY KEY,        -- SHA-256 of the cookie
    id     TEXT NOT NULL UNIQUE,             -- by which its owner ends it
    who    INTEGER NOT NULL,
    made   INTEGER NOT NULL,
    seen   INTEGER NOT NULL,
    agent  TEXT NOT NULL                     -- what the browser calls itself
) STRICT, WITHOUT ROWID;
CREATE INDEX session_who ON session (who);
CREATE INDEX session_made ON session (made);
CREATE INDEX session_seen ON session (seen);
CREATE TABLE token (                         -- for programs
    secret BLOB NOT NULL PRIMARY KEY,        -- SHA-256
    id     TEXT NOT NULL UNIQUE,
    who    INTEGER NOT NULL,
    name   TEXT NOT NULL,
    scopes TEXT NOT NULL,
    made   INTEGER NOT NULL,
    seen   INTEGER
) STRICT, WITHOUT ROWID;
CREATE INDEX token_who ON token (who);
CREATE TABLE setting (
    name  TEXT NOT NULL PRIMARY KEY,
    value TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE audit (                         -- what administrators did; only ever added to
    number INTEGER PRIMARY KEY,
    at     INTEGER NOT NULL,
    who    INTEGER NOT NULL,
    what   TEXT NOT NULL
) STRICT;
CREATE TRIGGER audit_changed BEFORE UPDATE ON audit BEGIN SELECT RAISE(ABORT, 'what was done stays written'); END;
CREATE TRIGGER audit_deleted BEFORE DELETE ON audit BEGIN SELECT RAISE(ABORT, 'what was done stays written'); END;
";

/// How people meet, and how well they play: also of version 5.
pub(super) const MEETING_TABLES: &str = "
CREATE TABLE offer (                         -- whoever takes one deletes it: it is taken once
    id    TEXT NOT NULL PRIMARY KEY,         -- and is the id of the game
    who   INTEGER NOT NULL,
    whom  INTEGER,                           -- a challenge to one person
    live  INTEGER NOT NULL,                  -- whether the game needs both to be there
    made  INTEGER NOT NULL,
    until INTEGER NOT NULL,                  -- put off as long as its maker is there
    body  TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX offer_open ON offer (made, id) WHERE whom IS NULL;
CREATE INDEX offer_who ON offer (who, made, id);
CREATE INDEX offer_whom ON offer (whom, made, id) WHERE whom IS NOT NULL;
CREATE INDEX offer_until ON offer (until);
CREATE TABLE rating (
    who        INTEGER NOT NULL,
    category   TEXT NOT NULL,                -- such as rapid-standard
    value      REAL NOT NULL,
    deviation  REAL NOT NULL,
    volatility REAL NOT NULL,
    games      INTEGER NOT NULL,             -- each game adds one: it is the number of the next
    changed    INTEGER NOT NULL,
    PRIMARY KEY (who, category)
) STRICT, WITHOUT ROWID;
CREATE INDEX rating_best ON rating (category, value);
CREATE TABLE rated (                         -- each game counts once
    game     TEXT NOT NULL PRIMARY KEY,
    body     TEXT NOT NULL                   -- who played, and both ratings before and after
) STRICT, WITHOUT ROWID;
CREATE TABLE played (                        -- games between two people that have ended, once for each of them
    who     INTEGER NOT NULL,
    game    TEXT NOT NULL,
    at      INTEGER NOT NULL,
    color   TEXT NOT NULL,                   -- black, white
    score   TEXT NOT NULL,                   -- won, drawn, lost
    speed   TEXT NOT NULL,                   -- blitz, rapid, slow, correspondence; empty without clocks
    opening TEXT NOT NULL,                   -- standard, balanced
    PRIMARY KEY (who, game)
) STRICT, WITHOUT ROWID;
CREATE INDEX played_latest ON played (who, at, game, color);
CREATE INDEX played_tally ON played (who, speed, opening, color, score);
CREATE TABLE blocked (                       -- who wants to hear nothing of whom
    who  INTEGER NOT NULL,
    whom INTEGER NOT NULL,
    PRIMARY KEY (who, whom)
) STRICT, WITHOUT ROWID;
CREATE INDEX blocked_whom ON blocked (whom, who);
";

/// Keys on people's devices, whether others find a game in a list, and which command made an offer: what came with version 6.
pub(super) const SINCE_VERSION_6: &str = "
CREATE TABLE passkey (
    credential BLOB NOT NULL PRIMARY KEY,    -- what the device calls it
    id      TEXT NOT NULL UNIQUE,            -- by which its owner ends it
    who     INTEGER NOT NULL,
    site    TEXT NOT NULL,                   -- the origin it is good for
    key     BLOB NOT NULL,                   -- COSE, the public half
    counter INTEGER NOT NULL,                -- how often the device has signed
    agent   TEXT NOT NULL,
    made    INTEGER NOT NULL,
    seen    INTEGER
) STRICT, WITHOUT ROWID;
CREATE INDEX passkey_who ON passkey (who);
CREATE TABLE answered (                      -- challenges that were answered: each is answered once
    challenge BLOB NOT NULL PRIMARY KEY,     -- SHA-256
    until     INTEGER NOT NULL               -- when it is too old to be answered at all
) STRICT, WITHOUT ROWID;
CREATE INDEX answered_until ON answered (until);
ALTER TABLE played ADD COLUMN public INTEGER NOT NULL DEFAULT 0;
UPDATE played SET public = 1 WHERE game IN (SELECT game FROM rated);
UPDATE offer SET body = json_set(body, '$.command', id) WHERE json_valid(body);
";
