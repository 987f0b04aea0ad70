//! Names as they are compared: without capitals, accents and doubled spaces.

use unicode_normalization::{UnicodeNormalization, char::is_combining_mark};

/// A name without capitals and accents, with single spaces.
///
/// ```
/// use library::folded;
/// assert_eq!(folded("  Çelik   ÜNAL "), "celik unal");
/// assert_eq!(folded("Łukasz Sørensen"), "lukasz sorensen");
/// ```
pub fn folded(name: &str) -> String {
    let mut out = String::with_capacity(name.len());
    for word in name.split_whitespace() {
        if !out.is_empty() {
            out.push(' ');
        }
        if word.is_ascii() {
            out.extend(word.chars().map(|letter| letter.to_ascii_lowercase()));
            continue;
        }
        for letter in word.nfkd().filter(|&letter| !is_combining_mark(letter)).flat_map(char::to_lowercase) {
            match letter {
                // letters that are not made of another one and an accent, but are typed so
                'ø' => out.push('o'),
                'ł' => out.push('l'),
                'đ' | 'ð' => out.push('d'),
                'ı' => out.push('i'),
                'æ' => out.push_str("ae"),
                'œ' => out.push_str("oe"),
                'ß' => out.push_str("ss"),
                // what a capital İ leaves behind
                letter if is_combining_mark(letter) => {}
                letter => out.push(letter),
            }
        }
    }
    out
}

/// Whether each word of `wanted` is a part of `name`; both are folded.
pub(crate) fn has_words(name: &str, wanted: &str) -> bool {
    wanted.split(' ').all(|word| name.contains(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_found_in_any_order() {
        let name = folded("Tastet Marc");
        assert!(has_words(&name, "marc tastet"));
        assert!(has_words(&name, "tast"));
        assert!(!has_words(&name, "marc tastes"));
        assert_eq!(folded("İstanbul"), "istanbul");
        assert_eq!(folded("\u{3000} \t"), "");
    }
}
