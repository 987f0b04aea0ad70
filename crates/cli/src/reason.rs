//! Why a move is bad, as a sentence in the user's language.

use crate::context::Context;
use fluent_bundle::FluentArgs;
use rules::Square;
use study::reason::Reason;

impl Context {
    /// Why this move is bad, and another better.
    pub(crate) fn because(&self, reason: &Reason, bad: Square, better: Option<Square>) -> String {
        let square = |square: Option<Square>| square.map(|square| square.to_string()).unwrap_or_default();
        let number = |at: usize| reason.numbers.get(at).copied().unwrap_or_default();
        let mut args = FluentArgs::new();
        args.set("a", square(reason.squares.first().copied()));
        args.set("b", square(reason.squares.get(1).copied()));
        args.set("n", number(0));
        args.set("m", number(1));
        args.set("move", square(Some(bad)));
        args.set("best", square(better));
        self.messages.text(&format!("reason-{}", reason.kind.name()), &args)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::language::{Language, Messages};
    use study::reason::ReasonKind::*;

    #[test]
    fn every_kind_of_reason_has_its_sentence_in_both_languages() {
        let kinds = [
            GaveCorner,
            OpenedCorner,
            NoSafeMoves,
            OpenedWall,
            MissedQuietMove,
            GaveParity,
            GaveStableDiscs,
            MissedPass,
            TooEarly,
            Miscounted,
        ];
        for language in [Language::English, Language::Spanish] {
            let context = Context { messages: Messages::new(language) };
            for kind in kinds {
                let squares = vec![Square::F5, Square::F5];
                let (line, without) = (vec![], vec![]);
                let reason = Reason { kind, squares, numbers: vec![3, 1], line, without, share: 1.0, text: None };
                let sentence = context.because(&reason, Square::F5, Some(Square::F5));
                assert!(sentence.contains("f5") && !sentence.contains("reason-"), "{kind:?}: {sentence}");
            }
        }
    }
}
