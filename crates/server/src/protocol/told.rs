//! What a page is told: answers to what it asked, and news.

use super::{
    Analysis, CardId, DoorView, Exercise, ExerciseAnswer, ExerciseDay, ExerciseKind, ExerciseProgress, GameSummary,
    GameView, HouseView, Leader, Level, LibraryFound, LibraryName, LibraryRejected, LibraryStats, LineBoard, Lobby,
    LobbyOffer, Me, NamedRules, Overlay, Person, ReviewStage, Study, StudyChange, StudyId, StudySummary, Why,
};
use people::Category;
use rules::{ByColor, Square};
use serde::{Deserialize, Serialize};
use study::tree::NodeId;
use table::{CommandId, GameId, Ply, Seq};

/// One message to a page.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum ToBrowser {
    /// The first message on every connection.
    Welcome {
        /// The version of these messages.
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
    /// An offer of this person's has become a game.
    Paired {
        /// The game; its id is that of the offer, unless the server has paired two who wait.
        game: GameId,
        /// Whether this page waited for it: then it goes there. Otherwise, by correspondence, it only says so.
        waited: bool,
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
