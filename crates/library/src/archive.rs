//! Packed files: `.gz` and `.zip`, told by their first bytes.

use flate2::read::MultiGzDecoder;
use std::io::{self, Cursor, Read};

/// The most that is unpacked from one file, in all. The whole WTHOR database as PGN has a third of it.
pub const MOST_MEGABYTES: usize = 256;
/// The most files in one archive that are looked at.
const MOST_FILES: usize = 10_000;

/// A file that was packed, and what it was called.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unpacked {
    /// Its name in the archive; `None` where it is the only one and has none.
    pub name: Option<String>,
    /// What is in it.
    pub bytes: Vec<u8>,
}

/// Why an archive cannot be opened.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Trouble {
    /// It holds more than [`MOST_MEGABYTES`], or too many files.
    TooLarge,
    /// It cannot be read; what the reader says.
    Damaged(String),
}

/// The files packed in these bytes, or `None` if they are no archive.
///
/// # Errors
///
/// [`Trouble`] if they are one that cannot be opened.
pub fn unpack(bytes: &[u8]) -> Option<Result<Vec<Unpacked>, Trouble>> {
    match bytes {
        [0x1f, 0x8b, ..] => Some(gzip(bytes)),
        [b'P', b'K', 3, 4, ..] | [b'P', b'K', 5, 6, ..] => Some(zip(bytes)),
        _ => None,
    }
}

fn gzip(bytes: &[u8]) -> Result<Vec<Unpacked>, Trouble> {
    let mut room = MOST_MEGABYTES << 20;
    let bytes = take(MultiGzDecoder::new(bytes), &mut room)?;
    Ok(vec![Unpacked { name: None, bytes }])
}

fn zip(bytes: &[u8]) -> Result<Vec<Unpacked>, Trouble> {
    let damaged = |error: zip::result::ZipError| Trouble::Damaged(error.to_string());
    let mut archive = zip::ZipArchive::new(Cursor::new(bytes)).map_err(damaged)?;
    if archive.len() > MOST_FILES {
        return Err(Trouble::TooLarge);
    }
    let mut room = MOST_MEGABYTES << 20;
    let mut files = Vec::new();
    for at in 0..archive.len() {
        let file = archive.by_index(at).map_err(damaged)?;
        let name = file.name().map_err(damaged)?.into_owned();
        // what one system adds to every archive for itself
        if file.is_dir() || name.starts_with("__MACOSX/") {
            continue;
        }
        files.push(Unpacked { name: Some(name), bytes: take(file, &mut room)? });
    }
    Ok(files)
}

/// Reads to the end, if there is room for it. What an archive says of its own size is not believed.
fn take(packed: impl Read, room: &mut usize) -> Result<Vec<u8>, Trouble> {
    let mut bytes = Vec::new();
    let read = packed.take(*room as u64 + 1).read_to_end(&mut bytes);
    read.map_err(|error: io::Error| Trouble::Damaged(error.to_string()))?;
    *room = room.checked_sub(bytes.len()).ok_or(Trouble::TooLarge)?;
    Ok(bytes)
}
