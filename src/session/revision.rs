//! A kernel as a revision of its git repository has it: the spec, its source and what that includes, in a temporary folder.

pub(super) mod error;
mod includes;
mod text;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use fs_err as fs;

use super::SessionError;
use super::inputs::Named;
use autotune_base::files;
use autotune_base::files::scratch::Scratch;
use autotune_base::limits::Limits;
use autotune_base::process::{self, Task};
use autotune_base::user_error::{UserError, message};
use autotune_kernel::source::without_dots;
use autotune_lowering::spec::Spec;
use error::{MOST_FILES, RevisionError};
use includes::included;

pub use text::RevisionText;

/// The most bytes of a file of a revision, and of the list of its files.
const MOST_BYTES: u64 = 64 * files::MIB;

/// A revision's files as far as a kernel needs them.
#[derive(Debug)]
pub(super) struct Revision {
    /// The revision as the user names it.
    name: String,
    /// The revision's id.
    commit: String,
    /// The repository's folder.
    root: PathBuf,
    /// The path of the spec, or of the source, in the repository.
    file: PathBuf,
    /// The paths of all files of the revision.
    tree: BTreeSet<PathBuf>,
    /// The folder that holds the files.
    scratch: Scratch,
}

impl Revision {
    /// Takes a spec, its source and what that includes from a revision of the spec's repository.
    ///
    /// # Errors
    /// If git cannot be asked, or the revision does not have them.
    pub(super) fn of_spec(name: &str, new: &Named, limits: &Limits) -> Result<Self, SessionError> {
        let spec = new.spec.as_deref().filter(|_| new.options.is_none()).ok_or(RevisionError::NoSpec)?;
        let revision = Self::open(name, spec, limits)?;
        revision.take_spec(limits)?;
        Ok(revision)
    }

    /// A revision of a file's repository, without its files.
    fn open(name: &str, path: &Path, limits: &Limits) -> Result<Self, SessionError> {
        let file = path.file_name().ok_or(RevisionError::NoSpec)?;
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let at = |why| RevisionError::Folder { path: folder.to_owned(), why };
        let folder = folder.canonicalize().map_err(at)?;
        let git = |arguments: &[&str]| git(&folder, arguments, name, limits);
        let root = PathBuf::from(git(&["rev-parse", "--show-toplevel"])?.trim_end_matches('\n'));
        let wanted = format!("{name}^{{commit}}");
        let commit = git(&["rev-parse", "--verify", "--end-of-options", &wanted])?.trim().to_owned();
        let tree = git(&["ls-tree", "-r", "-z", "--name-only", "--full-tree", &commit])?;
        let tree = tree.split('\0').map(PathBuf::from).collect();
        let file = folder.strip_prefix(&root).map_err(|_| RevisionError::Outside(path.to_owned()))?.join(file);
        let scratch = Scratch::of_content(&[&commit, &root.display().to_string(), &file.display().to_string()])?;
        Ok(Self { name: name.to_owned(), commit, root, file, tree, scratch })
    }

    /// The beginning of the names of the revision's files, and what is shown in its place.
    pub(super) fn shown(&self) -> (String, String) {
        (format!("{}/", self.folder().display()), format!("{}:", self.name))
    }

    /// The error of the revision's kernel, with the names of the revision's files.
    pub(super) fn named(&self, why: &dyn UserError) -> RevisionError {
        let (from, to) = self.shown();
        let named = |text: String| text.replace(&from, &to);
        RevisionError::Kernel {
            said: named(message(why)),
            help: why.help().map(named),
            status: why.status(),
            answers: why.answers(),
        }
    }

    /// The revision's spec.
    ///
    /// # Errors
    /// If the spec cannot be used.
    pub(super) fn spec(&self) -> Result<Spec, RevisionError> {
        let name = format!("{}:{}", self.name, self.file.display());
        let read = Spec::load_as(&self.folder().join(&self.file), &name);
        let mut spec = read.map_err(|why| RevisionError::Spec { name, why })?;
        if let Some(stated) = &mut spec.kernel_source {
            stated.source.include.iter_mut().for_each(|folder| *folder = self.settled(folder));
        }
        Ok(spec)
    }

    fn folder(&self) -> PathBuf {
        self.scratch.path().join("files")
    }

    /// The path in the repository of a path of the working tree; `None` outside.
    fn in_repository(&self, path: &Path) -> Option<PathBuf> {
        // A file that was removed has a folder still.
        let whole = path.canonicalize().ok().or_else(|| {
            let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
            Some(folder.canonicalize().ok()?.join(path.file_name()?))
        })?;
        whole.strip_prefix(&self.root).ok().map(Path::to_owned)
    }

    /// A folder that the revision's spec names, or the one outside the repository that it means.
    fn settled(&self, folder: &Path) -> PathBuf {
        if self.within(folder).is_some() { folder.to_owned() } else { self.outside(folder) }
    }

    /// The path in the repository of a path in the temporary folder; `None` outside.
    fn within(&self, path: &Path) -> Option<PathBuf> {
        without_dots(path).strip_prefix(self.folder()).ok().map(Path::to_owned)
    }

    /// The path outside the repository that a path of the revision's spec means.
    fn outside(&self, path: &Path) -> PathBuf {
        let spec = self.folder().join(&self.file);
        let beside = spec.parent().and_then(|folder| path.strip_prefix(folder).ok());
        let folder = self.root.join(&self.file);
        beside.zip(folder.parent()).map_or_else(|| path.to_owned(), |(beside, folder)| folder.join(beside))
    }

    /// Writes the spec, its source and what that includes.
    fn take_spec(&self, limits: &Limits) -> Result<(), RevisionError> {
        self.take(&self.file, limits)?;
        let spec = self.spec()?;
        let Some(stated) = &spec.kernel_source else { return Ok(()) };
        let folders: Vec<PathBuf> = stated.source.include.iter().filter_map(|folder| self.within(folder)).collect();
        let mut files = Vec::new();
        for file in &stated.source.files {
            files.push(self.within(file).ok_or_else(|| RevisionError::Outside(file.clone()))?);
        }
        self.take_with_included(files, &folders, limits)
    }

    /// Writes files and what they include, from their folders and these. Paths are those in the repository.
    fn take_with_included(
        &self,
        mut open: Vec<PathBuf>,
        folders: &[PathBuf],
        limits: &Limits,
    ) -> Result<(), RevisionError> {
        for folder in folders {
            let path = self.folder().join(folder);
            fs::create_dir_all(&path).map_err(|why| RevisionError::Folder { path, why })?;
        }
        let beside: Vec<PathBuf> = open.iter().filter_map(|file| file.parent()).map(Path::to_owned).collect();
        let mut met: BTreeSet<PathBuf> = open.iter().cloned().collect();
        while let Some(file) = open.pop() {
            let text = self.take(&file, limits)?;
            let own = file.parent().map(Path::to_owned);
            let searched: Vec<PathBuf> = own.into_iter().chain(beside.iter().chain(folders).cloned()).collect();
            for name in included(&text) {
                let found = searched.iter().map(|folder| without_dots(&folder.join(&name)));
                let found = found.filter(|path| self.tree.contains(path) && met.insert(path.clone()));
                open.extend(found.collect::<Vec<_>>());
            }
            if met.len() > MOST_FILES {
                return Err(RevisionError::TooManyFiles);
            }
        }
        Ok(())
    }

    /// Writes a file of the revision, and returns its text.
    fn take(&self, path: &Path, limits: &Limits) -> Result<String, RevisionError> {
        let blob = format!("{}:{}", self.commit, path.display());
        let shown = format!("{}:{}", self.name, path.display());
        let text = git(&self.root, &["cat-file", "blob", &blob], &shown, limits)?;
        let at = self.folder().join(path);
        let failed = |why| RevisionError::Folder { path: at.clone(), why };
        at.parent().map_or(Ok(()), fs::create_dir_all).map_err(failed)?;
        fs::write(&at, &text).map_err(failed)?;
        Ok(text)
    }
}

/// Runs git in a folder; `what` is the subject of its errors.
fn git(folder: &Path, arguments: &[&str], what: &str, limits: &Limits) -> Result<String, RevisionError> {
    let task = Task { most_output: MOST_BYTES, ..Task::new(Path::new("git"), arguments.iter().copied(), folder) };
    let ended = process::run(&task, limits)?;
    if ended.status.success() && !ended.flooded && ended.stopped.is_none() {
        return Ok(ended.stdout);
    }
    let said = match ended.stderr.lines().find(|line| !line.trim().is_empty()) {
        _ if ended.flooded => format!("the output has more than {MOST_BYTES} bytes"),
        Some(line) => line.trim_start_matches("fatal: ").to_owned(),
        None => ended.status_in_words(),
    };
    Err(RevisionError::Git { what: what.to_owned(), said })
}
