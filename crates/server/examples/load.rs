//! Loads a running server in ways that `outflank load`, which plays many games, does not, and prints rates and delays. For a server on this
//! machine only; it stops by itself.
//!
//! ```text
//! outflank serve --no-open --listen 127.0.0.1:8464 --data /tmp/load &
//! cargo run --release -p outflank-server --example load -- 127.0.0.1:8464 watch 1500 10   a game with 1,500 watchers
//! cargo run --release -p outflank-server --example load -- 127.0.0.1:8464 lists 48 10     48 lists at once beside 50 games
//! cargo run --release -p outflank-server --example load -- 127.0.0.1:8464 hints 60 20    a reply of level 1 beside 60 hints
//! cargo run --release -p outflank-server --example load -- 127.0.0.1:8464 timed 100 20    100 timed games against the computer
//! cargo run --release -p outflank-server --example load -- 127.0.0.1:8464 boards 2 60      a timed game alone, and beside 2 boards
//! cargo run --release -p outflank-server --example load -- 127.0.0.1:8464 values 60 0     until a position has its first values
//! cargo run --release -p outflank-server --example load -- 127.0.0.1:8464 reviews 3 0 < g    reviews of the first 3 transcripts of g
//! cargo run --release -p outflank-server --example load -- 127.0.0.1:8464 knocks 50000 0  50,000 handshakes of strangers
//! cargo run --release -p outflank-server --example load -- 127.0.0.1:8464 clocks 5000 0   5,000 games with running clocks
//! ```

use futures_util::{SinkExt, StreamExt};
use serde_json::{Value, json};
use std::{
    env,
    error::Error,
    net::SocketAddr,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::{Duration, Instant},
};
use tokio::net::TcpStream;
use tokio_tungstenite::{
    WebSocketStream, client_async,
    tungstenite::{Message, client::IntoClientRequest},
};

type Failure = Box<dyn Error + Send + Sync>;

struct Page {
    socket: WebSocketStream<TcpStream>,
    sent: u64,
}

impl Page {
    /// The owner's: from this machine.
    async fn connect(address: SocketAddr) -> Result<Page, Failure> {
        Page::connect_from(address, None).await
    }

    /// Somebody else's: whoever comes through a proxy is not at this machine.
    async fn stranger(address: SocketAddr) -> Result<Page, Failure> {
        Page::connect_from(address, Some("192.0.2.7")).await
    }

    async fn connect_from(address: SocketAddr, origin: Option<&str>) -> Result<Page, Failure> {
        let mut request = format!("ws://{address}/api/socket").into_client_request()?;
        request.headers_mut().insert("origin", format!("http://{address}").parse()?);
        if let Some(origin) = origin {
            request.headers_mut().insert("x-forwarded-for", origin.parse()?);
        }
        let stream = TcpStream::connect(address).await?;
        stream.set_nodelay(true)?;
        let (socket, _) = client_async(request, stream).await?;
        let mut page = Page { socket, sent: 0 };
        page.until(|message| message["type"] == "welcome").await?;
        Ok(page)
    }

    async fn send(&mut self, mut ask: Value) -> Result<String, Failure> {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        self.sent += 1;
        let id = format!("load-{}-{}", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed));
        ask["id"] = json!(id);
        self.socket.send(Message::text(ask.to_string())).await?;
        Ok(id)
    }

    async fn until(&mut self, wanted: impl Fn(&Value) -> bool) -> Result<Value, Failure> {
        loop {
            let message = self.socket.next().await.ok_or("the server hung up")??;
            if let Message::Text(text) = message {
                let value: Value = serde_json::from_str(&text)?;
                if wanted(&value) {
                    return Ok(value);
                }
            }
        }
    }

    async fn ask(&mut self, ask: Value) -> Result<Value, Failure> {
        let id = self.send(ask).await?;
        let answer = self.until(|message| message["id"] == json!(id)).await?;
        if answer["type"] == "refused" { Err(answer.to_string().into()) } else { Ok(answer) }
    }

    async fn begin(&mut self, time: Value) -> Result<String, Failure> {
        let person = |name: u8| json!({"kind": "person", "name": name});
        let rules = json!({"empties": "to_winner", "time": time, "overrun": "loses", "takebacks": true});
        let seats = json!({"black": person(1), "white": person(2)});
        let done = self.ask(json!({"type": "create", "seats": seats, "rules": rules})).await?;
        Ok(done["game"].as_str().ok_or("no game")?.to_owned())
    }

    /// Plays one move of `game`; the new view, and how long the acknowledgement took. A new game is begun when this one is over.
    async fn play(&mut self, game: &mut String, view: &mut Value) -> Result<Duration, Failure> {
        if view["status"] == "over" {
            *game = self.begin(json!({"kind": "none"})).await?;
            *view = self.ask(json!({"type": "open", "game": game})).await?["view"].take();
        }
        let square = view["legal"][0]["square"].clone();
        let ply = view["ply"].as_u64().ok_or("no ply")?;
        let begun = Instant::now();
        let id = self.send(json!({"type": "play", "game": game, "square": square, "ply": ply})).await?;
        let (mut took, mut next) = (None, None);
        while took.is_none() || next.is_none() {
            let mut message = self.until(|_| true).await?;
            if message["id"] == json!(id) {
                if message["type"] == "refused" {
                    return Err(message.to_string().into());
                }
                took = Some(begun.elapsed());
            } else if message["type"] == "game" && message["view"]["ply"].as_u64() > Some(ply) {
                next = Some(message["view"].take());
            }
        }
        *view = next.ok_or("no view")?;
        Ok(took.unwrap_or_default())
    }
}

/// Plays until `end`, 200 to 600 ms a move; the delays of all acknowledgements.
async fn player(address: SocketAddr, end: Instant, seed: u64) -> Result<Vec<Duration>, Failure> {
    let mut page = Page::connect(address).await?;
    let mut game = page.begin(json!({"kind": "none"})).await?;
    let mut view = page.ask(json!({"type": "open", "game": game})).await?["view"].take();
    let mut delays = Vec::new();
    while Instant::now() < end {
        let spread = (seed * 2_654_435_761 + delays.len() as u64 * 40_503) % 400;
        tokio::time::sleep(Duration::from_millis(200 + spread)).await;
        delays.push(page.play(&mut game, &mut view).await?);
    }
    Ok(delays)
}

fn report(what: &str, mut delays: Vec<Duration>, seconds: f64) {
    delays.sort_unstable();
    let at = |share: f64| {
        delays.get((delays.len() as f64 * share) as usize).copied().unwrap_or_default().as_secs_f64() * 1e3
    };
    println!(
        "{what}: {} in {seconds:.1} s, {:.0} a second; p50 {:.1} ms, p99 {:.1} ms, longest {:.1} ms",
        delays.len(),
        delays.len() as f64 / seconds,
        at(0.5),
        at(0.99),
        delays.last().copied().unwrap_or_default().as_secs_f64() * 1e3
    );
}

async fn players(address: SocketAddr, count: u64, seconds: u64) -> Result<(), Failure> {
    let begun = Instant::now();
    let end = begun + Duration::from_secs(seconds);
    let tasks: Vec<_> = (0..count).map(|number| tokio::spawn(player(address, end, number))).collect();
    let mut delays = Vec::new();
    for task in tasks {
        delays.extend(task.await??);
    }
    report("moves", delays, begun.elapsed().as_secs_f64());
    Ok(())
}

async fn watch(address: SocketAddr, count: usize, seconds: u64) -> Result<(), Failure> {
    let mut page = Page::connect(address).await?;
    let mut game = page.begin(json!({"kind": "none"})).await?;
    let mut view = page.ask(json!({"type": "open", "game": game})).await?["view"].take();
    let heard = Arc::new(AtomicU64::new(0));
    for _ in 0..count {
        let mut watcher = Page::connect(address).await?;
        watcher.ask(json!({"type": "open", "game": game})).await?;
        let heard = heard.clone();
        tokio::spawn(async move {
            while watcher.until(|message| message["type"] == "game").await.is_ok() {
                heard.fetch_add(1, Ordering::Relaxed);
            }
        });
    }
    println!("{count} watch");
    let (mut delays, mut all) = (Vec::new(), Vec::new());
    let end = Instant::now() + Duration::from_secs(seconds);
    for _ in 0..50 {
        if view["status"] == "over" || Instant::now() > end {
            break;
        }
        let (before, begun) = (heard.load(Ordering::Relaxed), Instant::now());
        delays.push(page.play(&mut game, &mut view).await?);
        while heard.load(Ordering::Relaxed) < before + count as u64 {
            tokio::time::sleep(Duration::from_micros(200)).await;
        }
        all.push(begun.elapsed());
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    report("acknowledged", delays, seconds as f64);
    report("heard by all", all, seconds as f64);
    Ok(())
}

async fn lists(address: SocketAddr, count: usize, seconds: u64) -> Result<(), Failure> {
    let end = Instant::now() + Duration::from_secs(seconds);
    let listing: Vec<_> = (0..count)
        .map(|_| {
            tokio::spawn(async move {
                let mut page = Page::connect(address).await?;
                let mut delays = Vec::new();
                while Instant::now() < end {
                    let begun = Instant::now();
                    match page.ask(json!({"type": "list"})).await {
                        Ok(_) => delays.push(begun.elapsed()),
                        // The limit is part of the answer: whoever asks too much is told so.
                        Err(_) => tokio::time::sleep(Duration::from_millis(50)).await,
                    }
                }
                Ok::<_, Failure>(delays)
            })
        })
        .collect();
    players(address, 50, seconds).await?;
    let mut delays = Vec::new();
    for task in listing {
        delays.extend(task.await??);
    }
    report("lists", delays, seconds as f64);
    Ok(())
}

/// A game against the computer, which has moved or waits; the page has it open.
async fn against_computer(page: &mut Page, level: u8, time: Value) -> Result<(String, Value), Failure> {
    let rules = json!({"empties": "to_winner", "time": time, "overrun": "loses", "takebacks": true});
    let seats = json!({"black": {"kind": "person", "name": 1}, "white": {"kind": "computer", "level": level}});
    let done = page.ask(json!({"type": "create", "seats": seats, "rules": rules})).await?;
    let game = done["game"].as_str().ok_or("no game")?.to_owned();
    let view = page.ask(json!({"type": "open", "game": game})).await?["view"].take();
    Ok((game, view))
}

/// Plays and waits for the computer; how long it took.
async fn reply(page: &mut Page, game: &str, view: &mut Value) -> Result<Duration, Failure> {
    let ply = view["ply"].as_u64().ok_or("no ply")?;
    let begun = Instant::now();
    let square = view["legal"][0]["square"].clone();
    page.send(json!({"type": "play", "game": game, "square": square, "ply": ply})).await?;
    let wanted = |message: &Value| {
        let view = &message["view"];
        view["ply"].as_u64() > Some(ply) && view["turn"] == "black" || view["status"] == "over"
    };
    *view = page.until(wanted).await?["view"].take();
    Ok(begun.elapsed())
}

async fn hints(address: SocketAddr, count: usize, seconds: u64) -> Result<(), Failure> {
    let mut stranger = Page::stranger(address).await?;
    let (game, mut view) = against_computer(&mut stranger, 1, json!({"kind": "none"})).await?;
    let mut alone = Vec::new();
    for _ in 0..4 {
        alone.push(reply(&mut stranger, &game, &mut view).await?);
    }
    report("replies alone", alone, seconds as f64);
    let mut greedy = Page::connect(address).await?;
    for _ in 0..count {
        let game = greedy.begin(json!({"kind": "none"})).await?;
        greedy.send(json!({"type": "hint", "game": game, "ply": 0})).await?;
    }
    let mut beside = Vec::new();
    for _ in 0..6 {
        beside.push(reply(&mut stranger, &game, &mut view).await?);
    }
    report("replies beside the hints", beside, seconds as f64);
    Ok(())
}

async fn timed(address: SocketAddr, count: usize, seconds: u64) -> Result<(), Failure> {
    let end = Instant::now() + Duration::from_secs(seconds);
    let tasks: Vec<_> = (0..count)
        .map(|_| {
            tokio::spawn(async move {
                let mut page = Page::connect(address).await?;
                let time = json!({"kind": "sudden_death", "main_ms": 60_000});
                let (game, mut view) = against_computer(&mut page, 10, time).await?;
                let mut delays = Vec::new();
                while Instant::now() < end && view["status"] == "playing" {
                    delays.push(reply(&mut page, &game, &mut view).await?);
                }
                Ok::<_, Failure>(delays)
            })
        })
        .collect();
    let mut delays = Vec::new();
    for task in tasks {
        delays.extend(task.await??);
    }
    report("replies in timed games", delays, seconds as f64);
    Ok(())
}

/// A whole game, for studies.
const GAME: &str = "f5f6d3e3f4c5f3g5h6h4e6d6h5g4h3e2f1e1d1c3c7c6g3c8c4d2c1b4a5a3a4a6b5f2g6b3e7f8e8d8c2b6d7f7g1h7h8b1a1h2h1g2b8a8a7b7a2g8b2g7";

/// Opens a study of a whole game: its id, and how many positions it has.
async fn study(page: &mut Page) -> Result<(Value, usize), Failure> {
    let mut study = page.ask(json!({"type": "study_new", "from": {"kind": "text", "text": GAME}})).await?;
    let nodes = study["nodes"].as_array().map_or(0, Vec::len);
    Ok((study["study"].take(), nodes))
}

/// One timed game after another against a level that looks as far ahead as it likes; how long its replies took.
async fn replies(page: &mut Page, level: u8, seconds: u64) -> Result<Vec<Duration>, Failure> {
    let end = Instant::now() + Duration::from_secs(seconds);
    let mut delays = Vec::new();
    while Instant::now() < end {
        let time = json!({"kind": "sudden_death", "main_ms": 600_000});
        let (game, mut view) = against_computer(page, level, time).await?;
        while Instant::now() < end && view["status"] == "playing" {
            delays.push(reply(page, &game, &mut view).await?);
        }
    }
    Ok(delays)
}

async fn boards(address: SocketAddr, count: usize, seconds: u64) -> Result<(), Failure> {
    let mut player = Page::connect(address).await?;
    let part = seconds / 4;
    for level in [17, 18] {
        let alone = replies(&mut player, level, part).await?;
        report(&format!("level {level}, replies alone"), alone, part as f64);
        let mut looking = Vec::new();
        for board in 0..count {
            let mut page = Page::connect(address).await?;
            let (study, _) = study(&mut page).await?;
            let ask = json!({"type": "analyse", "key": "board", "study": study, "at": 10 + board});
            page.send(ask).await?;
            // It reads what comes until it is dropped.
            looking.push(tokio::spawn(async move { page.until(|message| message["done"] == true).await }));
        }
        let beside = replies(&mut player, level, part).await?;
        looking.iter().for_each(tokio::task::JoinHandle::abort);
        report(&format!("level {level}, replies beside {count} boards"), beside, part as f64);
    }
    Ok(())
}

async fn values(address: SocketAddr, count: usize) -> Result<(), Failure> {
    let mut page = Page::connect(address).await?;
    let (study, nodes) = study(&mut page).await?;
    let (mut delays, mut depths) = (Vec::new(), Vec::new());
    let begun = Instant::now();
    for n in 0..count {
        let at = n % nodes;
        let asked = Instant::now();
        page.send(json!({"type": "analyse", "key": "board", "study": study, "at": at, "seconds": 1})).await?;
        let first = page.until(|message| message["type"] == "analysis" && message["at"] == at).await?;
        delays.push(asked.elapsed());
        depths.extend(first["depth"].as_u64().filter(|_| first["done"] == false));
        page.ask(json!({"type": "analyse_stop", "key": "board"})).await?;
    }
    depths.sort_unstable();
    println!("depths of the first values: {:?} to {:?}", depths.first(), depths.last());
    report("first values of all squares", delays, begun.elapsed().as_secs_f64());
    Ok(())
}

/// Reviews games that stand in lines of the standard input, to the end.
async fn reviews(address: SocketAddr, count: usize) -> Result<(), Failure> {
    for line in std::io::stdin().lines().take(count) {
        let mut page = Page::connect(address).await?;
        let from = json!({"kind": "text", "text": line?});
        let study = page.ask(json!({"type": "study_new", "from": from})).await?["study"].take();
        let begun = Instant::now();
        page.send(json!({"type": "review", "study": study})).await?;
        let mut stages = Vec::new();
        loop {
            let news = page.until(|message| message["type"] == "review").await?;
            let stage = news["stage"].as_str().ok_or("no stage")?.to_owned();
            if stages.last().is_none_or(|(last, _)| *last != stage) {
                stages.push((stage, begun.elapsed().as_secs_f64()));
            }
            if news["stage"] == "done" {
                let moves = news["report"]["moves"].as_array().map_or(0, Vec::len);
                let stages: Vec<String> = stages.iter().map(|(stage, at)| format!("{stage} {at:.2} s")).collect();
                println!("{moves} moves: {}", stages.join(", "));
                break;
            }
        }
    }
    Ok(())
}

async fn knocks(address: SocketAddr, count: usize) -> Result<(), Failure> {
    let begun = Instant::now();
    for _ in 0..count {
        drop(Page::stranger(address).await?);
    }
    println!("{count} handshakes in {:.1} s", begun.elapsed().as_secs_f64());
    Ok(())
}

async fn clocks(address: SocketAddr, count: usize) -> Result<(), Failure> {
    let begun = Instant::now();
    let mut page = Page::connect(address).await?;
    for _ in 0..count {
        let game = page.begin(json!({"kind": "sudden_death", "main_ms": 1_800_000})).await?;
        page.ask(json!({"type": "play", "game": game, "square": "f5", "ply": 0})).await?;
    }
    println!("{count} games with running clocks in {:.1} s", begun.elapsed().as_secs_f64());
    Ok(())
}

#[tokio::main]
async fn main() -> Result<(), Failure> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let [address, what, count, seconds] = arguments.as_slice() else {
        return Err(
            "usage: load ADDRESS watch|lists|hints|timed|boards|values|reviews|knocks|clocks COUNT SECONDS".into()
        );
    };
    let address: SocketAddr = address.parse()?;
    if !address.ip().is_loopback() {
        return Err("only a server on this machine".into());
    }
    let (count, seconds): (usize, u64) = (count.parse()?, seconds.parse::<u64>()?.min(120));
    match what.as_str() {
        "watch" => watch(address, count, seconds).await,
        "lists" => lists(address, count, seconds).await,
        "boards" => boards(address, count, seconds).await,
        "values" => values(address, count).await,
        "reviews" => reviews(address, count).await,
        "hints" => hints(address, count, seconds).await,
        "timed" => timed(address, count, seconds).await,
        "knocks" => knocks(address, count).await,
        "clocks" => clocks(address, count).await,
        other => Err(format!("{other}?").into()),
    }
}
