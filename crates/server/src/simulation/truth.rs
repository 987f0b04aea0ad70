//! What is so, whatever anyone was told: [`Truth`], read from the real store.

use super::{store::wait, world::BEGINNING};
use crate::secret;
use people::{Account, AccountChange, PasswordHash, Session, SessionId};
use room::{Stored, StoredEntry, Write};
use rules::Color;
use std::{
    collections::{BTreeMap, BTreeSet, HashMap},
    sync::Arc,
};
use store::{Accounts, Meeting, Sqlite, Store};
use table::{At, GameId, PersonId, Seat, Table, board_text};

/// Someone as a server knows them.
#[derive(Clone, Debug)]
pub(super) struct Someone {
    pub(super) who: PersonId,
    /// Whether they have an account, and a secret of a session rather than a guest's.
    pub(super) account: bool,
    pub(super) secret: String,
    browsers: u64,
}

impl Someone {
    pub(super) fn new(number: u64, account: bool) -> Someone {
        let mut someone = Someone { who: PersonId(100 + number as i64), account, secret: String::new(), browsers: 0 };
        someone.another_browser();
        someone
    }

    /// Another secret than before.
    pub(super) fn another_browser(&mut self) {
        self.browsers += 1;
        self.secret = format!("{:013}{:013}", self.who.0, self.browsers);
    }

    pub(super) fn cookie(&self) -> String {
        format!("{}={}", if self.account { "outflank-session" } else { "outflank" }, self.secret)
    }

    /// What must be in the store before they come.
    pub(super) fn writes(&self) -> Vec<Write> {
        if !self.account {
            return vec![Write::Person { who: self.who, secret: secret::hash(&self.secret) }];
        }
        let handle = format!("Person{}", self.who.0).parse().unwrap();
        let account = Account { who: self.who, handle, bot: false, made: 0, suspended: None };
        let open = AccountChange::Open { account, password: PasswordHash(String::new()), recovery: Vec::new() };
        vec![Write::Account(Box::new(open)), session_of(self, BEGINNING)]
    }
}

/// The session of someone's browser.
pub(super) fn session_of(someone: &Someone, now: At) -> Write {
    let (secret, id) = (secret::hash(&someone.secret), SessionId(someone.secret.clone()));
    let session = Session { secret, id, who: someone.who, made: now, seen: now, agent: String::new() };
    Write::Account(Box::new(AccountChange::SignIn(session)))
}

/// What the store says.
#[derive(Debug)]
pub(super) struct Truth {
    store: Arc<Sqlite>,
    games: BTreeMap<GameId, Game>,
}

#[derive(Debug)]
struct Game {
    log: Vec<StoredEntry>,
    /// How it stood after each entry, and before the first.
    tables: Vec<Table>,
}

impl Truth {
    pub(super) fn new(store: Arc<Sqlite>) -> Truth {
        Truth { store, games: BTreeMap::new() }
    }

    /// How a game stands after entry `seq`, and that entry; nothing if it has no such entry, now.
    pub(super) fn at(&mut self, game: &GameId, seq: u64) -> Option<(&Table, Option<&StoredEntry>)> {
        if self.games.get(game).is_none_or(|game| game.log.len() < seq as usize) {
            self.read(game);
        }
        let game = self.games.get(game)?;
        let entry = (seq as usize).checked_sub(1).and_then(|index| game.log.get(index));
        Some((game.tables.get(seq as usize)?, entry))
    }

    /// How many entries a game has.
    pub(super) fn seq(&mut self, game: &GameId) -> u64 {
        self.read(game);
        self.games.get(game).map_or(0, |game| game.log.len() as u64)
    }

    /// Which entries were made by a command.
    pub(super) fn entries_by(&mut self, game: &GameId, who: PersonId, id: &str) -> Vec<u64> {
        self.read(game);
        let by =
            |kept: &StoredEntry| kept.by.as_ref().is_some_and(|(by, command)| *by == who && command.as_str() == id);
        let log = self.games.get(game).into_iter().flat_map(|game| &game.log);
        (1..).zip(log).filter(|(_, kept)| by(kept)).map(|(seq, _)| seq).collect()
    }

    fn read(&mut self, id: &GameId) {
        let Some(Stored { setup, log, .. }) = wait(self.store.game(id)).unwrap() else {
            assert!(!self.games.contains_key(id), "game {id} is gone");
            return;
        };
        let known = self.games.entry(id.clone()).or_insert_with(|| {
            let first = Table::new(setup).expect("what is kept can be played");
            Game { log: Vec::new(), tables: vec![first] }
        });
        assert!(log.starts_with(&known.log), "game {id} has another past than before");
        for entry in &log[known.log.len()..] {
            let next = known.tables[known.tables.len() - 1].after(&entry.entry);
            known.tables.push(next.unwrap_or_else(|why| panic!("game {id}: {entry:?} does not follow: {why}")));
        }
        known.log = log;
    }

    /// Whether what let someone in is good.
    pub(super) fn is_good(&self, secret: &str) -> bool {
        wait(self.store.holder(&secret::hash(secret))).unwrap().is_some()
    }

    /// At the end, when the last deadline is `slack` ago: no clock has run out unnoticed, and every rated game counts once.
    pub(super) fn check(&mut self, people: &[PersonId], now: At, slack: At) -> Ends {
        let due = wait(self.store.due(now - slack, 100)).unwrap();
        assert_eq!(due, [], "their clocks ran out by {now}");
        let listed: BTreeSet<GameId> = people
            .iter()
            .flat_map(|who| wait(self.store.list(*who, None, 10_000)).unwrap())
            .map(|listed| listed.game)
            .collect();
        let mut ends = Ends { games: listed.len(), ..Ends::default() };
        let mut counted: HashMap<(PersonId, String), Vec<people::Rated>> = HashMap::new();
        for game in &listed {
            let seq = self.seq(game);
            let (table, _) = self.at(game, seq).unwrap();
            let table = table.clone();
            let rated = wait(self.store.rated(std::slice::from_ref(game))).unwrap();
            let verdict = table.verdict();
            let counts = verdict.is_some_and(|verdict| verdict.ending.has_result())
                && table.rules().rated
                && table.seats().iter().all(|seat| matches!(seat, Seat::Person { .. }));
            assert_eq!(rated.len(), usize::from(counts), "game {game}, {verdict:?}, in the ratings");
            ends.over += usize::from(verdict.is_some());
            ends.out_of_time += usize::from(verdict.is_some_and(|it| it.ending == table::Ending::OutOfTime));
            ends.left += usize::from(verdict.is_some_and(|it| it.ending == table::Ending::Left));
            ends.rated += rated.len();
            for rated in rated {
                for color in Color::ALL {
                    counted.entry((rated.players[color], rated.category.to_string())).or_default().push(rated.clone());
                }
            }
        }
        for who in people {
            for (category, rating) in wait(self.store.ratings(*who)).unwrap() {
                let mut games = counted.remove(&(*who, category.to_string())).unwrap_or_default();
                let side =
                    |rated: &people::Rated| if rated.players.black == *who { Color::Black } else { Color::White };
                games.sort_by_key(|rated| rated.before[side(rated)].games());
                // What was kept as text and as a number may differ in the last digit.
                let same = |rating: people::Rating| (rating.games(), (rating.numbers().value * 1e6).round());
                let mut before = people::Rating::NEW;
                for rated in &games {
                    let found = rated.before[side(rated)];
                    assert_eq!(same(found), same(before), "{who:?} in {category}: each game counts after another");
                    before = rated.after[side(rated)];
                }
                assert_eq!(same(before), same(rating), "{who:?} in {category}");
            }
        }
        assert!(counted.is_empty(), "games that count and changed no rating: {counted:?}");
        ends
    }
}

/// How the games of a world ended.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Ends {
    pub(super) games: usize,
    pub(super) over: usize,
    pub(super) out_of_time: usize,
    pub(super) left: usize,
    pub(super) rated: usize,
}

/// What someone should see of a table: its moves, its board, and whether it is over.
pub(super) fn seen(table: &Table) -> (Vec<String>, String, bool) {
    let moves = table.moves().iter().map(|played| played.step.square.to_string()).collect();
    (moves, board_text(&table.position()), table.verdict().is_some())
}
