//! The program as its users meet it: what they type, what they read, what is left on the disk.

use std::{
    fs,
    io::Write,
    path::{Path, PathBuf},
    process::{Command, Output, Stdio},
};

/// A folder of its own for a test, gone afterwards.
struct Folder(tempfile::TempDir);

impl Folder {
    fn new() -> Folder {
        Folder(tempfile::tempdir().unwrap())
    }

    fn path(&self) -> &Path {
        self.0.path()
    }

    fn file(&self, name: &str, bytes: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path().join(name);
        fs::write(&path, bytes).unwrap();
        path
    }

    fn names(&self) -> Vec<String> {
        let name = |entry: std::io::Result<fs::DirEntry>| entry.unwrap().file_name().into_string().unwrap();
        let mut names: Vec<_> = fs::read_dir(self.path()).unwrap().map(name).collect();
        names.sort();
        names
    }

    /// Runs `outflank` here, in no language in particular.
    fn run(&self, words: &[&str]) -> Output {
        self.command(words).output().unwrap()
    }

    fn command(&self, words: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_outflank"));
        command.current_dir(self.path()).args(words).stdin(Stdio::null());
        for variable in ["LC_ALL", "LC_MESSAGES", "LANG", "NO_COLOR"] {
            command.env_remove(variable);
        }
        command
    }

    /// What is printed when all goes well.
    fn says(&self, words: &[&str]) -> String {
        let output = self.run(words);
        let errors = String::from_utf8(output.stderr).unwrap();
        assert!(output.status.success(), "{words:?}: {errors}");
        assert_eq!(errors, "", "{words:?}");
        String::from_utf8(output.stdout).unwrap()
    }

    /// One sentence, exit code 2, nothing printed and nothing left behind.
    fn complains(&self, words: &[&str], sentence: &str) {
        let before = self.names();
        let output = self.run(words);
        assert_eq!(String::from_utf8(output.stderr).unwrap(), format!("outflank: {sentence}\n"), "{words:?}");
        assert_eq!(String::from_utf8(output.stdout).unwrap(), "", "{words:?}");
        assert_eq!(output.status.code(), Some(2), "{words:?}");
        assert_eq!(self.names(), before, "{words:?}");
    }
}

/// 60 moves, one pass.
const GAME: &str = "f5f6d3e3f4c5f3g5h6h4e6d6h5g4h3e2f1e1d1c3c7c6g3c8c4d2c1b4a5a3a4a6b5f2g6b3e7f8e8d8c2b6d7f7g1h7h8b1a1h2h1g2b8a8a7b7a2g8b2g7";

/// Bytes that are no file of any kind, the same every time.
fn noise(length: usize) -> Vec<u8> {
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state as u8
    };
    (0..length).map(|_| next()).collect()
}

#[test]
fn what_cannot_be_read_is_said_in_one_sentence() {
    let folder = Folder::new();
    folder.file("garbage.txt", "These are words, nothing more.");
    folder.file("noise.bin", noise(10_000_000));
    folder.file("empty", "");
    folder.file("players.jou", [0; 16]);
    folder.file("ten.wtb", [20, 26, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 10, 0, 0, 0]);
    fs::create_dir(folder.path().join("folder")).unwrap();
    for (file, english, spanish) in [
        (
            "garbage.txt",
            "garbage.txt: it has no game or position that Outflank can read",
            "garbage.txt: no tiene ninguna partida ni posición que Outflank sepa leer",
        ),
        (
            "noise.bin",
            "noise.bin: it has no game or position that Outflank can read",
            "noise.bin: no tiene ninguna partida ni posición que Outflank sepa leer",
        ),
        (
            "empty",
            "empty: it has no game or position that Outflank can read",
            "empty: no tiene ninguna partida ni posición que Outflank sepa leer",
        ),
        (
            "players.jou",
            "players.jou: it holds names of players, not games",
            "players.jou: contiene nombres de jugadores, no partidas",
        ),
        (
            "ten.wtb",
            "ten.wtb: a board of size 10; only 8 × 8 is read",
            "ten.wtb: un tablero de tamaño 10; solo se lee el de 8 × 8",
        ),
        ("folder", "cannot read folder: it is a folder", "no se puede leer folder: es una carpeta"),
    ] {
        for (language, sentence) in [("en", english), ("es", spanish)] {
            folder.complains(&["--lang", language, "import", "--check", file], sentence);
            folder.complains(&["--lang", language, "show", file], sentence);
            folder.complains(&["--lang", language, "analyse", file], sentence);
            folder.complains(&["--lang", language, "solve", file], sentence);
            folder.complains(&["--lang", language, "convert", file, "out.sgf"], sentence);
        }
    }
    folder.complains(&["import", "--check", "none.wtb"], "cannot read none.wtb: there is no such file or folder");
    folder.complains(&["convert", "none.wtb", "x.ggf"], "cannot read none.wtb: there is no such file or folder");
    folder.complains(
        &["import", "--check", "none.wtb", "--lang=es"],
        "no se puede leer none.wtb: no existe ese archivo o carpeta",
    );
    folder.complains(&["show", "none.sgf"], "cannot read none.sgf: there is no such file or folder");
    folder.complains(&["show", "none"], "none is neither a file nor a game or position");
}

#[test]
fn a_truncated_database_gives_its_whole_games_and_says_what_is_missing() {
    let folder = Folder::new();
    folder.file("games.txt", format!("{GAME}\n{GAME}\nf5d6\n"));
    let output = folder.run(&["convert", "games.txt", "games.wtb"]);
    assert!(output.status.success());
    let sentence = "outflank: wtb does not keep the result, or that there is none, of one game\n";
    assert_eq!(String::from_utf8(output.stderr).unwrap(), sentence);
    let whole = fs::read(folder.path().join("games.wtb")).unwrap();
    folder.file("cut.wtb", &whole[..whole.len() - 10]);
    folder.file("stump.wtb", &whole[..10]);
    let output = folder.run(&["import", "--check", "cut.wtb"]);
    let sentence = "outflank: cut.wtb: the file is cut short: its header promises 3 games, it holds 2\n";
    assert_eq!(String::from_utf8(output.stderr).unwrap(), sentence);
    assert_eq!(String::from_utf8(output.stdout).unwrap(), "2 games, 2 legal, 0 rejected\n");
    assert_eq!(output.status.code(), Some(2));
    let output = folder.run(&["import", "--check", "--json", "cut.wtb"]);
    let answer: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((&answer["games"], &answer["rejected"][0]["game"]), (&2.into(), &serde_json::Value::Null));
    folder.complains(&["show", "cut.wtb", "--number", "9"], "cut.wtb has 2 games; there is no game 9");
    folder.complains(&["import", "--check", "stump.wtb"], "stump.wtb: it is too short to be a WTHOR file");
    folder.complains(
        &["import", "--check", "stump.wtb", "--lang", "es"],
        "stump.wtb: es demasiado corto para ser un archivo WTHOR",
    );
}

#[test]
fn what_cannot_be_written_leaves_nothing_behind() {
    let folder = Folder::new();
    folder.file("game.txt", GAME);
    folder.file("two.txt", "f5d6\nf5f6\n");
    folder.file("position.obf", "---------------------------OX------XO--------------------------- O;\n");
    fs::create_dir(folder.path().join("out.sgf")).unwrap();
    for (words, english, spanish) in [
        (
            &["convert", "game.txt", "out.sgf"][..],
            "cannot write out.sgf: it is a folder",
            "no se puede escribir out.sgf: es una carpeta",
        ),
        (
            &["convert", "game.txt", "none/out.sgf"],
            "cannot write none/out.sgf: there is no such file or folder",
            "no se puede escribir none/out.sgf: no existe ese archivo o carpeta",
        ),
        (
            &["convert", "game.txt", "game.txt/out.sgf"],
            "cannot write game.txt/out.sgf: a part of the path is not a folder",
            "no se puede escribir game.txt/out.sgf: una parte de la ruta no es una carpeta",
        ),
        (
            &["show", GAME, "--svg", "none/out.svg"],
            "cannot write none/out.svg: there is no such file or folder",
            "no se puede escribir none/out.svg: no existe ese archivo o carpeta",
        ),
        (
            &["convert", "two.txt", "out.svg"],
            "cannot write out.svg: svg holds one game only, and there are several",
            "no se puede escribir out.svg: svg contiene una sola partida, y hay varias",
        ),
        (
            &["convert", "game.txt", "out.obf"],
            "cannot write out.obf: obf holds positions, and there is a game with moves",
            "no se puede escribir out.obf: obf contiene posiciones, y hay una partida con jugadas",
        ),
        (
            &["convert", "position.obf", "out.wtb"],
            "cannot write out.wtb: a game does not begin at the usual start, and wtb cannot say so",
            "no se puede escribir out.wtb: una partida no empieza en la posición inicial habitual, y wtb no puede decirlo",
        ),
    ] {
        folder.complains(&[words, &["--lang", "en"]].concat(), english);
        folder.complains(&[words, &["--lang", "es"]].concat(), spanish);
    }
    // one of three files that belong together cannot be written: none is
    fs::create_dir(folder.path().join("base.trn")).unwrap();
    folder.complains(&["convert", "game.txt", "base.wtb"], "cannot write base.trn: it is a folder");
}

#[test]
fn a_file_that_is_replaced_keeps_its_rights_and_is_never_half_there() {
    let folder = Folder::new();
    folder.file("game.txt", GAME);
    let old = folder.file("game.ggf", "old");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        fs::set_permissions(&old, fs::Permissions::from_mode(0o640)).unwrap();
        folder.says(&["convert", "game.txt", "game.ggf"]);
        assert_eq!(fs::metadata(&old).unwrap().permissions().mode() & 0o777, 0o640);
    }
    folder.says(&["convert", "game.txt", "game.ggf"]);
    assert!(fs::read_to_string(&old).unwrap().starts_with("(;GM[Othello]"));
    assert_eq!(folder.names(), ["game.ggf", "game.txt"]);
}

/// Such things cannot be renamed into place: a device would be replaced by a file.
#[cfg(unix)]
#[test]
fn pipes_are_written_into_and_links_stay_links() {
    let folder = Folder::new();
    folder.file("game.txt", GAME);
    let target = folder.file("target.ggf", "old");
    let link = folder.path().join("link.ggf");
    std::os::unix::fs::symlink(&target, &link).unwrap();
    folder.says(&["convert", "game.txt", "link.ggf"]);
    assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    assert!(fs::read_to_string(&target).unwrap().starts_with("(;GM[Othello]"));

    let pipe = folder.path().join("pipe.txt");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let reader = std::thread::spawn({
        let pipe = pipe.clone();
        move || fs::read_to_string(pipe).unwrap()
    });
    folder.says(&["convert", "game.txt", "pipe.txt"]);
    assert_eq!(reader.join().unwrap(), format!("{GAME}\n"));
    assert!(!fs::metadata(&pipe).unwrap().is_file());
    assert_eq!(folder.names(), ["game.txt", "link.ggf", "pipe.txt", "target.ggf"]);
}

#[test]
fn bad_games_are_named_and_the_others_kept() {
    let folder = Folder::new();
    folder.file("games.txt", "f5d6c3\nf5a1\nf5f6\nf5d6f5\nf5i9\n");
    let output = folder.run(&["import", "--check", "games.txt"]);
    let errors = String::from_utf8(output.stderr).unwrap();
    assert_eq!(
        errors.lines().collect::<Vec<_>>(),
        [
            "outflank: games.txt, game 2, line 2: move 2: a1 turns no disc",
            "outflank: games.txt, game 4, line 4: move 3: f5 already has a disc",
            "outflank: games.txt, game 5, line 5: move 2: “i9” is not a square",
        ]
    );
    assert_eq!(String::from_utf8(output.stdout).unwrap(), "5 games, 2 legal, 3 rejected\n");
    assert_eq!(output.status.code(), Some(2));

    let output = folder.run(&["import", "--check", "--json", "games.txt", "none"]);
    let answer: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((&answer["games"], &answer["legal"]), (&5.into(), &2.into()));
    let rejected = answer["rejected"].as_array().unwrap();
    assert_eq!(rejected.len(), 4);
    assert_eq!(
        rejected[0],
        serde_json::json!({
            "file": "games.txt", "game": 2, "line": 2, "byte": 9, "ply": 2, "square": "a1",
            "why": "move 2: a1 turns no disc",
        })
    );
    assert_eq!(rejected[3]["game"], serde_json::Value::Null);

    let output = folder.run(&["convert", "games.txt", "out.txt"]);
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(fs::read_to_string(folder.path().join("out.txt")).unwrap(), "f5d6c3\nf5f6\n");
}

#[test]
fn formats_lead_to_each_other() {
    let folder = Folder::new();
    folder.file("a.txt", format!("{GAME}\nf5d6c3\n"));
    let chain = ["a.txt", "b.ggf", "c.sgf", "d.pgn", "e.wtb", "f.txt"];
    for pair in chain.windows(2) {
        let output = folder.run(&["convert", pair[0], pair[1]]);
        // WTHOR must give an unfinished game a score, and a list of moves has no place for it
        let result = if pair.contains(&"e.wtb") { 1 } else { 0 };
        let errors = String::from_utf8(output.stderr).unwrap();
        assert_eq!((output.status.success(), errors.lines().count()), (true, result), "{errors}");
        let answer = folder.says(&["import", "--check", "--json", pair[1]]);
        assert_eq!(answer, "{\"games\":2,\"legal\":2,\"rejected\":[]}\n");
    }
    let read = |name: &str| fs::read_to_string(folder.path().join(name)).unwrap();
    assert_eq!(read("a.txt"), read("f.txt"));
    assert!(folder.names().contains(&"e.jou".into()) && folder.names().contains(&"e.trn".into()));
    assert_eq!(folder.says(&["convert", "c.sgf", "-", "--to", "txt"]), read("a.txt"));
    folder.complains(
        &["convert", "a.txt", "name"],
        "the name name does not say a format: give it an ending (txt, pgn, ggf, sgf, wtb, obf, board, svg) or use --to",
    );
}

#[test]
fn a_game_is_shown() {
    let folder = Folder::new();
    let board = "  a b c d e f g h
1 - - - - - - - - 1
2 - - - - - - - - 2
3 - - X - - - - - 3
4 - - - X X - - - 4
5 - - - O X X - - 5
6 - - - O - - - - 6
7 - - - - - - - - 7
8 - - - - - - - - 8
  a b c d e f g h
";
    assert_eq!(folder.says(&["show", "f5d6c3"]), format!("{board}move 3: c3\nWhite to move, 5-2\n"));
    assert_eq!(folder.says(&["show", "f5d6c3d3", "--at", "3"]), format!("{board}move 3: c3\nWhite to move, 5-2\n"));
    let start = "---------------------------OX------XO---------------------------";
    let spanish = folder.says(&["--lang", "es", "show", &format!("{start} O")]);
    assert!(spanish.ends_with("Juegan blancas, 2-2\n"), "{spanish}");
    assert!(folder.says(&["show", GAME]).ends_with("move 60: g7\nBlack wins 36-28\n"));
    let answer = folder.says(&["show", "f5", "--json"]);
    let answer: serde_json::Value = serde_json::from_str(&answer).unwrap();
    assert_eq!(answer["board"], "---------------------------OX------XXX--------------------------");
    assert_eq!((&answer["turn"], &answer["moves"]), (&"white".into(), &"f5".into()));

    let mut child = folder.command(&["show", "-"]).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(b"(;GM[2];B[f5];W[d6];B[c3])").unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(String::from_utf8(output.stdout).unwrap().starts_with(board));

    folder.complains(&["show", "f5a1"], "move 2: a1 turns no disc");
    folder.complains(&["show", "f5a1", "--lang", "es"], "jugada 2: a1 no voltea ninguna ficha");
    folder.complains(&["show", "f5", "--at", "9"], "the game has one move; there is no board after 9");
    folder.complains(&["show", "f5", "--number", "2"], "f5 has one game; there is no game 2");
}

#[test]
fn a_game_is_drawn() {
    let folder = Folder::new();
    folder.says(&["show", GAME, "--svg", "game.svg"]);
    folder.says(&["show", GAME, "--svg", "board.svg", "--at", "10", "--print"]);
    let read = |name: &str| fs::read_to_string(folder.path().join(name)).unwrap();
    assert!(read("game.svg").contains(">60</text>"));
    assert!(!read("board.svg").contains(">10</text>"));
    assert!(read("board.svg").contains("to move, "));
}

#[test]
fn lines_of_play_are_counted() {
    let folder = Folder::new();
    let answer: serde_json::Value = serde_json::from_str(&folder.says(&["perft", "9", "--json"])).unwrap();
    assert_eq!((&answer["depth"], &answer["nodes"]), (&9.into(), &3_005_288.into()));
    assert!(answer["seconds"].as_f64().unwrap() > 0.0);
    // the four first moves are one move
    let nodes = |words: &[&str]| -> u64 {
        let answer: serde_json::Value =
            serde_json::from_str(&folder.says(&[&["perft", "--json"], words].concat())).unwrap();
        answer["nodes"].as_u64().unwrap()
    };
    assert_eq!(4 * nodes(&["8", "--from", "f5"]), 3_005_288);
    let start = "---------------------------OX------XO---------------------------";
    assert_eq!(nodes(&["6", "--from", &format!("{start} X")]), 8_200);
    assert_eq!(nodes(&["0", "--from", "f5"]), 1);
    folder.complains(&["perft", "3", "--from", "f5a1"], "move 2: a1 turns no disc");
    let line = folder.says(&["perft", "8", "--threads", "2"]);
    assert!(line.starts_with("perft 8: 390,216 in 0.") && line.ends_with(" a second, 2 threads\n"), "{line}");
    let line = folder.says(&["--lang", "es", "perft", "8"]);
    assert!(line.starts_with("perft 8: 390\u{202f}216 en 0,") && line.ends_with(" por segundo, un hilo\n"), "{line}");
}

#[test]
fn the_language_is_that_of_the_option_or_the_environment() {
    let folder = Folder::new();
    let said = |variables: &[(&str, &str)], words: &[&str]| {
        let output = folder.command(words).envs(variables.iter().copied()).output().unwrap();
        String::from_utf8(output.stdout).unwrap().lines().nth(2).unwrap_or_default().to_owned()
    };
    assert_eq!(said(&[], &["--help"]), "Usage: outflank [OPTIONS] [COMMAND]");
    for variables in [
        &[("LANG", "es_ES.UTF-8")][..],
        &[("LANG", "en"), ("LC_MESSAGES", "es_MX")],
        &[("LC_ALL", "es"), ("LANG", "en"), ("LC_MESSAGES", "en")],
        &[("LC_ALL", ""), ("LANG", "es")],
    ] {
        assert_eq!(said(variables, &["--help"]), "Uso: outflank [OPCIONES] [ORDEN]", "{variables:?}");
        assert_eq!(said(variables, &["--help", "--lang", "en"]), "Usage: outflank [OPTIONS] [COMMAND]");
    }
    assert_eq!(said(&[("LANG", "C.UTF-8")], &["--help"]), "Usage: outflank [OPTIONS] [COMMAND]");
}

#[test]
fn what_is_typed_wrong_is_said_in_one_sentence() {
    let folder = Folder::new();
    for (words, english, spanish) in [
        (
            &["plot"][..],
            "there is no command plot; `outflank --help` lists them",
            "no existe la orden plot; `outflank --help` las enumera",
        ),
        (
            &["perft", "5", "--fast"],
            "there is no option or argument --fast here; `--help` lists what there is",
            "aquí no existe la opción o el argumento --fast; `--help` enumera los que hay",
        ),
        (
            &["perft", "much"],
            "much is no value for <DEPTH>: How deep, 0 to 20",
            "much no es un valor para <PROFUNDIDAD>: Profundidad, de 0 a 20",
        ),
        (&["perft"], "something is missing: <DEPTH>", "falta algo: <PROFUNDIDAD>"),
        (&["perft", "5", "--threads"], "--threads <N> needs a value", "--threads <N> necesita un valor"),
        (
            &["perft", "21"],
            "21 is out of range for <DEPTH>: from 0 to 20",
            "21 está fuera de lo que admite <PROFUNDIDAD>: de 0 a 20",
        ),
        (
            &["perft", "5", "--threads", "0"],
            "0 is out of range for --threads <N>: from 1 to 1024",
            "0 está fuera de lo que admite --threads <N>: de 1 a 1024",
        ),
        (
            &["analyse", "f5", "--time", "0"],
            "0 is out of range for --time <SECONDS>: from 0.001 to 86400",
            "0 está fuera de lo que admite --time <SEGUNDOS>: de 0.001 a 86400",
        ),
        (
            &["solve", "x", "--from", "0"],
            "0 is out of range for --from <A>: 1 or more",
            "0 está fuera de lo que admite --from <A>: 1 o más",
        ),
        (
            &["play", "--level", "nobody"],
            "nobody is no value for --level <LEVEL>: Play against the computer at this level, 1 to 18 or a name",
            "nobody no es un valor para --level <NIVEL>: Jugar contra el ordenador en este nivel, de 1 a 18 o por su nombre",
        ),
    ] {
        folder.complains(&[&["--lang", "en"], words].concat(), english);
        folder.complains(&[&["--lang", "es"], words].concat(), spanish);
    }
}

#[test]
fn shells_and_manuals_get_what_they_need() {
    let folder = Folder::new();
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        assert!(folder.says(&["completions", shell]).contains("perft"), "{shell}");
    }
    let page = folder.says(&["man"]);
    assert!(page.starts_with(".TH OUTFLANK 1 ") && page.contains("\n.SH NAME\noutflank \\- Reversi"), "{page}");
    assert!(page.contains("\n.SS outflank import [OPTIONS] <FILE>...\n"), "{page}");
    assert!(page.contains("\n.TP\n\\fB\\-V, \\-\\-version\\fR\n"), "{page}");
    assert!(folder.says(&["man", "--lang", "es"]).contains("\n.SS outflank play [OPCIONES]\n"));
    assert!(folder.says(&["--version"]).starts_with("outflank "));
}
