//! Files made to hurt: 1 MiB of each is read in no time, holding no more than 16 MiB.

use peak_alloc::PeakAlloc;
use record::{Format, import, wthor};

#[global_allocator]
static MEMORY: PeakAlloc = PeakAlloc;

const INPUT: usize = 1 << 20;
const MOST: usize = 16 << 20;

fn filled(text: impl AsRef<[u8]>) -> Vec<u8> {
    text.as_ref().iter().copied().cycle().take(INPUT).collect()
}

/// One test in this file: others beside it would count as its memory.
#[test]
fn files_made_to_hurt() {
    let header = |games: u32| [&[20, 26, 1, 1][..], &games.to_le_bytes(), &[0; 8]].concat();
    let cases = [
        (Format::Transcript, filled("f5")),
        (Format::Transcript, filled("f5\n")),
        (Format::Transcript, filled("2f5 ")),
        (Format::Transcript, filled("-- ")),
        (Format::Transcript, filled("\n")),
        (Format::Transcript, filled("2f5\n")),
        (Format::Transcript, filled("about f5\n")),
        (Format::Transcript, [b"f5d6\n".to_vec(), filled("so e1\n")].concat()),
        (Format::Transcript, filled("ｆ５")),
        (Format::Transcript, filled("虎 f5\n")),
        (Format::Transcript, [b"f5".to_vec(), filled("(x) d6")].concat()),
        (Format::Pgn, filled("[A \"\"]\n")),
        (Format::Pgn, [filled("f5d6\n"), b"[A \"\"]\n".to_vec()].concat()),
        (Format::Sgf, [filled("f5d6\n"), b"(;B[f5])".to_vec()].concat()),
        (Format::Pgn, filled("[A \"\"]\n\n{\n")),
        (Format::Pgn, filled("[A \"\"]\n(\n")),
        (Format::Pgn, [b"[A \"\"]\n".to_vec(), filled("{x}")].concat()),
        (Format::Pgn, [b"[A \"\"]\n".to_vec(), filled("f5{x}")].concat()),
        (Format::Pgn, [b"[A \"".to_vec(), filled("\\\"")].concat()),
        (Format::Ggf, filled("(;")),
        (Format::Ggf, filled("(;A[")),
        (Format::Ggf, filled("(;A[;)")),
        (Format::Ggf, filled("(;A[\n(;")),
        (Format::Ggf, filled("\n\n\n\n(;A[\n\n\n\n")),
        (Format::Ggf, [b"(;".to_vec(), filled("A[]")].concat()),
        (Format::Ggf, [b"(;".to_vec(), filled("B[f5/1/1]")].concat()),
        (Format::Ggf, [b"(;PB[".to_vec(), filled(b"\xe9")].concat()),
        (Format::Sgf, filled("(;")),
        (Format::Sgf, filled("(;B[f5]")),
        (Format::Sgf, filled("(;B[f5])")),
        (Format::Sgf, filled("(;B[\n")),
        (Format::Sgf, [filled("(;B[x\n"), b"]".to_vec()].concat()),
        (Format::Sgf, filled("\n(\n;")),
        (Format::Sgf, [b"(;".to_vec(), filled("B[f5]"), b")".to_vec()].concat()),
        (Format::Sgf, [b"(;".to_vec(), filled("A[]"), b")".to_vec()].concat()),
        (Format::Sgf, [b"(;".to_vec(), filled("C[x]"), b")".to_vec()].concat()),
        (Format::Sgf, [b"(;B[f5]".to_vec(), filled("(;W[d6])"), b")".to_vec()].concat()),
        (Format::Sgf, [b"(;B[f5]".to_vec(), filled("(;W[d6]C[x])"), b")".to_vec()].concat()),
        (Format::Sgf, [b"(;B[f5]".to_vec(), filled("N[x]"), b")".to_vec()].concat()),
        (Format::Sgf, [b"(;B[f5]".to_vec(), filled("(;W[d6]N[])"), b")".to_vec()].concat()),
        (Format::Sgf, [b"(;B[f5]".to_vec(), filled(";N[]"), b")".to_vec()].concat()),
        (Format::Sgf, [b"(;C[".to_vec(), filled(b"\xe9"), b"])".to_vec()].concat()),
        (
            Format::Sgf,
            [b"(;B[f5];W[d6];B[c5];W[f4];B[e7];W[f6];B[g5];W[e6];B[e3]".to_vec(), filled(";W[]"), b")".to_vec()]
                .concat(),
        ),
        (Format::Obf, filled("-")),
        (Format::Obf, filled(";")),
        (Format::Obf, filled("x;")),
        (Format::Obf, [format!("{} X", "-X".repeat(32)).into_bytes(), filled("; a1:1")].concat()),
        (Format::Board, filled("-")),
        (Format::Board, filled("8/")),
        (Format::Board, filled("\n")),
        (Format::Wthor, [header(u32::MAX), filled("\0")].concat()),
        (Format::Wthor, [header(1 << 14), filled("8.#")].concat()),
    ];
    let names = wthor::Names::default();
    for (format, bytes) in cases {
        let before = MEMORY.current_usage();
        MEMORY.reset_peak_usage();
        let count = import::records(format, &bytes, &names).count();
        let held = MEMORY.peak_usage() - before;
        let start = String::from_utf8_lossy(&bytes[..24]).into_owned();
        assert!(held <= MOST, "{format}, {start:?}: {held} bytes held");
        assert!(count <= INPUT, "{format}, {start:?}");
        let before = MEMORY.current_usage();
        MEMORY.reset_peak_usage();
        let _ = import::guess("", &bytes);
        let _ = import::from_utf16(&bytes);
        assert!(MEMORY.peak_usage() - before <= MOST, "guessing {start:?}");
    }
}
