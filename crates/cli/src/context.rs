//! What every command is given, and how it fails.

use crate::{language::Messages, text};
use std::io::{self, Write};
use tokio_rustls::rustls::{self, CertificateError};

/// What every command is given.
pub(crate) struct Context {
    pub(crate) messages: Messages,
}

/// Why the program stops early.
#[derive(Debug)]
pub(crate) enum Failure {
    /// One sentence for the user, in their language; exit code 2.
    Sentence(String),
    /// What there was to say has been said.
    Quiet(u8),
}

impl Failure {
    /// What there is to say.
    pub(crate) fn sentence(self) -> String {
        match self {
            Failure::Sentence(sentence) => sentence,
            Failure::Quiet(_) => String::new(),
        }
    }
}

/// A [`Failure`] with the text of a message: `fail!(context, "cli-error-missing", arg = name)`.
#[macro_export]
macro_rules! fail {
    ($($message:tt)*) => { $crate::context::Failure::Sentence($crate::text!($($message)*)) };
}

impl Context {
    /// Writes to standard output. A reader who has heard enough (`outflank … | head`) ends the program quietly.
    pub(crate) fn print(&self, text: &str) -> Result<(), Failure> {
        self.print_bytes(text.as_bytes())
    }

    /// [`print`](Context::print) for what is not text.
    pub(crate) fn print_bytes(&self, bytes: &[u8]) -> Result<(), Failure> {
        let mut out = io::stdout().lock();
        match out.write_all(bytes).and_then(|()| out.flush()) {
            Ok(()) => Ok(()),
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Err(Failure::Quiet(0)),
            Err(error) => Err(fail!(self, "cli-error-stdout", reason = self.reason(&error))),
        }
    }

    /// Writes one line to standard output.
    pub(crate) fn line(&self, text: &str) -> Result<(), Failure> {
        self.print(&format!("{text}\n"))
    }

    /// What went wrong with a file, in the user's language where the reason is a common one.
    pub(crate) fn reason(&self, error: &io::Error) -> String {
        use io::ErrorKind::*;
        if let Some(error) = error.get_ref().and_then(|inner| inner.downcast_ref()) {
            return self.not_encrypted(error);
        }
        match error.kind() {
            NotFound => text!(self, "cli-reason-not-found"),
            PermissionDenied => text!(self, "cli-reason-denied"),
            IsADirectory => text!(self, "cli-reason-directory"),
            NotADirectory => text!(self, "cli-reason-not-a-directory"),
            ReadOnlyFilesystem => text!(self, "cli-reason-read-only"),
            StorageFull => text!(self, "cli-reason-full"),
            _ => error.to_string(),
        }
    }

    /// Why no encrypted connection came about.
    fn not_encrypted(&self, error: &rustls::Error) -> String {
        use CertificateError::*;
        match error {
            // What else is wrong with a certificate is, nearly always, that it was signed by itself.
            rustls::Error::InvalidCertificate(UnknownIssuer | Other(_)) => text!(self, "cli-reason-unknown-issuer"),
            rustls::Error::InvalidCertificate(NotValidForName | NotValidForNameContext { .. }) => {
                text!(self, "cli-reason-other-name")
            }
            rustls::Error::InvalidCertificate(Expired | ExpiredContext { .. }) => text!(self, "cli-reason-expired"),
            error => text!(self, "cli-reason-not-encrypted", reason = error.to_string()),
        }
    }
}
