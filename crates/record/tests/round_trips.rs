//! Any game, written in any format and read again, is the same game.

use proptest::prelude::*;
use record::{
    Claim, Format, Headers, How, Known, Note, RawGame, RawKnown, RawNote, RawPly, Record, board_text, ggf, import, obf,
    pgn, sgf, transcript, wthor,
};
use rules::{Bitboard, ByColor, Color, Position, Setup, Square};

/// A game of random moves; `choices` decide which, and how many.
fn played(start: Position, choices: &[u16]) -> Vec<Square> {
    let mut position = start;
    let mut moves = Vec::new();
    for &choice in choices {
        let legal = position.legal();
        if legal.is_empty() {
            break;
        }
        let square = legal.iter().nth(usize::from(choice) % legal.len() as usize).unwrap();
        position = position.play(square).unwrap().after;
        moves.push(square);
    }
    moves
}

fn choices() -> impl Strategy<Value = Vec<u16>> {
    prop::collection::vec(any::<u16>(), 0..=60)
}

/// Games from the usual start: a third of them to the end.
fn usual() -> impl Strategy<Value = Record> {
    choices().prop_map(|choices| Record::from_moves(played(Position::start(), &choices)).unwrap())
}

/// Discs in any order, as no game may ever leave them.
fn setup() -> impl Strategy<Value = Setup> {
    (any::<u64>(), any::<u64>(), any::<bool>()).prop_map(|(occupied, colors, black)| Setup {
        black: Bitboard(occupied & colors | 1),
        white: Bitboard(occupied & !colors & !1),
        turn: if black { Color::Black } else { Color::White },
    })
}

/// Games from anywhere, each move with a note or without.
fn anywhere() -> impl Strategy<Value = Record> {
    let notes = prop::collection::vec((any::<bool>(), -640i16..640, 0u16..9999), 60);
    (setup(), choices(), notes).prop_map(|(setup, choices, notes)| {
        let mut raw = RawGame { start: Some(setup), ..RawGame::default() };
        for (at, square) in played(setup.position().unwrap(), &choices).into_iter().enumerate() {
            raw.push(None, Some(square), at).unwrap();
            let (there, eval, seconds) = notes[at];
            if there {
                let note = Note {
                    eval: Some(f32::from(eval) / 10.0),
                    seconds: Some(f32::from(seconds) / 100.0),
                    ..Note::default()
                };
                raw.notes.push(RawNote { on: Some(at as u32), note });
            }
        }
        Record::try_from(raw).unwrap()
    })
}

/// Names that have every right to be awkward, but are one trimmed line.
fn name() -> impl Strategy<Value = String> {
    r#"[A-Za-zÀ-ÿ漢 \\"\[(){};:?%.0-9-]{0,18}"#.prop_map(|name| name.trim().to_owned())
}

fn headers() -> impl Strategy<Value = Headers> {
    (name(), name(), name(), name(), name(), -64i8..=64).prop_map(|(black, white, event, site, date, claim)| Headers {
        players: ByColor { black, white },
        event,
        site,
        date,
        claim: Some(Claim::Difference { black: claim.into(), how: How::Played }),
        ..Headers::default()
    })
}

/// A tree of variations: each move answers some earlier one.
fn tree() -> impl Strategy<Value = Record> {
    let moves = prop::collection::vec((any::<u16>(), any::<u16>(), any::<bool>(), ".{0,12}"), 0..40);
    moves.prop_map(|moves| {
        let mut raw = RawGame::default();
        // the line to the last move, with the position after each
        let mut line: Vec<(u32, Position)> = Vec::new();
        for (back, choice, steps_back, comment) in moves {
            if steps_back {
                line.truncate(line.len() - usize::from(back) % (line.len() + 1));
            }
            let position = line.last().map_or(Position::start(), |last| last.1);
            let legal = position.legal();
            let Some(square) = legal.iter().nth(usize::from(choice) % (legal.len() as usize).max(1)) else { continue };
            let at = raw.plies.len() as u32;
            raw.plies.push(RawPly { after: line.last().map(|last| last.0), by: None, square: Some(square), byte: 0 });
            let comment: String = comment.replace(char::is_control, "").trim().to_owned();
            if !comment.is_empty() {
                raw.notes.push(RawNote { on: Some(at), note: Note { comment, ..Note::default() } });
            }
            line.push((at, position.play(square).unwrap().after));
        }
        Record::try_from(raw).unwrap()
    })
}

fn only(games: impl Iterator<Item = (usize, Result<RawGame, record::ReadError>)>) -> Record {
    let mut games: Vec<_> = games.collect();
    assert_eq!(games.len(), 1);
    Record::try_from(games.remove(0).1.unwrap()).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 500, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn transcripts(record in usual()) {
        let text = transcript::write(&record).unwrap();
        prop_assert_eq!(Record::try_from(transcript::read(text.as_bytes()).unwrap()).unwrap(), record);
    }

    #[test]
    fn portable_game_notation(mut record in anywhere(), headers in headers()) {
        record.headers = headers;
        let text = pgn::write(&record);
        let back = only(pgn::games(text.as_bytes()));
        prop_assert_eq!(back.moves(), record.moves());
        prop_assert_eq!(back.start(), record.start());
        prop_assert_eq!(pgn::write(&back), text);
    }

    #[test]
    fn generic_game_format(mut record in anywhere(), headers in headers()) {
        record.headers = headers;
        // a difference of the discs on the board is written with the empties to the winner
        record.headers.claim = record.result();
        let text = ggf::write(&record);
        prop_assert_eq!(only(ggf::games(text.as_bytes())), record);
    }

    #[test]
    fn smart_game_format(mut record in tree(), headers in headers()) {
        record.headers = headers;
        record.headers.claim = record.result();
        let text = sgf::write(&record);
        prop_assert_eq!(only(sgf::games(text.as_bytes())), record);
    }

    #[test]
    fn smart_game_format_from_anywhere(record in anywhere()) {
        let text = sgf::write(&record);
        let back = only(sgf::games(text.as_bytes()));
        prop_assert_eq!(back.moves(), record.moves());
        prop_assert_eq!(back.start(), record.start());
        prop_assert_eq!(sgf::write(&back), text);
    }

    #[test]
    fn tournament_database(records in prop::collection::vec((usual(), headers()), 0..5)) {
        let records: Vec<_> = records.into_iter().map(|(mut record, headers)| { record.headers = headers; record }).collect();
        let base = wthor::Base::write(&records, wthor::Date::default()).unwrap();
        let mut names = wthor::Names::default();
        names.read_players(&base.players).unwrap();
        names.read_tournaments(&base.tournaments).unwrap();
        let back: Vec<_> = import::records(Format::Wthor, &base.games, &names).map(Result::unwrap).collect();
        prop_assert_eq!(back.len(), records.len());
        for (one, other) in back.iter().zip(&records) {
            prop_assert_eq!(one.main_len(), other.main_len());
            prop_assert!(one.main_line().next().is_none_or(|first| first == Square::F5));
            prop_assert_eq!(one.end().count(), other.end().count());
        }
        prop_assert_eq!(wthor::Base::write(&back, wthor::Date::default()).unwrap(), base);
    }

    #[test]
    fn positions_with_scores(setup in setup(), scores in prop::collection::vec(-64i8..=64, 40)) {
        let position = setup.position().unwrap();
        let mut raw = RawGame { start: Some(setup), ..RawGame::default() };
        for (at, square) in position.legal().iter().enumerate() {
            raw.known.push(RawKnown { known: Known { square, score: Some(scores[at].into()) }, byte: 0 });
        }
        let record = Record::try_from(raw).unwrap();
        let line = obf::write(&record).unwrap();
        prop_assert_eq!(Record::try_from(obf::read(line.as_bytes()).unwrap()).unwrap(), record);
    }

    #[test]
    fn boards_as_text(setup in setup()) {
        prop_assert_eq!(board_text::read(&board_text::write(setup)), Ok(setup));
        prop_assert_eq!(board_text::read(&board_text::write_ggf(setup)), Ok(setup));
        prop_assert_eq!(board_text::read(&board_text::write_fen(setup)), Ok(setup));
        prop_assert_eq!(board_text::read(&board_text::write_diagram(setup)), Ok(setup));
    }

    #[test]
    fn one_format_after_the_other(record in usual()) {
        let through_ggf = only(ggf::games(ggf::write(&record).as_bytes()));
        let through_sgf = only(sgf::games(sgf::write(&through_ggf).as_bytes()));
        let through_pgn = only(pgn::games(pgn::write(&through_sgf).as_bytes()));
        prop_assert_eq!(through_pgn.moves(), record.moves());
    }

    #[test]
    fn nothing_read_is_ever_a_surprise(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        for format in Format::ALL {
            let _ = import::records(format, &bytes, &wthor::Names::default()).count();
        }
    }
}
