//! Prints how fast the stores are: `scripts/services run cargo run -p outflank-store --example rates`. No test asserts a time.

use people::{MeetingChange, Played};
use room::{Begun, Entered, Summary, Write};
use rules::{ByColor, Color, Square};
use std::{
    env,
    error::Error,
    sync::Arc,
    time::{Duration, Instant},
};
use store::{Meeting, Postgres, Sqlite, Store};
use table::{Action, At, Called, Entry, GameId, PersonId, Preset, Rules, Seat, Seq, Setup, Table};

type Outcome<T> = Result<T, Box<dyn Error + Send + Sync>>;

/// A game on its way.
struct Game {
    id: GameId,
    table: Table,
    seq: Seq,
}

impl Game {
    /// A game, and what keeps it in the list of person 1.
    fn begin(id: String, at: At, rules: Rules) -> Outcome<(Game, [Write; 2])> {
        let seat = |who| Seat::Person { who: PersonId(who), name: Called::First };
        let setup = Setup::new(at, ByColor { black: seat(1), white: seat(2) }, rules);
        let (table, command, game) = (Table::new(setup.clone())?, id.parse()?, id.parse::<GameId>()?);
        let summary = Summary::of(&table);
        let list = Write::List { who: PersonId(1), game: game.clone(), begun: at };
        let begun = Begun { game: game.clone(), setup, maker: PersonId(1), command, summary };
        Ok((Game { id: game, table, seq: Seq(0) }, [Write::Begin(Box::new(begun)), list]))
    }

    fn enter(&mut self, entry: Entry) -> Outcome<Write> {
        self.table = self.table.after(&entry)?;
        self.seq = self.seq.next();
        let (game, seq, summary) = (self.id.clone(), self.seq, Summary::of(&self.table));
        Ok(Write::Enter(Box::new(Entered { game, seq, by: None, entry, summary })))
    }

    /// The first move there is.
    fn play(&mut self, at: At) -> Outcome<Write> {
        let (position, ply) = (self.table.position(), self.table.ply());
        let square: Square = position.legal().into_iter().next().ok_or("no move")?;
        self.enter(Entry::new(at, position.turn(), Action::Play { square, ply }))
    }
}

#[tokio::main]
async fn main() -> Outcome<()> {
    restart().await?;
    moves().await?;
    lists().await?;
    profile().await?;
    match env::var("OUTFLANK_TEST_POSTGRES") {
        Ok(server) => nodes(&server).await,
        Err(_) => {
            println!("skipped: OUTFLANK_TEST_POSTGRES names no database");
            Ok(())
        }
    }
}

/// What a server does when it starts with running clocks.
async fn restart() -> Outcome<()> {
    const GAMES: usize = 5000;
    const MOVES: u64 = 20;
    let folder = tempfile::tempdir()?;
    let mut games = Vec::new();
    let mut writes = Vec::new();
    for n in 0..GAMES {
        let (mut game, begun) = Game::begin(format!("running{n:05}"), 1, Preset::Tournament.rules())?;
        writes.extend(begun);
        for at in 0..MOVES {
            writes.push(game.play(1000 + at)?);
        }
        games.push(game);
    }
    Sqlite::open(folder.path())?.write(writes).await?;

    let began = Instant::now();
    let store = Sqlite::open(folder.path())?;
    say("open", began.elapsed());
    let began = Instant::now();
    let (mut after, mut read) = (None, 0);
    loop {
        let page = store.running(after.as_ref(), 500).await?;
        let Some(last) = page.last() else { break };
        after = Some(last.game.clone());
        read += page.len();
    }
    say(&format!("read {read} running games of {MOVES} moves"), began.elapsed());
    let away = |game: &mut Game| game.enter(Entry::new(9000, None, Action::Away { from: 2000 }));
    let writes = games.iter_mut().map(away).collect::<Outcome<Vec<Write>>>()?;
    let began = Instant::now();
    store.write(writes).await?;
    say(&format!("write an entry in each of {GAMES} games at once"), began.elapsed());
    Ok(())
}

/// Many games at once, each move answered before the next.
async fn moves() -> Outcome<()> {
    const MOVES: u64 = 20;
    for players in [1, 50, 200, 1000] {
        let folder = tempfile::tempdir()?;
        let store = Arc::new(Sqlite::open(folder.path())?);
        let began = Instant::now();
        let mut tasks = Vec::new();
        for n in 0..players {
            let store = store.clone();
            tasks.push(tokio::spawn(async move {
                let (mut game, begun) = Game::begin(format!("moves{n:05}"), 1, Preset::Tournament.rules())?;
                store.write(begun.into()).await?;
                for at in 0..MOVES {
                    store.write(vec![game.play(1000 + at)?]).await?;
                }
                Outcome::Ok(())
            }));
        }
        for task in tasks {
            task.await??;
        }
        let took = began.elapsed();
        let rate = (players * MOVES) as f64 / took.as_secs_f64();
        let health = store.health();
        let commit = health.all_took / health.commits.max(1) as u32;
        println!("{players} games at once: {rate:.0} moves a second, {commit:.1?} a commit");
    }
    Ok(())
}

/// Many games at once on several nodes that share a PostgreSQL database.
async fn nodes(server: &str) -> Outcome<()> {
    const MOVES: u64 = 30;
    for (nodes, players) in [(1, 1), (1, 50), (1, 200), (2, 50), (2, 200), (2, 1000), (16, 200)] {
        let schema = format!("rates_{}_{nodes}_{players}", std::process::id());
        let run = async |sql: String| -> Outcome<()> {
            let (client, connection) = tokio_postgres::connect(server, tokio_postgres::NoTls).await?;
            tokio::spawn(connection);
            Ok(client.batch_execute(&sql).await?)
        };
        run(format!("CREATE SCHEMA {schema}")).await?;
        let address = format!("{server}?options=-csearch_path%3D{schema}");
        let stores = (0..nodes).map(|_| Postgres::open(&address).map(Arc::new)).collect::<Result<Vec<_>, _>>()?;
        let mut tasks = Vec::new();
        let began = Instant::now();
        for n in 0..players {
            let store = stores[n % stores.len()].clone();
            tasks.push(tokio::spawn(async move {
                let (mut game, begun) = Game::begin(format!("moves{n:05}"), 1, Preset::Tournament.rules())?;
                store.write(begun.into()).await?;
                let mut took = Vec::new();
                for at in 0..MOVES {
                    let play = vec![game.play(1000 + at)?];
                    let began = Instant::now();
                    store.write(play).await?;
                    took.push(began.elapsed());
                }
                Outcome::Ok(took)
            }));
        }
        let mut took = Vec::new();
        for task in tasks {
            took.extend(task.await??);
        }
        let rate = took.len() as f64 / began.elapsed().as_secs_f64();
        took.sort();
        let (half, most) = (took[took.len() / 2], took[took.len() * 99 / 100]);
        let health = stores[0].health();
        let share = health.jobs as f64 / health.commits.max(1) as f64;
        println!(
            "PostgreSQL, {nodes} nodes, {players} games at once: {rate:.0} moves a second, p50 {half:.1?}, p99 {most:.1?}, {share:.1} writes a commit"
        );
        drop(stores);
        run(format!("DROP SCHEMA {schema} CASCADE")).await?;
    }
    Ok(())
}

/// A page of a long list.
async fn lists() -> Outcome<()> {
    const GAMES: u64 = 10_000;
    const TIMES: u32 = 1000;
    let folder = tempfile::tempdir()?;
    let store = Sqlite::open(folder.path())?;
    let mut writes = Vec::new();
    for n in 0..GAMES {
        let (mut game, begun) = Game::begin(format!("listed{n:05}"), n, Preset::Casual.rules())?;
        writes.extend(begun);
        writes.push(game.play(n + 1)?);
    }
    store.write(writes).await?;
    let middle: GameId = format!("listed{:05}", GAMES / 2).parse()?;
    for (what, before) in [("the latest 30", None), ("30 from the middle", Some(&middle))] {
        let began = Instant::now();
        for _ in 0..TIMES {
            store.list(PersonId(1), before, 30).await?;
        }
        say(&format!("list {what} of {GAMES}"), began.elapsed() / TIMES);
    }
    let began = Instant::now();
    for _ in 0..TIMES {
        store.game(&middle).await?;
    }
    say("read a game", began.elapsed() / TIMES);
    let began = Instant::now();
    for _ in 0..TIMES {
        store.open_games(PersonId(1)).await?;
    }
    say(&format!("count {GAMES} open games"), began.elapsed() / TIMES);
    Ok(())
}

/// Someone who has played much.
async fn profile() -> Outcome<()> {
    const GAMES: u64 = 10_000;
    const TIMES: u32 = 100;
    let folder = tempfile::tempdir()?;
    let store = Sqlite::open(folder.path())?;
    let mut writes = Vec::new();
    for n in 0..GAMES {
        let (mut game, begun) = Game::begin(format!("played{n:05}"), n, Preset::Thirty.rules())?;
        writes.extend(begun);
        writes.push(game.enter(Entry::new(n + 1, Some(Color::Black), Action::Resign {}))?);
        let table = &game.table;
        let verdict = table.verdict().ok_or("it has ended")?;
        let played = Played::new(&game.id, n + 1, table.rules(), table.seats(), &verdict).ok_or("it counts")?;
        writes.push(Write::Meeting(MeetingChange::Played(Box::new(played))));
    }
    store.write(writes).await?;
    let began = Instant::now();
    for _ in 0..TIMES {
        store.tally(PersonId(1), PersonId(1)).await?;
    }
    say(&format!("count the results of {GAMES} games"), began.elapsed() / TIMES);
    let began = Instant::now();
    for _ in 0..TIMES {
        store.played(PersonId(1), PersonId(1), None, 30).await?;
    }
    say(&format!("list the latest 30 of {GAMES} finished games"), began.elapsed() / TIMES);
    Ok(())
}

fn say(what: &str, took: Duration) {
    println!("{what}: {took:.1?}");
}
