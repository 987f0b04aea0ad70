//! `outflank bot`: our engine, or any that speaks GTP or NBoard's protocol, at a table of a server.
//!
//! It plays one game at a time: those that are not over first, then whoever takes its offer or challenges it to a game with clocks, or whose offer
//! fits. In a game without them, or with days for each move, it moves when it is its turn and plays others meanwhile. What ends the
//! connection ends no game: it comes back and goes on. Ctrl-C lets it finish the game that it plays and takes no other; a second one ends it
//! at once. It resigns nothing, and claims what whoever has left leaves to it.

mod brain;
mod line;
mod offers;

use crate::{
    args::Bot,
    brain as weights,
    commands::matches,
    context::{Context, Failure},
    duel::{
        external::{Protocol, Trouble},
        player::{Control, Player, Strength},
    },
    fail, interrupt, text,
};
use brain::{Brain, Thought};
use engine::Level;
use line::{Line, Refused};
use offers::{Wanted, is_live};
use rules::{Color, Square};
use serde_json::{Value, json};
use std::{
    collections::HashSet,
    io,
    time::{Duration, SystemTime, UNIX_EPOCH},
};
use tokio::{
    runtime,
    sync::watch,
    time::{Instant, interval, sleep, sleep_until},
};

/// After a lost connection it waits so long at first, and twice as long each time.
const FIRST_WAIT: Duration = Duration::from_millis(250);
/// And never longer than this.
const LONGEST_WAIT: Duration = Duration::from_secs(30);
/// How often it looks for offers that nobody takes.
const LOOK: Duration = Duration::from_secs(3);
/// For a move of a game with days for each.
const UNHURRIED: Duration = Duration::from_secs(10);
/// What a move may take on its way.
const ON_ITS_WAY: Duration = Duration::from_millis(300);

pub(crate) fn run(args: &Bot, context: &Context) -> Result<(), Failure> {
    let runtime = runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
        .map_err(|error| fail!(context, "cli-load-stopped", reason = context.reason(&error)))?;
    let player = match &args.engine {
        None => Player::Engine { strength: Strength::Level(args.level.unwrap_or(Level::STRONGEST)), weights: None },
        Some(engine) => external(engine, &args.protocol).map_err(|()| fail!(context, "cli-bot-no-engine"))?,
    };
    let seed = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |now| now.as_nanos() as u64);
    let brain = Brain::new(player.sit_down(args.hash.into(), &weights::evaluator()), seed);
    let (stop, stopping) = watch::channel(false);
    runtime.block_on(async {
        tokio::spawn(async move {
            interrupt::asked().await;
            let _ = stop.send(true);
            interrupt::asked().await;
            std::process::exit(130);
        });
        let playing = Playing {
            args,
            context,
            brain: Some(brain),
            stopping,
            joined: false,
            left: args.games,
            unhurried: HashSet::new(),
            not_for_us: HashSet::new(),
        };
        playing.run().await
    })
}

/// An engine as the user names it.
fn external(command: &str, protocol: &str) -> Result<Player, ()> {
    match Player::named(&format!("{protocol}:{command}")) {
        Ok(player @ Player::External(Protocol::Gtp | Protocol::Nboard { .. }, _)) => Ok(player),
        _ => Err(()),
    }
}

/// Why it stops playing on this connection.
enum Trip {
    /// The connection is gone.
    Lost(io::Error),
    /// There is nothing more to do, or no way to do it.
    Failed(Failure),
}

impl From<io::Error> for Trip {
    fn from(error: io::Error) -> Trip {
        Trip::Lost(error)
    }
}

impl From<Failure> for Trip {
    fn from(failure: Failure) -> Trip {
        Trip::Failed(failure)
    }
}

struct Playing<'a> {
    args: &'a Bot,
    context: &'a Context,
    /// Away while it thinks.
    brain: Option<Brain>,
    stopping: watch::Receiver<bool>,
    /// Whether the seat of the link was taken.
    joined: bool,
    /// How many games are still to be played, if not any number.
    left: Option<u32>,
    /// Games that nobody waits for.
    unhurried: HashSet<String>,
    /// Offers that were refused to it: they stay so.
    not_for_us: HashSet<String>,
}

impl Playing<'_> {
    async fn run(mut self) -> Result<(), Failure> {
        let server = self.args.server.clone();
        let mut wait = FIRST_WAIT;
        let mut known = false;
        loop {
            let lost = match Line::open(&server, &self.args.token).await {
                Ok(line) => {
                    (wait, known) = (FIRST_WAIT, true);
                    match self.sit(line).await {
                        Ok(()) => return Ok(()),
                        Err(Trip::Failed(failure)) => return Err(failure),
                        Err(Trip::Lost(error)) => error,
                    }
                }
                Err(error) => error,
            };
            let (address, reason) = (server.to_string(), self.context.reason(&lost));
            // A server that never let it in is another matter than one that is being restarted.
            if !known || lost.kind() == io::ErrorKind::PermissionDenied {
                return Err(fail!(self.context, "cli-error-unreachable", address = address, reason = reason));
            }
            self.context.line(&text!(self.context, "cli-bot-lost", address = address, reason = reason))?;
            tokio::select! {
                () = sleep(wait) => {}
                _ = self.stopping.wait_for(|stop| *stop) => return Ok(()),
            }
            wait = (wait * 2).min(LONGEST_WAIT);
        }
    }

    fn is_stopping(&self) -> bool {
        *self.stopping.borrow() || self.left == Some(0)
    }

    /// Plays on one connection until there is nothing more to play.
    async fn sit(&mut self, mut line: Line) -> Result<(), Trip> {
        let address = self.args.server.to_string();
        self.context.line(&match line.welcome["me"]["handle"].as_str() {
            Some(name) => text!(self.context, "cli-bot-ready-as", address = address, name = name.to_owned()),
            None => text!(self.context, "cli-bot-ready", address = address),
        })?;
        loop {
            if self.is_stopping() {
                return Ok(());
            }
            if let Some(game) = self.unfinished(&mut line).await? {
                self.play(&mut line, &game).await?;
                continue;
            }
            let game = match &self.args.join {
                Some(_) if self.joined => return Ok(()),
                Some(link) => Some(self.join(&mut line, link).await?),
                None => self.meet(&mut line).await?,
            };
            match game {
                Some(game) => self.play(&mut line, &game).await?,
                None => return Ok(()),
            }
        }
    }

    /// A game of ours that goes on: one in which it is our turn, or one with clocks.
    async fn unfinished(&self, line: &mut Line) -> Result<Option<String>, Trip> {
        let listed = self.done(line, json!({"type": "list"})).await?;
        Ok(going_on(&listed, &self.unhurried))
    }

    /// Takes the seat that a link is for.
    async fn join(&mut self, line: &mut Line, link: &str) -> Result<String, Trip> {
        let mut parts = link.trim_end_matches('/').rsplit('/');
        let (Some(invite), Some(game)) = (parts.next(), parts.next()) else {
            return Err(fail!(self.context, "cli-bot-bad-link", link = link.to_owned()).into());
        };
        let name = self.args.name.clone().unwrap_or_else(|| "Outflank".to_owned());
        let sit = json!({"type": "sit", "game": game, "invite": invite, "name": name});
        self.done(line, sit).await?;
        self.joined = true;
        Ok(game.to_owned())
    }

    /// The answer to what must be; a refusal ends the program.
    async fn done(&self, line: &mut Line, ask: Value) -> Result<Value, Trip> {
        let answer = self.ask(line, ask).await?;
        answer.map_err(|refused| fail!(self.context, "cli-bot-refused", why = refused.why, text = refused.text).into())
    }

    /// Asks, and again later whatever was refused only for the moment: too much at once, a database that is being restarted, a lobby that
    /// its owner may open again.
    async fn ask(&self, line: &mut Line, ask: Value) -> Result<Result<Value, Refused>, Trip> {
        let (mut id, mut wait, mut stopping) = (line.new_id(), FIRST_WAIT, self.stopping.clone());
        loop {
            let refused = match line.ask_as(&id, ask.clone()).await? {
                Err(refused) if matches!(refused.why.as_str(), "too_many" | "full" | "not_saved" | "lobby_closed") => {
                    refused
                }
                answer => return Ok(answer),
            };
            if *stopping.borrow() {
                return Ok(Err(refused));
            }
            if wait == FIRST_WAIT {
                self.context.line(&text!(
                    self.context,
                    "cli-bot-later",
                    why = refused.why.clone(),
                    text = refused.text
                ))?;
            }
            // What was not kept may have been, and is asked under the same name; what was refused is remembered under it.
            if refused.why != "not_saved" {
                id = line.new_id();
            }
            let until = Instant::now() + wait;
            loop {
                tokio::select! {
                    () = sleep_until(until) => break,
                    // Whoever does not read what the server says is taken to be gone.
                    heard = line.listen() => heard?,
                    _ = stopping.wait_for(|stop| *stop) => break,
                }
            }
            wait = (wait * 2).min(LONGEST_WAIT);
        }
    }

    /// The rules of its own offers.
    fn rules(&self) -> Value {
        let (main_ms, increment_ms) = (self.args.minutes * 60_000, self.args.increment * 1000);
        let time = match increment_ms {
            0 => json!({"kind": "sudden_death", "main_ms": main_ms}),
            _ => json!({"kind": "fischer", "main_ms": main_ms, "increment_ms": increment_ms}),
        };
        // As everyone's casual games are: whoever presses a button for one is paired with it.
        json!({"time": time, "overrun": "loses", "empties": "to_winner", "takebacks": self.args.casual, "opening": "standard",
            "rated": !self.args.casual})
    }

    /// Waits in the lobby for a game; `None` if it is to stop first.
    async fn meet(&mut self, line: &mut Line) -> Result<Option<String>, Trip> {
        let (rules, rated) = (self.rules(), !self.args.casual);
        let me = &line.welcome["me"];
        if let Some(name) = me["handle"].as_str().filter(|_| rated && me["bot"] == false) {
            return Err(fail!(self.context, "cli-bot-persons-account", name = name.to_owned()).into());
        }
        let lobby = self.done(line, json!({"type": "lobby"})).await?;
        let mut wanted = Wanted { time: rules["time"].clone(), rated, ratings: lobby["you"]["ratings"].clone() };
        let challenges = lobby["challenges"].as_array().into_iter().flatten();
        for offer in challenges.filter(|offer| offer["yours"] == false) {
            if let Some(game) = self.challenged(line, offer).await? {
                return Ok(Some(game));
            }
        }
        if let Some(game) = self.take(line, &lobby["offers"], &wanted, None).await? {
            return Ok(Some(game));
        }
        let offered = self.done(line, json!({"type": "offer", "rules": rules, "color": null, "rated": rated})).await?;
        // Somebody was there already.
        if let Some(game) = offered["game"].as_str() {
            return Ok(Some(game.to_owned()));
        }
        let own = offered["offer"].clone();
        self.context.line(&text!(self.context, "cli-bot-waits"))?;
        let (mut look, mut stopping) = (interval(LOOK), self.stopping.clone());
        let mut seen = HashSet::new();
        let found = loop {
            let message = tokio::select! {
                message = line.next() => message?,
                // Whoever did not come by themselves does not look.
                _ = look.tick() => {
                    if let Some(game) = self.unfinished(line).await? {
                        break Some(game);
                    }
                    let lobby = self.done(line, json!({"type": "lobby"})).await?;
                    wanted.ratings = lobby["you"]["ratings"].clone();
                    let offers = lobby["offers"].as_array().cloned().unwrap_or_default();
                    let (stay, new): (Vec<Value>, Vec<Value>) =
                        offers.into_iter().partition(|offer| seen.contains(&offer["id"].to_string()));
                    if let Some(game) = self.take(line, &stay.into(), &wanted, None).await? {
                        break Some(game);
                    }
                    seen.extend(new.iter().map(|offer| offer["id"].to_string()));
                    continue;
                }
                _ = stopping.wait_for(|stop| *stop) => break None,
            };
            match message["type"].as_str() {
                Some("paired") => return Ok(message["game"].as_str().map(str::to_owned)),
                Some("challenged") => {
                    if let Some(game) = self.challenged(line, &message["offer"]).await? {
                        break Some(game);
                    }
                }
                Some("lobby_changed") => {
                    if let Some(game) = self.take(line, &message["new"], &wanted, Some(&own)).await? {
                        break Some(game);
                    }
                }
                _ => {}
            }
        };
        // It may have been taken meanwhile. Then that game waits among those that are not over.
        let _ = line.ask(json!({"type": "offer_withdraw", "offer": own["id"]})).await?;
        Ok(found.or_else(|| line.take_paired()))
    }

    /// Takes a challenge to a game with clocks, which ends while both are there; declines any other, so that whoever asks knows.
    async fn challenged(&mut self, line: &mut Line, offer: &Value) -> Result<Option<String>, Trip> {
        if is_live(&offer["rules"]) {
            return self.accept(line, offer).await;
        }
        // It may have been withdrawn.
        let _ = self.ask(line, json!({"type": "challenge_decline", "offer": offer["id"]})).await?;
        Ok(None)
    }

    /// Takes another's offer of the same game, if there is one that is older than its own: of two who look for each other, one moves.
    async fn take(
        &mut self,
        line: &mut Line,
        offers: &Value,
        wanted: &Wanted,
        own: Option<&Value>,
    ) -> Result<Option<String>, Trip> {
        let age = |offer: &Value| (offer["made"].as_u64(), offer["id"].as_str().map(str::to_owned));
        for offer in offers.as_array().into_iter().flatten() {
            let fits = wanted.fits(offer) && own.is_none_or(|own| age(offer) < age(own));
            if fits
                && !self.not_for_us.contains(&offer["id"].to_string())
                && let Some(game) = self.accept(line, offer).await?
            {
                return Ok(Some(game));
            }
        }
        Ok(None)
    }

    /// Takes an offer; `None` if it is gone, or for others, which it stays.
    async fn accept(&mut self, line: &mut Line, offer: &Value) -> Result<Option<String>, Trip> {
        match self.ask(line, json!({"type": "offer_accept", "offer": offer["id"]})).await? {
            Ok(done) => Ok(done["game"].as_str().map(str::to_owned)),
            Err(_) => {
                self.not_for_us.insert(offer["id"].to_string());
                Ok(None)
            }
        }
    }

    /// Plays a game to its end; one that nobody waits for until it is the other's turn.
    async fn play(&mut self, line: &mut Line, game: &str) -> Result<(), Trip> {
        let mut state = self.done(line, json!({"type": "open", "game": game})).await?;
        let mut moves: Vec<Square> = Vec::new();
        // Messages of a time before what it has seen are old; before its own move is seen it does not move again.
        let (mut told, mut seen, mut moved) = (false, 0, 0);
        loop {
            // Who is there changes nothing on the board.
            let seq = state["seq"].as_u64().unwrap_or_default();
            if state["type"] != "game" || seq < seen {
                state = line.news(game).await?;
                continue;
            }
            seen = seq;
            merge(&mut moves, &state);
            if seq < moved {
                state = line.news(game).await?;
                continue;
            }
            let view = &state["view"];
            let mine = Color::ALL.into_iter().find(|color| view["seats"][name(*color)]["you"] == true);
            if !told && view["status"] == "playing" {
                let color = mine.map_or(String::new(), |color| name(color).to_owned());
                self.context.line(&text!(self.context, "cli-bot-game", game = game.to_owned(), color = color))?;
                told = true;
            }
            if view["status"] == "over" {
                let difference = view["verdict"]["difference"].as_i64().unwrap_or_default();
                let ours = if mine == Some(Color::White) { -difference } else { difference };
                self.context.line(&text!(self.context, "cli-bot-over", game = game.to_owned(), difference = ours))?;
                self.left = self.left.map(|left| left.saturating_sub(1));
                let _ = line.ask(json!({"type": "close", "game": game})).await?;
                return Ok(());
            }
            self.answer_wish(line, game, view, mine).await?;
            let turn = mine.filter(|color| view["turn"] == name(*color));
            state = match turn {
                Some(color) => match self.turn(line, game, &state, color, &moves).await? {
                    Some(seq) => {
                        moved = seq;
                        line.news(game).await?
                    }
                    // The game has gone on without it: a flag fell, the other resigned or took back.
                    None => self.done(line, json!({"type": "open", "game": game})).await?,
                },
                None if self.args.join.is_none() && view["status"] == "playing" && !is_live(&view["rules"]) => {
                    self.unhurried.insert(game.to_owned());
                    let _ = line.ask(json!({"type": "close", "game": game})).await?;
                    return Ok(());
                }
                None => self.opponent(line, game, &state, mine).await?,
            };
        }
    }

    /// Waits for what the other does: how the game stands then. Whoever has left for as long as the server waits for them has lost.
    async fn opponent(&self, line: &mut Line, game: &str, state: &Value, mine: Option<Color>) -> Result<Value, Trip> {
        let claim_in = |message: &Value| message["claim_in_ms"][name(mine?)].as_u64().map(Duration::from_millis);
        let mut claim = claim_in(state).map(|wait| Instant::now() + wait);
        loop {
            let message = tokio::select! {
                message = line.news(game) => message?,
                () = sleep_until(claim.unwrap_or_else(Instant::now)), if claim.is_some() => {
                    // They may have come back, which is said, or it is a moment too early.
                    let _ = self.ask(line, json!({"type": "claim", "game": game, "what": "win"})).await?;
                    claim = Some(Instant::now() + LOOK);
                    continue;
                }
            };
            if message["type"] == "game" {
                return Ok(message);
            }
            claim = claim_in(&message).map(|wait| Instant::now() + wait);
        }
    }

    /// A takeback is a courtesy in a casual game; anything else would end this one.
    async fn answer_wish(&self, line: &mut Line, game: &str, view: &Value, mine: Option<Color>) -> Result<(), Trip> {
        let Some(by) = view["offer"]["by"].as_str() else { return Ok(()) };
        if mine.is_some_and(|mine| name(mine) != by) {
            let what = &view["offer"]["what"];
            let accept = *what == "takeback";
            // It may have been withdrawn.
            let _ = line.ask(json!({"type": "answer", "game": game, "what": what, "accept": accept})).await?;
        }
        Ok(())
    }

    /// Thinks and moves: as which entry, if the move was still good.
    async fn turn(
        &mut self,
        line: &mut Line,
        game: &str,
        state: &Value,
        color: Color,
        moves: &[Square],
    ) -> Result<Option<u64>, Trip> {
        let view = &state["view"];
        let control = control(view, color);
        let Some(mut brain) = self.brain.take() else { return Err(self.troubled(&Trouble::Crashed).into()) };
        let known = moves.to_vec();
        let mut thinking = tokio::task::spawn_blocking(move || {
            let thought = brain.choose(color, &known, control);
            (brain, thought)
        });
        // Whoever does not read what the server says is taken to be gone.
        let mut lost = None;
        let thought = loop {
            tokio::select! {
                thought = &mut thinking => break thought,
                heard = line.listen(), if lost.is_none() => lost = heard.err(),
            }
        };
        let Ok((brain, thought)) = thought else { return Err(self.troubled(&Trouble::Crashed).into()) };
        self.brain = Some(brain);
        if let Some(error) = lost {
            return Err(error.into());
        }
        let square = match thought {
            Thought::Move(square) => square,
            Thought::Trouble(trouble) => return Err(self.troubled(&trouble).into()),
        };
        let ply = view["ply"].as_u64().unwrap_or_default();
        let play = json!({"type": "play", "game": game, "square": square.to_string(), "ply": ply});
        match line.ask(play).await? {
            Ok(done) => Ok(done["seq"].as_u64()),
            Err(refused) if matches!(refused.why.as_str(), "turns_nothing" | "occupied") => {
                Err(self.troubled(&Trouble::Illegal(square)).into())
            }
            Err(_) => Ok(None),
        }
    }

    fn troubled(&self, trouble: &Trouble) -> Failure {
        fail!(self.context, "cli-bot-trouble", why = matches::why(trouble, self.context))
    }
}

/// Of the games in a list, one that goes on: where it is our turn, or else one that is not known to take days.
fn going_on(listed: &Value, unhurried: &HashSet<String>) -> Option<String> {
    let games = listed["games"].as_array().into_iter().flatten().filter(|game| game["status"] == "playing");
    let id = |game: &Value| game["game"].as_str().map(str::to_owned);
    let ours = |game: &&Value| game["turn"].as_str().is_some_and(|turn| game["seats"][turn]["you"] == true);
    let hurried = |game: &&Value| id(game).is_some_and(|id| !unhurried.contains(&id));
    let by_age: Vec<&Value> = games.rev().collect();
    let first = by_age.iter().find(|game| hurried(game)).or_else(|| by_age.iter().find(|game| ours(game)));
    first.and_then(|game| id(game))
}

/// A colour as the server calls it.
fn name(color: Color) -> &'static str {
    match color {
        Color::Black => "black",
        Color::White => "white",
    }
}

/// The moves that stand: what is kept of those that were known, and what is new.
fn merge(moves: &mut Vec<Square>, state: &Value) {
    moves.truncate(state["keep"].as_u64().unwrap_or_default() as usize);
    let new = state["moves"].as_array().into_iter().flatten();
    moves.extend(new.filter_map(|played| played["square"].as_str()?.parse::<Square>().ok()));
}

/// How much time there is.
fn control(view: &Value, color: Color) -> Control {
    let Some(left) = view["clocks"][name(color)]["left_ms"].as_u64() else { return Control::None };
    let left = Duration::from_millis(left).saturating_sub(ON_ITS_WAY).max(Duration::from_millis(50));
    match view["rules"]["time"]["kind"].as_str() {
        Some("per_move") => Control::Move(left.min(UNHURRIED)),
        _ => Control::Game(left),
    }
}
