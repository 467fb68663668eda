//! A file that the user names for an answer, replaced only if this program wrote it.

use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};

use super::failure::Failure;
use super::output;
use autotune_base::files;

/// The number of bytes at the beginning of a file that identify it.
const BEGINNING: u64 = 64 * 1024;

/// A kind of files.
#[derive(Debug)]
pub(super) struct Kind {
    /// One and all of them, in words.
    pub(super) one: &'static str,
    pub(super) all: &'static str,
    /// True for the first bytes of such a file.
    pub(super) is: fn(&str) -> bool,
}

/// A file of a kind. An existing one is replaced as a whole.
#[derive(Debug, Clone)]
pub(super) struct OwnFile {
    path: PathBuf,
    kind: &'static Kind,
}

impl OwnFile {
    /// Checks that the file can be written. A failure thus comes before the work.
    pub(super) fn open(path: &Path, kind: &'static Kind) -> Result<Self, Failure> {
        let file = Self { path: path.to_owned(), kind };
        file.may_write()?;
        output::beside(path).map_err(|why| file.failed(why))?;
        Ok(file)
    }

    /// Writes the file. Readers see an earlier one until the new one is complete.
    pub(super) fn write(&self, text: &str) -> Result<(), Failure> {
        self.may_write()?;
        let written = || -> io::Result<()> {
            let mut file = output::beside(&self.path)?;
            file.write_all(text.as_bytes())?;
            file.persist(&self.path)?;
            Ok(())
        };
        written().map_err(|why| self.failed(why))
    }

    fn may_write(&self) -> Result<(), Failure> {
        match files::kept(&self.path, BEGINNING).beginning() {
            Err(why) if why.kind() == ErrorKind::NotFound => Ok(()),
            Err(why) => Err(self.failed(why)),
            Ok(beginning) if (self.kind.is)(&String::from_utf8_lossy(&beginning)) => Ok(()),
            Ok(_) => Err(Failure::OtherFile { path: self.path.clone(), one: self.kind.one, all: self.kind.all }),
        }
    }

    fn failed(&self, why: io::Error) -> Failure {
        Failure::OwnFile { path: self.path.clone(), one: self.kind.one, why }
    }
}
