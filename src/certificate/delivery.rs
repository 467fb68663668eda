//! The delivery of a proof from the folder where it was made to the folder that keeps it.

use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use fs_err as fs;

use super::hashes::{SUMS, proof_files};

/// Brings a proof to its folder whole or not at all: it is copied into a folder beside it, and renamed. Where a folder cannot be
/// replaced, such as a mount point or one that others put files into meanwhile, the files are copied, the hashes last, so that a part is never taken for a whole proof; if
/// one cannot be written, those that were are removed.
///
/// # Errors
/// If a file cannot be read or written; the message names it.
pub fn deliver(from: &Path, to: &Path, beside: &Path) -> io::Result<()> {
    let whole = beside.join("whole");
    fs::create_dir(&whole)?;
    copy_all(from, &whole, &mut Vec::new())?;
    if let Ok(found) = fs::metadata(to) {
        fs::set_permissions(&whole, found.permissions())?;
    }
    match fs::rename(&whole, to) {
        Err(_) if to.is_dir() => copy_or_remove(from, to),
        renamed => renamed,
    }
}

/// Copies the files of a proof, the hashes last. If a file cannot be written, all files written so far are removed.
fn copy_or_remove(from: &Path, to: &Path) -> io::Result<()> {
    let mut made = Vec::new();
    let delivered = copy_all(from, to, &mut made);
    if delivered.is_err() {
        for path in made.iter().rev() {
            // The first error is the one to report; a file that cannot be removed stays.
            let _ = if path.is_dir() { fs::remove_dir(path) } else { fs::remove_file(path) };
        }
    }
    delivered
}

fn copy_all(from: &Path, to: &Path, made: &mut Vec<PathBuf>) -> io::Result<()> {
    let sums = Some((SUMS.to_owned(), from.join(SUMS))).filter(|(_, path)| path.exists());
    for (name, path) in proof_files(from)?.into_iter().chain(sums) {
        let target = to.join(name);
        make_folders(target.parent().unwrap_or(to), made)?;
        let mut source = fs::File::open(path)?;
        let mut file = fs::OpenOptions::new().write(true).create_new(true).open(&target)?;
        made.push(target);
        io::copy(&mut source, &mut file)?;
    }
    Ok(())
}

/// Makes a folder and those above it that are missing.
fn make_folders(folder: &Path, made: &mut Vec<PathBuf>) -> io::Result<()> {
    if folder.exists() {
        return Ok(());
    }
    if let Some(above) = folder.parent() {
        make_folders(above, made)?;
    }
    match fs::create_dir(folder) {
        Err(why) if why.kind() == ErrorKind::AlreadyExists => Ok(()),
        Err(why) => Err(why),
        Ok(()) => {
            made.push(folder.to_owned());
            Ok(())
        }
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::MetadataExt;

    use super::*;

    const FILES: [&str; 3] = ["result.json", "proof/model-1/model.pml", SUMS];

    /// A proof, the folder that keeps it, and one beside it.
    fn places() -> (tempfile::TempDir, [PathBuf; 3]) {
        let place = tempfile::tempdir().unwrap();
        let [from, to, beside] = ["from", "to", ".to.running"].map(|name| place.path().join(name));
        fs::create_dir_all(from.join("proof/model-1")).unwrap();
        for name in FILES {
            fs::write(from.join(name), name).unwrap();
        }
        fs::create_dir(&beside).unwrap();
        (place, [from, to, beside])
    }

    fn assert_whole(to: &Path) {
        for name in FILES {
            assert_eq!(fs::read_to_string(to.join(name)).unwrap(), name);
        }
    }

    #[test]
    fn a_proof_replaces_an_empty_folder() {
        let (_place, [from, to, beside]) = places();
        fs::create_dir(&to).unwrap();
        let before = fs::metadata(&to).unwrap();
        deliver(&from, &to, &beside).unwrap();
        assert_whole(&to);
        assert_ne!(fs::metadata(&to).unwrap().ino(), before.ino());
    }

    /// A folder that lies in the one that keeps the proof keeps it from being replaced.
    #[test]
    fn where_a_folder_cannot_be_replaced_the_files_are_copied() {
        let (_place, [from, to, _]) = places();
        let within = to.join(".autotune-running");
        fs::create_dir_all(&within).unwrap();
        fs::write(to.join("mine"), "mine").unwrap();
        deliver(&from, &to, &within).unwrap();
        assert_whole(&to);
        assert_eq!(fs::read_to_string(to.join("mine")).unwrap(), "mine");
    }

    #[test]
    fn files_that_cannot_all_be_copied_are_removed() {
        let (_place, [from, to, _]) = places();
        fs::create_dir(&to).unwrap();
        // A foreign file stands in the place of the last one.
        fs::write(to.join(SUMS), "mine").unwrap();
        assert!(copy_or_remove(&from, &to).unwrap_err().to_string().contains(SUMS));
        let left: Vec<_> = fs::read_dir(&to).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        assert_eq!(left, [SUMS]);
        assert_eq!(fs::read_to_string(to.join(SUMS)).unwrap(), "mine");
    }
}
