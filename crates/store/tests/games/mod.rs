//! Small games for tests that are not about games.

#![allow(dead_code, unreachable_pub)]

use room::{Begun, Entered, Summary, Write};
use rules::{ByColor, Square};
use table::{Action, At, Called, CommandId, Entry, GameId, PersonId, Preset, Seat, Seq, Setup, Table};

/// A game on its way.
#[derive(Clone, Debug)]
pub struct Game {
    pub id: GameId,
    pub setup: Setup,
    pub table: Table,
    pub seq: Seq,
}

impl Game {
    /// Two people with a clock each.
    pub fn new(id: &str) -> Game {
        let seat = |who| Seat::Person { who: PersonId(who), name: Called::First };
        let setup = Setup::new(1, ByColor { black: seat(1), white: seat(2) }, Preset::Tournament.rules());
        let table = Table::new(setup.clone()).unwrap();
        Game { id: id.parse().unwrap(), setup, table, seq: Seq(0) }
    }

    /// What begins it, in the list of person 1.
    pub fn begin(&self) -> Vec<Write> {
        let command: CommandId = self.id.as_str().parse().unwrap();
        let (game, setup, summary) = (self.id.clone(), self.setup.clone(), Summary::of(&self.table));
        let begun = Begun { game: game.clone(), setup, maker: PersonId(1), command, summary };
        vec![Write::Begin(Box::new(begun)), Write::List { who: PersonId(1), game, begun: self.setup.at }]
    }

    /// Plays the first move there is.
    pub fn play(&mut self, at: At) -> Write {
        let (position, ply) = (self.table.position(), self.table.ply());
        let square: Square = position.legal().into_iter().next().unwrap();
        self.enter(Entry::new(at, position.turn(), Action::Play { square, ply }))
    }

    fn enter(&mut self, entry: Entry) -> Write {
        self.table = self.table.after(&entry).unwrap();
        self.seq = self.seq.next();
        let (game, seq, summary) = (self.id.clone(), self.seq, Summary::of(&self.table));
        Write::Enter(Box::new(Entered { game, seq, by: None, entry, summary }))
    }
}
