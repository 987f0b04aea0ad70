//! Files are written beside, then renamed, so that nothing is ever half there.

use crate::{
    context::{Context, Failure},
    fail,
};
use std::{
    fs,
    io::{self, Write},
    path::{Path, PathBuf},
};

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
        match fs::metadata(&path) {
            Ok(there) if there.is_dir() => Err(io::ErrorKind::IsADirectory.into()),
            // renaming would replace it all the same: who made it so did not want that
            Ok(there) if there.is_file() && there.permissions().readonly() => {
                Err(io::ErrorKind::PermissionDenied.into())
            }
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
    let mut file = new_beside(path)?;
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

/// A new file in the folder of `path`, for its owner alone; it goes away by itself unless it is renamed.
pub(crate) fn new_beside(path: &Path) -> io::Result<tempfile::NamedTempFile> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    tempfile::Builder::new().prefix(".outflank-").suffix(".tmp").tempfile_in(folder)
}
