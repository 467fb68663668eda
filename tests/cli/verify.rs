//! Kept proofs: repeated by `autotune verify` and by their own script; a changed file is found by its hash.

mod claims;
mod folder;
mod forged;
mod orders;
mod python;
mod script;
mod source;

use std::collections::BTreeMap;

use sha2::{Digest, Sha256};

use super::*;

const MODEL: &str = "proof/model-1";
const SUMS: &str = "SHA256SUMS";
const MANIFEST: &str = "kept.json";
/// The files that can be made again from a model.
const MADE_ANEW: [&str; 6] = ["_spin_nvr.tmp", "pan", "pan_ends", "pan.c", "pan.h", "pan.m"];
/// Options that prove the abstract kernel's two optima and the next configuration.
const THREE: [&str; 3] = ["--no-prune", "--top", "3"];

/// Two configurations are the fastest; other configurations share programs.
const TIED: [&str; 3] = ["tuning-specs/convolution_2d.yaml", "--gpu", "fermi"];

/// A folder that `--keep` has filled.
struct Kept {
    folder: tempfile::TempDir,
}

/// A forger's change of the result: the file that is reported, the words of the report, the change.
type Forgery = (&'static str, &'static str, fn(&mut Value));

/// Checks that each change is found, in a folder that is sealed again and otherwise unchanged.
fn assert_all_refused(forgeries: &[Forgery]) {
    let kept = Kept::new();
    let good = kept.read("result.json");
    for (file, words, forge) in forgeries {
        kept.write("result.json", &good);
        kept.edit(forge);
        kept.assert_refused(file, words);
    }
}

/// A proof that is kept with the programs of all its configurations.
fn kept(question: &[&str], options: &[&str]) -> Kept {
    let kept = Kept { folder: tempfile::tempdir().unwrap() };
    let ended = run(autotune().args(question).args(options).arg("--keep").arg(kept.path("")));
    assert_eq!(ended.status, 0, "{}", ended.stderr);
    kept
}

impl Kept {
    fn new() -> Self {
        Self::of(&THREE)
    }

    fn of(options: &[&str]) -> Self {
        Self::within(tempfile::tempdir().unwrap(), options)
    }

    fn within(folder: tempfile::TempDir, options: &[&str]) -> Self {
        let ended = run(autotune().args(SMALL).args(options).arg("--keep").arg(folder.path()));
        assert_eq!(ended.status, 0, "{}", ended.stderr);
        Self { folder }
    }

    fn path(&self, file: &str) -> PathBuf {
        self.folder.path().join(file)
    }

    fn read(&self, file: &str) -> String {
        std::fs::read_to_string(self.path(file)).unwrap()
    }

    fn write(&self, file: &str, text: &str) {
        std::fs::write(self.path(file), text).unwrap();
    }

    fn replace(&self, file: &str, what: &str, by: &str) {
        let text = self.read(file);
        assert!(text.contains(what), "{file} has no `{what}`");
        self.write(file, &text.replacen(what, by, 1));
    }

    /// Changes the result, as a forger would.
    fn edit(&self, change: impl FnOnce(&mut Value)) {
        let mut result: Value = serde_json::from_str(&self.read("result.json")).unwrap();
        change(&mut result);
        self.write("result.json", &(serde_json::to_string_pretty(&result).unwrap() + "\n"));
        self.seal();
    }

    /// The files with their hashes, except the file of hashes.
    fn hashes(&self) -> BTreeMap<String, String> {
        let mut hashes = BTreeMap::new();
        let mut folders = vec![self.path("")];
        while let Some(folder) = folders.pop() {
            for entry in std::fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                if path.is_dir() {
                    folders.push(path);
                } else {
                    let name = path.strip_prefix(self.folder.path()).unwrap().display().to_string();
                    hashes.insert(name, sha256(&std::fs::read(path).unwrap()));
                }
            }
        }
        hashes.remove(SUMS);
        hashes
    }

    /// Corrects the hashes.
    fn seal(&self) {
        let lines: Vec<String> = self.hashes().iter().map(|(name, hash)| format!("{hash}  {name}\n")).collect();
        self.write(SUMS, &lines.concat());
    }

    /// The first file of a folder whose name contains this.
    fn file(&self, folder: &str, part: &str) -> String {
        let mut names: Vec<String> = std::fs::read_dir(self.path(folder))
            .unwrap()
            .map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned())
            .filter(|name| name.contains(part))
            .collect();
        names.sort();
        format!("{folder}/{}", names[0])
    }

    fn verify(&self) -> Value {
        let ended = run(autotune().args(["verify", "--format", "json"]).arg(self.folder.path()));
        assert_eq!((ended.status, ended.stderr.as_str()), (0, ""));
        json(&ended, "verification.json")
    }

    /// Checks that the folder is refused, with a line that begins with this file and contains these words.
    fn assert_refused(&self, file: &str, words: &str) {
        let ended = run(autotune().args(["verify", "--format", "json"]).arg(self.folder.path()));
        assert_eq!((ended.status, ended.stdout.as_str()), (1, ""), "not refused: {file}: {words}");
        let printed = ended.stderr.lines().any(|line| line.trim_start().starts_with(file) && line.contains(words));
        assert!(printed, "no `{file}: … {words}` in {}", ended.stderr);
    }
}

/// A run of a kept proof's own script, with a compiler that is quick.
fn by_hand(folder: &Path) -> Ended {
    run(Command::new("sh").arg("check.sh").env("CC", "tcc").current_dir(folder))
}

pub(super) fn sha256(bytes: &[u8]) -> String {
    Sha256::digest(bytes)
        .iter()
        .flat_map(|byte| [byte >> 4, byte & 15])
        .map(|digit| "0123456789abcdef".as_bytes()[usize::from(digit)] as char)
        .collect()
}

#[test]
fn a_kept_proof_is_verified_again_and_again() {
    let kept = Kept::new();
    for _ in 0..2 {
        let verification = kept.verify();
        assert_eq!((&verification["ticks"], &verification["models"]), (&136.into(), &2.into()));
        assert_eq!((&verification["configurations"], &verification["pruned"]), (&(9 + 7).into(), &0.into()));
        assert!(verification["trails"].as_u64().unwrap() >= 2);
    }
    assert!(kept.hashes().keys().all(|name| !MADE_ANEW.contains(&name.rsplit('/').next().unwrap())));
    assert!(run(autotune().arg("verify").arg(kept.path(""))).stdout.starts_with("verified  abstract_kernel"));
    let again = run(autotune().args(SMALL).arg("--keep").arg(kept.path("")));
    assert_eq!((again.status, again.stdout.as_str()), (2, ""));
    assert!(again.stderr.contains("is not empty"));
}

#[test]
fn proofs_of_every_kind_are_verified() {
    for options in [
        &["--strategy", "branch-and-bound"][..],
        &["--strategy", "bisection"],
        &["--granularity", "element"],
        &["--form", "wave"],
        &["--config", "WG=2,TS=4"],
        &["--rank", "--configurations", "all", "--no-check-all"],
        &["--check-all", "--no-analysis", "--no-cost"],
        &["--no-prune", "--top", "9"],
    ] {
        let kept = Kept::of(options);
        let verification = kept.verify();
        assert_eq!((&verification["verdict"], &verification["profile"]), (&"verified".into(), &"shipped".into()));
    }
    let folder = tempfile::tempdir().unwrap();
    let question = ["tuning-specs/convolution_2d.yaml", "--gpu", "fermi", "--keep"];
    assert_eq!(run(autotune().args(question).arg(folder.path())).status, 0);
    let kept = Kept { folder };
    assert!(kept.verify()["pruned"].as_u64().unwrap() > 0);
}

#[test]
fn the_books_proof_is_verified_in_these_words() {
    let folder = tempfile::tempdir().unwrap();
    let question = ["tuning-specs/matmul_tiled.yaml", "--gpu", "fermi", "--keep"];
    assert_eq!(run(autotune().args(question).arg(folder.path())).status, 0);
    let printed = run(autotune().arg("verify").arg(folder.path())).stdout;
    assert!(crate::readme::page("guide/kept-proofs.md").contains(&printed), "the book lacks: {printed}");
}

#[test]
fn a_file_that_is_changed_missing_or_new_is_found_by_its_hash() {
    let kept = Kept::new();
    let bytes = |name: &String| std::fs::read(kept.path(name)).unwrap();
    // A folder without its manifest is another version's.
    let names = kept.hashes().into_keys().filter(|name| name != MANIFEST);
    let good: BTreeMap<String, Vec<u8>> = names.map(|name| (name.clone(), bytes(&name))).collect();
    assert!(good.len() > 20, "{:?}", good.keys());
    for (name, bytes) in &good {
        std::fs::write(kept.path(name), [bytes.as_slice(), b"\n"].concat()).unwrap();
        kept.assert_refused(name, "its SHA-256 is");
        std::fs::remove_file(kept.path(name)).unwrap();
        kept.assert_refused(name, "but not in the folder");
        std::fs::write(kept.path(name), bytes).unwrap();
    }
    kept.write("more.txt", "more");
    kept.assert_refused("more.txt", "it is not in SHA256SUMS");
    std::fs::remove_file(kept.path("more.txt")).unwrap();
    let sums = kept.read(SUMS);
    kept.write(SUMS, "nonsense\n");
    kept.assert_refused(SUMS, "is not a hash and a file");
    std::fs::remove_file(kept.path(SUMS)).unwrap();
    kept.assert_refused(SUMS, "cannot be read");
    kept.write(SUMS, &sums);
    kept.verify();
}

#[test]
fn what_is_not_proved_or_not_kept_is_not_verified() {
    let folder = tempfile::tempdir().unwrap();
    let ended = run(autotune().arg("verify").arg(folder.path()));
    assert_eq!((ended.status, ended.stdout.as_str()), (2, ""));
    assert!(ended.stderr.contains("result.json") && ended.stderr.contains("--keep DIR"), "{}", ended.stderr);
    let question = ["tuning-specs/matmul_tiled.yaml", "--gpu", "a100", "--form", "roles", "--memory", "16MiB"];
    let kept = Kept { folder };
    assert_eq!(run(autotune().args(question).arg("--keep").arg(kept.path(""))).status, 3);
    kept.assert_refused(
        "result.json",
        "it is not a proof: its verdict is best_effort, the search was stopped by memory",
    );
    let script = by_hand(&kept.path(""));
    assert!(script.status == 1 && script.stderr.contains("it is not a proof"), "{}", script.stderr);
    let kept = Kept { folder: tempfile::tempdir().unwrap() };
    let none = ["tuning-specs/abstract_kernel.yaml", "--gpu", "abstract-tiny", "--set", "size=2", "--keep"];
    assert_eq!(run(autotune().args(none).arg(kept.path(""))).status, 4);
    kept.assert_refused("result.json", "no configuration is feasible");
}
