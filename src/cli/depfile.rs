//! `--depfile FILE`: the files that an answer depends on, for the build that asked for it.

mod error;

use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};

use super::failure::Failure;
use super::{config, output};
use crate::export::{depfile, is_depfile};
use crate::session::Inputs;
use autotune_base::files;

pub(super) use error::DepfileError;

/// The number of bytes at the beginning of a file that identify a depfile.
const BEGINNING: u64 = 64 * 1024;

/// A depfile, which exists only while it describes the last answer.
#[derive(Debug)]
pub(super) struct Depfile<'a> {
    path: &'a Path,
    /// The file that a build makes of the answer.
    target: &'a Path,
}

impl<'a> Depfile<'a> {
    /// Removes an earlier depfile, and checks that a new one can be written. A failure thus comes before the work.
    pub(super) fn open(path: &'a Path, target: &'a Path) -> Result<Self, DepfileError> {
        let file = Self { path, target };
        match files::kept(path, BEGINNING).beginning() {
            Err(why) if why.kind() == ErrorKind::NotFound => {}
            Err(why) => return Err(file.failed(why)),
            Ok(beginning) if is_depfile(&beginning) => std::fs::remove_file(path).map_err(|why| file.failed(why))?,
            Ok(_) => return Err(DepfileError::Foreign(path.to_owned())),
        }
        output::beside(path).map_err(|why| file.failed(why))?;
        Ok(file)
    }

    /// Writes the files of a question, and the file of the user's defaults.
    pub(super) fn write(&self, inputs: &Inputs) -> Result<(), Failure> {
        let files: Vec<PathBuf> = inputs.files().into_iter().chain(config::file()).collect();
        let text = depfile(self.target, &files)?;
        let written = || -> io::Result<()> {
            let mut file = output::beside(self.path)?;
            file.write_all(&text)?;
            file.persist(self.path)?;
            Ok(())
        };
        Ok(written().map_err(|why| self.failed(why))?)
    }

    fn failed(&self, why: io::Error) -> DepfileError {
        DepfileError::Unwritable { path: self.path.to_owned(), why }
    }
}
