//! `SHA256SUMS`: the hashes of a folder's files, in the form that `sha256sum -c` reads.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::{self, Read, Write as _};
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use data_encoding::HEXLOWER;
use fs_err as fs;
use regex::Regex;
use sha2::{Digest, Sha256};

use super::deviation::Deviation;
use crate::files::{self, MIB};

/// The file of hashes.
pub const SUMS: &str = "SHA256SUMS";
/// The file that a folder has while a proof takes place in it; it is not part of the proof.
pub const RUNNING: &str = ".autotune-running";
/// The files that `spin -a` and the compiler make from a model, by their paths from the proof's folder; their content
/// may differ.
static MADE_ANEW: LazyLock<Regex> = LazyLock::new(|| {
    let pattern = r"^(proof|top-[0-9]+)/model-[0-9]+/(_spin_nvr\.tmp|pan|pan_ends|pan\.[bchmpt])$";
    Regex::new(pattern).expect("it is tested")
});
/// The greatest size of a file of a proof, in bytes.
const LARGEST_FILE: u64 = 4096 * MIB;
/// The greatest size of the file of hashes, in bytes.
const LARGEST_SUMS: u64 = 64 * MIB;

/// Removes the files that SPIN and the compiler made from the models of a folder.
///
/// # Errors
/// If the folder cannot be read, or a file cannot be removed.
pub fn sweep(folder: &Path) -> io::Result<()> {
    let is_made_anew = |found: &(String, Found)| MADE_ANEW.is_match(&found.0) && found.1.is.is_none();
    files(folder)?.into_iter().filter(is_made_anew).try_for_each(|(_, found)| fs::remove_file(found.path))
}

/// Adds a file to a folder; an error if a file of this name exists.
pub(super) fn add(folder: &Path, name: &str, content: impl AsRef<[u8]>) -> io::Result<()> {
    let mut file = fs::OpenOptions::new().write(true).create_new(true).open(folder.join(name))?;
    file.write_all(content.as_ref())
}

/// The regular files below a folder that belong to a proof, by their paths from there.
pub(super) fn proof_files(folder: &Path) -> io::Result<BTreeMap<String, PathBuf>> {
    let found = files(folder)?.into_iter().filter(|(name, found)| found.is.is_none() && name != SUMS);
    Ok(found.map(|(name, found)| (name, found.path)).collect())
}

/// Returns true for a file that is not part of the proof but may lie in its folder until it is sealed.
fn is_beside(name: &str) -> bool {
    name == RUNNING || MADE_ANEW.is_match(name)
}

/// Writes the hashes of all files of a folder to its file of hashes.
pub(super) fn write(folder: &Path) -> io::Result<()> {
    let mut text = String::new();
    for (file, hash) in hashes(folder)? {
        if is_beside(&file) {
            continue;
        }
        let hash = hash.map_err(|why| io::Error::new(io::ErrorKind::InvalidInput, format!("`{file}`: {why}")))?;
        let _ = writeln!(text, "{hash}  {file}");
    }
    add(folder, SUMS, text)
}

/// The differences between a folder and its file of hashes.
pub(super) fn check(folder: &Path) -> io::Result<Vec<Deviation>> {
    let sums = match files::kept(&folder.join(SUMS), LARGEST_SUMS).unnamed().text() {
        Ok(sums) => sums,
        Err(error) => return Ok(vec![Deviation::new(SUMS, format!("it cannot be read: {error}"))]),
    };
    let mut found = hashes(folder)?;
    let mut differences = Vec::new();
    for line in sums.lines() {
        let Some((hash, file)) = line.split_once("  ") else {
            differences.push(Deviation::new(SUMS, format!("`{line}` is not a hash and a file")));
            continue;
        };
        match found.remove(file) {
            None => differences.push(Deviation::new(file, format!("it is in {SUMS}, but not in the folder"))),
            Some(Err(why)) => differences.push(Deviation::new(file, why)),
            Some(Ok(other)) if other != hash => {
                differences.push(Deviation::new(file, format!("its SHA-256 is {other}, not {hash} as {SUMS} says")));
            }
            Some(Ok(_)) => {}
        }
    }
    differences.extend(found.into_iter().map(|(file, hash)| match hash {
        Ok(_) => Deviation::new(file, format!("it is not in {SUMS}")),
        Err(why) => Deviation::new(file, why),
    }));
    Ok(differences)
}

/// The hash of each file below a folder, by its path from there, or the reason for which it has none.
fn hashes(folder: &Path) -> io::Result<BTreeMap<String, Result<String, String>>> {
    let mut hashes = BTreeMap::new();
    for (name, found) in files(folder)? {
        match found.is {
            Some(kind) => {
                hashes.insert(name, Err(format!("it is {kind}: a kept proof has regular files and folders only")));
            }
            None if name == SUMS => {}
            None => {
                let hash = hash(&found.path).map_err(|why| format!("it cannot be read: {why}"));
                hashes.insert(name, hash);
            }
        }
    }
    Ok(hashes)
}

/// The SHA-256 of a file, read piece by piece.
fn hash(path: &Path) -> io::Result<String> {
    let mut file = files::kept(path, LARGEST_FILE).unnamed().open()?.take(LARGEST_FILE);
    let (mut sum, mut piece) = (Sha256::new(), vec![0; 1 << 16]);
    loop {
        match file.read(&mut piece)? {
            0 => return Ok(HEXLOWER.encode(&sum.finalize())),
            length => sum.update(&piece[..length]),
        }
    }
}

/// An entry of a folder.
struct Found {
    path: PathBuf,
    /// The kind of entry; `None` for a regular file.
    is: Option<&'static str>,
}

/// All entries below a folder that are not folders, by their paths from there. Links are not followed.
fn files(folder: &Path) -> io::Result<BTreeMap<String, Found>> {
    let mut found = BTreeMap::new();
    let mut folders = vec![(folder.to_owned(), String::new())];
    while let Some((folder, prefix)) = folders.pop() {
        for entry in fs::read_dir(&folder)? {
            let entry = entry?;
            let (path, kind) = (entry.path(), entry.file_type()?);
            let name = format!("{prefix}{}", entry.file_name().to_string_lossy());
            if kind.is_dir() {
                folders.push((path, name + "/"));
            } else {
                found.insert(name, Found { path, is: files::irregular(kind) });
            }
        }
    }
    Ok(found)
}
