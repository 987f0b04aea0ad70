//! Rooms on a store that is a list in memory.

#![allow(dead_code, unreachable_pub)] // each test file uses its part

use room::{Answer, Ask, Command, Effects, Key, Random, Refused, Room, Stored, StoredEntry, Write};
use rules::ByColor;
use std::collections::BTreeMap;
use table::{At, Called, GameId, PersonId, Rules, Seat, Seq, Setup};

pub const KEY: Key = Key([9; 32]);

/// Random bytes that are the same every time.
pub fn random(seed: u64) -> Random {
    let mut number = seed;
    Random::new(std::array::from_fn(|_| {
        number = number.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (number >> 33) as u8
    }))
}

pub fn person(who: i64) -> Seat {
    Seat::Person { who: PersonId(who), name: if who == 1 { Called::First } else { Called::Second } }
}

pub fn command(who: i64, id: &str, at: At) -> Command {
    Command { who: PersonId(who), id: id.parse().unwrap(), at }
}

/// What a store keeps, and the one promise that matters here: an entry's number is given once.
#[derive(Clone, Debug, Default)]
pub struct Disk {
    pub games: BTreeMap<GameId, (Setup, Vec<StoredEntry>)>,
    pub lists: Vec<(PersonId, GameId)>,
}

impl Disk {
    /// All of it or nothing; `false` if a number is taken.
    pub fn write(&mut self, writes: &[Write]) -> bool {
        let mut next = self.clone();
        for write in writes {
            match write {
                Write::Begin(begun) => {
                    next.games.insert(begun.game.clone(), (begun.setup.clone(), Vec::new()));
                }
                Write::Enter(entered) => {
                    let Some((_, log)) = next.games.get_mut(&entered.game) else { return false };
                    if entered.seq != Seq(log.len() as u64 + 1) {
                        return false;
                    }
                    log.push(StoredEntry { by: entered.by.clone(), entry: entered.entry.clone() });
                }
                Write::List { who, game, .. } => next.lists.push((*who, game.clone())),
                Write::Delete { game, seq } => {
                    if next.games.remove(game).is_none_or(|(_, log)| Seq(log.len() as u64) != *seq) {
                        return false;
                    }
                }
                Write::Hide { who, game } => next.lists.retain(|listed| listed != &(*who, game.clone())),
                Write::Person { .. }
                | Write::Keep(_)
                | Write::Discard(_)
                | Write::Account(_)
                | Write::Meeting(_)
                | Write::Alive { .. } => {}
            }
        }
        *self = next;
        true
    }

    pub fn load(&self, game: &GameId) -> Room {
        let (setup, log) = self.games[game].clone();
        let invites = ByColor { black: None, white: None };
        Room::load(KEY, Stored { game: game.clone(), setup, invites, log }).unwrap()
    }
}

/// A game that is on disk.
pub fn begin(disk: &mut Disk, seats: ByColor<Seat>, rules: Rules) -> Room {
    let (room, writes) = Room::begin(KEY, &command(1, "begin", 0), seats, rules, &mut random(1)).unwrap();
    assert!(disk.write(&writes));
    room
}

/// Asks until it is refused or kept, as a driver does: a number that was taken means that the game has gone on.
pub fn drive(disk: &mut Disk, room: &mut Room, command: &Command, ask: &Ask) -> Result<Seq, Refused> {
    loop {
        if let Some(effects) = room.look(command.at, &mut random(2)).unwrap() {
            keep(disk, room, effects, command.at);
            continue;
        }
        match room.ask(command, ask, &mut random(3))? {
            Answer::Already(seq) => return Ok(seq),
            Answer::New(effects) => {
                if keep(disk, room, *effects, command.at) {
                    return Ok(room.seq());
                }
            }
        }
    }
}

/// Keeps what a room wants kept; `false`, with the room as it is on disk, if somebody else was first.
pub fn keep(disk: &mut Disk, room: &mut Room, effects: Effects, now: At) -> bool {
    let kept = disk.write(&effects.writes);
    if kept {
        room.commit(effects, now);
    } else {
        *room = disk.load(room.game());
    }
    kept
}
