//! What a file claims: [`RawGame`], syntax only. [`Record`](crate::Record) is the same game replayed and legal.

use crate::{Clock, Day, Format, Why, clock, date};
use rules::{ByColor, Color, Setup, Square};
use std::fmt;

/// No game has more plies: 60 moves, and never two passes in a row before the end.
pub const MOST_PLIES: usize = 128;
/// The largest tree of variations that is read.
pub const MOST_NODES: usize = 50_000;
/// The most properties of a game as a whole that are kept.
pub const MOST_EXTRAS: usize = 256;
/// The most properties of its moves that are kept, all moves together.
pub const MOST_MOVE_EXTRAS: usize = 50_000;

/// One game as a file tells it. Nothing is known of its legality.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct RawGame {
    /// Who played, where, when.
    pub headers: Headers,
    /// The discs before the first move; `None` is the usual start.
    pub start: Option<Setup>,
    /// Moves and passes, variations included: each ply's first continuation directly follows it.
    pub plies: Vec<RawPly>,
    /// What is said of single plies, in their order.
    pub notes: Vec<RawNote>,
    /// First moves that are known but were not played (OBF).
    pub known: Vec<RawKnown>,
}

/// A possible first move of a [`RawGame`] that the file says something about without playing it.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct RawKnown {
    /// The move and its score.
    pub known: Known,
    /// Bytes in the file before it, counted from where the game begins.
    pub byte: u32,
}

/// A move of a position and what it is known to lead to.
///
/// ```
/// use record::{Record, obf};
/// let line = b"--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X; G8:+18; H1:+12;";
/// let problem = Record::try_from(obf::read(line)?)?;
/// // the position, with nothing played in it
/// assert_eq!((problem.main_len(), problem.end()), (0, problem.start()));
/// assert_eq!(problem.known()[0].score, Some(18.0));
/// # Ok::<(), record::ReadError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Known {
    /// Where the side to move could play.
    pub square: Square,
    /// The result with best play, in discs, from the mover's side.
    pub score: Option<f32>,
}

/// One move or pass of a [`RawGame`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RawPly {
    /// The ply this one answers, by its place in [`RawGame::plies`]; `None` for a first move.
    pub after: Option<u32>,
    /// Who plays, where the file says so.
    pub by: Option<Color>,
    /// Where; `None` is a pass.
    pub square: Option<Square>,
    /// Bytes in the file before it, counted from where the game begins.
    pub byte: u32,
}

/// Something said of one ply of a [`RawGame`], or of its start.
#[derive(Clone, PartialEq, Debug)]
pub struct RawNote {
    /// The ply, by its place in [`RawGame::plies`]; `None` for what is said before the first.
    pub on: Option<u32>,
    /// What is said.
    pub note: Note,
}

/// What a file says of one move besides its square.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Note {
    /// The mover's expected result, in discs, from the mover's side.
    pub eval: Option<f32>,
    /// Seconds taken.
    pub seconds: Option<f32>,
    /// A remark in words.
    pub comment: String,
    /// What else is said of the move, in the format's own words; written again in the same format only.
    pub extra: Vec<Extra>,
}

impl Note {
    pub(crate) fn is_empty(&self) -> bool {
        self.eval.is_none() && self.seconds.is_none() && self.comment.is_empty() && self.extra.is_empty()
    }

    /// Adds what another note on the same move says.
    pub(crate) fn join(&mut self, other: Note) {
        self.eval = other.eval.or(self.eval);
        self.seconds = other.seconds.or(self.seconds);
        if !other.comment.is_empty() {
            if !self.comment.is_empty() {
                self.comment.push('\n');
            }
            self.comment.push_str(&other.comment);
        }
        self.extra.extend(other.extra);
    }
}

/// Who played, where and when, as the file words it. An empty text says nothing.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Headers {
    /// The players' names.
    pub players: ByColor<String>,
    /// Their ratings.
    pub ratings: ByColor<String>,
    /// The tournament.
    pub event: String,
    /// The place, or the server.
    pub site: String,
    /// The day; each format has its own way to write it.
    pub date: String,
    /// The round of the tournament.
    pub round: String,
    /// The clocks.
    pub time: String,
    /// The result, as claimed.
    pub claim: Option<Claim>,
    /// What best play would have led to (WTHOR).
    pub theory: Option<Theory>,
    /// What else the file says; written again in the same format only.
    pub extra: Vec<Extra>,
}

impl Headers {
    /// The day of the game, and what the date says besides: the time of day, further days.
    pub fn day(&self) -> Option<(Day, String)> {
        date::parse(&self.date)
    }

    /// The time control, if it is written in a way we know.
    pub fn clock(&self) -> Option<Clock> {
        clock::parse(&self.time)
    }
}

/// What best play by both sides from some moment of the game on would have led to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Theory {
    /// Black's discs, the empties being the winner's.
    pub black: u8,
    /// How many squares were empty at that moment; 0 where the file does not say.
    pub empties: u8,
}

/// A property that no field of [`Headers`] stands for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Extra {
    /// The format it belongs to.
    pub format: Format,
    /// Its name there.
    pub name: String,
    /// Its value.
    pub value: String,
}

/// A result as a file claims it.
///
/// ```
/// use record::{Claim, Record, transcript};
/// use rules::ByColor;
/// let wiped_out = Record::try_from(transcript::read(b"f5d6c5f4e7f6g5e6e3")?)?.outcome().unwrap();
/// // the discs on the board, or with the empties to the winner: both are seen
/// assert!(Claim::Discs(ByColor { black: 13, white: 0 }).agrees(wiped_out));
/// assert!(Claim::Discs(ByColor { black: 64, white: 0 }).agrees(wiped_out));
/// assert!(!Claim::Discs(ByColor { black: 33, white: 31 }).agrees(wiped_out));
/// # Ok::<(), record::ReadError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Claim {
    /// Discs of each side, perhaps with the empties to the winner, perhaps without.
    Discs(ByColor<u8>),
    /// Black's result less White's. A server that gives odds may claim a fraction.
    Difference {
        /// The difference.
        black: f32,
        /// How it came about, if not on the board.
        how: How,
    },
    /// This player won, by how much is not said.
    Winner(Color, How),
}

/// How a claimed result came about.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum How {
    /// On the board, or not said.
    #[default]
    Played,
    /// The loser gave up.
    Resigned,
    /// The loser ran out of time.
    OutOfTime,
    /// The players agreed on it.
    Agreed,
}

impl Claim {
    /// How it came about.
    pub fn how(self) -> How {
        match self {
            Claim::Discs(_) => How::Played,
            Claim::Difference { how, .. } | Claim::Winner(_, how) => how,
        }
    }

    /// Black's result less White's, if it is said.
    pub fn difference(self) -> Option<f32> {
        match self {
            Claim::Discs(discs) => Some(f32::from(discs.black) - f32::from(discs.white)),
            Claim::Difference { black, .. } => Some(black),
            Claim::Winner(..) => None,
        }
    }

    /// The discs of each side: as said, or as a difference says them when all 64 are given out.
    pub fn discs(self) -> Option<ByColor<u8>> {
        match self {
            Claim::Discs(discs) => Some(discs),
            Claim::Difference { black, .. } => {
                let black = (64.0 + black) / 2.0;
                let whole = (0.0..=64.0).contains(&black) && black.fract() == 0.0;
                whole.then(|| ByColor { black: black as u8, white: 64 - black as u8 })
            }
            Claim::Winner(..) => None,
        }
    }

    /// Whether a game that ended on the board with these discs may be told so.
    pub fn agrees(self, outcome: rules::Outcome) -> bool {
        match self {
            Claim::Discs(discs) => discs == outcome.discs || discs == outcome.score(),
            Claim::Difference { black, .. } => {
                let raw = f32::from(outcome.discs.black) - f32::from(outcome.discs.white);
                black == f32::from(outcome.difference()) || black == raw
            }
            Claim::Winner(color, _) => outcome.winner() == Some(color),
        }
    }
}

impl RawGame {
    /// Adds a move or pass at the end of a game without variations.
    ///
    /// # Errors
    ///
    /// [`Why::TooManyMoves`] when no game has that many.
    pub fn push(&mut self, by: Option<Color>, square: Option<Square>, byte: usize) -> Result<(), Why> {
        if self.plies.len() >= MOST_PLIES {
            return Err(Why::TooManyMoves);
        }
        self.answer(self.last(), by, square, byte);
        Ok(())
    }

    /// Adds a move or pass that answers the ply `after`, and says which ply it is.
    pub(crate) fn answer(
        &mut self,
        after: Option<u32>,
        by: Option<Color>,
        square: Option<Square>,
        byte: usize,
    ) -> Option<u32> {
        self.plies.push(RawPly { after, by, square, byte: byte.min(u32::MAX as usize) as u32 });
        self.last()
    }

    /// The last ply, by its place.
    pub(crate) fn last(&self) -> Option<u32> {
        self.plies.len().checked_sub(1).map(|last| last as u32)
    }

    /// The number of the move that would come next, passes not counted.
    pub(crate) fn next_move(&self) -> usize {
        self.plies.iter().filter(|ply| ply.square.is_some()).count() + 1
    }

    /// Says something of a ply, or of the start.
    pub(crate) fn note(&mut self, on: Option<u32>, note: Note) {
        if note.is_empty() {
            return;
        }
        match self.notes.last_mut() {
            Some(last) if last.on == on => last.note.join(note),
            _ => self.notes.push(RawNote { on, note }),
        }
    }

    /// Keeps a property that no header stands for.
    pub(crate) fn extra(&mut self, format: Format, name: String, value: String) -> Result<(), Why> {
        if self.headers.extra.len() >= MOST_EXTRAS {
            return Err(Why::TooManyProperties { most: MOST_EXTRAS });
        }
        self.headers.extra.push(Extra { format, name, value });
        Ok(())
    }
}

/// The result as people write it: `40-24`, `+16` for Black, or who won.
impl fmt::Display for Claim {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Claim::Discs(discs) => write!(f, "{}-{}", discs.black, discs.white),
            Claim::Difference { black, .. } => match self.discs() {
                Some(discs) => write!(f, "{}-{}", discs.black, discs.white),
                None => write!(f, "{black:+}"),
            },
            Claim::Winner(color, _) => write!(f, "{}+", initial(*color)),
        }
    }
}

/// Reads a plain decimal number, signed or not: no exponent, no infinity.
pub(crate) fn decimal(text: &str) -> Option<f32> {
    let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
    let plain = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    let number = text.strip_prefix('+').unwrap_or(text);
    let value = if plain { number.parse().ok() } else { None };
    value.filter(|value: &f32| value.is_finite()).map(|value| value + 0.0)
}

/// Reads a square, or a pass (`None` inside) in any of its spellings.
pub(crate) fn place(text: &str) -> Option<Option<Square>> {
    let pass = ["pa", "ps", "pass", "--", "@@@@"].iter().any(|pass| text.eq_ignore_ascii_case(pass));
    if pass { Some(None) } else { text.parse().ok().map(Some) }
}

/// `B` or `W`, as GGF and SGF begin a move.
pub(crate) fn initial(color: Color) -> char {
    match color {
        Color::Black => 'B',
        Color::White => 'W',
    }
}
