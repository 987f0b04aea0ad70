//! What is lost when a game is written in a format is exactly what is said to be.

use proptest::prelude::*;
use record::{
    Claim, Extra, Format, Headers, How, Known, Loss, MoveNote, Note, RawGame, RawKnown, RawNote, RawPly, Record,
    Theory, board_text, ggf, import, lost, obf, pgn, sgf, transcript, wthor,
};
use rules::{ByColor, Color, Position};
use std::collections::BTreeSet;

/// Names that have every right to be awkward, but are one trimmed line.
fn name() -> impl Strategy<Value = String> {
    let awkward = r#"[A-Za-zÀ-ÿ漢 \\"\[\](){};:?%.0-9-]{0,24}"#.prop_map(|name| name.trim().to_owned());
    prop_oneof![2 => Just(String::new()), 1 => Just("???".to_owned()), 3 => awkward]
}

fn one_of(texts: &'static [&'static str]) -> impl Strategy<Value = String> {
    prop::sample::select(texts).prop_map(str::to_owned)
}

fn date() -> impl Strategy<Value = String> {
    let known = ["", "1986", "1986-05", "2003.12.15", "2003-12-15", "2003/12/15", "1986.??.??", "947375357"];
    let odd = ["2003.12.15_12:33:18.MST", "2000-4-16 11:13 EST", "1996-05,06", "2000-13-01", "last summer"];
    prop_oneof![prop::sample::select(known.to_vec()), prop::sample::select(odd.to_vec())].prop_map(str::to_owned)
}

fn claim() -> impl Strategy<Value = Option<Claim>> {
    let how = prop::sample::select(vec![How::Played, How::Resigned, How::OutOfTime, How::Agreed]);
    let color = prop::sample::select(vec![Color::Black, Color::White]);
    prop_oneof![
        Just(None),
        (0u8..=64).prop_map(|black| Some(Claim::Discs(ByColor { black, white: 64 - black }))),
        (0u8..=20, 9u8..=20).prop_map(|(black, white)| Some(Claim::Discs(ByColor { black, white }))),
        (-64i8..=64, how.clone()).prop_map(|(black, how)| Some(Claim::Difference { black: black.into(), how })),
        how.clone().prop_map(|how| Some(Claim::Difference { black: -22.87, how })),
        how.clone().prop_map(|how| Some(Claim::Difference { black: 64.0, how })),
        (color, how).prop_map(|(color, how)| Some(Claim::Winner(color, how))),
    ]
}

fn headers() -> impl Strategy<Value = Headers> {
    let time = one_of(&["", "300", "300+5", "05:00", "05:00//02:00", "05:00/00:05/00:00", "blitz", "?"]);
    let theory = prop_oneof![Just(None), (0u8..=64).prop_map(|black| Some(Theory { black, empties: 24 }))];
    let extra = prop_oneof![
        3 => Just(None),
        1 => Just(Some((Format::Pgn, "Mood", "good"))),
        1 => Just(Some((Format::Pgn, "Mood", "?"))),
        1 => Just(Some((Format::Ggf, "KM", "1.5"))),
        1 => Just(Some((Format::Ggf, "TY", "s8"))),
        1 => Just(Some((Format::Sgf, "GN", "a \\] b"))),
        1 => Just(Some((Format::Sgf, "AP", "x:1"))),
    ];
    let names = (name(), name(), name(), name(), one_of(&["", "1720.5", "2 dan"]), one_of(&["", "3", "-"]));
    (names, date(), time, claim(), theory, extra).prop_map(|(names, date, time, claim, theory, extra)| {
        let (black, white, event, site, rating, round) = names;
        let extra = extra.map(|(format, name, value)| Extra { format, name: name.into(), value: value.into() });
        Headers {
            players: ByColor { black, white },
            ratings: ByColor { black: rating, white: String::new() },
            event,
            site,
            date,
            round,
            time,
            claim,
            theory,
            extra: extra.into_iter().collect(),
        }
    })
}

fn note() -> impl Strategy<Value = Note> {
    let number =
        |most: i16| prop_oneof![3 => Just(None), 1 => (0..most).prop_map(|n| Some(f32::from(n) / 10.0 - 20.0))];
    let comment = prop_oneof![3 => Just(String::new()), 1 => ".{0,12}"];
    let extra = prop_oneof![
        4 => Just(Vec::new()),
        1 => Just(vec![("N", "parallel"), ("LB", "a1:x"), ("LB", "b2:y\\:z"), ("GB", "1")]),
        1 => Just(vec![("BL", "1799.5")]),
    ];
    (number(400), number(400), comment, extra).prop_map(|(eval, seconds, comment, extra)| Note {
        eval,
        seconds: seconds.map(|seconds: f32| seconds + 20.0),
        comment: comment.replace(char::is_control, "").trim().to_owned(),
        extra: extra
            .into_iter()
            .map(|(name, value)| Extra { format: Format::Sgf, name: name.into(), value: value.into() })
            .collect(),
    })
}

/// A game, perhaps to its end, perhaps with variations.
fn game() -> impl Strategy<Value = Record> {
    let moves = prop::collection::vec((any::<u16>(), any::<u16>(), 0u8..20, note()), 0..70);
    (moves, headers(), ".{0,8}", any::<bool>()).prop_map(|(moves, headers, remark, branches)| {
        let mut raw = RawGame { headers, ..RawGame::default() };
        let comment = remark.replace(char::is_control, "").trim().to_owned();
        if !comment.is_empty() {
            raw.notes.push(RawNote { on: None, note: Note { comment, ..Note::default() } });
        }
        let mut line: Vec<(u32, Position)> = Vec::new();
        for (back, choice, steps_back, note) in moves {
            if branches && steps_back == 0 {
                line.truncate(line.len() - usize::from(back) % (line.len() + 1));
            }
            let position = line.last().map_or(Position::start(), |last| last.1);
            let legal = position.legal();
            let Some(square) = legal.iter().nth(usize::from(choice) % (legal.len() as usize).max(1)) else { continue };
            let at = raw.plies.len() as u32;
            raw.plies.push(RawPly { after: line.last().map(|last| last.0), by: None, square: Some(square), byte: 0 });
            if note != Note::default() {
                raw.notes.push(RawNote { on: Some(at), note });
            }
            line.push((at, position.play(square).unwrap().after));
        }
        Record::try_from(raw).unwrap()
    })
}

/// A test position.
fn problem() -> impl Strategy<Value = Record> {
    (headers(), prop::collection::vec(-64i8..=64, 4), 0usize..=4).prop_map(|(headers, scores, count)| {
        let start = Position::start();
        let mut raw = RawGame { headers, start: Some(start.setup()), ..RawGame::default() };
        for (square, score) in start.legal().iter().zip(scores).take(count) {
            raw.known.push(RawKnown { known: Known { square, score: Some(score.into()) }, byte: 0 });
        }
        Record::try_from(raw).unwrap()
    })
}

/// The game as it comes back; `None` where the format cannot hold it, or an empty line would.
fn through(format: Format, record: &Record) -> Option<Record> {
    let mut names = wthor::Names::default();
    let bytes = match format {
        Format::Transcript if record.main_len() == 0 => return None,
        Format::Transcript => transcript::write(record).unwrap().into_bytes(),
        Format::Pgn => pgn::write(record).into_bytes(),
        Format::Ggf => ggf::write(record).into_bytes(),
        Format::Sgf => sgf::write(record).into_bytes(),
        Format::Obf => obf::write(record).ok()?.into_bytes(),
        Format::Board => board_text::write_diagram(record.end().setup()).into_bytes(),
        Format::Wthor => {
            let created = wthor::Date { year: 2026, month: 2, day: 3 };
            let base = wthor::Base::write(std::slice::from_ref(record), created).unwrap();
            names.read_players(&base.players).unwrap();
            names.read_tournaments(&base.tournaments).unwrap();
            base.games
        }
    };
    let mut all: Vec<_> = import::records(format, &bytes, &names).collect();
    assert_eq!(all.len(), 1, "{}", String::from_utf8_lossy(&bytes));
    Some(all.remove(0).unwrap())
}

/// What is not the same, found by looking at everything.
fn differences(one: &Record, other: &Record) -> BTreeSet<Loss> {
    let notes = |record: &Record, about: fn(&MoveNote) -> Option<String>| -> Vec<(Option<u32>, String)> {
        record.notes().iter().filter_map(|note| about(note).map(|said| (note.on, said))).collect()
    };
    let comment = |note: &MoveNote| {
        let words = note.note.comment.split_whitespace().collect::<Vec<_>>().join(" ");
        (!words.is_empty()).then_some(words)
    };
    let eval = |note: &MoveNote| note.note.eval.map(|eval| eval.to_string());
    let seconds = |note: &MoveNote| note.note.seconds.map(|seconds| seconds.to_string());
    let extra = |note: &MoveNote| (!note.note.extra.is_empty()).then(|| format!("{:?}", note.note.extra));
    let turned = || one.main_len() == other.main_len() && one.end().count() == other.end().count();
    let day = |record: &Record| record.headers.day().ok_or(record.headers.date.clone());
    let clock = |record: &Record| record.headers.clock().ok_or(record.headers.time.clone());
    let result = |record: &Record| {
        record
            .result()
            .map(|claim| (claim.difference(), if let Claim::Winner(color, _) = claim { Some(color) } else { None }))
    };
    let how = |record: &Record| record.result().map(Claim::how).unwrap_or_default();
    let same_moves = one.main_line().eq(other.main_line());
    let (a, b) = (&one.headers, &other.headers);
    [
        (Loss::Moves, same_moves || turned()),
        (Loss::Orientation, same_moves || !turned()),
        (Loss::Variations, one.main_len() == one.moves().len() || one.moves() == other.moves()),
        (Loss::Comments, notes(one, comment) == notes(other, comment)),
        (Loss::Evaluations, notes(one, eval) == notes(other, eval)),
        (Loss::Seconds, notes(one, seconds) == notes(other, seconds)),
        (Loss::Players, a.players == b.players),
        (Loss::Ratings, a.ratings == b.ratings),
        (Loss::Event, a.event == b.event),
        (Loss::Site, a.site == b.site),
        (Loss::Date, day(one) == day(other)),
        (Loss::Round, a.round == b.round),
        (Loss::Clock, clock(one) == clock(other)),
        (Loss::Result, result(one) == result(other)),
        (Loss::Ending, how(one) == how(other)),
        (Loss::Theory, a.theory == b.theory),
        (Loss::KnownScores, one.known() == other.known()),
        (Loss::Properties, a.extra == b.extra && notes(one, extra) == notes(other, extra)),
    ]
    .into_iter()
    .filter_map(|(loss, same)| (!same).then_some(loss))
    .collect()
}

fn is_as_said(record: &Record) -> Result<(), TestCaseError> {
    for format in Format::ALL {
        let Some(back) = through(format, record) else { continue };
        let said: BTreeSet<_> = lost(std::slice::from_ref(record), format).into_iter().map(|(loss, _)| loss).collect();
        let mut found = differences(record, &back);
        // A board has its own start, and so no result but the one it shows.
        if format == Format::Board && record.outcome().is_none() {
            found.extend(said.iter().filter(|loss| matches!(loss, Loss::Result)));
        }
        prop_assert_eq!(found, said, "{}: {:?}\n{:?}", format, record, back);
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn of_games(record in game()) {
        is_as_said(&record)?;
    }

    #[test]
    fn of_positions(record in problem()) {
        is_as_said(&record)?;
    }
}

/// The kinds that `losses` of a review named, one by one.
#[test]
fn results_dates_and_places_go_where_they_belong() {
    let read = |text: &str| Record::try_from(sgf::games(text.as_bytes()).next().unwrap().1.unwrap()).unwrap();
    let record = read("(;GM[2]EV[Open]PC[Rome]DT[2003-12-15]RE[W+T]TM[300];B[f5](;W[d6])(;W[f6]))");
    let in_pgn = pgn::write(&record);
    for tag in ["[Event \"Open\"]", "[Site \"Rome\"]", "[Date \"2003.12.15\"]", "[Result \"0-64\"]"] {
        assert!(in_pgn.contains(tag), "{in_pgn}");
    }
    assert!(in_pgn.contains("[Termination \"time forfeit\"]\n[TimeControl \"300\"]"), "{in_pgn}");
    assert_eq!(lost(std::slice::from_ref(&record), Format::Pgn), [(Loss::Variations, 1)]);
    let in_ggf = ggf::write(&record);
    for property in ["PC[Rome]", "EV[Open]", "DT[2003.12.15]", "RE[-64:t]", "TI[05:00//00:00]"] {
        assert!(in_ggf.contains(property), "{in_ggf}");
    }
    // where there is no clock, none is made up
    assert!(!ggf::write(&read("(;GM[2];B[f5])")).contains("TI["));
}
