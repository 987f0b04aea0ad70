use super::*;
use engine::{Analysis, Engine, Evaluator, Options};

/// A session whose questions are answered at once.
struct Desk {
    gtp: Gtp,
    engine: Engine,
}

impl Desk {
    fn new() -> Desk {
        let engine = Engine::new(Evaluator::blank(), Options { threads: 1, hash: 1 });
        Desk { gtp: Gtp::new(Level::numbered(3).copied(), 1), engine }
    }

    fn say(&mut self, line: &str) -> String {
        let reply = self.gtp.hear(line);
        let mut lines = reply.lines;
        if let Next::Think(questions) = reply.next {
            for (question, asked) in questions.into_iter().enumerate() {
                let analysis: Analysis = self.engine.search(&asked.position, &asked.limits, &mut |_| {});
                let square = analysis.best().map(|best| best.square);
                lines.extend(self.gtp.answer(&Thought { question, square, analysis }));
            }
        }
        if !lines.is_empty() {
            assert_eq!(lines.pop().as_deref(), Some(""), "an empty line ends a reply");
        }
        lines.join("\n")
    }
}

#[test]
fn the_protocol_by_example() {
    let mut desk = Desk::new();
    for (line, reply) in [
        ("1 protocol_version", "=1 2"),
        ("2 play b f5", "=2"),
        ("play w f6", "="),
        ("play B E6", "="),
        ("7 play b a1", "?7 illegal move"),
        ("play w pass", "? illegal move"),
        ("play w", "? syntax error"),
        ("play w z9", "? invalid color or coordinate"),
        ("play green d6", "? invalid color or coordinate"),
        ("boardsize 8", "="),
        ("boardsize 19", "? unacceptable size"),
        ("komi 6.5", "="),
        ("genmove b", "? wrong color"),
        ("known_command genmove", "= true"),
        ("known_command nonsense", "= false"),
        ("nonsense", "? unknown command"),
        ("12", "?12 unknown command"),
        ("  # only a comment", ""),
        ("", ""),
        ("\u{7}na\u{1}me # a comment", "= Outflank"),
        ("set_game Othello", "="),
        ("set_game Go", "? unsupported game"),
        ("list_games", "= Othello"),
        ("undo", "="),
        ("undo", "="),
        ("undo", "="),
        ("undo", "? cannot undo"),
        ("final_score", "= 0"),
        ("time_settings 300 0 0", "="),
        ("time_left b 12.5 0", "="),
        ("time_left b soon 0", "? syntax error"),
        ("time_settings 1e300 0 0", "? syntax error"),
        ("set_level 99", "? levels are 1 to 18"),
        ("set_level casual", "="),
        ("set_level 2", "="),
        ("loadsgf /nowhere/at/all.sgf", "? cannot load file"),
    ] {
        assert_eq!(desk.say(line), reply, "{line:?}");
    }
    let commands = desk.say("list_commands");
    assert_eq!(commands.lines().count(), COMMANDS.len());
    for name in commands.trim_start_matches("= ").lines() {
        let reply = if name == "quit" { String::new() } else { desk.say(name) };
        assert!(!reply.contains("unknown command"), "{name} is listed");
    }
    assert!(matches!(desk.gtp.hear("9 quit").next, Next::Quit));
}

#[test]
fn a_whole_game_with_its_passes() {
    let mut desk = Desk::new();
    desk.say("set_level 3");
    let mut color = Color::Black;
    let mut passes = 0;
    for _ in 0..130 {
        let reply = desk.say(&format!("genmove {color}"));
        let place = reply.strip_prefix("= ").unwrap_or_else(|| panic!("{reply}"));
        passes = if place == "pass" { passes + 1 } else { 0 };
        if passes == 2 {
            break;
        }
        color = !color;
    }
    assert_eq!(passes, 2);
    let position = desk.gtp.game.position();
    assert!(position.is_over());
    let outcome = position.outcome().unwrap();
    let score = desk.say("final_score");
    let winner = outcome.winner().map_or('0', |winner| if winner == Color::Black { 'B' } else { 'W' });
    assert!(score.starts_with(&format!("= {winner}")), "{score}");
    assert_eq!(desk.say("play b pass"), "=");
}

#[test]
fn reg_genmove_leaves_the_board_alone() {
    let mut desk = Desk::new();
    let board = desk.say("showboard");
    assert!(desk.say("reg_genmove b").starts_with("= "));
    assert_eq!(desk.say("showboard"), board);
}

#[test]
fn games_are_loaded_up_to_a_move() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("game.sgf");
    std::fs::write(&path, "(;GM[2];B[f5];W[d6];B[c3])").unwrap();
    let mut desk = Desk::new();
    assert_eq!(desk.say(&format!("loadsgf {}", path.display())), "=");
    assert_eq!(desk.say("gogui-rules_side_to_move"), "= white");
    assert_eq!(desk.say(&format!("loadsgf {} 2", path.display())), "=");
    assert_eq!(desk.gtp.game.states().count(), 2);
}

/// As GoGui reads a board: eight rows from the top, which is row 8 there; whatever is no disc and no empty point is
/// passed over.
fn as_gogui_reads(reply: &str) -> Vec<(String, char)> {
    let rows = reply.strip_prefix("= ").unwrap().lines();
    let points = |(row, line): (usize, &str)| {
        let discs: Vec<char> = line.chars().filter(|c| ['.', 'X', 'O'].contains(c)).collect();
        assert_eq!(discs.len(), 8, "{line}");
        discs
            .into_iter()
            .zip("ABCDEFGH".chars())
            .map(move |(disc, column)| (format!("{column}{}", 8 - row), disc))
            .collect::<Vec<_>>()
    };
    let points: Vec<_> = rows.enumerate().flat_map(points).collect();
    assert_eq!(points.len(), 64);
    points
}

#[test]
fn gogui_sees_the_board_where_it_clicks() {
    let mut desk = Desk::new();
    assert_eq!(desk.say("gogui-rules_game_id"), "= Othello");
    assert_eq!(desk.say("gogui-rules_board_size"), "= 8");
    assert_eq!(desk.say("gogui-rules_legal_moves"), "= D3 C4 F5 E6");
    assert_eq!(desk.say("gogui-rules_side_to_move"), "= black");
    desk.say("play b F5");
    let board = as_gogui_reads(&desk.say("gogui-rules_board"));
    let discs: Vec<(&str, char)> =
        board.iter().filter(|(_, disc)| *disc != '.').map(|(name, disc)| (name.as_str(), *disc)).collect();
    assert_eq!(discs, [("D5", 'X'), ("E5", 'X'), ("F5", 'X'), ("D4", 'O'), ("E4", 'X')]);
    assert!(desk.say("gogui-rules_final_result").starts_with("= The game is not over."));
}

#[test]
fn gogui_hears_of_passes_and_of_the_end() {
    let mut desk = Desk::new();
    for (color, square) in ["b", "w"].into_iter().cycle().zip(["c4", "c3", "e6", "b4", "a4", "a5", "b2", "a3"]) {
        assert_eq!(desk.say(&format!("play {color} {square}")), "=");
    }
    assert_eq!(desk.say("gogui-rules_legal_moves"), "= pass");
    assert_eq!(desk.say("gogui-rules_side_to_move"), "= black");
    desk.say("play b pass");
    assert_eq!(
        (desk.say("gogui-rules_legal_moves"), desk.say("gogui-rules_side_to_move")),
        ("= C1 D2 F4".into(), "= white".into())
    );
    desk.say("clear_board");
    for (color, square) in ["b", "w"].into_iter().cycle().zip(["f5", "d6", "c5", "f4", "e7", "f6", "g5", "e6", "e3"]) {
        assert_eq!(desk.say(&format!("play {color} {square}")), "=");
    }
    assert_eq!(desk.say("gogui-rules_legal_moves"), "=", "nothing to play: the game is over");
    assert_eq!(desk.say("gogui-rules_side_to_move"), "= white", "it reads the first letter, whatever happened");
    assert_eq!(desk.say("gogui-rules_final_result"), "= Black wins by 64. Black 64, White 0.");
}

#[test]
fn the_only_move_is_played_at_once() {
    for settings in ["time_settings 3600 0 0", "time_settings 0 60 1", "komi 0"] {
        let mut desk = Desk::new();
        desk.say("set_level perfect");
        desk.say(settings);
        for (color, square) in ["b", "w"].into_iter().cycle().zip(["d3", "c5", "b6", "f3", "f5"]) {
            desk.say(&format!("play {color} {square}"));
        }
        let Next::Think(questions) = desk.gtp.hear("genmove w").next else { panic!("it thinks") };
        let limits = &questions[0].limits;
        assert!(limits.depth <= 6 && limits.solve_at <= 6, "{settings}: {limits:?}");
        desk.say("undo");
        let Next::Think(questions) = desk.gtp.hear("genmove b").next else { panic!("it thinks") };
        assert!(questions[0].limits.depth > 6, "{settings}");
    }
}
