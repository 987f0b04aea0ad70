//! The wire: what a page says ([`ToServer`]) and hears ([`ToBrowser`]).
//!
//! JSON text messages over one WebSocket. `PROTOCOL.md` shows every message by example; `web/src/protocol.ts` is written from
//! these types, and tests keep both true.

use people::{Category, Speed};
use rules::{ByColor, Color, Square};
use serde::{Deserialize, Serialize};
use study::tree::NodeId;
use table::{
    Called, Claim, CommandId, GameId, MoveView, Opening, Phrase, Ply, Preset, Rules, Seq, Status, Verdict, View, Wish,
};

mod accounts;
mod exercises;
mod library;
mod meeting;
mod studies;

pub use accounts::*;
pub use exercises::*;
pub use library::*;
pub use meeting::*;
pub use room::Cause;
pub use studies::*;

/// The version of these messages. A page that was built for another says so and asks to be loaded again.
pub const PROTOCOL: u32 = 5;

/// The code with which a connection ends when the owner closes the door to the network.
pub const DOOR_CLOSED: u16 = 4001;

/// The code with which a connection ends when what let it in is good no more: someone signed out, changed their password or opened an
/// account. Connect again: `welcome.me` says who one is now.
pub const SIGNED_OUT: u16 = 4002;

/// One message from a page.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ToServer {
    /// Chosen by the page, different for each command, at most 64 characters. The same id again gets the same answer and
    /// changes nothing, so a command may be sent again after a lost connection.
    pub id: CommandId,
    /// What is asked.
    #[serde(flatten)]
    pub ask: Ask,
}

/// What a page can ask.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Ask {
    /// Begin a game. Answer: `done` with the game's id.
    Create {
        /// Who plays which colour.
        #[cfg_attr(test, ts(type = "ByColor<SeatChoice>"))]
        seats: ByColor<SeatChoice>,
        /// Let the server toss for colours: the two seats may change places.
        #[serde(default)]
        toss: bool,
        /// By which rules; `welcome` tells the presets.
        rules: Rules,
    },
    /// Begin another game with the same players and rules, or ask the opponent to. One that is not over is scrapped. Everyone at
    /// the old game is told where to go (`view.next`). Answer: `done` with the new game's id, or with this one's if the opponent
    /// was asked.
    Again {
        /// The old game.
        game: GameId,
        /// Whether the players change colours.
        swap: bool,
    },
    /// Scrap a game that is not over, without a result and without another, or ask the opponent to.
    Scrap {
        /// The game.
        game: GameId,
    },
    /// End a game between two people without a result, before one's own second move.
    Abort {
        /// The game.
        game: GameId,
    },
    /// Claim a live game whose other player has been away on their turn for long enough (`claim_in_ms` is 0).
    Claim {
        /// The game.
        game: GameId,
        /// As won or drawn.
        what: Claim,
    },
    /// Stop the clocks of a casual game, or ask the opponent to.
    Pause {
        /// The game.
        game: GameId,
    },
    /// Let them run on, or ask the opponent to.
    Resume {
        /// The game.
        game: GameId,
    },
    /// Say something to the other player.
    Say {
        /// The game.
        game: GameId,
        /// What.
        phrase: Phrase,
    },
    /// See a game and hear all that happens in it. Answer: `game`.
    Open {
        /// The game.
        game: GameId,
        /// The last `seq` this page has, after a lost connection: only what is missing is sent.
        #[serde(default)]
        #[cfg_attr(test, ts(optional, type = "number"))]
        have: Option<Seq>,
    },
    /// Hear no more of a game.
    Close {
        /// The game.
        game: GameId,
    },
    /// Place a disc.
    Play {
        /// The game.
        game: GameId,
        /// Where.
        #[cfg_attr(test, ts(type = "Square"))]
        square: Square,
        /// `view.ply` when the player chose.
        ply: Ply,
    },
    /// Take a move back, or ask the opponent to allow it.
    Takeback {
        /// The game.
        game: GameId,
        /// `view.ply` when the player chose.
        ply: Ply,
    },
    /// Accept or decline what the opponent asks (`view.offer`); `false` also withdraws what one asked for.
    Answer {
        /// The game.
        game: GameId,
        /// What is answered, as the player saw it: another offer may have taken its place since.
        what: Wish,
        /// Whether to agree.
        accept: bool,
    },
    /// Give up.
    Resign {
        /// The game.
        game: GameId,
        /// Whose game is given up, where one person holds both seats; else the player to move.
        #[serde(default)]
        #[cfg_attr(test, ts(optional, type = "Color"))]
        color: Option<Color>,
    },
    /// Ask for a good move. Answer: `hint`, and where a reason is found, `hint_reason` later.
    Hint {
        /// The game.
        game: GameId,
        /// `view.ply` when the player asked.
        ply: Ply,
    },
    /// Take an open seat.
    Sit {
        /// The game.
        game: GameId,
        /// The secret from the invitation.
        invite: String,
        /// What the player is called; 1 or 2, the first or second player, if they give no name.
        #[cfg_attr(test, ts(type = "string | 1 | 2"))]
        name: Called,
    },
    /// This player's games, the latest first. Answer: `games`.
    List {
        /// Only games before this one, to read on.
        #[serde(default)]
        #[cfg_attr(test, ts(optional, type = "string"))]
        before: Option<GameId>,
    },
    /// Remove a game from this player's list; where no other person plays in it, for good.
    Delete {
        /// The game.
        game: GameId,
    },
    /// Let other devices on the network in. For the owner, whoever is at the computer itself. Answer: `done`; `door` says where.
    OpenDoor,
    /// Keep them out again.
    CloseDoor,
    /// Begin a study. Answer: `study`.
    StudyNew {
        /// With what.
        from: StudySource,
    },
    /// See a study and hear of every change. Answer: `study`.
    StudyOpen {
        /// Which.
        study: StudyId,
    },
    /// Hear no more of a study; what was asked of the computer there ends.
    StudyClose {
        /// Which.
        study: StudyId,
    },
    /// This person's studies, the latest first. Answer: `studies`.
    Studies {
        /// Only those after this one in the list, to read on.
        #[serde(default)]
        #[cfg_attr(test, ts(optional, type = "string"))]
        before: Option<StudyId>,
    },
    /// Change a study. Answer: `study_changed`, once it is on disk. If the study was changed meanwhile, the fresh one is sent
    /// (`study`) and the change is refused (`stale`).
    StudyEdit {
        /// Which.
        study: StudyId,
        /// The last `seq` this page has.
        #[cfg_attr(test, ts(type = "number"))]
        seq: u64,
        /// What to change.
        edit: StudyEdit,
    },
    /// Delete a study for good. Everyone who has it open hears `study_gone`.
    StudyDelete {
        /// Which.
        study: StudyId,
    },
    /// A study as a text to copy or to save. Answer: `study_file`.
    StudyFile {
        /// Which.
        study: StudyId,
        /// In which form.
        format: StudyFormat,
        /// Of which position, or up to where; the whole main line if not given.
        #[serde(default)]
        #[cfg_attr(test, ts(optional, type = "number"))]
        at: Option<NodeId>,
    },
    /// What can be seen of a position besides its discs. Answer: `study_overlay`.
    StudyOverlay {
        /// Which study.
        study: StudyId,
        /// Which position.
        at: NodeId,
    },
    /// The boards along a line of moves, which does not become part of the study. Answer: `study_line`.
    StudyLine {
        /// Which study.
        study: StudyId,
        /// From which position.
        at: NodeId,
        /// The moves.
        #[cfg_attr(test, ts(type = "Square[]"))]
        squares: Vec<Square>,
    },
    /// What the moves of a position are worth. Answer: many `analysis`, ever deeper; the last has `done`.
    Analyse {
        /// Which board of the page asks: a new question takes the place of the one before it.
        key: String,
        /// Which study.
        study: StudyId,
        /// Which position.
        at: NodeId,
        /// How many moves ahead at most.
        #[serde(default)]
        #[cfg_attr(test, ts(optional, type = "number | null"))]
        depth: Option<u32>,
        /// For how many seconds at most.
        #[serde(default)]
        #[cfg_attr(test, ts(optional, type = "number | null"))]
        seconds: Option<u32>,
        /// Of which moves.
        #[serde(default)]
        #[cfg_attr(test, ts(optional, as = "Option<Lines>"))]
        lines: Lines,
        /// With how many threads, if nobody else needs them; one unless it is said.
        #[serde(default)]
        #[cfg_attr(test, ts(optional, type = "number | null"))]
        threads: Option<u32>,
    },
    /// Enough of an analysis. Answer: `done`; asking again goes on from what was found.
    AnalyseStop {
        /// Which board of the page.
        key: String,
    },
    /// What each move of the main line of a study cost, and why. Answer: many `review`, ever surer; the last has the stage `done`.
    Review {
        /// Which.
        study: StudyId,
        /// How many moves ahead at least; as far as is usual if not given.
        #[serde(default)]
        #[cfg_attr(test, ts(optional, type = "number"))]
        depth: Option<u32>,
        /// From which loss on a move is called what; as is usual if not given.
        #[serde(default)]
        #[cfg_attr(test, ts(optional, as = "Option<Thresholds>"))]
        thresholds: Option<Thresholds>,
    },
    /// Enough of a review. Answer: `done`.
    ReviewStop {
        /// Of which study.
        study: StudyId,
    },
    /// What there is to practise, and how far this person is. Answer: `exercises`.
    Exercises {
        /// Minutes by which the person's clock is ahead of UTC: days end at their midnight.
        #[serde(default)]
        #[cfg_attr(test, ts(optional, as = "Option<i32>"))]
        offset: i32,
    },
    /// The next question. Answer: `exercise`, or `exercise_none` if there is none for now.
    Exercise {
        /// What to practise.
        kind: ExerciseKind,
        /// Puzzles of this grade only, from 1 to 5.
        #[serde(default)]
        #[cfg_attr(test, ts(optional, type = "number"))]
        level: Option<u8>,
        /// For openings: which side the person plays. Without it, an opening that is to be asked again.
        #[serde(default)]
        #[cfg_attr(test, ts(optional, type = "Color"))]
        color: Option<Color>,
        /// For openings: the moves so far from the usual start, such as `f5d6c3`. If the opponent is to move, the program answers
        /// with what people play there.
        #[serde(default)]
        #[cfg_attr(test, ts(optional, type = "string"))]
        moves: Option<String>,
    },
    /// Answers a question. Answer: `exercise_answer`, once it is on disk.
    ExerciseTry {
        /// Which.
        card: CardId,
        /// With this move.
        #[cfg_attr(test, ts(type = "Square"))]
        square: Square,
    },
    /// Makes an exercise of a position of a study. Answer: `exercise_added`.
    ExerciseAdd {
        /// Which study.
        study: StudyId,
        /// The position in which the best move is to be found.
        at: NodeId,
    },
    /// Forgets an exercise. Answer: `done`.
    ExerciseRemove {
        /// Which.
        card: CardId,
    },
    /// Begins a game from the position of an exercise against the computer at its best. Answer: `done` with the game.
    ExercisePlay {
        /// Which.
        card: CardId,
    },
    /// Games of the library, and what was played in a position. Answer: `library`.
    LibraryFind {
        /// Which games.
        #[serde(flatten)]
        query: LibraryQuery,
        /// In which order.
        #[serde(default)]
        #[cfg_attr(test, ts(optional, as = "Option<LibrarySort>"))]
        sort: LibrarySort,
        /// Leave out so many, to read on.
        #[serde(default)]
        #[cfg_attr(test, ts(optional, as = "Option<u32>"))]
        skip: u32,
    },
    /// Names in the library, those with most games first. Answer: `library_names`.
    LibraryNames {
        /// Whose.
        kind: LibraryNameKind,
        /// A part of the name.
        part: String,
    },
    /// What the library holds. Answer: `library_stats`.
    LibraryStats,
    /// Removes games from the library: those with these numbers, or all that came from one file. For the owner. Answer:
    /// `library_deleted`.
    LibraryDelete {
        /// The games.
        #[serde(default)]
        numbers: Vec<u32>,
        /// The file.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(test, ts(optional))]
        source: Option<String>,
    },
    /// Whether the owner's finished games join the library. For the owner. Answer: `done`.
    LibraryOwn {
        /// Whether they do.
        on: bool,
    },
    /// Who offers to play, now (`lobby`) and from now on (`lobby_changed`).
    Lobby,
    /// Hear no more of the lobby.
    LobbyClose,
    /// Offer a game to anyone. It is gone with the page, unless it takes days for each move. Answer: `offered`; `paired` when somebody
    /// has taken it.
    Offer {
        /// By which rules.
        rules: Rules,
        /// The colour one wants.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(test, ts(optional, type = "Color | null"))]
        color: Option<Color>,
        /// Whether it counts for both ratings.
        #[serde(default)]
        #[cfg_attr(test, ts(optional, as = "Option<bool>"))]
        rated: bool,
        /// For players with at least so many points.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(test, ts(optional, type = "number | null"))]
        rating_min: Option<i32>,
        /// For players with at most so many points.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(test, ts(optional, type = "number | null"))]
        rating_max: Option<i32>,
    },
    /// Withdraw an offer or a challenge of one's own.
    OfferWithdraw {
        /// Which.
        offer: GameId,
    },
    /// Take an offer, or accept a challenge. Answer: `done` with the game.
    OfferAccept {
        /// Which.
        offer: GameId,
    },
    /// A game with whoever the server finds. Answer: `done` with the game, or `offered` if nobody waits.
    Quick {
        /// How fast.
        speed: Speed,
        /// From which position.
        #[serde(default)]
        #[cfg_attr(test, ts(optional, as = "Option<Opening>"))]
        opening: Opening,
        /// Whether it counts for both ratings.
        #[serde(default)]
        #[cfg_attr(test, ts(optional, as = "Option<bool>"))]
        rated: bool,
    },
    /// Offer a game to one person. Answer: `offered`; they hear `challenged`.
    Challenge {
        /// The name of their account.
        handle: String,
        /// By which rules.
        rules: Rules,
        /// The colour one wants.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(test, ts(optional, type = "Color | null"))]
        color: Option<Color>,
        /// Whether it counts for both ratings.
        #[serde(default)]
        #[cfg_attr(test, ts(optional, as = "Option<bool>"))]
        rated: bool,
    },
    /// Decline a challenge.
    ChallengeDecline {
        /// Which.
        offer: GameId,
    },
    /// Meet someone no more: neither sees the other's offers, nor can challenge them.
    Block {
        /// The name of their account.
        handle: String,
    },
    /// Meet them again.
    Unblock {
        /// The name of their account.
        handle: String,
    },
    /// Who someone is, and how well they play. Answer: `person`.
    Person {
        /// The name of their account.
        handle: String,
    },
    /// Someone's games against other people, the latest first. Answer: `person_games`.
    PersonGames {
        /// The name of their account.
        handle: String,
        /// Only games before this one, to read on.
        #[serde(default)]
        #[cfg_attr(test, ts(optional, type = "string"))]
        before: Option<GameId>,
    },
    /// The best at one kind of game. Answer: `leaders`.
    Leaders {
        /// Which kind, such as `rapid-standard`.
        #[cfg_attr(test, ts(type = "string"))]
        category: Category,
    },
    /// Nothing. Answer: `done`.
    Ping,
}

/// Who shall sit on one side.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum SeatChoice {
    /// A person in front of this page.
    Person {
        /// What they are called; 1 or 2, the first or second player, if they give no name.
        #[cfg_attr(test, ts(type = "string | 1 | 2"))]
        name: Called,
    },
    /// The computer.
    Computer {
        /// One of the levels in `welcome`.
        level: u8,
    },
    /// Someone who comes by a link.
    Open,
}

/// One message to a page.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum ToBrowser {
    /// The first message on every connection.
    Welcome {
        /// [`PROTOCOL`].
        protocol: u32,
        /// The server's version.
        version: String,
        /// The server's time, milliseconds since 1970.
        #[cfg_attr(test, ts(type = "number"))]
        now: u64,
        /// The computer's levels, weakest first.
        levels: Vec<Level>,
        /// Rules that go by a name.
        presets: Vec<NamedRules>,
        /// The way in from the network.
        door: DoorView,
        /// Who looks at this page.
        me: Me,
        /// What the server is open for.
        house: HouseView,
    },
    /// The owner opened or closed the door to the network, or its addresses have changed.
    Door(DoorView),
    /// The owner has decided something about the server.
    House(HouseView),
    /// A game as it stands: the answer to `open`, and again after everything that happens in it.
    Game(Box<GameView>),
    /// The command was carried out and is on disk.
    Done {
        /// The command's id.
        id: CommandId,
        /// The game it was about, or began.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(test, ts(optional))]
        game: Option<GameId>,
        /// The number of the entry it made in that game's log.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(test, ts(optional, type = "number"))]
        seq: Option<Seq>,
    },
    /// The command was not carried out and changed nothing.
    Refused {
        /// The command's id; empty if the message could not be read.
        id: String,
        /// Why, for the page to say in the player's language.
        why: Why,
        /// Why, in English, for whoever reads the log.
        text: String,
        /// What is wrong with a text, and where, for the page to say in the player's language.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(test, ts(optional, type = "LibraryRejected"))]
        detail: Option<Box<LibraryRejected>>,
    },
    /// The answer to `hint`.
    Hint {
        /// The command's id.
        id: CommandId,
        /// The game.
        game: GameId,
        /// For the position after so many moves.
        ply: Ply,
        /// A good move there.
        #[cfg_attr(test, ts(type = "Square"))]
        square: Square,
    },
    /// What speaks for a hint, a little after it; nothing comes where no search has shown a reason.
    HintReason {
        /// The game.
        game: GameId,
        /// For the position after so many moves.
        ply: Ply,
        /// The good move.
        #[cfg_attr(test, ts(type = "Square"))]
        square: Square,
        /// Another move, which a player might have chosen.
        #[cfg_attr(test, ts(type = "Square"))]
        instead_of: Square,
        /// Why that one is bad.
        #[cfg_attr(test, ts(type = "Reason"))]
        reason: study::reason::Reason,
    },
    /// The answer to `list`.
    Games {
        /// The command's id.
        id: CommandId,
        /// The latest first.
        games: Vec<GameSummary>,
        /// Whether there are more: ask with `before` the last one.
        more: bool,
    },
    /// A player has left a game that is open here, or has come back, or more or fewer people watch.
    Presence {
        /// The game.
        game: GameId,
        /// Who is there now.
        #[cfg_attr(test, ts(type = "ByColor<boolean>"))]
        here: ByColor<bool>,
        /// How many people watch who do not play. It is told at most once in a second or so.
        watchers: u32,
        /// In how many milliseconds each player may claim the game; as in `game`.
        #[cfg_attr(test, ts(type = "ByColor<number | null>"))]
        claim_in_ms: ByColor<Option<u64>>,
    },
    /// A game that was open has been deleted.
    Gone {
        /// The game.
        game: GameId,
    },
    /// The answer to `library_find`.
    Library(Box<LibraryFound>),
    /// The answer to `library_names`.
    LibraryNames {
        /// The command's id.
        id: CommandId,
        /// The names.
        names: Vec<LibraryName>,
    },
    /// The answer to `library_stats`.
    LibraryStats(LibraryStats),
    /// The answer to `library_delete`.
    LibraryDeleted {
        /// The command's id.
        id: CommandId,
        /// How many games were removed.
        removed: u32,
    },
    /// A study as it stands: the answer to `study_new` and `study_open`, and before the refusal of a change that was too late.
    Study(Box<Study>),
    /// A study that is open here has changed; for the page that changed it, the answer.
    StudyChanged(Box<StudyChange>),
    /// A study that was open has been deleted.
    StudyGone {
        /// Which.
        study: StudyId,
    },
    /// The answer to `studies`.
    Studies {
        /// The command's id.
        id: CommandId,
        /// The latest first.
        studies: Vec<StudySummary>,
        /// Whether there are more: ask with `before` the last one.
        more: bool,
    },
    /// The answer to `study_file`.
    StudyFile {
        /// The command's id.
        id: CommandId,
        /// The study.
        study: StudyId,
        /// The text.
        text: String,
    },
    /// The answer to `study_overlay`.
    StudyOverlay {
        /// The command's id.
        id: CommandId,
        /// The study.
        study: StudyId,
        /// The position.
        at: NodeId,
        /// What can be seen.
        overlay: Overlay,
    },
    /// The answer to `study_line`.
    StudyLine {
        /// The command's id.
        id: CommandId,
        /// The study.
        study: StudyId,
        /// The position it begins from.
        at: NodeId,
        /// The board after each move, as far as they are legal.
        boards: Vec<LineBoard>,
    },
    /// What the moves of a position are worth by now.
    Analysis(Box<Analysis>),
    /// How a review stands.
    Review {
        /// The study.
        study: StudyId,
        /// How far it is.
        stage: ReviewStage,
        /// How much of it is done, from 0 to 1.
        progress: f32,
        /// What is known by now.
        #[cfg_attr(test, ts(type = "Report"))]
        report: serde_json::Value,
    },
    /// The answer to `exercises`.
    Exercises {
        /// The command's id.
        id: CommandId,
        /// How far this person is.
        kinds: Vec<ExerciseProgress>,
        /// What was answered on each day, the latest first.
        days: Vec<ExerciseDay>,
    },
    /// A question: the answer to `exercise`.
    Exercise(Box<Exercise>),
    /// There is no question for now: everything was asked, or the line has left the book.
    ExerciseNone {
        /// The command's id.
        id: CommandId,
        /// Of what.
        kind: ExerciseKind,
        /// When the next one is to be asked, milliseconds since 1970, if any is.
        #[cfg_attr(test, ts(type = "number | null"))]
        due: Option<u64>,
    },
    /// The answer to `exercise_try`.
    ExerciseAnswer(Box<ExerciseAnswer>),
    /// The answer to `exercise_add`.
    ExerciseAdded {
        /// The command's id.
        id: CommandId,
        /// The card.
        card: CardId,
        /// Whether it was there already.
        already: bool,
    },
    /// The answer to `lobby`.
    Lobby(Box<Lobby>),
    /// What has changed in the lobby.
    LobbyChanged {
        /// Offers that were not there.
        new: Vec<LobbyOffer>,
        /// Offers that are no more.
        gone: Vec<GameId>,
        /// How many people are connected.
        players: u32,
        /// How many games are being played or looked at.
        games: u32,
    },
    /// The answer to `offer` and `challenge`, and to `quick` where nobody waits.
    Offered {
        /// The command's id.
        id: CommandId,
        /// The offer.
        offer: LobbyOffer,
    },
    /// Somebody has taken this person's offer: go to the game.
    Paired {
        /// The game; its id is that of the offer, unless the server has paired two who wait.
        game: GameId,
    },
    /// Somebody challenges this person.
    Challenged {
        /// The challenge.
        offer: LobbyOffer,
    },
    /// An offer of this person's, or a challenge to them, is no more, and no game has come of it.
    OfferGone {
        /// Which.
        offer: GameId,
        /// Whether it was declined.
        declined: bool,
    },
    /// The answer to `person`.
    Person(Box<Person>),
    /// The answer to `person_games`.
    PersonGames {
        /// The command's id.
        id: CommandId,
        /// What they are called.
        handle: String,
        /// The latest first.
        games: Vec<GameSummary>,
        /// Whether there are more: ask with `before` the last one.
        more: bool,
    },
    /// The answer to `leaders`.
    Leaders {
        /// The command's id.
        id: CommandId,
        /// At which kind of game.
        #[cfg_attr(test, ts(type = "string"))]
        category: Category,
        /// The best first.
        leaders: Vec<Leader>,
    },
}

/// The way in from the network, as one page sees it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct DoorView {
    /// Whether other devices on the network get in.
    pub open: bool,
    /// Where, such as `http://192.168.1.20:8464`, the likeliest first. None while it is closed or there is no network.
    pub addresses: Vec<String>,
    /// Whether this page may open and close it.
    pub yours: bool,
}

/// A game as one page sees it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct GameView {
    /// The game.
    pub game: GameId,
    /// The command that asked for it, in the answer to `open`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub id: Option<CommandId>,
    /// How many entries its log has. It only grows; a message with a smaller one than the page has is old.
    #[cfg_attr(test, ts(type = "number"))]
    pub seq: Seq,
    /// What happened last, so that it can be shown and said.
    pub cause: Cause,
    /// The server's time: the clocks in the view are as they stood then.
    #[cfg_attr(test, ts(type = "number"))]
    pub now: u64,
    /// The game.
    pub view: View,
    /// The board before the first move, as in `view.board`.
    pub start: String,
    /// Keep so many of the moves you have, then add `moves`: together they are all that stand.
    pub keep: Ply,
    /// Moves from there on.
    pub moves: Vec<MoveView>,
    /// Secrets for the open seats, for those who play: `/#/join/GAME/INVITE` is the link.
    #[cfg_attr(test, ts(type = "ByColor<string | null>"))]
    pub invites: ByColor<Option<String>>,
    /// Which players have the game open somewhere; the computer always has. `presence` tells when that changes.
    #[cfg_attr(test, ts(type = "ByColor<boolean>"))]
    pub here: ByColor<bool>,
    /// How many people watch who do not play. `presence` tells when that changes.
    pub watchers: u32,
    /// In how many milliseconds each player may claim the game, because the other is away on their turn: 0 is now, null not at all.
    #[cfg_attr(test, ts(type = "ByColor<number | null>"))]
    pub claim_in_ms: ByColor<Option<u64>>,
    /// What the game did to both ratings, once it has counted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional, type = "ByColor<RatingChange>"))]
    pub rated: Option<ByColor<RatingChange>>,
}

/// A strength of the computer.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Level {
    /// Its number: 1 is the weakest.
    pub level: u8,
    /// A word for it that the page translates, such as `club`.
    pub name: String,
}

/// Rules and what they are called.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct NamedRules {
    /// The name.
    pub name: Preset,
    /// The rules.
    pub rules: Rules,
}

/// A line in the list of a player's games.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct GameSummary {
    /// The game.
    pub game: GameId,
    /// When it was begun, milliseconds since 1970.
    #[cfg_attr(test, ts(type = "number"))]
    pub begun: u64,
    /// When something last happened in it.
    #[cfg_attr(test, ts(type = "number"))]
    pub changed: u64,
    /// Where it is.
    pub status: Status,
    /// Who plays, as this player sees it.
    #[cfg_attr(test, ts(type = "ByColor<SeatView>"))]
    pub seats: ByColor<table::SeatView>,
    /// How many moves stand.
    pub ply: Ply,
    /// Who is to move.
    #[cfg_attr(test, ts(type = "Color | null"))]
    pub turn: Option<Color>,
    /// The board, for a small picture.
    pub board: String,
    /// Discs on it.
    #[cfg_attr(test, ts(type = "ByColor<number>"))]
    pub counts: ByColor<u8>,
    /// How it ended.
    pub verdict: Option<Verdict>,
    /// When the player to move runs out of time, milliseconds since 1970; null while no clock runs.
    #[cfg_attr(test, ts(type = "number | null"))]
    pub until: Option<u64>,
    /// It is there but cannot be read, because a later version wrote it or it is damaged. Then nothing else here says anything but
    /// `game` and `begun`; it can be deleted.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[cfg_attr(test, ts(optional, as = "Option<bool>"))]
    pub unreadable: bool,
    /// What the game did to both ratings, once it has counted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional, type = "ByColor<RatingChange>"))]
    pub rated: Option<ByColor<RatingChange>>,
}

/// Why a command was not carried out.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum Why {
    /// The message could not be read.
    BadMessage,
    /// Too many messages in a short time.
    TooMany,
    /// There is no such game, or it was deleted.
    NoSuchGame,
    /// The player holds no seat that could do this.
    NotYours,
    /// The other player is to move.
    NotYourTurn,
    /// The position has changed since: look again. A double click ends here.
    WrongPly,
    /// A disc lies on the square.
    Occupied,
    /// The move would turn no disc.
    TurnsNothing,
    /// The game is over.
    Over,
    /// The time had run out.
    OutOfTime,
    /// A seat is still open.
    Waiting,
    /// This game is played without takebacks.
    NoTakebacks,
    /// The player has not moved yet.
    NothingToTakeBack,
    /// The player has asked already.
    AlreadyAsked,
    /// Nobody asks for that, or no longer.
    NotAsked,
    /// The seat is taken.
    SeatTaken,
    /// The invitation is not (or no longer) good.
    BadInvite,
    /// Another person plays: no hints.
    NoHints,
    /// Nobody could play by these rules, or there is no such level.
    BadRules,
    /// The game could not be saved, so nothing was done. It is as it was.
    NotSaved,
    /// The disk made an error, and nobody knows yet whether it was saved: look again.
    Unsure,
    /// The game is there but cannot be read.
    Unreadable,
    /// The computer does not let the server listen to the network.
    CannotListen,
    /// There is no such exercise, or it was forgotten.
    NoSuchCard,
    /// There is no such study, or it was deleted.
    NoSuchStudy,
    /// The study has no such position any more.
    NoSuchNode,
    /// The study has changed since: look again.
    Stale,
    /// There is no game and no position in the text; `text` says where it went wrong.
    BadText,
    /// The study, or what is to be written into it, would be too large.
    TooLarge,
    /// There is no change to take back, or to make again.
    NothingToUndo,
    /// No such position was found.
    NothingFound,
    /// The token is for reading only.
    Scope,
    /// The name is, or looks like, that of somebody's account.
    NameTaken,
    /// It is a rated game: it is played to its end, without takeback, pause or agreement.
    Rated,
    /// The player has made a second move: the game cannot be aborted any more.
    TooLateToAbort,
    /// The game has no clock, is played by correspondence, or is not waiting for the other player: it cannot be claimed.
    NoClaim,
    /// The other player has not been away for long enough.
    NotAwayYet,
    /// The game is paused.
    Paused,
    /// There is no clock to stop, or it is stopped, or runs, already.
    NothingToPause,
    /// Enough was said for now, or there is nobody to talk to.
    SaidEnough,
    /// The owner has not opened the lobby.
    LobbyClosed,
    /// There is no such offer, or it is taken or withdrawn.
    NoSuchOffer,
    /// There is no account of this name.
    NoSuchPerson,
    /// Rated games are for people with accounts.
    NeedsAccount,
    /// The offer is for others.
    NotForYou,
    /// One of the two does not want to meet the other.
    NotWanted,
}

#[cfg(test)]
mod typescript;
