//! What tasks leave in the folder that the nodes share: a journal each, and their outputs.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use std::{io, thread};

use fs_err as fs;

use super::super::inputs::BatchInputs;
use super::super::job::Ended;
use super::super::journal::{Begun, Journal, JournalError};
use super::queue::TaskState;
use crate::spin::{SearchKey, SearchResult};

/// The folder's name in a batch's folder.
const FOLDER: &str = "slurm";

/// How long a task waits for the lock of the one that it replaces: a file server may hold it for a node that is gone.
const PATIENCE: Duration = Duration::from_secs(300);

/// The files of tasks.
#[derive(Debug, Clone)]
pub struct Tasks {
    folder: PathBuf,
}

/// What a task has left.
#[derive(Debug, Default)]
pub struct Left {
    /// How its job ended, if it has.
    pub ended: Option<Ended>,
    /// Its searches, if it has not.
    pub searches: Vec<(SearchKey, SearchResult)>,
}

impl Tasks {
    /// Those of a batch in a folder.
    #[must_use]
    pub fn of(batch: &Path) -> Self {
        Self { folder: batch.join(FOLDER) }
    }

    /// Where they are.
    #[must_use]
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    fn journal(&self, job: usize) -> PathBuf {
        self.folder.join(format!("job-{job}.jsonl"))
    }

    /// Where a task's output is.
    #[must_use]
    pub fn output(&self, state: &TaskState) -> PathBuf {
        self.folder.join(format!("{}_{}.out", state.array, state.task))
    }

    /// Opens the journal of a job for its task. `inputs` are those of the job alone.
    ///
    /// # Errors
    /// It cannot be used, or the task that this one replaces still writes it.
    pub fn open(&self, job: usize, inputs: &BatchInputs) -> Result<(Journal, Begun), JournalError> {
        let began = Instant::now();
        loop {
            match Journal::at(&self.journal(job), inputs, true) {
                Err(JournalError::Running(_)) if began.elapsed() < PATIENCE => thread::sleep(Duration::from_secs(1)),
                opened => return opened,
            }
        }
    }

    /// Makes the journal of a job whose task is to go on after these searches.
    ///
    /// # Errors
    /// It cannot be written, or a task still writes it.
    pub fn prepare(
        &self,
        job: usize,
        inputs: &BatchInputs,
        searches: &[(SearchKey, SearchResult)],
    ) -> Result<(), JournalError> {
        if searches.is_empty() {
            return Ok(());
        }
        let path = self.journal(job);
        let (journal, _) = Journal::at(&path, inputs, true)?;
        for (key, result) in searches {
            journal.searched(0, key, result).map_err(|why| JournalError::File { path: path.clone(), why })?;
        }
        Ok(())
    }

    /// What the task of a job has left; none if another process writes it still.
    ///
    /// # Errors
    /// Its journal cannot be used.
    pub fn left(&self, job: usize, inputs: &BatchInputs) -> Result<Option<Left>, JournalError> {
        let path = self.journal(job);
        if !path.exists() {
            return Ok(Some(Left::default()));
        }
        match Journal::at(&path, inputs, true) {
            Err(JournalError::Running(_)) => Ok(None),
            // It is of an earlier batch in the same folder, or of no use: then the job is done anew.
            Err(JournalError::Other { .. } | JournalError::Damaged { .. }) => Ok(Some(Left::default())),
            Err(error) => Err(error),
            Ok((journal, mut begun)) => {
                let line = begun.ended.pop().flatten().map(|(_, line)| line);
                let ended = line.map(|line| journal.reread(line)).transpose();
                let ended = ended.map_err(|why| JournalError::File { path, why })?;
                Ok(Some(Left { ended, searches: begun.searches.pop().unwrap_or_default() }))
            }
        }
    }

    /// Removes the journal of a job, of which all is in the batch's.
    ///
    /// # Errors
    /// It cannot be removed.
    pub fn remove(&self, job: usize) -> io::Result<()> {
        match fs::remove_file(self.journal(job)) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
            result => result,
        }
    }
}
