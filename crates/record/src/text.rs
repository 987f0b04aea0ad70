//! Text as files hold it: bytes of some encoding, with whatever line ends.

/// UTF-8 where it is that, else Windows-1252, the superset of Latin-1 that old files use.
pub(crate) fn decoded(bytes: &[u8]) -> String {
    match str::from_utf8(bytes) {
        Ok(text) => text.to_owned(),
        Err(_) => bytes.iter().map(|&byte| from_windows_1252(byte)).collect(),
    }
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
    let text = decoded(bytes).replace("\r\n", "\n").replace('\r', "\n");
    text.replace(|c: char| c.is_control() && c != '\n', " ").trim().to_owned()
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
    fn bytes_that_are_no_utf8_are_old_text() {
        assert_eq!(decoded(b"Champs-\xc9lys\xe9es"), "Champs-Élysées");
        assert_eq!(decoded("Élysées".as_bytes()), "Élysées");
        assert_eq!(one_line(b" a\r\nb\0 "), "a  b");
        assert_eq!(prose(b"a\r\nb\tc\n"), "a\nb c");
    }
}
