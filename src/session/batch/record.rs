//! The searches of one job: recalled from the journal, and written to it.

use std::collections::HashMap;
use std::io;
use std::sync::{Arc, Mutex, PoisonError};

use super::journal::Journal;
use autotune_engine::spin::{Record, SearchKey, SearchResult};

/// The searches of one job.
#[derive(Debug)]
pub struct Memory {
    journal: Arc<Journal>,
    job: usize,
    made: HashMap<SearchKey, SearchResult>,
    /// The error of a search that could not be written.
    lost: Mutex<Option<io::Error>>,
}

impl Memory {
    /// The memory of a job, with the searches that it made before it was interrupted.
    #[must_use]
    pub fn new(journal: Arc<Journal>, job: usize, made: Vec<(SearchKey, SearchResult)>) -> Self {
        Self { journal, job, made: made.into_iter().collect(), lost: Mutex::default() }
    }

    /// Takes the error of a search that could not be written, so that the job must end; `None` if all were.
    #[must_use]
    pub fn lost(&self) -> Option<io::Error> {
        self.lost.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}

impl Record for Memory {
    fn recall(&self, key: &SearchKey) -> Option<SearchResult> {
        self.made.get(key).cloned()
    }

    fn keep(&self, key: &SearchKey, result: &SearchResult) -> io::Result<()> {
        self.journal.searched(self.job, key, result).map_err(|error| {
            let told = io::Error::new(error.kind(), error.to_string());
            self.lost.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
            told
        })
    }
}
