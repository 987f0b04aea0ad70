//! Real files: every tournament game since 1977, other programs' samples, games that end oddly.
//!
//! They are not ours to hand on, so they are found through `OUTFLANK_CORPUS`, and where they are not
//! there these tests say so and pass.

use record::{Format, Record, import, obf, pgn, sgf, transcript, wthor};
use rules::{ByColor, Color, Position, Square, perft};
use std::{
    fs,
    io::Write,
    path::{Path, PathBuf},
};

fn corpus(what: &str) -> Option<PathBuf> {
    let path = std::env::var_os("OUTFLANK_CORPUS").map(|root| PathBuf::from(root).join(what));
    if let Some(path) = path.as_ref().filter(|path| path.exists()) {
        return Some(path.clone());
    }
    // Not `eprintln!`: of a test that passes, what that prints is not shown.
    let test = std::thread::current().name().unwrap_or_default().to_owned();
    let why = match path {
        Some(path) => format!("{} is not there", path.display()),
        None => "OUTFLANK_CORPUS names no folder of test files".to_owned(),
    };
    let _ = writeln!(std::io::stderr(), "skipped: {test}: {why}");
    None
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let mut all: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    all.sort();
    all
}

fn name(path: &Path) -> &str {
    path.file_name().and_then(|name| name.to_str()).unwrap()
}

fn read(path: &Path) -> Vec<Result<Record, String>> {
    let bytes = fs::read(path).unwrap();
    let format = import::guess(name(path), &bytes).unwrap();
    let names = wthor::Names::default();
    import::records(format, &bytes, &names).map(|game| game.map_err(|error| error.to_string())).collect()
}

fn names(folder: &Path) -> wthor::Names {
    let mut names = wthor::Names::default();
    names.read_players(&fs::read(folder.join("WTH.JOU")).unwrap()).unwrap();
    names.read_tournaments(&fs::read(folder.join("WTH.TRN")).unwrap()).unwrap();
    names
}

#[test]
fn every_tournament_game_replays_and_its_score_is_right() {
    let Some(folder) = corpus("wthor") else { return };
    let (mut all, mut finished) = (0, 0);
    for path in files(&folder).iter().filter(|path| path.extension().is_some_and(|end| end == "wtb")) {
        let bytes = fs::read(path).unwrap();
        assert_eq!(import::guess("", &bytes), Ok(Format::Wthor), "{path:?} by content alone");
        let games = wthor::Games::open(&bytes).unwrap();
        assert_eq!(games.is_whole(), Ok(()));
        for (at, game) in games.iter().enumerate() {
            let end = game.replay(|_| {}).unwrap_or_else(|why| panic!("{path:?} game {}: {why}", at + 1));
            all += 1;
            if let Some(outcome) = end.outcome() {
                finished += 1;
                assert_eq!(outcome.score().black, game.score(), "{path:?} game {}", at + 1);
            }
            assert_eq!(game.moves().next(), Some(Ok(Square::F5)));
        }
    }
    assert_eq!(all, 124_326);
    assert!(finished > 120_000, "{finished}");
}

#[test]
fn a_game_survives_the_way_through_every_format() {
    let Some(folder) = corpus("wthor") else { return };
    let names = names(&folder);
    for path in files(&folder).iter().filter(|path| path.extension().is_some_and(|end| end == "wtb")) {
        let bytes = fs::read(path).unwrap();
        let original = wthor::Games::open(&bytes).unwrap();
        let first: Vec<_> = import::records(Format::Wthor, &bytes, &names).map(Result::unwrap).collect();
        // a whole file at a time, as `outflank convert` does
        let as_ggf: String = first.iter().map(|game| record::ggf::write(game) + "\n").collect();
        let second: Vec<_> = import::records(Format::Ggf, as_ggf.as_bytes(), &names).map(Result::unwrap).collect();
        let as_sgf: String = second.iter().map(sgf::write).collect();
        let third: Vec<_> = import::records(Format::Sgf, as_sgf.as_bytes(), &names).map(Result::unwrap).collect();
        let lines: String = third.iter().map(|game| transcript::write(game).unwrap() + "\n").collect();
        let fourth: Vec<_> =
            import::records(Format::Transcript, lines.as_bytes(), &names).map(Result::unwrap).collect();
        let base = wthor::Base::write(&fourth, wthor::Date::default()).unwrap();
        let back = wthor::Games::open(&base.games).unwrap();
        // a game without moves is an empty line
        let played = original.iter().filter(|game| !game.move_bytes().is_empty());
        assert!(played.map(|game| game.move_bytes()).eq(back.iter().map(|game| game.move_bytes())), "{path:?}");
        for (one, other) in first.iter().zip(&third) {
            assert_eq!(one.headers.players, other.headers.players);
            assert_eq!(one.headers.date, other.headers.date);
            let claims = [one, other].map(|game| game.headers.claim.unwrap().difference());
            assert_eq!(claims[0], claims[1]);
        }
        // and back into its own format, byte for byte but for the header's date and the numbers of the names
        let again = wthor::Base::write(&first, original.header.created).unwrap().games;
        for (one, other) in bytes[16..].as_chunks::<68>().0.iter().zip(again[16..].as_chunks::<68>().0) {
            assert_eq!(one[6..], other[6..]);
        }
    }
}

#[test]
fn names_of_players_and_tournaments() {
    let Some(folder) = corpus("wthor") else { return };
    let names = names(&folder);
    assert_eq!(names.player(0), "");
    assert_eq!(names.tournament(0), "Diverses parties");
    assert_eq!((names.player(4447), names.player(4448)), (names.player(4447), "#4448".into()));
}

#[test]
fn someone_elses_decoding_of_1977_is_ours() {
    let (Some(folder), Some(other)) = (corpus("wthor"), corpus("external/pedersen-WTH_1977.pgn")) else { return };
    let names = names(&folder);
    let bytes = fs::read(folder.join("WTH_1977.wtb")).unwrap();
    let ours: Vec<_> = import::records(Format::Wthor, &bytes, &names).map(Result::unwrap).collect();
    let theirs: Vec<_> = read(&other).into_iter().map(Result::unwrap).collect();
    assert_eq!(ours.len(), theirs.len());
    for (our, their) in ours.iter().zip(&theirs) {
        assert_eq!(our.moves(), their.moves());
        assert_eq!(our.headers.players, their.headers.players);
        assert_eq!(our.headers.claim, their.headers.claim);
    }
}

#[test]
fn games_that_end_oddly() {
    let Some(path) = corpus("edge/edge-games.tsv") else { return };
    let text = fs::read_to_string(path).unwrap();
    let mut rows = 0;
    for row in text.lines().skip(1) {
        let cells: Vec<_> = row.split('\t').collect();
        let number = |at: usize| cells[at].parse::<u8>().unwrap();
        let record = Record::try_from(transcript::read(cells[8].as_bytes()).unwrap()).expect(row);
        if cells[9] != "=" {
            let explicit = Record::try_from(transcript::read(cells[9].as_bytes()).unwrap()).expect(row);
            assert_eq!(explicit.moves(), record.moves(), "{row}");
        }
        let passes = record.steps().filter(|step| step.passed).count();
        assert_eq!((record.main_len(), passes), (number(1).into(), number(2).into()), "{row}");
        assert_eq!(record.end().count(), ByColor { black: number(3), white: number(4) }, "{row}");
        assert_eq!(record.outcome().is_some(), cells[7] == "over", "{row}");
        if let Some(outcome) = record.outcome() {
            assert_eq!(outcome.to_string(), cells[6], "{row}");
            assert_eq!(outcome.empties(), number(5), "{row}");
        }
        rows += 1;
    }
    assert_eq!(rows, 129);
}

#[test]
fn every_game_that_ends_within_ten_moves() {
    let Some(path) = corpus("edge/all-games-ending-by-move-10.tsv") else { return };
    let text = fs::read_to_string(path).unwrap();
    let mut listed = Vec::new();
    for row in text.lines().skip(1) {
        let cells: Vec<_> = row.split('\t').collect();
        let record = Record::try_from(transcript::read(cells[3].as_bytes()).unwrap()).expect(row);
        let discs = record.outcome().expect(row).discs;
        assert_eq!((discs.black.to_string(), discs.white.to_string()), (cells[1].into(), cells[2].into()));
        listed.push(cells[3].to_owned());
    }
    // and these are all there are
    fn search(position: Position, line: &mut Vec<Square>, found: &mut Vec<String>) {
        if position.is_over() {
            found.push(line.iter().map(Square::to_string).collect());
        } else if line.len() < 10 {
            for square in position.legal() {
                line.push(square);
                search(position.play_unchecked(square).after, line, found);
                line.pop();
            }
        }
    }
    let mut found = Vec::new();
    search(Position::start(), &mut Vec::new(), &mut found);
    listed.sort();
    found.sort();
    assert_eq!(listed, found);
    assert_eq!(found.len(), 584);
}

#[test]
fn counts_of_lines_of_play() {
    let Some(path) = corpus("perft/perft-8x8.tsv") else { return };
    let text = fs::read_to_string(path).unwrap();
    let mut rows = 0;
    for row in text.lines().filter(|row| row.starts_with(|c: char| c.is_ascii_digit())) {
        let cells: Vec<_> = row.split('\t').collect();
        let depth = cells[0].parse().unwrap();
        // deeper ones are for `outflank perft`
        if depth <= 10 {
            assert_eq!(perft(rules::Board::START, depth).to_string(), cells[1], "depth {depth}");
            rows += 1;
        }
    }
    assert_eq!(rows, 10);
}

#[test]
fn other_programs_ggf() {
    let Some(folder) = corpus("ggf") else { return };
    let mut legal = 0;
    let mut rejected = Vec::new();
    for path in files(&folder) {
        for game in read(&path) {
            match game {
                Ok(record) => {
                    legal += 1;
                    if let (Some(outcome), Some(claim)) = (record.outcome(), record.headers.claim)
                        && !record.headers.extra.iter().any(|extra| extra.name == "KM")
                    {
                        // one game of NBoard's tests has its result from White's side
                        let agrees = claim.agrees(outcome) || claim.difference() == Some(18.0);
                        assert!(agrees, "{path:?} {claim:?} {outcome}");
                    }
                    let written = record::ggf::write(&record);
                    let back = record::ggf::games(written.as_bytes()).next().unwrap().1.unwrap();
                    assert_eq!(Record::try_from(back), Ok(record));
                }
                Err(error) => rejected.push((name(&path).to_owned(), error)),
            }
        }
    }
    let rejected: Vec<_> = rejected.iter().map(|(file, why)| format!("{file}: {why}")).collect();
    // the 4 × 4 game, and four lines of NBoard's tests that are meant to be wrong
    assert_eq!(rejected.len(), 5, "{rejected:#?}");
    assert_eq!(legal, 28, "{rejected:#?}");
    assert!(rejected[0].contains("size 4"), "{rejected:#?}");
}

#[test]
fn three_dialects_of_sgf() {
    let Some(folder) = corpus("sgf") else { return };
    let mut games = Vec::new();
    for path in files(&folder) {
        let mut all = read(&path);
        assert_eq!(all.len(), 1, "{path:?}");
        let record = all.remove(0).unwrap_or_else(|error| panic!("{path:?}: {error}"));
        if let (Some(outcome), Some(claim)) = (record.outcome(), record.headers.claim) {
            assert!(claim.agrees(outcome), "{path:?}");
        }
        let written = sgf::write(&record);
        let back = sgf::games(written.as_bytes()).next().unwrap().1.unwrap();
        assert_eq!(Record::try_from(back).as_ref(), Ok(&record));
        games.push((name(&path).to_owned(), record));
    }
    assert_eq!(games.len(), 19);
    for same in games[..18].chunks(3) {
        assert_eq!(same[0].1.moves(), same[1].1.moves(), "{}", same[0].0);
        assert_eq!(same[0].1.moves(), same[2].1.moves(), "{}", same[0].0);
    }
    let variations = &games[18].1;
    assert_eq!((variations.moves().len(), variations.main_len()), (7, 3));
    assert_eq!(variations.note(None).unwrap().comment, "escapes: ] and \\ and a colon :");
}

#[test]
fn test_positions_for_engines() {
    let Some(folder) = corpus("obf") else { return };
    let mut count = 0;
    for path in files(&folder) {
        let bytes = fs::read(&path).unwrap();
        assert_eq!(import::guess("", &bytes), Ok(Format::Obf));
        for (_, game) in obf::positions(&bytes) {
            let problem = Record::try_from(game.unwrap()).unwrap();
            let legal = problem.start().legal();
            assert!(problem.known().iter().all(|one| legal.contains(one.square)));
            assert!(!problem.known().is_empty() && problem.moves().is_empty());
            let line = obf::write(&problem).unwrap();
            assert_eq!(Record::try_from(obf::read(line.as_bytes()).unwrap()), Ok(problem));
            count += 1;
        }
    }
    assert_eq!(count, 19 + 20 + 20 + 276 + 145);
}

#[test]
fn playok_games() {
    let Some(path) = corpus("external/playok-pgn-samples.txt") else { return };
    let all: Vec<_> = read(&path).into_iter().map(Result::unwrap).collect();
    assert_eq!(all.len(), 2);
    for record in &all {
        let claim = record.headers.claim.unwrap();
        assert!(claim.agrees(record.outcome().unwrap()));
        let written = pgn::write(record);
        let back = pgn::games(written.as_bytes()).next().unwrap().1.unwrap();
        assert_eq!(Record::try_from(back).as_ref(), Ok(record));
    }
}

#[test]
fn nboards_own_wthor_sample() {
    let Some(path) = corpus("external/nboard-test.WTB") else { return };
    let all = read(&path);
    assert_eq!(all.len(), 1);
    let record = all[0].as_ref().unwrap();
    assert!(record.headers.claim.unwrap().agrees(record.outcome().unwrap()));
    assert_eq!(record.headers.date, "1980");
}

/// Legal moves at ten moments of a game that another implementation played.
#[test]
fn openspiels_game() {
    let Some(path) = corpus("external/openspiel-othello-playthrough.txt") else { return };
    let text = fs::read_to_string(path).unwrap();
    let list = |line: &str| -> Vec<u8> {
        let inner = line.split_once('[').unwrap().1.trim_end_matches(']');
        inner.split(',').filter_map(|number| number.trim().parse().ok()).collect()
    };
    let mut history = Vec::new();
    let mut checked = 0;
    for line in text.lines() {
        if line.starts_with("History()") {
            history = list(line);
        }
        if line.starts_with("LegalActions()") {
            let mut position = Position::start();
            for &index in history.iter().filter(|&&index| index < 64) {
                position = position.play(Square::try_from(index).unwrap()).unwrap().after;
            }
            let mut legal: Vec<_> = position.legal().iter().map(|square| square.index() as u8).collect();
            let theirs = list(line);
            if theirs == [64] {
                // they stop where a pass is due, we are past it
                legal = vec![64];
            }
            assert_eq!(legal, theirs, "after {history:?}");
            checked += 1;
        }
    }
    assert!(checked >= 9, "{checked}");
    let last: Vec<_> = history.iter().filter(|&&index| index < 64).collect();
    assert!(last.len() >= 55, "{}", last.len());
}

#[test]
fn balanced_openings() {
    let Some(path) = corpus("xot/xot-openingssmall.txt") else { return };
    let all: Vec<_> = read(&path).into_iter().map(Result::unwrap).collect();
    assert_eq!(all.len(), 3623);
    assert!(all.iter().all(|record| record.main_len() == 8 && record.end().turn() == Some(Color::Black)));
}
