//! The shapes of a journal's events, and the progress of a batch that they describe.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Seek};
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::super::inputs::{BatchInputs, Difference};
use super::super::job::{Ended, Summary};
use super::super::slurm::Array;
use super::error::JournalError;
use crate::files::checksum::sha256;
use crate::spin::{SearchKey, SearchResult};

/// The schema that this program writes and reads.
pub(super) const SCHEMA: &str = "autotune.journal/1";

pub(super) const BATCH: &str = "batch";
pub(super) const STARTED: &str = "started";
pub(super) const SEARCHED: &str = "searched";
pub(super) const ENDED: &str = "ended";
pub(super) const SUBMITTING: &str = "submitting";

/// The greatest size of a line, in bytes.
const LONGEST_LINE: u64 = 1 << 30;
/// The beginning of every journal.
const BEGINNING: &[u8] = b"{\"event\":\"batch\",";
/// The text before and after the checksum at a line's end.
const SEAL: (&str, &str) = (",\"sha256\":\"", "\"}");

/// An event's line: JSON that contains the checksum of all the rest, so that any damage shows.
pub(super) fn sealed(event: &impl Serialize) -> serde_json::Result<Vec<u8>> {
    let mut line = serde_json::to_vec(event)?;
    let sum = sha256([&*line]);
    line.pop();
    line.extend(format!("{}{sum}{}\n", SEAL.0, SEAL.1).into_bytes());
    Ok(line)
}

/// The JSON of a line without its checksum; an error if the checksum is missing or wrong.
fn unsealed(line: &[u8]) -> Result<Vec<u8>, String> {
    let text = str::from_utf8(line).map_err(|error| error.to_string())?;
    let (event, sum) = text.rsplit_once(SEAL.0).ok_or("it has no checksum")?;
    let event = format!("{event}}}").into_bytes();
    let is_right = sum.strip_suffix(SEAL.1) == Some(&sha256([&*event]));
    is_right.then_some(event).ok_or_else(|| "its checksum is wrong".to_owned())
}

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
    /// The bytes of a torn last line that were cut off.
    pub torn: u64,
}

/// The place of a line in the journal.
#[derive(Debug, Clone, Copy)]
pub struct JournalLine {
    /// The offset of its beginning, in bytes.
    pub start: u64,
    /// The length, in bytes.
    pub length: usize,
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

    /// Adds a line; returns the first difference between the journal's inputs and `inputs`, or `None`.
    pub(super) fn add(&mut self, line: &[u8], start: u64, inputs: &BatchInputs) -> Result<Option<Difference>, String> {
        let wrong = |error: serde_json::Error| error.to_string();
        let length = line.len();
        let line = &unsealed(line)?;
        let head: Head = serde_json::from_slice(line).map_err(wrong)?;
        if self.ended.is_empty() != (head.event == BATCH) {
            return Err("a journal begins with its inputs, once".to_owned());
        }
        if head.event == BATCH {
            *self = Self::of(inputs);
            return Ok(inputs_of(line)?.difference(inputs));
        }
        if head.event == SUBMITTING {
            self.arrays.push(serde_json::from_slice(line).map_err(wrong)?);
            return Ok(None);
        }
        let job = head.job.filter(|job| *job < self.ended.len()).ok_or("its job is not one of the batch")?;
        match head.event.as_str() {
            STARTED => {}
            SEARCHED => {
                let Search { key, result } = serde_json::from_slice(line).map_err(wrong)?;
                self.searches[job].push((key, result));
            }
            ENDED => {
                let ended: Ended = serde_json::from_slice(line).map_err(wrong)?;
                self.ended[job] = Some((ended.summary(), JournalLine { start, length }));
                self.searches[job].clear();
            }
            other => return Err(format!("`{other}` is not an event")),
        }
        Ok(None)
    }
}

/// The inputs in a journal's first line.
pub(super) fn read_inputs(line: &[u8]) -> Result<BatchInputs, String> {
    inputs_of(&unsealed(line)?)
}

fn inputs_of(event: &[u8]) -> Result<BatchInputs, String> {
    let batch: Batch<BatchInputs> = serde_json::from_slice(event).map_err(|error| error.to_string())?;
    if batch.event != BATCH {
        Err("a journal begins with its inputs".to_owned())
    } else if batch.schema != SCHEMA {
        Err(format!("its schema is {}, but this version reads {SCHEMA}", batch.schema))
    } else {
        Ok(batch.inputs)
    }
}

/// A reader of a journal's lines.
pub(super) struct Reader<'a> {
    file: BufReader<&'a mut File>,
    path: &'a Path,
    /// The offset of the next line, in bytes.
    pub(super) start: u64,
    pub(super) number: usize,
}

impl<'a> Reader<'a> {
    pub(super) fn new(file: &'a mut File, path: &'a Path) -> Self {
        Self { file: BufReader::new(file), path, start: 0, number: 0 }
    }

    /// Returns true if the line read last is the first one and is not a journal's.
    pub(super) fn is_foreign(&self, line: &[u8]) -> bool {
        self.number == 1 && !line.starts_with(BEGINNING)
    }

    /// Returns true if a file without a whole line may be the beginning of a journal's first line.
    pub(super) fn begins_a_journal(file: &mut File) -> io::Result<bool> {
        let mut beginning = Vec::new();
        file.rewind()?;
        file.take(BEGINNING.len() as u64).read_to_end(&mut beginning)?;
        Ok(BEGINNING.starts_with(&beginning))
    }

    /// The next complete line, without its newline; `None` at the end of the file or at a torn line.
    pub(super) fn line(&mut self) -> io::Result<Option<Vec<u8>>> {
        let mut line = Vec::new();
        (&mut self.file).take(LONGEST_LINE).read_until(b'\n', &mut line)?;
        if line.len() as u64 == LONGEST_LINE {
            return Err(io::Error::new(
                io::ErrorKind::InvalidInput,
                "a line has more than 1 GiB: this is not a journal of a batch",
            ));
        }
        if line.pop() != Some(b'\n') {
            return Ok(None);
        }
        self.start += line.len() as u64 + 1;
        self.number += 1;
        Ok(Some(line))
    }

    pub(super) fn damaged(&self, why: String) -> JournalError {
        JournalError::Damaged { path: self.path.to_owned(), line: self.number, why }
    }
}
