//! `--report DIR`: pages for browsers, in a folder.

use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

use fs_err as fs;
use tempfile::NamedTempFile;

use super::failure::Failure;
use super::output;
use crate::export::{ExportError, FileFormat, export};
use crate::render::html::{Copies, PageLink, TuningPage, is_page};
use crate::result::Report;
use crate::session::{Inputs, SessionError};
use crate::{files, report};

/// The page that a folder is opened with.
pub(super) const INDEX: &str = "index.html";
/// So many bytes of a file tell whether it is a page of this program.
const BEGINNING: u64 = 1024;

/// A folder of pages. A page that is there is replaced as a whole, and only if this program wrote it.
#[derive(Debug, Clone)]
pub(super) struct Pages {
    folder: PathBuf,
}

impl Pages {
    /// Makes the folder if it is missing, and finds out whether pages can be written there: before the work, not after it.
    pub(super) fn open(folder: &Path) -> Result<Self, Failure> {
        let pages = Self { folder: folder.to_owned() };
        let tried = fs::create_dir_all(folder).and_then(|()| NamedTempFile::new_in(folder));
        tried.map_err(|why| pages.failed(why))?;
        pages.may_write(&folder.join(INDEX))?;
        Ok(pages)
    }

    /// Writes the page of one tuning. It is a function of the question and its result.
    pub(super) fn write_tuning(
        &self,
        inputs: &Inputs,
        report: &Report,
        file: &str,
        back: Option<PageLink>,
    ) -> Result<(), Failure> {
        let Inputs { spec, profile, only, .. } = inputs;
        let details = report::page(spec, profile, report, only.as_ref())?;
        let copies = Copies {
            flags: copied(report, FileFormat::Flags),
            header: copied(report, FileFormat::Header),
            json: output::to_json(report)?,
        };
        let page = TuningPage { report, details: &details, copies: &copies, back };
        self.write(file, &page.render()?)
    }

    /// Writes a page. Who reads meanwhile sees the one before it.
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

/// A result in another program's form, or why it has none; `None` if nothing is proved.
fn copied(report: &Report, format: FileFormat) -> Option<Result<String, String>> {
    match export(std::slice::from_ref(report), format, |_| None) {
        Err(ExportError::NothingProved) => None,
        text => Some(text.map_err(|why| why.to_string())),
    }
}

/// What others may read too, as far as the user's mask lets them; a temporary file is its owner's alone.
fn readable() -> std::fs::Permissions {
    std::os::unix::fs::PermissionsExt::from_mode(0o666)
}
