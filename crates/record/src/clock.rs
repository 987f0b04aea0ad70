//! Time controls as files write them: GGF's `05:00/00:05/02:00`, SGF's seconds, PGN's `300+5`.

use std::fmt;

/// The time for a game, in seconds.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Clock {
    /// For all moves together.
    pub main: u32,
    /// Added for each move.
    pub increment: u32,
    /// Once more, when the rest has run out (GGF).
    pub extension: u32,
}

/// Reads a time control in any of the three ways.
///
/// ```
/// use record::{Clock, Headers};
/// let of = |time: &str| Headers { time: time.into(), ..Headers::default() }.clock();
/// assert_eq!(of("300+5"), Some(Clock { main: 300, increment: 5, extension: 0 }));
/// // what GGF leaves out has its usual value
/// assert_eq!(of("5:00"), Some(Clock { main: 300, increment: 0, extension: 120 }));
/// assert_eq!(of("1:00:00/0:05/0"), Some(Clock { main: 3600, increment: 5, extension: 0 }));
/// assert_eq!(of("blitz"), None);
/// ```
pub(crate) fn parse(text: &str) -> Option<Clock> {
    if let Some((main, increment)) = text.split_once('+') {
        return Some(Clock { main: number(main)?, increment: number(increment)?, extension: 0 });
    }
    if !text.contains([':', '/']) {
        return Some(Clock { main: number(text)?, ..Clock::default() });
    }
    let mut parts = text.split('/');
    let mut part = |omitted: u32| match parts.next() {
        None | Some("") => Some(omitted),
        Some(part) => time(part),
    };
    let clock = Clock { main: part(0)?, increment: part(0)?, extension: part(120)? };
    parts.next().is_none().then_some(clock)
}

fn number(text: &str) -> Option<u32> {
    let digits = !text.is_empty() && text.len() <= 7 && text.bytes().all(|byte| byte.is_ascii_digit());
    if digits { text.parse().ok() } else { None }
}

/// `ss`, `mm:ss` or `hh:mm:ss`.
fn time(text: &str) -> Option<u32> {
    let mut parts = text.split(':');
    let mut total = number(parts.next()?)?;
    for (at, part) in parts.enumerate() {
        if at == 2 {
            return None;
        }
        total = total.checked_mul(60)?.checked_add(number(part)?)?;
    }
    Some(total)
}

/// `05:00//00:00`: as in GGF, with nothing left for a reader to add.
impl fmt::Display for Clock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let time = |seconds: u32| format!("{:02}:{:02}", seconds / 60, seconds % 60);
        let increment = if self.increment == 0 { String::new() } else { time(self.increment) };
        write!(f, "{}/{increment}/{}", time(self.main), time(self.extension))
    }
}

impl Clock {
    /// `300+5`: as in PGN, if it can say it.
    pub(crate) fn pgn(self) -> Option<String> {
        match self {
            Clock { main, increment: 0, extension: 0 } => Some(main.to_string()),
            Clock { main, increment, extension: 0 } => Some(format!("{main}+{increment}")),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read() {
        for clock in [
            Clock { main: 300, increment: 0, extension: 0 },
            Clock { main: 5999, increment: 5, extension: 0 },
            Clock { main: 86_400, increment: 61, extension: 120 },
            Clock::default(),
        ] {
            assert_eq!(parse(&clock.to_string()), Some(clock), "{clock}");
            if let Some(text) = clock.pgn() {
                assert_eq!(parse(&text), Some(clock));
            }
        }
        for text in ["", ":", "1:2:3:4", "a/b", "5:00/1/2/3", "99999999", "-5", "5 min"] {
            assert_eq!(parse(text), None, "{text}");
        }
    }
}
