//! What a page asks.

use super::{
    CardId, ExerciseKind, LibraryNameKind, LibraryQuery, LibrarySort, Lines, StudyEdit, StudyFormat, StudyId,
    StudySource, Thresholds,
};
use people::{Category, Speed};
use rules::{ByColor, Color, Square};
use serde::{Deserialize, Serialize};
use study::tree::NodeId;
use table::{Called, Claim, GameId, Opening, Phrase, Ply, Rules, Seq, Wish};

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
    /// The games in which it is this player's turn, the latest first: all of them. Answer: `games`.
    Turns,
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
    /// Answers a question. Answer: `exercise_answer`, once it is on disk; in an ending that is played out, as long as it is won and not
    /// over, `exercise` with the next move to find.
    ExerciseTry {
        /// Which.
        card: CardId,
        /// With this move.
        #[cfg_attr(test, ts(type = "Square"))]
        square: Square,
        /// The `moves` of the question, such as `f5d6c3`: an ending may have been played on, an opening turned.
        #[serde(default)]
        #[cfg_attr(test, ts(optional, type = "string"))]
        moves: Option<String>,
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
