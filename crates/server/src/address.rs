//! Where a server is, left beside its games for other programs of the same user: `outflank.address`.
//!
//! Two lines, the address and a secret that makes whoever shows it the owner, in a file that only its owner can read. The lock
//! on the games says whether anybody is there; a file that a killed server left means nothing without it.

use std::{
    fs::{self, OpenOptions},
    io::{self, Write},
    net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr},
    path::{Path, PathBuf},
};

const NAME: &str = "outflank.address";

/// What the file says.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Left {
    pub(crate) address: SocketAddr,
    pub(crate) token: String,
}

/// A file that is there as long as this is.
#[derive(Debug)]
pub(crate) struct AddressFile(PathBuf);

/// Leaves the address of a server that listens on `bound`.
pub(crate) fn leave(folder: &Path, bound: SocketAddr, token: &str) -> io::Result<AddressFile> {
    let (path, new) = (folder.join(NAME), folder.join(format!("{NAME}.new")));
    // Whoever could read an older one could still: a new file has nobody's eyes on it.
    match fs::remove_file(&new) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(&new)?.write_all(format!("{}\n{token}\n", on_this_machine(bound)).as_bytes())?;
    // Under its own name it is always whole.
    fs::rename(&new, &path)?;
    Ok(AddressFile(path))
}

/// What the server in charge of `folder` left.
pub(crate) fn read(folder: &Path) -> io::Result<Left> {
    let text = fs::read_to_string(folder.join(NAME))?;
    let bad = || io::Error::new(io::ErrorKind::InvalidData, format!("{NAME} is not whole"));
    let mut lines = text.lines();
    let address = lines.next().and_then(|line| line.parse().ok()).ok_or_else(bad)?;
    let token = lines.next().filter(|token| !token.is_empty()).ok_or_else(bad)?.to_owned();
    Ok(Left { address, token })
}

impl Drop for AddressFile {
    fn drop(&mut self) {
        // One that stays is found out: nobody answers there.
        let _ = fs::remove_file(&self.0);
    }
}

/// The address by which a server is reached from the machine it runs on.
pub(crate) fn on_this_machine(bound: SocketAddr) -> SocketAddr {
    let ip = match bound.ip() {
        IpAddr::V4(ip) if ip.is_unspecified() => Ipv4Addr::LOCALHOST.into(),
        IpAddr::V6(ip) if ip.is_unspecified() => Ipv6Addr::LOCALHOST.into(),
        ip => ip,
    };
    SocketAddr::new(ip, bound.port())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_there_as_long_as_its_server_and_only_its_owner_reads_it() {
        let folder = tempfile::tempdir().unwrap();
        // what a killed server left, for everyone to read
        fs::write(folder.path().join(NAME), "127.0.0.1:1\nold\n").unwrap();
        fs::write(folder.path().join("outflank.address.new"), "127.0.0.1:1\nold\n").unwrap();
        let file = leave(folder.path(), "0.0.0.0:8464".parse().unwrap(), "secret").unwrap();
        let left = Left { address: "127.0.0.1:8464".parse().unwrap(), token: "secret".to_owned() };
        assert_eq!(read(folder.path()).unwrap(), left);
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            let mode = fs::metadata(folder.path().join(NAME)).unwrap().permissions().mode();
            assert_eq!(mode & 0o777, 0o600);
        }
        drop(file);
        assert_eq!(read(folder.path()).unwrap_err().kind(), io::ErrorKind::NotFound);
        for bad in ["", "127.0.0.1:1", "127.0.0.1:1\n\n", "nowhere\nsecret\n"] {
            fs::write(folder.path().join(NAME), bad).unwrap();
            assert_eq!(read(folder.path()).unwrap_err().kind(), io::ErrorKind::InvalidData, "{bad:?}");
        }
    }
}
