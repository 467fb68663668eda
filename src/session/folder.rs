//! The folder of a running proof, and the folder that keeps it.

use std::path::{Path, PathBuf};

use fs_err as fs;
use tempfile::TempPath;

use super::SessionError;
use crate::certificate::{self, KeptInputs};
use crate::files::scratch::Scratch;
use crate::result::Report;
use crate::space::Survey;
use crate::text::json::to_json;

/// The folder of a proof: a temporary one, whose proof is copied to the folder that keeps it.
pub(super) struct Folder {
    pub(super) path: PathBuf,
    kept: Option<Kept>,
    _temporary: Scratch,
}

/// The folder of `--keep`, taken by this run.
struct Kept {
    path: PathBuf,
    /// A marker that tells other runs of the coming proof; it is removed with this value.
    _marker: TempPath,
}

impl Folder {
    pub(super) fn open(keep: Option<&Path>) -> Result<Self, SessionError> {
        let take = |path: &Path| {
            let kept = Kept::take(path).map_err(|why| SessionError::Keep { path: path.to_owned(), why })?;
            kept.ok_or_else(|| SessionError::NotEmpty(path.to_owned()))
        };
        let kept = keep.map(take).transpose()?;
        let temporary = Scratch::new()?;
        // The temporary folder has a file of its own.
        let path = temporary.path().join("proof");
        fs::create_dir(&path)?;
        Ok(Self { path, kept, _temporary: temporary })
    }

    /// Completes the proof and copies it to the folder that keeps it, if the request names one.
    pub(super) fn seal_and_keep(
        &self,
        inputs: KeptInputs,
        survey: Option<&Survey>,
        report: &Report,
    ) -> Result<(), SessionError> {
        if self.kept.is_some() {
            let result = to_json(report).map_err(std::io::Error::from)?;
            certificate::seal(&self.path, inputs, survey, &result)?;
        }
        self.keep()
    }

    pub(super) fn keep(&self) -> Result<(), SessionError> {
        let Some(kept) = &self.kept else { return Ok(()) };
        let lost = |why| SessionError::Lost { what: "proof", path: kept.path.clone(), why };
        certificate::deliver(&self.path, &kept.path).map_err(lost)
    }
}

impl Kept {
    /// Takes an empty folder; `None` if it is not empty, or another run has taken it.
    fn take(path: &Path) -> std::io::Result<Option<Self>> {
        fs::create_dir_all(path)?;
        let path = fs::canonicalize(path)?;
        if fs::read_dir(&path)?.next().is_some() {
            return Ok(None);
        }
        let marker = path.join(certificate::RUNNING);
        match std::fs::File::create_new(&marker) {
            Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => return Ok(None),
            created => created?,
        };
        let marker = TempPath::try_from_path(marker)?;
        // Another run may have begun and ended since the folder was found empty.
        let is_alone = fs::read_dir(&path)?.count() == 1;
        Ok(is_alone.then_some(Self { path, _marker: marker }))
    }
}
