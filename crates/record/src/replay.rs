//! A game that was replayed and is legal: [`Record`].

use crate::{Claim, Format, Headers, How, Known, Note, RawGame, ReadError, Why};
use rules::{Color, Outcome, Position, Square, Step};

/// A legal game, perhaps unfinished, perhaps with variations. A position alone is a game without moves.
///
/// ```
/// use record::{Record, transcript};
/// let record = Record::try_from(transcript::read(b"f5d6c5f4e7f6g5e6e3").unwrap()).unwrap();
/// assert_eq!(record.main_line().count(), 9);
/// assert_eq!(record.outcome().unwrap().to_string(), "64-0");
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct Record {
    /// Who played, where, when.
    pub headers: Headers,
    start: Position,
    /// Where the main line leads.
    end: Position,
    moves: Vec<Move>,
    notes: Vec<MoveNote>,
    known: Vec<Known>,
}

/// One move of a [`Record`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Move {
    /// The move this one answers, by its place in [`Record::moves`]; `None` for a first move.
    pub after: Option<u32>,
    /// Where the disc was placed.
    pub square: Square,
}

/// Something said of one move of a [`Record`], or of its start.
#[derive(Clone, PartialEq, Debug)]
pub struct MoveNote {
    /// The move, by its place in [`Record::moves`]; `None` for what is said before the first.
    pub on: Option<u32>,
    /// What is said.
    pub note: Note,
}

impl Record {
    /// A game of these moves from the usual start.
    ///
    /// # Errors
    ///
    /// The first illegal move.
    pub fn from_moves(moves: impl IntoIterator<Item = Square>) -> Result<Record, ReadError> {
        let mut raw = RawGame::default();
        for (at, square) in moves.into_iter().enumerate() {
            raw.push(None, Some(square), at).map_err(|why| ReadError { byte: at, why })?;
        }
        Record::try_from(raw)
    }

    /// The position before the first move.
    pub fn start(&self) -> Position {
        self.start
    }

    /// All moves, variations included; the first answer to a move directly follows it.
    pub fn moves(&self) -> &[Move] {
        &self.moves
    }

    /// What is said of moves, in their order.
    pub fn notes(&self) -> &[MoveNote] {
        &self.notes
    }

    /// First moves that are known but were not played, best first (OBF).
    pub fn known(&self) -> &[Known] {
        &self.known
    }

    /// How many moves the main line has; they are the first of [`moves`](Record::moves).
    pub fn main_len(&self) -> usize {
        let follows = |(at, one): &(usize, &Move)| one.after == at.checked_sub(1).map(|before| before as u32);
        self.moves.iter().enumerate().take_while(follows).count()
    }

    /// The moves that were played, without variations.
    pub fn main_line(&self) -> impl Iterator<Item = Square> {
        self.moves[..self.main_len()].iter().map(|one| one.square)
    }

    /// The moves that were played and what each did.
    pub fn steps(&self) -> impl Iterator<Item = Step> {
        let mut position = self.start;
        self.main_line().map(move |square| {
            let step = position.play_unchecked(square);
            position = step.after;
            step
        })
    }

    /// The position after the last move played.
    pub fn end(&self) -> Position {
        self.end
    }

    /// The position after `count` moves; `None` if fewer were played.
    ///
    /// ```
    /// use record::Record;
    /// use rules::Square;
    /// let record = Record::from_moves([Square::F5, Square::D6])?;
    /// assert_eq!(record.after(1).unwrap().count().black, 4);
    /// assert_eq!(record.after(2), Some(record.end()));
    /// assert_eq!(record.after(3), None);
    /// # Ok::<(), record::ReadError>(())
    /// ```
    pub fn after(&self, count: usize) -> Option<Position> {
        match count.checked_sub(1) {
            None => Some(self.start),
            Some(last) => self.steps().nth(last).map(|step| step.after),
        }
    }

    /// The result on the board, if the game was played to its end.
    pub fn outcome(&self) -> Option<Outcome> {
        self.end().outcome()
    }

    /// The result as it counts: as claimed, else as played. The empties go to the winner; who resigned or ran out of time
    /// has lost 64 to 0 where nothing else is said.
    ///
    /// ```
    /// use record::{Claim, How, Record, sgf};
    /// let (_, game) = sgf::games(b"(;GM[2]RE[B+R];B[f5];W[d6])").next().unwrap();
    /// let record = Record::try_from(game?)?;
    /// assert_eq!(record.result(), Some(Claim::Difference { black: 64.0, how: How::Resigned }));
    /// # Ok::<(), record::ReadError>(())
    /// ```
    pub fn result(&self) -> Option<Claim> {
        let outcome = self.outcome();
        let played = |how| outcome.map(|outcome| Claim::Difference { black: outcome.difference().into(), how });
        match self.headers.claim {
            Some(Claim::Winner(color, how @ (How::Resigned | How::OutOfTime))) => {
                let black = if color == Color::Black { 64.0 } else { -64.0 };
                Some(Claim::Difference { black, how })
            }
            Some(claim) if outcome.is_some_and(|outcome| claim.agrees(outcome)) => played(claim.how()),
            Some(claim) => Some(claim),
            None => played(How::Played),
        }
    }

    /// Whether the claimed result is that of the moves. A game that was not played to its end may have been given any
    /// result, and so may one that was resigned or lost on time.
    ///
    /// # Errors
    ///
    /// [`Why::WrongResult`] if it is not.
    ///
    /// ```
    /// use record::{Record, pgn};
    /// let text = b"[Result \"40-24\"]\n1. f5 d6 2. c5 f4 3. e7 f6 4. g5 e6 5. e3";
    /// let record = Record::try_from(pgn::games(text).next().unwrap().1?)?;
    /// let why = record.check_result().unwrap_err();
    /// assert_eq!(why.to_string(), "the result is given as 40-24, but the moves end 64-0");
    /// # Ok::<(), record::ReadError>(())
    /// ```
    pub fn check_result(&self) -> Result<(), Why> {
        let (Some(claim), Some(outcome)) = (self.headers.claim, self.outcome()) else { return Ok(()) };
        // with komi the result is not the difference of the discs
        let komi = self.headers.extra.iter().any(|extra| extra.format == Format::Ggf && extra.name == "KM");
        if claim.how() != How::Played || komi || claim.agrees(outcome) {
            return Ok(());
        }
        Err(Why::WrongResult { claimed: claim.to_string(), played: outcome.to_string() })
    }

    /// The note on a move, or on the start.
    pub fn note(&self, on: Option<u32>) -> Option<&Note> {
        let at = self.notes.binary_search_by_key(&on, |one| one.on).ok()?;
        Some(&self.notes[at].note)
    }

    /// Whether the game began as games usually do.
    pub fn from_usual_start(&self) -> bool {
        self.start == Position::start()
    }
}

/// A position as a game without moves.
impl From<Position> for Record {
    fn from(start: Position) -> Record {
        Record {
            headers: Headers::default(),
            start,
            end: start,
            moves: Vec::new(),
            notes: Vec::new(),
            known: Vec::new(),
        }
    }
}

/// One ply of the line that is being replayed.
struct Reached {
    /// Its place among the raw plies, and that of its last move among the moves.
    ply: Option<u32>,
    last: Option<u32>,
    discs: usize,
    position: Position,
    /// The turn came back by itself, and the file has not said so yet.
    owes_pass: bool,
}

/// Replays every line of the game.
impl TryFrom<RawGame> for Record {
    type Error = ReadError;

    fn try_from(raw: RawGame) -> Result<Record, ReadError> {
        let (start, owes_pass) = match raw.start {
            None => (Position::start(), false),
            Some(setup) => {
                let position = setup.position().map_err(|why| ReadError { byte: 0, why: why.into() })?;
                (position, position.turn().is_some_and(|turn| turn != setup.turn))
            }
        };
        for one in &raw.known {
            let square = one.known.square;
            if let Err(illegal) = start.play(square) {
                let why = Why::Illegal { ply: 1, square, reason: illegal.reason };
                return Err(ReadError { byte: one.byte as usize, why });
            }
        }
        let mut moves = Vec::with_capacity(raw.plies.len());
        let mut said = Said { notes: Vec::with_capacity(raw.notes.len()), raw: raw.notes.into_iter().peekable() };
        said.take(None, None);
        let (mut end, mut main_line) = (start, true);
        let mut line = vec![Reached { ply: None, last: None, discs: 0, position: start, owes_pass }];
        for (at, ply) in raw.plies.iter().enumerate() {
            let at = at as u32;
            while line.len() > 1 && line.last().is_some_and(|reached| reached.ply != ply.after) {
                line.pop();
            }
            let before = &line[line.len() - 1];
            let fail = |why| Err(ReadError { byte: ply.byte as usize, why });
            let Reached { position, discs, last, .. } = *before;
            let next = match ply.square {
                None => {
                    let passing = match position.turn() {
                        None => ply.by,
                        Some(turn) if before.owes_pass => Some(!turn),
                        Some(turn) => return fail(Why::Pass { ply: discs + 1, by: turn }),
                    };
                    if let (Some(by), Some(turn)) = (ply.by, position.turn())
                        && passing != Some(by)
                    {
                        return fail(Why::Pass { ply: discs + 1, by: turn });
                    }
                    Reached { ply: Some(at), last, discs, position, owes_pass: false }
                }
                Some(square) => {
                    if let (Some(by), Some(turn)) = (ply.by, position.turn())
                        && by != turn
                    {
                        return fail(Why::WrongTurn { ply: discs + 1, square, by });
                    }
                    let step = match position.play(square) {
                        Ok(step) => step,
                        Err(illegal) => {
                            return fail(Why::Illegal { ply: discs + 1, square, reason: illegal.reason });
                        }
                    };
                    let number = moves.len() as u32;
                    moves.push(Move { after: last, square });
                    if main_line && last == number.checked_sub(1) {
                        end = step.after;
                    } else {
                        main_line = false;
                    }
                    Reached {
                        ply: Some(at),
                        last: Some(number),
                        discs: discs + 1,
                        position: step.after,
                        owes_pass: step.passed,
                    }
                }
            };
            said.take(Some(at), next.last);
            line.push(next);
        }
        let known = raw.known.into_iter().map(|one| one.known).collect();
        Ok(Record { headers: raw.headers, start, end, moves, notes: said.sorted(), known })
    }
}

/// Notes on their way from plies to moves: a pass gives its note to the move before it.
struct Said {
    raw: std::iter::Peekable<std::vec::IntoIter<crate::RawNote>>,
    notes: Vec<MoveNote>,
}

impl Said {
    fn take(&mut self, ply: Option<u32>, on: Option<u32>) {
        while let Some(raw) = self.raw.next_if(|raw| raw.on <= ply) {
            self.notes.push(MoveNote { on, note: raw.note });
        }
    }

    /// One note to a move, in the order of the moves.
    fn sorted(mut self) -> Vec<MoveNote> {
        self.notes.sort_by_key(|one| one.on);
        self.notes.dedup_by(|later, earlier| {
            let same = later.on == earlier.on;
            if same {
                earlier.note.join(std::mem::take(&mut later.note));
            }
            same
        });
        self.notes
    }
}
