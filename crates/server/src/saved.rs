//! Games that `outflank play` kept before it had a server: a file for each in the folder `terminal`, with a line of JSON for what was
//! agreed and one for every entry.
//!
//! They are brought into the store when it is opened, each once: the command that begins a game here is named by what is in its
//! file. The file stays, under another name.

use crate::{House, people::OWNER, secret};
use room::{Begun, Entered, Summary, Write};
use std::{
    fs, io,
    path::{Path, PathBuf},
};
use store::StoreError;
use table::{Action, Entry, GameId, Seq, Setup, Table};

const FOLDER: &str = "terminal";

/// A game from its file.
#[derive(Clone, Debug)]
pub struct SavedGame {
    /// What was agreed.
    pub setup: Setup,
    /// What happened.
    pub log: Vec<Entry>,
    /// How it stands.
    pub table: Table,
}

impl SavedGame {
    /// Reads a saved game; `None` if the text holds none. A last line that was cut short never happened.
    ///
    /// ```
    /// use server::SavedGame;
    /// let seat = r#"{"kind":"person","who":1,"name":1}"#;
    /// let rules = r#"{"time":{"kind":"none"},"overrun":"loses","empties":"to_winner","takebacks":true}"#;
    /// let setup = format!(r#"{{"at":0,"seats":{{"black":{seat},"white":{seat}}},"rules":{rules}}}"#);
    /// let f5 = r#"{"at":1000,"by":"black","play":{"square":"f5","ply":0}}"#;
    /// let saved = SavedGame::read(&format!("{setup}\n{f5}\n{{\"at\":20")).unwrap();
    /// assert_eq!(saved.table.ply(), table::Ply(1));
    /// assert!(SavedGame::read("f5d6c3\n").is_none());
    /// ```
    pub fn read(text: &str) -> Option<SavedGame> {
        let whole = &text[..text.rfind('\n').map_or(0, |end| end + 1)];
        let mut lines = whole.lines();
        let setup: Setup = serde_json::from_str(lines.next()?).ok()?;
        let mut table = Table::new(setup.clone()).ok()?;
        let mut log = Vec::new();
        for line in lines {
            let entry: Entry = serde_json::from_str(line).ok()?;
            table = table.after(&entry).ok()?;
            log.push(entry);
        }
        Some(SavedGame { setup, log, table })
    }
}

impl House {
    /// Brings in the games that lie beside the store. A file that holds none, or none of the owner's, stays as it is.
    pub(crate) async fn bring_in_saved_games(&self) -> Result<(), StoreError> {
        for path in files(&self.config.data.join(FOLDER)) {
            let Ok(text) = fs::read_to_string(&path) else { continue };
            let Some(saved) = SavedGame::read(&text) else { continue };
            if !saved.setup.seats.iter().any(|seat| seat.person() == Some(OWNER)) {
                continue;
            }
            match self.store.write(self.writes(saved, &text)?).await {
                // It is there already: only its file had not been renamed.
                Ok(()) | Err(StoreError::Conflict) => {}
                Err(error) => return Err(error),
            }
            // If it keeps its name, it is known again the next time.
            let _ = rename(&path);
        }
        Ok(())
    }

    /// A whole game, as if it had been played here. Nobody is charged for the time since then.
    fn writes(&self, saved: SavedGame, text: &str) -> Result<Vec<Write>, StoreError> {
        let SavedGame { setup, mut log, table } = saved;
        if table.running().is_some() {
            log.push(Entry::new(self.time.now(), None, Action::Away { from: table.at() }));
        }
        let not_kept = |error: &dyn std::fmt::Display| StoreError::NotKept(error.to_string().into());
        let game = secret::random(12).map_err(|error| not_kept(&error))?;
        let game: GameId = game.parse().map_err(|error| not_kept(&error))?;
        let command = secret::hash(text).iter().map(|byte| format!("{byte:02x}")).collect::<String>();
        let command = command.parse().map_err(|error| not_kept(&error))?;
        let (begun, mut table) = (setup.at, Table::new(setup.clone()).map_err(|error| not_kept(&error))?);
        let summary = Summary::of(&table);
        let mut writes = vec![
            Write::Begin(Box::new(Begun { game: game.clone(), setup, maker: OWNER, command, summary })),
            Write::List { who: OWNER, game: game.clone(), begun },
        ];
        let mut seq = Seq::default();
        for entry in log {
            table = table.after(&entry).map_err(|error| not_kept(&error))?;
            seq = seq.next();
            let summary = Summary::of(&table);
            writes.push(Write::Enter(Box::new(Entered { game: game.clone(), seq, by: None, entry, summary })));
        }
        Ok(writes)
    }
}

/// The saved games of a folder, the oldest first.
fn files(folder: &Path) -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> =
        fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path()).collect();
    files.retain(|path| path.extension().is_some_and(|extension| extension == "game"));
    files.sort();
    files
}

/// Gives a file a name that says it was brought in. One that has the name already is not replaced.
fn rename(path: &Path) -> io::Result<()> {
    let mut name = path.as_os_str().to_owned();
    name.push(".imported");
    if fs::exists(&name)? { Ok(()) } else { fs::rename(path, name) }
}
