//! The game on the whole terminal: keys and mouse in, [`draw`] out.
//!
//! Ctrl-Z gives the terminal back and stops the program, as in any other one; `fg` draws it again.

use super::{
    draw,
    game::{Game, News, Trouble},
    save::{self, Saved},
    words,
};
use crate::{
    context::{Context, Failure},
    fail, text,
};
use crossterm::{
    event::{self, Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers, MouseButton, MouseEventKind},
    execute, terminal,
};
use ratatui::layout::Rect;
use rules::{Color, Square};
use server::protocol::Cause;
use std::{io, time::Duration};

/// What the terminal shows besides the game.
#[derive(Debug)]
pub(super) struct Screen {
    pub(super) game: Game,
    /// The square under the cursor.
    pub(super) cursor: Square,
    /// The column letter that was typed, until its digit comes.
    pub(super) letter: Option<u8>,
    /// What was said last.
    pub(super) said: String,
    /// A question that waits for an answer.
    pub(super) asked: Option<Question>,
    /// The number of moves shown, while an earlier position is looked at.
    pub(super) looking: Option<usize>,
    pub(super) helping: bool,
    pub(super) hint: Option<Square>,
    /// Where the board was drawn: its squares, and the size of one.
    pub(super) board: Rect,
    pub(super) cell: (u16, u16),
    /// Whether the user wants colours.
    pub(super) colors: bool,
    /// Why the game cannot go on: there is no way to it any more.
    lost: Option<Trouble>,
}

/// A question that is answered before anything else happens.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Question {
    /// Does this player give up?
    Resign(Color),
    /// A new game?
    New,
    /// Save under what name? What was typed of it so far.
    Name(String),
    /// Replace the file of this name?
    Replace(String),
}

/// What a key was for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Wish {
    /// To play on.
    Stay,
    /// To stop the program for a while.
    Suspend,
    /// To end it.
    Quit,
}

pub(super) fn run(game: Game, resumed: bool, context: &Context) -> Result<(), Failure> {
    let failed = |error: io::Error| fail!(context, "play-terminal", reason = error.to_string());
    let mut terminal = ratatui::try_init().map_err(failed)?;
    capture_mouse(true);
    let mut screen = Screen::new(game);
    screen.tell(context);
    if resumed {
        let which = text!(context, "play-going-on-short", game = screen.game.id.to_string());
        screen.said = format!("{which} {}", screen.said);
    }
    let played = screen.play(&mut terminal, context);
    capture_mouse(false);
    ratatui::restore();
    played.map_err(failed)?;
    if let Some(lost) = screen.lost {
        return Err(words::failure(lost, context));
    }
    screen.game.leave();
    if screen.game.view.verdict.is_none() { context.line(&text!(context, "play-saved")) } else { Ok(()) }
}

/// Without a mouse the keys do everything, so that it does not matter whether the terminal knows about one.
fn capture_mouse(on: bool) {
    let _ = if on {
        execute!(io::stdout(), event::EnableMouseCapture)
    } else {
        execute!(io::stdout(), event::DisableMouseCapture)
    };
}

/// Gives the terminal back, and stops this program and whatever started it in the same job, until the shell lets them
/// go on.
fn suspend(terminal: &mut ratatui::DefaultTerminal) -> io::Result<()> {
    #[cfg(unix)]
    {
        use rustix::process::{Signal, kill_current_process_group};
        capture_mouse(false);
        ratatui::try_restore()?;
        kill_current_process_group(Signal::TSTP)?;
        terminal::enable_raw_mode()?;
        execute!(io::stdout(), terminal::EnterAlternateScreen)?;
        capture_mouse(true);
    }
    // whatever the shell wrote is gone
    terminal.clear()
}

impl Screen {
    pub(super) fn new(game: Game) -> Screen {
        Screen {
            game,
            cursor: Square::D3,
            letter: None,
            said: String::new(),
            asked: None,
            looking: None,
            helping: false,
            hint: None,
            board: Rect::default(),
            cell: (4, 2),
            colors: std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty()),
            lost: None,
        }
    }

    fn play(&mut self, terminal: &mut ratatui::DefaultTerminal, context: &Context) -> io::Result<()> {
        while self.lost.is_none() {
            terminal.draw(|frame| draw::draw(self, frame, context))?;
            // A running clock is drawn ten times a second, and so soon does one see what happens elsewhere.
            if event::poll(Duration::from_millis(100))? {
                match event::read()? {
                    Event::Key(key) if key.kind != KeyEventKind::Release => match self.key(key, context) {
                        Wish::Stay => {}
                        Wish::Quit => return Ok(()),
                        Wish::Suspend => {
                            // as after quitting: clocks stand still, and others can have the games
                            self.game.leave();
                            suspend(terminal)?;
                            let back = self.game.come_back();
                            self.finish(back, None, context);
                        }
                    },
                    Event::Mouse(mouse) if mouse.kind == MouseEventKind::Down(MouseButton::Left) => {
                        if let Some(square) = self.square_at(mouse.column, mouse.row) {
                            self.cursor = square;
                            self.place(square, context);
                        }
                    }
                    _ => {}
                }
            }
            self.tick(context);
        }
        Ok(())
    }

    /// Shows whatever has happened.
    fn tick(&mut self, context: &Context) {
        loop {
            match self.game.next(false, Duration::ZERO) {
                Ok(Some(news)) => self.hear(news, context),
                Ok(None) => return,
                Err(trouble) => {
                    self.finish(Err(trouble), None, context);
                    return;
                }
            }
        }
    }

    fn hear(&mut self, news: News, context: &Context) {
        let said = match news {
            News::Changed(cause) => {
                self.hint = None;
                self.looking = self.looking.filter(|&shown| shown < self.game.moves.len());
                match cause {
                    Cause::Takeback => Some(text!(context, "play-taken-back")),
                    Cause::Asked => words::offer(&self.game.view, context),
                    Cause::Declined | Cause::Withdrawn => words::answered(cause, &self.game, context),
                    Cause::Seated => Some(text!(context, "page-remark-seated")),
                    // Coming back says nothing about the game, nor does a clock that goes on.
                    Cause::Back | Cause::Opened => return,
                    Cause::Said => words::said(&self.game.view, context),
                    Cause::Paused => Some(text!(context, "page-remark-paused")),
                    Cause::Resumed => Some(text!(context, "page-remark-resumed")),
                    Cause::Clock if self.game.view.verdict.is_none() => return,
                    _ => Some(self.standing(context)),
                }
            }
            News::Another => {
                (self.hint, self.looking) = (None, None);
                Some(self.standing(context))
            }
            News::Connected(way) => Some(words::connected(way, context)),
            News::Advice(advice) => {
                let hint = text!(context, "play-hint", square = advice.square.to_string());
                Some(format!("{hint}. {}", words::advice(&advice, context)))
            }
            News::Deleted => Some(text!(context, "page-refused-no-such-game")),
            News::Line(_) | News::End => None,
        };
        // a question stays on the screen until it is answered
        if let Some(said) = said.filter(|_| self.asked.is_none()) {
            self.said = said;
        }
    }

    /// Does what a key says.
    pub(super) fn key(&mut self, key: KeyEvent, context: &Context) -> Wish {
        if key.modifiers.contains(KeyModifiers::CONTROL) {
            return match key.code {
                KeyCode::Char('c') => Wish::Quit,
                KeyCode::Char('z') => Wish::Suspend,
                _ => Wish::Stay,
            };
        }
        if self.helping {
            self.helping = false;
            return Wish::Stay;
        }
        if let Some(question) = self.asked.take() {
            self.answer(question, key.code, context);
            return Wish::Stay;
        }
        let letter = self.letter.take();
        match key.code {
            KeyCode::Char('q') => return Wish::Quit,
            KeyCode::Char('s') => self.ask_name(String::new(), context),
            KeyCode::Char('?') => self.helping = true,
            KeyCode::Up => self.go(0, -1),
            KeyCode::Down => self.go(0, 1),
            KeyCode::Left => self.go(-1, 0),
            KeyCode::Right => self.go(1, 0),
            KeyCode::Enter | KeyCode::Char(' ') => self.place(self.cursor, context),
            KeyCode::Char(c @ ('a'..='h' | 'A'..='H')) => self.letter = Some(c.to_ascii_lowercase() as u8 - b'a'),
            KeyCode::Char(c @ '1'..='8') => {
                let column = letter.unwrap_or(self.cursor.column());
                self.cursor = Square::at(column, c as u8 - b'1').unwrap_or(self.cursor);
            }
            KeyCode::Char('u') => self.take_back(context),
            KeyCode::Char('t') => self.ask_hint(context),
            KeyCode::Char('y') => self.answer_offer(true, context),
            KeyCode::Char('x') => self.answer_offer(false, context),
            KeyCode::Char('r') if self.game.view.verdict.is_none() => {
                let by = self.game.person();
                self.asked = Some(Question::Resign(by));
                self.said = text!(context, "play-confirm-resign", color = by.to_string());
            }
            KeyCode::Char('n') => {
                self.asked = Some(Question::New);
                self.said = words::confirm_new(&self.game.view, context);
            }
            KeyCode::PageUp | KeyCode::Char('[') => self.look_at(-1),
            KeyCode::PageDown | KeyCode::Char(']') => self.look_at(1),
            KeyCode::Home => self.looking = Some(0),
            KeyCode::End | KeyCode::Esc => self.looking = None,
            _ => {}
        }
        Wish::Stay
    }

    fn answer(&mut self, question: Question, key: KeyCode, context: &Context) {
        self.tell(context);
        let done = match (question, key) {
            (Question::Resign(by), KeyCode::Char('y' | 'Y' | 's' | 'S')) => self.game.resign(by),
            (Question::New, KeyCode::Char(choice @ ('1' | '2'))) => self.game.again(choice == '2'),
            (Question::Name(name), key) => return self.type_name(name, key, context),
            (Question::Replace(name), KeyCode::Char('y' | 'Y' | 's' | 'S')) => return self.save(&name, true, context),
            _ => return,
        };
        self.finish(done, None, context);
    }

    /// Answers what the opponent asks, or takes back what was asked here.
    fn answer_offer(&mut self, accept: bool, context: &Context) {
        if self.game.view.offer.is_some() {
            let done = self.game.answer(accept);
            self.tell(context);
            self.finish(done, None, context);
        }
    }

    /// Asks under what name to save; this much is typed.
    fn ask_name(&mut self, name: String, context: &Context) {
        self.said = format!("{} {name}▏", text!(context, "play-save-name"));
        self.asked = Some(Question::Name(name));
    }

    fn type_name(&mut self, mut name: String, key: KeyCode, context: &Context) {
        match key {
            KeyCode::Enter if name.trim().is_empty() => self.tell(context),
            KeyCode::Enter => self.save(name.trim(), false, context),
            KeyCode::Esc => self.tell(context),
            KeyCode::Char(letter) => {
                name.push(letter);
                self.ask_name(name, context);
            }
            KeyCode::Backspace => {
                name.pop();
                self.ask_name(name, context);
            }
            _ => self.ask_name(name, context),
        }
    }

    fn save(&mut self, name: &str, replace: bool, context: &Context) {
        self.looking = None;
        self.said = match save::save(&mut self.game, name, replace, context) {
            Saved::Done(sentence) | Saved::Not(sentence) => sentence,
            Saved::There(question) => {
                self.asked = Some(Question::Replace(name.to_owned()));
                question
            }
        };
    }

    fn go(&mut self, columns: i8, rows: i8) {
        let moved = |at: u8, by: i8| at.saturating_add_signed(by).min(7);
        let square = Square::at(moved(self.cursor.column(), columns), moved(self.cursor.row(), rows));
        self.cursor = square.unwrap_or(self.cursor);
    }

    fn place(&mut self, square: Square, context: &Context) {
        if self.asked.is_none() && self.looking.is_none() {
            let done = self.game.play(square);
            self.finish(done, Some(square), context);
        }
    }

    fn take_back(&mut self, context: &Context) {
        let done = self.game.take_back();
        self.looking = self.looking.filter(|_| done.is_err());
        self.finish(done, None, context);
    }

    fn ask_hint(&mut self, context: &Context) {
        match self.game.hint() {
            Ok(square) => {
                self.hint = Some(square);
                self.said = text!(context, "play-hint", square = square.to_string());
            }
            Err(trouble) => self.finish(Err(trouble), None, context),
        }
    }

    /// The number of moves that are shown.
    pub(super) fn shown(&self) -> usize {
        self.looking.unwrap_or(self.game.moves.len())
    }

    /// The last move that is shown.
    pub(super) fn last(&self) -> Option<Square> {
        self.shown().checked_sub(1).map(|index| self.game.moves[index].square)
    }

    /// Steps through the moves that were played.
    fn look_at(&mut self, by: isize) {
        let all = self.game.moves.len();
        let at = self.looking.unwrap_or(all).saturating_add_signed(by);
        self.looking = (at < all).then_some(at);
    }

    /// Says why something was not done; what was done is said when the server has said it.
    fn finish(&mut self, done: Result<(), Trouble>, square: Option<Square>, context: &Context) {
        match done {
            Ok(()) => {}
            Err(Trouble::Refused(why, reason)) => {
                self.said = words::refused(why, &reason, square, &self.game, context);
            }
            Err(lost) => self.lost = Some(lost),
        }
    }

    /// Says how the game stands.
    fn tell(&mut self, context: &Context) {
        self.said = self.standing(context);
    }

    fn standing(&self, context: &Context) -> String {
        let game = &self.game;
        words::offer(&game.view, context)
            .or_else(|| words::given(game, context))
            .or_else(|| words::last_move(&game.view, context))
            .unwrap_or_default()
    }

    fn square_at(&self, column: u16, row: u16) -> Option<Square> {
        let inside = self.board.contains(ratatui::layout::Position { x: column, y: row });
        let (width, height) = self.cell;
        if !inside {
            return None;
        }
        Square::at(((column - self.board.x) / width) as u8, ((row - self.board.y) / height) as u8)
    }
}
