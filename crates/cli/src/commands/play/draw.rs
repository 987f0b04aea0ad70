//! The game drawn on a terminal: the board first, then whose turn it is, then the clocks.

use super::{screen::Screen, words};
use crate::{context::Context, text};
use ratatui::{
    Frame,
    layout::{Alignment, Constraint, Layout, Rect},
    style::{Color as Paint, Modifier, Style, Stylize},
    text::{Line, Span},
    widgets::{Block, Clear, Paragraph, Wrap},
};
use rules::{Bitboard, Color, Square};

const FELT: Paint = Paint::Rgb(22, 110, 74);
const FELT_DARK: Paint = Paint::Rgb(19, 100, 67);
const LAST: Paint = Paint::Rgb(196, 140, 30);
const BLACK: Paint = Paint::Rgb(10, 12, 14);
const WHITE: Paint = Paint::Rgb(250, 248, 240);

pub(super) fn draw(screen: &mut Screen, frame: &mut Frame<'_>, context: &Context) {
    let area = frame.area();
    screen.cell = if area.width >= 36 + 30 && area.height >= 21 { (4, 2) } else { (2, 1) };
    let (width, height) = (8 * screen.cell.0 + 4, 8 * screen.cell.1 + 2);
    if area.width < width || area.height < height + 3 {
        frame.render_widget(Paragraph::new(text!(context, "play-too-small")).wrap(Wrap { trim: true }), area);
        return;
    }
    let [main, said] = Layout::vertical([Constraint::Min(height), Constraint::Length(3)]).areas(area);
    let [board, side] = Layout::horizontal([Constraint::Length(width + 2), Constraint::Min(0)]).areas(main);
    draw_board(screen, frame, Rect { width, height, ..board });
    draw_side(screen, frame, side, context);
    draw_said(screen, frame, said, context);
    if screen.helping {
        draw_help(frame, area, context);
    }
}

fn draw_board(screen: &mut Screen, frame: &mut Frame<'_>, area: Rect) {
    let table = &screen.game.table;
    let (cell_width, cell_height) = screen.cell;
    screen.board = Rect { x: area.x + 2, y: area.y + 1, width: 8 * cell_width, height: 8 * cell_height };
    let shown = screen.looking.unwrap_or(table.moves().len());
    let live = screen.looking.is_none();
    let last = shown.checked_sub(1).map(|index| table.moves()[index].step);
    let position = last.map_or_else(rules::Position::start, |step| step.after);
    let may_play = live && table.turn().is_some() && !screen.game.is_thinking();
    let legal = if may_play { position.legal() } else { Bitboard::EMPTY };
    let preview = if may_play { position.flips(screen.cursor) } else { Bitboard::EMPTY };
    let quiet = Style::new().fg(Paint::DarkGray);
    for column in 0..8u16 {
        let name = char::from(b'a' + column as u8).to_string();
        let x = screen.board.x + column * cell_width + (cell_width - 1) / 2;
        frame.render_widget(Span::styled(name, quiet), Rect { x, y: area.y, width: 1, height: 1 });
    }
    for row in 0..8u16 {
        let y = screen.board.y + row * cell_height + (cell_height - 1) / 2;
        frame.render_widget(Span::styled((row + 1).to_string(), quiet), Rect { x: area.x, y, width: 1, height: 1 });
    }
    for square in Square::ALL {
        let (column, row) = (u16::from(square.column()), u16::from(square.row()));
        let x = screen.board.x + column * cell_width;
        let y = screen.board.y + row * cell_height;
        let mut felt = if (column + row) % 2 == 0 { FELT } else { FELT_DARK };
        if last.is_some_and(|step| step.square == square) {
            felt = LAST;
        }
        let mut style = Style::new().bg(felt);
        // Different shapes as well as colours: nobody needs to see colours to play.
        let mark = match position.at(square) {
            Some(Color::Black) => {
                style = style.fg(BLACK).add_modifier(Modifier::BOLD);
                "●"
            }
            Some(Color::White) => {
                style = style.fg(WHITE).add_modifier(Modifier::BOLD);
                "○"
            }
            None if screen.hint == Some(square) && may_play => {
                style = style.fg(Paint::Cyan).add_modifier(Modifier::BOLD);
                "*"
            }
            None if legal.contains(square) => {
                style = style.fg(if position.turn() == Some(Color::Black) { BLACK } else { WHITE });
                "·"
            }
            None => " ",
        };
        if preview.contains(square) {
            style = style.add_modifier(Modifier::UNDERLINED);
        }
        let chosen = square == screen.cursor && live;
        let text = match (cell_width, chosen) {
            (2, false) => format!("{mark} "),
            (2, true) => format!("{mark}<"),
            (_, false) => format!(" {mark}  "),
            (_, true) => format!("[{mark}] "),
        };
        let area = Rect { x, y, width: cell_width, height: cell_height };
        frame.render_widget(Paragraph::new(Line::from(text)).style(style), area);
    }
}

fn draw_side(screen: &Screen, frame: &mut Frame<'_>, area: Rect, context: &Context) {
    let table = &screen.game.table;
    let clocks = table.clocks(screen.game.time.now());
    let count = table.position().count();
    let mut lines = Vec::new();
    for color in Color::ALL {
        let to_move = table.turn() == Some(color);
        let mark = if color == Color::Black { "●" } else { "○" };
        let pointer = if to_move { "▶" } else { " " };
        let mut spans =
            vec![Span::raw(format!("{pointer} {mark} {}  {}", words::name(table, color, context), count[color]))];
        if let Some(clocks) = clocks {
            let clock = clocks[color];
            let low = clock.left_ms < 10_000 && table.running() == Some(color);
            let time = Span::raw(format!("   {}", words::clock(&clock, context)));
            spans.push(if low { time.red().bold() } else { time });
        }
        let line = Line::from(spans);
        lines.push(if to_move { line.bold() } else { line });
    }
    lines.push(Line::default());
    match (table.verdict(), table.turn()) {
        (Some(verdict), _) => {
            for sentence in words::verdict(&verdict, table.rules().empties, context) {
                lines.push(Line::from(sentence).bold());
            }
        }
        (None, Some(turn)) => {
            lines.extend(words::passed(table, context).map(|sentence| Line::from(sentence).yellow().bold()));
            lines.push(if screen.game.is_thinking() {
                Line::from(text!(context, "play-thinking"))
            } else {
                Line::from(words::turn(turn, context)).bold()
            });
        }
        (None, None) => {}
    }
    lines.push(Line::default());
    let head = lines.len() as u16 + 4;
    let [top, rest] = Layout::vertical([Constraint::Length(head.min(area.height)), Constraint::Min(0)]).areas(area);
    frame.render_widget(Paragraph::new(lines).wrap(Wrap { trim: false }), top);
    let title = Block::new().title(text!(context, "play-moves"));
    let rows = rows(&super::plain::list(table, context), usize::from(rest.width));
    // The latest moves, if there is no room for all.
    let over = rows.len().saturating_sub(usize::from(rest.height.saturating_sub(1)));
    let rows: Vec<Line<'_>> = rows.into_iter().skip(over).map(Line::from).collect();
    frame.render_widget(Paragraph::new(rows).block(title), rest);
}

/// Words in rows of at most `width` characters; a move stays with its number.
fn rows(words: &str, width: usize) -> Vec<String> {
    let mut rows: Vec<String> = Vec::new();
    for word in words.replace(". ", ".\u{a0}").split(' ').filter(|word| !word.is_empty()) {
        match rows.last_mut() {
            Some(row) if row.chars().count() + 2 + word.chars().count() <= width => {
                row.push_str("  ");
                row.push_str(word);
            }
            _ => rows.push(word.to_owned()),
        }
    }
    rows
}

fn draw_said(screen: &Screen, frame: &mut Frame<'_>, area: Rect, context: &Context) {
    let said = match screen.looking {
        Some(number) => {
            text!(context, "play-looking", number = number, moves = screen.game.table.moves().len())
        }
        None => screen.said.clone(),
    };
    let style = if screen.asked.is_some() { Style::new().yellow().bold() } else { Style::new() };
    let lines = vec![Line::styled(said, style), Line::from(text!(context, "play-keys-short")).dark_gray()];
    frame.render_widget(Paragraph::new(lines).wrap(Wrap { trim: true }), area);
}

fn draw_help(frame: &mut Frame<'_>, area: Rect, context: &Context) {
    let help = text!(context, "play-keys");
    let height = (help.lines().count() as u16 + 2).min(area.height);
    let width = (help.lines().map(|line| line.chars().count()).max().unwrap_or(0) as u16 + 4).min(area.width);
    let area = Rect { x: (area.width - width) / 2, y: (area.height - height) / 2, width, height };
    frame.render_widget(Clear, area);
    let block = Block::bordered().title(text!(context, "play-keys-title")).title_alignment(Alignment::Center);
    frame.render_widget(Paragraph::new(help).block(block), area);
}
