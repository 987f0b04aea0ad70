// Written from crates/server/src/protocol.rs by `OUTFLANK_WRITE=1 cargo test -p outflank-server typescript`.
// Do not edit: a test fails when it is stale. PROTOCOL.md explains it by example.

type File = "a" | "b" | "c" | "d" | "e" | "f" | "g" | "h";
type Row = "1" | "2" | "3" | "4" | "5" | "6" | "7" | "8";

/** A square as players name it: a1 is the top-left corner. */
export type Square = `${File}${Row}`;

export type Color = "black" | "white";

/** One value for each player. */
export interface ByColor<T> {
  black: T;
  white: T;
}

/**
 * One message from a page. The id is chosen by the page, different for each command, at most 64 characters.
 * The same id again gets the same answer and changes nothing.
 */
export type ToServer = { id: string } & Ask;

/** The version of these messages. */
export const PROTOCOL = 5;

/** The code with which a connection ends when the owner closes the door to the network. */
export const DOOR_CLOSED = 4001;

/** The code with which a connection ends when what let it in is good no more. */
export const SIGNED_OUT = 4002;

/**
 * What a page can ask.
 */
export type Ask = { "type": "create",
/**
 * Who plays which colour.
 */
seats: ByColor<SeatChoice>,
/**
 * Let the server toss for colours: the two seats may change places.
 */
toss: boolean,
/**
 * By which rules; `welcome` tells the presets.
 */
rules: Rules, } | { "type": "again",
/**
 * The old game.
 */
game: string,
/**
 * Whether the players change colours.
 */
swap: boolean, } | { "type": "scrap",
/**
 * The game.
 */
game: string, } | { "type": "abort",
/**
 * The game.
 */
game: string, } | { "type": "claim",
/**
 * The game.
 */
game: string,
/**
 * As won or drawn.
 */
what: Claim, } | { "type": "pause",
/**
 * The game.
 */
game: string, } | { "type": "resume",
/**
 * The game.
 */
game: string, } | { "type": "say",
/**
 * The game.
 */
game: string,
/**
 * What.
 */
phrase: Phrase, } | { "type": "open",
/**
 * The game.
 */
game: string,
/**
 * The last `seq` this page has, after a lost connection: only what is missing is sent.
 */
have?: number, } | { "type": "close",
/**
 * The game.
 */
game: string, } | { "type": "play",
/**
 * The game.
 */
game: string,
/**
 * Where.
 */
square: Square,
/**
 * `view.ply` when the player chose.
 */
ply: number, } | { "type": "takeback",
/**
 * The game.
 */
game: string,
/**
 * `view.ply` when the player chose.
 */
ply: number, } | { "type": "answer",
/**
 * The game.
 */
game: string,
/**
 * What is answered, as the player saw it: another offer may have taken its place since.
 */
what: Wish,
/**
 * Whether to agree.
 */
accept: boolean, } | { "type": "resign",
/**
 * The game.
 */
game: string,
/**
 * Whose game is given up, where one person holds both seats; else the player to move.
 */
color?: Color, } | { "type": "hint",
/**
 * The game.
 */
game: string,
/**
 * `view.ply` when the player asked.
 */
ply: number, } | { "type": "sit",
/**
 * The game.
 */
game: string,
/**
 * The secret from the invitation.
 */
invite: string,
/**
 * What the player is called; 1 or 2, the first or second player, if they give no name.
 */
name: string | 1 | 2, } | { "type": "list",
/**
 * Only games before this one, to read on.
 */
before?: string, } | { "type": "turns" } | { "type": "delete",
/**
 * The game.
 */
game: string, } | { "type": "open_door" } | { "type": "close_door" } | { "type": "study_new",
/**
 * With what.
 */
from: StudySource, } | { "type": "study_open",
/**
 * Which.
 */
study: string, } | { "type": "study_close",
/**
 * Which.
 */
study: string, } | { "type": "studies",
/**
 * Only those after this one in the list, to read on.
 */
before?: string, } | { "type": "study_edit",
/**
 * Which.
 */
study: string,
/**
 * The last `seq` this page has.
 */
seq: number,
/**
 * What to change.
 */
edit: StudyEdit, } | { "type": "study_delete",
/**
 * Which.
 */
study: string, } | { "type": "study_file",
/**
 * Which.
 */
study: string,
/**
 * In which form.
 */
format: StudyFormat,
/**
 * Of which position, or up to where; the whole main line if not given.
 */
at?: number, } | { "type": "study_overlay",
/**
 * Which study.
 */
study: string,
/**
 * Which position.
 */
at: number, } | { "type": "study_line",
/**
 * Which study.
 */
study: string,
/**
 * From which position.
 */
at: number,
/**
 * The moves.
 */
squares: Square[], } | { "type": "analyse",
/**
 * Which board of the page asks: a new question takes the place of the one before it.
 */
key: string,
/**
 * Which study.
 */
study: string,
/**
 * Which position.
 */
at: number,
/**
 * How many moves ahead at most.
 */
depth?: number | null,
/**
 * For how many seconds at most.
 */
seconds?: number | null,
/**
 * Of which moves.
 */
lines?: Lines,
/**
 * With how many threads, if nobody else needs them; one unless it is said.
 */
threads?: number | null, } | { "type": "analyse_stop",
/**
 * Which board of the page.
 */
key: string, } | { "type": "review",
/**
 * Which.
 */
study: string,
/**
 * How many moves ahead at least; as far as is usual if not given.
 */
depth?: number,
/**
 * From which loss on a move is called what; as is usual if not given.
 */
thresholds?: Thresholds, } | { "type": "review_stop",
/**
 * Of which study.
 */
study: string, } | { "type": "exercises",
/**
 * Minutes by which the person's clock is ahead of UTC: days end at their midnight.
 */
offset?: number, } | { "type": "exercise",
/**
 * What to practise.
 */
kind: ExerciseKind,
/**
 * Puzzles of this grade only, from 1 to 5.
 */
level?: number,
/**
 * For openings: which side the person plays. Without it, an opening that is to be asked again.
 */
color?: Color,
/**
 * For openings: the moves so far from the usual start, such as `f5d6c3`. If the opponent is to move, the program answers
 * with what people play there.
 */
moves?: string, } | { "type": "exercise_try",
/**
 * Which.
 */
card: string,
/**
 * With this move.
 */
square: Square,
/**
 * The `moves` of the question, such as `f5d6c3`: an ending may have been played on, an opening turned.
 */
moves?: string, } | { "type": "exercise_add",
/**
 * Which study.
 */
study: string,
/**
 * The position in which the best move is to be found.
 */
at: number, } | { "type": "exercise_remove",
/**
 * Which.
 */
card: string, } | { "type": "exercise_play",
/**
 * Which.
 */
card: string, } | { "type": "library_find",
/**
 * In which order.
 */
sort?: LibrarySort,
/**
 * Leave out so many, to read on.
 */
skip?: number,
/**
 * The games that reach a position: the one after these moves, such as `f5d6c3`. Without a board and without moves, games that
 * began elsewhere are meant too.
 */
moves?: string,
/**
 * Where the moves begin, if not at the usual start: 64 squares from a1 to h8, then a space and the side to move, `X` or `O`.
 */
board?: string,
/**
 * Part of a player's name, whichever colour they have.
 */
player?: string,
/**
 * Part of the name of who plays Black.
 */
black?: string,
/**
 * Part of the name of who plays White.
 */
white?: string,
/**
 * Part of the tournament's name.
 */
tournament?: string,
/**
 * From this year on.
 */
from?: number,
/**
 * Until this year.
 */
to?: number,
/**
 * Who won.
 */
result?: LibraryResult, } | { "type": "library_names",
/**
 * Whose.
 */
kind: LibraryNameKind,
/**
 * A part of the name.
 */
part: string, } | { "type": "library_stats" } | { "type": "library_delete",
/**
 * The games.
 */
numbers: Array<number>,
/**
 * The file.
 */
source?: string, } | { "type": "library_own",
/**
 * Whether they do.
 */
on: boolean, } | { "type": "lobby" } | { "type": "lobby_close" } | { "type": "offer",
/**
 * By which rules.
 */
rules: Rules,
/**
 * The colour one wants.
 */
color?: Color | null,
/**
 * Whether it counts for both ratings.
 */
rated?: boolean,
/**
 * For players with at least so many points.
 */
rating_min?: number | null,
/**
 * For players with at most so many points.
 */
rating_max?: number | null, } | { "type": "offer_withdraw",
/**
 * Which.
 */
offer: string, } | { "type": "offer_accept",
/**
 * Which.
 */
offer: string, } | { "type": "quick",
/**
 * How fast.
 */
speed: Speed,
/**
 * From which position.
 */
opening?: Opening,
/**
 * Whether it counts for both ratings.
 */
rated?: boolean, } | { "type": "challenge",
/**
 * The name of their account.
 */
handle: string,
/**
 * By which rules.
 */
rules: Rules,
/**
 * The colour one wants.
 */
color?: Color | null,
/**
 * Whether it counts for both ratings.
 */
rated?: boolean, } | { "type": "challenge_decline",
/**
 * Which.
 */
offer: string, } | { "type": "block",
/**
 * The name of their account.
 */
handle: string, } | { "type": "unblock",
/**
 * The name of their account.
 */
handle: string, } | { "type": "person",
/**
 * The name of their account.
 */
handle: string, } | { "type": "person_games",
/**
 * The name of their account.
 */
handle: string,
/**
 * Only games before this one, to read on.
 */
before?: string, } | { "type": "leaders",
/**
 * Which kind, such as `rapid-standard`.
 */
category: string, } | { "type": "ping" };

/**
 * Who shall sit on one side.
 */
export type SeatChoice = { "kind": "person",
/**
 * What they are called; 1 or 2, the first or second player, if they give no name.
 */
name: string | 1 | 2, } | { "kind": "computer",
/**
 * One of the levels in `welcome`.
 */
level: number, } | { "kind": "open" };

/**
 * One message to a page.
 */
export type ToBrowser = { "type": "welcome",
/**
 * The version of these messages.
 */
protocol: number,
/**
 * The server's version.
 */
version: string,
/**
 * The server's time, milliseconds since 1970.
 */
now: number,
/**
 * The computer's levels, weakest first.
 */
levels: Array<Level>,
/**
 * Rules that go by a name.
 */
presets: Array<NamedRules>,
/**
 * The way in from the network.
 */
door: DoorView,
/**
 * Who looks at this page.
 */
me: Me,
/**
 * What the server is open for.
 */
house: HouseView, } | { "type": "door" } & DoorView | { "type": "house" } & HouseView | { "type": "game" } & GameView | { "type": "done",
/**
 * The command's id.
 */
id: string,
/**
 * The game it was about, or began.
 */
game?: string,
/**
 * The number of the entry it made in that game's log.
 */
seq?: number, } | { "type": "refused",
/**
 * The command's id; empty if the message could not be read.
 */
id: string,
/**
 * Why, for the page to say in the player's language.
 */
why: Why,
/**
 * Why, in English, for whoever reads the log.
 */
text: string,
/**
 * What is wrong with a text, and where, for the page to say in the player's language.
 */
detail?: LibraryRejected, } | { "type": "hint",
/**
 * The command's id.
 */
id: string,
/**
 * The game.
 */
game: string,
/**
 * For the position after so many moves.
 */
ply: number,
/**
 * A good move there.
 */
square: Square, } | { "type": "hint_reason",
/**
 * The game.
 */
game: string,
/**
 * For the position after so many moves.
 */
ply: number,
/**
 * The good move.
 */
square: Square,
/**
 * Another move, which a player might have chosen.
 */
instead_of: Square,
/**
 * Why that one is bad.
 */
reason: Reason, } | { "type": "games",
/**
 * The command's id.
 */
id: string,
/**
 * The latest first.
 */
games: Array<GameSummary>,
/**
 * Whether there are more: ask with `before` the last one.
 */
more: boolean, } | { "type": "presence",
/**
 * The game.
 */
game: string,
/**
 * Who is there now.
 */
here: ByColor<boolean>,
/**
 * How many people watch who do not play. It is told at most once in a second or so.
 */
watchers: number,
/**
 * In how many milliseconds each player may claim the game; as in `game`.
 */
claim_in_ms: ByColor<number | null>, } | { "type": "gone",
/**
 * The game.
 */
game: string, } | { "type": "library" } & LibraryFound | { "type": "library_names",
/**
 * The command's id.
 */
id: string,
/**
 * The names.
 */
names: Array<LibraryName>, } | { "type": "library_stats" } & LibraryStats | { "type": "library_deleted",
/**
 * The command's id.
 */
id: string,
/**
 * How many games were removed.
 */
removed: number, } | { "type": "study" } & Study | { "type": "study_changed" } & StudyChange | { "type": "study_gone",
/**
 * Which.
 */
study: string, } | { "type": "studies",
/**
 * The command's id.
 */
id: string,
/**
 * The latest first.
 */
studies: Array<StudySummary>,
/**
 * Whether there are more: ask with `before` the last one.
 */
more: boolean, } | { "type": "study_file",
/**
 * The command's id.
 */
id: string,
/**
 * The study.
 */
study: string,
/**
 * The text.
 */
text: string, } | { "type": "study_overlay",
/**
 * The command's id.
 */
id: string,
/**
 * The study.
 */
study: string,
/**
 * The position.
 */
at: number,
/**
 * What can be seen.
 */
overlay: Overlay, } | { "type": "study_line",
/**
 * The command's id.
 */
id: string,
/**
 * The study.
 */
study: string,
/**
 * The position it begins from.
 */
at: number,
/**
 * The board after each move, as far as they are legal.
 */
boards: Array<LineBoard>, } | { "type": "analysis" } & Analysis | { "type": "review",
/**
 * The study.
 */
study: string,
/**
 * How far it is.
 */
stage: ReviewStage,
/**
 * How much of it is done, from 0 to 1.
 */
progress: number,
/**
 * What is known by now.
 */
report: Report, } | { "type": "exercises",
/**
 * The command's id.
 */
id: string,
/**
 * How far this person is.
 */
kinds: Array<ExerciseProgress>,
/**
 * What was answered on each day, the latest first.
 */
days: Array<ExerciseDay>, } | { "type": "exercise" } & Exercise | { "type": "exercise_none",
/**
 * The command's id.
 */
id: string,
/**
 * Of what.
 */
kind: ExerciseKind,
/**
 * When the next one is to be asked, milliseconds since 1970, if any is.
 */
due: number | null, } | { "type": "exercise_answer" } & ExerciseAnswer | { "type": "exercise_added",
/**
 * The command's id.
 */
id: string,
/**
 * The card.
 */
card: string,
/**
 * Whether it was there already.
 */
already: boolean, } | { "type": "lobby" } & Lobby | { "type": "lobby_changed",
/**
 * Offers that were not there.
 */
new: Array<LobbyOffer>,
/**
 * Offers that are no more.
 */
gone: Array<string>,
/**
 * How many people are connected.
 */
players: number,
/**
 * How many games are being played or looked at.
 */
games: number, } | { "type": "offered",
/**
 * The command's id.
 */
id: string,
/**
 * The offer.
 */
offer: LobbyOffer, } | { "type": "paired",
/**
 * The game; its id is that of the offer, unless the server has paired two who wait.
 */
game: string,
/**
 * Whether this page waited for it: then it goes there. Otherwise, by correspondence, it only says so.
 */
waited: boolean, } | { "type": "challenged",
/**
 * The challenge.
 */
offer: LobbyOffer, } | { "type": "offer_gone",
/**
 * Which.
 */
offer: string,
/**
 * Whether it was declined.
 */
declined: boolean, } | { "type": "person" } & Person | { "type": "person_games",
/**
 * The command's id.
 */
id: string,
/**
 * What they are called.
 */
handle: string,
/**
 * The latest first.
 */
games: Array<GameSummary>,
/**
 * Whether there are more: ask with `before` the last one.
 */
more: boolean, } | { "type": "leaders",
/**
 * The command's id.
 */
id: string,
/**
 * At which kind of game.
 */
category: string,
/**
 * The best first.
 */
leaders: Array<Leader>, };

/**
 * Why a command was not carried out.
 */
export type Why = "bad_message" | "too_many" | "no_such_game" | "not_yours" | "not_your_turn" | "wrong_ply" | "occupied" | "turns_nothing" | "over" | "out_of_time" | "waiting" | "no_takebacks" | "nothing_to_take_back" | "already_asked" | "not_asked" | "seat_taken" | "bad_invite" | "no_hints" | "bad_rules" | "not_saved" | "unsure" | "unreadable" | "cannot_listen" | "no_such_card" | "no_such_study" | "no_such_node" | "stale" | "bad_text" | "too_large" | "nothing_to_undo" | "nothing_found" | "scope" | "name_taken" | "rated" | "too_late_to_abort" | "no_claim" | "not_away_yet" | "paused" | "nothing_to_pause" | "said_enough" | "lobby_closed" | "no_such_offer" | "no_such_person" | "needs_account" | "not_for_you" | "not_wanted" | "needs_program_account" | "playing_rated" | "position_in_play" | "full" | "busy" | "too_long";

/**
 * The way in from the network, as one page sees it.
 */
export type DoorView = {
/**
 * Whether other devices on the network get in.
 */
open: boolean,
/**
 * Where, such as `http://192.168.1.20:8464`, the likeliest first. None while it is closed or there is no network.
 */
addresses: Array<string>,
/**
 * Whether this page may open and close it.
 */
yours: boolean, };

/**
 * Who looks at this page.
 */
export type Me = {
/**
 * The name of their account; `null` for a guest.
 */
handle: string | null,
/**
 * Whether they own the server: then they may decide about it.
 */
owner: boolean,
/**
 * Whether they are a program.
 */
bot: boolean,
/**
 * Whether they have signed in here, and signing out makes them somebody else: not whoever is at the machine, who is its owner again.
 */
can_sign_out: boolean, };

/**
 * What the server is open for.
 */
export type HouseView = {
/**
 * Whether people meet in the lobby here. A household has none until its owner opens it.
 */
lobby: boolean,
/**
 * Whether a guest may open an account.
 */
registration: boolean,
/**
 * What the owner tells everyone.
 */
announcement: string | null, };

/**
 * An account, over HTTP.
 */
export type AccountView = {
/**
 * Its name.
 */
handle: string,
/**
 * Whether a program plays.
 */
bot: boolean,
/**
 * Since when, milliseconds since 1970.
 */
made: number, };

/**
 * A browser in which someone has signed in, over HTTP.
 */
export type SessionView = {
/**
 * By which it is ended.
 */
id: string,
/**
 * What the browser calls itself.
 */
agent: string,
/**
 * Since when, milliseconds since 1970.
 */
made: number,
/**
 * When it was last used, to the hour.
 */
seen: number,
/**
 * Whether it is this browser.
 */
here: boolean, };

/**
 * A token, without its text, over HTTP.
 */
export type TokenView = {
/**
 * By which it is ended.
 */
id: string,
/**
 * What its owner calls it.
 */
name: string,
/**
 * What it is good for.
 */
scopes: ("read" | "play")[],
/**
 * Since when, milliseconds since 1970.
 */
made: number,
/**
 * When it was last used, to the hour.
 */
seen: number | null, };

/**
 * A key on somebody's device by which they sign in, over HTTP.
 */
export type PasskeyView = {
/**
 * By which it is ended.
 */
id: string,
/**
 * What the browser in which it was made calls itself.
 */
agent: string,
/**
 * The origin of the page it is good for.
 */
site: string,
/**
 * Since when, milliseconds since 1970.
 */
made: number,
/**
 * When it was last used.
 */
seen: number | null, };

/**
 * A game as one page sees it.
 */
export type GameView = {
/**
 * The game.
 */
game: string,
/**
 * The command that asked for it, in the answer to `open`.
 */
id?: string,
/**
 * How many entries its log has. It only grows; a message with a smaller one than the page has is old.
 */
seq: number,
/**
 * What happened last, so that it can be shown and said.
 */
cause: Cause,
/**
 * The server's time: the clocks in the view are as they stood then.
 */
now: number,
/**
 * The game.
 */
view: View,
/**
 * The board before the first move, as in `view.board`.
 */
start: string,
/**
 * Keep so many of the moves you have, then add `moves`: together they are all that stand.
 */
keep: number,
/**
 * Moves from there on.
 */
moves: Array<MoveView>,
/**
 * The openings with a name that these moves have reached. Keep those that were reached by the moves you keep.
 */
openings?: Array<OpeningReached>,
/**
 * Secrets for the open seats, for those who play: `/#/join/GAME/INVITE` is the link.
 */
invites: ByColor<string | null>,
/**
 * Which players have the game open somewhere; the computer always has. `presence` tells when that changes.
 */
here: ByColor<boolean>,
/**
 * How many people watch who do not play. `presence` tells when that changes.
 */
watchers: number,
/**
 * In how many milliseconds each player may claim the game, because the other is away on their turn: 0 is now, null not at all.
 */
claim_in_ms: ByColor<number | null>,
/**
 * What the game did to both ratings, once it has counted.
 */
rated?: ByColor<RatingChange>, };

/**
 * An opening that the moves of a game have reached. It is the game's until another is reached, however the moves go on.
 */
export type OpeningReached = {
/**
 * After so many moves.
 */
ply: number,
/**
 * In English.
 */
en: string,
/**
 * In Spanish.
 */
es: string, };

/**
 * What made a game change.
 */
export type Cause = "opened" | "move" | "takeback" | "asked" | "declined" | "withdrawn" | "resigned" | "seated" | "clock" | "again" | "back" | "aborted" | "claimed" | "paused" | "resumed" | "said";

/**
 * A strength of the computer.
 */
export type Level = {
/**
 * Its number: 1 is the weakest.
 */
level: number,
/**
 * A word for it that the page translates, such as `club`.
 */
name: string, };

/**
 * Rules and what they are called.
 */
export type NamedRules = {
/**
 * The name.
 */
name: Preset,
/**
 * The rules.
 */
rules: Rules, };

/**
 * A line in the list of a player's games.
 */
export type GameSummary = {
/**
 * The game.
 */
game: string,
/**
 * When it was begun, milliseconds since 1970.
 */
begun: number,
/**
 * When something last happened in it.
 */
changed: number,
/**
 * Where it is.
 */
status: Status,
/**
 * Who plays, as this player sees it.
 */
seats: ByColor<SeatView>,
/**
 * How many moves stand.
 */
ply: number,
/**
 * Who is to move.
 */
turn: Color | null,
/**
 * The board, for a small picture.
 */
board: string,
/**
 * Discs on it.
 */
counts: ByColor<number>,
/**
 * How it ended.
 */
verdict: Verdict | null,
/**
 * When the player to move runs out of time, milliseconds since 1970; null while no clock runs.
 */
until: number | null,
/**
 * It is there but cannot be read, because a later version wrote it or it is damaged. Then nothing else here says anything but
 * `game` and `begun`; it can be deleted.
 */
unreadable?: boolean,
/**
 * What the game did to both ratings, once it has counted.
 */
rated?: ByColor<RatingChange>, };

/**
 * What a new study begins with.
 */
export type StudySource = { "kind": "start" } | { "kind": "text",
/**
 * The text.
 */
text: string, } | { "kind": "game",
/**
 * Which.
 */
game: string, } | { "kind": "library",
/**
 * Its number there.
 */
number: number, } | { "kind": "exercise",
/**
 * Which.
 */
card: string, } | { "kind": "position",
/**
 * 64 squares from a1 to h8, `X` black, `O` white, `-` empty.
 */
board: string,
/**
 * Who is to move.
 */
turn: Color, } | { "kind": "random",
/**
 * The least value for Black, in discs.
 */
from: number,
/**
 * The greatest.
 */
to: number,
/**
 * How many squares are empty.
 */
empties: number, };

/**
 * A change to a study.
 */
export type StudyEdit = { "kind": "play",
/**
 * From where.
 */
at: number,
/**
 * Which.
 */
square: Square, } | { "kind": "line",
/**
 * From where.
 */
at: number,
/**
 * Which.
 */
squares: Square[], } | { "kind": "comment",
/**
 * Where.
 */
at: number,
/**
 * In words.
 */
text: string, } | { "kind": "marks",
/**
 * Where.
 */
at: number,
/**
 * Shapes on squares.
 */
marks: Array<Mark>,
/**
 * Arrows.
 */
arrows: Array<Arrow>, } | { "kind": "remove",
/**
 * Which.
 */
at: number, } | { "kind": "promote",
/**
 * A move of it.
 */
at: number, } | { "kind": "title",
/**
 * What; empty for none.
 */
text: string, } | { "kind": "undo" } | { "kind": "redo" };

/**
 * A file to make of a study.
 */
export type StudyFormat = "sgf" | "ggf" | "transcript" | "svg" | "board";

/**
 * A study as it stands.
 */
export type Study = {
/**
 * The command that asked for it.
 */
id?: string,
/**
 * Its id.
 */
study: string,
/**
 * How many changes there were. It only grows; a message with a smaller one than the page has is old.
 */
seq: number,
/**
 * What it is called; empty if it was given no name.
 */
title: string,
/**
 * Who played Black; empty if nobody says.
 */
black: string,
/**
 * Who played White.
 */
white: string,
/**
 * How the game ended, such as `40-24`.
 */
result: string | null,
/**
 * When it was last changed, milliseconds since 1970.
 */
changed: number,
/**
 * The game on this server that it came from.
 */
game: string | null,
/**
 * Every node; a node stands after its parent.
 */
nodes: Array<StudyNode>,
/**
 * Where it was last changed.
 */
at: number,
/**
 * Whether there is a change to take back.
 */
undo: boolean,
/**
 * Whether one that was taken back can be made again.
 */
redo: boolean,
/**
 * How many more games stood in the text it was made from; only the first was opened.
 */
more?: number,
/**
 * The last finished review of its main line.
 */
report?: Report, };

/**
 * A position in a study, and the move that led to it.
 */
export type StudyNode = {
/**
 * Its number: 0 is the start. Numbers are never used twice in a study.
 */
id: number,
/**
 * The position before the move; none for the start.
 */
parent: number | null,
/**
 * The moves from here; the first is the main line.
 */
children: Array<number>,
/**
 * The move that led here.
 */
square: Square | null,
/**
 * Whose move that was.
 */
by: Color | null,
/**
 * How many moves since the start.
 */
number: number,
/**
 * The board, as in a game.
 */
board: string,
/**
 * Who is to move; nobody when the game is over.
 */
turn: Color | null,
/**
 * Where they may play, and what would turn.
 */
legal: Array<LegalMove>,
/**
 * Whether the other side had to pass after this move.
 */
passed: boolean,
/**
 * What is said of it.
 */
comment: string,
/**
 * Shapes on squares.
 */
marks: Array<Mark>,
/**
 * Arrows.
 */
arrows: Array<Arrow>,
/**
 * What players call the opening.
 */
opening: OpeningName | null,
/**
 * Seconds spent on the move, where known.
 */
seconds: number | null,
/**
 * What the book of openings knows of the moves from here.
 */
book?: Array<BookMove>, };

/**
 * A shape on a square.
 */
export type Mark = {
/**
 * Where.
 */
square: Square,
/**
 * Which shape.
 */
kind: Shape, };

/**
 * What a mark looks like.
 */
export type Shape = "circle" | "square" | "triangle" | "cross";

/**
 * An arrow from one square to another.
 */
export type Arrow = {
/**
 * Where it begins.
 */
from: Square,
/**
 * Where it points.
 */
to: Square, };

/**
 * What players call an opening.
 */
export type OpeningName = {
/**
 * In English.
 */
en: string,
/**
 * In Spanish.
 */
es: string, };

/**
 * A line in the list of a person's studies.
 */
export type StudySummary = {
/**
 * The study.
 */
study: string,
/**
 * What it is called.
 */
title: string,
/**
 * Who played Black.
 */
black: string,
/**
 * Who played White.
 */
white: string,
/**
 * When it was last changed, milliseconds since 1970.
 */
changed: number,
/**
 * The board at the end of its main line.
 */
board: string,
/**
 * Who is to move there.
 */
turn: Color | null,
/**
 * How many moves the main line has.
 */
moves: number,
/**
 * It is there but cannot be read, because a later version wrote it or it is damaged; it can be deleted.
 */
unreadable?: boolean, };

/**
 * What changed in a study.
 */
export type StudyChange = {
/**
 * The command that changed it, for the page that sent it.
 */
id?: string,
/**
 * The study.
 */
study: string,
/**
 * How many changes there are now.
 */
seq: number,
/**
 * What it is called now.
 */
title: string,
/**
 * When that was, milliseconds since 1970.
 */
changed: number,
/**
 * Nodes that are new or different.
 */
nodes: Array<StudyNode>,
/**
 * Nodes that are gone.
 */
removed: Array<number>,
/**
 * Where the change is: a page that made it goes there.
 */
at: number,
/**
 * Whether there is a change to take back.
 */
undo: boolean,
/**
 * Whether one that was taken back can be made again.
 */
redo: boolean, };

/**
 * What can be seen of a position besides its discs.
 */
export type Overlay = {
/**
 * Where Black could play.
 */
black_moves: Square[],
/**
 * Where White could play.
 */
white_moves: Square[],
/**
 * Black's discs beside an empty square.
 */
black_frontier: Square[],
/**
 * White's.
 */
white_frontier: Square[],
/**
 * Black's discs that can never be turned.
 */
black_stable: Square[],
/**
 * White's.
 */
white_stable: Square[],
/**
 * Empty squares that hang together: whoever plays first in one with an even number does not play last.
 */
regions: Square[][], };

/**
 * The board after a move of a line.
 */
export type LineBoard = {
/**
 * The move.
 */
square: Square,
/**
 * Whose it was.
 */
by: Color,
/**
 * The board, as in a game.
 */
board: string,
/**
 * Who is to move; nobody when the game is over.
 */
turn: Color | null,
/**
 * Whether the other side had to pass after it.
 */
passed: boolean,
/**
 * What players call the opening, where the line came to one with a name.
 */
opening?: OpeningName, };

/**
 * Which moves are given a value.
 */
export type Lines = "all" | "best";

/**
 * What the moves of a position are worth, as far as is known by now.
 */
export type Analysis = {
/**
 * Which board of the page asked.
 */
key: string,
/**
 * The study.
 */
study: string,
/**
 * The position.
 */
at: number,
/**
 * Moves and what they are worth, the best first: all of one depth, so that they can be compared.
 */
values: Array<MoveValue>,
/**
 * The moves expected, the best one first.
 */
line: Square[],
/**
 * How many moves ahead was looked.
 */
depth: number,
/**
 * How many positions were looked at.
 */
nodes: number,
/**
 * For how long, in milliseconds.
 */
ms: number,
/**
 * Whether nothing more comes.
 */
done: boolean,
/**
 * How many threads one may ask for on this machine.
 */
cores: number, };

/**
 * A move and what it is worth.
 */
export type MoveValue = {
/**
 * The move.
 */
square: Square,
/**
 * The result to expect for whoever moves, in discs.
 */
score: number,
/**
 * How many moves ahead was looked.
 */
depth: number,
/**
 * How sure the search was of what it left out, in percent.
 */
percent: number,
/**
 * Whether the score is proven.
 */
exact: boolean,
/**
 * The usual error of such a score, in discs; 0 if it is proven.
 */
spread: number, };

/**
 * A move in the book.
 */
export type BookMove = {
/**
 * The move.
 */
square: Square,
/**
 * The result to expect for whoever moves, in discs.
 */
score: number,
/**
 * How deep its leaves were searched.
 */
depth: number,
/**
 * Whether the score is proven.
 */
exact: boolean,
/**
 * How many lines of the book begin with it.
 */
lines: number, };

/**
 * The most discs a move of each class may lose; a blunder loses more than a mistake.
 */
export type Thresholds = {
/**
 * The most a good move loses.
 */
good: number,
/**
 * The most an inaccuracy loses.
 */
inaccuracy: number,
/**
 * The most a mistake loses.
 */
mistake: number, };

/**
 * How far a review has come.
 */
export type ReviewStage = "first" | "deeper" | "reasons" | "done";

/**
 * What there is to practise.
 */
export type ExerciseKind = "puzzles" | "midgames" | "endings" | "mistakes" | "openings";

/**
 * What is asked.
 */
export type ExerciseTask = "best_move" | "only_win" | "only_draw" | "play_out" | "repertoire";

/**
 * Where a reply in an opening comes from.
 */
export type ExerciseReply = "people" | "book";

/**
 * Something that is true of a puzzle's solution.
 */
export type ExerciseTheme = "corner_refused" | "corner_given" | "x_square" | "c_square" | "pass" | "quiet" | "parity";

/**
 * How far a person is with one kind of exercise.
 */
export type ExerciseProgress = {
/**
 * Which.
 */
kind: ExerciseKind,
/**
 * To be asked again by now.
 */
due: number,
/**
 * Never asked so far.
 */
new: number,
/**
 * Remembered: not to be asked again for three weeks or more.
 */
known: number,
/**
 * All there are; for openings, all that were met.
 */
all: number, };

/**
 * What was answered on one day.
 */
export type ExerciseDay = {
/**
 * Days since 1 January 1970, in the person's own time zone.
 */
day: number,
/**
 * Answers.
 */
answered: number,
/**
 * Right ones.
 */
right: number, };

/**
 * A question.
 */
export type Exercise = {
/**
 * The command's id.
 */
id: string,
/**
 * Which card.
 */
card: string,
/**
 * What is practised.
 */
kind: ExerciseKind,
/**
 * What is asked.
 */
task: ExerciseTask,
/**
 * 64 squares from a1 to h8, `X` black, `O` white, `-` empty.
 */
board: string,
/**
 * Who is to move: the person.
 */
turn: Color,
/**
 * Where they may play, and what would turn.
 */
legal: Array<LegalMove>,
/**
 * The moves that led here from the usual start, where they are known. In openings the last one is the program's answer.
 */
moves: Square[],
/**
 * How hard it is, from 1 to 5, where that is known.
 */
level: number | null,
/**
 * What is true of the solution, to be told afterwards.
 */
themes: Array<ExerciseTheme>,
/**
 * What players call the opening.
 */
opening: OpeningName | null,
/**
 * The study it was made from, if that is still there.
 */
from?: ExerciseSource,
/**
 * Openings: where the program's last move comes from.
 */
reply?: ExerciseReply,
/**
 * How often it was answered before.
 */
answered: number, };

/**
 * Where a mistake was made.
 */
export type ExerciseSource = {
/**
 * The study.
 */
study: string,
/**
 * The position before the mistake.
 */
at: number, };

/**
 * What comes of an answer.
 */
export type ExerciseAnswer = {
/**
 * The command's id.
 */
id: string,
/**
 * Which card.
 */
card: string,
/**
 * What was answered.
 */
square: Square,
/**
 * Whether it does what was asked.
 */
right: boolean,
/**
 * Every move that does.
 */
best: Square[],
/**
 * Moves and what they are worth, the best first: all of them where that is known.
 */
values: Array<ExerciseValue>,
/**
 * What follows the best move, itself first.
 */
line: Square[],
/**
 * The board after each move of `line`.
 */
line_boards: Array<string>,
/**
 * What follows the move that was answered, itself first; empty if it is right.
 */
refutation: Square[],
/**
 * The board after each move of `refutation`.
 */
refutation_boards: Array<string>,
/**
 * The move that a mistake was.
 */
mistake?: Square,
/**
 * Why it was bad, as a search has checked it.
 */
reason: Reason | null,
/**
 * When it will be asked again, milliseconds since 1970.
 */
due: number, };

/**
 * A move and what it is worth.
 */
export type ExerciseValue = {
/**
 * The move.
 */
square: Square,
/**
 * The result to expect for whoever moves, in discs.
 */
score: number,
/**
 * Whether it is proven.
 */
exact: boolean, };

/**
 * What is known of a game so far. Scores are in discs, from the side of whoever made the move.
 *
 * A move's score, the value after it and the best score of the move that follows are one number: they never disagree.
 */
export type Report = {
/**
 * The moves judged so far: all of them after the first stage, before that the last ones.
 */
moves: Array<ReportMove>,
/**
 * What Black lost.
 */
black: ReportSide,
/**
 * What White lost.
 */
white: ReportSide,
/**
 * The number of the last turning point that is sure: after it nobody surely lost the win, or the draw, again. `null` if there is none.
 */
decided_at: number | null,
/**
 * By which moves are called what they are called.
 */
thresholds: Thresholds,
/**
 * The time the review took so far.
 */
seconds: number, };

/**
 * One move of a game.
 */
export type ReportMove = {
/**
 * 1 for the first move of the game.
 */
number: number,
/**
 * Who made it.
 */
by: Color,
/**
 * Where.
 */
square: Square,
/**
 * Discs lost against the best move, as far as is known.
 */
loss: number,
/**
 * Discs that it surely lost; below 0 where it may be better than what seems best.
 */
least: number,
/**
 * The usual error of the loss; 0 if it is proven.
 */
error: number,
/**
 * The loss and both scores are proven: both moves were searched to the end of the game.
 */
exact: boolean,
/**
 * The class is stated: nothing accuses without being sure.
 */
sure: boolean,
/**
 * How good it was; `null` while that is not sure.
 */
class: Class | null,
/**
 * What stands behind it where it is worth a look.
 */
mark: ReportMark | null,
/**
 * It took the win, or the draw, from whoever made it.
 */
turning_point: boolean,
/**
 * Nobody chose it: the game began with it. It counts for nobody.
 */
given?: boolean,
/**
 * What it may have lost, where that is not sure.
 */
perhaps: Perhaps | null,
/**
 * The moves known to be best, the search's own first.
 */
best: Square[],
/**
 * The result to expect after it.
 */
score: number,
/**
 * The result to expect after the best move.
 */
best_score: number,
/**
 * The result to expect after it, for Black: what the graph shows.
 */
value_black: number,
/**
 * Plies the search behind it looked ahead.
 */
depth: number,
/**
 * Time taken for it, where the record says so.
 */
seconds: number | null,
/**
 * The part of the game.
 */
phase: Phase,
/**
 * What should have followed, the best move first.
 */
better: Square[],
/**
 * What best play after it looks like, the reply first.
 */
refutation: Square[],
/**
 * Why it was bad, where a search has shown it.
 */
reason: Reason | null,
/**
 * What else was bad about it.
 */
others: Array<Reason>,
/**
 * It was the only good move: every other loses at least so many discs, more than a few, and that is proven.
 */
only_by?: number, };

/**
 * How good or bad a move was.
 */
export type Class = "best" | "good" | "inaccuracy" | "mistake" | "blunder";

/**
 * What players write behind a move that is worth a look: what accuses, and what changed who wins. Lists, graphs, pages and files
 * mark these moves and no others.
 */
export type ReportMark = "?!" | "?" | "??";

/**
 * A loss that is not sure.
 */
export type Perhaps = {
/**
 * Discs.
 */
loss: number,
/**
 * How likely it is that the move is as bad as that: an inaccuracy, or a mistake.
 */
percent: number, };

/**
 * A part of the game, by the empty squares before the move: more than 40, more than 20, or fewer.
 */
export type Phase = "opening" | "midgame" | "ending";

/**
 * What one player lost.
 */
export type ReportSide = {
/**
 * In all.
 */
loss: number,
/**
 * In each part of the game.
 */
phases: PhaseLosses,
/**
 * How quickly they made mistakes, where that is known of two or more.
 */
haste?: Haste, };

/**
 * What was lost in each part of a game.
 */
export type PhaseLosses = {
/**
 * In the first 20 moves.
 */
opening: number,
/**
 * In the next 20.
 */
midgame: number,
/**
 * In the last 20.
 */
ending: number, };

/**
 * How quickly mistakes were made.
 */
export type Haste = {
/**
 * Mistakes and blunders whose time is known.
 */
mistakes: number,
/**
 * Those that took less than [`QUICK`].
 */
quick: number, };

/**
 * Why a move was bad.
 */
export type Reason = {
/**
 * What happened; the message `reason-KIND` says it in words.
 */
kind: ReasonKind,
/**
 * The squares the words speak of, at most two.
 */
squares: Square[],
/**
 * The numbers the words speak of.
 */
numbers: Array<number>,
/**
 * The moves that show it, from the position before the bad move.
 */
line: Square[],
/**
 * The opponent's replies that show it: without them the move loses at most half. None where no reply is to blame.
 */
without: Square[],
/**
 * The part of the loss that it explains, from one half to 1.
 */
share: number,
/**
 * All of it as a sentence, for whoever reads it elsewhere; nobody has written one yet if there is none.
 */
text?: string, };

/**
 * What happened.
 */
export type ReasonKind = "gave_corner" | "opened_corner" | "no_safe_moves" | "opened_wall" | "missed_quiet_move" | "gave_parity" | "gave_stable_discs" | "missed_pass" | "too_early" | "miscounted";

/**
 * Which games are meant. Everything that is said must hold; nothing said, every game is meant.
 */
export type LibraryQuery = {
/**
 * The games that reach a position: the one after these moves, such as `f5d6c3`. Without a board and without moves, games that
 * began elsewhere are meant too.
 */
moves?: string,
/**
 * Where the moves begin, if not at the usual start: 64 squares from a1 to h8, then a space and the side to move, `X` or `O`.
 */
board?: string,
/**
 * Part of a player's name, whichever colour they have.
 */
player?: string,
/**
 * Part of the name of who plays Black.
 */
black?: string,
/**
 * Part of the name of who plays White.
 */
white?: string,
/**
 * Part of the tournament's name.
 */
tournament?: string,
/**
 * From this year on.
 */
from?: number,
/**
 * Until this year.
 */
to?: number,
/**
 * Who won.
 */
result?: LibraryResult, };

/**
 * A result to look for.
 */
export type LibraryResult = "black" | "white" | "draw";

/**
 * The order of a list.
 */
export type LibrarySort = "newest" | "oldest";

/**
 * What a name belongs to.
 */
export type LibraryNameKind = "player" | "tournament";

/**
 * The games that were found, and how they went.
 */
export type LibraryFound = {
/**
 * The command's id.
 */
id: string,
/**
 * The position that was asked for, as 64 squares.
 */
board: string,
/**
 * Who is to move there; null if the game is over.
 */
turn: Color | null,
/**
 * Where they can play.
 */
legal: Array<LegalMove>,
/**
 * What was played there, most games first. Moves that the position's symmetry makes equal are one.
 */
next: Array<LibraryNext>,
/**
 * Some of the games.
 */
list: Array<LibraryGame>,
/**
 * Whether there are more: ask with `skip`.
 */
more: boolean,
/**
 * How many games.
 */
games: number,
/**
 * How many Black won.
 */
black_wins: number,
/**
 * How many nobody won.
 */
draws: number,
/**
 * How many White won.
 */
white_wins: number,
/**
 * The average of Black's score less White's, in discs; null if no score is known.
 */
average: number | null, };

/**
 * Games and their results. Those whose result is not known are in `games` only.
 */
export type LibraryCount = {
/**
 * How many games.
 */
games: number,
/**
 * How many Black won.
 */
black_wins: number,
/**
 * How many nobody won.
 */
draws: number,
/**
 * How many White won.
 */
white_wins: number,
/**
 * The average of Black's score less White's, in discs; null if no score is known.
 */
average: number | null, };

/**
 * A move that was played, and how those games went.
 */
export type LibraryNext = {
/**
 * The square, as the board that was asked for has it.
 */
square: Square,
/**
 * How many games.
 */
games: number,
/**
 * How many Black won.
 */
black_wins: number,
/**
 * How many nobody won.
 */
draws: number,
/**
 * How many White won.
 */
white_wins: number,
/**
 * The average of Black's score less White's, in discs; null if no score is known.
 */
average: number | null, };

/**
 * A line in the list of games.
 */
export type LibraryGame = {
/**
 * Its number in the library.
 */
number: number,
/**
 * Who played Black; empty if it is not known.
 */
black: string,
/**
 * Who played White.
 */
white: string,
/**
 * The tournament.
 */
tournament: string,
/**
 * The round of it.
 */
round: string,
/**
 * The year; null if it is not known.
 */
year: number | null,
/**
 * Black's score less White's; null if it is not known.
 */
score: number | null,
/**
 * Who won, also where the score is not known.
 */
result: LibraryResult | null,
/**
 * How many moves were played.
 */
moves: number,
/**
 * After so many of them it reaches the position.
 */
at: number, };

/**
 * A name, and how many games have it.
 */
export type LibraryName = {
/**
 * The name.
 */
name: string,
/**
 * In how many games.
 */
games: number, };

/**
 * What the library holds.
 */
export type LibraryStats = {
/**
 * The command's id.
 */
id: string,
/**
 * How many games.
 */
games: number,
/**
 * How many players.
 */
players: number,
/**
 * How many tournaments.
 */
tournaments: number,
/**
 * The first and the last year.
 */
years: [number, number] | null,
/**
 * What the file takes on the disk.
 */
bytes: number,
/**
 * The files that games came from; `Outflank` is this program itself.
 */
sources: Array<LibraryName>,
/**
 * Whether this page may add and remove games.
 */
yours: boolean,
/**
 * Whether the owner's finished games join the library.
 */
own: boolean, };

/**
 * What became of files that were sent to `POST /api/library`. While it is not done, `progress` grows from 0 to 1.
 */
export type LibraryReport = {
/**
 * How much is done.
 */
progress: number,
/**
 * How many games are new.
 */
added: number,
/**
 * How many were there already.
 */
already_there: number,
/**
 * How many were refused; the first of them are named.
 */
refused: number,
/**
 * Why.
 */
rejected: Array<LibraryRejected>,
/**
 * It ended early, because the disk is full or the library cannot be used: why, in English.
 */
failed?: string, };

/**
 * A game or a file that was not taken.
 */
export type LibraryRejected = {
/**
 * The file.
 */
file: string,
/**
 * Which game of it, counted from 1; null for the file as a whole.
 */
game: number | null,
/**
 * In which line; null where there are none.
 */
line: number | null,
/**
 * A message of `locales/`, and what is put into it.
 */
why: string,
/**
 * What is put into it.
 */
with: Record<string, string | number>, };

/**
 * An offer to play, or a challenge, as one page sees it.
 */
export type LobbyOffer = {
/**
 * Its id, and the id of the game that it becomes.
 */
id: string,
/**
 * Whose it is.
 */
by: LobbyPlayer,
/**
 * Whom it is for, where it is a challenge.
 */
to: string | null,
/**
 * By which rules.
 */
rules: Rules,
/**
 * The colour that its maker wants.
 */
color: Color | null,
/**
 * Whether the game counts for both ratings.
 */
rated: boolean,
/**
 * What it counts for, such as `rapid-standard`; null without clocks.
 */
category: string | null,
/**
 * For players with at least so many points.
 */
rating_min: number | null,
/**
 * For players with at most so many points.
 */
rating_max: number | null,
/**
 * Whether its maker leaves it to the server whom they play.
 */
quick: boolean,
/**
 * When it was made, milliseconds since 1970.
 */
made: number,
/**
 * Whether it is this person's.
 */
yours: boolean, };

/**
 * Someone in the lobby.
 */
export type LobbyPlayer = {
/**
 * The name of their account; null for a guest.
 */
handle: string | null,
/**
 * Their points in the category of the offer.
 */
rating: number,
/**
 * Whether too little is known of how well they play.
 */
provisional: boolean,
/**
 * Whether a program plays.
 */
bot: boolean, };

/**
 * Who is offered to play, and by whom: the answer to `lobby`.
 */
export type Lobby = {
/**
 * The command's id.
 */
id: string,
/**
 * Offers to anyone, the oldest first.
 */
offers: Array<LobbyOffer>,
/**
 * Challenges to this person, and by them.
 */
challenges: Array<LobbyOffer>,
/**
 * How many people are connected.
 */
players: number,
/**
 * How many games are being played or looked at.
 */
games: number,
/**
 * This person.
 */
you: LobbyYou, };

/**
 * The person who looks at the lobby.
 */
export type LobbyYou = {
/**
 * The name of their account; null for a guest.
 */
handle: string | null,
/**
 * Their ratings.
 */
ratings: Array<CategoryRating>, };

/**
 * How well someone plays one kind of game.
 */
export type CategoryRating = {
/**
 * The kind, such as `rapid-standard`.
 */
category: string,
/**
 * Points.
 */
rating: number,
/**
 * Whether too little is known: few games, or none for long.
 */
provisional: boolean,
/**
 * How many games it is made of.
 */
games: number, };

/**
 * Someone with an account: the answer to `person`.
 */
export type Person = {
/**
 * The command's id.
 */
id: string,
/**
 * What they are called.
 */
handle: string,
/**
 * Whether a program plays.
 */
bot: boolean,
/**
 * Since when they have the account, milliseconds since 1970.
 */
made: number,
/**
 * Whether a page of theirs is connected.
 */
online: boolean,
/**
 * Whether the person who asks has blocked them.
 */
blocked: boolean,
/**
 * Their ratings.
 */
ratings: Array<CategoryRating>,
/**
 * How their games against other people went.
 */
results: Array<Tally>,
/**
 * The latest of them.
 */
games: Array<GameSummary>, };

/**
 * How games of one kind went for one person.
 */
export type Tally = {
/**
 * How fast they were; null without clocks.
 */
speed: Speed | null,
/**
 * Where they began.
 */
opening: Opening,
/**
 * The person's colour.
 */
color: Color,
/**
 * How many they won.
 */
won: number,
/**
 * How many nobody won.
 */
drawn: number,
/**
 * How many they lost.
 */
lost: number, };

/**
 * A line in a list of the best.
 */
export type Leader = {
/**
 * What they are called.
 */
handle: string,
/**
 * Whether a program plays.
 */
bot: boolean,
/**
 * Points.
 */
rating: number,
/**
 * How many games they are made of.
 */
games: number, };

/**
 * What a game did to a rating, in points.
 */
export type RatingChange = {
/**
 * Before.
 */
before: number,
/**
 * After.
 */
after: number, };

/**
 * How fast a game is, by the time one player has for all their moves.
 */
export type Speed = "blitz" | "rapid" | "slow" | "correspondence";

/**
 * A game as one onlooker sees it at one moment.
 */
export type View = {
/**
 * 64 squares from a1 to h8, row by row: `X` black, `O` white, `-` empty.
 */
board: string,
/**
 * How many moves stand; send it with a move.
 */
ply: number,
/**
 * Where the game is.
 */
status: Status,
/**
 * The player to move.
 */
turn: Color | null,
/**
 * Where they may play; nothing unless somebody is to move.
 */
legal: Array<LegalMove>,
/**
 * The last move that stands.
 */
last: MoveView | null,
/**
 * Who had no reply to the last move, so that the turn came back.
 */
passed: Color | null,
/**
 * Discs on the board.
 */
counts: ByColor<number>,
/**
 * Who plays.
 */
seats: ByColor<SeatView>,
/**
 * What was agreed.
 */
rules: Rules,
/**
 * The clocks; null in a game without.
 */
clocks: ClocksView | null,
/**
 * How long the player to move has for their first move, in milliseconds, before the game ends without a result; null where nobody
 * is hurried.
 */
first_move_ms: number | null,
/**
 * The players have stopped the clocks, and nobody is to move.
 */
paused: boolean,
/**
 * How much of each player's time the network took, and they got back: in all, in milliseconds.
 */
lag_ms: ByColor<number>,
/**
 * What the players said to each other. Those who watch hear it after the end.
 */
said: Array<Said>,
/**
 * A wish that waits for the other player's answer.
 */
offer: OfferView | null,
/**
 * How it ended; null until it has.
 */
verdict: Verdict | null,
/**
 * What this onlooker may do now.
 */
can: Array<Can>,
/**
 * The game that took this one's place: go there.
 */
next: string | null, };

/**
 * Where a game is.
 */
export type Status = "waiting" | "playing" | "over";

/**
 * A square that may be played.
 */
export type LegalMove = {
/**
 * The square.
 */
square: Square,
/**
 * The discs that would turn.
 */
turns: Square[], };

/**
 * A move that was played: one row of the move list.
 */
export type MoveView = {
/**
 * Its number, from 1. A pass has none.
 */
number: number,
/**
 * Who played it.
 */
by: Color,
/**
 * Where.
 */
square: Square,
/**
 * The discs that turned.
 */
flips: Square[],
/**
 * The opponent had no reply and passed: a row of its own in the list.
 */
passed: boolean,
/**
 * It was part of the opening the game began from: nobody chose it here.
 */
given: boolean,
/**
 * How long the player took, in milliseconds.
 */
ms: number,
/**
 * The board afterwards, as in [`View::board`].
 */
board: string,
/**
 * Discs on it.
 */
counts: ByColor<number>,
/**
 * Who is to move on it; null when neither side can.
 */
turn: Color | null, };

/**
 * Who sits on one side.
 */
export type SeatView = {
/**
 * What sits there.
 */
kind: SeatKind,
/**
 * A person's name, or 1 or 2 if they gave none: to be called first or second player in the reader's language.
 */
name: string | 1 | 2 | null,
/**
 * The computer's level.
 */
level: number | null,
/**
 * Whether the onlooker holds this seat.
 */
you: boolean,
/**
 * The name of a person's account, where they have one.
 */
handle?: string,
/**
 * Their rating at this kind of game.
 */
rating?: number,
/**
 * Whether the rating rests on few games.
 */
provisional?: boolean,
/**
 * Whether a program plays from this account.
 */
bot?: boolean, };

/**
 * What can sit at a table.
 */
export type SeatKind = "open" | "person" | "computer";

/**
 * Both clocks at one moment.
 */
export type ClocksView = {
/**
 * Black's.
 */
black: ClockView,
/**
 * White's.
 */
white: ClockView,
/**
 * Whose runs: count it down from the moment the message came.
 */
running: Color | null, };

/**
 * One clock at one moment.
 */
export type ClockView = {
/**
 * Milliseconds left in this stage.
 */
left_ms: number,
/**
 * What the time belongs to.
 */
stage: Stage, };

/**
 * The stretch of time a clock is in.
 */
export type Stage = "main" | { "period": number } | "overtime" | "out";

/**
 * A wish that waits for the other player's answer.
 */
export type OfferView = {
/**
 * Who asked.
 */
by: Color,
/**
 * For what.
 */
what: Wish, };

/**
 * What one player can ask of the other.
 */
export type Wish = "takeback" | "new_game" | "rematch" | "scrap" | "pause" | "resume";

/**
 * Something an onlooker may do.
 */
export type Can = "play" | "takeback" | "ask_takeback" | "resign" | "hint" | "again" | "ask_again" | "scrap" | "ask_scrap" | "answer" | "withdraw" | "abort" | "claim" | "pause" | "ask_pause" | "resume" | "ask_resume" | "say";

/**
 * The end of a game.
 */
export type Verdict = {
/**
 * Why no move follows.
 */
ending: Ending,
/**
 * Who lost all their discs, gave up, ran out of time, left or went away, where the end is one player's.
 */
whose: Color | null,
/**
 * Who won; nobody in a draw and in a game without a result.
 */
winner: Color | null,
/**
 * The discs on the board.
 */
discs: ByColor<number>,
/**
 * What the game counts, empties and forfeits included.
 */
score: ByColor<number>,
/**
 * Black's score less White's.
 */
difference: number,
/**
 * Who had run out of time first and so scores at best 31–33, by the two-minute rule.
 */
late: Color | null, };

/**
 * Why a game is over.
 */
export type Ending = "full" | "wiped_out" | "no_moves" | "resigned" | "out_of_time" | "scrapped" | "aborted" | "left";

/**
 * Everything that may differ from one game to another.
 */
export type Rules = {
/**
 * How much time each player has.
 */
time: TimeControl,
/**
 * What running out of time costs. Without a clock it does not matter.
 */
overrun: Overrun,
/**
 * Who gets the squares that stay empty.
 */
empties: Empties,
/**
 * Whether moves may be taken back: freely by one person alone or against the computer, else by agreement.
 */
takebacks: boolean,
/**
 * From which position.
 */
opening: Opening,
/**
 * Whether the game counts for the players' ratings. It then has a clock, and nothing in it is done by agreement: no takeback, no
 * pause, no scrapping.
 */
rated?: boolean,
/**
 * Whether each player must make their first move soon (see [`Rules::first_move_ms`]), or the game ends without a result: for
 * people who do not know each other. In rated games it is always so.
 */
prompt_start?: boolean, };

/**
 * The time a player has for all moves. All times are in milliseconds.
 */
export type TimeControl = { "kind": "none" } | { "kind": "sudden_death",
/**
 * For the whole game.
 */
main_ms: number, } | { "kind": "fischer",
/**
 * At the start.
 */
main_ms: number,
/**
 * Added by each move.
 */
increment_ms: number, } | { "kind": "byo_yomi",
/**
 * Before the first period.
 */
main_ms: number,
/**
 * The length of one period.
 */
period_ms: number,
/**
 * How many there are.
 */
periods: number, } | { "kind": "per_move",
/**
 * For one move: from one day to fourteen.
 */
per_move_ms: number, };

/**
 * What it costs to run out of time.
 */
export type Overrun = "loses" | "two_minutes" | "at_least33";

/**
 * Who gets the squares that are empty when the game ends.
 */
export type Empties = "to_winner" | "discs_only";

/**
 * Where a game begins.
 */
export type Opening = "standard" | "balanced";

/**
 * Rules that go by a name.
 */
export type Preset = "casual" | "club" | "thirty" | "tournament" | "japan";

/**
 * What a player makes of a game that the other one left.
 */
export type Claim = "win" | "draw";

/**
 * Something one player says to the other.
 */
export type Phrase = "hello" | "good_luck" | "well_played" | "thanks" | "sorry" | "one_moment" | "good_game" | "that_was_close";

/**
 * A phrase that was said.
 */
export type Said = {
/**
 * By whom.
 */
by: Color,
/**
 * What.
 */
phrase: Phrase, };
