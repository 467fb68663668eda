//! The lines of a journal, each sealed by a checksum.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Seek};
use std::path::Path;

use serde::Serialize;

use super::error::JournalError;
use autotune_base::files::checksum::sha256;

/// The greatest size of a line, in bytes.
const LONGEST_LINE: u64 = 1 << 30;
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
pub(super) fn unsealed(line: &[u8]) -> Result<Vec<u8>, String> {
    let text = str::from_utf8(line).map_err(|error| error.to_string())?;
    let (event, sum) = text.rsplit_once(SEAL.0).ok_or("it has no checksum")?;
    let event = format!("{event}}}").into_bytes();
    let is_right = sum.strip_suffix(SEAL.1) == Some(&sha256([&*event]));
    is_right.then_some(event).ok_or_else(|| "its checksum is wrong".to_owned())
}

/// A reader of a journal's lines.
pub(super) struct Lines<'a> {
    file: BufReader<&'a mut File>,
    path: &'a Path,
    /// The offset of the next line, in bytes.
    pub(super) start: u64,
    pub(super) number: usize,
}

impl<'a> Lines<'a> {
    pub(super) fn new(file: &'a mut File, path: &'a Path) -> Self {
        Self { file: BufReader::new(file), path, start: 0, number: 0 }
    }

    /// Returns true if the line read last is the first one and is not a journal's.
    pub(super) fn is_foreign(&self, line: &[u8], work: &str) -> bool {
        self.number == 1 && !line.starts_with(beginning(work).as_bytes())
    }

    /// The next complete line, without its newline; `None` at the end of the file or at a torn line.
    pub(super) fn next(&mut self) -> io::Result<Option<Vec<u8>>> {
        let mut line = Vec::new();
        (&mut self.file).take(LONGEST_LINE).read_until(b'\n', &mut line)?;
        if line.len() as u64 == LONGEST_LINE {
            return Err(io::Error::new(
                io::ErrorKind::InvalidInput,
                "a line has more than 1 GiB: this is not a journal",
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

/// Returns true if a file without a whole line may be the beginning of a journal's first line.
pub(super) fn begins_a_journal(file: &mut File, work: &str) -> io::Result<bool> {
    let (mut found, beginning) = (Vec::new(), beginning(work));
    file.rewind()?;
    file.take(beginning.len() as u64).read_to_end(&mut found)?;
    Ok(beginning.as_bytes().starts_with(&found))
}

/// The beginning of every journal of a work.
fn beginning(work: &str) -> String {
    format!("{{\"event\":\"{work}\",")
}
