//! What a journal says: the shapes of its events, and how far they tell that the batch has come.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Seek};
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::super::inputs::{BatchInputs, Difference};
use super::super::job::{Ended, Summary};
use super::super::slurm::Array;
use super::JournalError;
use crate::files::checksum::sha256;
use crate::spin::{SearchKey, SearchResult};

/// The shape that this program writes and reads.
pub(super) const SCHEMA: &str = "autotune.journal/1";

pub(super) const BATCH: &str = "batch";
pub(super) const STARTED: &str = "started";
pub(super) const SEARCHED: &str = "searched";
pub(super) const ENDED: &str = "ended";
pub(super) const SUBMITTING: &str = "submitting";

/// Bytes; no line has as many.
const LONGEST_LINE: u64 = 1 << 30;
/// What every journal begins with.
const BEGINNING: &[u8] = b"{\"event\":\"batch\",";
/// What stands before the checksum at a line's end, and behind it.
const SEAL: (&str, &str) = (",\"sha256\":\"", "\"}");

/// An event's line: its JSON, and in it the checksum of all the rest, which shows damage of any kind.
pub(super) fn sealed(event: &impl Serialize) -> serde_json::Result<Vec<u8>> {
    let mut line = serde_json::to_vec(event)?;
    let sum = sha256([&*line]);
    line.pop();
    line.extend(format!("{}{sum}{}\n", SEAL.0, SEAL.1).into_bytes());
    Ok(line)
}

/// The JSON of a line without its checksum, if that is right.
fn unsealed(line: &[u8]) -> Result<Vec<u8>, String> {
    let text = str::from_utf8(line).map_err(|error| error.to_string())?;
    let (event, sum) = text.rsplit_once(SEAL.0).ok_or("it has no checksum")?;
    let event = format!("{event}}}").into_bytes();
    let is_right = sum.strip_suffix(SEAL.1) == Some(&sha256([&*event]));
    is_right.then_some(event).ok_or_else(|| "its checksum is wrong".to_owned())
}

/// The first event: what the batch is about.
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

/// Which event a line is.
#[derive(Deserialize)]
struct Head {
    event: String,
    job: Option<usize>,
}

/// How far the batch of a journal has come.
#[derive(Debug, Default)]
pub struct Begun {
    /// Of each job: how it ended, and where its line is, if it has.
    pub ended: Vec<Option<(Summary, JournalLine)>>,
    /// Of each job: the searches that it has made since it ended, if it has.
    pub searches: Vec<Vec<(SearchKey, SearchResult)>>,
    /// What was submitted to a cluster.
    pub arrays: Vec<Array>,
    /// Bytes of a torn last line that were cut off.
    pub torn: u64,
}

/// A line of the journal.
#[derive(Debug, Clone, Copy)]
pub struct JournalLine {
    /// Where it begins.
    pub start: u64,
    /// Its bytes.
    pub length: usize,
}

impl Begun {
    /// How far a batch is that has just begun.
    pub(super) fn of(inputs: &BatchInputs) -> Self {
        Self {
            ended: inputs.jobs.iter().map(|_| None).collect(),
            searches: inputs.jobs.iter().map(|_| Vec::new()).collect(),
            ..Self::default()
        }
    }

    /// Adds a line; returns how the journal's inputs differ, if they do.
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
        let job = head.job.filter(|job| *job < self.ended.len()).ok_or("it is of no job of the batch")?;
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
            other => return Err(format!("`{other}` is no event")),
        }
        Ok(None)
    }
}

/// The inputs that a journal's first line tells.
pub(super) fn read_inputs(line: &[u8]) -> Result<BatchInputs, String> {
    inputs_of(&unsealed(line)?)
}

fn inputs_of(event: &[u8]) -> Result<BatchInputs, String> {
    let batch: Batch<BatchInputs> = serde_json::from_slice(event).map_err(|error| error.to_string())?;
    if batch.event != BATCH {
        Err("a journal begins with its inputs".to_owned())
    } else if batch.schema != SCHEMA {
        Err(format!("its shape is {}, this version reads {SCHEMA}", batch.schema))
    } else {
        Ok(batch.inputs)
    }
}

/// Reads the lines of a journal.
pub(super) struct Reader<'a> {
    file: BufReader<&'a mut File>,
    path: &'a Path,
    /// Where the next line begins.
    pub(super) start: u64,
    pub(super) number: usize,
}

impl<'a> Reader<'a> {
    pub(super) fn new(file: &'a mut File, path: &'a Path) -> Self {
        Self { file: BufReader::new(file), path, start: 0, number: 0 }
    }

    /// Whether the line that was read last is the first one, and not that of a journal.
    pub(super) fn is_foreign(&self, line: &[u8]) -> bool {
        self.number == 1 && !line.starts_with(BEGINNING)
    }

    /// Whether a file that has no whole line may be the beginning of a journal's first one.
    pub(super) fn begins_a_journal(file: &mut File) -> io::Result<bool> {
        let mut beginning = Vec::new();
        file.rewind()?;
        file.take(BEGINNING.len() as u64).read_to_end(&mut beginning)?;
        Ok(BEGINNING.starts_with(&beginning))
    }

    /// The next line that ends, without its end.
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
