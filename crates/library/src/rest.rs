//! What few games have: variations, comments, clocks, ratings. It is kept as JSON beside the game, so that nothing is lost.

use record::{Extra, Format, Known, Note, RawGame, RawKnown, RawNote, RawPly, Record};
use rules::{ByColor, Square};
use serde::{Deserialize, Serialize};

/// Everything of a game that the columns of its row have no place for.
#[derive(Serialize, Deserialize, PartialEq, Debug, Default)]
#[serde(default)]
pub(crate) struct Rest {
    #[serde(skip_serializing_if = "String::is_empty")]
    site: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    time: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    black_rating: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    white_rating: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    extra: Vec<Property>,
    /// The moves that were not played, after those of the main line: what each answers, and its square.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    variations: Vec<(Option<u32>, Square)>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    notes: Vec<Said>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    known: Vec<(Square, Option<f32>)>,
}

/// Format, name and value of a property.
type Property = (String, String, String);

#[derive(Serialize, Deserialize, PartialEq, Debug, Default)]
#[serde(default)]
struct Said {
    #[serde(skip_serializing_if = "Option::is_none")]
    on: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    eval: Option<f32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    seconds: Option<f32>,
    #[serde(skip_serializing_if = "String::is_empty")]
    comment: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    extra: Vec<Property>,
}

impl Rest {
    /// What a game has besides; `None` if it has nothing.
    pub(crate) fn of(record: &Record) -> Option<Rest> {
        let headers = &record.headers;
        let said = |one: &record::MoveNote| Said {
            on: one.on,
            eval: one.note.eval,
            seconds: one.note.seconds,
            comment: one.note.comment.clone(),
            extra: properties(&one.note.extra),
        };
        let rest = Rest {
            site: headers.site.clone(),
            time: headers.time.clone(),
            black_rating: headers.ratings.black.clone(),
            white_rating: headers.ratings.white.clone(),
            extra: properties(&headers.extra),
            variations: record.moves()[record.main_len()..].iter().map(|one| (one.after, one.square)).collect(),
            notes: record.notes().iter().map(said).collect(),
            known: record.known().iter().map(|known| (known.square, known.score)).collect(),
        };
        (rest != Rest::default()).then_some(rest)
    }

    /// Gives it back to a game that has its main line already.
    pub(crate) fn give(self, raw: &mut RawGame) {
        raw.headers.site = self.site;
        raw.headers.time = self.time;
        raw.headers.ratings = ByColor { black: self.black_rating, white: self.white_rating };
        raw.headers.extra = extras(self.extra);
        let ply = |(after, square)| RawPly { after, by: None, square: Some(square), byte: 0 };
        raw.plies.extend(self.variations.into_iter().map(ply));
        let note = |said: Said| RawNote {
            on: said.on,
            note: Note { eval: said.eval, seconds: said.seconds, comment: said.comment, extra: extras(said.extra) },
        };
        raw.notes = self.notes.into_iter().map(note).collect();
        let known = |(square, score)| RawKnown { known: Known { square, score }, byte: 0 };
        raw.known = self.known.into_iter().map(known).collect();
    }
}

fn properties(extras: &[Extra]) -> Vec<Property> {
    let property = |extra: &Extra| (extra.format.extension().to_owned(), extra.name.clone(), extra.value.clone());
    extras.iter().map(property).collect()
}

fn extras(properties: Vec<Property>) -> Vec<Extra> {
    let extra = |(format, name, value): Property| Some(Extra { format: Format::of_extension(&format)?, name, value });
    properties.into_iter().filter_map(extra).collect()
}
