//! Diagrams as SVG: a position with its last move and marks, or a whole game with its moves numbered.
//!
//! # Writing
//!
//! One self-contained drawing, 100 mm wide, with no script, style sheet or font of its own, so that it looks the same in
//! a browser, a text processor and print. [`Look::Print`] is black on white; [`Look::Board`] has the colours of a board.
//!
//! Nothing is read.

use crate::Record;
use rules::{Bitboard, Color, Position, Square};
use std::fmt::Write;

/// Colours of a diagram.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Look {
    /// A green board with a dark frame.
    #[default]
    Board,
    /// Black lines on white, for paper.
    Print,
}

/// What can be drawn on a square.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Shape {
    /// A ring.
    Circle,
    /// A box.
    Square,
    /// Three sides.
    Triangle,
    /// Two strokes.
    Cross,
}

/// A drawing of a board.
///
/// ```
/// use record::svg::Diagram;
/// use rules::{Position, Square};
/// let step = Position::start().play(Square::F5)?;
/// let drawing = Diagram::of(&step.after).last(Square::F5).marks(step.after.legal()).caption("White to move");
/// assert!(drawing.write().starts_with("<svg "));
/// # Ok::<(), rules::IllegalMove>(())
/// ```
#[derive(Clone, Debug)]
pub struct Diagram {
    discs: [Option<Color>; 64],
    numbers: [Option<usize>; 64],
    last: Option<Square>,
    marks: Bitboard,
    shapes: Vec<(Square, Shape)>,
    arrows: Vec<(Square, Square)>,
    caption: String,
    look: Look,
}

const CELL: i32 = 50;
const EDGE: i32 = 36;
const SIDE: i32 = 8 * CELL;
/// From one line of the caption to the next.
const LINE: i32 = 23;
/// What fits below a board, whatever the letters.
const LETTERS: usize = 48;

impl Diagram {
    /// The discs of a position.
    pub fn of(position: &Position) -> Diagram {
        let mut discs = [None; 64];
        for square in Square::ALL {
            discs[square.index()] = position.at(square);
        }
        Diagram {
            discs,
            numbers: [None; 64],
            last: None,
            marks: Bitboard::EMPTY,
            shapes: Vec::new(),
            arrows: Vec::new(),
            caption: String::new(),
            look: Look::default(),
        }
    }

    /// A game as books print it: each disc where it was placed, in the colour of the player who placed it, with its
    /// number.
    ///
    /// ```
    /// use record::{Record, svg::Diagram, transcript};
    /// let record = Record::try_from(transcript::read(b"f5d6c3").unwrap()).unwrap();
    /// assert!(Diagram::of_game(&record).write().contains(">3</text>"));
    /// ```
    pub fn of_game(record: &Record) -> Diagram {
        let mut diagram = Diagram::of(&record.start());
        for (at, step) in record.steps().enumerate() {
            diagram.discs[step.square.index()] = Some(step.by);
            diagram.numbers[step.square.index()] = Some(at + 1);
        }
        diagram
    }

    /// Marks the disc placed last.
    #[must_use]
    pub fn last(mut self, square: Square) -> Diagram {
        self.last = Some(square);
        self
    }

    /// Puts a small dot on these squares, such as the legal ones.
    #[must_use]
    pub fn marks(mut self, squares: Bitboard) -> Diagram {
        self.marks = squares;
        self
    }

    /// Draws a shape on a square, above its disc.
    #[must_use]
    pub fn shape(mut self, square: Square, shape: Shape) -> Diagram {
        self.shapes.push((square, shape));
        self
    }

    /// Draws an arrow from one square to another.
    #[must_use]
    pub fn arrow(mut self, from: Square, to: Square) -> Diagram {
        self.arrows.push((from, to));
        self
    }

    /// Text below the board; long lines are broken.
    #[must_use]
    pub fn caption(mut self, caption: impl Into<String>) -> Diagram {
        self.caption = caption.into();
        self
    }

    /// Chooses the colours.
    #[must_use]
    pub fn look(mut self, look: Look) -> Diagram {
        self.look = look;
        self
    }

    /// The drawing.
    pub fn write(&self) -> String {
        let colors = self.look.colors();
        let width = SIDE + 2 * EDGE;
        let caption = lines(&self.caption);
        let height = width + caption.len() as i32 * LINE + if caption.is_empty() { 0 } else { 8 };
        let mut out = String::with_capacity(16 * 1024);
        // Writing to a string cannot fail.
        let _ = writeln!(
            out,
            r#"<svg xmlns="http://www.w3.org/2000/svg" width="100mm" height="{}mm" viewBox="0 0 {width} {height}" role="img" font-family="Helvetica, Arial, sans-serif" text-anchor="middle">"#,
            100 * height / width
        );
        let title = if self.caption.is_empty() { "Reversi" } else { &self.caption };
        let _ = writeln!(out, "<title>{}</title>", escaped(title));
        let _ = writeln!(out, r#"<rect width="{width}" height="{height}" fill="{}"/>"#, colors.paper);
        let (from, to) = (EDGE - 26, SIDE + 52);
        if self.look == Look::Board {
            let _ = writeln!(
                out,
                r#"<rect x="{from}" y="{from}" width="{to}" height="{to}" rx="10" fill="{}"/>"#,
                colors.frame
            );
        }
        self.grid(&mut out, &colors);
        for square in Square::ALL {
            self.square(&mut out, square, &colors);
        }
        self.drawn(&mut out, &colors);
        for (at, line) in caption.iter().enumerate() {
            let _ = writeln!(
                out,
                r#"<text x="{}" y="{}" font-size="17" fill="{}">{}</text>"#,
                width / 2,
                width + 14 + at as i32 * LINE,
                colors.text,
                escaped(line)
            );
        }
        out.push_str("</svg>\n");
        out
    }

    fn grid(&self, out: &mut String, colors: &Colors) {
        let end = EDGE + SIDE;
        let _ = writeln!(
            out,
            r#"<rect x="{EDGE}" y="{EDGE}" width="{SIDE}" height="{SIDE}" fill="{}" stroke="{}" stroke-width="2.5"/>"#,
            colors.board, colors.line
        );
        let mut path = String::new();
        for at in 1..8 {
            let at = EDGE + at * CELL;
            let _ = write!(path, "M{at} {EDGE}V{end}M{EDGE} {at}H{end}");
        }
        let _ = writeln!(out, r#"<path d="{path}" stroke="{}" stroke-width="1.2"/>"#, colors.line);
        for (column, row) in [(2, 2), (6, 2), (2, 6), (6, 6)] {
            let (x, y) = (EDGE + column * CELL, EDGE + row * CELL);
            let _ = writeln!(out, r#"<circle cx="{x}" cy="{y}" r="4" fill="{}"/>"#, colors.line);
        }
        let _ = write!(out, r#"<g font-size="15" fill="{}">"#, colors.label);
        for at in 0..8 {
            let middle = EDGE + at * CELL + CELL / 2;
            let letter = char::from(b'a' + at as u8);
            let _ = write!(out, r#"<text x="{middle}" y="{}">{letter}</text>"#, EDGE - 9);
            let _ = write!(out, r#"<text x="{}" y="{middle}" dy=".35em">{}</text>"#, EDGE - 15, at + 1);
        }
        out.push_str("</g>\n");
    }

    /// Shapes and arrows, above everything.
    fn drawn(&self, out: &mut String, colors: &Colors) {
        if self.shapes.is_empty() && self.arrows.is_empty() {
            return;
        }
        let _ = writeln!(
            out,
            r#"<g fill="none" stroke="{}" stroke-width="4" stroke-linecap="round" stroke-linejoin="round">"#,
            colors.drawn
        );
        for &(square, shape) in &self.shapes {
            let (x, y) = middle(square);
            let _ = match shape {
                Shape::Circle => writeln!(out, r#"<circle cx="{x}" cy="{y}" r="17"/>"#),
                Shape::Square => writeln!(out, r#"<path d="M{} {}h30v30h-30z"/>"#, x - 15, y - 15),
                Shape::Triangle => writeln!(out, r#"<path d="M{x} {}l17 30h-34z"/>"#, y - 18),
                Shape::Cross => writeln!(out, r#"<path d="M{} {}l26 26m0-26l-26 26"/>"#, x - 13, y - 13),
            };
        }
        for &(from, to) in self.arrows.iter().filter(|(from, to)| from != to) {
            let ((x, y), (to_x, to_y)) = (middle(from), middle(to));
            let (dx, dy) = (f64::from(to_x - x), f64::from(to_y - y));
            let (dx, dy) = (dx / dx.hypot(dy), dy / dx.hypot(dy));
            // The tip, and where the two strokes of the head begin.
            let (x, y) = (f64::from(x) + 10.0 * dx, f64::from(y) + 10.0 * dy);
            let (tip_x, tip_y) = (f64::from(to_x) - 6.0 * dx, f64::from(to_y) - 6.0 * dy);
            let head = |side: f64| (tip_x - 15.0 * dx + side * dy, tip_y - 15.0 * dy - side * dx);
            let ((left_x, left_y), (right_x, right_y)) = (head(9.0), head(-9.0));
            let _ = writeln!(
                out,
                r#"<path d="M{x:.1} {y:.1}L{tip_x:.1} {tip_y:.1}M{left_x:.1} {left_y:.1}L{tip_x:.1} {tip_y:.1}L{right_x:.1} {right_y:.1}"/>"#
            );
        }
        out.push_str("</g>\n");
    }

    fn square(&self, out: &mut String, square: Square, colors: &Colors) {
        let (x, y) = middle(square);
        if let Some(color) = self.discs[square.index()] {
            let (fill, ink) = match color {
                Color::Black => (colors.black, colors.white),
                Color::White => (colors.white, colors.black),
            };
            let _ = write!(
                out,
                r#"<circle cx="{x}" cy="{y}" r="21" fill="{fill}" stroke="{}" stroke-width="1.4"/>"#,
                colors.rim
            );
            if let Some(number) = self.numbers[square.index()] {
                let _ = write!(out, r#"<text x="{x}" y="{y}" dy=".35em" font-size="20" fill="{ink}">{number}</text>"#);
            }
            if self.last == Some(square) {
                let _ = write!(out, r#"<circle cx="{x}" cy="{y}" r="5" fill="{}"/>"#, colors.last);
            }
            out.push('\n');
        } else if self.marks.contains(square) {
            let _ = writeln!(out, r#"<circle cx="{x}" cy="{y}" r="6" fill="{}"/>"#, colors.mark);
        }
    }
}

/// The middle of a square.
fn middle(square: Square) -> (i32, i32) {
    let along = |at: u8| EDGE + i32::from(at) * CELL + CELL / 2;
    (along(square.column()), along(square.row()))
}

struct Colors {
    paper: &'static str,
    frame: &'static str,
    board: &'static str,
    line: &'static str,
    label: &'static str,
    text: &'static str,
    black: &'static str,
    white: &'static str,
    rim: &'static str,
    last: &'static str,
    mark: &'static str,
    drawn: &'static str,
}

impl Look {
    fn colors(self) -> Colors {
        match self {
            Look::Board => Colors {
                paper: "#fff",
                frame: "#23302a",
                board: "#3a8f5c",
                line: "#1d4a31",
                label: "#dfe9e2",
                text: "#1b1b1b",
                black: "#161616",
                white: "#f7f7f2",
                rim: "#10291b",
                last: "#d94f1e",
                mark: "#1d4a31",
                drawn: "#f2a93b",
            },
            Look::Print => Colors {
                paper: "#fff",
                frame: "#fff",
                board: "#fff",
                line: "#000",
                label: "#000",
                text: "#000",
                black: "#000",
                white: "#fff",
                rim: "#000",
                last: "#888",
                mark: "#888",
                drawn: "#666",
            },
        }
    }
}

/// The lines of a caption, none longer than fits unless a single word is.
fn lines(caption: &str) -> Vec<String> {
    let mut lines = Vec::new();
    for text in caption.lines() {
        let mut line = String::new();
        for word in text.split_whitespace() {
            if !line.is_empty() && line.chars().count() + 1 + word.chars().count() > LETTERS {
                lines.push(std::mem::take(&mut line));
            }
            if !line.is_empty() {
                line.push(' ');
            }
            line.push_str(word);
        }
        if !line.is_empty() {
            lines.push(line);
        }
    }
    lines
}

/// Text inside XML.
fn escaped(text: &str) -> String {
    let plain = text.replace(char::is_control, " ");
    plain.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_drawing_shows_what_it_should() {
        let step = Position::start().play(Square::F5).unwrap();
        let drawing =
            Diagram::of(&step.after).last(Square::F5).marks(step.after.legal()).caption("A < B & \"C\"").write();
        let count = |what: &str| drawing.matches(what).count();
        assert_eq!(count(r##"r="21" fill="#161616""##), 4);
        assert_eq!(count(r##"r="21" fill="#f7f7f2""##), 1);
        assert_eq!(count(r#"r="5""#), 1);
        assert_eq!(count(r#"r="6""#), 3);
        assert_eq!(count("A &lt; B &amp; &quot;C&quot;"), 2);
        assert_eq!(count("<text"), 17);
    }

    #[test]
    fn shapes_and_arrows_lie_above_the_discs() {
        let plain = Diagram::of(&Position::start());
        let drawn = [Shape::Circle, Shape::Square, Shape::Triangle, Shape::Cross]
            .into_iter()
            .fold(plain.clone(), |diagram, shape| diagram.shape(Square::D4, shape))
            .arrow(Square::A1, Square::H8)
            .write();
        let (discs, above) = drawn.split_once("<g fill=\"none\"").unwrap();
        assert!(!above.contains(r#"r="21""#) && discs.matches(r#"r="21""#).count() == 4);
        assert_eq!((above.matches("<path").count(), above.matches("<circle").count()), (4, 1));
        // the middles of a1 and h8 are 350 apart, and the arrow ends before both
        assert!(above.contains("M68.1 68.1L406.8 406.8"), "{above}");
        // one that leads nowhere is not drawn
        assert_eq!(plain.clone().arrow(Square::A1, Square::A1).write().matches("<path").count(), 1);
    }

    #[test]
    fn a_long_caption_is_broken() {
        assert_eq!(lines("one two\n\nthree"), ["one two", "three"]);
        let long = lines(&"word ".repeat(30));
        assert_eq!(long.len(), 4);
        assert!(long.iter().all(|line| line.len() <= LETTERS));
        let drawing = Diagram::of(&Position::start()).caption("one\ntwo").write();
        assert!(drawing.contains(">one</text>") && drawing.contains(">two</text>"));
        assert!(drawing.contains("<title>one two</title>"));
    }

    #[test]
    fn a_game_is_numbered_in_the_movers_colours() {
        let moves = "f5f6d3e3f4c5f3g5h6h4e6d6h5g4h3e2f1e1d1c3c7c6g3c8c4d2c1b4a5a3a4a6b5f2g6b3e7f8e8d8c2b6d7f7g1h7h8b1a1h2h1g2b8a8a7b7a2g8b2g7";
        let record = Record::try_from(crate::transcript::read(moves.as_bytes()).unwrap()).unwrap();
        let drawing = Diagram::of_game(&record).look(Look::Print).write();
        assert_eq!(drawing.matches(r#"font-size="20""#).count(), 60);
        for number in 1..=60 {
            assert!(drawing.contains(&format!(">{number}</text>")), "{number}");
        }
    }
}
