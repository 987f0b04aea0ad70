//! Someone who plays or watches: [`Person`]. They do whatever the dice say, and note what they were told.

use super::{
    node::Node,
    truth::{Someone, seen},
    wire::Wire,
    world::Scene,
};
use axum::extract::ws::Message;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use store::Sqlite;
use table::{At, GameId, PersonId};

/// Whoever has no answer for so long connects again.
const PATIENCE: At = 9_000;
/// What the server could not do is asked for again after so long.
const AGAIN: At = 700;
/// How many games somebody plays at once.
const AT_ONCE: usize = 2;

/// Someone, and all they know.
#[derive(Debug)]
pub(super) struct Person {
    number: usize,
    someone: Someone,
    line: Option<Line>,
    /// Connections of which the server does not know yet that nobody is there any more.
    forgotten: Vec<(usize, Wire)>,
    games: BTreeMap<String, Known>,
    /// Offers of others.
    offers: BTreeSet<String>,
    waits_for: Option<Asked>,
    commands: u64,
    /// When they next do something.
    acts: At,
    /// They neither read nor write until then: a closed laptop.
    frozen: At,
    /// What was acknowledged: the command, where, by which entry, and what it was.
    done: Vec<(String, String, u64, Value)>,
    /// What was refused for good, and where.
    refused: Vec<(String, String)>,
}

/// A connection.
#[derive(Debug)]
struct Line {
    node: usize,
    wire: Wire,
    /// What lets it in.
    secret: String,
    since: At,
    welcome: bool,
    up: VecDeque<(At, Message)>,
    down: VecDeque<(At, Message)>,
}

/// A game as they were told of it.
#[derive(Debug, Default)]
struct Known {
    seq: Option<u64>,
    moves: Vec<String>,
    view: Value,
    /// When they may claim it, as they were last told.
    claim: Option<At>,
    /// Whether this connection has shown it.
    open: bool,
    /// When it was last asked for.
    asked: At,
}

impl Known {
    fn may_claim(&mut self, message: &Value, now: At) {
        let within = own_color(&self.view).and_then(|own| message["claim_in_ms"][own].as_u64());
        self.claim = within.map(|ms| now + ms);
    }
}

/// A command that has no answer yet.
#[derive(Clone, Debug)]
struct Asked {
    id: String,
    ask: Value,
    since: At,
    /// When it is sent again.
    again: Option<At>,
    /// Whether they were told that nobody knows what came of it: then a refusal is not the last word.
    unsure: bool,
}

impl Person {
    pub(super) fn new(number: usize, someone: Someone) -> Person {
        Person {
            number,
            someone,
            line: None,
            forgotten: Vec::new(),
            games: BTreeMap::new(),
            offers: BTreeSet::new(),
            waits_for: None,
            commands: 0,
            acts: 0,
            frozen: 0,
            done: Vec::new(),
            refused: Vec::new(),
        }
    }

    pub(super) fn who(&self) -> PersonId {
        self.someone.who
    }

    /// Their node is gone, and with it what was on its way.
    pub(super) fn lose_node(&mut self, node: usize) {
        if self.line.as_ref().is_some_and(|line| line.node == node) {
            self.line = None;
        }
        self.forgotten.retain(|(at, _)| *at != node);
    }

    /// One moment.
    pub(super) fn step(&mut self, scene: &mut Scene, nodes: &[Option<&Node>], real: &Sqlite) {
        let now = scene.now();
        if scene.healing {
            self.frozen = 0;
        }
        if self.frozen > now {
            return;
        }
        self.carry(scene);
        if self.line.as_ref().is_some_and(|line| line.wire.is_closed() && line.down.is_empty()) {
            self.line = None;
            self.acts = now + scene.shared.lock().dice.among(20, 2_000);
        }
        let Some(line) = &self.line else {
            if self.acts <= now {
                self.connect(scene, nodes);
            }
            return;
        };
        if !line.welcome {
            if now > line.since + PATIENCE {
                self.leave(scene);
            }
            return;
        }
        self.open_games(scene);
        match &mut self.waits_for {
            Some(asked) if asked.again.is_some_and(|again| again <= now) => {
                (asked.again, asked.since) = (None, now);
                let (id, ask) = (asked.id.clone(), asked.ask.clone());
                self.send(scene, &id, &ask);
            }
            Some(asked) if asked.again.is_none() && now > asked.since + PATIENCE => self.leave(scene),
            Some(_) => {}
            None if self.acts <= now && !scene.healing => {
                self.acts = now + scene.shared.lock().dice.among(10, 500);
                self.act(scene, nodes, real);
            }
            None => {}
        }
    }

    /// Frames go up and down, each connection's in order.
    fn carry(&mut self, scene: &mut Scene) {
        let now = scene.now();
        let Some(line) = &mut self.line else { return };
        for frame in line.wire.take() {
            let delay = delay(scene);
            let due = line.down.back().map_or(0, |(due, _)| *due).max(now + delay);
            line.down.push_back((due, frame));
        }
        while line.up.front().is_some_and(|(due, _)| *due <= now) {
            line.wire.push(line.up.pop_front().unwrap().1);
        }
        let mut arrived = Vec::new();
        while line.down.front().is_some_and(|(due, _)| *due <= now) {
            arrived.push(line.down.pop_front().unwrap().1);
        }
        for frame in arrived {
            match frame {
                Message::Text(text) => self.hear(scene, &serde_json::from_str(&text).unwrap()),
                Message::Ping(ping) => self.say(scene, Message::Pong(ping)),
                Message::Close(_) => {
                    self.line = None;
                    self.acts = now + AGAIN;
                }
                _ => {}
            }
        }
    }

    fn say(&mut self, scene: &Scene, frame: Message) {
        let (now, delay) = (scene.now(), delay(scene));
        if let Some(line) = &mut self.line {
            let due = line.up.back().map_or(0, |(due, _)| *due).max(now + delay);
            line.up.push_back((due, frame));
        }
    }

    fn send(&mut self, scene: &mut Scene, id: &str, ask: &Value) {
        let mut message = ask.clone();
        message["id"] = id.into();
        scene.note(format_args!("{} says {id} {} {}", self.number, ask["type"], ask["game"]));
        self.say(scene, Message::text(message.to_string()));
    }

    /// Asks, and waits for the answer.
    fn ask(&mut self, scene: &mut Scene, ask: Value) {
        self.commands += 1;
        let id = format!("c{}", self.commands);
        self.send(scene, &id, &ask);
        // Twice, as a page does that is not sure whether it was heard.
        if scene.shared.lock().dice.chance(30) {
            self.send(scene, &id, &ask);
        }
        self.waits_for = Some(Asked { id, ask, since: scene.now(), again: None, unsure: false });
    }

    fn connect(&mut self, scene: &mut Scene, nodes: &[Option<&Node>]) {
        let ready: Vec<usize> = (0..nodes.len()).filter(|node| nodes[*node].is_some_and(Node::is_ready)).collect();
        let (now, node) = (scene.now(), scene.shared.lock().dice.pick(&ready));
        let Some(node) = node else {
            self.acts = now + AGAIN;
            return;
        };
        scene.note(format_args!("{} connects to {node}", self.number));
        scene.shared.lock().counts.reconnected += 1;
        let wire = Wire::default();
        if let Some(there) = nodes[node] {
            there.connect(&wire, &self.someone);
        }
        let (secret, up, down) = (self.someone.secret.clone(), VecDeque::new(), VecDeque::new());
        self.line = Some(Line { node, wire, secret, since: now, welcome: false, up, down });
        self.games.values_mut().for_each(|known| (known.open, known.asked) = (false, 0));
    }

    /// They hang up, and the server hears of it or not.
    fn leave(&mut self, scene: &mut Scene) {
        let Some(line) = self.line.take() else { return };
        let mut inner = scene.shared.lock();
        self.acts = inner.now + inner.dice.among(20, 3_000);
        if inner.dice.chance(600) {
            line.wire.cut();
        } else {
            self.forgotten.push((line.node, line.wire));
        }
        drop(inner);
        scene.note(format_args!("{} hangs up", self.number));
    }

    /// Opens what they know of and this connection has not shown yet.
    fn open_games(&mut self, scene: &mut Scene) {
        let now = scene.now();
        let closed = self.games.iter().filter(|(_, known)| !known.open && known.asked + PATIENCE / 3 < now);
        let closed: Vec<(String, Option<u64>)> = closed.map(|(game, known)| (game.clone(), known.seq)).collect();
        for (game, have) in closed {
            self.commands += 1;
            let id = format!("o{}", self.commands);
            self.send(scene, &id, &json!({"type": "open", "game": game, "have": have}));
            self.games.entry(game).or_default().asked = now;
        }
    }

    fn hear(&mut self, scene: &mut Scene, message: &Value) {
        let kind = message["type"].as_str().unwrap();
        let of = if message["game"].is_null() { &message["why"] } else { &message["game"] };
        scene.note(format_args!("{} hears {kind} {} {of} {}", self.number, message["id"], message["seq"]));
        match kind {
            "welcome" => self.greet(scene),
            "game" => self.observe(scene, message),
            "done" => self.acknowledge(scene, message),
            "refused" => self.accept_refusal(scene, message),
            "presence" => {
                if let Some(known) = self.games.get_mut(message["game"].as_str().unwrap()) {
                    known.may_claim(message, scene.now());
                }
            }
            "paired" => _ = self.games.entry(text(&message["game"])).or_default(),
            "games" => {
                let open = message["games"].as_array().unwrap().iter().filter(|game| game["status"] != "over");
                for game in open {
                    self.games.entry(text(&game["game"])).or_default();
                }
            }
            "lobby" | "lobby_changed" => {
                let new = if kind == "lobby" { &message["offers"] } else { &message["new"] };
                let others = new.as_array().unwrap().iter().filter(|offer| offer["yours"] == false);
                self.offers.extend(others.map(|offer| text(&offer["id"])));
                for gone in message["gone"].as_array().into_iter().flatten() {
                    self.offers.remove(gone.as_str().unwrap());
                }
            }
            "gone" => panic!("{message}: nobody deletes anything here"),
            _ => {}
        }
        if kind != "done" && kind != "refused" && self.is_answer(message) {
            self.waits_for = None;
        }
    }

    fn is_answer(&self, message: &Value) -> bool {
        self.waits_for.as_ref().is_some_and(|asked| message["id"] == asked.id.as_str())
    }

    fn greet(&mut self, scene: &mut Scene) {
        if let Some(line) = &mut self.line {
            line.welcome = true;
        }
        // What was not answered is asked again, before or after the games are opened.
        let first = scene.shared.lock().dice.chance(300);
        if !first {
            self.open_games(scene);
        }
        if let Some(asked) = &mut self.waits_for {
            (asked.again, asked.since) = (None, scene.now());
            let (id, ask) = (asked.id.clone(), asked.ask.clone());
            self.send(scene, &id, &ask);
        }
        self.offers.clear();
        if self.someone.account && !scene.healing {
            self.commands += 1;
            let id = format!("l{}", self.commands);
            self.send(scene, &id, &json!({"type": "lobby"}));
            if scene.shared.lock().dice.chance(300) {
                self.send(scene, &format!("{id}-"), &json!({"type": "list"}));
            }
        }
    }

    /// They are shown a game. Whatever it is, it is on disk, it is as they are shown it, and nobody is sent back.
    fn observe(&mut self, scene: &mut Scene, message: &Value) {
        let (game, seq) = (text(&message["game"]), message["seq"].as_u64().unwrap());
        let known = self.games.entry(game.clone()).or_default();
        known.open = true;
        assert!(known.seq.is_none_or(|before| before <= seq), "person {} goes back to {message}", self.number);
        let keep = message["keep"].as_u64().unwrap() as usize;
        assert!(keep <= known.moves.len(), "person {} has not all that is kept: {message}", self.number);
        known.moves.truncate(keep);
        known.moves.extend(message["moves"].as_array().unwrap().iter().map(|played| text(&played["square"])));
        known.view = message["view"].clone();
        known.may_claim(message, scene.now());
        known.seq = Some(seq);
        let id: GameId = game.parse().unwrap();
        let Some((table, _)) = scene.truth.at(&id, seq) else {
            panic!("person {} is told of entry {seq} of {game}, which is not on disk", self.number)
        };
        let view = &known.view;
        let told = (known.moves.clone(), text(&view["board"]), view["status"] == "over");
        assert_eq!(told, seen(table), "person {} at entry {seq} of {game}", self.number);
        scene.shared.lock().counts.observed += 1;
        if !scene.games.contains(&game) {
            scene.games.push(game.clone());
        }
        if let Some(next) = view["next"].as_str().map(str::to_owned) {
            self.games.entry(next).or_default();
        }
        let invite = message["invites"]["white"].as_str().map(|invite| (game, invite.to_owned()));
        scene.invitations.extend(invite.filter(|invite| !scene.invitations.contains(invite)));
    }

    /// Something was done: it is on disk, under the number they are told, by this command.
    fn acknowledge(&mut self, scene: &mut Scene, message: &Value) {
        let id = text(&message["id"]);
        let (game, seq) = (message["game"].as_str().map(str::to_owned), message["seq"].as_u64());
        let before = self.done.iter().find(|(known, ..)| *known == id).cloned();
        if let Some((_, game, seq, _)) = before {
            assert_eq!(
                (message["game"].as_str(), message["seq"].as_u64()),
                (Some(&*game), Some(seq)),
                "the same answer"
            );
        }
        let Some(asked) = self.waits_for.take_if(|asked| asked.id == id) else { return };
        let (Some(game), Some(seq)) = (game, seq) else { return };
        scene.shared.lock().counts.acknowledged += 1;
        self.games.entry(game.clone()).or_default();
        // What begins a game, or may, is told where to go, not what was entered.
        let kind = asked.ask["type"].as_str().unwrap();
        if ["create", "again", "offer", "offer_accept", "quick"].contains(&kind) || asked.ask["what"] == "rematch" {
            assert!(scene.truth.at(&game.parse().unwrap(), seq).is_some(), "{message} is not on disk");
            return;
        }
        let Some((_, Some(entry))) = scene.truth.at(&game.parse().unwrap(), seq) else {
            panic!("person {} is told {message}, which is not on disk", self.number)
        };
        let by = entry.by.as_ref().map(|(who, id)| (*who, id.as_str()));
        assert_eq!(by, Some((self.someone.who, id.as_str())), "{message}");
        self.done.push((id, game, seq, asked.ask));
    }

    fn accept_refusal(&mut self, scene: &mut Scene, message: &Value) {
        let (id, now) = (text(&message["id"]), scene.now());
        let later = ["not_saved", "unsure", "too_many"].contains(&message["why"].as_str().unwrap());
        let done = self.done.iter().any(|(known, ..)| *known == id);
        assert!(later || !done, "{message} was done before");
        let Some(asked) = self.waits_for.as_mut().filter(|asked| asked.id == id) else { return };
        // Whose offers nobody takes any more makes no other.
        let enough = scene.healing && message["why"] == "too_many" && asked.ask["type"] == "offer";
        if later && !enough {
            asked.again = Some(now + AGAIN);
            asked.unsure |= message["why"] == "unsure";
            return;
        }
        scene.shared.lock().counts.refused += 1;
        if let Some(game) = asked.ask["game"].as_str().filter(|_| !asked.unsure) {
            self.refused.push((id, game.to_owned()));
        }
        self.waits_for = None;
    }

    /// Does something, or nothing.
    fn act(&mut self, scene: &mut Scene, nodes: &[Option<&Node>], real: &Sqlite) {
        let shared = scene.shared.clone();
        let roll = |per_thousand: u64| shared.lock().dice.chance(per_thousand);
        if roll(12) {
            return self.leave(scene);
        }
        if roll(6) {
            let (now, ms) = (scene.now(), shared.lock().dice.among(500, 45_000));
            scene.note(format_args!("{} closes the laptop", self.number));
            self.frozen = now + ms;
            return;
        }
        if self.someone.account && roll(3) {
            return self.sign_out(scene, nodes, real);
        }
        if roll(15) && !self.done.is_empty() {
            let (id, _, _, ask) = shared.lock().dice.pick(&self.done).unwrap();
            shared.lock().counts.repeated += 1;
            return self.send(scene, &id, &ask);
        }
        let mine = |known: &Known| own_color(&known.view).is_some() && known.view["status"] != "over";
        let going: Vec<String> =
            self.games.iter().filter(|(_, known)| known.open && mine(known)).map(|(game, _)| game.clone()).collect();
        let game = shared.lock().dice.pick(&going);
        if let Some(game) = game.filter(|_| roll(950)) {
            return self.play(scene, &game);
        }
        if !self.someone.account {
            let watched: Vec<String> =
                scene.games.iter().filter(|game| !self.games.contains_key(*game)).cloned().collect();
            let game = shared.lock().dice.pick(&watched);
            self.games.extend(game.map(|game| (game, Known::default())));
        } else if going.len() < AT_ONCE {
            let over = self.games.iter().filter(|(_, known)| known.open && known.view["status"] == "over");
            let over: Vec<String> = over.map(|(game, _)| game.clone()).collect();
            let over = shared.lock().dice.pick(&over).filter(|_| going.is_empty());
            match over.filter(|_| roll(100)) {
                Some(game) => self.ask(scene, json!({"type": "again", "game": game, "swap": true})),
                None => self.begin(scene),
            }
        }
    }

    /// Something in a game of theirs.
    fn play(&mut self, scene: &mut Scene, game: &str) {
        let view = self.games[game].view.clone();
        let shared = scene.shared.clone();
        let roll = |per_thousand: u64| shared.lock().dice.chance(per_thousand);
        let can = |what: &str| view["can"].as_array().unwrap().iter().any(|can| can == what);
        let ask = if can("answer") && roll(500) {
            let rematch = view["offer"]["what"].clone();
            json!({"type": "answer", "what": rematch, "accept": roll(500)})
        } else if can("claim") && self.games[game].claim.is_some_and(|at| at <= scene.now()) && roll(500) {
            json!({"type": "claim", "what": if roll(800) { "win" } else { "draw" }})
        } else if (can("resume") || can("ask_resume")) && roll(600) {
            json!({"type": "resume"})
        } else if can("play") && roll(930) {
            let legal = view["legal"].as_array().unwrap();
            let square = shared.lock().dice.pick(legal).map_or(json!("a1"), |legal| legal["square"].clone());
            json!({"type": "play", "square": square, "ply": view["ply"]})
        } else if roll(100) {
            // Not their turn, or a square that turns nothing.
            json!({"type": "play", "square": "c4", "ply": view["ply"]})
        } else if roll(60) {
            json!({"type": "say", "phrase": "good_luck"})
        } else if roll(15) {
            json!({"type": "resign"})
        } else if can("abort") && roll(20) {
            json!({"type": "abort"})
        } else if (can("takeback") || can("ask_takeback")) && roll(60) {
            json!({"type": "takeback", "ply": view["ply"]})
        } else if (can("pause") || can("ask_pause")) && roll(20) {
            json!({"type": "pause"})
        } else {
            return;
        };
        let mut ask = ask;
        ask["game"] = game.into();
        self.ask(scene, ask);
    }

    /// A game with somebody.
    fn begin(&mut self, scene: &mut Scene) {
        let mut inner = scene.shared.lock();
        let dice = &mut inner.dice;
        let main_ms = dice.pick(&[6_000, 15_000, 40_000, 100_000]).unwrap_or(6_000);
        let rated = dice.chance(700);
        let time = json!({"kind": "sudden_death", "main_ms": main_ms});
        let rules =
            json!({"time": time, "overrun": "loses", "empties": "to_winner", "takebacks": !rated, "rated": rated});
        let offers: Vec<String> = self.offers.iter().cloned().collect();
        let ask = match (dice.pick(&offers), dice.pick(&scene.invitations)) {
            (Some(offer), _) if dice.chance(600) => json!({"type": "offer_accept", "offer": offer}),
            (_, Some((game, invite))) if dice.chance(400) && !self.games.contains_key(&game) => {
                json!({"type": "sit", "game": game, "invite": invite, "name": 2})
            }
            _ if dice.chance(100) => json!({"type": "quick", "speed": "blitz", "rated": rated}),
            _ if dice.chance(250) => {
                let seats = json!({"black": {"kind": "person", "name": 1}, "white": {"kind": "open"}});
                json!({"type": "create", "rules": rules, "seats": seats})
            }
            _ if dice.chance(300) => json!({"type": "offer", "rules": rules, "rated": rated}),
            _ => return,
        };
        drop(inner);
        self.ask(scene, ask);
    }

    /// They sign out of this browser, at some node, and are in another from now on.
    fn sign_out(&mut self, scene: &mut Scene, nodes: &[Option<&Node>], real: &Sqlite) {
        let ready: Vec<&Node> = nodes.iter().flatten().copied().filter(|node| node.is_ready()).collect();
        let (now, node) = (scene.now(), scene.shared.lock().dice.pick(&ready));
        if let Some(node) = node {
            scene.note(format_args!("{} signs out", self.number));
            scene.shared.lock().counts.signed_out += 1;
            node.sign_out(real, &mut self.someone, now);
        }
    }

    /// At the end: they are connected, have their answers, know how things stand, and all they were told is so.
    pub(super) fn check(&mut self, scene: &mut Scene) {
        let number = self.number;
        let line = self.line.as_ref().unwrap_or_else(|| panic!("person {number} is not connected"));
        assert!(line.welcome, "person {number} was let in");
        assert!(scene.truth.is_good(&line.secret), "person {number} has signed out of this browser");
        assert!(self.waits_for.is_none(), "person {number} waits for {:?}", self.waits_for);
        for (game, known) in &self.games {
            let seq = scene.truth.seq(&game.parse().unwrap());
            assert!(known.open, "person {number} cannot see {game}");
            assert_eq!(known.seq, Some(seq), "person {number} knows of the last entry of {game}");
        }
        for (id, game, seq, _) in &self.done {
            let found = scene.truth.entries_by(&game.parse().unwrap(), self.someone.who, id);
            assert_eq!(found, [*seq], "person {number}: {id} in {game}, once");
        }
        for (id, game) in &self.refused {
            let found = scene.truth.entries_by(&game.parse().unwrap(), self.someone.who, id);
            assert!(found.is_empty(), "person {number}: {id} in {game} was refused: {found:?}");
        }
    }
}

/// The side that is theirs in a view.
fn own_color(view: &Value) -> Option<&'static str> {
    ["black", "white"].into_iter().find(|color| view["seats"][color]["you"] == true)
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_else(|| panic!("{value} is a text")).to_owned()
}

/// How long a frame is on its way.
fn delay(scene: &Scene) -> At {
    let dice = &mut scene.shared.lock().dice;
    if dice.chance(20) { dice.among(100, 1_500) } else { dice.among(1, 30) }
}
