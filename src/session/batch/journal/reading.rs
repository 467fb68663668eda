//! The shapes of a journal's events, and the progress of a batch that they describe.

use serde::{Deserialize, Serialize};

use super::super::inputs::{BatchInputs, Difference};
use super::super::job::{Ended, Summary};
use super::super::slurm::Array;
use crate::session::journal::JournalLine;
use autotune_base::text::json;
use autotune_engine::spin::{SearchKey, SearchResult};

/// The schema that this program writes and reads.
pub(super) const SCHEMA: &str = "autotune.journal/2";

pub(super) const BATCH: &str = "batch";
pub(super) const STARTED: &str = "started";
pub(super) const SEARCHED: &str = "searched";
pub(super) const ENDED: &str = "ended";
pub(super) const SUBMITTING: &str = "submitting";

/// The first event: the inputs of the batch.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Batch<'a, I> {
    pub(super) event: &'a str,
    pub(super) schema: String,
    pub(super) inputs: I,
}

/// An event of a job.
#[derive(Serialize)]
pub(super) struct Of<'a, T> {
    pub(super) event: &'a str,
    pub(super) job: usize,
    #[serde(flatten)]
    pub(super) what: T,
}

/// An event of the batch.
#[derive(Serialize)]
pub(super) struct OfBatch<'a, T> {
    pub(super) event: &'a str,
    #[serde(flatten)]
    pub(super) what: T,
}

#[derive(Serialize, Deserialize)]
pub(super) struct Search {
    pub(super) key: SearchKey,
    pub(super) result: SearchResult,
}

/// The kind of event of a line.
#[derive(Deserialize)]
struct Head {
    event: String,
    job: Option<usize>,
}

/// The progress of a journal's batch.
#[derive(Debug, Default)]
pub struct Begun {
    /// For each job, its end and the place of its line; `None` if it has not ended.
    pub ended: Vec<Option<(Summary, JournalLine)>>,
    /// For each job, the searches since its last end.
    pub searches: Vec<Vec<(SearchKey, SearchResult)>>,
    /// The arrays that were submitted to a cluster.
    pub arrays: Vec<Array>,
    /// True if the batch could prove nothing, since SPIN or a C compiler was not installed.
    pub lacks_checker: bool,
    /// The bytes of a torn last line that were cut off.
    pub torn: u64,
}

impl Begun {
    /// The progress of a batch that has just begun.
    pub(super) fn of(inputs: &BatchInputs) -> Self {
        Self {
            ended: inputs.jobs.iter().map(|_| None).collect(),
            searches: inputs.jobs.iter().map(|_| Vec::new()).collect(),
            ..Self::default()
        }
    }

    /// Adds an event; returns the first difference between the journal's inputs and `inputs`, or `None`.
    pub(super) fn add(
        &mut self,
        line: &[u8],
        place: JournalLine,
        inputs: &BatchInputs,
    ) -> Result<Option<Difference>, String> {
        let wrong = |error: serde_json::Error| error.to_string();
        let head: Head = json::of_bytes(line).map_err(wrong)?;
        let is_begin = head.event == BATCH;
        if self.ended.is_empty() != is_begin && !(self.lacks_checker && is_begin) {
            return Err("a journal begins with its inputs, once".to_owned());
        }
        if is_begin {
            let then = inputs_of(line)?;
            if self.ended.is_empty() {
                *self = Self::of(inputs);
            }
            self.lacks_checker = !then.has_checker();
            return Ok(then.difference(inputs));
        }
        if head.event == SUBMITTING {
            self.arrays.push(json::of_bytes(line).map_err(wrong)?);
            return Ok(None);
        }
        let job = head.job.filter(|job| *job < self.ended.len()).ok_or("its job is not one of the batch")?;
        match head.event.as_str() {
            STARTED => {}
            SEARCHED => {
                let Search { key, result } = json::of_bytes(line).map_err(wrong)?;
                self.searches[job].push((key, result));
            }
            ENDED => {
                let ended: Ended = json::of_bytes(line).map_err(wrong)?;
                self.ended[job] = Some((ended.summary(), place));
                self.searches[job].clear();
            }
            other => return Err(format!("`{other}` is not an event")),
        }
        Ok(None)
    }
}

/// The inputs in a journal's first event.
pub(super) fn inputs_of(event: &[u8]) -> Result<BatchInputs, String> {
    let batch: Batch<BatchInputs> = json::of_bytes(event).map_err(|error| error.to_string())?;
    if batch.event != BATCH {
        Err("a journal begins with its inputs".to_owned())
    } else if batch.schema != SCHEMA {
        Err(format!("its schema is {}, but this version reads {SCHEMA}", batch.schema))
    } else {
        Ok(batch.inputs)
    }
}
