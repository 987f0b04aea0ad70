//! A game or position in whatever text was pasted, links included.

use crate::{
    library::{TextTrouble, message_of, of_text},
    protocol::{LibraryRejected, Why},
    refusal::Refused,
};
use flate2::read::ZlibDecoder;
use record::{Record, import};
use std::io::Read;
use study::tree::{EditError, Tree};

/// No game is as long: a link that unpacks to more was made to do harm.
const LONGEST: u64 = 1 << 20;

/// The first game or position in a text, and how many more there are.
///
/// # Errors
///
/// `bad_text`, or `too_large` for a game that no study has room for.
pub(super) fn read(text: &str) -> Result<(Tree, u32), Refused> {
    let bad = |why: &dyn ToString, detail: LibraryRejected| Refused {
        detail: Some(Box::new(detail)),
        ..Refused::new(Why::BadText, why.to_string())
    };
    let no_text = |trouble: TextTrouble| bad(&trouble, of_text(trouble).into());
    let text = text.trim();
    if text.is_empty() {
        return Err(no_text(TextTrouble::Empty));
    }
    let linked = match packed(text) {
        Some(code) => Some(unpacked(code).ok_or_else(|| no_text(TextTrouble::DamagedLink))?),
        None if is_link(text) => Some(moves_in_link(text).ok_or_else(|| no_text(TextTrouble::NoMovesInLink))?),
        None => None,
    };
    let bytes = linked.as_deref().unwrap_or(text).as_bytes();
    let format = import::guess("", bytes).map_err(|why| bad(&why, message_of(&why).into()))?;
    let mut found: Option<Record> = None;
    let mut first_error = None;
    let mut more = 0;
    for game in import::records(format, bytes, &Default::default()) {
        match game {
            Ok(record) if found.is_none() => found = Some(record),
            Ok(_) => more += 1,
            Err(rejection) => {
                first_error.get_or_insert(rejection);
            }
        }
    }
    match (found, first_error) {
        (Some(record), _) => Ok((Tree::from_record(&record).map_err(Refused::from)?, more)),
        (None, Some(rejection)) => Err(bad(&rejection, LibraryRejected::from(&rejection))),
        (None, None) => Err(bad(&record::Why::Unknown, message_of(&record::Why::Unknown).into())),
    }
}

impl From<EditError> for Refused {
    fn from(error: EditError) -> Refused {
        let why = match error {
            EditError::NoSuchNode | EditError::Start => Why::NoSuchNode,
            EditError::Illegal(illegal) => match illegal.reason {
                rules::Reason::Occupied => Why::Occupied,
                rules::Reason::TurnsNothing => Why::TurnsNothing,
                rules::Reason::GameOver => Why::Over,
            },
            EditError::TooManyNodes | EditError::TooLong | EditError::TooMuchSaid | EditError::TooManyMarks => {
                Why::TooLarge
            }
            EditError::NothingToUndo | EditError::NothingToRedo => Why::NothingToUndo,
        };
        Refused::new(why, error)
    }
}

/// Whether a text is one link and nothing else.
fn is_link(text: &str) -> bool {
    let scheme = ["http://", "https://", "www."]
        .iter()
        .any(|scheme| text.get(..scheme.len()).is_some_and(|begin| begin.eq_ignore_ascii_case(scheme)));
    scheme && !text.contains(char::is_whitespace)
}

/// The packed part of one of our own links: `…#/s/CODE`.
fn packed(text: &str) -> Option<&str> {
    let (before, code) = text.split_once("#/s/")?;
    let plain = code.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_');
    (plain && !before.contains(char::is_whitespace)).then_some(code)
}

/// What one of our own links holds: version 1 is a text packed by zlib in base64url.
fn unpacked(code: &str) -> Option<String> {
    let bytes = base64url(code.strip_prefix('1')?)?;
    let mut text = String::new();
    ZlibDecoder::new(bytes.as_slice()).take(LONGEST + 1).read_to_string(&mut text).ok()?;
    // What was cut off at the end unpacks without a complaint: the checksum must stand there.
    let sum: [u8; 4] = *bytes.last_chunk()?;
    (text.len() as u64 <= LONGEST && adler32(text.as_bytes()) == u32::from_be_bytes(sum)).then_some(text)
}

/// The checksum at the end of what zlib packs (RFC 1950).
fn adler32(bytes: &[u8]) -> u32 {
    const MODULUS: u32 = 65_521;
    let (a, b) = bytes.iter().fold((1, 0), |(a, b), &byte| {
        let a = (a + u32::from(byte)) % MODULUS;
        (a, (b + a) % MODULUS)
    });
    b << 16 | a
}

fn base64url(code: &str) -> Option<Vec<u8>> {
    let mut bytes = Vec::with_capacity(code.len() * 3 / 4);
    let (mut bits, mut count) = (0u32, 0);
    for byte in code.bytes() {
        let value = match byte {
            b'A'..=b'Z' => byte - b'A',
            b'a'..=b'z' => byte - b'a' + 26,
            b'0'..=b'9' => byte - b'0' + 52,
            b'-' => 62,
            b'_' => 63,
            _ => return None,
        };
        bits = bits << 6 | u32::from(value);
        count += 6;
        if count >= 8 {
            count -= 8;
            bytes.push((bits >> count) as u8);
        }
    }
    Some(bytes)
}

/// The longest run of moves in a link, such as `?moves=f5d6c3`: pairs of a column and a row, perhaps with separators.
fn moves_in_link(link: &str) -> Option<String> {
    let link = percent_decoded(link).to_ascii_lowercase();
    let bytes = link.as_bytes();
    let is_move = |at: usize| {
        let column = bytes.get(at).is_some_and(|byte| (b'a'..=b'h').contains(byte));
        column && bytes.get(at + 1).is_some_and(|byte| (b'1'..=b'8').contains(byte))
    };
    let mut best = String::new();
    let mut at = 0;
    while at < bytes.len() {
        // In the middle of a word or number nothing begins: `edition=a1b2` does not end in a move.
        let inside = at > 0 && bytes[at - 1].is_ascii_alphanumeric();
        if inside || !is_move(at) {
            at += 1;
            continue;
        }
        let mut run = String::new();
        while is_move(at) {
            run.push_str(&link[at..at + 2]);
            at += 2;
            if is_move(at + 1) && matches!(bytes[at], b',' | b'-' | b'+' | b' ' | b'_' | b'.') {
                at += 1;
            }
        }
        if run.len() > best.len() {
            best = run;
        }
    }
    // One square may be anything, a chapter or a version.
    (best.len() >= 4).then_some(best)
}

/// A link without its `%20`s.
fn percent_decoded(link: &str) -> String {
    let mut bytes = Vec::with_capacity(link.len());
    let mut rest = link.as_bytes();
    while let Some((&first, after)) = rest.split_first() {
        let code = after.get(..2).and_then(|digits| u8::from_str_radix(str::from_utf8(digits).ok()?, 16).ok());
        match (first, code) {
            (b'%', Some(byte)) => {
                bytes.push(byte);
                rest = &after[2..];
            }
            _ => {
                bytes.push(first);
                rest = after;
            }
        }
    }
    // What is no letter of ours is no move.
    String::from_utf8_lossy(&bytes).chars().map(|letter| if letter.is_ascii() { letter } else { '?' }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use flate2::{Compression, write::ZlibEncoder};
    use std::io::Write;

    fn moves(text: &str) -> Result<(String, u32), (Why, String)> {
        let (tree, more) = read(text).map_err(|refused| (refused.why, refused.text))?;
        Ok((tree.squares(&tree.main_line()).iter().map(ToString::to_string).collect(), more))
    }

    /// One of our own links, as the page makes them.
    fn share(text: &str) -> String {
        const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
        let mut packed = ZlibEncoder::new(Vec::new(), Compression::best());
        packed.write_all(text.as_bytes()).unwrap();
        let mut code = String::new();
        for three in packed.finish().unwrap().chunks(3) {
            let word = three.iter().fold(0u32, |word, byte| word << 8 | u32::from(*byte)) << (8 * (3 - three.len()));
            for place in 0..=three.len() {
                code.push(char::from(LETTERS[(word >> (18 - 6 * place)) as usize & 63]));
            }
        }
        format!("http://127.0.0.1:8464/#/s/1{code}")
    }

    #[test]
    fn whatever_is_pasted_is_read() {
        let plain = Ok(("f5d6c3".to_owned(), 0));
        for text in [
            "f5d6c3",
            "  1. F5 D6 2. C3\n",
            "(;GM[2];B[f5];W[d6];B[c3])",
            "(;GM[Othello]PB[a]PW[b]TY[8]BO[8 ---------------------------O*------*O--------------------------- *]B[F5]W[D6]B[C3];)",
            "[Event \"?\"]\n[Black \"a\"]\n[White \"b\"]\n\n1. f5 d6 2. c3 *\n",
            "https://example.org/board?moves=F5D6C3&x=1",
            "https://example.org/b1/play#f5,d6,c3",
            "https://example.org/?g=f5%20d6%20c3",
        ] {
            assert_eq!(moves(text), plain, "{text}");
        }
        assert_eq!(moves(&share("f5d6c3")), plain);
        assert_eq!(moves(&share("(;GM[2];B[f5](;W[d6];B[c3])(;W[f6]))")), plain);
        assert_eq!(moves("f5d6\nf5f6\nf5f4\n"), Ok(("f5d6".to_owned(), 2)));
        let board = "---------------------------XXX-----OX--------------------------- O";
        assert_eq!(read(board).unwrap().0.start().count().black, 4);
    }

    #[test]
    fn any_damage_to_a_link_is_noticed_a_character_changed_or_lost() {
        let link = share("f5d6c3d3c4f4c5b3c2e6c6b4b5d2");
        let begin = link.find("#/s/").unwrap() + 4;
        for at in begin..link.len() {
            let other = if &link[at..=at] == "A" { "B" } else { "A" };
            let changed = format!("{}{other}{}", &link[..at], &link[at + 1..]);
            // The last character has bits that mean nothing.
            assert!(read(&changed).is_err() || at == link.len() - 1, "{changed}");
            assert!(read(&link[..at]).is_err(), "{}", &link[..at]);
        }
        assert!(read(&link).is_ok());
    }

    #[test]
    fn what_is_wrong_and_where_is_said_in_any_language() {
        let detail = |text: &str| read(text).unwrap_err().detail.unwrap();
        let illegal = detail("f5d6a1");
        assert_eq!((illegal.game, illegal.line, illegal.why.as_str()), (Some(1), Some(1), "cli-why-turns-nothing"));
        assert_eq!((&illegal.with["ply"], &illegal.with["square"]), (&3.into(), &"a1".into()));
        assert_eq!(detail("").why, "cli-why-empty");
        assert_eq!(detail("https://www.example.org/game/12345").why, "cli-why-link-no-moves");
        assert_eq!(detail("http://127.0.0.1/#/s/1AAAA").why, "cli-why-link-damaged");
        assert_eq!(detail("hello there").why, "cli-why-unknown");
    }

    #[test]
    fn what_cannot_be_read_is_said_in_a_sentence() {
        for (text, sentence) in [
            ("", "the text is empty"),
            ("https://www.example.org/game/12345", "the link holds no moves: paste those"),
            ("http://127.0.0.1/#/s/1AAAA", "the link is damaged, or from a newer Outflank"),
            ("http://127.0.0.1/#/s/9AAAA", "the link is damaged, or from a newer Outflank"),
            ("f5d6a1", "game 1, line 1: move 3: a1 turns no disc"),
        ] {
            assert_eq!(moves(text), Err((Why::BadText, sentence.to_owned())), "{text}");
        }
        let (why, sentence) = moves("hello there").unwrap_err();
        assert_eq!(why, Why::BadText);
        assert!(!sentence.is_empty());
        let bomb = share(&" ".repeat(3 << 20));
        assert_eq!(moves(&bomb).unwrap_err().0, Why::BadText);
    }
}
