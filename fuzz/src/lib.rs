//! The law that every parser keeps, whatever it is given: it does not panic, it does not hang (libFuzzer watches the
//! time), it holds no more than 16 MiB for 1 MiB of input, and what it read it can write and read again. What came back
//! once comes back exactly, and is said to lose nothing.

use peak_alloc::PeakAlloc;
use record::{Format, Record, board_text, ggf, import, obf, pgn, sgf, transcript, wthor};

#[global_allocator]
static MEMORY: PeakAlloc = PeakAlloc;

const INPUT: usize = 1 << 20;
const MOST: usize = 16 << 20;

/// Does `work` and checks how much memory it held at once.
fn bounded<T>(work: impl FnOnce() -> T) -> T {
    let before = MEMORY.current_usage();
    MEMORY.reset_peak_usage();
    let result = work();
    let held = MEMORY.peak_usage().saturating_sub(before);
    assert!(held <= MOST, "{held} bytes held at once");
    result
}

/// Every game of the bytes, read as this format, comes back from being written.
pub fn games(format: Format, bytes: &[u8]) {
    let bytes = &bytes[..bytes.len().min(INPUT)];
    let names = wthor::Names::default();
    bounded(|| import::records(format, bytes, &names).count());
    // The first few are enough to find what is wrong with writing.
    for record in import::records(format, bytes, &names).take(20).flatten() {
        comes_back(format, &record);
    }
}

/// Any bytes, guessed.
pub fn any_file(bytes: &[u8]) {
    let bytes = &bytes[..bytes.len().min(INPUT)];
    let text = bounded(|| import::from_utf16(bytes));
    let bytes = text.as_ref().map_or(bytes, |text| text.as_bytes());
    for name in ["", "x.pgn", "x.sgf", "x.ggf", "x.obf"] {
        if let Ok(format) = bounded(|| import::guess(name, bytes)) {
            games(format, bytes);
        }
    }
}

fn comes_back(format: Format, record: &Record) {
    let Some(written) = write(format, record) else { return };
    let names = wthor::Names::default();
    let mut again = import::records(format, &written, &names);
    let back = again.next().expect("a game").expect("what we write is legal");
    assert!(again.next().is_none());
    assert_eq!(back.start(), record.start());
    // WTHOR turns games and has no place for variations; PGN, GGF and transcripts have none for those either.
    match format {
        Format::Wthor => assert_eq!(back.main_len(), record.main_len()),
        _ => assert!(back.main_line().eq(record.main_line())),
    }
    assert_eq!(write(format, &back).as_deref(), Some(&written[..]));
    assert!(record::lost(std::slice::from_ref(&back), format).is_empty(), "{back:?}");
    // what was said to be kept is kept
    if format != Format::Wthor && record::lost(std::slice::from_ref(record), format).is_empty() {
        assert_eq!(back.headers.players, record.headers.players);
        assert_eq!((back.moves(), back.known(), back.result()), (record.moves(), record.known(), record.result()));
    }
}

fn write(format: Format, record: &Record) -> Option<Vec<u8>> {
    let text = match format {
        // a line without moves is no game
        Format::Transcript if record.main_len() == 0 => return None,
        Format::Transcript => transcript::write(record).unwrap(),
        Format::Pgn => pgn::write(record),
        Format::Ggf => ggf::write(record),
        Format::Sgf => sgf::write(record),
        Format::Obf => obf::write(record).unwrap(),
        Format::Board => board_text::write_diagram(record.start().setup()),
        Format::Wthor => return Some(wthor::Base::write(std::slice::from_ref(record), Default::default()).unwrap().games),
    };
    Some(text.into_bytes())
}

/// A board in any alphabet comes back in each of our forms.
pub fn board(text: &str) {
    let Ok(setup) = bounded(|| board_text::read(text)) else { return };
    for form in [board_text::write, board_text::write_ggf, board_text::write_fen, board_text::write_diagram] {
        assert_eq!(board_text::read(&form(setup)), Ok(setup));
    }
}

/// Tables of names are read whole or refused.
pub fn names(bytes: &[u8]) {
    let bytes = &bytes[..bytes.len().min(INPUT)];
    let mut names = wthor::Names::default();
    bounded(|| {
        let _ = names.read_players(bytes);
        let _ = names.read_tournaments(bytes);
    });
    let _ = (names.player(0), names.tournament(u16::MAX));
}
