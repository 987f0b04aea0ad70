//! A claimed result as a short text: `33-31`, `+4.5 resigned`, `black out of time`.

use record::{Claim, How};
use rules::{ByColor, Color};

const WAYS: [(How, &str); 4] =
    [(How::Played, ""), (How::Resigned, " resigned"), (How::OutOfTime, " out of time"), (How::Agreed, " agreed")];

pub(crate) fn write(claim: Claim) -> String {
    let how = WAYS.iter().find(|(how, _)| *how == claim.how()).map_or("", |(_, words)| words);
    match claim {
        Claim::Discs(discs) => format!("{}-{}", discs.black, discs.white),
        Claim::Difference { black, .. } => format!("{black:+}{how}"),
        Claim::Winner(color, _) => format!("{color}{how}"),
    }
}

/// The claim that [`write`] wrote; `None` for any other text.
pub(crate) fn read(text: &str) -> Option<Claim> {
    let (head, how) = text.split_at(text.find(' ').unwrap_or(text.len()));
    let how = WAYS.iter().find(|(_, words)| *words == how)?.0;
    if let Some(color) = Color::ALL.into_iter().find(|color| color.to_string() == head) {
        return Some(Claim::Winner(color, how));
    }
    if head.starts_with(['+', '-']) {
        return head.parse().ok().map(|black| Claim::Difference { black, how });
    }
    let (black, white) = head.split_once('-')?;
    Some(Claim::Discs(ByColor { black: black.parse().ok()?, white: white.parse().ok()? }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_claim_comes_back() {
        let mut all =
            vec![Claim::Discs(ByColor { black: 33, white: 31 }), Claim::Discs(ByColor { black: 0, white: 64 })];
        for (how, _) in WAYS {
            all.extend([0.0, -64.0, 4.5].map(|black| Claim::Difference { black, how }));
            all.extend(Color::ALL.map(|color| Claim::Winner(color, how)));
        }
        for claim in all {
            assert_eq!(read(&write(claim)), Some(claim));
        }
        assert_eq!(read("nobody"), None);
    }
}
