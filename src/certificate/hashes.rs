//! `SHA256SUMS`: the hashes of a folder's files, as `sha256sum -c` reads them.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::io;
use std::path::{Path, PathBuf};

use fs_err as fs;

use super::Difference;
use crate::checksum::sha256;

/// The file of hashes.
pub const SUMS: &str = "SHA256SUMS";
/// The file that a folder has while a proof takes place in it: no part of the proof.
pub const RUNNING: &str = ".autotune-running";
/// What `spin -a` and the compiler make anew from the model, and may make otherwise.
const MADE_ANEW: [&str; 9] = ["_spin_nvr.tmp", "pan", "pan_ends", "pan.b", "pan.c", "pan.h", "pan.m", "pan.p", "pan.t"];

/// Removes what SPIN and the compiler made from the models of a folder.
///
/// # Errors
/// The folder cannot be read, or a file not be removed.
pub fn sweep(folder: &Path) -> io::Result<()> {
    files(folder)?.into_values().filter(|path| is_made_anew(path)).try_for_each(fs::remove_file)
}

/// Writes the hashes of all files of a folder into it.
pub(super) fn write(folder: &Path) -> io::Result<()> {
    let text = hashes(folder)?.iter().fold(String::new(), |mut text, (file, hash)| {
        let _ = writeln!(text, "{hash}  {file}");
        text
    });
    fs::write(folder.join(SUMS), text)
}

/// What is not as the file of hashes says.
pub(super) fn check(folder: &Path) -> io::Result<Vec<Difference>> {
    let sums = match fs::read_to_string(folder.join(SUMS)) {
        Ok(sums) => sums,
        Err(error) => return Ok(vec![Difference::new(SUMS, format!("it cannot be read: {error}"))]),
    };
    let mut found = hashes(folder)?;
    let mut differences = Vec::new();
    for line in sums.lines() {
        let Some((hash, file)) = line.split_once("  ") else {
            differences.push(Difference::new(SUMS, format!("`{line}` is no hash and file")));
            continue;
        };
        match found.remove(file) {
            None => differences.push(Difference::new(file, format!("it is in {SUMS}, but not in the folder"))),
            Some(other) if other != hash => {
                differences.push(Difference::new(file, format!("its SHA-256 is {other}, not {hash} as {SUMS} says")));
            }
            Some(_) => {}
        }
    }
    differences.extend(found.keys().map(|file| Difference::new(file, format!("it is not in {SUMS}"))));
    Ok(differences)
}

/// The hash of each file below a folder but for those that are made anew from others, by its name from there.
fn hashes(folder: &Path) -> io::Result<BTreeMap<String, String>> {
    let kept = files(folder)?
        .into_iter()
        .filter(|(name, path)| ![SUMS, RUNNING].contains(&name.as_str()) && !is_made_anew(path));
    kept.map(|(name, path)| Ok((name, sha256([fs::read(path)?.as_slice()])))).collect()
}

fn is_made_anew(path: &Path) -> bool {
    path.file_name().is_some_and(|name| MADE_ANEW.iter().any(|made| name == *made))
}

/// All files below a folder, by their names from there.
pub(super) fn files(folder: &Path) -> io::Result<BTreeMap<String, PathBuf>> {
    let mut files = BTreeMap::new();
    let mut folders = vec![(folder.to_owned(), String::new())];
    while let Some((folder, prefix)) = folders.pop() {
        for entry in fs::read_dir(&folder)? {
            let entry = entry?;
            let name = format!("{prefix}{}", entry.file_name().to_string_lossy());
            if entry.file_type()?.is_dir() {
                folders.push((entry.path(), name + "/"));
            } else {
                files.insert(name, entry.path());
            }
        }
    }
    Ok(files)
}
