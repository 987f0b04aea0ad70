//! What one onlooker sees: [`View`].
//!
//! A view says everything a page draws, so that the page needs no rules: which squares may be played and which discs each would
//! turn, what the last move did, who had to pass, how much time is left, what the onlooker may do.

use crate::{At, Called, Clock, GameId, PersonId, Ply, Rules, Said, Seat, Stage, Table, Verdict, Wish};
use rules::{ByColor, Color, Position, Square};
use serde::{Deserialize, Serialize};

/// A game as one onlooker sees it at one moment.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct View {
    /// 64 squares from a1 to h8, row by row: `X` black, `O` white, `-` empty.
    pub board: String,
    /// How many moves stand; send it with a move.
    pub ply: Ply,
    /// Where the game is.
    pub status: Status,
    /// The player to move.
    #[cfg_attr(feature = "ts", ts(type = "Color | null"))]
    pub turn: Option<Color>,
    /// Where they may play; nothing unless somebody is to move.
    pub legal: Vec<LegalMove>,
    /// The last move that stands.
    pub last: Option<MoveView>,
    /// Who had no reply to the last move, so that the turn came back.
    #[cfg_attr(feature = "ts", ts(type = "Color | null"))]
    pub passed: Option<Color>,
    /// Discs on the board.
    #[cfg_attr(feature = "ts", ts(type = "ByColor<number>"))]
    pub counts: ByColor<u8>,
    /// Who plays.
    #[cfg_attr(feature = "ts", ts(type = "ByColor<SeatView>"))]
    pub seats: ByColor<SeatView>,
    /// What was agreed.
    pub rules: Rules,
    /// The clocks; null in a game without.
    pub clocks: Option<ClocksView>,
    /// How long the player to move has for their first move, in milliseconds, before the game ends without a result; null where nobody
    /// is hurried.
    #[cfg_attr(feature = "ts", ts(type = "number | null"))]
    pub first_move_ms: Option<u64>,
    /// The players have stopped the clocks, and nobody is to move.
    pub paused: bool,
    /// How much of each player's time the network took, and they got back: in all, in milliseconds.
    #[cfg_attr(feature = "ts", ts(type = "ByColor<number>"))]
    pub lag_ms: ByColor<u64>,
    /// What the players said to each other. Those who watch hear it after the end.
    pub said: Vec<Said>,
    /// A wish that waits for the other player's answer.
    pub offer: Option<OfferView>,
    /// How it ended; null until it has.
    pub verdict: Option<Verdict>,
    /// What this onlooker may do now.
    pub can: Vec<Can>,
    /// The game that took this one's place: go there.
    pub next: Option<GameId>,
}

/// Where a game is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// A seat is open.
    Waiting,
    /// Somebody is to move.
    Playing,
    /// It has ended.
    Over,
}

/// A square that may be played.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct LegalMove {
    /// The square.
    #[cfg_attr(feature = "ts", ts(type = "Square"))]
    pub square: Square,
    /// The discs that would turn.
    #[cfg_attr(feature = "ts", ts(type = "Square[]"))]
    pub turns: Vec<Square>,
}

/// A move that was played: one row of the move list.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct MoveView {
    /// Its number, from 1. A pass has none.
    pub number: u8,
    /// Who played it.
    #[cfg_attr(feature = "ts", ts(type = "Color"))]
    pub by: Color,
    /// Where.
    #[cfg_attr(feature = "ts", ts(type = "Square"))]
    pub square: Square,
    /// The discs that turned.
    #[cfg_attr(feature = "ts", ts(type = "Square[]"))]
    pub flips: Vec<Square>,
    /// The opponent had no reply and passed: a row of its own in the list.
    pub passed: bool,
    /// It was part of the opening the game began from: nobody chose it here.
    pub given: bool,
    /// How long the player took, in milliseconds.
    #[cfg_attr(feature = "ts", ts(type = "number"))]
    pub ms: u64,
    /// The board afterwards, as in [`View::board`].
    pub board: String,
    /// Discs on it.
    #[cfg_attr(feature = "ts", ts(type = "ByColor<number>"))]
    pub counts: ByColor<u8>,
    /// Who is to move on it; null when neither side can.
    #[cfg_attr(feature = "ts", ts(type = "Color | null"))]
    pub turn: Option<Color>,
}

/// Who sits on one side.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct SeatView {
    /// What sits there.
    pub kind: SeatKind,
    /// A person's name, or 1 or 2 if they gave none: to be called first or second player in the reader's language.
    #[cfg_attr(feature = "ts", ts(type = "string | 1 | 2 | null"))]
    pub name: Option<Called>,
    /// The computer's level.
    pub level: Option<u8>,
    /// Whether the onlooker holds this seat.
    pub you: bool,
    /// The name of a person's account, where they have one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub handle: Option<String>,
    /// Their rating at this kind of game.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub rating: Option<u16>,
    /// Whether the rating rests on few games.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[cfg_attr(feature = "ts", ts(optional, as = "Option<bool>"))]
    pub provisional: bool,
    /// Whether a program plays from this account.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[cfg_attr(feature = "ts", ts(optional, as = "Option<bool>"))]
    pub bot: bool,
}

impl SeatView {
    /// A seat of which only what sits there is known.
    ///
    /// ```
    /// use table::{SeatKind, SeatView};
    /// assert_eq!(serde_json::to_string(&SeatView::new(SeatKind::Open))?, r#"{"kind":"open","name":null,"level":null,"you":false}"#);
    /// # Ok::<(), serde_json::Error>(())
    /// ```
    pub fn new(kind: SeatKind) -> SeatView {
        SeatView {
            kind,
            name: None,
            level: None,
            you: false,
            handle: None,
            rating: None,
            provisional: false,
            bot: false,
        }
    }
}

/// What can sit at a table.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum SeatKind {
    /// Nobody yet.
    Open,
    /// A person.
    Person,
    /// The computer.
    Computer,
}

/// Both clocks at one moment.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct ClocksView {
    /// Black's.
    pub black: ClockView,
    /// White's.
    pub white: ClockView,
    /// Whose runs: count it down from the moment the message came.
    #[cfg_attr(feature = "ts", ts(type = "Color | null"))]
    pub running: Option<Color>,
}

/// One clock at one moment.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct ClockView {
    /// Milliseconds left in this stage.
    #[cfg_attr(feature = "ts", ts(type = "number"))]
    pub left_ms: u64,
    /// What the time belongs to.
    pub stage: Stage,
}

/// A wish that waits for the other player's answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct OfferView {
    /// Who asked.
    #[cfg_attr(feature = "ts", ts(type = "Color"))]
    pub by: Color,
    /// For what.
    pub what: Wish,
}

/// Something an onlooker may do.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum Can {
    /// Play one of the legal squares.
    Play,
    /// Take a move back at once.
    Takeback,
    /// Ask the opponent to allow a takeback.
    AskTakeback,
    /// Give up.
    Resign,
    /// Ask for a hint.
    Hint,
    /// Begin another game with the same players at once; one that is not over is scrapped.
    Again,
    /// Ask the opponent for another game.
    AskAgain,
    /// Scrap the game at once, without a result.
    Scrap,
    /// Ask the opponent to scrap the game.
    AskScrap,
    /// Accept or decline what the opponent asks.
    Answer,
    /// Withdraw what one asked for.
    Withdraw,
    /// End the game without a result: it has hardly begun.
    Abort,
    /// Claim the game, once the other player has been away for long enough.
    Claim,
    /// Stop the clocks at once.
    Pause,
    /// Ask the opponent to stop the clocks.
    AskPause,
    /// Let the clocks run on at once.
    Resume,
    /// Ask the opponent to go on.
    AskResume,
    /// Say something to the other player.
    Say,
}

impl Table {
    /// The game as `who` sees it at the time `now`; `None` is someone without a seat.
    ///
    /// ```
    /// # use rules::ByColor;
    /// # use table::{Called, Can, Preset, Seat, Setup, Table, PersonId};
    /// let black = Seat::Person { who: PersonId(7), name: Called::First };
    /// let seats = ByColor { black, white: Seat::Computer { level: 3 } };
    /// let table = Table::new(Setup::new(0, seats, Preset::Casual.rules())).unwrap();
    /// let view = table.view(0, Some(PersonId(7)));
    /// assert!(view.seats.black.you && view.can.contains(&Can::Play));
    /// assert_eq!(view.legal.len(), 4);
    /// assert!(table.view(0, None).can.is_empty());
    /// ```
    pub fn view(&self, now: At, who: Option<PersonId>) -> View {
        let position = self.position();
        let turn = self.turn();
        let legal = turn.map_or_else(Vec::new, |_| {
            let turned = |square| LegalMove { square, turns: position.flips(square).iter().collect() };
            position.legal().iter().map(turned).collect()
        });
        let last = self.moves.len().checked_sub(1).map(|index| self.move_view(index));
        View {
            board: board_text(&position),
            ply: self.ply(),
            status: self.status(),
            turn,
            legal,
            passed: last.as_ref().filter(|last| last.passed).map(|last| !last.by),
            last,
            counts: position.count(),
            seats: self.seats.as_ref().map(|seat| seat.view(who)),
            rules: self.rules,
            clocks: self.clocks(now).map(|ByColor { black, white }| ClocksView {
                black: clock_view(black),
                white: clock_view(white),
                running: self.running(),
            }),
            first_move_ms: self.first_move_left().map(|(_, left)| left.saturating_sub(now.saturating_sub(self.at))),
            paused: self.is_paused(),
            lag_ms: self.lag.as_ref().map(|lag| lag.total_ms()),
            said: self.heard_by(who),
            offer: self.offer.as_ref().map(|offer| OfferView { by: offer.by, what: offer.what }),
            verdict: self.verdict,
            can: self.can(who),
            next: self.next.as_ref().map(|next| next.game.clone()),
        }
    }

    /// Row `index` of the move list.
    ///
    /// # Panics
    ///
    /// If there are not that many moves.
    pub fn move_view(&self, index: usize) -> MoveView {
        let played = &self.moves[index];
        let step = &played.step;
        MoveView {
            number: index as u8 + 1,
            by: step.by,
            square: step.square,
            flips: step.flips.iter().collect(),
            passed: step.passed,
            given: index < self.given,
            ms: played.ms,
            board: board_text(&step.after),
            counts: step.after.count(),
            turn: step.after.turn(),
        }
    }

    /// Where the game is.
    pub fn status(&self) -> Status {
        if self.verdict.is_some() {
            Status::Over
        } else if self.is_waiting() {
            Status::Waiting
        } else {
            Status::Playing
        }
    }

    /// Whether `who` holds the seat of `color`.
    pub fn holds(&self, who: Option<PersonId>, color: Color) -> bool {
        who.is_some() && self.seats[color].person() == who
    }

    /// The seat `who` takes a move back from: their own, or where they hold both, that of the last move.
    pub fn takeback_seat(&self, who: PersonId) -> Option<Color> {
        let held = |color: &Color| self.holds(Some(who), *color);
        self.moves.last().map(|played| played.step.by).filter(held).or(Color::ALL.into_iter().find(held))
    }

    /// Whether `who` may be told a good move: it is their turn, and no other person plays.
    pub fn may_have_hint(&self, who: PersonId) -> bool {
        let alone = self.seats.iter().all(|seat| match seat {
            Seat::Person { who: other, .. } => *other == who,
            Seat::Computer { .. } => true,
            Seat::Open => false,
        });
        let plays = Color::ALL.into_iter().any(|color| self.holds(Some(who), color));
        plays && alone && self.turn().is_some_and(|turn| self.holds(Some(who), turn))
    }

    fn can(&self, who: Option<PersonId>) -> Vec<Can> {
        let Some(who) = who else { return Vec::new() };
        let held: Vec<Color> = Color::ALL.into_iter().filter(|&color| self.holds(Some(who), color)).collect();
        let mut can = Vec::new();
        if held.is_empty() {
            return can;
        }
        if let Some(turn) = self.turn() {
            if held.contains(&turn) {
                can.push(Can::Play);
            }
            if let Some(by) = self.takeback_seat(who)
                && self.rules.takebacks
                && self.last_choice(by).is_some()
            {
                let asked = self.offer.as_ref().is_some_and(|offer| offer.what == Wish::Takeback);
                match self.decides_alone(by, Wish::Takeback) {
                    true => can.push(Can::Takeback),
                    false if !asked => can.push(Can::AskTakeback),
                    false => {}
                }
            }
        }
        let going = self.check_open().is_ok();
        if going {
            can.push(Can::Resign);
        }
        if self.may_have_hint(who) {
            can.push(Can::Hint);
        }
        let alone = |wish| held.iter().any(|&color| self.decides_alone(color, wish));
        // A rated game is played to its end.
        let bound = going && self.rules.rated;
        if self.next.is_none() && !bound {
            can.push(if alone(Wish::NewGame) { Can::Again } else { Can::AskAgain });
        }
        if self.verdict.is_none() && !bound {
            can.push(if alone(Wish::Scrap) { Can::Scrap } else { Can::AskScrap });
        }
        if let Some(offer) = &self.offer {
            can.push(if held.contains(&offer.by) { Can::Withdraw } else { Can::Answer });
        }
        if held.iter().any(|&color| self.may_abort(color)) {
            can.push(Can::Abort);
        }
        if held.iter().any(|&color| self.claimable(color).is_some()) {
            can.push(Can::Claim);
        }
        if going && self.clocks.is_some() && !self.rules.rated {
            can.push(match (self.paused, alone(Wish::Pause)) {
                (false, true) => Can::Pause,
                (false, false) => Can::AskPause,
                (true, true) => Can::Resume,
                (true, false) => Can::AskResume,
            });
        }
        if !self.is_waiting() && held.iter().any(|&color| self.may_talk(color)) {
            can.push(Can::Say);
        }
        can
    }

    /// What `who` hears of what the players say: all of it who plays, the others once the game is over.
    fn heard_by(&self, who: Option<PersonId>) -> Vec<Said> {
        let plays = Color::ALL.into_iter().any(|color| self.holds(who, color));
        if plays || self.verdict.is_some() { self.said().to_vec() } else { Vec::new() }
    }
}

/// 64 squares from a1 to h8, row by row: `X` black, `O` white, `-` empty.
pub fn board_text(position: &Position) -> String {
    Square::ALL.into_iter().map(|square| position.at(square).map_or('-', Color::letter)).collect()
}

impl Seat {
    /// The seat as `who` sees it.
    pub fn view(&self, who: Option<PersonId>) -> SeatView {
        let (kind, name, level) = match self {
            Seat::Open => (SeatKind::Open, None, None),
            Seat::Person { name, .. } => (SeatKind::Person, Some(name.clone()), None),
            Seat::Computer { level } => (SeatKind::Computer, None, Some(*level)),
        };
        SeatView { name, level, you: who.is_some() && self.person() == who, ..SeatView::new(kind) }
    }
}

fn clock_view(clock: Clock) -> ClockView {
    ClockView { left_ms: clock.left_ms, stage: clock.stage }
}
