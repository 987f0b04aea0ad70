//! One game of Reversi between two seats.
//!
//! A [`Table`] is what the players see: seats, position, clocks, result. It changes in one way only: [`Table::after`] an
//! [`Entry`]. The same function checks a live move and rebuilds a game from its log, so the log is the game. A table has no
//! clock of its own and does no I/O: every entry carries the time at which it was received.
//!
//! ```
//! use rules::{ByColor, Color, Square};
//! use table::{Action, Called, Entry, PersonId, Ply, Preset, Refusal, Seat, Setup, Table};
//!
//! let ana = Seat::Person { who: PersonId(1), name: Called::Name("Ana".parse()?) };
//! let seats = ByColor { black: ana, white: Seat::Computer { level: 3 } };
//! let table = Table::new(Setup::new(0, seats, Preset::Casual.rules()))?;
//!
//! let f5 = Entry::new(900, Some(Color::Black), Action::Play { square: Square::F5, ply: Ply(0) });
//! let table = table.after(&f5)?;
//! assert_eq!(table.turn(), Some(Color::White));
//! assert_eq!(table.after(&f5), Err(Refusal::WrongPly { now: Ply(1) })); // a second click changes nothing
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Questions that have one answer
//!
//! - **When do the clocks start?** With Black's first move; nothing runs while the players settle down. In a game with given
//!   moves, with the first move after them.
//! - **Given moves** are part of the game, numbered like all others; they take no time and cannot be taken back.
//! - **A move in the same millisecond as the flag** is in time, whichever arrived first: time may be used up to the last
//!   millisecond, and the flag falls in the next.
//! - **A flag during the other side's forced pass**: a pass takes no time and never starts the passer's clock. The player
//!   who moves again is the one whose clock runs, so only their flag can fall.
//! - **A takeback** goes back to the last position in which the player chose a move. After a forced pass of the
//!   opponent that is one move; when the player had to pass, their last move before the pass and all that followed it.
//! - **Time after a takeback**: what was used stays used. A move played again earns no second increment; a byo-yomi period, or the days
//!   for a move, are whole again with every turn.
//! - **Who must agree?** Between two people a takeback, a new game, a rematch and scrapping the game take both: one asks, the
//!   other answers. Resigning takes one. Alone or against the computer everything is done at once.
//! - **What becomes of an offer?** It lapses with the next move and with the end of the game. There is one at a time: asking for
//!   something else withdraws one's own and declines the other's. Both asking for the same agree; a takeback is then that of
//!   the one who asked first.
//! - **Leaving early**: until two moves were chosen either player may scrap the game without asking; a new game in its place
//!   still takes both.
//! - **Both ran out of time once** (two-minute rule): the first has lost. A second overrun ends the game 0–64 whoever was first.
//! - **The server was away**, or slow to keep a move: nobody is charged for that time. A player's clock starts when they can know.
//! - **Aborting**: between two people each may end the game without a result before their own second move. Where the game must begin
//!   soon ([`Rules::first_move_ms`]) it ends so by itself if a player makes no first move; that is never a loss on time.
//! - **A player who left** a live game on their turn for a minute (half a minute in a fast game) has left it to the other, who may claim
//!   it, call it a draw, or wait. Never by correspondence, and never without a clock.
//! - **The network**: what it took of a move is given back, within bounds ([`Lag`]). Time used, given back and not charged add up to
//!   the time that went by.
//! - **A pause** takes both players, and so does going on; while it lasts nobody moves. There is none in rated games.
//! - **A rated game** is played to its end: no takeback, no pause, no scrapping, and another game only after it.
//! - **A game that is over stays over**; a new one is one tap away.

#![forbid(unsafe_code)]

mod clock;
mod entry;
mod id;
mod lag;
mod leave;
mod name;
mod offer;
mod pace;
mod ruleset;
mod said;
mod seat;
mod verdict;
mod view;

pub use clock::{Clock, OVERTIME_MS, Stage, ThinkingTime};
pub use entry::{Action, At, Entry, Setup};
pub use id::{CommandId, DocumentId, GameId, IdError, PersonId, Ply, Seq};
pub use lag::Lag;
pub use leave::Claim;
pub use name::{Name, NameError};
pub use offer::{Offer, Wish};
pub use pace::{DaysPerMove, LiveClock, Pace};
pub use ruleset::{Empties, LONGEST_MS, Opening, Overrun, Preset, Rules, RulesError, TimeControl};
pub use said::{Phrase, Said};
pub use seat::{Called, Seat};
pub use verdict::{Ending, Verdict};
pub use view::{
    Can, ClockView, ClocksView, LegalMove, MoveView, OfferView, SeatKind, SeatView, Status, View, board_text,
};

use rules::{ByColor, Color, IllegalMove, Position, Square, Step};
use said::Talk;

/// A game as it stands.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Table {
    seats: ByColor<Seat>,
    rules: Rules,
    moves: Vec<Move>,
    /// How many of the moves were given.
    given: usize,
    clocks: Option<ByColor<Clock>>,
    /// The time of the last entry; the running clock is charged up to here.
    at: At,
    /// How long the player to move has been thinking.
    turn_ms: u64,
    /// The most moves there ever were: only a new one earns an increment.
    farthest: usize,
    /// How many moves each player has chosen, those that were taken back and played again once.
    chosen: ByColor<u8>,
    lag: ByColor<Lag>,
    /// The players agreed to stop the clocks.
    paused: bool,
    talk: Talk,
    offer: Option<Offer>,
    /// Who ran out of time first and plays on in overtime.
    late: Option<Color>,
    verdict: Option<Verdict>,
    next: Option<Next>,
}

/// The game that took another's place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Next {
    /// Its id.
    pub game: GameId,
    /// Whether the players changed colours.
    pub swap: bool,
}

/// A move that was played.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Move {
    /// What it did.
    pub step: Step,
    /// How long its player took.
    pub ms: u64,
}

/// Why an entry changes nothing.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Refusal {
    /// The game has ended.
    #[error("the game is over")]
    Over,
    /// The player's time had run out before.
    #[error("the time had run out")]
    OutOfTime,
    /// A seat is still open.
    #[error("the game waits for a player")]
    Waiting,
    /// The other player is to move.
    #[error("it is the other player's turn")]
    NotYourTurn,
    /// The position has changed since.
    #[error("the position has changed: {now} moves have been played")]
    WrongPly {
        /// How many moves there are.
        now: Ply,
    },
    /// The rules do not allow the move.
    #[error(transparent)]
    Illegal(#[from] IllegalMove),
    /// The rules of this game do not allow takebacks.
    #[error("this game is played without takebacks")]
    NoTakebacks,
    /// The player has not moved yet.
    #[error("there is no move of yours to take back")]
    NothingToTakeBack,
    /// The player has asked already.
    #[error("you have asked already")]
    AlreadyAsked,
    /// Nobody has asked for anything.
    #[error("nobody is asking for that")]
    NotAsked,
    /// It is done by agreement, and in a rated game nothing is.
    #[error("this is a rated game: it is played to its end")]
    Rated,
    /// The player has made a second move.
    #[error("the game has begun: resign if you want to leave it")]
    TooLateToAbort,
    /// A game without a clock or by correspondence, or it is not the other player's turn.
    #[error("this game cannot be claimed")]
    NoClaim,
    /// The other player is there, or was a moment ago.
    #[error("the other player has not been away for long enough")]
    NotAwayYet,
    /// The clocks are stopped.
    #[error("the game is paused")]
    Paused,
    /// There is no clock to stop, or it is stopped, or runs, already.
    #[error("there is nothing to pause or to resume")]
    NothingToPause,
    /// There is nobody to talk to, or the player has said much in a short time.
    #[error("you have said enough for now")]
    SaidEnough,
    /// Someone sits there.
    #[error("the seat is taken")]
    SeatTaken,
    /// Only a seat can do this, or only the house.
    #[error("this is not for you to do")]
    NotYours,
}

impl Table {
    /// A table before the first move.
    ///
    /// # Errors
    ///
    /// [`RulesError`] if nobody could play by the rules, or from the given moves.
    pub fn new(setup: Setup) -> Result<Table, RulesError> {
        setup.rules.check()?;
        if setup.rules.rated && !between_two(&setup.seats) {
            return Err(RulesError::RatedAlone);
        }
        let moves = given(&setup.opening)?;
        let clocks = Clock::new(&setup.rules).map(|clock| ByColor { black: clock, white: clock });
        Ok(Table {
            seats: setup.seats,
            rules: setup.rules,
            given: moves.len(),
            farthest: moves.len(),
            moves,
            clocks,
            at: setup.at,
            turn_ms: 0,
            chosen: ByColor { black: 0, white: 0 },
            lag: ByColor { black: Lag::default(), white: Lag::default() },
            paused: false,
            talk: Talk::default(),
            offer: None,
            late: None,
            verdict: None,
            next: None,
        })
    }

    /// Rebuilds a game from its log.
    ///
    /// # Errors
    ///
    /// The number of the first entry that does not follow (1 is the first), and why.
    pub fn replay<'a>(self, log: impl IntoIterator<Item = &'a Entry>) -> Result<Table, (usize, Refusal)> {
        log.into_iter()
            .enumerate()
            .try_fold(self, |table, (index, entry)| table.after(entry).map_err(|refusal| (index + 1, refusal)))
    }

    /// The table after `entry`.
    ///
    /// # Errors
    ///
    /// [`Refusal`] says why nothing changes.
    pub fn after(&self, entry: &Entry) -> Result<Table, Refusal> {
        let mut next = self.clone();
        next.at = self.at.saturating_add(entry.stalled_ms).min(entry.at).max(self.at);
        let charged_to = match entry.action {
            Action::Away { from } => from.clamp(next.at, next.at.max(entry.at)),
            Action::Play { .. } => entry.at.max(next.at) - next.lag_allowed(entry),
            _ => entry.at,
        };
        let lag_ms = next.lag_allowed(entry);
        next.pass_time(charged_to);
        next.at = next.at.max(entry.at);
        match &entry.action {
            Action::Play { square, ply } => next.play(seat(entry)?, *square, *ply, lag_ms, self)?,
            Action::Resign {} => next.resign(seat(entry)?)?,
            Action::Takeback { ply } => next.takeback(seat(entry)?, *ply)?,
            Action::Another { next: game, swap } => next.another(seat(entry)?, game, *swap)?,
            Action::Scrap {} => next.scrap(seat(entry)?)?,
            Action::Abort {} => next.abort(seat(entry)?)?,
            Action::Claim { what, away_ms } => next.claim(seat(entry)?, *what, *away_ms)?,
            Action::Pause {} => next.pause(seat(entry)?)?,
            Action::Resume {} => next.resume(seat(entry)?)?,
            Action::Say { phrase } => next.say(seat(entry)?, *phrase)?,
            Action::Accept {} => next.accept(seat(entry)?)?,
            Action::Decline {} => next.decline()?,
            Action::Sit { who, name } => next.sit(seat(entry)?, Seat::Person { who: *who, name: name.clone() })?,
            Action::Again { next: game } => next.again(game.as_ref())?,
            Action::Look {} | Action::Away { .. } if entry.by.is_some() => return Err(Refusal::NotYours),
            Action::Look {} | Action::Away { .. } => {}
        }
        Ok(next)
    }

    /// How much of the time since the last entry a move gives back to its player.
    fn lag_allowed(&self, entry: &Entry) -> u64 {
        match (&entry.action, entry.by) {
            (Action::Play { .. }, Some(by)) => self.lag_of(by, entry.lag_ms, entry.at),
            _ => 0,
        }
    }

    /// What `by` would get back of a move at `at`, if a message takes `round_trip_ms` to them and back.
    pub fn lag_of(&self, by: Color, round_trip_ms: u64, at: At) -> u64 {
        // Nobody is short of half a second in a day.
        if self.running() != Some(by) || !matches!(self.rules.pace(), Pace::Live(_)) {
            return 0;
        }
        self.lag[by].allowed(round_trip_ms, at.saturating_sub(self.at))
    }

    /// Charges the running clock up to `now`, and lets flags fall.
    fn pass_time(&mut self, now: At) {
        let elapsed = now.saturating_sub(self.at);
        let never_came = self.first_move_left().filter(|(_, left)| elapsed > *left);
        self.at = self.at.max(now);
        if self.turn().is_some() {
            self.turn_ms += elapsed;
        }
        let running = self.running();
        if let Some((color, _)) = never_came {
            if let (Some(clocks), Some(running)) = (&mut self.clocks, running) {
                clocks[running] = clocks[running].charge(elapsed, &self.rules);
            }
            self.end_aborted(color);
            return;
        }
        let Some(color) = running else { return };
        let Some(clocks) = &mut self.clocks else { return };
        clocks[color] = clocks[color].charge(elapsed, &self.rules);
        let stage = clocks[color].stage;
        // Whoever is out has been through overtime, even if nobody looked meanwhile.
        if matches!(stage, Stage::Overtime | Stage::Out) && self.rules.overrun == Overrun::TwoMinutes {
            self.late = self.late.or(Some(color));
        }
        if stage == Stage::Out {
            self.offer = None;
            self.verdict = Some(Verdict::out_of_time(&self.position(), color, &self.rules, self.late));
        }
    }

    fn play(&mut self, by: Color, square: Square, ply: Ply, lag_ms: u64, before: &Table) -> Result<(), Refusal> {
        self.check_going(before)?;
        if self.paused {
            return Err(Refusal::Paused);
        }
        if ply != self.ply() {
            return Err(Refusal::WrongPly { now: self.ply() });
        }
        if self.turn() != Some(by) {
            return Err(Refusal::NotYourTurn);
        }
        let step = self.position().play(square)?;
        let ms = std::mem::take(&mut self.turn_ms);
        let is_new = self.moves.len() >= self.farthest;
        if let Some(clocks) = &mut self.clocks {
            clocks[by] = if is_new { clocks[by].moved(&self.rules) } else { clocks[by].turn_over(&self.rules) };
        }
        self.chosen[by] += u8::from(is_new);
        self.lag[by].spend(lag_ms);
        self.moves.push(Move { step, ms });
        self.farthest = self.farthest.max(self.moves.len());
        self.offer = None;
        if let Some(outcome) = step.after.outcome() {
            self.verdict = Some(Verdict::played_out(outcome, &self.rules, self.late));
        }
        Ok(())
    }

    fn resign(&mut self, by: Color) -> Result<(), Refusal> {
        self.check_open()?;
        self.offer = None;
        self.verdict = Some(Verdict::resigned(&self.position(), by, self.late));
        Ok(())
    }

    fn takeback(&mut self, by: Color, ply: Ply) -> Result<(), Refusal> {
        self.check_open()?;
        if !self.rules.takebacks || self.rules.rated {
            return Err(Refusal::NoTakebacks);
        }
        if ply != self.ply() {
            return Err(Refusal::WrongPly { now: self.ply() });
        }
        self.last_choice(by).ok_or(Refusal::NothingToTakeBack)?;
        self.ask(by, Wish::Takeback, None)
    }

    fn sit(&mut self, color: Color, seat: Seat) -> Result<(), Refusal> {
        if self.verdict.is_some() {
            return Err(Refusal::Over);
        }
        if self.seats[color] != Seat::Open {
            return Err(Refusal::SeatTaken);
        }
        if self.rules.rated && seat.person() == self.seats[!color].person() {
            return Err(Refusal::NotYours);
        }
        self.seats[color] = seat;
        Ok(())
    }

    fn again(&mut self, game: Option<&GameId>) -> Result<(), Refusal> {
        if self.next.is_some() || (self.verdict.is_some() && game.is_none()) {
            return Err(Refusal::Over);
        }
        self.offer = None;
        self.verdict = self.verdict.or(Some(Verdict::scrapped(&self.position())));
        self.next = game.map(|game| Next { game: game.clone(), swap: false });
        Ok(())
    }

    fn another(&mut self, by: Color, game: &GameId, swap: bool) -> Result<(), Refusal> {
        if self.next.is_some() {
            return Err(Refusal::Over);
        }
        if self.rules.rated && self.verdict.is_none() {
            return Err(Refusal::Rated);
        }
        self.ask(by, if swap { Wish::Rematch } else { Wish::NewGame }, Some(game))
    }

    fn scrap(&mut self, by: Color) -> Result<(), Refusal> {
        if self.verdict.is_some() {
            return Err(Refusal::Over);
        }
        // Whoever waits for a player has nobody to wrong.
        if self.rules.rated && !self.is_waiting() {
            return Err(Refusal::Rated);
        }
        self.ask(by, Wish::Scrap, None)
    }

    fn pause(&mut self, by: Color) -> Result<(), Refusal> {
        self.check_open()?;
        if self.rules.rated {
            return Err(Refusal::Rated);
        }
        if self.clocks.is_none() || self.paused {
            return Err(Refusal::NothingToPause);
        }
        self.ask(by, Wish::Pause, None)
    }

    fn resume(&mut self, by: Color) -> Result<(), Refusal> {
        self.check_open()?;
        if !self.paused {
            return Err(Refusal::NothingToPause);
        }
        self.ask(by, Wish::Resume, None)
    }

    pub(crate) fn check_open(&self) -> Result<(), Refusal> {
        if self.verdict.is_some() {
            Err(Refusal::Over)
        } else if self.is_waiting() {
            Err(Refusal::Waiting)
        } else {
            Ok(())
        }
    }

    /// As `check_open`, and tells a game that was over from one that time has just ended.
    fn check_going(&self, before: &Table) -> Result<(), Refusal> {
        if self.verdict.is_some() && before.verdict.is_none() { Err(Refusal::OutOfTime) } else { self.check_open() }
    }

    /// Where the moves of `by` that a takeback undoes begin.
    fn last_choice(&self, by: Color) -> Option<usize> {
        let chosen = &self.moves[self.given..];
        chosen.iter().rposition(|played| played.step.by == by).map(|index| index + self.given)
    }

    fn go_back(&mut self, by: Color) {
        if let Some(index) = self.last_choice(by) {
            self.moves.truncate(index);
            self.turn_ms = 0;
            // Whoever was to move will have another turn, and that one is whole.
            self.clocks = self.clocks.map(|clocks| clocks.map(|clock| clock.turn_over(&self.rules)));
        }
    }

    /// Who sits where.
    pub fn seats(&self) -> &ByColor<Seat> {
        &self.seats
    }

    /// What was agreed.
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// The moves that stand, first to last. Passes are in their steps.
    pub fn moves(&self) -> &[Move] {
        &self.moves
    }

    /// How many of the moves were given before the players chose.
    pub fn given(&self) -> usize {
        self.given
    }

    /// How many moves stand.
    pub fn ply(&self) -> Ply {
        Ply(self.moves.len() as u8)
    }

    /// The position on the board.
    pub fn position(&self) -> Position {
        self.moves.last().map_or_else(Position::start, |played| played.step.after)
    }

    /// Whether a seat is open.
    pub fn is_waiting(&self) -> bool {
        self.verdict.is_none() && self.seats.iter().any(|seat| *seat == Seat::Open)
    }

    /// The player to move, once both seats are taken and until the game is over; nobody during a pause.
    pub fn turn(&self) -> Option<Color> {
        if self.verdict.is_some() || self.is_waiting() || self.paused { None } else { self.position().turn() }
    }

    /// Whether the players have stopped the clocks.
    pub fn is_paused(&self) -> bool {
        self.paused && self.verdict.is_none()
    }

    /// What the network took of each player's moves and they got back.
    pub fn lag(&self) -> ByColor<Lag> {
        self.lag
    }

    /// Whose clock runs.
    pub fn running(&self) -> Option<Color> {
        if self.clocks.is_none() || self.moves.len() == self.given { None } else { self.turn() }
    }

    /// When the running clock's stage ends, or a first move comes too late: the house should look a moment after.
    pub fn deadline(&self) -> Option<At> {
        let clock = self.clocks.zip(self.running()).map(|(clocks, running)| clocks[running].left_ms);
        let first = self.first_move_left().map(|(_, left)| left);
        let left = clock.into_iter().chain(first).min()?;
        Some(self.at + left + 1)
    }

    /// Both clocks at the time `now`; `None` in a game without.
    pub fn clocks(&self, now: At) -> Option<ByColor<Clock>> {
        let mut clocks = self.clocks?;
        if let Some(color) = self.running() {
            clocks[color] = clocks[color].charge(now.saturating_sub(self.at), &self.rules);
        }
        Some(clocks)
    }

    /// What the player to move has to think with at the time `now`; `None` without a clock, or when nobody is to move.
    pub fn thinking_time(&self, now: At) -> Option<ThinkingTime> {
        Some(self.clocks(now)?[self.turn()?].thinking_time(&self.rules))
    }

    /// How the game ended.
    pub fn verdict(&self) -> Option<Verdict> {
        self.verdict
    }

    /// The game that took this one's place.
    pub fn next(&self) -> Option<&Next> {
        self.next.as_ref()
    }

    /// The time of the last entry.
    pub fn at(&self) -> At {
        self.at
    }
}

/// The moves of an opening, played out.
fn given(opening: &[Square]) -> Result<Vec<Move>, RulesError> {
    let mut position = Position::start();
    let mut moves = Vec::with_capacity(opening.len());
    for &square in opening {
        let step = position.play(square).map_err(|_| RulesError::BadOpening)?;
        position = step.after;
        moves.push(Move { step, ms: 0 });
    }
    if position.is_over() { Err(RulesError::BadOpening) } else { Ok(moves) }
}

/// Whether two people play, or will once the open seats are taken.
fn between_two(seats: &ByColor<Seat>) -> bool {
    let computer = seats.iter().any(|seat| matches!(seat, Seat::Computer { .. }));
    let same = seats.black.person().is_some() && seats.black.person() == seats.white.person();
    !computer && !same
}

fn seat(entry: &Entry) -> Result<Color, Refusal> {
    entry.by.ok_or(Refusal::NotYours)
}
