//! The oracle: what clients were told, against what is kept. Every acknowledged move is there once and in order, everyone saw
//! a beginning of the game that is kept, and every rated game has changed the ratings of its players once.

use super::log::Told;
use std::collections::HashMap;

/// A game as it is kept.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Kept {
    /// Its entries, the first is number 1.
    pub(super) log: Vec<Entry>,
    /// The moves that stand.
    pub(super) moves: Vec<String>,
}

/// Someone's rating in one category, and how it came about.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Rating {
    /// Whose and in which.
    pub(super) of: String,
    /// As it is kept.
    pub(super) now: Standing,
    /// What their rated games did to it, in any order.
    pub(super) changes: Vec<Change>,
}

/// A rating at one time.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Standing {
    /// Of how many games it is made.
    pub(super) games: u32,
    /// Its value.
    pub(super) value: f64,
}

/// What one game did to a rating.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Change {
    /// Before it.
    pub(super) before: Standing,
    /// After it.
    pub(super) after: Standing,
}

/// One entry of a log, as far as the oracle asks.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Entry {
    /// The command that made it.
    pub(super) id: Option<String>,
    /// If it is a move: how many stood before it, and where.
    pub(super) play: Option<(u8, String)>,
}

/// Something that must never happen.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Fault {
    /// The game is not kept.
    NoGame { game: String },
    /// An acknowledged move is not what is kept as that entry.
    Lost { game: String, seq: u64, square: String },
    /// A command made more than one entry.
    Twice { game: String, id: String },
    /// A client's later move was acknowledged as an earlier entry.
    Order { game: String, client: String, seq: u64 },
    /// A client was shown moves with which the kept game does not begin.
    Saw { game: String, client: String, number: usize },
    /// A rated game has ended and changed no rating.
    Unrated { game: String },
    /// A rating is not what its games have made of it, each of them once.
    Rating { of: String },
}

/// Everything that is wrong with the games of which clients were told.
pub(super) fn check(told: &[Told], kept: &HashMap<String, Kept>) -> Vec<Fault> {
    told.iter().flat_map(|told| faults(told, kept.get(&told.game))).collect()
}

fn faults(told: &Told, kept: Option<&Kept>) -> Vec<Fault> {
    let game = || told.game.clone();
    let Some(kept) = kept else { return vec![Fault::NoGame { game: game() }] };
    let mut faults = Vec::new();
    let mut last = 0;
    for claim in &told.acknowledged {
        let entry = usize::try_from(claim.seq).ok().and_then(|seq| kept.log.get(seq.checked_sub(1)?));
        let is_it = |entry: &Entry| {
            entry.id.as_ref() == Some(&claim.id)
                && entry.play.as_ref().is_some_and(|(ply, square)| (*ply, square) == (claim.ply, &claim.square))
        };
        if !entry.is_some_and(is_it) {
            faults.push(Fault::Lost { game: game(), seq: claim.seq, square: claim.square.clone() });
        }
        if kept.log.iter().filter(|entry| entry.id.as_ref() == Some(&claim.id)).count() > 1 {
            faults.push(Fault::Twice { game: game(), id: claim.id.clone() });
        }
        if claim.seq <= last {
            faults.push(Fault::Order { game: game(), client: told.client.clone(), seq: claim.seq });
        }
        last = claim.seq;
    }
    let differs = |number: &usize| kept.moves.get(*number) != told.saw.get(*number);
    if let Some(number) = (0..told.saw.len()).find(differs) {
        faults.push(Fault::Saw { game: game(), client: told.client.clone(), number: number + 1 });
    }
    faults
}

/// What is wrong with a rating: its games must lead from nothing to what is kept, each from where the one before it ended.
pub(super) fn check_rating(rating: &Rating) -> Option<Fault> {
    // Values were written as text on the way.
    let is_same = |a: Standing, b: Standing| a.games == b.games && (a.value - b.value).abs() < 1e-6;
    let mut changes = rating.changes.clone();
    changes.sort_by_key(|change| change.before.games);
    let mut at: Option<Standing> = None;
    let leads_on = changes.iter().all(|Change { before, after }| {
        let from = at.replace(*after);
        let follows = from.map_or(before.games == 0, |from| is_same(from, *before));
        follows && after.games == before.games + 1
    });
    let ends_there = at.is_some_and(|at| is_same(at, rating.now));
    (!leads_on || !ends_there).then(|| Fault::Rating { of: rating.of.clone() })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::commands::load::log::Acknowledged;

    fn kept() -> HashMap<String, Kept> {
        let play =
            |id: &str, ply, square: &str| Entry { id: Some(id.to_owned()), play: Some((ply, square.to_owned())) };
        let sat = Entry { id: Some("w1".to_owned()), play: None };
        let log = vec![sat, play("b1", 0, "f5"), play("w2", 1, "d6"), play("b2", 2, "c3")];
        HashMap::from([("g".to_owned(), Kept { log, moves: ["f5", "d6", "c3"].map(str::to_owned).into() })])
    }

    fn black() -> Told {
        let claim =
            |id: &str, seq, ply, square: &str| Acknowledged { id: id.to_owned(), seq, ply, square: square.to_owned() };
        Told {
            client: "b".to_owned(),
            game: "g".to_owned(),
            acknowledged: vec![claim("b1", 2, 0, "f5"), claim("b2", 4, 2, "c3")],
            saw: vec!["f5".to_owned(), "d6".to_owned()],
        }
    }

    #[test]
    fn what_is_true_passes() {
        assert_eq!(check(&[black()], &kept()), []);
        assert_eq!(check(&[], &kept()), []);
    }

    #[test]
    fn every_kind_of_fault_is_found() {
        let wrong = |change: &dyn Fn(&mut Told)| {
            let mut told = black();
            change(&mut told);
            check(&[told], &kept())
        };
        let game = || "g".to_owned();
        let lost = |seq, square: &str| vec![Fault::Lost { game: game(), seq, square: square.to_owned() }];
        assert_eq!(wrong(&|told| told.game = "h".to_owned()), [Fault::NoGame { game: "h".to_owned() }]);
        assert_eq!(wrong(&|told| told.acknowledged[0].square = "e6".to_owned()), lost(2, "e6"));
        assert_eq!(wrong(&|told| told.acknowledged[0].ply = 1), lost(2, "f5"));
        assert_eq!(wrong(&|told| told.acknowledged[1].id = "b3".to_owned()), lost(4, "c3"));
        assert_eq!(wrong(&|told| told.acknowledged[1].seq = 9), lost(9, "c3"));
        assert_eq!(wrong(&|told| told.acknowledged[0].seq = 0).len(), 2, "there is no entry 0");
        assert_eq!(
            wrong(&|told| told.acknowledged.swap(0, 1)),
            [Fault::Order { game: game(), client: "b".to_owned(), seq: 2 }]
        );
        let saw = |number| vec![Fault::Saw { game: game(), client: "b".to_owned(), number }];
        assert_eq!(wrong(&|told| told.saw[1] = "f6".to_owned()), saw(2));
        assert_eq!(wrong(&|told| told.saw.extend(["c3", "c4"].map(str::to_owned))), saw(4));
        let mut twice = kept();
        let log = &mut twice.get_mut("g").unwrap().log;
        log.push(log[1].clone());
        assert_eq!(check(&[black()], &twice), [Fault::Twice { game: game(), id: "b1".to_owned() }]);
    }

    #[test]
    fn a_rating_counts_each_game_once() {
        let standing = |games, value| Standing { games, value };
        let change = |games, from, to| Change { before: standing(games, from), after: standing(games + 1, to) };
        let games = [change(0, 1500.0, 1600.0), change(1, 1600.0, 1550.0), change(2, 1550.0, 1580.0)];
        let check = |changes: &[Change], games, value| {
            check_rating(&Rating { of: "ana".to_owned(), now: standing(games, value), changes: changes.to_vec() })
                .is_none()
        };
        assert!(check(&games, 3, 1580.0));
        let [first, second, third] = games;
        assert!(check(&[third, first, second], 3, 1580.0), "in any order");
        assert!(!check(&games, 4, 1580.0), "counted twice");
        assert!(!check(&games, 3, 1590.0), "changed otherwise");
        assert!(!check(&games[..2], 3, 1580.0), "a game is missing");
        assert!(!check(&[first, second, second, third], 3, 1580.0), "a game is there twice");
        assert!(!check(&[first, change(1, 1601.0, 1550.0), third], 3, 1580.0), "not from where the last one ended");
        assert!(!check(&[second, third], 3, 1580.0), "not from the beginning");
        assert!(!check(&[], 1, 1500.0), "of no game");
    }
}
