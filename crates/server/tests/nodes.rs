//! Several nodes that serve the same games: any of them takes any command, and everybody sees the same.

mod common;

use common::{House, LONG, Page, analyst, browser::Browser, config, request, set_cookie};
use serde_json::{Value, json};
use server::{
    Config, OwnerToken, Server,
    bus::{Bus, Event, Heard, NodeId},
};
use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
    time::Duration,
};
use store::{Sqlite, Store};
use tokio::{
    sync::{Mutex, broadcast},
    time::timeout,
};

/// What is on the wire; `None` if nobody knows what was missed.
type Said = Option<(NodeId, Event)>;

/// A bus inside the process. It loses, repeats and delays what it is told to by `faults`: one in so many, and 0 for none.
#[derive(Debug)]
struct TestBus {
    sender: broadcast::Sender<Said>,
    incoming: Mutex<broadcast::Receiver<Said>>,
    faults: u64,
    counted: AtomicU64,
    there: Arc<AtomicBool>,
    loses_all: Arc<AtomicBool>,
}

/// The wire that all nodes share.
#[derive(Clone)]
struct Wire {
    sender: broadcast::Sender<Said>,
    there: Arc<AtomicBool>,
    /// Whether nothing that is said is heard, and nobody knows.
    loses_all: Arc<AtomicBool>,
}

impl Wire {
    fn new() -> Wire {
        let (there, loses_all) = (Arc::new(AtomicBool::new(true)), Arc::default());
        Wire { sender: broadcast::Sender::new(4096), there, loses_all }
    }

    /// The bus is back after it was away: every node notices that it may have missed something.
    fn come_back(&self) {
        self.there.store(true, Ordering::SeqCst);
        let _ = self.sender.send(None);
    }

    fn end(&self, faults: u64) -> Arc<TestBus> {
        let incoming = Mutex::new(self.sender.subscribe());
        let (sender, there, loses_all) = (self.sender.clone(), self.there.clone(), self.loses_all.clone());
        Arc::new(TestBus { sender, incoming, faults, counted: AtomicU64::new(0), there, loses_all })
    }
}

#[async_trait::async_trait]
impl Bus for TestBus {
    fn is_there(&self) -> bool {
        self.there.load(Ordering::SeqCst)
    }

    fn say(&self, by: NodeId, event: &Event) -> bool {
        let number = self.counted.fetch_add(1, Ordering::SeqCst);
        let hit = |every: u64| self.faults > 0 && number % (every * self.faults) == every;
        if !self.is_there() || hit(1) || self.loses_all.load(Ordering::SeqCst) {
            return true; // lost, and nobody knows
        }
        for _ in 0..=u64::from(hit(2)) {
            let _ = self.sender.send(Some((by, event.clone())));
        }
        true
    }

    async fn hear(&self) -> Heard {
        match self.incoming.lock().await.recv().await {
            Ok(Some((by, event))) => Heard::Said { by, event },
            Ok(None) | Err(_) => Heard::Missed,
        }
    }
}

/// Nodes over one store.
struct Cluster {
    _folders: Vec<tempfile::TempDir>,
    store: Arc<dyn Store>,
    wire: Wire,
    nodes: Vec<House>,
    /// Makes whoever shows it the owner, at every node.
    owner: (String, OwnerToken),
    /// The computer takes at least so long at nodes that are added.
    pause: Duration,
}

impl Cluster {
    async fn of(count: usize, faults: u64) -> Cluster {
        let folder = tempfile::tempdir().unwrap();
        let store: Arc<dyn Store> = Arc::new(Sqlite::open(folder.path()).unwrap());
        let mut cluster = Cluster {
            _folders: vec![folder],
            store,
            wire: Wire::new(),
            nodes: Vec::new(),
            owner: OwnerToken::fresh().unwrap(),
            pause: Duration::ZERO,
        };
        for _ in 0..count {
            cluster.add(faults).await;
        }
        cluster
    }

    async fn add(&mut self, faults: u64) {
        let folder = tempfile::tempdir().unwrap();
        let owner = Some(self.owner.1);
        let config = Config { pause: self.pause, open_lobby: true, owner, ..config(folder.path()) };
        let server = Server::join(config, self.store.clone(), self.wire.end(faults), analyst()).await.unwrap();
        self.nodes.push(House::serve(server).await);
        self._folders.push(folder);
    }
}

impl Cluster {
    /// A game between two people, each at a node of their own, which both have open.
    async fn two_players(&self) -> (Page, Page, String) {
        self.two_players_by(untimed()).await
    }

    async fn two_players_by(&self, rules: Value) -> (Page, Page, String) {
        let mut ana = self.nodes[0].page().await;
        let mut ben = self.nodes[1].page().await;
        let (game, invite) = offered(&mut ana, rules).await;
        let sat = ben.ask(json!({"type": "sit", "game": game, "invite": invite, "name": "Ben"})).await;
        assert_eq!(sat["type"], "done", "{sat}");
        ben.ask(json!({"type": "open", "game": game})).await;
        (ana, ben, game)
    }
}

/// A game with an open seat; its id and the invitation to it.
async fn offered(page: &mut Page, rules: Value) -> (String, String) {
    let seats = json!({"black": {"kind": "person", "name": "Ana"}, "white": {"kind": "open"}});
    let done = page.ask(json!({"type": "create", "seats": seats, "rules": rules})).await;
    let game = done["game"].as_str().unwrap().to_owned();
    let view = page.ask(json!({"type": "open", "game": game})).await;
    (game, view["invites"]["white"].as_str().unwrap().to_owned())
}

fn untimed() -> Value {
    json!({"time": {"kind": "none"}, "overrun": "loses", "empties": "to_winner", "takebacks": true})
}

/// Plays the first legal move of every position, each player at their own node, and waits until the watcher has seen it.
async fn play_out(game: &str, players: [&mut Page; 2], watcher: &mut Page, most: usize) -> Vec<Value> {
    let [black, white] = players;
    let mut seen: Vec<Value> = vec![watcher.ask(json!({"type": "open", "game": game})).await];
    for _ in 0..most {
        let view = &seen[seen.len() - 1]["view"];
        if view["status"] == "over" {
            break;
        }
        let player = if view["turn"] == "black" { &mut *black } else { &mut *white };
        let own = player.ask(json!({"type": "open", "game": game})).await;
        let (square, ply) = (&own["view"]["legal"][0]["square"], &own["view"]["ply"]);
        let done = player.ask(json!({"type": "play", "game": game, "square": square, "ply": ply})).await;
        assert_eq!(done["type"], "done", "{done}");
        let seq = done["seq"].as_u64();
        seen.push(watcher.wait(|message| message["type"] == "game" && message["seq"].as_u64() >= seq).await);
    }
    seen
}

#[tokio::test(flavor = "multi_thread")]
async fn players_and_watchers_at_different_nodes_see_every_move() {
    let cluster = Cluster::of(3, 0).await;
    let mut ana = cluster.nodes[0].page().await;
    let mut ben = cluster.nodes[1].page().await;
    let mut eve = cluster.nodes[2].page().await;
    let (game, invite) = offered(&mut ana, untimed()).await;
    let sat = ben.ask(json!({"type": "sit", "game": game, "invite": invite, "name": "Ben"})).await;
    assert_eq!(sat["type"], "done", "{sat}");
    ben.ask(json!({"type": "open", "game": game})).await;
    let seen = play_out(&game, [&mut ana, &mut ben], &mut eve, 80).await;
    assert_eq!(seen.last().unwrap()["view"]["status"], "over");
    // Nobody missed a move, and what came is in order.
    let stored = cluster.store.game(&game.parse().unwrap()).await.unwrap().unwrap();
    let seqs: Vec<u64> = seen.iter().map(|message| message["seq"].as_u64().unwrap()).collect();
    assert!(seqs.is_sorted());
    assert_eq!(*seqs.last().unwrap(), stored.log.len() as u64);
    for page in [&mut ana, &mut ben] {
        page.wait(|message| message["type"] == "game" && message["seq"] == stored.log.len()).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_the_bus_loses_is_read_from_the_store() {
    let cluster = Cluster::of(2, 3).await;
    let (mut ana, mut ben, game) = cluster.two_players().await;
    let mut eve = cluster.nodes[1].page().await;
    let seen = play_out(&game, [&mut ana, &mut ben], &mut eve, 12).await;
    assert_eq!(seen.len(), 13);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_move_of_which_nobody_could_say_anything_is_seen_all_the_same() {
    let cluster = Cluster::of(2, 0).await;
    let (mut ana, mut ben, game) = cluster.two_players().await;
    // As if the node had died between keeping the move and telling the others.
    cluster.wire.loses_all.store(true, Ordering::SeqCst);
    let done = ana.ask(json!({"type": "play", "game": game, "square": "f5", "ply": 0})).await;
    ben.wait(|message| message["type"] == "game" && message["seq"] == done["seq"]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn play_goes_on_while_the_bus_is_away() {
    let cluster = Cluster::of(2, 0).await;
    let (mut ana, mut ben, game) = cluster.two_players().await;
    cluster.wire.there.store(false, Ordering::SeqCst);
    let mut eve = cluster.nodes[0].page().await;
    let seen = play_out(&game, [&mut ana, &mut ben], &mut eve, 4).await;
    assert_eq!(seen.len(), 5);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_node_that_is_behind_refuses_nothing_before_it_has_read_the_game() {
    let cluster = Cluster::of(2, 0).await;
    let (mut ana, mut ben, game) = cluster.two_players().await;
    cluster.wire.there.store(false, Ordering::SeqCst);
    // Each moves as soon as the other's move is acknowledged, before their own node can have heard of it.
    for (ply, square) in ["f5", "d6", "c3", "d3", "c4"].into_iter().enumerate() {
        let mover = if ply % 2 == 0 { &mut ana } else { &mut ben };
        mover.done(json!({"type": "play", "game": game, "square": square, "ply": ply})).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn how_long_a_move_was_on_its_way_is_charged_to_nobody_though_the_move_itself_is_known() {
    let cluster = Cluster::of(2, 0).await;
    let time = json!({"kind": "sudden_death", "main_ms": 600_000});
    let rules = json!({"time": time, "overrun": "loses", "empties": "to_winner", "takebacks": true});
    let (mut ana, mut ben, game) = cluster.two_players_by(rules).await;
    // What the first node says of its move is lost, and the other reads it when it is asked.
    cluster.wire.there.store(false, Ordering::SeqCst);
    ana.done(json!({"type": "play", "game": game, "square": "f5", "ply": 0})).await;
    let opened = ben.ask(json!({"type": "open", "game": game})).await;
    ben.early.clear();
    // It comes to be known later.
    let game: table::GameId = game.parse().unwrap();
    let seq = cluster.store.game(&game).await.unwrap().unwrap().log.len() as u64;
    let here = rules::ByColor { black: true, white: true };
    let said = Event::Here { game: game.clone(), seq: table::Seq(seq), stalled_ms: 5000, here, watchers: 0 };
    cluster.wire.there.store(true, Ordering::SeqCst);
    let _ = cluster.wire.sender.send(Some((NodeId(9), said)));
    // Whoever looks at the game is told what the clocks show then, although nothing has happened in it.
    let told = ben.wait(|message| message["type"] == "game").await;
    assert_eq!((&told["seq"], &told["keep"], &told["moves"]), (&opened["seq"], &json!(1), &json!([])));
    assert_eq!(told["view"]["clocks"]["white"]["left_ms"], 600_000);
    ben.done(json!({"type": "play", "game": game, "square": "d6", "ply": 1})).await;
    let log = cluster.store.game(&game).await.unwrap().unwrap().log;
    assert_eq!(log.last().unwrap().entry.stalled_ms, 5000);
}

#[tokio::test(flavor = "multi_thread")]
async fn who_is_there_is_known_at_every_node() {
    let cluster = Cluster::of(2, 0).await;
    let (mut ana, ben, game) = cluster.two_players().await;
    ana.wait(|message| message["here"]["white"] == true).await;
    // So are those who watch.
    let mut watchers = [cluster.nodes[0].page().await, cluster.nodes[1].page().await];
    for page in &mut watchers {
        page.open(&game).await;
    }
    ana.wait(|message| message["type"] == "presence" && message["watchers"] == 2).await;
    drop(watchers);
    ana.wait(|message| message["type"] == "presence" && message["watchers"] == 0).await;
    drop(ben);
    ana.wait(|message| message["type"] == "presence" && message["here"]["white"] == false).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_same_move_at_two_nodes_is_made_once() {
    let cluster = Cluster::of(2, 0).await;
    let mut here = cluster.nodes[0].page().await;
    let seats = json!({"black": {"kind": "person", "name": 1}, "white": {"kind": "person", "name": 2}});
    let game = here.ask(json!({"type": "create", "seats": seats, "rules": untimed()})).await["game"].clone();
    let mut there = here.again(&cluster.nodes[1]).await;
    here.ask(json!({"type": "open", "game": game})).await;
    there.ask(json!({"type": "open", "game": game})).await;
    let play = json!({"id": "one", "type": "play", "game": game, "square": "f5", "ply": 0});
    here.send(&play).await;
    there.send(&play).await;
    let answers =
        [here.wait(|message| message["id"] == "one").await, there.wait(|message| message["id"] == "one").await];
    for answer in &answers {
        assert_eq!((&answer["type"], &answer["seq"]), (&json!("done"), &json!(1)), "{answer}");
    }
    let stored = cluster.store.game(&game.as_str().unwrap().parse().unwrap()).await.unwrap().unwrap();
    assert_eq!(stored.log.len(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_flag_falls_although_the_node_of_both_players_is_gone() {
    let mut cluster = Cluster::of(2, 0).await;
    let mut ana = cluster.nodes[0].page().await;
    let time = json!({"kind": "sudden_death", "main_ms": 2000});
    let rules = json!({"time": time, "overrun": "loses", "empties": "to_winner", "takebacks": false});
    let seats = json!({"black": {"kind": "person", "name": 1}, "white": {"kind": "person", "name": 2}});
    let game = ana.ask(json!({"type": "create", "seats": seats, "rules": rules})).await["game"].clone();
    let play = ana.ask(json!({"type": "play", "game": game, "square": "f5", "ply": 0})).await;
    assert_eq!(play["type"], "done", "{play}");
    cluster.nodes.remove(0).vanish();
    // Nobody looks at the game at the other node.
    let game = game.as_str().unwrap().parse().unwrap();
    let verdict = timeout(LONG, async {
        loop {
            let stored = cluster.store.game(&game).await.unwrap().unwrap();
            let table = room::Room::load(cluster.store.key(), stored).unwrap().table().clone();
            if let Some(verdict) = table.verdict() {
                return verdict;
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    });
    let verdict = verdict.await.expect("the flag falls");
    assert_eq!((verdict.ending, verdict.winner), (table::Ending::OutOfTime, Some(rules::Color::Black)));
}

#[tokio::test(flavor = "multi_thread")]
async fn the_computer_answers_although_the_node_that_should_think_does_not() {
    let mut cluster = Cluster::of(1, 0).await;
    cluster.pause = Duration::from_secs(600);
    cluster.add(0).await;
    let mut slow = cluster.nodes[1].page().await;
    let seats = json!({"black": {"kind": "person", "name": 1}, "white": {"kind": "computer", "level": 1}});
    let game = slow.ask(json!({"type": "create", "seats": seats, "rules": untimed()})).await["game"].clone();
    let mut other = slow.again(&cluster.nodes[0]).await;
    other.ask(json!({"type": "open", "game": game})).await;
    slow.ask(json!({"type": "play", "game": game, "square": "f5", "ply": 0})).await;
    let answered = other.wait(|message| message["type"] == "game" && message["view"]["ply"] == 2).await;
    assert_eq!(answered["view"]["turn"], "black");
}

/// Waits for a message of this type that is no answer.
async fn hear(page: &mut Page, kind: &str) -> Value {
    page.wait(|message| message["type"] == kind && message["id"].is_null()).await
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn people_on_two_nodes_meet_with_and_without_a_bus() {
    let cluster = Cluster::of(2, 0).await;
    let (mut ana, mut luis) = (cluster.nodes[0].page().await, cluster.nodes[1].page().await);
    luis.done(json!({"type": "lobby"})).await;
    let rules = json!({"time": {"kind": "sudden_death", "main_ms": 600_000}, "overrun": "loses", "empties": "to_winner",
        "takebacks": false});
    let id = ana.done(json!({"type": "offer", "rules": rules})).await["offer"]["id"].clone();
    let new = |message: &Value| message["new"].as_array().is_some_and(|new| new.iter().any(|offer| offer["id"] == id));
    luis.wait(|message| message["type"] == "lobby_changed" && new(message)).await;
    assert_eq!(luis.done(json!({"type": "offer_accept", "offer": id})).await["game"], id);
    assert_eq!(hear(&mut ana, "paired").await["game"], id);
    // Nobody tells anybody: whoever waits finds the game in the store.
    cluster.wire.there.store(false, Ordering::SeqCst);
    let quick = json!({"type": "quick", "speed": "blitz"});
    assert_eq!(ana.done(quick.clone()).await["type"], "offered");
    let game = luis.done(quick).await["game"].clone();
    assert_eq!(hear(&mut ana, "paired").await["game"], game);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn those_who_leave_it_to_two_nodes_are_paired_once() {
    let cluster = Cluster::of(2, 3).await;
    let mut tasks = Vec::new();
    for number in 0..12 {
        let mut page = cluster.nodes[number % 2].page().await;
        tasks.push(tokio::spawn(async move {
            let answer = page.done(json!({"type": "quick", "speed": "rapid"})).await;
            let game = match answer["type"].as_str().unwrap() {
                "done" => answer["game"].clone(),
                _ => hear(&mut page, "paired").await["game"].clone(),
            };
            let games = page.done(json!({"type": "list"})).await["games"].as_array().unwrap().len();
            assert_eq!(games, 1, "nobody is in two games");
            game.as_str().unwrap().to_owned()
        }));
    }
    let mut games = Vec::new();
    for task in tasks {
        games.push(timeout(3 * LONG, task).await.expect("everybody is paired").unwrap());
    }
    games.sort();
    assert!(games.chunks(2).all(|pair| pair[0] == pair[1]), "{games:?}");
    games.dedup();
    assert_eq!(games.len(), 6);
}

/// Nodes look every minute at what nobody told them: what comes sooner, somebody told.
async fn soon<T>(waited_for: impl Future<Output = T>) -> T {
    timeout(LONG, waited_for).await.expect("the other node is told")
}

#[tokio::test(flavor = "multi_thread")]
async fn what_the_owner_decides_at_one_node_is_heard_at_the_others() {
    let cluster = Cluster::of(2, 0).await;
    let (here, there) = (cluster.nodes[0].address, &cluster.nodes[1]);
    let claimed = request(here, "POST", "/api/owner", "", &cluster.owner.0).await;
    let mut owner = Browser { guest: Some(set_cookie(&claimed).unwrap().0), session: None };
    let mut page = there.page().await;
    let announce = |text: &str| json!({"announcement": text, "registration": false});
    assert_eq!(owner.post(here, "/api/admin/settings", announce("Blitz tonight")).await.status, 200);
    let told = soon(page.wait(|message| message["type"] == "house")).await;
    assert_eq!((&told["announcement"], &told["registration"]), (&json!("Blitz tonight"), &json!(false)));
    // What was decided while the bus was away is read when it is back.
    cluster.wire.there.store(false, Ordering::SeqCst);
    assert_eq!(owner.post(here, "/api/admin/settings", announce("Blitz tomorrow")).await.status, 200);
    cluster.wire.come_back();
    let told = soon(page.wait(|message| message["type"] == "house")).await;
    assert_eq!(told["announcement"], "Blitz tomorrow");
}

#[tokio::test(flavor = "multi_thread")]
async fn whoever_signs_out_at_one_node_is_signed_out_at_the_others() {
    let cluster = Cluster::of(2, 0).await;
    let (here, there) = (cluster.nodes[0].address, cluster.nodes[1].address);
    let mut ana = Browser::visit(here).await;
    ana.open(here, "Ana").await;
    let mut page = ana.page(there).await;
    assert_eq!(page.welcome["me"]["handle"], "Ana");
    let gone = ana.ask(here, "DELETE", "/api/session", Value::Null).await;
    assert_eq!(gone.status, 204, "{gone:?}");
    assert_eq!(soon(page.close_code()).await, Some(4002));
}

#[tokio::test(flavor = "multi_thread")]
async fn who_is_nobody_any_more_is_noticed_at_every_node_though_the_bus_lost_it() {
    let cluster = Cluster::of(2, 0).await;
    let (here, there) = (cluster.nodes[0].address, cluster.nodes[1].address);
    let owner = async || {
        let claimed = request(here, "POST", "/api/owner", "", &cluster.owner.0).await;
        Browser { guest: Some(set_cookie(&claimed).unwrap().0), session: None }
    };
    let (mut boss, lost, mut ana) = (owner().await, owner().await, Browser::visit(here).await);
    let (mut of_the_lost, mut of_the_guest) = (lost.page(there).await, ana.page(there).await);
    assert_eq!(of_the_lost.welcome["me"]["owner"], true);
    cluster.wire.loses_all.store(true, Ordering::SeqCst);
    ana.open(here, "Ana").await;
    assert_eq!(boss.post(here, "/api/admin/end-owner", json!({})).await.status, 204);
    // The link is good at no node any more, whoever was told.
    let claimed = request(there, "POST", "/api/owner", "", &cluster.owner.0).await;
    assert!(claimed.starts_with("HTTP/1.1 403"), "{claimed}");
    assert_eq!(lost.page(there).await.welcome["me"]["owner"], false);
    cluster.wire.come_back();
    assert_eq!(soon(of_the_lost.close_code()).await, Some(4002));
    assert_eq!(soon(of_the_guest.close_code()).await, Some(4002));
    assert_eq!(boss.page(there).await.welcome["me"]["owner"], true);
}
