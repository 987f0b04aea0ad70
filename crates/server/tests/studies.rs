//! Studies over a real socket: kept at every change, one person's only, the same in every page.

mod common;

use common::{House, Page, config};
use serde_json::{Value, json};

/// A study of these moves, as the page is shown it.
async fn begin(page: &mut Page, text: &str) -> Value {
    let study = page.ask(json!({"type": "study_new", "from": {"kind": "text", "text": text}})).await;
    assert_eq!(study["type"], "study", "{study}");
    study
}

async fn edit(page: &mut Page, study: &Value, seq: u64, edit: Value) -> Value {
    page.ask(json!({"type": "study_edit", "study": study["study"], "seq": seq, "edit": edit})).await
}

fn squares(study: &Value) -> Vec<&str> {
    study["nodes"].as_array().unwrap().iter().filter_map(|node| node["square"].as_str()).collect()
}

#[tokio::test]
async fn a_study_is_kept_at_every_change_and_read_again_by_a_new_server() {
    let folder = tempfile::tempdir().unwrap();
    let house = House::start(config(folder.path())).await;
    let mut page = house.page().await;
    let study = begin(&mut page, "f5d6c3").await;
    assert_eq!((squares(&study), study["seq"].as_u64()), (vec!["f5", "d6", "c3"], Some(0)));
    let root = &study["nodes"][0];
    assert_eq!((root["turn"].as_str(), root["legal"].as_array().unwrap().len()), (Some("black"), 4));
    assert_eq!(root["legal"][0], json!({"square": "d3", "turns": ["d4"]}));

    let played = edit(&mut page, &study, 0, json!({"kind": "play", "at": 1, "square": "f6"})).await;
    assert_eq!((played["type"].as_str(), played["seq"].as_u64()), (Some("study_changed"), Some(1)));
    let changed: Vec<u64> =
        played["nodes"].as_array().unwrap().iter().map(|node| node["id"].as_u64().unwrap()).collect();
    assert_eq!(changed, [1, 4], "the new one and the one before it");
    let at = played["at"].clone();
    let named = json!({"en": "Diagonal", "es": "Diagonal"});
    assert_eq!(played["nodes"][1]["opening"], named);
    let on = edit(&mut page, &study, 1, json!({"kind": "play", "at": at, "square": "e6"})).await;
    assert_eq!(on["nodes"][1]["opening"], named, "a line bears the last name on its way");
    edit(&mut page, &study, 2, json!({"kind": "undo"})).await;
    let said = edit(&mut page, &study, 3, json!({"kind": "comment", "at": at, "text": "diagonal"})).await;
    assert_eq!((said["seq"].as_u64(), said["nodes"][0]["comment"].as_str()), (Some(4), Some("diagonal")));
    let marks = json!({"kind": "marks", "at": at, "marks": [{"square": "f6", "kind": "circle"}], "arrows": [{"from": "f6", "to": "d4"}]});
    edit(&mut page, &study, 4, marks).await;
    edit(&mut page, &study, 5, json!({"kind": "title", "text": "My openings"})).await;
    house.stop().await;

    let house = House::start(config(folder.path())).await;
    let mut page = page.again(&house).await;
    let listed = page.ask(json!({"type": "studies"})).await;
    assert_eq!(listed["studies"].as_array().unwrap().len(), 1);
    assert_eq!(
        (listed["studies"][0]["title"].as_str(), listed["studies"][0]["moves"].as_u64()),
        (Some("My openings"), Some(3))
    );
    let read = page.ask(json!({"type": "study_open", "study": study["study"]})).await;
    assert_eq!(
        (read["seq"].as_u64(), read["title"].as_str(), read["undo"].as_bool()),
        (Some(6), Some("My openings"), Some(true))
    );
    let node = read["nodes"].as_array().unwrap().iter().find(|node| node["id"] == at).unwrap();
    assert_eq!((node["square"].as_str(), node["comment"].as_str()), (Some("f6"), Some("diagonal")));
    assert_eq!(node["arrows"], json!([{"from": "f6", "to": "d4"}]));
    // Also what can be taken back.
    for seq in 6..10 {
        assert_eq!(edit(&mut page, &study, seq, json!({"kind": "undo"})).await["type"], "study_changed");
    }
    let nothing = edit(&mut page, &study, 10, json!({"kind": "undo"})).await;
    assert_eq!(nothing["why"], "nothing_to_undo");
    let begun = page.ask(json!({"type": "study_open", "study": study["study"]})).await;
    assert_eq!(squares(&begun), ["f5", "d6", "c3"]);
    house.stop().await;
}

#[tokio::test]
async fn a_stranger_reads_and_changes_nobodys_study() {
    let folder = tempfile::tempdir().unwrap();
    let house = House::start(config(folder.path())).await;
    let (mut ana, mut eve) = (house.page().await, house.page().await);
    let study = begin(&mut ana, "f5d6").await;
    let id = &study["study"];
    for ask in [
        json!({"type": "study_open", "study": id}),
        json!({"type": "study_edit", "study": id, "seq": 0, "edit": {"kind": "remove", "at": 1}}),
        json!({"type": "study_delete", "study": id}),
        json!({"type": "study_file", "study": id, "format": "sgf"}),
        json!({"type": "study_overlay", "study": id, "at": 0}),
        json!({"type": "study_line", "study": id, "at": 0, "squares": ["f5"]}),
        json!({"type": "analyse", "key": "k", "study": id, "at": 0}),
        json!({"type": "review", "study": id}),
        json!({"type": "review_stop", "study": id}),
    ] {
        let answer = eve.ask(ask.clone()).await;
        assert_eq!(
            (answer["type"].as_str(), answer["why"].as_str()),
            (Some("refused"), Some("no_such_study")),
            "{ask}"
        );
    }
    assert_eq!(eve.ask(json!({"type": "studies"})).await["studies"], json!([]));
    assert_eq!(ana.ask(json!({"type": "study_open", "study": id})).await["seq"], 0);
    house.stop().await;
}

#[tokio::test]
async fn two_pages_of_one_person_see_the_same_study() {
    let folder = tempfile::tempdir().unwrap();
    let house = House::start(config(folder.path())).await;
    let mut first = house.page().await;
    let study = begin(&mut first, "f5d6").await;
    let mut second = first.again(&house).await;
    second.ask(json!({"type": "study_open", "study": study["study"]})).await;

    edit(&mut first, &study, 0, json!({"kind": "play", "at": 0, "square": "d3"})).await;
    let heard = second.wait(|message| message["type"] == "study_changed").await;
    assert_eq!((heard["seq"].as_u64(), heard["id"].as_str()), (Some(1), None));

    // The second page has not seen it yet, and changes what is no more: it is shown the study and told so.
    let late = edit(&mut second, &study, 0, json!({"kind": "comment", "at": 1, "text": "late"})).await;
    assert_eq!((late["type"].as_str(), late["why"].as_str()), (Some("refused"), Some("stale")));
    let fresh = second.wait(|message| message["type"] == "study").await;
    assert_eq!((fresh["seq"].as_u64(), squares(&fresh)), (Some(1), vec!["f5", "d6", "d3"]));
    let again = edit(&mut second, &study, 1, json!({"kind": "comment", "at": 1, "text": "late"})).await;
    assert_eq!(again["type"], "study_changed");
    assert_eq!(first.wait(|message| message["type"] == "study_changed").await["nodes"][0]["comment"], "late");

    // A page that has closed it hears no more; a deleted study is gone everywhere.
    second.ask(json!({"type": "study_close", "study": study["study"]})).await;
    edit(&mut first, &study, 2, json!({"kind": "title", "text": "x"})).await;
    assert_eq!(second.ask(json!({"type": "ping"})).await["type"], "done");
    assert!(second.early.is_empty(), "{:?}", second.early);
    second.ask(json!({"type": "study_delete", "study": study["study"]})).await;
    first.wait(|message| message["type"] == "study_gone").await;
    assert_eq!(edit(&mut first, &study, 3, json!({"kind": "undo"})).await["why"], "no_such_study");
    house.stop().await;
}

#[tokio::test]
async fn the_same_command_again_changes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let house = House::start(config(folder.path())).await;
    let mut page = house.page().await;
    let new = json!({"id": "new", "type": "study_new", "from": {"kind": "text", "text": "f5d6"}});
    page.send(&new).await;
    let study = page.wait(|message| message["type"] == "study").await;
    page.send(&new).await;
    assert_eq!(page.wait(|message| message["type"] == "study").await["study"], study["study"]);
    assert_eq!(page.ask(json!({"type": "studies"})).await["studies"].as_array().unwrap().len(), 1);

    let play = json!({"id": "play", "type": "study_edit", "study": study["study"], "seq": 0, "edit": {"kind": "play", "at": 0, "square": "d3"}});
    page.send(&play).await;
    page.wait(|message| message["type"] == "study_changed").await;
    // The answer was lost, and so was the server.
    house.stop().await;
    let house = House::start(config(folder.path())).await;
    let mut page = page.again(&house).await;
    page.send(&play).await;
    let whole = page.wait(|message| message["id"] == "play").await;
    assert_eq!((whole["type"].as_str(), whole["seq"].as_u64()), (Some("study"), Some(1)));
    assert_eq!(squares(&whole), ["f5", "d6", "d3"]);
    house.stop().await;
}

#[tokio::test]
async fn what_cannot_be_done_is_refused_and_nothing_is_lost() {
    let folder = tempfile::tempdir().unwrap();
    let house = House::start(config(folder.path())).await;
    let mut page = house.page().await;
    let study = begin(&mut page, "f5d6").await;
    for (change, why) in [
        (json!({"kind": "play", "at": 0, "square": "a1"}), "turns_nothing"),
        (json!({"kind": "play", "at": 0, "square": "d4"}), "occupied"),
        (json!({"kind": "play", "at": 77, "square": "f5"}), "no_such_node"),
        (json!({"kind": "remove", "at": 0}), "no_such_node"),
        (json!({"kind": "line", "at": 0, "squares": ["d3", "a8"]}), "turns_nothing"),
        (json!({"kind": "comment", "at": 0, "text": "x".repeat(5000)}), "too_large"),
        (json!({"kind": "redo"}), "nothing_to_undo"),
        (json!({"kind": "sing"}), "bad_message"),
    ] {
        let answer = edit(&mut page, &study, 0, change.clone()).await;
        assert_eq!(answer["why"], why, "{change}: {answer}");
    }
    for (from, why) in [
        (json!({"kind": "text", "text": "what a lovely day"}), "bad_text"),
        (json!({"kind": "text", "text": ""}), "bad_text"),
        (json!({"kind": "game", "game": "nobody"}), "no_such_game"),
        (json!({"kind": "library", "number": 1}), "not_yours"),
        (json!({"kind": "position", "board": "XO", "turn": "black"}), "bad_text"),
        (json!({"kind": "random", "from": 5, "to": -5, "empties": 20}), "nothing_found"),
        (json!({"kind": "random", "from": -5, "to": 5, "empties": 60}), "nothing_found"),
    ] {
        let answer = page.ask(json!({"type": "study_new", "from": from})).await;
        assert_eq!(answer["why"], why, "{from}: {answer}");
        assert!(!answer["text"].as_str().unwrap().is_empty());
    }
    assert_eq!(page.ask(json!({"type": "studies"})).await["studies"].as_array().unwrap().len(), 1);
    let same = page.ask(json!({"type": "study_open", "study": study["study"]})).await;
    assert_eq!((same["seq"].as_u64(), squares(&same)), (Some(0), vec!["f5", "d6"]));
    house.stop().await;
}

#[tokio::test]
async fn a_study_is_written_in_every_form_and_seen_from_every_side() {
    let folder = tempfile::tempdir().unwrap();
    let house = House::start(config(folder.path())).await;
    let mut page = house.page().await;
    let study = begin(&mut page, "(;GM[2]PB[Ana]PW[Bo];B[f5](;W[d6]C[perpendicular];B[c3])(;W[f6]CR[f6]))").await;
    assert_eq!((study["black"].as_str(), study["white"].as_str()), (Some("Ana"), Some("Bo")));
    async fn file(page: &mut Page, study: &Value, format: &str, at: Option<u64>) -> String {
        let ask = json!({"type": "study_file", "study": study["study"], "format": format, "at": at});
        page.ask(ask).await["text"].as_str().unwrap().to_owned()
    }
    let sgf = file(&mut page, &study, "sgf", None).await;
    let again = begin(&mut page, &sgf).await;
    assert_eq!(squares(&again), squares(&study));
    assert!(sgf.contains("C[perpendicular]") && sgf.contains("CR[f6]") && sgf.contains("PB[Ana]"), "{sgf}");
    assert_eq!(file(&mut page, &study, "transcript", None).await, "f5d6c3");
    assert_eq!(file(&mut page, &study, "transcript", Some(1)).await, "f5");
    assert!(file(&mut page, &study, "ggf", None).await.starts_with("(;GM[Othello]"));
    assert!(file(&mut page, &study, "svg", Some(1)).await.contains("<svg"));
    assert!(file(&mut page, &study, "board", Some(0)).await.contains("OX"));
    let overlay = page.ask(json!({"type": "study_overlay", "study": study["study"], "at": 0})).await;
    assert_eq!(overlay["overlay"]["black_moves"], json!(["d3", "c4", "f5", "e6"]));
    assert_eq!(overlay["overlay"]["regions"].as_array().unwrap().len(), 1);
    house.stop().await;
}

#[tokio::test]
async fn a_line_is_looked_at_without_becoming_part_of_the_study() {
    let folder = tempfile::tempdir().unwrap();
    let house = House::start(config(folder.path())).await;
    let mut page = house.page().await;
    // After White's c1 Black has no move.
    let study = begin(&mut page, "d3c3f5d2d1e1b3").await;
    let line =
        |at: u64, squares: Value| json!({"type": "study_line", "study": study["study"], "at": at, "squares": squares});
    let answer = page.ask(line(7, json!(["c1", "a1", "f5"]))).await;
    let boards = answer["boards"].as_array().unwrap();
    assert_eq!(boards.len(), 1, "as far as it is legal: {answer}");
    assert_eq!(
        (&boards[0]["by"], &boards[0]["passed"], &boards[0]["turn"]),
        (&json!("white"), &json!(true), &json!("white"))
    );
    let both = page.ask(line(0, json!(["f5", "d6"]))).await;
    assert_eq!(both["boards"][1]["by"], "white");
    assert_eq!(both["boards"][1]["board"].as_str().unwrap().matches('O').count(), 3);
    assert_eq!(page.ask(line(99, json!(["f5"]))).await["why"], "no_such_node");
    let read = page.ask(json!({"type": "study_open", "study": study["study"]})).await;
    assert_eq!((&read["seq"], read["nodes"].as_array().unwrap().len()), (&json!(0), 8));
    house.stop().await;
}

#[tokio::test]
async fn a_game_becomes_a_study_when_it_is_over_or_nobody_else_plays() {
    let folder = tempfile::tempdir().unwrap();
    let house = House::start(config(folder.path())).await;
    let (mut ana, mut bo) = (house.page().await, house.page().await);
    let rules = json!({"time": {"kind": "none"}, "overrun": "loses", "empties": "to_winner", "takebacks": true, "opening": "standard"});
    let seats = json!({"black": {"kind": "person", "name": "Ana"}, "white": {"kind": "open"}});
    let game = ana.ask(json!({"type": "create", "seats": seats, "rules": rules})).await["game"].clone();
    let view = ana.ask(json!({"type": "open", "game": game})).await;
    let invite = view["invites"]["white"].clone();
    bo.ask(json!({"type": "sit", "game": game, "invite": invite, "name": "Bo"})).await;
    ana.ask(json!({"type": "play", "game": game, "square": "f5", "ply": 0})).await;
    let from = json!({"type": "study_new", "from": {"kind": "game", "game": game}});
    for page in [&mut ana, &mut bo] {
        assert_eq!(page.ask(from.clone()).await["why"], "no_hints", "nobody looks it up while it is played");
    }
    bo.ask(json!({"type": "resign", "game": game})).await;
    let study = bo.ask(from.clone()).await;
    assert_eq!((study["game"].clone(), squares(&study)), (game, vec!["f5"]));
    assert_eq!(
        (study["black"].as_str(), study["white"].as_str(), study["result"].as_str()),
        (Some("Ana"), Some("Bo"), Some("64-0"))
    );
    assert!(study["nodes"][1]["seconds"].is_number(), "the time each move took is kept");
    house.stop().await;
}

#[tokio::test]
async fn a_random_position_is_as_good_as_was_asked() {
    let folder = tempfile::tempdir().unwrap();
    let house = House::start(config(folder.path())).await;
    let mut page = house.page().await;
    let study =
        page.ask(json!({"type": "study_new", "from": {"kind": "random", "from": -64, "to": 64, "empties": 20}})).await;
    let board = study["nodes"][0]["board"].as_str().unwrap();
    assert_eq!(board.matches('-').count(), 20, "{board}");
    // A narrow range holds whatever a solver says, not only by a first look.
    for _ in 0..4 {
        let narrow = json!({"type": "study_new", "from": {"kind": "random", "from": -4, "to": 4, "empties": 12}});
        let study = page.ask(narrow).await;
        page.send(&json!({"id": "a", "type": "analyse", "key": "k", "study": study["study"], "at": 0, "depth": 60}))
            .await;
        let solved = page.wait(|message| message["type"] == "analysis" && message["done"] == true).await;
        let best = &solved["values"][0];
        assert_eq!(best["exact"], true, "{solved}");
        assert!((-4..=4).contains(&best["score"].as_i64().unwrap()), "{study} {best}");
    }
    // One that cannot be: nobody is ahead by exactly 63.
    let none =
        page.ask(json!({"type": "study_new", "from": {"kind": "random", "from": 63, "to": 63, "empties": 8}})).await;
    assert_eq!(none["why"], "nothing_found");
    house.stop().await;
}

#[tokio::test]
async fn moves_of_a_balanced_opening_are_nobodys_in_a_review() {
    let folder = tempfile::tempdir().unwrap();
    let house = House::start(config(folder.path())).await;
    let mut page = house.page().await;
    let mut rules = common::casual();
    rules["opening"] = "balanced".into();
    let (game, state) = page.begin(common::two_here(rules)).await;
    page.play_first(&state).await;
    page.news(&game, 1).await;
    page.ask(json!({"type": "resign", "game": game})).await;
    let study = page.ask(json!({"type": "study_new", "from": {"kind": "game", "game": game}})).await;
    page.send(&json!({"id": "r", "type": "review", "study": study["study"], "depth": 2})).await;
    let done = page.wait(|message| message["type"] == "review" && message["stage"] == "done").await;
    let moves = done["report"]["moves"].as_array().unwrap();
    let given: Vec<bool> = moves.iter().map(|one| one["given"] == true).collect();
    assert_eq!(given, [vec![true; 8], vec![false]].concat());
    assert!(moves[..8].iter().all(|one| one["loss"] == 0 && one["class"].is_null() && one["mark"].is_null()));
    // The file that holds times says so too.
    let ggf = common::request(house.address, "GET", &format!("/api/games/{game}/game.ggf"), "", "").await;
    let text = ggf.split("\r\n\r\n").nth(1).unwrap();
    let again = page.ask(json!({"type": "study_new", "from": {"kind": "text", "text": text}})).await;
    page.send(&json!({"id": "s", "type": "review", "study": again["study"], "depth": 2})).await;
    let done = page
        .wait(|message| message["type"] == "review" && message["study"] == again["study"] && message["stage"] == "done")
        .await;
    assert_eq!(done["report"]["moves"][7]["given"], true, "{text}");
    house.stop().await;
}

#[tokio::test]
async fn a_node_knows_the_book_and_its_picture_what_was_drawn() {
    let folder = tempfile::tempdir().unwrap();
    let house = House::start(config(folder.path())).await;
    let mut page = house.page().await;
    let text = "(;GM[2];B[f5];W[d6]CR[d6]TR[d6]AR[c3:f6])";
    let study = page.ask(json!({"type": "study_new", "from": {"kind": "text", "text": text}})).await;
    let book = study["nodes"][1]["book"].as_array().unwrap();
    assert!(book.iter().any(|one| one["square"] == "d6" && one["score"].is_i64() && one["depth"].is_u64()), "{book:?}");
    assert_eq!(study["nodes"][2]["marks"].as_array().unwrap().len(), 2);
    let picture = page.ask(json!({"type": "study_file", "study": study["study"], "format": "svg", "at": 2})).await;
    let drawing = picture["text"].as_str().unwrap();
    let (_, above) = drawing.split_once("<g fill=\"none\"").unwrap();
    assert_eq!((above.matches("<path").count(), above.matches("<circle").count()), (2, 1), "{above}");
    house.stop().await;
}
