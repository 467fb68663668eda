//! `--rows FILE`: a table of measured runs beside their predictions.

use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};

use super::failure::Failure;
use super::output;
use crate::export::{is_run_table, runs};
use crate::files;
use crate::result::RunTable;

/// The number of bytes at the beginning of a file that identify a table of this program.
const BEGINNING: u64 = 64 * 1024;

/// The file of a table. An existing table is replaced as a whole, and only if this program wrote it: the measurements
/// themselves are never overwritten.
#[derive(Debug, Clone)]
pub(super) struct RowsFile {
    path: PathBuf,
}

impl RowsFile {
    /// Checks that the table can be written. A failure thus comes before the work.
    pub(super) fn open(path: &Path) -> Result<Self, Failure> {
        let file = Self { path: path.to_owned() };
        file.may_write()?;
        output::beside(path).map_err(|why| file.failed(why))?;
        Ok(file)
    }

    /// Writes the table. Readers see an earlier table until the new one is complete.
    pub(super) fn write(&self, table: &RunTable) -> Result<(), Failure> {
        let text = runs(table)?;
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
            Ok(beginning) if is_run_table(&String::from_utf8_lossy(&beginning)) => Ok(()),
            Ok(_) => Err(Failure::NoTable(self.path.clone())),
        }
    }

    fn failed(&self, why: io::Error) -> Failure {
        Failure::Table { path: self.path.clone(), why }
    }
}
