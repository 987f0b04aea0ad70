//! A game as JSON, for programs: all that whoever may see it can know of it. `docs/api.md` shows one.

use crate::{
    House,
    protocol::{OpeningName, OpeningReached, RatingChange},
};
use rules::{ByColor, Color, Square};
use serde::Serialize;
use serde_json::{Value, json};
use table::{At, GameId, MoveView, Ply, Rules, SeatView, Table, Verdict};

#[derive(Serialize)]
struct Written<'a> {
    game: &'a GameId,
    begun: At,
    seats: ByColor<Value>,
    rules: &'a Rules,
    /// What players call the opening.
    opening: Option<OpeningName>,
    moves: Vec<Played>,
    /// How much of each player's time the network took, and they got back.
    lag_ms: ByColor<u64>,
    verdict: Option<Verdict>,
    rated: Option<ByColor<RatingChange>>,
}

#[derive(Serialize)]
struct Played {
    by: Color,
    square: Square,
    /// The other player had no reply.
    passed: bool,
    /// Nobody chose it here: the game began from it.
    given: bool,
    ms: u64,
}

impl From<MoveView> for Played {
    fn from(MoveView { by, square, passed, given, ms, .. }: MoveView) -> Played {
        Played { by, square, passed, given, ms }
    }
}

/// A seat as everybody sees it: whose it is for the reader says nothing in a file.
fn seat(view: &SeatView) -> Value {
    let mut seat = json!(view);
    if let Some(fields) = seat.as_object_mut() {
        fields.remove("you");
    }
    seat
}

impl House {
    /// The game of a table that began at that time.
    pub(super) async fn json(&self, game: &GameId, table: &Table, begun: At) -> String {
        let players = self.players(game, table).await;
        let mut view = table.view(table.at(), None);
        players.fill(table.seats(), Some(table.rules()), &mut view.seats, self.time.now());
        let written = Written {
            game,
            begun,
            seats: view.seats.as_ref().map(seat),
            rules: table.rules(),
            opening: OpeningReached::after(Ply(0), table).pop().map(|reached| reached.name),
            moves: (0..table.moves().len()).map(|index| table.move_view(index).into()).collect(),
            lag_ms: view.lag_ms,
            verdict: view.verdict,
            rated: players.rated(),
        };
        // Plain data with text keys; writing it cannot fail.
        serde_json::to_string(&written).unwrap_or_default() + "\n"
    }
}
