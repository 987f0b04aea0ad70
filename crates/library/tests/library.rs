//! The file: what is in it stays in it, for everyone who has it open.

use library::{Error, FILE, Kind, Library, Query, Sort, Source, back_up};
use record::{Format, Record, import, wthor::Names};
use rules::{Color, Square};
use std::fs;

fn read(format: Format, text: &str) -> Vec<Record> {
    import::records(format, text.as_bytes(), &Names::default()).map(Result::unwrap).collect()
}

fn game(moves: &str, black: &str, white: &str, date: &str) -> Record {
    let mut record = read(Format::Transcript, moves).remove(0);
    record.headers.players.black = black.to_owned();
    record.headers.players.white = white.to_owned();
    record.headers.date = date.to_owned();
    record
}

#[test]
fn nothing_of_a_game_is_lost() {
    let folder = tempfile::tempdir().unwrap();
    let mut library = Library::open(folder.path()).unwrap();
    let sgf = "(;GM[2]PB[Ana]PW[Luis]BR[1500]EV[Open]PC[Lugo]DT[2026-02-03]RO[3]RE[W+R]TM[1800]GN[first]
               ;B[f5]C[well](;W[d6]V[-1];B[c3])(;W[f6]C[or so];B[e6]))";
    let ggf = "(;GM[Othello]PC[GGS/os]DT[2003.12.15_12:33:18.MST]PB[a]PW[b]RB[1720.1]RW[1651.0]TI[05:00//02:00]TY[8]RE[-12.000]KO[x]
               BO[8 -------- -------- -------- ---O*--- ---*O--- -------- -------- -------- *]B[F5//1.5]W[D6/-0.5/2]B[C3];)";
    let obf = "--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X; G8:+18; H1:+12;\n";
    let mut games = read(Format::Sgf, sgf);
    games.extend(read(Format::Ggf, ggf));
    games.extend(read(Format::Obf, obf));
    assert_eq!(library.add(&games, "mixed").unwrap().added, 3);
    for (number, game) in (1..).zip(&games) {
        assert_eq!(&library.game(number).unwrap().unwrap(), game);
    }
    assert_eq!(library.game(4).unwrap(), None);
}

#[test]
fn a_file_added_twice_adds_nothing_and_numbers_are_never_used_again() {
    let folder = tempfile::tempdir().unwrap();
    let mut library = Library::open(folder.path()).unwrap();
    let games = [game("f5d6c3", "Ana", "Luis", "2004"), game("f5f6e6", "Luis", "Ana", "2005.05.01")];
    let added = library.add(&games, "one.pgn").unwrap();
    assert_eq!((added.added, added.already_there), (2, 0));
    let added = library.add(&games, "two.pgn").unwrap();
    assert_eq!((added.added, added.already_there), (0, 2));
    let sources = library.sources().unwrap();
    assert_eq!(sources, [Source { name: "one.pgn".into(), games: 2 }]);
    assert_eq!(library.remove(&[2, 7]).unwrap(), 1);
    assert_eq!(library.catalogue().unwrap().len(), 1);
    library.add(&games, "two.pgn").unwrap();
    let catalogue = library.catalogue().unwrap();
    assert_eq!(catalogue.numbers(&catalogue.find(&Query::default())), [1, 3]);
    assert_eq!(library.remove_source("one.pgn").unwrap(), 1);
    assert_eq!(library.remove_source("none.pgn").unwrap(), 0);
    assert_eq!(library.catalogue().unwrap().len(), 1);
}

#[test]
fn names_that_are_not_known_tell_no_game_from_another_and_better_ones_are_taken_over() {
    let folder = tempfile::tempdir().unwrap();
    let mut library = Library::open(folder.path()).unwrap();
    let numbered = game("f5d6c3", "#7", "#12", "2018");
    let mut named = game("e6f4c3", "Ana", "Luis", "2018");
    named.headers.event = "Open".into();
    let half = game("f5d6c3", "Ana", "", "2018");
    assert_eq!(library.add(std::slice::from_ref(&numbered), "WTH_2018.wtb").unwrap().added, 1);
    assert_eq!(library.catalogue().unwrap().names(Kind::Player, "ana", 9), []);
    // with the names it is the same game, and has them from now on
    let again = library.add(&[half.clone(), named.clone()], "WTH_2018.wtb").unwrap();
    assert_eq!((again.added, again.already_there), (0, 2));
    let kept = library.game(1).unwrap().unwrap().headers;
    assert_eq!(
        (kept.players.black.as_str(), kept.players.white.as_str(), kept.event.as_str()),
        ("Ana", "Luis", "Open")
    );
    let catalogue = library.catalogue().unwrap();
    assert_eq!(catalogue.names(Kind::Player, "luis", 9), [("Luis", 1)], "who has read it reads it again");
    // and the other way round nothing gets worse
    let again = library.add(&[numbered, half, named], "more.wtb").unwrap();
    assert_eq!((again.added, again.already_there), (0, 3));
    assert_eq!(library.game(1).unwrap().unwrap().headers.players.black, "Ana");
    // others who played the same, and the same in another year, are other games
    let others = [game("f5d6c3", "Ana", "Eva", "2018"), game("f5d6c3", "#7", "#12", "2019")];
    assert_eq!(library.add(&others, "others.wtb").unwrap().added, 2);
}

#[test]
fn a_year_that_is_not_known_may_be_any() {
    let folder = tempfile::tempdir().unwrap();
    let mut library = Library::open(folder.path()).unwrap();
    let (undated, dated) = (game("f5d6c3", "Ana", "Luis", ""), game("f5d6c3", "ana", "luis", "2018"));
    assert_eq!(library.add(&[undated.clone(), dated.clone(), undated.clone()], "one").unwrap().added, 1);
    assert_eq!(library.game(1).unwrap().unwrap().headers.date, "2018");
    let mut years = |years: &str| {
        let query = Query { years: years.parse().unwrap(), ..Query::default() };
        library.catalogue().unwrap().find(&query).count.games
    };
    assert_eq!((years("2018"), years("2019")), (1, 0));
    // In another year they played it again.
    let again = game("f5d6c3", "Ana", "Luis", "2019");
    assert_eq!(library.add(&[again, dated, undated], "two").unwrap().added, 1);
}

#[test]
fn games_of_an_earlier_version_are_known_again() {
    let folder = tempfile::tempdir().unwrap();
    let games = [game("f5d6c3", "Ana", "Luis", "2004"), game("f5f6e6", "#1", "", "2005")];
    Library::open(folder.path()).unwrap().add(&games, "one").unwrap();
    let file = rusqlite::Connection::open(folder.path().join(FILE)).unwrap();
    file.execute_batch("UPDATE game SET mark = randomblob(16); PRAGMA user_version = 2;").unwrap();
    drop(file);
    let mut library = Library::open(folder.path()).unwrap();
    assert_eq!(library.add(&games, "two").unwrap().already_there, 2);
    assert_eq!(Library::open(folder.path()).unwrap().catalogue().unwrap().len(), 2);
}

#[test]
fn two_have_it_open_and_each_sees_what_the_other_does() {
    let folder = tempfile::tempdir().unwrap();
    let mut one = Library::open(folder.path()).unwrap();
    let mut two = Library::open(folder.path()).unwrap();
    assert_eq!(two.catalogue().unwrap().len(), 0);
    one.add(&[game("f5d6c3", "Ana", "Luis", "2004")], "one").unwrap();
    assert_eq!((one.catalogue().unwrap().len(), two.catalogue().unwrap().len()), (1, 1));
    // a new name and an old one
    two.add(&[game("f5d6c3", "Ana", "Eva", "2004")], "two").unwrap();
    one.add(&[game("f5f6", "Eva", "Ana", "2004")], "one").unwrap();
    assert_eq!((one.catalogue().unwrap().len(), two.catalogue().unwrap().len()), (3, 3));
    assert_eq!(
        one.catalogue().unwrap().names(Kind::Player, "", 9),
        two.catalogue().unwrap().names(Kind::Player, "", 9)
    );
    one.remove(&[1]).unwrap();
    let catalogue = two.catalogue().unwrap();
    assert_eq!(catalogue.numbers(&catalogue.find(&Query::default())), [2, 3]);
}

#[test]
fn names_are_found_by_their_parts_and_lists_have_an_order() {
    let folder = tempfile::tempdir().unwrap();
    let mut library = Library::open(folder.path()).unwrap();
    let mut games = vec![
        game("f5d6c3", "Núñez Ana", "Luis", "2004"),
        game("f5d6c4", "Luis", "NUNEZ ana", "1999"),
        game("f5f6e6", "Eva", "Luis", ""),
    ];
    games[1].headers.event = "Copa de España".to_owned();
    library.add(&games, "x").unwrap();
    let catalogue = library.catalogue().unwrap();
    let find = |query: Query| catalogue.numbers(&catalogue.find(&query));
    assert_eq!(find(Query { player: "ana nuñ".into(), ..Query::default() }), [1, 2]);
    let mut query = Query::default();
    query.players[Color::Black] = "ana".into();
    assert_eq!(find(query), [1]);
    assert_eq!(find(Query { tournament: "espana".into(), ..Query::default() }), [2]);
    assert_eq!(find(Query { years: "1999..2003".parse().unwrap(), ..Query::default() }), [2]);
    assert_eq!(find(Query { years: "..2004".parse().unwrap(), ..Query::default() }), [1, 2]);
    let found = catalogue.find(&Query::default());
    let order = |sort| catalogue.list(&found, sort, 0, 9).iter().map(|(entry, _)| entry.number).collect::<Vec<_>>();
    assert_eq!((order(Sort::Newest), order(Sort::Oldest)), (vec![1, 2, 3], vec![2, 1, 3]));
    assert_eq!(catalogue.list(&found, Sort::Newest, 1, 1)[0].0.event, "Copa de España");
    assert_eq!(catalogue.names(Kind::Player, "l", 1), [("Luis", 3)]);
    assert_eq!(catalogue.names(Kind::Tournament, "", 9), [("Copa de España", 1)]);
    let size = catalogue.size();
    assert_eq!((size.games, size.players, size.tournaments, size.years), (3, 4, 1, Some((1999, 2004))));
}

#[test]
fn the_first_move_is_one_and_stands_as_in_the_games() {
    let folder = tempfile::tempdir().unwrap();
    let mut library = Library::open(folder.path()).unwrap();
    let games = ["f5d6", "f5f6", "f5f4", "d3c3", "c4e3"].map(|moves| game(moves, moves, "", ""));
    library.add(&games, "x").unwrap();
    let catalogue = library.catalogue().unwrap();
    let next = catalogue.find(&Query::default()).next;
    assert_eq!(next.iter().map(|next| (next.square, next.count.games)).collect::<Vec<_>>(), [(Square::F5, 5)]);
    assert_eq!(next[0].count.average(), None);
}

#[test]
fn what_is_not_ours_is_refused_and_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(FILE);
    fs::write(&path, "a shopping list, longer than the header of any database would be").unwrap();
    assert!(matches!(Library::open(folder.path()), Err(Error::Foreign(_))));
    assert!(fs::read_to_string(&path).unwrap().starts_with("a shopping"));
    fs::remove_file(&path).unwrap();
    rusqlite::Connection::open(&path).unwrap().execute_batch("CREATE TABLE other (x)").unwrap();
    assert!(matches!(Library::open(folder.path()), Err(Error::Foreign(_))));
    fs::remove_file(&path).unwrap();
    drop(Library::open(folder.path()).unwrap());
    rusqlite::Connection::open(&path).unwrap().pragma_update(None, "user_version", 99).unwrap();
    assert!(matches!(Library::open(folder.path()), Err(Error::Newer(_))));
    assert!(matches!(Library::open(&path), Err(Error::NotAFolder(_))));
    assert!(Library::open_if_there(&folder.path().join("nowhere")).unwrap().is_none());
    assert!(!folder.path().join("nowhere").exists());
}

#[cfg(unix)]
#[test]
fn only_its_owner_reads_it() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().unwrap();
    let mut library = Library::open(&folder.path().join("new")).unwrap();
    library.add(&[game("f5d6c3", "Ana", "Luis", "2004")], "one").unwrap();
    for entry in fs::read_dir(folder.path().join("new")).unwrap() {
        let entry = entry.unwrap();
        assert_eq!(entry.metadata().unwrap().permissions().mode() & 0o077, 0, "{:?}", entry.path());
    }
}

#[test]
fn a_copy_is_whole_while_the_library_is_open() {
    let folder = tempfile::tempdir().unwrap();
    let mut library = Library::open(folder.path()).unwrap();
    library.add(&[game("f5d6c3", "Ana", "Luis", "2004")], "one").unwrap();
    let copy = folder.path().join("copy");
    fs::create_dir(&copy).unwrap();
    back_up(library.path(), &copy.join(FILE)).unwrap();
    assert!(back_up(library.path(), &copy.join(FILE)).is_err(), "no file is written over");
    library.add(&[game("f5d6", "Ana", "Luis", "2004")], "one").unwrap();
    assert_eq!(Library::open(&copy).unwrap().catalogue().unwrap().len(), 1);
}
