//! A source as a revision has it, with host code and what both include.

use std::path::{Path, PathBuf};

use super::super::SessionError;
use super::error::RevisionError;
use super::{Revision, without_dots};
use autotune_base::limits::Limits;
use autotune_base::text::{Inferred, Source};
use autotune_base::user_error::UserError;
use autotune_lowering::inference::host_with_line;

/// A source as a revision has it, with host code and what both include, in a temporary folder.
#[derive(Debug)]
pub struct RevisionText {
    revision: Revision,
    /// The source.
    pub file: PathBuf,
    /// The files with host code, in their order, without lines.
    pub hosts: Vec<PathBuf>,
    /// The folders of included files, in their order.
    pub include: Vec<PathBuf>,
    /// The files with host code that the revision does not have: they are read as they lie.
    pub as_they_lie: Vec<PathBuf>,
}

impl RevisionText {
    /// Takes a source, host code and what both include from a revision of the source's repository.
    ///
    /// # Errors
    /// If git cannot be asked, or the revision does not have the source.
    pub fn open(
        name: &str,
        file: &Path,
        hosts: &[PathBuf],
        include: &[PathBuf],
        limits: &Limits,
    ) -> Result<Self, SessionError> {
        let revision = Revision::open(name, file, limits)?;
        let folder = revision.folder();
        let folders: Vec<PathBuf> = include.iter().filter_map(|folder| revision.in_repository(folder)).collect();
        let inside = |path: &PathBuf| {
            revision.in_repository(path).map_or_else(|| path.clone(), |within| without_dots(&folder.join(within)))
        };
        let include = include.iter().map(inside).collect();
        let mut files = vec![revision.file.clone()];
        let (mut taken, mut as_they_lie) = (Vec::new(), Vec::new());
        for host in hosts.iter().map(|host| host_with_line(host).0) {
            if let Some(within) = revision.in_repository(&host).filter(|within| revision.tree.contains(within)) {
                taken.push(folder.join(&within));
                files.push(within);
            } else {
                taken.push(host.clone());
                as_they_lie.push(host);
            }
        }
        revision.take_with_included(files, &folders, limits)?;
        Ok(Self { file: folder.join(&revision.file), hosts: taken, include, as_they_lie, revision })
    }

    /// The revision as the user names it.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.revision.name
    }

    /// A text's error, with the names of the revision's files.
    #[must_use]
    pub fn named(&self, why: &dyn UserError) -> RevisionError {
        self.revision.named(why)
    }

    /// The beginning of the names of the revision's files, and what is shown in its place.
    #[must_use]
    pub fn shown(&self) -> (String, String) {
        self.revision.shown()
    }

    /// A spec whose inferred parts have the names of the revision's files.
    #[must_use]
    pub fn with_names(&self, spec: Source) -> Source {
        let (from, to) = self.shown();
        let renamed = |one: &Inferred| Inferred { file: one.file.replace(&from, &to), ..one.clone() };
        let inferred = spec.inferred().iter().map(renamed).collect();
        spec.with_inferred(inferred)
    }
}
