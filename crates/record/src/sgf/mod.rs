//! SGF, the Smart Game Format, for game 2: Othello.
//!
//! No page defines it for Othello beyond [FF\[4\]](https://www.red-bean.com/sgf/) itself; the programs that write it
//! speak three dialects, and all are read.
//!
//! # Reading
//!
//! - Points are a letter and a digit, as players write squares, in either case; lists of points may hold rectangles
//!   (`a1:b2`). Go's two letters are refused.
//! - Passes are `B[]`, `B[PA]`, `B[pass]`, `B[--]`, `B[@@@@]`, or left out.
//! - `AB`, `AW`, `AE` and `PL` before the first move set up the board; without them the usual start is meant. Without
//!   `PL` whoever moves first is to move.
//! - Moves may stand in the root node, nodes may be empty (Edax writes both), a node may hold several moves.
//! - Lower case letters in property names are skipped, as FF\[1\] to FF\[3\] allow: `Black[f5]`.
//! - Variations are kept, however deep. Comments (`C`), values (`V`) and times (`SECONDS`) are understood; every other property, of the
//!   game or of a move, is kept as it stands. What stands at a pass or in a node without a move belongs to the move before.
//! - `GM` must be 2 and `SZ` 8 where they are there. Escapes, `\]` `\\` `\:`, and soft line breaks are undone.
//! - Text between games is skipped; a line of moves there is told.
//!
//! # Writing
//!
//! FF\[4\], UTF-8, the board always set up, squares in lower case, every pass as `B[]`, variations in parentheses. Dates
//! are `2026-02-03`, `TM` is in seconds with `OT[5 fischer]` for five more a move. The time taken for a move
//! stands in a property of our own, `SECONDS[1.5]`, which other programs skip. How a result came about has no place in it, other than
//! `B+R` and `W+T`.

mod read;
mod write;

pub use read::games;
pub(crate) use write::keeps;
pub use write::write;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Claim, How, Record, games::replayed, raw};
    use rules::Color;

    fn read(text: &str) -> Vec<Result<Record, String>> {
        replayed(games(text.as_bytes()))
    }

    fn one(text: &str) -> Record {
        let mut all = read(text);
        assert_eq!(all.len(), 1, "{text}");
        all.remove(0).unwrap_or_else(|error| panic!("{text}: {error}"))
    }

    #[test]
    fn three_dialects_and_old_ones() {
        let plain = one("(;FF[4]GM[2]SZ[8];B[f5];W[d6];B[c3])");
        for text in [
            "(;GM[2]FF[4]SZ[8]AB[e4][d5]AW[d4][e5]PL[B]B[f5];W[d6];B[c3];)",
            "(;GM[Othello];B[F5];W[D6];B[C3])",
            "( ; GM [2] ; B [f5] W [d6] ; B [c3] )",
            "(;Black[f5];White[d6];Black[c3])",
            "(;GaMe[2];B[f5];W[d6];B[c3]) and more",
            "(;AB[d4:e5]AW[d4][e5];B[f5];W[d6];B[c3])",
            "(;b[f5];w[d6];b[c3])",
        ] {
            assert_eq!(one(text).moves(), plain.moves(), "{text}");
        }
    }

    #[test]
    fn variations_escapes_and_values_come_back() {
        let text = "(;FF[4]GM[2]SZ[8]C[escapes: \\] and \\\\ and a colon \\: and a soft\\\n break]AB[e4][d5]AW[d4][e5]PL[B]KM[1]\
                    (;B[f5]V[-2.5](;W[d6]C[perpendicular]V[3];B[c3])(;W[f6]C[diagonal];B[e6])(;W[f4]C[parallel];B[e3]))(;B[d3]))";
        let record = one(text);
        assert_eq!(record.note(None).unwrap().comment, "escapes: ] and \\ and a colon : and a soft break");
        assert_eq!(record.main_line().count(), 3);
        assert_eq!(record.moves().len(), 8);
        assert_eq!(record.note(Some(0)).unwrap().eval, Some(-2.5));
        assert_eq!(record.note(Some(1)).unwrap().eval, Some(-3.0));
        let written = write(&record);
        assert_eq!(one(&written), record, "{written}");
        assert!(written.contains("(;B[f5]V[-2.5](;W[d6]V[3]C[perpendicular];B[c3])\n(;W[f6]"), "{written}");
    }

    #[test]
    fn every_property_of_every_move_comes_back() {
        let text = "(;FF[4]GM[2]SZ[8]CA[UTF-8]PB[a]RE[?]AP[Cassio:8.2]GN[one \\] two]LB[a1:x\\:y][b2:z]AB[e4][d5]AW[d4][e5]PL[B]\n\
                    (;B[f5]V[1]C[first]N[parallel]TR[f5]GB[1]BL[1799.5](;W[d6]LB[c3:A][c4:B]WL[1780]))\n(;W[f6]DM[2]))";
        let text = text.replace("(;B[f5]", ";B[f5]").replace("WL[1780])", "WL[1780]");
        let record = one(&text);
        let names = |on| record.note(on).unwrap().extra.iter().map(|extra| extra.name.as_str()).collect::<Vec<_>>();
        assert_eq!(names(Some(0)), ["N", "TR", "GB", "BL"]);
        assert_eq!(names(Some(1)), ["LB", "LB", "WL"]);
        assert_eq!(names(Some(2)), ["DM"]);
        assert_eq!(record.headers.extra.len(), 4);
        let written = write(&record);
        for kept in
            ["AP[Cassio:8.2]", "GN[one \\] two]", "LB[a1:x\\:y][b2:z]", "LB[c3:A][c4:B]WL[1780]", "GB[1]BL[1799.5]"]
        {
            assert!(written.contains(kept), "{kept}: {written}");
        }
        assert_eq!(one(&written), record);
        assert_eq!(crate::lost(&[record], crate::Format::Sgf), []);
        // values that we cannot read are kept as well, and so is a value of the start
        let record = one("(;GM[2]V[2];B[f5]V[good])");
        assert!(write(&record).contains("V[2]") && write(&record).contains(";B[f5]V[good]"));
        assert_eq!(one(&write(&record)), record);
    }

    #[test]
    fn the_time_of_every_move_comes_back() {
        let record = one("(;GM[2];B[f5]SECONDS[1.25](;W[d6]SECONDS[0]C[at once])(;W[f6]SECONDS[soon]))");
        let seconds = |on| record.note(Some(on)).and_then(|note| note.seconds);
        assert_eq!([seconds(0), seconds(1), seconds(2)], [Some(1.25), Some(0.0), None]);
        let written = write(&record);
        assert!(written.contains(";B[f5]SECONDS[1.25]") && written.contains("SECONDS[soon]"), "{written}");
        assert_eq!(one(&written), record);
        assert_eq!(crate::lost(&[record], crate::Format::Sgf), []);
    }

    #[test]
    fn every_pass() {
        let moves = "f5f6d3e3f4c5f3g5h6h4e6d6h5g4h3e2f1e1d1c3c7c6g3c8c4d2c1b4a5a3a4a6b5f2g6b3e7f8e8d8c2b6d7f7g1h7h8b1a1h2h1g2b8a8a7b7a2g8b2g7";
        let record = Record::try_from(crate::transcript::read(moves.as_bytes()).unwrap()).unwrap();
        let written = write(&record);
        assert_eq!(written.matches("[];").count(), 1, "{written}");
        for pass in ["", "PA", "pa", "pass", "--", "@@@@", "PS"] {
            assert_eq!(one(&written.replace("[];", &format!("[{pass}];"))).moves(), record.moves());
        }
        assert_eq!(one(&written.replace(";B[];", ";").replace(";W[];", ";")).moves(), record.moves());
        assert!(written.contains("RE[B+8]"));
    }

    #[test]
    fn a_bad_game_does_not_stop_the_next() {
        let good = "\n(;GM[2];B[f5])";
        for (bad, why) in [
            ("(;GM[1];B[dd])", "byte 5: the game is \"1\", not Othello"),
            ("(;SZ[10];B[f5])", "byte 5: a board of size \"10\"; only 8 × 8 is read"),
            ("(;B[fe])", "byte 4: \"fe\" is a point of a Go board"),
            ("(;B[i9])", "byte 4: move 1: \"i9\" is not a square"),
            ("(;B[f5];AB[a1])", "byte 11: discs are set up after the first move"),
            ("(;B[f5];B[d6])", "byte 10: move 2: d6 is given to black, but it is white's turn"),
            ("(;B[f5](;W[d6])(;W[a1]))", "byte 19: move 2: a1 turns no disc"),
            ("(;PL[x];B[f5])", "byte 5: the side to move is missing after the board"),
            ("(;AB[a1]AW[a1]AE[a1])", "byte 0: the board has no disc on it"),
            ("(;B[f5] 7)", "byte 8: '7' is not expected here"),
            ("(;B)", "byte 3: ')' is not expected here"),
        ] {
            let all = read(&format!("{bad}{good}"));
            assert_eq!(all[0], Err(why.replace("size \"10\"", "size 10")), "{bad}");
            assert!(all.len() == 2 && all[1].is_ok(), "{bad}: {all:?}");
        }
        assert_eq!(read("(;B[f5"), [Err("byte 3: '[' is never closed".into())]);
        assert_eq!(read("(;B[f5]"), [Err("byte 0: '(' is never closed".into())]);
        assert_eq!(read("(;B[f5\\"), [Err("byte 3: '[' is never closed".into())]);
    }

    #[test]
    fn depth_costs_no_stack() {
        let deep = format!("{}{}", "(;B[f5]".repeat(20_000), ")".repeat(20_000));
        assert!(read(&deep)[0].is_err());
        let deep = format!("(;{}B[f5]{})", "(;".repeat(20_000), ")".repeat(20_000));
        assert_eq!(one(&deep).moves().len(), 1);
        let deep = "(;".repeat(60_000);
        assert_eq!(
            read(&deep)[0],
            Err(format!("byte {}: more than 50000 moves in all variations", 2 * raw::MOST_NODES))
        );
    }

    #[test]
    fn results_are_read_and_written() {
        for (text, claim) in [
            ("B+12", Some(Claim::Difference { black: 12.0, how: How::Played })),
            ("W+4", Some(Claim::Difference { black: -4.0, how: How::Played })),
            ("0", Some(Claim::Difference { black: 0.0, how: How::Played })),
            ("W+T", Some(Claim::Winner(Color::White, How::OutOfTime))),
            ("B+R", Some(Claim::Winner(Color::Black, How::Resigned))),
            ("?", None),
        ] {
            let record = one(&format!("(;RE[{text}];B[f5])"));
            assert_eq!(record.headers.claim, claim);
            assert!(write(&record).contains(&format!("RE[{text}]")));
        }
    }
}
