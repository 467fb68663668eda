//! The journal: a line of JSON for each event, synced before the next step begins.
//!
//! The kernel locks the journal for the batch that writes it, and releases the lock when that process ends. Only the
//! last line can be torn, if the batch was killed; it is cut off when the batch continues.

mod error;
mod reading;

use std::fs::{File, TryLockError};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use serde::Serialize;
use tracing::info;

use super::inputs::BatchInputs;
use super::job::Ended;
use super::slurm::Array;
use crate::files;
use crate::spin::{SearchKey, SearchResult};
use reading::{BATCH, Batch, ENDED, Of, OfBatch, Reader, SCHEMA, SEARCHED, STARTED, SUBMITTING, Search};

pub use error::JournalError;
pub use reading::{Begun, JournalLine};

/// The file's name in a batch's folder.
pub(super) const FILE: &str = "journal.jsonl";

/// A journal that this process writes.
#[derive(Debug)]
pub struct Journal {
    path: PathBuf,
    file: Mutex<File>,
}

impl Journal {
    /// Starts a journal in a folder, or continues the existing one if `resume` is true.
    ///
    /// # Errors
    /// [`JournalError`] if the journal cannot be used.
    pub fn open(folder: &Path, inputs: &BatchInputs, resume: bool) -> Result<(Self, Begun), JournalError> {
        Self::at(&folder.join(FILE), inputs, resume)
    }

    /// Opens a journal as [`Self::open`] does, by its own path.
    pub(super) fn at(path: &Path, inputs: &BatchInputs, resume: bool) -> Result<(Self, Begun), JournalError> {
        let (path, folder) = (path.to_owned(), path.parent().unwrap_or(Path::new("")));
        let failed = |why| JournalError::File { path: path.clone(), why };
        fs_err::create_dir_all(folder).map_err(failed)?;
        let file = files::open_or_make(&path).map_err(failed)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(JournalError::Running(folder.to_owned())),
            Err(TryLockError::Error(why)) => return Err(failed(why)),
        }
        let journal = Self { path: path.clone(), file: Mutex::new(file) };
        let mut begun = journal.read(folder, inputs, resume)?;
        if begun.ended.is_empty() {
            begun = Begun { torn: begun.torn, ..Begun::of(inputs) };
            journal.append(&Batch { event: BATCH, schema: SCHEMA.to_owned(), inputs }).map_err(failed)?;
            // The file's name must survive a loss of power too.
            File::open(folder).and_then(|folder| folder.sync_all()).map_err(failed)?;
        }
        Ok((journal, begun))
    }

    /// The inputs of the batch in a folder, which may be running.
    ///
    /// # Errors
    /// If the journal cannot be read, or does not begin with its inputs.
    pub fn inputs(folder: &Path) -> Result<BatchInputs, JournalError> {
        let path = folder.join(FILE);
        let failed = |why| JournalError::File { path: path.clone(), why };
        let mut file = files::kept(&path, u64::MAX).unnamed().open().map_err(failed)?;
        let mut reader = Reader::new(&mut file, &path);
        let line = reader.line().map_err(failed)?.unwrap_or_default();
        reading::read_inputs(&line).map_err(|why| reader.damaged(why))
    }

    /// The path of the journal.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Writes that a job begins.
    ///
    /// # Errors
    /// If the line cannot be written.
    pub fn started(&self, job: usize) -> io::Result<()> {
        self.append(&Of { event: STARTED, job, what: () }).map(|_| ())
    }

    /// Writes a search of a job.
    ///
    /// # Errors
    /// If the line cannot be written.
    pub fn searched(&self, job: usize, key: &SearchKey, result: &SearchResult) -> io::Result<()> {
        let what = Search { key: key.clone(), result: result.clone() };
        self.append(&Of { event: SEARCHED, job, what }).map(|_| ())
    }

    /// Writes the end of a job, and returns the place of its line.
    ///
    /// # Errors
    /// If the line cannot be written.
    pub fn ended(&self, job: usize, ended: &Ended) -> io::Result<JournalLine> {
        self.append(&Of { event: ENDED, job, what: ended })
    }

    /// Writes that an array is about to be submitted to a cluster.
    ///
    /// # Errors
    /// If the line cannot be written.
    pub fn submitting(&self, array: &Array) -> io::Result<()> {
        self.append(&OfBatch { event: SUBMITTING, what: array }).map(|_| ())
    }

    /// Reads the end of a job from its line.
    ///
    /// # Errors
    /// If the line cannot be read.
    pub fn reread(&self, line: JournalLine) -> io::Result<Ended> {
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        let mut text = vec![0; line.length];
        file.seek(SeekFrom::Start(line.start))?;
        file.read_exact(&mut text)?;
        Ok(serde_json::from_slice(&text)?)
    }

    fn append(&self, event: &impl Serialize) -> io::Result<JournalLine> {
        let text = reading::sealed(event)?;
        info!(target: "journal.write", "writing a line of {} bytes to the journal", text.len());
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        let start = file.seek(SeekFrom::End(0))?;
        if let Err(error) = file.write_all(&text).and_then(|()| file.sync_data()) {
            // Half a line at the end would be cut off by the next run too.
            let _ = file.set_len(start);
            return Err(error);
        }
        info!(target: "journal.written", "the line is on the disk");
        Ok(JournalLine { start, length: text.len() - 1 })
    }

    fn read(&self, folder: &Path, inputs: &BatchInputs, resume: bool) -> Result<Begun, JournalError> {
        let failed = |why| JournalError::File { path: self.path.clone(), why };
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        let length = file.metadata().map_err(failed)?.len();
        let mut reader = Reader::new(&mut file, &self.path);
        let mut begun = Begun::default();
        while let Some(line) = reader.line().map_err(failed)? {
            let is_last = reader.start == length;
            match begun.add(&line, reader.start - line.len() as u64 - 1, inputs) {
                Ok(None) => {}
                Ok(Some(_)) | Err(_) if !resume => return Err(JournalError::Exists(folder.to_owned())),
                Ok(Some(difference)) => {
                    return Err(JournalError::Other { folder: folder.to_owned(), difference: Box::new(difference) });
                }
                Err(_) if reader.is_foreign(&line) => return Err(JournalError::Foreign(self.path.clone())),
                // A loss of power may leave a line's bytes unwritten.
                Err(_) if is_last && reader.number > 1 => {
                    reader.start -= line.len() as u64 + 1;
                    break;
                }
                Err(why) => return Err(reader.damaged(why)),
            }
        }
        let whole = reader.start;
        drop(reader);
        if whole == 0 && !Reader::begins_a_journal(&mut file).map_err(failed)? {
            return Err(JournalError::Foreign(self.path.clone()));
        }
        if !resume && whole > 0 {
            return Err(JournalError::Exists(folder.to_owned()));
        }
        begun.torn = length - whole;
        if begun.torn > 0 {
            file.set_len(whole).and_then(|()| file.sync_data()).map_err(failed)?;
        }
        Ok(begun)
    }
}
