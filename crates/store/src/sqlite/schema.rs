//! The tables of the file.
//!
//! In tables without a rowid the columns of the key come first: older SQLite tools report empty fields in others, where there are none.

/// `OUTF` in the header of the file says that it is ours.
pub(super) const APPLICATION_ID: i32 = i32::from_be_bytes(*b"OUTF");

/// The version of the tables, and of what stands in them.
pub(super) const VERSION: i32 = 4;

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
