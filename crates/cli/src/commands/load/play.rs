//! Pairs of guests who play one game after another until the time is up.

use super::{
    guest::{Guest, strange},
    log::{Acknowledged, Told},
};
use crate::{duel::player::mix, remote::Address};
use serde_json::json;
use std::{
    collections::BTreeMap,
    io,
    time::{Duration, Instant},
};
use tokio::{
    task::JoinSet,
    time::{sleep, timeout},
};

/// After trouble a pair waits so long before it tries another game.
const REST: Duration = Duration::from_millis(250);
/// Whatever has not ended so long after the time is up is left alone.
const LAST: Duration = Duration::from_secs(30);

/// Who plays, for how long.
pub(super) struct Players {
    /// The nodes of one server, or the one there is: the two of a game play at different ones.
    pub(super) servers: Vec<Address>,
    /// How many games at a time.
    pub(super) games: u32,
    pub(super) time: Duration,
    /// How long a move takes in the mean; between half of it and half more.
    pub(super) think: Duration,
}

/// How it went.
#[derive(Default)]
pub(super) struct Tally {
    /// Games in which at least one move was acknowledged.
    pub(super) games: u64,
    /// From sending a move until the server said that it is on disk, the shortest first.
    pub(super) delays: Vec<Duration>,
    /// How often the server put a client off who wanted to begin a game.
    pub(super) waited: u64,
    /// Everything else than that: refused, cut off, not answered.
    pub(super) errors: u64,
    /// What the errors were, and how often.
    pub(super) troubles: BTreeMap<String, u64>,
    /// What each client was told of each game.
    pub(super) told: Vec<Told>,
    took: Duration,
}

impl Tally {
    /// The delay that this share of the moves did not exceed.
    pub(super) fn delay(&self, share: f64) -> Duration {
        let at = (self.delays.len() as f64 * share) as usize;
        self.delays.get(at.min(self.delays.len().saturating_sub(1))).copied().unwrap_or_default()
    }

    /// Acknowledged moves in a second.
    pub(super) fn per_second(&self) -> f64 {
        if self.took.is_zero() { 0.0 } else { self.delays.len() as f64 / self.took.as_secs_f64() }
    }

    fn add(&mut self, other: Tally) {
        self.games += other.games;
        self.delays.extend(other.delays);
        self.waited += other.waited;
        self.errors += other.errors;
        self.told.extend(other.told);
        for (what, times) in other.troubles {
            *self.troubles.entry(what).or_default() += times;
        }
    }

    fn trouble(&mut self, what: &io::Error) {
        self.errors += 1;
        *self.troubles.entry(what.to_string()).or_default() += 1;
    }
}

impl Players {
    /// Plays until the time is up.
    pub(super) async fn play(self) -> Tally {
        let begun = Instant::now();
        let end = begun + self.time;
        let mut pairs = JoinSet::new();
        for number in 0..self.games {
            let server = |number: u32| self.servers[number as usize % self.servers.len()].clone();
            let servers = [server(number), server(number + 1)];
            let pair = Pair { servers, number, end, think: self.think, seed: mix(number.into()) };
            pairs.spawn(pair.play());
        }
        let mut tally = Tally::default();
        let all = async {
            while let Some(pair) = pairs.join_next().await {
                match pair {
                    Ok(pair) => tally.add(pair),
                    Err(error) => tally.trouble(&io::Error::other(error)),
                }
            }
        };
        if timeout(self.time + LAST, all).await.is_err() {
            tally.trouble(&io::ErrorKind::TimedOut.into());
        }
        tally.took = begun.elapsed();
        tally.delays.sort_unstable();
        tally
    }
}

/// Begins a game with an open seat: which one, and the secret for the seat.
async fn begin(black: &mut Guest) -> io::Result<(String, String)> {
    let rules = json!({"empties": "to_winner", "time": {"kind": "none"}, "overrun": "loses", "takebacks": false});
    let seats = json!({"black": {"kind": "person", "name": 1}, "white": {"kind": "open"}});
    let begun = black.ask(json!({"type": "create", "seats": seats, "rules": rules})).await?;
    let game = begun.game.ok_or_else(strange)?;
    let opened = black.ask(json!({"type": "open", "game": game})).await?;
    let invite = opened.invites.and_then(|invites| invites.white).ok_or_else(strange)?;
    Ok((game, invite))
}

async fn sit(white: &mut Guest, game: &str, invite: &str) -> io::Result<()> {
    white.ask(json!({"type": "sit", "game": game, "invite": invite, "name": 2})).await?;
    white.ask(json!({"type": "open", "game": game})).await.map(drop)
}

/// Two guests who play one game after another.
struct Pair {
    /// Where Black plays, and where White does.
    servers: [Address; 2],
    number: u32,
    end: Instant,
    think: Duration,
    seed: u64,
}

impl Pair {
    async fn play(mut self) -> Tally {
        let mut tally = Tally::default();
        let mut game = 0;
        while Instant::now() < self.end {
            game += 1;
            match self.one(game, &mut tally).await {
                // The time was up before the server had room for another game.
                Err(error) if error.kind() == io::ErrorKind::QuotaExceeded => break,
                Err(error) => {
                    tally.trouble(&error);
                    sleep(REST).await;
                }
                Ok(()) => {}
            }
        }
        tally
    }

    /// One game between two who came for it. What they were told counts however it ends.
    async fn one(&mut self, number: u32, tally: &mut Tally) -> io::Result<()> {
        let name = |color: &str| format!("load-{}-{}-{number}-{color}", std::process::id(), self.number);
        let mut black = Guest::come(&self.servers[0], name("b"), self.end).await?;
        let begun = begin(&mut black).await;
        tally.waited += black.waited;
        let (game, invite) = begun?;
        let mut white = Guest::come(&self.servers[1], name("w"), self.end).await?;
        let seated = sit(&mut white, &game, &invite).await;
        tally.waited += white.waited;
        seated?;
        let told = |color| Told { client: name(color), game: game.clone(), ..Told::default() };
        let mut told = [told("b"), told("w")];
        let mut guests = [black, white];
        let played = self.moves(&game, &mut guests, &mut told, &mut tally.delays).await;
        tally.games += u64::from(told.iter().any(|told| !told.acknowledged.is_empty()));
        for (told, guest) in told.iter_mut().zip(guests) {
            told.saw = guest.saw;
        }
        tally.told.extend(told);
        played
    }

    async fn moves(
        &mut self,
        game: &str,
        guests: &mut [Guest; 2],
        told: &mut [Told; 2],
        delays: &mut Vec<Duration>,
    ) -> io::Result<()> {
        // White came last, and so has seen that both are there.
        let mut seen = guests[1].seen.clone().ok_or_else(strange)?;
        while let Some(turn) = seen.turn.take() {
            if Instant::now() >= self.end {
                return Ok(());
            }
            self.seed = mix(self.seed);
            if !self.think.is_zero() {
                sleep(self.think.mul_f64(0.5 + (self.seed >> 40) as f64 / f64::from(1 << 24))).await;
            }
            let mover = usize::from(turn == "white");
            let square = seen.legal.get(self.seed as usize % seen.legal.len().max(1)).ok_or_else(strange)?;
            let (id, seq, took) = guests[mover].play(game, &square.square, seen.ply).await?;
            delays.push(took);
            told[mover].acknowledged.push(Acknowledged { id, seq, ply: seen.ply, square: square.square.clone() });
            // Whoever is next has to have seen it.
            for guest in guests.iter_mut() {
                guest.see_past(seen.ply).await?;
            }
            seen = guests[1].seen.clone().ok_or_else(strange)?;
        }
        Ok(())
    }
}
