//! Two servers on one store, crashes anywhere, commands sent again: the game is one game.

mod common;

use common::{Disk, begin, command, drive, person, random};
use proptest::prelude::*;
use room::{Answer, Ask, Room};
use rules::ByColor;
use std::collections::HashMap;
use table::{Claim, PersonId, Phrase, Preset, Rules, Seq, TimeControl, Wish};

/// What one try does: which node, who, what, how much later, and what goes wrong.
#[derive(Clone, Debug)]
struct Try {
    node: usize,
    who: i64,
    kind: u8,
    pick: usize,
    later: u64,
    trouble: Trouble,
}

#[derive(Clone, Copy, PartialEq, Debug)]
enum Trouble {
    /// Nothing.
    None,
    /// The node is killed before anything is kept.
    KilledBefore,
    /// The node is killed after it was kept, before it could answer; the page sends it again.
    KilledAfter,
}

fn tries() -> impl Strategy<Value = Vec<Try>> {
    let trouble = prop_oneof![
        6 => Just(Trouble::None),
        1 => Just(Trouble::KilledBefore),
        1 => Just(Trouble::KilledAfter),
    ];
    let one = (0usize..2, 1i64..3, 0u8..24, 0usize..16, 0u64..400, trouble);
    let one = one.prop_map(|(node, who, kind, pick, later, trouble)| Try { node, who, kind, pick, later, trouble });
    prop::collection::vec(one, 0..160)
}

fn ask(room: &Room, kind: u8, pick: usize) -> Ask {
    let table = room.table();
    match kind {
        0 => Ask::Takeback { ply: table.ply() },
        1 => Ask::Answer { what: Wish::Takeback, accept: pick.is_multiple_of(2) },
        2 if pick == 0 => Ask::Resign { color: None },
        3 if pick < 2 => Ask::Scrap,
        4 if pick < 4 => Ask::Again { swap: pick == 0 },
        5 => Ask::Answer { what: Wish::Rematch, accept: pick < 4 },
        6 if pick < 4 => Ask::Pause,
        6 if pick < 8 => Ask::Resume,
        6 => Ask::Answer { what: Wish::Pause, accept: true },
        7 if pick == 0 => Ask::Abort,
        7 if pick == 1 => Ask::Claim { what: Claim::Win, away_ms: 30_000 },
        7 => Ask::Say { phrase: Phrase::ALL[pick % 8] },
        _ => {
            let legal: Vec<_> = table.position().legal().iter().collect();
            let square = legal.get(pick % legal.len().max(1)).copied().unwrap_or(rules::Square::A1);
            Ask::Play { square, ply: table.ply() }
        }
    }
}

proptest! {
    #[test]
    fn two_nodes_that_write_at_once_and_die_make_one_game(tries in tries()) {
        let mut disk = Disk::default();
        let rules = Rules { time: TimeControl::SuddenDeath { main_ms: 8000 }, ..Preset::Casual.rules() };
        let first = begin(&mut disk, ByColor { black: person(1), white: person(2) }, rules);
        let game = first.game().clone();
        let mut nodes = [first.clone(), first];
        let mut now = 0;
        let mut acknowledged: HashMap<(i64, String), Seq> = HashMap::new();
        for (number, attempt) in tries.iter().enumerate() {
            now += attempt.later;
            let room = &mut nodes[attempt.node];
            room.measured(PersonId(attempt.who), attempt.later);
            let what = ask(room, attempt.kind, attempt.pick);
            let id = format!("c{number}");
            let command = command(attempt.who, &id, now);
            match attempt.trouble {
                Trouble::None => {}
                Trouble::KilledBefore => {
                    drop(room.ask(&command, &what, &mut random(5)));
                    *room = disk.load(&game);
                }
                Trouble::KilledAfter => {
                    if let Ok(Answer::New(effects)) = room.ask(&command, &what, &mut random(5)) {
                        disk.write(&effects.writes); // or somebody else was first
                    }
                    *room = disk.load(&game);
                }
            }
            let room = &mut nodes[attempt.node];
            if let Ok(seq) = drive(&mut disk, room, &command, &what) {
                prop_assert!(seq <= room.seq());
                acknowledged.insert((attempt.who, id), seq);
            }
        }
        // What was acknowledged is there, once, under the number that was told.
        let log = &disk.games[&game].1;
        for ((who, id), seq) in &acknowledged {
            let by = Some((PersonId(*who), id.parse().unwrap()));
            let found: Vec<u64> =
                (1..).zip(log).filter(|(_, kept)| kept.by == by).map(|(number, _)| number).collect();
            prop_assert_eq!(&found, &[seq.0]);
        }
        // A node that was behind finds the same game as the other.
        let loaded = disk.load(&game);
        for node in &mut nodes {
            if node.seq() == loaded.seq() {
                prop_assert_eq!(node.table(), loaded.table());
            } else {
                prop_assert!(node.seq() < loaded.seq());
            }
        }
        // A game that took its place is whole.
        if let Some(next) = loaded.table().next() {
            prop_assert!(disk.games.contains_key(&next.game));
        }
    }
}
