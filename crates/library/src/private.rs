//! Files and folders for their owner only, where the system knows owners.

use std::{
    fs::{DirBuilder, File, OpenOptions},
    io,
    path::Path,
};

/// Makes `folder` and those above it; one that is there already stays as it is.
///
/// ```
/// let home = tempfile::tempdir()?;
/// library::private::make_folder(&home.path().join("games/of/ana"))?;
/// assert!(home.path().join("games/of/ana").is_dir());
/// # Ok::<(), std::io::Error>(())
/// ```
pub fn make_folder(folder: &Path) -> io::Result<()> {
    let mut builder = DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder)
}

/// Opens `path` as `options` say; a new file is its owner's only.
///
/// ```
/// let home = tempfile::tempdir()?;
/// library::private::open(&home.path().join("games"), std::fs::File::options().write(true).create_new(true))?;
/// # Ok::<(), std::io::Error>(())
/// ```
pub fn open(path: &Path, options: &mut OpenOptions) -> io::Result<File> {
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(options, 0o600);
    options.open(path)
}
