//! The folder in which a proof takes place, and the folder that keeps it.

use std::path::{Path, PathBuf};

use fs_err as fs;
use tempfile::TempPath;

use super::SessionError;
use crate::certificate::{self, KeptInputs};
use crate::files::scratch::Scratch;
use crate::report::Report;
use crate::space::Survey;

/// Where a proof takes place: in a temporary folder, from which it is copied to where it is kept.
pub(super) struct Folder {
    pub(super) path: PathBuf,
    kept: Option<Kept>,
    _temporary: Scratch,
}

/// The folder of `--keep`, taken by this run.
struct Kept {
    path: PathBuf,
    /// Says to others that a proof is to come here; it goes with this value.
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

    /// Completes the proof and copies it to where it is to be kept, if it is.
    pub(super) fn seal_and_keep(
        &self,
        inputs: KeptInputs,
        survey: Option<&Survey>,
        report: &Report,
    ) -> Result<(), SessionError> {
        if self.kept.is_some() {
            certificate::seal(&self.path, inputs, survey, &json(report)?)?;
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
    /// Takes a folder that is empty; none if it is not, or another run has taken it.
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
        // Another run may have begun and ended since the folder was seen to be empty.
        let is_alone = fs::read_dir(&path)?.count() == 1;
        Ok(is_alone.then_some(Self { path, _marker: marker }))
    }
}

fn json(report: &Report) -> std::io::Result<String> {
    Ok(serde_json::to_string_pretty(report)? + "\n")
}
