//! A journal: a line of JSON for each event, synced before the next step begins.
//!
//! The kernel locks a journal for the process that writes it, and releases the lock when that process ends. Only the
//! last line can be torn, if the process was killed; it is cut off when the work continues.

mod error;
mod lines;

use std::fs::{File, TryLockError};
use std::io::{self, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use serde::Serialize;
use tracing::info;

use autotune_base::files;
use lines::{Lines, begins_a_journal, sealed, unsealed};

pub use error::JournalError;

/// The file's name in the folder of what it records.
pub(crate) const FILE: &str = "journal.jsonl";

/// The file of a journal that this process writes.
#[derive(Debug)]
pub(crate) struct JournalFile {
    path: PathBuf,
    /// The work that the journal records, which is also the name of its first event.
    work: &'static str,
    file: Mutex<File>,
}

/// The place of a line in the journal.
#[derive(Debug, Clone, Copy)]
pub struct JournalLine {
    /// The offset of its beginning, in bytes.
    pub start: u64,
    /// The length, in bytes.
    pub length: usize,
}

impl JournalFile {
    /// Opens and locks a journal; a missing one is made, with its folder.
    pub(crate) fn open(path: &Path, work: &'static str) -> Result<Self, JournalError> {
        let (path, folder) = (path.to_owned(), path.parent().unwrap_or(Path::new("")));
        let failed = |why| JournalError::File { path: path.clone(), why };
        fs_err::create_dir_all(folder).map_err(failed)?;
        let file = files::open_or_make(&path).map_err(failed)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(JournalError::Running { work, folder: folder.to_owned() }),
            Err(TryLockError::Error(why)) => return Err(failed(why)),
        }
        Ok(Self { path, work, file: Mutex::new(file) })
    }

    /// The path of the journal.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Writes the first line of a new journal.
    pub(crate) fn begin(&self, event: &impl Serialize) -> Result<(), JournalError> {
        let failed = |why| JournalError::File { path: self.path.clone(), why };
        self.append(event).map_err(failed)?;
        // The file's name must survive a loss of power too.
        File::open(self.folder()).and_then(|folder| folder.sync_all()).map_err(failed)
    }

    /// Writes a line and returns its place.
    pub(crate) fn append(&self, event: &impl Serialize) -> io::Result<JournalLine> {
        let text = sealed(event)?;
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

    /// The text of a line, with its checksum.
    pub(crate) fn reread(&self, line: JournalLine) -> io::Result<Vec<u8>> {
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        let mut text = vec![0; line.length];
        file.seek(SeekFrom::Start(line.start))?;
        file.read_exact(&mut text)?;
        Ok(text)
    }

    /// The number of a line, from 1.
    pub(crate) fn number(&self, line: JournalLine) -> io::Result<usize> {
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        file.rewind()?;
        let before = BufReader::new(&mut *file).take(line.start);
        before.bytes().try_fold(1, |number, byte| Ok(number + usize::from(byte? == b'\n')))
    }

    /// Gives all events to `add`, and cuts off a torn line. `add` returns the difference between the journal's question
    /// and the present one, or an error if the event says what cannot be: a line with its checksum is not torn. Returns
    /// the bytes that were cut off.
    ///
    /// # Errors
    /// If the journal has a line and the work is not resumed, is about something else, or is damaged.
    pub(crate) fn read(
        &self,
        resume: bool,
        mut add: impl FnMut(&[u8], JournalLine) -> Result<Option<String>, String>,
    ) -> Result<u64, JournalError> {
        let (work, folder) = (self.work, self.folder().to_owned());
        let failed = |why| JournalError::File { path: self.path.clone(), why };
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        let length = file.metadata().map_err(failed)?.len();
        let mut lines = Lines::new(&mut file, &self.path);
        while let Some(line) = lines.next().map_err(failed)? {
            let is_last = lines.start == length;
            let place = JournalLine { start: lines.start - line.len() as u64 - 1, length: line.len() };
            let event = unsealed(&line);
            let is_torn = event.is_err() && is_last && lines.number > 1;
            match event.and_then(|event| add(&event, place)) {
                Ok(None) => {}
                Ok(Some(_)) | Err(_) if !resume => return Err(JournalError::Exists { work, folder }),
                Ok(Some(difference)) => return Err(JournalError::Other { work, folder, difference }),
                Err(_) if lines.is_foreign(&line, work) => {
                    return Err(JournalError::Foreign { work, path: self.path.clone() });
                }
                // A loss of power may leave a line's bytes unwritten.
                Err(_) if is_torn => {
                    lines.start -= line.len() as u64 + 1;
                    break;
                }
                Err(why) => return Err(lines.damaged(why)),
            }
        }
        let whole = lines.start;
        drop(lines);
        if whole == 0 && !begins_a_journal(&mut file, work).map_err(failed)? {
            return Err(JournalError::Foreign { work, path: self.path.clone() });
        }
        if !resume && whole > 0 {
            return Err(JournalError::Exists { work, folder });
        }
        let torn = length - whole;
        if torn > 0 {
            file.set_len(whole).and_then(|()| file.sync_data()).map_err(failed)?;
        }
        Ok(torn)
    }

    fn folder(&self) -> &Path {
        self.path.parent().unwrap_or(Path::new(""))
    }
}

/// Reads the first event of the journal of a folder, which may be in use.
///
/// # Errors
/// If the journal cannot be read, or `read` cannot make anything of its first event.
pub(crate) fn first<T>(folder: &Path, read: impl Fn(&[u8]) -> Result<T, String>) -> Result<T, JournalError> {
    let path = folder.join(FILE);
    let failed = |why| JournalError::File { path: path.clone(), why };
    let mut file = files::kept(&path, u64::MAX).unnamed().open().map_err(failed)?;
    let mut lines = Lines::new(&mut file, &path);
    let line = lines.next().map_err(failed)?.unwrap_or_default();
    unsealed(&line).and_then(|event| read(&event)).map_err(|why| lines.damaged(why))
}
