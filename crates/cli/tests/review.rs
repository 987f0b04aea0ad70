//! `outflank review`: one game, said in four ways that agree.

mod common;

use common::outflank;
use serde_json::Value;
use std::fs;

const GAME: &str = "f5f6d3e3f4c5f3g5h6h4e6d6h5g4h3e2f1e1d1c3c7c6g3c8c4d2c1b4a5a3a4a6b5f2g6b3e7f8e8d8c2b6d7f7g1h7h8b1a1h2h1g2b8a8a7b7a2g8b2g7";

/// Not deep: what is said is tested, not how well it was searched.
fn quick<'a>(more: &[&'a str]) -> Vec<&'a str> {
    [&["review", GAME, "--depth", "6", "--hash", "4"], more].concat()
}

/// What the page says of a move.
fn said(shown: &Value) -> String {
    shown["said"].as_array().unwrap().iter().map(|one| one.as_str().unwrap()).collect()
}

#[test]
fn json_page_and_sgf_agree() {
    let folder = tempfile::tempdir().unwrap();
    let (page, sgf) = (folder.path().join("game.html"), folder.path().join("game.sgf"));
    let files = ["--json", "--html", page.to_str().unwrap(), "--sgf", sgf.to_str().unwrap()];
    let output = outflank(&quick(&files)).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    let moves = report["moves"].as_array().unwrap();
    assert_eq!(moves.len(), 60);
    let lost = |who: &str| -> i64 {
        moves.iter().filter(|one| one["by"] == who).map(|one| one["loss"].as_i64().unwrap()).sum()
    };
    assert_eq!(report["black"]["loss"], lost("black"));
    assert_eq!(report["white"]["loss"], lost("white"));
    assert_eq!((&moves[59]["value_black"], &moves[59]["exact"]), (&8.into(), &true.into()));
    let explained: Vec<&Value> = moves.iter().filter(|one| one["reason"].is_object()).collect();
    assert!(!explained.is_empty());

    let page = fs::read_to_string(page).unwrap();
    for outside in ["http:", "https:", "src=", "href=", "@import", "url("] {
        let allowed = page.matches("http://www.w3.org/2000/svg").count();
        let found = page.matches(outside).count();
        assert_eq!(found, if outside == "http:" { allowed } else { 0 }, "{outside}");
    }
    let data = page.split("id=\"data\">").nth(1).unwrap().split("</script>").next().unwrap();
    let data: Value = serde_json::from_str(data).unwrap();
    assert_eq!(data["frames"].as_array().unwrap().len(), 61);
    // the page marks the moves that are marked, and says what changed who wins
    for (shown, one) in data["moves"].as_array().unwrap().iter().zip(moves) {
        assert_eq!(shown["mark"], one["mark"].as_str().unwrap_or_default());
        let turns = one["turning_point"] == true && one["sure"] == true;
        assert_eq!((&shown["turning"], said(shown).contains("turning point")), (&turns.into(), turns), "{shown}");
    }
    for (shown, one) in data["values"].as_array().unwrap()[1..].iter().zip(moves) {
        assert_eq!((&shown["number"], &shown["value"]), (&one["number"], &one["value_black"]));
    }

    // every value, comment and better line is there when it is read again
    let text = fs::read_to_string(&sgf).unwrap();
    let output = outflank(&["show", sgf.to_str().unwrap(), "--json"]).output().unwrap();
    let shown: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(shown["moves"], GAME);
    assert_eq!(text.matches("V[").count(), 60);
    assert!(text.matches("This was better.").count() > 5, "{text}");
    for one in explained {
        let number = one["number"].as_u64().unwrap() as usize;
        let shown = &data["moves"][number - 1];
        let reason = shown["said"][1].as_str().unwrap();
        assert!(text.replace("\\:", ":").contains(reason), "{reason}");
        assert_eq!(one["reason"]["text"], reason);
        // the line that shows it can be walked, and begins before the move
        let frames = shown["lines"][1]["frames"].as_array().unwrap();
        assert_eq!(frames.len(), one["reason"]["line"].as_array().unwrap().len() + 1);
        assert_eq!(frames[0]["board"], data["frames"][number - 1]["board"]);
    }
}

#[test]
fn people_read_a_walk_in_their_language() {
    let said = |lang: &str| {
        let output = outflank(&quick(&["--lang", lang])).output().unwrap();
        assert_eq!(output.status.code(), Some(0));
        String::from_utf8(output.stdout).unwrap()
    };
    let (english, spanish) = (said("en"), said("es"));
    // so shallow a search is not sure that any move decided the game, and says so
    assert!(
        english.contains("Black lost") && english.contains("No single move surely") && english.contains("Better: ")
    );
    assert!(spanish.contains("Negro perdió") && spanish.contains("Ninguna jugada por sí sola"), "{spanish}");
    assert!(english.matches("(blunder)").count() >= 3, "{english}");
}

/// A game of ours that began with four given moves, in a file that says how long the others took; it was not played to the end.
#[test]
fn times_and_given_moves_are_spoken_of() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("game.ggf");
    let start = "-".repeat(27) + "O*------*O" + &"-".repeat(27);
    let mut text = format!("(;GM[Othello]PC[Outflank]PB[Ana]PW[Luis]RE[?]TY[8]BO[8 {start} *]");
    for (at, square) in GAME.as_bytes().chunks(2).take(56).enumerate() {
        let color = if at % 2 == 0 { 'B' } else { 'W' };
        text += &format!("{color}[{}{}]", str::from_utf8(square).unwrap(), if at < 4 { "" } else { "//2" });
    }
    fs::write(&file, text + ";)").unwrap();
    let path = file.to_str().unwrap();
    for (lang, given, haste) in [
        ("en", "The first 4 moves were given", "mistakes took less than 5 seconds."),
        ("es", "Las primeras 4 jugadas venían dadas", "menos de 5 segundos."),
    ] {
        let output = outflank(&["review", path, "--depth", "4", "--hash", "4", "--lang", lang]).output().unwrap();
        let said = String::from_utf8(output.stdout).unwrap();
        assert!(said.contains(given) && said.contains(haste), "{said}");
    }
    let output = outflank(&["review", path, "--depth", "4", "--hash", "4", "--json"]).output().unwrap();
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    let given: Vec<bool> = report["moves"].as_array().unwrap().iter().map(|one| one["given"] == true).collect();
    assert_eq!(given, [vec![true; 4], vec![false; 52]].concat());
    assert_eq!(report["black"]["haste"]["mistakes"], report["black"]["haste"]["quick"]);
}

/// The time is over at once: the little that is known is said, and is no failure.
#[test]
fn what_there_was_no_time_for_is_left_out() {
    let output =
        outflank(&["review", GAME, "--depth", "40", "--seconds", "0.5", "--json", "--hash", "4"]).output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    let numbers: Vec<u64> =
        report["moves"].as_array().unwrap().iter().map(|one| one["number"].as_u64().unwrap()).collect();
    assert!(numbers.is_sorted() && numbers.last().is_none_or(|&last| last == 60), "{numbers:?}");
}

#[test]
fn what_cannot_be_reviewed_is_refused_in_a_sentence() {
    let board = "--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X";
    for (args, says) in [
        (["review", board, "--depth", "6"], "there is no move to review"),
        (["review", "f5a1", "--depth", "6"], "a1"),
        (["review", GAME, "--thresholds", "5,3,1"], "1,3,8"),
    ] {
        let output = outflank(&args).output().unwrap();
        let said = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{said}");
        assert!(said.contains(says), "{said}");
    }
    // nothing is written where it cannot be
    let output = outflank(&quick(&["--html", "/nowhere/at/all.html"])).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
}
