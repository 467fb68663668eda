//! The folder of the server: nothing outside is read.

use std::collections::HashMap;
use std::path::{Component, Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError, Weak};

use fs_err as fs;
use indexmap::IndexMap;
use serde_json::Value;

use super::refusal::Refusal;
use autotune_base::files::checksum::sha256;
use autotune_base::files::scratch::{Scratch, ScratchError};
use autotune_kernel::source::{KernelSource, without_dots};

/// The folder that the server was started in, and a temporary one for the texts of calls.
#[derive(Debug)]
pub(super) struct Confined {
    /// The folder, without links.
    root: PathBuf,
    scratch: Scratch,
    used: Used,
}

/// The texts of a call as files, in a folder that goes with the last call that has the same texts. Equal texts have
/// equal paths, so that the cache knows them.
#[derive(Debug)]
pub(super) struct Texts {
    folder: PathBuf,
    used: Used,
}

/// The folders of the texts that running calls use.
type Used = Arc<Mutex<HashMap<PathBuf, Weak<Texts>>>>;

impl Drop for Texts {
    fn drop(&mut self) {
        let used = self.used.lock().unwrap_or_else(PoisonError::into_inner);
        // Another call may have made the folder anew.
        if used.get(&self.folder).is_none_or(|texts| texts.strong_count() == 0) {
            // What cannot be removed now goes with the server's temporary folder.
            let _ = fs::remove_dir_all(&self.folder);
        }
    }
}

impl Texts {
    /// The path of a text.
    pub(super) fn path(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    /// The folder of the texts.
    pub(super) fn folder(&self) -> &Path {
        &self.folder
    }

    /// True if a path lies in the folder, also behind links.
    fn has(&self, path: &Path) -> bool {
        path.canonicalize().is_ok_and(|real| self.folder.canonicalize().is_ok_and(|folder| real.starts_with(folder)))
    }
}

impl Confined {
    /// The folder of a server.
    ///
    /// # Errors
    /// If temporary files cannot be made.
    pub(super) fn new(root: &Path) -> Result<Self, ScratchError> {
        let root = root.canonicalize().unwrap_or_else(|_| root.to_owned());
        Ok(Self { root, scratch: Scratch::new()?, used: Used::default() })
    }

    /// The path of a file or folder below the server's, without links, relative to that.
    ///
    /// # Errors
    /// If it lies elsewhere, by its name or by a link, or does not exist.
    pub(super) fn path(&self, name: &str) -> Result<PathBuf, Refusal> {
        let outside = || {
            Refusal::new(
                format!("`{}` lies outside the folder that the server was started in", name.escape_debug()),
                "name a file below that folder, or give its content as `text`",
            )
        };
        if !without_dots(&self.root.join(name)).starts_with(&self.root) {
            return Err(outside());
        }
        // The system goes through links before it goes up.
        let real = self.root.join(name).canonicalize().map_err(|why| {
            Refusal::new(
                format!("cannot read `{}`: {why}", name.escape_debug()),
                "name a file below the server's folder",
            )
        })?;
        let below = real.strip_prefix(&self.root).map_err(|_| outside())?;
        Ok(if below.as_os_str().is_empty() { PathBuf::from(".") } else { below.to_owned() })
    }

    /// The folder of the server, without links.
    pub(super) fn root(&self) -> &Path {
        &self.root
    }

    /// Checks that the files and folders of a source lie below the server's folder, or among the call's texts.
    ///
    /// # Errors
    /// As [`Confined::path`].
    pub(super) fn check(&self, source: &KernelSource, texts: Option<&Texts>) -> Result<(), Refusal> {
        for path in source.files.iter().chain(&source.include) {
            if !texts.is_some_and(|texts| texts.has(path)) {
                self.path(&path.to_string_lossy())?;
            }
        }
        Ok(())
    }

    /// Takes the paths of folders of texts out of an answer.
    pub(super) fn hide(&self, answer: &mut Value) {
        match answer {
            Value::String(text) => *text = self.hidden(text),
            Value::Array(list) => list.iter_mut().for_each(|value| self.hide(value)),
            Value::Object(map) => {
                let hidden = |(name, mut value): (String, Value)| {
                    self.hide(&mut value);
                    (self.hidden(&name), value)
                };
                *map = std::mem::take(map).into_iter().map(hidden).collect();
            }
            _ => {}
        }
    }

    /// A text without the paths of folders of texts.
    fn hidden(&self, text: &str) -> String {
        let scratch = format!("{}/", self.scratch.path().display());
        let mut parts = text.split(&scratch);
        let mut hidden = parts.next().unwrap_or_default().to_owned();
        for part in parts {
            let behind = part.trim_start_matches(|digit: char| digit.is_ascii_hexdigit());
            // The folder itself is where the texts are.
            hidden.push_str(behind.strip_prefix('/').unwrap_or(&format!(".{behind}")));
        }
        hidden
    }

    /// Writes the texts of a call into a temporary folder.
    ///
    /// # Errors
    /// If a name is not one of a file below the folder, or a file cannot be written.
    pub(super) fn write(&self, texts: &IndexMap<String, String>) -> Result<Arc<Texts>, Refusal> {
        if let Some(name) = texts.keys().find(|name| !is_plain(name)) {
            return Err(Refusal::new(
                format!("`{}` is not the name of a file beside the text", name.escape_debug()),
                "name it as the text includes it, such as `tile.h` or `inner/tile.h`",
            ));
        }
        let parts = texts.iter().flat_map(|(name, text)| [name, text]).map(|part| sha256([part.as_bytes()]));
        let folder = self.scratch.path().join(sha256([parts.collect::<String>().as_bytes()]));
        let mut used = self.used.lock().unwrap_or_else(PoisonError::into_inner);
        used.retain(|_, texts| texts.strong_count() > 0);
        if let Some(texts) = used.get(&folder).and_then(Weak::upgrade) {
            return Ok(texts);
        }
        let write = |(name, text): (&String, &String)| {
            let path = folder.join(name);
            fs::create_dir_all(path.parent().unwrap_or(&folder))?;
            fs::write(&path, text)
        };
        if let Err(why) = texts.iter().try_for_each(write) {
            let _ = fs::remove_dir_all(&folder);
            return Err(Refusal::new(why, "make room for temporary files, or name another folder with TMPDIR"));
        }
        let made = Arc::new(Texts { folder: folder.clone(), used: Arc::clone(&self.used) });
        used.insert(folder, Arc::downgrade(&made));
        Ok(made)
    }
}

/// True for the name of a file below a folder.
fn is_plain(name: &str) -> bool {
    let path = Path::new(name);
    !name.is_empty()
        && !name.ends_with('/')
        && !name.contains('\0')
        && path.components().all(|part| matches!(part, Component::Normal(_)))
}

#[cfg(test)]
mod tests;
