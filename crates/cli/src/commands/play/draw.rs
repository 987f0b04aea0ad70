//! The game drawn on a terminal: the board first, then whose turn it is, then the clocks.

use super::{board, screen::Screen, words};
use crate::{context::Context, text};
use ratatui::{
    Frame,
    layout::{Alignment, Constraint, Layout, Rect},
    style::{Style, Stylize},
    text::{Line, Span},
    widgets::{Block, Clear, Paragraph, Wrap},
};
use rules::Color;

pub(super) fn draw(screen: &mut Screen, frame: &mut Frame<'_>, context: &Context) {
    let area = frame.area();
    screen.cell = board::cell(area);
    let (width, height) = board::size(screen.cell);
    if area.width < width || area.height < height + 3 {
        frame.render_widget(Paragraph::new(text!(context, "play-too-small")).wrap(Wrap { trim: true }), area);
        return;
    }
    let [main, said] = Layout::vertical([Constraint::Min(height), Constraint::Length(3)]).areas(area);
    let [left, side] = Layout::horizontal([Constraint::Length(width + 2), Constraint::Min(0)]).areas(main);
    board::draw(screen, frame, Rect { width, height, ..left });
    draw_side(screen, frame, side, context);
    draw_said(screen, frame, said, context);
    if screen.helping {
        draw_help(frame, area, context);
    }
}

fn draw_side(screen: &Screen, frame: &mut Frame<'_>, area: Rect, context: &Context) {
    let (game, view) = (&screen.game, &screen.game.view);
    let clocks = game.clocks();
    // whoever looks back wants to know how it stood then
    let shown = game.board(screen.shown());
    let turn = if screen.looking.is_some() { game.turn_after(screen.shown()) } else { view.turn };
    let mut lines = Vec::new();
    for color in Color::ALL {
        let to_move = turn == Some(color);
        let pointer = if to_move { "▶" } else { " " };
        let name = words::name(&view.seats, color, context);
        let mut spans = vec![
            Span::raw(pointer),
            Span::styled(format!(" {} ", board::disc(color)), board::style(color, screen.colors)),
            Span::raw(format!("{name}  {}", shown.matches(color.letter()).count())),
        ];
        if let Some(clocks) = clocks {
            let clock = clocks[color];
            let low = clock.left_ms < 10_000 && game.running() == Some(color);
            let time = Span::raw(format!("   {}", words::clock(&clock, context)));
            spans.push(if low { time.red().bold() } else { time });
        }
        let line = Line::from(spans);
        lines.push(if to_move { line.bold() } else { line });
    }
    lines.push(Line::default());
    match (view.verdict, view.turn) {
        (Some(verdict), _) => {
            for sentence in words::verdict(&verdict, view.rules.empties, context) {
                lines.push(Line::from(sentence).bold());
            }
        }
        (None, Some(turn)) => {
            lines.extend(words::passed(view, context).map(|sentence| Line::from(sentence).yellow().bold()));
            lines.push(if game.is_thinking() {
                Line::from(text!(context, "play-thinking"))
            } else {
                Line::from(words::turn(turn, context)).bold()
            });
        }
        (None, None) => lines.push(Line::from(text!(context, "page-refused-waiting"))),
    }
    lines.push(Line::default());
    let head = lines.len() as u16 + 4;
    let [top, rest] = Layout::vertical([Constraint::Length(head.min(area.height)), Constraint::Min(0)]).areas(area);
    frame.render_widget(Paragraph::new(lines).wrap(Wrap { trim: false }), top);
    let opening = game.opening(screen.shown()).map(|reached| format!(" · {}", words::opening(reached, context)));
    let title = Block::new().title(text!(context, "play-moves") + &opening.unwrap_or_default());
    let rows = rows(&words::list(game, context), usize::from(rest.width));
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
    let said = match screen.looking.filter(|_| screen.asked.is_none()) {
        Some(number) => {
            text!(context, "play-looking", number = number, moves = screen.game.moves.len())
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
