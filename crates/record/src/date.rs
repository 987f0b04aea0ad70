//! Days as files write them: each format has its own way, and people have others.

/// A day, as far as it is known.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Day {
    /// The year.
    pub year: u16,
    /// 1 to 12, if it is known.
    pub month: Option<u8>,
    /// 1 to 31, if it is known.
    pub day: Option<u8>,
}

impl Day {
    /// With this character between the numbers, and `unknown` for each part that is not known.
    fn written(self, between: char, unknown: &str) -> String {
        let mut out = format!("{:04}", self.year);
        for part in [self.month, self.day] {
            match part {
                Some(number) => out += &format!("{between}{number:02}"),
                None if unknown.is_empty() => break,
                None => out += &format!("{between}{unknown}"),
            }
        }
        out
    }

    /// `2026.02.03`, `1986.??.??`: as in PGN.
    pub(crate) fn pgn(self) -> String {
        self.written('.', "??")
    }

    /// `2026.02.03`, `1986`: as in GGF.
    pub(crate) fn ggf(self) -> String {
        self.written('.', "")
    }

    /// `2026-02-03`, `1986`: as in SGF.
    pub(crate) fn sgf(self) -> String {
        self.written('-', "")
    }
}

/// The day that a text begins with, and what follows it: the time of day, further days.
///
/// ```
/// use record::{Day, Headers};
/// let on = |date: &str| Headers { date: date.into(), ..Headers::default() }.day();
/// let day = Day { year: 2003, month: Some(12), day: Some(15) };
/// assert_eq!(on("2003.12.15_12:33:18.MST"), Some((day, "_12:33:18.MST".into())));
/// assert_eq!(on("2003-12-15"), Some((day, "".into())));
/// assert_eq!(on("1986.??.??"), Some((Day { year: 1986, month: None, day: None }, "".into())));
/// // seconds since 1970, as old GGF files have them
/// assert_eq!(on("947375357"), Some((Day { year: 2000, month: Some(1), day: Some(8) }, " 23:49:17 UTC".into())));
/// assert_eq!(on("last summer"), None);
/// ```
pub(crate) fn parse(text: &str) -> Option<(Day, String)> {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    if digits == text.len() && (9..=10).contains(&digits) {
        return text.parse().ok().map(since_1970);
    }
    if digits != 4 {
        return None;
    }
    let year = text[..4].parse().ok()?;
    let (month, rest) = part(&text[4..], 12);
    let (day, rest) = if matches!(month, Part::None) { (Part::None, rest) } else { part(rest, 31) };
    // the day of an unknown month says nothing
    let (month, day) = (month.number(), day.number());
    Some((Day { year, month, day: month.and(day) }, rest.to_owned()))
}

/// The day of a text that is a day, perhaps with the time of day after it; and whether it has that.
pub(crate) fn understood(text: &str) -> Option<(Day, bool)> {
    let (day, rest) = parse(text)?;
    // `1996-05,06` is more than a day, `1996-13` is none
    let timed = rest.starts_with([' ', '_', 'T']);
    (rest.is_empty() || timed).then_some((day, timed))
}

enum Part {
    Number(u8),
    Unknown,
    None,
}

impl Part {
    fn number(self) -> Option<u8> {
        if let Part::Number(number) = self { Some(number) } else { None }
    }
}

/// The number after a dot, dash or slash, if it is one from 1 to `most`, and what follows it.
fn part(text: &str, most: u8) -> (Part, &str) {
    let Some(rest) = text.strip_prefix(['.', '-', '/']) else { return (Part::None, text) };
    if let Some(after) = rest.strip_prefix("??") {
        return (Part::Unknown, after);
    }
    let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
    match rest[..digits].parse::<u8>() {
        Ok(number) if digits <= 2 && (1..=most).contains(&number) => (Part::Number(number), &rest[digits..]),
        _ => (Part::None, text),
    }
}

/// The day of a time in seconds since 1970, and the time of that day.
fn since_1970(seconds: u64) -> (Day, String) {
    // Years are counted from March, so that the leap day comes last; 400 of them have 146,097 days.
    let days = seconds / 86_400 + 719_468;
    let (cycle, day) = (days / 146_097, days % 146_097);
    let year = (day - day / 1460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let day = day - (153 * month + 2) / 5 + 1;
    let (month, next) = if month < 10 { (month + 3, 0) } else { (month - 9, 1) };
    let day = Day { year: (400 * cycle + year + next) as u16, month: Some(month as u8), day: Some(day as u8) };
    let (hour, minute, second) = (seconds / 3600 % 24, seconds / 60 % 60, seconds % 60);
    (day, format!(" {hour:02}:{minute:02}:{second:02} UTC"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_way_to_write_a_day() {
        let full = Day { year: 2000, month: Some(4), day: Some(16) };
        for (text, day, rest) in [
            ("2000-4-16 11:13 EST", full, " 11:13 EST"),
            ("2000/04/16", full, ""),
            ("2000-04-16,17", full, ",17"),
            ("2000.04.??", Day { day: None, ..full }, ""),
            ("2000.??.16", Day { month: None, day: None, ..full }, ""),
            ("2000", Day { month: None, day: None, ..full }, ""),
            ("2000-13-01", Day { month: None, day: None, ..full }, "-13-01"),
            ("2000-04-32", Day { day: None, ..full }, "-32"),
        ] {
            assert_eq!(parse(text), Some((day, rest.to_owned())), "{text}");
        }
        for text in ["", "summer", "4.16.2000", "20000", "12345678"] {
            assert_eq!(parse(text), None, "{text}");
        }
        assert_eq!(
            (full.pgn(), full.ggf(), full.sgf()),
            ("2000.04.16".into(), "2000.04.16".into(), "2000-04-16".into())
        );
        let year = Day { month: None, day: None, ..full };
        assert_eq!((year.pgn(), year.ggf(), year.sgf()), ("2000.??.??".into(), "2000".into(), "2000".into()));
    }
}
