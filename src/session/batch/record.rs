//! The searches of one job: remembered from the journal, and noted there.

use std::collections::HashMap;
use std::io;
use std::sync::{Arc, Mutex, PoisonError};

use super::journal::Journal;
use crate::spin::{Record, SearchKey, SearchResult};

/// The searches of one job.
#[derive(Debug)]
pub struct Memory {
    journal: Arc<Journal>,
    job: usize,
    made: HashMap<SearchKey, SearchResult>,
    /// Why a search could not be noted.
    lost: Mutex<Option<io::Error>>,
}

impl Memory {
    /// Of a job, with the searches that it made before it was cut short.
    #[must_use]
    pub fn new(journal: Arc<Journal>, job: usize, made: Vec<(SearchKey, SearchResult)>) -> Self {
        Self { journal, job, made: made.into_iter().collect(), lost: Mutex::default() }
    }

    /// Why a search could not be noted, if one could not: then nothing more is to be done.
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
