//! The files of a measurement's results.

use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

use super::super::failure::Failure;
use super::super::output;
use super::super::report::{INDEX, Pages};
use crate::export::{MeasuredFormat, measured};
use crate::render::html::MeasuredPage;
use crate::result::MeasureReport;
use crate::session::journal;
use autotune_base::files;
use autotune_base::text::json::beginning_of;

/// The results' file. A folder that has one of another program is refused.
const RESULTS: &str = "results.json";
/// The forms of other programs, each with the name of its file.
const FORMS: [(&str, MeasuredFormat); 4] = [
    ("runs.csv", MeasuredFormat::Csv),
    ("t4.json", MeasuredFormat::T4),
    ("kernel_tuner.json", MeasuredFormat::KernelTuner),
    ("best.h", MeasuredFormat::Header),
];

/// The files of the results in the folder of a measurement.
#[derive(Debug)]
pub(super) struct ResultFiles {
    folder: PathBuf,
    pages: Pages,
}

impl ResultFiles {
    /// Makes the folder if it is missing, and checks that no foreign file would be replaced.
    pub(super) fn in_folder(folder: &Path) -> Result<Self, Failure> {
        let pages = Pages::open(folder)?;
        let path = folder.join(RESULTS);
        // Results of an older version are ours, too; the journal beside them says that they are older.
        let beginning = beginning_of("autotune.measure/").trim_end_matches('"').to_owned();
        match files::kept(&path, beginning.len() as u64).beginning() {
            Ok(found) if found == beginning.as_bytes() => {}
            // The journal and the results are written first: without them, the other files are of somebody else.
            Err(why) if why.kind() == ErrorKind::NotFound => {
                let is_there = |path: &PathBuf| path.symlink_metadata().is_ok();
                let mut others = FORMS.iter().map(|(name, _)| folder.join(name)).filter(is_there);
                if let (Some(other), false) = (others.next(), is_there(&folder.join(journal::FILE))) {
                    return Err(Failure::Foreign(other));
                }
            }
            Ok(_) | Err(_) => return Err(Failure::Foreign(path)),
        }
        Ok(Self { folder: folder.to_owned(), pages })
    }

    /// Writes all files. A form that cannot hold the runs is left out, with a note.
    pub(super) fn write(&self, report: &MeasureReport) -> Result<(), Failure> {
        self.file(RESULTS, &output::to_json(report)?)?;
        for (name, form) in FORMS {
            match measured(report, form) {
                Ok(Some(text)) => self.file(name, &text)?,
                Ok(None) => {}
                Err(why) => output::note(&format!("`{name}` is left out: {why}")),
            }
        }
        self.pages.write(INDEX, &MeasuredPage { report }.render()?)
    }

    fn file(&self, name: &str, text: &str) -> Result<(), Failure> {
        let path = self.folder.join(name);
        let written = || -> std::io::Result<()> {
            let readable = std::os::unix::fs::PermissionsExt::from_mode(0o666);
            let mut file =
                tempfile::Builder::new().prefix(".result-").permissions(readable).tempfile_in(&self.folder)?;
            file.write_all(text.as_bytes())?;
            file.persist(&path)?;
            Ok(())
        };
        written().map_err(|why| Failure::Results { path: path.clone(), why })
    }
}
