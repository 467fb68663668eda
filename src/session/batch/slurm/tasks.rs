//! The files of tasks in the folder that the nodes share: a journal each, and their outputs.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use std::{io, thread};

use fs_err as fs;

use super::super::inputs::BatchInputs;
use super::super::job::Ended;
use super::super::journal::{Begun, Journal};
use super::queue::TaskState;
use crate::session::JournalError;
use autotune_engine::spin::{SearchKey, SearchResult};

/// The folder's name in a batch's folder.
const FOLDER: &str = "slurm";

/// The time that a task waits for the lock of the task that it replaces: a file server may hold it for a lost node.
const PATIENCE: Duration = Duration::from_secs(300);

/// The files of tasks.
#[derive(Debug, Clone)]
pub struct Tasks {
    folder: PathBuf,
}

/// The files' content after a task.
#[derive(Debug, Default)]
pub struct Left {
    /// The end of the job; `None` if it has not ended.
    pub ended: Option<Ended>,
    /// The searches of the job, if it has not ended.
    pub searches: Vec<(SearchKey, SearchResult)>,
}

impl Tasks {
    /// The tasks' files of the batch in a folder.
    #[must_use]
    pub fn of(batch: &Path) -> Self {
        Self { folder: batch.join(FOLDER) }
    }

    /// The folder of the tasks' files.
    #[must_use]
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    fn journal(&self, job: usize) -> PathBuf {
        self.folder.join(format!("job-{job}.jsonl"))
    }

    /// The path of a task's output.
    #[must_use]
    pub fn output(&self, state: &TaskState) -> PathBuf {
        self.folder.join(format!("{}_{}.out", state.array, state.task))
    }

    /// Opens the journal of a job for its task. `inputs` are the inputs of this job alone.
    ///
    /// # Errors
    /// If the journal cannot be used, or the replaced task still writes it.
    pub fn open(&self, job: usize, inputs: &BatchInputs) -> Result<(Journal, Begun), JournalError> {
        let began = Instant::now();
        loop {
            match Journal::at(&self.journal(job), inputs, true) {
                Err(JournalError::Running { .. }) if began.elapsed() < PATIENCE => {
                    thread::sleep(Duration::from_secs(1));
                }
                opened => return opened,
            }
        }
    }

    /// Makes the journal of a job whose task is to continue after these searches.
    ///
    /// # Errors
    /// If the journal cannot be written, or a task still writes it.
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

    /// The end and the searches of a job's task; `None` if another process still writes its journal.
    ///
    /// # Errors
    /// If its journal cannot be used.
    pub fn left(&self, job: usize, inputs: &BatchInputs) -> Result<Option<Left>, JournalError> {
        let path = self.journal(job);
        if !path.exists() {
            return Ok(Some(Left::default()));
        }
        match Journal::at(&path, inputs, true) {
            Err(JournalError::Running { .. }) => Ok(None),
            // A journal of an earlier batch, or a damaged one, is ignored: the job is done again.
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

    /// Removes the journal of a job once its content is in the batch's journal.
    ///
    /// # Errors
    /// If the journal cannot be removed.
    pub fn remove(&self, job: usize) -> io::Result<()> {
        match fs::remove_file(self.journal(job)) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
            result => result,
        }
    }
}
