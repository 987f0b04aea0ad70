//! Files as people have them: in every encoding, packed, in lists and tables, with results that are wrong; and what
//! becomes of them when they are converted.

mod common;

use common::outflank;
use serde_json::{Value, json};
use std::{
    fs,
    io::Write,
    path::{Path, PathBuf},
    process::{Output, Stdio},
};

struct Folder(tempfile::TempDir);

impl Folder {
    fn new() -> Folder {
        Folder(tempfile::tempdir().unwrap())
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn file(&self, name: &str, bytes: impl AsRef<[u8]>) -> &Folder {
        fs::write(self.path(name), bytes).unwrap();
        self
    }

    fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap()
    }

    fn run(&self, words: &[&str]) -> Said {
        Said::new(outflank(words).current_dir(self.0.path()).stdin(Stdio::null()).output().unwrap())
    }

    /// What `import` finds.
    fn import(&self, words: &[&str]) -> Value {
        self.run(&[&["import", "--json"], words].concat()).json()
    }
}

/// What a command said, and how it ended.
#[derive(Debug)]
struct Said {
    out: String,
    errors: String,
    code: i32,
}

impl Said {
    fn new(output: Output) -> Said {
        let text = |bytes| String::from_utf8(bytes).unwrap();
        Said { out: text(output.stdout), errors: text(output.stderr), code: output.status.code().unwrap() }
    }

    fn json(&self) -> Value {
        serde_json::from_str(&self.out).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }
}

/// 60 moves, one pass; Black wins 36-28.
const GAME: &str = "f5f6d3e3f4c5f3g5h6h4e6d6h5g4h3e2f1e1d1c3c7c6g3c8c4d2c1b4a5a3a4a6b5f2g6b3e7f8e8d8c2b6d7f7g1h7h8b1a1h2h1g2b8a8a7b7a2g8b2g7";
/// A test position; the best move is g8.
const BOARD: &str = "--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X";

fn all_legal(games: u64) -> Value {
    json!({ "games": games, "legal": games, "rejected": [] })
}

#[test]
fn marks_and_encodings_lose_no_game() {
    let folder = Folder::new();
    folder.file("b.txt", "\u{feff}f5d6c3\nf5f6e6\nf5d6c4\n");
    assert_eq!(folder.import(&["--check", "b.txt"]), all_legal(3));
    folder.file("b.obf", format!("\u{feff}{BOARD}; G8:+18;\n{BOARD};\n"));
    assert_eq!(folder.import(&["b.obf"]), all_legal(2));
    let text = "f5d6c3 虎\r\nf5f6e6\r\n";
    let utf_16 = |mark: &[u8], bytes: fn(u16) -> [u8; 2]| {
        [mark, &text.encode_utf16().flat_map(bytes).collect::<Vec<_>>()].concat()
    };
    for (mark, bytes) in [
        (&[0xff, 0xfe][..], u16::to_le_bytes as fn(u16) -> [u8; 2]),
        (&[0xfe, 0xff], u16::to_be_bytes),
        (&[], u16::to_le_bytes),
        (&[], u16::to_be_bytes),
    ] {
        folder.file("wide.txt", utf_16(mark, bytes));
        assert_eq!(folder.import(&["wide.txt"]), all_legal(2), "{mark:?}");
        assert_eq!(folder.run(&["convert", "wide.txt", "-", "--to", "txt"]).out, "f5d6c3\nf5f6e6\n");
    }
    // the line is known, the byte is not that of the file
    let wrong: Vec<u8> = "f5d6c3\nf5a1\n".encode_utf16().flat_map(u16::to_le_bytes).collect();
    folder.file("wrong.txt", wrong);
    let rejected = &folder.import(&["wrong.txt"])["rejected"][0];
    assert_eq!((&rejected["line"], &rejected["byte"], &rejected["game"]), (&2.into(), &Value::Null, &2.into()));
    folder.file("japan.txt", "１．ｆ５ｄ６ｃ３　虎定石\n２．ｆ５ｆ６ｅ６　牛定石という名前の長い定石\n");
    assert_eq!(folder.import(&["japan.txt"]), all_legal(2));
}

#[test]
fn every_line_with_a_square_is_a_game_or_a_rejection() {
    let folder = Folder::new();
    folder.file("list.txt", "1. f5d6c3\n2. f5f6e6\n");
    assert_eq!(folder.import(&["list.txt"]), all_legal(2));
    folder.file("moves.txt", "1. f5 d6\n2. c3 d3\n");
    assert_eq!(folder.import(&["moves.txt"]), all_legal(1));
    folder.file("table.csv", "id,winner,moves\n647894,-1,f5d6c3\n647895,1,f5f6e6\n");
    assert_eq!(folder.import(&["table.csv"]), all_legal(2));
    folder.file("names.txt", "f5d6 Perpendicular opening\nDiagonal opening: f5f6\nThey say f5 is as good as any\n");
    let found = folder.import(&["names.txt"]);
    assert_eq!((&found["games"], &found["legal"]), (&3.into(), &2.into()));
    let rejected = &found["rejected"][0];
    assert_eq!((&rejected["line"], &rejected["game"]), (&3.into(), &3.into()));
    let said = folder.run(&["import", "names.txt"]);
    let sentence = "there is a square in it, but no game that can be told from the words around it";
    assert_eq!(said.errors, format!("outflank: names.txt, game 3, line 3: {sentence}\n"));
    assert_eq!((said.out.as_str(), said.code), ("3 games, 2 legal, 1 rejected\n", 2));
    // the names are kept
    let pgn = folder.run(&["convert", "f5d6 Perpendicular opening", "-", "--to", "pgn"]).out;
    assert!(pgn.contains("\n{Perpendicular opening} 1. f5 d6 *\n"), "{pgn}");
}

#[test]
fn results_are_checked() {
    let folder = Folder::new();
    let pgn = |result: &str| format!("[Result \"{result}\"]\n\n{GAME}\n\n");
    folder.file("results.pgn", pgn("36-28") + &pgn("40-24") + &pgn("*"));
    let said = folder.run(&["import", "results.pgn"]);
    assert_eq!(
        said.errors,
        "outflank: results.pgn, game 2, line 5: the result is given as 40-24, but the moves end 36-28\n"
    );
    assert_eq!((said.out.as_str(), said.code), ("3 games, 2 legal, 1 rejected\n", 2));
    // an unfinished game may have been given any result, and so may one that was lost on time
    folder.file("fine.sgf", "(;GM[2]RE[B+30];B[f5];W[d6])(;GM[2]RE[W+T];B[f5])(;GM[2]RE[B+R];B[f5])");
    assert_eq!(folder.import(&["fine.sgf"]), all_legal(3));
    // it is not spread without a word, nor is the game lost
    let said = folder.run(&["convert", "results.pgn", "out.ggf"]);
    assert!(said.errors.contains("game 2, line 5: the result is given as 40-24, but the moves end 36-28; the game is"));
    assert_eq!((folder.read("out.ggf").lines().count(), said.code), (3, 0));
    let answer = folder.run(&["convert", "results.pgn", "out.ggf", "--json"]).json();
    assert_eq!((&answer["written"], &answer["warned"][0]["game"]), (&3.into(), &2.into()));
}

#[test]
fn a_conversion_says_what_is_lost() {
    let folder = Folder::new();
    let game = "(;GM[2]PB[Ana]RE[B+R];B[f5]BL[1790]C[so];W[d6])";
    let branched = "(;GM[2]RE[W+T];B[f5]V[1](;W[d6])(;W[f6]))";
    folder.file("games.sgf", format!("{game}\n{branched}\n{branched}\n"));
    let said = folder.run(&["convert", "games.sgf", "games.pgn"]);
    assert_eq!(
        said.errors.lines().collect::<Vec<_>>(),
        [
            "outflank: pgn does not keep the variations of 2 games",
            "outflank: pgn does not keep the evaluations of moves of 2 games",
            "outflank: pgn does not keep other properties of one game",
        ]
    );
    assert_eq!((said.out.as_str(), said.code), ("", 0));
    let pgn = folder.read("games.pgn");
    assert!(pgn.contains("[Result \"64-0\"]\n[Termination \"resignation\"]\n"), "{pgn}");
    assert!(pgn.contains("[Result \"0-64\"]\n[Termination \"time forfeit\"]\n"), "{pgn}");
    let answer = folder.run(&["convert", "games.sgf", "games.pgn", "--json"]).json();
    let lost = json!([
        { "kind": "variations", "games": 2 },
        { "kind": "evaluations", "games": 2 },
        { "kind": "properties", "games": 1 },
    ]);
    assert_eq!(
        answer,
        json!({ "games": 3, "written": 3, "to": "games.pgn", "format": "pgn", "lost": lost, "rejected": [], "warned": [] })
    );
    assert_eq!(folder.run(&["convert", "games.sgf", "again.sgf"]).errors, "");
    assert!(folder.read("again.sgf").contains(";B[f5]C[so]BL[1790]"));
    // standard output is for one thing at a time
    let said = folder.run(&["convert", "games.sgf", "-", "--to", "pgn", "--json"]);
    assert_eq!((said.errors.as_str(), said.code), ("outflank: --json cannot go together with -\n", 2));
}

#[test]
fn our_own_pgn_is_read_back_whatever_its_comments_look_like() {
    let folder = Folder::new();
    folder.file("a.sgf", "(;GM[2];B[f5]C[(;GM[2\\];B[d3\\])];W[d6])");
    assert_eq!(folder.run(&["convert", "a.sgf", "b.pgn"]).errors, "");
    assert!(folder.read("b.pgn").contains("{(;GM[2];B[d3])}"));
    assert_eq!(folder.run(&["convert", "b.pgn", "-", "--to", "txt"]).out, "f5d6\n");
    fs::copy(folder.path("b.pgn"), folder.path("noname")).unwrap();
    assert_eq!(folder.run(&["convert", "noname", "-", "--to", "txt"]).out, "f5d6\n");
}

#[test]
fn names_and_read_only_files_are_not_overwritten() {
    let folder = Folder::new();
    folder.file("game.txt", GAME).file("q.jou", "the names of ten thousand players").file("r.sgf", "mine");
    let said = folder.run(&["convert", "game.txt", "q.wtb"]);
    let sentence = "q.jou is there already and may hold the names of other games: write to another name, or use --force \
                    to replace it";
    assert_eq!((said.errors, said.code), (format!("outflank: {sentence}\n"), 2));
    assert_eq!(folder.read("q.jou"), "the names of ten thousand players");
    assert!(!folder.path("q.wtb").exists() && !folder.path("q.trn").exists());
    assert_eq!(folder.run(&["convert", "game.txt", "q.wtb", "--force"]).errors, "");
    assert_eq!(folder.import(&["q.wtb"]), all_legal(1));
    let mut rights = fs::metadata(folder.path("r.sgf")).unwrap().permissions();
    rights.set_readonly(true);
    fs::set_permissions(folder.path("r.sgf"), rights).unwrap();
    let said = folder.run(&["convert", "game.txt", "r.sgf"]);
    assert_eq!((said.errors.as_str(), said.code), ("outflank: cannot write r.sgf: permission denied\n", 2));
    assert_eq!(folder.read("r.sgf"), "mine");
}

#[test]
fn theory_goes_with_its_depth_and_is_not_made_up() {
    let folder = Folder::new();
    folder.file("game.txt", GAME);
    folder.run(&["convert", "game.txt", "a.wtb"]);
    let mut file = fs::read(folder.path("a.wtb")).unwrap();
    // nobody has solved it: the score counts from the last square
    assert_eq!((file[14], file[16 + 6], file[16 + 7]), (1, 36, 36));
    (file[14], file[16 + 7]) = (24, 33);
    folder.file("b.wtb", &file);
    assert_eq!(folder.run(&["convert", "b.wtb", "c.wtb"]).code, 0);
    let again = fs::read(folder.path("c.wtb")).unwrap();
    assert_eq!((again[14], again[16 + 6], again[16 + 7]), (24, 36, 33));
    // the names of a WTHOR file lie beside it, and there is no beside of standard output
    folder.file("named.sgf", "(;GM[2]PB[Ana]RE[B+4];B[f5])");
    let said = outflank(&["convert", "named.sgf", "-", "--to", "wtb"]).current_dir(folder.0.path()).output().unwrap();
    assert_eq!((said.stdout.len(), said.status.code()), (16 + 68, Some(0)));
    let sentence = "outflank: wtb does not keep the players' full names of one game\n";
    assert_eq!(String::from_utf8(said.stderr).unwrap(), sentence);
    let said = folder.run(&["convert", "b.wtb", "b.pgn"]);
    assert!(said.errors.contains("pgn does not keep the theoretical score of one game"), "{said:?}");
}

#[test]
fn a_test_position_is_one_in_every_command() {
    let folder = Folder::new();
    folder.file("one.obf", format!("{BOARD}; G8:+18; H1:+12;\n"));
    let shown = folder.run(&["show", "one.obf", "--json"]).json();
    assert_eq!((&shown["board"], &shown["turn"]), (&BOARD[..64].into(), &"black".into()));
    assert_eq!(shown["known"][0], json!({ "move": "g8", "score": 18 }));
    let shown = folder.run(&["show", "one.obf"]).out;
    assert!(shown.ends_with("\nKnown: g8 +18, h1 +12\n"), "{shown}");
    let solved = |file: &str| {
        let said = folder.run(&["solve", file, "--json", "--hash", "4"]);
        let line: Value = serde_json::from_str(said.out.lines().next().unwrap()).unwrap();
        (line["score"].clone(), line["move"].clone())
    };
    assert_eq!(solved("one.obf"), (18.into(), "g8".into()));
    for target in ["one.sgf", "one.ggf", "one.pgn", "one.board"] {
        let said = folder.run(&["convert", "one.obf", target]);
        let format = target.split_once('.').unwrap().1;
        assert_eq!(said.errors, format!("outflank: {format} does not keep the known scores of moves of one game\n"));
        assert_eq!(solved(target), (18.into(), "g8".into()), "{target}");
    }
    let analysed = folder.run(&["analyse", "one.obf", "--json", "--hash", "4"]);
    let last: Value = serde_json::from_str(analysed.out.lines().next_back().unwrap()).unwrap();
    assert_eq!((&last["move"], &last["score"]), (&"g8".into(), &18.into()), "{analysed:?}");
}

#[test]
fn moves_boards_and_files_are_taken_alike() {
    let folder = Folder::new();
    folder.file("game.txt", GAME);
    for game in ["game.txt", GAME] {
        assert_eq!(folder.run(&["show", game, "--json"]).json()["score"], 8);
        assert_eq!(folder.run(&["convert", game, "-", "--to", "txt"]).out, format!("{GAME}\n"));
        assert_eq!(folder.import(&[game]), all_legal(1));
        assert_eq!(folder.run(&["solve", game, "--hash", "4"]).code, 0);
    }
    assert_eq!(folder.run(&["convert", BOARD, "-", "--to", "obf"]).out, format!("{BOARD};\n"));
    assert_eq!(folder.run(&["solve", BOARD, "--hash", "4"]).code, 0);
    // what is typed wrong has one explanation in every command
    let no_side = &BOARD[..64];
    let nothing = "neither file nor game";
    for (argument, sentence) in [
        (no_side, "the side to move is missing after the board".to_owned()),
        (&BOARD[..60], "60 squares where 64 are needed".to_owned()),
        ("f5a1", "move 2: a1 turns no disc".to_owned()),
        ("none.sgf", "cannot read none.sgf: there is no such file or folder".to_owned()),
        (nothing, format!("{nothing} is neither a file nor a game or position")),
    ] {
        for words in
            [&["show", argument][..], &["import", "--", argument], &["solve", argument], &["analyse", argument]]
        {
            let said = folder.run(words);
            let first = said.errors.lines().next().unwrap_or_default();
            assert_eq!((first, said.code), (format!("outflank: {sentence}").as_str(), 2), "{words:?}");
        }
        let said = folder.run(&["convert", argument, "x.sgf"]);
        assert_eq!((said.errors, said.code), (format!("outflank: {sentence}\n"), 2));
        assert!(!folder.path("x.sgf").exists());
    }
    // in a file it is the same
    folder.file("board", no_side);
    let said = folder.run(&["show", "board"]);
    assert_eq!(said.errors, "outflank: board, game 1, line 1: the side to move is missing after the board\n");
}

#[test]
fn a_drawing_and_json_go_together() {
    let folder = Folder::new();
    let answer = folder.run(&["show", "f5d6", "--svg", "x.svg", "--json"]).json();
    assert_eq!((&answer["moves"], &answer["svg"]), (&"f5d6".into(), &"x.svg".into()));
    assert!(folder.read("x.svg").starts_with("<svg"));
    assert_eq!(folder.run(&["show", "f5d6", "--svg", "x.svg"]).out, "");
    assert_eq!(folder.run(&["show", "f5d6", "--json"]).json()["svg"], Value::Null);
}

fn gzipped(bytes: &[u8]) -> Vec<u8> {
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    packed.write_all(bytes).unwrap();
    packed.finish().unwrap()
}

fn zipped(path: &Path, files: &[(&str, Vec<u8>)]) {
    let mut archive = zip::ZipWriter::new(fs::File::create(path).unwrap());
    for (name, bytes) in files {
        archive.start_file(*name, zip::write::SimpleFileOptions::default()).unwrap();
        archive.write_all(bytes).unwrap();
    }
    archive.finish().unwrap();
}

#[test]
fn packed_files_are_opened() {
    let folder = Folder::new();
    folder.file("game.txt", "f5d6c3\n").run(&["convert", GAME, "q.wtb"]);
    let read = |name: &str| fs::read(folder.path(name)).unwrap();
    folder.file("games.txt.gz", gzipped(b"f5d6c3\nf5f6\n"));
    assert_eq!(folder.import(&["games.txt.gz"]), all_legal(2));
    folder.file("q.wtb.gz", gzipped(&read("q.wtb")));
    assert_eq!(folder.run(&["convert", "q.wtb.gz", "-", "--to", "txt"]).out, format!("{GAME}\n"));
    // an archive with the names of its players, folders and a game that is wrong
    let mut players = read("q.jou");
    players.truncate(16);
    players[8] = 2;
    for name in ["???", "Ana"] {
        players.extend(name.bytes().chain(std::iter::repeat(0)).take(20));
    }
    let mut games = read("q.wtb");
    games[16 + 2] = 1;
    let files = [
        ("base/q.wtb", games),
        ("base/WTHOR.JOU", players),
        ("a/list.txt", b"f5d6c3\nf5a1\n".to_vec()),
        ("a/about.txt", b"Nothing here.".to_vec()),
    ];
    zipped(&folder.path("all.zip"), &files);
    let found = folder.import(&["all.zip"]);
    assert_eq!((&found["games"], &found["legal"]), (&3.into(), &2.into()));
    let rejected = &found["rejected"];
    assert_eq!((&rejected[0]["file"], &rejected[0]["line"]), (&"all.zip/a/list.txt".into(), &2.into()));
    assert_eq!((&rejected[1]["file"], &rejected[1]["game"]), (&"all.zip/a/about.txt".into(), &Value::Null));
    assert_eq!(folder.run(&["show", "all.zip", "--json"]).json()["black"], "Ana");
    assert_eq!(folder.run(&["show", "all.zip", "--number", "2", "--json"]).json()["moves"], "f5d6c3");
    let said = folder.run(&["show", "all.zip", "--number", "9"]);
    assert_eq!(said.errors, "outflank: all.zip has 3 games; there is no game 9\n");
}

#[test]
fn packed_files_that_are_damaged_or_too_large_are_said_to_be() {
    let folder = Folder::new();
    let whole = gzipped(b"f5d6c3\n".repeat(1000).as_slice());
    folder.file("cut.gz", &whole[..whole.len() / 2]);
    folder.file("cut.zip", b"PK\x03\x04 and nothing more");
    for file in ["cut.gz", "cut.zip"] {
        let said = folder.run(&["show", file]);
        assert!(said.errors.starts_with(&format!("outflank: {file}: it cannot be unpacked: ")), "{said:?}");
        assert_eq!((said.errors.lines().count(), said.code), (1, 2));
    }
    // 257 megabytes of nothing in a quarter of a million bytes, and in an archive that hides it in two halves
    let megabyte = vec![b'\n'; 1 << 20];
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    (0..257).for_each(|_| packed.write_all(&megabyte).unwrap());
    folder.file("bomb.gz", packed.finish().unwrap());
    let half = megabyte.repeat(129);
    zipped(&folder.path("bomb.zip"), &[("a.txt", half.clone()), ("b.txt", half)]);
    for file in ["bomb.gz", "bomb.zip"] {
        let said = folder.run(&["import", file]);
        let sentence = "unpacked it is larger than 256 megabytes, or holds too many files";
        assert_eq!((said.errors, said.code), (format!("outflank: {file}: {sentence}\n"), 2));
    }
}

#[test]
fn the_programs_own_saved_games_are_read() {
    let folder = Folder::new();
    // as `outflank play` kept them before it had a server
    let text = concat!(
        r#"{"at":1790000000000,"seats":{"black":{"kind":"person","who":1,"name":"Ana"},"#,
        r#""white":{"kind":"person","who":1,"name":"Luis"}},"rules":{"time":{"kind":"none"},"overrun":"loses","#,
        r#""empties":"to_winner","takebacks":true}}"#,
        "\n",
        r#"{"at":1790000001000,"by":"black","play":{"square":"f5","ply":0}}"#,
        "\n",
        r#"{"at":1790000002000,"by":"white","play":{"square":"d6","ply":1}}"#,
        "\n",
        r#"{"at":1790000003000,"by":"black","play":{"square":"c3","ply":2}}"#,
        "\n",
    );
    let saved = "0001790000000000.game";
    folder.file(saved, text);
    let shown = folder.run(&["show", saved, "--json"]).json();
    assert_eq!((&shown["moves"], &shown["black"], &shown["white"]), (&"f5d6c3".into(), &"Ana".into(), &"Luis".into()));
    assert_eq!(folder.import(&[saved]), all_legal(1));
    let ggf = folder.run(&["convert", saved, "-", "--to", "ggf"]).out;
    assert!(ggf.contains("PB[Ana]PW[Luis]") && ggf.contains("B[f5//"), "{ggf}");
    // a last line that was cut short never happened
    folder.file("cut.game", &text[..text.len() - 5]);
    assert_eq!(folder.import(&["cut.game"]), all_legal(1));
}
