//! How a game begins, and another in its place.

use crate::{Begun, Command, Key, Random, Refused, Room, Summary, Write};
use rules::{ByColor, Square};
use table::{GameId, Next, Opening, Rules, Seat, Setup, Table};

impl Room {
    /// A new game, and what must be kept of it before anyone may know of it.
    ///
    /// # Errors
    ///
    /// [`Refused`] if nobody could play by the rules.
    pub fn begin(
        key: Key,
        command: &Command,
        seats: ByColor<Seat>,
        rules: Rules,
        random: &mut Random,
    ) -> Result<(Room, Vec<Write>), Refused> {
        let opening = opening(rules, random);
        Room::begin_after(key, command, seats, rules, opening, random)
    }

    /// As [`Room::begin`], with an id that was chosen before, when somebody offered the game. The store refuses one that is taken.
    ///
    /// # Errors
    ///
    /// [`Refused`] if nobody could play by the rules.
    pub fn begin_as(
        key: Key,
        game: GameId,
        command: &Command,
        seats: ByColor<Seat>,
        rules: Rules,
        random: &mut Random,
    ) -> Result<(Room, Vec<Write>), Refused> {
        let opening = opening(rules, random);
        lay(key, game, seats, rules, opening, command)
    }

    /// A new game in which these moves are given: the players go on from there.
    ///
    /// # Errors
    ///
    /// [`Refused`] if nobody could play by the rules, or the moves cannot be made.
    pub fn begin_after(
        key: Key,
        command: &Command,
        seats: ByColor<Seat>,
        rules: Rules,
        moves: Vec<Square>,
        random: &mut Random,
    ) -> Result<(Room, Vec<Write>), Refused> {
        lay(key, random.game(), seats, rules, moves, command)
    }
}

/// The game that takes the place of the one in `room`, with the same players and rules.
pub(crate) fn successor(
    room: &Room,
    next: &Next,
    command: &Command,
    random: &mut Random,
) -> Result<(Room, Vec<Write>), Refused> {
    let table = room.table();
    let (seats, rules) = (table.seats().clone(), *table.rules());
    let seats = if next.swap { seats.swapped() } else { seats };
    // With colours swapped both play the same opening from either side; else another one is drawn. Where none is drawn, the moves
    // that were given are what the game is about.
    let opening = match rules.opening {
        Opening::Balanced if !next.swap => opening(rules, random),
        _ => table.moves()[..table.given()].iter().map(|played| played.step.square).collect(),
    };
    lay(room.key, next.game.clone(), seats, rules, opening, command)
}

fn lay(
    key: Key,
    game: GameId,
    seats: ByColor<Seat>,
    rules: Rules,
    opening: Vec<Square>,
    command: &Command,
) -> Result<(Room, Vec<Write>), Refused> {
    let setup = Setup { opening, ..Setup::new(command.at, seats, rules) };
    let table = Table::new(setup.clone())?;
    let mut writes = vec![Write::Begin(Box::new(Begun {
        game: game.clone(),
        setup,
        maker: command.who,
        command: command.id.clone(),
        summary: Summary::of(&table),
    }))];
    let mut players: Vec<_> = table.seats().iter().filter_map(Seat::person).collect();
    players.dedup();
    writes.extend(players.into_iter().map(|who| Write::List { who, game: game.clone(), begun: command.at }));
    Ok((Room::new(key, game, command.at, table), writes))
}

/// The moves a game by these rules begins with.
fn opening(rules: Rules, random: &mut Random) -> Vec<Square> {
    match rules.opening {
        Opening::Standard => Vec::new(),
        Opening::Balanced => crate::balanced_opening(random.number()),
    }
}
