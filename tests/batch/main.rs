//! Batches as users meet them, with real SPIN: their ends, and the data that must never be lost.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod ends;
mod fleets;
mod forged;
mod journals;
mod kills;
mod lists;
mod sources;
#[path = "../shared/waiting.rs"]
mod waiting;

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::LazyLock;

use serde_json::Value;
use waiting::wait_until;

/// Four small proofs of two specs, and a job that fails: each is proved in a moment.
const JOBS: &str = "
jobs:
  - specs: [abstract.yaml, broken.yaml]
    gpus: [abstract-tiny]
    set: { size: [16, 32] }
  - specs: [scale.yaml]
    gpus: [fermi, volta]
";

/// True if a line of `-v` belongs to an event: `INFO checker.search: searching with ...`.
fn tells(line: &str, event: &str) -> bool {
    line.contains(&format!(" {event}: "))
}

/// A batch's folder, its job list and specs, and a place for temporary files.
struct Place {
    folder: tempfile::TempDir,
}

impl Place {
    fn new(jobs: &str) -> Self {
        let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
        let project = Path::new(env!("CARGO_MANIFEST_DIR"));
        let copy = |from: &str, to: &str| std::fs::copy(project.join(from), folder.path().join(to)).unwrap();
        copy("tuning-specs/abstract_kernel.yaml", "abstract.yaml");
        copy("tests/data/specs/misspelt.yaml", "broken.yaml");
        copy("tests/data/specs/scale.yaml", "scale.yaml");
        std::fs::write(folder.path().join("jobs.yaml"), jobs).unwrap();
        std::fs::create_dir(folder.path().join("tmp")).unwrap();
        Self { folder }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// The batch of this place, with a cache of its own.
    fn batch(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(assert_cmd::cargo::cargo_bin("autotune"));
        command.args(["batch", "jobs.yaml"]).args(arguments).current_dir(self.folder.path());
        command.env_remove("AUTOTUNE_SPIN").env_remove("AUTOTUNE_CC");
        command.envs(self.isolated());
        command
    }

    /// The folders of this place that stand for the user's.
    fn isolated(&self) -> [(&'static str, PathBuf); 3] {
        let folders = [("TMPDIR", "tmp"), ("XDG_CACHE_HOME", "cache"), ("XDG_STATE_HOME", "state")];
        folders.map(|(variable, folder)| (variable, self.path(folder)))
    }

    fn results(&self) -> Vec<u8> {
        std::fs::read(self.path("out/results.json")).unwrap()
    }

    fn journal(&self) -> String {
        std::fs::read_to_string(self.path("out/journal.jsonl")).unwrap()
    }

    /// The processes that work for the batch, found by their temporary files.
    fn processes(&self) -> Vec<u32> {
        let mark = format!("TMPDIR={}", self.path("tmp").display());
        let entries = std::fs::read_dir("/proc").unwrap().flatten();
        let ours = entries.filter_map(|entry| {
            let pid = entry.file_name().to_string_lossy().parse().ok()?;
            let environment = std::fs::read(entry.path().join("environ")).ok()?;
            let is_ours = environment.split(|byte| *byte == 0).any(|variable| variable == mark.as_bytes());
            is_ours.then_some(pid)
        });
        ours.collect()
    }

    /// Checks that processes which outlive a run to end its children are soon gone. A process that is ending has no
    /// environment any more, and may still hold the lock of its folder.
    fn has_no_processes(&self) {
        wait_until("all processes are gone", || self.processes().is_empty());
        let is_free = |folder: PathBuf| std::fs::File::open(folder).unwrap().try_lock().is_ok();
        wait_until("all folders are free", || self.folders().all(is_free));
    }

    /// The temporary folders of this program.
    fn folders(&self) -> impl Iterator<Item = PathBuf> {
        inside(self.path("tmp")).flat_map(inside)
    }

    /// The temporary folders that hold something. A kill between the making of a folder and of its marker leaves an
    /// empty folder, which stays because it cannot be recognised as the program's own.
    fn temporary_files(&self) -> Vec<PathBuf> {
        self.folders().filter(|path| !path.is_dir() || inside(path.clone()).next().is_some()).collect()
    }
}

fn inside(folder: PathBuf) -> impl Iterator<Item = PathBuf> {
    std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path())
}

/// The results of [`JOBS`] without a disturbance.
static UNDISTURBED: LazyLock<Vec<u8>> = LazyLock::new(|| {
    let place = Place::new(JOBS);
    let output = place.batch(&["--out", "out", "--no-cache"]).output().unwrap();
    assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
    place.results()
});

fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

/// A journal's line with its correct checksum.
fn sealed(line: &str) -> String {
    use sha2::{Digest, Sha256};
    let event = line.rsplit_once(",\"sha256\":\"").unwrap().0.to_owned() + "}";
    let sum = data_encoding::HEXLOWER.encode(&Sha256::digest(event.as_bytes()));
    format!("{},\"sha256\":\"{sum}\"}}", &event[..event.len() - 1])
}

/// An executable shell script.
fn script(path: &Path, text: &str) {
    use std::os::unix::fs::PermissionsExt;
    std::fs::write(path, format!("#!/bin/sh\n{text}\n")).unwrap();
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o755)).unwrap();
}

/// A value that is valid by its schema.
fn checked(value: &Value, schema: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("schemas").join(schema);
    let validator = jsonschema::validator_for(&json(&std::fs::read_to_string(path).unwrap())).unwrap();
    let errors: Vec<String> =
        validator.iter_errors(value).map(|error| format!("{error} at {}", error.instance_path())).collect();
    assert!(errors.is_empty(), "{errors:#?}");
}

fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"))
}
