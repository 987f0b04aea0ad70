//! A game that is on disk before it is on the screen: one file, one line for each entry.

use crate::{
    brain,
    files::saved::{self, Saved},
};
use analyst::{Level, Turn};
use rules::Square;
use std::{
    fs::{self, File, OpenOptions},
    io::{self, Write},
    path::{Path, PathBuf},
    sync::mpsc,
    thread,
    time::{Duration, Instant, SystemTime, UNIX_EPOCH},
};
use table::{Action, At, Entry, Opening, Refusal, Rules, Seat, Setup, Table};

/// A clock that only goes forward.
#[derive(Clone, Copy, Debug)]
pub(super) struct Time {
    started: Instant,
    wall: At,
}

impl Time {
    /// A clock that starts now, and not before `at_least`.
    pub(super) fn new(at_least: At) -> Time {
        let wall = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_millis() as At);
        Time { started: Instant::now(), wall: wall.max(at_least) }
    }

    pub(super) fn now(&self) -> At {
        self.wall + self.started.elapsed().as_millis() as At
    }

    /// Heads or tails.
    pub(super) fn coin(&self) -> bool {
        let nanos = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.subsec_nanos());
        // Some clocks tick in steps of a hundred nanoseconds or more.
        (nanos ^ nanos >> 7 ^ nanos >> 13).count_ones() % 2 == 1
    }
}

/// The moves a game by these rules begins with.
pub(super) fn opening(rules: Rules, time: Time) -> Vec<Square> {
    match rules.opening {
        Opening::Standard => Vec::new(),
        // The clock's last digits are as good as a draw from a hat.
        Opening::Balanced => server::balanced_opening(time.now()),
    }
}

/// Why nothing was done.
#[derive(Debug)]
pub(super) enum Trouble {
    /// The table does not allow it.
    Refused(Refusal),
    /// It could not be kept.
    Disk(io::Error),
}

/// A game and its file.
#[derive(Debug)]
pub(super) struct Game {
    folder: PathBuf,
    file: File,
    length: u64,
    setup: Setup,
    pub(super) table: Table,
    pub(super) time: Time,
    /// The computer's move, while it is being thought about.
    thought: Option<(usize, mpsc::Receiver<Square>)>,
    entries: usize,
    /// The computer takes at least so long, so that a player can follow.
    pub(super) pause: Duration,
}

impl Game {
    /// A new game in a file of its own.
    pub(super) fn begin(folder: &Path, setup: Setup) -> io::Result<Game> {
        fs::create_dir_all(folder)?;
        let table = Table::new(setup.clone()).map_err(io::Error::other)?;
        // Two games in one millisecond, or a clock set back: the next number that is free.
        let (mut number, mut file);
        number = setup.at;
        loop {
            let path = folder.join(format!("{number:013}.game"));
            file = OpenOptions::new().write(true).create_new(true).open(path);
            match &file {
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => number += 1,
                _ => break,
            }
        }
        let time = Time::new(setup.at);
        let mut game = Game {
            folder: folder.to_owned(),
            file: file?,
            length: 0,
            setup,
            table,
            time,
            thought: None,
            entries: 0,
            pause: Duration::ZERO,
        };
        let line = serde_json::to_string(&game.setup)?;
        game.keep(&line)?;
        Ok(game)
    }

    /// The latest game that is not over.
    pub(super) fn resume(folder: &Path) -> io::Result<Option<Game>> {
        let mut paths: Vec<PathBuf> = match fs::read_dir(folder) {
            Ok(entries) => entries.flatten().map(|entry| entry.path()).collect(),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Vec::new(),
            Err(error) => return Err(error),
        };
        paths.retain(|path| path.extension().is_some_and(|extension| extension == "game"));
        paths.sort();
        for path in paths.iter().rev() {
            if let Some(mut game) = Game::load(folder, path)?
                && game.table.verdict().is_none()
            {
                game.come_back().map_err(|trouble| match trouble {
                    Trouble::Disk(error) => error,
                    Trouble::Refused(refusal) => io::Error::other(refusal),
                })?;
                return Ok(Some(game));
            }
        }
        Ok(None)
    }

    /// A game from its file; `None` if the file holds none.
    fn load(folder: &Path, path: &Path) -> io::Result<Option<Game>> {
        let Some(Saved { setup, table, entries, length }) = saved::read(&fs::read_to_string(path)?) else {
            return Ok(None);
        };
        let file = OpenOptions::new().append(true).open(path)?;
        let length = length as u64;
        file.set_len(length)?;
        let time = Time::new(table.at());
        Ok(Some(Game {
            folder: folder.to_owned(),
            file,
            length,
            setup,
            table,
            time,
            thought: None,
            entries,
            pause: Duration::ZERO,
        }))
    }

    /// Somebody does something, now.
    pub(super) fn act(&mut self, by: rules::Color, action: Action) -> Result<(), Trouble> {
        self.look()?;
        self.enter(&Entry::new(self.time.now(), Some(by), action))
    }

    /// Lets a flag fall that is due.
    pub(super) fn look(&mut self) -> Result<(), Trouble> {
        let now = self.time.now();
        if self.table.deadline().is_some_and(|deadline| deadline <= now) {
            self.enter(&Entry::new(now, None, Action::Look {}))?;
        }
        Ok(())
    }

    /// The time so far is used, whenever the game goes on.
    pub(super) fn leave(&mut self) -> Result<(), Trouble> {
        if self.table.running().is_some() {
            self.enter(&Entry::new(self.time.now(), None, Action::Look {}))?;
        }
        Ok(())
    }

    /// Nobody is charged for the time the program was not running.
    pub(super) fn come_back(&mut self) -> Result<(), Trouble> {
        if self.table.running().is_some() {
            let away = Action::Away { from: self.table.at() };
            self.enter(&Entry::new(self.time.now(), None, away))?;
        }
        Ok(())
    }

    /// The game so far, for files.
    pub(super) fn record(&self) -> Result<record::Record, record::ReadError> {
        server::record_of(&self.table, self.setup.at)
    }

    /// Another game with the same players; this one is scrapped if it is not over.
    pub(super) fn again(&mut self, by: rules::Color, swap: bool) -> Result<(), Trouble> {
        if self.table.verdict().is_none() {
            self.act(by, Action::Scrap {})?;
        }
        let seats = self.table.seats().clone();
        let seats = if swap { seats.swapped() } else { seats };
        let rules = *self.table.rules();
        // With colours swapped both play the same opening from either side; else another one is drawn.
        let opening = if swap { self.setup.opening.clone() } else { opening(rules, self.time) };
        let setup = Setup { opening, ..Setup::new(self.time.now(), seats, rules) };
        let next = Game::begin(&self.folder, setup).map_err(Trouble::Disk)?;
        *self = Game { pause: self.pause, ..next };
        Ok(())
    }

    /// Check, append, swap: what is shown is on disk.
    fn enter(&mut self, entry: &Entry) -> Result<(), Trouble> {
        let next = self.table.after(entry).map_err(Trouble::Refused)?;
        let line = serde_json::to_string(entry).map_err(|error| Trouble::Disk(error.into()))?;
        self.keep(&line).map_err(Trouble::Disk)?;
        self.table = next;
        self.entries += 1;
        Ok(())
    }

    fn keep(&mut self, line: &str) -> io::Result<()> {
        let bytes = format!("{line}\n");
        let kept = self.file.write_all(bytes.as_bytes()).and_then(|()| self.file.sync_data());
        match &kept {
            Ok(()) => self.length += bytes.len() as u64,
            // Half a line must not stay. If even that fails, it is cut off when the game is taken up again.
            Err(_) => {
                let _ = self.file.set_len(self.length);
            }
        }
        kept
    }

    /// Lets the computer move if it is its turn and it has made up its mind; whether it did.
    pub(super) fn computer(&mut self, wait: Duration) -> Result<bool, Trouble> {
        let Some(turn) = self.table.turn() else { return Ok(false) };
        let Seat::Computer { level } = self.table.seats()[turn] else { return Ok(false) };
        if self.thought.as_ref().is_none_or(|(entries, _)| *entries != self.entries) {
            let (answer, thought) = mpsc::channel();
            let now = self.time.now();
            let time = self.table.thinking_time(now);
            let asked = Turn {
                owner: brain::HERE,
                position: self.table.position(),
                level: *Level::numbered(level).unwrap_or(&Level::STRONGEST),
                seed: now,
                clock: time.map(|time| (Duration::from_millis(time.left_ms), Duration::from_millis(time.gain_ms))),
            };
            let polite = time.map_or(Duration::MAX, |time| Duration::from_millis(time.idle_ms()));
            let pause = self.pause.min(polite);
            thread::spawn(move || {
                let begun = Instant::now();
                let square = brain::analyst().blocking_choose(&asked);
                thread::sleep(pause.saturating_sub(begun.elapsed()));
                // Nobody may be listening any more when it is done.
                square.map(|square| answer.send(square))
            });
            self.thought = Some((self.entries, thought));
        }
        let answer = self.thought.as_ref().and_then(|(_, thought)| thought.recv_timeout(wait).ok());
        let Some(square) = answer else { return Ok(false) };
        self.thought = None;
        self.act(turn, Action::Play { square, ply: self.table.ply() })?;
        Ok(true)
    }

    /// Whether the computer is to move.
    pub(super) fn is_thinking(&self) -> bool {
        self.table.turn().is_some_and(|turn| matches!(self.table.seats()[turn], Seat::Computer { .. }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rules::ByColor;
    use table::{Ending, Preset, TimeControl};

    #[test]
    fn the_strongest_level_plays_a_whole_game_in_three_seconds_and_loses_none_on_time() {
        let folder = tempfile::tempdir().unwrap();
        let level = Level::STRONGEST.number;
        let rules = Rules { time: TimeControl::SuddenDeath { main_ms: 3000 }, ..Preset::Club.rules() };
        let seats = ByColor { black: Seat::Computer { level }, white: Seat::Computer { level: 1 } };
        let mut game = Game::begin(folder.path(), Setup::new(Time::new(0).now(), seats, rules)).unwrap();
        game.pause = Duration::from_millis(400);
        while game.table.verdict().is_none() {
            game.look().unwrap();
            game.computer(Duration::from_millis(20)).unwrap();
        }
        let verdict = game.table.verdict().unwrap();
        assert_ne!(verdict.ending, Ending::OutOfTime, "{verdict:?} after {} moves", game.table.moves().len());
    }
}
