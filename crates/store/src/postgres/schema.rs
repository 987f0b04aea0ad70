//! The tables of the database. They are those of the SQLite file, and one more: where each writer stands.
//!
//! Columns have the same names and hold the same in both, so that everything can be moved (`transfer`): whole numbers, texts, bytes.
//! Texts by which something is ordered or found are compared byte by byte, whatever the database's language is.

/// The version of the tables, and of what stands in them: the same number as in the SQLite file.
pub(super) const VERSION: i32 = 6;

/// What leads from each version to the next; the first makes everything.
pub(super) const STEPS: &[(i32, &str)] = &[(5, TABLES), (6, SINCE_VERSION_6)];

/// The table by which a database is known to be ours. The key stands in it so that all nodes have the same.
pub(super) const MARK: &str = "
CREATE TABLE outflank (
    one     INTEGER PRIMARY KEY CHECK (one = 1),
    version INTEGER NOT NULL,
    key     BYTEA NOT NULL                   -- 32 random bytes, from which invitations follow
)";

const TABLES: &str = r#"
CREATE TABLE person (
    id     BIGINT PRIMARY KEY,
    secret BYTEA NOT NULL UNIQUE             -- SHA-256 of the cookie
);
CREATE TABLE entry (
    game    TEXT COLLATE "C" NOT NULL,
    seq     BIGINT NOT NULL,
    who     BIGINT,                          -- who sent the command; null is the house
    command TEXT COLLATE "C",
    body    TEXT NOT NULL,
    PRIMARY KEY (game, seq)
);
CREATE UNIQUE INDEX entry_command ON entry (game, who, command) WHERE command IS NOT NULL;
CREATE TABLE game (
    id      TEXT COLLATE "C" PRIMARY KEY,
    begun   BIGINT NOT NULL,                 -- all times: milliseconds since 1970
    changed BIGINT NOT NULL,
    setup   TEXT NOT NULL,
    maker   BIGINT NOT NULL,
    command TEXT COLLATE "C" NOT NULL,       -- the command that began it
    invite_black BYTEA,                      -- SHA-256 of invitations made before they followed from a key
    invite_white BYTEA,
    status  TEXT,                            -- how it stands, from here on: waiting, playing, over; null if nobody can say
    seats   TEXT,
    ply     BIGINT,
    turn    TEXT,                            -- black, white
    board   TEXT,
    result  TEXT,                            -- black, white, draw, scrapped
    black_score BIGINT,
    white_score BIGINT,
    verdict TEXT,
    deadline BIGINT,
    claimed BIGINT,                          -- until when somebody looks after the deadline
    UNIQUE (maker, command)
) WITH (fillfactor = 70);
CREATE INDEX game_deadline ON game (deadline, id) WHERE deadline IS NOT NULL;
CREATE INDEX game_running ON game (id) WHERE deadline IS NOT NULL;
CREATE TABLE listing (                       -- whose list a game is in
    who   BIGINT NOT NULL,
    game  TEXT COLLATE "C" NOT NULL,
    begun BIGINT NOT NULL,
    open  BIGINT NOT NULL,                   -- whether the game is known not to be over
    PRIMARY KEY (who, game)
);
CREATE INDEX listing_latest ON listing (who, begun, game);
CREATE INDEX listing_open ON listing (who) WHERE open = 1;
CREATE INDEX listing_game ON listing (game);
CREATE TABLE alive (                         -- the last sign of life
    one INTEGER PRIMARY KEY CHECK (one = 1),
    at  BIGINT NOT NULL
);
CREATE TABLE document (                      -- what people keep beside their games
    who      BIGINT NOT NULL,
    kind     TEXT COLLATE "C" NOT NULL,
    id       TEXT COLLATE "C" NOT NULL,
    revision BIGINT NOT NULL,
    changed  BIGINT NOT NULL,
    due      BIGINT,                         -- when it is to be looked at again
    head     TEXT NOT NULL,                  -- what a list shows
    body     TEXT NOT NULL,
    PRIMARY KEY (who, kind, id)
);
CREATE INDEX document_latest ON document (who, kind, changed, id);
CREATE INDEX document_due ON document (who, kind, due, id) WHERE due IS NOT NULL;
CREATE TABLE account (
    who       BIGINT PRIMARY KEY,
    handle    TEXT NOT NULL,                 -- as its owner wrote it
    key       TEXT COLLATE "C" NOT NULL UNIQUE, -- as it is compared
    password  TEXT,                          -- argon2id
    bot       BIGINT NOT NULL,               -- whether a program plays
    made      BIGINT NOT NULL,
    suspended BIGINT                         -- until when
);
CREATE TABLE recovery (                      -- codes for whoever forgot the password, each good once
    who  BIGINT NOT NULL,
    code BYTEA NOT NULL,                     -- SHA-256
    PRIMARY KEY (who, code)
);
CREATE TABLE session (                       -- browsers in which someone has signed in
    secret BYTEA PRIMARY KEY,                -- SHA-256 of the cookie
    id     TEXT COLLATE "C" NOT NULL UNIQUE, -- by which its owner ends it
    who    BIGINT NOT NULL,
    made   BIGINT NOT NULL,
    seen   BIGINT NOT NULL,
    agent  TEXT NOT NULL                     -- what the browser calls itself
);
CREATE INDEX session_who ON session (who);
CREATE INDEX session_made ON session (made);
CREATE INDEX session_seen ON session (seen);
CREATE TABLE token (                         -- for programs
    secret BYTEA PRIMARY KEY,                -- SHA-256
    id     TEXT COLLATE "C" NOT NULL UNIQUE,
    who    BIGINT NOT NULL,
    name   TEXT NOT NULL,
    scopes TEXT NOT NULL,
    made   BIGINT NOT NULL,
    seen   BIGINT
);
CREATE INDEX token_who ON token (who);
CREATE TABLE setting (
    name  TEXT COLLATE "C" PRIMARY KEY,
    value TEXT NOT NULL
);
CREATE TABLE audit (                         -- what administrators did; only ever added to
    number BIGINT GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
    at     BIGINT NOT NULL,
    who    BIGINT NOT NULL,
    what   TEXT NOT NULL
);
CREATE FUNCTION audit_stays() RETURNS trigger LANGUAGE plpgsql AS
$$ BEGIN RAISE EXCEPTION 'what was done stays written'; END $$;
CREATE TRIGGER audit_stays BEFORE UPDATE OR DELETE OR TRUNCATE ON audit EXECUTE FUNCTION audit_stays();
CREATE TABLE offer (                         -- whoever takes one deletes it: it is taken once
    id    TEXT COLLATE "C" PRIMARY KEY,      -- and is the id of the game
    who   BIGINT NOT NULL,
    whom  BIGINT,                            -- a challenge to one person
    live  BIGINT NOT NULL,                   -- whether the game needs both to be there
    made  BIGINT NOT NULL,
    until BIGINT NOT NULL,                   -- put off as long as its maker is there
    body  TEXT NOT NULL
);
CREATE INDEX offer_open ON offer (made, id) WHERE whom IS NULL;
CREATE INDEX offer_who ON offer (who, made, id);
CREATE INDEX offer_whom ON offer (whom, made, id) WHERE whom IS NOT NULL;
CREATE INDEX offer_until ON offer (until);
CREATE TABLE rating (
    who        BIGINT NOT NULL,
    category   TEXT COLLATE "C" NOT NULL,    -- such as rapid-standard
    value      DOUBLE PRECISION NOT NULL,
    deviation  DOUBLE PRECISION NOT NULL,
    volatility DOUBLE PRECISION NOT NULL,
    games      BIGINT NOT NULL,              -- each game adds one: it is the number of the next
    changed    BIGINT NOT NULL,
    PRIMARY KEY (who, category)
);
CREATE INDEX rating_best ON rating (category, value);
CREATE TABLE rated (                         -- each game counts once
    game TEXT COLLATE "C" PRIMARY KEY,
    body TEXT NOT NULL                       -- who played, and both ratings before and after
);
CREATE TABLE played (                        -- games between two people that have ended, once for each of them
    who     BIGINT NOT NULL,
    game    TEXT COLLATE "C" NOT NULL,
    at      BIGINT NOT NULL,
    color   TEXT COLLATE "C" NOT NULL,       -- black, white
    score   TEXT COLLATE "C" NOT NULL,       -- won, drawn, lost
    speed   TEXT COLLATE "C" NOT NULL,       -- blitz, rapid, slow, correspondence; empty without clocks
    opening TEXT COLLATE "C" NOT NULL,       -- standard, balanced
    PRIMARY KEY (who, game)
);
CREATE INDEX played_latest ON played (who, at, game, color);
CREATE INDEX played_tally ON played (who, speed, opening, color, score);
CREATE TABLE blocked (                       -- who wants to hear nothing of whom
    who  BIGINT NOT NULL,
    whom BIGINT NOT NULL,
    PRIMARY KEY (who, whom)
);
CREATE INDEX blocked_whom ON blocked (whom, who);
CREATE TABLE writer (                        -- the last transaction of each connection that writes
    id    BIGINT PRIMARY KEY,
    batch BIGINT NOT NULL,
    begun TIMESTAMPTZ NOT NULL DEFAULT now()
) WITH (fillfactor = 10);
"#;

/// Has the numbers that the database gives go on after those that are there.
pub(crate) const NEXT_NUMBERS: &str =
    "SELECT setval(pg_get_serial_sequence('audit', 'number'), coalesce(max(number), 0) + 1, false) FROM audit";

const SINCE_VERSION_6: &str = r#"
CREATE TABLE passkey (                       -- keys on people's devices
    credential BYTEA PRIMARY KEY,            -- what the device calls it
    id      TEXT COLLATE "C" NOT NULL UNIQUE, -- by which its owner ends it
    who     BIGINT NOT NULL,
    site    TEXT NOT NULL,                   -- the origin it is good for
    key     BYTEA NOT NULL,                  -- COSE, the public half
    counter BIGINT NOT NULL,                 -- how often the device has signed
    agent   TEXT NOT NULL,
    made    BIGINT NOT NULL,
    seen    BIGINT
);
CREATE INDEX passkey_who ON passkey (who);
CREATE TABLE answered (                      -- challenges that were answered: each is answered once
    challenge BYTEA PRIMARY KEY,             -- SHA-256
    until     BIGINT NOT NULL                -- when it is too old to be answered at all
);
CREATE INDEX answered_until ON answered (until);
ALTER TABLE played ADD COLUMN public BIGINT NOT NULL DEFAULT 0; -- whether others find it in a list
UPDATE played SET public = 1 WHERE game IN (SELECT game FROM rated);
UPDATE offer SET body = (body::jsonb || jsonb_build_object('command', id))::text;
"#;
