//! What `make fuzz` has found, each mended since.

use record::{Format, Record, import, pgn, sgf, wthor};

fn records(format: Format, bytes: &[u8]) -> Vec<Record> {
    import::records(format, bytes, &wthor::Names::default()).flatten().collect()
}

/// A name all in lower case kept its length the first time and lost it the second.
#[test]
fn sgf_names_have_one_length() {
    let text = format!("(;{}[x];B[f5])", "s".repeat(80));
    let first = records(Format::Sgf, text.as_bytes()).remove(0);
    let second = records(Format::Sgf, sgf::write(&first).as_bytes()).remove(0);
    assert_eq!(first, second);
}

/// A tag that begins with a digit was kept, and when written ended the game before it.
#[test]
fn pgn_tags_begin_with_a_letter() {
    let first = records(Format::Pgn, b"[A \"x\"][8 \"y\"][B \"z\"]\n1. f5").remove(0);
    assert_eq!(records(Format::Pgn, pgn::write(&first).as_bytes()), [first]);
}

/// A name lost its small letters and so began with a digit, which no reader takes.
#[test]
fn sgf_names_begin_with_a_letter() {
    let first = records(Format::Sgf, b"(;FF[4]oo8oOoGM[2]SZ[8];B[f5])").remove(0);
    assert_eq!(records(Format::Sgf, sgf::write(&first).as_bytes()), [first]);
}

/// A result in a second node without a move was kept as a property of its own beside the one that is always written.
#[test]
fn sgf_headers_may_stand_in_a_node_of_their_own() {
    let first = records(Format::Sgf, b"(;GM[2];RE[B+4]PB[Ana];B[f5])").remove(0);
    assert_eq!((first.headers.players.black.as_str(), first.headers.extra.len()), ("Ana", 0));
    assert_eq!(records(Format::Sgf, sgf::write(&first).as_bytes()), [first]);
}

/// A time that SGF does not know took no increment the first time it was read, and took it the second.
#[test]
fn sgf_increments_go_with_every_time() {
    let first = records(Format::Sgf, b"(;GM[2]TM[3:1]OT[5 fischer];B[f5])").remove(0);
    let second = records(Format::Sgf, sgf::write(&first).as_bytes()).remove(0);
    assert_eq!((second.headers.time.as_str(), sgf::write(&second)), ("181+5", sgf::write(&first)));
}

/// Whose turn it is, said after moves in the root, was written as if it were said of the start.
#[test]
fn sgf_turns_after_moves_stay_there() {
    let first = records(Format::Sgf, b"(;GM[2]B[f5]W[f6]PL[B])").remove(0);
    assert_eq!(first.headers.extra, []);
    assert_eq!(records(Format::Sgf, sgf::write(&first).as_bytes()), [first]);
}
