//! `--report DIR`: pages for browsers, in a folder.

use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

use fs_err as fs;
use tempfile::NamedTempFile;

use super::failure::Failure;
use super::output;
use crate::export::{ExportError, FileFormat, export, fleet};
use crate::render::html::{ComparisonPage, Copies, FleetPage, PageLink, TuningPage, is_page};
use crate::result::{ComparisonPlot, ComparisonReport, FleetReport, PageReport, Report};
use crate::session::{Inputs, SessionError};
use autotune_base::files;
use autotune_engine::explain::PicturedRun;
use autotune_engine::explain::landscape::Landscape;

/// The file name of the folder's first page.
pub(super) const INDEX: &str = "index.html";
/// The number of bytes at the beginning of a file that identify a page of this program.
const BEGINNING: u64 = 1024;

/// A folder of pages. An existing page is replaced as a whole, and only if this program wrote it.
#[derive(Debug, Clone)]
pub(super) struct Pages {
    folder: PathBuf,
}

impl Pages {
    /// Makes the folder if it is missing, and checks that pages can be written into it. A failure thus comes before
    /// the work.
    pub(super) fn open(folder: &Path) -> Result<Self, Failure> {
        let pages = Self { folder: folder.to_owned() };
        let tried = fs::create_dir_all(folder).and_then(|()| NamedTempFile::new_in(folder));
        tried.map_err(|why| pages.failed(why))?;
        pages.may_write(&folder.join(INDEX))?;
        Ok(pages)
    }

    /// Writes the page of one tuning. Its content depends on the question and its result alone.
    pub(super) fn write_tuning(
        &self,
        inputs: &Inputs,
        report: &Report,
        file: &str,
        back: Option<PageLink>,
    ) -> Result<(), Failure> {
        let Inputs { spec, profile, reader, only, .. } = inputs;
        let landscape = Landscape::new(spec, profile, reader, report.known_times(spec), only.as_ref())?;
        let optimum = report.optimal_configuration(spec);
        let run = optimum.map(|optimum| PicturedRun::new(spec, profile, reader, &optimum)).transpose()?.flatten();
        let details = PageReport::new(spec, profile, report, landscape, run);
        let copies = Copies {
            flags: copied(report, FileFormat::Flags),
            header: copied(report, FileFormat::Header),
            json: output::to_json(report)?,
        };
        let page = TuningPage { report, details: &details, copies: &copies, back };
        self.write(file, &page.render()?)
    }

    /// Writes the page of an answer about several scenarios. Its content depends on the answer alone.
    pub(super) fn write_fleet(&self, report: &FleetReport, file: &str, back: Option<PageLink>) -> Result<(), Failure> {
        let form = |format| match fleet(report, format) {
            Err(ExportError::NothingProved) => None,
            text => Some(text.map_err(|why| why.to_string())),
        };
        let copies =
            Copies { flags: form(FileFormat::Flags), header: form(FileFormat::Header), json: output::to_json(report)? };
        self.write(file, &FleetPage { report, copies: &copies, back }.render())
    }

    /// Writes the page of a comparison. Its content depends on the comparison alone.
    pub(super) fn write_comparison(&self, report: &ComparisonReport, plot: &ComparisonPlot) -> Result<(), Failure> {
        self.write(INDEX, &ComparisonPage { report, plot }.render()?)
    }

    /// Writes a page. Readers see the earlier page until the new one is complete.
    pub(super) fn write(&self, file: &str, page: &str) -> Result<(), Failure> {
        let path = self.folder.join(file);
        self.may_write(&path)?;
        let written = || -> std::io::Result<()> {
            let mut temporary = tempfile::Builder::new().permissions(readable()).tempfile_in(&self.folder)?;
            temporary.write_all(page.as_bytes())?;
            temporary.persist(&path)?;
            Ok(())
        };
        written().map_err(|why| SessionError::Lost { what: "page", path: self.folder.clone(), why }.into())
    }

    /// Returns an error if the pages go to the folder of the kept proof.
    pub(super) fn check_folders(pages: Option<&Path>, keep: Option<&Path>) -> Result<(), Failure> {
        match pages.zip(keep) {
            Some((pages, keep)) if std::path::absolute(pages)? == std::path::absolute(keep)? => {
                Err(Failure::OneFolder(keep.to_owned()))
            }
            _ => Ok(()),
        }
    }

    fn may_write(&self, path: &Path) -> Result<(), Failure> {
        match files::kept(path, BEGINNING).beginning() {
            Err(why) if why.kind() == ErrorKind::NotFound => Ok(()),
            Err(why) => Err(self.failed(why)),
            Ok(beginning) if is_page(&String::from_utf8_lossy(&beginning)) => Ok(()),
            Ok(_) => Err(Failure::NoPage(path.to_owned())),
        }
    }

    fn failed(&self, why: std::io::Error) -> Failure {
        Failure::Pages { path: self.folder.clone(), why }
    }
}

/// Returns a result in another program's form, or the reason why it has none; `None` if no optimum is proved.
fn copied(report: &Report, format: FileFormat) -> Option<Result<String, String>> {
    match export(std::slice::from_ref(report), format, |_| None) {
        Err(ExportError::NothingProved) => None,
        text => Some(text.map_err(|why| why.to_string())),
    }
}

/// The permissions of a file that all may read and write as far as the user's mask lets them. By default, a temporary
/// file is its owner's alone.
fn readable() -> std::fs::Permissions {
    std::os::unix::fs::PermissionsExt::from_mode(0o666)
}
