//! The board on a terminal: as large as the window allows, in colours or without.
//!
//! Nobody needs to see colours to play: black and white differ in shape, large discs in brightness, the cursor is in
//! brackets, and without colours lines stand between the squares and the last move is in parentheses.

use super::screen::Screen;
use ratatui::{
    Frame,
    buffer::Buffer,
    layout::Rect,
    style::{Color as Paint, Modifier, Style},
};
use rules::{Color, Square};

const FELT: Paint = Paint::Rgb(22, 110, 74);
const FELT_DARK: Paint = Paint::Rgb(19, 100, 67);
const LAST: Paint = Paint::Rgb(196, 140, 30);
const BLACK: Paint = Paint::Rgb(10, 12, 14);
const WHITE: Paint = Paint::Rgb(250, 248, 240);

/// What the names, the clocks and the moves beside the board need.
const SIDE: u16 = 30;
/// What is said below it.
const BELOW: u16 = 3;

/// The largest squares for which there is room, columns and rows; characters are twice as high as wide.
pub(super) fn cell(area: Rect) -> (u16, u16) {
    let fits = |rows: &u16| {
        let (width, height) = size((2 * rows, *rows));
        width + SIDE <= area.width && height + BELOW <= area.height
    };
    let rows = (2..=12).rev().find(fits).unwrap_or(1);
    (2 * rows, rows)
}

/// The board with its letters and numbers.
pub(super) fn size((columns, rows): (u16, u16)) -> (u16, u16) {
    (8 * columns + 4, 8 * rows + 2)
}

/// A disc in one character.
pub(super) fn disc(color: Color) -> &'static str {
    match color {
        Color::Black => "●",
        Color::White => "○",
    }
}

fn paint(color: Color) -> Paint {
    match color {
        Color::Black => BLACK,
        Color::White => WHITE,
    }
}

/// How a disc beside the board is drawn: on the board's own green, for on a dark screen a black disc would be white.
pub(super) fn style(color: Color, colors: bool) -> Style {
    if colors { Style::new().fg(paint(color)).bg(FELT) } else { Style::new() }
}

pub(super) fn draw(screen: &mut Screen, frame: &mut Frame<'_>, area: Rect) {
    let (width, height) = screen.cell;
    screen.board = Rect { x: area.x + 2, y: area.y + 1, width: 8 * width, height: 8 * height };
    let quiet = Style::new().fg(Paint::DarkGray);
    let buffer = frame.buffer_mut();
    for number in 0..8u16 {
        let letter = char::from(b'a' + number as u8).to_string();
        buffer.set_string(screen.board.x + number * width + (width - 1) / 2, area.y, letter, quiet);
        let y = screen.board.y + number * height + (height - 1) / 2;
        buffer.set_string(area.x, y, (number + 1).to_string(), quiet);
    }
    for drawn in squares(screen) {
        let (column, row) = (u16::from(drawn.square.column()), u16::from(drawn.square.row()));
        let cell = Rect { x: screen.board.x + column * width, y: screen.board.y + row * height, width, height };
        if screen.colors {
            drawn.in_colors(cell, buffer);
        } else {
            drawn.in_lines(cell, buffer);
        }
    }
    if !screen.colors {
        for y in screen.board.y..screen.board.bottom() {
            buffer.set_string(screen.board.right(), y, "│", Style::new());
        }
    }
}

/// What there is to see on one square.
struct Drawn {
    square: Square,
    disc: Option<Color>,
    /// Something else than a disc: where one may play, or a hint.
    mark: Option<(&'static str, Paint)>,
    is_last: bool,
    is_chosen: bool,
    /// It would be turned.
    would_turn: bool,
}

fn squares(screen: &Screen) -> Vec<Drawn> {
    let game = &screen.game;
    let live = screen.looking.is_none();
    let (last, board) = (screen.last(), game.board(screen.shown()).as_bytes());
    let may_play = live && game.is_ours();
    let legal = |square| game.view.legal.iter().find(|legal| may_play && legal.square == square);
    let would_turn = legal(screen.cursor).map_or(&[][..], |legal| &legal.turns);
    let mark = |square| match game.view.turn {
        _ if screen.hint == Some(square) && may_play => Some(("*", Paint::Cyan)),
        Some(turn) if legal(square).is_some() => Some(("·", paint(turn))),
        _ => None,
    };
    let drawn = |square: Square| Drawn {
        square,
        disc: board.get(square.index()).and_then(|&letter| on(letter)),
        mark: mark(square),
        is_last: last == Some(square),
        is_chosen: square == screen.cursor && live,
        would_turn: would_turn.contains(&square),
    };
    Square::ALL.into_iter().map(drawn).collect()
}

/// What a letter of [`View::board`](table::View::board) stands for.
fn on(letter: u8) -> Option<Color> {
    Color::ALL.into_iter().find(|color| color.letter() == char::from(letter))
}

impl Drawn {
    /// Green squares; a disc is a character, or from three rows on a disc.
    fn in_colors(&self, cell: Rect, buffer: &mut Buffer) {
        let is_light = (self.square.column() + self.square.row()).is_multiple_of(2);
        let felt = match self.is_last {
            true => LAST,
            false if is_light => FELT,
            false => FELT_DARK,
        };
        let style = Style::new().bg(felt);
        buffer.set_style(cell, style);
        let (x, y) = (cell.x + (cell.width - 1) / 2, cell.y + (cell.height - 1) / 2);
        match (self.disc, self.mark) {
            (Some(color), _) if cell.height >= 3 => self.round(color, cell, felt, buffer),
            (Some(color), _) => {
                let style = style.fg(paint(color)).add_modifier(Modifier::BOLD);
                let style = if self.would_turn { style.add_modifier(Modifier::UNDERLINED) } else { style };
                buffer.set_string(x, y, disc(color), style);
            }
            (None, Some((mark, paint))) => {
                buffer.set_string(x, y, mark, style.fg(paint).add_modifier(Modifier::BOLD));
            }
            (None, None) => {}
        }
        if self.is_chosen {
            let style = style.fg(WHITE).add_modifier(Modifier::BOLD);
            if cell.width > 2 {
                buffer.set_string(if cell.height >= 3 { cell.x } else { x - 1 }, y, "[", style);
                buffer.set_string(if cell.height >= 3 { cell.right() - 1 } else { x + 1 }, y, "]", style);
            } else {
                buffer.set_string(x + 1, y, "<", style);
            }
        }
    }

    /// A disc as round as half characters allow; one that would be turned has a spot of the other colour.
    fn round(&self, color: Color, cell: Rect, felt: Paint, buffer: &mut Buffer) {
        let middle = i32::from(cell.width);
        let inside = |column: u16, half: u16| {
            let [across, down] = [column, half].map(|at| 2 * i32::from(at) + 1 - middle);
            // within 84 % of the way from the middle to the edge
            100 * (across * across + down * down) <= 70 * middle * middle
        };
        let style = Style::new().fg(paint(color)).bg(felt);
        for row in 0..cell.height {
            for column in 0..cell.width {
                let character = match (inside(column, 2 * row), inside(column, 2 * row + 1)) {
                    (true, true) => "█",
                    (true, false) => "▀",
                    (false, true) => "▄",
                    (false, false) => continue,
                };
                buffer.set_string(cell.x + column, cell.y + row, character, style);
            }
        }
        if self.would_turn {
            let (x, y) = (cell.x + (cell.width - 1) / 2, cell.y + (cell.height - 1) / 2);
            buffer.set_string(x, y, "●", Style::new().fg(paint(!color)).bg(paint(color)));
        }
    }

    /// Lines between the squares, and marks around what is on them.
    fn in_lines(&self, cell: Rect, buffer: &mut Buffer) {
        let plain = Style::new();
        let what = match (self.disc, self.mark) {
            (Some(color), _) => disc(color),
            (None, Some((mark, _))) => mark,
            (None, None) => " ",
        };
        let style = if self.would_turn { plain.add_modifier(Modifier::UNDERLINED) } else { plain };
        let around = match (self.is_chosen, self.is_last) {
            (true, _) => Some(("[", "]")),
            (false, true) => Some(("(", ")")),
            (false, false) => None,
        };
        if cell.width == 2 {
            // no room for a line on both sides of each mark: it gives way to it
            let after = around.map_or(" ", |(_, after)| after);
            let what = if what == " " { "." } else { what };
            let what = if what == "·" { "+" } else { what };
            buffer.set_string(cell.x, cell.y, what, style);
            buffer.set_string(cell.x + 1, cell.y, after, plain);
            return;
        }
        let foot = cell.bottom() - 1;
        for y in cell.y..foot {
            buffer.set_string(cell.x, y, "│", plain);
        }
        buffer.set_string(cell.x, foot, format!("┼{}", "─".repeat(usize::from(cell.width) - 1)), plain);
        let (x, y) = (cell.x + cell.width / 2, cell.y + (cell.height - 1) / 2);
        buffer.set_string(x, y, what, style);
        if let Some((before, after)) = around {
            buffer.set_string(x - 1, y, before, plain);
            buffer.set_string(x + 1, y, after, plain);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn area(width: u16, height: u16) -> Rect {
        Rect { x: 0, y: 0, width, height }
    }

    #[test]
    fn the_board_grows_with_the_window_and_leaves_room_beside_it() {
        assert_eq!(cell(area(50, 14)), (2, 1));
        assert_eq!(cell(area(66, 21)), (4, 2));
        assert_eq!(cell(area(90, 26)), (4, 2));
        assert_eq!(cell(area(82, 29)), (6, 3));
        assert_eq!(cell(area(200, 60)), (12, 6));
        for (width, height) in [(66, 21), (100, 40), (300, 100), (1000, 1000)] {
            let (columns, rows) = size(cell(area(width, height)));
            assert!(columns + SIDE <= width && rows + BELOW <= height, "{width}×{height}");
        }
    }

    fn drawn(disc: Option<Color>) -> Drawn {
        Drawn { square: Square::A1, disc, mark: None, is_last: false, is_chosen: false, would_turn: false }
    }

    fn lines(buffer: &Buffer) -> Vec<String> {
        let width = usize::from(buffer.area.width);
        buffer.content.chunks(width).map(|row| row.iter().map(|cell| cell.symbol()).collect()).collect()
    }

    #[test]
    fn a_large_disc_is_round_and_leaves_room_for_the_cursor() {
        for rows in 3..=12 {
            let cell = area(2 * rows, rows);
            let mut buffer = Buffer::empty(cell);
            Drawn { is_chosen: true, ..drawn(Some(Color::Black)) }.in_colors(cell, &mut buffer);
            let lines = lines(&buffer);
            let middle = &lines[usize::from(rows - 1) / 2];
            assert!(middle.starts_with('[') && middle.ends_with(']') && middle.contains('█'), "{lines:#?}");
            let full: usize = lines.concat().matches('█').count();
            assert!(full > usize::from(rows) && !lines[0].starts_with(['█', '▄']), "{lines:#?}");
        }
    }

    #[test]
    fn without_colours_everything_is_a_character() {
        let cell = area(4, 2);
        let mut seen = std::collections::HashSet::new();
        for disc in [None, Some(Color::Black), Some(Color::White)] {
            for (is_last, is_chosen) in [(false, false), (true, false), (false, true)] {
                let mut buffer = Buffer::empty(cell);
                Drawn { is_last, is_chosen, ..drawn(disc) }.in_lines(cell, &mut buffer);
                assert!(seen.insert(lines(&buffer)), "two squares look the same: {:?}", lines(&buffer));
            }
        }
        let mut buffer = Buffer::empty(cell);
        Drawn { mark: Some(("·", BLACK)), ..drawn(None) }.in_lines(cell, &mut buffer);
        assert!(seen.insert(lines(&buffer)));
        assert!(seen.iter().all(|lines| lines[0].starts_with('│') && lines[1] == "┼───"));
    }
}
