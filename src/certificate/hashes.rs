//! `SHA256SUMS`: the hashes of a folder's files, in the form that `sha256sum -c` reads.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::io::{self, Read, Write as _};
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use bytesize::ByteSize;
use data_encoding::HEXLOWER;
use fs_err as fs;
use regex::Regex;
use sha2::{Digest, Sha256};

use super::deviation::Deviation;
use autotune_base::files::{self, MIB};

/// The file of hashes.
pub const SUMS: &str = "SHA256SUMS";
/// The end of the name of the folder beside the one that a run is to fill; its own name where nothing can be made beside it.
pub const RUNNING: &str = ".autotune-running";
/// The files that `spin -a` and the compiler make from a model, by their paths from the proof's folder; their content
/// may differ.
static MADE_ANEW: LazyLock<Regex> = LazyLock::new(|| {
    let places = r"(proof|top-[0-9]+)/model-[0-9]+|schedules/(([0-9]+|slow)/wave-[0-9]+|rival/launch)";
    let pattern = format!(r"^({places})/(_spin_nvr\.tmp|pan|pan_ends|pan\.[bchmpt])$");
    Regex::new(&pattern).expect("it is tested")
});
/// A line of the file of hashes: a hash and a file, whose name has no control characters.
static LINE: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"^([0-9a-f]{64})  ([^\x00-\x1f\x7f]+)\n$").expect("it is tested"));
/// The greatest size of a file of a proof, in bytes. `check.sh` and `check.py` have the same limits.
pub(super) const LARGEST_FILE: u64 = 1024 * MIB;
/// The greatest size of all files of a proof together, in bytes.
const LARGEST_PROOF: u64 = 4096 * MIB;
/// The greatest number of files of a proof.
const MOST_FILES: usize = 100_000;
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

/// Writes the hashes of all files of a folder to its file of hashes. Empty folders do not belong to a proof.
///
/// # Errors
/// If a file cannot be read, or the folder is too large to be checked.
pub(super) fn write(folder: &Path) -> io::Result<()> {
    let mut found = files(folder)?;
    found.retain(|name, found| !is_beside(name) && found.is != Some(EMPTY));
    if let Some(unfit) = unfit(&found).first() {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, unfit.to_string()));
    }
    let mut text = String::new();
    for (name, found) in found {
        let _ = writeln!(text, "{}  {name}", hash(&found.path)?);
    }
    add(folder, SUMS, text)
}

/// Writes the hashes of these files of a folder to its file of hashes.
///
/// # Errors
/// If a file cannot be read.
pub(super) fn write_some(folder: &Path, names: impl IntoIterator<Item = String>) -> io::Result<()> {
    let names: BTreeSet<String> = names.into_iter().collect();
    let mut text = String::new();
    for name in names {
        let _ = writeln!(text, "{}  {name}", hash(&folder.join(&name))?);
    }
    add(folder, SUMS, text)
}

/// The differences between a folder and its file of hashes, which must name these files alone.
pub(super) fn check_some(folder: &Path, names: impl IntoIterator<Item = String>) -> io::Result<Vec<Deviation>> {
    let names: BTreeSet<String> = names.into_iter().collect();
    let sums = files::kept(&folder.join(SUMS), LARGEST_SUMS).called(SUMS).text()?;
    let lines: Vec<&str> = sums.lines().filter_map(|line| Some(line.split_once("  ")?.1)).collect();
    if !names.iter().map(String::as_str).eq(lines.iter().copied()) {
        return Ok(vec![Deviation::new(SUMS, "it does not have a line for each file of the proof")]);
    }
    let mut differences = Vec::new();
    for (line, name) in sums.lines().zip(&names) {
        match hash(&folder.join(name)) {
            Ok(hash) if line == format!("{hash}  {name}") => {}
            Ok(hash) => {
                differences.push(Deviation::new(name, format!("its SHA-256 is {hash}, which {SUMS} does not say")));
            }
            Err(why) => differences.push(Deviation::new(name, format!("it cannot be read: {why}"))),
        }
    }
    Ok(differences)
}

/// The differences between a folder and its file of hashes. Names, kinds and sizes are compared first: if they are not
/// those of a proof, no other file is read.
pub(super) fn check(folder: &Path) -> io::Result<Vec<Deviation>> {
    let mut found = files(folder)?;
    let unfit = unfit(&found);
    if !unfit.is_empty() {
        return Ok(unfit);
    }
    found.remove(SUMS);
    let sums = match files::kept(&folder.join(SUMS), LARGEST_SUMS).unnamed().text() {
        Ok(sums) => sums,
        Err(error) => return Ok(vec![Deviation::new(SUMS, format!("it cannot be read: {error}"))]),
    };
    let listed = match listed(&sums, &found) {
        Ok(listed) => listed,
        Err(differences) => return Ok(differences),
    };
    let compared = listed.into_iter().filter_map(|(name, listed)| match hash(&found[name].path) {
        Ok(hash) if hash == listed => None,
        Ok(hash) => Some(Deviation::new(name, format!("its SHA-256 is {hash}, not {listed} as {SUMS} says"))),
        Err(why) => Some(Deviation::new(name, format!("it cannot be read: {why}"))),
    });
    Ok(compared.collect())
}

/// The hashes that a file of hashes lists, by their files. Each file that was found must have one line, in the order of
/// the names.
fn listed<'a>(sums: &'a str, found: &BTreeMap<String, Found>) -> Result<BTreeMap<&'a str, &'a str>, Vec<Deviation>> {
    let (mut listed, mut differences) = (BTreeMap::new(), Vec::new());
    for line in sums.split_inclusive('\n') {
        let Some((_, [hash, name])) = LINE.captures(line).map(|parts| parts.extract()) else {
            differences.push(Deviation::new(SUMS, format!("`{line}` is not a hash and a file")));
            continue;
        };
        if listed.last_key_value().is_some_and(|(before, _)| *before >= name) {
            differences.push(Deviation::new(SUMS, format!("the line of `{name}` is there twice, or not in its order")));
        }
        if !found.contains_key(name) {
            differences.push(Deviation::new(name, format!("it is in {SUMS}, but not in the folder")));
        }
        listed.insert(name, hash);
    }
    let unlisted = found.keys().filter(|name| !listed.contains_key(name.as_str()));
    differences.extend(unlisted.map(|name| Deviation::new(name, format!("it is not in {SUMS}"))));
    if differences.is_empty() { Ok(listed) } else { Err(differences) }
}

/// The faults of a folder's entries that show without reading a file.
fn unfit(found: &BTreeMap<String, Found>) -> Vec<Deviation> {
    let fault = |(name, found): (&String, &Found)| match found.is {
        Some(kind) => {
            Some(Deviation::new(name, format!("it is {kind}: a kept proof has regular files and their folders only")))
        }
        None if found.bytes > LARGEST_FILE => {
            let limit = ByteSize::b(LARGEST_FILE);
            Some(Deviation::new(name, format!("it has more than {limit}, the largest size of a file of a proof")))
        }
        None => None,
    };
    let mut unfit: Vec<Deviation> = found.iter().filter_map(fault).collect();
    let bytes = found.values().fold(0, |sum: u64, found| sum.saturating_add(found.bytes));
    if bytes > LARGEST_PROOF {
        let limit = ByteSize::b(LARGEST_PROOF);
        unfit.push(Deviation::new(".", format!("it has more than {limit}, the largest size of a proof")));
    }
    unfit
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
    bytes: u64,
}

/// The kind of a folder without entries.
const EMPTY: &str = "an empty folder";

/// All entries below a folder except the folders that have entries, by their paths from there. Links are not followed.
///
/// # Errors
/// If a folder cannot be read, or there are more than [`MOST_FILES`] entries.
fn files(folder: &Path) -> io::Result<BTreeMap<String, Found>> {
    let mut found = BTreeMap::new();
    let mut folders = vec![(folder.to_owned(), String::new())];
    while let Some((folder, prefix)) = folders.pop() {
        let mut is_empty = true;
        for entry in fs::read_dir(&folder)? {
            let entry = entry?;
            is_empty = false;
            let (path, metadata) = (entry.path(), entry.metadata()?);
            let name = format!("{prefix}{}", entry.file_name().to_string_lossy());
            if metadata.is_dir() {
                folders.push((path, name + "/"));
            } else {
                found.insert(name, Found { path, is: files::irregular(metadata.file_type()), bytes: metadata.len() });
            }
        }
        if is_empty && !prefix.is_empty() {
            found.insert(prefix, Found { path: folder, is: Some(EMPTY), bytes: 0 });
        }
        if found.len() + folders.len() > MOST_FILES {
            return Err(io::Error::new(io::ErrorKind::InvalidInput, format!("it has more than {MOST_FILES} files")));
        }
    }
    Ok(found)
}
