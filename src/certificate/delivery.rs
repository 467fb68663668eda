//! The delivery of a proof from the folder where it was made to the folder that keeps it.

use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use fs_err as fs;

use super::hashes::{SUMS, proof_files};

/// Copies the files of a proof, the hashes last, so that a part is never taken for a whole proof. If a file cannot be
/// written, all files written so far are removed.
///
/// # Errors
/// If a file cannot be read or written; the message names it.
pub fn deliver(from: &Path, to: &Path) -> io::Result<()> {
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
    use super::*;

    #[test]
    fn a_proof_arrives_whole_or_not_at_all() {
        let place = tempfile::tempdir().unwrap();
        let (from, to) = (place.path().join("from"), place.path().join("to"));
        fs::create_dir_all(from.join("proof/model-1")).unwrap();
        for name in ["result.json", "proof/model-1/model.pml", SUMS] {
            fs::write(from.join(name), name).unwrap();
        }
        fs::create_dir(&to).unwrap();
        // A foreign file stands in the place of the last one.
        fs::write(to.join(SUMS), "mine").unwrap();
        assert!(deliver(&from, &to).unwrap_err().to_string().contains(SUMS));
        let left: Vec<_> = fs::read_dir(&to).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        assert_eq!(left, [SUMS]);
        assert_eq!(fs::read_to_string(to.join(SUMS)).unwrap(), "mine");
        fs::remove_file(to.join(SUMS)).unwrap();
        deliver(&from, &to).unwrap();
        for name in ["result.json", "proof/model-1/model.pml", SUMS] {
            assert_eq!(fs::read_to_string(to.join(name)).unwrap(), name);
        }
    }
}
