//! `outflank library backup FILE` and `restore FILE`: everything in the data folder, games and library, as one file.

use super::{folder, unusable};
use crate::{
    args::{Backup, Restore},
    context::{Context, Failure},
    fail, files, text,
};
use library::private;
use serde_json::json;
use std::{
    fs::{self, File, TryLockError},
    io::{self, BufRead, BufReader, Read, Write},
    path::Path,
};
use zip::{ZipArchive, ZipWriter, result::ZipError, write::SimpleFileOptions};

/// The files of a data folder, and which of them are databases.
const FILES: [(&str, bool); 4] =
    [("outflank.db", true), (library::FILE, true), ("outflank.key", false), (server::BOOK_FILE, false)];
/// More than that no file of a backup has.
const MOST_BYTES: u64 = 16 << 30;
/// How much is read and written at a time.
const PIECE: usize = 1 << 16;

/// `--json` prints `to` (the file) and `files` (what is in it).
pub(super) fn back_up(args: &Backup, context: &Context) -> Result<(), Failure> {
    let folder = folder(&args.shelf, context)?;
    let path = args.into.display().to_string();
    if !args.force && args.into.is_file() {
        return Err(fail!(context, "cli-library-there", path = path));
    }
    let unwritable =
        |error: &io::Error| fail!(context, "cli-error-write", path = path.as_str(), reason = context.reason(error));
    let written = write(&folder, &args.into, &unwritable, context)?;
    let Some(names) = written else {
        return Err(fail!(context, "cli-backup-nothing", path = folder.display().to_string()));
    };
    if args.shelf.json {
        return context.line(&json!({ "to": path, "files": names }).to_string());
    }
    context.line(&text!(context, "cli-backup-done", path = path))
}

/// Writes the files of a folder into one, which is there when it is whole; their names, or `None` if there are none.
fn write(
    folder: &Path,
    into: &Path,
    unwritable: &dyn Fn(&io::Error) -> Failure,
    context: &Context,
) -> Result<Option<Vec<&'static str>>, Failure> {
    let file = files::new_beside(into).map_err(|error| unwritable(&error))?;
    let copies = tempfile::tempdir_in(file.path().parent().unwrap_or(Path::new(".")));
    let copies = copies.map_err(|error| unwritable(&error))?;
    let mut archive = ZipWriter::new(file);
    let mut names = Vec::new();
    for (name, database) in FILES {
        let mut from = folder.join(name);
        if !from.is_file() {
            continue;
        }
        if database {
            let copy = copies.path().join(name);
            library::back_up(&from, &copy).map_err(|error| unusable(error, context))?;
            from = copy;
        }
        put(&mut archive, name, &from).map_err(|error| unwritable(&error))?;
        names.push(name);
    }
    if names.is_empty() {
        return Ok(None);
    }
    let file = archive.finish().map_err(|error| unwritable(&error.into()))?;
    file.as_file().sync_all().map_err(|error| unwritable(&error))?;
    file.persist(into).map_err(|error| unwritable(&error.error))?;
    Ok(Some(names))
}

fn put(archive: &mut ZipWriter<tempfile::NamedTempFile>, name: &str, from: &Path) -> io::Result<()> {
    let options = SimpleFileOptions::default().unix_permissions(0o600).large_file(true);
    archive.start_file(name, options)?;
    io::copy(&mut File::open(from)?, archive).map(drop)
}

/// `--json` prints `from` (the file) and `files` (what was brought back).
pub(super) fn restore(args: &Restore, context: &Context) -> Result<(), Failure> {
    let folder = folder(&args.shelf, context)?;
    let path = args.from.display().to_string();
    let unreadable =
        |error: &io::Error| fail!(context, "cli-error-read", path = path.as_str(), reason = context.reason(error));
    let file = File::open(&args.from).map_err(|error| unreadable(&error))?;
    let damaged = || fail!(context, "cli-backup-foreign", path = path.as_str());
    let mut archive = ZipArchive::new(BufReader::new(file)).map_err(|_| damaged())?;
    let in_folder = |error: &io::Error| {
        fail!(context, "cli-error-write", path = folder.display().to_string(), reason = context.reason(error))
    };
    private::make_folder(&folder).map_err(|error| in_folder(&error))?;
    // Whoever has the games open holds this lock: nothing is put under their feet.
    let lock = private::open(&folder.join("outflank.lock"), File::options().create(true).append(true));
    let lock = lock.map_err(|error| in_folder(&error))?;
    match lock.try_lock() {
        Ok(()) => {}
        Err(TryLockError::WouldBlock) => {
            return Err(fail!(context, "cli-error-data-used", path = folder.display().to_string()));
        }
        Err(TryLockError::Error(error)) => return Err(in_folder(&error)),
    }
    // All of them are whole and on the disk before the first takes its place.
    let fresh = tempfile::tempdir_in(&folder).map_err(|error| in_folder(&error))?;
    let mut names = Vec::new();
    for (name, database) in FILES {
        let file = match archive.by_name(name) {
            Ok(file) => file,
            Err(ZipError::FileNotFound) => continue,
            Err(_) => return Err(damaged()),
        };
        let to = fresh.path().join(name);
        unpack(file, &to, &damaged, &in_folder)?;
        if database {
            library::check(&to).map_err(|_| damaged())?;
        }
        names.push((name, database));
    }
    // A file under a name that is none of ours is one of ours whose name was damaged, or of a newer program.
    if names.is_empty() || names.len() != archive.len() {
        return Err(damaged());
    }
    let there = |name: &str| folder.join(name).exists();
    if !args.force
        && let Some((name, _)) = names.iter().find(|(name, _)| there(name))
    {
        return Err(fail!(context, "cli-library-there", path = folder.join(name).display().to_string()));
    }
    for &(name, database) in &names {
        let old = folder.join(name);
        if database && old.exists() {
            library::retire(&old).map_err(|error| unusable(error, context))?;
        }
        fs::rename(fresh.path().join(name), &old).map_err(|error| in_folder(&error))?;
    }
    if args.shelf.json {
        let names: Vec<&str> = names.iter().map(|(name, _)| *name).collect();
        return context.line(&json!({ "from": path, "files": names }).to_string());
    }
    context.line(&text!(context, "cli-restore-done", folder = folder.display().to_string()))
}

/// Writes a file of the archive for its owner only. What cannot be read of it is not what cannot be written.
fn unpack(
    file: impl Read,
    to: &Path,
    damaged: &dyn Fn() -> Failure,
    unwritable: &dyn Fn(&io::Error) -> Failure,
) -> Result<(), Failure> {
    let unwritable = |error: io::Error| unwritable(&error);
    let mut out = private::open(to, File::options().write(true).create_new(true)).map_err(unwritable)?;
    let mut file = BufReader::with_capacity(PIECE, file.take(MOST_BYTES));
    loop {
        let piece = file.fill_buf().map_err(|_| damaged())?;
        if piece.is_empty() {
            break;
        }
        out.write_all(piece).map_err(unwritable)?;
        let read = piece.len();
        file.consume(read);
    }
    out.sync_all().map_err(unwritable)
}
