//! The journal of a batch.

mod reading;

use std::io;
use std::path::Path;

use super::inputs::BatchInputs;
use super::job::Ended;
use super::slurm::Array;
use crate::session::journal::{self, FILE, JournalError, JournalFile, JournalLine};
use autotune_base::text::json;
use autotune_engine::spin::{SearchKey, SearchResult};
use reading::{BATCH, Batch, ENDED, Of, OfBatch, SCHEMA, SEARCHED, STARTED, SUBMITTING, Search};

pub use reading::Begun;

/// A journal that this process writes.
#[derive(Debug)]
pub struct Journal(JournalFile);

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
        let file = JournalFile::open(path, BATCH)?;
        let mut begun = Begun::default();
        let torn = file.read(resume, |event, place| {
            Ok(begun.add(event, place, inputs)?.map(|difference| difference.to_string()))
        })?;
        let is_new = begun.ended.is_empty();
        if is_new {
            begun = Begun::of(inputs);
        }
        // What a batch without a checker left open is proved with the checker that is there now, and with no other.
        if is_new || begun.lacks_checker && inputs.has_checker() {
            file.begin(&Batch { event: BATCH, schema: SCHEMA.to_owned(), inputs })?;
        }
        Ok((Self(file), Begun { torn, ..begun }))
    }

    /// The inputs of the batch in a folder, which may be running.
    ///
    /// # Errors
    /// If the journal cannot be read, or does not begin with its inputs.
    pub fn inputs(folder: &Path) -> Result<BatchInputs, JournalError> {
        journal::first(folder, reading::inputs_of)
    }

    /// The path of the journal.
    #[must_use]
    pub fn path(&self) -> &Path {
        self.0.path()
    }

    /// The number of a line, from 1.
    ///
    /// # Errors
    /// If the journal cannot be read.
    pub(super) fn number(&self, line: JournalLine) -> io::Result<usize> {
        self.0.number(line)
    }

    /// Writes that a job begins.
    ///
    /// # Errors
    /// If the line cannot be written.
    pub fn started(&self, job: usize) -> io::Result<()> {
        self.0.append(&Of { event: STARTED, job, what: () }).map(|_| ())
    }

    /// Writes a search of a job.
    ///
    /// # Errors
    /// If the line cannot be written.
    pub fn searched(&self, job: usize, key: &SearchKey, result: &SearchResult) -> io::Result<()> {
        let what = Search { key: key.clone(), result: result.clone() };
        self.0.append(&Of { event: SEARCHED, job, what }).map(|_| ())
    }

    /// Writes the end of a job, and returns the place of its line.
    ///
    /// # Errors
    /// If the line cannot be written.
    pub fn ended(&self, job: usize, ended: &Ended) -> io::Result<JournalLine> {
        self.0.append(&Of { event: ENDED, job, what: ended })
    }

    /// Writes that an array is about to be submitted to a cluster.
    ///
    /// # Errors
    /// If the line cannot be written.
    pub fn submitting(&self, array: &Array) -> io::Result<()> {
        self.0.append(&OfBatch { event: SUBMITTING, what: array }).map(|_| ())
    }

    /// Reads the end of a job from its line.
    ///
    /// # Errors
    /// If the line cannot be read.
    pub fn reread(&self, line: JournalLine) -> io::Result<Ended> {
        Ok(json::of_bytes(&self.0.reread(line)?)?)
    }
}
