//! A game as the server shows it: the latest view of it, what is still to be shown, and what can be asked.
//!
//! Nothing is shown that the server has not said, and it says nothing that is not on disk. If the connection is lost, it is made
//! again and whatever was not answered is asked again under the same id, so that it counts once.

use super::link::{Event, Link, NoWay};
use record::Record;
use rules::{ByColor, Color, Square};
use server::protocol::{Ask, Cause, GameSummary, GameView, OpeningReached, SeatChoice, ToBrowser, ToServer, Why};
use std::{
    collections::VecDeque,
    time::{Duration, Instant, SystemTime, UNIX_EPOCH},
};
use study::reason::Reason;
use table::{At, Can, ClockView, CommandId, GameId, MoveView, OfferView, Ply, Rules, SeatKind, Seq, Status, View};

/// Longer than anyone waits.
const FOR_EVER: Duration = Duration::from_secs(24 * 3600);

/// Why nothing was done.
#[derive(Debug)]
pub(super) enum Trouble {
    /// The server does not allow it; the reason in English for those that are rare.
    Refused(Why, String),
    /// There is no way to the games any more.
    Lost(NoWay),
}

/// What a front end has to show.
#[derive(Debug)]
pub(super) enum News {
    /// The game has changed.
    Changed(Cause),
    /// Another game has taken its place.
    Another,
    /// The connection was lost and is back.
    Connected(Way),
    /// The game was deleted.
    Deleted,
    /// What speaks for the hint that was given.
    Advice(Advice),
    /// Somebody typed a line.
    Line(String),
    /// There will be no more lines.
    End,
}

/// What speaks for a good move.
#[derive(Debug)]
pub(super) struct Advice {
    pub(super) square: Square,
    pub(super) instead_of: Square,
    pub(super) reason: Reason,
}

/// Where the games are, after the connection was lost.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Way {
    /// Open in this process.
    Here,
    /// At a server that asked for them, until then open in this process.
    HandedOver,
    /// At a server, as before.
    There,
}

/// What the server said and has not been shown yet.
#[derive(Debug)]
enum Unseen {
    Game(Box<GameView>, Instant),
    Connected(Way),
    Deleted,
    /// After so many moves.
    Advice(Ply, Advice),
}

/// One game, and the connection through which it is played.
#[derive(Debug)]
pub(super) struct Game {
    link: Link,
    /// Its id.
    pub(super) id: GameId,
    /// Whether it was begun just now, so that nothing of it was shown before.
    pub(super) is_new: bool,
    pub(super) view: View,
    /// All the moves that stand.
    pub(super) moves: Vec<MoveView>,
    /// The openings that they have reached.
    openings: Vec<OpeningReached>,
    /// What was asked for before the last change.
    pub(super) asked_before: Option<OfferView>,
    start: String,
    seq: Seq,
    heard: Instant,
    unseen: VecDeque<Unseen>,
    typed: VecDeque<News>,
    ids: Ids,
}

/// Ids for commands, never the same twice.
#[derive(Debug)]
struct Ids {
    session: String,
    next: u64,
}

impl Ids {
    fn new() -> Ids {
        let nanos = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_nanos());
        Ids { session: format!("t{nanos:x}-{:x}", std::process::id()), next: 0 }
    }

    fn fresh(&mut self) -> CommandId {
        self.next += 1;
        let id = format!("{}-{}", self.session, self.next);
        id.parse().unwrap_or_else(|error| unreachable!("{id}: {error}"))
    }
}

/// A connection before a game is chosen.
#[derive(Debug)]
pub(super) struct Lobby {
    link: Link,
    ids: Ids,
}

impl Lobby {
    /// Connects to the games.
    pub(super) fn enter(mut link: Link) -> Result<Lobby, Trouble> {
        link.connect().map_err(Trouble::Lost)?;
        Ok(Lobby { link, ids: Ids::new() })
    }

    /// Begins a game.
    pub(super) fn begin(mut self, seats: ByColor<SeatChoice>, toss: bool, rules: Rules) -> Result<Game, Trouble> {
        match self.ask(Ask::Create { seats, toss, rules })? {
            ToBrowser::Done { game: Some(game), .. } => Ok(Game { is_new: true, ..self.open(game)? }),
            other => Err(unexpected(&other)),
        }
    }

    /// The games of whoever sits here that are not over, the latest first.
    pub(super) fn open_games(&mut self) -> Result<Vec<GameSummary>, Trouble> {
        let mut open = Vec::new();
        let mut before = None;
        loop {
            match self.ask(Ask::List { before: before.take() })? {
                ToBrowser::Games { games, more, .. } => {
                    before = games.last().map(|last| last.game.clone()).filter(|_| more);
                    open.extend(games.into_iter().filter(|game| game.status != Status::Over && !game.unreadable));
                }
                other => return Err(unexpected(&other)),
            }
            if before.is_none() {
                return Ok(open);
            }
        }
    }

    /// Goes on with a game.
    pub(super) fn open(mut self, game: GameId) -> Result<Game, Trouble> {
        match self.ask(Ask::Open { game, have: None })? {
            ToBrowser::Game(view) => Ok(Game::new(self.link, self.ids, *view)),
            other => Err(unexpected(&other)),
        }
    }

    fn ask(&mut self, ask: Ask) -> Result<ToBrowser, Trouble> {
        let command = ToServer { id: self.ids.fresh(), ask };
        self.link.send(command.clone());
        loop {
            match self.link.next(FOR_EVER) {
                Some(Event::Message(message)) if answers(&message) == Some(command.id.as_str()) => {
                    return accepted(*message);
                }
                Some(Event::Gone) => {
                    self.link.connect().map_err(Trouble::Lost)?;
                    self.link.send(command.clone());
                }
                _ => {}
            }
        }
    }
}

/// The command that a message answers.
fn answers(message: &ToBrowser) -> Option<&str> {
    match message {
        ToBrowser::Refused { id, .. } => Some(id),
        ToBrowser::Done { id, .. } | ToBrowser::Hint { id, .. } | ToBrowser::Games { id, .. } => Some(id.as_str()),
        ToBrowser::Game(view) => view.id.as_ref().map(CommandId::as_str),
        _ => None,
    }
}

fn accepted(message: ToBrowser) -> Result<ToBrowser, Trouble> {
    match message {
        ToBrowser::Refused { why, text, .. } => Err(Trouble::Refused(why, text)),
        message => Ok(message),
    }
}

/// An answer to some other question.
fn unexpected(answer: &ToBrowser) -> Trouble {
    Trouble::Refused(Why::BadMessage, format!("{answer:?}"))
}

impl Game {
    fn new(link: Link, ids: Ids, first: GameView) -> Game {
        let GameView { game, seq, view, moves, openings, start, .. } = first;
        Game {
            link,
            id: game,
            is_new: false,
            view,
            moves,
            openings,
            asked_before: None,
            start,
            seq,
            heard: Instant::now(),
            unseen: VecDeque::new(),
            typed: VecDeque::new(),
            ids,
        }
    }

    /// Where whatever is typed goes.
    pub(super) fn keyboard(&self) -> impl Fn(Event) -> bool + Send + use<> {
        self.link.keyboard()
    }

    /// The next thing to show or to do; `None` if there is none for so long. What was typed waits until it is wanted.
    pub(super) fn next(&mut self, lines: bool, wait: Duration) -> Result<Option<News>, Trouble> {
        let until = Instant::now() + wait;
        loop {
            match self.unseen.pop_front() {
                // The game has gone on meanwhile.
                Some(Unseen::Advice(ply, _)) if ply != self.view.ply => continue,
                Some(unseen) => return self.see(unseen).map(Some),
                None => {}
            }
            if lines && let Some(typed) = self.typed.pop_front() {
                return Ok(Some(typed));
            }
            let Some(event) = self.link.next(until.saturating_duration_since(Instant::now())) else { return Ok(None) };
            self.receive(event)?;
        }
    }

    /// Keeps an event for later; a message that answers a command is given back.
    fn receive(&mut self, event: Event) -> Result<Option<ToBrowser>, Trouble> {
        match event {
            Event::Line(line) => self.typed.push_back(News::Line(line)),
            Event::End => self.typed.push_back(News::End),
            Event::Gone => self.reconnect()?,
            Event::Message(message) => match *message {
                ToBrowser::Game(view) if view.id.is_none() => self.keep(view),
                ToBrowser::Gone { game } if game == self.id => self.unseen.push_back(Unseen::Deleted),
                ToBrowser::HintReason { game, ply, square, instead_of, reason } if game == self.id => {
                    self.unseen.push_back(Unseen::Advice(ply, Advice { square, instead_of, reason }));
                }
                message => return Ok(Some(message)),
            },
        }
        Ok(None)
    }

    fn keep(&mut self, view: Box<GameView>) {
        let (heard, told) = (Instant::now(), self.latest());
        // A smaller number is older than what we have; the same one tells nothing but the time.
        if view.game == self.id && view.seq > told {
            self.unseen.push_back(Unseen::Game(view, heard));
        } else if view.game == self.id && view.seq == self.seq && view.seq == told {
            (self.view, self.heard) = (view.view, heard);
        }
    }

    /// The highest entry the server has told of.
    fn latest(&self) -> Seq {
        let told = |unseen: &Unseen| match unseen {
            Unseen::Game(view, _) => Some(view.seq),
            _ => None,
        };
        self.unseen.iter().rev().find_map(told).unwrap_or(self.seq)
    }

    fn see(&mut self, unseen: Unseen) -> Result<News, Trouble> {
        match unseen {
            Unseen::Game(view, heard) => {
                let GameView { seq, cause, view, keep, moves, openings, .. } = *view;
                // Moves that were played before the server was away are told with its coming back.
                let cause = if cause == Cause::Back && view.ply != self.view.ply { Cause::Move } else { cause };
                self.moves.truncate(usize::from(keep.0));
                self.moves.extend(moves);
                self.openings.retain(|reached| reached.ply <= keep);
                self.openings.extend(openings);
                self.asked_before = self.view.offer;
                (self.seq, self.view, self.heard) = (seq, view, heard);
                match self.view.next.clone() {
                    Some(next) => {
                        self.go_to(next)?;
                        Ok(News::Another)
                    }
                    None => Ok(News::Changed(cause)),
                }
            }
            Unseen::Connected(way) => Ok(News::Connected(way)),
            Unseen::Deleted => Ok(News::Deleted),
            Unseen::Advice(_, advice) => Ok(News::Advice(advice)),
        }
    }

    /// Leaves this game for the one that took its place.
    fn go_to(&mut self, game: GameId) -> Result<(), Trouble> {
        let left = std::mem::replace(&mut self.id, game.clone());
        self.unseen.clear();
        self.seq = Seq::default();
        self.tell(Ask::Close { game: left });
        match self.ask(Ask::Open { game, have: None })? {
            ToBrowser::Game(view) => {
                let GameView { seq, view, moves, openings, .. } = *view;
                // What came meanwhile is told by this.
                self.unseen.clear();
                (self.seq, self.view, self.heard) = (seq, view, Instant::now());
                (self.moves, self.openings) = (moves, openings);
                Ok(())
            }
            other => Err(unexpected(&other)),
        }
    }

    /// Sends a command whose answer nobody waits for.
    fn tell(&mut self, ask: Ask) {
        let id = self.ids.fresh();
        self.link.send(ToServer { id, ask });
    }

    /// Asks, and waits for the answer. What else happens meanwhile is kept for later.
    fn ask(&mut self, ask: Ask) -> Result<ToBrowser, Trouble> {
        let command = ToServer { id: self.ids.fresh(), ask };
        self.link.send(command.clone());
        loop {
            match self.link.next(FOR_EVER) {
                Some(Event::Gone) => {
                    self.reconnect()?;
                    self.link.send(command.clone());
                }
                Some(event) => {
                    if let Some(message) = self.receive(event)?
                        && answers(&message) == Some(command.id.as_str())
                    {
                        return accepted(message);
                    }
                }
                None => {}
            }
        }
    }

    /// Does something in this game, and waits until it is done and the server has shown it.
    fn act(&mut self, ask: Ask) -> Result<(), Trouble> {
        let ToBrowser::Done { game, seq: Some(seq), .. } = self.ask(ask)? else { return Ok(()) };
        // What is answered is on disk; what is shown comes before the answer or right after it.
        while game.as_ref() == Some(&self.id) && self.latest() < seq {
            if let Some(event) = self.link.next(FOR_EVER) {
                self.receive(event)?;
            }
        }
        Ok(())
    }

    /// Makes the connection again, and catches up with what happened meanwhile.
    fn reconnect(&mut self) -> Result<(), Trouble> {
        let was_own = self.link.is_own();
        loop {
            self.link.connect().map_err(Trouble::Lost)?;
            let command =
                ToServer { id: self.ids.fresh(), ask: Ask::Open { game: self.id.clone(), have: Some(self.latest()) } };
            self.link.send(command.clone());
            loop {
                match self.link.next(FOR_EVER) {
                    Some(Event::Gone) => break,
                    Some(Event::Message(message)) if answers(&message) == Some(command.id.as_str()) => {
                        self.unseen.push_back(Unseen::Connected(match self.link.is_own() {
                            true => Way::Here,
                            false if was_own => Way::HandedOver,
                            false => Way::There,
                        }));
                        match accepted(*message)? {
                            ToBrowser::Game(view) => self.keep(view),
                            other => return Err(unexpected(&other)),
                        }
                        return Ok(());
                    }
                    Some(event @ (Event::Line(_) | Event::End)) => drop(self.receive(event)?),
                    _ => {}
                }
            }
        }
    }

    /// Places a disc.
    pub(super) fn play(&mut self, square: Square) -> Result<(), Trouble> {
        self.act(Ask::Play { game: self.id.clone(), square, ply: self.view.ply })
    }

    /// Takes a move back, or asks the opponent to allow it.
    pub(super) fn take_back(&mut self) -> Result<(), Trouble> {
        self.act(Ask::Takeback { game: self.id.clone(), ply: self.view.ply })
    }

    /// Gives up.
    pub(super) fn resign(&mut self, color: Color) -> Result<(), Trouble> {
        self.act(Ask::Resign { game: self.id.clone(), color: Some(color) })
    }

    /// Begins another game with the same players, or asks the opponent to; one that is not over is scrapped.
    pub(super) fn again(&mut self, swap: bool) -> Result<(), Trouble> {
        let told = self.latest();
        match self.ask(Ask::Again { game: self.id.clone(), swap })? {
            // It is in the next view of this game where to go.
            ToBrowser::Done { .. } => {
                while self.latest() == told {
                    if let Some(event) = self.link.next(FOR_EVER) {
                        self.receive(event)?;
                    }
                }
                Ok(())
            }
            other => Err(unexpected(&other)),
        }
    }

    /// Agrees to what the opponent asks or declines it; `false` also withdraws what one asked for.
    pub(super) fn answer(&mut self, accept: bool) -> Result<(), Trouble> {
        match self.view.offer {
            Some(offer) => self.act(Ask::Answer { game: self.id.clone(), what: offer.what, accept }),
            None => Err(Trouble::Refused(Why::NotAsked, String::new())),
        }
    }

    /// A good move.
    pub(super) fn hint(&mut self) -> Result<Square, Trouble> {
        match self.ask(Ask::Hint { game: self.id.clone(), ply: self.view.ply })? {
            ToBrowser::Hint { square, .. } => Ok(square),
            other => Err(unexpected(&other)),
        }
    }

    /// The game so far, for files.
    pub(super) fn record(&mut self) -> Result<Result<Record, record::ReadError>, Trouble> {
        let begun = self.begun()?;
        Ok(server::record_of(&self.view, &self.moves, begun))
    }

    /// When it was begun: its list knows.
    fn begun(&mut self) -> Result<At, Trouble> {
        let mut before = None;
        loop {
            match self.ask(Ask::List { before: before.take() })? {
                ToBrowser::Games { games, more, .. } => {
                    if let Some(this) = games.iter().find(|game| game.game == self.id) {
                        return Ok(this.begun);
                    }
                    before = games.last().map(|last| last.game.clone()).filter(|_| more);
                }
                other => return Err(unexpected(&other)),
            }
            if before.is_none() {
                return Err(Trouble::Refused(Why::NoSuchGame, String::new()));
            }
        }
    }

    /// Lets the clocks stand still where the games are open in this process, until [`come_back`](Game::come_back).
    pub(super) fn leave(&mut self) {
        self.link.close();
    }

    /// Goes on after [`leave`](Game::leave).
    pub(super) fn come_back(&mut self) -> Result<(), Trouble> {
        self.reconnect()?;
        // Nobody needs to be told of what they did themselves.
        self.unseen.retain(|unseen| !matches!(unseen, Unseen::Connected(_)));
        Ok(())
    }

    /// The board after so many moves, as in [`View::board`].
    pub(super) fn board(&self, moves: usize) -> &str {
        moves.checked_sub(1).and_then(|last| self.moves.get(last)).map_or(&self.start, |played| &played.board)
    }

    /// Who was to move after so many moves.
    pub(super) fn turn_after(&self, moves: usize) -> Option<Color> {
        moves.checked_sub(1).and_then(|last| self.moves.get(last)).map_or(Some(Color::Black), |played| played.turn)
    }

    /// The opening that the first so many moves came by last.
    pub(super) fn opening(&self, moves: usize) -> Option<&OpeningReached> {
        self.openings.iter().rev().find(|reached| usize::from(reached.ply.0) <= moves)
    }

    /// How many of the moves were given.
    pub(super) fn given(&self) -> usize {
        self.moves.iter().take_while(|played| played.given).count()
    }

    /// Whether somebody here is to move.
    pub(super) fn is_ours(&self) -> bool {
        self.view.can.contains(&Can::Play)
    }

    /// Whether the computer is to move.
    pub(super) fn is_thinking(&self) -> bool {
        self.view.turn.is_some_and(|turn| self.view.seats[turn].kind == SeatKind::Computer)
    }

    /// Whose clock runs.
    pub(super) fn running(&self) -> Option<Color> {
        self.view.clocks?.running
    }

    /// Both clocks now; `None` in a game without.
    pub(super) fn clocks(&self) -> Option<ByColor<ClockView>> {
        let clocks = self.view.clocks?;
        let mut now = ByColor { black: clocks.black, white: clocks.white };
        if let Some(color) = clocks.running {
            now[color].left_ms = now[color].left_ms.saturating_sub(self.heard.elapsed().as_millis() as u64);
        }
        Some(now)
    }

    /// The person here who gives up: the one to move, or the only one.
    pub(super) fn person(&self) -> Color {
        let ours = |color: &Color| self.view.seats[*color].you;
        self.view.turn.filter(ours).or(Color::ALL.into_iter().find(ours)).unwrap_or(Color::Black)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine::Level;
    use table::{Called, Ending, Preset, TimeControl};

    #[test]
    fn the_strongest_level_plays_a_whole_game_in_three_seconds_and_does_not_lose_on_time() {
        let folder = tempfile::tempdir().unwrap();
        let rules = Rules { time: TimeControl::SuddenDeath { main_ms: 3000 }, ..Preset::Club.rules() };
        let computer = SeatChoice::Computer { level: Level::STRONGEST.number };
        let seats = ByColor { black: computer, white: SeatChoice::Person { name: Called::First } };
        let link = Link::new(folder.path().to_owned(), Duration::from_millis(400)).unwrap();
        let mut game = Lobby::enter(link).unwrap().begin(seats, false, rules).unwrap();
        while game.view.verdict.is_none() {
            if game.is_ours() {
                // On a busy machine it may be this side whose time runs out.
                let _ = game.play(game.view.legal[0].square);
            }
            game.next(false, FOR_EVER).unwrap();
        }
        let verdict = game.view.verdict.unwrap();
        let flag = (verdict.ending == Ending::OutOfTime).then_some(verdict.whose);
        assert_ne!(flag, Some(Some(Color::Black)), "{verdict:?} after {} moves", game.moves.len());
    }

    #[test]
    fn no_command_has_the_id_of_another() {
        let (mut one, mut other) = (Ids::new(), Ids::new());
        let ids: std::collections::BTreeSet<CommandId> = (0..4).flat_map(|_| [one.fresh(), other.fresh()]).collect();
        assert_eq!(ids.len(), 8);
    }
}
