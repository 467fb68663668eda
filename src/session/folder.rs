//! The folder of a running proof, and the folder that keeps it.

use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use fs_err as fs;

use super::SessionError;
use crate::certificate::{self, KeptInputs};
use crate::result::Report;
use autotune_base::files::scratch::Scratch;
use autotune_base::text::json::to_json;
use autotune_lowering::space::Survey;

/// The folder of a proof: a temporary one, whose proof is delivered to the folder that keeps it.
pub(super) struct Folder {
    pub(super) path: PathBuf,
    kept: Option<Kept>,
    temporary: Scratch,
}

/// The folder of `--keep`, taken by this run.
struct Kept {
    path: PathBuf,
    /// The folder beside it where the proof becomes whole. Its lock tells other runs of the coming proof.
    beside: Scratch,
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
        Ok(Self { path, kept, temporary })
    }

    /// Completes the proof and delivers it to the folder that keeps it, if the request names one.
    pub(super) fn seal_and_keep(
        &self,
        inputs: KeptInputs,
        survey: Option<&Survey>,
        report: &Report,
    ) -> Result<(), SessionError> {
        if self.kept.is_some() {
            let result = to_json(report).map_err(io::Error::from)?;
            certificate::seal(&self.path, inputs, survey, &result)?;
        }
        self.keep()
    }

    /// Keeps the proof beside the temporary folder, whose end it survives; returns its place.
    pub(super) fn rescue(&self) -> io::Result<PathBuf> {
        let temporary = self.temporary.path();
        let name = temporary.file_name().unwrap_or_default().to_string_lossy();
        let place = temporary.with_file_name(format!("disagreement-{name}"));
        fs::rename(&self.path, &place)?;
        Ok(place)
    }

    pub(super) fn keep(&self) -> Result<(), SessionError> {
        let Some(kept) = &self.kept else { return Ok(()) };
        let lost = |why| SessionError::Lost { what: "proof", path: kept.path.clone(), why };
        certificate::deliver(&self.path, &kept.path, kept.beside.path()).map_err(lost)
    }
}

impl Kept {
    /// Takes a folder that is missing or empty; `None` if it is not empty, or another run has taken it.
    fn take(path: &Path) -> io::Result<Option<Self>> {
        let path = whole(path)?;
        let Some(beside) = Self::beside(&path)? else { return Ok(None) };
        match fs::symlink_metadata(&path) {
            Err(why) if why.kind() == ErrorKind::NotFound => return Ok(Some(Self { path, beside })),
            found => {
                if !found?.is_dir() {
                    return Err(ErrorKind::NotADirectory.into());
                }
            }
        }
        forget_marker(&path);
        let is_own = |entry: io::Result<fs::DirEntry>| Ok::<_, io::Error>(entry?.path() == beside.path());
        let is_empty = fs::read_dir(&path)?.map(is_own).collect::<io::Result<Vec<bool>>>()?.into_iter().all(|own| own);
        Ok(is_empty.then_some(Self { path, beside }))
    }

    /// The folder beside a path; within it, if nothing can be made beside it. `None` if another run has it.
    fn beside(path: &Path) -> io::Result<Option<Scratch>> {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let beside = path.with_file_name(format!(".{name}{}", certificate::RUNNING));
        match Scratch::at(&beside) {
            Err(why)
                if matches!(why.kind(), ErrorKind::PermissionDenied | ErrorKind::ReadOnlyFilesystem)
                    && path.is_dir() =>
            {
                forget_marker(path);
                Scratch::at(&path.join(certificate::RUNNING))
            }
            made => made,
        }
    }
}

/// The path from the root, with a name; the folders above it are made.
fn whole(path: &Path) -> io::Result<PathBuf> {
    if path.exists() {
        return fs::canonicalize(path);
    }
    let whole = std::path::absolute(path)?;
    let (Some(above), Some(name)) = (whole.parent(), whole.file_name()) else {
        return Err(ErrorKind::InvalidInput.into());
    };
    fs::create_dir_all(above)?;
    Ok(fs::canonicalize(above)?.join(name))
}

/// Removes the marker that a killed run of an earlier version left in the folder that it had taken.
fn forget_marker(folder: &Path) {
    let marker = folder.join(certificate::RUNNING);
    if fs::symlink_metadata(&marker).is_ok_and(|found| found.is_file() && found.len() == 0) {
        // One that stays leaves the folder not empty.
        let _ = fs::remove_file(marker);
    }
}
