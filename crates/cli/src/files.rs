//! Files: read whole; written beside, then renamed, so that nothing is ever half there.

use crate::{
    context::{Context, Failure},
    fail,
};
use record::{Format, Record, Rejection, Why, import, wthor::Names};
use std::{
    fs,
    io::{self, Read, Write},
    path::{Path, PathBuf},
};

/// A file of games or positions, read into memory.
pub(crate) struct Source {
    /// What the user called it.
    pub(crate) name: String,
    pub(crate) bytes: Vec<u8>,
    /// The names that go with a WTHOR file.
    pub(crate) names: Names,
}

impl Source {
    /// Reads a file, or standard input for `-`.
    pub(crate) fn open(path: &Path, context: &Context) -> Result<Source, Failure> {
        let name = path.display().to_string();
        let bytes = if path == "-" {
            let mut bytes = Vec::new();
            io::stdin().lock().read_to_end(&mut bytes).map(|_| bytes)
        } else {
            fs::read(path)
        };
        let bytes = bytes.map_err(|error| {
            let reason = context.reason(&error);
            fail!(context, "cli-error-read", path = name.as_str(), reason = reason)
        })?;
        Ok(Source { names: names_beside(path), name, bytes })
    }

    /// What kind of file it is.
    pub(crate) fn format(&self) -> Result<Format, Why> {
        import::guess(&self.name, &self.bytes)
    }

    /// What kind of file it is, or one sentence.
    pub(crate) fn known_format(&self, context: &Context) -> Result<Format, Failure> {
        self.format()
            .map_err(|why| fail!(context, "cli-rejected-file", file = self.name.as_str(), why = context.why(&why)))
    }

    /// Its games, one after another.
    pub(crate) fn records(&self, format: Format) -> impl Iterator<Item = Result<Record, Rejection>> {
        import::records(format, &self.bytes, &self.names)
    }
}

/// The players and tournaments of a WTHOR file lie in the same folder, under its own name or the usual ones.
fn names_beside(path: &Path) -> Names {
    let mut names = Names::default();
    if !path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("wtb")) {
        return names;
    }
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let stem = path.file_stem().map(|stem| stem.to_string_lossy().to_ascii_lowercase()).unwrap_or_default();
    let files: Vec<PathBuf> = fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path()).collect();
    let find = |extension: &str| {
        let wanted = [stem.as_str(), "wthor", "wth"].map(|stem| format!("{stem}.{extension}"));
        let name = |file: &&PathBuf| file.file_name().map(|name| name.to_string_lossy().to_ascii_lowercase());
        wanted.iter().find_map(|wanted| files.iter().find(|file| name(file).as_ref() == Some(wanted)))
    };
    // Without names, or with damaged ones, players have numbers.
    if let Some(bytes) = find("jou").and_then(|file| fs::read(file).ok()) {
        let _ = names.read_players(&bytes);
    }
    if let Some(bytes) = find("trn").and_then(|file| fs::read(file).ok()) {
        let _ = names.read_tournaments(&bytes);
    }
    names
}

/// Writes all these files, or none and one sentence.
pub(crate) fn write(files: &[(PathBuf, Vec<u8>)], context: &Context) -> Result<(), Failure> {
    let mut ready = Vec::new();
    for (path, bytes) in files {
        ready.push((path, Ready::new(path, bytes).map_err(|error| unwritable(path, &error, context))?));
    }
    for (path, file) in ready {
        file.put().map_err(|error| unwritable(path, &error, context))?;
    }
    Ok(())
}

fn unwritable(path: &Path, error: &io::Error, context: &Context) -> Failure {
    fail!(context, "cli-error-write", path = path.display().to_string(), reason = context.reason(error))
}

/// Something that is as good as written.
enum Ready<'a> {
    /// A file under another name, and the name it is to have.
    File(tempfile::NamedTempFile, PathBuf),
    /// A pipe or a device, which cannot be written beside and must not be replaced.
    Special(fs::File, &'a [u8]),
}

impl Ready<'_> {
    fn new<'a>(path: &Path, bytes: &'a [u8]) -> io::Result<Ready<'a>> {
        // a link stays a link to what is written
        let path = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        match fs::metadata(&path).map(|there| there.file_type()) {
            Ok(there) if there.is_dir() => Err(io::ErrorKind::IsADirectory.into()),
            Ok(there) if !there.is_file() => {
                fs::OpenOptions::new().write(true).open(&path).map(|file| Ready::Special(file, bytes))
            }
            _ => Ok(Ready::File(beside(&path, bytes)?, path)),
        }
    }

    fn put(self) -> io::Result<()> {
        match self {
            Ready::File(file, path) => file.persist(path).map(drop).map_err(|error| error.error),
            Ready::Special(mut file, bytes) => file.write_all(bytes),
        }
    }
}

/// Writes `bytes` to a file beside `path`; it goes away by itself unless it is renamed.
fn beside(path: &Path, bytes: &[u8]) -> io::Result<tempfile::NamedTempFile> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut file = tempfile::Builder::new().prefix(".outflank-").suffix(".tmp").tempfile_in(folder)?;
    file.write_all(bytes)?;
    file.as_file().sync_all()?;
    // A temporary file is for its owner alone; the result should be as any other new file, or as the one it replaces.
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let mode = fs::metadata(path).map_or(0o644, |old| old.permissions().mode());
        file.as_file().set_permissions(fs::Permissions::from_mode(mode & 0o7777))?;
    }
    Ok(file)
}
