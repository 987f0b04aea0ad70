//! What goes over the wire, for the document. Programs read more fields than these where they want to; none of these goes away.

#![allow(dead_code, reason = "they are read by the document alone")]

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Why something was not done. Nothing has changed.
#[derive(Deserialize, Serialize, ToSchema)]
#[schema(example = json!({"why": "wrong_ply", "text": "the position has changed since"}))]
pub(crate) struct Refusal {
    /// A word for programs: `wrong_ply`, `not_your_turn`, `too_many` and so on.
    why: String,
    /// A sentence for people, in English.
    text: String,
}

/// It is done, and on disk.
#[derive(Deserialize, Serialize, ToSchema)]
#[schema(example = json!({"game": "k7q2m9x4tbcd", "seq": 1}))]
pub(crate) struct Done {
    /// The game it was about, or began.
    game: Option<String>,
    /// The number of the entry it made in the log of that game.
    seq: Option<u64>,
    /// The game that took its place, where the answer was to begin one.
    next: Option<String>,
}

/// A game to begin.
#[derive(Deserialize, Serialize, ToSchema)]
#[schema(example = json!({
    "seats": {"black": {"kind": "person", "name": "Ana"}, "white": {"kind": "computer", "level": 3}},
    "rules": {"time": {"kind": "sudden_death", "main_ms": 300_000}, "overrun": "loses", "empties": "to_winner", "takebacks": false}
}))]
pub(crate) struct NewGame {
    seats: Seats,
    /// Whether the server tosses for colours.
    #[serde(default)]
    toss: bool,
    rules: GameRules,
}

/// Who is to play.
#[derive(Deserialize, Serialize, ToSchema)]
pub(crate) struct Seats {
    black: SeatChoice,
    white: SeatChoice,
}

/// Who is to sit on one side.
#[derive(Deserialize, Serialize, ToSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub(crate) enum SeatChoice {
    /// You.
    Person {
        /// What you are called in this game.
        name: String,
    },
    /// The server's own engine.
    Computer {
        /// 1 is the weakest.
        level: u8,
    },
    /// Whoever brings the invitation.
    Open,
}

/// What is agreed before a game.
#[derive(Deserialize, Serialize, ToSchema)]
pub(crate) struct GameRules {
    time: Time,
    /// What running out of time costs: `loses` is the game.
    overrun: String,
    /// Who gets the squares that stay empty: `to_winner` or `split`.
    empties: String,
    /// Whether moves may be taken back.
    takebacks: bool,
    /// `standard`, or `balanced`: a few given moves after which neither side is ahead.
    #[serde(default)]
    opening: Option<String>,
}

/// How much time each player has, in milliseconds.
#[derive(Deserialize, Serialize, ToSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub(crate) enum Time {
    /// As much as they want.
    None,
    /// One time for all moves.
    SuddenDeath { main_ms: u32 },
    /// A time at the start, and some more with each move.
    Fischer { main_ms: u32, increment_ms: u32 },
    /// A time, and then some periods for one move each.
    ByoYomi { main_ms: u32, period_ms: u32, periods: u8 },
    /// A time for each move: days.
    PerMove { per_move_ms: u32 },
}

/// A move.
#[derive(Deserialize, Serialize, ToSchema)]
#[schema(example = json!({"square": "f5", "ply": 0}))]
pub(crate) struct Move {
    /// Where: a1 to h8.
    square: String,
    /// `view.ply` when you chose: a move that comes too late is refused instead of being played somewhere else.
    ply: u8,
}

/// After how many moves you ask.
#[derive(Deserialize, Serialize, ToSchema)]
#[schema(example = json!({"ply": 12}))]
pub(crate) struct Takeback {
    /// `view.ply` when you chose.
    ply: u8,
}

/// A good move.
#[derive(Deserialize, Serialize, ToSchema)]
pub(crate) struct Hint {
    game: String,
    /// For the position after so many moves.
    ply: u8,
    square: String,
}

/// What a game that the other player has left is claimed for.
#[derive(Deserialize, Serialize, ToSchema)]
#[schema(example = json!({"what": "win"}))]
pub(crate) struct Claim {
    /// `win` or `draw`.
    what: String,
}

/// Something to say.
#[derive(Deserialize, Serialize, ToSchema)]
#[schema(example = json!({"phrase": "good_game"}))]
pub(crate) struct Phrase {
    /// `hello`, `good_luck`, `well_played`, `thanks`, `sorry`, `one_moment`, `good_game` or `that_was_close`.
    phrase: String,
}

/// Another game.
#[derive(Deserialize, Serialize, ToSchema)]
#[schema(example = json!({"swap": true}))]
pub(crate) struct Again {
    /// Whether the players change colours.
    swap: bool,
}

/// An answer to what the other player asks.
#[derive(Deserialize, Serialize, ToSchema)]
#[schema(example = json!({"what": "takeback", "accept": false}))]
pub(crate) struct Answer {
    /// `view.offer.what`: `takeback`, `new_game`, `rematch`, `scrap`, `pause` or `resume`.
    what: String,
    accept: bool,
}

/// What is behind a link of invitation, `/#/join/GAME/INVITE`.
#[derive(Deserialize, Serialize, ToSchema)]
#[schema(example = json!({"invite": "0123456789abcdef", "name": "Bot"}))]
pub(crate) struct Invitation {
    /// The secret.
    invite: String,
    /// What you are called in this game.
    name: String,
}

/// A game as it stands: what you need to play it. `PROTOCOL.md` has all that pages are told.
#[derive(Deserialize, Serialize, ToSchema)]
pub(crate) struct GameMessage {
    /// The game.
    game: String,
    /// How many entries its log has; it only grows.
    seq: u64,
    /// What happened last.
    cause: String,
    /// The server's time, milliseconds since 1970.
    now: u64,
    view: GameView,
    /// Keep so many of the moves you have, then add `moves`.
    keep: u8,
    moves: Vec<PlayedMove>,
    /// The openings with a name that these moves have reached.
    #[serde(default)]
    openings: Vec<OpeningName>,
}

/// An opening with a name.
#[derive(Deserialize, Serialize, ToSchema)]
pub(crate) struct OpeningName {
    /// After so many moves.
    ply: u8,
    /// In English.
    en: String,
    /// In Spanish.
    es: String,
}

/// The game itself.
#[derive(Deserialize, Serialize, ToSchema)]
pub(crate) struct GameView {
    /// 64 squares from a1 to h8, row by row: `X` black, `O` white, `-` empty.
    board: String,
    /// How many moves stand; send it with a move.
    ply: u8,
    /// `waiting`, `playing` or `over`.
    status: String,
    /// `black` or `white`; null if nobody is to move.
    turn: Option<String>,
    /// Where they may play. A player without a move passes by themselves.
    legal: Vec<LegalSquare>,
    seats: BothSeats,
    /// The clocks; null in a game without.
    clocks: Option<Clocks>,
    lag_ms: BothTimes,
    /// How it ended; null until it has.
    verdict: Option<Verdict>,
    /// The game that took this one's place.
    next: Option<String>,
}

/// A square that may be played.
#[derive(Deserialize, Serialize, ToSchema)]
pub(crate) struct LegalSquare {
    square: String,
    /// The discs that would turn.
    turns: Vec<String>,
}

/// A move that was played.
#[derive(Deserialize, Serialize, ToSchema)]
pub(crate) struct PlayedMove {
    /// `black` or `white`.
    by: String,
    square: String,
    /// Whether the other player had no reply.
    passed: bool,
    /// How long it took, in milliseconds.
    ms: u64,
}

/// Who plays.
#[derive(Deserialize, Serialize, ToSchema)]
pub(crate) struct BothSeats {
    black: Seat,
    white: Seat,
}

/// Who sits on one side.
#[derive(Deserialize, Serialize, ToSchema)]
pub(crate) struct Seat {
    /// `person`, `computer` or `open`.
    kind: String,
    /// Whether it is your seat.
    you: bool,
}

/// How much of each player's time the network took, and they got back: in all, in milliseconds.
#[derive(Deserialize, Serialize, ToSchema)]
pub(crate) struct BothTimes {
    black: u64,
    white: u64,
}

/// Both clocks.
#[derive(Deserialize, Serialize, ToSchema)]
pub(crate) struct Clocks {
    black: Clock,
    white: Clock,
    /// Whose runs.
    running: Option<String>,
}

/// One clock.
#[derive(Deserialize, Serialize, ToSchema)]
pub(crate) struct Clock {
    /// Milliseconds left.
    left_ms: u64,
}

/// How a game ended.
#[derive(Deserialize, Serialize, ToSchema)]
pub(crate) struct Verdict {
    /// `full`, `resigned`, `out_of_time` and so on.
    ending: String,
    /// Black's discs less White's, as the game counts.
    difference: i8,
}

/// Your games.
#[derive(Deserialize, Serialize, ToSchema)]
pub(crate) struct GameList {
    /// The latest first.
    games: Vec<GameLine>,
    /// Whether there are more: ask with `before` the last one.
    more: bool,
}

/// One of your games.
#[derive(Deserialize, Serialize, ToSchema)]
pub(crate) struct GameLine {
    game: String,
    /// When it was begun, milliseconds since 1970.
    begun: u64,
    /// `waiting`, `playing` or `over`.
    status: String,
    turn: Option<String>,
    seats: BothSeats,
    verdict: Option<Verdict>,
}

/// Something that concerns you.
#[derive(Deserialize, Serialize, ToSchema)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(crate) enum Event {
    /// An offer became a game; `waited` is false by correspondence, where it stands though nobody waits.
    Paired { game: String, waited: bool },
    /// Someone challenges you.
    Challenged { offer: Offer },
    /// You are to move.
    YourTurn { game: String, ply: u8 },
    /// A game of yours has ended.
    GameOver { game: String, verdict: Option<Verdict>, next: Option<String> },
}

/// An offer to anyone.
#[derive(Deserialize, Serialize, ToSchema)]
#[schema(example = json!({
    "rules": {"time": {"kind": "sudden_death", "main_ms": 300_000}, "overrun": "loses", "empties": "to_winner", "takebacks": false},
    "rated": true
}))]
pub(crate) struct NewOffer {
    rules: GameRules,
    /// The colour you want: `black` or `white`; either if not given.
    color: Option<String>,
    /// Whether the game counts for both ratings.
    #[serde(default)]
    rated: bool,
    /// For players with at least so many points.
    rating_min: Option<i32>,
    /// For players with at most so many points.
    rating_max: Option<i32>,
}

/// An offer to one person.
#[derive(Deserialize, Serialize, ToSchema)]
pub(crate) struct Challenge {
    /// The name of their account.
    handle: String,
    rules: GameRules,
    /// The colour you want: `black` or `white`; either if not given.
    color: Option<String>,
    /// Whether the game counts for both ratings.
    #[serde(default)]
    rated: bool,
}

/// A game with whoever the server finds.
#[derive(Deserialize, Serialize, ToSchema)]
#[schema(example = json!({"speed": "rapid", "opening": "standard", "rated": true}))]
pub(crate) struct QuickGame {
    /// `blitz`, `rapid`, `slow` or `correspondence`.
    speed: String,
    /// `standard` or `balanced`.
    #[serde(default)]
    opening: Option<String>,
    /// Whether the game counts for both ratings.
    #[serde(default)]
    rated: bool,
}

/// An offer that waits, or the game that it became at once.
#[derive(Deserialize, Serialize, ToSchema)]
pub(crate) struct Offered {
    offer: Option<Offer>,
    game: Option<String>,
}

/// An offer, or a challenge.
#[derive(Deserialize, Serialize, ToSchema)]
pub(crate) struct Offer {
    id: String,
    by: Offerer,
    rules: GameRules,
    /// The colour that its maker wants.
    color: Option<String>,
    rated: bool,
    /// What it counts for, such as `rapid-standard`.
    category: Option<String>,
    /// When it was made, milliseconds since 1970.
    made: u64,
    /// Whether it is yours.
    yours: bool,
}

/// Whose offer it is.
#[derive(Deserialize, Serialize, ToSchema)]
pub(crate) struct Offerer {
    /// The name of their account; null for a guest.
    handle: Option<String>,
    /// Their points in the category of the offer.
    rating: i32,
    /// Whether too little is known of how well they play.
    provisional: bool,
    /// Whether a program plays.
    bot: bool,
}

/// What there is in the lobby.
#[derive(Deserialize, Serialize, ToSchema)]
pub(crate) struct LobbyAnswer {
    /// Offers to anyone, the oldest first.
    offers: Vec<Offer>,
    /// Challenges to you, and by you.
    challenges: Vec<Offer>,
    /// How many people are connected.
    players: u32,
    /// How many games are being played or looked at.
    games: u32,
}

/// Someone with an account.
#[derive(Deserialize, Serialize, ToSchema)]
pub(crate) struct PersonAnswer {
    handle: String,
    /// Whether a program plays.
    bot: bool,
    /// Since when they have the account, milliseconds since 1970.
    made: u64,
    online: bool,
    ratings: Vec<PersonRating>,
    /// The latest games.
    games: Vec<GameLine>,
}

/// How well someone plays one kind of game.
#[derive(Deserialize, Serialize, ToSchema)]
pub(crate) struct PersonRating {
    category: String,
    rating: i32,
    provisional: bool,
    games: u32,
}

/// The best at one kind of game.
#[derive(Deserialize, Serialize, ToSchema)]
pub(crate) struct LeadersAnswer {
    category: String,
    /// The best first.
    leaders: Vec<LeaderLine>,
}

/// One of the best.
#[derive(Deserialize, Serialize, ToSchema)]
pub(crate) struct LeaderLine {
    handle: String,
    /// Whether a program plays.
    bot: bool,
    rating: i32,
    games: u32,
}

/// A game that is over.
#[derive(Deserialize, Serialize, ToSchema)]
pub(crate) struct FinishedGame {
    game: String,
    /// When it was begun, milliseconds since 1970.
    begun: u64,
    seats: BothSeats,
    verdict: Option<Verdict>,
    rules: GameRules,
    /// All moves, such as `f5d6c3`.
    moves: String,
    lag_ms: BothTimes,
    /// What it did to both ratings, if it counted.
    rated: Option<BothRatings>,
}

/// What a game did to both ratings.
#[derive(Deserialize, Serialize, ToSchema)]
pub(crate) struct BothRatings {
    black: RatingChange,
    white: RatingChange,
}

/// What a game did to a rating, in points.
#[derive(Deserialize, Serialize, ToSchema)]
pub(crate) struct RatingChange {
    before: i32,
    after: i32,
}
