//! People play at the real server while all sorts of things happen to it: processes killed and stopped, connections cut and doubled, the
//! database and the bus restarted, clocks that are wrong. After each, the oracle (`outflank load --check`) holds what every player was told
//! against what is kept: nothing acknowledged is lost or doubled, everyone saw a beginning of the truth, each rating was applied once. And
//! nobody is charged for a time in which nobody could play.
//!
//! `OUTFLANK_FAULTS=100 scripts/services run cargo test -p outflank --test faults -- --nocapture` tries it for longer; every second fault is
//! the end of a node then. `OUTFLANK_SEED` draws the same faults again.

#![cfg(unix)]

#[path = "../common/mod.rs"]
mod common;
mod fault;
mod players;
mod servers;
mod wire;
mod world;

use common::{Random, outflank};
use fault::{Fault, Kind};
use players::{Pair, Told, Who};
use serde_json::{Value, json};
use servers::{Place, Servers};
use std::{
    env,
    io::{Read, Write},
    net::{Ipv4Addr, TcpStream},
    sync::{Arc, Mutex, atomic::Ordering},
    thread,
    time::{Duration, Instant, SystemTime, UNIX_EPOCH},
};
use world::World;

/// Play goes on before so long after a fault; with a single node, in a long run, within a fifth of that.
const DEADLINE: Duration = Duration::from_secs(10);
/// Every pair is answered so often between two faults.
const BETWEEN: u64 = 10;
/// Pairs with accounts, whose games are rated: each of as many people plays two of the others at a time.
const RATED: usize = 4;
/// Pairs of guests.
const GUESTS: usize = 3;

#[test]
fn two_nodes_lose_nothing_whatever_happens() {
    if let Some(servers) = Servers::two_nodes() {
        torment(servers, &Kind::OF_SEVERAL);
    }
}

#[test]
fn one_node_loses_nothing_whatever_happens() {
    torment(Servers::alone(), &Kind::OF_A_NODE);
}

/// What was found out so far.
#[derive(Default)]
struct Found {
    faults: u64,
    kills: u64,
    /// Without an answer, from before a fault on.
    longest: Duration,
    /// Until everyone plays again, from when it was mended on.
    slowest: Duration,
    told: Vec<Arc<Mutex<Told>>>,
}

fn torment(mut servers: Servers, kinds: &[Kind]) {
    let number = |name| env::var(name).ok().and_then(|text| text.parse::<u64>().ok());
    let seed = number("OUTFLANK_SEED")
        .unwrap_or_else(|| SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_nanos() as u64 | 1);
    println!("seed {seed}");
    let mut random = Random(seed);
    servers.nodes.iter_mut().for_each(|node| node.start());
    let ports = servers.nodes.iter().map(|node| (node.port, node.wire.port)).collect();
    let world = World::new(ports, RATED + GUESTS);
    let accounts: Vec<Who> =
        (0..RATED).map(|number| Who::Account(token(world.nodes[0].0, &format!("Player{number}")))).collect();
    let pairs: Vec<Pair> = (0..RATED + GUESTS).map(|number| pair(number, &accounts, &mut random)).collect();
    let mut found = Found::default();
    thread::scope(|scope| {
        let _stop = Stop(&world);
        for pair in pairs {
            scope.spawn(|| pair.play(&world));
        }
        for fault in list(kinds, number("OUTFLANK_FAULTS"), servers.nodes.len(), &mut random) {
            one(&fault, &mut servers, &world, &mut found);
        }
    });
    // All of it once more, after everything that happened later.
    servers.nodes.iter_mut().for_each(|node| node.kill());
    found.told.append(&mut world.told.lock().unwrap());
    let answer = check(&servers.place, &found.told);
    assert_eq!(world.wrong(), [""; 0]);
    let games = world.games.load(Ordering::SeqCst);
    println!(
        "{} faults, {} kills; {} moves acknowledged, {games} games ended, {} of them rated; longest pause {} ms, \
         {} ms after it was mended; charged beyond what one thought {} ms at most: none lost, none doubled, each rating applied once",
        found.faults,
        found.kills,
        answer["acknowledged"],
        answer["rated"],
        found.longest.as_millis(),
        found.slowest.as_millis(),
        world.overcharged_ms.load(Ordering::SeqCst)
    );
    // A machine that does other things at the same time is not measured.
    if number("OUTFLANK_FAULTS").is_some() && servers.nodes.len() == 1 {
        assert!(found.slowest <= DEADLINE / 5, "play goes on {:?} after a fault", found.slowest);
    }
    assert!(answer["acknowledged"].as_u64() > Some(0) && answer["rated"].as_u64() > Some(0), "{answer}");
}

/// Players stop when the faults are over, or something was found.
struct Stop<'a>(&'a World);

impl Drop for Stop<'_> {
    fn drop(&mut self) {
        self.0.stop.store(true, Ordering::SeqCst);
    }
}

/// Which faults happen: a few of different kinds, or as many as were asked for.
fn list(kinds: &[Kind], count: Option<u64>, nodes: usize, random: &mut Random) -> Vec<Fault> {
    let mut left: Vec<Kind> = Vec::new();
    let mut next = |number: u64| {
        if count.is_some() && number % 2 == 1 {
            return Fault::draw(Kind::Kill, nodes, true, random);
        }
        if left.is_empty() {
            left = kinds.to_vec();
        }
        let kind = left.swap_remove(random.below(left.len() as u64) as usize);
        Fault::draw(kind, nodes, count.is_some(), random)
    };
    (0..count.unwrap_or(kinds.len() as u64)).map(&mut next).collect()
}

fn pair(number: usize, accounts: &[Who], random: &mut Random) -> Pair {
    let (who, think) = match number {
        0..RATED => ([accounts[number].clone(), accounts[(number + 1) % RATED].clone()], 60),
        _ => (Default::default(), 10),
    };
    Pair { number, who, think: Duration::from_millis(think), random: Random(random.below(u64::MAX) | 1) }
}

/// A fault happens, play goes on, and nothing is lost.
fn one(fault: &Fault, servers: &mut Servers, world: &World, found: &mut Found) {
    plays(world, BETWEEN, &format!("before {fault}"));
    let before = Instant::now();
    world.costs(!fault.kind.is_outage(servers.nodes.len()));
    world.pulses.iter().for_each(|pulse| _ = pulse.start());
    found.kills += fault.happen(servers, world);
    let mended = Instant::now();
    // The first answer may be to something that was asked before.
    plays(world, 2, &format!("after {fault}"));
    let after = mended.elapsed();
    world.costs(false);
    found.slowest = found.slowest.max(after);
    let pause = world.pulses.iter().map(|pulse| pulse.longest()).max().unwrap_or_default();
    found.longest = found.longest.max(pause);
    found.faults += 1;
    let answer = world.quietly(|| {
        let told = std::mem::take(&mut *world.told.lock().unwrap());
        let alone = matches!(servers.place, Place::Folder(_));
        if alone {
            // Nobody else reads the games of a server that runs.
            servers.nodes[0].kill();
            found.kills += 1;
        }
        let answer = check(&servers.place, &told);
        if alone {
            servers.nodes[0].start();
        }
        // Games that go on are looked at again.
        let (over, going_on): (Vec<_>, Vec<_>) = told.into_iter().partition(|told| told.lock().unwrap().is_over);
        found.told.extend(over);
        *world.told.lock().unwrap() = going_on;
        answer
    });
    println!(
        "{fault}: mended after {} ms, everyone plays {} ms later; longest pause {} ms; {} moves in {} games compared",
        mended.duration_since(before).as_millis(),
        after.as_millis(),
        pause.as_millis(),
        answer["acknowledged"],
        answer["games"]
    );
    assert_eq!(world.wrong(), [""; 0], "after {fault}");
}

/// Waits until every pair has been answered so often from now on. Play that does not go on within the time for two answers has stopped.
fn plays(world: &World, answers: u64, when: &str) {
    for _ in 0..answers.div_ceil(2) {
        let until = Instant::now() + DEADLINE;
        let wanted: Vec<u64> = world.pulses.iter().map(|pulse| pulse.count() + 2).collect();
        while world.pulses.iter().zip(&wanted).any(|(pulse, wanted)| pulse.count() < *wanted) {
            if Instant::now() >= until {
                let pairs = world.pulses.iter().zip(&wanted).enumerate();
                let stuck: Vec<usize> =
                    pairs.filter(|(_, (pulse, wanted))| pulse.count() < **wanted).map(|(n, _)| n).collect();
                panic!("{when}: these pairs cannot play: {stuck:?}; {:?}", world.wrong());
            }
            thread::sleep(Duration::from_millis(5));
        }
    }
}

/// Asks the oracle.
fn check(place: &Place, told: &[Arc<Mutex<Told>>]) -> Value {
    let mut log = tempfile::NamedTempFile::new().unwrap();
    for told in told {
        serde_json::to_writer(&mut log, &*told.lock().unwrap()).unwrap();
        log.write_all(b"\n").unwrap();
    }
    let output = outflank(&["load", "--json", "--check"]).arg(log.path()).args(place.option()).output().unwrap();
    let said = String::from_utf8_lossy(&output.stdout);
    let answer: Value = serde_json::from_str(&said).unwrap_or_else(|_| panic!("{output:?}"));
    if answer["faults"] != json!([]) {
        let kept = log.into_temp_path().keep().unwrap();
        panic!("{answer}\nwhat they were told is in {}", kept.display());
    }
    answer
}

/// A token of a new account, made as a browser elsewhere would.
fn token(port: u16, handle: &str) -> String {
    let request = |method: &str, path: &str, cookie: &str, body: &str| -> (String, Value) {
        let mut stream = TcpStream::connect((Ipv4Addr::LOCALHOST, port)).unwrap();
        let head = format!(
            "{method} {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nVia: 1.1 faults\r\nCookie: {cookie}\r\n\
             Content-Type: application/json\r\nContent-Length: {}\r\nConnection: close\r\n\r\n",
            body.len()
        );
        stream.write_all(format!("{head}{body}").as_bytes()).unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        let (head, body) = answer.split_once("\r\n\r\n").unwrap();
        let set = head.lines().filter_map(|line| line.strip_prefix("set-cookie: "));
        let cookies: Vec<&str> = set.filter_map(|set| set.split(';').next()).collect();
        (cookies.join("; "), serde_json::from_str(body).unwrap_or_default())
    };
    let (guest, _) = request("GET", "/api/account", "", "");
    let account = json!({"handle": handle, "password": "seven small owls"}).to_string();
    let (session, made) = request("POST", "/api/account", &guest, &account);
    assert_eq!(made["account"]["handle"], handle, "{made}");
    let (_, made) = request("POST", "/api/account/bot", &session, "{}");
    assert_eq!(made["account"]["bot"], true, "{made}");
    let wanted = json!({"name": "a program", "scopes": ["play"]}).to_string();
    let (_, made) = request("POST", "/api/tokens", &session, &wanted);
    made["token"].as_str().unwrap_or_else(|| panic!("{made}")).to_owned()
}
