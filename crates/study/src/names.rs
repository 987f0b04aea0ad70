//! What players call the openings, in English and Spanish.
//!
//! A line has a name if it passes through a position that has one, from whichever side the board is seen and in whichever
//! order the moves were made; of several it bears the last.

use rules::{Board, Position, Square};
use std::{collections::HashMap, sync::OnceLock};

/// An opening that has a name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Opening {
    /// The usual moves to it, Black's first on f5.
    pub moves: &'static str,
    /// In English.
    pub en: &'static str,
    /// In Spanish.
    pub es: &'static str,
}

const fn named(moves: &'static str, en: &'static str, es: &'static str) -> Opening {
    Opening { moves, en, es }
}

/// Every opening that has a name, by families.
pub static OPENINGS: [Opening; 62] = [
    named("f5f4", "Parallel", "Paralela"),
    named("f5f6", "Diagonal", "Diagonal"),
    named("f5f6d3f4", "Wing", "Ala"),
    named("f5f6c4f4", "Semi-Wing", "Semiala"),
    named("f5f6e6f4e3", "Cow", "Vaca"),
    named("f5f6e6f4e3d6", "Chimney", "Chimenea"),
    named("f5f6e6f4e3c5g5", "Bat", "Murciélago"),
    named("f5f6e6f4e3c5c4", "Rose–Tóth", "Rose–Tóth"),
    named("f5f6e6f4e3c5c4e7", "Tanida", "Tanida"),
    named("f5f6e6f4e3c5c4e7g4", "Aircraft", "Avión"),
    named("f5f6e6f4e3c5c4e7b5e2", "Sailboat", "Velero"),
    named("f5f6e6f4e3c5c4d3c3", "Landau", "Landau"),
    named("f5f6e6f4e3c5c4d3f3e2", "Maruoka", "Maruoka"),
    named("f5f6e6f4g5", "Heath", "Heath"),
    named("f5f6e6f4g5d6", "Heath Chimney", "Chimenea de Heath"),
    named("f5f6e6f4g5e7e3", "Heath Bat", "Murciélago de Heath"),
    named("f5f6e6f4g5e7d7", "Iwasaki", "Iwasaki"),
    named("f5f6e6f4g4", "Raccoon Dog", "Perro mapache"),
    named("f5f6e6f4g3d6", "Lollipop", "Piruleta"),
    named("f5f6e6f4g6", "Snake", "Serpiente"),
    named("f5f6e6f4g6c6", "Lysons", "Lysons"),
    named("f5f6e6f4g7", "X-square Opening", "Apertura de casilla X"),
    named("f5f6e6f4c3", "Buffalo", "Búfalo"),
    named("f5f6e6f4c3c4", "Hokuriku Buffalo", "Búfalo de Hokuriku"),
    named("f5f6e6f4c3d7f3", "Maruoka Buffalo", "Búfalo de Maruoka"),
    named("f5f6e6f4c3d6f3c4c5b4", "Tanida Buffalo", "Búfalo de Tanida"),
    named("f5d6", "Perpendicular", "Perpendicular"),
    named("f5d6c5f4d3", "Horse", "Caballo"),
    named("f5d6c5f4e3d3", "Mimura", "Mimura"),
    named("f5d6c5f4e3c6", "Rabbit", "Conejo"),
    named("f5d6c5f4e3c6f3", "Shaman", "Chamán"),
    named("f5d6c5f4e3c6e6", "Inoue", "Inoue"),
    named("f5d6c5f4e3c6e6f6", "Iago", "Yago"),
    named("f5d6c5f4e3c6d7", "Bhagat", "Bhagat"),
    named("f5d6c5f4e3c6d3f3", "Ralle", "Ralle"),
    named("f5d6c5f4e3c6d3f6e6d7", "Rose", "Rose"),
    named("f5d6c5f4e3c6d3f6e6d7e7", "Greenberg", "Greenberg"),
    named("f5d6c5f4e3c6d3f6e6d7g4", "Flat", "Plana"),
    named("f5d6c5f4e3c6d3f6e6d7g4c4", "Rotating Flat", "Plana giratoria"),
    named("f5d6c5f4e3c6d3f6e6d7g4c4g6", "Murakami", "Murakami"),
    named("f5d6c5f4e3c6d3f6e6d7g3c4b4", "Rose Birdie", "Birdie de Rose"),
    named("f5d6c4g5", "Ganglion", "Ganglio"),
    named("f5d6c4g5c6", "Swallow", "Golondrina"),
    named("f5d6c4d3e6", "Italian", "Italiana"),
    named("f5d6c4d3c5", "Cat", "Gato"),
    named("f5d6c4d3c5f4e3f3c2c6", "Sakaguchi", "Sakaguchi"),
    named("f5d6c4d3c5f4e3f3c2b4b3", "Berner", "Berner"),
    named("f5d6c3g5", "Bent Ganglion", "Ganglio doblado"),
    named("f5d6c3d3c4", "Tiger", "Tigre"),
    named("f5d6c3d3c4b3", "Aubrey", "Aubrey"),
    named("f5d6c3d3c4f4e6", "Leader’s Tiger", "Tigre del líder"),
    named("f5d6c3d3c4f4e3", "Brightwell", "Brightwell"),
    named("f5d6c3d3c4f4f6", "Stephenson", "Stephenson"),
    named("f5d6c3d3c4f4f6g5", "No-Kung", "No-Kung"),
    named("f5d6c3d3c4f4f6b4", "Kung", "Kung"),
    named("f5d6c3d3c4f4f6f3", "Compôth", "Compôth"),
    named("f5d6c3d3c4f4f6f3e6e7d7g6f8f7g5h6h4g4h3h5h7", "F.A.T. Draw", "Tablas F.A.T."),
    named("f5d6c3d3c4f4c5b4b5c6f3e6e3", "Ishii", "Ishii"),
    named("f5d6c3d3c4f4c5b4b5c6f3e6e3g6f6g5d7g3", "Mainline Tiger", "Tigre, línea principal"),
    named("f5d6c3d3c4f4c5b3c2", "Rose-Bill", "Rose-Bill"),
    named("f5d6c3d3c4f4c5b3c2e6", "Tamenori", "Tamenori"),
    named("f5d6c3d3c4f4c5b3c2b4", "Central Rose-Bill", "Rose-Bill central"),
];

impl Opening {
    /// The position it is known by, if its moves can be played; a test plays them all.
    pub fn position(&self) -> Option<Position> {
        self.moves.as_bytes().chunks(2).try_fold(Position::start(), |position, name| {
            let square: Square = std::str::from_utf8(name).ok()?.parse().ok()?;
            Some(position.play(square).ok()?.after)
        })
    }
}

fn table() -> &'static HashMap<Board, &'static Opening> {
    static TABLE: OnceLock<HashMap<Board, &'static Opening>> = OnceLock::new();
    TABLE.get_or_init(|| {
        let entry = |opening: &'static Opening| Some((opening.position()?.board().canonical().0, opening));
        OPENINGS.iter().filter_map(entry).collect()
    })
}

/// The opening that this position, and no earlier one, is known by.
///
/// ```
/// use rules::{Position, Square};
/// let after = Position::start().play(Square::D3)?.after.play(Square::C3)?.after;
/// // a mirror shows f5 f6
/// assert_eq!(study::names::at(&after).map(|opening| opening.en), Some("Diagonal"));
/// # Ok::<(), rules::IllegalMove>(())
/// ```
pub fn at(position: &Position) -> Option<&'static Opening> {
    table().get(&position.board().canonical().0).copied()
}

/// The opening that a line of positions bears, first to last: the last of them that has a name gives it.
///
/// ```
/// use rules::Position;
/// let mut positions = vec![Position::start()];
/// for name in ["f5", "d6", "c3", "d3", "c4", "f4"] {
///     let next = positions.last().unwrap().play(name.parse()?)?.after;
///     positions.push(next);
/// }
/// assert_eq!(study::names::of(&positions).map(|opening| opening.es), Some("Tigre"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn of<'a>(
    positions: impl IntoIterator<Item = &'a Position, IntoIter: DoubleEndedIterator>,
) -> Option<&'static Opening> {
    positions.into_iter().rev().find_map(at)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn every_line_can_be_played_and_leads_to_a_position_of_its_own() {
        let mut seen = HashSet::new();
        for opening in &OPENINGS {
            let position = opening.position().unwrap_or_else(|| panic!("{} cannot be played", opening.en));
            assert!(seen.insert(position.board().canonical().0), "{} is the same as another", opening.en);
            assert_eq!(at(&position), Some(opening));
        }
        let mut names: Vec<&str> = OPENINGS.iter().map(|opening| opening.en).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), OPENINGS.len(), "no name twice");
    }

    /// Every order in which each side can make these moves.
    fn orders(position: Position, moves: &[Vec<Square>; 2], line: &mut Vec<Position>, found: &mut Vec<Vec<Position>>) {
        line.push(position);
        let side = (line.len() - 1) % 2;
        if moves[side].is_empty() {
            found.push(line.clone());
        }
        for (at, &square) in moves[side].iter().enumerate() {
            if let Ok(step) = position.play(square)
                && !step.passed
            {
                let mut left = moves.clone();
                left[side].remove(at);
                orders(step.after, &left, line, found);
            }
        }
        line.pop();
    }

    #[test]
    fn another_order_of_moves_is_the_same_opening() {
        let mut transposed = 0;
        for opening in OPENINGS.iter().filter(|opening| opening.moves.len() <= 20) {
            let mut moves = [Vec::new(), Vec::new()];
            for (ply, name) in opening.moves.as_bytes().chunks(2).enumerate() {
                moves[ply % 2].push(std::str::from_utf8(name).unwrap().parse().unwrap());
            }
            let mut found = Vec::new();
            orders(Position::start(), &moves, &mut Vec::new(), &mut found);
            let same = |line: &&Vec<Position>| {
                line.last().map(|last| last.board()) == opening.position().map(|end| end.board())
            };
            for line in found.iter().filter(same) {
                assert_eq!(of(line), Some(opening));
                transposed += 1;
            }
        }
        assert!(transposed > OPENINGS.len(), "no opening was reached by another order");
    }

    #[test]
    fn a_line_bears_the_last_name_it_came_by() {
        let line = |moves: &str| {
            let mut positions = vec![Position::start()];
            for name in moves.as_bytes().chunks(2) {
                let square = std::str::from_utf8(name).unwrap().parse().unwrap();
                positions.push(positions.last().unwrap().play(square).unwrap().after);
            }
            positions
        };
        let name = |moves: &str| of(&line(moves)).map(|opening| opening.en);
        assert_eq!(name("f5d6c5f4e3c6d3f6e6d7"), Some("Rose"));
        assert_eq!(name("c4e3f4c5d6f3e6c3d3e2"), Some("Rose"), "the board turned");
        assert_eq!(name("f5f6e6f4"), Some("Diagonal"));
        assert_eq!(name("f5"), None);
        assert_eq!(name(""), None);
    }
}
