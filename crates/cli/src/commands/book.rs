//! `outflank book`: what the book of openings knows of a position, and more of it on request.

use crate::{
    args::{Book as Args, BookAdd, BookCommand, BookShow, Shelf},
    brain,
    columns::Columns,
    commands::library::folder,
    context::{Context, Failure},
    fail,
    files::{self, Games},
    interrupt, text,
};
use engine::{Engine, Limits, Stop};
use record::Record;
use rules::{Position, Square};
use serde_json::{Value, json};
use std::{
    fs,
    io::{self, Write},
    path::Path,
};
use study::{
    book::{Book, Entry, Value as Worth, worth_a_look},
    names,
};

/// Plies of the search that leaves out bad moves, and how many discs worse than the best a move may seem to it.
const SHALLOW: (u32, i32) = (8, 5);

pub(crate) fn run(args: &Args, context: &Context) -> Result<(), Failure> {
    match &args.command {
        BookCommand::Show(args) => show(args, context),
        BookCommand::Add(args) => add(args, context),
    }
}

fn show(args: &BookShow, context: &Context) -> Result<(), Failure> {
    let line = match &args.game {
        Some(game) => positions(&Games::open(game, context)?.record(1, context)?),
        None => vec![Position::start()],
    };
    let added = read_added(&args.shelf, context)?;
    tell(&line, &whole(&added), args.shelf.json, json!({}), context)
}

/// The positions of a game, first to last.
fn positions(record: &Record) -> Vec<Position> {
    let mut all = vec![record.start()];
    for square in record.main_line() {
        let next = all.last().and_then(|position| position.play(square).ok());
        all.extend(next.map(|step| step.after));
    }
    all
}

/// Our book and what was added.
fn whole(added: &Book) -> Book {
    let mut book = Book::clone(Book::shipped());
    book.merge(added);
    book
}

/// What was added so far; nothing if there is no such file.
fn read_added(shelf: &Shelf, context: &Context) -> Result<Book, Failure> {
    let path = folder(shelf, context)?.join(server::BOOK_FILE);
    match fs::read(&path) {
        Ok(bytes) => {
            Book::read(&bytes).map_err(|_| fail!(context, "cli-book-damaged", path = path.display().to_string()))
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Book::default()),
        Err(error) => Err(fail!(context, "cli-error-data", reason = context.reason(&error))),
    }
}

/// Never half a file: it is complete before it takes the place of the last one.
fn write_added(added: &Book, folder: &Path) -> io::Result<()> {
    library::private::make_folder(folder)?;
    let path = folder.join(server::BOOK_FILE);
    let mut file = files::new_beside(&path)?;
    file.write_all(&added.write())?;
    file.as_file().sync_all()?;
    file.persist(path).map_err(|error| error.error)?;
    Ok(())
}

fn add(args: &BookAdd, context: &Context) -> Result<(), Failure> {
    let record = Games::open(&args.game, context)?.record(1, context)?;
    let mut added = read_added(&args.shelf, context)?;
    let before = whole(&added).len();
    let mut work = Work {
        engine: Engine::new(brain::evaluator(), args.machine.options(128)),
        known: whole(&added),
        depth: args.depth.into(),
        stop: interrupt::stop(),
    };
    let line = positions(&record);
    let moves: Vec<Square> = record.main_line().collect();
    for (ply, position) in line.iter().enumerate().filter(|(_, position)| !position.is_over()) {
        let played = moves.get(ply).copied();
        let leads_on =
            |entry: &Entry| played.is_some_and(|square| entry.moves.iter().any(|found| found.square == square));
        if work.known.find(position).as_ref().is_some_and(leads_on) {
            continue;
        }
        work.expand(&mut added, position, played);
        if work.stop.is_set() {
            break;
        }
    }
    // what was finished before an interruption stays
    let folder = folder(&args.shelf, context)?;
    write_added(&added, &folder).map_err(|error| fail!(context, "cli-error-data", reason = context.reason(&error)))?;
    let book = whole(&added);
    let new = book.len() - before;
    if !args.shelf.json {
        context.line(&text!(context, "cli-book-added", positions = new, depth = args.depth))?;
    }
    tell(&line, &book, args.shelf.json, json!({ "added": new }), context)?;
    if work.stop.is_set() { Err(Failure::Quiet(130)) } else { Ok(()) }
}

struct Work {
    engine: Engine,
    /// Everything known before.
    known: Book,
    depth: u32,
    stop: Stop,
}

impl Work {
    /// Gives a position its replies: those that are not clearly worse than the best, and the one that was played.
    fn expand(&mut self, added: &mut Book, position: &Position, played: Option<Square>) {
        let Some(value) = self.value(position) else { return };
        let (depth, within) = SHALLOW;
        let limits = Limits { lines: usize::MAX, stop: self.stop.clone(), ..Limits::depth(depth) };
        let mut squares = worth_a_look(&self.engine.search(position, &limits, &mut |_| {}), within);
        squares.extend(played.filter(|square| !squares.contains(square)));
        let reply = |square| Some((square, Some(self.value(&position.play_unchecked(square).after)?)));
        let replies: Option<Vec<_>> = squares.into_iter().map(reply).collect();
        // half a list of replies would say that the best of the others does not exist
        let Some(replies) = replies else { return };
        added.add(position, value);
        added.expand(&[(*position, replies)]);
    }

    /// What a position is worth: as is known, if that is as deep, or by a search; `None` if it was stopped.
    fn value(&mut self, position: &Position) -> Option<Worth> {
        let known = self.known.find(position).map(|entry| entry.value);
        if let Some(value) = known.filter(|value| value.exact || u32::from(value.depth) >= self.depth) {
            return Some(value);
        }
        let limits = Limits { stop: self.stop.clone(), ..Limits::depth(self.depth) };
        let analysis = self.engine.search(position, &limits, &mut |_| {});
        if self.stop.is_set() { None } else { Worth::of(position, &analysis) }
    }
}

/// What the book says of the last position of a line.
fn tell(line: &[Position], book: &Book, as_json: bool, mut told: Value, context: &Context) -> Result<(), Failure> {
    let opening = names::of(line);
    let entry = line.last().and_then(|last| book.find(last));
    if as_json {
        told["opening"] = opening.map_or(Value::Null, |opening| json!({ "en": opening.en, "es": opening.es }));
        told["known"] = entry.is_some().into();
        let worth = |value: Worth, lines: u32| json!({ "score": value.score, "depth": value.depth, "exact": value.exact, "lines": lines });
        let all = entry.as_ref().map(|entry| worth(entry.value, entry.lines));
        for key in ["score", "depth", "exact", "lines"] {
            told[key] = all.as_ref().map_or(Value::Null, |all| all[key].clone());
        }
        told["next"] = json!([]);
        if let Some(entry) = entry {
            let next = entry.moves.iter().map(|found| {
                let mut next = worth(found.value, found.lines);
                next["square"] = found.square.to_string().into();
                next
            });
            told["next"] = next.collect();
        }
        return context.line(&told.to_string());
    }
    if let Some(opening) = opening {
        context.line(context.messages.of(opening.en, opening.es))?;
    }
    let Some(entry) = entry else { return context.line(&text!(context, "cli-book-unknown")) };
    let columns = Columns::new(&text!(context, "cli-book-columns"), &[4, 6, 6, 8]);
    context.line(&columns.title())?;
    let row = |name: String, value: Worth, lines: u32| {
        let depth = if value.exact { "100%".to_owned() } else { value.depth.to_string() };
        columns.row(&[name, format!("{:+}", value.score), depth, lines.to_string()])
    };
    context.line(&row(String::new(), entry.value, entry.lines))?;
    for found in &entry.moves {
        context.line(&row(found.square.to_string(), found.value, found.lines))?;
    }
    Ok(())
}
