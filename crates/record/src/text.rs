//! Text as files hold it: bytes of some encoding, with whatever line ends.

/// UTF-8 where it is that, else Windows-1252, the superset of Latin-1 that old files use.
pub(crate) fn decoded(bytes: &[u8]) -> String {
    match str::from_utf8(bytes) {
        Ok(text) => text.to_owned(),
        Err(_) => bytes.iter().map(|&byte| from_windows_1252(byte)).collect(),
    }
}

/// How long the mark is that says a text is UTF-8, if it has one.
pub(crate) fn mark(bytes: &[u8]) -> usize {
    if bytes.starts_with(b"\xef\xbb\xbf") { 3 } else { 0 }
}

/// The text of a file in UTF-16: one with a mark, or one that as UTF-16 is plain text and half of it English letters.
pub(crate) fn from_utf16(bytes: &[u8]) -> Option<String> {
    let little = |two: &[u8; 2]| u16::from_le_bytes(*two);
    let big = |two: &[u8; 2]| u16::from_be_bytes(*two);
    let text = |bytes: &[u8], unit: fn(&[u8; 2]) -> u16| {
        let (units, rest) = bytes.as_chunks::<2>();
        let text: String = char::decode_utf16(units.iter().map(unit)).map(|one| one.unwrap_or('\u{fffd}')).collect();
        (text, rest.is_empty())
    };
    match bytes {
        [0xff, 0xfe, rest @ ..] => return Some(text(rest, little).0),
        [0xfe, 0xff, rest @ ..] => return Some(text(rest, big).0),
        _ => {}
    }
    // English text has a zero in every other byte; a database has them in other places, too
    let head = &bytes[..bytes.len().min(256)];
    let zeros = |from: usize| head.iter().skip(from).step_by(2).filter(|&&byte| byte == 0).count() * 4 >= head.len();
    let unit: fn(&[u8; 2]) -> u16 = match (zeros(0), zeros(1)) {
        (true, false) => big,
        (false, true) => little,
        _ => return None,
    };
    let (text, whole) = text(bytes, unit);
    let plain = |letter: char| (!letter.is_control() || letter.is_whitespace()) && letter != '\u{fffd}';
    (whole && text.chars().all(plain)).then_some(text)
}

/// The value of a header: one line, without control characters, trimmed.
pub(crate) fn one_line(bytes: &[u8]) -> String {
    plain_line(&decoded(bytes))
}

/// `text` as one line, without control characters, trimmed.
pub(crate) fn plain_line(text: &str) -> String {
    text.replace(char::is_control, " ").trim().to_owned()
}

/// A comment: lines ended by `\n`, without other control characters, trimmed.
pub(crate) fn prose(bytes: &[u8]) -> String {
    lines_only(bytes).trim().to_owned()
}

/// A text as it stands, with lines ended by `\n` and without other control characters.
pub(crate) fn lines_only(bytes: &[u8]) -> String {
    let text = decoded(bytes).replace("\r\n", "\n").replace('\r', "\n");
    text.replace(|c: char| c.is_control() && c != '\n', " ")
}

/// The lines of a text and where they begin.
pub(crate) fn lines(text: &[u8]) -> impl Iterator<Item = (usize, &[u8])> {
    let mut at = 0;
    text.split(|&byte| byte == b'\n' || byte == b'\r').map(move |line| {
        let byte = at;
        at += line.len() + 1;
        (byte, line)
    })
}

/// How much white space a text begins with.
pub(crate) fn space(text: &[u8]) -> usize {
    text.len() - text.trim_ascii_start().len()
}

/// 0x80 to 0x9f in Windows-1252; the five bytes it leaves open stay the control characters of Latin-1.
#[rustfmt::skip]
const HIGH: [char; 32] = [
    '€', '\u{81}', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\u{8d}', 'Ž', '\u{8f}',
    '\u{90}', '‘', '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', '\u{9d}', 'ž', 'Ÿ',
];

pub(crate) fn from_windows_1252(byte: u8) -> char {
    if (0x80..0xa0).contains(&byte) { HIGH[usize::from(byte - 0x80)] } else { char::from(byte) }
}

/// The byte of a character in Windows-1252, `?` where it has none.
pub(crate) fn to_windows_1252(letter: char) -> u8 {
    if let Some(at) = HIGH.iter().position(|&high| high == letter) {
        return 0x80 + at as u8;
    }
    match u8::try_from(letter) {
        Ok(byte) if !(0x80..0xa0).contains(&byte) => byte,
        _ => b'?',
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn windows_1252_goes_there_and_back() {
        for byte in 0..=255 {
            assert_eq!(to_windows_1252(from_windows_1252(byte)), byte);
        }
        assert_eq!(to_windows_1252('漢'), b'?');
    }

    #[test]
    fn utf_16_with_and_without_a_mark() {
        let text = "f5d6c3 為則\r\nf5f6\n";
        let little: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
        let big: Vec<u8> = text.encode_utf16().flat_map(u16::to_be_bytes).collect();
        assert_eq!(from_utf16(&[&[0xff, 0xfe], &little[..]].concat()).as_deref(), Some(text));
        assert_eq!(from_utf16(&[&[0xfe, 0xff], &big[..]].concat()).as_deref(), Some(text));
        assert_eq!(from_utf16(&little).as_deref(), Some(text));
        assert_eq!(from_utf16(&big).as_deref(), Some(text));
        assert_eq!(from_utf16(&little[1..]), None);
        assert_eq!(from_utf16(text.as_bytes()), None);
        assert_eq!(from_utf16(b""), None);
        assert_eq!(from_utf16(&[20, 0, 1, 0, 2, 0, 3, 0]), None);
        // with a mark it is UTF-16 whatever is in it
        assert_eq!(from_utf16(&[0xff, 0xfe, 0x00, 0xd8, 0x66]).as_deref(), Some("\u{fffd}"));
    }

    #[test]
    fn bytes_that_are_no_utf8_are_old_text() {
        assert_eq!(decoded(b"Champs-\xc9lys\xe9es"), "Champs-Élysées");
        assert_eq!(decoded("Élysées".as_bytes()), "Élysées");
        assert_eq!(one_line(b" a\r\nb\0 "), "a  b");
        assert_eq!(prose(b"a\r\nb\tc\n"), "a\nb c");
    }
}
