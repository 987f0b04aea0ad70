//! Writes `web/src/protocol.ts` and holds `PROTOCOL.md` to its word.

use super::*;
use people::Speed;
use std::{fmt::Write, fs, path::PathBuf};
use study::{
    reason::{Reason, ReasonKind},
    review,
    tree::{Arrow, Mark, Shape},
};
use table::*;
use ts_rs::{Config, TS};

fn root(path: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..").join(path)
}

const HEAD: &str =
    "// Written from crates/server/src/protocol.rs by `OUTFLANK_WRITE=1 cargo test -p outflank-server typescript`.
// Do not edit: a test fails when it is stale. PROTOCOL.md explains it by example.

type File = \"a\" | \"b\" | \"c\" | \"d\" | \"e\" | \"f\" | \"g\" | \"h\";
type Row = \"1\" | \"2\" | \"3\" | \"4\" | \"5\" | \"6\" | \"7\" | \"8\";

/** A square as players name it: a1 is the top-left corner. */
export type Square = `${File}${Row}`;

export type Color = \"black\" | \"white\";

/** One value for each player. */
export interface ByColor<T> {
  black: T;
  white: T;
}

/**
 * One message from a page. The id is chosen by the page, different for each command, at most 64 characters.
 * The same id again gets the same answer and changes nothing.
 */
export type ToServer = { id: string } & Ask;
";

fn declare<T: TS + 'static>(out: &mut String) {
    let config = Config::default();
    out.push('\n');
    if let Some(docs) = T::docs() {
        // The Rust examples say nothing to a reader of TypeScript.
        let docs = docs.split("\n *\n * ```").next().unwrap_or_default().trim_end();
        writeln!(out, "{}{}", docs, if docs.ends_with("*/") { "" } else { "\n */" }).unwrap();
    }
    writeln!(out, "export {}", T::decl(&config).replace(" \n", "\n")).unwrap();
}

fn typescript() -> String {
    let mut out = HEAD.to_owned();
    writeln!(out, "\n/** The version of these messages. */\nexport const PROTOCOL = {PROTOCOL};").unwrap();
    writeln!(out, "\n/** The code with which a connection ends when the owner closes the door to the network. */")
        .unwrap();
    writeln!(out, "export const DOOR_CLOSED = {DOOR_CLOSED};").unwrap();
    writeln!(out, "\n/** The code with which a connection ends when what let it in is good no more. */").unwrap();
    writeln!(out, "export const SIGNED_OUT = {SIGNED_OUT};").unwrap();
    declare::<Ask>(&mut out);
    declare::<SeatChoice>(&mut out);
    declare::<ToBrowser>(&mut out);
    declare::<super::Why>(&mut out);
    declare::<DoorView>(&mut out);
    declare::<Me>(&mut out);
    declare::<HouseView>(&mut out);
    declare::<AccountView>(&mut out);
    declare::<SessionView>(&mut out);
    declare::<TokenView>(&mut out);
    declare::<PasskeyView>(&mut out);
    declare::<GameView>(&mut out);
    declare::<OpeningReached>(&mut out);
    declare::<Cause>(&mut out);
    declare::<Level>(&mut out);
    declare::<NamedRules>(&mut out);
    declare::<GameSummary>(&mut out);
    declare::<StudySource>(&mut out);
    declare::<StudyEdit>(&mut out);
    declare::<StudyFormat>(&mut out);
    declare::<Study>(&mut out);
    declare::<StudyNode>(&mut out);
    declare::<Mark>(&mut out);
    declare::<Shape>(&mut out);
    declare::<Arrow>(&mut out);
    declare::<OpeningName>(&mut out);
    declare::<StudySummary>(&mut out);
    declare::<StudyChange>(&mut out);
    declare::<Overlay>(&mut out);
    declare::<LineBoard>(&mut out);
    declare::<Lines>(&mut out);
    declare::<Analysis>(&mut out);
    declare::<MoveValue>(&mut out);
    declare::<BookMove>(&mut out);
    declare::<Thresholds>(&mut out);
    declare::<ReviewStage>(&mut out);
    declare::<ExerciseKind>(&mut out);
    declare::<ExerciseTask>(&mut out);
    declare::<ExerciseReply>(&mut out);
    declare::<ExerciseTheme>(&mut out);
    declare::<ExerciseProgress>(&mut out);
    declare::<ExerciseDay>(&mut out);
    declare::<Exercise>(&mut out);
    declare::<ExerciseSource>(&mut out);
    declare::<ExerciseAnswer>(&mut out);
    declare::<ExerciseValue>(&mut out);
    declare::<review::Report>(&mut out);
    declare::<review::MoveReport>(&mut out);
    declare::<review::Class>(&mut out);
    declare::<review::Mark>(&mut out);
    declare::<review::Perhaps>(&mut out);
    declare::<review::Phase>(&mut out);
    declare::<review::PlayerReport>(&mut out);
    declare::<review::PhaseLosses>(&mut out);
    declare::<review::Haste>(&mut out);
    declare::<Reason>(&mut out);
    declare::<ReasonKind>(&mut out);
    declare::<LibraryQuery>(&mut out);
    declare::<LibraryResult>(&mut out);
    declare::<LibrarySort>(&mut out);
    declare::<LibraryNameKind>(&mut out);
    declare::<LibraryFound>(&mut out);
    declare::<LibraryCount>(&mut out);
    declare::<LibraryNext>(&mut out);
    declare::<LibraryGame>(&mut out);
    declare::<LibraryName>(&mut out);
    declare::<LibraryStats>(&mut out);
    declare::<LibraryReport>(&mut out);
    declare::<LibraryRejected>(&mut out);
    declare::<LobbyOffer>(&mut out);
    declare::<LobbyPlayer>(&mut out);
    declare::<Lobby>(&mut out);
    declare::<LobbyYou>(&mut out);
    declare::<CategoryRating>(&mut out);
    declare::<Person>(&mut out);
    declare::<people::Tally>(&mut out);
    declare::<Leader>(&mut out);
    declare::<RatingChange>(&mut out);
    declare::<Speed>(&mut out);
    declare::<View>(&mut out);
    declare::<Status>(&mut out);
    declare::<LegalMove>(&mut out);
    declare::<MoveView>(&mut out);
    declare::<SeatView>(&mut out);
    declare::<SeatKind>(&mut out);
    declare::<ClocksView>(&mut out);
    declare::<ClockView>(&mut out);
    declare::<Stage>(&mut out);
    declare::<OfferView>(&mut out);
    declare::<Wish>(&mut out);
    declare::<Can>(&mut out);
    declare::<Verdict>(&mut out);
    declare::<Ending>(&mut out);
    declare::<Rules>(&mut out);
    declare::<TimeControl>(&mut out);
    declare::<Overrun>(&mut out);
    declare::<Empties>(&mut out);
    declare::<Opening>(&mut out);
    declare::<Preset>(&mut out);
    declare::<table::Claim>(&mut out);
    declare::<Phrase>(&mut out);
    declare::<Said>(&mut out);
    out
}

#[test]
fn typescript_is_fresh() {
    let path = root("web/src/protocol.ts");
    let fresh = typescript();
    if std::env::var_os("OUTFLANK_WRITE").is_some() {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, &fresh).unwrap();
    }
    let stored = fs::read_to_string(&path).unwrap_or_default();
    assert!(
        stored == fresh,
        "web/src/protocol.ts is stale: run `OUTFLANK_WRITE=1 cargo test -p outflank-server typescript`"
    );
}

/// Every JSON block in PROTOCOL.md, with whether a page (`→`) or the server (`←`) says it.
fn examples() -> Vec<(bool, String)> {
    let text = fs::read_to_string(root("PROTOCOL.md")).unwrap();
    let mut found = Vec::new();
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        let to_server = match line.trim() {
            "```json to-server" => true,
            "```json to-browser" => false,
            line => {
                assert!(!line.starts_with("```json"), "say who sends it: {line}");
                continue;
            }
        };
        let block: Vec<&str> = lines.by_ref().take_while(|line| line.trim() != "```").collect();
        found.push((to_server, block.join("\n")));
    }
    found
}

#[test]
fn every_example_in_the_document_is_a_message() {
    let mut seen = std::collections::BTreeSet::new();
    for (to_server, json) in examples() {
        let value: serde_json::Value = serde_json::from_str(&json).unwrap_or_else(|e| panic!("{e}: {json}"));
        // Reading and writing again must lose nothing: an example with a misspelt field would.
        let back = if to_server {
            serde_json::to_value(serde_json::from_str::<ToServer>(&json).unwrap_or_else(|e| panic!("{e}: {json}")))
        } else {
            serde_json::to_value(serde_json::from_str::<ToBrowser>(&json).unwrap_or_else(|e| panic!("{e}: {json}")))
        }
        .unwrap();
        for (key, said) in value.as_object().unwrap() {
            assert_eq!(back.get(key), Some(said), "{key} in {json}");
        }
        seen.insert((to_server, value["type"].as_str().unwrap().to_owned()));
    }
    let kinds = |to_server| seen.iter().filter(|(side, _)| *side == to_server).map(|(_, kind)| kind.as_str()).collect();
    let asks: Vec<&str> = kinds(true);
    let wanted = [
        "abort",
        "again",
        "analyse",
        "analyse_stop",
        "answer",
        "block",
        "challenge",
        "challenge_decline",
        "claim",
        "close",
        "close_door",
        "create",
        "delete",
        "exercise",
        "exercise_add",
        "exercise_play",
        "exercise_remove",
        "exercise_try",
        "exercises",
        "hint",
        "leaders",
        "library_delete",
        "library_find",
        "library_names",
        "library_own",
        "library_stats",
        "list",
        "lobby",
        "lobby_close",
        "offer",
        "offer_accept",
        "offer_withdraw",
        "open",
        "open_door",
        "pause",
        "person",
        "person_games",
        "ping",
        "play",
        "quick",
        "resign",
        "resume",
        "review",
        "review_stop",
        "say",
        "scrap",
        "sit",
        "studies",
        "study_close",
        "study_delete",
        "study_edit",
        "study_file",
        "study_line",
        "study_new",
        "study_open",
        "study_overlay",
        "takeback",
        "turns",
        "unblock",
    ];
    assert_eq!(asks, wanted);
    let answers: Vec<&str> = kinds(false);
    let wanted = [
        "analysis",
        "challenged",
        "done",
        "door",
        "exercise",
        "exercise_added",
        "exercise_answer",
        "exercise_none",
        "exercises",
        "game",
        "games",
        "gone",
        "hint",
        "hint_reason",
        "house",
        "leaders",
        "library",
        "library_deleted",
        "library_names",
        "library_stats",
        "lobby",
        "lobby_changed",
        "offer_gone",
        "offered",
        "paired",
        "person",
        "person_games",
        "presence",
        "refused",
        "review",
        "studies",
        "study",
        "study_changed",
        "study_file",
        "study_gone",
        "study_line",
        "study_overlay",
        "welcome",
    ];
    assert_eq!(answers, wanted);
}

#[test]
fn the_document_has_every_reason_for_a_refusal_once() {
    let text = fs::read_to_string(root("PROTOCOL.md")).unwrap();
    let (_, list) = text.split_once("`why` is one of: ").unwrap();
    let (list, _) = list.split_once(".\n\n").unwrap();
    let mut said: Vec<&str> = list.split(',').map(|word| word.trim().trim_matches('`')).collect();
    let declared = super::Why::decl(&Config::default());
    // `type Why = "bad_message" | …`: every other piece is a word.
    let mut known: Vec<&str> = declared.split('"').skip(1).step_by(2).collect();
    said.sort_unstable();
    known.sort_unstable();
    assert_eq!(said, known);
}
