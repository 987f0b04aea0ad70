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
