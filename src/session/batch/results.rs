//! `results.json`: one result a job, without measurements.

use std::fs::{File, Permissions};
use std::io::{self, BufWriter, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use super::job::Job;
use super::journal::Journal;
use crate::result::{BatchResults, EntryReport};
use crate::session::JournalLine;
use crate::session::journal::FILE;
use autotune_base::files;

/// The schema that this program writes.
const SCHEMA: &str = BatchResults::SCHEMA;
/// The file's name in a batch's folder.
pub const RESULTS: &str = "results.json";

/// Returns true if results may be written to a folder: it has none yet, or this program wrote them.
#[must_use]
pub fn may_write(folder: &Path) -> bool {
    let beginning = format!("{{\"schema\":\"{SCHEMA}\"");
    match files::kept(&folder.join(RESULTS), beginning.len() as u64).beginning() {
        Ok(found) => found == beginning.as_bytes(),
        Err(why) => why.kind() == io::ErrorKind::NotFound,
    }
}

/// True if a folder has files, and neither a journal nor results: no batch may begin among the files of others.
#[must_use]
pub fn is_of_others(folder: &Path) -> bool {
    // An empty path is the folder where the user is.
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let has_files = fs_err::read_dir(folder).is_ok_and(|mut entries| entries.next().is_some());
    let has = |name: &str| folder.join(name).symlink_metadata().is_ok();
    has_files && !has(FILE) && !has(RESULTS)
}

/// Writes the results of ended jobs, in the order of the job list, from their lines in the journal. Only one result is
/// in memory at a time. The file appears whole or not at all.
///
/// # Errors
/// If the journal cannot be read, or the file cannot be written.
pub fn write(folder: &Path, jobs: &[Job], journal: &Journal, lines: &[JournalLine]) -> io::Result<()> {
    let readable = Permissions::from_mode(0o666);
    let file = tempfile::Builder::new().prefix(".results-").permissions(readable).tempfile_in(folder)?;
    let mut writer = BufWriter::new(file.as_file());
    write!(writer, "{{\"schema\":\"{SCHEMA}\",\"results\":[")?;
    for (place, (job, line)) in jobs.iter().zip(lines).enumerate() {
        let ended = journal.reread(*line)?;
        let (set, scenarios) = (job.sizes(), job.several());
        let (spec, gpu) = (job.spec.as_str(), job.gpu.as_str());
        let entry = EntryReport {
            spec,
            gpu,
            set,
            scenarios,
            status: ended.status,
            result: ended.result,
            error: ended.error,
            help: ended.help,
        };
        writer.write_all(if place == 0 { b"\n" } else { b",\n" })?;
        serde_json::to_writer(&mut writer, &entry)?;
    }
    writer.write_all(b"\n]}\n")?;
    writer.flush()?;
    drop(writer);
    file.as_file().sync_all()?;
    file.persist(folder.join(RESULTS))?;
    File::open(folder)?.sync_all()
}
